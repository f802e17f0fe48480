//! Arrays.

use oxbow_abi::ObjectKind;

use crate::object::{data, new_array};

unsafe fn make<T: Copy>(len: i64, element: T, kind: ObjectKind) -> *mut u8 {
    unsafe {
        let array = new_array(len, size_of::<T>() as u64, kind as u8);
        let elements = data(array).cast::<T>();
        for index in 0..len as usize {
            elements.add(index).write(element);
        }
        array
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_make_i8(len: i64, element: u32) -> *mut u8 {
    unsafe { make(len, element as u8, ObjectKind::ScalarArray) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_make_i32(len: i64, element: i32) -> *mut u8 {
    unsafe { make(len, element, ObjectKind::ScalarArray) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_make_i64(len: i64, element: i64) -> *mut u8 {
    unsafe { make(len, element, ObjectKind::ScalarArray) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_make_f64(len: i64, element: f64) -> *mut u8 {
    unsafe { make(len, element, ObjectKind::ScalarArray) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_make_ptr(len: i64, element: *mut u8) -> *mut u8 {
    unsafe { make(len, element, ObjectKind::PointerArray) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_make_struct(
    len: i64,
    template: *mut u8,
    element_size: i64,
    kind: i64,
) -> *mut u8 {
    unsafe {
        let array = new_array(len, element_size as u64, kind as u8);
        let size = element_size as usize;
        for index in 0..len as usize {
            core::ptr::copy_nonoverlapping(template, data(array).add(index * size), size);
        }
        array
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_uninit(len: i64, element_size: i64, kind: i64) -> *mut u8 {
    unsafe { new_array(len, element_size as u64, kind as u8) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_blit(
    source: *mut u8,
    source_pos: i64,
    target: *mut u8,
    target_pos: i64,
    len: i64,
    element_size: i64,
) {
    unsafe {
        let from = data(source).add((source_pos * element_size) as usize);
        let to = data(target).add((target_pos * element_size) as usize);
        core::ptr::copy(from, to, (len * element_size) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::length;
    use crate::testing::program;

    unsafe fn elements<T: Copy>(array: *mut u8) -> Vec<T> {
        unsafe { std::slice::from_raw_parts(data(array).cast::<T>(), length(array)).to_vec() }
    }

    unsafe fn kind(array: *mut u8) -> u8 {
        unsafe { oxbow_abi::header_kind(array.sub(8).cast::<u64>().read()) }
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
            let it = oxbow_array_make_ptr(2, it);
            assert_eq!(kind(it), ObjectKind::PointerArray as u8);
            assert_eq!(elements::<i64>(oxbow_array_make_i64(0, 1)), []);
        }
    }

    #[test]
    fn elements_of_any_size() {
        let _program = program();
        unsafe {
            let mut template = [1_i64, 2, 3];
            let template = template.as_mut_ptr().cast();
            let it = oxbow_array_make_struct(3, template, 24, ObjectKind::StructArray as i64);
            assert_eq!(elements::<[i64; 3]>(it), [[1, 2, 3]; 3]);
            assert_eq!(kind(it), ObjectKind::StructArray as u8);
            assert_eq!(oxbow_abi::header_payload_words(it.sub(8).cast::<u64>().read()), 10);
        }
    }

    #[test]
    fn blit_may_overlap() {
        let _program = program();
        unsafe {
            let it = oxbow_array_uninit(6, 4, ObjectKind::ScalarArray as i64);
            data(it).cast::<[i32; 6]>().write([1, 2, 3, 4, 5, 6]);
            oxbow_array_blit(it, 0, it, 2, 4, 4);
            assert_eq!(elements::<i32>(it), [1, 2, 1, 2, 3, 4]);
        }
    }
}
