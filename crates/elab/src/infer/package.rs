//! Types of packed modules.
//!
//! ```text
//! module type S = sig type t  type u  val x : t  val f : t -> u  val id : 'a -> 'a  module N : sig val y : u end end
//!
//! (module S with type u = int)
//! type 'u package = { x : ?;  f : ? -> 'u;  id : 'a. 'a -> 'a;  "N.y" : 'u }      with 'u = int
//! ```
//!
//! Packed modules of one module type are records of one type (decision 92). What the package says of types are its
//! parameters; the other abstract types are values of unknown type in the graph, as are those of polymorphic fields.
//! A data type that the signature declares is one type in the graph, whatever module it comes from.

use std::rc::Rc;

use oxbow_base::{Span, SparseMap, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::ExnId;

use crate::ast;
use crate::types::{FieldInfo, GENERIC, Label, TyCon, TyConId, TyConKind, Type, TypeId, Unknown};

use super::Infer;
use super::env::{
    Ctor, Env, Functor, FunctorBody, Module, ModuleTypeDef, Structure, Value, ValueKind,
};
use super::lookup::Found;
use super::typexpr::Vars;

/// A module type that modules are packed with.
#[derive(Clone)]
pub struct Package {
    /// The module type, and what its names mean.
    pub def: Rc<(ast::ModuleType, Env)>,
    /// The types that are parameters, by their paths.
    pub types: Vec<Vec<Symbol>>,
    /// The record.
    pub tycon: TyConId,
    /// Its fields, by their paths.
    pub values: Vec<Vec<Symbol>>,
    /// The exceptions of the signature, by their paths: two fields each, behind those of the values.
    pub exns: Vec<Vec<Symbol>>,
    /// The functors, by their paths: a field each, behind those of the exceptions. A module type that is a functor's
    /// has one without a path.
    pub functors: Vec<(Vec<Symbol>, FunctorField)>,
    /// The data types that the signature declares, by their paths.
    pub datas: Vec<(Vec<Symbol>, TyConId)>,
}

/// A functor of a packed module: a function from packed modules to packed modules.
#[derive(Clone, Copy, Debug)]
pub struct FunctorField {
    /// The package of its parameter, if that is a module.
    pub param: Option<TyConId>,
    /// That of what it makes.
    pub result: TyConId,
}

/// What there is in a structure, with the structures in it.
pub struct Parts<T> {
    pub all: Vec<(Vec<Symbol>, T)>,
}

impl Infer<'_> {
    /// The type that `(module S with type t = u)` stands for.
    pub(super) fn package_type(
        &mut self,
        env: &Env,
        package: &ast::PackageType,
        vars: Vars,
    ) -> TypeId {
        let mut types: Vec<(Vec<Symbol>, TypeId, Span)> = Vec::new();
        for (path, ty) in &package.types {
            let name = names_of(path);
            let ty = self.type_expr(env, ty, vars);
            if types.iter().any(|it| it.0 == name) {
                self.diagnostics.error(
                    Diagnostic::error("E0216", "this type is said twice")
                        .at(path.span(), "said before"),
                );
                return self.builtins.error;
            }
            types.push((name, ty, path.span()));
        }
        types.sort_by_key(|it| shown(&it.0));
        let Ok(def) = self.package_def(env, &package.path) else { return self.builtins.error };
        let places: Vec<(Vec<Symbol>, Span)> =
            types.iter().map(|it| (it.0.clone(), it.2)).collect();
        match self.package(def, &package.path, &places) {
            Some(tycon) => {
                let args = types.into_iter().map(|it| it.1).collect();
                self.types.add(Type::Con(tycon, args))
            }
            None => self.builtins.error,
        }
    }

    /// The module type behind its other names.
    fn package_def(&mut self, env: &Env, path: &ast::Path) -> Found<Rc<(ast::ModuleType, Env)>> {
        let mut def = self.lookup_module_type(env, path)?;
        loop {
            match def {
                ModuleTypeDef::Closure(closure) => match &closure.0.kind {
                    ast::ModuleTypeKind::Path(path) => {
                        let path = path.clone();
                        def = self.lookup_module_type(&closure.1, &path)?;
                    }
                    _ => return Ok(closure),
                },
                ModuleTypeDef::Abstract if self.checking => return Err(None),
                ModuleTypeDef::Abstract => {
                    let what = "modules packed with an abstract module type";
                    return Err(Some(self.not_supported(path.span(), what)));
                }
            }
        }
    }

    /// The type of modules that are packed so, made at its first mention.
    pub(super) fn package(
        &mut self,
        def: Rc<(ast::ModuleType, Env)>,
        path: &ast::Path,
        types: &[(Vec<Symbol>, Span)],
    ) -> Option<TyConId> {
        let same = |it: &&Package| {
            Rc::ptr_eq(&it.def, &def) && it.types.iter().eq(types.iter().map(|it| &it.0))
        };
        if let Some(known) = self.signatures.packages.iter().find(same) {
            return Some(known.tycon);
        }
        let errors = self.diagnostics.error_count();
        let module = self.outside(|cx| cx.frozen_module_type(&def.1, &def.0));
        let structure = parts_of(&module)?;
        let declared = types_in(&structure);
        let mut params = Vec::new();
        let mut replaced = SparseMap::new();
        for (name, span) in types {
            let tycon = declared.all.iter().find(|it| it.0 == *name).map(|it| it.1);
            let var = self.types.add(Type::Var { level: GENERIC, name: name.last().copied() });
            params.push(var);
            replaced.insert(self.package_parameter(tycon, name, *span)?, var);
        }
        let mut datas = Vec::new();
        for (name, tycon) in &declared.all {
            match self.types.tycons[*tycon].kind {
                TyConKind::Abstract { implementation: None } => {
                    self.types.tycons[*tycon].unknown = Unknown::Packed;
                }
                TyConKind::Record(_) | TyConKind::Variant(_) => datas.push((name.clone(), *tycon)),
                _ => (),
            }
        }
        self.check_packable(&structure, path)?;
        if self.diagnostics.error_count() > errors {
            return None;
        }
        let values = values_in(&structure);
        let mut fields: Vec<FieldInfo> = values
            .all
            .iter()
            .map(|(name, value)| self.package_field(name, value, &replaced))
            .collect();
        let exns = exns_in(&structure);
        for (name, exn) in &exns.all {
            fields.extend(self.package_exn_fields(name, *exn, &replaced));
        }
        let mut functors = Vec::new();
        for (name, functor) in functors_in(&module).all {
            let Some((field, ty)) = self.functor_field(&functor, path) else {
                return self.abstract_module_type(path);
            };
            fields.push(plain_field(&name, ty, path.name.span));
            functors.push((name, field));
        }
        let name = path.name.text;
        let shown = super::lookup::show_path(path);
        let mut tycon =
            TyCon::new(name, shown, params, TyConKind::Record(fields), Some(path.name.span));
        tycon.packed = Some(types.iter().map(|it| Symbol::new(&self::shown(&it.0))).collect());
        (self.types.has_equations, self.types.has_own_results) = (true, true);
        let values: Vec<Vec<Symbol>> = values.all.into_iter().map(|it| it.0).collect();
        let package = Package {
            def,
            types: types.iter().map(|it| it.0.clone()).collect(),
            tycon: self.types.tycons.push(tycon),
            values,
            exns: exns.all.into_iter().map(|it| it.0).collect(),
            functors,
            datas,
        };
        let package = self.same_package(package);
        let tycon = package.tycon;
        self.signatures.packages.push(package);
        Some(tycon)
    }

    /// The abstract type that a package says something of.
    fn package_parameter(
        &mut self,
        tycon: Option<TyConId>,
        name: &[Symbol],
        span: Span,
    ) -> Option<TyConId> {
        let shown = shown(name);
        let report = match tycon {
            None => Diagnostic::error("E0206", format!("the signature has no type `{shown}`"))
                .at(span, "cannot be constrained"),
            Some(tycon) => {
                let it = &self.types.tycons[tycon];
                let is_open = matches!(it.kind, TyConKind::Abstract { implementation: None });
                if is_open && it.params.is_empty() {
                    return Some(tycon);
                }
                Diagnostic::error("E0216", format!("a package cannot say what `{shown}` is"))
                    .at(span, "only an abstract type without parameters can be given")
            }
        };
        self.diagnostics.error(report);
        None
    }

    /// What modules of an abstract module type hold is not known. Others without parts are mistakes, and reported.
    fn abstract_module_type<T>(&mut self, path: &ast::Path) -> Option<T> {
        if !self.diagnostics.has_errors() {
            let what = "modules of an abstract module type in packed modules";
            self.not_supported(path.span(), what);
        }
        None
    }

    /// Exceptions that hide types have no place in a record.
    fn check_packable(&mut self, structure: &Structure, path: &ast::Path) -> Option<()> {
        for ctor in structure.ctors.values() {
            let Ctor::Exn(exn) = *ctor else { continue };
            let info = &self.types.exns[exn];
            // What it makes says what the type's parameters are, or there are none.
            let is_known = match (&info.own, &info.of) {
                (Some(own), _) => own.vars.is_empty(),
                (None, of) => of.as_ref().is_none_or(|it| it.1.is_empty()),
            };
            if !is_known {
                let what = format!("packed modules with constructors like `{}`", info.name);
                self.not_supported(path.span(), &what);
                return None;
            }
        }
        for module in structure.modules.values() {
            match module {
                Module::Structure(inner) => self.check_packable(inner, path)?,
                Module::Functor(_) | Module::Later(_) => (),
                Module::Error => return self.abstract_module_type(path),
            }
        }
        Some(())
    }

    /// `E : payload -> exn` and `E? : exn -> payload option`
    fn package_exn_fields(
        &mut self,
        name: &[Symbol],
        exn: ExnId,
        replaced: &SparseMap<TyConId, TypeId>,
    ) -> [FieldInfo; 2] {
        let instance = self.instantiate_ctor(Ctor::Exn(exn));
        let payload = self.payload(&instance.args);
        let payload = self.with_types(payload, replaced, &mut SparseMap::new());
        let view = self.types.add(Type::Con(self.builtins.option, vec![payload]));
        let made = self.arrow(Label::None, payload, instance.result);
        let seen = self.arrow(Label::None, instance.result, view);
        let span = self.types.exns[exn].span;
        let (vars, shown) = (Vec::new(), shown(name));
        [(shown.clone(), made), (format!("{shown}?"), seen)].map(|(name, ty)| FieldInfo {
            name: Symbol::new(&name),
            mutable: false,
            acyclic: false,
            role: ast::FieldRole::Plain,
            ty,
            vars: vars.clone(),
            span,
        })
    }

    fn package_field(
        &mut self,
        name: &[Symbol],
        value: &Value,
        replaced: &SparseMap<TyConId, TypeId>,
    ) -> FieldInfo {
        let ty = self.with_types(value.ty, replaced, &mut SparseMap::new());
        let is_var = |it: &TypeId| matches!(self.types.get(*it), Type::Var { .. });
        let vars: Vec<TypeId> = value.vars.iter().copied().filter(is_var).collect();
        for &var in &vars {
            let var = self.types.repr(var);
            self.types.uniform.insert(var);
        }
        FieldInfo { vars, ..plain_field(name, ty, value.span) }
    }

    /// The type with others in the place of some type constructors without arguments.
    fn with_types(
        &mut self,
        ty: TypeId,
        replaced: &SparseMap<TyConId, TypeId>,
        made: &mut SparseMap<TypeId, TypeId>,
    ) -> TypeId {
        match replaced.is_empty() {
            true => self.types.repr(ty),
            false => self.replace_types(ty, replaced, made),
        }
    }

    /// The same, and abbreviations are written out.
    pub(super) fn replace_types(
        &mut self,
        ty: TypeId,
        replaced: &SparseMap<TyConId, TypeId>,
        made: &mut SparseMap<TypeId, TypeId>,
    ) -> TypeId {
        let ty = self.types.repr(ty);
        if let Some(&made) = made.get(ty) {
            return made;
        }
        let new = match self.types.nodes[ty].clone() {
            Type::Var { .. } | Type::Link(_) | Type::Error => return ty,
            Type::Con(con, _) if replaced.contains(con) => return replaced[con],
            // An abbreviation of the signature may stand for one of them.
            Type::Con(con, _) if matches!(self.types.tycons[con].kind, TyConKind::Alias(_)) => {
                let expanded = self.types.expand(ty);
                return self.replace_types(expanded, replaced, made);
            }
            Type::Arrow(label, param, result) => {
                let param = self.replace_types(param, replaced, made);
                Type::Arrow(label, param, self.replace_types(result, replaced, made))
            }
            Type::Tuple(items) => Type::Tuple(
                items.iter().map(|&it| self.replace_types(it, replaced, made)).collect(),
            ),
            Type::Con(con, args) => {
                let args = args.iter().map(|&it| self.replace_types(it, replaced, made)).collect();
                Type::Con(con, args)
            }
            Type::Row(row) => {
                let copy = self.types.add(Type::Error);
                made.insert(ty, copy);
                let row = row.map(|it| self.replace_types(it, replaced, made));
                self.types.nodes[copy] = Type::Row(Box::new(row));
                return copy;
            }
        };
        let new = self.types.add(new);
        made.insert(ty, new);
        new
    }

    /// Runs `f` as if there were no functor and no expression around: the types that it makes are no part of those.
    pub(super) fn outside<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let (key, decls) = (self.functors.key.take(), self.functors.decls);
        let scope = self.local_scope.take();
        let result = f(self);
        (self.functors.key, self.functors.decls, self.local_scope) = (key, decls, scope);
        result
    }

    /// The package that a type is of, and what it says of types.
    pub(super) fn package_of(&mut self, ty: TypeId) -> Option<(Package, Vec<TypeId>)> {
        let ty = self.types.expand(ty);
        let Type::Con(con, args) = self.types.nodes[ty].clone() else { return None };
        let package = self.signatures.packages.iter().find(|it| it.tycon == con)?.clone();
        Some((package, args))
    }
}

fn names_of(path: &ast::Path) -> Vec<Symbol> {
    let mut names = Vec::new();
    let mut prefix = path.prefix.as_deref();
    while let Some(path) = prefix {
        match path {
            ast::ModulePath::Name(name) => {
                names.push(name.text);
                prefix = None;
            }
            ast::ModulePath::Dot(outer, name) => {
                names.push(name.text);
                prefix = Some(outer);
            }
            ast::ModulePath::Apply(func, _) => prefix = Some(func),
        }
    }
    names.reverse();
    names.push(path.name.text);
    names
}

fn shown(path: &[Symbol]) -> String {
    path.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(".")
}

/// The structure that a module is, or none if it is a functor.
pub fn parts_of(module: &Module) -> Option<Rc<Structure>> {
    match module {
        Module::Structure(structure) => Some(structure.clone()),
        Module::Functor(_) => Some(Rc::default()),
        Module::Later(_) | Module::Error => None,
    }
}

fn plain_field(path: &[Symbol], ty: TypeId, span: Span) -> FieldInfo {
    let name = Symbol::new(&shown(path));
    let role = ast::FieldRole::Plain;
    FieldInfo { name, mutable: false, acyclic: false, role, ty, vars: Vec::new(), span }
}

/// The functors that a module type declares, of which it may be one itself.
pub fn functors_in(module: &Module) -> Parts<Rc<Functor>> {
    let mut parts = Parts { all: Vec::new() };
    let is_declared = |it: &Functor| matches!(it.body, FunctorBody::Abstract(_));
    match module {
        Module::Functor(functor) if is_declared(functor) => {
            parts.all.push((Vec::new(), functor.clone()));
        }
        Module::Structure(structure) => each(structure, &mut Vec::new(), &mut |path, structure| {
            for (&name, module) in &structure.modules {
                if let Module::Functor(functor) = module
                    && is_declared(functor)
                {
                    parts.add(path, name, functor.clone());
                }
            }
        }),
        Module::Functor(_) | Module::Later(_) | Module::Error => (),
    }
    parts
}

/// The values that a signature declares.
pub fn values_in(structure: &Structure) -> Parts<Value> {
    let mut parts = Parts { all: Vec::new() };
    each(structure, &mut Vec::new(), &mut |path, structure| {
        for (&name, value) in &structure.values {
            if matches!(value.kind, ValueKind::Declared) {
                parts.add(path, name, value.clone());
            }
        }
    });
    parts
}

/// The exceptions that a signature declares.
pub fn exns_in(structure: &Structure) -> Parts<ExnId> {
    let mut parts = Parts { all: Vec::new() };
    each(structure, &mut Vec::new(), &mut |path, structure| {
        for (&name, ctor) in &structure.ctors {
            if let Ctor::Exn(exn) = *ctor {
                parts.add(path, name, exn);
            }
        }
    });
    parts
}

/// The types of a structure.
pub fn types_in(structure: &Structure) -> Parts<TyConId> {
    let mut parts = Parts { all: Vec::new() };
    each(structure, &mut Vec::new(), &mut |path, structure| {
        for (&name, &tycon) in &structure.types {
            parts.add(path, name, tycon);
        }
    });
    parts
}

fn each(structure: &Structure, path: &mut Vec<Symbol>, f: &mut impl FnMut(&[Symbol], &Structure)) {
    f(path, structure);
    for (&name, module) in &structure.modules {
        if let Module::Structure(inner) = module {
            path.push(name);
            each(inner, path, f);
            path.pop();
        }
    }
}

impl<T> Parts<T> {
    fn add(&mut self, path: &[Symbol], name: Symbol, part: T) {
        let mut path = path.to_vec();
        path.push(name);
        self.all.push((path, part));
    }
}

/// Changes the values of a structure and of those in it.
pub fn map_values(
    structure: &Structure,
    path: &mut Vec<Symbol>,
    change: &mut impl FnMut(&[Symbol], &mut Value),
) -> Structure {
    let mut result = structure.clone();
    for (&name, value) in &mut result.values {
        path.push(name);
        change(path, value);
        path.pop();
    }
    for (&name, module) in &mut result.modules {
        if let Module::Structure(inner) = module {
            path.push(name);
            let inner = map_values(&inner.clone(), path, change);
            path.pop();
            *module = Module::Structure(Rc::new(inner));
        }
    }
    result
}

/// Changes the functors of a structure and of those in it.
pub fn map_functors(
    structure: &mut Structure,
    path: &mut Vec<Symbol>,
    change: &impl Fn(&[Symbol], &mut Module),
) {
    for (&name, module) in &mut structure.modules {
        path.push(name);
        match module {
            Module::Structure(inner) => {
                let mut changed = inner.as_ref().clone();
                map_functors(&mut changed, path, change);
                *module = Module::Structure(Rc::new(changed));
            }
            Module::Functor(_) => change(path, module),
            Module::Later(_) | Module::Error => (),
        }
        path.pop();
    }
}
