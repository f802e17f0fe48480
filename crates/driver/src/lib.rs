//! Runs a compilation: finds the files, runs the stages in order, stops at the gate.

mod error;
mod library;
pub mod load;
pub mod pipeline;
mod session;

pub use error::Error;
pub use session::{Options, Session, Stopped, with_big_stack};
