//! The parser: recursive descent over balanced tokens, loops where OCaml's
//! grammar makes long chains.
//!
//! A parsing function returns [`Parse`]; an `Err` means that the fault has been
//! reported and the position is where it was found. Someone above catches it, skips
//! to a place that makes sense (see [`recovery`]) and leaves an error node.
//!
//! ```text
//! expr         operators by precedence, `if`, `match`, `fun`, …
//! simple       what can be an argument: names, constants, brackets, `a.b`, `!a`
//! brackets     parentheses, blocks, records
//! binding      `let` in all its forms, parameters
//! classes      objects, classes, class types
//! pattern, types, typedecl, modules, signature, items
//! ```

mod abstract_method;
mod attribute;
mod binding;
mod brackets;
mod classes;
mod constant;
mod control;
mod effects;
mod expr;
mod items;
mod modules;
mod pattern;
mod recovery;
mod rows;
mod signature;
mod simple;
mod typedecl;
mod types;

use oxbow_base::{FileId, Span, Symbol};
use oxbow_diag::{Diagnostic, Diagnostics, Reported, limits};
use oxbow_elab::ast::{ModulePath, Name, Passing};

use crate::diagnostics::confusions::{KeywordAsName, WrongCase};
use crate::diagnostics::quoted;
use crate::diagnostics::structure::{NestingTooDeep, Unexpected};
use crate::lexer::{Lexed, Tok, Token};

/// The result of parsing: `Err` when the fault has been reported.
pub(crate) type Parse<T> = Result<T, Reported>;

/// How deep brackets, branches and function bodies may nest. The compiler's thread
/// has a stack for that.
const MAX_NESTING: u32 = limits::NESTING.most as u32;

/// How many `let … in` may follow each other, and how many `else if`.
const MAX_CHAIN: u32 = limits::CHAIN.most as u32;

pub(crate) struct Parser<'a> {
    file: FileId,
    text: &'a str,
    tokens: Vec<Token>,
    strings: Vec<Vec<u8>>,
    pos: usize,
    depth: u32,
    /// What the enclosing constructs, up to the next bracket, are waiting for.
    awaiting: Awaiting,
    /// How many brackets are open inside the current structure.
    brackets: u32,
    /// How often a `let` was found to be an item in the place of an expression.
    stranded_lets: u32,
    /// The column of the item being parsed.
    item_column: usize,
    sink: Diagnostics,
    reported: Option<Reported>,
    /// The token at which the last fault was reported.
    reported_at: usize,
    /// Words already reported as used for a name.
    misused_words: Vec<Tok>,
    truncated: bool,
    gave_up: bool,
    /// Types with an attribute that says how C is given their values, in the `external` at hand.
    passed: Vec<(Span, Passing)>,
}

#[derive(Clone, Copy, Default)]
struct Awaiting {
    /// `then` branches that an `else` may follow.
    else_: u32,
    /// Cases that a `|` may follow.
    bar: u32,
    /// Bindings that `in` or `and` may follow.
    in_: u32,
}

impl<'a> Parser<'a> {
    pub fn new(file: FileId, text: &'a str, lexed: Lexed, sink: Diagnostics) -> Self {
        Self {
            file,
            text,
            tokens: lexed.tokens,
            strings: lexed.strings,
            pos: 0,
            depth: 0,
            awaiting: Awaiting::default(),
            brackets: 0,
            stranded_lets: 0,
            item_column: 0,
            sink,
            reported: lexed.reported,
            reported_at: usize::MAX,
            misused_words: Vec::new(),
            truncated: lexed.truncated,
            gave_up: false,
            passed: Vec::new(),
        }
    }

    pub fn into_diagnostics(self) -> Diagnostics {
        self.sink
    }

    // --------------------------------------------------------------- cursor

    fn token_at(&self, index: usize) -> Token {
        let end = self.text.len() as u32;
        let eof = Token { tok: Tok::Eof, start: end, end, partner: crate::lexer::NO_PARTNER };
        self.tokens.get(index).copied().unwrap_or(eof)
    }

    fn token(&self) -> Token {
        self.token_at(self.pos)
    }

    fn peek(&self) -> Tok {
        self.token().tok
    }

    fn nth(&self, ahead: usize) -> Tok {
        self.token_at(self.pos + ahead).tok
    }

    /// The token before the current one.
    fn previous(&self) -> Token {
        match self.pos.checked_sub(1) {
            Some(before) => self.token_at(before),
            None => Token { tok: Tok::Eof, start: 0, end: 0, partner: crate::lexer::NO_PARTNER },
        }
    }

    fn at(&self, tok: Tok) -> bool {
        self.peek() == tok
    }

    fn at_eof(&self) -> bool {
        self.at(Tok::Eof)
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.tok != Tok::Eof {
            self.pos += 1;
        }
        token
    }

    fn eat(&mut self, tok: Tok) -> bool {
        let found = self.at(tok);
        if found {
            self.bump();
        }
        found
    }

    /// Where the current token starts.
    fn here(&self) -> u32 {
        self.token().start
    }

    fn span_of(&self, token: Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    fn current_span(&self) -> Span {
        self.span_of(self.token())
    }

    /// From `start` to the end of the token before the current one.
    fn span_from(&self, start: u32) -> Span {
        Span::new(self.file, start, self.previous().end.max(start))
    }

    fn text_of(&self, token: Token) -> &'a str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or("")
    }

    fn name(&self, text: Symbol, token: Token) -> Name {
        Name { text, span: self.span_of(token) }
    }

    fn column_of(&self, token: Token) -> usize {
        let before = self.text.get(..token.start as usize).unwrap_or("");
        before.len() - before.rfind('\n').map_or(0, |it| it + 1)
    }

    fn is_first_on_line(&self, token: Token) -> bool {
        let before = self.text.get(..token.start as usize).unwrap_or("");
        before.trim_end_matches([' ', '\t']).is_empty()
            || before.trim_end_matches([' ', '\t']).ends_with('\n')
    }

    // -------------------------------------------------------------- nesting

    /// Runs `parse` one level deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_NESTING {
            return Err(self.too_deep(MAX_NESTING));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Reports the nesting here and gives up the rest of the file.
    fn too_deep(&mut self, limit: u32) -> Reported {
        let report = NestingTooDeep { span: self.current_span(), limit }.render();
        let reported = self.report(report);
        self.gave_up = true;
        self.pos = self.tokens.len().saturating_sub(1);
        reported
    }

    // ------------------------------------------------------------ reporting

    /// Reports a fault found at the current token, unless one is known there.
    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        let token = self.token();
        let is_known = self.gave_up
            || token.is_inserted()
            || self.reported_at == self.pos
            || (self.truncated && token.tok == Tok::Eof);
        if let (true, Some(reported)) = (is_known, self.reported) {
            return reported;
        }
        let mut diagnostic = diagnostic;
        if let (Tok::Eof, Some(label)) = (token.tok, &mut diagnostic.primary)
            && label.text.starts_with("expected")
        {
            // The last token is shown, since nothing stands at the end of the file.
            label.text.push_str(" after this");
        }
        let reported = self.sink.error(diagnostic);
        self.reported = Some(reported);
        self.reported_at = self.pos;
        reported
    }

    /// Reports a construct that is valid OCaml. Parsing goes on behind it.
    fn unsupported(&mut self, span: Span, construct: &str) -> Reported {
        if let (true, Some(reported)) = (self.gave_up, self.reported) {
            return reported;
        }
        let reported = self.sink.error(Diagnostic::not_supported(span, construct));
        self.reported = Some(reported);
        reported
    }

    /// The token as a message names it.
    fn describe(&self, token: Token) -> String {
        match token.tok {
            Tok::Eof => "the end of the file".to_owned(),
            Tok::String(_) => "a string".to_owned(),
            _ => quoted(self.text_of(token)),
        }
    }

    /// The place to show for a fault here: at the end of the file, the last token.
    fn fault_span(&self) -> Span {
        if self.at_eof() { self.span_of(self.previous()) } else { self.current_span() }
    }

    fn unexpected(&mut self, expected: &str) -> Reported {
        self.unexpected_in(expected, None)
    }

    fn unexpected_in(&mut self, expected: &str, context: Option<(Span, &str)>) -> Reported {
        if self.at(Tok::Else) {
            return self.stray_else(None);
        }
        let found = self.describe(self.token());
        let report =
            Unexpected { span: self.fault_span(), found: &found, expected, context }.render();
        self.report(report)
    }

    fn expect(&mut self, tok: Tok, expected: &str) -> Parse<Token> {
        if self.at(tok) { Ok(self.bump()) } else { Err(self.unexpected(expected)) }
    }

    // ---------------------------------------------------------------- names

    /// A lower-case name, described by `what` if something else is found.
    fn lower_name(&mut self, what: &str) -> Parse<Name> {
        let token = self.token();
        match token.tok {
            Tok::Lower(text) => {
                self.bump();
                Ok(self.name(text, token))
            }
            Tok::Upper(text) => {
                let suggestion = lower_first(text.as_str());
                let report = WrongCase {
                    span: self.span_of(token),
                    name: text.as_str(),
                    what,
                    suggestion: &suggestion,
                };
                let diagnostic = report.render();
                Err(self.report(diagnostic))
            }
            _ => Err(self.no_name(what)),
        }
    }

    /// An upper-case name.
    fn upper_name(&mut self, what: &str) -> Parse<Name> {
        let token = self.token();
        match token.tok {
            Tok::Upper(text) => {
                self.bump();
                Ok(self.name(text, token))
            }
            Tok::Lower(text) => {
                let suggestion = upper_first(text.as_str());
                let report = WrongCase {
                    span: self.span_of(token),
                    name: text.as_str(),
                    what,
                    suggestion: &suggestion,
                };
                let diagnostic = report.render();
                Err(self.report(diagnostic))
            }
            _ => Err(self.no_name(what)),
        }
    }

    /// Reports that no name stands here, and why, if a keyword does.
    fn no_name(&mut self, what: &str) -> Reported {
        let token = self.token();
        if token.tok.is_word() && !matches!(token.tok, Tok::Else | Tok::In | Tok::Then) {
            return self.keyword_as_name();
        }
        self.unexpected(&format!("{what} name"))
    }

    fn keyword_as_name(&mut self) -> Reported {
        let token = self.token();
        if let (true, Some(reported)) = (self.misused_words.contains(&token.tok), self.reported) {
            return reported;
        }
        self.misused_words.push(token.tok);
        let report =
            KeywordAsName { span: self.span_of(token), word: self.text_of(token) }.render();
        self.report(report)
    }

    /// `A.B.C`, which starts here: the names before the last, and the last.
    fn upper_path(&mut self) -> Parse<(Option<Box<ModulePath>>, Name)> {
        let mut name = self.upper_name("a module")?;
        let mut prefix = None;
        while self.at(Tok::Dot)
            && let Tok::Upper(text) = self.nth(1)
        {
            self.bump();
            let token = self.bump();
            prefix = Some(Box::new(join(prefix, name)));
            name = self.name(text, token);
        }
        Ok((prefix, name))
    }
}

/// `prefix.name` as a module.
fn join(prefix: Option<Box<ModulePath>>, name: Name) -> ModulePath {
    match prefix {
        Some(prefix) => ModulePath::Dot(prefix, name),
        None => ModulePath::Name(name),
    }
}

fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|it| it.to_ascii_lowercase()).into_iter().chain(characters).collect()
}

fn upper_first(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|it| it.to_ascii_uppercase()).into_iter().chain(characters).collect()
}
