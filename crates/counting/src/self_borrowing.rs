//! Functions that only borrow their own closure.
//!
//! ```text
//! let rec again k = if k = 0 then n else again (k - 1)         reads `n`, and calls itself with itself
//! let rec again k = (fun () -> again k)                        keeps itself in another closure
//! ```
//!
//! Such a function reads captures from its closure, and passes it on to functions of its recursive group at
//! most, which do the same. Whoever called it still has the closure when it ends, also if it ends by a
//! call in tail position.

use oxbow_dialect::op::{Opcode, callee_of};

use crate::ir::{Function, Program, ValueId};
use crate::uses::Use;

/// Finds them all: each is taken for one at first, and those that break the rule are struck off.
pub fn mark(program: &mut Program<'_>) {
    let calls: Vec<Option<Vec<usize>>> =
        program.functions.iter().map(|it| passed_to(program, it)).collect();
    let mut quiet: Vec<bool> = calls.iter().map(Option::is_some).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (at, calls) in calls.iter().enumerate().filter_map(|it| Some((it.0, it.1.as_ref()?))) {
            if quiet[at] && !calls.iter().all(|it| quiet[*it]) {
                quiet[at] = false;
                changed = true;
            }
        }
    }
    for (function, quiet) in program.functions.iter_mut().zip(quiet) {
        function.quiet_env = quiet;
    }
}

/// The functions that are called with the function's own closure; none if it goes elsewhere.
fn passed_to(program: &Program<'_>, function: &Function<'_>) -> Option<Vec<usize>> {
    let env = function.blocks[0].args.first().copied().flatten().filter(|_| function.has_env)?;
    let mut own = vec![env];
    for op in function.ops().filter(|it| it.opcode == Opcode::EnvSelf) {
        own.extend(&op.results);
    }
    let is_own = |it: &ValueId| own.contains(it);
    let edges = function.blocks.iter().flat_map(|it| &it.edges);
    if edges.flat_map(|it| &it.passed).any(|it| is_own(&it.0)) {
        return None;
    }
    let mut calls = Vec::new();
    for op in function.ops() {
        for &(_, how) in op.operands.iter().filter(|it| is_own(&it.0)) {
            match (op.opcode, how) {
                (Opcode::EnvGet | Opcode::EnvSelf, _) => (),
                (Opcode::Call | Opcode::TailCall, Use::Param(0)) => {
                    calls.push(program.by_name[callee_of(op.op)]);
                }
                _ => return None,
            }
        }
    }
    Some(calls)
}
