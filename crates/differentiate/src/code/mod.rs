//! The nodes of a function, written with the levels of one instance.

mod nodes;
mod prims;

use std::rc::Rc;

use oxbow_base::Symbol;
use oxbow_diag::ice;
use oxbow_psg::{NodeId, NodeKind, TyId, Var, VarId};

use crate::constrain::Constraints;
use crate::emit::Emitter;
use crate::level::Level;
use crate::shape::{Shape, ShapeId};

impl Emitter<'_> {
    pub fn constraints(&self) -> Rc<Constraints> {
        let owner = self.solver.instances[self.frame.instance].owner;
        Rc::clone(&self.solver.constraints[&owner])
    }

    fn shape_of(&self, node: NodeId) -> ShapeId {
        match self.constraints().nodes.get(node) {
            Some(&shape) => shape,
            None => ice!("{node} has no shape"),
        }
    }

    /// The level of a number.
    fn level_of(&self, shape: ShapeId) -> Option<Level> {
        let slot = self.constraints().shapes.as_number(shape)?;
        Some(self.solver.level(self.frame.instance, slot))
    }

    /// The level of a node that is a number; the ground for others.
    pub fn number_level(&self, node: NodeId) -> Level {
        self.level_of(self.shape_of(node)).unwrap_or_default()
    }

    /// The level of the numbers of a float array.
    pub fn item_level(&self, shape: ShapeId) -> Option<Level> {
        match *self.constraints().shapes.get(shape) {
            Shape::Array(item) => self.level_of(item),
            _ => None,
        }
    }

    fn rep_of(&mut self, ty: TyId, shape: ShapeId) -> TyId {
        self.rep(self.frame.instance, ty, shape)
    }

    fn bind(&mut self, var: VarId) -> VarId {
        let data = self.source.vars[var].clone();
        let Some(&shape) = self.constraints().vars.get(var) else {
            ice!("`{}` has no shape", data.name)
        };
        let ty = self.rep_of(data.ty, shape);
        let new = self.out.vars.push(Var { ty, ..data });
        self.frame.vars.insert(var, new);
        new
    }

    fn var(&mut self, var: VarId) -> VarId {
        match self.frame.vars.get(var) {
            Some(&new) => new,
            None => ice!("`{}` is mentioned before it is bound", self.source.vars[var].name),
        }
    }

    fn var_shape(&self, var: VarId) -> ShapeId {
        match self.constraints().vars.get(var) {
            Some(&shape) => shape,
            None => ice!("`{}` has no shape", self.source.vars[var].name),
        }
    }

    /// A node as a value of the given shape.
    pub fn emit_to(&mut self, node: NodeId, target: ShapeId) -> NodeId {
        match self.level_of(target) {
            Some(to) => self.emit_at(node, to),
            None => self.emit(node),
        }
    }

    /// A number at a level. The level is given on to the ends of branches, so that jumps stay
    /// in tail position.
    fn emit_at(&mut self, node: NodeId, to: Level) -> NodeId {
        if has_ends(&self.source.nodes[node].kind) {
            return self.emit_with(node, Some(to));
        }
        let (value, from) = self.emit_number(node);
        self.lift(value, from, to)
    }

    /// The end of a branch of a node with this shape.
    fn emit_end(&mut self, node: NodeId, shape: ShapeId, to: Option<Level>) -> NodeId {
        match to {
            Some(to) => self.emit_at(node, to),
            None => self.emit_to(node, shape),
        }
    }

    /// A number with its level.
    pub fn emit_number(&mut self, node: NodeId) -> (NodeId, Level) {
        let level = self.number_level(node);
        (self.emit(node), level)
    }

    pub fn emit(&mut self, node: NodeId) -> NodeId {
        self.emit_with(node, None)
    }

    /// `to` is the level of the result where it is not the node's own.
    fn emit_with(&mut self, node: NodeId, to: Option<Level>) -> NodeId {
        let saved = self.span;
        self.span = self.source.span(node);
        let mut result = self.emit_here(node, to);
        if let Some(&uncut) = self.constraints().uncut.get(node) {
            let (from, to) = (self.level_of(uncut), self.level_of(self.shape_of(node)));
            result = self.lower(result, from.unwrap_or_default(), to.unwrap_or_default());
        }
        self.span = saved;
        result
    }

    fn emit_all(&mut self, nodes: &[NodeId]) -> Vec<NodeId> {
        nodes.iter().map(|&it| self.emit(it)).collect()
    }

    /// The parts of an object as values of these shapes; a plain object has none.
    fn emit_parts(&mut self, nodes: &[NodeId], parts: &[ShapeId]) -> Vec<NodeId> {
        let mut result = Vec::new();
        for (place, &node) in nodes.iter().enumerate() {
            result.push(match parts.get(place) {
                Some(&part) => self.emit_to(node, part),
                None => self.emit(node),
            });
        }
        result
    }

    /// `let name = value in body name`
    pub fn let_in(
        &mut self,
        value: NodeId,
        body: impl FnOnce(&mut Self, VarId) -> NodeId,
    ) -> NodeId {
        let var = self.local("it", self.out.ty(value));
        self.out.vars[var].name = Symbol::new("it");
        let body = body(self, var);
        let ty = self.out.ty(body);
        self.add(NodeKind::Let { var, value, body }, ty)
    }
}

/// Whether the value of a node is that of nodes at its ends, or never there.
fn has_ends(kind: &NodeKind) -> bool {
    match kind {
        NodeKind::Let { .. }
        | NodeKind::LetRec { .. }
        | NodeKind::Seq(_)
        | NodeKind::If { .. }
        | NodeKind::Switch { .. }
        | NodeKind::Raise(_)
        | NodeKind::Try { .. }
        | NodeKind::Join { .. }
        | NodeKind::Jump { .. } => true,
        NodeKind::Const(_)
        | NodeKind::Var { .. }
        | NodeKind::Lambda(_)
        | NodeKind::Apply { .. }
        | NodeKind::Prim { .. }
        | NodeKind::Assign { .. }
        | NodeKind::While { .. }
        | NodeKind::For { .. }
        | NodeKind::Tuple(_)
        | NodeKind::TupleGet { .. }
        | NodeKind::Record(_)
        | NodeKind::Construct { .. }
        | NodeKind::Field { .. }
        | NodeKind::SetField { .. }
        | NodeKind::Array(_)
        | NodeKind::MakeExn { .. }
        | NodeKind::ExnField { .. } => false,
    }
}
