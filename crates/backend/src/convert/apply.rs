//! Calls of function values.
//!
//! A closure's header tells how many arguments its code takes. A call with that number goes
//! straight to the code; every other number goes to a stub:
//!
//! ```text
//! apply(f, a, b)      code takes 1: r = f(a); apply r to b        code takes 3: make partial(f, a, b)
//! partial             a closure {code, f, a, b}; its code calls f with them and its own arguments
//! ```
//!
//! Which numbers can meet which type is stated by its family, so that a call whose closures all fit needs no test, and
//! only stubs that can run are made.

use oxbow_abi::{CLOSURE_CAPTURES_OFFSET, TAG_OFFSET};
use oxbow_dialect::inspect::definition;
use oxbow_dialect::melior::ir::{Location, Type};
use oxbow_dialect::op::set_memory_effects;
use oxbow_dialect::{Likely, OcamlType, Predicate, Val};

use super::alloc::Place;
use super::body::{Body, Lent};
use super::calls::tail_kind;
use super::llvm_ops::{Access, Convention, TailKind, Target};
use super::references::{Parts, Reuse};
use super::{Converter, Hint, NewFunction, fits_registers};

#[derive(Default)]
pub struct Applications<'c> {
    /// Stubs that something refers to; those before `emitted` exist.
    stubs: Vec<Stub<'c>>,
    emitted: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Stub<'c> {
    /// Applies a closure of this type to so many arguments.
    Apply(Type<'c>, usize),
    /// Code of a partial application: type, arguments given, arguments the code takes.
    Partial(Type<'c>, usize, usize),
}

impl<'c> Converter<'c> {
    /// The closure type after `count` arguments, fewer than it has.
    fn rest(&self, ty: Type<'c>, count: usize) -> Type<'c> {
        let (inputs, result) = ty.signature();
        self.layout.types.closure(&inputs[count..], result)
    }

    /// What `count` arguments give.
    fn applied(&self, ty: Type<'c>, count: usize) -> Type<'c> {
        let (inputs, result) = ty.signature();
        if count == inputs.len() { result } else { self.rest(ty, count) }
    }

    fn args_fit(&self, inputs: &[Type<'c>]) -> bool {
        let used = self.layout.registers_of(inputs);
        fits_registers((used.0 + 1, used.1))
    }

    /// Calls a function value, with what it passes for itself: the value and the exception.
    pub fn invoke(
        &mut self,
        body: &Body<'c>,
        ty: Type<'c>,
        (closure, own): (Val<'c>, Val<'c>),
        args: &[Val<'c>],
    ) -> (Val<'c>, Val<'c>) {
        let value = self.applied(ty, args.len());
        let raises = self.facts.family_of(ty).raises;
        let result = self.layout.result(value, raises);
        let fits = self.fits(ty, closure, args.len());
        let flat = self.explode_all(ty.signature().0.into_iter().zip(args.iter().copied()));
        let Some(fits) = fits else {
            let packed = self.call_code(closure, own, &flat, result, TailKind::None);
            if !self.facts.family_of(ty).changes {
                self.mark_reading(packed);
            }
            return match raises {
                true => self.split_result(value, packed),
                false => (packed, self.null()),
            };
        };
        let parts = self.layout.result_parts(value, true);
        let direct = self.build.new_block(&[]);
        let other = self.build.new_block(&[]);
        let done = self.build.new_block(&parts);
        self.build.cond_br(fits, direct, other, Likely::First);
        let extract = |this: &Self, packed: Val<'c>| -> Vec<Val<'c>> {
            parts.iter().zip(0..).map(|(&ty, at)| this.extract(packed, at, ty)).collect()
        };
        self.start(body, direct);
        let packed = self.call_code(closure, own, &flat, result, TailKind::None);
        let values = extract(self, packed);
        self.build.br(done, &values);
        self.start(body, other);
        let packed =
            self.call_stub(Stub::Apply(ty, args.len()), own, &flat, result, TailKind::None);
        let values = extract(self, packed);
        self.build.br(done, &values);
        self.start(body, done);
        let mut values: Vec<_> = (0..parts.len()).map(|at| self.build.argument(done, at)).collect();
        let exn = values.pop().expect("the exception is last");
        (self.implode(&values), exn)
    }

    /// The same in place of the function that calls.
    pub fn tail_invoke(
        &mut self,
        body: &mut Body<'c>,
        ty: Type<'c>,
        closure: Val<'c>,
        args: &[Val<'c>],
    ) {
        let raises = self.facts.family_of(ty).raises;
        let result = self.layout.result(self.applied(ty, args.len()), raises);
        let inputs = ty.signature().0;
        let kind = match body.cold {
            true => TailKind::None,
            false => tail_kind(body.in_registers && self.args_fit(&inputs[..args.len()])),
        };
        let flat = self.explode_all(inputs.into_iter().zip(args.iter().copied()));
        let own = body.may_be_lent.take().unwrap_or(closure);
        if let Some(fits) = self.fits(ty, closure, args.len()) {
            let direct = self.build.new_block(&[]);
            let other = self.build.new_block(&[]);
            self.build.cond_br(fits, direct, other, Likely::First);
            self.start(body, other);
            let packed = self.call_stub(Stub::Apply(ty, args.len()), own, &flat, result, kind);
            self.ret(Some(packed));
            self.start(body, direct);
        }
        let packed = self.call_code(closure, own, &flat, result, kind);
        self.ret(Some(packed));
    }

    /// Tells LLVM that a call changes nothing.
    fn mark_reading(&self, value: Val<'c>) {
        if self.is_measured() {
            return;
        }
        let call = definition(value).expect("a call has a result");
        let effects = "#llvm.memory_effects<other = read, argMem = read, inaccessibleMem = read, \
                       errnoMem = read, targetMem0 = read, targetMem1 = read>";
        set_memory_effects(call, self.build.parsed(effects));
    }

    /// Whether the code takes exactly `count` arguments; `None` if that is certain.
    fn fits(&mut self, ty: Type<'c>, closure: Val<'c>, count: usize) -> Option<Val<'c>> {
        if self.facts.family_of(ty).takes.iter().all(|&it| it == count) {
            return None;
        }
        let arity = self.arity(closure);
        let expected = self.int(self.layout.types.i8, count as i64);
        Some(self.icmp(Predicate::Eq, arity, expected))
    }

    /// How many arguments the code of a closure takes.
    fn arity(&mut self, closure: Val<'c>) -> Val<'c> {
        let address = self.offset(closure, TAG_OFFSET);
        self.load_raw(self.layout.types.i8, address, 4, Access::Header)
    }

    /// Calls a closure's code with what it passes for itself; arguments are registers.
    fn call_code(
        &mut self,
        closure: Val<'c>,
        own: Val<'c>,
        args: &[Val<'c>],
        result: Type<'c>,
        kind: TailKind,
    ) -> Val<'c> {
        let code = self.load_raw(self.layout.ptr, closure, 8, Access::Capture);
        let mut all = vec![own];
        all.extend(args);
        let value = self.call(Target::Pointer(code), &all, Some(result), Convention::Tail, kind);
        value.expect("a call with a result")
    }

    fn call_stub(
        &mut self,
        stub: Stub<'c>,
        closure: Val<'c>,
        args: &[Val<'c>],
        result: Type<'c>,
        kind: TailKind,
    ) -> Val<'c> {
        let symbol = self.stub_symbol(stub);
        let mut all = vec![closure];
        all.extend(args);
        let value = self.call(Target::Symbol(&symbol), &all, Some(result), Convention::Tail, kind);
        value.expect("a call with a result")
    }

    fn stub_symbol(&mut self, stub: Stub<'c>) -> String {
        let stubs = &mut self.applications.stubs;
        let index = stubs.iter().position(|&it| it == stub).unwrap_or_else(|| {
            stubs.push(stub);
            stubs.len() - 1
        });
        match stub {
            Stub::Apply(..) => format!("oxbow.apply.{index}"),
            Stub::Partial(..) => format!("oxbow.partial.{index}"),
        }
    }

    /// Makes all stubs that are referred to, also by each other.
    pub fn emit_applications(&mut self) {
        self.build.location = Location::new(self.build.context, "generated", 1, 1);
        while let Some(&stub) = self.applications.stubs.get(self.applications.emitted) {
            self.applications.emitted += 1;
            match stub {
                Stub::Apply(ty, count) => self.emit_apply(stub, ty, count),
                Stub::Partial(ty, given, arity) => self.emit_partial(stub, ty, given, arity),
            }
        }
    }

    fn stub_function(
        &mut self,
        stub: Stub<'c>,
        inputs: &[Type<'c>],
        value: Type<'c>,
        hint: Hint,
    ) -> Body<'c> {
        let symbol = self.stub_symbol(stub);
        let mut params = vec![self.layout.ptr];
        params.extend(self.layout.flat_all(inputs));
        let entry = self.new_function(&NewFunction {
            symbol: &symbol,
            params: &params,
            facts: &[],
            result: self.layout.result(value, true),
            convention: Convention::Tail,
            exported: false,
            hint,
        });
        Body::generated(entry, value, self.args_fit(inputs))
    }

    fn emit_apply(&mut self, stub: Stub<'c>, ty: Type<'c>, count: usize) {
        let inputs = ty.signature().0[..count].to_vec();
        let value = self.applied(ty, count);
        let mut body = self.stub_function(stub, &inputs, value, Hint::Cold);
        let own = self.build.argument(body.entry, 0);
        let (closure, lent) = self.split_self(own);
        body.lent = Some(Lent::If(lent));
        let args = self.stub_arguments(&body, &inputs);
        let word = self.arity(closure);
        let arities: Vec<_> =
            self.facts.family_of(ty).takes.iter().copied().filter(|&it| it != count).collect();
        let targets: Vec<_> = arities.iter().map(|_| self.build.new_block(&[])).collect();
        let nothing = self.build.new_block(&[]);
        let cases: Vec<_> =
            arities.iter().zip(&targets).map(|(&arity, &block)| (arity as i64, block)).collect();
        self.build.switch(word, nothing, &cases);
        self.start(&body, nothing);
        self.build.unreachable();
        for (arity, block) in arities.into_iter().zip(targets) {
            self.start(&body, block);
            if arity < count {
                self.apply_more(&mut body, ty, (closure, own), &args, arity);
            } else {
                self.apply_fewer(&mut body, ty, closure, &args, arity);
            }
        }
        self.close(&mut body);
    }

    /// The arguments of a stub behind the closure.
    fn stub_arguments(&mut self, body: &Body<'c>, inputs: &[Type<'c>]) -> Vec<Val<'c>> {
        let count = self.layout.flat_all(inputs).len();
        let registers: Vec<_> =
            (0..count).map(|at| self.build.argument(body.entry, at + 1)).collect();
        self.implode_all(inputs, &registers)
    }

    /// The code takes fewer arguments: its result takes the rest.
    fn apply_more(
        &mut self,
        body: &mut Body<'c>,
        ty: Type<'c>,
        (closure, own): (Val<'c>, Val<'c>),
        args: &[Val<'c>],
        arity: usize,
    ) {
        let rest = self.rest(ty, arity);
        let flat =
            self.explode_all(ty.signature().0.into_iter().zip(args[..arity].iter().copied()));
        let result = self.layout.result(rest, true);
        let packed = self.call_code(closure, own, &flat, result, TailKind::None);
        let (next, exn) = self.split_result(rest, packed);
        let raised = self.icmp(Predicate::Ne, exn, self.null());
        let failed = self.build.new_block(&[]);
        let going_on = self.build.new_block(&[]);
        self.build.cond_br(raised, failed, going_on, Likely::Second);
        self.start(body, failed);
        for (&ty, &arg) in ty.signature().0[arity..].iter().zip(&args[arity..]) {
            self.drop(body, ty, arg, true);
        }
        let value = self.no_value(body.result);
        self.leave(body, value, Some(exn));
        self.start(body, going_on);
        self.tail_invoke(body, rest, next, &args[arity..]);
    }

    /// The code takes more arguments: the result is a closure that waits for them.
    fn apply_fewer(
        &mut self,
        body: &mut Body<'c>,
        ty: Type<'c>,
        closure: Val<'c>,
        args: &[Val<'c>],
        arity: usize,
    ) {
        let captures = self.partial_captures(ty, args.len());
        let form = self.closure_form(arity - args.len(), &captures);
        if let Some(Lent::If(lent)) = body.lent {
            let [keep, done] = [(); 2].map(|()| self.build.new_block(&[]));
            self.build.cond_br(lent, keep, done, Likely::Unknown);
            self.start(body, keep);
            self.dup(body, ty, closure);
            self.build.br(done, &[]);
            self.start(body, done);
        }
        let partial = self.object(body, &form, Place::Heap);
        let code = self.stub_symbol(Stub::Partial(ty, args.len(), arity));
        let code = self.address_of(&code);
        self.store_raw(code, partial, 8, Access::Capture);
        let mut values = vec![closure];
        values.extend(args);
        self.fill(partial, CLOSURE_CAPTURES_OFFSET, &captures, &values);
        self.leave(body, partial, None);
    }

    /// The closure itself, then the arguments given.
    fn partial_captures(&self, ty: Type<'c>, given: usize) -> Vec<Type<'c>> {
        let mut captures = vec![ty];
        captures.extend(&ty.signature().0[..given]);
        captures
    }

    fn emit_partial(&mut self, stub: Stub<'c>, ty: Type<'c>, given: usize, arity: usize) {
        let inputs = ty.signature().0;
        let value = self.applied(ty, arity);
        let body = self.stub_function(stub, &inputs[given..arity], value, Hint::None);
        let (own, lent) = {
            let own = self.build.argument(body.entry, 0);
            self.split_self(own)
        };
        let captures = self.partial_captures(ty, given);
        let form = self.closure_form(arity - given, &captures);
        let mut args: Vec<_> = captures
            .iter()
            .zip(&form.offsets)
            .map(|(&ty, &offset)| self.load(ty, own, offset, Access::Capture))
            .collect();
        let [lender, owner] = [(); 2].map(|()| self.build.new_block(&[]));
        let done = self.build.new_block(&[self.layout.ptr]);
        self.build.cond_br(lent, lender, owner, Likely::Unknown);
        self.start(&body, lender);
        for (&ty, &arg) in captures.iter().zip(&args).skip(1) {
            self.dup(&body, ty, arg);
        }
        let passed = self.lend(args[0]);
        self.build.br(done, &[passed]);
        self.start(&body, owner);
        let kept: Vec<_> = (0..captures.len()).collect();
        let access = Access::Capture;
        let parts = Parts {
            form: &form,
            fields: &captures,
            access,
            in_frames: false,
            suspects: false,
            unique: false,
        };
        self.take(&body, own, &parts, &kept, Reuse::No);
        self.build.br(done, &[args[0]]);
        self.start(&body, done);
        let passed = self.build.argument(done, 0);
        args.extend(self.stub_arguments(&body, &inputs[given..arity]));
        let closure = args.remove(0);
        let args = self.explode_all(inputs[..arity].iter().copied().zip(args));
        let kind = tail_kind(body.in_registers && self.args_fit(&inputs[..arity]));
        let result = self.layout.result(value, true);
        let packed = self.call_code(closure, passed, &args, result, kind);
        self.ret(Some(packed));
    }
}
