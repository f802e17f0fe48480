//! Libraries and files: `import`, `define-library`, `require`, `include`, `cond-expand`.

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;

use super::scope::{Binding, ScopeId};
use super::{Dialect, Expander};
use crate::core::Item;
use crate::datum::{Datum, DatumKind, Ident, Number};
use crate::{reader, variant};

/// The libraries whose names are always there. All others are the program's own, or shipped.
const STANDARD: &[&str] = &[
    "scheme base",
    "scheme case-lambda",
    "scheme char",
    "scheme complex",
    "scheme cxr",
    "scheme file",
    "scheme inexact",
    "scheme lazy",
    "scheme process-context",
    "scheme read",
    "scheme time",
    "scheme write",
    "chezscheme",
    "rnrs",
    "eshkol",
    "stdlib",
    "scheme",
];

/// R7RS-large's names for SRFIs.
const LARGE: &[(&str, &str)] = &[
    ("scheme bitwise", "srfi 151"),
    ("scheme box", "srfi 111"),
    ("scheme charset", "srfi 14"),
    ("scheme comparator", "srfi 128"),
    ("scheme fixnum", "srfi 143"),
    ("scheme flonum", "srfi 144"),
    ("scheme generator", "srfi 158"),
    ("scheme hash-table", "srfi 125"),
    ("scheme list", "srfi 1"),
    ("scheme list-queue", "srfi 117"),
    ("scheme regex", "srfi 115"),
    ("scheme sort", "srfi 132"),
    ("scheme stream", "srfi 41"),
    ("scheme vector", "srfi 133"),
];

/// What is read when a program mentions such a name and neither defines nor imports it.
const ON_MENTION: &[(&str, &str)] = &[
    ("environment", "scheme eval"),
    ("eval", "scheme eval"),
    ("interaction-environment", "scheme repl"),
    ("null-environment", "scheme r5rs"),
    ("scheme-report-environment", "scheme r5rs"),
    ("system-global-environment", "scheme repl"),
];

/// Libraries that Eshkol's programs have without an import: what each defines is read when a program mentions one of
/// its names and neither defines nor imports it.
const OF_ESHKOL: &[&str] =
    &["eshkol names", "eshkol streams", "eshkol random", "eshkol symbolic", "eshkol tensors"];

/// Eshkol's modules that have libraries of ours. The others of its `core` have no text: their names are always there.
const MODULES: &[(&str, &str)] = &[
    ("math", "eshkol math"),
    ("math.constants", "eshkol math"),
    ("math.statistics", "eshkol math"),
    ("random", "eshkol random"),
    ("random.random", "eshkol random"),
    ("core.streams", "eshkol streams"),
];

/// Its modules whose names are always there, or found when they are mentioned.
const CORE: &[&str] = &[
    "core.alist",
    "core.control.trampoline",
    "core.functional",
    "core.functional.compose",
    "core.functional.curry",
    "core.functional.flip",
    "core.io",
    "core.list",
    "core.list.compound",
    "core.list.convert",
    "core.list.generate",
    "core.list.higher_order",
    "core.list.query",
    "core.list.search",
    "core.list.sort",
    "core.list.transform",
    "core.logic",
    "core.logic.boolean",
    "core.logic.predicates",
    "core.logic.types",
    "core.numeric_extras",
    "core.operators",
    "core.operators.arithmetic",
    "core.operators.compare",
    "core.reflection",
    "core.strings",
];

const FEATURES: &[&str] =
    &["r7rs", "exact-closed", "exact-complex", "ratios", "full-unicode", "eshkol", "oxbow"];

/// The SRFI in `(srfi 41)`, `(srfi :41 streams)` and `(srfi srfi-41)`.
fn srfi_number(library: &str) -> Option<&str> {
    let number = library.strip_prefix("srfi ")?.split(' ').next()?;
    let number = number.strip_prefix(':').or(number.strip_prefix("srfi-")).unwrap_or(number);
    number.bytes().all(|it| it.is_ascii_digit()).then_some(number)
}

/// The one name that a library is known by.
fn canonical(library: &str) -> String {
    if let Some(number) = srfi_number(library) {
        return format!("srfi {number}");
    }
    let large = LARGE.iter().find(|it| it.0 == library);
    large.map_or(library, |it| it.1).to_string()
}

fn is_standard(library: &str) -> bool {
    STANDARD.contains(&library) || library.starts_with("rnrs ")
}

/// The names that the text of a library exports: those behind `(export` up to the end of the list.
fn exports(text: &str) -> impl Iterator<Item = &str> {
    let list = text.split_once("(export").and_then(|it| it.1.split_once(')'));
    list.map_or("", |it| it.0).split_whitespace()
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
            let gives_way = !matches!(self.library_name(set).as_str(), "eshkol" | "stdlib");
            for (name, binding) in names {
                let ident = Ident::Plain(name);
                let known = self.scopes.lookup(scope, ident);
                if known == Some(binding) || variant::is_own(name) && !self.is_library(set.span) {
                    continue;
                }
                // The standard libraries export all that is always there, which does not take the place of what
                // another import gave: `(import (srfi 1) (scheme base))` leaves `fold` to SRFI 1.
                let always_there = self.scopes.own(self.base, ident) == Some(binding);
                if !(gives_way && always_there && self.scopes.own(scope, ident).is_some()) {
                    self.scopes.bind(scope, ident, binding);
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
        let written = self.library_name(set);
        let name = canonical(&written);
        if let Some(exports) = self.libraries.get(&name) {
            return Some(exports.clone());
        }
        if is_standard(&name) {
            self.imports_complex |= name == "scheme complex";
            return Some(self.scopes.names_of(self.base));
        }
        if let Some(exports) = self.shipped_library(&name) {
            return Some(exports);
        }
        self.diagnostics.error(
            Diagnostic::error("E0433", format!("there is no library `({written})`"))
                .at(set.span, "")
                .help("define it by `define-library` before this, or `include` its file"),
        );
        None
    }

    /// Whether a library is one that was read from those that are shipped.
    pub(super) fn is_shipped(&self, name: &str) -> bool {
        self.shipped.contains(name)
    }

    /// A library that is read when it is first imported.
    fn shipped_library(&mut self, name: &str) -> Option<Vec<(Symbol, Binding)>> {
        let (file, text) = (self.texts.shipped)(&name.replace(' ', "-"))?;
        self.library_files.push(file);
        self.shipped.insert(name.to_string());
        for form in reader::read(file, text, self.diagnostics) {
            let args = form.as_list().and_then(|it| it.get(1..)).unwrap_or_default();
            let items = self.define_library(args, form.span);
            self.shipped_items.extend(items);
        }
        self.libraries.get(name).cloned()
    }

    /// Reads the library of a name that is not always there.
    pub(super) fn load_for(&mut self, ident: Ident, span: Span) -> bool {
        let name = self.scopes.symbol(ident);
        let on_mention = ON_MENTION.iter().find(|it| it.0 == name.as_str()).map(|it| it.1);
        let Some(library) = on_mention.or_else(|| self.library_of_eshkol(name, span)) else {
            return false;
        };
        let names = library.split(' ').map(|it| Datum::symbol(it, span)).collect();
        let Some(exports) = self.whole_library(&Datum::list(names, span)) else { return false };
        let found = exports.iter().find(|it| it.0 == name);
        if let Some((name, binding)) = found {
            self.scopes.bind(self.base, Ident::Plain(*name), *binding);
        }
        found.is_some()
    }

    /// The library of Eshkol's that exports a name. Their texts are not long, and few names are unbound.
    fn library_of_eshkol(&mut self, name: Symbol, span: Span) -> Option<&'static str> {
        if !self.is_eshkol(span) {
            return None;
        }
        if self.names_of_eshkol.is_empty() {
            for library in OF_ESHKOL {
                let file = library.replace(' ', "-");
                let text = (self.texts.shipped)(&file).map_or("", |it| it.1);
                let names = exports(text).map(|it| (Symbol::new(it), *library));
                self.names_of_eshkol.extend(names);
            }
        }
        self.names_of_eshkol.get(&name).copied()
    }

    pub(super) fn define_library(&mut self, args: &[Datum], span: Span) -> Vec<Item> {
        let Some((name, declarations)) = args.split_first() else {
            self.bad(span, "`define-library` needs a name");
            return Vec::new();
        };
        let scope = self.scopes.child(Some(self.base));
        if self.is_library(span) {
            self.shipped_scopes.push(scope);
        }
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
            if is_standard(&name) || CORE.contains(&name.as_str()) || last == "stdlib" {
                continue;
            }
            if let Some((_, library)) = MODULES.iter().find(|it| it.0 == name) {
                let names = library.split(' ').map(|it| Datum::symbol(it, arg.span)).collect();
                self.import(&[Datum::list(names, arg.span)], scope);
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
        match (self.texts.files)(path, span.file) {
            Ok((file, text)) => {
                self.note_dialect(file, Dialect::of(path));
                reader::read(file, &text, self.diagnostics)
            }
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
            DatumKind::Ident(ident) => {
                let feature = self.scopes.symbol(*ident).as_str();
                FEATURES.contains(&feature)
                    || feature.starts_with("srfi-") && (self.texts.shipped)(feature).is_some()
            }
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
                        let name = canonical(&self.library_name(it));
                        is_standard(&name)
                            || self.libraries.contains_key(&name)
                            || (self.texts.shipped)(&name.replace(' ', "-")).is_some()
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
