//! Shadows: arrays in which the reverse sweep adds up the adjoints of an array's items.

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::{Const, IntWidth, Prim, Ty, TyId, TypeTable};

use super::activity::Classes;
use super::ir::{BlockId, Code, Def, End, Op, Stmt, ValueId};

/// Gives each array with numbers of the derivative its shadow, which follows it through branches and loops.
pub fn add(code: &mut Code, types: &mut TypeTable, classes: &Classes) -> IdMap<ValueId, ValueId> {
    let mut shadows = IdMap::new();
    let (float, int) = (types.float, types.int);
    let is_active = |code: &Code, types: &TypeTable, value: ValueId| {
        *types.get(code.ty(value)) == Ty::Array(float) && classes.is_active(value)
    };
    let all: Vec<ValueId> = code.values.ids().collect();
    for value in all {
        if is_active(code, types, value) {
            let data = code.values[value].clone();
            let shadow = code.values.push(data);
            shadows.insert(value, shadow);
        }
    }
    let ids: Vec<BlockId> = code.blocks.ids().collect();
    for &id in &ids {
        let stmts = std::mem::take(&mut code.blocks[id].stmts);
        let mut out = Vec::with_capacity(stmts.len());
        for stmt in stmts {
            match stmt {
                Stmt::Op { result, ref op, ref args } => {
                    let made = shadows.get(result).copied().map(|shadow| {
                        let length = match op {
                            Op::Array => {
                                constant(code, int, Const::Int(IntWidth::I63, args.len() as i64))
                            }
                            _ => args[0],
                        };
                        let zero = constant(code, float, Const::Float(0.0));
                        let args = vec![length, zero];
                        Stmt::Op { result: shadow, op: Op::Prim(Prim::ArrayMake), args }
                    });
                    out.push(stmt);
                    out.extend(made);
                }
                Stmt::Branch { test, arms, mut results, which } => {
                    for &arm in &arms {
                        follow(code, arm, &shadows, &mut |end| match end {
                            End::Yield(values) => Some(values),
                            _ => None,
                        });
                    }
                    append(&mut results, &shadows);
                    out.push(Stmt::Branch { test, arms, results, which });
                }
                Stmt::Loop(mut it) => {
                    append(&mut it.params, &shadows);
                    append(&mut it.init, &shadows);
                    append(&mut it.results, &shadows);
                    let counted = it.counted.is_some();
                    follow(code, it.body, &shadows, &mut |end| match end {
                        End::Continue(values) => Some(values),
                        End::Yield(values) if !counted => Some(values),
                        _ => None,
                    });
                    out.push(Stmt::Loop(it));
                }
                Stmt::Recursion(mut it) => {
                    append(&mut it.params, &shadows);
                    append(&mut it.init, &shadows);
                    append(&mut it.results, &shadows);
                    follow(code, it.body, &shadows, &mut |end| match end {
                        End::Yield(values) => Some(values),
                        _ => None,
                    });
                    out.push(Stmt::Recursion(it));
                }
                Stmt::Recur { body, mut args, mut results } => {
                    append(&mut args, &shadows);
                    append(&mut results, &shadows);
                    out.push(Stmt::Recur { body, args, results });
                }
                Stmt::Guard { .. } => out.push(stmt),
            }
        }
        code.blocks[id].stmts = out;
    }
    shadows
}

/// The shadows that no statement passes on.
pub fn not_passed_on(code: &Code, shadows: &IdMap<ValueId, ValueId>) -> IdSet<ValueId> {
    let mut late: IdSet<ValueId> = shadows.iter().map(|it| *it.1).collect();
    let mut pass = |values: &[ValueId]| {
        values.iter().for_each(|&it| {
            late.remove(it);
        });
    };
    for block in code.blocks.values() {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Op { args, .. } => pass(args),
                Stmt::Guard { .. } => (),
                Stmt::Branch { results, .. } => pass(results),
                Stmt::Loop(it) => {
                    [&it.params, &it.init, &it.results].into_iter().for_each(|it| pass(it));
                }
                Stmt::Recursion(it) => {
                    [&it.params, &it.init, &it.results].into_iter().for_each(|it| pass(it));
                }
                Stmt::Recur { args, results, .. } => {
                    pass(args);
                    pass(results);
                }
            }
        }
        match &block.end {
            End::Yield(values) | End::Continue(values) => pass(values),
            End::Open | End::Branch { .. } | End::Raise(_) => (),
        }
    }
    late
}

fn constant(code: &mut Code, ty: TyId, value: Const) -> ValueId {
    let root = code.root;
    code.value(ty, Def::Const(value), root)
}

fn append(values: &mut Vec<ValueId>, shadows: &IdMap<ValueId, ValueId>) {
    let more: Vec<ValueId> = values.iter().filter_map(|&it| shadows.get(it).copied()).collect();
    values.extend(more);
}

fn follow(
    code: &mut Code,
    block: BlockId,
    shadows: &IdMap<ValueId, ValueId>,
    pick: &mut dyn FnMut(&mut End) -> Option<&mut Vec<ValueId>>,
) {
    let mut ends = Vec::new();
    code.leaves(block, &mut ends);
    for end in ends {
        if let Some(values) = pick(&mut code.blocks[end].end) {
            append(values, shadows);
        }
    }
}
