//! Atoms and what follows them without a space: members, indices, calls.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::{Constant, Expr, ExprKind, Name, Path, TypeExpr, TypeExprKind};

use super::class_code::implementation;
use super::{Parsed, Parser, make};
use crate::diagnostics;
use crate::literal::type_name;
use crate::token::Tok;

impl Parser<'_> {
    pub(super) fn atom(&mut self) -> Parsed<Expr> {
        let token = self.raw().clone();
        match self.peek() {
            Tok::Ident(text) => {
                self.advance();
                // `seq { … }`; another name before a brace is a computation expression.
                if self.raw().tok == Tok::Key("{")
                    && text.as_str() == "seq"
                    && !self.is_offside(self.raw())
                {
                    return self.seq_expr(token.span);
                }
                if text.as_str() == "query" && self.is("{") {
                    return self
                        .fail(Diagnostic::not_supported(token.span, &format!("`{text} {{ … }}`")));
                }
                if text.as_str() == "nameof"
                    && let Some(name) = self.name_of()
                {
                    let span = token.span.to(self.previous());
                    return Ok(make::string(name.as_str().as_bytes().to_vec(), span));
                }
                if let Some(value) = self.type_value(text.as_str(), token.span) {
                    return Ok(value);
                }
                if matches!(text.as_str(), "typedefof" | "sizeof") && !self.raw().spaced {
                    return self.fail(Diagnostic::not_supported(token.span, &format!("`{text}`")));
                }
                let name = make::ident(Name { text, span: token.span });
                if self.computation_follows() {
                    return self.computation(name);
                }
                Ok(name)
            }
            Tok::Op(text) if matches!(text.as_str(), "<@" | "<@@") => {
                self.fail(Diagnostic::not_supported(token.span, "quotations"))
            }
            Tok::Op(text) if text.as_str() == "^" => {
                let construct = "indices from the end and statically resolved members";
                self.fail(Diagnostic::not_supported(token.span, construct))
            }
            Tok::Constant(constant) => {
                self.advance();
                self.check_literal(&constant, token.span);
                Ok(self.number_literal(constant, token.span))
            }
            Tok::Bytes(bytes) => {
                self.advance();
                let item = |byte: &u8| {
                    let value = Constant::Sized(oxbow_psg::IntWidth::U8, i64::from(*byte));
                    make::expr(ExprKind::Constant(value), token.span)
                };
                let items = bytes.iter().map(item).collect();
                Ok(make::expr(ExprKind::Array(items), token.span))
            }
            Tok::Numeral(function, digits) => {
                self.advance();
                if let Some(unit) = self.measure() {
                    let construct = "a unit of measure on a literal of `decimal` or `bigint`";
                    return self.fail(Diagnostic::not_supported(unit.span, construct));
                }
                let digits = make::string(digits.into_bytes(), token.span);
                let function = make::named(function, token.span);
                Ok(make::apply(function, vec![digits], token.span))
            }
            Tok::Interpolated(parts) => {
                self.advance();
                Ok(self.interpolation(parts, token.span))
            }
            Tok::Key("?") if matches!(self.raw_after(1).tok, Tok::Ident(_)) => {
                // `?x = e` in a call: an option for a parameter that may be left out.
                self.advance();
                let name = self.ident("the name of a parameter")?;
                let text = oxbow_base::Symbol::new(&format!("?{}", name.text));
                Ok(make::ident(Name { text, span: token.span.to(name.span) }))
            }
            Tok::Key("true") => {
                self.advance();
                Ok(make::truth(true, token.span))
            }
            Tok::Key("false") => {
                self.advance();
                Ok(make::truth(false, token.span))
            }
            Tok::Key("(") => self.parenthesised(),
            Tok::Key("[") => self.list_or_array("[", "]"),
            Tok::Key("[|") => self.list_or_array("[|", "|]"),
            Tok::Key("{") => self.record(),
            Tok::Key("{|") => self.anonymous_record(),
            Tok::Key("begin") => {
                self.advance();
                let body = self.block("the body of this `begin`")?;
                // As a closing bracket, it may stand anywhere.
                if self.raw().tok != Tok::Key("end") {
                    return self.unexpected("`end`");
                }
                let end = self.advance().span;
                Ok(make::group(body, token.span.to(end)))
            }
            Tok::Key("struct") => {
                self.advance();
                self.atom()
            }
            Tok::Key("null") => {
                self.advance();
                let report = Diagnostic::error("E0055", "Clef has no `null`")
                    .at(token.span, "")
                    .help("use an option: `None` or `Some x`");
                self.fail(report)
            }
            Tok::Key("new") => {
                self.advance();
                // `new T(…)` is `T(…)`.
                self.atom()
            }
            Tok::Key(":?") => self.fail(Diagnostic::not_supported(token.span, "type tests")),
            Tok::Key("_") if self.raw_after(1).tok == Tok::Key(".") => self.accessor(token.span),
            _ => self.unexpected("an expression"),
        }
    }

    /// After `nameof`: the last name of what follows.
    fn name_of(&mut self) -> Option<oxbow_base::Symbol> {
        self.attempt(|this| {
            let open = this.accept("(").is_some();
            let atom = this.atom().ok()?;
            let expr = this.postfix(atom).ok()?;
            if open {
                this.accept(")")?;
            }
            match expr.kind {
                ExprKind::Ident(path) | ExprKind::Field(_, path) => Some(path.name.text),
                _ => None,
            }
        })
    }

    /// `_.Name`: the function that takes a member.
    fn accessor(&mut self, span: Span) -> Parsed<Expr> {
        self.advance();
        let param = self.fresh_name("it", span);
        let body = self.postfix(make::ident(param))?;
        let whole = span.to(body.span);
        Ok(make::fun(vec![make::var(param)], body, whole))
    }

    /// The least number of a signed type exists with a minus only.
    fn check_literal(&mut self, constant: &Constant, span: Span) {
        let Constant::Sized(width, value) = *constant else { return };
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or("");
        let decimal = !text.starts_with("0x") && !text.starts_with("0b") && !text.starts_with("0o");
        if decimal && value < 0 && width.signed() {
            self.report(diagnostics::too_large(span, type_name(width)));
        }
    }

    pub(super) fn postfix(&mut self, start: Expr) -> Parsed<Expr> {
        let mut expr = start;
        loop {
            let token = self.raw().clone();
            let adjacent = !token.spaced && !self.is_offside(&token);
            match &token.tok {
                Tok::Key("(") if adjacent => {
                    let arg = self.parenthesised()?;
                    let span = expr.span.to(arg.span);
                    expr = make::apply(expr, vec![arg], span);
                }
                Tok::Key("[") if adjacent && indexable(&expr) => {
                    self.advance();
                    expr = self.index(expr, token.span)?;
                }
                Tok::Key(".") if !self.is_offside(&token) => {
                    self.advance();
                    if self.is("[") {
                        let open = self.advance().span;
                        expr = self.index(expr, open)?;
                        continue;
                    }
                    let mut member = self.member_name()?;
                    // `base.M`: what the class that is inherited does itself.
                    if matches!(&expr.kind, ExprKind::Ident(it) if it.prefix.is_none() && it.name.text.as_str() == "base")
                    {
                        member = implementation(member);
                    }
                    let span = expr.span.to(member.span);
                    expr = make::expr(ExprKind::Field(Box::new(expr), Path::plain(member)), span);
                    if self.computation_follows() {
                        return self.computation(expr);
                    }
                }
                Tok::Op(op)
                    if adjacent
                        && op.as_str().starts_with('<')
                        && matches!(expr.kind, ExprKind::Ident(_) | ExprKind::Field(..)) =>
                {
                    match self.type_arguments() {
                        Some(args) => {
                            let span = expr.span.to(self.previous());
                            if is_enum(&expr)
                                && let Some(function) = self.enumeration_function(&args, span)
                            {
                                expr = function;
                                continue;
                            }
                            expr = make::expr(ExprKind::TypeApply(Box::new(expr), args), span);
                        }
                        None => return Ok(expr),
                    }
                }
                _ => return Ok(expr),
            }
        }
    }

    fn member_name(&mut self) -> Parsed<Name> {
        match self.peek() {
            Tok::Ident(text) => Ok(Name { text, span: self.advance().span }),
            Tok::Key("(") => match self.parenthesised_name() {
                Some(name) => Ok(name),
                None => self.unexpected("a member"),
            },
            _ => self.unexpected("the name of a member or field"),
        }
    }

    /// After `[`: `i]`, `i..j]`, `..j]`, `i..]`, `i, j]`, and `^i` in their places.
    fn index(&mut self, object: Expr, open: Span) -> Parsed<Expr> {
        if self.slices_dimensions() {
            return self.dimensions(object, open);
        }
        // `a[^1]` counts from the end, so the object is needed twice.
        let name = self.fresh_name("indexed", object.span);
        let mut from_end = false;
        let from = if self.is("..") || self.is_dots_end() {
            None
        } else {
            Some(self.bound(name, &mut from_end)?)
        };
        let mut to = None;
        let up_to_end = self.is_dots_end();
        let is_slice = up_to_end || self.is("..");
        if up_to_end && !self.is_op("..^") {
            self.advance();
        }
        if is_slice {
            self.advance();
        }
        if up_to_end {
            from_end = true;
            to = Some(self.counted_from_end(name)?);
        } else if is_slice && self.raw().tok != Tok::Key("]") {
            to = Some(self.bound(name, &mut from_end)?);
        }
        let end = self.close("[", open, "]")?;
        let span = object.span.to(end);
        let target = if from_end { make::ident(name) } else { object.clone() };
        let target = Box::new(target);
        let kind = match (is_slice, from) {
            (true, from) => ExprKind::Slice(target, from.map(Box::new), to.map(Box::new)),
            (false, Some(index)) => ExprKind::Index(target, Box::new(index)),
            (false, None) => return self.unexpected("an index"),
        };
        let made = make::expr(kind, span);
        Ok(if from_end { make::let_in(make::var(name), object, made) } else { made })
    }

    /// After `[`: is it a slice of a matrix, `i, *]`, `a..b, j]`?
    fn slices_dimensions(&self) -> bool {
        let (mut depth, mut commas, mut slices) = (0, 0, false);
        for at in 0.. {
            let before_end = |tok: &Tok| matches!(tok, Tok::Key("," | "]"));
            match &self.raw_after(at).tok {
                Tok::Key("[" | "(" | "{" | "[|") => depth += 1,
                Tok::Key("]") if depth == 0 => return commas == 1 && slices,
                Tok::Key("]" | ")" | "}" | "|]") => depth -= 1,
                Tok::Key(",") if depth == 0 => commas += 1,
                Tok::Key("..") if depth == 0 => slices = true,
                Tok::Op(text) if depth == 0 && text.as_str() == "*" => {
                    slices |= before_end(&self.raw_after(at + 1).tok);
                }
                Tok::Eof => return false,
                _ => (),
            }
        }
        false
    }

    /// A slice of a matrix: each dimension is an index, a range or `*`.
    fn dimensions(&mut self, object: Expr, open: Span) -> Parsed<Expr> {
        let mut args = Vec::new();
        let mut ranges = Vec::new();
        loop {
            let span = self.here();
            let option = |it: Option<Expr>| match it {
                Some(it) => make::construct("Some", Some(it), span),
                None => make::construct("None", None, span),
            };
            if self.is_op("*") {
                self.advance();
                args.extend([option(None), option(None)]);
                ranges.push(true);
            } else {
                let from = if self.is("..") { None } else { Some(self.expr_no_tuple()?) };
                let is_range = self.accept("..").is_some();
                ranges.push(is_range);
                match (is_range, from) {
                    (true, from) => {
                        let at_end = self.is(",") || self.is("]");
                        let to = if at_end { None } else { Some(self.expr_no_tuple()?) };
                        args.extend([option(from), option(to)]);
                    }
                    (false, Some(index)) => args.push(index),
                    (false, None) => return self.unexpected("an index"),
                }
            }
            if self.accept(",").is_none() {
                break;
            }
        }
        let end = self.close("[", open, "]")?;
        let span = object.span.to(end);
        let member = match ranges[..] {
            [true, true] => "GetSlice2",
            [false, true] => "GetRow",
            _ => "GetColumn",
        };
        let path = Path::plain(make::name(member, span));
        let getter = make::expr(ExprKind::Field(Box::new(object), path), span);
        Ok(make::apply(getter, args, span))
    }

    /// `..^`, which is read as other operators.
    fn is_dots_end(&self) -> bool {
        let next = &self.raw_after(1).tok;
        self.is_op("..^") || self.is(".") && matches!(next, Tok::Op(it) if it.as_str() == ".^")
    }

    /// An index, which may be counted from the end.
    fn bound(&mut self, object: Name, from_end: &mut bool) -> Parsed<Expr> {
        if !self.is_op("^") {
            return self.expr();
        }
        self.advance();
        *from_end = true;
        self.counted_from_end(object)
    }

    /// `object.Length - 1 - i`; the `^` has been read.
    fn counted_from_end(&mut self, object: Name) -> Parsed<Expr> {
        let span = self.previous();
        let count = self.expr()?;
        let length = Path::plain(make::name("Length", span));
        let length = make::expr(ExprKind::Field(Box::new(make::ident(object)), length), span);
        Ok(make::apply(make::library("from_end", span), vec![length, count], span))
    }
}

/// Could a bracket right behind it be an index?
fn indexable(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Ident(_)
            | ExprKind::Field(..)
            | ExprKind::Index(..)
            | ExprKind::Slice(..)
            | ExprKind::Apply(..)
            | ExprKind::Annotate(..)
    )
}

/// `enum` before a type in angle brackets
fn is_enum(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Ident(path) if path.prefix.is_none() && path.name.text.as_str() == "enum")
}

impl Parser<'_> {
    /// `typeof<t>`: `type_of (None: t option)`; the word has been read.
    fn type_value(&mut self, word: &str, start: Span) -> Option<Expr> {
        if word != "typeof" || self.raw().spaced {
            return None;
        }
        let args = self.type_arguments()?;
        let span = start.to(self.previous());
        let option = TypeExprKind::Constr(Path::plain(make::name("option", span)), args);
        let option = TypeExpr { kind: option, span };
        let none = Box::new(make::construct("None", None, span));
        let witness = make::expr(ExprKind::Annotate(none, option), span);
        Some(make::apply(make::library("type_of", span), vec![witness], span))
    }
}
