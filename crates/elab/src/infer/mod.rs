//! Inference: resolves names, types, labels, modules and functors.
//!
//! ```text
//! units (files in dependency order) ──▶ items of the typed tree, in execution order
//! ```
//!
//! Hindley–Milner with levels; expected types flow inwards so that constructors, fields,
//! formats and labels can be resolved by type. Modules exist at compile time only: a
//! structure's values become variables, and a functor's body is elaborated anew for each
//! application, with its parameter bound to the argument. So nothing after this stage
//! knows modules, and specialisation through functors costs nothing.
//!
//! An expression that does not type is reported once and becomes an error node whose
//! type agrees with everything.

mod absent_tags;
mod ahead;
mod alias;
mod applicative;
mod apply;
mod argument;
mod binding;
mod branches;
mod builtin;
mod cases;
mod casts;
mod class;
mod class_body;
mod class_code;
mod class_type;
mod class_use;
mod clef;
mod close_rows;
mod coerce;
mod compared;
mod conform;
mod conform_type;
mod constraints;
mod constructor;
mod coverage;
mod coverage_rows;
mod ctor_pattern;
mod decl;
mod declared;
mod desugar;
mod env;
mod error;
mod exn_fields;
mod exports;
mod expr;
mod extend;
mod external;
mod format;
mod forms;
mod fresh_types;
mod function;
mod generalize;
mod handler;
mod here;
mod hole;
mod inherit;
mod known;
mod labelled;
mod lookup;
mod members;
mod module;
mod nameless;
pub mod notes;
mod object;
mod opening;
mod own_result;
mod pack;
mod package;
mod packed_functor;
mod pattern;
pub mod phrase;
mod poly_field;
mod poly_pattern;
mod print;
mod quotes;
mod record;
mod recursive;
mod reexport;
mod regular;
mod rigid;
mod rows;
mod same_package;
mod signature;
mod signature_of;
mod state;
mod statement;
pub mod suggest;
mod trial;
mod type_difference;
mod typexpr;
mod unify;
mod unused;
mod unused_types;
mod variance;
mod variant;
pub mod view;
mod weak;
mod with_type;
mod wrong_call;

use oxbow_base::{FileId, FxHashMap, FxHashSet, IdSet, Language, Made, Span, SparseMap, Symbol};
use oxbow_diag::limits::{self, Budget};
use oxbow_diag::{Diagnostic, Diagnostics, Reported};
use oxbow_psg::{KnownFunction, KnownFunctions, VarId};

use crate::ast;
use crate::tast;
use crate::types::{GENERIC, Label, TyConId, Type, TypeId, Types, VarInfo};

use builtin::Builtins;
use env::{Env, Module};

/// One file of the program, parsed.
#[derive(Debug)]
pub struct Unit {
    /// The module's name: `Main` for `main.ml`.
    pub name: Symbol,
    pub structure: ast::Structure,
    pub signature: Option<ast::Signature>,
    /// There is no implementation: `signature` is all there is of the module.
    pub interface_only: bool,
    pub library: bool,
    /// Its code is made by a front end: it sees what the library hides.
    pub generated: bool,
    /// A span in the file, for faults of the unit as a whole.
    pub span: Span,
    /// Where the languages differ, inference asks.
    pub language: Language,
    /// The modules around it, outermost first (Clef's `module A.B`). With `merged` its contents
    /// belong to them (`namespace A.B`), and it has no module of its own.
    pub outer: Vec<Symbol>,
    pub merged: bool,
    /// What its module `Opened` defines is in scope in the files after it (a part of Clef's library).
    pub opened: bool,
    /// Modules that it has names for (`module A = L__A`) and that come after it.
    pub later: Vec<Symbol>,
}

/// Infers a whole program. Units come in dependency order, the library's `Stdlib` first.
pub fn infer(units: &[Unit], diagnostics: &mut Diagnostics) -> tast::Program {
    let mut inference = Inference::new(diagnostics);
    for unit in units {
        inference.unit(unit);
    }
    inference.finish()
}

/// Inference one unit after the other: what several programs have in common can be inferred once.
pub struct Inference<'a> {
    cx: Infer<'a>,
    root: Env,
    /// The language of the last unit.
    language: Language,
    /// How many of Clef's overloaded mentions have been handed out.
    overloads: usize,
}

/// The state before the first unit.
fn start(diagnostics: &mut Diagnostics) -> (Infer<'_>, Env) {
    let mut types = Types::default();
    let builtins = Builtins::new(&mut types);
    let env = builtins.env(&types);
    let clef_root = builtins.clef_env(&types);
    let cx = Infer {
        types,
        builtins,
        diagnostics,
        level: 1,
        items: Vec::new(),
        local_depth: 0,
        library: false,
        known: KnownFunctions::default(),
        sees_all: false,
        quotes: quotes::Quotes::default(),
        scopes: here::Scopes::default(),
        tyvars: FxHashMap::default(),
        path: Vec::new(),
        stdlib: None,
        units: FxHashMap::default(),
        public: exports::Public { root: env.clone(), ..exports::Public::default() },
        named_level: 1,
        reexports: IdSet::new(),
        or_vars: Vec::new(),
        or_seen: Vec::new(),
        scope_levels: SparseMap::new(),
        rigid_rows: SparseMap::new(),
        checking: false,
        inline_allowed: false,
        local_scope: None,
        exn_path: Vec::new(),
        defining: Vec::new(),
        let_start: None,
        weak_vars: Vec::new(),
        language: Language::Ocaml,
        broken: FxHashSet::default(),
        unknown_opened: false,
        broken_items: false,
        branches: branches::Branches::default(),
        later: Vec::new(),
        clef: state::Clef { root: clef_root, ..state::Clef::default() },
        classes: state::Classes::default(),
        functors: state::Functors::default(),
        signatures: state::Signatures::default(),
        usage: state::Usage::default(),
        casts: Vec::new(),
        constrained_vars: SparseMap::new(),
        relaxed: IdSet::new(),
        relaxed_uses: Vec::new(),
        notes: None,
    };
    (cx, env)
}

impl<'a> Inference<'a> {
    pub fn new(diagnostics: &'a mut Diagnostics) -> Self {
        let (cx, root) = start(diagnostics);
        Self { cx, root, language: Language::Ocaml, overloads: 0 }
    }

    pub fn unit(&mut self, unit: &Unit) {
        self.language = unit.language;
        self.cx.unit(&mut self.root, unit);
    }

    /// Takes notes about the files of the users that come next. With a hole only what could stand in it is wanted.
    pub fn take_notes(&mut self, files: IdSet<FileId>, hole: Option<notes::Hole>) {
        self.cx.notes = Some(Box::new(notes::Notes::new(files, hole)));
    }

    /// What was noted, before the types are handed out.
    pub fn noted(&mut self) -> Option<notes::Noted> {
        self.cx.decide_the_rest();
        self.cx.noted()
    }

    /// The reports so far.
    pub fn diagnostics(&mut self) -> &mut Diagnostics {
        self.cx.diagnostics
    }

    /// The program of all units, but for what has been handed out before.
    pub fn finish(mut self) -> tast::Program {
        self.part()
    }

    /// Hands out what has been inferred since the last time, with all types; they are to be given back (`resume`)
    /// before the next unit.
    pub fn part(&mut self) -> tast::Program {
        let cx = &mut self.cx;
        cx.decide_the_rest();
        let well_known = cx.well_known();
        let left_to_right = self.language == Language::Clef;
        let nothing = |it: &clef::Overload| tast::Expr {
            kind: tast::ExprKind::Unit,
            ty: it.ty,
            span: it.span,
        };
        let overloads = cx.clef.overloads.iter().skip(self.overloads);
        let overloads: Vec<_> =
            overloads.map(|it| it.meaning.clone().unwrap_or_else(|| nothing(it))).collect();
        self.overloads += overloads.len();
        tast::Program {
            types: std::mem::take(&mut cx.types),
            items: std::mem::take(&mut cx.items),
            well_known,
            overloads,
            left_to_right,
            scopes: cx.scopes.take(),
        }
    }

    /// Goes on with the types that were handed out.
    pub fn resume(&mut self, types: Types) {
        self.cx.types = types;
    }
}

/// The state of inference.
struct Infer<'a> {
    types: Types,
    builtins: Builtins,
    diagnostics: &'a mut Diagnostics,
    level: u32,
    /// Items of the structure being elaborated (of the innermost local one inside expressions).
    items: Vec<tast::Item>,
    /// How many expressions enclose the current structure: 0 at the top level, where
    /// variables are global.
    local_depth: u32,
    library: bool,
    /// Functions of the library that are marked as known to the compiler.
    known: KnownFunctions,
    /// Named type variables of the current top-level item.
    tyvars: FxHashMap<Symbol, TypeId>,
    /// Names of the enclosing modules, for the paths that people see.
    path: Vec<String>,
    stdlib: Option<Module>,
    units: FxHashMap<Symbol, Module>,
    /// The same for users' files.
    public: exports::Public,
    /// Is everything of the library visible?
    sees_all: bool,
    quotes: quotes::Quotes,
    scopes: here::Scopes,
    /// The level of type variables that the user names in the current item.
    named_level: u32,
    /// Types declared as `type t = M.t = A | B`.
    reexports: IdSet<TyConId>,
    /// Variables of the left sides of the or-patterns around the current pattern, and those of
    /// them that the right side has bound so far.
    or_vars: Vec<Vec<(Symbol, VarId)>>,
    or_seen: Vec<Symbol>,
    /// Types that are local to an expression (rigid ones, and those of local modules), with the
    /// level at which they were made: they must not escape it.
    scope_levels: SparseMap<TyConId, u32>,
    /// Rows that an annotation quantifies over, with the level of its definition.
    rigid_rows: SparseMap<TypeId, u32>,
    /// Elaborating for the errors alone: what a functor's parameter leaves open stays so.
    checking: bool,
    /// May the name that comes next stand for an inline record?
    inline_allowed: bool,
    /// The level of types declared here, inside a local module.
    local_scope: Option<u32>,
    /// Names of the enclosing modules as the names of exceptions show them.
    exn_path: Vec<String>,
    /// Names whose definitions, not recursive, are being inferred: for the hint to write `rec`.
    /// With the place where it goes.
    defining: Vec<(Symbol, Span)>,
    /// Where the first pattern of the innermost `let` begins.
    let_start: Option<Span>,
    /// Type variables that definitions of the current file leave open.
    weak_vars: Vec<weak::WeakVar>,
    /// The language of the current file.
    language: Language,
    /// Names that what could not be parsed mentions.
    broken: FxHashSet<Symbol>,
    /// Has a module been opened around that is not known? It may define any name.
    unknown_opened: bool,
    /// There were items that could not be read: what they would have defined is not known.
    broken_items: bool,
    /// What the constructors of the patterns around tell of types.
    branches: branches::Branches,
    /// Modules that come after the file at hand.
    later: Vec<Symbol>,
    /// What only Clef has.
    clef: state::Clef,
    /// Classes and the objects that are being inferred.
    classes: state::Classes,
    /// Functors, and what has been made of them.
    functors: state::Functors,
    /// Signatures, and the modules that are matched with them.
    signatures: state::Signatures,
    /// Which variables are used.
    usage: state::Usage,
    /// The type variables of declarations that have constraints, until their bodies are elaborated.
    constrained_vars: SparseMap<TyConId, FxHashMap<Symbol, TypeId>>,
    /// The types of the casts so far, as functions.
    casts: Vec<TypeId>,
    /// Variables of values that were computed and whose types are generalised all the same (`variance`).
    relaxed: IdSet<VarId>,
    /// The type arguments of their uses.
    relaxed_uses: Vec<(VarId, Vec<TypeId>)>,
    /// What editors ask for.
    notes: Option<Box<notes::Notes>>,
}

/// An expected type and where the expectation comes from.
#[derive(Clone, Copy)]
struct Expect {
    ty: TypeId,
    because: Because,
}

#[derive(Clone, Copy)]
enum Because {
    /// Nothing to say.
    Plain,
    /// The n-th argument (from 1) of a function defined at a place.
    Argument(u32, Option<Symbol>),
    Condition,
    /// Another branch, whose type counts.
    Branch(Span),
    Annotation(Span),
    /// An element after the first of a list or array.
    Element(Span),
    /// The branch of this `if`, which has no other.
    NoElse(Span),
}

impl Expect {
    fn plain(ty: TypeId) -> Self {
        Self { ty, because: Because::Plain }
    }
}

impl Infer<'_> {
    fn unit(&mut self, root: &mut Env, unit: &Unit) {
        self.library = unit.library;
        self.sees_all = unit.library || unit.generated;
        self.quotes.unit(unit);
        self.language = unit.language;
        self.usage.warns = Self::notices_unused(unit);
        self.later.clone_from(&unit.later);
        self.types.clef_names = unit.language == Language::Clef;
        if unit.language == Language::Clef {
            return self.clef_unit(unit);
        }
        self.path = if unit.library { library_path(unit) } else { vec![unit.name.as_str().into()] };
        self.exn_path.clone_from(&self.path);
        if let Some(item) = unit.structure.first() {
            self.note_scope(item.span.whole_file(), unit.name.as_str());
        }
        let (around, stdlib) = match self.sees_all {
            true => (&*root, &self.stdlib),
            false => (&self.public.root, &self.public.stdlib),
        };
        let mut env = around.clone();
        if let Some(stdlib) = stdlib {
            env.open(stdlib);
        }
        let module = match &unit.signature {
            Some(signature) if unit.interface_only => self.interface_module(&env, signature),
            Some(signature) => {
                let module = self.structure(&env, &unit.structure);
                self.seal_unit(&env, unit, module, signature)
            }
            None => self.structure(&env, &unit.structure),
        };
        self.report_unused();
        if !unit.library && !self.diagnostics.has_errors() {
            self.check_determined(&module);
            self.check_weak_scopes();
        }
        self.weak_vars.clear();
        let public = if unit.library { self.public(unit, &module) } else { module.clone() };
        if unit.name.as_str() == "Stdlib" && unit.library {
            self.stdlib = Some(module.clone());
            self.public.stdlib = Some(public.clone());
        }
        if !unit.library {
            self.public.users.insert(unit.name);
            self.public.root.add_module(unit.name, public);
            return;
        }
        self.public.units.insert(unit.name, public.clone());
        if !self.public.users.contains(&unit.name) {
            self.public.root.add_module(unit.name, public);
        }
        self.units.insert(unit.name, module.clone());
        root.add_module(unit.name, module);
    }

    /// A weak type variable that the whole file leaves undetermined could be given two meanings
    /// by two other files.
    fn check_determined(&mut self, module: &Module) {
        let structure = match module {
            Module::Structure(structure) => structure,
            Module::Functor(functor) => {
                return functor.checked.get().into_iter().for_each(|it| self.check_determined(it));
            }
            Module::Later(_) | Module::Error => return,
        };
        for (&name, value) in &structure.values {
            // An application of a functor has what the functor has.
            let is_reported = self.diagnostics.has_error_within(value.span);
            if matches!(value.kind, env::ValueKind::Inline(_)) || is_reported {
                continue;
            }
            let found = self.variances(value.ty);
            let weak = |it: &(TypeId, variance::Variance)| match &self.types.nodes[it.0] {
                Type::Var { level, .. } => {
                    *level != GENERIC && !self.types.open_weak.contains(it.0)
                }
                Type::Row(row) => row.level != GENERIC,
                _ => false,
            };
            if found.iter().filter(|it| weak(it)).any(|it| it.1.negative) {
                let shown = self.show(value.ty);
                let report = match name.origin() {
                    Some(Made::Class(name)) => {
                        let text = format!("the types of the class `{name}` are not determined");
                        let place = "something around its body has a type that no use says";
                        Diagnostic::error("E0134", text).at(value.span, place)
                    }
                    _ => {
                        let text = format!("the type of `{name}` is not determined");
                        let place = format!("has type `{shown}`, and no use says what `'_…` is");
                        let help = format!("annotate the definition: `let {name} : … = …`");
                        Diagnostic::error("E0134", text).at(value.span, place).help(help)
                    }
                };
                self.diagnostics.error(report);
            }
        }
        for module in structure.modules.values() {
            self.check_determined(module);
        }
    }

    fn well_known(&self) -> tast::WellKnown {
        known::check_complete(&self.known);
        let stdlib = self.stdlib.as_ref();
        let exn = |name: &str| stdlib.and_then(|it| it.find_exn(Symbol::new(name)));
        let known = |function: KnownFunction| self.known.get(function);
        tast::WellKnown {
            list: Some(self.builtins.list),
            reference: known(KnownFunction::Reference),
            uncaught: known(KnownFunction::UncaughtOfClef).or(known(self.quotes.uncaught())),
            finish: known(self.quotes.finish()),
            flush: known(KnownFunction::Flush),
            exns: oxbow_psg::KnownExns {
                match_failure: exn("Match_failure"),
                assert_failure: exn("Assert_failure"),
                invalid_argument: exn("Invalid_argument"),
                stack_overflow: exn("Stack_overflow"),
                out_of_memory: exn("Out_of_memory"),
                undefined_module: exn("Undefined_recursive_module"),
            },
            functions: self.known.clone(),
        }
    }

    fn fresh(&mut self) -> TypeId {
        self.fresh_at(self.level)
    }

    fn fresh_at(&mut self, level: u32) -> TypeId {
        self.types.add(Type::Var { level, name: None })
    }

    fn arrow(&mut self, label: Label, param: TypeId, result: TypeId) -> TypeId {
        self.types.add(Type::Arrow(label, param, result))
    }

    fn new_var(&mut self, name: Symbol, ty: TypeId, span: Span) -> VarId {
        let global = self.local_depth == 0;
        let info = VarInfo { name, ty, tyvars: Vec::new(), mutable: false, global, span };
        let var = self.types.vars.push(info);
        self.note_var(var);
        var
    }

    /// Elaborates a body at one of its uses; none if that has become too much.
    fn copying<T>(&mut self, span: Span, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let outermost = self.functors.copies.is_none();
        let budget = Budget::new(limits::COPIED);
        let copies = self.functors.copies.get_or_insert(state::Copies {
            budget,
            place: span,
            reported: false,
        });
        let fits = copies.budget.take(1);
        if !fits && !std::mem::replace(&mut copies.reported, true) {
            let report = limits::COPIED.report(copies.place, "the copies are made for this use");
            self.diagnostics.error(report);
        }
        let result = fits.then(|| make(self));
        if outermost {
            self.functors.copies = None;
        }
        result
    }

    /// One more expression of a body that is elaborated at its uses. What is too much is found at the next use.
    fn count_copied(&mut self) {
        if let Some(copies) = &mut self.functors.copies {
            let _fits = copies.budget.take(1);
        }
    }

    fn error_expr(&mut self, reported: Reported, span: Span) -> tast::Expr {
        tast::Expr { kind: tast::ExprKind::Error(reported), ty: self.builtins.error, span }
    }
}

/// What people see as the path of a library module: nothing for `Stdlib` itself, and for one of several files of a
/// module (`[@@@part_of "Unix"]`) that module.
fn library_path(unit: &Unit) -> Vec<String> {
    let part_of = unit.structure.iter().find_map(|it| match &it.kind {
        ast::ItemKind::Attribute(it) if it.name.text.as_str() == "part_of" => it.payload,
        _ => None,
    });
    match part_of.unwrap_or(unit.name).as_str() {
        "Stdlib" => Vec::new(),
        name => vec![name.into()],
    }
}
