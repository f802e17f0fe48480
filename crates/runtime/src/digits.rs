//! The shortest decimal digits that mean a float, for the library to lay out as a language wants them.
//!
//! ```text
//! 0.00125   125e-3        the digits without a point, `e`, the power of ten of the first digit
//! -1e22     1e22          without the sign
//! ```

use crate::object::string_from;

/// A sign, 17 digits, a point, and an exponent of four characters fit.
const LONGEST: usize = 24;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_float_digits(value: f64) -> *mut u8 {
    text(zmij::Buffer::new().format(value.abs()))
}

/// Of the nearest float of 32 bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_float_digits32(value: f64) -> *mut u8 {
    text(zmij::Buffer::new().format((value as f32).abs()))
}

/// From `0.00125`, `12.5`, `1.25e22` to digits and the power of ten of the first one.
fn text(shortest: &str) -> *mut u8 {
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((shortest, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = [0_u8; LONGEST];
    let mut count = 0;
    // Zeros before the first other digit say where it stands.
    let mut leading = 0;
    for &digit in whole.as_bytes().iter().chain(fraction.as_bytes()) {
        if digit == b'0' && count == 0 {
            leading += 1;
        } else if let Some(place) = digits.get_mut(count) {
            *place = digit;
            count += 1;
        }
    }
    while count > 0 && digits[count - 1] == b'0' {
        count -= 1;
    }
    if count == 0 {
        return made(b"0e0");
    }
    let scale: i32 = exponent.parse().unwrap_or(0);
    write(&digits[..count], scale + whole.len() as i32 - 1 - leading)
}

fn write(digits: &[u8], exponent: i32) -> *mut u8 {
    let mut out = [0_u8; 2 * LONGEST];
    out[..digits.len()].copy_from_slice(digits);
    let mut len = digits.len();
    let mut put = |byte: u8| {
        out[len] = byte;
        len += 1;
    };
    put(b'e');
    if exponent < 0 {
        put(b'-');
    }
    let size = exponent.unsigned_abs();
    for unit in [100, 10, 1] {
        if size >= unit || unit == 1 {
            put(b'0' + (size / unit % 10) as u8);
        }
    }
    made(&out[..len])
}

fn made(text: &[u8]) -> *mut u8 {
    // SAFETY: the program that asks for digits has started, and so has its heap.
    unsafe { string_from(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{program, text};

    fn digits(value: f64) -> String {
        let _program = program();
        // SAFETY: the object is a string.
        unsafe { text(oxbow_float_digits(value)) }
    }

    #[test]
    fn digits_and_the_place_of_the_first() {
        let cases = [
            (0.0, "0e0"),
            (1.0, "1e0"),
            (-12.5, "125e1"),
            (0.1, "1e-1"),
            (0.00125, "125e-3"),
            (100.0, "1e2"),
            (1e22, "1e22"),
            (123_456_789.0, "123456789e8"),
            (5e-324, "5e-324"),
            (f64::MAX, "17976931348623157e308"),
            (0.1 + 0.2, "30000000000000004e-1"),
            (2e-10, "2e-10"),
        ];
        for (value, expected) in cases {
            assert_eq!(digits(value), expected, "{value:e}");
        }
    }

    #[test]
    fn they_are_as_few_as_those_of_the_standard_library_and_nearest() {
        let mut bits: u64 = 1;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            let value = f64::from_bits(bits);
            if value.is_finite() {
                let found = digits(value);
                let count = found.split('e').next().map_or(0, str::len);
                assert_eq!(found.len(), format!("{:e}", value.abs()).replace('.', "").len());
                // Exactly rounded to that many digits.
                let nearest = format!("{:.*e}", count - 1, value.abs()).replace('.', "");
                assert_eq!(found, nearest);
            }
        }
    }

    #[test]
    fn of_32_bits() {
        let _program = program();
        // SAFETY: the object is a string.
        let digits = |value: f32| unsafe { text(oxbow_float_digits32(f64::from(value))) };
        assert_eq!(digits(0.1), "1e-1");
        assert_eq!(digits(16_777_216.0), "16777216e7");
        assert_eq!(digits(f32::MIN_POSITIVE), "11754944e-38");
    }
}
