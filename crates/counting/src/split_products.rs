//! Records and tuples that loops and joins only take apart travel as their fields.
//!
//! ```text
//!   %d = block.new 0(%v, %t)
//!   br ^loop(%d)                            br ^loop(%v, %t)
//! ^loop(%acc):                            ^loop(%x, %y):
//!   %x = block.get %acc[0, 0]               …
//!   %y = block.get %acc[0, 1]
//! ```
//!
//! An argument of a block is split if its type has one constructor, nothing is done with it but reading fields and
//! passing it to arguments that are split, too, and some edge brings an object that is made for it. An edge that brings
//! another object reads the fields there; this is done for fields without references only, since others would have to
//! be counted one by one. What is made for nobody then is not made.
//!
//! Needs: no references are counted. Arguments of functions and results are left as they are.

use oxbow_base::{FxHashMap, FxHashSet};
use oxbow_dialect::inspect::{
    argument, erase, erase_argument, key, operands, ops_of, replace_uses, reverse_postorder,
    uses_of,
};
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{BlockLike, Type, ValueLike};
use oxbow_dialect::op::{BlockGet, BlockNew, Data, DialectOp, Opcode, Storage, Upstream, opcode};
use oxbow_dialect::{Block, Builder, Kind, OcamlType, Op, Val, region_of, result_of};

use crate::graph::{id, last_of, successors};
use crate::ir::is_counted;

/// Arguments with more fields that are read stay whole.
const MOST_FIELDS: usize = 8;

/// A function with more arguments that could be split is left alone.
const MOST_ARGUMENTS: usize = 1000;

/// An argument that may be split.
struct Candidate<'c> {
    value: Val<'c>,
    block: Block<'c>,
    index: usize,
    /// The fields that are read, with their types, in order.
    fields: Vec<(u32, Type<'c>)>,
    /// What edges bring.
    incoming: Vec<Val<'c>>,
}

/// The names of types with one constructor.
pub fn products<'c>(module: impl Iterator<Item = Op<'c>>) -> FxHashSet<&'c str> {
    let datas = module.filter_map(Data::cast);
    datas.filter(|it| it.ctors().len() == 1).map(Data::sym_name).collect()
}

pub fn run<'c>(function: Op<'c>, products: &FxHashSet<&'c str>, build: &mut Builder<'c>) {
    let blocks = reverse_postorder(region_of(function));
    let mut all = candidates(&blocks, products);
    if all.len() > MOST_ARGUMENTS {
        return;
    }
    while strike_off(&mut all) {}
    let split = worth_it(&all);
    all.retain(|at, _| split.contains(at));
    if all.is_empty() {
        return;
    }
    // By place in the function, so that the result does not depend on addresses.
    let mut places = Vec::new();
    for &block in &blocks {
        let args = (0..block.argument_count()).map(|at| key(argument(block, at)));
        places.extend(args.filter(|it| all.contains_key(it)));
    }
    let made: Vec<Op<'c>> = places
        .iter()
        .flat_map(|it| &all[it].incoming)
        .filter_map(|it| BlockNew::defining(*it))
        .map(BlockNew::op)
        .collect();
    Split { all, places, parts: FxHashMap::default() }.carry_out(&blocks, build);
    let mut seen = FxHashSet::default();
    for op in made.into_iter().filter(|it| seen.insert(it.to_raw().ptr as usize)) {
        if uses_of(BlockNew::of(op).block()).is_empty() {
            erase(op);
        }
    }
}

/// The arguments of blocks that only jumps lead to, which are of a type with one constructor.
fn candidates<'c>(
    blocks: &[Block<'c>],
    products: &FxHashSet<&'c str>,
) -> FxHashMap<usize, Candidate<'c>> {
    let mut jumps: FxHashMap<usize, Option<Vec<Op<'c>>>> = FxHashMap::default();
    for &block in blocks {
        let Some(last) = last_of(block) else { continue };
        for next in successors(block) {
            let known = jumps.entry(id(next)).or_insert_with(|| Some(Vec::new()));
            match known {
                Some(all) if opcode(last) == Opcode::Upstream(Upstream::Br) => all.push(last),
                _ => *known = None,
            }
        }
    }
    let mut all = FxHashMap::default();
    for &block in blocks.iter().skip(1) {
        let Some(Some(jumps)) = jumps.get(&id(block)) else { continue };
        for index in 0..block.argument_count() {
            let value = argument(block, index);
            let ty = value.r#type();
            let is_product = match ty.kind() {
                Kind::Data => products.contains(ty.data_name()),
                kind => kind == Kind::Tuple,
            };
            if !is_product {
                continue;
            }
            let incoming = jumps.iter().map(|it| operands(*it)[index]).collect();
            let fields = Vec::new();
            all.insert(key(value), Candidate { value, block, index, fields, incoming });
        }
    }
    all
}

/// Strikes off what is used or brought in another way; was there any?
fn strike_off(all: &mut FxHashMap<usize, Candidate<'_>>) -> bool {
    let mut fields: FxHashMap<usize, Vec<(u32, Type<'_>)>> = FxHashMap::default();
    for (&at, it) in all.iter() {
        if let Some(read) = fields_read(all, it) {
            fields.insert(at, read);
        }
    }
    let before = all.len();
    all.retain(|at, _| fields.contains_key(at));
    for (at, it) in all.iter_mut() {
        let Some(read) = fields.remove(at) else { continue };
        it.fields = read;
    }
    let known: FxHashSet<usize> = all.keys().copied().collect();
    all.retain(|_, it| {
        let holds = it.fields.iter().any(|it| is_counted(it.1));
        let fits = |value: &Val<'_>| {
            known.contains(&key(*value)) || new_object(*value).is_some() || !holds
        };
        it.fields.len() <= MOST_FIELDS && it.incoming.iter().all(fits)
    });
    all.len() != before
}

/// The fields that are read from an argument or from those that it is passed to; none if more is done with it.
fn fields_read<'c>(
    all: &FxHashMap<usize, Candidate<'c>>,
    it: &Candidate<'c>,
) -> Option<Vec<(u32, Type<'c>)>> {
    let mut fields: Vec<(u32, Type<'c>)> = Vec::new();
    let mut seen = FxHashSet::from_iter([key(it.value)]);
    let mut work = vec![it.value];
    while let Some(value) = work.pop() {
        for (op, at) in uses_of(value) {
            if let Some(get) = BlockGet::cast(op) {
                if get.ctor() != 0 {
                    return None;
                }
                fields.push((get.index(), get.value().r#type()));
            } else if opcode(op) == Opcode::Upstream(Upstream::Br) {
                let next = argument(oxbow_dialect::inspect::successors(op)[0], at);
                if !all.contains_key(&key(next)) {
                    return None;
                }
                if seen.insert(key(next)) {
                    work.push(next);
                }
            } else {
                return None;
            }
        }
    }
    fields.sort_unstable_by_key(|it| it.0);
    fields.dedup_by_key(|it| it.0);
    Some(fields)
}

/// An object that is made here, other than a constant.
fn new_object(value: Val<'_>) -> Option<BlockNew<'_>> {
    BlockNew::defining(value).filter(|it| it.ctor() == 0)
}

/// The arguments that objects come to which are made for them, also by way of others.
fn worth_it(all: &FxHashMap<usize, Candidate<'_>>) -> FxHashSet<usize> {
    let is_made = |it: &Val<'_>| new_object(*it).is_some_and(|it| it.storage() != Storage::Static);
    let mut found: FxHashSet<usize> = FxHashSet::default();
    let mut work: Vec<usize> =
        all.iter().filter(|it| it.1.incoming.iter().any(is_made)).map(|it| *it.0).collect();
    while let Some(at) = work.pop() {
        if !found.insert(at) {
            continue;
        }
        // Those that bring something here, and those that this is brought to.
        work.extend(all[&at].incoming.iter().map(|it| key(*it)).filter(|it| all.contains_key(it)));
        let brought = |it: &&Candidate<'_>| it.incoming.iter().any(|it| key(*it) == at);
        work.extend(all.values().filter(brought).map(|it| key(it.value)));
    }
    found
}

struct Split<'c> {
    all: FxHashMap<usize, Candidate<'c>>,
    places: Vec<usize>,
    /// The arguments in place of each.
    parts: FxHashMap<usize, Vec<Val<'c>>>,
}

impl<'c> Split<'c> {
    fn carry_out(mut self, blocks: &[Block<'c>], build: &mut Builder<'c>) {
        for at in &self.places {
            let it = &self.all[at];
            let first = ops_of(it.block).next().expect("a block has a last op");
            build.location = first.location();
            let mut parts = Vec::new();
            for &(_, ty) in &it.fields {
                let index = it.block.argument_count();
                it.block.add_argument(ty, build.location);
                parts.push(argument(it.block, index));
            }
            self.parts.insert(*at, parts);
        }
        for &block in blocks {
            self.rewrite_jump(block, build);
        }
        for at in &self.places {
            let it = &self.all[at];
            for (op, _) in uses_of(it.value) {
                let get = BlockGet::of(op);
                let field = it.fields.iter().position(|it| it.0 == get.index());
                let part = self.parts[at][field.expect("all fields that are read are known")];
                replace_uses(get.value(), part);
                erase(op);
            }
        }
        // The last of a block first: the numbers of the others stay.
        for at in self.places.iter().rev() {
            erase_argument(self.all[at].block, self.all[at].index);
        }
    }

    /// Passes fields where an object was passed.
    fn rewrite_jump(&self, block: Block<'c>, build: &mut Builder<'c>) {
        let is_jump = |it: &Op<'c>| opcode(*it) == Opcode::Upstream(Upstream::Br);
        let Some(last) = last_of(block).filter(is_jump) else { return };
        let target = successors(block)[0];
        let passed = operands(last);
        let candidate = |at: usize| self.all.get(&key(argument(target, at)));
        if !(0..passed.len()).any(|at| candidate(at).is_some()) {
            return;
        }
        build.location = last.location();
        erase(last);
        build.set_block(block);
        let mut args = Vec::new();
        let mut fields = Vec::new();
        for (at, &value) in passed.iter().enumerate() {
            match candidate(at) {
                Some(it) => fields.extend(self.fields_of(value, it, build)),
                None => args.push(value),
            }
        }
        args.extend(fields);
        build.br(target, &args);
    }

    fn fields_of(&self, value: Val<'c>, to: &Candidate<'c>, build: &Builder<'c>) -> Vec<Val<'c>> {
        if let Some(parts) = self.parts.get(&key(value)) {
            let own = &self.all[&key(value)].fields;
            let part = |field: &u32| own.iter().position(|it| it.0 == *field).map(|at| parts[at]);
            let parts = to.fields.iter().filter_map(|it| part(&it.0)).collect::<Vec<_>>();
            debug_assert_eq!(parts.len(), to.fields.len(), "it has all fields of what it goes to");
            return parts;
        }
        if let Some(new) = new_object(value) {
            return to.fields.iter().map(|it| new.fields()[it.0 as usize]).collect();
        }
        let get = |it: &(u32, Type<'c>)| {
            let get = build.create(&BlockGet::draft(value, 0, it.0, it.1));
            build.append_op(get);
            result_of(get, 0)
        };
        to.fields.iter().map(get).collect()
    }
}
