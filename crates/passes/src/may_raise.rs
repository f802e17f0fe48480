//! Finds the functions whose calls never end with an exception.
//!
//! ```text
//! fun x -> x + 1                                  raises = false
//! fun x -> if x < 0 then raise Exit else x        raises = true
//! fun x -> try f x with _ -> 0                    raises = false, whatever `f` does
//! ```
//!
//! A call through a closure may raise, so a lambda that is used as a value is called by
//! people who expect that: `raises` stays true. Functions that call each other in tail
//! position agree, since a call outside of a `Try` passes the property on; so a tail
//! call in a cycle never needs to change the convention.
//!
//! Phase: Mono -> Mono. Needs: known calls are marked.

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::{Callee, LambdaId, Mono, NodeId, NodeKind, Program, walk};

use crate::known_calls;

/// Sets `raises` of every lambda.
pub fn run(mut program: Program<Mono>) -> Program<Mono> {
    let raising = analyze(&program);
    for (id, lambda) in program.lambdas.iter_mut() {
        lambda.raises = raising.contains(id);
    }
    program
}

/// The lambdas that may raise.
pub fn analyze(program: &Program<Mono>) -> IdSet<LambdaId> {
    let lambdas = walk::reachable_lambdas(program);
    let known = known_calls::bound_lambdas(program);
    let mut raising: IdSet<LambdaId> =
        known_calls::value_uses(program, &known).iter().map(|it| it.0).collect();
    let mut callers: IdMap<LambdaId, Vec<LambdaId>> = IdMap::new();
    for &lambda in &lambdas {
        let direct = scan(program, program.lambdas[lambda].body, |callee| {
            callers.entry_or_insert_with(callee, Vec::new).push(lambda);
        });
        if direct {
            raising.insert(lambda);
        }
    }
    let mut work: Vec<LambdaId> = raising.iter().collect();
    while let Some(lambda) = work.pop() {
        for &caller in callers.get(lambda).map_or(&[][..], |it| it) {
            if raising.insert(caller) {
                work.push(caller);
            }
        }
    }
    raising
}

/// Looks at code that no `Try` of the same function protects: true if it raises itself
/// or calls something unknown; known callees are reported.
fn scan(program: &Program<Mono>, root: NodeId, mut call: impl FnMut(LambdaId)) -> bool {
    let mut raises = false;
    let mut work = vec![root];
    while let Some(node) = work.pop() {
        let kind = &program.nodes[node].kind;
        match kind {
            NodeKind::Raise(_) => raises = true,
            NodeKind::Apply { callee, .. } => match *callee {
                Callee::Known(lambda) => call(lambda),
                Callee::Unknown => raises = true,
            },
            NodeKind::Try { handler, .. } => {
                work.push(*handler);
                continue;
            }
            _ => (),
        }
        kind.for_each_child(|it| work.push(it));
    }
    raises
}
