//! What is read from a place that is overwritten next is moved out of it.
//!
//! ```text
//! %z = global_load @z                     %z = global_load @z; global_store (no_value) to @z
//! dup %z                                  %n = call @right(%z)
//! %n = call @right(%z)                    global_store %n to @z
//! %old = global_load @z
//! global_store %n to @z
//! drop %old
//! ```
//!
//! A value that is read from memory has two owners as soon as somebody takes it over, so what `right` takes apart could
//! not be used again. Where every way from the read leads to a store to the same place, and nothing on it can read the
//! place, change it or leave the function, the reference goes from the place to the reader. Until the store, the
//! place holds nothing, which the scan for cycles may see and the store may drop.
//!
//! A call that may raise has a way that leads elsewhere: the place must keep its value for it.
//!
//! Often the value is looked at first, and only some ways lead to a store (decision 222):
//!
//! ```text
//! %q = global_load @q                     %q = global_load @q
//! if empty %q then … else                 if empty %q then … else %q' = global_load @q
//!   take %q apart; store its rest to @q     take %q' apart; store its rest to @q
//! ```
//!
//! There it is read again where all ways do, before anything else happens ([`read_again`]), and that read is a move.

use oxbow_base::{FxHashMap, FxHashSet, IdVec, SparseSet};
use oxbow_dialect::inspect::{
    argument, block_of, copy_of, definition, insert_before, key, ops_of, set_operand, uses_of,
};
use oxbow_dialect::melior::ir::BlockLike;
use oxbow_dialect::op::{DialectOp, GlobalLoad, Opcode, View, view};
use oxbow_dialect::{Block, Op, Val, result_of};

use crate::effects::{Place, place};
use crate::graph::{self, Dominators};
use crate::ir::{Def, Function, Program, Uses, ValueId};
use crate::uses::Use;

/// How many blocks are looked at for one read.
const MOST_BLOCKS: usize = 100;

/// Of one function.
#[derive(Default)]
pub struct Moves {
    /// Reads that leave nothing behind, by block and number.
    pub reads: FxHashSet<(u32, u32)>,
    /// Stores that find nothing to drop.
    pub stores: FxHashSet<(u32, u32)>,
}

/// Finds the reads of a function that can be moves. What functions `outside` read must always have a value.
pub fn find(program: &Program<'_>, function: &Function<'_>, outside: &[usize]) -> Moves {
    let mut moves = Moves::default();
    let uses = function.uses();
    for id in function.ids() {
        let Def::Load { block, at, .. } = function.values[id].def else { continue };
        let op = function.blocks[block as usize].ops[at as usize].opcode;
        if !matches!(op, Opcode::BlockLoad | Opcode::ArrayGet | Opcode::GlobalLoad) {
            continue;
        }
        let search = Search { program, function, outside };
        if may_be_taken(function, &uses, id, |_| true)
            && let Some(stores) = search.stores(id, (block, at))
        {
            moves.reads.insert((block, at));
            moves.stores.extend(stores);
        }
    }
    moves
}

/// Does something in these blocks want to own the value or a part of it?
fn may_be_taken(
    function: &Function<'_>,
    uses: &IdVec<ValueId, Uses>,
    value: ValueId,
    counts: impl Fn(u32) -> bool,
) -> bool {
    let mut seen: SparseSet<ValueId> = SparseSet::new();
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        if !seen.insert(value) {
            continue;
        }
        let used = &uses[value];
        if used.passed.iter().any(|it| counts(it.0)) {
            return true;
        }
        for &(block, at) in &used.ops {
            let op = &function.blocks[block as usize].ops[at as usize];
            let takes = op.operands.iter().any(|it| it.0 == value && it.1 != Use::Borrow);
            if takes && counts(block) {
                return true;
            }
            let is_part = |it: &&ValueId| matches!(function.values[**it].def, Def::Part { .. });
            waiting.extend(op.results.iter().filter(is_part));
        }
    }
    false
}

/// A read that is to be made again at the beginning of a block, for the uses in some blocks.
pub struct Again<'c> {
    read: Op<'c>,
    at: Block<'c>,
    uses: FxHashSet<usize>,
}

/// Reads that become moves if they are made again, where only some ways lead to a store.
pub fn reads_to_repeat<'c>(program: &Program<'c>) -> Vec<Again<'c>> {
    // As for moves: another domain may look at the place.
    if program.domains {
        return Vec::new();
    }
    let outside = called_at_any_time(program);
    program.functions.iter().flat_map(|it| find_again(program, it, &outside)).collect()
}

/// The functions that the runtime may call, for one when memory is used up.
pub fn called_at_any_time(program: &Program<'_>) -> Vec<usize> {
    let is_called = |it: &&str| *it != oxbow_abi::PROGRAM_MAIN;
    let entries = oxbow_abi::PROGRAM_ENTRIES.into_iter().filter(is_called);
    entries.filter_map(|it| program.by_name.get(it).copied()).collect()
}

/// Finds the reads of a function that can be moves from one of the next blocks on.
fn find_again<'c>(
    program: &Program<'c>,
    function: &Function<'c>,
    outside: &[usize],
) -> Vec<Again<'c>> {
    let mut found = Vec::new();
    let (mut uses, mut dominators) = (None, None);
    for id in function.ids() {
        let Def::Load { block, at, .. } = function.values[id].def else { continue };
        let it = &function.blocks[block as usize];
        let load = &it.ops[at as usize];
        if !matches!(load.opcode, Opcode::BlockLoad | Opcode::ArrayGet | Opcode::GlobalLoad)
            || it.edges.len() < 2
        {
            continue;
        }
        let search = Search { program, function, outside };
        for next in search.next_blocks((block, at)) {
            let uses = uses.get_or_insert_with(|| function.uses());
            let dominators = dominators.get_or_insert_with(|| {
                let before = function.blocks.iter().map(|it| &it.predecessors);
                let wide = |it: &Vec<u32>| it.iter().map(|&it| it as usize).collect();
                Dominators::new(&before.map(wide).collect::<Vec<_>>())
            });
            let is_inside = |it: u32| dominators.dominates(next as usize, it as usize);
            if may_be_taken(function, uses, id, is_inside) {
                let inside = (0..function.blocks.len()).filter(|&it| is_inside(it as u32));
                let inside = inside.map(|it| graph::id(function.blocks[it].block)).collect();
                let at = function.blocks[next as usize].block;
                found.push(Again { read: load.op, at, uses: inside });
            }
        }
    }
    found
}

/// Makes reads again.
pub fn read_again(reads: &[Again<'_>]) {
    for Again { read, at, uses } in reads {
        let first = ops_of(*at).next().expect("a block has a terminator");
        let copy = copy_of(*read);
        insert_before(first, copy);
        for (user, index) in uses_of(result_of(*read, 0)) {
            if uses.contains(&graph::id(block_of(user))) {
                set_operand(user, index, result_of(copy, 0));
            }
        }
    }
}

struct Search<'a, 'c> {
    program: &'a Program<'c>,
    function: &'a Function<'c>,
    outside: &'a [usize],
}

/// What an op means for a place that holds nothing.
enum Meaning {
    Nothing,
    /// It gets a value again.
    Store,
    Trouble,
}

impl<'c> Search<'_, 'c> {
    /// The blocks behind the one of a read in which every way leads to a store, if nothing before them touches the
    /// place.
    fn next_blocks(&self, read: (u32, u32)) -> Vec<u32> {
        let it = &self.function.blocks[read.0 as usize];
        let load = it.ops[read.1 as usize].op;
        let Some(what) = place(load) else { return Vec::new() };
        let address = address(load);
        let touched =
            it.ops.iter().skip(read.1 as usize + 1).any(|op| {
                !matches!(self.meaning(op.op, op.opcode, &address, what), Meaning::Nothing)
            });
        if touched || self.is_read_outside(what) {
            return Vec::new();
        }
        let targets = it.edges.iter().map(|it| it.target as u32);
        let alone = targets.filter(|&it| self.function.blocks[it as usize].incoming == 1);
        alone.filter(|&it| self.ways(&address, what, (it, 0)).is_some()).collect()
    }

    fn is_read_outside(&self, what: Place) -> bool {
        self.outside.iter().any(|it| self.program.effects.function_reads(*it, what))
    }

    /// The stores behind a read, if every way leads to one. Those that only this read leads to are the result.
    fn stores(&self, value: ValueId, read: (u32, u32)) -> Option<Vec<(u32, u32)>> {
        let load = self.function.blocks[read.0 as usize].ops[read.1 as usize].op;
        let what = place(load)?;
        if self.is_read_outside(what) {
            return None;
        }
        debug_assert!(self.function.values[value].place == read, "the read makes the value");
        let address = address(load);
        let hits = self.ways(&address, what, (read.0, read.1 + 1))?;
        let follows: FxHashSet<(u32, u32)> = hits
            .iter()
            .flat_map(|&(block, at)| self.reached(read, (block, at + 1), &hits))
            .collect();
        let entered = self.reached(read, (0, 0), &hits);
        Some(hits.into_iter().filter(|it| !follows.contains(it) && !entered.contains(it)).collect())
    }

    /// The first stores on all ways from an op.
    fn ways(&self, address: &[Val<'c>], what: Place, from: (u32, u32)) -> Option<Vec<(u32, u32)>> {
        let mut hits = Vec::new();
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut work = vec![from];
        while let Some((block, first)) = work.pop() {
            let it = &self.function.blocks[block as usize];
            let mut goes_on = true;
            for (at, op) in it.ops.iter().enumerate().skip(first as usize) {
                match self.meaning(op.op, op.opcode, address, what) {
                    Meaning::Nothing => (),
                    Meaning::Store => {
                        hits.push((block, at as u32));
                        goes_on = false;
                        break;
                    }
                    Meaning::Trouble => return None,
                }
            }
            if !goes_on {
                continue;
            }
            if it.edges.is_empty() {
                return None;
            }
            for edge in &it.edges {
                let target = edge.target as u32;
                let next = self.function.blocks[edge.target].block;
                // The place would be another one.
                if address.iter().any(|it| is_argument_of(*it, next)) {
                    return None;
                }
                if seen.insert(target) {
                    work.push((target, 0));
                }
            }
            if seen.len() > MOST_BLOCKS {
                return None;
            }
        }
        hits.sort_unstable();
        hits.dedup();
        (!hits.is_empty()).then_some(hits)
    }

    fn meaning(&self, op: Op<'c>, opcode: Opcode, address: &[Val<'c>], what: Place) -> Meaning {
        let effects = &self.program.effects;
        let stores =
            matches!(view(op), View::BlockStore(_) | View::ArraySet(_) | View::GlobalStore(_));
        if stores && place(op) == Some(what) && self.is_same(&self::address(op), address) {
            return Meaning::Store;
        }
        let leaves = matches!(
            opcode,
            Opcode::Return | Opcode::Raise | Opcode::TailCall | Opcode::TailInvoke
        );
        let defines = address
            .iter()
            .any(|it| definition(*it) == Some(op) && self.constant_global(*it).is_none());
        let touches = effects.changes(op, what, &self.program.by_name)
            || effects.reads(op, what, &self.program.by_name);
        if leaves || defines || touches { Meaning::Trouble } else { Meaning::Nothing }
    }

    /// Do both say the same place?
    fn is_same(&self, a: &[Val<'c>], b: &[Val<'c>]) -> bool {
        let same = |a: Val<'c>, b: Val<'c>| {
            let global = self.constant_global(a);
            key(a) == key(b) || global.is_some() && global == self.constant_global(b)
        };
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(*a, *b))
    }

    /// The module-level variable that a value is read from, if it is set once.
    fn constant_global(&self, value: Val<'c>) -> Option<&'c str> {
        let global = GlobalLoad::defining(value)?.global();
        (self.program.stores.get(global).copied().unwrap_or(0) <= 1).then_some(global)
    }

    /// Those of some ops that a way leads to which does not come to the read.
    fn reached(
        &self,
        read: (u32, u32),
        from: (u32, u32),
        wanted: &[(u32, u32)],
    ) -> FxHashSet<(u32, u32)> {
        let mut by_block: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for &(block, at) in wanted {
            by_block.entry(block).or_default().push(at);
        }
        let mut found = FxHashSet::default();
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut work = vec![from];
        while let Some((block, first)) = work.pop() {
            let ends = (block == read.0 && read.1 >= first).then_some(read.1);
            let in_block = by_block.get(&block).into_iter().flatten().copied();
            let before_read = |it: &u32| *it >= first && ends.is_none_or(|end| *it < end);
            found.extend(in_block.filter(before_read).map(|at| (block, at)));
            if ends.is_some() {
                continue;
            }
            for edge in &self.function.blocks[block as usize].edges {
                if seen.insert(edge.target as u32) {
                    work.push((edge.target as u32, 0));
                }
            }
        }
        found
    }
}

/// The operands that say which place an op reads or writes.
fn address<'c>(op: Op<'c>) -> Vec<Val<'c>> {
    match view(op) {
        View::BlockLoad(it) => vec![it.block()],
        View::BlockStore(it) => vec![it.block()],
        View::ArrayGet(it) => vec![it.array(), it.index()],
        View::ArraySet(it) => vec![it.array(), it.index()],
        View::GlobalLoad(_) | View::GlobalStore(_) => Vec::new(),
        _ => Vec::new(),
    }
}

fn is_argument_of<'c>(value: Val<'c>, block: Block<'c>) -> bool {
    (0..block.argument_count()).any(|at| key(argument(block, at)) == key(value))
}
