//! Parts of a tree that several of its branches have in common.

use oxbow_base::{Id, IdMap, IdVec};

use super::tree::{Branch, Class, Part, SharedId, Tree};

/// Puts trees with one use in their places, and numbers the others.
pub(super) struct Sharing<'t> {
    pub(super) parts: Vec<Part<'t>>,
    pub(super) kept: IdMap<SharedId, SharedId>,
    pub(super) shared: IdVec<SharedId, Tree<'t>>,
}

impl<'t> Sharing<'t> {
    pub fn resolve(&mut self, tree: Tree<'t>) -> Tree<'t> {
        match tree {
            Tree::Fail => Tree::Fail,
            Tree::Leaf { arm, binds, otherwise } => {
                let otherwise = otherwise.map(|it| Box::new(self.resolve(*it)));
                Tree::Leaf { arm, binds, otherwise }
            }
            Tree::Open { place, con, parts, next } => {
                Tree::Open { place, con, parts, next: Box::new(self.resolve(*next)) }
            }
            Tree::Force { place, force, value, next } => {
                Tree::Force { place, force, value, next: Box::new(self.resolve(*next)) }
            }
            Tree::Switch { place, branches, default } => {
                let branches = branches
                    .into_iter()
                    .map(|it| Branch { tree: self.resolve(it.tree), ..it })
                    .collect();
                let default = default.map(|it| Box::new(self.resolve(*it)));
                Tree::Switch { place, branches, default }
            }
            Tree::Chars { place, classes } => {
                let classes = classes
                    .into_iter()
                    .map(|it| Class { tree: self.resolve(it.tree), ..it })
                    .collect();
                Tree::Chars { place, classes }
            }
            Tree::Shared(id) => {
                if let Some(&kept) = self.kept.get(id) {
                    return Tree::Shared(kept);
                }
                let part = &mut self.parts[id.index()];
                let (uses, tree) = (part.uses, std::mem::replace(&mut part.tree, Tree::Fail));
                let tree = self.resolve(tree);
                if uses == 1 {
                    return tree;
                }
                let kept = self.shared.push(tree);
                self.kept.insert(id, kept);
                Tree::Shared(kept)
            }
        }
    }
}
