//! Strings: plain, verbatim, triple-quoted, interpolated.
//!
//! ```text
//! "a\tb"   @"c:\dir"   """say "hi" """   $"x = {x:F2}"   $"%5d{n}"
//! ```

use oxbow_elab::ast::Constant;

use crate::diagnostics;
use crate::lexer::Lexer;
use crate::token::{Part, Tok};

#[derive(Clone, Copy, PartialEq)]
enum Style {
    Plain,
    Verbatim,
    Triple,
}

impl Lexer<'_> {
    /// Reads an escape; the `\` is next.
    pub fn escape(&mut self) -> u32 {
        let start = self.at;
        self.at += 1;
        match self.bump() {
            Some('n') => 10,
            Some('t') => 9,
            Some('r') => 13,
            Some('b') => 8,
            Some('a') => 7,
            Some('f') => 12,
            Some('v') => 11,
            Some('0') if !self.peek().is_some_and(|it| it.is_ascii_digit()) => 0,
            Some(it @ ('\\' | '"' | '\'' | '%' | '{' | '}')) => u32::from(it),
            Some('x') => self.code(start, 2, 16),
            Some('u') => self.code(start, 4, 16),
            Some('U') => self.code(start, 8, 16),
            Some(it) if it.is_ascii_digit() => {
                self.at -= 1;
                self.code(start, 3, 10)
            }
            _ => {
                let report = diagnostics::bad_escape(self.span(start, self.at));
                self.report(report);
                u32::from(b'?')
            }
        }
    }

    fn code(&mut self, start: usize, digits: usize, radix: u32) -> u32 {
        let value = self
            .rest()
            .get(..digits)
            .filter(|it| it.chars().all(|it| it.is_digit(radix)))
            .and_then(|it| u32::from_str_radix(it, radix).ok());
        match value {
            Some(value) => {
                self.at += digits;
                value
            }
            None => {
                let report = diagnostics::bad_escape(self.span(start, self.at));
                self.report(report);
                u32::from(b'?')
            }
        }
    }

    fn open_string(&mut self) -> Style {
        let verbatim = self.rest().starts_with('@');
        self.at += usize::from(verbatim);
        if self.rest().starts_with("\"\"\"") {
            self.at += 3;
            return Style::Triple;
        }
        self.at += 1;
        if verbatim { Style::Verbatim } else { Style::Plain }
    }

    /// Is the end of the string next? Moves past it.
    fn closed(&mut self, style: Style) -> bool {
        let rest = self.rest();
        let length = match style {
            Style::Triple if rest.starts_with("\"\"\"") => 3,
            Style::Verbatim if rest.starts_with("\"\"") => return false,
            Style::Plain | Style::Verbatim if rest.starts_with('"') => 1,
            _ => return false,
        };
        self.at += length;
        true
    }

    /// One character of a string's text.
    fn string_char(&mut self, style: Style, out: &mut Vec<u8>) {
        let rest = self.rest();
        match style {
            Style::Plain if rest.starts_with('\\') => {
                // A line that ends in `\` goes on with the first character of the next that is
                // not blank.
                if rest[1..].starts_with('\n') {
                    self.at += 2;
                    while self.peek().is_some_and(char::is_whitespace) {
                        self.bump();
                    }
                    return;
                }
                let code = self.escape();
                push_char(code, out);
            }
            Style::Verbatim if rest.starts_with("\"\"") => {
                self.at += 2;
                out.push(b'"');
            }
            _ => {
                if let Some(it) = self.bump() {
                    push_char(u32::from(it), out);
                }
            }
        }
    }

    pub fn string(&mut self) -> Tok {
        let start = self.at;
        let style = self.open_string();
        let mut bytes = Vec::new();
        while !self.closed(style) {
            if self.at >= self.end {
                let report = diagnostics::unterminated_string(self.span(start, start + 1));
                self.report(report);
                return Tok::Constant(Constant::String(bytes));
            }
            self.string_char(style, &mut bytes);
        }
        if self.rest().starts_with('B') {
            self.at += 1;
            return Tok::Bytes(bytes);
        }
        Tok::Constant(Constant::String(bytes))
    }

    pub fn interpolated(&mut self) -> Tok {
        let start = self.at;
        while self.rest().starts_with('$') || self.rest().starts_with("@$") {
            if self.rest().starts_with("@$") {
                // `@$"` is `$@"`.
                self.at += 2;
                break;
            }
            self.at += 1;
        }
        let verbatim = self.text[start..self.at].contains('@');
        let style = match self.open_string() {
            Style::Plain if verbatim => Style::Verbatim,
            style => style,
        };
        let mut parts = Vec::new();
        let mut bytes = Vec::new();
        loop {
            if self.closed(style) {
                break;
            }
            if self.at >= self.end {
                let report = diagnostics::unterminated_string(self.span(start, start + 2));
                self.report(report);
                break;
            }
            let rest = self.rest();
            if rest.starts_with("{{") || rest.starts_with("}}") {
                bytes.push(rest.as_bytes()[0]);
                self.at += 2;
            } else if rest.starts_with("%%") {
                bytes.push(b'%');
                self.at += 2;
            } else if rest.starts_with('{') {
                let typed = take_conversion(&mut bytes);
                if !bytes.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut bytes)));
                }
                if let Some(hole) = self.hole(typed, style) {
                    parts.push(hole);
                } else if self.at >= self.end || self.rest().starts_with('\n') {
                    // The hole is never closed; the string ends with its line.
                    break;
                }
            } else if rest.starts_with('}') {
                let report = diagnostics::bad_hole(
                    self.span(self.at, self.at + 1),
                    "a `}` that closes nothing is written `}}`",
                );
                self.report(report);
                self.at += 1;
            } else {
                self.string_char(style, &mut bytes);
            }
        }
        if !bytes.is_empty() {
            parts.push(Part::Text(bytes));
        }
        Tok::Interpolated(parts)
    }

    /// `{e}`, `{e,10}`, `{e:F2}`; the `{` is next.
    fn hole(&mut self, typed: Option<String>, style: Style) -> Option<Part> {
        let open = self.at;
        self.at += 1;
        let start = self.at;
        let (mut depth, mut end) = (0usize, None);
        let (mut align, mut format) = (None, None);
        loop {
            let rest = self.rest();
            let Some(it) = rest.chars().next() else { break };
            match it {
                '\n' if style == Style::Plain => break,
                '"' => self.skip_inner_string(),
                '\'' if rest.len() > 2 && rest[1..].chars().nth(1) == Some('\'') => {
                    self.bump();
                    self.bump();
                    self.bump();
                }
                '(' | '[' | '{' => {
                    depth += 1;
                    self.at += 1;
                }
                '}' if depth == 0 => {
                    end.get_or_insert(self.at);
                    self.at += 1;
                    if self.text[start..end.unwrap_or(start)].trim().is_empty() {
                        let report = diagnostics::bad_hole(
                            self.span(open, self.at),
                            "there is no expression in this hole",
                        );
                        self.report(report);
                        return None;
                    }
                    return Some(Part::Hole {
                        start,
                        end: end.unwrap_or(start),
                        align,
                        format,
                        typed,
                    });
                }
                ')' | ']' | '}' => {
                    depth = depth.saturating_sub(1);
                    self.at += 1;
                }
                ',' if depth == 0 => {
                    end.get_or_insert(self.at);
                    self.at += 1;
                    let rest = self.rest();
                    let length = rest.find([':', '}', '"']).unwrap_or(rest.len());
                    align = rest[..length].trim().parse().ok();
                    if align.is_none() {
                        let report = diagnostics::bad_hole(
                            self.span(self.at, self.at + length),
                            "the width after `,` is not a number",
                        );
                        self.report(report);
                    }
                    self.at += length;
                }
                ':' if depth == 0 && !rest.starts_with("::") => {
                    end.get_or_insert(self.at);
                    self.at += 1;
                    let rest = self.rest();
                    let length = rest.find(['}', '"']).unwrap_or(rest.len());
                    format = Some(rest[..length].to_string());
                    self.at += length;
                }
                ':' => self.at += if rest.starts_with("::") { 2 } else { 1 },
                _ => self.at += it.len_utf8(),
            }
        }
        let report = diagnostics::bad_hole(
            self.span(open, open + 1),
            "this `{` is never closed; a brace that is meant as text is written `{{`",
        );
        self.report(report);
        let line = self.text[open..self.end].find('\n').map_or(self.end, |it| open + it);
        self.at = line;
        None
    }

    fn skip_inner_string(&mut self) {
        self.at += 1;
        while let Some(it) = self.bump() {
            match it {
                '\\' => {
                    self.bump();
                }
                '"' | '\n' => return,
                _ => (),
            }
        }
    }
}

/// `%5d` at the end of the text before a hole.
fn take_conversion(bytes: &mut Vec<u8>) -> Option<String> {
    let at = bytes.iter().rposition(|&it| it == b'%')?;
    let text = std::str::from_utf8(&bytes[at..]).ok()?;
    let (last, middle) = text.as_bytes()[1..].split_last()?;
    let plain = middle.iter().all(|it| it.is_ascii_digit() || b"-+ 0.".contains(it));
    if !plain || !last.is_ascii_alphabetic() {
        return None;
    }
    let text = text.to_string();
    bytes.truncate(at);
    Some(text)
}

fn push_char(code: u32, out: &mut Vec<u8>) {
    match char::from_u32(code) {
        Some(it) => {
            let mut buffer = [0; 4];
            out.extend_from_slice(it.encode_utf8(&mut buffer).as_bytes());
        }
        None => out.push(b'?'),
    }
}
