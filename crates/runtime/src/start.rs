//! Running a program: its arguments, its stack, and what happens when that overflows.

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use libc::{c_char, c_int};

use crate::pages::{has_max_memory, set_max_memory};
use crate::stack::Stack;
use crate::sys::{oxbow_sys_exit, set_arguments, set_stack_limit, stack_overflow};
use crate::{checked, domain, fiber, signals, trouble};

/// The ways into a program.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Entry {
    /// The program itself.
    pub main: unsafe extern "C" fn(),
    /// Called on an empty stack after `main` has used up its own; it should tell so and
    /// exit. Without it, or when it returns or overflows too, the runtime does that.
    pub stack_overflow: Option<unsafe extern "C" fn()>,
    /// Writes what the library has buffered; called before the process ends for want of memory.
    pub flush: Option<unsafe extern "C" fn()>,
    /// What a fibre runs, on its own stack; a program without effects has none.
    pub fiber: Option<unsafe extern "C" fn()>,
    /// What the thread of a domain runs; a program without domains and threads has none.
    pub domain: Option<unsafe extern "C" fn()>,
}

/// What a program that handles `Stack_overflow` has left for its handler and the library.
pub(crate) const STACK_RESERVE: usize = 256 << 10;

/// What tells of an overflow.
static OVERFLOW: AtomicPtr<()> = AtomicPtr::new(null_mut());

/// A stack is used up: says so and ends the process. Nothing runs on the stack any more.
pub(crate) unsafe fn overflowed(stack: &Stack) -> ! {
    let code = OVERFLOW.load(Ordering::Relaxed);
    // SAFETY: `start` was given a function of this type, or none.
    unsafe {
        if let Some(code) = core::mem::transmute::<*mut (), Option<unsafe extern "C" fn()>>(code) {
            signals::run(code, stack);
        }
    }
    stack_overflow()
}

/// Runs a program on a stack of its own; returns 0 when `main` returns. A program that
/// calls for its own end (`oxbow_sys_exit`) ends the process, and so does one with domains.
///
/// # Safety
///
/// One program runs at a time, and only its thread uses functions of the runtime. The
/// functions of `entry` are compiled against this runtime. `argv` has `argc` C strings
/// that live as long as the program.
pub unsafe fn start(argc: c_int, argv: *const *const c_char, entry: Entry) -> c_int {
    limit_memory();
    keep_memory();
    let Some(stack) = Stack::new() else {
        trouble::out_of_memory(core::ptr::null());
    };
    // SAFETY: what the caller says of the arguments and the entry. The stack is mapped until this function returns,
    // and after an overflow nothing runs on it any more when it is used again.
    unsafe {
        set_arguments(argc, argv);
        trouble::set_flush(entry.flush);
        fiber::set_entry(entry.fiber);
        OVERFLOW
            .store(entry.stack_overflow.map_or(null_mut(), |it| it as *mut ()), Ordering::Relaxed);
        domain::set_entry(entry.domain);
        set_stack_limit(stack.guard().end + STACK_RESERVE);
        let before = signals::install(&stack);
        if signals::run(entry.main, &stack) == signals::OVERFLOW {
            overflowed(&stack);
        }
        signals::restore(&before);
    }
    checked::ended();
    if domain::are_there() {
        // Other threads may still run code of the program, which the caller would take away.
        oxbow_sys_exit(0);
    }
    0
}

/// Large arrays that are made and forgotten in turn get the memory of those before: the C library comes to these bounds
/// by itself once an array of that size was freed, and until then asks the system for each.
fn keep_memory() {
    // SAFETY: the C library takes any numbers here, and no allocation is under way.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 32 << 20);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 64 << 20);
    }
}

/// The environment can set an upper bound for memory, unless there is one.
fn limit_memory() {
    // SAFETY: the name is a C string, and so is the value, which is looked at before the program could change the
    // environment.
    unsafe {
        let text = libc::getenv(c"OXBOW_MAX_MEMORY".as_ptr());
        if !text.is_null() && !has_max_memory() {
            match parse_size(CStr::from_ptr(text).to_bytes()) {
                Some(bytes) => set_max_memory(bytes),
                None => trouble::fatal(b"OXBOW_MAX_MEMORY is no size, as 64M"),
            }
        }
    }
}

/// A number of bytes, as `4096`, `64K`, `100M` or `2G`.
pub fn parse_size(text: &[u8]) -> Option<usize> {
    let (digits, shift) = match text.split_last()? {
        (b'K' | b'k', rest) => (rest, 10),
        (b'M' | b'm', rest) => (rest, 20),
        (b'G' | b'g', rest) => (rest, 30),
        _ => (text, 0),
    };
    if digits.is_empty() {
        return None;
    }
    let number = digits.iter().try_fold(0_usize, |number, &digit| {
        let digit = digit.is_ascii_digit().then(|| usize::from(digit - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })?;
    number.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::testing::program;

    static CALLS: AtomicUsize = AtomicUsize::new(0);

    unsafe extern "C" fn count_argument() {
        let count = crate::sys::oxbow_sys_argc() as usize;
        CALLS.fetch_add(count, Ordering::Relaxed);
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_size(b"4096"), Some(4096));
        assert_eq!(parse_size(b"64K"), Some(64 << 10));
        assert_eq!(parse_size(b"3g"), Some(3 << 30));
        for wrong in ["", "M", "1T", "-1", "1 M", "99999999999999999999", "99999999999G"] {
            assert_eq!(parse_size(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn a_program_runs_and_returns() {
        let _program = program();
        let entry = Entry {
            main: count_argument,
            stack_overflow: None,
            flush: None,
            fiber: None,
            domain: None,
        };
        let arguments = [c"prog".as_ptr(), core::ptr::null()];
        for _ in 0..3 {
            assert_eq!(unsafe { start(1, arguments.as_ptr(), entry) }, 0);
        }
        assert_eq!(CALLS.load(Ordering::Relaxed), 3);
    }
}
