//! What nothing uses, with OCaml's numbers.
//!
//! ```text
//! W0026    a variable of a local `let` or of `as`, which are there to be used; of several in a pattern one is enough
//! W0027    a parameter, or another part of a pattern                                   (only if it is asked for)
//! W0032    a value that its module's signature leaves out                              (only if it is asked for)
//! W0035    the index of a loop                                                         (only if it is asked for)
//! W0039    `rec` of definitions that do not mention each other                         (only if it is asked for)
//! ```
//!
//! Modules, types and constructors are in `unused_types`.
//!
//! In a recursive group the uses inside of a definition count when the definition itself is used:
//!
//! ```text
//! let rec f x = f (x - 1) in 0        `f` is not used
//! ```

use std::rc::Rc;

use oxbow_base::{IdSet, Language, Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::VarId;

use crate::ast::{self, Name, PatternKind};

use super::env::{Env, Module, Structure, ValueKind};
use super::{Infer, Unit};

/// What is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unused {
    Variable,
    Parameter,
    Value,
    Index,
    Rec,
    Open,
    Type,
    Ancestor,
    Ctor(Built),
    Extension(Built, bool),
}

/// How a constructor is used that makes no values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Built {
    Never,
    OnlyMatched,
    /// Others can match it.
    Private,
}

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

    /// The definitions of a `let rec`, when all of them have been inferred.
    pub(super) fn check_rec(&mut self, group: &[(Name, VarId)]) {
        let mentions = |it: &(Name, VarId)| {
            self.usage.used_inside.get(it.1).is_none_or(|inside| !inside.is_empty())
        };
        if let [(first, _), ..] = group
            && !group.iter().any(mentions)
        {
            self.note_unused(Unused::Rec, *first);
        }
    }

    /// `inherit … as name`
    pub(super) fn note_ancestor(&mut self, name: Name) {
        if self.usage.warns && !self.library {
            self.usage.found.push((Unused::Ancestor, name));
        }
    }

    /// The variable of a loop.
    pub(super) fn check_index(&mut self, pattern: &ast::Pattern, var: Option<VarId>) {
        if let (PatternKind::Var(name), Some(var)) = (&pattern.kind, var)
            && !self.usage.used.contains(var)
        {
            self.note_unused(Unused::Index, *name);
        }
    }

    /// What a structure has and its signature does not, as far as it is written within `text`: whether it is used is
    /// known at the end of the file.
    pub(super) fn note_left_out(&mut self, module: &Module, signature: &Module, text: Span) {
        let (Module::Structure(structure), Module::Structure(signature)) = (module, signature)
        else {
            return;
        };
        if !self.usage.warns || self.library {
            return;
        }
        let mut shown = IdSet::new();
        shown_values(structure, signature, &mut shown);
        self.note_parts_left_out(structure, signature, (&shown, text));
    }

    fn note_parts_left_out(
        &mut self,
        structure: &Structure,
        signature: &Structure,
        (shown, text): (&IdSet<VarId>, Span),
    ) {
        for (&name, value) in &structure.values {
            if let ValueKind::Var(var) = value.kind
                && !signature.values.contains_key(&name)
                && !shown.contains(var)
                && text.contains(value.span)
            {
                self.usage.left_out.push((Name { text: name, span: value.span }, var));
            }
        }
        self.note_hidden(structure, signature, text);
        let nothing = Rc::new(Structure::default());
        for (name, module) in &structure.modules {
            let wanted = match signature.modules.get(name) {
                Some(Module::Structure(wanted)) => wanted,
                Some(Module::Functor(_) | Module::Later(_) | Module::Error) => continue,
                None => &nothing,
            };
            if let Module::Structure(inner) = module
                && !Rc::ptr_eq(inner, wanted)
            {
                self.note_parts_left_out(inner, wanted, (shown, text));
            }
        }
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
                of_binding
                    .into_iter()
                    .for_each(|(name, _)| self.note_unused(Unused::Variable, name));
            }
        }
    }

    /// The names that a pattern binds, when the code behind it has been inferred.
    pub(super) fn check_unused_names(&mut self, pattern: &ast::Pattern, scope: &Env) {
        if !self.usage.warns || self.library {
            return;
        }
        let mut unused = Vec::new();
        for_each_name(pattern, &mut |name, is_alias| {
            if var_of(scope, name).is_some_and(|it| !self.usage.used.contains(it)) {
                unused.push((if is_alias { Unused::Variable } else { Unused::Parameter }, name));
            }
        });
        unused.into_iter().for_each(|(kind, name)| self.note_unused(kind, name));
    }

    fn note_unused(&mut self, kind: Unused, name: Name) {
        let is_meant = name.text.as_str().starts_with(|it: char| !it.is_ascii_lowercase());
        if self.usage.warns && !self.library && (!is_meant || kind == Unused::Rec) {
            self.usage.found.push((kind, name));
        }
    }

    /// Reports what was found in a file, from top to bottom.
    pub(super) fn report_unused(&mut self) {
        let left_out = std::mem::take(&mut self.usage.left_out);
        // A functor's body is inferred for each of its applications: one of them is enough.
        let is_used = |it: &&(Name, VarId)| self.usage.used.contains(it.1);
        let used: Vec<Span> = left_out.iter().filter(is_used).map(|it| it.0.span).collect();
        for (name, _) in left_out {
            if !used.contains(&name.span) {
                self.note_unused(Unused::Value, name);
            }
        }
        let mut unused = std::mem::take(&mut self.usage.found);
        unused.extend(self.find_hidden());
        let ancestors = std::mem::take(&mut self.usage.ancestors);
        unused.retain(|it| it.0 != Unused::Ancestor || !ancestors.contains(&it.1.span));
        unused.sort_by_key(|it| (it.1.span, it.0));
        unused.dedup();
        for (kind, Name { text, span }) in unused {
            let (code, message) = match kind {
                Unused::Variable => ("W0026", format!("unused variable `{text}`")),
                Unused::Parameter => ("W0027", format!("unused variable `{text}`")),
                Unused::Value => ("W0032", format!("unused value `{text}`")),
                Unused::Index => ("W0035", format!("unused index `{text}` of a loop")),
                Unused::Rec => ("W0039", "unused `rec`".into()),
                Unused::Open => ("W0033", "nothing is used of this module".into()),
                Unused::Type => ("W0034", format!("unused type `{text}`")),
                Unused::Ancestor => ("W0036", format!("unused name `{text}` of an ancestor")),
                Unused::Ctor(how) => ("W0037", never_built("constructor", text, how)),
                Unused::Extension(how, true) => ("W0038", never_built("exception", text, how)),
                Unused::Extension(how, false) => {
                    ("W0038", never_built("extension constructor", text, how))
                }
            };
            let report = Diagnostic::warning(code, message);
            self.diagnostics.warning(match kind {
                Unused::Rec => report.at(span, "the definitions do not mention each other"),
                Unused::Value => report.at(span, "the signature leaves it out"),
                Unused::Open => report.at(span, "opened in vain"),
                Unused::Type => report.at(span, "nothing mentions it"),
                Unused::Ancestor => report.at(span, "no method is called by it"),
                Unused::Ctor(how) | Unused::Extension(how, _) => report.at(
                    span,
                    match how {
                        Built::Never => "nothing mentions it",
                        Built::OnlyMatched => "it appears in patterns only",
                        Built::Private => "the signature makes its type private",
                    },
                ),
                Unused::Variable | Unused::Parameter | Unused::Index => report
                    .at(span, "never used")
                    .help(format!("if that is meant, begin the name with `_`: `_{text}`")),
            });
        }
    }
}

/// The variables that a signature shows, under whatever name.
fn shown_values(structure: &Structure, signature: &Structure, shown: &mut IdSet<VarId>) {
    for name in signature.values.keys() {
        if let Some(ValueKind::Var(var)) = structure.values.get(name).map(|it| it.kind) {
            shown.insert(var);
        }
    }
    for (name, wanted) in &signature.modules {
        if let (Some(Module::Structure(inner)), Module::Structure(wanted)) =
            (structure.modules.get(name), wanted)
        {
            shown_values(inner, wanted, shown);
        }
    }
}

fn never_built(what: &str, name: Symbol, how: Built) -> String {
    match how {
        Built::Never => format!("unused {what} `{name}`"),
        Built::OnlyMatched | Built::Private => format!("{what} `{name}` makes no values"),
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
            PatternKind::LabelledTuple { items, .. } => todo.extend(items.iter().map(|it| &it.1)),
            PatternKind::Record { fields, .. } => todo.extend(fields.iter().map(|it| &it.1)),
            PatternKind::Or(left, _) => todo.push(left),
            PatternKind::Annotate(inner, _) | PatternKind::Lazy(inner) => todo.push(inner),
            _ => (),
        }
    }
}
