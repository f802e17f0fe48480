//! Finds and parses the files of a program: the named one, the modules beside it that it
//! mentions, and the library modules that those mention, in dependency order.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use oxbow_base::{Encoding, FileId, FxHashMap, FxHashSet, Id, SourceFile, SourceMap, Span, Symbol};
use oxbow_diag::{Diagnostic, Diagnostics};
use oxbow_elab::infer::{Language, Unit};
use oxbow_front_eshkol as eshkol;
use oxbow_front_ocaml as front;
use oxbow_psg::library_module;

use crate::{Error, clef, library, main_file};

/// A larger source is refused: it is not a program that a person wrote.
const MAX_SOURCE: u64 = 64 * 1024 * 1024;

/// Library modules that every program gets: what syntax refers to.
const ALWAYS: &[&str] = &["Stdlib", library_module::FORMAT, library_module::HASH];

/// Library modules that many programs mention.
const COMMON: &[&str] =
    &["List", "Array", "String", "Bytes", "Printf", "Hashtbl", "Buffer", "Char", "Option", "Seq"];

/// Modules that indexing syntax refers to.
const INDEXING: &[&str] = &["Array", "String", "Bytes"];

/// Reads a source file as text.
pub fn read_source(path: &Path) -> Result<String, Error> {
    text_of(path.display().to_string(), read_bytes(path)?)
}

/// Reads a source file of OCaml, whose comments and strings may hold any bytes.
fn read_ocaml(path: &Path) -> Result<(String, Encoding), Error> {
    read_bytes(path).map(Encoding::decode)
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let shown = path.display().to_string();
    let file_error = |reason: std::io::Error| Error::File {
        path: shown.clone(),
        attempt: "read",
        reason: io_reason(&reason),
    };
    let metadata = fs::metadata(path).map_err(file_error)?;
    if metadata.is_dir() {
        return Err(Error::File {
            path: shown,
            attempt: "read",
            reason: "it is a directory".into(),
        });
    }
    if metadata.len() > MAX_SOURCE {
        return Err(too_large(shown));
    }
    fs::read(path).map_err(file_error)
}

fn too_large(path: String) -> Error {
    let reason = format!("is larger than {} MiB; split the program into modules", MAX_SOURCE >> 20);
    Error::Source { path, reason }
}

fn text_of(shown: String, bytes: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes().iter().take(at).filter(|&&it| it == b'\n').count() + 1;
        Error::Source {
            path: shown,
            reason: format!("is not valid UTF-8 (line {line}, byte {at})"),
        }
    })
}

/// A file in the `ocaml` dialect rather than a program's source.
pub fn is_mlir(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "mlir")
}

/// The name and text of the main file. `-` is the standard input, the program `<stdin>`.
fn read_main(path: &Path) -> Result<(PathBuf, (String, Encoding)), Error> {
    if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().take(MAX_SOURCE + 1).read_to_end(&mut bytes).map_err(|error| {
            Error::File { path: "-".into(), attempt: "read", reason: io_reason(&error) }
        })?;
        let shown = "<stdin>".to_string();
        if bytes.len() as u64 > MAX_SOURCE {
            return Err(too_large(shown));
        }
        return Ok((PathBuf::from("<stdin>"), Encoding::decode(bytes)));
    }
    main_file::check(path)?;
    let text = match path.extension().is_some_and(|it| it == "ml") {
        true => read_ocaml(path)?,
        false => (read_source(path)?, Encoding::Utf8),
    };
    Ok((path.to_path_buf(), text))
}

/// The reason without Rust's "(os error 2)".
pub fn io_reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_lowercase(),
        None => text,
    }
}

/// Loads a program from its main file.
pub fn load(
    main: &Path,
    folders: &[PathBuf],
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Unit>, Error> {
    load_onto(main, folders, Library::default(), sources, diagnostics)
}

/// Loads what a program needs besides the part of the library that is there already.
pub(crate) fn load_onto(
    main: &Path,
    folders: &[PathBuf],
    library: Library,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Unit>, Error> {
    main_file::check_folders(main, folders)?;
    let (path, text) = read_main(main)?;
    let main = path.as_path();
    let beside = main.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut loader = Loader {
        sources,
        diagnostics,
        folders: std::iter::once(beside).chain(folders.iter().cloned()).collect(),
        library: library.modules,
        state: FxHashMap::default(),
        units: Vec::new(),
        chain: Vec::new(),
    };
    for name in ALWAYS {
        loader.library(Symbol::new(name));
    }
    if clef::is_clef(main) {
        if !library.has_clef {
            loader.clef_library();
        }
        loader.clef_file(main, text.0)?;
        return Ok(loader.units);
    }
    if clef::is_project(main) {
        loader.clef_library();
        loader.clef_project(main, text.0)?;
        return Ok(loader.units);
    }
    let name = module_name(main)?;
    if is_eshkol(main) {
        loader.eshkol(name, main, text.0);
    } else {
        loader.user(name, main, text)?;
    }
    Ok(loader.units)
}

/// What of the library is there.
#[derive(Clone, Default)]
pub(crate) struct Library {
    /// OCaml's modules.
    modules: FxHashSet<Symbol>,
    has_clef: bool,
}

/// Loads what programs like this one have of the library, whatever is in them: all of Clef's, all that Eshkol's stands on, and the
/// modules of OCaml's that many programs mention.
pub(crate) fn load_library(
    like: &Path,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> (Library, Vec<Unit>) {
    let mut loader = Loader {
        sources,
        diagnostics,
        folders: Vec::new(),
        library: FxHashSet::default(),
        state: FxHashMap::default(),
        units: Vec::new(),
        chain: Vec::new(),
    };
    let has_clef = clef::is_clef(like);
    let modules = match is_eshkol(like) {
        true => eshkol::MODULES,
        false if has_clef => &[],
        false => COMMON,
    };
    for name in ALWAYS.iter().chain(modules) {
        loader.library(Symbol::new(name));
    }
    if has_clef {
        loader.clef_library();
    }
    (Library { modules: loader.library, has_clef }, loader.units)
}

/// Whether a file holds an Eshkol program, by its name.
pub fn is_eshkol(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "esk" || it == "scm")
}

/// `dir/main.ml` is the module `Main`.
pub(crate) fn module_name(path: &Path) -> Result<Symbol, Error> {
    let stem = path.file_stem().and_then(|it| it.to_str()).unwrap_or("");
    let mut name: String =
        stem.chars().map(|it| if it.is_alphanumeric() || it == '\'' { it } else { '_' }).collect();
    if let Some(first) = name.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    if name.is_empty() {
        return Err(Error::Usage(format!("`{}` is not the name of a source file", path.display())));
    }
    Ok(Symbol::new(&name))
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Loading,
    Loaded,
}

pub(crate) struct Loader<'a> {
    pub(crate) sources: &'a mut SourceMap,
    pub(crate) diagnostics: &'a mut Diagnostics,
    /// Where modules are looked for: the folder of the main file first.
    folders: Vec<PathBuf>,
    /// The library's modules that are there.
    library: FxHashSet<Symbol>,
    /// The user's, which may have the names of library modules.
    state: FxHashMap<Symbol, State>,
    pub(crate) units: Vec<Unit>,
    /// User modules being loaded, outermost first, to describe a cycle.
    chain: Vec<(Symbol, FileId)>,
}

impl Loader<'_> {
    /// `List`, or `Stdlib.List`.
    pub(crate) fn library(&mut self, name: Symbol) {
        let name = name.as_str().strip_prefix("Stdlib.").map_or(name, Symbol::new);
        let Some((file, text)) = library::find(name.as_str()) else { return };
        if !self.library.insert(name) {
            return;
        }
        let file = self.sources.add_library(format!("<library>/{file}"), text);
        let structure = front::parse_structure(file, text, self.diagnostics);
        if name.as_str() != "Stdlib" {
            for dependency in front::module_dependencies(&structure) {
                self.library(dependency);
            }
            for dependency in indexing(text) {
                if dependency != name.as_str() {
                    self.library(Symbol::new(dependency));
                }
            }
        }
        let span = Span::new(file, 0, 0);
        self.units.push(Unit { library: true, ..unit(name, structure, span) });
    }

    fn user(&mut self, name: Symbol, path: &Path, text: (String, Encoding)) -> Result<(), Error> {
        self.state.insert(name, State::Loading);
        let file = self.sources.add_decoded(path.display().to_string(), text);
        self.chain.push((name, file));
        let source = self.sources.file(file).clone();
        let structure = front::parse_structure(file, text_in(&source), self.diagnostics);
        self.check_hides_library(name, file);
        let interface = path.with_extension("mli");
        let mut signature = None;
        let mut needed: Vec<Symbol> = front::module_dependencies(&structure);
        if interface.is_file() {
            let (_, parsed) = self.interface(&interface)?;
            needed.extend(front::signature_dependencies(&parsed));
            signature = Some(parsed);
        }
        needed.extend(indexing(&source.text).map(Symbol::new));
        for dependency in needed {
            self.dependency(dependency, name)?;
        }
        self.chain.pop();
        self.state.insert(name, State::Loaded);
        let span = Span::new(file, 0, 0);
        self.units.push(Unit { signature, ..unit(name, structure, span) });
        Ok(())
    }

    /// A module that has an interface only: it holds types, and nothing that runs.
    fn user_interface(&mut self, name: Symbol, path: &Path) -> Result<(), Error> {
        self.state.insert(name, State::Loading);
        let (file, signature) = self.interface(path)?;
        self.chain.push((name, file));
        for dependency in front::signature_dependencies(&signature) {
            self.dependency(dependency, name)?;
        }
        self.chain.pop();
        self.state.insert(name, State::Loaded);
        let span = Span::new(file, 0, 0);
        let unit = unit(name, Vec::new(), span);
        self.units.push(Unit { signature: Some(signature), interface_only: true, ..unit });
        Ok(())
    }

    fn interface(&mut self, path: &Path) -> Result<(FileId, oxbow_elab::ast::Signature), Error> {
        let text = read_ocaml(path)?;
        let file = self.sources.add_decoded(path.display().to_string(), text);
        let source = self.sources.file(file).clone();
        Ok((file, front::parse_signature(file, text_in(&source), self.diagnostics)))
    }

    /// A file `printf.ml` beside the program takes the place of the library's `Printf`, wanted or not.
    fn check_hides_library(&mut self, name: Symbol, file: FileId) {
        let Some(&(_, from)) = self.chain.iter().rev().nth(1) else { return };
        if library::find(name.as_str()).is_none() {
            return;
        }
        let text = self.sources.file(from).text.clone();
        let start = text.find(name.as_str()).unwrap_or(0) as u32;
        let span = Span::new(from, start, start + name.as_str().len() as u32);
        let shown = self.sources.file(file).name.clone();
        self.diagnostics.warning(
            Diagnostic::warning(HIDES_LIBRARY, format!("`{shown}` hides the library's `{name}`"))
                .at(span, format!("this is the module of `{shown}`"))
                .help(format!(
                    "rename the file, or write `Stdlib.{name}` for the library's module"
                )),
        );
    }

    /// An Eshkol program is one module, with the files that it includes.
    fn eshkol(&mut self, name: Symbol, path: &Path, text: String) {
        for module in eshkol::MODULES {
            self.library(Symbol::new(module));
        }
        let library: Vec<_> = library::eshkol_sources()
            .map(|(name, text)| {
                let file = self.sources.add_library(format!("<library>/{name}"), text);
                eshkol::Source { file, text }
            })
            .collect();
        let file = self.sources.add(path.display().to_string(), text);
        let text = self.sources.file(file).text.clone();
        let sources = std::cell::RefCell::new(&mut *self.sources);
        let folders = self.folders.get(1..).unwrap_or_default();
        let mut files = |wanted: &str, from: FileId| {
            let folder =
                Path::new(&sources.borrow().file(from).name).parent().map(Path::to_path_buf);
            let beside = folder.unwrap_or_default().join(wanted);
            let elsewhere = folders.iter().map(|it| it.join(wanted)).find(|it| it.is_file());
            let path = elsewhere.filter(|_| !beside.exists()).unwrap_or(beside);
            let text = read_source(&path).map_err(|error| match error {
                Error::File { reason, .. } | Error::Source { reason, .. } => reason,
                other => other.to_string(),
            })?;
            let file = sources.borrow_mut().add(path.display().to_string(), text.clone());
            Ok((file, text))
        };
        let locate = |span: Span| {
            let sources = sources.borrow();
            let file = sources.file(span.file);
            if file.is_library {
                return String::new();
            }
            let at = sources.position(span.file, span.start);
            format!("{}:{}:{}", file.name, at.line, at.column)
        };
        let structure = eshkol::compile(
            &library,
            eshkol::Source { file, text: &text },
            &mut files,
            &locate,
            self.diagnostics,
        );
        // `Ad` and what goes with it, where a derivative is taken at compile time.
        for dependency in front::module_dependencies(&structure) {
            self.library(dependency);
        }
        let span = Span::new(file, 0, 0);
        self.units.push(Unit {
            name,
            structure,
            signature: None,
            interface_only: false,
            library: false,
            generated: true,
            span,
            language: Language::Ocaml,
            outer: Vec::new(),
            merged: false,
        });
    }

    /// A module that a user's file mentions: a file beside it, else the library's. A name that is
    /// neither may be bound inside the file; inference reports it if not.
    fn dependency(&mut self, name: Symbol, from: Symbol) -> Result<(), Error> {
        // Inside of `list.ml`, `List` is the library's.
        if name == from || name.as_str().starts_with("Stdlib.") {
            self.library(name);
            return Ok(());
        }
        match self.state.get(&name) {
            Some(State::Loaded) => return Ok(()),
            Some(State::Loading) => {
                self.report_cycle(name);
                return Ok(());
            }
            None => (),
        }
        let mut file = name.as_str().to_string();
        if let Some(first) = file.get_mut(0..1) {
            first.make_ascii_lowercase();
        }
        for folder in self.folders.clone() {
            for stem in [file.as_str(), name.as_str()] {
                let path = folder.join(format!("{stem}.ml"));
                if path.is_file() {
                    let text = read_ocaml(&path)?;
                    return self.user(name, &path, text);
                }
                let path = folder.join(format!("{stem}.mli"));
                if path.is_file() {
                    return self.user_interface(name, &path);
                }
            }
        }
        self.library(name);
        Ok(())
    }

    fn report_cycle(&mut self, name: Symbol) {
        let Some(at) = self.chain.iter().position(|it| it.0 == name) else { return };
        let mut names: Vec<&str> = self.chain.iter().skip(at).map(|it| it.0.as_str()).collect();
        names.push(name.as_str());
        let cycle = names.join(" → ");
        let file = self.chain.last().map_or(FileId::from_index(0), |it| it.1);
        let text = self.sources.file(file).text.clone();
        let start = text.find(name.as_str()).unwrap_or(0) as u32;
        let span = Span::new(file, start, start + name.as_str().len() as u32);
        self.diagnostics.error(
            Diagnostic::error(CYCLE, format!("modules depend on each other: {cycle}"))
                .at(span, "closes the cycle")
                .help("move what they share into a third module"),
        );
    }
}

/// The code of the error about modules that depend on each other.
pub const CYCLE: &str = "E0212";

/// The code of the warning about a user's module with the name of one of the library.
pub const HIDES_LIBRARY: &str = "W0904";

fn text_in(source: &SourceFile) -> front::Text<'_> {
    front::Text { text: &source.text, encoding: source.encoding }
}

/// A user's OCaml file.
fn unit(name: Symbol, structure: oxbow_elab::ast::Structure, span: Span) -> Unit {
    Unit {
        name,
        structure,
        signature: None,
        interface_only: false,
        library: false,
        generated: false,
        span,
        language: Language::Ocaml,
        outer: Vec::new(),
        merged: false,
    }
}

/// The modules that indexing syntax in a text means. A mention in a string or comment only
/// loads a module that stays unused.
fn indexing(text: &str) -> impl Iterator<Item = &'static str> + use<> {
    let array = text.contains(".(");
    let string = text.contains(".[");
    INDEXING.iter().copied().filter(move |&it| if it == "Array" { array } else { string })
}
