//! The cases of `match`, `function` and `try`, each in a branch of its own.

use crate::ast;
use crate::tast;
use crate::types::{Type, TypeId};

use super::env::Env;
use super::pattern::Bound;
use super::{Because, Expect, Infer};

/// A case, as written.
pub(super) struct CaseParts<'a> {
    pub pattern: &'a ast::Pattern,
    /// The pattern if it has been typed before.
    pub early: Option<(tast::Pattern, Bound)>,
    pub guard: Option<&'a ast::Expr>,
    pub body: Option<&'a ast::Expr>,
}

impl Infer<'_> {
    pub(super) fn cases(
        &mut self,
        env: &Env,
        cases: &[ast::Case],
        scrutinee: TypeId,
        result: TypeId,
        because: Because,
    ) -> Vec<tast::Case> {
        let mut typed = Vec::with_capacity(cases.len());
        let mut refuted = Vec::new();
        let mut because = because;
        let errors = self.diagnostics.error_count();
        // What a module hides ends with its case.
        self.types.has_own_results |= cases.iter().any(|it| it.pattern.unpacks());
        let mut early = self.row_patterns(env, cases, scrutinee).into_iter();
        for case in cases {
            let parts = CaseParts {
                pattern: &case.pattern,
                early: early.next(),
                guard: case.guard.as_ref(),
                body: case.body.as_ref(),
            };
            let expect = Expect { ty: result, because };
            let (pattern, guard, body) =
                self.in_branch(|cx| cx.one_case(env, parts, scrutinee, expect));
            let Some(body) = body else {
                refuted.push((typed.len(), pattern));
                continue;
            };
            if matches!(because, Because::Plain) {
                because = Because::Branch(body.span);
            }
            typed.push(tast::Case { pattern, guard, body });
        }
        if self.diagnostics.error_count() == errors {
            self.cover_cases(&typed, &refuted, scrutinee);
        }
        if typed.is_empty()
            && let Some((_, pattern)) = refuted.pop()
        {
            typed.push(self.unreachable_case(pattern, result));
        }
        self.without_absent_cases(typed, scrutinee)
    }

    /// A case: its pattern, guard and body; without a body it says that there are no such values.
    pub(super) fn one_case(
        &mut self,
        env: &Env,
        CaseParts { pattern, early, guard, body }: CaseParts<'_>,
        scrutinee: TypeId,
        expect: Expect,
    ) -> (tast::Pattern, Option<tast::Expr>, Option<tast::Expr>) {
        let mut inner = env.clone();
        let errors = self.diagnostics.error_count();
        let equations = self.known_equations();
        let (typed, bound) = match early {
            Some(it) => it,
            None => self.case_pattern(env, pattern, guard.is_some(), scrutinee),
        };
        self.add_bound(&mut inner, &bound);
        // What a wrong pattern would have told of types is missing behind it: that is one mistake.
        let is_wrong = self.diagnostics.error_count() > errors && self.may_open(env, pattern);
        let mark = self.diagnostics.mark();
        let types = self.types.nodes.len();
        let bool = self.builtins.bool;
        let guard = guard.map(|it| {
            let expect = Expect { ty: bool, because: Because::Condition };
            if bound.rebuilt.is_empty() {
                return self.expr(&inner, it, expect);
            }
            let copy = self.bound_in_guard(&bound);
            let mut scope = env.clone();
            self.add_bound(&mut scope, &copy);
            let guard = self.expr(&scope, it, expect);
            for ((var, _), (other, _)) in bound.rebuilt.iter().zip(&copy.rebuilt) {
                if self.usage.used.contains(*other) {
                    self.usage.used.insert(*var);
                }
            }
            self.with_rebuilt(&copy, guard)
        });
        let Some(body) = body else { return (typed, guard, None) };
        let body = self.expr(&inner, body, expect);
        if is_wrong {
            self.diagnostics.rollback(mark);
        }
        if !matches!(self.types.get(body.ty), Type::Error) {
            self.check_unused_names(pattern, &inner);
        }
        let body = self.with_rebuilt(&bound, body);
        if self.known_equations() > equations {
            self.write_out_equations(types);
        }
        (typed, guard, Some(body))
    }

    /// The pattern of a case, with what it binds.
    pub(super) fn case_pattern(
        &mut self,
        env: &Env,
        pattern: &ast::Pattern,
        guarded: bool,
        scrutinee: TypeId,
    ) -> (tast::Pattern, Bound) {
        let row = self.excluding_row(scrutinee);
        let mut bound = Bound { rebuild: true, guarded, row, ..Bound::default() };
        let pattern = self.pattern(env, pattern, Expect::plain(scrutinee), &mut bound);
        (pattern, bound)
    }
}
