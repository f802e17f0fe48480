//! Families whose functions change no memory.
//!
//! ```text
//! call of (i64) -> i64, all of them read captures and compute      code(closure, x) reads only
//! ```
//!
//! LLVM knows nothing of a call by address and takes it to change everything: a loop that calls
//! functions of an array would read the array's length anew in each round, and test each index. All
//! closures are made in this module, so what their functions do is known here.
//!
//! Counting changes memory, and so does making an object, since it takes a cell. A function may go on for
//! ever: calls are not left out.

use oxbow_dialect::Op;
use oxbow_dialect::inspect::{body_ops, key};
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::op::{DialectOp, Func, OwnClosure, Take, View, opcode, view};

use super::Members;
use super::graph::{Graph, Node};
use crate::module::Declarations;

/// What changes memory; how closures are passed is known already.
pub fn changing<'c>(
    declarations: &Declarations<'c>,
    general: &[Type<'c>],
    members: &Members<'c>,
) -> Graph<'c> {
    let mut graph = Graph::default();
    for &ty in general {
        graph.start(Node::family(ty));
    }
    for &func in &declarations.funcs {
        scan(declarations, func, &mut graph);
    }
    for &(function, family) in members {
        graph.implies(Node::Function(function), Node::family(family));
    }
    graph.close();
    graph
}

fn scan<'c>(declarations: &Declarations<'c>, func: Func<'c>, graph: &mut Graph<'c>) {
    let here = Node::Function(func.sym_name());
    let lent = func.own_closure() == Some(OwnClosure::Lent);
    let env = lent.then(|| key(declarations.env(func)));
    for op in body_ops(func.op()) {
        if let Some(callee) = view(op).callee() {
            graph.implies(Node::Function(callee), here);
            continue;
        }
        if let Some(closure) = view(op).called_value() {
            graph.implies(Node::family(closure.r#type()), here);
            continue;
        }
        match view(op) {
            // Who was lent itself drops nothing.
            View::Drop(it) if env == Some(key(it.value())) => (),
            View::Take(it) if env == Some(key(it.object())) && !keeps(it) => (),
            _ if reads_only(op) => (),
            _ => graph.start(here),
        }
    }
}

/// Does a `take` count something up, or need a cell?
fn keeps(take: Take<'_>) -> bool {
    !take.kept().is_empty() || take.token().is_some()
}

/// Does an op read memory at most?
fn reads_only(op: Op<'_>) -> bool {
    match view(op) {
        // Without captures it is a constant.
        View::MakeClosure(it) => it.captures().is_empty(),
        // To MLIR they are values; here they become objects.
        View::Closure(_) | View::EnvCapture(_) => false,
        _ => opcode(op).effects().reads_only(),
    }
}
