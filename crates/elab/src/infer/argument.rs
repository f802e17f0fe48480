//! Arguments whose optional parameters are left out.
//!
//! Where a function is expected whose first parameter has no label, an argument that has
//! optional parameters before its first other one is given without them:
//!
//! ```text
//! List.map (f ~c:1) l         where f : ?a:int -> c:int -> int -> int
//! List.map (let func = f ~c:1 in fun arg -> func None arg) l
//! ```
//!
//! This is done for arguments of functions and constructors, for the values of fields and below
//! annotations, if the argument's own type is inferred without looking at what is expected
//! (names, calls, fields), and if the result of one of the two functions is known to have no
//! labels: those of the result could not be told from the ones that are meant to stay.

use crate::ast::{self, ExprKind};
use crate::tast;
use crate::types::{Label, Type, TypeId};

use super::apply::Slot;
use super::env::Env;
use super::{Expect, Infer};

impl Infer<'_> {
    /// An expression in a place where optional parameters are left out.
    pub(super) fn erasing(&mut self, env: &Env, arg: &ast::Expr, expect: Expect) -> tast::Expr {
        let wanted = self.types.expand(expect.ty);
        let Type::Arrow(Label::None, _, wanted_result) = self.types.nodes[wanted] else {
            return self.expr(env, arg, expect);
        };
        if !is_inferred(arg) {
            return self.expr(env, arg, expect);
        }
        let safe = self.has_no_labels(wanted_result);
        let ty = self.fresh();
        let mut typed = self.expr(env, arg, Expect::plain(ty));
        if matches!(self.types.get(typed.ty), Type::Error) {
            return typed;
        }
        let span = typed.span;
        match self.erased_parameters(typed.ty, safe) {
            Some((slots, rest)) => {
                if !self.expect(expect, rest, span) {
                    typed.ty = self.builtins.error;
                    return typed;
                }
                self.leave_out(typed, slots, expect)
            }
            None => {
                if !self.expect(expect, typed.ty, span) {
                    typed.ty = self.builtins.error;
                }
                typed
            }
        }
    }

    /// An argument of a constructor, or the value of a field.
    pub(super) fn part(&mut self, env: &Env, part: &ast::Expr, expect: Expect) -> tast::Expr {
        if self.is_clef() {
            self.viewed(env, part, expect)
        } else {
            self.erasing(env, part, expect)
        }
    }

    /// The optional parameters that come first, with the type of the function without them.
    fn erased_parameters(&mut self, func: TypeId, safe: bool) -> Option<(Vec<Slot>, TypeId)> {
        let mut slots = Vec::new();
        let mut ty = self.types.expand(func);
        while let Type::Arrow(Label::Optional(_), param, result) = self.types.nodes[ty] {
            slots.push(Slot::Omitted(param));
            ty = self.types.expand(result);
        }
        let simple = match self.types.nodes[ty] {
            Type::Arrow(Label::None, _, result) => self.has_no_labels(result),
            Type::Var { .. } => false,
            _ => return None,
        };
        (!slots.is_empty() && (simple || safe)).then_some((slots, ty))
    }

    /// `fun arg -> func None arg`
    fn leave_out(&mut self, func: tast::Expr, mut slots: Vec<Slot>, expect: Expect) -> tast::Expr {
        let wanted = self.types.expand(expect.ty);
        let Type::Arrow(_, param, result) = self.types.nodes[wanted] else { return func };
        let span = func.span;
        slots.push(Slot::Missing(Label::None, param));
        self.abstract_missing(func, slots, result, span, expect)
    }

    /// A function, or no function, none of whose parameters has a label, as far as is known.
    fn has_no_labels(&mut self, ty: TypeId) -> bool {
        let mut ty = self.types.expand(ty);
        loop {
            match self.types.nodes[ty] {
                Type::Arrow(Label::None, _, result) => ty = self.types.expand(result),
                Type::Arrow(..) | Type::Var { .. } => return false,
                _ => return true,
            }
        }
    }
}

/// Does the expression's type follow from the expression alone?
fn is_inferred(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ExprKind::Ident(_) | ExprKind::Apply(..) | ExprKind::Field(..) | ExprKind::Annotate(..) => {
            true
        }
        ExprKind::Sequence(items) => items.last().is_some_and(is_inferred),
        ExprKind::Open(_, body) => is_inferred(body),
        ExprKind::If(_, then, Some(otherwise)) => is_inferred(then) && is_inferred(otherwise),
        _ => false,
    }
}
