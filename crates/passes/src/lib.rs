//! Whole-program passes on the typed semantic graph.
//!
//! One file or folder per pass; the pass has the name of its file. Transforms are
//! `run(Program<A>) -> Program<B>`, analyses are `analyze(&Program<P>) -> Table`. The
//! order in which they run is the driver's.

pub mod check_captures;
pub mod check_cycles;
pub mod check_slots;
pub mod check_stack;
pub mod check_unbounded;
pub mod check_zero_alloc;
pub mod closure_repr;
pub mod contify;
pub mod dead_functions;
pub mod defunctionalize;
pub mod flow;
pub mod gather_kernels;
pub mod guard_unwinding;
pub mod may_raise;
pub mod merge_instances;
pub mod monomorphize;
pub mod peel_calls;
pub mod poll_signals;
pub mod simplify;
pub mod specialize_functions;
pub mod storage;
pub mod trace_exceptions;
pub mod unbox_products;
pub mod unwrap_options;

mod called_at;
mod effects;
mod holds;
mod known_calls;
mod retyping;
mod start;
mod uses;
