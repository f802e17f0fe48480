//! Blocks of which nothing is seen but one exception: it does not matter when they raise it.

use oxbow_base::IdSet;

use super::hoist::raised;
use super::ir::{BlockId, Code, End, Op, Stmt, ValueId};

/// They have no effects but those that `allowed` lets pass, end, and only tests raise, all of them the same exception.
pub fn is_quiet(
    code: &Code,
    inside: &IdSet<BlockId>,
    allowed: impl Fn(&Op, &[ValueId]) -> bool,
) -> bool {
    let mut exception = None;
    let mut raising = IdSet::new();
    for id in inside.iter() {
        for stmt in &code.blocks[id].stmts {
            let quiet = match stmt {
                Stmt::Op { op, args, .. } => allowed(op, args),
                Stmt::Branch { .. } => true,
                Stmt::Loop(it) => it.counted.is_some(),
                Stmt::Guard { arms, .. } => {
                    let this = raised(code, arms);
                    let same = exception.is_none() || exception == this;
                    arms.iter().flatten().for_each(|&it| {
                        raising.insert(it);
                    });
                    exception = this;
                    exception.is_some() && same
                }
                Stmt::Recursion(_) | Stmt::Recur { .. } => false,
            };
            if !quiet {
                return false;
            }
        }
    }
    let raises = |it| matches!(code.blocks[it].end, End::Raise(_));
    inside.iter().all(|it| !raises(it) || raising.contains(it))
}
