//! Lengths of arrays that are made here, and tests of bounds that cannot fail.
//!
//! ```text
//! a = make 8 0.; n = length a; for i = 0 to n - 1: t = ult i n; guard t; …        a = make 8 0.; for i = 0 to 7: …
//! ```
//!
//! Each test brings a way out of the code that gives back what is in use. Integers are known by their least and
//! greatest value.

use oxbow_base::{IdMap, IdVec};
use oxbow_psg::{Const, IntOp, IntWidth, OrderOp, Prim, TypeTable};

use super::ir::{BlockId, Code, Counted, Def, End, Op, Stmt, Test, ValueId};
use super::prune::rename;

struct Ranges<'a> {
    code: &'a mut Code,
    types: &'a TypeTable,
    alias: IdVec<ValueId, ValueId>,
    lengths: IdMap<ValueId, ValueId>,
    ranges: IdMap<ValueId, (i64, i64)>,
    truths: IdMap<ValueId, bool>,
}

pub fn run(code: &mut Code, types: &TypeTable) {
    let root = code.root;
    let mut ranges = Ranges {
        alias: code.values.ids().collect(),
        code,
        types,
        lengths: IdMap::new(),
        ranges: IdMap::new(),
        truths: IdMap::new(),
    };
    ranges.block(root);
    let Ranges { code, alias, .. } = ranges;
    rename(code, &alias);
}

/// Far from where integers begin anew.
const LIMIT: i64 = 1 << 40;

impl Ranges<'_> {
    fn block(&mut self, id: BlockId) {
        let mut kept = Vec::new();
        for stmt in std::mem::take(&mut self.code.blocks[id].stmts) {
            let mut inside = Vec::new();
            match &stmt {
                Stmt::Op { result, op, args } => self.op(*result, op, args),
                Stmt::Guard { test: Test::If(value), arms } => {
                    let truth = self.truths.get(self.resolve(*value)).copied();
                    let goes_on = |it: bool| matches!(arms[..], [then, other] if if it { then.is_none() } else { other.is_none() });
                    if truth.is_some_and(goes_on) {
                        continue;
                    }
                }
                Stmt::Guard { .. } | Stmt::Recur { .. } => (),
                Stmt::Branch { arms, .. } => inside.extend(arms),
                Stmt::Loop(it) => {
                    if let Some(counted) = it.counted {
                        self.index(counted);
                    }
                    inside.push(it.body);
                }
                Stmt::Recursion(it) => inside.push(it.body),
            }
            kept.push(stmt);
            inside.into_iter().for_each(|it| self.block(it));
        }
        self.code.blocks[id].stmts = kept;
        if let End::Branch { arms, .. } = self.code.blocks[id].end.clone() {
            arms.into_iter().for_each(|it| self.block(it));
        }
    }

    fn resolve(&self, mut value: ValueId) -> ValueId {
        while self.alias[value] != value {
            value = self.alias[value];
        }
        value
    }

    /// The least and the greatest value.
    fn range(&self, value: ValueId) -> Option<(i64, i64)> {
        let value = self.resolve(value);
        match self.code.values[value].def {
            Def::Const(Const::Int(IntWidth::I63, number)) => Some((number, number)),
            _ => self.ranges.get(value).copied(),
        }
    }

    fn index(&mut self, it: Counted) {
        let (low, high) = if it.down { (it.to, it.from) } else { (it.from, it.to) };
        if self.code.ty(it.index) == self.types.int
            && let (Some((low, _)), Some((_, high))) = (self.range(low), self.range(high))
            && low <= high
        {
            self.ranges.insert(it.index, (low, high));
        }
    }

    fn op(&mut self, result: ValueId, op: &Op, args: &[ValueId]) {
        match (op, args) {
            (Op::Prim(Prim::ArrayMake | Prim::ArrayUninit), [length, ..]) => {
                let length = self.resolve(*length);
                self.lengths.insert(result, length);
            }
            (Op::Array, items) => {
                let length = self.constant(items.len() as i64);
                self.lengths.insert(result, length);
            }
            (Op::Prim(Prim::ArrayLength), &[array]) => {
                if let Some(&length) = self.lengths.get(self.resolve(array)) {
                    self.alias_to(result, length);
                }
            }
            (Op::Prim(Prim::Int(IntWidth::I63, op)), &[a, b]) => {
                let (Some(a), Some(b)) = (self.range(a), self.range(b)) else { return };
                self.arithmetic(result, *op, a, b);
            }
            (Op::Prim(Prim::Order(op)), &[a, b]) if self.code.ty(a) == self.types.int => {
                let (Some(a), Some(b)) = (self.range(a), self.range(b)) else { return };
                if let Some(truth) = compare(*op, a, b) {
                    self.truths.insert(result, truth);
                }
            }
            _ => (),
        }
    }

    fn arithmetic(&mut self, result: ValueId, op: IntOp, a: (i64, i64), b: (i64, i64)) {
        let small = |it: (i64, i64)| -LIMIT < it.0 && it.1 < LIMIT;
        if !small(a) || !small(b) {
            return;
        }
        let found = match op {
            IntOp::Add => (a.0 + b.0, a.1 + b.1),
            IntOp::Sub => (a.0 - b.1, a.1 - b.0),
            IntOp::Mul => {
                let all = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
                let all = all.map(|(a, b)| i128::from(a) * i128::from(b));
                let (Some(low), Some(high)) = (all.iter().min(), all.iter().max()) else { return };
                let (Ok(low), Ok(high)) = (i64::try_from(*low), i64::try_from(*high)) else {
                    return;
                };
                (low, high)
            }
            IntOp::Ult => {
                if a.0 >= 0 && a.1 < b.0 {
                    self.truths.insert(result, true);
                }
                return;
            }
            _ => return,
        };
        if !small(found) {
            return;
        }
        if found.0 == found.1 {
            let constant = self.constant(found.0);
            self.alias_to(result, constant);
        } else {
            self.ranges.insert(result, found);
        }
    }

    fn alias_to(&mut self, result: ValueId, value: ValueId) {
        if self.code.ty(result) == self.code.ty(value) {
            self.alias[result] = value;
        }
    }

    fn constant(&mut self, number: i64) -> ValueId {
        let constant = Def::Const(Const::Int(IntWidth::I63, number));
        let value = self.code.value(self.types.int, constant, self.code.root);
        self.alias.push(value);
        value
    }
}

/// A comparison that comes out the same for all values.
fn compare(op: OrderOp, a: (i64, i64), b: (i64, i64)) -> Option<bool> {
    let below = if a.1 < b.0 {
        Some(true)
    } else if a.0 >= b.1 {
        Some(false)
    } else {
        None
    };
    let above = if a.0 > b.1 {
        Some(true)
    } else if a.1 <= b.0 {
        Some(false)
    } else {
        None
    };
    match op {
        OrderOp::Lt => below,
        OrderOp::Ge => below.map(|it| !it),
        OrderOp::Gt => above,
        OrderOp::Le => above.map(|it| !it),
        OrderOp::Eq | OrderOp::Ne | OrderOp::Compare => None,
    }
}
