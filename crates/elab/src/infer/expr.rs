//! Expressions.

use oxbow_base::{Span, Symbol};
use oxbow_diag::{Diagnostic, limits};

use crate::ast::{self, Attribute, ExprKind, Name, Path};
use crate::mentions;
use crate::tast::{self, InlineAttribute};
use crate::types::{Label, TyCon, TyConKind, Type, TypeId};

use super::desugar::{desugar_let_op, unpack_one_by_one};
use super::env::{Env, Value, ValueKind};
use super::{Because, Expect, Infer};

impl Infer<'_> {
    /// Infers an expression for its errors only.
    pub(super) fn infer_only(&mut self, env: &Env, expr: &ast::Expr) {
        let ty = self.fresh();
        self.expr(env, expr, Expect::plain(ty));
    }

    pub(super) fn expr_kind(&mut self, env: &Env, expr: &ast::Expr, expect: Expect) -> tast::Expr {
        let span = expr.span;
        let is_bound = std::mem::take(&mut self.scopes.is_bound);
        self.count_copied();
        if let Some(made) = self.expected_elements(env, expr, expect) {
            return made;
        }
        match &expr.kind {
            ExprKind::Constant(constant) => self.constant_expr(env, constant, span, expect),
            ExprKind::Ident(_) | ExprKind::Field(..)
                if self.is_clef()
                    && let Some(head) = self.head(env, expr) =>
            {
                self.head_expr(env, head, span, expect)
            }
            ExprKind::Ident(path) => self.ident(env, path, span, expect),
            ExprKind::Construct(path, it) => self.construct(env, path, it.as_deref(), span, expect),
            ExprKind::List(items) => self.any_list(env, items, span, expect),
            ExprKind::Array(items) => self.array_expr(env, items, span, expect),
            ExprKind::Tuple(items) => self.tuple_expr(env, items, span, expect),
            ExprKind::LabelledTuple(items) => self.labelled_expr(env, items, span, expect),
            ExprKind::Apply(func, args) => self.apply(env, func, args, span, expect),
            ExprKind::Fun(params, result, body) => {
                let (result, inline) = (result.as_ref(), inline_attribute(&expr.attributes));
                self.in_function((is_bound, span), |it| {
                    it.function(env, params, result, body, inline, span, expect)
                })
            }
            ExprKind::Function(keyword, cases) => {
                let parts = (*keyword, &cases[..], inline_attribute(&expr.attributes));
                self.in_function((is_bound, span), |it| it.function_expr(env, parts, span, expect))
            }
            ExprKind::Let { recursive: false, bindings, body }
                if let [binding] = &bindings[..]
                    && !self.is_clef()
                    && self.opens_branch(env, binding) =>
            {
                self.let_branch(env, binding, body, span, expect)
            }
            ExprKind::Let { recursive: false, bindings, body }
                if bindings.iter().any(|it| it.pattern.unpacks()) =>
            {
                let nested = unpack_one_by_one(bindings, body, span);
                self.expr(env, &nested, expect)
            }
            ExprKind::Let { recursive, bindings, body } => {
                self.let_expr(env, (*recursive, bindings, body), span, expect)
            }
            ExprKind::LetOp { bindings, body } => {
                let call = desugar_let_op(bindings, body, span);
                self.expr(env, &call, expect)
            }
            ExprKind::Match(scrutinee, cases) => {
                self.match_expr(env, scrutinee, cases, span, expect)
            }
            ExprKind::Try(body, cases) => self.try_expr(env, body, cases, span, expect),
            ExprKind::If(cond, then, otherwise) => {
                self.if_expr(env, (cond, then, otherwise.as_deref()), span, expect)
            }
            ExprKind::Sequence(items) => self.sequence_expr(env, items, span, expect),
            ExprKind::While(cond, body) => self.while_expr(env, cond, body, span, expect),
            ExprKind::For { var, from, to, down, body } => {
                self.for_expr(env, (var, from, to, *down), body, span, expect)
            }
            ExprKind::Record { base, fields } => {
                self.record_expr(env, expr, (base.as_deref(), fields), expect)
            }
            ExprKind::AnonymousCopy(base, fields) => self.anonymous_copy(env, base, fields, expect),
            ExprKind::Field(object, path) => self.field_expr(env, object, path, span, expect),
            ExprKind::SetField(object, path, value) => {
                self.set_field_expr(env, (object, path), value, span, expect)
            }
            ExprKind::Annotate(inner, annotation) => {
                self.annotate_expr(env, inner, annotation, span, expect)
            }
            ExprKind::Variant(tag, arg) => {
                self.variant_expr(env, *tag, arg.as_deref(), span, expect)
            }
            ExprKind::Coerce(inner, from, to) => {
                self.coerce_expr(env, (inner, from.as_ref(), to), span, expect)
            }
            ExprKind::Assert(cond) => self.assert_expr(env, cond, span, expect),
            ExprKind::Lazy(inner) => self.lazy(env, inner, span, expect),
            ExprKind::Open(module, body) => self.open_expr(env, module, body, span, expect),
            ExprKind::LetModule(name, module, body) => {
                self.let_module_expr(env, (*name, module), body, span, expect)
            }
            ExprKind::Pack(module, ty) => self.pack(env, module, ty.as_ref(), span, expect),
            ExprKind::LetException(decl, body) => {
                self.let_exception_expr(env, decl, body, span, expect)
            }
            ExprKind::Object(body) => self.object_expr(env, body, span, expect),
            ExprKind::Send(object, name) => self.send(env, object, *name, span, expect),
            ExprKind::New(path) => self.new_object(env, path, span, expect),
            ExprKind::ExtensionConstructor(path) => self.extension_value(env, path, span, expect),
            ExprKind::Override(fields) => self.override_expr(env, fields, span, expect),
            ExprKind::Handle(call) => self.handle_expr(env, call, span, expect),
            ExprKind::AssignVar(path, value) => self.assign_var(env, path, value, span, expect),
            ExprKind::ForIn { .. }
            | ExprKind::Range { .. }
            | ExprKind::Index(..)
            | ExprKind::SetIndex(..)
            | ExprKind::Slice(..)
            | ExprKind::TypeApply(..)
            | ExprKind::AddressOf(_)
            | ExprKind::Yield(_)
            | ExprKind::YieldFrom(_)
            | ExprKind::Computation(..)
            | ExprKind::LetBang(_)
            | ExprKind::Bang(..)
            | ExprKind::Aliases(..)
            | ExprKind::TypeTest(..)
            | ExprKind::Downcast(..)
            | ExprKind::Measured(..)
            | ExprKind::ResolvedMember(_)
            | ExprKind::ImplicitYield { .. } => self.clef_expr(env, expr, expect),
            ExprKind::Error(reported) => self.error_expr(*reported, span),
        }
    }

    fn coerce_expr(
        &mut self,
        env: &Env,
        (inner, from, to): (&ast::Expr, Option<&ast::TypeExpr>, &ast::TypeExpr),
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        if let ast::TypeExprKind::Package(to) = &to.kind {
            return self.repack(env, (inner, from, to), span, expect);
        }
        if self.is_clef() {
            return self.clef_upcast(env, (inner, to), span, expect);
        }
        self.coercion(env, inner, from, to, span, expect)
    }

    pub(super) fn failed(&mut self, span: Span) -> tast::Expr {
        let reported = self.diagnostics.reported();
        self.error_expr(reported, span)
    }

    /// Types that `f` declares in its local modules do not escape from it.
    pub(super) fn in_local_scope<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let saved = self.named_level;
        self.enter_level();
        let result = f(self);
        self.leave_level();
        self.named_level = saved;
        result
    }

    /// Runs `f` with an item list of its own, for a structure inside an expression.
    pub(super) fn local_items(&mut self, f: impl FnOnce(&mut Self)) -> Vec<tast::Item> {
        let outer = std::mem::take(&mut self.items);
        let tyvars = self.tyvars.clone();
        let scope = self.local_scope.replace(self.level);
        let applicative = std::mem::replace(&mut self.functors.is_applicative, false);
        let anchor = self.signatures.anchor.take();
        self.local_depth += 1;
        f(self);
        self.local_depth -= 1;
        (self.local_scope, self.functors.is_applicative, self.signatures.anchor) =
            (scope, applicative, anchor);
        self.tyvars = tyvars;
        std::mem::replace(&mut self.items, outer)
    }

    pub(super) fn elements(
        &mut self,
        env: &Env,
        items: &[ast::Expr],
        item: TypeId,
        element: impl Fn(&mut Self, &Env, &ast::Expr, Expect) -> tast::Expr,
    ) -> Vec<tast::Expr> {
        let (mut item, mut because) = (item, Because::Plain);
        let mut parts = Vec::with_capacity(items.len());
        for it in items {
            let part = element(self, env, it, Expect { ty: item, because });
            because = Because::Element(items[0].span);
            // One report for one mistake: those behind it are likely to be wrong in the same way.
            if matches!(self.types.get(part.ty), Type::Error) {
                item = self.fresh();
                because = Because::Plain;
            }
            parts.push(part);
        }
        parts
    }

    fn ident(&mut self, env: &Env, path: &Path, span: Span, expect: Expect) -> tast::Expr {
        let inline_allowed = std::mem::take(&mut self.inline_allowed);
        if let Some(meaning) = self.alias_meaning(env, path) {
            return self.expr(env, &meaning, expect);
        }
        if let Some((kind, ty)) = self.here(env, path) {
            return self.node(kind, ty, span, expect);
        }
        let Ok(value) = self.lookup_ident(env, path) else { return self.failed(span) };
        if !self.library {
            self.quotes.used(path.name.text, &value);
        }
        let mut result = self.value_of(&value, path.name.text, span);
        if self.is_clef() {
            result = self.read_reference(result, expect);
        }
        if let Type::Con(con, _) = *self.types.get(result.ty)
            && matches!(self.types.tycons[con].kind, TyConKind::InlineRecord { .. })
            && !inline_allowed
        {
            let reported = self.diagnostics.error(
                Diagnostic::error("E0137", format!("the inline record `{}` cannot be used as a value", path.name.text))
                    .at(span, "only its fields can be used")
                    .help("take a field, copy it as `C { r with … }`, or declare the record as a type of its own"),
            );
            return self.error_expr(reported, span);
        }
        if !self.expect(expect, result.ty, span) {
            result.ty = self.builtins.error;
        }
        result
    }

    /// Names for indexing mean the functions of the modules in scope.
    pub(super) fn lookup_ident(&mut self, env: &Env, path: &Path) -> super::lookup::Found<Value> {
        let span = path.name.span;
        let Some((module, name)) = mentions::indexing(path.name.text.as_str()) else {
            return self.lookup_value(env, path);
        };
        let named = |text: &str| Name { text: text.into(), span };
        let first = ast::ModulePath::Name(named(module[0]));
        let prefix = module[1..]
            .iter()
            .fold(first, |path, it| ast::ModulePath::Dot(Box::new(path), named(it)));
        self.lookup_value(env, &Path { prefix: Some(Box::new(prefix)), name: named(name) })
    }

    /// A value as the program names it.
    pub(super) fn value_of(&mut self, value: &Value, shown: Symbol, span: Span) -> tast::Expr {
        match value.kind {
            ValueKind::Overload(operation) => self.overloaded(value, operation, shown, span),
            _ => self.value_expr(value, span),
        }
    }

    pub(super) fn value_expr(&mut self, value: &Value, span: Span) -> tast::Expr {
        match value.kind {
            ValueKind::Overload(it) => return self.overloaded(value, it, it.word().into(), span),
            ValueKind::Inline(number) => return self.inline_use(number, span),
            ValueKind::Instance { object, index, this } => {
                return self.instance_variable(value.ty, (object, index), this, span);
            }
            ValueKind::Super { .. } => return self.super_as_value(span),
            ValueKind::Alias(_) => {
                oxbow_diag::ice!("a name that stands for an expression is no value")
            }
            ValueKind::Var(_)
            | ValueKind::Builtin(_)
            | ValueKind::Packed(..)
            | ValueKind::Declared => (),
        }
        let (ty, tyargs) = self.instantiate(value);
        if std::mem::take(&mut self.types.too_large) {
            let report = limits::TYPE_SIZE.report(span, "the type of this value");
            let reported = self.diagnostics.error(report);
            return self.error_expr(reported, span);
        }
        let kind = match value.kind {
            ValueKind::Var(var) => {
                self.usage.used.insert(var);
                tast::ExprKind::Var { var, tyargs }
            }
            ValueKind::Builtin(builtin) => {
                if builtin == tast::Builtin::Prim(oxbow_psg::Prim::ObjMagic) {
                    self.casts.push(ty);
                }
                tast::ExprKind::Builtin(builtin)
            }
            ValueKind::Packed(var, tycon, index) => self.packed_value((var, tycon, index), span),
            ValueKind::Declared
            | ValueKind::Overload(_)
            | ValueKind::Inline(_)
            | ValueKind::Instance { .. }
            | ValueKind::Alias(_)
            | ValueKind::Super { .. } => tast::ExprKind::Unit,
        };
        tast::Expr { kind, ty, span }
    }

    fn construct(
        &mut self,
        env: &Env,
        path: &Path,
        arg: Option<&ast::Expr>,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        if path.prefix.is_none() && arg.is_none() {
            let (kind, ty) = match path.name.text.as_str() {
                "true" => (tast::ExprKind::Bool(true), self.builtins.bool),
                "false" => (tast::ExprKind::Bool(false), self.builtins.bool),
                "()" => (tast::ExprKind::Unit, self.builtins.unit),
                _ => return self.construct_data(env, path, None, span, expect),
            };
            return self.node(kind, ty, span, expect);
        }
        self.construct_data(env, path, arg, span, expect)
    }

    fn construct_data(
        &mut self,
        env: &Env,
        path: &Path,
        arg: Option<&ast::Expr>,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let Ok(ctor) = self.resolve_ctor(env, path, expect.ty) else {
            if let Some(arg) = arg {
                self.infer_only(env, arg);
            }
            return self.failed(span);
        };
        self.construct_ctor(env, ctor, path, arg, span, expect)
    }

    /// A constructor that has been found, applied to its argument.
    pub(super) fn construct_ctor(
        &mut self,
        env: &Env,
        ctor: super::env::Ctor,
        path: &Path,
        arg: Option<&ast::Expr>,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let ctor = self.public_ctor(ctor, path.span());
        let instance = self.instantiate_ctor(ctor);
        let named;
        let arg = match self.named_arguments(ctor, arg, span) {
            Some(tuple) => {
                named = tuple;
                Some(&named)
            }
            None => arg,
        };
        let ok = self.expect(expect, instance.result, span);
        let ty = if ok { instance.result } else { self.builtins.error };
        let args = match (arg, instance.inline_record) {
            (None, _) if instance.args.is_empty() => Vec::new(),
            // A case of an active pattern that holds nothing.
            (None, None) if self.is_active_case(ctor) => {
                let unit = self.builtins.unit;
                self.expect(Expect::plain(instance.args[0]), unit, span);
                vec![tast::Expr { kind: tast::ExprKind::Unit, ty: unit, span }]
            }
            (Some(arg), Some((_, record_ty))) => {
                self.inline_allowed = matches!(arg.kind, ExprKind::Ident(_));
                // A name whose type is still open would make a value of a type that nothing can name.
                let found = self.fresh();
                let wanted = match arg.kind {
                    ExprKind::Ident(_) => found,
                    _ => record_ty,
                };
                let record = self.expr(env, arg, Expect::plain(wanted));
                if wanted == found && matches!(self.types.get(record.ty), Type::Var { .. }) {
                    let reported = self.unknown_inline(path, arg.span);
                    return self.error_expr(reported, span);
                }
                if wanted == found {
                    self.expect(Expect::plain(record_ty), record.ty, arg.span);
                }
                match record.kind {
                    tast::ExprKind::Record { fields, .. } => fields,
                    _ if let super::env::Ctor::Exn(exn) = ctor
                        && self.is_packed(exn) =>
                    {
                        let reported = self.packed_record(exn, span);
                        return self.error_expr(reported, span);
                    }
                    // The constructor's block itself: a copy with changes, or the record of a pattern.
                    kind => return tast::Expr { kind, ty, span },
                }
            }
            (Some(arg), None) if instance.args.len() == 1 => {
                vec![self.part(env, arg, Expect::plain(instance.args[0]))]
            }
            (Some(ast::Expr { kind: ExprKind::Tuple(items), .. }), None)
                if items.len() == instance.args.len() =>
            {
                items
                    .iter()
                    .zip(&instance.args)
                    .map(|(it, &ty)| self.part(env, it, Expect::plain(ty)))
                    .collect()
            }
            (Some(arg), None) if self.is_spread(arg) && !instance.args.is_empty() => {
                let spread = super::clef::spread(path, arg, instance.args.len(), span);
                return self.expr(env, &spread, expect);
            }
            (arg, _) => {
                let given = match arg {
                    None => 0,
                    Some(ast::Expr { kind: ExprKind::Tuple(items), .. }) => items.len(),
                    Some(_) => 1,
                };
                if let Some(arg) = arg {
                    self.infer_only(env, arg);
                }
                self.ctor_arity_error(path, instance.args.len(), given, span);
                return self.failed(span);
            }
        };
        let kind = match ctor {
            super::env::Ctor::Variant(tycon, ctor) => {
                tast::ExprKind::Construct { tycon, ctor, args }
            }
            super::env::Ctor::Exn(exn) => self.made_exn(exn, args, ty, span),
        };
        tast::Expr { kind, ty, span }
    }

    /// Values of a private type are not made outside the module that defines it.
    pub(super) fn check_public(&mut self, tycon: crate::types::TyConId, span: Span) {
        if self.types.tycons[tycon].private {
            let name = self.types.tycons[tycon].path.clone();
            self.diagnostics.error(
                Diagnostic::error(
                    "E0132",
                    format!("values of the private type `{name}` cannot be made here"),
                )
                .at(span, "only the module that defines the type may do this")
                .help("use a function of that module"),
            );
        }
    }

    /// Parameter and result of an expected function type, fresh where it is not known.
    pub(super) fn split_arrow(&mut self, ty: TypeId) -> (TypeId, TypeId) {
        let ty = self.types.expand(ty);
        match self.types.nodes[ty] {
            Type::Arrow(Label::None, param, result) => (param, result),
            _ => (self.fresh(), self.fresh()),
        }
    }

    /// An abstract type that equals only itself, until its scope ends.
    pub(super) fn rigid_tycon(&mut self, name: Symbol, span: Span) -> crate::types::TyConId {
        let kind = TyConKind::Abstract { implementation: None };
        self.types.tycons.push(TyCon::new(name, name.as_str().into(), Vec::new(), kind, Some(span)))
    }

    fn lazy(&mut self, env: &Env, inner: &ast::Expr, span: Span, expect: Expect) -> tast::Expr {
        let item = self.fresh();
        let Some(force) = self.lazy_force(item, span) else { return self.failed(span) };
        let Type::Arrow(_, lazy_ty, _) = *self.types.get(force.ty) else {
            return self.failed(span);
        };
        let ok = self.expect(expect, lazy_ty, span);
        let value = self.expr(env, inner, Expect::plain(item));
        // F# suspends everything.
        let at_once = !self.is_clef() && is_evaluated(&value);
        let ty = if ok { lazy_ty } else { self.builtins.error };
        tast::Expr { kind: tast::ExprKind::Lazy { value: Box::new(value), at_once }, ty, span }
    }

    /// The library's `lazy_force : item lazy_t -> item`.
    pub(super) fn lazy_force(&mut self, item: TypeId, span: Span) -> Option<tast::Expr> {
        let Some(value) = self.stdlib_value("lazy_force") else {
            self.not_supported(span, "lazy values without the standard library");
            return None;
        };
        let force = self.value_expr(&value, span);
        if let Type::Arrow(_, _, result) = *self.types.get(force.ty) {
            let _ = self.unify(result, item);
        }
        Some(force)
    }

    pub(super) fn stdlib_value(&self, name: &str) -> Option<Value> {
        match &self.stdlib {
            Some(super::env::Module::Structure(stdlib)) => {
                stdlib.values.get(&Symbol::new(name)).cloned()
            }
            _ => None,
        }
    }

    pub(super) fn assign_var(
        &mut self,
        env: &Env,
        path: &Path,
        value: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        if self.is_clef()
            && let Some(done) = self.assign_reference(env, path, value, span, expect)
        {
            return done;
        }
        if let Some(done) = self.assign_alias(env, path, value, span, expect) {
            return done;
        }
        let Ok(target) = self.lookup_value(env, path) else { return self.failed(span) };
        if !self.is_clef() {
            return self.assign_instance(env, (path, &target), value, span, expect);
        }
        let value = Box::new(self.viewed(env, value, Expect::plain(target.ty)));
        match target.kind {
            ValueKind::Var(var) if self.types.vars[var].mutable => {
                let unit = self.builtins.unit;
                self.node(tast::ExprKind::AssignVar { var, value }, unit, span, expect)
            }
            _ => {
                let reported = self.diagnostics.error(
                    Diagnostic::error("E0124", format!("`{}` is not mutable", path.name.text))
                        .at(path.span(), "cannot be assigned")
                        .label(target.span, "bound here")
                        .help(format!("bind it by `let mutable {}`", path.name.text)),
                );
                self.error_expr(reported, span)
            }
        }
    }
}

pub fn inline_attribute(attributes: &[Attribute]) -> InlineAttribute {
    if attributes.iter().any(|it| it.plain_name() == "zero_alloc") {
        return InlineAttribute::ZeroAlloc;
    }
    for attribute in attributes {
        if matches!(attribute.plain_name(), "inline" | "inlined") {
            return match attribute.payload.map(Symbol::as_str) {
                Some("never") if attributes.iter().any(|it| it.name.text.as_str() == "cold") => {
                    InlineAttribute::Cold
                }
                Some("never") if attributes.iter().any(|it| it.name.text.as_str() == "rare") => {
                    InlineAttribute::Rare
                }
                Some("never") if attributes.iter().any(|it| it.name.text.as_str() == "once") => {
                    InlineAttribute::Once
                }
                Some("never") => InlineAttribute::Never,
                _ => InlineAttribute::Always,
            };
        }
    }
    InlineAttribute::None
}

pub(super) fn with_items(items: Vec<tast::Item>, body: tast::Expr, span: Span) -> tast::Expr {
    if items.is_empty() {
        return body;
    }
    let ty = body.ty;
    tast::Expr { kind: tast::ExprKind::LetItems { items, body: Box::new(body) }, ty, span }
}

/// Does OCaml suspend nothing for `lazy e`, since there is nothing to evaluate?
fn is_evaluated(expr: &tast::Expr) -> bool {
    use tast::ExprKind;
    match &expr.kind {
        ExprKind::Unit
        | ExprKind::Bool(_)
        | ExprKind::Constant(_)
        | ExprKind::Var { .. }
        | ExprKind::Builtin(_)
        | ExprKind::Lambda { .. }
        | ExprKind::Function { .. } => true,
        ExprKind::Construct { args, .. } | ExprKind::MakeExn { args, .. } => args.is_empty(),
        ExprKind::Variant { arg, .. } => arg.is_none(),
        ExprKind::List(items) => items.is_empty(),
        _ => false,
    }
}
