//! Recursive descent with F#'s offside rule.
//!
//! A block is a list of lines that begin in one column. While a line is read, that column is
//! the *offside line*: the first token of a later line that stands on it or left of it ends
//! what is being read.
//!
//! ```text
//! let f x =
//!     let y = x      <- the block of `f` begins in column 4
//!         + 1        <- right of the column: still the same line of the block
//!     y              <- on the column: the next line of the block
//! let g = …          <- left of it: the block has ended
//! ```
//!
//! Infix operators may stand on the column or a little left of it, closing brackets and the
//! words that continue a construct (`then`, `else`, `with`, `|`) on the column of the line
//! around them.

mod atom;
mod block;
mod bracket;
mod class;
mod class_code;
mod class_equality;
mod class_interface;
mod class_new;
mod class_object;
mod comprehension;
mod computation;
mod control;
mod expr;
mod flags;
mod foreign;
mod interpolation;
mod items;
mod make;
mod measure;
mod member;
mod pattern;
mod recursive;
mod small_types;
mod typedecl;
mod types;

use oxbow_base::{FileId, Made, Span, Symbol};
use oxbow_diag::{Diagnostic, Diagnostics, Reported, limits};
use oxbow_elab::ast::{Expr, ExprKind, Name, TypeExpr};

use crate::diagnostics;
use crate::outline::Outline;
use crate::token::{Tok, Token};

/// How deep expressions may nest; a level of the text is up to five of the parser.
const MOST_NESTED: usize = limits::NESTING.most / 5;

pub struct Parser<'a> {
    file: FileId,
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    sink: Diagnostics,
    /// The offside line.
    offside: i32,
    /// The offside line of the block around.
    outer: i32,
    /// The column of the innermost block that begins a line: the body of a `fun` may stand left of
    /// the offside line, but right of this.
    hard: i32,
    /// The column of what stands behind the innermost `(`: a line that begins there is the next
    /// one of the block in the parentheses.
    soft: i32,
    depth: usize,
    /// Names that the parser makes up are numbered.
    fresh: u32,
    /// A token that may stand on the offside line: an operator before it waits for it.
    exempt: Option<usize>,
    /// Columns of the `|` of the matches being read.
    bars: Vec<i32>,
    /// Offside lines of the `if`s whose first branch is being read.
    ifs: Vec<i32>,
    /// Operators that were split, to be restored when an attempt fails.
    split: Vec<(usize, Token)>,
    /// Names in what could not be read: later mentions of them are no mistakes of their own.
    broken: Vec<Symbol>,
    /// Variables whose address is taken by `&&`, and where.
    addressed: Vec<(usize, Symbol)>,
    /// The enumerations of flags so far.
    flags: Vec<flags::Flags>,
    /// What `'T :> t` asks for in the binding or member that is being read.
    bounds: Vec<(Symbol, TypeExpr)>,
    /// What all files of the program say of its classes.
    outline: &'a Outline,
    /// What is being read stands in a `module rec` or `namespace rec`.
    recursive: bool,
    /// The names in the types of that.
    names_of_types: Vec<Symbol>,
}

/// What has been reported: the construct being read is given up.
pub struct Failed(pub Reported);
pub type Parsed<T> = Result<T, Failed>;

impl<'a> Parser<'a> {
    pub fn new(
        (file, text): (FileId, &'a str),
        tokens: Vec<Token>,
        outline: &'a Outline,
        sink: Diagnostics,
    ) -> Self {
        Self {
            file,
            text,
            tokens,
            at: 0,
            sink,
            offside: -1,
            outer: -1,
            hard: -1,
            soft: -1,
            depth: 0,
            fresh: 0,
            exempt: None,
            bars: Vec::new(),
            ifs: Vec::new(),
            split: Vec::new(),
            broken: Vec::new(),
            addressed: Vec::new(),
            flags: Vec::new(),
            bounds: Vec::new(),
            outline,
            recursive: false,
            names_of_types: Vec::new(),
        }
    }

    pub fn into_diagnostics(self) -> Diagnostics {
        self.sink
    }

    /// The next token, wherever it stands.
    fn raw(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn raw_after(&self, count: usize) -> &Token {
        &self.tokens[(self.at + count).min(self.tokens.len() - 1)]
    }

    fn is_offside(&self, token: &Token) -> bool {
        let infix = if self.is_prefix(token) { None } else { infix_width(&token.tok) };
        let on_soft = token.column == self.soft && infix.is_none();
        if !token.first || (token.column > self.offside && !on_soft) || self.exempt == Some(self.at)
        {
            return false;
        }
        if on_soft {
            return true;
        }
        // An infix operator may stand on the column, or left of it by its own width.
        if let Some(width) = infix {
            let behind = token.column + width + 1;
            if token.column == self.offside || (behind >= self.offside && token.column > self.outer)
            {
                return false;
            }
        }
        true
    }

    /// `-1` and `-x` at the beginning of a line: the operator belongs to what follows it.
    fn is_prefix(&self, token: &Token) -> bool {
        let next = self.raw_after(1);
        token.first
            && matches!(token.tok, Tok::Op(it) if matches!(it.as_str(), "-" | "+" | "%"))
            && !next.spaced
            && !next.first
            && token.span == self.raw().span
    }

    /// The next token as far as the construct being read goes.
    fn peek(&self) -> Tok {
        let token = self.raw();
        if self.is_offside(token) { Tok::Offside } else { token.tok.clone() }
    }

    fn is(&self, key: &'static str) -> bool {
        self.peek() == Tok::Key(key)
    }

    fn is_op(&self, text: &str) -> bool {
        matches!(self.peek(), Tok::Op(it) if it.as_str() == text)
    }

    /// Does the next token continue a construct that began in this line of the block? It may stand
    /// on the line's column.
    fn continues(&self, key: &'static str) -> bool {
        let token = self.raw();
        token.tok == Tok::Key(key) && (!token.first || token.column >= self.offside)
    }

    fn advance(&mut self) -> Token {
        let token = self.raw().clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn accept(&mut self, key: &'static str) -> Option<Span> {
        if self.is(key) { Some(self.advance().span) } else { None }
    }

    fn accept_continuing(&mut self, key: &'static str) -> Option<Span> {
        if self.continues(key) { Some(self.advance().span) } else { None }
    }

    fn here(&self) -> Span {
        let token = self.raw();
        if token.tok == Tok::Eof { self.previous().at_end() } else { token.span }
    }

    fn previous(&self) -> Span {
        self.tokens[self.at.saturating_sub(1).min(self.tokens.len() - 1)].span
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.sink.error(diagnostic)
    }

    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        Err(Failed(self.report(diagnostic)))
    }

    /// Something else was expected here. What the lexer reported is not reported again.
    fn unexpected<T>(&mut self, what: &str) -> Parsed<T> {
        let token = self.raw().clone();
        if token.tok == Tok::Bad {
            self.advance();
            return Err(Failed(self.sink.reported()));
        }
        let found = self.describe(&token);
        let span = self.here();
        // Nor what was refused here a moment ago.
        let last = self.sink.iter().last().and_then(|it| it.primary.as_ref());
        if last.is_some_and(|it| it.span == span) && self.sink.has_errors() {
            return Err(Failed(self.sink.reported()));
        }
        match &token.tok {
            Tok::Key(bracket @ (")" | "]" | "}" | "|]")) if !self.is_open(bracket) => {
                self.fail(diagnostics::closes_nothing(span, bracket))
            }
            Tok::Key(word @ ("else" | "elif" | "then")) if what == "an expression" => {
                self.fail(diagnostics::else_alone(span, word))
            }
            _ => self.fail(diagnostics::expected(span, what, &found)),
        }
    }

    /// Whether a bracket before this token waits for this one.
    fn is_open(&self, close: &str) -> bool {
        let mut inner = 0;
        for token in self.tokens[..self.at].iter().rev() {
            match token.tok {
                Tok::Key(")" | "]" | "}" | "|]") => inner += 1,
                Tok::Key(open @ ("(" | "[" | "{" | "[|")) if inner == 0 => {
                    return matches!(
                        (open, close),
                        ("(", ")") | ("[", "]") | ("{", "}") | ("[|", "|]")
                    );
                }
                Tok::Key("(" | "[" | "{" | "[|") => inner -= 1,
                _ => (),
            }
        }
        false
    }

    fn describe(&self, token: &Token) -> String {
        match &token.tok {
            Tok::Eof => "the end of the file".into(),
            Tok::Key(word) if word.chars().all(char::is_alphabetic) => {
                format!("the keyword `{word}`")
            }
            Tok::Constant(_) | Tok::Numeral(..) | Tok::Bytes(_) => "a literal".into(),
            Tok::Interpolated(_) => "a string".into(),
            _ => {
                let (start, end) = (token.span.start as usize, token.span.end as usize);
                format!("`{}`", self.text.get(start..end).unwrap_or(""))
            }
        }
    }

    fn expect(&mut self, key: &'static str, what: &str) -> Parsed<Span> {
        match self.accept_continuing(key) {
            Some(span) => Ok(span),
            None => match self.accept(key) {
                Some(span) => Ok(span),
                None => self.unexpected(what),
            },
        }
    }

    fn ident(&mut self, what: &str) -> Parsed<Name> {
        match self.peek() {
            Tok::Ident(text) => Ok(Name { text, span: self.advance().span }),
            Tok::Key(word) if word.chars().all(char::is_alphabetic) => {
                let span = self.advance().span;
                self.fail(diagnostics::keyword_as_name(span, word))
            }
            _ => self.unexpected(what),
        }
    }

    /// Runs `f` one level deeper.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MOST_NESTED {
            let span = self.here();
            return self.fail(diagnostics::too_deep(span));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// Runs `f` with an offside line of its own.
    fn at_column<T>(&mut self, column: i32, f: impl FnOnce(&mut Self) -> T) -> T {
        let saved = (self.offside, self.outer, self.hard, self.soft);
        // The lines behind a `(` are a block around, too.
        if column > self.offside {
            self.outer =
                if column > self.soft { self.offside.max(self.soft) } else { self.offside };
        }
        self.offside = column;
        self.soft = -1;
        let result = f(self);
        (self.offside, self.outer, self.hard, self.soft) = saved;
        result
    }

    /// After a fault: on to the next line that begins at `column` or left of it.
    fn skip_to_line(&mut self, column: i32) {
        loop {
            let token = self.raw();
            if token.tok == Tok::Eof || (token.first && token.column <= column) {
                return;
            }
            self.advance();
        }
    }

    /// Remembers the names among the tokens from here on: they belong to something that was given up.
    fn note_broken(&mut self, from: usize) {
        let until = self.at.max(from).min(self.tokens.len());
        for token in &self.tokens[from.min(until)..until] {
            if let Tok::Ident(text) = token.tok
                && !self.broken.contains(&text)
            {
                self.broken.push(text);
            }
        }
    }

    /// The same for the line that begins here.
    fn note_broken_line(&mut self) {
        let (begin, tokens) = (self.at, self.tokens.len());
        let end = (begin + 1..tokens).find(|&it| self.tokens[it].first).unwrap_or(tokens);
        self.at = end;
        self.note_broken(begin);
        self.at = begin;
    }

    /// A bracket that was opened in what was given up closes here: no mistake of its own.
    fn skip_closing(&mut self, from: usize) {
        let mut open: i32 = 0;
        for token in &self.tokens[from.min(self.at)..self.at] {
            match token.tok {
                Tok::Key("(" | "[" | "{" | "[|" | "{|") => open += 1,
                Tok::Key(")" | "]" | "}" | "|]") => open = (open - 1).max(0),
                _ => (),
            }
        }
        while open > 0 && matches!(self.raw().tok, Tok::Key(")" | "]" | "}" | "|]")) {
            self.advance();
            open -= 1;
        }
    }

    fn error_expr(&self, reported: Reported, span: Span) -> Expr {
        Expr { kind: ExprKind::Error(reported), span, attributes: Vec::new() }
    }

    fn fresh_name(&mut self, stem: &str, span: Span) -> Name {
        self.numbered(|number| Made::fresh(stem, number), span)
    }

    /// A made-up name that occurs nowhere else.
    fn numbered(&mut self, origin: impl FnOnce(u32) -> Made, span: Span) -> Name {
        self.fresh += 1;
        make::made(origin(self.fresh), span)
    }

    /// Tries `f`; on failure nothing has been read or reported.
    fn attempt<T>(&mut self, f: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let (at, mark, split) = (self.at, self.sink.mark(), self.split.len());
        let (exempt, broken, bounds) = (self.exempt, self.broken.len(), self.bounds.len());
        let result = f(self);
        if result.is_none() {
            self.at = at;
            self.exempt = exempt;
            // What made names broken has not been reported.
            self.broken.truncate(broken);
            self.bounds.truncate(bounds);
            self.sink.rollback(mark);
            while self.split.len() > split
                && let Some((index, token)) = self.split.pop()
            {
                self.tokens[index] = token;
            }
        }
        result
    }
}

/// The width of a token that may begin a line as an infix operator.
fn infix_width(tok: &Tok) -> Option<i32> {
    match tok {
        Tok::Op(text)
            if !matches!(text.as_str(), "!" | "~~~") && !text.as_str().starts_with('!') =>
        {
            Some(text.as_str().len() as i32)
        }
        Tok::Op(text) if text.as_str() == "!=" => Some(2),
        Tok::Key(mark @ ("::" | ":=" | "<-" | ":>" | "," | ".")) => Some(mark.len() as i32),
        Tok::Key("or") => Some(2),
        _ => None,
    }
}
