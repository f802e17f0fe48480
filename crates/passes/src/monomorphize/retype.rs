//! Takes a value to another type that is known to be the same: boxes, unboxes and adapters, as ordinary nodes.
//!
//! ```text
//! int, bool, char, constants    immediate n               (a word: `TypeTable::word_ctor`)
//! (a, b)                        tuple2 (box a, box b)     one object, as the tuple itself would be
//! a -> b                        function (fun x -> box (f (unbox x)))
//! float, string, t list         float x, string s, list l
//! ```
//!
//! A uniform value is a variant (`facts::Uniform`) with a constructor for each type that becomes one, so that all later
//! passes know everything about it already, and `compare` and its kin look at the constructor. Whoever takes a value
//! out knows its type, and tests nothing. Tuples and functions are the same whoever looks at them (`int * 'a` here,
//! `'a * 'b` there), so their parts are uniform; data and arrays have one form in the whole program (`facts`).
//!
//! A function that is known takes its arguments at once in its adapter; of another one nobody knows how many
//! it takes before it does something, so an adapter gives it one at a time.

use oxbow_base::{Span, Symbol};
use oxbow_diag::limits;
use oxbow_psg::{
    Callee, Const, IntWidth, Key, Lambda, NodeId, NodeKind, OrderOp, Prim, Ty, TyId, VarId,
};

use super::Context;
use super::facts::IMMEDIATE;
use super::generate::{Code, Task};

impl Context<'_> {
    /// The same value at another type.
    pub(super) fn fit(&mut self, node: NodeId, to: TyId) -> NodeId {
        // What is made before all facts are known is not used.
        if self.out.ty(node) == to || self.learnt {
            return node;
        }
        let span = self.out.span(node);
        Code { context: self, span }.converted(node, to)
    }

    /// Values for the fields of a constructor or record (0) of this type.
    pub(super) fn fit_fields(&mut self, values: Vec<NodeId>, ty: TyId, ctor: u32) -> Vec<NodeId> {
        if self.uniform.is_none() {
            return values;
        }
        let types = self.field_types(ty, ctor as usize);
        values.into_iter().zip(types).map(|(value, ty)| self.fit(value, ty)).collect()
    }

    /// A field of an object, at the type that its reader knows.
    pub(super) fn fit_field(
        &mut self,
        (object, ctor, index): (NodeId, u32, u32),
        to: TyId,
        span: Span,
    ) -> NodeId {
        let kind = NodeKind::Field { object, ctor, index };
        if self.uniform.is_none() {
            return self.out.add(kind, to, span);
        }
        let types = self.field_types(self.out.ty(object), ctor as usize);
        let held = types.get(index as usize).copied().unwrap_or(to);
        let field = self.out.add(kind, held, span);
        self.fit(field, to)
    }

    /// A value for a field of an object.
    pub(super) fn fit_stored(
        &mut self,
        (object, ctor, index): (NodeId, u32, u32),
        value: NodeId,
    ) -> NodeId {
        if self.uniform.is_none() {
            return value;
        }
        let types = self.field_types(self.out.ty(object), ctor as usize);
        types.get(index as usize).map_or(value, |&held| self.fit(value, held))
    }

    /// A value for an array of this type.
    pub(super) fn fit_item(&mut self, value: NodeId, array: TyId) -> NodeId {
        match *self.out.types.get(array) {
            Ty::Array(item) if self.facts.arrays => self.fit(value, item),
            _ => value,
        }
    }

    /// A primitive that takes or gives items of arrays, where all arrays hold uniform values.
    pub(super) fn array_prim(
        &mut self,
        prim: Prim,
        mut args: Vec<NodeId>,
        ty: TyId,
        span: Span,
    ) -> NodeId {
        let array = if prim == Prim::ArrayMake { ty } else { self.out.ty(args[0]) };
        if let Some(value) = args.pop() {
            // The index of the item that is read is no item.
            let is_item = prim != Prim::ArrayGet;
            args.push(if is_item { self.fit_item(value, array) } else { value });
        }
        let result = match *self.out.types.get(array) {
            Ty::Array(item) if prim == Prim::ArrayGet => item,
            _ => ty,
        };
        let made = self.out.add(NodeKind::Prim { prim, args }, result, span);
        self.fit(made, ty)
    }

    /// Can no value be of both types, whatever is not known of them?
    fn differ(&self, a: TyId, b: TyId) -> bool {
        if a == b || self.is_uniform(a) || self.is_uniform(b) {
            return false;
        }
        let any = |a: &[TyId], b: &[TyId]| a.iter().zip(b).any(|(&a, &b)| self.differ(a, b));
        match (self.out.types.get(a), self.out.types.get(b)) {
            (Ty::Tuple(a), Ty::Tuple(b)) => a.len() != b.len() || any(a, b),
            (Ty::Fn(a, b), Ty::Fn(c, d)) => self.differ(*a, *c) || self.differ(*b, *d),
            (Ty::Array(a), Ty::Array(b)) => self.differ(*a, *b),
            (Ty::Data(a, args), Ty::Data(b, others)) => a == b && any(args, others),
            _ => true,
        }
    }
}

impl Code<'_, '_> {
    pub(super) fn converted(&mut self, node: NodeId, to: TyId) -> NodeId {
        let from = self.context.out.ty(node);
        if from == to {
            return node;
        }
        // What is not there yet is nothing of the other type.
        if let NodeKind::Prim { prim: Prim::Uninit, args } = &self.context.out.nodes[node].kind {
            let args = args.clone();
            return self.prim(Prim::Uninit, args, to);
        }
        if self.context.is_uniform(to) {
            return self.boxed(node, from);
        }
        if self.context.is_uniform(from) {
            return self.unboxed(node, to);
        }
        if self.context.differ(from, to) {
            return self.never(node, to);
        }
        let types = &self.context.out.types;
        match (types.get(from).clone(), types.get(to).clone()) {
            (Ty::Tuple(items), Ty::Tuple(wanted)) => {
                let tuple = self.bind("tuple", node);
                let mut parts = Vec::new();
                for (index, (&item, &wanted)) in items.iter().zip(&wanted).enumerate() {
                    let part = self.tuple_part(tuple.0, index, item);
                    parts.push(self.converted(part, wanted));
                }
                let made = self.add(NodeKind::Tuple(parts), to);
                self.let_in(tuple, made)
            }
            (Ty::Fn(..), Ty::Fn(..)) => self.adapter(node, to, Self::passed),
            (Ty::Array(_), Ty::Array(_)) => {
                self.context.learn_arrays();
                node
            }
            (Ty::Data(data, args), Ty::Data(other, wanted)) if data == other => {
                for (place, _) in args.iter().zip(&wanted).enumerate().filter(|it| it.1.0 != it.1.1)
                {
                    self.context.learn_param(data, place);
                }
                node
            }
            _ => self.never(node, to),
        }
    }

    /// A place that is never come to: the equation that would lead here does not hold in this instance.
    fn never(&mut self, node: NodeId, to: TyId) -> NodeId {
        let unit = self.unit();
        let end = self.prim(Prim::Unreachable, vec![unit], to);
        self.add(NodeKind::Seq(vec![node, end]), to)
    }

    pub(super) fn tuple_part(&mut self, tuple: VarId, index: usize, ty: TyId) -> NodeId {
        let tuple = self.read(tuple);
        self.add(NodeKind::TupleGet { tuple, index: index as u32 }, ty)
    }

    fn construct(&mut self, ctor: u32, args: Vec<NodeId>) -> NodeId {
        let ty = self.context.uniform_type();
        self.add(NodeKind::Construct { ctor, args }, ty)
    }

    fn boxed(&mut self, node: NodeId, from: TyId) -> NodeId {
        if self.context.is_obj(from) {
            return self.any_value(node);
        }
        if let Some(number) = self.immediate(node, from) {
            return self.construct(IMMEDIATE, vec![number]);
        }
        match self.context.out.types.get(from).clone() {
            Ty::Tuple(items) => {
                let ctor = self.tuple_ctor(items.len());
                let uniform = self.context.uniform_type();
                let tuple = self.bind("tuple", node);
                let mut parts = Vec::new();
                for (index, &item) in items.iter().enumerate() {
                    let part = self.tuple_part(tuple.0, index, item);
                    parts.push(match self.is_tuple(item) {
                        true => self.call(Task::Box, item, vec![part]),
                        false => self.converted(part, uniform),
                    });
                }
                let made = self.construct(ctor, parts);
                self.let_in(tuple, made)
            }
            Ty::Fn(..) => {
                let ty = self.function_type();
                let function = self.converted(node, ty);
                let ctor = self.ctor_of(ty);
                self.construct(ctor, vec![function])
            }
            _ => {
                let ctor = self.ctor_of(from);
                self.construct(ctor, vec![node])
            }
        }
    }

    pub(super) fn boxed_body(&mut self, ty: TyId, value: VarId) -> NodeId {
        let value = self.read(value);
        self.boxed(value, ty)
    }

    pub(super) fn unboxed_body(&mut self, ty: TyId, value: VarId) -> NodeId {
        let value = self.read(value);
        self.unboxed(value, ty)
    }

    fn is_tuple(&self, ty: TyId) -> bool {
        matches!(self.context.out.types.get(ty), Ty::Tuple(_))
    }

    pub(super) fn tuple_ctor(&mut self, count: usize) -> u32 {
        let uniform = self.context.uniform_type();
        let ty = self.context.out.types.intern(Ty::Tuple(vec![uniform; count]));
        self.ctor_of(ty)
    }

    pub(super) fn ctor_of(&mut self, ty: TyId) -> u32 {
        let ctor = self.context.uniform_ctor(ty);
        if ctor as usize >= limits::UNIFORM_TYPES.most {
            let label = "here values of one more type become such";
            let place = self.context.asked_at(self.span);
            self.context.give_up(limits::UNIFORM_TYPES.report(place, label));
        }
        ctor
    }

    /// Of functions of which nothing is known.
    pub(super) fn function_type(&mut self) -> TyId {
        let uniform = self.context.uniform_type();
        self.context.out.types.intern(Ty::Fn(uniform, uniform))
    }

    /// What OCaml represents by a small integer, as that integer.
    pub(super) fn immediate(&mut self, node: NodeId, from: TyId) -> Option<NodeId> {
        let int = self.context.out.types.int;
        Some(match self.context.out.types.get(from) {
            Ty::Int(IntWidth::I63) => node,
            Ty::Unit => {
                let zero = self.int(0);
                self.add(NodeKind::Seq(vec![node, zero]), int)
            }
            Ty::Bool => {
                let (yes, no) = (self.int(1), self.int(0));
                self.choose(node, yes, no)
            }
            Ty::Char => self.prim(Prim::CharCode, vec![node], int),
            Ty::Data(..) if self.context.is_constant_type(from) => {
                let count = self.context.ctors(from).map_or(0, |it| it.1.len());
                if count == 0 {
                    return Some(self.never(node, int));
                }
                let cases = (0..count).map(|it| (Key::Ctor(it as u32), self.int(it as i64)));
                let cases = cases.collect();
                self.add(NodeKind::Switch { value: node, cases, default: None }, int)
            }
            _ => return None,
        })
    }

    pub(super) fn unboxed(&mut self, node: NodeId, to: TyId) -> NodeId {
        if self.context.is_obj(to) {
            return self.add(NodeKind::Construct { ctor: 0, args: vec![node] }, to);
        }
        let types = &self.context.out.types;
        let (int, bool) = (types.int, types.bool);
        let is_enumeration = self.context.is_constant_type(to);
        match types.get(to).clone() {
            Ty::Int(IntWidth::I63) => self.content(node, IMMEDIATE, int),
            Ty::Unit => {
                let unit = self.unit();
                self.add(NodeKind::Seq(vec![node, unit]), to)
            }
            Ty::Bool => {
                let (number, zero) = (self.content(node, IMMEDIATE, int), self.int(0));
                self.prim(Prim::Order(OrderOp::Ne), vec![number, zero], bool)
            }
            Ty::Char => {
                let number = self.content(node, IMMEDIATE, int);
                self.prim(Prim::CharUnsafeChr, vec![number], to)
            }
            Ty::Data(..) if is_enumeration => self.constant(node, to),
            Ty::Tuple(items) => {
                let ctor = self.tuple_ctor(items.len());
                let uniform = self.context.uniform_type();
                let value = self.bind("value", node);
                let mut parts = Vec::new();
                for (index, &item) in items.iter().enumerate() {
                    let part = self.ctor_field(value.0, ctor, index as u32, uniform);
                    parts.push(match self.is_tuple(item) {
                        true => self.call(Task::Unbox, item, vec![part]),
                        false => self.converted(part, item),
                    });
                }
                let made = self.add(NodeKind::Tuple(parts), to);
                self.let_in(value, made)
            }
            Ty::Fn(..) => {
                let ty = self.function_type();
                let ctor = self.ctor_of(ty);
                let function = self.content(node, ctor, ty);
                self.converted(function, to)
            }
            _ => {
                let ctor = self.ctor_of(to);
                self.content(node, ctor, to)
            }
        }
    }

    /// What a uniform value holds, given its constructor.
    fn content(&mut self, object: NodeId, ctor: u32, ty: TyId) -> NodeId {
        if let NodeKind::Construct { ctor: made, args } = &self.context.out.nodes[object].kind
            && *made == ctor
            && let [held] = args[..]
        {
            return held;
        }
        self.add(NodeKind::Field { object, ctor, index: 0 }, ty)
    }

    /// A constant constructor by its number.
    fn constant(&mut self, node: NodeId, to: TyId) -> NodeId {
        let int = self.context.out.types.int;
        let count = self.context.ctors(to).map_or(0, |it| it.1.len());
        let value = self.content(node, IMMEDIATE, int);
        let mut constants: Vec<NodeId> = (0..count)
            .map(|it| self.add(NodeKind::Construct { ctor: it as u32, args: Vec::new() }, to))
            .collect();
        let Some(last) = constants.pop() else { return self.never(value, to) };
        let cases = constants.into_iter().enumerate();
        let cases = cases.map(|(it, node)| (Key::Int(IntWidth::I63, it as i64), node)).collect();
        self.add(NodeKind::Switch { value, cases, default: Some(last) }, to)
    }

    /// An argument or a result on its way through an adapter. Who takes a function out of `Obj.t` may be wrong about
    /// it.
    fn passed(&mut self, node: NodeId, to: TyId) -> NodeId {
        let from = self.context.out.ty(node);
        let is_taken_out = self.context.is_uniform(from) && !self.context.is_uniform(to);
        match is_taken_out && self.context.facts.cast_functions {
            true => self.checked(node, to),
            false => self.converted(node, to),
        }
    }

    /// A function that takes arguments and gives results as `to` says, by way of another one; `convert` takes a value
    /// to the type of its place.
    pub(super) fn adapter(
        &mut self,
        node: NodeId,
        to: TyId,
        convert: fn(&mut Self, NodeId, TyId) -> NodeId,
    ) -> NodeId {
        if let Some(&inner) = self.context.adapted.get(node)
            && self.context.out.ty(inner) == to
        {
            return inner;
        }
        let from = self.context.out.ty(node);
        let count = self.arguments(node);
        let types = &self.context.out.types;
        let count = types.split_function(from, count).0.len();
        let (wanted, _) = types.split_function(to, count);
        let (takes, gives) = types.split_function(from, wanted.len());
        let result = types.split_function(to, wanted.len()).1;
        let function = match self.context.out.nodes[node].kind {
            NodeKind::Var { var, .. } if !self.context.out.vars[var].mutable => (var, None),
            _ => {
                let (var, value) = self.bind("adapted", node);
                (var, Some(value))
            }
        };
        let name = |place: usize| Symbol::new(&format!("x{place}"));
        let span = self.span;
        let params: Vec<VarId> = wanted
            .iter()
            .enumerate()
            .map(|(place, &ty)| self.context.new_var(name(place), ty, span))
            .collect();
        let mut args = Vec::new();
        for (&param, &ty) in params.iter().zip(&takes) {
            let param = self.read(param);
            args.push(convert(self, param, ty));
        }
        let func = self.read(function.0);
        let call = NodeKind::Apply { func, args, callee: Callee::Unknown };
        let call = self.add(call, gives);
        let body = convert(self, call, result);
        let lambda = Lambda::new(Some(Symbol::new("adapter")), params, body, span);
        let lambda = self.context.out.lambdas.push(Lambda { adapter: true, ..lambda });
        let adapter = self.add(NodeKind::Lambda(lambda), to);
        let Some(value) = function.1 else {
            self.context.adapted.insert(adapter, node);
            return adapter;
        };
        let made = self.let_in((function.0, value), adapter);
        self.context.adapted.insert(made, node);
        made
    }

    /// How many arguments a function takes before it does anything.
    fn arguments(&mut self, node: NodeId) -> usize {
        match self.context.out.nodes[node].kind {
            NodeKind::Lambda(lambda) => self.context.out.lambdas[lambda].params.len(),
            NodeKind::Var { var, .. } if !self.context.out.vars[var].mutable => {
                self.context.arity(var).unwrap_or(1)
            }
            _ => 1,
        }
    }

    /// One case for each constructor of a uniform value; the case is given what it holds, if that is one value.
    pub(super) fn each_content(
        &mut self,
        value: VarId,
        result: TyId,
        mut case: impl FnMut(&mut Self, u32, TyId) -> NodeId,
    ) -> NodeId {
        let held = self.context.uniform.as_ref().map_or(Vec::new(), |it| it.held.clone());
        let mut cases = Vec::new();
        for (ctor, ty) in held.into_iter().enumerate() {
            let ctor = ctor as u32;
            cases.push((Key::Ctor(ctor), case(self, ctor, ty)));
        }
        let value = self.read(value);
        self.add(NodeKind::Switch { value, cases, default: None }, result)
    }

    /// `==`: of what they hold, since two of one value may be two objects.
    pub(super) fn same_uniform(&mut self, a: VarId, b: VarId) -> NodeId {
        let bool = self.context.out.types.bool;
        self.each_content(a, bool, |code, ctor, ty| {
            if matches!(code.context.out.types.get(ty), Ty::Tuple(_)) {
                return code.phys_eq(a, b);
            }
            let [left, right] = [a, b].map(|it| code.ctor_field(it, ctor, 0, ty));
            let same = code.identical(ty, left, right);
            let no = code.add(NodeKind::Const(Const::Bool(false)), bool);
            let value = code.read(b);
            let cases = vec![(Key::Ctor(ctor), same)];
            code.add(NodeKind::Switch { value, cases, default: Some(no) }, bool)
        })
    }
}
