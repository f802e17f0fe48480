//! `(lambda (a #!optional b c . rest) …)`: parameters that may be left out.
//!
//! ```text
//! (let ((all (lambda (a b c rest) …)))
//!   (case-lambda ((a) (all a %default %default '()))
//!                ((a b) (all a b %default '()))
//!                ((a b c . rest) (all a b c rest))))
//! ```
//!
//! `(default-object? b)` tells whether one was left out.

use oxbow_base::{Span, Symbol};

use super::Expander;
use super::binding::let_core;
use super::scope::ScopeId;
use crate::core::{Core, CoreKind, Lambda, VarId};
use crate::datum::{Datum, DatumKind, OPTIONAL};
use crate::known;

impl Expander<'_> {
    /// Where `#!optional` stands in a list of parameters.
    pub(super) fn optional_place(&self, params: &Datum) -> Option<usize> {
        let DatumKind::List(items, _) = &params.kind else { return None };
        items.iter().position(|it| self.is_optional(it))
    }

    pub(super) fn is_optional(&self, datum: &Datum) -> bool {
        datum.as_ident().is_some_and(|it| self.scopes.symbol(it).as_str() == OPTIONAL)
    }

    pub(super) fn optional_lambda(
        &mut self,
        params: &Datum,
        place: usize,
        body: &[Datum],
        scope: ScopeId,
        name: Option<Symbol>,
        span: Span,
    ) -> Core {
        let DatumKind::List(items, tail) = &params.kind else {
            oxbow_diag::ice!("parameters are a list")
        };
        let mut names: Vec<Datum> = items.clone();
        names.remove(place);
        let named = names.len();
        names.extend(tail.as_deref().cloned());
        let names = Datum::new(DatumKind::List(names, None), params.span);
        let whole = self.lambda_of(&names, body, scope, name, span);
        let all = self.temp("all", span);
        let clauses = (place..=named)
            .map(|given| {
                let clause = self.optional_clause(all, given, named, tail.is_some(), span);
                Lambda { name, ..clause }
            })
            .collect();
        let bound = vec![(all, Core::new(CoreKind::Lambda(Box::new(whole)), span))];
        let_core(bound, Core::new(CoreKind::CaseLambda(clauses), span), span)
    }

    /// The clause for so many of the named parameters.
    fn optional_clause(
        &mut self,
        all: VarId,
        given: usize,
        named: usize,
        has_rest: bool,
        span: Span,
    ) -> Lambda {
        let params: Vec<VarId> = (0..given).map(|_| self.temp("given", span)).collect();
        let rest = (has_rest && given == named).then(|| self.temp("rest", span));
        let mut args: Vec<Core> = params.iter().map(|&it| self.var_ref(it, span)).collect();
        args.extend((given..named).map(|_| self.library(known::DEFAULT, span)));
        if has_rest {
            args.push(match rest {
                Some(rest) => self.var_ref(rest, span),
                None => Core::new(
                    CoreKind::Const(Datum::new(DatumKind::List(Vec::new(), None), span)),
                    span,
                ),
            });
        }
        let body = Core::new(CoreKind::Call(Box::new(self.var_ref(all, span)), args), span);
        Lambda { params, rest, body, name: None, span, takes_continuation: false }
    }
}
