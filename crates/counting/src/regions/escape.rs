//! What becomes of what a function is given: the types of the records, variants, tuples and closures
//! among its arguments and their parts that it keeps, stores or gives back.
//!
//! ```text
//! let rec count t = match t with Leaf -> 0 | Node (l, r) -> …      looks only: nothing escapes
//! let first (a, _) = a                                            the type of `a` escapes
//! ```

use oxbow_base::{FxHashSet, IdVec};
use oxbow_dialect::OcamlType;
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::op::{Opcode, callee_of};

use super::closures;
use crate::ir::{Def, Function, OpIr, Program, Uses, ValueId};
use crate::region_types::{may_be_placed, type_key};
use crate::uses::Use;

/// For each function and argument the types that escape.
pub struct Escapes {
    types: Vec<Vec<FxHashSet<usize>>>,
}

/// What an op does with a value that it is given.
pub enum Fate {
    /// Looks at it.
    Looked,
    /// Its result is a part of it.
    Read,
    /// It is an argument of this function, of this number.
    Passed(usize, u32),
    Escapes,
}

/// What an op does with one of its operands.
pub fn fate(program: &Program<'_>, op: &OpIr<'_>, how: Use) -> Fate {
    match (op.opcode, how) {
        (Opcode::Call | Opcode::TailCall, Use::Param(at)) => {
            let callee = program.by_name[callee_of(op.op)];
            let function = &program.functions[callee];
            match at == 0 && function.has_env {
                true if op.opcode == Opcode::Call && function.quiet_env => Fate::Looked,
                true => Fate::Escapes,
                false => Fate::Passed(callee, at),
            }
        }
        (Opcode::Invoke, Use::Borrow) if closures::is_whole_call(op.op) => Fate::Looked,
        (Opcode::BlockGet | Opcode::BlockLoad | Opcode::ArrayGet | Opcode::PairGet, _) => {
            Fate::Read
        }
        (
            Opcode::BlockTag
            | Opcode::IsImmediate
            | Opcode::Immediate
            | Opcode::PhysEq
            | Opcode::WordIsInt
            | Opcode::WordToInt
            | Opcode::WordUnwrap
            | Opcode::WordIsMark
            | Opcode::WordToMark
            | Opcode::WordIsFloat
            | Opcode::WordToFloat
            | Opcode::StringLength
            | Opcode::StringGet
            | Opcode::StringSet
            | Opcode::ArrayLength,
            _,
        ) => Fate::Looked,
        (Opcode::BlockStore | Opcode::ArraySet, Use::Borrow) => Fate::Looked,
        _ => Fate::Escapes,
    }
}

impl Escapes {
    /// The types that escape from an argument.
    pub fn of(&self, function: usize, param: u32) -> &FxHashSet<usize> {
        &self.types[function][param as usize]
    }

    pub fn new(program: &Program<'_>) -> Self {
        let mut types: Vec<Vec<FxHashSet<usize>>> = Vec::new();
        let mut calls: Vec<Vec<Vec<(usize, u32)>>> = Vec::new();
        for function in &program.functions {
            let uses = function.uses();
            let (mut own, mut passed) = (Vec::new(), Vec::new());
            for arg in &function.blocks[0].args {
                let (escaped, calls) = match arg {
                    Some(arg) => follow(program, function, &uses, *arg),
                    None => Default::default(),
                };
                own.push(escaped);
                passed.push(calls);
            }
            types.push(own);
            calls.push(passed);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for function in 0..types.len() {
                for param in 0..types[function].len() {
                    let before = types[function][param].len();
                    for &(callee, at) in &calls[function][param] {
                        let more = types[callee][at as usize].clone();
                        types[function][param].extend(more);
                    }
                    changed |= types[function][param].len() != before;
                }
            }
        }
        Self { types }
    }
}

/// The types of what escapes at once, and the calls that decide about the rest.
fn follow(
    program: &Program<'_>,
    function: &Function<'_>,
    uses: &IdVec<ValueId, Uses>,
    arg: ValueId,
) -> (FxHashSet<usize>, Vec<(usize, u32)>) {
    let mut escaped = FxHashSet::default();
    let mut calls = Vec::new();
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let mut work = vec![arg];
    while let Some(value) = work.pop() {
        if !seen.insert(oxbow_base::Id::index(value)) {
            continue;
        }
        let uses = &uses[value];
        for &(block, at) in &uses.ops {
            let op = &function.blocks[block as usize].ops[at as usize];
            for &(_, how) in op.operands.iter().filter(|it| it.0 == value) {
                match fate(program, op, how) {
                    Fate::Looked => (),
                    Fate::Read => work.extend(&op.results),
                    Fate::Passed(callee, at) => calls.push((callee, at)),
                    Fate::Escapes => {
                        note(&mut escaped, function.values[value].value.r#type());
                    }
                }
            }
        }
        work.extend(&uses.args);
    }
    (escaped, calls)
}

fn note(types: &mut FxHashSet<usize>, ty: Type<'_>) {
    match ty.pair_parts() {
        Some(parts) => parts.into_iter().for_each(|it| note(types, it)),
        None if may_be_placed(ty) => {
            types.insert(type_key(ty));
        }
        None => (),
    }
}

/// Is a value one that needs no region: a constant?
pub fn is_static(function: &Function<'_>, value: ValueId) -> bool {
    function.values[value].def == Def::Static
}
