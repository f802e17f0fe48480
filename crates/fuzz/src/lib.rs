//! Random well-typed closure programs, for comparing every way there is to run a program.
//!
//! ```text
//! seed ── generate ──> tree ── print ──> OCaml text ── run ──> outputs to compare
//!                       ^ │
//!                       └─┴─ shrink: a smaller tree that still differs
//! ```
//!
//! The generator makes typed trees, so that a shrunk program is again well-typed. The crate does
//! not use the compiler: it starts it as a process, like any other implementation.

pub mod derivatives;
pub mod generate;
pub mod globals;
pub mod layouts;
pub mod leaf;
pub mod mutants;
pub mod print;
pub mod rng;
pub mod run;
pub mod seeds;
pub mod shrink;
pub mod tree;
pub mod types;
