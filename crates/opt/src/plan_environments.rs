//! Decides which closures hold an environment of its own instead of their captures.
//!
//! ```text
//! %f = make_closure @add(%k)               closures over @add are one object
//! %f = closure @add with %env              func @add … attributes {separate_env}: two objects, wherever they are made
//! ```
//!
//! Which of the two forms closures over a function have is one fact for the whole module, since its code reads captures
//! in one way: the second form as soon as one `ocaml.closure` names the function, or its environment is used as a
//! value. Functions that lend each other their closures agree.
//!
//! Needs: closures are represented, regions are placed.

use oxbow_dialect::inspect::{body_ops, uses_of};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::Module;
use oxbow_dialect::op::{DialectOp, Func, Opcode, View, lender, opcode, view};

use crate::module::Declarations;

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let declarations = Declarations::new(module, context);
    let funcs = declarations.by_name();
    let mut work: Vec<&'c str> = Vec::new();
    // Functions that lend each other their closures.
    let mut links: Vec<[&'c str; 2]> = Vec::new();
    for &func in &declarations.funcs {
        func.set_separate_env(false);
        if func.has_env() && env_is_a_value(&declarations, func) {
            work.push(func.sym_name());
        }
        for op in body_ops(func.op()) {
            work.extend(match view(op) {
                View::Closure(it) => Some(it.func()),
                View::RegionClosure(it) if it.separate() => Some(it.func()),
                _ => None,
            });
            if let Some(callee) = view(op).callee()
                && let Some(other) = lender(op)
            {
                links.push([callee, other]);
            }
        }
    }
    while let Some(name) = work.pop() {
        let Some(func) = funcs.get(name) else { continue };
        let has_captures = func.captures().is_some_and(|it| !it.is_empty());
        if has_captures && !func.separate_env() {
            func.set_separate_env(true);
            work.extend(links.iter().filter(|it| it.contains(&name)).flatten());
        }
    }
}

/// Does anything but reads and counting use the environment?
fn env_is_a_value<'c>(declarations: &Declarations<'c>, func: Func<'c>) -> bool {
    uses_of(declarations.env(func)).iter().any(|it| {
        !matches!(
            opcode(it.0),
            Opcode::EnvGet | Opcode::EnvSelf | Opcode::Dup | Opcode::Drop | Opcode::Take
        )
    })
}
