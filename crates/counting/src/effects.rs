//! What calls may change.
//!
//! A value read from a mutable place can be used without a reference of its own as long as the place
//! keeps it. Places are told apart by kind: the elements of arrays of one type, one field of one
//! constructor, one module-level variable. A known call changes what its callee and everything it
//! calls may change; the call of a function value what any function that a closure points to may.

use std::collections::{HashMap, HashSet};

use oxbow_dialect::Op;
use oxbow_dialect::inspect::{int_attr, operands, symbol_attr};
use oxbow_dialect::melior::ir::{TypeLike, ValueLike};

use crate::ir::Function;

/// A kind of place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// Elements of arrays of this type.
    Elements(usize),
    /// A field of a constructor of this type.
    Field(usize, i64, i64),
    /// A module-level variable, by the address of its name.
    Global(usize),
    /// A variable in a frame, which closures may know.
    Slot,
}

/// The place that an op reads or writes.
pub fn place(op: Op<'_>, name: &str) -> Option<Place> {
    let ty = |at: usize| operands(op)[at].r#type().to_raw().ptr as usize;
    let number = |name: &str| int_attr(op, name);
    Some(match name {
        "ocaml.array.get" => Place::Elements(ty(0)),
        "ocaml.array.set" => Place::Elements(ty(1)),
        "ocaml.array.blit" => Place::Elements(ty(2)),
        "ocaml.block.load" => Place::Field(ty(0), number("ctor"), number("index")),
        "ocaml.block.store" => Place::Field(ty(1), number("ctor"), number("index")),
        "ocaml.global_load" | "ocaml.global_store" => {
            Place::Global(symbol_attr(op, "global").as_ptr() as usize)
        }
        "ocaml.slot.load" | "ocaml.slot.store" => Place::Slot,
        _ => return None,
    })
}

/// What each function may change, with all that it calls.
pub struct Effects {
    functions: Vec<HashSet<Place>>,
    /// What the call of a function value may change.
    unknown: HashSet<Place>,
}

impl Effects {
    pub fn new(functions: &[Function<'_>], by_name: &HashMap<String, usize>) -> Self {
        let mut writes: Vec<HashSet<Place>> = Vec::new();
        let mut calls: Vec<(HashSet<usize>, bool)> = Vec::new();
        for function in functions {
            let (mut own, mut callees, mut unknown) = (HashSet::new(), HashSet::new(), false);
            for op in function.blocks.iter().flat_map(|it| &it.ops) {
                match op.name {
                    "ocaml.array.set" | "ocaml.array.blit" | "ocaml.block.store"
                    | "ocaml.global_store" | "ocaml.slot.store" => {
                        own.extend(place(op.op, op.name))
                    }
                    "ocaml.call" | "ocaml.tail_call" => {
                        callees.insert(by_name[symbol_attr(op.op, "callee")]);
                    }
                    "ocaml.invoke" | "ocaml.tail_invoke" => unknown = true,
                    _ => (),
                }
            }
            writes.push(own);
            calls.push((callees, unknown));
        }
        let mut unknown: HashSet<Place> = HashSet::new();
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..functions.len() {
                let before = writes[index].len();
                for &callee in &calls[index].0 {
                    if callee != index {
                        let more: Vec<_> = writes[callee].iter().copied().collect();
                        writes[index].extend(more);
                    }
                }
                if calls[index].1 {
                    writes[index].extend(&unknown);
                }
                changed |= writes[index].len() != before;
                if functions[index].is_pointed_to {
                    let before = unknown.len();
                    unknown.extend(&writes[index]);
                    changed |= unknown.len() != before;
                }
            }
        }
        Self { functions: writes, unknown }
    }

    /// May the op change this place?
    pub fn changes(
        &self,
        op: Op<'_>,
        name: &str,
        what: Place,
        by_name: &HashMap<String, usize>,
    ) -> bool {
        match name {
            "ocaml.call" | "ocaml.tail_call" => {
                self.functions[by_name[symbol_attr(op, "callee")]].contains(&what)
            }
            "ocaml.invoke" | "ocaml.tail_invoke" => self.unknown.contains(&what),
            "ocaml.array.set" | "ocaml.array.blit" | "ocaml.block.store" | "ocaml.global_store"
            | "ocaml.slot.store" => place(op, name) == Some(what),
            // Hides what it does.
            "ocaml.opaque" | "ocaml.closure.fill" => true,
            _ => false,
        }
    }
}
