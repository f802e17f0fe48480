//! Mutable fields of exceptions and of extension constructors.
//!
//! ```text
//! exception E of { mutable n : int }        E of { n : int ref }
//! E { n = 1 }                               E { n = { contents = 1 } }
//! function E r -> r.n <- r.n + 1            function E r -> r.n.contents <- r.n.contents + 1
//! ```
//!
//! In the graph nothing assigns to an exception: such a field holds a cell (decision 81). The field is still marked as
//! mutable, which tells `Printexc` to look into the cell.

use oxbow_base::Span;
use oxbow_diag::ice;
use oxbow_psg::{DataId, ExnId, KnownType, NodeId, NodeKind, Ty, TyId};

use super::Builder;

impl Builder<'_> {
    /// The type of cells that hold a value of this type.
    pub(super) fn cell_of(&mut self, value: TyId) -> TyId {
        let cell = self.types.tycons.iter().find(|it| it.1.known == Some(KnownType::Cell));
        let Some((cell, _)) = cell else { ice!("a mutable field without the library") };
        let data: DataId = self.data(cell);
        self.program.types.intern(Ty::Data(data, vec![value]))
    }

    /// The types of what an exception holds, as the program knows them.
    pub(super) fn exn_fields(&self, exn: ExnId) -> Vec<TyId> {
        let fields = &self.program.types.exns[exn].fields;
        (0..fields.len())
            .map(|it| self.exn_cell(exn, it).map_or(fields[it].ty, |it| it.1))
            .collect()
    }

    /// The type of the cell in this field, if there is one, and of what the cell holds.
    fn exn_cell(&self, exn: ExnId, index: usize) -> Option<(TyId, TyId)> {
        let field = &self.program.types.exns[exn].fields[index];
        match self.program.types.get(field.ty) {
            Ty::Data(_, args) if field.mutable => Some((field.ty, args[0])),
            _ => None,
        }
    }

    pub(super) fn exn_field(
        &mut self,
        object: NodeId,
        exn: ExnId,
        index: u32,
        span: Span,
    ) -> NodeId {
        let (held, value) = match self.exn_cell(exn, index as usize) {
            Some((cell, value)) => (cell, Some(value)),
            None => (self.program.types.exns[exn].fields[index as usize].ty, None),
        };
        let held = self.node(NodeKind::ExnField { object, exn, index }, held, span);
        match value {
            Some(value) => {
                self.node(NodeKind::Field { object: held, ctor: 0, index: 0 }, value, span)
            }
            None => held,
        }
    }

    pub(super) fn set_exn_field(
        &mut self,
        object: NodeId,
        (exn, index): (ExnId, u32),
        value: NodeId,
        span: Span,
    ) -> NodeId {
        let Some((cell, ty)) = self.exn_cell(exn, index as usize) else {
            ice!("an assignment to an immutable field")
        };
        let value = self.fit(value, ty);
        let object = self.node(NodeKind::ExnField { object, exn, index }, cell, span);
        let unit = self.program.types.unit;
        self.node(NodeKind::SetField { object, ctor: 0, index: 0, value }, unit, span)
    }

    /// Values of the types of `exn_fields`, as the exception holds them.
    pub(super) fn held_by_exn(
        &mut self,
        exn: ExnId,
        values: Vec<NodeId>,
        span: Span,
    ) -> Vec<NodeId> {
        let held =
            values.into_iter().enumerate().map(|(index, value)| match self.exn_cell(exn, index) {
                Some((cell, _)) => self.node(NodeKind::Record(vec![value]), cell, span),
                None => value,
            });
        held.collect()
    }
}
