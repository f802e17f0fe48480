//! The values of literals, with OCaml's ranges.
//!
//! A decimal literal must lie in its type's range, and the lowest value only exists
//! behind a minus sign. Other bases write a bit pattern: `0x7fff_ffff_ffff_ffff` is -1.

use oxbow_elab::ast::Constant;

use crate::diagnostics::lexical::IntegerOutOfRange;
use crate::lexer::{Tok, Token};

use super::{Parse, Parser};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
}

impl Parser<'_> {
    /// True if a constant, without sign, starts here.
    pub(super) fn at_constant(&self) -> bool {
        matches!(
            self.peek(),
            Tok::Int | Tok::Float | Tok::Char(_) | Tok::String(_) | Tok::BadLiteral
        )
    }

    /// The constant here, behind `sign`.
    pub(super) fn constant(&mut self, sign: Sign) -> Parse<Constant> {
        let token = self.token();
        let value = match token.tok {
            Tok::Int => self.integer(token, sign),
            Tok::Float => Ok(self.float(token, sign)),
            Tok::Char(byte) => Ok(Constant::Char(byte)),
            Tok::String(index) => {
                Ok(Constant::String(self.strings.get(index as usize).cloned().unwrap_or_default()))
            }
            Tok::BadLiteral => match self.reported {
                Some(reported) => Err(reported),
                None => Err(self.unexpected("a constant")),
            },
            _ => return Err(self.unexpected("a constant")),
        };
        self.bump();
        value
    }

    fn integer(&mut self, token: Token, sign: Sign) -> Parse<Constant> {
        let text = self.text_of(token);
        let (digits, suffix) = match text.as_bytes().last() {
            Some(&it @ (b'l' | b'L' | b'n')) => (text.get(..text.len() - 1).unwrap_or(text), it),
            _ => (text, 0),
        };
        let (bits, type_name) = match suffix {
            b'l' => (32, "int32"),
            b'L' => (64, "int64"),
            b'n' => (64, "nativeint"),
            _ => (63, "int"),
        };
        let Some(value) = integer_value(digits, sign, bits) else {
            let report = IntegerOutOfRange {
                span: self.span_of(token),
                text,
                type_name,
                lowest: i64::MIN >> (64 - bits),
                highest: i64::MAX >> (64 - bits),
            };
            let diagnostic = report.render();
            return Err(self.report(diagnostic));
        };
        Ok(match suffix {
            b'l' => Constant::Int32(value as i32),
            b'L' => Constant::Int64(value),
            b'n' => Constant::Nativeint(value),
            _ => Constant::Int(value),
        })
    }

    fn float(&self, token: Token, sign: Sign) -> Constant {
        let digits: String = self.text_of(token).chars().filter(|&it| it != '_').collect();
        let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hexadecimal) => hexadecimal_float(hexadecimal),
            None => digits.parse().unwrap_or(f64::INFINITY),
        };
        Constant::Float(if sign == Sign::Minus { -value } else { value })
    }
}

/// The value of an unsuffixed integer literal in `bits` bits, if it fits.
fn integer_value(digits: &str, sign: Sign, bits: u32) -> Option<i64> {
    let bytes = digits.as_bytes();
    let radix = match (bytes.first(), bytes.get(1)) {
        (Some(b'0'), Some(b'x' | b'X')) => 16,
        (Some(b'0'), Some(b'o' | b'O')) => 8,
        (Some(b'0'), Some(b'b' | b'B')) => 2,
        _ => 10,
    };
    let digits = if radix == 10 { digits } else { digits.get(2..)? };
    let mut magnitude: u64 = 0;
    for digit in digits.chars().filter_map(|it| it.to_digit(radix)) {
        magnitude = magnitude.checked_mul(u64::from(radix))?.checked_add(u64::from(digit))?;
    }
    let half = 1u64 << (bits - 1);
    let highest = match (radix, sign) {
        // As in OCaml, the number that is written as the least one without its sign is the least one.
        (10, Sign::Plus | Sign::Minus) => half,
        _ => half - 1 + half,
    };
    if magnitude > highest {
        return None;
    }
    let pattern = if sign == Sign::Minus { magnitude.wrapping_neg() } else { magnitude };
    // The sign bit of the narrower type is spread over the rest.
    Some(((pattern << (64 - bits)) as i64) >> (64 - bits))
}

/// `1.8p3` without its prefix: digits beyond 60 bits only move the exponent, with
/// a sticky bit that keeps rounding correct.
fn hexadecimal_float(text: &str) -> f64 {
    let (digits, exponent) = match text.split_once(['p', 'P']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i64>().unwrap_or(0)),
        None => (text, 0),
    };
    let mut exponent = exponent.clamp(-1_000_000, 1_000_000);
    let mut mantissa: u64 = 0;
    let mut behind_point = false;
    for character in digits.chars() {
        let Some(digit) = character.to_digit(16) else {
            behind_point = true;
            continue;
        };
        if mantissa >> 60 == 0 {
            mantissa = mantissa << 4 | u64::from(digit);
            exponent -= if behind_point { 4 } else { 0 };
        } else {
            mantissa |= u64::from(digit != 0);
            exponent += if behind_point { 0 } else { 4 };
        }
    }
    scale(mantissa, exponent)
}

/// `mantissa * 2^exponent`, rounded once, to nearest with ties to even.
fn scale(mantissa: u64, exponent: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let width = 64 - i64::from(mantissa.leading_zeros());
    let top = width + exponent;
    if top > 1024 {
        return f64::INFINITY;
    }
    // A subnormal number has fewer than 53 bits.
    let kept = if top < -1021 { 53 - (-1021 - top) } else { 53 };
    if kept < 0 {
        return 0.0;
    }
    let dropped = width - kept;
    if dropped <= 0 {
        return mantissa as f64 * power_of_two(exponent);
    }
    let (high, low) = if dropped >= 64 {
        (0, mantissa)
    } else {
        (mantissa >> dropped, mantissa & ((1 << dropped) - 1))
    };
    let half = 1u64 << (dropped - 1);
    let up = low > half || (low == half && high & 1 == 1);
    let rounded = high + u64::from(up);
    rounded as f64 * power_of_two(exponent + dropped)
}

/// `2^exponent` in steps that do not lose bits on the way.
fn power_of_two(exponent: i64) -> f64 {
    if exponent < -1022 {
        return f64::from_bits(1u64 << (exponent + 1074).clamp(0, 52));
    }
    if exponent > 1023 {
        return f64::INFINITY;
    }
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
