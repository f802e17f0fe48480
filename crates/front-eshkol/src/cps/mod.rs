//! Continuations as values: programs whose continuations outlive their extent are put in
//! continuation-passing style, as far as it takes.
//!
//! ```text
//! (define (f x) (+ 1 (g x)))    ⇒    (define (f k x) (g (lambda (v) (k (+ 1 v))) x))
//! ```
//!
//! A procedure keeps its direct style if nothing in it can capture a continuation: it calls only
//! primitives and such procedures. A call of a procedure that is a value may capture. The top level becomes one
//! expression, so that a continuation captured in it has the rest of the program in it; what captures nothing there
//! stands in procedures of its own (`pieces`).
//!
//! Handlers and dynamic extents are lists in the library; a primitive that fails leaves the direct code by an
//! exception, and the driver of the program (`%run`) goes on with the handler.

mod convert;
mod pieces;

use oxbow_base::{FxHashMap, IdSet, Span, Symbol};

use crate::builtin::{self, BuiltinId, Effect};
use crate::core::{Core, CoreKind, Item, Lambda, Program, Var, VarId, known_procedures};
use crate::known;

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
    functions: IdSet<VarId>,
    /// Those that take a continuation.
    capturing: IdSet<VarId>,
    /// Procedures of the library by name.
    library: FxHashMap<Symbol, VarId>,
    /// Whether the code at hand stands at the top level, in no procedure.
    at_top: bool,
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
        functions: IdSet::new(),
        capturing: IdSet::new(),
        library,
        at_top: false,
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
                if !self.capturing.contains(*var) && self.captures(&lambda.body) {
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
                    CoreKind::Ref(var) if self.functions.contains(*var) => {
                        self.capturing.contains(*var)
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
        self.program.vars.push(Var { name: name.into(), span, mutated: false, variant: None })
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
            let is_function = item.var.is_some_and(|it| self.functions.contains(it));
            if is_function || (at < user_start && item.var.is_some()) {
                let value = match (item.var, item.value.kind) {
                    (Some(var), CoreKind::Lambda(lambda)) if is_function => {
                        let capturing = self.capturing.contains(var);
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
            steps.push(self.builtin(known::FINISH, vec![call], span));
        }
        let mut steps = self.in_pieces(steps, &mut made);
        steps.push(Core::new(CoreKind::Unspecified, span));
        let k = self.var("end", span);
        self.at_top = true;
        let body = self.convert(Core::new(CoreKind::Seq(steps), span), Kont::Var(k));
        self.at_top = false;
        let body = self.lambda(vec![k], body, true);
        let hooks = [known::THROW, known::HANDLE].map(|name| {
            let var = self.library(name);
            self.reference(var, span)
        });
        let [throw, handle] = hooks;
        let top = self.var("top", span);
        self.functions.insert(top);
        self.program.pieces.insert(top);
        let run = self.builtin(known::RUN, vec![self.reference(top, span), throw, handle], span);
        let value = Core::new(CoreKind::Let(vec![(top, body)], Box::new(run)), span);
        made.push(Item { var: None, value });
        self.program.items = made;
        self.program.user_start = user;
    }

    fn procedure(&mut self, lambda: Lambda, capturing: bool) -> Lambda {
        let outside = std::mem::replace(&mut self.at_top, false);
        let lambda = if capturing {
            let k = self.var("k", lambda.span);
            let mut params = vec![k];
            params.extend(&lambda.params);
            let body = self.convert(lambda.body, Kont::Var(k));
            Lambda { params, body, takes_continuation: true, ..lambda }
        } else {
            Lambda { body: self.direct(lambda.body), ..lambda }
        };
        self.at_top = outside;
        lambda
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
            CoreKind::Lambda(lambda) if self.functions.contains(var) => {
                let capturing = self.capturing.contains(var);
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
                let spread = self.builtin(known::SPREAD, vec![list], span);
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
}

/// Procedures that are called by primitives may capture.
fn calls_procedures(id: BuiltinId) -> bool {
    builtin::table().get(id).effect == Effect::Calls
}
