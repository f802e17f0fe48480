//! Patterns.
//!
//! ```text
//! lowest   p as x      postfix, takes all before it
//!          p | q       left
//!          p, q, r     n-ary
//!          p :: q      right
//! highest  C p, lazy p, exception p
//! ```

use oxbow_base::Symbol;
use oxbow_diag::Reported;
use oxbow_elab::ast::{Name, Path, Pattern, PatternKind};

use crate::lexer::Tok;

use super::constant::Sign;
use super::{Parse, Parser, join};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Operator {
    Or,
    Tuple,
    Cons,
}

pub(super) fn make_pattern(kind: PatternKind, span: oxbow_base::Span) -> Pattern {
    Pattern { kind, span }
}

impl Parser<'_> {
    pub(super) fn pattern(&mut self) -> Parse<Pattern> {
        self.nested(Self::pattern_operators)
    }

    fn pattern_operators(&mut self) -> Parse<Pattern> {
        let first = self.pattern_operand()?;
        if !matches!(
            self.peek(),
            Tok::Bar | Tok::Comma | Tok::ColonColon | Tok::As | Tok::LBracketAt
        ) {
            return Ok(first);
        }
        let mut operands = vec![first];
        let mut stack: Vec<(Operator, Name, usize)> = Vec::new();
        loop {
            let token = self.token();
            let operator = match token.tok {
                Tok::Bar => Operator::Or,
                Tok::Comma => Operator::Tuple,
                Tok::ColonColon => Operator::Cons,
                Tok::As => {
                    self.bump();
                    reduce(&mut operands, &mut stack, |_| true);
                    let name = self.value_name()?;
                    if let Some(pattern) = operands.pop() {
                        let span = pattern.span.to(name.span);
                        operands
                            .push(make_pattern(PatternKind::Alias(Box::new(pattern), name), span));
                    }
                    continue;
                }
                Tok::LBracketAt => {
                    self.attributes(Tok::LBracketAt);
                    continue;
                }
                _ => break,
            };
            self.bump();
            reduce(&mut operands, &mut stack, |it| {
                it > operator || (it == operator && operator == Operator::Or)
            });
            match (operator, stack.last_mut()) {
                (Operator::Tuple, Some((Operator::Tuple, _, commas))) => *commas += 1,
                _ => stack.push((operator, self.name(Symbol::new("::"), token), 1)),
            }
            operands.push(self.pattern_operand()?);
        }
        reduce(&mut operands, &mut stack, |_| true);
        match operands.pop() {
            Some(pattern) => Ok(pattern),
            None => Err(self.no_pattern("a pattern")),
        }
    }

    /// `C p`, `lazy p`, `exception p` or a simple pattern.
    fn pattern_operand(&mut self) -> Parse<Pattern> {
        let token = self.token();
        let start = token.start;
        match token.tok {
            Tok::Label(_) | Tok::Tilde => self.labelled_pattern(),
            Tok::DotDot if self.pos > 0 && self.previous().tok == Tok::Comma => {
                self.bump();
                let kind = PatternKind::LabelledTuple { items: Vec::new(), open: true };
                Ok(make_pattern(kind, self.span_from(start)))
            }
            Tok::Lazy => {
                self.bump();
                self.keyword_attributes();
                let inner = Box::new(self.simple_pattern()?);
                Ok(make_pattern(PatternKind::Lazy(inner), self.span_from(start)))
            }
            Tok::Exception => {
                self.bump();
                self.keyword_attributes();
                let inner = Box::new(self.nested(Self::pattern_operand)?);
                Ok(make_pattern(PatternKind::Exception(inner), self.span_from(start)))
            }
            Tok::Lower(text)
                if matches!(self.nth(1), Tok::Upper(_)) && text.as_str() == "effect" =>
            {
                self.bump();
                let reported = self.unsupported(self.span_of(token), "effect handlers");
                self.nested(Self::pattern_operand)?;
                Ok(make_pattern(PatternKind::Error(reported), self.span_from(start)))
            }
            _ => {
                let head = self.simple_pattern()?;
                let is_constructor = matches!(head.kind, PatternKind::Construct(_, None))
                    && (matches!(self.previous().tok, Tok::Upper(_)) || is_cons_name(&head));
                let is_tag = matches!(&head.kind, PatternKind::Variant(tag, None)
                    if head.span.end == tag.span.end);
                if (is_constructor || is_tag) && self.starts_constructor_argument() {
                    return self.nested(|parser| parser.constructor_argument(head, start));
                }
                Ok(head)
            }
        }
    }

    /// `~x:p`, `~x` or `~(x : t)`: a part of a tuple.
    fn labelled_pattern(&mut self) -> Parse<Pattern> {
        let token = self.bump();
        let (name, pattern) = match token.tok {
            Tok::Label(text) => (self.name(text, token), self.simple_pattern()?),
            _ if self.at(Tok::LParen) => self.group(|parser| {
                let name = parser.lower_name("a label")?;
                parser.expect(Tok::Colon, "`:`")?;
                let ty = parser.core_type()?;
                let span = name.span.to(ty.span);
                let var = Box::new(make_pattern(PatternKind::Var(name), name.span));
                Ok((name, make_pattern(PatternKind::Annotate(var, ty), span)))
            })?,
            _ => {
                let name = self.lower_name("a label")?;
                (name, make_pattern(PatternKind::Var(name), name.span))
            }
        };
        let items = vec![(Some(name), pattern)];
        let kind = PatternKind::LabelledTuple { items, open: false };
        Ok(make_pattern(kind, self.span_from(token.start)))
    }

    fn starts_constructor_argument(&self) -> bool {
        self.starts_simple_pattern()
            || self.at(Tok::Lazy)
            || (self.at(Tok::Minus) && self.nth(1) == Tok::Int)
    }

    fn constructor_argument(&mut self, head: Pattern, start: u32) -> Parse<Pattern> {
        let names = match self.at(Tok::LParen) && self.nth(1) == Tok::Type {
            true => self.type_names()?,
            false => Vec::new(),
        };
        let argument = Box::new(self.pattern_operand()?);
        let span = self.span_from(start);
        Ok(match head.kind {
            PatternKind::Construct(path, _) if !names.is_empty() => {
                make_pattern(PatternKind::ConstructTypes(path, names, argument), span)
            }
            PatternKind::Construct(path, _) => {
                make_pattern(PatternKind::Construct(path, Some(argument)), span)
            }
            PatternKind::Variant(tag, _) => {
                make_pattern(PatternKind::Variant(tag, Some(argument)), span)
            }
            kind => make_pattern(kind, span),
        })
    }

    /// True if a pattern that can be a parameter starts here.
    pub(super) fn starts_simple_pattern(&self) -> bool {
        self.at_constant()
            || matches!(
                self.peek(),
                Tok::Lower(_)
                    | Tok::Upper(_)
                    | Tok::Underscore
                    | Tok::LParen
                    | Tok::LBracket
                    | Tok::LBracketBar
                    | Tok::LBracketPercent
                    | Tok::LBrace
                    | Tok::True
                    | Tok::False
                    | Tok::Backquote
                    | Tok::Hash
            )
    }

    pub(super) fn simple_pattern(&mut self) -> Parse<Pattern> {
        let token = self.token();
        let start = token.start;
        match token.tok {
            Tok::Underscore => {
                self.bump();
                Ok(make_pattern(PatternKind::Any, self.span_of(token)))
            }
            Tok::Lower(text) => {
                self.bump();
                let name = self.name(text, token);
                Ok(make_pattern(PatternKind::Var(name), name.span))
            }
            Tok::Upper(_) => self.upper_pattern(),
            Tok::True | Tok::False => {
                self.bump();
                Ok(self.plain_constructor(
                    if token.tok == Tok::True { "true" } else { "false" },
                    start,
                ))
            }
            Tok::LParen => self.parenthesized_pattern(),
            Tok::LBracket => {
                let parts = self.group(Self::pattern_elements);
                let span = self.span_from(start);
                Ok(match parts {
                    Ok(parts) if parts.is_empty() => self.plain_constructor("[]", start),
                    Ok(parts) => make_pattern(PatternKind::List(parts), span),
                    Err(reported) => make_pattern(PatternKind::Error(reported), span),
                })
            }
            Tok::LBracketBar => {
                let parts = self.group(Self::pattern_elements);
                let span = self.span_from(start);
                Ok(match parts {
                    Ok(parts) => make_pattern(PatternKind::Array(parts), span),
                    Err(reported) => make_pattern(PatternKind::Error(reported), span),
                })
            }
            Tok::LBrace => self.record_pattern(),
            Tok::Minus | Tok::MinusDot | Tok::Plus | Tok::PlusDot => self.constant_pattern(),
            _ if self.at_constant() => self.constant_pattern(),
            _ => self.unsupported_pattern(),
        }
    }

    /// A constant or a range of constants.
    fn constant_pattern(&mut self) -> Parse<Pattern> {
        let start = self.here();
        let constant = |parser: &mut Self| {
            let sign = match parser.peek() {
                Tok::Minus | Tok::MinusDot => Sign::Minus,
                _ => Sign::Plus,
            };
            if matches!(parser.peek(), Tok::Minus | Tok::MinusDot | Tok::Plus | Tok::PlusDot) {
                parser.bump();
            }
            parser.constant(sign)
        };
        let first = constant(self);
        let kind = if self.eat(Tok::DotDot) {
            let last = constant(self);
            first.and_then(|first| last.map(|last| PatternKind::Range(first, last)))
        } else {
            first.map(PatternKind::Constant)
        };
        let span = self.span_from(start);
        match kind {
            Ok(kind) => Ok(make_pattern(kind, span)),
            // A bad literal has been consumed; anything else has not.
            Err(reported) if span.end > start => {
                Ok(make_pattern(PatternKind::Error(reported), span))
            }
            Err(reported) => Err(reported),
        }
    }

    fn plain_constructor(&self, text: &str, start: u32) -> Pattern {
        let span = self.span_from(start);
        let name = Name { text: Symbol::new(text), span };
        make_pattern(PatternKind::Construct(Path::plain(name), None), span)
    }

    /// `C`, `M.C`, `M.(p)`, `M.[p]`, `M.{p}`
    fn upper_pattern(&mut self) -> Parse<Pattern> {
        let start = self.here();
        let (prefix, name) = self.upper_path()?;
        if self.at(Tok::Dot)
            && matches!(self.nth(1), Tok::LParen | Tok::LBracket | Tok::LBracketBar | Tok::LBrace)
        {
            self.bump();
            let module = join(prefix, name);
            if let Some(path) = self.cons_in_parens(&module) {
                let kind = PatternKind::Construct(path, None);
                return Ok(make_pattern(kind, self.span_from(start)));
            }
            let inner = Box::new(self.simple_pattern()?);
            let span = self.span_from(start);
            return Ok(make_pattern(PatternKind::Open(module, inner), span));
        }
        Ok(make_pattern(PatternKind::Construct(Path { prefix, name }, None), self.span_from(start)))
    }

    fn parenthesized_pattern(&mut self) -> Parse<Pattern> {
        let start = self.here();
        if let Some((text, length)) = self.operator_in_parens() {
            self.pos += length;
            let name = Name { text, span: self.span_from(start) };
            return Ok(make_pattern(PatternKind::Var(name), name.span));
        }
        match (self.nth(1), self.nth(2)) {
            (Tok::RParen, _) => {
                self.pos += 2;
                return Ok(self.plain_constructor("()", start));
            }
            (Tok::ColonColon, Tok::RParen) => {
                self.pos += 3;
                return Ok(self.plain_constructor("::", start));
            }
            (Tok::Module, _) => return Ok(self.unpacking_pattern()),
            _ => (),
        }
        let inner = self.group(|parser| {
            let pattern = parser.pattern()?;
            if !parser.eat(Tok::Colon) {
                return Ok(pattern);
            }
            let ty = parser.core_type()?;
            let span = parser.span_from(start);
            Ok(make_pattern(PatternKind::Annotate(Box::new(pattern), ty), span))
        });
        let span = self.span_from(start);
        Ok(match inner {
            Ok(pattern) => Pattern { span, ..pattern },
            Err(reported) => make_pattern(PatternKind::Error(reported), span),
        })
    }

    /// `a; b; c` inside brackets, the last `;` optional.
    fn pattern_elements(&mut self) -> Parse<Vec<Pattern>> {
        let mut parts = Vec::new();
        while !self.peek().is_closer() {
            parts.push(self.pattern()?);
            if !self.eat(Tok::Semi) {
                break;
            }
        }
        Ok(parts)
    }

    fn record_pattern(&mut self) -> Parse<Pattern> {
        let start = self.here();
        let inner = self.group(|parser| {
            let mut fields = Vec::new();
            let mut open_row = false;
            loop {
                if parser.eat(Tok::Underscore) {
                    open_row = true;
                    parser.eat(Tok::Semi);
                    break;
                }
                fields.push(parser.field_pattern()?);
                if !parser.eat(Tok::Semi) || parser.at(Tok::RBrace) {
                    break;
                }
            }
            Ok(PatternKind::Record { fields, open_row })
        });
        let span = self.span_from(start);
        Ok(match inner {
            Ok(kind) => make_pattern(kind, span),
            Err(reported) => make_pattern(PatternKind::Error(reported), span),
        })
    }

    /// `l`, `l = p`, `l : t = p`
    fn field_pattern(&mut self) -> Parse<(Path, Pattern)> {
        let path = self.field_path()?;
        let ty = if self.eat(Tok::Colon) { Some(self.core_type()?) } else { None };
        let mut pattern = if self.eat_definition_equal("a field") {
            self.pattern()?
        } else {
            make_pattern(PatternKind::Var(path.name), path.name.span)
        };
        if let Some(ty) = ty {
            let span = self.span_from(path.span().start);
            pattern = make_pattern(PatternKind::Annotate(Box::new(pattern), ty), span);
        }
        Ok((path, pattern))
    }

    /// Valid OCaml that is not handled, or no pattern at all.
    fn unsupported_pattern(&mut self) -> Parse<Pattern> {
        let start = self.here();
        let construct = match self.peek() {
            Tok::Backquote => {
                let tag = self.variant_tag()?;
                return Ok(make_pattern(PatternKind::Variant(tag, None), self.span_from(start)));
            }
            Tok::Hash => {
                self.bump();
                let path = self.type_path()?;
                return Ok(make_pattern(PatternKind::VariantType(path), self.span_from(start)));
            }
            Tok::LBracketPercent => {
                self.skip_group();
                "extension points"
            }
            Tok::QuotedExtension => {
                self.bump();
                "extension points"
            }
            _ => return Err(self.no_pattern("a pattern")),
        };
        let span = self.span_from(start);
        let reported = self.unsupported(span, construct);
        Ok(make_pattern(PatternKind::Error(reported), span))
    }

    /// A defined name: `x` or `( + )`.
    pub(super) fn value_name(&mut self) -> Parse<Name> {
        let start = self.here();
        if let Some((text, length)) = self.operator_in_parens() {
            self.pos += length;
            return Ok(Name { text, span: self.span_from(start) });
        }
        self.lower_name("a value")
    }

    /// Reports that a pattern is missing here, and why, if a keyword stands here.
    pub(super) fn no_pattern(&mut self, what: &str) -> Reported {
        if let Some(reported) = self.long_character() {
            return reported;
        }
        if self.at_misused_keyword() {
            return self.keyword_as_name();
        }
        self.unexpected(what)
    }

    /// True if the keyword here stands where a defined name would.
    pub(super) fn at_misused_keyword(&self) -> bool {
        self.peek().is_word()
            && !self.at_item_start()
            && !matches!(
                self.peek(),
                Tok::Else | Tok::In | Tok::Then | Tok::When | Tok::With | Tok::And
            )
            && matches!(
                self.nth(1),
                Tok::Equal
                    | Tok::Colon
                    | Tok::Comma
                    | Tok::RParen
                    | Tok::Arrow
                    | Tok::Lower(_)
                    | Tok::LParen
            )
    }
}

fn is_cons_name(pattern: &Pattern) -> bool {
    matches!(&pattern.kind, PatternKind::Construct(path, None) if path.name.text.as_str() == "::")
}

/// A tuple of these parts, labelled if one of them is.
fn tuple_of(parts: Vec<Pattern>) -> PatternKind {
    let is_mark = |it: &Pattern| match &it.kind {
        PatternKind::LabelledTuple { items, open } => items.len() + usize::from(*open) == 1,
        _ => false,
    };
    if !parts.iter().any(is_mark) {
        return PatternKind::Tuple(parts);
    }
    let (mut all, mut is_open) = (Vec::new(), false);
    for part in parts {
        let is_mark = is_mark(&part);
        match part.kind {
            PatternKind::LabelledTuple { items, open } if is_mark => {
                all.extend(items);
                is_open |= open;
            }
            kind => all.push((None, Pattern { kind, ..part })),
        }
    }
    PatternKind::LabelledTuple { items: all, open: is_open }
}

/// Applies the operators on the stack for which `accept` holds.
fn reduce(
    operands: &mut Vec<Pattern>,
    stack: &mut Vec<(Operator, Name, usize)>,
    accept: impl Fn(Operator) -> bool,
) {
    while let Some((operator, name, commas)) = stack.pop_if(|it| accept(it.0)) {
        if operator == Operator::Tuple {
            let from = operands.len().saturating_sub(commas + 1);
            let parts = operands.split_off(from);
            let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
            let span = first.span.to(last.span);
            operands.push(make_pattern(tuple_of(parts), span));
            continue;
        }
        let (Some(right), Some(left)) = (operands.pop(), operands.pop()) else { return };
        let span = left.span.to(right.span);
        let kind = if operator == Operator::Or {
            PatternKind::Or(Box::new(left), Box::new(right))
        } else {
            let both = make_pattern(PatternKind::Tuple(vec![left, right]), span);
            PatternKind::Construct(Path::plain(name), Some(Box::new(both)))
        };
        operands.push(make_pattern(kind, span));
    }
}
