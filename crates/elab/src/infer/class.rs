//! Classes: `class c x = object … end`.
//!
//! ```text
//! class ['a] c x = object method get : 'a = x end
//!
//! type 'a c = < get : 'a >
//! let rec #c = fun x -> object method get = x end        new c 1  is  #c 1
//! ```
//!
//! A class is a type and a function that makes objects, which no program can name. A class without parameters takes
//! `unit` under a label that no program can write. The classes of a group are inferred together: inside of it each has
//! one type, whose methods are known by name before their types are.

use std::rc::Rc;

use oxbow_base::{Id, Made, Mark, Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::VarId;

use crate::ast::{
    self, ClassBody, ClassDecl, ClassExpr, ClassExprKind, ClassField, ClassFieldKind, ParamLabel,
};
use crate::tast;
use crate::types::{Label, Row, Tag, TyCon, TyConId, TyConKind, Type, TypeId};

use super::env::{Env, Structure, ValueKind};
use super::print::Printer;
use super::{Expect, Infer};

pub(super) struct ClassInfo {
    pub var: VarId,
    pub tycon: TyConId,
    pub body: ClassExpr,
    /// The scope of the definition, with the class itself.
    pub env: Env,
    pub params: Vec<ast::TypeParam>,
    pub is_virtual: bool,
    pub span: Span,
}

/// The class whose body comes next.
pub(super) struct ClassHead {
    /// The place of the body.
    pub body: Span,
    pub path: String,
    pub is_virtual: bool,
    /// The level of the class's parameters, which may mention the type of `self`.
    pub level: u32,
    /// The row of its type.
    pub row: TypeId,
}

/// The name of the function that makes objects of a class.
pub(super) fn class_symbol(name: Symbol) -> Symbol {
    Made::Class(name).symbol()
}

/// The label of what a class without parameters takes.
pub(super) fn no_parameters() -> Label {
    Label::Labelled(Made::NoParameters.symbol())
}

/// A class that is being inferred.
struct Member<'a> {
    decl: &'a ClassDecl<ClassExpr>,
    /// The class without the bindings around it, and the scope with them.
    body: ClassExpr,
    scope: Env,
    tycon: TyConId,
    row: TypeId,
    var: VarId,
}

/// What `inherit` names.
pub(super) enum FoundClass {
    Whole(Rc<ClassInfo>),
    /// A parameter of a functor tells its type only.
    Described(TyConId),
}

impl Infer<'_> {
    pub(super) fn class_decls(
        &mut self,
        env: &mut Env,
        structure: &mut Structure,
        decls: &[ClassDecl<ClassExpr>],
        span: Span,
    ) {
        let bodies: Vec<(Env, ClassExpr)> = decls
            .iter()
            .map(|it| {
                let body = self.with_all_parameters(env, it.name.text, &it.body);
                self.class_bindings(env, &body, span)
            })
            .collect();
        let saved = (std::mem::take(&mut self.tyvars), self.named_level);
        // What `new` takes inside of the group lies outside of its bodies: the type of `self` must not get there.
        self.enter_level();
        let outside = self.level;
        self.enter_level();
        self.named_level = self.level;
        let errors = self.diagnostics.error_count();
        let mut inner = env.clone();
        let mut group = Vec::new();
        let outer = self.classes.group_start.replace(self.types.vars.len());
        for (decl, (scope, body)) in decls.iter().zip(bodies) {
            self.note_scope(decl.span, decl.name.text.as_str());
            let (tycon, row) = self.class_tycon(&mut inner, decl);
            let made = self.class_shape(&body, tycon, outside);
            let made = self.maker_type(made);
            let var = self.new_var(class_symbol(decl.name.text), made, decl.name.span);
            let value = self.mono_value(ValueKind::Var(var), made, decl.name.span);
            inner.add_value(class_symbol(decl.name.text), value);
            group.push(Member { decl, body, scope, tycon, row, var });
        }
        self.note_classes(&mut group, &inner);
        for member in &group {
            self.name_methods(&member.scope, member);
        }
        self.classes.group_start = outer;
        let mut bindings = Vec::new();
        self.classes.pending.extend(group.iter().map(|it| it.tycon));
        let groups = self.classes.group.len();
        self.classes.group.extend(group.iter().map(|it| it.tycon));
        for member in &group {
            let value = self.class_value(&member.scope, member);
            // It inherits from a class with an error: who uses it is not looked at.
            if matches!(self.types.get(value.ty), Type::Error) {
                self.types.tycons[member.tycon].kind = TyConKind::Alias(self.builtins.error);
                self.types.vars[member.var].ty = self.builtins.error;
            }
            self.classes.pending.retain(|it| *it != member.tycon);
            if !member.decl.is_virtual {
                bindings.push(tast::RecBinding { var: member.var, value });
            }
        }
        self.classes.group.truncate(groups);
        self.leave_level();
        self.leave_level();
        (self.tyvars, self.named_level) = saved;
        self.generalize_classes(&group, errors);
        for member in &group {
            let (name, value) = (member.decl.name.text, self.value_of_var(member.var));
            env.add_type(name, member.tycon);
            env.add_value(class_symbol(name), value.clone());
            structure.types.insert(name, member.tycon);
            structure.values.insert(class_symbol(name), value);
        }
        self.note_classes(&mut group, env);
        self.classes.complete.extend(group.iter().map(|it| it.var));
        if !bindings.is_empty() {
            self.push_item(tast::ItemKind::LetRec(bindings), span);
        }
    }

    /// The bindings around a class are evaluated once, where it is defined; a class that is another one is made of
    /// that.
    fn class_bindings(&mut self, env: &Env, class: &ClassExpr, span: Span) -> (Env, ClassExpr) {
        match &class.kind {
            ClassExprKind::Let { recursive, bindings, body } => {
                let mut inner = env.clone();
                let item = self.bindings(&mut inner, None, *recursive, bindings);
                self.push_item(item, span);
                self.class_bindings(&inner, body, span)
            }
            ClassExprKind::Open(module, body) => {
                let inner = self.opened_in_class(env, module);
                self.class_bindings(&inner, body, span)
            }
            ClassExprKind::Path(path, types) if types.is_empty() => {
                match self.find_class(env, path) {
                    Some(info)
                        if info.params.is_empty()
                            && matches!(info.body.kind, ClassExprKind::Fun(..)) =>
                    {
                        (info.env.clone(), info.body.clone())
                    }
                    _ => (env.clone(), class.clone()),
                }
            }
            _ => (env.clone(), class.clone()),
        }
    }

    /// What `let open M in …` sees.
    pub(super) fn opened_in_class(&mut self, env: &Env, module: &ast::ModuleExpr) -> Env {
        let mut inner = env.clone();
        let opened = self.module_expr(env, module);
        match self.as_structure(&opened, module.span) {
            Ok(_) => self.open_noted(&mut inner, module, &opened),
            Err(_) => self.unknown_opened = true,
        }
        inner
    }

    /// The classes of a group as `env` knows them, in all their scopes.
    fn note_classes(&mut self, group: &mut [Member<'_>], env: &Env) {
        let names: Vec<(Symbol, TyConId)> =
            group.iter().map(|it| (it.decl.name.text, it.tycon)).collect();
        for member in group {
            for &(name, tycon) in &names {
                member.scope.add_type(name, tycon);
                if let Some(value) = env.value(class_symbol(name)) {
                    member.scope.add_value(class_symbol(name), value.clone());
                }
            }
            let info = ClassInfo {
                var: member.var,
                tycon: member.tycon,
                body: member.body.clone(),
                env: member.scope.clone(),
                params: member.decl.params.clone(),
                is_virtual: member.decl.is_virtual,
                span: member.decl.name.span,
            };
            self.classes.known.insert(member.var, Rc::new(info));
            self.classes.tycons.insert(member.tycon, Rc::default());
        }
    }

    /// The type of a class's objects, whose methods are not known yet.
    pub(super) fn class_tycon<T>(
        &mut self,
        env: &mut Env,
        decl: &ClassDecl<T>,
    ) -> (TyConId, TypeId) {
        let level = self.level;
        let params = decl.params.iter().map(|it| {
            let name = it.name.map(|it| it.text);
            self.types.add(Type::Var { level, name })
        });
        let params: Vec<TypeId> = params.collect();
        let row = self.add_object_row(Vec::new(), true);
        let (name, path) = (decl.name.text, self.display_path(decl.name.text));
        let kind = TyConKind::Alias(row);
        let mut tycon = TyCon::new(name, path, params, kind, Some(decl.name.span));
        tycon.library = self.library;
        tycon.variances = decl.params.iter().map(|it| it.variance).collect();
        let tycon = self.types.tycons.push(tycon);
        env.add_type(name, tycon);
        (tycon, row)
    }

    /// What the syntax says of the function that makes objects.
    fn class_shape(&mut self, class: &ClassExpr, tycon: TyConId, level: u32) -> TypeId {
        match &class.kind {
            ClassExprKind::Fun(params, body) => {
                let result = self.class_shape(body, tycon, level);
                params.iter().rev().fold(result, |result, param| {
                    let item = self.fresh_at(level);
                    match &param.label {
                        ParamLabel::None => self.arrow(Label::None, item, result),
                        ParamLabel::Labelled(name) => {
                            self.arrow(Label::Labelled(name.text), item, result)
                        }
                        ParamLabel::Optional(name, _) => {
                            let option = self.option_of(item);
                            self.arrow(Label::Optional(name.text), option, result)
                        }
                        ParamLabel::Newtype(_) => result,
                    }
                })
            }
            ClassExprKind::Let { body, .. } | ClassExprKind::Open(_, body) => {
                self.class_shape(body, tycon, level)
            }
            ClassExprKind::Constraint(inner, _) => self.class_shape(inner, tycon, level),
            ClassExprKind::Path(..)
            | ClassExprKind::Body(_)
            | ClassExprKind::Apply(..)
            | ClassExprKind::Error(_) => {
                let params = self.types.tycons[tycon].params.clone();
                self.types.add(Type::Con(tycon, params))
            }
        }
    }

    /// The type of the function that makes what has this type, or makes a function that makes it.
    pub(super) fn maker_type(&mut self, made: TypeId) -> TypeId {
        match self.types.get(made) {
            Type::Arrow(..) => made,
            _ => {
                let unit = self.builtins.unit;
                self.arrow(no_parameters(), unit, made)
            }
        }
    }

    // ------------------------------------------------------------- the methods' names

    /// The methods of a class by name, with the types of those that are polymorphic.
    fn name_methods(&mut self, env: &Env, member: &Member<'_>) {
        self.bind_params(member.tycon, &member.decl.params);
        let mut found = Vec::new();
        self.methods_of_class(env, &member.body, &mut found, 0);
        self.tyvars.clear();
        let level = self.level;
        let mut row = Row { object: true, tags: Vec::new(), closed: true, level, name: None };
        for (name, tag) in found {
            if row.find(name).is_none() || matches!(tag, Tag::Poly { .. }) {
                row.add(name, tag);
            }
        }
        self.types.nodes[member.row] = Type::Row(Box::new(row));
    }

    fn bind_params(&mut self, tycon: TyConId, params: &[ast::TypeParam]) {
        self.tyvars.clear();
        for (param, &ty) in params.iter().zip(&self.types.tycons[tycon].params) {
            if let Some(name) = param.name {
                self.tyvars.insert(name.text, ty);
            }
        }
    }

    fn methods_of_class(
        &mut self,
        env: &Env,
        class: &ClassExpr,
        found: &mut Vec<(Symbol, Tag)>,
        depth: u32,
    ) {
        match &class.kind {
            ClassExprKind::Fun(_, inner)
            | ClassExprKind::Apply(inner, _)
            | ClassExprKind::Constraint(inner, _)
            | ClassExprKind::Let { body: inner, .. } => {
                self.methods_of_class(env, inner, found, depth);
            }
            ClassExprKind::Open(module, inner) => {
                let scope = self.opened_in_class(env, module);
                self.methods_of_class(&scope, inner, found, depth);
            }
            ClassExprKind::Body(body) => {
                for field in &body.fields {
                    match &field.kind {
                        ClassFieldKind::Inherit { class, .. } => {
                            self.methods_of_class(env, class, found, depth);
                        }
                        ClassFieldKind::Method { name, private: false, ty, .. } => {
                            let tag = match ty {
                                Some(poly) if !poly.vars.is_empty() => {
                                    self.method_tag(env, poly, super::typexpr::Vars::Shared)
                                }
                                _ => Tag::Present(Some(self.fresh())),
                            };
                            found.push((name.text, tag));
                        }
                        _ => (),
                    }
                }
            }
            ClassExprKind::Path(path, types) => {
                let info = self.find_class(env, path);
                // A class of the same group has no methods yet.
                if let Some(info) = &info
                    && self.open_class(info)
                    && depth < 100
                {
                    let saved = self.tyvars.clone();
                    self.bind_params(info.tycon, &info.params);
                    self.methods_of_class(env, &info.body, found, depth + 1);
                    self.tyvars = saved;
                    return;
                }
                let vars = super::typexpr::Vars::Shared;
                let args: Vec<TypeId> =
                    types.iter().map(|it| self.type_expr(env, it, vars)).collect();
                let tycon = match info {
                    Some(info) => Some(info.tycon),
                    None => self.type_of_class(env, path),
                };
                let Some(tycon) = tycon else { return };
                let params = self.types.tycons[tycon].params.len();
                let args = if args.len() == params {
                    args
                } else {
                    (0..params).map(|_| self.fresh()).collect()
                };
                let ty = self.types.add(Type::Con(tycon, args));
                // In `class ['self] c = object (_ : 'self) …` the type is its parameter.
                let own = match self.types.tycons[tycon].kind {
                    TyConKind::Alias(row) => Some(row),
                    _ => None,
                };
                let row = self.object_row(ty).or_else(|| self.object_row(own?));
                for (name, tag) in row.map_or(Vec::new(), |it| it.1.tags) {
                    let tag = match tag {
                        Tag::Poly { .. } => tag,
                        _ => Tag::Present(Some(self.fresh())),
                    };
                    found.push((name, tag));
                }
            }
            ClassExprKind::Error(_) => (),
        }
    }

    /// Is the class one of the group that is being inferred?
    fn open_class(&self, info: &ClassInfo) -> bool {
        let made = self.types.vars[info.var].ty;
        self.types.vars[info.var].tyvars.is_empty()
            && self.classes.group_start.is_some_and(|start| info.var.index() >= start)
            && !matches!(self.types.get(made), Type::Error)
    }

    // ------------------------------------------------------------------ the body

    fn class_value(&mut self, env: &Env, member: &Member<'_>) -> tast::Expr {
        let decl = member.decl;
        self.bind_params(member.tycon, &decl.params);
        let (value, body) = as_expression(&member.body);
        let path = self.types.tycons[member.tycon].path.clone();
        let (is_virtual, level, row) = (decl.is_virtual, self.level, member.row);
        let head = ClassHead { body, path, is_virtual, level, row };
        let outer = self.classes.head.replace(head);
        let shape = self.class_shape(&member.body, member.tycon, self.level);
        let made = self.maker_type(shape);
        let (hidden, wanted) = match *self.types.get(made) {
            Type::Arrow(label, unit, result) if label == no_parameters() => (Some(unit), result),
            _ => (None, made),
        };
        self.local_depth += 1;
        self.classes.inheriting.push(member.var);
        let places = self.classes.plain_patterns.len();
        patterns_around(&member.body, &mut self.classes.plain_patterns);
        self.scopes.is_bound = matches!(value.kind, ast::ExprKind::Fun(..));
        let mut typed = self.expr(env, &value, Expect::plain(wanted));
        self.classes.plain_patterns.truncate(places);
        self.classes.inheriting.pop();
        self.class_constraints(env, &member.body, wanted);
        self.local_depth -= 1;
        self.classes.head = outer;
        self.tyvars.clear();
        if let Some(unit) = hidden
            && !matches!(self.types.get(typed.ty), Type::Error)
        {
            let span = typed.span;
            let param = tast::Pattern { kind: tast::PatternKind::Unit, ty: unit, span };
            let kind = tast::ExprKind::Lambda {
                params: vec![param.into()],
                body: Box::new(typed),
                inline: tast::InlineAttribute::None,
            };
            typed = tast::Expr { kind, ty: made, span };
        }
        if !matches!(self.types.get(typed.ty), Type::Error) {
            let used = self.types.vars[member.var].ty;
            self.expect(Expect::plain(used), made, decl.name.span);
        }
        typed
    }

    /// `(ce : ct)`: the class has the type that is written.
    fn class_constraints(&mut self, env: &Env, class: &ClassExpr, ty: TypeId) {
        match &class.kind {
            ClassExprKind::Fun(params, body) => {
                let mut ty = ty;
                for _ in params.iter().filter(|it| !matches!(it.label, ParamLabel::Newtype(_))) {
                    let expanded = self.types.repr(ty);
                    if let Type::Arrow(_, _, result) = self.types.nodes[expanded] {
                        ty = result;
                    }
                }
                self.class_constraints(env, body, ty);
            }
            ClassExprKind::Let { body, .. } | ClassExprKind::Open(_, body) => {
                self.class_constraints(env, body, ty)
            }
            ClassExprKind::Constraint(inner, wanted) => {
                let wanted_ty = self.class_type_as_type(env, wanted);
                self.expect(Expect::plain(wanted_ty), ty, class.span);
                self.class_constraints(env, inner, ty);
            }
            _ => (),
        }
    }

    fn generalize_classes(&mut self, group: &[Member<'_>], errors: usize) {
        let mut vars = Vec::new();
        for member in group {
            for param in self.types.tycons[member.tycon].params.clone() {
                self.generalize(param, &mut vars);
            }
        }
        let named = vars.len();
        for member in group {
            self.generalize(member.row, &mut vars);
            let made = self.types.vars[member.var].ty;
            self.generalize(made, &mut vars);
        }
        for member in group {
            self.types.vars[member.var].tyvars.clone_from(&vars);
            self.types.forget_expansions(member.row);
            if matches!(self.types.get(self.types.vars[member.var].ty), Type::Error) {
                continue;
            }
            let free: Vec<TypeId> = vars[named..].to_vec();
            let unbound = free.into_iter().find(|&it| self.types.mentions_any(member.row, &[it]));
            // One report for one mistake: who uses the class is not looked at.
            if self.diagnostics.error_count() > errors {
                self.types.tycons[member.tycon].kind = TyConKind::Alias(self.builtins.error);
                continue;
            }
            if let Some(var) = unbound {
                self.report_open_class(member, var);
                // One report for one mistake.
                self.types.tycons[member.tycon].kind = TyConKind::Alias(self.builtins.error);
                self.types.vars[member.var].ty = self.builtins.error;
            }
        }
    }

    fn report_open_class(&mut self, member: &Member<'_>, var: TypeId) {
        let name = member.decl.name;
        let tags = self.object_row(member.row).map_or(Vec::new(), |it| it.1.tags);
        let mentions = |ty: TypeId| self.types.mentions_any(ty, &[var]);
        let method = tags.iter().find_map(|(name, tag)| {
            let ty = tag.types().first().copied().filter(|&it| mentions(it))?;
            Some((*name, ty))
        });
        // One printer: a variable has one name in the whole report.
        let mut printer = Printer::new(&self.types);
        let place = match method {
            Some((name, ty)) => format!("its method `{name}` has type `{}`", printer.show(ty)),
            None => "its methods have types that are not known".into(),
        };
        let open = printer.show(var);
        let params = self.types.tycons[member.tycon].params.iter().map(|&it| printer.show(it));
        let is_row = !matches!(self.types.get(var), Type::Var { .. });
        let added = if is_row { "'row".to_string() } else { open.clone() };
        let params: Vec<String> = params.chain([added]).collect();
        let params = params.join(", ");
        let help = format!("make it a parameter: `class [{params}] {} …`", name.text);
        self.diagnostics.error(
            Diagnostic::error("E0189", format!("the class `{}` leaves a type open", name.text))
                .at(name.span, place)
                .note(format!("nothing says what `{open}` is"))
                .help(help),
        );
    }
}

/// The patterns of a class's parameters and of the bindings around its body.
fn patterns_around(class: &ClassExpr, found: &mut Vec<Span>) {
    match &class.kind {
        ClassExprKind::Fun(params, inner) => {
            found.extend(params.iter().map(|it| it.pattern.span));
            patterns_around(inner, found);
        }
        ClassExprKind::Let { bindings, body, .. } => {
            found.extend(bindings.iter().map(|it| it.pattern.span));
            patterns_around(body, found);
        }
        ClassExprKind::Open(_, inner) | ClassExprKind::Constraint(inner, _) => {
            patterns_around(inner, found)
        }
        ClassExprKind::Body(_)
        | ClassExprKind::Path(..)
        | ClassExprKind::Apply(..)
        | ClassExprKind::Error(_) => (),
    }
}

/// A class as the expression that makes its objects, and the place of the body in it.
fn as_expression(class: &ClassExpr) -> (ast::Expr, Span) {
    let (kind, body) = match &class.kind {
        ClassExprKind::Fun(params, inner) => {
            let (inner, body) = as_expression(inner);
            let place = |it: &ast::Param| ast::Param { span: it.pattern.span, ..it.clone() };
            let params = params.iter().map(place).collect();
            (ast::ExprKind::Fun(params, None, Box::new(inner)), body)
        }
        ClassExprKind::Let { recursive, bindings, body: inner } => {
            let (inner, body) = as_expression(inner);
            let (recursive, mut bindings) = (*recursive, bindings.clone());
            for one in &mut bindings {
                one.attributes.push(ast::Attribute::mark(Mark::AroundClass, one.span));
            }
            (ast::ExprKind::Let { recursive, bindings, body: Box::new(inner) }, body)
        }
        ClassExprKind::Open(module, inner) => {
            let (inner, body) = as_expression(inner);
            (ast::ExprKind::Open(module.clone(), Box::new(inner)), body)
        }
        ClassExprKind::Constraint(inner, _) => return as_expression(inner),
        ClassExprKind::Body(body) => (ast::ExprKind::Object(Box::new(body.clone())), body.span),
        ClassExprKind::Path(..) | ClassExprKind::Apply(..) => {
            let kind =
                ClassFieldKind::Inherit { class: class.clone(), name: None, overrides: false };
            let fields = vec![ClassField { kind, span: class.span }];
            let body = ClassBody { self_pattern: None, fields, span: class.span };
            (ast::ExprKind::Object(Box::new(body)), class.span)
        }
        ClassExprKind::Error(reported) => (ast::ExprKind::Error(*reported), class.span),
    };
    (ast::Expr { kind, span: class.span, attributes: Vec::new() }, body)
}
