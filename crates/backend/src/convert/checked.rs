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

use oxbow_dialect::inspect::key;
use oxbow_dialect::melior::dialect::llvm;
use oxbow_dialect::melior::ir::ValueLike;
use oxbow_dialect::op::{Storage, View, view};
use oxbow_dialect::{OcamlType, Op, Val};

use super::Converter;
use super::body::Body;
use super::llvm_ops::Access;

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
        let token_of = |op: Op<'c>| match view(op) {
            View::Take(it) => it.token(),
            it => it.used_token(),
        };
        for token in ops.iter().filter(|_| checked).filter_map(|it| token_of(*it)) {
            if !body.tokens.contains_key(&token) {
                let slot = self.frame(body, 8, 8);
                self.store_raw(self.i64(0), slot, 8, Access::Any);
                body.tokens.insert(token, slot);
            }
        }
        let in_frame = |op: &Op<'c>| view(*op).storage() == Some(Storage::Stack);
        // A closure with an environment of its own is two objects.
        for _ in ops.into_iter().filter(in_frame).flat_map(|it| [it, it]) {
            let slot = self.frame(body, 8, 8);
            self.store_raw(self.null(), slot, 8, Access::Any);
            body.frames.push(slot);
        }
    }

    /// Before a token gets a cell (1) or gives it to an object (-1).
    pub fn check_token(&mut self, body: &Body<'c>, token: Option<u32>, change: i64) {
        if let Some(&slot) = token.and_then(|it| body.tokens.get(&it)) {
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
    pub fn check_operands(&mut self, body: &Body<'c>, op: Op<'c>) {
        if !self.is_checked() {
            return;
        }
        let own_closure = |callee: &str, args: Vec<Val<'c>>| {
            let has_env = self.funcs[callee].captures.is_some();
            args.into_iter().take(usize::from(has_env)).collect()
        };
        let read: Vec<Val<'c>> = match view(op) {
            View::BlockGet(it) => vec![it.block()],
            View::BlockLoad(it) => vec![it.block()],
            View::BlockStore(it) => vec![it.block()],
            View::BlockTag(it) => vec![it.value()],
            View::StringLength(it) => vec![it.string()],
            View::StringGet(it) => vec![it.string()],
            View::StringSet(it) => vec![it.string()],
            View::ArrayLength(it) => vec![it.array()],
            View::ArrayGet(it) => vec![it.array()],
            View::ArraySet(it) => vec![it.array()],
            View::ArrayBlit(it) => vec![it.source(), it.target()],
            View::ExnIs(it) => vec![it.exn()],
            View::ExnGet(it) => vec![it.exn()],
            View::ExnName(it) => vec![it.exn()],
            View::EnvGet(it) => vec![it.env()],
            View::Invoke(it) => vec![it.callee()],
            View::TailInvoke(it) => vec![it.callee()],
            View::ClosureFill(it) => vec![it.closure()],
            View::Call(it) => own_closure(it.callee(), it.args()),
            View::TailCall(it) => own_closure(it.callee(), it.args()),
            View::RuntimeCall(it) => it.args(),
            _ => Vec::new(),
        };
        for value in read {
            let ty = value.r#type();
            if ty.pair_parts().is_none()
                && self.layout.value(ty) == self.layout.ptr
                && self.layout.is_counted(ty)
                && let Some(value) = body.value(key(value))
            {
                self.check_use(value);
            }
        }
    }
}
