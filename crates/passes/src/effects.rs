//! What code may do besides computing its value, and how large it is.

use oxbow_psg::{Effect, Mono, NodeId, NodeKind, Program};

/// Code that is looked at for effects; more is taken to have some.
const LIMIT: usize = 500;

/// The node can be left out if its value is not used: no writes, no calls, no
/// exceptions, no loops.
pub(crate) fn droppable(program: &Program<Mono>, node: NodeId) -> bool {
    let mut work = vec![node];
    let mut count = 0;
    while let Some(node) = work.pop() {
        count += 1;
        if count > LIMIT {
            return false;
        }
        let kind = &program.nodes[node].kind;
        match kind {
            NodeKind::Prim { prim, .. } if prim.effect() == Effect::Write => return false,
            NodeKind::Const(_)
            | NodeKind::Var { .. }
            | NodeKind::Lambda(_)
            | NodeKind::Prim { .. }
            | NodeKind::Let { .. }
            | NodeKind::LetRec { .. }
            | NodeKind::Seq(_)
            | NodeKind::If { .. }
            | NodeKind::Switch { .. }
            | NodeKind::Tuple(_)
            | NodeKind::TupleGet { .. }
            | NodeKind::Record(_)
            | NodeKind::Construct { .. }
            | NodeKind::Field { .. }
            | NodeKind::Array(_)
            | NodeKind::MakeExn { .. }
            | NodeKind::ExnField { .. } => (),
            NodeKind::Apply { .. }
            | NodeKind::Assign { .. }
            | NodeKind::While { .. }
            | NodeKind::For { .. }
            | NodeKind::SetField { .. }
            | NodeKind::Raise(_)
            | NodeKind::Try { .. }
            | NodeKind::Join { .. }
            | NodeKind::Jump { .. } => return false,
        }
        kind.for_each_child(|it| work.push(it));
    }
    true
}

/// How much code the node stands for, lambdas included; counting stops above `limit`.
pub(crate) fn size(program: &Program<Mono>, node: NodeId, limit: u32) -> u32 {
    let mut work = vec![node];
    let mut size = 0;
    while let Some(node) = work.pop() {
        let kind = &program.nodes[node].kind;
        match kind {
            NodeKind::Const(_) | NodeKind::Var { .. } | NodeKind::Let { .. } | NodeKind::Seq(_) => {
            }
            NodeKind::Lambda(lambda) => {
                size += 2;
                work.push(program.lambdas[*lambda].body);
            }
            NodeKind::Apply { args, .. } => size += 2 + args.len() as u32 / 2,
            NodeKind::Switch { cases, .. } => size += 1 + cases.len() as u32 / 2,
            NodeKind::Try { .. } => size += 4,
            _ => size += 1,
        }
        if size > limit {
            return size;
        }
        kind.for_each_child(|it| work.push(it));
    }
    size
}
