//! How often module-level variables are set.
//!
//! A variable that one op sets, and that op runs once, keeps what it holds to the end of the program: loads need no
//! reference, and the store replaces nothing. An op runs once if it is in no loop of a function that runs
//! once: one that the runtime calls, or that one such op calls by name. The slots of closures are set by one op each,
//! too, but whenever a closure is made.

use oxbow_base::{FxHashMap, FxHashSet};
use oxbow_dialect::inspect::{ops_of, reverse_postorder};
use oxbow_dialect::op::{DialectOp, Func, GlobalStore, view};
use oxbow_dialect::{Block, Op, region_of};

use crate::graph::{id, successors};
use crate::regions::on_cycles;

/// For each variable how many times it is set at most, where more than once is many.
pub fn stores<'c>(functions: &[Op<'c>]) -> FxHashMap<String, usize> {
    let mut bodies = Vec::new();
    let mut calls: FxHashMap<&'c str, Vec<(usize, bool)>> = FxHashMap::default();
    let mut pointed_to: FxHashSet<&'c str> = FxHashSet::default();
    for (index, &function) in functions.iter().enumerate() {
        let blocks = reverse_postorder(region_of(function));
        let again = in_loops(&blocks);
        for (&block, &again) in blocks.iter().zip(&again) {
            for op in ops_of(block) {
                if let Some(callee) = view(op).callee() {
                    calls.entry(callee).or_default().push((index, again));
                }
                pointed_to.extend(view(op).new_closure_code());
            }
        }
        bodies.push((blocks, again));
    }
    let runs_once = |function: usize| {
        let mut at = function;
        // Longer than any chain of calls.
        for _ in 0..=functions.len() {
            let name = Func::of(functions[at]).sym_name();
            if Func::of(functions[at]).exported() {
                return !calls.contains_key(name) && !pointed_to.contains(name);
            }
            match calls.get(name).map(Vec::as_slice) {
                Some(&[(caller, false)]) if !pointed_to.contains(name) => at = caller,
                _ => return false,
            }
        }
        false
    };
    let mut stores: FxHashMap<String, usize> = FxHashMap::default();
    for (index, (blocks, again)) in bodies.iter().enumerate() {
        let mut once = None;
        for (&block, &again) in blocks.iter().zip(again) {
            for op in ops_of(block).filter_map(GlobalStore::cast) {
                let once = !again && *once.get_or_insert_with(|| runs_once(index));
                *stores.entry(op.global().into()).or_default() += if once { 1 } else { 2 };
            }
        }
    }
    stores
}

/// For each block whether a path leads back to it.
fn in_loops(blocks: &[Block<'_>]) -> Vec<bool> {
    let numbers: FxHashMap<usize, usize> =
        blocks.iter().enumerate().map(|(at, it)| (id(*it), at)).collect();
    let next: Vec<FxHashSet<usize>> = blocks
        .iter()
        .map(|it| successors(*it).into_iter().map(|it| numbers[&id(it)]).collect())
        .collect();
    on_cycles(&next)
}
