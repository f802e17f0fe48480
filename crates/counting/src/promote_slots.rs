//! Variables of a frame become values.
//!
//! ```text
//! %s = slot.new                           br ^loop(%a)
//! slot.store %a to %s                     ^loop(%z):
//! br ^loop                                  %n = call @right(%z)
//! ^loop:                                    br ^loop(%n)
//!   %z = slot.load %s
//!   %n = call @right(%z)
//!   slot.store %n to %s
//!   br ^loop
//! ```
//!
//! A value that is read from a variable needs a reference of its own as soon as somebody takes it over, since the
//! variable has one, too. As an argument of a block it has one owner, who hands it on: what replaces it can lie in its
//! cell. Variables that closures share keep their slots, and so do those of numbers, which count nothing.
//!
//! Needs: no references are counted. A variable is set on every path before it is read; else it stays a slot.

use oxbow_base::{FxHashMap, FxHashSet};
use oxbow_dialect::inspect::{
    argument, block_of, erase, key, operands, ops_of, replace_uses, reverse_postorder,
    set_successor, uses_of,
};
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{BlockLike, Type, ValueLike};
use oxbow_dialect::op::{
    DialectOp, Opcode, SlotLoad, SlotNew, SlotStore, Upstream, View, opcode, view,
};
use oxbow_dialect::{Block, Builder, OcamlType, Op, Val, region_of};

use crate::graph::{Graph, id, last_of};
use crate::ir::is_counted;

pub fn run<'c>(function: Op<'c>, build: &mut Builder<'c>) {
    let slots: Vec<SlotNew<'c>> = reverse_postorder(region_of(function))
        .into_iter()
        .flat_map(ops_of)
        .filter_map(SlotNew::cast)
        .filter(|it| is_counted(it.slot().r#type().element()) && is_private(*it))
        .collect();
    for slot in slots {
        let blocks = reverse_postorder(region_of(function));
        if let Some(plan) = Plan::new(slot, &blocks) {
            plan.carry_out(function, build);
        }
    }
}

/// Is it only read and written here?
fn is_private(slot: SlotNew<'_>) -> bool {
    uses_of(slot.slot()).into_iter().all(|(op, at)| match view(op) {
        View::SlotLoad(_) => true,
        View::SlotStore(_) => at != SlotStore::VALUE,
        _ => false,
    })
}

/// What a variable holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    /// The value of the store with this number.
    Stored(usize),
    /// What an edge brings to this block.
    Argument(usize),
}

/// Where a variable becomes an argument, and what it holds at the end of each block.
struct Plan<'a, 'c> {
    slot: SlotNew<'c>,
    blocks: &'a [Block<'c>],
    graph: Graph,
    /// The accesses of each block, in order.
    accesses: Vec<Vec<Op<'c>>>,
    stores: Vec<SlotStore<'c>>,
    /// At the start and the end of blocks, where it is read later.
    starts: Vec<Option<Held>>,
    ends: Vec<Option<Held>>,
}

impl<'a, 'c> Plan<'a, 'c> {
    /// None if the variable may be read before it is set.
    fn new(slot: SlotNew<'c>, blocks: &'a [Block<'c>]) -> Option<Self> {
        let numbers: FxHashMap<usize, usize> =
            blocks.iter().enumerate().map(|(at, it)| (id(*it), at)).collect();
        let mut used: FxHashSet<usize> = FxHashSet::default();
        for (op, _) in uses_of(slot.slot()) {
            // Nobody comes to a block without a number.
            used.insert(*numbers.get(&id(block_of(op)))?);
        }
        let is_access = |it: &Op<'c>| match view(*it) {
            View::SlotLoad(load) => key(load.slot()) == key(slot.slot()),
            View::SlotStore(store) => key(store.slot()) == key(slot.slot()),
            _ => false,
        };
        let accesses: Vec<Vec<Op<'c>>> = (0..blocks.len())
            .map(|at| match used.contains(&at) {
                true => ops_of(blocks[at]).filter(is_access).collect(),
                false => Vec::new(),
            })
            .collect();
        let none = vec![None; blocks.len()];
        let graph = Graph::new(blocks);
        let (starts, ends) = (none.clone(), none);
        let mut plan = Self { slot, blocks, graph, accesses, stores: Vec::new(), starts, ends };
        let live = plan.live();
        if live[0] {
            return None;
        }
        plan.find_ends(&live);
        plan.drop_needless();
        Some(plan)
    }

    /// For each block whether the variable is read behind its start before it is set.
    fn live(&self) -> Vec<bool> {
        let mut live = vec![false; self.blocks.len()];
        let mut work: Vec<usize> = Vec::new();
        for (at, accesses) in self.accesses.iter().enumerate() {
            if accesses.first().is_some_and(|it| opcode(*it) == Opcode::SlotLoad) {
                work.push(at);
            }
        }
        while let Some(at) = work.pop() {
            if std::mem::replace(&mut live[at], true) {
                continue;
            }
            let sets =
                |it: &usize| self.accesses[*it].iter().any(|it| opcode(*it) == Opcode::SlotStore);
            work.extend(self.graph.before[at].iter().copied().filter(|it| !sets(it)));
        }
        live
    }

    /// Every block that several edges lead to has an argument at first.
    fn find_ends(&mut self, live: &[bool]) {
        for at in 0..self.blocks.len() {
            if live[at] {
                self.starts[at] = match self.graph.before[at][..] {
                    // A block comes behind the one that leads to it alone.
                    [before] => self.ends[before],
                    _ => Some(Held::Argument(at)),
                };
            }
            self.ends[at] = self.starts[at];
            for &op in &self.accesses[at] {
                if let Some(store) = SlotStore::cast(op) {
                    self.ends[at] = Some(Held::Stored(self.stores.len()));
                    self.stores.push(store);
                }
            }
        }
    }

    /// An argument that all edges bring the same value to is that value.
    fn drop_needless(&mut self) {
        let mut known: FxHashMap<usize, Held> = FxHashMap::default();
        loop {
            let mut changed = false;
            for at in 0..self.blocks.len() {
                if self.starts[at] != Some(Held::Argument(at)) || known.contains_key(&at) {
                    continue;
                }
                let brought = self.graph.before[at].iter().filter_map(|it| self.ends[*it]);
                let mut others = brought.map(|it| resolve(&known, it));
                let own = Held::Argument(at);
                let first = others.by_ref().find(|it| *it != own);
                if let Some(first) = first
                    && others.all(|it| it == own || it == first)
                {
                    known.insert(at, first);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for held in self.starts.iter_mut().chain(&mut self.ends).flatten() {
            *held = resolve(&known, *held);
        }
    }

    fn carry_out(self, function: Op<'c>, build: &mut Builder<'c>) {
        let ty = self.slot.slot().r#type().element();
        build.location = self.slot.op().location();
        let mut arguments: FxHashMap<usize, Val<'c>> = FxHashMap::default();
        for at in 0..self.blocks.len() {
            if self.starts[at] == Some(Held::Argument(at)) {
                let index = self.blocks[at].argument_count();
                self.blocks[at].add_argument(ty, build.location);
                arguments.insert(at, argument(self.blocks[at], index));
            }
        }
        // What a store stores may have been read from the variable itself.
        let mut stored: Vec<Val<'c>> = self.stores.iter().map(|it| it.value()).collect();
        let mut number = 0;
        for at in 0..self.blocks.len() {
            let mut held = self.starts[at];
            for &op in &self.accesses[at] {
                match SlotLoad::cast(op) {
                    Some(load) => {
                        let value = match held.expect("it is set before it is read") {
                            Held::Stored(at) => stored[at],
                            Held::Argument(at) => arguments[&at],
                        };
                        for it in stored.iter_mut().filter(|it| key(**it) == key(load.value())) {
                            *it = value;
                        }
                        replace_uses(load.value(), value);
                    }
                    None => {
                        held = Some(Held::Stored(number));
                        number += 1;
                    }
                }
            }
        }
        for at in (0..self.blocks.len()).filter(|it| arguments.contains_key(it)) {
            for &before in &self.graph.before[at] {
                let value = match self.ends[before].expect("it is set where it is needed") {
                    Held::Stored(at) => stored[at],
                    Held::Argument(at) => arguments[&at],
                };
                self.pass(function, build, (before, at), value);
            }
        }
        self.accesses.iter().flatten().for_each(|it| erase(*it));
        erase(self.slot.op());
    }

    /// All edges from one block to another bring one more value.
    fn pass(
        &self,
        function: Op<'c>,
        build: &mut Builder<'c>,
        (from, to): (usize, usize),
        value: Val<'c>,
    ) {
        let (block, target) = (self.blocks[from], self.blocks[to]);
        let last = last_of(block).expect("a block has a last op");
        build.location = last.location();
        if opcode(last) == Opcode::Upstream(Upstream::Br) {
            let mut args = operands(last);
            args.push(value);
            erase(last);
            build.set_block(block);
            build.br(target, &args);
            return;
        }
        // Both may lead there, and each of the two is seen here once.
        let leads = |it: &usize| id(oxbow_dialect::inspect::successors(last)[*it]) == id(target);
        let Some(edge) = (0..last.successor_count()).find(leads) else { return };
        let count = target.argument_count() - 1;
        let types: Vec<Type<'c>> = (0..count).map(|at| argument(target, at).r#type()).collect();
        let middle = build.new_block(&types);
        build.place(middle, region_of(function));
        build.set_block(middle);
        let mut args: Vec<_> = (0..count).map(|at| argument(middle, at)).collect();
        args.push(value);
        build.br(target, &args);
        set_successor(last, edge, middle);
    }
}

fn resolve(known: &FxHashMap<usize, Held>, held: Held) -> Held {
    let mut held = held;
    while let Held::Argument(at) = held
        && let Some(&next) = known.get(&at)
    {
        held = next;
    }
    held
}
