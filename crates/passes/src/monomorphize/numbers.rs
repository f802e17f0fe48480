//! A value with all its numbers changed, at any type: one function per type.
//!
//! ```text
//! before   %ad.map_numbers f { x = 1.0; tags = ["a"] }
//! after    map_numbers f p            with    map_numbers f a = { x = f a.x; tags = a.tags }
//! ```
//!
//! Numbers are visited from the first to the last; parts without numbers are the same objects as
//! before, the others are made anew. Types that hold no number, and those whose numbers cannot be
//! reached (functions, exceptions), are reported as `E0964`.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;
use oxbow_psg::{DataKind, IntOp, Key, NodeId, NodeKind, OrderOp, Prim, Ty, TyId, VarId, print};

use super::Context;
use super::generate::{Code, Task};

/// What a type holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Nothing,
    Numbers,
    /// Something whose numbers cannot be reached.
    Hidden(&'static str),
}

impl Context<'_> {
    pub(super) fn number_change(&mut self) -> TyId {
        let float = self.out.types.float;
        self.out.types.function(&[float], float)
    }

    pub(super) fn map_numbers(&mut self, args: Vec<NodeId>, span: Span) -> NodeId {
        let ty = self.out.ty(args[1]);
        let what = match self.holds(ty) {
            Holds::Numbers => {
                let mut code = Code { context: self, span };
                return code.call(Task::MapNumbers, ty, args);
            }
            Holds::Nothing => "holds no numbers".to_string(),
            Holds::Hidden(what) => format!("holds {what}"),
        };
        let text = print::type_text(&self.out.types, ty);
        self.diagnostics.error(
            Diagnostic::error("E0964", format!("a value of the type `{text}` {what}"))
                .at(self.asked_at(span), "its gradient is wanted here")
                .note("a gradient with respect to a value needs all numbers of the value, in data that can be made anew"),
        );
        args[1]
    }

    /// The user's code that led to the instance that is being copied.
    pub(super) fn asked_at(&self, span: Span) -> Span {
        let mut at = self.current;
        let mut found = self.place.unwrap_or(span);
        while let Some(index) = at {
            let instance = &self.instances[index];
            let item = &self.source.items[instance.item];
            if !item.library {
                break;
            }
            found = instance.asked;
            at = instance.parent;
        }
        found
    }

    /// The code that gave the types: outside of polymorphic functions, the user's as well.
    pub(super) fn wanted_at(&self, span: Span) -> Span {
        let mut at = self.current;
        let mut found = self.place.unwrap_or(span);
        while let Some(index) = at {
            let instance = &self.instances[index];
            if !self.source.items[instance.item].library && instance.tyargs.is_empty() {
                break;
            }
            found = instance.asked;
            at = instance.parent;
        }
        found
    }

    fn holds(&mut self, ty: TyId) -> Holds {
        let mut numbers = false;
        let uniform = self.uniform.as_ref().map(|it| it.data);
        let hidden = self.find_inside(ty, |it| match it {
            None => Some("itself at ever larger types"),
            Some(Ty::Float) => {
                numbers = true;
                None
            }
            Some(Ty::Float32) => Some("numbers of single precision"),
            Some(Ty::Fn(..)) => Some("functions"),
            Some(Ty::Exn) => Some("exceptions"),
            Some(Ty::Uniform) => Some("values of unknown type"),
            Some(Ty::Data(data, _)) if uniform == Some(*data) => Some("values of unknown type"),
            Some(
                Ty::Tuple(_)
                | Ty::Array(_)
                | Ty::Data(..)
                | Ty::Unit
                | Ty::Bool
                | Ty::Char
                | Ty::Int(_)
                | Ty::String
                | Ty::Bytes
                | Ty::Var(_),
            ) => None,
        });
        match hidden {
            Some(what) => Holds::Hidden(what),
            None if numbers => Holds::Numbers,
            None => Holds::Nothing,
        }
    }
}

impl Code<'_, '_> {
    /// A part of a value with its numbers changed.
    fn changed(&mut self, ty: TyId, change: VarId, part: NodeId) -> NodeId {
        if self.context.holds(ty) != Holds::Numbers {
            return part;
        }
        if ty == self.context.out.types.float {
            return self.call_var(change, vec![part]);
        }
        let change = self.read(change);
        self.call(Task::MapNumbers, ty, vec![change, part])
    }

    pub(super) fn map_numbers_body(&mut self, ty: TyId, change: VarId, a: VarId) -> NodeId {
        match self.context.out.types.get(ty).clone() {
            Ty::Tuple(items) => self.rebuilt(
                &items,
                change,
                |code, index| {
                    let tuple = code.read(a);
                    NodeKind::TupleGet { tuple, index }
                },
                NodeKind::Tuple,
                ty,
            ),
            Ty::Array(item) => self.map_array(ty, item, change, a),
            Ty::Data(data, _) => match self.context.out.types.datas[data].kind.clone() {
                DataKind::Record(_) => {
                    let fields = self.context.field_types(ty, 0);
                    self.rebuilt(
                        &fields,
                        change,
                        |code, index| {
                            let object = code.read(a);
                            NodeKind::Field { object, ctor: 0, index }
                        },
                        NodeKind::Record,
                        ty,
                    )
                }
                DataKind::Variant(ctors) => {
                    let mut cases = Vec::new();
                    for ctor in 0..ctors.len() as u32 {
                        let fields = self.context.field_types(ty, ctor as usize);
                        let case = self.rebuilt(
                            &fields,
                            change,
                            |code, index| {
                                let object = code.read(a);
                                NodeKind::Field { object, ctor, index }
                            },
                            |args| NodeKind::Construct { ctor, args },
                            ty,
                        );
                        cases.push((Key::Ctor(ctor), case));
                    }
                    let value = self.read(a);
                    self.add(NodeKind::Switch { value, cases, default: None }, ty)
                }
            },
            _ => {
                let value = self.read(a);
                self.changed(ty, change, value)
            }
        }
    }

    /// The parts are changed in their order and put together again.
    fn rebuilt(
        &mut self,
        fields: &[TyId],
        change: VarId,
        part: impl Fn(&mut Self, u32) -> NodeKind,
        make: impl FnOnce(Vec<NodeId>) -> NodeKind,
        ty: TyId,
    ) -> NodeId {
        let mut bound = Vec::new();
        for (index, &field) in fields.iter().enumerate() {
            let kind = part(self, index as u32);
            let value = self.add(kind, field);
            let value = self.changed(field, change, value);
            bound.push(self.bind("part", value));
        }
        let parts = bound.iter().map(|it| self.read(it.0)).collect();
        let mut body = self.add(make(parts), ty);
        for binding in bound.into_iter().rev() {
            body = self.let_in(binding, body);
        }
        body
    }

    fn map_array(&mut self, ty: TyId, item: TyId, change: VarId, a: VarId) -> NodeId {
        let (int, unit) = (self.context.out.types.int, self.context.out.types.unit);
        let array = self.read(a);
        let length = self.prim(Prim::ArrayLength, vec![array], int);
        let length = self.bind("length", length);
        let at = |code: &mut Self, index: NodeId| {
            let array = code.read(a);
            let value = code.prim(Prim::ArrayGet, vec![array, index], item);
            code.changed(item, change, value)
        };
        let zero = self.int(0);
        let first = at(self, zero);
        let count = self.read(length.0);
        let made = self.prim(Prim::ArrayMake, vec![count, first], ty);
        let made = self.bind("made", made);
        let index = self.context.new_var(oxbow_base::Symbol::new("i"), int, self.span);
        let place = self.read(index);
        let value = at(self, place);
        let (into, place) = (self.read(made.0), self.read(index));
        let body = self.prim(Prim::ArraySet, vec![into, place, value], unit);
        let (count, one) = (self.read(length.0), self.int(1));
        let to = self.int_op(IntOp::Sub, count, one);
        let from = self.int(1);
        let rest = self.add(NodeKind::For { var: index, from, to, down: false, body }, unit);
        let result = self.read(made.0);
        let filled = self.add(NodeKind::Seq(vec![rest, result]), ty);
        let filled = self.let_in(made, filled);
        let (count, zero) = (self.read(length.0), self.int(0));
        let empty = self.order_prim(OrderOp::Eq, count, zero);
        let nothing = self.add(NodeKind::Array(Vec::new()), ty);
        let body = self.choose(empty, nothing, filled);
        self.let_in(length, body)
    }
}
