//! Patterns of constructors with their arguments: `Some (x, _)`, `Node { left; _ }`, `true`.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;
use oxbow_psg::VarId;

use crate::ast::{self, PatternKind};
use crate::tast;
use crate::types::TypeId;

use super::constructor::CtorInstance;
use super::env::{Ctor, Env};
use super::pattern::Bound;
use super::{Expect, Infer};

impl Infer<'_> {
    pub(super) fn construct_pattern(
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
        let ctor = self.ctor_behind(ctor);
        self.use_ctor(ctor, false);
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
    pub(super) fn opened_pattern(
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
            Ctor::Exn(exn) if alias.is_some() && self.is_packed(exn) => {
                tast::PatternKind::Error(self.packed_record(exn, span))
            }
            Ctor::Exn(exn) => self.matched_exn(exn, args, ty, span),
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
                        if let Some((index, field)) =
                            self.field_pattern(env, (record, record_ty), (path, field), bound)
                        {
                            args[index as usize] = field;
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
}
