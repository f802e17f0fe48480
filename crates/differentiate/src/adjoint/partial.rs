//! Local names for partial applications of known functions become functions, and so do operators that have only their
//! function.
//!
//! ```text
//! let f = power (n + 1) in Ad.gradient f x      let k = n + 1 in let f = fun x -> power k x in Ad.gradient f x
//! minimise (Ad.gradient loss) start             minimise (fun x -> Ad.gradient loss x) start
//! ```
//!
//! The arguments are evaluated where they were, and in the same order.

use oxbow_base::{IdMap, Symbol};
use oxbow_psg::{ItemKind, Mono, NodeId, NodeKind, Program, Var, VarId, walk};

use super::super::prepare::{as_function, is_value};
use super::Operator;

pub fn run(program: &mut Program<Mono>, operators: &IdMap<VarId, Operator>) {
    let mut arity: IdMap<VarId, usize> = IdMap::new();
    let mut found = Vec::new();
    let mut unfinished = Vec::new();
    let mut note = |vars: &[VarId], values: &[NodeId]| {
        for (&var, &value) in vars.iter().zip(values) {
            if let NodeKind::Lambda(lambda) = program.nodes[value].kind
                && !program.vars[var].mutable
            {
                arity.insert(var, program.lambdas[lambda].params.len());
            }
        }
    };
    for item in &program.items {
        match &item.kind {
            ItemKind::Let { var, value } => note(&[*var], &[*value]),
            ItemKind::LetRec { vars, values } => note(vars, values),
            ItemKind::Eval(_) => (),
        }
        for root in item.kind.roots() {
            walk::for_each_node(program, root, |node| match &program.nodes[node].kind {
                NodeKind::Let { var, value, .. } => {
                    note(&[*var], &[*value]);
                    if matches!(program.nodes[*value].kind, NodeKind::Apply { .. }) {
                        found.push(node);
                    }
                }
                NodeKind::LetRec { vars, values, .. } => note(vars, values),
                NodeKind::Apply { func, args, .. } => {
                    if let NodeKind::Var { var, .. } = program.nodes[*func].kind
                        && operators.get(var).is_some_and(|it| args.len() < it.arity())
                    {
                        unfinished.push(node);
                    }
                }
                _ => (),
            });
        }
    }
    for node in found {
        name(program, &arity, node);
    }
    for node in unfinished {
        complete(program, &arity, node);
    }
}

/// An operator with some of its arguments.
fn complete(program: &mut Program<Mono>, arity: &IdMap<VarId, usize>, node: NodeId) {
    let NodeKind::Apply { func, args, .. } = program.nodes[node].kind.clone() else { return };
    let NodeKind::Var { var: operator, .. } = program.nodes[func].kind else { return };
    if arity.get(operator).is_none_or(|&it| it <= args.len()) {
        return;
    }
    let bound = bind(program, arity, &args);
    // The node takes the place of the function, which mentions a copy of it.
    let (ty, span) = (program.ty(node), program.span(node));
    let copy = program.add(program.nodes[node].kind.clone(), ty, span);
    let Some(mut inner) = as_function(program, arity, copy) else { return };
    for (var, value) in bound {
        inner = program.add(NodeKind::Let { var, value, body: inner }, ty, span);
    }
    program.nodes[node] = program.nodes[inner].clone();
}

fn name(program: &mut Program<Mono>, arity: &IdMap<VarId, usize>, node: NodeId) {
    let NodeKind::Let { var, value, body } = program.nodes[node].kind else { return };
    let NodeKind::Apply { func, args, .. } = program.nodes[value].kind.clone() else { return };
    let NodeKind::Var { var: function, .. } = program.nodes[func].kind else { return };
    let is_partial = arity.get(function).is_some_and(|&it| it > args.len());
    if !is_partial || program.vars[var].mutable || args.len() > 16 {
        return;
    }
    let bound = bind(program, arity, &args);
    let Some(lambda) = as_function(program, arity, value) else { return };
    let (ty, span) = (program.ty(node), program.span(node));
    let mut inner = program.add(NodeKind::Let { var, value: lambda, body }, ty, span);
    // The last argument is evaluated first, so it is bound outermost.
    for (var, value) in bound {
        inner = program.add(NodeKind::Let { var, value, body: inner }, ty, span);
    }
    program.nodes[node] = program.nodes[inner].clone();
}

/// Binds the arguments that must not be evaluated later.
fn bind(
    program: &mut Program<Mono>,
    arity: &IdMap<VarId, usize>,
    args: &[NodeId],
) -> Vec<(VarId, NodeId)> {
    let mut bound = Vec::new();
    for &arg in args {
        if is_value(program, arity, arg) {
            continue;
        }
        let (ty, span) = (program.ty(arg), program.span(arg));
        let fresh = program.vars.push(Var {
            name: Symbol::new("k"),
            ty,
            tyvars: Vec::new(),
            mutable: false,
            global: false,
            span,
        });
        // The argument moves to its own binding, and its place mentions that.
        let moved = program.add(program.nodes[arg].kind.clone(), ty, span);
        program.nodes[arg].kind = NodeKind::Var { var: fresh, tyargs: Vec::new() };
        bound.push((fresh, moved));
    }
    bound
}
