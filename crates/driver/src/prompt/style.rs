//! How each language writes values and definitions.

use oxbow_base::doc::{Doc, SPACE};
use oxbow_base::{Language, Symbol};
use oxbow_psg::IntWidth;

/// What differs between the prompts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// `val x : int = 3`, as OCaml's.
    Ocaml,
    /// `val x: int = 3`, as `fsi`.
    Clef,
}

impl Style {
    pub fn of(language: Language) -> Self {
        match language {
            Language::Clef | Language::ClefProject => Self::Clef,
            Language::Ocaml | Language::Eshkol | Language::Mlir => Self::Ocaml,
        }
    }

    pub fn function(self) -> &'static str {
        "<fun>"
    }

    /// `val x : t = v`, or `- : t = v` without a name.
    pub fn definition(self, name: Option<Symbol>, mutable: bool, ty: Doc, value: Doc) -> Doc {
        match self {
            Self::Ocaml => match name {
                None => Doc::hov(0, vec![Doc::text("- : "), ty, Doc::text(" ="), SPACE, value]),
                Some(name) => {
                    let head = format!("val {} :", oxbow_elab::infer::phrase::value_name(name));
                    let head = Doc::hov(2, vec![Doc::text(head), SPACE, ty]);
                    Doc::hov(2, vec![head, Doc::text(" ="), SPACE, value])
                }
            },
            Self::Clef => {
                let mutable = if mutable { "mutable " } else { "" };
                let name = name.map_or("it".into(), Symbol::shown);
                let head = Doc::text(format!("val {mutable}{name}: "));
                Doc::hov(2, vec![head, ty, Doc::text(" ="), SPACE, value])
            }
        }
    }

    pub fn record(self, fields: Vec<Doc>) -> Doc {
        match self {
            Self::Ocaml => super::values::boxed("{", fields, ";", "}"),
            Self::Clef => super::values::boxed("{ ", fields, ";", " }"),
        }
    }

    pub fn constructor(self, name: &str) -> String {
        match self {
            Self::Ocaml if !name.starts_with(|it: char| it.is_alphabetic()) => format!("({name})"),
            Self::Ocaml | Self::Clef => name.to_string(),
        }
    }

    pub fn int(self, width: IntWidth, value: i128) -> String {
        let suffix = match (self, width) {
            (Self::Ocaml, IntWidth::I32) => "l",
            (Self::Ocaml, IntWidth::I64) | (Self::Clef, IntWidth::I64) => "L",
            (Self::Clef, IntWidth::U32) => "u",
            (Self::Clef, IntWidth::U64) => "UL",
            (Self::Clef, IntWidth::U8) => "uy",
            (Self::Clef, IntWidth::I8) => "y",
            (Self::Clef, IntWidth::I16) => "s",
            (Self::Clef, IntWidth::U16) => "us",
            _ => "",
        };
        format!("{value}{suffix}")
    }

    pub fn float(self, value: f64) -> String {
        if value.is_nan() {
            return "nan".into();
        }
        if value.is_infinite() {
            return if value > 0.0 { "infinity" } else { "neg_infinity" }.into();
        }
        let text = [12, 15]
            .into_iter()
            .map(|digits| general(value, digits))
            .find(|it| it.parse() == Ok(value));
        let text = text.unwrap_or_else(|| general(value, 18));
        let is_whole = !text.contains(['.', 'e', 'n', 'i']);
        match self {
            Self::Ocaml if is_whole => format!("{text}."),
            Self::Clef if is_whole => format!("{text}.0"),
            Self::Ocaml | Self::Clef => text,
        }
    }

    pub fn float32(self, value: f32) -> String {
        format!("{}f", self.float(value.into()))
    }

    pub fn char(self, byte: u8) -> String {
        let text = match byte {
            b'\'' => "\\'".to_string(),
            b'"' => "\"".to_string(),
            _ => escaped(byte),
        };
        format!("'{text}'")
    }

    /// A string with quotes. Bytes above 127 are shown if they are text.
    pub fn text(self, bytes: &[u8]) -> String {
        let mut out = String::from("\"");
        for chunk in bytes.utf8_chunks() {
            for letter in chunk.valid().chars() {
                match u8::try_from(letter).ok().filter(u8::is_ascii) {
                    Some(byte) => out.push_str(&escaped(byte)),
                    None => out.push(letter),
                }
            }
            chunk.invalid().iter().for_each(|&it| out.push_str(&escaped(it)));
        }
        out.push('"');
        out
    }

    pub fn bytes(self, bytes: &[u8]) -> String {
        match self {
            Self::Ocaml => format!("Bytes.of_string {}", self.text(bytes)),
            Self::Clef => self.text(bytes),
        }
    }
}

fn escaped(byte: u8) -> String {
    match byte {
        b'"' => "\\\"".into(),
        b'\\' => "\\\\".into(),
        b'\n' => "\\n".into(),
        b'\t' => "\\t".into(),
        b'\r' => "\\r".into(),
        8 => "\\b".into(),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03}"),
    }
}

/// C's `%.{digits}g`.
fn general(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return if value.is_sign_negative() { "-0" } else { "0" }.into();
    }
    let text = format!("{:.*e}", digits - 1, value);
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    };
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs());
    }
    let places = (digits as i32 - 1 - exponent).max(0) as usize;
    trimmed(&format!("{value:.places$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_written_as_ocaml_does() {
        let shown = |it: f64| Style::Ocaml.float(it);
        assert_eq!(shown(1.0), "1.");
        assert_eq!(shown(0.1), "0.1");
        assert_eq!(shown(1e22), "1e+22");
        assert_eq!(shown(123456789.123), "123456789.123");
        assert_eq!(shown(0.1 + 0.2), "0.300000000000000044");
        assert_eq!(shown(-1e-7), "-1e-07");
        assert_eq!(shown(f64::NEG_INFINITY), "neg_infinity");
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(Style::Ocaml.text(b"a\n\"\\\x01"), r#""a\n\"\\\001""#);
        assert_eq!(Style::Ocaml.text("é".as_bytes()), "\"é\"");
        assert_eq!(Style::Ocaml.char(b'\''), r"'\''");
    }
}
