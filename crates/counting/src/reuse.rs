//! Reuse in place: an object that is taken apart lends its cell to one that is made behind it.
//!
//! ```text
//! take [1] of %l[1]                       take [1] of %l[1] {token = 0}
//! %n = block.new 1(%y, %t)                %n = block.new 1(%y, %t) {token = 0}
//! ```
//!
//! An object that is dropped is taken apart for this, too, with nothing kept, where a field of it has been read on
//! every way to the `drop`: then its constructor is known.
//!
//! Their cells have the same size, and on every path behind the first just one op with its token is
//! reached and takes the cell over: it makes no way through the list of free cells. Where
//! the object lives on, the `take` gets a new cell at once. Ops of one block are paired first, then those
//! over branches and calls: `map` keeps the cell that it has taken apart for the one that it makes
//! when its calls are done. A path that makes no object, such as that of an exception, forbids it.
//!
//! Runs when references are counted. A closure with an environment of its own is left alone.

use oxbow_abi::{CLOSURE_CAPTURES_OFFSET, ObjectKind};
use oxbow_base::{FxHashMap, FxHashSet};
use oxbow_dialect::inspect::{erase, insert_before, key, ops_of, reverse_postorder};
use oxbow_dialect::layout::small_cell;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::op::{DialectOp, Drop, Func, Opcode, RegionClosure, Storage, Take, View, view};
use oxbow_dialect::{Block, Builder, Kind, OcamlType, Op, region_of};

use crate::graph::Graph;
use crate::ir::Program;

/// How many blocks are looked at for one object.
const MOST_BLOCKS: usize = 100;

/// What the sizes of cells depend on.
pub struct Cells<'a, 'c> {
    program: &'a Program<'c>,
    /// For each function that closures are made of, its captures; none if some closure of the module has
    /// an environment of its own.
    captures: FxHashMap<&'c str, Vec<Type<'c>>>,
}

impl<'a, 'c> Cells<'a, 'c> {
    pub fn new(program: &'a Program<'c>) -> Self {
        let has_envs = program.functions.iter().any(|function| {
            let env = function.has_env.then(|| function.blocks[0].args[0]).flatten();
            function.ops().any(|op| {
                let inner = matches!(op.opcode, Opcode::EnvGet | Opcode::EnvSelf);
                op.opcode == Opcode::Closure
                    || RegionClosure::cast(op.op).is_some_and(RegionClosure::separate)
                    || !inner && op.operands.iter().any(|it| Some(it.0) == env)
            })
        });
        let mut captures = FxHashMap::default();
        for function in program.functions.iter().filter(|_| !has_envs) {
            let function = Func::of(function.op);
            if let Some(types) = function.captures() {
                captures.insert(function.sym_name(), types);
            }
        }
        Self { program, captures }
    }

    /// Pairs the ops of one function.
    pub fn pair(&self, function: Op<'c>, build: &mut Builder<'c>) {
        let blocks = reverse_postorder(region_of(function));
        let sizes: FxHashSet<u64> =
            blocks.iter().flat_map(|it| ops_of(*it)).filter_map(|it| self.made(it)).collect();
        if sizes.is_empty() {
            return;
        }
        let graph = Graph::new(&blocks);
        let read = Read::new(&blocks);
        let mut count = 0;
        let mut waiting: Vec<(usize, u64, End<'c>)> = Vec::new();
        for (number, &block) in blocks.iter().enumerate() {
            let mut free: Vec<(u64, End<'c>)> = Vec::new();
            for op in ops_of(block).collect::<Vec<_>>() {
                let end = match view(op) {
                    View::Take(it) => Some(End::Take(it)),
                    View::Drop(it) if !it.cold() => {
                        read.ctor(&graph, number, it).map(|ctor| End::Drop(it, ctor))
                    }
                    _ => None,
                };
                if let Some(end) = end {
                    let size = self.freed(function, end).filter(|it| sizes.contains(it));
                    free.extend(size.map(|size| (size, end)));
                    continue;
                }
                let Some(size) = self.made(op) else { continue };
                let Some(at) = free.iter().rposition(|it| it.0 == size) else { continue };
                free.remove(at).1.lend_cell(count, build);
                use_token(op, count);
                count += 1;
            }
            waiting.extend(free.into_iter().map(|(size, end)| (number, size, end)));
        }
        for (number, size, end) in waiting {
            let first = |at: usize| {
                let is_free = |it: &Op<'c>| view(*it).used_token().is_none();
                ops_of(blocks[at]).find(|it| is_free(it) && self.made(*it) == Some(size))
            };
            let Some(makers) = makers(&graph, number, first) else { continue };
            end.lend_cell(count, build);
            makers.into_iter().for_each(|it| use_token(it, count));
            count += 1;
        }
    }

    /// The cell that becomes free where an object ends.
    fn freed(&self, function: Op<'c>, end: End<'c>) -> Option<u64> {
        let (object, ctor) = match end {
            End::Take(it) => (it.object(), it.ctor()),
            End::Drop(it, ctor) => (it.value(), ctor),
        };
        let ty = object.r#type();
        match ty.kind() {
            Kind::Env => self.closure(Func::of(function).sym_name()),
            Kind::Tuple => self.block(&ty.elements()),
            Kind::Data => {
                let ctors = self.program.datas.get(ty.data_name())?;
                self.block(ctors.get(ctor as usize)?)
            }
            _ => None,
        }
    }

    /// The cell that an op makes its object in.
    fn made(&self, op: Op<'c>) -> Option<u64> {
        match view(op) {
            View::BlockNew(new) if new.storage() == Storage::Counted => {
                let ty = new.block().r#type();
                match ty.kind() {
                    Kind::Tuple => self.block(&ty.elements()),
                    Kind::Data => {
                        let ctors = self.program.datas.get(ty.data_name())?;
                        self.block(ctors.get(new.ctor() as usize)?)
                    }
                    _ => None,
                }
            }
            View::MakeClosure(new) if new.storage() == Storage::Counted => self.closure(new.func()),
            _ => None,
        }
    }

    fn closure(&self, function: &str) -> Option<u64> {
        let captures = self.captures.get(function).filter(|it| !it.is_empty())?;
        small_cell(ObjectKind::Closure, CLOSURE_CAPTURES_OFFSET, captures)
    }

    fn block(&self, fields: &[Type<'c>]) -> Option<u64> {
        small_cell(ObjectKind::Tuple, 0, fields)
    }
}

/// An op that ends an object, if nobody else has it.
#[derive(Clone, Copy)]
enum End<'c> {
    Take(Take<'c>),
    /// With the constructor of the object.
    Drop(Drop<'c>, u32),
}

impl<'c> End<'c> {
    /// The cell of the object is for the ops with this number.
    fn lend_cell(self, token: u32, build: &mut Builder<'c>) {
        let take = match self {
            End::Take(it) => it,
            End::Drop(it, ctor) => {
                build.location = it.op().location();
                let take = Take::of(build.create(&Take::draft(it.value(), ctor, &[])));
                insert_before(it.op(), take.op());
                erase(it.op());
                take
            }
        };
        take.set_token(token);
    }
}

/// Which objects have had a field read, and of which constructor.
struct Read {
    /// By object: blocks by number, each with the place in it.
    by_object: FxHashMap<usize, Vec<(usize, u32)>>,
}

impl Read {
    fn new(blocks: &[Block<'_>]) -> Self {
        let mut by_object: FxHashMap<usize, Vec<(usize, u32)>> = FxHashMap::default();
        for (number, &block) in blocks.iter().enumerate() {
            for op in ops_of(block) {
                let (object, ctor) = match view(op) {
                    View::BlockGet(it) => (it.block(), it.ctor()),
                    View::BlockLoad(it) => (it.block(), it.ctor()),
                    _ => continue,
                };
                let found = by_object.entry(key(object)).or_default();
                if found.last() != Some(&(number, ctor)) {
                    found.push((number, ctor));
                }
            }
        }
        Self { by_object }
    }

    /// The constructor of an object that is dropped, if a field has been read on every way there.
    fn ctor(&self, graph: &Graph, block: usize, drop: Drop<'_>) -> Option<u32> {
        let ty = drop.value().r#type();
        if !matches!(ty.kind(), Kind::Tuple | Kind::Data) || ty.pair_parts().is_some() {
            return None;
        }
        let read = self.by_object.get(&key(drop.value()))?;
        // Nothing of an object is read behind the `drop` that may end it: what is read in its block comes before.
        read.iter().find(|it| graph.dominators.dominates(it.0, block)).map(|it| it.1)
    }
}

/// An op that makes an object does so in the cell of the `take` with this number.
fn use_token(op: Op<'_>, token: u32) {
    match view(op) {
        View::BlockNew(it) => it.set_token(token),
        View::MakeClosure(it) => it.set_token(token),
        _ => unreachable!("an op that makes no cell cannot use one"),
    }
}

/// The first ops on the ways from a block, if each way has one, and none comes to a second
/// without coming through the block again.
fn makers<'c>(
    graph: &Graph,
    from: usize,
    first: impl Fn(usize) -> Option<Op<'c>>,
) -> Option<Vec<Op<'c>>> {
    let mut found = Vec::new();
    let mut ends = FxHashSet::default();
    let mut seen = FxHashSet::from_iter([from]);
    let mut work = graph.next[from].clone();
    if work.is_empty() {
        return None;
    }
    while let Some(at) = work.pop() {
        if at == from || !graph.dominators.dominates(from, at) {
            return None;
        }
        if !seen.insert(at) {
            continue;
        }
        if let Some(op) = first(at) {
            found.push(op);
            ends.insert(at);
        } else if graph.next[at].is_empty() || seen.len() > MOST_BLOCKS {
            return None;
        } else {
            work.extend(&graph.next[at]);
        }
    }
    let mut seen = FxHashSet::from_iter([from]);
    let mut work: Vec<usize> = ends.iter().flat_map(|&it| graph.next[it].clone()).collect();
    while let Some(at) = work.pop() {
        if ends.contains(&at) || seen.len() > MOST_BLOCKS {
            return None;
        }
        if seen.insert(at) {
            work.extend(&graph.next[at]);
        }
    }
    // Nothing but a loop without an end is behind the block.
    (!found.is_empty()).then_some(found)
}
