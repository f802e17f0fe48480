//! What an object is made of, as its header says: how many words, and a copy of them.
//!
//! ```text
//! block, closure      words…                      as many as the header says
//! large block         descriptor ┆ words…         the descriptor says how many
//! string, array       length, bytes or elements…
//! ```
//!
//! Needs: `heap`. What an object's words mean is the matter of those who use this (`marshal`, `weak`).

use oxbow_abi::{
    DESCRIPTOR_OFFSET, FRAME_BIT, HEADER_SIZE, LARGE, LARGE_START, ObjectKind, STATIC_BIT,
    SUSPECT_BIT, array_payload, cell_size, header_kind, header_words, string_payload,
};

use crate::heap::{allocate, header_of};

/// How many words an object has, and how many stand before those: its descriptor. Both follow from words that
/// `word` reads from the beginning of what is written.
pub(crate) fn extent(header: u64, word: impl Fn(usize) -> Option<u64>) -> Option<(usize, usize)> {
    let (kind, words) = (header_kind(header), header_words(header));
    if kind == ObjectKind::String as u8 {
        let length = word(0)?;
        return (length < 1 << 47).then(|| (0, (string_payload(length) / 8) as usize));
    }
    if kind > ObjectKind::String as u8 {
        let length = word(0)?;
        let fits = words <= 4 && length < 1 << 40;
        return fits.then(|| (0, (array_payload(length, 1 << words) / 8) as usize));
    }
    if words == LARGE {
        let count = word(0)?;
        return (count < 1 << 20).then(|| (1 + (count as usize).div_ceil(64), count as usize));
    }
    Some((0, words as usize))
}

/// A copy of an object, whose references are not counted yet; of what is code or has an identity there is none.
pub(crate) unsafe fn copy(object: *mut u8) -> Option<*mut u8> {
    // SAFETY: the object is what its header says; the copy has as many words, and the descriptor of a large object
    // is always there.
    unsafe {
        let header = own_header(header_of(object));
        if !is_data(header) {
            return None;
        }
        let is_large = is_large(header);
        let from = if is_large { descriptor(object) } else { object.cast_const().cast() };
        let (_, count) = extent(header, |at| Some(from.add(at).read()))?;
        let new = if is_large {
            new_large(header, count, from)
        } else {
            allocate(8 * count as u64, header)
        };
        core::ptr::copy_nonoverlapping(object.cast::<u64>(), new.cast(), count);
        Some(new)
    }
}

/// A header without what is the matter of one object: its count and its place.
pub(crate) fn own_header(header: u64) -> u64 {
    header & !(u64::from(u32::MAX) | 1 << STATIC_BIT | 1 << FRAME_BIT | 1 << SUSPECT_BIT)
}

fn is_data(header: u64) -> bool {
    let kind = header_kind(header);
    let others = [ObjectKind::Closure, ObjectKind::Exception, ObjectKind::Fiber];
    !others.into_iter().any(|it| kind == it as u8)
}

pub(crate) fn is_large(header: u64) -> bool {
    header_kind(header) < ObjectKind::String as u8 && header_words(header) == LARGE
}

/// A large object, whose words are to be filled in.
pub(crate) unsafe fn new_large(header: u64, count: usize, descriptor: *const u64) -> *mut u8 {
    // SAFETY: the cell has room for the descriptor's address and the words behind it.
    unsafe {
        let size = cell_size(ObjectKind::Tuple, 8 * count as u64);
        let cell = allocate(size - HEADER_SIZE, header).sub(HEADER_SIZE as usize);
        let object = cell.add(LARGE_START as usize);
        object.sub(HEADER_SIZE as usize).cast::<u64>().write(header);
        object.offset(DESCRIPTOR_OFFSET as isize).cast::<*const u64>().write(descriptor);
        object
    }
}

/// The descriptor of a large object.
pub(crate) unsafe fn descriptor(object: *mut u8) -> *const u64 {
    // SAFETY: the caller has seen in the header that it has one.
    unsafe { object.offset(DESCRIPTOR_OFFSET as isize).cast::<*const u64>().read() }
}
