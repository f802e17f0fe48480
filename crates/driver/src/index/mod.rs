//! What editors want to know of a program, as data: `oxbow index` reads a [`Request`] and writes [`Answer`]s, one JSON
//! value a line, as soon as each is known.
//!
//! ```text
//! {"main":"/p/main.ml","folders":[],"texts":{"/p/main.ml":"let x = 1"},"want":"index"}
//!     {"index":{"files":[…],"types":[…],"definitions":[…],"reports":[…]}}      after inference
//!     {"checked":[…]}                              all reports, those of the later stages, too
//! ```
//!
//! A process serves one request (decision 194): names stay interned, and what the library brings is used up. Places are
//! bytes of the text of a file. An index exists for every text: what does not parse or type is left out of it.

mod collect;
mod process;

use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::path::PathBuf;

use oxbow_base::{FileId, IdSet, Language, SourceMap};
use oxbow_diag::{Diagnostic, Diagnostics, Label, Severity};
use oxbow_elab::build::{Graph, build_onto};
use oxbow_elab::infer::notes::Noted;
pub use oxbow_elab::infer::notes::{Hole, Kind};
use oxbow_elab::infer::{Inference, Unit};
pub use oxbow_elab::outline::Sort;
use oxbow_elab::tast;
use oxbow_front_eshkol as eshkol;
use serde::{Deserialize, Serialize};

pub use process::{Answers, ask};

use crate::files::Files;
use crate::{Error, ExplainForm, Options, Session, Stop, explain};

/// What an editor asks about a program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    pub main: PathBuf,
    pub folders: Vec<PathBuf>,
    /// Texts that take the place of files.
    pub texts: BTreeMap<PathBuf, String>,
    pub want: Want,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    Index,
    /// What could stand where the texts have this name.
    Completion(Hole),
    /// What became of the functions.
    Explanation,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Index(Index),
    Checked(Vec<Report>),
    Completion(Vec<Candidate>),
    /// As `oxbow explain --json` has it.
    Explanation(serde_json::Value),
    /// A file is missing, and the like.
    Failed(String),
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Index {
    /// The user's files, and those of the library that are referred to.
    pub files: Vec<File>,
    pub types: Vec<TypeText>,
    pub definitions: Vec<Definition>,
    pub reports: Vec<Report>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct File {
    pub name: String,
    pub is_library: bool,
    /// Expressions and patterns: start, end, number of a type.
    pub typed: Vec<(u32, u32, u32)>,
    /// Mentions of definitions: start, end, number of a definition.
    pub mentions: Vec<(u32, u32, u32)>,
    pub outline: Vec<Entry>,
    pub calls: Vec<Call>,
}

/// A range of bytes in the file of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    pub file: u32,
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TypeText {
    pub text: String,
    pub declared: Option<Place>,
    pub is_function: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Definition {
    pub place: Place,
    pub kind: Kind,
    pub name: String,
    /// `f : int -> int`; may be empty.
    pub text: String,
    /// Definitions of one number are one: a signature's and the structure's.
    pub group: u32,
}

/// A definition of the file, with those inside it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    pub sort: Sort,
    pub name: String,
    pub span: (u32, u32),
    pub name_span: (u32, u32),
    pub inner: Vec<Entry>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Call {
    pub span: (u32, u32),
    pub function: (u32, u32),
    pub arguments: Vec<(u32, u32)>,
    pub parameters: Vec<String>,
    pub result: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Candidate {
    pub name: String,
    pub kind: Kind,
    pub text: String,
}

/// A diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    pub is_error: bool,
    pub code: String,
    pub message: String,
    pub primary: Option<Remark>,
    pub labels: Vec<Remark>,
    pub notes: Vec<String>,
    pub help: Vec<String>,
    /// The change that the help proposes.
    pub edits: Vec<Remark>,
    /// Changes of which one would do.
    pub choices: Vec<Remark>,
}

/// A text about a place, or for it. The file is named, since reports outlive an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    pub file: String,
    pub start: u32,
    pub end: u32,
    pub text: String,
}

impl Request {
    fn options(mut self) -> Options {
        let mut options = Options::new(self.main);
        // Only Eshkol and OCaml look for files in folders.
        if matches!(options.language, Language::Ocaml | Language::Eshkol) {
            options.folders = std::mem::take(&mut self.folders);
        }
        options.files = Files::new(self.texts);
        options
    }
}

/// Answers a request; `give` gets the answers one after the other.
pub fn answer(request: Request, give: &mut dyn FnMut(Answer)) {
    let want = request.want.clone();
    // Nothing of it is taken apart: the process ends soon.
    let mut session = ManuallyDrop::new(Session::new(request.options()));
    let failed = |error: Error| Answer::Failed(error.to_string());
    match want {
        Want::Explanation => match explain(&mut session, ExplainForm::Json) {
            Ok(text) => {
                let value = serde_json::from_str(&text).unwrap_or_default();
                give(Answer::Explanation(value));
            }
            Err(Stop::World(error)) => give(failed(error)),
            Err(Stop::Reported | Stop::Dumped) => give(Answer::Failed("errors".into())),
        },
        Want::Completion(hole) => match session.noted(Some(hole)) {
            Ok(found) => {
                let found = ManuallyDrop::new(found);
                give(Answer::Completion(collect::candidates(&found)));
            }
            Err(error) => give(failed(error)),
        },
        Want::Index => {
            let found = match session.noted(None) {
                Ok(found) => found,
                Err(error) => return give(failed(error)),
            };
            let mut index = collect::index(&session, &found);
            let reports: Vec<_> = session.diagnostics.iter().cloned().collect();
            index.reports = session.shown(reports);
            give(Answer::Index(index));
            let _stop = session.check_rest(found);
            let reports: Vec<_> = session.diagnostics.iter().cloned().collect();
            give(Answer::Checked(session.shown(reports)));
        }
    }
}

/// A program that has been inferred, and what was noted.
pub(crate) struct Found {
    pub(crate) units: Vec<Unit>,
    pub(crate) typed: tast::Program,
    pub(crate) graph: Graph,
    pub(crate) noted: Noted,
    pub(crate) eshkol: eshkol::Notes,
    /// The rest of the compiler may look at it.
    pub(crate) is_whole: bool,
}

impl Session {
    pub(crate) fn noted(&mut self, hole: Option<Hole>) -> Result<Found, Error> {
        // As text: with names of its own a process cannot use the library that is kept.
        let name = hole.as_ref().map(|it| it.name.clone());
        self.eshkol_notes = Some(eshkol::Notes { hole: name, ..eshkol::Notes::default() });
        let (library, units) = match self.files() {
            Ok(files) => files,
            Err(Stop::World(error)) => return Err(error),
            Err(Stop::Reported | Stop::Dumped) => (None, Vec::new()),
        };
        let ends = self.ends_before_inference();
        let mark = self.diagnostics.mark();
        let files: IdSet<FileId> =
            self.sources.files().filter(|it| !it.1.is_library).map(|it| it.0).collect();
        let wanted = Some((files, hole));
        let (typed, graph, noted) = self.step("infer", |cx| match library {
            Some(known) => known.infer_noting(&units, wanted, &mut cx.diagnostics),
            None => infer(&units, wanted, &mut cx.diagnostics),
        });
        if ends {
            self.diagnostics.rollback(mark);
        }
        let (noted, eshkol) = (noted.unwrap_or_default(), self.eshkol_notes.take());
        let is_whole = !ends && !self.diagnostics.has_errors();
        Ok(Found { units, typed, graph, noted, eshkol: eshkol.unwrap_or_default(), is_whole })
    }

    /// The same about the files of the library, which are read and inferred as if nothing were kept.
    pub(crate) fn noted_library(&mut self, language: Language) -> Result<Found, Stop> {
        let units = self.parse()?;
        let is_wanted = |it: &oxbow_base::SourceFile| it.is_library && it.language == language;
        let files = self.sources.files().filter(|it| is_wanted(it.1)).map(|it| it.0).collect();
        let wanted = Some((files, None));
        let (typed, graph, noted) =
            self.step("infer", |cx| infer(&units, wanted, &mut cx.diagnostics));
        let (noted, eshkol) = (noted.unwrap_or_default(), eshkol::Notes::default());
        let is_whole = !self.diagnostics.has_errors();
        Ok(Found { units, typed, graph, noted, eshkol, is_whole })
    }

    /// What the stages behind inference report.
    pub(crate) fn check_rest(&mut self, found: Found) -> Result<(), Stop> {
        let Found { typed, graph, is_whole, .. } = found;
        if !is_whole {
            return Err(Stop::Reported);
        }
        let program =
            self.step("build", |cx| build_onto(graph, typed, &cx.sources, &mut cx.diagnostics));
        self.gate()?;
        self.specialize(program).map(drop)
    }

    fn shown(&mut self, reports: Vec<Diagnostic>) -> Vec<Report> {
        let is_library = |label: &Label| self.sources.file(label.span.file).is_library;
        let wanted = |it: &&Diagnostic| {
            it.severity == Severity::Error || !it.primary.as_ref().is_some_and(is_library)
        };
        let mut shown: Vec<Report> = Vec::new();
        for it in reports.iter().filter(wanted) {
            let report = report(it, &self.sources);
            if !shown.contains(&report) {
                shown.push(report);
            }
        }
        shown
    }
}

/// Infers a program and its library.
fn infer(
    units: &[Unit],
    wanted: Option<(IdSet<FileId>, Option<Hole>)>,
    diagnostics: &mut Diagnostics,
) -> (tast::Program, Graph, Option<Noted>) {
    let mut inference = Inference::new(diagnostics);
    if let Some((files, hole)) = wanted {
        inference.take_notes(files, hole);
    }
    for unit in units {
        inference.unit(unit);
    }
    let noted = inference.noted();
    (inference.finish(), Graph::default(), noted)
}

fn report(it: &Diagnostic, sources: &SourceMap) -> Report {
    let remark = |span: oxbow_base::Span, text: &str| Remark {
        file: sources.file(span.file).name.clone(),
        start: span.start,
        end: span.end,
        text: text.into(),
    };
    let label = |it: &Label| remark(it.span, &it.text);
    Report {
        is_error: it.severity == Severity::Error,
        code: it.code.into(),
        message: it.message.clone(),
        primary: it.primary.as_ref().map(label),
        labels: it.secondary.iter().map(label).collect(),
        notes: it.notes.clone(),
        help: it.help.clone(),
        edits: it.edits.iter().map(|it| remark(it.span, &it.text)).collect(),
        choices: it.choices.iter().map(|it| remark(it.span, &it.text)).collect(),
    }
}

/// The text of a file of the library, by the name that reports have for it.
pub fn library_text(name: &str) -> Option<&'static str> {
    let file = name.strip_prefix(oxbow_abi::LIBRARY_FILES)?;
    crate::library::text_of(file)
}

/// The text of a source file, as the compiler reads it.
pub fn text_of(path: &std::path::Path) -> Option<String> {
    crate::load::read_ocaml(path).ok().map(|it| it.0)
}
