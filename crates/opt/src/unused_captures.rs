//! Removes captures that no code reads: from the function, and from every closure made over it.
//!
//! ```text
//! before   func @f(%x) captures(i64, i64) { %b = env.get %env[1] … }     make_closure @f(%a, %b)
//! after    func @f(%x) captures(i64) { %b = env.get %env[0] … }          make_closure @f(%b)
//! ```
//!
//! An environment is opaque to others: only its function reads it, so what that function does not
//! read, nobody does. A function that is left without captures has no environment, and closures
//! over it are constants. Functions that are named by an environment as a value of its own are
//! left alone, and so are those of a recursive group that lend each other their environments: what
//! one does not read, another may.

use std::collections::{HashMap, HashSet};

use oxbow_dialect::inspect::{
    erase, int_attr, list_attr, name_of, operands, set_attr, string_attr, symbol_attr, uses_of,
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
        let lenders = lenders(&view);
        changed = false;
        for func in view.funcs.clone() {
            if !lenders.contains(string_attr(func, "sym_name")) {
                changed |= shrink(&mut view, func, &references);
            }
        }
    }
}

/// Functions that call another with their own environment, and those others.
fn lenders<'c>(view: &View<'c>) -> HashSet<&'c str> {
    let mut found = HashSet::new();
    for &func in view.funcs.iter().filter(|it| captures_of(**it).is_some()) {
        let own = string_attr(func, "sym_name");
        let selves = uses_of(view.env(func)).into_iter().map(|it| it.0);
        for it in selves.filter(|it| name_of(*it) == "ocaml.env.self") {
            for (user, at) in uses_of(result_of(it, 0)) {
                let is_call = matches!(name_of(user), "ocaml.call" | "ocaml.tail_call");
                if is_call && at == 0 && symbol_attr(user, "callee") != own {
                    found.extend([own, symbol_attr(user, "callee")]);
                }
            }
        }
    }
    found
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
