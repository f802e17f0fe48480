//! Module types, and matching modules against them.
//!
//! A module type is elaborated anew wherever it is used: that makes fresh abstract types.
//! Matching a structure first *realises* those (each becomes an abbreviation of the
//! structure's type), checks everything under that view, and then, if the signature seals,
//! makes them opaque again with the structure's type as their hidden implementation.

use std::rc::Rc;

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::{self, ModuleTypeKind, SigItemKind, WithConstraint};
use crate::types::{TyConId, TyConKind, Type, TypeId};

use super::env::{Ctor, Env, Functor, FunctorBody, Module, ModuleTypeDef, Structure, Value, ValueKind};
use super::typexpr::Vars;
use super::{Infer, Unit};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Seal {
    /// Abstract types of the signature become new types.
    Opaque,
    /// They stay equal to the structure's (a functor's argument).
    Transparent,
}

impl Infer<'_> {
    pub(super) fn seal_unit(&mut self, env: &Env, unit: &Unit, module: Module, items: &[ast::SigItem]) -> Module {
        let signature = self.signature(env, items);
        self.match_module(&module, &signature, Seal::Opaque, unit.span)
    }

    /// The module that a module type describes, with fresh abstract types.
    pub(super) fn module_type(&mut self, env: &Env, ty: &ast::ModuleType) -> Module {
        match &ty.kind {
            ModuleTypeKind::Path(path) => match self.lookup_module_type(env, path) {
                Ok(ModuleTypeDef::Closure(closure)) => {
                    let (body, scope) = closure.as_ref();
                    self.module_type(scope, body)
                }
                Ok(ModuleTypeDef::Abstract) => {
                    self.not_supported(ty.span, "abstract module types");
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
                library: self.library,
            })),
            ModuleTypeKind::With(inner, constraints) => {
                let module = self.module_type(env, inner);
                let Module::Structure(structure) = module else { return module };
                let mut structure = structure.as_ref().clone();
                for constraint in constraints {
                    self.constrain(env, &mut structure, constraint, ty.span);
                }
                Module::Structure(Rc::new(structure))
            }
            ModuleTypeKind::TypeOf(module) => {
                let module = self.discarding_items(|cx| cx.module_expr(env, module));
                let Module::Structure(structure) = module else { return module };
                let mut structure = structure.as_ref().clone();
                for value in structure.values.values_mut() {
                    value.kind = ValueKind::Declared;
                    value.instance = None;
                }
                Module::Structure(Rc::new(structure))
            }
            ModuleTypeKind::Error(_) => Module::Error,
        }
    }

    fn signature(&mut self, env: &Env, items: &[ast::SigItem]) -> Module {
        let mut env = env.clone();
        let mut structure = Structure::default();
        for item in items {
            self.sig_item(&mut env, &mut structure, item);
        }
        Module::Structure(Rc::new(structure))
    }

    fn sig_item(&mut self, env: &mut Env, structure: &mut Structure, item: &ast::SigItem) {
        match &item.kind {
            SigItemKind::Value { name, ty } | SigItemKind::External { name, ty, .. } => {
                let (vars, ty) = self.declared_scheme(env, ty);
                let value = Value { kind: ValueKind::Declared, vars, ty, instance: None, span: name.span };
                structure.values.insert(name.text, value);
            }
            SigItemKind::Type { recursive, decls } => self.type_decls(env, structure, *recursive, decls),
            SigItemKind::Exception(decl) => self.exception(env, structure, decl),
            SigItemKind::Module { name, ty } => {
                let module = self.module_type(env, ty);
                env.add_module(name.text, module.clone());
                structure.modules.insert(name.text, module);
            }
            SigItemKind::ModuleAlias { name, target } => {
                let module = self.lookup_module(env, target).unwrap_or(Module::Error);
                env.add_module(name.text, module.clone());
                structure.modules.insert(name.text, module);
            }
            SigItemKind::ModuleType { name, body } => {
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
                }
            }
            SigItemKind::Include(ty) => {
                let module = self.module_type(env, ty);
                self.include(env, structure, &module, item.span);
            }
            SigItemKind::Attribute(_) | SigItemKind::Error(_) => (),
        }
    }

    // ------------------------------------------------------------ `with` constraints

    fn constrain(&mut self, env: &Env, structure: &mut Structure, constraint: &WithConstraint, span: Span) {
        match constraint {
            WithConstraint::Type { path, params, ty, destructive } => {
                let Some(tycon) = self.find_constrained(structure, path) else { return };
                let saved = std::mem::take(&mut self.tyvars);
                let own = self.types.tycons[tycon].params.clone();
                if own.len() != params.len() {
                    self.diagnostics.error(
                        Diagnostic::error("E0205", format!("type `{}` has {} parameters", path.name.text, own.len()))
                            .at(path.span(), format!("{} are given", params.len())),
                    );
                }
                for (param, &var) in params.iter().zip(&own) {
                    if let Some(name) = param.name {
                        self.tyvars.insert(name.text, var);
                    }
                }
                let body = self.type_expr(env, ty, Vars::Declared);
                self.tyvars = saved;
                self.types.tycons[tycon].kind = TyConKind::Alias(body);
                if path.prefix.is_none() {
                    let (mut scope, mut members) = (Env::default(), Structure::default());
                    if let Type::Con(target, _) = *self.types.get(body) {
                        self.add_members(&mut scope, &mut members, target);
                    }
                    // Constructors and fields are those of the type that is named.
                    for (name, ctor) in members.ctors {
                        if structure.ctors.contains_key(&name) {
                            structure.ctors.insert(name, ctor);
                        }
                    }
                    if *destructive {
                        structure.types.shift_remove(&path.name.text);
                    }
                }
            }
            WithConstraint::Module { path, target, destructive } => {
                let Ok(actual) = self.lookup_module(env, target) else { return };
                if path.prefix.is_some() {
                    self.not_supported(span, "`with module` on a nested module");
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

    fn find_constrained(&mut self, structure: &Structure, path: &ast::Path) -> Option<TyConId> {
        fn inside(structure: &Structure, path: &ast::ModulePath) -> Option<Rc<Structure>> {
            let module = match path {
                ast::ModulePath::Name(name) => structure.modules.get(&name.text)?.clone(),
                ast::ModulePath::Dot(prefix, name) => inside(structure, prefix)?.modules.get(&name.text)?.clone(),
                ast::ModulePath::Apply(..) => return None,
            };
            match module {
                Module::Structure(structure) => Some(structure),
                Module::Functor(_) | Module::Error => None,
            }
        }
        let found = match &path.prefix {
            None => structure.types.get(&path.name.text).copied(),
            Some(prefix) => inside(structure, prefix).and_then(|it| it.types.get(&path.name.text).copied()),
        };
        if found.is_none() {
            self.missing_in_signature("type", path);
        }
        found
    }

    fn missing_in_signature(&mut self, what: &str, path: &ast::Path) {
        self.diagnostics.error(
            Diagnostic::error("E0206", format!("the signature has no {what} `{}`", path.name.text))
                .at(path.span(), "cannot be constrained"),
        );
    }

    // ---------------------------------------------------------------------- matching

    pub(super) fn match_module(&mut self, module: &Module, signature: &Module, seal: Seal, span: Span) -> Module {
        match (module, signature) {
            (Module::Error, _) | (_, Module::Error) => Module::Error,
            (Module::Structure(found), Module::Structure(wanted)) => {
                let mut realised = Vec::new();
                let ok = self.realise(found, wanted, span, &mut realised);
                let result = self.match_structure(found, wanted, seal, span);
                if seal == Seal::Opaque {
                    for (tycon, implementation) in realised {
                        self.types.tycons[tycon].kind =
                            TyConKind::Abstract { implementation: Some(implementation) };
                    }
                }
                if ok { result } else { Module::Error }
            }
            (Module::Functor(found), Module::Functor(wanted)) => match &wanted.body {
                FunctorBody::Abstract(result) if seal == Seal::Opaque => Module::Functor(Rc::new(Functor {
                    param: wanted.param.clone(),
                    body: FunctorBody::Sealed(found.clone(), result.clone()),
                    env: wanted.env.clone(),
                    path: found.path.clone(),
                    library: found.library,
                })),
                _ => module.clone(),
            },
            (Module::Functor(_), Module::Structure(_)) => {
                self.diagnostics.error(
                    Diagnostic::error("E0207", "a functor does not match this signature").at(span, "expected a structure"),
                );
                Module::Error
            }
            (Module::Structure(_), Module::Functor(_)) => {
                self.diagnostics.error(
                    Diagnostic::error("E0207", "a structure does not match this signature").at(span, "expected a functor"),
                );
                Module::Error
            }
        }
    }

    /// Makes every abstract or repeated type of the signature an abbreviation of the structure's.
    fn realise(
        &mut self,
        found: &Structure,
        wanted: &Structure,
        span: Span,
        realised: &mut Vec<(TyConId, TypeId)>,
    ) -> bool {
        let mut ok = true;
        for (&name, &declared) in &wanted.types {
            let Some(&actual) = found.types.get(&name) else {
                self.missing("type", name, self.types.tycons[declared].span, span);
                ok = false;
                continue;
            };
            if actual == declared {
                continue;
            }
            let params = self.types.tycons[declared].params.clone();
            if params.len() != self.types.tycons[actual].params.len() {
                self.diagnostics.error(
                    Diagnostic::error("E0208", format!("type `{name}` has another number of parameters than declared"))
                        .at(span, ""),
                );
                ok = false;
                continue;
            }
            let body = self.types.add(Type::Con(actual, params));
            match self.types.tycons[declared].kind.clone() {
                TyConKind::Abstract { .. } => {
                    realised.push((declared, body));
                    self.types.tycons[declared].kind = TyConKind::Alias(body);
                }
                kind @ (TyConKind::Record(_) | TyConKind::Variant(_)) => {
                    self.types.tycons[declared].kind = TyConKind::Alias(body);
                    self.declared_kinds.push((declared, kind));
                }
                TyConKind::Alias(_) | TyConKind::Builtin(_) | TyConKind::InlineRecord { .. } | TyConKind::Pending => (),
            }
        }
        for (name, declared) in &wanted.modules {
            if let (Some(Module::Structure(actual)), Module::Structure(declared)) = (found.modules.get(name), declared) {
                ok &= self.realise(actual, declared, span, realised);
            }
        }
        ok
    }

    fn match_structure(&mut self, found: &Structure, wanted: &Structure, seal: Seal, span: Span) -> Module {
        let mut result = Structure { module_types: wanted.module_types.clone(), ..Structure::default() };
        for (&name, &declared) in &wanted.types {
            let Some(&actual) = found.types.get(&name) else { continue };
            let visible = self.match_type(name, declared, actual, span);
            result.types.insert(name, visible);
            if visible == actual {
                let (mut scope, mut members) = (Env::default(), Structure::default());
                self.add_members(&mut scope, &mut members, actual);
                result.ctors.extend(members.ctors);
                for (name, records) in members.fields {
                    for record in records {
                        result.add_field(name, record);
                    }
                }
            }
        }
        for (&name, ctor) in &wanted.ctors {
            if let Ctor::Exn(declared) = *ctor {
                match found.ctors.get(&name) {
                    Some(&Ctor::Exn(actual)) => {
                        let pairs: Vec<_> = self.types.exns[declared]
                            .args
                            .iter()
                            .copied()
                            .zip(self.types.exns[actual].args.iter().copied())
                            .collect();
                        let same_count =
                            self.types.exns[declared].args.len() == self.types.exns[actual].args.len();
                        if !same_count || pairs.into_iter().any(|(a, b)| self.unify(a, b).is_err()) {
                            self.diagnostics.error(
                                Diagnostic::error("E0209", format!("exception `{name}` has other arguments than declared"))
                                    .at(span, ""),
                            );
                        }
                        result.ctors.insert(name, Ctor::Exn(actual));
                    }
                    _ => self.missing("exception", name, Some(self.types.exns[declared].span), span),
                }
            }
        }
        for (&name, declared) in &wanted.values {
            match found.values.get(&name) {
                Some(actual) => {
                    let value = self.match_value(name, declared, actual, span);
                    result.values.insert(name, value);
                }
                None => self.missing("value", name, Some(declared.span), span),
            }
        }
        for (&name, declared) in &wanted.modules {
            match found.modules.get(&name) {
                Some(Module::Structure(actual)) => {
                    let module = match declared {
                        Module::Structure(declared) => self.match_structure(actual, declared, seal, span),
                        _ => self.match_module(&Module::Structure(actual.clone()), declared, seal, span),
                    };
                    result.modules.insert(name, module);
                }
                Some(actual) => {
                    let module = self.match_module(actual, declared, seal, span);
                    result.modules.insert(name, module);
                }
                None => self.missing("module", name, None, span),
            }
        }
        for (name, def) in &found.module_types {
            if result.module_types.contains_key(name) {
                result.module_types.insert(*name, def.clone());
            }
        }
        Module::Structure(Rc::new(result))
    }

    /// The type constructor that stands for a declared type in the result.
    fn match_type(&mut self, name: Symbol, declared: TyConId, actual: TyConId, span: Span) -> TyConId {
        if declared == actual {
            return actual;
        }
        if let Some(at) = self.declared_kinds.iter().rposition(|it| it.0 == declared) {
            let (_, kind) = self.declared_kinds.swap_remove(at);
            if !self.same_representation(declared, &kind, actual) {
                self.diagnostics.error(
                    Diagnostic::error("E0209", format!("type `{name}` is not the one that the signature declares"))
                        .at(span, "constructors or fields differ"),
                );
            }
            return actual;
        }
        if let TyConKind::Alias(_) = self.types.tycons[declared].kind {
            let params = self.types.tycons[declared].params.clone();
            let a = self.types.add(Type::Con(declared, params.clone()));
            let b = self.types.add(Type::Con(actual, params));
            let generic_actual = self.types.tycons[actual].params.clone();
            let declared_params = self.types.tycons[declared].params.clone();
            let b = self.types.substitute(b, &generic_actual, &declared_params);
            if self.unify(a, b).is_err() {
                let (wanted, found) = (self.types.expand(a), self.types.expand(b));
                let (wanted, found) = (self.show(wanted), self.show(found));
                self.diagnostics.error(
                    Diagnostic::error("E0209", format!("type `{name}` is `{found}`, but the signature says `{wanted}`"))
                        .at(span, ""),
                );
            }
        }
        declared
    }

    fn same_representation(&mut self, declared: TyConId, kind: &TyConKind, actual: TyConId) -> bool {
        let params = self.types.tycons[declared].params.clone();
        let own = self.types.tycons[actual].params.clone();
        let mut actual = actual;
        while let TyConKind::Alias(body) = self.types.tycons[actual].kind {
            match *self.types.get(body) {
                Type::Con(next, _) => actual = next,
                _ => return false,
            }
        }
        let own = if self.types.tycons[actual].params.len() == own.len() {
            self.types.tycons[actual].params.clone()
        } else {
            own
        };
        let pairs: Vec<(TypeId, TypeId)> = match (kind, &self.types.tycons[actual].kind) {
            (TyConKind::Record(a), TyConKind::Record(b)) => {
                if a.len() != b.len()
                    || a.iter().zip(b).any(|(a, b)| a.name != b.name || a.mutable != b.mutable)
                {
                    return false;
                }
                a.iter().zip(b).map(|(a, b)| (a.ty, b.ty)).collect()
            }
            (TyConKind::Variant(a), TyConKind::Variant(b)) => {
                if a.len() != b.len()
                    || a.iter().zip(b).any(|(a, b)| a.name != b.name || a.args.len() != b.args.len())
                {
                    return false;
                }
                a.iter()
                    .zip(b)
                    .flat_map(|(a, b)| a.args.iter().copied().zip(b.args.iter().copied()).collect::<Vec<_>>())
                    .collect()
            }
            _ => return false,
        };
        pairs.into_iter().all(|(a, b)| {
            let b = self.types.substitute(b, &own, &params);
            self.unify(a, b).is_ok()
        })
    }

    fn match_value(&mut self, name: Symbol, declared: &Value, actual: &Value, span: Span) -> Value {
        self.enter_level();
        let (ty, tyargs) = self.instantiate(actual);
        self.leave_level();
        if self.unify(declared.ty, ty).is_err() {
            let (ty, _) = (actual.ty, ());
            let mut printer = super::print::Printer::new(&self.types);
            let (wanted, found) = (printer.show(declared.ty), printer.show(ty));
            let mut diagnostic = Diagnostic::error(
                "E0210",
                format!("value `{name}` has type `{found}`, but the signature declares `{wanted}`"),
            );
            diagnostic = if actual.span.file == declared.span.file {
                diagnostic.at(actual.span, "defined here").label(declared.span, "declared here")
            } else {
                diagnostic.at(span, "")
            };
            self.diagnostics.error(diagnostic);
        }
        Value {
            kind: actual.kind,
            vars: declared.vars.clone(),
            ty: declared.ty,
            instance: Some(tyargs.into()),
            span: actual.span,
        }
    }

    fn missing(&mut self, what: &str, name: Symbol, declared: Option<Span>, span: Span) {
        let mut diagnostic = Diagnostic::error("E0211", format!("the {what} `{name}` is missing"))
            .at(span, format!("this signature requires a {what} `{name}`"));
        if let Some(declared) = declared
            && declared.file == span.file
        {
            diagnostic = diagnostic.label(declared, "declared here");
        }
        self.diagnostics.error(diagnostic);
    }
}
