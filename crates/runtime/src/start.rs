//! Running a program: its arguments, its stack, and what happens when that overflows.

use libc::{c_char, c_int};

use crate::stack::Stack;
use crate::sys::{oxbow_stack_overflow, set_arguments, set_stack_limit};
use crate::{signals, trouble};

/// The two ways into a program.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Entry {
    /// The program itself.
    pub main: unsafe extern "C" fn(),
    /// Called on an empty stack after `main` has used up its own; it should tell so and
    /// exit. Without it, or when it returns or overflows too, the runtime does that.
    pub stack_overflow: Option<unsafe extern "C" fn()>,
}

/// What a program that handles `Stack_overflow` has left for its handler and the library.
const STACK_RESERVE: usize = 256 << 10;

/// Runs a program on a stack of its own; returns 0 when `main` returns. A program that
/// calls for its own end (`oxbow_sys_exit`) ends the process.
///
/// # Safety
///
/// One program runs at a time, and only its thread uses functions of the runtime. The
/// functions of `entry` are compiled against this runtime. `argv` has `argc` C strings
/// that live as long as the program.
pub unsafe fn start(argc: c_int, argv: *const *const c_char, entry: Entry) -> c_int {
    let Some(stack) = Stack::new() else {
        trouble::out_of_memory(core::ptr::null());
    };
    unsafe {
        set_arguments(argc, argv);
        set_stack_limit(stack.guard().end + STACK_RESERVE);
        let before = signals::install(&stack);
        if signals::run(entry.main, &stack) == signals::OVERFLOW {
            if let Some(stack_overflow) = entry.stack_overflow {
                signals::run(stack_overflow, &stack);
            }
            oxbow_stack_overflow();
        }
        signals::restore(&before);
    }
    0
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
    fn a_program_runs_and_returns() {
        let _program = program();
        let entry = Entry { main: count_argument, stack_overflow: None };
        let arguments = [c"prog".as_ptr(), core::ptr::null()];
        for _ in 0..3 {
            assert_eq!(unsafe { start(1, arguments.as_ptr(), entry) }, 0);
        }
        assert_eq!(CALLS.load(Ordering::Relaxed), 3);
    }
}
