//! The program's own stack, with a guard below it and the signal stack below that.
//!
//! ```text
//! low                                                                high
//!  | signal stack | guard, not accessible |          program stack ◄── |
//! ```
//!
//! Pages are only used once touched, so the size costs nothing but addresses. When
//! those are limited, a quarter of them at most is taken.

use core::ops::Range;
use core::ptr::null_mut;

/// Room for some millions of calls, where the usual 8 MiB end after a hundred thousand.
const SIZE: usize = 512 << 20;
const LEAST_SIZE: usize = 256 << 10;
/// Frames larger than this could step over it.
const GUARD: usize = 1 << 20;
/// The kernel stores the vector registers there, which can take some 12 KiB.
pub(crate) const SIGNAL_STACK: usize = 64 << 10;
/// How much at the top uses small pages; programs that go deeper get huge ones.
const SMALL_PAGES: usize = 4 << 20;
const BELOW: usize = SIGNAL_STACK + GUARD;

/// A mapped stack.
pub(crate) struct Stack {
    low: usize,
    size: usize,
}

impl Stack {
    /// The largest that can be had.
    pub(crate) fn new() -> Option<Stack> {
        let mut size = SIZE.min(address_space() / 4 / 4096 * 4096).max(LEAST_SIZE);
        while size >= LEAST_SIZE {
            if let Some(stack) = Stack::map(BELOW + size) {
                return Some(stack);
            }
            size /= 2;
        }
        None
    }

    fn map(size: usize) -> Option<Stack> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping, and then settings of parts of it.
        unsafe {
            let low = libc::mmap(null_mut(), size, access, flags, -1, 0);
            if low == libc::MAP_FAILED {
                return None;
            }
            let stack = Stack { low: low as usize, size };
            let guard = stack.guard();
            if libc::mprotect(guard.start as *mut _, GUARD, libc::PROT_NONE) != 0 {
                return None;
            }
            // Only advice, so failures do not matter.
            let small = size.min(SMALL_PAGES);
            libc::madvise(low.byte_add(size - small), small, libc::MADV_NOHUGEPAGE);
            if size > BELOW + SMALL_PAGES {
                let start = low.byte_add(BELOW);
                libc::madvise(start, size - BELOW - small, libc::MADV_HUGEPAGE);
            }
            Some(stack)
        }
    }

    /// The address that the stack pointer starts with.
    pub(crate) fn top(&self) -> *mut u8 {
        ((self.low + self.size) & !15) as *mut u8
    }

    pub(crate) fn guard(&self) -> Range<usize> {
        self.low + SIGNAL_STACK..self.low + BELOW
    }

    pub(crate) fn signal_stack(&self) -> libc::stack_t {
        libc::stack_t { ss_sp: self.low as *mut _, ss_flags: 0, ss_size: SIGNAL_STACK }
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: nothing runs on it any more.
        unsafe { libc::munmap(self.low as *mut _, self.size) };
    }
}

/// How many addresses the process may use (`ulimit -v`).
pub(crate) fn address_space() -> usize {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: 0 };
    // SAFETY: there is a place for the result. Should it fail, there is no limit.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) };
    usize::try_from(limit.rlim_cur).unwrap_or(usize::MAX)
}
