//! From text to tokens, in one pass over the bytes.
//!
//! ```text
//! "let x = (1" ─lex─▶ let x = ( 1 eof ─balance─▶ let x = ( 1 ) eof    (reported)
//! ```
//!
//! A fault never stops the lexer: bad characters are dropped, bad literals become
//! [`Tok::BadLiteral`], and an unterminated comment or string runs to the end of
//! the file. [`balance`] then makes brackets match, so the parser may rely on it.

mod balance;
mod comment;
mod letters;
mod literal;
mod operator;
mod token;

use oxbow_base::{Encoding, FileId, Span, Symbol};
use oxbow_diag::{Diagnostics, Reported};

use crate::Text;
use crate::diagnostics::lexical::IllegalCharacter;
pub(crate) use token::{NO_PARTNER, Tok, Token};

/// The tokens of one file; the last is [`Tok::Eof`] and brackets are in pairs.
pub(crate) struct Lexed {
    pub tokens: Vec<Token>,
    pub strings: Vec<Vec<u8>>,
    /// The last report made here, for nodes that stand for a bad literal.
    pub reported: Option<Reported>,
    /// The file ends inside a comment or string, so more faults at its end are no news.
    pub truncated: bool,
}

pub(crate) fn lex(file: FileId, text: Text<'_>, sink: &mut Diagnostics) -> Lexed {
    let Text { text, encoding } = text;
    let mut lexer = Lexer {
        encoding,
        file,
        text,
        bytes: text.as_bytes(),
        pos: 0,
        tokens: Vec::with_capacity(text.len() / 4 + 16),
        strings: Vec::new(),
        sink,
        reported: None,
        truncated: false,
    };
    lexer.run();
    let Lexer { tokens, strings, mut reported, truncated, sink, .. } = lexer;
    let tokens = balance::balance(file, text, tokens, sink, &mut reported);
    Lexed { tokens, strings, reported, truncated }
}

struct Lexer<'a> {
    file: FileId,
    encoding: Encoding,
    text: &'a str,
    bytes: &'a [u8],
    pos: usize,
    tokens: Vec<Token>,
    strings: Vec<Vec<u8>>,
    sink: &'a mut Diagnostics,
    reported: Option<Reported>,
    truncated: bool,
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn is_name_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'\''
}

impl<'a> Lexer<'a> {
    /// The byte `ahead` of the current one; 0 behind the end.
    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or("")
    }

    fn at_end(&self) -> bool {
        self.pos >= self.bytes.len()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }

    fn push(&mut self, tok: Tok, start: usize) {
        self.tokens.push(Token {
            tok,
            start: start as u32,
            end: self.pos as u32,
            partner: NO_PARTNER,
        });
    }

    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.pos = 3;
        }
        if self.slice(self.pos, self.pos + 2) == "#!" {
            self.skip_line();
        }
        while !self.at_end() {
            self.token();
        }
        self.pos = self.bytes.len();
        self.push(Tok::Eof, self.pos);
    }

    fn skip_line(&mut self) {
        while !self.at_end() && self.byte(0) != b'\n' {
            self.pos += 1;
        }
    }

    fn token(&mut self) {
        let start = self.pos;
        match self.byte(0) {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0c => self.pos += 1,
            b'a'..=b'z' | b'_' => self.lower(),
            b'A'..=b'Z' => self.upper(),
            b'0'..=b'9' => self.number(),
            b'"' => self.string(),
            b'\'' => self.quote(),
            b'(' if self.byte(1) == b'*' => self.comment(),
            b'{' if self.quoted_string_opening().is_some() => self.quoted_string(),
            b'#' if self.is_line_directive() => self.skip_line(),
            b'\\' if self.byte(1) == b'#' && self.begins_name(start + 2) => self.raw_name(),
            _ => match self.letter(start) {
                Some(letter) if letter.is_uppercase() => self.upper(),
                Some(_) => self.lower(),
                None => self.operator(),
            },
        }
    }

    /// `# 12 "file.ml"` at the start of a line, as preprocessors leave behind.
    fn is_line_directive(&self) -> bool {
        let at_line_start = match self.pos.checked_sub(1) {
            Some(before) => self.bytes.get(before) == Some(&b'\n'),
            None => true,
        };
        let rest = self.bytes.get(self.pos + 1..).unwrap_or(&[]);
        let first = rest.iter().find(|&&it| it != b' ' && it != b'\t');
        at_line_start && first.is_some_and(u8::is_ascii_digit)
    }

    fn upper(&mut self) {
        let start = self.pos;
        self.pos = self.name_end(start);
        let name = self.name(start, self.pos);
        self.push(Tok::Upper(name), start);
    }

    /// `\#let`: a name that would be a keyword.
    fn raw_name(&mut self) {
        let start = self.pos;
        self.pos = self.name_end(start + 2);
        let name = self.name(start + 2, self.pos);
        self.push(Tok::Lower(name), start);
    }

    fn lower(&mut self) {
        let start = self.pos;
        self.pos = self.name_end(start);
        let text = self.slice(start, self.pos);
        let tok = match Tok::keyword(text) {
            Some(Tok::Let) => self.binding_operator(start).map_or(Tok::Let, Tok::LetOp),
            Some(Tok::And) => self.binding_operator(start).map_or(Tok::And, Tok::AndOp),
            Some(keyword) => keyword,
            None => Tok::Lower(self.name(start, self.pos)),
        };
        self.push(tok, start);
    }

    /// The rest of `let*` or `and+`, when operator characters follow the word.
    fn binding_operator(&mut self, start: usize) -> Option<Symbol> {
        if !matches!(
            self.byte(0),
            b'$' | b'&' | b'*' | b'+' | b'-' | b'/' | b'<' | b'=' | b'>' | b'@' | b'^' | b'|'
        ) {
            return None;
        }
        self.pos += 1;
        while operator::is_dot_symbol(self.byte(0)) {
            self.pos += 1;
        }
        Some(Symbol::new(self.slice(start, self.pos)))
    }

    /// Reports the character here and drops it.
    fn illegal_character(&mut self) {
        let mut start = self.pos;
        let character =
            self.text.get(start..).and_then(|it| it.chars().next()).unwrap_or('\u{fffd}');
        // A run of the same kind, such as a word in another script, is one mistake.
        let rest = self.text.get(start..).unwrap_or("");
        let length = if character.is_ascii() {
            1
        } else {
            rest.chars().take_while(|it| !it.is_ascii()).map(char::len_utf8).sum()
        };
        self.pos = start + length.max(1);
        let span = self.span(start, self.pos);
        self.reported = Some(self.sink.error(IllegalCharacter { span, character }.render()));
        if !character.is_alphabetic() {
            return;
        }
        // Most likely part of a name: the whole of it is read as one.
        let rest = self.text.get(self.pos..).unwrap_or("");
        let more = rest.chars().take_while(|&it| it.is_alphanumeric() || it == '_' || it == '\'');
        self.pos += more.map(char::len_utf8).sum::<usize>();
        if let Some(last) = self.tokens.pop_if(|it| {
            it.end as usize == start && matches!(it.tok, Tok::Lower(_) | Tok::Upper(_))
        }) {
            start = last.start as usize;
        }
        let name = Symbol::new(self.slice(start, self.pos));
        self.push(Tok::Lower(name), start);
    }
}
