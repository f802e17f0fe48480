//! Memory from the system, in large pieces that are never given back.
//!
//! The first pieces are small, so that a small program stays small; later ones grow with what
//! is in use and ask for huge pages. An upper bound on everything, cells and large objects
//! together, can be set.

use core::ffi::c_char;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::domain;
use crate::trouble::out_of_memory;

const PAGE: usize = 4096;
const HUGE_PAGE: usize = 2 << 20;
const FIRST_PIECE: usize = 256 << 10;
const LARGEST_PIECE: usize = 64 << 20;

static mut NEXT: usize = 0;
static mut END: usize = 0;
/// Bytes of all pieces.
static mut TAKEN: usize = 0;
/// Bytes of cells and large objects.
static USED: AtomicUsize = AtomicUsize::new(0);
/// Who takes a block of a piece, in programs with domains.
static IS_LOCKED: AtomicBool = AtomicBool::new(false);
/// Anybody may set it, not only the program's thread.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// No more than this many bytes from now on.
pub fn set_max_memory(bytes: usize) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

pub(crate) fn has_max_memory() -> bool {
    LIMIT.load(Ordering::Relaxed) != usize::MAX
}

/// Bytes of cells and large objects.
pub(crate) fn used() -> usize {
    USED.load(Ordering::Relaxed)
}

/// Notes that `bytes` more are in use, or ends the program.
pub(crate) unsafe fn charge(bytes: usize, site: *const c_char) {
    match used().checked_add(bytes) {
        Some(it) if it <= LIMIT.load(Ordering::Relaxed) => match domain::are_there() {
            true => _ = USED.fetch_add(bytes, Ordering::Relaxed),
            false => USED.store(it, Ordering::Relaxed),
        },
        _ => out_of_memory(site),
    }
}

/// Can an object of this size be had? A request that only memory in use can answer is tried out.
#[unsafe(no_mangle)]
pub extern "C" fn oxbow_sys_memory_fits(bytes: i64) -> u8 {
    let bytes = bytes as usize;
    // SAFETY: what is mapped here is unmapped at once, before anybody uses it.
    unsafe {
        if used().checked_add(bytes).is_none_or(|it| it > LIMIT.load(Ordering::Relaxed)) {
            return 0;
        }
        if bytes < LARGEST_PIECE {
            return 1;
        }
        let Some(start) = map(bytes.saturating_add(PAGE), PAGE) else { return 0 };
        libc::munmap(start as *mut _, bytes + PAGE);
        1
    }
}

pub(crate) unsafe fn discharge(bytes: usize) {
    match domain::are_there() {
        true => _ = USED.fetch_sub(bytes, Ordering::Relaxed),
        false => USED.store(used() - bytes, Ordering::Relaxed),
    }
}

/// `bytes` (a multiple of 64) at an address that is a multiple of 64.
pub(crate) unsafe fn take(bytes: usize, site: *const c_char) -> *mut u8 {
    // SAFETY: only the program's thread uses the variables; `next_piece` comes back with enough between them.
    unsafe {
        charge(bytes, site);
        if domain::are_there() {
            return domain::take_memory(bytes, site);
        }
        if END - NEXT < bytes {
            next_piece(bytes, PAGE, site);
        }
        let start = NEXT;
        NEXT += bytes;
        start as *mut u8
    }
}

/// `bytes` at a multiple of them, for a domain; a power of two.
pub(crate) unsafe fn take_block(bytes: usize, site: *const c_char) -> *mut u8 {
    let mut turns = 0;
    while IS_LOCKED.swap(true, Ordering::Acquire) {
        turns += 1;
        domain::pause(turns);
    }
    // SAFETY: this thread has the lock for the variables.
    let start = unsafe {
        NEXT = NEXT.next_multiple_of(bytes);
        if END < NEXT + bytes {
            next_piece(bytes, bytes, site);
        }
        let start = NEXT;
        NEXT += bytes;
        start
    };
    IS_LOCKED.store(false, Ordering::Release);
    start as *mut u8
}

/// What is left of the last piece is lost, less than was asked for. The new one begins at a multiple of `align`.
unsafe fn next_piece(least: usize, align: usize, site: *const c_char) {
    // SAFETY: only the program's thread uses the variables, or one that has the lock, and sizes are multiples of a
    // page.
    unsafe {
        let mut size = TAKEN.clamp(FIRST_PIECE, LARGEST_PIECE).max(least);
        loop {
            let unit = if size >= 2 * HUGE_PAGE { HUGE_PAGE } else { align };
            size = size.next_multiple_of(unit);
            if let Some(start) = map(size, unit) {
                NEXT = start;
                END = start + size;
                TAKEN += size;
                return;
            }
            // The address space is limited: a smaller piece may do.
            if size / 2 < least.max(PAGE) {
                out_of_memory(site);
            }
            size /= 2;
        }
    }
}

/// Maps `size` bytes at a multiple of `unit`.
unsafe fn map(size: usize, unit: usize) -> Option<usize> {
    let slack = if unit > PAGE { unit } else { 0 };
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: the system chooses addresses that nobody uses; what is given back is of this mapping, before and
    // behind the part that is kept.
    unsafe {
        let mapped = libc::mmap(null_mut(), size + slack, access, flags, -1, 0);
        if mapped == libc::MAP_FAILED {
            return None;
        }
        let mapped = mapped as usize;
        let start = mapped.next_multiple_of(unit);
        if slack > 0 {
            let (before, after) = (start - mapped, slack - (start - mapped));
            if before > 0 {
                libc::munmap(mapped as *mut _, before);
            }
            if after > 0 {
                libc::munmap((start + size) as *mut _, after);
            }
            // Only advice: small pages work as well.
            libc::madvise(start as *mut _, size, libc::MADV_HUGEPAGE);
        }
        Some(start)
    }
}
