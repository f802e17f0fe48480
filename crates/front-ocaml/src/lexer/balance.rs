//! Makes brackets match, so that the parser never sees one without its partner.
//!
//! ```text
//! (a + b] * c        `]` is reported and read as `)`
//! a + b) * c         `)` is reported and dropped
//! f (g (x)           a `)` is inserted before the next item or at the end
//! ```
//!
//! `begin`, `struct`, `sig`, `object` with `end`, and `do` with `done`, are brackets
//! too. An inserted token has an empty span, and faults found there are not
//! reported a second time. Each pair then knows its partner, which lets the parser
//! leave a broken expression at the right place in one step.

use oxbow_base::{FileId, Span, Symbol};
use oxbow_diag::{Diagnostics, Reported};

use crate::diagnostics::delimiters::{MismatchedDelimiter, StrayDelimiter, UnclosedDelimiter};

use super::{NO_PARTNER, Tok, Token};

/// An opening bracket whose partner has not been met.
struct Opening {
    tok: Tok,
    /// Where it stands in the output.
    index: usize,
    /// Where it stands in the input.
    source: usize,
}

pub(super) fn balance(
    file: FileId,
    text: &str,
    mut tokens: Vec<Token>,
    sink: &mut Diagnostics,
    reported: &mut Option<Reported>,
) -> Vec<Token> {
    name_attributes(text, &mut tokens);
    if pair_up(&mut tokens) {
        return tokens;
    }
    let unclosed = unclosed_openings(&tokens);
    let mut repair = Repair {
        file,
        text,
        output: Vec::with_capacity(tokens.len() + 8),
        stack: Vec::new(),
        open: Counts::default(),
        after_stray: false,
        loops: Vec::new(),
        sink,
        reported,
    };
    for (source, token) in tokens.into_iter().enumerate() {
        repair.token(source, token, &unclosed);
    }
    let mut output = repair.output;
    let paired = pair_up(&mut output);
    debug_assert!(paired, "repaired brackets match");
    output
}

/// The name of an attribute may be any word: in `[@@@end]` nothing ends.
fn name_attributes(text: &str, tokens: &mut [Token]) {
    let mut is_name = false;
    for token in tokens {
        let is_bracket = token.tok.closer().is_some() || token.tok.is_closer();
        if is_name && is_bracket && token.tok.is_word() {
            let word = text.get(token.start as usize..token.end as usize).unwrap_or_default();
            token.tok = Tok::Lower(Symbol::new(word));
        }
        is_name = match token.tok {
            Tok::LBracketAt
            | Tok::LBracketAtAt
            | Tok::LBracketAtAtAt
            | Tok::LBracketPercent
            | Tok::LBracketPercentPercent => true,
            // `[@ocaml.end]`
            Tok::Lower(_) | Tok::Upper(_) | Tok::Dot => is_name,
            _ => false,
        };
    }
}

/// How many brackets are open, by the closing bracket they need. Tells at once
/// that nothing fits, without a look through a deep stack.
#[derive(Default)]
struct Counts([u32; 6]);

impl Counts {
    fn slot(&mut self, closer: Tok) -> &mut u32 {
        let [paren, bracket, bar, brace, end, done] = &mut self.0;
        match closer {
            Tok::RParen => paren,
            Tok::RBracket => bracket,
            Tok::BarRBracket => bar,
            Tok::RBrace => brace,
            Tok::Done => done,
            _ => end,
        }
    }
    fn opened(&mut self, opening: Tok) {
        if let Some(closer) = opening.closer() {
            *self.slot(closer) += 1;
        }
    }
    fn closed(&mut self, opening: Tok) {
        if let Some(closer) = opening.closer() {
            *self.slot(closer) -= 1;
        }
    }
}

/// Records partners; false if some bracket has none.
fn pair_up(tokens: &mut [Token]) -> bool {
    let mut stack: Vec<(usize, Tok)> = Vec::new();
    for index in 0..tokens.len() {
        let Some(token) = tokens.get_mut(index) else { break };
        if let Some(closer) = token.tok.closer() {
            stack.push((index, closer));
        } else if token.tok.is_closer() {
            match stack.pop() {
                Some((opening, closer)) if closer == token.tok => {
                    token.partner = opening as u32;
                    if let Some(opening) = tokens.get_mut(opening) {
                        opening.partner = index as u32;
                    }
                }
                _ => return false,
            }
        } else {
            token.partner = NO_PARTNER;
        }
    }
    stack.is_empty()
}

/// For each token, whether it is an opening bracket that nothing closes.
fn unclosed_openings(tokens: &[Token]) -> Vec<bool> {
    let mut unclosed = vec![false; tokens.len()];
    let mut stack: Vec<(usize, Tok)> = Vec::new();
    let mut open = Counts::default();
    let mut mark = |index: usize| {
        if let Some(flag) = unclosed.get_mut(index) {
            *flag = true;
        }
    };
    for (index, token) in tokens.iter().enumerate() {
        if token.tok.closer().is_some() {
            stack.push((index, token.tok));
            open.opened(token.tok);
        } else if token.tok.is_closer() && *open.slot(token.tok) > 0 {
            while let Some((opening, tok)) = stack.pop() {
                open.closed(tok);
                if tok.closer() == Some(token.tok) {
                    break;
                }
                mark(opening);
            }
        }
    }
    stack.into_iter().for_each(|(opening, _)| mark(opening));
    unclosed
}

struct Repair<'a> {
    file: FileId,
    text: &'a str,
    output: Vec<Token>,
    stack: Vec<Opening>,
    open: Counts,
    /// The token before was a closing bracket without partner. Several in a row
    /// are one mistake.
    after_stray: bool,
    /// Where the loops start whose `do` has not been met.
    loops: Vec<u32>,
    sink: &'a mut Diagnostics,
    reported: &'a mut Option<Reported>,
}

impl Repair<'_> {
    fn token(&mut self, source: usize, token: Token, unclosed: &[bool]) {
        if token.tok == Tok::Eof {
            self.close_while(token, |_| true);
        } else if token.tok.begins_item() && self.is_first_on_line(token) {
            // An item at the left margin ends what was left open above it.
            self.close_while(token, |it| {
                unclosed.get(it.source).copied().unwrap_or(false)
                    && !matches!(it.tok, Tok::Struct | Tok::Sig | Tok::Object)
            });
        }
        if token.tok.is_closer() {
            return self.closer(token);
        }
        self.after_stray = false;
        match token.tok {
            Tok::While | Tok::For => self.loops.push(token.start),
            Tok::Do => drop(self.loops.pop()),
            _ => (),
        }
        if token.tok.closer().is_some() {
            self.open.opened(token.tok);
            self.stack.push(Opening { tok: token.tok, index: self.output.len(), source });
        }
        self.output.push(token);
    }

    fn closer(&mut self, token: Token) {
        if *self.open.slot(token.tok) == 0 {
            return self.unmatched_closer(token);
        }
        self.after_stray = false;
        self.close_while(token, |it| it.tok.closer() != Some(token.tok));
        if let Some(opening) = self.stack.pop() {
            self.open.closed(opening.tok);
        }
        self.output.push(token);
    }

    /// A closing bracket that fits no open one.
    fn unmatched_closer(&mut self, token: Token) {
        let span = self.span(token);
        if let Some(opening) = self.stack.last()
            && let Some(opened) = self.output.get(opening.index).copied()
            && let Some(expected) = opening.tok.closer()
            && self.on_one_line(opened, token)
        {
            let report = MismatchedDelimiter {
                opening: self.span(opened),
                closing: span,
                expected: expected.closer_text(),
            };
            *self.reported = Some(self.sink.error(report.render(self.text)));
            self.open.closed(opening.tok);
            self.stack.pop();
            return self.output.push(Token { tok: expected, ..token });
        }
        // A loop without `do` is reported by the parser, which then needs no `done`.
        let is_loop = token.tok == Tok::Done && self.loops.pop().is_some();
        if !self.after_stray && !is_loop {
            let report = StrayDelimiter { span, text: token.tok.closer_text() };
            *self.reported = Some(self.sink.error(report.render()));
        }
        self.after_stray = true;
    }

    /// Inserts in front of `before` what closes the innermost open brackets, as far
    /// as `accept` says so, and reports the innermost.
    fn close_while(&mut self, before: Token, accept: impl Fn(&Opening) -> bool) {
        let mut innermost = None;
        let mut count = 0;
        while let Some(opening) = self.stack.pop_if(|it| accept(it)) {
            self.open.closed(opening.tok);
            let Some(tok) = opening.tok.closer() else { continue };
            let end = self.output.last().map_or(before.start, |it| it.end);
            self.output.push(Token { tok, start: end, end, partner: NO_PARTNER });
            count += 1;
            if innermost.is_none() {
                innermost = self.output.get(opening.index).copied().map(|it| (it, tok));
            }
        }
        if let Some((opened, closer)) = innermost {
            let report = UnclosedDelimiter {
                opening: self.span(opened),
                closer: closer.closer_text(),
                before: (before.tok != Tok::Eof).then(|| self.span(before)),
                others: count - 1,
            };
            *self.reported = Some(self.sink.error(report.render(self.text)));
        }
    }

    fn span(&self, token: Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    fn on_one_line(&self, first: Token, second: Token) -> bool {
        let between = self.text.get(first.start as usize..second.start as usize).unwrap_or("");
        !between.contains('\n')
    }

    fn is_first_on_line(&self, token: Token) -> bool {
        match (token.start as usize).checked_sub(1) {
            Some(before) => self.text.as_bytes().get(before) == Some(&b'\n'),
            None => true,
        }
    }
}
