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

mod ahead;
mod alias;
mod apply;
mod argument;
mod binding;
mod branches;
mod builtin;
mod cases;
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
mod coverage;
mod decl;
mod desugar;
mod env;
mod error;
mod exports;
mod expr;
mod extend;
mod external;
mod format;
mod forms;
mod function;
mod generalize;
mod here;
mod inherit;
mod known;
mod lookup;
mod members;
mod module;
mod object;
mod opening;
mod own_result;
mod pack;
mod package;
mod pattern;
mod poly_field;
mod poly_pattern;
mod print;
mod record;
mod recursive;
mod rows;
mod signature;
mod signature_of;
mod statement;
pub mod suggest;
mod typexpr;
mod unify;
mod unused;
mod variance;
mod variant;

use std::rc::Rc;

use oxbow_base::{FxHashMap, FxHashSet, IdMap, IdSet, Language, Span, Symbol};
use oxbow_diag::limits::{self, Budget};
use oxbow_diag::{Diagnostic, Diagnostics, Reported};
use oxbow_psg::{KnownFunction, KnownFunctions, VarId};

use crate::ast;
use crate::tast;
use crate::types::{GENERIC, Label, TyConId, TyConKind, Type, TypeId, Types, VarInfo};

use builtin::Builtins;
use env::{Env, Module, ModuleTypeDef, Table};

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
        tyvars: FxHashMap::default(),
        path: Vec::new(),
        stdlib: None,
        units: FxHashMap::default(),
        public: exports::Public { root: env.clone(), ..exports::Public::default() },
        functor_types: FxHashMap::default(),
        functor_key: None,
        functor_decls: 0,
        named_level: 1,
        reexports: FxHashSet::default(),
        or_vars: Vec::new(),
        or_seen: Vec::new(),
        scope_levels: FxHashMap::default(),
        kept_modules: Vec::new(),
        same_module: FxHashMap::default(),
        kept_structures: Vec::new(),
        flexible: FxHashSet::default(),
        trusts_declarations: false,
        rigid_rows: FxHashMap::default(),
        given_module_types: Table::default(),
        checking: false,
        inline_allowed: false,
        in_signature: false,
        local_scope: None,
        exn_path: Vec::new(),
        defining: Vec::new(),
        language: Language::Ocaml,
        clef_root,
        prelude: None,
        units_clef: FxHashMap::default(),
        members: FxHashMap::default(),
        views: FxHashMap::default(),
        view_targets: FxHashSet::default(),
        aliases: Vec::new(),
        chosen: None,
        class_tyvars: FxHashMap::default(),
        overloads: Vec::new(),
        settled: 0,
        inlines: Vec::new(),
        active: FxHashMap::default(),
        active_ctors: FxHashSet::default(),
        literals: FxHashMap::default(),
        case_fields: FxHashMap::default(),
        typed_names: 0,
        call_shapes: Vec::new(),
        library_files: FxHashSet::default(),
        broken: FxHashSet::default(),
        inline_place: None,
        schemes_tried: 0,
        refused: FxHashSet::default(),
        used: IdSet::new(),
        used_inside: IdMap::new(),
        warns_unused: false,
        unused: Vec::new(),
        sealed_around: Vec::new(),
        is_interface_only: false,
        copies: None,
        branches: branches::Branches::default(),
        later: Vec::new(),
        packages: Vec::new(),
        is_applicative: false,
        discarding: 0,
        anchor: None,
        anchored: Vec::new(),
        classes: FxHashMap::default(),
        open_objects: Vec::new(),
        supers: Vec::new(),
        class_head: None,
        class_group_start: None,
        inheriting: Vec::new(),
        class_tycons: FxHashMap::default(),
        seals: Vec::new(),
        last_seal: 0,
        numbers: FxHashSet::default(),
        complete_classes: FxHashSet::default(),
        known_params: std::collections::VecDeque::new(),
        inherit_place: None,
    };
    (cx, env)
}

impl<'a> Inference<'a> {
    pub fn new(diagnostics: &'a mut Diagnostics) -> Self {
        let (cx, root) = start(diagnostics);
        Self { cx, root, language: Language::Ocaml }
    }

    pub fn unit(&mut self, unit: &Unit) {
        self.language = unit.language;
        self.cx.unit(&mut self.root, unit);
    }

    /// The reports so far.
    pub fn diagnostics(&mut self) -> &mut Diagnostics {
        self.cx.diagnostics
    }

    /// The program of all units.
    pub fn finish(self) -> tast::Program {
        let cx = self.cx;
        let well_known = cx.well_known();
        let left_to_right = self.language == Language::Clef;
        let nothing = |it: &clef::Overload| tast::Expr {
            kind: tast::ExprKind::Unit,
            ty: it.ty,
            span: it.span,
        };
        let overloads = cx
            .overloads
            .into_iter()
            .map(|it| it.meaning.clone().unwrap_or_else(|| nothing(&it)))
            .collect();
        tast::Program { types: cx.types, items: cx.items, well_known, overloads, left_to_right }
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
    /// Types made by a functor application, by the application's key and their number in it:
    /// applying a functor twice to the same module gives the same types.
    functor_types: FxHashMap<(String, u32), TyConId>,
    functor_key: Option<String>,
    functor_decls: u32,
    /// The level of type variables that the user names in the current item.
    named_level: u32,
    /// Types declared as `type t = M.t = A | B`.
    reexports: FxHashSet<TyConId>,
    /// Variables of the left sides of the or-patterns around the current pattern, and those of
    /// them that the right side has bound so far.
    or_vars: Vec<Vec<(Symbol, VarId)>>,
    or_seen: Vec<Symbol>,
    /// Types that are local to an expression (rigid ones, and those of local modules), with the
    /// level at which they were made: they must not escape it.
    scope_levels: FxHashMap<TyConId, u32>,
    /// Functors and arguments applied so far: their addresses are keys of `functor_types`.
    kept_modules: Vec<(Rc<env::Functor>, Module)>,
    /// A functor's parameter is the module that it was bound to, by addresses.
    same_module: FxHashMap<usize, usize>,
    /// Structures whose addresses are in `same_module`.
    kept_structures: Vec<Rc<env::Structure>>,
    /// Types of signatures that no structure has been matched with yet.
    flexible: FxHashSet<TyConId>,
    /// Does an abstract type have the variances that it is declared with, or those of what it stands for?
    trusts_declarations: bool,
    /// Rows that an annotation quantifies over, with the level of its definition.
    rigid_rows: FxHashMap<TypeId, u32>,
    /// What the next signature is to take for the module types that it leaves open.
    given_module_types: Table<ModuleTypeDef>,
    /// Elaborating for the errors alone: what a functor's parameter leaves open stays so.
    checking: bool,
    /// May the name that comes next stand for an inline record?
    inline_allowed: bool,
    /// Are the declarations at hand those of a signature?
    in_signature: bool,
    /// The level of types declared here, inside a local module.
    local_scope: Option<u32>,
    /// Names of the enclosing modules as the names of exceptions show them.
    exn_path: Vec<String>,
    /// Names whose definitions, not recursive, are being inferred: for the hint to write `rec`.
    defining: Vec<Symbol>,
    /// The language of the current file.
    language: Language,
    /// Built-in types and the modules of Clef files, by Clef's names.
    clef_root: Env,
    /// Clef's own standard module.
    prelude: Option<Module>,
    units_clef: FxHashMap<Symbol, Module>,
    /// Members of types, by type and name.
    members: FxHashMap<(TyConId, Symbol), Vec<clef::MemberInfo>>,
    /// What else the values of a type can be seen as (Clef).
    views: FxHashMap<TyConId, Vec<clef::ViewInfo>>,
    view_targets: FxHashSet<TyConId>,
    /// What names that stand for expressions mean (Clef).
    aliases: Vec<ast::Expr>,
    /// The method that the call being inferred was found to mean (Clef).
    chosen: Option<clef::Chosen>,
    /// The parameters of the classes whose members are being inferred (Clef).
    class_tyvars: FxHashMap<Symbol, TypeId>,
    /// Mentions that a type decides; those before `settled` have a meaning.
    overloads: Vec<clef::Overload>,
    settled: usize,
    inlines: Vec<Rc<clef::InlineFunction>>,
    /// Functions that are active patterns.
    active: FxHashMap<VarId, clef::ActivePattern>,
    active_ctors: FxHashSet<(TyConId, u32)>,
    /// Constants that patterns may name (`[<Literal>]`).
    literals: FxHashMap<VarId, ast::Constant>,
    /// Names of the fields of union cases.
    case_fields: FxHashMap<(TyConId, u32), Vec<Option<Symbol>>>,
    /// How many names have been made for typed expressions.
    typed_names: u32,
    /// What the call being inferred gives to its member.
    call_shapes: Vec<clef::CallShape>,
    /// The files of Clef's library.
    library_files: FxHashSet<oxbow_base::FileId>,
    /// Names that what could not be parsed mentions.
    broken: FxHashSet<Symbol>,
    /// Where the program uses the inline function of the library that is being elaborated.
    inline_place: Option<Span>,
    /// How many recursive groups around are inferred with their annotations as schemes.
    schemes_tried: u32,
    /// Types that an operator was wanted for and not found.
    refused: FxHashSet<TypeId>,
    /// Variables that something mentions, apart from the definitions of their own group.
    used: IdSet<VarId>,
    /// What each definition of a recursive group mentions of the group.
    used_inside: IdMap<VarId, Vec<VarId>>,
    /// Does the file at hand want to hear of unused variables?
    warns_unused: bool,
    /// Sealed types that are what they stand for, while a functor behind the seal is applied.
    sealed_around: Vec<TyConId>,
    /// Unused variables found so far.
    unused: Vec<ast::Name>,
    /// Is the signature at hand all there is of its module?
    is_interface_only: bool,
    /// What the outermost use of a functor or an inline function has made so far, if there is one around.
    copies: Option<Copies>,
    /// What the constructors of the patterns around tell of types.
    branches: branches::Branches,
    /// Modules that come after the file at hand.
    later: Vec<Symbol>,
    /// The types of packed modules.
    packages: Vec<package::Package>,
    /// Is this the body of a functor that makes the same types for the same argument?
    is_applicative: bool,
    /// How many elaborations around are for types and errors alone.
    discarding: u32,
    /// The module type of the recursive module whose structure comes next.
    anchor: Option<Rc<env::Structure>>,
    /// Types of recursive modules that are those of the structure at hand, and what they are otherwise.
    anchored: Vec<(TyConId, TyConKind)>,
    /// Classes, by the variables of the functions that make their objects.
    classes: FxHashMap<VarId, Rc<class::ClassInfo>>,
    /// The objects whose methods are being inferred, the innermost last.
    open_objects: Vec<class_body::OpenObject>,
    /// What `inherit … as x` names: the methods by then.
    supers: Vec<class_body::Methods>,
    /// The class whose body comes next.
    class_head: Option<class::ClassHead>,
    /// The first variable of the classes that are being inferred together.
    class_group_start: Option<usize>,
    /// The classes whose bodies are being elaborated, the innermost last.
    inheriting: Vec<VarId>,
    /// The types of classes and class types, with the instance variables and private methods that they tell of.
    class_tycons: FxHashMap<TyConId, Rc<[Symbol]>>,
    /// The inheritances around that go through a signature: a number, and what is visible of the class there.
    seals: Vec<(u32, Rc<[Symbol]>)>,
    last_seal: u32,
    /// The variables of the numbers of objects that are values.
    numbers: FxHashSet<VarId>,
    /// Classes whose types are known.
    complete_classes: FxHashSet<VarId>,
    /// The types of the parameters of the class that is being inherited, as far as they are known.
    known_params: std::collections::VecDeque<TypeId>,
    /// The outermost `inherit` around.
    inherit_place: Option<Span>,
}

/// The body of a functor or an inline function is elaborated anew at each use, and so are those that it uses.
struct Copies {
    budget: Budget,
    /// The outermost use.
    place: Span,
    reported: bool,
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
        self.language = unit.language;
        self.warns_unused = Self::notices_unused(unit);
        self.later.clone_from(&unit.later);
        self.types.clef_names = unit.language == Language::Clef;
        if unit.language == Language::Clef {
            return self.clef_unit(unit);
        }
        self.path =
            if unit.library { library_path(unit.name) } else { vec![unit.name.as_str().into()] };
        self.exn_path.clone_from(&self.path);
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
        }
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
        let Module::Structure(structure) = module else { return };
        for (&name, value) in &structure.values {
            if matches!(value.kind, env::ValueKind::Inline(_)) {
                continue;
            }
            let found = self.variances(value.ty);
            let weak = |it: &(TypeId, variance::Variance)| match &self.types.nodes[it.0] {
                Type::Var { level, .. } => *level != GENERIC,
                Type::Row(row) => row.level != GENERIC,
                _ => false,
            };
            if found.iter().filter(|it| weak(it)).any(|it| it.1.negative) {
                let shown = self.show(value.ty);
                self.diagnostics.error(
                    Diagnostic::error("E0134", format!("the type of `{name}` is not determined"))
                        .at(
                            value.span,
                            format!("has type `{shown}`, and no use says what `'_…` is"),
                        )
                        .help(format!("annotate the definition: `let {name} : … = …`")),
                );
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
            uncaught: known(KnownFunction::UncaughtOfClef).or(known(KnownFunction::Uncaught)),
            finish: known(KnownFunction::Finish),
            flush: known(KnownFunction::Flush),
            match_failure: exn("Match_failure"),
            assert_failure: exn("Assert_failure"),
            invalid_argument: exn("Invalid_argument"),
            stack_overflow: exn("Stack_overflow"),
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
        self.types.vars.push(VarInfo { name, ty, tyvars: Vec::new(), mutable: false, global, span })
    }

    /// Elaborates a body at one of its uses; none if that has become too much.
    fn copying<T>(&mut self, span: Span, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let outermost = self.copies.is_none();
        let budget = Budget::new(limits::COPIED);
        let copies = self.copies.get_or_insert(Copies { budget, place: span, reported: false });
        let fits = copies.budget.take(1);
        if !fits && !std::mem::replace(&mut copies.reported, true) {
            let report = limits::COPIED.report(copies.place, "the copies are made for this use");
            self.diagnostics.error(report);
        }
        let result = fits.then(|| make(self));
        if outermost {
            self.copies = None;
        }
        result
    }

    fn error_expr(&mut self, reported: Reported, span: Span) -> tast::Expr {
        tast::Expr { kind: tast::ExprKind::Error(reported), ty: self.builtins.error, span }
    }
}

/// What people see as the path of a library module: nothing for `Stdlib` itself.
fn library_path(name: Symbol) -> Vec<String> {
    if name.as_str() == "Stdlib" { Vec::new() } else { vec![name.as_str().into()] }
}
