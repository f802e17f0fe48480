//! Ways to end the process with one line on stderr.

use core::ffi::c_char;

use libc::c_int;

/// Writes everything to stderr, as far as that is possible.
pub(crate) fn complain(parts: &[&[u8]]) {
    for part in parts {
        // SAFETY: the address and the length are those of a slice.
        // A failure to write leaves nobody to tell.
        let _ = unsafe { libc::write(libc::STDERR_FILENO, part.as_ptr().cast(), part.len()) };
    }
}

/// The standard error, for formatted text.
pub(crate) struct Stderr;

impl core::fmt::Write for Stderr {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        complain(&[text.as_bytes()]);
        Ok(())
    }
}

/// The program cannot go on; nothing is wrong with the runtime.
#[cold]
pub(crate) fn fatal(message: &[u8]) -> ! {
    complain(&[b"Fatal error: ", message, b"\n"]);
    exit(oxbow_abi::EXIT_FATAL)
}

static mut FLUSH: Option<unsafe extern "C" fn()> = None;
static mut CAN_FLUSH: bool = false;

/// Sets what writes the program's buffers.
pub(crate) unsafe fn set_flush(flush: Option<unsafe extern "C" fn()>) {
    // SAFETY: only the program's thread uses the variables, and it does not run yet.
    unsafe {
        FLUSH = flush;
        CAN_FLUSH = false;
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_flush_ready() {
    // SAFETY: only the program's thread uses it, and calls this.
    unsafe { CAN_FLUSH = true };
}

/// Writes the program's buffers, once: writing could want memory, too.
fn flush() {
    // SAFETY: only the program's thread uses the variables; `start` was given a function that can be called, and
    // the program has said that its buffers exist.
    unsafe {
        if let Some(flush) = FLUSH
            && CAN_FLUSH
        {
            FLUSH = None;
            flush();
        }
    }
}

/// There is no memory for what a function of another crate computes.
#[cold]
pub fn no_memory() -> ! {
    out_of_memory(core::ptr::null())
}

/// `site` names the place in the source that allocates; if it is null, the last place that
/// called the runtime does. Of code of the library it is the place that called it.
#[cold]
pub(crate) fn out_of_memory(site: *const c_char) -> ! {
    let site = crate::places::named_site(site);
    flush();
    if site.is_null() {
        fatal(b"out of memory");
    }
    // SAFETY: by the contract it is a C string that is there as long as the program.
    let site = unsafe { core::ffi::CStr::from_ptr(site) }.to_bytes();
    complain(&[b"Fatal error: out of memory at ", site, b"\n"]);
    exit(oxbow_abi::EXIT_FATAL)
}

/// Something happened that compiled code or the runtime rules out.
#[cold]
pub fn abort_with(message: &[u8]) -> ! {
    complain(&[b"oxbow runtime: ", message, b"\n"]);
    // SAFETY: it has no precondition.
    unsafe { libc::abort() }
}

/// Ends the process at once: no C exit handlers, nothing flushed.
pub(crate) fn exit(code: c_int) -> ! {
    crate::checked::ended();
    // SAFETY: it has no precondition.
    unsafe { libc::_exit(code) }
}
