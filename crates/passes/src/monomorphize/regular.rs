//! Types whose parts have ever larger types: `type 'a t = Nil | One of 'a * ('a * 'a) t`.
//!
//! Each instance of such a type has a representation of its own and needs the next one, without end. Values of it are refused
//! (`E0901`), and so are functions that are generated for its instances.

use oxbow_base::{IdSet, Span};
use oxbow_diag::{Diagnostic, limits};
use oxbow_psg::{DataKind, Ty, TyId};

use super::Context;

impl Context<'_> {
    /// How deep the parts of a type stand in it.
    pub(super) fn depth(&mut self, ty: TyId) -> usize {
        if let Some(&known) = self.depths.get(ty) {
            return known;
        }
        let depth = self.parts(ty).into_iter().map(|it| self.depth(it) + 1).max().unwrap_or(0);
        self.depths.insert(ty, depth);
        depth
    }

    /// The types that a type is made of.
    fn parts(&self, ty: TyId) -> Vec<TyId> {
        match self.out.types.get(ty) {
            Ty::Tuple(items) | Ty::Data(_, items) => items.clone(),
            Ty::Fn(param, result) => vec![*param, *result],
            Ty::Array(item) => vec![*item],
            Ty::Unit
            | Ty::Bool
            | Ty::Char
            | Ty::Int(_)
            | Ty::Float
            | Ty::Float32
            | Ty::String
            | Ty::Bytes
            | Ty::Exn
            | Ty::Uniform
            | Ty::Var(_) => Vec::new(),
        }
    }

    /// Gives up if a type that was reached from one of the depth `base` shows that the types grow.
    pub(super) fn check_growth(&mut self, ty: TyId, base: usize, what: &str, span: Span) {
        if self.depth(ty) <= base + limits::TYPE_GROWTH.most {
            return;
        }
        let name = match self.out.types.get(ty) {
            Ty::Data(data, _) => format!("the type `{}`", self.out.types.datas[*data].name),
            _ => "a type".to_string(),
        };
        let message =
            format!("not supported yet: {what} of {name}, whose parts have ever larger types");
        let report = Diagnostic::error("E0901", message);
        self.give_up(report.at(span, "each part is of another type"));
    }

    /// Refuses values whose types never end.
    pub(super) fn check_regular(&mut self) {
        let mut seen: IdSet<TyId> = IdSet::new();
        let nodes: Vec<(TyId, Span)> =
            self.out.nodes.iter().map(|it| (it.1.ty, it.1.span)).collect();
        for (root, span) in nodes {
            let base = self.depth(root);
            let mut todo = vec![root];
            while let Some(ty) = todo.pop() {
                if self.gave_up || !seen.insert(ty) {
                    continue;
                }
                todo.extend(self.parts(ty));
                if let Ty::Data(data, _) = *self.out.types.get(ty) {
                    self.check_growth(ty, base, "values", span);
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
