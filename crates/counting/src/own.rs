//! Which values a function owns.
//!
//! Block arguments, parameters among them, start as borrowed and become owned when
//!
//! 1. something that is not borrowed is passed to them,
//! 2. a use takes them over, other than on the way to an exception (`cold`),
//! 3. a counted part of them is read, and the function makes an object that could lie in
//!    their cell (then it is worth taking them apart, if somebody gives them up: `given`),
//! 4. a call in tail position passes something owned: nobody is left to drop it afterwards.
//!
//! What is owned stays owned, so this ends.

use oxbow_base::{FxHashSet, IdVec};
use oxbow_dialect::melior::ir::ValueLike;
use oxbow_dialect::op::{Opcode, callee_of};

use crate::cold_blocks;
use crate::donated_args;
use crate::ir::{Def, Function, OpIr, Program, ValueId};
use crate::lend::Lending;
use crate::outlived;
use crate::uses::Use;

/// The block arguments that are owned, for each function.
pub struct Owners {
    pub args: Vec<IdVec<ValueId, bool>>,
}

impl Owners {
    /// Does the function take its parameter over?
    pub fn param(&self, program: &Program<'_>, function: usize, index: u32) -> bool {
        let args = &program.functions[function].blocks[0].args;
        match args.get(index as usize).copied().flatten() {
            Some(arg) => self.args[function][arg],
            None => false,
        }
    }

    /// Whether a use takes its operand over. `borrowed` says of values whether they are.
    pub fn takes(
        &self,
        program: &Program<'_>,
        op: &OpIr<'_>,
        how: Use,
        borrowed: &IdVec<ValueId, bool>,
    ) -> bool {
        match how {
            Use::Borrow => false,
            Use::Take => true,
            Use::Param(index) => {
                let callee = program.by_name[callee_of(op.op)];
                let is_env = index == 0 && program.functions[callee].has_env;
                !(is_env && op.opcode == Opcode::Call) && self.param(program, callee, index)
            }
            Use::Pair => op.results.iter().any(|&it| !borrowed[it]),
        }
    }
}

/// Runs the rules to their end.
pub fn infer(program: &mut Program<'_>) -> Owners {
    let args = program.functions.iter().map(|it| it.ids().map(|_| false).collect()).collect();
    let mut owners = Owners { args };
    for (index, function) in program.functions.iter().enumerate() {
        if function.is_code {
            for &arg in function.blocks[0].args.iter().flatten() {
                owners.args[index][arg] = true;
            }
        }
    }
    let cold: Vec<_> = program.functions.iter().map(cold_blocks::blocks).collect();
    let mut reused = donated_args::args(program);
    for (function, given) in program.functions.iter().zip(&mut reused) {
        let useful = wholes_to_reuse(program, function);
        given.iter_mut().for_each(|(id, given)| *given &= useful[id]);
    }
    loop {
        let mut changed = false;
        for index in 0..program.functions.len() {
            while step(program, index, (&cold[index], &reused[index]), &mut owners, &mut changed) {}
        }
        if !changed {
            return owners;
        }
    }
}

/// For each value, whether it is static or somebody else keeps it alive.
pub fn borrowed(function: &Function<'_>, owned: &IdVec<ValueId, bool>) -> IdVec<ValueId, bool> {
    let mut borrowed: IdVec<ValueId, bool> = function.ids().map(|_| false).collect();
    for id in function.ids() {
        if function.is_arg(id) {
            borrowed[id] = match function.values[id].region {
                Some(region) => function.is_arg(region),
                None => !owned[id],
            };
        }
    }
    for block in &function.blocks {
        for op in &block.ops {
            for &result in &op.results {
                if let Some(region) = function.values[result].region {
                    borrowed[result] = function.is_arg(region);
                    continue;
                }
                borrowed[result] = match function.values[result].def {
                    Def::Static | Def::Global => true,
                    Def::Part { of, .. } | Def::Kept { of: Some(of) } => borrowed[of],
                    Def::Kept { of: None } => true,
                    Def::Pair | Def::Select => op.operands.iter().all(|it| borrowed[it.0]),
                    Def::Arg { .. } | Def::Fresh | Def::Raised | Def::Load { .. } => false,
                };
            }
        }
    }
    borrowed
}

/// Applies the rules to one function once; was one of its own arguments changed?
fn step(
    program: &Program<'_>,
    index: usize,
    (cold, reused): (&[bool], &IdVec<ValueId, bool>),
    owners: &mut Owners,
    changed: &mut bool,
) -> bool {
    let function = &program.functions[index];
    let borrowed = borrowed(function, &owners.args[index]);
    let mut own: Vec<_> = function.ids().filter(|it| reused[*it]).collect();
    let mut callee_params = Vec::new();
    for (block, &is_cold) in function.blocks.iter().zip(cold) {
        for op in &block.ops {
            for &(value, how) in &op.operands {
                if owners.takes(program, op, how, &borrowed) {
                    if function.is_arg(value) && !is_cold {
                        own.push(value);
                    }
                } else if op.opcode == Opcode::TailCall
                    && !borrowed[value]
                    && let Use::Param(param) = how
                {
                    callee_params.push((program.by_name[callee_of(op.op)], param));
                }
            }
        }
        for edge in &block.edges {
            for &(value, arg) in &edge.passed {
                if !owners.args[index][arg] {
                    if !borrowed[value] {
                        own.push(arg);
                    }
                } else if function.is_arg(value) && !cold[edge.target] {
                    own.push(value);
                }
            }
        }
    }
    let mut again = false;
    for value in own {
        // Its region keeps it alive.
        if !owners.args[index][value] && function.values[value].region.is_none() {
            owners.args[index][value] = true;
            again = true;
        }
    }
    for (callee, param) in callee_params {
        if let Some(arg) =
            program.functions[callee].blocks[0].args.get(param as usize).copied().flatten()
            && !owners.args[callee][arg]
        {
            owners.args[callee][arg] = true;
            *changed = true;
        }
    }
    *changed |= again;
    again
}

/// The arguments of which parts are read, if an object that the function makes could lie in the cell of one that is
/// taken apart for it. A part comes behind what it is a part of.
fn wholes_to_reuse(program: &Program<'_>, function: &Function<'_>) -> IdVec<ValueId, bool> {
    let mut wholes: IdVec<ValueId, bool> = function.ids().map(|_| false).collect();
    // For each value the value that it is a part of in the end, and whether a cell on the way could be used.
    let mut ways: IdVec<ValueId, (ValueId, bool)> = function.ids().map(|it| (it, false)).collect();
    let makes: FxHashSet<u64> = function.makes.iter().copied().collect();
    for part in function.ids() {
        let Def::Part { of, ctor, .. } = function.values[part].def else { continue };
        let ty = function.values[of].value.r#type();
        let (whole, useful) = ways[of];
        let useful = useful || program.cell(ty, ctor).is_some_and(|it| makes.contains(&it));
        ways[part] = (whole, useful);
        wholes[whole] |= useful && function.is_arg(whole);
    }
    wholes
}

/// How a value is kept alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Static,
    Borrowed,
    /// By this owned value, of which it is a part.
    Derived(ValueId),
    Owned,
    /// Owned, but the op that makes it does not hand over a reference: it takes a `dup`.
    Copied,
}

/// For each value, whether some use takes it over.
pub fn taken(
    program: &Program<'_>,
    index: usize,
    owners: &Owners,
    borrowed: &IdVec<ValueId, bool>,
) -> IdVec<ValueId, bool> {
    let function = &program.functions[index];
    let mut taken: IdVec<ValueId, bool> = function.ids().map(|_| false).collect();
    for block in &function.blocks {
        for op in &block.ops {
            for &(value, how) in &op.operands {
                taken[value] |= owners.takes(program, op, how, borrowed);
            }
        }
        for edge in &block.edges {
            for &(value, arg) in &edge.passed {
                taken[value] |= owners.args[index][arg];
            }
        }
    }
    taken
}

/// The class of each value.
pub fn classes(
    program: &Program<'_>,
    index: usize,
    owners: &Owners,
    borrowed: &IdVec<ValueId, bool>,
) -> IdVec<ValueId, Class> {
    let function = &program.functions[index];
    let taken = taken(program, index, owners, borrowed);
    let kept = outlived::parts(program, index, owners, borrowed, &taken);
    let mut lending = Lending::new(program, function);
    let mut classes: IdVec<ValueId, Class> = function.ids().map(|_| Class::Owned).collect();
    for id in function.ids() {
        if let Some(class) = in_region(function, id) {
            classes[id] = class;
        } else if function.is_arg(id) && borrowed[id] {
            classes[id] = Class::Borrowed;
        }
    }
    for block in &function.blocks {
        for op in &block.ops {
            for &id in &op.results {
                if let Some(class) = in_region(function, id) {
                    classes[id] = class;
                    continue;
                }
                let part_of = |of: ValueId, classes: &IdVec<ValueId, Class>| match classes[of] {
                    Class::Static => Class::Static,
                    Class::Borrowed => Class::Borrowed,
                    _ if taken[id] || kept[id] => Class::Copied,
                    Class::Derived(root) => Class::Derived(root),
                    Class::Owned | Class::Copied => Class::Derived(of),
                };
                classes[id] = match function.values[id].def {
                    Def::Static => Class::Static,
                    Def::Global => Class::Borrowed,
                    Def::Part { of, .. } | Def::Kept { of: Some(of) } => part_of(of, &classes),
                    Def::Kept { of: None } => Class::Borrowed,
                    Def::Load { of, block, at }
                        if lending.is_lent(id, (block, at), |op, how| {
                            owners.takes(program, op, how, borrowed)
                        }) =>
                    {
                        match of {
                            Some(of) => match classes[of] {
                                Class::Static | Class::Borrowed => Class::Borrowed,
                                Class::Derived(root) => Class::Derived(root),
                                Class::Owned | Class::Copied => Class::Derived(of),
                            },
                            None => Class::Borrowed,
                        }
                    }
                    Def::Load { .. } => Class::Copied,
                    Def::Select if borrowed[id] => Class::Borrowed,
                    Def::Select => Class::Copied,
                    Def::Pair if borrowed[id] => Class::Borrowed,
                    Def::Arg { .. } | Def::Fresh | Def::Raised | Def::Pair => Class::Owned,
                };
            }
        }
    }
    classes
}

/// The class of a value in a region: a part of it, whoever owns it.
fn in_region(function: &Function<'_>, value: ValueId) -> Option<Class> {
    let root = function.values[value].region?;
    Some(if function.is_arg(root) { Class::Borrowed } else { Class::Derived(root) })
}
