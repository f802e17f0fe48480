//! Ways through the graph that every pass needs: visitors, binders, free variables.
//!
//! All walks keep their own stack: neither long `Let` chains nor deep nesting uses
//! the stack of the compiler. Copying subtrees is in [`crate::clone`].

use oxbow_base::{IdSet, IdVec};

use crate::{ItemKind, Join, JoinId, LambdaId, NodeId, NodeKind, Program, VarId};

/// Visits `root` and everything below it, the bodies of lambdas included, each node
/// before its operands, in the order of the text.
pub fn for_each_node<P>(program: &Program<P>, root: NodeId, mut visit: impl FnMut(NodeId)) {
    let mut todo = vec![root];
    while let Some(node) = todo.pop() {
        visit(node);
        push_children(program, node, &mut todo);
    }
}

/// The same within one function: a lambda node is visited, its body is not.
pub fn for_each_node_in_function<P>(
    program: &Program<P>,
    root: NodeId,
    mut visit: impl FnMut(NodeId),
) {
    let mut todo = vec![root];
    while let Some(node) = todo.pop() {
        visit(node);
        let first = todo.len();
        program.nodes[node].kind.for_each_child(|child| todo.push(child));
        todo[first..].reverse();
    }
}

/// Visits every node that can be reached from the items.
pub fn for_each_reachable<P>(program: &Program<P>, mut visit: impl FnMut(NodeId)) {
    for item in &program.items {
        for root in item.kind.roots() {
            for_each_node(program, root, &mut visit);
        }
    }
}

/// The lambdas that can be reached from the items, an outer one before those in it.
pub fn reachable_lambdas<P>(program: &Program<P>) -> Vec<LambdaId> {
    let mut lambdas = Vec::new();
    for_each_reachable(program, |node| {
        if let NodeKind::Lambda(lambda) = program.nodes[node].kind {
            lambdas.push(lambda);
        }
    });
    lambdas
}

/// The local variables that are mentioned below `root` (lambda bodies included) and
/// bound outside, in order of first mention.
pub fn free_vars<P>(program: &Program<P>, root: NodeId) -> Vec<VarId> {
    let (mut free, mut known) = (Vec::new(), IdSet::new());
    for_each_node(program, root, |node| {
        let kind = &program.nodes[node].kind;
        // A binder stands before every mention of what it binds.
        kind.for_each_binder(&program.joins, |var| {
            known.insert(var);
        });
        if let NodeKind::Lambda(lambda) = *kind {
            for &param in &program.lambdas[lambda].params {
                known.insert(param);
            }
        }
        if let Some(var) = kind.mentioned()
            && !program.vars[var].global
            && known.insert(var)
        {
            free.push(var);
        }
    });
    free
}

/// Pushes the operands of `node`, and the body if it is a lambda, so that the first
/// one is popped first.
pub(crate) fn push_children<P>(program: &Program<P>, node: NodeId, todo: &mut Vec<NodeId>) {
    let kind = &program.nodes[node].kind;
    if let NodeKind::Lambda(lambda) = *kind {
        todo.push(program.lambdas[lambda].body);
        return;
    }
    let first = todo.len();
    kind.for_each_child(|child| todo.push(child));
    todo[first..].reverse();
}

impl ItemKind {
    /// The nodes that the item evaluates.
    pub fn roots(&self) -> impl Iterator<Item = NodeId> {
        let nodes = match self {
            Self::Let { value, .. } => std::slice::from_ref(value),
            Self::LetRec { values, .. } => values.as_slice(),
            Self::Eval(node) => std::slice::from_ref(node),
        };
        nodes.iter().copied()
    }

    /// The global variables that the item binds.
    pub fn vars(&self) -> &[VarId] {
        match self {
            Self::Let { var, .. } => std::slice::from_ref(var),
            Self::LetRec { vars, .. } => vars,
            Self::Eval(_) => &[],
        }
    }
}

impl NodeKind {
    /// The variable that the node itself reads or writes.
    pub fn mentioned(&self) -> Option<VarId> {
        match *self {
            Self::Var { var, .. } | Self::Assign { var, .. } => Some(var),
            Self::Const(_)
            | Self::Lambda(_)
            | Self::Apply { .. }
            | Self::Prim { .. }
            | Self::Let { .. }
            | Self::LetRec { .. }
            | Self::Seq(_)
            | Self::If { .. }
            | Self::Switch { .. }
            | Self::While { .. }
            | Self::For { .. }
            | Self::Tuple(_)
            | Self::TupleGet { .. }
            | Self::Record(_)
            | Self::Construct { .. }
            | Self::Field { .. }
            | Self::SetField { .. }
            | Self::Array(_)
            | Self::MakeExn { .. }
            | Self::ExnField { .. }
            | Self::Raise(_)
            | Self::Try { .. }
            | Self::Join { .. }
            | Self::Jump { .. } => None,
        }
    }

    /// The variables that the node binds in its own function; the parameters of a
    /// lambda are not among them, those of a join point are.
    pub fn for_each_binder(&self, joins: &IdVec<JoinId, Join>, mut visit: impl FnMut(VarId)) {
        match self {
            Self::Let { var, .. } | Self::For { var, .. } | Self::Try { var, .. } => visit(*var),
            Self::LetRec { vars, .. } => vars.iter().copied().for_each(visit),
            Self::Join { join, .. } => joins[*join].params.iter().copied().for_each(visit),
            Self::Const(_)
            | Self::Var { .. }
            | Self::Lambda(_)
            | Self::Apply { .. }
            | Self::Prim { .. }
            | Self::Assign { .. }
            | Self::Seq(_)
            | Self::If { .. }
            | Self::Switch { .. }
            | Self::While { .. }
            | Self::Tuple(_)
            | Self::TupleGet { .. }
            | Self::Record(_)
            | Self::Construct { .. }
            | Self::Field { .. }
            | Self::SetField { .. }
            | Self::Array(_)
            | Self::MakeExn { .. }
            | Self::ExnField { .. }
            | Self::Raise(_)
            | Self::Jump { .. } => (),
        }
    }

    /// The operands as [`NodeKind::for_each_child`] visits them, to be replaced.
    pub fn for_each_child_mut(&mut self, mut visit: impl FnMut(&mut NodeId)) {
        match self {
            Self::Const(_) | Self::Var { .. } | Self::Lambda(_) => (),
            Self::Apply { func, args, callee: _ } => {
                visit(func);
                args.iter_mut().for_each(visit);
            }
            Self::Prim { args, .. }
            | Self::Construct { args, .. }
            | Self::MakeExn { args, .. }
            | Self::Jump { args, .. } => args.iter_mut().for_each(visit),
            Self::Seq(items) | Self::Tuple(items) | Self::Record(items) | Self::Array(items) => {
                items.iter_mut().for_each(visit);
            }
            Self::Let { value, body, .. } => {
                visit(value);
                visit(body);
            }
            Self::LetRec { values, body, .. } => {
                values.iter_mut().for_each(&mut visit);
                visit(body);
            }
            Self::Assign { value, .. } => visit(value),
            Self::If { cond, then, otherwise } => {
                visit(cond);
                visit(then);
                visit(otherwise);
            }
            Self::Switch { value, cases, default } => {
                visit(value);
                cases.iter_mut().for_each(|it| visit(&mut it.1));
                default.iter_mut().for_each(visit);
            }
            Self::While { cond, body } => {
                visit(cond);
                visit(body);
            }
            Self::For { from, to, body, .. } => {
                visit(from);
                visit(to);
                visit(body);
            }
            Self::TupleGet { tuple, .. } => visit(tuple),
            Self::Field { object, .. } | Self::ExnField { object, .. } => visit(object),
            Self::SetField { object, value, .. } => {
                visit(object);
                visit(value);
            }
            Self::Raise(value) => visit(value),
            Self::Try { body, handler, .. } => {
                visit(body);
                visit(handler);
            }
            Self::Join { body, rest, .. } => {
                visit(body);
                visit(rest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Builder;

    #[test]
    fn free_variables_are_those_bound_outside() {
        let mut b = Builder::new();
        let int = b.program.types.int;
        let (a, x, y) = (b.var("a", int), b.var("x", int), b.var("y", int));
        let sum = b.add_vars(&[x, a, y]);
        let func = b.lambda("f", &[x], sum);
        assert_eq!(free_vars(&b.program, func), [a, y]);
        assert_eq!(free_vars(&b.program, sum), [x, a, y]);
    }
}
