//! Operators, punctuation and labels.
//!
//! The longest run of operator characters is one token, and its first characters
//! decide the class: `**.` is a power, `*.` a product, `|>` a comparison. Only
//! brackets break that rule, since `[|`, `|]` and `[@` contain operator characters.

use oxbow_base::{Encoding, Symbol};

use super::{Lexer, Tok};

pub(super) fn is_symbol(byte: u8) -> bool {
    matches!(
        byte,
        b'!' | b'$'
            | b'%'
            | b'&'
            | b'*'
            | b'+'
            | b'-'
            | b'.'
            | b'/'
            | b':'
            | b'<'
            | b'='
            | b'>'
            | b'?'
            | b'@'
            | b'^'
            | b'|'
            | b'~'
    )
}

/// What may follow the first character of `let*`, and start one behind `.` in `.%(`.
pub(super) fn is_dot_symbol(byte: u8) -> bool {
    is_symbol(byte) && !matches!(byte, b'.' | b'<' | b'~')
}

impl Lexer<'_> {
    pub(super) fn operator(&mut self) {
        let start = self.pos;
        let next = self.byte(1);
        let (tok, length) = match self.byte(0) {
            b'(' => (Tok::LParen, 1),
            b')' => (Tok::RParen, 1),
            b']' => (Tok::RBracket, 1),
            b'}' => (Tok::RBrace, 1),
            b'{' if next == b'<' => (Tok::LBraceLess, 2),
            b'{' => (Tok::LBrace, 1),
            b'[' => self.left_bracket(next),
            b'>' if next == b'}' => (Tok::RBrace, 2),
            b'`' => (Tok::Backquote, 1),
            b',' => (Tok::Comma, 1),
            b';' if next == b';' => (Tok::SemiSemi, 2),
            b';' => (Tok::Semi, 1),
            b':' => match next {
                b':' => (Tok::ColonColon, 2),
                b'=' => (Tok::ColonEqual, 2),
                b'>' => (Tok::ColonGreater, 2),
                _ => (Tok::Colon, 1),
            },
            b'.' if next == b'.' => (Tok::DotDot, 2),
            b'.' if is_dot_symbol(next) => {
                let length = 1 + self.run_length(1, is_symbol);
                (Tok::DotOp(Symbol::new(self.slice(start, start + length))), length)
            }
            b'.' => (Tok::Dot, 1),
            b'|' if next == b']' => (Tok::BarRBracket, 2),
            b'~' | b'?' if self.begins_name(self.pos + 1) && !next.is_ascii_uppercase() => {
                return self.label();
            }
            b'~' | b'?' if self.letter(start + 1).is_some_and(char::is_lowercase) => {
                return self.label();
            }
            b'!' | b'~' | b'?' | b'#' => self.prefix_like(),
            b'=' | b'<' | b'>' | b'|' | b'&' | b'$' | b'@' | b'^' | b'+' | b'-' | b'*' | b'/'
            | b'%' => self.infix_operator(),
            _ => return self.illegal_character(),
        };
        self.pos += length;
        self.push(tok, start);
    }

    fn run_length(&self, from: usize, accept: fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(self.pos + from..).unwrap_or(&[]);
        rest.iter().take_while(|&&it| accept(it)).count()
    }

    fn left_bracket(&self, next: u8) -> (Tok, usize) {
        match (next, self.byte(2), self.byte(3)) {
            (b'|', _, _) => (Tok::LBracketBar, 2),
            (b'<', _, _) => (Tok::LBracketLess, 2),
            (b'>', _, _) => (Tok::LBracketGreater, 2),
            (b'@', b'@', b'@') => (Tok::LBracketAtAtAt, 4),
            (b'@', b'@', _) => (Tok::LBracketAtAt, 3),
            (b'@', _, _) => (Tok::LBracketAt, 2),
            (b'%', b'%', _) => (Tok::LBracketPercentPercent, 3),
            (b'%', _, _) => (Tok::LBracketPercent, 2),
            _ => (Tok::LBracket, 1),
        }
    }

    /// Operators in `!`, `~`, `?` and `#`, in which `#` counts as a symbol.
    fn prefix_like(&self) -> (Tok, usize) {
        let length = 1 + self.run_length(1, |it| is_symbol(it) || it == b'#');
        let text = self.slice(self.pos, self.pos + length);
        let tok = match Tok::fixed_operator(text) {
            Some(tok) => tok,
            None if text == "!=" => Tok::Infix0(Symbol::new(text)),
            None if text.starts_with('#') => Tok::HashOp(Symbol::new(text)),
            None => Tok::Prefix(Symbol::new(text)),
        };
        (tok, length)
    }

    fn infix_operator(&self) -> (Tok, usize) {
        let length = self.run_length(0, is_symbol);
        let text = self.slice(self.pos, self.pos + length);
        if let Some(tok) = Tok::fixed_operator(text) {
            return (tok, length);
        }
        let name = Symbol::new(text);
        let tok = match self.byte(0) {
            b'@' | b'^' => Tok::Infix1(name),
            b'+' | b'-' => Tok::Infix2(name),
            b'*' if self.byte(1) == b'*' => Tok::Infix4(name),
            b'*' | b'/' | b'%' => Tok::Infix3(name),
            _ => Tok::Infix0(name),
        };
        (tok, length)
    }

    /// `~x:` and `?x:` are one token; in `~x` and `?x` the name is its own.
    fn label(&mut self) {
        let start = self.pos;
        let end = self.name_end(start + 1);
        let is_label = self.bytes.get(end) == Some(&b':');
        if is_label && Tok::keyword(self.slice(start + 1, end)).is_none() {
            self.pos = end + 1;
            let name = self.name(start + 1, end);
            let tok = if self.bytes.get(start) == Some(&b'~') {
                Tok::Label(name)
            } else {
                Tok::OptLabel(name)
            };
            return self.push(tok, start);
        }
        self.pos += 1;
        let tok = if self.bytes.get(start) == Some(&b'~') { Tok::Tilde } else { Tok::Question };
        self.push(tok, start);
    }

    /// A quote: a character literal, a type variable, or neither.
    pub(super) fn quote(&mut self) {
        let start = self.pos;
        let next = self.byte(1);
        if next == b'\\' {
            return self.escaped_character();
        }
        if self.byte(2) == b'\'' && next != b'\'' && next.is_ascii() {
            self.pos += 3;
            return self.push(Tok::Char(next), start);
        }
        if let Some(byte) = self.latin1_character() {
            self.pos += 4;
            return self.push(Tok::Char(byte), start);
        }
        if let Some(end) = self.spaced_type_variable() {
            self.pos = end;
            let blanks = self.slice(start + 1, end).len();
            let blanks = blanks - self.slice(start + 1, end).trim_ascii_start().len();
            let name = self.name(start + 1 + blanks, end);
            return self.push(Tok::TypeVar(name), start);
        }
        // Quotes around a letter are meant for a character.
        let end = self.name_end(start + 1);
        let is_quoted = !next.is_ascii() && self.bytes.get(end - 1) == Some(&b'\'');
        if self.begins_name(start + 1) && !is_quoted {
            self.pos = end;
            let name = self.name(start + 1, end);
            return self.push(Tok::TypeVar(name), start);
        }
        if next == b'\'' || !next.is_ascii() {
            return self.malformed_character();
        }
        self.pos += 1;
        self.push(Tok::Quote, start);
    }

    /// The byte of a character literal here that is one byte in its file, but two in the text.
    pub(super) fn latin1_character(&self) -> Option<u8> {
        if self.encoding != Encoding::Latin1 || self.byte(3) != b'\'' {
            return None;
        }
        let character = self.slice(self.pos + 1, self.pos + 3).chars().next()?;
        u8::try_from(character).ok().filter(|it| !it.is_ascii())
    }

    /// The end of `' a`: blanks may stand before the name of a type variable.
    fn spaced_type_variable(&self) -> Option<usize> {
        let rest = self.bytes.get(self.pos + 1..)?;
        let blanks = rest.iter().take_while(|it| it.is_ascii_whitespace()).count();
        let from = self.pos + 1 + blanks;
        let is_name = blanks > 0 && self.begins_name(from);
        let end = self.name_end(from);
        (is_name && Tok::keyword(self.slice(from, end)).is_none()).then_some(end)
    }
}
