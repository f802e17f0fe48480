//! `oxbow check --fix`: makes the changes that reports propose, where they mend what they are about.
//!
//! ```text
//! let l = List.lenght [1]      →  List.length       the error is gone: written
//! let r = { name }             →  { nam }           another error in its place (the name was the field's, too): left
//! ```
//!
//! The edits of one report are made all or not at all; those that overlap with edits made already wait for the next
//! run, since the text is another one then. What they make of the program is looked at by a process of its own before
//! any file is written: for each report whose edits are made there must be one error less.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use oxbow_diag::Severity;
use oxbow_driver::index::{Answer, Request, Want, ask};
use oxbow_driver::{Error, Session, cannot_write, write_file};

/// Bytes of a file, and the text that takes their place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    file: PathBuf,
    start: usize,
    end: usize,
    text: String,
}

/// What one report proposes.
type Proposal = Vec<Change>;

/// Files as they would be.
type Texts = BTreeMap<PathBuf, String>;

pub fn apply(session: &Session) -> Result<(), Error> {
    let mut made = proposals(session);
    if made.is_empty() {
        return Ok(());
    }
    let Some(errors) = remaining(session, &Texts::new()) else { return Ok(()) };
    let mends = |made: &[Proposal]| {
        let texts = changed(session, made);
        remaining(session, &texts).is_some_and(|left| left + made.len() <= errors)
    };
    if !mends(&made) {
        made.retain(|it| mends(std::slice::from_ref(it)));
        if !mends(&made) {
            made.clear();
        }
    }
    changed(session, &made).iter().try_for_each(|(path, text)| replace(path, text))
}

/// What reports about errors propose for the program's own files, without what overlaps.
fn proposals(session: &Session) -> Vec<Proposal> {
    let mut made: Vec<Proposal> = Vec::new();
    for report in session.diagnostics.iter() {
        let changes = report.edits.iter().map(|it| Change {
            file: session.sources.file(it.span.file).name.clone().into(),
            start: it.span.start as usize,
            end: it.span.end as usize,
            text: it.text.clone(),
        });
        let proposal: Proposal = changes.collect();
        let is_own = report.edits.iter().all(|it| !session.sources.file(it.span.file).is_library);
        let is_free = proposal.iter().enumerate().all(|(index, it)| {
            let others = made.iter().flatten().chain(&proposal[..index]);
            others.into_iter().all(|other| !overlap(it, other))
        });
        if report.severity == Severity::Error && is_own && is_free && !proposal.is_empty() {
            made.push(proposal);
        }
    }
    made
}

/// The files that change. Of other encodings than UTF-8 the places are not those of the bytes, and the standard input
/// is no file: they stay as they are. So does a file that is no longer what was checked.
fn changed(session: &Session, made: &[Proposal]) -> Texts {
    let mut changes: Vec<&Change> = made.iter().flatten().collect();
    changes.sort();
    let mut texts = Texts::new();
    for change in changes.into_iter().rev() {
        let checked = || session.sources.files().find(|it| Path::new(&it.1.name) == change.file);
        let text = match texts.get_mut(&change.file) {
            Some(text) => text,
            None => match (fs::read_to_string(&change.file), checked()) {
                (Ok(text), Some((_, file))) if *text == *file.text => {
                    texts.entry(change.file.clone()).or_insert(text)
                }
                _ => continue,
            },
        };
        if text.get(change.start..change.end).is_some() {
            text.replace_range(change.start..change.end, &change.text);
        }
    }
    texts
}

/// How many errors a program has with other texts. None: it could not be looked at.
fn remaining(session: &Session, texts: &Texts) -> Option<usize> {
    let request = Request {
        main: session.options.input.clone(),
        folders: session.options.folders.clone(),
        texts: texts.clone(),
        want: Want::Index,
    };
    let (mut child, answers) = ask(&std::env::current_exe().ok()?, &request).ok()?;
    let last = answers.last();
    child.wait().ok()?;
    match last? {
        Answer::Checked(reports) => Some(reports.iter().filter(|it| it.is_error).count()),
        Answer::Index(_) | Answer::Completion(_) | Answer::Explanation(_) | Answer::Failed(_) => {
            None
        }
    }
}

/// Writes a file anew, with the permissions that it had; of a link, what it leads to.
fn replace(path: &Path, text: &str) -> Result<(), Error> {
    let failed = |error: io::Error| cannot_write(path, &error);
    let target = fs::canonicalize(path).map_err(failed)?;
    let permissions = fs::metadata(&target).map_err(failed)?.permissions();
    if permissions.readonly() {
        return Err(failed(io::ErrorKind::PermissionDenied.into()));
    }
    write_file(&target, text.as_bytes())?;
    fs::set_permissions(&target, permissions).map_err(failed)
}

/// Do two changes touch each other, so that what they make together is not certain?
fn overlap(a: &Change, b: &Change) -> bool {
    a.file == b.file && a.start <= b.end && b.start <= a.end
}

#[cfg(test)]
mod tests {
    use super::{Change, overlap};

    #[test]
    fn changes_that_touch_overlap() {
        let change = |start, end| Change { file: "a".into(), start, end, text: String::new() };
        assert!(overlap(&change(1, 3), &change(2, 5)));
        assert!(overlap(&change(1, 1), &change(1, 1)));
        assert!(!overlap(&change(1, 2), &change(4, 5)));
    }
}
