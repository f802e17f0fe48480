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
//! apart instead, with the parts of its parts.
//!
//! A `dup` moves over ops that neither free nor store anything, and into blocks that have one edge to
//! them: on that way whatever kept the value alive does so still.
//!
//! Runs when references are counted.

use std::collections::HashMap;

use oxbow_dialect::inspect::{
    attr, definition, erase, insert_before, int_attr, key, name_of, operands, ops_of,
    reverse_postorder,
};
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{Location, ValueLike};
use oxbow_dialect::{Block, Builder, Kind, OcamlType, Op, Val, region_of, result_of};

use crate::graph::{id, successors};

/// A reference that is still to be made.
#[derive(Clone, Copy)]
struct Wanted<'c> {
    value: Val<'c>,
    location: Location<'c>,
}

/// Where a part stands in its object.
struct Part<'c> {
    of: Val<'c>,
    ctor: i64,
    index: i64,
}

pub fn run<'c>(function: Op<'c>, build: &mut Builder<'c>) {
    let order = reverse_postorder(region_of(function));
    let mut incoming: HashMap<usize, usize> = HashMap::new();
    for &block in &order {
        for next in successors(block) {
            *incoming.entry(id(next)).or_default() += 1;
        }
    }
    let mut arriving: HashMap<usize, Vec<Wanted<'c>>> = HashMap::new();
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
        match name_of(op) {
            // A function that was lent its closure drops it without effect.
            "ocaml.dup" if operands(op)[0].r#type().kind() == Kind::Env => (),
            "ocaml.dup" => {
                wanted.push(Wanted { value: operands(op)[0], location: op.location() });
                erase(op);
            }
            "ocaml.drop" if cancel(&mut wanted, operands(op)[0]) => erase(op),
            "ocaml.drop" => {
                // What is dropped together with it was kept by it, or by somebody else.
                for (next, &other) in ops.iter().enumerate().skip(at + 1) {
                    if gone[next] {
                        continue;
                    }
                    if name_of(other) != "ocaml.drop" {
                        break;
                    }
                    if cancel(&mut wanted, operands(other)[0]) {
                        gone[next] = true;
                        erase(other);
                    }
                }
                let mut tree = Tree::default();
                if attr(op, "cold").is_none() {
                    wanted.retain(|it| !tree.add(operands(op)[0], it.value));
                }
                make(&wanted, op, build);
                wanted.clear();
                if !tree.kept.is_empty() {
                    build.location = op.location();
                    tree.emit(operands(op)[0], op, build);
                    erase(op);
                }
            }
            "ocaml.take" => {
                let object = operands(op)[0];
                match kept_parts(op, block) {
                    Some(kept) if cancel(&mut wanted, object) => {
                        let location = op.location();
                        wanted.extend(kept.into_iter().map(|value| Wanted { value, location }));
                        erase(op);
                    }
                    _ => {
                        make(&wanted, op, build);
                        wanted.clear();
                    }
                }
            }
            name if is_quiet(name) => (),
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

/// Neither frees nor changes anything, nor takes a reference over.
fn is_quiet(name: &str) -> bool {
    name.starts_with("arith.") && name != "arith.select"
        || matches!(
            name,
            "ocaml.block.get"
                | "ocaml.block.tag"
                | "ocaml.is_immediate"
                | "ocaml.ctor"
                | "ocaml.env.get"
                | "ocaml.word.unwrap"
                | "ocaml.word.is_int"
                | "ocaml.word.to_int"
        )
}

/// One reference less to be made.
fn cancel(wanted: &mut Vec<Wanted<'_>>, value: Val<'_>) -> bool {
    let at = wanted.iter().rposition(|it| key(it.value) == key(value));
    at.map(|at| wanted.remove(at)).is_some()
}

fn make<'c>(wanted: &[Wanted<'c>], before: Op<'c>, build: &mut Builder<'c>) {
    for it in wanted {
        build.location = it.location;
        insert_before(before, build.detached("ocaml.dup", &[it.value], &[], &[], &[], 0));
    }
}

fn part<'c>(value: Val<'c>) -> Option<Part<'c>> {
    let op = definition(value).filter(|it| name_of(*it) == "ocaml.block.get")?;
    let of = operands(op)[0];
    let whole = matches!(of.r#type().kind(), Kind::Data | Kind::Tuple);
    (whole && of.r#type().pair_parts().is_none()).then(|| Part {
        of,
        ctor: int_attr(op, "ctor"),
        index: int_attr(op, "index"),
    })
}

/// The values of the fields that a `take` keeps, as read by ops before it.
fn kept_parts<'c>(take: Op<'c>, block: Block<'c>) -> Option<Vec<Val<'c>>> {
    let object = operands(take)[0];
    if !matches!(object.r#type().kind(), Kind::Data | Kind::Tuple)
        || object.r#type().pair_parts().is_some()
    {
        return None;
    }
    let ctor = int_attr(take, "ctor");
    let before: Vec<Op<'c>> = ops_of(block).take_while(|it| *it != take).collect();
    kept_fields(take)
        .into_iter()
        .map(|index| {
            let reads = |it: &&Op<'c>| {
                name_of(**it) == "ocaml.block.get"
                    && key(operands(**it)[0]) == key(object)
                    && int_attr(**it, "ctor") == ctor
                    && int_attr(**it, "index") == index
            };
            before.iter().rev().find(reads).map(|it| result_of(*it, 0))
        })
        .collect()
}

/// A field with its value, and whether the field itself is wanted.
type Field<'c> = (i64, Val<'c>, bool);

/// Which fields of which objects are kept.
#[derive(Default)]
struct Tree<'c> {
    /// By object: the constructor and the fields.
    kept: HashMap<usize, (i64, Vec<Field<'c>>)>,
}

impl<'c> Tree<'c> {
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
        let mut kept: Vec<i32> = fields.iter().map(|it| it.0 as i32).collect();
        kept.sort_unstable();
        let attributes = [("ctor", build.i32_attr(*ctor as u32)), ("kept", build.i32_list(&kept))];
        let take = build.detached("ocaml.take", &[object], &[], &attributes, &[], 0);
        insert_before(before, take);
        for it in fields.iter().filter(|it| !it.2) {
            self.emit(it.1, before, build);
        }
    }
}

fn kept_fields(op: Op<'_>) -> Vec<i64> {
    use oxbow_dialect::melior::ir::AttributeLike;
    use oxbow_dialect::mlir_sys as sys;
    let Some(kept) = attr(op, "kept") else { return Vec::new() };
    // SAFETY: the attribute is a list of i32.
    unsafe {
        (0..sys::mlirDenseArrayGetNumElements(kept.to_raw()))
            .map(|at| i64::from(sys::mlirDenseI32ArrayGetElement(kept.to_raw(), at)))
            .collect()
    }
}
