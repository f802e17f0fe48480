//! The library, elaborated once for each executable of the compiler and mapped by the commands that follow (decision
//! 139).
//!
//! ```text
//! oxbow prepare ocaml  ──▶  oxbow.ocaml.library, beside the executable
//! oxbow run main.ml    ◀──  its names, types, scopes and graph, at the same addresses
//! ```
//!
//! A command that finds no such file makes it, if it may. Where it may not, the library is read as text with every
//! program. So it is with `OXBOW_LIBRARY=text`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use oxbow_base::{Language, Names, SourceMap};
use oxbow_image as image;

use crate::load::io_reason;
use crate::prepared::Known;
use crate::{Error, Options, Session};

/// The command that elaborates a language's library.
pub const COMMAND: &str = "prepare";

/// One in sixteen processes lies where it tells nothing; where the system never moves executables, all do, and the
/// draft serves.
const ATTEMPTS: usize = 4;

static IS_ALLOWED: AtomicBool = AtomicBool::new(false);

/// Allows the process to use what the executable keeps: its allocator is [`image::Memory`], and it has the command.
pub fn allow() {
    IS_ALLOWED.store(true, Ordering::Relaxed);
}

/// All that a command begins with.
struct Kept {
    names: Names,
    sources: SourceMap,
    known: Known,
}

/// The languages that have a library, with the names of their files.
pub const LANGUAGES: [(&str, Language); 3] =
    [("ocaml", Language::Ocaml), ("clef", Language::Clef), ("eshkol", Language::Eshkol)];

fn name_of(language: Language) -> Option<&'static str> {
    let language = if language == Language::ClefProject { Language::Clef } else { language };
    LANGUAGES.iter().find(|it| it.1 == language).map(|it| it.0)
}

/// The file of a language's library, which belongs to an executable.
fn file_of(executable: &Path, name: &str) -> PathBuf {
    executable.with_extension(format!("{name}.library"))
}

/// Elaborates the library of a language and keeps it beside the executable. The process is of no further use.
pub fn prepare(language: Language) -> Result<(), Error> {
    let executable = std::env::current_exe();
    let failed = |path: &Path, error: std::io::Error| Error::File {
        path: path.display().to_string(),
        attempt: "write",
        reason: io_reason(&error),
    };
    let executable = executable.map_err(|error| failed(Path::new("oxbow"), error))?;
    let Some(name) = name_of(language) else { return Ok(()) };
    let path = file_of(&executable, name);
    let before = image::state(&path);
    if before == Some(image::State::Final) {
        return Ok(());
    }
    if !Names::is_empty() || !image::record() {
        return Err(failed(&path, std::io::Error::other("the addresses are taken")));
    }
    let mut options = Options::new("-");
    options.language = language;
    let mut session = Session::new(options);
    let known = Known::new(&mut session);
    let sources = std::mem::take(&mut session.sources);
    let kept = Box::new(Kept { names: Names::take(), sources, known });
    image::keep(kept, &path).map_err(|error| failed(&path, error))?;
    // Another process, whose executable lies elsewhere, tells pointers from numbers.
    if before.is_none() {
        for _ in 0..ATTEMPTS {
            if image::state(&path) == Some(image::State::Final) {
                break;
            }
            run(&executable, name);
        }
    }
    Ok(())
}

/// The library of a language, if the executable has kept it; what it has not kept is made first.
pub(crate) fn library(session: &mut Session) -> Option<Known> {
    let wants_text = || std::env::var_os("OXBOW_LIBRARY").is_some_and(|it| it == "text");
    if !IS_ALLOWED.load(Ordering::Relaxed) || !Names::is_empty() || wants_text() {
        return None;
    }
    let name = name_of(session.options.language)?;
    let executable = std::env::current_exe().ok()?;
    let path = file_of(&executable, name);
    let kept = restored(&path).or_else(|| {
        make(&executable, name);
        restored(&path)
    })?;
    let Kept { names, sources, known } = *kept;
    names.set().ok()?;
    session.sources = sources;
    Some(known)
}

#[expect(unsafe_code, reason = "the file says which executable wrote it")]
fn restored(path: &Path) -> Option<Box<Kept>> {
    // SAFETY: `prepare` keeps this type under such names, and nothing else does.
    unsafe { image::restore(path) }
}

/// Makes the file of a library, if it may be made.
fn make(executable: &Path, name: &str) {
    if image::identity().is_some() && executable.parent().is_some_and(image::can_write) {
        run(executable, name);
    }
}

/// Lets another process of the executable elaborate a library. It may fail: then there is none.
fn run(executable: &Path, name: &str) {
    let mut command = Command::new(executable);
    command.args([COMMAND, name]).stdin(Stdio::null()).stdout(Stdio::null());
    let _ = command.stderr(Stdio::null()).status();
}
