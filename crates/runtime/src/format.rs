//! Numbers as text, by one conversion of C's `printf`.
//!
//! ```text
//! %[flags][width][.precision]conversion
//! ```
//!
//! Integers are converted here: the work is small, programs print many, and OCaml's
//! `int` is no C type. Floats go to the C library. A length modifier (`l`, `n`, `L`)
//! is skipped, since the type of the argument is known.

use crate::object::{contents, data, new_string, string_from};
use crate::trouble::abort_with;

/// Enough for every float without a width or precision, except `%f` of huge ones.
const BUFFER: usize = 128;
/// Digits of a 64-bit number in base 8.
const MOST_DIGITS: usize = 22;
/// More than one conversion needs, if widths are written without leading zeros.
const LONGEST_CONVERSION: usize = 40;

/// A parsed conversion.
#[derive(Clone, Copy, Default)]
struct Conversion {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    kind: u8,
}

/// The format is written by the library, so a wrong one is an error of ours.
fn parse(format: &[u8]) -> Conversion {
    try_parse(format).unwrap_or_else(|| abort_with(b"format is not one conversion"))
}

fn try_parse(format: &[u8]) -> Option<Conversion> {
    let mut it = Conversion::default();
    let mut bytes = format.iter().copied().peekable();
    if bytes.next() != Some(b'%') {
        return None;
    }
    loop {
        match bytes.peek()? {
            b'-' => it.left = true,
            b'0' => it.zero = true,
            b'+' => it.plus = true,
            b' ' => it.space = true,
            b'#' => it.alternate = true,
            _ => break,
        }
        bytes.next();
    }
    it.width = number(&mut bytes)?;
    if bytes.next_if_eq(&b'.').is_some() {
        it.precision = Some(number(&mut bytes)?);
    }
    while bytes.next_if(|it| matches!(it, b'l' | b'n' | b'L')).is_some() {}
    it.kind = bytes.next()?;
    bytes.next().is_none().then_some(it)
}

/// A number of any count of digits, none being 0; `None` if C could not count so far.
fn number(bytes: &mut core::iter::Peekable<impl Iterator<Item = u8>>) -> Option<usize> {
    let mut value = 0_usize;
    while let Some(digit) = bytes.next_if(u8::is_ascii_digit) {
        value = value * 10 + usize::from(digit - b'0');
        if value > i32::MAX as usize {
            return None;
        }
    }
    Some(value)
}

/// An integer to print: its value with sign, and the bits that unsigned conversions show.
struct Integer {
    signed: i64,
    unsigned: u64,
}

unsafe fn format_integer(format: *mut u8, value: Integer) -> *mut u8 {
    // SAFETY: compiled code passes a string, which nothing changes while this runs.
    let format = unsafe { contents(format) };
    if format == b"%d" {
        let mut buffer = [0; MOST_DIGITS];
        let digits = decimal(&mut buffer, value.signed.unsigned_abs());
        return padded(&Conversion::default(), sign(&value, false, false), 0, digits);
    }
    let it = parse(format);
    let mut buffer = [0; MOST_DIGITS];
    let (prefix, digits): (&[u8], &[u8]) = match it.kind {
        b'd' | b'i' => {
            let digits = decimal(&mut buffer, value.signed.unsigned_abs());
            (sign(&value, it.plus, it.space), digits)
        }
        b'u' => (b"", decimal(&mut buffer, value.unsigned)),
        b'x' => (
            if it.alternate && value.unsigned != 0 { b"0x" } else { b"" },
            power_of_two(&mut buffer, value.unsigned, 4, b"0123456789abcdef"),
        ),
        b'X' => (
            if it.alternate && value.unsigned != 0 { b"0X" } else { b"" },
            power_of_two(&mut buffer, value.unsigned, 4, b"0123456789ABCDEF"),
        ),
        b'o' => (b"", power_of_two(&mut buffer, value.unsigned, 3, b"0123456789abcdef")),
        _ => abort_with(b"not a conversion of integers"),
    };
    // No digits at all for a zero with precision zero.
    let digits: &[u8] = if it.precision == Some(0) && digits == b"0" { b"" } else { digits };
    let mut least = it.precision.unwrap_or(1);
    if it.kind == b'o' && it.alternate && digits.first() != Some(&b'0') {
        least = least.max(digits.len() + 1);
    }
    if it.zero && !it.left && it.precision.is_none() {
        least = least.max(it.width.saturating_sub(prefix.len()));
    }
    padded(&it, prefix, least.saturating_sub(digits.len()), digits)
}

fn sign(value: &Integer, plus: bool, space: bool) -> &'static [u8] {
    if value.signed < 0 {
        b"-"
    } else if plus {
        b"+"
    } else if space {
        b" "
    } else {
        b""
    }
}

fn decimal(buffer: &mut [u8; MOST_DIGITS], mut value: u64) -> &[u8] {
    let mut start = MOST_DIGITS;
    for place in buffer.iter_mut().rev() {
        *place = b'0' + (value % 10) as u8;
        value /= 10;
        start -= 1;
        if value == 0 {
            break;
        }
    }
    buffer.get(start..).unwrap_or_default()
}

fn power_of_two<'a>(
    buffer: &'a mut [u8; MOST_DIGITS],
    mut value: u64,
    bits: u32,
    symbols: &[u8; 16],
) -> &'a [u8] {
    let mut start = MOST_DIGITS;
    for place in buffer.iter_mut().rev() {
        let digit = value & ((1 << bits) - 1);
        *place = symbols[(digit & 15) as usize];
        value >>= bits;
        start -= 1;
        if value == 0 {
            break;
        }
    }
    buffer.get(start..).unwrap_or_default()
}

/// Spaces, prefix, zeros, digits, spaces.
fn padded(it: &Conversion, prefix: &[u8], zeros: usize, digits: &[u8]) -> *mut u8 {
    let len = prefix.len() + zeros + digits.len();
    let spaces = it.width.saturating_sub(len);
    let (before, after) = if it.left { (0, spaces) } else { (spaces, 0) };
    // SAFETY: the string is new, and its length is the sum of the lengths of the parts that are written.
    unsafe {
        let object = new_string((len + spaces) as u64);
        let mut at = data(object);
        at.write_bytes(b' ', before);
        at = at.add(before);
        core::ptr::copy_nonoverlapping(prefix.as_ptr(), at, prefix.len());
        at = at.add(prefix.len());
        at.write_bytes(b'0', zeros);
        at = at.add(zeros);
        core::ptr::copy_nonoverlapping(digits.as_ptr(), at, digits.len());
        at.add(digits.len()).write_bytes(b' ', after);
        object
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_format_int(format: *mut u8, value: i64) -> *mut u8 {
    let unsigned = value as u64 & (u64::MAX >> 1);
    // SAFETY: compiled code passes a string; likewise below.
    unsafe { format_integer(format, Integer { signed: value, unsigned }) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_format_int32(format: *mut u8, value: i32) -> *mut u8 {
    let unsigned = u64::from(value as u32);
    // SAFETY: as for `oxbow_format_int`.
    unsafe { format_integer(format, Integer { signed: value.into(), unsigned }) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_format_int64(format: *mut u8, value: i64) -> *mut u8 {
    // SAFETY: as for `oxbow_format_int`.
    unsafe { format_integer(format, Integer { signed: value, unsigned: value as u64 }) }
}

/// An invalid operation gives a negative nan at run time, a positive one where the optimiser
/// evaluates it; both must print alike. The library's own `nan` has other bits.
fn as_computed(value: f64) -> f64 {
    const FOLDED: u64 = 0x7ff8_0000_0000_0000;
    if value.to_bits() == FOLDED { f64::from_bits(FOLDED | 1 << 63) } else { value }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_format_float(format: *mut u8, value: f64) -> *mut u8 {
    let mut c_format = [0_u8; LONGEST_CONVERSION];
    // SAFETY: compiled code passes a string, which nothing changes while this runs.
    let source = unsafe { contents(format) };
    let kind = parse(source).kind;
    // The C library must not see a conversion that wants another argument.
    if !matches!(kind, b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A') {
        abort_with(b"not a conversion of floats");
    }
    if source.len() >= LONGEST_CONVERSION {
        abort_with(b"conversion is too long");
    }
    let wanted = source.iter().filter(|it| !matches!(it, b'l' | b'n' | b'L'));
    for (place, byte) in c_format.iter_mut().zip(wanted) {
        *place = *byte;
    }
    let c_format = c_format.as_ptr().cast();
    let mut buffer = [0_u8; BUFFER];
    let value = as_computed(value);
    // SAFETY: the format is one conversion of a float, as just checked, and ends with a NUL, since it is shorter
    // than its buffer. Both times C is told how much room there is, in the string with the NUL behind its bytes.
    unsafe {
        let len = libc::snprintf(buffer.as_mut_ptr().cast(), BUFFER, c_format, value);
        if len < 0 {
            crate::trouble::out_of_memory(core::ptr::null());
        }
        let len = len as usize;
        if let Some(text) = buffer.get(..len)
            && len < BUFFER
        {
            return string_from(text);
        }
        let object = new_string(len as u64);
        libc::snprintf(data(object).cast(), len + 1, c_format, value);
        object
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{program, string, text};

    fn int(format: &str, value: i64) -> String {
        let _program = program();
        unsafe { text(oxbow_format_int(string(format), value)) }
    }

    fn float(format: &str, value: f64) -> String {
        let _program = program();
        unsafe { text(oxbow_format_float(string(format), value)) }
    }

    #[test]
    fn ints() {
        assert_eq!(int("%d", 0), "0");
        assert_eq!(int("%d", -42), "-42");
        assert_eq!(int("%i", i64::MIN / 2), "-4611686018427387904");
    }

    #[test]
    fn ints_of_63_bits_without_sign() {
        assert_eq!(int("%x", -1), "7fffffffffffffff");
        assert_eq!(int("%X", -256), "7FFFFFFFFFFFFF00");
        assert_eq!(int("%u", -1), "9223372036854775807");
        assert_eq!(int("%o", -1), "777777777777777777777");
    }

    /// Every combination of flags, width and precision as the C library does it.
    #[test]
    fn int64_as_c() {
        let _program = program();
        let mut formats = Vec::new();
        for flags in 0..32 {
            let flags: String = "-0+ #"
                .chars()
                .enumerate()
                .filter(|it| flags >> it.0 & 1 == 1)
                .map(|it| it.1)
                .collect();
            for width in ["", "1", "7", "25"] {
                for precision in ["", ".", ".0", ".3", ".23"] {
                    for kind in "diuxXo".chars() {
                        // C leaves the alternate form of decimals undefined.
                        if !(flags.contains('#') && "diu".contains(kind)) {
                            formats.push((format!("%{flags}{width}{precision}"), kind));
                        }
                    }
                }
            }
        }
        for (start, kind) in &formats {
            for value in [0, 1, -1, 8, 123_456, -98_765, i64::MAX, i64::MIN] {
                let c_format = std::ffi::CString::new(format!("{start}ll{kind}")).expect("no NUL");
                let mut buffer = [0_u8; 64];
                unsafe {
                    let buffer = buffer.as_mut_ptr().cast();
                    let len = libc::snprintf(buffer, 64, c_format.as_ptr(), value);
                    let expected = std::ffi::CStr::from_ptr(buffer).to_str().expect("ASCII");
                    assert_eq!(len as usize, expected.len());
                    let ours = oxbow_format_int64(string(&format!("{start}{kind}")), value);
                    assert_eq!(text(ours), expected, "{start}{kind} of {value}");
                    let ours = oxbow_format_int64(string(&format!("{start}L{kind}")), value);
                    assert_eq!(text(ours), expected);
                }
            }
        }
    }

    #[test]
    fn int32() {
        let _program = program();
        unsafe {
            assert_eq!(text(oxbow_format_int32(string("%x"), -1)), "ffffffff");
            assert_eq!(text(oxbow_format_int32(string("%lu"), -1)), "4294967295");
            assert_eq!(text(oxbow_format_int32(string("%ld"), i32::MIN)), "-2147483648");
        }
    }

    #[test]
    fn floats() {
        assert_eq!(float("%.12g", 0.1), "0.1");
        assert_eq!(float("%.17g", 0.1), "0.10000000000000001");
        assert_eq!(float("%+.3e", 12345.678), "+1.235e+04");
        assert_eq!(float("%-9.2f", 2.71), "2.71     ");
        assert_eq!(float("%09.2f", -2.71), "-00002.71");
        assert_eq!(float("%g", f64::INFINITY), "inf");
        assert_eq!(float("%F", f64::NEG_INFINITY), "-INF");
        assert_eq!(float("%g", f64::from_bits(0x7ff0_0000_0000_0001)), "nan");
        assert_eq!(float("%g", f64::NAN), "-nan");
        assert_eq!(float("%a", 1.5), "0x1.8p+0");
        let long = float("%.3f", 1e300);
        assert_eq!(long.len(), 305);
        assert!(long.starts_with("1000000000000000052504760255204") && long.ends_with("160.000"));
        assert_eq!(float("%200.1f", 1.0).trim_start(), "1.0");
    }

    #[test]
    fn wrong_formats_are_recognised() {
        for format in ["", "%", "d", "%d ", "%99999999999d", "%5.d.", "%%d"] {
            assert!(try_parse(format.as_bytes()).is_none_or(|it| it.kind == b'%'), "{format}");
        }
    }
}
