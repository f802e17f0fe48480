//! Quasiquotation.

use super::Expander;
use super::scope::ScopeId;
use crate::core::{Core, CoreKind};
use crate::datum::{Datum, DatumKind};

impl Expander<'_> {
    pub(super) fn quasi(&mut self, datum: &Datum, scope: ScopeId, level: usize) -> Core {
        let span = datum.span;
        match &datum.kind {
            DatumKind::List(items, tail) => {
                if tail.is_none()
                    && let [head, inner] = &items[..]
                {
                    if self.is_keyword(head, scope, "unquote") {
                        if level == 1 {
                            return self.expr(inner, scope);
                        }
                        return self.rebuilt("unquote", inner, scope, level - 1);
                    }
                    if self.is_keyword(head, scope, "unquote-splicing") && level == 1 {
                        return self
                            .bad_core(span, "`unquote-splicing` (`,@`) stands outside of a list");
                    }
                    if self.is_keyword(head, scope, "quasiquote") {
                        return self.rebuilt("quasiquote", inner, scope, level + 1);
                    }
                }
                if !self.has_unquote(datum, scope) {
                    return Core::new(CoreKind::Const(self.strip(datum)), span);
                }
                self.quasi_items(items, tail.as_deref(), scope, level, span)
            }
            DatumKind::Vector(items) if self.has_unquote(datum, scope) => {
                let list = self.quasi_items(items, None, scope, level, span);
                self.call("list->vector", vec![list], span)
            }
            _ => Core::new(CoreKind::Const(self.strip(datum)), span),
        }
    }

    fn quasi_items(
        &mut self,
        items: &[Datum],
        tail: Option<&Datum>,
        scope: ScopeId,
        level: usize,
        span: oxbow_base::Span,
    ) -> Core {
        // `(a . ,b)` reads as `(a unquote b)`.
        let mut items = items;
        let mut result = match tail {
            Some(tail) => self.quasi(tail, scope, level),
            None => match items {
                [before @ .., mark, last]
                    if !before.is_empty() && self.is_keyword(mark, scope, "unquote") =>
                {
                    let pair = Datum::list(vec![mark.clone(), last.clone()], span);
                    items = before;
                    self.quasi(&pair, scope, level)
                }
                _ => Core::new(CoreKind::Const(Datum::list(Vec::new(), span)), span),
            },
        };
        for item in items.iter().rev() {
            if let Some([head, inner]) = item.as_list()
                && self.is_keyword(head, scope, "unquote-splicing")
            {
                if level == 1 {
                    let spliced = self.expr(inner, scope);
                    let is_end = matches!(&result.kind, CoreKind::Const(it) if it.is_nil());
                    result = if is_end && tail.is_none() {
                        spliced
                    } else {
                        self.call("append", vec![spliced, result], span)
                    };
                    continue;
                }
                let made = self.rebuilt("unquote-splicing", inner, scope, level - 1);
                result = self.call("cons", vec![made, result], span);
                continue;
            }
            let made = self.quasi(item, scope, level);
            result = self.call("cons", vec![made, result], span);
        }
        result
    }

    fn rebuilt(&mut self, name: &str, inner: &Datum, scope: ScopeId, level: usize) -> Core {
        let span = inner.span;
        let head = Core::new(CoreKind::Const(Datum::symbol(name, span)), span);
        let inner = self.quasi(inner, scope, level);
        self.call("list", vec![head, inner], span)
    }

    fn has_unquote(&self, datum: &Datum, scope: ScopeId) -> bool {
        match &datum.kind {
            DatumKind::Ident(_) => {
                self.is_keyword(datum, scope, "unquote")
                    || self.is_keyword(datum, scope, "unquote-splicing")
            }
            DatumKind::List(items, tail) => {
                items.iter().any(|it| self.has_unquote(it, scope))
                    || tail.as_ref().is_some_and(|it| self.has_unquote(it, scope))
            }
            DatumKind::Vector(items) => items.iter().any(|it| self.has_unquote(it, scope)),
            _ => false,
        }
    }
}
