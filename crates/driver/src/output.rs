//! Output files appear complete or not at all.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::load::io_reason;

/// Writes a file by way of a temporary one beside it.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    // A device or a pipe is written to as it is.
    if path.exists() && !path.is_file() {
        return fs::write(path, bytes).map_err(|error| cannot_write(path, &error));
    }
    let temporary = Temporary::beside(path);
    let write = || {
        let mut file = fs::File::create(&temporary.path)?;
        file.write_all(bytes)?;
        file.sync_data()
    };
    write().map_err(|error| cannot_write(path, &error))?;
    temporary.rename(path)
}

/// The failure to write `path`.
pub fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    Error::File { path: path.display().to_string(), attempt: "write", reason: io_reason(error) }
}

/// A file that is removed unless it gets its name in the end.
pub struct Temporary {
    pub path: PathBuf,
}

impl Temporary {
    /// Beside `path`, so that renaming does not cross file systems.
    pub fn beside(path: &Path) -> Self {
        let name = path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
        Self { path: path.with_file_name(format!(".{name}.{}.tmp", std::process::id())) }
    }

    pub fn rename(self, path: &Path) -> Result<(), Error> {
        fs::rename(&self.path, path).map_err(|error| cannot_write(path, &error))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Gone already when it was renamed or never made.
        let _ = fs::remove_file(&self.path);
    }
}
