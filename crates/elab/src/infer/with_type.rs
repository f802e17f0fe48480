//! `with type` behind a signature: what one of its types is.
//!
//! ```text
//! S with type 'a M.t = 'a list constraint 'a = int
//! S with type t := int                                  the signature without `t`
//! ```

use std::rc::Rc;

use oxbow_diag::Diagnostic;

use crate::ast::{self, TypeExpr, TypeParam};
use crate::types::{TyConId, TyConKind, Type, TypeId};

use super::Infer;
use super::env::{Ctor, Env, Module, Structure};
use super::typexpr::Vars;

/// `type ('a) path = ty constraint …`
pub(super) struct WithType<'a> {
    pub path: &'a ast::Path,
    pub params: &'a [TypeParam],
    pub ty: &'a TypeExpr,
    pub destructive: bool,
    pub constraints: &'a [(TypeExpr, TypeExpr)],
}

impl Infer<'_> {
    pub(super) fn constrain_type(
        &mut self,
        env: &Env,
        structure: &mut Structure,
        given: &WithType<'_>,
    ) {
        let &WithType { path, params, ty, destructive, constraints } = given;
        let Some(tycon) = self.find_constrained(structure, path) else { return };
        let saved = std::mem::take(&mut self.tyvars);
        // An argument has the form that the signature says.
        let it = &self.types.tycons[tycon];
        let is_constrained = it.forms.is_some();
        let own = it.forms.clone().unwrap_or_else(|| it.params.clone());
        if own.len() != params.len() {
            self.diagnostics.error(
                Diagnostic::error(
                    "E0205",
                    format!("type `{}` has {} parameters", path.name.text, own.len()),
                )
                .at(path.span(), format!("{} are given", params.len())),
            );
        } else if is_constrained && destructive {
            let text = format!("type `{}` has a constraint", path.name.text);
            let label = "cannot be substituted; `=` keeps the type";
            self.diagnostics.error(Diagnostic::error("E0205", text).at(path.span(), label));
        }
        for (param, &var) in params.iter().zip(&own) {
            if let Some(name) = param.name {
                self.tyvars.insert(name.text, var);
            }
        }
        for (left, right) in constraints {
            if !is_constrained {
                let text = format!("type `{}` of the signature has no constraint", path.name.text);
                self.diagnostics.error(
                    Diagnostic::error("E0205", text)
                        .at(left.span.to(right.span), "its parameters may be any types"),
                );
                break;
            }
            let [a, b] = [left, right].map(|it| self.type_expr(env, it, Vars::Constructor));
            // Rows of the two are forms: what they leave open are the parameters of the type.
            let is_row =
                |it: TypeId| matches!(self.types.get(it), Type::Row(row) if !row.is_fixed());
            if !(is_row(a) && is_row(b)) {
                self.hold_equal(a, b, (left, right));
            }
        }
        let body = self.type_expr(env, ty, Vars::Declared);
        self.tyvars = saved;
        if own.len() != params.len() || !self.may_be(tycon, body, path) {
            return;
        }
        let kind = TyConKind::Alias(body);
        let before = std::mem::replace(&mut self.types.tycons[tycon].kind, kind);
        // It repeats the type that is named.
        if matches!(before, TyConKind::Record(_) | TyConKind::Variant(_)) {
            self.reexports.insert(tycon);
        }
        if path.prefix.is_none() && destructive {
            structure.types.shift_remove(&path.name.text);
            structure.ctors.retain(|_, it| !matches!(it, Ctor::Variant(of, _) if *of == tycon));
            structure.fields.values_mut().for_each(|it| it.retain(|of| *of != tycon));
            structure.fields.retain(|_, it| !it.is_empty());
        }
    }

    /// Does the signature leave open that this type is `body`?
    fn may_be(&mut self, tycon: TyConId, body: TypeId, path: &ast::Path) -> bool {
        let params = self.types.tycons[tycon].params.clone();
        let ok = match self.types.tycons[tycon].kind.clone() {
            _ if !self.signatures.flexible.contains(tycon) => {
                let declared = self.types.add(Type::Con(tycon, params));
                self.unify(declared, body).is_ok()
            }
            TyConKind::Abstract { .. } if !self.types.tycons[tycon].private => true,
            TyConKind::Abstract { implementation: None } => true,
            TyConKind::Abstract { implementation: Some(declared) } | TyConKind::Alias(declared) => {
                self.unify(declared, body).is_ok()
            }
            TyConKind::Record(_) | TyConKind::Variant(_)
                if !self.types.tycons[tycon].private && self.is_private_type(body) =>
            {
                false
            }
            kind @ (TyConKind::Record(_) | TyConKind::Variant(_) | TyConKind::Open) => {
                let expanded = self.types.expand(body);
                // Its parts may mention it, by other types of the signature as well.
                self.types.tycons[tycon].kind = TyConKind::Alias(body);
                let same = match self.types.nodes[expanded].clone() {
                    Type::Con(actual, args) => self.same_representation(&kind, actual, &args),
                    _ => false,
                };
                self.types.tycons[tycon].kind = kind;
                same
            }
            TyConKind::Builtin(_) | TyConKind::InlineRecord { .. } | TyConKind::Pending => false,
        };
        if !ok {
            let shown = self.show(body);
            self.diagnostics.error(
                Diagnostic::error(
                    "E0209",
                    format!("type `{}` of the signature cannot be `{shown}`", path.name.text),
                )
                .at(path.span(), "the signature defines it otherwise"),
            );
            // What depends on it is not looked at.
            self.types.tycons[tycon].kind = TyConKind::Alias(self.builtins.error);
        }
        ok
    }

    fn find_constrained(&mut self, structure: &Structure, path: &ast::Path) -> Option<TyConId> {
        fn inside(structure: &Structure, path: &ast::ModulePath) -> Option<Rc<Structure>> {
            let module = match path {
                ast::ModulePath::Name(name) => structure.modules.get(&name.text)?.clone(),
                ast::ModulePath::Dot(prefix, name) => {
                    inside(structure, prefix)?.modules.get(&name.text)?.clone()
                }
                ast::ModulePath::Apply(..) => return None,
            };
            match module {
                Module::Structure(structure) => Some(structure),
                Module::Functor(_) | Module::Later(_) | Module::Error => None,
            }
        }
        let found = match &path.prefix {
            None => structure.types.get(&path.name.text).copied(),
            Some(prefix) => {
                inside(structure, prefix).and_then(|it| it.types.get(&path.name.text).copied())
            }
        };
        if found.is_none() {
            self.missing_in_signature("type", path);
        }
        found
    }

    pub(super) fn missing_in_signature(&mut self, what: &str, path: &ast::Path) {
        self.diagnostics.error(
            Diagnostic::error("E0206", format!("the signature has no {what} `{}`", path.name.text))
                .at(path.span(), "cannot be constrained"),
        );
    }
}
