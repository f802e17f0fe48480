//! Leaves out what changes nothing: parameters of loops that stay the same, results that are the same
//! on all paths, and operations whose results nobody needs.

use oxbow_base::{Id as _, IdSet, IdVec};
use oxbow_psg::{Effect, Prim};

use super::ir::{BlockId, Code, End, Loop, Op, Recursion, Stmt, ValueId};

pub fn run(code: &mut Code) {
    let mut alias: IdVec<ValueId, ValueId> = code.values.ids().collect();
    while find_aliases(code, &mut alias) {}
    rename(code, &alias);
    let live = live(code);
    sweep(code, &live);
}

fn resolve(alias: &IdVec<ValueId, ValueId>, mut value: ValueId) -> ValueId {
    while alias[value] != value {
        value = alias[value];
    }
    value
}

/// The values that the ends of a block pass on, of the kind that `pick` wants.
fn passed<'a>(
    code: &'a Code,
    block: BlockId,
    pick: &dyn Fn(&'a End) -> Option<&'a Vec<ValueId>>,
) -> Vec<&'a Vec<ValueId>> {
    let mut ends = Vec::new();
    code.leaves(block, &mut ends);
    ends.into_iter().filter_map(|it| pick(&code.blocks[it].end)).collect()
}

pub fn continues(code: &Code, block: BlockId) -> Vec<&Vec<ValueId>> {
    passed(code, block, &|end| match end {
        End::Continue(values) => Some(values),
        _ => None,
    })
}

pub fn yields(code: &Code, block: BlockId) -> Vec<&Vec<ValueId>> {
    passed(code, block, &|end| match end {
        End::Yield(values) => Some(values),
        _ => None,
    })
}

fn find_aliases(code: &Code, alias: &mut IdVec<ValueId, ValueId>) -> bool {
    let mut found = Vec::new();
    for block in code.blocks.values() {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Branch { arms, results, .. } => {
                    let all: Vec<_> = arms.iter().flat_map(|&it| yields(code, it)).collect();
                    for (place, &result) in results.iter().enumerate() {
                        let Some(first) = all.first().map(|it| resolve(alias, it[place])) else {
                            continue;
                        };
                        // Defined before the branch if it is the same in all arms.
                        if alias[result] == result
                            && all.len() > 1
                            && all.iter().all(|it| resolve(alias, it[place]) == first)
                        {
                            found.push((result, first));
                        }
                    }
                }
                Stmt::Loop(it) => loop_aliases(code, it, alias, &mut found),
                Stmt::Recursion(it) => {
                    let calls = code.recurs(it.body);
                    for (place, &param) in it.params.iter().enumerate() {
                        let init = resolve(alias, it.init[place]);
                        let same = |value: ValueId| {
                            let value = resolve(alias, value);
                            value == param || value == init
                        };
                        if alias[param] == param && calls.iter().all(|it| same(it.0[place])) {
                            found.push((param, init));
                        }
                    }
                }
                Stmt::Op { .. } | Stmt::Guard { .. } | Stmt::Recur { .. } => (),
            }
        }
    }
    let any = !found.is_empty();
    for (from, to) in found {
        let to = resolve(alias, to);
        if to != from && alias[from] == from {
            alias[from] = to;
        }
    }
    any
}

fn loop_aliases(
    code: &Code,
    it: &Loop,
    alias: &IdVec<ValueId, ValueId>,
    found: &mut Vec<(ValueId, ValueId)>,
) {
    let next = continues(code, it.body);
    for (place, &param) in it.params.iter().enumerate() {
        let init = resolve(alias, it.init[place]);
        let same = |value: ValueId| {
            let value = resolve(alias, value);
            value == resolve(alias, param) || value == init
        };
        if alias[param] == param && next.iter().all(|it| same(it[place])) {
            found.push((param, init));
        }
    }
    if it.counted.is_some() {
        for (&result, &param) in it.results.iter().zip(&it.params) {
            if alias[result] == result && alias[param] != param {
                found.push((result, resolve(alias, param)));
            }
        }
        return;
    }
    let exits = yields(code, it.body);
    for (place, &result) in it.results.iter().enumerate() {
        if alias[result] != result {
            continue;
        }
        let Some(first) = exits.first().map(|it| it[place]) else { continue };
        // A parameter that stays the same, seen from outside.
        let value = resolve(alias, first);
        if value != first || matches!(code.values[value].def, super::ir::Def::Const(_)) {
            let outside = it.init.iter().any(|&it| resolve(alias, it) == value);
            if outside && exits.iter().all(|it| resolve(alias, it[place]) == value) {
                found.push((result, value));
            }
        }
    }
}

pub fn rename(code: &mut Code, alias: &IdVec<ValueId, ValueId>) {
    let fix = |value: &mut ValueId| *value = resolve(alias, *value);
    let dropped = |value: ValueId| alias[value] != value;
    let mut loop_keep: Vec<(BlockId, Vec<bool>, Option<Vec<bool>>)> = Vec::new();
    let mut arm_keep: Vec<(BlockId, Vec<bool>)> = Vec::new();
    // By the body: parameters and results.
    let mut call_keep: Vec<(BlockId, Vec<bool>, Vec<bool>)> = Vec::new();
    let ids: Vec<BlockId> = code.blocks.ids().collect();
    for &id in &ids {
        for stmt in &mut code.blocks[id].stmts {
            match stmt {
                Stmt::Op { args, .. } => args.iter_mut().for_each(fix),
                Stmt::Guard { test, .. } => fix(test.value_mut()),
                Stmt::Branch { test, arms, results, .. } => {
                    fix(test.value_mut());
                    let keep: Vec<bool> = results.iter().map(|&it| !dropped(it)).collect();
                    arms.iter().for_each(|&it| arm_keep.push((it, keep.clone())));
                    retain(results, &keep);
                }
                Stmt::Loop(it) => {
                    it.init.iter_mut().for_each(fix);
                    if let Some(counted) = &mut it.counted {
                        fix(&mut counted.from);
                        fix(&mut counted.to);
                    }
                    let mut keep: Vec<bool> = it.params.iter().map(|&it| !dropped(it)).collect();
                    let exits: Vec<bool> = it.results.iter().map(|&it| !dropped(it)).collect();
                    if it.counted.is_some() {
                        // Results go with parameters.
                        keep = keep.iter().zip(&exits).map(|(&a, &b)| a || b).collect();
                        retain(&mut it.results, &keep);
                        loop_keep.push((it.body, keep.clone(), None));
                    } else {
                        retain(&mut it.results, &exits);
                        loop_keep.push((it.body, keep.clone(), Some(exits)));
                    }
                    retain(&mut it.params, &keep);
                    retain(&mut it.init, &keep);
                }
                Stmt::Recursion(it) => {
                    it.init.iter_mut().for_each(fix);
                    let keep: Vec<bool> = it.params.iter().map(|&it| !dropped(it)).collect();
                    let results: Vec<bool> = it.results.iter().map(|&it| !dropped(it)).collect();
                    retain(&mut it.params, &keep);
                    retain(&mut it.init, &keep);
                    retain(&mut it.results, &results);
                    arm_keep.push((it.body, results.clone()));
                    call_keep.push((it.body, keep, results));
                }
                Stmt::Recur { args, .. } => args.iter_mut().for_each(fix),
            }
        }
        match &mut code.blocks[id].end {
            End::Yield(values) | End::Continue(values) => values.iter_mut().for_each(fix),
            End::Branch { test, .. } => fix(test.value_mut()),
            End::Raise(value) => fix(value),
            End::Open => (),
        }
    }
    for stmt in code.blocks.values_mut().flat_map(|it| &mut it.stmts) {
        if let Stmt::Recur { body, args, results } = stmt
            && let Some((_, params, given)) = call_keep.iter().find(|it| it.0 == *body)
        {
            retain(args, params);
            retain(results, given);
        }
    }
    for (body, keep, exits) in loop_keep {
        let mut ends = Vec::new();
        code.leaves(body, &mut ends);
        for end in ends {
            match (&mut code.blocks[end].end, &exits) {
                (End::Continue(values), _) => retain(values, &keep),
                (End::Yield(values), Some(exits)) => retain(values, exits),
                _ => (),
            }
        }
    }
    for (arm, keep) in arm_keep {
        let mut ends = Vec::new();
        code.leaves(arm, &mut ends);
        for end in ends {
            if let End::Yield(values) = &mut code.blocks[end].end {
                retain(values, &keep);
            }
        }
    }
}

fn retain(values: &mut Vec<ValueId>, keep: &[bool]) {
    let mut at = 0;
    values.retain(|_| {
        at += 1;
        keep[at - 1]
    });
}

/// Whether an operation must stay even if its result is not used.
pub fn has_effect(op: &Op) -> bool {
    match op {
        Op::Prim(Prim::AdConstant | Prim::AdAttach | Prim::AdIsZero) => false,
        Op::Prim(prim) => prim.effect() == Effect::Write,
        Op::Call | Op::SetField { .. } | Op::WriteVar(_) | Op::AddProduct => true,
        Op::Tuple
        | Op::TupleGet(_)
        | Op::Record
        | Op::Construct(_)
        | Op::Field { .. }
        | Op::Array
        | Op::MakeExn(_)
        | Op::ReadVar(_)
        | Op::Function(_) => false,
    }
}

fn live(code: &Code) -> IdSet<ValueId> {
    /// What a value needs besides itself.
    enum Needs<'a> {
        Values(&'a [ValueId]),
        Arms(&'a [BlockId], usize),
        Exit(&'a Loop, usize),
        Param(&'a Loop, usize),
        /// A result of the recursive function with this body.
        Call(BlockId, usize),
        Given(&'a Recursion, usize),
    }
    let mut needs: IdVec<ValueId, Option<Needs<'_>>> = code.values.ids().map(|_| None).collect();
    let mut work = Vec::new();
    for (id, block) in code.blocks.iter() {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Op { result, op, args } => {
                    needs[*result] = Some(Needs::Values(args));
                    if has_effect(op) {
                        work.extend(args.iter().copied());
                    }
                }
                Stmt::Guard { test, .. } => work.push(test.value()),
                Stmt::Branch { test, arms, results, .. } => {
                    work.push(test.value());
                    for (place, &result) in results.iter().enumerate() {
                        needs[result] = Some(Needs::Arms(arms, place));
                    }
                }
                Stmt::Loop(it) => {
                    if let Some(counted) = it.counted {
                        work.extend([counted.from, counted.to]);
                    }
                    for (place, &param) in it.params.iter().enumerate() {
                        needs[param] = Some(Needs::Param(it, place));
                    }
                    for (place, &result) in it.results.iter().enumerate() {
                        needs[result] = Some(Needs::Exit(it, place));
                    }
                }
                Stmt::Recursion(it) => {
                    for (place, &param) in it.params.iter().enumerate() {
                        needs[param] = Some(Needs::Given(it, place));
                    }
                    for (place, &result) in it.results.iter().enumerate() {
                        needs[result] = Some(Needs::Call(it.body, place));
                    }
                }
                Stmt::Recur { body, results, .. } => {
                    for (place, &result) in results.iter().enumerate() {
                        needs[result] = Some(Needs::Call(*body, place));
                    }
                }
            }
        }
        match &block.end {
            End::Yield(values) if id == code.root => work.extend(values.iter().copied()),
            End::Branch { test, .. } => work.push(test.value()),
            End::Raise(value) => work.push(*value),
            End::Open | End::Yield(_) | End::Continue(_) => (),
        }
    }
    let mut live = IdSet::new();
    while let Some(value) = work.pop() {
        if !live.insert(value) {
            continue;
        }
        match &needs[value] {
            None => (),
            Some(Needs::Values(values)) => work.extend(values.iter().copied()),
            Some(Needs::Arms(arms, place)) => {
                for values in arms.iter().flat_map(|&it| yields(code, it)) {
                    work.push(values[*place]);
                }
            }
            Some(Needs::Exit(it, place)) if it.counted.is_some() => work.push(it.params[*place]),
            Some(Needs::Exit(it, place)) => {
                work.extend(yields(code, it.body).iter().map(|it| it[*place]));
            }
            Some(Needs::Call(body, place)) => {
                work.extend(yields(code, *body).iter().map(|it| it[*place]));
                // What one call gives, all do.
                work.extend(code.recurs(*body).iter().map(|it| it.1[*place]));
                work.extend(recursions(code, *body).map(|it| it.results[*place]));
            }
            Some(Needs::Given(it, place)) => {
                work.push(it.init[*place]);
                work.extend(code.recurs(it.body).iter().map(|it| it.0[*place]));
            }
            Some(Needs::Param(it, place)) => {
                work.push(it.init[*place]);
                work.extend(continues(code, it.body).iter().map(|it| it[*place]));
            }
        }
    }
    live
}

fn recursions(code: &Code, body: BlockId) -> impl Iterator<Item = &Recursion> {
    code.blocks.values().flat_map(|it| &it.stmts).filter_map(move |it| match it {
        Stmt::Recursion(it) if it.body == body => Some(it),
        _ => None,
    })
}

fn sweep(code: &mut Code, live: &IdSet<ValueId>) {
    // Dead parameters and results are dropped like those that stay the same.
    let mut alias: IdVec<ValueId, ValueId> = code.values.ids().collect();
    let nowhere = ValueId::from_index(0);
    for block in code.blocks.values_mut() {
        block.stmts.retain(|stmt| match stmt {
            Stmt::Op { result, op, .. } => has_effect(op) || live.contains(*result),
            Stmt::Branch { .. } | Stmt::Guard { .. } | Stmt::Loop(_) => true,
            Stmt::Recursion(_) | Stmt::Recur { .. } => true,
        });
        for stmt in &block.stmts {
            let all: Vec<ValueId> = match stmt {
                Stmt::Branch { results, .. } => results.clone(),
                // Those of a `for` loop go together.
                Stmt::Loop(it) if it.counted.is_some() => it
                    .params
                    .iter()
                    .zip(&it.results)
                    .filter(|it| !live.contains(*it.0) && !live.contains(*it.1))
                    .flat_map(|it| [*it.0, *it.1])
                    .collect(),
                Stmt::Loop(it) => it.params.iter().chain(&it.results).copied().collect(),
                Stmt::Recursion(it) => it.params.iter().chain(&it.results).copied().collect(),
                // As in the statement of its function.
                Stmt::Recur { .. } | Stmt::Op { .. } | Stmt::Guard { .. } => Vec::new(),
            };
            for value in all {
                if !live.contains(value) {
                    alias[value] = nowhere;
                }
            }
        }
    }
    rename(code, &alias);
    drop_idle_loops(code);
}

/// Loops and branches without results and effects: what a proof of bounds has left.
fn drop_idle_loops(code: &mut Code) {
    let ids: Vec<BlockId> = code.blocks.ids().collect();
    // Inner blocks are made after the blocks around them.
    for &id in ids.iter().rev() {
        let stmts = std::mem::take(&mut code.blocks[id].stmts);
        let kept = stmts
            .into_iter()
            .filter(|stmt| match stmt {
                Stmt::Branch { arms, results, .. } => {
                    !results.is_empty() || arms.iter().any(|&it| is_busy(code, it))
                }
                Stmt::Loop(it) => {
                    // Other loops might not end.
                    !it.results.is_empty() || it.counted.is_none() || is_busy(code, it.body)
                }
                // Recursion might not end.
                Stmt::Op { .. } | Stmt::Guard { .. } | Stmt::Recursion(_) | Stmt::Recur { .. } => {
                    true
                }
            })
            .collect();
        code.blocks[id].stmts = kept;
    }
}

fn is_busy(code: &Code, block: BlockId) -> bool {
    let block = &code.blocks[block];
    let stmt = block.stmts.iter().any(|it| match it {
        Stmt::Op { op, .. } => has_effect(op),
        Stmt::Branch { .. } | Stmt::Guard { .. } | Stmt::Loop(_) => true,
        Stmt::Recursion(_) | Stmt::Recur { .. } => true,
    });
    stmt || match &block.end {
        End::Raise(_) => true,
        End::Branch { arms, .. } => arms.iter().any(|&it| is_busy(code, it)),
        End::Open | End::Yield(_) | End::Continue(_) => false,
    }
}
