//! Continuations as values: programs whose continuations outlive their extent are put in
//! continuation-passing style, as far as it takes.
//!
//! ```text
//! (define (f x) (+ 1 (g x)))    ⇒    (define (f k x) (g (lambda (v) (k (+ 1 v))) x))
//! ```
//!
//! A procedure keeps its direct style if nothing in it can capture a continuation: it calls only
//! primitives and such procedures. A call of a procedure that is a value may capture. The top level becomes one
//! expression, so that a continuation captured in it has the rest of the program in it.
//!
//! Handlers and dynamic extents are lists in the library; a primitive that fails leaves the direct code by an
//! exception, and the driver of the program (`%run`) goes on with the handler.

use oxbow_base::{FxHashMap, FxHashSet, Span, Symbol};

use crate::builtin::{self, BuiltinId, Effect};
use crate::core::{Core, CoreKind, Item, Lambda, Program, Var, VarId, known_procedures};
use crate::datum::{Datum, DatumKind};
use crate::escape::is_call_cc;

/// Makes code around a value, or around several.
type Code<'k, T> = Box<dyn FnOnce(&mut Cps, T) -> Core + 'k>;

/// Where the value of an expression goes.
enum Kont<'k> {
    /// To the procedure in a variable.
    Var(VarId),
    /// Into the code that this makes around it; it uses the value once.
    Code(Code<'k, Core>),
}

struct Cps {
    program: Program,
    builtins: FxHashMap<&'static str, BuiltinId>,
    /// Known procedures.
    functions: FxHashSet<VarId>,
    /// Those that take a continuation.
    capturing: FxHashSet<VarId>,
    /// Procedures of the library by name.
    library: FxHashMap<Symbol, VarId>,
}

/// Puts the parts of a program that may capture into continuation-passing style.
pub fn convert(program: Program) -> Program {
    let table = builtin::table();
    let builtins = table.names().map(|(_, id)| (table.get(id).name, id)).collect();
    let library = program.items[..program.user_start]
        .iter()
        .filter_map(|it| it.var.map(|var| (program.vars[var].name, var)))
        .collect();
    let mut cps = Cps {
        program,
        builtins,
        functions: FxHashSet::default(),
        capturing: FxHashSet::default(),
        library,
    };
    cps.find_capturing();
    cps.rewrite();
    cps.program
}

impl Cps {
    // Analysis.

    fn find_capturing(&mut self) {
        let items = std::mem::take(&mut self.program.items);
        let lambdas = known_procedures(&items, &self.program.vars);
        self.functions = lambdas.iter().map(|it| it.0).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (var, lambda) in &lambdas {
                if !self.capturing.contains(var) && self.captures(&lambda.body) {
                    self.capturing.insert(*var);
                    changed = true;
                }
            }
        }
        self.program.items = items;
    }

    /// Whether evaluating an expression may capture; the lambdas in it are not evaluated.
    fn captures(&self, core: &Core) -> bool {
        match &core.kind {
            CoreKind::Lambda(_) | CoreKind::CaseLambda(_) => false,
            CoreKind::Call(callee, args) => {
                let call = match &callee.kind {
                    CoreKind::Builtin(id) => calls_procedures(*id),
                    CoreKind::Ref(var) if self.functions.contains(var) => {
                        self.capturing.contains(var)
                    }
                    _ => true,
                };
                call || self.captures(callee) || args.iter().any(|it| self.captures(it))
            }
            _ => {
                let mut found = false;
                core.for_each_child(|it| found = found || self.captures(it));
                found
            }
        }
    }

    // Making core.

    fn var(&mut self, name: &str, span: Span) -> VarId {
        self.program.vars.push(Var { name: name.into(), span, mutated: false })
    }

    fn reference(&self, var: VarId, span: Span) -> Core {
        Core::new(CoreKind::Ref(var), span)
    }

    fn builtin(&self, name: &'static str, args: Vec<Core>, span: Span) -> Core {
        let Some(&id) = self.builtins.get(name) else { oxbow_diag::ice!("no builtin `{name}`") };
        let callee = Core::new(CoreKind::Builtin(id), span);
        Core::new(CoreKind::Call(Box::new(callee), args), span)
    }

    fn library(&self, name: &str) -> VarId {
        match self.library.get(&Symbol::new(name)) {
            Some(&var) => var,
            None => oxbow_diag::ice!("the library has no `{name}`"),
        }
    }

    fn lambda(&self, params: Vec<VarId>, body: Core, takes_continuation: bool) -> Core {
        let span = body.span;
        let lambda = Lambda { params, rest: None, body, name: None, span, takes_continuation };
        Core::new(CoreKind::Lambda(Box::new(lambda)), span)
    }

    // The program.

    fn rewrite(&mut self) {
        let items = std::mem::take(&mut self.program.items);
        let user_start = self.program.user_start;
        let mut made = Vec::new();
        let mut steps = Vec::new();
        let mut user = user_start;
        for (at, item) in items.into_iter().enumerate() {
            let span = item.value.span;
            let is_function = item.var.is_some_and(|it| self.functions.contains(&it));
            if is_function || (at < user_start && item.var.is_some()) {
                let value = match (item.var, item.value.kind) {
                    (Some(var), CoreKind::Lambda(lambda)) if is_function => {
                        let capturing = self.capturing.contains(&var);
                        let lambda = self.procedure(*lambda, capturing);
                        Core::new(CoreKind::Lambda(Box::new(lambda)), span)
                    }
                    (_, kind) => self.direct(Core::new(kind, span)),
                };
                made.push(Item { var: item.var, value });
            } else if let Some(var) = item.var {
                self.program.vars[var].mutated = true;
                let nothing = Core::new(CoreKind::Unspecified, span);
                made.push(Item { var: Some(var), value: nothing });
                steps.push(Core::new(CoreKind::Set(var, Box::new(item.value)), span));
            } else {
                steps.push(item.value);
            }
            if at + 1 == user_start {
                user = made.len();
            }
        }
        let Some(span) = steps.first().map(|it| it.span) else {
            self.program.items = made;
            self.program.user_start = user;
            return;
        };
        if let Some(main) = self.program.main.take() {
            let callee = self.reference(main, span);
            let call = Core::new(CoreKind::Call(Box::new(callee), Vec::new()), span);
            steps.push(self.builtin("%finish", vec![call], span));
        }
        steps.push(Core::new(CoreKind::Unspecified, span));
        let k = self.var("end", span);
        let body = self.convert(Core::new(CoreKind::Seq(steps), span), Kont::Var(k));
        let body = self.lambda(vec![k], body, true);
        let hooks = ["%throw", "%handle"].map(|name| {
            let var = self.library(name);
            self.reference(var, span)
        });
        let [throw, handle] = hooks;
        let run = self.builtin("%run", vec![body, throw, handle], span);
        made.push(Item { var: None, value: run });
        self.program.items = made;
        self.program.user_start = user;
    }

    fn procedure(&mut self, lambda: Lambda, capturing: bool) -> Lambda {
        if !capturing {
            return Lambda { body: self.direct(lambda.body), ..lambda };
        }
        let k = self.var("k", lambda.span);
        let mut params = vec![k];
        params.extend(&lambda.params);
        let body = self.convert(lambda.body, Kont::Var(k));
        Lambda { params, body, takes_continuation: true, ..lambda }
    }

    /// An expression that captures nothing, with the lambdas in it rewritten.
    fn direct(&mut self, core: Core) -> Core {
        let span = core.span;
        let kind = match core.kind {
            CoreKind::Builtin(id) if calls_procedures(id) => {
                return self.builtin_procedure(id, span);
            }
            kind @ (CoreKind::Const(_)
            | CoreKind::Unspecified
            | CoreKind::Ref(_)
            | CoreKind::Builtin(_)) => kind,
            CoreKind::Set(var, value) => CoreKind::Set(var, Box::new(self.direct(*value))),
            CoreKind::If(test, yes, no) => CoreKind::If(
                Box::new(self.direct(*test)),
                Box::new(self.direct(*yes)),
                Box::new(self.direct(*no)),
            ),
            CoreKind::And(items) => CoreKind::And(self.all_direct(items)),
            CoreKind::Or(items) => CoreKind::Or(self.all_direct(items)),
            CoreKind::Seq(items) => CoreKind::Seq(self.all_direct(items)),
            CoreKind::Lambda(lambda) => {
                let capturing = self.captures(&lambda.body);
                CoreKind::Lambda(Box::new(self.procedure(*lambda, capturing)))
            }
            CoreKind::CaseLambda(clauses) => {
                let clause = |this: &mut Self, it: Lambda| {
                    let capturing = this.captures(&it.body);
                    this.procedure(it, capturing)
                };
                CoreKind::CaseLambda(clauses.into_iter().map(|it| clause(self, it)).collect())
            }
            CoreKind::Let(bindings, body) => {
                let bindings =
                    bindings.into_iter().map(|(var, it)| (var, self.bound(var, it))).collect();
                CoreKind::Let(bindings, Box::new(self.direct(*body)))
            }
            CoreKind::Block(items, body) => {
                let items = self.block_items(items);
                CoreKind::Block(items, Box::new(self.direct(*body)))
            }
            CoreKind::Call(callee, args) => {
                let callee = match callee.kind {
                    kind @ CoreKind::Builtin(_) => Core::new(kind, callee.span),
                    kind => self.direct(Core::new(kind, callee.span)),
                };
                CoreKind::Call(Box::new(callee), self.all_direct(args))
            }
            CoreKind::Guard { body, var, handler } => CoreKind::Guard {
                body: Box::new(self.direct(*body)),
                var,
                handler: Box::new(self.direct(*handler)),
            },
        };
        Core::new(kind, span)
    }

    fn all_direct(&mut self, items: Vec<Core>) -> Vec<Core> {
        items.into_iter().map(|it| self.direct(it)).collect()
    }

    /// The value of a variable that does not capture: a known procedure as it was found to be.
    fn bound(&mut self, var: VarId, value: Core) -> Core {
        match value.kind {
            CoreKind::Lambda(lambda) if self.functions.contains(&var) => {
                let capturing = self.capturing.contains(&var);
                let lambda = self.procedure(*lambda, capturing);
                Core::new(CoreKind::Lambda(Box::new(lambda)), value.span)
            }
            kind => self.direct(Core::new(kind, value.span)),
        }
    }

    fn block_items(&mut self, items: Vec<Item>) -> Vec<Item> {
        let bound = |this: &mut Self, it: Item| match it.var {
            Some(var) => Item { var: Some(var), value: this.bound(var, it.value) },
            None => Item { var: None, value: this.direct(it.value) },
        };
        items.into_iter().map(|it| bound(self, it)).collect()
    }

    /// A primitive that calls procedures, as a value: a procedure in continuation-passing style.
    fn builtin_procedure(&mut self, id: BuiltinId, span: Span) -> Core {
        let it = builtin::table().get(id);
        let (least, most) = it.arity();
        let params: Vec<VarId> = (0..least).map(|_| self.var("a", span)).collect();
        let mut args: Vec<Core> = params.iter().map(|&it| self.reference(it, span)).collect();
        let rest = most.is_none().then(|| self.var("rest", span));
        let body = match rest {
            // `apply` itself: the arguments are a list already.
            Some(rest) => {
                let function = args.remove(0);
                let list = self.reference(rest, span);
                let spread = self.builtin("%spread", vec![list], span);
                self.builtin("apply", vec![function, spread], span)
            }
            None => {
                let callee = Core::new(CoreKind::Builtin(id), span);
                Core::new(CoreKind::Call(Box::new(callee), args), span)
            }
        };
        let name = Some(it.name.into());
        let lambda = Lambda { params, rest, body, name, span, takes_continuation: false };
        let lambda = self.procedure(lambda, true);
        Core::new(CoreKind::Lambda(Box::new(lambda)), span)
    }

    // Conversion.

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
                let body = body(self, name);
                Core::new(CoreKind::Let(vec![(name, function)], Box::new(body)), span)
            }
        }
    }

    fn convert(&mut self, core: Core, k: Kont<'_>) -> Core {
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
                Some(var) if self.functions.contains(&var) => {
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
                    let name = builtin::table().get(id).name;
                    return self.control_call(name, args, span, k);
                }
                let then = move |this: &mut Self, args: Vec<Core>| {
                    let callee = Core::new(CoreKind::Builtin(id), span);
                    let call = Core::new(CoreKind::Call(Box::new(callee), args), span);
                    this.give(call, k)
                };
                self.operands(args.into(), Vec::new(), Box::new(then))
            }
            CoreKind::Ref(var) if self.functions.contains(&var) => {
                let capturing = self.capturing.contains(&var);
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
                        this.builtin("%cps-call", args, span)
                    })
                };
                self.operands(all.into(), Vec::new(), Box::new(then))
            }
        }
    }

    /// Primitives that call procedures.
    fn control_call(&mut self, name: &str, args: Vec<Core>, span: Span, k: Kont<'_>) -> Core {
        let library = match name {
            "with-exception-handler" => Some("%with-handler"),
            "raise-continuable" => Some("%raise-continuable"),
            "%reraise" => Some("%reraise-from"),
            _ => None,
        };
        if let Some(library) = library {
            let var = self.library(library);
            let callee = self.reference(var, span);
            return self.call(callee, args, span, k);
        }
        if name == "%resume" {
            // Control does not come back: the continuation here is dropped.
            let then = move |this: &mut Self, args: Vec<Core>| this.builtin("%resume", args, span);
            return self.operands(args.into(), Vec::new(), Box::new(then));
        }
        let kind =
            if is_call_cc(name) || matches!(name, "call/ec" | "call-with-escape-continuation") {
                "call/cc"
            } else if name == "%apply-values" {
                "%cps-apply-values"
            } else {
                "%cps-apply"
            };
        let then = move |this: &mut Self, mut args: Vec<Core>| {
            this.named(k, span, |this, k| {
                let cont = this.reference(k, span);
                if kind == "call/cc" {
                    let object = this.builtin("%make-continuation", vec![cont.clone()], span);
                    args.extend([cont, object]);
                    return this.builtin("%cps-call", args, span);
                }
                args.insert(1, cont);
                this.builtin(kind, args, span)
            })
        };
        self.operands(args.into(), Vec::new(), Box::new(then))
    }

    /// The body runs with a handler that goes to the continuation of the whole form; an object that
    /// comes that way is marked.
    fn guard(&mut self, body: Core, var: VarId, handler: Core, span: Span, k: Kont<'_>) -> Core {
        let thunk = self.lambda(Vec::new(), body, false);
        let guarded = {
            let callee = self.library("%guarded");
            let callee = self.reference(callee, span);
            Core::new(CoreKind::Call(Box::new(callee), vec![thunk]), span)
        };
        let result = self.var("result", span);
        let value = self.reference(result, span);
        let test = self.builtin("%caught?", vec![value.clone()], span);
        let object = self.builtin("%caught-object", vec![value.clone()], span);
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
                CoreKind::Builtin(id) if builtin::table().get(id).name == "%reraise");
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

/// Procedures that are called by primitives may capture.
fn calls_procedures(id: BuiltinId) -> bool {
    builtin::table().get(id).effect == Effect::Calls
}
