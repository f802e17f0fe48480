//! Calls, and primitives with any number of arguments.
//!
//! ```text
//! %int.add a b        Prim(a, b)
//! %int.add a          let x = a in fun y -> Prim(x, y)     what is given is evaluated at once
//! %raise e x          Apply(Raise e, x)
//! f a b               Apply(f, a, b)                       last argument first, function last
//! (e; f) a            let x = (e; f) in Apply(x, a)        a computed function is there first
//! ```

use oxbow_base::{Span, Symbol};
use oxbow_psg::{
    Callee, InlineHint, Lambda, NodeId, NodeKind, OrderOp, Prim, Repr, Ty, TyId, VarId,
};

use super::Builder;
use crate::tast::{self, Expr, ExprKind};

impl Builder<'_> {
    pub(super) fn apply(&mut self, func: &Expr, args: &[Expr], ty: TyId, span: Span) -> NodeId {
        if let ExprKind::Overloaded(number) = func.kind {
            let meaning = self.overload(number);
            let func = Expr { ty: func.ty, span: func.span, ..meaning };
            return self.apply(&func, args, ty, span);
        }
        if let ExprKind::Builtin(builtin) = func.kind {
            let func_ty = self.ty(func.ty);
            let args = self.exprs(args);
            return self.builtin(builtin, func_ty, args, ty, span);
        }
        let first = is_computed(func) && !args.iter().all(is_ready);
        let in_order = self.reads_string(func) && !args.iter().all(is_ready);
        let func = self.expr(func);
        let args = self.exprs(args);
        if in_order {
            return self.in_order(args, span, |builder, args| {
                builder.node(NodeKind::Apply { func, args, callee: Callee::Unknown }, ty, span)
            });
        }
        if !first {
            return self.node(NodeKind::Apply { func, args, callee: Callee::Unknown }, ty, span);
        }
        let var = self.fresh(Symbol::new("func"), self.program.ty(func), span);
        let callee = self.read(var, span);
        let call =
            self.node(NodeKind::Apply { func: callee, args, callee: Callee::Unknown }, ty, span);
        self.bind(var, func, call, span)
    }

    /// A primitive applied to `args`, none for its value.
    pub(super) fn builtin(
        &mut self,
        builtin: tast::Builtin,
        func_ty: TyId,
        mut args: Vec<NodeId>,
        ty: TyId,
        span: Span,
    ) -> NodeId {
        let arity = match builtin {
            tast::Builtin::Prim(prim) => prim.arity(),
            tast::Builtin::And | tast::Builtin::Or => 2,
            tast::Builtin::Raise => 1,
        };
        if args.len() < arity {
            return self.partial(builtin, arity, func_ty, args, span);
        }
        let rest = args.split_off(arity);
        if rest.is_empty() {
            if self.left_first(builtin, &args) {
                return self.in_order(args, span, |builder, args| {
                    builder.operation(builtin, args, ty, span)
                });
            }
            return self.operation(builtin, args, ty, span);
        }
        let result = self.program.types.split_function(func_ty, arity).1;
        let func = self.operation(builtin, args, result, span);
        self.node(NodeKind::Apply { func, args: rest, callee: Callee::Unknown }, ty, span)
    }

    /// `s.[i]` and its like test the index first, for which OCaml evaluates all operands in order.
    fn reads_string(&self, func: &Expr) -> bool {
        let ExprKind::Var { var, .. } = func.kind else { return false };
        let known = &self.program.well_known.functions;
        known.iter().any(|(name, it)| {
            *it == var && matches!(name.as_str(), "String.get" | "Bytes.get" | "Bytes.set")
        })
    }

    /// `compare` on numbers is an instruction in OCaml, which evaluates its first operand first.
    fn left_first(&self, builtin: tast::Builtin, args: &[NodeId]) -> bool {
        let types = &self.program.types;
        let number = |node: NodeId| {
            matches!(types.get(self.program.ty(node)), Ty::Int(_) | Ty::Float | Ty::Char | Ty::Bool)
        };
        let plain = |node: NodeId| {
            matches!(self.program.nodes[node].kind, NodeKind::Const(_))
                || self.plain_var(node).is_some()
        };
        builtin == tast::Builtin::Prim(Prim::Order(OrderOp::Compare))
            && args.iter().all(|&it| number(it))
            && !args.iter().any(|&it| plain(it))
    }

    /// Operands that are evaluated from the first to the last.
    fn in_order(
        &mut self,
        args: Vec<NodeId>,
        span: Span,
        make: impl FnOnce(&mut Self, Vec<NodeId>) -> NodeId,
    ) -> NodeId {
        let vars: Vec<VarId> = args
            .iter()
            .map(|&it| self.fresh(Symbol::new("arg"), self.program.ty(it), span))
            .collect();
        let operands = vars.iter().map(|&it| self.read(it, span)).collect();
        let mut node = make(self, operands);
        for (&var, value) in vars.iter().zip(args).rev() {
            node = self.bind(var, value, node, span);
        }
        node
    }

    fn operation(
        &mut self,
        builtin: tast::Builtin,
        args: Vec<NodeId>,
        ty: TyId,
        span: Span,
    ) -> NodeId {
        let kind = match (builtin, args.as_slice()) {
            (tast::Builtin::And, &[cond, then]) => {
                let otherwise = self.bool(false, span);
                NodeKind::If { cond, then, otherwise }
            }
            (tast::Builtin::Or, &[cond, otherwise]) => {
                let then = self.bool(true, span);
                NodeKind::If { cond, then, otherwise }
            }
            (tast::Builtin::Raise, &[exn]) => NodeKind::Raise(exn),
            (tast::Builtin::Prim(prim), _) => NodeKind::Prim { prim, args },
            (tast::Builtin::And | tast::Builtin::Or | tast::Builtin::Raise, _) => {
                oxbow_diag::ice!("{builtin:?} with {} operands", args.len())
            }
        };
        self.node(kind, ty, span)
    }

    fn partial(
        &mut self,
        builtin: tast::Builtin,
        arity: usize,
        func_ty: TyId,
        args: Vec<NodeId>,
        span: Span,
    ) -> NodeId {
        let (param_tys, result) = self.program.types.split_function(func_ty, arity);
        let vars: Vec<VarId> =
            param_tys.iter().map(|&ty| self.fresh(Symbol::new("arg"), ty, span)).collect();
        if vars.len() < arity {
            oxbow_diag::ice!("a primitive of {arity} operands has a type of {}", vars.len());
        }
        let operands = vars.iter().map(|&it| self.read(it, span)).collect();
        let body = self.operation(builtin, operands, result, span);
        let params = vars[args.len()..].to_vec();
        let mut node = self.lambda(params, body, None, InlineHint::Default, span);
        // The first argument innermost: the last one is evaluated first.
        for (&var, value) in vars.iter().zip(args) {
            node = self.bind(var, value, node, span);
        }
        node
    }

    /// A lambda over variables; its type follows from them.
    pub(super) fn lambda(
        &mut self,
        params: Vec<VarId>,
        body: NodeId,
        name: Option<Symbol>,
        inline: InlineHint,
        span: Span,
    ) -> NodeId {
        let param_tys: Vec<TyId> = params.iter().map(|&it| self.program.vars[it].ty).collect();
        let result = self.program.ty(body);
        let ty = self.program.types.function(&param_tys, result);
        let lambda = self.program.lambdas.push(Lambda {
            name,
            params,
            body,
            captures: Vec::new(),
            inline,
            repr: Repr::default(),
            raises: true,
            span,
        });
        self.node(NodeKind::Lambda(lambda), ty, span)
    }
}

/// Is the function the result of something other than a call? (A call of a call's result is
/// one call with more arguments.)
fn is_computed(func: &Expr) -> bool {
    match &func.kind {
        ExprKind::Apply { func, .. } => {
            matches!(func.kind, ExprKind::Builtin(_) | ExprKind::Overloaded(_)) || is_computed(func)
        }
        _ => !is_ready(func),
    }
}

/// Nothing happens when it is evaluated, and nothing that happens before changes it.
fn is_ready(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Unit
            | ExprKind::Bool(_)
            | ExprKind::Constant(_)
            | ExprKind::Var { .. }
            | ExprKind::Builtin(_)
            | ExprKind::Overloaded(_)
            | ExprKind::Lambda { .. }
            | ExprKind::Function { .. }
    )
}
