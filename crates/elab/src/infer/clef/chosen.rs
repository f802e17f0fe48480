//! Arguments that choose among methods of one name.
//!
//! ```text
//! (f x).Split(g y)   ⇒  let object = f x in let argument = g y in object.Split(argument)
//! ```
//!
//! Which `Split` is meant depends on the type of `g y`, which does not show in the text. So the argument is inferred
//! first and gets a name; the object gets one before it, since it is evaluated before. Arguments whose types show, or
//! that take their types from the method (functions), stay where they are.

use oxbow_base::{Made, Span, Symbol};

use crate::ast::{self, ArgLabel, ExprKind};
use crate::tast;

use super::super::env::Env;
use super::super::{Expect, Infer};

/// A call whose object and arguments are being named.
struct Call<'a> {
    func: ast::Expr,
    args: &'a [(ArgLabel, ast::Expr)],
    /// Arguments that have their final form.
    done: Vec<ast::Expr>,
    span: Span,
    expect: Expect,
}

impl Infer<'_> {
    /// The call with its arguments named, if only their types tell which method is meant.
    pub(super) fn call_by_types(
        &mut self,
        env: &Env,
        func: &ast::Expr,
        args: &[(ArgLabel, ast::Expr)],
        span: Span,
        expect: Expect,
    ) -> Option<tast::Expr> {
        let ExprKind::Field(object, path) = &func.kind else { return None };
        let [(_, arg)] = args else { return None };
        let items = items(arg);
        if !self.is_chosen_by_type(path.name.text, items.len())
            || self.is_module_value(env, object, path.name.text)
            || !items.iter().any(|it| self.hides_its_type(env, it))
        {
            return None;
        }
        let call = Call { func: func.clone(), args, done: Vec::new(), span, expect };
        if is_chain(object) {
            return Some(self.name_arguments(env, call));
        }
        let ty = self.fresh();
        let typed = self.expr(env, object, Expect::plain(ty));
        let path = path.clone();
        Some(self.with_typed(env, typed, Made::Object, |this, env, mention| {
            let kind = ExprKind::Field(Box::new(mention), path);
            let func = super::node(kind, call.func.span);
            this.name_arguments(env, Call { func, ..call })
        }))
    }

    fn name_arguments(&mut self, env: &Env, mut call: Call) -> tast::Expr {
        let whole = &call.args[0].1;
        let items = items(whole);
        let Some(&next) = items.get(call.done.len()) else {
            let arg = match call.done.len() {
                1 => call.done.remove(0),
                _ => super::node(ExprKind::Tuple(call.done), whole.span),
            };
            return self.apply(env, &call.func, &[(ArgLabel::None, arg)], call.span, call.expect);
        };
        if !self.hides_its_type(env, next) {
            call.done.push(next.clone());
            return self.name_arguments(env, call);
        }
        let ty = self.fresh();
        let typed = self.expr(env, next, Expect::plain(ty));
        self.with_typed(env, typed, super::typed("argument"), |this, env, mention| {
            call.done.push(mention);
            this.name_arguments(env, call)
        })
    }

    /// Has a type several methods of this name with this many parameters?
    fn is_chosen_by_type(&self, name: Symbol, count: usize) -> bool {
        self.clef.members.iter().any(|((_, it), infos)| {
            *it == name && infos.iter().filter(|it| it.params == Some(count)).count() > 1
        })
    }

    /// `Module.name`, which is no method.
    fn is_module_value(&self, env: &Env, object: &ast::Expr, name: Symbol) -> bool {
        super::apply::module_path(env, object)
            .and_then(|path| self.quiet_structure(env, &path))
            .is_some_and(|it| it.values.contains_key(&name) || it.ctors.contains_key(&name))
    }

    /// Must this argument be inferred before its type is known?
    fn hides_its_type(&mut self, env: &Env, arg: &ast::Expr) -> bool {
        let stays = matches!(
            arg.kind,
            ExprKind::Ident(_)
                | ExprKind::Constant(_)
                | ExprKind::Fun(..)
                | ExprKind::Function(..)
                | ExprKind::AddressOf(_)
                | ExprKind::Error(_)
        );
        !stays && self.known_shape(env, arg).is_none()
    }
}

fn items(arg: &ast::Expr) -> Vec<&ast::Expr> {
    match &arg.kind {
        ExprKind::Tuple(items) => items.iter().collect(),
        _ => vec![arg],
    }
}

/// `a.b.c`: names of modules, types and values, which do nothing.
fn is_chain(object: &ast::Expr) -> bool {
    match &object.kind {
        ExprKind::Ident(_) | ExprKind::Constant(_) => true,
        ExprKind::Field(inner, _) | ExprKind::TypeApply(inner, _) => is_chain(inner),
        _ => false,
    }
}
