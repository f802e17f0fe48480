//! Expressions that may capture, with the continuation that their value goes to.

use oxbow_base::Span;

use super::{Code, Cps, Kont, calls_procedures};
use crate::builtin;
use crate::core::{Core, CoreKind, Item, VarId};
use crate::datum::{Datum, DatumKind};
use crate::known;
use crate::procedure::Procedure;

impl Cps {
    fn give(&mut self, value: Core, k: Kont<'_>) -> Core {
        let span = value.span;
        match k {
            Kont::Var(var) => {
                let callee = self.reference(var, span);
                Core::new(CoreKind::Call(Box::new(callee), vec![value]), span)
            }
            Kont::Code(code) => code(self, value),
        }
    }

    /// Makes the continuation a variable, for code that mentions it more than once.
    fn named(
        &mut self,
        k: Kont<'_>,
        span: Span,
        body: impl FnOnce(&mut Self, VarId) -> Core,
    ) -> Core {
        match k {
            Kont::Var(var) => body(self, var),
            Kont::Code(code) => {
                let param = self.var("v", span);
                let value = self.reference(param, span);
                let inner = code(self, value);
                let function = self.lambda(vec![param], inner, false);
                let name = self.var("k", span);
                self.functions.insert(name);
                if self.at_top {
                    self.program.pieces.insert(name);
                }
                let body = body(self, name);
                Core::new(CoreKind::Let(vec![(name, function)], Box::new(body)), span)
            }
        }
    }

    pub(super) fn convert(&mut self, core: Core, k: Kont<'_>) -> Core {
        if !self.captures(&core) {
            let value = self.direct(core);
            return self.give(value, k);
        }
        let span = core.span;
        match core.kind {
            CoreKind::Const(_)
            | CoreKind::Unspecified
            | CoreKind::Ref(_)
            | CoreKind::Builtin(_)
            | CoreKind::Lambda(_)
            | CoreKind::CaseLambda(_) => oxbow_diag::ice!("this captures nothing"),
            CoreKind::Set(var, value) => {
                let code = move |this: &mut Self, value: Core| {
                    let set = Core::new(CoreKind::Set(var, Box::new(value)), span);
                    this.give(set, k)
                };
                self.convert(*value, Kont::Code(Box::new(code)))
            }
            CoreKind::If(test, yes, no) => self.named(k, span, |this, k| {
                let code = move |this: &mut Self, test: Core| {
                    let yes = this.convert(*yes, Kont::Var(k));
                    let no = this.convert(*no, Kont::Var(k));
                    Core::new(CoreKind::If(Box::new(test), Box::new(yes), Box::new(no)), span)
                };
                this.convert(*test, Kont::Code(Box::new(code)))
            }),
            CoreKind::And(items) => {
                let nested = self.nested(items, span, |_, first, rest| {
                    let no = Datum::new(DatumKind::Bool(false), span);
                    let no = Core::new(CoreKind::Const(no), span);
                    CoreKind::If(Box::new(first), Box::new(rest), Box::new(no))
                });
                self.convert(nested, k)
            }
            CoreKind::Or(items) => {
                let nested = self.nested(items, span, |this, first, rest| {
                    let temp = this.var("or", span);
                    let value = this.reference(temp, span);
                    let choice =
                        CoreKind::If(Box::new(value.clone()), Box::new(value), Box::new(rest));
                    CoreKind::Let(vec![(temp, first)], Box::new(Core::new(choice, span)))
                });
                self.convert(nested, k)
            }
            CoreKind::Seq(items) => self.sequence(items.into(), span, k),
            CoreKind::Let(bindings, body) => self.bindings(bindings.into(), *body, span, k),
            CoreKind::Block(items, body) => self.block(items, *body, span, k),
            CoreKind::Call(callee, args) => self.call(*callee, args, span, k),
            CoreKind::Guard { body, var, handler } => self.guard(*body, var, *handler, span, k),
        }
    }

    fn nested(
        &mut self,
        mut items: Vec<Core>,
        span: Span,
        make: impl Fn(&mut Self, Core, Core) -> CoreKind,
    ) -> Core {
        let last = items.pop().unwrap_or_else(|| oxbow_diag::ice!("an empty form"));
        items.into_iter().rev().fold(last, |rest, first| {
            let kind = make(self, first, rest);
            Core::new(kind, span)
        })
    }

    fn sequence(
        &mut self,
        mut items: std::collections::VecDeque<Core>,
        span: Span,
        k: Kont<'_>,
    ) -> Core {
        let mut first = Vec::new();
        loop {
            let Some(item) = items.pop_front() else {
                oxbow_diag::ice!("a sequence that captures has an item that does")
            };
            if items.is_empty() {
                let last = self.convert(item, k);
                first.push(last);
                return if first.len() == 1 {
                    first.remove(0)
                } else {
                    Core::new(CoreKind::Seq(first), span)
                };
            }
            if !self.captures(&item) {
                first.push(self.direct(item));
                continue;
            }
            let code = move |this: &mut Self, value: Core| {
                let rest = this.sequence(items, span, k);
                match value.kind {
                    CoreKind::Ref(_) => rest,
                    _ => Core::new(CoreKind::Seq(vec![value, rest]), span),
                }
            };
            first.push(self.convert(item, Kont::Code(Box::new(code))));
            return if first.len() == 1 {
                first.remove(0)
            } else {
                Core::new(CoreKind::Seq(first), span)
            };
        }
    }

    fn bindings(
        &mut self,
        mut bindings: std::collections::VecDeque<(VarId, Core)>,
        body: Core,
        span: Span,
        k: Kont<'_>,
    ) -> Core {
        let Some((var, value)) = bindings.pop_front() else { return self.convert(body, k) };
        if !self.captures(&value) {
            let value = self.bound(var, value);
            let rest = self.bindings(bindings, body, span, k);
            return Core::new(CoreKind::Let(vec![(var, value)], Box::new(rest)), span);
        }
        let code = move |this: &mut Self, value: Core| {
            let rest = this.bindings(bindings, body, span, k);
            Core::new(CoreKind::Let(vec![(var, value)], Box::new(rest)), span)
        };
        self.convert(value, Kont::Code(Box::new(code)))
    }

    /// Definitions whose values capture become assignments, in their order.
    fn block(&mut self, items: Vec<Item>, body: Core, span: Span, k: Kont<'_>) -> Core {
        if !items.iter().any(|it| self.captures(&it.value)) {
            let items = self.block_items(items);
            let body = self.convert(body, k);
            return Core::new(CoreKind::Block(items, Box::new(body)), span);
        }
        let mut kept = Vec::new();
        let mut steps = Vec::new();
        for item in items {
            match item.var {
                Some(var) if self.functions.contains(var) => {
                    let value = self.bound(var, item.value);
                    kept.push(Item { var: Some(var), value });
                }
                Some(var) => {
                    self.program.vars[var].mutated = true;
                    let nothing = Core::new(CoreKind::Unspecified, span);
                    kept.push(Item { var: Some(var), value: nothing });
                    let at = item.value.span;
                    steps.push(Core::new(CoreKind::Set(var, Box::new(item.value)), at));
                }
                None => steps.push(item.value),
            }
        }
        steps.push(body);
        let body = self.convert(Core::new(CoreKind::Seq(steps), span), k);
        Core::new(CoreKind::Block(kept, Box::new(body)), span)
    }

    /// Evaluates operands from the first to the last; those before one that captures get names.
    fn operands<'k>(
        &mut self,
        mut left: std::collections::VecDeque<Core>,
        mut done: Vec<Core>,
        then: Code<'k, Vec<Core>>,
    ) -> Core {
        let Some(operand) = left.pop_front() else { return then(self, done) };
        let span = operand.span;
        if self.captures(&operand) {
            let code = move |this: &mut Self, value: Core| {
                let temp = this.var("t", span);
                done.push(this.reference(temp, span));
                let rest = this.operands(left, done, then);
                Core::new(CoreKind::Let(vec![(temp, value)], Box::new(rest)), span)
            };
            return self.convert(operand, Kont::Code(Box::new(code)));
        }
        let later = left.iter().any(|it| self.captures(it));
        let fixed = matches!(
            operand.kind,
            CoreKind::Const(_) | CoreKind::Unspecified | CoreKind::Lambda(_)
        );
        let value = self.direct(operand);
        if !later || fixed {
            done.push(value);
            return self.operands(left, done, then);
        }
        let temp = self.var("t", span);
        done.push(self.reference(temp, span));
        let rest = self.operands(left, done, then);
        Core::new(CoreKind::Let(vec![(temp, value)], Box::new(rest)), span)
    }

    fn call(&mut self, callee: Core, args: Vec<Core>, span: Span, k: Kont<'_>) -> Core {
        match callee.kind {
            CoreKind::Builtin(id) => {
                if calls_procedures(id) {
                    let procedure = builtin::table().get(id).procedure;
                    return self.control_call(procedure, args, span, k);
                }
                let then = move |this: &mut Self, args: Vec<Core>| {
                    let callee = Core::new(CoreKind::Builtin(id), span);
                    let call = Core::new(CoreKind::Call(Box::new(callee), args), span);
                    this.give(call, k)
                };
                self.operands(args.into(), Vec::new(), Box::new(then))
            }
            CoreKind::Ref(var) if self.functions.contains(var) => {
                let capturing = self.capturing.contains(var);
                let then = move |this: &mut Self, mut args: Vec<Core>| {
                    let callee = Box::new(this.reference(var, span));
                    if !capturing {
                        let call = Core::new(CoreKind::Call(callee, args), span);
                        return this.give(call, k);
                    }
                    this.named(k, span, |this, k| {
                        args.insert(0, this.reference(k, span));
                        Core::new(CoreKind::Call(callee, args), span)
                    })
                };
                self.operands(args.into(), Vec::new(), Box::new(then))
            }
            kind => {
                let mut all = vec![Core::new(kind, callee.span)];
                all.extend(args);
                let then = move |this: &mut Self, mut args: Vec<Core>| {
                    this.named(k, span, |this, k| {
                        args.insert(1, this.reference(k, span));
                        this.builtin(known::CPS_CALL, args, span)
                    })
                };
                self.operands(all.into(), Vec::new(), Box::new(then))
            }
        }
    }

    /// Primitives that call procedures.
    fn control_call(
        &mut self,
        procedure: Procedure,
        args: Vec<Core>,
        span: Span,
        k: Kont<'_>,
    ) -> Core {
        let library = match procedure {
            Procedure::WithExceptionHandler => Some(known::WITH_HANDLER),
            Procedure::RaiseContinuable => Some(known::RAISE_CONTINUABLE),
            Procedure::Reraise => Some(known::RERAISE_FROM),
            _ => None,
        };
        if let Some(library) = library {
            let var = self.library(library);
            let callee = self.reference(var, span);
            return self.call(callee, args, span, k);
        }
        if procedure == Procedure::Resume {
            // Control does not come back: the continuation here is dropped.
            let then =
                move |this: &mut Self, args: Vec<Core>| this.builtin(known::RESUME, args, span);
            return self.operands(args.into(), Vec::new(), Box::new(then));
        }
        // None takes the continuation as an object, too.
        let applied = match procedure {
            Procedure::CallCc | Procedure::CallEc => None,
            Procedure::ApplyValues => Some(known::CPS_APPLY_VALUES),
            _ => Some(known::CPS_APPLY),
        };
        let then = move |this: &mut Self, mut args: Vec<Core>| {
            this.named(k, span, |this, k| {
                let cont = this.reference(k, span);
                let Some(applied) = applied else {
                    let object = this.builtin(known::MAKE_CONTINUATION, vec![cont.clone()], span);
                    args.extend([cont, object]);
                    return this.builtin(known::CPS_CALL, args, span);
                };
                args.insert(1, cont);
                this.builtin(applied, args, span)
            })
        };
        self.operands(args.into(), Vec::new(), Box::new(then))
    }

    /// The body runs with a handler that goes to the continuation of the whole form; an object that
    /// comes that way is marked.
    fn guard(&mut self, body: Core, var: VarId, handler: Core, span: Span, k: Kont<'_>) -> Core {
        let thunk = self.lambda(Vec::new(), body, false);
        let guarded = {
            let callee = self.library(known::GUARDED);
            let callee = self.reference(callee, span);
            Core::new(CoreKind::Call(Box::new(callee), vec![thunk]), span)
        };
        let result = self.var("result", span);
        let value = self.reference(result, span);
        let test = self.builtin(known::IS_CAUGHT, vec![value.clone()], span);
        let object = self.builtin(known::CAUGHT_OBJECT, vec![value.clone()], span);
        let mut handler = handler;
        reraise_from(&mut handler, var, &value);
        let handler = Core::new(CoreKind::Let(vec![(var, object)], Box::new(handler)), span);
        let choice = CoreKind::If(Box::new(test), Box::new(handler), Box::new(value));
        let choice = Core::new(choice, span);
        let whole = Core::new(CoreKind::Let(vec![(result, guarded)], Box::new(choice)), span);
        self.convert(whole, k)
    }
}

/// Where the clauses of a guard end, what was caught goes back to where it came from.
fn reraise_from(handler: &mut Core, var: VarId, caught: &Core) {
    match &mut handler.kind {
        CoreKind::Call(callee, args) => {
            let is_reraise = matches!(callee.kind,
                CoreKind::Builtin(id) if builtin::table().get(id).name == known::RERAISE);
            if is_reraise && matches!(args[..], [Core { kind: CoreKind::Ref(it), .. }] if it == var)
            {
                args.insert(0, caught.clone());
            }
        }
        CoreKind::If(_, yes, no) => {
            reraise_from(yes, var, caught);
            reraise_from(no, var, caught);
        }
        CoreKind::Or(items) | CoreKind::Seq(items) => {
            if let Some(last) = items.last_mut() {
                reraise_from(last, var, caught);
            }
        }
        CoreKind::Let(_, body) | CoreKind::Block(_, body) => reraise_from(body, var, caught),
        CoreKind::Const(_)
        | CoreKind::Unspecified
        | CoreKind::Ref(_)
        | CoreKind::Builtin(_)
        | CoreKind::Set(..)
        | CoreKind::And(_)
        | CoreKind::Lambda(_)
        | CoreKind::CaseLambda(_)
        | CoreKind::Guard { .. } => (),
    }
}
