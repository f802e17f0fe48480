//! Counting: one more reference, one less, and taking an object apart.
//!
//! ```text
//! dup v       v.count += 1
//! drop v      if v.count == 0: release v
//!             else: v.count -= 1
//! take v      if v.count == 0: drop the fields not kept; free the cell
//!             else: v.count -= 1; dup the fields kept
//! take v {token}   the same, but the cell goes to the object with this token; else a new one
//! ```
//!
//! A closure that is called passes its own address to its code, plus one if it only lends itself:
//! whoever calls keeps it alive then. In tail position it hands itself over.
//!
//! Constant constructors have no count; types without them need no test. A static object is never at
//! zero, so it is never taken apart; `release` sets its count back.

use oxbow_abi::{
    CLOSURE_CAPTURES_OFFSET, DESCRIPTOR_OFFSET, FRAME_BIT, HEADER_OFFSET, HEADER_SIZE, INFO_OFFSET,
    LARGE, LARGE_START, LARGEST_CELL, ObjectKind, POINTERS_SHIFT, SIZED_KIND_BIT, STATIC_BIT,
    SUSPECT_BIT, WORDS_SHIFT, cell_class,
};
use oxbow_diag::ice;
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::{Kind, Likely, OcamlType, Op, Predicate, Val};

use super::alloc::Form;
use super::body::{Body, Lent};
use super::llvm_ops::{Access, Convention, TailKind, Target};
use super::{Converter, Hint, NewFunction};
use oxbow_dialect::inspect::key;
use oxbow_dialect::op::{self, DialectOp, Take, View, opcode, view};

const RELEASE: &str = "oxbow.release";
const RELEASE_ANY: &str = "oxbow.release.any";
const DROP: &str = "oxbow.drop";

/// Bits in the header of an object that is not just given back.
const NOT_PLAIN: u64 = 1 << STATIC_BIT
    | 1 << FRAME_BIT
    | 1 << SIZED_KIND_BIT
    | 1 << SUSPECT_BIT
    | u64::MAX << POINTERS_SHIFT;

/// Whether the cell of an object that is taken apart is used for another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reuse {
    No,
    Yes,
}

/// An object that is taken apart.
pub struct Parts<'a, 'c> {
    pub form: &'a Form,
    pub fields: &'a [Type<'c>],
    pub access: Access,
    /// Some objects of this form are in frames.
    pub in_frames: bool,
    /// Some may be noted for the scan for cycles.
    pub suspects: bool,
    /// Nobody else can have the object.
    pub unique: bool,
}

impl<'c> Converter<'c> {
    /// Converts an op on references.
    pub fn reference_op(&mut self, body: &mut Body<'c>, op: Op<'c>) {
        match view(op) {
            View::Dup(it) => self.dup(body, it.value().r#type(), body.get(it.value())),
            View::Drop(it) => {
                let (value, cold) = (it.value(), it.cold());
                let own = body.own.as_ref().filter(|it| it.env == key(value)).map(|it| it.closure);
                let done = match own.and(body.lent) {
                    Some(Lent::Always) => return,
                    Some(Lent::If(lent)) => Some(self.unless(body, lent)),
                    Some(Lent::Never) | None => None,
                };
                // What keeps an environment alive is the closure that the function got.
                let object = own.unwrap_or_else(|| body.get(value));
                self.drop(body, value.r#type(), object, cold);
                if let Some(done) = done {
                    self.build.br(done, &[]);
                    self.start(body, done);
                }
            }
            View::Take(it) => self.take_op(body, it),
            _ => ice!("{:?} is no op on references", opcode(op)),
        }
    }

    /// May a value of this counted type be a constant constructor?
    pub fn may_be_immediate(&self, ty: Type<'c>) -> bool {
        match ty.kind() {
            Kind::Data => {
                self.datas.get(ty.data_name()).is_none_or(|it| it.iter().any(|it| it.is_empty()))
            }
            _ => false,
        }
    }

    /// The counted parts of a value in registers.
    pub fn parts(&self, ty: Type<'c>, value: Val<'c>) -> Vec<(Type<'c>, Val<'c>)> {
        let types = ty.pair_parts().map_or(vec![ty], |it| it.to_vec());
        let values = self.explode(ty, value);
        types.into_iter().zip(values).filter(|it| self.layout.is_counted(it.0)).collect()
    }

    pub fn dup(&mut self, body: &Body<'c>, ty: Type<'c>, value: Val<'c>) {
        for (ty, value) in self.parts(ty, value) {
            if self.is_checked() || self.is_measured() && self.domains {
                self.checked_dup(value);
                continue;
            }
            let done = self.skip_immediate(body, ty, value);
            if self.domains {
                self.shared_dup(body, value);
            } else {
                let count = self.offset(value, HEADER_OFFSET);
                let i32 = self.layout.types.i32;
                let old = self.load_raw(i32, count, 8, Access::Header);
                let new = self.binary("add", old, self.int(i32, 1));
                self.store_raw(new, count, 8, Access::Header);
            }
            if let Some(done) = done {
                self.build.br(done, &[]);
                self.start(body, done);
            }
        }
    }

    /// Goes on only if the value is an object; where the others meet it again.
    pub fn skip_immediate(
        &mut self,
        body: &Body<'c>,
        ty: Type<'c>,
        value: Val<'c>,
    ) -> Option<oxbow_dialect::Block<'c>> {
        let odd = if ty.kind() == Kind::Exn {
            // There may be none.
            self.icmp(Predicate::Eq, value, self.null())
        } else if self.may_be_immediate(ty) {
            let word = self.cast("ptrtoint", value, self.layout.types.i64);
            self.cast("trunc", word, self.layout.types.i1)
        } else {
            return None;
        };
        let [object, done] = [(); 2].map(|()| self.build.new_block(&[]));
        self.build.cond_br(odd, done, object, Likely::Unknown);
        self.start(body, object);
        Some(done)
    }

    pub fn drop(&mut self, body: &Body<'c>, ty: Type<'c>, value: Val<'c>, cold: bool) {
        for (ty, value) in self.parts(ty, value) {
            if self.is_measured() {
                self.checked_drop(value);
                continue;
            }
            if cold {
                self.need_drop();
                let call = Target::Symbol(DROP);
                self.call(call, &[value], None, Convention::PreserveMost, TailKind::None);
                continue;
            }
            let done = self.skip_immediate(body, ty, value);
            let leaf = self.leaf(ty);
            self.count_down(body, value, leaf.as_ref());
            if let Some(done) = done {
                self.build.br(done, &[]);
                self.start(body, done);
            }
        }
    }

    /// The form of all objects of a type, if they are alike, hold no references, and are in cells.
    fn leaf(&self, ty: Type<'c>) -> Option<Form> {
        let ctors = match ty.kind() {
            Kind::Tuple => vec![ty.elements()],
            Kind::Data => self.datas.get(ty.data_name())?.clone(),
            _ => return None,
        };
        let mut form: Option<Form> = None;
        for (ctor, fields) in ctors.iter().enumerate().filter(|it| !it.1.is_empty()) {
            let it = self.block_form(ty, ctor as u32, fields);
            let alike = form.as_ref().is_none_or(|form| form.cell() == it.cell());
            let plain = it.shape.pointers == 0 && !it.is_large() && it.cell() <= LARGEST_CELL;
            if !alike || !plain || self.facts.is_framed(ty, ctor as u32) {
                return None;
            }
            form = Some(it);
        }
        form
    }

    /// One reference less; `leaf` is the form of an object that can be freed here.
    fn count_down(&mut self, body: &Body<'c>, value: Val<'c>, leaf: Option<&Form>) {
        if leaf.is_none() || self.domains {
            self.need_release();
        }
        let count = self.offset(value, HEADER_OFFSET);
        let i32 = self.layout.types.i32;
        let old = match self.domains {
            true => self.load_atomic(i32, count, 8, Access::Header),
            false => self.load_raw(i32, count, 8, Access::Header),
        };
        // A shared object may have others; the runtime looks.
        let how = if self.domains { Predicate::Sle } else { Predicate::Eq };
        let last = self.icmp(how, old, self.int(i32, 0));
        let [release, alive, done] = [(); 3].map(|()| self.build.new_block(&[]));
        self.build.cond_br(last, release, alive, Likely::Unknown);
        self.start(body, release);
        let leaf = leaf.filter(|_| !self.domains);
        match leaf {
            Some(form) => self.free_cell(value, form),
            None => {
                let call = Target::Symbol(RELEASE);
                self.call(call, &[value], None, Convention::PreserveMost, TailKind::None);
            }
        }
        self.build.br(done, &[]);
        self.start(body, alive);
        let new = self.binary("sub", old, self.int(i32, 1));
        self.store_raw(new, count, 8, Access::Header);
        self.build.br(done, &[]);
        self.start(body, done);
    }

    fn take_op(&mut self, body: &mut Body<'c>, take: Take<'c>) {
        let (ty, object) = (take.object().r#type(), body.get(take.object()));
        let kept: Vec<usize> = take.kept().into_iter().map(|it| it as usize).collect();
        if let Some(parts) = ty.pair_parts() {
            for at in (0..2).filter(|at| !kept.contains(at)) {
                let part = self.extract(object, at as i64, self.layout.value(parts[at]));
                self.drop(body, parts[at], part, false);
            }
            return;
        }
        let ctor = take.ctor();
        let (form, fields, access, in_frames) = match ty.kind() {
            Kind::Env => {
                let name = op::Func::around(take.op()).expect("the op is in a function").sym_name();
                let func = self.funcs[name].clone();
                let captures = func.captures.clone().unwrap_or_default();
                if func.separate_env {
                    return self.take_separate(body, object, &captures, &kept);
                }
                let form = self.closure_form(func.params.len(), &captures);
                (form, captures, Access::Capture, func.framed)
            }
            Kind::Tuple | Kind::Data => {
                let fields = self.fields_of(ty, ctor as usize);
                let form = self.block_form(ty, ctor, &fields);
                let framed = self.facts.is_framed(ty, ctor);
                (form, fields, Access::Field, framed)
            }
            other => ice!("{other:?} is taken apart"),
        };
        let suspects = self.facts.is_noted(ty, ctor);
        let unique = take.unique();
        let parts = Parts { form: &form, fields: &fields, access, in_frames, suspects, unique };
        self.check_token(body, take.token(), 1);
        // Objects that are checked or measured have no cells of the heap.
        let token = take.token().filter(|_| !self.is_measured());
        let reuse = token.map_or(Reuse::No, |_| Reuse::Yes);
        let cell = match (ty.kind(), body.lent) {
            (Kind::Env, Some(Lent::Always)) => {
                for &at in &kept {
                    let value = self.load(fields[at], object, form.offsets[at], access);
                    self.dup(body, fields[at], value);
                }
                token.map(|_| self.cell(body, form.cell()))
            }
            (Kind::Env, Some(Lent::If(lent))) => {
                let [lender, own] = [(); 2].map(|()| self.build.new_block(&[]));
                let passed = take.lent();
                let mut types: Vec<_> = passed.iter().map(|_| self.layout.ptr).collect();
                types.extend(token.map(|_| self.layout.ptr));
                let done = self.build.new_block(&types);
                let closure = passed.map(|at| (at as usize, body.captured(take, at)));
                self.build.cond_br(lent, lender, own, Likely::Unknown);
                self.start(body, lender);
                let mut result = Vec::new();
                for &at in &kept {
                    if let Some((_, value)) = closure.filter(|it| it.0 == at) {
                        result.push(self.lend(body.get(value)));
                        continue;
                    }
                    let value = self.load(fields[at], object, form.offsets[at], access);
                    self.dup(body, fields[at], value);
                }
                result.extend(token.map(|_| self.cell(body, form.cell())));
                self.build.br(done, &result);
                self.start(body, own);
                let cell = self.take(body, object, &parts, &kept, reuse);
                let mut result: Vec<_> = closure.iter().map(|it| body.get(it.1)).collect();
                result.extend(cell);
                self.build.br(done, &result);
                self.start(body, done);
                if closure.is_some() {
                    body.may_be_lent = Some(self.build.argument(done, 0));
                }
                token.map(|_| self.build.argument(done, types.len() - 1))
            }
            _ => self.take(body, object, &parts, &kept, reuse),
        };
        if let (Some(token), Some(cell)) = (token, cell) {
            body.cells.insert(token, (form.cell(), cell));
        }
    }

    /// Uses the cell of the `take` that this op is paired with for its object.
    pub fn use_token(&mut self, body: &mut Body<'c>, op: Op<'c>) {
        if let Some(token) = view(op).used_token() {
            self.reused = body.cells.get(&token).copied();
            self.check_token(body, Some(token), -1);
        }
    }

    /// Keeps captures that lie in an environment of its own, and drops the closure unless it only
    /// lent itself.
    fn take_separate(
        &mut self,
        body: &Body<'c>,
        env: Val<'c>,
        captures: &[Type<'c>],
        kept: &[usize],
    ) {
        let offsets = self.env_offsets(captures);
        for &at in kept {
            let value = self.load(captures[at], env, offsets[at], Access::Capture);
            self.dup(body, captures[at], value);
        }
        let (Some(lent), Some(own)) = (body.lent, &body.own) else {
            ice!("a function takes an environment apart that it did not get")
        };
        let closure = own.closure;
        let done = match lent {
            Lent::Always => return,
            Lent::Never => None,
            Lent::If(lent) => Some(self.unless(body, lent)),
        };
        match self.is_measured() {
            true => self.checked_drop(closure),
            false => self.count_down(body, closure, None),
        }
        if let Some(done) = done {
            self.build.br(done, &[]);
            self.start(body, done);
        }
    }

    /// Goes on only if the condition is false; where it is true they meet again.
    fn unless(&mut self, body: &Body<'c>, condition: Val<'c>) -> oxbow_dialect::Block<'c> {
        let [going_on, done] = [(); 2].map(|()| self.build.new_block(&[]));
        self.build.cond_br(condition, done, going_on, Likely::Unknown);
        self.start(body, going_on);
        done
    }

    /// The closure whose code gets this address, and whether it only lends itself.
    pub fn split_self(&mut self, address: Val<'c>) -> (Val<'c>, Val<'c>) {
        let i64 = self.layout.types.i64;
        let word = self.cast("ptrtoint", address, i64);
        let lent = self.cast("trunc", word, self.layout.types.i1);
        let low = self.binary("and", word, self.i64(1));
        let back = self.binary("sub", self.i64(0), low);
        (self.indexed(address, back, self.layout.types.i8), lent)
    }

    /// What a closure passes to its code when it only lends itself.
    pub fn lend(&mut self, closure: Val<'c>) -> Val<'c> {
        self.offset(closure, 1)
    }

    /// Drops an object but keeps the fields of these numbers. If the cell is used again, it is the
    /// result, or another of its size if it is not free.
    pub fn take(
        &mut self,
        body: &Body<'c>,
        object: Val<'c>,
        it: &Parts<'_, 'c>,
        kept: &[usize],
        reuse: Reuse,
    ) -> Option<Val<'c>> {
        let field = |this: &Self, at: usize| {
            this.load(it.fields[at], object, it.form.offsets[at], it.access)
        };
        let in_runtime = it.form.is_large() || it.form.cell() > LARGEST_CELL;
        if self.is_measured() || in_runtime {
            self.check_use(object);
            if it.unique {
                self.check_unique(object);
            }
            for &at in kept {
                let value = field(self, at);
                self.dup(body, it.fields[at], value);
            }
            if self.is_measured() {
                self.checked_drop(object);
            } else {
                self.count_down(body, object, None);
            }
            return None;
        }
        let i32 = self.layout.types.i32;
        let reused = reuse == Reuse::Yes;
        let cells = [self.layout.ptr];
        let done = self.build.new_block(if reused { &cells } else { &[] });
        let shared = (!it.unique).then(|| {
            let count = self.offset(object, HEADER_OFFSET);
            let old = match self.domains {
                true => self.load_atomic(i32, count, 8, Access::Header),
                false => self.load_raw(i32, count, 8, Access::Header),
            };
            let unique = self.icmp(Predicate::Eq, old, self.int(i32, 0));
            let [alone, shared] = [(); 2].map(|()| self.build.new_block(&[]));
            self.build.cond_br(unique, alone, shared, Likely::Unknown);
            self.start(body, alone);
            (shared, count, old)
        });
        for at in (0..it.fields.len()).filter(|at| !kept.contains(at)) {
            if !self.counted_parts(it.fields[at]).is_empty() {
                let value = field(self, at);
                self.drop(body, it.fields[at], value, false);
            }
        }
        if it.in_frames {
            let info = self.offset(object, INFO_OFFSET);
            let info = self.load_raw(i32, info, 4, Access::Header);
            let bit = self.binary("and", info, self.int(i32, 1 << (FRAME_BIT - 32)));
            let framed = self.icmp(Predicate::Ne, bit, self.int(i32, 0));
            let [stays, free] = [(); 2].map(|()| self.build.new_block(&[]));
            self.build.cond_br(framed, stays, free, Likely::Unknown);
            self.start(body, stays);
            let other = reused.then(|| self.cell(body, it.form.cell()));
            self.build.br(done, other.as_slice());
            self.start(body, free);
        }
        if reused {
            let cell = self.offset(object, -(HEADER_SIZE as i64));
            self.memory_barrier();
            if it.suspects {
                // Until it holds the next object, the scan must not take it for the old one.
                let zero = self.i64(0);
                self.store_raw(zero, cell, 8, Access::Header);
            }
            self.build.br(done, &[cell]);
        } else {
            self.free_cell(object, it.form);
            self.build.br(done, &[]);
        }
        if let Some((shared, count, old)) = shared {
            self.start(body, shared);
            if !self.domains {
                let new = self.binary("sub", old, self.int(i32, 1));
                self.store_raw(new, count, 8, Access::Header);
            }
            for &at in kept {
                let value = field(self, at);
                self.dup(body, it.fields[at], value);
            }
            if self.domains {
                // Others may have dropped theirs meanwhile: only now it may die.
                self.count_down(body, object, None);
            }
            let other = reused.then(|| self.cell(body, it.form.cell()));
            self.build.br(done, other.as_slice());
        }
        self.start(body, done);
        reused.then(|| self.build.argument(done, 0))
    }

    pub fn closure_form(&self, arity: usize, captures: &[Type<'c>]) -> Form {
        self.form(ObjectKind::Closure, arity as u32, CLOSURE_CAPTURES_OFFSET, captures)
    }

    /// Frees small objects that hold no references; others are left to the runtime, by a way that
    /// leaves the registers of its callers alone.
    fn need_release(&mut self) {
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
            let word = this.load_raw(i64, header, 8, Access::Header);
            let [other, plain, large, small] = [(); 4].map(|()| this.build.new_block(&[]));
            let holds = this.binary("and", word, this.i64(NOT_PLAIN as i64));
            let mut holds = this.icmp(Predicate::Ne, holds, this.i64(0));
            if this.domains {
                let count = this.cast("trunc", word, this.layout.types.i32);
                let zero = this.int(this.layout.types.i32, 0);
                let shared = this.icmp(Predicate::Slt, count, zero);
                holds = this.binary("or", holds, shared);
            }
            this.build.cond_br(holds, other, plain, Likely::Second);
            this.start(&body, plain);
            let words = this.binary("lshr", word, this.i64(i64::from(WORDS_SHIFT)));
            let words = this.binary("and", words, this.i64(LARGE as i64));
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
    fn need_drop(&mut self) {
        if !self.made.insert(DROP.into()) {
            return;
        }
        self.need_release();
        self.helper(DROP, |this, value| {
            let body = Body::generated(this.build.block(), this.layout.types.i1, true);
            let word = this.cast("ptrtoint", value, this.layout.types.i64);
            let odd = this.cast("trunc", word, this.layout.types.i1);
            let none = this.icmp(Predicate::Eq, value, this.null());
            let odd = this.binary("or", odd, none);
            let [object, done] = [(); 2].map(|()| this.build.new_block(&[]));
            this.build.cond_br(odd, done, object, Likely::Unknown);
            this.start(&body, object);
            this.count_down(&body, value, None);
            this.build.br(done, &[]);
            this.start(&body, done);
            this.ret(None);
        });
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
