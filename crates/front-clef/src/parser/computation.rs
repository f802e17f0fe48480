//! Computations: `builder { … }` and the words in them.
//!
//! What they mean is decided by the builder's methods, so the parser leaves them as they are.

use oxbow_elab::ast::{Bang, Expr, ExprKind, LetBang};

use super::block::Line;
use super::{Parsed, Parser, make};
use crate::token::Tok;

impl Parser<'_> {
    /// Does the brace here begin a computation, not a record?
    pub(super) fn computation_follows(&self) -> bool {
        let token = self.raw();
        if token.tok != Tok::Key("{") || self.is_offside(token) {
            return false;
        }
        match &self.raw_after(1).tok {
            Tok::Key("new" | "inherit") => false,
            Tok::Ident(_) | Tok::Constant(_) | Tok::Key("(") | Tok::Op(_) if self.holds_range() => {
                false
            }
            Tok::Ident(_) => {
                // `{ X = …`, `{ M.X = …` and `{ r with …` are records.
                let mut at = 2;
                while self.raw_after(at).tok == Tok::Key(".") {
                    at += 2;
                }
                let next = &self.raw_after(at).tok;
                !matches!(next, Tok::Key("with"))
                    && !matches!(next, Tok::Op(it) if it.as_str() == "=")
            }
            _ => true,
        }
    }

    /// `{ a .. b }`: a sequence without its name.
    fn holds_range(&self) -> bool {
        let mut depth = 0;
        for token in &self.tokens[(self.at + 1).min(self.tokens.len())..] {
            match token.tok {
                Tok::Key("(" | "[" | "{" | "[|" | "{|") => depth += 1,
                Tok::Key(")" | "]" | "}" | "|]" | "|}") if depth == 0 => return false,
                Tok::Key(")" | "]" | "}" | "|]" | "|}") => depth -= 1,
                Tok::Key("..") if depth == 0 => return true,
                Tok::Key("let" | "for" | "while" | "yield" | "return" | ";") | Tok::Eof => {
                    return false;
                }
                _ => (),
            }
        }
        false
    }

    /// `{ … }` behind a builder.
    pub(super) fn computation(&mut self, builder: Expr) -> Parsed<Expr> {
        let open = self.advance().span;
        let lines = match self.raw().tok {
            Tok::Key("}") => Vec::new(),
            _ => self.nested(Self::elements)?,
        };
        let end = self.close("{", open, "}")?;
        let span = builder.span.to(end);
        let body = match lines.is_empty() {
            true => make::unit(open.to(end)),
            false => self.fold(lines),
        };
        Ok(make::expr(ExprKind::Computation(Box::new(builder), Box::new(body)), span))
    }

    /// `return e`, `return! e`, `do! e`
    pub(super) fn bang(&mut self, kind: Bang) -> Parsed<Expr> {
        let start = self.advance().span;
        let value = self.short_block(&format!("the value of this `{}`", kind.word()))?;
        let span = start.to(value.span);
        Ok(make::expr(ExprKind::Bang(kind, Box::new(value)), span))
    }

    /// `let! p = e and! q = f`, `use! p = e`
    pub(super) fn let_bang(&mut self) -> Parsed<Line> {
        let first = self.advance();
        let using = first.tok == Tok::Key("use!");
        let mut bindings = Vec::new();
        loop {
            let mut pattern = self.pattern()?;
            if self.accept(":").is_some() {
                let ty = self.type_expr()?;
                let span = pattern.span.to(ty.span);
                let kind = oxbow_elab::ast::PatternKind::Annotate(Box::new(pattern), ty);
                pattern = make::pattern(kind, span);
            }
            self.equals()?;
            let value = self.block("the value of this binding")?;
            bindings.push((pattern, value));
            if self.accept_continuing("and!").is_none() {
                break;
            }
        }
        let span = first.span.to(self.previous());
        if self.accept_continuing("in").is_some() {
            let body = self.block("the body of this `let!`")?;
            let span = span.to(body.span);
            let kind = ExprKind::LetBang(Box::new(LetBang { bindings, using, body }));
            return Ok(Line::Expr(make::expr(kind, span)));
        }
        Ok(Line::LetBang { bindings, using, span })
    }

    /// `match! e with …`: `let! x = e in match x with …`
    pub(super) fn match_bang(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let mut matched = self.match_expr()?;
        if let ExprKind::Match(value, _) = &mut matched.kind {
            let name = self.fresh_name("matched", start);
            let value = std::mem::replace(value.as_mut(), make::ident(name));
            let span = matched.span;
            let bindings = vec![(make::var(name), value)];
            let it = LetBang { bindings, using: false, body: matched };
            return Ok(make::expr(ExprKind::LetBang(Box::new(it)), span));
        }
        Ok(matched)
    }
}
