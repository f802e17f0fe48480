//! Sequences and operators.
//!
//! ```text
//! sequence   let … in … | expr ; expr ; …
//! expr       operand op operand …          by precedence, below
//! operand    - operand | if … | match … | fun … | application
//!
//! lowest   :=            right        @ ^          right
//!          ,             n-ary        [@attr]      postfix
//!          || or         right        ::           right
//!          && &          right        + -          left
//!          = < > | & $   left         * / % mod    left
//!                                     ** lsl asr   right, highest
//! ```
//!
//! An operand such as `if` or `fun` takes everything to its right that it can,
//! whatever stands to its left; so nothing is left for the operators around it.
//! Operators are reduced with an explicit stack: a chain of any length is a loop.

use oxbow_base::{Span, Symbol};
use oxbow_diag::Reported;
use oxbow_elab::ast::{ArgLabel, Constant, Expr, ExprKind, Name, Path};

use crate::diagnostics::confusions::{MissingSemicolon, SemicolonBeforeItem};
use crate::lexer::Tok;

use super::binding::LetHeader;
use super::constant::Sign;
use super::{MAX_CHAIN, Parse, Parser};

/// The precedence of `e [@attr]`: `::` and what binds tighter is inside.
const ATTRIBUTE: u8 = 7;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `a + b`, an application of the operator.
    Apply,
    /// `a :: b`
    Cons,
    /// `a, b, c`, with the number of commas.
    Tuple(usize),
}

#[derive(Clone, Copy)]
struct Operator {
    precedence: u8,
    right: bool,
    shape: Shape,
    name: Name,
}

pub(super) fn make_expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span, attributes: Vec::new() }
}

pub(super) fn error_expr(reported: Reported, span: Span) -> Expr {
    make_expr(ExprKind::Error(reported), span)
}

pub(super) fn ident_expr(name: Name) -> Expr {
    make_expr(ExprKind::Ident(Path::plain(name)), name.span)
}

impl Parser<'_> {
    // ------------------------------------------------------------ sequences

    /// `a; b; let x = c in d`
    pub(super) fn sequence(&mut self) -> Parse<Expr> {
        self.sequence_after(None)
    }

    /// A sequence, or the body of `first` and `first` around it.
    ///
    /// The body of a `let` is itself a sequence and takes all that follows, so the
    /// `let`s that are open form a stack that is undone when the sequence ends.
    pub(super) fn sequence_after(&mut self, first: Option<LetHeader>) -> Parse<Expr> {
        let mut open: Vec<(Vec<Expr>, LetHeader)> = Vec::new();
        let mut parts: Vec<Expr> = Vec::new();
        let mut pending = first;
        loop {
            let header = match pending.take() {
                None if self.at_stranded_let() => return Err(self.unexpected("an expression")),
                None if matches!(self.peek(), Tok::Let | Tok::LetOp(_)) => Some(self.let_header()?),
                header => header,
            };
            if let Some(header) = header {
                if open.len() >= MAX_CHAIN as usize {
                    return Err(self.too_deep(MAX_CHAIN));
                }
                open.push((std::mem::take(&mut parts), header));
                continue;
            }
            let expr = self.expr()?;
            if self.goes_on_after(&parts, &expr)? {
                parts.push(expr);
                continue;
            }
            let mut whole = finish_sequence(parts, expr);
            while let Some((before, header)) = open.pop() {
                whole = finish_sequence(before, header.around(whole));
            }
            return Ok(whole);
        }
    }

    /// Consumes the `;` behind `expr`; false if it ends the sequence.
    fn goes_on_after(&mut self, parts: &[Expr], expr: &Expr) -> Parse<bool> {
        match self.peek() {
            Tok::Semi => {
                self.bump();
                if self.at(Tok::Semi) {
                    return Err(self.unexpected("an expression"));
                }
                if self.at_stranded_let() {
                    let report =
                        SemicolonBeforeItem { span: self.span_of(self.previous()) }.render();
                    self.report(report);
                    return Ok(false);
                }
                Ok(self.starts_expr())
            }
            Tok::Else if self.awaiting.else_ == 0 => {
                let is_if = |it: &&Expr| matches!(it.kind, ExprKind::If(_, _, None));
                let ended = parts.iter().chain([expr]).rev().find(is_if).map(|it| it.span);
                self.stray_else(ended.map(|it| Span { end: it.start + 2, ..it }));
                // The branch is read, so that its faults are found too.
                self.bump();
                Ok(true)
            }
            Tok::Match | Tok::Try | Tok::If | Tok::While | Tok::For
                if self.is_first_on_line(self.token()) =>
            {
                let report = MissingSemicolon {
                    span: self.current_span(),
                    before: self.span_of(self.previous()),
                }
                .render();
                self.report(report);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// True if an expression can start here.
    pub(super) fn starts_expr(&self) -> bool {
        self.starts_simple()
            || matches!(
                self.peek(),
                Tok::Let
                    | Tok::LetOp(_)
                    | Tok::Fun
                    | Tok::Function
                    | Tok::Match
                    | Tok::Try
                    | Tok::If
                    | Tok::While
                    | Tok::For
                    | Tok::Assert
                    | Tok::Lazy
                    | Tok::Minus
                    | Tok::MinusDot
                    | Tok::Plus
                    | Tok::PlusDot
            )
    }

    // ------------------------------------------------------------ operators

    /// An expression up to `;`.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        self.nested(Self::operators)
    }

    fn operators(&mut self) -> Parse<Expr> {
        let first = self.operand()?;
        if !self.at_operator() {
            return Ok(first);
        }
        let mut operands = vec![first];
        let mut stack: Vec<Operator> = Vec::new();
        loop {
            if self.at(Tok::LBracketAt) {
                reduce_above(&mut operands, &mut stack, ATTRIBUTE);
                let attributes = self.attributes(Tok::LBracketAt);
                if let Some(expr) = operands.last_mut() {
                    let span = expr.span;
                    expr.attributes.extend(attributes.iter().cloned());
                    self.note_warnings(&attributes, span);
                }
                continue;
            }
            let Some(operator) = self.infix() else { break };
            let strictly_above = if operator.right || operator.shape != Shape::Apply {
                operator.precedence
            } else {
                operator.precedence - 1
            };
            reduce_above(&mut operands, &mut stack, strictly_above);
            self.bump();
            match (operator.shape, stack.last_mut().map(|it| &mut it.shape)) {
                (Shape::Tuple(_), Some(Shape::Tuple(commas))) => *commas += 1,
                _ => stack.push(operator),
            }
            operands.push(self.operand()?);
        }
        reduce_above(&mut operands, &mut stack, 0);
        match operands.pop() {
            Some(expr) => Ok(expr),
            None => Err(self.unexpected("an expression")),
        }
    }

    /// True if an infix operator or an attribute goes on with the expression.
    fn at_operator(&self) -> bool {
        matches!(
            self.peek(),
            Tok::LBracketAt
                | Tok::ColonEqual
                | Tok::Comma
                | Tok::BarBar
                | Tok::Or
                | Tok::AmpAmp
                | Tok::Ampersand
                | Tok::Equal
                | Tok::Less
                | Tok::Greater
                | Tok::ColonColon
                | Tok::Plus
                | Tok::PlusDot
                | Tok::PlusEqual
                | Tok::Minus
                | Tok::MinusDot
                | Tok::Star
                | Tok::Percent
                | Tok::Infix0(_)
                | Tok::Infix1(_)
                | Tok::Infix2(_)
                | Tok::Infix3(_)
                | Tok::Infix4(_)
        )
    }

    /// The infix operator here.
    fn infix(&self) -> Option<Operator> {
        let token = self.token();
        let fixed = |precedence, right, text| Some((precedence, right, Symbol::new(text)));
        let (precedence, right, text) = match token.tok {
            Tok::ColonEqual => fixed(1, true, ":="),
            Tok::Comma => fixed(2, false, ","),
            // `or` and `&` are old spellings.
            Tok::BarBar => fixed(3, true, "||"),
            Tok::Or => fixed(3, true, "or"),
            Tok::AmpAmp => fixed(4, true, "&&"),
            Tok::Ampersand => fixed(4, true, "&"),
            Tok::Equal => fixed(5, false, "="),
            Tok::Less => fixed(5, false, "<"),
            Tok::Greater => fixed(5, false, ">"),
            Tok::Infix0(text) => Some((5, false, text)),
            Tok::Infix1(text) => Some((6, true, text)),
            Tok::ColonColon => fixed(8, true, "::"),
            Tok::Plus => fixed(9, false, "+"),
            Tok::PlusDot => fixed(9, false, "+."),
            Tok::PlusEqual => fixed(9, false, "+="),
            Tok::Minus => fixed(9, false, "-"),
            Tok::MinusDot => fixed(9, false, "-."),
            Tok::Infix2(text) => Some((9, false, text)),
            Tok::Star => fixed(10, false, "*"),
            Tok::Percent => fixed(10, false, "%"),
            Tok::Infix3(text) => Some((10, false, text)),
            Tok::Infix4(text) => Some((11, true, text)),
            _ => None,
        }?;
        let shape = match token.tok {
            Tok::Comma => Shape::Tuple(1),
            Tok::ColonColon => Shape::Cons,
            _ => Shape::Apply,
        };
        Some(Operator { precedence, right, shape, name: self.name(text, token) })
    }

    // ------------------------------------------------------------- operands

    /// An operand with the signs before it.
    fn operand(&mut self) -> Parse<Expr> {
        if !matches!(self.peek(), Tok::Minus | Tok::MinusDot | Tok::Plus | Tok::PlusDot) {
            return self.unsigned_operand();
        }
        let mut signs = Vec::new();
        while matches!(self.peek(), Tok::Minus | Tok::MinusDot | Tok::Plus | Tok::PlusDot) {
            signs.push(self.bump());
        }
        // `-4611686018427387904` exists only with its sign.
        let mut expr = match signs.last() {
            Some(sign) if sign.tok == Tok::Minus && self.is_lone_integer() => {
                let token = self.token();
                let sign = signs.pop().unwrap_or(token);
                let span = self.span_of(sign).to(self.span_of(token));
                make_expr(ExprKind::Constant(self.constant(Sign::Minus)?), span)
            }
            _ => self.unsigned_operand()?,
        };
        for token in signs.into_iter().rev() {
            let sign = self.name(Symbol::new(self.text_of(token)), token);
            expr = signed(sign, expr);
        }
        Ok(expr)
    }

    /// An integer literal that is an operand on its own.
    fn is_lone_integer(&self) -> bool {
        self.at(Tok::Int) && {
            let next = self.nth(1);
            !matches!(next, Tok::Dot | Tok::DotOp(_) | Tok::HashOp(_) | Tok::Hash)
                && !Self::starts_argument(next)
        }
    }

    fn unsigned_operand(&mut self) -> Parse<Expr> {
        let start = self.here();
        match self.peek() {
            Tok::Let if self.at_stranded_let() => Err(self.unexpected("an expression")),
            Tok::Let | Tok::LetOp(_) => {
                let header = self.let_header()?;
                self.sequence_after(Some(header))
            }
            Tok::Fun => self.fun_expr(),
            Tok::Function => self.function_expr(),
            Tok::Match | Tok::Try => self.match_expr(),
            Tok::If => self.if_expr(),
            Tok::While => self.while_expr(),
            Tok::For => self.for_expr(),
            Tok::Assert | Tok::Lazy => {
                let keyword = self.bump();
                self.keyword_attributes();
                let arg = Box::new(self.simple()?);
                let kind = if keyword.tok == Tok::Assert {
                    ExprKind::Assert(arg)
                } else {
                    ExprKind::Lazy(arg)
                };
                Ok(make_expr(kind, self.span_from(start)))
            }
            Tok::Label(_) | Tok::Tilde => self.labelled_part(),
            _ => self.application(),
        }
    }

    /// `~x:e`, `~x` or `~(x : t)`: a part of a tuple.
    fn labelled_part(&mut self) -> Parse<Expr> {
        let start = self.here();
        let (label, value) = self.argument()?;
        let name = match label {
            ArgLabel::Labelled(name) => Some(name),
            ArgLabel::None | ArgLabel::Optional(_) => None,
        };
        Ok(make_expr(ExprKind::LabelledTuple(vec![(name, value)]), self.span_from(start)))
    }
}

/// A tuple of these parts, labelled if one of them is.
fn tuple_of(parts: Vec<Expr>) -> ExprKind {
    let is_label =
        |it: &Expr| matches!(&it.kind, ExprKind::LabelledTuple(items) if items.len() == 1);
    if !parts.iter().any(is_label) {
        return ExprKind::Tuple(parts);
    }
    let parts = parts.into_iter().map(|part| match part.kind {
        ExprKind::LabelledTuple(mut items) if items.len() == 1 => items.remove(0),
        kind => (None, Expr { kind, ..part }),
    });
    ExprKind::LabelledTuple(parts.collect())
}

fn finish_sequence(mut parts: Vec<Expr>, last: Expr) -> Expr {
    let Some(first) = parts.first() else { return last };
    let span = first.span.to(last.span);
    parts.push(last);
    parts.shrink_to_fit();
    make_expr(ExprKind::Sequence(parts), span)
}

/// Applies the operators on the stack that bind tighter than `precedence`.
fn reduce_above(operands: &mut Vec<Expr>, stack: &mut Vec<Operator>, precedence: u8) {
    while let Some(operator) = stack.pop_if(|it| it.precedence > precedence) {
        match operator.shape {
            Shape::Tuple(commas) => {
                let from = operands.len().saturating_sub(commas + 1);
                let parts = operands.split_off(from);
                let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
                let span = first.span.to(last.span);
                operands.push(make_expr(tuple_of(parts), span));
            }
            Shape::Cons | Shape::Apply => {
                let (Some(right), Some(left)) = (operands.pop(), operands.pop()) else { return };
                let span = left.span.to(right.span);
                let kind = if operator.shape == Shape::Cons {
                    let both = make_expr(ExprKind::Tuple(vec![left, right]), span);
                    ExprKind::Construct(Path::plain(operator.name), Some(Box::new(both)))
                } else {
                    let args = vec![(ArgLabel::None, left), (ArgLabel::None, right)];
                    ExprKind::Apply(Box::new(ident_expr(operator.name)), args)
                };
                operands.push(make_expr(kind, span));
            }
        }
    }
}

/// `-e`, folded into a literal, as OCaml does: `-1` is a constant, `-x` is `~- x`.
fn signed(sign: Name, expr: Expr) -> Expr {
    let span = sign.span.to(expr.span);
    let is_float_sign = sign.text.as_str().len() == 2;
    let is_minus = sign.text.as_str().starts_with('-');
    let folded = match &expr.kind {
        ExprKind::Constant(constant) if expr.attributes.is_empty() => match constant {
            Constant::Sized(..) | Constant::Float32(_) => None,
            Constant::Float(value) => Some(Constant::Float(if is_minus { -value } else { *value })),
            _ if is_float_sign => None,
            Constant::Int(value) if is_minus => Some(Constant::Int(value.wrapping_neg() << 1 >> 1)),
            Constant::Int32(value) if is_minus => Some(Constant::Int32(value.wrapping_neg())),
            Constant::Int64(value) if is_minus => Some(Constant::Int64(value.wrapping_neg())),
            Constant::Nativeint(value) if is_minus => {
                Some(Constant::Nativeint(value.wrapping_neg()))
            }
            Constant::Int(_) | Constant::Int32(_) | Constant::Int64(_) | Constant::Nativeint(_) => {
                Some(constant.clone())
            }
            Constant::Char(_) | Constant::String(_) => None,
        },
        _ => None,
    };
    if let Some(constant) = folded {
        return make_expr(ExprKind::Constant(constant), span);
    }
    let operator = Name { text: Symbol::new(&format!("~{}", sign.text)), span: sign.span };
    make_expr(ExprKind::Apply(Box::new(ident_expr(operator)), vec![(ArgLabel::None, expr)]), span)
}
