//! What calls may change and read.
//!
//! A value read from a mutable place can be used without a reference of its own as long as the place
//! keeps it. Places are told apart by kind: the elements of arrays of one type, one field of one
//! constructor, one module-level variable. A known call changes what its callee and everything it
//! calls may change; the call of a function value what any function that a closure points to may.

use oxbow_base::{FxHashMap, FxHashSet};
use oxbow_dialect::inspect::operands;
use oxbow_dialect::melior::ir::{TypeLike, ValueLike};
use oxbow_dialect::op::{Opcode, View, callee_of, opcode, view};
use oxbow_dialect::{Kind, OcamlType, Op, Val};

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

/// The places that an op itself reads.
fn read(op: Op<'_>) -> Option<Place> {
    let counted = |it: &Val<'_>| !matches!(it.r#type().kind(), Kind::Foreign | Kind::String);
    match view(op) {
        // The runtime looks into what it is given.
        View::RuntimeCall(_) if operands(op).iter().any(counted) => Some(Place::Any),
        View::ForeignCall(_) | View::Opaque(_) => Some(Place::Any),
        View::ArrayBlit(it) => Some(Place::Elements(it.source().r#type().to_raw().ptr as usize)),
        View::ArrayGet(_) | View::BlockLoad(_) | View::GlobalLoad(_) | View::SlotLoad(_) => {
            place(op)
        }
        _ if switches(op) => Some(Place::Any),
        _ => None,
    }
}

/// What each function may change and read, with all that it calls.
pub struct Effects {
    changed: Reach,
    read: Reach,
    domains: bool,
}

/// The places that functions come to.
struct Reach {
    functions: Vec<FxHashSet<Place>>,
    /// By the call of a function value.
    unknown: FxHashSet<Place>,
}

impl Effects {
    /// Of no function.
    pub fn none() -> Self {
        let reach = || Reach { functions: Vec::new(), unknown: FxHashSet::default() };
        Self { changed: reach(), read: reach(), domains: false }
    }

    pub fn new(
        functions: &[Function<'_>],
        by_name: &FxHashMap<String, usize>,
        domains: bool,
    ) -> Self {
        Self {
            changed: Reach::new(functions, by_name, |op| writes(op, domains)),
            read: Reach::new(functions, by_name, read),
            domains,
        }
    }

    /// May the op change this place?
    pub fn changes(&self, op: Op<'_>, what: Place, by_name: &FxHashMap<String, usize>) -> bool {
        match opcode(op) {
            // Hides what it does.
            Opcode::Opaque | Opcode::ClosureFill => true,
            _ => self.changed.has(op, what, by_name, |op| writes(op, self.domains)),
        }
    }

    /// May the function read this place?
    pub fn function_reads(&self, function: usize, what: Place) -> bool {
        self.read.of_function(function, what)
    }

    /// May the op read this place?
    pub fn reads(&self, op: Op<'_>, what: Place, by_name: &FxHashMap<String, usize>) -> bool {
        self.read.has(op, what, by_name, read)
    }
}

impl Reach {
    fn of_function(&self, function: usize, what: Place) -> bool {
        let places = &self.functions[function];
        places.contains(&what) || places.contains(&Place::Any)
    }

    /// `own` is the place that an op itself comes to.
    fn new(
        functions: &[Function<'_>],
        by_name: &FxHashMap<String, usize>,
        own: impl Fn(Op<'_>) -> Option<Place>,
    ) -> Self {
        let mut places: Vec<FxHashSet<Place>> = Vec::new();
        let mut calls: Vec<(FxHashSet<usize>, bool)> = Vec::new();
        for function in functions {
            let (mut found, mut callees, mut unknown) =
                (FxHashSet::default(), FxHashSet::default(), false);
            for op in function.blocks.iter().flat_map(|it| &it.ops) {
                found.extend(own(op.op));
                match op.opcode {
                    Opcode::Call | Opcode::TailCall => {
                        callees.insert(by_name[callee_of(op.op)]);
                    }
                    Opcode::Invoke | Opcode::TailInvoke => unknown = true,
                    _ => (),
                }
            }
            places.push(found);
            calls.push((callees, unknown));
        }
        let mut unknown: FxHashSet<Place> = FxHashSet::default();
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..functions.len() {
                let before = places[index].len();
                for &callee in &calls[index].0 {
                    if callee != index {
                        let more: Vec<_> = places[callee].iter().copied().collect();
                        places[index].extend(more);
                    }
                }
                if calls[index].1 {
                    places[index].extend(&unknown);
                }
                changed |= places[index].len() != before;
                if functions[index].is_pointed_to {
                    let before = unknown.len();
                    unknown.extend(&places[index]);
                    changed |= unknown.len() != before;
                }
            }
        }
        Self { functions: places, unknown }
    }

    fn has(
        &self,
        op: Op<'_>,
        what: Place,
        by_name: &FxHashMap<String, usize>,
        own: impl Fn(Op<'_>) -> Option<Place>,
    ) -> bool {
        match opcode(op) {
            Opcode::Call | Opcode::TailCall => self.of_function(by_name[callee_of(op)], what),
            Opcode::Invoke | Opcode::TailInvoke => {
                self.unknown.contains(&what) || self.unknown.contains(&Place::Any)
            }
            _ => own(op).is_some_and(|it| it == what || it == Place::Any),
        }
    }
}
