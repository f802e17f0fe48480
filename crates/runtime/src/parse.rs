//! Text as floats.
//!
//! The C library's `strtod` decides, as in OCaml: decimals, hexadecimals with `p`
//! exponents, `nan`, `inf` and `infinity` in any case, blanks before all of it. The
//! whole string must be a number.

use crate::object::{data, length};

unsafe fn float(string: *mut u8) -> Option<f64> {
    // SAFETY: every string has a NUL behind its last byte, where C stops at the latest.
    unsafe {
        let start = data(string).cast::<libc::c_char>();
        let mut end = start;
        let value = libc::strtod(start, &mut end);
        let used = end as usize - start as usize;
        // A NUL inside the string stops C earlier, and so is an error.
        (used > 0 && used == length(string)).then_some(value)
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_parse_float_ok(string: *mut u8) -> u8 {
    // SAFETY: compiled code passes a string.
    unsafe { float(string) }.is_some().into()
}

/// Zero if it is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_parse_float(string: *mut u8) -> f64 {
    /// A quiet nan that is not the one an invalid operation gives.
    const READ_NAN: f64 = f64::from_bits(0x7ff8_0000_0000_0001);
    // SAFETY: compiled code passes a string.
    let value = unsafe { float(string) }.unwrap_or(0.0);
    if value.is_nan() { READ_NAN.copysign(value) } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{program, string};

    #[test]
    fn floats() {
        let _program = program();
        unsafe {
            for (text, value) in [
                ("1", 1.0),
                ("1.", 1.0),
                (".5", 0.5),
                (" -2.5e-3", -0.0025),
                ("+0x1.8p1", 3.0),
                ("0XA", 10.0),
                ("inf", f64::INFINITY),
                ("-Infinity", f64::NEG_INFINITY),
                ("1e999", f64::INFINITY),
            ] {
                assert_eq!(oxbow_parse_float_ok(string(text)), 1, "{text}");
                assert_eq!(oxbow_parse_float(string(text)), value, "{text}");
            }
            assert!(oxbow_parse_float(string("nan")).is_nan());
            for text in ["", " ", "1 ", "1x", "0x", "e5", "1\0", "--1", "1_0", "."] {
                assert_eq!(oxbow_parse_float_ok(string(text)), 0, "{text}");
            }
        }
    }
}
