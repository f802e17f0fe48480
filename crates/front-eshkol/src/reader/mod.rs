//! The reader: text to data, with the whole lexical syntax of R7RS-small.
//!
//! Every text gives data; each fault is reported once. An unclosed parenthesis is reported at the
//! parenthesis itself; nesting is bounded, so that later stages may recurse.

mod number;
mod token;

use oxbow_base::{FileId, Span, Symbol};
use oxbow_diag::{Diagnostic, Diagnostics, limits};

use crate::datum::{Datum, DatumKind, Ident};

pub use number::parse as parse_number;

/// Reads all data of a file.
pub fn read(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Vec<Datum> {
    let mut reader = Reader {
        file,
        text,
        at: 0,
        fold_case: false,
        depth: 0,
        open: Vec::new(),
        labels: Vec::new(),
        stopped: false,
        mismatched: false,
        diagnostics,
    };
    let mut data = Vec::new();
    while let Some(datum) = reader.top() {
        data.push(datum);
    }
    data
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    fold_case: bool,
    /// How many data around this place are being read.
    depth: usize,
    /// The unclosed delimiters around this place, with what closes them.
    open: Vec<(Span, char)>,
    /// `#n=` whose data is being read, and whether it was mentioned.
    labels: Vec<(u32, bool, Option<Datum>)>,
    /// The rest of the text means nothing after a fault that swallows it.
    stopped: bool,
    /// Some list was closed by the wrong delimiter.
    mismatched: bool,
    diagnostics: &'a mut Diagnostics,
}

/// What stands at a place where a datum may stand.
enum Found {
    Datum(Datum),
    Close(Span, char),
    Dot(Span),
    End,
}

impl Reader<'_> {
    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start as u32, self.at as u32)
    }

    fn error(&mut self, code: &'static str, message: impl Into<String>, span: Span, label: &str) {
        self.diagnostics.error(Diagnostic::error(code, message).at(span, label));
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn starts(&self, text: &str) -> bool {
        self.text[self.at..].starts_with(text)
    }

    fn top(&mut self) -> Option<Datum> {
        loop {
            if self.stopped {
                return None;
            }
            match self.next() {
                Found::Datum(datum) => return Some(datum),
                Found::Close(span, _) => {
                    self.error(
                        "E0401",
                        "this parenthesis closes nothing",
                        span,
                        "no list is open here",
                    );
                }
                Found::Dot(span) => {
                    self.error("E0403", "a dot outside of a list", span, "");
                }
                Found::End => return None,
            }
        }
    }

    /// Skips blanks and comments; false if a block comment does not end.
    fn skip(&mut self) -> bool {
        loop {
            match self.peek() {
                Some(c) if c.is_whitespace() || (c == '\u{feff}' && self.at == 0) => {
                    self.bump();
                }
                Some(';') => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.bump();
                    }
                }
                Some('#') if self.starts("#|") => {
                    if !self.block_comment() {
                        return false;
                    }
                }
                Some('#') if self.starts("#;") => {
                    let start = self.at;
                    self.at += 2;
                    match self.next() {
                        Found::Datum(_) => (),
                        Found::Close(span, _) => {
                            self.at = span.start as usize;
                            let span = Span::new(self.file, start as u32, start as u32 + 2);
                            self.error(
                                "E0404",
                                "`#;` comments out the next datum, but none follows",
                                span,
                                "",
                            );
                            return true;
                        }
                        // What does not end is reported already.
                        Found::End if self.stopped => return true,
                        Found::Dot(_) | Found::End => {
                            let span = Span::new(self.file, start as u32, start as u32 + 2);
                            self.error(
                                "E0404",
                                "`#;` comments out the next datum, but none follows",
                                span,
                                "",
                            );
                            return true;
                        }
                    }
                }
                Some('#') if self.starts("#!") => {
                    let start = self.at;
                    self.at += 2;
                    let line_start = start == 0 && matches!(self.peek(), Some('/' | ' '));
                    if line_start {
                        while self.peek().is_some_and(|c| c != '\n') {
                            self.bump();
                        }
                        continue;
                    }
                    let word = self.word();
                    match word.as_str() {
                        "fold-case" => self.fold_case = true,
                        "no-fold-case" => self.fold_case = false,
                        "r6rs" | "chezscheme" => (),
                        _ => {
                            self.at = start;
                            return true;
                        }
                    }
                }
                _ => return true,
            }
        }
    }

    fn block_comment(&mut self) -> bool {
        let start = self.at;
        let mut depth = 0;
        loop {
            if self.starts("#|") {
                depth += 1;
                self.at += 2;
            } else if self.starts("|#") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return true;
                }
            } else if self.bump().is_none() {
                let span = Span::new(self.file, start as u32, start as u32 + 2);
                self.error("E0405", "this comment does not end", span, "opened here");
                self.stopped = true;
                return false;
            }
        }
    }

    /// What comes next. Lists, marks of quotation and labels stand inside each other up to a limit, which counts
    /// neither the form of the top level nor the innermost datum: a definition may hold as many levels as it says.
    fn next(&mut self) -> Found {
        if self.stopped || !self.skip() {
            return Found::End;
        }
        if self.depth > limits::NESTING.most + 1 {
            let here = Span::new(self.file, self.at as u32, self.at as u32 + 1);
            let label = format!("more than {} levels", limits::NESTING.most);
            self.error("E0407", "lists are nested too deeply", here, &label);
            self.stopped = true;
            return Found::End;
        }
        self.depth += 1;
        let found = self.datum();
        self.depth -= 1;
        found
    }

    fn datum(&mut self) -> Found {
        let start = self.at;
        let Some(c) = self.bump() else { return Found::End };
        match c {
            '(' | '[' => self.list(start, c),
            ')' | ']' => Found::Close(self.span(start), c),
            '\'' => self.prefixed(start, "quote"),
            '`' => self.prefixed(start, "quasiquote"),
            ',' if self.peek() == Some('@') => {
                self.bump();
                self.prefixed(start, "unquote-splicing")
            }
            ',' => self.prefixed(start, "unquote"),
            '"' => self.string(start),
            '#' => self.hash(start),
            '{' | '}' => {
                let span = self.span(start);
                self.error("E0406", format!("`{c}` has no meaning in Eshkol"), span, "");
                self.next()
            }
            c if c.is_control() => {
                let (span, code) = (self.span(start), u32::from(c));
                let message = format!("the control character {code:#04x} has no meaning in Eshkol");
                self.error("E0406", message, span, "");
                self.next()
            }
            _ => {
                self.at = start;
                self.atom(start)
            }
        }
    }

    fn prefixed(&mut self, start: usize, name: &str) -> Found {
        let head = Datum::symbol(name, self.span(start));
        let mark = self.span(start);
        match self.next() {
            Found::Datum(datum) => Found::Datum(Datum::list(vec![head, datum], self.span(start))),
            Found::End if self.stopped => Found::End,
            other => {
                self.error("E0404", format!("nothing follows the mark of `{name}`"), mark, "");
                other
            }
        }
    }

    fn list(&mut self, start: usize, opener: char) -> Found {
        let closer = if opener == '(' { ')' } else { ']' };
        match self.sequence(start, closer, true) {
            Some((items, tail)) => {
                let span = self.span(start);
                Found::Datum(Datum::new(DatumKind::List(items, tail.map(Box::new)), span))
            }
            None => Found::End,
        }
    }

    /// The data up to the closing delimiter.
    fn sequence(
        &mut self,
        start: usize,
        closer: char,
        dots: bool,
    ) -> Option<(Vec<Datum>, Option<Datum>)> {
        let opening = self.span(start);
        self.open.push((opening, closer));
        let mut items = Vec::new();
        let mut tail = None;
        let mut too_many = false;
        loop {
            match self.next() {
                Found::Datum(datum) if tail.is_some() => {
                    if !std::mem::replace(&mut too_many, true) {
                        self.error("E0403", "only one datum may follow the dot", datum.span, "");
                    }
                }
                Found::Datum(datum) => items.push(datum),
                Found::Close(span, found) => {
                    if found != closer {
                        self.mismatched = true;
                        self.diagnostics.error(
                            Diagnostic::error(
                                "E0402",
                                format!("`{found}` closes a list that ends with `{closer}`"),
                            )
                            .at(span, "")
                            .label(opening, "opened here"),
                        );
                    }
                    break;
                }
                Found::Dot(span) => {
                    if !dots || items.is_empty() {
                        self.error("E0403", "a dot where no tail can be", span, "");
                        continue;
                    }
                    if tail.is_some() {
                        if !std::mem::replace(&mut too_many, true) {
                            self.error("E0403", "a second dot", span, "");
                        }
                        continue;
                    }
                    match self.next() {
                        Found::Datum(datum) => tail = Some(datum),
                        Found::Close(close, _) => {
                            self.error("E0403", "nothing follows the dot", span, "");
                            self.at = close.start as usize;
                        }
                        Found::Dot(second) => self.error("E0403", "a second dot", second, ""),
                        Found::End => (),
                    }
                }
                Found::End => {
                    if !self.stopped {
                        self.stopped = true;
                        self.unclosed();
                    }
                    return None;
                }
            }
        }
        self.open.pop();
        Some((items, tail))
    }

    /// The innermost list that is open at the end of the text is the one that lacks its end, unless
    /// a later line begins at the margin inside an outer one: there the outer one was meant to end.
    fn unclosed(&mut self) {
        let Some(&(innermost, closer)) = self.open.last() else { return };
        // A list that was closed by the wrong delimiter may have taken that of another.
        if self.mismatched {
            return;
        }
        let outermost = self.open[0].0;
        let after = outermost.start as usize + 1;
        let margin = self.text[after..].find("\n(").map(|it| after + it + 1);
        let mut report = Diagnostic::error("E0400", "this parenthesis is not closed")
            .at(innermost, format!("needs a `{closer}`"));
        if let Some(at) = margin {
            // A form at the margin was read as part of the one before it.
            let before = self.open.iter().rev().find(|it| (it.0.start as usize) < at);
            if let Some(&(span, closer)) = before {
                report = Diagnostic::error("E0400", "this parenthesis is not closed")
                    .at(span, format!("needs a `{closer}`"))
                    .label(
                        Span::new(self.file, at as u32, at as u32 + 1),
                        "this was read as a part of it",
                    );
            }
        }
        self.diagnostics.error(report);
    }

    fn label(&mut self, start: usize, number: u32) -> Found {
        if self.peek() == Some('#') {
            self.bump();
            let span = self.span(start);
            let Some(entry) = self.labels.iter_mut().rev().find(|it| it.0 == number) else {
                self.error("E0408", format!("label `#{number}#` is not defined"), span, "");
                return Found::Datum(Datum::new(DatumKind::Bool(false), span));
            };
            return match &entry.2 {
                Some(datum) => Found::Datum(datum.clone()),
                None => {
                    entry.1 = true;
                    Found::Datum(Datum::new(DatumKind::Reference(number), span))
                }
            };
        }
        self.bump();
        self.labels.push((number, false, None));
        let index = self.labels.len() - 1;
        match self.next() {
            Found::Datum(datum) => {
                let used = self.labels[index].1;
                if matches!(datum.kind, DatumKind::Reference(it) if it == number) {
                    let message = format!("label `#{number}=` stands for itself");
                    self.error("E0408", message, self.span(start), "");
                    return Found::Datum(Datum::new(DatumKind::Bool(false), self.span(start)));
                }
                let datum = if used {
                    Datum::new(DatumKind::Labelled(number, Box::new(datum)), self.span(start))
                } else {
                    datum
                };
                self.labels[index].2 = Some(datum.clone());
                Found::Datum(datum)
            }
            other => other,
        }
    }

    fn ident(&self, text: &str) -> DatumKind {
        DatumKind::Ident(Ident::Plain(Symbol::new(text)))
    }
}
