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

use crate::ast::{self, ClassBody, ClassFieldKind, Name};
use crate::tast::{self, ExprKind, InlineAttribute};
use crate::types::{Label, ObjectInfo, Tag, Type, TypeId};

use super::env::{Env, ValueKind};
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
    pub this: Vec<VarId>,
    /// That of the method that is being inferred.
    pub current: Option<VarId>,
    /// It inherits from a class with an error, which has been reported.
    pub is_broken: bool,
}

pub(super) struct Method {
    pub name: Symbol,
    pub tag: Tag,
    pub private: bool,
    /// The inheritance through a signature that hides it.
    pub hidden: Option<u32>,
    /// The variable of its function, if there is one.
    pub function: Option<VarId>,
    pub span: Span,
}

/// An instance variable.
pub(super) struct Instance {
    pub name: Symbol,
    pub ty: TypeId,
    pub mutable: bool,
    /// The inheritance through a signature that hides it.
    pub hidden: Option<u32>,
    /// The variable that holds its first value.
    pub value: Option<VarId>,
    pub span: Span,
}

/// What is evaluated for an object before it is made, and the code that is inferred when all its variables are known.
#[derive(Default)]
pub(super) struct Parts {
    pub before: Vec<tast::ItemKind>,
    later: Vec<Later>,
}

pub(super) struct Later {
    scope: Rc<BodyScope>,
    /// Instance variables that are declared before, and their places.
    visible: Vec<(Symbol, u32)>,
    code: Code,
}

pub(super) enum Code {
    Method { name: Name, function: VarId, value: ast::Expr },
    Initializer(ast::Expr),
}

/// What the methods of one body see.
pub(super) struct BodyScope {
    env: Env,
    self_name: Option<Name>,
    supers: Vec<(Name, u32)>,
    /// Names of type variables.
    tyvars: oxbow_base::FxHashMap<Symbol, TypeId>,
}

/// An argument of an inherited class, with the scope that it is written in.
pub(super) type Argument = (ast::ArgLabel, ast::Expr, Env);

impl Infer<'_> {
    /// `object … end`, or the body of a class.
    pub(super) fn object_expr(
        &mut self,
        env: &Env,
        body: &ClassBody,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let head = self.classes.head.take_if(|it| it.body == body.span);
        let is_virtual = head.as_ref().is_some_and(|it| it.is_virtual);
        let path = head.as_ref().map_or("object", |it| it.path.as_str()).to_owned();
        head.is_none().then(|| self.note_scope(span, "object"));
        let errors = self.diagnostics.error_count();
        self.enter_level();
        self.local_depth += 1;
        let object = self.types.objects.len() as u32;
        self.types.objects.push(ObjectInfo { path, fields: Vec::new(), is_value: None, span });
        let self_ty = self.add_object_row(Vec::new(), false);
        let (methods, fields, this) = (Vec::new(), Vec::new(), Vec::new());
        let (current, is_broken) = (None, false);
        let open = OpenObject { object, self_ty, methods, fields, this, current, is_broken };
        self.classes.open_objects.push(open);
        let mut parts = Parts::default();
        self.body_into(env, body, &mut parts);
        let (functions, first) = self.infer_methods(parts.later);
        // Nothing inherits from an object alone: its type is complete with it, and may be known outside.
        if let Some(head) = &head {
            self.check_escape(self_ty, head.level, span);
        }
        self.close_object(self_ty);
        let Some(open) = self.classes.open_objects.pop() else {
            oxbow_diag::ice!("no object is open")
        };
        if open.is_broken {
            self.local_depth -= 1;
            self.leave_level();
            return self.failed(span);
        }
        let complete = is_virtual || self.check_complete(&open, span);
        let made = if is_virtual || !complete {
            tast::Expr { kind: ExprKind::Unit, ty: self_ty, span }
        } else {
            let plain = is_plain(body) && self.are_values(&parts.before);
            self.object_code(open, parts.before, functions, (first, plain), span)
        };
        self.local_depth -= 1;
        self.leave_level();
        // One report for one mistake.
        if self.diagnostics.error_count() > errors {
            return self.failed(span);
        }
        let made = self.node(made.kind, self_ty, span, expect);
        if let Some(head) = head
            && !matches!(self.types.get(made.ty), Type::Error)
        {
            self.join_rows(head.row, self_ty);
        }
        made
    }

    /// The row of a class's type is that of `self`: methods that mention `self` mention the type itself.
    fn join_rows(&mut self, row: TypeId, self_ty: TypeId) {
        let (row, self_ty) = (self.types.repr(row), self.types.repr(self_ty));
        if row != self_ty {
            self.set_node(row, Type::Link(self_ty));
        }
    }

    // ----------------------------------------------------------------- bodies

    pub(super) fn open_object(&mut self) -> &mut OpenObject {
        let innermost = self.classes.open_objects.last_mut();
        innermost.unwrap_or_else(|| oxbow_diag::ice!("no object is open"))
    }

    pub(super) fn body_into(&mut self, env: &Env, body: &ClassBody, parts: &mut Parts) {
        let self_name = body.self_pattern.as_ref().and_then(|it| self.self_pattern(env, it));
        let (mut supers, mut own) = (Vec::new(), Vec::new());
        self.check_defined_once(body);
        for field in &body.fields {
            match &field.kind {
                ClassFieldKind::Inherit { class, name, overrides } => {
                    let before = self.defined_variables();
                    self.class_into(env, class, Vec::new(), parts);
                    if !overrides {
                        self.warn_of_overridden(&before, class.span);
                    }
                    if let Some(name) = name {
                        let number = self.classes.supers.len() as u32;
                        let known = self.open_object().methods.iter();
                        let known =
                            known.filter_map(|it| Some((it.name, it.function?, it.tag.clone())));
                        let known = known.collect();
                        self.classes.supers.push(known);
                        self.note_ancestor(*name);
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
                    let before = self.defined_variables();
                    self.declare_instance(*name, ty, *mutable, *overrides, var);
                    if !overrides {
                        self.warn_of_overridden(&before, name.span);
                    }
                }
                ClassFieldKind::Method { name, private, overrides, ty, value } => {
                    let function = self.declare_method(
                        env,
                        (*name, *private, *overrides),
                        ty.as_ref(),
                        value.is_some(),
                    );
                    if let (Some(function), Some(value)) = (function, value) {
                        let code = Code::Method { name: *name, function, value: value.clone() };
                        own.push((self.visible_variables(), code));
                    }
                }
                ClassFieldKind::Constraint(left, right) => {
                    let wanted = self.type_expr(env, left, Vars::Shared);
                    let found = self.type_expr(env, right, Vars::Shared);
                    self.expect(Expect::plain(wanted), found, field.span);
                }
                ClassFieldKind::Initializer(value) => {
                    own.push((self.visible_variables(), Code::Initializer(value.clone())));
                }
                // What is missing for it has been reported.
                ClassFieldKind::Error(_) => self.open_object().is_broken = true,
            }
        }
        let (env, tyvars) = (env.clone(), self.tyvars.clone());
        let scope = Rc::new(BodyScope { env, self_name, supers, tyvars });
        for (visible, code) in own {
            parts.later.push(Later { scope: scope.clone(), visible, code });
        }
    }

    /// The instance variables that the body at hand sees by now.
    fn visible_variables(&mut self) -> Vec<(Symbol, u32)> {
        let seal = self.classes.seals.last().map(|it| it.0);
        let fields = (1..).zip(&self.open_object().fields);
        let seen = fields.filter(|it| it.1.hidden.is_none() || it.1.hidden == seal);
        seen.map(|(at, it)| (it.name, at)).collect()
    }

    /// `(self)`, `(self : t)`
    pub(super) fn self_pattern(&mut self, env: &Env, pattern: &ast::Pattern) -> Option<Name> {
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

    pub(super) fn bind_before(
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

    pub(super) fn declare_instance(
        &mut self,
        name: Name,
        ty: TypeId,
        mutable: bool,
        overrides: bool,
        value: Option<VarId>,
    ) {
        let hidden = self.hidden_by(name.text);
        let at = self.open_object().fields.iter().position(|it| it.name == name.text);
        let Some(at) = at else {
            if overrides {
                self.nothing_overridden("instance variable", name);
            }
            let (text, span) = (name.text, name.span);
            let field = Instance { name: text, ty, mutable, hidden, value, span };
            self.open_object().fields.push(field);
            return;
        };
        if self.open_object().fields[at].hidden != hidden {
            let construct =
                "an instance variable with the name of one that a signature hides in a class";
            self.not_supported(name.span, construct);
            return;
        }
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

    pub(super) fn nothing_overridden(&mut self, what: &str, name: Name) {
        self.diagnostics.error(
            Diagnostic::error("E0197", format!("there is no {what} `{}` to override", name.text))
                .at(name.span, "nothing that is inherited has this name")
                .help("leave the `!` away"),
        );
    }

    /// The variable of the method's function, if it has one.
    pub(super) fn declare_method(
        &mut self,
        env: &Env,
        (name, private, overrides): (Name, bool, bool),
        ty: Option<&ast::PolyType>,
        defined: bool,
    ) -> Option<VarId> {
        let declared = ty.map(|it| self.method_tag(env, it, Vars::Shared));
        let hidden = if private { self.hidden_by(name.text) } else { None };
        let at = self.open_object().methods.iter().position(|it| it.name == name.text);
        if overrides && at.is_none_or(|at| self.open_object().methods[at].function.is_none()) {
            self.nothing_overridden("method", name);
        }
        let (at, tag) = match at {
            Some(at) if self.open_object().methods[at].hidden != hidden => {
                let construct = "a method with the name of one that a signature hides in a class";
                self.not_supported(name.span, construct);
                return None;
            }
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
                let (tag, function) = (tag, None);
                let method =
                    Method { name: text, tag: tag.clone(), private, hidden, function, span };
                let open = self.open_object();
                open.methods.push(method);
                (open.methods.len() - 1, tag)
            }
        };
        if let Some(declared) = declared
            && self.same_method(&tag, &declared).is_err()
        {
            self.method_mismatch(name, &tag, &declared);
            // One report for one mistake: the body is not asked to have the other type as well.
            self.open_object().methods[at].tag = Tag::Present(Some(self.builtins.error));
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
    pub(super) fn publish(&mut self, name: Name, tag: &Tag) -> Tag {
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

    pub(super) fn method_mismatch(&mut self, name: Name, known: &Tag, declared: &Tag) {
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

    // ---------------------------------------------------------------- methods

    /// The functions of the methods, and what initialises the object that the variable holds.
    pub(super) fn infer_methods(
        &mut self,
        later: Vec<Later>,
    ) -> (Vec<tast::RecBinding>, (VarId, Vec<tast::Expr>)) {
        let self_ty = self.open_object().self_ty;
        let (mut functions, mut first) = (Vec::new(), Vec::new());
        let tyvars = self.tyvars.clone();
        let mut whole = None;
        for Later { scope, visible, code } in later {
            self.tyvars.clone_from(&scope.tyvars);
            match code {
                Code::Method { name, function, value } => {
                    let value = self.method((&scope, &visible), name, function, &value);
                    functions.push(tast::RecBinding { var: function, value });
                }
                Code::Initializer(value) => {
                    let this = *whole.get_or_insert_with(|| {
                        self.new_var(Symbol::new("self"), self_ty, value.span)
                    });
                    let env = self.method_scope(&scope, &visible, this);
                    let unit = self.builtins.unit;
                    self.note_scope(value.span, tast::ANONYMOUS);
                    first.push(self.part(&env, &value, Expect::plain(unit)));
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
    pub(super) fn method_scope(
        &mut self,
        scope: &BodyScope,
        visible: &[(Symbol, u32)],
        this: VarId,
    ) -> Env {
        let mut env = scope.env.clone();
        let open = self.open_object();
        open.this.push(this);
        open.current = Some(this);
        let (object, self_ty) = (open.object, open.self_ty);
        let types: Vec<(Symbol, u32, TypeId, Span)> = visible
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

    pub(super) fn method(
        &mut self,
        (scope, visible): (&BodyScope, &[(Symbol, u32)]),
        name: Name,
        function: VarId,
        value: &ast::Expr,
    ) -> tast::Expr {
        let self_ty = self.open_object().self_ty;
        let this = self.new_var(Symbol::new("self"), self_ty, name.span);
        let env = self.method_scope(scope, visible, this);
        let tag = self.open_object().methods.iter().find(|it| it.name == name.text);
        let Some(tag) = tag.map(|it| it.tag.clone()) else { return self.failed(name.span) };
        self.note_method_scope(name, value.span, &tag);
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
                params.insert(0, param.into());
                (params, body, inline)
            }
            kind => {
                (vec![param.into()], Box::new(tast::Expr { kind, ..typed }), InlineAttribute::None)
            }
        };
        tast::Expr { kind: ExprKind::Lambda { params, body, inline }, ty: whole, span }
    }

    /// A method that is checked with types that equal themselves alone for its own variables.
    pub(super) fn polymorphic_method(
        &mut self,
        env: &Env,
        value: &ast::Expr,
        ty: TypeId,
        vars: &[TypeId],
    ) -> tast::Expr {
        self.enter_level();
        let rigid = self.rigid_types(vars);
        let ty = self.types.substitute(ty, vars, &rigid.types);
        let typed = self.part(env, value, Expect::plain(ty));
        self.leave_level();
        self.close_rigid_types(rigid);
        typed
    }
}

/// Has the object nothing that changes, that is inherited or that is done at the beginning?
fn is_plain(body: &ClassBody) -> bool {
    body.fields.iter().all(|it| match &it.kind {
        ClassFieldKind::Method { .. } | ClassFieldKind::Constraint(..) => true,
        ClassFieldKind::Val { mutable, .. } => !mutable,
        ClassFieldKind::Inherit { .. }
        | ClassFieldKind::Initializer(_)
        | ClassFieldKind::Error(_) => false,
    })
}
