//! Which program a file belongs to. Whoever teaches the server about build files does so here.
//!
//! ```text
//! main.ml       a program of its own, with the modules beside it that it mentions
//! util.mli      that of util.ml, if there is one
//! part.clef     that of the project file beside it that lists it, else a program of its own
//! ```

use std::path::{Path, PathBuf};

use oxbow_driver::Language;

/// More files of a folder than this are not searched for mentions.
const MOST: usize = 400;

/// The languages that the server knows.
pub fn language(path: &Path) -> Option<Language> {
    match Language::of(path)? {
        it @ (Language::Ocaml | Language::Clef | Language::Eshkol) => Some(it),
        Language::ClefProject | Language::Mlir => None,
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("."))
}

fn with_ending(path: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let has =
        |it: &PathBuf| it.extension().is_some_and(|it| endings.iter().any(|wanted| it == *wanted));
    let entries = std::fs::read_dir(folder(path)).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|it| it.path()).filter(has).collect();
    found.sort();
    found.truncate(MOST);
    found
}

/// The main file of the program that a file is looked at in. `is_file` knows of documents that are not on the disk.
pub fn main_of(path: &Path, is_file: impl Fn(&Path) -> bool) -> PathBuf {
    if path.extension().is_some_and(|it| it == "mli") {
        let implementation = path.with_extension("ml");
        if is_file(&implementation) {
            return implementation;
        }
    }
    if language(path) == Some(Language::Clef) {
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        let quoted = format!("\"{name}\"");
        let lists =
            |it: &PathBuf| std::fs::read_to_string(it).is_ok_and(|text| text.contains(&quoted));
        if let Some(project) = with_ending(path, &["fidproj"]).into_iter().find(lists) {
            return project;
        }
    }
    path.to_path_buf()
}

/// The programs that can mention what a file defines: those of the files beside it.
pub fn around(path: &Path, is_file: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let own = main_of(path, &is_file);
    let mut programs = match language(path) {
        Some(Language::Ocaml) => with_ending(path, &["ml"]),
        Some(Language::Eshkol) => with_ending(path, &["esk", "scm"]),
        // A project is whole, and so is a file without one.
        _ => Vec::new(),
    };
    programs.retain(|it| *it != own);
    programs.insert(0, own);
    programs
}
