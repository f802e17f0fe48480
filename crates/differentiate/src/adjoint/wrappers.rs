//! Puts functions around operators in the places of their calls, so that the function that is
//! differentiated is known there.
//!
//! ```text
//! let train loss w = … Ad.gradient loss w …
//! train f w0                          becomes     let loss = f in let w = w0 in … Ad.gradient loss w …
//! let grad f x = Ad.gradient f x      grad is an operator itself
//! ```

use oxbow_base::{IdMap, Span};
use oxbow_psg::{
    Callee, ItemKind, LambdaId, Mono, NodeId, NodeKind, Program, Ty, VarId, clone, walk,
};

use super::{Operator, operator_at, partial};

/// Wrappers of wrappers, to this depth.
const ROUNDS: usize = 4;
/// At most this many copies, of functions of at most this many nodes.
const COPIES: usize = 100;
const SIZE: usize = 3000;

pub fn run(
    program: &mut Program<Mono>,
    operators: &mut IdMap<VarId, Operator>,
    is_user_code: &dyn Fn(Span) -> bool,
) {
    name_operators(program, operators);
    partial::run(program, operators);
    let mut copies = 0;
    for _ in 0..ROUNDS {
        let wrappers = wrappers(program, operators);
        let before = copies;
        for node in calls(program, &wrappers) {
            if copies == COPIES {
                break;
            }
            if put_in_place(program, &wrappers, node, is_user_code) {
                copies += 1;
            }
        }
        partial::run(program, operators);
        if copies == before || copies == COPIES {
            return;
        }
    }
}

/// Functions that only pass their parameters on to an operator.
fn name_operators(program: &Program<Mono>, operators: &mut IdMap<VarId, Operator>) {
    for item in &program.items {
        let ItemKind::Let { var, value } = &item.kind else { continue };
        let NodeKind::Lambda(lambda) = program.nodes[*value].kind else { continue };
        let lambda = &program.lambdas[lambda];
        let Some(operator) = operator_at(program, operators, lambda.body) else { continue };
        let NodeKind::Apply { args, .. } = &program.nodes[lambda.body].kind else { continue };
        let passes_on = lambda.params.len() == args.len()
            && lambda.params.iter().zip(args).all(|(&param, &arg)| {
                matches!(program.nodes[arg].kind, NodeKind::Var { var, .. } if var == param)
            });
        if passes_on {
            operators.insert(*var, operator);
        }
    }
}

struct Wrapper {
    lambda: LambdaId,
    value: NodeId,
    arity: usize,
}

/// Functions with a parameter that is differentiated inside of them.
fn wrappers(program: &Program<Mono>, operators: &IdMap<VarId, Operator>) -> IdMap<VarId, Wrapper> {
    let mut found = IdMap::new();
    for item in &program.items {
        let ItemKind::Let { var, value } = &item.kind else { continue };
        let NodeKind::Lambda(lambda) = program.nodes[*value].kind else { continue };
        if operators.contains(*var) || program.vars[*var].mutable {
            continue;
        }
        let data = &program.lambdas[lambda];
        let functions: Vec<VarId> = data
            .params
            .iter()
            .copied()
            .filter(|&it| matches!(program.types.get(program.vars[it].ty), Ty::Fn(..)))
            .collect();
        if functions.is_empty() {
            continue;
        }
        let (mut size, mut wraps) = (0, false);
        walk::for_each_node(program, data.body, |node| {
            size += 1;
            if operator_at(program, operators, node).is_some()
                && let NodeKind::Apply { args, .. } = &program.nodes[node].kind
            {
                let mentioned = match program.nodes[args[0]].kind {
                    NodeKind::Var { var, .. } => vec![var],
                    _ => walk::free_vars(program, args[0]),
                };
                wraps |= mentioned.iter().any(|it| functions.contains(it));
            }
            // An operator of the library's own stays one function.
            if let NodeKind::Prim { prim, .. } = program.nodes[node].kind
                && prim.is_differentiation()
            {
                size = SIZE + 1;
            }
        });
        if wraps && size <= SIZE {
            let arity = data.params.len();
            found.insert(*var, Wrapper { lambda, value: *value, arity });
        }
    }
    found
}

fn calls(program: &Program<Mono>, wrappers: &IdMap<VarId, Wrapper>) -> Vec<NodeId> {
    let mut found = Vec::new();
    for item in &program.items {
        for root in item.kind.roots() {
            walk::for_each_node(program, root, |node| {
                if let NodeKind::Apply { func, args, .. } = &program.nodes[node].kind
                    && let NodeKind::Var { var, .. } = program.nodes[*func].kind
                    && let Some(wrapper) = wrappers.get(var)
                    && args.len() == wrapper.arity
                {
                    found.push(node);
                }
            });
        }
    }
    found
}

fn put_in_place(
    program: &mut Program<Mono>,
    wrappers: &IdMap<VarId, Wrapper>,
    node: NodeId,
    is_user_code: &dyn Fn(Span) -> bool,
) -> bool {
    let NodeKind::Apply { func, args, callee: Callee::Unknown | Callee::Known(_) } =
        program.nodes[node].kind.clone()
    else {
        return false;
    };
    let NodeKind::Var { var, .. } = program.nodes[func].kind else { return false };
    let Some(wrapper) = wrappers.get(var) else { return false };
    // Not inside of itself.
    let mut own = false;
    walk::for_each_node(program, program.lambdas[wrapper.lambda].body, |it| own |= it == node);
    if own {
        return false;
    }
    let copy = clone::clone_subtree(program, wrapper.value);
    let NodeKind::Lambda(lambda) = program.nodes[copy].kind else { return false };
    let (params, mut body) = {
        let data = &program.lambdas[lambda];
        (data.params.clone(), data.body)
    };
    let span = program.span(node);
    // What the user wrote is the call.
    let mut inside = Vec::new();
    walk::for_each_node(program, body, |it| inside.push(it));
    for it in inside {
        if !is_user_code(program.span(it)) {
            program.nodes[it].span = span;
        }
    }
    // The last argument is evaluated first, so it is bound outermost.
    let ty = program.ty(node);
    for (&param, &arg) in params.iter().zip(&args) {
        body = program.add(NodeKind::Let { var: param, value: arg, body }, ty, span);
    }
    let made = program.nodes[body].clone();
    program.nodes[node] = made;
    true
}
