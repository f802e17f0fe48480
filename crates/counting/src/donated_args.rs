//! Donated arguments: those that can be given something nobody else needs.
//!
//! ```text
//! let e = build 14 in                        `build` makes it, but the loop needs it in the next round:
//! for i = 1 to n do … eval env e … done      `eval` finds no cell that it could use again
//! ```
//!
//! Taking an object apart is worth owning it only if somebody gives it up. Constants are never given up, nor what is
//! needed behind the call, nor parts of such objects: all of these have other references.

use oxbow_base::IdVec;
use oxbow_dialect::op::view;

use crate::ir::{Def, Function, OpIr, Program, ValueId};
use crate::live::{self, Set};
use crate::own::Class;
use crate::uses::Use;

/// A value that becomes an argument of a function, and is not needed by its own function afterwards.
struct Passed {
    value: ValueId,
    function: usize,
    arg: ValueId,
}

/// For each function, its block arguments that can be given such a value.
pub fn args(program: &Program<'_>) -> Vec<IdVec<ValueId, bool>> {
    let mut given: Vec<IdVec<ValueId, bool>> =
        program.functions.iter().map(|it| it.ids().map(|_| it.is_code).collect()).collect();
    let passed: Vec<Vec<Passed>> =
        (0..program.functions.len()).map(|it| given_up(program, it)).collect();
    loop {
        let mut changed = false;
        for (index, passed) in passed.iter().enumerate() {
            for it in passed {
                if !given[it.function][it.arg]
                    && is_given(&program.functions[index], &given[index], it.value)
                {
                    given[it.function][it.arg] = true;
                    changed = true;
                }
            }
        }
        if !changed {
            return given;
        }
    }
}

/// Can the function give the value up?
fn is_given(function: &Function<'_>, given: &IdVec<ValueId, bool>, value: ValueId) -> bool {
    match function.values[value].def {
        Def::Arg { .. } => given[value],
        Def::Part { of, .. } | Def::Kept { of: Some(of) } => is_given(function, given, of),
        Def::Static | Def::Global | Def::Kept { of: None } => false,
        Def::Fresh | Def::Raised | Def::Load { .. } | Def::Select | Def::Pair => true,
    }
}

/// What a function passes on and does not need behind that.
fn given_up(program: &Program<'_>, index: usize) -> Vec<Passed> {
    let function = &program.functions[index];
    let mut found = Vec::new();
    // Whose last use is asked is the value itself: whether somebody keeps it alive is not decided yet.
    let each: IdVec<ValueId, Class> = function.ids().map(|_| Class::Owned).collect();
    let mut starts = None;
    for (number, block) in function.blocks.iter().enumerate() {
        let calls = block.ops.iter().any(|it| !params(program, it).is_empty());
        if !calls && block.edges.iter().all(|it| it.passed.is_empty()) {
            continue;
        }
        let starts = starts.get_or_insert_with(|| live::starts(function, &each));
        for edge in &block.edges {
            let needed = live::entered(function, starts, edge.target);
            for &(value, arg) in &edge.passed {
                if !is_needed(function, &needed, value) {
                    found.push(Passed { value, function: index, arg });
                }
            }
        }
        if !calls {
            continue;
        }
        let mut needed = live::end(function, starts, number);
        for op in block.ops.iter().rev() {
            op.results.iter().for_each(|&it| needed.remove(it));
            for (value, function_called, arg) in params(program, op) {
                if !is_needed(function, &needed, value) {
                    found.push(Passed { value, function: function_called, arg });
                }
            }
            live::used(function, &each, number, op, |it| needed.insert(it));
        }
    }
    found
}

/// The operands of a call that count, with the function and its parameters.
fn params(program: &Program<'_>, op: &OpIr<'_>) -> Vec<(ValueId, usize, ValueId)> {
    let Some(callee) = view(op.op).callee() else { return Vec::new() };
    let callee = program.by_name[callee];
    let params = &program.functions[callee].blocks[0].args;
    let param = |how: Use| match how {
        Use::Param(at) => params.get(at as usize).copied().flatten(),
        Use::Borrow | Use::Take | Use::Pair => None,
    };
    op.operands.iter().filter_map(|&(value, how)| Some((value, callee, param(how)?))).collect()
}

/// Is a value or something that it is a part of among those that are needed?
fn is_needed(function: &Function<'_>, needed: &Set, value: ValueId) -> bool {
    let mut at = Some(value);
    while let Some(value) = at {
        if needed.contains(value) {
            return true;
        }
        at = match function.values[value].def {
            Def::Part { of, .. } | Def::Kept { of: Some(of) } => Some(of),
            Def::Kept { of: None }
            | Def::Arg { .. }
            | Def::Fresh
            | Def::Raised
            | Def::Static
            | Def::Global
            | Def::Load { .. }
            | Def::Select
            | Def::Pair => None,
        };
    }
    false
}
