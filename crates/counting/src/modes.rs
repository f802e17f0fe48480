//! One region for all rounds of a loop.
//!
//! ```text
//! ^loop:                          %r = region.enter
//!   %r = region.enter             ^loop:
//!   …                               …
//!   region.leave %r                 region.reset %r
//!   br ^loop                        br ^loop
//!                                 ^end:
//!                                   region.leave %r
//! ```
//!
//! What a round has made is dead when the next begins: that is where its region was left. So the
//! region is entered once, before the outermost loop around it, and emptied instead of left: its first page
//! stays at hand. On the edges that lead out of the loop it is left, unless what is
//! in it is still needed there; then it is left later, as before.

use oxbow_dialect::inspect::{
    insert_before, move_before, ops_of, reverse_postorder, set_successor, uses_of,
};
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{BlockLike, Type, ValueLike};
use oxbow_dialect::op::{DialectOp, RegionEnter, RegionLeave, RegionReset};
use oxbow_dialect::{Block, Builder, Op, region_of};

use crate::graph::{Graph, id};

pub fn run<'c>(function: Op<'c>, build: &mut Builder<'c>) {
    let blocks = reverse_postorder(region_of(function));
    let enters: Vec<RegionEnter<'c>> =
        blocks.iter().flat_map(|&it| ops_of(it)).filter_map(RegionEnter::cast).collect();
    for enter in enters {
        // Edges may have got blocks of their own.
        Loops::new(function).move_out(enter, build);
    }
}

struct Loops<'c> {
    function: Op<'c>,
    blocks: Vec<Block<'c>>,
    graph: Graph,
}

impl<'c> Loops<'c> {
    fn new(function: Op<'c>) -> Self {
        let blocks = reverse_postorder(region_of(function));
        let graph = Graph::new(&blocks);
        Self { function, blocks, graph }
    }

    fn number(&self, op: Op<'c>) -> usize {
        let block = oxbow_dialect::inspect::block_of(op);
        self.blocks.iter().position(|it| id(*it) == id(block)).expect("the op is in the function")
    }

    /// The blocks of the outermost loop around a block, with its first.
    fn around(&self, block: usize) -> Option<(usize, Vec<bool>)> {
        // In reverse postorder the head of an outer loop comes first.
        (0..self.blocks.len()).find_map(|head| {
            let mut inside = vec![false; self.blocks.len()];
            inside[head] = true;
            let mut work: Vec<usize> = self.graph.before[head]
                .iter()
                .copied()
                .filter(|&it| self.graph.dominators.dominates(head, it))
                .collect();
            if work.is_empty() {
                return None;
            }
            while let Some(at) = work.pop() {
                if !inside[at] {
                    inside[at] = true;
                    work.extend(&self.graph.before[at]);
                }
            }
            inside[block].then_some((head, inside))
        })
    }

    fn move_out(&self, enter: RegionEnter<'c>, build: &mut Builder<'c>) {
        let region = enter.region();
        let Some((head, inside)) = self.around(self.number(enter.op())) else { return };
        let home = self.graph.dominators.above(head);
        let leaves: Vec<Op<'c>> = uses_of(region)
            .into_iter()
            .filter_map(|it| RegionLeave::cast(it.0).map(RegionLeave::op))
            .collect();
        let left: Vec<usize> = leaves.iter().map(|it| self.number(*it)).collect();
        if head == 0 || !left.iter().any(|&it| inside[it]) {
            return;
        }
        for &leave in leaves.iter().filter(|it| inside[self.number(**it)]) {
            build.location = leave.location();
            let reset = RegionReset::of(build.create(&RegionReset::draft(region)));
            reset.set_walked(enter.walked());
            insert_before(leave, reset.op());
            oxbow_dialect::inspect::erase(leave);
        }
        build.location = enter.op().location();
        let mut targets: Vec<(usize, usize, usize)> = Vec::new();
        for from in (0..self.blocks.len()).filter(|it| inside[*it]) {
            for (edge, &to) in self.graph.next[from].iter().enumerate() {
                if !inside[to] && !self.is_needed(to, home, &left, &inside) {
                    targets.push((from, edge, to));
                }
            }
        }
        for (from, edge, to) in targets {
            let leave = RegionLeave::of(build.create(&RegionLeave::draft(region)));
            leave.set_walked(enter.walked());
            if self.graph.before[to].len() == 1 {
                insert_first(self.blocks[to], leave.op());
            } else {
                self.split(build, from, edge, to, leave.op());
            }
        }
        let last = ops_of(self.blocks[home]).last().expect("a block has a last op");
        move_before(enter.op(), last);
    }

    /// Is the region left on the way from a block, other than by entering it anew?
    fn is_needed(&self, from: usize, home: usize, left: &[usize], inside: &[bool]) -> bool {
        let mut seen = vec![false; self.blocks.len()];
        let mut work = vec![from];
        while let Some(at) = work.pop() {
            if seen[at] || inside[at] || at == home {
                continue;
            }
            seen[at] = true;
            if left.contains(&at) {
                return true;
            }
            work.extend(&self.graph.next[at]);
        }
        false
    }

    /// An edge with a block of its own, in which the op goes.
    fn split(&self, build: &mut Builder<'c>, from: usize, edge: usize, to: usize, op: Op<'c>) {
        let target = self.blocks[to];
        let count = target.argument_count();
        let types: Vec<Type<'c>> =
            (0..count).map(|at| build.argument(target, at).r#type()).collect();
        let middle = build.new_block(&types);
        build.place(middle, region_of(self.function));
        build.set_block(middle);
        build.append_op(op);
        let args: Vec<_> = (0..count).map(|at| build.argument(middle, at)).collect();
        build.br(target, &args);
        let last = ops_of(self.blocks[from]).last().expect("a block has a last op");
        set_successor(last, edge, middle);
    }
}

fn insert_first<'c>(block: Block<'c>, op: Op<'c>) {
    let first = ops_of(block).next().expect("a block has a last op");
    insert_before(first, op);
}
