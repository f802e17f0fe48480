//! Interfaces as records of functions, and what implements them (decision 123).

use oxbow_base::{Made, Mark, Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::{
    Attribute, Binding, ConstructorArgs, ExceptionDecl, Expr, ExprKind, FieldDecl, FieldRole, Item,
    ItemKind, Member, MemberKind, Name, Param, Path, Pattern, PatternKind, PolyType, TypeExpr,
    TypeExprKind, TypeParam, View,
};

use super::block::Line;
use super::class::{Class, Slot};
use super::class_code::{
    Declared, arrow, field, field_decl, fun_with, hidden, int_type, member_of, named_type,
    new_identity, record, slot_field, with_aliases,
};
use super::class_equality::compares;
use super::class_object::{behind_field, nameless_object, object_behind};
use super::member::setter;
use super::{Parsed, Parser, make};

impl Parser<'_> {
    /// An interface is a record of functions.
    pub(super) fn interface_record(
        &mut self,
        class: &mut Class,
        made: &mut Declared,
        views: &mut Vec<View>,
    ) {
        let span = class.name().span;
        let id = make::made(Made::Number, span);
        let mut fields =
            vec![field_decl(id, int_type(span), FieldRole::Number), behind_field(span)];
        for (index, ty) in class.inherited.iter().enumerate() {
            let name = make::made(Made::BaseInterface(index as u32), span);
            fields.push(field_decl(name, ty.clone(), FieldRole::Base));
            let this = make::made(Made::local("this"), span);
            let inherited = field(make::ident(this), name);
            let value = fun_with(vec![make::var(this)], Some(ty.clone()), inherited, span);
            let member = make::made(Made::fresh("up", index as u32), span);
            class.members.push(member_of(member, MemberKind::Property, value));
            views.push(View { ty: ty.clone(), member, back: None, base: false });
        }
        for slot in std::mem::take(&mut class.slots) {
            let unit = named_type("unit", Vec::new(), span);
            let name = slot_field(slot.name);
            let ty = match slot.is_property() {
                true => arrow(unit.clone(), slot.ty.clone()),
                false => slot.ty.clone(),
            };
            fields.push(slot_decl(name, ty, &class.params));
            let call = |this: Expr| field(this, name);
            class.members.push(self.dispatcher(&slot, call));
            if slot.set {
                let setter = setter(slot.name);
                let name = slot_field(setter);
                fields.push(slot_decl(name, arrow(slot.ty.clone(), unit), &class.params));
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
        class.attributes.push(Attribute::mark(Mark::Delegate, span));
        let function = make::made(Made::local("function"), span);
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

    /// `interface I with …`: a member that makes the record of the interface, whose functions know the object.
    pub(super) fn implementations(&mut self, class: &mut Class, views: &mut Vec<View>) {
        let is_class = class.constructor.is_some();
        for (index, implemented) in std::mem::take(&mut class.interfaces).into_iter().enumerate() {
            let span = implemented.ty.span;
            if is_enumerable(&implemented.ty) {
                self.enumerable(class, implemented);
                continue;
            }
            if self.is_comparable(&implemented.ty) {
                self.comparable(class, implemented);
                continue;
            }
            let this = self.fresh_name("this", span);
            let id = make::made(Made::Number, span);
            let number = match is_class {
                true => field(make::ident(this), id),
                false => new_identity(span),
            };
            let mut fields = vec![(id, number), object_behind(this, span)];
            for member in implemented.members {
                let name = slot_field(member.name);
                let ExprKind::Fun(params, result, body) = member.binding.value.kind else {
                    continue;
                };
                fields.push((name, view_function(params, result, *body, this)));
            }
            let mut record = record(fields, implemented.ty.clone(), span);
            mark_bases(&mut record, this.span, Some(this.text));
            let member = make::made(Made::fresh("to", index as u32), span);
            let ty = Some(implemented.ty.clone());
            let value = fun_with(vec![make::var(this)], ty, record, span);
            class.members.push(member_of(member, MemberKind::Property, value));
            views.push(View { ty: implemented.ty, member, back: None, base: false });
        }
    }

    /// `match e with Tag object -> Some object | _ -> None`
    fn found(&mut self, value: Expr, tag: Name, span: Span) -> Expr {
        let object = self.fresh_name("object", span);
        let found = PatternKind::Construct(Path::plain(tag), Some(Box::new(make::var(object))));
        let some = make::construct("Some", Some(make::ident(object)), span);
        let other = make::pattern(PatternKind::Any, span);
        let cases = vec![
            make::case(make::pattern(found, span), some),
            make::case(other, make::construct("None", None, span)),
        ];
        make::expr(ExprKind::Match(Box::new(value), cases), span)
    }

    /// `interface IEnumerable<T> with member this.GetEnumerator() = e.GetEnumerator()`: a member `AsSeq` that gives the
    /// elements. `IEnumerable` without their type says nothing more.
    fn enumerable(&mut self, class: &mut Class, implemented: super::class::Implemented) {
        let span = implemented.ty.span;
        let TypeExprKind::Constr(_, args) = &implemented.ty.kind else { return };
        let [element] = args.as_slice() else { return };
        let seq = named_type("seq", vec![element.clone()], span);
        let typed = |it: &&Member| {
            let ExprKind::Fun(_, result, _) = &it.binding.value.kind else { return false };
            let untyped = |it: &TypeExpr| matches!(&it.kind, TypeExprKind::Constr(_, args) if args.is_empty());
            !result.as_ref().is_some_and(untyped)
        };
        let Some(member) = implemented.members.iter().find(typed) else { return };
        let ExprKind::Fun(params, _, body) = member.binding.value.kind.clone() else { return };
        let Some(elements) = sequence_of(*body, &seq) else {
            let report = Diagnostic::not_supported(member.name.span, "an enumerator of your own");
            self.report(report.help("end in `s.GetEnumerator()` of a sequence `s`"));
            return;
        };
        let this = params.into_iter().next().map(|it| it.pattern);
        let this = this.unwrap_or(make::pattern(PatternKind::Any, span));
        let value = fun_with(vec![this], Some(seq), elements, span);
        class.members.push(member_of(make::name("AsSeq", span), MemberKind::Property, value));
    }

    /// `IComparable` of .NET, without an argument.
    pub(super) fn is_comparable(&self, ty: &TypeExpr) -> bool {
        let TypeExprKind::Constr(path, args) = &ty.kind else { return false };
        path.name.text.as_str() == "IComparable" && args.is_empty() && !self.declares(ty)
    }

    /// `interface IComparable with member this.CompareTo(other) = …`: what `compare` does at the type.
    fn comparable(&mut self, class: &mut Class, implemented: super::class::Implemented) {
        let ty = class.ty();
        for mut member in implemented.members {
            compares(&mut member, Mark::Order, &ty);
            if let ExprKind::Fun(_, result, _) = &mut member.binding.value.kind {
                result.get_or_insert(int_type(member.name.span));
            }
            member.name = make::made(Made::local("compare"), member.name.span);
            member.binding.pattern = make::var(member.name);
            class.members.push(member);
        }
    }

    /// A class that inherits from `Exception` keeps a message, which heirs may override.
    pub(super) fn exception_state(&mut self, class: &mut Class) {
        let Some(args) = class.exception.clone() else { return };
        let span = class.name().span;
        if let Some(param) = class.params.first() {
            self.report(Diagnostic::not_supported(
                param.span,
                "a generic class that is an exception",
            ));
        }
        let given = match args.kind {
            ExprKind::Tuple(mut items) => items.remove(0),
            ExprKind::Construct(path, None) if path.name.text.as_str() == "()" => {
                let text = format!("Exception of type '{}' was thrown.", class.name().text);
                make::string(text.into_bytes(), span)
            }
            kind => make::expr(kind, args.span),
        };
        let message = make::name("Message", span);
        let stored = make::made(Made::Auto(message.text), span);
        let string = || named_type("string", Vec::new(), span);
        let annotation = PolyType { vars: Vec::new(), locally_abstract: false, ty: string() };
        let binding =
            Binding { annotation: Some(annotation), ..make::binding(make::var(stored), given) };
        class.lines.insert(0, Line::Let { recursive: false, bindings: vec![binding], span });
        if !class.members.iter().any(|it| it.name.text == message.text) {
            let this = make::var(self.fresh_name("this", span));
            let value = fun_with(vec![this], Some(string()), make::ident(stored), span);
            class.overriding.push(class.members.len());
            class.members.push(member_of(message, MemberKind::Property, value));
        }
        class.slots.push(Slot { name: message, ty: string(), set: false });
    }

    /// Up to `exn`, and back.
    pub(super) fn exception_view(
        &mut self,
        class: &mut Class,
        made: &mut Declared,
        views: &mut Vec<View>,
    ) {
        let (span, tag) = (class.name().span, hidden("is", class.name()));
        let args = ConstructorArgs::Tuple(vec![class.ty()]);
        let exception = ExceptionDecl {
            name: tag,
            args,
            result: None,
            rebind: None,
            attributes: Vec::new(),
            span,
        };
        made.items.push(Item { kind: ItemKind::Exception(exception), span });
        let exn = || named_type("exn", Vec::new(), span);
        let this = self.fresh_name("this", span);
        let part = make::construct_of(tag, make::ident(this), span);
        let message = field(make::ident(this), make::name("Message", span));
        let message = make::fun(vec![make::unit_pattern(span)], message, span);
        // Of the class of the object, which may be one that inherits from this one.
        let object = field(make::ident(this), make::made(Made::Behind, span));
        let object = make::apply(object, vec![make::unit(span)], span);
        let name = make::apply(make::library("object_name", span), vec![object], span);
        let raised = make::library("exception_object", span);
        let raised = make::apply(raised, vec![part, message, name], span);
        let up = make::made(Made::local("up"), span);
        let value = fun_with(vec![make::var(this)], Some(exn()), raised, span);
        class.members.push(member_of(up, MemberKind::Property, value));
        let value = self.fresh_name("value", span);
        let part = make::library("exception_part", span);
        let part = make::apply(part, vec![make::ident(value)], span);
        let body = self.found(part, tag, span);
        let param = PatternKind::Annotate(Box::new(make::var(value)), exn());
        let option = named_type("option", vec![class.ty()], span);
        let value = fun_with(vec![make::pattern(param, span)], Some(option), body, span);
        let back = make::made(Made::local("from"), span);
        class.members.push(member_of(back, MemberKind::StaticMethod, value));
        views.push(View { ty: exn(), member: up, back: Some(back), base: true });
    }

    /// `{ new I with … }`: the record of the interface. Members that name their object make it recursive.
    pub(super) fn object_record(
        &mut self,
        ty: TypeExpr,
        members: Vec<Member>,
        names: &[Symbol],
        span: Span,
    ) -> Expr {
        let (object, number) = (self.fresh_name("object", span), self.fresh_name("number", span));
        let mut recursive = false;
        let mut fields = vec![
            (make::made(Made::Number, span), make::ident(number)),
            nameless_object(number, &ty, span),
        ];
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
        let numbered = |made| make::let_in(make::var(number), new_identity(span), made);
        if !recursive {
            return numbered(made);
        }
        let annotation = Some(PolyType { vars: Vec::new(), locally_abstract: false, ty });
        let ExprKind::Annotate(inner, _) = made.kind else { return made };
        let binding = Binding { annotation, ..make::binding(make::var(object), *inner) };
        let body = Box::new(make::ident(object));
        let kind = ExprKind::Let { recursive: true, bindings: vec![binding], body };
        numbered(make::expr(kind, span))
    }
}

/// `IEnumerable<T>` and `IEnumerable`
fn is_enumerable(ty: &TypeExpr) -> bool {
    matches!(&ty.kind, TypeExprKind::Constr(path, _) if path.name.text.as_str() == "IEnumerable")
}

/// `e.GetEnumerator()`, as the sequence that is meant: `e`. `None` for another enumerator.
fn sequence_of(body: Expr, seq: &TypeExpr) -> Option<Expr> {
    let (span, part) = (body.span, |it: Box<Expr>| sequence_of(*it, seq).map(Box::new));
    let kind = match body.kind {
        ExprKind::Aliases(names, inner) => ExprKind::Aliases(names, part(inner)?),
        ExprKind::Let { recursive, bindings, body } => {
            ExprKind::Let { recursive, bindings, body: part(body)? }
        }
        ExprKind::Sequence(mut items) => {
            let last = sequence_of(items.pop()?, seq)?;
            items.push(last);
            ExprKind::Sequence(items)
        }
        ExprKind::Apply(func, _) => match func.kind {
            ExprKind::Field(object, path) if path.name.text.as_str() == "GetEnumerator" => {
                ExprKind::Coerce(object, None, seq.clone())
            }
            _ => return None,
        },
        _ => return None,
    };
    Some(make::expr(kind, span))
}

/// `member this.M p = e` of an object `object`: `fun p -> let this = object in e`
fn view_function(
    mut params: Vec<Param>,
    result: Option<TypeExpr>,
    body: Expr,
    object: Name,
) -> Expr {
    let (this, span) = (params.remove(0).pattern, body.span);
    if params.is_empty() {
        params.push(make::param(make::unit_pattern(span)));
    }
    let body = make::let_in(this, make::ident(object), body);
    make::expr(ExprKind::Fun(params, result, Box::new(body)), span)
}

/// The field of a member, which is generic in the variables that are not those of its type.
pub fn slot_decl(name: Name, ty: TypeExpr, params: &[TypeParam]) -> FieldDecl {
    let mut vars = Vec::new();
    own_variables(&ty, params, &mut vars);
    let mut decl = field_decl(name, ty, FieldRole::Member);
    decl.ty.vars = vars;
    decl
}

fn own_variables(ty: &TypeExpr, params: &[TypeParam], into: &mut Vec<Name>) {
    match &ty.kind {
        TypeExprKind::Var(name) => {
            let known = params.iter().filter_map(|it| it.name).chain(into.iter().copied());
            if !known.into_iter().any(|it| it.text == name.text) {
                into.push(*name);
            }
        }
        TypeExprKind::Arrow(_, from, to) => {
            own_variables(from, params, into);
            own_variables(to, params, into);
        }
        TypeExprKind::Tuple(items) | TypeExprKind::Constr(_, items) => {
            items.iter().for_each(|it| own_variables(it, params, into));
        }
        _ => (),
    }
}

/// The interfaces that an interface inherits from are filled in when its type is known.
fn mark_bases(made: &mut Expr, span: Span, this: Option<Symbol>) {
    let ExprKind::Annotate(inner, _) = &mut made.kind else { return };
    inner.attributes.push(Attribute { payload: this, ..Attribute::mark(Mark::Bases, span) });
}
