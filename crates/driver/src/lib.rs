//! Runs a compilation: finds the files, runs the stages in order, stops at the gate.
//!
//! ```text
//! Session::compile    text to a checked graph without polymorphism
//! emit                the text of any stage
//! native              machine code: run in this process, or linked into a file
//! explain             what became of every function and allocation
//! document            what its modules hold, with comments
//! index               what editors want to know of a program
//! mlir                modules in the `ocaml` dialect, read from a file
//! prepared            a program that is compiled once for several commands, for tests
//! kept                the library, elaborated once for each executable
//! interpret           the reference interpreter, for tests
//! ```

mod aliases;
mod clef;
mod document;
mod emit;
mod error;
mod explain;
pub mod files;
pub mod index;
mod interpret;
pub mod kept;
mod library;
pub mod load;
mod main_file;
#[cfg(feature = "native")]
mod memory;
#[cfg(feature = "native")]
mod mlir;
pub mod native;
mod output;
pub mod pipeline;
mod places;
mod prepared;
mod project;
#[cfg(feature = "native")]
pub mod prompt;
mod session;
mod wrapped;

pub use document::{Subject, document};
pub use emit::{Stage, emit};
pub use error::Error;
pub use explain::{ExplainForm, explain};
pub use interpret::{Phase, interpret};
pub use output::{cannot_write, write_file};
pub use oxbow_base::Language;
pub use oxbow_doc as doc;
pub use oxbow_image::Memory;
pub use prepared::Start;
pub use session::{
    Closures, Code, MemoryMode, OptLevel, Options, Session, SlotKind, Stop, current_step,
    with_big_stack,
};
