//! The modules that a file mentions: the first names of its module paths, apart
//! from those that the file itself binds, each with the place of its first mention.
//!
//! ```text
//! let f = List.map Stdlib.Char.code a.(0)       List; Stdlib, and Char within it; Array
//! ```
//!
//! The driver uses this to find `a.ml` for `A`, to order files, and to say where a file is asked for. A name that an
//! `open` or `include` brings into scope is listed too; the driver finds no file for it, or orders one file more than
//! needed.

mod classes;
mod exprs;

use oxbow_base::{FxHashMap, FxHashSet, Span, Symbol};

use crate::ast::{
    ConstructorArgs, ExceptionDecl, Expr, External, FieldDecl, FunctorParam, Item, ItemKind,
    ModuleExpr, ModuleExprKind, ModulePath, ModuleType, ModuleTypeKind, Name, PackageType, Path,
    RowField, SigItem, SigItemKind, TypeDecl, TypeDeclKind, TypeExpr, TypeExprKind, TypeExtension,
    WithConstraint,
};
use crate::externals;

/// A module that a file mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention {
    pub name: Symbol,
    /// The module that it is said to be in, if that is the first name of the path: `Stdlib.List`.
    pub within: Option<Symbol>,
    pub span: Span,
}

/// The modules a structure mentions, in the order of first use; those that only indexing means come last.
pub fn of_structure(structure: &[Item]) -> Vec<Mention> {
    let mut walk = Walk::default();
    walk.structure(structure);
    walk.finish()
}

/// The modules a signature mentions, in the order of first use.
pub fn of_signature(signature: &[SigItem]) -> Vec<Mention> {
    let mut walk = Walk::default();
    walk.signature(signature);
    walk.finish()
}

/// What a user's file asks of others. A module that it only gives another name to (`module A = L__A` among the items of
/// the file) is not among its mentions: nothing depends on that module until somebody uses the new name.
#[derive(Debug, Default)]
pub struct Needs {
    pub mentions: Vec<Mention>,
    /// The new names, with the paths that they stand for.
    pub aliases: Vec<Alias>,
    /// The module paths that are used, apart from those that the file binds itself.
    pub paths: Vec<(Vec<Symbol>, Span)>,
    /// The paths that are opened or included somewhere.
    pub opened: Vec<Vec<Symbol>>,
}

#[derive(Clone, Debug)]
pub struct Alias {
    pub name: Symbol,
    pub target: Vec<Symbol>,
    pub span: Span,
}

/// What a file with its interface asks of others.
pub fn needs(structure: &[Item], signature: Option<&[SigItem]>) -> Needs {
    let mut all = Needs::default();
    for part in [Part::Structure(structure)].into_iter().chain(signature.map(Part::Signature)) {
        let mut walk = Walk { needs: Some(Needs::default()), ..Walk::default() };
        match part {
            Part::Structure(items) => walk.structure(items),
            Part::Signature(items) => walk.signature(items),
        }
        let needs = walk.needs.take().unwrap_or_default();
        all.mentions.extend(walk.finish());
        all.aliases.extend(needs.aliases);
        all.paths.extend(needs.paths);
        all.opened.extend(needs.opened);
    }
    all
}

enum Part<'a> {
    Structure(&'a [Item]),
    Signature(&'a [SigItem]),
}

/// The names of a path without applications.
fn names_of(path: &ModulePath) -> Option<Vec<Symbol>> {
    match path {
        ModulePath::Name(name) => Some(vec![name.text]),
        ModulePath::Dot(prefix, name) => {
            let mut names = names_of(prefix)?;
            names.push(name.text);
            Some(names)
        }
        ModulePath::Apply(..) => None,
    }
}

/// The module (its path) and the function of it that an operator of indexing means.
pub fn indexing(operator: &str) -> Option<(&'static [&'static str], &'static str)> {
    Some(match operator {
        ".()" => (&["Array"], "get"),
        ".()<-" => (&["Array"], "set"),
        ".[]" => (&["String"], "get"),
        ".[]<-" => (&["Bytes"], "set"),
        ".{1}" => (&["Bigarray", "Array1"], "get"),
        ".{1}<-" => (&["Bigarray", "Array1"], "set"),
        ".{2}" => (&["Bigarray", "Array2"], "get"),
        ".{2}<-" => (&["Bigarray", "Array2"], "set"),
        ".{3}" => (&["Bigarray", "Array3"], "get"),
        ".{3}<-" => (&["Bigarray", "Array3"], "set"),
        ".{n}" => (&["Bigarray", "Genarray"], "get"),
        ".{n}<-" => (&["Bigarray", "Genarray"], "set"),
        _ => return None,
    })
}

#[derive(Default)]
struct Walk {
    found: Vec<Mention>,
    /// What indexing means.
    indexed: Vec<Mention>,
    seen: FxHashSet<(Option<Symbol>, Symbol)>,
    /// How many enclosing scopes bind a name.
    bound: FxHashMap<Symbol, u32>,
    /// The names bound so far, innermost last.
    scope: Vec<Symbol>,
    /// What is gathered for files of the user besides mentions.
    needs: Option<Needs>,
    /// Names of the file for other modules that nothing has used so far.
    unused_aliases: FxHashMap<Symbol, ModulePath>,
    /// How many structures and signatures are around.
    depth: u32,
    /// The names in expressions, where those are asked for.
    names: Option<Names>,
}

/// What an expression mentions by its names, and by what it does with objects.
#[derive(Debug, Default)]
pub struct Names {
    /// Of values, fields, constructors and members; also of those that indices and assignments call. What a name of a
    /// class stands for is among them if the name is.
    pub all: FxHashSet<Symbol>,
    /// Those that may be a class of which an object is made: `C` of `C(…)`.
    pub makers: FxHashSet<Symbol>,
    /// Is something converted between classes, or its class asked for?
    pub converts: bool,
}

pub fn names_in(expr: &Expr) -> Names {
    let mut walk = Walk { names: Some(Names::default()), ..Walk::default() };
    walk.expr(expr);
    walk.names.unwrap_or_default()
}

impl Walk {
    fn finish(mut self) -> Vec<Mention> {
        for mention in self.indexed {
            if self.seen.insert((None, mention.name)) {
                self.found.push(mention);
            }
        }
        self.found
    }

    fn bind(&mut self, name: Symbol) {
        *self.bound.entry(name).or_default() += 1;
        self.scope.push(name);
    }

    fn is_bound(&self, name: Symbol) -> bool {
        self.bound.get(&name).is_some_and(|&it| it > 0)
    }

    /// Runs `walk` and forgets what it bound.
    fn scoped(&mut self, walk: impl FnOnce(&mut Self)) {
        let depth = self.scope.len();
        walk(self);
        for name in self.scope.drain(depth..) {
            if let Some(count) = self.bound.get_mut(&name) {
                *count -= 1;
            }
        }
    }

    fn mention(&mut self, within: Option<Symbol>, name: Symbol, span: Span) {
        if self.seen.insert((within, name)) {
            self.found.push(Mention { name, within, span });
        }
    }

    /// The use of a module.
    fn module_path(&mut self, path: &ModulePath) {
        if let Some(needs) = &mut self.needs
            && let Some(names) = names_of(path)
            && !needs.paths.iter().any(|it| it.0 == names)
            // A parameter or a module of the file itself; an alias is only a name of another one.
            && names.first().is_none_or(|head| {
                self.bound.get(head).is_none_or(|&it| it == 0)
                    || needs.aliases.iter().any(|it| it.name == *head)
            })
        {
            needs.paths.push((names, path.span()));
        }
        self.parts_of_path(path);
    }

    fn parts_of_path(&mut self, path: &ModulePath) {
        match path {
            ModulePath::Name(name) => {
                if !self.is_bound(name.text) {
                    self.mention(None, name.text, name.span);
                } else if let Some(target) = self.unused_aliases.remove(&name.text) {
                    self.module_path(&target);
                }
            }
            ModulePath::Dot(prefix, name) => {
                self.parts_of_path(prefix);
                if let ModulePath::Name(outer) = &**prefix {
                    self.mention(Some(outer.text), name.text, name.span);
                }
            }
            ModulePath::Apply(func, arg) => {
                self.module_path(func);
                self.module_path(arg);
            }
        }
    }

    /// `module A = Path` as an item of the file: only a name. Whether that is all of it is the answer.
    fn alias(&mut self, name: Name, target: &ModulePath) -> bool {
        let is_item = self.depth == 1;
        let Some(needs) = self.needs.as_mut().filter(|_| is_item) else { return false };
        let Some(names) = names_of(target) else { return false };
        needs.aliases.push(Alias { name: name.text, target: names, span: target.span() });
        self.bind(name.text);
        self.unused_aliases.insert(name.text, target.clone());
        true
    }

    /// A module whose parts are known without its name behind this place.
    fn opened(&mut self, module: &ModuleExpr) {
        if let Some(needs) = &mut self.needs
            && let ModuleExprKind::Path(path) = &module.kind
        {
            needs.opened.extend(names_of(path));
        }
    }

    fn note(&mut self, name: Symbol) {
        if let Some(names) = &mut self.names {
            names.all.insert(name);
        }
    }

    fn note_conversion(&mut self) {
        if let Some(names) = &mut self.names {
            names.converts = true;
        }
    }

    /// `C(…)` may make an object of a class.
    fn note_maker(&mut self, path: &Path) {
        if let Some(names) = &mut self.names {
            names.makers.insert(path.name.text);
        }
    }

    fn path(&mut self, path: &Path) {
        if let Some(names) = &mut self.names {
            names.all.insert(path.name.text);
            if let Some(ModulePath::Name(prefix)) = path.prefix.as_deref() {
                names.all.insert(prefix.text);
            }
        }
        if let Some(prefix) = &path.prefix {
            self.module_path(prefix);
        }
    }

    /// A value; indexing is a value of a module.
    fn value(&mut self, path: &Path) {
        self.path(path);
        self.note_maker(path);
        let Name { text, span } = path.name;
        if let Some(module) = indexing(text.as_str()).map(|it| Symbol::new(it.0[0]))
            && !self.is_bound(module)
        {
            self.indexed.push(Mention { name: module, within: None, span });
        }
    }

    // -------------------------------------------------------------- modules

    fn structure(&mut self, items: &[Item]) {
        self.depth += 1;
        self.scoped(|walk| items.iter().for_each(|it| walk.item(it)));
        self.depth -= 1;
    }

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Let { bindings, .. } => self.bindings(bindings),
            ItemKind::Eval(expr) => self.expr(expr),
            ItemKind::External(it) => self.external(it),
            ItemKind::Type { decls, .. } => decls.iter().for_each(|it| self.type_decl(it)),
            ItemKind::Exception(decl) => self.exception(decl),
            ItemKind::Extend(extension) => self.extension(extension),
            ItemKind::Module { name, body } => {
                if let ModuleExprKind::Path(path) = &body.kind
                    && self.alias(*name, path)
                {
                    return;
                }
                self.module_expr(body);
                self.bind(name.text);
            }
            ItemKind::RecModules(modules) => {
                modules.iter().for_each(|it| self.bind(it.name.text));
                for module in modules {
                    self.module_type(&module.ty);
                    self.module_expr(&module.body);
                }
            }
            ItemKind::ModuleType { body, .. } => body.iter().for_each(|it| self.module_type(it)),
            ItemKind::Open(module) | ItemKind::Include(module) => match &module.kind {
                // Its names are there behind it.
                ModuleExprKind::Structure(items) => items.iter().for_each(|it| self.item(it)),
                _ => {
                    self.opened(module);
                    self.module_expr(module);
                }
            },
            ItemKind::Members(groups) => {
                for group in groups {
                    self.path(&group.path);
                    group.members.iter().for_each(|it| self.binding(&it.binding));
                    group.views.iter().for_each(|it| self.type_expr(&it.ty));
                }
            }
            ItemKind::Class(decls) => decls.iter().for_each(|it| self.class_expr(&it.body)),
            ItemKind::ClassType(decls) => decls.iter().for_each(|it| self.class_type(&it.body)),
            ItemKind::Broken(_) | ItemKind::Attribute(_) | ItemKind::Error(_) => (),
        }
    }

    /// A primitive of OCaml is a value of the library.
    fn external(&mut self, external: &External) {
        self.type_expr(&external.ty);
        let prim = external.prims.first().map_or("", |it| it.as_str());
        for target in externals::targets(prim) {
            if target.module != "Stdlib" {
                let library = Some(Symbol::new("Stdlib"));
                self.mention(library, Symbol::new(target.module), external.name.span);
            }
        }
    }

    fn signature(&mut self, items: &[SigItem]) {
        self.depth += 1;
        self.scoped(|walk| items.iter().for_each(|it| walk.sig_item(it)));
        self.depth -= 1;
    }

    fn sig_item(&mut self, item: &SigItem) {
        match &item.kind {
            SigItemKind::Value { ty, .. } => self.type_expr(ty),
            SigItemKind::External(it) => self.external(it),
            SigItemKind::Type { decls, .. } => decls.iter().for_each(|it| self.type_decl(it)),
            SigItemKind::Exception(decl) => self.exception(decl),
            SigItemKind::Extend(extension) => self.extension(extension),
            SigItemKind::Module { name, ty } => {
                self.module_type(ty);
                self.bind(name.text);
            }
            SigItemKind::RecModules(modules) => {
                modules.iter().for_each(|it| self.bind(it.0.text));
                modules.iter().for_each(|it| self.module_type(&it.1));
            }
            SigItemKind::ModuleAlias { name, target } => {
                if !self.alias(*name, target) {
                    self.module_path(target);
                    self.bind(name.text);
                }
            }
            SigItemKind::ModuleType { body, .. } => body.iter().for_each(|it| self.module_type(it)),
            SigItemKind::Open(module) => {
                if let Some(needs) = &mut self.needs {
                    needs.opened.extend(names_of(module));
                }
                self.module_path(module);
            }
            SigItemKind::Include(ty) => self.module_type(ty),
            SigItemKind::Class(decls) | SigItemKind::ClassType(decls) => {
                decls.iter().for_each(|it| self.class_type(&it.body));
            }
            SigItemKind::Local(it) => self.sig_item(it),
            SigItemKind::Attribute(_) | SigItemKind::Error(_) => (),
        }
    }

    fn module_expr(&mut self, module: &ModuleExpr) {
        match &module.kind {
            ModuleExprKind::Path(path) => self.module_path(path),
            ModuleExprKind::Structure(items) => self.structure(items),
            ModuleExprKind::Functor(param, body) => self.scoped(|walk| {
                walk.functor_param(param);
                walk.module_expr(body);
            }),
            ModuleExprKind::Apply(func, arg) => {
                self.module_expr(func);
                arg.iter().for_each(|it| self.module_expr(it));
            }
            ModuleExprKind::Constraint(inner, ty) => {
                self.module_expr(inner);
                self.module_type(ty);
            }
            ModuleExprKind::Unpack(value, ty) => {
                self.expr(value);
                ty.iter().for_each(|it| self.package_type(it));
            }
            ModuleExprKind::Error(_) => (),
        }
    }

    fn package_type(&mut self, ty: &PackageType) {
        self.path(&ty.path);
        // The paths on the left are those of the signature.
        ty.types.iter().for_each(|it| self.type_expr(&it.1));
    }

    fn functor_param(&mut self, param: &FunctorParam) {
        param.ty.iter().for_each(|it| self.module_type(it));
        param.name.iter().for_each(|it| self.bind(it.text));
    }

    fn module_type(&mut self, ty: &ModuleType) {
        match &ty.kind {
            ModuleTypeKind::Path(path) => self.path(path),
            ModuleTypeKind::Signature(items) => self.signature(items),
            ModuleTypeKind::Functor(param, result) => self.scoped(|walk| {
                walk.functor_param(param);
                walk.module_type(result);
            }),
            ModuleTypeKind::With(inner, constraints) => {
                self.module_type(inner);
                for constraint in constraints {
                    match constraint {
                        // The path on the left is one of the signature.
                        WithConstraint::Type { ty, constraints, .. } => {
                            self.type_expr(ty);
                            for (left, right) in constraints {
                                self.type_expr(left);
                                self.type_expr(right);
                            }
                        }
                        WithConstraint::Module { target, .. } => self.module_path(target),
                        WithConstraint::ModuleType { ty, .. } => self.module_type(ty),
                    }
                }
            }
            ModuleTypeKind::TypeOf(module) => self.module_expr(module),
            ModuleTypeKind::Error(_) => (),
        }
    }

    // ---------------------------------------------------------------- types

    fn type_decl(&mut self, decl: &TypeDecl) {
        decl.manifest.iter().for_each(|it| self.type_expr(it));
        for (left, right) in &decl.constraints {
            self.type_expr(left);
            self.type_expr(right);
        }
        match &decl.kind {
            TypeDeclKind::Variant(constructors) => {
                for it in constructors {
                    self.constructor_args(&it.args);
                    it.result.iter().for_each(|it| self.type_expr(&it.ty));
                }
            }
            TypeDeclKind::Record(fields) => self.fields(fields),
            TypeDeclKind::Abstract | TypeDeclKind::Open => (),
        }
    }

    fn constructor_args(&mut self, args: &ConstructorArgs) {
        match args {
            ConstructorArgs::Tuple(types) => types.iter().for_each(|it| self.type_expr(it)),
            ConstructorArgs::Record(fields) => self.fields(fields),
        }
    }

    fn fields(&mut self, fields: &[FieldDecl]) {
        fields.iter().for_each(|it| self.type_expr(&it.ty.ty));
    }

    fn extension(&mut self, extension: &TypeExtension) {
        self.path(&extension.path);
        extension.ctors.iter().for_each(|it| self.exception(it));
    }

    fn exception(&mut self, decl: &ExceptionDecl) {
        self.constructor_args(&decl.args);
        decl.result.iter().for_each(|it| self.type_expr(&it.ty));
        decl.rebind.iter().for_each(|it| self.path(it));
    }

    fn type_expr(&mut self, ty: &TypeExpr) {
        // The type of an object is no mention of what makes it.
        if self.names.is_some() {
            return;
        }
        match &ty.kind {
            TypeExprKind::Arrow(_, param, result) => {
                self.type_expr(param);
                self.type_expr(result);
            }
            TypeExprKind::Tuple(parts) => parts.iter().for_each(|it| self.type_expr(it)),
            TypeExprKind::LabelledTuple(parts) => parts.iter().for_each(|it| self.type_expr(&it.1)),
            TypeExprKind::Constr(path, args) => {
                self.path(path);
                args.iter().for_each(|it| self.type_expr(it));
            }
            TypeExprKind::Alias(inner, _) => self.type_expr(inner),
            TypeExprKind::Variant(row) => {
                for field in &row.fields {
                    match field {
                        RowField::Tag { types, .. } => {
                            types.iter().for_each(|it| self.type_expr(it))
                        }
                        RowField::Inherit(ty) => self.type_expr(ty),
                    }
                }
            }
            TypeExprKind::VariantType(path, args) => {
                self.path(path);
                args.iter().for_each(|it| self.type_expr(it));
            }
            TypeExprKind::Package(package) => self.package_type(package),
            TypeExprKind::Object(object) => {
                object.fields.iter().for_each(|it| self.type_expr(it.ty()));
            }
            TypeExprKind::RootClass(inner) => self.type_expr(inner),
            TypeExprKind::Unit(factors) => factors.iter().for_each(|it| self.type_expr(&it.0)),
            TypeExprKind::Any | TypeExprKind::Var(_) | TypeExprKind::Error(_) => (),
        }
    }
}
