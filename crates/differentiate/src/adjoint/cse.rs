//! Computes integers and tests once: what is the same as something before it is that.
//!
//! ```text
//! n = length w; t = ult 3 n; guard t; … m = length w; u = ult 3 m; guard u        n = length w; t = ult 3 n; guard t; …
//! ```
//!
//! The code of a gradient is long, and each test of a bound brings a way out of it. Numbers stay as they are: sums of
//! adjoints would be added in another order.

use oxbow_base::{FxHashMap, IdVec};
use oxbow_psg::{Const, IntOp, IntWidth, Prim, Ty, TypeTable};

use super::ir::{BlockId, Code, Def, End, Op, Stmt, Test, ValueId};
use super::prune::rename;

#[derive(Default)]
struct Found {
    values: FxHashMap<(Prim, Vec<ValueId>), ValueId>,
    /// Tests that were passed, with the arm that goes on.
    passed: Vec<(ValueId, usize)>,
}

pub fn run(code: &mut Code, types: &TypeTable) {
    let mut alias: IdVec<ValueId, ValueId> = code.values.ids().collect();
    let mut constants: FxHashMap<(IntWidth, i64), ValueId> = FxHashMap::default();
    for (value, data) in code.values.iter() {
        if let Def::Const(Const::Int(width, number)) = data.def {
            alias[value] = *constants.entry((width, number)).or_insert(value);
        }
    }
    let root = code.root;
    block(code, types, root, &mut Vec::new(), &mut alias);
    rename(code, &alias);
}

/// `around`: what is known in the blocks around, outermost first.
fn block(
    code: &mut Code,
    types: &TypeTable,
    id: BlockId,
    around: &mut Vec<Found>,
    alias: &mut IdVec<ValueId, ValueId>,
) {
    around.push(Found::default());
    let mut kept = Vec::new();
    for stmt in std::mem::take(&mut code.blocks[id].stmts) {
        let mut inside = Vec::new();
        match &stmt {
            Stmt::Op { result, op: Op::Prim(prim), args }
                if is_integer(code, types, *prim, args) =>
            {
                let args: Vec<ValueId> = args.iter().map(|&it| alias[it]).collect();
                let key = (*prim, args);
                if let Some(&same) = around.iter().find_map(|it| it.values.get(&key)) {
                    alias[*result] = same;
                    continue;
                }
                if let Some(own) = around.last_mut() {
                    own.values.insert(key, *result);
                }
            }
            Stmt::Guard { test: Test::If(value), arms } => {
                let on = arms.iter().position(Option::is_none).unwrap_or(arms.len());
                let passed = (alias[*value], on);
                if around.iter().any(|it| it.passed.contains(&passed)) {
                    continue;
                }
                if let Some(own) = around.last_mut() {
                    own.passed.push(passed);
                }
            }
            Stmt::Branch { arms, .. } => inside.extend(arms),
            Stmt::Loop(it) => inside.push(it.body),
            Stmt::Recursion(it) => inside.push(it.body),
            Stmt::Op { .. } | Stmt::Guard { .. } | Stmt::Recur { .. } => (),
        }
        kept.push(stmt);
        inside.into_iter().for_each(|it| block(code, types, it, around, alias));
    }
    code.blocks[id].stmts = kept;
    if let End::Branch { arms, .. } = code.blocks[id].end.clone() {
        arms.into_iter().for_each(|it| block(code, types, it, around, alias));
    }
    around.pop();
}

/// No effect, no memory, no number, and defined for all operands.
fn is_integer(code: &Code, types: &TypeTable, prim: Prim, args: &[ValueId]) -> bool {
    let plain = |&it: &ValueId| matches!(types.get(code.ty(it)), Ty::Int(_) | Ty::Bool);
    match prim {
        Prim::ArrayLength => true,
        Prim::Int(_, op) => !matches!(op, IntOp::Div | IntOp::Mod) && args.iter().all(plain),
        Prim::Order(_) | Prim::IntCast { .. } | Prim::BoolNot => args.iter().all(plain),
        _ => false,
    }
}
