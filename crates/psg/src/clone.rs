//! Copies of subtrees, with fresh variables, lambdas and join points for everything
//! that is bound inside.
//!
//! ```text
//! fun x -> let y = x + k in y        a copy        fun x' -> let y' = x' + k in y'
//! ```
//!
//! Free variables stay what they are unless [`Cloner::rename`] says otherwise.
//! Captures of copied lambdas are renamed along. Where a renaming lets two captures
//! meet in one variable, or gives a capture a variable of the surrounding function,
//! `captures::fill_all` is due afterwards.

use oxbow_base::IdMap;

use crate::{
    Callee, Capture, JoinId, LambdaId, NodeId, NodeKind, Program, TyId, TypeTable, VarId, walk,
};

/// Copies the subtree of `root`; types stay as they are.
pub fn clone_subtree<P>(program: &mut Program<P>, root: NodeId) -> NodeId {
    Cloner::new().clone(program, root, &mut |_, ty| ty)
}

/// The tables of a copy. A pass that copies often keeps one: its tables are as long
/// as those of the program.
#[derive(Default)]
pub struct Cloner {
    vars: IdMap<VarId, Renamed>,
    lambdas: IdMap<LambdaId, LambdaId>,
    joins: IdMap<JoinId, JoinId>,
    bound_vars: Vec<VarId>,
    copied_lambdas: Vec<LambdaId>,
    copied_joins: Vec<JoinId>,
}

#[derive(Clone, Copy)]
struct Renamed {
    var: VarId,
    source: Option<NodeId>,
}

impl Cloner {
    pub fn new() -> Self {
        Self::default()
    }

    /// In the next copy, mentions of `var` become mentions of `new`, which `source`
    /// binds. Given type arguments of the mention are kept.
    pub fn rename(&mut self, var: VarId, new: VarId, source: Option<NodeId>) {
        self.vars.insert(var, Renamed { var: new, source });
        self.bound_vars.push(var);
    }

    /// Copies the subtree of `root`, with every type put through `types`.
    pub fn clone<P>(
        &mut self,
        program: &mut Program<P>,
        root: NodeId,
        types: &mut dyn FnMut(&mut TypeTable, TyId) -> TyId,
    ) -> NodeId {
        let mut order = Vec::new();
        walk::for_each_node(program, root, |node| order.push(node));
        for &node in &order {
            self.bind_fresh(program, node, types);
        }
        // Backwards, so that the copies of a node's operands stand ready on top of the
        // stack, the first one uppermost.
        let mut ready: Vec<NodeId> = Vec::new();
        for &node in order.iter().rev() {
            let copy = self.copy_node(program, node, &mut ready, types);
            ready.push(copy);
        }
        self.finish_lambdas(program, types);
        self.forget();
        match ready.pop() {
            Some(copy) => copy,
            None => oxbow_diag::ice!("the copy of {root} is empty"),
        }
    }

    fn lambda(&self, lambda: LambdaId) -> LambdaId {
        self.lambdas.get(lambda).copied().unwrap_or(lambda)
    }

    fn bind_fresh<P>(
        &mut self,
        program: &mut Program<P>,
        node: NodeId,
        types: &mut dyn FnMut(&mut TypeTable, TyId) -> TyId,
    ) {
        let mut bound = Vec::new();
        let kind = &program.nodes[node].kind;
        kind.for_each_binder(&program.joins, |var| bound.push(var));
        let (mut lambda, mut join) = (None, None);
        if let NodeKind::Lambda(it) = *kind {
            bound.extend(&program.lambdas[it].params);
            lambda = Some(it);
        }
        if let NodeKind::Join { join: it, .. } = *kind {
            join = Some(it);
        }
        for var in bound {
            let mut fresh = program.vars[var].clone();
            fresh.ty = types(&mut program.types, fresh.ty);
            let fresh = program.vars.push(fresh);
            self.vars.insert(var, Renamed { var: fresh, source: None });
            self.bound_vars.push(var);
        }
        if let Some(lambda) = lambda {
            let fresh = program.lambdas.push(program.lambdas[lambda].clone());
            self.lambdas.insert(lambda, fresh);
            self.copied_lambdas.push(lambda);
        }
        if let Some(join) = join {
            let fresh = program.joins.push(program.joins[join].clone());
            self.joins.insert(join, fresh);
            self.copied_joins.push(join);
            let params = program.joins[join].params.iter().map(|&it| self.var(it)).collect();
            program.joins[fresh].params = params;
        }
    }

    fn var(&self, var: VarId) -> VarId {
        self.vars.get(var).map_or(var, |it| it.var)
    }

    fn copy_node<P>(
        &mut self,
        program: &mut Program<P>,
        node: NodeId,
        ready: &mut Vec<NodeId>,
        types: &mut dyn FnMut(&mut TypeTable, TyId) -> TyId,
    ) -> NodeId {
        let mut copy = program.nodes[node].clone();
        copy.ty = types(&mut program.types, copy.ty);
        let mut next = || match ready.pop() {
            Some(child) => child,
            None => oxbow_diag::ice!("an operand of {node} was not copied"),
        };
        copy.kind.for_each_child_mut(|child| *child = next());
        match &mut copy.kind {
            NodeKind::Var { var, tyargs } => {
                *var = self.var(*var);
                for ty in tyargs {
                    *ty = types(&mut program.types, *ty);
                }
            }
            NodeKind::Lambda(lambda) => {
                *lambda = self.lambda(*lambda);
                program.lambdas[*lambda].body = next();
            }
            NodeKind::Apply { callee, .. } => match callee {
                Callee::Known(lambda) => *lambda = self.lambda(*lambda),
                Callee::Unknown => (),
            },
            NodeKind::LetRec { vars, .. } => vars.iter_mut().for_each(|it| *it = self.var(*it)),
            NodeKind::Let { var, .. }
            | NodeKind::Assign { var, .. }
            | NodeKind::For { var, .. }
            | NodeKind::Try { var, .. } => *var = self.var(*var),
            NodeKind::Join { join, .. } | NodeKind::Jump { join, .. } => {
                *join = self.joins.get(*join).copied().unwrap_or(*join);
            }
            NodeKind::Const(_)
            | NodeKind::Prim { .. }
            | NodeKind::Seq(_)
            | NodeKind::If { .. }
            | NodeKind::Switch { .. }
            | NodeKind::While { .. }
            | NodeKind::Tuple(_)
            | NodeKind::TupleGet { .. }
            | NodeKind::Record(_)
            | NodeKind::Construct { .. }
            | NodeKind::Field { .. }
            | NodeKind::SetField { .. }
            | NodeKind::Array(_)
            | NodeKind::MakeExn { .. }
            | NodeKind::ExnField { .. }
            | NodeKind::Raise(_) => (),
        }
        let copy = program.nodes.push(copy);
        self.record_source(program, node, copy);
        copy
    }

    fn record_source<P>(&mut self, program: &Program<P>, node: NodeId, copy: NodeId) {
        let vars = &mut self.vars;
        let mut record = |var| {
            if let Some(renamed) = vars.get_mut(var) {
                renamed.source = Some(copy);
            }
        };
        let kind = &program.nodes[node].kind;
        kind.for_each_binder(&program.joins, &mut record);
        if let NodeKind::Lambda(lambda) = *kind {
            program.lambdas[lambda].params.iter().copied().for_each(record);
        }
    }

    fn finish_lambdas<P>(
        &mut self,
        program: &mut Program<P>,
        types: &mut dyn FnMut(&mut TypeTable, TyId) -> TyId,
    ) {
        for &old in &self.copied_lambdas {
            let new = self.lambda(old);
            let mut lambda = program.lambdas[new].clone();
            lambda.params.iter_mut().for_each(|it| *it = self.var(*it));
            for capture in &mut lambda.captures {
                let renamed = self.vars.get(capture.var);
                *capture = Capture {
                    var: renamed.map_or(capture.var, |it| it.var),
                    ty: types(&mut program.types, capture.ty),
                    mode: capture.mode,
                    source: renamed.map_or(capture.source, |it| it.source),
                };
            }
            program.lambdas[new] = lambda;
        }
    }

    fn forget(&mut self) {
        for var in self.bound_vars.drain(..) {
            self.vars.remove(var);
        }
        for lambda in self.copied_lambdas.drain(..) {
            self.lambdas.remove(lambda);
        }
        for join in self.copied_joins.drain(..) {
            self.joins.remove(join);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Builder;

    #[test]
    fn a_copy_has_its_own_binders_and_captures() {
        let mut b = Builder::new();
        let int = b.program.types.int;
        let (k, x, y) = (b.var("k", int), b.var("x", int), b.var("y", int));
        let sum = b.add_vars(&[x, y, k]);
        let inner = b.lambda("g", &[y], sum);
        let outer = b.lambda("f", &[x], inner);
        let one = b.int(1);
        let root = b.let_(k, one, outer);
        b.eval(root);
        crate::captures::fill_all(&mut b.program);
        let copy = clone_subtree(&mut b.program, root);
        b.eval(copy);
        let before: Vec<_> = b.program.lambdas.values().map(|it| it.captures.clone()).collect();
        crate::captures::fill_all(&mut b.program);
        let after: Vec<_> = b.program.lambdas.values().map(|it| it.captures.clone()).collect();
        assert_eq!(before, after);
        assert_eq!(b.program.lambdas.len(), 4);
        assert_eq!(walk::free_vars(&b.program, copy), []);
    }
}
