//! Parentheses, lists, arrays, records.

use oxbow_base::{Span, Symbol};
use oxbow_elab::ast::{Expr, ExprKind, ModulePath, Name, Path, ResolvedMember, TypeExpr};

use super::block::Line;
use super::comprehension::{Collection, is_comprehension};
use super::{Parsed, Parser, make};
use crate::diagnostics;
use crate::token::Tok;

type Field = (Path, Option<TypeExpr>, Expr);

impl Parser<'_> {
    /// The closing bracket, wherever it stands.
    pub(super) fn close(
        &mut self,
        bracket: &str,
        open: Span,
        wanted: &'static str,
    ) -> Parsed<Span> {
        let token = self.raw().clone();
        if token.tok == Tok::Key(wanted) {
            self.advance();
            return Ok(token.span);
        }
        if token.tok == Tok::Bad {
            return self.unexpected(wanted);
        }
        if let Tok::Key(found @ (")" | "]" | "}" | "|]")) = token.tok {
            self.advance();
            return self.fail(diagnostics::wrong_close(open, bracket, token.span, found, wanted));
        }
        let ends = token.tok == Tok::Eof || token.first;
        if ends {
            let stop = self.here();
            return self.fail(diagnostics::unclosed(open, bracket, stop, wanted));
        }
        self.unexpected(&format!("`{wanted}`"))
    }

    pub(super) fn parenthesised(&mut self) -> Parsed<Expr> {
        if let Some(name) = self.parenthesised_name() {
            return Ok(make::ident(name));
        }
        if let Some(member) = self.attempt(Self::resolved_member) {
            return Ok(member);
        }
        let open = self.advance().span;
        if self.raw().tok == Tok::Key(")") {
            let end = self.advance().span;
            return Ok(make::unit(open.to(end)));
        }
        let is_function = self.raw().tok == Tok::Key("fun");
        let mut body = self.nested(Self::in_parentheses)?;
        if self.accept(":").is_some() {
            let ty = self.type_expr()?;
            let span = body.span.to(ty.span);
            // `(fun x -> e : t)` says what `e` is.
            if let (true, ExprKind::Fun(_, result @ None, _)) = (is_function, &mut body.kind) {
                *result = Some(ty);
            } else {
                body = make::expr(ExprKind::Annotate(Box::new(body), ty), span);
            }
        }
        let end = self.close("(", open, ")")?;
        // The parentheses count: `-1 |> f` and `(a, b)` are one thing.
        Ok(make::group(body, open.to(end)))
    }

    /// `(^a : (static member M : t) args)`
    fn resolved_member(&mut self) -> Option<Expr> {
        let start = self.accept("(")?;
        let is_variable = |it: &Self| match it.peek() {
            Tok::TypeVar(_) => true,
            Tok::Op(text) => text.as_str() == "^",
            _ => false,
        };
        let both = self.is("(").then(|| self.advance());
        if !is_variable(self) {
            return None;
        }
        let on = self.atomic_type().ok()?;
        if both.is_some() {
            // `(^a or ^b)`: the first one has it.
            if matches!(self.peek(), Tok::Ident(word) if word.as_str() == "or") {
                self.advance();
                self.atomic_type().ok()?;
            }
            self.accept(")")?;
        }
        self.accept(":")?;
        self.accept("(")?;
        let is_static = self.accept("static").is_some();
        self.accept("member")?;
        let name = self.defined_name()?;
        self.accept(":")?;
        let ty = self.type_expr().ok()?;
        self.accept(")")?;
        let args = self.expr().ok()?;
        let end = self.accept(")")?;
        let text = name.text.as_str().strip_prefix("get_").map_or(name.text, Symbol::new);
        let name = Name { text, ..name };
        let member = ResolvedMember { on, is_static, name, ty, args };
        Some(make::expr(ExprKind::ResolvedMember(Box::new(member)), start.to(end)))
    }

    /// What stands behind `(` on the same line keeps the offside line of the line around, so that
    /// the body of a `fun` may stand left of the parenthesis.
    fn in_parentheses(&mut self) -> Parsed<Expr> {
        let token = self.raw().clone();
        let statement = matches!(token.tok, Tok::Key("let" | "use" | "do" | "open"));
        if token.first || statement {
            let lines = self.lines(true)?;
            return Ok(self.fold(lines));
        }
        let around = std::mem::replace(&mut self.soft, token.column);
        let first = self.expr();
        self.soft = around;
        let first = first?;
        let next = self.raw();
        let goes_on = next.first && next.column == token.column && !ends(&next.tok);
        if !self.is(";") && !goes_on {
            return Ok(first);
        }
        let mut items = vec![first];
        loop {
            while self.accept(";").is_some() {}
            if ends(&self.raw().tok) {
                break;
            }
            let lines = self.lines(true)?;
            items.push(self.fold(lines));
        }
        let span = items.first().map_or(token.span, |it| it.span);
        Ok(make::sequence(items, span))
    }

    pub(super) fn list_or_array(
        &mut self,
        bracket: &'static str,
        wanted: &'static str,
    ) -> Parsed<Expr> {
        let open = self.advance().span;
        let kind = if bracket == "[" { Collection::List } else { Collection::Array };
        if self.raw().tok == Tok::Key(wanted) {
            let end = self.advance().span;
            let span = open.to(end);
            return Ok(match kind {
                Collection::List => make::construct("[]", None, span),
                _ => make::expr(ExprKind::Array(Vec::new()), span),
            });
        }
        let lines = self.nested(Self::elements)?;
        let end = self.close(bracket, open, wanted)?;
        let span = open.to(end);
        Ok(self.collection(lines, kind, span))
    }

    /// Elements on lines or between `;`, or a range.
    pub(super) fn elements(&mut self) -> Parsed<Vec<Line>> {
        if let Some(range) = self.attempt(Self::range_alone) {
            return Ok(vec![Line::Expr(range)]);
        }
        self.lines(true)
    }

    /// `a .. b`, `a .. s .. b` with a closing bracket behind it.
    fn range_alone(&mut self) -> Option<Expr> {
        let from = self.expr_no_tuple().ok()?;
        self.accept("..")?;
        let range = self.range_rest(from).ok()?;
        matches!(self.raw().tok, Tok::Key("]" | "|]" | "}")).then_some(range)
    }

    /// After `a ..`.
    pub(super) fn range_rest(&mut self, from: Expr) -> Parsed<Expr> {
        let second = self.expr_no_tuple()?;
        let (step, to) = match self.accept("..") {
            Some(_) => (Some(Box::new(second)), self.expr_no_tuple()?),
            None => (None, second),
        };
        let span = from.span.to(to.span);
        Ok(make::expr(ExprKind::Range { from: Box::new(from), step, to: Box::new(to) }, span))
    }

    fn collection(&mut self, lines: Vec<Line>, kind: Collection, span: Span) -> Expr {
        if !is_comprehension(&lines) {
            let items: Vec<Expr> = lines
                .into_iter()
                .filter_map(|it| match it {
                    Line::Expr(expr) => Some(expr),
                    _ => None,
                })
                .collect();
            return make::expr(
                match kind {
                    Collection::List => ExprKind::List(items),
                    Collection::Array | Collection::Seq => ExprKind::Array(items),
                },
                span,
            );
        }
        self.comprehension(lines, kind, span)
    }

    /// `seq { … }`; the name has been read.
    pub(super) fn seq_expr(&mut self, start: Span) -> Parsed<Expr> {
        let open = self.advance().span;
        if self.raw().tok == Tok::Key("}") {
            let end = self.advance().span;
            return Ok(self.comprehension(Vec::new(), Collection::Seq, start.to(end)));
        }
        let lines = self.nested(Self::elements)?;
        let end = self.close("{", open, "}")?;
        Ok(self.comprehension(lines, Collection::Seq, start.to(end)))
    }

    pub(super) fn record(&mut self) -> Parsed<Expr> {
        let open = self.advance().span;
        if self.raw().tok == Tok::Key("new") {
            return self.object_expression(open);
        }
        // `{ 1 .. 9 }`: a sequence without its name.
        if let Some(range) = self.attempt(Self::range_alone) {
            let end = self.close("{", open, "}")?;
            let lines = vec![Line::Expr(range)];
            return Ok(self.comprehension(lines, Collection::Seq, open.to(end)));
        }
        let base = self.attempt(|this| {
            let base = this.expr_no_tuple().ok()?;
            this.accept("with")?;
            Some(base)
        });
        // There is at least one.
        let mut fields = vec![self.record_field()?];
        loop {
            let token = self.raw();
            if token.tok == Tok::Key(";") {
                self.advance();
            } else if !(token.first && matches!(token.tok, Tok::Ident(_))) {
                break;
            }
            if self.raw().tok == Tok::Key("}") {
                break;
            }
            fields.push(self.record_field()?);
        }
        let end = self.close("{", open, "}")?;
        Ok(make::expr(ExprKind::Record { base: base.map(Box::new), fields }, open.to(end)))
    }

    fn record_field(&mut self) -> Parsed<Field> {
        let column = self.raw().column;
        let outer = self.offside.min(column - 1);
        let path = self.at_column(outer, |this| this.field_path())?;
        self.at_column(column, |this| {
            if !this.is_op("=") && this.raw().tok != Tok::Bad {
                let found = this.raw().clone();
                let (found, span) = (this.describe(&found), this.here());
                let report = diagnostics::expected(span, "`=` after the name of a field", &found);
                return this.fail(report.help(
                    "`{ … }` makes a record; a block has no braces, its lines are indented",
                ));
            }
            this.equals()?;
            let value = this.short_block("the value of this field")?;
            Ok((path, None, value))
        })
    }

    /// `X`, `Type.X`, `Module.X`
    pub(super) fn field_path(&mut self) -> Parsed<Path> {
        let mut name = self.ident("the name of a field")?;
        let mut prefix: Option<Box<ModulePath>> = None;
        while self.raw().tok == Tok::Key(".") {
            self.advance();
            prefix = Some(Box::new(extend(prefix, name)));
            name = self.ident("the name of a field")?;
        }
        Ok(Path { prefix, name })
    }
}

pub fn extend(prefix: Option<Box<ModulePath>>, name: Name) -> ModulePath {
    match prefix {
        None => ModulePath::Name(name),
        Some(prefix) => ModulePath::Dot(prefix, name),
    }
}

fn ends(tok: &Tok) -> bool {
    matches!(tok, Tok::Key(")" | "]" | "}" | "|]" | ":") | Tok::Eof)
}
