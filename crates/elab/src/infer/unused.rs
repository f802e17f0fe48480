//! Variables that nothing uses (W0026).
//!
//! As in OCaml this is about variables bound by a local `let` or by `as`, which are there to be
//! used; parameters and other parts of patterns need not be. Of a pattern with several variables one is enough.
//! In a recursive group the uses inside of a definition count when the definition itself is used:
//!
//! ```text
//! let rec f x = f (x - 1) in 0        `f` is not used
//! ```

use oxbow_base::Language;
use oxbow_diag::Diagnostic;
use oxbow_psg::VarId;

use crate::ast::{self, Name, PatternKind};

use super::env::{Env, ValueKind};
use super::{Infer, Unit};

const CODE: &str = "W0026";

impl Infer<'_> {
    /// Does this file want to hear of unused variables?
    pub(super) fn notices_unused(unit: &Unit) -> bool {
        !unit.library && !unit.generated && unit.language == Language::Ocaml
    }

    /// Notes which of a group's own variables one of its definitions uses.
    pub(super) fn note_uses_inside(&mut self, var: VarId, group: &[VarId]) {
        let inside: Vec<VarId> =
            group.iter().copied().filter(|&it| self.usage.used.remove(it)).collect();
        self.usage.used_inside.insert(var, inside);
    }

    /// The variables of a `let`, when its body has been inferred in `scope`.
    pub(super) fn check_unused(&mut self, bindings: &[ast::Binding], scope: &Env) {
        if !self.usage.warns || self.library {
            return;
        }
        let mut names = Vec::new();
        for binding in bindings {
            let mut of_binding = Vec::new();
            for_each_name(&binding.pattern, &mut |name, _| {
                of_binding.extend(var_of(scope, name).map(|var| (name, var)));
            });
            names.push(of_binding);
        }
        let mut todo: Vec<VarId> = names
            .iter()
            .flatten()
            .map(|it| it.1)
            .filter(|&it| self.usage.used.contains(it))
            .collect();
        while let Some(var) = todo.pop() {
            let inside = self.usage.used_inside.get(var).cloned().unwrap_or_default();
            todo.extend(inside.into_iter().filter(|&it| self.usage.used.insert(it)));
        }
        for of_binding in names {
            if of_binding.iter().all(|it| !self.usage.used.contains(it.1)) {
                of_binding.into_iter().for_each(|(name, _)| self.note_unused(name));
            }
        }
    }

    /// The names that a pattern binds by `as`, when the code behind it has been inferred.
    pub(super) fn check_unused_aliases(&mut self, pattern: &ast::Pattern, scope: &Env) {
        if !self.usage.warns || self.library {
            return;
        }
        let mut unused = Vec::new();
        for_each_name(pattern, &mut |name, is_alias| {
            if is_alias && var_of(scope, name).is_some_and(|it| !self.usage.used.contains(it)) {
                unused.push(name);
            }
        });
        unused.into_iter().for_each(|name| self.note_unused(name));
    }

    fn note_unused(&mut self, name: Name) {
        // A functor's body is inferred for each of its applications.
        if !name.text.as_str().starts_with('_') && !self.usage.found.contains(&name) {
            self.usage.found.push(name);
        }
    }

    /// Reports what was found in a file, from top to bottom.
    pub(super) fn report_unused(&mut self) {
        let mut unused = std::mem::take(&mut self.usage.found);
        unused.sort_by_key(|it| it.span);
        for Name { text, span } in unused {
            self.diagnostics.warning(
                Diagnostic::warning(CODE, format!("unused variable `{text}`"))
                    .at(span, "never used")
                    .help(format!("if that is meant, begin the name with `_`: `_{text}`")),
            );
        }
    }
}

/// The variable that a name means, if it is the one bound there.
fn var_of(scope: &Env, name: Name) -> Option<VarId> {
    let value = scope.value(name.text)?;
    match value.kind {
        ValueKind::Var(var) if value.span == name.span => Some(var),
        _ => None,
    }
}

/// Calls `visit` for each name that a pattern binds, and says whether it is bound by `as`.
fn for_each_name(pattern: &ast::Pattern, visit: &mut dyn FnMut(Name, bool)) {
    let mut todo = vec![pattern];
    while let Some(pattern) = todo.pop() {
        match &pattern.kind {
            PatternKind::Var(name) => visit(*name, false),
            PatternKind::Alias(inner, name) => {
                visit(*name, true);
                todo.push(inner);
            }
            PatternKind::Tuple(items) | PatternKind::List(items) | PatternKind::Array(items) => {
                todo.extend(items)
            }
            PatternKind::Construct(_, inner) | PatternKind::Variant(_, inner) => {
                todo.extend(inner.as_deref())
            }
            PatternKind::ConstructTypes(_, _, inner) => todo.push(inner),
            PatternKind::Record { fields, .. } => todo.extend(fields.iter().map(|it| &it.1)),
            PatternKind::Or(left, _) => todo.push(left),
            PatternKind::Annotate(inner, _) | PatternKind::Lazy(inner) => todo.push(inner),
            _ => (),
        }
    }
}
