//! `fun`, `function`, `match`, `try`, `if`, `while`, `for`, and the place where an
//! expression is missing.

use oxbow_diag::Reported;
use oxbow_elab::ast::{Case, Expr, ExprKind, Pattern, PatternKind};

use crate::diagnostics::confusions::ElseIfSpelling;
use crate::diagnostics::lexical::{CharacterLength, MalformedCharacter};
use crate::diagnostics::missing::{MissingArrow, MissingDo, MissingThen, MissingWith};
use crate::lexer::{Tok, Token};

use super::effects::{Cases, EffectCase, Handles};
use super::expr::{error_expr, make_expr};
use super::{MAX_CHAIN, Parse, Parser};

impl Parser<'_> {
    pub(super) fn fun_expr(&mut self) -> Parse<Expr> {
        let keyword = self.bump();
        let attributes = self.keyword_attributes();
        let params = self.params()?;
        if params.is_empty() {
            return Err(self.no_pattern("a parameter"));
        }
        let ty = if self.eat(Tok::Colon) { Some(self.atomic_type()?) } else { None };
        self.arrow(keyword, "this `fun`")?;
        let body = Box::new(self.sequence()?);
        let mut expr = make_expr(ExprKind::Fun(params, ty, body), self.span_from(keyword.start));
        self.note_warnings(&attributes, expr.span);
        expr.attributes = attributes;
        Ok(expr)
    }

    pub(super) fn function_expr(&mut self) -> Parse<Expr> {
        let keyword = self.bump();
        let attributes = self.keyword_attributes();
        let Cases { cases, effects } = self.cases(keyword)?;
        if !effects.is_empty() {
            return Err(self.unexpected("`match` or `try`, which have cases for effects"));
        }
        let kind = ExprKind::Function(self.span_of(keyword), cases);
        let mut expr = make_expr(kind, self.span_from(keyword.start));
        self.note_warnings(&attributes, expr.span);
        expr.attributes = attributes;
        Ok(expr)
    }

    /// `match e with …` and `try e with …`
    pub(super) fn match_expr(&mut self) -> Parse<Expr> {
        let keyword = self.bump();
        self.keyword_attributes();
        let scrutinee = Box::new(self.sequence()?);
        if !self.eat(Tok::With) {
            let found = self.describe(self.token());
            let report = MissingWith {
                span: self.fault_span(),
                found: &found,
                keyword: self.text_of(keyword),
                keyword_span: self.span_of(keyword),
            };
            let diagnostic = report.render();
            let reported = self.report(diagnostic);
            if !self.at(Tok::Bar) {
                return Err(reported);
            }
        }
        let cases = self.cases(keyword)?;
        if !cases.effects.is_empty() {
            let handles = if keyword.tok == Tok::Match { Handles::Match } else { Handles::Try };
            let span = self.span_from(keyword.start);
            return Ok(self.handler(*scrutinee, handles, cases, span));
        }
        let cases = cases.cases;
        let kind = if keyword.tok == Tok::Match {
            ExprKind::Match(scrutinee, cases)
        } else {
            ExprKind::Try(scrutinee, cases)
        };
        Ok(make_expr(kind, self.span_from(keyword.start)))
    }

    /// `| p -> e | …`, the first bar optional. A case with a fault becomes an error
    /// case, and the next one is read.
    fn cases(&mut self, keyword: Token) -> Parse<Cases> {
        let Cases { mut cases, mut effects } = Cases::default();
        let mut lead = keyword;
        if self.at(Tok::Bar) {
            lead = self.bump();
        }
        loop {
            self.awaiting.bar += 1;
            let start = self.here();
            let result = self.case(lead, &mut effects);
            if result.is_err() {
                self.skip_to_stop();
            }
            self.awaiting.bar -= 1;
            match result {
                Ok(case) => cases.extend(case),
                Err(reported) if self.at(Tok::Bar) => {
                    let span = self.span_from(start);
                    let pattern = Pattern { kind: PatternKind::Error(reported), span };
                    cases.push(Case {
                        pattern,
                        guard: None,
                        body: Some(error_expr(reported, span)),
                    });
                }
                Err(reported) => return Err(reported),
            }
            if !self.at(Tok::Bar) {
                cases.shrink_to_fit();
                return Ok(Cases { cases, effects });
            }
            lead = self.bump();
        }
    }

    /// A case; one for an effect goes to `effects`.
    fn case(&mut self, lead: Token, effects: &mut Vec<EffectCase>) -> Parse<Option<Case>> {
        if self.at_effect_case() {
            let patterns = self.effect_pattern()?;
            let guard = if self.eat(Tok::When) { Some(self.sequence()?) } else { None };
            self.arrow(lead, "this case")?;
            let body = self.sequence()?;
            effects.push(Self::effect_case(patterns, guard, body));
            return Ok(None);
        }
        let pattern = self.pattern()?;
        let guard = if self.eat(Tok::When) { Some(self.sequence()?) } else { None };
        self.arrow(lead, "this case")?;
        let body = if self.at(Tok::Dot) {
            self.bump();
            None
        } else {
            Some(self.sequence()?)
        };
        Ok(Some(Case { pattern, guard, body }))
    }

    /// The `->` that `construct`, which started with `lead`, needs.
    fn arrow(&mut self, lead: Token, construct: &str) -> Parse<()> {
        if self.eat(Tok::Arrow) {
            return Ok(());
        }
        let found = self.describe(self.token());
        let report = MissingArrow {
            span: self.fault_span(),
            found: &found,
            construct,
            construct_span: self.span_of(lead),
        };
        let diagnostic = report.render();
        let reported = self.report(diagnostic);
        // `=` and `=>` are taken for the arrow they should have been.
        let is_confused = self.at(Tok::Equal)
            || (matches!(self.peek(), Tok::Infix0(_)) && self.text_of(self.token()) == "=>");
        if is_confused {
            self.bump();
            return Ok(());
        }
        Err(reported)
    }

    // ------------------------------------------------------------ branching

    /// `if` with all its `else if`.
    pub(super) fn if_expr(&mut self) -> Parse<Expr> {
        let mut arms: Vec<(u32, Expr, Expr)> = Vec::new();
        let mut last = None;
        loop {
            if arms.len() >= MAX_CHAIN as usize {
                return Err(self.too_deep(MAX_CHAIN));
            }
            let keyword = self.bump();
            self.keyword_attributes();
            // An `else` behind the condition shows that `then` is missing.
            self.awaiting.else_ += 1;
            let condition = self.sequence();
            self.awaiting.else_ -= 1;
            let condition = condition?;
            self.then(keyword)?;
            self.awaiting.else_ += 1;
            let branch = self.expr();
            self.awaiting.else_ -= 1;
            arms.push((keyword.start, condition, branch?));
            if self.at_else_if_spelling() {
                let report =
                    ElseIfSpelling { span: self.current_span(), word: self.text_of(self.token()) };
                let diagnostic = report.render();
                self.report(diagnostic);
                continue;
            }
            if !self.eat(Tok::Else) {
                break;
            }
            if !self.at(Tok::If) {
                last = Some(self.expr()?);
                break;
            }
        }
        let end = self.previous().end;
        while let Some((start, condition, branch)) = arms.pop() {
            let span = oxbow_base::Span::new(self.file, start, end);
            let kind = ExprKind::If(Box::new(condition), Box::new(branch), last.map(Box::new));
            last = Some(make_expr(kind, span));
        }
        match last {
            Some(expr) => Ok(expr),
            None => Err(self.unexpected("an expression")),
        }
    }

    fn then(&mut self, keyword: Token) -> Parse<()> {
        if self.eat(Tok::Then) {
            return Ok(());
        }
        let found = self.describe(self.token());
        let report =
            MissingThen { span: self.fault_span(), found: &found, if_span: self.span_of(keyword) }
                .render();
        Err(self.report(report))
    }

    /// `elif` or `elseif` behind a branch, with a `then` not far away.
    pub(super) fn at_else_if_spelling(&self) -> bool {
        let token = self.token();
        if !matches!(token.tok, Tok::Lower(_))
            || !matches!(self.text_of(token), "elif" | "elseif" | "elsif")
        {
            return false;
        }
        let ahead = (1..64).map(|it| self.nth(it));
        let mut ahead = ahead.skip_while(|&it| {
            !matches!(it, Tok::Then | Tok::Else | Tok::Semi | Tok::In | Tok::Eof)
        });
        ahead.next() == Some(Tok::Then)
    }

    // ---------------------------------------------------------------- loops

    pub(super) fn while_expr(&mut self) -> Parse<Expr> {
        let keyword = self.bump();
        self.keyword_attributes();
        let condition = Box::new(self.sequence()?);
        let body = Box::new(self.loop_body(keyword)?);
        Ok(make_expr(ExprKind::While(condition, body), self.span_from(keyword.start)))
    }

    pub(super) fn for_expr(&mut self) -> Parse<Expr> {
        let keyword = self.bump();
        self.keyword_attributes();
        let var = self.pattern()?;
        if !self.eat_definition_equal("the start of a loop") {
            return Err(self.unexpected("`=`"));
        }
        let from = Box::new(self.sequence()?);
        let down = match self.peek() {
            Tok::To => false,
            Tok::Downto => true,
            _ => return Err(self.unexpected("`to` or `downto`")),
        };
        self.bump();
        let to = Box::new(self.sequence()?);
        let body = Box::new(self.loop_body(keyword)?);
        Ok(make_expr(ExprKind::For { var, from, to, down, body }, self.span_from(keyword.start)))
    }

    /// `do … done`
    fn loop_body(&mut self, keyword: Token) -> Parse<Expr> {
        if !self.at(Tok::Do) {
            let found = self.describe(self.token());
            let report = MissingDo {
                span: self.fault_span(),
                found: &found,
                keyword: self.text_of(keyword),
                keyword_span: self.span_of(keyword),
            };
            let diagnostic = report.render();
            return Err(self.report(diagnostic));
        }
        let start = self.here();
        let body = self.group(Self::sequence);
        Ok(body.unwrap_or_else(|reported| error_expr(reported, self.span_from(start))))
    }

    // ----------------------------------------------------------- no operand

    /// Reports `'ab'`, which reads as a type variable.
    pub(super) fn long_character(&mut self) -> Option<Reported> {
        let token = self.token();
        if !matches!(token.tok, Tok::TypeVar(_)) || !self.text_of(token).ends_with('\'') {
            return None;
        }
        let report =
            MalformedCharacter { span: self.span_of(token), length: CharacterLength::Several }
                .render();
        Some(self.report(report))
    }

    /// Reports that an expression is missing here.
    pub(super) fn no_expression(&mut self) -> Reported {
        let token = self.token();
        if let Some(reported) = self.long_character() {
            return reported;
        }
        let is_name_like = matches!(
            token.tok,
            Tok::Method
                | Tok::Constraint
                | Tok::Inherit
                | Tok::Initializer
                | Tok::Virtual
                | Tok::Private
                | Tok::Mutable
                | Tok::Nonrec
                | Tok::Of
                | Tok::To
                | Tok::Downto
                | Tok::As
                | Tok::Rec
                | Tok::Val
                | Tok::Class
        );
        if is_name_like && !self.at_item_start() {
            return self.keyword_as_name();
        }
        self.unexpected("an expression")
    }
}
