//! Removes captures that no code reads: from the function, and from every closure made over it.
//!
//! ```text
//! before   func @f(%x) captures(i64, i64) { %b = env.get %env[1] … }     make_closure @f(%a, %b)
//! after    func @f(%x) captures(i64) { %b = env.get %env[0] … }          make_closure @f(%b)
//! ```
//!
//! An environment is opaque to others: only its function reads it, so what that function does not
//! read, nobody does. A function that is left without captures has no environment, and closures
//! over it are constants. Functions that lend each other their closures, and functions that are named by an environment as a value of its own are
//! left alone.

use std::collections::{HashMap, HashSet};

use oxbow_dialect::inspect::{
    erase, int_attr, lender, list_attr, name_of, operands, set_attr, string_attr, uses_of,
};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::Module;
use oxbow_dialect::{Op, result_of};

use crate::module::{View, captures_of, set_operands};

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let mut changed = true;
    // What a function passes on only to a capture that goes away, it does not read either.
    while changed {
        let mut view = View::new(module, context);
        let references = view.references();
        let lent = lent(&references);
        changed = false;
        for func in view.funcs.clone() {
            if !lent.contains(string_attr(func, "sym_name")) {
                changed |= shrink(&mut view, func, &references);
            }
        }
    }
}

/// Functions that serve each other's calls with their closures: their captures belong together.
fn lent<'c>(references: &HashMap<&'c str, Vec<Op<'c>>>) -> HashSet<&'c str> {
    let mut lent = HashSet::new();
    for (&callee, ops) in references {
        let calls =
            ops.iter().filter(|it| matches!(name_of(**it), "ocaml.call" | "ocaml.tail_call"));
        for other in calls.filter_map(|it| lender(*it)).filter(|it| *it != callee) {
            lent.extend([callee, other]);
        }
    }
    lent
}

fn shrink<'c>(
    view: &mut View<'c>,
    func: Op<'c>,
    references: &HashMap<&'c str, Vec<Op<'c>>>,
) -> bool {
    let Some(captures) = captures_of(func) else { return false };
    let name = string_attr(func, "sym_name");
    let named = references.get(name).map_or(&[][..], |it| it);
    let in_one_step = |op: &Op<'_>| {
        !matches!(name_of(*op), "ocaml.closure" | "ocaml.env.declare" | "ocaml.env.fill")
    };
    if !named.iter().all(in_one_step) {
        return false;
    }
    let mut reads = Vec::new();
    for (user, _) in uses_of(view.env(func)) {
        match name_of(user) {
            "ocaml.env.get" if uses_of(result_of(user, 0)).is_empty() => erase(user),
            "ocaml.env.get" => reads.push(user),
            "ocaml.env.self" => (),
            _ => return false,
        }
    }
    let kept: Vec<usize> = (0..captures.len())
        .filter(|&index| reads.iter().any(|it| int_attr(*it, "index") as usize == index))
        .collect();
    if kept.len() == captures.len() && !captures.is_empty() {
        return false;
    }
    for &op in named {
        let fixed = match name_of(op) {
            "ocaml.make_closure" => 0,
            "ocaml.closure.fill" => 1,
            _ => continue,
        };
        let old = operands(op);
        let mut new = old[..fixed].to_vec();
        new.extend(kept.iter().map(|&it| old[fixed + it]));
        set_operands(op, &new);
    }
    if kept.is_empty() {
        view.drop_environment(func, named);
        return true;
    }
    let types: Vec<_> = kept.iter().map(|&it| captures[it]).collect();
    set_attr(func, "captures", view.build.type_list(&types));
    let names = list_attr(func, "capture_names");
    if !names.is_empty() {
        let names: Vec<_> = kept.iter().map(|&it| names[it]).collect();
        set_attr(func, "capture_names", view.build.list(&names));
    }
    for read in reads {
        let old = int_attr(read, "index") as usize;
        let new = kept.iter().position(|&it| it == old).unwrap_or_default();
        set_attr(read, "index", view.build.i32_attr(new as u32));
    }
    true
}
