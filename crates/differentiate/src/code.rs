//! The nodes of a function, written with the levels of one instance.

use std::rc::Rc;

use oxbow_base::{Span, Symbol};
use oxbow_diag::ice;
use oxbow_psg::{
    Callee, Const, DataKind, Join, Key, KnownFunction, Lambda, LambdaId, NodeId, NodeKind, OrderOp,
    Prim, Ty, TyId, Var, VarId,
};

use super::constrain::{Constraints, differentiable};
use super::emit::Emitter;
use super::level::Level;
use super::shape::{Shape, ShapeId};

impl Emitter<'_> {
    pub fn constraints(&self) -> Rc<Constraints> {
        let owner = self.solver.instances[self.frame.instance].owner;
        Rc::clone(&self.solver.constraints[&owner])
    }

    fn shape_of(&self, node: NodeId) -> ShapeId {
        match self.constraints().nodes.get(node) {
            Some(&shape) => shape,
            None => ice!("{node} has no shape"),
        }
    }

    /// The level of a number.
    fn level_of(&self, shape: ShapeId) -> Option<Level> {
        let slot = self.constraints().shapes.as_number(shape)?;
        Some(self.solver.level(self.frame.instance, slot))
    }

    /// The level of a node that is a number; the ground for others.
    pub fn number_level(&self, node: NodeId) -> Level {
        self.level_of(self.shape_of(node)).unwrap_or_default()
    }

    /// The level of the numbers of a float array.
    pub fn item_level(&self, shape: ShapeId) -> Option<Level> {
        match *self.constraints().shapes.get(shape) {
            Shape::Array(item) => self.level_of(item),
            _ => None,
        }
    }

    fn rep_of(&mut self, ty: TyId, shape: ShapeId) -> TyId {
        self.rep(self.frame.instance, ty, shape)
    }

    fn bind(&mut self, var: VarId) -> VarId {
        let data = self.source.vars[var].clone();
        let Some(&shape) = self.constraints().vars.get(var) else {
            ice!("`{}` has no shape", data.name)
        };
        let ty = self.rep_of(data.ty, shape);
        let new = self.out.vars.push(Var { ty, ..data });
        self.frame.vars.insert(var, new);
        new
    }

    fn var(&mut self, var: VarId) -> VarId {
        match self.frame.vars.get(var) {
            Some(&new) => new,
            None => ice!("`{}` is mentioned before it is bound", self.source.vars[var].name),
        }
    }

    fn var_shape(&self, var: VarId) -> ShapeId {
        match self.constraints().vars.get(var) {
            Some(&shape) => shape,
            None => ice!("`{}` has no shape", self.source.vars[var].name),
        }
    }

    /// A node as a value of the given shape.
    pub fn emit_to(&mut self, node: NodeId, target: ShapeId) -> NodeId {
        match self.level_of(target) {
            Some(to) => self.emit_at(node, to),
            None => self.emit(node),
        }
    }

    /// A number at a level. The level is given on to the ends of branches, so that jumps stay
    /// in tail position.
    fn emit_at(&mut self, node: NodeId, to: Level) -> NodeId {
        if has_ends(&self.source.nodes[node].kind) {
            return self.emit_with(node, Some(to));
        }
        let (value, from) = self.emit_number(node);
        self.lift(value, from, to)
    }

    /// The end of a branch of a node with this shape.
    fn emit_end(&mut self, node: NodeId, shape: ShapeId, to: Option<Level>) -> NodeId {
        match to {
            Some(to) => self.emit_at(node, to),
            None => self.emit_to(node, shape),
        }
    }

    /// A number with its level.
    pub fn emit_number(&mut self, node: NodeId) -> (NodeId, Level) {
        let level = self.number_level(node);
        (self.emit(node), level)
    }

    pub fn emit(&mut self, node: NodeId) -> NodeId {
        self.emit_with(node, None)
    }

    /// `to` is the level of the result where it is not the node's own.
    fn emit_with(&mut self, node: NodeId, to: Option<Level>) -> NodeId {
        let saved = self.span;
        self.span = self.source.span(node);
        let mut result = self.emit_here(node, to);
        if let Some(&uncut) = self.constraints().uncut.get(node) {
            let (from, to) = (self.level_of(uncut), self.level_of(self.shape_of(node)));
            result = self.lower(result, from.unwrap_or_default(), to.unwrap_or_default());
        }
        self.span = saved;
        result
    }

    fn emit_all(&mut self, nodes: &[NodeId]) -> Vec<NodeId> {
        nodes.iter().map(|&it| self.emit(it)).collect()
    }

    /// The parts of an object as values of these shapes; a plain object has none.
    fn emit_parts(&mut self, nodes: &[NodeId], parts: &[ShapeId]) -> Vec<NodeId> {
        let mut result = Vec::new();
        for (place, &node) in nodes.iter().enumerate() {
            result.push(match parts.get(place) {
                Some(&part) => self.emit_to(node, part),
                None => self.emit(node),
            });
        }
        result
    }

    fn emit_here(&mut self, node: NodeId, to: Option<Level>) -> NodeId {
        let source = self.source;
        let shapes = self.constraints();
        let shape = shapes.uncut.get(node).copied().unwrap_or_else(|| self.shape_of(node));
        let old_ty = source.ty(node);
        let kind = match &source.nodes[node].kind {
            NodeKind::Const(value) => {
                let constant = self.add(NodeKind::Const(value.clone()), old_ty);
                return match self.level_of(shape) {
                    Some(level) => self.lift(constant, Level::GROUND, level),
                    None => constant,
                };
            }
            NodeKind::Var { var, .. } => return self.emit_var(node, *var, shape),
            NodeKind::Lambda(lambda) => return self.lambda(*lambda, shape, source.span(node)),
            NodeKind::Apply { func, args, .. } => {
                let mut at = self.shape_of(*func);
                let func = self.emit(*func);
                let mut values = Vec::new();
                for &arg in args {
                    let &Shape::Fn { param, result, .. } = shapes.shapes.get(at) else {
                        ice!("{node} calls something that is no function")
                    };
                    values.push(self.emit_to(arg, param));
                    at = result;
                }
                NodeKind::Apply { func, args: values, callee: Callee::Unknown }
            }
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
            NodeKind::Assign { var, value } => {
                let value = self.emit_to(*value, self.var_shape(*var));
                let var = if source.vars[*var].global {
                    let ty = self.out.ty(value);
                    self.global_var(*var, ty)
                } else {
                    self.var(*var)
                };
                NodeKind::Assign { var, value }
            }
            NodeKind::Seq(items) => match items.split_last() {
                Some((&last, first)) => {
                    let mut items = self.emit_all(first);
                    items.push(self.emit_end(last, shape, to));
                    NodeKind::Seq(items)
                }
                None => ice!("{node} is an empty sequence"),
            },
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
                let cases = cases
                    .iter()
                    .map(|(key, case)| (key.clone(), self.emit_end(*case, shape, to)))
                    .collect();
                let default = default.map(|it| self.emit_end(it, shape, to));
                NodeKind::Switch { value, cases, default }
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
                let parts = match shapes.shapes.get(shape) {
                    Shape::Tuple(parts) => parts.clone(),
                    _ => Vec::new(),
                };
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
                let fields = self.fields_of(self.shape_of(*object), *ctor);
                let value = match fields.get(*index as usize) {
                    Some(&field) => self.emit_to(*value, field),
                    None => self.emit(*value),
                };
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
                let old = &source.joins[*join];
                let params = old.params.iter().map(|&it| self.bind(it)).collect();
                let new =
                    self.out.joins.push(Join { name: old.name, params, recursive: old.recursive });
                self.frame.joins.insert(*join, new);
                let body = self.emit_end(*body, shape, to);
                NodeKind::Join { join: new, body, rest: self.emit_end(*rest, shape, to) }
            }
            NodeKind::Jump { join, args } => {
                let mut values = Vec::new();
                for (&arg, &param) in args.iter().zip(&source.joins[*join].params) {
                    values.push(self.emit_to(arg, self.var_shape(param)));
                }
                let Some(&join) = self.frame.joins.get(*join) else {
                    ice!("a jump to {join} outside of it")
                };
                NodeKind::Jump { join, args: values }
            }
        };
        let ty = match to {
            Some(to) => self.number_ty(to),
            None => self.rep_of(old_ty, shape),
        };
        self.add(kind, ty)
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

    /// The level inside of the operator whose code this is.
    fn inner_level(&self) -> Level {
        match self.constraints().scope {
            Some(scope) => self.solver.level(self.frame.instance, scope.inner),
            None => ice!("a primitive of differentiation outside of an operator"),
        }
    }

    fn emit_prim(&mut self, node: NodeId, prim: Prim, args: &[NodeId]) -> NodeId {
        let uncut = self.constraints().uncut.get(node).copied();
        let shape = uncut.unwrap_or_else(|| self.shape_of(node));
        let array = args.first().and_then(|&it| self.item_level(self.shape_of(it)));
        match (prim, array.filter(|it| !it.is_ground())) {
            (Prim::ArrayGet, Some(level)) => return self.array_get(level, args),
            (Prim::ArraySet, Some(level)) => return self.array_set(level, args),
            (Prim::ArrayLength | Prim::PhysEq | Prim::PhysNe, Some(level)) => {
                let args = args.iter().map(|&it| self.emit(it)).collect::<Vec<_>>();
                let args = args.into_iter().map(|it| self.first_array(it, level)).collect();
                return self.add(NodeKind::Prim { prim, args }, self.source.ty(node));
            }
            _ => (),
        }
        match prim {
            Prim::ArrayBlit => match self.copied(node, args) {
                Some(levels) => self.array_blit(levels, args),
                None => self.ordinary_prim(node, prim, args, shape),
            },
            Prim::ArrayMake | Prim::ArrayUninit => {
                if let Some(level) = self.item_level(shape).filter(|it| !it.is_ground()) {
                    return self.array_new(prim, level, args);
                }
                self.ordinary_prim(node, prim, args, shape)
            }
            Prim::ArraySet => {
                let constraints = self.constraints();
                let item = match *constraints.shapes.get(self.shape_of(args[0])) {
                    Shape::Array(item) => item,
                    _ => self.shape_of(args[2]),
                };
                let value = self.emit_to(args[2], item);
                let (array, index) = (self.emit(args[0]), self.emit(args[1]));
                let ty = self.table().unit;
                self.add(NodeKind::Prim { prim, args: vec![array, index, value] }, ty)
            }
            Prim::Opaque if self.rep_of(self.source.ty(node), shape) != self.source.ty(node) => {
                self.emit(args[0])
            }
            _ if !differentiable(prim).is_empty() => {
                let (value, level) = self.emit_numeric(node, prim, args);
                match self.level_of(shape) {
                    Some(to) => self.lift(value, level, to),
                    None => value,
                }
            }
            _ if prim.is_differentiation() => self.emit_operator_prim(prim, args, shape),
            _ => self.ordinary_prim(node, prim, args, shape),
        }
    }

    /// The levels of the numbers in the first array, of those copied, and of those in the second one;
    /// nothing if none of them has a derivative.
    fn copied(&self, node: NodeId, args: &[NodeId]) -> Option<[Level; 3]> {
        let &slot = self.constraints().copied.get(node)?;
        let copied = self.solver.level(self.frame.instance, slot);
        let [from, into] = [args[0], args[2]].map(|it| self.item_level(self.shape_of(it)));
        let levels = [from?, copied, into?];
        levels.iter().any(|it| !it.is_ground()).then_some(levels)
    }

    /// Numbers as operands give their values; a number as result has no derivative.
    fn ordinary_prim(
        &mut self,
        node: NodeId,
        prim: Prim,
        args: &[NodeId],
        shape: ShapeId,
    ) -> NodeId {
        let mut values = Vec::new();
        for (place, &arg) in args.iter().enumerate() {
            let keeps = matches!(prim, Prim::ArrayMake | Prim::Opaque) && place + 1 == args.len();
            if keeps {
                let target = match *self.constraints().shapes.get(shape) {
                    Shape::Array(item) => item,
                    _ => shape,
                };
                values.push(self.emit_to(arg, target));
                continue;
            }
            let (value, level) = self.emit_number(arg);
            values.push(self.ground(value, level));
        }
        if let (Prim::PhysEq | Prim::PhysNe, &[a, b]) = (prim, &values[..])
            && self.out.ty(a) != self.out.ty(b)
        {
            let same = self.same_constants(a, b);
            let bool = self.table().bool;
            let not = NodeKind::Prim { prim: Prim::BoolNot, args: vec![same] };
            return if prim == Prim::PhysEq { same } else { self.add(not, bool) };
        }
        let old_ty = self.source.ty(node);
        let is_float = *self.table().get(old_ty) == Ty::Float;
        if is_float && !matches!(prim, Prim::ArrayGet | Prim::Opaque) {
            let value = self.add(NodeKind::Prim { prim, args: values }, old_ty);
            let level = self.level_of(shape).unwrap_or_default();
            return self.lift(value, Level::GROUND, level);
        }
        let ty = self.rep_of(old_ty, shape);
        self.add(NodeKind::Prim { prim, args: values }, ty)
    }

    /// Are these the same, one with derivatives in it and the other without? Objects are not;
    /// constant constructors may be.
    fn same_constants(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let ty = self.out.ty(a);
        let constants = match *self.table().get(ty) {
            Ty::Data(data, _) => match &self.table().datas[data].kind {
                DataKind::Variant(ctors) => {
                    (0..).zip(ctors).filter(|it| it.1.fields.is_empty()).map(|it| it.0).collect()
                }
                DataKind::Record(_) => Vec::new(),
            },
            _ => Vec::new(),
        };
        let bool = self.table().bool;
        let truth = |it: &mut Self, value| it.add(NodeKind::Const(Const::Bool(value)), bool);
        let switch = |it: &mut Self, var, cases: Vec<(Key, NodeId)>| {
            let (value, default) = (it.mention(var), truth(it, false));
            if cases.is_empty() {
                return it.add(NodeKind::Seq(vec![value, default]), bool);
            }
            it.add(NodeKind::Switch { value, cases, default: Some(default) }, bool)
        };
        self.let_in(b, |it, b| {
            it.let_in(a, |it, a| {
                let mut cases = Vec::new();
                for ctor in constants {
                    let same = vec![(Key::Ctor(ctor), truth(it, true))];
                    cases.push((Key::Ctor(ctor), switch(it, b, same)));
                }
                switch(it, a, cases)
            })
        })
    }

    fn emit_operator_prim(&mut self, prim: Prim, args: &[NodeId], shape: ShapeId) -> NodeId {
        if prim == Prim::AdConstant {
            let (value, level) = self.emit_number(args[0]);
            let value = self.ground(value, level);
            let to = self.level_of(shape).unwrap_or_default();
            return self.lift(value, Level::GROUND, to);
        }
        if prim == Prim::AdIsZero {
            let (value, level) = self.emit_number(args[0]);
            return self.let_in(value, |it, value| {
                let value = it.mention(value);
                it.is_zero(value, level)
            });
        }
        let inner = self.inner_level();
        let outer = inner.outer();
        match prim {
            Prim::AdDual | Prim::AdVariable => {
                let (first, level) = self.emit_number(args[0]);
                let first = self.lower(first, level, outer);
                let (second, level) = self.emit_number(args[1]);
                let second =
                    if prim == Prim::AdDual { self.lower(second, level, outer) } else { second };
                let number = if inner.is_taylor() {
                    self.series(outer, vec![first, second])
                } else {
                    let ty = self.number_ty(inner);
                    self.add(NodeKind::Tuple(vec![first, second]), ty)
                };
                let to = self.level_of(shape).unwrap_or(inner);
                self.lift(number, inner, to)
            }
            Prim::AdOuter => {
                let (value, level) = self.emit_number(args[0]);
                let to = self.level_of(shape).unwrap_or_default();
                self.lower(value, level, to)
            }
            Prim::AdPrimal | Prim::AdTangent | Prim::AdIndex => {
                let (value, level) = self.emit_number(args[0]);
                let value = self.lift(value, level, inner);
                let part = match (prim, inner.is_taylor()) {
                    (Prim::AdPrimal, _) => self.value_of(value, inner),
                    (_, false) => self.part(value, 1),
                    (_, true) => {
                        let slope = self.library(KnownFunction::TaylorSlope, outer);
                        self.call(slope, vec![value])
                    }
                };
                match self.level_of(shape) {
                    Some(to) => self.lift(part, outer, to),
                    None => part,
                }
            }
            // Such a number is the array of its coefficients.
            Prim::AdSeries => {
                let number = self.emit(args[0]);
                let to = self.level_of(shape).unwrap_or(inner);
                self.lift(number, inner, to)
            }
            Prim::AdCoefficients => {
                let (value, level) = self.emit_number(args[0]);
                self.lift(value, level, inner)
            }
            Prim::AdTape => {
                let tape = self.tape(inner);
                self.note_use(tape);
                self.mention(tape)
            }
            Prim::AdReverse => {
                let ty = self.table().bool;
                self.add(NodeKind::Const(Const::Bool(inner.is_reverse())), ty)
            }
            other => ice!("{} is not an operator's", other.name()),
        }
    }

    /// Whether a number is zero with all its derivatives. `value` may be repeated.
    pub fn is_zero(&mut self, value: NodeId, level: Level) -> NodeId {
        if level.is_ground() {
            let zero = self.float(0.0);
            return self.compare(OrderOp::Eq, value, zero);
        }
        if level.is_taylor() {
            let function = self.library(KnownFunction::TaylorIsZero, level.outer());
            return self.call(function, vec![value]);
        }
        let first = self.part(value, 0);
        let first = self.is_zero(first, level.outer());
        let again = oxbow_psg::clone::clone_subtree(&mut self.out, value);
        let second = self.part(again, 1);
        let second = if level.is_reverse() {
            let none = self.int(0);
            self.compare(OrderOp::Eq, second, none)
        } else {
            self.is_zero(second, level.outer())
        };
        let ty = self.table().bool;
        let no = self.add(NodeKind::Const(Const::Bool(false)), ty);
        self.add(NodeKind::If { cond: first, then: second, otherwise: no }, ty)
    }

    /// `let name = value in body name`
    pub fn let_in(
        &mut self,
        value: NodeId,
        body: impl FnOnce(&mut Self, VarId) -> NodeId,
    ) -> NodeId {
        let var = self.local("it", self.out.ty(value));
        self.out.vars[var].name = Symbol::new("it");
        let body = body(self, var);
        let ty = self.out.ty(body);
        self.add(NodeKind::Let { var, value, body }, ty)
    }
}

/// Whether the value of a node is that of nodes at its ends, or never there.
fn has_ends(kind: &NodeKind) -> bool {
    match kind {
        NodeKind::Let { .. }
        | NodeKind::LetRec { .. }
        | NodeKind::Seq(_)
        | NodeKind::If { .. }
        | NodeKind::Switch { .. }
        | NodeKind::Raise(_)
        | NodeKind::Try { .. }
        | NodeKind::Join { .. }
        | NodeKind::Jump { .. } => true,
        NodeKind::Const(_)
        | NodeKind::Var { .. }
        | NodeKind::Lambda(_)
        | NodeKind::Apply { .. }
        | NodeKind::Prim { .. }
        | NodeKind::Assign { .. }
        | NodeKind::While { .. }
        | NodeKind::For { .. }
        | NodeKind::Tuple(_)
        | NodeKind::TupleGet { .. }
        | NodeKind::Record(_)
        | NodeKind::Construct { .. }
        | NodeKind::Field { .. }
        | NodeKind::SetField { .. }
        | NodeKind::Array(_)
        | NodeKind::MakeExn { .. }
        | NodeKind::ExnField { .. } => false,
    }
}
