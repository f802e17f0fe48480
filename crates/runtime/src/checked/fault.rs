//! What is said of a fault in the use of memory.

use core::ffi::{CStr, c_char};
use core::fmt::Write;

use oxbow_abi::ObjectKind;

use super::table::{Life, Record};
use super::{EXIT_FAULT, SHARED, state};
use crate::trouble::{Stderr, exit};

/// Tells what happened to an object, and ends the program.
#[cold]
pub(super) fn fault(record: &Record, what: &str, site: *const c_char) -> ! {
    let it = state().sites.all()[record.site as usize];
    let when = match record.life {
        Life::Left => "after its function has ended",
        Life::RegionLeft => "after its region was left",
        Life::Dead | Life::Gone => "after it was freed",
        Life::Alive if what == "write behind the end" => "",
        Life::Alive if what == SHARED => "that somebody else has",
        Life::Alive => "while it is being freed",
    };
    let mut out = Stderr;
    // Nobody is left to tell about a failure to write.
    let _ = write!(out, "oxbow: memory fault: {what} of a {} {when}", kind_name(it.kind));
    if !site.is_null() {
        let _ = write!(out, " at {}", place(site));
    }
    let _ = write!(out, " (allocated at {}", place(it.place));
    if !record.freed_at.is_null() && record.life == Life::RegionLeft {
        let _ = write!(out, ", left at {}", place(record.freed_at));
    } else if !record.freed_at.is_null() {
        let _ = write!(out, ", freed at {}", place(record.freed_at));
    }
    let _ = writeln!(out, ")");
    exit(EXIT_FAULT)
}

pub(super) fn place(site: *const c_char) -> &'static str {
    if site.is_null() {
        return "the runtime";
    }
    // SAFETY: by the contract it is a C string that is there as long as the program.
    unsafe { CStr::from_ptr(site) }.to_str().unwrap_or("a place whose name is no text")
}

/// What an object of this kind is called.
pub fn kind_name(kind: u8) -> &'static str {
    const NAMES: [(ObjectKind, &str); 11] = [
        (ObjectKind::Tuple, "tuple or record"),
        (ObjectKind::Variant, "constructor"),
        (ObjectKind::Closure, "closure"),
        (ObjectKind::Exception, "exception"),
        (ObjectKind::Cell, "mutable cell"),
        (ObjectKind::Box, "boxed number"),
        (ObjectKind::String, "string"),
        (ObjectKind::ScalarArray, "array of numbers"),
        (ObjectKind::PointerArray, "array"),
        (ObjectKind::StructArray, "array of pairs"),
        (ObjectKind::Fiber, "fibre"),
    ];
    NAMES.iter().find(|it| it.0 as u8 == kind).map_or("object", |it| it.1)
}
