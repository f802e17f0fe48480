//! Access to the parts of strings, bytes and arrays.

use oxbow_abi::{DATA_OFFSET, Shape, header_words, string_payload};

use crate::heap::allocate;
use crate::trouble::out_of_memory;

/// Lengths above this overflow the computation of sizes.
const LARGEST_LENGTH: u64 = 1 << 47;

/// Length of a string, bytes or array.
#[inline]
pub(crate) unsafe fn length(object: *mut u8) -> usize {
    // SAFETY: by the contract it is one of the three, and their first word is the length.
    unsafe { object.cast::<usize>().read() }
}

/// The first byte or element.
#[inline]
pub(crate) unsafe fn data(object: *mut u8) -> *mut u8 {
    // SAFETY: by the contract it is a string, bytes or an array, which have at least the word of the length.
    unsafe { object.add(DATA_OFFSET as usize) }
}

/// The contents of a string or bytes. The lifetime is the caller's to choose: it
/// must end before the object changes.
#[inline]
pub(crate) unsafe fn contents<'a>(object: *mut u8) -> &'a [u8] {
    // SAFETY: so many bytes lie behind the length of a string, and the caller uses the slice only until they change.
    unsafe { core::slice::from_raw_parts(data(object), length(object)) }
}

/// A string whose bytes are still to be filled in.
#[inline]
pub(crate) unsafe fn new_string(len: u64) -> *mut u8 {
    if len > LARGEST_LENGTH {
        out_of_memory(core::ptr::null());
    }
    let payload = string_payload(len);
    // SAFETY: the object is new and has `payload` bytes, which are at least the word of the length and one more.
    unsafe {
        let object = allocate(payload, Shape::string().header());
        // The last word holds the NUL and the padding.
        object.add(payload as usize - 8).cast::<u64>().write(0);
        object.cast::<u64>().write(len);
        object
    }
}

#[inline]
pub(crate) unsafe fn string_from(bytes: &[u8]) -> *mut u8 {
    // SAFETY: the object is new, so that the bytes are not in it, and it has room for all of them.
    unsafe {
        let object = new_string(bytes.len() as u64);
        core::ptr::copy_nonoverlapping(bytes.as_ptr(), data(object), bytes.len());
        object
    }
}

/// The string as C sees it, unless it has a NUL inside.
pub(crate) unsafe fn c_string(object: *mut u8) -> Option<*const libc::c_char> {
    // SAFETY: every string has a NUL behind its last byte, so that C finds an end within the object.
    unsafe {
        let chars = data(object).cast::<libc::c_char>().cast_const();
        (libc::strlen(chars) == length(object)).then_some(chars)
    }
}

/// An array of this header, elements still to be filled in.
#[inline]
pub(crate) unsafe fn new_array(len: i64, header: u64) -> *mut u8 {
    let len = len as u64;
    if len > LARGEST_LENGTH {
        out_of_memory(core::ptr::null());
    }
    let payload = oxbow_abi::array_payload(len, 1 << header_words(header));
    // SAFETY: the object is new, and its payload begins with the word of the length.
    unsafe {
        let object = allocate(payload, header);
        object.cast::<u64>().write(len);
        object
    }
}
