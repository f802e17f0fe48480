//! For unit tests: one at a time acts as the program, since the region is global.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::object::{contents, string_from};

static PROGRAM: Mutex<()> = Mutex::new(());

pub(crate) fn program() -> MutexGuard<'static, ()> {
    PROGRAM.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) unsafe fn string(text: &str) -> *mut u8 {
    unsafe { string_from(text.as_bytes()) }
}

pub(crate) unsafe fn text(object: *mut u8) -> String {
    String::from_utf8_lossy(unsafe { contents(object) }).into_owned()
}
