//! Functions of the program that release and drop objects of any type.

use oxbow_abi::{
    DESCRIPTOR_OFFSET, FRAME_BIT, HEADER_OFFSET, HEADER_SIZE, INFO_OFFSET, LARGE, LARGE_START,
    LARGEST_CELL, POINTERS_SHIFT, SIZED_KIND_BIT, STATIC_BIT, SUSPECT_BIT, WORDS_SHIFT, cell_class,
};
use oxbow_dialect::{Likely, Predicate, Val};

use super::body::Body;
use super::llvm_ops::{Access, Convention, TailKind, Target};
use super::references::End;
use super::{Converter, Hint, NewFunction};

pub const RELEASE: &str = "oxbow.release";
pub const RELEASE_ANY: &str = "oxbow.release.any";
pub const DROP: &str = "oxbow.drop";
pub const DUP: &str = "oxbow.dup";

/// Bits in the half of the header without the count, of an object that is not just given back.
const NOT_PLAIN: u32 = ((1 << STATIC_BIT
    | 1 << FRAME_BIT
    | 1 << SIZED_KIND_BIT
    | 1 << SUSPECT_BIT
    | u64::MAX << POINTERS_SHIFT)
    >> 32) as u32;

impl<'c> Converter<'c> {
    /// Frees small objects that hold no references; others are left to the runtime, by a way that
    /// leaves the registers of its callers alone.
    pub fn need_release(&mut self) {
        if !self.made.insert(RELEASE.into()) {
            return;
        }
        self.need_heap();
        self.helper(RELEASE_ANY, |this, object| {
            let release = if this.domains { "oxbow_shared_drop" } else { "oxbow_release" };
            this.runtime_call(release, &[object]);
            this.ret(None);
        });
        self.helper(RELEASE, |this, object| {
            let body = Body::generated(this.build.block(), this.layout.types.i1, true);
            let i64 = this.layout.types.i64;
            let header = this.offset(object, HEADER_OFFSET);
            // The count has just been written: a load of both halves would wait for that.
            let i32 = this.layout.types.i32;
            let info = this.offset(object, INFO_OFFSET);
            let info = this.load_raw(i32, info, 4, Access::Header);
            let [other, plain, large, small] = [(); 4].map(|()| this.build.new_block(&[]));
            let holds = this.binary("and", info, this.int(i32, i64::from(NOT_PLAIN as i32)));
            let mut holds = this.icmp(Predicate::Ne, holds, this.int(i32, 0));
            if this.domains {
                let count = this.load_raw(i32, header, 4, Access::Header);
                let shared = this.icmp(Predicate::Slt, count, this.int(i32, 0));
                holds = this.binary("or", holds, shared);
            }
            this.build.cond_br(holds, other, plain, Likely::Second);
            this.start(&body, plain);
            let words = this.binary("lshr", info, this.int(i32, i64::from(WORDS_SHIFT - 32)));
            let words = this.binary("and", words, this.int(i32, LARGE as i64));
            let words = this.cast("zext", words, i64);
            let is_large = this.icmp(Predicate::Eq, words, this.i64(LARGE as i64));
            this.build.cond_br(is_large, large, small, Likely::Second);
            let lists = |this: &mut Self, size: u64| {
                let first = this.free_lists();
                this.offset(first, 8 * cell_class(size) as i64)
            };
            // The words and the header fill the cell.
            this.start(&body, small);
            let first = lists(this, HEADER_SIZE);
            let list = this.indexed(first, words, i64);
            this.free_to(header, list);
            this.ret(None);
            this.start(&body, large);
            let cell = this.offset(object, -(LARGE_START as i64));
            let descriptor = this.offset(object, DESCRIPTOR_OFFSET);
            let descriptor = this.load_raw(this.layout.ptr, descriptor, 8, Access::Header);
            let words = this.load_raw(i64, descriptor, 8, Access::Header);
            let most = (LARGEST_CELL - LARGE_START) / 8;
            let fits = this.icmp(Predicate::Ule, words, this.i64(most as i64));
            let listed = this.build.new_block(&[]);
            this.build.cond_br(fits, listed, other, Likely::First);
            this.start(&body, listed);
            // Its size is a multiple of 16.
            let words = this.binary("add", words, this.i64(LARGE_START as i64 / 8 + 1));
            let words = this.binary("and", words, this.i64(!1));
            let first = lists(this, 0);
            let list = this.indexed(first, words, i64);
            this.free_to(cell, list);
            this.ret(None);
            this.start(&body, other);
            let call = Target::Symbol(RELEASE_ANY);
            this.call(call, &[object], None, Convention::PreserveMost, TailKind::None);
            this.ret(None);
        });
    }

    /// Drops a value of any counted type.
    pub fn need_drop(&mut self) {
        if !self.made.insert(DROP.into()) {
            return;
        }
        self.need_release();
        self.helper(DROP, |this, value| {
            this.of_any_object(value, |this, body| this.count_down(body, value, &End::Unknown));
        });
    }

    /// One more reference to a value of any counted type.
    pub fn need_dup(&mut self) {
        if !self.made.insert(DUP.into()) {
            return;
        }
        self.helper(DUP, |this, value| {
            this.of_any_object(value, |this, _| this.count_up(value));
        });
    }

    /// The body of a function that does something with a value if it is an object.
    fn of_any_object(&mut self, value: Val<'c>, act: impl FnOnce(&mut Self, &Body<'c>)) {
        let body = Body::generated(self.build.block(), self.layout.types.i1, true);
        let word = self.cast("ptrtoint", value, self.layout.types.i64);
        let odd = self.cast("trunc", word, self.layout.types.i1);
        let none = self.icmp(Predicate::Eq, value, self.null());
        let odd = self.binary("or", odd, none);
        let [object, done] = [(); 2].map(|()| self.build.new_block(&[]));
        self.build.cond_br(odd, done, object, Likely::Unknown);
        self.start(&body, object);
        act(self, &body);
        self.build.br(done, &[]);
        self.start(&body, done);
        self.ret(None);
    }

    pub fn helper(&mut self, symbol: &str, body: impl FnOnce(&mut Self, Val<'c>)) {
        let (block, location) = (self.build.block(), self.build.location);
        let entry = self.new_function(&NewFunction {
            symbol,
            params: &[self.layout.ptr],
            facts: &[],
            result: self.layout.void,
            convention: Convention::PreserveMost,
            exported: false,
            hint: Hint::Cold,
        });
        let argument = self.build.argument(entry, 0);
        body(self, argument);
        self.build.set_block(block);
        self.build.location = location;
    }
}
