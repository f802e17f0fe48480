//! The demands of the primitives, those of differentiation among them.

use oxbow_diag::ice;
use oxbow_psg::{FloatOp, NodeId, Prim, TyId};

use super::{Scope, Walk};
use crate::shape::{Shape, ShapeId, Slot};

impl Walk<'_> {
    fn item_of(&mut self, array: ShapeId, ty: TyId) -> ShapeId {
        match *self.out.shapes.get(array) {
            Shape::Array(item) => item,
            _ => self.fresh(ty).0,
        }
    }

    /// Copied numbers are read and written one by one; other items are the same objects.
    fn blit(&mut self, node: NodeId, from: ShapeId, into: ShapeId, ambient: Slot) {
        let (&Shape::Array(source), &Shape::Array(target)) =
            (self.out.shapes.get(from), self.out.shapes.get(into))
        else {
            return;
        };
        match (self.out.shapes.as_number(source), self.out.shapes.as_number(target)) {
            (Some(source), Some(target)) => {
                let copied = self.out.shapes.slot();
                self.out.cuts.push((source, ambient, copied));
                self.le(copied, target);
                self.out.copied.insert(node, copied);
            }
            _ => self.out.shapes.merge(from, into),
        }
    }

    fn slot_of(&self, shape: ShapeId) -> Slot {
        match self.out.shapes.as_number(shape) {
            Some(slot) => slot,
            None => ice!("a number has another shape"),
        }
    }

    pub(super) fn prim(
        &mut self,
        node: NodeId,
        prim: Prim,
        args: &[NodeId],
        ambient: Slot,
    ) -> ShapeId {
        let ty = self.program.ty(node);
        let shapes: Vec<ShapeId> = args.iter().map(|&it| self.node(it, ambient)).collect();
        match prim {
            Prim::ArrayGet => return self.item_of(shapes[0], ty),
            Prim::ArraySet => {
                let item = self.item_of(shapes[0], self.program.ty(args[2]));
                self.flow(shapes[2], item);
            }
            Prim::ArrayMake => {
                let array = self.fresh(ty).0;
                let item = self.item_of(array, self.program.ty(args[1]));
                self.flow(shapes[1], item);
                self.outlives(ambient, (ty, array), self.program.span(node));
                return array;
            }
            Prim::ArrayBlit => self.blit(node, shapes[0], shapes[2], ambient),
            Prim::Opaque => return shapes[0],
            Prim::ParseFloat
            | Prim::FloatOfBits
            | Prim::FloatOfBits32
            | Prim::FiberNew
            | Prim::FiberResume
            | Prim::FiberSuspend
            | Prim::DomainSpawn => {
                self.out.opaque.push((node, ambient));
            }
            Prim::Foreign { .. } | Prim::Float32OfFloat => {
                let float = self.program.types.float;
                for (&arg, &shape) in args.iter().zip(&shapes) {
                    if self.program.ty(arg) == float {
                        let slot = self.slot_of(shape);
                        self.out.losing.push((node, slot));
                    }
                }
            }
            _ => (),
        }
        let (result, slots) = self.fresh(ty);
        if prim == Prim::ArrayUninit {
            self.outlives(ambient, (ty, result), self.program.span(node));
        }
        for operand in differentiable(prim) {
            let from = self.slot_of(shapes[*operand]);
            self.le(from, slots[0]);
        }
        self.operator(node, prim, &shapes, &slots);
        result
    }

    /// Where the primitives of differentiation begin and end a level.
    fn operator(&mut self, node: NodeId, prim: Prim, shapes: &[ShapeId], slots: &[Slot]) {
        match prim {
            Prim::AdDual | Prim::AdVariable => {
                let Scope { call, outer, inner, .. } = self.scope();
                // The derivative that begins here is not part of what it begins with, even if an
                // array is used inside and outside.
                for &shape in shapes {
                    if let Some(from) = self.out.shapes.as_number(shape) {
                        self.out.cuts.push((from, call, outer));
                    }
                }
                self.le(inner, slots[0]);
            }
            Prim::AdOuter => {
                let Scope { call, outer, .. } = self.scope();
                let from = self.slot_of(shapes[0]);
                self.out.cuts.push((from, call, slots[0]));
                self.le(slots[0], outer);
            }
            Prim::AdPrimal | Prim::AdTangent => {
                let Scope { outer, inner, .. } = self.scope();
                let from = self.slot_of(shapes[0]);
                self.le(from, inner);
                self.le(outer, slots[0]);
            }
            Prim::AdIndex => {
                let inner = self.scope().inner;
                let from = self.slot_of(shapes[0]);
                self.le(from, inner);
            }
            Prim::AdAttach => {
                let operands = [0, 1, 2].map(|it| self.slot_of(shapes[it]));
                self.out.attached.push((node, operands));
            }
            Prim::AdSeries => {
                let Scope { outer, inner, .. } = self.scope();
                let item = self.item_of(shapes[0], self.program.ty(node));
                let item = self.slot_of(item);
                self.out.shapes.merge_slots(outer, item);
                self.le(inner, slots[0]);
            }
            Prim::AdCoefficients => {
                let Scope { outer, inner, .. } = self.scope();
                let from = self.slot_of(shapes[0]);
                self.le(from, inner);
                self.out.shapes.merge_slots(outer, slots[0]);
            }
            Prim::AdTape => {
                let outer = self.scope().outer;
                for &slot in slots {
                    self.out.shapes.merge_slots(outer, slot);
                }
            }
            _ => (),
        }
    }
}

/// The operands on which the result depends continuously.
pub fn differentiable(prim: Prim) -> &'static [usize] {
    match prim {
        Prim::Float(FloatOp::Ceil | FloatOp::Floor | FloatOp::Trunc | FloatOp::Round) => &[],
        Prim::Float(FloatOp::CopySign | FloatOp::NextAfter)
        | Prim::FloatLdexp
        | Prim::FloatFrexpMantissa => &[0],
        Prim::Float(op) => match op.arity() {
            1 => &[0],
            2 => &[0, 1],
            _ => &[0, 1, 2],
        },
        // The derivative operand only has to reach the level of the others.
        Prim::AdAttach => &[0, 2],
        _ => &[],
    }
}
