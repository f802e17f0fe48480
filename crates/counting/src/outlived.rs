//! Parts that are kept so that their object need not be.
//!
//! ```text
//! %x = get %l[1, 0]; %r = get %l[1, 1]       take [0, 1] of %l
//! dup %r                                     %m = call @map(%r)       the only reference: its cells are used again
//! %m = call @map(%r)                         … look at %x …
//! … look at %x …                             drop %x
//! drop %l
//! ```
//!
//! A part that is only looked at is kept alive by its object. But where another part has been handed over by then, the
//! object holds a second reference to that one for as long, and nothing of it can be changed in place.
//! So such parts are owned, and the object is taken apart when its parts are read (decision 223).

use oxbow_base::{FxHashMap, FxHashSet, IdVec, SparseMap, SparseSet};

use crate::ir::{Def, Function, Program, Uses, ValueId};
use crate::own::Owners;

/// For each value, whether it should be owned instead of its object.
pub fn parts(
    program: &Program<'_>,
    index: usize,
    owners: &Owners,
    borrowed: &IdVec<ValueId, bool>,
    taken: &IdVec<ValueId, bool>,
) -> IdVec<ValueId, bool> {
    let function = &program.functions[index];
    let mut kept: IdVec<ValueId, bool> = function.ids().map(|_| false).collect();
    let mut parts: SparseMap<ValueId, Vec<ValueId>> = SparseMap::new();
    for id in function.ids() {
        if let Def::Part { of, .. } = function.values[id].def
            && !borrowed[of]
        {
            parts.entry_or_insert_with(of, Vec::new).push(id);
        }
    }
    let is_mixed = |of: &ValueId| {
        parts[*of].iter().any(|id| taken[*id]) && parts[*of].iter().any(|id| !taken[*id])
    };
    let mixed: Vec<ValueId> = parts.ids().into_iter().filter(is_mixed).collect();
    if mixed.is_empty() {
        return kept;
    }
    let uses = function.uses();
    for of in mixed {
        let parts = &parts[of];
        let home = function.values[of].place.0;
        let mut after = After { function, home, reached: FxHashMap::default() };
        let given: Vec<_> = parts
            .iter()
            .filter(|it| taken[**it])
            .flat_map(|&it| takers(program, index, owners, borrowed, &uses, it))
            .collect();
        let mut late = Vec::new();
        let mut is_needed = false;
        for &(block, at) in uses[of].ops.iter().chain(&uses[of].passed) {
            let op = &function.blocks[block as usize].ops[at as usize];
            for &part in &op.results {
                if parts.contains(&part) && taken[part] {
                    continue;
                }
                let last = places(function, &uses, part);
                if given.iter().any(|&it| last.iter().any(|&at| after.is_after(it, at))) {
                    let def = function.values[part].def;
                    let takeable = matches!(def, Def::Part { takeable: true, .. });
                    is_needed |= !takeable || !parts.contains(&part);
                    late.push(part);
                }
            }
            is_needed |= given.iter().any(|&it| after.is_after(it, (block, at)));
        }
        if !is_needed {
            late.into_iter().for_each(|it| kept[it] = true);
        }
    }
    kept
}

/// Where a value is handed over.
fn takers(
    program: &Program<'_>,
    index: usize,
    owners: &Owners,
    borrowed: &IdVec<ValueId, bool>,
    uses: &IdVec<ValueId, Uses>,
    value: ValueId,
) -> Vec<(u32, u32)> {
    let function = &program.functions[index];
    let takes = |&&(block, at): &&(u32, u32)| {
        let op = &function.blocks[block as usize].ops[at as usize];
        op.operands.iter().any(|it| it.0 == value && owners.takes(program, op, it.1, borrowed))
    };
    uses[value].ops.iter().filter(takes).copied().collect()
}

/// Where a value or a part of it is used.
fn places(
    function: &Function<'_>,
    uses: &IdVec<ValueId, Uses>,
    value: ValueId,
) -> FxHashSet<(u32, u32)> {
    let mut places = FxHashSet::default();
    let mut seen: SparseSet<ValueId> = SparseSet::new();
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        if !seen.insert(value) {
            continue;
        }
        for &(block, at) in uses[value].ops.iter().chain(&uses[value].passed) {
            places.insert((block, at));
            let results = &function.blocks[block as usize].ops[at as usize].results;
            waiting.extend(results.iter().filter(|it| {
                !matches!(function.values[**it].def, Def::Fresh | Def::Static | Def::Raised)
            }));
        }
    }
    places
}

/// Which ops can come after which, before an object is made anew.
struct After<'a, 'c> {
    function: &'a Function<'c>,
    /// The block that makes the object.
    home: u32,
    reached: FxHashMap<u32, FxHashSet<u32>>,
}

impl After<'_, '_> {
    fn is_after(&mut self, first: (u32, u32), second: (u32, u32)) -> bool {
        if first.0 == second.0 && second.1 > first.1 {
            return true;
        }
        let (function, home) = (self.function, self.home);
        let reached = self.reached.entry(first.0).or_insert_with(|| {
            let mut reached = FxHashSet::default();
            let mut waiting = vec![first.0];
            while let Some(block) = waiting.pop() {
                for edge in &function.blocks[block as usize].edges {
                    let target = edge.target as u32;
                    if target != home && reached.insert(target) {
                        waiting.push(target);
                    }
                }
            }
            reached
        });
        reached.contains(&second.0)
    }
}
