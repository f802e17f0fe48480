//! Constructs that begin with a keyword: `if`, `match`, `fun`, loops, `try`.

use oxbow_base::{Made, Span};
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::{Bang, Case, Expr, ExprKind, Path, Pattern, PatternKind};

use super::{Parsed, Parser, make};
use crate::diagnostics;
use crate::token::Tok;

/// Where a loop begins, and what had been reported before it.
struct LoopHead {
    span: Span,
    column: i32,
    mark: usize,
}

impl Parser<'_> {
    /// A construct that begins with this keyword, if there is one.
    pub(super) fn keyword_expr(&mut self, word: &'static str) -> Parsed<Option<Expr>> {
        let start = self.here();
        let expr = match word {
            "if" => self.if_expr()?,
            "match" => self.match_expr()?,
            "fun" => self.fun_expr()?,
            "function" => {
                self.advance();
                let keyword = self.previous();
                let cases = self.cases("function")?;
                make::expr(ExprKind::Function(keyword, cases), start.to(self.previous()))
            }
            "try" => self.try_expr()?,
            "while" => self.while_expr()?,
            "for" => self.for_expr()?,
            "lazy" => {
                self.advance();
                let inner = self.short_block("the delayed expression")?;
                let span = start.to(inner.span);
                make::expr(ExprKind::Lazy(Box::new(inner)), span)
            }
            "assert" => {
                self.advance();
                let inner = self.application()?;
                let span = start.to(inner.span);
                make::expr(ExprKind::Assert(Box::new(inner)), span)
            }
            "yield" => {
                self.advance();
                let inner = self.short_block("the value to yield")?;
                let span = start.to(inner.span);
                make::expr(ExprKind::Yield(Box::new(inner)), span)
            }
            "return" => self.bang(Bang::Return)?,
            "return!" => self.bang(Bang::ReturnFrom)?,
            "do!" => self.bang(Bang::Do)?,
            "match!" => self.match_bang()?,
            "yield!" => {
                self.advance();
                let inner = self.short_block("the sequence to yield")?;
                let span = start.to(inner.span);
                make::expr(ExprKind::YieldFrom(Box::new(inner)), span)
            }
            "let" => {
                self.advance();
                let (recursive, bindings) = self.bindings(Vec::new(), start)?;
                if self.accept_continuing("in").is_none() && !self.raw().first {
                    return self.unexpected("`in`").map(Some);
                }
                let body = self.block("the body of this `let`")?;
                let span = start.to(body.span);
                make::expr(ExprKind::Let { recursive, bindings, body: Box::new(body) }, span)
            }
            "upcast" => {
                self.advance();
                self.application()?
            }
            "downcast" | "fixed" | "inherit" => {
                self.advance();
                return self.fail(Diagnostic::not_supported(start, &format!("`{word}`")));
            }
            _ => return Ok(None),
        };
        Ok(Some(expr))
    }

    fn if_expr(&mut self) -> Parsed<Expr> {
        let head = self.raw().clone();
        let start = self.advance().span;
        let cond = self.expr()?;
        if self.accept_continuing("then").is_none() {
            let at = self.here();
            return self.fail(diagnostics::missing_then(cond.span, at));
        }
        self.ifs.push(self.offside);
        let then = self.block("the branch after `then`");
        self.ifs.pop();
        let then = then?;
        let otherwise = if let Some(column) = self.left_of_its_if() {
            let (span, word) = (self.here(), self.raw().tok.clone());
            self.report(diagnostics::else_left_of_if(span, start));
            let branch = self.at_column(column, |this| {
                if word == Tok::Key("elif") {
                    return this.if_expr();
                }
                this.advance();
                this.block("the branch after `else`")
            });
            Some(branch?)
        } else if self.continues("elif") {
            Some(self.if_expr()?)
        } else if let Some(word) = self.foreign_elif() {
            let span = self.here();
            self.report(diagnostics::foreign_elif(span, word.as_str()));
            Some(self.if_expr()?)
        } else if self.accept_continuing("else").is_some() {
            // `else if` is one word in two.
            if self.is("if") && !self.raw().first {
                Some(self.if_expr()?)
            } else if head.first && self.raw().first && self.raw().column == head.column {
                // `if done then () else` at the end of a line: the rest of the block is the branch.
                let lines = self.nested(|this| this.lines(true))?;
                Some(self.fold(lines))
            } else {
                Some(self.block("the branch after `else`")?)
            }
        } else {
            None
        };
        let span = start.to(self.previous());
        Ok(make::expr(ExprKind::If(Box::new(cond), Box::new(then), otherwise.map(Box::new)), span))
    }

    /// The column of an `else` or `elif` that stands too far left for every `if` that it could belong to.
    fn left_of_its_if(&self) -> Option<i32> {
        let token = self.raw();
        let is_branch = matches!(token.tok, Tok::Key("else" | "elif"));
        let left_of = |line: i32| token.column < line;
        (is_branch
            && token.first
            && left_of(self.offside)
            && self.ifs.iter().all(|&it| left_of(it)))
        .then_some(token.column)
    }

    /// `elseif` and its kin, as other languages write `elif`.
    fn foreign_elif(&self) -> Option<oxbow_base::Symbol> {
        let token = self.raw();
        let Tok::Ident(word) = token.tok else { return None };
        let known = matches!(word.as_str(), "elseif" | "elsif" | "elif'");
        (known && (!token.first || token.column >= self.offside)).then_some(word)
    }

    pub(super) fn match_expr(&mut self) -> Parsed<Expr> {
        let start = self.advance().span;
        let scrutinee = self.expr()?;
        if self.accept_continuing("with").is_none() {
            let at = self.here();
            return self.fail(diagnostics::missing_with(start, "match", at));
        }
        let cases = self.cases("match")?;
        let span = start.to(self.previous());
        Ok(make::expr(ExprKind::Match(Box::new(scrutinee), cases), span))
    }

    /// Does a `|` that continues the cases of the innermost match come next?
    fn bar_continues(&self, column: Option<i32>) -> bool {
        let token = self.raw();
        if token.tok != Tok::Key("|") {
            return false;
        }
        if !token.first {
            return true;
        }
        match column {
            Some(column) => token.column == column,
            None => {
                token.column >= self.offside
                    || (token.column >= self.outer && !self.bars.contains(&token.column))
            }
        }
    }

    /// Cases after `with` or `function`.
    pub(super) fn cases(&mut self, word: &'static str) -> Parsed<Vec<Case>> {
        let mut cases = Vec::new();
        let mut column = None;
        let mut first = true;
        let mut fault = None;
        loop {
            let bar = self.bar_continues(column);
            if bar {
                let token = self.advance();
                if token.first {
                    column = Some(token.column);
                }
            } else if !first {
                break;
            } else if matches!(self.peek(), Tok::Offside | Tok::Eof) {
                let (after, at) = (self.previous(), self.here());
                return self.fail(diagnostics::empty_block(
                    after,
                    at,
                    &format!("a case of this `{word}`"),
                ));
            }
            first = false;
            let depth = self.bars.len();
            self.bars.extend(column);
            let case = self.case(column);
            self.bars.truncate(depth);
            match case {
                Ok(case) => cases.push(case),
                Err(failed) => {
                    // On to the next case.
                    fault = Some(failed);
                    self.skip_to_case(column);
                }
            }
        }
        match fault {
            Some(failed) if cases.is_empty() => Err(failed),
            _ => Ok(cases),
        }
    }

    fn skip_to_case(&mut self, column: Option<i32>) {
        let stop = column.unwrap_or(self.offside).max(self.offside);
        self.skip_to_line(stop);
    }

    fn case(&mut self, column: Option<i32>) -> Parsed<Case> {
        // The pattern and the guard belong to the line of the `|`.
        let line = column.unwrap_or(self.offside);
        let (pattern, guard) = self.at_column(line.min(self.offside), |this| {
            let pattern = this.alternatives(column)?;
            let guard = match this.accept("when") {
                Some(_) => Some(this.expr()?),
                None => None,
            };
            Ok((pattern, guard))
        })?;
        if self.accept("->").is_none() {
            let at = self.here();
            return self.fail(diagnostics::missing_arrow(pattern.span, at));
        }
        // The body stands right of the `|`, or on its column: a last case often ends in another `match` there.
        let next = self.raw().clone();
        let body = if next.first && column == Some(next.column) && next.tok != Tok::Key("|") {
            let lines = self.nested(|this| this.lines(true))?;
            self.fold(lines)
        } else {
            let soft = self.soft;
            self.at_column(line, |this| {
                // `(try … with _ ->`: lines behind the parenthesis may follow.
                this.soft = if line < soft { soft } else { -1 };
                this.block("the result of this case")
            })?
        };
        Ok(Case { pattern, guard, body: Some(body) })
    }

    /// `p | q`, where the second may stand on a line of its own.
    fn alternatives(&mut self, column: Option<i32>) -> Parsed<Pattern> {
        let mut pattern = self.pattern()?;
        while self.bar_continues(column) {
            self.advance();
            let right = self.pattern()?;
            let span = pattern.span.to(right.span);
            pattern = make::pattern(PatternKind::Or(Box::new(pattern), Box::new(right)), span);
        }
        Ok(pattern)
    }

    fn fun_expr(&mut self) -> Parsed<Expr> {
        let head = self.advance();
        let start = head.span;
        let mut params = Vec::new();
        while self.starts_atomic_pattern() {
            params.push(make::param(self.atomic_pattern()?));
        }
        if params.is_empty() {
            return self.unexpected("a parameter");
        }
        if self.accept("->").is_none() {
            return self.unexpected("`->`");
        }
        let line = if self.raw().first { self.hard.min(self.offside) } else { self.offside };
        let begin = self.at;
        // `(fun x ->` at the end of a line: the body may stand on that line's own column, since `)` ends it.
        let next = self.raw();
        let on_line = next.first && head.column == self.soft && next.column == self.hard;
        let body = if on_line && !matches!(next.tok, Tok::Eof | Tok::Key(")")) {
            let lines = self.nested(|this| this.lines(true))?;
            self.fold(lines)
        } else {
            self.at_column(line, |this| this.block("the body of this function"))?
        };
        let body = self.framed(begin, body);
        let span = start.to(body.span);
        Ok(make::expr(ExprKind::Fun(params, None, Box::new(body)), span))
    }

    fn try_expr(&mut self) -> Parsed<Expr> {
        let head = self.advance();
        let start = head.span;
        let mut result = self.block_from(head.column, "the body of this `try`")?;
        let mut handled = false;
        if self.accept_continuing("with").is_some() {
            handled = true;
            let cases = self.cases("try")?;
            let cases = self.reraising(cases, start);
            let span = start.to(self.previous());
            result = make::expr(ExprKind::Try(Box::new(result), cases), span);
        }
        if self.accept_continuing("finally").is_some() {
            handled = true;
            let last = self.block_from(head.column, "the block after `finally`")?;
            result = self.try_finally(result, last, start);
        }
        if !handled {
            let at = self.here();
            return self.fail(diagnostics::missing_with(start, "try", at));
        }
        Ok(result)
    }

    /// `reraise ()` in a case means the exception that the case handles.
    fn reraising(&mut self, cases: Vec<Case>, span: Span) -> Vec<Case> {
        let exn = make::made(Made::Caught, span);
        cases
            .into_iter()
            .map(|case| {
                let at = case.pattern.span;
                let pattern = make::pattern(PatternKind::Alias(Box::new(case.pattern), exn), at);
                Case { pattern, ..case }
            })
            .collect()
    }

    /// ```text
    /// let finish () = last in
    /// let result = try body with exn -> finish (); raise exn in
    /// finish (); result
    /// ```
    pub(super) fn try_finally(&mut self, body: Expr, last: Expr, span: Span) -> Expr {
        let finish = self.numbered(Made::Finish, span);
        let result = self.numbered(Made::Result, span);
        let exn = self.fresh_name("exn", span);
        let at = last.span;
        let call = || make::apply(make::ident(finish), vec![make::unit(at)], at);
        let raise = make::apply(make::library("raise", at), vec![make::ident(exn)], at);
        let handler = make::case(make::var(exn), make::sequence(vec![call(), raise], at));
        let whole = span.to(at);
        let guarded = make::expr(ExprKind::Try(Box::new(body), vec![handler]), whole);
        let end = make::sequence(vec![call(), make::ident(result)], whole);
        let inner = make::let_in(make::var(result), guarded, end);
        let function = make::fun(vec![make::unit_pattern(at)], last, at);
        make::let_in(make::var(finish), function, inner)
    }

    /// `do` and the block behind it. It may stand on the column of the loop's first word: all that follows there
    /// is in the loop.
    fn loop_body(&mut self, head: &LoopHead) -> Parsed<Expr> {
        if self.accept_continuing("do").is_none() {
            // The body has been read as a part of the head, which is no mistake of its own.
            self.sink.rollback(head.mark);
            let at = self.end_of_line(head.span).unwrap_or(self.here());
            return self.fail(diagnostics::missing_do(at, head.span));
        }
        let body = self.block_from(head.column, "the body of this loop")?;
        self.accept_continuing("done");
        Ok(body)
    }

    /// Behind the last token of a line, if what has been read goes on below it.
    fn end_of_line(&self, start: Span) -> Option<Span> {
        let begin = self.tokens[..self.at].iter().rposition(|it| it.span == start)?;
        let next = (begin + 1..self.at).find(|&it| self.tokens[it].first)?;
        Some(self.tokens[next - 1].span.at_end())
    }

    /// The first word of a loop.
    fn loop_head(&mut self) -> LoopHead {
        let (mark, token) = (self.sink.mark(), self.advance());
        LoopHead { span: token.span, column: token.column, mark }
    }

    fn while_expr(&mut self) -> Parsed<Expr> {
        let head = self.loop_head();
        let cond = self.expr()?;
        let body = self.loop_body(&head)?;
        let span = head.span.to(body.span);
        Ok(make::expr(ExprKind::While(Box::new(cond), Box::new(body)), span))
    }

    fn for_expr(&mut self) -> Parsed<Expr> {
        let head = self.loop_head();
        let pattern = self.pattern()?;
        if self.is_op("=") {
            self.advance();
            return self.for_to(&head, pattern);
        }
        if self.accept("in").is_none() {
            // `for x [1; 2]` reads as a case with an argument.
            if let PatternKind::Construct(path, Some(arg)) = &pattern.kind
                && path.name.text.as_str().starts_with(|it: char| it.is_lowercase())
            {
                let span = arg.span;
                return self.fail(diagnostics::missing_in(span, path.name.span));
            }
            return self.unexpected("`in` or `=`");
        }
        let source = self.expr()?;
        let source = match self.accept("..") {
            Some(_) => self.range_rest(source)?,
            None => source,
        };
        let body = if self.accept("->").is_some() {
            let value = self.block("the value of each element")?;
            let span = value.span;
            make::expr(ExprKind::Yield(Box::new(value)), span)
        } else {
            self.loop_body(&head)?
        };
        let span = head.span.to(body.span);
        let kind = ExprKind::ForIn {
            pattern,
            source: Box::new(source),
            body: Box::new(body),
            until: false,
        };
        Ok(make::expr(kind, span))
    }

    fn for_to(&mut self, head: &LoopHead, var: Pattern) -> Parsed<Expr> {
        let from = self.expr()?;
        let down = self.accept("downto").is_some();
        if !down && self.accept("to").is_none() {
            return self.unexpected("`to` or `downto`");
        }
        let to = self.expr()?;
        let body = self.loop_body(head)?;
        let span = head.span.to(body.span);
        let (from, to, body) = (Box::new(from), Box::new(to), Box::new(body));
        Ok(make::expr(ExprKind::For { var, from, to, down, body }, span))
    }

    /// The unit argument `()` as a path.
    pub(super) fn unit_path(&self, span: Span) -> Path {
        Path::plain(make::name("()", span))
    }
}
