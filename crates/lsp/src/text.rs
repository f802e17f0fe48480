//! The text of a document: lines, positions as editors count them (UTF-16), edits.

use crate::protocol::{Position, Range};

#[derive(Clone, Debug, Default)]
pub struct Text {
    text: String,
    /// Where each line begins.
    lines: Vec<usize>,
}

impl Text {
    pub fn new(text: String) -> Self {
        let bytes = text.as_bytes();
        // `\n`, `\r\n` and `\r` alone end a line.
        let ends = |&at: &usize| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let lines =
            std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|it| it + 1)).collect();
        Self { text, lines }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn slice(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or("")
    }

    /// The byte of a position. What is behind the end of a line is its end, what is behind the last line is the end of
    /// the text, and what is inside a character is its beginning.
    pub fn offset(&self, position: Position) -> usize {
        let Some(&start) = self.lines.get(position.line as usize) else { return self.text.len() };
        let end = self.lines.get(position.line as usize + 1).map_or(self.text.len(), |it| it - 1);
        let mut units = 0;
        for (at, it) in self.text[start..end].char_indices() {
            let next = units + it.len_utf16() as u32;
            if next > position.character || it == '\r' && start + at + 1 == end {
                return start + at;
            }
            units = next;
        }
        end
    }

    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.lines.partition_point(|&it| it <= offset) - 1;
        let units = self.text[self.lines[line]..offset].encode_utf16().count();
        Position { line: line as u32, character: units as u32 }
    }

    pub fn range(&self, start: usize, end: usize) -> Range {
        Range { start: self.position(start), end: self.position(end.max(start)) }
    }

    /// Replaces a range; one that is upside down is empty.
    pub fn edit(&mut self, range: Range, text: &str) {
        let start = self.offset(range.start);
        let end = self.offset(range.end).max(start);
        self.text.replace_range(start..end, text);
        *self = Self::new(std::mem::take(&mut self.text));
    }
}

/// The word around a place: what starts there, and where it ends.
pub fn word(text: &str, offset: usize, is_part: impl Fn(char) -> bool) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or("");
    let start = before.char_indices().rev().take_while(|it| is_part(it.1)).last();
    let after = text.get(offset..).unwrap_or("");
    let end = after.char_indices().find(|it| !is_part(it.1)).map_or(after.len(), |it| it.0);
    (start.map_or(offset, |it| it.0), offset + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn positions_count_utf16() {
        let text = Text::new("a😀é\r\nx".into());
        assert_eq!(text.offset(at(0, 1)), 1);
        assert_eq!(text.offset(at(0, 2)), 1, "inside of a pair of surrogates");
        assert_eq!(text.offset(at(0, 3)), 5);
        assert_eq!(text.offset(at(0, 99)), 7, "before the end of the line");
        assert_eq!(text.offset(at(1, 1)), 10);
        assert_eq!(text.offset(at(9, 9)), 10);
        assert_eq!(text.position(5), at(0, 3));
        assert_eq!(text.position(6), at(0, 3), "inside of a character");
        assert_eq!(text.position(99), at(1, 1));
    }

    #[test]
    fn a_return_alone_ends_a_line() {
        let text = Text::new("a\rb\r\nc\n\rd".into());
        assert_eq!(text.position(2), at(1, 0));
        assert_eq!(text.offset(at(0, 9)), 1);
        assert_eq!(text.offset(at(1, 9)), 3, "before the return");
        assert_eq!(text.position(5), at(2, 0));
        assert_eq!(text.offset(at(4, 0)), 8);
    }

    #[test]
    fn edits_of_any_ranges() {
        let mut text = Text::new("let x = 1\nlet y = 2\n".into());
        text.edit(Range { start: at(1, 4), end: at(1, 5) }, "zz");
        assert_eq!(text.as_str(), "let x = 1\nlet zz = 2\n");
        text.edit(Range { start: at(0, 9), end: at(1, 0) }, " ");
        assert_eq!(text.as_str(), "let x = 1 let zz = 2\n");
        text.edit(Range { start: at(7, 0), end: at(0, 0) }, "end");
        assert_eq!(text.as_str(), "let x = 1 let zz = 2\nend");
        assert_eq!(text.position(21), at(1, 0));
    }

    #[test]
    fn words() {
        let part = |it: char| it.is_alphanumeric();
        assert_eq!(word("ab cd", 4, part), (3, 5));
        assert_eq!(word("ab cd", 2, part), (0, 2));
        assert_eq!(word("", 0, part), (0, 0));
    }
}
