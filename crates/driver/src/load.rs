//! Finds and parses the files of a program: the named one, the modules beside it that it
//! mentions, and the library modules that those mention, in dependency order.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use oxbow_abi::LIBRARY_FILES;
use oxbow_base::{
    Encoding, FileId, FxHashMap, FxHashSet, Language, SourceFile, SourceMap, Span, Symbol,
};
use oxbow_diag::{Diagnostic, Diagnostics, ice};
use oxbow_elab::infer::Unit;
use oxbow_elab::mentions::{self, Mention};
use oxbow_front_eshkol as eshkol;
use oxbow_front_ocaml as front;
use oxbow_psg::library_module;

use crate::aliases::{self, Aliases};
use crate::files::Files;
use crate::wrapped::Wrapped;
use crate::{Error, Options, library, main_file};

/// A larger source is refused: it is not a program that a person wrote.
const MAX_SOURCE: u64 = 64 * 1024 * 1024;

/// Library modules that every program gets: what syntax refers to.
const ALWAYS: &[&str] = &["Stdlib", library_module::FORMAT, library_module::HASH];

/// Library modules that many programs mention.
const COMMON: &[&str] =
    &["List", "Array", "String", "Bytes", "Printf", "Hashtbl", "Buffer", "Char", "Option", "Seq"];

/// Reads a source file as text.
pub fn read_source(path: &Path) -> Result<String, Error> {
    text_of(path.display().to_string(), read_bytes(path)?)
}

/// Reads a source file of OCaml, whose comments and strings may hold any bytes.
pub(crate) fn read_ocaml(path: &Path) -> Result<(String, Encoding), Error> {
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

/// The name and text of the main file. `-` is the standard input, the program `<stdin>`.
fn read_main(options: &Options) -> Result<(PathBuf, (String, Encoding)), Error> {
    let path = options.input.as_path();
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
    if options.files.text(path).is_none() {
        main_file::check(path)?;
    }
    let text = match options.language {
        Language::Ocaml => options.files.read_ocaml(path)?,
        Language::Clef | Language::ClefProject | Language::Eshkol | Language::Mlir => {
            (options.files.read_source(path)?, Encoding::Utf8)
        }
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
    options: &Options,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Unit>, Error> {
    load_onto(options, Library::default(), (sources, diagnostics), None)
}

/// Loads what a program needs besides the part of the library that is there already.
pub(crate) fn load_onto(
    options: &Options,
    library: Library,
    (sources, diagnostics): (&mut SourceMap, &mut Diagnostics),
    notes: Option<&mut eshkol::Notes>,
) -> Result<Vec<Unit>, Error> {
    let Options { folders, language, files, .. } = options;
    main_file::check_folders(*language, folders)?;
    let (path, text) = read_main(options)?;
    let main = path.as_path();
    let beside = main.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut loader = Loader {
        sources,
        diagnostics,
        folders: std::iter::once(beside).chain(folders.iter().cloned()).collect(),
        wrapped: folders.iter().filter_map(|it| Wrapped::find(it)).collect(),
        library: library.modules,
        state: FxHashMap::default(),
        units: Vec::new(),
        chain: Vec::new(),
        aliases: Aliases::default(),
        files: files.clone(),
        notes,
    };
    for name in ALWAYS {
        loader.library(Symbol::new(name));
    }
    match language {
        Language::Clef => {
            if !library.has_clef {
                loader.clef_library();
            }
            loader.clef_file(main, text.0)?;
        }
        Language::ClefProject => {
            if !library.has_clef {
                loader.clef_library();
            }
            loader.clef_project(main, text.0)?;
        }
        Language::Eshkol => loader.eshkol(module_name(main)?, main, text.0),
        // Only editors ask for an interface.
        Language::Ocaml if main.extension().is_some_and(|it| it == "mli") => {
            loader.user_interface(module_name(main)?, main)?;
        }
        Language::Ocaml => loader.user(module_name(main)?, main, text)?,
        Language::Mlir => ice!("a file of MLIR is read as a whole"),
    }
    // All of the library comes first, as OCaml links it: what its modules do at the start and leave for the
    // end of the program is around what the user's do.
    loader.units.sort_by_key(|it| !it.library);
    Ok(loader.units)
}

/// What of the library is there.
#[derive(Clone, Default)]
pub(crate) struct Library {
    /// OCaml's modules.
    modules: FxHashSet<Symbol>,
    has_clef: bool,
}

impl Library {
    /// Is there a module of OCaml's among the units that Clef's library must see?
    pub fn comes_too_early(&self, units: &[Unit]) -> bool {
        self.has_clef && units.iter().any(|it| it.library)
    }
}

/// Loads what programs like this one have of the library, whatever is in them: all of Clef's, all that Eshkol's stands
/// on, and the modules of OCaml's that many programs mention.
pub(crate) fn load_library(
    language: Language,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> (Library, Vec<Unit>) {
    let mut loader = Loader {
        sources,
        diagnostics,
        folders: Vec::new(),
        wrapped: Vec::new(),
        library: FxHashSet::default(),
        state: FxHashMap::default(),
        units: Vec::new(),
        chain: Vec::new(),
        aliases: Aliases::default(),
        files: Files::default(),
        notes: None,
    };
    let has_clef = language == Language::Clef;
    let modules = match language {
        Language::Eshkol => eshkol::MODULES,
        Language::Clef => &[],
        Language::Ocaml | Language::ClefProject | Language::Mlir => COMMON,
    };
    for name in ALWAYS.iter().chain(modules) {
        loader.library(Symbol::new(name));
    }
    if has_clef {
        loader.clef_library();
    }
    (Library { modules: loader.library, has_clef }, loader.units)
}

/// Loads a phrase of a prompt, which comes last, and what it is the first to mention of the library.
#[cfg(feature = "native")]
pub(crate) fn load_phrase(
    language: Language,
    library: &mut Library,
    &crate::prompt::Text { name, line, text }: &crate::prompt::Text<'_>,
    (sources, diagnostics): (&mut SourceMap, &mut Diagnostics),
) -> Vec<Unit> {
    let file = sources.add_part(name, line, text);
    let mut loader = Loader {
        sources,
        diagnostics,
        folders: Vec::new(),
        wrapped: Vec::new(),
        library: std::mem::take(&mut library.modules),
        state: FxHashMap::default(),
        units: Vec::new(),
        chain: Vec::new(),
        aliases: Aliases::default(),
        files: Files::default(),
        notes: None,
    };
    match language {
        Language::Clef | Language::ClefProject => loader.clef_phrase(file, text),
        _ => {
            let structure = front::parse_structure(file, text, loader.diagnostics);
            loader.mentioned_library(&structure);
            loader.units.push(unit(Symbol::new("Prompt"), structure, Span::new(file, 0, 0)));
        }
    }
    library.modules = loader.library;
    loader.units
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
pub(crate) enum State {
    Loading,
    Loaded,
}

pub(crate) struct Loader<'a> {
    pub(crate) sources: &'a mut SourceMap,
    pub(crate) diagnostics: &'a mut Diagnostics,
    /// Where modules are looked for: the folder of the main file first.
    folders: Vec<PathBuf>,
    /// Those of them that hold libraries with longer names for their modules.
    wrapped: Vec<Wrapped>,
    /// The library's modules that are there.
    library: FxHashSet<Symbol>,
    /// The user's, which may have the names of library modules.
    pub(crate) state: FxHashMap<Symbol, State>,
    pub(crate) units: Vec<Unit>,
    /// User modules being loaded, outermost first, to describe a cycle.
    pub(crate) chain: Vec<Symbol>,
    /// Other names for modules.
    pub(crate) aliases: Aliases,
    pub(crate) files: Files,
    /// What editors want to know about Eshkol's names.
    notes: Option<&'a mut eshkol::Notes>,
}

impl Loader<'_> {
    /// A module of OCaml's library, with those that it mentions.
    pub(crate) fn library(&mut self, name: Symbol) {
        let Some((file, text)) = library::find(name.as_str()) else { return };
        if !self.library.insert(name) {
            return;
        }
        let file = self.sources.add_library(format!("{LIBRARY_FILES}{file}"), text);
        let structure = front::parse_structure(file, text, self.diagnostics);
        if name.as_str() != "Stdlib" {
            self.mentioned_library(&structure);
        }
        let span = Span::new(file, 0, 0);
        self.units.push(Unit { library: true, ..unit(name, structure, span) });
    }

    /// The modules of the library that a tree mentions.
    fn mentioned_library(&mut self, structure: &[oxbow_elab::ast::Item]) {
        for mention in mentions::of_structure(structure) {
            if is_library(mention.within) {
                self.library(mention.name);
            }
        }
    }

    fn user(&mut self, name: Symbol, path: &Path, text: (String, Encoding)) -> Result<(), Error> {
        self.state.insert(name, State::Loading);
        self.chain.push(name);
        let file = self.sources.add_decoded(path.display().to_string(), text);
        let source = self.sources.file(file).clone();
        let mut structure = front::parse_structure(file, text_in(&source), self.diagnostics);
        let interface = path.with_extension("mli");
        let mut signature = None;
        if self.files.is_file(&interface) {
            let (_, parsed) = self.interface(&interface)?;
            signature = Some(parsed);
        }
        let names_only = aliases::names_only(&structure);
        if let Some(opening) = self.opening(name, path) {
            let text = text_in(&opening.1);
            structure.splice(0..0, front::parse_structure(opening.0, text, self.diagnostics));
        }
        let needs = mentions::needs(&structure, signature.as_deref());
        let later = self.needed(name, needs, names_only)?;
        self.chain.pop();
        self.state.insert(name, State::Loaded);
        let span = Span::new(file, 0, 0);
        self.units.push(Unit { signature, later, ..unit(name, structure, span) });
        Ok(())
    }

    /// A module that has an interface only: it holds types, and nothing that runs.
    fn user_interface(&mut self, name: Symbol, path: &Path) -> Result<(), Error> {
        self.state.insert(name, State::Loading);
        let (file, signature) = self.interface(path)?;
        self.chain.push(name);
        let needs = mentions::needs(&[], Some(&signature));
        let later = self.needed(name, needs, false)?;
        self.chain.pop();
        self.state.insert(name, State::Loaded);
        let span = Span::new(file, 0, 0);
        let unit = unit(name, Vec::new(), span);
        self.units.push(Unit { signature: Some(signature), interface_only: true, later, ..unit });
        Ok(())
    }

    fn interface(&mut self, path: &Path) -> Result<(FileId, oxbow_elab::ast::Signature), Error> {
        let text = self.files.read_ocaml(path)?;
        let file = self.sources.add_decoded(path.display().to_string(), text);
        let source = self.sources.file(file).clone();
        let mut signature = front::parse_signature(file, text_in(&source), self.diagnostics);
        if let Some(opening) = self.opening(Symbol::new(""), path) {
            let text = text_in(&opening.1);
            signature.splice(0..0, front::parse_signature(opening.0, text, self.diagnostics));
        }
        Ok((file, signature))
    }

    /// What stands before the text of a file of a library: `open! Yojson__`.
    fn opening(&mut self, name: Symbol, path: &Path) -> Option<(FileId, SourceFile)> {
        let names = self.wrapped.iter().find(|it| it.holds(path))?.names;
        // The names themselves are those of no other file.
        if names == name {
            return None;
        }
        let file = self.sources.add(path.display().to_string(), format!("open! {names}"));
        Some((file, self.sources.file(file).clone()))
    }

    /// A file `printf.ml` beside the program takes the place of the library's `Printf`, wanted or not.
    fn check_hides_library(&mut self, name: Symbol, path: &Path, span: Span) {
        let is_made_up = self.files.is_made_up(&self.sources.file(span.file).name);
        if library::find(name.as_str()).is_none() || is_made_up {
            return;
        }
        let shown = path.display();
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
                let file = self.sources.add_library(format!("{LIBRARY_FILES}{name}"), text);
                eshkol::Source { file, text, dialect: eshkol::Dialect::Scheme }
            })
            .collect();
        let dialect = eshkol::Dialect::of(&path.display().to_string());
        let file = self.sources.add(path.display().to_string(), text);
        let text = self.sources.file(file).text.clone();
        let sources = std::cell::RefCell::new(&mut *self.sources);
        let folders = self.folders.get(1..).unwrap_or_default();
        let known = &self.files;
        let mut files = |wanted: &str, from: FileId| {
            let folder =
                Path::new(&sources.borrow().file(from).name).parent().map(Path::to_path_buf);
            let beside = folder.unwrap_or_default().join(wanted);
            let elsewhere = folders.iter().map(|it| it.join(wanted)).find(|it| known.is_file(it));
            let is_beside = known.is_file(&beside) || beside.exists();
            let path = elsewhere.filter(|_| !is_beside).unwrap_or(beside);
            let text = known.read_source(&path).map_err(|error| match error {
                Error::File { reason, .. } | Error::Source { reason, .. } => reason,
                other => other.to_string(),
            })?;
            let file = sources.borrow_mut().add(path.display().to_string(), text.clone());
            Ok((file, text))
        };
        let mut shipped = |wanted: &str| {
            let (name, text) = library::eshkol_library(wanted)?;
            let name = format!("{LIBRARY_FILES}{name}");
            Some((sources.borrow_mut().add_library(name, text), text))
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
            eshkol::Source { file, text: &text, dialect },
            eshkol::Texts { files: &mut files, shipped: &mut shipped },
            &locate,
            self.notes.as_deref_mut(),
            self.diagnostics,
        );
        // `Ad` and what goes with it, where a derivative is taken at compile time.
        self.mentioned_library(&structure);
        let span = Span::new(file, 0, 0);
        self.units.push(Unit {
            name,
            structure,
            signature: None,
            interface_only: false,
            library: false,
            generated: true,
            span,
            language: Language::Eshkol,
            outer: Vec::new(),
            merged: false,
            opened: false,
            later: Vec::new(),
        });
    }

    /// A module that a user's file mentions: a file beside it, else the library's. A name that is
    /// neither may be bound inside the file; inference reports it if not.
    pub(crate) fn mentioned(&mut self, mention: Mention, from: Symbol) -> Result<(), Error> {
        let Mention { name, within, span } = mention;
        if within.is_some() {
            if is_library(within) {
                self.library(name);
            }
            return Ok(());
        }
        // Inside of `list.ml`, `List` is the library's.
        if name == from {
            self.library(name);
            return Ok(());
        }
        match self.state.get(&name) {
            Some(State::Loaded) => return Ok(()),
            Some(State::Loading) => {
                self.report_cycle(name, span);
                return Ok(());
            }
            None => (),
        }
        if !self.user_file(name, span)? {
            self.library(name);
        }
        Ok(())
    }

    /// Loads the file of a user's module, if there is one.
    pub(crate) fn user_file(&mut self, name: Symbol, span: Span) -> Result<bool, Error> {
        let made = self.wrapped.iter().find(|it| it.names == name);
        if let Some(text) = made.map(|it| it.text.clone()) {
            let path = PathBuf::from(format!("{name}.ml"));
            return self.user(name, &path, (text, Encoding::Utf8)).map(|()| true);
        }
        let Some((path, is_interface)) = self.find_user_file(name) else { return Ok(false) };
        if is_interface {
            return self.user_interface(name, &path).map(|()| true);
        }
        let text = self.files.read_ocaml(&path)?;
        self.check_hides_library(name, &path, span);
        self.user(name, &path, text).map(|()| true)
    }

    /// The file of a user's module, and whether it is an interface without an implementation.
    pub(crate) fn find_user_file(&self, name: Symbol) -> Option<(PathBuf, bool)> {
        let mut file = name.as_str().to_string();
        if let Some(first) = file.get_mut(0..1) {
            first.make_ascii_lowercase();
        }
        if let Some(path) = self.wrapped.iter().find_map(|it| it.file(name)) {
            let (file, interface) = (path.with_extension("ml"), path.with_extension("mli"));
            let is_file = self.files.is_file(&file);
            return Some(if is_file { (file, false) } else { (interface, true) });
        }
        for folder in &self.folders {
            for stem in [file.as_str(), name.as_str()] {
                if self.wrapped.iter().any(|it| it.hides(folder, stem)) {
                    continue;
                }
                for (ending, is_interface) in [("ml", false), ("mli", true)] {
                    let path = folder.join(format!("{stem}.{ending}"));
                    if self.files.is_file(&path) {
                        return Some((path, is_interface));
                    }
                }
            }
        }
        None
    }

    fn report_cycle(&mut self, name: Symbol, span: Span) {
        let Some(at) = self.chain.iter().position(|it| *it == name) else { return };
        let mut names: Vec<&str> = self.chain.iter().skip(at).map(|it| it.as_str()).collect();
        names.push(name.as_str());
        let cycle = names.join(" → ");
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
        opened: false,
        later: Vec::new(),
    }
}

/// Is a module within this one, or within none, one of the library, if it is no user's?
fn is_library(within: Option<Symbol>) -> bool {
    within.is_none_or(|it| it.as_str() == "Stdlib")
}
