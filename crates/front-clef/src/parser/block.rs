//! Blocks: lines in one column, `let` and `use` among them.

use oxbow_base::{Made, Mark, Span, Symbol};
use oxbow_elab::ast::{
    Attribute, Binding, Expr, ExprKind, LetBang, ModuleExpr, ModuleExprKind, ModulePath, Name,
    Param, Pattern, PatternKind, PolyType,
};

use super::{Failed, Parsed, Parser, make};
use crate::diagnostics;
use crate::token::{Tok, Token};

/// A line of a block.
#[expect(clippy::large_enum_variant, reason = "few exist at a time")]
pub enum Line {
    Let {
        recursive: bool,
        bindings: Vec<Binding>,
        span: Span,
    },
    Use {
        binding: Binding,
        span: Span,
    },
    /// `let! p = e and! q = f`, `use! p = e`
    LetBang {
        bindings: Vec<(Pattern, Expr)>,
        using: bool,
        span: Span,
    },
    Open(ModulePath, Span),
    /// `do e`: gives no element to a comprehension.
    Do(Expr),
    Expr(Expr),
}

impl Parser<'_> {
    /// The block that belongs to what was just read: on the same line, or on lines further to
    /// the right.
    pub(super) fn block(&mut self, what: &str) -> Parsed<Expr> {
        let after = self.previous();
        if matches!(self.peek(), Tok::Offside | Tok::Eof) {
            let at = self.here();
            return self.fail(diagnostics::empty_block(after, at, what));
        }
        let lines = self.nested(|this| this.lines(true))?;
        Ok(self.fold(lines))
    }

    /// A block that may stand on the column of the first word of its construct, too: all that follows there is in it.
    pub(super) fn block_from(&mut self, column: i32, what: &str) -> Parsed<Expr> {
        let next = self.raw();
        if !next.first || next.column != column || ends_block(&next.tok) {
            return self.block(what);
        }
        let lines = self.nested(|this| this.lines(true))?;
        Ok(self.fold(lines))
    }

    /// A block that `;` ends if it stands on one line with what it belongs to: `yield a; b`.
    pub(super) fn short_block(&mut self, what: &str) -> Parsed<Expr> {
        let after = self.previous();
        if matches!(self.peek(), Tok::Offside | Tok::Eof) {
            let at = self.here();
            return self.fail(diagnostics::empty_block(after, at, what));
        }
        let semicolons = self.raw().first;
        let lines = self.nested(|this| this.lines(semicolons))?;
        Ok(self.fold(lines))
    }

    /// The lines of a block, as far as they stand in one column.
    pub(super) fn lines(&mut self, semicolons: bool) -> Parsed<Vec<Line>> {
        let start = self.raw().clone();
        let column = start.column;
        let mut columns = vec![column];
        let mut lines = Vec::new();
        self.at_column(column, |this| {
            if start.first {
                this.hard = column;
            }
            loop {
                let start_at = this.at;
                this.exempt = Some(this.at);
                match this.line() {
                    Ok(line) => lines.push(line),
                    Err(Failed(reported)) => {
                        let span = this.here();
                        lines.push(Line::Expr(this.error_expr(reported, span)));
                        if this.brackets_end() {
                            this.note_broken(start_at);
                            break;
                        }
                        if this.at == start_at {
                            this.advance();
                        }
                        this.skip_to_line(column);
                        // What is left of the construct goes with it.
                        while this.raw().column == column && goes_on(&this.raw().tok) {
                            this.advance();
                            this.skip_to_line(column);
                        }
                        this.note_broken(start_at);
                        this.skip_closing(start_at);
                    }
                }
                if !this.next_line(&mut columns, &start, semicolons) {
                    break;
                }
            }
        });
        Ok(lines)
    }

    /// Is a closing bracket next? It belongs to somebody around.
    fn brackets_end(&self) -> bool {
        matches!(self.raw().tok, Tok::Key(")" | "]" | "}" | "|]"))
    }

    /// Moves to the next line of a block, if there is one. Its lines stand in the first of `columns`; the
    /// others are those of lines that were reported, so that one mistake is reported once.
    fn next_line(&mut self, columns: &mut Vec<i32>, block: &Token, semicolons: bool) -> bool {
        let column = columns[0];
        let mut separated = false;
        while semicolons && self.raw().tok == Tok::Key(";") && !self.is_offside(self.raw()) {
            self.advance();
            separated = true;
        }
        let token = self.raw().clone();
        if ends_block(&token.tok) {
            return false;
        }
        if token.first {
            if columns.contains(&token.column) {
                return true;
            }
            // Deeper than the block, and nothing before could use it; or between this block and the
            // one around it.
            if token.column > column && !separated
                || token.column < column && token.column > self.outer
            {
                // `let y = x`, then a line further to the right than `let`: it is meant for the block of
                // the `let`.
                if token.column < column && !block.first && self.outer >= 0 {
                    return false;
                }
                self.report(diagnostics::indentation(token.span, block.span));
                self.note_broken_line();
                columns.push(token.column);
                self.offside = self.offside.min(token.column);
                return true;
            }
            return separated && token.column >= column;
        }
        separated
    }

    /// Does a line begin here, at this column? Behind `let x = 1 in` the lines below the `let` are its body, as they
    /// are without the `in`.
    fn is_line_at(&self, column: i32) -> bool {
        let next = self.raw();
        next.first && next.column == column && !ends_block(&next.tok)
    }

    fn line(&mut self) -> Parsed<Line> {
        let attributes = self.attributes()?;
        self.exempt = Some(self.at);
        match self.peek() {
            Tok::Key("let") => {
                let column = self.raw().column;
                let start = self.advance().span;
                let (recursive, bindings) = self.bindings(attributes, start)?;
                let span = start.to(self.previous());
                if self.accept_continuing("in").is_some() && !self.is_line_at(column) {
                    let body = self.block("the body of this `let`")?;
                    let span = start.to(body.span);
                    let kind = ExprKind::Let { recursive, bindings, body: Box::new(body) };
                    return Ok(Line::Expr(make::expr(kind, span)));
                }
                Ok(Line::Let { recursive, bindings, span })
            }
            Tok::Key("use") => {
                let column = self.raw().column;
                let start = self.advance().span;
                let binding = self.binding(attributes)?;
                let span = start.to(self.previous());
                if self.accept_continuing("in").is_some() && !self.is_line_at(column) {
                    let body = self.block("the body of this `use`")?;
                    return Ok(Line::Expr(self.use_binding(binding, body, span)));
                }
                Ok(Line::Use { binding, span })
            }
            Tok::Key("open") => {
                let start = self.advance().span;
                let path = self.module_path()?;
                Ok(Line::Open(path, start.to(self.previous())))
            }
            Tok::Key("let!" | "use!") => self.let_bang(),
            Tok::Key("do") => {
                self.advance();
                let body = self.block("the body of this `do`")?;
                Ok(Line::Do(body))
            }
            _ => Ok(Line::Expr(self.expr()?)),
        }
    }

    /// Lines to one expression.
    pub(super) fn fold(&mut self, lines: Vec<Line>) -> Expr {
        let mut lines = lines;
        let last = match lines.pop() {
            Some(Line::Expr(last) | Line::Do(last)) => last,
            Some(Line::Let { span, .. } | Line::Use { span, .. } | Line::LetBang { span, .. }) => {
                let reported = self.report(diagnostics::let_at_end(span));
                self.error_expr(reported, span)
            }
            Some(Line::Open(_, span)) => make::unit(span),
            None => make::unit(self.here()),
        };
        let mut result = vec![last];
        while let Some(line) = lines.pop() {
            match line {
                Line::Expr(expr) | Line::Do(expr) => result.push(expr),
                Line::Let { mut bindings, .. }
                    if bindings.len() == 1 && self.is_addressed(&bindings[0]) =>
                {
                    let body = close(result);
                    result = vec![self.cell(bindings.remove(0), body)];
                }
                Line::Let { recursive, bindings, span } => {
                    let body = close(result);
                    let span = span.to(body.span);
                    let kind = ExprKind::Let { recursive, bindings, body: Box::new(body) };
                    result = vec![make::expr(kind, span)];
                }
                Line::Use { binding, span } => {
                    let body = close(result);
                    result = vec![self.use_binding(binding, body, span)];
                }
                Line::LetBang { bindings, using, span } => {
                    let body = close(result);
                    let span = span.to(body.span);
                    let kind = ExprKind::LetBang(Box::new(LetBang { bindings, using, body }));
                    result = vec![make::expr(kind, span)];
                }
                Line::Open(path, span) => {
                    let body = close(result);
                    let module = ModuleExpr { kind: ModuleExprKind::Path(path), span };
                    let span = span.to(body.span);
                    result = vec![make::expr(ExprKind::Open(module, Box::new(body)), span)];
                }
            }
        }
        close(result)
    }

    /// `use x = e` with the rest of its block: `let x = e in try rest finally x.Dispose ()`
    fn use_binding(&mut self, mut binding: Binding, body: Expr, span: Span) -> Expr {
        if matches!(binding.pattern.kind, PatternKind::Any) {
            binding.pattern.kind =
                PatternKind::Var(make::made(Made::local("used"), binding.pattern.span));
        }
        let PatternKind::Var(name) = binding.pattern.kind else {
            self.report(diagnostics::expected(
                binding.pattern.span,
                "a name after `use`",
                "a pattern",
            ));
            return body;
        };
        let object = make::ident(Name { text: name.text, span: name.span });
        let path = oxbow_elab::ast::Path::plain(make::name("Dispose", name.span));
        let method = make::expr(ExprKind::Field(Box::new(object), path), name.span);
        let dispose = make::apply(method, vec![make::unit(name.span)], name.span);
        let body = self.try_finally(body, dispose, span);
        let span = span.to(body.span);
        let kind =
            ExprKind::Let { recursive: false, bindings: vec![binding], body: Box::new(body) };
        let mut made = make::expr(kind, span);
        // Computations have a method for it.
        made.attributes.push(Attribute::mark(Mark::Use, span));
        made
    }

    /// After `let`: the bindings up to the end of the last one.
    pub(super) fn bindings(
        &mut self,
        attributes: Vec<Attribute>,
        start: Span,
    ) -> Parsed<(bool, Vec<Binding>)> {
        let recursive = self.accept("rec").is_some();
        let mut bindings = vec![self.binding(attributes)?];
        while self.continues("and") {
            let and = self.raw().clone();
            if !recursive && !and.first {
                return self.fail(diagnostics::and_alone(and.span, start));
            }
            self.advance();
            let attributes = self.attributes()?;
            bindings.push(self.binding(attributes)?);
        }
        Ok((recursive, bindings))
    }

    /// `[inline] [mutable] name params [: type] = block`, or a pattern instead of the name.
    pub(super) fn binding(&mut self, attributes: Vec<Attribute>) -> Parsed<Binding> {
        let bounds = self.bounds.len();
        let binding = self.one_binding(attributes);
        self.bounds.truncate(bounds);
        binding
    }

    fn one_binding(&mut self, attributes: Vec<Attribute>) -> Parsed<Binding> {
        let mut attributes = attributes;
        let mut mutable = false;
        loop {
            let span = self.here();
            if self.accept("mutable").is_some() {
                mutable = true;
            } else if self.accept("inline").is_some() {
                attributes.push(Attribute::mark(Mark::Inline, span));
            } else if self.accept("private").is_some() {
                attributes.push(Attribute::mark(Mark::Private, span));
            } else if self.accept("internal").is_none() && self.accept("public").is_none() {
                break;
            }
        }
        let start = self.here();
        if let Some(name) = self.function_name() {
            let (name, params) = name;
            return self.function_binding(name, params, mutable, attributes, start);
        }
        let before = self.at;
        let pattern = self.pattern()?;
        let annotation = self.annotation()?;
        if !self.is_op("=") && self.raw().tok != Tok::Bad {
            return self.no_equals(before);
        }
        self.equals()?;
        let value = self.typed_block("the value of this binding")?;
        let span = start.to(value.span);
        let annotation =
            annotation.map(|ty| PolyType { vars: Vec::new(), locally_abstract: false, ty });
        Ok(Binding { pattern, value, annotation, mutable, attributes, span })
    }

    /// A block with its type, `3 : int`, on the line where it ends.
    fn typed_block(&mut self, what: &str) -> Parsed<Expr> {
        let value = self.block(what)?;
        if self.raw().first {
            return Ok(value);
        }
        let Some(ty) = self.annotation()? else { return Ok(value) };
        let span = value.span.to(ty.span);
        Ok(make::expr(ExprKind::Annotate(Box::new(value), ty), span))
    }

    fn annotation(&mut self) -> Parsed<Option<oxbow_elab::ast::TypeExpr>> {
        if self.accept(":").is_none() {
            return Ok(None);
        }
        Ok(Some(self.type_expr()?))
    }

    /// A binding without `=`: what is missing is missing where its first line ends.
    fn no_equals<T>(&mut self, start: usize) -> Parsed<T> {
        let found = self.raw().clone();
        let break_at = (start + 1..=self.at).find(|&it| self.tokens[it].first);
        match break_at {
            Some(at) => {
                let (head, next) = (self.tokens[at - 1].span, self.tokens[at].span);
                self.fail(diagnostics::missing_equals(head.at_end(), next))
            }
            None => {
                let what = self.describe(&found);
                let span = self.here();
                self.fail(diagnostics::expected(span, "`=`", &what))
            }
        }
    }

    pub(super) fn equals(&mut self) -> Parsed<Span> {
        if self.is_op("=") {
            return Ok(self.advance().span);
        }
        self.unexpected("`=`")
    }

    /// A name that is being defined, and the parameters behind it; `None` if a pattern stands
    /// here.
    fn function_name(&mut self) -> Option<(Name, Vec<Param>)> {
        self.attempt(|this| {
            let name = this.defined_name()?;
            this.type_parameters();
            let mut params = Vec::new();
            while this.starts_atomic_pattern() {
                let pattern = this.atomic_pattern().ok()?;
                params.push(make::param(pattern));
            }
            // Constructors that everybody knows are patterns: `let Some x = …`.
            if matches!(name.text.as_str(), "Some" | "Ok" | "Error" | "ValueSome") {
                return None;
            }
            match this.peek() {
                Tok::Key(":") => Some((name, params)),
                Tok::Op(it) if it.as_str() == "=" => Some((name, params)),
                _ => None,
            }
        })
    }

    /// `f`, `( + )`, `(|Even|Odd|)`
    pub(super) fn defined_name(&mut self) -> Option<Name> {
        match self.peek() {
            Tok::Ident(text) => Some(Name { text, span: self.advance().span }),
            Tok::Key("(") => self.parenthesised_name(),
            _ => None,
        }
    }

    /// `( + )`, `(|Even|Odd|)`, `(|Int|_|)`
    pub(super) fn parenthesised_name(&mut self) -> Option<Name> {
        self.attempt(|this| {
            let start = this.accept("(")?;
            if this.is("|") {
                return this.active_name(start);
            }
            let text = match this.peek() {
                Tok::Op(text) => text,
                Tok::Key(mark @ ("::" | ":=" | "&" | "..")) => Symbol::new(mark),
                _ => return None,
            };
            this.advance();
            let end = this.accept(")")?;
            let text = match text.as_str() {
                prefix @ ("~-" | "~+") => Symbol::new(prefix),
                _ => text,
            };
            Some(Name { text, span: start.to(end) })
        })
    }

    fn active_name(&mut self, start: Span) -> Option<Name> {
        let mut text = String::from("|");
        self.accept("|")?;
        loop {
            match self.peek() {
                Tok::Ident(it) => text.push_str(it.as_str()),
                Tok::Key("_") => text.push('_'),
                _ => return None,
            }
            self.advance();
            text.push('|');
            self.accept("|")?;
            if let Some(end) = self.accept(")") {
                return Some(Name { text: Symbol::new(&text), span: start.to(end) });
            }
        }
    }

    fn function_binding(
        &mut self,
        name: Name,
        params: Vec<Param>,
        mutable: bool,
        attributes: Vec<Attribute>,
        start: Span,
    ) -> Parsed<Binding> {
        let result = self.annotation()?;
        self.equals()?;
        let begin = self.at;
        let mut body = self.typed_block(&format!("the definition of `{}`", name.text))?;
        let is_inline = attributes.iter().any(|it| it.is(Mark::Inline));
        if !params.is_empty() && !is_inline {
            body = self.framed(begin, body);
        }
        let span = start.to(body.span);
        let poly = |ty| PolyType { vars: Vec::new(), locally_abstract: false, ty };
        let (value, annotation) = if params.is_empty() {
            (body, result.map(poly))
        } else {
            (make::expr(ExprKind::Fun(params, result, Box::new(body)), span), None)
        };
        let pattern = make::var(name);
        Ok(Binding { pattern, value, annotation, mutable, attributes, span })
    }
}

/// Tokens that no line of a block begins with.
fn ends_block(tok: &Tok) -> bool {
    matches!(
        tok,
        Tok::Eof
            | Tok::Key(
                ")" | "]"
                    | "}"
                    | "|]"
                    | "then"
                    | "else"
                    | "elif"
                    | "with"
                    | "finally"
                    | "done"
                    | "end"
                    | "and"
                    | "and!"
                    | "|"
                    | "in"
                    | ","
                    | "of"
                    | "->"
                    | "to"
                    | "downto"
                    | ";;"
                    | ".."
            )
    )
}

/// Tokens that continue a construct whose beginning could not be read.
fn goes_on(tok: &Tok) -> bool {
    matches!(tok, Tok::Key("then" | "else" | "elif" | "with" | "finally" | "|" | "->" | "done"))
}

fn close(mut reversed: Vec<Expr>) -> Expr {
    reversed.reverse();
    let span = match (reversed.first(), reversed.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => return make::unit(Span::new(oxbow_base::Id::from_index(0), 0, 0)),
    };
    make::sequence(reversed, span)
}
