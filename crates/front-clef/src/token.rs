//! Tokens with what the offside rule needs to know of them.

use oxbow_base::{Span, Symbol};
use oxbow_elab::ast::Constant;

#[derive(Clone, Debug, PartialEq)]
pub enum Tok {
    /// A name, keywords apart.
    Ident(Symbol),
    /// `'a`, without the quote.
    TypeVar(Symbol),
    Constant(Constant),
    /// A literal of a type of the library: the function that makes it (`1.50m` is of `decimal`), and its digits.
    Numeral(&'static str, String),
    /// `"abc"B`
    Bytes(Vec<u8>),
    /// `$"…"`
    Interpolated(Vec<Part>),
    /// A keyword or a mark of the grammar: `let`, `->`, `(`, `|`, …
    Key(&'static str),
    /// An operator: `+`, `|>`, `<`, `=`, …
    Op(Symbol),
    /// What the lexer reported and skipped.
    Bad,
    Eof,
    /// Not in the text: the next token stands too far left to belong to what is being read.
    Offside,
}

/// A part of an interpolated string.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Text(Vec<u8>),
    Hole {
        /// The bytes of the expression in the file.
        start: usize,
        end: usize,
        /// `{e,10}`
        align: Option<i64>,
        /// `{e:F2}`
        format: Option<String>,
        /// `%5d{e}`
        typed: Option<String>,
    },
}

#[derive(Clone, Debug)]
pub struct Token {
    pub tok: Tok,
    pub span: Span,
    /// From 0, in characters.
    pub column: i32,
    /// The first token of its line.
    pub first: bool,
    /// White space stands before it.
    pub spaced: bool,
}

pub const KEYWORDS: &[&str] = &[
    "abstract",
    "and",
    "as",
    "assert",
    "begin",
    "class",
    "default",
    "delegate",
    "do",
    "done",
    "downcast",
    "downto",
    "elif",
    "else",
    "end",
    "exception",
    "extern",
    "false",
    "finally",
    "fixed",
    "for",
    "fun",
    "function",
    "global",
    "if",
    "in",
    "inherit",
    "inline",
    "interface",
    "internal",
    "lazy",
    "let",
    "match",
    "member",
    "module",
    "mutable",
    "namespace",
    "new",
    "null",
    "of",
    "open",
    "or",
    "override",
    "private",
    "public",
    "rec",
    "return",
    "sig",
    "static",
    "struct",
    "then",
    "to",
    "true",
    "try",
    "type",
    "upcast",
    "use",
    "val",
    "void",
    "when",
    "while",
    "with",
    "yield",
];

/// Operators that are marks of the grammar.
pub const MARKS: &[&str] =
    &["->", "<-", "|", ":", "::", ":=", ":>", ":?", ":?>", ".", "..", "&", "?", "#"];

pub const PUNCTUATION: &[&str] =
    &["[<", ">]", "[|", "|]", "{|", "|}", "(", ")", "[", "]", "{", "}", ",", ";;", ";"];
