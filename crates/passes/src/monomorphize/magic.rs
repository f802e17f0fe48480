//! The primitives of the library's `Obj`, at each type.
//!
//! ```text
//! Obj.repr 1                 t (immediate 1)                   `Obj.t` holds a uniform value (decision 85)
//! (Obj.obj o : string)       switch o.0 { string s → s | _ → raise (Invalid_argument "Obj.magic: …") }
//! (Obj.magic 1 : bool)       1 <> 0                            both are immediate
//! (Obj.magic 1 : string)     refused
//! ```
//!
//! Whoever takes a value out of `Obj.t` says its type, and is believed as far as that cannot be seen: the value's
//! constructor is tested, those of a tuple's parts, too; what a function takes and gives is not. `tag`, `size`,
//! `field` and the number of a constant are those that OCaml has for the value.

use oxbow_base::Span;
use oxbow_diag::{Diagnostic, ice};
use oxbow_psg::{
    Const, DataKind, IntOp, IntWidth, Key, KnownType, NodeId, NodeKind, Prim, Ty, TyId, VarId,
    print,
};

use super::Context;
use super::facts::IMMEDIATE;
use super::generate::{Code, Task};

impl Context<'_> {
    /// Is this the library's `Obj.t`?
    pub(super) fn is_obj(&self, ty: TyId) -> bool {
        matches!(self.out.types.get(ty), Ty::Data(data, _)
            if self.out.types.datas[*data].known == Some(KnownType::Obj))
    }

    fn shown(&self, ty: TyId) -> String {
        print::type_text(&self.out.types, ty).replace('`', "")
    }

    /// The value at another type.
    pub(super) fn magic(&mut self, node: NodeId, to: TyId, span: Span) -> NodeId {
        let from = self.out.ty(node);
        // What is made before all facts are known is not used.
        if from == to || self.learnt {
            return node;
        }
        if let Some(same) = self.same_object(node, from, to) {
            return same;
        }
        let code = Code { context: self, span };
        if let Some(parts) = code.cast_parts(node, to) {
            return parts;
        }
        if self.is_known(from) && self.is_known(to) && self.never_fits(from, to) {
            let [from, to] = [from, to].map(|it| self.shown(it));
            let construct = format!("`Obj.magic` from `{from}` to `{to}`");
            self.diagnostics.error(Diagnostic::not_supported(span, &construct));
            return node;
        }
        if [from, to].iter().any(|&it| matches!(self.out.types.get(it), Ty::Fn(..))) {
            self.learn_cast_functions();
        }
        let mut code = Code { context: self, span };
        let uniform = code.context.uniform_type();
        let value = code.converted(node, uniform);
        if code.context.is_uniform(to) { value } else { code.checked(value, to) }
    }

    /// An object that has one form whatever its parameters are, or a place holder.
    fn same_object(&mut self, node: NodeId, from: TyId, to: TyId) -> Option<NodeId> {
        match (self.out.types.get(from).clone(), self.out.types.get(to).clone()) {
            (Ty::Data(data, args), Ty::Data(other, wanted)) if data == other => {
                for (place, _) in args.iter().zip(&wanted).enumerate().filter(|it| it.1.0 != it.1.1)
                {
                    self.learn_param(data, place);
                }
                Some(node)
            }
            (Ty::Array(_), Ty::Array(_)) => {
                self.learn_arrays();
                Some(node)
            }
            // Nobody can look at `Obj.magic ()` before it is replaced.
            _ if self.is_known(to) && !self.is_immediate(to) && !self.has_constants(to) => {
                let is_nothing = match &self.out.nodes[node].kind {
                    NodeKind::Const(Const::Unit) => true,
                    NodeKind::Const(Const::Int(IntWidth::I63, value)) => *value == 0,
                    _ => false,
                };
                let span = self.out.span(node);
                is_nothing.then(|| {
                    let mut code = Code { context: self, span };
                    let unit = code.unit();
                    code.prim(Prim::Uninit, vec![unit], to)
                })
            }
            _ => None,
        }
    }

    /// Are some of its values small integers in OCaml, and others not?
    fn has_constants(&self, ty: TyId) -> bool {
        if self.is_immediate(ty) || self.is_tags(ty) || self.is_suspension(ty) {
            return false;
        }
        self.ctors(ty).is_some_and(|it| it.1.iter().any(|it| it.fields.is_empty()))
    }

    fn is_known(&self, ty: TyId) -> bool {
        !self.is_obj(ty) && !self.is_uniform(ty)
    }

    /// Do values of these types differ in their constructors as uniform values?
    fn never_fits(&mut self, from: TyId, to: TyId) -> bool {
        if self.is_immediate(from) && self.has_constants(to) {
            return false;
        }
        let immediate = [from, to].map(|it| self.is_immediate(it));
        if immediate.contains(&true) {
            return immediate != [true, true];
        }
        match (self.out.types.get(from), self.out.types.get(to)) {
            (Ty::Array(_), Ty::Array(_)) => !self.facts.arrays,
            _ => true,
        }
    }

    /// Are its values small integers in OCaml?
    fn is_immediate(&self, ty: TyId) -> bool {
        match self.out.types.get(ty) {
            Ty::Unit | Ty::Bool | Ty::Char | Ty::Int(IntWidth::I63) => true,
            Ty::Data(..) => self.is_constant_type(ty),
            _ => false,
        }
    }

    /// `%obj.tag`, `%obj.number`, `%obj.size`, `%obj.field`.
    pub(super) fn look_inside(
        &mut self,
        prim: Prim,
        mut args: Vec<NodeId>,
        ty: TyId,
        span: Span,
    ) -> NodeId {
        let task = match prim {
            Prim::ObjTag => Task::Tag,
            Prim::ObjNumber => Task::Number,
            Prim::ObjSize => Task::Size,
            Prim::ObjField => Task::Field,
            _ => ice!("{} does not look into values", prim.name()),
        };
        if self.learnt {
            return args[0];
        }
        let mut code = Code { context: self, span };
        let mut of = code.context.out.ty(args[0]);
        if code.context.is_obj(of) {
            of = code.context.uniform_type();
            args[0] = code.any_value(args[0]);
        }
        let found = code.call(task, of, args);
        if task == Task::Field { self.magic(found, ty, span) } else { found }
    }
}

impl Code<'_, '_> {
    /// The uniform value in an `Obj.t`.
    pub(super) fn any_value(&mut self, object: NodeId) -> NodeId {
        let uniform = self.context.uniform_type();
        self.add(NodeKind::Field { object, ctor: 0, index: 0 }, uniform)
    }

    /// A tuple or function at another type of its kind: each part is cast by itself.
    fn cast_parts(mut self, node: NodeId, to: TyId) -> Option<NodeId> {
        let types = &self.context.out.types;
        match (types.get(self.context.out.ty(node)).clone(), types.get(to).clone()) {
            (Ty::Tuple(items), Ty::Tuple(wanted)) if items.len() == wanted.len() => {
                let tuple = self.bind("tuple", node);
                let mut parts = Vec::new();
                for (index, (&item, &wanted)) in items.iter().zip(&wanted).enumerate() {
                    let part = self.tuple_part(tuple.0, index, item);
                    parts.push(self.cast(part, wanted));
                }
                let made = self.add(NodeKind::Tuple(parts), to);
                Some(self.let_in(tuple, made))
            }
            (Ty::Fn(..), Ty::Fn(..)) => Some(self.adapter(node, to, Self::cast)),
            _ => None,
        }
    }

    fn cast(&mut self, node: NodeId, to: TyId) -> NodeId {
        self.context.magic(node, to, self.span)
    }

    /// What a uniform value holds, if it is of this type.
    pub(super) fn checked(&mut self, value: NodeId, to: TyId) -> NodeId {
        let value = self.bind("value", value);
        if self.context.is_obj(to) {
            let any = self.read(value.0);
            let any = self.unboxed(any, to);
            return self.let_in(value, any);
        }
        let fits = self.fits(value.0, to);
        let held = self.read(value.0);
        let held = self.unboxed(held, to);
        let fault = self.no_value_of(to);
        let mut body = self.choose(fits, held, fault);
        if self.context.has_constants(to) {
            let (is_number, constant) =
                (self.has_ctor(value.0, IMMEDIATE), self.numbered_constant(value.0, to));
            body = self.choose(is_number, constant, body);
        }
        self.let_in(value, body)
    }

    fn no_value_of(&mut self, ty: TyId) -> NodeId {
        let shown = self.context.shown(ty);
        self.invalid(&format!("Obj.magic: no value of type {shown}"), ty)
    }

    /// The constant constructor that OCaml represents by the number that a uniform value holds.
    fn numbered_constant(&mut self, value: VarId, to: TyId) -> NodeId {
        let int = self.context.out.types.int;
        let ctors = self.context.ctors(to).map_or(Vec::new(), |it| it.1.to_vec());
        let constants = ctors.iter().enumerate().filter(|it| it.1.fields.is_empty());
        let constants: Vec<u32> = constants.map(|it| it.0 as u32).collect();
        let mut cases = Vec::new();
        for (number, &ctor) in constants.iter().enumerate() {
            let made = self.add(NodeKind::Construct { ctor, args: Vec::new() }, to);
            cases.push((Key::Int(IntWidth::I63, number as i64), made));
        }
        let number = self.ctor_field(value, IMMEDIATE, 0, int);
        let fault = self.no_value_of(to);
        self.add(NodeKind::Switch { value: number, cases, default: Some(fault) }, to)
    }

    fn fits(&mut self, value: VarId, to: TyId) -> NodeId {
        if self.context.is_immediate(to) {
            return self.has_ctor(value, IMMEDIATE);
        }
        let uniform = self.context.uniform_type();
        match self.context.out.types.get(to).clone() {
            Ty::Tuple(items) => {
                let ctor = self.tuple_ctor(items.len());
                let mut parts = self.bool(true);
                for (index, &item) in items.iter().enumerate().rev() {
                    if self.context.is_uniform(item) {
                        continue;
                    }
                    let part = self.ctor_field(value, ctor, index as u32, uniform);
                    let part = self.bind("part", part);
                    let (fits, no) = (self.fits(part.0, item), self.bool(false));
                    let fits = self.let_in(part, fits);
                    parts = self.choose(fits, parts, no);
                }
                let (outer, no) = (self.has_ctor(value, ctor), self.bool(false));
                self.choose(outer, parts, no)
            }
            Ty::Fn(..) => {
                let ty = self.function_type();
                let ctor = self.ctor_of(ty);
                self.has_ctor(value, ctor)
            }
            _ => {
                let ctor = self.ctor_of(to);
                self.has_ctor(value, ctor)
            }
        }
    }

    fn has_ctor(&mut self, value: VarId, ctor: u32) -> NodeId {
        let (bool, value) = (self.context.out.types.bool, self.read(value));
        let (yes, no) = (self.bool(true), self.bool(false));
        let cases = vec![(Key::Ctor(ctor), yes)];
        self.add(NodeKind::Switch { value, cases, default: Some(no) }, bool)
    }

    fn invalid(&mut self, message: &str, ty: TyId) -> NodeId {
        let Some(exn) = self.context.source.well_known.exns.invalid_argument else {
            ice!("the library has no exception `Invalid_argument`");
        };
        self.context.exns.insert(exn);
        let exn_ty = self.context.out.types.exn;
        let message = self.string(message);
        let value = self.add(NodeKind::MakeExn { exn, args: vec![message] }, exn_ty);
        self.add(NodeKind::Raise(value), ty)
    }

    /// The number of a constant; 0 of a block.
    pub(super) fn number_body(&mut self, ty: TyId, a: VarId) -> NodeId {
        let int = self.context.out.types.int;
        if self.context.is_uniform(ty) {
            return self.each_content(a, int, |code, ctor, held| {
                match code.context.out.types.get(held) {
                    Ty::Tuple(_) => code.int(0),
                    _ => {
                        let value = code.ctor_field(a, ctor, 0, held);
                        code.call(Task::Number, held, vec![value])
                    }
                }
            });
        }
        let value = self.read(a);
        if let Some(number) = self.immediate(value, ty) {
            return number;
        }
        let is_tags = self.context.is_tags(ty);
        self.each_ctor(ty, a, int, |code, ctor, constant| match constant {
            Some(_) if is_tags => code.tag_number(ty, ctor),
            Some(number) => code.int(number),
            None => code.int(0),
        })
    }

    fn tag_number(&mut self, ty: TyId, ctor: u32) -> NodeId {
        let name = self.context.ctors(ty).and_then(|it| it.1.get(ctor as usize).map(|it| it.name));
        let Some(name) = name else { ice!("a type has no constructor {ctor}") };
        self.int(oxbow_psg::tag_hash(name.as_str()))
    }

    /// One case for each constructor, with the number of a constant; 0 for what is no variant.
    pub(super) fn each_ctor(
        &mut self,
        ty: TyId,
        a: VarId,
        result: TyId,
        mut case: impl FnMut(&mut Self, u32, Option<i64>) -> NodeId,
    ) -> NodeId {
        let ctors = match self.context.out.types.get(ty) {
            Ty::Data(data, _) => match &self.context.out.types.datas[*data].kind {
                DataKind::Variant(ctors) => Some(ctors.clone()),
                DataKind::Record(_) => None,
            },
            _ => None,
        };
        let Some(ctors) = ctors else { return case(self, 0, None) };
        let (mut cases, mut constants) = (Vec::new(), 0);
        for (index, ctor) in ctors.iter().enumerate() {
            let constant = ctor.fields.is_empty().then_some(constants);
            constants += i64::from(constant.is_some());
            cases.push((Key::Ctor(index as u32), case(self, index as u32, constant)));
        }
        let value = self.read(a);
        self.add(NodeKind::Switch { value, cases, default: None }, result)
    }

    /// How many words the value's block has.
    pub(super) fn size_body(&mut self, ty: TyId, a: VarId) -> NodeId {
        let int = self.context.out.types.int;
        if self.context.is_uniform(ty) {
            return self.each_content(a, int, |code, ctor, held| {
                match code.context.out.types.get(held) {
                    Ty::Tuple(items) => code.int(items.len() as i64),
                    _ => {
                        let value = code.ctor_field(a, ctor, 0, held);
                        code.call(Task::Size, held, vec![value])
                    }
                }
            });
        }
        let value = self.read(a);
        match self.context.out.types.get(ty).clone() {
            Ty::Tuple(items) => self.int(items.len() as i64),
            Ty::Array(_) => self.prim(Prim::ArrayLength, vec![value], int),
            // The bytes, and at least one more that fills the last word.
            Ty::String | Ty::Bytes => {
                let prim = if ty == self.context.out.types.string {
                    Prim::StringLength
                } else {
                    Prim::BytesLength
                };
                let length = self.prim(prim, vec![value], int);
                let (three, one) = (self.int(3), self.int(1));
                let words = self.int_op(IntOp::Asr, length, three);
                self.int_op(IntOp::Add, words, one)
            }
            Ty::Data(..) => {
                let is_tags = self.context.is_tags(ty);
                self.each_ctor(ty, a, int, |code, ctor, constant| {
                    let count = code.context.field_types(ty, ctor as usize).len() as i64;
                    let count = if constant.is_some() { 0 } else { count };
                    code.int(if is_tags && count > 0 { 2 } else { count })
                })
            }
            Ty::Float | Ty::Float32 | Ty::Fn(..) => self.int(1),
            Ty::Int(width) if width != IntWidth::I63 => self.int(2),
            _ => self.int(0),
        }
    }

    /// A field of the value's block, as a uniform value.
    pub(super) fn field_body(&mut self, ty: TyId, a: VarId, index: VarId) -> NodeId {
        let uniform = self.context.uniform_type();
        if self.context.is_uniform(ty) {
            return self.each_content(a, uniform, |code, ctor, held| {
                match code.context.out.types.get(held).clone() {
                    Ty::Tuple(items) => {
                        let parts = (0..items.len())
                            .map(|it| code.ctor_field(a, ctor, it as u32, uniform))
                            .collect();
                        code.chosen_field(index, parts)
                    }
                    _ => {
                        let value = code.ctor_field(a, ctor, 0, held);
                        let index = code.read(index);
                        code.call(Task::Field, held, vec![value, index])
                    }
                }
            });
        }
        match self.context.out.types.get(ty).clone() {
            Ty::Tuple(items) => {
                let parts = items.iter().enumerate();
                let parts = parts.map(|(at, &item)| self.tuple_part(a, at, item)).collect();
                self.chosen_field(index, parts)
            }
            Ty::Array(item) => self.array_field(item, a, index),
            Ty::Data(..) => {
                let is_tags = self.context.is_tags(ty);
                self.each_ctor(ty, a, uniform, |code, ctor, constant| {
                    let types = match constant {
                        Some(_) => Vec::new(),
                        None => code.context.field_types(ty, ctor as usize),
                    };
                    let mut parts = Vec::new();
                    if is_tags && constant.is_none() {
                        parts.push(code.tag_number(ty, ctor));
                    }
                    for (at, &held) in types.iter().enumerate() {
                        parts.push(code.ctor_field(a, ctor, at as u32, held));
                    }
                    code.chosen_field(index, parts)
                })
            }
            _ => self.invalid("Obj.field", uniform),
        }
    }

    fn array_field(&mut self, item: TyId, a: VarId, index: VarId) -> NodeId {
        let (int, uniform) = (self.context.out.types.int, self.context.uniform_type());
        let array = self.read(a);
        let length = self.prim(Prim::ArrayLength, vec![array], int);
        let at = self.read(index);
        let inside = self.int_op(IntOp::Ult, at, length);
        let args = vec![self.read(a), self.read(index)];
        let found = self.prim(Prim::ArrayGet, args, item);
        let found = self.converted(found, uniform);
        let fault = self.invalid("Obj.field", uniform);
        self.choose(inside, found, fault)
    }

    fn chosen_field(&mut self, index: VarId, parts: Vec<NodeId>) -> NodeId {
        let uniform = self.context.uniform_type();
        let mut cases = Vec::new();
        for (at, part) in parts.into_iter().enumerate() {
            cases.push((Key::Int(IntWidth::I63, at as i64), self.converted(part, uniform)));
        }
        let fault = self.invalid("Obj.field", uniform);
        if cases.is_empty() {
            return fault;
        }
        let value = self.read(index);
        self.add(NodeKind::Switch { value, cases, default: Some(fault) }, uniform)
    }
}
