//! `type t = M.t = A | B of int`: the same type as `M.t`, with its constructors or fields in scope here.
//!
//! The declaration must repeat the type that it names: its parameters in their order, and each constructor or field
//! with its types.

use oxbow_diag::Diagnostic;

use crate::ast::TypeDecl;
use crate::types::{CtorInfo, FieldInfo, TyConId, TyConKind, Type, TypeId};

use super::Infer;

impl Infer<'_> {
    /// Checks what a declaration repeats, when all types of its group are known.
    pub(super) fn check_reexport(&mut self, decl: &TypeDecl, tycon: TyConId, kind: &TyConKind) {
        if self.repeats(tycon, kind) {
            return;
        }
        self.diagnostics.error(
            Diagnostic::error(
                "E0109",
                format!("`{}` does not repeat the type it names", decl.name.text),
            )
            .at(decl.span, "parameters, constructors or fields differ from the original"),
        );
    }

    fn repeats(&mut self, tycon: TyConId, kind: &TyConKind) -> bool {
        let TyConKind::Alias(manifest) = self.types.tycons[tycon].kind else { return true };
        let target = self.types.expand(manifest);
        let (original, args) = match self.types.nodes[target].clone() {
            Type::Con(original, args) => (original, args),
            Type::Error => return true,
            _ => return false,
        };
        let params = self.types.tycons[tycon].params.clone();
        let is_variable = |it: &TypeId| matches!(self.types.get(*it), Type::Var { .. });
        // Forms of arguments are compared with the constraints.
        let is_plain = params.iter().chain(&args).all(is_variable);
        let same = |it: (&TypeId, &TypeId)| self.types.repr(*it.0) == self.types.repr(*it.1);
        if args.len() != params.len() || is_plain && !args.iter().zip(&params).all(same) {
            return false;
        }
        if self.types.tycons[original].private && !self.types.tycons[tycon].private {
            return false;
        }
        if !is_plain || has_own_results(kind) {
            return names(kind)
                .is_some_and(|it| Some(it) == names(&self.types.tycons[original].kind));
        }
        // Nothing may become of a parameter while the two are compared.
        let rigid: Vec<_> =
            params.iter().map(|_| self.open_unplaced_rigid(oxbow_base::Symbol::new("a"))).collect();
        let types: Vec<TypeId> =
            rigid.iter().map(|it| self.types.add(Type::Con(it.tycon, Vec::new()))).collect();
        let kind = match kind {
            TyConKind::Record(fields) => TyConKind::Record(
                fields
                    .iter()
                    .map(|it| FieldInfo {
                        ty: self.types.substitute(it.ty, &params, &types),
                        ..it.clone()
                    })
                    .collect(),
            ),
            TyConKind::Variant(ctors) => {
                let mut replaced = Vec::new();
                for ctor in ctors {
                    let args = ctor.args.iter();
                    let args = args.map(|&it| self.types.substitute(it, &params, &types)).collect();
                    replaced.push(CtorInfo { args, ..ctor.clone() });
                }
                TyConKind::Variant(replaced)
            }
            other => other.clone(),
        };
        let same = self.same_representation(&kind, original, &types);
        for (rigid, &param) in rigid.into_iter().zip(&params) {
            self.close_rigid(rigid, param);
        }
        same
    }
}

/// Constructors with results of their own say themselves what they are at which arguments.
fn has_own_results(kind: &TyConKind) -> bool {
    matches!(kind, TyConKind::Variant(ctors) if ctors.iter().any(|it| it.own.is_some()))
}

fn names(kind: &TyConKind) -> Option<Vec<oxbow_base::Symbol>> {
    match kind {
        TyConKind::Record(fields) => Some(fields.iter().map(|it| it.name).collect()),
        TyConKind::Variant(ctors) => Some(ctors.iter().map(|it| it.name).collect()),
        _ => None,
    }
}
