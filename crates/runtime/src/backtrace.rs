//! Where the last exception of a thread was raised, and the calls that it has left since.
//!
//! ```text
//! raise     the frames are forgotten, and the place is the first one     kind RAISE
//! raise e   in a handler of `e`: the place follows                       kind RERAISE
//! a call    that ends with the exception: its place follows              kind CALL
//! ```
//!
//! Code that `passes::trace_exceptions` put into the program tells of each step, on the way of the exception alone. A
//! place is a constant string: the function, the file, the first line, its first character, the last character in its
//! line, the last line, and the last character counted from the start of the first line, with zeros between them.
//! Nothing is recorded unless `Printexc.record_backtrace` or `OCAMLRUNPARAM=b` asks for it. The exception is known by
//! its address, which is only compared.

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicU8, Ordering};

use oxbow_abi::backtrace::{CALL, LIBRARY, PRIMITIVE, RAISE, RERAISE};

use crate::domain;
use crate::grow::Grow;
use crate::object::contents;
use crate::trouble::complain;

/// As many frames as OCaml keeps.
const MOST: usize = 1024;

const UNASKED: u8 = 0;
const OFF: u8 = 1;
const ON: u8 = 2;

static RECORDS: AtomicU8 = AtomicU8::new(UNASKED);

#[derive(Clone, Copy)]
struct Frame {
    place: *mut u8,
    kind: i64,
}

pub(crate) struct Backtrace {
    frames: Grow<Frame>,
    /// What was raised last, or null.
    exception: *mut u8,
    /// What the next call counts as.
    next: i64,
    /// The calls that are going on, if the program asks for them anywhere.
    calls: Grow<*mut u8>,
    /// Where those of the fibre begin that runs.
    base: usize,
}

impl Backtrace {
    pub(crate) const fn new() -> Self {
        Self { frames: Grow::new(), exception: null_mut(), next: CALL, calls: Grow::new(), base: 0 }
    }

    fn start(&mut self, exception: *mut u8) {
        self.frames.truncate(0);
        self.exception = exception;
        self.next = CALL;
    }

    fn push(&mut self, place: *mut u8, kind: i64) {
        if self.frames.len() < MOST {
            self.frames.push(Frame { place, kind });
        }
    }

    fn note(&mut self, kind: i64, place: *mut u8, exception: *mut u8) {
        match kind {
            CALL if self.exception == exception => {
                let kind = core::mem::replace(&mut self.next, CALL);
                self.push(place, kind);
            }
            RAISE => {
                self.start(exception);
                self.push(place, RAISE);
            }
            RERAISE => {
                if self.exception != exception {
                    self.start(exception);
                }
                self.next = CALL;
                self.push(place, RERAISE);
            }
            LIBRARY => self.start(exception),
            PRIMITIVE => {
                self.start(exception);
                self.next = RAISE;
            }
            _ => (),
        }
    }
}

fn here<'a>() -> &'a mut Backtrace {
    // SAFETY: it is this thread's own, and no function below holds it while it calls another one of them.
    unsafe { &mut (*domain::local()).backtrace }
}

/// Does one of the parameters in `OCAMLRUNPARAM` ask for backtraces? `b`, `b=1`, not `b=0`.
fn asks(parameters: &[u8]) -> bool {
    let last = parameters.split(|&it| it == b',').rfind(|it| it.first() == Some(&b'b'));
    last.is_some_and(|it| it.get(1..) != Some(b"=0"))
}

/// Does `OCAMLRUNPARAM` ask for backtraces?
pub fn backtraces_are_wanted() -> bool {
    [c"OCAMLRUNPARAM", c"CAMLRUNPARAM"].iter().any(|name| {
        // SAFETY: the name is a C string, and so is what is found, which nothing changes meanwhile.
        unsafe {
            let value = libc::getenv(name.as_ptr());
            !value.is_null() && asks(CStr::from_ptr(value).to_bytes())
        }
    })
}

fn is_recording() -> bool {
    match RECORDS.load(Ordering::Relaxed) {
        UNASKED => {
            let found = if backtraces_are_wanted() { ON } else { OFF };
            RECORDS.store(found, Ordering::Relaxed);
            found == ON
        }
        found => found == ON,
    }
}

/// Kind, place and exception.
#[unsafe(no_mangle)]
pub extern "C" fn oxbow_backtrace_note(kind: i64, place: *mut u8, exception: *mut u8) {
    if is_recording() {
        here().note(kind, place, exception);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_backtrace_restore(exception: *mut u8) {
    let here = here();
    here.start(exception);
    here.next = RERAISE;
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_backtrace_push(kind: i64, place: *mut u8) {
    here().push(place, kind);
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_backtrace_record(wanted: i64) {
    let wanted = wanted != 0;
    if is_recording() != wanted {
        RECORDS.store(if wanted { ON } else { OFF }, Ordering::Relaxed);
        here().start(null_mut());
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_backtrace_status() -> u8 {
    is_recording().into()
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_backtrace_length() -> i64 {
    here().frames.len() as i64
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_backtrace_kind(index: i64) -> i64 {
    here().frames.as_slice().get(index as usize).map_or(CALL, |it| it.kind)
}

/// The place of a frame that there is.
#[unsafe(no_mangle)]
pub extern "C" fn oxbow_backtrace_place(index: i64) -> *mut u8 {
    match here().frames.as_slice().get(index as usize) {
        Some(frame) => frame.place,
        None => crate::trouble::abort_with(b"no such frame"),
    }
}

// ---------------------------------------------------------------------- calls that are going on

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_stack_enter(place: *mut u8) {
    here().calls.push(place);
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_stack_leave() {
    let calls = &mut here().calls;
    calls.truncate(calls.len().saturating_sub(1));
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_stack_count() -> i64 {
    here().calls.len() as i64
}

/// The place of a call that is going on, from the innermost.
#[unsafe(no_mangle)]
pub extern "C" fn oxbow_stack_place(index: i64) -> *mut u8 {
    match here().calls.as_slice().iter().nth_back(index as usize) {
        Some(&place) => place,
        None => crate::trouble::abort_with(b"no such call"),
    }
}

/// Calls are kept where this is asked: elsewhere the compiler knows better.
#[unsafe(no_mangle)]
pub extern "C" fn oxbow_stack_kept() -> u8 {
    1
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_stack_own() -> i64 {
    let here = here();
    here.calls.len().saturating_sub(here.base) as i64
}

/// A fibre begins or goes on: its calls are those from here. What to give to [`oxbow_stack_end`] after it.
#[unsafe(no_mangle)]
pub extern "C" fn oxbow_stack_begin() -> i64 {
    let here = here();
    core::mem::replace(&mut here.base, here.calls.len()) as i64
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_stack_end(base: i64) {
    here().base = base as usize;
}

/// Writes the frames of an exception that ends the program.
#[unsafe(no_mangle)]
pub extern "C" fn oxbow_backtrace_print(exception: *mut u8) {
    if !is_recording() || here().exception != exception {
        return;
    }
    for (index, frame) in here().frames.as_slice().iter().enumerate() {
        let begin: &[u8] = match (index, frame.kind) {
            (0, CALL) => b"Raised by primitive operation at ",
            (0, _) => b"Raised at ",
            (_, CALL) => b"Called from ",
            _ => b"Re-raised at ",
        };
        // SAFETY: places are constant strings.
        let mut parts = unsafe { contents(frame.place) }.split(|&it| it == 0);
        let mut part = || parts.next().unwrap_or_default();
        let [name, file, line, first, last, end] = core::array::from_fn(|_| part());
        complain(&[begin, name, b" in file \"", file, b"\", line"]);
        match line == end {
            true => complain(&[b" ", line]),
            false => complain(&[b"s ", line, b"-", end]),
        }
        complain(&[b", characters ", first, b"-", last, b"\n"]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{program, string};

    #[test]
    fn parameters() {
        for (text, asked) in [
            ("b", true),
            ("v=0,b", true),
            ("b=0", false),
            ("b=1", true),
            ("", false),
            ("s=4k", false),
        ] {
            assert_eq!(asks(text.as_bytes()), asked, "{text}");
        }
    }

    #[test]
    fn frames_follow_their_exception() {
        let _program = program();
        let [first, second] = ["a", "b"].map(|it| unsafe { string(it) });
        let mut trace = Backtrace::new();
        trace.note(RAISE, first, first);
        trace.note(CALL, second, first);
        trace.note(CALL, second, second);
        trace.note(RERAISE, first, first);
        let kinds =
            |it: &Backtrace| it.frames.as_slice().iter().map(|it| it.kind).collect::<Vec<_>>();
        assert_eq!(kinds(&trace), [RAISE, CALL, RERAISE]);
        trace.note(PRIMITIVE, first, second);
        trace.note(CALL, second, second);
        assert_eq!(kinds(&trace), [RAISE]);
        trace.note(LIBRARY, first, second);
        trace.note(CALL, second, second);
        assert_eq!(kinds(&trace), [CALL]);
        for _ in 0..2 * MOST {
            trace.note(CALL, second, second);
        }
        assert_eq!(trace.frames.len(), MOST);
    }
}
