//! Expressions: operators by precedence, application.

use oxbow_base::{Span, Symbol};
use oxbow_elab::ast::{Constant, Expr, ExprKind, Path};

use super::{Parsed, Parser, make};
use crate::token::Tok;

#[derive(Clone, Copy, PartialEq)]
enum Assoc {
    Left,
    Right,
}

/// Precedence of an infix operator, higher binds tighter.
fn precedence(tok: &Tok) -> Option<(u8, Assoc)> {
    use Assoc::{Left, Right};
    let text = match tok {
        Tok::Key(":=" | "<-") => return Some((1, Right)),
        Tok::Key("or") => return Some((3, Left)),
        Tok::Key("&") => return Some((4, Left)),
        Tok::Key(":>" | ":?>") => return Some((5, Right)),
        Tok::Key("::") => return Some((9, Right)),
        Tok::Key(":?") => return Some((10, Left)),
        Tok::Op(text) => text.as_str(),
        _ => return None,
    };
    // Dots before an operator do not matter.
    let text = text.trim_start_matches('.');
    Some(match text {
        "||" => (3, Left),
        "&&" => (4, Left),
        "!" | "~~~" | "$" => return None,
        _ => match text.as_bytes().first()? {
            b'!' if text == "!=" => (6, Left),
            b'<' | b'>' | b'=' | b'|' | b'&' | b'$' => (6, Left),
            b'^' | b'@' => (8, Right),
            b'-' | b'+' => (11, Left),
            b'*' if text.starts_with("**") => (13, Right),
            b'*' | b'/' | b'%' => (12, Left),
            b'?' => (6, Left),
            _ => return None,
        },
    })
}

impl Parser<'_> {
    /// An expression with tuples: `a, b`.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.nested(|this| this.infix(0))
    }

    /// An expression without `,` at its top.
    pub(super) fn expr_no_tuple(&mut self) -> Parsed<Expr> {
        self.nested(|this| this.infix(3))
    }

    fn infix(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.prefix()?;
        loop {
            let tok = self.peek();
            if tok == Tok::Key(",") && least <= 2 {
                left = self.tuple(left)?;
                continue;
            }
            let Some((power, assoc)) = precedence(&tok) else { return Ok(left) };
            if power < least {
                return Ok(left);
            }
            let op = self.advance();
            let next = if assoc == Assoc::Left { power + 1 } else { power };
            left = self.infix_rest(left, op.tok, op.span, next)?;
        }
    }

    fn tuple(&mut self, first: Expr) -> Parsed<Expr> {
        let mut items = vec![first];
        while self.accept(",").is_some() {
            // The next part may stand on the offside line: the comma waits for it.
            self.exempt = Some(self.at);
            items.push(self.infix(3)?);
        }
        let span = match (items.first(), items.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => self.here(),
        };
        Ok(make::expr(ExprKind::Tuple(items), span))
    }

    fn infix_rest(&mut self, left: Expr, op: Tok, op_span: Span, next: u8) -> Parsed<Expr> {
        match op {
            Tok::Key("<-") => {
                // On lines of its own, the value is a block.
                let token = self.raw();
                let value = if token.first && token.column > self.offside {
                    self.block("the value to assign")?
                } else {
                    self.operand(next)?
                };
                return Ok(self.assignment(left, value, op_span));
            }
            Tok::Key("::") => {
                let right = self.operand(next)?;
                let span = left.span.to(right.span);
                let pair = make::expr(ExprKind::Tuple(vec![left, right]), span);
                return Ok(make::construct("::", Some(pair), span));
            }
            Tok::Key(":>") => {
                let ty = self.type_expr()?;
                let span = left.span.to(ty.span);
                return Ok(make::expr(ExprKind::Coerce(Box::new(left), None, ty), span));
            }
            Tok::Key(test @ (":?" | ":?>")) => {
                let ty = self.type_expr()?;
                let span = left.span.to(ty.span);
                let left = Box::new(left);
                return Ok(make::expr(
                    match test {
                        ":?" => ExprKind::TypeTest(left, ty),
                        _ => ExprKind::Downcast(left, ty),
                    },
                    span,
                ));
            }
            _ => (),
        }
        let text = match op {
            Tok::Op(text) => text,
            Tok::Key("or") => Symbol::new("||"),
            Tok::Key("&") => Symbol::new("&&"),
            Tok::Key(mark) => Symbol::new(mark),
            _ => return self.unexpected("an operator"),
        };
        let right = self.operand(next)?;
        Ok(make::binary(text.as_str(), op_span, left, right))
    }

    /// The right operand; it may stand on a line of its own, as a block.
    fn operand(&mut self, least: u8) -> Parsed<Expr> {
        let token = self.raw();
        if token.first && token.column >= self.offside {
            self.exempt = Some(self.at);
        }
        self.nested(|this| this.infix(least))
    }

    fn assignment(&mut self, target: Expr, value: Expr, op: Span) -> Expr {
        let span = target.span.to(value.span);
        let value = Box::new(value);
        let kind = match target.kind {
            ExprKind::Ident(path) => ExprKind::AssignVar(path, value),
            ExprKind::Field(object, path) => ExprKind::SetField(object, path, value),
            ExprKind::Index(object, index) => ExprKind::SetIndex(object, index, value),
            ExprKind::Slice(object, from, to) => {
                let bound = |it: Option<Box<Expr>>| match it {
                    Some(it) => make::construct("Some", Some(*it), target.span),
                    None => make::construct("None", None, target.span),
                };
                let path = Path::plain(make::name("SetSlice", target.span));
                let setter = make::expr(ExprKind::Field(object, path), target.span);
                return make::apply(setter, vec![bound(from), bound(to), *value], span);
            }
            _ => {
                let report = oxbow_diag::Diagnostic::error(
                    "E0022",
                    "`<-` assigns to a variable, a field or an element",
                )
                .at(target.span, "cannot be assigned")
                .label(op, "assigned here");
                let reported = self.report(report);
                return self.error_expr(reported, span);
            }
        };
        make::expr(kind, span)
    }

    /// Unary operators and the constructs that begin with a keyword.
    fn prefix(&mut self) -> Parsed<Expr> {
        let token = self.raw().clone();
        match self.peek() {
            Tok::Op(text)
                if matches!(text.as_str(), "-" | "+" | "!" | "~~~" | "%" | "-.")
                    || text.as_str().starts_with('!') =>
            {
                self.advance();
                self.unary(text, token.span)
            }
            Tok::Key("&") => {
                self.advance();
                let operand = self.application()?;
                let span = token.span.to(operand.span);
                Ok(make::expr(ExprKind::AddressOf(Box::new(operand)), span))
            }
            Tok::Op(text) if text.as_str() == "&&" => {
                self.advance();
                let atom = self.atom()?;
                let operand = self.postfix(atom)?;
                let span = token.span.to(operand.span);
                self.native_address(operand, span)
            }
            Tok::Key(word) => match self.keyword_expr(word)? {
                Some(expr) => Ok(expr),
                None => self.application(),
            },
            _ => self.application(),
        }
    }

    fn unary(&mut self, text: Symbol, span: Span) -> Parsed<Expr> {
        let adjacent = !self.raw().spaced;
        if text.as_str() == "-"
            && adjacent
            && let Tok::Constant(constant) = self.peek()
            && let Some(negative) = negate(&constant)
        {
            let end = self.advance().span;
            let literal = self.number_literal(negative, span.to(end));
            return self.after_atom(literal);
        }
        let operand = match text.as_str() {
            "-" | "+" => self.nested(|this| this.infix(12))?,
            _ => self.nested(Self::prefix)?,
        };
        let name = match text.as_str() {
            "-" => "~-",
            "+" => "~+",
            other => other,
        };
        let whole = span.to(operand.span);
        Ok(make::apply(make::named(name, span), vec![operand], whole))
    }

    /// `f a b`
    pub(super) fn application(&mut self) -> Parsed<Expr> {
        let func = self.atom()?;
        let func = self.postfix(func)?;
        self.arguments(func)
    }

    fn after_atom(&mut self, atom: Expr) -> Parsed<Expr> {
        let atom = self.postfix(atom)?;
        self.arguments(atom)
    }

    fn arguments(&mut self, func: Expr) -> Parsed<Expr> {
        let mut args = Vec::new();
        while self.starts_argument() {
            // `retry 3 { … }`: the builder is what the call gives.
            let is_call = !args.is_empty() || matches!(func.kind, ExprKind::Apply(..));
            if is_call && self.computation_follows() {
                let span = func.span.to(self.previous());
                let builder = if args.is_empty() { func } else { make::apply(func, args, span) };
                return self.computation(builder);
            }
            args.push(self.argument()?);
        }
        if args.is_empty() {
            return Ok(func);
        }
        let span = args.last().map_or(func.span, |it: &Expr| func.span.to(it.span));
        Ok(make::apply(func, args, span))
    }

    fn starts_argument(&self) -> bool {
        match self.peek() {
            Tok::Ident(_)
            | Tok::Constant(_)
            | Tok::Numeral(..)
            | Tok::Bytes(_)
            | Tok::Interpolated(_) => true,
            // `f &x`: spaced before, not behind.
            Tok::Key("&") => {
                let (token, next) = (self.raw(), self.raw_after(1));
                token.spaced && !next.spaced && !token.first
            }
            Tok::Key("_") => self.raw_after(1).tok == Tok::Key("."),
            Tok::Key(word) => {
                matches!(
                    word,
                    "(" | "["
                        | "[|"
                        | "{"
                        | "{|"
                        | "true"
                        | "false"
                        | "null"
                        | "begin"
                        | "fun"
                        | "function"
                        | "struct"
                        | "new"
                        | "lazy"
                )
            }
            // `f -1` and `f !x`: spaced before, not behind.
            Tok::Op(text) => {
                let token = self.raw();
                let next = self.raw_after(1);
                match text.as_str() {
                    "-" | "+" | "%" | "&&" => {
                        token.spaced && !next.spaced && next.tok != Tok::Eof && !token.first
                    }
                    "!" | "~~~" => true,
                    other => other.starts_with('!') && other != "!=",
                }
            }
            _ => false,
        }
    }

    fn argument(&mut self) -> Parsed<Expr> {
        let token = self.raw().clone();
        match self.peek() {
            Tok::Op(text) if text.as_str() == "&&" => {
                self.advance();
                let atom = self.atom()?;
                let operand = self.postfix(atom)?;
                let span = token.span.to(operand.span);
                self.native_address(operand, span)
            }
            Tok::Op(text) => {
                self.advance();
                if text.as_str() == "-"
                    && let Tok::Constant(constant) = self.peek()
                    && let Some(negative) = negate(&constant)
                {
                    let end = self.advance().span;
                    let literal = self.number_literal(negative, token.span.to(end));
                    return self.postfix(literal);
                }
                let atom = self.atom()?;
                let operand = self.postfix(atom)?;
                let name = match text.as_str() {
                    "-" => "~-",
                    "+" => "~+",
                    other => other,
                };
                let span = token.span.to(operand.span);
                Ok(make::apply(make::named(name, token.span), vec![operand], span))
            }
            Tok::Key("&") => {
                self.advance();
                let atom = self.atom()?;
                let place = self.postfix(atom)?;
                let span = token.span.to(place.span);
                Ok(make::expr(ExprKind::AddressOf(Box::new(place)), span))
            }
            Tok::Key(word @ ("fun" | "function" | "lazy")) => match self.keyword_expr(word)? {
                Some(expr) => Ok(expr),
                None => self.unexpected("an argument"),
            },
            _ => {
                let atom = self.atom()?;
                self.postfix(atom)
            }
        }
    }
}

/// The literal with a minus before it. Those of unsigned types have none.
pub fn negate(constant: &Constant) -> Option<Constant> {
    Some(match constant {
        Constant::Sized(width, value) if width.signed() => {
            Constant::Sized(*width, width.wrap(value.wrapping_neg()))
        }
        Constant::Nativeint(value) => Constant::Nativeint(value.wrapping_neg()),
        Constant::Float(value) => Constant::Float(-value),
        Constant::Float32(value) => Constant::Float32(-value),
        _ => return None,
    })
}
