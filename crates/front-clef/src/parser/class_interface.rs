//! Interfaces as records of functions, and what implements them (decision 123).

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::{
    Attribute, Binding, Expr, ExprKind, FieldRole, Member, MemberKind, Name, Pattern, PatternKind,
    PolyType, TypeExpr, TypeExprKind, View,
};

use super::class::{Class, Slot};
use super::class_code::{
    Made, arrow, field, field_decl, fun_with, hidden, int_type, member_of, named_type,
    new_identity, record, slot_field, with_aliases,
};
use super::{Parsed, Parser, make};

impl Parser<'_> {
    /// An interface is a record of functions.
    pub(super) fn interface_record(
        &mut self,
        class: &mut Class,
        made: &mut Made,
        views: &mut Vec<View>,
    ) {
        let span = class.name().span;
        let id = make::name("%id", span);
        let mut fields = vec![field_decl(id, int_type(span), FieldRole::Number)];
        for (index, ty) in class.inherited.iter().enumerate() {
            let name = make::name(&format!("%base{index}"), span);
            fields.push(field_decl(name, ty.clone(), FieldRole::Base));
            let this = make::name("%this", span);
            let inherited = field(make::ident(this), name);
            let value = fun_with(vec![make::var(this)], Some(ty.clone()), inherited, span);
            let member = make::name(&format!("%up{index}"), span);
            class.members.push(member_of(member, MemberKind::Property, value));
            views.push(View { ty: ty.clone(), member, back: None });
        }
        for slot in std::mem::take(&mut class.slots) {
            let unit = named_type("unit", Vec::new(), span);
            let name = slot_field(slot.name);
            let ty = match slot.is_property() {
                true => arrow(unit.clone(), slot.ty.clone()),
                false => slot.ty.clone(),
            };
            fields.push(field_decl(name, ty, FieldRole::Member));
            let call = |this: Expr| field(this, name);
            class.members.push(self.dispatcher(&slot, call));
            if slot.set {
                let setter =
                    Name { text: Symbol::new(&format!("set_{}", slot.name.text)), ..slot.name };
                let name = slot_field(setter);
                fields.push(field_decl(name, arrow(slot.ty.clone(), unit), FieldRole::Member));
                let slot = Slot {
                    name: setter,
                    ty: arrow(slot.ty, named_type("unit", Vec::new(), span)),
                    set: false,
                };
                class.members.push(self.dispatcher(&slot, |this| field(this, name)));
            }
        }
        made.decls.push(self.record_decl(class, class.name(), fields));
    }

    /// The member that calls what a slot holds: `member this.M (a, b) = this.%v.M (a, b)`
    pub(super) fn dispatcher(
        &mut self,
        slot: &Slot,
        function: impl FnOnce(Expr) -> Expr,
    ) -> Member {
        let span = slot.name.span;
        let this = self.fresh_name("this", span);
        let function = function(make::ident(this));
        let mut patterns = vec![make::var(this)];
        if slot.is_property() {
            let call = make::apply(function, vec![make::unit(span)], span);
            let value = fun_with(patterns, Some(slot.ty.clone()), call, span);
            return member_of(slot.name, MemberKind::Property, value);
        }
        let mut args = Vec::new();
        let mut rest = &slot.ty;
        while let TypeExprKind::Arrow(_, from, to) = &rest.kind {
            let (pattern, arg) = self.typed_parameter(from);
            patterns.push(pattern);
            args.push(arg);
            rest = to;
        }
        let call = make::apply(function, args, span);
        let value = fun_with(patterns, Some(rest.clone()), call, span);
        member_of(slot.name, MemberKind::Method, value)
    }

    /// `delegate of a * b -> c`: a class around a function, with a method `Invoke`.
    pub(super) fn delegate(&mut self, class: &mut Class) -> Parsed<()> {
        let start = self.advance().span;
        if self.accept("of").is_none() {
            return self.unexpected("`of` and the type of a function");
        }
        let ty = self.type_expr()?;
        let span = start.to(ty.span);
        let TypeExprKind::Arrow(_, from, to) = ty.kind else {
            return self.fail(Diagnostic::not_supported(ty.span, "a delegate of no function"));
        };
        let items = match &from.kind {
            TypeExprKind::Tuple(items) => items.clone(),
            _ => vec![*from.clone()],
        };
        let curried = items.iter().rfold(*to.clone(), |rest, it| arrow(it.clone(), rest));
        let function = make::name("%function", span);
        let kind = PatternKind::Annotate(Box::new(make::var(function)), curried);
        class.constructor = Some(make::pattern(kind, span));
        class.in_members.push(function.text);
        let parts: Vec<_> = items.iter().map(|it| self.typed_parameter(it)).collect();
        let (mut patterns, args): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let param = match patterns.len() {
            1 => patterns.remove(0),
            _ => make::pattern(PatternKind::Tuple(patterns), span),
        };
        let call = make::apply(make::ident(function), args, span);
        let this = make::var(self.fresh_name("this", span));
        let value = fun_with(vec![this, param], Some(*to), call, span);
        class.members.push(member_of(make::name("Invoke", span), MemberKind::Method, value));
        Ok(())
    }

    /// A parameter of this type, and what it is given.
    fn typed_parameter(&mut self, ty: &TypeExpr) -> (Pattern, Expr) {
        let span = ty.span;
        match &ty.kind {
            TypeExprKind::Tuple(items) => {
                let parts: Vec<_> = items.iter().map(|it| self.typed_parameter(it)).collect();
                let (patterns, args) = parts.into_iter().unzip();
                let pattern = make::pattern(PatternKind::Tuple(patterns), span);
                (pattern, make::expr(ExprKind::Tuple(args), span))
            }
            TypeExprKind::Constr(path, args)
                if args.is_empty() && path.name.text.as_str() == "unit" =>
            {
                (make::unit_pattern(span), make::unit(span))
            }
            _ => {
                let name = self.fresh_name("arg", span);
                let var = Box::new(make::var(name));
                let pattern = make::pattern(PatternKind::Annotate(var, ty.clone()), span);
                (pattern, make::ident(name))
            }
        }
    }

    /// `interface I with …`: hidden members, and one that makes the record of the interface.
    pub(super) fn implementations(&mut self, class: &mut Class, views: &mut Vec<View>) {
        let is_class = class.constructor.is_some();
        for (index, implemented) in std::mem::take(&mut class.interfaces).into_iter().enumerate() {
            let span = implemented.ty.span;
            let this = self.fresh_name("this", span);
            let id = make::name("%id", span);
            let number = match is_class {
                true => field(make::ident(this), id),
                false => new_identity(span),
            };
            let mut fields = vec![(id, number)];
            for member in implemented.members {
                let name = hidden(&format!("i{index}."), member.name);
                let target = field(make::ident(this), name);
                fields.push((slot_field(member.name), self.forwarded(&member, target)));
                class.members.push(Member { name, ..member });
            }
            let mut made = record(fields, implemented.ty.clone(), span);
            mark_bases(&mut made, this.span, Some(this.text));
            let member = make::name(&format!("%to{index}"), span);
            let ty = Some(implemented.ty.clone());
            let value = fun_with(vec![make::var(this)], ty, made, span);
            // It comes first: the interface tells the types of the members.
            class.members.insert(0, member_of(member, MemberKind::Property, value));
            views.push(View { ty: implemented.ty, member, back: None });
        }
    }

    /// A function of the parameters of a member that calls `target`.
    fn forwarded(&mut self, member: &Member, target: Expr) -> Expr {
        let span = member.name.span;
        let ExprKind::Fun(params, _, _) = &member.binding.value.kind else { return target };
        if params.len() == 1 {
            return delayed(target);
        }
        let names: Vec<Name> = params[1..].iter().map(|_| self.fresh_name("arg", span)).collect();
        let args = names.iter().map(|&it| make::ident(it)).collect();
        let patterns = names.into_iter().map(make::var).collect();
        make::fun(patterns, make::apply(target, args, span), span)
    }

    /// `{ new I with … }`: the record of the interface. Members that name their object make it recursive.
    pub(super) fn object_record(
        &mut self,
        ty: TypeExpr,
        members: Vec<Member>,
        names: &[Symbol],
        span: Span,
    ) -> Expr {
        let object = self.fresh_name("object", span);
        let mut recursive = false;
        let mut fields = vec![(make::name("%id", span), new_identity(span))];
        for member in members {
            let at = member.name.span;
            let ExprKind::Fun(mut params, result, body) = member.binding.value.kind else {
                continue;
            };
            let this = match params.remove(0).pattern.kind {
                PatternKind::Var(this)
                    if names.iter().filter(|it| **it == this.text).count() > 1 =>
                {
                    recursive = true;
                    vec![(this, make::ident(object))]
                }
                _ => Vec::new(),
            };
            let body = with_aliases(this, *body);
            let function = match params.is_empty() {
                true => {
                    let params = vec![make::param(make::unit_pattern(at))];
                    ExprKind::Fun(params, result, Box::new(body))
                }
                false => ExprKind::Fun(params, result, Box::new(body)),
            };
            fields.push((slot_field(member.name), make::expr(function, at)));
        }
        let mut made = record(fields, ty.clone(), span);
        mark_bases(&mut made, span, None);
        if !recursive {
            return made;
        }
        let annotation = Some(PolyType { vars: Vec::new(), locally_abstract: false, ty });
        let ExprKind::Annotate(inner, _) = made.kind else { return made };
        let binding = Binding { annotation, ..make::binding(make::var(object), *inner) };
        let body = Box::new(make::ident(object));
        make::expr(ExprKind::Let { recursive: true, bindings: vec![binding], body }, span)
    }
}

/// `fun () -> e`
fn delayed(body: Expr) -> Expr {
    let span = body.span;
    make::fun(vec![make::unit_pattern(span)], body, span)
}

/// The interfaces that an interface inherits from are filled in when its type is known.
fn mark_bases(made: &mut Expr, span: Span, this: Option<Symbol>) {
    let ExprKind::Annotate(inner, _) = &mut made.kind else { return };
    let name = make::name("clef.bases", span);
    inner.attributes.push(Attribute { name, payload: this });
}
