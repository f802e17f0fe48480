//! Release code for types: what happens when the last reference to an object of a known type goes.
//!
//! ```text
//! type t = Leaf | Node of t * string * t
//!
//! oxbow.release.of.data.t(object):
//!   visit:   its header is not that of a Node in a cell of its own: leave it to the runtime, then next
//!            drop the string
//!            the first t dies: the object waits in a list, with where to go on; visit the first t
//!   rest:    free the cell; the second t dies: visit it
//!   next:    nothing waits: return; else take the first that waits, and go on with its rest
//! ```
//!
//! Types that can hold each other are released by one function, without recursion: an object with several such parts
//! waits in a list that runs through the headers of dead objects, so deep structures need neither stack nor memory.
//! Parts of other types are dropped by calls, whose depth is that of the types.
//!
//! A header says more than the type: where the object lies, and which words are pointers. One compare of that half
//! of it guards each constructor. Constants, objects in frames and regions, and large ones fail it and go to the
//! runtime's walk, which knows all objects; so do closures, exceptions and arrays, whose layout the type does not
//! tell.
//!
//! Before anything is called, no dead object looks alive: its cell is free, or its header is a link. What is called may
//! let fibres unwind, and these may look for cycles.

use std::collections::hash_map::Entry;

use oxbow_abi::{
    CELL_STEP, DATA_OFFSET, FREE_CELLS, HEADER_OFFSET, HEADER_SIZE, INFO_OFFSET, LARGEST_CELL,
    LENGTH_OFFSET, SUSPECT_BIT, Shape, TAG_OFFSET,
};
use oxbow_base::{FxHashMap, FxHashSet, components};
use oxbow_dialect::melior::ir::Type;
use oxbow_dialect::{Block, Kind, Likely, OcamlType, Predicate, Val, type_key};

use super::alloc::Form;
use super::body::Body;
use super::llvm_ops::{Access, Convention, TailKind, Target};
use super::release_any::RELEASE_ANY;
use super::{Converter, Hint, NewFunction};

const STRING: &str = "oxbow.release.of.string";

/// A group with more constructors is left to the runtime: its code would be seldom used as a whole.
const MOST_CTORS: usize = 16;

/// So many constructors are told apart by a table.
const MANY: usize = 4;

/// A function with so few is put into the functions that release what holds such objects.
const FEW_CTORS: usize = 8;

/// Which types are released together.
#[derive(Default)]
pub struct Releases<'c> {
    /// Types that can hold each other.
    groups: Vec<Vec<Type<'c>>>,
    /// For each type its group, and its number there.
    places: FxHashMap<usize, (usize, usize)>,
    is_read: bool,
    wanted: Vec<usize>,
    seen: FxHashSet<usize>,
    /// Strings are released, too.
    strings: bool,
    /// Such a function is being made.
    pub is_making: bool,
}

/// The function that releases objects of a type.
pub struct Release {
    pub symbol: String,
    /// The number of the type, where the function serves several.
    pub member: Option<i64>,
    /// The function is small, and releases nothing by another one.
    pub is_flat: bool,
}

/// A part of an object.
struct Part<'c> {
    ty: Type<'c>,
    offset: u64,
    /// Its number in the group, if it is of one of the group's types.
    member: Option<usize>,
}

/// A constructor whose objects are released here.
struct Ctor<'c> {
    number: u32,
    form: Form,
    noted: bool,
    parts: Vec<Part<'c>>,
}

/// The function that is being made: the blocks that its loop goes through. Each has the object, or the first that
/// waits, as its argument, and all but the last one what waits behind.
struct Walk<'c> {
    group: usize,
    /// For each type of the group.
    visit: Vec<Block<'c>>,
    /// To the runtime.
    other: Block<'c>,
    next: Block<'c>,
    /// Where an object that waited goes on.
    rests: Vec<Block<'c>>,
}

impl<'c> Converter<'c> {
    /// The function that releases objects of this type, if their layout is known.
    pub fn release_of(&mut self, ty: Type<'c>) -> Option<Release> {
        if ty.kind() == Kind::String {
            self.releases.strings = true;
            return Some(Release { symbol: STRING.into(), member: None, is_flat: true });
        }
        if !self.has_layout(ty) {
            return None;
        }
        if !std::mem::replace(&mut self.releases.is_read, true) {
            self.read_groups();
        }
        let new = (self.releases.groups.len(), 0);
        let (group, member) = *self.releases.places.entry(type_key(ty)).or_insert(new);
        if group == new.0 {
            // Nothing holds such objects, so they hold none of their own type.
            self.releases.groups.push(vec![ty]);
        }
        let members = &self.releases.groups[group];
        let ctors: usize = members.iter().map(|it| self.ctors_of(*it).len()).sum();
        if ctors > MOST_CTORS {
            return None;
        }
        let member = (members.len() > 1).then_some(member as i64);
        let holds = |ty: Type<'c>| self.held_by(ty).into_iter().any(|it| self.leaf(it).is_none());
        let is_flat = ctors <= FEW_CTORS && !members.iter().any(|it| holds(*it));
        let symbol = symbol_of(group, members);
        if self.releases.seen.insert(group) {
            self.releases.wanted.push(group);
        }
        Some(Release { symbol, member, is_flat })
    }

    /// Makes the functions that have been asked for, and those that they ask for.
    pub fn emit_releases(&mut self) {
        self.releases.is_making = true;
        while let Some(group) = self.releases.wanted.pop() {
            self.emit_release(group);
        }
        if self.releases.strings {
            self.emit_string_release();
        }
    }

    /// A string that has a list of cells of its size goes there.
    fn emit_string_release(&mut self) {
        let entry = self.new_release(STRING, &[self.layout.ptr]);
        let body = Body::generated(entry, self.layout.types.i1, true);
        let object = self.build.argument(entry, 0);
        let (i32, i64) = (self.layout.types.i32, self.layout.types.i64);
        let info = self.offset(object, INFO_OFFSET);
        let info = self.load_raw(i32, info, 4, Access::Header);
        let expected = (Shape::string().header() >> 32) as u32 as i32;
        let is_it = self.icmp(Predicate::Eq, info, self.int(i32, i64::from(expected)));
        let [known, small, other] = [(); 3].map(|()| self.build.new_block(&[]));
        self.build.cond_br(is_it, known, other, Likely::First);
        self.start(&body, known);
        // What `string_payload` computes, and the header.
        let length = self.offset(object, LENGTH_OFFSET as i64);
        let length = self.load_raw(i64, length, 8, Access::Length);
        let size = self.binary("add", length, self.i64((DATA_OFFSET + 1 + 7) as i64));
        let size = self.binary("and", size, self.i64(!7));
        let size = self.binary("add", size, self.i64(HEADER_SIZE as i64));
        let fits = self.icmp(Predicate::Ule, size, self.i64(LARGEST_CELL as i64));
        self.build.cond_br(fits, small, other, Likely::First);
        self.start(&body, small);
        let cell = self.offset(object, HEADER_OFFSET);
        // A list takes as much room as the size of its cells differs from that of the next.
        const { assert!(CELL_STEP == 8) };
        let lists = self.address_of(FREE_CELLS);
        let list = self.indexed(lists, size, self.layout.types.i8);
        self.free_to(cell, list);
        self.ret(None);
        self.start(&body, other);
        let call = Target::Symbol(RELEASE_ANY);
        self.call(call, &[object], None, Convention::PreserveMost, TailKind::None);
        self.ret(None);
        self.build.set_block(self.out);
    }

    fn new_release(&mut self, symbol: &str, params: &[Type<'c>]) -> Block<'c> {
        self.new_function(&NewFunction {
            symbol,
            params,
            facts: &[],
            result: self.layout.void,
            convention: Convention::PreserveMost,
            exported: false,
            hint: Hint::NoInline,
        })
    }

    fn has_layout(&self, ty: Type<'c>) -> bool {
        match ty.kind() {
            Kind::Tuple => true,
            Kind::Data => self.datas.contains_key(ty.data_name()),
            _ => false,
        }
    }

    fn ctors_of(&self, ty: Type<'c>) -> Vec<Vec<Type<'c>>> {
        match ty.kind() {
            Kind::Tuple => vec![ty.elements()],
            _ => self.datas[ty.data_name()].clone(),
        }
    }

    /// The types of the parts of objects of a type, as far as their layout is known.
    fn held_by(&self, ty: Type<'c>) -> Vec<Type<'c>> {
        let fields = self.ctors_of(ty).into_iter().flatten();
        let parts = fields.flat_map(|it| self.counted_parts(it)).map(|it| it.0);
        parts.filter(|it| self.has_layout(*it)).collect()
    }

    /// Finds the types that can hold each other: among those that some object holds.
    fn read_groups(&mut self) {
        let mut names: Vec<&String> = self.datas.keys().collect();
        names.sort_unstable();
        let fields = names.into_iter().flat_map(|it| &self.datas[it]).flatten();
        let mut waiting: Vec<Type<'c>> =
            fields.flat_map(|it| self.counted_parts(*it)).map(|it| it.0).collect();
        waiting.retain(|it| self.has_layout(*it));
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        let mut types: Vec<Type<'c>> = Vec::new();
        while let Some(ty) = waiting.pop() {
            if let Entry::Vacant(number) = numbers.entry(type_key(ty)) {
                number.insert(types.len());
                types.push(ty);
                waiting.extend(self.held_by(ty));
            }
        }
        let edges: Vec<Vec<usize>> = types
            .iter()
            .map(|it| self.held_by(*it).iter().map(|it| numbers[&type_key(*it)]).collect())
            .collect();
        for group in components(&edges) {
            let group: Vec<Type<'c>> = group.into_iter().map(|it| types[it]).collect();
            for (at, &ty) in group.iter().enumerate() {
                self.releases.places.insert(type_key(ty), (self.releases.groups.len(), at));
            }
            self.releases.groups.push(group);
        }
    }

    fn emit_release(&mut self, group: usize) {
        let members = self.releases.groups[group].clone();
        let (ptr, i32) = (self.layout.ptr, self.layout.types.i32);
        let params = &[ptr, i32][..members.len().min(2)];
        let entry = self.new_release(&symbol_of(group, &members), params);
        let body = Body::generated(entry, self.layout.types.i1, true);
        let mut walk = Walk {
            group,
            visit: members.iter().map(|_| self.build.new_block(&[ptr, ptr])).collect(),
            other: self.build.new_block(&[ptr, ptr]),
            next: self.build.new_block(&[ptr]),
            rests: Vec::new(),
        };
        let (object, null) = (self.build.argument(entry, 0), self.null());
        if members.len() > 1 {
            let which = self.build.argument(entry, 1);
            let ways: Vec<_> = members.iter().map(|_| self.build.new_block(&[])).collect();
            let cases: Vec<_> = ways.iter().enumerate().map(|it| (it.0 as i64, *it.1)).collect();
            self.build.switch(which, ways[0], &cases[1..]);
            for (way, &visit) in ways.into_iter().zip(&walk.visit) {
                self.start(&body, way);
                self.build.br(visit, &[object, null]);
            }
        } else {
            self.build.br(walk.visit[0], &[object, null]);
        }
        for (at, &ty) in members.iter().enumerate() {
            self.visit(&body, &mut walk, at, ty);
        }
        self.finish_walk(&body, &walk);
        self.build.set_block(self.out);
    }

    /// Where objects go that only the runtime knows, and where the walk goes on or ends.
    fn finish_walk(&mut self, body: &Body<'c>, walk: &Walk<'c>) {
        let ptr = self.layout.ptr;
        self.start(body, walk.other);
        let [object, waiting] = [0, 1].map(|at| self.build.argument(walk.other, at));
        let call = Target::Symbol(RELEASE_ANY);
        self.call(call, &[object], None, Convention::PreserveMost, TailKind::None);
        self.build.br(walk.next, &[waiting]);
        self.start(body, walk.next);
        let object = self.build.argument(walk.next, 0);
        if walk.rests.is_empty() {
            self.ret(None);
            return;
        }
        let [more, end] = [(); 2].map(|()| self.build.new_block(&[]));
        let none = self.icmp(Predicate::Eq, object, self.null());
        self.build.cond_br(none, end, more, Likely::Unknown);
        self.start(body, end);
        self.ret(None);
        self.start(body, more);
        let link = self.offset(object, HEADER_OFFSET);
        let link = self.load_raw(ptr, link, 8, Access::Any);
        let ways: Vec<_> = walk.rests.iter().map(|_| self.build.new_block(&[])).collect();
        let cases: Vec<_> = ways.iter().enumerate().map(|it| (it.0 as i64, *it.1)).collect();
        let place = match cases.len() {
            1 => self.i64(0),
            _ => self.load_raw(self.layout.types.i64, object, 8, Access::Any),
        };
        self.build.switch(place, ways[0], &cases[1..]);
        for (way, &rest) in ways.into_iter().zip(&walk.rests) {
            self.start(body, way);
            self.build.br(rest, &[object, link]);
        }
    }

    /// What is released here of a type's objects.
    fn released_ctors(&self, walk: &Walk<'c>, ty: Type<'c>) -> Vec<Ctor<'c>> {
        let all = self.ctors_of(ty).into_iter().enumerate().filter(|it| !it.1.is_empty());
        let ctors = all.map(|(number, fields)| {
            let form = self.block_form(ty, number as u32, &fields);
            let mut parts = Vec::new();
            for (&field, &offset) in fields.iter().zip(&form.offsets) {
                for (ty, at) in self.counted_parts(field) {
                    let place = self.releases.places.get(&type_key(ty));
                    let member = place.filter(|it| it.0 == walk.group).map(|it| it.1);
                    parts.push(Part { ty, offset: offset + at, member });
                }
            }
            let noted = self.facts.is_noted(ty, number as u32);
            Ctor { number: number as u32, form, noted, parts }
        });
        ctors.filter(|it| !it.form.is_large() && it.form.cell() <= LARGEST_CELL).collect()
    }

    /// An object of a type of the group: finds its constructor.
    fn visit(&mut self, body: &Body<'c>, walk: &mut Walk<'c>, at: usize, ty: Type<'c>) {
        let i32 = self.layout.types.i32;
        let ctors = self.released_ctors(walk, ty);
        let block = walk.visit[at];
        self.start(body, block);
        let [object, waiting] = [0, 1].map(|at| self.build.argument(block, at));
        let not_here = self.build.new_block(&[]);
        let ways: Vec<_> = ctors.iter().map(|_| self.build.new_block(&[])).collect();
        // The compare of the header sees the tag, too.
        if ctors.len() > 1 {
            let i8 = self.layout.types.i8;
            let tag = self.offset(object, TAG_OFFSET);
            let tag = self.load_raw(i8, tag, 1, Access::Header);
            let tag = self.cast("zext", tag, i32);
            let cases: Vec<_> =
                ctors.iter().zip(&ways).map(|it| (i64::from(it.0.number), *it.1)).collect();
            self.build.switch(tag, not_here, &cases);
        } else {
            self.build.br(ways.first().copied().unwrap_or(not_here), &[]);
        }
        let is_long = ctors.len() >= MANY;
        for (ctor, way) in ctors.iter().zip(ways) {
            let ptr = self.layout.ptr;
            let known = self.build.new_block(&[ptr, ptr]);
            let chain = (is_long && ctor.parts.iter().any(|it| it.member == Some(at)))
                .then(|| self.chain(body, ctor, (known, block)));
            self.start(body, way);
            self.guard(body, ctor, (object, waiting), (known, not_here));
            self.start(body, known);
            let own = [0, 1].map(|it| self.build.argument(known, it));
            self.take_all(body, walk, (ctor, chain.map(|it| (at, it))), own.into());
        }
        self.start(body, not_here);
        self.build.br(walk.other, &[object, waiting]);
    }

    /// Goes on where the constructor is known if the object's header is that of one in a cell of its own.
    fn guard(
        &mut self,
        body: &Body<'c>,
        ctor: &Ctor<'c>,
        (object, waiting): (Val<'c>, Val<'c>),
        (known, otherwise): (Block<'c>, Block<'c>),
    ) {
        let i32 = self.layout.types.i32;
        let info = self.offset(object, INFO_OFFSET);
        let mut info = self.load_raw(i32, info, 4, Access::Header);
        if ctor.noted {
            let others = !(1_u64 << (SUSPECT_BIT - 32)) as u32 as i32;
            info = self.binary("and", info, self.int(i32, i64::from(others)));
        }
        let expected = (ctor.form.shape.header() >> 32) as u32 as i32;
        let is_it = self.icmp(Predicate::Eq, info, self.int(i32, i64::from(expected)));
        let yes = self.build.new_block(&[]);
        self.build.cond_br(is_it, yes, otherwise, Likely::First);
        self.start(body, yes);
        self.build.br(known, &[object, waiting]);
    }

    /// A block for parts of objects of this constructor, which are often of the same one: lists, and trees of one kind
    /// of node. That is tried before all constructors are told apart.
    fn chain(
        &mut self,
        body: &Body<'c>,
        ctor: &Ctor<'c>,
        (known, visit): (Block<'c>, Block<'c>),
    ) -> Block<'c> {
        let ptr = self.layout.ptr;
        let (chain, other) = (self.build.new_block(&[ptr, ptr]), self.build.new_block(&[]));
        self.start(body, chain);
        let [object, waiting] = [0, 1].map(|it| self.build.argument(chain, it));
        self.guard(body, ctor, (object, waiting), (known, other));
        self.start(body, other);
        self.build.br(visit, &[object, waiting]);
        chain
    }

    /// A dead object of a known constructor, and where its parts of the type with a number go.
    fn take_all(
        &mut self,
        body: &Body<'c>,
        walk: &mut Walk<'c>,
        (ctor, chain): (&Ctor<'c>, Option<(usize, Block<'c>)>),
        (object, waiting): (Val<'c>, Val<'c>),
    ) {
        let (inner, outer): (Vec<&Part<'c>>, Vec<&Part<'c>>) =
            ctor.parts.iter().partition(|it| it.member.is_some());
        let load = |this: &Self, it: &Part<'c>, object: Val<'c>| {
            this.load(it.ty, object, it.offset, Access::Field)
        };
        let others: Vec<_> = outer.iter().map(|it| (it.ty, load(self, it, object))).collect();
        let first = inner.first().map(|it| load(self, it, object));
        if inner.len() > 1 {
            let link = self.offset(object, HEADER_OFFSET);
            self.store_raw(waiting, link, 8, Access::Any);
        } else {
            self.free_cell(object, &ctor.form);
        }
        for (ty, value) in others {
            self.drop(body, ty, value, false);
        }
        let Some(mut value) = first else { return self.build.br(walk.next, &[waiting]) };
        let (mut object, mut waiting) = (object, waiting);
        for (at, part) in inner.iter().enumerate() {
            let member = part.member.expect("it is of the group");
            let visit = match chain {
                Some((own, chain)) if own == member => chain,
                _ => walk.visit[member],
            };
            let Some(next) = inner.get(at + 1) else {
                // Nothing of the object is needed any more.
                if at > 0 {
                    self.free_cell(object, &ctor.form);
                }
                let (dead, alive) = ([value, waiting], [waiting]);
                self.part_with(body, part.ty, value, (visit, &dead), (walk.next, &alive));
                return;
            };
            let (number, ptr) = (walk.rests.len(), self.layout.ptr);
            let [wait, rest] = [&[][..], &[ptr, ptr]].map(|it| self.build.new_block(it));
            walk.rests.push(rest);
            self.part_with(body, part.ty, value, (wait, &[]), (rest, &[object, waiting]));
            self.start(body, wait);
            // The first word has been read.
            let number = self.i64(number as i64);
            self.store_raw(number, object, 8, Access::Any);
            self.build.br(visit, &[value, object]);
            self.start(body, rest);
            [object, waiting] = [0, 1].map(|at| self.build.argument(rest, at));
            value = load(self, next, object);
        }
    }
}

/// The first type with a name gives it to the function; a group without one is a tuple.
fn symbol_of(group: usize, members: &[Type<'_>]) -> String {
    match members.iter().find(|it| it.kind() == Kind::Data) {
        // Behind a word of its own: a program may name its types as it likes.
        Some(data) => format!("oxbow.release.of.data.{}", data.data_name()),
        None => format!("oxbow.release.of.tuple.{group}"),
    }
}
