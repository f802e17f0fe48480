//! Attributes `[@a]`, `[@@a]`, `[@@@a]` and extension points.
//!
//! A payload is kept when it is one name, string or number; any other is skipped,
//! since no attribute that means something to the compiler has one.

use oxbow_base::{Span, Symbol};
use oxbow_elab::ast::{Attribute, Name};

use crate::lexer::Tok;

use super::Parser;

impl Parser<'_> {
    /// What may follow a keyword: `let%ext`, `let[@inline]`.
    pub(super) fn keyword_attributes(&mut self) -> Vec<Attribute> {
        if self.at(Tok::Percent) {
            let start = self.here();
            self.bump();
            self.attribute_name();
            let span = self.span_from(start);
            self.unsupported(span, "extension points");
        }
        self.attributes(Tok::LBracketAt)
    }

    /// Attributes that follow an item: `[@@inline]`.
    pub(super) fn item_attributes(&mut self) -> Vec<Attribute> {
        self.attributes(Tok::LBracketAtAt)
    }

    /// `[@warning "-8"]`, `[@warnerror "+8"]`: which warnings are wanted in what it is attached to, and which of
    /// them are errors.
    pub(super) fn note_warnings(&mut self, attributes: &[Attribute], span: Span) {
        for it in attributes.iter().filter(|it| it.plain_name() == "warning") {
            if let Some(specification) = it.payload {
                self.sink.switch_warnings(span, specification.as_str());
            }
        }
        for it in attributes.iter().filter(|it| it.plain_name() == "warnerror") {
            if let Some(specification) = it.payload {
                self.sink.switch_errors(span, specification.as_str());
            }
        }
    }

    /// All attributes here that open with `opening`.
    pub(super) fn attributes(&mut self, opening: Tok) -> Vec<Attribute> {
        let mut attributes = Vec::new();
        while self.at(opening) {
            attributes.push(self.attribute());
        }
        attributes
    }

    /// The attribute here. Never fails: a strange one has a strange name.
    pub(super) fn attribute(&mut self) -> Attribute {
        let opening = self.bump();
        let closing = opening.partner as usize;
        let name = self.attribute_name();
        let payload = if self.pos + 1 == closing {
            let token = self.token();
            match token.tok {
                Tok::Lower(text) | Tok::Upper(text) => Some(text),
                Tok::Int | Tok::True | Tok::False => Some(Symbol::new(self.text_of(token))),
                Tok::String(index) => {
                    let bytes = self.strings.get(index as usize).map_or(&[][..], Vec::as_slice);
                    Some(Symbol::new(&String::from_utf8_lossy(bytes)))
                }
                _ => None,
            }
        } else {
            None
        };
        self.pos = closing;
        self.bump();
        Attribute { name, payload }
    }

    /// `inline`, `ocaml.warning`; keywords are allowed.
    pub(super) fn attribute_name(&mut self) -> Name {
        let start = self.here();
        let mut text = String::new();
        loop {
            let token = self.token();
            let is_bracket = token.tok.is_closer() || token.tok.closer().is_some();
            if is_bracket
                || !(matches!(token.tok, Tok::Lower(_) | Tok::Upper(_)) || token.tok.is_word())
            {
                break;
            }
            text.push_str(self.text_of(token));
            self.bump();
            if !self.at(Tok::Dot) {
                break;
            }
            self.bump();
            text.push('.');
        }
        Name { text: Symbol::new(&text), span: self.span_from(start) }
    }
}
