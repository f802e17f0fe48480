//! Weak type variables of functors: those that the body leaves open are one for all applications.
//!
//! ```text
//! module F () = struct let r = ref [] end        r : '_a list ref
//! module A = F ()   module B = F ()
//! A.r := [1]                                     says that '_a is int, in B as well
//! ```
//!
//! What becomes known by a use of an application holds in those after it. Types that are declared after a definition
//! cannot stand for the variables that it leaves open.
//!
//! The body is elaborated anew for each application, which makes variables of its own. They are made equal to those of
//! the elaboration that checked the functor.

use std::rc::Rc;

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::types::{GENERIC, TyConId, Type, TypeId, Unknown, Walk};

use super::Infer;
use super::env::{Functor, Module, Structure, Value};

/// A type variable that a definition of a structure leaves open.
pub(super) struct WeakVar {
    ty: TypeId,
    name: Symbol,
    span: Span,
    /// Types from this one on are declared later.
    first: TyConId,
}

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
        structure.values.values().any(|it| self.is_weak_in(it.ty))
            || structure.modules.values().any(|it| match it {
                Module::Structure(inner) => self.has_weak(inner),
                Module::Functor(inner) => inner.checked.get().is_some(),
                Module::Later(_) | Module::Error => false,
            })
    }

    /// Does a part of the type stand for one that is not known yet?
    pub(super) fn is_weak_in(&self, ty: TypeId) -> bool {
        self.types.any_part(ty, |at, _| self.is_weak(at))
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
        // A use of an application before this one may have said what the functor's variable is.
        if self.is_weak(checked) || self.is_weak(made) {
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

    /// Notes the variables that a definition leaves open: types that are declared later cannot stand for them.
    pub(super) fn note_weak(&mut self, name: Symbol, value: &Value) {
        if self.library || self.is_clef() {
            return;
        }
        let first = self.types.tycons.next_id();
        let mut found = Vec::new();
        let mut walk = Walk::default();
        let mut todo = vec![value.ty];
        while let Some(ty) = todo.pop() {
            let ty = self.types.repr(ty);
            if !walk.has_seen(ty) {
                found.extend(self.is_weak(ty).then_some(ty));
                todo.extend(self.types.parts(ty));
            }
        }
        let noted = found.into_iter().map(|ty| WeakVar { ty, name, span: value.span, first });
        self.weak_vars.extend(noted);
    }

    /// Reports types that stand for variables of definitions before them.
    pub(super) fn check_weak_scopes(&mut self) {
        let noted = std::mem::take(&mut self.weak_vars);
        for WeakVar { ty, name, span, first } in noted {
            let Some(tycon) = self.declared_since(ty, first) else { continue };
            if self.diagnostics.has_error_within(span) {
                continue;
            }
            let later = self.types.tycons[tycon].path.clone();
            let report = Diagnostic::error("E0131", format!("type `{later}` escapes its scope"))
                .at(
                    span,
                    format!("`{name}` is defined before `{later}`, and its type would mention it"),
                )
                .help(format!("define `{name}` behind the type, or annotate it"));
            self.diagnostics.error(report);
        }
    }

    /// A type in another one that is declared since `first`. What a functor makes of a module that is older belongs to
    /// neither place.
    fn declared_since(&mut self, ty: TypeId, first: TyConId) -> Option<TyConId> {
        let mut walk = Walk::default();
        let mut todo = vec![ty];
        while let Some(ty) = todo.pop() {
            let ty = self.types.expand(ty);
            if walk.has_seen(ty) {
                continue;
            }
            if let Type::Con(con, _) = self.types.nodes[ty] {
                let it = &self.types.tycons[con];
                let is_declared = it.span.is_some()
                    && !it.library
                    && it.unknown == Unknown::No
                    && it.packed.is_none()
                    && it.labels.is_none();
                let is_applied = || self.functors.types.values().any(|it| *it == con);
                if con >= first && is_declared && !is_applied() {
                    return Some(con);
                }
            }
            todo.extend(self.types.parts(ty));
        }
        None
    }
}
