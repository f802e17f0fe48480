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

use oxbow_dialect::inspect::{
    attr, body_ops, definition, key, name_of, operands, reverse_postorder, set_attr, string_attr,
    symbol_attr,
};
use oxbow_dialect::melior::ir::ValueLike;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::{Op, Val, region_of};

use super::families::{Graph, Node, id};
use super::references::kept_fields;
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
        for &func in ops.iter().filter(|it| name_of(**it) == "ocaml.func") {
            let name = string_attr(func, "sym_name");
            let here = Node::Function(name);
            let lent = self.funcs[name].own_closure == OwnClosure::Lent;
            let env = self.funcs[name]
                .captures
                .as_ref()
                .filter(|_| lent)
                .map(|_| key(self.build.argument(reverse_postorder(region_of(func))[0], 0)));
            for op in body_ops(func) {
                match name_of(op) {
                    "ocaml.call" | "ocaml.tail_call" => {
                        graph.implies(Node::Function(symbol_attr(op, "callee")), here);
                    }
                    "ocaml.invoke" | "ocaml.tail_invoke" => {
                        graph.implies(Node::Family(id(operands(op)[0].r#type())), here);
                    }
                    // Who was lent itself drops nothing.
                    "ocaml.drop" | "ocaml.take" if env == Some(key(operands(op)[0])) => {
                        if name_of(op) == "ocaml.take" && keeps(op) {
                            graph.start(here);
                        }
                    }
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
        set_attr(call, "memory_effects", self.build.parsed(effects));
    }
}

/// Does a `take` count something up, or need a cell?
fn keeps(take: Op<'_>) -> bool {
    !kept_fields(take).is_empty() || attr(take, "token").is_some()
}

/// Does an op read memory at most?
fn reads_only(op: Op<'_>) -> bool {
    let name = name_of(op);
    let Some(name) = name.strip_prefix("ocaml.") else {
        return name.starts_with("arith.") || name.starts_with("cf.") || name.starts_with("math.");
    };
    match name {
        "pair.new" | "pair.get" | "block.get" | "block.load" | "block.tag" | "ctor"
        | "is_immediate" | "immediate" | "phys_eq" | "string.const" | "string.length"
        | "string.get" | "array.length" | "array.get" | "env.get" | "env.self" | "global_load"
        | "slot.load" | "exn.is" | "exn.get" | "exn.name" | "exn.raised" | "exn.none"
        | "no_value" | "return" | "raise" => true,
        // A constant.
        "make_closure" => op.operand_count() == 0,
        _ => name.starts_with("word."),
    }
}
