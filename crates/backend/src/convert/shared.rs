//! Counting and storing in programs with domains, where objects may be shared (decisions 110, 111).
//!
//! ```text
//! dup v          if v.count < 0: oxbow_shared_dup v          else: v.count += 1
//! drop v         if v.count <= 0: release v                  else: v.count -= 1
//! v.f <- x       if v.count < 0: oxbow_shared_store v.f x    else: old = v.f; v.f = x; drop old
//! global <- x    oxbow_shared_store global x
//! ```
//!
//! `release` tells objects of this domain from shared ones. Lists of free cells are those of the thread's domain. Where
//! memory is checked or measured, the runtime counts, under a lock, and every store of a reference goes there.

use oxbow_abi::{DOMAIN_OFFSET, HEADER_OFFSET, Shape};
use oxbow_dialect::melior::ir::Type;
use oxbow_dialect::{Likely, OcamlType, Predicate, Val};

use super::Converter;
use super::body::Body;
use super::llvm_ops::{Access, Convention, TailKind, Target};

const SHARED_DUP: &str = "oxbow.shared.dup";

/// A place that a store replaces the contents of.
#[derive(Clone, Copy)]
pub struct StoredTo<'c> {
    /// The object, unless it is a variable of the program.
    pub object: Option<Val<'c>>,
    pub base: Val<'c>,
    pub offset: u64,
    pub access: Access,
}

impl<'c> Converter<'c> {
    /// The header of a constant.
    pub fn static_word(&self, shape: Shape) -> u64 {
        match self.domains && !self.is_measured() {
            true => shape.shared_static_header(),
            false => shape.static_header(),
        }
    }

    /// The count of an object, which others may change unless it is this domain's.
    fn shared_count(&mut self, object: Val<'c>) -> (Val<'c>, Val<'c>) {
        let count = self.offset(object, HEADER_OFFSET);
        let i32 = self.layout.types.i32;
        (count, self.load_atomic(i32, count, 8, Access::Header))
    }

    /// One more reference to an object.
    pub fn shared_dup(&mut self, body: &Body<'c>, object: Val<'c>) {
        if self.made.insert(SHARED_DUP.into()) {
            self.helper(SHARED_DUP, |this, object| {
                this.runtime_call("oxbow_shared_dup", &[object]);
                this.ret(None);
            });
        }
        let i32 = self.layout.types.i32;
        let (count, old) = self.shared_count(object);
        let is_shared = self.icmp(Predicate::Slt, old, self.int(i32, 0));
        let [shared, own, done] = [(); 3].map(|()| self.build.new_block(&[]));
        self.build.cond_br(is_shared, shared, own, Likely::Unknown);
        self.start(body, shared);
        let call = Target::Symbol(SHARED_DUP);
        self.call(call, &[object], None, Convention::PreserveMost, TailKind::None);
        self.build.br(done, &[]);
        self.start(body, own);
        let new = self.binary("add", old, self.int(i32, 1));
        self.store_raw(new, count, 8, Access::Header);
        self.build.br(done, &[]);
        self.start(body, done);
    }

    /// A condition: the object is shared.
    pub fn is_shared(&mut self, object: Val<'c>) -> Val<'c> {
        let (_, count) = self.shared_count(object);
        self.icmp(Predicate::Slt, count, self.int(self.layout.types.i32, 0))
    }

    /// Puts a value of a counted type into a place, and drops what was there. `note` is done where a cycle may come
    /// from it: shared objects are not scanned.
    pub fn replace(
        &mut self,
        body: &mut Body<'c>,
        ty: Type<'c>,
        value: Val<'c>,
        place: StoredTo<'c>,
        note: impl FnOnce(&mut Self, &mut Body<'c>),
    ) {
        let Some(object) = place.object.filter(|_| !self.is_measured()) else {
            self.store_parts(ty, value, place);
            return if place.object.is_some() {
                note(self, body)
            };
        };
        let is_shared = self.is_shared(object);
        let [shared, own, done] = [(); 3].map(|()| self.build.new_block(&[]));
        self.build.cond_br(is_shared, shared, own, Likely::Unknown);
        self.start(body, shared);
        self.store_parts(ty, value, place);
        self.build.br(done, &[]);
        self.start(body, own);
        let old = self.load(ty, place.base, place.offset, place.access);
        self.store(ty, value, place.base, place.offset, place.access);
        self.drop(body, ty, old, false);
        note(self, body);
        self.build.br(done, &[]);
        self.start(body, done);
    }

    /// The first store to a variable of the program, which is never dropped.
    pub fn set_once(&mut self, ty: Type<'c>, value: Val<'c>, address: Val<'c>) {
        for (_, value) in self.parts(ty, value) {
            self.runtime_call("oxbow_publish", &[value]);
        }
        self.store(ty, value, address, 0, Access::Global);
    }

    /// Stores references by the runtime, and numbers as they are.
    fn store_parts(&mut self, ty: Type<'c>, value: Val<'c>, place: StoredTo<'c>) {
        if let Some(parts) = ty.pair_parts() {
            let offsets = self.layout.fields(&parts).offsets;
            for at in 0..2 {
                let part = self.extract(value, at as i64, self.layout.value(parts[at]));
                let place = StoredTo { offset: place.offset + offsets[at], ..place };
                self.store_parts(parts[at], part, place);
            }
        } else if self.layout.is_counted(ty) {
            let address = self.offset(place.base, place.offset as i64);
            self.runtime_call("oxbow_shared_store", &[address, value]);
        } else {
            self.store(ty, value, place.base, place.offset, place.access);
        }
    }

    /// The domain of this thread, which begins with its lists of free cells. A function stays on its thread.
    pub fn domain(&mut self) -> Val<'c> {
        let variables = self.thread_variables();
        self.load_invariant(self.layout.ptr, variables)
    }

    /// The address of the variables of this thread (`runtime::thread`).
    pub fn thread_variables(&mut self) -> Val<'c> {
        let attributes = [
            ("intrin", self.build.string("llvm.thread.pointer")),
            ("op_bundle_sizes", self.build.i32_list(&[])),
            ("operandSegmentSizes", self.build.i32_list(&[0, 0])),
        ];
        let ptr = self.layout.ptr;
        let thread = self.build.value("llvm.call_intrinsic", &[], ptr, &attributes);
        let offset = self.address_of(DOMAIN_OFFSET);
        let offset = self.load_invariant(self.layout.types.i64, offset);
        self.indexed(thread, offset, self.layout.types.i8)
    }

    /// Reads what does not change while a function runs.
    fn load_invariant(&self, ty: Type<'c>, address: Val<'c>) -> Val<'c> {
        let attributes = [
            ("alignment", self.build.integer(self.layout.types.i64, 8)),
            ("invariant", self.build.unit()),
        ];
        self.build.value("llvm.load", &[address], ty, &attributes)
    }
}
