//! Strings and bytes.

use core::cmp::Ordering;

use crate::object::{contents, data, length, new_string};

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_string_concat(a: *mut u8, b: *mut u8) -> *mut u8 {
    // SAFETY: compiled code passes two strings; the result is new and as long as both together.
    unsafe {
        let (a, b) = (contents(a), contents(b));
        let result = new_string((a.len() + b.len()) as u64);
        core::ptr::copy_nonoverlapping(a.as_ptr(), data(result), a.len());
        core::ptr::copy_nonoverlapping(b.as_ptr(), data(result).add(a.len()), b.len());
        result
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_string_compare(a: *mut u8, b: *mut u8) -> i64 {
    if a == b {
        return 0;
    }
    // SAFETY: compiled code passes two strings.
    match unsafe { contents(a).cmp(contents(b)) } {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_string_equal(a: *mut u8, b: *mut u8) -> u8 {
    // SAFETY: compiled code passes two strings.
    (a == b || unsafe { contents(a) == contents(b) }).into()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_bytes_create(len: i64) -> *mut u8 {
    // SAFETY: a string may have any length; too large a one, as a negative number is, ends the program.
    unsafe { new_string(len as u64) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_bytes_blit(
    source: *mut u8,
    source_pos: i64,
    target: *mut u8,
    target_pos: i64,
    len: i64,
) {
    // SAFETY: compiled code passes two strings, and the library has checked that both ranges lie within them.
    unsafe {
        debug_assert!((source_pos + len) as usize <= length(source));
        debug_assert!((target_pos + len) as usize <= length(target));
        let from = data(source).add(source_pos as usize);
        let to = data(target).add(target_pos as usize);
        core::ptr::copy(from, to, len as usize);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_bytes_fill(bytes: *mut u8, pos: i64, len: i64, value: u32) {
    // SAFETY: compiled code passes a string, and the library has checked that the range lies within it.
    unsafe { data(bytes).add(pos as usize).write_bytes(value as u8, len as usize) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{program, string, text};

    #[test]
    fn concat() {
        let _program = program();
        unsafe {
            for (a, b) in [("", ""), ("", "x"), ("seven..", "x"), ("eight...", "eight...")] {
                let it = oxbow_string_concat(string(a), string(b));
                assert_eq!(text(it), format!("{a}{b}"));
                assert_eq!(data(it).add(length(it)).read(), 0);
                assert_eq!(
                    oxbow_abi::header_kind(it.sub(8).cast::<u64>().read()),
                    oxbow_abi::ObjectKind::String as u8
                );
            }
        }
    }

    #[test]
    fn order() {
        let _program = program();
        let words = ["", "\0", "\0\0", "a", "a\0", "aa", "ab", "b", "\u{e9}"];
        for (i, a) in words.iter().enumerate() {
            for (j, b) in words.iter().enumerate() {
                unsafe {
                    let (a, b) = (string(a), string(b));
                    assert_eq!(oxbow_string_compare(a, b), (i as i64 - j as i64).signum());
                    assert_eq!(oxbow_string_equal(a, b), u8::from(i == j));
                }
            }
        }
    }

    #[test]
    fn bytes() {
        let _program = program();
        unsafe {
            let it = oxbow_bytes_create(10);
            // Only the low byte of the value counts.
            oxbow_bytes_fill(it, 0, 10, 0xabcd00 + u32::from(b'.'));
            oxbow_bytes_fill(it, 2, 3, u32::from(b'a'));
            assert_eq!(text(it), "..aaa.....");
            oxbow_bytes_blit(it, 1, it, 3, 5);
            assert_eq!(text(it), "..a.aaa...");
            oxbow_bytes_blit(string("hello"), 1, it, 0, 4);
            assert_eq!(&text(it)[..4], "ello");
        }
    }
}
