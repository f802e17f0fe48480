//! What an object is as an `obj`, whatever type it is seen as (decision 310).
//!
//! ```text
//! type C(…) = interface I …     member this.%object () = object_with this (fun n -> this.%views n)
//!                               member this.%views n = is it the number of `I`? then `this.%to0` …
//! type I = …                    { …; %object: unit -> obj }, with members that ask the object behind the value for
//!                               its text, its equality and its hash code
//! ```
//!
//! Classes that others may inherit from keep `%object` as a method that heirs override.

use oxbow_base::{Made, Mark, Span};
use oxbow_elab::ast::{
    Attribute, Expr, FieldDecl, FieldRole, Member, MemberKind, Name, PatternKind, TypeExpr,
    TypeExprKind, View,
};

use super::class::{Class, Slot};
use super::class_code::{arrow, field, field_decl, fun_with, member_of, named_type};
use super::{Parser, make};

/// A type of the prelude, whatever the program calls so.
fn library_type(text: &str, span: Span) -> TypeExpr {
    TypeExpr { kind: TypeExprKind::Constr(make::library_path(text, span), Vec::new()), span }
}

fn object_type(span: Span) -> TypeExpr {
    library_type("obj", span)
}

fn behind(span: Span) -> Name {
    make::made(Made::Behind, span)
}

/// `fun () -> e`
fn delayed(body: Expr, span: Span) -> Expr {
    make::fun(vec![make::unit_pattern(span)], body, span)
}

/// What a record of an interface knows of the object behind it.
pub fn behind_field(span: Span) -> FieldDecl {
    let ty = arrow(named_type("unit", Vec::new(), span), object_type(span));
    field_decl(behind(span), ty, FieldRole::State)
}

/// `fun () -> box this`
pub fn object_behind(this: Name, span: Span) -> (Name, Expr) {
    let boxed = make::apply(make::library("box", span), vec![make::ident(this)], span);
    (behind(span), delayed(boxed, span))
}

/// The same of an object expression, which has no name but that of its interface.
pub fn nameless_object(number: Name, ty: &TypeExpr, span: Span) -> (Name, Expr) {
    let name = match &ty.kind {
        TypeExprKind::Constr(path, _) => path.name.text.as_str().as_bytes().to_vec(),
        _ => Vec::new(),
    };
    let args = vec![make::ident(number), make::string(name, span)];
    (behind(span), delayed(make::apply(make::library("nameless_object", span), args, span), span))
}

impl Parser<'_> {
    /// `member this.%object () = object_with this (fun n -> this.%views n)`
    fn object_member(&mut self, class: &Class, inheritable: bool) -> Member {
        let span = class.name().span;
        let this = self.fresh_name("this", span);
        let views = self.views_of(make::ident(this), span);
        let object = make::library("object_with", span);
        let mut body = make::apply(object, vec![make::ident(this), views], span);
        if let Some(equal) = self.equality_of_object(class, inheritable, this) {
            body = make::apply(make::library("object_equal_as", span), vec![body, equal], span);
        }
        let patterns = vec![make::var(this), make::unit_pattern(span)];
        let value = fun_with(patterns, Some(object_type(span)), body, span);
        member_of(behind(span), MemberKind::Method, value)
    }

    /// `fun n -> this.%views n`
    fn views_of(&mut self, this: Expr, span: Span) -> Expr {
        let number = self.fresh_name("number", span);
        let views = field(this, make::made(Made::Views, span));
        let call = make::apply(views, vec![make::ident(number)], span);
        make::fun(vec![make::var(number)], call, span)
    }

    /// What a class is as an `obj`. One that is seen as its own type alone needs nothing.
    pub(super) fn class_object(&mut self, class: &mut Class, inheritable: bool) {
        let span = class.name().span;
        if !inheritable && class.base.is_none() && class.interfaces.is_empty() {
            return;
        }
        let own = self.object_member(class, inheritable);
        if class.base.is_some() {
            let this = self.fresh_name("this", span);
            let inherited = field(make::ident(this), make::made(Made::Base, span));
            let call = make::apply(field(inherited, behind(span)), vec![make::unit(span)], span);
            let patterns = vec![make::var(this), make::unit_pattern(span)];
            let value = fun_with(patterns, Some(object_type(span)), call, span);
            class.members.push(member_of(behind(span), MemberKind::Method, value));
        }
        if inheritable || class.base.is_some() {
            class.overriding.push(class.members.len());
        }
        class.members.push(own);
        if inheritable && class.base.is_none() {
            let ty = arrow(named_type("unit", Vec::new(), span), object_type(span));
            class.slots.push(Slot { name: behind(span), ty, set: false });
        }
    }

    /// `member this.%views n = …`, when all views are known, and the mark of `%object`.
    pub(super) fn finish_object(&mut self, class: &mut Class, views: &[View], is_interface: bool) {
        let span = class.name().span;
        let has_object = class.members.iter().any(|it| it.name.text == Made::Behind.symbol());
        if !has_object && !is_interface {
            if views.is_empty() {
                return;
            }
            // A record or union that implements interfaces.
            let own = self.object_member(class, false);
            class.members.push(own);
        }
        let member = self.views_member(views, span);
        class.members.push(member);
        if is_interface {
            self.interface_object(class);
        }
        for member in &mut class.members {
            if member.name.text == Made::Behind.symbol() {
                member.binding.attributes.push(Attribute::mark(Mark::Object, span));
            }
        }
    }

    /// `member this.%views n = view_or (view_as n (fun () -> this.%to0)) (fun () -> …)`
    fn views_member(&mut self, views: &[View], span: Span) -> Member {
        let (this, number) = (self.fresh_name("this", span), self.fresh_name("number", span));
        let or = |first: Expr, rest: Expr| {
            make::apply(make::library("view_or", span), vec![first, delayed(rest, span)], span)
        };
        let mut body = make::library("no_view", span);
        for view in views.iter().rev() {
            let seen = || field(make::ident(this), view.member);
            if !is_exception(&view.ty) {
                let further = field(seen(), make::made(Made::Views, span));
                body = or(make::apply(further, vec![make::ident(number)], span), body);
            }
            let args = vec![make::ident(number), delayed(seen(), span)];
            body = or(make::apply(make::library("view_as", span), args, span), body);
        }
        let word = library_type("type_key", span);
        let param = PatternKind::Annotate(Box::new(make::var(number)), word);
        let patterns = vec![make::var(this), make::pattern(param, span)];
        let value = fun_with(patterns, None, body, span);
        member_of(make::made(Made::Views, span), MemberKind::Method, value)
    }

    /// A value of an interface is, for people and for `=`, the object behind it.
    fn interface_object(&mut self, class: &mut Class) {
        let span = class.name().span;
        let asked = |this: Name| {
            make::apply(field(make::ident(this), behind(span)), vec![make::unit(span)], span)
        };
        for (stem, mark, function) in [
            ("text", Mark::Text, "object_text"),
            ("shown", Mark::Shown, "show_object"),
            ("hash", Mark::Hash, "object_code"),
        ] {
            let this = self.fresh_name("this", span);
            let call = make::apply(make::library(function, span), vec![asked(this)], span);
            let patterns = vec![make::var(this), make::unit_pattern(span)];
            self.marked(class, (stem, mark), fun_with(patterns, None, call, span));
        }
        let (this, other) = (self.fresh_name("this", span), self.fresh_name("other", span));
        let same = make::library("object_same", span);
        let call = make::apply(same, vec![asked(this), asked(other)], span);
        let param = PatternKind::Annotate(Box::new(make::var(other)), class.ty());
        let patterns = vec![make::var(this), make::pattern(param, span)];
        self.marked(class, ("equal", Mark::Equality), fun_with(patterns, None, call, span));
        let this = self.fresh_name("this", span);
        let views = self.views_of(make::ident(this), span);
        let args = vec![asked(this), make::ident(this), views];
        let call = make::apply(make::library("object_seen", span), args, span);
        let patterns = vec![make::var(this), make::unit_pattern(span)];
        self.marked(class, ("object", Mark::Object), fun_with(patterns, None, call, span));
    }

    pub(super) fn marked(&mut self, class: &mut Class, (stem, mark): (&str, Mark), value: Expr) {
        let span = class.name().span;
        let name = make::made(Made::local(stem), span);
        let mut member = member_of(name, MemberKind::Method, value);
        member.binding.attributes.push(Attribute::mark(mark, span));
        class.members.push(member);
    }
}

/// `exn`, as the type that a class which inherits from `Exception` can be seen as.
fn is_exception(ty: &TypeExpr) -> bool {
    matches!(&ty.kind, TypeExprKind::Constr(path, _) if path.name.text.as_str() == "exn")
}
