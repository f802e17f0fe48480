//! `lazy e`: the record of the library's `lazy_t` (see [`oxbow_psg::suspension`]).
//!
//! ```text
//! lazy (f x)     { state = SUSPENDED; value = %uninit; compute = fun () -> f x }
//! lazy x         { state = PLAIN; value = x; compute = %uninit }           nothing to evaluate
//! lazy 1.5       { state = FORCED; value = 1.5; compute = %uninit }        the same, in a block of OCaml's
//! ```

use oxbow_base::{Span, Symbol};
use oxbow_psg::{InlineHint, NodeId, NodeKind, Prim, Ty, TyId, suspension};

use super::Builder;
use crate::tast::{Expr, ExprKind};
use crate::types::{Builtin, TyConKind, Type, TypeId};

impl Builder<'_> {
    pub(super) fn suspension(
        &mut self,
        value: &Expr,
        at_once: bool,
        ty: TyId,
        span: Span,
    ) -> NodeId {
        let item =
            if self.types.has_equations { self.field_tys(ty, 0)[1] } else { self.ty(value.ty) };
        let unit = self.program.types.unit;
        let compute_ty = self.program.types.intern(Ty::Fn(unit, item));
        let fields = if at_once {
            let state =
                if self.is_forwarded(value) { suspension::FORCED } else { suspension::PLAIN };
            let state = self.int(state, span);
            vec![state, self.expr_at(value, item), self.uninit(compute_ty, span)]
        } else {
            let param = self.fresh(Symbol::new("_"), unit, span);
            let body = self.expr_at(value, item);
            let compute = self.lambda(vec![param], body, None, InlineHint::Default, span);
            let state = self.int(suspension::SUSPENDED, span);
            vec![state, self.uninit(item, span), compute]
        };
        self.node(NodeKind::Record(fields), ty, span)
    }

    fn uninit(&mut self, ty: TyId, span: Span) -> NodeId {
        let args = vec![self.unit(span)];
        self.node(NodeKind::Prim { prim: Prim::Uninit, args }, ty, span)
    }

    /// Does OCaml put an evaluated value into a block of its own? It does so where it could be a
    /// float or another suspension, for all that the type of the text tells.
    fn is_forwarded(&mut self, value: &Expr) -> bool {
        match value.kind {
            ExprKind::Var { .. } | ExprKind::Constant(_) => self.may_be_lazy_or_float(value.ty),
            _ => false,
        }
    }

    fn may_be_lazy_or_float(&mut self, ty: TypeId) -> bool {
        let expanded = self.types.expand(ty);
        match &self.types.nodes[expanded] {
            Type::Var { .. } => true,
            Type::Con(con, _) => match &self.types.tycons[*con].kind {
                TyConKind::Builtin(builtin) => matches!(builtin, Builtin::Float),
                TyConKind::Abstract { .. } => true,
                TyConKind::Record(_) => {
                    self.types.tycons[*con].compared == oxbow_psg::Compared::Suspension
                }
                _ => false,
            },
            _ => false,
        }
    }
}
