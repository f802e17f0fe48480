//! The text of classes and interfaces, up to what `class_code` makes of it.
//!
//! ```text
//! type Account(owner: string) as this =     parameters of the constructor
//!     inherit Base(owner)                    the class that is inherited
//!     let mutable balance = 0.0              lines of the constructor; fields where members use them
//!     do printfn "opened"
//!     new() = Account("nobody")              another constructor
//!     member val Limit = 0.0 with get, set   a field with its property
//!     abstract Fee: unit -> float            what heirs may define, and what it is without them
//!     default _.Fee() = 0.0
//!     interface IPrint with …
//! ```

use oxbow_base::{Made, Mark, Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::{
    Attribute, Binding, ClassMembers, Expr, ExprKind, FieldDecl, FieldRole, Member, MemberKind,
    Name, Path, Pattern, PatternKind, PolyType, TypeExpr, TypeExprKind, TypeParam,
};

use super::block::Line;
use super::class_code::fun_with;
use super::class_new::made_object;
use super::{Parsed, Parser, make};
use crate::token::{Part, Tok};

/// `inherit Base(args)`
pub struct Base {
    pub ty: TypeExpr,
    pub args: Expr,
}

/// `abstract M: t`
pub struct Slot {
    pub name: Name,
    pub ty: TypeExpr,
    /// `with get, set`: which there are.
    pub set: bool,
}

impl Slot {
    pub fn is_property(&self) -> bool {
        !matches!(self.ty.kind, TypeExprKind::Arrow(..))
    }
}

/// `interface I with …`
pub struct Implemented {
    pub ty: TypeExpr,
    pub members: Vec<Member>,
}

/// What stands in a type besides its fields or cases.
pub struct Class {
    pub path: Path,
    pub params: Vec<TypeParam>,
    pub attributes: Vec<Attribute>,
    /// The parameters of the constructor.
    pub constructor: Option<Pattern>,
    /// `as this`
    pub self_name: Option<Name>,
    pub base: Option<Base>,
    /// `inherit Exception(args)`: what is given to it.
    pub exception: Option<Expr>,
    /// `inherit IBase` in an interface.
    pub inherited: Vec<TypeExpr>,
    /// `val X: t`: the fields of a type without a primary constructor.
    pub fields: Vec<FieldDecl>,
    /// Has it such fields?
    pub explicit: bool,
    /// `let` and `do`, in order.
    pub lines: Vec<Line>,
    pub statics: Vec<(bool, Vec<Binding>, Span)>,
    pub members: Vec<Member>,
    /// Methods that are `default` or `override`, by their place among the members.
    pub overriding: Vec<usize>,
    pub slots: Vec<Slot>,
    pub interfaces: Vec<Implemented>,
    /// The names in `let`s and `do`s, apart from functions, and in all else.
    pub in_lines: Vec<Symbol>,
    pub in_members: Vec<Symbol>,
    pub span: Span,
}

impl Class {
    /// Is it marked as a struct?
    pub fn is_struct(&self) -> bool {
        self.attributes.iter().any(|it| it.is(Mark::Struct))
    }

    pub fn new(path: Path, params: Vec<TypeParam>, attributes: Vec<Attribute>) -> Self {
        let span = path.span();
        Self {
            path,
            params,
            attributes,
            constructor: None,
            self_name: None,
            base: None,
            exception: None,
            inherited: Vec::new(),
            fields: Vec::new(),
            explicit: false,
            lines: Vec::new(),
            statics: Vec::new(),
            members: Vec::new(),
            overriding: Vec::new(),
            slots: Vec::new(),
            interfaces: Vec::new(),
            in_lines: Vec::new(),
            in_members: Vec::new(),
            span,
        }
    }

    /// What it says of methods that heirs define, before code is made of it.
    pub fn said(&self) -> ClassMembers {
        let overrides: Vec<Name> =
            self.overriding.iter().map(|&at| self.members[at].name).collect();
        let slots = self.slots.iter().map(|it| it.name).collect();
        let marked = self.attributes.iter().any(|it| it.name.text.as_str() == "AbstractClass");
        let is_abstract = marked || self.constructor.is_none();
        let interfaces = self.interfaces.iter().map(|it| it.ty.clone()).collect();
        ClassMembers { slots, overrides, is_abstract, interfaces }
    }

    /// Only what others define: an interface.
    pub fn is_interface(&self) -> bool {
        self.constructor.is_none() && (!self.slots.is_empty() || !self.inherited.is_empty())
    }
}

impl Parser<'_> {
    /// `(a: int, b) as this =` behind the name of a class.
    pub(super) fn class_head(&mut self, class: &mut Class) -> Parsed<()> {
        while self.accept("private").is_some() || self.accept("internal").is_some() {}
        class.constructor = Some(self.atomic_pattern()?);
        if self.accept("as").is_some() {
            class.self_name = Some(self.ident("a name for the object")?);
        }
        self.equals()?;
        Ok(())
    }

    /// The lines of a class, an interface, or behind the fields or cases of a type.
    pub(super) fn class_lines(&mut self, class: &mut Class) -> Parsed<()> {
        if self.is("with") {
            self.advance();
        }
        let wrapped = self.accept("class").is_some()
            || self.accept("struct").is_some()
            || self.is("interface")
                && self.raw_after(1).first
                && self.accept("interface").is_some();
        loop {
            let column = self.raw().column;
            let attributes = if self.is("[<") { self.attributes()? } else { Vec::new() };
            let start = self.at;
            let word = match self.peek() {
                Tok::Key(word) => word,
                _ => return Ok(()),
            };
            let known = matches!(
                word,
                "let"
                    | "do"
                    | "inherit"
                    | "abstract"
                    | "interface"
                    | "new"
                    | "val"
                    | "member"
                    | "static"
                    | "override"
                    | "default"
            );
            if word == "end" && wrapped {
                self.advance();
                continue;
            }
            if !known {
                return Ok(());
            }
            self.exempt = Some(self.at);
            let bounds = self.bounds.len();
            let line = self.at_column(column, |this| this.class_line(class, word, attributes));
            self.bounds.truncate(bounds);
            if line.is_err() {
                if self.at == start {
                    self.advance();
                }
                self.skip_to_line(column);
                self.note_broken(start);
            }
        }
    }

    fn class_line(
        &mut self,
        class: &mut Class,
        word: &'static str,
        attributes: Vec<Attribute>,
    ) -> Parsed<()> {
        let begin = self.at;
        let start = self.here();
        let own_state = class.constructor.is_some();
        match word {
            "val" if !own_state => self.explicit_field(class)?,
            "let" | "do" if !own_state => {
                let construct = format!("`{word}` in a type without a constructor");
                return self.fail(Diagnostic::not_supported(start, &construct));
            }
            "let" => {
                self.advance();
                let (recursive, bindings) = self.bindings(attributes, start)?;
                let span = start.to(self.previous());
                let names = self.names_since(begin);
                let functions = bindings.iter().all(is_function);
                let into = if functions { &mut class.in_members } else { &mut class.in_lines };
                into.extend(names);
                class.lines.push(Line::Let { recursive, bindings, span });
            }
            "do" => {
                self.advance();
                let body = self.block("the body of this `do`")?;
                class.in_lines.extend(self.names_since(begin));
                class.lines.push(Line::Do(body));
            }
            "inherit" => self.inherit_line(class)?,
            "abstract" => self.abstract_line(class)?,
            "interface" => {
                let implemented = self.implemented()?;
                class.in_members.extend(self.names_since(begin));
                class.interfaces.push(implemented);
            }
            "new" => self.constructor_line(class)?,
            "static" if self.raw_after(1).tok == Tok::Key("let") => {
                self.advance();
                self.advance();
                let (recursive, bindings) = self.bindings(attributes, start)?;
                class.statics.push((recursive, bindings, start.to(self.previous())));
            }
            "static" if self.raw_after(1).tok == Tok::Key("do") => {
                self.advance();
                self.advance();
                let body = self.block("the body of this `static do`")?;
                let span = start.to(self.previous());
                let name = self.fresh_name("do", span);
                class.statics.push((false, vec![make::binding(make::var(name), body)], span));
            }
            "val" => return self.fail(Diagnostic::not_supported(start, "`val` in a class")),
            _ => {
                let overrides = matches!(word, "override" | "default");
                let first = class.members.len();
                self.member_line(class, attributes)?;
                class.in_members.extend(self.names_since(begin));
                if overrides {
                    class.overriding.extend(first..class.members.len());
                }
            }
        }
        Ok(())
    }

    /// `val [mutable] X: t`
    fn explicit_field(&mut self, class: &mut Class) -> Parsed<()> {
        let start = self.advance().span;
        let mutable = self.accept("mutable").is_some();
        while self.accept("private").is_some() || self.accept("public").is_some() {}
        let name = self.ident("the name of a field")?;
        if self.accept(":").is_none() {
            return self.unexpected("`:` and the field's type");
        }
        let ty = self.type_expr()?;
        let span = start.to(ty.span);
        let ty = PolyType { vars: Vec::new(), locally_abstract: false, ty };
        let role = FieldRole::Declared;
        class.fields.push(FieldDecl { name, mutable, acyclic: false, role, ty, span });
        Ok(())
    }

    /// `inherit Base(args)`
    fn inherit_line(&mut self, class: &mut Class) -> Parsed<()> {
        let begin = self.at;
        let start = self.advance().span;
        let ty = self.atomic_type()?;
        if class.constructor.is_none() {
            class.inherited.push(ty);
            return Ok(());
        }
        if !self.is("(") {
            let report = Diagnostic::not_supported(start, "`inherit` without arguments in a class");
            return self.fail(report.help("write `inherit Base()`"));
        }
        if is_plain_object(&ty) && !self.declares(&ty) {
            self.parenthesised()?;
            return Ok(());
        }
        if is_other_exception(&ty) && !self.declares(&ty) {
            let report =
                Diagnostic::not_supported(ty.span, "a class that inherits from this exception");
            return self.fail(report.help("inherit from `Exception`"));
        }
        let args = self.parenthesised()?;
        class.in_lines.extend(self.names_since(begin));
        match is_exception(&ty) && !self.declares(&ty) {
            true => class.exception = Some(args),
            false => class.base = Some(Base { ty, args }),
        }
        Ok(())
    }

    /// `abstract [member] M: t [with get, set]`
    fn abstract_line(&mut self, class: &mut Class) -> Parsed<()> {
        self.advance();
        self.accept("member");
        let Some(name) = self.defined_name() else {
            return self.unexpected("the name of a member");
        };
        self.type_parameters();
        if self.accept(":").is_none() {
            return self.unexpected("`:` and the member's type");
        }
        let ty = self.type_expr()?;
        let mut set = false;
        if self.accept("with").is_some() {
            while let Tok::Ident(word) = self.peek() {
                set |= word.as_str() == "set";
                self.advance();
                self.accept(",");
            }
        }
        class.slots.push(Slot { name, ty, set });
        Ok(())
    }

    /// `interface I with …`
    fn implemented(&mut self) -> Parsed<Implemented> {
        self.advance();
        let ty = self.atomic_type()?;
        let mut inner = Class::new(
            Path::plain(make::made(Made::local("interface"), ty.span)),
            Vec::new(),
            Vec::new(),
        );
        if self.accept("with").is_some() {
            self.class_lines(&mut inner)?;
        }
        Ok(Implemented { ty, members: inner.members })
    }

    /// `new(a) = Account(a, 0)`
    fn constructor_line(&mut self, class: &mut Class) -> Parsed<()> {
        let start = self.advance().span;
        let pattern = self.atomic_pattern()?;
        let this = match self.accept("as") {
            Some(_) => Some(self.ident("the name of the object")?),
            None => None,
        };
        let result = match self.accept(":") {
            Some(_) => Some(self.type_expr()?),
            None => None,
        };
        self.equals()?;
        let body = self.block("the definition of this constructor")?;
        let mut body = made_object(body, &class.ty());
        if self.accept_continuing("then").is_some() {
            // `new() = Account(0) then e`: `e` runs when the object is there.
            let after = self.block("what follows `then`")?;
            let made = this.unwrap_or_else(|| self.fresh_name("made", start));
            let span = body.span;
            let end = make::sequence(vec![after, make::ident(made)], span);
            body = make::let_in(make::var(made), body, end);
        }
        let name = make::made(Made::Constructor, start);
        let value = fun_with(vec![pattern], result, body, start);
        let binding = Binding { pattern: make::var(name), ..make::binding(make::var(name), value) };
        class.members.push(Member { name, kind: MemberKind::StaticMethod, binding, span: start });
        Ok(())
    }

    /// Is there a `type` of this name in the program?
    pub(super) fn declares(&self, ty: &TypeExpr) -> bool {
        let TypeExprKind::Constr(path, _) = &ty.kind else { return false };
        self.outline.declares(path.name.text)
    }

    /// The names among the tokens since `begin`, those in interpolated strings included.
    pub(super) fn names_since(&self, begin: usize) -> Vec<Symbol> {
        let mut names = Vec::new();
        for token in &self.tokens[begin.min(self.at)..self.at] {
            match &token.tok {
                Tok::Ident(text) => names.push(*text),
                Tok::Key(word @ ("fun" | "function" | "lazy")) => names.push(Symbol::new(word)),
                Tok::Interpolated(parts) => {
                    for part in parts {
                        let Part::Hole { start, end, .. } = part else { continue };
                        let text = self.text.get(*start..*end).unwrap_or("");
                        let is_name = |it: char| it.is_alphanumeric() || it == '_' || it == '\'';
                        names.extend(text.split(|it| !is_name(it)).map(Symbol::new));
                    }
                }
                _ => (),
            }
        }
        names
    }

    /// `{ new I with member … }`; the brace has been read.
    pub(super) fn object_expression(&mut self, open: Span) -> Parsed<Expr> {
        self.advance();
        let ty = self.atomic_type()?;
        let args = if self.is("(") { Some(self.atom()?) } else { None };
        let begin = self.at;
        let mut inner = Class::new(
            Path::plain(make::made(Made::local("object"), ty.span)),
            Vec::new(),
            Vec::new(),
        );
        if self.accept("with").is_none() {
            return self.unexpected("`with`");
        }
        self.class_lines(&mut inner)?;
        let names = self.names_since(begin);
        let end = self.close("{", open, "}")?;
        if let Some(second) = inner.interfaces.first() {
            let at = second.ty.span;
            return self.fail(Diagnostic::not_supported(
                at,
                "several interfaces of one object expression",
            ));
        }
        let span = open.to(end);
        Ok(match args {
            Some(args) => self.object_of_class(ty, args, inner.members, span),
            None => self.object_record(ty, inner.members, &names, span),
        })
    }

    /// `get, set` behind `member val P = e with`: whether it can be set.
    pub(super) fn auto_accessors(&mut self) -> Parsed<bool> {
        let mut set = false;
        if self.accept("with").is_none() {
            return Ok(false);
        }
        while let Tok::Ident(word) = self.peek() {
            set |= word.as_str() == "set";
            self.advance();
            self.accept(",");
        }
        Ok(set)
    }
}

/// `let f x = …` in a class: a method that nobody else sees.
pub fn is_function(binding: &Binding) -> bool {
    let is_name = matches!(binding.pattern.kind, oxbow_elab::ast::PatternKind::Var(_));
    is_name && !binding.mutable && matches!(binding.value.kind, ExprKind::Fun(..))
}

/// `Exception`, `System.Exception`, `exn`
fn is_exception(ty: &TypeExpr) -> bool {
    let TypeExprKind::Constr(path, _) = &ty.kind else { return false };
    matches!(path.name.text.as_str(), "exn" | "Exception")
}

/// Classes of .NET that give their heirs nothing.
fn is_plain_object(ty: &TypeExpr) -> bool {
    let TypeExprKind::Constr(path, _) = &ty.kind else { return false };
    matches!(path.name.text.as_str(), "obj" | "Object" | "EventArgs" | "MarshalByRefObject")
}

/// Exceptions of .NET that are no classes here.
fn is_other_exception(ty: &TypeExpr) -> bool {
    let TypeExprKind::Constr(path, _) = &ty.kind else { return false };
    matches!(
        path.name.text.as_str(),
        "ArgumentException"
            | "ArgumentNullException"
            | "ArgumentOutOfRangeException"
            | "InvalidOperationException"
            | "NotSupportedException"
            | "NotImplementedException"
            | "FormatException"
            | "OverflowException"
            | "KeyNotFoundException"
            | "InvalidCastException"
            | "OperationCanceledException"
            | "TimeoutException"
            | "AggregateException"
            | "IOException"
            | "FileNotFoundException"
            | "DirectoryNotFoundException"
            | "IndexOutOfRangeException"
            | "DivideByZeroException"
    )
}

/// What overrides nothing that the type or .NET's objects have.
pub fn check_overrides(parser: &mut Parser<'_>, class: &Class) {
    check_promises(parser, class);
    check_parameters(parser, class);
    for member in class.overriding.iter().map(|&at| &class.members[at]) {
        let name = member.name.text;
        let known = ["ToString", "Equals", "GetHashCode", "Finalize", "Message"];
        if !name.is_hidden() && !known.contains(&name.as_str()) {
            let what = format!("there is no member `{name}` to override");
            let report = Diagnostic::error("E0162", what)
                .at(member.name.span, "nothing to override")
                .help(format!("declare it by `abstract {name}: …`, or write `member`"));
            parser.report(report);
        }
    }
}

/// What overrides a member of all objects takes what that does.
pub fn check_parameters(parser: &mut Parser<'_>, class: &Class) {
    for member in class.overriding.iter().map(|&at| &class.members[at]) {
        let name = member.name.text;
        let known = ["ToString", "Equals", "GetHashCode"];
        let ExprKind::Fun(params, _, _) = &member.binding.value.kind else { continue };
        let wanted = |it: &Pattern| {
            matches!(it.kind, PatternKind::Any) || is_unit(it) != (name.as_str() == "Equals")
        };
        let other = params.len() != 2 || !params.last().is_some_and(|it| wanted(&it.pattern));
        if known.contains(&name.as_str()) && other {
            let (what, line) = match name.as_str() {
                "Equals" => ("takes one value", "override this.Equals(other) = …".to_string()),
                _ => ("takes `()`", format!("override this.{name}() = …")),
            };
            let report = Diagnostic::error("E0162", format!("`{name}` of an object {what}"))
                .at(member.name.span, "other parameters")
                .help(format!("write `{line}`"));
            parser.report(report);
        }
    }
}

/// `()`
fn is_unit(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Construct(path, None) => path.name.text.as_str() == "()",
        PatternKind::Annotate(inner, _) => is_unit(inner),
        _ => false,
    }
}

/// `[<CustomEquality>]` and `[<CustomComparison>]` promise functions.
fn check_promises(parser: &mut Parser<'_>, class: &Class) {
    let overrides = |name: &str| {
        let mut own = class.overriding.iter().map(|&at| &class.members[at]);
        own.any(|it| it.name.text.as_str() == name)
    };
    let implements = |name: &str| {
        let types = class.interfaces.iter().map(|it| &it.ty);
        let mut paths = types.filter_map(|it| match &it.kind {
            TypeExprKind::Constr(path, args) if args.is_empty() => Some(path),
            _ => None,
        });
        paths.any(|it| it.name.text.as_str() == name)
    };
    for attribute in &class.attributes {
        let (missing, line) = match attribute.name.text.as_str() {
            "CustomEquality" if !overrides("Equals") => {
                ("Equals", "override this.Equals(other) = …")
            }
            "CustomComparison" if !implements("IComparable") => {
                ("IComparable", "interface IComparable with member this.CompareTo(other) = …")
            }
            _ => continue,
        };
        let what = format!("the type promises an own `{missing}` and has none");
        let report = Diagnostic::error("E0162", what)
            .at(attribute.name.span, format!("this asks for `{missing}`"))
            .help(format!("add `{line}`, or leave `{}` out", attribute.name.text));
        parser.report(report);
    }
}
