//! `==`, `compare` and `hash` of the values of `lazy e`, as `psg::suspension` states them.
//!
//! ```text
//! compare a b = if both are evaluated then compare a.value b.value
//!               else if tag a = tag b
//!               then (if one is evaluated then functional value        one more `lazy` inside of it
//!                     else if suspended then compare a.compute b.compute else 0)
//!               else compare (tag a) (tag b)
//! same a b    = a == b || both are plain && same a.value b.value
//! ```

use oxbow_psg::{
    Compared, DataKind, Key, NodeId, NodeKind, OrderOp, Prim, Ty, TyId, VarId, suspension,
};

use super::Context;
use super::generate::{Code, Task};
use super::order::Mode;

/// The tag of a value that is no block, below all tags.
const IMMEDIATE: i64 = -1;
const CLOSURE: i64 = 247;
const OBJECT: i64 = 248;
const STRING: i64 = 252;
const FLOAT: i64 = 253;
const FLOAT_ARRAY: i64 = 254;
const CUSTOM: i64 = 255;

impl Context<'_> {
    pub(super) fn is_suspension(&self, ty: TyId) -> bool {
        self.compared(ty) == Compared::Suspension
    }
}

impl Code<'_, '_> {
    fn suspension_field(&mut self, ty: TyId, object: VarId, index: u32) -> NodeId {
        let field = self.context.field_types(ty, 0)[index as usize];
        self.ctor_field(object, 0, index, field)
    }

    /// Is the suspension in this state, or in one that follows it?
    fn reached(&mut self, ty: TyId, object: VarId, state: i64) -> NodeId {
        let now = self.suspension_field(ty, object, suspension::STATE);
        let state = self.int(state);
        self.order_prim(OrderOp::Ge, now, state)
    }

    fn both(&mut self, left: NodeId, right: NodeId) -> NodeId {
        let no = self.bool(false);
        self.choose(left, right, no)
    }

    pub(super) fn suspension_order(&mut self, mode: Mode, ty: TyId, a: VarId, b: VarId) -> NodeId {
        let types = self.context.field_types(ty, 0);
        let (item, compute) =
            (types[suspension::VALUE as usize], types[suspension::COMPUTE as usize]);
        let [left, right] = [a, b].map(|it| self.suspension_field(ty, it, suspension::VALUE));
        let values = self.part(mode, item, left, right);
        let [left, right] = [a, b].map(|it| self.suspension_field(ty, it, suspension::COMPUTE));
        let functions = self.part(mode, compute, left, right);
        let functions = {
            let [left, right] = [a, b].map(|it| self.reached(ty, it, suspension::FORCED));
            let (inner, yes) = (self.functional_value(mode), self.bool(true));
            let one = self.choose(left, yes, right);
            self.choose(one, inner, functions)
        };
        let [left, right] = [a, b].map(|it| {
            let it = self.read(it);
            let tag = self.call(Task::Tag, ty, vec![it]);
            self.bind("tag", tag)
        });
        let (tag, forcing) = (self.read(left.0), self.int(i64::from(suspension::FORCING_TAG)));
        let is_forcing = self.order_prim(OrderOp::Eq, tag, forcing);
        let same = self.same(mode);
        let alike = self.choose(is_forcing, same, functions);
        let (x, y) = (self.read(left.0), self.read(right.0));
        let unlike = match mode {
            Mode::Equal => self.bool(false),
            Mode::Total | Mode::Partial => self.order_prim(OrderOp::Compare, x, y),
        };
        let (x, y) = (self.read(left.0), self.read(right.0));
        let equal = self.order_prim(OrderOp::Eq, x, y);
        let blocks = self.choose(equal, alike, unlike);
        let blocks = self.let_in(right, blocks);
        let blocks = self.let_in(left, blocks);
        let [left, right] = [a, b].map(|it| self.reached(ty, it, suspension::FORCED));
        let evaluated = self.both(left, right);
        self.choose(evaluated, values, blocks)
    }

    pub(super) fn suspension_hash(&mut self, ty: TyId, state: VarId, a: VarId) -> NodeId {
        let item = self.context.field_types(ty, 0)[suspension::VALUE as usize];
        let unit = self.context.out.types.unit;
        let value = self.suspension_field(ty, a, suspension::VALUE);
        let value = self.mix(item, state, value);
        let one = self.int(1);
        let header = self.mix_block(state, i64::from(suspension::FORCING_TAG), one);
        let content = self.unit();
        let content = self.push(unit, state, content);
        let forcing = self.steps(vec![header, content]);
        let one = self.int(1);
        let suspended = self.mix_block(state, i64::from(suspension::SUSPENDED_TAG), one);
        let started = self.reached(ty, a, suspension::FORCING);
        let blocks = self.choose(started, forcing, suspended);
        let evaluated = self.reached(ty, a, suspension::FORCED);
        self.choose(evaluated, value, blocks)
    }

    pub(super) fn same_body(&mut self, ty: TyId, a: VarId, b: VarId) -> NodeId {
        if self.context.is_uniform(ty) {
            return self.same_uniform(a, b);
        }
        let (same, alike) = (self.phys_eq(a, b), self.plain_alike(ty, a, b));
        let yes = self.bool(true);
        self.choose(same, yes, alike)
    }

    /// Are both plain, of one value?
    fn plain_alike(&mut self, ty: TyId, a: VarId, b: VarId) -> NodeId {
        let item = self.context.field_types(ty, 0)[suspension::VALUE as usize];
        // A float is never plain, nor is what is no plain suspension itself.
        if item == self.context.out.types.float {
            return self.bool(false);
        }
        let [left, right] = [a, b].map(|it| {
            let value = self.suspension_field(ty, it, suspension::VALUE);
            self.bind("value", value)
        });
        let (x, y) = (self.read(left.0), self.read(right.0));
        let mut alike = self.identical(item, x, y);
        if self.context.is_suspension(item) {
            for value in [left.0, right.0] {
                let plain = self.reached(item, value, suspension::PLAIN);
                alike = self.both(plain, alike);
            }
        }
        let alike = self.let_in(right, alike);
        let alike = self.let_in(left, alike);
        let [left, right] = [a, b].map(|it| self.reached(ty, it, suspension::PLAIN));
        let plain = self.both(left, right);
        self.both(plain, alike)
    }

    /// `==` at any type.
    pub(super) fn identical(&mut self, ty: TyId, left: NodeId, right: NodeId) -> NodeId {
        if self.context.is_suspension(ty) || self.context.is_uniform(ty) {
            return self.call(Task::Same, ty, vec![left, right]);
        }
        let bool = self.context.out.types.bool;
        self.prim(Prim::PhysEq, vec![left, right], bool)
    }

    /// OCaml's tag of a value, or [`IMMEDIATE`].
    pub(super) fn tag_body(&mut self, ty: TyId, a: VarId) -> NodeId {
        if self.context.is_suspension(ty) {
            return self.suspension_tag(ty, a);
        }
        if self.context.is_uniform(ty) {
            return self.uniform_tag(a);
        }
        if self.context.is_tags(ty) {
            return self.tags_tag(ty, a);
        }
        let float = self.context.out.types.float;
        match self.context.out.types.get(ty).clone() {
            Ty::Unit | Ty::Bool | Ty::Char | Ty::Int(oxbow_psg::IntWidth::I63) | Ty::Var(_) => {
                self.int(IMMEDIATE)
            }
            Ty::Int(_) => self.int(CUSTOM),
            Ty::Float | Ty::Float32 => self.int(FLOAT),
            Ty::String | Ty::Bytes => self.int(STRING),
            Ty::Fn(..) => self.int(CLOSURE),
            Ty::Array(item) if item == float => {
                let (array, int) = (self.read(a), self.context.out.types.int);
                let (length, zero) = (self.prim(Prim::ArrayLength, vec![array], int), self.int(0));
                let empty = self.order_prim(OrderOp::Eq, length, zero);
                let (plain, floats) = (self.int(0), self.int(FLOAT_ARRAY));
                self.choose(empty, plain, floats)
            }
            Ty::Array(item) if self.context.is_uniform(item) => {
                let floats = self.holds_floats(a);
                let (plain, flat) = (self.int(0), self.int(FLOAT_ARRAY));
                self.choose(floats, flat, plain)
            }
            Ty::Tuple(_) | Ty::Array(_) | Ty::Uniform => self.int(0),
            Ty::Data(data, _) => match self.context.out.types.datas[data].kind.clone() {
                DataKind::Record(_) => {
                    let types = self.context.field_types(ty, 0);
                    let flat = !types.is_empty() && types.iter().all(|&it| it == float);
                    self.int(if flat { FLOAT_ARRAY } else { 0 })
                }
                DataKind::Variant(ctors) => {
                    let has_fields: Vec<bool> =
                        ctors.iter().map(|it| !it.fields.is_empty()).collect();
                    self.constructor_tag(&has_fields, a)
                }
            },
            Ty::Exn => self.exn_tag(a),
        }
    }

    fn suspension_tag(&mut self, ty: TyId, a: VarId) -> NodeId {
        let item = self.context.field_types(ty, 0)[suspension::VALUE as usize];
        let value = self.suspension_field(ty, a, suspension::VALUE);
        let value = self.call(Task::Tag, item, vec![value]);
        let forcing = self.int(i64::from(suspension::FORCING_TAG));
        let suspended = self.int(i64::from(suspension::SUSPENDED_TAG));
        let started = self.reached(ty, a, suspension::FORCING);
        let block = self.choose(started, forcing, suspended);
        let evaluated = self.reached(ty, a, suspension::FORCED);
        self.choose(evaluated, value, block)
    }

    /// Would OCaml have an array of floats for this array of uniform values?
    pub(super) fn holds_floats(&mut self, array: VarId) -> NodeId {
        let (int, uniform) = (self.context.out.types.int, self.context.uniform_type());
        let args = vec![self.read(array)];
        let (length, zero) = (self.prim(Prim::ArrayLength, args, int), self.int(0));
        let some = self.order_prim(OrderOp::Gt, length, zero);
        let args = vec![self.read(array), self.int(0)];
        let first = self.prim(Prim::ArrayGet, args, uniform);
        let (tag, float) = (self.call(Task::Tag, uniform, vec![first]), self.int(FLOAT));
        let is_float = self.order_prim(OrderOp::Eq, tag, float);
        self.both(some, is_float)
    }

    /// That of what is held.
    fn uniform_tag(&mut self, a: VarId) -> NodeId {
        let int = self.context.out.types.int;
        self.each_content(a, int, |code, ctor, held| match code.context.out.types.get(held) {
            Ty::Tuple(_) => code.int(0),
            _ => {
                let value = code.ctor_field(a, ctor, 0, held);
                code.call(Task::Tag, held, vec![value])
            }
        })
    }

    /// A polymorphic variant that holds something is a plain block.
    fn tags_tag(&mut self, ty: TyId, a: VarId) -> NodeId {
        let int = self.context.out.types.int;
        self.each_ctor(ty, a, int, |code, _, constant| {
            code.int(if constant.is_some() { IMMEDIATE } else { 0 })
        })
    }

    fn constructor_tag(&mut self, has_fields: &[bool], a: VarId) -> NodeId {
        let int = self.context.out.types.int;
        let (mut cases, mut next) = (Vec::new(), 0);
        for (ctor, &is_block) in has_fields.iter().enumerate() {
            let tag = if is_block { next } else { IMMEDIATE };
            next += i64::from(is_block);
            cases.push((Key::Ctor(ctor as u32), self.int(tag)));
        }
        let value = self.read(a);
        self.add(NodeKind::Switch { value, cases, default: None }, int)
    }

    fn exn_tag(&mut self, a: VarId) -> NodeId {
        let exns: Vec<_> = self.context.exns.all().to_vec();
        let mut cases = Vec::new();
        for exn in exns {
            if self.context.out.types.exns[exn].fields.is_empty() {
                cases.push((Key::Exn(exn), self.int(OBJECT)));
            }
        }
        let (value, default) = (self.read(a), self.int(0));
        let int = self.context.out.types.int;
        self.add(NodeKind::Switch { value, cases, default: Some(default) }, int)
    }
}
