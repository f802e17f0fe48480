//! Members that heirs may override: fields of the object that hold functions.
//!
//! ```text
//! object.%v.M <- f        object.%base.%own.%v.M <- f     where the class that declares `M` keeps it
//! ```

use oxbow_base::{Made, Symbol};

use crate::ast::{self, ExprKind, Name};
use crate::types::{TyConId, Type, TypeId};

use super::super::env::Env;
use super::super::{Expect, Infer};

impl Infer<'_> {
    /// The part of an object that holds the function of a member, seen from a class that inherits it.
    pub(in super::super) fn slot_object(
        &mut self,
        env: &Env,
        object: &ast::Expr,
        path: &ast::Path,
    ) -> Option<ast::Expr> {
        let slot = path.name.text;
        ast::member_of_field(slot)?;
        let ty = self.fresh();
        let typed = self.expr(env, object, Expect::plain(ty));
        let (mut con, _) = self.head_con(typed.ty)?;
        let mut object = object.clone();
        loop {
            if self.has_field(con, slot) {
                return Some(object);
            }
            if let Some(own) = self.part_of(con, Made::Own)
                && self.has_field(own, slot)
            {
                return Some(part(object, Made::Own));
            }
            self.base_of(con)?;
            con = self.part_of(con, Made::Base)?;
            object = part(object, Made::Base);
        }
    }

    /// A member that overrides has the type that the class says which declares it.
    pub(in super::super) fn note_slot(&mut self, hidden: Symbol, ty: TypeId) {
        let Some(&(con, member)) = self.clef.hidden.get(&hidden) else { return };
        let Some(Made::Implementation(name)) = member.origin() else { return };
        let slot = ast::member_field(name);
        let params = self.types.tycons[con].params.clone();
        let mut object = self.types.add(Type::Con(con, params));
        let found = loop {
            if let Some(found) = self.slot_type(object, slot) {
                break found;
            }
            let own = self.part_type(object, Made::Own);
            if let Some(found) = own.and_then(|it| self.slot_type(it, slot)) {
                break found;
            }
            if self.head_con(object).and_then(|it| self.base_of(it.0)).is_none() {
                return;
            }
            let Some(base) = self.part_type(object, Made::Base) else { return };
            object = base;
        };
        if let (Type::Arrow(_, _, said), Type::Arrow(_, _, own)) =
            (self.types.get(found).clone(), self.types.get(ty).clone())
        {
            let _ = self.unify(own, said);
        }
    }

    /// The type of a field of an object, with fresh variables for its own.
    fn slot_type(&mut self, object: TypeId, name: Symbol) -> Option<TypeId> {
        let (con, _) = self.head_con(object)?;
        let index = self.fields_of(con).iter().position(|it| it.name == name)?;
        let (ty, vars) = self.field_instance(con, object, index);
        let fresh: Vec<_> = vars.iter().map(|_| self.fresh()).collect();
        Some(self.types.substitute(ty, &vars, &fresh))
    }

    pub(super) fn part_type(&mut self, object: TypeId, name: Made) -> Option<TypeId> {
        self.slot_type(object, name.symbol())
    }

    fn has_field(&self, con: TyConId, name: Symbol) -> bool {
        self.fields_of(con).iter().any(|it| it.name == name)
    }

    /// The type of a part of the objects of a class.
    pub(super) fn part_of(&mut self, con: TyConId, name: Made) -> Option<TyConId> {
        let ty = self.fields_of(con).iter().find(|it| it.name == name.symbol())?.ty;
        self.head_con(ty).map(|it| it.0)
    }
}

fn part(object: ast::Expr, name: Made) -> ast::Expr {
    let span = object.span;
    let path = ast::Path::plain(Name { text: name.symbol(), span });
    super::node(ExprKind::Field(Box::new(object), path), span)
}
