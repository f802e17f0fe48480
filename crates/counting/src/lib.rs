//! Makes ownership explicit: inserts `ocaml.dup`, `ocaml.drop` and `ocaml.take`.
//!
//! ```text
//! %t = ocaml.block.get %l[1, 1]            %t = ocaml.block.get %l[1, 1]
//! %n = ocaml.call @length(%t)              %n = ocaml.call @length(%t)       borrowed: nothing to do
//! ocaml.return %n                          ocaml.return %n
//!
//! %s = ocaml.runtime.call @concat(%a, %b)  %s = …
//! ocaml.return %s                          ocaml.drop %a; ocaml.drop %b; ocaml.return %s
//! ```
//!
//! Every value that refers to an object is of one of four classes (`own`):
//!
//! | class | meaning |
//! |---|---|
//! | static | a constant: no counting at all |
//! | borrowed | somebody else keeps it alive as long as the function runs |
//! | derived | a part of an owned value, which stays alive as long as it is used |
//! | owned | the function has one reference, and hands it on or drops it |
//!
//! A use either borrows its operand or takes it over (`uses`). Parameters and block arguments are
//! borrowed unless something wants to own them: this is inferred for the whole module, since it is
//! part of how functions are called. Functions that closures point to own all their parameters.
//! A closure lends itself to its code, but hands itself over in a tail call: its code finds out
//! when it runs, unless closures of its type are only lent (`ownership`). Then liveness says where
//! an owned value is needed once more (`dup`) and where it is needed no longer (`drop`), on every
//! path, those of exceptions included.
//!
//! What lies in a region is derived from it, and the region is owned: its end is found like that of
//! any other value. `regions` has decided before what lies there.
//!
//! The pass works on any module of the dialect that has no reference ops yet. It decides nothing
//! about storage: objects in frames are counted like others, and only their memory is not freed,
//! unless all that they hold is borrowed; then they are not counted at all.

mod closure_ownership;
mod cold_blocks;
mod donated_args;
mod effects;
mod graph;
mod hoist;
mod insert;
mod ir;
mod ir_regions;
mod lend;
mod live;
mod modes;
mod moves;
mod outlived;
mod own;
mod plant;
mod promote_slots;
mod prune;
mod region_types;
mod regions;
mod reuse;
mod self_borrowing;
mod single_stores;
mod sink;
mod split_products;
mod straighten;
mod unique;
mod uses;

pub use plant::Fault;
pub use regions::{Placed, place};

use oxbow_dialect::Builder;
use oxbow_dialect::inspect::ops_of;
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::Module;
use oxbow_dialect::op::{Opcode, opcode};

/// Plants a fault in a module whose references are counted, for tests; how often it was possible.
#[doc(hidden)]
pub fn plant<'c>(module: &Module<'c>, context: &'c Context, fault: &Fault) -> usize {
    let mut build = Builder::new(context);
    let body = build.module_body(module);
    let functions: Vec<_> = ops_of(body).filter(|it| opcode(*it) == Opcode::Func).collect();
    functions.into_iter().map(|it| plant::run(it, fault, &mut build)).sum()
}

/// Inserts the reference ops of a whole module.
pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let mut build = Builder::new(context);
    let body = build.module_body(module);
    let functions: Vec<_> = ops_of(body).filter(|it| opcode(*it) == Opcode::Func).collect();
    prune::run(&functions, &mut build);
    let products = split_products::products(ops_of(body));
    for &function in &functions {
        promote_slots::run(function, &mut build);
        straighten::run(function);
        split_products::run(function, &products, &mut build);
        hoist::run(function);
    }
    let mut program = ir::Program::read(ops_of(body), &functions);
    let again = moves::reads_to_repeat(&program);
    if !again.is_empty() {
        moves::read_again(&again);
        program = ir::Program::read(ops_of(body), &functions);
    }
    let owners = own::infer(&mut program);
    let ownership = closure_ownership::ClosureOwnership::new(&program, &owners);
    for index in 0..program.functions.len() {
        insert::run(&program, index, &owners, &ownership, &mut build);
    }
    let cells = reuse::Cells::new(&program);
    for &function in &functions {
        modes::run(function, &mut build);
        sink::run(function, &mut build);
        cells.pair(function, &mut build);
    }
    unique::run(&functions);
}
