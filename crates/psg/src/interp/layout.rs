//! How OCaml would lay out data: what `compare`, `hash` and exception printing can
//! observe.
//!
//! Constant constructors are integers, numbered among themselves; the others are
//! blocks with tags numbered among themselves. A record of floats only is flat.

use oxbow_base::IdVec;

use super::value::{Object, ObjectKind, Value};
use super::{integers, number_arrays};
use crate::{Compared, DataId, DataKind, Program, Ty, suspension};

pub(super) struct Layout {
    datas: IdVec<DataId, DataLayout>,
    /// There are types that say themselves what `=` means. Only `monomorphize` knows where it is asked of them.
    pub has_own_order: bool,
}

struct DataLayout {
    /// The number of each constructor among those of its sort.
    numbers: Vec<u32>,
    flat_floats: bool,
    compared: Compared,
    /// Of polymorphic variants: the first constructor with the same tag, and the tag's hash.
    tags: Vec<(u32, i64)>,
}

impl Layout {
    pub fn new<P>(program: &Program<P>) -> Self {
        let is_float = |ty| matches!(program.types.get(ty), Ty::Float);
        let datas = program.types.datas.map(|decl| match &decl.kind {
            DataKind::Record(fields) => DataLayout {
                numbers: vec![0],
                flat_floats: !fields.is_empty() && fields.iter().all(|it| is_float(it.ty)),
                compared: decl.compared,
                tags: Vec::new(),
            },
            DataKind::Variant(ctors) => {
                let (mut constants, mut blocks) = (0, 0);
                let number = |ctor: &crate::Ctor| {
                    let next = if ctor.fields.is_empty() { &mut constants } else { &mut blocks };
                    *next += 1;
                    *next - 1
                };
                let numbers = ctors.iter().map(number).collect();
                let is_tags = decl.compared == Compared::Tags;
                let tags = if is_tags { tags(program, ctors) } else { Vec::new() };
                DataLayout { numbers, flat_floats: false, compared: decl.compared, tags }
            }
        });
        let has_own_order = program.types.datas.iter().any(|it| it.1.own.has_order());
        Self { datas, has_own_order }
    }

    /// The integer of a constant constructor, or the tag of another one.
    pub fn number(&self, data: DataId, ctor: u32) -> u32 {
        self.datas[data].numbers.get(ctor as usize).copied().unwrap_or(0)
    }

    /// Are these polymorphic variants, whose blocks begin with the hash of the tag?
    pub fn is_tags(&self, data: DataId) -> bool {
        self.datas[data].compared == Compared::Tags
    }

    /// The constructor that stands for all those of the same tag, whatever types they are of.
    pub fn same_tag(&self, data: DataId, ctor: u32) -> u32 {
        self.datas[data].tags.get(ctor as usize).map_or(ctor, |it| it.0)
    }

    /// What a value is compared by. A map or a set as the list of its elements, whose cells are pairs; a collection
    /// that changes as its number; others as they are.
    pub fn listed(&self, value: &Value) -> Value {
        if let Value::Constant { data, ctor } = value
            && let Some(tag) = self.datas[*data].tags.get(*ctor as usize)
        {
            return Value::Int(tag.1);
        }
        let Value::Object(object) = value else { return value.clone() };
        let ObjectKind::Data { data, ctor } = object.kind else { return value.clone() };
        match self.datas[data].compared {
            Compared::Tags => {
                let hash = self.datas[data].tags.get(ctor as usize).map_or(0, |it| it.1);
                let held = object.fields.borrow()[0].clone();
                Value::object(ObjectKind::Tuple, vec![Value::Int(hash), held])
            }
            Compared::Identity | Compared::Objects => object.fields.borrow()[0].clone(),
            Compared::Elements => self.elements(object, Value::Unit),
            Compared::Suspension if state_of(object) >= suspension::FORCED => {
                let inner = object.fields.borrow()[suspension::VALUE as usize].clone();
                self.listed(&inner)
            }
            Compared::Numbers => number_arrays::key(object),
            Compared::Integers => integers::key(ctor, object),
            Compared::Parts | Compared::Declared | Compared::Reference | Compared::Suspension => {
                value.clone()
            }
        }
    }

    /// Of an array of numbers in bytes, what its elements add to a hash; of an integer of any size, what it adds.
    pub fn numbers_hash(&self, value: &Value) -> Option<u32> {
        let Value::Object(object) = value else { return None };
        let ObjectKind::Data { data, ctor } = object.kind else { return None };
        match self.datas[data].compared {
            Compared::Numbers => Some(number_arrays::hash(object)),
            Compared::Integers => Some(integers::hash(ctor, object)),
            Compared::Parts
            | Compared::Declared
            | Compared::Elements
            | Compared::Identity
            | Compared::Reference
            | Compared::Suspension
            | Compared::Tags
            | Compared::Objects => None,
        }
    }

    /// Is the object equal to itself alone?
    pub fn is_reference(&self, object: &Object) -> bool {
        matches!(object.kind, ObjectKind::Data { data, .. }
            if self.datas[data].compared == Compared::Reference)
    }

    /// A suspension that is not evaluated: its tag and what its block holds in OCaml.
    pub fn suspended(&self, object: &Object) -> Option<(u32, Value)> {
        if !self.is_suspension(object) {
            return None;
        }
        Some(match state_of(object) {
            suspension::FORCING => (suspension::FORCING_TAG, Value::Unit),
            _ => {
                let compute = object.fields.borrow()[suspension::COMPUTE as usize].clone();
                (suspension::SUSPENDED_TAG, compute)
            }
        })
    }

    fn is_suspension(&self, object: &Object) -> bool {
        matches!(object.kind, ObjectKind::Data { data, .. }
            if self.datas[data].compared == Compared::Suspension)
    }

    /// The value of a suspension that OCaml makes no block for.
    pub fn plain(&self, value: &Value) -> Option<Value> {
        let Value::Object(object) = value else { return None };
        if !self.is_suspension(object) || state_of(object) != suspension::PLAIN {
            return None;
        }
        let inner = object.fields.borrow()[suspension::VALUE as usize].clone();
        match &inner {
            Value::Float(_) => None,
            Value::Object(held) if self.is_suspension(held) => self.plain(&inner),
            _ => Some(inner),
        }
    }

    fn elements(&self, tree: &Object, rest: Value) -> Value {
        let pair = |a: Value, b: Value| Value::object(ObjectKind::Tuple, vec![a, b]);
        let fields = tree.fields.borrow();
        let inner = |at: usize, rest: Value| match fields.get(at) {
            Some(Value::Object(tree)) => self.elements(tree, rest),
            _ => rest,
        };
        let after = inner(fields.len() - 2, rest);
        let item = match &fields[..] {
            [_, key, value, _, _] => pair(key.clone(), value.clone()),
            _ => fields[1].clone(),
        };
        inner(0, pair(item, after))
    }

    /// The place of the constructor, for types whose constructors are ordered by it.
    pub fn place(&self, value: &Value) -> Option<u32> {
        let (data, ctor) = match value {
            Value::Constant { data, ctor } => (*data, *ctor),
            Value::Object(object) => match object.kind {
                ObjectKind::Data { data, ctor } => (data, ctor),
                _ => return None,
            },
            _ => return None,
        };
        (self.datas[data].compared == Compared::Declared).then_some(ctor)
    }

    pub fn is_flat(&self, data: DataId) -> bool {
        self.datas[data].flat_floats
    }
}

/// What a constructor holds is told by its type, unless that has variables: then a tag is all there is to tell.
fn tags<P>(program: &Program<P>, ctors: &[crate::Ctor]) -> Vec<(u32, i64)> {
    let held = ctors.iter().flat_map(|it| &it.fields).map(|it| it.ty);
    let exact = program.types.vars_in(held).is_empty();
    let same = |a: &crate::Ctor, b: &crate::Ctor| {
        a.name == b.name && a.fields.is_empty() == b.fields.is_empty()
    };
    ctors
        .iter()
        .enumerate()
        .map(|(at, ctor)| {
            let first = ctors.iter().position(|it| same(it, ctor)).filter(|_| !exact);
            (first.unwrap_or(at) as u32, crate::tag_hash(ctor.name.as_str()))
        })
        .collect()
}

fn state_of(object: &Object) -> i64 {
    match object.fields.borrow()[suspension::STATE as usize] {
        Value::Int(state) => state,
        _ => suspension::SUSPENDED,
    }
}
