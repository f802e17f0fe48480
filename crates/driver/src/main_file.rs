//! Whether what is named on the command line can be the main file of a program, and what to name
//! instead if it cannot: a folder and a build file of `dune` know which file is meant.

use std::fs;
use std::path::{Path, PathBuf};

use oxbow_base::Language;

use crate::Error;

/// Endings of the files that a program can begin with.
const ENDINGS: &str = "`.ml`, `.mlir`, `.clef`, `.fs`, `.fidproj`, `.esk` or `.scm`";

/// Refuses what is no source file, with a proposal.
pub fn check(path: &Path) -> Result<(), Error> {
    if path.is_dir() && !is_source(path) {
        return Err(folder(path));
    }
    let name = path.file_name().unwrap_or_default();
    if name == "dune" || name == "dune-project" {
        return Err(dune(path));
    }
    if is_source(path) || path.is_dir() {
        return Ok(());
    }
    let shown = path.display();
    let reason = match is_interface(path) {
        true => {
            let with = path.with_extension("ml");
            format!("is an interface; name the file that implements it, as `{}`", with.display())
        }
        false => format!("is not a source file: its name does not end in {ENDINGS}"),
    };
    Err(Error::Usage(format!("`{shown}` {reason}")))
}

fn is_source(path: &Path) -> bool {
    Language::of(path).is_some() && !is_interface(path)
}

fn is_interface(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "mli")
}

/// The folders of `-I` exist, and the language looks for files in folders.
pub fn check_folders(language: Language, folders: &[PathBuf]) -> Result<(), Error> {
    if folders.is_empty() {
        return Ok(());
    }
    match language {
        Language::Clef | Language::ClefProject => {
            let message = "`-I` is for OCaml and Eshkol; the files of a Clef program are listed in a \
                           project: `oxbow run Name.fidproj`";
            return Err(Error::Usage(message.into()));
        }
        Language::Mlir => {
            let message = "`-I` is for OCaml and Eshkol; a file of MLIR is whole";
            return Err(Error::Usage(message.into()));
        }
        Language::Ocaml | Language::Eshkol => (),
    }
    match folders.iter().find(|it| !it.is_dir()) {
        Some(missing) => {
            Err(Error::Usage(format!("`-I {}` does not name a folder", missing.display())))
        }
        None => Ok(()),
    }
}

fn folder(path: &Path) -> Error {
    let shown = path.display();
    let proposal = match main_of(path) {
        Some(main) => format!("name the main file of the program: `{}`", main.display()),
        None => format!("name the main file of the program, which ends in {ENDINGS}"),
    };
    Error::Usage(format!(
        "`{shown}` is a folder; {proposal} (modules beside it are found, those of other folders by `-I DIR`)"
    ))
}

fn dune(path: &Path) -> Error {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let proposal = match main_of(folder) {
        Some(main) => format!("here that is `{}`", main.display()),
        None => "as `main.ml`".to_string(),
    };
    Error::Usage(format!(
        "`{}` is a build file of dune, which is not read; name the main file of the program, {proposal}, \
         and the folders of its libraries by `-I DIR`",
        path.display()
    ))
}

/// The file of a folder that a program most likely begins with: what `dune` calls an executable, a
/// project, `main` of some kind, the only source.
fn main_of(folder: &Path) -> Option<PathBuf> {
    let shown = |name: PathBuf| if folder == Path::new(".") { name } else { folder.join(name) };
    for inner in ["", "bin"] {
        let text = fs::read_to_string(folder.join(inner).join("dune")).unwrap_or_default();
        let named = executables(&text).map(|it| Path::new(inner).join(format!("{it}.ml")));
        if let Some(main) = named.into_iter().find(|it| folder.join(it).is_file()) {
            return Some(shown(main));
        }
    }
    let mut sources: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|it| PathBuf::from(it.file_name()))
        .filter(|it| is_source(it) && folder.join(it).is_file())
        .collect();
    sources.sort();
    let is_main = |it: &&PathBuf| it.file_stem().is_some_and(|it| it.eq_ignore_ascii_case("main"));
    let project = sources.iter().find(|it| Language::of(it) == Some(Language::ClefProject));
    let only = sources.first().filter(|_| sources.len() == 1);
    project.or_else(|| sources.iter().find(is_main)).or(only).cloned().map(shown)
}

/// The names that stanzas `(executable (name main))` and `(executables (names a b))` give, of
/// which the first is enough.
fn executables(dune: &str) -> impl Iterator<Item = &str> {
    dune.split("(executable").skip(1).filter_map(|stanza| {
        let after = stanza.split("(name").nth(1)?.trim_start_matches('s');
        after.split(|it: char| it.is_whitespace() || it == ')').find(|it| !it.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::executables;

    #[test]
    fn names_of_executables() {
        let text = "(library (name util))\n(executable\n (name main)\n (libraries util))\n\
                    (executables (names a b))\n(executable)";
        assert_eq!(executables(text).collect::<Vec<_>>(), ["main", "a"]);
    }
}
