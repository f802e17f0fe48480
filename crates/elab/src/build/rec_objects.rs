//! Objects that exist before their contents.
//!
//! Where the address of a recursive value is needed to compute what the value holds, and not just
//! stored in a field that can be set afterwards, the object is made first, empty, and filled where its
//! definition would have made it:
//!
//! ```text
//! let rec d = let inst = ref (Some d) in { v = 1; inst }
//!
//! let d = %opaque { v = nothing; inst = nothing } in
//! let inst = ref (Some d) in d.v <- 1; d.inst <- inst; …
//! ```
//!
//! Not done: tuples, exceptions and closures, which cannot be filled later.

use oxbow_base::{Span, Symbol};
use oxbow_psg::{NodeId, NodeKind, Prim, Ty, TyId, VarId};

use super::Builder;
use super::letrec::Pending;
use crate::tast::{Expr, ExprKind, PatternKind};

/// What an object is known to be before its contents are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// A record (0) or a constructor.
    Data(u32),
    /// So many elements.
    Array(usize),
}

impl Builder<'_> {
    /// The shape of what an expression makes; `None` if it cannot be made empty.
    pub(super) fn shape(&self, expr: &Expr) -> Option<Shape> {
        let mut bound: Vec<(VarId, &Expr)> = Vec::new();
        let mut expr = expr;
        loop {
            expr = match &expr.kind {
                ExprKind::Let { bindings, body, .. } => {
                    for binding in bindings {
                        if let PatternKind::Var(var) = binding.pattern.kind {
                            bound.push((var, &binding.value));
                        }
                    }
                    body
                }
                ExprKind::LetRec { bindings, body } => {
                    bound.extend(bindings.iter().map(|it| (it.var, &it.value)));
                    body
                }
                ExprKind::LetItems { body, .. } => body,
                ExprKind::Sequence(items) => items.last()?,
                ExprKind::Var { var, .. } => bound.iter().rfind(|it| it.0 == *var)?.1,
                ExprKind::Apply { .. } if self.makes_reference(expr) => {
                    return Some(Shape::Data(0));
                }
                ExprKind::Construct { ctor, .. } => return Some(Shape::Data(*ctor)),
                ExprKind::List(items) if !items.is_empty() => return Some(Shape::Data(1)),
                // A suspension is a record.
                ExprKind::Record { .. } | ExprKind::RecordWith { .. } | ExprKind::Lazy { .. } => {
                    return Some(Shape::Data(0));
                }
                ExprKind::Array(items) => return Some(Shape::Array(items.len())),
                _ => return None,
            };
        }
    }

    /// The object without its contents.
    pub(super) fn empty_object(&mut self, shape: Shape, ty: TyId, span: Span) -> NodeId {
        let object = match shape {
            Shape::Data(ctor) => {
                let fields = self.field_tys(ty, ctor);
                let args = fields.into_iter().map(|it| self.nothing(it, span)).collect();
                let is_record = self.is_record(ty);
                let kind = if is_record {
                    NodeKind::Record(args)
                } else {
                    NodeKind::Construct { ctor, args }
                };
                self.node(kind, ty, span)
            }
            Shape::Array(length) => {
                let length = self.int(length as i64, span);
                self.node(NodeKind::Prim { prim: Prim::ArrayUninit, args: vec![length] }, ty, span)
            }
        };
        self.node(NodeKind::Prim { prim: Prim::Opaque, args: vec![object] }, ty, span)
    }

    /// Computes the value and puts its contents into `object`.
    pub(super) fn fill(&mut self, object: VarId, shape: Shape, expr: &Expr) -> NodeId {
        let mut frames = Vec::new();
        let mut expr = expr;
        while let Some(inner) = self.step_into(expr, &mut frames) {
            expr = inner;
        }
        let node = self.fill_from(object, shape, expr);
        self.close(frames, node)
    }

    fn fill_from(&mut self, object: VarId, shape: Shape, expr: &Expr) -> NodeId {
        let span = expr.span;
        let parts: Vec<NodeId> = match &expr.kind {
            ExprKind::Construct { args, .. } => self.exprs(args),
            ExprKind::Record { fields, .. } => self.exprs(fields),
            ExprKind::Array(items) => self.exprs(items),
            ExprKind::List(items) => {
                let Some((first, rest)) = items.split_first() else {
                    oxbow_diag::ice!("an empty list has no contents")
                };
                let ty = self.ty(expr.ty);
                let first = self.expr(first);
                vec![first, self.list(rest, ty, span)]
            }
            // An object of its own, whose contents are copied.
            _ => return self.fill_by_copy(object, shape, expr),
        };
        let vars: Vec<VarId> = parts.iter().map(|&it| self.part_var(it)).collect();
        let sets =
            (0..).zip(&vars).map(|(index, &var)| self.set_part(object, shape, index, var, span));
        let sets: Vec<NodeId> = sets.collect();
        let mut node = self.all_sets(sets, span);
        // The last is evaluated first.
        for (var, part) in vars.into_iter().zip(parts) {
            node = self.bind(var, part, node, span);
        }
        node
    }

    fn fill_by_copy(&mut self, object: VarId, shape: Shape, expr: &Expr) -> NodeId {
        let (span, ty) = (expr.span, self.ty(expr.ty));
        let value = self.expr(expr);
        let whole = self.fresh(Symbol::new("whole"), ty, span);
        let tys = match (shape, self.program.types.get(ty)) {
            (Shape::Data(ctor), _) => self.field_tys(ty, ctor),
            (Shape::Array(length), &Ty::Array(item)) => vec![item; length],
            (Shape::Array(_), _) => Vec::new(),
        };
        let mut sets = Vec::new();
        for (index, ty) in (0..).zip(tys) {
            let from = self.read(whole, span);
            let kind = match shape {
                Shape::Data(ctor) => NodeKind::Field { object: from, ctor, index },
                Shape::Array(_) => {
                    let index = self.int(i64::from(index), span);
                    NodeKind::Prim { prim: Prim::ArrayGet, args: vec![from, index] }
                }
            };
            let part = self.node(kind, ty, span);
            let var = self.part_var(part);
            let set = self.set_part(object, shape, index, var, span);
            sets.push(self.bind(var, part, set, span));
        }
        let sets = self.all_sets(sets, span);
        self.bind(whole, value, sets, span)
    }

    /// A constant constructor has nothing to set.
    fn all_sets(&mut self, sets: Vec<NodeId>, span: Span) -> NodeId {
        let unit = self.program.types.unit;
        if sets.is_empty() { self.unit(span) } else { self.node(NodeKind::Seq(sets), unit, span) }
    }

    fn part_var(&mut self, part: NodeId) -> VarId {
        let (ty, span) = (self.program.ty(part), self.program.span(part));
        self.fresh(Symbol::new("part"), ty, span)
    }

    fn set_part(
        &mut self,
        object: VarId,
        shape: Shape,
        index: u32,
        value: VarId,
        span: Span,
    ) -> NodeId {
        match shape {
            Shape::Data(ctor) => {
                let set = Pending { holder: object, ctor, index, value };
                self.set_field(&set, value, span)
            }
            Shape::Array(_) => {
                let args = vec![
                    self.read(object, span),
                    self.int(i64::from(index), span),
                    self.read(value, span),
                ];
                let unit = self.program.types.unit;
                self.node(NodeKind::Prim { prim: Prim::ArraySet, args }, unit, span)
            }
        }
    }

    fn is_record(&self, ty: TyId) -> bool {
        match *self.program.types.get(ty) {
            Ty::Data(data, _) => {
                matches!(self.program.types.datas[data].kind, oxbow_psg::DataKind::Record(_))
            }
            _ => false,
        }
    }
}
