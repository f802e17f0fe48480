//! Which numbers the result depends on: the others have no adjoint.
//!
//! ```text
//! let m = Ad.constant (largest a) in …        nothing of `largest` is needed by the reverse sweep
//! ```
//!
//! All that goes into arrays and through recursive functions counts as useful.

use oxbow_base::IdSet;
use oxbow_psg::Prim;

use super::super::constrain::differentiable;
use super::ir::{Code, End, Op, Stmt, ValueId};
use super::prune::{continues, yields};

pub fn find(code: &Code) -> IdSet<ValueId> {
    let mut useful = IdSet::new();
    if let End::Yield(results) = &code.blocks[code.root].end {
        results.iter().for_each(|&it| {
            useful.insert(it);
        });
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        // From the last statements to the first, where most rounds end the search.
        for block in code.blocks.values() {
            for stmt in block.stmts.iter().rev() {
                for value in needed(code, stmt, &useful) {
                    changed |= useful.insert(value);
                }
            }
        }
    }
    useful
}

fn needed(code: &Code, stmt: &Stmt, useful: &IdSet<ValueId>) -> Vec<ValueId> {
    let mut out = Vec::new();
    // Values that become others.
    let flow = |from: &[ValueId], to: &[ValueId], out: &mut Vec<ValueId>| {
        let pairs = from.iter().zip(to);
        out.extend(pairs.filter(|it| useful.contains(*it.1)).map(|it| *it.0));
    };
    match stmt {
        Stmt::Op { op: Op::Prim(Prim::ArraySet | Prim::ArrayMake) | Op::Array, args, .. } => {
            out.extend(args);
        }
        Stmt::Op { result, op: Op::Prim(prim), args } if useful.contains(*result) => {
            out.extend(differentiable(*prim).iter().map(|&it| args[it]));
        }
        Stmt::Op { .. } | Stmt::Guard { .. } => (),
        Stmt::Branch { arms, results, .. } => {
            for values in arms.iter().flat_map(|&it| yields(code, it)) {
                flow(values, results, &mut out);
            }
        }
        Stmt::Loop(it) => {
            flow(&it.init, &it.params, &mut out);
            for values in continues(code, it.body) {
                flow(values, &it.params, &mut out);
            }
            match it.counted {
                Some(_) => {
                    flow(&it.params, &it.results, &mut out);
                    flow(&it.results, &it.params, &mut out);
                }
                None => {
                    for values in yields(code, it.body) {
                        flow(values, &it.results, &mut out);
                    }
                }
            }
        }
        Stmt::Recursion(it) => {
            out.extend(it.params.iter().chain(&it.init).chain(&it.results));
            yields(code, it.body).into_iter().for_each(|it| out.extend(it));
        }
        Stmt::Recur { args, results, .. } => out.extend(args.iter().chain(results)),
    }
    out
}
