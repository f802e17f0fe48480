//! Blocks that only failures lead through.
//!
//! ```text
//! ^bad:
//!   ocaml.tail_call @wrong(%place, %v)      cold: @wrong always raises
//! ```
//!
//! A parameter that only such a block takes over stays borrowed, and is duplicated there: whoever calls
//! the function should not count for an error that does not happen.

use std::collections::HashMap;

use oxbow_dialect::inspect::symbol_attr;

use crate::ir::Function;

/// For each function and block, whether it ends in an exception on every path.
pub fn blocks(functions: &[Function<'_>], by_name: &HashMap<String, usize>) -> Vec<Vec<bool>> {
    let mut fails = vec![false; functions.len()];
    let mut cold: Vec<Vec<bool>> =
        functions.iter().map(|it| vec![false; it.blocks.len()]).collect();
    loop {
        let mut changed = false;
        for (index, function) in functions.iter().enumerate() {
            while round(function, by_name, &fails, &mut cold[index]) {}
            if cold[index].first() == Some(&true) && !fails[index] {
                fails[index] = true;
                changed = true;
            }
        }
        if !changed {
            return cold;
        }
    }
}

/// Marks more blocks; a later block is seen first, so that one round nearly always does.
fn round(
    function: &Function<'_>,
    by_name: &HashMap<String, usize>,
    fails: &[bool],
    cold: &mut [bool],
) -> bool {
    let mut changed = false;
    for (at, block) in function.blocks.iter().enumerate().rev() {
        if cold[at] {
            continue;
        }
        let calls_failing = block.ops.iter().any(|op| {
            matches!(op.name, "ocaml.call" | "ocaml.tail_call")
                && fails[by_name[symbol_attr(op.op, "callee")]]
        });
        let raises = block.ops.last().is_some_and(|it| it.name == "ocaml.raise");
        let leads = !block.edges.is_empty() && block.edges.iter().all(|it| cold[it.target]);
        if calls_failing || raises || leads {
            cold[at] = true;
            changed = true;
        }
    }
    changed
}
