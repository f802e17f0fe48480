//! Patterns.

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::VarId;

use crate::ast::{self, Constant, PatternKind};
use crate::tast;
use crate::types::{TyConId, Type, TypeId};

use super::desugar::own_list;
use super::env::{Env, Module, ValueKind};
use super::record::FieldSet;
use super::typexpr::Vars;
use super::{Because, Expect, Infer};

/// The variables that a pattern binds.
#[derive(Default, Clone)]
pub struct Bound {
    pub vars: Vec<(Symbol, VarId)>,
    /// May a name stand for a value made anew? Only where the code behind the pattern can make it.
    pub rebuild: bool,
    /// The guard of a case needs the value, too: it is made twice.
    pub guarded: bool,
    pub rebuilt: Vec<(VarId, tast::Expr)>,
    /// Names for types that constructors hide.
    pub types: Vec<(Symbol, TyConId)>,
    /// Modules that have been unpacked.
    pub modules: Vec<(Symbol, Module)>,
    /// The type of what a case matches: a row `[< … ]` that a use decides. A tag that it excludes is no mistake, but
    /// the case is never reached.
    pub row: Option<TypeId>,
}

impl Bound {
    fn find(&self, name: Symbol) -> Option<VarId> {
        self.vars.iter().find(|it| it.0 == name).map(|it| it.1)
    }
}

impl Infer<'_> {
    fn constant_pattern(
        &mut self,
        constant: &Constant,
        span: Span,
        expect: Expect,
    ) -> (TypeId, tast::PatternKind) {
        if let Constant::Float32(_) = constant {
            let reported = self.not_supported(span, "patterns that are `float32` numbers");
            return (expect.ty, tast::PatternKind::Error(reported));
        }
        let ty = self.constant_type(constant);
        self.expect(expect, ty, span);
        (ty, tast::PatternKind::Constant(constant.clone()))
    }

    pub(super) fn pattern(
        &mut self,
        env: &Env,
        pattern: &ast::Pattern,
        expect: Expect,
        bound: &mut Bound,
    ) -> tast::Pattern {
        let typed = self.pattern_kind(env, pattern, expect, bound);
        self.note_type(pattern.span, typed.ty);
        typed
    }

    fn pattern_kind(
        &mut self,
        env: &Env,
        pattern: &ast::Pattern,
        expect: Expect,
        bound: &mut Bound,
    ) -> tast::Pattern {
        let span = pattern.span;
        let mut ty = expect.ty;
        let kind = match &pattern.kind {
            PatternKind::Any => tast::PatternKind::Any,
            PatternKind::Var(name) => {
                tast::PatternKind::Var(self.bind_var(name.text, ty, name.span, bound))
            }
            PatternKind::Alias(inner, name) => {
                if let PatternKind::TypeTest(ty) = &inner.kind
                    && let Some(test) = self.class_test(env, ty, Some(*name), span, (expect, bound))
                {
                    return test;
                }
                let typed = self.pattern(env, inner, expect, bound);
                self.alias((inner, typed), *name, bound)
            }
            PatternKind::Constant(constant) => {
                let (own, kind) = self.constant_pattern(constant, span, expect);
                ty = own;
                kind
            }
            PatternKind::Measured(constant, unit) => {
                return self.measured_pattern(env, (constant, unit), span, expect);
            }
            PatternKind::Range(low, high) => return self.range_pattern(low, high, span, expect),
            PatternKind::Tuple(items) => {
                let types: Vec<_> = items.iter().map(|_| self.fresh()).collect();
                ty = self.types.add(Type::Tuple(types.clone()));
                self.expect(expect, ty, span);
                let items = items
                    .iter()
                    .zip(types)
                    .map(|(it, ty)| self.pattern(env, it, Expect::plain(ty), bound))
                    .collect();
                tast::PatternKind::Tuple(items)
            }
            PatternKind::LabelledTuple { items, open } => {
                return self.labelled_pattern(env, (items, *open), span, (expect, bound));
            }
            PatternKind::ConstructMany(path, args) => {
                return self.many_pattern(env, path, args, span, expect, bound);
            }
            PatternKind::ConstructTypes(path, names, arg) => {
                return self.construct_types(env, (path, names, arg), span, expect, bound);
            }
            PatternKind::TypeTest(ty) => {
                if let Some(test) = self.class_test(env, ty, None, span, (expect, bound)) {
                    return test;
                }
                return self.type_test(env, ty, span, expect);
            }
            PatternKind::Unpack(name, package) => {
                self.unpack_pattern(env, (*name, package.as_ref()), span, expect, bound)
            }
            PatternKind::Construct(path, arg) => {
                return self.construct_pattern(env, path, arg.as_deref(), span, expect, bound);
            }
            PatternKind::List(items) if self.is_own_list(env, expect.ty) => {
                return self.own_list_pattern(env, items, span, expect, bound);
            }
            PatternKind::List(items) => {
                return self.list_pattern(env, items, span, expect, bound);
            }
            PatternKind::Record { fields, open_row } => {
                let typed = self.record_pattern(env, fields, span, expect, bound);
                return self.all_fields(typed, *open_row);
            }
            PatternKind::Array(items) => {
                let item = self.fresh();
                let array = self.builtins.array;
                ty = self.types.add(Type::Con(array, vec![item]));
                self.expect(expect, ty, span);
                let part = |it| self.pattern(env, it, Expect::plain(item), bound);
                tast::PatternKind::Array(items.iter().map(part).collect())
            }
            PatternKind::Or(left, right) => {
                self.or_pattern(env, (left, right), span, expect, bound)
            }
            PatternKind::Annotate(inner, annotation) => {
                let annotated = self.type_expr(env, annotation, Vars::Shared);
                self.expect(expect, annotated, span);
                let expect =
                    Expect { ty: annotated, because: Because::Annotation(annotation.span) };
                return self.pattern(env, inner, expect, bound);
            }
            PatternKind::Lazy(inner) => {
                return self.lazy_pattern(env, inner, span, expect, bound);
            }
            PatternKind::Exception(_) => {
                let text = "`exception` patterns stand at the top of a `match` case only";
                let error = Diagnostic::error("E0116", text).at(span, "not allowed here");
                tast::PatternKind::Error(self.diagnostics.error(error))
            }
            PatternKind::Open(path, inner) => {
                let mut env = env.clone();
                if let Ok(module) = self.lookup_module(&env, path) {
                    env.open(&module);
                    self.note_open(&mut env, path.span(), &module);
                }
                return self.pattern(&env, inner, expect, bound);
            }
            PatternKind::Variant(tag, arg) => {
                return self.variant_pattern(env, *tag, arg.as_deref(), span, expect, bound);
            }
            PatternKind::VariantType(path) => {
                return self.variant_type_pattern(env, path, span, (expect, bound));
            }
            PatternKind::Error(reported) => tast::PatternKind::Error(*reported),
        };
        tast::Pattern { kind, ty, span }
    }

    fn range_pattern(
        &mut self,
        low: &Constant,
        high: &Constant,
        span: Span,
        expect: Expect,
    ) -> tast::Pattern {
        if let (&Constant::Char(low), &Constant::Char(high)) = (low, high) {
            let ty = self.builtins.char;
            self.expect(expect, ty, span);
            let kind = tast::PatternKind::CharRange(low.min(high), low.max(high));
            return tast::Pattern { kind, ty, span };
        }
        let reported = self
            .diagnostics
            .error(Diagnostic::error("E0115", "a range pattern takes two characters").at(span, ""));
        tast::Pattern { kind: tast::PatternKind::Error(reported), ty: expect.ty, span }
    }

    /// `C (type a) (p : t)`
    fn construct_types(
        &mut self,
        env: &Env,
        (path, names, arg): (&ast::Path, &[ast::Name], &ast::Pattern),
        span: Span,
        expect: Expect,
        bound: &mut Bound,
    ) -> tast::Pattern {
        let parts = (path, names, arg);
        let Some((ctor, instance, inner)) =
            self.named_types_pattern(env, parts, span, expect, bound)
        else {
            let ty = self.builtins.error;
            self.pattern(env, arg, Expect::plain(ty), bound);
            return self.error_pattern(span);
        };
        let arg = match &arg.kind {
            PatternKind::Annotate(arg, _) => arg,
            _ => arg,
        };
        self.opened_pattern(&inner, (ctor, instance), path, Some(arg), span, bound)
    }

    /// A list in brackets whose constructors are those of a type of the program.
    fn own_list_pattern(
        &mut self,
        env: &Env,
        items: &[ast::Pattern],
        span: Span,
        expect: Expect,
        bound: &mut Bound,
    ) -> tast::Pattern {
        let list = own_list(
            items,
            span,
            |path, arg| {
                let kind = PatternKind::Construct(path, arg.map(Box::new));
                ast::Pattern { kind, span }
            },
            |items| ast::Pattern { kind: PatternKind::Tuple(items), span },
        );
        self.pattern(env, &list, expect, bound)
    }

    fn list_pattern(
        &mut self,
        env: &Env,
        items: &[ast::Pattern],
        span: Span,
        expect: Expect,
        bound: &mut Bound,
    ) -> tast::Pattern {
        let item = self.fresh();
        let ty = self.list_of(item);
        self.expect(expect, ty, span);
        let list = self.builtins.list;
        let mut rest = tast::Pattern {
            kind: tast::PatternKind::Construct { tycon: list, ctor: 0, args: Vec::new() },
            ty,
            span: span.at_end(),
        };
        let items: Vec<_> =
            items.iter().map(|it| self.pattern(env, it, Expect::plain(item), bound)).collect();
        for item in items.into_iter().rev() {
            let span = item.span.to(span.at_end());
            let kind =
                tast::PatternKind::Construct { tycon: list, ctor: 1, args: vec![item, rest] };
            rest = tast::Pattern { kind, ty, span };
        }
        rest
    }

    fn record_pattern(
        &mut self,
        env: &Env,
        fields: &[(ast::Path, ast::Pattern)],
        span: Span,
        expect: Expect,
        bound: &mut Bound,
    ) -> tast::Pattern {
        let names = fields.iter().map(|it| &it.0);
        let Some((tycon, ty)) = self.record_type_of(env, names, FieldSet::Part, expect) else {
            for (_, field) in fields {
                self.pattern(env, field, Expect::plain(self.builtins.error), bound);
            }
            return self.error_pattern(span);
        };
        self.expect(expect, ty, span);
        let fields = fields
            .iter()
            .filter_map(|(path, field)| self.field_pattern(env, (tycon, ty), (path, field), bound))
            .collect();
        tast::Pattern { kind: tast::PatternKind::Record { tycon, fields }, ty, span }
    }

    /// The pattern of a field of a record of this type, and its number.
    pub(super) fn field_pattern(
        &mut self,
        env: &Env,
        (tycon, ty): (TyConId, TypeId),
        (path, field): (&ast::Path, &ast::Pattern),
        bound: &mut Bound,
    ) -> Option<(u32, tast::Pattern)> {
        let found = self.record_field(tycon, ty, path);
        // What an unknown field binds is known all the same.
        let field_ty = found.map_or(self.builtins.error, |it| it.1);
        let scheme = found.map(|it| self.field_instance(tycon, ty, it.0 as usize));
        if let Some((scheme, vars)) = scheme
            && !vars.is_empty()
            && self.or_vars.is_empty()
            && matches!(field.kind, PatternKind::Var(_))
        {
            // A name for the whole field is as polymorphic as the field.
            let pattern = self.pattern(env, field, Expect::plain(scheme), bound);
            if let tast::PatternKind::Var(var) = pattern.kind {
                self.types.poly_fields.insert(var, vars);
            }
            return Some((found?.0, pattern));
        }
        let pattern = self.pattern(env, field, Expect::plain(field_ty), bound);
        Some((found?.0, pattern))
    }

    /// A record pattern without `; _` is expected to name all fields.
    fn all_fields(&mut self, pattern: tast::Pattern, open_row: bool) -> tast::Pattern {
        let tast::PatternKind::Record { tycon, fields } = &pattern.kind else { return pattern };
        if open_row || self.library || !self.usage.warns {
            return pattern;
        }
        let is_missing = |index: usize| fields.iter().all(|it| it.0 as usize != index);
        let all = self.fields_of(*tycon).iter().enumerate();
        let missing: Vec<&str> =
            all.filter(|it| is_missing(it.0)).map(|it| it.1.name.as_str()).collect();
        if !missing.is_empty() {
            let names = missing.join("`, `");
            self.diagnostics.warning(
                Diagnostic::warning("W0009", format!("this pattern does not mention `{names}`"))
                    .at(pattern.span, "not all fields are here")
                    .help("if that is meant, end the pattern with `; _`"),
            );
        }
        pattern
    }

    fn or_pattern(
        &mut self,
        env: &Env,
        (left, right): (&ast::Pattern, &ast::Pattern),
        span: Span,
        expect: Expect,
        bound: &mut Bound,
    ) -> tast::PatternKind {
        let before = bound.vars.len();
        let rebuild = std::mem::replace(&mut bound.rebuild, false);
        let left = self.alternative(|cx| cx.pattern(env, left, expect, bound));
        bound.rebuild = rebuild;
        let names: Vec<_> = bound.vars[before..].to_vec();
        let mut again = Bound { vars: names.clone(), row: bound.row, ..Bound::default() };
        let right =
            self.alternative(|cx| cx.or_alternative(env, right, expect, &mut again, &names, span));
        tast::PatternKind::Or(Box::new(left), Box::new(right))
    }

    fn lazy_pattern(
        &mut self,
        env: &Env,
        inner: &ast::Pattern,
        span: Span,
        expect: Expect,
        bound: &mut Bound,
    ) -> tast::Pattern {
        let item = self.fresh();
        let Some(force) = self.lazy_force(item, span) else {
            return self.error_pattern(span);
        };
        let Type::Arrow(_, ty, _) = *self.types.get(force.ty) else {
            return self.error_pattern(span);
        };
        self.expect(expect, ty, span);
        let pattern = self.pattern(env, inner, Expect::plain(item), bound);
        let kind = tast::PatternKind::Lazy { force: Box::new(force), pattern: Box::new(pattern) };
        tast::Pattern { kind, ty, span }
    }

    pub(super) fn mentions(&self, ty: TypeId, var: TypeId) -> bool {
        self.types.mentions_any(ty, &[var])
    }

    pub(super) fn error_pattern(&mut self, span: Span) -> tast::Pattern {
        tast::Pattern { kind: tast::PatternKind::Any, ty: self.builtins.error, span }
    }

    pub(super) fn bind_var(
        &mut self,
        name: Symbol,
        ty: TypeId,
        span: Span,
        bound: &mut Bound,
    ) -> VarId {
        if let Some(&(_, var)) = self.or_vars.iter().rev().flatten().find(|it| it.0 == name) {
            // The other side of an or-pattern binds it too.
            let other = self.types.vars[var].ty;
            self.expect(Expect::plain(other), ty, span);
            self.or_seen.push(name);
            return var;
        }
        if bound.find(name).is_some() {
            self.diagnostics.error(
                Diagnostic::error("E0117", format!("`{name}` is bound twice in this pattern"))
                    .at(span, "already bound"),
            );
        }
        let var = self.new_var(name, ty, span);
        bound.vars.push((name, var));
        var
    }

    /// The right side of an or-pattern must bind exactly the variables of the left.
    fn or_alternative(
        &mut self,
        env: &Env,
        pattern: &ast::Pattern,
        expect: Expect,
        bound: &mut Bound,
        names: &[(Symbol, VarId)],
        span: Span,
    ) -> tast::Pattern {
        let seen_before = std::mem::take(&mut self.or_seen);
        self.or_vars.push(names.to_vec());
        let count = bound.vars.len();
        let result = self.pattern(env, pattern, expect, bound);
        self.or_vars.pop();
        let seen = std::mem::replace(&mut self.or_seen, seen_before);
        let missing = names.iter().map(|it| it.0).find(|it| !seen.contains(it));
        let extra = bound.vars.get(count).map(|it| it.0);
        if let Some(name) = missing.or(extra) {
            self.diagnostics.error(
                Diagnostic::error(
                    "E0118",
                    format!("`{name}` is not bound on both sides of this or-pattern"),
                )
                .at(span, "both alternatives must bind the same variables"),
            );
        }
        self.or_seen.extend(seen);
        result
    }

    pub(super) fn constant_type(&self, constant: &Constant) -> TypeId {
        match constant {
            Constant::Int(_) => self.builtins.int,
            Constant::Int32(_) => self.builtins.int32,
            Constant::Int64(_) => self.builtins.int64,
            Constant::Nativeint(_) => self.builtins.nativeint,
            Constant::Sized(width, _) => self.builtins.sized(*width),
            Constant::Float(_) => self.builtins.float,
            Constant::Float32(_) => self.builtins.float32,
            Constant::Char(_) => self.builtins.char,
            Constant::String(_) => self.builtins.string,
        }
    }

    /// An expression behind a pattern, with the values that the pattern asks to be made.
    pub(super) fn with_rebuilt(&self, bound: &Bound, expr: tast::Expr) -> tast::Expr {
        bound.rebuilt.iter().rev().fold(expr, |body, (var, value)| {
            let (ty, span) = (body.ty, body.span);
            let pattern = tast::Pattern {
                kind: tast::PatternKind::Var(*var),
                ty: value.ty,
                span: value.span,
            };
            let bindings = vec![tast::Binding { pattern, value: value.clone() }];
            tast::Expr {
                kind: tast::ExprKind::Let { bindings, as_match: None, body: Box::new(body) },
                ty,
                span,
            }
        })
    }

    /// The names of a pattern for the guard of its case, where values that are made anew have variables of their own.
    pub(super) fn bound_in_guard(&mut self, bound: &Bound) -> Bound {
        let mut copy = bound.clone();
        for (var, value) in &mut copy.rebuilt {
            let (name, span) = (self.types.vars[*var].name, self.types.vars[*var].span);
            let other = self.new_var(name, value.ty, span);
            copy.vars.iter_mut().filter(|it| it.1 == *var).for_each(|it| it.1 = other);
            *var = other;
        }
        copy
    }

    /// Makes the variables of a pattern visible, with the types they have.
    pub(super) fn add_bound(&mut self, env: &mut Env, bound: &Bound) {
        bound.types.iter().for_each(|&(name, tycon)| env.add_type(name, tycon));
        bound.modules.iter().for_each(|(name, module)| env.add_module(*name, module.clone()));
        for &(name, var) in &bound.vars {
            if self.types.poly_fields.contains(var) || !self.types.vars[var].tyvars.is_empty() {
                env.add_value(name, self.value_of_var(var));
                continue;
            }
            let (ty, span) = (self.types.vars[var].ty, self.types.vars[var].span);
            env.add_value(name, self.mono_value(ValueKind::Var(var), ty, span));
        }
    }
}
