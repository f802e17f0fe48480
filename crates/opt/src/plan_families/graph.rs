//! What follows from what, among functions and families.

use oxbow_dialect::melior::ir::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::objects::type_key;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node<'c> {
    Function(&'c str),
    /// All closures of a type.
    Family(usize),
}

impl Node<'_> {
    pub fn family(ty: Type<'_>) -> Self {
        Self::Family(type_key(ty))
    }
}

#[derive(Default)]
pub struct Graph<'c> {
    edges: FxHashMap<Node<'c>, Vec<Node<'c>>>,
    reached: FxHashSet<Node<'c>>,
    work: Vec<Node<'c>>,
}

impl<'c> Graph<'c> {
    pub fn implies(&mut self, cause: Node<'c>, effect: Node<'c>) {
        self.edges.entry(cause).or_default().push(effect);
    }

    pub fn agree(&mut self, a: Node<'c>, b: Node<'c>) {
        self.implies(a, b);
        self.implies(b, a);
    }

    pub fn start(&mut self, node: Node<'c>) {
        if self.reached.insert(node) {
            self.work.push(node);
        }
    }

    /// Follows the edges.
    pub fn close(&mut self) {
        while let Some(node) = self.work.pop() {
            for next in self.edges.get(&node).cloned().unwrap_or_default() {
                self.start(next);
            }
        }
    }

    pub fn reaches(&self, node: Node<'c>) -> bool {
        self.reached.contains(&node)
    }
}
