//! Expressions in brackets: `(e)`, `(e : t)`, `( + )`, `begin … end`, list and array
//! elements, records.

use oxbow_base::Symbol;
use oxbow_elab::ast::{Expr, ExprKind, Name, Path, TypeExpr};

use crate::diagnostics::confusions::WrongEquals;
use crate::lexer::Tok;

use super::expr::{error_expr, ident_expr, make_expr};
use super::{Parse, Parser};

impl Parser<'_> {
    /// If the parenthesis here encloses an operator: its name and the tokens it takes.
    pub(super) fn operator_in_parens(&self) -> Option<(Symbol, usize)> {
        if !self.at(Tok::LParen) {
            return None;
        }
        let token = self.token_at(self.pos + 1);
        let text = match token.tok {
            Tok::Prefix(text)
            | Tok::Infix0(text)
            | Tok::Infix1(text)
            | Tok::Infix2(text)
            | Tok::Infix3(text)
            | Tok::Infix4(text)
            | Tok::HashOp(text)
            | Tok::LetOp(text)
            | Tok::AndOp(text) => text,
            Tok::Bang
            | Tok::Or
            | Tok::BarBar
            | Tok::Ampersand
            | Tok::AmpAmp
            | Tok::Equal
            | Tok::Less
            | Tok::Greater
            | Tok::Star
            | Tok::Percent
            | Tok::Plus
            | Tok::PlusDot
            | Tok::PlusEqual
            | Tok::Minus
            | Tok::MinusDot
            | Tok::ColonEqual => Symbol::new(self.text_of(token)),
            Tok::Dot | Tok::DotOp(_) => return self.index_operator_in_parens(),
            _ => return None,
        };
        (self.nth(2) == Tok::RParen).then_some((text, 3))
    }

    /// `( .%() )`, `( .()<- )`, `( .%{;..} )`
    fn index_operator_in_parens(&self) -> Option<(Symbol, usize)> {
        let dot = self.text_of(self.token_at(self.pos + 1));
        let several = usize::from(self.nth(3) == Tok::Semi && self.nth(4) == Tok::DotDot) * 2;
        let brackets = match (self.nth(2), self.nth(3 + several)) {
            (Tok::LParen, Tok::RParen) => ["(", ")"],
            (Tok::LBracket, Tok::RBracket) => ["[", "]"],
            (Tok::LBrace, Tok::RBrace) => ["{", "}"],
            _ => return None,
        };
        let brackets = brackets.join(if several > 0 { ";.." } else { "" });
        let end = 4 + several;
        let (arrow, length) = match (self.nth(end), self.nth(end + 1)) {
            (Tok::RParen, _) => ("", end + 1),
            (Tok::LeftArrow, Tok::RParen) => ("<-", end + 2),
            _ => return None,
        };
        Some((Symbol::new(&format!("{dot}{brackets}{arrow}")), length))
    }

    pub(super) fn parenthesized(&mut self) -> Parse<Expr> {
        let opening = self.token();
        let start = opening.start;
        if let Some((text, length)) = self.operator_in_parens() {
            self.pos += length;
            let name = Name { text, span: self.span_from(start) };
            return Ok(ident_expr(name));
        }
        match (self.nth(1), self.nth(2)) {
            (Tok::RParen, _) => {
                self.pos += 2;
                return Ok(self.plain_construct("()", start));
            }
            (Tok::ColonColon, Tok::RParen) => {
                self.pos += 3;
                return Ok(self.plain_construct("::", start));
            }
            (Tok::Module, _) => return Ok(self.packed_module()),
            _ => (),
        }
        let inner = self.group(|parser| {
            let expr = parser.sequence()?;
            parser.annotated(expr, start)
        });
        let span = self.span_from(start);
        Ok(match inner {
            // The brackets belong to the place of the expression.
            Ok(expr) => Expr { span, ..expr },
            Err(reported) => error_expr(reported, span),
        })
    }

    /// `: t` or `:> t` behind an expression in parentheses.
    fn annotated(&mut self, expr: Expr, start: u32) -> Parse<Expr> {
        let mut expr = expr;
        let annotation = if self.eat(Tok::Colon) { Some(self.core_type()?) } else { None };
        if self.eat(Tok::ColonGreater) {
            let to = self.core_type()?;
            let kind = ExprKind::Coerce(Box::new(expr), annotation, to);
            return Ok(make_expr(kind, self.span_from(start)));
        }
        if let Some(ty) = annotation {
            expr = make_expr(ExprKind::Annotate(Box::new(expr), ty), self.span_from(start));
        }
        Ok(expr)
    }

    pub(super) fn begin_end(&mut self) -> Parse<Expr> {
        let start = self.here();
        let inner = self.group(|parser| {
            parser.keyword_attributes();
            if parser.at(Tok::End) { Ok(None) } else { parser.sequence().map(Some) }
        });
        let span = self.span_from(start);
        Ok(match inner {
            Ok(Some(expr)) => Expr { span, ..expr },
            Ok(None) => self.plain_construct("()", start),
            Err(reported) => error_expr(reported, span),
        })
    }

    /// `a; b; c` inside brackets, the last `;` optional.
    pub(super) fn elements(&mut self) -> Parse<Vec<Expr>> {
        let mut parts = Vec::new();
        while !self.peek().is_closer() {
            parts.push(self.expr()?);
            if !self.eat(Tok::Semi) {
                break;
            }
        }
        parts.shrink_to_fit();
        Ok(parts)
    }

    pub(super) fn record(&mut self) -> Parse<Expr> {
        let start = self.here();
        let inner = self.group(|parser| {
            let mut base = None;
            if !parser.at_field() {
                base = Some(Box::new(parser.simple()?));
                parser.expect(Tok::With, "`with`")?;
            }
            let mut fields = Vec::new();
            loop {
                fields.push(parser.record_field()?);
                if !parser.eat(Tok::Semi) || parser.at(Tok::RBrace) {
                    break;
                }
            }
            Ok(ExprKind::Record { base, fields })
        });
        let span = self.span_from(start);
        Ok(match inner {
            Ok(kind) => make_expr(kind, span),
            Err(reported) => error_expr(reported, span),
        })
    }

    /// True if a field, not the expression before `with`, stands here.
    fn at_field(&self) -> bool {
        let mut ahead = 0;
        while let (Tok::Upper(_), Tok::Dot) = (self.nth(ahead), self.nth(ahead + 1)) {
            ahead += 2;
        }
        matches!(self.nth(ahead), Tok::Lower(_))
            && matches!(
                self.nth(ahead + 1),
                Tok::Equal
                    | Tok::Semi
                    | Tok::RBrace
                    | Tok::Colon
                    | Tok::ColonEqual
                    | Tok::LeftArrow
                    | Tok::Comma
            )
    }

    fn record_field(&mut self) -> Parse<(Path, Option<TypeExpr>, Expr)> {
        let path = self.field_path()?;
        let ty = if self.eat(Tok::Colon) { Some(self.core_type()?) } else { None };
        if !self.eat_definition_equal("a field") {
            let value = ident_expr(path.name);
            return Ok((path, ty, value));
        }
        let value = self.expr()?;
        Ok((path, ty, value))
    }

    /// `=`, or one of the operators confused with it, which is reported.
    pub(super) fn eat_definition_equal(&mut self, purpose: &str) -> bool {
        let token = self.token();
        let is_confused = matches!(token.tok, Tok::ColonEqual | Tok::LeftArrow)
            || (matches!(token.tok, Tok::Infix0(_)) && self.text_of(token) == "==");
        if is_confused {
            let found = self.text_of(token);
            let report =
                WrongEquals { span: self.span_of(token), found, expected: "=", purpose }.render();
            self.report(report);
            self.bump();
            return true;
        }
        self.eat(Tok::Equal)
    }
}
