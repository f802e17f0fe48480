//! Values whose type is written in two ways.
//!
//! ```text
//! let eval : type a. a expr -> a = function Int n -> n | …        here a = int
//! fun e -> switch e { Int → %retype e.0 : a | … }
//!
//! Show (x, f)           where Show : 'a * ('a -> string) -> showable
//! Show (%retype x : uniform, %retype f : uniform -> string)
//! ```
//!
//! In a branch types are equal that differ as they are written, and what a constructor hides is `uniform` in the graph.
//! Wherever the type of a node and the type that its context asks for differ, the node is retyped, here and nowhere
//! else. Without constructors that have results of their own nothing differs.

use oxbow_base::Span;
use oxbow_psg::{Node, NodeId, NodeKind, Prim, Storage, Ty, TyId, VarId};

use super::Builder;
use crate::tast::{Expr, RecordRef};
use crate::types::{InlineOwner, TypeId};

impl Builder<'_> {
    /// The node as a value of the type `expected`.
    pub(super) fn fit(&mut self, node: NodeId, expected: TyId) -> NodeId {
        if self.program.ty(node) == expected || !self.types.has_equations {
            return node;
        }
        let span = self.program.span(node);
        // What never gives a value has any type.
        if let NodeKind::Raise(_) = self.program.nodes[node].kind {
            let kind = self.program.nodes[node].kind.clone();
            return self.program.nodes.push(Node {
                kind,
                ty: expected,
                span,
                storage: Storage::default(),
            });
        }
        // A function stays one: its parameters and its result are fitted.
        if let NodeKind::Lambda(lambda) = self.program.nodes[node].kind
            && let Ty::Fn(..) = self.program.types.get(expected)
        {
            let lambda = self.program.lambdas[lambda].clone();
            let mut params = lambda.params;
            let body = self.fit_params(&mut params, lambda.body, expected);
            let fitted = self.lambda(params, body, lambda.name, lambda.inline, lambda.span);
            if self.program.ty(fitted) == expected {
                return fitted;
            }
        }
        self.retype(node, expected)
    }

    /// The same value at another type, which is the same here.
    pub(super) fn retype(&mut self, node: NodeId, ty: TyId) -> NodeId {
        let span = self.program.span(node);
        self.node(NodeKind::Prim { prim: Prim::Retype, args: vec![node] }, ty, span)
    }

    pub(super) fn fit_all(&mut self, nodes: Vec<NodeId>, expected: &[TyId]) -> Vec<NodeId> {
        if !self.types.has_equations {
            return nodes;
        }
        let rest = nodes.get(expected.len()..).unwrap_or_default().to_vec();
        let fitted = nodes.into_iter().zip(expected).map(|(node, &ty)| self.fit(node, ty));
        let mut fitted: Vec<NodeId> = fitted.collect();
        fitted.extend(rest);
        fitted
    }

    /// An expression as a value of the type that its context asks for.
    pub(super) fn expr_at(&mut self, expr: &Expr, expected: TyId) -> NodeId {
        let node = self.expr(expr);
        self.fit(node, expected)
    }

    /// An expression at the type that it has itself.
    pub(super) fn expr_at_own(&mut self, expr: &Expr) -> NodeId {
        let ty = self.ty(expr.ty);
        self.expr_at(expr, ty)
    }

    pub(super) fn condition(&mut self, expr: &Expr) -> NodeId {
        let bool = self.program.types.bool;
        self.expr_at(expr, bool)
    }

    /// A field as a value of the type `ty`.
    pub(super) fn field_at(
        &mut self,
        object: NodeId,
        record: RecordRef,
        index: u32,
        ty: TyId,
        span: Span,
    ) -> NodeId {
        let ctor = match record {
            RecordRef::Record(_) => 0,
            RecordRef::Object(number) => self.object_ctor(number),
            RecordRef::Inline(InlineOwner::Ctor(_, ctor)) => ctor,
            RecordRef::Inline(InlineOwner::Exn(exn)) => {
                let value = self.exn_field(object, exn, index, span);
                return self.fit(value, ty);
            }
        };
        let kind = NodeKind::Field { object, ctor, index };
        if !self.types.has_equations {
            return self.node(kind, ty, span);
        }
        let fields = self.field_tys(self.program.ty(object), ctor);
        let node = self.node(kind, fields[index as usize], span);
        self.fit(node, ty)
    }

    /// The items of a tuple, record, constructor or list, as its type asks for them.
    pub(super) fn parts_at(&mut self, exprs: &[Expr], ctor: u32, whole: TyId) -> Vec<NodeId> {
        let nodes = self.exprs(exprs);
        if !self.types.has_equations {
            return nodes;
        }
        let expected = match self.program.types.get(whole).clone() {
            Ty::Tuple(items) => items,
            Ty::Array(item) => vec![item; nodes.len()],
            Ty::Data(..) => self.field_tys(whole, ctor),
            _ => return nodes,
        };
        self.fit_all(nodes, &expected)
    }

    /// A variable of its own type, as the mention of it is typed.
    pub(super) fn mention(
        &mut self,
        var: VarId,
        tyargs: Vec<TyId>,
        ty: TypeId,
        span: Span,
    ) -> NodeId {
        let wanted = self.ty(ty);
        if !self.types.has_equations {
            return self.node(NodeKind::Var { var, tyargs }, wanted, span);
        }
        let data = &self.program.vars[var];
        let (own, tyvars) = (data.ty, data.tyvars.clone());
        let own = self.program.types.substitute(own, &|tyvar| {
            tyvars.iter().position(|&it| it == tyvar).and_then(|at| tyargs.get(at).copied())
        });
        let node = self.node(NodeKind::Var { var, tyargs }, own, span);
        self.fit(node, wanted)
    }

    /// A call: the function's type says what its arguments and its result are.
    pub(super) fn call(&mut self, func: NodeId, args: Vec<NodeId>, ty: TyId, span: Span) -> NodeId {
        let callee = oxbow_psg::Callee::Unknown;
        if !self.types.has_equations {
            return self.node(NodeKind::Apply { func, args, callee }, ty, span);
        }
        let (params, result) = self.program.types.split_function(self.program.ty(func), args.len());
        let (func, params, result) = if params.len() < args.len() {
            // An equation says that it is a function.
            let params: Vec<TyId> = args.iter().map(|&it| self.program.ty(it)).collect();
            let func_ty = self.program.types.function(&params, ty);
            (self.fit(func, func_ty), params, ty)
        } else {
            (func, params, result)
        };
        let args = self.fit_all(args, &params);
        let node = self.node(NodeKind::Apply { func, args, callee }, result, span);
        self.fit(node, ty)
    }

    /// A function whose type is written as `expected`: its parameters and its result are fitted, it stays a function.
    pub(super) fn fit_params(
        &mut self,
        params: &mut [VarId],
        body: NodeId,
        expected: TyId,
    ) -> NodeId {
        if !self.types.has_equations {
            return body;
        }
        let (wanted, result) = self.program.types.split_function(expected, params.len());
        if wanted.len() < params.len() {
            return body;
        }
        let mut body = self.fit(body, result);
        for (param, ty) in params.iter_mut().zip(wanted) {
            if self.program.vars[*param].ty == ty {
                continue;
            }
            let (name, span) = (self.program.vars[*param].name, self.program.vars[*param].span);
            let given = self.fresh(name, ty, span);
            let value = self.read(given, span);
            body = self.bind(*param, value, body, span);
            *param = given;
        }
        body
    }
}
