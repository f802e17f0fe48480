//! `fun` with its parameters: labels, defaults, locally abstract types.

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::{self, ParamLabel};
use crate::tast::{self, InlineAttribute};
use crate::types::{Label, Type, TypeId, Unknown};

use super::env::Env;
use super::pattern::Bound;
use super::typexpr::Vars;
use super::{Because, Expect, Infer};

impl Infer<'_> {
    #[expect(clippy::too_many_arguments, reason = "the parts of one syntactic form")]
    pub(super) fn function(
        &mut self,
        env: &Env,
        params: &[ast::Param],
        result: Option<&ast::TypeExpr>,
        body: &ast::Expr,
        inline: InlineAttribute,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        self.note_body(body);
        let mut inner = env.clone();
        let mut expected = expect.ty;
        let mut patterns = Vec::new();
        let mut arrows = Vec::new();
        // Bindings of optional parameters with a default, and of names for values made anew, made inside the function.
        let mut defaults = Vec::new();
        let mut rigid = Vec::new();
        // Each named type, and each pattern that tells of types, begins a scope that ends with the function.
        let scope = self.function_scope();
        let mut outside = self.level;
        for param in params {
            if let ParamLabel::Newtype(name) = &param.label {
                if !self.is_clef() {
                    self.enter_level();
                    outside = self.level;
                }
                let one = self.open_rigid(name.text, name.span);
                self.types.tycons[one.tycon].unknown = Unknown::Local;
                inner.add_type(name.text, one.tycon);
                rigid.push(one);
                // What is expected may mention a variable that this type becomes only afterwards.
                expected = self.fresh();
                continue;
            }
            let label = match &param.label {
                ParamLabel::None | ParamLabel::Newtype(_) => Label::None,
                ParamLabel::Labelled(name) => Label::Labelled(name.text),
                ParamLabel::Optional(name, _) => Label::Optional(name.text),
            };
            let expanded = self.types.expand(expected);
            let (param_ty, rest) = match self.types.nodes[expanded] {
                Type::Arrow(other, param, rest) if other == label => (param, rest),
                // Known outside of what patterns hide.
                _ => (self.fresh_at(outside), self.fresh_at(outside)),
            };
            expected = rest;
            let (pattern, bindings) = self.parameter(&mut inner, param, param_ty);
            defaults.extend(bindings);
            patterns.push(tast::Param { pattern, span: param.span });
            arrows.push((label, param_ty));
        }
        let body = match result {
            Some(annotation) => {
                let ty = self.type_expr(&inner, annotation, Vars::Shared);
                let mut body = self.part(
                    &inner,
                    body,
                    Expect { ty, because: Because::Annotation(annotation.span) },
                );
                if !self.expect(Expect::plain(expected), ty, annotation.span) {
                    body.ty = self.builtins.error;
                }
                body.ty = ty;
                body
            }
            None if self.is_clef() => self.viewed(&inner, body, Expect::plain(expected)),
            None => self.expr(&inner, body, Expect::plain(expected)),
        };
        if !matches!(self.types.get(body.ty), Type::Error) {
            params.iter().for_each(|it| self.check_unused_names(&it.pattern, &inner));
        }
        self.leave_function_scope(scope);
        for one in rigid {
            let var = self.fresh();
            self.close_rigid(one, var);
        }
        let result_ty = match result {
            Some(_) => body.ty,
            None => expected,
        };
        self.check_erasable(params, result_ty);
        let ty = arrows
            .iter()
            .rev()
            .fold(result_ty, |result, &(label, param)| self.arrow(label, param, result));
        let body = defaults.into_iter().rev().fold(body, |body, binding| {
            let (ty, span) = (body.ty, body.span);
            tast::Expr {
                kind: tast::ExprKind::Let {
                    as_match: Some(binding.value.span),
                    bindings: vec![binding],
                    body: Box::new(body),
                },
                ty,
                span,
            }
        });
        if patterns.is_empty() {
            self.expect(expect, body.ty, span);
            return body;
        }
        if let ([one], [param]) = (&mut *patterns, params)
            && matches!(param.label, ParamLabel::None)
            && matches!(one.pattern.kind, tast::PatternKind::Tuple(_))
        {
            // OCaml's function of the parts.
            one.span = span;
        }
        self.node(
            tast::ExprKind::Lambda { params: patterns, body: Box::new(body), inline },
            ty,
            span,
            expect,
        )
    }

    /// Warns of optional parameters that no later argument can leave out.
    fn check_erasable(&mut self, params: &[ast::Param], result: TypeId) {
        if self.library || self.is_clef() {
            return;
        }
        let mut ty = result;
        loop {
            ty = self.types.expand(ty);
            match self.types.nodes[ty] {
                Type::Arrow(Label::None, ..) | Type::Var { .. } | Type::Error => return,
                Type::Arrow(_, _, rest) => ty = rest,
                _ => break,
            }
        }
        for param in params.iter().rev() {
            match param.label {
                ParamLabel::None => return,
                ParamLabel::Optional(..) => self.diagnostics.warning(
                    Diagnostic::warning("W0016", "this optional argument cannot be left out")
                        .at(param.pattern.span, "no argument without a label follows it")
                        .help("put a parameter without a label behind it, such as `()`"),
                ),
                ParamLabel::Labelled(_) | ParamLabel::Newtype(_) => (),
            }
        }
    }

    /// The pattern of one parameter, whose names join the scope; behind it, the binding that takes its default, and
    /// those of names that stand for values made anew.
    fn parameter(
        &mut self,
        env: &mut Env,
        param: &ast::Param,
        param_ty: TypeId,
    ) -> (tast::Pattern, Vec<tast::Binding>) {
        let mut bindings = Vec::new();
        let opens = self.may_open(env, &param.pattern) && !self.is_clef();
        if opens {
            self.enter_level();
        }
        let (known, errors) = (self.known_equations(), self.diagnostics.error_count());
        let mut bound = Bound { rebuild: true, ..Bound::default() };
        let pattern = match &param.label {
            ParamLabel::Optional(_, default) => {
                let item = self.fresh();
                let option = self.option_of(item);
                self.expect(Expect::plain(param_ty), option, param.span);
                match default {
                    None => self.pattern(env, &param.pattern, Expect::plain(option), &mut bound),
                    Some(default) => {
                        let var = self.new_var(param_name(&param.label), option, param.span);
                        let bind = self.default_binding(env, param, default, var, item, &mut bound);
                        bindings.push(bind);
                        tast::Pattern {
                            kind: tast::PatternKind::Var(var),
                            ty: option,
                            span: param.span,
                        }
                    }
                }
            }
            _ => self.pattern(env, &param.pattern, Expect::plain(param_ty), &mut bound),
        };
        self.close_rows(&[&pattern]);
        if opens && self.diagnostics.error_count() == errors {
            self.without_equations(known, |cx| cx.cover_pattern(&pattern, param_ty));
        }
        self.add_bound(env, &bound);
        for (var, value) in std::mem::take(&mut bound.rebuilt) {
            let (kind, ty, span) = (tast::PatternKind::Var(var), value.ty, value.span);
            bindings.push(tast::Binding { pattern: tast::Pattern { kind, ty, span }, value });
        }
        (pattern, bindings)
    }

    /// `let pattern = match var with None -> default | Some v -> v`
    pub(super) fn default_binding(
        &mut self,
        env: &Env,
        param: &ast::Param,
        default: &ast::Expr,
        var: oxbow_psg::VarId,
        item: TypeId,
        bound: &mut Bound,
    ) -> tast::Binding {
        let span = param.span;
        let pattern = self.pattern(env, &param.pattern, Expect::plain(item), bound);
        let default = self.expr(env, default, Expect::plain(item));
        let option = self.option_of(item);
        let tycon = self.builtins.option;
        let inner = self.new_var(param_name(&param.label), item, span);
        let pat = |kind, ty| tast::Pattern { kind, ty, span };
        let some = tast::Case {
            pattern: pat(
                tast::PatternKind::Construct {
                    tycon,
                    ctor: 1,
                    args: vec![pat(tast::PatternKind::Var(inner), item)],
                },
                option,
            ),
            guard: None,
            body: tast::Expr {
                kind: tast::ExprKind::Var { var: inner, tyargs: Vec::new() },
                ty: item,
                span,
            },
        };
        let none = tast::Case {
            pattern: pat(tast::PatternKind::Construct { tycon, ctor: 0, args: Vec::new() }, option),
            guard: None,
            body: default,
        };
        let scrutinee = Box::new(tast::Expr {
            kind: tast::ExprKind::Var { var, tyargs: Vec::new() },
            ty: option,
            span,
        });
        let kind =
            tast::ExprKind::Match { scrutinee, cases: vec![none, some], exceptions: Vec::new() };
        tast::Binding { pattern, value: tast::Expr { kind, ty: item, span } }
    }
}

pub(super) fn param_name(label: &ParamLabel) -> Symbol {
    match label {
        ParamLabel::Labelled(name) | ParamLabel::Optional(name, _) | ParamLabel::Newtype(name) => {
            name.text
        }
        ParamLabel::None => Symbol::new("arg"),
    }
}
