//! What is read from changeable memory and needs no reference of its own.
//!
//! The place keeps the value as long as nothing changes places of its kind. So a value that is only
//! looked at, with its parts, is lent if no op between the read and its last use can change the place: on
//! any path, over branches and loops.

use oxbow_base::{FxHashMap, IdVec};

use crate::effects::{Place, place};
use crate::ir::{Def, Function, OpIr, Program, Uses, ValueId};
use crate::live::Set;
use crate::uses::Use;

pub struct Lending<'a, 'c> {
    program: &'a Program<'c>,
    function: &'a Function<'c>,
    uses: IdVec<ValueId, Uses>,
    /// For each block, the ops that can change a place; empty if none of the function can.
    changes: FxHashMap<Place, Vec<Vec<u32>>>,
}

impl<'a, 'c> Lending<'a, 'c> {
    pub fn new(program: &'a Program<'c>, function: &'a Function<'c>) -> Self {
        Self { program, function, uses: function.uses(), changes: FxHashMap::default() }
    }

    /// Is the value that this op reads lent? `takes` says whether a use takes its operand over.
    pub fn is_lent(
        &mut self,
        value: ValueId,
        (block, at): (u32, u32),
        takes: impl Fn(&OpIr<'c>, Use) -> bool,
    ) -> bool {
        let load = self.op(block, at);
        let Some(what) = place(load.op) else { return false };
        let is_taken = self.uses[value].ops.iter().any(|&(block, at)| {
            let op = self.op(block, at);
            op.operands.iter().any(|it| it.0 == value && takes(op, it.1))
        });
        if is_taken || !self.uses[value].passed.is_empty() {
            return false;
        }
        let (program, function) = (self.program, self.function);
        let changes = self.changes.entry(what).or_insert_with(|| changes(program, function, what));
        if changes.is_empty() {
            return true;
        }
        let changes = &self.changes[&what];
        let unchanged = |block: u32, from: u32, to: u32| {
            !changes[block as usize].iter().any(|it| (from..to).contains(it))
        };
        let last = self.last_uses(value);
        // Back from the uses; the value is not needed before it is made.
        let mut needed = vec![false; function.blocks.len()];
        let mut waiting: Vec<u32> = last.keys().copied().filter(|it| *it != block).collect();
        let (mut all, mut leaves) = (Vec::new(), false);
        while let Some(next) = waiting.pop() {
            if std::mem::replace(&mut needed[next as usize], true) {
                continue;
            }
            all.push(next);
            for &before in &function.blocks[next as usize].predecessors {
                leaves |= before == block;
                waiting.extend((before != block).then_some(before));
            }
        }
        let end = |block: u32, leaves: bool| match last.get(&block) {
            Some(&last) if !leaves => last + 1,
            _ => function.blocks[block as usize].ops.len() as u32,
        };
        let goes_on =
            |block: u32| function.blocks[block as usize].edges.iter().any(|it| needed[it.target]);
        unchanged(block, at + 1, end(block, leaves))
            && all.iter().all(|&block| unchanged(block, 0, end(block, goes_on(block))))
    }

    fn op(&self, block: u32, at: u32) -> &'a OpIr<'c> {
        &self.function.blocks[block as usize].ops[at as usize]
    }

    /// For each block, the last op that uses the value or what may be a part of it.
    fn last_uses(&self, value: ValueId) -> FxHashMap<u32, u32> {
        let mut last: FxHashMap<u32, u32> = FxHashMap::default();
        let mut seen = Set::new(self.function.value_count());
        let mut waiting = vec![value];
        while let Some(value) = waiting.pop() {
            if seen.contains(value) {
                continue;
            }
            seen.insert(value);
            for &(block, at) in self.uses[value].ops.iter().chain(&self.uses[value].passed) {
                let known = last.entry(block).or_default();
                *known = at.max(*known);
                waiting.extend(self.op(block, at).results.iter().copied().filter(|&it| {
                    matches!(
                        self.function.values[it].def,
                        Def::Part { .. }
                            | Def::Load { .. }
                            | Def::Kept { .. }
                            | Def::Select
                            | Def::Pair
                    )
                }));
            }
        }
        last
    }
}

/// What changes a place: also a read that leaves nothing there, since whoever has the value may give it up.
fn changes(program: &Program<'_>, function: &Function<'_>, what: Place) -> Vec<Vec<u32>> {
    let moves = |at: (u32, u32), op: &OpIr<'_>| {
        function.moves.reads.contains(&at) && place(op.op) == Some(what)
    };
    let changes: Vec<Vec<u32>> = function
        .blocks
        .iter()
        .zip(0..)
        .map(|(block, number)| {
            let changing = block.ops.iter().zip(0..).filter(|&(op, at)| {
                program.effects.changes(op.op, what, &program.by_name) || moves((number, at), op)
            });
            changing.map(|it| it.1).collect()
        })
        .collect();
    if changes.iter().all(Vec::is_empty) { Vec::new() } else { changes }
}
