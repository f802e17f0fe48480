//! The back end, as far as it is built in.
//!
//! Without the feature `native` the compiler needs no MLIR: it checks programs, and whatever
//! needs machine code is refused.

use std::ffi::OsString;
use std::path::Path;

use oxbow_psg::{Mono, Program};

use crate::{Error, Session, Stage, Stop};

/// The MLIR, LLVM or assembly text of a program.
pub fn text(_session: &mut Session, _program: &Program<Mono>, _stage: Stage) -> Result<String, Stop> {
    Err(missing())
}

/// Runs a program in this process and returns its exit code. `args[0]` is its name.
pub fn run(_session: &mut Session, _program: &Program<Mono>, _args: Vec<OsString>) -> Result<i32, Stop> {
    Err(missing())
}

/// Makes an executable file.
pub fn build(_session: &mut Session, _program: &Program<Mono>, _output: &Path) -> Result<(), Stop> {
    Err(missing())
}

fn missing() -> Stop {
    Error::Tool { what: "oxbow".into(), reason: "the back end is not built in".into() }.into()
}
