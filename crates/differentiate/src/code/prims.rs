//! Primitives of numbers that carry derivatives, and those of differentiation itself.

use oxbow_diag::ice;
use oxbow_psg::{Const, DataKind, Key, KnownFunction, NodeId, NodeKind, OrderOp, Prim, Ty};

use crate::constrain::differentiable;
use crate::emit::Emitter;
use crate::level::Level;
use crate::shape::{Shape, ShapeId};

impl Emitter<'_> {
    /// The level inside of the operator whose code this is.
    pub(super) fn inner_level(&self) -> Level {
        match self.constraints().scope {
            Some(scope) => self.solver.level(self.frame.instance, scope.inner),
            None => ice!("a primitive of differentiation outside of an operator"),
        }
    }

    pub(super) fn emit_prim(&mut self, node: NodeId, prim: Prim, args: &[NodeId]) -> NodeId {
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
}
