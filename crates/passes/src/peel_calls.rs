//! A recursive function's first test is made by its caller, if that may be all there is to do.
//!
//! ```text
//! before   let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)
//! after    let rec fib n = if n < 2 then n
//!                          else (let m = n - 1 in if m < 2 then m else fib m) + …
//! ```
//!
//! Most calls of a function that calls itself twice are its last ones, which only test: these are calls no
//! longer. Applies to the calls in its own body, where the body is an `if` or a `switch` on something
//! small without effects, and some branches, but not all, are small as well. Branches that are not become
//! the call.
//!
//! Phase: Mono -> Mono. Before `contify`, which makes loops of the calls in tail position.

use oxbow_psg::clone::Cloner;
use oxbow_psg::{Callee, IntOp, LambdaId, Mono, NodeId, NodeKind, Prim, Program, Var, VarId, walk};

use crate::{effects, known_calls};

/// How large a test or a branch may be that is copied.
const SMALL: u32 = 10;
/// Functions that call themselves in more places are left alone, and ones with more branches.
const MAX_CALLS: usize = 6;
const MAX_CASES: usize = 4;

pub fn run(mut program: Program<Mono>) -> Program<Mono> {
    known_calls::resolve(&mut program);
    let mut cloner = Cloner::new();
    for lambda in walk::reachable_lambdas(&program) {
        if program.lambdas[lambda].inline.stays() || !has_guard(&program, lambda) {
            continue;
        }
        let (calls, all) = own_calls(&program, lambda);
        if (2..=MAX_CALLS).contains(&all) {
            for call in calls {
                peel(&mut program, &mut cloner, lambda, call);
            }
        }
    }
    program
}

/// Can the code be copied in front of a call?
fn is_small(program: &Program<Mono>, node: NodeId) -> bool {
    let mut work = vec![node];
    while let Some(node) = work.pop() {
        let kind = &program.nodes[node].kind;
        if matches!(kind, NodeKind::Lambda(_) | NodeKind::LetRec { .. }) {
            return false;
        }
        kind.for_each_child(|it| work.push(it));
    }
    effects::size(program, node, SMALL) <= SMALL && effects::droppable(program, node)
}

fn branches(program: &Program<Mono>, body: NodeId) -> Option<(NodeId, Vec<NodeId>)> {
    match &program.nodes[body].kind {
        NodeKind::If { cond, then, otherwise } => Some((*cond, vec![*then, *otherwise])),
        NodeKind::Switch { value, cases, default } => {
            Some((*value, cases.iter().map(|it| it.1).chain(*default).collect()))
        }
        _ => None,
    }
}

fn has_guard(program: &Program<Mono>, lambda: LambdaId) -> bool {
    let Some((test, branches)) = branches(program, program.lambdas[lambda].body) else {
        return false;
    };
    let small = branches.iter().filter(|&&it| is_small(program, it)).count();
    is_small(program, test)
        && small > 0
        && small < branches.len()
        && branches.len() <= MAX_CASES
        && program.lambdas[lambda].params.iter().all(|&it| !program.vars[it].mutable)
}

/// The saturated calls of a function in its own body that are not in tail position, and how many there
/// are in all.
fn own_calls(program: &Program<Mono>, lambda: LambdaId) -> (Vec<NodeId>, usize) {
    let arity = program.lambdas[lambda].params.len();
    let (mut calls, mut all) = (Vec::new(), 0);
    let mut work = vec![(program.lambdas[lambda].body, true)];
    while let Some((node, is_tail)) = work.pop() {
        let kind = &program.nodes[node].kind;
        match kind {
            NodeKind::Apply { callee: Callee::Known(it), args, .. }
                if *it == lambda && args.len() == arity =>
            {
                all += 1;
                calls.extend((!is_tail).then_some(node));
            }
            _ => (),
        }
        let last = tails(kind);
        kind.for_each_child(|it| work.push((it, is_tail && last.contains(&it))));
    }
    (calls, all)
}

/// The parts of a node whose value is the node's, or that LLVM makes loops of: the last operand of
/// a sum is then added to an accumulator.
fn tails(kind: &NodeKind) -> Vec<NodeId> {
    match kind {
        NodeKind::If { then, otherwise, .. } => vec![*then, *otherwise],
        NodeKind::Switch { cases, default, .. } => {
            cases.iter().map(|it| it.1).chain(*default).collect()
        }
        NodeKind::Let { body, .. } | NodeKind::LetRec { body, .. } => vec![*body],
        NodeKind::Seq(items) => items.last().copied().into_iter().collect(),
        NodeKind::Join { body, rest, .. } => vec![*body, *rest],
        NodeKind::Prim { prim: Prim::Int(_, IntOp::Add | IntOp::Mul), args } => vec![args[0]],
        _ => Vec::new(),
    }
}

/// Puts the test in front of one call.
fn peel(program: &mut Program<Mono>, cloner: &mut Cloner, lambda: LambdaId, call: NodeId) {
    let NodeKind::Apply { func, args, callee } = program.nodes[call].kind.clone() else { return };
    let (result, span) = (program.ty(call), program.span(call));
    let params = program.lambdas[lambda].params.clone();
    let fresh: Vec<VarId> = params
        .iter()
        .map(|&it| {
            let copy: Var = program.vars[it].clone();
            program.vars.push(copy)
        })
        .collect();
    let mut copy = |program: &mut Program<Mono>, node: NodeId| {
        for (&param, &var) in params.iter().zip(&fresh) {
            cloner.rename(param, var, None);
        }
        cloner.clone(program, node, &mut |_, ty| ty)
    };
    let again = |program: &mut Program<Mono>| {
        let args = fresh.iter().map(|&it| {
            let ty = program.vars[it].ty;
            program.add(NodeKind::Var { var: it, tyargs: Vec::new() }, ty, span)
        });
        let args = args.collect();
        let func = program.nodes[func].clone();
        let func = program.nodes.push(func);
        program.add(NodeKind::Apply { func, args, callee }, result, span)
    };
    let mut branch = |program: &mut Program<Mono>, node: NodeId| match is_small(program, node) {
        true => copy(program, node),
        false => again(program),
    };
    let kind = match program.nodes[program.lambdas[lambda].body].kind.clone() {
        NodeKind::If { cond, then, otherwise } => {
            let then = branch(program, then);
            let otherwise = branch(program, otherwise);
            NodeKind::If { cond: copy(program, cond), then, otherwise }
        }
        NodeKind::Switch { value, cases, default } => {
            let cases = cases.into_iter().map(|(key, it)| (key, branch(program, it))).collect();
            let default = default.map(|it| branch(program, it));
            NodeKind::Switch { value: copy(program, value), cases, default }
        }
        _ => return,
    };
    let mut code = program.add(kind, result, span);
    // The last argument is evaluated first: its binding stands outermost.
    for (&var, &value) in fresh.iter().zip(&args) {
        code = program.add(NodeKind::Let { var, value, body: code }, result, span);
    }
    program.nodes[call].kind = program.nodes[code].kind.clone();
}
