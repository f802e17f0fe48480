//! The text of a format, taken apart.
//!
//! ```text
//! "x=%5d @[<hov 2>%s@ @]"  ⇒  Literal "x=", Convert %5d, Literal " ", Mark box, Convert %s, Mark break, Mark close
//! ```
//!
//! What begins with `@` means something to `Format` and `Scanf`; `Printf` shows its text.

use super::flags;

/// A part of a format.
#[derive(Debug, PartialEq)]
pub enum Piece {
    Literal(Vec<u8>),
    /// `%!`
    Flush,
    /// What `Format` obeys and others show as `text`.
    Mark {
        text: Vec<u8>,
        mark: Mark,
    },
    /// `@[<…>` or `@{<…>` whose indication has conversions, or is none that is known.
    Open {
        is_tag: bool,
        indication: Vec<Piece>,
    },
    /// A conversion: how many `*`, its text, and what takes the argument.
    Convert {
        stars: usize,
        text: Vec<u8>,
        with: Conversion,
    },
}

#[derive(Debug, PartialEq)]
pub enum Mark {
    OpenBox(BoxKind, i64),
    CloseBox,
    OpenTag(Vec<u8>),
    CloseTag,
    /// Spaces, or a line that begins so much further in.
    Break(i64, i64),
    /// `@?`
    Flush,
    /// `@` before the end of a line
    ForceNewline,
    /// `@.`
    EndLine,
    /// `@<n>`
    Size(i64),
    /// `@@`, `@%%`
    Char(u8),
    /// `@` before anything else: where `Scanf` ends a string.
    Indication(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxKind {
    Plain,
    Horizontal,
    Vertical,
    AllOrNothing,
    Packed,
}

#[derive(Debug, PartialEq)]
pub enum Conversion {
    /// A function of `Oxbow_format`.
    Function(&'static str),
    /// `%s` alone.
    Plain,
    /// `%a`
    Printer,
    /// `%t`
    Action,
    /// `%(…%)`: a format that takes over.
    Substitute(Vec<u8>),
    /// `%{…%}`: a format, shown by its type.
    Argument(Vec<u8>),
    /// `%[…]`: a string in `Scanf` only.
    CharSet,
    /// `%l`, `%n`, `%N`, `%L`: how far reading has come.
    Counter,
    /// `%r`
    Reader,
    /// `%_d` and the like: read and forgotten.
    Ignored(Box<Conversion>),
}

pub struct Fault(pub String);

fn invalid<T>(message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault(message.into()))
}

/// Takes a format apart.
pub fn parse(text: &[u8]) -> Result<Vec<Piece>, Fault> {
    let mut parser = Parser { text, at: 0, literal: Vec::new(), pieces: Vec::new() };
    while let Some(byte) = parser.next() {
        match byte {
            b'%' => parser.conversion()?,
            b'@' => parser.mark()?,
            _ => parser.literal.push(byte),
        }
    }
    parser.end_literal();
    Ok(parser.pieces)
}

/// Is this the letter of a conversion of integers?
fn is_integer(letter: u8) -> bool {
    matches!(letter, b'd' | b'i' | b'u' | b'x' | b'X' | b'o')
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    literal: Vec<u8>,
    pieces: Vec<Piece>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn end_literal(&mut self) {
        if !self.literal.is_empty() {
            self.pieces.push(Piece::Literal(std::mem::take(&mut self.literal)));
        }
    }

    fn push(&mut self, piece: Piece) {
        self.end_literal();
        self.pieces.push(piece);
    }

    /// A character that stands alone, as in the pieces that OCaml makes.
    fn character(&mut self, byte: u8) {
        self.push(Piece::Literal(vec![byte]));
    }

    fn conversion(&mut self) -> Result<(), Fault> {
        let start = self.at - 1;
        let ignored = self.peek() == Some(b'_');
        if ignored {
            self.at += 1;
        }
        while matches!(self.peek(), Some(b'-' | b'0' | b'+' | b' ' | b'#')) {
            self.at += 1;
        }
        let mut stars = 0;
        while let Some(byte @ (b'0'..=b'9' | b'*' | b'.')) = self.peek() {
            stars += usize::from(byte == b'*');
            self.at += 1;
            if byte == b'.' && matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
        }
        let Some(letter) = self.next() else { return invalid("`%` at the end") };
        let alone = self.at == start + 2;
        let number = self.peek().filter(|it| is_integer(*it) && b"lLn".contains(&letter));
        flags::check(&self.text[start + 1..self.at - 1], number.unwrap_or(letter))?;
        match letter {
            b'%' | b'@' if alone => {
                self.character(letter);
                return Ok(());
            }
            b',' if alone => {
                self.end_literal();
                return Ok(());
            }
            b'!' if alone => {
                self.push(Piece::Flush);
                return Ok(());
            }
            _ => (),
        }
        let with = self.converter(letter, start, alone)?;
        let mut text = self.text[start..self.at].to_vec();
        let with = if ignored {
            text.remove(1);
            Conversion::Ignored(Box::new(with))
        } else {
            with
        };
        self.push(Piece::Convert { stars, text, with });
        Ok(())
    }

    /// What takes the argument of the conversion that began at `start`.
    fn converter(&mut self, letter: u8, start: usize, alone: bool) -> Result<Conversion, Fault> {
        Ok(match letter {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => Conversion::Function("int"),
            b'l' | b'L' | b'n' if self.peek().is_some_and(is_integer) => {
                self.at += 1;
                Conversion::Function(match letter {
                    b'l' => "int32",
                    b'L' => "int64",
                    _ => "nativeint",
                })
            }
            b'l' | b'L' | b'n' | b'N' => Conversion::Counter,
            b'f' | b'e' | b'E' | b'g' | b'G' | b'F' | b'h' | b'H' => Conversion::Function("float"),
            b's' if alone => Conversion::Plain,
            b's' => Conversion::Function("string"),
            b'S' => Conversion::Function("string_escaped"),
            b'c' => Conversion::Function("char"),
            b'C' => Conversion::Function("char_escaped"),
            b'b' | b'B' => Conversion::Function("bool"),
            b'a' if alone => Conversion::Printer,
            b't' if alone => Conversion::Action,
            b'r' => Conversion::Reader,
            b'[' => {
                self.char_set()?;
                Conversion::CharSet
            }
            b'(' => Conversion::Substitute(self.inner(b')')?),
            b'{' => Conversion::Argument(self.inner(b'}')?),
            _ => {
                let shown = String::from_utf8_lossy(&self.text[start..self.at]).into_owned();
                return invalid(format!("unknown conversion `{shown}`"));
            }
        })
    }

    /// The format up to `%)` or `%}`.
    fn inner(&mut self, close: u8) -> Result<Vec<u8>, Fault> {
        let start = self.at;
        let shown = char::from(close);
        let Some(end) = end_of_inner(self.text, start, close) else {
            return invalid(format!("`%{shown}` is missing"));
        };
        self.at = end + 2;
        Ok(self.text[start..end].to_vec())
    }

    /// Behind `%[`: `]` and `^]` at the beginning are characters of the set.
    fn char_set(&mut self) -> Result<(), Fault> {
        if self.peek() == Some(b'^') {
            self.at += 1;
        }
        if self.peek() == Some(b']') {
            self.at += 1;
        }
        while let Some(byte) = self.next() {
            if byte == b']' {
                return Ok(());
            }
        }
        invalid("`]` of `%[` is missing")
    }

    /// What follows an `@`.
    fn mark(&mut self) -> Result<(), Fault> {
        let start = self.at - 1;
        let Some(byte) = self.peek() else {
            self.character(b'@');
            return Ok(());
        };
        if byte == b'%' {
            if self.text.get(self.at + 1) != Some(&b'%') {
                self.character(b'@');
                return Ok(());
            }
            self.at += 2;
            self.push(Piece::Mark { text: b"@%".to_vec(), mark: Mark::Char(b'%') });
            return Ok(());
        }
        self.at += 1;
        let mark = match byte {
            b'[' => return self.open(false),
            b'{' => return self.open(true),
            b']' => Mark::CloseBox,
            b'}' => Mark::CloseTag,
            b',' => Mark::Break(0, 0),
            b' ' => Mark::Break(1, 0),
            b';' => self.full_break(),
            b'?' => Mark::Flush,
            b'\n' => Mark::ForceNewline,
            b'.' => Mark::EndLine,
            b'@' => Mark::Char(b'@'),
            b'<' => self.size(),
            _ => Mark::Indication(byte),
        };
        let text = self.text[start..self.at].to_vec();
        self.push(Piece::Mark { text, mark });
        Ok(())
    }

    /// Behind `@[` or `@{`.
    fn open(&mut self, is_tag: bool) -> Result<(), Fault> {
        let rest = &self.text[self.at..];
        let indication = match rest.iter().position(|&it| it == b'>') {
            Some(end) if rest.first() == Some(&b'<') => &rest[..=end],
            _ => &[],
        };
        self.at += indication.len();
        let inner = parse(indication)?;
        let plain = inner.iter().all(|it| matches!(it, Piece::Literal(_)));
        let content = match indication {
            [_, content @ .., _] => content,
            _ => &[],
        };
        let known = match (plain, is_tag) {
            (false, _) => None,
            (true, true) => Some(Mark::OpenTag(content.to_vec())),
            (true, false) => box_of(content).map(|(kind, indent)| Mark::OpenBox(kind, indent)),
        };
        let piece = match known {
            Some(mark) => {
                let mut text = if is_tag { b"@{".to_vec() } else { b"@[".to_vec() };
                text.extend(indication);
                Piece::Mark { text, mark }
            }
            None => Piece::Open { is_tag, indication: inner },
        };
        self.push(piece);
        Ok(())
    }

    /// Behind `@;`: `<n>` or `<n m>`, or nothing.
    fn full_break(&mut self) -> Mark {
        let mut cursor = Cursor { text: self.text, at: self.at };
        let Some((width, offset)) = cursor.pair() else { return Mark::Break(1, 0) };
        self.at = cursor.at;
        Mark::Break(width, offset)
    }

    /// Behind `@<`: `n>`, or nothing.
    fn size(&mut self) -> Mark {
        let mut cursor = Cursor { text: self.text, at: self.at };
        let Some(size) = cursor.single() else { return Mark::Indication(b'<') };
        self.at = cursor.at;
        Mark::Size(size)
    }
}

/// Where the `%)` or `%}` of an inner format stands that begins at `at`.
fn end_of_inner(text: &[u8], mut at: usize, close: u8) -> Option<usize> {
    while at + 1 < text.len() {
        if text[at] != b'%' {
            at += 1;
            continue;
        }
        let mut letter = at + 1;
        if text[letter] == b'_' {
            letter += 1;
        }
        match *text.get(letter)? {
            it if it == close => return (letter == at + 1).then_some(at),
            b'(' => at = end_of_inner(text, letter + 1, b')')? + 2,
            b'{' => at = end_of_inner(text, letter + 1, b'}')? + 2,
            b')' | b'}' => return None,
            _ => at = letter + 1,
        }
    }
    None
}

/// Reads the numbers of indications.
struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn spaces(&mut self) {
        while self.text.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.text.get(self.at) == Some(&byte)).then(|| self.at += 1)
    }

    fn number(&mut self) -> Option<i64> {
        let start = self.at;
        let negative = self.take(b'-').is_some();
        let digits = self.at;
        while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        let value = std::str::from_utf8(&self.text[digits..self.at]).ok()?.parse::<i64>().ok();
        if value.is_none() {
            self.at = start;
        }
        Some(if negative { -value? } else { value? })
    }

    /// `<n>` or `<n m>`
    fn pair(&mut self) -> Option<(i64, i64)> {
        self.take(b'<')?;
        self.spaces();
        let width = self.number()?;
        self.spaces();
        if self.take(b'>').is_some() {
            return Some((width, 0));
        }
        let offset = self.number()?;
        self.spaces();
        self.take(b'>')?;
        Some((width, offset))
    }

    /// `n>`
    fn single(&mut self) -> Option<i64> {
        self.spaces();
        let size = self.number()?;
        self.spaces();
        self.take(b'>')?;
        Some(size)
    }
}

/// What stands between `<` and `>` behind `@[`, if it is a box.
fn box_of(content: &[u8]) -> Option<(BoxKind, i64)> {
    let mut cursor = Cursor { text: content, at: 0 };
    cursor.spaces();
    let start = cursor.at;
    while content.get(cursor.at).is_some_and(u8::is_ascii_lowercase) {
        cursor.at += 1;
    }
    let kind = match &content[start..cursor.at] {
        b"" | b"b" => BoxKind::Plain,
        b"h" => BoxKind::Horizontal,
        b"v" => BoxKind::Vertical,
        b"hv" => BoxKind::AllOrNothing,
        b"hov" => BoxKind::Packed,
        _ => return None,
    };
    cursor.spaces();
    let indent = if cursor.at < content.len() { cursor.number()? } else { 0 };
    cursor.spaces();
    (cursor.at == content.len()).then_some((kind, indent))
}

/// The type of a format as text, one conversion for each argument: what `%{…%}` shows.
pub fn type_text(pieces: &[Piece]) -> Result<Vec<u8>, Fault> {
    let mut text = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Literal(_) | Piece::Flush | Piece::Mark { .. } => (),
            Piece::Open { indication, .. } => text.extend(type_text(indication)?),
            Piece::Convert { stars, with, .. } => {
                for _ in 0..*stars {
                    text.extend(b"%i");
                }
                text.extend(conversion_text(with)?);
            }
        }
    }
    Ok(text)
}

fn conversion_text(conversion: &Conversion) -> Result<Vec<u8>, Fault> {
    Ok(match conversion {
        Conversion::Function("int") | Conversion::Counter => b"%i".to_vec(),
        Conversion::Function("int32") => b"%li".to_vec(),
        Conversion::Function("int64") => b"%Li".to_vec(),
        Conversion::Function("nativeint") => b"%ni".to_vec(),
        Conversion::Function("float") => b"%f".to_vec(),
        Conversion::Function("char" | "char_escaped") => b"%c".to_vec(),
        Conversion::Function("bool") => b"%B".to_vec(),
        Conversion::Function(_) | Conversion::Plain | Conversion::CharSet => b"%s".to_vec(),
        Conversion::Printer => b"%a".to_vec(),
        Conversion::Action => b"%t".to_vec(),
        Conversion::Reader => b"%r".to_vec(),
        Conversion::Ignored(inner) => match &**inner {
            Conversion::Reader => b"%_r".to_vec(),
            Conversion::Substitute(inner) => type_text(&parse(inner)?)?,
            _ => Vec::new(),
        },
        Conversion::Substitute(inner) => [b"%(", &type_text(&parse(inner)?)?[..], b"%)"].concat(),
        Conversion::Argument(inner) => [b"%{", &type_text(&parse(inner)?)?[..], b"%}"].concat(),
    })
}
