//! Executables: the system's C compiler joins the object file and the runtime.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fmt, fs, io, process};

/// Something outside the compiler went wrong.
#[derive(Debug)]
pub enum LinkError {
    /// A file could not be written, or put in place.
    Write { path: PathBuf, error: io::Error },
    /// The runtime's library is not where it should be.
    NoRuntime { path: PathBuf },
    /// There is no C compiler to link with.
    NoLinker { command: String, error: io::Error },
    /// It does not accept its input.
    Linker { command: String, output: String },
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write { path, error } => write!(f, "cannot write `{}`: {error}", path.display()),
            Self::NoRuntime { path } => {
                write!(f, "the runtime library `{}` is missing", path.display())
            }
            Self::NoLinker { command, error } => {
                write!(f, "cannot run the linker `{command}`: {error}")
            }
            Self::Linker { command, output } => {
                write!(f, "the linker `{command}` failed:\n{}", output.trim_end())
            }
        }
    }
}

impl std::error::Error for LinkError {}

/// Removes its file when it goes out of scope.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // It may have been renamed, or never been made.
        let _ = fs::remove_file(&self.0);
    }
}

/// Links an object file with the runtime into the executable `output`, which appears at once
/// and whole, or not at all. The compiler is `cc`, or what the variable `CC` names.
pub fn link(
    object: &[u8],
    runtime: &Path,
    libraries: &[PathBuf],
    output: &Path,
) -> Result<(), LinkError> {
    if !runtime.is_file() {
        return Err(LinkError::NoRuntime { path: runtime.into() });
    }
    let object_file = temporary(&env::temp_dir(), "o");
    fs::write(&object_file.0, object)
        .map_err(|error| LinkError::Write { path: object_file.0.clone(), error })?;
    // Beside the output, so that it can be renamed.
    let folder = match output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let linked = temporary(folder, "tmp");
    let name =
        env::var("CC").ok().filter(|it| !it.trim().is_empty()).unwrap_or_else(|| "cc".into());
    let mut words = name.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    // The C library comes first: the runtime brings Rust's own version of some of its functions, whose `cbrt` differs.
    command.args(words).arg(&object_file.0).arg("-lm").arg(runtime).args(libraries);
    command.args(["-Wl,--gc-sections", "-lm", "-lpthread", "-ldl", "-o"]).arg(&linked.0);
    let done =
        command.output().map_err(|error| LinkError::NoLinker { command: name.clone(), error })?;
    if !done.status.success() {
        let output = String::from_utf8_lossy(&done.stderr).into_owned();
        return Err(LinkError::Linker { command: name, output });
    }
    fs::rename(&linked.0, output).map_err(|error| LinkError::Write { path: output.into(), error })
}

fn temporary(folder: &Path, extension: &str) -> Temporary {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    Temporary(folder.join(format!(".oxbow-{}-{number}.{extension}", process::id())))
}
