//! Answers whether the program starts domains or threads, where the library asks (`%domain.any`), and leaves out locks
//! of channels if it does not.
//!
//! ```text
//! before   if domain_any () then locked () else plain ()      lock 0; write (); unlock 0      no `known domain`
//! after    plain ()                                           write ()
//! ```
//!
//! All that can be reached has been copied, so `%domain.spawn` is there or not. This is done at once: a program without
//! domains is what it was before the library asked.

use oxbow_psg::{Const, Mono, NodeId, NodeKind, Prim, Program};

pub fn run(program: &mut Program<Mono>) {
    let answer = program.well_known.domain.is_some();
    // What a node is may show only when those below it have been seen to.
    loop {
        let mut changed = false;
        for node in program.nodes.ids() {
            changed |= fold_test(program, node, answer);
            if !answer {
                changed |= leave_out_locks(program, node);
            }
        }
        if !changed {
            break;
        }
    }
    for node in program.nodes.ids() {
        if is(program, node, &[Prim::DomainAny]) {
            program.nodes[node].kind = NodeKind::Const(Const::Bool(answer));
        } else if !answer && is(program, node, &LOCKS) {
            program.nodes[node].kind = NodeKind::Const(Const::Unit);
        }
    }
}

const LOCKS: [Prim; 2] = [Prim::ChannelsLock, Prim::ChannelsUnlock];

fn is(program: &Program<Mono>, node: NodeId, prims: &[Prim]) -> bool {
    matches!(&program.nodes[node].kind, NodeKind::Prim { prim, .. } if prims.contains(prim))
}

/// A test of the answer becomes the branch that is taken.
fn fold_test(program: &mut Program<Mono>, node: NodeId, answer: bool) -> bool {
    match program.nodes[node].kind {
        NodeKind::If { cond, then, otherwise } if is(program, cond, &[Prim::DomainAny]) => {
            let taken = if answer { then } else { otherwise };
            program.nodes[node].kind = program.nodes[taken].kind.clone();
            true
        }
        _ => false,
    }
}

/// A sequence goes without its locks; `let x = e in unlock; x` becomes `e`.
fn leave_out_locks(program: &mut Program<Mono>, node: NodeId) -> bool {
    match &program.nodes[node].kind {
        NodeKind::Seq(parts) => {
            let kept: Vec<NodeId> =
                parts.iter().copied().filter(|&it| !is(program, it, &LOCKS)).collect();
            if kept.len() == parts.len() {
                return false;
            }
            program.nodes[node].kind = match kept[..] {
                [] => NodeKind::Const(Const::Unit),
                [single] => program.nodes[single].kind.clone(),
                _ => NodeKind::Seq(kept),
            };
            true
        }
        &NodeKind::Let { var, value, body } => {
            let NodeKind::Seq(parts) = &program.nodes[body].kind else { return false };
            let [unlock, result] = parts[..] else { return false };
            let is_var =
                matches!(program.nodes[result].kind, NodeKind::Var { var: it, .. } if it == var);
            if !is_var || !is(program, unlock, &LOCKS) {
                return false;
            }
            program.nodes[node].kind = program.nodes[value].kind.clone();
            true
        }
        _ => false,
    }
}
