//! Each kind of node, written again.

use oxbow_base::Span;
use oxbow_diag::ice;
use oxbow_psg::{Callee, Join, JoinId, Lambda, LambdaId, NodeId, NodeKind, Prim, TyId, VarId};

use crate::emit::Emitter;
use crate::level::Level;
use crate::shape::{Shape, ShapeId};

impl Emitter<'_> {
    pub(super) fn emit_here(&mut self, node: NodeId, to: Option<Level>) -> NodeId {
        let source = self.source;
        let shapes = self.constraints();
        let shape = shapes.uncut.get(node).copied().unwrap_or_else(|| self.shape_of(node));
        let old_ty = source.ty(node);
        let kind = match &source.nodes[node].kind {
            NodeKind::Const(value) => {
                let constant = self.add(NodeKind::Const(value.clone()), old_ty);
                let level = self.level_of(shape).unwrap_or_default();
                return self.lift(constant, Level::GROUND, level);
            }
            NodeKind::Var { var, .. } => return self.emit_var(node, *var, shape),
            NodeKind::Lambda(lambda) => return self.lambda(*lambda, shape, source.span(node)),
            NodeKind::Apply { func, args, .. } => self.emit_apply(*func, args),
            NodeKind::Prim { prim, args } => return self.emit_prim(node, *prim, args),
            NodeKind::Let { var, value, body } => {
                let value = self.emit_to(*value, self.var_shape(*var));
                let var = self.bind(*var);
                NodeKind::Let { var, value, body: self.emit_end(*body, shape, to) }
            }
            NodeKind::LetRec { vars, values, body } => {
                let new = vars.iter().map(|&it| self.bind(it)).collect();
                let values = self.emit_all(values);
                NodeKind::LetRec { vars: new, values, body: self.emit_end(*body, shape, to) }
            }
            NodeKind::Assign { var, value } => self.emit_assign(*var, *value),
            NodeKind::Seq(items) => {
                let Some((&last, first)) = items.split_last() else {
                    ice!("{node} is an empty sequence")
                };
                let mut items = self.emit_all(first);
                items.push(self.emit_end(last, shape, to));
                NodeKind::Seq(items)
            }
            NodeKind::If { cond, then, otherwise } => {
                if let NodeKind::Prim { prim: Prim::AdReverse, .. } = source.nodes[*cond].kind {
                    let taken = if self.inner_level().is_reverse() { *then } else { *otherwise };
                    return self.emit_end(taken, shape, to);
                }
                let cond = self.emit(*cond);
                let then = self.emit_end(*then, shape, to);
                NodeKind::If { cond, then, otherwise: self.emit_end(*otherwise, shape, to) }
            }
            NodeKind::Switch { value, cases, default } => {
                let value = self.emit(*value);
                let mut end = |it: NodeId| self.emit_end(it, shape, to);
                let cases = cases.iter().map(|(key, case)| (key.clone(), end(*case))).collect();
                NodeKind::Switch { value, cases, default: default.map(end) }
            }
            NodeKind::While { cond, body } => {
                let cond = self.emit(*cond);
                NodeKind::While { cond, body: self.emit(*body) }
            }
            NodeKind::For { var, from, to, down, body } => {
                let (from, to) = (self.emit(*from), self.emit(*to));
                let var = self.bind(*var);
                NodeKind::For { var, from, to, down: *down, body: self.emit(*body) }
            }
            NodeKind::Tuple(items) => {
                let parts = self.parts_of(shape);
                NodeKind::Tuple(self.emit_parts(items, &parts))
            }
            NodeKind::TupleGet { tuple, index } => {
                NodeKind::TupleGet { tuple: self.emit(*tuple), index: *index }
            }
            NodeKind::Record(items) => {
                let parts = self.fields_of(shape, 0);
                NodeKind::Record(self.emit_parts(items, &parts))
            }
            NodeKind::Construct { ctor, args } => {
                let parts = self.fields_of(shape, *ctor);
                NodeKind::Construct { ctor: *ctor, args: self.emit_parts(args, &parts) }
            }
            NodeKind::Field { object, ctor, index } => {
                NodeKind::Field { object: self.emit(*object), ctor: *ctor, index: *index }
            }
            NodeKind::SetField { object, ctor, index, value } => {
                let value = self.emit_field(*value, *object, *ctor, *index);
                let object = self.emit(*object);
                NodeKind::SetField { object, ctor: *ctor, index: *index, value }
            }
            NodeKind::Array(items) => {
                if let Some(level) = self.item_level(shape)
                    && !level.is_ground()
                {
                    return self.array_literal(level, items);
                }
                let parts = match *shapes.shapes.get(shape) {
                    Shape::Array(item) => vec![item; items.len()],
                    _ => Vec::new(),
                };
                NodeKind::Array(self.emit_parts(items, &parts))
            }
            NodeKind::MakeExn { exn, args } => {
                let parts = shapes.payloads.get(*exn).cloned().unwrap_or_default();
                NodeKind::MakeExn { exn: *exn, args: self.emit_parts(args, &parts) }
            }
            NodeKind::ExnField { object, exn, index } => {
                NodeKind::ExnField { object: self.emit(*object), exn: *exn, index: *index }
            }
            NodeKind::Raise(value) => NodeKind::Raise(self.emit(*value)),
            NodeKind::Try { body, var, handler } => {
                let body = self.emit_end(*body, shape, to);
                let var = self.bind(*var);
                NodeKind::Try { body, var, handler: self.emit_end(*handler, shape, to) }
            }
            NodeKind::Join { join, body, rest } => {
                let join = self.bind_join(*join);
                let body = self.emit_end(*body, shape, to);
                NodeKind::Join { join, body, rest: self.emit_end(*rest, shape, to) }
            }
            NodeKind::Jump { join, args } => self.emit_jump(*join, args),
        };
        let ty = match to {
            Some(to) => self.number_ty(to),
            None => self.rep_of(old_ty, shape),
        };
        self.add(kind, ty)
    }

    fn emit_apply(&mut self, func: NodeId, args: &[NodeId]) -> NodeKind {
        let shapes = self.constraints();
        let mut at = self.shape_of(func);
        let func = self.emit(func);
        let mut values = Vec::new();
        for &arg in args {
            let &Shape::Fn { param, result, .. } = shapes.shapes.get(at) else {
                ice!("{func} is called and is no function")
            };
            values.push(self.emit_to(arg, param));
            at = result;
        }
        NodeKind::Apply { func, args: values, callee: Callee::Unknown }
    }

    fn emit_assign(&mut self, var: VarId, value: NodeId) -> NodeKind {
        let value = self.emit_to(value, self.var_shape(var));
        let var = if self.source.vars[var].global {
            let ty = self.out.ty(value);
            self.global_var(var, ty)
        } else {
            self.var(var)
        };
        NodeKind::Assign { var, value }
    }

    /// What is stored in a field.
    fn emit_field(&mut self, value: NodeId, object: NodeId, ctor: u32, index: u32) -> NodeId {
        let fields = self.fields_of(self.shape_of(object), ctor);
        match fields.get(index as usize) {
            Some(&field) => self.emit_to(value, field),
            None => self.emit(value),
        }
    }

    fn bind_join(&mut self, join: JoinId) -> JoinId {
        let old = &self.source.joins[join];
        let params = old.params.iter().map(|&it| self.bind(it)).collect();
        let new = Join { name: old.name, params, recursive: old.recursive };
        let new = self.out.joins.push(new);
        self.frame.joins.insert(join, new);
        new
    }

    fn emit_jump(&mut self, join: JoinId, args: &[NodeId]) -> NodeKind {
        let mut values = Vec::new();
        for (&arg, &param) in args.iter().zip(&self.source.joins[join].params) {
            values.push(self.emit_to(arg, self.var_shape(param)));
        }
        let Some(&join) = self.frame.joins.get(join) else {
            ice!("a jump to {join} outside of it")
        };
        NodeKind::Jump { join, args: values }
    }

    fn parts_of(&self, shape: ShapeId) -> Vec<ShapeId> {
        match self.constraints().shapes.get(shape) {
            Shape::Tuple(parts) => parts.clone(),
            _ => Vec::new(),
        }
    }

    fn fields_of(&self, shape: ShapeId, ctor: u32) -> Vec<ShapeId> {
        match self.constraints().shapes.get(shape) {
            Shape::Data(ctors) => ctors[ctor as usize].clone(),
            _ => Vec::new(),
        }
    }

    fn emit_var(&mut self, node: NodeId, var: VarId, shape: ShapeId) -> NodeId {
        if let Some(&place) = self.frame.mentions.get(node) {
            let constraints = self.constraints();
            let mention = &constraints.mentions[place];
            let levels = self.solver.levels(self.frame.instance, &mention.slots);
            let Some(instance) = self.solver.find(mention.function, &levels) else {
                ice!("no instance of `{}`", self.source.vars[var].name)
            };
            let function = self.function(instance);
            self.note_use(function);
            return self.mention(function);
        }
        let ty = self.rep_of(self.source.ty(node), shape);
        let new =
            if self.source.vars[var].global { self.global_var(var, ty) } else { self.var(var) };
        self.mention(new)
    }

    pub fn lambda(&mut self, lambda: LambdaId, shape: ShapeId, span: Span) -> NodeId {
        let old = &self.source.lambdas[lambda];
        let constraints = self.constraints();
        let params: Vec<VarId> = old.params.iter().map(|&it| self.bind(it)).collect();
        let mut at = shape;
        for _ in &params {
            let &Shape::Fn { result, .. } = constraints.shapes.get(at) else {
                ice!("a lambda of another shape")
            };
            at = result;
        }
        let body = self.emit_to(old.body, at);
        let tys: Vec<TyId> = params.iter().map(|&it| self.out.vars[it].ty).collect();
        let result = self.out.ty(body);
        let ty = self.table().function(&tys, result);
        let new = self
            .out
            .lambdas
            .push(Lambda { inline: old.inline, ..Lambda::new(old.name, params, body, old.span) });
        self.out.add(NodeKind::Lambda(new), ty, span)
    }
}
