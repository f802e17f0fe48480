//! The forms of expressions that have no file of their own.

use std::borrow::Cow;
use std::rc::Rc;

use oxbow_base::Span;
use oxbow_diag::Diagnostic;

use super::desugar::{
    is_exception_pattern, mentions_exception, own_list, split_case, strip_exception,
};
use super::env::{Env, Module, Structure};
use super::expr::with_items;
use super::pattern::Bound;
use super::typexpr::Vars;
use super::{Because, Expect, Infer};
use crate::ast::{self, Constant, ExprKind};
use crate::tast::{self, InlineAttribute};
use crate::types::{Label, TyConId, Type, TypeId};

impl Infer<'_> {
    pub(super) fn constant_expr(
        &mut self,
        env: &Env,
        constant: &Constant,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        if let Constant::String(text) = constant
            && self.is_format(expect.ty)
        {
            return self.format_literal(env, text, span, expect);
        }
        if let Constant::String(text) = constant
            && self.is_clef_format(expect.ty)
        {
            return self.clef_format(env, text, span, expect);
        }
        if let Constant::Float32(value) = constant {
            return self.float32_literal(*value, span, expect);
        }
        let ty = self.constant_type(constant);
        self.node(tast::ExprKind::Constant(constant.clone()), ty, span, expect)
    }

    /// `[a; b]`, whose constructors may be the user's.
    pub(super) fn any_list(
        &mut self,
        env: &Env,
        items: &[ast::Expr],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        if self.is_own_list(env, expect.ty) {
            return self.own_list_expr(env, items, span, expect);
        }
        self.list_expr(env, items, span, expect)
    }

    /// A list in brackets whose constructors are those of a type of the program.
    fn own_list_expr(
        &mut self,
        env: &Env,
        items: &[ast::Expr],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let list = own_list(
            items,
            span,
            |path, arg| {
                let kind = ExprKind::Construct(path, arg.map(Box::new));
                ast::Expr { kind, span, attributes: Vec::new() }
            },
            |items| ast::Expr { kind: ExprKind::Tuple(items), span, attributes: Vec::new() },
        );
        self.expr(env, &list, expect)
    }

    /// Its elements are arguments of constructors, where optional parameters may be left out.
    fn list_expr(
        &mut self,
        env: &Env,
        items: &[ast::Expr],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let list = self.builtins.list;
        let (items, ty) = self.collection(env, (list, items), Self::part, span, expect);
        tast::Expr { kind: tast::ExprKind::List(items), ty, span }
    }

    pub(super) fn array_expr(
        &mut self,
        env: &Env,
        items: &[ast::Expr],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let array = self.builtins.array;
        let element = if self.is_clef() { Self::viewed } else { Self::expr };
        let (items, ty) = self.collection(env, (array, items), element, span, expect);
        tast::Expr { kind: tast::ExprKind::Array(items), ty, span }
    }

    /// Elements of one type, and the type of all of them together.
    fn collection(
        &mut self,
        env: &Env,
        (tycon, items): (TyConId, &[ast::Expr]),
        element: impl Fn(&mut Self, &Env, &ast::Expr, Expect) -> tast::Expr,
        span: Span,
        expect: Expect,
    ) -> (Vec<tast::Expr>, TypeId) {
        let item = self.fresh();
        let ty = self.types.add(Type::Con(tycon, vec![item]));
        let ok = self.expect(expect, ty, span);
        let items = self.elements(env, items, item, element);
        (items, if ok { ty } else { self.builtins.error })
    }

    pub(super) fn tuple_expr(
        &mut self,
        env: &Env,
        items: &[ast::Expr],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let expected = self.types.expand(expect.ty);
        let types = match &self.types.nodes[expected] {
            Type::Tuple(types) if types.len() == items.len() => types.clone(),
            _ => items.iter().map(|_| self.fresh()).collect(),
        };
        let parts = items
            .iter()
            .zip(&types)
            .map(|(it, &ty)| self.viewed(env, it, Expect::plain(ty)))
            .collect();
        let ty = self.types.add(Type::Tuple(types));
        self.node(tast::ExprKind::Tuple(parts), ty, span, expect)
    }

    /// `function` with its cases.
    pub(super) fn function_expr(
        &mut self,
        env: &Env,
        (keyword, cases, inline): (Span, &[ast::Case], InlineAttribute),
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let (param, result) = self.split_arrow(expect.ty);
        let viewed = self.viewed_cases(cases, result);
        let cases = viewed.as_deref().unwrap_or(cases);
        let cases = self.cases(env, cases, param, result, Because::Plain);
        let ty = self.arrow(Label::None, param, result);
        // A function of a tuple is OCaml's function of the parts, unless it is a part of another.
        let is_tuple = matches!(cases.first(), Some(it) if matches!(it.pattern.kind, tast::PatternKind::Tuple(_)));
        let failure = if is_tuple && !self.scopes.parts.contains(&span) { span } else { keyword };
        let kind = tast::ExprKind::Function { keyword, failure, cases, param_ty: param, inline };
        self.node(kind, ty, span, expect)
    }

    pub(super) fn let_expr(
        &mut self,
        env: &Env,
        (recursive, bindings, body): (bool, &[ast::Binding], &ast::Expr),
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let mut inner = env.clone();
        let saved_level = self.named_level;
        let errors = self.diagnostics.error_count();
        let kind = self.bindings(&mut inner, None, recursive, bindings);
        let body = self.expr(&inner, body, expect);
        if self.diagnostics.error_count() == errors {
            self.check_unused(bindings, &inner);
        }
        self.named_level = saved_level;
        let ty = body.ty;
        let body = Box::new(body);
        let kind = match kind {
            tast::ItemKind::Let(typed) => {
                let as_match = is_match(bindings).then_some(span);
                tast::ExprKind::Let { bindings: typed, as_match, body }
            }
            tast::ItemKind::LetRec(bindings) => tast::ExprKind::LetRec { bindings, body },
            tast::ItemKind::Eval(first) => tast::ExprKind::Sequence(vec![first, *body]),
        };
        tast::Expr { kind, ty, span }
    }

    pub(super) fn match_expr(
        &mut self,
        env: &Env,
        scrutinee: &ast::Expr,
        cases: &[ast::Case],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let ty = self.fresh();
        let scrutinee = self.expr(env, scrutinee, Expect::plain(ty));
        // Cases may stand in cases: they are copied only where a copy is needed.
        let (exceptions, cases) = if cases.iter().any(|it| mentions_exception(&it.pattern)) {
            let split = cases.iter().flat_map(split_case);
            let (exceptions, values): (Vec<_>, Vec<_>) =
                split.partition(|it| is_exception_pattern(&it.pattern));
            (exceptions, Cow::Owned(values))
        } else {
            (Vec::new(), Cow::Borrowed(cases))
        };
        if cases.is_empty() && !exceptions.is_empty() {
            self.diagnostics.error(
                Diagnostic::error("E0133", "no case of this `match` is for values")
                    .at(exceptions[0].pattern.span, "matches exceptions only")
                    .help("add a case for values, or use `try … with`"),
            );
        }
        let ty = if matches!(self.types.get(scrutinee.ty), Type::Error) {
            self.fresh()
        } else {
            scrutinee.ty
        };
        let cases = self.cases(env, &cases, ty, expect.ty, expect.because);
        let exceptions: Vec<_> = exceptions.into_iter().map(strip_exception).collect();
        let exn = self.builtins.exn;
        let exceptions = self.cases(env, &exceptions, exn, expect.ty, expect.because);
        let kind = tast::ExprKind::Match { scrutinee: Box::new(scrutinee), cases, exceptions };
        tast::Expr { kind, ty: expect.ty, span }
    }

    pub(super) fn try_expr(
        &mut self,
        env: &Env,
        body: &ast::Expr,
        cases: &[ast::Case],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let body = Box::new(self.expr(env, body, expect));
        let exn = self.builtins.exn;
        let cases = self.cases(env, cases, exn, expect.ty, Because::Branch(body.span));
        tast::Expr { kind: tast::ExprKind::Try { body, cases }, ty: expect.ty, span }
    }

    pub(super) fn if_expr(
        &mut self,
        env: &Env,
        (cond, then, otherwise): (&ast::Expr, &ast::Expr, Option<&ast::Expr>),
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let bool = self.builtins.bool;
        let cond = Box::new(self.expr(env, cond, Expect { ty: bool, because: Because::Condition }));
        let (then, otherwise) = match otherwise {
            Some(otherwise) => {
                let then = self.expr(env, then, expect);
                let expect = Expect { ty: expect.ty, because: Because::Branch(then.span) };
                (then, Some(Box::new(self.expr(env, otherwise, expect))))
            }
            None => {
                let unit = self.builtins.unit;
                let because = Because::NoElse(span);
                let before = self.diagnostics.error_count();
                let branch = self.expr(env, then, Expect { ty: unit, because });
                if self.diagnostics.error_count() == before {
                    self.expect(expect, unit, span);
                }
                (branch, None)
            }
        };
        tast::Expr {
            kind: tast::ExprKind::If { cond, then: Box::new(then), otherwise },
            ty: expect.ty,
            span,
        }
    }

    pub(super) fn sequence_expr(
        &mut self,
        env: &Env,
        items: &[ast::Expr],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let Some((last, before)) = items.split_last() else {
            let unit = self.builtins.unit;
            return self.node(tast::ExprKind::Unit, unit, span, expect);
        };
        let mut parts: Vec<_> = before.iter().map(|it| self.statement(env, it)).collect();
        let last = self.expr(env, last, expect);
        let ty = last.ty;
        parts.push(last);
        tast::Expr { kind: tast::ExprKind::Sequence(parts), ty, span }
    }

    pub(super) fn while_expr(
        &mut self,
        env: &Env,
        cond: &ast::Expr,
        body: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let (bool, unit) = (self.builtins.bool, self.builtins.unit);
        let cond = Box::new(self.expr(env, cond, Expect { ty: bool, because: Because::Condition }));
        let body = Box::new(self.statement(env, body));
        self.node(tast::ExprKind::While { cond, body }, unit, span, expect)
    }

    pub(super) fn for_expr(
        &mut self,
        env: &Env,
        (index, from, to, down): (&ast::Pattern, &ast::Expr, &ast::Expr, bool),
        body: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let int = if self.is_clef() { self.builtins.int32 } else { self.builtins.int };
        let unit = self.builtins.unit;
        let from = Box::new(self.expr(env, from, Expect::plain(int)));
        let to = Box::new(self.expr(env, to, Expect::plain(int)));
        let mut inner = env.clone();
        let mut bound = Bound::default();
        let pattern = self.pattern(env, index, Expect::plain(int), &mut bound);
        self.add_bound(&mut inner, &bound);
        let var = match pattern.kind {
            tast::PatternKind::Var(var) => Some(var),
            _ => None,
        };
        let body = Box::new(self.statement(&inner, body));
        self.check_index(index, var);
        self.node(tast::ExprKind::For { var, from, to, down, body }, unit, span, expect)
    }

    pub(super) fn field_expr(
        &mut self,
        env: &Env,
        object: &ast::Expr,
        path: &ast::Path,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let Some((object, tycon, index, ty)) = self.field_access(env, object, path) else {
            return self.failed(span);
        };
        let record = self.record_ref(tycon);
        let kind = tast::ExprKind::Field { object: Box::new(object), record, index };
        self.node(kind, ty, span, expect)
    }

    pub(super) fn set_field_expr(
        &mut self,
        env: &Env,
        (object, path): (&ast::Expr, &ast::Path),
        value: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        if self.is_clef()
            && let Some(path) = self.module_variable(env, object, path)
        {
            return self.assign_var(env, &path, value, span, expect);
        }
        if self.is_clef()
            && let Some(done) = self.set_property(env, object, path, value, span, expect)
        {
            return done;
        }
        let slot = if self.is_clef() { self.slot_object(env, object, path) } else { None };
        let object = slot.as_ref().unwrap_or(object);
        let Some((object, tycon, index, ty)) = self.field_access(env, object, path) else {
            // What overrides nothing is looked at as a member.
            if ast::member_of_field(path.name.text).is_none() {
                self.infer_only(env, value);
            }
            return self.failed(span);
        };
        let field = (tycon, object.ty, index);
        let value = Box::new(self.field_value(env, value, field, Expect::plain(ty)));
        if !self.fields_of(tycon)[index as usize].mutable {
            let declared = self.fields_of(tycon)[index as usize].span;
            let name = path.name.text;
            let copied = self.is_struct_field(tycon, name);
            let what = match copied {
                true => format!("field `{name}` of a copy would be assigned"),
                false => format!("field `{name}` is not mutable"),
            };
            let report = Diagnostic::error("E0123", what);
            let mut diagnostic = match copied {
                true => report
                    .at(path.span(), "nobody sees the change")
                    .note("a property, an indexer or a call gives a copy of the struct")
                    .help("change a `let mutable` copy, and put it back as a whole"),
                false => report.at(path.span(), "cannot be assigned").help(format!(
                    "declare it `mutable {name}`, or make a new record: `{{ r with {name} = … }}`"
                )),
            };
            if !copied && declared.file == span.file {
                diagnostic = diagnostic.label(declared, "declared here");
            }
            self.diagnostics.error(diagnostic);
        }
        let named = self.named_record(env, path, tycon);
        if self.types.tycons[named].private {
            let name = self.types.tycons[named].path.clone();
            self.diagnostics.error(
                Diagnostic::error(
                    "E0132",
                    format!("a field of the private type `{name}` cannot be assigned"),
                )
                .at(path.span(), "only the module that defines the type may do this"),
            );
        }
        let record = self.record_ref(tycon);
        let unit = self.builtins.unit;
        let kind = tast::ExprKind::SetField { object: Box::new(object), record, index, value };
        self.node(kind, unit, span, expect)
    }

    pub(super) fn annotate_expr(
        &mut self,
        env: &Env,
        inner: &ast::Expr,
        annotation: &ast::TypeExpr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let ty = self.type_expr(env, annotation, Vars::Shared);
        // One that the compiler made up stands where the value does.
        let because = match annotation.span == inner.span {
            true => Because::Plain,
            false => Because::Annotation(annotation.span),
        };
        let mut inner = self.argument(env, inner, Expect { ty, because });
        if !self.expect(expect, ty, span) {
            inner.ty = self.builtins.error;
        }
        inner
    }

    pub(super) fn assert_expr(
        &mut self,
        env: &Env,
        cond: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let is_false = matches!(&cond.kind, ExprKind::Construct(path, None)
            if path.prefix.is_none() && path.name.text.as_str() == "false");
        if is_false {
            return tast::Expr { kind: tast::ExprKind::AssertFalse, ty: expect.ty, span };
        }
        let (bool, unit) = (self.builtins.bool, self.builtins.unit);
        let cond = self.expr(env, cond, Expect { ty: bool, because: Because::Condition });
        self.node(tast::ExprKind::Assert(Box::new(cond)), unit, span, expect)
    }

    pub(super) fn open_expr(
        &mut self,
        env: &Env,
        module: &ast::ModuleExpr,
        body: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let mut inner = env.clone();
        self.in_local_scope(|cx| {
            let unknown = cx.unknown_opened;
            let items = cx.local_items(|cx| {
                let opened = cx.module_expr(env, module);
                match cx.as_structure(&opened, span) {
                    Ok(_) => cx.open_noted(&mut inner, module, &opened),
                    Err(_) => cx.unknown_opened = true,
                }
            });
            let body = cx.expr(&inner, body, expect);
            cx.unknown_opened = unknown;
            with_items(items, body, span)
        })
    }

    pub(super) fn let_exception_expr(
        &mut self,
        env: &Env,
        decl: &ast::ExceptionDecl,
        body: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let mut inner = env.clone();
        let exn = self.exception(&mut inner, &mut Structure::default(), decl);
        if let Some(exn) = exn {
            self.note_hidden_extension(exn, decl.name.text);
        }
        let number = exn.and_then(|it| self.number_exception(it, decl.name.span));
        let body = self.expr(&inner, body, expect);
        with_items(number.into_iter().collect(), body, span)
    }

    pub(super) fn let_module_expr(
        &mut self,
        env: &Env,
        (name, module): (ast::Name, &ast::ModuleExpr),
        body: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let mut inner = env.clone();
        self.in_local_scope(|cx| {
            let items = cx.local_items(|cx| {
                cx.path.push(name.text.as_str().into());
                cx.note_scope(module.span, name.text.as_str());
                let made = cx.module_expr(env, module);
                cx.path.pop();
                if matches!(module.kind, ast::ModuleExprKind::Structure(_)) {
                    cx.note_left_out(&made, &Module::Structure(Rc::default()), module.span);
                }
                inner.add_module(name.text, made);
            });
            let body = cx.expr(&inner, body, expect);
            with_items(items, body, span)
        })
    }
}

/// OCaml treats `let C x = e in …` as a `match`, if the binding has no attributes.
fn is_match(bindings: &[ast::Binding]) -> bool {
    match bindings {
        [one] => one.pattern.has_constructor() && one.attributes.is_empty(),
        _ => false,
    }
}
