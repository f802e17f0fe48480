//! The shape of a type: where its numbers and functions are.
//!
//! ```text
//! float array -> float list -> float
//! (slot 2 array) -[0]-> (data: _ | slot 3 * itself) -[1]-> slot 4
//! ```
//!
//! Every number and every arrow of a type has a slot, whose level is found later. The slot of an
//! arrow says inside of which derivatives the function may be called. A recursive data type refers back
//! to itself, so shapes are finite; a data type that contains itself at ever larger types is not
//! expanded further and reported by `too_deep`. Shapes that must agree are merged.

use oxbow_base::{Id as _, IdMap, IdVec, define_id};
use oxbow_diag::ice;
use oxbow_psg::{DataKind, Ty, TyId, TypeTable};

define_id!(
    /// A part of a type in one function.
    pub ShapeId, "shape"
);
define_id!(
    /// A level to be found, in one function.
    pub Slot, "slot"
);

const MAX_NESTING: usize = 200;

#[derive(Clone, Debug)]
pub enum Shape {
    /// No numbers and no functions.
    Plain,
    Number(Slot),
    Fn {
        latent: Slot,
        param: ShapeId,
        result: ShapeId,
    },
    Array(ShapeId),
    Tuple(Vec<ShapeId>),
    /// The fields of each constructor; a record has one.
    Data(Vec<Vec<ShapeId>>),
}

/// What is known of types, for all functions together.
pub struct Types {
    pub table: TypeTable,
    plain: IdMap<TyId, bool>,
    pub too_deep: Option<TyId>,
}

impl Types {
    pub fn new(table: TypeTable) -> Self {
        Self { table, plain: IdMap::new(), too_deep: None }
    }

    /// The field types of each constructor.
    pub fn fields(&mut self, ty: TyId) -> Vec<Vec<TyId>> {
        let Ty::Data(data, args) = self.table.get(ty).clone() else {
            ice!("type {ty} has no fields")
        };
        let declared: Vec<Vec<TyId>> = match &self.table.datas[data].kind {
            DataKind::Record(fields) => vec![fields.iter().map(|it| it.ty).collect()],
            DataKind::Variant(ctors) => {
                ctors.iter().map(|it| it.fields.iter().map(|it| it.ty).collect()).collect()
            }
        };
        let instance = |it: Vec<TyId>, table: &mut TypeTable| {
            it.into_iter().map(|field| table.field_type(data, &args, field)).collect()
        };
        declared.into_iter().map(|it| instance(it, &mut self.table)).collect()
    }

    /// No number and no function occurs in values of the type.
    pub fn is_plain(&mut self, ty: TyId) -> bool {
        if let Some(&known) = self.plain.get(ty) {
            return known;
        }
        let (mut todo, mut seen) = (vec![ty], Vec::new());
        let mut plain = true;
        while let Some(at) = todo.pop() {
            if seen.contains(&at) || self.plain.get(at) == Some(&true) {
                continue;
            }
            if seen.len() > MAX_NESTING || self.plain.get(at) == Some(&false) {
                plain = false;
                break;
            }
            seen.push(at);
            match self.table.get(at).clone() {
                Ty::Float | Ty::Fn(..) => {
                    plain = false;
                    break;
                }
                Ty::Array(item) => todo.push(item),
                Ty::Tuple(items) => todo.extend(items),
                Ty::Data(..) => todo.extend(self.fields(at).concat()),
                Ty::Unit
                | Ty::Bool
                | Ty::Char
                | Ty::Int(_)
                | Ty::Float32
                | Ty::String
                | Ty::Bytes
                | Ty::Exn
                | Ty::Uniform
                | Ty::Var(_) => (),
            }
        }
        if plain {
            for it in seen {
                self.plain.insert(it, true);
            }
        }
        self.plain.insert(ty, plain);
        plain
    }
}

/// The shapes of one function.
#[derive(Default)]
pub struct Shapes {
    shapes: IdVec<ShapeId, Shape>,
    merged: Vec<ShapeId>,
    merged_slots: Vec<Slot>,
    /// Which slots belong to arrows.
    latent: Vec<bool>,
}

impl Shapes {
    pub fn slot(&mut self) -> Slot {
        let slot = Slot::from_index(self.merged_slots.len());
        self.merged_slots.push(slot);
        self.latent.push(false);
        slot
    }

    pub fn slot_count(&self) -> usize {
        self.merged_slots.len()
    }

    pub fn is_latent(&self, slot: Slot) -> bool {
        self.latent[slot.index()]
    }

    pub fn add(&mut self, shape: Shape) -> ShapeId {
        let id = self.shapes.push(shape);
        self.merged.push(id);
        id
    }

    pub fn number(&mut self) -> (ShapeId, Slot) {
        let slot = self.slot();
        (self.add(Shape::Number(slot)), slot)
    }

    /// A shape for the type with new slots, and these in an order that the type determines.
    pub fn fresh(&mut self, types: &mut Types, ty: TyId) -> (ShapeId, Vec<Slot>) {
        let first = self.slot_count();
        let shape = self.build(types, ty, &mut Vec::new());
        (shape, (first..self.slot_count()).map(Slot::from_index).collect())
    }

    fn build(&mut self, types: &mut Types, ty: TyId, open: &mut Vec<(TyId, ShapeId)>) -> ShapeId {
        if types.is_plain(ty) {
            return self.add(Shape::Plain);
        }
        match types.table.get(ty).clone() {
            Ty::Float => self.number().0,
            Ty::Fn(param, result) => {
                let latent = self.slot();
                self.latent[latent.index()] = true;
                let param = self.build(types, param, open);
                let result = self.build(types, result, open);
                self.add(Shape::Fn { latent, param, result })
            }
            Ty::Array(item) => {
                let item = self.build(types, item, open);
                self.add(Shape::Array(item))
            }
            Ty::Tuple(items) => {
                let items = items.iter().map(|&it| self.build(types, it, open)).collect();
                self.add(Shape::Tuple(items))
            }
            Ty::Data(..) => {
                if let Some(found) = open.iter().find(|it| it.0 == ty) {
                    return found.1;
                }
                if open.len() > MAX_NESTING {
                    types.too_deep = Some(ty);
                    return self.add(Shape::Plain);
                }
                let shape = self.add(Shape::Data(Vec::new()));
                open.push((ty, shape));
                let mut ctors = Vec::new();
                for fields in types.fields(ty) {
                    ctors.push(fields.iter().map(|&it| self.build(types, it, open)).collect());
                }
                open.pop();
                self.shapes[shape] = Shape::Data(ctors);
                shape
            }
            other => ice!("a shape of {other:?}"),
        }
    }

    pub fn find(&self, mut shape: ShapeId) -> ShapeId {
        while self.merged[shape.index()] != shape {
            shape = self.merged[shape.index()];
        }
        shape
    }

    pub fn get(&self, shape: ShapeId) -> &Shape {
        &self.shapes[self.find(shape)]
    }

    pub fn find_slot(&self, mut slot: Slot) -> Slot {
        while self.merged_slots[slot.index()] != slot {
            slot = self.merged_slots[slot.index()];
        }
        slot
    }

    pub fn as_number(&self, shape: ShapeId) -> Option<Slot> {
        match *self.get(shape) {
            Shape::Number(slot) => Some(slot),
            Shape::Plain
            | Shape::Fn { .. }
            | Shape::Array(_)
            | Shape::Tuple(_)
            | Shape::Data(_) => None,
        }
    }

    pub fn merge_slots(&mut self, a: Slot, b: Slot) {
        let (a, b) = (self.find_slot(a), self.find_slot(b));
        self.merged_slots[b.index().max(a.index())] = a.min(b);
    }

    /// Makes two shapes of one type the same.
    pub fn merge(&mut self, a: ShapeId, b: ShapeId) {
        let mut todo = vec![(a, b)];
        while let Some((a, b)) = todo.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            self.merged[b.index()] = a;
            match (self.shapes[a].clone(), self.shapes[b].clone()) {
                (Shape::Number(a), Shape::Number(b)) => self.merge_slots(a, b),
                (
                    Shape::Fn { latent, param, result },
                    Shape::Fn { latent: latent2, param: param2, result: result2 },
                ) => {
                    self.merge_slots(latent, latent2);
                    todo.push((param, param2));
                    todo.push((result, result2));
                }
                (Shape::Array(a), Shape::Array(b)) => todo.push((a, b)),
                (Shape::Tuple(a), Shape::Tuple(b)) => todo.extend(a.into_iter().zip(b)),
                (Shape::Data(a), Shape::Data(b)) => {
                    for (a, b) in a.into_iter().zip(b) {
                        todo.extend(a.into_iter().zip(b));
                    }
                }
                (Shape::Plain, _) | (_, Shape::Plain) => (),
                (a, b) => ice!("shapes {a:?} and {b:?} meet"),
            }
        }
    }

    /// The slots of a shape in the order in which `fresh` makes them for the type.
    pub fn slots_of(&self, types: &mut Types, ty: TyId, shape: ShapeId) -> Vec<Slot> {
        let mut slots = Vec::new();
        self.collect(types, ty, shape, &mut Vec::new(), &mut slots);
        slots
    }

    fn collect(
        &self,
        types: &mut Types,
        ty: TyId,
        shape: ShapeId,
        open: &mut Vec<TyId>,
        slots: &mut Vec<Slot>,
    ) {
        match (self.get(shape), types.table.get(ty).clone()) {
            (Shape::Number(slot), _) => slots.push(*slot),
            (&Shape::Fn { latent, param, result }, Ty::Fn(param_ty, result_ty)) => {
                slots.push(latent);
                self.collect(types, param_ty, param, open, slots);
                self.collect(types, result_ty, result, open, slots);
            }
            (Shape::Array(item), Ty::Array(item_ty)) => {
                self.collect(types, item_ty, *item, open, slots);
            }
            (Shape::Tuple(items), Ty::Tuple(tys)) => {
                for (&item, ty) in items.iter().zip(tys) {
                    self.collect(types, ty, item, open, slots);
                }
            }
            (Shape::Data(ctors), Ty::Data(..)) => {
                if open.contains(&ty) {
                    return;
                }
                open.push(ty);
                for (fields, tys) in ctors.iter().zip(types.fields(ty)) {
                    for (&field, ty) in fields.iter().zip(tys) {
                        self.collect(types, ty, field, open, slots);
                    }
                }
                open.pop();
            }
            _ => (),
        }
    }
}
