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
    CLOSURE_CAPTURES_OFFSET, FRAME_BIT, HEADER_OFFSET, HEADER_SIZE, INFO_OFFSET, LARGEST_CELL,
    ObjectKind,
};
use oxbow_diag::ice;
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::{Block, Kind, Likely, OcamlType, Op, Predicate, Val};

use super::Converter;
use super::alloc::Form;
use super::body::{Body, Lent};
use super::llvm_ops::{Access, Convention, TailKind, Target};
use super::release::Release;
use super::release_any::{DROP, DUP, RELEASE};
use oxbow_dialect::inspect::key;
use oxbow_dialect::op::{self, DialectOp, Take, View, opcode, view};

/// Whether the cell of an object that is taken apart is used for another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reuse {
    No,
    Yes,
}

/// How an object ends.
pub enum End {
    /// It holds nothing: its cell is given back.
    Freed(Form),
    /// By a function that knows its layout.
    Released(Release),
    Unknown,
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
            if self.is_measured() {
                self.checked_dup(value);
                continue;
            }
            if body.rare && !self.domains {
                self.need_dup();
                let call = Target::Symbol(DUP);
                self.call(call, &[value], None, Convention::PreserveMost, TailKind::None);
                continue;
            }
            let done = self.skip_immediate(body, ty, value);
            if self.domains {
                self.shared_dup(body, value);
            } else {
                self.count_up(value);
            }
            if let Some(done) = done {
                self.build.br(done, &[]);
                self.start(body, done);
            }
        }
    }

    /// One more reference to an object.
    pub fn count_up(&mut self, value: Val<'c>) {
        let count = self.offset(value, HEADER_OFFSET);
        let i32 = self.layout.types.i32;
        let old = self.load_raw(i32, count, 8, Access::Header);
        let new = self.binary("add", old, self.int(i32, 1));
        self.store_raw(new, count, 8, Access::Header);
    }

    /// Goes on only if the value is an object; where the others meet it again.
    pub fn skip_immediate(
        &mut self,
        body: &Body<'c>,
        ty: Type<'c>,
        value: Val<'c>,
    ) -> Option<Block<'c>> {
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
            if cold || body.rare {
                self.need_drop();
                let call = Target::Symbol(DROP);
                self.call(call, &[value], None, Convention::PreserveMost, TailKind::None);
                continue;
            }
            let done = self.skip_immediate(body, ty, value);
            let end = self.end_of(ty);
            self.count_down(body, value, &end);
            if let Some(done) = done {
                self.build.br(done, &[]);
                self.start(body, done);
            }
        }
    }

    /// What happens to an object of a type when its last reference goes.
    fn end_of(&mut self, ty: Type<'c>) -> End {
        // It may be shared; the runtime looks.
        if self.domains {
            return End::Unknown;
        }
        match self.leaf(ty) {
            Some(form) => End::Freed(form),
            None => self.release_of(ty).map_or(End::Unknown, End::Released),
        }
    }

    /// The form of all objects of a type, if they are alike, hold no references, and are in cells.
    pub fn leaf(&self, ty: Type<'c>) -> Option<Form> {
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

    /// One reference less.
    pub fn count_down(&mut self, body: &Body<'c>, value: Val<'c>, end: &End) {
        let [release, done] = [(); 2].map(|()| self.build.new_block(&[]));
        self.count_down_to(body, value, (release, &[]), (done, &[]));
        self.start(body, release);
        let way = Convention::PreserveMost;
        match end {
            End::Freed(form) => self.free_cell(value, form),
            End::Released(Release { symbol, member, is_flat }) => {
                self.need_release();
                let member = member.map(|it| self.int(self.layout.types.i32, it));
                let args: Vec<_> = [value].into_iter().chain(member).collect();
                if *is_flat && self.releases.is_making {
                    self.call_inlined(symbol, &args, way);
                } else {
                    self.call(Target::Symbol(symbol), &args, None, way, TailKind::None);
                }
            }
            End::Unknown => {
                self.need_release();
                self.call(Target::Symbol(RELEASE), &[value], None, way, TailKind::None);
            }
        }
        self.build.br(done, &[]);
        self.start(body, done);
    }

    /// One reference less to a value that may be a constant constructor: where to go if it was the last, and where if
    /// not.
    pub fn part_with(
        &mut self,
        body: &Body<'c>,
        ty: Type<'c>,
        value: Val<'c>,
        dead: (Block<'c>, &[Val<'c>]),
        alive: (Block<'c>, &[Val<'c>]),
    ) {
        let none = self.skip_immediate(body, ty, value);
        self.count_down_to(body, value, dead, alive);
        if let Some(none) = none {
            self.start(body, none);
            self.build.br(alive.0, alive.1);
        }
    }

    /// One reference less to an object. The count of one that dies is not written: its header is read soon.
    fn count_down_to(
        &mut self,
        body: &Body<'c>,
        value: Val<'c>,
        dead: (Block<'c>, &[Val<'c>]),
        alive: (Block<'c>, &[Val<'c>]),
    ) {
        let count = self.offset(value, HEADER_OFFSET);
        let i32 = self.layout.types.i32;
        let old = match self.domains {
            true => self.load_atomic(i32, count, 8, Access::Header),
            false => self.load_raw(i32, count, 8, Access::Header),
        };
        // A shared object may have others; the runtime looks.
        let how = if self.domains { Predicate::Sle } else { Predicate::Eq };
        let last = self.icmp(how, old, self.int(i32, 0));
        let more = self.build.new_block(&[]);
        self.build.cond_br_with(last, dead, (more, &[]), Likely::Unknown);
        self.start(body, more);
        let new = self.binary("sub", old, self.int(i32, 1));
        self.store_raw(new, count, 8, Access::Header);
        self.build.br(alive.0, alive.1);
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
            false => self.count_down(body, closure, &End::Unknown),
        }
        if let Some(done) = done {
            self.build.br(done, &[]);
            self.start(body, done);
        }
    }

    /// Goes on only if the condition is false; where it is true they meet again.
    fn unless(&mut self, body: &Body<'c>, condition: Val<'c>) -> Block<'c> {
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
                self.count_down(body, object, &End::Unknown);
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
        let info = it.in_frames.then(|| {
            let info = self.offset(object, INFO_OFFSET);
            self.load_raw(i32, info, 4, Access::Header)
        });
        let dropped: Vec<_> = (0..it.fields.len())
            .filter(|at| !kept.contains(at) && !self.counted_parts(it.fields[*at]).is_empty())
            .map(|at| (it.fields[at], field(self, at)))
            .collect();
        if it.suspects && (reused || !dropped.is_empty()) {
            // Until it holds the next object, the scan must not take it for the old one. What is dropped may let a
            // fibre unwind, which may start the scan.
            let zero = self.i64(0);
            let header = self.offset(object, -(HEADER_SIZE as i64));
            self.store_raw(zero, header, 8, Access::Header);
        }
        for (ty, value) in dropped {
            self.drop(body, ty, value, false);
        }
        if let Some(info) = info {
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
                self.count_down(body, object, &End::Unknown);
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
}
