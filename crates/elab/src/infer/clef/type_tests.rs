//! What a value is besides its type in the text: tests and casts, `obj`, and functions as delegates.
//!
//! ```text
//! shape :?> Circle              `Circle.%from shape`, which gives an option, down to a class that inherits
//! (box x) :? int                `try_cast`, which asks the object for its type (decision 310)
//! tools.Run(fun a b -> …)       a delegate that calls the function
//! ```

use oxbow_base::{Made, Span};
use oxbow_diag::{Diagnostic, Reported};

use crate::ast::{self, ExprKind, Name};
use crate::tast;
use crate::types::{Label, TyConId, Type, TypeId};

use super::super::env::Env;
use super::super::typexpr::Vars;
use super::super::{Expect, Infer};
use super::ViewInfo;

/// What becomes of the option that a cast down gives: `:?>`.
pub const CAST: &str = "cast_some";

impl Infer<'_> {
    /// Is it `obj`?
    pub(super) fn is_object_type(&self, con: TyConId) -> bool {
        self.clef.object == Some(con)
    }

    /// Is a value of this type boxed where `obj` is wanted? One of unknown type is an `obj`.
    pub(super) fn is_boxed_as_object(&mut self, ty: TypeId) -> bool {
        match self.head_con(ty) {
            Some((con, _)) => !self.is_object_type(con),
            None => {
                let known = self.types.expand(ty);
                matches!(self.types.nodes[known], Type::Tuple(_) | Type::Arrow(..))
            }
        }
    }

    /// May values of other types be seen as this one?
    pub(super) fn is_view_target(&self, con: TyConId) -> bool {
        self.clef.view_targets.contains(con)
            || self.is_object_type(con)
            || self.clef.delegates.contains(con)
    }

    /// A function where a delegate is wanted: the delegate that calls it.
    pub(super) fn as_delegate(
        &mut self,
        env: &Env,
        value: &ast::Expr,
        con: TyConId,
        expect: Expect,
    ) -> Option<tast::Expr> {
        let is_function = matches!(value.kind, ExprKind::Fun(..) | ExprKind::Function(..));
        let ty = self.fresh();
        let typed = match is_function {
            true => None,
            false => Some(self.expr(env, value, Expect::plain(ty))),
        };
        if let Some(typed) = &typed {
            let known = self.types.expand(typed.ty);
            if !matches!(self.types.nodes[known], Type::Arrow(..)) {
                return Some(self.as_expected(env, typed.clone(), expect));
            }
        }
        let new = Name { text: Made::Constructor.symbol(), span: value.span };
        let make = self.static_member(env, con, new)?;
        let known = self.types.expand(make.ty);
        let Type::Arrow(_, function, result) = self.types.nodes[known] else { return None };
        if !self.expect(expect, result, value.span) {
            return Some(self.failed(value.span));
        }
        let argument = match typed {
            Some(typed) => self.as_expected(env, typed, Expect::plain(function)),
            None => self.expr(env, value, Expect::plain(function)),
        };
        Some(self.call_one(make, argument, value.span))
    }

    /// The function from values of a type that tell what they are (`obj`, interfaces, classes) to the option of
    /// another one.
    fn object_test(&mut self, from: TypeId, wanted: TypeId, span: Span) -> Option<tast::Expr> {
        let (con, _) = self.head_con(from)?;
        if !self.is_object_type(con) && !self.is_class(con) {
            return None;
        }
        let test = self.prelude_value("try_cast")?;
        let test = self.value_expr(&test, span);
        let option = self.types.add(Type::Con(self.builtins.option, vec![wanted]));
        let ty = self.arrow(Label::None, from, option);
        self.unify(ty, test.ty).ok()?;
        Some(test)
    }

    /// The function from objects of a class to the option of one that inherits from it, directly or not.
    fn cast_function(
        &mut self,
        env: &Env,
        con: TyConId,
        wanted: TyConId,
        span: Span,
    ) -> Option<tast::Expr> {
        let way = self.way(wanted, con)?;
        let mut function: Option<tast::Expr> = None;
        for (class, view) in way.into_iter().rev() {
            let back = Name { text: view.back?, span };
            let next = self.static_member(env, class, back)?;
            function = Some(match function {
                None => next,
                Some(before) => {
                    let chain = self.prelude_value("chain_options")?;
                    let chain = self.value_expr(&chain, span);
                    let chain = self.call_one(chain, before, span);
                    self.call_one(chain, next, span)
                }
            });
        }
        function
    }

    /// The function gives an option of this type: what a generic class is given may be named by nothing else.
    fn gives_option_of(&mut self, function: &tast::Expr, wanted: TypeId) {
        if let Type::Arrow(_, _, result) = *self.types.get(function.ty) {
            let option = self.types.add(Type::Con(self.builtins.option, vec![wanted]));
            let _ = self.unify(result, option);
        }
    }

    /// `e :? t` and `e :?> t`
    pub(super) fn cast(
        &mut self,
        env: &Env,
        (inner, to): (&ast::Expr, &ast::TypeExpr),
        then: &str,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let wanted = self.type_expr(env, to, Vars::Shared);
        let ty = self.fresh();
        let object = self.expr(env, inner, Expect::plain(ty));
        if matches!(self.types.get(object.ty), Type::Error) {
            return object;
        }
        let target = self.head_con(wanted).map(|it| it.0);
        let source = self.head_con(object.ty).map(|it| it.0);
        if then == CAST
            && let Some((source, target)) = source.zip(target)
            && let Some(cast) = self.direct_cast(env, &object, (source, target), span)
        {
            // What the type is given may be named by nothing else.
            self.expect(Expect::plain(wanted), cast.ty, span);
            return self.as_expected(env, cast, expect);
        }
        let same = source.is_some() && source == target;
        let found = match self.prelude_value("always").filter(|_| same) {
            Some(always) => Some(self.value_expr(&always, span)),
            None => {
                let heirs = source.zip(target);
                let heirs = heirs.and_then(|it| self.cast_function(env, it.0, it.1, span));
                if let Some(function) = &heirs {
                    self.gives_option_of(function, wanted);
                }
                heirs.or_else(|| self.object_test(object.ty, wanted, span))
            }
        };
        let Some((function, func)) = found.zip(self.prelude_value(then)) else {
            return self.no_test(object.ty, wanted, span);
        };
        let found = self.call_one(function, object, span);
        let func = self.value_expr(&func, span);
        let result = self.call_one(func, found, span);
        let ok = self.expect(expect, result.ty, span);
        tast::Expr { ty: if ok { result.ty } else { self.builtins.error }, ..result }
    }

    /// The object as one of a class that inherits from its own; an exception is raised if it is none.
    fn direct_cast(
        &mut self,
        env: &Env,
        object: &tast::Expr,
        (source, target): (TyConId, TyConId),
        span: Span,
    ) -> Option<tast::Expr> {
        let way = self.way(target, source)?;
        let name = Name { text: Made::Cast.symbol(), span };
        let known = |it: &(TyConId, ViewInfo)| self.clef.members.contains_key(&(it.0, name.text));
        if way.is_empty() || !way.iter().all(known) {
            return None;
        }
        let mut cast = object.clone();
        for (class, _) in way.into_iter().rev() {
            let function = self.static_member(env, class, name)?;
            cast = self.call_one(function, cast, span);
        }
        Some(cast)
    }

    fn no_test(&mut self, from: TypeId, to: TypeId, span: Span) -> tast::Expr {
        let to = self.show(to);
        let reported = self.no_test_for(from, &to, span);
        self.error_expr(reported, span)
    }

    pub(super) fn no_test_for(&mut self, from: TypeId, to: &str, span: Span) -> Reported {
        let from = self.show(from);
        let construct = format!("a test whether a value of type `{from}` is a `{to}`");
        let report = Diagnostic::not_supported(span, &construct).note(
            "tests are there for exceptions, and for values of classes, of interfaces and of `obj`",
        );
        self.diagnostics.error(report)
    }

    /// `:? Circle as c` where objects of a class are matched: what the class makes of the object is an option.
    pub(in super::super) fn class_test(
        &mut self,
        env: &Env,
        tested: &ast::TypeExpr,
        name: Option<Name>,
        span: Span,
        (expect, bound): (Expect, &mut super::super::pattern::Bound),
    ) -> Option<tast::Pattern> {
        let (con, _) = self.head_con(expect.ty)?;
        let force = match self.tested_class(env, tested) {
            // It holds always, as in the `Equals` of a type, whose argument is one of the type.
            Some(target) if con == target => {
                let some = self.prelude_value("always")?;
                Some(self.value_expr(&some, span))
            }
            Some(target) if self.clef.views.contains(target) => {
                let function = self.cast_function(env, con, target, span);
                if let Some(function) = &function {
                    let wanted = self.type_expr(env, tested, Vars::Shared);
                    self.gives_option_of(function, wanted);
                }
                function
            }
            _ => None,
        };
        let force = match force {
            Some(force) => force,
            None if self.is_object_type(con) || self.is_class(con) => {
                let wanted = self.type_expr(env, tested, Vars::Shared);
                self.object_test(expect.ty, wanted, span)?
            }
            None => return None,
        };
        let (ty, option) = (self.fresh(), self.fresh());
        let wanted = self.arrow(Label::None, ty, option);
        self.unify(wanted, force.ty).ok()?;
        self.unify(ty, expect.ty).ok()?;
        let inner = match name {
            Some(name) => ast::PatternKind::Var(name),
            None => ast::PatternKind::Any,
        };
        let some = ast::Path::plain(super::name("Some", span));
        let inner = Box::new(ast::Pattern { kind: inner, span });
        let some = ast::Pattern { kind: ast::PatternKind::Construct(some, Some(inner)), span };
        let pattern = self.pattern(env, &some, Expect::plain(option), bound);
        let kind = tast::PatternKind::Lazy { force: Box::new(force), pattern: Box::new(pattern) };
        Some(tast::Pattern { kind, ty, span })
    }

    /// The type that a test names, if it is there.
    fn tested_class(&mut self, env: &Env, tested: &ast::TypeExpr) -> Option<TyConId> {
        let ast::TypeExprKind::Constr(path, _) = &tested.kind else { return None };
        let target = match &path.prefix {
            None => env.ty(path.name.text)?,
            Some(prefix) => {
                let structure = self.quiet_structure(env, prefix)?;
                structure.types.get(&path.name.text).copied()?
            }
        };
        Some(self.types.declaration(target))
    }
}
