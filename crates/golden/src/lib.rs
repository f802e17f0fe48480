//! The test harness: golden files and programs with known output.
//!
//! ```text
//! tests/golden/<area>/<name>.md        golden/<area>/<name>
//! tests/programs/ocaml/<name>.ml       ocaml/<name>/poly   the interpreter, as the front end made it
//!                                      ocaml/<name>/mono   the interpreter, after all passes
//!                                      ocaml/<name>/jit0   `oxbow run -O0`
//!                                      ocaml/<name>/jit3   `oxbow run -O3`
//!                                      ocaml/<name>/flat   `oxbow run --closures=flat`
//!                                      ocaml/<name>/env    `oxbow run --closures=env`
//!                                      ocaml/<name>/slots  `--closures=slots`, if it is not refused
//!                                      ocaml/<name>/migrated  the same, made one with captures again
//!                                      ocaml/<name>/refusal  whether it is, as `<name>.slots` says
//!                                      ocaml/<name>/upstream  the dialect through `mlir-opt` and back
//!                                      ocaml/<name>/native `oxbow build`, then the executable
//!                                      ocaml/<name>/peer   `ocamlopt`, if asked for
//! examples/ocaml/<name>.ml             examples/<name>/…, output in tests/programs/examples
//! examples/eshkol/<name>.esk           eshkol-examples/<name>/guile, …/chez  other Schemes
//! ```
//!
//! Every command of the compiler is a process of its own with a limit on time and memory: a crash or an endless loop
//! fails one case. Those about one program are forks of a process that has compiled what they share (`batch`). This
//! crate uses nothing of the compiler.
//!
//! Environment: `OXBOW_BLESS=1` rewrites the expected parts of golden files and what slots refuse; `OXBOW_TEST_ALL=1`
//! runs every program in every way (`mode`); `OXBOW_PEER=1` adds the comparison with `ocamlopt`; `OXBOW_TEST_TIMEOUT`
//! is in seconds; `OXBOW_TEST_TIMES` names a file that says behind each command how long it took.

mod batch;
mod diff;
mod dump;
mod flat;
mod golden;
mod markdown;
mod mode;
mod peers;
mod process;
mod programs;

use std::fs;
use std::path::{Path, PathBuf};

pub use libtest_mimic::{Arguments, Conclusion};

/// What is tested, and where.
#[derive(Clone, Debug)]
pub struct Config {
    /// The compiler.
    pub oxbow: PathBuf,
    /// Whether it can make machine code.
    pub native: bool,
    /// The root of the checkout.
    pub root: PathBuf,
    /// Whether every program goes every way.
    pub all: bool,
    /// A folder for files made on the way.
    pub scratch: PathBuf,
}

/// Runs all cases that the arguments select.
pub fn run(config: Config, arguments: &Arguments) -> Conclusion {
    // What takes longest comes first: at the end, all threads have something to do.
    let mut trials = flat::trials(&config);
    trials.extend(programs::trials(&config, &|it| is_wanted(arguments, it)));
    trials.extend(peers::trials(&config));
    trials.extend(golden::trials(&config));
    libtest_mimic::run(arguments, trials)
}

/// Whether the arguments select a trial: those of a program share work, which should be no more than is asked for.
fn is_wanted(arguments: &Arguments, name: &str) -> bool {
    let is_like =
        |it: &String| if arguments.exact { name == it } else { name.contains(it.as_str()) };
    arguments.filter.as_ref().is_none_or(is_like) && !arguments.skip.iter().any(is_like)
}

/// The entries of a folder in order of their names; none if there is no folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .map(|it| it.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    paths.sort();
    paths
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|it| it == extension)
}
