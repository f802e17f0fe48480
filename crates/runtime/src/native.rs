//! Memory by address: `stackalloc` and what has its address taken.
//!
//! One range of addresses, taken and given back like a stack. The system provides its pages when they
//! are first written, and what is given back is used again.
//!
//! ```text
//! mark ─ alloc ─ alloc ─ release mark      the two blocks are gone
//! ```

use core::ptr::null_mut;

use crate::trouble;

/// All that can be in use at once.
const SIZE: usize = 1 << 30;
const ALIGN: usize = 16;

static mut START: usize = 0;
static mut NEXT: usize = 0;

#[cold]
fn reserve() {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: the system chooses addresses that nobody uses, and only the program's thread uses the variables.
    unsafe {
        let rights = libc::PROT_READ | libc::PROT_WRITE;
        let memory = libc::mmap(null_mut(), SIZE, rights, flags, -1, 0);
        if memory == libc::MAP_FAILED {
            trouble::fatal(b"out of memory for `stackalloc`");
        }
        START = memory as usize;
        NEXT = START;
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_native_alloc(bytes: i64) -> i64 {
    // SAFETY: only the program's thread uses the variables. `NEXT` stays within the range, `ALIGN` bytes before its
    // end at least, and so do the bytes that are cleared.
    unsafe {
        if START == 0 {
            reserve();
        }
        let address = NEXT;
        let room = START + SIZE - NEXT;
        let size = match usize::try_from(bytes) {
            Ok(size) if size <= room - ALIGN => size.next_multiple_of(ALIGN),
            _ => trouble::fatal(b"out of memory for `stackalloc`"),
        };
        if size > room - ALIGN {
            trouble::fatal(b"out of memory for `stackalloc`");
        }
        NEXT += size;
        libc::memset(address as *mut libc::c_void, 0, size);
        address as i64
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_native_mark() -> i64 {
    // SAFETY: only the program's thread uses the variables.
    unsafe {
        if START == 0 {
            reserve();
        }
        NEXT as i64
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_native_release(mark: i64) {
    // SAFETY: compiled code passes a mark, which is a value that `NEXT` had; only the program's thread uses it.
    unsafe { NEXT = mark as usize }
}
