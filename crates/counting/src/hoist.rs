//! Reads of fields move up to the first read of the same object.
//!
//! ```text
//! %l = get %t[1, 0]                 %l = get %t[1, 0]
//! %n = call @insert(%x, %l)         %r = get %t[1, 1]
//! %r = get %t[1, 1]                 %n = call @insert(%x, %l)
//! ```
//!
//! An object that has been read is then needed no longer while its parts are worked on, so that
//! they have one owner and can be changed in place. Reads move over calls and the tests of their
//! exceptions, and over no other branch.

use oxbow_base::FxHashMap;
use oxbow_dialect::inspect::{key, move_after, operands, ops_of, reverse_postorder};
use oxbow_dialect::op::{BlockGet, DialectOp, ExnRaised, Opcode, Upstream, opcode};
use oxbow_dialect::{Block, Op, region_of};

use crate::graph::{id, last_of, successors};

/// The last read of an object of a known constructor.
type Leaders<'c> = FxHashMap<(usize, u32), Op<'c>>;

pub fn run(function: Op<'_>) {
    let order = reverse_postorder(region_of(function));
    let mut predecessors: FxHashMap<usize, Vec<Block<'_>>> = FxHashMap::default();
    for &block in &order {
        for next in successors(block) {
            predecessors.entry(id(next)).or_default().push(block);
        }
    }
    let mut at_end: FxHashMap<usize, Leaders<'_>> = FxHashMap::default();
    for &block in &order {
        // A block that only a call's normal end leads to goes on with what is known there.
        let mut leaders = match predecessors.get(&id(block)).map(Vec::as_slice) {
            Some(&[before]) if is_normal_end(before, block) => {
                at_end.get(&id(before)).cloned().unwrap_or_default()
            }
            _ => FxHashMap::default(),
        };
        for op in ops_of(block).collect::<Vec<_>>() {
            let Some(get) = BlockGet::cast(op) else { continue };
            let object = (key(get.block()), get.ctor());
            if let Some(leader) = leaders.get(&object) {
                // The object is known at the leader.
                move_after(op, *leader);
            }
            leaders.insert(object, op);
        }
        at_end.insert(id(block), leaders);
    }
}

/// Does `block` follow `before` when a call there raises nothing, or always?
fn is_normal_end(before: Block<'_>, block: Block<'_>) -> bool {
    let Some(last) = last_of(before) else { return false };
    match opcode(last) {
        Opcode::Upstream(Upstream::Br) => true,
        Opcode::Upstream(Upstream::CondBr) => {
            let all = successors(before);
            id(all[1]) == id(block) && id(all[0]) != id(block) && tests_exception(last)
        }
        _ => false,
    }
}

/// Is the condition of this branch whether a call has raised?
fn tests_exception(branch: Op<'_>) -> bool {
    ExnRaised::defining(operands(branch)[0]).is_some()
}
