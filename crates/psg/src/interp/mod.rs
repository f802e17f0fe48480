//! The reference interpreter: the oracle of the differential tests.
//!
//! It walks the graph and does what each node says, for `Poly` and `Mono` programs
//! alike: values carry what is needed at run time, type arguments are ignored.
//! Where a program leaves the rules of the graph (an index out of bounds in an
//! unchecked primitive, a call of something that is no function) the run ends in
//! [`Outcome::Fault`].
//!
//! ```text
//! frames   which slot of its function's frame each variable has   (once, before the run)
//! eval     the walk itself: control, variables, blocks; calls and closures in calls
//! prims    primitives, by way of numbers, order, hash, c_format, floats, exn_text, host
//! ```
//!
//! The walk recurses on the stack of its thread, with some 700 bytes for each node
//! around the current one: 4 GiB suffice for 16 nested operands in each of the calls
//! that [`Options::depth_limit`] allows. Tail calls and jumps use none.

mod access;
mod c_format;
mod calls;
mod default;
mod eval;
mod exn_text;
mod floats;
mod frames;
mod hash;
mod host;
mod integers;
mod layout;
mod native;
mod number_arrays;
mod numbers;
mod order;
mod own;
mod pretty;
mod prims;
mod show;
mod value;

#[cfg(test)]
mod tests;

pub use host::{Host, MemoryHost, StdHost};

use oxbow_base::IdSet;

use crate::{LambdaId, Program};

/// Limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Nodes to evaluate before the run is given up.
    pub step_limit: Option<u64>,
    /// Calls active at once before `Stack_overflow` is raised.
    pub depth_limit: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { step_limit: None, depth_limit: 400_000 }
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The program ended with this code.
    Exit(i32),
    StepLimit,
    /// The program broke a rule of the graph, or overflowed the stack without an
    /// exception for that.
    Fault(String),
    /// It needs what the interpreter does not offer: functions of C, and memory that they own.
    Refused(String),
}

impl Outcome {
    /// The exit code of a program that ended by itself.
    pub fn exit_code(&self) -> Option<i32> {
        match self {
            Self::Exit(code) => Some(*code),
            Self::StepLimit | Self::Fault(_) | Self::Refused(_) => None,
        }
    }
}

/// Runs the items in order, then the library's `finish`. An exception that an item
/// does not handle goes to the library's `uncaught`.
pub fn run<P>(program: &Program<P>, host: &mut dyn Host, options: Options) -> Outcome {
    eval::run(program, host, options, IdSet::new()).0
}

/// The same; also one of the `watched` lambdas of which a closure was called after the lambda had
/// made a newer one, if that happened.
pub fn run_watching<P>(
    program: &Program<P>,
    host: &mut dyn Host,
    options: Options,
    watched: IdSet<LambdaId>,
) -> (Outcome, Option<LambdaId>) {
    eval::run(program, host, options, watched)
}
