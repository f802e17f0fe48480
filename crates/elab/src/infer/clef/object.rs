//! Objects of Clef's classes: the names that their members see, the types that they can be seen as, and casts.
//!
//! ```text
//! let mutable balance = 0 …  balance       `this.%balance`: an alias
//! circle :> IShape                         `circle.%to0`, a member that makes the interface's record
//! account :> Base                          `account.%up`, the object of the class that is inherited
//! shape :?> Circle                         `Circle.%from shape`, which gives an option
//! ```
//!
//! The parser makes records and members of classes (decision 123); what needs types is done here.

use oxbow_base::{Made, Mark, Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::{self, ExprKind, FieldRole, Members, Name};
use crate::tast;
use crate::types::{TyConId, Type, TypeId};

use super::super::env::{Env, Structure, ValueKind};
use super::super::rigid::Rigid;
use super::super::typexpr::Vars;
use super::super::{Expect, Infer};
use super::ViewInfo;

/// The parameters of the classes whose members are being inferred.
pub struct ClassParams {
    rigid: Vec<(Rigid, TypeId)>,
    names: Vec<(Symbol, Option<TypeId>)>,
}

impl Infer<'_> {
    /// Is it a class or an interface? Their objects have a number.
    pub(super) fn is_class(&self, con: TyConId) -> bool {
        self.fields_of(con).first().is_some_and(|it| it.role == FieldRole::Number)
    }

    /// Has it fields by `val`, which its constructors alone set?
    pub(in super::super) fn is_made_by_constructors(&self, con: TyConId) -> bool {
        self.fields_of(con).iter().any(|it| it.role == FieldRole::Declared)
    }

    pub(in super::super) fn no_record(&mut self, con: TyConId, span: Span) -> tast::Expr {
        let name = self.types.tycons[con].name;
        let report = Diagnostic::error("E0164", format!("`{name}` is a class, and no record"))
            .at(span, "its fields are set by its constructors alone")
            .help(format!("call a constructor: `{name}(…)`"));
        let reported = self.diagnostics.error(report);
        self.error_expr(reported, span)
    }

    /// Has it a constructor? Then it is no interface.
    fn is_made(&self, con: TyConId) -> bool {
        self.clef.members.contains_key(&(con, Made::Constructor.symbol()))
    }

    /// Members of an interface that what implements it does not define, or one that it does not have.
    pub(in super::super) fn interface_members(
        &mut self,
        con: TyConId,
        names: &[Symbol],
        (span, missing): (Span, bool),
    ) -> bool {
        let all = names;
        let plain = |it: &Symbol| ast::member_of_field(*it).map(|it| format!("`{it}`"));
        let Some(names) = names.iter().map(plain).collect::<Option<Vec<_>>>() else {
            return false;
        };
        // A member that the compiler gives to every class is missing where a class was reported to be wrong.
        if all.iter().filter_map(|it| ast::member_of_field(*it)).any(|it| it.is_hidden()) {
            return self.diagnostics.has_errors();
        }
        let (shown, names) = (self.types.tycons[con].name, names.join(", "));
        let report = match missing {
            true => Diagnostic::error("E0162", format!("{names} of `{shown}` is not defined here"))
                .at(span, "all members of the interface are needed"),
            false if self.is_made(con) => {
                let what = format!("the class `{shown}` has no member {names} to override");
                Diagnostic::error("E0162", what).at(span, "nothing to override")
            }
            false => {
                Diagnostic::error("E0162", format!("the interface `{shown}` has no member {names}"))
                    .at(span, "nothing to implement")
            }
        };
        let kind = if self.is_made(con) { "the class" } else { "the interface" };
        let declared = self.types.tycons[con].span.filter(|it| it.file == span.file);
        self.diagnostics.error(match declared {
            Some(declared) => report.label(declared, kind),
            None => report,
        });
        true
    }

    /// The interfaces that a type can be seen as.
    pub(super) fn interfaces_of(&self, con: TyConId) -> Vec<TyConId> {
        let views = self.clef.views.get(con).map_or([].as_slice(), Vec::as_slice);
        views.iter().filter(|it| !it.base).map(|it| it.target).collect()
    }

    /// The views that lead from one type to another.
    pub(super) fn way(&self, from: TyConId, to: TyConId) -> Option<Vec<(TyConId, ViewInfo)>> {
        if from == to {
            return Some(Vec::new());
        }
        self.clef.views.get(from)?.iter().find_map(|view| {
            let mut rest = self.way(view.target, to)?;
            rest.insert(0, (from, view.clone()));
            Some(rest)
        })
    }

    /// The object as a value of another type that it can be seen as; `None` if it cannot.
    pub(super) fn seen_as(
        &mut self,
        env: &Env,
        object: &tast::Expr,
        wanted: TyConId,
    ) -> Option<tast::Expr> {
        if self.is_object_type(wanted) && self.is_boxed_as_object(object.ty) {
            let boxing = self.prelude_value("box")?;
            let boxing = self.value_expr(&boxing, object.span);
            return Some(self.call_one(boxing, object.clone(), object.span));
        }
        let (con, _) = self.head_con(object.ty)?;
        let way = self.way(con, wanted)?;
        let mut seen = object.clone();
        for (_, view) in way {
            let name = Name { text: view.member, span: object.span };
            seen = self.member_call(env, seen, name)?;
        }
        Some(seen)
    }

    /// A value where one of a known type is wanted, which may be an interface or a class that others inherit.
    pub(in super::super) fn viewed(
        &mut self,
        env: &Env,
        value: &ast::Expr,
        expect: Expect,
    ) -> tast::Expr {
        let wanted = self.head_con(expect.ty).map(|it| it.0);
        let Some(wanted) = wanted.filter(|it| self.is_view_target(*it)) else {
            return self.expr(env, value, expect);
        };
        if self.clef.delegates.contains(wanted)
            && let Some(made) = self.as_delegate(env, value, wanted, expect)
        {
            return made;
        }
        if let Some(branches) = self.viewed_branches(value) {
            return self.expr(env, &branches, expect);
        }
        if self.is_record_of(value, wanted) {
            return self.expr(env, value, expect);
        }
        let ty = self.fresh();
        let typed = self.expr(env, value, Expect::plain(ty));
        let typed = self.seen_as(env, &typed, wanted).unwrap_or(typed);
        if self.expect(expect, typed.ty, value.span) {
            typed
        } else {
            tast::Expr { ty: self.builtins.error, ..typed }
        }
    }

    /// `{ … }` with fields that the type has.
    fn is_record_of(&self, value: &ast::Expr, con: TyConId) -> bool {
        let ExprKind::Record { fields, .. } = &value.kind else { return false };
        let known = self.fields_of(con);
        fields.iter().any(|it| known.iter().any(|own| own.name == it.0.name.text))
    }

    /// `if … then circle else square`, `let x = … in circle`: what it ends in is seen as what is wanted.
    fn viewed_branches(&self, value: &ast::Expr) -> Option<ast::Expr> {
        let span = value.span;
        let part = seen_part;
        let kind = match &value.kind {
            ExprKind::If(cond, then, Some(other)) => {
                ExprKind::If(cond.clone(), Box::new(part(then)), Some(Box::new(part(other))))
            }
            ExprKind::Match(scrutinee, cases) => {
                ExprKind::Match(scrutinee.clone(), seen_cases(cases))
            }
            ExprKind::Try(body, cases) => ExprKind::Try(Box::new(part(body)), seen_cases(cases)),
            ExprKind::Let { recursive, bindings, body } => {
                let bindings = bindings.clone();
                ExprKind::Let { recursive: *recursive, bindings, body: Box::new(part(body)) }
            }
            ExprKind::Aliases(names, body) => {
                ExprKind::Aliases(names.clone(), Box::new(part(body)))
            }
            ExprKind::Sequence(items) => {
                let (last, before) = items.split_last()?;
                ExprKind::Sequence(before.iter().cloned().chain([part(last)]).collect())
            }
            _ => return None,
        };
        Some(super::node(kind, span))
    }

    /// The cases of a function whose result is to be seen as another type.
    pub(in super::super) fn viewed_cases(
        &mut self,
        cases: &[ast::Case],
        result: TypeId,
    ) -> Option<Vec<ast::Case>> {
        let (con, _) = self.head_con(result)?;
        (self.is_clef() && self.is_view_target(con)).then(|| seen_cases(cases))
    }

    /// What the branches above are made of.
    pub(super) fn seen_branch(
        &mut self,
        env: &Env,
        func: &ast::Expr,
        args: &[(ast::ArgLabel, ast::Expr)],
        expect: Expect,
    ) -> Option<tast::Expr> {
        let ExprKind::Ident(path) = &func.kind else { return None };
        let [(_, value)] = args else { return None };
        if path.name.text.origin() != Some(Made::Seen) {
            return None;
        }
        Some(self.viewed(env, value, expect))
    }

    /// `e :> t`
    pub(in super::super) fn clef_upcast(
        &mut self,
        env: &Env,
        (inner, to): (&ast::Expr, &ast::TypeExpr),
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let wanted = self.type_expr(env, to, Vars::Shared);
        let Some((con, _)) = self.head_con(wanted) else {
            let annotated = ExprKind::Annotate(Box::new(inner.clone()), to.clone());
            return self.expr(env, &super::node(annotated, span), expect);
        };
        let typed = if self.is_view_target(con) || self.is_class(con) {
            let ty = self.fresh();
            let typed = self.expr(env, inner, Expect::plain(ty));
            if matches!(self.types.get(typed.ty), Type::Error) {
                return typed;
            }
            match self.seen_as(env, &typed, con) {
                Some(seen) => seen,
                None => return self.no_view(typed.ty, wanted, span),
            }
        } else {
            self.argument(env, inner, Expect::plain(wanted))
        };
        let ok = self.expect(Expect::plain(wanted), typed.ty, span)
            && self.expect(expect, typed.ty, span);
        tast::Expr { ty: if ok { typed.ty } else { self.builtins.error }, ..typed }
    }

    fn no_view(&mut self, from: TypeId, to: TypeId, span: Span) -> tast::Expr {
        let (from, to) = (self.show(from), self.show(to));
        let what = format!("a value of type `{from}` is no `{to}`");
        let report = Diagnostic::error("E0161", what).at(span, "no such conversion").note(
            "a type can be seen as the interfaces that it implements and the classes that it inherits from",
        );
        let reported = self.diagnostics.error(report);
        self.error_expr(reported, span)
    }

    /// Names that stand for other expressions, and what they are used in.
    pub(super) fn with_aliases(
        &mut self,
        env: &Env,
        names: &[(Name, ast::Expr)],
        body: &ast::Expr,
        expect: Expect,
    ) -> tast::Expr {
        let mut inner = env.clone();
        for (name, meaning) in names {
            let ty = self.fresh();
            let ty = self.expr(env, meaning, Expect::plain(ty)).ty;
            let number = self.clef.aliases.len() as u32;
            self.clef.aliases.push(meaning.clone());
            let value = self.mono_value(ValueKind::Alias(number), ty, name.span);
            inner.add_value(name.text, value);
        }
        self.expr(&inner, body, expect)
    }

    /// What a name stands for, if it is such a name.
    pub(in super::super) fn alias_meaning(&self, env: &Env, path: &ast::Path) -> Option<ast::Expr> {
        if path.prefix.is_some() {
            return None;
        }
        match env.value(path.name.text)?.kind {
            ValueKind::Alias(number) => {
                let mut meaning = self.clef.aliases[number as usize].clone();
                meaning.span = path.name.span;
                Some(meaning)
            }
            _ => None,
        }
    }

    /// `x <- e` where `x` stands for a field.
    pub(in super::super) fn assign_alias(
        &mut self,
        env: &Env,
        path: &ast::Path,
        value: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> Option<tast::Expr> {
        let value = Box::new(value.clone());
        let meaning = self.alias_meaning(env, path)?;
        let kind = match meaning.kind {
            ExprKind::Ident(path) => ExprKind::AssignVar(path, value),
            ExprKind::Field(object, field) => {
                let con = env.value(path.name.text).map(|it| it.span);
                if !self.is_mutable_field(env, &object, field.name.text) {
                    let name = path.name.text;
                    let mut report = Diagnostic::error("E0124", format!("`{name}` is not mutable"))
                        .at(path.span(), "cannot be assigned")
                        .help(format!("bind it by `let mutable {name}`"));
                    if let Some(bound) = con.filter(|it| it.file == span.file) {
                        report = report.label(bound, "bound here");
                    }
                    let reported = self.diagnostics.error(report);
                    self.infer_only(env, &value);
                    return Some(self.error_expr(reported, span));
                }
                ExprKind::SetField(object, field, value)
            }
            _ => return None,
        };
        Some(self.expr(env, &super::node(kind, span), expect))
    }

    fn is_mutable_field(&mut self, env: &Env, object: &ast::Expr, field: Symbol) -> bool {
        let ty = self.fresh();
        let ty = self.expr(env, object, Expect::plain(ty)).ty;
        let Some((con, _)) = self.head_con(ty) else { return true };
        self.fields_of(con).iter().any(|it| it.name == field && it.mutable)
    }

    /// The record of an interface with those that the interface inherits from, which the object can be seen as.
    pub(in super::super) fn with_bases(
        &mut self,
        expr: &ast::Expr,
        fields: &[ast::FieldValue],
        expect: Expect,
    ) -> Option<Vec<ast::FieldValue>> {
        let mark = expr.attributes.iter().find(|it| it.is(Mark::Bases))?;
        let span = mark.name.span;
        let (con, _) = self.head_con(expect.ty)?;
        let mut all = fields.to_vec();
        for field in self.fields_of(con).to_vec() {
            if field.role != FieldRole::Base {
                continue;
            }
            let base = self.head_con(field.ty).map(|it| it.0)?;
            // What the block defines of the members that are inherited, and the number of the object.
            let (own, rest): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|it| self.is_inherited_slot(con, base, it.0.name.text));
            all = rest;
            let path = ast::Path::plain(Name { text: field.name, span });
            let value = match mark.payload {
                Some(this) if own.is_empty() => super::ident(Name { text: this, span }),
                _ => {
                    let common = |it: &&ast::FieldValue| {
                        matches!(it.0.name.text.origin(), Some(Made::Number | Made::Behind))
                    };
                    let number = fields.iter().filter(common);
                    let parts = number.chain(&own).cloned().collect();
                    let mut record =
                        super::node(ExprKind::Record { fields: parts, base: None }, span);
                    record.attributes.push(mark.clone());
                    record
                }
            };
            all.push((path, None, value));
        }
        Some(all)
    }

    /// Is this a member of an inherited interface, or of one that that one inherits, and none of the interface itself?
    fn is_inherited_slot(&mut self, con: TyConId, base: TyConId, name: Symbol) -> bool {
        if ast::member_of_field(name).is_none()
            || self.fields_of(con).iter().any(|it| it.name == name)
        {
            return false;
        }
        let fields = self.fields_of(base).to_vec();
        fields.iter().any(|it| it.name == name)
            || fields.iter().filter(|it| it.role == FieldRole::Base).any(|it| {
                let next = self.head_con(it.ty).map(|it| it.0);
                next.is_some_and(|next| self.is_inherited_slot(con, next, name))
            })
    }

    /// The parameters of classes are one type each in all members of a group: what `let`s hold may mention them.
    pub(super) fn open_class_params(&mut self, env: &Env, groups: &[Members]) -> ClassParams {
        let mut params = ClassParams { rigid: Vec::new(), names: Vec::new() };
        for group in groups {
            let Ok(con) = self.lookup_type(env, &group.path) else { continue };
            if !self.is_class(con) {
                continue;
            }
            let targets = self.types.tycons[con].params.clone();
            for (param, target) in group.params.iter().zip(targets) {
                let Some(name) = param.name else { continue };
                if params.names.iter().any(|it| it.0 == name.text) {
                    continue;
                }
                let rigid = self.open_rigid(name.text, name.span);
                let ty = self.types.add(Type::Con(rigid.tycon, Vec::new()));
                params.names.push((name.text, self.clef.class_tyvars.insert(name.text, ty)));
                params.rigid.push((rigid, target));
            }
        }
        params
    }

    /// Behind the group: its functions are generic in the parameters.
    pub(super) fn close_class_params(
        &mut self,
        params: ClassParams,
        env: &mut Env,
        structure: &mut Structure,
        hidden: &[Symbol],
    ) {
        for (name, before) in params.names {
            match before {
                Some(before) => self.clef.class_tyvars.insert(name, before),
                None => self.clef.class_tyvars.remove(&name),
            };
        }
        for (rigid, target) in params.rigid {
            self.close_rigid(rigid, target);
            for name in hidden {
                let Some(ValueKind::Var(var)) = env.value(*name).map(|it| it.kind) else {
                    continue;
                };
                self.types.vars[var].tyvars.push(target);
            }
        }
        for name in hidden {
            let Some(ValueKind::Var(var)) = env.value(*name).map(|it| it.kind) else { continue };
            let value = self.value_of_var(var);
            env.add_value(*name, value.clone());
            structure.values.insert(*name, value);
        }
    }

    /// What the annotations of a member say of its type, before any member of the group is inferred.
    pub(in super::super) fn note_annotations(
        &mut self,
        env: &Env,
        binding: &ast::Binding,
        ty: TypeId,
    ) {
        let ExprKind::Fun(params, result, _) = &binding.value.kind else { return };
        let mark = self.diagnostics.mark();
        let mut rest = ty;
        for param in params {
            let Type::Arrow(_, from, to) = *self.types.get(rest) else { break };
            if let Some(said) = super::recursion::type_of(&param.pattern) {
                let said = self.type_expr(env, &said, Vars::Shared);
                let _ = self.unify(from, said);
            }
            rest = to;
        }
        if let Some(result) = result {
            let said = self.type_expr(env, result, Vars::Shared);
            let _ = self.unify(rest, said);
        }
        // They are reported when the member is inferred.
        self.diagnostics.rollback(mark);
    }
}

fn seen_part(value: &ast::Expr) -> ast::Expr {
    let arg = vec![(ast::ArgLabel::None, value.clone())];
    let seen = super::ident(super::made(Made::Seen, value.span));
    super::node(ExprKind::Apply(Box::new(seen), arg), value.span)
}

fn seen_cases(cases: &[ast::Case]) -> Vec<ast::Case> {
    let case = |it: &ast::Case| ast::Case {
        pattern: it.pattern.clone(),
        guard: it.guard.clone(),
        body: it.body.as_ref().map(seen_part),
    };
    cases.iter().map(case).collect()
}
