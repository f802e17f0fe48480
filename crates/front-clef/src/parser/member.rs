//! Members of types: properties, methods, static ones, operators.
//!
//! ```text
//! member v.Length = …            a function of `v`
//! member v.Scale k = …           a function of `v`, then of `k`
//! member v.Item with get i = …   the same
//! static member Zero = …         a value (of unit, so that it is computed at each use)
//! static member (+) (a, b) = …   a function of `a`, then of `b`
//! ```

use oxbow_base::Symbol;
use oxbow_diag::Diagnostic;
pub use oxbow_elab::ast::Members;
use oxbow_elab::ast::{
    Attribute, Binding, ExprKind, Member, MemberKind, Name, Pattern, PatternKind,
};

use super::{Parsed, Parser, make};
use crate::diagnostics;
use crate::token::Tok;

impl Parser<'_> {
    /// The members that follow the body of a type, on lines further right than `type`.
    pub(super) fn members(&mut self, into: &mut Members) -> Parsed<()> {
        if self.is("with") {
            self.advance();
        }
        loop {
            let attributes = if self.is("[<") { self.attributes()? } else { Vec::new() };
            let _ = attributes;
            match self.peek() {
                Tok::Key("member" | "static" | "override" | "default") => {
                    let column = self.raw().column;
                    self.exempt = Some(self.at);
                    let start = self.at;
                    let member = self.at_column(column, Self::member);
                    match member {
                        Ok(member) => into.members.push(member),
                        Err(_) => {
                            self.skip_to_line(column);
                            self.note_broken(start);
                        }
                    }
                }
                Tok::Key(word @ ("interface" | "abstract" | "new" | "val" | "inherit")) => {
                    let span = self.here();
                    return self
                        .fail(Diagnostic::not_supported(span, &format!("`{word}` in a type")));
                }
                Tok::Key("end") => {
                    self.advance();
                }
                _ => return Ok(()),
            }
        }
    }

    fn member(&mut self) -> Parsed<Member> {
        let start = self.here();
        let is_static = self.accept("static").is_some();
        let keyword = self.advance();
        if !matches!(keyword.tok, Tok::Key("member" | "override" | "default")) {
            return self.unexpected("`member`");
        }
        let mut attributes = Vec::new();
        if let Some(span) = self.accept("inline") {
            attributes.push(Attribute { name: make::name("clef.inline", span), payload: None });
        }
        while self.accept("private").is_some()
            || self.accept("internal").is_some()
            || self.accept("public").is_some()
        {}
        if self.is("val") {
            let span = self.here();
            return self.fail(Diagnostic::not_supported(span, "`member val`"));
        }
        let this = if is_static { None } else { Some(self.self_name()?) };
        let name = match self.defined_name() {
            Some(name) => name,
            None => return self.unexpected("the name of a member"),
        };
        self.type_parameters();
        let mut params = Vec::new();
        while self.starts_atomic_pattern() {
            params.push(self.atomic_pattern()?);
        }
        let with = self.accept("with");
        if let Some(span) = with {
            self.getter(span, &mut params)?;
        }
        let result = match self.accept(":") {
            Some(_) => Some(self.type_expr()?),
            None => None,
        };
        self.equals()?;
        let body = self.block("the definition of this member")?;
        if with.is_some() && self.continues("and") {
            let span = self.here();
            return self.fail(Diagnostic::not_supported(span, "properties with `set`"));
        }
        let span = start.to(body.span);
        let operator = !name.text.as_str().starts_with(|it: char| it.is_alphabetic() || it == '_');
        let kind = match (is_static, params.is_empty()) {
            (true, true) => MemberKind::StaticProperty,
            (true, false) => MemberKind::StaticMethod,
            (false, true) => MemberKind::Property,
            (false, false) => MemberKind::Method,
        };
        let mut patterns: Vec<Pattern> = Vec::new();
        match this {
            Some(this) => patterns.push(make::var(this)),
            // A static property is computed at each use.
            None if params.is_empty() => patterns.push(make::unit_pattern(name.span)),
            None => (),
        }
        if operator
            && let [one] = params.as_slice()
            && let PatternKind::Tuple(items) = &one.kind
        {
            patterns.extend(items.iter().cloned());
        } else {
            patterns.extend(params);
        }
        let params = patterns.into_iter().map(make::param).collect();
        let value = make::expr(ExprKind::Fun(params, result, Box::new(body)), span);
        let binding = Binding {
            pattern: make::var(name),
            value,
            annotation: None,
            mutable: false,
            attributes,
            span,
        };
        Ok(Member { name, kind, binding, span })
    }

    /// `get ()` or `get (i, j)` behind `with`: the property, or what is indexed by `i` and `j`.
    fn getter(&mut self, with: oxbow_base::Span, params: &mut Vec<Pattern>) -> Parsed<()> {
        if !matches!(self.peek(), Tok::Ident(word) if word.as_str() == "get") {
            return self.fail(Diagnostic::not_supported(with, "properties with `set`"));
        }
        self.advance();
        while self.starts_atomic_pattern() {
            params.push(self.atomic_pattern()?);
        }
        let is_unit = |it: &Pattern| matches!(&it.kind, PatternKind::Construct(path, None) if path.name.text.as_str() == "()");
        if matches!(params.as_slice(), [one] if is_unit(one)) {
            params.clear();
        }
        Ok(())
    }

    /// `this.` before the name of a member.
    fn self_name(&mut self) -> Parsed<Name> {
        let span = self.here();
        let name = match self.peek() {
            Tok::Ident(text) => {
                self.advance();
                Name { text, span }
            }
            Tok::Key("_") => {
                self.advance();
                Name { text: Symbol::new("%self"), span }
            }
            _ => return self.unexpected("the name of the object: `member this.…`"),
        };
        if self.accept(".").is_none() {
            self.broken.push(name.text);
            return self.fail(diagnostics::member_without_object(span, name.text.as_str()));
        }
        Ok(name)
    }
}
