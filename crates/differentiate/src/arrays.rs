//! Float arrays whose numbers have derivatives: one array for each part of the number.
//!
//! ```text
//! a.(i)            (a.0.(i), a.1.(i))
//! a.(i) <- x       a.0.(i) <- x.0; a.1.(i) <- x.1
//! ```
//!
//! So values and tangents stay in flat memory. Operands are bound to variables from the last to
//! the first, as they are evaluated.

use oxbow_diag::ice;
use oxbow_psg::{IntOp, IntWidth, NodeId, NodeKind, Prim, Ty, TyId, VarId};

use super::emit::Emitter;
use super::level::Level;

/// A part of a variable: `v.0.1`.
#[derive(Clone)]
struct Place {
    var: VarId,
    path: Vec<u32>,
}

impl Place {
    fn of(var: VarId) -> Self {
        Self { var, path: Vec::new() }
    }
    fn part(&self, index: u32) -> Self {
        let mut path = self.path.clone();
        path.push(index);
        Self { var: self.var, path }
    }
}

/// What is at the end of a path: a float, or the node of a tape.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Number(Level),
    Node,
}

impl End {
    /// The two parts of a number; nothing if there are none.
    fn parts(self) -> Option<[End; 2]> {
        match self {
            Self::Number(level) if !level.is_ground() && !level.is_taylor() => {
                let outer = Self::Number(level.outer());
                Some([outer, if level.is_reverse() { Self::Node } else { outer }])
            }
            Self::Number(_) | Self::Node => None,
        }
    }
}

impl Emitter<'_> {
    pub fn array_ty(&mut self, level: Level) -> TyId {
        self.array_end_ty(End::Number(level))
    }

    fn array_end_ty(&mut self, end: End) -> TyId {
        match end.parts() {
            Some(parts) => {
                let parts = parts.map(|it| self.array_end_ty(it)).to_vec();
                self.table().intern(Ty::Tuple(parts))
            }
            None => {
                let item = self.end_ty(end);
                self.table().intern(Ty::Array(item))
            }
        }
    }

    fn end_ty(&mut self, end: End) -> TyId {
        match end {
            End::Number(level) => self.number_ty(level),
            End::Node => self.table().int,
        }
    }

    fn place(&mut self, place: &Place) -> NodeId {
        let mut node = self.mention(place.var);
        for &index in &place.path {
            node = self.part(node, index);
        }
        node
    }

    fn pair(&mut self, parts: [NodeId; 2]) -> NodeId {
        let tys = parts.iter().map(|&it| self.out.ty(it)).collect();
        let ty = self.table().intern(Ty::Tuple(tys));
        self.add(NodeKind::Tuple(parts.to_vec()), ty)
    }

    fn both(&mut self, parts: [NodeId; 2]) -> NodeId {
        let ty = self.out.ty(parts[1]);
        self.add(NodeKind::Seq(parts.to_vec()), ty)
    }

    pub fn array_get(&mut self, level: Level, args: &[NodeId]) -> NodeId {
        let index = self.emit(args[1]);
        self.let_in(index, |it, index| {
            let array = it.emit(args[0]);
            it.let_in(array, |it, array| it.get(End::Number(level), &Place::of(array), index))
        })
    }

    /// One of the arrays: all have the same length and are never apart.
    pub fn first_array(&mut self, array: NodeId, level: Level) -> NodeId {
        if End::Number(level).parts().is_none() {
            return array;
        }
        let first = self.part(array, 0);
        self.first_array(first, level.outer())
    }

    /// The coefficients given, as a number of a Taylor level.
    pub fn series(&mut self, outer: Level, values: Vec<NodeId>) -> NodeId {
        let mut bound: Vec<(VarId, NodeId)> = Vec::new();
        for value in values {
            let ty = self.out.ty(value);
            bound.push((self.local("c", ty), value));
        }
        let items: Vec<Place> = bound.iter().map(|it| Place::of(it.0)).collect();
        let mut body = self.literal(End::Number(outer), &items);
        let ty = self.out.ty(body);
        for (var, value) in bound {
            body = self.add(NodeKind::Let { var, value, body }, ty);
        }
        body
    }

    /// The first coefficient of a number of a Taylor level.
    pub fn first_coefficient(&mut self, series: NodeId, outer: Level) -> NodeId {
        self.let_in(series, |it, series| {
            let zero = it.int(0);
            it.let_in(zero, |it, index| it.get(End::Number(outer), &Place::of(series), index))
        })
    }

    fn get(&mut self, end: End, array: &Place, index: VarId) -> NodeId {
        if let Some(ends) = end.parts() {
            let parts = [0, 1].map(|it| self.get(ends[it], &array.part(it as u32), index));
            return self.pair(parts);
        }
        let args = vec![self.place(array), self.mention(index)];
        let ty = self.end_ty(end);
        self.add(NodeKind::Prim { prim: Prim::ArrayGet, args }, ty)
    }

    pub fn array_set(&mut self, level: Level, args: &[NodeId]) -> NodeId {
        let (value, own) = self.emit_number(args[2]);
        let value = self.lift(value, own, level);
        self.let_in(value, |it, value| {
            let index = it.emit(args[1]);
            it.let_in(index, |it, index| {
                let array = it.emit(args[0]);
                it.let_in(array, |it, array| {
                    it.set(End::Number(level), &Place::of(array), index, &Place::of(value))
                })
            })
        })
    }

    fn set(&mut self, end: End, array: &Place, index: VarId, value: &Place) -> NodeId {
        if let Some(ends) = end.parts() {
            let parts = [0, 1].map(|it| {
                self.set(ends[it], &array.part(it as u32), index, &value.part(it as u32))
            });
            return self.both(parts);
        }
        let args = vec![self.place(array), self.mention(index), self.place(value)];
        let ty = self.table().unit;
        self.add(NodeKind::Prim { prim: Prim::ArraySet, args }, ty)
    }

    /// `ArrayMake` or `ArrayUninit`.
    pub fn array_new(&mut self, prim: Prim, level: Level, args: &[NodeId]) -> NodeId {
        match args {
            [length] => {
                let length = self.emit(*length);
                self.let_in(length, |it, length| {
                    it.new_part(prim, End::Number(level), length, None)
                })
            }
            [length, value] => {
                let (value, own) = self.emit_number(*value);
                let value = self.lift(value, own, level);
                self.let_in(value, |it, value| {
                    let length = it.emit(*length);
                    it.let_in(length, |it, length| {
                        let value = Place::of(value);
                        it.new_part(prim, End::Number(level), length, Some(&value))
                    })
                })
            }
            _ => ice!("an array is made from other operands"),
        }
    }

    fn new_part(&mut self, prim: Prim, end: End, length: VarId, value: Option<&Place>) -> NodeId {
        if let Some(ends) = end.parts() {
            let parts = [0, 1].map(|it| {
                let value = value.map(|place| place.part(it as u32));
                self.new_part(prim, ends[it], length, value.as_ref())
            });
            return self.pair(parts);
        }
        let mut args = vec![self.mention(length)];
        if let Some(value) = value {
            args.push(self.place(value));
        }
        let ty = self.array_end_ty(end);
        self.add(NodeKind::Prim { prim, args }, ty)
    }

    /// Copies numbers from an array of the first level. Those between two arrays of one level are
    /// copied as they are; others are read, used at the second level and written at the third.
    pub fn array_blit(&mut self, levels: [Level; 3], args: &[NodeId]) -> NodeId {
        self.bind_blit(levels, args, Vec::new())
    }

    fn bind_blit(&mut self, levels: [Level; 3], args: &[NodeId], mut bound: Vec<VarId>) -> NodeId {
        match args.split_last() {
            Some((&last, rest)) => {
                let value = self.emit(last);
                self.let_in(value, |it, var| {
                    bound.push(var);
                    it.bind_blit(levels, rest, bound)
                })
            }
            None => {
                bound.reverse();
                let (from, into) = (Place::of(bound[0]), Place::of(bound[2]));
                if levels[0] == levels[2] {
                    return self.blit(End::Number(levels[0]), &from, &into, &bound);
                }
                self.copy_each(levels, &from, &into, &bound)
            }
        }
    }

    /// The arrays have different types, so they do not overlap.
    fn copy_each(
        &mut self,
        [own, copied, target]: [Level; 3],
        from: &Place,
        into: &Place,
        bound: &[VarId],
    ) -> NodeId {
        let (int, unit) = (self.table().int, self.table().unit);
        let counter = self.local("i", int);
        let sum = |it: &mut Self, start: VarId| {
            let args = vec![it.mention(start), it.mention(counter)];
            it.add(NodeKind::Prim { prim: Prim::Int(IntWidth::I63, IntOp::Add), args }, int)
        };
        let source = sum(self, bound[1]);
        let body = self.let_in(source, |it, source| {
            let value = it.get(End::Number(own), from, source);
            let value = it.lower(value, own, copied);
            let value = it.lift(value, copied, target);
            it.let_in(value, |it, value| {
                let place = sum(it, bound[3]);
                it.let_in(place, |it, place| {
                    it.set(End::Number(target), into, place, &Place::of(value))
                })
            })
        });
        let zero = self.int(0);
        let (count, one) = (self.mention(bound[4]), self.int(1));
        let last = self.add(
            NodeKind::Prim { prim: Prim::Int(IntWidth::I63, IntOp::Sub), args: vec![count, one] },
            int,
        );
        self.add(NodeKind::For { var: counter, from: zero, to: last, down: false, body }, unit)
    }

    fn blit(&mut self, end: End, from: &Place, into: &Place, bound: &[VarId]) -> NodeId {
        if let Some(ends) = end.parts() {
            let parts = [0, 1]
                .map(|it| self.blit(ends[it], &from.part(it as u32), &into.part(it as u32), bound));
            return self.both(parts);
        }
        let args = vec![
            self.place(from),
            self.mention(bound[1]),
            self.place(into),
            self.mention(bound[3]),
            self.mention(bound[4]),
        ];
        let ty = self.table().unit;
        self.add(NodeKind::Prim { prim: Prim::ArrayBlit, args }, ty)
    }

    pub fn array_literal(&mut self, level: Level, items: &[NodeId]) -> NodeId {
        self.bind_literal(level, items, Vec::new())
    }

    fn bind_literal(&mut self, level: Level, items: &[NodeId], mut bound: Vec<VarId>) -> NodeId {
        match items.split_last() {
            Some((&last, rest)) => {
                let (value, own) = self.emit_number(last);
                let value = self.lift(value, own, level);
                self.let_in(value, |it, var| {
                    bound.push(var);
                    it.bind_literal(level, rest, bound)
                })
            }
            None => {
                bound.reverse();
                let items: Vec<Place> = bound.into_iter().map(Place::of).collect();
                self.literal(End::Number(level), &items)
            }
        }
    }

    fn literal(&mut self, end: End, items: &[Place]) -> NodeId {
        if let Some(ends) = end.parts() {
            let parts = [0, 1].map(|part| {
                let items: Vec<Place> = items.iter().map(|it| it.part(part as u32)).collect();
                self.literal(ends[part], &items)
            });
            return self.pair(parts);
        }
        let nodes = items.iter().map(|it| self.place(it)).collect();
        let ty = self.array_end_ty(end);
        self.add(NodeKind::Array(nodes), ty)
    }
}
