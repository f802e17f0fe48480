//! Text to tokens. Comments and directives are skipped; columns are kept for the offside rule.

use std::ops::Range;

use oxbow_base::{FileId, Span, Symbol};
use oxbow_diag::{Diagnostic, Diagnostics};

use crate::token::{KEYWORDS, MARKS, PUNCTUATION, Tok, Token};
use crate::{diagnostics, directive};

/// Lexes a part of a file: all of it, or the expression of an interpolated string.
pub fn lex(file: FileId, text: &str, range: Range<usize>, sink: &mut Diagnostics) -> Vec<Token> {
    let mut lexer = Lexer {
        file,
        text,
        at: range.start,
        end: range.end,
        line: 0,
        tokens: Vec::new(),
        first: range.start == 0,
        tabs: Vec::new(),
        sink,
    };
    lexer.line = text.get(..range.start).and_then(|it| it.rfind('\n')).map_or(0, |it| it + 1);
    lexer.run();
    if let Some(&first) = lexer.tabs.first() {
        let count = lexer.tabs.len();
        let report = diagnostics::tabs(first, count);
        lexer.sink.error(report);
    }
    lexer.tokens
}

pub struct Lexer<'a> {
    file: FileId,
    pub text: &'a str,
    pub at: usize,
    pub end: usize,
    /// Where the current line begins.
    line: usize,
    tokens: Vec<Token>,
    /// No token of this line has been read.
    first: bool,
    /// The first tab of each line that has one.
    tabs: Vec<Span>,
    sink: &'a mut Diagnostics,
}

impl<'a> Lexer<'a> {
    fn run(&mut self) {
        loop {
            let spaced = self.skip_blank() || self.first;
            let start = self.at;
            let tok = if start >= self.end { Tok::Eof } else { self.token() };
            let last = tok == Tok::Eof;
            let column = self.column(start);
            let span = self.span(start, self.at);
            let first = self.first;
            self.tokens.push(Token { tok, span, column, first, spaced });
            self.first = false;
            if last {
                return;
            }
            // A string or comment may have moved the line.
            let passed = &self.text[start..self.at];
            if let Some(newline) = passed.rfind('\n') {
                self.line = start + newline + 1;
            }
        }
    }

    fn column(&self, at: usize) -> i32 {
        self.text.get(self.line.min(at)..at).map_or(0, |it| it.chars().count() as i32)
    }

    pub fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }

    pub fn rest(&self) -> &'a str {
        self.text.get(self.at..self.end).unwrap_or("")
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.sink.error(diagnostic);
    }

    pub fn bump(&mut self) -> Option<char> {
        let it = self.peek()?;
        self.at += it.len_utf8();
        Some(it)
    }

    /// Skips white space, comments and directives; was there any?
    fn skip_blank(&mut self) -> bool {
        let start = self.at;
        loop {
            let rest = self.rest();
            match rest.chars().next() {
                Some('\n') => {
                    self.at += 1;
                    self.line = self.at;
                    self.first = true;
                }
                Some('\t') => {
                    let span = self.span(self.at, self.at + 1);
                    if self.tabs.last().is_none_or(|it| (it.start as usize) < self.line) {
                        self.tabs.push(span);
                    }
                    self.at += 1;
                }
                Some(it) if it.is_whitespace() || it == '\u{feff}' => self.at += it.len_utf8(),
                _ if rest.starts_with("//") => self.skip_line(),
                _ if rest.starts_with("(*") && !rest.starts_with("(*)") => self.comment(),
                Some('#') if self.first && directive::begins(rest) => self.directive(),
                _ => return self.at > start,
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += rest.find('\n').unwrap_or(rest.len());
    }

    /// `#nowarn "40"`, `#light`: of no meaning here; conditional text apart.
    fn directive(&mut self) {
        let start = self.at;
        self.skip_line();
        let line = self.text[start..self.at].trim_end();
        if let Some(condition) = line.strip_prefix("#if") {
            if !directive::holds(condition) {
                self.skip_branch(start, line.len());
            }
            return;
        }
        // What stands before it was wanted, so this is not.
        if line.starts_with("#else") {
            self.skip_branch(start, line.len());
            return;
        }
        if line.starts_with("#r") || line.starts_with("#load") {
            let span = self.span(start, start + line.len());
            let word = line.split_whitespace().next().unwrap_or(line);
            self.report(Diagnostic::not_supported(span, &format!("the directive `{word}`")));
        }
    }

    /// Skips to the `#else` or `#endif` of a branch that is not wanted.
    fn skip_branch(&mut self, start: usize, length: usize) {
        let mut depth = 0;
        while self.at < self.end {
            let rest = self.rest();
            let line = rest.strip_prefix('\n').unwrap_or(rest);
            let skipped = rest.len() - line.len();
            let word = line.trim_start();
            let ends = word.starts_with("#endif") || word.starts_with("#else") && depth == 0;
            if word.starts_with("#if") {
                depth += 1;
            } else if word.starts_with("#endif") && depth > 0 {
                depth -= 1;
            } else if ends {
                self.at += skipped;
                self.line = self.at;
                self.skip_line();
                return;
            }
            self.at += skipped;
            self.line = self.at;
            self.skip_line();
            if self.rest().is_empty() {
                break;
            }
        }
        let report = diagnostics::expected(
            self.span(start, start + length),
            "`#endif`",
            "the end of the file",
        );
        self.report(report);
    }

    fn comment(&mut self) {
        let start = self.at;
        self.at += 2;
        let mut depth = 1;
        while depth > 0 {
            let rest = self.rest();
            if rest.starts_with("*)") {
                self.at += 2;
                depth -= 1;
            } else if rest.starts_with("(*") && !rest.starts_with("(*)") {
                self.at += 2;
                depth += 1;
            } else if rest.starts_with('"') {
                self.at += 1;
                self.skip_string_in_comment();
            } else {
                match self.bump() {
                    Some('\n') => {
                        self.line = self.at;
                        self.first = true;
                    }
                    Some(_) => (),
                    None => {
                        let report = diagnostics::unterminated_comment(self.span(start, start + 2));
                        self.report(report);
                        return;
                    }
                }
            }
        }
    }

    /// A string in a comment may hold `*)`; one that does not end on its line is an apostrophe's kin.
    fn skip_string_in_comment(&mut self) {
        let rest = self.rest();
        let line = rest.split('\n').next().unwrap_or("");
        let mut escaped = false;
        for (index, it) in line.char_indices() {
            match it {
                '\\' if !escaped => escaped = true,
                '"' if !escaped => {
                    self.at += index + 1;
                    return;
                }
                _ => escaped = false,
            }
        }
    }

    fn token(&mut self) -> Tok {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Tok::Eof };
        if first.is_ascii_digit() {
            return self.number();
        }
        if rest.starts_with("``") {
            return self.quoted_ident();
        }
        if first == '\'' {
            return self.quote();
        }
        if first == '"' || rest.starts_with("@\"") {
            return self.string();
        }
        if rest.starts_with("$\"") || rest.starts_with("$@\"") || rest.starts_with("@$\"") {
            return self.interpolated();
        }
        if first.is_alphabetic() || first == '_' {
            return self.word();
        }
        for &mark in PUNCTUATION {
            if rest.starts_with(mark) && !self.is_operator_instead(mark) {
                self.at += mark.len();
                return Tok::Key(mark);
            }
        }
        if is_operator_char(first) {
            return self.operator();
        }
        let span = self.span(self.at, self.at + first.len_utf8());
        self.bump();
        let report = diagnostics::illegal(span, &first.to_string());
        self.report(report);
        Tok::Bad
    }

    /// `|]` after an operator character is rare; `>]` closes attributes only when one is open.
    fn is_operator_instead(&self, mark: &str) -> bool {
        match mark {
            ">]" => !self.attribute_open(),
            "|}" => !self.tokens.iter().rev().any(|it| it.tok == Tok::Key("{|")),
            "[<" => self.rest().starts_with("[<@"),
            _ => false,
        }
    }

    fn attribute_open(&self) -> bool {
        self.tokens
            .iter()
            .rev()
            .take(64)
            .find(|it| matches!(it.tok, Tok::Key("[<" | ">]")))
            .is_some_and(|it| it.tok == Tok::Key("[<"))
    }

    fn word(&mut self) -> Tok {
        let start = self.at;
        while let Some(it) = self.peek()
            && (it.is_alphanumeric() || it == '_' || it == '\'')
        {
            self.at += it.len_utf8();
        }
        let text = &self.text[start..self.at];
        if text == "_" {
            return Tok::Key("_");
        }
        if let Some(keyword) = KEYWORDS.iter().find(|it| **it == text) {
            // `let!` and its kin belong to computation expressions.
            if matches!(*keyword, "let" | "use" | "do" | "yield" | "return" | "match" | "and")
                && self.rest().starts_with('!')
                && !self.rest().starts_with("!=")
            {
                self.at += 1;
                return match *keyword {
                    "yield" => Tok::Key("yield!"),
                    "return" => Tok::Key("return!"),
                    "let" => Tok::Key("let!"),
                    "and" => Tok::Key("and!"),
                    "use" => Tok::Key("use!"),
                    "do" => Tok::Key("do!"),
                    _ => Tok::Key("match!"),
                };
            }
            return Tok::Key(keyword);
        }
        Tok::Ident(Symbol::new(text))
    }

    fn quoted_ident(&mut self) -> Tok {
        let start = self.at;
        let rest = &self.rest()[2..];
        match rest.find("``") {
            Some(length) if !rest[..length].contains('\n') => {
                self.at = start + length + 4;
                Tok::Ident(Symbol::new(&rest[..length]))
            }
            _ => {
                self.at += 2;
                let report = diagnostics::illegal(self.span(start, start + 2), "``");
                self.report(report);
                Tok::Bad
            }
        }
    }

    fn operator(&mut self) -> Tok {
        let rest = self.rest();
        let length = rest.find(|it| !is_operator_char(it)).unwrap_or(rest.len());
        let mut text = &rest[..length];
        // `..-1`, `=-1`: a range or an equation with a negative number behind it.
        for head in ["..", "=", "->", "<-", "::", "<>", "<=", ">="] {
            if let Some(tail) = text.strip_prefix(head)
                && matches!(tail, "-" | "!" | "&" | "~~~")
            {
                text = head;
            }
        }
        // `|]`, `|}` and comments end an operator.
        if let Some(at) = text.find("//") {
            text = &text[..at];
        }
        let after = rest.as_bytes().get(text.len());
        if text.len() > 1 && text.ends_with('|') && after == Some(&b']') {
            text = &text[..text.len() - 1];
        }
        // `.>>.` is an operator, `a.b` and `0..9` have marks.
        let named = text.strip_prefix('.').is_some_and(|it| it.starts_with(is_infix_start));
        if text.starts_with('.') && text != ".." && !text.starts_with("...") && !named {
            text = ".";
        }
        // `<'a`, `>)`: the marks of type arguments.
        if text.starts_with(':') && !MARKS.contains(&text) {
            text = if text.starts_with("::") { "::" } else { ":" };
        }
        self.at += text.len();
        match MARKS.iter().find(|it| **it == text) {
            Some(mark) => Tok::Key(mark),
            None => Tok::Op(Symbol::new(text)),
        }
    }
}

fn is_infix_start(it: char) -> bool {
    matches!(it, '<' | '>' | '=' | '|' | '&' | '^' | '@' | '+' | '-' | '*' | '/' | '%' | '$')
}

pub fn is_operator_char(it: char) -> bool {
    matches!(
        it,
        '!' | '%'
            | '&'
            | '*'
            | '+'
            | '-'
            | '.'
            | '/'
            | '<'
            | '='
            | '>'
            | '?'
            | '@'
            | '^'
            | '|'
            | '~'
            | ':'
            | '$'
            | '#'
    )
}
