//! Procedures and their parameters.

use oxbow_base::{Span, Symbol};

use super::Expander;
use super::scope::{Binding, ScopeId};
use crate::core::{Core, CoreKind, Lambda, VarId};
use crate::datum::{Datum, DatumKind};

impl Expander<'_> {
    /// A lambda without parameters around an expression.
    pub(super) fn thunk(&mut self, body: Core) -> Core {
        let span = body.span;
        let lambda = Lambda {
            params: Vec::new(),
            rest: None,
            body,
            name: None,
            span,
            takes_continuation: false,
        };
        Core::new(CoreKind::Lambda(Box::new(lambda)), span)
    }

    pub(super) fn lambda(
        &mut self,
        params: &Datum,
        body: &[Datum],
        scope: ScopeId,
        name: Option<Symbol>,
        span: Span,
    ) -> Core {
        if let Some(place) = self.optional_place(params) {
            return self.optional_lambda(params, place, body, scope, name, span);
        }
        if let DatumKind::List(items, _) = &params.kind
            && items.iter().any(|it| it.keyword().is_some())
            && self.is_eshkol(params.span)
        {
            return self.keyword_lambda(params, body, scope, name, span);
        }
        let lambda = self.lambda_of(params, body, scope, name, span);
        Core::new(CoreKind::Lambda(Box::new(lambda)), span)
    }

    pub(super) fn lambda_of(
        &mut self,
        params: &Datum,
        body: &[Datum],
        scope: ScopeId,
        name: Option<Symbol>,
        span: Span,
    ) -> Lambda {
        let inner = self.scopes.child(Some(scope));
        let (params, rest) = self.formals(params, inner);
        let body = self.body(body, inner, span);
        Lambda { params, rest, body, name, span, takes_continuation: false }
    }

    /// Binds the parameters.
    pub(super) fn formals(
        &mut self,
        params: &Datum,
        inner: ScopeId,
    ) -> (Vec<VarId>, Option<VarId>) {
        let (items, tail): (&[Datum], Option<&Datum>) = match &params.kind {
            DatumKind::Ident(_) => (&[], Some(params)),
            DatumKind::List(items, tail) => (items, tail.as_deref()),
            _ => {
                self.bad(params.span, "the parameters of a procedure are names in a list");
                (&[], None)
            }
        };
        let mut vars = Vec::new();
        for item in items.iter().chain(tail) {
            let item = self.untyped(item);
            let Some(ident) = item.as_ident() else {
                self.bad(item.span, "a parameter is a name");
                continue;
            };
            if item.keyword().is_some() {
                self.bad(item.span, "keywords are Eshkol's: R7RS has none");
                continue;
            }
            if self.is_optional(item) {
                self.bad(
                    item.span,
                    "`#!optional` stands once, in the parameters of `lambda` or `define`",
                );
                continue;
            }
            if self.scopes.own(inner, ident).is_some() {
                let name = self.scopes.symbol(ident);
                self.bad(item.span, &format!("the parameter `{name}` stands here twice"));
            }
            let var = self.new_var(ident, item.span);
            self.scopes.bind(inner, ident, Binding::Var(var));
            vars.push(var);
        }
        let rest = if tail.is_some() { vars.pop() } else { None };
        (vars, rest)
    }

    /// `(named-lambda (name parameter …) body …)`
    pub(super) fn named_lambda(
        &mut self,
        head: &Datum,
        body: &[Datum],
        scope: ScopeId,
        span: Span,
    ) -> Core {
        match &head.kind {
            DatumKind::List(parts, tail) if !parts.is_empty() => {
                let name = parts[0].as_ident().map(|it| self.scopes.symbol(it));
                let params = DatumKind::List(parts[1..].to_vec(), tail.clone());
                self.lambda(&Datum::new(params, head.span), body, scope, name, span)
            }
            _ => self.bad_core(head.span, "`named-lambda` needs a name and parameters"),
        }
    }
}
