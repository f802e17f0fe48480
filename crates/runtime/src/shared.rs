//! Objects that several domains may have (decision 110).
//!
//! ```text
//! count >= 0   one domain has the object, and counts by plain arithmetic
//! count <  0   shared: SHARED - references, counted by atomic operations; what it refers to is shared as well
//! ```
//!
//! An object is shared when a reference to it is put where another domain can find it: into a shared object or a
//! variable of the program. Until then only the domain that made it has it, so that the change needs no care.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicI32, AtomicPtr, Ordering, fence};

use oxbow_abi::{
    FRAME_BIT, HEADER_SIZE, IMMORTAL, LARGEST_CELL, ObjectKind, SHARED, SHARED_IMMORTAL_LIMIT,
    SHARED_LIMIT, STATIC_BIT, SUSPECT_BIT, header_kind,
};

use crate::heap::{cell_of, count_of, header_of, visit_parts};
use crate::trouble::abort_with;
use crate::{checked, cycles, domain, epoch, fiber, pages};

#[inline]
unsafe fn counter<'a>(object: *mut u8) -> &'a AtomicI32 {
    // SAFETY: every object has a header, which begins with the count.
    unsafe { AtomicI32::from_ptr(count_of(object)) }
}

/// Is the object shared, or a constant?
#[inline]
pub(crate) unsafe fn is_shared(object: *mut u8) -> bool {
    // SAFETY: the object is alive.
    unsafe { counter(object).load(Ordering::Relaxed) < SHARED_LIMIT }
}

/// How many references there are to an object that is no constant.
pub(crate) unsafe fn references(object: *mut u8) -> i64 {
    // SAFETY: the object is alive.
    let count = unsafe { counter(object).load(Ordering::Relaxed) };
    i64::from(if count < SHARED_LIMIT { SHARED - count } else { count + 1 })
}

/// Adds references to an object, whoever has it.
#[inline]
pub(crate) unsafe fn add(object: *mut u8, more: i32) {
    // SAFETY: the object is alive, since the caller looks at it.
    unsafe {
        let count = counter(object);
        let old = count.load(Ordering::Relaxed);
        if old >= SHARED_LIMIT {
            count.store(old + more, Ordering::Relaxed);
        } else if old >= SHARED_IMMORTAL_LIMIT {
            count.fetch_sub(more, Ordering::Relaxed);
        }
    }
}

/// Takes one reference to a value away; was it the last?
#[inline]
unsafe fn dies(value: *mut u8) -> bool {
    if value as usize & 1 != 0 || value.is_null() {
        return false;
    }
    // SAFETY: by the contract an even word is an object, which is alive.
    unsafe {
        let count = counter(value);
        let old = count.load(Ordering::Relaxed);
        if old >= SHARED_LIMIT {
            if old != 0 {
                count.store(old - 1, Ordering::Relaxed);
            }
            return old == 0;
        }
        if old < SHARED_IMMORTAL_LIMIT {
            return false;
        }
        let is_last = count.fetch_add(1, Ordering::Release) == SHARED - 1;
        if is_last {
            fence(Ordering::Acquire);
        }
        is_last
    }
}

/// Takes one reference to a value away.
pub(crate) unsafe fn drop_reference(value: *mut u8) {
    // SAFETY: the reference is the caller's.
    unsafe {
        if dies(value) {
            release(value);
        }
    }
}

/// Ends the life of an object whose last reference is gone, and of everything that only it referred to. The first part
/// of an object goes before the others, as in `oxbow_release`.
unsafe fn release(object: *mut u8) {
    // SAFETY: nobody else has the object; the same holds for its parts that die. Nothing is borrowed from the list of
    // those that wait while others use it.
    unsafe {
        let waiting = &raw mut (*domain::local()).waiting;
        let first = (*waiting).len();
        let mut object = object;
        loop {
            let header = header_of(object);
            let mut next: *mut u8 = null_mut();
            if header & (1 << STATIC_BIT) != 0 {
                count_of(object).write(IMMORTAL as i32);
            } else {
                if header_kind(header) == ObjectKind::Fiber as u8 {
                    fiber::died(object);
                }
                visit_parts(object, header, &mut |part| {
                    let part = part.read();
                    if dies(part) {
                        if !next.is_null() {
                            (*waiting).push(next);
                        }
                        next = part;
                    }
                });
                if header & (1 << FRAME_BIT) == 0 {
                    free(object, header);
                }
            }
            if next.is_null() {
                if (*waiting).len() == first {
                    fiber::unwind_dead();
                    return;
                }
                next = (*waiting).pop();
            }
            object = next;
        }
    }
}

/// Gives the cell of an object back, to whomever it belongs.
pub(crate) unsafe fn free(object: *mut u8, header: u64) {
    // SAFETY: nobody uses the object any more. One that is noted for the scan is this domain's.
    unsafe {
        cycles::died(object, header);
        let (cell, size) = cell_of(object, header);
        if size > LARGEST_CELL {
            pages::discharge(size as usize);
            libc::free(cell.cast());
        } else {
            domain::free_cell(cell, size);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_shared_dup(object: *mut u8) {
    // SAFETY: compiled code passes an object that is alive.
    unsafe { add(object, 1) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_shared_drop(object: *mut u8) {
    // SAFETY: compiled code gives a reference away.
    unsafe { drop_reference(object) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_publish(value: *mut u8) {
    // Where memory is checked, everything is counted under a lock.
    if checked::is_on() {
        return;
    }
    // SAFETY: what is not shared is this domain's, and so is what it refers to, unless that is shared: then all that it
    // reaches is. Nothing comes back here meanwhile.
    unsafe {
        let waiting = &raw mut (*domain::local()).publishing;
        let mut value = value;
        loop {
            if value as usize & 1 == 0 && !value.is_null() && !is_shared(value) {
                share(value);
                visit_parts(value, header_of(value), &mut |part| (*waiting).push(part.read()));
            }
            match (*waiting).pop() {
                Some(next) => value = next,
                None => return,
            }
        }
    }
}

/// The object, which is this domain's alone, is shared from now on.
unsafe fn share(object: *mut u8) {
    // SAFETY: only this thread knows the object.
    unsafe {
        let header = header_of(object);
        if header & (1 << STATIC_BIT | 1 << FRAME_BIT) != 0 {
            abort_with(b"an object of a frame or a region is shared");
        }
        if header & (1 << SUSPECT_BIT) != 0 {
            // Its entry is stale from now on.
            cycles::died(object, header);
            let word = object.sub(HEADER_SIZE as usize).cast::<u64>();
            word.write(header & !(1 << SUSPECT_BIT));
        }
        counter(object).store(SHARED - (header as i32) - 1, Ordering::Relaxed);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_shared_store(place: *mut u8, value: *mut u8) {
    // SAFETY: compiled code passes a place for values, whose reference to what was there goes to `retire`.
    unsafe {
        oxbow_publish(value);
        let old = AtomicPtr::from_ptr(place.cast::<*mut u8>()).swap(value, Ordering::SeqCst);
        if old as usize & 1 == 0 && !old.is_null() {
            epoch::retire(old);
        } else {
            epoch::pass();
        }
    }
}
