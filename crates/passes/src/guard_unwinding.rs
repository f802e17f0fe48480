//! Keeps handlers away from the exception by which a fibre unwinds.
//!
//! ```text
//! before   try work () with e -> handle e
//! after    try work () with e -> if unwinds e then raise e else handle e
//! ```
//!
//! A fibre whose continuation was dropped leaves its frames by an exception, so that they drop what they own
//! (decision 99). In OCaml its frames just vanish: no handler of the program runs, and no `finally`.
//!
//! Phase: Mono -> Mono. Needs: nothing. Programs without effects stay as they are.

use oxbow_psg::{Callee, Mono, NodeId, NodeKind, Program, walk};

/// Adds the tests, if the program has fibres.
pub fn run(mut program: Program<Mono>) -> Program<Mono> {
    let Some(unwinds) = program.well_known.unwinds else { return program };
    let mut handlers: Vec<NodeId> = Vec::new();
    for item in &program.items {
        for root in item.kind.roots() {
            walk::for_each_node(&program, root, |node| {
                if let NodeKind::Try { .. } = program.nodes[node].kind {
                    handlers.push(node);
                }
            });
        }
    }
    for node in handlers {
        let NodeKind::Try { var, handler, .. } = program.nodes[node].kind else { continue };
        let (ty, span) = (program.ty(handler), program.span(handler));
        let (exn, bool) = (program.types.exn, program.types.bool);
        let read = |program: &mut Program<Mono>| {
            program.add(NodeKind::Var { var, tyargs: Vec::new() }, exn, span)
        };
        let argument = read(&mut program);
        let function = NodeKind::Var { var: unwinds, tyargs: Vec::new() };
        let func = program.add(function, program.vars[unwinds].ty, span);
        let callee = Callee::Unknown;
        let cond = program.add(NodeKind::Apply { func, args: vec![argument], callee }, bool, span);
        let again = read(&mut program);
        let then = program.add(NodeKind::Raise(again), ty, span);
        let guarded = program.add(NodeKind::If { cond, then, otherwise: handler }, ty, span);
        if let NodeKind::Try { handler, .. } = &mut program.nodes[node].kind {
            *handler = guarded;
        }
    }
    program
}
