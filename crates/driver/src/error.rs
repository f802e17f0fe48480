//! Failures of the world around the compiler: one line that names the thing and the attempt.

use std::fmt;

#[derive(Debug)]
pub enum Error {
    /// A file that cannot be read or written.
    File {
        path: String,
        attempt: &'static str,
        reason: String,
    },
    /// A source file that no compiler reads: a diagnostic about the program, not the world.
    Source {
        path: String,
        reason: String,
    },
    /// A tool outside (the linker) failed.
    Tool {
        what: String,
        reason: String,
    },
    Usage(String),
}

impl Error {
    /// The process's exit code: 1 if the program is at fault, 2 if the world is.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Source { .. } => 1,
            Self::File { .. } | Self::Tool { .. } | Self::Usage(_) => 2,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, attempt, reason } => {
                write!(f, "cannot {attempt} `{path}`: {reason}")
            }
            Self::Source { path, reason } => write!(f, "`{path}` {reason}"),
            Self::Tool { what, reason } => write!(f, "{what}: {reason}"),
            Self::Usage(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}
