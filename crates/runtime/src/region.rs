//! The program region: bump allocation in one reserved range of addresses.
//!
//! ```text
//! base             next              end                              limit
//!  | objects …      | free, usable    | reserved, not accessible        |
//! ```
//!
//! The range is reserved when the program first allocates, and made usable in steps:
//! 256 KiB, then as much again as there is, up to 64 MiB at a time. The first
//! 4 MiB use small pages, so a small program stays small; the rest asks for huge
//! ones.
//!
//! When the address space is limited, the largest range that can be had is found by
//! trying, and an eighth of it is left for others.

use core::ptr::null_mut;

use oxbow_abi::{CACHE_LINE, HEADER_SIZE, round_up};

use crate::trouble::out_of_memory;

const PAGE: usize = 4096;
const HUGE_PAGE: usize = 2 << 20;
const RESERVATION: usize = 256 << 30;
const LEAST_RESERVATION: usize = 512 << 10;
const FIRST_STEP: usize = 256 << 10;
const LARGEST_STEP: usize = 64 << 20;
/// How much of the range uses small pages.
const SMALL_PAGES: usize = 2 * HUGE_PAGE;
/// More than any range: sizes above this are refused before they are added up.
const LARGEST_OBJECT: u64 = 1 << 46;

/// Where the next object's header goes.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "a symbol of compiled programs")]
pub static mut oxbow_region_next: *mut u8 = null_mut();

/// The end of the usable part.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "a symbol of compiled programs")]
pub static mut oxbow_region_end: *mut u8 = null_mut();

static mut BASE: *mut u8 = null_mut();
static mut LIMIT: *mut u8 = null_mut();

/// Takes `size` bytes (a multiple of 8) when the usable part has no room for them.
#[cold]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_region_refill(size: i64) -> *mut u8 {
    unsafe {
        if oxbow_region_end.is_null() {
            reserve();
        }
        if size as u64 > LARGEST_OBJECT {
            out_of_memory();
        }
        let size = size as usize;
        if size > LIMIT as usize - oxbow_region_next as usize {
            out_of_memory();
        }
        let new = oxbow_region_next.wrapping_add(size);
        if new > oxbow_region_end {
            grow(new);
        }
        let start = oxbow_region_next;
        oxbow_region_next = new;
        start
    }
}

/// Makes at least everything up to `needed` usable.
unsafe fn grow(needed: *mut u8) {
    unsafe {
        let end = oxbow_region_end as usize;
        let used = end - BASE as usize;
        let step = used.clamp(FIRST_STEP, LARGEST_STEP);
        let unit = if used + step > SMALL_PAGES { HUGE_PAGE } else { PAGE };
        let needed = (needed as usize).next_multiple_of(PAGE);
        let wanted = (end + step).max(needed).next_multiple_of(unit).min(LIMIT as usize);
        let new_end = if make_usable(end, wanted) {
            wanted
        } else if make_usable(end, needed) {
            needed
        } else {
            out_of_memory()
        };
        let huge = end.max(BASE as usize + SMALL_PAGES);
        if new_end > huge {
            // Only advice: small pages work as well.
            libc::madvise(huge as *mut _, new_end - huge, libc::MADV_HUGEPAGE);
        }
        oxbow_region_end = new_end as *mut u8;
    }
}

unsafe fn make_usable(start: usize, end: usize) -> bool {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    unsafe { libc::mprotect(start as *mut _, end - start, access) == 0 }
}

unsafe fn reserve() {
    let mut size = RESERVATION;
    loop {
        if let Some(start) = unsafe { map(size) } {
            if size == RESERVATION {
                return unsafe { install(start, size) };
            }
            // The address space is limited: leave some of it to the C library.
            let kept = size / 8 * 7 / PAGE * PAGE;
            unsafe { libc::munmap((start + kept) as *mut _, size - kept) };
            return unsafe { install(start, kept) };
        }
        size = size / 8 * 7 / PAGE * PAGE;
        if size < LEAST_RESERVATION {
            out_of_memory();
        }
    }
}

unsafe fn map(size: usize) -> Option<usize> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let start = unsafe { libc::mmap(null_mut(), size, libc::PROT_NONE, flags, -1, 0) };
    (start != libc::MAP_FAILED).then_some(start as usize)
}

unsafe fn install(start: usize, size: usize) {
    // Huge pages need aligned addresses; in a small range there is no room to waste.
    let unit = if size >= 16 * HUGE_PAGE { HUGE_PAGE } else { PAGE };
    let base = start.next_multiple_of(unit) as *mut u8;
    unsafe {
        BASE = base;
        LIMIT = (start + size) as *mut u8;
        oxbow_region_next = base;
        oxbow_region_end = base;
    }
}

/// An object with `payload` bytes and this header.
#[inline]
pub(crate) unsafe fn allocate(payload: u64, header: u64) -> *mut u8 {
    unsafe {
        if payload > LARGEST_OBJECT {
            out_of_memory();
        }
        let size = round_up(payload) + HEADER_SIZE;
        let room = oxbow_region_end as u64 - oxbow_region_next as u64;
        let start = if size <= room {
            let start = oxbow_region_next;
            oxbow_region_next = start.add(size as usize);
            start
        } else {
            oxbow_region_refill(size as i64)
        };
        start.cast::<u64>().write(header);
        start.add(HEADER_SIZE as usize)
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_alloc_object(payload: i64, header: i64) -> *mut u8 {
    unsafe { allocate(payload as u64, header as u64) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_alloc_closure(payload: i64, header: i64) -> *mut u8 {
    let payload = round_up(payload as u64);
    unsafe {
        let object = oxbow_region_next as u64 + HEADER_SIZE;
        let in_line = object % CACHE_LINE;
        if payload <= CACHE_LINE && in_line + payload > CACHE_LINE {
            // Skip to the next line. The room is taken with the closure's own, so that
            // both come from the same stretch.
            let padding = CACHE_LINE - in_line;
            let object = allocate(payload + padding, 0).add(padding as usize);
            object.sub(HEADER_SIZE as usize).cast::<u64>().write(header as u64);
            return object;
        }
        allocate(payload, header as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::program;
    use oxbow_abi::{ObjectKind, header};

    #[test]
    fn objects_follow_each_other_and_carry_their_header() {
        let _program = program();
        let word = header(ObjectKind::Tuple, 0, 16);
        unsafe {
            let first = oxbow_alloc_object(16, word as i64);
            let second = oxbow_alloc_object(13, 7);
            assert_eq!(second as usize - first as usize, 24);
            assert_eq!(first.sub(8).cast::<u64>().read(), word);
            assert_eq!(oxbow_region_next as usize - second as usize, 16);
        }
    }

    #[test]
    fn closures_stay_within_a_cache_line() {
        let _program = program();
        for payload in [8, 16, 24, 40, 64, 8, 64, 56, 48, 72, 8] {
            unsafe {
                let it = oxbow_alloc_closure(payload, payload) as u64;
                assert_eq!(((it - 8) as *const i64).read(), payload);
                if payload <= 64 {
                    assert_eq!(it / CACHE_LINE, (it + payload as u64 - 1) / CACHE_LINE);
                }
            }
        }
    }

    #[test]
    fn the_region_grows_in_place() {
        let _program = program();
        unsafe {
            let start = oxbow_alloc_object(8, 1);
            for size in [8_i64, 1 << 12, 1 << 18, 1 << 20, (1 << 24) + 8, 1 << 27] {
                let it = oxbow_alloc_object(size, size);
                it.write(1);
                it.add(size as usize - 1).write(2);
                assert_eq!(it.sub(8).cast::<i64>().read(), size);
                assert!(oxbow_region_next <= oxbow_region_end && it > start);
            }
            // The range is contiguous, so all of it can be given back at once.
            oxbow_region_next = start;
        }
    }
}
