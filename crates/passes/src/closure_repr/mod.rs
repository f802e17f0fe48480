//! Decides how every lambda is represented at run time.
//!
//! A lambda all of whose uses are saturated calls of its name needs no object: its
//! captures become leading parameters (ledger C7), and with no captures left it moves
//! out to the top level (one that reaches a mutable variable keeps its place and its
//! captures, since parameters are passed by value). All others are flat closures; calls of their name still go to
//! the code directly (C8).
//!
//! ```text
//! before   let sum n = let rec loop i = if i > n then 0 else i + loop (i + 1) in loop 0
//! after    let rec loop n' i = if i > n' then 0 else i + loop n' (i + 1)        Lifted
//!          let sum n = loop n 0
//! ```
//!
//! Phase: Mono -> Mono. Needs: nothing; marks known calls itself.

pub(crate) mod lift;

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::{LambdaId, Mono, NodeId, Program, Repr, captures, walk};

use crate::known_calls::{self, ValueUse};

/// Why a lambda is represented the way it is, for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Lifted: a top-level function that is only called.
    GlobalOnlyCalled,
    /// Flat: a top-level function that this node uses as a value.
    GlobalValue(NodeId),
    /// Flat: a top-level function that the entry point calls.
    WellKnown,
    /// Lifted: a nested named function that is only called (C7).
    NestedOnlyCalled,
    /// Flat: a nested named function that this node uses as a value (C8).
    NestedValue(NodeId),
    /// Flat: a function without a name.
    Anonymous,
}

impl Reason {
    pub fn repr(self) -> Repr {
        match self {
            Self::GlobalOnlyCalled | Self::NestedOnlyCalled => Repr::Lifted,
            Self::GlobalValue(_) | Self::WellKnown | Self::NestedValue(_) | Self::Anonymous => {
                Repr::Flat
            }
        }
    }
}

/// Fills in `repr` and lifts what can be lifted.
pub fn run(program: Program<Mono>) -> Program<Mono> {
    run_with_reasons(program).0
}

/// As [`run`], with the reasons. The ids of lambdas stay the same; nodes that reasons
/// name are still in the program.
pub fn run_with_reasons(mut program: Program<Mono>) -> (Program<Mono>, Vec<(LambdaId, Reason)>) {
    known_calls::resolve(&mut program);
    captures::fill_all(&mut program);
    let reasons = analyze(&program);
    for &(lambda, reason) in &reasons {
        program.lambdas[lambda].repr = reason.repr();
    }
    lift::run(&mut program);
    captures::fill_all(&mut program);
    (program, reasons)
}

/// The decision for every lambda that can be reached. Needs: known calls are marked,
/// captures are filled in.
pub fn analyze(program: &Program<Mono>) -> Vec<(LambdaId, Reason)> {
    let known = known_calls::bound_lambdas(program);
    let uses = known_calls::value_uses(program, &known);
    let globals: IdSet<LambdaId> =
        known.iter().filter(|it| program.vars[it.0].global).map(|it| *it.1).collect();
    let named: IdSet<LambdaId> = known.iter().map(|it| *it.1).collect();
    let mut reasons: IdMap<LambdaId, Reason> = IdMap::new();
    let lambdas = walk::reachable_lambdas(program);
    for &lambda in &lambdas {
        let global = globals.contains(lambda);
        let reason = match uses.get(lambda) {
            Some(ValueUse::Anonymous) => Reason::Anonymous,
            // Called where it stands, without a name.
            None if !named.contains(lambda) => Reason::Anonymous,
            Some(ValueUse::WellKnown) => Reason::WellKnown,
            Some(&ValueUse::Mentioned(node)) if global => Reason::GlobalValue(node),
            Some(&ValueUse::Mentioned(node)) => Reason::NestedValue(node),
            None if global => Reason::GlobalOnlyCalled,
            None => Reason::NestedOnlyCalled,
        };
        reasons.insert(lambda, reason);
    }
    lambdas.iter().filter_map(|&it| reasons.get(it).map(|reason| (it, *reason))).collect()
}
