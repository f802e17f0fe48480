//! The ways to run a program.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::process::{self, End};

/// One way to run a program: `jit-O3`, or `jit-O3+env` with a strategy for closures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    way: Way,
    closures: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The reference interpreter, on the graph of this phase.
    Interp(&'static str),
    Jit(&'static str),
    /// With faults in the use of memory found out.
    Checked(&'static str),
    Native(&'static str),
    Ocamlopt,
}

const WAYS: &[(&str, Way)] = &[
    ("interp-poly", Way::Interp("poly")),
    ("interp-mono", Way::Interp("mono")),
    ("jit-O0", Way::Jit("-O0")),
    ("jit-O2", Way::Jit("-O2")),
    ("jit-O3", Way::Jit("-O3")),
    ("checked", Way::Checked("-O0")),
    ("checked-O3", Way::Checked("-O3")),
    ("native", Way::Native("-O3")),
    ("native-O0", Way::Native("-O0")),
    ("ocamlopt", Way::Ocamlopt),
];

/// Values of `--closures`. One of them may refuse a program: see [`Outcome::Refused`].
const STRATEGIES: &[&str] = &["slots", "env", "flat"];

impl Mode {
    pub const INTERP_POLY: Mode = Mode { way: Way::Interp("poly"), closures: None };
    pub const INTERP_MONO: Mode = Mode { way: Way::Interp("mono"), closures: None };
    pub const OCAMLOPT: Mode = Mode { way: Way::Ocamlopt, closures: None };

    pub fn parse(text: &str) -> Option<Self> {
        let (way, strategy) = match text.split_once('+') {
            Some((way, strategy)) => (way, Some(strategy)),
            None => (text, None),
        };
        let way = WAYS.iter().find(|it| it.0 == way)?.1;
        let Some(strategy) = strategy else { return Some(Self { way, closures: None }) };
        let closures = Some(*STRATEGIES.iter().find(|it| **it == strategy)?);
        let compiles = matches!(way, Way::Jit(_) | Way::Checked(_) | Way::Native(_));
        compiles.then_some(Self { way, closures })
    }

    /// The names that [`Self::parse`] knows.
    pub fn names() -> String {
        let ways: Vec<&str> = WAYS.iter().map(|it| it.0).collect();
        format!("{}, those that compile also with +{}", ways.join(","), STRATEGIES.join(",+"))
    }

    /// Whether the mode may refuse a program that is right.
    pub fn may_refuse(self) -> bool {
        self.closures == Some("slots")
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(WAYS.iter().find(|it| it.1 == self.way).map_or("?", |it| it.0))?;
        self.closures.map_or(Ok(()), |it| write!(f, "+{it}"))
    }
}

/// What a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It ran.
    Ran { stdout: Vec<u8>, end: End },
    /// The compiler found it wrong.
    Rejected(String),
    /// The strategy cannot represent it, and says so: no difference, but nothing learned.
    Refused,
    /// The compiler broke.
    Broke(String),
}

impl Outcome {
    pub fn stdout(&self) -> &[u8] {
        match self {
            Self::Ran { stdout, .. } => stdout,
            Self::Rejected(_) | Self::Refused | Self::Broke(_) => &[],
        }
    }

    /// Whether it ran to an end of its own.
    pub fn is_sound(&self) -> bool {
        matches!(self, Self::Ran { end: End::Code(_), .. })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ran { stdout, end } => {
                write!(f, "{}\n[{end:?}]", String::from_utf8_lossy(stdout).trim_end())
            }
            Self::Rejected(text) => write!(f, "[rejected]\n{text}"),
            Self::Refused => f.write_str("[refused]"),
            Self::Broke(text) => write!(f, "[the compiler broke]\n{text}"),
        }
    }
}

/// Where and with what programs are run.
#[derive(Clone, Debug)]
pub struct Runner {
    pub oxbow: PathBuf,
    /// A folder for files.
    pub folder: PathBuf,
    pub limit: Duration,
    /// More arguments for `oxbow run` and `oxbow build`.
    pub flags: Vec<String>,
}

impl Runner {
    /// Writes the program to a file and runs it.
    pub fn run(&self, mode: Mode, text: &str) -> std::io::Result<Outcome> {
        let file = self.folder.join("program.ml");
        std::fs::write(&file, text)?;
        let executable = self.folder.join("program.exe");
        match mode.way {
            Way::Interp(phase) => self.direct(mode, &["test-interp", "--verify", "--phase", phase]),
            Way::Jit(level) => self.direct(mode, &["run", level]),
            Way::Checked(level) => self.direct(mode, &["run", "--check-memory", level]),
            Way::Native(level) => {
                let mut build = self.oxbow(mode, &["build", level]);
                build.args(["program.ml", "-o", "program.exe"]);
                self.built(mode, &mut build, &executable)
            }
            Way::Ocamlopt => {
                // Another OCaml than the one that is installed.
                let ocamlopt = std::env::var_os("OXBOW_OCAMLOPT");
                let mut build = Command::new(ocamlopt.unwrap_or_else(|| "ocamlopt".into()));
                build.args(["-w", "-a", "program.ml", "-o", "program.exe"]);
                self.built(mode, &mut build, &executable)
            }
        }
    }

    fn oxbow(&self, mode: Mode, args: &[&str]) -> Command {
        let mut command = Command::new(&self.oxbow);
        command.args(args);
        command.args(mode.closures.map(|it| format!("--closures={it}")));
        if matches!(mode.way, Way::Jit(_) | Way::Native(_)) {
            command.args(&self.flags);
        }
        command
    }

    /// The compiler compiles and runs in one process.
    fn direct(&self, mode: Mode, args: &[&str]) -> std::io::Result<Outcome> {
        let mut command = self.oxbow(mode, args);
        command.arg("program.ml").current_dir(&self.folder);
        let output = process::run(&mut command, self.limit)?;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok(match output.end {
            End::Code(101) => Outcome::Broke(stderr),
            // A program of ours that ends with 1 or 2 says nothing, or names an exception.
            End::Code(1 | 2) if is_report(&stderr) && output.stdout.is_empty() => {
                rejected(mode, stderr)
            }
            end => Outcome::Ran { stdout: output.stdout, end },
        })
    }

    fn built(
        &self,
        mode: Mode,
        build: &mut Command,
        executable: &Path,
    ) -> std::io::Result<Outcome> {
        // A stale executable must not be run.
        let _ = std::fs::remove_file(executable);
        let output = process::run(build.current_dir(&self.folder), Duration::from_secs(120))?;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.end {
            End::Code(0) => (),
            End::Code(1 | 2) if !stderr.contains("Fatal error") => {
                return Ok(rejected(mode, stderr));
            }
            end => return Ok(Outcome::Broke(format!("{end:?}\n{stderr}"))),
        }
        let output = process::run(Command::new(executable).current_dir(&self.folder), self.limit)?;
        Ok(Outcome::Ran { stdout: output.stdout, end: output.end })
    }
}

/// Whether this is the compiler's, and not the program's `Fatal error: exception …`.
fn is_report(stderr: &str) -> bool {
    stderr.lines().any(|it| it.starts_with("error"))
}

/// What the compiler's refusal of a program means. A strategy that refuses names itself.
fn rejected(mode: Mode, stderr: String) -> Outcome {
    let own = mode.may_refuse()
        && stderr.contains("error[E")
        && mode.closures.is_some_and(|it| stderr.contains(it));
    if own { Outcome::Refused } else { Outcome::Rejected(stderr) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_read_and_named() {
        for text in
            ["interp-poly", "jit-O3", "jit-O0+slots", "checked+env", "native+env", "ocamlopt"]
        {
            assert_eq!(Mode::parse(text).map(|it| it.to_string()).as_deref(), Some(text));
        }
        for text in ["jit", "jit-O3+boxes", "ocamlopt+flat", "interp-mono+env"] {
            assert_eq!(Mode::parse(text), None, "{text}");
        }
    }

    #[test]
    fn programs_end_with_errors_of_their_own() {
        assert!(is_report("warning[W0026]: unused\nerror[E0113]: expected `int`"));
        assert!(!is_report("warning[W0026]: unused\n\nFatal error: exception Not_found"));
    }

    #[test]
    fn only_a_strategys_own_refusal_counts_as_one() {
        let slots = Mode::parse("jit-O0+slots").expect("a mode");
        let own =
            "error[E0950]: two closures of one literal live together under `slots`".to_string();
        assert_eq!(rejected(slots, own.clone()), Outcome::Refused);
        assert!(matches!(rejected(slots, "error: no such flag".into()), Outcome::Rejected(_)));
        let flat = Mode::parse("jit-O0+flat").expect("a mode");
        assert!(matches!(rejected(flat, own), Outcome::Rejected(_)));
    }
}
