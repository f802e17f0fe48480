//! Unification.

use oxbow_base::Span;

use crate::tast;
use crate::types::{GENERIC, Label, TyConKind, Type, TypeId};

use super::{Expect, Infer};

/// Why two types do not unify.
#[derive(Clone, Copy, Debug)]
pub enum Mismatch {
    Different,
    /// A variable would contain itself.
    Cyclic,
}

impl Infer<'_> {
    pub(super) fn unify(&mut self, a: TypeId, b: TypeId) -> Result<(), Mismatch> {
        let (a, b) = (self.types.repr(a), self.types.repr(b));
        if a == b {
            return Ok(());
        }
        match (&self.types.nodes[a], &self.types.nodes[b]) {
            (Type::Error, _) | (_, Type::Error) => return Ok(()),
            (&Type::Var { level, .. }, _) if level != GENERIC => return self.bind(a, level, b),
            (_, &Type::Var { level, .. }) if level != GENERIC => return self.bind(b, level, a),
            _ => (),
        }
        if let (Type::Con(con_a, args_a), Type::Con(con_b, args_b)) = (&self.types.nodes[a], &self.types.nodes[b])
            && con_a == con_b
            && !matches!(self.types.tycons[*con_a].kind, TyConKind::Alias(_))
        {
            let pairs: Vec<_> = args_a.iter().copied().zip(args_b.iter().copied()).collect();
            return pairs.into_iter().try_for_each(|(a, b)| self.unify(a, b));
        }
        let (a, b) = (self.types.expand(a), self.types.expand(b));
        if a == b {
            return Ok(());
        }
        match (self.types.nodes[a].clone(), self.types.nodes[b].clone()) {
            (Type::Error, _) | (_, Type::Error) => Ok(()),
            (Type::Var { level, .. }, _) if level != GENERIC => self.bind(a, level, b),
            (_, Type::Var { level, .. }) if level != GENERIC => self.bind(b, level, a),
            (Type::Arrow(label_a, param_a, result_a), Type::Arrow(label_b, param_b, result_b)) => {
                if !same_label(label_a, label_b) {
                    return Err(Mismatch::Different);
                }
                self.unify(param_a, param_b)?;
                self.unify(result_a, result_b)
            }
            (Type::Tuple(items_a), Type::Tuple(items_b)) if items_a.len() == items_b.len() => {
                items_a.into_iter().zip(items_b).try_for_each(|(a, b)| self.unify(a, b))
            }
            (Type::Con(con_a, args_a), Type::Con(con_b, args_b)) if con_a == con_b => {
                args_a.into_iter().zip(args_b).try_for_each(|(a, b)| self.unify(a, b))
            }
            _ => Err(Mismatch::Different),
        }
    }

    /// Links an unbound variable to a type, keeping levels and acyclicity.
    fn bind(&mut self, var: TypeId, level: u32, ty: TypeId) -> Result<(), Mismatch> {
        if self.lower(var, level, ty) {
            self.types.nodes[var] = Type::Link(ty);
            return Ok(());
        }
        // An abbreviation may drop the parameter in which the variable occurs.
        let expanded = self.types.expand(ty);
        if expanded != ty {
            return self.unify(var, expanded);
        }
        Err(Mismatch::Cyclic)
    }

    /// Lowers the levels of the variables in `ty` to `level`; false if `var` occurs in it.
    fn lower(&mut self, var: TypeId, level: u32, ty: TypeId) -> bool {
        let ty = self.types.repr(ty);
        if ty == var {
            return false;
        }
        match &mut self.types.nodes[ty] {
            Type::Var { level: other, .. } => {
                if *other != GENERIC && *other > level {
                    *other = level;
                }
                true
            }
            Type::Link(_) | Type::Error => true,
            &mut Type::Arrow(_, param, result) => self.lower(var, level, param) && self.lower(var, level, result),
            Type::Tuple(items) => {
                let items = items.clone();
                items.into_iter().all(|it| self.lower(var, level, it))
            }
            Type::Con(con, items) => {
                // A rigid type must not escape into a variable from outside its scope.
                if self.rigid_levels.get(con).is_some_and(|&it| it > level) {
                    return false;
                }
                let items = items.clone();
                items.into_iter().all(|it| self.lower(var, level, it))
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
    pub(super) fn node(&mut self, kind: tast::ExprKind, ty: TypeId, span: Span, expect: Expect) -> tast::Expr {
        if self.expect(expect, ty, span) {
            tast::Expr { kind, ty, span }
        } else {
            tast::Expr { kind, ty: self.builtins.error, span }
        }
    }
}

fn same_label(a: Label, b: Label) -> bool {
    a == b
}
