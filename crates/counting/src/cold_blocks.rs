//! Blocks that only failures lead through.
//!
//! ```text
//! ^bad:
//!   ocaml.tail_call @wrong(%place, %v)      cold: @wrong always raises
//! ```
//!
//! A parameter that only such a block takes over stays borrowed, and is duplicated there: whoever calls
//! the function should not count for an error that does not happen.

use oxbow_dialect::op::{View, view};

use crate::ir::Function;

/// For each block, whether it ends in an exception of the function on every path.
pub fn blocks(function: &Function<'_>) -> Vec<bool> {
    let mut cold = vec![false; function.blocks.len()];
    loop {
        let mut changed = false;
        // A later block is seen first, so that one round nearly always does.
        for (at, block) in function.blocks.iter().enumerate().rev() {
            let raises = block.ops.last().is_some_and(|it| match view(it.op) {
                View::Raise(_) => true,
                View::TailCall(it) => it.fails(),
                _ => false,
            });
            let leads = !block.edges.is_empty() && block.edges.iter().all(|it| cold[it.target]);
            if !cold[at] && (raises || leads) {
                cold[at] = true;
                changed = true;
            }
        }
        if !changed {
            return cold;
        }
    }
}
