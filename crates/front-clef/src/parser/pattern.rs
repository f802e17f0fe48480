//! Patterns.

use oxbow_base::{Made, Span};
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::{ModulePath, Path, Pattern, PatternKind};

use super::bracket::extend;
use super::expr::negate;
use super::{Parsed, Parser, make};
use crate::token::Tok;

impl Parser<'_> {
    /// A pattern with `as`, tuples and `::`; alternatives only if they are on the line.
    pub(super) fn pattern(&mut self) -> Parsed<Pattern> {
        self.nested(|this| {
            let mut pattern = this.tuple_pattern()?;
            loop {
                if this.is("|") && !this.raw().first {
                    this.advance();
                    let right = this.tuple_pattern()?;
                    let span = pattern.span.to(right.span);
                    pattern =
                        make::pattern(PatternKind::Or(Box::new(pattern), Box::new(right)), span);
                } else if this.accept("as").is_some() {
                    let name = this.ident("a name after `as`")?;
                    let span = pattern.span.to(name.span);
                    pattern = make::pattern(PatternKind::Alias(Box::new(pattern), name), span);
                    // `p as x, q`: the name is that of the first part.
                    if this.is(",") {
                        pattern = this.tuple_rest(pattern)?;
                    }
                } else {
                    return Ok(pattern);
                }
            }
        })
    }

    fn tuple_pattern(&mut self) -> Parsed<Pattern> {
        let first = self.cons_pattern()?;
        if self.is(",") { self.tuple_rest(first) } else { Ok(first) }
    }

    fn tuple_rest(&mut self, first: Pattern) -> Parsed<Pattern> {
        let mut items = vec![first];
        while self.accept(",").is_some() {
            items.push(self.cons_pattern()?);
        }
        let span = span_of(&items, self.here());
        Ok(make::pattern(PatternKind::Tuple(items), span))
    }

    /// `p & q`: the library's pattern `Both` gives the value twice.
    fn cons_pattern(&mut self) -> Parsed<Pattern> {
        let mut pattern = self.single_pattern()?;
        while self.accept("&").is_some() {
            let right = self.single_pattern()?;
            let span = pattern.span.to(right.span);
            let both = make::pattern(PatternKind::Tuple(vec![pattern, right]), span);
            let path = make::library_path("Both", span);
            pattern = make::pattern(PatternKind::Construct(path, Some(Box::new(both))), span);
        }
        Ok(pattern)
    }

    fn single_pattern(&mut self) -> Parsed<Pattern> {
        let head = self.applied_pattern()?;
        if self.accept("::").is_none() {
            return Ok(head);
        }
        let tail = self.nested(Self::single_pattern)?;
        let span = head.span.to(tail.span);
        let pair = make::pattern(PatternKind::Tuple(vec![head, tail]), span);
        let path = Path::plain(make::name("::", span));
        Ok(make::pattern(PatternKind::Construct(path, Some(Box::new(pair))), span))
    }

    /// `C p`, `M.C (p, q)`, `Active arg p`
    fn applied_pattern(&mut self) -> Parsed<Pattern> {
        if self.is(":?") {
            return self.type_test();
        }
        if !matches!(self.peek(), Tok::Ident(_)) {
            return self.atomic_pattern();
        }
        let path = self.pattern_path()?;
        let mut args = Vec::new();
        while self.starts_atomic_pattern() {
            args.push(self.constructor_argument()?);
        }
        let start = path.span();
        let span = args.last().map_or(start, |it: &Pattern| start.to(it.span));
        let kind = match args.len() {
            0 => return Ok(self.name_pattern(path)),
            1 => PatternKind::Construct(path, args.pop().map(Box::new)),
            _ => PatternKind::ConstructMany(path, args),
        };
        Ok(make::pattern(kind, span))
    }

    /// `:? T`: a value of the type `T`; in a handler, the exception `T`, whatever it holds.
    fn type_test(&mut self) -> Parsed<Pattern> {
        let start = self.advance().span;
        let ty = self.postfix_type()?;
        let span = start.to(ty.span);
        Ok(make::pattern(PatternKind::TypeTest(ty), span))
    }

    fn pattern_path(&mut self) -> Parsed<Path> {
        let mut name = self.ident("a name")?;
        let mut prefix: Option<Box<ModulePath>> = None;
        while self.is(".") && matches!(self.raw_after(1).tok, Tok::Ident(_)) {
            self.advance();
            prefix = Some(Box::new(extend(prefix, name)));
            name = self.ident("a name")?;
        }
        Ok(Path { prefix, name })
    }

    /// A name alone: a variable, or a constructor if it begins with a capital letter and one of
    /// that name exists.
    fn name_pattern(&self, path: Path) -> Pattern {
        if let Some(flag) = self.flag_pattern(&path) {
            return flag;
        }
        let span = path.span();
        let capital = path.name.text.as_str().starts_with(|it: char| it.is_uppercase());
        let kind = if path.prefix.is_none() && !capital {
            PatternKind::Var(path.name)
        } else {
            PatternKind::Construct(path, None)
        };
        make::pattern(kind, span)
    }

    pub(super) fn starts_atomic_pattern(&self) -> bool {
        match self.peek() {
            Tok::Ident(_) | Tok::Constant(_) | Tok::Numeral(..) => true,
            Tok::Key(word) => {
                matches!(
                    word,
                    "_" | "(" | "[" | "[|" | "{" | "true" | "false" | "null" | "struct" | "?"
                )
            }
            Tok::Op(text) => {
                text.as_str() == "-"
                    && matches!(self.raw_after(1).tok, Tok::Constant(_))
                    && !self.raw_after(1).spaced
            }
            _ => false,
        }
    }

    /// The argument of a constructor, which may name fields: `(width = w)`.
    fn constructor_argument(&mut self) -> Parsed<Pattern> {
        if self.is("(")
            && matches!(self.raw_after(1).tok, Tok::Ident(_))
            && matches!(self.raw_after(2).tok, Tok::Op(it) if it.as_str() == "=")
        {
            let open = self.advance().span;
            let mut fields = Vec::new();
            while matches!(self.peek(), Tok::Ident(_)) {
                let name = self.ident("the name of a field")?;
                self.equals()?;
                let pattern = self.cons_pattern()?;
                fields.push((Path::plain(name), pattern));
                if self.accept(";").is_none() && self.accept(",").is_none() {
                    break;
                }
            }
            let end = self.close("(", open, ")")?;
            return Ok(make::pattern(PatternKind::Record { fields, open_row: true }, open.to(end)));
        }
        self.atomic_pattern()
    }

    pub(super) fn atomic_pattern(&mut self) -> Parsed<Pattern> {
        let token = self.raw().clone();
        let span = token.span;
        match self.peek() {
            Tok::Key("_") => {
                self.advance();
                Ok(make::pattern(PatternKind::Any, span))
            }
            Tok::Ident(_) => {
                let path = self.pattern_path()?;
                Ok(self.name_pattern(path))
            }
            Tok::Constant(constant) => {
                self.advance();
                Ok(self.number_pattern(constant, span))
            }
            Tok::Numeral(..) => {
                let construct = "decimal and big integers as patterns (compare in a `when`)";
                self.fail(Diagnostic::not_supported(span, construct))
            }
            Tok::Op(text) if text.as_str() == "-" => {
                self.advance();
                let end = self.advance();
                match &end.tok {
                    Tok::Constant(constant) => match negate(constant) {
                        Some(negative) => Ok(self.number_pattern(negative, span.to(end.span))),
                        None => self.unexpected("a number"),
                    },
                    _ => self.unexpected("a number"),
                }
            }
            Tok::Key(word @ ("true" | "false")) => {
                self.advance();
                let path = Path::plain(make::name(word, span));
                Ok(make::pattern(PatternKind::Construct(path, None), span))
            }
            Tok::Key("struct") => {
                self.advance();
                self.atomic_pattern()
            }
            Tok::Key("?") => {
                // `?x` of a member: an option, which calls may leave out.
                self.advance();
                let name = self.ident("the name of a parameter")?;
                let mark = self.numbered(Made::Optional, span);
                let kind = PatternKind::Alias(Box::new(make::var(name)), mark);
                Ok(make::pattern(kind, span.to(name.span)))
            }
            Tok::Key("null") => {
                self.advance();
                let report = Diagnostic::error("E0055", "Clef has no `null`")
                    .at(span, "")
                    .help("use an option: `None` or `Some x`");
                self.fail(report)
            }
            Tok::Key("(") => self.parenthesised_pattern(),
            Tok::Key("[") => self.list_pattern("[", "]"),
            Tok::Key("[|") => self.list_pattern("[|", "|]"),
            Tok::Key("{") => self.record_pattern(),
            _ => self.unexpected("a pattern"),
        }
    }

    fn parenthesised_pattern(&mut self) -> Parsed<Pattern> {
        let open = self.advance().span;
        if self.raw().tok == Tok::Key(")") {
            let end = self.advance().span;
            let path = self.unit_path(open.to(end));
            return Ok(make::pattern(PatternKind::Construct(path, None), open.to(end)));
        }
        // `as` and `|` bind looser than `,`: what stands left of them is the tuple so far.
        let mut left: Option<Pattern> = None;
        let mut items = Vec::new();
        loop {
            let attributes = self.attributes()?;
            let mut pattern = self.cons_pattern()?;
            // `[<ParamArray>] xs` of a member: the rest of the arguments.
            if attributes.iter().any(|it| it.name.text.as_str() == "ParamArray") {
                let span = pattern.span;
                let mark = self.numbered(Made::Rest, span);
                pattern = make::pattern(PatternKind::Alias(Box::new(pattern), mark), span);
            }
            items.push(self.annotated(pattern)?);
            while self.accept("as").is_some() {
                let name = self.ident("a name after `as`")?;
                let whole = either(left.take(), tuple_of(std::mem::take(&mut items), open));
                let span = whole.span.to(name.span);
                let alias = make::pattern(PatternKind::Alias(Box::new(whole), name), span);
                items.push(self.annotated(alias)?);
            }
            if self.accept("|").is_some() {
                left = Some(either(left.take(), tuple_of(std::mem::take(&mut items), open)));
            } else if self.accept(",").is_none() {
                break;
            }
        }
        let end = self.close("(", open, ")")?;
        let whole = either(left, tuple_of(items, open));
        Ok(Pattern { span: open.to(end), ..whole })
    }

    fn annotated(&mut self, pattern: Pattern) -> Parsed<Pattern> {
        if self.accept(":").is_none() {
            return Ok(pattern);
        }
        let mut ty = self.type_expr()?;
        let span = pattern.span.to(ty.span);
        let is_optional = matches!(&pattern.kind, PatternKind::Alias(_, name)
            if matches!(name.text.origin(), Some(Made::Optional(_))));
        if is_optional {
            let path = Path::plain(make::name("option", ty.span));
            ty = oxbow_elab::ast::TypeExpr {
                span: ty.span,
                kind: oxbow_elab::ast::TypeExprKind::Constr(path, vec![ty]),
            };
        }
        Ok(make::pattern(PatternKind::Annotate(Box::new(pattern), ty), span))
    }

    fn list_pattern(&mut self, bracket: &'static str, wanted: &'static str) -> Parsed<Pattern> {
        let open = self.advance().span;
        let mut items = Vec::new();
        while self.raw().tok != Tok::Key(wanted) {
            items.push(self.pattern()?);
            if self.accept(";").is_none() && !self.raw().first {
                break;
            }
        }
        let end = self.close(bracket, open, wanted)?;
        let span = open.to(end);
        let kind = match (bracket, items.is_empty()) {
            ("[", true) => PatternKind::Construct(Path::plain(make::name("[]", span)), None),
            ("[", false) => PatternKind::List(items),
            _ => PatternKind::Array(items),
        };
        Ok(make::pattern(kind, span))
    }

    fn record_pattern(&mut self) -> Parsed<Pattern> {
        let open = self.advance().span;
        let mut fields = Vec::new();
        loop {
            let path = self.field_path()?;
            self.equals()?;
            fields.push((path, self.pattern()?));
            let ends = self.accept(";").is_none() && !self.raw().first;
            if ends || self.raw().tok == Tok::Key("}") {
                break;
            }
        }
        let end = self.close("{", open, "}")?;
        Ok(make::pattern(PatternKind::Record { fields, open_row: true }, open.to(end)))
    }
}

/// The pattern itself if there is one only.
fn tuple_of(mut items: Vec<Pattern>, otherwise: Span) -> Pattern {
    if items.len() == 1
        && let Some(one) = items.pop()
    {
        return one;
    }
    let span = span_of(&items, otherwise);
    make::pattern(PatternKind::Tuple(items), span)
}

fn either(left: Option<Pattern>, right: Pattern) -> Pattern {
    let Some(left) = left else { return right };
    let span = left.span.to(right.span);
    make::pattern(PatternKind::Or(Box::new(left), Box::new(right)), span)
}

fn span_of(items: &[Pattern], otherwise: Span) -> Span {
    match (items.first(), items.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => otherwise,
    }
}
