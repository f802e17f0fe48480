//! Patterns.

use oxbow_base::{Span, Symbol};
use oxbow_diag::{Diagnostic, Reported};
use oxbow_psg::VarId;

use crate::ast::{self, Constant, PatternKind};
use crate::tast;
use crate::types::{TyConId, TyConKind, Type, TypeId};

use super::desugar::own_list;
use super::env::{Ctor, Env, Module, ValueKind};
use super::record::FieldSet;
use super::typexpr::Vars;
use super::{Because, Expect, Infer};

/// The variables that a pattern binds.
#[derive(Default, Clone)]
pub struct Bound {
    pub vars: Vec<(Symbol, VarId)>,
    /// May a name stand for a value made anew? Only where the code behind the pattern can make it.
    pub rebuild: bool,
    pub rebuilt: Vec<(VarId, tast::Expr)>,
    /// Names for types that constructors hide.
    pub types: Vec<(Symbol, TyConId)>,
    /// Modules that have been unpacked.
    pub modules: Vec<(Symbol, Module)>,
}

impl Bound {
    fn find(&self, name: Symbol) -> Option<VarId> {
        self.vars.iter().find(|it| it.0 == name).map(|it| it.1)
    }
}

impl Infer<'_> {
    pub(super) fn pattern(
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
                if let PatternKind::TypeTest(path) = &inner.kind
                    && let Some(test) =
                        self.class_test(env, path, Some(*name), span, (expect, bound))
                {
                    return test;
                }
                let inner = self.pattern(env, inner, expect, bound);
                self.alias(inner, *name, bound)
            }
            PatternKind::Constant(Constant::Float32(_)) => {
                let reported = self.not_supported(span, "patterns that are `float32` numbers");
                tast::PatternKind::Error(reported)
            }
            PatternKind::Constant(constant) => {
                ty = self.constant_type(constant);
                self.expect(expect, ty, span);
                tast::PatternKind::Constant(constant.clone())
            }
            PatternKind::Range(low, high) => match (low, high) {
                (&Constant::Char(low), &Constant::Char(high)) => {
                    ty = self.builtins.char;
                    self.expect(expect, ty, span);
                    tast::PatternKind::CharRange(low.min(high), low.max(high))
                }
                _ => {
                    let reported = self.diagnostics.error(
                        Diagnostic::error("E0115", "a range pattern takes two characters")
                            .at(span, ""),
                    );
                    tast::PatternKind::Error(reported)
                }
            },
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
            PatternKind::ConstructMany(path, args) => {
                return self.many_pattern(env, path, args, span, expect, bound);
            }
            PatternKind::ConstructTypes(path, names, arg) => {
                let parts = (path, names.as_slice(), &**arg);
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
                return self.opened_pattern(&inner, (ctor, instance), path, Some(arg), span, bound);
            }
            PatternKind::TypeTest(path) => {
                if let Some(test) = self.class_test(env, path, None, span, (expect, bound)) {
                    return test;
                }
                return self.type_test(env, path, span, expect);
            }
            PatternKind::Unpack(name, package) => {
                self.unpack_pattern(env, (*name, package.as_ref()), span, expect, bound)
            }
            PatternKind::Construct(path, arg) => {
                return self.construct_pattern(env, path, arg.as_deref(), span, expect, bound);
            }
            PatternKind::List(items) if self.is_own_list(env, expect.ty) => {
                let list = own_list(
                    items,
                    span,
                    |path, arg| {
                        let kind = PatternKind::Construct(path, arg.map(Box::new));
                        ast::Pattern { kind, span }
                    },
                    |items| ast::Pattern { kind: PatternKind::Tuple(items), span },
                );
                return self.pattern(env, &list, expect, bound);
            }
            PatternKind::List(items) => {
                let item = self.fresh();
                ty = self.list_of(item);
                self.expect(expect, ty, span);
                let list = self.builtins.list;
                let mut rest = tast::Pattern {
                    kind: tast::PatternKind::Construct { tycon: list, ctor: 0, args: Vec::new() },
                    ty,
                    span: span.at_end(),
                };
                let items: Vec<_> = items
                    .iter()
                    .map(|it| self.pattern(env, it, Expect::plain(item), bound))
                    .collect();
                for item in items.into_iter().rev() {
                    let span = item.span.to(span.at_end());
                    let kind = tast::PatternKind::Construct {
                        tycon: list,
                        ctor: 1,
                        args: vec![item, rest],
                    };
                    rest = tast::Pattern { kind, ty, span };
                }
                return rest;
            }
            PatternKind::Record { fields, .. } => {
                let names = fields.iter().map(|it| &it.0);
                let Some((tycon, record_ty)) =
                    self.record_type_of(env, names, FieldSet::Part, expect)
                else {
                    for (_, field) in fields {
                        self.pattern(env, field, Expect::plain(self.builtins.error), bound);
                    }
                    return self.error_pattern(span);
                };
                ty = record_ty;
                self.expect(expect, ty, span);
                let fields = fields
                    .iter()
                    .filter_map(|(path, field)| {
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
                    })
                    .collect();
                tast::PatternKind::Record { tycon, fields }
            }
            PatternKind::Array(items) => {
                let item = self.fresh();
                let array = self.builtins.array;
                ty = self.types.add(Type::Con(array, vec![item]));
                self.expect(expect, ty, span);
                tast::PatternKind::Array(
                    items
                        .iter()
                        .map(|it| self.pattern(env, it, Expect::plain(item), bound))
                        .collect(),
                )
            }
            PatternKind::Or(left, right) => {
                let before = bound.vars.len();
                let rebuild = std::mem::replace(&mut bound.rebuild, false);
                let left = self.alternative(|cx| cx.pattern(env, left, expect, bound));
                bound.rebuild = rebuild;
                let names: Vec<_> = bound.vars[before..].to_vec();
                let mut again = Bound { vars: names.clone(), ..Bound::default() };
                let right = self.alternative(|cx| {
                    cx.or_alternative(env, right, expect, &mut again, &names, span)
                });
                tast::PatternKind::Or(Box::new(left), Box::new(right))
            }
            PatternKind::Annotate(inner, annotation) => {
                let annotated = self.type_expr(env, annotation, Vars::Shared);
                self.expect(expect, annotated, span);
                let expect =
                    Expect { ty: annotated, because: Because::Annotation(annotation.span) };
                return self.pattern(env, inner, expect, bound);
            }
            PatternKind::Lazy(inner) => {
                let item = self.fresh();
                let Some(force) = self.lazy_force(item, span) else {
                    return self.error_pattern(span);
                };
                let Type::Arrow(_, lazy_ty, _) = *self.types.get(force.ty) else {
                    return self.error_pattern(span);
                };
                self.expect(expect, lazy_ty, span);
                ty = lazy_ty;
                let pattern = self.pattern(env, inner, Expect::plain(item), bound);
                tast::PatternKind::Lazy { force: Box::new(force), pattern: Box::new(pattern) }
            }
            PatternKind::Exception(_) => {
                let reported = self.diagnostics.error(
                    Diagnostic::error(
                        "E0116",
                        "`exception` patterns stand at the top of a `match` case only",
                    )
                    .at(span, "not allowed here"),
                );
                tast::PatternKind::Error(reported)
            }
            PatternKind::Open(path, inner) => {
                let mut env = env.clone();
                if let Ok(module) = self.lookup_module(&env, path) {
                    env.open(&module);
                }
                return self.pattern(&env, inner, expect, bound);
            }
            PatternKind::Variant(tag, arg) => {
                return self.variant_pattern(env, *tag, arg.as_deref(), span, expect, bound);
            }
            PatternKind::VariantType(path) => {
                return self.variant_type_pattern(env, path, span, expect);
            }
            PatternKind::Error(reported) => tast::PatternKind::Error(*reported),
        };
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

    fn construct_pattern(
        &mut self,
        env: &Env,
        path: &ast::Path,
        arg: Option<&ast::Pattern>,
        span: Span,
        expect: Expect,
        bound: &mut Bound,
    ) -> tast::Pattern {
        let literal = match (path.prefix.is_none(), path.name.text.as_str()) {
            (true, "true") => Some((tast::PatternKind::Bool(true), self.builtins.bool)),
            (true, "false") => Some((tast::PatternKind::Bool(false), self.builtins.bool)),
            (true, "()") => Some((tast::PatternKind::Unit, self.builtins.unit)),
            _ => None,
        };
        if let Some((kind, ty)) = literal {
            self.expect(expect, ty, span);
            return tast::Pattern { kind, ty, span };
        }
        if self.is_clef()
            && let Some(done) = self.clef_pattern(env, path, arg, span, expect, bound)
        {
            return done;
        }
        self.plain_construct_pattern(env, path, arg, span, expect, bound)
    }

    /// A constructor that is one.
    pub(super) fn plain_construct_pattern(
        &mut self,
        env: &Env,
        path: &ast::Path,
        arg: Option<&ast::Pattern>,
        span: Span,
        expect: Expect,
        bound: &mut Bound,
    ) -> tast::Pattern {
        let Ok(ctor) = self.resolve_ctor(env, path, expect.ty) else {
            if let Some(arg) = arg {
                let ty = self.builtins.error;
                self.pattern(env, arg, Expect::plain(ty), bound);
            }
            return self.error_pattern(span);
        };
        let named;
        let arg = match self.named_patterns(ctor, arg, span) {
            Some(tuple) => {
                named = tuple;
                Some(&named)
            }
            None => arg,
        };
        let instance = match self.own_result(ctor) {
            Some(own) => {
                if self.refuses_hidden(&own, path, span) {
                    if let Some(arg) = arg {
                        self.pattern(env, arg, Expect::plain(self.builtins.error), bound);
                    }
                    return self.error_pattern(span);
                }
                self.open_ctor(ctor, &own, expect, span)
            }
            None => {
                let instance = self.instantiate_ctor(ctor);
                self.expect(expect, instance.result, span);
                instance
            }
        };
        self.opened_pattern(env, (ctor, instance), path, arg, span, bound)
    }

    /// The arguments of a constructor whose result agrees with the value.
    fn opened_pattern(
        &mut self,
        env: &Env,
        (ctor, instance): (Ctor, CtorInstance),
        path: &ast::Path,
        arg: Option<&ast::Pattern>,
        span: Span,
        bound: &mut Bound,
    ) -> tast::Pattern {
        let ty = instance.result;
        let (args, alias) = self.ctor_pattern_args(env, path, arg, &instance, span, bound);
        let kind = match ctor {
            Ctor::Variant(tycon, ctor) => tast::PatternKind::Construct { tycon, ctor, args },
            Ctor::Exn(exn) => tast::PatternKind::Exn { exn: self.types.exn_behind(exn), args },
        };
        let pattern = tast::Pattern { kind, ty, span };
        match alias {
            Some(var) => {
                tast::Pattern { kind: tast::PatternKind::Alias(Box::new(pattern), var), ty, span }
            }
            None => pattern,
        }
    }

    fn ctor_pattern_args(
        &mut self,
        env: &Env,
        path: &ast::Path,
        arg: Option<&ast::Pattern>,
        instance: &CtorInstance,
        span: Span,
        bound: &mut Bound,
    ) -> (Vec<tast::Pattern>, Option<VarId>) {
        let any = |ty: &TypeId| tast::Pattern { kind: tast::PatternKind::Any, ty: *ty, span };
        let all_any = || instance.args.iter().map(any).collect::<Vec<_>>();
        let Some(arg) = arg else {
            if !instance.args.is_empty() {
                self.ctor_arity_error(path, instance.args.len(), 0, span);
            }
            return (all_any(), None);
        };
        if let Some((record, record_ty)) = instance.inline_record {
            return match &arg.kind {
                PatternKind::Any => (all_any(), None),
                PatternKind::Var(name) => {
                    (all_any(), Some(self.bind_var(name.text, record_ty, name.span, bound)))
                }
                PatternKind::Record { fields, .. } => {
                    let mut args = all_any();
                    for (path, field) in fields {
                        if let Some((index, ty)) = self.record_field(record, record_ty, path) {
                            args[index as usize] =
                                self.pattern(env, field, Expect::plain(ty), bound);
                        }
                    }
                    (args, None)
                }
                PatternKind::Alias(inner, name) => {
                    let (args, _) =
                        self.ctor_pattern_args(env, path, Some(inner), instance, span, bound);
                    (args, Some(self.bind_var(name.text, record_ty, name.span, bound)))
                }
                _ => {
                    self.diagnostics.error(
                        Diagnostic::error(
                            "E0119",
                            format!("`{}` holds an inline record", path.name.text),
                        )
                        .at(arg.span, "expected a record pattern, a name or `_`"),
                    );
                    (all_any(), None)
                }
            };
        }
        match (&arg.kind, instance.args.len()) {
            (_, 1) => (vec![self.pattern(env, arg, Expect::plain(instance.args[0]), bound)], None),
            (PatternKind::Any, n) if n > 1 => (all_any(), None),
            (PatternKind::Tuple(items), n) if items.len() == n => {
                let args = items
                    .iter()
                    .zip(&instance.args)
                    .map(|(it, &ty)| self.pattern(env, it, Expect::plain(ty), bound))
                    .collect();
                (args, None)
            }
            (kind, wanted) => {
                let given = if let PatternKind::Tuple(items) = kind { items.len() } else { 1 };
                self.ctor_arity_error(path, wanted, given, span);
                // Its variables exist all the same.
                let error = self.builtins.error;
                self.pattern(env, arg, Expect::plain(error), bound);
                (all_any(), None)
            }
        }
    }

    pub(super) fn ctor_arity_error(
        &mut self,
        path: &ast::Path,
        wanted: usize,
        given: usize,
        span: Span,
    ) {
        let count = |n: usize| match n {
            0 => "no argument".to_string(),
            1 => "1 argument".to_string(),
            n => format!("{n} arguments"),
        };
        self.diagnostics.error(
            Diagnostic::error(
                "E0120",
                format!(
                    "constructor `{}` takes {}, but {} given",
                    path.name.text,
                    count(wanted),
                    match given {
                        0 => "none is".into(),
                        1 => "1 is".into(),
                        n => format!("{n} are"),
                    }
                ),
            )
            .at(span, ""),
        );
    }

    /// A constructor by name; by the expected type if that is a known variant.
    pub(super) fn resolve_ctor(
        &mut self,
        env: &Env,
        path: &ast::Path,
        expected: TypeId,
    ) -> Result<Ctor, Option<oxbow_diag::Reported>> {
        let Some(ctor) = self.ctor_of_type(expected, path.name.text) else {
            if path.prefix.is_none() && env.ctor(path.name.text).is_none() {
                return Err(Some(self.no_such_ctor(env, path, expected)));
            }
            return self.lookup_ctor(env, path);
        };
        let Some(prefix) = &path.prefix else { return Ok(ctor) };
        // A qualified constructor is of a type of that module.
        let structure = self.prefix_structure(env, prefix)?;
        let Ctor::Variant(wanted, _) = ctor else { return Ok(ctor) };
        let own = |tycon: TyConId| tycon == wanted || self.alias_target(tycon) == Some(wanted);
        if structure.types.values().any(|&it| own(it))
            || structure.ctors.get(&path.name.text) == Some(&ctor)
        {
            return Ok(ctor);
        }
        self.lookup_ctor(env, path)
    }

    /// An unknown constructor, where the type of the value may be known.
    fn no_such_ctor(&mut self, env: &Env, path: &ast::Path, expected: TypeId) -> Reported {
        let expanded = self.types.expand(expected);
        let known = match self.types.nodes[expanded] {
            Type::Con(tycon, _) if !self.is_opaque(tycon) => match &self.types.tycons[tycon].kind {
                TyConKind::Variant(ctors) => {
                    Some((tycon, ctors.iter().map(|it| it.name).collect::<Vec<Symbol>>()))
                }
                _ => None,
            },
            _ => None,
        };
        let name = path.name.text;
        let Some((tycon, ctors)) = known.filter(|_| !self.broken.contains(&name)) else {
            return match self.lookup_ctor(env, path) {
                Err(Some(reported)) => reported,
                _ => self.diagnostics.reported(),
            };
        };
        let shown = self.types.tycons[tycon].path.clone();
        let report =
            Diagnostic::error("E0102", format!("type `{shown}` has no constructor `{name}`"))
                .at(path.span(), "unknown constructor");
        let report = match super::suggest::nearest(name, ctors.iter().copied()) {
            Some(near) => report.help(format!("did you mean `{near}`?")),
            None => {
                let all: Vec<_> = ctors.iter().map(|it| format!("`{it}`")).collect();
                report.note(format!("its constructors are {}", all.join(", ")))
            }
        };
        self.diagnostics.error(report)
    }

    /// The type constructor that an abbreviation stands for.
    fn alias_target(&self, mut tycon: TyConId) -> Option<TyConId> {
        let mut target = None;
        while let TyConKind::Alias(body) = self.types.tycons[tycon].kind
            && let Type::Con(next, _) = self.types.get(body)
        {
            tycon = *next;
            target = Some(tycon);
        }
        target
    }

    /// Does `[a; b]` stand for constructors that the program declares?
    pub(super) fn is_own_list(&mut self, env: &Env, expected: TypeId) -> bool {
        let cons = Symbol::new("::");
        match self.ctor_of_type(expected, cons).or_else(|| env.ctor(cons)) {
            Some(Ctor::Variant(tycon, _)) => {
                self.types.declaration(tycon) != self.types.declaration(self.builtins.list)
            }
            Some(Ctor::Exn(_)) | None => false,
        }
    }

    fn ctor_of_type(&mut self, ty: TypeId, name: Symbol) -> Option<Ctor> {
        let ty = self.types.expand(ty);
        let Type::Con(tycon, _) = self.types.nodes[ty] else { return None };
        let TyConKind::Variant(ctors) = &self.types.tycons[tycon].kind else { return None };
        let index = ctors.iter().position(|it| it.name == name)?;
        Some(Ctor::Variant(tycon, index as u32))
    }

    pub(super) fn instantiate_ctor(&mut self, ctor: Ctor) -> CtorInstance {
        if let Some(own) = self.own_result(ctor) {
            let fresh = self.own_instance(&own, None);
            return self.instance_of(ctor, &own.vars, &fresh);
        }
        let params = match self.anchored_ctor(ctor) {
            Ctor::Variant(tycon, _) => self.types.tycons[tycon].params.clone(),
            Ctor::Exn(exn) => match &self.types.exns[exn].of {
                Some((_, params)) => params.clone(),
                None => Vec::new(),
            },
        };
        let fresh: Vec<_> = params.iter().map(|_| self.fresh()).collect();
        self.instance_of(ctor, &params, &fresh)
    }

    /// The constructor with these types for its variables.
    pub(super) fn instance_of(
        &mut self,
        ctor: Ctor,
        vars: &[TypeId],
        types: &[TypeId],
    ) -> CtorInstance {
        let (tycon, args, inline_record, own) = match self.anchored_ctor(ctor) {
            Ctor::Variant(tycon, index) => match &self.types.tycons[tycon].kind {
                TyConKind::Variant(ctors) => {
                    let info = ctors[index as usize].clone();
                    (Some(tycon), info.args, info.inline_record, info.own)
                }
                _ => oxbow_diag::ice!("{} has no constructors", self.types.tycons[tycon].path),
            },
            Ctor::Exn(exn) => {
                let info = self.types.exns[exn].clone();
                (info.of.map(|it| it.0), info.args, info.inline_record, info.own)
            }
        };
        let args = args.into_iter().map(|it| self.types.substitute(it, vars, types)).collect();
        let inline_record =
            inline_record.map(|record| (record, self.types.add(Type::Con(record, types.to_vec()))));
        let result = match own {
            Some(own) => {
                own.args.into_iter().map(|it| self.types.substitute(it, vars, types)).collect()
            }
            None => types.to_vec(),
        };
        let result = match tycon {
            Some(tycon) => self.types.add(Type::Con(tycon, result)),
            None => self.builtins.exn,
        };
        CtorInstance { args, result, inline_record }
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
            tast::Expr { kind: tast::ExprKind::Let { bindings, body: Box::new(body) }, ty, span }
        })
    }

    /// Makes the variables of a pattern visible, with the types they have.
    pub(super) fn add_bound(&mut self, env: &mut Env, bound: &Bound) {
        bound.types.iter().for_each(|&(name, tycon)| env.add_type(name, tycon));
        bound.modules.iter().for_each(|(name, module)| env.add_module(*name, module.clone()));
        for &(name, var) in &bound.vars {
            if self.types.poly_fields.contains_key(&var) {
                env.add_value(name, self.value_of_var(var));
                continue;
            }
            let (ty, span) = (self.types.vars[var].ty, self.types.vars[var].span);
            env.add_value(name, self.mono_value(ValueKind::Var(var), ty, span));
        }
    }
}

/// A constructor with fresh type arguments.
pub struct CtorInstance {
    pub args: Vec<TypeId>,
    pub result: TypeId,
    /// The record inside `C of { … }`, and its type.
    pub inline_record: Option<(TyConId, TypeId)>,
}
