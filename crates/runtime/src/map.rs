//! Files in memory, as the bytes of an object.
//!
//! ```text
//!         a page of ours        pages of the file
//! ┌───────────────┬────────┬───────────────────────┐
//! │               │ header │ bytes …               │
//! │               │ length │                       │
//! └───────────────┴────────┴───────────────────────┘
//! ```
//!
//! The header says that nothing frees it: a file stays mapped until the program ends.

use core::ptr::null_mut;

use libc::c_int;
use oxbow_abi::{DATA_OFFSET, HEADER_SIZE, Shape};

use crate::object::string_from;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_io_map(
    descriptor: i64,
    offset: i64,
    length: i64,
    shared: i64,
) -> *mut u8 {
    // SAFETY: it has no precondition.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    let length = length as usize;
    let rights = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: the system chooses addresses that nobody uses; what is put over them lies within, since their number
    // is that of a page and of the file's part. The words before the file's bytes are those of our page.
    unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let whole = libc::mmap(null_mut(), page + length, rights, flags, -1, 0);
        if length == 0 || whole == libc::MAP_FAILED {
            return string_from(b"");
        }
        let start = whole.cast::<u8>().add(page);
        let flags = if shared != 0 { libc::MAP_SHARED } else { libc::MAP_PRIVATE };
        let flags = flags | libc::MAP_FIXED;
        let mapped = libc::mmap(start.cast(), length, rights, flags, descriptor as c_int, offset);
        if mapped == libc::MAP_FAILED {
            let error = crate::io::last_error();
            libc::munmap(whole, page + length);
            *libc::__errno_location() = error;
            return string_from(b"");
        }
        let object = start.sub(DATA_OFFSET as usize);
        object.cast::<usize>().write(length);
        let header = object.sub(HEADER_SIZE as usize).cast::<u64>();
        header.write(Shape::string().static_header());
        object
    }
}
