//! The strategy `env`: closures over environments that are objects of their own.
//!
//! ```text
//! before   %f = make_closure @add(%k)
//! after    %0 = env.new   %1 = env.capture %k in %0   %f = closure @add with %1
//! ```
//!
//! Recursive groups are built in two phases, since their environments hold closures that do not
//! exist yet:
//!
//! ```text
//! before   %f = closure.declare @f         closure.fill @f, %f(%g)
//! after    %e = env.declare @f   %f = closure @f with %e         env.fill @f, %e(%g)
//! ```

use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::{Module, ValueLike};
use oxbow_dialect::op::{
    Closure, ClosureDeclare, ClosureFill, DialectOp, EnvCapture, EnvDeclare, EnvFill, EnvNew,
    MakeClosure, Storage,
};
use oxbow_dialect::{Op, Val, result_of};

use crate::rewrite::{Patterns, Rewriter};

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    Patterns::new(context).add(make_closure).add(declare).add(fill).apply(module);
}

fn make_closure<'c>(rewriter: &Rewriter<'c>, op: MakeClosure<'c>) -> bool {
    let captures = op.captures();
    if captures.is_empty() {
        return false;
    }
    let mut env = rewriter.value(&EnvNew::draft(op.storage()));
    for value in captures {
        env = rewriter.value(&EnvCapture::draft(value, env));
    }
    close_over(rewriter, op.op(), op.func(), op.storage(), env);
    true
}

fn declare<'c>(rewriter: &Rewriter<'c>, op: ClosureDeclare<'c>) -> bool {
    let env = rewriter.value(&EnvDeclare::draft(op.func(), op.storage()));
    close_over(rewriter, op.op(), op.func(), op.storage(), env);
    true
}

/// Replaces an op that makes a closure by one over `env`.
fn close_over<'c>(rewriter: &Rewriter<'c>, op: Op<'c>, func: &str, storage: Storage, env: Val<'c>) {
    let ty = result_of(op, 0).r#type();
    let closure = rewriter.value(&Closure::draft(func, env, storage, ty));
    rewriter.replace(op, &[closure]);
}

/// Waits until the closure that it fills is over a declared environment.
fn fill<'c>(rewriter: &Rewriter<'c>, op: ClosureFill<'c>) -> bool {
    let Some(closure) = Closure::defining(op.closure()) else { return false };
    rewriter.op(&EnvFill::draft(op.func(), closure.env(), &op.captures()));
    rewriter.erase(op.op());
    true
}
