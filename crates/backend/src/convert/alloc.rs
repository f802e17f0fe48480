//! Allocation: cells of the heap, objects in the frame, and the header of each object.

use oxbow_abi::{
    CACHE_LINE, DESCRIPTOR_OFFSET, FREE_CELLS, HEADER_SIZE, IMMORTAL, LARGE, LARGE_START,
    LARGEST_CELL, LARGEST_TAG, NOTHING, ObjectKind, Shape, cell_class, cell_size, is_large,
    round_up,
};
use oxbow_diag::ice;
use oxbow_dialect::inspect::site_text;
use oxbow_dialect::melior::dialect::llvm;
use oxbow_dialect::melior::ir::Type;
use oxbow_dialect::{Likely, OcamlType, Predicate, Val};

use super::body::Body;
use super::llvm_ops::{Access, Convention, TailKind, Target};
use super::{Converter, Hint, NewFunction};

/// Where an object goes that is made at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In a cell of its own, until its last reference is gone.
    Heap,
    Frame,
    /// In the frame, and not counted: somebody else keeps alive what it holds.
    Borrowing,
}

/// What an object looks like.
#[derive(Clone, Debug)]
pub struct Form {
    pub shape: Shape,
    pub payload: u64,
    /// For each field its offset.
    pub offsets: Vec<u64>,
    /// Bits for the words of a large object.
    pub bits: Vec<u64>,
}

impl Form {
    /// Size of the cell.
    pub fn cell(&self) -> u64 {
        match self.shape.kind {
            ObjectKind::ScalarArray | ObjectKind::PointerArray | ObjectKind::StructArray => {
                HEADER_SIZE + round_up(self.payload)
            }
            kind => cell_size(kind, self.payload),
        }
    }

    pub fn is_large(&self) -> bool {
        self.shape.words == LARGE
    }
}

const REFILL: &str = "oxbow.refill";
const CELL: &str = "oxbow.cell.";

impl<'c> Converter<'c> {
    /// The form of an object whose fields begin behind `start` bytes of something else.
    pub fn form(&self, kind: ObjectKind, tag: u32, start: u64, types: &[Type<'c>]) -> Form {
        if tag > LARGEST_TAG {
            ice!("a tag of {tag}");
        }
        let fields = self.layout.fields_from(start, types);
        let payload = fields.size;
        let words = round_up(payload) / 8;
        let mut bits = vec![0_u64; (words as usize).div_ceil(64).max(1)];
        for (&ty, &offset) in types.iter().zip(&fields.offsets) {
            for (part, at) in self.counted_parts(ty) {
                let word = ((offset + at) / 8) as usize;
                debug_assert!(self.layout.is_counted(part));
                bits[word / 64] |= 1 << (word % 64);
            }
        }
        let shape = if is_large(payload) {
            let holds = bits.iter().any(|&it| it != 0);
            Shape { kind, tag, words: LARGE, pointers: u64::from(holds) }
        } else {
            Shape { kind, tag, words: cell_size(kind, payload) / 8 - 1, pointers: bits[0] }
        };
        Form { shape, payload, offsets: fields.offsets, bits }
    }

    /// The counted values in a value of this type, with their offsets in memory.
    pub fn counted_parts(&self, ty: Type<'c>) -> Vec<(Type<'c>, u64)> {
        match ty.pair_parts() {
            Some(parts) => {
                let offsets = self.layout.fields(&parts).offsets;
                let parts = parts.into_iter().zip(offsets);
                parts.filter(|it| self.layout.is_counted(it.0)).collect()
            }
            None if self.layout.is_counted(ty) => vec![(ty, 0)],
            None => Vec::new(),
        }
    }

    /// An object with its header set; fields are not.
    pub fn object(&mut self, body: &Body<'c>, form: &Form, place: Place) -> Val<'c> {
        self.object_at(body, form, place, 8)
    }

    /// The same with a cell at a multiple of `align`, which divides the cell's size, as the cells of
    /// one size lie side by side.
    pub fn object_at(&mut self, body: &Body<'c>, form: &Form, place: Place, align: u64) -> Val<'c> {
        let size = form.cell();
        let word = match place {
            Place::Heap => form.shape.header(),
            // Its count never gets to the end, so that no drop calls the runtime for nothing.
            Place::Frame if form.shape.is_plain() && !self.is_measured() => {
                form.shape.frame_header() | IMMORTAL
            }
            Place::Frame => form.shape.frame_header(),
            Place::Borrowing => form.shape.frame_header() | form.shape.static_header(),
        };
        let mut start = match place {
            Place::Heap if self.is_measured() => self.checked_cell(size, word),
            Place::Heap => match self.reused.take() {
                Some((reused, cell)) if reused == size => cell,
                Some((reused, _)) => ice!("a cell of {reused} bytes for an object of {size}"),
                None => self.cell(body, size),
            },
            Place::Frame | Place::Borrowing if self.is_measured() => {
                self.checked_frame(body, size, word)
            }
            Place::Frame | Place::Borrowing => {
                self.frame_object(body, size, form.shape.kind, align)
            }
        };
        if form.is_large() {
            let descriptor = self.descriptor(form);
            let descriptor = self.address_of(&descriptor);
            start = self.offset(start, (LARGE_START - HEADER_SIZE) as i64);
            let place = self.offset(start, HEADER_SIZE as i64 + DESCRIPTOR_OFFSET);
            self.store_raw(descriptor, place, 8, Access::Header);
        }
        self.begin_object(start, word)
    }

    /// Where the pointers of a large object are: the number of words, then their bits.
    pub fn descriptor(&mut self, form: &Form) -> String {
        let mut words = vec![round_up(form.payload) / 8];
        words.extend(&form.bits);
        let symbol = format!(
            "oxbow.shape.{}",
            words.iter().map(|it| format!("{it:x}")).collect::<Vec<_>>().join(".")
        );
        if self.made.insert(symbol.clone()) {
            let block = self.build.block();
            let ty = llvm::r#type::array(self.layout.types.i64, words.len() as u32);
            self.global_with(&symbol, ty, true, 8, |this| {
                let start = this.poison(ty);
                words.iter().zip(0..).fold(start, |packed, (&word, at)| {
                    let word = this.i64(word as i64);
                    this.insert(word, packed, at)
                })
            });
            self.build.set_block(block);
        }
        symbol
    }

    /// An alloca in the entry block. A closure that fits a cache line does not straddle two.
    fn frame_object(
        &mut self,
        body: &Body<'c>,
        size: u64,
        kind: ObjectKind,
        align: u64,
    ) -> Val<'c> {
        let align = match kind {
            ObjectKind::Closure if size <= CACHE_LINE => size.next_power_of_two(),
            ObjectKind::Closure => 16,
            _ => align,
        };
        self.frame(body, size, align)
    }

    /// The header of an object whose cell starts here; its address.
    pub fn begin_object(&mut self, start: Val<'c>, header: u64) -> Val<'c> {
        let word = self.i64(header as i64);
        self.store_raw(word, start, 8, Access::Header);
        self.offset(start, HEADER_SIZE as i64)
    }

    pub fn frame(&mut self, body: &Body<'c>, size: u64, align: u64) -> Val<'c> {
        let array = llvm::r#type::array(self.layout.types.i8, size as u32);
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

    /// A variable holds a counted value from the start.
    pub fn clear_slot(&mut self, slot: Val<'c>, ty: Type<'c>) {
        for (ty, at) in self.counted_parts(ty) {
            let nothing = self.nothing(ty);
            let address = self.offset(slot, at as i64);
            self.store_raw(nothing, address, 8, Access::Any);
        }
    }

    /// A free cell of the heap.
    pub fn cell(&mut self, body: &Body<'c>, size: u64) -> Val<'c> {
        let site = self.site();
        if size > LARGEST_CELL {
            let size = self.i64(size as i64);
            let site = self.address_of(&site);
            return self.runtime_call("oxbow_cell_large", &[size, site]).expect("it has a result");
        }
        self.need_heap();
        let ptr = self.layout.ptr;
        if body.rare {
            let symbol = self.need_cell(size);
            let site = self.address_of(&site);
            let way = Convention::PreserveMost;
            let call = Target::Symbol(&symbol);
            let cell = self.call(call, &[site], Some(ptr), way, TailKind::None);
            return cell.expect("a call with a result");
        }
        self.first_cell(body, size, |this| this.address_of(&site))
    }

    /// A function that gives a cell of this size, for code that is to be short.
    fn need_cell(&mut self, size: u64) -> String {
        let symbol = format!("{CELL}{size}");
        if !self.made.insert(symbol.clone()) {
            return symbol;
        }
        let (block, location) = (self.build.block(), self.build.location);
        let entry = self.new_function(&NewFunction {
            symbol: &symbol,
            params: &[self.layout.ptr],
            facts: &[],
            result: self.layout.ptr,
            convention: Convention::PreserveMost,
            exported: false,
            hint: Hint::NoInline,
        });
        let body = Body::generated(entry, self.layout.types.i1, true);
        let site = self.build.argument(entry, 0);
        let cell = self.first_cell(&body, size, |_| site);
        self.ret(Some(cell));
        self.build.set_block(block);
        self.build.location = location;
        symbol
    }

    /// Takes the first cell of a list, or has the runtime fill it.
    fn first_cell(
        &mut self,
        body: &Body<'c>,
        size: u64,
        site: impl FnOnce(&mut Self) -> Val<'c>,
    ) -> Val<'c> {
        let ptr = self.layout.ptr;
        let list = self.free_list(size);
        let first = self.load_raw(ptr, list, 8, Access::Heap);
        let empty = self.icmp(Predicate::Eq, first, self.null());
        let [fast, slow] = [(); 2].map(|()| self.build.new_block(&[]));
        let done = self.build.new_block(&[ptr]);
        self.build.cond_br(empty, slow, fast, Likely::Second);
        self.start(body, fast);
        let next = self.load_raw(ptr, first, 8, Access::Any);
        self.store_raw(next, list, 8, Access::Heap);
        self.build.br(done, &[first]);
        self.start(body, slow);
        let size = self.i64(size as i64);
        let site = site(self);
        let refilled = self.call(
            Target::Symbol(REFILL),
            &[size, site],
            Some(ptr),
            Convention::PreserveMost,
            TailKind::None,
        );
        self.build.br(done, &[refilled.expect("a call with a result")]);
        self.start(body, done);
        self.build.argument(done, 0)
    }

    /// Gives the cell of an object back, whose form is known. Nothing before may move behind
    /// this point, nor anything behind before it: the next object may lie in the same place.
    pub fn free_cell(&mut self, object: Val<'c>, form: &Form) {
        let size = form.cell();
        if form.is_large() || size > LARGEST_CELL {
            ice!("a large object is freed by the runtime");
        }
        self.need_heap();
        let cell = self.offset(object, -(HEADER_SIZE as i64));
        let list = self.free_list(size);
        self.free_to(cell, list);
    }

    /// Puts a cell first in a list.
    pub fn free_to(&mut self, cell: Val<'c>, list: Val<'c>) {
        self.memory_barrier();
        let first = self.load_raw(self.layout.ptr, list, 8, Access::Heap);
        self.store_raw(first, cell, 8, Access::Any);
        self.store_raw(cell, list, 8, Access::Heap);
    }

    /// For the optimiser: memory before is another than memory behind.
    pub fn memory_barrier(&mut self) {
        let attributes = [
            ("asm_string", self.build.string("")),
            ("constraints", self.build.string("~{memory}")),
            ("has_side_effects", self.build.unit()),
        ];
        self.build.op("llvm.inline_asm", &[], &[], &attributes);
    }

    /// The lists of free cells.
    pub fn free_lists(&mut self) -> Val<'c> {
        if self.domains { self.domain() } else { self.address_of(FREE_CELLS) }
    }

    fn free_list(&mut self, size: u64) -> Val<'c> {
        let lists = self.free_lists();
        self.offset(lists, 8 * cell_class(size) as i64)
    }

    /// What a place for counted values of a type holds at first: something that can be dropped, for which no code is
    /// left where a constant constructor will do.
    pub fn nothing(&mut self, ty: Type<'c>) -> Val<'c> {
        if self.may_be_immediate(ty) {
            return self.immediate(0);
        }
        self.need_heap();
        self.nothing_address()
    }

    /// The same where the heap's variables are declared.
    pub fn nothing_address(&self) -> Val<'c> {
        let start = self.address_of(NOTHING);
        self.offset(start, HEADER_SIZE as i64)
    }

    /// Declares the heap's variables, and a way to the runtime's slow path that leaves the
    /// registers of its callers alone.
    pub fn need_heap(&mut self) {
        if !self.made.insert(REFILL.into()) {
            return;
        }
        let (block, location) = (self.build.block(), self.build.location);
        for it in oxbow_abi::GLOBALS {
            let ty = llvm::r#type::array(self.layout.types.i64, it.words as u32);
            let attributes = [
                ("global_type", self.build.type_attr(ty)),
                ("sym_name", self.build.string(it.name)),
                ("linkage", self.build.parsed("#llvm.linkage<external>")),
            ];
            self.append("llvm.mlir.global", &attributes, 1);
        }
        let entry = self.new_function(&NewFunction {
            symbol: REFILL,
            params: &[self.layout.types.i64, self.layout.ptr],
            facts: &[],
            result: self.layout.ptr,
            convention: Convention::PreserveMost,
            exported: false,
            hint: Hint::Cold,
        });
        let args = [0, 1].map(|at| self.build.argument(entry, at));
        let result = self.runtime_call("oxbow_cell_refill", &args);
        self.ret(result);
        self.build.set_block(block);
        self.build.location = location;
    }

    /// A C string with the current place in the source, for messages.
    pub fn site(&mut self) -> String {
        let text = site_text(self.build.location);
        if let Some(symbol) = self.sites.get(&text) {
            return symbol.clone();
        }
        let symbol = format!("oxbow.site.{}", self.sites.len());
        let bytes = format!("{text}\0").into_bytes();
        let ty = llvm::r#type::array(self.layout.types.i8, bytes.len() as u32);
        let block = self.build.block();
        self.global_with(&symbol, ty, true, 1, |this| {
            this.build.value("llvm.mlir.constant", &[], ty, &[("value", this.build.bytes(&bytes))])
        });
        self.build.set_block(block);
        self.sites.insert(text, symbol.clone());
        symbol
    }
}
