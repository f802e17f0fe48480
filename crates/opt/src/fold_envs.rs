//! Environments that can be seen from their making to the closure over them become one op.
//!
//! ```text
//! before   %0 = env.new   %1 = env.capture %k in %0   %f = closure @add with %1
//! after    %f = make_closure @add(%k)
//!
//! before   %e = env.declare @f   %f = closure @f with %e   env.fill @f, %e(%g)
//! after    %f = closure.declare @f   closure.fill @f, %f(%g)
//! ```
//!
//! An environment has no identity that a program could see, so each closure may hold a copy. Those
//! that come from elsewhere (an argument, a call) stay.

use oxbow_dialect::Val;
use oxbow_dialect::inspect::{body_ops, definition, uses_of};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::{Module, ValueLike};
use oxbow_dialect::op::{
    Closure, ClosureDeclare, ClosureFill, DialectOp, EnvDeclare, MakeClosure, Opcode, View, opcode,
    view,
};

use crate::module::Declarations;
use crate::rewrite::{Patterns, Rewriter};

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let module_view = Declarations::new(module, context);
    let mut ops = module_view.funcs.iter().flat_map(|it| body_ops(it.op()));
    if !ops.any(|it| opcode(it) == Opcode::Closure) {
        return;
    }
    Patterns::new(context).add(closure).apply(module);
}

fn closure<'c>(rewriter: &Rewriter<'c>, op: Closure<'c>) -> bool {
    let Some(values) = gathered(op.env()) else { return declared(rewriter, op) };
    let ty = op.closure().r#type();
    let closure = rewriter.value(&MakeClosure::draft(op.func(), &values, op.storage(), ty));
    rewriter.replace(op.op(), &[closure]);
    true
}

/// What an environment holds that is put together in this function.
pub fn gathered<'c>(env: Val<'c>) -> Option<Vec<Val<'c>>> {
    let mut values = Vec::new();
    let mut env = env;
    loop {
        let op = definition(env)?;
        match view(op) {
            View::EnvCapture(it) => {
                values.push(it.value());
                env = it.env();
            }
            View::EnvNew(_) => {
                values.reverse();
                return Some(values);
            }
            _ => return None,
        }
    }
}

/// A closure over a declared environment that belongs to it alone.
fn declared<'c>(rewriter: &Rewriter<'c>, op: Closure<'c>) -> bool {
    let Some(declare) = EnvDeclare::defining(op.env()) else { return false };
    if declare.func() != op.func() {
        return false;
    }
    let mut fills = Vec::new();
    for (user, _) in uses_of(op.env()) {
        match view(user) {
            View::EnvFill(fill) => fills.push(fill),
            View::Closure(it) if it == op => (),
            _ => return false,
        }
    }
    let ty = op.closure().r#type();
    let closure = rewriter.value(&ClosureDeclare::draft(op.func(), op.storage(), ty));
    for fill in fills {
        rewriter.move_before(fill.op());
        rewriter.op(&ClosureFill::draft(op.func(), closure, &fill.captures()));
        rewriter.erase(fill.op());
    }
    rewriter.replace(op.op(), &[closure]);
    true
}
