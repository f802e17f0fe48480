//! Places in the source that messages about memory name (decision 132).
//!
//! ```text
//! program              variable of the program   oxbow_site, oxbow_caller
//! program with domains variable of the thread    oxbow_thread + SITE, CALLER of abi::fibers
//! ```
//!
//! Where memory is checked or measured, all threads share `oxbow_site`: what is measured waits for its turn there.

use core::ffi::{CStr, c_char};
use core::ptr::null;

use crate::object::string_from;
use crate::{domain, thread};

/// The place in the source that has called a function of the runtime that allocates.
#[unsafe(no_mangle)]
pub static mut oxbow_site: *const c_char = null();

/// The place in the program's own text that last called a function of the library that allocates.
#[unsafe(no_mangle)]
pub static mut oxbow_caller: *const c_char = null();

/// The last place of this thread that called the runtime.
pub(crate) fn site() -> *const c_char {
    if domain::are_there() {
        // SAFETY: the variables are this thread's.
        let own = unsafe { (*thread::current()).site };
        if !own.is_null() {
            return own;
        }
    }
    // SAFETY: places are addresses of constants, and whoever runs beside this one stores one, too.
    unsafe { oxbow_site }
}

fn caller() -> *const c_char {
    if domain::are_there() {
        // SAFETY: the variables are this thread's.
        unsafe { (*thread::current()).caller }
    } else {
        // SAFETY: only the program's thread writes it, and calls this.
        unsafe { oxbow_caller }
    }
}

/// For messages of the library's own.
#[unsafe(no_mangle)]
pub extern "C" fn oxbow_sys_caller() -> *mut u8 {
    let caller = caller();
    // SAFETY: places that are not null are C strings of the program.
    let text = if caller.is_null() { b"" } else { unsafe { CStr::from_ptr(caller) }.to_bytes() };
    // SAFETY: the text outlives the call, which copies it.
    unsafe { string_from(text) }
}

/// The place that a message names: one of the program's own text if it is known.
pub(crate) fn named_site(given: *const c_char) -> *const c_char {
    let site = if given.is_null() { site() } else { given };
    let caller = caller();
    if caller.is_null() || site.is_null() {
        return if site.is_null() { caller } else { site };
    }
    // SAFETY: places that are not null are C strings of the program.
    let text = unsafe { CStr::from_ptr(site) }.to_bytes();
    if text.starts_with(oxbow_abi::LIBRARY_FILES.as_bytes()) { caller } else { site }
}
