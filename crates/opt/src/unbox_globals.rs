//! Keeps what a module-level reference holds in the module-level variable itself.
//!
//! ```text
//! before   global @count : data<"int ref">     %r = block.new 0(%0)           global_store %r to @count
//!          %r = global_load @count             block.load %r[0, 0]            block.store %v to %r[0, 0]
//! after    global @count : i64                                                global_store %0 to @count
//!                                              global_load @count             global_store %v to @count
//! ```
//!
//! It saves the object and a load at each use. And a store to the variable changes nothing else, while references
//! of one type are one place to the passes behind this one. A variable takes part if one op stores to it, what that stores is
//! made for it, and the object goes nowhere: every load of the variable is only for a load from or a store to the object.

use std::collections::HashMap;

use oxbow_dialect::inspect::{
    attr, body_ops, definition, erase, int_attr, name_of, operands, replace_uses, set_attr,
    set_operand, string_attr, symbol_attr, uses_of,
};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::{Module, ValueLike};
use oxbow_dialect::{Op, result_of};

use crate::module::View;

#[derive(Default)]
struct Accesses<'c> {
    loads: Vec<Op<'c>>,
    stores: Vec<Op<'c>>,
}

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let mut view = View::new(module, context);
    let mut accesses: HashMap<&'c str, Accesses<'c>> = HashMap::new();
    for op in view.funcs.iter().flat_map(|it| body_ops(*it)) {
        match name_of(op) {
            "ocaml.global_load" => {
                accesses.entry(symbol_attr(op, "global")).or_default().loads.push(op);
            }
            "ocaml.global_store" => {
                accesses.entry(symbol_attr(op, "global")).or_default().stores.push(op);
            }
            _ => (),
        }
    }
    for global in view.globals() {
        let Some(accesses) = accesses.remove(string_attr(global, "sym_name")) else { continue };
        if let Some(made) = private_object(&accesses) {
            unbox(&mut view, global, made, &accesses);
        }
    }
}

/// The op that makes the object of a variable that takes part.
fn private_object<'c>(accesses: &Accesses<'c>) -> Option<Op<'c>> {
    let [store] = accesses.stores[..] else { return None };
    let made = definition(operands(store)[0])?;
    let is_one_field = name_of(made) == "ocaml.block.new"
        && operands(made).len() == 1
        && int_attr(made, "ctor") == 0
        && uses_of(result_of(made, 0)).len() == 1;
    let is_looked_into = |load: &Op<'c>| {
        uses_of(result_of(*load, 0)).into_iter().all(|(op, at)| match name_of(op) {
            "ocaml.block.load" => true,
            "ocaml.block.store" => at == 1,
            _ => false,
        })
    };
    (is_one_field && accesses.loads.iter().all(is_looked_into)).then_some(made)
}

fn unbox<'c>(view: &mut View<'c>, global: Op<'c>, made: Op<'c>, accesses: &Accesses<'c>) {
    let first = operands(made)[0];
    set_attr(global, "type", view.build.type_attr(first.r#type()));
    for &load in &accesses.loads {
        let symbol = [("global", attr(load, "global").expect("the op names a variable"))];
        for (op, _) in uses_of(result_of(load, 0)) {
            if name_of(op) == "ocaml.block.load" {
                let ty = result_of(op, 0).r#type();
                let value = view.before(op, "ocaml.global_load", &[], &[ty], &symbol);
                replace_uses(result_of(op, 0), result_of(value, 0));
            } else {
                view.before(op, "ocaml.global_store", &[operands(op)[0]], &[], &symbol);
            }
            erase(op);
        }
        erase(load);
    }
    for &store in &accesses.stores {
        set_operand(store, 0, first);
    }
    erase(made);
}
