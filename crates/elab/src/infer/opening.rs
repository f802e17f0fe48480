//! Patterns that open constructors with results of their own, and the names that they give to hidden types.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;

use crate::ast::{self, PatternKind};
use crate::tast;
use crate::types::{OwnResult, TyCon, TyConId, TyConKind, Type, TypeId, Unknown};

use super::cases::CaseParts;
use super::constructor::CtorInstance;
use super::desugar::package_of;
use super::env::{Ctor, Env};
use super::pattern::Bound;
use super::typexpr::Vars;
use super::{Because, Expect, Infer};

impl Infer<'_> {
    pub(super) fn own_result(&self, ctor: Ctor) -> Option<OwnResult> {
        let (tycon, index) = match ctor {
            Ctor::Variant(tycon, index) => (tycon, index),
            Ctor::Exn(exn) => return self.types.exns[exn].own.clone(),
        };
        match &self.types.tycons[tycon].kind {
            TyConKind::Variant(ctors) => ctors.get(index as usize)?.own.clone(),
            _ => None,
        }
    }

    /// Matches a constructor with a result of its own against the expected type.
    pub(super) fn open_ctor(
        &mut self,
        ctor: Ctor,
        own: &OwnResult,
        expect: Expect,
        span: Span,
    ) -> CtorInstance {
        let instance = self.relate_ctor(ctor, own, span);
        if let Err(mismatch) = self.relate(expect.ty, instance.result) {
            self.report_mismatch(expect, instance.result, span, mismatch);
        }
        instance
    }

    /// An instance of the constructor, with a type for each that it hides.
    pub(super) fn relate_ctor(&mut self, ctor: Ctor, own: &OwnResult, span: Span) -> CtorInstance {
        let fresh = self.own_instance(own, Some(span));
        self.instance_of(ctor, &own.vars, &fresh)
    }

    /// Fresh variables for those of the result. Those that only the arguments mention are hidden types in a pattern,
    /// which has a place.
    pub(super) fn own_instance(&mut self, own: &OwnResult, hides: Option<Span>) -> Vec<TypeId> {
        let level = self.level;
        own.vars
            .iter()
            .map(|&var| {
                let name = match self.types.get(var) {
                    Type::Var { name, .. } => *name,
                    _ => None,
                };
                let shown = own.args.iter().any(|&it| self.mentions(it, var));
                if hides.is_some() && !shown {
                    return self.hidden_type(name, hides);
                }
                let name = if hides.is_some() { name } else { None };
                self.types.add(Type::Var { level, name })
            })
            .collect()
    }

    /// Is this a pattern in a place where the types that it hides would be known outside?
    pub(super) fn refuses_hidden(&mut self, own: &OwnResult, path: &ast::Path, span: Span) -> bool {
        let around_class = self.classes.plain_patterns.iter().any(|it| it.contains(span));
        let place = self.branches.no_hidden.or(around_class.then_some("all methods of the class"));
        let Some(place) = place else { return false };
        let hides = own.vars.iter().any(|&it| !own.args.iter().any(|&arg| self.mentions(arg, it)));
        if hides {
            let name = path.name.text;
            self.diagnostics.error(
                Diagnostic::error(
                    "E0171",
                    format!("the types that `{name}` hides would be known in {place}"),
                )
                .at(span, "hides types")
                .help("use `match … with`, or `let … in` with this pattern alone"),
            );
        }
        hides
    }

    /// `C (type a b) (p : t)`
    pub(super) fn named_types_pattern(
        &mut self,
        env: &Env,
        (path, names, arg): (&ast::Path, &[ast::Name], &ast::Pattern),
        span: Span,
        expect: Expect,
        bound: &mut Bound,
    ) -> Option<(Ctor, CtorInstance, Env)> {
        let ctor = self.resolve_ctor(env, path, expect.ty).ok()?;
        let ctor = self.ctor_behind(ctor);
        self.use_ctor(ctor, false);
        let own = self.own_result(ctor).unwrap_or(OwnResult { vars: Vec::new(), args: Vec::new() });
        let PatternKind::Annotate(_, annotation) = &arg.kind else {
            self.diagnostics.error(
                Diagnostic::error("E0172", "types are named without saying where they stand")
                    .at(span, "the argument needs a type annotation")
                    .help(format!("write `{} (type …) (… : …)`", path.name.text)),
            );
            return None;
        };
        if self.refuses_hidden(&own, path, span) {
            return None;
        }
        let mut inner = env.clone();
        let mut tycons = Vec::new();
        for name in names {
            let kind = TyConKind::Abstract { implementation: None };
            let shown = name.text.as_str().to_string();
            let mut tycon = TyCon::new(name.text, shown, Vec::new(), kind, Some(name.span));
            tycon.unknown = Unknown::Existential;
            let tycon = self.types.tycons.push(tycon);
            self.scope_levels.insert(tycon, self.level);
            self.types.has_equations = true;
            inner.add_type(name.text, tycon);
            bound.types.push((name.text, tycon));
            tycons.push((name, tycon));
        }
        let fresh: Vec<TypeId> = own.vars.iter().map(|_| self.fresh()).collect();
        let instance = match own.vars.is_empty() {
            false => self.instance_of(ctor, &own.vars, &fresh),
            true => self.instantiate_ctor(ctor),
        };
        if let Err(mismatch) = self.relate(expect.ty, instance.result) {
            self.report_mismatch(expect, instance.result, span, mismatch);
        }
        let wanted = match instance.args[..] {
            [only] => only,
            _ => self.types.add(Type::Tuple(instance.args.clone())),
        };
        let annotated = self.type_expr(&inner, annotation, Vars::Shared);
        self.expect(Expect::plain(wanted), annotated, annotation.span);
        self.check_named_types(&own, &fresh, &tycons, path);
        Some((ctor, instance, inner))
    }

    /// Each name stands for a type of its own that the constructor hides, and each of those has a name.
    fn check_named_types(
        &mut self,
        own: &OwnResult,
        fresh: &[TypeId],
        names: &[(&ast::Name, TyConId)],
        path: &ast::Path,
    ) {
        let mut given = Vec::new();
        let mut hidden = 0;
        for (&var, &ty) in own.vars.iter().zip(fresh) {
            if own.args.iter().any(|&it| self.mentions(it, var)) {
                continue;
            }
            hidden += 1;
            if let Type::Con(con, _) = *self.types.get(ty) {
                given.push(con);
            }
        }
        if hidden > names.len() {
            let text =
                format!("`{}` hides {hidden} types, and each of them needs a name", path.name.text);
            self.diagnostics.error(
                Diagnostic::error("E0173", text)
                    .at(path.name.span, "hides more types than are named"),
            );
            return;
        }
        for (name, tycon) in names {
            if given.iter().filter(|it| *it == tycon).count() != 1 {
                let text = format!(
                    "`{}` is not one of the types that `{}` hides",
                    name.text, path.name.text
                );
                self.diagnostics.error(
                    Diagnostic::error("E0173", text)
                        .at(name.span, "must stand for exactly one hidden type"),
                );
            }
        }
    }

    /// `let C x = e in body` where the pattern tells of types: the body is its branch.
    pub(super) fn opens_branch(&self, env: &Env, binding: &ast::Binding) -> bool {
        let plain = binding.annotation.as_ref().is_none_or(|it| it.vars.is_empty());
        plain && self.may_open(env, &binding.pattern)
    }

    pub(super) fn let_branch(
        &mut self,
        env: &Env,
        binding: &ast::Binding,
        body: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let said = binding.annotation.as_ref().map(|it| it.ty.clone());
        let said = said.or_else(|| package_of(&binding.pattern));
        let wanted = match &said {
            Some(said) => {
                let ty = self.type_expr(env, said, Vars::Shared);
                Expect { ty, because: Because::Annotation(said.span) }
            }
            None => Expect::plain(self.fresh()),
        };
        let scrutinee = self.expr(env, &binding.value, wanted);
        let ty = match self.types.get(scrutinee.ty) {
            Type::Error => self.fresh(),
            _ if said.is_some() => wanted.ty,
            _ => scrutinee.ty,
        };
        let errors = self.diagnostics.error_count();
        let parts =
            CaseParts { pattern: &binding.pattern, early: None, guard: None, body: Some(body) };
        let (pattern, guard, body) = self.in_branch(|cx| cx.one_case(env, parts, ty, expect));
        let cases: Vec<tast::Case> =
            body.map(|body| tast::Case { pattern, guard, body }).into_iter().collect();
        if self.diagnostics.error_count() == errors {
            self.cover_cases(&cases, &[], ty);
        }
        let (scrutinee, exceptions) = (Box::new(scrutinee), Vec::new());
        let kind = tast::ExprKind::Match { scrutinee, cases, exceptions };
        tast::Expr { kind, ty: expect.ty, span }
    }

    /// Could this pattern tell something of types?
    pub(super) fn may_open(&self, env: &Env, pattern: &ast::Pattern) -> bool {
        if pattern.unpacks() {
            return true;
        }
        let tells = |it: &ast::Pattern| match &it.kind {
            PatternKind::ConstructTypes(..) => true,
            PatternKind::Construct(path, _) => match (&path.prefix, env.ctor(path.name.text)) {
                (None, Some(ctor)) => self.own_result(ctor).is_some(),
                // It is found by its type, or in a module.
                _ => true,
            },
            _ => false,
        };
        self.types.has_own_results && pattern.contains(tells)
    }
}
