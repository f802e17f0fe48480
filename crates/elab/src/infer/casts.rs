//! Type variables that nothing decides but a cast, or another use of a value that was computed once.
//!
//! ```text
//! let discard env triple = { env with triple }         the token of the old record is any: 't. (.., 't) env -> …
//! Obj.magic discard env                                from (.., 't) env -> … to (.., token) env -> …
//! ```
//!
//! A variable that is left when everything has been inferred stands for any type, and for `unit` in the graph. Where a
//! cast has it on one side and a type on the other, that type is the better choice: the cast is an identity there,
//! and no data has to be held in one form for all types (decision 96). The type must mean the same wherever the
//! variable occurs, so it mentions no type parameter of a function.
//!
//! A value that was computed may be used at several types by the relaxed value restriction (`variance`). A use that
//! leaves its type open (`List.length empty`) is one at the type of another use: it is no reason to hold the value in
//! a form for all types.

use oxbow_base::SparseMap;
use oxbow_psg::VarId;

use super::Infer;
use crate::types::{GENERIC, Type, TypeId};

impl Infer<'_> {
    /// Decides what casts alone can decide, and what other uses of one computed value say.
    pub(super) fn decide_the_rest(&mut self) {
        let mut first: SparseMap<VarId, Vec<TypeId>> = SparseMap::new();
        for (var, tyargs) in std::mem::take(&mut self.relaxed_uses) {
            let known = first.entry_or_insert_with(var, || tyargs.clone()).clone();
            known.into_iter().zip(tyargs).for_each(|(known, it)| self.meet(known, it));
        }
        for cast in std::mem::take(&mut self.casts) {
            if let Type::Arrow(_, from, to) = self.types.nodes[self.types.repr(cast)] {
                self.meet(from, to);
            }
        }
    }

    fn meet(&mut self, a: TypeId, b: TypeId) {
        let (a, b) = (self.types.reveal(a), self.types.reveal(b));
        if a == b {
            return;
        }
        match (self.types.nodes[a].clone(), self.types.nodes[b].clone()) {
            (Type::Var { level, .. }, _) if level != GENERIC => self.decide(a, b),
            (_, Type::Var { level, .. }) if level != GENERIC => self.decide(b, a),
            (Type::Arrow(_, param, result), Type::Arrow(_, other, gives)) => {
                self.meet(param, other);
                self.meet(result, gives);
            }
            (Type::Tuple(items), Type::Tuple(others)) if items.len() == others.len() => {
                items.into_iter().zip(others).for_each(|(a, b)| self.meet(a, b));
            }
            (Type::Con(con, args), Type::Con(other, others)) if con == other => {
                args.into_iter().zip(others).for_each(|(a, b)| self.meet(a, b));
            }
            _ => (),
        }
    }

    fn decide(&mut self, var: TypeId, ty: TypeId) {
        if !self.types.uniform.contains(var) && self.means_the_same(var, ty) {
            self.types.nodes[var] = Type::Link(ty);
        }
    }

    /// Does the type mention neither the variable nor a type parameter?
    fn means_the_same(&mut self, var: TypeId, ty: TypeId) -> bool {
        let ty = self.types.reveal(ty);
        match self.types.nodes[ty].clone() {
            Type::Var { level, .. } => ty != var && level != GENERIC,
            Type::Arrow(_, param, result) => {
                self.means_the_same(var, param) && self.means_the_same(var, result)
            }
            Type::Tuple(items) | Type::Con(_, items) => {
                items.into_iter().all(|it| self.means_the_same(var, it))
            }
            // Rows may contain themselves, and hold what they like.
            Type::Row(_) | Type::Link(_) | Type::Error => false,
        }
    }
}
