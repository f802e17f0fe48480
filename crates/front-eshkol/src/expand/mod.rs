//! Expansion: from data to the core program. Names are resolved, macros are expanded, derived forms
//! are taken apart, definitions are collected.
//!
//! ```text
//! data ── scan of a body ──▶ definitions and expressions ── expand ──▶ core
//! ```
//!
//! A body is scanned first, so that definitions see each other whatever their order.

mod binding;
mod body;
mod control;
mod dialect;
mod evaluator;
mod forms;
mod lambda;
mod library;
mod matching;
mod notes;
mod optional;
mod quasi;
mod record;
mod rules;
mod scope;
mod shapes;

use std::borrow::Cow;

use oxbow_base::{FileId, FxHashMap, FxHashSet, IdMap, IdSet, IdVec, Span, SparseSet, Symbol};
use oxbow_diag::limits::{self, Budget};
use oxbow_diag::{Diagnostic, Diagnostics};

use crate::Source;
use crate::builtin;
use crate::core::{Core, CoreKind, Item, Program, Var, VarId};
use crate::datum::{Datum, DatumKind, Ident, Number};
use crate::known;
use crate::variant::{self, Calls, Variant};
pub use dialect::Dialect;
pub use notes::Notes;
use scope::{Binding, ScopeId, Scopes};

/// What reads other files: `include`, `require`, libraries. The answer is the file and its text, or why not.
pub type Files<'a> = &'a mut dyn FnMut(&str, FileId) -> Result<(FileId, String), String>;

/// What finds libraries that are shipped and read when they are imported: `srfi-41` for `(srfi 41)`.
pub type Shipped<'a> = &'a mut dyn FnMut(&str) -> Option<(FileId, &'static str)>;

/// Where texts come from that a program asks for.
pub struct Texts<'a> {
    pub files: Files<'a>,
    pub shipped: Shipped<'a>,
}

/// Forms that the expander knows.
const SPECIAL: &[&str] = &[
    "quote",
    "quasiquote",
    "unquote",
    "unquote-splicing",
    "lambda",
    "λ",
    "define",
    "set!",
    "if",
    "let",
    "let*",
    "letrec",
    "letrec*",
    "begin",
    "cond",
    "case",
    "and",
    "or",
    "when",
    "unless",
    "do",
    "delay",
    "delay-force",
    "make-promise-lazy",
    "cons-stream",
    "parameterize",
    "guard",
    "case-lambda",
    "let-values",
    "let*-values",
    "define-values",
    "define-record-type",
    "receive",
    "define-syntax",
    "let-syntax",
    "letrec-syntax",
    "syntax-rules",
    "syntax-error",
    "cond-expand",
    "include",
    "include-ci",
    "import",
    "define-library",
    "require",
    "provide",
    "export",
    "load",
    "assert",
    "fluid-let",
    "match",
    "else",
    "=>",
    "...",
    "_",
    "named-lambda",
    "let/cc",
    "opt-lambda",
    "define-derivative",
];

pub struct Expander<'a> {
    scopes: Scopes,
    macros: Vec<rules::Macro>,
    vars: IdVec<VarId, Var>,
    base: ScopeId,
    /// The user's libraries by name, and the shipped ones that were imported, with what they export.
    libraries: FxHashMap<String, Vec<(Symbol, Binding)>>,
    shipped: FxHashSet<String>,
    /// The names of Eshkol's own libraries, once one was looked for.
    names_of_eshkol: FxHashMap<Symbol, &'static str>,
    imports_complex: bool,
    /// The scopes of shipped libraries, and their definitions.
    shipped_scopes: Vec<ScopeId>,
    shipped_items: Vec<Item>,
    /// Files brought in by `require`, and what they provide.
    required: FxHashMap<String, ()>,
    texts: Texts<'a>,
    library_files: Vec<FileId>,
    /// Files in Scheme; all others that are the program's are in Eshkol.
    scheme_files: SparseSet<FileId>,
    expansions: usize,
    depth: usize,
    /// Data that macros have made.
    made: Budget,
    /// Macros have been reported to make too much; none is expanded any more.
    runaway: bool,
    notes: Option<&'a mut Notes>,
    diagnostics: &'a mut Diagnostics,
}

/// Expands the library and the user's program.
pub fn expand(
    library: &[Datum],
    library_files: &[FileId],
    program: &[Datum],
    source: Source<'_>,
    texts: Texts<'_>,
    notes: Option<&mut Notes>,
    diagnostics: &mut Diagnostics,
) -> Program {
    let builtins = builtin::table();
    let mut expander = Expander {
        scopes: Scopes::default(),
        macros: Vec::new(),
        vars: IdVec::new(),
        base: 0,
        libraries: FxHashMap::default(),
        required: FxHashMap::default(),
        texts: Texts { files: texts.files, shipped: texts.shipped },
        library_files: library_files.to_vec(),
        scheme_files: SparseSet::new(),
        shipped: FxHashSet::default(),
        names_of_eshkol: FxHashMap::default(),
        imports_complex: false,
        shipped_scopes: Vec::new(),
        shipped_items: Vec::new(),
        expansions: 0,
        depth: 0,
        made: Budget::new(limits::EXPANDED),
        runaway: false,
        notes,
        diagnostics,
    };
    let base = expander.scopes.child(None);
    for &name in SPECIAL {
        expander.scopes.bind(base, Ident::Plain(name.into()), Binding::Special(name));
    }
    for (name, id) in builtins.names() {
        expander.scopes.bind(base, Ident::Plain(name), Binding::Builtin(id));
    }
    let mut items = expander.body_items(library, base, true);
    let top = expander.scopes.child(Some(base));
    expander.note_dialect(source.file, source.dialect);
    if source.dialect == Dialect::Eshkol {
        for &name in dialect::SPECIAL {
            expander.scopes.bind(base, Ident::Plain(name.into()), Binding::Special(name));
        }
    }
    let user = expander.body_items(program, top, true);
    let main = expander.main(top, &user);
    let for_eval = expander.names_for_eval(top);
    // What is used of shipped libraries is part of the program: analyses look at it as at the user's own.
    let user: Vec<Item> = for_eval.into_iter().chain(user).collect();
    let user_start = items.len();
    items.extend(used_of(std::mem::take(&mut expander.shipped_items), &user));
    items.extend(user);
    expander.describe(&items);
    Program {
        vars: expander.vars,
        items,
        user_start,
        main,
        imports_complex: expander.imports_complex,
        pieces: IdSet::new(),
    }
}

/// The definitions that a program leads to.
fn used_of(definitions: Vec<Item>, program: &[Item]) -> Vec<Item> {
    let index: IdMap<VarId, usize> =
        definitions.iter().enumerate().filter_map(|(at, it)| Some((it.var?, at))).collect();
    let mut todo = Vec::new();
    program.iter().for_each(|it| it.value.mentions(&index, &mut todo));
    let mut used = vec![false; definitions.len()];
    while let Some(at) = todo.pop() {
        if !std::mem::replace(&mut used[at], true) {
            definitions[at].value.mentions(&index, &mut todo);
        }
    }
    definitions.into_iter().zip(used).filter(|it| it.1).map(|it| it.0).collect()
}

impl Expander<'_> {
    /// The user's `main` without parameters, unless the program calls it itself.
    fn main(&self, top: ScopeId, items: &[Item]) -> Option<VarId> {
        let Some(Binding::Var(main)) = self.scopes.own(top, Ident::Plain("main".into())) else {
            return None;
        };
        let calls_main = |item: &Item| match &item.value.kind {
            CoreKind::Call(callee, _) => matches!(callee.kind, CoreKind::Ref(it) if it == main),
            _ => false,
        };
        let no_params = |item: &Item| {
            item.var == Some(main)
                && matches!(&item.value.kind, CoreKind::Lambda(it) if it.params.is_empty() && it.rest.is_none())
        };
        (items.iter().any(no_params) && !items.iter().any(calls_main)).then_some(main)
    }

    fn is_library(&self, span: Span) -> bool {
        self.library_files.contains(&span.file)
    }

    pub(super) fn bad(&mut self, span: Span, message: &str) {
        self.diagnostics.error(Diagnostic::error("E0420", message).at(span, ""));
    }

    fn bad_core(&mut self, span: Span, message: &str) -> Core {
        self.bad(span, message);
        Core::new(CoreKind::Unspecified, span)
    }

    fn new_var(&mut self, ident: Ident, span: Span) -> VarId {
        let name = self.scopes.symbol(ident);
        let variant = self.is_library(span).then(|| Variant::of_name(name)).flatten();
        self.vars.push(Var { name, span, mutated: false, variant })
    }

    fn temp(&mut self, name: &str, span: Span) -> VarId {
        self.vars.push(Var { name: name.into(), span, mutated: false, variant: None })
    }

    fn var_ref(&self, var: VarId, span: Span) -> Core {
        Core::new(CoreKind::Ref(var), span)
    }

    /// Calls a procedure of the library, by name.
    fn call(&mut self, name: &str, args: Vec<Core>, span: Span) -> Core {
        let callee = self.library(name, span);
        Core::new(CoreKind::Call(Box::new(callee), args), span)
    }

    fn library(&self, name: &str, span: Span) -> Core {
        let kind = match self.scopes.lookup(self.base, Ident::Plain(name.into())) {
            Some(Binding::Builtin(id)) => CoreKind::Builtin(id),
            Some(Binding::Var(var)) => CoreKind::Ref(var),
            _ => oxbow_diag::ice!("the library has no `{name}`"),
        };
        Core::new(kind, span)
    }

    fn integer(&self, value: i64, span: Span) -> Core {
        Core::new(CoreKind::Const(Datum::new(DatumKind::Number(Number::Fixnum(value)), span)), span)
    }

    fn special(&self, ident: Ident, scope: ScopeId) -> Option<&'static str> {
        match self.scopes.lookup(scope, ident) {
            Some(Binding::Special(name)) => Some(name),
            _ => None,
        }
    }

    fn is_keyword(&self, datum: &Datum, scope: ScopeId, name: &str) -> bool {
        datum.as_ident().is_some_and(|it| self.special(it, scope) == Some(name))
    }

    /// Expands a macro use at the head of a form until there is none.
    fn head_expanded<'d>(&mut self, form: &'d Datum, scope: ScopeId) -> Cow<'d, Datum> {
        let mut form = Cow::Borrowed(form);
        let mut rounds = 0;
        loop {
            let head = match &form.kind {
                DatumKind::List(items, _) => items.first().and_then(Datum::as_ident),
                _ => None,
            };
            let mut binding = head.and_then(|it| self.scopes.lookup(scope, it));
            if let (Some(head), None) = (head, binding)
                && self.load_for(head, form.span)
            {
                binding = self.scopes.lookup(scope, head);
            }
            let Some(Binding::Macro(index)) = binding else { return form };
            self.note_macro(index, &form);
            rounds += 1;
            if rounds > rules::MAX_EXPANSIONS {
                self.depth = rules::MAX_EXPANSIONS + 1;
            }
            form = Cow::Owned(self.expand_macro(index, &form, scope));
        }
    }

    /// An expression.
    fn expr(&mut self, form: &Datum, scope: ScopeId) -> Core {
        self.depth += 1;
        let core = self.expr_inner(form, scope);
        self.depth -= 1;
        core
    }

    fn expr_inner(&mut self, form: &Datum, scope: ScopeId) -> Core {
        let form = self.head_expanded(form, scope);
        let span = form.span;
        match &form.kind {
            DatumKind::Ident(ident) => self.reference(*ident, scope, span),
            DatumKind::String(text) => match self.interpolated(text, scope, span) {
                Some(core) => core,
                None => Core::new(CoreKind::Const(Datum::clone(&form)), span),
            },
            DatumKind::Bool(_)
            | DatumKind::Char(_)
            | DatumKind::Number(_)
            | DatumKind::Bytes(_) => Core::new(CoreKind::Const(Datum::clone(&form)), span),
            DatumKind::Vector(_) | DatumKind::Labelled(..) | DatumKind::Reference(_) => {
                Core::new(CoreKind::Const(self.strip(&form)), span)
            }
            DatumKind::List(_, Some(tail)) => {
                let tail = tail.span;
                self.bad_core(tail, "a form with a dot in it is not an expression")
            }
            DatumKind::List(items, None) => {
                let Some(head) = items.first() else {
                    if self.is_eshkol(span) {
                        return Core::new(CoreKind::Const(Datum::clone(&form)), span);
                    }
                    return self
                        .bad_core(span, "`()` is not an expression; the empty list is `'()`");
                };
                if let Some(name) = head.as_ident().and_then(|it| self.special(it, scope)) {
                    return self.special_form(name, &form, items, scope);
                }
                let mut callee = self.expr(head, scope);
                let mut args: Vec<Core> =
                    items[1..].iter().map(|it| self.expr(it, scope)).collect();
                if let Some(target) = self.of_count(&callee, args.len()) {
                    callee = Core::new(CoreKind::Ref(target), callee.span);
                }
                if let Some(target) = self.placed(&callee) {
                    callee = Core::new(CoreKind::Ref(target), callee.span);
                    args.insert(0, self.call(known::PLACE, Vec::new(), span));
                }
                self.make_call(callee, args, span)
            }
        }
    }

    /// The procedure that stands for one of the library where it has so many arguments: `%f/2` for `f`.
    fn of_count(&self, callee: &Core, count: usize) -> Option<VarId> {
        let CoreKind::Ref(var) = callee.kind else { return None };
        if !self.is_library(self.vars[var].span) {
            return None;
        }
        self.variant(var, Calls::Count(count))
    }

    fn variant(&self, var: VarId, at: Calls) -> Option<VarId> {
        let own = Variant { of: self.vars[var].name, at };
        let name = Ident::Plain(own.name());
        // A library that exports the procedure of another one has no other ways of calling it.
        let is_home =
            |it: &&ScopeId| self.scopes.own(**it, Ident::Plain(own.of)) == Some(Binding::Var(var));
        let homes = std::iter::once(&self.base).chain(&self.shipped_scopes).filter(is_home);
        homes.into_iter().find_map(|&home| match self.scopes.own(home, name) {
            Some(Binding::Var(target)) => Some(target),
            _ => None,
        })
    }

    /// The procedure that stands for one of the library where the place of the call is known: `%f/at` for `f`.
    fn placed(&self, callee: &Core) -> Option<VarId> {
        let CoreKind::Ref(var) = callee.kind else { return None };
        if !self.is_library(self.vars[var].span) || self.is_library(callee.span) {
            return None;
        }
        self.variant(var, Calls::Placed)
    }

    /// `((lambda (x) e) v)` is a `let`.
    fn make_call(&mut self, callee: Core, args: Vec<Core>, span: Span) -> Core {
        match callee.kind {
            CoreKind::Lambda(lambda)
                if lambda.rest.is_none() && lambda.params.len() == args.len() =>
            {
                let bindings = lambda.params.into_iter().zip(args).collect();
                Core::new(CoreKind::Let(bindings, Box::new(lambda.body)), span)
            }
            kind => {
                let callee = Core::new(kind, callee.span);
                Core::new(CoreKind::Call(Box::new(callee), args), span)
            }
        }
    }

    fn reference(&mut self, ident: Ident, scope: ScopeId, span: Span) -> Core {
        let datum = Datum::new(DatumKind::Ident(ident), span);
        if datum.keyword().is_some() {
            if self.is_eshkol(span) {
                return Core::new(CoreKind::Const(datum), span);
            }
            return self.bad_core(span, "keywords are Eshkol's: R7RS has none");
        }
        let kind = match self.scopes.lookup(scope, ident) {
            Some(Binding::Var(var)) => {
                self.note_mention(var, span);
                CoreKind::Ref(var)
            }
            Some(Binding::Builtin(id)) => CoreKind::Builtin(id),
            Some(Binding::Special(name)) => {
                let message = match self.out_of_place(name) {
                    Some(message) => message.to_string(),
                    None => format!("`{name}` is syntax and has no value"),
                };
                return self.bad_core(span, &message);
            }
            Some(Binding::Macro(index)) => {
                let name = self.macros[index].name.clone();
                return self.bad_core(span, &format!("`{name}` is a macro and has no value"));
            }
            None if self.load_for(ident, span) => return self.reference(ident, scope, span),
            None => {
                self.unbound(ident, scope, span);
                CoreKind::Unspecified
            }
        };
        Core::new(kind, span)
    }

    fn unbound(&mut self, ident: Ident, scope: ScopeId, span: Span) {
        let name = self.scopes.symbol(ident);
        self.fill_hole(name, scope);
        let unsigned = name.as_str().trim_start_matches(['+', '-', '.']);
        if unsigned.starts_with(|c: char| c.is_ascii_digit()) {
            self.diagnostics.error(
                Diagnostic::error("E0410", format!("`{name}` is not a number"))
                    .at(span, "nor is there a variable of this name"),
            );
            return;
        }
        let mut report = Diagnostic::error("E0430", format!("unbound variable `{name}`"))
            .at(span, "not defined anywhere");
        let candidates = self.scopes.visible(scope);
        // Names of the program come before those of the library.
        let candidates =
            candidates.into_iter().filter(|it| !variant::is_own(it.0)).map(|(it, binding)| {
                let own =
                    matches!(binding, Binding::Var(var) if !self.is_library(self.vars[var].span));
                (it, own)
            });
        if let Some(near) = oxbow_elab::infer::suggest::nearest_of(name, candidates) {
            report = report.help(format!("did you mean `{near}`?")).edit(span, near.as_str());
        }
        self.diagnostics.error(report);
    }

    /// Aliases become the symbols they stand for.
    fn strip(&self, datum: &Datum) -> Datum {
        let kind = match &datum.kind {
            DatumKind::Ident(ident) => DatumKind::Ident(Ident::Plain(self.scopes.symbol(*ident))),
            DatumKind::List(items, tail) => DatumKind::List(
                items.iter().map(|it| self.strip(it)).collect(),
                tail.as_ref().map(|it| Box::new(self.strip(it))),
            ),
            DatumKind::Vector(items) => {
                DatumKind::Vector(items.iter().map(|it| self.strip(it)).collect())
            }
            DatumKind::Labelled(label, datum) => {
                DatumKind::Labelled(*label, Box::new(self.strip(datum)))
            }
            other => other.clone(),
        };
        Datum::new(kind, datum.span)
    }

    fn sequence(&mut self, forms: &[Datum], scope: ScopeId, span: Span) -> Core {
        match forms {
            [] => Core::new(CoreKind::Unspecified, span),
            [one] => self.expr(one, scope),
            _ if self.is_eshkol(span) && forms.iter().any(|it| self.is_definition(it, scope)) => {
                self.body(forms, scope, span)
            }
            _ => {
                let items = forms.iter().map(|it| self.expr(it, scope)).collect();
                Core::new(CoreKind::Seq(items), span)
            }
        }
    }
}
