//! Refuses a load of a module-level variable that no store can precede.
//!
//! ```text
//! func @main() { %x = global_load @g … global_store %v to @g }      the load comes too early
//! func @f() { %x = global_load @g … }  with no store to @g          nothing ever writes it
//! ```
//!
//! A may-analysis over the whole module: for each place, which variables can have been written before
//! control comes there for the first time. Calls of function values reach every function that a
//! closure is made of. Without an entry point every function may run at any time; what cannot
//! run at all is not looked at.

use oxbow_dialect::inspect::{blocks_of, body_ops, ops_of, place_of};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{BlockLike, Module};
use oxbow_dialect::op::{DialectOp, Func, GlobalLoad, GlobalStore, view};
use oxbow_dialect::{Block, Op, region_of};
use rustc_hash::FxHashMap;

use crate::Fault;
use crate::module::{Declarations, named_function};

pub fn run<'c>(module: &Module<'c>, context: &'c Context) -> Result<(), Vec<Fault>> {
    let mut analysis = Analysis::new(&Declarations::new(module, context));
    analysis.summarize();
    analysis.enter_roots();
    analysis.spread();
    let faults = analysis.faults();
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// A set of variables.
#[derive(Clone, PartialEq, Debug)]
struct Set(Vec<u64>);

impl Set {
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }
    fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }
    fn contains(&self, index: usize) -> bool {
        self.0[index / 64] & (1 << (index % 64)) != 0
    }
    /// Whether something is new.
    fn add(&mut self, other: &Set) -> bool {
        let before = self.clone();
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
        *self != before
    }
}

struct Analysis<'c> {
    funcs: Vec<Func<'c>>,
    by_name: FxHashMap<&'c str, usize>,
    variables: FxHashMap<&'c str, usize>,
    /// What a call of each function may write.
    writes: Vec<Set>,
    /// What may be written when each function begins; `None` while nothing is known to call it.
    entries: Vec<Option<Set>>,
    /// Functions that closures are made of.
    values: Vec<usize>,
}

impl<'c> Analysis<'c> {
    fn new(declarations: &Declarations<'c>) -> Self {
        let funcs = declarations.funcs.clone();
        let names = funcs.iter().enumerate();
        let by_name = names.map(|(at, &it)| (it.sym_name(), at)).collect();
        let globals = declarations.globals();
        let names = globals.iter().enumerate();
        let variables: FxHashMap<_, _> = names.map(|(at, &it)| (it.sym_name(), at)).collect();
        let writes = vec![Set::new(variables.len()); funcs.len()];
        let entries = vec![None; funcs.len()];
        let mut analysis = Self { funcs, by_name, variables, writes, entries, values: Vec::new() };
        for func in analysis.funcs.clone() {
            for op in body_ops(func.op()).into_iter().filter(|it| !is_call(*it)) {
                let Some(&target) = named_function(op).and_then(|it| analysis.by_name.get(it))
                else {
                    continue;
                };
                if !analysis.values.contains(&target) {
                    analysis.values.push(target);
                }
            }
        }
        analysis
    }

    /// The functions that an op may call.
    fn callees(&self, op: Op<'c>) -> Vec<usize> {
        match (view(op).callee(), view(op).called_value()) {
            (Some(callee), _) => self.by_name.get(callee).copied().into_iter().collect(),
            (None, Some(_)) => self.values.clone(),
            (None, None) => Vec::new(),
        }
    }

    fn summarize(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..self.funcs.len() {
                let mut set = self.writes[index].clone();
                for op in body_ops(self.funcs[index].op()) {
                    self.step(op, &mut set);
                }
                changed |= self.writes[index].add(&set);
            }
        }
    }

    /// What may be written after `op`.
    fn step(&self, op: Op<'c>, set: &mut Set) {
        if let Some(store) = GlobalStore::cast(op)
            && let Some(&variable) = self.variables.get(store.global())
        {
            set.insert(variable);
        }
        for callee in self.callees(op) {
            set.add(&self.writes[callee]);
        }
    }

    fn enter_roots(&mut self) {
        let nothing = Set::new(self.variables.len());
        let mut everything = nothing.clone();
        self.writes.iter().for_each(|it| {
            everything.add(it);
        });
        let is_main = |it: &Func<'c>| it.exported() && it.sym_name() == oxbow_abi::PROGRAM_MAIN;
        let has_main = self.funcs.iter().any(is_main);
        for index in 0..self.funcs.len() {
            let func = self.funcs[index];
            self.entries[index] = match (has_main, is_main(&func)) {
                (true, true) => Some(nothing.clone()),
                (true, false) if func.exported() => Some(everything.clone()),
                (true, false) => None,
                (false, _) => Some(everything.clone()),
            };
        }
    }

    fn spread(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..self.funcs.len() {
                let Some(entry) = self.entries[index].clone() else { continue };
                let mut calls = Vec::new();
                self.flow(self.funcs[index], entry, |op, set| {
                    calls.extend(self.callees(op).into_iter().map(|it| (it, set.clone())));
                });
                for (callee, set) in calls {
                    match &mut self.entries[callee] {
                        Some(known) => changed |= known.add(&set),
                        unknown => {
                            *unknown = Some(set);
                            changed = true;
                        }
                    }
                }
            }
        }
    }

    /// Visits each op of a function with what may be written before it.
    fn flow(&self, func: Func<'c>, entry: Set, mut visit: impl FnMut(Op<'c>, &Set)) {
        let blocks = blocks_of(region_of(func.op()));
        let number = |block: usize| blocks.iter().position(|it| id(*it) == block);
        let mut states: Vec<Option<Set>> = vec![None; blocks.len()];
        states[0] = Some(entry);
        let mut work = vec![0];
        while let Some(index) = work.pop() {
            let Some(mut set) = states[index].clone() else { continue };
            for op in ops_of(blocks[index]) {
                self.step(op, &mut set);
                for next in op.successors().filter_map(|it| number(it.to_raw().ptr as usize)) {
                    let grown = match &mut states[next] {
                        Some(known) => known.add(&set),
                        unknown => {
                            *unknown = Some(set.clone());
                            true
                        }
                    };
                    work.extend(grown.then_some(next));
                }
            }
        }
        for (block, state) in blocks.iter().zip(states) {
            let Some(mut set) = state else { continue };
            for op in ops_of(*block) {
                visit(op, &set);
                self.step(op, &mut set);
            }
        }
    }

    fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (&func, entry) in self.funcs.iter().zip(&self.entries) {
            let Some(entry) = entry else { continue };
            self.flow(func, entry.clone(), |op, set| {
                let Some(load) = GlobalLoad::cast(op) else { return };
                let name = load.global();
                if self.variables.get(name).is_some_and(|it| !set.contains(*it)) {
                    faults.push(Fault {
                        place: place_of(op.location()),
                        message: format!("@{name} is loaded, but no store to it can come before"),
                    });
                }
            });
        }
        faults
    }
}

fn is_call(op: Op<'_>) -> bool {
    view(op).callee().is_some()
}

fn id(block: Block<'_>) -> usize {
    block.to_raw().ptr as usize
}
