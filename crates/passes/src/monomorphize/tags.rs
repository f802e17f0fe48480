//! Polymorphic variants: the constructors of their one type, by tag and by what they hold.
//!
//! ```text
//! before   data variants = A of 'a | A of int          `A x  in  f['a]        f[string], f[int]
//! after    data variants = A of string | A of int
//! ```
//!
//! A tag that holds something of a type with variables is a constructor in each instance. Constructors turn up while
//! code is copied, so functions over all of them are filled again when there are more (`generate`). In the end those
//! with objects are numbered first, since the tag of an object is small.

use oxbow_base::Symbol;
use oxbow_base::indexmap::IndexMap;
use oxbow_diag::{Diagnostic, ice};
use oxbow_psg::{
    Compared, Ctor, DataId, DataKind, Field, Key, Mono, NodeId, NodeKind, Program, Ty, TyId,
    TypeTable, tag_hash,
};

use super::Context;

/// So many constructors with objects fit into the tag of an object.
const MOST_OBJECTS: usize = 256;

/// The type of polymorphic variants, if the program has any.
#[derive(Default)]
pub(super) struct Tags {
    pub(super) data: Option<DataId>,
    /// Its constructors in the program that is copied.
    before: Vec<Ctor>,
    /// Those of the copy so far.
    made: IndexMap<(Symbol, Option<TyId>), u32>,
    /// For each of them the constructor of the program that is copied.
    pub(super) sources: Vec<u32>,
}

impl Tags {
    /// Takes the constructors out of the table: the copy's come one by one.
    pub(super) fn take(types: &mut TypeTable) -> Self {
        let data = types.datas.iter().find(|it| it.1.compared == Compared::Tags).map(|it| it.0);
        let before = match data.map(|it| &mut types.datas[it].kind) {
            Some(DataKind::Variant(ctors)) => std::mem::take(ctors),
            Some(DataKind::Record(_)) => ice!("tags belong to variants"),
            None => Vec::new(),
        };
        Self { data, before, made: IndexMap::new(), sources: Vec::new() }
    }

    pub(super) fn count(&self) -> usize {
        self.made.len()
    }
}

impl Context<'_> {
    pub(super) fn is_tags(&self, ty: TyId) -> bool {
        matches!(self.out.types.get(ty), Ty::Data(data, _) if Some(*data) == self.tags.data)
    }

    /// Is a value of this type nothing but the number of its constructor? Tags and objects turn up while code is
    /// copied: that all constructors so far are constant says nothing of theirs.
    pub(super) fn is_constant_type(&self, ty: TyId) -> bool {
        self.out.types.is_enumeration(ty) && !self.is_tags(ty) && !self.is_objects(ty)
    }

    /// The copy of a constructor of a type: its number, but for those of polymorphic variants.
    pub(super) fn ctor(&mut self, ty: TyId, ctor: u32) -> u32 {
        if self.is_objects(ty) {
            return self.object_ctor(ctor);
        }
        let (true, Some(data)) = (self.is_tags(ty), self.tags.data) else { return ctor };
        let before = &self.tags.before[ctor as usize];
        let (name, holds) = (before.name, before.fields.first().map(|it| it.ty));
        let holds = holds.map(|it| self.ty(it)).map(|it| self.held_by_tag(name, it));
        if let Some(&known) = self.tags.made.get(&(name, holds)) {
            return known;
        }
        let number = self.tags.made.len() as u32;
        self.tags.made.insert((name, holds), number);
        self.tags.sources.push(ctor);
        self.check_objects(data, holds);
        let fields = holds.map(|ty| Field::plain(Symbol::new("0"), ty)).into_iter().collect();
        if let DataKind::Variant(ctors) = &mut self.out.types.datas[data].kind {
            ctors.push(Ctor { name, fields, inline_record: false });
        }
        number
    }

    /// What a tag holds: one of unknown type is the same constructor as one of a known type (see `facts`).
    fn held_by_tag(&mut self, tag: Symbol, ty: TyId) -> TyId {
        if self.uniform.is_none() {
            return ty;
        }
        if self.is_open(ty, &[]) {
            self.learn_tag(tag);
        }
        if self.facts.tags.contains(&tag) { self.uniform_type() } else { ty }
    }

    /// An object has room for a small number of its constructor.
    fn check_objects(&mut self, data: DataId, holds: Option<TyId>) {
        let DataKind::Variant(ctors) = &self.out.types.datas[data].kind else { return };
        let objects = ctors.iter().filter(|it| !it.fields.is_empty()).count();
        if holds.is_some() && objects == MOST_OBJECTS {
            let item = self.source.items.last().map(|it| it.span);
            if let Some(span) = self.place.or(item) {
                let construct =
                    format!("more than {MOST_OBJECTS} tags that hold values, in one program");
                self.give_up(Diagnostic::not_supported(span, &construct));
            }
        }
    }

    /// The cases of a switch whose constructors have been copied; tags of two types may be one type here.
    pub(super) fn copy_keys(
        &mut self,
        value: NodeId,
        cases: &[(Key, NodeId)],
    ) -> Vec<(Key, NodeId)> {
        let ty = self.source.nodes[value].ty;
        let mut copied: Vec<(Key, NodeId)> = Vec::with_capacity(cases.len());
        for (key, case) in cases {
            let key = match key {
                Key::Ctor(ctor) => Key::Ctor(self.ctor(ty, *ctor)),
                other => self.key(other),
            };
            copied.push((key, self.copy(*case)));
        }
        copied
    }

    /// Begins with the constructors that earlier phrases of a prompt have, in their order; whether that can be done.
    pub(super) fn replay_tags(&mut self) -> bool {
        let Some(phrase) = self.phrase else { return true };
        let Some(data) = self.tags.data else { return phrase.tags().is_empty() };
        let ty = self.out.types.intern(Ty::Data(data, Vec::new()));
        phrase.tags().iter().enumerate().all(|(at, &ctor)| {
            let Some(before) = self.tags.before.get(ctor as usize) else { return false };
            let holds = before.fields.first().map(|it| it.ty);
            let is_open = holds.is_some_and(|it| !self.out.types.vars_in([it]).is_empty());
            !is_open && self.ctor(ty, ctor) as usize == at
        })
    }

    /// Numbers the constructors with objects first.
    pub(super) fn renumber_tags(&mut self) {
        // Those of a prompt keep their numbers.
        if self.phrase.is_some() {
            return;
        }
        let Some(data) = self.tags.data else { return };
        let DataKind::Variant(ctors) = &mut self.out.types.datas[data].kind else { return };
        let mut order: Vec<usize> = (0..ctors.len()).collect();
        order.sort_by_key(|&it| (ctors[it].fields.is_empty(), it));
        *ctors = order.iter().map(|&it| ctors[it].clone()).collect();
        let mut new = vec![0; order.len()];
        for (number, &old) in order.iter().enumerate() {
            new[old] = number as u32;
        }
        renumber(&mut self.out, data, &new);
    }
}

fn renumber(program: &mut Program<Mono>, data: DataId, new: &[u32]) {
    let ids: Vec<NodeId> = program.nodes.ids().collect();
    for id in ids {
        let of = match &program.nodes[id].kind {
            NodeKind::Construct { .. } => id,
            NodeKind::Field { object, .. } | NodeKind::SetField { object, .. } => *object,
            NodeKind::Switch { value, .. } => *value,
            _ => continue,
        };
        if !matches!(program.types.get(program.nodes[of].ty), Ty::Data(it, _) if *it == data) {
            continue;
        }
        match &mut program.nodes[id].kind {
            NodeKind::Construct { ctor, .. }
            | NodeKind::Field { ctor, .. }
            | NodeKind::SetField { ctor, .. } => *ctor = new[*ctor as usize],
            NodeKind::Switch { cases, .. } => {
                for (key, _) in cases {
                    if let Key::Ctor(ctor) = key {
                        *ctor = new[*ctor as usize];
                    }
                }
            }
            _ => (),
        }
    }
}

/// The place of each constructor in OCaml's order: constants first, by the hashes of their tags.
pub(super) fn ranks(ctors: &[Ctor]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ctors.len()).collect();
    order.sort_by_key(|&it| (!ctors[it].fields.is_empty(), tag_hash(ctors[it].name.as_str()), it));
    let mut ranks = vec![0; ctors.len()];
    for (rank, at) in order.into_iter().enumerate() {
        ranks[at] = rank;
    }
    ranks
}
