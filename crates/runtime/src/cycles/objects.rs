//! What a scan asks of an object, and does to its count.

use oxbow_abi::{FRAME_BIT, SHARED_LIMIT, STATIC_BIT, header_pointers};

use super::{SUSPECT, SUSPECT_INFO};
use crate::domain;
use crate::grow::Grow;
use crate::heap::{count_of, info_of, visit_parts};

/// Objects that no count frees, or whose memory is that of a frame.
pub(super) const ELSEWHERE: u64 = 1 << STATIC_BIT | 1 << FRAME_BIT;

/// Taken from the counts of objects that a scan looks at, until it knows that they are needed.
pub(super) fn grey() -> i32 {
    // Between the counts of a domain's own objects and those of shared ones there is less room.
    if domain::are_there() { -(SHARED_LIMIT / 2) } else { 1 << 30 }
}

/// The memory of a cell that is not large stays when it is free, so this can be asked of suspects that have died.
pub(super) unsafe fn is_marked(object: *mut u8) -> bool {
    // SAFETY: by the contract the word before an object is its header, or was.
    unsafe { shape_of(object) & SUSPECT != 0 }
}

/// The header without the count, which may just have been written: a load of both would wait for that.
pub(super) unsafe fn shape_of(object: *mut u8) -> u64 {
    // SAFETY: by the contract the word before an object is its header.
    unsafe { u64::from(info_of(object).read()) << 32 }
}

pub(super) unsafe fn mark(object: *mut u8) {
    // SAFETY: the object is alive, so its header may change.
    unsafe { *info_of(object) |= SUSPECT_INFO }
}

pub(super) unsafe fn unmark(object: *mut u8) {
    // SAFETY: as above.
    unsafe { *info_of(object) &= !SUSPECT_INFO }
}

/// Is the scan looking at the object, and does not know yet that it is needed? The counts of others are nowhere near.
pub(super) unsafe fn is_grey(object: *mut u8) -> bool {
    // SAFETY: by the contract the object has a count.
    unsafe { *count_of(object) < -(grey() / 2) }
}

/// Can the value be part of a cycle?
pub(super) unsafe fn is_inner(value: *mut u8) -> bool {
    if value as usize & 1 != 0 || value.is_null() {
        return false;
    }
    // SAFETY: by the contract an even word is an object.
    let header = unsafe { shape_of(value) };
    // Shared objects refer to no others, and nobody else may count in those of this domain.
    let is_own = || {
        // SAFETY: as above.
        !domain::are_there() || unsafe { *count_of(value) } >= SHARED_LIMIT
    };
    header & ELSEWHERE == 0 && header_pointers(header) != 0 && is_own()
}

/// Does the scan look at the value? It can be in a cycle, and is no old suspect.
#[inline]
pub(super) unsafe fn is_new(value: *mut u8) -> bool {
    // SAFETY: as in `is_inner`.
    unsafe { is_inner(value) && !is_marked(value) }
}

/// Calls `visit` with each part of an object that is an object, too.
#[inline]
pub(super) unsafe fn for_each_object(object: *mut u8, mut visit: impl FnMut(*mut u8)) {
    // SAFETY: by the contract the object has its header, and what that calls pointers are values.
    unsafe { visit_parts(object, shape_of(object), &mut |part| if_object(part.read(), &mut visit)) }
}

/// The first step for a reference to the object.
#[inline]
pub(super) unsafe fn take_away(object: *mut u8, visited: &mut Grow<*mut u8>) {
    // SAFETY: as in `is_inner`; what is new has a count.
    unsafe {
        if is_new(object) {
            let count = count_of(object);
            *count -= 1;
            if !is_grey(object) {
                *count -= grey();
                visited.push(object);
            }
        }
    }
}

/// The same, back, for a reference from an object that is needed.
#[inline]
pub(super) unsafe fn give_back(object: *mut u8) {
    // SAFETY: as above.
    unsafe {
        if is_new(object) {
            *count_of(object) += 1;
        }
    }
}

/// Notes a reference from garbage to something that the scan has not looked at.
#[inline]
pub(super) unsafe fn hold(object: *mut u8, held: &mut Grow<*mut u8>) {
    // SAFETY: as above.
    if !unsafe { is_new(object) } {
        held.push(object);
    }
}

/// Calls `visit` with the value if it is an object.
#[inline]
pub(super) fn if_object(value: *mut u8, mut visit: impl FnMut(*mut u8)) {
    if value as usize & 1 == 0 && !value.is_null() {
        visit(value);
    }
}
