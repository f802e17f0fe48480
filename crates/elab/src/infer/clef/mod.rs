//! What Clef needs besides what it shares with OCaml.
//!
//! ```text
//! dotted     a.b.c: modules, types, values, members, by what is in scope
//! operation  what overloaded names mean, as rows
//! overload   operators and functions that the operand's type decides
//! inline     functions that are elaborated anew at each use
//! chosen     arguments whose types choose among methods
//! member     members of types, and calls of them
//! families   what classes inherit from
//! active     active patterns
//! arguments  named and optional arguments of methods
//! arity      types of one name with different numbers of parameters
//! flow       `|>`, and conversions of collections to sequences
//! loops      `for … in`, ranges, comprehensions
//! recursion  functions that use themselves at other types
//! composite  formats of .NET
//! object     objects of classes: names in their members, what they can be seen as, casts
//! implicit     values of a computation that are yielded without the word
//! computation  `builder { … }`
//! resolved   members that a type has where an inline function is used
//! structs    structs whose fields can be assigned
//! units      units of measure
//! ```

mod active;
mod anonymous;
mod apply;
mod arguments;
mod arity;
mod chosen;
mod composite;
mod computation;
mod dotted;
mod families;
mod flow;
mod format;
mod implicit;
mod inline;
mod loops;
mod member;
mod member_order;
mod missing;
mod object;
mod operation;
mod overload;
mod place;
mod recursion;
mod resolved;
mod slot;
mod spread;
mod structs;
mod type_tests;
mod units;
mod views;

pub use active::ActivePattern;
pub use arguments::Chosen;
pub use inline::{InlineFunction, is_inline};
pub use member::{CallShape, MemberInfo};
pub use operation::Operation;
pub use overload::Overload;
pub use spread::spread;
pub use units::UnitRule;
pub use views::{Slots, ViewInfo};

use oxbow_base::{Language, Made, Span, Symbol};

use crate::ast::{self, ArgLabel, ExprKind, ModulePath, Name, Path};
use crate::tast;
use crate::types::{TyConId, Type, TypeId};

use super::env::{Env, Module, Value, ValueKind};
use super::{Expect, Infer};

impl Infer<'_> {
    pub(super) fn is_clef(&self) -> bool {
        self.language == Language::Clef
    }

    /// The scope of a Clef file: the built-in types, OCaml's library under its own name, what the
    /// files before define, and the prelude.
    pub(super) fn clef_scope(&mut self) -> Env {
        let mut env = self.clef.root.clone();
        if let Some(Module::Structure(stdlib)) = &self.stdlib {
            for name in ["Failure", "Match_failure", "Assert_failure", "Stack_overflow"] {
                if let Some(&ctor) = stdlib.ctors.get(&Symbol::new(name)) {
                    env.add_ctor(Symbol::new(name), ctor);
                }
            }
        }
        let mut ocaml = super::env::Structure::default();
        for (&name, module) in &self.units {
            ocaml.modules.insert(name, module.clone());
        }
        env.add_module(Symbol::new("OCaml"), Module::Structure(std::rc::Rc::new(ocaml)));
        if let Some(prelude) = &self.clef.prelude {
            env.add_module(Made::Prelude.symbol(), prelude.clone());
            env.open(prelude);
        }
        if let Some(globals) = self.clef.units.get(&Symbol::new("Globals")) {
            env.open(globals);
        }
        for part in &self.clef.opened {
            env.open_layered(part);
        }
        env
    }

    /// A Clef file.
    pub(super) fn clef_unit(&mut self, unit: &super::Unit) {
        let name = unit.name.as_str();
        if unit.library {
            self.clef.library_files.insert(unit.span.file);
        }
        self.path = if unit.library { Vec::new() } else { vec![name.into()] };
        self.exn_path = if unit.library { Vec::new() } else { vec![name.into()] };
        let mut env = self.clef_scope();
        // What the modules around it define is in scope.
        for count in 1..=unit.outer.len() {
            if let Some(outer) = self.outer_module(&unit.outer[..count]) {
                env.open_layered(&outer);
            }
        }
        let had_units = self.types.has_units();
        let module = self.structure(&env, &unit.structure);
        self.settle_overloads();
        // That a file of the library mentions units makes no program with units.
        if unit.library {
            self.types.use_units(had_units);
        }
        if !unit.library && !self.diagnostics.has_errors() {
            self.check_determined(&module);
        }
        if unit.library && name == "Prelude" {
            self.clef.prelude = Some(module.clone());
            self.clef.object = self.prelude_type("obj");
        }
        if unit.opened
            && let Module::Structure(part) = &module
            && let Some(names) = part.modules.get(&Symbol::new("Opened"))
        {
            self.clef.opened.push(names.clone());
        }
        self.clef.units.insert(unit.name, module.clone());
        let mut path = unit.outer.clone();
        if !unit.merged {
            path.push(unit.name);
        }
        let root = std::mem::take(&mut self.clef.root);
        self.clef.root = with_module(root, &path, module);
    }

    /// `open M`. The library's `Format.int` and the like do not hide the conversions of that name.
    pub(super) fn open(&self, env: &mut Env, path: &ast::ModuleExpr, module: &Module) {
        let checked = matches!(&path.kind, ast::ModuleExprKind::Path(ModulePath::Name(name) | ModulePath::Dot(_, name))
            if name.text.as_str() == "Checked");
        if !self.is_clef() {
            return env.open(module);
        }
        if checked {
            return env.open_layered(module);
        }
        let names = match module {
            Module::Structure(structure) => structure.values.keys().copied().collect(),
            Module::Functor(_) | Module::Later(_) | Module::Error => Vec::new(),
        };
        let kept: Vec<_> = names
            .into_iter()
            .filter_map(|name| Some((name, env.value(name)?.clone())))
            .filter(|(_, value)| match value.kind {
                ValueKind::Overload(it) => it.is_conversion() || it == Operation::Text,
                _ => false,
            })
            .collect();
        env.open_layered(module);
        for (name, conversion) in kept {
            let hidden =
                env.value(name).is_some_and(|it| self.clef.library_files.contains(it.span.file));
            if hidden {
                env.add_value(name, conversion);
            }
        }
    }

    fn outer_module(&self, path: &[Symbol]) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        let mut module = self.clef.root.module(*first)?.clone();
        for name in rest {
            let Module::Structure(structure) = &module else { return None };
            module = structure.modules.get(name)?.clone();
        }
        Some(module)
    }

    /// A value of the prelude.
    fn prelude_value(&self, name: &str) -> Option<Value> {
        match &self.clef.prelude {
            Some(Module::Structure(prelude)) => prelude.values.get(&Symbol::new(name)).cloned(),
            _ => None,
        }
    }

    /// A constructor of the prelude.
    fn prelude_ctor(&self, name: Symbol) -> Option<super::env::Ctor> {
        match &self.clef.prelude {
            Some(Module::Structure(prelude)) => prelude.ctors.get(&name).copied(),
            _ => None,
        }
    }

    /// A type of the prelude.
    fn prelude_type(&self, name: &str) -> Option<TyConId> {
        match &self.clef.prelude {
            Some(Module::Structure(prelude)) => prelude.types.get(&Symbol::new(name)).copied(),
            _ => None,
        }
    }

    /// Is this name in scope the prelude's own?
    fn is_prelude(&self, env: &Env, name: &str) -> bool {
        let Some(value) = env.value(Symbol::new(name)) else { return false };
        match (value.kind, self.prelude_value(name).map(|it| it.kind)) {
            (ValueKind::Var(a), Some(ValueKind::Var(b))) => a == b,
            (ValueKind::Inline(a), Some(ValueKind::Inline(b))) => a == b,
            _ => false,
        }
    }

    /// Does the program itself define what `owner.member` stands for, in a module or a type of its own?
    fn is_of_program(&self, env: &Env, owner: Symbol, member: Symbol) -> bool {
        let own = |span: Span| !self.clef.library_files.contains(span.file);
        let value = match env.module(owner) {
            Some(Module::Structure(module)) => module.values.get(&member),
            _ => None,
        };
        let tycon = env.ty(owner).and_then(|it| self.span_of_tycon(it));
        value.is_some_and(|it| own(it.span)) || tycon.is_some_and(own)
    }

    /// The type constructor at the top of a type, as far as it is known; of a number with a unit, the number's.
    pub(super) fn head_con(&mut self, ty: TypeId) -> Option<(TyConId, Vec<TypeId>)> {
        let ty = self.types.expand(ty);
        let ty = self.types.number_of(ty);
        match &self.types.nodes[ty] {
            Type::Con(con, args) => Some((*con, args.clone())),
            _ => None,
        }
    }

    fn is_unknown(&mut self, ty: TypeId) -> bool {
        let ty = self.types.expand(ty);
        matches!(self.types.nodes[ty], Type::Var { .. })
    }

    /// Gives an expression that has been inferred a name, for surface nodes made around it.
    fn with_typed(
        &mut self,
        env: &Env,
        typed: tast::Expr,
        origin: impl FnOnce(u32) -> Made,
        then: impl FnOnce(&mut Self, &Env, ast::Expr) -> tast::Expr,
    ) -> tast::Expr {
        let (ty, span) = (typed.ty, typed.span);
        self.clef.typed_names += 1;
        let name = origin(self.clef.typed_names).symbol();
        self.local_depth += 1;
        let var = self.new_var(name, ty, span);
        self.local_depth -= 1;
        let mut inner = env.clone();
        inner.add_value(name, self.mono_value(ValueKind::Var(var), ty, span));
        let mention = ident(Name { text: name, span });
        let body = then(self, &inner, mention);
        let (result, whole) = (body.ty, body.span);
        let pattern = tast::Pattern { kind: tast::PatternKind::Var(var), ty, span };
        let bindings = vec![tast::Binding { pattern, value: typed }];
        let kind = tast::ExprKind::Let { bindings, as_match: None, body: Box::new(body) };
        tast::Expr { kind, ty: result, span: whole }
    }

    /// Expressions that only Clef has.
    pub(super) fn clef_expr(&mut self, env: &Env, expr: &ast::Expr, expect: Expect) -> tast::Expr {
        let span = expr.span;
        match &expr.kind {
            ExprKind::ForIn { pattern, source, body, until } => {
                self.for_in(env, pattern, source, body, *until, span, expect)
            }
            ExprKind::Range { from, step, to } => {
                self.range_seq(env, from, step.as_deref(), to, span, expect)
            }
            ExprKind::Index(object, index) => self.index(env, object, index, span, expect),
            ExprKind::SetIndex(object, index, value) => {
                self.set_index(env, object, index, value, span, expect)
            }
            ExprKind::Slice(object, from, to) => {
                self.slice(env, object, from.as_deref(), to.as_deref(), span, expect)
            }
            ExprKind::TypeApply(inner, args) => self.type_apply(env, inner, args, expect),
            ExprKind::AddressOf(inner) => self.address_of(env, inner, span, expect),
            ExprKind::ImplicitYield { value, give, until } => {
                self.implicit_yield(env, value, *give, *until, span, expect)
            }
            ExprKind::Computation(builder, body) => {
                self.computation(env, (builder, body), span, expect)
            }
            ExprKind::Bang(bang, inner) => {
                self.infer_only(env, inner);
                self.stray_bang(bang.word(), span)
            }
            ExprKind::LetBang(it) => self.stray_bang(if it.using { "use!" } else { "let!" }, span),
            ExprKind::Aliases(names, body) => self.with_aliases(env, names, body, expect),
            ExprKind::TypeTest(inner, to) => self.cast(env, (inner, to), "is_some", span, expect),
            ExprKind::Measured(number, unit) => {
                self.measured_literal(env, number, unit, span, expect)
            }
            ExprKind::ResolvedMember(it) => self.resolved_member(env, it, span, expect),
            ExprKind::Downcast(inner, to) => {
                self.cast(env, (inner, to), type_tests::CAST, span, expect)
            }
            ExprKind::Yield(inner) | ExprKind::YieldFrom(inner) => {
                self.infer_only(env, inner);
                let reported = self.diagnostics.error(
                    oxbow_diag::Diagnostic::error(
                        "E0140",
                        "`yield` stands outside of a comprehension",
                    )
                    .at(span, "yields to nobody")
                    .help("put it in `seq { … }`, `[ … ]` or `[| … |]`"),
                );
                self.error_expr(reported, span)
            }
            _ => oxbow_diag::ice!("not an expression of Clef alone"),
        }
    }
}

pub fn node(kind: ExprKind, span: Span) -> ast::Expr {
    ast::Expr { kind, span, attributes: Vec::new() }
}

pub fn name(text: &str, span: Span) -> Name {
    Name { text: Symbol::new(text), span }
}

/// A name that no program can write.
pub fn made(origin: Made, span: Span) -> Name {
    Name { text: origin.symbol(), span }
}

/// Names of values that are inferred before the code around them is made.
pub fn typed(stem: &'static str) -> impl FnOnce(u32) -> Made {
    move |number| Made::Typed(Symbol::new(stem), number)
}

pub fn ident(name: Name) -> ast::Expr {
    node(ExprKind::Ident(Path::plain(name)), name.span)
}

/// A value of the prelude, whatever the program calls its own.
pub fn library(text: &str, span: Span) -> ast::Expr {
    node(ExprKind::Ident(library_path(text, span)), span)
}

fn library_path(text: &str, span: Span) -> Path {
    let prefix = Some(Box::new(ModulePath::Name(made(Made::Prelude, span))));
    Path { prefix, name: name(text, span) }
}

pub fn apply(func: ast::Expr, args: Vec<ast::Expr>, span: Span) -> ast::Expr {
    let args = args.into_iter().map(|it| (ArgLabel::None, it)).collect();
    node(ExprKind::Apply(Box::new(func), args), span)
}

pub fn construct(text: &str, arg: Option<ast::Expr>, span: Span) -> ast::Expr {
    node(ExprKind::Construct(Path::plain(name(text, span)), arg.map(Box::new)), span)
}

/// The scope with a module at a path; what is there already is kept.
fn with_module(mut env: Env, path: &[Symbol], module: Module) -> Env {
    let Some((&first, rest)) = path.split_first() else {
        env.open_layered(&module);
        return env;
    };
    let before = env.module(first).cloned();
    env.add_module(first, merged(before, rest, module));
    env
}

fn merged(before: Option<Module>, path: &[Symbol], module: Module) -> Module {
    use super::env::Structure;
    let mut structure: Structure = match &before {
        Some(Module::Structure(before)) => before.as_ref().clone(),
        _ => Structure::default(),
    };
    match path.split_first() {
        None => {
            let Module::Structure(added) = module else { return module };
            structure.layer(&added);
        }
        Some((&first, rest)) => {
            let inner = structure.modules.get(&first).cloned();
            structure.modules.insert(first, merged(inner, rest, module));
        }
    }
    Module::Structure(std::rc::Rc::new(structure))
}

/// `[<RequireQualifiedAccess>]` of a union or an enumeration.
pub fn is_qualified(decl: &ast::TypeDecl) -> bool {
    let attribute = |it: &ast::Attribute| it.name.text.as_str() == "RequireQualifiedAccess";
    matches!(decl.kind, ast::TypeDeclKind::Variant(_)) && decl.attributes.iter().any(attribute)
}

/// Is this a value of the prelude, named by syntax?
pub fn is_library(expr: &ast::Expr) -> bool {
    let ExprKind::Ident(Path { prefix: Some(prefix), .. }) = &expr.kind else { return false };
    matches!(prefix.as_ref(), ModulePath::Name(name) if name.text == Made::Prelude.symbol())
}

/// A name of F# or .NET that Clef does not have: what it stands for, and what to use instead.
pub fn unsupported_name(name: &str) -> Option<(String, Option<&'static str>)> {
    Some(match name {
        "Array4D" => {
            let construct = format!("arrays of four dimensions (`{name}`)");
            (construct, Some("use an array of `Array3D`"))
        }
        "query" => (format!("`{name}` of .NET"), Some("use the functions of `Seq`")),
        "typedefof" | "sizeof" | "Reflection" | "Activator" | "Assembly" => {
            (format!("reflection (`{name}`)"), Some("types are known when the program is compiled"))
        }
        "Linq" => {
            ("LINQ (`System.Linq`)".into(), Some("use the functions of `Seq`, `List` and `Array`"))
        }
        "Thread" | "ThreadPool" | "Monitor" | "Mutex" | "Semaphore" | "SemaphoreSlim"
        | "ManualResetEvent" | "AutoResetEvent" | "BackgroundWorker" => {
            let instead = "use `async`, `task` or a `MailboxProcessor`";
            (format!("threads of .NET (`{name}`)"), Some(instead))
        }
        "Unchecked" => ("default values (`Unchecked.defaultof`)".into(), Some("use an option")),
        "DateTimeOffset" | "DateOnly" | "TimeOnly" | "TimeZoneInfo" => {
            (format!("`{name}` of .NET"), Some("use `DateTime` and `TimeSpan`"))
        }
        "ConcurrentDictionary" | "ConcurrentQueue" | "ConcurrentBag" => {
            let instead = "one computation runs at a time: use the collection without `Concurrent`";
            (format!("`{name}` of .NET"), Some(instead))
        }
        "LinkedList" | "LinkedListNode" => {
            (format!("`{name}` of .NET"), Some("use `ResizeArray`, `Queue` or `Stack`"))
        }
        "HttpClient" => (format!("`{name}` of .NET"), None),
        _ => return None,
    })
}
