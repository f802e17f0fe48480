//! Classes and interfaces as records and members (decision 123).
//!
//! ```text
//! type C(a) = let x = e …        type C = { %id: int; %a: _; %x: _ }
//!                                static member New(a) : C = let x = e in { … }
//! member this.M p = … x …        member this.M p = …        where `x` stands for `this.%x`
//! let f p = …                    member this.%fn.f p = …    where `f` stands for `this.%fn.f`
//! type I = abstract M: t -> u    type I = { %id: int; %v.M: t -> u }
//! interface I with …             member this.%to0 = { %id …; %v.M = fun p -> … } : I
//! inherit B(e)                   type C = { %id; %base: B; %own: %own.C }, exception %is.C of %own.C
//! abstract M: t -> u             a mutable field %v.M: C -> t -> u, which constructors of heirs set
//! ```

use oxbow_base::{Made, Mark, Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::{
    ArgLabel, Attribute, Binding, Expr, ExprKind, FieldDecl, FieldRole, Item, ItemKind, Member,
    MemberKind, Members, Name, Param, Path, Pattern, PatternKind, PolyType, TypeDecl, TypeDeclKind,
    TypeExpr, TypeExprKind, View, member_field,
};

use super::block::Line;
use super::class::{Class, Slot, check_overrides, is_function};
use super::class_equality::own_overrides;
use super::class_new::{Scope, StateField, is_auto, is_parameter, needs_object};
use super::{Parser, make};

/// What a class becomes besides its members.
#[derive(Default)]
pub struct Declared {
    pub decls: Vec<TypeDecl>,
    /// Exceptions, and the variables of `static let`.
    pub items: Vec<Item>,
}

/// A name of a class and what it stands for in members.
pub type Aliases = Vec<(Name, Expr)>;

/// A variable of the constructor that members may use.
struct State {
    name: Name,
    ty: Option<TypeExpr>,
    mutable: bool,
}

pub fn named_type(text: &str, args: Vec<TypeExpr>, span: Span) -> TypeExpr {
    type_of(make::name(text, span), args)
}

pub fn type_of(name: Name, args: Vec<TypeExpr>) -> TypeExpr {
    TypeExpr { kind: TypeExprKind::Constr(Path::plain(name), args), span: name.span }
}

pub fn field_decl(name: Name, ty: TypeExpr, role: FieldRole) -> FieldDecl {
    let ty = PolyType { vars: Vec::new(), locally_abstract: false, ty };
    FieldDecl { name, mutable: false, acyclic: false, role, ty, span: name.span }
}

pub fn field(object: Expr, name: Name) -> Expr {
    let span = object.span;
    make::expr(ExprKind::Field(Box::new(object), Path::plain(name)), span)
}

/// `member this.ToString() = …`
fn is_text(member: &Member) -> bool {
    let ExprKind::Fun(params, _, _) = &member.binding.value.kind else { return false };
    let [_, last] = params.as_slice() else { return false };
    let is_unit = matches!(&last.pattern.kind, PatternKind::Construct(path, None) if path.name.text.as_str() == "()");
    is_unit && member.kind == MemberKind::Method && member.name.text.as_str() == "ToString"
}

/// The `ToString` of a class, also what replaces it in the class, and the one that another type overrides.
fn mark_texts(class: &mut Class) {
    let is_class = class.constructor.is_some() || class.explicit;
    for (at, member) in class.members.iter_mut().enumerate() {
        if !is_text(member) || !is_class && !class.overriding.contains(&at) {
            continue;
        }
        let span = member.name.span;
        let marks = [Mark::Text, Mark::Shown].into_iter().take(if is_class { 2 } else { 1 });
        member.binding.attributes.extend(marks.map(|it| Attribute::mark(it, span)));
    }
}

/// A name that belongs to another one.
pub fn hidden(stem: &str, name: Name) -> Name {
    make::made(Made::Of(Symbol::new(stem), name.text), name.span)
}

/// What a class does itself where heirs may override.
pub fn implementation(member: Name) -> Name {
    make::made(Made::Implementation(member.text), member.span)
}

/// The field of a member that is called through the object.
pub fn slot_field(member: Name) -> Name {
    Name { text: member_field(member.text), span: member.span }
}

pub fn int_type(span: Span) -> TypeExpr {
    named_type("int", Vec::new(), span)
}

pub fn member_of(name: Name, kind: MemberKind, value: Expr) -> Member {
    let span = name.span;
    Member { name, kind, binding: make::binding(make::var(name), value), span }
}

pub fn fun_with(params: Vec<Pattern>, result: Option<TypeExpr>, body: Expr, span: Span) -> Expr {
    let params = params.into_iter().map(make::param).collect();
    make::expr(ExprKind::Fun(params, result, Box::new(body)), span)
}

pub fn arrow(from: TypeExpr, to: TypeExpr) -> TypeExpr {
    let span = from.span.to(to.span);
    TypeExpr { kind: TypeExprKind::Arrow(ArgLabel::None, Box::new(from), Box::new(to)), span }
}

pub fn new_identity(span: Span) -> Expr {
    make::apply(make::library("new_identity", span), vec![make::unit(span)], span)
}

pub fn record(fields: Vec<(Name, Expr)>, ty: TypeExpr, span: Span) -> Expr {
    let fields = fields.into_iter().map(|it| (Path::plain(it.0), None, it.1)).collect();
    let made = make::expr(ExprKind::Record { base: None, fields }, span);
    make::expr(ExprKind::Annotate(Box::new(made), ty), span)
}

/// What stands in the place of an heir's part where there is none.
pub fn nobody(span: Span) -> Expr {
    make::expr(ExprKind::Construct(make::library_path("NoHeir", span), None), span)
}

/// The variables that a pattern binds, with their types as far as they are written.
pub fn variables(
    pattern: &Pattern,
    ty: Option<&TypeExpr>,
    into: &mut Vec<(Name, Option<TypeExpr>)>,
) {
    match &pattern.kind {
        PatternKind::Var(name) => into.push((*name, ty.cloned())),
        PatternKind::Alias(inner, name) => {
            let origin = name.text.origin();
            let optional = matches!(origin, Some(Made::Optional(_)));
            if !optional && !matches!(origin, Some(Made::Rest(_))) {
                into.push((*name, ty.cloned()));
            }
            let ty = if optional { None } else { ty };
            variables(inner, ty, into);
        }
        PatternKind::Annotate(inner, ty) => variables(inner, Some(ty), into),
        PatternKind::Tuple(items) | PatternKind::List(items) | PatternKind::Array(items) => {
            items.iter().for_each(|it| variables(it, None, into));
        }
        PatternKind::Construct(path, None)
            if path.prefix.is_none() && path.name.text.as_str() != "()" =>
        {
            into.push((path.name, ty.cloned()));
        }
        PatternKind::Construct(_, Some(inner)) => variables(inner, None, into),
        PatternKind::ConstructMany(_, items) => {
            items.iter().for_each(|it| variables(it, None, into));
        }
        PatternKind::Record { fields, .. } => {
            fields.iter().for_each(|it| variables(&it.1, None, into));
        }
        _ => (),
    }
}

fn bound_names(params: &[Param]) -> Vec<Symbol> {
    let mut bound = Vec::new();
    params.iter().for_each(|it| variables(&it.pattern, None, &mut bound));
    bound.into_iter().map(|it| it.0.text).collect()
}

impl Class {
    pub fn name(&self) -> Name {
        self.path.name
    }

    pub fn ty(&self) -> TypeExpr {
        let span = self.name().span;
        let var = |it: &oxbow_elab::ast::TypeParam| match it.name {
            Some(name) => TypeExpr { kind: TypeExprKind::Var(name), span },
            None => TypeExpr { kind: TypeExprKind::Any, span },
        };
        let args = self.params.iter().map(var).collect();
        TypeExpr { kind: TypeExprKind::Constr(self.path.clone(), args), span }
    }

    /// Where its own fields lie: in the object, or in the part that an heir adds to it.
    pub fn own(&self, object: Expr) -> Expr {
        match self.base {
            Some(_) => {
                let span = object.span;
                field(object, make::made(Made::Own, span))
            }
            None => object,
        }
    }
}

impl Parser<'_> {
    /// The declarations and members of a class, an interface, or a type with members.
    pub(super) fn class_code(&mut self, mut class: Class, made: &mut Declared) -> Members {
        self.static_lets(&mut class, made);
        let mut views = Vec::new();
        let (said, is_interface) = (class.said(), class.is_interface());
        if class.constructor.is_some() {
            self.state_and_constructor(&mut class, made, &mut views);
        } else if is_interface {
            self.interface_record(&mut class, made, &mut views);
        } else {
            if class.explicit {
                self.text_member(&mut class, false);
            }
            check_overrides(self, &class);
            own_overrides(&mut class);
        }
        mark_texts(&mut class);
        self.implementations(&mut class, &mut views);
        self.finish_object(&mut class, &views, is_interface);
        let Class { path, params, members, .. } = class;
        Members { path, params, members, views, class: said }
    }

    /// `static let x = e`: a variable beside the type.
    fn static_lets(&mut self, class: &mut Class, made: &mut Declared) {
        let mut aliases = Vec::new();
        let owner = class.name().text;
        for (recursive, mut bindings, span) in std::mem::take(&mut class.statics) {
            let before = aliases.clone();
            for binding in &mut bindings {
                let PatternKind::Var(name) = &mut binding.pattern.kind else {
                    let at = binding.pattern.span;
                    self.report(Diagnostic::not_supported(at, "patterns in `static let`"));
                    continue;
                };
                let own = make::made(Made::Of(owner, name.text), name.span);
                aliases.push((*name, make::ident(own)));
                *name = own;
            }
            let scoped = if recursive { aliases.clone() } else { before };
            for binding in &mut bindings {
                let value = std::mem::replace(&mut binding.value, make::unit(span));
                binding.value = with_aliases(scoped.clone(), value);
            }
            made.items.push(Item { kind: ItemKind::Let { recursive, bindings }, span });
        }
        if aliases.is_empty() {
            return;
        }
        for member in &mut class.members {
            alias_body(&mut member.binding.value, &aliases, 0);
        }
        for implemented in &mut class.interfaces {
            for member in &mut implemented.members {
                alias_body(&mut member.binding.value, &aliases, 0);
            }
        }
        for line in &mut class.lines {
            match line {
                Line::Let { bindings, .. } => {
                    for binding in bindings {
                        alias_body(&mut binding.value, &aliases, 0);
                    }
                }
                Line::Do(body) => {
                    let span = body.span;
                    let inner = std::mem::replace(body, make::unit(span));
                    *body = with_aliases(aliases.clone(), inner);
                }
                _ => (),
            }
        }
    }

    pub(super) fn record_decl(
        &self,
        class: &Class,
        name: Name,
        fields: Vec<FieldDecl>,
    ) -> TypeDecl {
        let mut attributes = class.attributes.clone();
        attributes.push(Attribute::mark(Mark::Class, name.span));
        TypeDecl {
            name,
            params: class.params.clone(),
            kind: TypeDeclKind::Record(fields),
            manifest: None,
            private: false,
            constraints: Vec::new(),
            attributes,
            span: class.span,
        }
    }

    /// The record of a class, its constructor, and its `let`s as members see them.
    fn state_and_constructor(
        &mut self,
        class: &mut Class,
        made: &mut Declared,
        views: &mut Vec<View>,
    ) {
        let span = class.name().span;
        let this = self.fresh_name("this", span);
        self.exception_state(class);
        let mut state = self.state_of(class);
        let slow = needs_object(class);
        // A struct is equal to one of the same state, whether members look at it or not.
        if !slow && !class.is_struct() {
            state.retain(|it| class.in_members.contains(&it.name.text) || is_auto(it.name));
        }
        let mut aliases: Aliases = Vec::new();
        for it in &state {
            aliases.push((it.name, field(class.own(make::ident(this)), hidden("f", it.name))));
        }
        let functions = self.let_functions(class);
        for binding in &functions {
            let PatternKind::Var(name) = binding.pattern.kind else { continue };
            aliases.push((name, field(make::ident(this), hidden("fn", name))));
        }
        if class.base.is_some() {
            let base = make::name("base", span);
            aliases.push((base, field(make::ident(this), make::made(Made::Base, span))));
        }
        self.alias_members(class, this, &aliases, functions);
        let inheritable = self.is_inherited(class);
        self.text_member(class, inheritable);
        self.equality_members(class, inheritable);
        self.class_object(class, inheritable);
        let mut fields = Vec::new();
        if inheritable {
            let exn = named_type("exn", Vec::new(), span);
            let (name, value, role) =
                (make::made(Made::Heir, span), nobody(span), FieldRole::State);
            fields.push(StateField { name, ty: exn, role, mutable: true, value });
        }
        self.class_slots(class, &mut fields);
        for it in &state {
            let any = TypeExpr { kind: TypeExprKind::Any, span };
            let ty = it.ty.clone().unwrap_or(any);
            let value = match slow && !is_parameter(class, it.name) {
                true => {
                    make::apply(make::library("default_value", span), vec![make::unit(span)], span)
                }
                false => make::ident(it.name),
            };
            let (name, mutable) = (hidden("f", it.name), it.mutable || slow);
            fields.push(StateField { name, ty, role: FieldRole::State, mutable, value });
        }
        if inheritable {
            self.extension_members(class);
        }
        let scope = Scope { this, aliases, slow };
        match class.base.is_some() {
            true => self.heir(class, made, views, fields, scope),
            false => self.root(class, made, fields, scope),
        }
        if class.exception.is_some() {
            self.exception_view(class, made, views);
        }
    }

    /// Every class has a `ToString`, which heirs may override: without one it gives the name of the class.
    fn text_member(&mut self, class: &mut Class, inheritable: bool) {
        let span = class.name().span;
        let name = make::name("ToString", span);
        let this = self.fresh_name("this", span);
        let string = || named_type("string", Vec::new(), span);
        let patterns = vec![make::var(this), make::unit_pattern(span)];
        if class.base.is_some() {
            let inherited = field(make::ident(this), make::made(Made::Base, span));
            let call = make::apply(field(inherited, name), vec![make::unit(span)], span);
            let value = fun_with(patterns, Some(string()), call, span);
            class.members.push(member_of(name, MemberKind::Method, value));
            return;
        }
        if !class.members.iter().any(|it| it.name.text == name.text) {
            let mut text = make::string(class.name().text.as_str().as_bytes().to_vec(), span);
            // Of an heir that has none either, the name of the heir.
            if inheritable {
                let object = field(make::ident(this), make::made(Made::Behind, span));
                let object = make::apply(object, vec![make::unit(span)], span);
                text = make::apply(make::library("object_name", span), vec![object], span);
            }
            if class.exception.is_some() {
                let message = field(make::ident(this), make::name("Message", span));
                text =
                    make::apply(make::library("exception_text", span), vec![text, message], span);
            }
            let value = fun_with(patterns, Some(string()), text, span);
            class.overriding.push(class.members.len());
            class.members.push(member_of(name, MemberKind::Method, value));
        }
        if inheritable {
            let unit = named_type("unit", Vec::new(), span);
            class.slots.push(Slot { name, ty: arrow(unit, string()), set: false });
        }
    }

    /// The variables that the constructor's parameters and the `let`s bind.
    fn state_of(&mut self, class: &Class) -> Vec<State> {
        let mut found: Vec<State> = Vec::new();
        let mut add = |name: Name, ty: Option<TypeExpr>, mutable: bool| {
            found.retain(|it: &State| it.name.text != name.text);
            found.push(State { name, ty, mutable });
        };
        let mut bound = Vec::new();
        class.constructor.iter().for_each(|it| variables(it, None, &mut bound));
        bound.into_iter().for_each(|(name, ty)| add(name, ty, false));
        for line in &class.lines {
            let Line::Let { bindings, .. } = line else { continue };
            for binding in bindings.iter().filter(|it| !is_function(it)) {
                let mut bound = Vec::new();
                let ty = binding.annotation.as_ref().map(|it| &it.ty);
                variables(&binding.pattern, ty, &mut bound);
                bound.into_iter().for_each(|(name, ty)| add(name, ty, binding.mutable));
            }
        }
        found
    }

    fn let_functions(&self, class: &Class) -> Vec<Binding> {
        let lets = class.lines.iter().filter_map(|line| match line {
            Line::Let { bindings, .. } => Some(bindings),
            _ => None,
        });
        lets.flatten().filter(|it| is_function(it)).cloned().collect()
    }

    /// Members see the names of the class; functions among its `let`s are members, too.
    fn alias_members(
        &mut self,
        class: &mut Class,
        this: Name,
        aliases: &Aliases,
        functions: Vec<Binding>,
    ) {
        let instance = |it: &Member| matches!(it.kind, MemberKind::Property | MemberKind::Method);
        let interfaces = class.interfaces.iter_mut().flat_map(|it| &mut it.members);
        for member in class.members.iter_mut().chain(interfaces).filter(|it| instance(it)) {
            name_object(&mut member.binding.value, this);
            alias_body(&mut member.binding.value, aliases, 1);
        }
        for binding in functions {
            let (PatternKind::Var(name), ExprKind::Fun(params, result, body)) =
                (binding.pattern.kind, binding.value.kind)
            else {
                continue;
            };
            let params = std::iter::once(make::param(make::var(this))).chain(params).collect();
            let mut value = make::expr(ExprKind::Fun(params, result, body), name.span);
            alias_body(&mut value, aliases, 1);
            class.members.push(member_of(hidden("fn", name), MemberKind::Method, value));
        }
    }

    /// May something in the program inherit from it?
    pub(super) fn is_inherited(&self, class: &Class) -> bool {
        let is_abstract = |it: &Attribute| it.name.text.as_str() == "AbstractClass";
        !class.slots.is_empty()
            || class.attributes.iter().any(is_abstract)
            || !class.is_struct()
                && !class.attributes.iter().any(|it| it.name.text.as_str() == "Sealed")
                && !class.attributes.iter().any(|it| it.is(Mark::Delegate))
                && self.outline.is_inherited(class.name().text)
    }

    /// What heirs use of a class: the place for their part.
    fn extension_members(&mut self, class: &mut Class) {
        let span = class.name().span;
        let this = self.fresh_name("this", span);
        let ext = make::made(Made::Heir, span);
        let place = field(class.own(make::ident(this)), ext);
        let exn = named_type("exn", Vec::new(), span);
        let get = fun_with(vec![make::var(this)], Some(exn), place, span);
        class.members.push(member_of(make::made(Made::GetHeir, span), MemberKind::Property, get));
        let part = self.fresh_name("part", span);
        let object = Box::new(class.own(make::ident(this)));
        let set = ExprKind::SetField(object, Path::plain(ext), Box::new(make::ident(part)));
        let set = make::fun(vec![make::var(this), make::var(part)], make::expr(set, span), span);
        class.members.push(member_of(make::made(Made::SetHeir, span), MemberKind::Method, set));
    }

    /// `abstract M: t` of a class: a field that holds a function of the object.
    fn class_slots(&mut self, class: &mut Class, fields: &mut Vec<StateField>) {
        for slot in std::mem::take(&mut class.slots) {
            let span = slot.name.span;
            if slot.set {
                self.report(Diagnostic::not_supported(
                    span,
                    "abstract properties with `set` of a class",
                ));
            }
            let name = slot_field(slot.name);
            let own = class.overriding.iter().map(|&at| &class.members[at]);
            let default = own.into_iter().find(|it| it.name.text == slot.name.text).cloned();
            let value = match &default {
                Some(member) => self.slot_function(member, |object| object),
                None => {
                    let text = format!("`{}` is abstract", slot.name.text).into_bytes();
                    let failed = make::library("failwith", span);
                    let failed = make::apply(failed, vec![make::string(text, span)], span);
                    make::fun(vec![make::pattern(PatternKind::Any, span)], failed, span)
                }
            };
            let (ty, role) = (arrow(class.ty(), slot.ty.clone()), FieldRole::Member);
            fields.push(StateField { name, ty, role, mutable: true, value });
            let place = |this: Expr| field(class.own(this), name);
            let dispatcher = match slot.is_property() {
                true => {
                    let this = self.fresh_name("this", span);
                    let call = make::apply(place(make::ident(this)), vec![make::ident(this)], span);
                    let value = fun_with(vec![make::var(this)], Some(slot.ty.clone()), call, span);
                    member_of(slot.name, MemberKind::Property, value)
                }
                false => self
                    .dispatcher(&slot, |this| make::apply(place(this.clone()), vec![this], span)),
            };
            class.members.push(dispatcher);
            // What the class does itself has another name.
            for &at in &class.overriding {
                let member = &mut class.members[at];
                if member.name.text == slot.name.text {
                    member.name = implementation(member.name);
                }
            }
        }
        class.overriding.retain(|&at| {
            !matches!(class.members[at].name.text.origin(), Some(Made::Implementation(_)))
        });
    }

    /// `fun object a b -> (as this class).%impl.M a b`
    pub(super) fn slot_function(
        &mut self,
        member: &Member,
        cast: impl FnOnce(Expr) -> Expr,
    ) -> Expr {
        let span = member.name.span;
        let object = self.fresh_name("object", span);
        let target = field(cast(make::ident(object)), implementation(member.name));
        let ExprKind::Fun(params, _, _) = &member.binding.value.kind else { return target };
        let names: Vec<Name> = params[1..].iter().map(|_| self.fresh_name("arg", span)).collect();
        let args: Vec<Expr> = names.iter().map(|&it| make::ident(it)).collect();
        let call = if args.is_empty() { target } else { make::apply(target, args, span) };
        let patterns = std::iter::once(object).chain(names).map(make::var).collect();
        make::fun(patterns, call, span)
    }
}

/// The names stand for what they are given, in this expression.
pub fn with_aliases(aliases: Aliases, body: Expr) -> Expr {
    if aliases.is_empty() {
        return body;
    }
    let span = body.span;
    make::expr(ExprKind::Aliases(aliases, Box::new(body)), span)
}

/// The same for the body of a function, whose parameters hide them; the first `skipped` ones do not count.
fn alias_body(value: &mut Expr, aliases: &Aliases, skipped: usize) {
    let span = value.span;
    if let ExprKind::Fun(params, _, body) = &mut value.kind {
        let bound = bound_names(&params[skipped.min(params.len())..]);
        let seen = |it: &&(Name, Expr)| !bound.contains(&it.0.text);
        let aliases: Aliases = aliases.iter().filter(seen).cloned().collect();
        let inner = std::mem::replace(body.as_mut(), make::unit(span));
        **body = with_aliases(aliases, inner);
        return;
    }
    let inner = std::mem::replace(value, make::unit(span));
    *value = with_aliases(aliases.clone(), inner);
}

/// The object of a member gets a second name, which nothing in the member hides.
fn name_object(value: &mut Expr, this: Name) {
    let ExprKind::Fun(params, _, _) = &mut value.kind else { return };
    let Some(first) = params.first_mut() else { return };
    let span = first.pattern.span;
    let inner = std::mem::replace(&mut first.pattern.kind, PatternKind::Any);
    let inner = Box::new(make::pattern(inner, span));
    first.pattern.kind = PatternKind::Alias(inner, this);
}
