//! The code of a phrase: from the graph to what runs.
//!
//! Representations must not depend on the phrases that are still to come: closures are flat, objects lie on the heap,
//! and no pass that looks at whole programs runs.

use std::ffi::{CString, c_char};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use oxbow_backend::{EntryPoint, LoweringOptions, PhraseEntries, Phrases, Shared};
use oxbow_diag::Diagnostic;
use oxbow_dialect::melior::Context;
use oxbow_passes::monomorphize::phrase::{self, ENDED, NewPlace, Numbered, Phrase, Places};
use oxbow_passes::{
    check_stack, closure_repr, dead_functions, guard_unwinding, may_raise, poll_signals, simplify,
};
use oxbow_psg::{ExnId, Mono, Poly, Program, TypeTable};

use crate::native::found_foreign;
use crate::pipeline::Part;
use crate::{Session, Stop};

/// A phrase that is loaded.
pub struct Compiled {
    entries: PhraseEntries,
    pub new: Vec<NewPlace>,
    pub numbered: Numbered,
    pub types: TypeTable,
}

pub fn compile(
    session: &mut Session,
    context: &Context,
    loaded: &mut Loaded,
    source: &Program<Poly>,
    (first, places, number): (usize, &Places, i64),
) -> Result<Compiled, Stop> {
    let specialized = session.step("monomorphize", |cx| {
        phrase::run(source, Phrase { first, places, number }, &mut cx.diagnostics)
    });
    session.gate()?;
    let phrase::Specialized { program, new, numbers, numbered } = specialized;
    check_domains(session, &program)?;
    let program = session.rows(Part::Specialize, program, |_, _| ())?;
    session.gate()?;
    let program = optimized(session, program);
    let types = program.types.clone();
    let shared = Shared {
        variables: numbers.into_iter().map(oxbow_lower::kept_symbol).collect(),
        exceptions: program.shared_exns.iter().map(|it| it.1.clone()).collect(),
    };
    let module = session.step("lower", |cx| oxbow_lower::run(&program, &cx.sources, context));
    drop(program);
    let foreign = found_foreign(&module, context)?;
    let foreign: Vec<(&str, usize)> = foreign.iter().map(|it| (it.0.as_str(), it.1)).collect();
    loaded.phrases.define(&foreign);
    session.step("count", |_| oxbow_counting::run(&module, context));
    for pass in oxbow_opt::PLAN_OPEN {
        session.step(pass.name, |_| (pass.run)(&module, context));
    }
    let options = LoweringOptions { verify: session.options.verify, ..LoweringOptions::default() };
    let module = session
        .step("convert", |_| oxbow_backend::lower_to_llvm_dialect(&module, context, options));
    let target = oxbow_backend::OptLevel::O0.into();
    let entries = session.step("jit", |_| loaded.phrases.add(&module, target, &shared));
    Ok(Compiled { entries, new, numbered, types })
}

/// Passes that do not look at the whole program.
fn optimized(session: &mut Session, program: Program<Mono>) -> Program<Mono> {
    type Pass = (&'static str, fn(Program<Mono>) -> Program<Mono>);
    const PASSES: [Pass; 7] = [
        ("poll_signals", poll_signals::run),
        ("guard_unwinding", guard_unwinding::run),
        ("simplify", simplify::run),
        ("dead_functions", dead_functions::run),
        ("check_stack", check_stack::run),
        ("closure_repr", closure_repr::run),
        ("may_raise", may_raise::run),
    ];
    PASSES.into_iter().fold(program, |it, (name, run)| session.step(name, |_| run(it)))
}

/// Code of earlier phrases counts references as if there were one thread.
fn check_domains(session: &mut Session, program: &Program<Mono>) -> Result<(), Stop> {
    if program.well_known.domain.is_none() {
        return Ok(());
    }
    if let Some(item) = program.items.iter().rfind(|it| !it.library) {
        let what = "domains and threads at a prompt";
        session.diagnostics.error(Diagnostic::not_supported(item.span, what));
    }
    Err(Stop::Reported)
}

/// What programs at a prompt call in the place of functions of the runtime.
#[derive(Clone, Copy)]
pub struct Host {
    /// Ends the program: C's function of one integer.
    pub exit: usize,
    /// The next line of the standard input, with its end; empty if there is none.
    pub line: fn() -> Vec<u8>,
}

/// The standard input of programs.
struct Input {
    /// Where its lines come from.
    line: Option<fn() -> Vec<u8>>,
    /// What of the last one a program has not taken.
    left: Vec<u8>,
}

static INPUT: Mutex<Input> = Mutex::new(Input { line: None, left: Vec::new() });

/// Reads as the runtime does, but the standard input line by line: what is behind the line may be phrases.
///
/// # Safety
/// `bytes` is an object of the program that has room for `length` bytes from `position`.
#[expect(unsafe_code, reason = "fills bytes of the program that calls it")]
unsafe extern "C" fn read(descriptor: i64, bytes: *mut u8, position: i64, length: i64) -> i64 {
    if descriptor != 0 {
        // SAFETY: the caller's promise is the same.
        return unsafe { oxbow_runtime::oxbow_io_read(descriptor, bytes, position, length) };
    }
    let Ok(mut input) = INPUT.lock() else { return 0 };
    if let Some(line) = input.line
        && input.left.is_empty()
    {
        input.left = line();
    }
    let left = &mut input.left;
    let count = left.len().min(length as usize);
    // SAFETY: the caller says that there is room, and `left` has so many bytes.
    unsafe {
        let start = bytes.add(oxbow_abi::DATA_OFFSET as usize + position as usize);
        std::ptr::copy_nonoverlapping(left.as_ptr(), start, count);
    }
    left.drain(..count);
    count as i64
}

/// The phrases in memory.
pub struct Loaded {
    phrases: Phrases,
}

/// What writes the output of the phrase that runs.
static FLUSH: AtomicUsize = AtomicUsize::new(0);

/// What a phrase that has used up its stack ends the process with.
pub const STACK_OVERFLOW: i32 = 77;

impl Loaded {
    pub fn new(host: Host) -> Self {
        if let Ok(mut input) = INPUT.lock() {
            *input = Input { line: Some(host.line), left: Vec::new() };
        }
        let own = |(name, address): (&'static str, *const ())| match name {
            "oxbow_sys_exit" => (name, host.exit),
            "oxbow_io_read" => (name, read as *const () as usize),
            _ => (name, address as usize),
        };
        let symbols: Vec<(&str, usize)> =
            oxbow_runtime::symbols().map(|(name, address)| own((name, address.cast()))).collect();
        Self { phrases: Phrases::new(&symbols) }
    }

    /// Runs a phrase; whether it came to its end.
    #[expect(unsafe_code, reason = "starts the compiled phrase")]
    pub fn run(&self, compiled: &Compiled, number: i64) -> bool {
        let entries = &compiled.entries;
        FLUSH.store(entries.flush as usize, Ordering::Relaxed);
        let entry = oxbow_runtime::Entry {
            main: entries.main,
            stack_overflow: Some(overflowed),
            flush: Some(entries.flush),
            fiber: entries.fiber,
            domain: None,
        };
        let name: &'static CString = Box::leak(Box::new(c"oxbow".into()));
        let arguments: &'static [*const c_char; 2] =
            Box::leak(Box::new([name.as_ptr(), std::ptr::null()]));
        // SAFETY: one phrase runs at a time, compiled against this runtime; its code and its arguments are never freed.
        unsafe { oxbow_runtime::start(1, arguments.as_ptr(), entry) };
        // An `int` is shifted.
        self.place(ENDED).map(word) == Some((number as usize) << 1)
    }

    /// Where a value is kept.
    pub fn place(&self, number: i64) -> Option<usize> {
        self.phrases.variable(&oxbow_lower::kept_symbol(number))
    }

    pub fn exception(&self, exn: ExnId) -> Option<usize> {
        self.phrases.exception(&phrase::exn_symbol(exn))
    }
}

/// The word at an address of the program's.
#[expect(unsafe_code, reason = "looks at the memory of the program that has stopped")]
pub fn word(address: usize) -> usize {
    // SAFETY: callers pass addresses of variables and objects of the program, which does not run.
    unsafe { std::ptr::read(address as *const usize) }
}

/// Called on an empty stack.
#[expect(unsafe_code, reason = "calls the phrase's own function")]
unsafe extern "C" fn overflowed() {
    let flush = FLUSH.load(Ordering::Relaxed);
    if flush != 0 {
        // SAFETY: `run` has stored a function of this type, whose code is never freed.
        unsafe { std::mem::transmute::<usize, EntryPoint>(flush)() };
    }
    println!("Stack overflow during evaluation (looping recursion?).");
    // SAFETY: ends the process at once, as must be after an overflow.
    unsafe { libc::_exit(STACK_OVERFLOW) };
}
