//! The process and its surroundings.

use core::ffi::CStr;
use core::ptr::null;

use libc::{c_char, c_int};

use crate::io::last_error;
use crate::object::{c_string, string_from};
use crate::{thread, trouble};

static mut ARGC: c_int = 0;
static mut ARGV: *const *const c_char = null();

/// Sets what [`oxbow_sys_argc`] and [`oxbow_sys_argv`] tell: `argc` C strings that live as long as the program.
pub(crate) unsafe fn set_arguments(argc: c_int, argv: *const *const c_char) {
    // SAFETY: only the program's thread uses the variables, and it does not run yet.
    unsafe {
        ARGC = argc;
        ARGV = argv;
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_sys_exit(code: i64) -> ! {
    // What functions of C have printed.
    // SAFETY: null is allowed, and means all of C's files.
    unsafe { libc::fflush(core::ptr::null_mut()) };
    trouble::exit(code as c_int)
}

/// Prints OCaml's message for an uncaught `Stack_overflow` and exits.
pub(crate) fn stack_overflow() -> ! {
    trouble::fatal(b"exception Stack_overflow")
}

/// Sets the address below which [`oxbow_stack_low`] says so.
pub(crate) unsafe fn set_stack_limit(limit: usize) {
    // SAFETY: the variables are this thread's.
    unsafe {
        let thread = thread::current();
        (*thread).stack_limit = limit;
        (*thread).root.limit = limit;
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_stack_low() -> u8 {
    let here = 0_u8;
    // SAFETY: it is set before the program runs, by the same thread.
    u8::from((&raw const here as usize) < unsafe { (*thread::current()).stack_limit })
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_sys_argc() -> i64 {
    // SAFETY: it is set before the program runs, by the same thread.
    unsafe { ARGC }.into()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_sys_argv(index: i64) -> *mut u8 {
    // SAFETY: there are `ARGC` arguments, C strings of the process, and the index is one of them.
    unsafe {
        if index < 0 || index >= i64::from(ARGC) {
            trouble::abort_with(b"no such argument");
        }
        string_from(CStr::from_ptr(*ARGV.add(index as usize)).to_bytes())
    }
}

/// What a variable is set to. It must be copied before anything changes the environment.
unsafe fn environment<'a>(name: *mut u8) -> Option<&'a CStr> {
    // SAFETY: the name is a C string, and so is what `getenv` finds; the lifetime is the caller's to choose, as said.
    unsafe {
        let value = libc::getenv(c_string(name)?);
        (!value.is_null()).then(|| CStr::from_ptr(value))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_sys_has_env(name: *mut u8) -> u8 {
    // SAFETY: compiled code passes a string, and the value is not looked at.
    unsafe { environment(name) }.is_some().into()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_sys_getenv(name: *mut u8) -> *mut u8 {
    // SAFETY: compiled code passes a string, and the value is copied at once.
    unsafe { string_from(environment(name).map_or(b"", CStr::to_bytes)) }
}

fn clock(which: libc::clockid_t) -> libc::timespec {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the result goes to a variable of the type. Should it fail, the time is 0.
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
    // SAFETY: the variable has as many bytes as are asked for, and may have any bits.
    let count = unsafe { libc::getrandom((&raw mut bits).cast(), size_of::<i64>(), 0) };
    if count != size_of::<i64>() as isize {
        let time = clock(libc::CLOCK_MONOTONIC);
        // SAFETY: it has no precondition.
        let process = i64::from(unsafe { libc::getpid() });
        bits = time.tv_nsec ^ (time.tv_sec << 30) ^ process << 40;
    }
    // Within 63 bits.
    bits >> 1
}

unsafe fn status(path: *mut u8) -> Option<libc::stat> {
    // SAFETY: the path is a C string, and the result is used only where `stat` has filled it in.
    unsafe {
        let mut status = core::mem::MaybeUninit::uninit();
        let done = libc::stat(c_string(path)?, status.as_mut_ptr()) == 0;
        done.then(|| status.assume_init())
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_sys_file_exists(path: *mut u8) -> u8 {
    // SAFETY: compiled code passes a string.
    unsafe { status(path) }.is_some().into()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_sys_is_directory(path: *mut u8) -> u8 {
    // SAFETY: compiled code passes a string.
    unsafe { status(path) }.is_some_and(|it| it.st_mode & libc::S_IFMT == libc::S_IFDIR).into()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_sys_remove(path: *mut u8) -> i64 {
    // SAFETY: compiled code passes a string, which is not changed before C has read it.
    let Some(result) = (unsafe { c_string(path).map(|it| libc::unlink(it)) }) else {
        return libc::ENOENT.into();
    };
    if result == 0 { 0 } else { last_error().into() }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_sys_error_message(error: i64) -> *mut u8 {
    let mut buffer = [0 as c_char; 256];
    // SAFETY: the buffer is as long as C is told, and its last byte stays a NUL.
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
