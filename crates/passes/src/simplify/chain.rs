//! Long chains of bindings, which move as a whole.
//!
//! ```text
//! f (let a = … in let b = … in g x)   ⇒   let a = … in let b = … in let y = g x in …
//! ```
//!
//! Values in values in values would be taken apart and put together again at each level (decision 170). A chain keeps
//! its nodes; only the result within changes. Bindings in it that are no longer used stay until the next round.

use oxbow_diag::ice;
use oxbow_psg::{NodeId, NodeKind};

use super::Simplify;

/// Shorter chains are taken apart where they move, which drops bindings that are no longer used.
pub(super) const LONG_CHAIN: usize = 100;

/// Bindings around each other, from the outermost to the innermost, a `Let` around the result and nothing else.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    pub first: NodeId,
    pub last: NodeId,
}

impl Simplify {
    /// Puts another result into a chain.
    pub(super) fn put_into(&mut self, chain: Chain, result: NodeId) -> NodeId {
        let ty = self.program.ty(result);
        let mut at = chain.first;
        while self.program.ty(at) != ty {
            self.program.nodes[at].ty = ty;
            if at == chain.last {
                break;
            }
            at = match self.kind(at) {
                NodeKind::Let { body, .. } | NodeKind::LetRec { body, .. } => *body,
                NodeKind::Seq(items) => items[items.len() - 1],
                _ => ice!("{at} is in no chain"),
            };
        }
        match &mut self.program.nodes[chain.last].kind {
            NodeKind::Let { body, .. } => *body = result,
            _ => ice!("{} ends no chain", chain.last),
        }
        chain.first
    }
}
