//! Takes out of loops what is the same in every round, so that the reverse sweep goes through it once.
//!
//! ```text
//! for i = 0 to 99 do … sin p.(0) …        let s = sin p.(0) in for i = 0 to 99 do … s …
//! ```
//!
//! Arithmetic moves always. Reads of arrays, with the tests of their bounds, move out of loops that have a round for
//! certain and write no arrays; tests that raise the same exception may change places.

use oxbow_base::IdSet;
use oxbow_psg::{Const, IntOp, Prim};

use super::ir::{BlockId, Code, Def, End, Loop, Op, Stmt, ValueId};
use super::prune::has_effect;

pub fn run(code: &mut Code) {
    let root = code.root;
    block(code, root);
}

/// Inner loops first: what leaves them may leave the outer ones as well.
fn block(code: &mut Code, id: BlockId) {
    let mut at = 0;
    while at < code.blocks[id].stmts.len() {
        match code.blocks[id].stmts[at].clone() {
            Stmt::Branch { arms, .. } => arms.iter().for_each(|&it| block(code, it)),
            Stmt::Loop(it) => {
                block(code, it.body);
                let moved = leave(code, &it, id);
                let count = moved.len();
                code.blocks[id].stmts.splice(at..at, moved);
                at += count;
            }
            Stmt::Recursion(it) => block(code, it.body),
            Stmt::Op { .. } | Stmt::Guard { .. } | Stmt::Recur { .. } => (),
        }
        at += 1;
    }
    if let End::Branch { arms, .. } = code.blocks[id].end.clone() {
        arms.iter().for_each(|&it| block(code, it));
    }
}

/// The statements of a loop's body that can stand before the loop, taken out of it.
fn leave(code: &mut Code, it: &Loop, outside: BlockId) -> Vec<Stmt> {
    let mut inside = IdSet::new();
    blocks_of(code, it.body, &mut inside);
    let has_round = it.counted.is_some_and(|it| {
        let known = |value: ValueId| match code.values[value].def {
            Def::Const(Const::Int(_, value)) => Some(value),
            _ => None,
        };
        match (known(it.from), known(it.to)) {
            (Some(from), Some(to)) => {
                if it.down {
                    from >= to
                } else {
                    from <= to
                }
            }
            _ => false,
        }
    });
    let writes = inside.iter().any(|it| {
        code.blocks[it].stmts.iter().any(|stmt| match stmt {
            Stmt::Op { op, .. } => has_effect(op),
            // What the function does elsewhere is not looked for.
            Stmt::Recur { .. } => true,
            _ => false,
        })
    });
    // Whether tests may move: nothing but tests with this exception stands before them.
    let (mut clean, mut exception) = (has_round && !writes, None);
    let mut moved = Vec::new();
    let mut kept = Vec::new();
    for stmt in std::mem::take(&mut code.blocks[it.body].stmts) {
        let stays = |code: &Code, value: ValueId| {
            let data = &code.values[value];
            matches!(data.def, Def::Const(_) | Def::Outer(_)) || !inside.contains(data.block)
        };
        let goes = match &stmt {
            Stmt::Op { op, args, .. } => {
                args.iter().all(|&it| stays(code, it))
                    && match op {
                        Op::Prim(Prim::ArrayGet) => clean,
                        Op::Prim(prim) => is_arithmetic(*prim),
                        _ => false,
                    }
            }
            Stmt::Guard { test, arms } => {
                let raised = raised(code, arms);
                let same = raised.is_some() && (exception.is_none() || exception == raised);
                if raised.is_none() || !same {
                    clean = false;
                }
                exception = raised;
                clean && stays(code, test.value())
            }
            Stmt::Branch { .. } | Stmt::Loop(_) | Stmt::Recursion(_) | Stmt::Recur { .. } => {
                // What stands behind it is not certain to run.
                clean = false;
                false
            }
        };
        if goes {
            if let Stmt::Op { result, .. } = &stmt {
                code.values[*result].block = outside;
            }
            moved.push(stmt);
        } else {
            kept.push(stmt);
        }
    }
    code.blocks[it.body].stmts = kept;
    moved
}

pub fn blocks_of(code: &Code, block: BlockId, out: &mut IdSet<BlockId>) {
    out.insert(block);
    for stmt in &code.blocks[block].stmts {
        match stmt {
            Stmt::Branch { arms, .. } => arms.iter().for_each(|&it| blocks_of(code, it, out)),
            Stmt::Guard { arms, .. } => {
                arms.iter().flatten().for_each(|&it| blocks_of(code, it, out));
            }
            Stmt::Loop(it) => blocks_of(code, it.body, out),
            Stmt::Recursion(it) => blocks_of(code, it.body, out),
            Stmt::Op { .. } | Stmt::Recur { .. } => (),
        }
    }
    if let End::Branch { arms, .. } = &code.blocks[block].end {
        arms.iter().for_each(|&it| blocks_of(code, it, out));
    }
}

/// No effect, no memory, and defined for all operands.
fn is_arithmetic(prim: Prim) -> bool {
    match prim {
        Prim::Int(_, op) => !matches!(op, IntOp::Div | IntOp::Mod),
        Prim::Float(_)
        | Prim::IntCast { .. }
        | Prim::IntToFloat(_)
        | Prim::BoolNot
        | Prim::ArrayLength
        | Prim::AdConstant => true,
        _ => false,
    }
}

/// The exception and text that all arms of a test raise.
pub fn raised(code: &Code, arms: &[Option<BlockId>]) -> Option<(oxbow_psg::ExnId, Const)> {
    let mut found = None;
    for &arm in arms.iter().flatten() {
        let block = &code.blocks[arm];
        let [Stmt::Op { op: Op::MakeExn(exn), args, .. }] = &block.stmts[..] else { return None };
        let (End::Raise(_), [text]) = (&block.end, &args[..]) else { return None };
        let Def::Const(text) = &code.values[*text].def else { return None };
        let this = (*exn, text.clone());
        if found.is_some() && found.as_ref() != Some(&this) {
            return None;
        }
        found = Some(this);
    }
    found
}
