//! Code that can be checked or measured while it runs.
//!
//! ```text
//! allocation            oxbow_checked_cell(size, header, site)
//! object of the frame   oxbow_checked_frame(…, variable); oxbow_checked_leave(variable) before each end
//! dup, drop, take       oxbow_checked_dup, oxbow_checked_drop
//! any access            oxbow_checked_use(object, site) first
//! end of the program    drops what globals hold, then oxbow_checked_end()
//! ```
//!
//! Only the first three are needed to measure.

use oxbow_dialect::inspect::{key, operands};
use oxbow_dialect::melior::dialect::llvm;
use oxbow_dialect::melior::ir::ValueLike;
use oxbow_dialect::{OcamlType, Op, Val};

use super::body::Body;
use super::llvm_ops::Access;
use super::{Converter, attr, int_attr, string_attr, symbol_attr};

/// What compiled code tells about memory while it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MemoryChecks {
    #[default]
    Off,
    /// Every allocation and its end.
    Measured,
    /// Every access too.
    Checked,
}

const STATICS: &str = "oxbow.statics";

impl<'c> Converter<'c> {
    pub fn is_measured(&self) -> bool {
        self.memory != MemoryChecks::Off
    }

    pub fn is_checked(&self) -> bool {
        self.memory == MemoryChecks::Checked
    }

    pub fn site_address(&mut self) -> Val<'c> {
        let site = self.site();
        self.address_of(&site)
    }

    pub fn checked_cell(&mut self, size: u64, header: u64) -> Val<'c> {
        let args = [self.i64(size as i64), self.i64(header as i64), self.site_address()];
        self.runtime_call("oxbow_checked_cell", &args).expect("it has a result")
    }

    /// An object of the frame: a cell that its function ends.
    pub fn checked_frame(&mut self, body: &Body<'c>, size: u64, header: u64) -> Val<'c> {
        let at = body.frames_made.get();
        body.frames_made.set(at + 1);
        let slot = body.frames[at];
        let args = [self.i64(size as i64), self.i64(header as i64), self.site_address(), slot];
        self.runtime_call("oxbow_checked_frame", &args).expect("it has a result")
    }

    pub fn checked_dup(&mut self, value: Val<'c>) {
        let site = self.site_address();
        self.runtime_call("oxbow_checked_dup", &[value, site]);
    }

    pub fn checked_drop(&mut self, value: Val<'c>) {
        let site = self.site_address();
        self.runtime_call("oxbow_checked_drop", &[value, site]);
    }

    pub fn check_use(&mut self, value: Val<'c>) {
        if self.is_checked() {
            let site = self.site_address();
            self.runtime_call("oxbow_checked_use", &[value, site]);
        }
    }

    /// Before an object is taken apart that nobody else is said to have.
    pub fn check_unique(&mut self, value: Val<'c>) {
        if self.is_checked() {
            let site = self.site_address();
            self.runtime_call("oxbow_checked_unique", &[value, site]);
        }
    }

    /// Variables for the objects of the frame, at the start of a function.
    pub fn open_frames(&mut self, body: &mut Body<'c>, ops: impl Iterator<Item = Op<'c>>) {
        if !self.is_measured() {
            return;
        }
        let ops: Vec<_> = ops.collect();
        let checked = self.is_checked();
        for op in ops.iter().filter(|it| checked && attr(**it, "token").is_some()) {
            let token = int_attr(*op, "token");
            if !body.tokens.contains_key(&token) {
                let slot = self.frame(body, 8, 8);
                self.store_raw(self.i64(0), slot, 8, Access::Any);
                body.tokens.insert(token, slot);
            }
        }
        let in_frame =
            |op: &Op<'c>| attr(*op, "storage").is_some() && string_attr(*op, "storage") == "stack";
        // A closure with an environment of its own is two objects.
        for _ in ops.into_iter().filter(in_frame).flat_map(|it| [it, it]) {
            let slot = self.frame(body, 8, 8);
            self.store_raw(self.null(), slot, 8, Access::Any);
            body.frames.push(slot);
        }
    }

    /// Before a token gets a cell (1) or gives it to an object (-1).
    pub fn check_token(&mut self, body: &Body<'c>, op: Op<'c>, change: i64) {
        if attr(op, "token").is_some()
            && let Some(&slot) = body.tokens.get(&int_attr(op, "token"))
        {
            let site = self.site_address();
            self.runtime_call("oxbow_checked_token", &[slot, self.i64(change), site]);
        }
    }

    /// Before a function ends.
    pub fn leave_frames(&mut self, body: &Body<'c>) {
        if !body.tokens.is_empty() {
            let site = self.site_address();
            for &slot in body.tokens.values() {
                self.runtime_call("oxbow_checked_token", &[slot, self.i64(0), site]);
            }
        }
        for &slot in &body.frames {
            self.runtime_call("oxbow_checked_leave", &[slot]);
        }
    }

    pub fn start_program(&mut self) {
        if self.is_measured() {
            let audit = self.i64(self.is_checked().into());
            let statics = self.address_of(STATICS);
            self.runtime_call("oxbow_checked_start", &[audit, statics]);
        }
    }

    pub fn end_program(&mut self) {
        if !self.is_measured() {
            return;
        }
        for (symbol, ty) in self.globals.clone() {
            for (_, at) in self.counted_parts(ty) {
                let address = self.address_of(&symbol);
                let address = self.offset(address, at as i64);
                let value = self.load_raw(self.layout.ptr, address, 8, Access::Global);
                self.checked_drop(value);
            }
        }
        self.runtime_call("oxbow_checked_end", &[]);
    }

    pub fn note_static(&mut self, bytes: u64) {
        self.statics[0] += 1;
        self.statics[1] += bytes;
    }

    /// Number and bytes of the static objects.
    pub fn emit_statics(&mut self) {
        if !self.is_measured() {
            return;
        }
        let ty = llvm::r#type::array(self.layout.types.i64, 2);
        let [count, bytes] = self.statics;
        self.global_with(STATICS, ty, true, 8, |this| {
            let start = this.poison(ty);
            let count = this.i64(count as i64);
            let start = this.insert(count, start, 0);
            let bytes = this.i64(bytes as i64);
            this.insert(bytes, start, 1)
        });
    }

    /// Checks the objects that an op looks into.
    pub fn check_operands(&mut self, body: &Body<'c>, op: Op<'c>, name: &str) {
        if !self.is_checked() {
            return;
        }
        let all = operands(op);
        let looked_at: &[usize] = match name {
            "block.get" | "block.load" | "block.tag" | "string.length" | "array.length"
            | "string.get" | "array.get" | "exn.is" | "exn.get" | "exn.name" | "env.get"
            | "invoke" | "tail_invoke" | "closure.fill" => &[0],
            "block.store" | "string.set" | "array.set" => &[1],
            "array.blit" => &[0, 2],
            "call" | "tail_call" => {
                let func = &self.funcs[symbol_attr(op, "callee")];
                if func.captures.is_some() { &[0] } else { &[] }
            }
            "runtime.call" => &[0, 1, 2, 3, 4, 5],
            _ => &[],
        };
        for value in looked_at.iter().filter_map(|&at| all.get(at)) {
            let ty = value.r#type();
            if ty.pair_parts().is_none()
                && self.layout.value(ty) == self.layout.ptr
                && self.layout.is_counted(ty)
                && let Some(value) = body.value(key(*value))
            {
                self.check_use(value);
            }
        }
    }
}
