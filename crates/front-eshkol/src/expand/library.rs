//! Libraries and files: `import`, `define-library`, `require`, `include`, `cond-expand`.

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;

use super::Expander;
use super::scope::{Binding, ScopeId};
use crate::core::Item;
use crate::datum::{Datum, DatumKind, Ident, Number};
use crate::{reader, variant};

/// The libraries whose names are always there.
const STANDARD: &[&str] = &[
    "scheme base",
    "scheme case-lambda",
    "scheme char",
    "scheme cxr",
    "scheme file",
    "scheme inexact",
    "scheme lazy",
    "scheme process-context",
    "scheme read",
    "scheme time",
    "scheme write",
    "scheme complex",
    "scheme list",
    "scheme sort",
    "scheme hash-table",
    "scheme r5rs",
    "srfi 1",
    "srfi 2",
    "srfi 6",
    "srfi 8",
    "srfi 9",
    "srfi 13",
    "srfi 16",
    "srfi 23",
    "srfi 28",
    "srfi 39",
    "srfi 69",
    "srfi 95",
    "srfi 132",
    "srfi 133",
    "chezscheme",
    "rnrs",
    "rnrs base",
    "eshkol",
    "stdlib",
    "scheme",
];

const FEATURES: &[&str] = &[
    "r7rs",
    "exact-closed",
    "ratios",
    "full-unicode",
    "eshkol",
    "oxbow",
    "srfi-1",
    "srfi-8",
    "srfi-9",
    "srfi-69",
    "srfi-39",
];

/// `(srfi 1)`, as R6RS names it too, and R7RS's own name for it.
fn is_srfi_1(library: &str) -> bool {
    let mut words = library.split(' ');
    library == "scheme list"
        || (words.next() == Some("srfi") && matches!(words.next(), Some("1" | ":1" | "srfi-1")))
}

impl Expander<'_> {
    fn library_name(&self, datum: &Datum) -> String {
        match &datum.kind {
            DatumKind::List(items, _) => {
                items.iter().map(|it| self.library_name(it)).collect::<Vec<_>>().join(" ")
            }
            DatumKind::Ident(ident) => self.scopes.symbol(*ident).to_string(),
            DatumKind::Number(Number::Fixnum(it)) => it.to_string(),
            DatumKind::String(text) => text.clone(),
            _ => "?".into(),
        }
    }

    pub(super) fn import(&mut self, sets: &[Datum], scope: ScopeId) {
        for set in sets {
            let Some(names) = self.import_set(set) else { continue };
            for (name, binding) in names {
                if self.scopes.lookup(scope, Ident::Plain(name)) != Some(binding) {
                    self.scopes.bind(scope, Ident::Plain(name), binding);
                }
            }
        }
    }

    fn import_set(&mut self, set: &Datum) -> Option<Vec<(Symbol, Binding)>> {
        let items = set.as_list().unwrap_or_default();
        let head =
            items.first().and_then(Datum::as_ident).map(|it| self.scopes.symbol(it).as_str());
        let symbol = |this: &Self, it: &Datum| it.as_ident().map(|it| this.scopes.symbol(it));
        match (head, items) {
            (Some("only"), [_, inner, names @ ..]) if inner.as_list().is_some() => {
                let all = self.import_set(inner)?;
                let mut kept = Vec::new();
                for name in names {
                    let wanted = symbol(self, name)?;
                    match all.iter().find(|it| it.0 == wanted) {
                        Some(it) => kept.push(*it),
                        None => self.no_export(name, wanted),
                    }
                }
                Some(kept)
            }
            (Some("except"), [_, inner, names @ ..]) if inner.as_list().is_some() => {
                let mut all = self.import_set(inner)?;
                for name in names {
                    let wanted = symbol(self, name)?;
                    all.retain(|it| it.0 != wanted);
                }
                Some(all)
            }
            (Some("prefix"), [_, inner, prefix]) if inner.as_list().is_some() => {
                let all = self.import_set(inner)?;
                let prefix = symbol(self, prefix)?;
                let renamed = |name: Symbol| Symbol::new(&format!("{prefix}{name}"));
                Some(all.into_iter().map(|(name, binding)| (renamed(name), binding)).collect())
            }
            (Some("rename"), [_, inner, pairs @ ..]) if inner.as_list().is_some() => {
                let mut all = self.import_set(inner)?;
                for pair in pairs {
                    let Some([from, to]) = pair.as_list() else {
                        self.bad(pair.span, "a renaming is `(from to)`");
                        continue;
                    };
                    let (wanted, to) = (symbol(self, from)?, symbol(self, to)?);
                    match all.iter_mut().find(|it| it.0 == wanted) {
                        Some(it) => it.0 = to,
                        None => self.no_export(from, wanted),
                    }
                }
                Some(all)
            }
            _ => self.whole_library(set),
        }
    }

    fn no_export(&mut self, at: &Datum, name: Symbol) {
        self.diagnostics.error(
            Diagnostic::error("E0432", format!("the library does not export `{name}`"))
                .at(at.span, ""),
        );
    }

    fn whole_library(&mut self, set: &Datum) -> Option<Vec<(Symbol, Binding)>> {
        let name = self.library_name(set);
        if let Some(exports) = self.libraries.get(&name) {
            return Some(exports.clone());
        }
        if STANDARD.contains(&name.as_str())
            || name.starts_with("srfi ")
            || name.starts_with("rnrs ")
        {
            return Some(self.standard_names(&name));
        }
        self.diagnostics.error(
            Diagnostic::error("E0433", format!("there is no library `({name})`"))
                .at(set.span, "")
                .help("define it by `define-library` before this, or `include` its file"),
        );
        None
    }

    /// The names of a standard library: all that are always there. Those that SRFI 1 means otherwise are its own there,
    /// and only Eshkol's libraries export Eshkol's: `(import (srfi 1) (scheme base))` leaves `fold` to SRFI 1.
    fn standard_names(&self, library: &str) -> Vec<(Symbol, Binding)> {
        let mut names = self.scopes.names_of(self.base);
        if matches!(library, "eshkol" | "stdlib") {
            return names;
        }
        let others: Vec<(Symbol, Binding)> =
            names.iter().filter_map(|it| Some((variant::of_srfi_1(it.0)?, it.1))).collect();
        names.retain(|it| others.iter().all(|other| other.0 != it.0));
        if is_srfi_1(library) {
            names.extend(others);
        }
        names
    }

    pub(super) fn define_library(&mut self, args: &[Datum], span: Span) -> Vec<Item> {
        let Some((name, declarations)) = args.split_first() else {
            self.bad(span, "`define-library` needs a name");
            return Vec::new();
        };
        let scope = self.scopes.child(Some(self.base));
        let mut forms = Vec::new();
        let mut exports = Vec::new();
        self.declarations(declarations, scope, &mut forms, &mut exports);
        let items = self.body_items(&forms, scope, true);
        let mut exported = Vec::new();
        for (inner, outer, at) in exports {
            match self.scopes.lookup(scope, Ident::Plain(inner)) {
                Some(binding) => exported.push((outer, binding)),
                None => self.no_export(&at, inner),
            }
        }
        let name = self.library_name(name);
        self.libraries.insert(name, exported);
        items
    }

    fn declarations(
        &mut self,
        declarations: &[Datum],
        scope: ScopeId,
        forms: &mut Vec<Datum>,
        exports: &mut Vec<(Symbol, Symbol, Datum)>,
    ) {
        for declaration in declarations {
            let items = declaration.as_list().unwrap_or_default();
            let head =
                items.first().and_then(Datum::as_ident).map(|it| self.scopes.symbol(it).as_str());
            let args = items.get(1..).unwrap_or_default();
            match head {
                Some("export") => {
                    for it in args {
                        let names: Vec<Symbol> = match &it.kind {
                            DatumKind::Ident(ident) => vec![self.scopes.symbol(*ident); 2],
                            DatumKind::List(parts, None) if parts.len() == 3 => parts[1..]
                                .iter()
                                .filter_map(|it| Some(self.scopes.symbol(it.as_ident()?)))
                                .collect(),
                            _ => Vec::new(),
                        };
                        match names[..] {
                            [inner, outer] => exports.push((inner, outer, it.clone())),
                            _ => self.bad(it.span, "an export is a name or `(rename from to)`"),
                        }
                    }
                }
                Some("import") => self.import(args, scope),
                Some("begin") => forms.extend(args.iter().cloned()),
                Some("include" | "include-ci") => {
                    let more = self.include(args, declaration.span);
                    forms.extend(more);
                }
                Some("include-library-declarations") => {
                    let more = self.include(args, declaration.span);
                    self.declarations(&more, scope, forms, exports);
                }
                Some("cond-expand") => {
                    let more = self.cond_expand(args, scope, declaration.span);
                    self.declarations(&more, scope, forms, exports);
                }
                _ => self.bad(declaration.span, "this is not a declaration of a library"),
            }
        }
    }

    /// `(require stdlib)` means what is always there; `(require name)` the file `name.esk`.
    pub(super) fn require(&mut self, args: &[Datum], scope: ScopeId, span: Span) -> Vec<Item> {
        let mut items = Vec::new();
        for arg in args {
            let name = self.library_name(arg);
            let last = name.rsplit('.').next().unwrap_or("");
            if STANDARD.contains(&name.as_str()) || name.starts_with("core.") || last == "stdlib" {
                continue;
            }
            if self.required.insert(name.clone(), ()).is_some() {
                continue;
            }
            let path = if matches!(arg.kind, DatumKind::String(_)) {
                name.clone()
            } else {
                format!("{}.esk", name.replace('.', "/"))
            };
            let forms = self.file_forms(&path, arg.span, span);
            items.extend(self.body_items(&forms, scope, true));
        }
        items
    }

    pub(super) fn include(&mut self, args: &[Datum], span: Span) -> Vec<Datum> {
        let mut forms = Vec::new();
        for arg in args {
            match self.string_datum(arg) {
                Some(path) => forms.extend(self.file_forms(&path, arg.span, span)),
                None => self.bad(arg.span, "the name of a file is a string"),
            }
        }
        forms
    }

    fn file_forms(&mut self, path: &str, at: Span, span: Span) -> Vec<Datum> {
        match (self.files)(path, span.file) {
            Ok((file, text)) => reader::read(file, &text, self.diagnostics),
            Err(reason) => {
                self.diagnostics.error(
                    Diagnostic::error("E0434", format!("cannot read `{path}`: {reason}"))
                        .at(at, ""),
                );
                Vec::new()
            }
        }
    }

    pub(super) fn cond_expand(
        &mut self,
        clauses: &[Datum],
        scope: ScopeId,
        span: Span,
    ) -> Vec<Datum> {
        for clause in clauses {
            let Some((requirement, forms)) = clause.as_list().and_then(<[Datum]>::split_first)
            else {
                self.bad(clause.span, "a clause of `cond-expand` is `(requirement form …)`");
                continue;
            };
            if self.is_keyword(requirement, scope, "else") || self.holds(requirement) {
                return forms.to_vec();
            }
        }
        if clauses.is_empty() {
            self.bad(span, "`cond-expand` needs clauses");
        }
        Vec::new()
    }

    fn holds(&mut self, requirement: &Datum) -> bool {
        match &requirement.kind {
            DatumKind::Ident(ident) => FEATURES.contains(&self.scopes.symbol(*ident).as_str()),
            DatumKind::List(items, None) => {
                let head = items
                    .first()
                    .and_then(Datum::as_ident)
                    .map(|it| self.scopes.symbol(it).as_str());
                let rest = items.get(1..).unwrap_or_default();
                match head {
                    Some("and") => rest.iter().all(|it| self.holds(it)),
                    Some("or") => rest.iter().any(|it| self.holds(it)),
                    Some("not") => !rest.iter().any(|it| self.holds(it)),
                    Some("library") => rest.iter().any(|it| {
                        let name = self.library_name(it);
                        STANDARD.contains(&name.as_str()) || self.libraries.contains_key(&name)
                    }),
                    _ => {
                        self.bad(requirement.span, "unknown requirement");
                        false
                    }
                }
            }
            _ => false,
        }
    }
}
