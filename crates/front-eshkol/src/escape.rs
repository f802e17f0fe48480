//! Are the continuations of a program only used to leave?
//!
//! `(call/cc (lambda (k) …))` is a jump out of the expression if `k` is not called after the
//! expression has ended: then an exception does. That is so if `k` cannot outlive the call: it is called,
//! or passed to procedures that only call it or pass it on, and no procedure that mentions it outlives
//! the call either. Everything else needs continuations as values (see `cps`), and so do guards that
//! a value may have to come back through.
//!
//! A variable or lambda *escapes* unless each of its uses is one of these; the solution is the greatest, found by
//! striking out.

use oxbow_base::{IdMap, IdSet, IdVec};

use crate::builtin;
use crate::core::{Core, CoreKind, Lambda, Program, Var, VarId, known_procedures};
use crate::known;
use crate::procedure::Procedure;

/// Builtins that call their arguments and do not keep them.
const CALLS_ONLY: &[Procedure] =
    &[Procedure::Apply, Procedure::WithExceptionHandler, Procedure::ApplyValues];

/// Whether some continuation may be called after its extent.
pub fn needs_first_class(program: &Program) -> bool {
    let user = &program.items[program.user_start..];
    let library = &program.items[..program.user_start];
    let library: IdSet<VarId> = library.iter().filter_map(|it| it.var).collect();
    let mentions = |is: &dyn Fn(&Core) -> bool| user.iter().any(|item| contains(&item.value, is));
    let has = |procedure: Procedure| {
        let table = builtin::table();
        mentions(
            &|it| matches!(it.kind, CoreKind::Builtin(id) if table.get(id).procedure == procedure),
        )
    };
    let has_defined = |name: &str| {
        let is_it = |var: VarId| library.contains(var) && program.vars[var].name.as_str() == name;
        mentions(&|it| matches!(it.kind, CoreKind::Ref(var) if is_it(var)))
    };
    // What no clause of a guard takes goes on from where it was raised: extents that were left are entered again, and
    // the value of a handler goes there.
    let goes_back = has_defined(known::DYNAMIC_WIND)
        || has_defined(known::PARAMETERIZE)
        || has(Procedure::RaiseContinuable) && has(Procedure::WithExceptionHandler);
    if goes_back && has(Procedure::Reraise) {
        return true;
    }
    if !has(Procedure::CallCc) {
        return false;
    }
    let mut flow = Flow {
        vars: &program.vars,
        functions: known_procedures(&program.items, &program.vars).into_iter().collect(),
        uses: Vec::new(),
        escaping: IdSet::new(),
        depth: IdMap::new(),
        receivers: Vec::new(),
        first_class: false,
        is_user: false,
    };
    for (at, item) in program.items.iter().enumerate() {
        // The library's own use of `call/cc` is for programs that are converted.
        flow.is_user = at >= program.user_start;
        match (&item.value.kind, item.var) {
            (CoreKind::Lambda(_), Some(var)) if !program.vars[var].mutated => {
                flow.visit(&item.value, &mut Vec::new(), Use::Flows(var));
            }
            _ => flow.visit(&item.value, &mut Vec::new(), Use::Escapes),
        }
    }
    flow.solve()
}

/// Whether some part of an expression is such.
fn contains(core: &Core, is: &dyn Fn(&Core) -> bool) -> bool {
    let mut todo = vec![core];
    while let Some(core) = todo.pop() {
        if is(core) {
            return true;
        }
        core.for_each_child(|it| todo.push(it));
    }
    false
}

/// What happens to a value.
#[derive(Clone, Copy)]
enum Use {
    /// It is called, or dropped.
    Fine,
    /// It becomes the value of a variable.
    Flows(VarId),
    Escapes,
}

/// A lambda, by the variable it flows to; one that escapes at once has none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    Var(VarId),
    Nobody,
    /// It is called on the spot, or by a builtin that does not keep it.
    Called,
}

struct Flow<'a> {
    vars: &'a IdVec<VarId, Var>,
    functions: IdMap<VarId, &'a Lambda>,
    /// A variable with one use of it, and the lambdas around the use, innermost last.
    uses: Vec<(VarId, Use, Vec<Holder>)>,
    escaping: IdSet<VarId>,
    /// How many lambdas are around the binding of a variable.
    depth: IdMap<VarId, usize>,
    /// The parameters that get continuations.
    receivers: Vec<VarId>,
    first_class: bool,
    /// The item that is visited is the user's.
    is_user: bool,
}

impl<'a> Flow<'a> {
    fn bind(&mut self, lambda: &Lambda, depth: usize) {
        for &var in lambda.params.iter().chain(&lambda.rest) {
            self.depth.insert(var, depth);
        }
    }

    /// `used` is what happens to the value of the expression.
    fn visit(&mut self, core: &'a Core, around: &mut Vec<Holder>, used: Use) {
        match &core.kind {
            CoreKind::Const(_) | CoreKind::Unspecified => (),
            CoreKind::Builtin(id) => {
                let is_call_cc = builtin::table().get(*id).procedure == Procedure::CallCc;
                if self.is_user && is_call_cc && !matches!(used, Use::Fine) {
                    self.first_class = true;
                }
            }
            CoreKind::Ref(var) => self.uses.push((*var, used, around.clone())),
            CoreKind::Set(_, value) => self.visit(value, around, Use::Escapes),
            CoreKind::If(test, yes, no) => {
                self.visit(test, around, Use::Fine);
                self.visit(yes, around, used);
                self.visit(no, around, used);
            }
            CoreKind::And(items) | CoreKind::Or(items) => {
                items.iter().for_each(|it| self.visit(it, around, used));
            }
            CoreKind::Seq(items) => {
                let last = items.len().saturating_sub(1);
                for (at, item) in items.iter().enumerate() {
                    self.visit(item, around, if at == last { used } else { Use::Fine });
                }
            }
            CoreKind::Lambda(lambda) => {
                let holder = match used {
                    Use::Fine => Holder::Called,
                    Use::Flows(var) => Holder::Var(var),
                    Use::Escapes => Holder::Nobody,
                };
                around.push(holder);
                self.bind(lambda, around.len());
                self.visit(&lambda.body, around, Use::Escapes);
                around.pop();
            }
            CoreKind::CaseLambda(clauses) => {
                around.push(Holder::Nobody);
                clauses.iter().for_each(|it| self.bind(it, around.len()));
                clauses.iter().for_each(|it| self.visit(&it.body, around, Use::Escapes));
                around.pop();
            }
            CoreKind::Let(bindings, body) => {
                for (var, value) in bindings {
                    self.depth.insert(*var, around.len());
                    let used = self.flows(*var);
                    self.visit(value, around, used);
                }
                self.visit(body, around, used);
            }
            CoreKind::Block(items, body) => {
                for var in items.iter().filter_map(|it| it.var) {
                    self.depth.insert(var, around.len());
                }
                for item in items {
                    let use_ = item.var.map_or(Use::Fine, |it| self.flows(it));
                    self.visit(&item.value, around, use_);
                }
                self.visit(body, around, used);
            }
            CoreKind::Guard { body, var, handler } => {
                self.depth.insert(*var, around.len());
                self.visit(body, around, used);
                self.visit(handler, around, used);
            }
            CoreKind::Call(callee, args) => self.call(callee, args, around),
        }
    }

    fn flows(&self, var: VarId) -> Use {
        if self.vars[var].mutated { Use::Escapes } else { Use::Flows(var) }
    }

    fn call(&mut self, callee: &'a Core, args: &'a [Core], around: &mut Vec<Holder>) {
        self.visit(callee, around, Use::Fine);
        if let CoreKind::Builtin(id) = callee.kind {
            let procedure = builtin::table().get(id).procedure;
            if procedure == Procedure::CallCc {
                return self.call_cc(args, around);
            }
            let used = if CALLS_ONLY.contains(&procedure) { Use::Fine } else { Use::Escapes };
            return args.iter().enumerate().for_each(|(at, it)| {
                // The list that `apply` spreads is not called.
                let used =
                    if procedure == Procedure::Apply && at > 0 { Use::Escapes } else { used };
                self.visit(it, around, used);
            });
        }
        let known = match callee.kind {
            CoreKind::Ref(var) => self.functions.get(var).copied(),
            _ => None,
        };
        for (at, arg) in args.iter().enumerate() {
            let used = match known.and_then(|it| it.params.get(at)) {
                Some(&param) => self.flows(param),
                None => Use::Escapes,
            };
            self.visit(arg, around, used);
        }
    }

    fn call_cc(&mut self, args: &'a [Core], around: &mut Vec<Holder>) {
        let receiver = match args {
            [receiver] => receiver,
            _ => return,
        };
        let lambda = match &receiver.kind {
            CoreKind::Lambda(lambda) => Some(&**lambda),
            CoreKind::Ref(var) => self.functions.get(*var).copied(),
            _ => None,
        };
        match lambda {
            _ if !self.is_user => (),
            Some(lambda) if lambda.params.len() == 1 && !self.vars[lambda.params[0]].mutated => {
                self.receivers.push(lambda.params[0]);
            }
            _ => self.first_class = true,
        }
        self.visit(receiver, around, Use::Fine);
    }

    fn solve(mut self) -> bool {
        if self.first_class {
            return true;
        }
        // The lambdas outside of a variable's binding do not matter.
        let mut changed = true;
        while changed {
            changed = false;
            for (var, used, around) in &self.uses {
                if self.escaping.contains(*var) {
                    continue;
                }
                let here = match used {
                    Use::Fine => false,
                    Use::Flows(to) => self.escaping.contains(*to),
                    Use::Escapes => true,
                };
                let bound = self.depth.get(*var).copied().unwrap_or(0);
                let inside = around.iter().skip(bound).any(|it| match it {
                    Holder::Var(holder) => self.escaping.contains(*holder),
                    Holder::Nobody => true,
                    Holder::Called => false,
                });
                if here || inside {
                    self.escaping.insert(*var);
                    changed = true;
                }
            }
        }
        self.receivers.iter().any(|it| self.escaping.contains(*it))
    }
}
