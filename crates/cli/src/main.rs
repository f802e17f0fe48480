//! The `oxbow` command: arguments, what is printed where, exit codes.
//!
//! ```text
//! 0    done          1    the program has errors        2    the world (flags, files, linker)
//! 101  our fault     else the exit code of a program that `run` ran
//! ```

mod args;
mod batch;
mod crash;
mod doc;
mod editor;
mod explain;
mod fix;
mod generate;
mod progress;
#[cfg(feature = "native")]
mod repl;
mod report;

use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

// Linked for its `malloc` alone (decision 191).
use libmimalloc_sys as _;
use oxbow_diag::OUR_FAULT;
use oxbow_driver::doc::text::Links;
use oxbow_driver::native::RunOptions;
use oxbow_driver::{
    Error, ExplainForm, MemoryMode, Session, Stage, Stop, emit, interpret, kept, native,
    with_big_stack, write_file,
};

use args::{Cli, ClosuresArg, Command, Compile, Warn};
use report::Reporter;

/// What the library keeps is allocated by it.
#[global_allocator]
static MEMORY: oxbow_driver::Memory = oxbow_driver::Memory;

fn main() {
    let cli = Cli::read();
    crash::install();
    kept::allow();
    let code = std::panic::catch_unwind(|| with_big_stack(|| dispatch(cli))).unwrap_or(OUR_FAULT);
    std::process::exit(code);
}

fn dispatch(cli: Cli) -> i32 {
    match cli.command {
        Command::Run {
            flags,
            check_memory,
            mem_stats,
            mem_profile,
            max_memory,
            plant,
            program,
        } => {
            let (file, args) = program.split();
            let args = program_args(&file, args);
            in_session(Compile { file, flags }, |session, reporter| {
                let max_memory = max_memory.as_deref().map(size).transpose()?;
                if let Some(path) = &mem_profile {
                    writable(path)?;
                }
                let measured = mem_stats || mem_profile.is_some();
                session.options.memory = memory_mode(check_memory, measured);
                session.options.plant = plant;
                session.options.backtraces |= native::backtraces_are_wanted();
                let how = RunOptions { max_memory, statistics: mem_stats, profile: mem_profile };
                let code = session.code()?;
                let loaded = native::load(session, code)?;
                // The program may end the process: all that is to be said is said before.
                reporter.finish(session);
                loaded.run(args, how)
            })
        }
        Command::Build { compile, check_memory, uncounted, debug, output } => {
            let file = compile.file.clone();
            in_session(compile, |session, reporter| {
                let output = output.map_or_else(|| default_output(&file), Ok)?;
                session.options.memory = memory_mode(check_memory, false);
                session.options.uncounted = uncounted;
                session.options.variables = debug;
                let code = session.code()?;
                reporter.reports(session);
                native::build(session, code, &output)?;
                Ok(0)
            })
        }
        Command::Check { compile, warn, fix } => {
            let proposals = if fix { Proposals::Made } else { Proposals::Shown };
            check(compile, &warn, proposals)
        }
        Command::Lsp { include, stdio: _ } => editor::serve(include),
        Command::Index => editor::index(),
        #[cfg(feature = "native")]
        Command::Repl { lang } => repl::run(lang.into()),
        Command::Emit { compile, stage, dump_after, debug, func, output } => {
            in_session(compile, |session, reporter| {
                session.options.variables = debug;
                session.options.dump_after = dump_after;
                session.options.dump_func = func;
                let text = emitted(session, stage.into())?;
                reporter.reports(session);
                match output {
                    Some(path) => write_file(&path, text.as_bytes())?,
                    None => print_text(&text)?,
                }
                Ok(0)
            })
        }
        Command::Opt { compile, passes, output } => in_session(compile, |session, reporter| {
            let text = native::opt(session, &passes.list())?;
            reporter.reports(session);
            match output {
                Some(path) => write_file(&path, text.as_bytes())?,
                None => print_text(&text)?,
            }
            Ok(0)
        }),
        Command::Explain { compile, json, html } => explain_program(
            compile,
            match (json, html) {
                (true, page) => (ExplainForm::Json, page),
                (false, Some(page)) => (ExplainForm::Html, Some(page)),
                (false, None) => (ExplainForm::Text, None),
            },
        ),
        Command::Doc { compile, output, text, links } => {
            let form = match (text, links) {
                (true, true) => doc::Form::Text(Links::Shown),
                (true, false) => doc::Form::Text(Links::Left),
                (false, _) => doc::Form::Pages(output),
            };
            doc::run(compile, &form)
        }
        Command::TestInterp { flags, phase, program } => {
            let (file, args) = program.split();
            let args = program_args(&file, args).into_iter().map(OsString::into_vec).collect();
            in_session(Compile { file, flags }, |session, _| {
                progress::stop();
                interpret(session, phase.into(), args)
            })
        }
        Command::Prepare { language } => done(kept::prepare(language.into())),
        Command::Generate { what } => match print_text(&generate::text(what)) {
            Ok(()) => 0,
            Err(_) => 2,
        },
        Command::TestPlugin => {
            let text = native::plugin().map(|it| format!("{}\n", it.display()));
            match text.map(|it| print_text(&it)) {
                Some(Ok(())) => 0,
                Some(Err(_)) | None => 2,
            }
        }
        Command::TestBatch { limits, file } => batch::run(limits, &file),
        Command::TestCrash { kind } => crash::on_purpose(&kind),
    }
}

/// The exit code of what may have met trouble with the world, which is told.
fn done(result: Result<(), Error>) -> i32 {
    match result {
        Ok(()) => 0,
        Err(error) => {
            report::world(&error);
            i32::from(error.exit_code())
        }
    }
}

/// What a code means, or what became of a program's functions: in this form, in a file or on the standard output.
fn explain_program(compile: Compile, (form, page): (ExplainForm, Option<PathBuf>)) -> i32 {
    if let Some(code) = explain::code(&compile.file) {
        return done(explain::text(&code).and_then(|it| print_text(&it)));
    }
    in_session(compile, |session, reporter| {
        let text = oxbow_driver::explain(session, form)?;
        reporter.reports(session);
        match page {
            Some(path) => write_file(&path, text.as_bytes())?,
            None => print_text(&text)?,
        }
        Ok(0)
    })
}

/// What becomes of the changes that reports propose.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proposals {
    Shown,
    Made,
}

/// Finds mistakes.
fn check(compile: Compile, warn: &[Warn], proposals: Proposals) -> i32 {
    in_session(compile, |session, _| {
        session.options.warn_cycles = warn.contains(&Warn::Cycles);
        let checked = session.check();
        if proposals == Proposals::Made {
            fix::apply(session)?;
        }
        checked.map(|()| 0)
    })
}

/// Runs a command in a session, shows what is left to show, and gives the exit code.
fn in_session(
    compile: Compile,
    run: impl FnOnce(&mut Session, &Reporter) -> Result<i32, Stop>,
) -> i32 {
    let Compile { file, flags } = compile;
    let reporter = Reporter::new(&flags);
    let misused = flags.thread_local && flags.closures != ClosuresArg::Slots;
    let mut session = batch::session(flags.options(&file));
    if reporter.shows_progress() {
        progress::start(&file);
    }
    let result = match misused {
        true => Err(Error::Usage("`--thread-local` is for `--closures=slots`".into()).into()),
        false => run(&mut session, &reporter),
    };
    reporter.finish(&mut session);
    match result {
        Ok(code) => code,
        Err(Stop::Reported) => 1,
        Err(Stop::Dumped) => oxbow_diag::ice!("a dump that no one asked for"),
        Err(Stop::World(error)) => {
            reporter.world(&error);
            i32::from(error.exit_code())
        }
    }
}

fn emitted(session: &mut Session, stage: Stage) -> Result<String, Stop> {
    match emit(session, stage) {
        Err(Stop::Dumped) => Ok(session.dump.take().unwrap_or_default()),
        result => result,
    }
}

/// Prints to the standard output. A reader that has gone away wants no more, which is no error.
fn print_text(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Error::File {
            path: "standard output".into(),
            attempt: "write",
            reason: error.to_string(),
        }),
        _ => Ok(()),
    }
}

fn memory_mode(checked: bool, measured: bool) -> MemoryMode {
    match (checked, measured) {
        (true, _) => MemoryMode::Checked,
        (false, true) => MemoryMode::Measured,
        (false, false) => MemoryMode::Quiet,
    }
}

fn size(text: &str) -> Result<usize, Error> {
    native::parse_size(text)
        .ok_or_else(|| Error::Usage(format!("`{text}` is no size; write 4096, 64K, 100M or 2G")))
}

/// A file for what is known at the end only: whether it can be written is found out before.
fn writable(path: &Path) -> Result<(), Error> {
    std::fs::File::create(path).map(drop).map_err(|error| Error::File {
        path: path.display().to_string(),
        attempt: "write",
        reason: oxbow_driver::load::io_reason(&error),
    })
}

/// The program's arguments: its own name first.
fn program_args(file: &Path, rest: Vec<OsString>) -> Vec<OsString> {
    std::iter::once(file.as_os_str().to_owned()).chain(rest).collect()
}

/// `dir/hello.ml` becomes `hello` in the current folder.
fn default_output(file: &Path) -> Result<PathBuf, Error> {
    if file.as_os_str() == "-" {
        return Err(Error::Usage("a program from the standard input needs `-o OUT`".into()));
    }
    // Without a stem it is a folder, which is refused when it is read.
    Ok(PathBuf::from(file.file_stem().unwrap_or_default()))
}
