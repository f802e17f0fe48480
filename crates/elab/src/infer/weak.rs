//! Weak type variables of functors: those that the body leaves open are one for all applications.
//!
//! ```text
//! module F () = struct let r = ref [] end        r : '_a list ref
//! module A = F ()   module B = F ()
//! A.r := [1]                                     says that '_a is int, in B as well
//! ```
//!
//! The body is elaborated anew for each application, which makes variables of its own. They are made equal to those of
//! the elaboration that checked the functor.

use std::rc::Rc;

use crate::types::{GENERIC, Type, TypeId, Walk};

use super::Infer;
use super::env::{Functor, Module, Structure};

impl Infer<'_> {
    /// Keeps what checking a functor made of its body, if there is something in it that applications share.
    pub(super) fn keep_weak(&mut self, functor: &Rc<Functor>, made: Module) {
        let has_weak = match &made {
            Module::Structure(structure) => self.has_weak(structure),
            Module::Functor(inner) => inner.checked.get().is_some(),
            Module::Later(_) | Module::Error => false,
        };
        if has_weak {
            // A functor is checked once.
            let _ = functor.checked.set(made);
        }
    }

    fn has_weak(&self, structure: &Structure) -> bool {
        let is_weak = |ty: TypeId| self.types.any_part(ty, |at, _| self.is_weak(at));
        structure.values.values().any(|it| is_weak(it.ty))
            || structure.modules.values().any(|it| match it {
                Module::Structure(inner) => self.has_weak(inner),
                Module::Functor(inner) => inner.checked.get().is_some(),
                Module::Later(_) | Module::Error => false,
            })
    }

    fn is_weak(&self, ty: TypeId) -> bool {
        match &self.types.nodes[ty] {
            Type::Var { level, .. } => *level != GENERIC,
            Type::Row(row) => !row.is_fixed() && row.level != GENERIC,
            _ => false,
        }
    }

    /// Makes the weak variables of an application those of its functor.
    pub(super) fn share_weak(&mut self, checked: &Module, made: &Module) {
        match (checked, made) {
            (Module::Structure(checked), Module::Structure(made)) => {
                for (name, checked) in &checked.values {
                    if let Some(made) = made.values.get(name) {
                        self.share_weak_parts(checked.ty, made.ty, &mut Walk::default());
                    }
                }
                for (name, checked) in &checked.modules {
                    if let Some(made) = made.modules.get(name) {
                        self.share_weak(checked, made);
                    }
                }
            }
            (Module::Functor(checked), Module::Functor(made)) => {
                if let Some(of) = checked.checked.get() {
                    let _ = made.checked.set(of.clone());
                }
            }
            _ => (),
        }
    }

    fn share_weak_parts(
        &mut self,
        checked: TypeId,
        made: TypeId,
        walk: &mut Walk<(TypeId, TypeId)>,
    ) {
        let (checked, made) = (self.types.expand(checked), self.types.expand(made));
        if checked == made || walk.has_entered((checked, made)) {
            return;
        }
        if self.is_weak(checked) {
            // What the argument makes known may be more general in the application.
            let _ = self.unify(checked, made);
            return;
        }
        let pairs: Vec<(TypeId, TypeId)> =
            match (&self.types.nodes[checked], &self.types.nodes[made]) {
                (&Type::Arrow(_, a, b), &Type::Arrow(_, c, d)) => vec![(a, c), (b, d)],
                (Type::Tuple(a), Type::Tuple(b)) => {
                    a.iter().copied().zip(b.iter().copied()).collect()
                }
                // A type that the body declares is another one in each application.
                (Type::Con(_, a), Type::Con(_, b)) if a.len() == b.len() => {
                    a.iter().copied().zip(b.iter().copied()).collect()
                }
                (Type::Row(a), Type::Row(b)) => a
                    .tags
                    .iter()
                    .filter_map(|(name, tag)| Some((tag.types(), b.find(*name)?.types())))
                    .flat_map(|(a, b)| a.iter().copied().zip(b.iter().copied()))
                    .collect(),
                _ => return,
            };
        for (checked, made) in pairs {
            self.share_weak_parts(checked, made, walk);
        }
    }
}
