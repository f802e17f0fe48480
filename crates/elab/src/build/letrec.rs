//! Recursive groups.
//!
//! Functions become one `LetRec`. A value that is no function cannot stand there: the
//! group sees it through a cell, an array of one element, that is filled as soon as the
//! value is there. Behind the group the variable is the value itself.
//!
//! ```text
//! let rec f x = … r …  and  r = { run = fun y -> f y … r … }
//!
//! let cell = uninit 1 in
//! let rec f = fun x -> … cell.(0) … in
//! let r = (let it = { run = fun y -> f y … cell.(0) … } in cell.(0) <- it; it) in …
//! ```
//!
//! Not done: values that hold themselves directly (`let rec l = 1 :: l`), and polymorphic
//! groups with such a value and anything else: their instances would need one cell each.

use oxbow_base::{Span, Symbol};
use oxbow_psg::{NodeId, NodeKind, Prim, Ty, Var, VarId};

use super::Builder;
use super::frames::Frame;
use super::walk::{Use, for_each_mention};
use crate::tast::{Expr, ExprKind, RecBinding};

impl Builder<'_> {
    /// What a group binds, in order of evaluation.
    pub(super) fn rec_group<'t>(
        &mut self,
        bindings: &'t [RecBinding],
        span: Span,
    ) -> Vec<Frame<'t>> {
        let (functions, values): (Vec<_>, Vec<_>) =
            bindings.iter().partition(|it| is_function(&it.value));
        let mut frames = Vec::new();
        // Values that mention nothing of the group are ordinary ones.
        let independent = values.iter().take_while(|it| !mentions_any(&it.value, bindings)).count();
        let (ordinary, values) = values.split_at(independent);
        for binding in ordinary {
            let value = self.named(&binding.value, self.binding_name(binding.var));
            frames.push(Frame::Let { var: binding.var, value, span });
        }
        if !values.is_empty() {
            self.check_values(&functions, values);
        }
        for binding in values {
            let cell = self.cell(binding.var, binding.value.span);
            let value = self.empty_cell(cell, binding.value.span);
            frames.push(Frame::Let { var: cell, value, span });
            self.cells.insert(binding.var, cell);
        }
        if !functions.is_empty() {
            let nodes: Vec<NodeId> = functions
                .iter()
                .map(|it| self.named(&it.value, self.binding_name(it.var)))
                .collect();
            frames.push(Frame::LetRec {
                vars: functions.iter().map(|it| it.var).collect(),
                values: nodes,
                span,
            });
        }
        for binding in values {
            let value = self.named(&binding.value, self.binding_name(binding.var));
            let value = self.fill_cell(binding.var, value);
            frames.push(Frame::Let { var: binding.var, value, span });
        }
        for binding in values {
            self.cells.remove(binding.var);
        }
        frames
    }

    pub(super) fn binding_name(&self, var: VarId) -> Option<Symbol> {
        Some(self.program.vars[var].name)
    }

    fn check_values(&mut self, functions: &[&RecBinding], values: &[&RecBinding]) {
        let polymorphic = values.iter().find(|it| !self.program.vars[it.var].tyvars.is_empty());
        if let Some(binding) = polymorphic
            && functions.len() + values.len() > 1
        {
            self.not_supported(binding.value.span, "polymorphic recursive value in a group");
        }
        for (index, binding) in values.iter().enumerate() {
            let mut direct = None;
            for_each_mention(&binding.value, |var, at, span| {
                let unfilled = values[index..].iter().any(|it| it.var == var) && at != Use::Later;
                let called = functions.iter().any(|it| it.var == var) && at == Use::Needed;
                if unfilled || called {
                    direct.get_or_insert(span);
                }
            });
            if let Some(span) = direct {
                self.not_supported(
                    span,
                    "recursive value definition that refers to itself directly",
                );
            }
        }
    }

    fn cell(&mut self, var: VarId, span: Span) -> VarId {
        let of = self.program.vars[var].clone();
        let ty = self.program.types.intern(Ty::Array(of.ty));
        self.program.vars.push(Var { ty, mutable: false, span, ..of })
    }

    fn empty_cell(&mut self, cell: VarId, span: Span) -> NodeId {
        let ty = self.program.vars[cell].ty;
        let length = self.int(1, span);
        self.node(NodeKind::Prim { prim: Prim::ArrayUninit, args: vec![length] }, ty, span)
    }

    /// The contents of a cell; the type arguments are those of the variable it stands for.
    pub(super) fn read_cell(
        &mut self,
        cell: VarId,
        tyargs: Vec<oxbow_psg::TyId>,
        span: Span,
    ) -> NodeId {
        let cell_ty = self.program.vars[cell].ty;
        let Ty::Array(ty) = *self.program.types.get(cell_ty) else {
            oxbow_diag::ice!("the cell {cell} is no array")
        };
        let cell = self.node(NodeKind::Var { var: cell, tyargs }, cell_ty, span);
        let index = self.int(0, span);
        self.node(NodeKind::Prim { prim: Prim::ArrayGet, args: vec![cell, index] }, ty, span)
    }

    fn fill_cell(&mut self, var: VarId, value: NodeId) -> NodeId {
        let span = self.program.span(value);
        let cell = self.cells[var];
        let of = self.program.vars[var].clone();
        let tyargs = self.own_tyargs(var);
        let it = self.fresh(of.name, of.ty, span);
        let cell_ty = self.program.vars[cell].ty;
        let array = self.node(NodeKind::Var { var: cell, tyargs }, cell_ty, span);
        let args = vec![array, self.int(0, span), self.read(it, span)];
        let unit = self.program.types.unit;
        let set = self.node(NodeKind::Prim { prim: Prim::ArraySet, args }, unit, span);
        let result = self.read(it, span);
        let body = self.node(NodeKind::Seq(vec![set, result]), of.ty, span);
        self.bind(it, value, body, span)
    }
}

fn is_function(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Lambda { .. } | ExprKind::Function { .. })
}

fn mentions_any(value: &Expr, group: &[RecBinding]) -> bool {
    let mut found = false;
    for_each_mention(value, |var, _, _| found |= group.iter().any(|it| it.var == var));
    found
}
