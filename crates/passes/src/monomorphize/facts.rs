//! Which places of a program hold values of unknown type (`uniform`, see `retype`), and how types are written then.
//!
//! ```text
//! type 'a t = Nil | One of 'a * ('a * 'a) t         'a grows: every `t` is a `uniform t`, whatever stands in it
//! type packed = Pack : 'a list -> packed            holds a `uniform list`, so every list holds uniform items
//! let rec size : 'a. 'a t -> int = …                calls itself at `'a * 'a`: one instance, at `uniform`
//! type any = Any : [ `V of 'a ] -> any              holds a `V of uniform`, so every `V` does
//! ```
//!
//! A list that is read at a known type here and at an unknown one there must be one object, so all instances of a type
//! share the form of a parameter as soon as one of them is not known. The parameters are found by making copies until
//! no more of them turn up: `run` begins anew with what was learnt. Programs without such types know no facts.

use oxbow_base::{Span, Symbol};
use oxbow_diag::{Diagnostic, limits};
use oxbow_psg::{
    Compared, Ctor, DataDecl, DataId, DataKind, Field, NodeKind, Ty, TyId, TyVarId, VarId,
};
use rustc_hash::FxHashSet;

use super::Context;

/// What is held in uniform form.
#[derive(Clone, Default, Debug)]
pub(super) struct Facts {
    /// Parameters of types, by their places.
    params: FxHashSet<(DataId, usize)>,
    /// The items of arrays.
    pub arrays: bool,
    /// Functions are taken out of `Obj.t` at types that they need not have: their adapters test what they are given.
    pub cast_functions: bool,
    /// Tags of polymorphic variants: what they hold.
    pub tags: FxHashSet<Symbol>,
    /// Type parameters of functions that call themselves at ever larger types, by the first variable of the binding.
    bindings: FxHashSet<(VarId, usize)>,
}

impl Facts {
    /// Are there functions whose instances take uniform values in place of what they are given?
    pub fn has_bindings(&self) -> bool {
        !self.bindings.is_empty()
    }
}

/// The type of uniform values: a variant with a constructor for each type that becomes one.
pub(super) struct Uniform {
    pub data: DataId,
    pub ty: TyId,
    /// The types of what the constructors hold, in order; a tuple's parts are the constructor's fields.
    pub held: Vec<TyId>,
}

/// The constructor of everything that OCaml represents by a small integer.
pub(super) const IMMEDIATE: u32 = 0;

impl Context<'_> {
    /// Begins with what is known: the declarations say it, too.
    pub(super) fn apply_facts(&mut self) {
        let facts = &self.facts;
        let nothing = facts.params.is_empty() && !facts.arrays && facts.tags.is_empty();
        if nothing && !self.out.types.contains(&Ty::Uniform) {
            return;
        }
        self.uniform_type();
        loop {
            let known = (self.facts.params.len(), self.facts.arrays);
            self.write_declarations();
            if known == (self.facts.params.len(), self.facts.arrays) {
                break;
            }
        }
        self.learnt = false;
    }

    fn write_declarations(&mut self) {
        for data in self.out.types.datas.ids() {
            let decl = &self.out.types.datas[data];
            let params = decl.params.iter().copied().enumerate();
            let uniform: Vec<TyVarId> = params
                .filter(|(place, _)| self.facts.params.contains(&(data, *place)))
                .map(|it| it.1)
                .collect();
            let mut kind = decl.kind.clone();
            match &mut kind {
                DataKind::Record(fields) => self.write_fields(fields, &uniform),
                DataKind::Variant(ctors) => {
                    for ctor in ctors {
                        self.write_fields(&mut ctor.fields, &uniform);
                    }
                }
            }
            self.out.types.datas[data].kind = kind;
        }
        for exn in self.out.types.exns.ids() {
            let mut fields = self.out.types.exns[exn].fields.clone();
            self.write_fields(&mut fields, &[]);
            self.out.types.exns[exn].fields = fields;
        }
    }

    fn write_fields(&mut self, fields: &mut [Field], uniform: &[TyVarId]) {
        for field in fields {
            field.ty = self.declared(field.ty, uniform);
        }
    }

    /// A type in a declaration as it is held; the variables among `uniform` stand for values of unknown type.
    fn declared(&mut self, ty: TyId, uniform: &[TyVarId]) -> TyId {
        match self.out.types.get(ty).clone() {
            Ty::Uniform => self.uniform_type(),
            other => match other.map_parts(|it| self.declared(it, uniform)) {
                Ty::Array(item) => {
                    if self.is_open(item, uniform) {
                        self.learn_arrays();
                    }
                    self.array_type(item)
                }
                Ty::Data(data, args) => {
                    for (place, &arg) in args.iter().enumerate() {
                        if self.is_open(arg, uniform) {
                            self.learn_param(data, place);
                        }
                    }
                    self.data_type(data, args)
                }
                mapped => self.out.types.intern(mapped),
            },
        }
    }

    /// May a type with more knowledge stand for the same values? Parts of data and arrays have one form for all.
    pub(super) fn is_open(&self, ty: TyId, uniform: &[TyVarId]) -> bool {
        if self.uniform.as_ref().is_some_and(|it| it.ty == ty) {
            return true;
        }
        match self.out.types.get(ty) {
            Ty::Uniform => true,
            Ty::Var(var) => uniform.contains(var),
            Ty::Tuple(items) => items.iter().any(|&it| self.is_open(it, uniform)),
            Ty::Fn(param, result) => {
                self.is_open(*param, uniform) || self.is_open(*result, uniform)
            }
            Ty::Unit
            | Ty::Bool
            | Ty::Char
            | Ty::Int(_)
            | Ty::Float
            | Ty::Float32
            | Ty::String
            | Ty::Bytes
            | Ty::Exn
            | Ty::Array(_)
            | Ty::Data(..) => false,
        }
    }

    pub(super) fn learn_param(&mut self, data: DataId, place: usize) {
        self.learnt |= self.facts.params.insert((data, place));
    }

    pub(super) fn learn_tag(&mut self, tag: Symbol) {
        self.learnt |= self.facts.tags.insert(tag);
    }

    pub(super) fn learn_arrays(&mut self) {
        self.learnt |= !std::mem::replace(&mut self.facts.arrays, true);
    }

    pub(super) fn learn_cast_functions(&mut self) {
        self.learnt |= !std::mem::replace(&mut self.facts.cast_functions, true);
    }

    /// A record or variant at these types, as its values are held.
    pub(super) fn data_type(&mut self, data: DataId, mut args: Vec<TyId>) -> TyId {
        if self.uniform.is_some() {
            let uniform = self.uniform_type();
            for (place, arg) in args.iter_mut().enumerate() {
                if *arg == uniform || self.is_open(*arg, &[]) {
                    self.learn_param(data, place);
                }
                if self.facts.params.contains(&(data, place)) {
                    *arg = uniform;
                }
            }
        }
        self.out.types.intern(Ty::Data(data, args))
    }

    /// Arrays with these items, as they are held.
    pub(super) fn array_type(&mut self, mut item: TyId) -> TyId {
        if self.uniform.is_some() {
            if self.is_open(item, &[]) {
                self.learn_arrays();
            }
            if self.facts.arrays {
                item = self.uniform_type();
            }
        }
        self.out.types.intern(Ty::Array(item))
    }

    /// The type of values whose type is not known.
    pub(super) fn uniform_type(&mut self) -> TyId {
        if let Some(uniform) = &self.uniform {
            return uniform.ty;
        }
        let int = self.out.types.int;
        let immediate = Ctor {
            name: Symbol::new("immediate"),
            fields: vec![Field::plain(Symbol::new("0"), int)],
            inline_record: false,
        };
        let data = self.out.types.datas.push(DataDecl {
            name: Symbol::new("uniform"),
            params: Vec::new(),
            kind: DataKind::Variant(vec![immediate]),
            compared: Compared::Parts,
            own: oxbow_psg::OwnFunctions::default(),
            known: None,
            span: None,
        });
        let ty = self.out.types.intern(Ty::Data(data, Vec::new()));
        self.uniform = Some(Uniform { data, ty, held: vec![int] });
        ty
    }

    pub(super) fn is_uniform(&self, ty: TyId) -> bool {
        self.uniform.as_ref().is_some_and(|it| it.ty == ty)
    }

    /// The constructor of uniform values that hold one of this type.
    pub(super) fn uniform_ctor(&mut self, ty: TyId) -> u32 {
        self.uniform_type();
        let Some(uniform) = &self.uniform else { return IMMEDIATE };
        if let Some(known) = uniform.held.iter().position(|&it| it == ty) {
            return known as u32;
        }
        let (data, at) = (uniform.data, uniform.held.len());
        let types = match self.out.types.get(ty) {
            Ty::Tuple(items) => items.clone(),
            _ => vec![ty],
        };
        let field = |(place, ty): (usize, TyId)| Field::plain(Symbol::new(&place.to_string()), ty);
        let fields = types.into_iter().enumerate().map(field).collect();
        let ctor = Ctor { name: self.ctor_name(ty), fields, inline_record: false };
        if let DataKind::Variant(ctors) = &mut self.out.types.datas[data].kind {
            ctors.push(ctor);
        }
        if let Some(uniform) = &mut self.uniform {
            uniform.held.push(ty);
        }
        at as u32
    }

    /// After the type that is held; another one of that name has a number behind it.
    fn ctor_name(&self, ty: TyId) -> Symbol {
        let name = match self.out.types.get(ty) {
            Ty::Unit | Ty::Bool | Ty::Char | Ty::Var(_) | Ty::Uniform => "immediate".to_string(),
            Ty::Int(width) => width.name().to_string(),
            Ty::Float => "float".to_string(),
            Ty::Float32 => "float32".to_string(),
            Ty::String => "string".to_string(),
            Ty::Bytes => "bytes".to_string(),
            Ty::Exn => "exn".to_string(),
            Ty::Tuple(items) => format!("tuple{}", items.len()),
            Ty::Fn(..) => "function".to_string(),
            Ty::Array(_) => "array".to_string(),
            Ty::Data(data, _) => self.out.types.datas[*data].name.as_str().to_string(),
        };
        let Some(uniform) = &self.uniform else { return Symbol::new(&name) };
        let DataKind::Variant(ctors) = &self.out.types.datas[uniform.data].kind else {
            return Symbol::new(&name);
        };
        let is_free = |name: &str| ctors.iter().all(|it| it.name.as_str() != name);
        let mut unique = name.clone();
        let mut number = 2;
        while !is_free(&unique) {
            unique = format!("{name}_{number}");
            number += 1;
        }
        Symbol::new(&unique)
    }

    /// Type arguments of a binding, as its instances take them.
    pub(super) fn settle(&mut self, binding: VarId, tyargs: &mut [TyId]) {
        if !self.facts.has_bindings() {
            return;
        }
        for (place, arg) in tyargs.iter_mut().enumerate() {
            if self.facts.bindings.contains(&(binding, place)) {
                *arg = self.uniform_type();
            }
        }
    }

    /// How many instances of a function may ask for each other. A value of a larger type is converted by more code, so
    /// there are few where values are converted.
    pub(super) fn recursive_instances(&self) -> usize {
        let most = limits::RECURSIVE_INSTANCES.most;
        if self.uniform.is_some() { most / 8 } else { most }
    }

    /// A function calls itself at ever larger types: it takes uniform values where they differ from those it began
    /// with.
    pub(super) fn learn_growth(&mut self, binding: VarId, first: &[TyId], last: &[TyId]) {
        self.note_growth(binding, first, last);
        self.begin_anew();
    }

    pub(super) fn note_growth(&mut self, binding: VarId, first: &[TyId], last: &[TyId]) {
        let deeper: Vec<bool> =
            first.iter().zip(last).map(|(&a, &b)| self.depth(b) > self.depth(a)).collect();
        let any_deeper = deeper.contains(&true);
        for (place, deeper) in deeper.into_iter().enumerate() {
            if if any_deeper { deeper } else { first[place] != last[place] } {
                self.facts.bindings.insert((binding, place));
            }
        }
    }

    /// A function takes uniform values in place of a type parameter.
    pub(super) fn learn_binding(&mut self, binding: VarId, place: usize) {
        self.learnt |= self.facts.bindings.insert((binding, place));
    }

    /// A value that was computed is used at several types: it is one value, at uniform values. By the relaxed value
    /// restriction it holds nothing of those types.
    pub(super) fn learn_computed(&mut self, binding: VarId, types: Vec<Vec<TyId>>, span: Span) {
        for place in 0..types[0].len() {
            if types.iter().any(|it| it[place] != types[0][place]) {
                self.learn_binding(binding, place);
            }
        }
        if !self.learnt {
            let construct = "a computed value that is used at several types";
            self.diagnostics.error(Diagnostic::not_supported(span, construct));
            return;
        }
        self.begin_anew();
    }

    /// Nothing that is made from here on is used.
    pub(super) fn begin_anew(&mut self) {
        self.learnt = true;
        self.gave_up = true;
        self.work.clear();
        self.generated_work.clear();
    }

    /// How many arguments the function takes at once that a variable of the source is bound to.
    pub(super) fn arity(&mut self, var: VarId) -> Option<usize> {
        if self.arities.is_none() {
            self.arities = Some(self.find_arities());
        }
        let source = *self.origins.get(var)?;
        self.arities.as_ref()?.get(source).copied()
    }

    fn find_arities(&self) -> oxbow_base::IdMap<VarId, usize> {
        let source = self.source;
        let mut arities = oxbow_base::IdMap::new();
        let mut note = |var: VarId, value| {
            if let NodeKind::Lambda(lambda) = source.nodes[value].kind {
                arities.insert(var, source.lambdas[lambda].params.len());
            }
        };
        for item in &source.items {
            match &item.kind {
                oxbow_psg::ItemKind::Let { var, value } => note(*var, *value),
                oxbow_psg::ItemKind::LetRec { vars, values } => {
                    vars.iter().zip(values).for_each(|(&var, &value)| note(var, value));
                }
                oxbow_psg::ItemKind::Eval(_) => (),
            }
        }
        for node in source.nodes.values() {
            match &node.kind {
                NodeKind::Let { var, value, .. } => note(*var, *value),
                NodeKind::LetRec { vars, values, .. } => {
                    vars.iter().zip(values).for_each(|(&var, &value)| note(var, value));
                }
                _ => (),
            }
        }
        arities
    }

    /// Values of a type have parts of ever larger types: those parameters are held in uniform form.
    pub(super) fn learn_regular(&mut self, data: DataId, args: &[TyId]) {
        let depths: Vec<usize> = args.iter().map(|&it| self.depth(it)).collect();
        let deepest = depths.iter().copied().max().unwrap_or(0);
        for (place, depth) in depths.into_iter().enumerate() {
            if depth == deepest {
                self.learn_param(data, place);
            }
        }
        self.begin_anew();
    }
}
