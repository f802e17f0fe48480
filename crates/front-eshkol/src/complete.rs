//! Operators of differentiation that have only their procedure get the point as a parameter, so that the derivative can
//! be taken at compile time.
//!
//! ```text
//! (define slope (derivative f))        (define slope (lambda (x) (derivative f x)))
//! ```
//!
//! The procedure must be known and take one argument: a lambda, or a definition before this one that nothing changes.
//! All else is left to the library, which says what is wrong.

use oxbow_base::{IdSet, IdVec};

use crate::core::{Core, CoreKind, Lambda, Program, Var, VarId};
use crate::emit::points;

pub fn complete(program: &mut Program) {
    let mut known: IdSet<VarId> = IdSet::new();
    let start = program.user_start;
    let library: IdSet<VarId> = program.items[..start].iter().filter_map(|it| it.var).collect();
    let vars = &mut program.vars;
    for item in &mut program.items[start..] {
        Walk { vars, known: &known, library: &library }.visit(&mut item.value);
        if let Some(var) = item.var
            && !vars[var].mutated
            && is_unary(&item.value)
        {
            known.insert(var);
        }
    }
}

fn is_unary(core: &Core) -> bool {
    matches!(&core.kind, CoreKind::Lambda(it) if it.params.len() == 1 && it.rest.is_none())
}

struct Walk<'a> {
    vars: &'a mut IdVec<VarId, Var>,
    known: &'a IdSet<VarId>,
    library: &'a IdSet<VarId>,
}

impl Walk<'_> {
    fn visit(&mut self, core: &mut Core) {
        match &mut core.kind {
            CoreKind::Const(_)
            | CoreKind::Unspecified
            | CoreKind::Ref(_)
            | CoreKind::Builtin(_) => (),
            CoreKind::Set(_, value) => self.visit(value),
            CoreKind::If(test, yes, no) => {
                [test, yes, no].into_iter().for_each(|it| self.visit(it))
            }
            CoreKind::And(items) | CoreKind::Or(items) | CoreKind::Seq(items) => {
                items.iter_mut().for_each(|it| self.visit(it));
            }
            CoreKind::Lambda(lambda) => self.visit(&mut lambda.body),
            CoreKind::CaseLambda(clauses) => {
                clauses.iter_mut().for_each(|it| self.visit(&mut it.body));
            }
            CoreKind::Let(bindings, body) => {
                bindings.iter_mut().for_each(|it| self.visit(&mut it.1));
                self.visit(body);
            }
            CoreKind::Block(items, body) => {
                items.iter_mut().for_each(|it| self.visit(&mut it.value));
                self.visit(body);
            }
            CoreKind::Call(callee, args) => {
                // `((gradient f) x)` is a call with its point.
                match &mut callee.kind {
                    CoreKind::Call(inner, first) => {
                        self.visit(inner);
                        first.iter_mut().for_each(|it| self.visit(it));
                    }
                    _ => self.visit(callee),
                }
                args.iter_mut().for_each(|it| self.visit(it));
            }
            CoreKind::Guard { body, handler, .. } => {
                self.visit(body);
                self.visit(handler);
            }
        }
        if let Some(count) = self.missing(core) {
            self.wrap(core, count);
        }
    }

    /// How many arguments an operator with its procedure alone still needs.
    fn missing(&self, core: &Core) -> Option<usize> {
        let CoreKind::Call(callee, args) = &core.kind else { return None };
        let CoreKind::Ref(operator) = callee.kind else { return None };
        let [_, procedure] = &args[..] else { return None };
        let is_known = match &procedure.kind {
            CoreKind::Ref(var) => self.known.contains(*var),
            _ => is_unary(procedure),
        };
        if !is_known || !self.library.contains(operator) {
            return None;
        }
        points(&self.vars[operator])
    }

    fn wrap(&mut self, core: &mut Core, count: usize) {
        let span = core.span;
        let params: Vec<VarId> = (0..count)
            .map(|_| {
                self.vars.push(Var { name: "point".into(), span, mutated: false, variant: None })
            })
            .collect();
        let call = std::mem::replace(&mut core.kind, CoreKind::Unspecified);
        let CoreKind::Call(callee, mut args) = call else { return };
        args.extend(params.iter().map(|&it| Core::new(CoreKind::Ref(it), span)));
        let body = Core::new(CoreKind::Call(callee, args), span);
        core.kind = CoreKind::Lambda(Box::new(Lambda {
            params,
            rest: None,
            body,
            name: None,
            span,
            takes_continuation: false,
        }));
    }
}
