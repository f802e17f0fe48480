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

use std::collections::HashSet;

use oxbow_dialect::inspect::{body_ops, definition, key, reverse_postorder};
use oxbow_dialect::melior::ir::ValueLike;
use oxbow_dialect::op::{self, DialectOp, Take, View, opcode, set_memory_effects, view};
use oxbow_dialect::{Op, Val, region_of};

use super::families::{Graph, Node, id};
use super::{Converter, OwnClosure};

impl<'c> Converter<'c> {
    /// The families that change memory; how closures are passed is known already.
    pub fn changing_families(
        &self,
        ops: &[Op<'c>],
        members: &[(&'c str, usize)],
    ) -> HashSet<usize> {
        let mut graph = Graph::default();
        for ty in self.general_families() {
            graph.start(Node::Family(id(ty)));
        }
        for func in ops.iter().filter_map(|it| op::Func::cast(*it)) {
            let name = func.sym_name();
            let here = Node::Function(name);
            let lent = self.funcs[name].own_closure == OwnClosure::Lent;
            let env =
                self.funcs[name].captures.as_ref().filter(|_| lent).map(|_| {
                    key(self.build.argument(reverse_postorder(region_of(func.op()))[0], 0))
                });
            for op in body_ops(func.op()) {
                if let Some(callee) = view(op).callee() {
                    graph.implies(Node::Function(callee), here);
                    continue;
                }
                if let Some(closure) = view(op).called_value() {
                    graph.implies(Node::Family(id(closure.r#type())), here);
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
        for &(function, family) in members {
            graph.implies(Node::Function(function), Node::Family(family));
        }
        graph.close()
    }

    /// Tells LLVM that a call changes nothing.
    pub fn mark_reading(&self, value: Val<'c>) {
        if self.is_measured() {
            return;
        }
        let call = definition(value).expect("a call has a result");
        let effects = "#llvm.memory_effects<other = read, argMem = read, inaccessibleMem = read, \
                       errnoMem = read, targetMem0 = read, targetMem1 = read>";
        set_memory_effects(call, self.build.parsed(effects));
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
