//! Lines of a computation that are values: they are yielded without the word, as F# does where the builder has `Yield`,
//! `Combine`, `Delay` and `Zero`, and no line has a `yield`.
//!
//! ```text
//! div { "text"; rest }    b.Combine(b.Yield "text", b.Delay(fun () -> rest))
//! div { print x; rest }   print x; rest                                         where the line is of `unit`
//! ```
//!
//! The type of the line decides, so the translation leaves a call of a function that nobody can name.

use oxbow_base::Symbol;

use crate::ast::{self, ArgLabel, Expr, ExprKind, Name};
use crate::tast;

use super::super::env::Env;
use super::super::{Expect, Infer};
use super::{apply, construct, library, node};

const LINE: &str = "implicit_line";

/// A line, and the function of unit that gives what follows it.
pub(super) fn line(builder: &Expr, value: &Expr, rest: Option<Expr>) -> Expr {
    let args = [builder.clone(), value.clone()].into_iter().chain(rest).collect();
    apply(library(LINE, value.span), args, value.span)
}

impl Infer<'_> {
    /// What `line` has made.
    pub(super) fn implicit_line(
        &mut self,
        env: &Env,
        func: &Expr,
        args: &[(ArgLabel, Expr)],
        expect: Expect,
    ) -> Option<tast::Expr> {
        let ExprKind::Ident(path) = &func.kind else { return None };
        if path.name.text.as_str() != LINE || !super::is_library(func) {
            return None;
        }
        let [(_, builder), (_, value), rest @ ..] = args else { return None };
        let ty = self.fresh();
        let typed = self.expr(env, value, Expect::plain(ty));
        let is_unit = self.head_con(typed.ty).is_some_and(|it| it.0 == self.builtins.unit_con);
        let span = value.span;
        let call = |method: &str, args: Vec<Expr>| {
            let path = ast::Path::plain(Name { text: Symbol::new(method), span });
            let function = node(ExprKind::Field(Box::new(builder.clone()), path), span);
            let arg = match args.as_slice() {
                [] => construct("()", None, span),
                [one] => one.clone(),
                _ => node(ExprKind::Tuple(args), span),
            };
            apply(function, vec![arg], span)
        };
        let rest = rest.first().map(|it| &it.1);
        Some(self.with_typed(env, typed, super::typed("value"), |cx, env, value| {
            let made = match (is_unit, rest) {
                (true, None) => call("Zero", Vec::new()),
                (true, Some(rest)) => match &rest.kind {
                    ExprKind::Fun(_, _, body) => (**body).clone(),
                    _ => rest.clone(),
                },
                (false, None) => call("Yield", vec![value]),
                (false, Some(rest)) => {
                    let rest = call("Delay", vec![rest.clone()]);
                    call("Combine", vec![call("Yield", vec![value]), rest])
                }
            };
            cx.expr(env, &made, expect)
        }))
    }
}
