//! Which variable is bound to which lambda, and the calls that follow from it.
//!
//! ```text
//! before   let f = fun x y -> …    f 1 2     f 1      f 1 2 3
//! after                            f! 1 2    f 1      (f! 1 2) 3        `!`: Callee::Known
//! ```
//!
//! Splitting an over-application keeps the order of evaluation: the outer arguments
//! come first, then the inner ones, then the calls.

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::{Callee, ItemKind, LambdaId, Mono, NodeId, NodeKind, Program, VarId, walk};

/// The lambda that a variable always stands for.
pub(crate) fn bound_lambdas(program: &Program<Mono>) -> IdMap<VarId, LambdaId> {
    let mut known = IdMap::new();
    let mut bind = |var: VarId, value: NodeId| {
        if let NodeKind::Lambda(lambda) = program.nodes[value].kind
            && !program.vars[var].mutable
        {
            known.insert(var, lambda);
        }
    };
    for item in &program.items {
        match &item.kind {
            ItemKind::Let { var, value } => bind(*var, *value),
            ItemKind::LetRec { vars, values } => {
                vars.iter().zip(values).for_each(|it| bind(*it.0, *it.1))
            }
            ItemKind::Eval(_) => (),
        }
    }
    walk::for_each_reachable(program, |node| match &program.nodes[node].kind {
        NodeKind::Let { var, value, .. } => bind(*var, *value),
        NodeKind::LetRec { vars, values, .. } => {
            vars.iter().zip(values).for_each(|it| bind(*it.0, *it.1))
        }
        _ => (),
    });
    known
}

/// Marks every saturated call of a known lambda and splits over-applications. Marks that
/// do not hold any more are taken back.
pub(crate) fn resolve(program: &mut Program<Mono>) -> IdMap<VarId, LambdaId> {
    let known = bound_lambdas(program);
    let mut calls = Vec::new();
    walk::for_each_reachable(program, |node| {
        if let NodeKind::Apply { .. } = program.nodes[node].kind {
            calls.push(node);
        }
    });
    for call in calls {
        resolve_call(program, &known, call);
    }
    known
}

fn resolve_call(program: &mut Program<Mono>, known: &IdMap<VarId, LambdaId>, call: NodeId) {
    let NodeKind::Apply { func, args, .. } = &program.nodes[call].kind else { return };
    let func = *func;
    let target = match program.nodes[func].kind {
        NodeKind::Var { var, .. } => known.get(var).copied(),
        NodeKind::Lambda(lambda) => Some(lambda),
        _ => None,
    };
    let arity = target.map_or(0, |it| program.lambdas[it].params.len());
    let given = args.len();
    match target {
        Some(target) if arity == given => set_callee(program, call, Callee::Known(target)),
        Some(target) if arity < given => {
            let (first, rest) = (args[..arity].to_vec(), args[arity..].to_vec());
            let ty = program.types.split_function(program.ty(func), arity).1;
            let span = program.span(call);
            let inner = program.add(
                NodeKind::Apply { func, args: first, callee: Callee::Known(target) },
                ty,
                span,
            );
            program.nodes[call].kind =
                NodeKind::Apply { func: inner, args: rest, callee: Callee::Unknown };
        }
        _ => set_callee(program, call, Callee::Unknown),
    }
}

fn set_callee(program: &mut Program<Mono>, call: NodeId, to: Callee) {
    if let NodeKind::Apply { callee, .. } = &mut program.nodes[call].kind {
        *callee = to;
    }
}

/// Why a lambda needs an object at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueUse {
    /// No variable is bound to it.
    Anonymous,
    /// This node mentions its variable other than in a saturated call.
    Mentioned(NodeId),
    /// The compiler's own code calls it.
    WellKnown,
}

/// The lambdas that are used as values, each with the first such use. Known calls must
/// be marked.
pub(crate) fn value_uses(
    program: &Program<Mono>,
    known: &IdMap<VarId, LambdaId>,
) -> IdMap<LambdaId, ValueUse> {
    let mut uses = IdMap::new();
    // Lambdas that are bound or called where they stand.
    let mut named = IdSet::<NodeId>::new();
    let mut called = IdSet::<NodeId>::new();
    for item in &program.items {
        if !item.kind.vars().is_empty() {
            item.kind.roots().for_each(|it| {
                named.insert(it);
            });
        }
    }
    for var in program.well_known.entries() {
        if let Some(&lambda) = known.get(var) {
            uses.entry_or_insert_with(lambda, || ValueUse::WellKnown);
        }
    }
    // A node is visited before its operands, so their roles are known by then.
    walk::for_each_reachable(program, |node| match &program.nodes[node].kind {
        NodeKind::Let { var, value, .. } if !program.vars[*var].mutable => {
            named.insert(*value);
        }
        NodeKind::LetRec { values, .. } => values.iter().for_each(|&it| {
            named.insert(it);
        }),
        NodeKind::Apply { func, callee: Callee::Known(_), .. } => {
            called.insert(*func);
        }
        NodeKind::Var { var, .. } if !called.contains(node) => {
            if let Some(&lambda) = known.get(*var) {
                uses.entry_or_insert_with(lambda, || ValueUse::Mentioned(node));
            }
        }
        NodeKind::Lambda(lambda) if !named.contains(node) && !called.contains(node) => {
            uses.entry_or_insert_with(*lambda, || ValueUse::Anonymous);
        }
        _ => (),
    });
    uses
}
