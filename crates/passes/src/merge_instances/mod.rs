//! Instances of one function that do the same become one function.
//!
//! ```text
//! before   module A = Map.Make (Int)      A.t, A.add, A.fold, …
//!          module B = Map.Make (Int)      B.t, B.add, B.fold, …
//! after    B.t is A.t, B.add is A.add, …
//! ```
//!
//! Each application of a functor has types and functions of its own. Where a module is applied to modules that differ,
//! only the functions that call the argument differ: `Map.Make (K).fold` is the same for all keys that are integers.
//! Two functions are equal if they stand at the same place of the source, their code has the same form, and what they
//! mention is equal; of those that mention each other all are equal if nothing tells them apart. The same holds for the
//! types that they are about (`types`).
//!
//! Only functions of the same place are merged, so what tools show of a function stays true of all its instances.
//! Exceptions and variables of a functor's body remain those of their instances, and functions that mention them as
//! well. Programs with `Marshal` stay as they are: bytes are read by the types that wrote them.
//!
//! Phase: Mono -> Mono. After all that reports at functions as they were written, before the first inlining, which
//! would make a difference of what a functor was applied to. Nothing grows.

mod text;
mod types;

use oxbow_base::{FxHashMap, Id, IdMap, Span};
use oxbow_psg::{
    Callee, ItemKind, LambdaId, Mono, NodeId, NodeKind, Prim, Program, VarId, captures, walk,
};

use crate::dead_functions::retain;
use text::Text;
use types::Types;

pub fn run(mut program: Program<Mono>) -> Program<Mono> {
    let candidates = candidates(&program);
    if candidates.is_empty() || marshals(&program) {
        return program;
    }
    let mut types = Types::new(&program);
    let texts: Vec<Text> =
        candidates.iter().map(|it| Text::of(&program, &mut types, it.lambda)).collect();
    let merged = merged(&candidates, &texts);
    if merged.vars.is_empty() {
        return program;
    }
    types.apply(&mut program);
    merged.apply(&mut program);
    captures::fill_all(&mut program);
    program
}

/// A function that an item binds.
struct Candidate {
    var: VarId,
    lambda: LambdaId,
}

/// The functions that are not alone at their place, in the order of the items.
fn candidates(program: &Program<Mono>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for item in &program.items {
        for (&var, value) in item.kind.vars().iter().zip(item.kind.roots()) {
            if let NodeKind::Lambda(lambda) = program.nodes[value].kind
                && program.well_known.entries().all(|it| it != var)
            {
                found.push(Candidate { var, lambda });
            }
        }
    }
    let place = |it: &Candidate| program.lambdas[it.lambda].span;
    let mut count: FxHashMap<Span, u32> = FxHashMap::default();
    for it in &found {
        *count.entry(place(it)).or_default() += 1;
    }
    found.retain(|it| count[&place(it)] > 1);
    found
}

fn marshals(program: &Program<Mono>) -> bool {
    let mut found = false;
    walk::for_each_reachable(program, |node| {
        if let NodeKind::Prim { prim, .. } = program.nodes[node].kind {
            found |= matches!(prim, Prim::MarshalWrite | Prim::MarshalRead | Prim::MarshalShape);
        }
    });
    found
}

/// What stands for functions that go.
struct Merged {
    vars: IdMap<VarId, VarId>,
    lambdas: IdMap<LambdaId, LambdaId>,
}

/// Which functions are equal: all of one text at first, and then fewer, until those of a class mention functions of the
/// same classes at the same places.
fn merged(candidates: &[Candidate], texts: &[Text]) -> Merged {
    let mut class_of: IdMap<VarId, usize> = IdMap::new();
    let mut known: FxHashMap<&Text, usize> = FxHashMap::default();
    for (it, text) in candidates.iter().zip(texts) {
        let next = known.len();
        class_of.insert(it.var, *known.entry(text).or_insert(next));
    }
    let mut count = known.len();
    loop {
        let mentioned = |var: VarId| match class_of.get(var) {
            Some(&class) => (true, class),
            None => (false, var.index()),
        };
        let mut known = FxHashMap::default();
        let mut finer = IdMap::new();
        for (it, text) in candidates.iter().zip(texts) {
            let mentions: Vec<_> = text.mentions.iter().map(|&it| mentioned(it)).collect();
            let next = known.len();
            finer.insert(it.var, *known.entry((mentioned(it.var), mentions)).or_insert(next));
        }
        let is_stable = known.len() == count;
        count = known.len();
        class_of = finer;
        if is_stable {
            break;
        }
    }
    let mut merged = Merged { vars: IdMap::new(), lambdas: IdMap::new() };
    let mut first: FxHashMap<usize, &Candidate> = FxHashMap::default();
    for it in candidates {
        let stands = *first.entry(class_of[it.var]).or_insert(it);
        if stands.var != it.var {
            merged.vars.insert(it.var, stands.var);
            merged.lambdas.insert(it.lambda, stands.lambda);
        }
    }
    merged
}

impl Merged {
    fn var(&self, var: VarId) -> VarId {
        self.vars.get(var).copied().unwrap_or(var)
    }

    fn apply(&self, program: &mut Program<Mono>) {
        for item in &mut program.items {
            if let ItemKind::LetRec { vars, values } = &mut item.kind {
                let stays: Vec<bool> = vars.iter().map(|&it| !self.vars.contains(it)).collect();
                retain(vars, &stays);
                retain(values, &stays);
            }
        }
        program.items.retain(|item| match &item.kind {
            ItemKind::Let { var, .. } => !self.vars.contains(*var),
            ItemKind::LetRec { vars, .. } => !vars.is_empty(),
            ItemKind::Eval(_) => true,
        });
        let mut mentions: Vec<NodeId> = Vec::new();
        walk::for_each_reachable(program, |node| mentions.push(node));
        for node in mentions {
            match &mut program.nodes[node].kind {
                NodeKind::Var { var, .. } => *var = self.var(*var),
                NodeKind::Apply { callee: Callee::Known(lambda), .. } => {
                    *lambda = self.lambdas.get(*lambda).copied().unwrap_or(*lambda);
                }
                _ => (),
            }
        }
        let known = &mut program.well_known;
        known.functions = known.functions.filter_map(|it| Some(self.var(it)));
    }
}
