//! The ways to run a program.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::process::{self, End};

/// One way to run a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The reference interpreter, on the graph of this phase.
    Interp(&'static str),
    Jit(&'static str),
    /// With faults in the use of memory found out.
    Checked(&'static str),
    Native(&'static str),
    Ocamlopt,
}

const MODES: &[(&str, Mode)] = &[
    ("interp-poly", Mode::Interp("poly")),
    ("interp-mono", Mode::Interp("mono")),
    ("jit-O0", Mode::Jit("-O0")),
    ("jit-O2", Mode::Jit("-O2")),
    ("jit-O3", Mode::Jit("-O3")),
    ("checked", Mode::Checked("-O0")),
    ("checked-O3", Mode::Checked("-O3")),
    ("native", Mode::Native("-O3")),
    ("native-O0", Mode::Native("-O0")),
    ("ocamlopt", Mode::Ocamlopt),
];

impl Mode {
    pub fn parse(name: &str) -> Option<Self> {
        MODES.iter().find(|it| it.0 == name).map(|it| it.1)
    }

    /// The names that [`Self::parse`] knows.
    pub fn names() -> String {
        MODES.iter().map(|it| it.0).collect::<Vec<_>>().join(",")
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MODES.iter().find(|it| it.1 == *self).map_or("?", |it| it.0))
    }
}

/// What a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It ran.
    Ran { stdout: Vec<u8>, end: End },
    /// The compiler found it wrong.
    Rejected(String),
    /// The compiler broke.
    Broke(String),
}

impl Outcome {
    pub fn stdout(&self) -> &[u8] {
        match self {
            Self::Ran { stdout, .. } => stdout,
            Self::Rejected(_) | Self::Broke(_) => &[],
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
}

impl Runner {
    /// Writes the program to a file and runs it.
    pub fn run(&self, mode: Mode, text: &str) -> std::io::Result<Outcome> {
        let file = self.folder.join("program.ml");
        std::fs::write(&file, text)?;
        let executable = self.folder.join("program.exe");
        match mode {
            Mode::Interp(phase) => self.direct(&["test-interp", "--verify", "--phase", phase]),
            Mode::Jit(level) => self.direct(&["run", level]),
            Mode::Checked(level) => self.direct(&["run", "--check-memory", level]),
            Mode::Native(level) => {
                let mut build = Command::new(&self.oxbow);
                build.args(["build", level, "program.ml", "-o", "program.exe"]);
                self.built(&mut build, &executable)
            }
            Mode::Ocamlopt => {
                let mut build = Command::new("ocamlopt");
                build.args(["-w", "-a", "program.ml", "-o", "program.exe"]);
                self.built(&mut build, &executable)
            }
        }
    }

    /// The compiler compiles and runs in one process.
    fn direct(&self, args: &[&str]) -> std::io::Result<Outcome> {
        let mut command = Command::new(&self.oxbow);
        command.args(args).arg("program.ml").current_dir(&self.folder);
        let output = process::run(&mut command, self.limit)?;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok(match output.end {
            End::Code(101) => Outcome::Broke(stderr),
            // A program of ours that ends with 1 or 2 says nothing, or names an exception.
            End::Code(1 | 2) if stderr.contains("error") && output.stdout.is_empty() => {
                Outcome::Rejected(stderr)
            }
            end => Outcome::Ran { stdout: output.stdout, end },
        })
    }

    fn built(&self, build: &mut Command, executable: &Path) -> std::io::Result<Outcome> {
        // A stale executable must not be run.
        let _ = std::fs::remove_file(executable);
        let output = process::run(build.current_dir(&self.folder), Duration::from_secs(120))?;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.end {
            End::Code(0) => (),
            End::Code(1 | 2) if !stderr.contains("Fatal error") => {
                return Ok(Outcome::Rejected(stderr));
            }
            end => return Ok(Outcome::Broke(format!("{end:?}\n{stderr}"))),
        }
        let output = process::run(Command::new(executable).current_dir(&self.folder), self.limit)?;
        Ok(Outcome::Ran { stdout: output.stdout, end: output.end })
    }
}
