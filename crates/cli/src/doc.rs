//! `oxbow doc`: which programs are described, and where the pages go.
//!
//! ```text
//! oxbow doc main.ml        main.ml and the modules that it mentions
//! oxbow doc src            all modules in the folder: OCaml's as one program, a project of Clef, programs of Eshkol
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use oxbow_driver::doc::model::Site;
use oxbow_driver::doc::{html, text};
use oxbow_driver::files::Files;
use oxbow_driver::load::io_reason;
use oxbow_driver::{Error, Language, Subject as Described, document, index, write_file};

use crate::args::Compile;
use crate::{done, in_session, print_text};

/// What is made.
pub enum Form {
    /// A folder.
    Pages(PathBuf),
    Text(text::Links),
}

/// A program to describe.
struct Subject {
    main: PathBuf,
    /// The text of the main file if there is no such file: it names all modules, and is not described.
    text: Option<String>,
    /// It stands for the library of this language, or for these modules of it.
    library: Option<(Language, Option<Vec<String>>)>,
}

/// The module that names all others of a folder.
const ALL: &str = "oxbow_doc_all";

pub fn run(compile: Compile, form: &Form) -> i32 {
    let subjects = match subjects(&compile.file) {
        Ok(subjects) => subjects,
        Err(error) => return done(Err(error)),
    };
    let title = title(&compile.file);
    let mut site = Site { title: title.clone(), ..Site::default() };
    let mut worst = 0;
    for Subject { main, text, library } in subjects {
        let compile = Compile { file: main.clone(), flags: compile.flags.clone() };
        let code = in_session(compile, |session, _| {
            let hidden = text.as_ref().map(|_| module(ALL));
            if let Some(text) = text {
                session.options.files = Files::made_up(main, text);
            }
            let subject = match &library {
                Some((language, modules)) => Described::Library(*language, modules.as_deref()),
                None => Described::Program { hidden: hidden.as_deref() },
            };
            site.append(document(session, &title, subject)?);
            Ok(0)
        });
        worst = worst.max(code);
    }
    if worst != 0 {
        return worst;
    }
    done(match form {
        Form::Text(links) => print_text(&text::render(&site, *links)),
        Form::Pages(folder) => write(&site, folder),
    })
}

fn write(site: &Site, folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|error| Error::File {
        path: folder.display().to_string(),
        attempt: "write",
        reason: io_reason(&error),
    })?;
    html::render(site)
        .into_iter()
        .try_for_each(|(name, text)| write_file(&folder.join(name), text.as_bytes()))
}

/// The name of a program: of its file or its folder.
fn title(path: &Path) -> String {
    let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let name = if whole.is_dir() { whole.file_name() } else { whole.file_stem() };
    name.map_or_else(|| "-".into(), |it| it.to_string_lossy().into_owned())
}

/// `util.ml` is the module `Util`.
fn module(stem: &str) -> String {
    let mut name = stem.to_string();
    if let Some(first) = name.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    name
}

fn subjects(path: &Path) -> Result<Vec<Subject>, Error> {
    if !path.is_dir() {
        return Ok(vec![Subject { main: path.to_path_buf(), text: None, library: None }]);
    }
    let failed = |error: std::io::Error| Error::File {
        path: path.display().to_string(),
        attempt: "read",
        reason: io_reason(&error),
    };
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        files.push(entry.map_err(failed)?.path());
    }
    files.sort();
    if let Some(library) = library(path, &files)? {
        return Ok(vec![library]);
    }
    let of = |wanted: Language| files.iter().filter(move |it| Language::of(it) == Some(wanted));
    let mut subjects: Vec<Subject> = Vec::new();
    subjects.extend(ocaml(path, of(Language::Ocaml)));
    let plain = |it: &PathBuf| Subject { main: it.clone(), text: None, library: None };
    // What a project lists is in it once.
    let projects: Vec<Subject> = of(Language::ClefProject).map(plain).collect();
    match projects.is_empty() {
        true => subjects.extend(of(Language::Clef).map(plain)),
        false => subjects.extend(projects),
    }
    subjects.extend(of(Language::Eshkol).map(plain));
    if subjects.is_empty() {
        return Err(Error::Usage(format!("there are no source files in `{}`", path.display())));
    }
    Ok(subjects)
}

/// A folder that holds the library of a language: its files are no programs, but the compiler has them.
fn library(folder: &Path, files: &[PathBuf]) -> Result<Option<Subject>, Error> {
    let is_same = |name: &str| {
        let own = index::library_text(&format!("<library>/{name}"));
        own.is_some() && fs::read_to_string(folder.join(name)).ok().as_deref() == own
    };
    let stems = || files.iter().filter_map(|it| it.file_stem()?.to_str());
    if is_same("stdlib.ml") {
        // Those of the library's own are no names for programs.
        let modules: Vec<String> =
            stems().filter(|it| !it.starts_with("oxbow_")).map(module).collect();
        let text: String = modules.iter().map(|it| format!("module {it} = {it}\n")).collect();
        let main = PathBuf::from(format!("<library>/{ALL}.ml"));
        let text = Some(text + "let () = ()\n");
        return Ok(Some(Subject { main, text, library: Some((Language::Ocaml, Some(modules))) }));
    }
    if is_same("prelude.clef") {
        let main = PathBuf::from(format!("<library>/{ALL}.clef"));
        let text = Some("printfn \"\"\n".into());
        return Ok(Some(Subject { main, text, library: Some((Language::Clef, None)) }));
    }
    if is_same("prelude.esk") {
        return Err(Error::Usage("what Eshkol's library defines is in docs/eshkol.md".into()));
    }
    Ok(None)
}

/// Modules of OCaml are one program, whose main file names them all. A file that cannot be named as a module is a
/// program by itself.
fn ocaml<'a>(folder: &Path, files: impl Iterator<Item = &'a PathBuf>) -> Vec<Subject> {
    let mut subjects = Vec::new();
    let mut text = String::new();
    let mut names = Vec::new();
    for file in files {
        let stem = file.file_stem().and_then(|it| it.to_str()).unwrap_or("");
        let is_name = stem.starts_with(|it: char| it.is_ascii_alphabetic())
            && stem.chars().all(|it| it.is_ascii_alphanumeric() || it == '_' || it == '\'');
        if !is_name {
            subjects.push(Subject { main: file.clone(), text: None, library: None });
        } else if !names.contains(&module(stem)) {
            text += &format!("module {0} = {0}\n", module(stem));
            names.push(module(stem));
        }
    }
    if !names.is_empty() {
        text += "let () = ()\n";
        let main = folder.join(format!("{ALL}.ml"));
        subjects.insert(0, Subject { main, text: Some(text), library: None });
    }
    subjects
}
