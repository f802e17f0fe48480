//! `match` and `try` with cases for effects.
//!
//! ```text
//! (match e with v -> a | effect E, k -> c : t)
//! Effect.Deep.match_with (fun () -> e) () { retc; exnc; effc }      the parser's
//! ```
//!
//! The answer of every case is the answer of the whole, and what is expected of that is known to the cases: their
//! types are inferred as those of a `match` are, not as arguments of a call. The variable of `effc`'s polymorphic
//! type is a locally abstract type in them (`infer/poly_field`).

use oxbow_base::Span;

use crate::ast::{self, ExprKind};
use crate::tast;
use crate::types::Type;

use super::env::Env;
use super::{Expect, Infer};

impl Infer<'_> {
    pub(super) fn handle_expr(
        &mut self,
        env: &Env,
        call: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let ExprKind::Apply(func, args) = &call.kind else { return self.expr(env, call, expect) };
        self.scopes.parts.insert(span);
        let ty = self.fresh();
        let func = self.expr(env, func, Expect::plain(ty));
        let mut answer = func.ty;
        for _ in args {
            answer = self.types.expand(answer);
            let Type::Arrow(_, _, result) = self.types.nodes[answer] else { break };
            answer = result;
        }
        // The answer is a new variable, so that only what would be wrong anyhow does not fit.
        let _ = self.unify(expect.ty, answer);
        self.apply_typed(env, func, None, args, span, expect)
    }
}
