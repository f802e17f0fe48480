//! Warns about assignments that can make a cycle of references, which counting leaves to a scan.
//!
//! ```text
//! node.next <- Some other        `next` has a type that leads back to `node`'s
//! r := fun x -> … !r …           the closure captures `r`
//! Hashtbl.replace t k (Node t)   so does what is put into a container
//! ```
//!
//! An object can only be in a cycle if something it refers to is changed after both exist; so
//! assignments are the places to look at, and calls of functions that put one argument into another ([`Puts`]). The
//! check is by types: it says what can be, not what is. The back end asks
//! the same of its own types when it decides which stores to note for the scan (`convert/cycles.rs`); what it notes in
//! the library, and for closures that are not written at the assignment, is not reported here.
//!
//! Phase: Mono, right after `monomorphize`: calls of the library are still calls.

use oxbow_base::{FxHashSet, Span, SparseSet};
use oxbow_diag::{Diagnostic, Diagnostics};
use oxbow_psg::{DataKind, Mono, NodeId, NodeKind, Program, Ty, TyId, TypeTable, walk};

use crate::flow::{Flow, Puts};

/// Reports assignments outside of the library.
pub fn run(
    program: &Program<Mono>,
    flow: &Flow,
    is_library: &dyn Fn(Span) -> bool,
    diagnostics: &mut Diagnostics,
) {
    let mut types = program.types.clone();
    let mut puts = Puts::new(program, flow);
    let mut nodes = Vec::new();
    walk::for_each_reachable(program, |node| nodes.push(node));
    nodes.sort_unstable();
    let mut seen: FxHashSet<Span> = FxHashSet::default();
    for node in nodes {
        let span = program.nodes[node].span;
        if is_library(span) {
            continue;
        }
        if let Some(text) = fault(program, &mut types, &mut puts, is_library, node)
            && seen.insert(span)
        {
            diagnostics.warning(
                Diagnostic::warning("W0901", "this assignment can make a cycle of references")
                    .at(span, text)
                    .note(
                        "a cycle is not freed with its last use, but by a later scan, which looks at all that it holds",
                    ),
            );
        }
    }
}

/// What can refer back to what, if the node is such an assignment.
fn fault(
    program: &Program<Mono>,
    types: &mut TypeTable,
    puts: &mut Puts<'_>,
    is_library: &dyn Fn(Span) -> bool,
    node: NodeId,
) -> Option<String> {
    match &program.nodes[node].kind {
        NodeKind::SetField { object, ctor, index, value } => {
            let is_acyclic = is_acyclic(types, program.ty(*object), *ctor, *index);
            if is_acyclic { None } else { leads_back(program, types, *object, *value) }
        }
        NodeKind::Apply { args, .. } => {
            let pairs = (0..args.len()).flat_map(|it| (0..args.len()).map(move |to| (it, to)));
            pairs.into_iter().filter(|(value, object)| value != object).find_map(
                |(value, object)| {
                    let text = leads_back(program, types, args[object], args[value])?;
                    // What the user's functions store is reported where they do.
                    puts.puts(node, value, object, is_library).then_some(text)
                },
            )
        }
        _ => None,
    }
}

/// Can the value refer to the object it is put into?
fn leads_back(
    program: &Program<Mono>,
    types: &mut TypeTable,
    object: NodeId,
    value: NodeId,
) -> Option<String> {
    let target = program.ty(object);
    if !is_mutable(types, target) {
        return None;
    }
    if reaches(types, program.ty(value), target) {
        return Some("the new value can refer to the object that is changed".into());
    }
    let NodeKind::Lambda(lambda) = program.nodes[value].kind else { return None };
    let captures = &program.lambdas[lambda].captures;
    let back = captures.iter().find(|it| reaches(types, it.ty, target))?;
    let name = program.vars[back.var].name;
    Some(format!(
        "the closure captures `{}`, which can refer to the object that is changed",
        name.as_str()
    ))
}

/// Does the declaration of the field say that assignments to it make no cycle?
fn is_acyclic(types: &TypeTable, ty: TyId, ctor: u32, index: u32) -> bool {
    let Ty::Data(data, _) = types.get(ty) else { return false };
    let fields = match &types.datas[*data].kind {
        DataKind::Record(fields) => fields,
        DataKind::Variant(ctors) => &ctors[ctor as usize].fields,
    };
    fields[index as usize].acyclic
}

fn is_mutable(types: &TypeTable, ty: TyId) -> bool {
    match types.get(ty) {
        Ty::Array(_) => true,
        Ty::Data(data, _) => match &types.datas[*data].kind {
            DataKind::Record(fields) => fields.iter().any(|it| it.mutable),
            DataKind::Variant(ctors) => {
                ctors.iter().any(|it| it.fields.iter().any(|it| it.mutable))
            }
        },
        _ => false,
    }
}

/// Does a value of type `from` hold, at any depth, one of type `target`? What functions capture is
/// not in their types.
fn reaches(types: &mut TypeTable, from: TyId, target: TyId) -> bool {
    /// Types that grow without end are given up.
    const LIMIT: usize = 1000;
    let mut seen: SparseSet<TyId> = SparseSet::new();
    let mut work = vec![from];
    while let Some(ty) = work.pop() {
        if ty == target {
            return true;
        }
        if !seen.insert(ty) || seen.len() > LIMIT {
            continue;
        }
        match types.get(ty).clone() {
            Ty::Tuple(items) => work.extend(items),
            Ty::Array(item) => work.push(item),
            Ty::Data(data, args) => {
                let fields: Vec<TyId> = types.datas[data].kind.fields().map(|it| it.ty).collect();
                for field in fields {
                    work.push(types.field_type(data, &args, field));
                }
            }
            _ => (),
        }
    }
    false
}
