//! Removes captures that no code reads: from the function, and from every closure made over it.
//!
//! ```text
//! before   func @f(%x) captures(i64, i64) { %b = env.get %env[1] … }     make_closure @f(%a, %b)
//! after    func @f(%x) captures(i64) { %b = env.get %env[0] … }          make_closure @f(%b)
//! ```
//!
//! An environment is opaque to others: only its function reads it, so what that function does not
//! read, nobody does. A function that is left without captures has no environment, and closures
//! over it are constants. Functions that lend each other their closures, and functions that are named by an environment
//! as a value of its own are left alone.

use oxbow_dialect::inspect::{erase, uses_of};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::Module;
use oxbow_dialect::op::{EnvGet, Func, Opcode, View, lender, opcode, view};
use oxbow_dialect::{Op, Val};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::Declarations;

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let mut changed = true;
    // What a function passes on only to a capture that goes away, it does not read either.
    while changed {
        let mut declarations = Declarations::new(module, context);
        let references = declarations.references();
        let lent = lent(&references);
        changed = false;
        for func in declarations.funcs.clone() {
            if !lent.contains(func.sym_name()) {
                changed |= shrink(&mut declarations, func, &references);
            }
        }
    }
}

/// Functions that serve each other's calls with their closures: their captures belong together.
fn lent<'c>(references: &FxHashMap<&'c str, Vec<Op<'c>>>) -> FxHashSet<&'c str> {
    let mut lent = FxHashSet::default();
    for (&callee, ops) in references {
        let calls = ops.iter().filter(|it| view(**it).callee().is_some());
        for other in calls.filter_map(|it| lender(*it)).filter(|it| *it != callee) {
            lent.extend([callee, other]);
        }
    }
    lent
}

fn shrink<'c>(
    declarations: &mut Declarations<'c>,
    func: Func<'c>,
    references: &FxHashMap<&'c str, Vec<Op<'c>>>,
) -> bool {
    let Some(captures) = func.captures() else { return false };
    let name = func.sym_name();
    let named = references.get(name).map_or(&[][..], |it| it);
    let in_one_step = |op: &Op<'_>| {
        !matches!(opcode(*op), Opcode::Closure | Opcode::EnvDeclare | Opcode::EnvFill)
    };
    if !named.iter().all(in_one_step) {
        return false;
    }
    let mut reads: Vec<EnvGet<'c>> = Vec::new();
    for (user, _) in uses_of(declarations.env(func)) {
        match view(user) {
            View::EnvGet(it) if uses_of(it.value()).is_empty() => erase(user),
            View::EnvGet(it) => reads.push(it),
            View::EnvSelf(_) => (),
            _ => return false,
        }
    }
    let kept: Vec<usize> = (0..captures.len())
        .filter(|&index| reads.iter().any(|it| it.index() as usize == index))
        .collect();
    if kept.len() == captures.len() && !captures.is_empty() {
        return false;
    }
    let only_kept = |all: Vec<Val<'c>>| kept.iter().map(|&it| all[it]).collect::<Vec<_>>();
    for &op in named {
        match view(op) {
            View::MakeClosure(it) => it.set_captures(&only_kept(it.captures())),
            View::ClosureFill(it) => it.set_captures(&only_kept(it.captures())),
            _ => (),
        }
    }
    if kept.is_empty() {
        declarations.drop_environment(func, named);
        return true;
    }
    let types: Vec<_> = kept.iter().map(|&it| captures[it]).collect();
    func.set_captures(&types);
    if let Some(names) = func.capture_names() {
        let names: Vec<_> = kept.iter().map(|&it| names[it]).collect();
        func.set_capture_names(&names);
    }
    for read in reads {
        let new = kept.iter().position(|&it| it == read.index() as usize).unwrap_or_default();
        read.set_index(new as u32);
    }
    true
}
