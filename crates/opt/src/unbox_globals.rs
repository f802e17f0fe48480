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
//! of one type are one place to the passes behind this one. A variable takes part if one op stores to it, what that
//! stores is made for it, and the object goes nowhere: every load of the variable is only for a load from or a store to
//! the object.

use oxbow_dialect::inspect::{body_ops, erase, replace_uses, uses_of};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::{Module, ValueLike};
use oxbow_dialect::op::{
    BlockNew, BlockStore, DialectOp, Global, GlobalLoad, GlobalStore, View, view,
};
use rustc_hash::FxHashMap;

use crate::module::Declarations;

#[derive(Default)]
struct Accesses<'c> {
    loads: Vec<GlobalLoad<'c>>,
    stores: Vec<GlobalStore<'c>>,
}

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let mut declarations = Declarations::new(module, context);
    let mut accesses: FxHashMap<&'c str, Accesses<'c>> = FxHashMap::default();
    for op in declarations.funcs.iter().flat_map(|it| body_ops(it.op())) {
        match view(op) {
            View::GlobalLoad(it) => accesses.entry(it.global()).or_default().loads.push(it),
            View::GlobalStore(it) => accesses.entry(it.global()).or_default().stores.push(it),
            _ => (),
        }
    }
    for global in declarations.globals() {
        let Some(accesses) = accesses.remove(global.sym_name()) else { continue };
        if let Some(made) = private_object(&accesses) {
            unbox(&mut declarations, global, made, &accesses);
        }
    }
}

/// The op that makes the object of a variable that takes part.
fn private_object<'c>(accesses: &Accesses<'c>) -> Option<BlockNew<'c>> {
    let [store] = accesses.stores[..] else { return None };
    let made = BlockNew::defining(store.value())?;
    let is_one_field =
        made.fields().len() == 1 && made.ctor() == 0 && uses_of(made.block()).len() == 1;
    let is_looked_into = |load: &GlobalLoad<'c>| {
        uses_of(load.value()).into_iter().all(|(op, at)| match view(op) {
            View::BlockLoad(_) => true,
            View::BlockStore(_) => at == BlockStore::BLOCK,
            _ => false,
        })
    };
    (is_one_field && accesses.loads.iter().all(is_looked_into)).then_some(made)
}

fn unbox<'c>(
    declarations: &mut Declarations<'c>,
    global: Global<'c>,
    made: BlockNew<'c>,
    accesses: &Accesses<'c>,
) {
    let first = made.fields()[0];
    global.set_type(first.r#type());
    for &load in &accesses.loads {
        for (op, _) in uses_of(load.value()) {
            match view(op) {
                View::BlockLoad(it) => {
                    let draft = GlobalLoad::draft(load.global(), it.value().r#type());
                    replace_uses(it.value(), declarations.value_before(op, &draft));
                }
                View::BlockStore(it) => {
                    declarations.before(op, &GlobalStore::draft(it.value(), load.global()));
                }
                _ => continue,
            }
            erase(op);
        }
        erase(load.op());
    }
    for &store in &accesses.stores {
        store.set_value(first);
    }
    erase(made.op());
}
