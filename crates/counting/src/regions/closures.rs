//! Closures in regions, and their environments where these are objects of their own.
//!
//! ```text
//! %f = make_closure @add(%k)                             %f = region.closure in %r @add(%k)
//! %0 = env.new  %1 = env.capture %k in %0
//! %f = closure @add with %1                              %f = region.closure in %r @add(%k) {separate}
//! ```
//!
//! A closure in a region is called like any other. Calls lend it to its code, which must do
//! nothing with it but read captures (`quiet_env`); a call in tail position would hand it over, and one with
//! too few arguments would keep it in another closure, so both let it escape. What it captures is not in the region.

use oxbow_dialect::inspect::{definition, operands, uses_of};
use oxbow_dialect::melior::ir::ValueLike;
use oxbow_dialect::op::{Closure, DialectOp, MakeClosure, Opcode, Storage, View, code_of, view};
use oxbow_dialect::{Kind, OcamlType, Op, Val, result_of};

use super::builders::MOST_WORDS;
use crate::ir::{OpIr, Program, is_counted};

/// Does an op make a whole closure?
pub fn makes(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::MakeClosure | Opcode::Closure)
}

/// Can the closure that an op makes lie in a region?
pub fn is_placeable(program: &Program<'_>, op: &OpIr<'_>) -> bool {
    if !makes(op.opcode) || view(op.op).storage() != Some(Storage::Counted) {
        return false;
    }
    let Some(captures) = captures(op.op) else { return false };
    let words: usize = captures.iter().map(|it| 1 + pair(*it)).sum();
    // In an environment of its own, each is behind its kind.
    let most = if op.opcode == Opcode::Closure { (MOST_WORDS - 1) / 2 } else { MOST_WORDS - 1 };
    let function = &program.functions[program.by_name[code_of(op.op)]];
    !captures.is_empty() && words <= most && function.quiet_env
}

fn pair(value: Val<'_>) -> usize {
    usize::from(value.r#type().pair_parts().is_some())
}

/// Does the closure hold references?
pub fn holds_references(op: Op<'_>) -> bool {
    captures(op).is_none_or(|all| all.iter().any(|it| is_counted(it.r#type())))
}

/// What a closure captures, if its environment can be seen whole and nobody else has it.
pub fn captures<'c>(op: Op<'c>) -> Option<Vec<Val<'c>>> {
    if let Some(new) = MakeClosure::cast(op) {
        return Some(new.captures());
    }
    let mut captures: Vec<_> = environment(Closure::of(op))?
        .iter()
        .filter_map(|it| operands(*it).first().copied())
        .collect();
    captures.reverse();
    Some(captures)
}

/// The ops that make the environment of an `ocaml.closure`, the last first.
pub fn environment<'c>(closure: Closure<'c>) -> Option<Vec<Op<'c>>> {
    let mut found = Vec::new();
    let mut env = closure.env();
    loop {
        let op = definition(env)?;
        if uses_of(env).len() != 1 {
            return None;
        }
        found.push(op);
        match view(op) {
            View::EnvNew(_) => return Some(found),
            View::EnvCapture(it) => env = it.env(),
            _ => return None,
        }
    }
}

/// Does a call give its closure all arguments, so that no other closure keeps it?
pub fn is_whole_call(call: Op<'_>) -> bool {
    let all = operands(call);
    let (inputs, result) = all[0].r#type().signature();
    all.len() - 1 == inputs.len()
        && result.kind() != Kind::Closure
        && result_of(call, 0).r#type() == result
}
