//! The blocks of a function as a graph, and which blocks every way to a block leads through.

use oxbow_base::FxHashMap;
use oxbow_dialect::melior::ir::BlockLike;
use oxbow_dialect::{Block, Op, inspect};

pub fn id(block: Block<'_>) -> usize {
    block.to_raw().ptr as usize
}

pub fn last_of<'c>(block: Block<'c>) -> Option<Op<'c>> {
    inspect::terminator(block)
}

pub fn successors<'c>(block: Block<'c>) -> Vec<Block<'c>> {
    last_of(block).map(inspect::successors).unwrap_or_default()
}

/// The blocks of a function by number, in an order in which dominators come first.
pub struct Graph {
    pub next: Vec<Vec<usize>>,
    pub before: Vec<Vec<usize>>,
    pub dominators: Dominators,
}

impl Graph {
    pub fn new(blocks: &[Block<'_>]) -> Self {
        let numbers: FxHashMap<usize, usize> =
            blocks.iter().enumerate().map(|(at, it)| (id(*it), at)).collect();
        let next: Vec<Vec<usize>> = blocks
            .iter()
            .map(|it| successors(*it).into_iter().map(|it| numbers[&id(it)]).collect())
            .collect();
        let mut before = vec![Vec::new(); blocks.len()];
        for (at, targets) in next.iter().enumerate() {
            targets.iter().for_each(|&it| before[it].push(at));
        }
        let dominators = Dominators::new(&before);
        Self { next, before, dominators }
    }
}

/// For each block the last other one on every way to it. Blocks are in an order in which dominators
/// come first.
pub struct Dominators(Vec<usize>);

impl Dominators {
    /// From the predecessors of each block.
    pub fn new(before: &[Vec<usize>]) -> Self {
        let mut all = Self(vec![usize::MAX; before.len()]);
        all.0[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for block in 1..before.len() {
                let known = before[block].iter().copied().filter(|it| all.0[*it] != usize::MAX);
                let new = known.reduce(|a, b| all.common(a, b)).unwrap_or(usize::MAX);
                changed |= all.0[block] != new;
                all.0[block] = new;
            }
        }
        all
    }

    /// The last block that dominates both.
    pub fn common(&self, a: usize, b: usize) -> usize {
        let (mut a, mut b) = (a, b);
        while a != b {
            if a > b {
                a = self.0[a];
            } else {
                b = self.0[b];
            }
        }
        a
    }

    pub fn dominates(&self, above: usize, below: usize) -> bool {
        self.common(above, below) == above
    }

    /// The last other block on every way to this one.
    pub fn above(&self, block: usize) -> usize {
        self.0[block]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 → 1 → (2 | 3) → 4 → 1, 4 → 5
    #[test]
    fn a_loop_with_a_fork() {
        let it = Dominators::new(&[vec![], vec![0, 4], vec![1], vec![1], vec![2, 3], vec![4]]);
        assert_eq!((1..6).map(|at| it.above(at)).collect::<Vec<_>>(), [0, 1, 1, 1, 4]);
        assert!(it.dominates(1, 5) && !it.dominates(2, 4));
    }
}
