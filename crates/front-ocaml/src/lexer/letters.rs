//! Letters of names that are none of ASCII's: those of Latin-9, in files that are UTF-8.
//!
//! ```text
//! é            one letter: U+00E9
//! e + ◌́        the same letter, decomposed: U+0065 U+0301
//! ```
//!
//! Names that differ only in how their letters are written are one name: it has them in one piece.

use oxbow_base::{Encoding, Symbol};

use super::{Lexer, is_name_part, is_name_start};

/// The base letters that go with a mark, and what they become.
const COMPOSED: [(char, &str, &str); 8] = [
    ('\u{300}', "AEIOUaeiou", "ÀÈÌÒÙàèìòù"),
    ('\u{301}', "AEIOUYaeiouy", "ÁÉÍÓÚÝáéíóúý"),
    ('\u{302}', "AEIOUaeiou", "ÂÊÎÔÛâêîôû"),
    ('\u{303}', "ANOano", "ÃÑÕãñõ"),
    ('\u{308}', "AEIOUYaeiouy", "ÄËÏÖÜŸäëïöüÿ"),
    ('\u{30a}', "Aa", "Åå"),
    ('\u{30c}', "SZsz", "ŠŽšž"),
    ('\u{327}', "Cc", "Çç"),
];

/// The letter that a letter and a mark behind it make.
fn composed(base: char, mark: char) -> Option<char> {
    let (_, bases, letters) = COMPOSED.iter().find(|it| it.0 == mark)?;
    letters.chars().nth(bases.chars().position(|it| it == base)?)
}

fn is_letter(character: char) -> bool {
    match character {
        '×' | '÷' => false,
        'À'..='ÿ' | 'Œ' | 'œ' | 'Š' | 'š' | 'Ÿ' | 'Ž' | 'ž' | 'ẞ' => true,
        _ => false,
    }
}

impl Lexer<'_> {
    /// A letter of a name that begins here, and where it ends.
    fn piece(&self, at: usize) -> Option<(char, usize)> {
        let byte = *self.bytes.get(at)?;
        let is_plain = byte.is_ascii() && self.bytes.get(at + 1).is_none_or(u8::is_ascii);
        if is_plain || self.encoding != Encoding::Utf8 {
            return is_name_part(byte).then_some((char::from(byte), at + 1));
        }
        let mut rest = self.text.get(at..)?.chars();
        let first = rest.next()?;
        let end = at + first.len_utf8();
        if let Some(mark) = rest.next()
            && let Some(letter) = composed(first, mark)
        {
            return Some((letter, end + mark.len_utf8()));
        }
        let is_part = if first.is_ascii() { is_name_part(byte) } else { is_letter(first) };
        is_part.then_some((first, end))
    }

    /// The letter here that is none of ASCII's.
    pub(super) fn letter(&self, at: usize) -> Option<char> {
        self.piece(at).map(|it| it.0).filter(|it| !it.is_ascii())
    }

    pub(super) fn begins_name(&self, at: usize) -> bool {
        self.bytes.get(at).is_some_and(|&it| is_name_start(it)) || self.letter(at).is_some()
    }

    /// The end of the name part that starts at `from`.
    pub(super) fn name_end(&self, from: usize) -> usize {
        let mut end = from;
        while let Some((_, next)) = self.piece(end) {
            end = next;
        }
        end
    }

    /// The end of the lower-case letters from here on: what may stand between `{` and `|` of a quoted string.
    pub(super) fn delimiter_end(&self, from: usize) -> usize {
        let mut end = from;
        while let Some((letter, next)) = self.piece(end)
            && (letter == '_' || letter.is_lowercase())
        {
            end = next;
        }
        end
    }

    /// The name that stands here.
    pub(super) fn name(&self, start: usize, end: usize) -> Symbol {
        let text = self.slice(start, end);
        match text.is_ascii() {
            true => Symbol::new(text),
            false => Symbol::new(&self.letters(start, end)),
        }
    }

    /// The letters of the name here, each in one piece.
    pub(super) fn letters(&self, start: usize, end: usize) -> String {
        let mut letters = String::new();
        let mut at = start;
        while at < end
            && let Some((letter, next)) = self.piece(at)
        {
            letters.push(letter);
            at = next;
        }
        letters
    }
}
