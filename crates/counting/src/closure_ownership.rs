//! Which closures are worth ownership over to their code.
//!
//! At its last call a closure can be handed over: its code then takes the captures instead of
//! counting them up, and frees the closure early. But code that may own its closure finds out each
//! time it runs. So closures of a type are only lent where no function of that type takes a capture
//! over and no call in tail position, which leaves nobody to drop the closure, calls them.

use oxbow_base::FxHashSet;
use oxbow_dialect::melior::ir::{TypeLike, ValueLike};
use oxbow_dialect::op::{View, view};
use oxbow_dialect::result_of;

use crate::ir::{Def, Program};
use crate::own::{self, Owners};

/// Closure types whose closures are handed over, and functions that own their closures.
pub struct ClosureOwnership {
    types: FxHashSet<usize>,
    functions: FxHashSet<usize>,
}

impl ClosureOwnership {
    pub fn new(program: &Program<'_>, owners: &Owners) -> Self {
        let mut ownership = Self { types: FxHashSet::default(), functions: FxHashSet::default() };
        let mut members: Vec<(usize, usize)> = Vec::new();
        for (index, function) in program.functions.iter().enumerate() {
            if function.has_env && takes_captures(program, index, owners) {
                ownership.functions.insert(index);
            }
            for op in function.blocks.iter().flat_map(|it| &it.ops) {
                if let Some(code) = view(op.op).new_closure_code() {
                    let ty = result_of(op.op, 0).r#type().to_raw().ptr as usize;
                    members.push((program.by_name[code], ty));
                }
                match view(op.op) {
                    View::TailInvoke(it) => {
                        ownership.types.insert(it.callee().r#type().to_raw().ptr as usize);
                    }
                    View::TailCall(it) => {
                        let callee = program.by_name[it.callee()];
                        if program.functions[callee].has_env {
                            ownership.functions.insert(callee);
                        }
                    }
                    _ => (),
                }
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &(function, ty) in &members {
                if ownership.functions.contains(&function) != ownership.types.contains(&ty) {
                    changed |= ownership.functions.insert(function) | ownership.types.insert(ty);
                }
            }
        }
        ownership
    }

    pub fn of_type(&self, ty: oxbow_dialect::melior::ir::Type<'_>) -> bool {
        self.types.contains(&(ty.to_raw().ptr as usize))
    }

    pub fn of_function(&self, function: usize) -> bool {
        self.functions.contains(&function)
    }
}

/// Does the function take over something that its closure captures?
fn takes_captures(program: &Program<'_>, index: usize, owners: &Owners) -> bool {
    let function = &program.functions[index];
    let borrowed = own::borrowed(function, &owners.args[index]);
    let taken = own::taken(program, index, owners, &borrowed);
    let env = function.blocks[0].args.first().copied().flatten();
    function.ids().any(|id| {
        matches!(function.values[id].def, Def::Part { of, .. } if Some(of) == env) && taken[id]
    })
}
