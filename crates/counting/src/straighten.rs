//! Blocks that follow each other on one path become one.
//!
//! ```text
//!   cf.br ^b(%x)                      …
//! ^b(%y):            // one pred      use %x
//!   use %y
//! ```
//!
//! An argument that one value only can be passed to is that value, and what is known of it, for one
//! that somebody else keeps it alive, is known on.

use oxbow_base::{FxHashMap, FxHashSet};
use oxbow_dialect::inspect::{
    argument, blocks_of, erase, erase_argument, erase_block, key, move_before, operands, ops_of,
    replace_uses, reverse_postorder,
};
use oxbow_dialect::op::{Opcode, Upstream, opcode};
use oxbow_dialect::{Block, Op, region_of};

use crate::graph::{id, last_of, successors};

pub fn run(function: Op<'_>) {
    let order = reverse_postorder(region_of(function));
    let mut incoming: FxHashMap<usize, usize> = FxHashMap::default();
    for next in order.iter().flat_map(|&it| successors(it)) {
        *incoming.entry(id(next)).or_default() += 1;
    }
    // Blocks that nothing reaches branch somewhere too.
    let reached: FxHashSet<usize> = order.iter().map(|&it| id(it)).collect();
    let all = blocks_of(region_of(function));
    let lost = all.into_iter().filter(|it| !reached.contains(&id(*it)));
    for next in lost.flat_map(successors) {
        *incoming.entry(id(next)).or_default() += 1;
    }
    // From the last to the first, so that a block that is joined is whole already.
    for &block in order.iter().rev() {
        let is_jump = |it: &Op<'_>| opcode(*it) == Opcode::Upstream(Upstream::Br);
        let Some(last) = last_of(block).filter(is_jump) else { continue };
        let next = successors(block)[0];
        if incoming[&id(next)] == 1 && id(next) != id(order[0]) && id(next) != id(block) {
            join(last, next);
        }
    }
}

fn join<'c>(branch: Op<'c>, next: Block<'c>) {
    for (index, value) in operands(branch).into_iter().enumerate().rev() {
        let argument = argument(next, index);
        debug_assert_ne!(key(argument), key(value), "a block is not its own predecessor here");
        replace_uses(argument, value);
        erase_argument(next, index);
    }
    for op in ops_of(next).collect::<Vec<_>>() {
        move_before(op, branch);
    }
    erase(branch);
    erase_block(next);
}
