//! Types whose declarations say what `=`, `compare`, `hash` and `%A` mean: their own functions are called (decision
//! 244).
//!
//! ```text
//! before   p = q                     override this.Equals(other) = …   of the type of `p`
//! after    Person.Equals p q
//! ```
//!
//! Such a function stands behind the library, whose copies at the type may call it; `arrange` puts them into order.

use oxbow_diag::ice;
use oxbow_psg::{Compared, IntWidth, NodeId, OrderOp, OwnFunctions, Prim, Ty, TyId, VarId};

use super::Context;
use super::generate::Code;

impl Context<'_> {
    pub(super) fn own(&self, ty: TyId) -> OwnFunctions {
        match *self.out.types.get(ty) {
            Ty::Data(data, _) => self.out.types.datas[data].own,
            _ => OwnFunctions::default(),
        }
    }

    /// Is there a value with an equality of its own, and no order, among what is compared of a value of this type?
    pub(super) fn holds_unordered(&mut self, ty: TyId) -> bool {
        let datas = self.out.types.datas.iter();
        let unordered = datas.filter(|(_, it)| it.own.equal.is_some() && it.own.compare.is_none());
        let unordered: Vec<_> = unordered.map(|it| it.0).collect();
        let test = |it: Option<&Ty>| match it {
            Some(Ty::Data(data, _)) if unordered.contains(data) => Some(()),
            _ => None,
        };
        let enters = |this: &mut Self, it| {
            let (own, compared) = (this.own(it), this.compared(it));
            let by_parts =
                !matches!(compared, Compared::Identity | Compared::Reference | Compared::Objects);
            own.compare.is_none() && (own.equal.is_some() || by_parts)
        };
        !unordered.is_empty() && self.find(ty, test, enters).is_some()
    }

    /// The copy of a type's function for the type as it is here.
    fn own_function(&mut self, var: VarId, ty: TyId, code: oxbow_base::Span) -> VarId {
        let source = self.source;
        let Ty::Data(_, args) = self.out.types.get(ty).clone() else {
            ice!("{ty} has no functions of its own")
        };
        let (params, _) = self.out.types.split_function(source.vars[var].ty, 1);
        let wanted = match params.first().map(|&it| self.out.types.get(it)) {
            Some(Ty::Data(_, wanted)) => wanted.clone(),
            _ => Vec::new(),
        };
        let unit = self.out.types.unit;
        let tyargs = source.vars[var].tyvars.iter().map(|&tyvar| {
            let at = wanted.iter().position(|&it| *self.out.types.get(it) == Ty::Var(tyvar));
            at.and_then(|it| args.get(it).copied()).unwrap_or(unit)
        });
        let tyargs = tyargs.collect();
        self.demand_global(var, tyargs, code)
    }
}

impl Code<'_, '_> {
    fn call_own(&mut self, var: VarId, ty: TyId, args: Vec<NodeId>) -> NodeId {
        let func = self.context.own_function(var, ty, self.span);
        self.call_var(func, args)
    }

    fn as_int(&mut self, value: NodeId) -> NodeId {
        let int = self.context.out.types.int;
        self.prim(Prim::IntCast { from: IntWidth::I32, to: IntWidth::I63 }, vec![value], int)
    }

    /// Code for `op` by the functions of the type; `None` if it has none for that.
    pub(super) fn own_order(
        &mut self,
        op: OrderOp,
        ty: TyId,
        left: NodeId,
        right: NodeId,
    ) -> Option<NodeId> {
        let own = self.context.own(ty);
        let bool = self.context.out.types.bool;
        match op {
            OrderOp::Eq => Some(self.call_own(own.equal?, ty, vec![left, right])),
            OrderOp::Ne => {
                let equal = self.call_own(own.equal?, ty, vec![left, right]);
                Some(self.prim(Prim::BoolNot, vec![equal], bool))
            }
            OrderOp::Compare => {
                let result = self.call_own(own.compare?, ty, vec![left, right]);
                Some(self.as_int(result))
            }
            OrderOp::Lt | OrderOp::Le | OrderOp::Gt | OrderOp::Ge => {
                let result = self.call_own(own.compare?, ty, vec![left, right]);
                let (result, zero) = (self.as_int(result), self.int(0));
                Some(self.order_prim(op, result, zero))
            }
        }
    }

    /// The text of a value by a function of its type.
    pub(super) fn own_text(&mut self, function: VarId, ty: TyId, value: NodeId) -> NodeId {
        let unit = self.unit();
        self.call_own(function, ty, vec![value, unit])
    }

    /// `hash` at a type with a function for it is what the function gives.
    pub(super) fn own_hash_value(&mut self, ty: TyId, value: NodeId) -> Option<NodeId> {
        let hash = self.context.own(ty).hash?;
        let unit = self.unit();
        let number = self.call_own(hash, ty, vec![value, unit]);
        Some(self.as_int(number))
    }

    /// Mixes what the type's own function says. Without one all values are alike, so that equal ones are.
    pub(super) fn own_hash(&mut self, ty: TyId, state: VarId, value: VarId) -> Option<NodeId> {
        let own = self.context.own(ty);
        let int = self.context.out.types.int;
        own.equal.or(own.hash)?;
        let read = self.read(value);
        let number = match self.own_hash_value(ty, read) {
            Some(number) => number,
            None => self.int(0),
        };
        Some(self.mix(int, state, number))
    }
}
