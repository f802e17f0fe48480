//! Polymorphic fields of records: `{ map : 'a. 'a list -> int }`.
//!
//! ```text
//! r.map                      at fresh types, as a polymorphic variable is
//! { map }  in a pattern      `map` is as polymorphic as the field
//! { map = e }                e is checked with `'a` rigid, and must be a value, as OCaml asks of what is generalised
//! ```
//!
//! In the graph such a field holds one value for all types: its variables stand for values of unknown type
//! (`Types::uniform`), and a read converts to the types that it is read at.

use oxbow_base::Symbol;
use oxbow_diag::Diagnostic;

use crate::ast::{self, PolyType};
use crate::tast;
use crate::types::{GENERIC, TyConId, Type, TypeId, Unknown};

use super::env::Env;
use super::typexpr::Vars;
use super::{Expect, Infer};

impl Infer<'_> {
    /// The declared type of a field, with its own variables.
    pub(super) fn field_scheme(
        &mut self,
        env: &Env,
        poly: &PolyType,
        unknown: Vars,
    ) -> (TypeId, Vec<TypeId>) {
        self.types.has_equations |= !poly.vars.is_empty();
        let (mut vars, mut shadowed): (Vec<TypeId>, Vec<(Symbol, Option<TypeId>)>) =
            (Vec::new(), Vec::new());
        for name in &poly.vars {
            let var = self.types.add(Type::Var { level: GENERIC, name: Some(name.text) });
            self.types.uniform.insert(var);
            shadowed.push((name.text, self.tyvars.insert(name.text, var)));
            vars.push(var);
        }
        let ty = self.type_expr(env, &poly.ty, unknown);
        for (name, before) in shadowed.into_iter().rev() {
            match before {
                Some(before) => self.tyvars.insert(name, before),
                None => self.tyvars.remove(&name),
            };
        }
        (ty, vars)
    }

    /// The type of a field, given the record's instance, over the field's own variables.
    pub(super) fn field_instance(
        &mut self,
        tycon: TyConId,
        ty: TypeId,
        index: usize,
    ) -> (TypeId, Vec<TypeId>) {
        let field = self.fields_of(tycon)[index].clone();
        let params = self.types.tycons[tycon].params.clone();
        let ty = self.types.expand(ty);
        let args = match &self.types.nodes[ty] {
            Type::Con(_, args) => args.clone(),
            _ => Vec::new(),
        };
        (self.types.substitute(field.ty, &params, &args), field.vars)
    }

    /// A value for a field, which is as polymorphic as the field is.
    pub(super) fn field_value(
        &mut self,
        env: &Env,
        value: &ast::Expr,
        (tycon, record, index): (TyConId, TypeId, u32),
        expect: Expect,
    ) -> tast::Expr {
        let (ty, vars) = self.field_instance(tycon, record, index as usize);
        if vars.is_empty() {
            return self.part(env, value, expect);
        }
        let name = self.fields_of(tycon)[index as usize].name;
        self.enter_level();
        let mut rigid = Vec::new();
        let mut types = Vec::new();
        for &var in &vars {
            let called = match self.types.get(var) {
                Type::Var { name: Some(name), .. } => *name,
                _ => Symbol::new("a"),
            };
            let one = self.open_rigid(called, value.span);
            // Cases of effects tell what the result of an effect is.
            if matches!(value.kind, ast::ExprKind::Handle(_)) {
                self.types.tycons[one.tycon].unknown = Unknown::Local;
            }
            types.push(self.types.add(Type::Con(one.tycon, Vec::new())));
            rigid.push(one);
        }
        let ty = self.types.substitute(ty, &vars, &types);
        let typed = self.part(env, value, Expect { ty, ..expect });
        self.leave_level();
        for (one, &var) in rigid.into_iter().zip(&vars) {
            self.close_rigid(one, var);
        }
        if !self.is_value(&typed) {
            let message = format!("the value of the polymorphic field `{name}` is computed");
            self.diagnostics.error(
                Diagnostic::error("E0166", message)
                    .at(value.span, "only a value that needs no computation is polymorphic")
                    .help("make it a function: `fun x -> … x`"),
            );
        }
        typed
    }
}
