//! Types of one name with different numbers of parameters, which F# tells apart, and records whose types are named.
//!
//! ```text
//! type Event = Started | Stopped
//! let changed = Event<Event>()      the library's `Event<'T>`, of the program's `Event`
//! ```
//!
//! A name in scope means the latest type. The ones that it hides are remembered by their number of parameters, and
//! are meant where the latest one cannot be.

use oxbow_base::{Made, Span, Symbol};

use crate::ast::{self, ArgLabel, ExprKind, ModulePath, Path};
use crate::tast;
use crate::types::{TyConId, Type};

use super::super::env::Env;
use super::super::typexpr::Vars;
use super::super::{Expect, Infer};

impl Infer<'_> {
    /// A type of this name is about to hide another one.
    pub(in super::super) fn note_hidden_type(&mut self, env: &Env, name: Symbol, params: usize) {
        let Some(before) = env.ty(name).filter(|_| self.is_clef()) else { return };
        let count = self.types.tycons[before].params.len();
        if count != params {
            self.clef.hidden_types.insert((name, count), before);
        }
    }

    /// The type that a name means with so many arguments.
    pub(in super::super) fn with_arity(
        &self,
        found: TyConId,
        path: &Path,
        count: usize,
    ) -> TyConId {
        if self.types.tycons[found].params.len() == count || path.prefix.is_some() {
            return found;
        }
        self.clef.hidden_types.get(&(path.name.text, count)).copied().unwrap_or(found)
    }

    /// `Point` of `{ Point.X = 1 }`: the record type of this name, if it has the field.
    pub(in super::super) fn record_called(
        &self,
        env: &Env,
        path: &ModulePath,
        field: Symbol,
    ) -> Option<TyConId> {
        if !self.is_clef() {
            return None;
        }
        let tycon = match path {
            ModulePath::Name(name) => env.ty(name.text)?,
            ModulePath::Dot(module, name) => {
                *self.quiet_structure(env, module)?.types.get(&name.text)?
            }
            _ => return None,
        };
        let con = self.types.declaration(tycon);
        self.fields_of(con).iter().any(|it| it.name == field).then_some(con)
    }

    /// `HashSet<int>([1; 2])`: the arguments choose the form, and the type arguments say what is made.
    pub(super) fn made_at(
        &mut self,
        env: &Env,
        (name, given): (&ast::Expr, &[ast::TypeExpr]),
        args: &[(ArgLabel, ast::Expr)],
        span: Span,
        expect: Expect,
    ) -> Option<tast::Expr> {
        let other = self.type_of_arity(env, name, given.len(), span);
        let (scope, name) = match &other {
            Some((scope, name)) => (scope, name),
            None => (env, name),
        };
        let tycon = self.constructed(scope, name)?;
        if self.types.tycons[tycon].params.len() != given.len() {
            return None;
        }
        let given = given.iter().map(|it| self.type_expr(env, it, Vars::Shared)).collect();
        let made = self.types.add(Type::Con(tycon, given));
        let mut typed = self.apply(scope, name, args, span, Expect::plain(made));
        if !self.expect(expect, typed.ty, span) {
            typed.ty = self.builtins.error;
        }
        Some(typed)
    }

    /// `Event<int>` where the latest `Event` has no parameter: a name for the one that has, in a scope of its own.
    pub(super) fn type_of_arity(
        &mut self,
        env: &Env,
        name: &ast::Expr,
        count: usize,
        span: Span,
    ) -> Option<(Env, ast::Expr)> {
        let ExprKind::Ident(path) = &name.kind else { return None };
        let latest = env.ty(path.name.text)?;
        let meant = self.with_arity(latest, path, count);
        if meant == latest {
            return None;
        }
        let other = super::made(Made::Of(Symbol::new("hidden"), path.name.text), span);
        let mut inner = env.clone();
        inner.add_type(other.text, meant);
        Some((inner, super::ident(other)))
    }
}
