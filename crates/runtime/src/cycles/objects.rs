//! What a scan asks of an object, and does to its count.

//! Each function is made twice: programs without domains do not ask whether an object is shared.

use oxbow_abi::{
    FRAME_BIT, LARGE, POINTERS_SHIFT, SHARED_LIMIT, SIZED_KIND_BIT, STATIC_BIT, WORDS_SHIFT,
};

use super::SUSPECT_INFO;
use crate::grow::Grow;
use crate::heap::{count_of, info_of, visit_parts};

/// Objects that no count frees, or whose memory is that of a frame.
pub(super) const ELSEWHERE: u64 = 1 << STATIC_BIT | 1 << FRAME_BIT;
const ELSEWHERE_INFO: u32 = (ELSEWHERE >> 32) as u32;

/// Taken from the counts of objects that a scan looks at, until it knows that they are needed.
pub(super) const fn grey<const DOMAINS: bool>() -> i32 {
    // Between the counts of a domain's own objects and those of shared ones there is less room.
    if DOMAINS { -(SHARED_LIMIT / 2) } else { 1 << 30 }
}

/// The memory of a cell that is not large stays when it is free, so this can be asked of suspects that have died.
#[inline(always)]
pub(super) unsafe fn is_marked(object: *mut u8) -> bool {
    // SAFETY: by the contract the word before an object is its header, or was.
    unsafe { info_of(object).read() & SUSPECT_INFO != 0 }
}

/// The header without the count, which may just have been written: a load of both would wait for that.
#[inline(always)]
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

/// Has an object with this upper half of its header neither a length nor a descriptor of its own?
#[inline(always)]
pub(super) const fn is_of_few_words(info: u32) -> bool {
    info & 1 << (SIZED_KIND_BIT - 32) == 0 && words_of(info) != LARGE
}

#[inline(always)]
pub(super) const fn words_of(info: u32) -> u64 {
    (info >> (WORDS_SHIFT - 32)) as u64 & 0xf
}

/// Which of its words are references.
#[inline(always)]
pub(super) const fn references_of(info: u32) -> u32 {
    info >> (POINTERS_SHIFT - 32)
}

/// Is the scan looking at the object, and does not know yet that it is needed? The counts of others are nowhere near.
#[inline(always)]
pub(super) unsafe fn is_grey<const DOMAINS: bool>(object: *mut u8) -> bool {
    // SAFETY: by the contract the object has a count.
    unsafe { *count_of(object) < -(grey::<DOMAINS>() / 2) }
}

/// Can the object be part of a cycle? Shared objects refer to no others, and nobody else may count in those of this
/// domain.
#[inline(always)]
pub(super) unsafe fn is_inner<const DOMAINS: bool>(object: *mut u8, outer: u32) -> bool {
    // SAFETY: by the contract it is an object.
    unsafe {
        let info = info_of(object).read();
        info & outer == 0
            && references_of(info) != 0
            && (!DOMAINS || *count_of(object) >= SHARED_LIMIT)
    }
}

/// Objects that are in no cycle that would be garbage.
pub(super) const OUTER: u32 = ELSEWHERE_INFO;

/// Does the scan look at the object? It can be in a cycle, and is no old suspect.
#[inline(always)]
pub(super) unsafe fn is_new<const DOMAINS: bool>(object: *mut u8) -> bool {
    // SAFETY: as in `is_inner`.
    unsafe { is_inner::<DOMAINS>(object, OUTER | SUSPECT_INFO) }
}

/// Calls `visit` with each part of an object that is an object, too.
#[inline(always)]
pub(super) unsafe fn for_each_object(object: *mut u8, mut visit: impl FnMut(*mut u8)) {
    // SAFETY: by the contract the object has its header, and what that calls pointers are values.
    unsafe {
        let info = info_of(object).read();
        if is_of_few_words(info) {
            for_each_of_few(object, info, visit);
        } else {
            visit_parts(object, u64::from(info) << 32, &mut |part| {
                if_object(part.read(), &mut visit)
            });
        }
    }
}

/// The same for an object of few words, with this upper half of its header.
#[inline(always)]
pub(super) unsafe fn for_each_of_few(object: *mut u8, info: u32, mut visit: impl FnMut(*mut u8)) {
    let mut references = references_of(info);
    while references != 0 {
        let first = references.trailing_zeros() as usize;
        references &= references - 1;
        // SAFETY: what the header calls references are values of the object.
        if_object(unsafe { object.cast::<*mut u8>().add(first).read() }, &mut visit);
    }
}

/// The first step for a reference to the object.
#[inline(always)]
pub(super) unsafe fn take_away<const DOMAINS: bool>(object: *mut u8, visited: &mut Grow<*mut u8>) {
    // SAFETY: as in `is_inner`; what is new has a count.
    unsafe {
        if is_new::<DOMAINS>(object) {
            let count = count_of(object);
            let others = count.read() - 1;
            if others < -(grey::<DOMAINS>() / 2) {
                count.write(others);
            } else {
                count.write(others - grey::<DOMAINS>());
                visited.push(object);
            }
        }
    }
}

/// The second step for a reference from an object that is needed, which takes it back; those that are needed by this
/// alone are pushed to `work`.
#[inline(always)]
pub(super) unsafe fn give_back<const DOMAINS: bool>(object: *mut u8, work: &mut Grow<*mut u8>) {
    // SAFETY: as above.
    unsafe {
        if is_new::<DOMAINS>(object) {
            let count = count_of(object);
            let others = count.read() + 1;
            if others < -(grey::<DOMAINS>() / 2) {
                count.write(others + grey::<DOMAINS>());
                work.push(object);
            } else {
                count.write(others);
            }
        }
    }
}

/// Notes a reference from garbage to something that the scan has not looked at.
#[inline(always)]
pub(super) unsafe fn hold<const DOMAINS: bool>(object: *mut u8, held: &mut Grow<*mut u8>) {
    // SAFETY: as above.
    if !unsafe { is_new::<DOMAINS>(object) } {
        held.push(object);
    }
}

/// Calls `visit` with the value if it is an object.
#[inline(always)]
pub(super) fn if_object(value: *mut u8, mut visit: impl FnMut(*mut u8)) {
    if value as usize & 1 == 0 && !value.is_null() {
        visit(value);
    }
}
