//! Donated arguments: those that can be given something nobody else needs.
//!
//! Taking an object apart is worth owning it only if somebody gives it up: a function that is called with
//! constants and with parts of them finds no cell that it could use again.

use oxbow_base::IdVec;
use oxbow_dialect::op::view;

use crate::ir::{Def, Function, Program, ValueId};
use crate::uses::Use;

/// For each function, its block arguments that can be given such a value.
pub fn args(program: &Program<'_>) -> Vec<IdVec<ValueId, bool>> {
    let mut given: Vec<IdVec<ValueId, bool>> =
        program.functions.iter().map(|it| it.ids().map(|_| it.is_code).collect()).collect();
    loop {
        let mut changed = false;
        for index in 0..program.functions.len() {
            let function = &program.functions[index];
            let mut found: Vec<(usize, ValueId)> = Vec::new();
            for block in &function.blocks {
                for op in &block.ops {
                    let Some(callee) = view(op.op).callee() else { continue };
                    let callee = program.by_name[callee];
                    let params = &program.functions[callee].blocks[0].args;
                    for &(value, how) in &op.operands {
                        if let Use::Param(at) = how
                            && let Some(param) = params.get(at as usize).copied().flatten()
                            && is_given(function, &given[index], value)
                        {
                            found.push((callee, param));
                        }
                    }
                }
                for &(value, arg) in block.edges.iter().flat_map(|it| &it.passed) {
                    if is_given(function, &given[index], value) {
                        found.push((index, arg));
                    }
                }
            }
            for (function, arg) in found {
                changed |= !std::mem::replace(&mut given[function][arg], true);
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
