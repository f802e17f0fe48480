//! The captures that are values at run time.
//!
//! A lambda's list of captures names variables. Some of those are no values: a lifted function
//! has no object, and a function without captures is a constant. The captures that remain, the
//! *effective* ones, follow from the lists alone:
//!
//! ```text
//! effective(f) = ⋃ over captures c of f
//!     c is bound to a lifted g      effective(g)      passed on to calls of g
//!     c is bound to a flat g        {c}, or {} if effective(g) is empty or g is f itself
//!     otherwise                     {c}
//! ```
//!
//! as the least solution, found by iteration from the empty sets.

use oxbow_base::{IdMap, IdVec};

use crate::{Capture, LambdaId, Program, Repr, VarId};

/// The effective captures of `lambdas`; `bound` says which lambda a variable always stands for.
pub fn captures<P>(
    program: &Program<P>,
    lambdas: &[LambdaId],
    bound: &IdMap<VarId, LambdaId>,
) -> IdVec<LambdaId, Vec<Capture>> {
    let mut captures = program.lambdas.map(|_| Vec::new());
    let mut changed = true;
    while changed {
        changed = false;
        for &lambda in lambdas {
            let effective = step(program, bound, &captures, lambda);
            if effective.len() != captures[lambda].len() {
                captures[lambda] = effective;
                changed = true;
            }
        }
    }
    captures
}

fn step<P>(
    program: &Program<P>,
    bound: &IdMap<VarId, LambdaId>,
    captures: &IdVec<LambdaId, Vec<Capture>>,
    lambda: LambdaId,
) -> Vec<Capture> {
    let mut effective: Vec<Capture> = Vec::new();
    let mut add = |capture: Capture| {
        if effective.iter().all(|it| it.var != capture.var) {
            effective.push(capture);
        }
    };
    let lifted = program.lambdas[lambda].repr == Repr::Lifted;
    for &capture in &program.lambdas[lambda].captures {
        match bound.get(capture.var) {
            Some(&other) if program.lambdas[other].repr == Repr::Lifted => {
                // What a lifted function is called with may be this closure itself.
                let is_self = |var| !lifted && bound.get(var) == Some(&lambda);
                captures[other].iter().copied().filter(|it| !is_self(it.var)).for_each(&mut add);
            }
            Some(&other) if !lifted && other == lambda => (),
            Some(&other) if captures[other].is_empty() => (),
            _ => add(capture),
        }
    }
    effective
}
