//! Functors that make the same types for the same argument, and what must not stand in their bodies.
//!
//! ```text
//! module G () : sig type t end = …                             each application makes another `t`
//! module F (X : S) = struct module M = G () end                but `F(A).M.t` is one type
//! ```
//!
//! What makes types anew is generative there: an application to `()`, or a module that is unpacked. Neither is a
//! mistake if the module shows no types of its own.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;

use crate::types::{TyConId, TyConKind};

use super::Infer;
use super::env::{Ctor, Module, Structure};

impl Infer<'_> {
    /// Reports a module that was made in the body of an applicative functor, if it has types of its own: those that
    /// were declared since `first`.
    pub(super) fn check_applicative(&mut self, made: &Module, first: TyConId, span: Span) {
        if self.functors.is_applicative && self.has_fresh_types(made, first) {
            let text = "new types are made in a functor that makes the same types each time";
            self.diagnostics.error(
                Diagnostic::error("E0223", text)
                    .at(span, "makes new types whenever the functor is applied")
                    .help(
                        "give the functor another parameter `()`: each application makes types of its own then",
                    ),
            );
        }
    }

    fn has_fresh_types(&self, module: &Module, first: TyConId) -> bool {
        match module {
            Module::Structure(structure) => self.shows_fresh_types(structure, first),
            Module::Functor(_) | Module::Later(_) | Module::Error => false,
        }
    }

    fn shows_fresh_types(&self, structure: &Structure, first: TyConId) -> bool {
        let is_fresh =
            |it: TyConId| it >= first && !matches!(self.types.tycons[it].kind, TyConKind::Alias(_));
        // The record of such a constructor is a type without a name.
        let holds_record = |it: &Ctor| match *it {
            Ctor::Exn(exn) => self.types.exns[exn].inline_record.is_some_and(is_fresh),
            Ctor::Variant(..) => false,
        };
        !structure.module_types.is_empty()
            || structure.types.values().any(|&it| is_fresh(it))
            || structure.ctors.values().any(holds_record)
            || structure.modules.values().any(|it| self.has_fresh_types(it, first))
    }
}
