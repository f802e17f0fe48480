//! What inference finds out about the text, for editors: which definition a name means, what type stands where, what
//! could stand in a place.
//!
//! ```text
//! let y = x + List.length l
//!         │       │      └ mention of the value `l`, type `int list`
//!         │       └ mention of the value `length` in `list.ml`
//!         └ mention of the value `x`, defined at 3..4
//! ```
//!
//! Names are noted where they are looked up, so that nothing is guessed from the text. It is off (`Infer::notes` is
//! `None`) unless an editor asks. The bodies of functors and inline functions are elaborated several times: what is
//! noted of them first, for the definition itself, stays. Where a *hole* is looked up, all that can be there is noted.

use oxbow_base::{FileId, FxHashMap, IdSet, Span, SparseMap, Symbol};
use oxbow_psg::VarId;
use serde::{Deserialize, Serialize};

use crate::ast::{self, ArgLabel, Name};
use crate::tast;
use crate::types::{Label, TyConId, TyConKind, Type, TypeId};

use super::env::{Ctor, Env, Module, Structure, Value};
pub use super::hole::Hole;
use super::print::Printer;
use super::{Expect, Infer};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Value,
    Type,
    Constructor,
    Field,
    Method,
    Module,
    ModuleType,
    Macro,
}

/// A place where a definition is meant. At the definition itself, both spans are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mention {
    pub span: Span,
    pub kind: Kind,
    pub definition: Span,
}

/// A definition that is mentioned.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name, where it is defined.
    pub span: Span,
    pub kind: Kind,
    pub name: Symbol,
    /// `f : int -> int`; empty where the text of the definition says more.
    pub text: String,
    /// The names of types in the text: start, end, where the type is declared.
    pub links: Vec<(u32, u32, Span)>,
    /// Of a function: where the text begins of what it gives when it has its first argument.
    pub result: Option<u32>,
}

/// A type as text, and where the type itself is declared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeText {
    pub text: String,
    pub declared: Option<Span>,
    pub is_function: bool,
}

/// A function and its arguments.
#[derive(Clone, Debug)]
pub struct Call {
    pub span: Span,
    pub function: Span,
    pub arguments: Vec<Span>,
    /// The parameters as text, with their labels, and the result.
    pub parameters: Vec<String>,
    pub result: String,
}

/// What could stand in place of a hole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    pub name: Symbol,
    pub kind: Kind,
    pub text: String,
}

/// All that was noted, with types as text.
#[derive(Debug, Default)]
pub struct Noted {
    pub texts: Vec<TypeText>,
    /// Places with numbers of texts.
    pub types: Vec<(Span, u32)>,
    pub mentions: Vec<Mention>,
    pub definitions: Vec<Definition>,
    /// Definitions that a signature declares, and what they are in the structure.
    pub same: Vec<(Span, Span)>,
    pub calls: Vec<Call>,
    pub candidates: Option<Vec<Candidate>>,
}

/// What is needed to describe a definition at the end.
#[derive(Clone, Copy)]
enum Described {
    Value(TypeId),
    Ctor(Ctor),
    Field(TyConId, u32),
    Type,
    Module,
}

/// What is looked at: a text for itself, or once more in a copy of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Code {
    Original,
    Copy,
}

/// What has been noted so far.
#[derive(Clone)]
pub(super) struct Notes {
    /// Nothing is noted about other files.
    files: IdSet<FileId>,
    hole: Option<Hole>,
    types: FxHashMap<Span, TypeId>,
    mentions: FxHashMap<(Span, Kind), Span>,
    definitions: FxHashMap<Span, (Symbol, Kind, Described)>,
    vars: Vec<VarId>,
    same: Vec<(Span, Span)>,
    calls: FxHashMap<Span, (Span, Vec<Span>)>,
    /// Where modules are defined, by the addresses of their contents, which are kept.
    modules: FxHashMap<usize, Span>,
    kept: Vec<Module>,
    candidates: Option<Vec<(Symbol, Kind, Described)>>,
}

impl Notes {
    pub fn new(files: IdSet<FileId>, hole: Option<Hole>) -> Self {
        Self {
            files,
            hole,
            types: FxHashMap::default(),
            mentions: FxHashMap::default(),
            definitions: FxHashMap::default(),
            vars: Vec::new(),
            same: Vec::new(),
            calls: FxHashMap::default(),
            modules: FxHashMap::default(),
            kept: Vec::new(),
            candidates: None,
        }
    }

    fn mention(&mut self, name: Name, kind: Kind, definition: Span, code: Code) {
        if !self.files.contains(name.span.file) {
            return;
        }
        let key = (name.span, kind);
        if code == Code::Copy && self.mentions.contains_key(&key) {
            return;
        }
        self.mentions.insert(key, definition);
    }
}

fn address(module: &Module) -> Option<usize> {
    match module {
        Module::Structure(it) => Some(std::rc::Rc::as_ptr(it) as usize),
        Module::Functor(it) => Some(std::rc::Rc::as_ptr(it) as usize),
        Module::Later(_) | Module::Error => None,
    }
}

impl Infer<'_> {
    /// Infers an expression.
    pub(super) fn expr(&mut self, env: &Env, expr: &ast::Expr, expect: Expect) -> tast::Expr {
        let typed = self.expr_kind(env, expr, expect);
        self.note_type(expr.span, typed.ty);
        typed
    }

    fn noted_code(&self) -> Code {
        match self.functors.copies {
            Some(_) => Code::Copy,
            None => Code::Original,
        }
    }

    /// The type of an expression or a pattern.
    pub(super) fn note_type(&mut self, span: Span, ty: TypeId) {
        let code = self.noted_code();
        let Some(notes) = &mut self.notes else { return };
        let is_known = code == Code::Copy && notes.types.contains_key(&span);
        if notes.files.contains(span.file) && !is_known {
            notes.types.insert(span, ty);
        }
    }

    pub(super) fn note_var(&mut self, var: VarId) {
        if let Some(notes) = &mut self.notes
            && notes.files.contains(self.types.vars[var].span.file)
        {
            notes.vars.push(var);
        }
    }

    fn note(&mut self, name: Name, kind: Kind, definition: Span, described: Described) {
        let code = self.noted_code();
        let Some(notes) = &mut self.notes else { return };
        notes.mention(name, kind, definition, code);
        notes.definitions.entry(definition).or_insert((name.text, kind, described));
    }

    pub(super) fn note_value(&mut self, name: Name, value: &Value) {
        if self.notes.is_some() {
            self.note(name, Kind::Value, value.span, Described::Value(value.ty));
        }
    }

    pub(super) fn note_method(&mut self, name: Name, definition: Span, ty: TypeId) {
        if self.notes.is_some() {
            self.note(name, Kind::Method, definition, Described::Value(ty));
        }
    }

    pub(super) fn note_tycon(&mut self, name: Name, tycon: TyConId) {
        if self.notes.is_some()
            && let Some(span) = self.types.tycons[tycon].span
        {
            self.note(name, Kind::Type, span, Described::Type);
        }
    }

    pub(super) fn note_ctor(&mut self, name: Name, ctor: Ctor) {
        if self.notes.is_none() {
            return;
        }
        let ctor = self.ctor_behind(ctor);
        let span = match ctor {
            Ctor::Variant(tycon, index) => match &self.types.tycons[tycon].kind {
                TyConKind::Variant(ctors) => ctors.get(index as usize).map(|it| it.span),
                _ => None,
            },
            Ctor::Exn(exn) => Some(self.types.exns[exn].span),
        };
        if let Some(span) = span {
            self.note(name, Kind::Constructor, span, Described::Ctor(ctor));
        }
    }

    pub(super) fn note_field(&mut self, name: Name, tycon: TyConId, index: u32) {
        if self.notes.is_some()
            && let Some(span) = self.fields_of(tycon).get(index as usize).map(|it| it.span)
        {
            self.note(name, Kind::Field, span, Described::Field(tycon, index));
        }
    }

    /// `module M = …`, if it is not another name for a module.
    pub(super) fn note_module_definition(
        &mut self,
        name: Name,
        body: &ast::ModuleExpr,
        module: &Module,
    ) {
        let Some(notes) = &mut self.notes else { return };
        if !matches!(body.kind, ast::ModuleExprKind::Path(_))
            && let Some(address) = address(module)
        {
            notes.modules.entry(address).or_insert(name.span);
            notes.kept.push(module.clone());
        }
    }

    pub(super) fn note_module(&mut self, name: Name, module: &Module) {
        let Some(notes) = &self.notes else { return };
        let known = address(module).and_then(|it| notes.modules.get(&it).copied());
        // A module that is a file begins where the file does.
        let file = match module {
            Module::Structure(it) => {
                let value = it.values.values().map(|it| it.span).next();
                let ty = || it.types.values().find_map(|&it| self.types.tycons[it].span);
                value.or_else(ty).map(|it| it.file)
            }
            Module::Functor(_) | Module::Later(_) | Module::Error => None,
        };
        if let Some(span) = known.or(file.map(|it| Span::new(it, 0, 0))) {
            self.note(name, Kind::Module, span, Described::Module);
        }
    }

    /// A signature declares what a structure defines.
    pub(super) fn note_same(&mut self, declared: Span, actual: Span) {
        if let Some(notes) = &mut self.notes
            && declared != actual
            && (notes.files.contains(declared.file) || notes.files.contains(actual.file))
        {
            notes.same.push((declared, actual));
        }
    }

    /// The same for a type, with its constructors and fields.
    pub(super) fn note_same_type(&mut self, declared: (TyConId, &TyConKind), actual: TyConId) {
        if self.notes.is_none() {
            return;
        }
        let (from, to) = (&self.types.tycons[declared.0], &self.types.tycons[actual]);
        let mut pairs: Vec<_> = from.span.zip(to.span).into_iter().collect();
        match (declared.1, &to.kind) {
            (TyConKind::Variant(from), TyConKind::Variant(to)) => {
                pairs.extend(from.iter().zip(to).map(|it| (it.0.span, it.1.span)));
            }
            (TyConKind::Record(from), TyConKind::Record(to)) => {
                pairs.extend(from.iter().zip(to).map(|it| (it.0.span, it.1.span)));
            }
            _ => (),
        }
        for (declared, actual) in pairs {
            self.note_same(declared, actual);
        }
    }

    pub(super) fn note_application(
        &mut self,
        span: Span,
        func: Span,
        args: &[(ArgLabel, ast::Expr)],
    ) {
        if let Some(notes) = &mut self.notes
            && notes.files.contains(span.file)
        {
            notes.calls.insert(span, (func, args.iter().map(|it| it.1.span).collect()));
        }
    }

    /// Is this the name of the place that is to be completed?
    pub(super) fn is_hole(&self, name: Symbol) -> bool {
        let hole = self.notes.as_ref().and_then(|it| it.hole.as_ref());
        hole.is_some_and(|it| it.name == name.as_str())
    }

    /// What could stand in the place that is to be completed is known: nothing else is asked.
    pub(super) fn hole_is_filled(&self) -> bool {
        self.notes.as_ref().is_some_and(|it| it.candidates.is_some())
    }

    /// What a name without a path can mean: a value, a constructor or a module; where a type is wanted, a type.
    pub(super) fn fill_hole(&mut self, env: &Env, kind: Kind) {
        let mut all = Vec::new();
        match kind {
            Kind::Value | Kind::Constructor | Kind::Method | Kind::Macro => {
                all.extend(env.values().map(|(name, it)| value(name, it)));
                all.extend(env.ctors().map(|(name, it)| ctor(name, it)));
            }
            Kind::Type => all.extend(env.type_names().map(|it| plain(it, Kind::Type))),
            Kind::Field => all.extend(env.field_names().map(|it| plain(it, Kind::Field))),
            Kind::ModuleType => (),
            Kind::Module => (),
        }
        if kind != Kind::Field {
            all.extend(env.module_names().map(|it| plain(it, Kind::Module)));
        }
        self.found(all);
    }

    /// What a name behind `M.` can mean.
    pub(super) fn fill_hole_in(&mut self, structure: &Structure, kind: Kind) {
        let mut all = Vec::new();
        match kind {
            Kind::Value | Kind::Constructor | Kind::Method | Kind::Macro => {
                all.extend(structure.values.iter().map(|(&name, it)| value(name, it)));
                all.extend(structure.ctors.iter().map(|(&name, &it)| ctor(name, it)));
            }
            Kind::Type => all.extend(structure.types.keys().map(|&it| plain(it, Kind::Type))),
            Kind::Field => all.extend(structure.fields.keys().map(|&it| plain(it, Kind::Field))),
            Kind::Module | Kind::ModuleType => (),
        }
        all.extend(structure.modules.keys().map(|&it| plain(it, Kind::Module)));
        self.found(all);
    }

    /// What a name behind `object.` can mean.
    pub(super) fn fill_hole_of(&mut self, object: TypeId) {
        let object = self.types.expand(object);
        let mut all = Vec::new();
        match &self.types.nodes[object] {
            &Type::Con(tycon, _) => {
                let fields = self.fields_of(tycon).iter();
                all.extend(fields.map(|it| (it.name, Kind::Field, Described::Value(it.ty))));
                for ((owner, name), members) in &self.clef.members {
                    if *owner == tycon {
                        let ty = members.first().and_then(|it| it.value.as_ref()).map(|it| it.ty);
                        let described = ty.map_or(Described::Type, Described::Value);
                        all.push((*name, Kind::Method, described));
                    }
                }
            }
            Type::Row(row) if row.object => {
                for (name, tag) in &row.tags {
                    let described = tag.types().first().copied().map(Described::Value);
                    all.push((*name, Kind::Method, described.unwrap_or(Described::Type)));
                }
            }
            _ => (),
        }
        self.found(all);
    }

    /// Where it is looked up several times, what knows most of it counts.
    fn found(&mut self, mut all: Vec<(Symbol, Kind, Described)>) {
        let Some(notes) = &mut self.notes else { return };
        let wanted = |name: &str| {
            name.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && notes.hole.as_ref().is_none_or(|it| it.wants(name))
        };
        all.retain(|it| wanted(it.0.as_str()));
        if notes.candidates.as_ref().is_none_or(|it| it.len() < all.len()) {
            notes.candidates = Some(all);
        }
    }

    fn candidates(&self, found: &[(Symbol, Kind, Described)]) -> Vec<Candidate> {
        let one = |&(name, kind, described): &(Symbol, Kind, Described)| {
            let text = self.describe(name, described);
            Candidate { name, kind, text }
        };
        let mut all: Vec<Candidate> = found.iter().map(one).collect();
        all.sort_by(|a, b| (a.name.as_str(), a.kind).cmp(&(b.name.as_str(), b.kind)));
        all.dedup();
        all
    }

    fn describe_ctor(&self, ctor: Ctor) -> String {
        let mut printer = Printer::new(&self.types);
        let (name, args, result) = match self.ctor_behind(ctor) {
            Ctor::Variant(tycon, index) => {
                let it = &self.types.tycons[tycon];
                let TyConKind::Variant(ctors) = &it.kind else { return String::new() };
                let Some(ctor) = ctors.get(index as usize) else { return String::new() };
                let own = ctor.own.as_ref().map_or(&it.params, |it| &it.args);
                let params: Vec<String> = own.iter().map(|&it| printer.show(it)).collect();
                let path = &it.path;
                let result = match &params[..] {
                    [] => path.clone(),
                    [one] => format!("{one} {path}"),
                    _ => format!("({}) {path}", params.join(", ")),
                };
                (ctor.name, ctor.args.clone(), result)
            }
            Ctor::Exn(exn) => {
                let it = &self.types.exns[exn];
                let of = it.of.as_ref().map(|it| self.types.tycons[it.0].path.clone());
                (it.name, it.args.clone(), of.unwrap_or_else(|| "exn".into()))
            }
        };
        let args: Vec<String> = args.iter().map(|&it| printer.show(it)).collect();
        match &args[..] {
            [] => format!("{name} : {result}"),
            _ => format!("{name} : {} -> {result}", args.join(" * ")),
        }
    }

    fn describe(&self, name: Symbol, described: Described) -> String {
        match described {
            Described::Value(ty) => format!("{name} : {}", self.show(ty)),
            Described::Ctor(ctor) => self.describe_ctor(ctor),
            Described::Field(tycon, index) => {
                let field = self.fields_of(tycon).get(index as usize);
                let path = &self.types.tycons[tycon].path;
                let ty = field.map(|it| self.show(it.ty)).unwrap_or_default();
                format!("{name} : {ty}   (* of {path} *)")
            }
            Described::Type | Described::Module => String::new(),
        }
    }

    fn definition(&self, span: Span, name: Symbol, kind: Kind, described: Described) -> Definition {
        let Described::Value(ty) = described else {
            let text = self.describe(name, described);
            return Definition { span, kind, name, text, links: Vec::new(), result: None };
        };
        let shown = Printer::new(&self.types).show_with_places(ty);
        let text = format!("{name} : {}", shown.text);
        let before = text.len() - shown.text.len();
        let link = |(start, end, con): (usize, usize, TyConId)| {
            let declared = self.types.tycons[con].span?;
            Some(((start + before) as u32, (end + before) as u32, declared))
        };
        let links = shown.named.into_iter().filter_map(link).collect();
        let result = shown.result.map(|it| (it + before) as u32);
        Definition { span, kind, name, text, links, result }
    }

    /// What was noted. The types are still there.
    pub(super) fn noted(&mut self) -> Option<Noted> {
        let notes = self.notes.take()?;
        if notes.hole.is_some() {
            let candidates = notes.candidates.as_ref().map(|it| self.candidates(it));
            return Some(Noted { candidates, ..Noted::default() });
        }
        let mut noted = Noted::default();
        for &var in &notes.vars {
            let info = &self.types.vars[var];
            let (span, name, ty) = (info.span, info.name, info.ty);
            noted.mentions.push(Mention { span, kind: Kind::Value, definition: span });
            let described = Described::Value(ty);
            noted.definitions.push(self.definition(span, name, Kind::Value, described));
        }
        for (span, (name, kind, described)) in notes.definitions {
            noted.definitions.push(self.definition(span, name, kind, described));
        }
        let mentions = notes.mentions.into_iter();
        noted.mentions.extend(mentions.map(|((span, kind), definition)| Mention {
            span,
            kind,
            definition,
        }));
        let mut texts = Texts::default();
        for (&span, &ty) in &notes.types {
            noted.types.push((span, texts.number(self, ty)));
        }
        noted.texts = texts.all;
        for (span, (function, arguments)) in notes.calls {
            if let Some(&ty) = notes.types.get(&function) {
                let (parameters, result) = self.parameters(ty);
                noted.calls.push(Call { span, function, arguments, parameters, result });
            }
        }
        noted.same = notes.same;
        noted.mentions.sort_unstable();
        noted.mentions.dedup();
        noted.types.sort_unstable();
        noted.calls.sort_by_key(|it| it.span);
        // A method is also a function of the object, which is a variable.
        noted.definitions.sort_by_key(|it| (it.span, it.kind != Kind::Method));
        noted.definitions.dedup_by_key(|it| it.span);
        Some(noted)
    }

    fn parameters(&self, ty: TypeId) -> (Vec<String>, String) {
        let mut printer = Printer::new(&self.types);
        let mut parameters = Vec::new();
        let mut ty = self.types.repr(ty);
        while let Type::Arrow(label, param, result) = self.types.nodes[ty] {
            let text = printer.show_argument(param);
            parameters.push(match label {
                Label::None => text,
                Label::Labelled(name) => format!("{name}:{text}"),
                Label::Optional(name) => format!("?{name}:{text}"),
            });
            ty = self.types.repr(result);
        }
        (parameters, printer.show(ty))
    }
}

fn plain(name: Symbol, kind: Kind) -> (Symbol, Kind, Described) {
    (name, kind, if kind == Kind::Module { Described::Module } else { Described::Type })
}

fn value(name: Symbol, value: &Value) -> (Symbol, Kind, Described) {
    (name, Kind::Value, Described::Value(value.ty))
}

fn ctor(name: Symbol, ctor: Ctor) -> (Symbol, Kind, Described) {
    (name, Kind::Constructor, Described::Ctor(ctor))
}

/// Texts of types, each once.
#[derive(Default)]
struct Texts {
    all: Vec<TypeText>,
    numbers: FxHashMap<TypeText, u32>,
    known: SparseMap<TypeId, u32>,
}

impl Texts {
    fn number(&mut self, cx: &Infer<'_>, ty: TypeId) -> u32 {
        let ty = cx.types.repr(ty);
        if let Some(&number) = self.known.get(ty) {
            return number;
        }
        let declared = match &cx.types.nodes[ty] {
            &Type::Con(tycon, _) => cx.types.tycons[tycon].span,
            _ => None,
        };
        let is_function = matches!(cx.types.nodes[ty], Type::Arrow(..));
        let text = TypeText { text: cx.show(ty), declared, is_function };
        let number = *self.numbers.entry(text).or_insert_with_key(|text| {
            self.all.push(text.clone());
            self.all.len() as u32 - 1
        });
        self.known.insert(ty, number);
        number
    }
}
