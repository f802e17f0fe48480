//! `Hashtbl.hash` at structured types: one function per type on top of the library's
//! `Oxbow_hash`, which keeps the running hash, the limits and the queue of parts.
//!
//! ```text
//! before   %hash (1, "a")
//! after    let s = Oxbow_hash.create 10 100 0 in hash s (1, "a"); Oxbow_hash.run s     with
//!          hash s a = mix_block s 0 2; hash_later s a.0; hash_later s a.1
//!          hash_later s a = push s (fun () -> mix_int s a)                                one for each type
//! ```
//!
//! Parts go through the queue, so values are visited breadth first as in OCaml. A tuple or record whose fields are no
//! blocks needs no queue: they are visited in order. The tag of a block is the constructor's place among those with
//! fields. Records whose fields are all floats and float arrays are mixed float by float. Functions add nothing.

use oxbow_base::{Span, Symbol};
use oxbow_diag::ice;
use oxbow_psg::{
    Compared, Const, Ctor, DataKind, IntOp, IntWidth, Key, KnownFunction, Lambda, NodeId, NodeKind,
    OrderOp, Prim, Ty, TyId, VarId,
};

use super::Context;
use super::generate::{Code, Task};

/// `Hashtbl.hash` looks at so many meaningful values, and at so many in all.
const MEANINGFUL: i64 = 10;
const TOTAL: i64 = 100;

/// OCaml looks at no more parts of a value than this.
const QUEUE_LENGTH: i64 = 256;

impl Context<'_> {
    /// The type of `Oxbow_hash`'s running state.
    pub(super) fn hash_state(&mut self) -> TyId {
        let create = self.well_known(KnownFunction::HashCreate);
        let ty = self.out.vars[create].ty;
        self.out.types.split_function(ty, 3).1
    }

    pub(super) fn hash(&mut self, value: NodeId, span: Span) -> NodeId {
        let ty = self.out.ty(value);
        let int = self.out.types.int;
        let mut code = Code { context: self, span };
        if let Some(number) = code.own_hash_value(ty, value) {
            return number;
        }
        match code.context.out.types.get(ty) {
            Ty::Unit
            | Ty::Bool
            | Ty::Char
            | Ty::Int(IntWidth::I63 | IntWidth::I32 | IntWidth::I64)
            | Ty::Float
            | Ty::String
            | Ty::Bytes
            | Ty::Uniform => code.prim(Prim::Hash, vec![value], int),
            Ty::Float32 => {
                let float = code.context.out.types.float;
                let value = code.prim(Prim::Float32ToFloat, vec![value], float);
                code.prim(Prim::Hash, vec![value], int)
            }
            &Ty::Int(from) => {
                let wide = code.context.out.types.intern(Ty::Int(IntWidth::I64));
                let prim = Prim::IntCast { from, to: IntWidth::I64 };
                let value = code.prim(prim, vec![value], wide);
                code.prim(Prim::Hash, vec![value], int)
            }
            Ty::Tuple(_) | Ty::Fn(..) | Ty::Array(_) | Ty::Data(..) | Ty::Exn | Ty::Var(_) => {
                let limits = [MEANINGFUL, TOTAL, 0].map(|it| code.int(it)).to_vec();
                match code.flat_fields(ty) {
                    Some(fields) => code.flat_hash(limits, value, &fields),
                    None => code.hash_from(limits, value),
                }
            }
        }
    }

    /// With limits and a seed before the value.
    pub(super) fn hash_param(&mut self, mut args: Vec<NodeId>, span: Span) -> NodeId {
        let mut code = Code { context: self, span };
        match args.pop() {
            Some(value) => code.hash_from(args, value),
            None => ice!("nothing to hash"),
        }
    }
}

impl Code<'_, '_> {
    /// `limits` are those of `Oxbow_hash.create`, with the seed.
    fn hash_from(&mut self, limits: Vec<NodeId>, value: NodeId) -> NodeId {
        let (ty, int) = (self.context.out.ty(value), self.context.out.types.int);
        let value = self.bind("value", value);
        let state = self.library(KnownFunction::HashCreate, limits);
        let state = self.bind("state", state);
        let root = self.read(value.0);
        let mixed = self.mix(ty, state.0, root);
        let args = vec![self.read(state.0)];
        let result = self.library(KnownFunction::HashRun, args);
        let body = self.add(NodeKind::Seq(vec![mixed, result]), int);
        let body = self.let_in(state, body);
        self.let_in(value, body)
    }

    /// The fields of a tuple or record that holds no blocks, if the queue would have room for all of them.
    fn flat_fields(&mut self, ty: TyId) -> Option<Vec<TyId>> {
        let compared = self.context.compared(ty);
        let is_plain = matches!(compared, Compared::Parts | Compared::Declared)
            && !self.context.own(ty).has_order()
            && !self.context.is_objects(ty)
            && !self.context.is_uniform(ty);
        let types = &self.context.out.types;
        let fields = match types.get(ty) {
            Ty::Tuple(items) => items.to_vec(),
            Ty::Data(data, _) if is_plain => match types.datas[*data].kind {
                DataKind::Record(_) => self.context.field_types(ty, 0),
                DataKind::Variant(_) => return None,
            },
            _ => return None,
        };
        let types = &self.context.out.types;
        let is_flat = |it: &TyId| {
            matches!(
                types.get(*it),
                Ty::Unit
                    | Ty::Bool
                    | Ty::Char
                    | Ty::Int(_)
                    | Ty::Float
                    | Ty::Float32
                    | Ty::String
                    | Ty::Bytes
            )
        };
        // Those of a record are mixed without a header.
        let only_floats =
            !matches!(types.get(ty), Ty::Tuple(_)) && fields.iter().all(|it| *it == types.float);
        let fits = !fields.is_empty() && (fields.len() as i64) < TOTAL;
        (fits && !only_floats && fields.iter().all(is_flat)).then_some(fields)
    }

    /// The fields of a flat value are mixed one after the other: that is the order of the queue.
    fn flat_hash(&mut self, limits: Vec<NodeId>, value: NodeId, fields: &[TyId]) -> NodeId {
        let (ty, int) = (self.context.out.ty(value), self.context.out.types.int);
        let is_tuple = matches!(self.context.out.types.get(ty), Ty::Tuple(_));
        let value = self.bind("value", value);
        let state = self.library(KnownFunction::HashCreate, limits);
        let state = self.bind("state", state);
        let size = self.int(fields.len() as i64);
        let mut steps = vec![self.mix_block(state.0, 0, size)];
        for (index, &field) in fields.iter().enumerate() {
            let (object, index) = (self.read(value.0), index as u32);
            let kind = match is_tuple {
                true => NodeKind::TupleGet { tuple: object, index },
                false => NodeKind::Field { object, ctor: 0, index },
            };
            let part = self.add(kind, field);
            steps.push(self.mix(field, state.0, part));
        }
        let args = vec![self.read(state.0)];
        steps.push(self.library(KnownFunction::HashRun, args));
        let body = self.add(NodeKind::Seq(steps), int);
        let body = self.let_in(state, body);
        self.let_in(value, body)
    }

    pub(super) fn library(&mut self, function: KnownFunction, args: Vec<NodeId>) -> NodeId {
        let func = self.context.well_known(function);
        self.call_var(func, args)
    }

    pub(super) fn hash_body(&mut self, ty: TyId, state: VarId, a: VarId) -> NodeId {
        if let Some((elements, list)) = self.elements(ty, a) {
            return self.mix(list, state, elements);
        }
        if let Some(hash) = self.own_hash(ty, state, a) {
            return hash;
        }
        if self.context.is_objects(ty) {
            let object = self.read(a);
            let number = self.call(Task::ObjectNumber, ty, vec![object]);
            let int = self.context.out.types.int;
            return self.mix(int, state, number);
        }
        if let Some(number) = self.context.identity_type(ty) {
            let value = self.ctor_field(a, 0, 0, number);
            return self.mix(number, state, value);
        }
        if self.context.is_suspension(ty) {
            return self.suspension_hash(ty, state, a);
        }
        if self.context.compared(ty) == Compared::Numbers {
            let hash = self.numbers_hash(ty, a);
            let state = self.read(state);
            return self.library(KnownFunction::HashMixInt64, vec![state, hash]);
        }
        if self.context.compared(ty) == Compared::Integers {
            let args = [state, a].map(|it| self.read(it)).to_vec();
            return self.library(KnownFunction::IntegersHash, args);
        }
        if self.context.is_uniform(ty) {
            return self.uniform_hash(ty, state, a);
        }
        let value = self.read(a);
        match self.context.out.types.get(ty).clone() {
            Ty::Tuple(items) => self.block(ty, None, 0, items.len(), state, a),
            Ty::Array(item) => self.array_hash(item, state, a),
            Ty::Data(data, _) => match self.context.out.types.datas[data].kind.clone() {
                DataKind::Record(fields) => {
                    let types = self.context.field_types(ty, 0);
                    let float = self.context.out.types.float;
                    if !types.is_empty() && types.iter().all(|&it| it == float) {
                        return self.float_record(fields.len(), state, a);
                    }
                    self.block(ty, Some(0), 0, fields.len(), state, a)
                }
                DataKind::Variant(ctors) => self.variant_hash(ty, &ctors, state, a),
            },
            Ty::Exn => self.exn_hash(state, a),
            _ => self.mix(ty, state, value),
        }
    }

    /// Mixes a value; structured ones by their own function.
    pub(super) fn mix(&mut self, ty: TyId, state: VarId, value: NodeId) -> NodeId {
        let (int, string, unit) = (
            self.context.out.types.int,
            self.context.out.types.string,
            self.context.out.types.unit,
        );
        let state_node = self.read(state);
        match self.context.out.types.get(ty).clone() {
            Ty::Unit => {
                let zero = self.int(0);
                self.library(KnownFunction::HashMixInt, vec![state_node, zero])
            }
            Ty::Bool => {
                let (yes, no) = (self.int(1), self.int(0));
                let value = self.choose(value, yes, no);
                self.library(KnownFunction::HashMixInt, vec![state_node, value])
            }
            Ty::Char => {
                let value = self.prim(Prim::CharCode, vec![value], int);
                self.library(KnownFunction::HashMixInt, vec![state_node, value])
            }
            Ty::Int(IntWidth::I63) => {
                self.library(KnownFunction::HashMixInt, vec![state_node, value])
            }
            Ty::Int(IntWidth::I64) => {
                self.library(KnownFunction::HashMixInt64, vec![state_node, value])
            }
            Ty::Int(from) => {
                // An `int64` is mixed by the exclusive or of its halves: with an upper half
                // of zero that is the `int32`.
                let wide = self.context.out.types.intern(Ty::Int(IntWidth::I64));
                let prim = Prim::IntCast { from, to: IntWidth::I64 };
                let value = self.prim(prim, vec![value], wide);
                if from == IntWidth::U64 {
                    return self.library(KnownFunction::HashMixInt64, vec![state_node, value]);
                }
                let mask = self.add(NodeKind::Const(Const::Int(IntWidth::I64, 0xFFFF_FFFF)), wide);
                let value =
                    self.prim(Prim::Int(IntWidth::I64, IntOp::And), vec![value, mask], wide);
                self.library(KnownFunction::HashMixInt64, vec![state_node, value])
            }
            Ty::Float => self.library(KnownFunction::HashMixFloat, vec![state_node, value]),
            Ty::String => self.library(KnownFunction::HashMixString, vec![state_node, value]),
            Ty::Bytes => {
                let value = self.prim(Prim::BytesUnsafeToString, vec![value], string);
                self.library(KnownFunction::HashMixString, vec![state_node, value])
            }
            Ty::Tuple(_) | Ty::Array(_) | Ty::Data(..) | Ty::Exn => {
                self.call(Task::Hash, ty, vec![state_node, value])
            }
            Ty::Float32 => {
                let float = self.context.out.types.float;
                let value = self.prim(Prim::Float32ToFloat, vec![value], float);
                self.library(KnownFunction::HashMixFloat, vec![state_node, value])
            }
            Ty::Fn(..) | Ty::Uniform | Ty::Var(_) => self.add(NodeKind::Const(Const::Unit), unit),
        }
    }

    /// Queues a part of the value for later.
    pub(super) fn push(&mut self, ty: TyId, state: VarId, part: NodeId) -> NodeId {
        let state = self.read(state);
        self.call(Task::HashLater, ty, vec![state, part])
    }

    pub(super) fn hash_later_body(&mut self, ty: TyId, state: VarId, part: VarId) -> NodeId {
        let (unit, span) = (self.context.out.types.unit, self.span);
        let push = self.context.well_known(KnownFunction::HashPush);
        let push_ty = self.context.out.vars[push].ty;
        // The closure takes the state, or unit, as the library likes.
        let takes = match self.context.out.types.split_function(push_ty, 2).0.get(1) {
            Some(&closure) => {
                self.context.out.types.split_function(closure, 1).0.first().copied().unwrap_or(unit)
            }
            None => unit,
        };
        let param = self.context.new_var(Symbol::new("_"), takes, span);
        let value = self.read(part);
        let body = self.mix(ty, state, value);
        let lambda = self.context.out.lambdas.push(Lambda::new(None, vec![param], body, span));
        let closure_ty = self.context.out.types.function(&[takes], unit);
        let closure = self.add(NodeKind::Lambda(lambda), closure_ty);
        let state = self.read(state);
        self.library(KnownFunction::HashPush, vec![state, closure])
    }

    pub(super) fn mix_block(&mut self, state: VarId, tag: i64, size: NodeId) -> NodeId {
        let (state, tag) = (self.read(state), self.int(tag));
        self.library(KnownFunction::HashMixBlock, vec![state, tag, size])
    }

    pub(super) fn steps(&mut self, steps: Vec<NodeId>) -> NodeId {
        let unit = self.context.out.types.unit;
        self.add(NodeKind::Seq(steps), unit)
    }

    /// A block with its fields; `ctor` is `None` for a tuple.
    fn block(
        &mut self,
        ty: TyId,
        ctor: Option<u32>,
        tag: i64,
        size: usize,
        state: VarId,
        a: VarId,
    ) -> NodeId {
        let size = self.int(size as i64);
        let mut steps = vec![self.mix_block(state, tag, size)];
        let types = self.context.field_types(ty, ctor.unwrap_or(0) as usize);
        for (index, &field) in types.iter().enumerate() {
            let (object, index) = (self.read(a), index as u32);
            let kind = match ctor {
                Some(ctor) => NodeKind::Field { object, ctor, index },
                None => NodeKind::TupleGet { tuple: object, index },
            };
            let part = self.add(kind, field);
            steps.push(self.push(field, state, part));
        }
        self.steps(steps)
    }

    /// What is held, as if it stood there itself.
    fn uniform_hash(&mut self, ty: TyId, state: VarId, a: VarId) -> NodeId {
        let unit = self.context.out.types.unit;
        self.each_content(a, unit, |code, ctor, held| match code.context.out.types.get(held) {
            Ty::Tuple(items) => {
                let size = items.len();
                code.block(ty, Some(ctor), 0, size, state, a)
            }
            _ => {
                let value = code.ctor_field(a, ctor, 0, held);
                code.mix(held, state, value)
            }
        })
    }

    fn float_record(&mut self, count: usize, state: VarId, a: VarId) -> NodeId {
        let float = self.context.out.types.float;
        let mut steps = Vec::new();
        for index in 0..count {
            let object = self.read(a);
            let part = self.add(NodeKind::Field { object, ctor: 0, index: index as u32 }, float);
            steps.push(self.mix(float, state, part));
        }
        self.steps(steps)
    }

    fn variant_hash(&mut self, ty: TyId, ctors: &[Ctor], state: VarId, a: VarId) -> NodeId {
        let (int, unit) = (self.context.out.types.int, self.context.out.types.unit);
        let (mut constant, mut tag) = (0, 0);
        let mut cases = Vec::new();
        let is_tags = self.context.is_tags(ty);
        for (index, ctor) in ctors.iter().enumerate() {
            let case = if is_tags {
                self.tag_hash(ty, index as u32, ctor, state, a)
            } else if ctor.fields.is_empty() {
                let value = self.int(constant);
                constant += 1;
                self.mix(int, state, value)
            } else {
                tag += 1;
                self.block(ty, Some(index as u32), tag - 1, ctor.fields.len(), state, a)
            };
            cases.push((Key::Ctor(index as u32), case));
        }
        let value = self.read(a);
        self.add(NodeKind::Switch { value, cases, default: None }, unit)
    }

    /// A polymorphic variant is the hash of its tag, or a block of that and what it holds.
    fn tag_hash(&mut self, ty: TyId, index: u32, ctor: &Ctor, state: VarId, a: VarId) -> NodeId {
        let int = self.context.out.types.int;
        let hash = self.int(oxbow_psg::tag_hash(ctor.name.as_str()));
        if ctor.fields.is_empty() {
            return self.mix(int, state, hash);
        }
        let size = self.int(2);
        let block = self.mix_block(state, 0, size);
        let tag = self.push(int, state, hash);
        let held = self.context.field_types(ty, index as usize)[0];
        let part = self.ctor_field(a, index, 0, held);
        let part = self.push(held, state, part);
        self.steps(vec![block, tag, part])
    }

    fn array_hash(&mut self, item: TyId, state: VarId, a: VarId) -> NodeId {
        let (int, float) = (self.context.out.types.int, self.context.out.types.float);
        let array = self.read(a);
        let length = self.prim(Prim::ArrayLength, vec![array], int);
        let length = self.bind("length", length);
        let items = (item, a, length.0);
        let size = self.read(length.0);
        let header = self.mix_block(state, 0, size);
        let result = if item == float {
            // An empty array has the header of an ordinary one.
            let (n, zero) = (self.read(length.0), self.int(0));
            let empty = self.order_prim(OrderOp::Eq, n, zero);
            let parts = self.each_item(items, |code, part| code.mix(float, state, part));
            self.choose(empty, header, parts)
        } else {
            let parts = self.each_item(items, |code, part| code.push(item, state, part));
            let ordinary = self.steps(vec![header, parts]);
            if self.context.is_uniform(item) {
                let parts = self.each_item(items, |code, part| code.mix(item, state, part));
                let floats = self.holds_floats(a);
                self.choose(floats, parts, ordinary)
            } else {
                ordinary
            }
        };
        self.let_in(length, result)
    }

    /// Does something with each of the first items of an array: their type, the array, its length.
    fn each_item(
        &mut self,
        (item, array, length): (TyId, VarId, VarId),
        step: impl FnOnce(&mut Self, NodeId) -> NodeId,
    ) -> NodeId {
        let (n, limit) = (self.read(length), self.int(QUEUE_LENGTH));
        let cond = self.order_prim(OrderOp::Lt, n, limit);
        let (n, limit) = (self.read(length), self.int(QUEUE_LENGTH));
        let count = self.choose(cond, n, limit);
        let count = self.bind("count", count);
        let end = self.unit();
        let parts = self.count_up(count.0, end, |code, index, again| {
            let args = vec![code.read(array), code.read(index)];
            let part = code.prim(Prim::ArrayGet, args, item);
            let step = step(code, part);
            code.steps(vec![step, again])
        });
        self.let_in(count, parts)
    }

    /// An exception by its identity and payload. The identity is not OCaml's, which
    /// depends on the order of initialisation.
    fn exn_hash(&mut self, state: VarId, a: VarId) -> NodeId {
        let (int, unit) = (self.context.out.types.int, self.context.out.types.unit);
        let exns: Vec<_> = self.context.exns.all().to_vec();
        let mut cases = Vec::new();
        for exn in exns {
            let types: Vec<TyId> =
                self.context.out.types.exns[exn].fields.iter().map(|it| it.ty).collect();
            let mut steps = Vec::new();
            if !types.is_empty() {
                let size = self.int(types.len() as i64 + 1);
                steps.push(self.mix_block(state, 0, size));
            }
            let id = self.int(oxbow_base::Id::index(exn) as i64);
            steps.push(self.mix(int, state, id));
            for (index, &field) in types.iter().enumerate() {
                let object = self.read(a);
                let part = self.add(NodeKind::ExnField { object, exn, index: index as u32 }, field);
                steps.push(self.push(field, state, part));
            }
            cases.push((Key::Exn(exn), self.steps(steps)));
        }
        let default = self.unit();
        let value = self.read(a);
        self.add(NodeKind::Switch { value, cases, default: Some(default) }, unit)
    }
}
