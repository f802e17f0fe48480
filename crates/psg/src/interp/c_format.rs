//! C's `printf` for one integer or float: `%-5d`, `%#x`, `%012.3f`, `%g`.
//!
//! Rust's own formatting of floats is exact and rounds ties to even, as C's does; what
//! is left is the style: exponents of two digits, the `g` rules, flags and padding.

use super::numbers::unsigned;
use crate::IntWidth;

/// A conversion: `%`, flags, width, precision, length letters, the conversion letter.
#[derive(Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    zero: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    conversion: u8,
}

impl Spec {
    fn parse(text: &[u8]) -> Option<Self> {
        let mut rest = text.strip_prefix(b"%")?.iter().copied().peekable();
        let mut spec = Self::default();
        while let Some(flag) = rest.next_if(|it| b"-+ 0#".contains(it)) {
            match flag {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'0' => spec.zero = true,
                _ => spec.alternate = true,
            }
        }
        let number = |rest: &mut std::iter::Peekable<_>| {
            let mut value = 0usize;
            while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
                value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
            }
            value
        };
        spec.width = number(&mut rest);
        if rest.next_if_eq(&b'.').is_some() {
            spec.precision = Some(number(&mut rest));
        }
        while rest.next_if(|it| b"lLn".contains(it)).is_some() {}
        spec.conversion = rest.next()?;
        rest.next().is_none().then_some(spec)
    }

    /// The sign of a signed conversion.
    fn sign(&self, negative: bool) -> &'static str {
        if negative {
            "-"
        } else if self.plus {
            "+"
        } else if self.space {
            " "
        } else {
            ""
        }
    }

    /// Puts `prefix` (sign, `0x`) and `digits` into the field.
    fn pad(&self, prefix: &str, digits: &str, zeros: bool) -> String {
        let fill = self.width.saturating_sub(prefix.len() + digits.len());
        if self.left {
            format!("{prefix}{digits}{}", " ".repeat(fill))
        } else if zeros && self.zero {
            format!("{prefix}{}{digits}", "0".repeat(fill))
        } else {
            format!("{}{prefix}{digits}", " ".repeat(fill))
        }
    }
}

/// One integer; `None` if the format is none for integers.
pub(super) fn format_int(format: &[u8], width: IntWidth, value: i64) -> Option<String> {
    let spec = Spec::parse(format)?;
    let bits = unsigned(width, value);
    let (prefix, mut digits) = match spec.conversion {
        b'd' | b'i' => (spec.sign(value < 0), value.unsigned_abs().to_string()),
        b'u' => ("", bits.to_string()),
        b'x' => (if spec.alternate && bits != 0 { "0x" } else { "" }, format!("{bits:x}")),
        b'X' => (if spec.alternate && bits != 0 { "0X" } else { "" }, format!("{bits:X}")),
        b'o' => ("", format!("{bits:o}")),
        _ => return None,
    };
    if let Some(precision) = spec.precision {
        if precision == 0 && value == 0 {
            digits.clear();
        }
        digits.insert_str(0, &"0".repeat(precision.saturating_sub(digits.len())));
    }
    if spec.conversion == b'o' && spec.alternate && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    Some(spec.pad(prefix, &digits, spec.precision.is_none()))
}

/// One float; `None` if the format is none for floats.
pub(super) fn format_float(format: &[u8], value: f64) -> Option<String> {
    let spec = Spec::parse(format)?;
    let lower = spec.conversion.to_ascii_lowercase();
    let magnitude = value.abs();
    let mut prefix = spec.sign(value.is_sign_negative()).to_string();
    let digits = if value.is_nan() {
        "nan".to_string()
    } else if value.is_infinite() {
        "inf".to_string()
    } else {
        let precision = spec.precision.unwrap_or(6);
        match lower {
            b'f' => fixed(magnitude, precision, spec.alternate),
            b'e' => scientific(magnitude, precision, spec.alternate),
            b'g' => general(magnitude, precision.max(1), spec.alternate),
            b'a' => {
                prefix += "0x";
                hexadecimal(magnitude, spec.precision, spec.alternate)
            }
            _ => return None,
        }
    };
    let text = spec.pad(&prefix, &digits, value.is_finite());
    let upper = spec.conversion.is_ascii_uppercase();
    Some(if upper { text.to_ascii_uppercase() } else { text })
}

fn fixed(value: f64, precision: usize, alternate: bool) -> String {
    let point = if alternate && precision == 0 { "." } else { "" };
    format!("{value:.precision$}{point}")
}

/// Digits and exponent of `d.ddde±x`.
fn split_scientific(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    match text.split_once('e') {
        Some((digits, exponent)) => (digits.to_string(), exponent.parse().unwrap_or(0)),
        None => (text, 0),
    }
}

fn with_exponent(digits: &str, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
}

fn scientific(value: f64, precision: usize, alternate: bool) -> String {
    let (mut digits, exponent) = split_scientific(value, precision);
    if alternate && precision == 0 {
        digits.push('.');
    }
    with_exponent(&digits, exponent)
}

fn general(value: f64, precision: usize, alternate: bool) -> String {
    let (digits, exponent) = split_scientific(value, precision - 1);
    let strip = |digits: String| match digits.contains('.') && !alternate {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => digits,
    };
    let point = |digits: String| match alternate && !digits.contains('.') {
        true => digits + ".",
        false => digits,
    };
    if exponent < -4 || exponent >= precision as i32 {
        return with_exponent(&point(strip(digits)), exponent);
    }
    let decimals = (precision as i32 - 1 - exponent) as usize;
    point(strip(format!("{value:.decimals$}")))
}

/// Without the leading `0x`.
fn hexadecimal(value: f64, precision: Option<usize>, alternate: bool) -> String {
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let (lead, exponent) = match (bits >> 52) as i64 {
        0 if fraction == 0 => (0, 0),
        0 => (0, -1022),
        biased => (1, biased - 1023),
    };
    let mut whole = (lead << 52) | fraction;
    let mut count = 13;
    if let Some(precision) = precision.filter(|it| *it < 13) {
        // Round to even at the last digit that is kept.
        let drop = 4 * (13 - precision);
        let (kept, lost, half) = (whole >> drop, whole & ((1 << drop) - 1), 1 << (drop - 1));
        let up = lost > half || (lost == half && kept & 1 == 1);
        whole = kept + u64::from(up);
        count = precision;
    }
    let lead = whole >> (4 * count);
    let digits = match count {
        0 => String::new(),
        _ => format!("{:0count$x}", whole & ((1 << (4 * count)) - 1)),
    };
    let digits = match precision {
        Some(precision) => format!("{digits:0<precision$}"),
        None => digits.trim_end_matches('0').to_string(),
    };
    let point = if digits.is_empty() && !alternate { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{lead:x}{point}{digits}p{sign}{}", exponent.abs())
}
