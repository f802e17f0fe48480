//! Weak references: how many of an object's references are weak.
//!
//! ```text
//! a ──▶ object ◀┄┄ weak array         2 references, 1 of them weak: alive
//!       object ◀┄┄ weak array         1 reference, 1 of them weak: nobody else could tell that it is there
//! ```
//!
//! A weak reference is counted as any other. An object all of whose references are weak is dead, whoever asks; the
//! library drops it when it finds out.

use oxbow_abi::{FRAME_BIT, ObjectKind, STATIC_BIT, header_kind};

use crate::addresses::Addresses;
use crate::cycles;
use crate::heap::{count_of, header_of};
use crate::object::data;

static mut WEAK: Addresses = Addresses::new();

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_weak_count(array: *mut u8, index: i64, change: i64) -> u8 {
    // SAFETY: compiled code passes an array, the library an index within it; so the element of an array of pointers is
    // a value, and an object if it is even. Only the program's thread uses the table.
    unsafe {
        if header_kind(header_of(array)) != ObjectKind::PointerArray as u8 {
            return 0;
        }
        let object = data(array).cast::<*mut u8>().add(index as usize).read();
        let elsewhere = 1 << STATIC_BIT | 1 << FRAME_BIT;
        if object as usize & 1 != 0 || header_of(object) & elsewhere != 0 {
            return 0;
        }
        let table = &mut *(&raw mut WEAK);
        let weak = table.get(object as usize).unwrap_or(0) as i64 + change;
        if weak > 0 {
            table.set(object as usize, weak as usize);
        } else {
            table.remove(object as usize);
        }
        u8::from(weak > i64::from(count_of(object).read()))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_gc_scan() {
    // SAFETY: the program calls this between its own operations, so that every object has its fields.
    unsafe { cycles::scan_all() }
}
