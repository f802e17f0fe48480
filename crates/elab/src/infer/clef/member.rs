//! Members of types. Each is a function of the object (a static one of its own parameters), all
//! those of one group of types are one recursive group.

use oxbow_base::{Made, Mark, Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::{self, ExprKind, MemberKind, Members, Name, PatternKind, TypeExpr, TypeExprKind};
use crate::tast;
use crate::types::{TyConId, TyConKind, TypeId};

use super::super::Infer;
use super::super::env::{Env, Structure, Value};
use super::arguments::{Parameter, ParameterKind};
use super::chosen::is_seen;

#[derive(Clone, Debug)]
pub struct MemberInfo {
    /// The name of the function, which no program can write.
    pub hidden: Symbol,
    pub kind: MemberKind,
    /// How many arguments a method takes, if they are written out.
    pub params: Option<usize>,
    pub names: Vec<Parameter>,
    /// Its own type uses it only.
    private: bool,
    /// It makes objects of a class that has none of its own.
    pub abstract_class: bool,
    /// The custom operation of computations that it is.
    pub operation: Option<Symbol>,
    /// Known when the group has been inferred; before, `hidden` is in scope.
    pub value: Option<Value>,
    pub span: Span,
}

impl MemberInfo {
    /// Does it have so many parameters, all of them needed?
    fn is_plain(&self, count: usize) -> bool {
        self.params == Some(count) && self.names.iter().all(|it| it.kind == ParameterKind::Needed)
    }

    /// Can it be called with so many arguments?
    pub(super) fn takes_count(&self, count: usize) -> bool {
        let needed = self.names.iter().filter(|it| it.kind == ParameterKind::Needed).count();
        let rest = self.names.last().is_some_and(|it| it.kind == ParameterKind::Rest);
        self.params.is_some_and(|all| {
            (count <= all || rest) && (count == all || count >= needed && needed < all)
        })
    }
}

/// What a call gives to a member: the types of its arguments, as far as they show.
#[derive(Clone, Debug)]
pub struct CallShape {
    pub(super) place: Span,
    pub(super) args: Vec<Given>,
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    pub(super) shape: Option<Shape>,
    /// `name = e`, with the shape of `e`: a named argument, or a comparison.
    pub(super) named: Option<(Symbol, Option<Shape>)>,
}

/// The outside of a type: `array` and `char` of `char array`.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub(super) head: TyConId,
    pub(super) element: Option<TyConId>,
}

/// What a member belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Object,
    Type,
}

impl Side {
    fn of(kind: MemberKind) -> Side {
        match kind {
            MemberKind::Method | MemberKind::Property => Side::Object,
            MemberKind::StaticMethod | MemberKind::StaticProperty => Side::Type,
        }
    }
}

impl Infer<'_> {
    pub(in super::super) fn member_items(
        &mut self,
        env: &mut Env,
        structure: &mut Structure,
        groups: &[Members],
    ) -> Vec<tast::ItemKind> {
        let outside = self.clef.inside.len();
        let mut bindings = Vec::new();
        let mut added = Vec::new();
        let mut inlines = Vec::new();
        let mut own = Vec::new();
        let mut known = Vec::new();
        for group in groups {
            let Ok(tycon) = self.lookup_type(env, &group.path) else { continue };
            let fresh: Vec<TypeId> =
                (0..self.types.tycons[tycon].params.len()).map(|_| self.fresh()).collect();
            let whole = self.types.add(crate::types::Type::Con(tycon, fresh));
            let Some((target, _)) = self.head_con(whole) else { continue };
            known.push((target, group));
        }
        let sound = self.note_families(env, &known);
        for ((target, group), _) in known.into_iter().zip(sound).filter(|it| it.1) {
            self.note_slots(target, group);
            self.clef.inside.push(target);
            for member in &group.members {
                if !self.is_wanted(target, member) {
                    continue;
                }
                let number = self.clef.members.len() + added.len() + inlines.len();
                let name = member.name.text;
                let path = self.types.tycons[target].name;
                let shown = Symbol::new(&format!("{path}.{}", member.name.text));
                let hidden = Made::Overload(shown, number as u32).symbol();
                self.clef.hidden.insert(hidden, (target, name));
                self.check_member(target, member);
                let info = MemberInfo {
                    hidden,
                    kind: member.kind,
                    params: params_of(member),
                    names: names_of(member),
                    operation: operation_of(member),
                    private: member.binding.attributes.iter().any(|it| it.is(Mark::Private)),
                    abstract_class: has_attribute(member, "AbstractClass"),
                    value: None,
                    span: member.name.span,
                };
                self.clef.members.entry((target, name)).or_default().push(info);
                let mut binding = member_binding(group, member, hidden);
                // The library's inline members are elaborated where they are used.
                if self.library && super::is_inline(&binding) {
                    inlines.push((target, name, hidden, binding));
                    continue;
                }
                own.extend(binding.attributes.iter().map(|it| (target, hidden, it.clone())));
                binding.attributes.clear();
                added.push((target, name, hidden));
                bindings.push(binding);
            }
        }
        let kinds = match self.members_in_order(env, structure, (groups, &added), &bindings) {
            Some(kinds) => kinds,
            None => self.members_at_once(env, structure, (groups, &added), &bindings),
        };
        self.clef.inside.truncate(outside);
        for (tycon, hidden, attribute) in own {
            self.note_own_order(env, tycon, hidden, &attribute);
        }
        for (tycon, name, hidden, binding) in inlines {
            let value = self.inline_binding(env, &binding);
            if let Some(infos) = self.clef.members.get_mut(&(tycon, name)) {
                for info in infos.iter_mut().filter(|it| it.hidden == hidden) {
                    info.value.clone_from(&value);
                }
            }
        }
        kinds
    }

    /// Operators and methods may be defined several times, for different operands.
    fn check_member(&mut self, tycon: TyConId, member: &ast::Member) {
        let name = member.name.text;
        let operator = !name.as_str().starts_with(|it: char| it.is_alphabetic() || it == '_');
        let field = self.fields_of(tycon).iter().any(|it| it.name == name);
        let is_method = |kind| matches!(kind, MemberKind::Method | MemberKind::StaticMethod);
        // A static member and one of objects may share a name.
        let known = self.clef.members.get(&(tycon, name)).into_iter().flatten();
        let before = known
            .filter(|it| Side::of(it.kind) == Side::of(member.kind))
            .find(|it| it.kind != member.kind || !is_method(it.kind));
        if let Some(first) = before.map(|it| it.span)
            && !operator
        {
            let mut report =
                Diagnostic::not_supported(member.name.span, "several properties of one name");
            if first.file == member.name.span.file {
                report = report.label(first, "the first one");
            }
            self.diagnostics.error(report);
        } else if field {
            self.diagnostics.error(
                Diagnostic::error("E0142", format!("`{name}` is a field of this type already"))
                    .at(member.name.span, "")
                    .help("give the member another name"),
            );
        }
    }

    /// The member of this name of a type.
    pub(super) fn member_of(
        &mut self,
        env: &Env,
        ty: TypeId,
        name: Symbol,
    ) -> Option<(MemberKind, Value)> {
        let (con, _) = self.head_con(ty)?;
        self.member_of_con(env, con, name)
    }

    pub(super) fn member_of_con(
        &mut self,
        env: &Env,
        con: TyConId,
        name: Symbol,
    ) -> Option<(MemberKind, Value)> {
        self.chosen_member(env, con, name, None, None)
    }

    /// The members of this name. As in F#, `x.set_P` is what sets `P`, unless the type has a member of that name.
    fn members_called(&self, con: TyConId, name: Symbol) -> Option<&Vec<MemberInfo>> {
        let setter = || {
            let property = name.as_str().strip_prefix("set_")?;
            self.clef.members.get(&(con, Made::Setter(Symbol::new(property)).symbol()))
        };
        self.clef.members.get(&(con, name)).or_else(setter)
    }

    /// The member that takes the arguments of the call around the name at this place.
    fn chosen_member(
        &mut self,
        env: &Env,
        con: TyConId,
        name: Symbol,
        place: Option<Span>,
        side: Option<Side>,
    ) -> Option<(MemberKind, Value)> {
        let mut infos = self.members_called(con, name)?.clone();
        if infos.iter().any(|it| Some(Side::of(it.kind)) == side) {
            infos.retain(|it| Some(Side::of(it.kind)) == side);
        }
        let value_of =
            |info: &MemberInfo| info.value.clone().or_else(|| env.value(info.hidden).cloned());
        let shape = self.clef.call_shapes.iter().rfind(|it| Some(it.place) == place).cloned();
        if infos.len() > 1
            && let Some(shape) = shape
        {
            // Methods that take the arguments at their types come before those that see them as others, and those
            // that take them as they are before those that add some or make arrays of them; then the nearest is
            // meant, and then the first of the text.
            let count = shape.args.len();
            let mut best: Option<((bool, bool, u32), &MemberInfo, Value)> = None;
            for info in infos.iter().filter(|it| it.takes_count(count)) {
                let Some(value) = value_of(info) else { continue };
                let Some(distance) = self.distance(info, value.ty, &shape.args) else { continue };
                let rank = (is_seen(distance), !info.is_plain(count), distance);
                if best.as_ref().is_none_or(|it| rank < it.0) {
                    best = Some((rank, info, value));
                }
            }
            if let Some((_, info, value)) = best {
                self.check_private((con, name), info, place);
                self.note_chosen(info, place);
                return Some((info.kind, value));
            }
        }
        let info = infos.first()?;
        let Some(value) = value_of(info) else {
            self.clef.too_early = true;
            return None;
        };
        self.check_private((con, name), info, place);
        self.note_chosen(info, place);
        Some((info.kind, value))
    }

    /// Private members are used by the members of their own type.
    fn check_private(
        &mut self,
        (con, name): (TyConId, Symbol),
        info: &MemberInfo,
        place: Option<Span>,
    ) {
        let Some(place) = place.filter(|_| info.private && !self.clef.inside.contains(&con)) else {
            return;
        };
        let owner = self.types.tycons[con].name;
        let name = name.shown();
        let mut report = Diagnostic::error("E0158", format!("`{name}` is private to `{owner}`"))
            .at(place, "cannot be used here");
        if info.span.file == place.file {
            report = report.label(info.span, "defined here");
        }
        self.diagnostics.error(report);
    }

    /// Notes what a call gives to the member whose name stands at `place`.
    pub(super) fn note_call(
        &mut self,
        env: &Env,
        place: Span,
        args: &[(ast::ArgLabel, ast::Expr)],
    ) {
        let items = match args.first().map(|it| &it.1) {
            None => Vec::new(),
            Some(ast::Expr { kind: ExprKind::Tuple(items), .. }) => items.iter().collect(),
            Some(ast::Expr { kind: ExprKind::Construct(path, None), .. })
                if path.name.text.as_str() == "()" =>
            {
                Vec::new()
            }
            Some(one) => vec![one],
        };
        let args = items.into_iter().map(|it| self.given(env, it)).collect();
        self.clef.call_shapes.push(CallShape { place, args });
    }

    fn given(&mut self, env: &Env, item: &ast::Expr) -> Given {
        let named = super::arguments::named(item);
        let named = named.map(|(name, value)| (name, self.known_shape(env, value)));
        Given { shape: self.known_shape(env, item), named }
    }

    /// The type of an argument, if it shows without inference.
    pub(super) fn known_shape(&mut self, env: &Env, expr: &ast::Expr) -> Option<Shape> {
        let bare = |head| Some(Shape { head, element: None });
        let ty = match &expr.kind {
            ExprKind::Constant(constant) => match constant {
                ast::Constant::Char(_) => self.builtins.char,
                ast::Constant::String(_) => self.builtins.string,
                ast::Constant::Int32(_) => self.builtins.int32,
                ast::Constant::Int64(_) => self.builtins.int64,
                ast::Constant::Float(_) => self.builtins.float,
                ast::Constant::Float32(_) => self.builtins.float32,
                ast::Constant::Nativeint(_) => self.builtins.nativeint,
                ast::Constant::Sized(width, _) => self.builtins.sized(*width),
                ast::Constant::Int(_) => return None,
            },
            ExprKind::Construct(path, None)
                if matches!(path.name.text.as_str(), "true" | "false") =>
            {
                self.builtins.bool
            }
            ExprKind::AddressOf(_) => return self.prelude_type("byref").and_then(bare),
            // A function is of no type that has a name; `unit` stands for all that it is not.
            ExprKind::Fun(..) => self.builtins.unit,
            ExprKind::Array(items) | ExprKind::List(items) => {
                let is_array = matches!(expr.kind, ExprKind::Array(_));
                let head = if is_array { self.builtins.array } else { self.builtins.list };
                let first = items.first().and_then(|it| self.known_shape(env, it));
                return Some(Shape { head, element: first.map(|it| it.head) });
            }
            ExprKind::Ident(path) if path.prefix.is_none() => env.value(path.name.text)?.ty,
            // `Type.Case`
            ExprKind::Field(object, case) => {
                let ExprKind::Ident(path) = &object.kind else { return None };
                let tycon = env.ty(path.name.text).filter(|_| path.prefix.is_none())?;
                let con = self.types.declaration(tycon);
                if let TyConKind::Variant(ctors) = &self.types.tycons[con].kind
                    && ctors.iter().any(|it| it.name == case.name.text)
                {
                    return bare(con);
                }
                // `Type.Property`
                let infos = self.clef.members.get(&(con, case.name.text))?;
                let info = infos.iter().find(|it| it.kind == MemberKind::StaticProperty)?;
                let ty = info.value.as_ref()?.ty;
                let crate::types::Type::Arrow(_, _, result) = *self.types.get(ty) else {
                    return None;
                };
                result
            }
            // `C(…)` of a class
            ExprKind::Apply(func, _) => {
                let func = match &func.kind {
                    ExprKind::TypeApply(inner, _) => inner,
                    _ => func,
                };
                let ExprKind::Ident(path) = &func.kind else { return None };
                let name = path.name.text;
                if path.prefix.is_some() || env.value(name).is_some() || env.ctor(name).is_some() {
                    return None;
                }
                let con = self.types.declaration(env.ty(name)?);
                return self.is_class(con).then_some(con).and_then(bare);
            }
            ExprKind::Annotate(_, ty) => {
                let TypeExprKind::Constr(path, _) = &ty.kind else { return None };
                return env.ty(path.name.text).filter(|_| path.prefix.is_none()).and_then(bare);
            }
            _ => return None,
        };
        let (head, inside) = self.head_con(ty)?;
        let element = inside.first().and_then(|&it| self.head_con(it)).map(|it| it.0);
        Some(Shape { head, element })
    }

    /// `object.name`, as a member; a method as the function of its arguments.
    pub(super) fn member_call(
        &mut self,
        env: &Env,
        object: tast::Expr,
        name: Name,
    ) -> Option<tast::Expr> {
        let (con, _) = self.head_con(object.ty)?;
        let object_side = Some(Side::Object);
        let chosen = self.chosen_member(env, con, name.text, Some(name.span), object_side);
        let Some((kind, value)) = chosen else {
            // It has not been inferred yet.
            if self.clef.members.contains_key(&(con, name.text)) {
                return None;
            }
            return self.inherited_member(env, object, con, name);
        };
        let span = object.span.to(name.span);
        if matches!(kind, MemberKind::StaticProperty | MemberKind::StaticMethod) {
            let reported = self.diagnostics.error(
                Diagnostic::error("E0143", format!("`{}` is a static member", name.text))
                    .at(name.span, "belongs to the type, not to an object"),
            );
            return Some(self.error_expr(reported, span));
        }
        self.note_method(name, value.span, value.ty);
        let func = self.value_expr(&value, name.span);
        Some(self.call_one(func, object, span))
    }

    /// A member of the class that is inherited. `base.M` means what that class does itself, if `M` is one that
    /// others may override.
    fn inherited_member(
        &mut self,
        env: &Env,
        object: tast::Expr,
        con: TyConId,
        name: Name,
    ) -> Option<tast::Expr> {
        if let Some(base) = self.base_of(con).filter(|&it| self.may_have(it, name.text)) {
            let seen = self.seen_as(env, &object, base)?;
            if let Some(found) = self.member_call(env, seen, name) {
                return Some(found);
            }
        }
        for view in self.interfaces_of(con) {
            if !self.may_have(view, name.text) {
                continue;
            }
            let seen = self.seen_as(env, &object, view)?;
            if let Some(found) = self.member_call(env, seen, name) {
                return Some(found);
            }
        }
        let Some(Made::Implementation(plain)) = name.text.origin() else { return None };
        self.member_call(env, object, Name { text: plain, span: name.span })
    }

    /// Does a type, or one that it can be seen as, have a member of this name?
    fn may_have(&self, con: TyConId, name: Symbol) -> bool {
        let plain = match name.origin() {
            Some(Made::Implementation(plain)) => Some(plain),
            _ => None,
        };
        [Some(name), plain]
            .into_iter()
            .flatten()
            .any(|it| self.clef.members.contains_key(&(con, it)))
            || self.base_of(con).is_some_and(|it| self.may_have(it, name))
            || self.interfaces_of(con).into_iter().any(|it| self.may_have(it, name))
    }

    /// `func arg`, of which the types are known to agree.
    pub(super) fn call_one(&mut self, func: tast::Expr, arg: tast::Expr, span: Span) -> tast::Expr {
        let result = self.fresh();
        let wanted = self.arrow(crate::types::Label::None, arg.ty, result);
        if !self.expect(super::super::Expect::plain(wanted), func.ty, span) {
            return self.failed(span);
        }
        let kind = tast::ExprKind::Apply { func: Box::new(func), args: vec![arg] };
        tast::Expr { kind, ty: result, span }
    }

    /// `Type.name`
    pub(super) fn static_member(
        &mut self,
        env: &Env,
        con: TyConId,
        name: Name,
    ) -> Option<tast::Expr> {
        let (kind, value) =
            self.chosen_member(env, con, name.text, Some(name.span), Some(Side::Type))?;
        self.note_method(name, value.span, value.ty);
        let func = self.value_expr(&value, name.span);
        match kind {
            MemberKind::StaticProperty => {
                let unit = tast::Expr {
                    kind: tast::ExprKind::Unit,
                    ty: self.builtins.unit,
                    span: name.span,
                };
                Some(self.call_one(func, unit, name.span))
            }
            // `Type.Method` of an object: the function of the object.
            MemberKind::StaticMethod | MemberKind::Property | MemberKind::Method => Some(func),
        }
    }
}

/// `[<CustomOperation("name")>]`
fn operation_of(member: &ast::Member) -> Option<Symbol> {
    let attributes = member.binding.attributes.iter();
    let mut named = attributes.filter(|it| it.name.text.as_str() == "CustomOperation");
    named.find_map(|it| it.payload)
}

fn has_attribute(member: &ast::Member, name: &str) -> bool {
    member.binding.attributes.iter().any(|it| it.name.text.as_str() == name)
}

/// The parameters of a method, if they are written out.
fn parameters(member: &ast::Member) -> Option<Vec<&ast::Pattern>> {
    let ExprKind::Fun(params, _, _) = &member.binding.value.kind else { return None };
    let first = match member.kind {
        MemberKind::Method => params.get(1)?,
        MemberKind::StaticMethod => params.first()?,
        MemberKind::Property | MemberKind::StaticProperty => return None,
    };
    Some(match &first.pattern.kind {
        PatternKind::Tuple(items) => items.iter().collect(),
        PatternKind::Construct(path, None) if path.name.text.as_str() == "()" => Vec::new(),
        _ => vec![&first.pattern],
    })
}

fn names_of(member: &ast::Member) -> Vec<Parameter> {
    parameters(member).into_iter().flatten().map(parameter_name).collect()
}

/// A parameter that may be left out is `?x`, which the parser marks by an alias of that name, as it does with one for
/// the rest of the arguments.
fn parameter_name(pattern: &ast::Pattern) -> Parameter {
    let named = |name, kind| Parameter { name, kind };
    match &pattern.kind {
        PatternKind::Var(name) => named(Some(name.text), ParameterKind::Needed),
        PatternKind::Annotate(inner, _) => parameter_name(inner),
        PatternKind::Alias(inner, name)
            if matches!(name.text.origin(), Some(Made::Optional(_))) =>
        {
            named(parameter_name(inner).name, ParameterKind::Optional)
        }
        PatternKind::Alias(inner, name) if matches!(name.text.origin(), Some(Made::Rest(_))) => {
            named(parameter_name(inner).name, ParameterKind::Rest)
        }
        _ => named(None, ParameterKind::Needed),
    }
}

/// How many arguments a method takes.
fn params_of(member: &ast::Member) -> Option<usize> {
    parameters(member).map(|it| it.len())
}

/// The function behind a member: its object has the type's name as its type.
fn member_binding(group: &Members, member: &ast::Member, hidden: Symbol) -> ast::Binding {
    let mut binding = member.binding.clone();
    binding.pattern.kind = PatternKind::Var(Name { text: hidden, span: member.name.span });
    let instance = matches!(member.kind, MemberKind::Property | MemberKind::Method);
    if instance
        && let ExprKind::Fun(params, _, _) = &mut binding.value.kind
        && let Some(first) = params.first_mut()
    {
        let span = first.span;
        let args = group
            .params
            .iter()
            .map(|it| match it.name {
                Some(name) => TypeExpr { kind: TypeExprKind::Var(name), span: it.span },
                None => TypeExpr { kind: TypeExprKind::Any, span: it.span },
            })
            .collect();
        let ty = TypeExpr { kind: TypeExprKind::Constr(group.path.clone(), args), span };
        let inner = std::mem::replace(&mut first.pattern.kind, PatternKind::Any);
        let inner = ast::Pattern { kind: inner, span };
        first.pattern.kind = PatternKind::Annotate(Box::new(inner), ty);
    }
    binding
}
