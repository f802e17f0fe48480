//! Lets a program that handles `Stack_overflow` by name raise it.
//!
//! ```text
//! before   fn @deep(n) = 1 + deep(n + 1)              … try deep 0 with Stack_overflow -> …
//! after    fn @deep(n) = if stack_low () then raise Stack_overflow else 1 + deep(n + 1)
//! ```
//!
//! An overflow is otherwise found by a guard page, at no cost, and ends the program with
//! OCaml's message: no frame can be left in order at that point. So only a program that
//! names the exception in a handler of its own pays for a test at the start of every
//! function that calls another. A handler for every exception does not count.
//!
//! So does a program with effects: the stacks of fibres have no guard (decision 99).
//!
//! Phase: Mono -> Mono. Needs: nothing. Before `closure_repr`, since functions begin to raise.

use oxbow_psg::{Const, ExnId, Key, LambdaId, Mono, NodeKind, Prim, Program, walk};

/// Adds the tests, if the program wants them.
pub fn run(mut program: Program<Mono>) -> Program<Mono> {
    let Some(overflow) = program.well_known.exns.stack_overflow else { return program };
    // Between the stacks of fibres there is no guard.
    if program.well_known.fiber.is_none() && !is_handled(&program, overflow) {
        return program;
    }
    for lambda in walk::reachable_lambdas(&program) {
        if calls_something(&program, lambda) {
            test_first(&mut program, lambda, overflow);
        }
    }
    program
}

/// Does code of the user's own name the exception in a match?
pub(crate) fn is_handled<P>(program: &Program<P>, overflow: ExnId) -> bool {
    let mut found = false;
    for item in program.items.iter().filter(|it| !it.library) {
        for root in item.kind.roots() {
            walk::for_each_node(program, root, |node| {
                if let NodeKind::Switch { cases, .. } = &program.nodes[node].kind {
                    found |= cases.iter().any(|it| it.0 == Key::Exn(overflow));
                }
            });
        }
    }
    found
}

fn calls_something(program: &Program<Mono>, lambda: LambdaId) -> bool {
    let mut found = false;
    walk::for_each_node_in_function(program, program.lambdas[lambda].body, |node| {
        found |= matches!(program.nodes[node].kind, NodeKind::Apply { .. });
    });
    found
}

fn test_first(program: &mut Program<Mono>, lambda: LambdaId, overflow: ExnId) {
    let body = program.lambdas[lambda].body;
    let (ty, span) = (program.ty(body), program.span(body));
    let (unit, bool, exn) = (program.types.unit, program.types.bool, program.types.exn);
    let argument = program.add(NodeKind::Const(Const::Unit), unit, span);
    let cond =
        program.add(NodeKind::Prim { prim: Prim::StackLow, args: vec![argument] }, bool, span);
    let exception = program.add(NodeKind::MakeExn { exn: overflow, args: Vec::new() }, exn, span);
    let then = program.add(NodeKind::Raise(exception), ty, span);
    let kind = NodeKind::If { cond, then, otherwise: body };
    program.lambdas[lambda].body = program.add(kind, ty, span);
}
