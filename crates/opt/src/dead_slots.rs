//! Removes private module-level variables that nothing loads, together with their stores.
//!
//! ```text
//! before   global private @closure_1__k : i64     global_store %k to @closure_1__k
//! after    nothing
//! ```

use oxbow_dialect::Op;
use oxbow_dialect::inspect::{body_ops, erase};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::Module;
use oxbow_dialect::op::{DialectOp, View, view};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::Declarations;

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let declarations = Declarations::new(module, context);
    let mut loaded: FxHashSet<&'c str> = FxHashSet::default();
    let mut stores: FxHashMap<&'c str, Vec<Op<'c>>> = FxHashMap::default();
    for op in declarations.funcs.iter().flat_map(|it| body_ops(it.op())) {
        match view(op) {
            View::GlobalLoad(it) => {
                loaded.insert(it.global());
            }
            View::GlobalStore(it) => stores.entry(it.global()).or_default().push(op),
            _ => (),
        }
    }
    for global in declarations.globals() {
        let name = global.sym_name();
        let private = global.sym_visibility() == Some("private");
        if private && !loaded.contains(name) {
            stores.remove(name).unwrap_or_default().into_iter().for_each(erase);
            erase(global.op());
        }
    }
}
