//! Numbers the arms of branches over objects inside of loops and functions, where the reverse sweep cannot keep the
//! object.
//!
//! ```text
//! branch (switch v3) (yield v5) (yield v6)      v7, v8 = branch (switch v3) (yield v5, 0) (yield v6, 1)
//! ```

use oxbow_psg::{Const, IntWidth, TyId, TypeTable};

use super::ir::{BlockId, Code, Def, End, Stmt, Test, ValueId};
use super::plan::can_keep;

pub fn run(code: &mut Code, types: &TypeTable) {
    let ids: Vec<BlockId> = code.blocks.ids().collect();
    for id in ids {
        for at in 0..code.blocks[id].stmts.len() {
            let Stmt::Branch { test: Test::Switch { value, .. }, arms, .. } =
                &code.blocks[id].stmts[at]
            else {
                continue;
            };
            let data = &code.values[*value];
            let is_free = matches!(data.def, Def::Const(_) | Def::Outer(_));
            if is_free || data.block == code.root || can_keep(types, data.ty) {
                continue;
            }
            let arms = arms.clone();
            let number = code.value(types.int, Def::Result, id);
            for (place, &arm) in arms.iter().enumerate() {
                pass(code, arm, place as i64, types.int);
            }
            if let Stmt::Branch { results, which, .. } = &mut code.blocks[id].stmts[at] {
                results.push(number);
                *which = Some(number);
            }
        }
    }
}

fn pass(code: &mut Code, arm: BlockId, place: i64, int: TyId) {
    let mut ends = Vec::new();
    code.leaves(arm, &mut ends);
    for end in ends {
        let root = code.root;
        let number: ValueId = code.value(int, Def::Const(Const::Int(IntWidth::I63, place)), root);
        if let End::Yield(values) = &mut code.blocks[end].end {
            values.push(number);
        }
    }
}
