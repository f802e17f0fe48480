//! A program that is compiled once for several commands, for tests.
//!
//! ```text
//! Session::prepare(Library)  ──fork──▶  command   about any program of the language: parse() and infer() go on
//! Session::prepare(Poly)     ──fork──▶  command   about this program: front_end() gives what is there
//! Session::prepare(Mono)     ──fork──▶  command   compile() gives what is there
//! ```
//!
//! A session is used up by its first command, so each command has a process of its own: a copy of the one
//! that prepared it. Steps before the prepared one do not look at what may differ between commands;
//! those after it run as they always do.

use std::mem::ManuallyDrop;

use oxbow_base::{FileId, IdSet, SourceMap};
use oxbow_diag::{Diagnostics, Severity, ice};
use oxbow_elab::build::{Graph, build_library};
use oxbow_elab::infer::notes::{Hole, Noted};
use oxbow_elab::infer::{Inference, Unit};
use oxbow_elab::tast;
use oxbow_psg::{Mono, Poly, Program};

use crate::load::{self, Library};
use crate::pipeline::{self, Part};
use crate::{Options, Session, Stop, kept};

/// Where a command can begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Start {
    /// With the text.
    Text,
    /// With the library of the language.
    Library,
    /// With the graph that the front end made.
    Poly,
    /// With the graph after the last pass.
    Mono,
}

/// What a session begins with.
#[derive(Default)]
pub(crate) enum Prepared {
    #[default]
    Nothing,
    Library(Box<Known>),
    Poly(Program<Poly>),
    Mono(Program<Mono>),
}

/// The library, inferred and built.
pub(crate) struct Known {
    library: Library,
    inference: Inference<'static>,
    graph: Graph,
}

impl Known {
    pub fn new(session: &mut Session) -> Self {
        let language = session.options.language;
        let (library, units) =
            load::load_library(language, &mut session.sources, &mut session.diagnostics);
        // Kept to the end of the process, as is what is prepared.
        let diagnostics: &'static mut Diagnostics = Box::leak(Box::default());
        let mut inference = Inference::new(diagnostics);
        for unit in &units {
            inference.unit(unit);
        }
        let graph = build_library(&mut inference, &session.sources, &mut session.diagnostics);
        accept(&session.sources, inference.diagnostics());
        accept(&session.sources, &session.diagnostics);
        Self { library, inference, graph }
    }

    /// What a prompt goes on with.
    #[cfg(feature = "native")]
    pub fn parts(self) -> (Library, Inference<'static>, Graph) {
        (self.library, self.inference, self.graph)
    }

    /// Infers the rest of a program, and gives what it is built onto. The reports so far are handed over meanwhile:
    /// what the parser found is known to inference.
    pub fn infer(self, units: &[Unit], diagnostics: &mut Diagnostics) -> (tast::Program, Graph) {
        let (typed, graph, _) = self.infer_noting(units, None, diagnostics);
        (typed, graph)
    }

    /// The same, with notes about the files and the hole, if they are wanted.
    pub fn infer_noting(
        self,
        units: &[Unit],
        wanted: Option<(IdSet<FileId>, Option<Hole>)>,
        diagnostics: &mut Diagnostics,
    ) -> (tast::Program, Graph, Option<Noted>) {
        // Scopes of the library are not taken apart: the process ends soon.
        let mut inference = ManuallyDrop::new(self.inference);
        if let Some((files, hole)) = wanted {
            inference.take_notes(files, hole);
        }
        std::mem::swap(inference.diagnostics(), diagnostics);
        for unit in units {
            inference.unit(unit);
        }
        std::mem::swap(inference.diagnostics(), diagnostics);
        let noted = inference.noted();
        (inference.part(), self.graph, noted)
    }
}

/// An error in the text of the library is the compiler's fault: nobody is told of it later.
fn accept(sources: &SourceMap, diagnostics: &Diagnostics) {
    let Some(fault) = diagnostics.iter().find(|it| it.severity == Severity::Error) else { return };
    let place = fault.primary.as_ref().map_or_else(String::new, |it| {
        let at = sources.position(it.span.file, it.span.start);
        format!("{}:{}:{}: ", sources.file(it.span.file).name, at.line, at.column)
    });
    ice!("the library is at fault: {place}{}", fault.message);
}

impl Session {
    /// Compiles as far as commands have in common. After a failure the session is of no further use.
    pub fn prepare(&mut self, start: Start) -> Result<(), Stop> {
        self.prepared = match start {
            Start::Text => return Ok(()),
            Start::Library => Prepared::Library(Box::new(Known::new(self))),
            Start::Poly => Prepared::Poly(self.front_end()?),
            Start::Mono => {
                let program = self.front_end()?;
                let program = self.specialize(program)?;
                Prepared::Mono(self.rows(Part::Optimize, program, |_, _| ())?)
            }
        };
        Ok(())
    }

    /// The same program for a command with options of its own.
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// The library, if it is there, and the files of the program that are not there already.
    pub(crate) fn files(&mut self) -> Result<(Option<Known>, Vec<Unit>), Stop> {
        pipeline::check_name(self.options.dump_after.as_deref())?;
        let Some(known) = self.known_library() else { return Ok((None, self.parse()?)) };
        let library = known.library.clone();
        let units = self.step("parse", |cx| {
            let into = (&mut cx.sources, &mut cx.diagnostics);
            load::load_onto(&cx.options, library, into, cx.eshkol_notes.as_mut())
        })?;
        // Clef's library sees the modules of OCaml's that a program mentions.
        if known.library.comes_too_early(&units) {
            self.sources = SourceMap::new();
            self.diagnostics = self.options.sink();
            return Ok((None, self.parse()?));
        }
        Ok((Some(known), units))
    }

    fn known_library(&mut self) -> Option<Known> {
        match std::mem::take(&mut self.prepared) {
            Prepared::Library(known) => Some(*known),
            Prepared::Nothing => self.step("library", kept::library),
            Prepared::Poly(_) | Prepared::Mono(_) => None,
        }
    }

    pub(crate) fn prepared_poly(&mut self) -> Result<Option<Program<Poly>>, Stop> {
        match std::mem::take(&mut self.prepared) {
            Prepared::Poly(program) => {
                match pipeline::check_name(self.options.dump_after.as_deref()) {
                    Ok(()) => Ok(Some(program)),
                    Err(error) => {
                        // The command has not looked at the program yet.
                        self.diagnostics.take();
                        Err(error.into())
                    }
                }
            }
            other @ (Prepared::Nothing | Prepared::Library(_) | Prepared::Mono(_)) => {
                self.prepared = other;
                Ok(None)
            }
        }
    }

    pub(crate) fn prepared_mono(&mut self) -> Option<Program<Mono>> {
        match std::mem::take(&mut self.prepared) {
            Prepared::Mono(program) => Some(program),
            other @ (Prepared::Nothing | Prepared::Library(_) | Prepared::Poly(_)) => {
                self.prepared = other;
                None
            }
        }
    }
}
