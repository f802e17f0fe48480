//! The syntax of numbers. Whether a text is a number at all is decided here; exact numbers
//! beyond the fixnums are left to the library, which reads the same syntax.

use crate::datum::{MAX_FIXNUM, MIN_FIXNUM, Number};

/// A number, or why this text that begins like one is none that can be had.
pub type Parsed = Result<Number, String>;

/// `None` if the text is not a number.
pub fn parse(text: &str, radix: u32) -> Option<Parsed> {
    let mut radix = radix;
    let mut exactness = None;
    let mut rest = text;
    let mut prefixed = false;
    while let Some(after) = rest.strip_prefix('#') {
        let kind = after.chars().next()?.to_ascii_lowercase();
        match kind {
            'x' => radix = 16,
            'b' => radix = 2,
            'o' => radix = 8,
            'd' => radix = 10,
            'e' | 'i' => exactness = Some(kind),
            _ => return None,
        }
        prefixed = true;
        rest = &after[1..];
    }
    let parsed = real(rest, radix, exactness);
    if parsed.is_none() && is_complex(rest, radix) {
        return Some(Ok(Number::Complex(text.into())));
    }
    if parsed.is_none() && prefixed {
        return Some(Err(format!("`{text}` is not a number")));
    }
    parsed
}

/// `1+2i`, `-i`, `1.5e3-.5i`, `2@1.5`
fn is_complex(text: &str, radix: u32) -> bool {
    let whole = |it: &str| matches!(real(it, radix, None), Some(Ok(_)));
    if let Some((size, angle)) = text.split_once('@') {
        return whole(size) && whole(angle);
    }
    let Some(body) = text.strip_suffix(['i', 'I']) else { return false };
    let bytes = body.as_bytes();
    let is_exponent = |at: usize| {
        radix == 10
            && at > 1
            && matches!(bytes[at - 1], b'e' | b'E')
            && bytes[at - 2].is_ascii_digit()
    };
    let mut signs = body.char_indices().rev().filter(|it| matches!(it.1, '+' | '-')).map(|it| it.0);
    let Some(at) = signs.find(|&it| !is_exponent(it)) else { return false };
    let (re, im) = body.split_at(at);
    (re.is_empty() || whole(re)) && (im.len() == 1 || whole(im))
}

fn real(text: &str, radix: u32, exactness: Option<char>) -> Option<Parsed> {
    match text.to_lowercase().as_str() {
        "+inf.0" => return Some(Ok(Number::Flonum(f64::INFINITY))),
        "-inf.0" => return Some(Ok(Number::Flonum(f64::NEG_INFINITY))),
        "+nan.0" | "-nan.0" => return Some(Ok(Number::Flonum(f64::NAN))),
        _ => (),
    }
    let (sign, body) = match text.as_bytes().first()? {
        b'+' => ("", &text[1..]),
        b'-' => ("-", &text[1..]),
        _ => ("", text),
    };
    let digits = |it: &str| !it.is_empty() && it.chars().all(|c| c.is_digit(radix));
    if digits(body) {
        return Some(Ok(integer(sign, body, radix, exactness)));
    }
    if let Some((above, below)) = body.split_once('/') {
        if !digits(above) || !digits(below) {
            return None;
        }
        if below.chars().all(|c| c == '0') {
            return Some(Err(format!("`{text}` divides by zero")));
        }
        return Some(Ok(fraction(sign, above, below, radix, exactness)));
    }
    (radix == 10 && is_decimal(body)).then(|| Ok(decimal(sign, body, exactness)))
}

fn integer(sign: &str, digits: &str, radix: u32, exactness: Option<char>) -> Number {
    let small = i64::from_str_radix(&format!("{sign}{digits}"), radix).ok();
    if exactness == Some('i') {
        let value = digits.chars().fold(0.0, |value: f64, c| {
            value * f64::from(radix) + f64::from(c.to_digit(radix).unwrap_or(0))
        });
        let value = if radix == 10 { digits.parse().unwrap_or(value) } else { value };
        return Number::Flonum(if sign.is_empty() { value } else { -value });
    }
    match small {
        Some(it) if (MIN_FIXNUM..=MAX_FIXNUM).contains(&it) => Number::Fixnum(it),
        _ => Number::Exact(format!("{}{sign}{digits}", radix_prefix(radix))),
    }
}

fn fraction(sign: &str, above: &str, below: &str, radix: u32, exactness: Option<char>) -> Number {
    if exactness == Some('i') {
        let value = |it: &str| {
            it.chars().fold(0.0, |value: f64, c| {
                value * f64::from(radix) + f64::from(c.to_digit(radix).unwrap_or(0))
            })
        };
        let quotient = value(above) / value(below);
        return Number::Flonum(if sign.is_empty() { quotient } else { -quotient });
    }
    Number::Exact(format!("{}{sign}{above}/{below}", radix_prefix(radix)))
}

fn radix_prefix(radix: u32) -> &'static str {
    match radix {
        2 => "#b",
        8 => "#o",
        16 => "#x",
        _ => "",
    }
}

/// `1.`, `.5`, `1.5`, `1e10`, `1.5e-3`
fn is_decimal(body: &str) -> bool {
    let (mantissa, exponent) = match body.find(['e', 'E']) {
        Some(at) => (&body[..at], Some(&body[at + 1..])),
        None => (body, None),
    };
    let digits = |it: &str| it.bytes().all(|b| b.is_ascii_digit());
    let good_exponent = exponent.is_none_or(|it| {
        let it = it.strip_prefix(['+', '-']).unwrap_or(it);
        !it.is_empty() && digits(it)
    });
    let good_mantissa = match mantissa.split_once('.') {
        Some((whole, part)) => digits(whole) && digits(part) && whole.len() + part.len() > 0,
        None => !mantissa.is_empty() && digits(mantissa),
    };
    good_mantissa && good_exponent
}

fn decimal(sign: &str, body: &str, exactness: Option<char>) -> Number {
    if exactness == Some('e') {
        return Number::Exact(format!("#e{sign}{body}"));
    }
    let value: f64 = body.parse().unwrap_or(f64::NAN);
    Number::Flonum(if sign.is_empty() { value } else { -value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms() {
        let ok = |text: &str| parse(text, 10).and_then(Result::ok);
        assert_eq!(ok("42"), Some(Number::Fixnum(42)));
        assert_eq!(ok("-17"), Some(Number::Fixnum(-17)));
        assert_eq!(ok("#xff"), Some(Number::Fixnum(255)));
        assert_eq!(ok("#b-101"), Some(Number::Fixnum(-5)));
        assert_eq!(ok("#i#x10"), Some(Number::Flonum(16.0)));
        assert_eq!(ok("1."), Some(Number::Flonum(1.0)));
        assert_eq!(ok("-.5e2"), Some(Number::Flonum(-50.0)));
        assert_eq!(ok("1/3"), Some(Number::Exact("1/3".into())));
        assert_eq!(ok("#e1.5"), Some(Number::Exact("#e1.5".into())));
        assert_eq!(ok("2305843009213693952"), Some(Number::Exact("2305843009213693952".into())));
        assert_eq!(ok("2305843009213693951"), Some(Number::Fixnum(MAX_FIXNUM)));
        assert_eq!(ok("+inf.0"), Some(Number::Flonum(f64::INFINITY)));
    }

    #[test]
    fn complex_numbers() {
        for text in
            ["1+2i", "+i", "3-4i", "-1.5e3-.5e-2i", "1/2+3/4i", "2@1.5", "#x1+fi", "+inf.0-i"]
        {
            assert_eq!(parse(text, 10), Some(Ok(Number::Complex(text.into()))), "{text}");
        }
    }

    #[test]
    fn names_are_not_numbers() {
        for text in [
            "+", "-", "...", "1+", "-1+", "a1", "->x", "e5", ".e5", "+hello", "i", "-i5", "a+i",
            "1+2", "x@1",
        ] {
            assert!(parse(text, 10).is_none(), "{text}");
        }
    }

    #[test]
    fn faults_have_reasons() {
        for text in ["1/0", "#xzz"] {
            assert!(matches!(parse(text, 10), Some(Err(_))), "{text}");
        }
    }
}
