//! The command `oxbow` as users call it, apart from golden files and programs (`suite`). One program of tests: it is
//! linked once, and its tests share the processors to the end.

#[cfg(feature = "native")]
mod backtraces;
mod batch;
mod command_line;
#[path = "../common/mod.rs"]
mod common;
mod cycles;
#[cfg(feature = "native")]
mod debugger;
mod doc;
mod edits;
mod explain;
#[cfg(feature = "native")]
mod installed;
mod lsp;
#[cfg(feature = "native")]
mod manual;
mod memory;
#[cfg(feature = "native")]
mod mlir;
mod mutants;
mod random;
#[cfg(feature = "native")]
mod repl;
#[cfg(feature = "native")]
mod vectors;
