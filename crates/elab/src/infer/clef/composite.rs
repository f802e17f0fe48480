//! Formats of .NET: `String.Format("{0} of {1:F2}", a, b)`, `Console.WriteLine("{0,5}", n)`. A literal format is read
//! here, and becomes what an interpolated string becomes.

use oxbow_base::{Made, Span};

use crate::ast::{ArgLabel, Constant, Expr, ExprKind};

use super::super::Infer;
use super::super::env::Env;
use super::{apply, ident, library, made, node};

enum Piece {
    Text(Vec<u8>),
    Hole { index: usize, align: Option<i64>, format: Option<Vec<u8>> },
}

impl Infer<'_> {
    /// The call with the text that its format makes, if it is such a call.
    pub(super) fn composite_format(
        &self,
        env: &Env,
        func: &Expr,
        args: &[(ArgLabel, Expr)],
        span: Span,
    ) -> Option<Expr> {
        let prints = self.composite_function(env, func)?;
        let [(_, Expr { kind: ExprKind::Tuple(items), .. })] = args else { return None };
        let (first, values) = items.split_first()?;
        let ExprKind::Constant(Constant::String(format)) = &first.kind else { return None };
        let pieces = pieces(format)?;
        let known = |it: &Piece| match it {
            Piece::Hole { index, .. } => *index < values.len(),
            Piece::Text(_) => true,
        };
        if !pieces.iter().all(known) {
            return None;
        }
        let names: Vec<_> =
            (0..values.len() as u32).map(|it| made(Made::fresh("formatted", it), span)).collect();
        let texts = pieces.into_iter().map(|piece| match piece {
            Piece::Text(text) => node(ExprKind::Constant(Constant::String(text)), span),
            Piece::Hole { index, align, format } => {
                let value = ident(names[index]);
                let text = match format {
                    Some(format) => {
                        let format = node(ExprKind::Constant(Constant::String(format)), span);
                        apply(library("hole_format", span), vec![format, value], span)
                    }
                    None => apply(library("hole_text", span), vec![value], span),
                };
                match align {
                    Some(width) => {
                        let width = Constant::Sized(oxbow_psg::IntWidth::I32, width);
                        let width = node(ExprKind::Constant(width), span);
                        apply(library("hole_align", span), vec![width, text], span)
                    }
                    None => text,
                }
            }
        });
        let texts = texts.collect::<Vec<_>>();
        let list = match texts.is_empty() {
            true => super::construct("[]", None, span),
            false => node(ExprKind::List(texts), span),
        };
        let text = apply(library("concat_pieces", span), vec![list], span);
        let call = if prints { apply(func.clone(), vec![text], span) } else { text };
        Some(
            names.into_iter().zip(values).rev().fold(call, |body, (name, value)| {
                super::flow::bound(name, value.clone(), body, span)
            }),
        )
    }

    /// `String.Format`, or `Console.Write` and `Console.WriteLine`, which print.
    fn composite_function(&self, env: &Env, func: &Expr) -> Option<bool> {
        let ExprKind::Field(object, method) = &func.kind else { return None };
        let owner = match &object.kind {
            ExprKind::Ident(path) if path.prefix.is_none() => {
                let owner = path.name.text;
                if self.is_of_program(env, owner, method.name.text) {
                    return None;
                }
                owner
            }
            ExprKind::Field(system, path) => match &system.kind {
                ExprKind::Ident(system) if system.name.text.as_str() == "System" => path.name.text,
                _ => return None,
            },
            _ => return None,
        };
        if env.value(owner).is_some() {
            return None;
        }
        match (owner.as_str(), method.name.text.as_str()) {
            ("String", "Format") => Some(false),
            ("Console", "Write" | "WriteLine") => Some(true),
            _ => None,
        }
    }
}

/// `None` if it is no format.
fn pieces(format: &[u8]) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    let mut at = 0;
    while at < format.len() {
        match (format[at], format.get(at + 1)) {
            (b'{', Some(b'{')) | (b'}', Some(b'}')) => {
                text.push(format[at]);
                at += 2;
            }
            (b'{', _) => {
                let end = at + format[at..].iter().position(|&it| it == b'}')?;
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                pieces.push(hole(&format[at + 1..end])?);
                at = end + 1;
            }
            (b'}', _) => return None,
            (other, _) => {
                text.push(other);
                at += 1;
            }
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Some(pieces)
}

/// `0`, `0,-8`, `0:F2`, `0,10:N0`
fn hole(text: &[u8]) -> Option<Piece> {
    let text = std::str::from_utf8(text).ok()?;
    let (head, format) = match text.split_once(':') {
        Some((head, format)) => (head, Some(format.as_bytes().to_vec())),
        None => (text, None),
    };
    let (index, align) = match head.split_once(',') {
        Some((index, align)) => (index, Some(align.trim().parse().ok()?)),
        None => (head, None),
    };
    Some(Piece::Hole { index: index.trim().parse().ok()?, align, format })
}
