//! `cond`, `case`, `guard`.

use oxbow_base::Span;

use super::Expander;
use super::scope::{Binding, ScopeId};
use crate::core::{Core, CoreKind};
use crate::datum::{Datum, DatumKind};
use crate::known;

impl Expander<'_> {
    pub(super) fn cond(&mut self, clauses: &[Datum], scope: ScopeId, span: Span) -> Core {
        let end = Core::new(CoreKind::Unspecified, span);
        self.cond_or("cond", clauses, scope, end)
    }

    /// The clauses of `cond` or `guard`, and what happens if none applies.
    fn cond_or(&mut self, form: &str, clauses: &[Datum], scope: ScopeId, end: Core) -> Core {
        let mut result = end;
        for (index, clause) in clauses.iter().enumerate().rev() {
            let span = clause.span;
            let Some([test, body @ ..]) = clause.as_list() else {
                self.bad(span, &format!("a clause of `{form}` is `(test expression …)`"));
                continue;
            };
            if self.is_keyword(test, scope, "else") {
                if index + 1 != clauses.len() {
                    self.bad(test.span, "`else` is not the last clause");
                }
                if body.is_empty() || self.is_keyword(&body[0], scope, "=>") {
                    let message = format!("the clause `else` of `{form}` is `(else expression …)`");
                    self.bad(span, &message);
                    continue;
                }
                result = self.sequence(body, scope, span);
                continue;
            }
            let test_core = self.expr(test, scope);
            result = match body {
                [] => match result.kind {
                    CoreKind::Unspecified => Core::new(CoreKind::Or(vec![test_core, result]), span),
                    CoreKind::Or(mut items) => {
                        items.insert(0, test_core);
                        Core::new(CoreKind::Or(items), span)
                    }
                    _ => Core::new(CoreKind::Or(vec![test_core, result]), span),
                },
                [arrow, receiver] if self.is_keyword(arrow, scope, "=>") => {
                    let temp = self.temp("test", test.span);
                    let receiver = self.expr(receiver, scope);
                    let value = self.var_ref(temp, test.span);
                    let yes = self.make_call(receiver, vec![value.clone()], span);
                    let choice = self.make_if(value, yes, result, span);
                    Core::new(CoreKind::Let(vec![(temp, test_core)], Box::new(choice)), span)
                }
                [arrow, ..] if self.is_keyword(arrow, scope, "=>") => {
                    self.bad(arrow.span, "one procedure follows `=>`: `(test => procedure)`");
                    continue;
                }
                _ => {
                    let yes = self.sequence(body, scope, span);
                    self.make_if(test_core, yes, result, span)
                }
            };
        }
        result
    }

    pub(super) fn case(
        &mut self,
        key: &Datum,
        clauses: &[Datum],
        scope: ScopeId,
        span: Span,
    ) -> Core {
        let value = self.expr(key, scope);
        let temp = self.temp("key", key.span);
        let mut result = Core::new(CoreKind::Unspecified, span);
        for (index, clause) in clauses.iter().enumerate().rev() {
            let Some([data, body @ ..]) = clause.as_list().filter(|it| it.len() > 1) else {
                self.bad(clause.span, "a clause of `case` is `((datum …) expression …)`");
                continue;
            };
            let chosen = match body {
                [arrow, receiver] if self.is_keyword(arrow, scope, "=>") => {
                    let receiver = self.expr(receiver, scope);
                    let value = self.var_ref(temp, key.span);
                    self.make_call(receiver, vec![value], clause.span)
                }
                [arrow, ..] if self.is_keyword(arrow, scope, "=>") => {
                    self.bad(arrow.span, "one procedure follows `=>`: `((datum …) => procedure)`");
                    continue;
                }
                _ => self.sequence(body, scope, clause.span),
            };
            if self.is_keyword(data, scope, "else") {
                if index + 1 != clauses.len() {
                    self.bad(data.span, "`else` is not the last clause");
                }
                result = chosen;
                continue;
            }
            let Some(data) = data.as_list() else {
                self.bad(data.span, "the data of a clause of `case` stand in a list");
                continue;
            };
            let mut tests: Vec<Core> = Vec::new();
            for datum in data {
                let constant = Core::new(CoreKind::Const(self.strip(datum)), datum.span);
                let value = self.var_ref(temp, key.span);
                tests.push(self.call("eqv?", vec![value, constant], datum.span));
            }
            let test = match tests.len() {
                0 => Core::new(CoreKind::Const(Datum::new(DatumKind::Bool(false), span)), span),
                1 => tests.remove(0),
                _ => Core::new(CoreKind::Or(tests), clause.span),
            };
            result = self.make_if(test, chosen, result, clause.span);
        }
        Core::new(CoreKind::Let(vec![(temp, value)], Box::new(result)), span)
    }

    /// `(guard (e clause …) body …)`: what no clause takes is raised again.
    pub(super) fn guard(
        &mut self,
        clauses: &Datum,
        body: &[Datum],
        scope: ScopeId,
        span: Span,
    ) -> Core {
        let Some([name, clauses @ ..]) = clauses.as_list() else {
            return self.bad_core(clauses.span, "`guard` begins with `(name clause …)`");
        };
        let Some(ident) = name.as_ident() else {
            return self.bad_core(name.span, "`guard` needs a name for the object");
        };
        let body_scope = self.scopes.child(Some(scope));
        let body = self.body(body, body_scope, span);
        let inner = self.scopes.child(Some(scope));
        let var = self.new_var(ident, name.span);
        self.scopes.bind(inner, ident, Binding::Var(var));
        let again = self.var_ref(var, name.span);
        let again = self.call(known::RERAISE, vec![again], span);
        let handler = self.cond_or("guard", clauses, inner, again);
        Core::new(CoreKind::Guard { body: Box::new(body), var, handler: Box::new(handler) }, span)
    }
}
