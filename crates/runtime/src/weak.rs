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
use crate::domain::{self, Reentrant};
use crate::heap::{add_references, drop_reference, header_of, visit_parts};
use crate::object::data;
use crate::{copy, cycles, epoch, shared};

static mut WEAK: Addresses = Addresses::new();
/// Who uses the table, if there are domains.
static LOCK: Reentrant = Reentrant::new();

/// Is the element of an array an object that is counted? Which one?
unsafe fn counted(array: *mut u8, index: i64) -> Option<*mut u8> {
    // SAFETY: compiled code passes an array, the library an index within it; so the element of an array of pointers is
    // a value, and an object if it is even.
    unsafe {
        if header_kind(header_of(array)) != ObjectKind::PointerArray as u8 {
            return None;
        }
        let object = data(array).cast::<*mut u8>().add(index as usize).read();
        let elsewhere = 1 << STATIC_BIT | 1 << FRAME_BIT;
        (object as usize & 1 == 0 && header_of(object) & elsewhere == 0).then_some(object)
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_weak_count(array: *mut u8, index: i64, change: i64) -> u8 {
    // SAFETY: the contract is that of `counted`. The table is used by one thread at a time.
    unsafe {
        let Some(object) = counted(array, index) else { return 0 };
        let is_shared = domain::are_there();
        if is_shared {
            LOCK.lock();
        }
        let table = &mut *(&raw mut WEAK);
        let weak = table.get(object as usize).unwrap_or(0) as i64 + change;
        if weak > 0 {
            table.set(object as usize, weak as usize);
        } else {
            table.remove(object as usize);
        }
        if is_shared {
            LOCK.unlock();
        }
        u8::from(weak > 0 && weak >= shared::references(object))
    }
}

/// Puts a copy of an object in its place; what is counted by identity (functions, exceptions) stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_weak_copy(array: *mut u8, index: i64) {
    // SAFETY: the contract is that of `counted`; the array has a reference to the object, and gets that to the copy
    // instead, which has references of its own to all that it holds.
    unsafe {
        let Some(object) = counted(array, index) else { return };
        let Some(copy) = copy::copy(object) else { return };
        visit_parts(copy, header_of(copy), &mut |part| add_references(part.read(), 1));
        data(array).cast::<*mut u8>().add(index as usize).write(copy);
        drop_reference(object);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_gc_scan() {
    // SAFETY: the program calls this between its own operations, so that every object has its fields, and compiled
    // code keeps nothing that it has not counted.
    unsafe {
        epoch::settle();
        cycles::scan_all();
    }
}
