//! Rigid types: the variables of an annotation, which nothing may determine while the annotated value is inferred.

use oxbow_base::{Id, Span, Symbol};

use crate::types::{GENERIC, TyCon, TyConId, TyConKind, Type, TypeId, Unknown};

use super::Infer;

/// A type constructor that stands for a quantified variable while its scope is checked.
pub struct Rigid {
    pub tycon: TyConId,
    /// Type nodes made before cannot mention it.
    since: usize,
}

impl Infer<'_> {
    pub(super) fn open_rigid(&mut self, name: Symbol, span: Span) -> Rigid {
        let since = self.types.nodes.len();
        let tycon = self.rigid_tycon(name, span);
        self.types.tycons[tycon].unknown = Unknown::Quantified;
        self.scope_levels.insert(tycon, self.level);
        Rigid { tycon, since }
    }

    /// The same for a type that no place of the program names.
    pub(super) fn open_unplaced_rigid(&mut self, name: Symbol) -> Rigid {
        let since = self.types.nodes.len();
        let kind = TyConKind::Abstract { implementation: None };
        let mut tycon = TyCon::new(name, name.as_str().into(), Vec::new(), kind, None);
        tycon.unknown = Unknown::Quantified;
        let tycon = self.types.tycons.push(tycon);
        self.scope_levels.insert(tycon, self.level);
        Rigid { tycon, since }
    }

    /// Ends the scope of a rigid type: every mention of it becomes `target`.
    pub(super) fn close_rigid(&mut self, rigid: Rigid, target: TypeId) {
        for index in rigid.since..self.types.nodes.len() {
            let id = TypeId::from_index(index);
            if matches!(self.types.nodes[id], Type::Con(con, _) if con == rigid.tycon) {
                self.types.nodes[id] = Type::Link(target);
            }
        }
        self.types.tycons[rigid.tycon].kind = TyConKind::Alias(target);
        self.types.tycons[rigid.tycon].unknown = Unknown::No;
        self.scope_levels.remove(rigid.tycon);
    }

    /// Closes rigid types to generic variables.
    pub(super) fn close_all(&mut self, rigid: Vec<Rigid>) -> Vec<TypeId> {
        rigid
            .into_iter()
            .map(|it| {
                let name = Some(self.types.tycons[it.tycon].name);
                let var = self.types.add(Type::Var { level: GENERIC, name });
                self.close_rigid(it, var);
                var
            })
            .collect()
    }
}
