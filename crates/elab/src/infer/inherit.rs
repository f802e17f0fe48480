//! Inheritance: the bodies of other classes as parts of an object.
//!
//! ```text
//! inherit c 1 e as super        let y = e in let x = 1 in …       the parameters of c, then its body
//! ```
//!
//! A class behind a signature keeps the instance variables and private methods that the signature does not tell of:
//! their names mean nothing to those who inherit.

use std::collections::VecDeque;
use std::rc::Rc;

use oxbow_base::{Span, Symbol};
use oxbow_diag::{Diagnostic, Reported};
use oxbow_psg::VarId;

use crate::ast::{self, ClassExpr, ClassExprKind, Name, ParamLabel};
use crate::tast::{self, ExprKind};
use crate::types::{TyConId, Type, TypeId};

use super::class::{FoundClass, no_parameters};
use super::class_body::{Argument, Method, Parts};
use super::env::Env;
use super::pattern::Bound;
use super::typexpr::Vars;
use super::{Expect, Infer};

impl Infer<'_> {
    /// Classes and class types are defined in the order of the text.
    pub(super) fn check_inheritable(
        &mut self,
        tycon: TyConId,
        name: Symbol,
        span: Span,
    ) -> Result<(), Reported> {
        if !self.classes.pending.contains(&tycon) {
            return Ok(());
        }
        let report = Diagnostic::error("E0198", format!("`{name}` is not completely defined here"))
            .at(span, "nothing can inherit from it before its definition ends")
            .help(format!("move the definition of `{name}` up"));
        Err(self.diagnostics.error(report))
    }

    /// The body of a class as a part of the open object.
    pub(super) fn class_into(
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
                let Some(found) = self.lookup_class(env, path) else { return };
                let info = match found {
                    FoundClass::Whole(info) => info,
                    FoundClass::Described(tycon) => {
                        return self.inherit_described(env, (path, tycon), types, args, class.span);
                    }
                };
                if matches!(self.types.get(self.types.vars[info.var].ty), Type::Error) {
                    self.open_object().is_broken = true;
                    return;
                }
                if self.classes.inheriting.contains(&info.var) {
                    // Each class of a cycle leads to it, but it is one.
                    if self.diagnostics.has_error_within(info.body.span) {
                        return;
                    }
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
                let known = self.known_class(&info, &types);
                let place = self.classes.inherit_place;
                self.classes.inherit_place = place.or(Some(class.span));
                let outer = std::mem::replace(&mut self.classes.known_params, known.0);
                self.classes.inheriting.push(info.var);
                let seal = self.seal_of(env, path, &info);
                let sealed = seal.is_some();
                self.classes.seals.extend(seal);
                let errors = self.diagnostics.error_count();
                self.copying(class.span, |cx| cx.class_into(&info.env, &info.body, args, parts));
                // A cycle has been reported as one.
                if self.diagnostics.error_count() == errors {
                    let _ = self.check_inheritable(info.tycon, path.name.text, class.span);
                }
                if sealed {
                    self.classes.seals.pop();
                }
                self.classes.inheriting.pop();
                self.classes.known_params = outer;
                self.classes.inherit_place = place;
                if let Some(made) = known.1 {
                    self.known_methods(made, class.span);
                }
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
            ClassExprKind::Open(module, body) => {
                let inner = self.opened_in_class(env, module);
                self.class_into(&inner, body, args, parts);
            }
            ClassExprKind::Error(_) => (),
        }
    }

    /// The instance variables of the open object that have values, if its class is the one that the user writes here.
    pub(super) fn defined_variables(&mut self) -> Vec<(Symbol, VarId)> {
        if self.classes.inherit_place.is_some() || self.library {
            return Vec::new();
        }
        let fields = self.open_object().fields.iter();
        fields.filter_map(|it| Some((it.name, it.value?))).collect()
    }

    /// Variables that have another value than before, without `!`.
    pub(super) fn warn_of_overridden(&mut self, before: &[(Symbol, VarId)], span: Span) {
        if self.diagnostics.has_error_within(span) {
            return;
        }
        let now = &self.open_object().fields;
        let has_changed = |&&(name, value): &&(Symbol, VarId)| {
            now.iter().any(|it| it.name == name && it.value.is_some_and(|it| it != value))
        };
        let changed: Vec<Symbol> = before.iter().filter(has_changed).map(|it| it.0).collect();
        let names: Vec<String> = changed.iter().map(|it| format!("`{it}`")).collect();
        let (what, verb, it) = match names.len() {
            0 => return,
            1 => ("variable", "is", "it has"),
            _ => ("variables", "are", "they have"),
        };
        let text = format!("the instance {what} {} {verb} overridden", names.join(", "));
        self.diagnostics.warning(
            Diagnostic::warning("W0013", text)
                .at(span, format!("{it} a value before"))
                .help("write `val!` or `inherit!` if that is meant"),
        );
    }

    /// What is known of a complete class: the types of its parameters, and the type of its objects.
    fn known_class(
        &mut self,
        info: &super::class::ClassInfo,
        types: &[(TypeId, Span)],
    ) -> (VecDeque<TypeId>, Option<TypeId>) {
        let mut params = VecDeque::new();
        // Parameters that are not any types may mention the objects of the class, which are others here.
        let of_class = self.types.tycons[info.tycon].params.iter();
        let are_any = of_class.clone().all(|&it| matches!(self.types.get(it), Type::Var { .. }));
        if !self.classes.complete.contains(info.var) || !are_any {
            return (params, None);
        }
        let value = self.value_of_var(info.var);
        let mut made = self.instantiate(&value).0;
        while let Type::Arrow(label, param, result) = *self.types.get(made) {
            if label != no_parameters() {
                params.push_back(param);
            }
            made = result;
        }
        let Type::Con(_, args) = self.types.get(made).clone() else { return (params, None) };
        for (&arg, &(ty, span)) in args.iter().zip(types) {
            self.expect(Expect::plain(arg), ty, span);
        }
        (params, Some(made))
    }

    /// The methods of an inherited class have the types that they have there, with `self` for its objects.
    fn known_methods(&mut self, made: TypeId, span: Span) {
        let Some((at, row)) = self.object_row(made) else { return };
        let self_ty = self.open_object().self_ty;
        let row = row.map(|it| self.types.substitute(it, &[at], &[self_ty]));
        for (text, tag) in row.tags {
            let method = self.open_object().methods.iter().find(|it| it.name == text);
            let Some(own) = method.map(|it| it.tag.clone()) else { continue };
            if self.same_method(&own, &tag).is_err() {
                self.method_mismatch(Name { text, span }, &own, &tag);
            }
        }
    }

    /// The outermost inheritance whose class hides this name.
    pub(super) fn hidden_by(&self, name: Symbol) -> Option<u32> {
        self.classes.seals.iter().rev().find(|it| !it.1.contains(&name)).map(|it| it.0)
    }

    /// What a signature between here and the class leaves visible of it.
    pub(super) fn seal_of(
        &mut self,
        env: &Env,
        path: &ast::Path,
        info: &super::class::ClassInfo,
    ) -> Option<(u32, Rc<[Symbol]>)> {
        let tycon = self.type_of_class(env, path)?;
        if tycon == info.tycon {
            return None;
        }
        let visible = self.classes.tycons.get(tycon)?.clone();
        self.classes.last_seal += 1;
        Some((self.classes.last_seal, visible))
    }

    /// Inheritance from a class of which a functor's parameter tells the type only: its methods are taken to be there.
    pub(super) fn inherit_described(
        &mut self,
        env: &Env,
        (path, tycon): (&ast::Path, crate::types::TyConId),
        types: &[ast::TypeExpr],
        args: Vec<Argument>,
        span: Span,
    ) {
        if !self.checking {
            let construct = "inheritance from a class of which only the type is known";
            self.not_supported(path.span(), construct);
            return;
        }
        for (_, arg, scope) in &args {
            self.infer_only(scope, arg);
        }
        let types = types.iter().map(|it| self.type_expr(env, it, Vars::Shared)).collect();
        let named = self.types.add(Type::Con(tycon, types));
        let Some((at, row)) = self.object_row(named) else { return };
        let self_ty = self.open_object().self_ty;
        let row = row.map(|it| self.types.substitute(it, &[at], &[self_ty]));
        for (text, tag) in row.tags {
            let name = Name { text, span };
            let known = self.open_object().methods.iter().position(|it| it.name == text);
            let tag = self.publish(name, &tag);
            let ty = self.fresh();
            let function = Some(self.new_var(text, ty, span));
            match known {
                Some(at) => self.open_object().methods[at].function = function,
                None => {
                    let (private, hidden) = (false, None);
                    let method = Method { name: text, tag, private, hidden, function, span };
                    self.open_object().methods.push(method);
                }
            }
        }
    }

    /// Binds the parameters of an inherited class: the arguments from the last to the first, as calls do, then the
    /// patterns.
    pub(super) fn class_arguments(
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
            let known = match param.label {
                ParamLabel::Newtype(_) => None,
                _ => self.classes.known_params.pop_front(),
            };
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
                if let Some(known) = known {
                    let _ = self.unify(known, option);
                }
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
                        .at(self.classes.inherit_place.unwrap_or(span), "arguments are missing")
                        .label(param.span, "there is none for this parameter"),
                );
                return false;
            };
            if let Some(known) = known {
                let _ = self.unify(known, ty);
            }
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

    pub(super) fn let_var(&mut self, var: VarId, value: tast::Expr) -> tast::Binding {
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

    pub(super) fn option_value(
        &mut self,
        value: Option<tast::Expr>,
        ty: TypeId,
        span: Span,
    ) -> tast::Expr {
        let (tycon, ctor) = (self.builtins.option, u32::from(value.is_some()));
        let args = value.into_iter().collect();
        tast::Expr { kind: ExprKind::Construct { tycon, ctor, args }, ty, span }
    }
}
