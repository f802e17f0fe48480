//! A prompt: phrases that are compiled and run one after the other in this process (decision 236).
//!
//! ```text
//! text ─ parse ─ infer in the scope so far ─ build onto the graph so far
//!      ─ specialise what the phrase reaches ─ a module of its own ─ load ─ run ─ tell
//! ```
//!
//! A phrase that is refused leaves the prompt in an unknown state: whoever wants to go on runs each phrase in a copy of
//! the process (see `oxbow repl`).

mod code;
mod style;
mod values;

use oxbow_base::doc::Doc;
use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_dialect::melior::Context;
use oxbow_elab::build::{Graph, build_phrase};
use oxbow_elab::infer::Inference;
use oxbow_elab::infer::phrase::{Scope, Shown, Told};
use oxbow_elab::infer::view::Views;
use oxbow_passes::monomorphize::phrase::{NewPlace, Places, RAISED};
use oxbow_psg::{ExnId, TypeTable};

use crate::load::{self, Library};
use crate::prepared::Known;
use crate::{Error, Options, Session, Stop, kept};

pub use code::Host;
use code::Loaded;
use style::Style;
use values::Reader;

/// What is there between phrases.
pub struct Prompt {
    pub session: Session,
    library: Library,
    inference: Inference<'static>,
    graph: Option<Graph>,
    scope: Scope,
    places: Places,
    /// The items that have run.
    done: usize,
    /// How many phrases there were.
    count: i64,
    context: Context,
    loaded: Loaded,
    style: Style,
}

/// A phrase of a prompt: what is typed, or a part of a file.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// The name of the file.
    pub name: &'a str,
    /// The line of the file that it begins on.
    pub line: u32,
    pub text: &'a str,
}

/// What became of a phrase.
#[derive(Debug)]
pub enum Outcome {
    /// What it defines, line by line.
    Done(String),
    /// An exception that nobody handled, as text.
    Raised(String),
}

impl Prompt {
    /// Begins with the library of a language.
    pub fn new(mut options: Options, host: Host) -> Self {
        options.opt_level = crate::OptLevel::O0;
        options.closures = crate::Closures::Flat;
        let style = Style::of(options.language);
        let mut session = Session::new(options);
        let known = kept::library(&mut session).unwrap_or_else(|| Known::new(&mut session));
        let (library, inference, graph) = known.parts();
        Self {
            session,
            library,
            inference,
            graph: Some(graph),
            scope: Scope::default(),
            places: Places::default(),
            done: 0,
            count: 0,
            context: oxbow_dialect::context(),
            loaded: Loaded::new(host),
            style,
        }
    }

    /// Compiles a phrase, runs it and tells what it has defined. Diagnostics are in the session.
    pub fn phrase(&mut self, text: &Text<'_>) -> Result<Outcome, Stop> {
        let mut units = self.read(text);
        let Some(unit) = units.pop() else { return Ok(Outcome::Done(String::new())) };
        if self.session.ends_before_inference() {
            return Err(Stop::Reported);
        }
        let before = self.scope.clone();
        let told = self.infer(&units, &unit);
        self.session.gate()?;
        let Some(graph) = self.graph.take() else { return Err(Stop::Reported) };
        let session = &mut self.session;
        let graph =
            build_phrase(graph, &mut self.inference, &session.sources, &mut session.diagnostics);
        self.graph = Some(graph);
        self.session.gate()?;
        self.run(told, before)
    }

    /// Parses a phrase. Before it come units of the library that it is the first to mention.
    fn read(&mut self, text: &Text<'_>) -> Vec<oxbow_elab::infer::Unit> {
        let into = (&mut self.session.sources, &mut self.session.diagnostics);
        load::load_phrase(self.session.options.language, &mut self.library, text, into)
    }

    /// Reports that the input ends inside of a phrase.
    pub fn unfinished(&mut self, text: &Text<'_>) {
        let mark = self.session.sources.files().count();
        self.read(text);
        let file = self.session.sources.files().nth(mark).map(|it| it.0);
        if let Some(file) = file
            && !self.session.diagnostics.has_errors()
        {
            let end = text.text.trim_end().len() as u32;
            let report = Diagnostic::error("E0001", "the input ends inside of a phrase")
                .at(Span::new(file, end, end), "`;;` is missing here");
            self.session.diagnostics.error(report);
        }
    }

    fn infer(&mut self, units: &[oxbow_elab::infer::Unit], unit: &oxbow_elab::infer::Unit) -> Told {
        let diagnostics = &mut self.session.diagnostics;
        std::mem::swap(self.inference.diagnostics(), diagnostics);
        for unit in units {
            self.inference.unit(unit);
        }
        let told = self.inference.phrase(&mut self.scope, unit);
        std::mem::swap(self.inference.diagnostics(), diagnostics);
        told
    }

    fn run(&mut self, told: Told, before: Scope) -> Result<Outcome, Stop> {
        self.count += 1;
        let Some(graph) = &self.graph else { return Err(Stop::Reported) };
        let end = graph.program().items.len();
        let compiled = code::compile(
            &mut self.session,
            &self.context,
            &mut self.loaded,
            graph.program(),
            (self.done, &self.places, self.count),
        )?;
        self.done = end;
        let ended = self.loaded.run(&compiled, self.count);
        let code::Compiled { new, numbered, mut types, .. } = compiled;
        if ended {
            let text = self.tell(told, &new, &mut types);
            self.places.fill(new, numbered);
            return Ok(Outcome::Done(text));
        }
        let text = self.raised(&mut types);
        // What the library has computed is there; the user's definitions are not.
        let library = new.into_iter().filter(|it| it.library).collect();
        self.places.fill(library, numbered);
        self.scope = before;
        Ok(Outcome::Raised(text))
    }

    fn tell(&self, told: Told, new: &[NewPlace], types: &mut TypeTable) -> String {
        let Told { shown, views } = told;
        let mut lines = String::new();
        for it in shown {
            let doc = match it {
                Shown::Declaration(doc) => doc,
                Shown::Value(value) => {
                    let place = new.iter().find(|it| it.var == value.var);
                    let address =
                        place.and_then(|it| Some((it, self.loaded.place(it.place.number)?)));
                    let text = match address {
                        Some((place, address)) => Reader::new(&views, types, self.style)
                            .show(value.view, place.ty, address),
                        None => Doc::text(self.style.function()),
                    };
                    self.style.definition(value.name, value.mutable, value.ty, text)
                }
            };
            lines.push_str(&doc.render());
            lines.push('\n');
        }
        lines
    }

    /// The exception that has ended a phrase.
    fn raised(&mut self, types: &mut TypeTable) -> String {
        let Some(object) = self.loaded.place(RAISED).map(code::word) else { return String::new() };
        let descriptor = code::word(object);
        let exns: Vec<ExnId> = types.exns.ids().collect();
        let found = exns.into_iter().find(|exn| self.loaded.exception(*exn) == Some(descriptor));
        let Some(exn) = found else { return "Exception: _.".into() };
        let mut views = Views::default();
        let (name, shown) = self.inference.view_exn(exn, &mut views);
        let fields = types.exns[exn].declared().to_vec();
        let mut reader = Reader::new(&views, types, self.style);
        let value = reader.exception(&name, &shown, &fields, object);
        let parts = vec![Doc::text("Exception:"), oxbow_base::doc::SPACE, value, Doc::text(".")];
        Doc::hov(0, parts).render()
    }

    /// The phrases of a file, for `#use`, with the lines that they begin on.
    pub fn phrases_of(&mut self, path: &std::path::Path) -> Result<Vec<(u32, String)>, Error> {
        let text = load::read_source(path)?;
        let mut library = self.library.clone();
        let mut sources = oxbow_base::SourceMap::new();
        let mut sink = self.session.options.sink();
        let name = path.display().to_string();
        let into = (&mut sources, &mut sink);
        let language = self.session.options.language;
        let whole = Text { name: &name, line: 1, text: &text };
        let mut units = load::load_phrase(language, &mut library, &whole, into);
        let items = units.pop().map_or(Vec::new(), |it| it.structure);
        // What cannot be read is told when it is run.
        if sink.has_errors() || items.is_empty() {
            return Ok(vec![(1, text)]);
        }
        let part = |it: &oxbow_elab::ast::Item| {
            // Blanks in the place of what stands before it on its line keep the columns.
            let at = sources.position(it.span.file, it.span.start);
            let blanks = " ".repeat(at.column.saturating_sub(1) as usize);
            let own = text.get(it.span.start as usize..it.span.end as usize)?;
            Some((at.line, blanks + own))
        };
        Ok(items.iter().filter_map(part).collect())
    }

    /// The names that could go on where a text ends.
    pub fn complete(&self, prefix: &str) -> Vec<String> {
        let mut path: Vec<Symbol> = prefix.split('.').map(Symbol::new).collect();
        let last = path.pop();
        let begun = last.map_or("", Symbol::as_str);
        let names = match path.is_empty() {
            true => self.inference.names(&self.scope),
            false => self.inference.names_in(&self.scope, &path),
        };
        let is_word = |it: &str| it.starts_with(|it: char| it.is_alphabetic() || it == '_');
        let mut names: Vec<String> = names
            .into_iter()
            .map(Symbol::as_str)
            .filter(|it| it.starts_with(begun) && is_word(it))
            .map(str::to_string)
            .collect();
        names.sort();
        names.dedup();
        names
    }

    /// What is known of a name.
    pub fn show(&mut self, path: &str) -> String {
        let path: Vec<Symbol> = path.split('.').map(Symbol::new).collect();
        let docs = self.inference.show_name(&self.scope, &path);
        docs.iter().map(|it| it.render() + "\n").collect()
    }
}
