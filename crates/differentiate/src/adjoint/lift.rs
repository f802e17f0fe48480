//! Tests of bounds in `for` loops with constant bounds are made once, before the loop.
//!
//! ```text
//! for j = 0 to 31: for i = 0 to 15:                 guard ult 511 n;
//!   guard ult (16 * j + i) n; … w.(16 * j + i)      for j = 0 to 31: for i = 0 to 15: … w.(16 * j + i)
//! ```
//!
//! The loop raises if the greatest index is beyond the length, since some round has that index. That it raises earlier
//! is not seen: there are no effects in it but on arrays that are made here, which nobody has after the exception, and
//! all its tests raise the same one.

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::{Const, IntOp, IntWidth, Prim, TypeTable};

use super::hoist::blocks_of;
use super::ir::{BlockId, Code, Def, End, Loop, Op, Stmt, Test, ValueId};
use super::prune::has_effect;
use super::quiet::is_quiet;

/// A sum of constants and indices of loops, these times constants that are not negative.
#[derive(Clone)]
struct Sum {
    least: i64,
    greatest: i64,
    indices: Vec<ValueId>,
}

struct Lifter<'a> {
    code: &'a mut Code,
    types: &'a TypeTable,
    sums: IdMap<ValueId, Sum>,
    /// Tests of an index and a length.
    tests: IdMap<ValueId, (ValueId, ValueId)>,
    /// Arrays that are made here, and values that may be known elsewhere or under other names.
    made: IdSet<ValueId>,
    passed: IdSet<ValueId>,
}

/// Far from where integers begin anew.
const LIMIT: i64 = 1 << 40;

pub fn run(code: &mut Code, types: &TypeTable) {
    let root = code.root;
    let passed = passed(code);
    let (sums, tests, made) = (IdMap::new(), IdMap::new(), IdSet::new());
    let mut lifter = Lifter { code, types, sums, tests, made, passed };
    lifter.note(root);
    lifter.block(root);
}

/// What is stored, given to unknown code, or handed on by branches and loops.
fn passed(code: &Code) -> IdSet<ValueId> {
    let mut out = IdSet::new();
    let mut all = |values: &[ValueId]| {
        values.iter().for_each(|&it| {
            out.insert(it);
        });
    };
    for block in code.blocks.values() {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Op { op: Op::Prim(prim), args, .. } => match prim {
                    Prim::ArrayGet | Prim::ArrayLength | Prim::ArrayBlit => (),
                    Prim::ArraySet => all(&args[2..]),
                    _ => all(args),
                },
                Stmt::Op { args, .. } | Stmt::Recur { args, .. } => all(args),
                Stmt::Loop(it) => all(&it.init),
                Stmt::Recursion(it) => all(&it.init),
                Stmt::Branch { .. } | Stmt::Guard { .. } => (),
            }
        }
        match &block.end {
            End::Yield(values) | End::Continue(values) => all(values),
            End::Raise(value) => all(&[*value]),
            End::Branch { .. } | End::Open => (),
        }
    }
    out
}

impl Lifter<'_> {
    fn constant(&self, value: ValueId) -> Option<i64> {
        match self.code.values[value].def {
            Def::Const(Const::Int(IntWidth::I63, number)) => Some(number),
            _ => None,
        }
    }

    fn sum(&self, value: ValueId) -> Option<Sum> {
        match self.constant(value) {
            Some(it) => Some(Sum { least: it, greatest: it, indices: Vec::new() }),
            None => self.sums.get(value).cloned(),
        }
    }

    /// The least and the greatest index of a loop that has a round.
    fn bounds(&self, it: &Loop) -> Option<(i64, i64)> {
        let counted = it.counted?;
        let (from, to) = (self.constant(counted.from)?, self.constant(counted.to)?);
        let (low, high) = if counted.down { (to, from) } else { (from, to) };
        let small = low > -LIMIT && high < LIMIT;
        let plain = self.code.ty(counted.index) == self.types.int;
        (low <= high && small && plain).then_some((low, high))
    }

    /// Sums, tests and arrays of a block and those inside of it.
    fn note(&mut self, id: BlockId) {
        for at in 0..self.code.blocks[id].stmts.len() {
            let mut inside = Vec::new();
            match &self.code.blocks[id].stmts[at] {
                Stmt::Op { result, op, args } => {
                    let (result, op, args) = (*result, op.clone(), args.clone());
                    self.op(result, &op, &args);
                }
                Stmt::Branch { arms, .. } => inside.extend(arms),
                Stmt::Loop(it) => {
                    inside.push(it.body);
                    if let (Some((least, greatest)), Some(counted)) = (self.bounds(it), it.counted)
                    {
                        let indices = vec![counted.index];
                        self.sums.insert(counted.index, Sum { least, greatest, indices });
                    }
                }
                Stmt::Recursion(it) => inside.push(it.body),
                Stmt::Guard { .. } | Stmt::Recur { .. } => (),
            }
            inside.into_iter().for_each(|it| self.note(it));
        }
        if let End::Branch { arms, .. } = self.code.blocks[id].end.clone() {
            arms.into_iter().for_each(|it| self.note(it));
        }
    }

    fn op(&mut self, result: ValueId, op: &Op, args: &[ValueId]) {
        match (op, args) {
            (Op::Prim(Prim::ArrayMake | Prim::ArrayUninit) | Op::Array, _) => {
                self.made.insert(result);
            }
            (Op::Prim(Prim::Int(IntWidth::I63, IntOp::Ult)), &[index, length]) => {
                self.tests.insert(result, (index, length));
            }
            (Op::Prim(Prim::Int(IntWidth::I63, op)), &[a, b]) => {
                let (Some(a), Some(b)) = (self.sum(a), self.sum(b)) else { return };
                let times = |sum: Sum, by: i64| Sum {
                    least: sum.least.saturating_mul(by),
                    greatest: sum.greatest.saturating_mul(by),
                    indices: sum.indices,
                };
                let found = match op {
                    IntOp::Add => Sum {
                        least: a.least + b.least,
                        greatest: a.greatest + b.greatest,
                        indices: [a.indices, b.indices].concat(),
                    },
                    IntOp::Sub if b.indices.is_empty() => Sum {
                        least: a.least - b.least,
                        greatest: a.greatest - b.least,
                        indices: a.indices,
                    },
                    IntOp::Mul if b.indices.is_empty() && b.least >= 0 => times(a, b.least),
                    IntOp::Mul if a.indices.is_empty() && a.least >= 0 => times(b, a.least),
                    _ => return,
                };
                if found.least > -LIMIT && found.greatest < LIMIT {
                    self.sums.insert(result, found);
                }
            }
            _ => (),
        }
    }

    /// Outer loops first.
    fn block(&mut self, id: BlockId) {
        let mut at = 0;
        while at < self.code.blocks[id].stmts.len() {
            match self.code.blocks[id].stmts[at].clone() {
                Stmt::Loop(it) => {
                    let lifted = self.leave(&it, id);
                    let count = lifted.len();
                    self.code.blocks[id].stmts.splice(at..at, lifted);
                    at += count;
                    self.block(it.body);
                }
                Stmt::Branch { arms, .. } => arms.into_iter().for_each(|it| self.block(it)),
                Stmt::Recursion(it) => self.block(it.body),
                Stmt::Op { .. } | Stmt::Guard { .. } | Stmt::Recur { .. } => (),
            }
            at += 1;
        }
        if let End::Branch { arms, .. } = self.code.blocks[id].end.clone() {
            arms.into_iter().for_each(|it| self.block(it));
        }
    }

    /// The tests that can be made before a loop, taken out of it.
    fn leave(&mut self, it: &Loop, outside: BlockId) -> Vec<Stmt> {
        let mut inside = IdSet::new();
        blocks_of(self.code, it.body, &mut inside);
        if self.bounds(it).is_none() || !self.is_quiet(&inside) {
            return Vec::new();
        }
        // The lengths in the order in which they are found, with the greatest index and the arms.
        let mut found: Vec<(ValueId, i64, Vec<Option<BlockId>>)> = Vec::new();
        let mut indices = IdSet::new();
        self.collect(it, &inside, &mut indices, &mut found);
        let mut lifted = Vec::new();
        for (length, greatest, arms) in found {
            let (int, bool) = (self.types.int, self.types.bool);
            let root = self.code.root;
            let number = Def::Const(Const::Int(IntWidth::I63, greatest));
            let greatest = self.code.value(int, number, root);
            let test = self.code.value(bool, Def::Result, outside);
            let op = Op::Prim(Prim::Int(IntWidth::I63, IntOp::Ult));
            lifted.push(Stmt::Op { result: test, op, args: vec![greatest, length] });
            lifted.push(Stmt::Guard { test: Test::If(test), arms });
        }
        lifted
    }

    /// Takes tests out of a loop all of whose rounds are made, and of such loops in it.
    fn collect(
        &mut self,
        it: &Loop,
        inside: &IdSet<BlockId>,
        indices: &mut IdSet<ValueId>,
        found: &mut Vec<(ValueId, i64, Vec<Option<BlockId>>)>,
    ) {
        if let Some(counted) = it.counted {
            indices.insert(counted.index);
        }
        let mut kept = Vec::new();
        for stmt in std::mem::take(&mut self.code.blocks[it.body].stmts) {
            if let Stmt::Guard { test: Test::If(test), arms } = &stmt
                && matches!(arms[..], [None, Some(_)])
                && let Some(&(index, length)) = self.tests.get(*test)
                && let Some(sum) = self.sum(index)
                && sum.least >= 0
                && sum.indices.iter().all(|&it| indices.contains(it))
                && !self.is_inside(length, inside)
            {
                match found.iter_mut().find(|it| it.0 == length) {
                    Some(known) => known.1 = known.1.max(sum.greatest),
                    None => found.push((length, sum.greatest, arms.clone())),
                }
                continue;
            }
            if let Stmt::Loop(inner) = &stmt
                && self.bounds(inner).is_some()
            {
                self.collect(inner, inside, indices, found);
            }
            kept.push(stmt);
        }
        self.code.blocks[it.body].stmts = kept;
    }

    fn is_inside(&self, value: ValueId, inside: &IdSet<BlockId>) -> bool {
        match self.code.values[value].def {
            Def::Const(_) | Def::Outer(_) => false,
            Def::Param | Def::Result => inside.contains(self.code.values[value].block),
        }
    }

    fn is_quiet(&self, inside: &IdSet<BlockId>) -> bool {
        is_quiet(self.code, inside, |op, args| match op {
            Op::Prim(Prim::ArraySet) => {
                self.made.contains(args[0]) && !self.passed.contains(args[0])
            }
            _ => !has_effect(op),
        })
    }
}
