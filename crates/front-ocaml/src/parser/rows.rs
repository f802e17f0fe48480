//! Types of polymorphic variants.
//!
//! ```text
//! [ `A | `B of t | u ]      exactly these; those of `u` as well
//! [> `A | `B of t ]         these and perhaps others
//! [< `A | `B of t > `A ]    none but these, and those behind `>` for certain
//! ```

use oxbow_elab::ast::{RowBound, RowExpr, RowField, TypeExpr, TypeExprKind};

use crate::lexer::Tok;

use super::types::make_type;
use super::{Parse, Parser};

impl Parser<'_> {
    pub(super) fn variant_type(&mut self) -> Parse<TypeExpr> {
        let start = self.here();
        let bound = match self.peek() {
            Tok::LBracketLess => RowBound::AtMost,
            Tok::LBracketGreater => RowBound::AtLeast,
            _ => RowBound::Exact,
        };
        let row = self.group(|parser| parser.row(bound));
        let span = self.span_from(start);
        Ok(match row {
            Ok(row) => make_type(TypeExprKind::Variant(row), span),
            Err(reported) => make_type(TypeExprKind::Error(reported), span),
        })
    }

    /// What stands between the brackets.
    fn row(&mut self, bound: RowBound) -> Parse<RowExpr> {
        let mut row = RowExpr { bound, fields: Vec::new(), present: Vec::new() };
        self.eat(Tok::Bar);
        while !self.peek().is_closer() && !self.at(Tok::Greater) {
            let field = self.row_field()?;
            row.fields.push(field);
            if !self.eat(Tok::Bar) {
                break;
            }
        }
        if bound == RowBound::AtMost && self.eat(Tok::Greater) {
            while self.at(Tok::Backquote) {
                let tag = self.variant_tag()?;
                row.present.push(tag);
            }
        }
        Ok(row)
    }

    fn row_field(&mut self) -> Parse<RowField> {
        if !self.at(Tok::Backquote) {
            return Ok(RowField::Inherit(self.alias_type()?));
        }
        let name = self.variant_tag()?;
        let (mut constant, mut types) = (true, Vec::new());
        if self.eat(Tok::Of) {
            constant = self.eat(Tok::Ampersand);
            types.push(self.alias_type()?);
            while self.eat(Tok::Ampersand) {
                types.push(self.alias_type()?);
            }
        }
        while self.at(Tok::LBracketAt) {
            self.attributes(Tok::LBracketAt);
        }
        Ok(RowField::Tag { name, constant, types })
    }
}
