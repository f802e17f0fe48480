//! Finds the functions that are only called through closures over them.
//!
//! ```text
//! func @add(%x: i64) -> i64 { … }              func @add … attributes {only_value}: its code gets the closure, too
//! %f = make_closure @add()
//! func @sub(%x: i64) -> i64 { … }              also called by its name: closures point to code that calls it
//! %g = make_closure @sub()
//! … call @sub(%n)
//! ```
//!
//! Code that a closure points to gets the closure first. A function without captures has no use for it, so one that is
//! called by its name, too, is left without, and closures over it point to a second function. Of the others there is
//! one function: a table of a thousand closures is a thousand functions for LLVM, not two thousand.
//!
//! Needs: closures are represented, regions are placed.

use oxbow_dialect::inspect::body_ops;
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::Module;
use oxbow_dialect::op::{DialectOp, InlineHint, view};
use rustc_hash::FxHashSet;

use crate::module::Declarations;

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let declarations = Declarations::new(module, context);
    let mut called: FxHashSet<&'c str> = FxHashSet::default();
    let mut values: FxHashSet<&'c str> = FxHashSet::default();
    for op in declarations.funcs.iter().flat_map(|it| body_ops(it.op())) {
        called.extend(view(op).callee());
        values.extend(view(op).code());
    }
    for func in &declarations.funcs {
        let name = func.sym_name();
        let plain = func.captures().is_none()
            && !func.exported()
            && func.inline_hint() != Some(InlineHint::Cold);
        func.set_only_value(plain && values.contains(name) && !called.contains(name));
    }
}
