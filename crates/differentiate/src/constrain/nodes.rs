//! The demands of each kind of node.

use oxbow_diag::ice;
use oxbow_psg::{DataKind, NodeId, NodeKind, Prim, Ty, TyId, VarId};

use super::{Mention, Walk};
use crate::shape::{Shape, ShapeId, Slot};

impl Walk<'_> {
    pub(super) fn node(&mut self, node: NodeId, ambient: Slot) -> ShapeId {
        let mut shape = self.shape(node, ambient);
        if let Some(slot) = self.out.shapes.as_number(shape)
            && yields(&self.program.nodes[node].kind)
        {
            let (used, level) = self.out.shapes.number();
            self.out.cuts.push((slot, ambient, level));
            self.out.uncut.insert(node, shape);
            shape = used;
        }
        self.out.nodes.insert(node, shape);
        shape
    }

    fn shape(&mut self, node: NodeId, ambient: Slot) -> ShapeId {
        let program = self.program;
        let ty = program.ty(node);
        match &program.nodes[node].kind {
            NodeKind::Const(_) => self.fresh(ty).0,
            NodeKind::Var { var, .. } => match self.function_named(*var) {
                Some(function) => {
                    let (shape, slots) = self.fresh(ty);
                    self.out.mentions.push(Mention { node, function, slots });
                    shape
                }
                None => self.var(*var),
            },
            NodeKind::Lambda(lambda) => {
                let shape = self.fresh(ty).0;
                self.lambda(*lambda, shape, None);
                shape
            }
            NodeKind::Apply { func, args, .. } => self.apply(*func, args, ambient),
            NodeKind::Prim { prim, args } => self.prim(node, *prim, args, ambient),
            NodeKind::Let { var, value, body } => {
                self.let_value(*var, *value, ambient);
                self.node(*body, ambient)
            }
            NodeKind::LetRec { vars, values, body } => {
                for &var in vars {
                    self.var(var);
                }
                self.assign(values, vars, ambient);
                self.node(*body, ambient)
            }
            NodeKind::Assign { var, value } => {
                self.assign(&[*value], &[*var], ambient);
                self.fresh(ty).0
            }
            NodeKind::Seq(items) => {
                let mut last = None;
                for &item in items {
                    last = Some(self.node(item, ambient));
                }
                last.unwrap_or_else(|| ice!("{node} is an empty sequence"))
            }
            NodeKind::If { cond, then, otherwise } => {
                self.node(*cond, ambient);
                self.branches(ty, [*then, *otherwise], ambient)
            }
            NodeKind::Switch { value, cases, default } => {
                self.node(*value, ambient);
                self.branches(ty, cases.iter().map(|it| it.1).chain(*default), ambient)
            }
            NodeKind::While { cond, body } => {
                self.node(*cond, ambient);
                self.node(*body, ambient);
                self.fresh(ty).0
            }
            NodeKind::For { var, from, to, body, .. } => {
                self.var(*var);
                for &it in [from, to, body] {
                    self.node(it, ambient);
                }
                self.fresh(ty).0
            }
            NodeKind::Tuple(items) => self.tuple(ty, items, ambient),
            NodeKind::TupleGet { tuple, index } => {
                let tuple = self.node(*tuple, ambient);
                match self.out.shapes.get(tuple) {
                    Shape::Tuple(parts) => parts[*index as usize],
                    _ => self.fresh(ty).0,
                }
            }
            NodeKind::Record(items) => self.construct(node, 0, items, ambient),
            NodeKind::Construct { ctor, args } => self.construct(node, *ctor, args, ambient),
            NodeKind::Field { object, ctor, index } => {
                let object = self.node(*object, ambient);
                self.field(object, *ctor, *index, ty)
            }
            NodeKind::SetField { object, ctor, index, value } => {
                let (value_ty, value) = (program.ty(*value), self.node(*value, ambient));
                let object = self.node(*object, ambient);
                let field = self.field(object, *ctor, *index, value_ty);
                self.flow(value, field);
                self.fresh(ty).0
            }
            NodeKind::Array(items) => {
                let shape = self.array(ty, items, ambient);
                self.outlives(ambient, (ty, shape), program.span(node));
                shape
            }
            NodeKind::MakeExn { exn, args } => {
                let parts = self.payload(*exn);
                self.fill(args, &parts, ambient);
                self.fresh(ty).0
            }
            NodeKind::ExnField { object, exn, index } => {
                self.node(*object, ambient);
                self.payload(*exn)[*index as usize]
            }
            NodeKind::Raise(value) => {
                self.node(*value, ambient);
                self.fresh(ty).0
            }
            NodeKind::Try { body, var, handler } => {
                self.var(*var);
                self.branches(ty, [*body, *handler], ambient)
            }
            NodeKind::Join { join, body, rest } => {
                for &param in &program.joins[*join].params {
                    self.var(param);
                }
                self.branches(ty, [*body, *rest], ambient)
            }
            NodeKind::Jump { join, args } => {
                self.assign(args, &program.joins[*join].params, ambient);
                self.fresh(ty).0
            }
        }
    }

    fn apply(&mut self, func: NodeId, args: &[NodeId], ambient: Slot) -> ShapeId {
        let mut at = self.node(func, ambient);
        for &arg in args {
            let shape = self.node(arg, ambient);
            let &Shape::Fn { latent, param, result } = self.out.shapes.get(at) else {
                ice!("{func} is called and is no function")
            };
            self.le(ambient, latent);
            self.flow(shape, param);
            at = result;
        }
        at
    }

    fn let_value(&mut self, var: VarId, value: NodeId, ambient: Slot) {
        let program = self.program;
        let data = &program.vars[var];
        if let NodeKind::Var { var: named, .. } = program.nodes[value].kind
            && let Some(function) = self.function_named(named)
            && !data.mutable
        {
            self.aliases.insert(var, function);
        }
        self.assign(&[value], &[var], ambient);
        if data.mutable {
            let shape = self.var(var);
            self.outlives(ambient, (data.ty, shape), data.span);
        }
    }

    /// Each value becomes that of its variable.
    fn assign(&mut self, values: &[NodeId], vars: &[VarId], ambient: Slot) {
        for (&value, &var) in values.iter().zip(vars) {
            let value = self.node(value, ambient);
            let var = self.var(var);
            self.flow(value, var);
        }
    }

    fn tuple(&mut self, ty: TyId, items: &[NodeId], ambient: Slot) -> ShapeId {
        let shape = self.fresh(ty).0;
        let parts = match self.out.shapes.get(shape) {
            Shape::Tuple(parts) => parts.clone(),
            _ => Vec::new(),
        };
        self.fill(items, &parts, ambient);
        shape
    }

    fn array(&mut self, ty: TyId, items: &[NodeId], ambient: Slot) -> ShapeId {
        let shape = self.fresh(ty).0;
        let parts = match *self.out.shapes.get(shape) {
            Shape::Array(item) => vec![item; items.len()],
            _ => Vec::new(),
        };
        self.fill(items, &parts, ambient);
        shape
    }

    /// The common shape of the results of several ways.
    fn branches(
        &mut self,
        ty: TyId,
        nodes: impl IntoIterator<Item = NodeId>,
        ambient: Slot,
    ) -> ShapeId {
        let shape = self.fresh(ty).0;
        for node in nodes {
            let branch = self.node(node, ambient);
            self.flow(branch, shape);
        }
        shape
    }

    /// `items` become the parts of an object; a plain object has none.
    fn fill(&mut self, items: &[NodeId], parts: &[ShapeId], ambient: Slot) {
        for (place, &item) in items.iter().enumerate() {
            let item = self.node(item, ambient);
            if let Some(&part) = parts.get(place) {
                self.flow(item, part);
            }
        }
    }

    fn construct(&mut self, node: NodeId, ctor: u32, args: &[NodeId], ambient: Slot) -> ShapeId {
        let ty = self.program.ty(node);
        let shape = self.fresh(ty).0;
        let parts = match self.out.shapes.get(shape) {
            Shape::Data(ctors) => ctors[ctor as usize].clone(),
            _ => Vec::new(),
        };
        self.fill(args, &parts, ambient);
        if !parts.is_empty() {
            let tys = self.types.fields(ty);
            for place in self.mutable_fields(ty, ctor) {
                let part = (tys[ctor as usize][place], parts[place]);
                self.outlives(ambient, part, self.program.span(node));
            }
        }
        shape
    }

    /// The places of the mutable fields of a constructor.
    fn mutable_fields(&self, ty: TyId, ctor: u32) -> Vec<usize> {
        let table = &self.types.table;
        let Ty::Data(data, _) = *table.get(ty) else { return Vec::new() };
        let fields = match &table.datas[data].kind {
            DataKind::Record(fields) => fields,
            DataKind::Variant(ctors) => &ctors[ctor as usize].fields,
        };
        (0..fields.len()).filter(|&it| fields[it].mutable).collect()
    }

    fn field(&mut self, object: ShapeId, ctor: u32, index: u32, ty: TyId) -> ShapeId {
        match self.out.shapes.get(object) {
            Shape::Data(ctors) => ctors[ctor as usize][index as usize],
            _ => self.fresh(ty).0,
        }
    }
}

/// Whether a node reads a number that may have been made elsewhere.
fn yields(kind: &NodeKind) -> bool {
    match kind {
        NodeKind::Var { .. }
        | NodeKind::Apply { .. }
        | NodeKind::TupleGet { .. }
        | NodeKind::Field { .. }
        | NodeKind::ExnField { .. }
        | NodeKind::Prim { prim: Prim::ArrayGet, .. } => true,
        NodeKind::Const(_)
        | NodeKind::Lambda(_)
        | NodeKind::Prim { .. }
        | NodeKind::Let { .. }
        | NodeKind::LetRec { .. }
        | NodeKind::Assign { .. }
        | NodeKind::Seq(_)
        | NodeKind::If { .. }
        | NodeKind::Switch { .. }
        | NodeKind::While { .. }
        | NodeKind::For { .. }
        | NodeKind::Tuple(_)
        | NodeKind::Record(_)
        | NodeKind::Construct { .. }
        | NodeKind::SetField { .. }
        | NodeKind::Array(_)
        | NodeKind::MakeExn { .. }
        | NodeKind::Raise(_)
        | NodeKind::Try { .. }
        | NodeKind::Join { .. }
        | NodeKind::Jump { .. } => false,
    }
}
