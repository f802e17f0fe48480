//! Local functions that take derivatives become global ones.
//!
//! ```text
//! let best slope = down slope start in       let best start slope = down slope start
//! … best Ad.gradient … best inner …          … best start Ad.gradient … best start inner …
//! ```
//!
//! The levels of a local function are the same wherever it is used, so one that is used outside of a derivative and
//! inside of it, and takes one itself, would be inside of itself. It gets the local variables that it mentions as its
//! first arguments. They must not change; those that do keep it where it is.

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::{Callee, ItemKind, Mono, NodeId, NodeKind, Program, Ty, VarId, walk};

/// The global functions so far that take derivatives, themselves or by what they mention.
#[derive(Default)]
pub struct Operators(IdSet<VarId>);

impl Operators {
    pub fn note(&mut self, program: &Program<Mono>, item: &ItemKind) {
        if item.roots().any(|it| self.has_any(program, it)) {
            self.0.extend(item.vars().iter().copied());
        }
    }

    fn has_any(&self, program: &Program<Mono>, root: NodeId) -> bool {
        let mut found = false;
        walk::for_each_node(program, root, |node| {
            found |= match program.nodes[node].kind {
                NodeKind::Prim { prim, .. } => prim.is_differentiation(),
                NodeKind::Var { var, .. } => self.0.contains(var),
                _ => false,
            };
        });
        found
    }

    /// Gives local functions the local variables that they mention as arguments, if it is of use and possible. `body`
    /// is where the functions are known.
    pub fn lift(
        &self,
        program: &mut Program<Mono>,
        (vars, values): (&[VarId], &[NodeId]),
        body: NodeId,
    ) -> bool {
        if !self.is_of_use(program, (vars, values), body) {
            return false;
        }
        let mut free: Vec<VarId> = Vec::new();
        for &value in values {
            for var in walk::free_vars(program, value) {
                if !vars.contains(&var) && !free.contains(&var) {
                    free.push(var);
                }
            }
        }
        if free.iter().any(|&it| program.vars[it].mutable) {
            return false;
        }
        let tys: Vec<_> = free.iter().map(|&it| program.vars[it].ty).collect();
        for &value in values {
            let NodeKind::Lambda(lambda) = program.nodes[value].kind else { return false };
            let mut params = IdMap::new();
            let mut all = Vec::new();
            for &var in &free {
                let param = program.vars.push(program.vars[var].clone());
                params.insert(var, param);
                all.push(param);
            }
            rename(program, value, &params);
            let own: Vec<VarId> = all.clone();
            all.append(&mut program.lambdas[lambda].params);
            program.lambdas[lambda].params = all;
            give(program, value, vars, &own);
            let ty = program.types.function(&tys, program.ty(value));
            program.nodes[value].ty = ty;
        }
        give(program, body, vars, &free);
        for &var in vars {
            program.vars[var].ty = program.types.function(&tys, program.vars[var].ty);
        }
        true
    }

    /// Are there mentions inside of a derivative and outside of it? Others have the levels of their uses anyway.
    fn is_of_use(
        &self,
        program: &Program<Mono>,
        (vars, values): (&[VarId], &[NodeId]),
        body: NodeId,
    ) -> bool {
        let takes_function = |&it: &NodeId| {
            let NodeKind::Lambda(lambda) = program.nodes[it].kind else { return false };
            let is_function =
                |&it: &VarId| matches!(program.types.get(program.vars[it].ty), Ty::Fn(..));
            program.lambdas[lambda].params.iter().any(is_function)
        };
        if !values.iter().any(|it| takes_function(it) || self.has_any(program, *it)) {
            return false;
        }
        let differentiated = given_to_functions(program, body);
        let (mut inside, mut outside) = (false, false);
        walk::for_each_node(program, body, |node| {
            if program.nodes[node].kind.mentioned().is_some_and(|it| vars.contains(&it)) {
                let is_inside = differentiated.contains(node);
                inside |= is_inside;
                outside |= !is_inside;
            }
        });
        inside && outside
    }
}

/// The code of functions that are given to others, which may differentiate them, and of the local functions that they
/// mention.
fn given_to_functions(program: &Program<Mono>, body: NodeId) -> IdSet<NodeId> {
    let mut local: IdMap<VarId, NodeId> = IdMap::new();
    let mut given: Vec<NodeId> = Vec::new();
    walk::for_each_node(program, body, |node| match &program.nodes[node].kind {
        NodeKind::Let { var, value, .. } => {
            local.insert(*var, *value);
        }
        NodeKind::LetRec { vars, values, .. } => {
            vars.iter().zip(values).for_each(|it| {
                local.insert(*it.0, *it.1);
            });
        }
        NodeKind::Prim { args, .. } | NodeKind::Apply { args, .. } => given.extend(args),
        _ => (),
    });
    let is_function = |it: &NodeId| matches!(program.types.get(program.ty(*it)), Ty::Fn(..));
    let mut todo: Vec<NodeId> = given.into_iter().filter(is_function).collect();
    let mut found = IdSet::new();
    while let Some(root) = todo.pop() {
        if found.contains(root) {
            continue;
        }
        walk::for_each_node(program, root, |node| {
            found.insert(node);
            let mentioned = program.nodes[node].kind.mentioned();
            if let Some(&value) = mentioned.and_then(|it| local.get(it)) {
                todo.push(value);
            }
        });
    }
    found
}

/// Mentions other variables.
fn rename(program: &mut Program<Mono>, root: NodeId, to: &IdMap<VarId, VarId>) {
    let mut found = Vec::new();
    walk::for_each_node(program, root, |node| {
        if let NodeKind::Var { var, .. } = program.nodes[node].kind
            && let Some(&other) = to.get(var)
        {
            found.push((node, other));
        }
    });
    for (node, var) in found {
        program.nodes[node].kind = NodeKind::Var { var, tyargs: Vec::new() };
    }
}

/// Gives the functions their first arguments wherever they are mentioned.
fn give(program: &mut Program<Mono>, root: NodeId, functions: &[VarId], args: &[VarId]) {
    let mut found = Vec::new();
    let mut calls = IdMap::new();
    walk::for_each_node(program, root, |node| match &program.nodes[node].kind {
        NodeKind::Var { var, .. } if functions.contains(var) => found.push((node, *var)),
        NodeKind::Apply { func, .. } => {
            calls.insert(*func, node);
        }
        _ => (),
    });
    let tys: Vec<_> = args.iter().map(|&it| program.vars[it].ty).collect();
    for (node, var) in found {
        let (ty, span) = (program.ty(node), program.span(node));
        let whole = program.types.function(&tys, ty);
        let mut first: Vec<NodeId> = Vec::new();
        for (&arg, &ty) in args.iter().zip(&tys) {
            first.push(program.add(NodeKind::Var { var: arg, tyargs: Vec::new() }, ty, span));
        }
        if let Some(&call) = calls.get(node)
            && let NodeKind::Apply { args, callee, .. } = &mut program.nodes[call].kind
        {
            args.splice(0..0, first);
            *callee = Callee::Unknown;
            program.nodes[node].ty = whole;
        } else {
            let func = program.add(NodeKind::Var { var, tyargs: Vec::new() }, whole, span);
            program.nodes[node].kind =
                NodeKind::Apply { func, args: first, callee: Callee::Unknown };
        }
    }
}
