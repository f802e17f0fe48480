//! The process and its surroundings.

use core::ffi::CStr;
use core::ptr::null;

use libc::{c_char, c_int};

use crate::io::last_error;
use crate::object::{c_string, contents, string_from};
use crate::trouble;

static mut ARGC: c_int = 0;
static mut ARGV: *const *const c_char = null();

/// Sets what [`oxbow_sys_argc`] and [`oxbow_sys_argv`] tell.
pub(crate) unsafe fn set_arguments(argc: c_int, argv: *const *const c_char) {
    unsafe {
        ARGC = argc;
        ARGV = argv;
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_sys_exit(code: i64) -> ! {
    // What functions of C have printed.
    // SAFETY: null means all of C's files.
    unsafe { libc::fflush(core::ptr::null_mut()) };
    trouble::exit(code as c_int)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_sys_abort(message: *mut u8) -> ! {
    trouble::abort_with(unsafe { contents(message) })
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_stack_overflow() -> ! {
    trouble::fatal(b"exception Stack_overflow")
}

/// The address below which [`oxbow_stack_low`] says so.
pub(crate) static mut STACK_LIMIT: usize = 0;

/// Sets the address below which [`oxbow_stack_low`] says so.
pub(crate) unsafe fn set_stack_limit(limit: usize) {
    unsafe { STACK_LIMIT = limit };
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_stack_low() -> u8 {
    let here = 0_u8;
    // SAFETY: it is set before the program runs.
    u8::from((&raw const here as usize) < unsafe { STACK_LIMIT })
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_sys_argc() -> i64 {
    // SAFETY: it is set before the program runs.
    unsafe { ARGC }.into()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_sys_argv(index: i64) -> *mut u8 {
    unsafe {
        if index < 0 || index >= i64::from(ARGC) {
            trouble::abort_with(b"no such argument");
        }
        string_from(CStr::from_ptr(*ARGV.add(index as usize)).to_bytes())
    }
}

unsafe fn environment(name: *mut u8) -> Option<&'static CStr> {
    unsafe {
        let value = libc::getenv(c_string(name)?);
        (!value.is_null()).then(|| CStr::from_ptr(value))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_sys_has_env(name: *mut u8) -> u8 {
    unsafe { environment(name) }.is_some().into()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_sys_getenv(name: *mut u8) -> *mut u8 {
    unsafe { string_from(environment(name).map_or(b"", CStr::to_bytes)) }
}

fn clock(which: libc::clockid_t) -> libc::timespec {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: there is a place for the result. Should it fail, the time is 0.
    unsafe { libc::clock_gettime(which, &mut time) };
    time
}

fn seconds(time: libc::timespec) -> f64 {
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_sys_time() -> f64 {
    seconds(clock(libc::CLOCK_PROCESS_CPUTIME_ID))
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_sys_wall_time() -> f64 {
    seconds(clock(libc::CLOCK_REALTIME))
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_sys_entropy() -> i64 {
    let mut bits = 0_i64;
    // SAFETY: the buffer is the variable.
    let count = unsafe { libc::getrandom((&raw mut bits).cast(), size_of::<i64>(), 0) };
    if count != size_of::<i64>() as isize {
        let time = clock(libc::CLOCK_MONOTONIC);
        bits = time.tv_nsec ^ (time.tv_sec << 30) ^ i64::from(unsafe { libc::getpid() }) << 40;
    }
    // Within 63 bits.
    bits >> 1
}

unsafe fn status(path: *mut u8) -> Option<libc::stat> {
    unsafe {
        let mut status = core::mem::MaybeUninit::uninit();
        let done = libc::stat(c_string(path)?, status.as_mut_ptr()) == 0;
        done.then(|| status.assume_init())
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_sys_file_exists(path: *mut u8) -> u8 {
    unsafe { status(path) }.is_some().into()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_sys_is_directory(path: *mut u8) -> u8 {
    unsafe { status(path) }.is_some_and(|it| it.st_mode & libc::S_IFMT == libc::S_IFDIR).into()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_sys_remove(path: *mut u8) -> i64 {
    let Some(path) = (unsafe { c_string(path) }) else {
        return libc::ENOENT.into();
    };
    if unsafe { libc::unlink(path) } == 0 { 0 } else { last_error().into() }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_sys_error_message(error: i64) -> *mut u8 {
    let mut buffer = [0 as c_char; 256];
    unsafe {
        // It fills in a text for unknown numbers too.
        libc::strerror_r(error as c_int, buffer.as_mut_ptr(), buffer.len() - 1);
        string_from(CStr::from_ptr(buffer.as_ptr()).to_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{program, string, text};

    #[test]
    fn arguments() {
        let _program = program();
        let arguments = [c"prog".as_ptr(), c"".as_ptr(), c"two words".as_ptr(), null()];
        unsafe {
            set_arguments(3, arguments.as_ptr());
            assert_eq!(oxbow_sys_argc(), 3);
            assert_eq!(text(oxbow_sys_argv(0)), "prog");
            assert_eq!(text(oxbow_sys_argv(1)), "");
            assert_eq!(text(oxbow_sys_argv(2)), "two words");
            set_arguments(0, null());
        }
    }

    #[test]
    fn variables() {
        let _program = program();
        unsafe {
            assert_eq!(oxbow_sys_has_env(string("PATH")), 1);
            let path = std::env::var("PATH").expect("tests run with a path");
            assert_eq!(text(oxbow_sys_getenv(string("PATH"))), path);
            assert_eq!(oxbow_sys_has_env(string("OXBOW_IS_NOT_SET")), 0);
            assert_eq!(oxbow_sys_has_env(string("PATH\0")), 0);
            assert_eq!(text(oxbow_sys_getenv(string("OXBOW_IS_NOT_SET"))), "");
        }
    }

    #[test]
    fn clocks() {
        assert!(oxbow_sys_time() >= 0.0);
        assert!(oxbow_sys_wall_time() > 1.7e9);
        assert_ne!(oxbow_sys_entropy(), oxbow_sys_entropy());
    }

    #[test]
    fn files() {
        let _program = program();
        unsafe {
            assert_eq!(oxbow_sys_file_exists(string("/")), 1);
            assert_eq!(oxbow_sys_is_directory(string("/")), 1);
            assert_eq!(oxbow_sys_is_directory(string("/dev/null")), 0);
            assert_eq!(oxbow_sys_file_exists(string("/does/not/exist")), 0);
            assert_eq!(oxbow_sys_remove(string("/does/not/exist")), i64::from(libc::ENOENT));
            let message = text(oxbow_sys_error_message(libc::ENOENT.into()));
            assert_eq!(message, "No such file or directory");
            assert_eq!(text(oxbow_sys_error_message(9999)), "Unknown error 9999");
        }
    }
}
