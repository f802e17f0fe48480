//! Machine code: MLIR and LLVM text, running in this process, executables.
//!
//! Without the feature `native` the compiler needs no MLIR: it checks programs, and whatever
//! needs machine code is refused.

#[cfg(feature = "native")]
mod back_end;
#[cfg(not(feature = "native"))]
#[path = "native/missing.rs"]
mod back_end;
#[cfg(feature = "native")]
mod dialect;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use oxbow_psg::{Mono, Program};

use crate::explain::Listing;
use crate::session::note_step;
use crate::{Code, Session, Stage, Stop};

/// The MLIR, LLVM or assembly text of a program.
pub fn text(session: &mut Session, code: Code, stage: Stage) -> Result<String, Stop> {
    back_end::text(session, code, stage)
}

/// The functions of C that a module calls, with their addresses.
#[cfg(feature = "native")]
pub(crate) fn found_foreign<'c>(
    module: &oxbow_dialect::melior::ir::Module<'c>,
    context: &'c oxbow_dialect::melior::Context,
) -> Result<Vec<(String, usize)>, Stop> {
    back_end::found_foreign(module, context)
}

/// Reads and checks a program that is a file of MLIR.
pub fn check(session: &mut Session, code: Code) -> Result<(), Stop> {
    back_end::text(session, code, Stage::Ocaml).map(drop)
}

/// What `oxbow opt` does to a file of MLIR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opt {
    UnboxGlobals,
    FoldEnvs,
    UnusedCaptures,
    /// As the session's options choose closures.
    Closures,
    DeadSlots,
    MigrateSlots,
    /// All that holds for the whole program is written down.
    Plan,
}

/// The names of the steps over the dialect after which the module can be dumped; none without a back end.
pub(crate) fn steps() -> Vec<&'static str> {
    back_end::steps()
}

/// Runs passes over a file in the `ocaml` dialect; the text of the result.
pub fn opt(session: &mut Session, passes: &[Opt]) -> Result<String, Stop> {
    back_end::opt(session, passes)
}

/// The functions of a program in the `ocaml` dialect, and as each strategy converts them; empty
/// without a back end.
pub(crate) fn listing(session: &mut Session, program: &Program<Mono>) -> Result<Listing, Stop> {
    back_end::listing(session, program)
}

/// The objects of a program that are made in regions; none without a back end.
pub(crate) fn regions(
    session: &mut Session,
    program: &Program<Mono>,
) -> Result<Vec<oxbow_explain::InRegion>, Stop> {
    back_end::regions(session, program)
}

/// Reports the functions of C that a program calls and that do not exist.
pub(crate) fn check_foreign(program: &Program<Mono>, diagnostics: &mut oxbow_diag::Diagnostics) {
    back_end::check_foreign(program, diagnostics);
}

/// Loads a program into this process.
pub fn load(session: &mut Session, code: Code) -> Result<Loaded, Stop> {
    back_end::load(session, code).map(Loaded)
}

/// A program that is ready to run.
pub struct Loaded(back_end::Loaded);

impl Loaded {
    /// Runs it and returns its exit code, unless it ends this process. `args[0]` is its name.
    pub fn run(self, args: Vec<OsString>, limits: RunOptions) -> Result<i32, Stop> {
        note_step("run");
        back_end::run(self.0, args, limits)
    }
}

/// How a program runs.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// An upper bound for its memory.
    pub max_memory: Option<usize>,
    /// Print what it allocated, if it is compiled to be measured.
    pub statistics: bool,
    /// Draw it to this file.
    pub profile: Option<PathBuf>,
}

/// Does the environment ask for backtraces of what this process runs?
pub fn backtraces_are_wanted() -> bool {
    back_end::backtraces_are_wanted()
}

/// A number of bytes, as `4096`, `64K`, `100M` or `2G`.
pub fn parse_size(text: &str) -> Option<usize> {
    back_end::parse_size(text)
}

/// Makes an executable file.
pub fn build(session: &mut Session, code: Code, output: &Path) -> Result<(), Stop> {
    back_end::build(session, code, output)
}

/// The `ocaml` dialect as a plugin for the distribution's `mlir-opt`.
pub fn plugin() -> Option<&'static Path> {
    back_end::plugin()
}
