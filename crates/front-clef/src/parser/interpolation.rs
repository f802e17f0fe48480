//! Interpolated strings: `$"x = {x:F2}"` is a call that joins its parts.

use oxbow_base::Span;
use oxbow_diag::Diagnostics;
use oxbow_elab::ast::{Constant, Expr, ExprKind};

use super::{Failed, Parser, make};
use crate::lexer;
use crate::token::{Part, Tok};

impl Parser<'_> {
    pub(super) fn interpolation(&mut self, parts: Vec<Part>, span: Span) -> Expr {
        let mut pieces = Vec::new();
        for part in parts {
            match part {
                Part::Text(bytes) => pieces.push(make::string(bytes, span)),
                Part::Hole { start, end, align, format, typed } => {
                    let value = self.hole(start, end);
                    let at = value.span;
                    let mut text = match (typed, format) {
                        (Some(typed), _) => {
                            let format = make::string(typed.into_bytes(), at);
                            make::apply(make::library("sprintf", at), vec![format, value], at)
                        }
                        (None, Some(format)) => {
                            let format = make::string(format.into_bytes(), at);
                            make::apply(make::library("hole_format", at), vec![format, value], at)
                        }
                        (None, None) => {
                            make::apply(make::library("hole_text", at), vec![value], at)
                        }
                    };
                    if let Some(width) = align {
                        let width = Constant::Sized(oxbow_psg::IntWidth::I32, width);
                        let width = make::expr(ExprKind::Constant(width), at);
                        text = make::apply(make::library("hole_align", at), vec![width, text], at);
                    }
                    pieces.push(text);
                }
            }
        }
        match pieces.len() {
            0 => make::string(Vec::new(), span),
            1 => Expr { span, ..pieces.remove(0) },
            _ => {
                let list = make::expr(ExprKind::List(pieces), span);
                make::apply(make::library("concat_pieces", span), vec![list], span)
            }
        }
    }

    /// The expression of a hole: its text is lexed and parsed in place.
    fn hole(&mut self, start: usize, end: usize) -> Expr {
        let mut sink = Diagnostics::new();
        let tokens = lexer::lex(self.file, self.text, start..end, &mut sink);
        let mut inner = Parser::new((self.file, self.text), tokens, self.outline, sink);
        inner.fresh = self.fresh + 1_000;
        inner.depth = self.depth + 1;
        let span = Span::new(self.file, start as u32, end as u32);
        let result = match inner.expr() {
            Ok(expr) if inner.raw().tok == Tok::Eof => expr,
            Ok(_) => {
                let failed: super::Parsed<()> = inner.unexpected("`}`");
                match failed {
                    Err(Failed(reported)) => inner.error_expr(reported, span),
                    Ok(()) => make::unit(span),
                }
            }
            Err(Failed(reported)) => inner.error_expr(reported, span),
        };
        self.fresh = inner.fresh;
        for report in inner.into_diagnostics().take() {
            self.sink.error(report);
        }
        result
    }
}
