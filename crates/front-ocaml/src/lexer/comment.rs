//! Comments, which nest and in which strings and characters still count: a
//! `*)` inside a string inside a comment does not end it.

use crate::diagnostics::lexical::UnterminatedComment;

use super::Lexer;

impl Lexer<'_> {
    /// Skips the comment that starts here.
    pub(super) fn comment(&mut self) {
        let mut starts = vec![self.pos];
        self.pos += 2;
        while !starts.is_empty() {
            if self.at_end() {
                return self.unterminated_comment(&starts, None);
            }
            match (self.byte(0), self.byte(1)) {
                (b'(', b'*') => {
                    starts.push(self.pos);
                    self.pos += 2;
                }
                (b'*', b')') => {
                    starts.pop();
                    self.pos += 2;
                }
                (b'"', _) => {
                    let string = self.pos;
                    if !self.skip_string() {
                        return self.unterminated_comment(&starts, Some(string));
                    }
                }
                (b'{', _) => match self.quoted_string_opening() {
                    Some(opening) => {
                        let string = self.pos;
                        match self.quoted_string_end(&opening) {
                            Some((_, end)) => self.pos = end,
                            None => return self.unterminated_comment(&starts, Some(string)),
                        }
                    }
                    None => self.pos += 1,
                },
                (b'\'', _) => self.skip_quote(),
                // A quote inside a name is part of the name.
                _ if self.begins_name(self.pos) => self.pos = self.name_end(self.pos),
                _ => self.pos += 1,
            }
        }
    }

    fn unterminated_comment(&mut self, starts: &[usize], string: Option<usize>) {
        self.pos = self.bytes.len();
        self.truncated = true;
        let (Some(&outer), Some(&inner)) = (starts.first(), starts.last()) else { return };
        let report = UnterminatedComment {
            outer: self.span(outer, outer + 2),
            inner: (inner != outer).then(|| self.span(inner, inner + 2)),
            string: string.map(|at| self.span(at, at + 1)),
        };
        self.reported = Some(self.sink.error(report.render()));
    }

    /// Skips a string without looking at its escapes; false at the end of the file.
    fn skip_string(&mut self) -> bool {
        self.pos += 1;
        while !self.at_end() {
            match self.byte(0) {
                b'"' => {
                    self.pos += 1;
                    return true;
                }
                b'\\' => self.pos += 2,
                _ => self.pos += 1,
            }
        }
        false
    }

    /// Skips a character literal, or only the quote if it is none.
    fn skip_quote(&mut self) {
        let length = match (self.byte(1), self.byte(2), self.byte(3)) {
            _ if self.latin1_character().is_some() => 4,
            (b'\'', _, _) => 2,
            (b'\\', b'\\' | b'"' | b'\'' | b'n' | b't' | b'b' | b'r' | b' ', b'\'') => 4,
            (b'\\', b'0'..=b'9' | b'x', _) if self.byte(5) == b'\'' => 6,
            (b'\\', b'o', _) if self.byte(6) == b'\'' => 7,
            (b'\\', _, _) => 1,
            (_, b'\'', _) => 3,
            _ => 1,
        };
        self.pos += length;
    }
}
