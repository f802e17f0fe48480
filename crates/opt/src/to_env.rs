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

use oxbow_dialect::inspect::{definition, name_of, operands, string_attr, symbol_attr};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::{Module, ValueLike};
use oxbow_dialect::{Op, Val, result_of};

use crate::rewrite::{Patterns, Rewriter};

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    Patterns::new(context)
        .add("ocaml.make_closure", make_closure)
        .add("ocaml.closure.declare", declare)
        .add("ocaml.closure.fill", fill)
        .apply(module);
}

fn make_closure<'c>(rewriter: &Rewriter<'c>, op: Op<'c>) -> bool {
    let captures = operands(op);
    if captures.is_empty() {
        return false;
    }
    let env_type = rewriter.build.types.env;
    let storage = [("storage", rewriter.build.string(string_attr(op, "storage")))];
    let mut env = rewriter.value("ocaml.env.new", &[], env_type, &storage);
    for value in captures {
        env = rewriter.value("ocaml.env.capture", &[value, env], env_type, &[]);
    }
    close_over(rewriter, op, env);
    true
}

fn declare<'c>(rewriter: &Rewriter<'c>, op: Op<'c>) -> bool {
    let attributes = [
        ("func", rewriter.build.symbol(symbol_attr(op, "func"))),
        ("storage", rewriter.build.string(string_attr(op, "storage"))),
    ];
    let env = rewriter.value("ocaml.env.declare", &[], rewriter.build.types.env, &attributes);
    close_over(rewriter, op, env);
    true
}

/// Replaces an op that makes a closure by one over `env`.
fn close_over<'c>(rewriter: &Rewriter<'c>, op: Op<'c>, env: Val<'c>) {
    let attributes = [
        ("func", rewriter.build.symbol(symbol_attr(op, "func"))),
        ("storage", rewriter.build.string(string_attr(op, "storage"))),
    ];
    let ty = result_of(op, 0).r#type();
    let closure = rewriter.value("ocaml.closure", &[env], ty, &attributes);
    rewriter.replace(op, &[closure]);
}

/// Waits until the closure that it fills is over a declared environment.
fn fill<'c>(rewriter: &Rewriter<'c>, op: Op<'c>) -> bool {
    let values = operands(op);
    let Some(closure) = definition(values[0]).filter(|it| name_of(*it) == "ocaml.closure") else {
        return false;
    };
    let mut operands_of_fill = vec![operands(closure)[0]];
    operands_of_fill.extend(&values[1..]);
    let attributes = [("func", rewriter.build.symbol(symbol_attr(op, "func")))];
    rewriter.op("ocaml.env.fill", &operands_of_fill, &[], &attributes);
    rewriter.erase(op);
    true
}
