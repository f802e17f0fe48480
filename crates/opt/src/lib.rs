//! Passes over the `ocaml` dialect: from the dialect to the dialect.
//!
//! ```text
//! unbox_globals     what a module-level reference holds is kept in the variable itself
//! fold_envs         environments seen from new to closure become `make_closure`
//! unused_captures   captures that no code reads go away
//! to_env            `make_closure` becomes an environment and a closure over it
//! to_slots          captures become module-level variables
//! dead_slots        private variables that nothing loads go away with their stores
//! migrate_slots     slots become captures again
//! share_slots       thread-local variables become those of the program
//! plan_environments which closures hold an environment of its own
//! plan_frames       of which kinds of objects some lie in frames
//! plan_families     what all closures of one type have in common
//! prune_exceptions  ways of exceptions that no call raises go away
//! plan_cycles       which stores can close a cycle of references
//! plan_places       which functions of the library want to know who called them
//! plan_values       which functions are only called through closures
//! check_input       what a module from outside must satisfy besides its verifiers
//! check_instances   one set of slots is enough for each function
//! check_loads       no variable is read before anything can have written it
//! ```
//!
//! A strategy is a list of these, see [`Strategy`]. The plans are made last, once references are counted: what holds
//! for the whole program, written down for the back end, see [`PLAN`]. Passes change the module in place, in Rust, by
//! rewrite patterns where one op becomes others, by a walk where a function's signature changes.
//! They know neither the graph nor LLVM.

pub mod check_input;
pub mod check_instances;
pub mod check_loads;
pub mod dead_slots;
pub mod fold_envs;
pub mod migrate_slots;
pub mod plan_cycles;
pub mod plan_environments;
pub mod plan_families;
pub mod plan_frames;
pub mod plan_places;
pub mod plan_values;
pub mod prune_exceptions;
pub mod share_slots;
pub mod to_env;
pub mod to_slots;
pub mod unbox_globals;
pub mod unused_captures;

mod module;
mod objects;
mod rewrite;

use oxbow_dialect::inspect::Place;
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::Module;

/// How closures are represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// One object: the code pointer, then the captures.
    #[default]
    Flat,
    /// The code pointer and an environment, which is an object of its own.
    Env,
    /// A code pointer; each capture is a module-level variable.
    Slots(SlotKind),
}

/// What a slot is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SlotKind {
    /// One variable for the whole program.
    #[default]
    Shared,
    /// One for each thread.
    ThreadLocal,
}

/// A pass over the dialect.
#[derive(Clone, Copy)]
pub struct Pass {
    pub name: &'static str,
    pub run: for<'c> fn(&Module<'c>, &'c Context),
}

/// What the back end needs to know of the whole program, in the order in which it is found out.
pub const PLAN: &[Pass] = &[
    Pass { name: "plan_environments", run: plan_environments::run },
    Pass { name: "plan_frames", run: plan_frames::run },
    Pass { name: "plan_families", run: plan_families::run },
    Pass { name: "prune_exceptions", run: prune_exceptions::run },
    Pass { name: "plan_cycles", run: plan_cycles::run },
    Pass { name: "plan_places", run: plan_places::run },
    Pass { name: "plan_values", run: plan_values::run },
];

/// The same for a module that is one of several.
pub const PLAN_OPEN: &[Pass] = &[
    Pass { name: "plan_environments", run: plan_environments::run },
    Pass { name: "plan_frames", run: plan_frames::run },
    Pass { name: "plan_families", run: plan_families::run_open },
    Pass { name: "prune_exceptions", run: prune_exceptions::run },
    Pass { name: "plan_cycles", run: plan_cycles::run },
    Pass { name: "plan_places", run: plan_places::run },
];

/// Makes all plans.
pub fn plan<'c>(module: &Module<'c>, context: &'c Context) {
    PLAN.iter().for_each(|it| (it.run)(module, context));
}

/// Something in a module that is not as it must be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    pub place: Option<Place>,
    pub message: String,
}

/// Rewrites every closure of the module. On a fault the module is left half-way.
pub fn apply<'c>(
    module: &Module<'c>,
    context: &'c Context,
    strategy: Strategy,
) -> Result<(), Vec<Fault>> {
    unbox_globals::run(module, context);
    fold_envs::run(module, context);
    unused_captures::run(module, context);
    match strategy {
        Strategy::Flat => (),
        Strategy::Env => to_env::run(module, context),
        Strategy::Slots(kind) => {
            to_slots::run(module, context, kind)?;
            dead_slots::run(module, context);
        }
    }
    Ok(())
}
