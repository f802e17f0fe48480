//! What calls may change.
//!
//! A value read from a mutable place can be used without a reference of its own as long as the place
//! keeps it. Places are told apart by kind: the elements of arrays of one type, one field of one
//! constructor, one module-level variable. A known call changes what its callee and everything it
//! calls may change; the call of a function value what any function that a closure points to may.

use std::collections::{HashMap, HashSet};

use oxbow_dialect::melior::ir::{TypeLike, ValueLike};
use oxbow_dialect::op::{Opcode, View, callee_of, opcode, view};
use oxbow_dialect::{OcamlType, Op, Val};

use crate::ir::{Function, is_counted};

/// A kind of place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// Elements of arrays of this type.
    Elements(usize),
    /// A field of a constructor of this type.
    Field(usize, u32, u32),
    /// A module-level variable, by the address of its name.
    Global(usize),
    /// A variable in a frame, which closures may know.
    Slot,
    /// All of them: other code of the program runs meanwhile.
    Any,
}

/// The place that an op reads or writes.
pub fn place(op: Op<'_>) -> Option<Place> {
    let ty = |value: Val<'_>| value.r#type().to_raw().ptr as usize;
    Some(match view(op) {
        View::ArrayGet(it) => Place::Elements(ty(it.array())),
        View::ArraySet(it) => Place::Elements(ty(it.array())),
        View::ArrayBlit(it) => Place::Elements(ty(it.target())),
        View::BlockLoad(it) => Place::Field(ty(it.block()), it.ctor(), it.index()),
        View::BlockStore(it) => Place::Field(ty(it.block()), it.ctor(), it.index()),
        View::GlobalLoad(it) => Place::Global(it.global().as_ptr() as usize),
        View::GlobalStore(it) => Place::Global(it.global().as_ptr() as usize),
        View::SlotLoad(_) | View::SlotStore(_) => Place::Slot,
        _ if switches(op) => Place::Any,
        _ => return None,
    })
}

/// Does another fibre run before this op is done?
fn switches(op: Op<'_>) -> bool {
    let View::RuntimeCall(it) = view(op) else { return false };
    oxbow_abi::function(it.callee()).is_some_and(|it| it.effects == oxbow_abi::Effects::Switches)
}

/// Does an op write to a place that can be told? In programs with domains, a store of counted values lets others
/// drop what they have replaced: what this function has only looked at may go (decision 111).
fn writes(op: Op<'_>, domains: bool) -> Option<Place> {
    let stored = match view(op) {
        View::BlockStore(it) => Some(it.value().r#type()),
        View::ArraySet(it) => Some(it.value().r#type()),
        View::ArrayBlit(it) => Some(it.target().r#type().element()),
        View::GlobalStore(it) => Some(it.value().r#type()),
        _ => None,
    };
    if domains && stored.is_some_and(is_counted) {
        return Some(Place::Any);
    }
    if opcode(op).effects().writes || switches(op) { place(op) } else { None }
}

/// What each function may change, with all that it calls.
pub struct Effects {
    functions: Vec<HashSet<Place>>,
    /// What the call of a function value may change.
    unknown: HashSet<Place>,
    domains: bool,
}

impl Effects {
    /// Of no function.
    pub fn none() -> Self {
        Self { functions: Vec::new(), unknown: HashSet::new(), domains: false }
    }

    pub fn new(
        functions: &[Function<'_>],
        by_name: &HashMap<String, usize>,
        domains: bool,
    ) -> Self {
        let mut writes: Vec<HashSet<Place>> = Vec::new();
        let mut calls: Vec<(HashSet<usize>, bool)> = Vec::new();
        for function in functions {
            let (mut own, mut callees, mut unknown) = (HashSet::new(), HashSet::new(), false);
            for op in function.blocks.iter().flat_map(|it| &it.ops) {
                own.extend(self::writes(op.op, domains));
                match op.opcode {
                    Opcode::Call | Opcode::TailCall => {
                        callees.insert(by_name[callee_of(op.op)]);
                    }
                    Opcode::Invoke | Opcode::TailInvoke => unknown = true,
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
        Self { functions: writes, unknown, domains }
    }

    /// May the op change this place?
    pub fn changes(&self, op: Op<'_>, what: Place, by_name: &HashMap<String, usize>) -> bool {
        match opcode(op) {
            Opcode::Call | Opcode::TailCall => has(&self.functions[by_name[callee_of(op)]], what),
            Opcode::Invoke | Opcode::TailInvoke => has(&self.unknown, what),
            // Hides what it does.
            Opcode::Opaque | Opcode::ClosureFill => true,
            _ => writes(op, self.domains).is_some_and(|it| it == what || it == Place::Any),
        }
    }
}

fn has(places: &HashSet<Place>, what: Place) -> bool {
    places.contains(&what) || places.contains(&Place::Any)
}
