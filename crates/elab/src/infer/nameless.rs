//! Types of a structure that have no name outside of it.
//!
//! ```text
//! open struct type t = A end       include struct type t = A end
//! let x = A                        let x = A
//!                                  include struct type t = B end       what is the type of `x`?
//! ```
//!
//! An abbreviation may go: what it stands for is known.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;

use crate::ast::{ModuleExpr, ModuleExprKind};
use crate::types::{TyConId, TyConKind, Type, TypeId};

use super::Infer;
use super::env::{Module, Structure};

/// A type that a structure uses and does not show.
#[derive(Clone, Debug)]
pub struct Nameless {
    pub tycon: TyConId,
    /// What hides it.
    pub span: Span,
}

impl Infer<'_> {
    /// The types of `struct … end`, which nothing else names.
    pub(super) fn types_without_path(expr: &ModuleExpr, module: &Module) -> Vec<TyConId> {
        let mut expr = expr;
        while let ModuleExprKind::Constraint(inner, _) = &expr.kind {
            expr = inner;
        }
        match (&expr.kind, module) {
            (ModuleExprKind::Structure(_), Module::Structure(it)) => {
                it.types.values().copied().collect()
            }
            _ => Vec::new(),
        }
    }

    /// A name of the structure means this type from here on.
    pub(super) fn shadow_type(structure: &mut Structure, old: Option<TyConId>, span: Span) {
        if let Some(tycon) = old
            && structure.without_path.contains(&tycon)
        {
            structure.nameless.push(Nameless { tycon, span });
        }
    }

    /// The values of a structure must have types that can be written outside.
    pub(super) fn check_nameless(&mut self, structure: &Structure) {
        for Nameless { tycon, span } in &structure.nameless {
            let values = structure.values.iter().map(|(name, it)| (*name, it.ty, it.span));
            let user = values.into_iter().find(|it| self.needs(it.1, *tycon));
            let Some((name, _, used)) = user else { continue };
            let shown = self.types.tycons[*tycon].name;
            let text = format!("the type `{shown}` is in the type of `{name}`, but hidden here");
            self.diagnostics.error(
                Diagnostic::error("E0225", text)
                    .at(*span, format!("`{shown}` has no name outside"))
                    .label(used, "uses it"),
            );
        }
    }

    /// Is the type needed to write another one?
    fn needs(&mut self, ty: TypeId, tycon: TyConId) -> bool {
        if matches!(self.types.tycons[tycon].kind, TyConKind::Alias(_)) {
            return false;
        }
        self.types.any_part(ty, |_, it| matches!(it, Type::Con(con, _) if *con == tycon))
    }
}
