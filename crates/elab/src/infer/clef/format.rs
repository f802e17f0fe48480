//! Format strings: a literal where a `Format` is expected becomes a function of its arguments.
//!
//! ```text
//! "x=%5d %s"   ⇒   format_make (fun k -> fun a b -> k (concat_pieces ["x="; format_number "%5d" a; " "; b]))
//! ```

use oxbow_base::{Made, Span};
use oxbow_diag::Diagnostic;

use crate::ast::{self, Constant, ExprKind, Pattern, PatternKind};
use crate::tast;
use crate::types::TypeId;

use super::super::env::Env;
use super::super::{Expect, Infer};
use super::{apply, ident, library, made, node};

enum Piece {
    Text(Vec<u8>),
    /// The conversion as written, and its letter.
    Hole(String, u8),
}

impl Infer<'_> {
    /// Is a format string of Clef expected?
    pub(in super::super) fn is_clef_format(&mut self, ty: TypeId) -> bool {
        let format = self.prelude_type("Format");
        self.is_clef() && format.is_some() && self.head_con(ty).map(|it| it.0) == format
    }

    pub(in super::super) fn clef_format(
        &mut self,
        env: &Env,
        text: &[u8],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        match parse(text) {
            Ok(pieces) => {
                let made = build(&pieces, span);
                self.expr(env, &made, expect)
            }
            Err(message) => {
                let report =
                    Diagnostic::error("E0130", format!("invalid format: {message}")).at(span, "");
                let reported = self.diagnostics.error(report);
                self.error_expr(reported, span)
            }
        }
    }
}

fn parse(text: &[u8]) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut plain = Vec::new();
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte != b'%' {
            plain.push(byte);
            continue;
        }
        let start = at - 1;
        while text.get(at).is_some_and(|it| b"-+ 0#.*".contains(it) || it.is_ascii_digit()) {
            at += 1;
        }
        let Some(&letter) = text.get(at) else {
            return Err("`%` at the end; write `%%` for the sign itself".into());
        };
        at += 1;
        let written = String::from_utf8_lossy(&text[start..at]).into_owned();
        match letter {
            b'%' => {
                plain.push(b'%');
                continue;
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'f' | b'F' | b'e' | b'E' | b'g' | b'G'
            | b's' | b'c' | b'b' | b'A' | b'O' | b'B' | b'M' | b't' | b'a' => (),
            _ => {
                return Err(format!(
                    "unknown conversion `{written}`; known are %d %i %u %x %X %o %B %f %F %e %g %M %s %c %b %A %O %a %t"
                ));
            }
        }
        if !plain.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut plain)));
        }
        pieces.push(Piece::Hole(written, letter));
    }
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    Ok(pieces)
}

fn string(bytes: &[u8], span: Span) -> ast::Expr {
    node(ExprKind::Constant(Constant::String(bytes.to_vec())), span)
}

fn fun(params: Vec<ast::Name>, body: ast::Expr, span: Span) -> ast::Expr {
    let params = params
        .into_iter()
        .map(|it| ast::Param {
            label: ast::ParamLabel::None,
            pattern: Pattern { kind: PatternKind::Var(it), span },
            span,
        })
        .collect();
    node(ExprKind::Fun(params, None, Box::new(body)), span)
}

fn build(pieces: &[Piece], span: Span) -> ast::Expr {
    let mut params = Vec::new();
    let mut parts = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(bytes) => parts.push(string(bytes, span)),
            Piece::Hole(written, letter) => {
                let mut param = || {
                    let param = made(Made::fresh("a", params.len() as u32), span);
                    params.push(param);
                    ident(param)
                };
                // The widths of `%*d` come before the value, and the function of `%a`.
                let widths = written.matches('*').map(|_| param()).collect();
                parts.push(match letter {
                    b'a' | b't' => {
                        let args = std::iter::repeat_with(&mut param);
                        printed(args.take(if *letter == b'a' { 2 } else { 1 }).collect(), span)
                    }
                    _ => conversion(written, *letter, widths, param(), span),
                });
            }
        }
    }
    let text = match parts.len() {
        0 => string(b"", span),
        1 => parts.remove(0),
        _ => apply(library("concat_pieces", span), vec![node(ExprKind::List(parts), span)], span),
    };
    let then = made(Made::local("k"), span);
    let call = apply(ident(then), vec![text], span);
    let body = if params.is_empty() { call } else { fun(params, call, span) };
    apply(library("format_make", span), vec![fun(vec![then], body, span)], span)
}

/// What a function of the program writes: `%t` takes one of the writer, `%a` one of the writer and a value.
fn printed(args: Vec<ast::Expr>, span: Span) -> ast::Expr {
    let name = if args.len() == 2 { "format_with" } else { "format_by" };
    apply(library(name, span), args, span)
}

/// One argument as text; `widths` are the arguments for the stars.
fn conversion(
    written: &str,
    letter: u8,
    widths: Vec<ast::Expr>,
    arg: ast::Expr,
    span: Span,
) -> ast::Expr {
    let convert = |function: &str, written: &str, arg: ast::Expr| {
        let mut parts = written.split('*').map(|it| string(it.as_bytes(), span));
        let mut pieces: Vec<ast::Expr> = parts.next().into_iter().collect();
        for (width, part) in widths.iter().zip(parts) {
            pieces.push(apply(library("format_width", span), vec![width.clone()], span));
            pieces.push(part);
        }
        let written = if pieces.len() == 1 {
            pieces.remove(0)
        } else {
            let list = node(ExprKind::List(pieces), span);
            apply(library("concat_pieces", span), vec![list], span)
        };
        apply(library(function, span), vec![written, arg], span)
    };
    let plain = written.len() == 2;
    match letter {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => convert("format_number", written, arg),
        b'f' | b'e' | b'E' | b'g' | b'G' => convert("format_real", written, arg),
        b'F' => convert("format_real", &written.replace('F', "f"), arg),
        b'B' => convert("format_binary", written, arg),
        b'M' => convert("format_decimal", written, arg),
        b'b' => convert("format_bool", written, arg),
        b'c' => {
            let text = apply(library("format_char", span), vec![arg], span);
            if plain { text } else { convert("format_string", written, text) }
        }
        b'A' => {
            let text = apply(library("show", span), vec![arg], span);
            if plain { text } else { convert("format_any", written, text) }
        }
        b'O' => {
            let text = apply(library("string", span), vec![arg.clone()], span);
            let text = apply(library("text_or_null", span), vec![arg, text], span);
            if plain { text } else { convert("format_string", written, text) }
        }
        _ if plain => {
            // `%s` takes a string and nothing else.
            apply(library("format_plain", span), vec![arg], span)
        }
        _ => convert("format_string", written, arg),
    }
}
