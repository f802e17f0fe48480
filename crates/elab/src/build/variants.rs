//! Polymorphic variants in the graph: all of them are values of one type.
//!
//! ```text
//! `A, `B 1, `B "x"          data variants compared tags = A | B of int | B of string
//! ```
//!
//! A constructor is a tag with the type of its argument, so that a value of one row is a value of every row that has
//! its tag: coercions cost nothing, and rows that contain themselves are finite (decision 80). The type of an
//! argument may mention the type variables of the function around; specialisation makes a constructor of each
//! instance.

use oxbow_base::{Span, Symbol};
use oxbow_psg::{Compared, Ctor, DataDecl, DataId, DataKind, Field, NodeId, NodeKind, TyId};

use super::Builder;
use crate::tast::Expr;
use crate::types::{Type, TypeId};

impl Builder<'_> {
    /// The type of all polymorphic variants, made at the first mention.
    pub(super) fn variants(&mut self) -> DataId {
        if let Some(known) = self.variants {
            return known;
        }
        let data = self.program.types.datas.push(DataDecl {
            name: Symbol::new("variants"),
            params: Vec::new(),
            kind: DataKind::Variant(Vec::new()),
            compared: Compared::Tags,
            own: oxbow_psg::OwnFunctions::default(),
            known: None,
            span: None,
        });
        self.variants = Some(data);
        data
    }

    /// The constructor of a tag that holds a value of this type, or nothing.
    pub(super) fn variant_ctor(&mut self, tag: Symbol, holds: Option<TyId>) -> u32 {
        let data = self.variants();
        if let Some(&known) = self.variant_ctors.get(&(tag, holds)) {
            return known;
        }
        let DataKind::Variant(ctors) = &mut self.program.types.datas[data].kind else {
            oxbow_diag::ice!("the type of polymorphic variants is no variant type")
        };
        let number = ctors.len() as u32;
        let fields = holds.map(|ty| Field::plain(Symbol::new("0"), ty)).into_iter().collect();
        ctors.push(Ctor { name: tag, fields, inline_record: false });
        self.variant_ctors.insert((tag, holds), number);
        number
    }

    pub(super) fn variant(
        &mut self,
        tag: Symbol,
        arg: Option<&Expr>,
        ty: TyId,
        span: Span,
    ) -> NodeId {
        let args: Vec<NodeId> = arg.map(|it| self.expr(it)).into_iter().collect();
        let holds = args.first().map(|&it| self.program.ty(it));
        let ctor = self.variant_ctor(tag, holds);
        self.node(NodeKind::Construct { ctor, args }, ty, span)
    }

    /// The type variables of a scheme that the graph knows of: all rows are one type there.
    pub(super) fn without_rows(&self, tyvars: &[TypeId]) -> Vec<TypeId> {
        let is_row = |it: &TypeId| matches!(self.types.get(*it), Type::Row(_));
        tyvars.iter().copied().filter(|it| !is_row(it)).collect()
    }

    /// The type arguments for those.
    pub(super) fn tyargs_without_rows(&self, tyvars: &[TypeId], tyargs: &[TypeId]) -> Vec<TypeId> {
        let is_row = |it: TypeId| matches!(self.types.get(it), Type::Row(_));
        tyargs
            .iter()
            .enumerate()
            .filter(|it| tyvars.get(it.0).is_none_or(|&it| !is_row(it)))
            .map(|it| *it.1)
            .collect()
    }
}
