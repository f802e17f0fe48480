//! Warns about closures that live as long as the program.
//!
//! ```text
//! let handlers = ref []
//! let add k = handlers.Value <- (fun x -> x + k) :: handlers.Value     no scope bounds the closure
//! ```
//!
//! Clef's specification knows the stack and regions. A closure that is put into something of a module can be
//! needed until the end, so its region is the program's; its memory is free again only if it is taken
//! out. For each assignment to a module's variable, each store into something that such a variable leads to, and each
//! call of a function that puts one argument into another, [`Flow`] says which closures the value can be or hold. Those
//! with captures are reported where they are made.
//!
//! Phase: Mono, right after `monomorphize`.

use oxbow_base::{FxHashSet, Span};
use oxbow_diag::{Diagnostic, Diagnostics};
use oxbow_psg::{Mono, NodeId, NodeKind, Program, Ty, VarId};

use crate::flow::{Flow, Place, PlaceId, Puts};
use crate::holds::Holds;

/// Reports closures in the files for which `is_checked` holds.
pub fn run(
    program: &Program<Mono>,
    flow: &Flow,
    is_checked: &dyn Fn(Span) -> bool,
    diagnostics: &mut Diagnostics,
) {
    let mut seen: FxHashSet<Span> = FxHashSet::default();
    for kept in kept(program, flow, is_checked) {
        let place = program.span(kept.cause);
        for held in flow.held_at(kept.value) {
            let Some((made, what)) = closure(program, flow, held) else { continue };
            // What the library makes is made by the call that the user wrote.
            let (span, what) = match program.span(made) {
                span if is_checked(span) => (span, what),
                _ => (place, "a function that the library makes".into()),
            };
            if seen.insert(span) {
                diagnostics.warning(report(program, kept.owner, place, span, &what));
            }
        }
    }
}

/// A value that is put into something of a module.
struct Kept {
    owner: VarId,
    value: PlaceId,
    cause: NodeId,
}

/// What the checked files put into modules, in the order of the program.
fn kept(program: &Program<Mono>, flow: &Flow, is_checked: &dyn Fn(Span) -> bool) -> Vec<Kept> {
    let mut found = Vec::new();
    let checked = |cause: NodeId| is_checked(program.span(cause));
    for edge in flow.edges() {
        if let Place::Var(owner) = flow.place(edge.to)
            && matches!(program.nodes[edge.cause].kind, NodeKind::Assign { .. })
            && program.vars[owner].global
            && checked(edge.cause)
        {
            found.push(Kept { owner, value: edge.from, cause: edge.cause });
        }
    }
    for store in flow.stores().iter().filter(|it| checked(it.cause)) {
        if let Some(owner) = flow.module_owner(store.object) {
            found.push(Kept { owner, value: store.value, cause: store.cause });
        }
    }
    let mut puts = Puts::new(program, flow);
    let mut holds = Holds::default();
    for (call, args) in flow.calls().filter(|it| checked(it.0)) {
        let NodeKind::Apply { args: nodes, .. } = &program.nodes[call].kind else { continue };
        let mut may_hold = |it: NodeId| holds.may_hold(&program.types, program.ty(it));
        let functions: Vec<bool> = nodes.iter().map(|&it| may_hold(it)).collect();
        // One argument holds functions, and the other has room for them.
        if functions.iter().filter(|it| **it).count() < 2 {
            continue;
        }
        for (object, &place) in args.iter().enumerate() {
            let ty = program.types.get(program.ty(nodes[object]));
            if !functions[object] || !matches!(ty, Ty::Data(..) | Ty::Array(_)) {
                continue;
            }
            let Some(owner) = place.and_then(|it| flow.module_owner(it)) else { continue };
            for (index, &value) in args.iter().enumerate().filter(|it| functions[it.0]) {
                let Some(value) = value.filter(|_| puts.puts(call, index, object, &|_| true))
                else {
                    continue;
                };
                found.push(Kept { owner, value, cause: call });
            }
        }
    }
    found.sort_by_key(|it| it.cause);
    found
}

/// The node that makes the object at a place, if that is a closure that holds something, and what it is.
fn closure(program: &Program<Mono>, flow: &Flow, place: PlaceId) -> Option<(NodeId, String)> {
    match flow.place(place) {
        Place::Made(node) => {
            let NodeKind::Lambda(lambda) = program.nodes[node].kind else { return None };
            let captures = program.lambdas[lambda].captures.iter();
            // What holds an object alone, under a name that is not the program's, is the object seen as an interface.
            let names = captures.map(|it| program.vars[it.var].name).filter(|it| !it.is_hidden());
            let names: Vec<_> = names.map(|it| format!("`{it}`")).collect();
            (!names.is_empty()).then(|| (node, format!("captures {}", names.join(", "))))
        }
        Place::Given(node) if flow.is_partial(place) => {
            Some((node, "the function that this call makes".into()))
        }
        _ => None,
    }
}

fn report(
    program: &Program<Mono>,
    owner: VarId,
    place: Span,
    closure: Span,
    what: &str,
) -> Diagnostic {
    let name = program.vars[owner].name;
    let reason = format!("put into `{name}`, which lives as long as the program");
    let mut report = Diagnostic::warning(
        "W0902",
        "nothing bounds the life of this closure but the program's end",
    );
    if place == closure {
        report = report.at(place, format!("{what} is {reason}"));
    } else {
        report = report.at(closure, what.to_string()).label(place, reason);
    }
    report
        .note(format!("its memory is free again when it is taken out of `{name}`, and not before"))
}
