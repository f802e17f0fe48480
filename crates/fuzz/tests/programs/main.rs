//! Generated programs, through the compiler's own crates. One program of tests: it is linked once, with all of MLIR.

mod agree;
mod derivatives;
mod slots;
