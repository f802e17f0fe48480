//! Who may call whom, and so which functions may be called while they run.

use oxbow_base::{FxHashSet, components};
use oxbow_dialect::op::{DialectOp, Func, Opcode, callee_of};

use crate::ir::{OpIr, Program};

/// For each function what it calls. The last number stands for the call of a function value.
pub struct Calls {
    next: Vec<FxHashSet<usize>>,
    reentrant: Vec<bool>,
}

impl Calls {
    pub fn new(program: &Program<'_>) -> Self {
        let unknown = program.functions.len();
        let mut next: Vec<FxHashSet<usize>> = vec![FxHashSet::default(); unknown + 1];
        for (index, function) in program.functions.iter().enumerate() {
            next[index].extend(function.ops().filter_map(|op| called(program, op)));
            // The runtime calls the program once, when nothing else runs.
            if function.is_code && !Func::of(function.op).exported() {
                next[unknown].insert(index);
            }
        }
        let reentrant = on_cycles(&next);
        Self { next, reentrant }
    }

    /// May the function be called while it runs?
    pub fn is_reentrant(&self, function: usize) -> bool {
        self.reentrant[function]
    }

    /// The functions from which calls lead to this one, it among them.
    pub fn leading_to(&self, function: usize) -> FxHashSet<usize> {
        let mut found = FxHashSet::from_iter([function]);
        let mut changed = true;
        while changed {
            let more: Vec<usize> = (0..self.next.len())
                .filter(|it| !found.contains(it) && !self.next[*it].is_disjoint(&found))
                .collect();
            changed = !more.is_empty();
            found.extend(more);
        }
        found
    }
}

/// What an op calls.
pub fn called(program: &Program<'_>, op: &OpIr<'_>) -> Option<usize> {
    match op.opcode {
        Opcode::Call | Opcode::TailCall => Some(program.by_name[callee_of(op.op)]),
        Opcode::Invoke | Opcode::TailInvoke => Some(program.functions.len()),
        _ => None,
    }
}

/// The nodes of a graph that a path leads back to.
pub fn on_cycles(next: &[FxHashSet<usize>]) -> Vec<bool> {
    let sorted: Vec<Vec<usize>> = next
        .iter()
        .map(|it| {
            let mut all: Vec<usize> = it.iter().copied().collect();
            all.sort_unstable();
            all
        })
        .collect();
    let mut result: Vec<bool> =
        next.iter().enumerate().map(|(it, all)| all.contains(&it)).collect();
    for group in components(&sorted).iter().filter(|it| it.len() > 1) {
        group.iter().for_each(|&it| result[it] = true);
    }
    result
}
