//! From the ML surface tree to the PSG, for OCaml and Clef alike.
//!
//! ```text
//! ast ──infer──▶ typed tree ──build──▶ PSG
//! ```
//!
//! `infer` resolves names, types, labels, modules and functors; `build` compiles
//! matches to decision trees, computes captures and makes the graph.

pub mod ast;
pub mod build;
pub mod externals;
pub mod infer;
pub mod mentions;
pub mod outline;
pub mod tast;
pub mod types;
