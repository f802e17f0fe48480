//! Unification.

use oxbow_base::{Span, Symbol};

use crate::tast;
use crate::types::{GENERIC, Label, Row, TyConId, TyConKind, Type, TypeId, Walk};

use super::{Expect, Infer};

/// Why two types do not unify.
#[derive(Clone, Copy, Debug)]
pub enum Mismatch {
    Different,
    /// A variable would contain itself.
    Cyclic,
    /// A variable from outside would contain a type that is local to an expression.
    Escape(TyConId),
    /// Two tags of one row with the same hash.
    SameHash(Symbol, Symbol),
    /// A variable from outside would have a type that equals the other one in this branch only.
    Ambiguous(TyConId),
}

/// Types that have been unified on the way.
pub(super) type Pairs = Walk<(TypeId, TypeId)>;

impl Infer<'_> {
    pub(super) fn unify(&mut self, a: TypeId, b: TypeId) -> Result<(), Mismatch> {
        self.unify_parts(a, b, &mut Walk::default())
    }

    pub(super) fn unify_parts(
        &mut self,
        a: TypeId,
        b: TypeId,
        walk: &mut Pairs,
    ) -> Result<(), Mismatch> {
        let (a, b) = (self.types.repr(a), self.types.repr(b));
        // What was unified before stays so.
        if a == b || walk.has_seen((a, b)) {
            return Ok(());
        }
        if self.types.has_units() && (self.types.is_unit(a) || self.types.is_unit(b)) {
            return self.unify_units(a, b);
        }
        match (&self.types.nodes[a], &self.types.nodes[b]) {
            (Type::Error, _) | (_, Type::Error) => return Ok(()),
            (&Type::Var { level, .. }, _) if level != GENERIC => {
                return self.bind(a, level, b, walk);
            }
            (_, &Type::Var { level, .. }) if level != GENERIC => {
                return self.bind(b, level, a, walk);
            }
            _ => (),
        }
        if let (Type::Con(con_a, args_a), Type::Con(con_b, args_b)) =
            (&self.types.nodes[a], &self.types.nodes[b])
            && con_a == con_b
            && (args_a.is_empty() || !matches!(self.types.tycons[*con_a].kind, TyConKind::Alias(_)))
        {
            let pairs: Vec<_> = args_a.iter().copied().zip(args_b.iter().copied()).collect();
            return pairs.into_iter().try_for_each(|(a, b)| self.unify_parts(a, b, walk));
        }
        let written = (a, b);
        let (a, b) = (self.types.expand(a), self.types.expand(b));
        if a != b {
            self.unify_expanded(a, b, walk)?;
        }
        self.check_ambiguous(written)
    }

    fn unify_expanded(&mut self, a: TypeId, b: TypeId, walk: &mut Pairs) -> Result<(), Mismatch> {
        match (self.types.nodes[a].clone(), self.types.nodes[b].clone()) {
            (Type::Error, _) | (_, Type::Error) => Ok(()),
            (Type::Var { level, .. }, _) if level != GENERIC => self.bind(a, level, b, walk),
            (_, Type::Var { level, .. }) if level != GENERIC => self.bind(b, level, a, walk),
            (Type::Arrow(label_a, param_a, result_a), Type::Arrow(label_b, param_b, result_b)) => {
                if !same_label(label_a, label_b) {
                    return Err(Mismatch::Different);
                }
                self.unify_parts(param_a, param_b, walk)?;
                self.unify_parts(result_a, result_b, walk)
            }
            (Type::Tuple(items_a), Type::Tuple(items_b)) if items_a.len() == items_b.len() => {
                items_a.into_iter().zip(items_b).try_for_each(|(a, b)| self.unify_parts(a, b, walk))
            }
            (Type::Con(con_a, args_a), Type::Con(con_b, args_b)) if con_a == con_b => {
                args_a.into_iter().zip(args_b).try_for_each(|(a, b)| self.unify_parts(a, b, walk))
            }
            (Type::Row(row_a), Type::Row(row_b)) => self.unify_rows((a, *row_a), (b, *row_b), walk),
            (Type::Con(..), Type::Con(..)) => self.unify_measured(a, b, walk),
            _ => Err(Mismatch::Different),
        }
    }

    /// Nothing is known of what has this type, since its value is wrong.
    pub(super) fn spoil(&mut self, ty: TypeId) {
        let ty = self.types.repr(ty);
        if matches!(self.types.nodes[ty], Type::Var { level, .. } if level != GENERIC) {
            self.set_node(ty, Type::Link(self.builtins.error));
        }
    }

    /// Changes a node; a trial remembers what it was.
    pub(super) fn set_node(&mut self, id: TypeId, ty: Type) {
        let old = std::mem::replace(&mut self.types.nodes[id], ty);
        if let Some(trail) = &mut self.branches.trail {
            trail.push((id, old));
        }
    }

    /// Links an unbound variable to a type, keeping levels and acyclicity.
    pub(super) fn bind(
        &mut self,
        var: TypeId,
        level: u32,
        ty: TypeId,
        walk: &mut Pairs,
    ) -> Result<(), Mismatch> {
        match self.lower(Some(var), level, ty, &mut Walk::default()) {
            Ok(()) => {
                // Lowering may have expanded the type to the variable itself.
                let ty = self.types.repr(ty);
                if ty != var {
                    let ty = self.held(level, ty);
                    self.set_node(var, Type::Link(ty));
                }
                Ok(())
            }
            Err(mismatch) => {
                // What a hidden type is in this branch is not what is known outside.
                if let Some((inner, tycon)) = self.equation_at(ty)
                    && inner > level
                {
                    return Err(Mismatch::Ambiguous(tycon));
                }
                // An abbreviation may drop the parameter in which the variable occurs.
                let expanded = self.types.expand(ty);
                if expanded != ty { self.unify_parts(var, expanded, walk) } else { Err(mismatch) }
            }
        }
    }

    /// Lowers the levels of the variables in `ty` to `level`, if `var` does not occur in it and
    /// nothing in it is local to an inner scope.
    pub(super) fn lower(
        &mut self,
        var: Option<TypeId>,
        level: u32,
        ty: TypeId,
        walk: &mut Walk<TypeId>,
    ) -> Result<(), Mismatch> {
        let ty = self.types.repr(ty);
        if Some(ty) == var {
            return Err(Mismatch::Cyclic);
        }
        let outermost = self.level;
        match &mut self.types.nodes[ty] {
            // Quantified by a signature: a variable that is not made for the comparison with it
            // belongs to a value that is not polymorphic.
            Type::Var { level: GENERIC, .. } => {
                // A polymorphic method's own variable stays inside of its type.
                if level > outermost || self.types.uniform.contains(ty) {
                    Ok(())
                } else {
                    Err(Mismatch::Different)
                }
            }
            &mut Type::Var { level: other, name } => {
                if other > level {
                    self.set_node(ty, Type::Var { level, name });
                }
                Ok(())
            }
            Type::Link(_) | Type::Error => Ok(()),
            Type::Row(_) if walk.has_entered(ty) => Ok(()),
            Type::Row(row) => {
                let parts = row.types();
                if !row.is_fixed() && !self.types.uniform.contains(ty) {
                    if let Some(&scope) = self.rigid_rows.get(ty) {
                        return if scope <= level { Ok(()) } else { Err(Mismatch::Different) };
                    }
                    // The hidden row of a private type is known wherever the type is.
                    let is_hidden = row.level == GENERIC && row.name.is_some();
                    if row.level == GENERIC && !is_hidden {
                        return if level > outermost { Ok(()) } else { Err(Mismatch::Different) };
                    }
                    if row.level > level && !is_hidden {
                        let row = Row { level, ..row.as_ref().clone() };
                        self.set_node(ty, Type::Row(Box::new(row)));
                    }
                }
                // A type may contain itself inside a row.
                parts.into_iter().try_for_each(|it| self.lower(None, level, it, walk))
            }
            Type::Arrow(..) | Type::Tuple(_) | Type::Con(..) if walk.has_seen(ty) => Ok(()),
            &mut Type::Arrow(_, param, result) => {
                self.lower(var, level, param, walk)?;
                self.lower(var, level, result, walk)
            }
            Type::Tuple(items) => {
                let items = items.clone();
                items.into_iter().try_for_each(|it| self.lower(var, level, it, walk))
            }
            Type::Con(con, items) => {
                let (con, items) = (*con, items.clone());
                if self.scope_levels.get(con).is_some_and(|&it| it > level) {
                    // A local abbreviation leaves its scope as what it stands for.
                    let expanded = self.types.expand(ty);
                    if expanded == ty || self.has_equation(con) {
                        return Err(Mismatch::Escape(con));
                    }
                    self.set_node(ty, Type::Link(expanded));
                    return self.lower(var, level, expanded, walk);
                }
                items.into_iter().try_for_each(|it| self.lower(var, level, it, walk))
            }
        }
    }

    /// Checks that an expression of type `actual` may stand where `expect` is wanted.
    pub(super) fn expect(&mut self, expect: Expect, actual: TypeId, span: Span) -> bool {
        match self.unify(expect.ty, actual) {
            Ok(()) => true,
            Err(mismatch) => {
                self.report_mismatch(expect, actual, span, mismatch);
                false
            }
        }
    }

    /// A node of type `ty` checked against the expectation.
    pub(super) fn node(
        &mut self,
        kind: tast::ExprKind,
        ty: TypeId,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let mut result = tast::Expr { kind, ty, span };
        if !self.expect(expect, ty, span) {
            result.ty = self.builtins.error;
        }
        result
    }
}

fn same_label(a: Label, b: Label) -> bool {
    a == b
}
