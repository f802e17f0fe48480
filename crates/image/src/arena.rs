//! The allocator of the executable: the system's, or while it records, the arena.
//!
//! Blocks of the arena have sizes of a few classes, so that what is freed while it records serves again. Only one
//! thread may allocate then.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// Far from what the system chooses by itself: executables, libraries and stacks lie higher.
pub const BASE: usize = 0x2a00_0000_0000;
/// The most that an arena holds.
pub const SIZE: usize = 1 << 32;
/// Every block begins at a multiple of it.
const GRAIN: usize = 16;
/// Up to this size, sizes are multiples of the grain; above, powers of two.
const SMALL: usize = 512;
const SMALL_CLASSES: usize = SMALL / GRAIN + 1;
const CLASSES: usize = SMALL_CLASSES + usize::BITS as usize;

/// The global allocator of an executable that keeps or restores data.
pub struct Memory;

static RECORDS: AtomicBool = AtomicBool::new(false);
static NEXT: AtomicUsize = AtomicUsize::new(BASE);
/// For each class the block that was freed last, which holds the address of the one before.
static FREE: [AtomicPtr<u8>; CLASSES] = [const { AtomicPtr::new(ptr::null_mut()) }; CLASSES];

/// From here on everything that this process allocates lies in the arena. False if the addresses are taken.
pub fn record() -> bool {
    // SAFETY: asks for addresses that nobody has.
    let got = unsafe {
        libc::mmap(
            BASE as *mut libc::c_void,
            SIZE,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE
                | libc::MAP_ANONYMOUS
                | libc::MAP_NORESERVE
                | libc::MAP_FIXED_NOREPLACE,
            -1,
            0,
        )
    };
    let is_ours = got as usize == BASE;
    RECORDS.store(is_ours, Ordering::Relaxed);
    is_ours
}

/// Ends the recording; gives the number of bytes of the arena that are in use.
pub(crate) fn stop() -> usize {
    RECORDS.store(false, Ordering::Relaxed);
    NEXT.load(Ordering::Relaxed) - BASE
}

fn is_inside(block: *mut u8) -> bool {
    (block as usize).wrapping_sub(BASE) < SIZE
}

/// The class of blocks for a size, and the size of its blocks.
fn class(size: usize) -> (usize, usize) {
    if size <= SMALL {
        let grains = size.div_ceil(GRAIN);
        return (grains, grains * GRAIN);
    }
    let size = size.next_power_of_two();
    (SMALL_CLASSES + size.trailing_zeros() as usize, size)
}

/// A block of zeros.
fn take(layout: Layout) -> *mut u8 {
    let (class, size) = class(layout.size());
    let free = FREE[class].load(Ordering::Relaxed);
    if !free.is_null() && layout.align() <= GRAIN {
        // SAFETY: a free block holds the address of the next, and is zero elsewhere.
        unsafe {
            FREE[class].store(free.cast::<*mut u8>().read(), Ordering::Relaxed);
            free.cast::<*mut u8>().write(ptr::null_mut());
        }
        return free;
    }
    let start = NEXT.load(Ordering::Relaxed).next_multiple_of(layout.align().max(GRAIN));
    if size > BASE + SIZE - start {
        return ptr::null_mut();
    }
    NEXT.store(start + size, Ordering::Relaxed);
    start as *mut u8
}

/// Takes a block back. What it held is not to be found in a file.
///
/// # Safety
/// The block is one of the arena, of this layout, and nobody uses it.
unsafe fn give(block: *mut u8, layout: Layout) {
    let (class, size) = class(layout.size());
    // SAFETY: the block is of this class and nobody's.
    unsafe { block.write_bytes(0, size) };
    if size > 0 {
        let before = FREE[class].load(Ordering::Relaxed);
        // SAFETY: blocks have 16 bytes at least.
        unsafe { block.cast::<*mut u8>().write(before) };
        FREE[class].store(block, Ordering::Relaxed);
    }
}

// SAFETY: blocks of the arena are as large as asked for, aligned, and nobody else's; all others are the system's.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if RECORDS.load(Ordering::Relaxed) {
            return take(layout);
        }
        // SAFETY: as promised to us.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if RECORDS.load(Ordering::Relaxed) {
            return take(layout);
        }
        // SAFETY: as promised to us.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if !is_inside(block) {
            // SAFETY: it was the system's.
            unsafe { System.dealloc(block, layout) }
        } else if RECORDS.load(Ordering::Relaxed) {
            // SAFETY: as promised to us.
            unsafe { give(block, layout) }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !is_inside(block) && !RECORDS.load(Ordering::Relaxed) {
            // SAFETY: it is the system's.
            return unsafe { System.realloc(block, layout, size) };
        }
        // A block is given back to the class of the size that it has then.
        if is_inside(block) && class(layout.size()) == class(size) {
            return block;
        }
        // SAFETY: the caller promises that the size is valid for this alignment.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: a new block does not overlap with the old one, which is valid up to its size.
        unsafe {
            let copy = self.alloc(new);
            if !copy.is_null() {
                ptr::copy_nonoverlapping(block, copy, layout.size().min(size));
                self.dealloc(block, layout);
            }
            copy
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_room_for_its_sizes() {
        for size in (1..5000).chain([1 << 20, (1 << 20) + 1]) {
            let (class_of, room) = class(size);
            assert!(room >= size && room <= 2 * size.max(GRAIN), "{size}: {room}");
            assert_eq!(class(room), (class_of, room));
            assert!(class_of < CLASSES);
        }
    }
}
