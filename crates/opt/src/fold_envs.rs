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

use oxbow_dialect::inspect::{
    body_ops, definition, name_of, operands, string_attr, symbol_attr, uses_of,
};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::{Module, ValueLike};
use oxbow_dialect::{Op, Val, result_of};

use crate::module::View;
use crate::rewrite::{Patterns, Rewriter};

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let view = View::new(module, context);
    let mut ops = view.funcs.iter().flat_map(|it| body_ops(*it));
    if !ops.any(|it| name_of(it) == "ocaml.closure") {
        return;
    }
    Patterns::new(context).add("ocaml.closure", closure).apply(module);
}

fn closure<'c>(rewriter: &Rewriter<'c>, op: Op<'c>) -> bool {
    let env = operands(op)[0];
    match gathered(env) {
        Some(values) => {
            let attributes = [
                ("func", rewriter.build.symbol(symbol_attr(op, "func"))),
                ("storage", rewriter.build.string(string_attr(op, "storage"))),
            ];
            let ty = result_of(op, 0).r#type();
            let closure = rewriter.value("ocaml.make_closure", &values, ty, &attributes);
            rewriter.replace(op, &[closure]);
            true
        }
        None => declared(rewriter, op, env),
    }
}

/// What an environment holds that is put together in this function.
pub fn gathered<'c>(env: Val<'c>) -> Option<Vec<Val<'c>>> {
    let mut values = Vec::new();
    let mut env = env;
    loop {
        let op = definition(env)?;
        match name_of(op) {
            "ocaml.env.capture" => {
                let parts = operands(op);
                values.push(parts[0]);
                env = parts[1];
            }
            "ocaml.env.new" => {
                values.reverse();
                return Some(values);
            }
            _ => return None,
        }
    }
}

/// A closure over a declared environment that belongs to it alone.
fn declared<'c>(rewriter: &Rewriter<'c>, op: Op<'c>, env: Val<'c>) -> bool {
    let Some(declare) = definition(env).filter(|it| name_of(*it) == "ocaml.env.declare") else {
        return false;
    };
    let func = symbol_attr(op, "func");
    if symbol_attr(declare, "func") != func {
        return false;
    }
    let mut fills = Vec::new();
    for (user, _) in uses_of(env) {
        match name_of(user) {
            "ocaml.env.fill" => fills.push(user),
            "ocaml.closure" if user == op => (),
            _ => return false,
        }
    }
    let attributes = [
        ("func", rewriter.build.symbol(func)),
        ("storage", rewriter.build.string(string_attr(op, "storage"))),
    ];
    let ty = result_of(op, 0).r#type();
    let closure = rewriter.value("ocaml.closure.declare", &[], ty, &attributes);
    for fill in fills {
        rewriter.move_before(fill);
        let mut values = vec![closure];
        values.extend(&operands(fill)[1..]);
        let attributes = [("func", rewriter.build.symbol(func))];
        rewriter.op("ocaml.closure.fill", &values, &[], &attributes);
        rewriter.erase(fill);
    }
    rewriter.replace(op, &[closure]);
    true
}
