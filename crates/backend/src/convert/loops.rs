//! Loops that do little besides calling function values.
//!
//! ```text
//! for i = 0 to n - 1 do x := fs.(i) !x done          four calls in each round
//! ```
//!
//! Such a loop takes a jump for each call, one back from it, and one to the next round; processors take one
//! or two jumps at a time and few more. With four calls in a round there is a quarter of the last. LLVM
//! leaves loops with calls as they are unless it is told. It is for functions that change no memory
//! (`reading`): others do more than jumps take.

use std::collections::{HashMap, HashSet};

use oxbow_dialect::inspect::ops_of;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{BlockLike, ValueLike};
use oxbow_dialect::op::{Upstream, View, branch_weights, view};
use oxbow_dialect::{Block, Op, Val};

use super::Converter;

/// The most ops of such a loop.
const MOST_OPS: usize = 40;

impl<'c> Converter<'c> {
    /// The branches that end a round of such a loop, or the loop. Blocks are in an order in which definitions come
    /// before uses.
    pub fn calling_loops(&self, blocks: &[Block<'c>]) -> HashSet<usize> {
        let id = |it: Block<'c>| it.to_raw().ptr as usize;
        let numbers: HashMap<usize, usize> =
            blocks.iter().enumerate().map(|(at, it)| (id(*it), at)).collect();
        let last = |block: Block<'c>| -> Op<'c> {
            let last = block.terminator().expect("a block has a last op");
            // SAFETY: the op lives as long as its module.
            unsafe { Op::from_raw(last.to_raw()) }
        };
        let next: Vec<Vec<usize>> = blocks
            .iter()
            .map(|it| {
                last(*it).successors().map(|it| numbers[&(it.to_raw().ptr as usize)]).collect()
            })
            .collect();
        let mut found = HashSet::new();
        for (end, targets) in next.iter().enumerate() {
            let [start] = targets[..] else { continue };
            if start > end || self.is_measured() {
                continue;
            }
            // What leads to the end of the round without its start.
            let mut inside = HashSet::from([start, end]);
            let mut work = vec![end];
            while let Some(at) = work.pop() {
                for before in (0..blocks.len()).filter(|it| at != start && next[*it].contains(&at))
                {
                    if inside.insert(before) {
                        work.push(before);
                    }
                }
            }
            let is_innermost = inside
                .iter()
                .all(|&at| next[at].iter().all(|it| *it > at || (at, *it) == (end, start)));
            let ops: Vec<Op<'c>> = inside.iter().flat_map(|&at| ops_of(blocks[at])).collect();
            if is_innermost && ops.len() <= MOST_OPS && self.calls_little(&ops) {
                // LLVM may make any of the tests the end of a round.
                for &at in &inside {
                    if next[at].iter().any(|it| *it == start || !inside.contains(it)) {
                        found.insert(last(blocks[at]).to_raw().ptr as usize);
                    }
                }
            }
        }
        found
    }

    /// Are there calls of function values that change nothing, and no other calls?
    fn calls_little(&self, ops: &[Op<'c>]) -> bool {
        let mut calls = 0;
        for &op in ops {
            match view(op) {
                View::Invoke(it) if !self.facts.family_of(it.callee().r#type()).changes => {
                    calls += 1
                }
                View::Invoke(_)
                | View::Call(_)
                | View::RuntimeCall(_)
                | View::ForeignCall(_)
                | View::Upstream(Upstream::Switch, _) => return false,
                _ => (),
            }
        }
        calls > 0
    }

    /// One of those branches, from here to `targets`. It tells LLVM to put several rounds into one.
    pub fn end_round(&self, branch: Op<'c>, operands: &[Val<'c>], targets: &[Block<'c>]) {
        let note = "#llvm.loop_annotation<unroll = <count = 4 : i32>>";
        let mut attributes = vec![("loop_annotation", self.build.parsed(note))];
        let name = match targets {
            [_] => "llvm.br",
            _ => {
                let first = targets[0].argument_count() as i32;
                let sizes = [1, first, operands.len() as i32 - 1 - first];
                attributes.push(("operandSegmentSizes", self.build.i32_list(&sizes)));
                attributes.extend(branch_weights(branch).map(|it| ("branch_weights", it)));
                "llvm.cond_br"
            }
        };
        self.build.op_with_successors(name, operands, &[], &attributes, targets);
    }
}
