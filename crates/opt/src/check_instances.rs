//! Refuses modules from outside in which one set of slots would have to serve two closures.
//!
//! ```text
//! func @make(%k) { %f = make_closure @add(%k) … }     called twice: two closures over @add
//! ```
//!
//! Programs are checked on the graph, which knows more. Here a function's closures fit into slots only
//! if there is one place that makes them, and that place is reached at most once: outside of every loop, in
//! the entry point or a function that is called from one such place.

use oxbow_dialect::inspect::{block_of, body_ops, place_of, successors, terminator};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{BlockLike, Module};
use oxbow_dialect::op::{DialectOp, Func, View, view};
use oxbow_dialect::{Block, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Fault;
use crate::module::Declarations;

pub fn run<'c>(module: &Module<'c>, context: &'c Context) -> Result<(), Vec<Fault>> {
    let declarations = Declarations::new(module, context);
    let references = declarations.references();
    let mut makers: FxHashMap<&'c str, Vec<Op<'c>>> = FxHashMap::default();
    for op in declarations.funcs.iter().flat_map(|it| body_ops(it.op())) {
        let code = match view(op) {
            View::MakeClosure(it) if !it.captures().is_empty() => it.func(),
            View::ClosureDeclare(it) => it.func(),
            _ => continue,
        };
        makers.entry(code).or_default().push(op);
    }
    let mut faults = Vec::new();
    for func in &declarations.funcs {
        let name = func.sym_name();
        match makers.get(name).map_or(&[][..], |it| it) {
            [] => (),
            [only] if once(*only, &references) => (),
            [first, rest @ ..] => faults.push(fault(name, *first, rest.first().copied())),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn fault(name: &str, first: Op<'_>, second: Option<Op<'_>>) -> Fault {
    let other = match second.and_then(|it| place_of(it.location())) {
        Some(place) => format!("another is made at line {}", place.line),
        None => "this place can be reached more than once".into(),
    };
    Fault {
        place: place_of(first.location()),
        message: format!(
            "two closures over @{name} can be alive together, but it has one set of capture slots; {other}"
        ),
    }
}

/// Is the op reached at most once while the program runs?
fn once<'c>(op: Op<'c>, references: &FxHashMap<&'c str, Vec<Op<'c>>>) -> bool {
    let mut op = op;
    let mut seen = FxHashSet::default();
    loop {
        if in_loop(block_of(op)) {
            return false;
        }
        let Some(func) = Func::around(op) else { return false };
        let name = func.sym_name();
        if func.exported() {
            return name == oxbow_abi::PROGRAM_MAIN;
        }
        let [call] = references.get(name).map_or(&[][..], |it| it) else { return false };
        if view(*call).callee().is_none() || !seen.insert(name) {
            return false;
        }
        op = *call;
    }
}

/// Does some way lead from the block back to it?
fn in_loop(block: Block<'_>) -> bool {
    let id = |it: Block<'_>| it.to_raw().ptr as usize;
    let next = |it| terminator(it).map(successors).unwrap_or_default();
    let mut seen = FxHashSet::default();
    let mut work = next(block);
    while let Some(it) = work.pop() {
        if id(it) == id(block) {
            return true;
        }
        if seen.insert(id(it)) {
            work.extend(next(it));
        }
    }
    false
}
