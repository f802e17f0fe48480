//! Types in place of type variables, while an instance is copied.

use oxbow_diag::ice;
use oxbow_psg::{Ty, TyId, TyVarId};

use super::Context;

/// The generation of types without variables: valid in all.
const GROUND: u32 = u32::MAX;

impl Context<'_> {
    /// Binds type variables; the result restores what was there.
    pub(super) fn enter(
        &mut self,
        tyvars: &[TyVarId],
        tyargs: &[TyId],
    ) -> (u32, Vec<(TyVarId, Option<TyId>)>) {
        if tyvars.len() != tyargs.len() {
            ice!("{} type arguments for {} type parameters", tyargs.len(), tyvars.len());
        }
        let before = self.generation;
        if tyvars.is_empty() {
            return (before, Vec::new());
        }
        self.last_generation += 1;
        self.generation = self.last_generation;
        (
            before,
            tyvars
                .iter()
                .zip(tyargs)
                .map(|(&var, &ty)| (var, self.subst.insert(var, ty)))
                .collect(),
        )
    }

    pub(super) fn leave(&mut self, (generation, saved): (u32, Vec<(TyVarId, Option<TyId>)>)) {
        self.generation = generation;
        for (var, before) in saved.into_iter().rev() {
            match before {
                Some(ty) => self.subst.insert(var, ty),
                None => self.subst.remove(var),
            };
        }
    }

    /// The type with its variables replaced. Always ground.
    pub(super) fn ty(&mut self, ty: TyId) -> TyId {
        if let Some(&(generation, result)) = self.ty_cache.get(ty)
            && (generation == self.generation || generation == GROUND)
        {
            return result;
        }
        let result = match self.out.types.get(ty).clone() {
            Ty::Var(var) => self.subst.get(var).copied().unwrap_or(self.out.types.unit),
            Ty::Uniform => self.uniform_type(),
            other => match other.map_parts(|it| self.ty(it)) {
                Ty::Array(item) => self.array_type(item),
                Ty::Data(data, args) => self.data_type(data, args),
                mapped => self.out.types.intern(mapped),
            },
        };
        let generation = if result == ty { GROUND } else { self.generation };
        self.ty_cache.insert(ty, (generation, result));
        result
    }
}
