//! Packing and unpacking modules.
//!
//! ```text
//! (module M : S)                     { x = M.x; f = M.f; … } : (module S)
//! let module M = (val e : S) in …    let m = e in …      where M.x is m.x, and M.t is a type that nobody else knows
//! fun (module M : S) -> …            fun m -> …
//! ```
//!
//! An unpacked module is a structure whose values are fields of the record, read where they are used: a functor that is
//! applied to it is applied as to any other.

use std::cell::OnceCell;
use std::rc::Rc;

use oxbow_base::{Span, Symbol};
use oxbow_diag::{Diagnostic, Reported};
use oxbow_psg::VarId;

use crate::ast::{self, Name, PackageType};
use crate::tast;
use crate::types::{GENERIC, TyConId, TyConKind, Type, TypeId, Unknown};

use super::env::{Env, Functor, FunctorBody, Module, Structure, Value, ValueKind};
use super::exn_fields::exn_at;
use super::package::{Package, exns_in, map_functors, map_values, parts_of, types_in, values_in};
use super::packed_functor::PackedFunctor;
use super::pattern::Bound;
use super::signature::Seal;
use super::typexpr::Vars;
use super::{Expect, Infer};

/// What a module is packed with: `def` is the package's module type as it is meant here.
#[derive(Clone, Copy)]
pub(super) struct Packing<'a> {
    pub package: &'a Package,
    pub args: &'a [TypeId],
    pub def: &'a Rc<(ast::ModuleType, Env)>,
}

impl Infer<'_> {
    /// `(module M : S)`, or `(module M)` where its type is known.
    pub(super) fn pack(
        &mut self,
        env: &Env,
        module: &ast::ModuleExpr,
        ty: Option<&PackageType>,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let ty = match ty {
            Some(ty) => self.package_type(env, ty, Vars::Shared),
            None => expect.ty,
        };
        let Some((package, args)) = self.package_of(ty) else {
            if matches!(self.types.get(ty), Type::Error) {
                return self.failed(span);
            }
            let reported = self.unknown_package(ty, span);
            return self.error_expr(reported, span);
        };
        let ok = self.expect(expect, ty, span);
        let (items, fields) = self.in_local_scope(|cx| {
            let mut fields = None;
            let items = cx.local_items(|cx| {
                let found = cx.module_expr(env, module);
                let at = module.span;
                let into = Packing { package: &package, args: &args, def: &package.def };
                fields = cx.package_fields(into, &found, at);
            });
            (items, fields)
        });
        let Some(fields) = fields else { return self.failed(span) };
        let kind = tast::ExprKind::Record { tycon: package.tycon, fields };
        let ty = if ok { ty } else { self.builtins.error };
        super::expr::with_items(items, tast::Expr { kind, ty, span }, span)
    }

    /// The values of a module, in the order of the record's fields.
    pub(super) fn package_fields(
        &mut self,
        Packing { package, args, def }: Packing<'_>,
        found: &Module,
        span: Span,
    ) -> Option<Vec<tast::Expr>> {
        let errors = self.diagnostics.error_count();
        let (key, decls) = (self.functors.key.take(), self.functors.decls);
        let signature = self.signature_for(&def.1, &def.0, found);
        (self.functors.key, self.functors.decls) = (key, decls);
        let wanted = parts_of(&signature)?;
        self.give_types(&wanted, package, args);
        let names: Vec<Vec<Symbol>> = values_in(&wanted).all.into_iter().map(|it| it.0).collect();
        let module = self.match_module(found, &signature, Seal::Transparent, span);
        if self.diagnostics.error_count() > errors {
            return None;
        }
        let matched = parts_of(&module)?;
        self.share_datas(package, &matched, span)?;
        let infos = self.fields_of(package.tycon).to_vec();
        let mut fields = Vec::new();
        for (name, info) in names.iter().zip(&infos) {
            let value = value_at(&matched, name)?;
            let vars: Vec<TypeId> = value
                .vars
                .iter()
                .copied()
                .filter(|it| matches!(self.types.get(*it), Type::Var { .. }))
                .collect();
            let ty = self.types.substitute(value.ty, &vars, &info.vars);
            let instance =
                value.instance.as_ref().map(|it| it.to_vec()).unwrap_or(value.vars.clone());
            let instance: Vec<TypeId> =
                instance.iter().map(|&it| self.types.substitute(it, &vars, &info.vars)).collect();
            let value = Value { vars: Vec::new(), ty, instance: Some(instance.into()), ..value };
            fields.push(self.value_expr(&value, span));
        }
        for name in &package.exns {
            fields.extend(self.exn_functions(exn_at(&matched, name)?, span));
        }
        for (name, field) in &package.functors {
            let functor = functor_at(&module, name)?;
            fields.push(self.packed_functor(*field, &functor, span)?);
        }
        Some(fields)
    }

    /// The types that a package says something of are what it says.
    fn give_types(&mut self, structure: &Structure, package: &Package, args: &[TypeId]) {
        let declared = types_in(structure);
        for (name, &arg) in package.types.iter().zip(args) {
            if let Some((_, tycon)) = declared.all.iter().find(|it| it.0 == *name) {
                self.types.tycons[*tycon].kind = TyConKind::Alias(arg);
            }
        }
    }

    /// Data types that the signature declares are one type in the graph for all modules that are packed with it.
    fn share_datas(&mut self, package: &Package, module: &Structure, span: Span) -> Option<()> {
        let types = types_in(module);
        for (name, data) in &package.datas {
            let (_, actual) = types.all.iter().find(|it| it.0 == *name)?;
            let (own, shared) = (self.types.declaration(*actual), self.types.declaration(*data));
            if own == shared {
                continue;
            }
            let is_shared =
                self.signatures.packages.iter().any(|it| it.datas.iter().any(|it| it.1 == own));
            let is_plain = !self.types.tycons[own].library
                && self.types.tycons[own].params.len() == self.types.tycons[shared].params.len();
            if is_shared || !is_plain {
                let shown = self.types.tycons[*actual].path.clone();
                let what = format!("the data type `{shown}` in modules packed with several types");
                self.not_supported(span, &what);
                return None;
            }
            let params = self.types.tycons[own].params.clone();
            let view = self.types.add(Type::Con(shared, params));
            self.types.tycons[own].view = Some(view);
        }
        Some(())
    }

    /// `(e : s :> (module S))`: the module, packed anew. The two types have the same values in the same places.
    pub(super) fn repack(
        &mut self,
        env: &Env,
        (value, from, to): (&ast::Expr, Option<&ast::TypeExpr>, &PackageType),
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let from = match from {
            Some(from) => self.type_expr(env, from, Vars::Shared),
            None => self.fresh(),
        };
        let to = self.package_type(env, to, Vars::Shared);
        let ok = self.expect(expect, to, span);
        let value = self.expr(env, value, Expect::plain(from));
        let (Some((package, args)), Some((wanted, wanted_args))) =
            (self.package_of(value.ty), self.package_of(to))
        else {
            let is_error = |ty: TypeId| matches!(self.types.get(ty), Type::Error);
            if !is_error(value.ty) && !is_error(to) {
                let ty = value.ty;
                self.unknown_package(ty, value.span);
            }
            return self.failed(span);
        };
        let functors = |it: &Package| it.functors.iter().map(|it| it.0.clone()).collect::<Vec<_>>();
        if package.values != wanted.values
            || package.exns != wanted.exns
            || functors(&package) != functors(&wanted)
        {
            let (from, to) = (self.show(value.ty), self.show(to));
            let reported = self.diagnostics.error(
                Diagnostic::error("E0184", format!("`{from}` is not a subtype of `{to}`"))
                    .at(span, "the values of the two are not the same in the same order")
                    .help("unpack the module and pack it again"),
            );
            return self.error_expr(reported, span);
        }
        let (items, fields) = self.in_local_scope(|cx| {
            let mut fields = None;
            let items = cx.local_items(|cx| {
                let (ty, at) = (value.ty, value.span);
                let var = cx.new_var(Symbol::new("packed"), ty, at);
                let pattern = tast::Pattern { kind: tast::PatternKind::Var(var), ty, span: at };
                let kind = tast::ItemKind::Let(vec![tast::Binding { pattern, value }]);
                cx.items.push(tast::Item { kind, span: at, library: cx.library });
                let module = cx.unpack(&package, &args, &package.def, var, at);
                let into = Packing { package: &wanted, args: &wanted_args, def: &wanted.def };
                fields = cx.package_fields(into, &module, span);
            });
            (items, fields)
        });
        let Some(fields) = fields else { return self.failed(span) };
        let kind = tast::ExprKind::Record { tycon: wanted.tycon, fields };
        let ty = if ok { to } else { self.builtins.error };
        super::expr::with_items(items, tast::Expr { kind, ty, span }, span)
    }

    /// `(val e)`, `(val e : S)`
    pub(super) fn unpacked(
        &mut self,
        env: &Env,
        value: &ast::Expr,
        ty: Option<&PackageType>,
        span: Span,
    ) -> Module {
        if self.local_depth == 0 {
            self.tyvars.clear();
            self.named_level = self.level;
        }
        let ty = match ty {
            Some(ty) => self.package_type(env, ty, Vars::Shared),
            None => self.fresh(),
        };
        self.local_depth += 1;
        let value = self.expr(env, value, Expect::plain(ty));
        self.local_depth -= 1;
        if matches!(self.types.get(value.ty), Type::Error) {
            return Module::Error;
        }
        let Some((package, args)) = self.package_of(ty) else {
            if !matches!(self.types.get(ty), Type::Error) {
                self.unknown_package(ty, value.span);
            }
            return Module::Error;
        };
        if self.has_variables(&args) {
            let shown = self.show(ty);
            self.diagnostics.error(
                Diagnostic::error("E0218", "the type of this packed module is not known in full")
                    .at(value.span, format!("has type `{shown}`, which contains variables"))
                    .help("annotate it: `(val … : S with type t = …)`"),
            );
            return Module::Error;
        }
        let name = self.path.last().map_or(Symbol::new("packed"), |it| Symbol::new(it));
        let var = self.new_var(name, ty, span);
        let pattern = tast::Pattern { kind: tast::PatternKind::Var(var), ty, span };
        let binding = tast::Binding { pattern, value };
        self.items.push(tast::Item {
            kind: tast::ItemKind::Let(vec![binding]),
            span,
            library: self.library,
        });
        let first = self.types.tycons.next_id();
        let module = self.unpack(&package, &args, &package.def, var, span);
        self.check_applicative(&module, first, span);
        module
    }

    fn has_variables(&self, types: &[TypeId]) -> bool {
        let is_free = |_, it: &Type| match it {
            Type::Var { level, .. } => *level != GENERIC,
            Type::Row(row) => !row.is_fixed() && row.level != GENERIC,
            _ => false,
        };
        types.iter().any(|&it| self.types.any_part(it, is_free))
    }

    /// The module in a packed one, which a variable holds.
    pub(super) fn unpack(
        &mut self,
        package: &Package,
        args: &[TypeId],
        def: &Rc<(ast::ModuleType, Env)>,
        var: VarId,
        span: Span,
    ) -> Module {
        let (key, decls) = (self.functors.key.take(), self.functors.decls);
        let module = self.package_view(package, args, def, span);
        (self.functors.key, self.functors.decls) = (key, decls);
        self.hold_package(package, &module, var)
    }

    /// A module of a package's type: what is abstract in it is of unknown type in the graph.
    pub(super) fn package_view(
        &mut self,
        package: &Package,
        args: &[TypeId],
        def: &Rc<(ast::ModuleType, Env)>,
        span: Span,
    ) -> Module {
        let module = self.frozen_module_type(&def.1, &def.0);
        let Some(structure) = parts_of(&module) else { return Module::Error };
        for (_, tycon) in types_in(&structure).all {
            if let TyConKind::Abstract { implementation: None } = self.types.tycons[tycon].kind {
                self.types.tycons[tycon].unknown = Unknown::Packed;
                self.types.tycons[tycon].span = Some(span);
            }
        }
        self.give_types(&structure, package, args);
        for (name, data) in &package.datas {
            let types = types_in(&structure);
            if let Some((_, tycon)) = types.all.iter().find(|it| it.0 == *name) {
                let params = self.types.tycons[*tycon].params.clone();
                let view = self.types.add(Type::Con(*data, params));
                self.types.tycons[*tycon].view = Some(view);
            }
        }
        module
    }

    /// The values, exceptions and functors of such a module are fields of what a variable holds.
    pub(super) fn hold_package(
        &mut self,
        package: &Package,
        module: &Module,
        var: VarId,
    ) -> Module {
        let (tycon, names) = (package.tycon, &package.values);
        let is_local = self.local_depth > 0 || self.local_scope.is_some();
        let first = names.len() + 2 * package.exns.len();
        let function = |path: &[Symbol], module: &mut Module| {
            let Module::Functor(functor) = module else { return };
            let place = package.functors.iter().position(|it| it.0 == path);
            if let (FunctorBody::Abstract(result), Some(place)) = (&functor.body, place) {
                let packed = PackedFunctor {
                    place: (var, tycon, (first + place) as u32),
                    field: package.functors[place].1,
                    result: result.clone(),
                };
                *module = Module::Functor(Rc::new(Functor {
                    param: functor.param.clone(),
                    body: FunctorBody::Packed(packed),
                    env: functor.env.clone(),
                    path: functor.path.clone(),
                    exn_path: functor.exn_path.clone(),
                    library: functor.library,
                    local: is_local,
                    checked: OnceCell::new(),
                }));
            }
        };
        let mut module = module.clone();
        function(&[], &mut module);
        let Module::Structure(structure) = &module else { return module };
        for (name, exn) in exns_in(structure).all {
            if let Some(place) = package.exns.iter().position(|it| *it == name) {
                let index = names.len() + 2 * place;
                self.types.exns[exn].packed = Some((var, tycon, index as u32));
            }
        }
        let mut structure = map_values(structure, &mut Vec::new(), &mut |path, value| {
            if let Some(index) = names.iter().position(|it| it == path) {
                value.kind = ValueKind::Packed(var, tycon, index as u32);
            }
        });
        map_functors(&mut structure, &mut Vec::new(), &function);
        structure.local = is_local;
        Module::Structure(Rc::new(structure))
    }

    /// The field of a packed module.
    pub(super) fn packed_value(
        &mut self,
        (var, tycon, index): (VarId, TyConId, u32),
        span: Span,
    ) -> tast::ExprKind {
        self.usage.used.insert(var);
        let ty = self.types.vars[var].ty;
        let kind = tast::ExprKind::Var { var, tyargs: Vec::new() };
        let object = Box::new(tast::Expr { kind, ty, span });
        tast::ExprKind::Field { object, record: tast::RecordRef::Record(tycon), index }
    }

    /// `(module M : S)` in a pattern.
    pub(super) fn unpack_pattern(
        &mut self,
        env: &Env,
        (name, ty): (Name, Option<&PackageType>),
        span: Span,
        expect: Expect,
        bound: &mut Bound,
    ) -> tast::PatternKind {
        let ty = match ty {
            Some(ty) => {
                let ty = self.package_type(env, ty, Vars::Shared);
                self.expect(expect, ty, span);
                ty
            }
            None => expect.ty,
        };
        if let Some(place) = self.branches.no_hidden
            && name.text.as_str() != "_"
        {
            // That the module is not known is reported by this.
            self.broken.insert(name.text);
            return tast::PatternKind::Error(
                self.diagnostics.error(
                    Diagnostic::error("E0219", format!("the module would be known in {place}"))
                        .at(span, "modules cannot be bound by this pattern")
                        .help(format!("use `module {} = (val …)`", name.text)),
                ),
            );
        }
        let Some((package, args)) = self.package_of(ty) else {
            bound.modules.push((name.text, Module::Error));
            let reported = match self.types.get(ty) {
                Type::Error => self.diagnostics.reported(),
                _ => self.unknown_package(ty, span),
            };
            self.spoil(expect.ty);
            return tast::PatternKind::Error(reported);
        };
        if name.text.as_str() == "_" {
            return tast::PatternKind::Any;
        }
        let var = self.bind_var(name.text, ty, name.span, bound);
        if bound.modules.iter().any(|it| it.0 == name.text) {
            // The other side of an or-pattern has unpacked it.
            return tast::PatternKind::Var(var);
        }
        let scope = self.local_scope.replace(self.level);
        self.path.push(name.text.as_str().into());
        let module = self.unpack(&package, &args, &package.def, var, name.span);
        self.path.pop();
        self.local_scope = scope;
        bound.modules.push((name.text, module));
        tast::PatternKind::Var(var)
    }

    fn unknown_package(&mut self, ty: TypeId, span: Span) -> Reported {
        let expanded = self.types.expand(ty);
        let report = match self.types.nodes[expanded] {
            Type::Var { .. } => {
                Diagnostic::error("E0217", "the type of this packed module is not known here")
                    .at(span, "its module type is needed")
                    .help("write it: `(… : S)`")
            }
            _ => {
                let shown = self.show(ty);
                Diagnostic::error("E0217", format!("expected `{shown}`, found a packed module"))
                    .at(span, format!("`{shown}` is no type of packed modules"))
            }
        };
        self.diagnostics.error(report)
    }
}

pub(super) fn value_at(structure: &Structure, path: &[Symbol]) -> Option<Value> {
    match path {
        [name] => structure.values.get(name).cloned(),
        [module, rest @ ..] => match structure.modules.get(module)? {
            Module::Structure(inner) => value_at(inner, rest),
            Module::Functor(_) | Module::Later(_) | Module::Error => None,
        },
        [] => None,
    }
}

fn functor_at(module: &Module, path: &[Symbol]) -> Option<Rc<Functor>> {
    match (module, path) {
        (Module::Functor(functor), []) => Some(functor.clone()),
        (Module::Structure(structure), [name, rest @ ..]) => {
            functor_at(structure.modules.get(name)?, rest)
        }
        _ => None,
    }
}
