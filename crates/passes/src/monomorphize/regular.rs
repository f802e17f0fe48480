//! Types whose parts have ever larger types: `type 'a t = Nil | One of 'a * ('a * 'a) t`.
//!
//! Each instance of such a type would have a representation of its own and need the next one, without end. So its
//! parameter is held in uniform form in all of them (`facts`), and there is one instance.

use oxbow_base::IdSet;
use oxbow_diag::limits;
use oxbow_psg::{DataKind, Ty, TyId};

use super::Context;

impl Context<'_> {
    /// How deep the parts of a type stand in it.
    pub(super) fn depth(&mut self, ty: TyId) -> usize {
        if let Some(&known) = self.depths.get(ty) {
            return known;
        }
        let parts: Vec<TyId> = self.out.types.get(ty).parts().collect();
        let depth = parts.into_iter().map(|it| self.depth(it) + 1).max().unwrap_or(0);
        self.depths.insert(ty, depth);
        depth
    }

    /// Begins anew with uniform parts if a type that was reached from one of the depth `base` shows that the types
    /// grow.
    pub(super) fn check_growth(&mut self, ty: TyId, base: usize) {
        let Ty::Data(data, args) = self.out.types.get(ty).clone() else { return };
        if self.depth(ty) > base + limits::TYPE_GROWTH.most {
            self.learn_regular(data, &args);
        }
    }

    /// Finds values whose types never end.
    pub(super) fn check_regular(&mut self) {
        let mut seen: IdSet<TyId> = IdSet::new();
        let nodes: Vec<TyId> = self.out.nodes.values().map(|it| it.ty).collect();
        for root in nodes {
            let base = self.depth(root);
            let mut todo = vec![root];
            while let Some(ty) = todo.pop() {
                if self.gave_up || !seen.insert(ty) {
                    continue;
                }
                todo.extend(self.out.types.get(ty).parts());
                if let Ty::Data(data, _) = *self.out.types.get(ty) {
                    self.check_growth(ty, base);
                    let count = match &self.out.types.datas[data].kind {
                        DataKind::Record(_) => 1,
                        DataKind::Variant(ctors) => ctors.len(),
                    };
                    for ctor in 0..count {
                        todo.extend(self.field_types(ty, ctor));
                    }
                }
            }
        }
    }
}
