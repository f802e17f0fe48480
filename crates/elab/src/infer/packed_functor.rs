//! Functors of packed modules.
//!
//! ```text
//! module type S = sig module F (X : T) : R  module G () : R end
//!
//! type package = { "F" : (module T) -> (module R);  "G" : unit -> (module R) }
//! (module M : S)       { "F" = fun x -> (module M.F (val x) : R);  "G" = fun () -> (module M.G () : R) }
//! module A = P.F (B)   let a = p."F" (module B : T) in …         where A.x is a.x
//! ```
//!
//! To apply one is to call the function with the packed argument and to unpack what it gives. In the graph the abstract
//! types of `T` and `R` are values of unknown type, as are those of the signature around; what they are where the
//! functor is applied is known to inference, and the graph retypes.

use std::rc::Rc;

use oxbow_base::{Span, Symbol};
use oxbow_psg::VarId;

use crate::ast;
use crate::tast;
use crate::types::{Label, TyConId, Type, TypeId};

use super::Infer;
use super::env::{Env, Functor, FunctorBody, Module};
use super::pack::Packing;
use super::package::{FunctorField, Package};

/// A functor of a module that was unpacked.
#[derive(Clone, Debug)]
pub struct PackedFunctor {
    /// The variable that holds the module, its type, and the field of the function.
    pub place: (VarId, TyConId, u32),
    pub field: FunctorField,
    /// What the functor makes.
    pub result: Rc<ast::ModuleType>,
}

impl Infer<'_> {
    /// The types of the function that a functor is in a packed module.
    pub(super) fn functor_field(
        &mut self,
        functor: &Rc<Functor>,
        path: &ast::Path,
    ) -> Option<(FunctorField, TypeId)> {
        let FunctorBody::Abstract(result) = &functor.body else { return None };
        let mut env = functor.env.clone();
        let mut param = None;
        if let Some(ty) = &functor.param.ty {
            let def = Rc::new((ty.as_ref().clone(), functor.env.clone()));
            let tycon = self.package(def.clone(), path, &[])?;
            let package = self.package_with(tycon)?;
            let module = self.outside(|cx| cx.package_view(&package, &[], &def, path.span()));
            if let Some(name) = functor.param.name {
                env.add_module(name.text, module);
            }
            param = Some(tycon);
        }
        let result = self.package(Rc::new((result.as_ref().clone(), env)), path, &[])?;
        let field = FunctorField { param, result };
        let (from, to) = self.function_types(field);
        Some((field, self.arrow(Label::None, from, to)))
    }

    fn function_types(&mut self, field: FunctorField) -> (TypeId, TypeId) {
        let from = match field.param {
            Some(tycon) => self.types.add(Type::Con(tycon, Vec::new())),
            None => self.builtins.unit,
        };
        (from, self.types.add(Type::Con(field.result, Vec::new())))
    }

    fn package_with(&self, tycon: TyConId) -> Option<Package> {
        self.signatures.packages.iter().find(|it| it.tycon == tycon).cloned()
    }

    /// The function that a functor is, which has been matched with what the packed module's type says of it.
    pub(super) fn packed_functor(
        &mut self,
        field: FunctorField,
        functor: &Rc<Functor>,
        span: Span,
    ) -> Option<tast::Expr> {
        let (FunctorBody::Sealed(_, result, ..) | FunctorBody::Abstract(result)) = &functor.body
        else {
            return None;
        };
        let (from, to) = self.function_types(field);
        let var = self.new_var(functor_name(functor), from, span);
        let wanted = self.package_with(field.result)?;
        let mut fields = None;
        let items = self.in_local_scope(|cx| {
            cx.local_items(|cx| {
                let mut env = functor.env.clone();
                let argument =
                    field.param.and_then(|tycon| cx.package_with(tycon)).map(|package| {
                        let ty = functor.param.ty.as_deref();
                        let ty = ty.expect("a parameter that is a module has a type").clone();
                        cx.unpack(&package, &[], &Rc::new((ty, functor.env.clone())), var, span)
                    });
                if let (Some(name), Some(argument)) = (functor.param.name, &argument) {
                    env.add_module(name.text, argument.clone());
                }
                let made = cx.apply_functor(Module::Functor(functor.clone()), argument, "…", span);
                let def = Rc::new((result.as_ref().clone(), env));
                let into = Packing { package: &wanted, args: &[], def: &def };
                fields = cx.package_fields(into, &made, span);
            })
        });
        let kind = tast::ExprKind::Record { tycon: field.result, fields: fields? };
        let body = super::expr::with_items(items, tast::Expr { kind, ty: to, span }, span);
        let pattern = tast::Pattern { kind: tast::PatternKind::Var(var), ty: from, span };
        Some(self.function_of(vec![(pattern, body)], (from, to), span))
    }

    /// What a functor of an unpacked module makes of an argument that has been matched with its parameter; `env` has
    /// the parameter.
    pub(super) fn apply_packed(
        &mut self,
        functor: &Functor,
        packed: &PackedFunctor,
        (env, argument): (&Env, Option<&Module>),
        span: Span,
    ) -> Module {
        let (from, to) = self.function_types(packed.field);
        let kind = match (packed.field.param, argument, &functor.param.ty) {
            (Some(tycon), Some(argument), Some(ty)) => {
                let Some(package) = self.package_with(tycon) else { return Module::Error };
                let def = Rc::new((ty.as_ref().clone(), functor.env.clone()));
                let into = Packing { package: &package, args: &[], def: &def };
                let Some(fields) = self.package_fields(into, argument, span) else {
                    return Module::Error;
                };
                tast::ExprKind::Record { tycon, fields }
            }
            _ => tast::ExprKind::Unit,
        };
        let argument = tast::Expr { kind, ty: from, span };
        let kind = self.packed_value(packed.place, span);
        let func = tast::Expr { kind, ty: self.arrow(Label::None, from, to), span };
        let kind = tast::ExprKind::Apply { func: Box::new(func), args: vec![argument] };
        let value = tast::Expr { kind, ty: to, span };
        let var = self.new_var(functor_name(functor), to, span);
        let pattern = tast::Pattern { kind: tast::PatternKind::Var(var), ty: to, span };
        self.push_item(tast::ItemKind::Let(vec![tast::Binding { pattern, value }]), span);
        let Some(package) = self.package_with(packed.field.result) else { return Module::Error };
        let def = Rc::new((packed.result.as_ref().clone(), env.clone()));
        let module = self.package_view(&package, &[], &def, span);
        self.hold_package(&package, &module, var)
    }
}

fn functor_name(functor: &Functor) -> Symbol {
    functor.param.name.map_or(Symbol::new("packed"), |it| it.text)
}
