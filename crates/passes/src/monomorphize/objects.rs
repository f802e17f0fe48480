//! Objects: the constructors of their one type, and the functions that call their methods.
//!
//! ```text
//! before   data objects = stack of { id; items : 'a list; #push : objects -> 'a -> unit } | …
//!          %send.2.push o 1
//! after    data objects = stack of { …; #push : objects -> int -> unit } | stack of { …string… } | …
//!          let push = fun o x -> switch o { stack → (o.#push) o x | … }       push o 1
//! ```
//!
//! A place that makes objects is a constructor in each instance of the function around it. A method is called by a
//! function for its name and its type, which looks at the constructor and calls what it holds. Constructors turn up
//! while code is copied, so these functions are filled again when there are more (`generate`). An object whose method
//! was made at an unknown type is one of a known type elsewhere, and the other way round: there the function converts
//! what the method takes and gives (`retype`).

use oxbow_base::Span;
use oxbow_base::indexmap::IndexMap;
use oxbow_base::{Made, Symbol};
use oxbow_diag::{Diagnostic, ice};
use oxbow_psg::{
    Callee, Compared, Ctor, DataId, DataKind, Field, Key, NodeId, NodeKind, Prim, Ty, TyId,
    TypeTable, VarId,
};

use super::Context;
use super::decided_later::Frozen;
use super::generate::{Code, GeneratedKey, Task};

/// So many constructors fit into the tag of an object.
const MOST: usize = 256;

/// The type of objects, if the program has any.
#[derive(Default)]
pub(super) struct Objects {
    data: Option<DataId>,
    /// Its constructors in the program that is copied.
    before: Vec<Ctor>,
    /// Those of the copy so far, by the place that makes them and the types that they hold.
    made: IndexMap<(u32, Vec<TyId>), u32>,
    /// For each of them the constructor of the program that is copied.
    pub(super) sources: Vec<u32>,
}

impl Objects {
    /// Takes the constructors out of the table: the copy's come one by one.
    pub(super) fn take(types: &mut TypeTable) -> Self {
        let data = types.datas.iter().find(|it| it.1.compared == Compared::Objects).map(|it| it.0);
        let before = match data.map(|it| &mut types.datas[it].kind) {
            Some(DataKind::Variant(ctors)) => std::mem::take(ctors),
            Some(DataKind::Record(_)) => ice!("objects are variants"),
            None => Vec::new(),
        };
        Self { data, before, made: IndexMap::new(), sources: Vec::new() }
    }

    pub(super) fn count(&self) -> usize {
        self.made.len()
    }
}

impl Context<'_> {
    pub(super) fn is_objects(&self, ty: TyId) -> bool {
        matches!(self.out.types.get(ty), Ty::Data(data, _) if Some(*data) == self.objects.data)
    }

    /// The copy of a constructor.
    pub(super) fn object_ctor(&mut self, ctor: u32) -> u32 {
        let Some(data) = self.objects.data else { ice!("a program without objects") };
        let Ctor { name, fields, inline_record } = self.objects.before[ctor as usize].clone();
        let fields: Vec<Field> =
            fields.into_iter().map(|it| Field { ty: self.ty(it.ty), ..it }).collect();
        self.object_ctor_of((ctor, name, inline_record), data, fields)
    }

    /// The same, whose fields have these types.
    fn object_ctor_of(
        &mut self,
        (ctor, name, inline_record): (u32, Symbol, bool),
        data: DataId,
        fields: Vec<Field>,
    ) -> u32 {
        let key = (ctor, fields.iter().map(|it| it.ty).collect::<Vec<_>>());
        if let Some(&known) = self.objects.made.get(&key) {
            return known;
        }
        let number = self.objects.made.len() as u32;
        if self.objects.made.len() == MOST {
            let item = self.source.items.last().map(|it| it.span);
            if let Some(span) = self.place.or(item) {
                let construct = format!("objects of more than {MOST} classes in one program");
                self.give_up(Diagnostic::not_supported(span, &construct));
            }
        }
        self.objects.made.insert(key, number);
        self.objects.sources.push(ctor);
        if let DataKind::Variant(ctors) = &mut self.out.types.datas[data].kind {
            ctors.push(Ctor { name, fields, inline_record });
        }
        number
    }

    /// Begins with the constructors that earlier phrases of a prompt have, in their order; whether that can be done.
    pub(super) fn replay_objects(&mut self) -> bool {
        let Some(phrase) = self.phrase else { return true };
        let Some(data) = self.objects.data else { return phrase.objects().is_empty() };
        phrase.objects().iter().enumerate().all(|(at, (ctor, types))| {
            let Some(before) = self.objects.before.get(*ctor as usize).cloned() else {
                return false;
            };
            let plain: Vec<TyId> = before.fields.iter().map(|it| it.ty).collect();
            if self.out.types.vars_in(plain).is_empty() {
                return self.object_ctor(*ctor) as usize == at;
            }
            let Some(types) = types else { return false };
            let types: Vec<TyId> = types.iter().map(|it| it.thaw(&mut self.out.types)).collect();
            let fields = before.fields.into_iter().zip(types);
            let fields = fields.map(|(it, ty)| Field { ty, ..it }).collect();
            let known = (*ctor, before.name, before.inline_record);
            self.object_ctor_of(known, data, fields) as usize == at
        })
    }

    /// The types of the fields of a constructor of the copy, for later phrases.
    pub(super) fn frozen_fields(&self, ctor: usize) -> Option<Vec<Frozen>> {
        let types = self.objects.made.get_index(ctor).map(|it| &it.0.1)?;
        let lasting = self.source.types.datas.len();
        types.iter().map(|&it| Frozen::of(&self.out.types, it, lasting)).collect()
    }

    /// The call of a method.
    pub(super) fn send(
        &mut self,
        label: Symbol,
        args: Vec<NodeId>,
        ty: TyId,
        span: Span,
    ) -> NodeId {
        let params: Vec<TyId> = args.iter().map(|&it| self.out.ty(it)).collect();
        let function = self.out.types.function(&params, ty);
        // The number of arguments belongs to the key: the result may be a function.
        let name = Symbol::new(&format!("{}.{label}", args.len()));
        let index = self.generated(Task::Send(name), function, span);
        self.call_generated(index, args, span)
    }

    pub(super) fn declare_send(
        &mut self,
        key: GeneratedKey,
        label: Symbol,
        span: Span,
        wanted: usize,
    ) -> usize {
        let (count, name) = parts_of(label);
        let (params, result) = self.out.types.split_function(key.ty, count);
        let name = format!("#{name}");
        let names = |at: usize| if at == 0 { "o" } else { "x" };
        let params = params.into_iter().enumerate().map(|(at, ty)| (names(at), ty)).collect();
        self.declare_as(key, (&name, params, result), span, wanted)
    }

    pub(super) fn object_number(&mut self, args: Vec<NodeId>, span: Span) -> NodeId {
        let ty = self.out.ty(args[0]);
        let index = self.generated(Task::ObjectNumber, ty, span);
        self.call_generated(index, args, span)
    }

    pub(super) fn object_copy(&mut self, args: Vec<NodeId>, span: Span) -> NodeId {
        let ty = self.out.ty(args[0]);
        let index = self.generated(Task::CopyObject, ty, span);
        self.call_generated(index, args, span)
    }

    fn object_ctors(&self) -> Vec<Ctor> {
        let kind = self.objects.data.map(|it| &self.out.types.datas[it].kind);
        match kind {
            Some(DataKind::Variant(ctors)) => ctors.clone(),
            _ => Vec::new(),
        }
    }
}

/// How many arguments a method is called with, and its name.
fn parts_of(label: Symbol) -> (usize, &'static str) {
    match label.as_str().split_once('.') {
        Some((count, name)) => (count.parse().unwrap_or(1), name),
        None => ice!("a method without a number of arguments"),
    }
}

impl Code<'_, '_> {
    /// A switch over what an object can be.
    fn object_switch(&mut self, object: VarId, ty: TyId, cases: Vec<(Key, NodeId)>) -> NodeId {
        match &cases[..] {
            // No such object is made.
            [] => self.prim(Prim::Unreachable, Vec::new(), ty),
            [(_, only)] => *only,
            _ => {
                let value = self.read(object);
                self.add(NodeKind::Switch { value, cases, default: None }, ty)
            }
        }
    }

    pub(super) fn send_body(&mut self, label: Symbol, params: &[VarId]) -> NodeId {
        let (count, name) = parts_of(label);
        let object = params[0];
        let types: Vec<TyId> = params.iter().map(|&it| self.context.out.vars[it].ty).collect();
        let result = {
            let Some(generated) = self.context.filling_type() else { ice!("nothing is filled") };
            self.context.out.types.split_function(generated, count).1
        };
        let wanted = self.context.out.types.function(&types, result);
        let mut cases = Vec::new();
        let method = Made::Method(Symbol::new(name)).symbol();
        for (ctor, decl) in (0..).zip(self.context.object_ctors()) {
            let named = |it: &Field| it.name == method;
            let Some(index) = decl.fields.iter().position(named) else { continue };
            let ty = decl.fields[index].ty;
            if ty != wanted && self.context.uniform.is_none() {
                continue;
            }
            let holder = self.read(object);
            let kind = NodeKind::Field { object: holder, ctor, index: index as u32 };
            let func = self.add(kind, ty);
            let (takes, gives) = self.context.out.types.split_function(ty, count);
            let code = if takes.len() == count {
                let args = params.iter().zip(takes).map(|(&it, ty)| {
                    let arg = self.read(it);
                    self.context.fit(arg, ty)
                });
                let args = args.collect();
                let kind = NodeKind::Apply { func, args, callee: Callee::Unknown };
                let call = self.add(kind, gives);
                self.context.fit(call, result)
            } else {
                let func = self.context.fit(func, wanted);
                let args = params.iter().map(|&it| self.read(it)).collect();
                self.add(NodeKind::Apply { func, args, callee: Callee::Unknown }, result)
            };
            cases.push((Key::Ctor(ctor), code));
        }
        self.object_switch(object, result, cases)
    }

    pub(super) fn object_number_body(&mut self, object: VarId) -> NodeId {
        let int = self.context.out.types.int;
        let mut cases = Vec::new();
        for ctor in 0..self.context.object_ctors().len() as u32 {
            let holder = self.read(object);
            let field = self.add(NodeKind::Field { object: holder, ctor, index: 0 }, int);
            cases.push((Key::Ctor(ctor), field));
        }
        self.object_switch(object, int, cases)
    }

    pub(super) fn copy_body(&mut self, object: VarId, number: VarId) -> NodeId {
        let ty = self.context.out.vars[object].ty;
        let mut cases = Vec::new();
        for (ctor, decl) in (0..).zip(self.context.object_ctors()) {
            let mut args = vec![self.read(number)];
            for (index, field) in (0..).zip(&decl.fields).skip(1) {
                let holder = self.read(object);
                args.push(self.add(NodeKind::Field { object: holder, ctor, index }, field.ty));
            }
            cases.push((Key::Ctor(ctor), self.add(NodeKind::Construct { ctor, args }, ty)));
        }
        self.object_switch(object, ty, cases)
    }
}
