//! Regions: bump allocation in pages that end together.
//!
//! ```text
//! region.enter    three words in the frame, null
//! region.block    cell = next; next += size
//!                 if next > end: ask the runtime for a page
//! region.reset    walk, if objects refer to counted ones; then keep the first page
//! region.leave    the same, keep none
//! ```
//!
//! Pages are taken when the first object is made: a region that stays empty costs three stores.

use oxbow_abi::{
    CACHE_LINE, HEADER_SIZE, ObjectKind, REGION_END_OFFSET, REGION_NEXT_OFFSET, REGION_PAGE_OFFSET,
    REGION_SIZE, Shape, WORDS_SHIFT,
};
use oxbow_diag::ice;
use oxbow_dialect::melior::ir::ValueLike;
use oxbow_dialect::op::{DialectOp, RegionBlock, View, opcode, view};
use oxbow_dialect::{Likely, Op, Predicate, Val};

use super::alloc::Form;
use super::body::{Body, types_of};
use super::llvm_ops::{Access, Convention, TailKind, Target};
use super::{Converter, Hint, NewFunction};

const PAGE: &str = "oxbow.region.page";

/// Where the cell of an object in a region may begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// Behind the object before it.
    Next,
    /// At a multiple of 16.
    Even,
    /// Where it lies in one cache line, which it is not larger than.
    Line,
}

/// Where a cell of a region starts.
#[derive(Clone, Copy)]
enum CellStart {
    /// Behind the last one.
    Next,
    /// Where the cell lies in one cache line. An object of this header, with as many words as are left of the line,
    /// takes the place before it, for whoever walks the region.
    InLine { filler: u64 },
}

impl<'c> Converter<'c> {
    /// Converts an op on regions.
    pub fn region_op(&mut self, body: &mut Body<'c>, op: Op<'c>) {
        match view(op) {
            View::RegionEnter(_) => {
                let region = self.frame(body, REGION_SIZE, 8);
                for offset in [REGION_NEXT_OFFSET, REGION_END_OFFSET, REGION_PAGE_OFFSET] {
                    let word = self.offset(region, offset as i64);
                    self.store_raw(self.null(), word, 8, Access::Heap);
                }
                body.set(op, 0, region);
            }
            View::RegionBlock(it) => self.region_block(body, it),
            View::RegionClosure(it) => self.region_closure(body, it),
            View::RegionReset(it) => {
                self.end_region(body, it.region(), "oxbow_region_reset", it.walked());
            }
            View::RegionLeave(it) => {
                self.end_region(body, it.region(), "oxbow_region_leave", it.walked());
            }
            _ => ice!("{:?} is no op on regions", opcode(op)),
        }
    }

    /// Nothing to do for a region without pages; `how` is the function of the runtime for others.
    fn end_region(&mut self, body: &Body<'c>, region: Val<'c>, how: &str, walked: bool) {
        let region = body.get(region);
        if self.is_measured() {
            let args = [region, self.i64(walked.into()), self.site_address()];
            self.runtime_call("oxbow_checked_region_end", &args);
            return;
        }
        let page = self.offset(region, REGION_PAGE_OFFSET as i64);
        let page = self.load_raw(self.layout.ptr, page, 8, Access::Heap);
        let empty = self.icmp(Predicate::Eq, page, self.null());
        let [end, done] = [(); 2].map(|()| self.build.new_block(&[]));
        self.build.cond_br(empty, done, end, Likely::Unknown);
        self.start(body, end);
        if walked {
            self.runtime_call("oxbow_region_walk", &[region]);
        }
        self.runtime_call(how, &[region]);
        self.build.br(done, &[]);
        self.start(body, done);
        self.memory_barrier();
    }

    fn region_block(&mut self, body: &mut Body<'c>, new: RegionBlock<'c>) {
        let (region, fields) = (body.get(new.region()), &new.fields()[..]);
        let types = types_of(fields);
        let form = self.block_form(new.block().r#type(), new.ctor(), &types);
        let object = self.region_object(body, region, &form, Fit::Next);
        for ((&ty, &value), &offset) in types.iter().zip(fields).zip(&form.offsets) {
            self.store(ty, body.get(value), object, offset, Access::Field);
        }
        body.set(new.op(), 0, object);
    }

    /// An object in a region with its header set.
    pub fn region_object(
        &mut self,
        body: &Body<'c>,
        region: Val<'c>,
        form: &Form,
        fit: Fit,
    ) -> Val<'c> {
        if form.is_large() {
            ice!("a large object in a region");
        }
        let (size, header) = (HEADER_SIZE + 8 * form.shape.words, form.shape.region_header());
        let empty = Shape { kind: ObjectKind::Tuple, tag: 0, words: 0, pointers: 0 };
        let empty = empty.region_header();
        let cell = match fit {
            _ if self.is_measured() => {
                let site = self.site_address();
                let args = [self.i64(size as i64), self.i64(header as i64), site, region];
                self.runtime_call("oxbow_checked_region", &args).expect("it has a result")
            }
            Fit::Next => self.region_cell(body, region, size, CellStart::Next),
            Fit::Line => self.region_cell(body, region, size, CellStart::InLine { filler: empty }),
            Fit::Even => {
                // A word more: an object of no words, before or behind, for whoever walks the region.
                let i64 = self.layout.types.i64;
                let start = self.region_cell(body, region, size + HEADER_SIZE, CellStart::Next);
                let word = self.cast("ptrtoint", start, i64);
                let odd = self.binary("and", word, self.i64(HEADER_SIZE as i64));
                let behind = self.binary("xor", odd, self.i64(HEADER_SIZE as i64));
                let filler = self.binary("mul", behind, self.i64((size / HEADER_SIZE) as i64));
                let filler = self.indexed(start, filler, self.layout.types.i8);
                self.store_raw(self.i64(empty as i64), filler, 8, Access::Header);
                self.indexed(start, odd, self.layout.types.i8)
            }
        };
        self.begin_object(cell, header)
    }

    /// The next cell of a region, of this size.
    fn region_cell(
        &mut self,
        body: &Body<'c>,
        region: Val<'c>,
        size: u64,
        starts: CellStart,
    ) -> Val<'c> {
        let site = self.site();
        self.need_region_page();
        let (ptr, i64) = (self.layout.ptr, self.layout.types.i64);
        let place = self.offset(region, REGION_NEXT_OFFSET as i64);
        let cell = self.load_raw(ptr, place, 8, Access::Heap);
        let end = self.offset(region, REGION_END_OFFSET as i64);
        let end = self.load_raw(ptr, end, 8, Access::Heap);
        let [cell_word, end] = [cell, end].map(|it| self.cast("ptrtoint", it, i64));
        let skipped = match starts {
            CellStart::Next => None,
            CellStart::InLine { filler } => Some((filler, self.rest_of_line(cell_word, size))),
        };
        let start = match skipped {
            Some((_, bytes)) => self.binary("add", cell_word, bytes),
            None => cell_word,
        };
        let needed = self.binary("add", start, self.i64(size as i64));
        let full = self.icmp(Predicate::Ugt, needed, end);
        let [fast, slow] = [(); 2].map(|()| self.build.new_block(&[]));
        let done = self.build.new_block(&[ptr]);
        self.build.cond_br(full, slow, fast, Likely::Second);
        self.start(body, fast);
        let start = match skipped {
            Some((empty, bytes)) => {
                // If nothing is skipped, the object's own header is written there next.
                let words = self.binary("shl", bytes, self.i64(i64::from(WORDS_SHIFT) - 3));
                let first = empty.wrapping_sub(1 << WORDS_SHIFT);
                let header = self.binary("add", words, self.i64(first as i64));
                self.store_raw(header, cell, 8, Access::Header);
                self.indexed(cell, bytes, self.layout.types.i8)
            }
            None => cell,
        };
        let next = self.offset(start, size as i64);
        self.store_raw(next, place, 8, Access::Heap);
        self.build.br(done, &[start]);
        self.start(body, slow);
        let args = [region, self.i64(size as i64), self.address_of(&site)];
        let made = self.call(
            Target::Symbol(PAGE),
            &args,
            Some(ptr),
            Convention::PreserveMost,
            TailKind::None,
        );
        self.build.br(done, &[made.expect("a call with a result")]);
        self.start(body, done);
        self.build.argument(done, 0)
    }

    /// How many bytes are left of a cache line at this place, if `size` are more; else none.
    fn rest_of_line(&mut self, place: Val<'c>, size: u64) -> Val<'c> {
        let line = CACHE_LINE as i64;
        let used = self.binary("and", place, self.i64(line - 1));
        let rest = self.binary("sub", self.i64(line), used);
        let fits = self.icmp(Predicate::Ule, self.i64(size as i64), rest);
        let i64 = self.layout.types.i64;
        self.build.value("llvm.select", &[fits, self.i64(0), rest], i64, &[])
    }

    /// A way to the runtime that leaves the registers of its callers alone.
    fn need_region_page(&mut self) {
        if !self.made.insert(PAGE.into()) {
            return;
        }
        let (block, location) = (self.build.block(), self.build.location);
        let ptr = self.layout.ptr;
        let entry = self.new_function(&NewFunction {
            symbol: PAGE,
            params: &[ptr, self.layout.types.i64, ptr],
            facts: &[],
            result: ptr,
            convention: Convention::PreserveMost,
            exported: false,
            hint: Hint::Cold,
        });
        let args = [0, 1, 2].map(|at| self.build.argument(entry, at));
        let result = self.runtime_call("oxbow_region_page", &args);
        self.ret(result);
        self.build.set_block(block);
        self.build.location = location;
    }
}
