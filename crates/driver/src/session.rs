//! One compilation: its options, sources, diagnostics, and how its stages are run.
//!
//! Every step goes through [`Session::step`], which times it, notes its name for a crash report,
//! and afterwards verifies and dumps what it made. The steps do none of these themselves.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use oxbow_base::{FileId, FxHashSet, Language, SourceMap, Span};
use oxbow_diag::{Diagnostic, Diagnostics, Severity, ice};
use oxbow_differentiate as differentiate;
use oxbow_elab::build::{Graph, build_onto};
use oxbow_elab::infer::Unit;
use oxbow_passes::flow::Flow;
use oxbow_passes::{check_zero_alloc, monomorphize};
use oxbow_psg::{Mono, Poly, Program, print, verify};

use crate::files::Files;
use crate::pipeline::{Part, Then, Work};
use crate::prepared::Prepared;
use crate::{Error, load, main_file, native, pipeline};

/// How much LLVM optimises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptLevel {
    O0,
    O1,
    O2,
    O3,
}

/// How closures are represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Closures {
    /// Data where all functions that can be meant are known, else `Flat`.
    #[default]
    Auto,
    /// One object: the code pointer, then the captures.
    Flat,
    /// The code pointer and an environment of its own.
    Env,
    /// Module-level variables for the captures.
    Slots,
}

/// What slots are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SlotKind {
    /// Variables of the program.
    #[default]
    Shared,
    /// Variables of each thread.
    ThreadLocal,
}

/// What a program tells about its memory while it runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryMode {
    #[default]
    Quiet,
    /// Numbers are gathered.
    Measured,
    /// Faults are found, too.
    Checked,
}

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The main file; `-` is the standard input.
    pub input: PathBuf,
    /// What it is written in.
    pub language: Language,
    /// Where modules are looked for after the folder of the main file, in this order.
    pub folders: Vec<PathBuf>,
    /// Run every stage's verifier.
    pub verify: bool,
    /// Stop after this pass and keep its dump.
    pub dump_after: Option<String>,
    /// Dump only the functions of this name.
    pub dump_func: Option<String>,
    pub opt_level: OptLevel,
    /// Use all that the processor of this machine has.
    pub native_processor: bool,
    pub closures: Closures,
    pub slots: SlotKind,
    pub memory: MemoryMode,
    /// Which warnings are wanted, as `-w` says it.
    pub warnings: Vec<String>,
    /// Warn about assignments that can make cycles.
    pub warn_cycles: bool,
    /// A fault to be planted, for tests: see `oxbow_counting::plant`.
    pub plant: Option<String>,
    /// Tell where exceptions are raised and which calls they leave, if the program is asked to when it runs.
    pub backtraces: bool,
    /// Leave references uncounted and free nothing, to measure what that costs.
    pub uncounted: bool,
    /// Debuggers are to know the variables of the program, if it is not optimised.
    pub variables: bool,
    /// Texts that take the place of files.
    pub files: Files,
}

impl Options {
    /// A sink that knows which warnings are wanted.
    pub(crate) fn sink(&self) -> Diagnostics {
        let mut sink = Diagnostics::new();
        self.warnings.iter().for_each(|it| sink.switch_all_warnings(it));
        sink
    }

    /// Is the program left as it was written, with its variables (decision 331)?
    pub fn keeps_variables(&self) -> bool {
        self.variables
            && self.opt_level == OptLevel::O0
            && matches!(self.closures, Closures::Auto | Closures::Flat)
            && self.memory == MemoryMode::Quiet
    }

    pub fn new(input: impl Into<PathBuf>) -> Self {
        let input: PathBuf = input.into();
        Self {
            // The standard input is OCaml; `main_file` refuses other names without a language.
            language: Language::of(&input).unwrap_or_default(),
            input,
            folders: Vec::new(),
            warnings: Vec::new(),
            verify: cfg!(debug_assertions),
            dump_after: None,
            dump_func: None,
            opt_level: OptLevel::O2,
            native_processor: false,
            closures: Closures::Auto,
            slots: SlotKind::Shared,
            memory: MemoryMode::Quiet,
            warn_cycles: false,
            plant: None,
            backtraces: false,
            uncounted: false,
            variables: false,
            files: Files::default(),
        }
    }
}

/// Why a compilation ended before its end.
#[derive(Debug)]
pub enum Stop {
    /// Errors are in the session's diagnostics: nothing further is built.
    Reported,
    /// The dump that was asked for is in the session.
    Dumped,
    World(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::World(error)
    }
}

/// A program as the back end takes it.
#[expect(clippy::large_enum_variant, reason = "there is one of it")]
pub enum Code {
    Graph(Program<Mono>),
    /// A file in the `ocaml` dialect.
    Mlir(FileId),
}

/// A compilation in progress.
pub struct Session {
    pub options: Options,
    pub sources: SourceMap,
    pub diagnostics: Diagnostics,
    /// Each step and how long it took, in order.
    pub timings: Vec<(&'static str, Duration)>,
    /// The text asked for by `dump_after`.
    pub dump: Option<String>,
    /// What became of the gradients of the program.
    pub derivatives: Vec<differentiate::Outcome>,
    /// What `defunctionalize` found, for explanations.
    pub closure_sets: Vec<oxbow_passes::defunctionalize::Set>,
    /// Where values go in the graph that the checks look at.
    flow: Option<Flow>,
    /// What is there before a command asks for it.
    pub(crate) prepared: Prepared,
    /// The parts of the user's text that have names.
    pub(crate) scopes: Vec<oxbow_elab::tast::Scope>,
    /// Taken while files are read, if editors want to know.
    pub(crate) eshkol_notes: Option<oxbow_front_eshkol::Notes>,
}

static CURRENT_STEP: Mutex<&'static str> = Mutex::new("start");

/// The step that runs, for a crash report.
pub fn current_step() -> &'static str {
    CURRENT_STEP.lock().map_or("unknown", |it| *it)
}

pub(crate) fn note_step(name: &'static str) {
    if let Ok(mut current) = CURRENT_STEP.lock() {
        *current = name;
    }
}

impl Session {
    pub fn new(options: Options) -> Self {
        let diagnostics = options.sink();
        Self {
            options,
            sources: SourceMap::new(),
            diagnostics,
            timings: Vec::new(),
            dump: None,
            derivatives: Vec::new(),
            closure_sets: Vec::new(),
            flow: None,
            prepared: Prepared::Nothing,
            scopes: Vec::new(),
            eshkol_notes: None,
        }
    }

    /// Runs one step of the compilation.
    pub fn step<T>(&mut self, name: &'static str, run: impl FnOnce(&mut Self) -> T) -> T {
        note_step(name);
        let start = Instant::now();
        let result = run(self);
        self.timings.push((name, start.elapsed()));
        result
    }

    /// The files of the program, in dependency order; the main one is the last.
    pub fn parse(&mut self) -> Result<Vec<Unit>, Stop> {
        pipeline::check_name(self.options.dump_after.as_deref())?;
        Ok(self.step("parse", |cx| {
            let into = (&mut cx.sources, &mut cx.diagnostics);
            load::load_onto(&cx.options, load::Library::default(), into, cx.eshkol_notes.as_mut())
        })?)
    }

    /// Parses, infers and builds the graph.
    pub fn front_end(&mut self) -> Result<Program<Poly>, Stop> {
        if let Some(program) = self.prepared_poly()? {
            self.after("build", &program, verify::verify_poly)?;
            return Ok(program);
        }
        let (library, units) = self.files()?;
        if self.ends_before_inference() {
            return Err(Stop::Reported);
        }
        let (mut typed, graph) = self.step("infer", |cx| match library {
            None => (oxbow_elab::infer::infer(&units, &mut cx.diagnostics), Graph::default()),
            Some(known) => known.infer(&units, &mut cx.diagnostics),
        });
        self.gate()?;
        self.scopes = std::mem::take(&mut typed.scopes);
        let program =
            self.step("build", |cx| build_onto(graph, typed, &cx.sources, &mut cx.diagnostics));
        self.gate()?;
        self.after("build", &program, verify::verify_poly)?;
        Ok(program)
    }

    /// Has something been reported that inference would report again in other words?
    pub(crate) fn ends_before_inference(&mut self) -> bool {
        // OCaml's constructs that are not supported bind names, whose uses inference would report.
        let is_ocaml = |span: Span| self.sources.file(span.file).language == Language::Ocaml;
        if self.diagnostics.iter().any(|it| {
            it.code == Diagnostic::NOT_SUPPORTED
                && it.primary.as_ref().is_some_and(|label| is_ocaml(label.span))
        }) {
            self.diagnostics.keep_first_unsupported();
            return true;
        }
        // A module of a cycle is not there for the others.
        self.diagnostics.iter().any(|it| it.code == load::CYCLE)
    }

    /// Specialises and runs the whole-program passes.
    pub fn middle_end(&mut self, program: Program<Poly>) -> Result<Program<Mono>, Stop> {
        self.middle_end_watched(program, |_, _| ())
    }

    /// The same; `before` sees the program before each pass, with the name of the pass.
    pub fn middle_end_watched(
        &mut self,
        program: Program<Poly>,
        before: impl FnMut(&'static str, &Program<Mono>),
    ) -> Result<Program<Mono>, Stop> {
        let program = self.specialize(program)?;
        let program = self.rows(Part::Optimize, program, before)?;
        self.rows(Part::Accept, program, |_, _| ())
    }

    /// Runs the rows of one part; `before` sees the program before each, with the name of the row.
    pub(crate) fn rows(
        &mut self,
        part: Part,
        mut program: Program<Mono>,
        mut before: impl FnMut(&'static str, &Program<Mono>),
    ) -> Result<Program<Mono>, Stop> {
        for (index, row) in pipeline::ROWS.iter().enumerate().filter(|it| it.1.part == part) {
            if !(row.wanted)(&self.options) {
                continue;
            }
            before(row.name, &program);
            program = self.step(row.name, |cx| match row.work {
                Work::Pass(run) => run(program),
                Work::Transform(run) => run(cx, program),
                Work::Check(run) => {
                    run(cx, &program);
                    program
                }
            });
            if row.then == Then::Stop {
                self.gate()?;
            }
            if !matches!(row.work, Work::Check(_)) {
                self.flow = None;
                self.verified(row.name, &program, verify::verify_mono);
            }
            if self.options.dump_after.as_deref().is_some_and(|it| pipeline::names_run(it, index)) {
                return Err(self.dumped(&program));
            }
        }
        Ok(program)
    }

    /// Where values go in this graph: made once for the checks that ask.
    pub(crate) fn with_flow(
        &mut self,
        program: &Program<Mono>,
        ask: impl FnOnce(&mut Self, &Flow),
    ) {
        let flow = self.flow.take().unwrap_or_else(|| Flow::new(program));
        ask(self, &flow);
        self.flow = Some(flow);
    }

    /// What the back end starts from.
    pub fn code(&mut self) -> Result<Code, Stop> {
        if self.options.language == Language::Mlir {
            let main = self.options.input.clone();
            main_file::check_folders(Language::Mlir, &self.options.folders)?;
            let text = load::read_source(&main)?;
            return Ok(Code::Mlir(self.sources.add(main.display().to_string(), text)));
        }
        Ok(Code::Graph(self.compile()?))
    }

    /// Everything that can find the program at fault, and nothing more.
    pub fn check(&mut self) -> Result<(), Stop> {
        if self.options.language == Language::Mlir {
            let code = self.code()?;
            return native::check(self, code);
        }
        if self.options.closures == Closures::Slots {
            return self.compile().map(drop);
        }
        let program = self.front_end()?;
        let program = self.specialize(program)?;
        if check_zero_alloc::is_needed(&program) {
            let program = self.rows(Part::Optimize, program, |_, _| ())?;
            self.rows(Part::Accept, program, |_, _| ())?;
        }
        Ok(())
    }

    pub(crate) fn specialize(&mut self, program: Program<Poly>) -> Result<Program<Mono>, Stop> {
        let program =
            self.step("monomorphize", |cx| monomorphize::run(program, &mut cx.diagnostics));
        self.gate()?;
        self.after("monomorphize", &program, verify::verify_mono)?;
        self.rows(Part::Specialize, program, |_, _| ())
    }

    /// The program as the back end takes it.
    pub fn compile(&mut self) -> Result<Program<Mono>, Stop> {
        if let Some(program) = self.prepared_mono() {
            return self.rows(Part::Accept, program, |_, _| ());
        }
        let program = self.front_end()?;
        self.middle_end(program)
    }

    /// Where errors stop the compilation.
    pub(crate) fn gate(&self) -> Result<(), Stop> {
        if self.diagnostics.has_errors() { Err(Stop::Reported) } else { Ok(()) }
    }

    fn after<P>(
        &mut self,
        name: &'static str,
        program: &Program<P>,
        verify: fn(&Program<P>) -> Result<(), verify::VerifyError>,
    ) -> Result<(), Stop> {
        self.verified(name, program, verify);
        if self.options.dump_after.as_deref() == Some(name) {
            Err(self.dumped(program))
        } else {
            Ok(())
        }
    }

    fn verified<P>(
        &mut self,
        name: &'static str,
        program: &Program<P>,
        verify: fn(&Program<P>) -> Result<(), verify::VerifyError>,
    ) {
        if self.options.verify
            && let Err(fault) = self.step("verify", |_| verify(program))
        {
            ice!("the graph is broken after `{name}`: {fault}");
        }
    }

    fn dumped<P>(&mut self, program: &Program<P>) -> Stop {
        match self.graph_text(program) {
            Ok(text) => {
                self.dump = Some(text);
                Stop::Dumped
            }
            Err(error) => Stop::World(error),
        }
    }

    /// The text of a graph, or of the functions that were asked for.
    pub fn graph_text<P>(&self, program: &Program<P>) -> Result<String, Error> {
        match &self.options.dump_func {
            None => Ok(print::program(program)),
            Some(name) => {
                print::function(program, name).ok_or_else(|| Error::Usage(no_function(name)))
            }
        }
    }

    /// Diagnostics to show: each once, those about the library only if they are errors.
    pub fn reports(&mut self) -> Vec<Diagnostic> {
        let mut seen: FxHashSet<Diagnostic> = FxHashSet::default();
        let mut reports = self.diagnostics.take();
        reports.retain(|report| {
            let library = report
                .primary
                .as_ref()
                .is_some_and(|it| self.sources.file(it.span.file).is_library);
            !(library && report.severity == Severity::Warning) && seen.insert(report.clone())
        });
        reports
    }
}

/// What is said where `--func` names nothing.
pub fn no_function(name: &str) -> String {
    format!("no function of this program is named `{name}` at that stage")
}

/// Runs `f` on a thread whose stack suffices for any nesting the parser lets through.
pub fn with_big_stack<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    // Where the address space is limited, less has to do.
    const STACKS: [usize; 4] = [4 << 30, 1 << 30, 256 << 20, 64 << 20];
    let job = std::sync::Mutex::new(Some(f));
    let run = || job.lock().ok().and_then(|mut it| it.take()).map(|it| it());
    std::thread::scope(|scope| {
        for size in STACKS {
            let thread = std::thread::Builder::new().stack_size(size).spawn_scoped(scope, run);
            let ended = thread.map(|it| {
                #[cfg(feature = "native")]
                oxbow_runtime::leave_signals();
                it.join()
            });
            match ended {
                Ok(Ok(Some(result))) => return result,
                Ok(Ok(None)) => ice!("the work of the compiler is gone"),
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(_) => (),
            }
        }
        eprintln!("oxbow: not enough memory for the compiler's stack");
        std::process::exit(2)
    })
}
