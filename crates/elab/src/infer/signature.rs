//! Module types and their `with` constraints.
//!
//! A module type is elaborated anew wherever it is used: that makes fresh types, which matching
//! a structure (see `conform`) identifies with the structure's.

use std::cell::OnceCell;
use std::rc::Rc;

use oxbow_base::Span;

use crate::ast::{self, ModuleTypeKind, SigItemKind, WithConstraint};

use super::env::{
    Ctor, Env, Functor, FunctorBody, Module, ModuleTypeDef, Structure, Value, ValueKind,
};
use super::module::Defined;
use super::with_type::WithType;
use super::{Infer, Unit};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// Abstract types of the signature become new types.
    Opaque,
    /// They stay equal to the structure's (a functor's argument).
    Transparent,
}

impl Infer<'_> {
    pub(super) fn seal_unit(
        &mut self,
        env: &Env,
        unit: &Unit,
        module: Module,
        items: &[ast::SigItem],
    ) -> Module {
        self.give_module_types(&module);
        let signature = self.signature(env, items);
        if let Some(item) = unit.structure.first() {
            self.note_left_out(&module, &signature, item.span.whole_file());
        }
        self.match_module(&module, &signature, Seal::Opaque, unit.span)
    }

    /// The signature that a module is to be matched with: module types that it leaves open are the module's.
    pub(super) fn signature_for(
        &mut self,
        env: &Env,
        ty: &ast::ModuleType,
        module: &Module,
    ) -> Module {
        self.give_module_types(module);
        let signature = self.module_type(env, ty);
        self.signatures.given_module_types.clear();
        signature
    }

    fn give_module_types(&mut self, module: &Module) {
        if let Module::Structure(structure) = module {
            self.signatures.given_module_types.clone_from(&structure.module_types);
        }
    }

    /// A module whose interface is all there is of it: its values and exceptions do not exist, but for those
    /// that something outside defines.
    pub(super) fn interface_module(&mut self, env: &Env, items: &[ast::SigItem]) -> Module {
        let flexible = std::mem::take(&mut self.signatures.flexible);
        self.signatures.is_interface_only = true;
        let module = self.signature(env, items);
        self.signatures.is_interface_only = false;
        self.signatures.flexible = flexible;
        without_values(&module)
    }

    /// Elaborates a module type where it is defined, for its errors.
    pub(super) fn check_module_type(&mut self, env: &Env, ty: &ast::ModuleType) {
        if self.library {
            return;
        }
        let (key, decls) = (self.functors.key.take(), self.functors.decls);
        let mut env = env.clone();
        let mut ty = ty;
        while let ModuleTypeKind::Functor(param, result) = &ty.kind {
            if let Some(of) = &param.ty {
                self.check_module_type(&env, of);
                let before = self.diagnostics.mark();
                let module = self.frozen_module_type(&env, of);
                self.diagnostics.rollback(before);
                if let Some(name) = param.name {
                    env.add_module(name.text, module);
                }
            }
            ty = result;
        }
        self.frozen_module_type(&env, ty);
        (self.functors.key, self.functors.decls) = (key, decls);
    }

    /// A module of this type about which nothing else is known: a functor's parameter.
    pub(super) fn frozen_module_type(&mut self, env: &Env, ty: &ast::ModuleType) -> Module {
        let flexible = std::mem::take(&mut self.signatures.flexible);
        let outer = std::mem::replace(&mut self.checking, true);
        let module = self.module_type(env, ty);
        self.checking = outer;
        self.signatures.flexible = flexible;
        module
    }

    /// The module that a module type describes, with fresh abstract types.
    pub(super) fn module_type(&mut self, env: &Env, ty: &ast::ModuleType) -> Module {
        match &ty.kind {
            ModuleTypeKind::Path(path) => match self.lookup_module_type(env, path) {
                Ok(ModuleTypeDef::Closure(closure)) => {
                    let (body, scope) = closure.as_ref();
                    self.module_type(scope, body)
                }
                // The parameter of a functor that is checked leaves it open; an application does not.
                Ok(ModuleTypeDef::Abstract) if self.checking => Module::Error,
                Ok(ModuleTypeDef::Abstract) => {
                    self.not_supported(ty.span, "modules of an abstract module type");
                    Module::Error
                }
                Err(_) => Module::Error,
            },
            ModuleTypeKind::Signature(items) => self.signature(env, items),
            ModuleTypeKind::Functor(param, body) => Module::Functor(Rc::new(Functor {
                param: param.clone(),
                body: FunctorBody::Abstract(Rc::new(body.as_ref().clone())),
                env: env.clone(),
                path: self.path.clone(),
                exn_path: self.exn_path.clone(),
                library: self.library,
                local: self.local_scope.is_some(),
                checked: OnceCell::new(),
            })),
            ModuleTypeKind::With(inner, constraints) => {
                for constraint in constraints {
                    if let WithConstraint::ModuleType { path, ty, .. } = constraint {
                        let def = ModuleTypeDef::Closure(Rc::new((ty.clone(), env.clone())));
                        self.signatures.given_module_types.insert(path.name.text, def);
                    }
                }
                let module = self.module_type(env, inner);
                self.signatures.given_module_types.clear();
                let Module::Structure(structure) = module else { return module };
                let mut structure = structure.as_ref().clone();
                for constraint in constraints {
                    self.constrain(env, &mut structure, constraint, ty.span);
                }
                Module::Structure(Rc::new(structure))
            }
            ModuleTypeKind::TypeOf(module) => {
                let first = self.types.tycons.next_id();
                let is_written = matches!(module.kind, ast::ModuleExprKind::Structure(_));
                let module = self.discarding_items(|cx| cx.module_expr(env, module));
                let Module::Structure(structure) = module else { return module };
                match self.is_library_unit(&structure) {
                    true => self.signature_with_types_of(&structure),
                    false => self.signature_of(&structure, is_written.then_some(first)),
                }
            }
            ModuleTypeKind::Error(_) => Module::Error,
        }
    }

    fn signature(&mut self, env: &Env, items: &[ast::SigItem]) -> Module {
        let mut env = env.clone();
        let mut structure = Structure { local: self.local_scope.is_some(), ..Structure::default() };
        let names = items.iter().flat_map(|it| names_of_item(&it.kind));
        self.check_unique(names.map(|(what, name)| Defined::new(what, name)));
        let given = std::mem::take(&mut self.signatures.given_module_types);
        for item in items {
            match &item.kind {
                SigItemKind::ModuleType { name, body: None } if given.contains_key(&name.text) => {
                    let def = given[&name.text].clone();
                    env.add_module_type(name.text, def.clone());
                    structure.module_types.insert(name.text, def);
                }
                SigItemKind::Include(_) => {
                    self.signatures.given_module_types.clone_from(&given);
                    self.sig_item(&mut env, &mut structure, item);
                    self.signatures.given_module_types.clear();
                }
                _ => self.sig_item(&mut env, &mut structure, item),
            }
        }
        Module::Structure(Rc::new(structure))
    }

    fn sig_item(&mut self, env: &mut Env, structure: &mut Structure, item: &ast::SigItem) {
        match &item.kind {
            SigItemKind::External(external) if self.signatures.is_interface_only => {
                let value = self.external(env, external);
                structure.values.insert(external.name.text, value);
            }
            SigItemKind::Value { name, ty }
            | SigItemKind::External(ast::External { name, ty, .. }) => {
                let (vars, ty) = self.declared_scheme(env, ty);
                let value =
                    Value { kind: ValueKind::Declared, vars, ty, instance: None, span: name.span };
                structure.values.insert(name.text, value);
            }
            SigItemKind::Type { recursive, decls } => {
                let outer = std::mem::replace(&mut self.signatures.inside, true);
                self.type_decls(env, structure, *recursive, decls);
                self.signatures.inside = outer;
            }
            SigItemKind::Exception(decl) => {
                self.exception(env, structure, decl);
            }
            SigItemKind::Extend(extension) => {
                self.extend(env, structure, extension);
            }
            SigItemKind::Module { name, ty } => {
                let module = self.module_type(env, ty);
                env.add_module(name.text, module.clone());
                structure.modules.insert(name.text, module);
            }
            SigItemKind::RecModules(modules) => {
                let types: Vec<_> = modules.iter().map(|(name, ty)| (*name, ty)).collect();
                let declared = self.recursive_signatures(env, &types);
                for ((name, _), module) in types.into_iter().zip(declared) {
                    env.add_module(name.text, module.clone());
                    structure.modules.insert(name.text, module);
                }
            }
            SigItemKind::ModuleAlias { name, target } => {
                let module = self.module_alias(env, target).unwrap_or(Module::Error);
                env.add_module(name.text, module.clone());
                structure.modules.insert(name.text, module);
            }
            SigItemKind::ModuleType { name, body } => {
                if let Some(body) = body {
                    self.check_module_type(env, body);
                }
                let def = match body {
                    Some(body) => ModuleTypeDef::Closure(Rc::new((body.clone(), env.clone()))),
                    None => ModuleTypeDef::Abstract,
                };
                env.add_module_type(name.text, def.clone());
                structure.module_types.insert(name.text, def);
            }
            SigItemKind::Open(path) => {
                if let Ok(module) = self.lookup_module(env, path) {
                    env.open(&module);
                    self.note_open(env, path.span(), &module);
                }
            }
            SigItemKind::Include(ty) => {
                let module = self.module_type(env, ty);
                self.include(env, structure, &module, item.span);
            }
            SigItemKind::Class(decls) => self.class_descriptions(env, structure, decls),
            SigItemKind::ClassType(decls) => self.class_type_decls(env, structure, decls),
            SigItemKind::Local(item) => {
                self.sig_item(env, &mut Structure::default(), item);
            }
            SigItemKind::Error(_) => self.broken_items = true,
            SigItemKind::Attribute(_) => (),
        }
    }

    // ------------------------------------------------------------ `with` constraints

    fn constrain(
        &mut self,
        env: &Env,
        structure: &mut Structure,
        constraint: &WithConstraint,
        span: Span,
    ) {
        match constraint {
            WithConstraint::ModuleType { path, ty, destructive } => {
                if path.prefix.is_some() {
                    self.not_supported(span, "`with module type` on a nested module");
                } else if !structure.module_types.contains_key(&path.name.text) {
                    self.missing_in_signature("module type", path);
                } else if *destructive {
                    structure.module_types.shift_remove(&path.name.text);
                }
                self.check_module_type(env, ty);
            }
            WithConstraint::Type { path, params, ty, destructive, constraints } => {
                let given = WithType { path, params, ty, destructive: *destructive, constraints };
                self.constrain_type(env, structure, &given);
            }
            WithConstraint::Module { path, target, destructive } => {
                let Ok(actual) = self.lookup_module(env, target) else { return };
                if let Some(prefix) = &path.prefix {
                    let inner = ast::Path { prefix: None, name: path.name };
                    let (target, destructive) = (target.clone(), *destructive);
                    let constraint = WithConstraint::Module { path: inner, target, destructive };
                    if !self.constrain_inside(env, structure, prefix, &constraint, span) {
                        self.missing_in_signature("module", path);
                    }
                    return;
                }
                let Some(declared) = structure.modules.get(&path.name.text).cloned() else {
                    self.missing_in_signature("module", path);
                    return;
                };
                let bound = self.match_module(&actual, &declared, Seal::Transparent, span);
                if *destructive {
                    structure.modules.shift_remove(&path.name.text);
                } else {
                    structure.modules.insert(path.name.text, bound);
                }
            }
        }
    }

    /// Constrains a module inside the signature; is there such a module?
    fn constrain_inside(
        &mut self,
        env: &Env,
        structure: &mut Structure,
        prefix: &ast::ModulePath,
        constraint: &WithConstraint,
        span: Span,
    ) -> bool {
        let (outer, name) = match prefix {
            ast::ModulePath::Name(name) => (None, name),
            ast::ModulePath::Dot(outer, name) => (Some(outer), name),
            ast::ModulePath::Apply(..) => return false,
        };
        let mut inner = |cx: &mut Self, structure: &mut Structure| {
            let Some(Module::Structure(found)) = structure.modules.get(&name.text).cloned() else {
                return false;
            };
            let mut found = found.as_ref().clone();
            cx.constrain(env, &mut found, constraint, span);
            structure.modules.insert(name.text, Module::Structure(Rc::new(found)));
            true
        };
        match outer {
            None => inner(self, structure),
            Some(outer) => self.change_inside(structure, outer, &mut inner),
        }
    }

    fn change_inside(
        &mut self,
        structure: &mut Structure,
        path: &ast::ModulePath,
        change: &mut dyn FnMut(&mut Self, &mut Structure) -> bool,
    ) -> bool {
        let (outer, name) = match path {
            ast::ModulePath::Name(name) => (None, name),
            ast::ModulePath::Dot(outer, name) => (Some(outer), name),
            ast::ModulePath::Apply(..) => return false,
        };
        let mut here = |cx: &mut Self, structure: &mut Structure| {
            let Some(Module::Structure(found)) = structure.modules.get(&name.text).cloned() else {
                return false;
            };
            let mut found = found.as_ref().clone();
            let done = change(cx, &mut found);
            structure.modules.insert(name.text, Module::Structure(Rc::new(found)));
            done
        };
        match outer {
            None => here(self, structure),
            Some(outer) => self.change_inside(structure, outer, &mut here),
        }
    }
}

fn names_of_item(item: &SigItemKind) -> Vec<(&'static str, ast::Name)> {
    match item {
        SigItemKind::Type { decls, .. } => decls.iter().map(|it| ("type", it.name)).collect(),
        SigItemKind::Class(decls) | SigItemKind::ClassType(decls) => {
            decls.iter().map(|it| ("type", it.name)).collect()
        }
        SigItemKind::Module { name, .. } | SigItemKind::ModuleAlias { name, .. } => {
            vec![("module", *name)]
        }
        SigItemKind::ModuleType { name, .. } => vec![("module type", *name)],
        SigItemKind::Exception(decl) => vec![("extension constructor", decl.name)],
        SigItemKind::Extend(extension) => {
            extension.ctors.iter().map(|it| ("extension constructor", it.name)).collect()
        }
        SigItemKind::Local(it) => names_of_item(&it.kind),
        _ => Vec::new(),
    }
}

/// The module without what only an implementation could define.
fn without_values(module: &Module) -> Module {
    let Module::Structure(structure) = module else { return module.clone() };
    let mut structure = structure.as_ref().clone();
    for (name, value) in std::mem::take(&mut structure.values) {
        match value.kind {
            ValueKind::Declared => {
                structure.undefined.insert(name, value.span);
            }
            _ => {
                structure.values.insert(name, value);
            }
        }
    }
    structure.modules.values_mut().for_each(|it| *it = without_values(it));
    structure.modules.retain(|_, it| match it {
        Module::Functor(functor) => match &functor.body {
            FunctorBody::Abstract(made) => has_types_only(made),
            FunctorBody::Expr(_) | FunctorBody::Sealed(..) | FunctorBody::Packed(_) => false,
        },
        Module::Structure(_) | Module::Later(_) | Module::Error => true,
    });
    structure.ctors.retain(|_, it| !matches!(it, Ctor::Exn(_)));
    Module::Structure(Rc::new(structure))
}

/// Does what a functor makes define nothing at run time?
fn has_types_only(ty: &ast::ModuleType) -> bool {
    match &ty.kind {
        ModuleTypeKind::Functor(_, made) => has_types_only(made),
        ModuleTypeKind::Signature(items) => items.iter().all(|it| {
            matches!(
                it.kind,
                SigItemKind::Type { .. }
                    | SigItemKind::ModuleType { .. }
                    | SigItemKind::Attribute(_)
            )
        }),
        _ => false,
    }
}
