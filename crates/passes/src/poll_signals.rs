//! Lets a program that handles signals by functions of its own look whether one has come.
//!
//! ```text
//! before   while not !stop do work () done                fn @step(n) = … f (n - 1)
//! after    while not !stop do poll; work () done          fn @step(n) = poll; … f (n - 1)
//!          where poll = if signal_pending () then signals_run ()
//! ```
//!
//! A function cannot be called at the moment when a signal comes (`runtime::handlers`). So the program looks in each
//! round of its loops and at the start of each function that calls another: those of the user, since the library does
//! not expect to be interrupted. Where the library waits for the system, it is woken by a signal, calls handlers and
//! waits again.
//!
//! Phase: Mono -> Mono. Needs: nothing. Programs that give no function to `Sys.signal` stay as they are.

use oxbow_base::IdSet;
use oxbow_psg::{
    Callee, Const, KnownFunction, Mono, NodeId, NodeKind, Prim, Program, Ty, VarId, walk,
};

/// Adds what is needed, if the program has handlers.
pub fn run(mut program: Program<Mono>) -> Program<Mono> {
    let known = &program.well_known.functions;
    let [Some(run), Some(read), Some(write), Some(set)] = [
        KnownFunction::SignalsRun,
        KnownFunction::SignalsRead,
        KnownFunction::SignalsWrite,
        KnownFunction::SignalsSet,
    ]
    .map(|it| known.get(it)) else {
        return program;
    };
    if !has_handlers(&program, set) {
        return program;
    }
    for (node, function) in waits(&program, read, write) {
        let NodeKind::Prim { args, .. } = program.nodes[node].kind.clone() else { continue };
        let (ty, span) = (program.vars[function].ty, program.span(node));
        let func = program.add(NodeKind::Var { var: function, tyargs: Vec::new() }, ty, span);
        program.nodes[node].kind = NodeKind::Apply { func, args, callee: Callee::Unknown };
    }
    poll_in_functions(&mut program, run);
    poll_in_loops(&mut program, run);
    program
}

/// Does the program make a behaviour that holds a function?
fn has_handlers(program: &Program<Mono>, set: VarId) -> bool {
    let params = program.types.split_function(program.vars[set].ty, 2).0;
    let Some(&behavior) = params.get(1) else { return false };
    let mut found = false;
    walk::for_each_reachable(program, |node| {
        let it = &program.nodes[node];
        found |= it.ty == behavior
            && matches!(&it.kind, NodeKind::Construct { args, .. } if !args.is_empty());
    });
    found && matches!(program.types.get(behavior), Ty::Data(..))
}

/// Where the library waits for the system, and the function that does so instead.
fn waits(program: &Program<Mono>, read: VarId, write: VarId) -> Vec<(NodeId, VarId)> {
    let mut found = Vec::new();
    for item in &program.items {
        if item.kind.vars().iter().any(|&it| it == read || it == write) {
            continue;
        }
        for root in item.kind.roots() {
            walk::for_each_node(program, root, |node| match program.nodes[node].kind {
                NodeKind::Prim { prim: Prim::IoRead, .. } => found.push((node, read)),
                NodeKind::Prim { prim: Prim::IoWrite, .. } => found.push((node, write)),
                _ => (),
            });
        }
    }
    found
}

/// Nodes of the user's items, in functions too.
fn user_nodes(program: &Program<Mono>) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    for item in program.items.iter().filter(|it| !it.library) {
        for root in item.kind.roots() {
            walk::for_each_node(program, root, |node| nodes.push(node));
        }
    }
    nodes
}

fn poll_in_functions(program: &mut Program<Mono>, run: VarId) {
    let mut done = IdSet::new();
    for node in user_nodes(program) {
        let NodeKind::Lambda(lambda) = program.nodes[node].kind else { continue };
        let body = program.lambdas[lambda].body;
        let mut calls = false;
        walk::for_each_node_in_function(program, body, |node| {
            calls |= matches!(program.nodes[node].kind, NodeKind::Apply { .. });
        });
        if calls && done.insert(lambda) {
            program.lambdas[lambda].body = poll_before(program, run, body);
        }
    }
}

fn poll_in_loops(program: &mut Program<Mono>, run: VarId) {
    for node in user_nodes(program) {
        let body = match program.nodes[node].kind {
            NodeKind::While { body, .. } | NodeKind::For { body, .. } => body,
            _ => continue,
        };
        let polled = poll_before(program, run, body);
        if let NodeKind::While { body, .. } | NodeKind::For { body, .. } =
            &mut program.nodes[node].kind
        {
            *body = polled;
        }
    }
}

fn poll_before(program: &mut Program<Mono>, run: VarId, body: NodeId) -> NodeId {
    let (ty, span) = (program.ty(body), program.span(body));
    let (unit, bool) = (program.types.unit, program.types.bool);
    let [argument, operand, otherwise] =
        [(); 3].map(|()| program.add(NodeKind::Const(Const::Unit), unit, span));
    let prim = NodeKind::Prim { prim: Prim::SignalPending, args: vec![operand] };
    let cond = program.add(prim, bool, span);
    let run_ty = program.vars[run].ty;
    let func = program.add(NodeKind::Var { var: run, tyargs: Vec::new() }, run_ty, span);
    let call = NodeKind::Apply { func, args: vec![argument], callee: Callee::Unknown };
    let then = program.add(call, unit, span);
    let poll = program.add(NodeKind::If { cond, then, otherwise }, unit, span);
    program.add(NodeKind::Seq(vec![poll, body]), ty, span)
}
