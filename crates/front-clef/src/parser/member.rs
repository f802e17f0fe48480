//! Members of types: properties, methods, static ones, operators.
//!
//! ```text
//! member v.Length = …            a function of `v`
//! member v.Scale k = …           a function of `v`, then of `k`
//! member v.Item with get i = …   the same
//! member v.P with set x = …      the setter of `P`, a function of `v`, then of `x`
//! static member Zero = …         a value (of unit, so that it is computed at each use)
//! static member (+) (a, b) = …   a function of `a`, then of `b`
//! ```

use oxbow_base::{Made, Mark, Span};
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::{
    Attribute, Binding, Expr, ExprKind, Member, MemberKind, Name, Path, Pattern, PatternKind,
    TypeExpr,
};

use super::block::Line;
use super::class::Class;
use super::{Parsed, Parser, make};
use crate::diagnostics;
use crate::token::Tok;

/// What stands before the `=` of a member.
struct Head {
    this: Option<Name>,
    name: Name,
    attributes: Vec<Attribute>,
    start: Span,
}

impl Parser<'_> {
    /// One member, with all that its lines define.
    pub(super) fn member_line(
        &mut self,
        class: &mut Class,
        attributes: Vec<Attribute>,
    ) -> Parsed<()> {
        let start = self.here();
        let is_static = self.accept("static").is_some();
        let keyword = self.advance();
        if !matches!(keyword.tok, Tok::Key("member" | "override" | "default")) {
            return self.unexpected("`member`");
        }
        let mut attributes = attributes;
        if let Some(span) = self.accept("inline") {
            attributes.push(Attribute::mark(Mark::Inline, span));
        }
        loop {
            if let Some(span) = self.accept("private") {
                attributes.push(Attribute::mark(Mark::Private, span));
            } else if self.accept("internal").is_none() && self.accept("public").is_none() {
                break;
            }
        }
        if self.is("val") {
            return self.auto_property(class, is_static, attributes);
        }
        let this = if is_static { None } else { Some(self.self_name()?) };
        let name = match self.defined_name() {
            Some(name) => name,
            None => return self.unexpected("the name of a member"),
        };
        self.type_parameters();
        let head = Head { this, name, attributes, start };
        if self.is("with") {
            return self.accessors(class, &head);
        }
        let mut params = Vec::new();
        while self.starts_atomic_pattern() {
            params.push(self.atomic_pattern()?);
        }
        if self.is("with") && params.is_empty() {
            return self.accessors(class, &head);
        }
        let result = match self.accept(":") {
            Some(_) => Some(self.type_expr()?),
            None => None,
        };
        if self.is("with") && params.is_empty() {
            return self.accessors(class, &head);
        }
        self.equals()?;
        let body = self.block("the definition of this member")?;
        class.members.push(define(&head, params, result, body));
        Ok(())
    }

    /// `member val P = e with get, set`: a variable of the constructor, and the members that read and set it.
    fn auto_property(
        &mut self,
        class: &mut Class,
        is_static: bool,
        attributes: Vec<Attribute>,
    ) -> Parsed<()> {
        let begin = self.at;
        let start = self.advance().span;
        while self.accept("private").is_some() || self.accept("public").is_some() {}
        let name = self.ident("the name of a property")?;
        let ty = match self.accept(":") {
            Some(_) => Some(self.type_expr()?),
            None => None,
        };
        self.equals()?;
        let value = self.block("the value of this property")?;
        class.in_lines.extend(self.names_since(begin));
        let set = self.auto_accessors()?;
        let variable = make::made(Made::Auto(name.text), name.span);
        let annotation = ty.map(|ty| oxbow_elab::ast::PolyType {
            vars: Vec::new(),
            locally_abstract: false,
            ty,
        });
        let binding = make::binding(make::var(variable), value);
        let binding = Binding { annotation, mutable: set, ..binding };
        let span = start.to(self.previous());
        if is_static {
            class.statics.push((false, vec![binding], span));
        } else if class.constructor.is_some() {
            class.lines.push(Line::Let { recursive: false, bindings: vec![binding], span });
        } else {
            let construct = "`member val` in a type without a constructor";
            return self.fail(Diagnostic::not_supported(start, construct));
        }
        let this = (!is_static).then(|| make::made(Made::local("self"), name.span));
        let head = |name| Head { this, name, attributes: attributes.clone(), start };
        class.members.push(define(&head(name), Vec::new(), None, make::ident(variable)));
        if set {
            let value = self.fresh_name("value", name.span);
            let assign = ExprKind::AssignVar(Path::plain(variable), Box::new(make::ident(value)));
            let body = make::expr(assign, span);
            class.members.push(define(&head(setter(name)), vec![make::var(value)], None, body));
        }
        Ok(())
    }

    /// `with get () = e and set x = f`, with indices before `x`.
    fn accessors(&mut self, class: &mut Class, head: &Head) -> Parsed<()> {
        self.advance();
        loop {
            while self.accept("private").is_some() || self.accept("public").is_some() {}
            let (is_set, at) = match self.peek() {
                Tok::Ident(word) if matches!(word.as_str(), "get" | "set") => {
                    (word.as_str() == "set", self.advance().span)
                }
                _ => return self.unexpected("`get` or `set`"),
            };
            let mut params = Vec::new();
            while self.starts_atomic_pattern() {
                params.push(self.atomic_pattern()?);
            }
            let result = match self.accept(":") {
                Some(_) => Some(self.type_expr()?),
                None => None,
            };
            self.equals()?;
            let body = self.block("the definition of this member")?;
            let own = Head {
                this: head.this,
                name: head.name,
                attributes: head.attributes.clone(),
                start: at,
            };
            if is_set {
                let setter = Head { name: setter(head.name), ..own };
                class.members.push(define(&setter, params, result, body));
            } else {
                if matches!(params.as_slice(), [one] if is_unit(one)) {
                    params.clear();
                }
                class.members.push(define(&own, params, result, body));
            }
            if self.accept_continuing("and").is_none() {
                return Ok(());
            }
        }
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
                make::made(Made::local("self"), span)
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

fn is_unit(pattern: &Pattern) -> bool {
    matches!(&pattern.kind, PatternKind::Construct(path, None) if path.name.text.as_str() == "()")
}

/// The member that sets the property of this name.
pub(super) fn setter(name: Name) -> Name {
    Name { text: Made::Setter(name.text).symbol(), ..name }
}

/// The function of a member.
fn define(head: &Head, params: Vec<Pattern>, result: Option<TypeExpr>, body: Expr) -> Member {
    let span = head.start.to(body.span);
    let name = head.name;
    let operator = !name.text.as_str().starts_with(|it: char| it.is_alphabetic() || it == '_');
    let kind = match (head.this.is_none(), params.is_empty()) {
        (true, true) => MemberKind::StaticProperty,
        (true, false) => MemberKind::StaticMethod,
        (false, true) => MemberKind::Property,
        (false, false) => MemberKind::Method,
    };
    let mut patterns: Vec<Pattern> = Vec::new();
    match head.this {
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
    let attributes = head.attributes.clone();
    let binding = Binding { attributes, span, ..make::binding(make::var(name), value) };
    Member { name, kind, binding, span }
}
