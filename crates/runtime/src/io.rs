//! File descriptors. Results are minus the error number when something failed.

use libc::c_int;

use crate::handlers;
use crate::object::{c_string, data};

/// The number of the last failed system call.
pub(crate) fn last_error() -> c_int {
    // SAFETY: the C library has a variable for each thread, which is always there.
    unsafe { *libc::__errno_location() }
}

fn result(value: i64) -> i64 {
    if value < 0 { -i64::from(last_error()) } else { value }
}

const WRITE: i64 = 1;
const APPEND: i64 = 2;
const CREATE: i64 = 4;
const TRUNCATE: i64 = 8;
const EXCLUSIVE: i64 = 16;
const NONBLOCK: i64 = 32;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_io_open(path: *mut u8, flags: i64, permissions: i64) -> i64 {
    // SAFETY: compiled code passes a string.
    let Some(path) = (unsafe { c_string(path) }) else {
        return -i64::from(libc::ENOENT);
    };
    let mut mode = libc::O_CLOEXEC;
    for (flag, c_flag) in [
        (WRITE, libc::O_WRONLY),
        (APPEND, libc::O_APPEND),
        (CREATE, libc::O_CREAT),
        (TRUNCATE, libc::O_TRUNC),
        (EXCLUSIVE, libc::O_EXCL),
        (NONBLOCK, libc::O_NONBLOCK),
    ] {
        if flags & flag != 0 {
            mode |= c_flag;
        }
    }
    loop {
        // SAFETY: the path is a C string within an object that is alive until this returns.
        let descriptor = unsafe { libc::open(path, mode, permissions as libc::mode_t) };
        if descriptor >= 0 || last_error() != libc::EINTR {
            return result(descriptor.into());
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_io_close(descriptor: i64) -> i64 {
    // SAFETY: the descriptor is the program's; a wrong one is an error number.
    result(unsafe { libc::close(descriptor as c_int) }.into())
}

/// Writes a part of a string, once; how many bytes the system took, or the negative number of an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_io_write(
    descriptor: i64,
    bytes: *mut u8,
    pos: i64,
    len: i64,
) -> i64 {
    // SAFETY: compiled code passes a string, and the library has checked that the range lies within it.
    let start = unsafe { data(bytes).add(pos as usize) };
    let mut len = len as usize;
    loop {
        // SAFETY: a part of the range.
        let count = unsafe { libc::write(descriptor as c_int, start.cast(), len) };
        if count >= 0 {
            return count as i64;
        }
        match last_error() {
            libc::EINTR if !handlers::is_pending() => (),
            // A pipe takes a short text as a whole or not at all; there may be room for a part of it.
            libc::EAGAIN if len > 1 => len = 1,
            error => return -i64::from(error),
        }
    }
}

/// Reads from a descriptor into a part of bytes; how many there were, or the negative number of an error.
///
/// # Safety
/// `bytes` is an object that has room for `len` bytes from `pos`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_io_read(descriptor: i64, bytes: *mut u8, pos: i64, len: i64) -> i64 {
    loop {
        // SAFETY: compiled code passes bytes, and the library has checked that the range lies within them.
        let count = unsafe {
            let start = data(bytes).add(pos as usize);
            libc::read(descriptor as c_int, start.cast(), len as usize)
        };
        if count >= 0 {
            return count as i64;
        }
        match last_error() {
            libc::EINTR if !handlers::is_pending() => (),
            error => return -i64::from(error),
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_io_seek(descriptor: i64, offset: i64, whence: i64) -> i64 {
    let whence = match whence {
        0 => libc::SEEK_SET,
        1 => libc::SEEK_CUR,
        _ => libc::SEEK_END,
    };
    // SAFETY: a wrong descriptor is an error number.
    result(unsafe { libc::lseek(descriptor as c_int, offset, whence) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::string_from;
    use crate::string::oxbow_bytes_create;
    use crate::testing::{program, string, text};

    #[test]
    fn files() {
        let _program = program();
        let path = std::env::temp_dir().join(format!("oxbow-runtime-io-{}", std::process::id()));
        let path = path.to_str().expect("a plain path");
        unsafe {
            assert_eq!(oxbow_io_open(string(path), 0, 0), -i64::from(libc::ENOENT));
            let file = oxbow_io_open(string(path), WRITE | CREATE | EXCLUSIVE, 0o600);
            assert!(file >= 0);
            assert_eq!(oxbow_io_write(file, string("..hello world"), 2, 11), 11);
            assert_eq!(oxbow_io_close(file), 0);
            let again = oxbow_io_open(string(path), WRITE | CREATE | EXCLUSIVE, 0o600);
            assert_eq!(again, -i64::from(libc::EEXIST));

            let file = oxbow_io_open(string(path), WRITE | APPEND, 0);
            assert_eq!(oxbow_io_write(file, string("!"), 0, 1), 1);
            assert_eq!(oxbow_io_close(file), 0);

            let file = oxbow_io_open(string(path), 0, 0);
            let bytes = oxbow_bytes_create(7);
            crate::string::oxbow_bytes_fill(bytes, 0, 7, b'.'.into());
            assert_eq!(oxbow_io_seek(file, 6, 0), 6);
            assert_eq!(oxbow_io_read(file, bytes, 1, 3), 3);
            assert_eq!(text(bytes), ".wor...");
            assert_eq!(oxbow_io_seek(file, 0, 1), 9);
            assert_eq!(oxbow_io_seek(file, -1, 2), 11);
            assert_eq!(oxbow_io_read(file, bytes, 0, 7), 1);
            assert_eq!(oxbow_io_read(file, bytes, 0, 7), 0);
            assert_eq!(oxbow_io_close(file), 0);
        }
        std::fs::remove_file(path).expect("it was there");
    }

    #[test]
    fn errors_are_numbers() {
        let _program = program();
        unsafe {
            let nul = string_from(b"a\0b");
            assert_eq!(oxbow_io_open(nul, 0, 0), -i64::from(libc::ENOENT));
            assert_eq!(oxbow_io_write(-1, nul, 0, 3), -i64::from(libc::EBADF));
            assert_eq!(oxbow_io_read(-1, nul, 0, 3), -i64::from(libc::EBADF));
            assert_eq!(oxbow_io_close(-1), -i64::from(libc::EBADF));
            assert_eq!(oxbow_io_seek(-1, 0, 0), -i64::from(libc::EBADF));
        }
    }
}
