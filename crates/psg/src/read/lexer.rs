//! Words, names, numbers, literals, signs.

use super::{ReadError, Result};
use crate::IntWidth;

/// A name as written, without its quotes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Name {
    pub base: String,
    pub number: Option<u32>,
    pub quoted: bool,
}

impl Name {
    /// The word, if it may be a keyword.
    pub fn word(&self) -> Option<&str> {
        (!self.quoted && self.number.is_none()).then_some(&self.base)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    Name(Name),
    /// `'a`, without the quote.
    TyVar(Name),
    Int(IntWidth, i64),
    Float(f64),
    Char(u8),
    String(Vec<u8>),
    Sign(&'static str),
}

impl Token {
    pub fn is(&self, text: &str) -> bool {
        match self {
            Self::Sign(sign) => *sign == text,
            Self::Name(name) => name.word() == Some(text),
            Self::TyVar(_) | Self::Int(..) | Self::Float(_) | Self::Char(_) | Self::String(_) => {
                false
            }
        }
    }
}

/// Longer ones before their beginnings.
const SIGNS: &[&str] = &[
    "->", "<-", "::", ":=", "(", ")", "{", "}", "[", "]", "<", ">", ",", ";", ":", "=", "|", "*",
    "!", "#", "@", "&",
];

/// The tokens with their lines. `//` begins a comment.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, usize)>> {
    let mut tokens = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut lexer = Lexer { rest: line, line: index + 1 };
        while let Some(token) = lexer.next()? {
            tokens.push((token, index + 1));
        }
    }
    Ok(tokens)
}

/// No token spans lines.
struct Lexer<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Lexer<'a> {
    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(ReadError { message: message.into(), line: self.line })
    }

    fn next(&mut self) -> Result<Option<Token>> {
        self.rest = self.rest.trim_start();
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        if self.rest.starts_with("//") {
            return Ok(None);
        }
        let second = self.rest.chars().nth(1).unwrap_or(' ');
        if first.is_ascii_digit() || (first == '-' && second.is_ascii_digit()) {
            return self.number().map(Some);
        }
        if first.is_ascii_alphabetic() || first == '_' {
            return Ok(Some(Token::Name(self.plain_name())));
        }
        if first == '`' {
            let bytes = self.quoted('`')?;
            let base = String::from_utf8_lossy(&bytes).into_owned();
            let number = self.number_suffix();
            return Ok(Some(Token::Name(Name { base, number, quoted: true })));
        }
        if first == '"' {
            return Ok(Some(Token::String(self.quoted('"')?)));
        }
        if first == '\'' {
            return self.character_or_tyvar(second).map(Some);
        }
        match SIGNS.iter().find(|it| self.rest.starts_with(**it)) {
            Some(sign) => {
                self.take(sign.len());
                Ok(Some(Token::Sign(sign)))
            }
            None => self.error(format!("`{first}` begins nothing")),
        }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, test: impl Fn(char) -> bool) -> &'a str {
        let length = self.rest.find(|it| !test(it)).unwrap_or(self.rest.len());
        self.take(length)
    }

    fn plain_name(&mut self) -> Name {
        let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let mut base = self.take_while(is_part).to_string();
        while let Some(rest) = self.rest.strip_prefix('.')
            && rest.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
        {
            self.take(1);
            base.push('.');
            base += self.take_while(is_part);
        }
        Name { base, number: self.number_suffix(), quoted: false }
    }

    fn number_suffix(&mut self) -> Option<u32> {
        let digits = self.rest.strip_prefix('.')?;
        if !digits.starts_with(|it: char| it.is_ascii_digit()) {
            return None;
        }
        self.take(1);
        self.take_while(|it| it.is_ascii_digit()).parse().ok()
    }

    fn number(&mut self) -> Result<Token> {
        let start = self.rest;
        if start.starts_with("0f") {
            self.take(2);
            let bits = self.take_while(|it| it.is_ascii_hexdigit());
            return match u64::from_str_radix(bits, 16) {
                Ok(bits) => Ok(Token::Float(f64::from_bits(bits))),
                Err(_) => self.error("a float's bits are 16 hexadecimal digits"),
            };
        }
        self.take(usize::from(start.starts_with('-')));
        self.take_while(|it| it.is_ascii_digit());
        let mut is_float = false;
        if self.rest.starts_with('.') {
            is_float = true;
            self.take(1);
            self.take_while(|it| it.is_ascii_digit());
        }
        if self.rest.starts_with('e') {
            is_float = true;
            self.take(1);
            self.take(usize::from(self.rest.starts_with(['-', '+'])));
            self.take_while(|it| it.is_ascii_digit());
        }
        let text = &start[..start.len() - self.rest.len()];
        if is_float {
            return match text.parse() {
                Ok(value) => Ok(Token::Float(value)),
                Err(_) => self.error(format!("`{text}` is no float")),
            };
        }
        let (width, suffix) = match self.rest.chars().next() {
            Some('l') => (IntWidth::I32, 1),
            Some('L') => (IntWidth::I64, 1),
            // `5:uint8`
            Some(':') => {
                let named = |it: &IntWidth| {
                    self.rest[1..].strip_prefix(it.name()).is_some_and(|rest| {
                        !rest.starts_with(|it: char| it.is_alphanumeric() || it == '_')
                    })
                };
                match IntWidth::ALL.into_iter().skip(3).find(named) {
                    Some(width) => (width, 1 + width.name().len()),
                    None => (IntWidth::I63, 0),
                }
            }
            _ => (IntWidth::I63, 0),
        };
        self.take(suffix);
        match text.parse() {
            Ok(value) => Ok(Token::Int(width, value)),
            Err(_) => self.error(format!("`{text}` is too large")),
        }
    }

    fn character_or_tyvar(&mut self, second: char) -> Result<Token> {
        if second == '\\' || self.rest.chars().nth(2) == Some('\'') {
            return match self.quoted('\'')?[..] {
                [byte] => Ok(Token::Char(byte)),
                _ => self.error("a character is one byte"),
            };
        }
        self.take(1);
        Ok(Token::TyVar(self.plain_name()))
    }

    /// What stands between two quotes.
    fn quoted(&mut self, quote: char) -> Result<Vec<u8>> {
        self.take(quote.len_utf8());
        let mut bytes = Vec::new();
        loop {
            let mut chars = self.rest.chars();
            match chars.next() {
                None => return self.error("a quote is not closed"),
                Some('\\') => {
                    let escaped = chars.next().unwrap_or('\\');
                    self.take(1 + escaped.len_utf8());
                    match escaped {
                        'n' => bytes.push(b'\n'),
                        't' => bytes.push(b'\t'),
                        'x' => {
                            let digits = self.rest.get(..2).unwrap_or("");
                            match u8::from_str_radix(digits, 16) {
                                Ok(byte) => bytes.push(byte),
                                Err(_) => return self.error("`\\x` takes two digits"),
                            }
                            self.take(2);
                        }
                        _ => bytes.extend(escaped.encode_utf8(&mut [0; 4]).bytes()),
                    }
                }
                Some(found) => {
                    self.take(found.len_utf8());
                    if found == quote {
                        return Ok(bytes);
                    }
                    bytes.extend(found.encode_utf8(&mut [0; 4]).bytes());
                }
            }
        }
    }
}
