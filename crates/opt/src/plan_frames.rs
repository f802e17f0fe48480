//! Decides of which kinds of objects some lie in frames.
//!
//! ```text
//! %p = block.new 0(%a, %b) in stack : … -> !ocaml.tuple<…>       objects !ocaml.tuple<…> framed [0] noted []
//! %f = make_closure @f(%k) in stack                              func @f … attributes {framed}
//! ```
//!
//! Code that frees an object of such a kind looks first where it lies. An object that only borrows what it
//! holds is never freed.
//!
//! Needs: references are counted.

use oxbow_dialect::inspect::body_ops;
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::{Module, ValueLike};
use oxbow_dialect::op::{DialectOp, Storage, View, view};
use rustc_hash::FxHashSet;

use crate::module::Declarations;
use crate::objects::{self, Ctors, Fact};

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let mut declarations = Declarations::new(module, context);
    let mut blocks = Ctors::default();
    let mut closures: FxHashSet<&'c str> = FxHashSet::default();
    for op in declarations.funcs.iter().flat_map(|it| body_ops(it.op())) {
        match view(op) {
            View::MakeClosure(it) if it.storage() == Storage::Stack => {
                closures.insert(it.func());
            }
            View::ClosureDeclare(it) if it.storage() == Storage::Stack => {
                closures.insert(it.func());
            }
            View::BlockNew(it) if it.storage() == Storage::Stack && !it.borrows() => {
                blocks.add(it.block().r#type(), it.ctor());
            }
            _ => (),
        }
    }
    for func in &declarations.funcs {
        func.set_framed(closures.contains(func.sym_name()));
    }
    objects::write(&mut declarations, Fact::Framed, &blocks);
}
