//! A test of one place: a switch where the graph has one, comparisons elsewhere.

use oxbow_diag::ice;
use oxbow_psg::{Const, IntWidth, Key, NodeId, NodeKind, OrderOp, Prim};

use super::emit::Emission;
use super::pattern::Con;
use super::tree::{Branch, PlaceId, Tree};
use crate::build::Builder;

impl Builder<'_> {
    pub(super) fn switch(
        &mut self,
        it: &mut Emission<'_, '_>,
        place: PlaceId,
        branches: &[Branch<'_>],
        default: Option<&Tree<'_>>,
    ) -> NodeId {
        match branches.first().map(|it| &it.con) {
            Some(Con::Bool(_)) => return self.bool_switch(it, place, branches, default),
            Some(Con::Float(_)) => return self.float_switch(it, place, branches, default),
            Some(Con::Exn(_)) => return self.exn_switch(it, place, branches, default),
            _ => (),
        }
        let default = default.map(|default| self.tree(it, default));
        self.key_switch(it, place, branches, default)
    }

    fn key_switch<'b, 't: 'b>(
        &mut self,
        it: &mut Emission<'_, '_>,
        place: PlaceId,
        branches: impl IntoIterator<Item = &'b Branch<'t>>,
        default: Option<NodeId>,
    ) -> NodeId {
        let (ty, span) = (it.site.ty, it.site.span);
        let mut arrays = false;
        let cases = branches
            .into_iter()
            .map(|branch| {
                arrays |= matches!(branch.con, Con::Array(_));
                let key = self.key(&branch.con);
                (key, self.open(it, place, &branch.con, &branch.parts, &branch.tree))
            })
            .collect();
        let mut value = self.read_place(it, place);
        if arrays {
            let int = self.program.types.int;
            value =
                self.node(NodeKind::Prim { prim: Prim::ArrayLength, args: vec![value] }, int, span);
        }
        self.node(NodeKind::Switch { value, cases, default }, ty, span)
    }

    fn key(&mut self, con: &Con) -> Key {
        match con {
            Con::Int(width, value) => Key::Int(*width, *value),
            Con::Char(value) => Key::Char(*value),
            Con::String(value) => Key::String(value.clone()),
            Con::Ctor(_, ctor) => Key::Ctor(*ctor),
            Con::Tag { tag, holds, .. } => {
                let holds = holds.0.map(|it| self.ty(it));
                Key::Ctor(self.variant_ctor(*tag, holds))
            }
            Con::Array(length) => Key::Int(IntWidth::I63, *length as i64),
            Con::Exn(exn) => Key::Exn(*exn),
            Con::Bool(_) | Con::Float(_) | Con::Tuple(_) | Con::Record(_) => {
                ice!("{con:?} is no key")
            }
        }
    }

    /// Exceptions that evaluations of one declaration have made differ by their numbers:
    /// `Stop n` is `if (match e with Stop (_, number) -> number = mine | _ -> false) …`.
    fn exn_switch(
        &mut self,
        it: &mut Emission<'_, '_>,
        place: PlaceId,
        branches: &[Branch<'_>],
        default: Option<&Tree<'_>>,
    ) -> NodeId {
        let Some(default) = default else { ice!("exceptions cannot be listed") };
        let (ty, span) = (it.site.ty, it.site.span);
        let mut node = self.tree(it, default);
        let (fresh, others): (Vec<_>, Vec<_>) = branches.iter().partition(
            |it| matches!(it.con, Con::Exn(exn) if self.types.exns[exn].number.is_some()),
        );
        if !others.is_empty() {
            node = self.key_switch(it, place, others, Some(node));
        }
        let (bool, int) = (self.program.types.bool, self.program.types.int);
        for branch in fresh.into_iter().rev() {
            let Con::Exn(exn) = branch.con else { ice!("{:?} among exceptions", branch.con) };
            let object = self.read_place(it, place);
            let index = self.program.types.exns[exn].fields.len() as u32 - 1;
            let number = self.node(NodeKind::ExnField { object, exn, index }, int, span);
            let Some(mine) = self.exn_number(exn, span) else { ice!("{exn} has no number") };
            let prim = Prim::Order(OrderOp::Eq);
            let same = self.node(NodeKind::Prim { prim, args: vec![number, mine] }, bool, span);
            let no = self.node(NodeKind::Const(Const::Bool(false)), bool, span);
            let value = self.read_place(it, place);
            let cases = vec![(Key::Exn(exn), same)];
            let cond = self.node(NodeKind::Switch { value, cases, default: Some(no) }, bool, span);
            let then = self.open(it, place, &branch.con, &branch.parts, &branch.tree);
            node = self.node(NodeKind::If { cond, then, otherwise: node }, ty, span);
        }
        node
    }

    fn bool_switch(
        &mut self,
        it: &mut Emission<'_, '_>,
        place: PlaceId,
        branches: &[Branch<'_>],
        default: Option<&Tree<'_>>,
    ) -> NodeId {
        let cond = self.read_place(it, place);
        let mut side = |wanted: bool| {
            let branch = branches.iter().find(|it| it.con == Con::Bool(wanted)).map(|it| &it.tree);
            match branch.or(default) {
                Some(tree) => self.tree(it, tree),
                None => ice!("a test of a bool lacks a side"),
            }
        };
        let (then, otherwise) = (side(true), side(false));
        self.node(NodeKind::If { cond, then, otherwise }, it.site.ty, it.site.span)
    }

    fn float_switch(
        &mut self,
        it: &mut Emission<'_, '_>,
        place: PlaceId,
        branches: &[Branch<'_>],
        default: Option<&Tree<'_>>,
    ) -> NodeId {
        let Some(default) = default else { ice!("floats cannot be listed") };
        let (bool, float, span) = (self.program.types.bool, self.program.types.float, it.site.span);
        let mut node = self.tree(it, default);
        for branch in branches.iter().rev() {
            let Con::Float(bits) = branch.con else { ice!("{:?} among floats", branch.con) };
            let constant =
                self.node(NodeKind::Const(Const::Float(f64::from_bits(bits))), float, span);
            let args = vec![self.read_place(it, place), constant];
            let cond =
                self.node(NodeKind::Prim { prim: Prim::Order(OrderOp::Eq), args }, bool, span);
            let then = self.tree(it, &branch.tree);
            node = self.node(NodeKind::If { cond, then, otherwise: node }, it.site.ty, span);
        }
        node
    }
}
