//! One compilation: its options, sources, diagnostics, and how its stages are run.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use oxbow_base::SourceMap;
use oxbow_diag::{Diagnostic, Diagnostics, Severity};
use oxbow_passes::monomorphize;
use oxbow_psg::{Mono, Poly, Program};

use crate::{Error, load, pipeline};

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct Options {
    pub input: PathBuf,
    /// Run every stage's verifier.
    pub verify: bool,
    pub time_passes: bool,
    /// Stop after this pass and keep its dump.
    pub dump_after: Option<String>,
    /// How much the passes and LLVM do: 0, 2 or 3.
    pub opt_level: u8,
}

impl Options {
    pub fn new(input: impl Into<PathBuf>) -> Self {
        Self {
            input: input.into(),
            verify: cfg!(debug_assertions),
            time_passes: false,
            dump_after: None,
            opt_level: 2,
        }
    }
}

/// A compilation in progress.
pub struct Session {
    pub options: Options,
    pub sources: SourceMap,
    pub diagnostics: Diagnostics,
    pub timings: Vec<(String, Duration)>,
    /// The text asked for by `dump_after`.
    pub dump: Option<String>,
}

/// Errors were reported: nothing further is built.
#[derive(Debug, Clone, Copy)]
pub struct Stopped;

impl Session {
    pub fn new(options: Options) -> Self {
        Self {
            options,
            sources: SourceMap::new(),
            diagnostics: Diagnostics::new(),
            timings: Vec::new(),
            dump: None,
        }
    }

    fn timed<T>(&mut self, name: &str, f: impl FnOnce(&mut Self) -> T) -> T {
        let start = Instant::now();
        let result = f(self);
        self.timings.push((name.into(), start.elapsed()));
        result
    }

    /// Parses, infers and builds the graph.
    pub fn front_end(&mut self) -> Result<Result<Program<Poly>, Stopped>, Error> {
        let main = self.options.input.clone();
        let units = self.timed("parse", |cx| load::load(&main, &mut cx.sources, &mut cx.diagnostics))?;
        let typed = self.timed("infer", |cx| oxbow_elab::infer::infer(&units, &mut cx.diagnostics));
        if self.diagnostics.has_errors() {
            return Ok(Err(Stopped));
        }
        let program =
            self.timed("build", |cx| oxbow_elab::build::build(typed, &cx.sources, &mut cx.diagnostics));
        Ok(if self.diagnostics.has_errors() { Err(Stopped) } else { Ok(program) })
    }

    /// Specialises and runs the whole-program passes.
    pub fn middle_end(&mut self, program: Program<Poly>) -> Result<Program<Mono>, Stopped> {
        let mut program = self.timed("monomorphize", |cx| monomorphize::run(program, &mut cx.diagnostics));
        if self.diagnostics.has_errors() {
            return Err(Stopped);
        }
        for pass in pipeline::MONO {
            program = self.timed(pass.name, |_| (pass.run)(program));
        }
        Ok(program)
    }

    /// Diagnostics to show: each once, those about the library only if they are errors.
    pub fn reports(&mut self) -> Vec<Diagnostic> {
        let mut seen: Vec<Diagnostic> = Vec::new();
        for report in self.diagnostics.take() {
            let library = report.primary.as_ref().is_some_and(|it| self.sources.file(it.span.file).is_library);
            if library && report.severity == Severity::Warning {
                continue;
            }
            if !seen.contains(&report) {
                seen.push(report);
            }
        }
        seen
    }
}

/// Runs `f` on a thread whose stack suffices for any nesting the parser lets through.
pub fn with_big_stack<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    const STACK: usize = 4 << 30;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, f);
        match thread.map(|it| it.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => oxbow_diag::ice!("no thread for the compiler: {error}"),
        }
    })
}

/// The file a program is compiled from, for messages.
pub fn shown(path: &Path) -> String {
    path.display().to_string()
}
