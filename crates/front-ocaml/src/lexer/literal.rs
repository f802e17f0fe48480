//! Strings, characters and numbers.

use crate::diagnostics::lexical::{
    CharacterLength, IllegalEscape, MalformedCharacter, MalformedNumber, UnknownEscape,
    UnterminatedString,
};

use super::{Lexer, Tok, is_name_part};

/// The start of a quoted string `{id|`.
pub(super) struct QuotedOpening {
    pub id_start: usize,
    pub id_end: usize,
    pub is_extension: bool,
}

/// What a backslash and its followers stand for.
enum Escape {
    Bytes([u8; 4], usize),
    /// A backslash at the end of a line, and the blanks that follow.
    Nothing,
    /// Not an escape; the text is kept as it stands.
    Unknown,
    /// Looks like an escape but names no character.
    Illegal,
}

impl Lexer<'_> {
    // ------------------------------------------------------------- strings

    pub(super) fn string(&mut self) {
        let start = self.pos;
        self.pos += 1;
        let mut bytes = Vec::new();
        loop {
            // Copies plain runs at once.
            let rest = self.bytes.get(self.pos..).unwrap_or(&[]);
            let plain = rest.iter().take_while(|&&it| it != b'"' && it != b'\\').count();
            self.encoding.encode(self.slice(self.pos, self.pos + plain), &mut bytes);
            self.pos += plain;
            if self.at_end() {
                self.truncated = true;
                let span = self.span(start, start + 1);
                self.reported =
                    Some(self.sink.error(UnterminatedString { span, closer: "\"" }.render()));
                break;
            }
            if self.byte(0) == b'"' {
                self.pos += 1;
                break;
            }
            self.string_escape(&mut bytes);
        }
        self.push_string(bytes, start);
    }

    fn push_string(&mut self, bytes: Vec<u8>, start: usize) {
        let index = self.strings.len() as u32;
        self.strings.push(bytes);
        self.push(Tok::String(index), start);
    }

    fn string_escape(&mut self, bytes: &mut Vec<u8>) {
        let start = self.pos;
        match self.escape() {
            Escape::Bytes(escaped, length) => {
                bytes.extend_from_slice(escaped.get(..length).unwrap_or(&[]))
            }
            Escape::Nothing => (),
            Escape::Unknown => {
                bytes.push(b'\\');
                self.pos = start + 1;
                let rest = self.text.get(start + 1..).unwrap_or("");
                let end = start + 1 + rest.chars().next().map_or(0, char::len_utf8);
                let (span, text) = (self.span(start, end), self.slice(start, end));
                self.sink.warning(UnknownEscape { span, text }.render());
            }
            Escape::Illegal => {
                let (span, text) = (self.span(start, self.pos), self.slice(start, self.pos));
                self.reported = Some(self.sink.error(IllegalEscape { span, text }.render()));
            }
        }
    }

    /// Reads the escape here. After `Unknown` the position is of no meaning.
    fn escape(&mut self) -> Escape {
        let one = |byte| Escape::Bytes([byte, 0, 0, 0], 1);
        let code = self.byte(1);
        let simple = match code {
            b'\\' | b'\'' | b'"' | b' ' => Some(code),
            b'n' => Some(b'\n'),
            b't' => Some(b'\t'),
            b'b' => Some(8),
            b'r' => Some(b'\r'),
            _ => None,
        };
        if let Some(byte) = simple {
            self.pos += 2;
            return one(byte);
        }
        match code {
            b'0'..=b'9' => match self.digits(1, 3, 10) {
                Some(value) => {
                    self.pos += 4;
                    u8::try_from(value).map_or(Escape::Illegal, one)
                }
                None => Escape::Unknown,
            },
            b'x' => match self.digits(2, 2, 16) {
                Some(value) => {
                    self.pos += 4;
                    u8::try_from(value).map_or(Escape::Illegal, one)
                }
                None => Escape::Unknown,
            },
            b'o' if matches!(self.byte(2), b'0'..=b'3') => match self.digits(2, 3, 8) {
                Some(value) => {
                    self.pos += 5;
                    u8::try_from(value).map_or(Escape::Illegal, one)
                }
                None => Escape::Unknown,
            },
            b'u' if self.byte(2) == b'{' => self.unicode_escape(),
            b'\n' | b'\r' => {
                self.pos += if code == b'\r' && self.byte(2) == b'\n' { 3 } else { 2 };
                while matches!(self.byte(0), b' ' | b'\t') {
                    self.pos += 1;
                }
                Escape::Nothing
            }
            _ => Escape::Unknown,
        }
    }

    fn digits(&self, from: usize, count: usize, radix: u32) -> Option<u32> {
        let start = self.pos + from;
        let text = self.text.get(start..start + count)?;
        text.chars().all(|it| it.is_digit(radix)).then(|| u32::from_str_radix(text, radix).ok())?
    }

    fn unicode_escape(&mut self) -> Escape {
        let digits = self.pos + 3;
        let rest = self.bytes.get(digits..).unwrap_or(&[]);
        let count = rest.iter().take_while(|it| it.is_ascii_hexdigit()).count();
        if count == 0 || rest.get(count) != Some(&b'}') {
            return Escape::Unknown;
        }
        let text = self.slice(digits, digits + count);
        self.pos = digits + count + 1;
        match u32::from_str_radix(text, 16).ok().and_then(char::from_u32) {
            Some(character) => {
                let mut bytes = [0; 4];
                let length = character.encode_utf8(&mut bytes).len();
                Escape::Bytes(bytes, length)
            }
            None => Escape::Illegal,
        }
    }

    // ------------------------------------------------------- quoted strings

    /// The opening `{id|` here, if it is one.
    pub(super) fn quoted_string_opening(&self) -> Option<QuotedOpening> {
        let mut at = self.pos + 1;
        let is_extension = self.bytes.get(at) == Some(&b'%');
        if is_extension {
            while matches!(self.bytes.get(at), Some(b'%' | b'.')) || self.name_end(at) > at {
                at = self.name_end(at).max(at + 1);
            }
            at += self.bytes.get(at..)?.iter().take_while(|&&it| it == b' ' || it == b'\t').count();
        }
        let id_end = self.delimiter_end(at);
        (self.bytes.get(id_end) == Some(&b'|')).then_some(QuotedOpening {
            id_start: at,
            id_end,
            is_extension,
        })
    }

    /// Where the contents and the closing `|id}` end.
    pub(super) fn quoted_string_end(&self, opening: &QuotedOpening) -> Option<(usize, usize)> {
        let from = opening.id_end + 1;
        let id = self.slice(opening.id_start, opening.id_end);
        if id.is_ascii() {
            let closer = format!("|{id}}}");
            let at = self.text.get(from..)?.find(&closer)?;
            return Some((from + at, from + at + closer.len()));
        }
        // Its letters may be written in another way at the end.
        let id = self.letters(opening.id_start, opening.id_end);
        let bars = self.text.get(from..)?.match_indices('|').map(|it| from + it.0);
        bars.map(|bar| (bar, self.delimiter_end(bar + 1)))
            .find(|&(bar, end)| {
                self.bytes.get(end) == Some(&b'}') && self.letters(bar + 1, end) == id
            })
            .map(|(bar, end)| (bar, end + 1))
    }

    pub(super) fn quoted_string(&mut self) {
        let start = self.pos;
        let Some(opening) = self.quoted_string_opening() else {
            self.pos += 1;
            return;
        };
        let from = opening.id_end + 1;
        let (contents_end, end) = match self.quoted_string_end(&opening) {
            Some(ends) => ends,
            None => {
                self.truncated = true;
                let id = self.slice(opening.id_start, opening.id_end);
                let report = UnterminatedString {
                    span: self.span(start, from),
                    closer: &format!("|{id}}}"),
                };
                self.reported = Some(self.sink.error(report.render()));
                (self.bytes.len(), self.bytes.len())
            }
        };
        self.pos = end;
        if opening.is_extension {
            return self.push(Tok::QuotedExtension, start);
        }
        let mut contents = Vec::new();
        self.encoding.encode(self.slice(from, contents_end), &mut contents);
        self.push_string(contents, start);
    }

    // ----------------------------------------------------------- characters

    /// `'\n'` and its kin.
    pub(super) fn escaped_character(&mut self) {
        let start = self.pos;
        self.pos += 1;
        let escape = self.escape();
        if let Escape::Bytes([byte, ..], 1) = escape
            && self.byte(0) == b'\''
        {
            self.pos += 1;
            return self.push(Tok::Char(byte), start);
        }
        // Skips to the closing quote on this line, if there is one.
        let rest = self.bytes.get(start + 2..).unwrap_or(&[]);
        let length = rest.iter().take(12).take_while(|&&it| it != b'\'' && it != b'\n').count();
        self.pos = (start + 2 + length).min(self.bytes.len());
        while !self.text.is_char_boundary(self.pos) {
            self.pos += 1;
        }
        let (escape_span, text) = (self.span(start + 1, self.pos), self.slice(start + 1, self.pos));
        self.reported = Some(self.sink.error(IllegalEscape { span: escape_span, text }.render()));
        if self.byte(0) == b'\'' {
            self.pos += 1;
        }
        self.push(Tok::BadLiteral, start);
    }

    /// `''`, or quotes around a character of more than one byte.
    pub(super) fn malformed_character(&mut self) {
        let start = self.pos;
        let rest = self.text.get(start + 1..).unwrap_or("");
        let mut characters = rest.char_indices();
        let is_empty = rest.starts_with('\'');
        let length = if is_empty {
            1
        } else {
            let after = characters.nth(1);
            match after {
                Some((at, '\'')) => at + 1,
                Some((at, _)) => at,
                None => rest.len(),
            }
        };
        self.pos = start + 1 + length;
        let length = if is_empty { CharacterLength::Empty } else { CharacterLength::Wide };
        let report = MalformedCharacter { span: self.span(start, self.pos), length };
        self.reported = Some(self.sink.error(report.render()));
        self.push(Tok::BadLiteral, start);
    }

    // -------------------------------------------------------------- numbers

    fn skip_digits(&mut self, radix: u32) {
        while char::from(self.byte(0)).is_digit(radix) || self.byte(0) == b'_' {
            self.pos += 1;
        }
    }

    /// An exponent here, such as `e-10`: skipped, and true, if it is complete.
    fn exponent(&mut self, letters: [u8; 2]) -> bool {
        if !letters.contains(&self.byte(0)) {
            return false;
        }
        let sign = usize::from(matches!(self.byte(1), b'+' | b'-'));
        if !self.byte(1 + sign).is_ascii_digit() {
            return false;
        }
        self.pos += 1 + sign;
        self.skip_digits(10);
        true
    }

    pub(super) fn number(&mut self) {
        let start = self.pos;
        let radix = match (self.byte(0), self.byte(1)) {
            (b'0', b'x' | b'X') => 16,
            (b'0', b'o' | b'O') => 8,
            (b'0', b'b' | b'B') => 2,
            _ => 10,
        };
        let mut is_float = false;
        if radix != 10 {
            if !char::from(self.byte(2)).is_digit(radix) {
                return self.malformed_number(start);
            }
            self.pos += 2;
        }
        self.skip_digits(radix);
        if radix == 10 || radix == 16 {
            if self.byte(0) == b'.' && self.byte(1) != b'.' {
                is_float = true;
                self.pos += 1;
                self.skip_digits(radix);
            }
            let letters = if radix == 10 { [b'e', b'E'] } else { [b'p', b'P'] };
            is_float |= self.exponent(letters);
        }
        if !is_float && matches!(self.byte(0), b'l' | b'L' | b'n') && !is_name_part(self.byte(1)) {
            self.pos += 1;
        }
        if is_name_part(self.byte(0)) && self.byte(0) != b'\'' {
            return self.malformed_number(start);
        }
        self.push(if is_float { Tok::Float } else { Tok::Int }, start);
    }

    fn malformed_number(&mut self, start: usize) {
        self.pos = self.name_end(self.pos.max(start + 1));
        let (span, text) = (self.span(start, self.pos), self.slice(start, self.pos));
        self.reported = Some(self.sink.error(MalformedNumber { span, text }.render()));
        self.push(Tok::BadLiteral, start);
    }
}
