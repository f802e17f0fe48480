//! Checks that functions marked `[@zero_alloc]` allocate nothing that is counted.
//!
//! ```text
//! let[@zero_alloc] area p = p.w *. p.h          fine
//! let[@zero_alloc] both x = [ x; x ]            error: a constructor is allocated
//! let[@zero_alloc] f x = helper x               the same for all that `helper` does
//! ```
//!
//! Objects in frames and constants are no allocations. A call of an unknown function may allocate.
//! What is made only to be raised does not count: the function does not return then. A marked
//! function is never inlined, so what is checked is what runs.
//!
//! Phase: Mono. Needs: storage is decided, known calls are marked.

use oxbow_base::{IdMap, Span};
use oxbow_diag::{Diagnostic, Diagnostics};
use oxbow_psg::{
    Callee, Effect, InlineHint, LambdaId, Mono, NodeId, NodeKind, Program, Repr, Storage, Ty, TyId,
    walk,
};

/// Whether a program has something to check.
pub fn is_needed<P>(program: &Program<P>) -> bool {
    program.lambdas.iter().any(|it| it.1.inline == InlineHint::ZeroAlloc)
}

/// Reports every marked function that allocates, with the first allocation on the way from it.
pub fn run(program: &Program<Mono>, diagnostics: &mut Diagnostics) {
    if !is_needed(program) {
        return;
    }
    for lambda in walk::reachable_lambdas(program) {
        if program.lambdas[lambda].inline == InlineHint::ZeroAlloc
            && let Some(fault) = search(program, lambda)
        {
            diagnostics.error(fault);
        }
    }
}

/// How a function is reached: its caller and the call.
type Reached = IdMap<LambdaId, Option<(LambdaId, Span)>>;

/// Goes through everything that the function calls, the nearest first.
fn search(program: &Program<Mono>, start: LambdaId) -> Option<Diagnostic> {
    let mut reached = Reached::new();
    reached.insert(start, None);
    let mut waiting = std::collections::VecDeque::from([start]);
    while let Some(lambda) = waiting.pop_front() {
        for found in scan(program, lambda) {
            match found {
                Found::Allocation(span, text) => {
                    return Some(report(program, start, lambda, &reached, (span, text)));
                }
                Found::Call(callee, span) => {
                    if reached.get(callee).is_none() {
                        reached.insert(callee, Some((lambda, span)));
                        waiting.push_back(callee);
                    }
                }
            }
        }
    }
    None
}

enum Found {
    Allocation(Span, &'static str),
    Call(LambdaId, Span),
}

/// The allocations and known calls of one function, in the order of its text.
fn scan(program: &Program<Mono>, lambda: LambdaId) -> Vec<Found> {
    let mut found = Vec::new();
    let mut work = vec![program.lambdas[lambda].body];
    while let Some(node) = work.pop() {
        let it = &program.nodes[node];
        if raises(program, node, 3) {
            continue;
        }
        match &it.kind {
            NodeKind::Apply { callee: Callee::Known(callee), .. } => {
                found.push(Found::Call(*callee, it.span));
            }
            _ => {
                if let Some(text) = allocation(program, node) {
                    found.push(Found::Allocation(it.span, text));
                }
            }
        }
        it.kind.for_each_child(|it| work.push(it));
    }
    found.sort_by_key(|it| match it {
        Found::Allocation(span, _) => (span.start, 0),
        Found::Call(_, span) => (span.start, 1),
    });
    found
}

/// Does the node always end with an exception? Looks through so many calls.
fn raises(program: &Program<Mono>, node: NodeId, calls: u32) -> bool {
    match &program.nodes[node].kind {
        NodeKind::Raise(_) => true,
        NodeKind::Let { body, .. } | NodeKind::LetRec { body, .. } => raises(program, *body, calls),
        NodeKind::Seq(nodes) => nodes.last().is_some_and(|&it| raises(program, it, calls)),
        NodeKind::Apply { callee: Callee::Known(lambda), .. } => {
            calls > 0 && raises(program, program.lambdas[*lambda].body, calls - 1)
        }
        _ => false,
    }
}

/// What a node says about its allocation, if it makes one.
fn allocation(program: &Program<Mono>, node: NodeId) -> Option<&'static str> {
    let it = &program.nodes[node];
    let counted = it.storage == Storage::Counted;
    match &it.kind {
        NodeKind::Apply { callee: Callee::Unknown, .. } => {
            Some("a function that is not known here is called, and may allocate")
        }
        NodeKind::Prim { prim, .. } if prim.effect() == Effect::Alloc => {
            Some(match program.types.get(it.ty) {
                Ty::Array(_) => "an array is allocated here",
                _ => "a string is allocated here",
            })
        }
        NodeKind::Lambda(lambda) => {
            let lambda = &program.lambdas[*lambda];
            let object = lambda.repr == Repr::Flat && !lambda.captures.is_empty();
            (counted && object).then_some("a closure is allocated here")
        }
        NodeKind::Tuple(_) => {
            (counted && !in_registers(program, it.ty)).then_some("a tuple is allocated here")
        }
        NodeKind::Record(_) => counted.then_some("a record is allocated here"),
        NodeKind::Construct { ctor, args } => {
            let object = !args.is_empty() && program.types.word_ctor(it.ty) != Some(*ctor);
            (counted && object).then_some("a constructor is allocated here")
        }
        NodeKind::Array(items) => {
            (counted && !items.is_empty()).then_some("an array is allocated here")
        }
        NodeKind::MakeExn { args, .. } => {
            (counted && !args.is_empty()).then_some("an exception is allocated here")
        }
        _ => None,
    }
}

/// Pairs of anything but pairs are no objects.
fn in_registers(program: &Program<Mono>, ty: TyId) -> bool {
    match program.types.get(ty) {
        Ty::Tuple(items) if items.len() == 2 => items.iter().all(|&it| !in_registers(program, it)),
        _ => false,
    }
}

fn report(
    program: &Program<Mono>,
    start: LambdaId,
    last: LambdaId,
    reached: &Reached,
    (span, text): (Span, &'static str),
) -> Diagnostic {
    let name = |lambda: LambdaId| match program.lambdas[lambda].name {
        Some(name) => format!("`{}`", name.as_str()),
        None => "this function".into(),
    };
    let mut path = Vec::new();
    let mut lambda = last;
    while let Some(&Some((caller, call))) = reached.get(lambda) {
        path.push((caller, lambda, call));
        lambda = caller;
    }
    path.reverse();
    let message = match name(start) {
        name if name.starts_with('`') => format!("{name} is marked `[@zero_alloc]` but allocates"),
        _ => "a function marked `[@zero_alloc]` allocates".into(),
    };
    let mut report = Diagnostic::error("E0151", message).at(span, text);
    for &(caller, callee, call) in &path {
        report = report.label(call, format!("{} calls {} here", name(caller), name(callee)));
    }
    if path.len() > 1 {
        let names: Vec<String> = path.iter().map(|it| name(it.0)).chain([name(last)]).collect();
        report = report.note(format!("the way there is {}", names.join(", ")));
    }
    report
}
