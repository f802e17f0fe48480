//! Branches that cannot be taken go, before anything is counted.
//!
//! ```text
//! %v, %e = call @wrong(…)          %v, %e = call @wrong(…)
//! cond_br (raised %e), ^out, ^on   br ^out                        @wrong always raises
//!
//! ^pair:                           ^pair:
//!   cond_br (is_immediate %x), …     br ^block                    %x has been tested before
//! ```
//!
//! A call that always raises has no normal end, so what follows the test of a value need not
//! be merged with what the call would give: values are known to be borrowed, and objects to be of their
//! constructor, for longer. What constructor a value has never changes, so what a branch
//! has found out holds wherever it dominates.

use oxbow_base::FxHashSet;
use oxbow_dialect::inspect::{
    blocks_of, definition, erase_unreached, key, operands, reverse_postorder, take_way,
};
use oxbow_dialect::op::{
    BlockTag, Call, DialectOp, ExnRaised, Func, Opcode, TailCall, Upstream, View, comparison,
    integer_constant, opcode, view,
};
use oxbow_dialect::{Builder, Op, Predicate, Val, region_of};

use crate::graph::{Graph, id, last_of, successors};

pub fn run<'c>(functions: &[Op<'c>], build: &mut Builder<'c>) {
    let failing = failing(functions);
    for &function in functions {
        let mut changed = false;
        for block in reverse_postorder(region_of(function)) {
            let Some(last) = last_of(block) else { continue };
            if let Some(call) = failing_call(last, &failing) {
                // Nothing behind it tests for that.
                call.set_fails(true);
                take_way(build, last, 0);
                changed = true;
            } else if let Some(call) = failing_tail_call(last, &failing) {
                call.set_fails(true);
            }
        }
        changed |= fold_tests(function, build);
        if changed {
            erase_unreached(function);
        }
    }
}

/// The functions that never return a value.
fn failing(functions: &[Op<'_>]) -> FxHashSet<String> {
    let mut failing: FxHashSet<String> = FxHashSet::default();
    loop {
        let mut changed = false;
        for &function in functions {
            let name = Func::of(function).sym_name();
            if !failing.contains(name) && always_raises(function, &failing) {
                failing.insert(name.into());
                changed = true;
            }
        }
        if !changed {
            return failing;
        }
    }
}

fn always_raises(function: Op<'_>, failing: &FxHashSet<String>) -> bool {
    let blocks = blocks_of(region_of(function));
    let Some(&first) = blocks.first() else { return false };
    let mut seen = FxHashSet::default();
    let mut todo = vec![first];
    let mut raises = false;
    while let Some(block) = todo.pop() {
        if !seen.insert(id(block)) {
            continue;
        }
        let Some(last) = last_of(block) else { return false };
        match opcode(last) {
            Opcode::Raise => raises = true,
            _ if failing_tail_call(last, failing).is_some() => raises = true,
            Opcode::Upstream(Upstream::CondBr) if failing_call(last, failing).is_some() => {
                todo.push(successors(block)[0])
            }
            Opcode::Upstream(Upstream::Br | Upstream::CondBr | Upstream::Switch) => {
                todo.extend(successors(block));
            }
            _ => return false,
        }
    }
    raises
}

fn failing_tail_call<'c>(last: Op<'c>, failing: &FxHashSet<String>) -> Option<TailCall<'c>> {
    TailCall::cast(last).filter(|it| failing.contains(it.callee()))
}

/// The call that always raises whose exception the branch tests.
fn failing_call<'c>(last: Op<'c>, failing: &FxHashSet<String>) -> Option<Call<'c>> {
    let test = ExnRaised::defining(condition(last)?)?;
    Call::defining(test.exn()).filter(|it| failing.contains(it.callee()))
}

/// What a branch with two ways tests.
fn condition<'c>(last: Op<'c>) -> Option<Val<'c>> {
    let is_branch = opcode(last) == Opcode::Upstream(Upstream::CondBr);
    is_branch.then(|| operands(last)[0])
}

/// What is known of a value of a variant type.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    Immediate,
    Object,
    /// An object of this constructor.
    Tagged(i64),
}

/// Takes branches whose conditions are known.
fn fold_tests<'c>(function: Op<'c>, build: &mut Builder<'c>) -> bool {
    let blocks = reverse_postorder(region_of(function));
    let Graph { before, dominators, .. } = Graph::new(&blocks);
    // For each block, the fact that the edge into it tells.
    let mut facts: Vec<Option<(usize, Known)>> = vec![None; blocks.len()];
    let mut changed = false;
    for (at, &block) in blocks.iter().enumerate() {
        if let [from] = before[at][..]
            && at != 0
            && let Some(condition) = last_of(blocks[from]).and_then(condition)
        {
            let targets = successors(blocks[from]);
            if id(targets[0]) != id(targets[1]) {
                let way = usize::from(id(targets[0]) != id(block));
                facts[at] = told(condition, way == 0);
            }
        }
        let Some(last) = last_of(block) else { continue };
        let Some(condition) = condition(last) else { continue };
        let known = |value: Val<'c>| {
            let mut found = None;
            let mut at = at;
            loop {
                if let Some((of, fact)) = facts[at]
                    && of == key(value)
                    && !matches!(found, Some(Known::Tagged(_)))
                {
                    found = Some(fact);
                }
                if at == 0 {
                    return found;
                }
                at = dominators.above(at);
            }
        };
        if let Some(yes) = outcome(condition, known) {
            // The edge that is left tells nothing new.
            take_way(build, last, usize::from(!yes));
            changed = true;
        }
    }
    changed
}

/// What a condition says of a value when it is true, or false.
fn told(condition: Val<'_>, holds: bool) -> Option<(usize, Known)> {
    let test = definition(condition)?;
    match view(test) {
        View::IsImmediate(it) => {
            let known = if holds { Known::Immediate } else { Known::Object };
            Some((key(it.value()), known))
        }
        View::WordIsInt(it) if holds => Some((key(it.value()), Known::Immediate)),
        View::WordIsMark(it) if holds => Some((key(it.value()), Known::Immediate)),
        View::WordIsFloat(it) if holds => Some((key(it.value()), Known::Immediate)),
        View::Upstream(Upstream::CmpI, _) => {
            let (value, tag, equal) = tag_test(test)?;
            (equal == holds).then_some((key(value), Known::Tagged(tag)))
        }
        _ => None,
    }
}

/// The result of a condition that is known.
fn outcome<'c>(condition: Val<'c>, known: impl Fn(Val<'c>) -> Option<Known>) -> Option<bool> {
    let test = definition(condition)?;
    let is_no_object = |value| (known(value)? != Known::Immediate).then_some(false);
    match view(test) {
        View::IsImmediate(it) => Some(known(it.value())? == Known::Immediate),
        View::WordIsInt(it) => is_no_object(it.value()),
        View::WordIsMark(it) => is_no_object(it.value()),
        View::WordIsFloat(it) => is_no_object(it.value()),
        View::Upstream(Upstream::CmpI, _) => {
            let (value, tag, equal) = tag_test(test)?;
            match known(value)? {
                Known::Tagged(it) => Some((it == tag) == equal),
                Known::Immediate | Known::Object => None,
            }
        }
        _ => None,
    }
}

/// A comparison of a value's constructor with a number, and whether it asks for equality.
fn tag_test<'c>(test: Op<'c>) -> Option<(Val<'c>, i64, bool)> {
    let sides = operands(test);
    let tag = BlockTag::defining(sides[0])?;
    let number = integer_constant(sides[1])?;
    let equal = match comparison(test)? {
        Predicate::Eq => true,
        Predicate::Ne => false,
        _ => return None,
    };
    Some((tag.value(), number, equal))
}
