//! Reading floats in C's syntax, as OCaml's `float_of_string` does after removing
//! underscores: decimal, hexadecimal, `inf`, `nan`. And their shortest digits.

use std::fmt::LowerExp;

/// The shortest digits that mean a number that is not negative, and the power of ten of the first one: `125e-3`.
pub(super) fn digits(value: impl LowerExp) -> String {
    let shortest = format!("{value:e}");
    // Of two numbers with as many digits that are equally near it is the even one.
    let digits = shortest.bytes().take_while(|it| *it != b'e').filter(u8::is_ascii_digit).count();
    format!("{value:.*e}", digits.saturating_sub(1)).replace('.', "")
}

/// The float, if the whole text is one. Leading blanks are allowed, as in C.
pub(super) fn parse(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(text).ok()?;
    let text = text.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
    let (negative, body) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = body.to_ascii_lowercase();
    let magnitude = if lower == "inf" || lower == "infinity" {
        f64::INFINITY
    } else if is_nan(&lower) {
        f64::NAN
    } else if let Some(digits) = lower.strip_prefix("0x") {
        hexadecimal(digits)?
    } else {
        decimal(&lower)?
    };
    Some(if negative { -magnitude } else { magnitude })
}

fn is_nan(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("nan") else { return false };
    let payload = rest.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    rest.is_empty()
        || payload.is_some_and(|it| it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_'))
}

fn decimal(text: &str) -> Option<f64> {
    // Rust knows a few more words than C; numbers begin with a digit or a point.
    let first = text.bytes().next()?;
    if !first.is_ascii_digit() && first != b'.' {
        return None;
    }
    text.parse().ok()
}

fn hexadecimal(text: &str) -> Option<f64> {
    let (digits, exponent) = match text.split_once('p') {
        Some((digits, exponent)) => (digits, parse_exponent(exponent)?),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (mut mantissa, mut scale, mut sticky) = (0u64, 0i64, false);
    for (index, digit) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = u64::from(digit.to_digit(16)?);
        let in_fraction = index >= whole.len();
        if mantissa < 1 << 59 {
            mantissa = mantissa * 16 + digit;
            scale -= if in_fraction { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            scale += if in_fraction { 0 } else { 4 };
        }
    }
    Some(compose(mantissa | u64::from(sticky), scale.saturating_add(exponent)))
}

fn parse_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    // More than any float has, but far from overflow.
    let magnitude = digits.parse::<i64>().unwrap_or(i64::MAX).min(1 << 40);
    Some(if text.starts_with('-') { -magnitude } else { magnitude })
}

/// `mantissa * 2^exponent`, rounded once, ties to even. The last bit of the mantissa
/// may stand for lost ones, so a mantissa that needs it is longer than 53 bits.
fn compose(mantissa: u64, exponent: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let length = 64 - i64::from(mantissa.leading_zeros());
    let top = exponent + length;
    if top > 1024 {
        return f64::INFINITY;
    }
    // The exponent of the last bit that the result has room for.
    let last = (top - 53).max(-1074);
    let drop = last - exponent;
    let kept = if drop <= 0 {
        mantissa << -drop
    } else if drop > 64 {
        0
    } else {
        let wide = u128::from(mantissa);
        let (kept, lost, half) = (wide >> drop, wide & ((1 << drop) - 1), 1u128 << (drop - 1));
        let up = lost > half || (lost == half && kept & 1 == 1);
        (kept + u128::from(up)) as u64
    };
    super::numbers::ldexp(kept as f64, last)
}
