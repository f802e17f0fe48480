//! Applications and what they are made of: names, constants, field and element
//! access, prefix operators.

use oxbow_base::{Span, Symbol};
use oxbow_elab::ast::{
    ArgLabel, Expr, ExprKind, ModuleExpr, ModuleExprKind, ModulePath, Name, Path,
};

use crate::diagnostics::confusions::{AssignToVariable, CurriedConstructor, NeedsParentheses};
use crate::lexer::Tok;

use super::constant::Sign;
use super::expr::{error_expr, ident_expr, make_expr};
use super::{Parse, Parser, join};

impl Parser<'_> {
    /// True if an expression that can be an argument starts here.
    pub(super) fn starts_simple(&self) -> bool {
        Self::is_simple_start(self.peek())
    }

    fn is_simple_start(tok: Tok) -> bool {
        matches!(
            tok,
            Tok::Lower(_)
                | Tok::Upper(_)
                | Tok::Int
                | Tok::Float
                | Tok::Char(_)
                | Tok::String(_)
                | Tok::BadLiteral
                | Tok::QuotedExtension
                | Tok::Prefix(_)
                | Tok::Bang
                | Tok::LParen
                | Tok::LBracket
                | Tok::LBracketBar
                | Tok::LBracketPercent
                | Tok::LBrace
                | Tok::LBraceLess
                | Tok::Begin
                | Tok::True
                | Tok::False
                | Tok::Backquote
                | Tok::New
                | Tok::Object
        )
    }

    pub(super) fn starts_argument(tok: Tok) -> bool {
        Self::is_simple_start(tok)
            || matches!(tok, Tok::Tilde | Tok::Question | Tok::Label(_) | Tok::OptLabel(_))
    }

    // --------------------------------------------------------- applications

    /// `f a ~b:c`, `C a`, `a.b <- c`
    pub(super) fn application(&mut self) -> Parse<Expr> {
        let start = self.here();
        let head = self.simple()?;
        if self.at(Tok::LeftArrow) {
            return self.assignment(head, start);
        }
        // One in parentheses takes no argument, but for `(::)`, whose name they are.
        if let ExprKind::Construct(path, None) = &head.kind
            && (matches!(self.previous().tok, Tok::Upper(_)) || path.name.text.as_str() == "::")
        {
            return self.constructor_application(head, start);
        }
        // A tag in parentheses takes no argument: `(`A) x`.
        if let ExprKind::Variant(tag, None) = head.kind
            && head.span.end == tag.span.end
            && self.starts_simple()
            && !self.at_else_if_spelling()
        {
            let arg = Box::new(self.simple()?);
            let kind = ExprKind::Variant(tag, Some(arg));
            return Ok(make_expr(kind, self.span_from(start)));
        }
        let mut args = Vec::new();
        while Self::starts_argument(self.peek()) && !self.at_else_if_spelling() {
            args.push(self.argument()?);
        }
        if matches!(self.peek(), Tok::Fun | Tok::Function | Tok::Lazy | Tok::Assert) {
            let report =
                NeedsParentheses { span: self.current_span(), word: self.text_of(self.token()) }
                    .render();
            self.report(report);
            args.push((ArgLabel::None, self.expr()?));
        }
        if args.is_empty() {
            return Ok(head);
        }
        args.shrink_to_fit();
        Ok(make_expr(ExprKind::Apply(Box::new(head), args), self.span_from(start)))
    }

    fn constructor_application(&mut self, head: Expr, start: u32) -> Parse<Expr> {
        let head_span = head.span;
        let ExprKind::Construct(path, None) = head.kind else { return Ok(head) };
        if !self.starts_simple() || self.at_else_if_spelling() {
            return Ok(make_expr(ExprKind::Construct(path, None), head_span));
        }
        let name = path.name.text;
        let arg = self.simple()?;
        if Self::starts_argument(self.peek()) && !self.at_else_if_spelling() {
            let report = CurriedConstructor {
                span: self.current_span(),
                constructor: name.as_str(),
                constructor_span: head_span,
            };
            let diagnostic = report.render();
            let reported = self.report(diagnostic);
            while Self::starts_argument(self.peek()) {
                self.argument()?;
            }
            return Ok(error_expr(reported, self.span_from(start)));
        }
        Ok(make_expr(ExprKind::Construct(path, Some(Box::new(arg))), self.span_from(start)))
    }

    pub(super) fn argument(&mut self) -> Parse<(ArgLabel, Expr)> {
        let token = self.token();
        match token.tok {
            Tok::Label(text) => {
                self.bump();
                let name = self.name(text, token);
                Ok((ArgLabel::Labelled(name), self.simple()?))
            }
            Tok::OptLabel(text) => {
                self.bump();
                let name = self.name(text, token);
                Ok((ArgLabel::Optional(name), self.simple()?))
            }
            Tok::Tilde if self.nth(1) == Tok::LParen => {
                self.bump();
                let start = self.here();
                let inner = self.group(|parser| {
                    let name = parser.lower_name("a label")?;
                    parser.expect(Tok::Colon, "`:`")?;
                    Ok((name, parser.core_type()?))
                });
                let (name, ty) = inner?;
                let value = Box::new(ident_expr(name));
                let expr = make_expr(ExprKind::Annotate(value, ty), self.span_from(start));
                Ok((ArgLabel::Labelled(name), expr))
            }
            Tok::Tilde | Tok::Question => {
                self.bump();
                let name = self.lower_name("a label")?;
                let label = match token.tok {
                    Tok::Tilde => ArgLabel::Labelled(name),
                    _ => ArgLabel::Optional(name),
                };
                Ok((label, ident_expr(name)))
            }
            _ => Ok((ArgLabel::None, self.simple()?)),
        }
    }

    /// `target <- value`, at the arrow.
    fn assignment(&mut self, target: Expr, start: u32) -> Parse<Expr> {
        let arrow = self.token();
        let is_variable = match &target.kind {
            ExprKind::Field(..) | ExprKind::Error(_) => false,
            // An instance variable, or a mistake that inference reports.
            ExprKind::Ident(path) => path.prefix.is_some(),
            ExprKind::Apply(func, _) => !is_index_operator(func),
            _ => true,
        };
        if is_variable {
            let text =
                self.text.get(target.span.start as usize..target.span.end as usize).unwrap_or("");
            let report = AssignToVariable { span: self.span_of(arrow), target: text }.render();
            self.report(report);
        }
        self.bump();
        let value = self.expr()?;
        let span = self.span_from(start);
        let kind = match target.kind {
            ExprKind::Field(record, field) => ExprKind::SetField(record, field, Box::new(value)),
            ExprKind::Ident(path) if path.prefix.is_none() => {
                ExprKind::AssignVar(path, Box::new(value))
            }
            ExprKind::Apply(mut func, mut args) if !is_variable => {
                if let ExprKind::Ident(path) = &mut func.kind {
                    path.name.text = Symbol::new(&format!("{}<-", path.name.text));
                }
                args.push((ArgLabel::None, value));
                ExprKind::Apply(func, args)
            }
            other => match self.reported {
                Some(reported) => ExprKind::Error(reported),
                None => other,
            },
        };
        Ok(make_expr(kind, span))
    }

    // ---------------------------------------------------------------- parts

    /// An expression that can be an argument.
    pub(super) fn simple(&mut self) -> Parse<Expr> {
        let start = self.here();
        let mut expr = self.accessed()?;
        while let Tok::HashOp(text) = self.peek() {
            let token = self.bump();
            let operator = ident_expr(self.name(text, token));
            let right = self.accessed()?;
            let args = vec![(ArgLabel::None, expr), (ArgLabel::None, right)];
            expr = make_expr(ExprKind::Apply(Box::new(operator), args), self.span_from(start));
        }
        Ok(expr)
    }

    /// A primary expression with `.field`, `.(index)` and the like behind it.
    fn accessed(&mut self) -> Parse<Expr> {
        let start = self.here();
        let mut expr = self.prefixed()?;
        loop {
            match self.peek() {
                Tok::Dot => {
                    expr = match self.nth(1) {
                        Tok::LParen | Tok::LBracket => {
                            self.bump();
                            self.element(expr, start, ".")?
                        }
                        Tok::LBrace => {
                            self.bump();
                            let element = self.element(expr, start, ".")?;
                            by_dimensions(element)
                        }
                        _ => {
                            self.bump();
                            let field = self.field_path()?;
                            make_expr(ExprKind::Field(Box::new(expr), field), self.span_from(start))
                        }
                    };
                }
                Tok::DotOp(text) => {
                    self.bump();
                    expr = self.element(expr, start, text.as_str())?;
                }
                Tok::Hash => {
                    self.bump();
                    let name = self.lower_name("a method")?;
                    let kind = ExprKind::Send(Box::new(expr), name);
                    expr = make_expr(kind, self.span_from(start));
                }
                _ => return Ok(expr),
            }
        }
    }

    /// `(index)` or `[index]` behind `a.` or `a.%`.
    fn element(&mut self, array: Expr, start: u32, dot: &str) -> Parse<Expr> {
        let opening = self.token();
        let brackets = match opening.tok {
            Tok::LParen => "()",
            Tok::LBracket => "[]",
            Tok::LBrace => "{}",
            _ => return Err(self.unexpected("`(`, `[` or `{`")),
        };
        let at = self.here();
        // Operators of one's own may have several indices: `a.%{i; j}` is `( .%{;..} ) a [| i; j |]`.
        let index = self.group(|parser| match dot {
            "." => parser.sequence().map(|it| vec![it]),
            _ => parser.elements(),
        });
        let inside = self.span_from(at);
        let span = self.span_from(start);
        let mut indices = match index {
            Ok(indices) => indices,
            Err(reported) => return Ok(error_expr(reported, span)),
        };
        let (index, brackets) = match indices.pop() {
            Some(index) if indices.is_empty() => (index, brackets.to_string()),
            Some(last) => {
                indices.push(last);
                let (open, close) = brackets.split_at(1);
                (make_expr(ExprKind::Array(indices), inside), format!("{open};..{close}"))
            }
            None => return Err(self.unexpected("an index")),
        };
        let operator = self.name(Symbol::new(&format!("{dot}{brackets}")), opening);
        let args = vec![(ArgLabel::None, array), (ArgLabel::None, index)];
        Ok(make_expr(ExprKind::Apply(Box::new(ident_expr(operator)), args), span))
    }

    /// `l` or `M.l`
    pub(super) fn field_path(&mut self) -> Parse<Path> {
        let mut prefix = None;
        while let (Tok::Upper(text), Tok::Dot) = (self.peek(), self.nth(1)) {
            let token = self.bump();
            self.bump();
            prefix = Some(Box::new(join(prefix, self.name(text, token))));
        }
        Ok(Path { prefix, name: self.lower_name("a field")? })
    }

    /// A primary expression behind prefix operators: `!a`.
    fn prefixed(&mut self) -> Parse<Expr> {
        let mut operators = Vec::new();
        loop {
            let token = self.token();
            let text = match token.tok {
                Tok::Bang => Symbol::new("!"),
                Tok::Prefix(text) => text,
                _ => break,
            };
            self.bump();
            operators.push(self.name(text, token));
        }
        let mut expr = self.primary()?;
        for operator in operators.into_iter().rev() {
            let span = operator.span.to(expr.span);
            let args = vec![(ArgLabel::None, expr)];
            expr = make_expr(ExprKind::Apply(Box::new(ident_expr(operator)), args), span);
        }
        Ok(expr)
    }

    fn primary(&mut self) -> Parse<Expr> {
        let token = self.token();
        let start = token.start;
        match token.tok {
            Tok::Lower(text) => {
                self.bump();
                Ok(ident_expr(self.name(text, token)))
            }
            Tok::Upper(_) => self.upper_primary(),
            Tok::True | Tok::False => {
                self.bump();
                Ok(self
                    .plain_construct(if token.tok == Tok::True { "true" } else { "false" }, start))
            }
            Tok::LParen => self.parenthesized(),
            Tok::Begin => self.begin_end(),
            Tok::LBracket => {
                let parts = self.group(|parser| {
                    parser.keyword_attributes();
                    parser.elements()
                });
                let span = self.span_from(start);
                Ok(match parts {
                    Ok(parts) if parts.is_empty() => self.plain_construct("[]", start),
                    Ok(parts) => make_expr(ExprKind::List(parts), span),
                    Err(reported) => error_expr(reported, span),
                })
            }
            Tok::LBracketBar => {
                let parts = self.group(Self::elements);
                let span = self.span_from(start);
                Ok(match parts {
                    Ok(parts) => make_expr(ExprKind::Array(parts), span),
                    Err(reported) => error_expr(reported, span),
                })
            }
            Tok::LBrace => self.record(),
            _ if self.at_constant() => Ok(match self.constant(Sign::Plus) {
                Ok(constant) => make_expr(ExprKind::Constant(constant), self.span_of(token)),
                Err(reported) => error_expr(reported, self.span_of(token)),
            }),
            _ => self.unsupported_primary(),
        }
    }

    pub(super) fn plain_construct(&self, text: &str, start: u32) -> Expr {
        let span = self.span_from(start);
        let name = Name { text: Symbol::new(text), span };
        make_expr(ExprKind::Construct(Path::plain(name), None), span)
    }

    /// Valid OCaml that is not handled, or no expression at all.
    fn unsupported_primary(&mut self) -> Parse<Expr> {
        let token = self.token();
        let start = token.start;
        let construct = match token.tok {
            Tok::Backquote => {
                let tag = self.variant_tag()?;
                return Ok(make_expr(ExprKind::Variant(tag, None), self.span_from(start)));
            }
            Tok::QuotedExtension => {
                self.bump();
                "extension points"
            }
            Tok::LBracketPercent if self.names_extension_constructor() => {
                let path = self.group(|parser| {
                    parser.attribute_name();
                    let (prefix, name) = parser.upper_path()?;
                    Ok(Path { prefix, name })
                });
                let span = self.span_from(start);
                return Ok(match path {
                    Ok(path) => make_expr(ExprKind::ExtensionConstructor(path), span),
                    Err(reported) => error_expr(reported, span),
                });
            }
            Tok::LBracketPercent => {
                self.skip_group();
                "extension points"
            }
            Tok::LBraceLess => return self.override_expr(),
            Tok::Object => return self.object_expr(),
            Tok::New => {
                self.bump();
                let path = self.class_path()?;
                return Ok(make_expr(ExprKind::New(path), self.span_from(start)));
            }
            _ => return Err(self.no_expression()),
        };
        let reported = self.unsupported(self.span_from(start), construct);
        Ok(error_expr(reported, self.span_from(start)))
    }

    /// Is this `[%extension_constructor …]`?
    fn names_extension_constructor(&self) -> bool {
        let is_name = |at: usize, name: &str| matches!(self.nth(at), Tok::Lower(text) if text.as_str() == name);
        is_name(1, "extension_constructor")
            || is_name(1, "ocaml") && self.nth(2) == Tok::Dot && is_name(3, "extension_constructor")
    }

    /// A back quote and the name behind it.
    pub(super) fn variant_tag(&mut self) -> Parse<Name> {
        self.expect(Tok::Backquote, "a tag")?;
        match self.peek() {
            Tok::Lower(text) | Tok::Upper(text) => {
                let token = self.bump();
                Ok(self.name(text, token))
            }
            _ => Err(self.unexpected("a tag")),
        }
    }

    /// `M.(::)`, when the name and the dot have been read.
    pub(super) fn cons_in_parens(&mut self, module: &ModulePath) -> Option<Path> {
        let is_cons = matches!(
            (self.peek(), self.nth(1), self.nth(2)),
            (Tok::LParen, Tok::ColonColon, Tok::RParen)
        );
        is_cons.then(|| {
            let start = self.here();
            self.pos += 3;
            let name = Name { text: Symbol::new("::"), span: self.span_from(start) };
            Path { prefix: Some(Box::new(module.clone())), name }
        })
    }

    /// `M.x`, `M.C`, `M.(e)`, `M.[e]`, `M.{e}`
    fn upper_primary(&mut self) -> Parse<Expr> {
        let start = self.here();
        let (prefix, name) = self.upper_path()?;
        let next = if self.at(Tok::Dot) { self.nth(1) } else { Tok::Eof };
        match next {
            Tok::Lower(text) => {
                self.bump();
                let token = self.bump();
                let prefix = Some(Box::new(join(prefix, name)));
                let path = Path { prefix, name: self.name(text, token) };
                Ok(make_expr(ExprKind::Ident(path), self.span_from(start)))
            }
            Tok::LParen | Tok::LBracket | Tok::LBracketBar | Tok::LBrace => {
                self.bump();
                let module = join(prefix, name);
                if let Some((text, length)) = self.operator_in_parens() {
                    let opening = self.token();
                    self.pos += length;
                    let path =
                        Path { prefix: Some(Box::new(module)), name: self.name(text, opening) };
                    return Ok(make_expr(ExprKind::Ident(path), self.span_from(start)));
                }
                if let Some(path) = self.cons_in_parens(&module) {
                    return Ok(make_expr(ExprKind::Construct(path, None), self.span_from(start)));
                }
                let body = self.primary()?;
                Ok(make_expr(
                    ExprKind::Open(module_expr(module), Box::new(body)),
                    self.span_from(start),
                ))
            }
            _ if self.at(Tok::Dot) => {
                self.bump();
                Err(self.no_name("a value"))
            }
            _ => Ok(make_expr(
                ExprKind::Construct(Path { prefix, name }, None),
                self.span_from(start),
            )),
        }
    }
}

/// `a.{i, j}` as a call of the operator `.{2}` with both indices; of more than three they are an array.
fn by_dimensions(element: Expr) -> Expr {
    let Expr { kind: ExprKind::Apply(mut func, mut args), span, .. } = element else {
        return element;
    };
    let Some((_, index)) = args.pop() else {
        return make_expr(ExprKind::Apply(func, args), span);
    };
    let indices = match index.kind {
        ExprKind::Tuple(indices) => indices,
        _ => vec![index],
    };
    if let ExprKind::Ident(path) = &mut func.kind {
        let text = match indices.len() {
            1 => ".{1}",
            2 => ".{2}",
            3 => ".{3}",
            _ => ".{n}",
        };
        path.name.text = Symbol::new(text);
    }
    match indices.len() {
        1..=3 => args.extend(indices.into_iter().map(|it| (ArgLabel::None, it))),
        _ => args.push((ArgLabel::None, make_expr(ExprKind::Array(indices), span))),
    }
    make_expr(ExprKind::Apply(func, args), span)
}

fn is_index_operator(func: &Expr) -> bool {
    match &func.kind {
        ExprKind::Ident(path) => {
            let text = path.name.text.as_str();
            text.starts_with('.') && text.ends_with([')', ']', '}'])
        }
        _ => false,
    }
}

pub(super) fn module_expr(path: ModulePath) -> ModuleExpr {
    let span: Span = path.span();
    ModuleExpr { kind: ModuleExprKind::Path(path), span }
}
