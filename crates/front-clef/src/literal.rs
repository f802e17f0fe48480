//! Numbers and characters.

use oxbow_base::Symbol;
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::Constant;
use oxbow_psg::IntWidth;

use crate::diagnostics;
use crate::lexer::Lexer;
use crate::token::Tok;

/// Suffixes of integers: the type's name, and how its literals are kept.
const SUFFIXES: &[(&str, IntWidth)] = &[
    ("", IntWidth::I32),
    ("l", IntWidth::I32),
    ("y", IntWidth::I8),
    ("uy", IntWidth::U8),
    ("s", IntWidth::I16),
    ("us", IntWidth::U16),
    ("u", IntWidth::U32),
    ("ul", IntWidth::U32),
    ("L", IntWidth::I64),
    ("UL", IntWidth::U64),
    ("uL", IntWidth::U64),
];

/// Functions of the library that make values of literals; no program can mean them.
const DECIMAL: &str = "%decimal";
const BIG_INTEGER: &str = "%bigint";

impl Lexer<'_> {
    pub fn number(&mut self) -> Tok {
        let start = self.at;
        let rest = self.rest();
        let radix = match rest.get(..2) {
            Some("0x" | "0X") => 16,
            Some("0o" | "0O") => 8,
            Some("0b" | "0B") => 2,
            _ => 10,
        };
        let mut float = false;
        if radix != 10 {
            self.at += 2;
            self.digits(|it| it.is_ascii_hexdigit() && it.is_digit(radix));
        } else {
            self.digits(|it| it.is_ascii_digit());
            let rest = self.rest();
            // `1..5` is a range, `1.ToString()` a call.
            let after = rest.chars().nth(1);
            if rest.starts_with('.')
                && after != Some('.')
                && !after.is_some_and(|it| it.is_alphabetic() && !matches!(it, 'e' | 'E' | 'f'))
            {
                float = true;
                self.at += 1;
                self.digits(|it| it.is_ascii_digit());
            }
            float |= self.exponent();
        }
        let digits_end = self.at;
        while self.peek().is_some_and(|it| it.is_alphanumeric() || it == '_') {
            self.bump();
        }
        let digits: String = self.text[start..digits_end].chars().filter(|it| *it != '_').collect();
        let suffix = &self.text[digits_end..self.at];
        self.number_value(start, &digits, suffix, radix, float)
    }

    fn digits(&mut self, is: impl Fn(char) -> bool) {
        while let Some(it) = self.peek()
            && (is(it) || it == '_')
        {
            self.at += it.len_utf8();
        }
    }

    fn exponent(&mut self) -> bool {
        let rest = self.rest().as_bytes();
        if !matches!(rest.first(), Some(b'e' | b'E')) {
            return false;
        }
        let sign = usize::from(matches!(rest.get(1), Some(b'+' | b'-')));
        if !rest.get(1 + sign).is_some_and(u8::is_ascii_digit) {
            return false;
        }
        self.at += 1 + sign;
        self.digits(|it| it.is_ascii_digit());
        true
    }

    fn number_value(
        &mut self,
        start: usize,
        digits: &str,
        suffix: &str,
        radix: u32,
        float: bool,
    ) -> Tok {
        let span = self.span(start, self.at);
        let malformed = |this: &mut Self| {
            if matches!(suffix, "N" | "Z" | "Q" | "R" | "G") {
                let construct = "literals of types that define them (`NumericLiteral`)";
                this.report(Diagnostic::not_supported(span, construct));
                return Tok::Bad;
            }
            let report = diagnostics::bad_number(span, &this.text[start..this.at]);
            this.report(report);
            Tok::Bad
        };
        match (suffix, radix) {
            ("M" | "m", 10) => return Tok::Numeral(DECIMAL, digits.to_string()),
            ("I", 10) if !float => return Tok::Numeral(BIG_INTEGER, digits.to_string()),
            _ => (),
        }
        if float || (radix == 10 && matches!(suffix, "f" | "F")) {
            return match (digits.parse::<f64>(), suffix) {
                (Ok(value), "") => Tok::Constant(Constant::Float(value)),
                (Ok(_), "f" | "F") => match digits.parse::<f32>() {
                    Ok(value) => Tok::Constant(Constant::Float32(value)),
                    Err(_) => malformed(self),
                },
                _ => malformed(self),
            };
        }
        let body = if radix == 10 { digits } else { &digits[2..] };
        let Ok(value) = u128::from_str_radix(body, radix) else {
            return malformed(self);
        };
        if matches!(suffix, "n" | "un") {
            let most = if suffix == "n" && radix == 10 { 1 << 63 } else { u128::from(u64::MAX) };
            if value > most {
                let report = diagnostics::too_large(span, "nativeint");
                self.report(report);
                return Tok::Bad;
            }
            return Tok::Constant(Constant::Nativeint(value as i64));
        }
        let Some(&(_, width)) = SUFFIXES.iter().find(|it| it.0 == suffix) else {
            return malformed(self);
        };
        let bits = width.bits();
        // The least value of a signed type is written with a minus before it.
        let most = match (width.signed(), radix) {
            (true, 10) => 1u128 << (bits - 1),
            _ => (1u128 << bits) - 1,
        };
        if value > most {
            let report = diagnostics::too_large(span, type_name(width));
            self.report(report);
            return Tok::Bad;
        }
        Tok::Constant(Constant::Sized(width, width.wrap(value as i64)))
    }

    /// `'a'` or the type variable `'a`.
    pub fn quote(&mut self) -> Tok {
        let start = self.at;
        let rest = &self.rest()[1..];
        let mut chars = rest.chars();
        let first = chars.next();
        let second = chars.next();
        match (first, second) {
            (Some('\\'), _) => {
                self.at += 1;
                let code = self.escape();
                self.close_char(start, code)
            }
            (Some(it), Some('\'')) if it != '\n' => {
                self.at += 1 + it.len_utf8();
                self.close_char(start, u32::from(it))
            }
            (Some(it), _) if it.is_alphabetic() || it == '_' => {
                self.at += 1;
                let begin = self.at;
                while self.peek().is_some_and(|it| it.is_alphanumeric() || it == '_') {
                    self.bump();
                }
                if self.peek() == Some('\'') {
                    self.at += 1;
                    let span = self.span(start, self.at);
                    self.report(diagnostics::several_characters(span));
                    return Tok::Bad;
                }
                Tok::TypeVar(Symbol::new(&self.text[begin..self.at]))
            }
            _ => {
                self.at += 1;
                let report =
                    diagnostics::bad_char(self.span(start, self.at), "it is empty or not closed");
                self.report(report);
                Tok::Bad
            }
        }
    }

    fn close_char(&mut self, start: usize, code: u32) -> Tok {
        if self.peek() != Some('\'') {
            let report =
                diagnostics::bad_char(self.span(start, self.at), "a `'` is missing at its end");
            self.report(report);
            return Tok::Bad;
        }
        self.at += 1;
        if self.rest().starts_with('B') {
            self.at += 1;
            return Tok::Constant(Constant::Sized(IntWidth::U8, i64::from(code as u8)));
        }
        match u8::try_from(code) {
            Ok(byte) => Tok::Constant(Constant::Char(byte)),
            Err(_) => {
                let report = diagnostics::bad_char(
                    self.span(start, self.at),
                    "a `char` is one byte here, and this character needs more; use a string",
                );
                self.report(report);
                Tok::Bad
            }
        }
    }
}

/// The name of the type of an integer literal.
pub fn type_name(width: IntWidth) -> &'static str {
    match width {
        IntWidth::I32 => "int",
        other => other.name(),
    }
}
