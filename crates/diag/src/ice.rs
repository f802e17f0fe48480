//! Internal errors: a broken invariant of the compiler itself.

/// The exit code of the compiler after an internal error.
pub const OUR_FAULT: i32 = 101;

/// The payload of an internal error's panic; the command line turns it into a
/// crash report with exit code [`OUR_FAULT`].
#[derive(Debug, Clone)]
pub struct InternalError {
    pub message: String,
    pub file: &'static str,
    pub line: u32,
}

/// Stops with an internal error: the fault is the compiler's, not the user's.
#[macro_export]
macro_rules! ice {
    ($($arg:tt)*) => {
        ::std::panic::panic_any($crate::InternalError { message: format!($($arg)*), file: file!(), line: line!() })
    };
}
