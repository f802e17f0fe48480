//! Finds the functions of the library in which memory can be exhausted.
//!
//! ```text
//! func @init(…) { … block.new … }                              func @init … attributes {notes_caller}
//! func @map(…) { … call @init … }                                func @map … attributes {notes_caller}
//! func @length(…) { … }
//! ```
//!
//! A call of such a function from the program's own text notes its place, since a message that names a line of the
//! library helps nobody (decision 132).
//!
//! Needs: references are counted.

use std::collections::HashMap;

use oxbow_dialect::Op;
use oxbow_dialect::inspect::{body_ops, is_library};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::Module;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::op::{DialectOp, Storage, View, opcode, view};

use crate::module::Declarations;

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let declarations = Declarations::new(module, context);
    let funcs = declarations.by_name();
    let mut work: Vec<&'c str> = Vec::new();
    let mut callers: HashMap<&'c str, Vec<&'c str>> = HashMap::new();
    for &func in &declarations.funcs {
        func.set_notes_caller(false);
        let name = func.sym_name();
        for op in body_ops(func.op()) {
            if let Some(callee) = view(op).callee() {
                callers.entry(callee).or_default().push(name);
            } else if wants_memory(op) {
                work.push(name);
            }
        }
    }
    let mut exhausting: HashMap<&'c str, ()> = HashMap::new();
    while let Some(name) = work.pop() {
        if exhausting.insert(name, ()).is_some() {
            continue;
        }
        work.extend(callers.get(name).into_iter().flatten());
        if let Some(func) = funcs.get(name)
            && is_library(func.op().location())
        {
            func.set_notes_caller(true);
        }
    }
}

/// Can the op, which is no call of a known function, take memory of the heap?
fn wants_memory(op: Op<'_>) -> bool {
    match view(op) {
        View::BlockNew(it) => it.storage() == Storage::Counted,
        View::Invoke(_) | View::TailInvoke(_) => true,
        View::RuntimeCall(it) => {
            oxbow_abi::function(it.callee()).is_some_and(|it| it.effects.asks_for_site())
        }
        _ => opcode(op).effects().allocates,
    }
}
