//! Tokens: atoms, strings, characters, what begins with `#`.

use super::{Found, Reader, number};
use crate::datum::{Datum, DatumKind, Ident, KEYWORD, OPTIONAL};

/// Ends an atom.
pub fn is_delimiter(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '"' | ';' | '\'' | '`' | ',')
}

/// Characters by name.
pub const CHAR_NAMES: &[(&str, u32)] = &[
    ("space", 32),
    ("newline", 10),
    ("tab", 9),
    ("nul", 0),
    ("null", 0),
    ("return", 13),
    ("linefeed", 10),
    ("alarm", 7),
    ("backspace", 8),
    ("delete", 127),
    ("rubout", 127),
    ("escape", 27),
    ("esc", 27),
    ("altmode", 27),
    ("page", 12),
    ("vtab", 11),
];

impl Reader<'_> {
    pub(super) fn word(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(|c| !is_delimiter(c)) {
            self.bump();
        }
        self.text[start..self.at].to_string()
    }

    pub(super) fn atom(&mut self, start: usize) -> Found {
        let mut text = String::new();
        let mut quoted = false;
        while let Some(c) = self.peek() {
            if c == '|' {
                quoted = true;
                if !self.bars(&mut text) {
                    return Found::End;
                }
            } else if is_delimiter(c) {
                break;
            } else {
                text.push(c);
                self.bump();
            }
        }
        let span = self.span(start);
        if !quoted {
            if text == "." {
                return Found::Dot(span);
            }
            if let Some(result) = number::parse(&text, 10) {
                return Found::Datum(self.number(result, span));
            }
        }
        let text = if self.fold_case && !quoted { text.to_lowercase() } else { text };
        Found::Datum(Datum::new(self.ident(&text), span))
    }

    fn number(&mut self, parsed: number::Parsed, span: oxbow_base::Span) -> Datum {
        match parsed {
            Ok(number) => Datum::new(DatumKind::Number(number), span),
            Err(reason) => {
                self.error("E0410", reason, span, "");
                Datum::new(DatumKind::Bool(false), span)
            }
        }
    }

    /// `|any characters|` inside a symbol.
    fn bars(&mut self, text: &mut String) -> bool {
        let start = self.at;
        self.bump();
        loop {
            match self.bump() {
                Some('|') => return true,
                Some('\\') => self.escape(text, start),
                Some(c) => text.push(c),
                None => {
                    self.at = start + 1;
                    let span = self.span(start);
                    self.error("E0409", "this `|` symbol does not end", span, "");
                    self.stopped = true;
                    return false;
                }
            }
        }
    }

    pub(super) fn string(&mut self, start: usize) -> Found {
        let mut text = String::new();
        loop {
            match self.bump() {
                Some('"') => break,
                Some('\\') => self.escape(&mut text, start),
                Some('\r') if self.peek() == Some('\n') => (),
                Some(c) => text.push(c),
                None => {
                    self.at = start + 1;
                    let span = self.span(start);
                    self.error("E0409", "this string does not end", span, "opened here");
                    self.stopped = true;
                    return Found::End;
                }
            }
        }
        Found::Datum(Datum::new(DatumKind::String(text), self.span(start)))
    }

    fn escape(&mut self, text: &mut String, _start: usize) {
        let start = self.at - 1;
        match self.bump() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('a') => text.push('\u{7}'),
            Some('b') => text.push('\u{8}'),
            Some('0') => text.push('\0'),
            Some(c @ ('"' | '\\' | '|')) => text.push(c),
            Some('x' | 'X') => {
                let digits = self.at;
                while self.peek().is_some_and(|c| c.is_ascii_hexdigit()) {
                    self.bump();
                }
                let code = u32::from_str_radix(&self.text[digits..self.at], 16).ok();
                let ends = self.peek() == Some(';');
                if ends {
                    self.bump();
                }
                match code.and_then(char::from_u32) {
                    Some(c) if ends => text.push(c),
                    _ => {
                        let span = self.span(start);
                        self.error("E0411", "a bad `\\x` escape: it is written `\\x41;`", span, "");
                    }
                }
            }
            Some(c) if c == '\n' || c == ' ' || c == '\t' || c == '\r' => {
                // A line that goes on: blanks around the line end vanish.
                let mut c = Some(c);
                while c.is_some_and(|c| c != '\n' && c.is_whitespace()) {
                    c = self.bump();
                }
                while self.peek().is_some_and(|c| c == ' ' || c == '\t') {
                    self.bump();
                }
            }
            Some(c) => {
                let span = self.span(start);
                self.error("E0411", format!("unknown escape `\\{c}`"), span, "");
            }
            None => (),
        }
    }

    pub(super) fn hash(&mut self, start: usize) -> Found {
        match self.peek() {
            Some('(') => {
                self.bump();
                match self.sequence(start, ')', false) {
                    Some((items, _)) => {
                        Found::Datum(Datum::new(DatumKind::Vector(items), self.span(start)))
                    }
                    None => Found::End,
                }
            }
            Some('\\') => self.character(start),
            Some(c) if c.is_ascii_digit() => {
                let digits = self.at;
                while self.peek().is_some_and(|c| c.is_ascii_digit()) {
                    self.bump();
                }
                let number = self.text[digits..self.at].parse().unwrap_or(u32::MAX);
                match self.peek() {
                    Some('=' | '#') => self.label(start, number),
                    _ => self.unknown_hash(start),
                }
            }
            _ if self.starts("u8(") => {
                self.at += 3;
                self.bytes(start)
            }
            Some(c) if "xXbBoOdDeEiI".contains(c) => {
                self.at = start;
                let word = self.word();
                let span = self.span(start);
                match number::parse(&word, 10) {
                    Some(result) => Found::Datum(self.number(result, span)),
                    None => {
                        self.error("E0410", format!("`{word}` is not a number"), span, "");
                        Found::Datum(Datum::new(DatumKind::Bool(false), span))
                    }
                }
            }
            _ => {
                let word = self.word();
                let span = self.span(start);
                let kind = match word.to_lowercase().as_str() {
                    "t" | "true" => DatumKind::Bool(true),
                    "f" | "false" => DatumKind::Bool(false),
                    _ => return self.unknown_hash(start),
                };
                Found::Datum(Datum::new(kind, span))
            }
        }
    }

    fn unknown_hash(&mut self, start: usize) -> Found {
        self.word();
        let span = self.span(start);
        let text = self.text[start..self.at].to_string();
        // A word of lists of parameters.
        let is_keyword = text.len() > KEYWORD.len() && text.starts_with(KEYWORD);
        if text == OPTIONAL || is_keyword {
            let ident = Ident::Plain(text.as_str().into());
            return Found::Datum(Datum::new(DatumKind::Ident(ident), span));
        }
        self.error("E0412", format!("`{text}` is not the syntax of anything"), span, "");
        Found::Datum(Datum::new(DatumKind::Bool(false), span))
    }

    fn character(&mut self, start: usize) -> Found {
        self.bump();
        let first = self.at;
        self.bump();
        while self.peek().is_some_and(|c| !is_delimiter(c)) {
            self.bump();
        }
        let text = &self.text[first..self.at];
        let mut chars = text.chars();
        let code = match (chars.next(), chars.next()) {
            (Some(c), None) => Some(c as u32),
            (Some('x' | 'U' | 'u'), Some(_)) if u32::from_str_radix(&text[1..], 16).is_ok() => {
                u32::from_str_radix(&text[1..], 16).ok().filter(|&it| char::from_u32(it).is_some())
            }
            _ => CHAR_NAMES.iter().find(|it| it.0.eq_ignore_ascii_case(text)).map(|it| it.1),
        };
        let span = self.span(start);
        let code = code.unwrap_or_else(|| {
            let message = format!("`#\\{text}` is not a character");
            self.error("E0413", message, span, "");
            0
        });
        Found::Datum(Datum::new(DatumKind::Char(code), span))
    }

    fn bytes(&mut self, start: usize) -> Found {
        let Some((items, _)) = self.sequence(start, ')', false) else { return Found::End };
        let mut bytes = Vec::new();
        for item in items {
            match item.kind {
                DatumKind::Number(crate::datum::Number::Fixnum(it @ 0..=255)) => {
                    bytes.push(it as u8);
                }
                _ => {
                    self.error("E0414", "a bytevector holds integers from 0 to 255", item.span, "")
                }
            }
        }
        Found::Datum(Datum::new(DatumKind::Bytes(bytes), self.span(start)))
    }
}
