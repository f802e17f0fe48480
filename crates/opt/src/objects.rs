//! Facts about constructors of types, written as `ocaml.objects`.

use std::collections::BTreeSet;

use oxbow_dialect::inspect::{erase, ops_of};
use oxbow_dialect::melior::ir::{Location, Type, TypeLike};
use oxbow_dialect::op::{DialectOp, Objects};
use rustc_hash::FxHashMap;

use crate::module::Declarations;

/// Constructors by their types, in the order in which types were met.
#[derive(Default)]
pub struct Ctors<'c> {
    found: Vec<(Type<'c>, BTreeSet<u32>)>,
    numbers: FxHashMap<usize, usize>,
}

impl<'c> Ctors<'c> {
    pub fn add(&mut self, ty: Type<'c>, ctor: u32) {
        let at = *self.numbers.entry(type_key(ty)).or_insert_with(|| {
            self.found.push((ty, BTreeSet::new()));
            self.found.len() - 1
        });
        self.found[at].1.insert(ctor);
    }
}

/// One of the facts that `ocaml.objects` states.
#[derive(Clone, Copy)]
pub enum Fact {
    Framed,
    Noted,
}

/// Writes a fact down for these constructors, and for no others.
pub fn write<'c>(declarations: &mut Declarations<'c>, fact: Fact, ctors: &Ctors<'c>) {
    let mut stated: FxHashMap<usize, Objects<'c>> = FxHashMap::default();
    for it in ops_of(declarations.body).filter_map(Objects::cast).collect::<Vec<_>>() {
        match fact {
            Fact::Framed => it.set_framed(&[]),
            Fact::Noted => it.set_noted(&[]),
        }
        stated.insert(type_key(it.r#type()), it);
    }
    declarations.build.location = Location::unknown(declarations.build.context);
    declarations.build.set_block(declarations.body);
    for (ty, numbers) in &ctors.found {
        let objects = *stated.entry(type_key(*ty)).or_insert_with(|| {
            Objects::of(declarations.build.append(&Objects::draft(*ty, &[], &[])))
        });
        let numbers: Vec<u32> = numbers.iter().copied().collect();
        match fact {
            Fact::Framed => objects.set_framed(&numbers),
            Fact::Noted => objects.set_noted(&numbers),
        }
    }
    let is_empty = |it: &Objects<'c>| it.framed().is_empty() && it.noted().is_empty();
    stated.into_values().filter(is_empty).for_each(|it| erase(it.op()));
}

/// Types are made once in a context.
pub fn type_key(ty: Type<'_>) -> usize {
    ty.to_raw().ptr as usize
}
