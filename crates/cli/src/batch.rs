//! Several commands, each in a fork of a process that has done what they have in common: for those about one
//! program as much of it as they need, for `check` of other files the library of their language. For tests: the
//! commands themselves run as they do by themselves.
//!
//! ```text
//! standard input      a command per line: its input, then its arguments, with tabs between them
//!                       /dev/null  run  -O0  main.ml
//! standard output     how each ended, by its number, in the order in which they ran
//!                       0 code 0        1 signal 11        2 stopped: out of time
//!                     before it how many seconds of the processor it used
//!                       took 0 0.142
//! DIR/0.out, 0.err    what it printed
//! ```
//!
//! One other thread is there, the one that waits for this one's end: it holds no locks, so a fork finds all of them
//! free. Contexts of MLIR, which have threads, are made after the fork.

use std::cell::RefCell;
use std::fs::File;
use std::os::fd::AsRawFd as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Parser as _;
use oxbow_diag::OUR_FAULT;
use oxbow_driver::{Language, Options, Session, Start};

use crate::args::{BatchLimits, Cli, ClosuresArg, Command, Compile, Flags, PhaseArg, StageArg};
use crate::dispatch;

/// A program that prints more than this does not end.
const MOST_OUTPUT: u64 = 64 << 20;

/// A process that waits for something uses no time of its own.
const PATIENCE: u32 = 5;

thread_local! {
    /// What the process that this one was forked from has compiled.
    static PREPARED: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// The session of a command: a new one, but in a fork the one that was prepared.
pub fn session(options: Options) -> Session {
    match PREPARED.take() {
        Some(session) => session.with_options(options),
        None => Session::new(options),
    }
}

struct Job {
    number: usize,
    input: PathBuf,
    cli: Cli,
    start: Start,
}

/// Runs the commands of the standard input; the exit code tells whether they could be run, not how they ended.
pub fn run(limits: BatchLimits, file: &Path) -> i32 {
    let jobs = match std::io::read_to_string(std::io::stdin()).map_err(|it| it.to_string()) {
        Ok(text) => jobs(&text, file),
        Err(error) => Err(error),
    };
    let mut jobs = match jobs {
        Ok(jobs) => jobs,
        Err(error) => {
            crate::report::print_error(&format!("test-batch: {error}\n"));
            return 2;
        }
    };
    jobs.sort_by_key(|it| it.start);
    let mut reached = Start::Text;
    let mut prepared = Some(Session::new(Options::new(file)));
    for job in jobs {
        if job.start > reached {
            reached = job.start;
            // What cannot be prepared is reported by each command.
            prepared = prepared.and_then(|it| prepare(it, reached));
        }
        let number = job.number;
        let from_text = job.start == Start::Text;
        if !from_text {
            PREPARED.set(prepared.take());
        }
        let end =
            start(job, &limits).map_or_else(|error| error, |child| wait(child, &limits, number));
        if !from_text {
            prepared = PREPARED.take();
        }
        println!("{number} {end}");
    }
    0
}

/// One command per line.
fn jobs(text: &str, file: &Path) -> Result<Vec<Job>, String> {
    let job = |(number, line): (usize, &str)| {
        let (input, arguments) = line.split_once('\t').ok_or("a line without a command")?;
        let cli = Cli::try_parse_from(["oxbow"].into_iter().chain(arguments.split('\t')))
            .map_err(|error| error.to_string())?;
        let start = begins(&cli.command, file);
        Ok(Job { number, input: input.into(), cli, start })
    };
    text.lines().enumerate().map(job).collect()
}

/// Where a command can begin in a batch for `file`.
fn begins(command: &Command, file: &Path) -> Start {
    if let Command::Check { compile, .. } = command
        && compile.file != file
        && Language::of(&compile.file) == Language::of(file)
    {
        return Start::Library;
    }
    let is_program = Language::of(file).is_some_and(|it| it != Language::Mlir);
    let is_named = |it: &Path, flags: &Flags| it == file && is_program && !flags.change_the_start();
    let is_source = |it: &Compile| is_named(&it.file, &it.flags);
    // What is prepared is prepared for the strategy that is usual; others have passes of their own.
    let last = |flags: &Flags| match flags.closures {
        ClosuresArg::Auto => Start::Mono,
        ClosuresArg::Flat | ClosuresArg::Env | ClosuresArg::Slots => Start::Poly,
    };
    match command {
        Command::Run { program, flags, .. } if is_named(program.file(), flags) => last(flags),
        // One that debuggers know is not optimised as others are.
        Command::Build { compile, .. } if is_source(compile) && compile.flags.opt_level == "0" => {
            Start::Poly
        }
        Command::Build { compile, .. } if is_source(compile) => last(&compile.flags),
        Command::TestInterp { program, phase, flags } if is_named(program.file(), flags) => {
            match phase {
                PhaseArg::Mono => Start::Mono,
                PhaseArg::Poly => Start::Poly,
            }
        }
        Command::Emit { compile, dump_after: Some(_), .. } if is_source(compile) => Start::Poly,
        Command::Emit { stage: StageArg::Ast, .. } => Start::Text,
        Command::Emit { compile, debug: true, .. } if is_source(compile) => Start::Poly,
        Command::Emit { compile, .. } if is_source(compile) => last(&compile.flags),
        Command::Check { compile, .. } if is_source(compile) => Start::Poly,
        Command::Explain { compile, .. } if is_source(compile) => Start::Poly,
        _ => Start::Text,
    }
}

fn prepare(mut session: Session, start: Start) -> Option<Session> {
    let done = catch_unwind(AssertUnwindSafe(|| session.prepare(start).is_ok()));
    done.unwrap_or(false).then_some(session)
}

/// Starts a command in a process of its own.
#[expect(unsafe_code, reason = "forks this process")]
fn start(job: Job, limits: &BatchLimits) -> Result<libc::pid_t, String> {
    let failed = |error: std::io::Error| format!("stopped: {error}");
    let path = |ending: &str| limits.into.join(format!("{}.{ending}", job.number));
    let input = File::open(&job.input).map_err(failed)?;
    let output = File::create(path("out")).map_err(failed)?;
    let errors = File::create(path("err")).map_err(failed)?;
    // SAFETY: the only other thread waits for this one to end and holds no lock.
    let child = unsafe { libc::fork() };
    if child != 0 {
        return if child > 0 { Ok(child) } else { Err(failed(std::io::Error::last_os_error())) };
    }
    for (from, to) in [(&input, 0), (&output, 1), (&errors, 2)] {
        // SAFETY: numbers of files; this process has just been forked, and nothing else uses the second.
        unsafe { libc::dup2(from.as_raw_fd(), to) };
    }
    for (what, most) in [(libc::RLIMIT_CPU, limits.seconds), (libc::RLIMIT_FSIZE, MOST_OUTPUT)] {
        // At the second number the system kills the process; before that, the signal tells the reason.
        let limit = libc::rlimit { rlim_cur: most, rlim_max: most + 1 };
        // SAFETY: the limit is a variable that lives until the call returns.
        unsafe { libc::setrlimit(what, &limit) };
    }
    let code = catch_unwind(AssertUnwindSafe(|| dispatch(job.cli))).unwrap_or(OUR_FAULT);
    std::process::exit(code)
}

/// How a process ended; it is stopped when it uses too much.
#[expect(unsafe_code, reason = "waits for a process that it has forked")]
fn wait(child: libc::pid_t, limits: &BatchLimits, number: usize) -> String {
    let deadline = Instant::now() + PATIENCE * Duration::from_secs(limits.seconds);
    // SAFETY: the call takes two numbers, and writes nothing.
    let handle = unsafe { libc::syscall(libc::SYS_pidfd_open, child, 0) } as libc::c_int;
    let mut stopped = None;
    let (status, used) = loop {
        let mut poll = libc::pollfd { fd: handle, events: libc::POLLIN, revents: 0 };
        // SAFETY: one entry, which lives until the call returns.
        unsafe { libc::poll(&mut poll, 1, 50) };
        let mut status = 0;
        // SAFETY: the structure has numbers only, for which zeros are a value.
        let mut used: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: the child is this process's own, and the places are its own variables.
        if unsafe { libc::wait4(child, &mut status, libc::WNOHANG, &mut used) } == child {
            break (status, used);
        }
        stopped = match stopped {
            None if Instant::now() > deadline => Some("out of time"),
            None if resident(child) > limits.memory => Some("too much memory"),
            other => other,
        };
        if stopped.is_some() {
            // SAFETY: the child has not been waited for, so its number is still its own.
            unsafe { libc::kill(child, libc::SIGKILL) };
        }
    };
    // SAFETY: the handle is ours, and not used any more; if it could not be had, it is a number that no file has.
    unsafe { libc::close(handle) };
    println!("took {number} {:.3}", seconds(used.ru_utime) + seconds(used.ru_stime));
    match stopped {
        Some(why) => format!("stopped: {why}"),
        None if used.ru_maxrss as u64 * 1024 > limits.memory => "stopped: too much memory".into(),
        None if libc::WIFEXITED(status) => format!("code {}", libc::WEXITSTATUS(status)),
        None if libc::WTERMSIG(status) == libc::SIGXCPU => "stopped: out of time".into(),
        None => format!("signal {}", libc::WTERMSIG(status)),
    }
}

fn seconds(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 / 1e6
}

/// Bytes of resident memory, or 0 where that is not known.
fn resident(process: libc::pid_t) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    text.split(' ').nth(1).and_then(|it| it.parse::<u64>().ok()).unwrap_or(0) * 4096
}
