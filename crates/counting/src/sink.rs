//! References are made where they are needed, not before.
//!
//! ```text
//! %l = get %t[1, 0]; dup %l               %l = get %t[1, 0]
//! br %red, ^a, ^b                         br %red, ^a, ^b
//! ^a: drop %t; …                          ^a: take [0] of %t; …
//! ^b: drop %l; …                          ^b: …
//! ```
//!
//! A part that some path needs longer than its object is counted up where it is read. Here this is moved
//! down the branches: on paths that need no reference it meets the `drop` of the part and
//! both go, so that the part is not touched at all; where the object goes first, it is taken
//! apart instead, with the parts of its parts; also where some of its parts are kept already:
//!
//! ```text
//! %r = get %z[0, 2]; %t = get %r[1, 1]
//! dup %t; take [0] of %z                  take [0, 2] of %z; take [1] of %r
//! ```
//!
//! A `dup` moves over ops that neither free anything nor store references, and into blocks that have one edge to
//! them: on that way whatever kept the value alive does so still.
//!
//! Runs when references are counted.

use oxbow_base::FxHashMap;
use oxbow_dialect::inspect::{erase, insert_before, key, operands, ops_of, reverse_postorder};
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{Location, ValueLike};
use oxbow_dialect::op::{
    BlockGet, DialectOp, Drop, Dup, Opcode, Take, Upstream, View, opcode, view,
};
use oxbow_dialect::{Block, Builder, Kind, OcamlType, Op, Val, region_of};

use crate::graph::{id, successors};
use crate::ir::is_counted;
use crate::uses::{self, Use};

/// A reference that is still to be made.
#[derive(Clone, Copy)]
struct Wanted<'c> {
    value: Val<'c>,
    location: Location<'c>,
}

/// Where a part stands in its object.
struct Part<'c> {
    of: Val<'c>,
    ctor: u32,
    index: u32,
}

pub fn run<'c>(function: Op<'c>, build: &mut Builder<'c>) {
    let order = reverse_postorder(region_of(function));
    let mut incoming: FxHashMap<usize, usize> = FxHashMap::default();
    for &block in &order {
        for next in successors(block) {
            *incoming.entry(id(next)).or_default() += 1;
        }
    }
    let mut arriving: FxHashMap<usize, Vec<Wanted<'c>>> = FxHashMap::default();
    for &block in &order {
        let wanted = arriving.remove(&id(block)).unwrap_or_default();
        let wanted = sink(block, wanted, build);
        if wanted.is_empty() {
            continue;
        }
        let next = successors(block);
        let last = ops_of(block).last().expect("a block has a last op");
        let passed = operands(last);
        let goes_on = next.len() > 1
            && next.iter().all(|it| incoming[&id(*it)] == 1)
            && !wanted.iter().any(|it| passed.iter().any(|at| key(*at) == key(it.value)));
        if goes_on {
            for it in next {
                arriving.insert(id(it), wanted.clone());
            }
        } else {
            make(&wanted, last, build);
        }
    }
}

/// Moves references to the end of a block, or as far as they get; answers those at the end.
fn sink<'c>(
    block: Block<'c>,
    mut wanted: Vec<Wanted<'c>>,
    build: &mut Builder<'c>,
) -> Vec<Wanted<'c>> {
    let ops: Vec<Op<'c>> = ops_of(block).collect();
    let mut gone = vec![false; ops.len()];
    for at in 0..ops.len() {
        if gone[at] {
            continue;
        }
        let op = ops[at];
        match view(op) {
            // A function that was lent its closure drops it without effect.
            View::Dup(dup) if dup.value().r#type().kind() == Kind::Env => (),
            View::Dup(dup) => {
                wanted.push(Wanted { value: dup.value(), location: op.location() });
                erase(op);
            }
            View::Drop(drop) if cancel(&mut wanted, drop.value()) => erase(op),
            View::Drop(drop) => {
                // What is dropped together with it was kept by it, or by somebody else.
                for (next, &other) in ops.iter().enumerate().skip(at + 1) {
                    if gone[next] {
                        continue;
                    }
                    let Some(next_drop) = Drop::cast(other) else { break };
                    if cancel(&mut wanted, next_drop.value()) {
                        gone[next] = true;
                        erase(other);
                    }
                }
                let mut tree = Tree::default();
                if !drop.cold() {
                    wanted.retain(|it| !tree.add(drop.value(), it.value));
                }
                make(&wanted, op, build);
                wanted.clear();
                if !tree.kept.is_empty() {
                    build.location = op.location();
                    tree.emit(drop.value(), op, build);
                    erase(op);
                }
            }
            View::Take(take) => match kept_parts(take, block) {
                Some(kept) if cancel(&mut wanted, take.object()) => {
                    let location = op.location();
                    wanted.extend(kept.into_iter().map(|value| Wanted { value, location }));
                    erase(op);
                }
                _ => {
                    let mut tree = Tree::of(take);
                    let before = wanted.len();
                    wanted.retain(|it| !tree.add(take.object(), it.value));
                    let grows = wanted.len() < before;
                    make(&wanted, op, build);
                    wanted.clear();
                    if grows {
                        build.location = op.location();
                        tree.emit(take.object(), op, build);
                        erase(op);
                    }
                }
            },
            _ if is_quiet(op) => (),
            // A branch: `run` decides.
            _ if op.successor_count() > 0 => (),
            _ => {
                make(&wanted, op, build);
                wanted.clear();
            }
        }
    }
    wanted
}

/// Neither frees nor changes anything that refers to objects, nor takes a reference over.
fn is_quiet(op: Op<'_>) -> bool {
    let opcode = opcode(op);
    if stores_number(op) {
        return true;
    }
    // What it gives may be either of two values: which, nobody knows.
    opcode != Opcode::Upstream(Upstream::Select)
        && !opcode.is_terminator()
        && opcode.effects().reads_only()
        && (0..op.operand_count()).all(|at| uses::of_operand(opcode, at) == Use::Borrow)
}

/// Stores what is no reference: then it replaces none.
fn stores_number(op: Op<'_>) -> bool {
    let value = match view(op) {
        View::BlockStore(it) => it.value(),
        View::ArraySet(it) => it.value(),
        View::SlotStore(it) => it.value(),
        View::GlobalStore(it) => it.value(),
        View::StringSet(_) => return true,
        _ => return false,
    };
    !is_counted(value.r#type())
}

/// One reference less to be made.
fn cancel(wanted: &mut Vec<Wanted<'_>>, value: Val<'_>) -> bool {
    let at = wanted.iter().rposition(|it| key(it.value) == key(value));
    at.map(|at| wanted.remove(at)).is_some()
}

fn make<'c>(wanted: &[Wanted<'c>], before: Op<'c>, build: &mut Builder<'c>) {
    for it in wanted {
        build.location = it.location;
        insert_before(before, build.create(&Dup::draft(it.value)));
    }
}

fn part<'c>(value: Val<'c>) -> Option<Part<'c>> {
    let get = BlockGet::defining(value)?;
    let of = get.block();
    let whole = matches!(of.r#type().kind(), Kind::Data | Kind::Tuple);
    (whole && of.r#type().pair_parts().is_none()).then(|| Part {
        of,
        ctor: get.ctor(),
        index: get.index(),
    })
}

/// The values of the fields that a `take` keeps, as read by ops before it.
fn kept_parts<'c>(take: Take<'c>, block: Block<'c>) -> Option<Vec<Val<'c>>> {
    let object = take.object();
    if !matches!(object.r#type().kind(), Kind::Data | Kind::Tuple)
        || object.r#type().pair_parts().is_some()
    {
        return None;
    }
    let before: Vec<BlockGet<'c>> =
        ops_of(block).take_while(|it| *it != take.op()).filter_map(BlockGet::cast).collect();
    take.kept()
        .into_iter()
        .map(|index| {
            let reads = |it: &&BlockGet<'c>| {
                key(it.block()) == key(object) && it.ctor() == take.ctor() && it.index() == index
            };
            before.iter().rev().find(reads).map(|it| it.value())
        })
        .collect()
}

/// A field with its value, and whether the field itself is wanted.
type Field<'c> = (u32, Val<'c>, bool);

/// Which fields of which objects are kept.
#[derive(Default)]
struct Tree<'c> {
    /// By object: the constructor and the fields.
    kept: FxHashMap<usize, (u32, Vec<Field<'c>>)>,
}

impl<'c> Tree<'c> {
    /// What a `take` keeps already.
    fn of(take: Take<'c>) -> Self {
        let object = take.object();
        let fields = take.kept().into_iter().map(|it| (it, object, true)).collect();
        Self { kept: FxHashMap::from_iter([(key(object), (take.ctor(), fields))]) }
    }

    /// Keeps a part of `root` at any depth; false if it is none, or its place is taken.
    fn add(&mut self, root: Val<'c>, value: Val<'c>) -> bool {
        let mut way = Vec::new();
        let mut at = value;
        while key(at) != key(root) {
            let Some(part) = part(at) else { return false };
            way.push((part.of, part.ctor, part.index, at));
            at = part.of;
        }
        let fits = way.iter().enumerate().all(|(depth, &(of, ctor, index, value))| {
            let Some((known, fields)) = self.kept.get(&key(of)) else { return true };
            let field = fields.iter().find(|it| it.0 == index);
            // Only what is not wanted itself is taken apart further.
            *known == ctor && field.is_none_or(|it| depth > 0 && !it.2 && key(it.1) == key(value))
        });
        if way.is_empty() || !fits {
            return false;
        }
        for (depth, (of, ctor, index, value)) in way.into_iter().enumerate() {
            let (_, fields) = self.kept.entry(key(of)).or_insert((ctor, Vec::new()));
            if !fields.iter().any(|it| it.0 == index) {
                fields.push((index, value, depth == 0));
            }
        }
        true
    }

    fn emit(&self, object: Val<'c>, before: Op<'c>, build: &mut Builder<'c>) {
        let Some((ctor, fields)) = self.kept.get(&key(object)) else { return };
        let mut kept: Vec<u32> = fields.iter().map(|it| it.0).collect();
        kept.sort_unstable();
        insert_before(before, build.create(&Take::draft(object, *ctor, &kept)));
        for it in fields.iter().filter(|it| !it.2) {
            self.emit(it.1, before, build);
        }
    }
}
