//! Constructors of classes, and classes that inherit.
//!
//! ```text
//! static member New(a) : C = let x = e in { %id = …; %a = a; %x = x }
//! ```
//!
//! With `as this`, or where functions of the constructor may change its variables later, the object is made first
//! and its fields are set one by one.

use oxbow_base::{Made, Mark, Span};
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::{
    Attribute, ConstructorArgs, ExceptionDecl, Expr, ExprKind, FieldDecl, FieldRole, Item,
    ItemKind, Member, MemberKind, Name, Path, PatternKind, TypeExpr, TypeExprKind, TypeParam, View,
};

use super::block::Line;
use super::class::{Class, check_overrides, check_parameters, is_function};
use super::class_code::{
    Aliases, Declared, field, field_decl, fun_with, hidden, implementation, int_type, member_of,
    named_type, new_identity, record, slot_field, type_of, variables, with_aliases,
};
use super::class_equality::own_overrides;
use super::class_interface::slot_decl;
use super::{Parser, make};

/// A field of the object, with its first value.
pub struct StateField {
    pub name: Name,
    pub ty: TypeExpr,
    pub role: FieldRole,
    pub mutable: bool,
    pub value: Expr,
}

impl StateField {
    fn split(self, params: &[TypeParam]) -> (FieldDecl, (Name, Expr)) {
        let mut decl = match self.role {
            FieldRole::Member => slot_decl(self.name, self.ty, params),
            _ => field_decl(self.name, self.ty, self.role),
        };
        decl.mutable = self.mutable;
        // Functions of the object that are given it: they hold no reference to it.
        decl.acyclic = self.role == FieldRole::Member;
        (decl, (self.name, self.value))
    }
}

/// How the constructor and the members of a class name its object and its state.
pub struct Scope {
    pub this: Name,
    pub aliases: Aliases,
    /// The object is there before its fields have their values.
    pub slow: bool,
}

/// Must the object be there while the constructor runs? Functions that it makes may outlive it, and share its
/// variables with the members.
pub fn needs_object(class: &Class) -> bool {
    let lets = class.lines.iter().filter_map(|line| match line {
        Line::Let { bindings, .. } => Some(bindings),
        _ => None,
    });
    let changes = lets.clone().flatten().any(|it| it.mutable);
    let functions: Vec<_> = lets
        .flatten()
        .filter(|it| is_function(it))
        .filter_map(|it| match it.pattern.kind {
            PatternKind::Var(name) => Some(name.text),
            _ => None,
        })
        .collect();
    let makes_function = class.in_lines.iter().any(|it| {
        functions.contains(it) || matches!(it.as_str(), "fun" | "function" | "lazy" | "seq")
    });
    class.self_name.is_some() || changes && makes_function
}

/// `member val P = e`: the variable behind it.
pub fn is_auto(name: Name) -> bool {
    matches!(name.text.origin(), Some(Made::Auto(_)))
}

pub fn is_parameter(class: &Class, name: Name) -> bool {
    let mut bound = Vec::new();
    class.constructor.iter().for_each(|it| variables(it, None, &mut bound));
    bound.iter().any(|it| it.0.span == name.span)
}

/// `new(x) = { X = x }` in a type with `val X`: the record that a constructor ends in is its object.
pub fn made_object(body: Expr, ty: &TypeExpr) -> Expr {
    let span = body.span;
    let part = |it: Box<Expr>| Box::new(made_object(*it, ty));
    let kind = match body.kind {
        kind @ ExprKind::Record { base: None, .. } => {
            let mut record = make::expr(kind, span);
            record.attributes.push(Attribute::mark(Mark::Class, span));
            ExprKind::Annotate(Box::new(record), ty.clone())
        }
        ExprKind::Let { recursive, bindings, body } => {
            ExprKind::Let { recursive, bindings, body: part(body) }
        }
        ExprKind::If(cond, then, Some(other)) => ExprKind::If(cond, part(then), Some(part(other))),
        ExprKind::Sequence(mut items) => {
            if let Some(last) = items.pop() {
                items.push(made_object(last, ty));
            }
            ExprKind::Sequence(items)
        }
        _ => return body,
    };
    Expr { kind, ..body }
}

/// What a class adds to the one that it inherits from, which hangs on the object of that.
struct Part {
    tag: Tag,
    ty: TypeExpr,
}

/// How it is told from the parts of other classes.
enum Tag {
    /// It is the argument of an exception.
    Exception(Name),
    /// A generic class has no exception of its own: the number of the type, which is known where it is specialised.
    Number,
}

impl Part {
    fn tagged(&self, part: Expr, span: Span) -> Expr {
        match self.tag {
            Tag::Exception(tag) => make::construct_of(tag, part, span),
            Tag::Number => make::apply(make::library("generic_part", span), vec![part], span),
        }
    }

    /// `match part with Tag own -> found | _ -> other`
    fn found_in(&self, part: Expr, own: Name, (found, other): (Expr, Expr), span: Span) -> Expr {
        let (part, tag) = match self.tag {
            Tag::Exception(tag) => (part, tag),
            Tag::Number => {
                let part = make::apply(make::library("own_part", span), vec![part], span);
                let ty = named_type("option", vec![self.ty.clone()], span);
                let kind = ExprKind::Annotate(Box::new(part), ty);
                (make::expr(kind, span), make::name("Some", span))
            }
        };
        let pattern = PatternKind::Construct(Path::plain(tag), Some(Box::new(make::var(own))));
        let cases = vec![
            make::case(make::pattern(pattern, span), found),
            make::case(make::pattern(PatternKind::Any, span), other),
        ];
        make::expr(ExprKind::Match(Box::new(part), cases), span)
    }
}

impl Parser<'_> {
    fn part_tag(&mut self, class: &Class, own: &TypeExpr, made: &mut Declared) -> Tag {
        if !class.params.is_empty() {
            return Tag::Number;
        }
        let (span, name) = (class.name().span, hidden("is", class.name()));
        let args = ConstructorArgs::Tuple(vec![own.clone()]);
        let exception =
            ExceptionDecl { name, args, result: None, rebind: None, attributes: Vec::new(), span };
        made.items.push(Item { kind: ItemKind::Exception(exception), span });
        Tag::Exception(name)
    }

    /// A class that inherits from none.
    pub(super) fn root(
        &mut self,
        class: &mut Class,
        made: &mut Declared,
        fields: Vec<StateField>,
        scope: Scope,
    ) {
        let span = class.name().span;
        check_overrides(self, class);
        own_overrides(class);
        let id = make::made(Made::Number, span);
        let mut decls = vec![field_decl(id, int_type(span), FieldRole::Number)];
        let number = match class.is_struct() {
            true => make::apply(make::library("default_value", span), vec![make::unit(span)], span),
            false => new_identity(span),
        };
        let mut values = vec![(id, number)];
        for (decl, value) in fields.into_iter().map(|it| it.split(&class.params)) {
            decls.push(decl);
            values.push(value);
        }
        made.decls.push(self.record_decl(class, class.name(), decls));
        let object = record(values, class.ty(), span);
        let body = self.constructed(class, object, Vec::new(), &scope);
        self.push_constructor(class, body);
    }

    fn push_constructor(&mut self, class: &mut Class, body: Expr) {
        let span = class.name().span;
        let Some(pattern) = class.constructor.clone() else { return };
        let value = fun_with(vec![pattern], Some(class.ty()), body, span);
        let mut new =
            member_of(make::made(Made::Constructor, span), MemberKind::StaticMethod, value);
        let abstract_class = |it: &&Attribute| it.name.text.as_str() == "AbstractClass";
        new.binding.attributes.extend(class.attributes.iter().find(abstract_class).cloned());
        class.members.insert(0, new);
    }

    /// The lines of the constructor around the object; `first` run before them, `last` when the object is there.
    fn constructed(
        &mut self,
        class: &mut Class,
        object: Expr,
        last: Vec<Expr>,
        scope: &Scope,
    ) -> Expr {
        let span = class.name().span;
        let lines = std::mem::take(&mut class.lines);
        let bound = vec![make::binding(make::var(scope.this), object)];
        let object = Line::Let { recursive: false, bindings: bound, span };
        let end = Line::Expr(make::ident(scope.this));
        let mut steps: Vec<Line> = Vec::new();
        if !scope.slow {
            let wanted = |line: &Line| match line {
                Line::Let { bindings, .. } => bindings.iter().any(|it| {
                    let PatternKind::Var(name) = &it.pattern.kind else { return true };
                    !is_function(it) || class.in_lines.contains(&name.text)
                }),
                _ => true,
            };
            steps.extend(lines.into_iter().filter(|it| wanted(it)));
            steps.push(object);
            steps.extend(last.into_iter().map(Line::Expr));
            steps.push(end);
            return self.fold(steps);
        }
        for line in lines {
            match line {
                Line::Let { bindings, .. } if bindings.iter().all(is_function) => (),
                Line::Let { recursive, bindings, span } => {
                    self.field_steps(class, (recursive, bindings, span), scope, &mut steps);
                }
                line => steps.push(line),
            }
        }
        steps.push(end);
        let mut aliases = scope.aliases.clone();
        if let Some(name) = class.self_name {
            aliases.push((name, make::ident(scope.this)));
        }
        let body = with_aliases(aliases, self.fold(steps));
        let mut around = vec![object];
        around.extend(last.into_iter().map(Line::Expr));
        around.push(Line::Expr(body));
        self.fold(around)
    }

    /// `let x = e` as `this.%x <- e`
    fn field_steps(
        &mut self,
        class: &Class,
        (recursive, bindings, span): (bool, Vec<oxbow_elab::ast::Binding>, oxbow_base::Span),
        scope: &Scope,
        steps: &mut Vec<Line>,
    ) {
        let set = |name: Name, value: Expr| {
            let place = Box::new(class.own(make::ident(scope.this)));
            let set = ExprKind::SetField(place, Path::plain(hidden("f", name)), Box::new(value));
            Line::Expr(make::expr(set, span))
        };
        for binding in bindings {
            if let (PatternKind::Var(name), false) = (&binding.pattern.kind, recursive) {
                let value = match binding.annotation {
                    Some(poly) => {
                        let kind = ExprKind::Annotate(Box::new(binding.value), poly.ty);
                        make::expr(kind, span)
                    }
                    None => binding.value,
                };
                steps.push(set(*name, value));
                continue;
            }
            let mut names = Vec::new();
            variables(&binding.pattern, None, &mut names);
            steps.push(Line::Let { recursive, bindings: vec![binding], span });
            steps.extend(names.into_iter().map(|(name, _)| set(name, make::ident(name))));
        }
    }

    /// A class that inherits: an object of the class that it inherits from, and a part of its own.
    pub(super) fn heir(
        &mut self,
        class: &mut Class,
        made: &mut Declared,
        views: &mut Vec<View>,
        mut fields: Vec<StateField>,
        scope: Scope,
    ) {
        let span = class.name().span;
        check_parameters(self, class);
        let Some(base) = class.base.take() else { return };
        let own_name = hidden("own", class.name());
        let own_ty = match class.ty().kind {
            TypeExprKind::Constr(_, args) => type_of(own_name, args),
            _ => type_of(own_name, Vec::new()),
        };
        if fields.is_empty() {
            let (name, ty) =
                (make::made(Made::local("none"), span), named_type("unit", Vec::new(), span));
            let (role, value) = (FieldRole::State, make::unit(span));
            fields.push(StateField { name, ty, role, mutable: false, value });
        }
        let parts = fields.into_iter().map(|it| it.split(&class.params));
        let (decls, values): (Vec<_>, Vec<_>) = parts.unzip();
        let mut own_decl = self.record_decl(class, own_name, decls);
        own_decl.attributes.retain(|it| !it.is(Mark::Class));
        made.decls.push(own_decl);
        let names = [Made::Number, Made::Base, Made::Own].map(|it| make::made(it, span));
        let object_fields = vec![
            field_decl(names[0], int_type(span), FieldRole::Number),
            field_decl(names[1], base.ty.clone(), FieldRole::Base),
            field_decl(names[2], own_ty.clone(), FieldRole::State),
        ];
        made.decls.push(self.record_decl(class, class.name(), object_fields));
        let part = Part { tag: self.part_tag(class, &own_ty, made), ty: own_ty.clone() };
        self.casts(class, &base.ty, &part, views);
        // let %b = Base(args) in … { %id = %b.%id; %base = %b; %own = { … } }
        let inherited = self.fresh_name("base", span);
        let own = record(values, own_ty, span);
        let object = self.handle(class, make::ident(inherited), own, span);
        let last = self.overriding_steps(class, inherited, &part, scope.this);
        class.base = Some(super::class::Base { ty: base.ty.clone(), args: base.args.clone() });
        let body = self.constructed(class, object, last, &scope);
        let constructor = self.base_constructor(&base.ty, base.args, Vec::new(), span);
        let body = make::let_in(make::var(inherited), constructor, body);
        self.push_constructor(class, body);
    }

    /// `Base(args)`
    fn base_constructor(
        &mut self,
        ty: &TypeExpr,
        args: Expr,
        defined: Vec<Attribute>,
        span: oxbow_base::Span,
    ) -> Expr {
        let oxbow_elab::ast::TypeExprKind::Constr(path, given) = &ty.kind else { return args };
        // What an object expression defines, or nothing: the constructor of the class that is inherited.
        let defined = match defined.is_empty() {
            true => vec![Attribute::mark(Mark::Inherits, span)],
            false => defined,
        };
        let mut function = make::type_name(path);
        function.attributes.extend(defined);
        if !given.is_empty() {
            function = make::expr(ExprKind::TypeApply(Box::new(function), given.clone()), span);
        }
        make::apply(function, vec![args], span)
    }

    /// `{ new C(args) with override this.M x = e }`: an object of `C` whose method is another one.
    ///
    /// ```text
    /// let made = C(args) in made.%v.M <- fun object x -> (let this = object :?> C in e); made
    /// ```
    pub(super) fn object_of_class(
        &mut self,
        ty: TypeExpr,
        args: Expr,
        members: Vec<Member>,
        span: oxbow_base::Span,
    ) -> Expr {
        let made = self.fresh_name("made", span);
        // With a name: inference looks for members that nobody defines.
        let defines = |it: oxbow_base::Symbol| Attribute {
            payload: Some(it),
            ..Attribute::mark(Mark::Defines, span)
        };
        let mut defined = vec![Attribute::mark(Mark::Defines, span)];
        let mut steps = Vec::new();
        for member in members {
            if matches!(member.name.text.as_str(), "Equals" | "GetHashCode") {
                let what = format!("an own `{}` of an object expression", member.name.text);
                self.report(Diagnostic::not_supported(member.name.span, &what));
            }
            defined.push(defines(member.name.text));
            let at = member.name.span;
            let ExprKind::Fun(mut params, result, body) = member.binding.value.kind else {
                continue;
            };
            let object = self.fresh_name("object", at);
            let this = self.fresh_name("this", at);
            let seen =
                make::expr(ExprKind::Downcast(Box::new(make::ident(object)), ty.clone()), at);
            let named = std::mem::replace(&mut params[0].pattern, make::var(object));
            let base = (make::name("base", at), make::ident(this));
            let body = super::class_code::with_aliases(vec![base], *body);
            let body = make::let_in(named, make::ident(this), body);
            let body = make::let_in(make::var(this), seen, body);
            let function = make::expr(ExprKind::Fun(params, result, Box::new(body)), at);
            let slot = Path::plain(slot_field(member.name));
            let object = Box::new(make::ident(made));
            steps.push(make::expr(ExprKind::SetField(object, slot, Box::new(function)), at));
        }
        steps.push(make::ident(made));
        let constructor = self.base_constructor(&ty, args, defined, span);
        make::let_in(make::var(made), constructor, make::sequence(steps, span))
    }

    /// `{ %id = b.%id; %base = b; %own = own }`
    fn handle(&mut self, class: &Class, base: Expr, own: Expr, span: oxbow_base::Span) -> Expr {
        let names = [Made::Number, Made::Base, Made::Own].map(|it| make::made(it, span));
        let id = field(base.clone(), names[0]);
        record(vec![(names[0], id), (names[1], base), (names[2], own)], class.ty(), span)
    }

    /// Up to the class that is inherited, and back.
    fn casts(&mut self, class: &mut Class, base: &TypeExpr, is: &Part, views: &mut Vec<View>) {
        let span = class.name().span;
        let this = self.fresh_name("this", span);
        let up = make::made(Made::local("up"), span);
        let inherited = field(make::ident(this), make::made(Made::Base, span));
        let value = fun_with(vec![make::var(this)], Some(base.clone()), inherited, span);
        class.members.push(member_of(up, MemberKind::Property, value));
        let back = make::made(Made::local("from"), span);
        let (object, own) = (self.fresh_name("object", span), self.fresh_name("own", span));
        let handle = self.handle(class, make::ident(object), make::ident(own), span);
        let part = field(make::ident(object), make::made(Made::GetHeir, span));
        let (found, other) =
            (make::construct("Some", Some(handle), span), make::construct("None", None, span));
        let body = is.found_in(part, own, (found, other), span);
        let param = PatternKind::Annotate(Box::new(make::var(object)), base.clone());
        let option = named_type("option", vec![class.ty()], span);
        let value = fun_with(vec![make::pattern(param, span)], Some(option), body, span);
        class.members.push(member_of(back, MemberKind::StaticMethod, value));
        views.push(View { ty: base.clone(), member: up, back: Some(back), base: true });
        self.direct_cast(class, base, is);
    }

    /// `static member %cast (object: Base) : C`, which raises if the object is no `C`: calls of what heirs override go
    /// this way, without an option in between.
    fn direct_cast(&mut self, class: &mut Class, base: &TypeExpr, is: &Part) {
        let span = class.name().span;
        let (object, own) = (self.fresh_name("object", span), self.fresh_name("own", span));
        let handle = self.handle(class, make::ident(object), make::ident(own), span);
        let failed = make::apply(make::library("no_cast", span), vec![make::unit(span)], span);
        let part = field(make::ident(object), make::made(Made::GetHeir, span));
        let body = is.found_in(part, own, (handle, failed), span);
        let param = PatternKind::Annotate(Box::new(make::var(object)), base.clone());
        let value = fun_with(vec![make::pattern(param, span)], Some(class.ty()), body, span);
        class.members.push(member_of(
            make::made(Made::Cast, span),
            MemberKind::StaticMethod,
            value,
        ));
    }

    /// What the constructor of an heir changes in the object of its base: the part that belongs to it, and the
    /// methods that it overrides.
    fn overriding_steps(
        &mut self,
        class: &mut Class,
        base: Name,
        is: &Part,
        this: Name,
    ) -> Vec<Expr> {
        let span = class.name().span;
        let part = field(make::ident(this), make::made(Made::Own, span));
        let part = is.tagged(part, span);
        let set = field(make::ident(base), make::made(Made::SetHeir, span));
        let mut steps = vec![make::apply(set, vec![part], span)];
        for at in std::mem::take(&mut class.overriding) {
            let member: Member = class.members[at].clone();
            let ty = class.ty();
            let down = |object: Expr| make::expr(ExprKind::Downcast(Box::new(object), ty), span);
            let function = self.slot_function(&member, down);
            let (object, slot) =
                (Box::new(make::ident(base)), Path::plain(slot_field(member.name)));
            let set = ExprKind::SetField(object, slot, Box::new(function));
            steps.push(make::expr(set, member.name.span));
            class.members[at].name = implementation(member.name);
        }
        steps
    }
}
