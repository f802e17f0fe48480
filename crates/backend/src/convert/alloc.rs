//! Allocation: in the program's region, in the frame, and the header of each object.

use oxbow_abi::{CACHE_LINE, HEADER_SIZE, ObjectKind, header, round_up};
use oxbow_dialect::{Likely, Predicate, Val};

use super::body::Body;
use super::llvm_ops::{Access, Convention, TailKind, Target};
use super::{Converter, Hint, NewFunction};

/// Where an object goes that is made at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Region,
    Frame,
}

const REFILL: &str = "oxbow.refill";

impl<'c> Converter<'c> {
    /// An object with its header set; fields are not.
    pub fn object(
        &mut self,
        body: &Body<'c>,
        kind: ObjectKind,
        tag: u32,
        payload: u64,
        place: Place,
    ) -> Val<'c> {
        let size = HEADER_SIZE + round_up(payload);
        let start = match place {
            Place::Region => self.bump(body, size, kind),
            Place::Frame => self.frame_object(body, size, kind),
        };
        let word = self.i64(header(kind, tag, payload) as i64);
        self.store_raw(word, start, 8, Access::Header);
        self.offset(start, HEADER_SIZE as i64)
    }

    /// An alloca in the entry block. A closure that fits a cache line does not straddle two.
    fn frame_object(&mut self, body: &Body<'c>, size: u64, kind: ObjectKind) -> Val<'c> {
        let in_line = kind == ObjectKind::Closure && size <= CACHE_LINE;
        self.frame(body, size, if in_line { size.next_power_of_two() } else { 8 })
    }

    pub fn frame(&mut self, body: &Body<'c>, size: u64, align: u64) -> Val<'c> {
        let array =
            oxbow_dialect::melior::dialect::llvm::r#type::array(self.layout.types.i8, size as u32);
        let i64 = self.layout.types.i64;
        let one = self.build.detached(
            "llvm.mlir.constant",
            &[],
            &[i64],
            &[("value", self.build.integer(i64, 1))],
            &[],
            0,
        );
        let attributes = [
            ("elem_type", self.build.type_attr(array)),
            ("alignment", self.build.integer(i64, align as i64)),
        ];
        let one_value = oxbow_dialect::result_of(one, 0);
        let alloca = self.build.detached(
            "llvm.alloca",
            &[one_value],
            &[self.layout.ptr],
            &attributes,
            &[],
            0,
        );
        self.build.insert_first(body.entry, alloca);
        self.build.insert_first(body.entry, one);
        oxbow_dialect::result_of(alloca, 0)
    }

    /// The address of fresh memory in the program's region, for the header.
    fn bump(&mut self, body: &Body<'c>, size: u64, kind: ObjectKind) -> Val<'c> {
        self.need_region();
        let ptr = self.layout.ptr;
        let i64 = self.layout.types.i64;
        let next_address = self.address_of("oxbow_region_next");
        let mut next = self.load_raw(ptr, next_address, 8, Access::Region);
        if kind == ObjectKind::Closure && size <= CACHE_LINE && size > 8 {
            // Up to the next cache line if the object would cross into it.
            let start = self.cast("ptrtoint", next, i64);
            let last = self.binary("add", start, self.i64(size as i64 - 1));
            let line = self.binary("and", last, self.i64(-(CACHE_LINE as i64)));
            let crosses = self.icmp(Predicate::Ugt, line, start);
            let gap = self.binary("sub", line, start);
            let skip = self.build.value("llvm.select", &[crosses, gap, self.i64(0)], i64, &[]);
            next = self.indexed(next, skip, self.layout.types.i8);
        }
        let after = self.offset(next, size as i64);
        let end_address = self.address_of("oxbow_region_end");
        let end = self.load_raw(ptr, end_address, 8, Access::Region);
        let full = self.icmp(Predicate::Ugt, after, end);
        let fast = self.build.new_block(&[]);
        let slow = self.build.new_block(&[]);
        let done = self.build.new_block(&[ptr]);
        self.build.cond_br(full, slow, fast, Likely::Second);
        self.start(body, fast);
        self.store_raw(after, next_address, 8, Access::Region);
        self.build.br(done, &[next]);
        self.start(body, slow);
        let size = self.i64(size as i64);
        let refilled = self.call(
            Target::Symbol(REFILL),
            &[size],
            Some(ptr),
            Convention::PreserveMost,
            TailKind::None,
        );
        self.build.br(done, &[refilled.expect("a call with a result")]);
        self.start(body, done);
        self.build.argument(done, 0)
    }

    /// Declares the region's variables, and a way to the runtime's slow path that leaves the
    /// registers of its callers alone.
    fn need_region(&mut self) {
        if !self.made.insert(REFILL.into()) {
            return;
        }
        let (block, location) = (self.build.block(), self.build.location);
        for it in oxbow_abi::GLOBALS {
            let attributes = [
                ("global_type", self.build.type_attr(self.layout.ptr)),
                ("sym_name", self.build.string(it.name)),
                ("linkage", self.build.parsed("#llvm.linkage<external>")),
            ];
            self.append("llvm.mlir.global", &attributes, 1);
        }
        let entry = self.new_function(&NewFunction {
            symbol: REFILL,
            params: &[self.layout.types.i64],
            facts: &[],
            result: self.layout.ptr,
            convention: Convention::PreserveMost,
            exported: false,
            hint: Hint::Cold,
        });
        let size = self.build.argument(entry, 0);
        let result = self.runtime_call("oxbow_region_refill", &[size]);
        self.ret(result);
        self.build.set_block(block);
        self.build.location = location;
    }
}
