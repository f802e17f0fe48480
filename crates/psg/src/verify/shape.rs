//! Tree, binders, scopes, jumps.
//!
//! One walk with its own stack; opening and closing of scopes are steps of it.
//! *Regions* say which jumps are in tail position: an operand in tail position
//! belongs to the region of its node, any other operand begins a region of its own.
//! A jump must stand in the region of its join, while the join is open.
//!
//! A global variable is in scope behind its item; one that an item binds to a lambda
//! is in scope everywhere, as such a lambda captures nothing and exists from the start.

use oxbow_base::{IdMap, IdSet};

use super::{Result, VerifyError, fail};
use crate::{ItemKind, JoinId, LambdaId, NodeId, NodeKind, Program, VarId};

pub(super) fn check<P>(program: &Program<P>) -> Result {
    let mut checker = Checker {
        program,
        nodes: IdSet::new(),
        lambdas: IdSet::new(),
        bound: IdSet::new(),
        scope: IdSet::new(),
        joins: IdSet::new(),
        open_joins: IdMap::new(),
        regions: 0,
    };
    for item in &program.items {
        for (&var, root) in item.kind.vars().iter().zip(item.kind.roots()) {
            if matches!(program.nodes[root].kind, NodeKind::Lambda(_)) {
                checker.scope.insert(var);
            }
        }
    }
    for item in &program.items {
        checker.item(&item.kind)?;
    }
    let known = &program.well_known;
    let functions = known.functions.iter().map(|it| it.1);
    for var in known.entries().chain(functions) {
        if !checker.scope.contains(var) {
            let message =
                format!("the well-known function `{}` is not bound", program.vars[var].name);
            return Err(VerifyError { message, node: None });
        }
    }
    Ok(())
}

type Region = u32;

#[derive(Clone, Copy)]
enum Step {
    Node(NodeId, Region),
    /// Variables that the node binds enter or leave scope.
    Bind(NodeId),
    Unbind(NodeId),
    OpenJoin(JoinId, Region),
    CloseJoin(JoinId),
}

struct Checker<'a, P> {
    program: &'a Program<P>,
    nodes: IdSet<NodeId>,
    lambdas: IdSet<LambdaId>,
    bound: IdSet<VarId>,
    scope: IdSet<VarId>,
    joins: IdSet<JoinId>,
    open_joins: IdMap<JoinId, Region>,
    regions: Region,
}

impl<P> Checker<'_, P> {
    fn item(&mut self, item: &ItemKind) -> Result {
        let recursive = matches!(item, ItemKind::LetRec { .. });
        if recursive {
            self.bind_globals(item.vars())?;
        }
        for root in item.roots() {
            if recursive {
                self.is_lambda(root)?;
            }
            self.tree(root)?;
        }
        if !recursive {
            self.bind_globals(item.vars())?;
        }
        Ok(())
    }

    fn bind_globals(&mut self, vars: &[VarId]) -> Result {
        for &var in vars {
            let name = self.program.vars[var].name;
            let message = if !self.program.vars[var].global {
                format!("`{name}` is bound by an item but not marked global")
            } else if !self.bound.insert(var) {
                format!("`{name}` is bound twice")
            } else {
                self.scope.insert(var);
                continue;
            };
            return Err(VerifyError { message, node: None });
        }
        Ok(())
    }

    fn is_lambda(&self, node: NodeId) -> Result {
        if let NodeKind::Lambda(_) = self.program.nodes[node].kind {
            return Ok(());
        }
        fail(node, "a recursive value that is no lambda")
    }

    fn tree(&mut self, root: NodeId) -> Result {
        let mut todo = vec![Step::Node(root, self.new_region())];
        while let Some(step) = todo.pop() {
            match step {
                Step::Node(node, region) => {
                    if !self.nodes.insert(node) {
                        return fail(node, "reached twice: the graph is no tree");
                    }
                    let first = todo.len();
                    self.node(node, region, &mut todo)?;
                    todo[first..].reverse();
                }
                Step::Bind(node) => self.bind(node)?,
                Step::Unbind(node) => {
                    for var in self.binders(node) {
                        self.scope.remove(var);
                    }
                }
                Step::OpenJoin(join, region) => drop(self.open_joins.insert(join, region)),
                Step::CloseJoin(join) => drop(self.open_joins.remove(join)),
            }
        }
        Ok(())
    }

    fn new_region(&mut self) -> Region {
        self.regions += 1;
        self.regions
    }

    fn binders(&self, node: NodeId) -> Vec<VarId> {
        let mut vars = Vec::new();
        let kind = &self.program.nodes[node].kind;
        kind.for_each_binder(&self.program.joins, |var| vars.push(var));
        if let NodeKind::Lambda(lambda) = *kind {
            vars.extend(&self.program.lambdas[lambda].params);
        }
        vars
    }

    fn bind(&mut self, node: NodeId) -> Result {
        for var in self.binders(node) {
            let data = &self.program.vars[var];
            if data.global {
                return fail(node, format!("`{}` is global but bound here", data.name));
            }
            if !self.bound.insert(var) {
                return fail(node, format!("`{}` ({var}) is bound twice", data.name));
            }
            self.scope.insert(var);
        }
        Ok(())
    }

    /// Pushes what is below the node, in the order in which scopes open and close.
    fn node(&mut self, node: NodeId, region: Region, todo: &mut Vec<Step>) -> Result {
        let kind = &self.program.nodes[node].kind;
        let mut inner = |checker: &mut Self, child| {
            let region = checker.new_region();
            todo.push(Step::Node(child, region));
        };
        match *kind {
            NodeKind::Var { var, .. } => self.in_scope(node, var)?,
            NodeKind::Assign { var, value } => {
                self.in_scope(node, var)?;
                inner(self, value);
            }
            NodeKind::Lambda(lambda) => {
                if !self.lambdas.insert(lambda) {
                    return fail(node, format!("the lambda {lambda} stands in two places"));
                }
                let region = self.new_region();
                let body = Step::Node(self.program.lambdas[lambda].body, region);
                todo.extend([Step::Bind(node), body, Step::Unbind(node)]);
            }
            NodeKind::Let { value, body, .. } => {
                inner(self, value);
                todo.extend([Step::Bind(node), Step::Node(body, region), Step::Unbind(node)]);
            }
            NodeKind::LetRec { ref vars, ref values, body } => {
                if vars.len() != values.len() {
                    return fail(node, "as many variables as values are needed");
                }
                todo.push(Step::Bind(node));
                for &value in values {
                    self.is_lambda(value)?;
                    let region = self.new_region();
                    todo.push(Step::Node(value, region));
                }
                todo.extend([Step::Node(body, region), Step::Unbind(node)]);
            }
            NodeKind::For { from, to, body, .. } => {
                inner(self, from);
                inner(self, to);
                todo.push(Step::Bind(node));
                let region = self.new_region();
                todo.extend([Step::Node(body, region), Step::Unbind(node)]);
            }
            NodeKind::Try { body, handler, .. } => {
                inner(self, body);
                todo.extend([Step::Bind(node), Step::Node(handler, region), Step::Unbind(node)]);
            }
            NodeKind::Seq(ref items) => {
                let Some((&last, first)) = items.split_last() else {
                    return fail(node, "an empty sequence");
                };
                first.iter().for_each(|&it| inner(self, it));
                todo.push(Step::Node(last, region));
            }
            NodeKind::If { cond, then, otherwise } => {
                inner(self, cond);
                todo.extend([Step::Node(then, region), Step::Node(otherwise, region)]);
            }
            NodeKind::Switch { value, ref cases, default } => {
                inner(self, value);
                let branches = cases.iter().map(|it| it.1).chain(default);
                todo.extend(branches.map(|it| Step::Node(it, region)));
            }
            NodeKind::Join { join, body, rest } => {
                if !self.joins.insert(join) {
                    return fail(node, format!("the join {join} stands in two places"));
                }
                let open = Step::OpenJoin(join, region);
                let code = [Step::Bind(node), Step::Node(body, region), Step::Unbind(node)];
                if self.program.joins[join].recursive {
                    todo.push(open);
                    todo.extend(code);
                } else {
                    todo.extend(code);
                    todo.push(open);
                }
                todo.extend([Step::Node(rest, region), Step::CloseJoin(join)]);
            }
            NodeKind::Jump { join, ref args } => {
                match self.open_joins.get(join) {
                    None => return fail(node, "a jump outside of its join"),
                    Some(at) if *at != region => {
                        return fail(node, "a jump that is not in tail position of its join");
                    }
                    Some(_) => (),
                }
                args.iter().for_each(|&it| inner(self, it));
            }
            NodeKind::Const(_)
            | NodeKind::Apply { .. }
            | NodeKind::Prim { .. }
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
            | NodeKind::Raise(_) => kind.for_each_child(|child| inner(self, child)),
        }
        Ok(())
    }

    fn in_scope(&self, node: NodeId, var: VarId) -> Result {
        if self.scope.contains(var) {
            return Ok(());
        }
        fail(node, format!("`{}` ({var}) is not in scope", self.program.vars[var].name))
    }
}
