//! Objects: what `object … end` makes, and the bodies of classes.
//!
//! ```text
//! object (self) inherit c 1 as super  val mutable x = e  method m a = x + super#m a  initializer i end
//!
//! let number = new_object_id () in
//! let … = 1 in …                                  the variables of c
//! let x = e in
//! let rec c_m = fun self a -> … and m = fun self a -> self.x + c_m self a in
//! let self = object { number; x; m } in i; self
//! ```
//!
//! The body of a class is elaborated anew in each class that inherits from it, so that an object's own methods are
//! known where its methods call each other (decision 91). An inherited body is one of the class's own: its variables
//! belong to the object, a method of the same name takes the place of the one before.

use std::rc::Rc;

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::VarId;

use crate::ast::{self, ClassBody, ClassExpr, ClassExprKind, ClassFieldKind, Name, ParamLabel};
use crate::tast::{self, ExprKind, InlineAttribute, RecordRef};
use crate::types::{Label, ObjectField, ObjectInfo, Tag, Type, TypeId};

use super::env::{Env, ValueKind};
use super::pattern::Bound;
use super::typexpr::Vars;
use super::{Because, Expect, Infer};

/// Methods by name, with the variables of their functions.
pub(super) type Methods = Vec<(Symbol, VarId, Tag)>;

/// An object whose methods are being inferred.
pub(super) struct OpenObject {
    /// Its number in `Types::objects`.
    pub object: u32,
    /// The type of `self`: an open row until the object is complete.
    pub self_ty: TypeId,
    pub methods: Vec<Method>,
    pub fields: Vec<Instance>,
    /// The variables that hold the object in its methods.
    this: Vec<VarId>,
    /// That of the method that is being inferred.
    current: Option<VarId>,
}

pub(super) struct Method {
    pub name: Symbol,
    pub tag: Tag,
    pub private: bool,
    /// The variable of its function, if there is one.
    pub function: Option<VarId>,
    pub span: Span,
}

/// An instance variable.
pub(super) struct Instance {
    pub name: Symbol,
    pub ty: TypeId,
    pub mutable: bool,
    /// The variable that holds its first value.
    pub value: Option<VarId>,
    pub span: Span,
}

/// What is evaluated for an object before it is made, and the code that is inferred when all its variables are known.
#[derive(Default)]
struct Parts {
    before: Vec<tast::ItemKind>,
    later: Vec<Later>,
}

struct Later {
    scope: Rc<BodyScope>,
    code: Code,
}

enum Code {
    Method { name: Name, function: VarId, value: ast::Expr },
    Initializer(ast::Expr),
}

/// What the methods of one body see.
struct BodyScope {
    env: Env,
    self_name: Option<Name>,
    supers: Vec<(Name, u32)>,
    /// Instance variables and their places.
    visible: Vec<(Symbol, u32)>,
    /// Names of type variables.
    tyvars: oxbow_base::FxHashMap<Symbol, TypeId>,
}

/// An argument of an inherited class, with the scope that it is written in.
type Argument = (ast::ArgLabel, ast::Expr, Env);

impl Infer<'_> {
    /// `object … end`, or the body of a class.
    pub(super) fn object_expr(
        &mut self,
        env: &Env,
        body: &ClassBody,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let head = self.class_head.take_if(|it| it.body == body.span);
        let is_virtual = head.as_ref().is_some_and(|it| it.is_virtual);
        let path = head.map_or_else(|| "object".to_owned(), |it| it.path);
        self.enter_level();
        self.local_depth += 1;
        let level = self.level;
        let object = self.types.objects.len() as u32;
        self.types.objects.push(ObjectInfo { path, fields: Vec::new(), span });
        let self_ty = self.add_object_row(Vec::new(), false);
        let (methods, fields, this) = (Vec::new(), Vec::new(), Vec::new());
        let open = OpenObject { object, self_ty, methods, fields, this, current: None };
        self.open_objects.push(open);
        let mut parts = Parts::default();
        self.body_into(env, body, &mut parts);
        let (functions, first) = self.infer_methods(parts.later);
        self.check_escape(self_ty, level, span);
        self.close_object(self_ty);
        let Some(open) = self.open_objects.pop() else { oxbow_diag::ice!("no object is open") };
        let complete = is_virtual || self.check_complete(&open, span);
        let made = if is_virtual || !complete {
            tast::Expr { kind: ExprKind::Unit, ty: self_ty, span }
        } else {
            self.object_code(open, parts.before, functions, first, span)
        };
        self.local_depth -= 1;
        self.leave_level();
        self.node(made.kind, self_ty, span, expect)
    }

    // ----------------------------------------------------------------- bodies

    fn open_object(&mut self) -> &mut OpenObject {
        match self.open_objects.last_mut() {
            Some(open) => open,
            None => oxbow_diag::ice!("no object is open"),
        }
    }

    fn body_into(&mut self, env: &Env, body: &ClassBody, parts: &mut Parts) {
        let self_name = body.self_pattern.as_ref().and_then(|it| self.self_pattern(env, it));
        let (mut supers, mut own) = (Vec::new(), Vec::new());
        for field in &body.fields {
            match &field.kind {
                ClassFieldKind::Inherit { class, name, .. } => {
                    self.class_into(env, class, Vec::new(), parts);
                    if let Some(name) = name {
                        let number = self.supers.len() as u32;
                        let methods = self.open_object().methods.iter();
                        let known =
                            methods.filter_map(|it| Some((it.name, it.function?, it.tag.clone())));
                        let known = known.collect();
                        self.supers.push(known);
                        supers.push((*name, number));
                    }
                }
                ClassFieldKind::Val { name, mutable, overrides, ty, value } => {
                    let annotated = ty.as_ref().map(|it| {
                        (self.type_expr(env, it, Vars::Shared), Because::Annotation(it.span))
                    });
                    let (ty, because) = match annotated {
                        Some(known) => known,
                        None => (self.fresh(), Because::Plain),
                    };
                    let var = value.as_ref().map(|value| {
                        let typed = self.part(env, value, Expect { ty, because });
                        self.bind_before(name.text, typed, ty, name.span, parts)
                    });
                    self.declare_instance(*name, ty, *mutable, *overrides, var);
                }
                ClassFieldKind::Method { name, private, overrides, ty, value } => {
                    let function = self.declare_method(
                        env,
                        (*name, *private, *overrides),
                        ty.as_ref(),
                        value.is_some(),
                    );
                    if let (Some(function), Some(value)) = (function, value) {
                        own.push(Code::Method { name: *name, function, value: value.clone() });
                    }
                }
                ClassFieldKind::Constraint(left, right) => {
                    let wanted = self.type_expr(env, left, Vars::Shared);
                    let found = self.type_expr(env, right, Vars::Shared);
                    self.expect(Expect::plain(wanted), found, field.span);
                }
                ClassFieldKind::Initializer(value) => own.push(Code::Initializer(value.clone())),
                ClassFieldKind::Error(_) => (),
            }
        }
        let visible = (1..).zip(&self.open_object().fields).map(|(at, it)| (it.name, at)).collect();
        let (env, tyvars) = (env.clone(), self.tyvars.clone());
        let scope = Rc::new(BodyScope { env, self_name, supers, visible, tyvars });
        parts.later.extend(own.into_iter().map(|code| Later { scope: scope.clone(), code }));
    }

    /// `(self)`, `(self : t)`
    fn self_pattern(&mut self, env: &Env, pattern: &ast::Pattern) -> Option<Name> {
        match &pattern.kind {
            ast::PatternKind::Any => None,
            ast::PatternKind::Var(name) => Some(*name),
            ast::PatternKind::Annotate(inner, ty) => {
                let self_ty = self.open_object().self_ty;
                // A variable names the type of the object from here on.
                if let ast::TypeExprKind::Var(name) = &ty.kind
                    && !self.tyvars.contains_key(&name.text)
                {
                    self.tyvars.insert(name.text, self_ty);
                } else {
                    let wanted = self.type_expr(env, ty, Vars::Shared);
                    self.expect(Expect::plain(wanted), self_ty, ty.span);
                }
                self.self_pattern(env, inner)
            }
            ast::PatternKind::Error(_) => None,
            _ => {
                self.not_supported(pattern.span, "a pattern other than a name for `self`");
                None
            }
        }
    }

    fn bind_before(
        &mut self,
        name: Symbol,
        value: tast::Expr,
        ty: TypeId,
        span: Span,
        parts: &mut Parts,
    ) -> VarId {
        let var = self.new_var(name, ty, span);
        let pattern = tast::Pattern { kind: tast::PatternKind::Var(var), ty, span };
        parts.before.push(tast::ItemKind::Let(vec![tast::Binding { pattern, value }]));
        var
    }

    fn declare_instance(
        &mut self,
        name: Name,
        ty: TypeId,
        mutable: bool,
        overrides: bool,
        value: Option<VarId>,
    ) {
        let at = self.open_object().fields.iter().position(|it| it.name == name.text);
        let Some(at) = at else {
            if overrides {
                self.nothing_overridden("instance variable", name);
            }
            let field = Instance { name: name.text, ty, mutable, value, span: name.span };
            self.open_object().fields.push(field);
            return;
        };
        let known = &self.open_object().fields[at];
        let (known_ty, known_mutable) = (known.ty, known.mutable);
        if known_mutable != mutable {
            let (was, is) = match mutable {
                true => ("immutable", "mutable"),
                false => ("mutable", "immutable"),
            };
            self.diagnostics.error(
                Diagnostic::error(
                    "E0196",
                    format!("the instance variable `{}` is {was}; it cannot be {is}", name.text),
                )
                .at(name.span, "declared before, in this class or in one that it inherits"),
            );
        }
        self.expect(Expect::plain(known_ty), ty, name.span);
        if value.is_some() {
            self.open_object().fields[at].value = value;
        }
    }

    fn nothing_overridden(&mut self, what: &str, name: Name) {
        self.diagnostics.error(
            Diagnostic::error("E0197", format!("there is no {what} `{}` to override", name.text))
                .at(name.span, "nothing that is inherited has this name")
                .help("leave the `!` away"),
        );
    }

    /// The variable of the method's function, if it has one.
    fn declare_method(
        &mut self,
        env: &Env,
        (name, private, overrides): (Name, bool, bool),
        ty: Option<&ast::PolyType>,
        defined: bool,
    ) -> Option<VarId> {
        let declared = ty.map(|it| self.method_tag(env, it, Vars::Shared));
        let at = self.open_object().methods.iter().position(|it| it.name == name.text);
        if overrides && at.is_none_or(|at| self.open_object().methods[at].function.is_none()) {
            self.nothing_overridden("method", name);
        }
        let (at, tag) = match at {
            Some(at) => {
                let known = &mut self.open_object().methods[at];
                let becomes_public = known.private && !private;
                known.private &= private;
                let tag = known.tag.clone();
                if becomes_public {
                    self.publish(name, &tag);
                }
                (at, tag)
            }
            None => {
                let tag = match &declared {
                    Some(tag) => tag.clone(),
                    None => Tag::Present(Some(self.fresh())),
                };
                let tag = if private { tag } else { self.publish(name, &tag) };
                let (text, span) = (name.text, name.span);
                let method = Method { name: text, tag: tag.clone(), private, function: None, span };
                let open = self.open_object();
                open.methods.push(method);
                (open.methods.len() - 1, tag)
            }
        };
        if let Some(declared) = declared
            && self.same_method(&tag, &declared).is_err()
        {
            self.method_mismatch(name, &tag, &declared);
        }
        if !defined {
            return None;
        }
        let ty = self.fresh();
        let function = self.new_var(name.text, ty, name.span);
        self.open_object().methods[at].function = Some(function);
        Some(function)
    }

    /// Makes a method one of the object's type; the type may know it already.
    fn publish(&mut self, name: Name, tag: &Tag) -> Tag {
        let self_ty = self.open_object().self_ty;
        if let Some((_, row)) = self.object_row(self_ty)
            && let Some(known) = row.find(name.text).cloned()
        {
            if self.same_method(&known, tag).is_err() {
                self.method_mismatch(name, &known, tag);
            }
            return known;
        }
        let row = self.add_object_row(vec![(name.text, tag.clone())], false);
        if self.unify(self_ty, row).is_err() {
            let shown = self.show(self_ty);
            self.diagnostics.error(
                Diagnostic::error(
                    "E0190",
                    format!("the type of `self` has no method `{}`", name.text),
                )
                .at(name.span, format!("`self` has the type `{shown}`")),
            );
        }
        tag.clone()
    }

    fn method_mismatch(&mut self, name: Name, known: &Tag, declared: &Tag) {
        let show = |cx: &Self, tag: &Tag| tag.types().first().map(|&it| cx.show(it));
        let (known, found) = (show(self, known), show(self, declared));
        let (known, found) = (known.unwrap_or_default(), found.unwrap_or_default());
        self.diagnostics.error(
            Diagnostic::error(
                "E0196",
                format!("the method `{}` has type `{found}`, but `{known}` is wanted", name.text),
            )
            .at(name.span, format!("has type `{found}` here"))
            .note(format!("`{known}` is what the class or those that it inherits say of it")),
        );
    }

    // ------------------------------------------------------------ inheritance

    /// The body of a class as a part of the open object.
    fn class_into(
        &mut self,
        env: &Env,
        class: &ClassExpr,
        mut args: Vec<Argument>,
        parts: &mut Parts,
    ) {
        match &class.kind {
            ClassExprKind::Apply(inner, more) => {
                let more = more.iter().map(|(label, it)| (*label, it.clone(), env.clone()));
                args = more.chain(args).collect();
                self.class_into(env, inner, args, parts);
            }
            ClassExprKind::Constraint(inner, _) => self.class_into(env, inner, args, parts),
            ClassExprKind::Path(path, types) => {
                let Some(info) = self.lookup_class(env, path) else { return };
                if self.inheriting.contains(&info.var) {
                    let text = format!("the class `{}` inherits from itself", path.name.text);
                    self.diagnostics.error(
                        Diagnostic::error("E0198", text).at(class.span, "leads back to the class"),
                    );
                    return;
                }
                let types = types.iter().map(|it| (self.type_expr(env, it, Vars::Shared), it.span));
                let types: Vec<(TypeId, Span)> = types.collect();
                let saved = std::mem::take(&mut self.tyvars);
                self.class_params(&info, &types, class.span);
                self.inheriting.push(info.var);
                self.copying(class.span, |cx| cx.class_into(&info.env, &info.body, args, parts));
                self.inheriting.pop();
                self.tyvars = saved;
            }
            ClassExprKind::Body(body) => {
                if let Some((_, arg, _)) = args.first() {
                    self.diagnostics.error(
                        Diagnostic::error("E0199", "the class takes fewer arguments")
                            .at(arg.span, "one too many"),
                    );
                }
                self.body_into(env, body, parts);
            }
            ClassExprKind::Fun(params, body) => {
                let mut inner = env.clone();
                if self.class_arguments(&mut inner, params, &mut args, class.span, parts) {
                    self.class_into(&inner, body, args, parts);
                }
            }
            ClassExprKind::Let { recursive, bindings, body } => {
                let mut inner = env.clone();
                let item = self.bindings(&mut inner, None, *recursive, bindings);
                parts.before.push(item);
                self.class_into(&inner, body, args, parts);
            }
            ClassExprKind::Error(_) => (),
        }
    }

    /// Binds the parameters of an inherited class: the arguments from the last to the first, as calls do, then the
    /// patterns.
    fn class_arguments(
        &mut self,
        env: &mut Env,
        params: &[ast::Param],
        args: &mut Vec<Argument>,
        span: Span,
        parts: &mut Parts,
    ) -> bool {
        let unlabelled = args.iter().all(|it| it.0 == ast::ArgLabel::None);
        let by_place = unlabelled && args.len() >= params.len();
        let (mut given, mut patterns) = (Vec::new(), Vec::new());
        for param in params {
            let ty = self.fresh();
            let (label, optional) = match &param.label {
                ParamLabel::None | ParamLabel::Newtype(_) => (None, false),
                ParamLabel::Labelled(name) => (Some(name.text), false),
                ParamLabel::Optional(name, _) => (Some(name.text), true),
            };
            let found = args.iter().position(|it| match it.0 {
                ast::ArgLabel::None => label.is_none() || by_place && !optional,
                ast::ArgLabel::Labelled(name) | ast::ArgLabel::Optional(name) => {
                    Some(name.text) == label
                }
            });
            let mut bound = Bound::default();
            if let ParamLabel::Optional(_, default) = &param.label {
                let item = ty;
                let option = self.option_of(item);
                let var =
                    self.new_var(super::function::param_name(&param.label), option, param.span);
                let value = match found.map(|at| args.remove(at)) {
                    Some((ast::ArgLabel::Optional(_), arg, scope)) => {
                        self.expr(&scope, &arg, Expect::plain(option))
                    }
                    Some((_, arg, scope)) => {
                        let value = self.expr(&scope, &arg, Expect::plain(item));
                        self.option_value(Some(value), option, param.span)
                    }
                    None => self.option_value(None, option, param.span),
                };
                given.push(self.let_var(var, value));
                match default {
                    Some(default) => patterns
                        .push(self.default_binding(env, param, default, var, item, &mut bound)),
                    None => {
                        let pattern =
                            self.pattern(env, &param.pattern, Expect::plain(option), &mut bound);
                        let value = self.var_expr(var, param.span);
                        patterns.push(tast::Binding { pattern, value });
                    }
                }
                self.add_bound(env, &bound);
                continue;
            }
            let Some((_, arg, scope)) = found.map(|at| args.remove(at)) else {
                self.diagnostics.error(
                    Diagnostic::error("E0199", "an inherited class needs all its arguments")
                        .at(span, "arguments are missing")
                        .label(param.span, "there is none for this parameter"),
                );
                return false;
            };
            let pattern = self.pattern(env, &param.pattern, Expect::plain(ty), &mut bound);
            let value = self.part(&scope, &arg, Expect::plain(ty));
            self.add_bound(env, &bound);
            if let tast::PatternKind::Var(_) = pattern.kind {
                given.push(tast::Binding { pattern, value });
            } else {
                let var = self.new_var(Symbol::new("arg"), ty, param.span);
                given.push(self.let_var(var, value));
                let value = self.var_expr(var, param.span);
                patterns.push(tast::Binding { pattern, value });
            }
        }
        for binding in given.into_iter().rev().chain(patterns) {
            parts.before.push(tast::ItemKind::Let(vec![binding]));
        }
        true
    }

    fn let_var(&mut self, var: VarId, value: tast::Expr) -> tast::Binding {
        let (ty, span) = (self.types.vars[var].ty, value.span);
        tast::Binding {
            pattern: tast::Pattern { kind: tast::PatternKind::Var(var), ty, span },
            value,
        }
    }

    pub(super) fn var_expr(&mut self, var: VarId, span: Span) -> tast::Expr {
        let ty = self.types.vars[var].ty;
        tast::Expr { kind: ExprKind::Var { var, tyargs: Vec::new() }, ty, span }
    }

    fn option_value(&mut self, value: Option<tast::Expr>, ty: TypeId, span: Span) -> tast::Expr {
        let (tycon, ctor) = (self.builtins.option, u32::from(value.is_some()));
        let args = value.into_iter().collect();
        tast::Expr { kind: ExprKind::Construct { tycon, ctor, args }, ty, span }
    }

    // ---------------------------------------------------------------- methods

    /// The functions of the methods, and what initialises the object that the variable holds.
    fn infer_methods(
        &mut self,
        later: Vec<Later>,
    ) -> (Vec<tast::RecBinding>, (VarId, Vec<tast::Expr>)) {
        let self_ty = self.open_object().self_ty;
        let (mut functions, mut first) = (Vec::new(), Vec::new());
        let tyvars = self.tyvars.clone();
        let mut whole = None;
        for Later { scope, code } in later {
            self.tyvars.clone_from(&scope.tyvars);
            match code {
                Code::Method { name, function, value } => {
                    let value = self.method(&scope, name, function, &value);
                    functions.push(tast::RecBinding { var: function, value });
                }
                Code::Initializer(value) => {
                    let this = *whole.get_or_insert_with(|| {
                        self.new_var(Symbol::new("self"), self_ty, value.span)
                    });
                    let env = self.method_scope(&scope, this);
                    first.push(self.statement(&env, &value));
                }
            }
        }
        self.tyvars = tyvars;
        let span = functions.first().map(|it: &tast::RecBinding| it.value.span);
        let whole = match (whole, span) {
            (Some(var), _) => var,
            (None, Some(span)) => self.new_var(Symbol::new("self"), self_ty, span),
            (None, None) => {
                let object = self.open_object().object;
                let span = self.types.objects[object as usize].span;
                self.new_var(Symbol::new("self"), self_ty, span)
            }
        };
        self.open_object().current = None;
        (functions, (whole, first))
    }

    /// The scope of a method whose object is in `this`.
    fn method_scope(&mut self, scope: &BodyScope, this: VarId) -> Env {
        let mut env = scope.env.clone();
        let open = self.open_object();
        open.this.push(this);
        open.current = Some(this);
        let (object, self_ty) = (open.object, open.self_ty);
        let types: Vec<(Symbol, u32, TypeId, Span)> = scope
            .visible
            .iter()
            .map(|&(name, index)| {
                let field = &open.fields[index as usize - 1];
                (name, index, field.ty, field.span)
            })
            .collect();
        for (name, index, ty, span) in types {
            let kind = ValueKind::Instance { object, index, this };
            let value = self.mono_value(kind, ty, span);
            env.add_value(name, value);
        }
        for &(name, number) in &scope.supers {
            let value = self.mono_value(ValueKind::Super { number, this }, self_ty, name.span);
            env.add_value(name.text, value);
        }
        if let Some(name) = scope.self_name {
            let value = self.mono_value(ValueKind::Var(this), self_ty, name.span);
            env.add_value(name.text, value);
        }
        env
    }

    fn method(
        &mut self,
        scope: &BodyScope,
        name: Name,
        function: VarId,
        value: &ast::Expr,
    ) -> tast::Expr {
        let self_ty = self.open_object().self_ty;
        let this = self.new_var(Symbol::new("self"), self_ty, name.span);
        let env = self.method_scope(scope, this);
        let tag = self.open_object().methods.iter().find(|it| it.name == name.text);
        let Some(tag) = tag.map(|it| it.tag.clone()) else { return self.failed(name.span) };
        let (ty, typed) = match &tag {
            Tag::Poly { ty, vars } => (*ty, self.polymorphic_method(&env, value, *ty, vars)),
            _ => {
                let ty = tag.types().first().copied().unwrap_or(self.builtins.error);
                (ty, self.part(&env, value, Expect::plain(ty)))
            }
        };
        let whole = self.arrow(Label::None, self_ty, ty);
        self.types.vars[function].ty = whole;
        let param =
            tast::Pattern { kind: tast::PatternKind::Var(this), ty: self_ty, span: name.span };
        let span = typed.span;
        let (params, body, inline) = match typed.kind {
            ExprKind::Lambda { mut params, body, inline } => {
                params.insert(0, param);
                (params, body, inline)
            }
            kind => (vec![param], Box::new(tast::Expr { kind, ..typed }), InlineAttribute::None),
        };
        tast::Expr { kind: ExprKind::Lambda { params, body, inline }, ty: whole, span }
    }

    /// A method that is checked with types that equal themselves alone for its own variables.
    fn polymorphic_method(
        &mut self,
        env: &Env,
        value: &ast::Expr,
        ty: TypeId,
        vars: &[TypeId],
    ) -> tast::Expr {
        self.enter_level();
        let (mut rigid, mut types) = (Vec::new(), Vec::new());
        for &var in vars {
            let one = self.open_rigid(self.name_of_var(var), value.span);
            types.push(self.types.add(Type::Con(one.tycon, Vec::new())));
            rigid.push(one);
        }
        let ty = self.types.substitute(ty, vars, &types);
        let typed = self.part(env, value, Expect::plain(ty));
        self.leave_level();
        for (one, &var) in rigid.into_iter().zip(vars) {
            self.close_rigid(one, var);
        }
        typed
    }

    // -------------------------------------------------------------- completion

    /// The type of `self` must not be that of something outside: classes that inherit have others.
    fn check_escape(&mut self, self_ty: TypeId, level: u32, span: Span) {
        if let Some((_, row)) = self.object_row(self_ty)
            && !row.closed
            && row.level < level
        {
            self.diagnostics.error(
                Diagnostic::error("E0194", "the type of `self` is used outside of its class")
                    .at(Span { end: span.start + 6, ..span }, "of this object")
                    .note("something that was there before the class holds the object itself")
                    .help("give the object as one of its class: `(self :> c)`"),
            );
        }
    }

    fn close_object(&mut self, self_ty: TypeId) {
        if let Some((at, mut row)) = self.object_row(self_ty) {
            row.closed = true;
            self.set_node(at, Type::Row(Box::new(row)));
        }
    }

    /// Every method and every instance variable has a definition.
    fn check_complete(&mut self, open: &OpenObject, span: Span) -> bool {
        let Some((_, row)) = self.object_row(open.self_ty) else { return false };
        let is_defined =
            |name: Symbol| open.methods.iter().any(|it| it.name == name && it.function.is_some());
        let declared = open.methods.iter().filter(|it| it.function.is_none());
        let mut methods: Vec<Symbol> = declared.map(|it| it.name).collect();
        let asked = row.tags.iter().map(|it| it.0).filter(|&it| !is_defined(it));
        let asked: Vec<Symbol> = asked.filter(|it| !methods.contains(it)).collect();
        methods.extend(asked);
        let fields = open.fields.iter().filter(|it| it.value.is_none());
        let fields: Vec<Symbol> = fields.map(|it| it.name).collect();
        if methods.is_empty() && fields.is_empty() {
            return true;
        }
        let list = |names: &[Symbol]| -> String {
            let names: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
            names.join(", ")
        };
        let what = match (methods.is_empty(), fields.is_empty()) {
            (false, true) => format!("the methods {}", list(&methods)),
            (true, _) => format!("the instance variables {}", list(&fields)),
            (false, false) => {
                format!(
                    "the methods {} and the instance variables {}",
                    list(&methods),
                    list(&fields)
                )
            }
        };
        let at = Span { end: span.start + 6, ..span };
        let mut report = Diagnostic::error("E0192", format!("{what} are not defined"))
            .at(at, "an object of this class would lack them");
        for method in open.methods.iter().filter(|it| it.function.is_none()).take(3) {
            if method.span.file == span.file {
                report = report.label(method.span, "declared here");
            }
        }
        report = report.help("define them, or declare the class `virtual`");
        self.diagnostics.error(report);
        false
    }

    /// The code that makes the object.
    fn object_code(
        &mut self,
        open: OpenObject,
        before: Vec<tast::ItemKind>,
        functions: Vec<tast::RecBinding>,
        (this, first): (VarId, Vec<tast::Expr>),
        span: Span,
    ) -> tast::Expr {
        let int = self.builtins.int;
        let number = self.new_var(Symbol::new("number"), int, span);
        let mut infos = vec![ObjectField { name: Symbol::new("id"), ty: int, mutable: false }];
        let mut fields = vec![self.var_expr(number, span)];
        for field in &open.fields {
            infos.push(ObjectField { name: field.name, ty: field.ty, mutable: field.mutable });
            if let Some(value) = field.value {
                fields.push(self.var_expr(value, span));
            }
        }
        for method in &open.methods {
            let Some(function) = method.function else { continue };
            let name = Symbol::new(&format!("#{}", method.name));
            let ty = self.types.vars[function].ty;
            infos.push(ObjectField { name, ty, mutable: false });
            fields.push(self.var_expr(function, span));
        }
        let object = open.object;
        self.types.objects[object as usize].fields = infos;
        let ty = open.self_ty;
        let mut code = tast::Expr { kind: ExprKind::Object { object, fields }, ty, span };
        if !first.is_empty() {
            let binding = self.let_var(this, code);
            let mut steps = first;
            steps.push(self.var_expr(this, span));
            let body = tast::Expr { kind: ExprKind::Sequence(steps), ty, span };
            let kind = ExprKind::Let { bindings: vec![binding], body: Box::new(body) };
            code = tast::Expr { kind, ty, span };
        }
        if !functions.is_empty() {
            let kind = ExprKind::LetRec { bindings: functions, body: Box::new(code) };
            code = tast::Expr { kind, ty, span };
        }
        for item in before.into_iter().rev() {
            let body = Box::new(code);
            let kind = match item {
                tast::ItemKind::Let(bindings) => ExprKind::Let { bindings, body },
                tast::ItemKind::LetRec(bindings) => ExprKind::LetRec { bindings, body },
                tast::ItemKind::Eval(value) => ExprKind::Sequence(vec![value, *body]),
            };
            code = tast::Expr { kind, ty, span };
        }
        let binding = {
            let value = self.new_number(span);
            self.let_var(number, value)
        };
        let kind = ExprKind::Let { bindings: vec![binding], body: Box::new(code) };
        tast::Expr { kind, ty, span }
    }

    /// The number of a new object.
    fn new_number(&mut self, span: Span) -> tast::Expr {
        let Some(next) = self.stdlib_value("new_object_id") else {
            self.not_supported(span, "objects without the standard library");
            return self.failed(span);
        };
        let func = self.value_expr(&next, span);
        let (int, unit) = (self.builtins.int, self.builtins.unit);
        let args = vec![tast::Expr { kind: ExprKind::Unit, ty: unit, span }];
        tast::Expr { kind: ExprKind::Apply { func: Box::new(func), args }, ty: int, span }
    }

    // ------------------------------------------------------------- expressions

    pub(super) fn instance_variable(
        &mut self,
        ty: TypeId,
        (object, index): (u32, u32),
        this: VarId,
        span: Span,
    ) -> tast::Expr {
        let holder = Box::new(self.var_expr(this, span));
        let record = RecordRef::Object(object);
        tast::Expr { kind: ExprKind::Field { object: holder, record, index }, ty, span }
    }

    /// `x <- e` for an instance variable; a mistake for others.
    pub(super) fn assign_instance(
        &mut self,
        env: &Env,
        (path, target): (&ast::Path, &super::env::Value),
        value: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let name = path.name.text;
        let ValueKind::Instance { object, index, this } = target.kind else {
            self.infer_only(env, value);
            let report = Diagnostic::error(
                "E0022",
                "`<-` assigns to a field or an element, not to a variable",
            )
            .at(path.span(), "")
            .note("variables do not change; a reference does")
            .help(format!("if `{name}` is a reference, write `{name} := …`"));
            let reported = self.diagnostics.error(report);
            return self.error_expr(reported, span);
        };
        let value = Box::new(self.part(env, value, Expect::plain(target.ty)));
        let open = self.open_objects.iter().find(|it| it.object == object);
        let field = open.map(|it| &it.fields[index as usize - 1]);
        if let Some(field) = field
            && !field.mutable
        {
            let mut report = Diagnostic::error(
                "E0193",
                format!("the instance variable `{name}` is not mutable"),
            )
            .at(path.span(), "cannot be assigned")
            .help(format!("declare it `val mutable {name}`"));
            if field.span.file == span.file {
                report = report.label(field.span, "declared here");
            }
            self.diagnostics.error(report);
        }
        let holder = Box::new(self.var_expr(this, span));
        let record = RecordRef::Object(object);
        let unit = self.builtins.unit;
        let kind = ExprKind::SetField { object: holder, record, index, value };
        self.node(kind, unit, span, expect)
    }

    /// `{< x = e >}`: a copy of the object with other values.
    pub(super) fn override_expr(
        &mut self,
        env: &Env,
        fields: &[(Name, ast::Expr)],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let open =
            self.open_objects.last().and_then(|it| Some((it.current?, it.object, it.self_ty)));
        let Some((this, object, self_ty)) = open else {
            let report = Diagnostic::error("E0193", "`{< … >}` stands outside of a method")
                .at(span, "there is no object to copy");
            let reported = self.diagnostics.error(report);
            return self.error_expr(reported, span);
        };
        let mut updates = vec![(0, self.new_number(span))];
        for (name, value) in fields {
            let known = self.open_object().fields.iter().position(|it| it.name == name.text);
            let Some(at) = known else {
                let names: Vec<Symbol> =
                    self.open_object().fields.iter().map(|it| it.name).collect();
                let mut report = Diagnostic::error(
                    "E0193",
                    format!("there is no instance variable `{}`", name.text),
                )
                .at(name.span, "the object has none of this name");
                if let Some(near) = super::suggest::nearest(name.text, names.into_iter()) {
                    report = report.help(format!("did you mean `{near}`?"));
                }
                self.diagnostics.error(report);
                self.infer_only(env, value);
                continue;
            };
            let ty = self.open_object().fields[at].ty;
            let value = self.part(env, value, Expect::plain(ty));
            updates.push((at as u32 + 1, value));
        }
        let base = Box::new(self.var_expr(this, span));
        let record = RecordRef::Object(object);
        self.node(ExprKind::RecordWith { base, record, updates }, self_ty, span, expect)
    }

    pub(super) fn super_as_value(&mut self, span: Span) -> tast::Expr {
        let report = Diagnostic::error("E0193", "a name for what is inherited is no object")
            .at(span, "only its methods can be used: `super#m`");
        let reported = self.diagnostics.error(report);
        self.error_expr(reported, span)
    }

    pub(super) fn send_super(
        &mut self,
        (number, this): (u32, VarId),
        name: Name,
        object: Span,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let methods = &self.supers[number as usize];
        let Some((_, function, tag)) = methods.iter().find(|it| it.0 == name.text).cloned() else {
            let near = super::suggest::nearest(name.text, methods.iter().map(|it| it.0));
            let mut report = Diagnostic::error(
                "E0190",
                format!("what is inherited defines no method `{}`", name.text),
            )
            .at(name.span, "no such method");
            if let Some(near) = near {
                report = report.help(format!("did you mean `{near}`?"));
            }
            let reported = self.diagnostics.error(report);
            return self.error_expr(reported, span);
        };
        let holder = self.var_expr(this, object);
        self.send_node(holder, name, &tag, Some(function), span, expect)
    }

    /// The function of a method, if the expression is `self`.
    pub(super) fn known_object(&self, object: &tast::Expr, name: Symbol) -> Option<VarId> {
        let ExprKind::Var { var, .. } = object.kind else { return None };
        let open = self.open_objects.iter().rev().find(|it| it.this.contains(&var))?;
        open.methods.iter().find(|it| it.name == name)?.function
    }

    /// A private method, if the object is `self`.
    pub(super) fn private_method(&self, object: TypeId, name: Symbol) -> Option<Tag> {
        let at = self.types.repr(object);
        let open = self.open_objects.iter().rev().find(|it| self.types.repr(it.self_ty) == at)?;
        open.methods.iter().find(|it| it.private && it.name == name).map(|it| it.tag.clone())
    }
}
