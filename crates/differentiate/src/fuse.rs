//! One node of the tape for a whole expression.
//!
//! ```text
//! s +. w *. tanh x       t = tanh x.0, p = w.0 * t, r = s.0 + p
//!                        (r, push3 tape s.1 1.0 w.1 t x.1 (w.0 * (1 - t * t)))
//! ```
//!
//! The partial derivatives of the whole with respect to its leaves are computed where the expression
//! is, from the root down; nothing of its inside goes to the tape. Leaves are evaluated in
//! the order of the program.

use oxbow_psg::{FloatOp, NodeId, NodeKind, Prim, VarId};

use super::constrain::differentiable;
use super::emit::Emitter;
use super::level::Level;
use super::rules::{Facts, Formula, Number, partial};
use super::tape::NodeOf;

/// Nodes of the tape have at most this many edges.
const MAX_EDGES: usize = 8;

enum Tree {
    /// A variable for the evaluated leaf.
    Leaf(VarId, Level),
    Op(Prim, Vec<Tree>),
}

struct Plan {
    level: Level,
    /// Leaves that have the level.
    active: usize,
    bound: Vec<(VarId, NodeId)>,
    /// Leaves that are variables of the program, each once.
    seen: Vec<(VarId, VarId)>,
    /// The edges of the node: leaf, and weight unless that is 1.
    edges: Vec<(VarId, Option<NodeId>)>,
}

impl Emitter<'_> {
    /// A primitive on numbers with its operands.
    pub fn emit_numeric(&mut self, node: NodeId, prim: Prim, args: &[NodeId]) -> Number {
        let level = self.operands_level(prim, args);
        if !level.is_reverse() {
            let args = args.iter().map(|&it| self.emit_number(it)).collect();
            return self.numeric(prim, args);
        }
        let mut plan =
            Plan { level, active: 0, bound: Vec::new(), seen: Vec::new(), edges: Vec::new() };
        // Room for the root's own operands.
        let tree = self.plan_op(node, &mut plan, 0);
        let (value, values) = self.tree_value(&tree, &mut plan);
        self.tree_edges(&tree, &values, None, &mut plan);
        let second = self.push_edges(level, &plan.edges);
        let first = self.mention(value);
        let ty = self.number_ty(level);
        let mut body = self.add(NodeKind::Tuple(vec![first, second]), ty);
        for (var, value) in plan.bound.into_iter().rev() {
            body = self.add(NodeKind::Let { var, value, body }, ty);
        }
        (body, level)
    }

    fn operands_level(&self, prim: Prim, args: &[NodeId]) -> Level {
        differentiable(prim).iter().map(|&it| self.number_level(args[it])).max().unwrap_or_default()
    }

    /// Whether a node is an operation at this level, to become part of the expression.
    fn is_inside(&self, node: NodeId, level: Level) -> bool {
        match &self.source.nodes[node].kind {
            NodeKind::Prim { prim, args } => {
                !differentiable(*prim).is_empty()
                    && self.operands_level(*prim, args) == level
                    && self.number_level(node) == level
            }
            _ => false,
        }
    }

    /// `pending` operands further left are still to come.
    fn plan_op(&mut self, node: NodeId, plan: &mut Plan, pending: usize) -> Tree {
        let NodeKind::Prim { prim, args } = &self.source.nodes[node].kind else {
            return self.plan_leaf(node, plan);
        };
        let mut children = Vec::new();
        for (place, &arg) in args.iter().enumerate().rev() {
            let is_number = differentiable(*prim).contains(&place);
            // Each operand to the left is a leaf at least.
            let left = pending + place;
            let room = plan.active + left + 2 <= MAX_EDGES;
            children.push(if is_number && room && self.is_inside(arg, plan.level) {
                self.plan_op(arg, plan, left)
            } else {
                self.plan_leaf(arg, plan)
            });
        }
        children.reverse();
        Tree::Op(*prim, children)
    }

    fn plan_leaf(&mut self, node: NodeId, plan: &mut Plan) -> Tree {
        let named = match self.source.nodes[node].kind {
            NodeKind::Var { var, .. } if !self.source.vars[var].mutable => Some(var),
            _ => None,
        };
        if let Some(known) = plan.seen.iter().find(|it| Some(it.0) == named) {
            return Tree::Leaf(known.1, self.number_level(node));
        }
        let (value, level) = self.emit_number(node);
        let ty = self.out.ty(value);
        let var = self.local("a", ty);
        plan.bound.push((var, value));
        plan.seen.extend(named.map(|it| (it, var)));
        plan.active += usize::from(level == plan.level);
        Tree::Leaf(var, level)
    }

    /// Binds the values of the operations; answers the root's, and those of the operations in
    /// the order in which `tree_edges` meets them.
    fn tree_value(&mut self, tree: &Tree, plan: &mut Plan) -> (VarId, Values) {
        let outer = plan.level.outer();
        match tree {
            Tree::Leaf(var, level) => {
                let node = self.mention(*var);
                if *level != plan.level {
                    return (*var, Values { value: (*var, *level), operands: Vec::new() });
                }
                let part = self.part(node, 0);
                let ty = self.out.ty(part);
                let value = self.local("v", ty);
                plan.bound.push((value, part));
                (value, Values { value: (value, outer), operands: Vec::new() })
            }
            Tree::Op(prim, children) => {
                let mut operands = Vec::new();
                for child in children {
                    operands.push(self.tree_value(child, plan).1);
                }
                let args =
                    operands.iter().map(|it| (self.mention(it.value.0), it.value.1)).collect();
                let (node, level) = self.numeric(*prim, args);
                let node = self.lift(node, level, outer);
                let ty = self.out.ty(node);
                let value = self.local("v", ty);
                plan.bound.push((value, node));
                (value, Values { value: (value, outer), operands })
            }
        }
    }

    /// The edges to the leaves below, where `weight` is the derivative of the whole.
    fn tree_edges(&mut self, tree: &Tree, values: &Values, weight: Option<VarId>, plan: &mut Plan) {
        let Tree::Op(prim, children) = tree else { return };
        let outer = plan.level.outer();
        let facts = Facts {
            values: values.operands.iter().map(|it| it.value).collect(),
            result: values.value.0,
            outer,
        };
        for &place in differentiable(*prim) {
            let child = &children[place];
            let is_active = match child {
                Tree::Leaf(_, level) => *level == plan.level,
                Tree::Op(..) => true,
            };
            if !is_active {
                continue;
            }
            let formula = partial(*prim, place);
            let total = if matches!(formula, Formula::Const(1.0)) && weight.is_none() {
                None
            } else {
                let (total, level) = self.chain(weight, &formula, &facts);
                Some(self.lift(total, level, outer))
            };
            match child {
                Tree::Leaf(var, _) => self.add_edge(*var, total, plan),
                Tree::Op(..) => {
                    let weight = total.map(|total| {
                        let ty = self.out.ty(total);
                        let var = self.local("w", ty);
                        plan.bound.push((var, total));
                        var
                    });
                    self.tree_edges(child, &values.operands[place], weight, plan);
                }
            }
        }
    }

    /// Edges to one leaf are one edge with the sum of the weights.
    fn add_edge(&mut self, leaf: VarId, weight: Option<NodeId>, plan: &mut Plan) {
        let outer = plan.level.outer();
        let Some(place) = plan.edges.iter().position(|it| it.0 == leaf) else {
            return plan.edges.push((leaf, weight));
        };
        let [first, second] = [plan.edges[place].1, weight].map(|it| match it {
            Some(weight) => (weight, outer),
            None => (self.float(1.0), Level::GROUND),
        });
        let (sum, level) = self.numeric(Prim::Float(FloatOp::Add), vec![first, second]);
        plan.edges[place].1 = Some(self.lift(sum, level, outer));
    }

    fn chain(&mut self, weight: Option<VarId>, formula: &Formula, facts: &Facts) -> Number {
        let Some(weight) = weight else { return self.formula(formula, facts) };
        let weight = (self.mention(weight), facts.outer);
        match formula {
            Formula::Const(1.0) => weight,
            Formula::Const(-1.0) => self.numeric(Prim::Float(FloatOp::Neg), vec![weight]),
            _ => {
                let factor = self.formula(formula, facts);
                self.numeric(Prim::Float(FloatOp::Mul), vec![weight, factor])
            }
        }
    }

    /// A node with these edges. The first operand with the weight 1 is a term of a sum.
    fn push_edges(&mut self, level: Level, edges: &[(VarId, Option<NodeId>)]) -> NodeId {
        let tape = self.tape(level);
        let outer = level.outer();
        let mut args = vec![self.mention(tape)];
        self.note_use(tape);
        let term = if edges.len() > 1 { edges.iter().position(|it| it.1.is_none()) } else { None };
        if let Some(term) = term {
            let leaf = self.mention(edges[term].0);
            args.push(self.part(leaf, 1));
        }
        for (place, &(leaf, weight)) in edges.iter().enumerate() {
            if Some(place) == term {
                continue;
            }
            let weight = weight.unwrap_or_else(|| {
                let one = self.float(1.0);
                self.lift(one, Level::GROUND, outer)
            });
            let leaf = self.mention(leaf);
            args.extend([self.part(leaf, 1), weight]);
        }
        let push = match term {
            Some(_) => self.push_function(level, edges.len() - 1, NodeOf::Sum),
            None => self.push_function(level, edges.len(), NodeOf::Edges),
        };
        self.call(push, args)
    }
}

/// The variable of a value, and those of what it is computed from.
struct Values {
    value: (VarId, Level),
    operands: Vec<Values>,
}
