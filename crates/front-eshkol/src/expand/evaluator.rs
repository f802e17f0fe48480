//! What `eval` finds at run time: the names that are always there, those of libraries that the program defines or
//! imports, and those of the program's own top level.
//!
//! ```text
//! (import (scheme eval))   ⇒   (%define-names! '(car cdr …) (list car cdr …)) …
//! ```
//!
//! Programs that do not read the library of `eval` get none of it. Macros are not handed over: the evaluator has
//! those of R7RS, and `define-syntax`.

use oxbow_base::{Span, Symbol};

use super::Expander;
use super::scope::{Binding, ScopeId};
use crate::core::{Core, CoreKind, Item, Lambda, VarId};
use crate::datum::{Datum, DatumKind, Ident};
use crate::known;
use crate::variant;

/// What is always there for `eval`: the procedures of R7RS, and a few that most Schemes have.
const EVALUATED: &str = include_str!("../evaluated.txt");

/// How many names an item defines.
const CHUNK: usize = 40;

impl Expander<'_> {
    /// Items before those of the program.
    pub(super) fn names_for_eval(&mut self, top: ScopeId) -> Vec<Item> {
        if !self.is_shipped(known::EVALUATOR) {
            return Vec::new();
        }
        let exports = self.libraries.get(known::EVALUATOR).cloned().unwrap_or_default();
        let own = |name: &str| match exports.iter().find(|it| it.0.as_str() == name) {
            Some((_, Binding::Var(var))) => *var,
            _ => oxbow_diag::ice!("the evaluator has no `{name}`"),
        };
        let span = self.vars[own(known::DEFINE_NAMES)].span;
        let mut items = Vec::new();
        let always = EVALUATED.split_whitespace().filter_map(|it| {
            let name = Symbol::new(it);
            Some((name, self.scopes.own(self.base, Ident::Plain(name))?))
        });
        let always = always.collect();
        for names in self.values_of(always).chunks(CHUNK) {
            let values = names.iter().map(|it| self.value_for_eval(it.1, span)).collect();
            let args = vec![self.quoted_names(names, span), self.call("list", values, span)];
            items.push(self.item(own(known::DEFINE_NAMES), args, span));
        }
        let mut libraries: Vec<_> = self.libraries.clone().into_iter().collect();
        libraries.sort_by(|a, b| a.0.cmp(&b.0));
        for (library, exports) in libraries {
            if library == known::EVALUATOR {
                continue;
            }
            let args = vec![self.quoted(DatumKind::String(library), span)];
            let names = self.values_of(exports);
            items.push(self.for_environment(own(known::DEFINE_LIBRARY), args, &names, span));
        }
        if self.is_shipped(known::INTERACTION) {
            let names = self.scopes.names_of(top);
            let is_own = |it: &(Symbol, Binding)| matches!(it.1, Binding::Var(var) if !self.is_library(self.vars[var].span));
            let names: Vec<_> = names.into_iter().filter(is_own).collect();
            items.push(self.for_environment(own(known::DEFINE_PROGRAM), Vec::new(), &names, span));
        }
        items
    }

    /// Those that have values, and are not for the library's own use.
    fn values_of(&self, names: Vec<(Symbol, Binding)>) -> Vec<(Symbol, Binding)> {
        let has_value = |it: &(Symbol, Binding)| {
            matches!(it.1, Binding::Var(_) | Binding::Builtin(_)) && !variant::is_own(it.0)
        };
        names.into_iter().filter(has_value).collect()
    }

    /// `(define-library! … '(x …) (list (cons (lambda () x) (lambda (v) (set! x v))) …))`
    fn for_environment(
        &mut self,
        callee: VarId,
        mut args: Vec<Core>,
        names: &[(Symbol, Binding)],
        span: Span,
    ) -> Item {
        args.push(self.quoted_names(names, span));
        let mut ways = Vec::new();
        for (_, binding) in names {
            let value = self.value_for_eval(*binding, span);
            let get = self.way_of(Vec::new(), value, span);
            let set = match binding {
                Binding::Var(var) if !self.is_library(self.vars[*var].span) => {
                    let param = self.temp("value", span);
                    let value = Box::new(self.var_ref(param, span));
                    self.vars[*var].mutated = true;
                    let body = Core::new(CoreKind::Set(*var, value), span);
                    self.way_of(vec![param], body, span)
                }
                _ => self.quoted(DatumKind::Bool(false), span),
            };
            ways.push(self.call("cons", vec![get, set], span));
        }
        args.push(self.call("list", ways, span));
        self.item(callee, args, span)
    }

    fn item(&self, callee: VarId, args: Vec<Core>, span: Span) -> Item {
        let callee = Box::new(self.var_ref(callee, span));
        Item { var: None, value: Core::new(CoreKind::Call(callee, args), span) }
    }

    fn way_of(&self, params: Vec<VarId>, body: Core, span: Span) -> Core {
        let lambda =
            Lambda { params, rest: None, body, name: None, span, takes_continuation: false };
        Core::new(CoreKind::Lambda(Box::new(lambda)), span)
    }

    fn value_for_eval(&self, binding: Binding, span: Span) -> Core {
        let kind = match binding {
            Binding::Var(var) => CoreKind::Ref(var),
            Binding::Builtin(id) => CoreKind::Builtin(id),
            Binding::Macro(_) | Binding::Special(_) => CoreKind::Unspecified,
        };
        Core::new(kind, span)
    }

    fn quoted(&self, kind: DatumKind, span: Span) -> Core {
        Core::new(CoreKind::Const(Datum::new(kind, span)), span)
    }

    fn quoted_names(&self, names: &[(Symbol, Binding)], span: Span) -> Core {
        let names = names.iter().map(|it| Datum::symbol(it.0.as_str(), span)).collect();
        self.quoted(DatumKind::List(names, None), span)
    }
}

#[cfg(test)]
mod tests {
    use super::EVALUATED;
    use crate::builtin;

    /// What is listed is a builtin, or the library defines it.
    #[test]
    fn names_for_eval_are_there() {
        let library = [
            include_str!("../../../../lib/eshkol/prelude.esk"),
            include_str!("../../../../lib/eshkol/texts.esk"),
            include_str!("../../../../lib/eshkol/lists.esk"),
        ]
        .concat();
        for name in EVALUATED.split_whitespace() {
            let is_builtin = builtin::table().names().any(|it| it.0.as_str() == name);
            let defined = [
                format!("(define ({name} "),
                format!("(define ({name})"),
                format!("(define {name} "),
            ];
            assert!(is_builtin || defined.iter().any(|it| library.contains(it)), "{name}");
        }
    }
}
