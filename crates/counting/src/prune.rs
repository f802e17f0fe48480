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

use std::collections::HashSet;

use oxbow_dialect::inspect::{
    blocks_of, definition, erase, int_attr, key, name_of, operands, ops_of, reverse_postorder,
    set_attr, string_attr, symbol_attr, uses_of,
};
use oxbow_dialect::melior::ir::BlockLike;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::{Block, Builder, Op, Val, mlir_sys as sys, region_of, result_of};

use crate::graph::{Graph, id, last_of, successors};

/// Marks a call that always raises. Nothing behind it tests for that.
pub const FAILS: &str = "fails";

pub fn run<'c>(functions: &[Op<'c>], build: &mut Builder<'c>) {
    let failing = failing(functions);
    for &function in functions {
        let mut changed = false;
        for block in reverse_postorder(region_of(function)) {
            let Some(last) = last_of(block) else { continue };
            if let Some(call) = failing_call(last, &failing) {
                set_attr(call, FAILS, build.unit());
                take(build, block, last, 0);
                changed = true;
            } else if is_failing_tail_call(last, &failing) {
                set_attr(last, FAILS, build.unit());
            }
        }
        changed |= fold_tests(function, build);
        if changed {
            erase_unreached(function);
        }
    }
}

/// The functions that never return a value.
fn failing(functions: &[Op<'_>]) -> HashSet<String> {
    let mut failing: HashSet<String> = HashSet::new();
    loop {
        let mut changed = false;
        for &function in functions {
            let name = string_attr(function, "sym_name");
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

fn always_raises(function: Op<'_>, failing: &HashSet<String>) -> bool {
    let blocks = blocks_of(region_of(function));
    let Some(&first) = blocks.first() else { return false };
    let mut seen = HashSet::new();
    let mut todo = vec![first];
    let mut raises = false;
    while let Some(block) = todo.pop() {
        if !seen.insert(id(block)) {
            continue;
        }
        let Some(last) = last_of(block) else { return false };
        match name_of(last) {
            "ocaml.raise" => raises = true,
            _ if is_failing_tail_call(last, failing) => raises = true,
            "cf.cond_br" if failing_call(last, failing).is_some() => {
                todo.push(successors(block)[0])
            }
            "cf.br" | "cf.cond_br" | "cf.switch" => todo.extend(successors(block)),
            _ => return false,
        }
    }
    raises
}

fn is_failing_tail_call(last: Op<'_>, failing: &HashSet<String>) -> bool {
    name_of(last) == "ocaml.tail_call" && failing.contains(symbol_attr(last, "callee"))
}

/// The call that always raises whose exception the branch tests.
fn failing_call<'c>(last: Op<'c>, failing: &HashSet<String>) -> Option<Op<'c>> {
    if name_of(last) != "cf.cond_br" {
        return None;
    }
    let test = definition(operands(last)[0]).filter(|it| name_of(*it) == "ocaml.exn.raised")?;
    let call = definition(operands(test)[0]).filter(|it| name_of(*it) == "ocaml.call")?;
    failing.contains(symbol_attr(call, "callee")).then_some(call)
}

/// Replaces a branch by one of its ways.
fn take<'c>(build: &mut Builder<'c>, block: Block<'c>, last: Op<'c>, way: usize) {
    let targets = successors(block);
    let all = operands(last);
    let skip: usize = 1 + targets[..way].iter().map(|it| it.argument_count()).sum::<usize>();
    let args: Vec<Val<'c>> = all[skip..skip + targets[way].argument_count()].to_vec();
    build.location = last.location();
    build.set_block(block);
    erase(last);
    build.br(targets[way], &args);
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
            && let Some(last) = last_of(blocks[from]).filter(|it| name_of(*it) == "cf.cond_br")
        {
            let targets = successors(blocks[from]);
            if id(targets[0]) != id(targets[1]) {
                let way = usize::from(id(targets[0]) != id(block));
                facts[at] = told(operands(last)[0], way == 0);
            }
        }
        let Some(last) = last_of(block).filter(|it| name_of(*it) == "cf.cond_br") else { continue };
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
        if let Some(yes) = outcome(operands(last)[0], known) {
            // The edge that is left tells nothing new.
            take(build, block, last, usize::from(!yes));
            changed = true;
        }
    }
    changed
}

/// What a condition says of a value when it is true, or false.
fn told(condition: Val<'_>, holds: bool) -> Option<(usize, Known)> {
    let test = definition(condition)?;
    match name_of(test) {
        "ocaml.is_immediate" => {
            let known = if holds { Known::Immediate } else { Known::Object };
            Some((key(operands(test)[0]), known))
        }
        "ocaml.word.is_int" | "ocaml.word.is_mark" if holds => {
            Some((key(operands(test)[0]), Known::Immediate))
        }
        "arith.cmpi" => {
            let (value, tag, equal) = tag_test(test)?;
            (equal == holds).then_some((key(value), Known::Tagged(tag)))
        }
        _ => None,
    }
}

/// The result of a condition that is known.
fn outcome<'c>(condition: Val<'c>, known: impl Fn(Val<'c>) -> Option<Known>) -> Option<bool> {
    let test = definition(condition)?;
    match name_of(test) {
        "ocaml.is_immediate" => Some(known(operands(test)[0])? == Known::Immediate),
        "ocaml.word.is_int" | "ocaml.word.is_mark" => {
            (known(operands(test)[0])? != Known::Immediate).then_some(false)
        }
        "arith.cmpi" => {
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
    let tag = definition(sides[0]).filter(|it| name_of(*it) == "ocaml.block.tag")?;
    let constant = definition(sides[1]).filter(|it| name_of(*it) == "arith.constant")?;
    let equal = match int_attr(test, "predicate") {
        0 => true,
        1 => false,
        _ => return None,
    };
    Some((operands(tag)[0], int_attr(constant, "value"), equal))
}

/// Removes the blocks that nothing leads to.
fn erase_unreached(function: Op<'_>) {
    let reached: HashSet<usize> =
        reverse_postorder(region_of(function)).iter().map(|&it| id(it)).collect();
    let all = blocks_of(region_of(function));
    let lost: Vec<Block<'_>> = all.into_iter().filter(|it| !reached.contains(&id(*it))).collect();
    for &block in &lost {
        if let Some(last) = last_of(block) {
            erase(last);
        }
    }
    // Only ops of lost blocks use what they make; the last ones first.
    let mut ops: Vec<Op<'_>> = lost.iter().flat_map(|&it| ops_of(it)).collect();
    while !ops.is_empty() {
        let is_used =
            |it: &Op<'_>| (0..it.result_count()).any(|at| !uses_of(result_of(*it, at)).is_empty());
        let mut kept = Vec::new();
        for op in ops.into_iter().rev() {
            match is_used(&op) {
                true => kept.push(op),
                false => erase(op),
            }
        }
        kept.reverse();
        ops = kept;
    }
    for block in lost {
        // SAFETY: the block is empty, nothing branches to it, and nothing uses its arguments.
        unsafe {
            sys::mlirBlockDetach(block.to_raw());
            sys::mlirBlockDestroy(block.to_raw());
        }
    }
}
