//! `let` in all its forms, and parameters.
//!
//! ```text
//! let f x : t = e       pattern f, value Fun([x], Some t, e)
//! let x : 'a. t = e     pattern x, an annotation with quantifiers
//! let (x, y) = e        any pattern
//! let* x = e and* y = e
//! let open M  let module X = M  let exception E
//! ```
//!
//! A header ends at `in`; the sequence that follows is put into it by
//! [`LetHeader::around`], which keeps long chains of `let` off the stack.

use oxbow_base::Span;
use oxbow_diag::Reported;
use oxbow_elab::ast::{
    Binding, ExceptionDecl, Expr, ExprKind, LetOpBinding, ModuleExpr, Name, Param, ParamLabel,
    Pattern, PatternKind, PolyType,
};

use crate::diagnostics::confusions::RecursiveOperator;
use crate::diagnostics::missing::MissingIn;
use crate::diagnostics::structure::Unexpected;
use crate::lexer::{Tok, Token};

use super::expr::{error_expr, ident_expr, make_expr};
use super::{Parse, Parser};

/// A `let … in` without what follows.
pub(super) struct LetHeader {
    start: Span,
    form: LetForm,
}

enum LetForm {
    Values { recursive: bool, bindings: Vec<Binding> },
    Operators(Vec<LetOpBinding>),
    Open(ModuleExpr),
    Module(Name, Box<ModuleExpr>),
    Exception(ExceptionDecl),
}

/// What follows the name or pattern of a binding.
struct Definition {
    value: Expr,
    annotation: Option<PolyType>,
}

impl LetHeader {
    pub fn values(start: Span, recursive: bool, bindings: Vec<Binding>) -> Self {
        Self { start, form: LetForm::Values { recursive, bindings } }
    }

    pub fn around(self, body: Expr) -> Expr {
        let span = self.start.to(body.span);
        let body = Box::new(body);
        let kind = match self.form {
            LetForm::Values { recursive, bindings } => ExprKind::Let { recursive, bindings, body },
            LetForm::Operators(bindings) => ExprKind::LetOp { bindings, body },
            LetForm::Open(module) => ExprKind::Open(module, body),
            LetForm::Module(name, module) => ExprKind::LetModule(name, module, body),
            LetForm::Exception(decl) => ExprKind::LetException(decl, body),
        };
        make_expr(kind, span)
    }
}

impl Parser<'_> {
    /// The module behind `open` or `open!`; whether anything of the latter is used is not asked.
    pub(super) fn opened_module(&mut self) -> Parse<ModuleExpr> {
        let is_quiet = self.eat(Tok::Bang);
        self.keyword_attributes();
        let module = self.module_expr()?;
        if is_quiet {
            self.sink.switch_warnings(module.span, "-33");
        }
        Ok(module)
    }

    /// A `let` inside an expression, through its `in`.
    pub(super) fn let_header(&mut self) -> Parse<LetHeader> {
        let keyword = self.token();
        let start = self.span_of(keyword);
        let form = match (keyword.tok, self.nth(1)) {
            (Tok::LetOp(_), _) => LetForm::Operators(self.let_operators()?),
            (_, Tok::Open) => {
                self.pos += 2;
                LetForm::Open(self.opened_module()?)
            }
            (_, Tok::Module) => {
                self.pos += 2;
                self.keyword_attributes();
                let (name, module) = self.module_binding()?;
                LetForm::Module(name, Box::new(module))
            }
            (_, Tok::Exception) => {
                self.pos += 2;
                self.keyword_attributes();
                LetForm::Exception(self.exception_decl(keyword.start)?)
            }
            _ => {
                let (recursive, bindings) = self.let_bindings()?;
                if let (Some(ExprKind::Error(reported)), false) =
                    (bindings.last().map(|it| &it.value.kind), self.at(Tok::In))
                {
                    return Err(*reported);
                }
                LetForm::Values { recursive, bindings }
            }
        };
        self.expect_in(keyword)?;
        Ok(LetHeader { start, form })
    }

    fn expect_in(&mut self, keyword: Token) -> Parse<()> {
        if self.eat(Tok::In) {
            return Ok(());
        }
        let found = self.describe(self.token());
        let report = MissingIn {
            let_span: self.span_of(keyword),
            found: &found,
            found_span: (!self.at_eof()).then(|| self.current_span()),
        };
        let diagnostic = report.render();
        let reported = self.report(diagnostic);
        // An expression that stands below the `let` is taken for its body.
        let token = self.token();
        let goes_on = self.starts_expr()
            && !self.at_item_start()
            && self.is_first_on_line(token)
            && self.column_of(token) >= self.column_of(keyword);
        if goes_on { Ok(()) } else { Err(reported) }
    }

    /// `let rec f = … and g = …`, at `let`; up to `in`, if there is one.
    pub(super) fn let_bindings(&mut self) -> Parse<(bool, Vec<Binding>)> {
        let mut start = self.here();
        self.bump();
        let mut attributes = self.keyword_attributes();
        let recursive = self.eat(Tok::Rec);
        // Nearly every `let` binds one name, and a binding is a large node.
        let mut bindings = Vec::with_capacity(1);
        loop {
            let mut binding = self.nested(|parser| parser.let_binding(start))?;
            attributes.append(&mut binding.attributes);
            self.note_warnings(&attributes, binding.span);
            binding.attributes = attributes;
            bindings.push(binding);
            if !self.at(Tok::And) {
                return Ok((recursive, bindings));
            }
            start = self.here();
            self.bump();
            attributes = self.keyword_attributes();
        }
    }

    /// One binding. A fault in it is left behind if `in`, `and` or an item follows.
    fn let_binding(&mut self, start: u32) -> Parse<Binding> {
        self.awaiting.in_ += 1;
        let mut pattern = None;
        let result = self.binding_parts(&mut pattern);
        if result.is_err() {
            self.skip_to_stop();
        }
        self.awaiting.in_ -= 1;
        let is_at_end = matches!(self.peek(), Tok::In | Tok::And);
        let definition = match (result, &pattern) {
            (Ok(definition), _) => definition,
            (Err(reported), Some(_))
                if is_at_end || self.awaiting.in_ == 0 && self.awaiting.bar == 0 =>
            {
                Definition { value: error_expr(reported, self.span_from(start)), annotation: None }
            }
            (Err(reported), None) if is_at_end => {
                pattern = Some(Pattern {
                    kind: PatternKind::Error(reported),
                    span: self.span_from(start),
                });
                Definition { value: error_expr(reported, self.span_from(start)), annotation: None }
            }
            (Err(reported), _) => return Err(reported),
        };
        let Some(pattern) = pattern else { return Err(self.no_pattern("a pattern")) };
        let attributes = self.item_attributes();
        let Definition { value, annotation } = definition;
        Ok(Binding {
            pattern,
            value,
            annotation,
            mutable: false,
            attributes,
            span: self.span_from(start),
        })
    }

    /// Pattern and definition; the pattern is kept even if the rest has a fault.
    fn binding_parts(&mut self, kept: &mut Option<Pattern>) -> Parse<Definition> {
        if let Some((name, length)) = self.binding_name() {
            self.pos += length;
            *kept = Some(Pattern { kind: PatternKind::Var(name), span: name.span });
            return self.definition();
        }
        let pattern = self.pattern()?;
        *kept = Some(pattern);
        let annotation = if self.eat(Tok::Colon) {
            let ty = self.core_type()?;
            Some(PolyType { vars: Vec::new(), locally_abstract: false, ty })
        } else {
            None
        };
        self.definition_equal()?;
        Ok(Definition { value: self.sequence()?, annotation })
    }

    /// A name that is defined, not one that is part of a larger pattern; with the
    /// number of tokens it takes.
    fn binding_name(&self) -> Option<(Name, usize)> {
        let token = self.token();
        let (name, length) = match (token.tok, self.operator_in_parens()) {
            (Tok::Lower(text), _) => (self.name(text, token), 1),
            (_, Some((text, length))) => {
                let span =
                    self.span_of(token).to(self.span_of(self.token_at(self.pos + length - 1)));
                (Name { text, span }, length)
            }
            _ => return None,
        };
        let next = self.nth(length);
        let is_pattern =
            matches!(next, Tok::Comma | Tok::ColonColon | Tok::Bar | Tok::As | Tok::DotDot);
        (!is_pattern).then_some((name, length))
    }

    /// Parameters, result type and value behind a defined name.
    fn definition(&mut self) -> Parse<Definition> {
        let start = self.here();
        let params = self.params()?;
        let mut annotation = None;
        if self.eat(Tok::Colon) {
            let poly = self.poly_type()?;
            annotation = Some(poly);
        }
        let to = if self.eat(Tok::ColonGreater) { Some(self.core_type()?) } else { None };
        self.definition_equal()?;
        let mut body = self.sequence()?;
        if let Some(to) = to {
            let span = body.span;
            let from = annotation.take().map(|it| it.ty);
            body = make_expr(ExprKind::Coerce(Box::new(body), from, to), span);
        }
        if params.is_empty() {
            return Ok(Definition { value: body, annotation });
        }
        let result = annotation.map(|it| it.ty);
        let value = make_expr(ExprKind::Fun(params, result, Box::new(body)), self.span_from(start));
        Ok(Definition { value, annotation: None })
    }

    /// Parameters, type and body of a method.
    pub(super) fn method_definition(&mut self) -> Parse<(Expr, Option<PolyType>)> {
        let Definition { value, annotation } = self.definition()?;
        Ok((value, annotation))
    }

    fn definition_equal(&mut self) -> Parse<()> {
        if self.eat_definition_equal("a definition") {
            return Ok(());
        }
        if self.at_misused_keyword() {
            return Err(self.keyword_as_name());
        }
        Err(self.unexpected("`=`"))
    }

    /// `let* x = e and* y = e`, at `let*`.
    fn let_operators(&mut self) -> Parse<Vec<LetOpBinding>> {
        let mut bindings = Vec::new();
        loop {
            let token = self.bump();
            let (Tok::LetOp(text) | Tok::AndOp(text)) = token.tok else {
                return Err(self.unexpected("a binding operator"));
            };
            let op = self.name(text, token);
            self.keyword_attributes();
            if self.at(Tok::Rec) {
                let span = self.span_of(self.token());
                self.report(RecursiveOperator { span, operator: text.as_str() }.render());
                self.bump();
            }
            let (pattern, value) = self.let_operator_binding(token.start)?;
            bindings.push(LetOpBinding { op, pattern, value });
            if !matches!(self.peek(), Tok::AndOp(_)) {
                return Ok(bindings);
            }
        }
    }

    fn let_operator_binding(&mut self, start: u32) -> Parse<(Pattern, Expr)> {
        // `let* x in e` stands for `let* x = x in e`.
        if let (Tok::Lower(text), Tok::In | Tok::AndOp(_)) = (self.peek(), self.nth(1)) {
            let token = self.bump();
            let name = self.name(text, token);
            return Ok((
                Pattern { kind: PatternKind::Var(name), span: name.span },
                ident_expr(name),
            ));
        }
        let binding = self.nested(|parser| parser.let_binding(start))?;
        let Binding { pattern, value, annotation, .. } = binding;
        let pattern = match annotation {
            Some(annotation) => {
                let span = pattern.span.to(annotation.ty.span);
                Pattern { kind: PatternKind::Annotate(Box::new(pattern), annotation.ty), span }
            }
            None => pattern,
        };
        Ok((pattern, value))
    }

    // ----------------------------------------------------------- parameters

    /// True if a parameter of a function starts here.
    pub(super) fn starts_param(&self) -> bool {
        matches!(self.peek(), Tok::Tilde | Tok::Question | Tok::Label(_) | Tok::OptLabel(_))
            || self.starts_simple_pattern()
    }

    /// All parameters here; possibly none.
    pub(super) fn params(&mut self) -> Parse<Vec<Param>> {
        let mut params = Vec::new();
        while self.starts_param() {
            self.param(&mut params)?;
        }
        params.shrink_to_fit();
        Ok(params)
    }

    /// `(type a b)`
    pub(super) fn type_names(&mut self) -> Parse<Vec<Name>> {
        self.group(|parser| {
            parser.bump();
            let mut names = vec![parser.lower_name("a type")?];
            while matches!(parser.peek(), Tok::Lower(_)) {
                names.push(parser.lower_name("a type")?);
            }
            Ok(names)
        })
    }

    /// One parameter; `(type a b)` makes several.
    fn param(&mut self, params: &mut Vec<Param>) -> Parse<()> {
        let token = self.token();
        let start = token.start;
        let (label, pattern) = match token.tok {
            Tok::LParen if self.nth(1) == Tok::Type => {
                let names = self.type_names()?;
                params.extend(names.into_iter().map(|name| Param {
                    label: ParamLabel::Newtype(name),
                    pattern: Pattern { kind: PatternKind::Any, span: name.span },
                    span: name.span,
                }));
                return Ok(());
            }
            Tok::Label(text) => {
                self.bump();
                (ParamLabel::Labelled(self.name(text, token)), self.simple_pattern()?)
            }
            Tok::OptLabel(text) => {
                self.bump();
                let label = self.name(text, token);
                if self.at(Tok::LParen) {
                    let (pattern, default) = self.optional_with_default()?;
                    (ParamLabel::Optional(label, default), pattern)
                } else {
                    (ParamLabel::Optional(label, None), self.simple_pattern()?)
                }
            }
            Tok::Tilde | Tok::Question => self.punned_param()?,
            _ => (ParamLabel::None, self.simple_pattern()?),
        };
        params.push(Param { label, pattern, span: self.span_from(start) });
        Ok(())
    }

    /// `~x`, `~(x : t)`, `?x`, `?(x : t = e)`
    fn punned_param(&mut self) -> Parse<(ParamLabel, Pattern)> {
        let is_optional = self.bump().tok == Tok::Question;
        let (name, pattern, default) = if self.at(Tok::LParen) {
            let name_token = self.token_at(self.pos + 1);
            let (pattern, default) = self.optional_with_default()?;
            let Tok::Lower(text) = name_token.tok else {
                return Err(self.unexpected_label(name_token));
            };
            (self.name(text, name_token), pattern, default)
        } else {
            let name = self.lower_name("a label")?;
            (name, Pattern { kind: PatternKind::Var(name), span: name.span }, None)
        };
        let label = if is_optional {
            ParamLabel::Optional(name, default)
        } else {
            ParamLabel::Labelled(name)
        };
        Ok((label, pattern))
    }

    /// Reports a pattern in the place of the name that is also the label.
    fn unexpected_label(&mut self, token: Token) -> Reported {
        let found = self.describe(token);
        let report = Unexpected {
            span: self.span_of(token),
            found: &found,
            expected: "a label name",
            context: None,
        };
        let diagnostic = report.render();
        self.report(diagnostic)
    }

    /// `(p : t = e)`, type and default optional.
    fn optional_with_default(&mut self) -> Parse<(Pattern, Option<Box<Expr>>)> {
        self.group(|parser| {
            let start = parser.here();
            let mut pattern = parser.pattern()?;
            if parser.eat(Tok::Colon) {
                let ty = parser.core_type()?;
                let span = parser.span_from(start);
                pattern = Pattern { kind: PatternKind::Annotate(Box::new(pattern), ty), span };
            }
            let default =
                if parser.eat(Tok::Equal) { Some(Box::new(parser.sequence()?)) } else { None };
            Ok((pattern, default))
        })
    }
}
