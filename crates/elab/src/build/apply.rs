//! Calls, and primitives with any number of arguments.
//!
//! ```text
//! %int.add a b        Prim(a, b)
//! %int.add a          let x = a in fun y -> Prim(x, y)     what is given is evaluated at once
//! %raise e x          Apply(Raise e, x)
//! f a b               Apply(f, a, b)                       last argument first, function last
//! (e; f) a            Apply((e; f), a)                     the same, whatever gives the function
//! ```

use oxbow_base::{Span, Symbol};
use oxbow_psg::{InlineHint, Lambda, NodeId, NodeKind, Repr, TyId, VarId};

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
        if let ExprKind::Send { .. } = func.kind {
            return self.send(func, args, ty, span);
        }
        let func = self.expr(func);
        let args = self.exprs(args);
        self.call(func, args, ty, span)
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
            tast::Builtin::Raise | tast::Builtin::RaiseNotrace => 1,
        };
        if args.len() < arity {
            return self.partial(builtin, arity, func_ty, args, span);
        }
        let rest = args.split_off(arity);
        let (params, result) = self.program.types.split_function(func_ty, arity);
        let args = self.fit_all(args, &params);
        if rest.is_empty() {
            let result = if self.types.has_equations { result } else { ty };
            let node = self.operation(builtin, args, result, span);
            return self.fit(node, ty);
        }
        let func = self.operation(builtin, args, result, span);
        self.call(func, rest, ty, span)
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
            // A place that is not written has no frame.
            (tast::Builtin::RaiseNotrace, &[exn]) => {
                return self.node(NodeKind::Raise(exn), ty, span.at_start());
            }
            (tast::Builtin::Prim(prim), _) => NodeKind::Prim { prim, args },
            (tast::Builtin::And | tast::Builtin::Or, _)
            | (tast::Builtin::Raise | tast::Builtin::RaiseNotrace, _) => {
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
            adapter: false,
            dispatches: false,
            span,
        });
        self.node(NodeKind::Lambda(lambda), ty, span)
    }
}
