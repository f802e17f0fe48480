//! A program with the way from a node to what stands around it, and from a variable to its uses.

use oxbow_base::{IdMap, Span};
use oxbow_psg::{Callee, LambdaId, NodeId, NodeKind, Program, VarId, walk};

pub struct Graph<'a, P> {
    pub program: &'a Program<P>,
    /// The node that a node is an operand of; of a body, the node of its lambda.
    parents: IdMap<NodeId, NodeId>,
    /// The lambda that a variable stands for.
    pub bound: IdMap<VarId, LambdaId>,
    mentions: IdMap<VarId, Vec<NodeId>>,
    nodes: IdMap<LambdaId, NodeId>,
    /// What an item binds to the value of a root.
    pub items: IdMap<NodeId, VarId>,
}

impl<'a, P> Graph<'a, P> {
    pub fn new(program: &'a Program<P>) -> Self {
        let mut graph = Self {
            program,
            parents: IdMap::new(),
            bound: IdMap::new(),
            mentions: IdMap::new(),
            nodes: IdMap::new(),
            items: IdMap::new(),
        };
        for item in &program.items {
            for (&var, root) in item.kind.vars().iter().zip(item.kind.roots()) {
                graph.items.insert(root, var);
                graph.bind(var, root);
            }
        }
        walk::for_each_reachable(program, |node| graph.visit(node));
        graph
    }

    fn visit(&mut self, node: NodeId) {
        let kind = &self.program.nodes[node].kind;
        kind.for_each_child(|child| {
            self.parents.insert(child, node);
        });
        if let Some(var) = kind.mentioned() {
            self.mentions.entry_or_insert_with(var, Vec::new).push(node);
        }
        match kind {
            NodeKind::Lambda(lambda) => {
                self.nodes.insert(*lambda, node);
                self.parents.insert(self.program.lambdas[*lambda].body, node);
            }
            NodeKind::Let { var, value, .. } => self.bind(*var, *value),
            NodeKind::LetRec { vars, values, .. } => {
                vars.iter().zip(values).for_each(|it| self.bind(*it.0, *it.1));
            }
            _ => (),
        }
    }

    fn bind(&mut self, var: VarId, value: NodeId) {
        if let NodeKind::Lambda(lambda) = self.program.nodes[value].kind
            && !self.program.vars[var].mutable
        {
            self.bound.insert(var, lambda);
        }
    }

    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.parents.get(node).copied()
    }

    pub fn mentions(&self, var: VarId) -> &[NodeId] {
        self.mentions.get(var).map_or(&[], |it| it)
    }

    pub fn node_of(&self, lambda: LambdaId) -> Option<NodeId> {
        self.nodes.get(lambda).copied()
    }

    /// Where the variable is written that a node's value is bound to.
    pub fn name_span(&self, node: NodeId) -> Option<Span> {
        let var = match self.parent(node).map(|it| &self.program.nodes[it].kind) {
            Some(NodeKind::Let { var, value, .. }) if *value == node => *var,
            Some(NodeKind::LetRec { vars, values, .. }) => {
                vars[values.iter().position(|&it| it == node)?]
            }
            None => *self.items.get(node)?,
            Some(_) => return None,
        };
        Some(self.program.vars[var].span)
    }

    /// The node of the lambda that a node stands in.
    pub fn function_around(&self, node: NodeId) -> Option<NodeId> {
        let mut at = node;
        while let Some(parent) = self.parent(at) {
            if matches!(self.program.nodes[parent].kind, NodeKind::Lambda(_)) {
                return Some(parent);
            }
            at = parent;
        }
        None
    }

    /// The function that a node stands in, in words.
    pub fn name_around(&self, node: NodeId) -> String {
        match self.function_around(node).map(|it| &self.program.nodes[it].kind) {
            Some(NodeKind::Lambda(lambda)) => format!("in {}", self.name(*lambda)),
            _ => "at the top level".into(),
        }
    }

    pub fn name(&self, lambda: LambdaId) -> String {
        match self.program.lambdas[lambda].name {
            Some(name) => format!("`{}`", name.shown()),
            None => "a function without a name".into(),
        }
    }

    /// The function that a call runs, if it can be read off the call.
    pub fn callee(&self, call: NodeId) -> Option<LambdaId> {
        match &self.program.nodes[call].kind {
            NodeKind::Apply { callee: Callee::Known(lambda), .. } => Some(*lambda),
            NodeKind::Apply { func, .. } => match self.program.nodes[*func].kind {
                NodeKind::Var { var, .. } => self.bound.get(var).copied(),
                NodeKind::Lambda(lambda) => Some(lambda),
                _ => None,
            },
            _ => None,
        }
    }
}
