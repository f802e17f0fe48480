//! Removes private module-level variables that nothing loads, together with their stores.
//!
//! ```text
//! before   global private @closure_1__k : i64     global_store %k to @closure_1__k
//! after    nothing
//! ```

use std::collections::{HashMap, HashSet};

use oxbow_dialect::Op;
use oxbow_dialect::inspect::{
    attr, attribute_bytes, body_ops, erase, name_of, string_attr, symbol_attr,
};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::Module;

use crate::module::View;

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let view = View::new(module, context);
    let mut loaded: HashSet<&'c str> = HashSet::new();
    let mut stores: HashMap<&'c str, Vec<Op<'c>>> = HashMap::new();
    for op in view.funcs.iter().flat_map(|it| body_ops(*it)) {
        match name_of(op) {
            "ocaml.global_load" => {
                loaded.insert(symbol_attr(op, "global"));
            }
            "ocaml.global_store" => stores.entry(symbol_attr(op, "global")).or_default().push(op),
            _ => (),
        }
    }
    for global in view.globals() {
        let name = string_attr(global, "sym_name");
        let private =
            attr(global, "sym_visibility").is_some_and(|it| attribute_bytes(it) == b"private");
        if private && !loaded.contains(name) {
            stores.remove(name).unwrap_or_default().into_iter().for_each(erase);
            erase(global);
        }
    }
}
