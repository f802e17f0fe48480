//! Going on after a fault.
//!
//! Tokens are balanced, so a fault inside brackets is left by a step behind the
//! closing one ([`Parser::group`]). Elsewhere [`Parser::skip_to_stop`] moves forward,
//! over whole groups, to the first token that some enclosing construct waits for:
//!
//! ```text
//! match x with A -> 1 + | B -> 2        stops at `|`, the match goes on
//! let a = 1 + in a                      stops at `in`
//! let f = 1 +                           stops at `let g`, a new item
//! let g = 2
//! ```
//!
//! The position never moves back, so recovery is linear however deep the fault was.

use oxbow_base::Span;
use oxbow_diag::Reported;

use crate::diagnostics::confusions::ElseWithoutIf;
use crate::lexer::Tok;

use super::{Awaiting, Parse, Parser};

/// The search for an `in` reads ahead. After so many misses in one file it is not
/// made any more, to stay linear.
const MAX_STRANDED: u32 = 50;

impl Parser<'_> {
    /// Parses what stands between the bracket here and its partner.
    ///
    /// The position is behind the closing bracket in any case; an `Err` is for an
    /// error node, not to be passed on.
    pub(super) fn group<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Result<T, Reported> {
        let opening = self.bump();
        let closing = opening.partner as usize;
        let awaiting = std::mem::take(&mut self.awaiting);
        let is_structure = matches!(opening.tok, Tok::Struct | Tok::Sig);
        let brackets = if is_structure { 0 } else { self.brackets + 1 };
        let brackets = std::mem::replace(&mut self.brackets, brackets);
        let result = parse(self);
        self.brackets = brackets;
        self.awaiting = awaiting;
        let result = match result {
            Ok(value) if self.pos == closing => Ok(value),
            Ok(_) => {
                let expected = format!("`{}`", self.token_at(closing).tok.closer_text());
                let context = format!("to close this `{}`", self.text_of(opening));
                if self.token_at(closing).is_inserted() {
                    // The missing bracket has been reported, and this is where it belongs.
                    self.reported_at = self.pos;
                }
                Err(self.unexpected_in(&expected, Some((self.span_of(opening), &context))))
            }
            Err(reported) => Err(reported),
        };
        if !self.gave_up {
            self.pos = closing;
            let closing = self.bump();
            if closing.is_inserted() {
                // The bracket was missing, and so may be what should have followed it.
                self.reported_at = self.pos;
            }
        }
        result
    }

    /// Skips the group that starts here.
    pub(super) fn skip_group(&mut self) -> Span {
        let opening = self.token();
        let closing = opening.partner as usize;
        self.pos = closing;
        let closing = self.bump();
        self.span_of(opening).to(self.span_of(closing))
    }

    /// True if an item of a structure or signature starts at the current token.
    pub(super) fn at_item_start(&self) -> bool {
        let token = self.token();
        if !token.tok.begins_item() {
            return matches!(token.tok, Tok::LBracketAtAtAt | Tok::LBracketPercentPercent);
        }
        if self.pos == 0 {
            return true;
        }
        if token.tok == Tok::Let {
            return self.is_first_on_line(token) && self.column_of(token) <= self.item_column;
        }
        // `let open`, `(module`, `with type`, `| exception` and the like are no items.
        let before = self.previous().tok;
        let is_part = matches!(
            before,
            Tok::Let
                | Tok::LParen
                | Tok::With
                | Tok::And
                | Tok::Bar
                | Tok::Module
                | Tok::Colon
                | Tok::Class
        );
        !is_part
            && (self.is_first_on_line(token)
                || matches!(before, Tok::SemiSemi | Tok::Struct | Tok::Sig))
    }

    /// True if the `let` here is surely a new item, although an expression could
    /// stand here: it is at the item's own margin and no `in` belongs to it.
    pub(super) fn at_stranded_let(&mut self) -> bool {
        if !self.at(Tok::Let) || self.brackets > 0 || !self.at_item_start() {
            return false;
        }
        if self.stranded_lets >= MAX_STRANDED {
            return true;
        }
        let is_stranded = !self.has_in();
        self.stranded_lets += u32::from(is_stranded);
        is_stranded
    }

    /// True if the `in` of the `let` here follows within its brackets.
    fn has_in(&self) -> bool {
        let mut at = self.pos + 1;
        let mut inner_lets = 0u32;
        loop {
            let token = self.token_at(at);
            match token.tok {
                Tok::Eof | Tok::SemiSemi => return false,
                Tok::In if inner_lets == 0 => return true,
                Tok::In => inner_lets -= 1,
                Tok::Let | Tok::LetOp(_) => inner_lets += 1,
                tok if tok.is_closer() => return false,
                tok if tok.closer().is_some() => at = token.partner as usize,
                _ => (),
            }
            at += 1;
        }
    }

    /// Moves to the next token that an enclosing construct can go on with.
    pub(super) fn skip_to_stop(&mut self) {
        let Awaiting { bar, in_, .. } = self.awaiting;
        let mut inner_lets = 0u32;
        loop {
            match self.peek() {
                Tok::Eof | Tok::SemiSemi => return,
                tok if tok.is_closer() => return,
                _ if self.at_item_start() => return,
                Tok::Bar if bar > 0 => return,
                Tok::In | Tok::And if inner_lets == 0 && in_ > 0 => return,
                Tok::In => {
                    inner_lets = inner_lets.saturating_sub(1);
                    self.bump();
                }
                Tok::Let => {
                    inner_lets += 1;
                    self.bump();
                }
                tok if tok.closer().is_some() => {
                    self.skip_group();
                }
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Moves to the next item, `;;`, or the end of the enclosing structure.
    pub(super) fn skip_to_item(&mut self) {
        self.awaiting = Awaiting::default();
        self.skip_to_stop();
    }

    /// Reports an `else` that belongs to no `if`.
    pub(super) fn stray_else(&mut self, ended_if: Option<Span>) -> Reported {
        let report = ElseWithoutIf { span: self.current_span(), ended_if }.render();
        self.report(report)
    }
}
