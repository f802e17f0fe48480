//! Arrays.

use core::sync::atomic::{AtomicPtr, Ordering};

use oxbow_abi::{ObjectKind, Shape, header_words};

use crate::heap::{add_references, drop_reference, for_each_in, for_each_part, header_of, nothing};
use crate::object::{data, new_array};
use crate::{checked, domain, shared};

unsafe fn make<T: Copy>(len: i64, element: T) -> *mut u8 {
    let shape = Shape::array(ObjectKind::ScalarArray, size_of::<T>() as u64, 0);
    // SAFETY: the header is that of an array of such elements.
    unsafe { filled(len, element, shape.header()) }
}

/// An array of this header, whose elements are of type `T`.
unsafe fn filled<T: Copy>(len: i64, element: T, header: u64) -> *mut u8 {
    // SAFETY: the array is new and has room for `len` elements, which `new_array` has found not to be negative.
    unsafe {
        let array = new_array(len, header);
        let elements = data(array).cast::<T>();
        for index in 0..len as usize {
            elements.add(index).write(element);
        }
        array
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_make_i8(len: i64, element: u32) -> *mut u8 {
    // SAFETY: numbers can be copied, and the length is not negative; likewise for the others.
    unsafe { make(len, element as u8) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_make_i32(len: i64, element: i32) -> *mut u8 {
    // SAFETY: as for `oxbow_array_make_i8`.
    unsafe { make(len, element) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_make_i64(len: i64, element: i64) -> *mut u8 {
    // SAFETY: as for `oxbow_array_make_i8`.
    unsafe { make(len, element) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_make_f64(len: i64, element: f64) -> *mut u8 {
    // SAFETY: as for `oxbow_array_make_i8`.
    unsafe { make(len, element) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_make_ptr(len: i64, element: *mut u8) -> *mut u8 {
    let header = Shape::array(ObjectKind::PointerArray, 8, 1).header();
    // SAFETY: the header is that of an array of values. Each element is one reference, of which the caller gives
    // the first.
    unsafe {
        let array = filled(len, element, header);
        share(element, len);
        array
    }
}

/// One reference becomes `len` of them.
unsafe fn share(value: *mut u8, len: i64) {
    // SAFETY: the reference is the caller's, to be given away or added to.
    unsafe {
        match len {
            0 => drop_reference(value),
            _ => add_references(value, len - 1),
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_make_struct(
    len: i64,
    template: *mut u8,
    header: i64,
) -> *mut u8 {
    let header = header as u64;
    // SAFETY: the array is new, and has room for `len` elements of this size; the template is one in compiled
    // code's frame, with one reference to each value in it.
    unsafe {
        let array = new_array(len, header);
        let size = 1_usize << header_words(header);
        for index in 0..len as usize {
            core::ptr::copy_nonoverlapping(template, data(array).add(index * size), size);
        }
        for_each_in(template, header, 1, |part| share(part.read(), len));
        array
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_uninit(len: i64, header: i64) -> *mut u8 {
    let header = header as u64;
    // SAFETY: the array is new and has as many elements as it says; those addresses are in it.
    unsafe {
        let array = new_array(len, header);
        if oxbow_abi::header_pointers(header) != 0 {
            for_each_part(array, header, |part| part.write(nothing()));
        }
        array
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_blit(
    source: *mut u8,
    source_pos: i64,
    target: *mut u8,
    target_pos: i64,
    len: i64,
) {
    // SAFETY: compiled code passes arrays of one type, and the library has checked that both ranges lie within
    // them. References from the target's range are dropped once, those that are copied are counted before.
    unsafe {
        let header = header_of(target);
        let size = 1_usize << header_words(header);
        let len = len as usize;
        let from = data(source).add(source_pos as usize * size);
        let to = data(target).add(target_pos as usize * size);
        if domain::are_there() {
            let is_shared = checked::is_on() || shared::is_shared(target);
            return move_one_by_one(from, to, len, header, is_shared);
        }
        // First the new references: what moves within one array must not die on the way.
        for_each_in(from, header, len, |part| add_references(part.read(), 1));
        for_each_in(to, header, len, |part| drop_reference(part.read()));
        core::ptr::copy(from, to, len * size);
    }
}

/// The same where others may change the arrays at the same time: each word is read once, and what it replaces is
/// dropped once.
unsafe fn move_one_by_one(from: *mut u8, to: *mut u8, len: usize, header: u64, is_shared: bool) {
    let words = (1_usize << header_words(header)) / 8;
    let pointers = oxbow_abi::header_pointers(header);
    let (from, to) = (from.cast::<*mut u8>(), to.cast::<*mut u8>());
    let move_word = |at: usize| {
        // SAFETY: the caller says that so many elements are there. A word that the header calls a pointer holds one
        // reference of a value, which is given to `to` after it was counted.
        unsafe {
            let value = AtomicPtr::from_ptr(from.add(at)).load(Ordering::Acquire);
            if pointers >> (at % words) & 1 == 0 {
                to.add(at).write(value);
                return;
            }
            add_references(value, 1);
            if is_shared {
                return shared::oxbow_shared_store(to.add(at).cast(), value);
            }
            drop_reference(to.add(at).replace(value));
        }
    };
    match from < to {
        true => (0..len * words).rev().for_each(move_word),
        false => (0..len * words).for_each(move_word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::length;
    use crate::testing::{program, string};

    unsafe fn elements<T: Copy>(array: *mut u8) -> Vec<T> {
        unsafe { std::slice::from_raw_parts(data(array).cast::<T>(), length(array)).to_vec() }
    }

    unsafe fn kind(array: *mut u8) -> u8 {
        unsafe { oxbow_abi::header_kind(header_of(array)) }
    }

    #[test]
    fn make_fills_each_width() {
        let _program = program();
        unsafe {
            let it = oxbow_array_make_i8(3, 0x1ff);
            assert_eq!(elements::<u8>(it), [0xff; 3]);
            assert_eq!(kind(it), ObjectKind::ScalarArray as u8);
            assert_eq!(elements::<i32>(oxbow_array_make_i32(5, -2)), [-2; 5]);
            assert_eq!(elements::<i64>(oxbow_array_make_i64(1, i64::MIN)), [i64::MIN]);
            assert_eq!(elements::<f64>(oxbow_array_make_f64(4, 0.5)), [0.5; 4]);
            assert_eq!(elements::<i64>(oxbow_array_make_i64(0, 1)), []);
        }
    }

    #[test]
    fn an_element_is_referred_to_as_often_as_it_occurs() {
        let _program = program();
        unsafe {
            let element = string("x");
            let array = oxbow_array_make_ptr(3, element);
            assert_eq!(kind(array), ObjectKind::PointerArray as u8);
            assert_eq!(header_of(element) as i32, 2);
            let other =
                oxbow_array_uninit(4, Shape::array(ObjectKind::PointerArray, 8, 1).header() as i64);
            oxbow_array_blit(array, 0, other, 1, 2);
            assert_eq!(header_of(element) as i32, 4);
            oxbow_array_blit(other, 0, other, 1, 3);
            assert_eq!(elements::<*mut u8>(other), [nothing(), nothing(), element, element]);
            assert_eq!(header_of(element) as i32, 4);
            drop_reference(other);
            assert_eq!(header_of(element) as i32, 2);
            drop_reference(array);
        }
    }

    #[test]
    fn elements_of_two_words() {
        let _program = program();
        unsafe {
            let text = string("y");
            let mut template = [7 as *mut u8, text];
            let shape = Shape::array(ObjectKind::StructArray, 16, 2);
            let it =
                oxbow_array_make_struct(3, template.as_mut_ptr().cast(), shape.header() as i64);
            assert_eq!(elements::<[*mut u8; 2]>(it), [[7 as *mut u8, text]; 3]);
            assert_eq!(header_of(text) as i32, 2);
            drop_reference(it);
        }
    }
}
