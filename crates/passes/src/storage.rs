//! Decides where allocated objects live.
//!
//! ```text
//! Some 1, [1; 2], ("a", 'b')        Static: built at compile time
//! everything else                   Program: the program's region
//! ```
//!
//! Only objects without mutable fields whose parts are all constants are static: nobody
//! can tell one such object from another. `Stack` waits for an escape analysis; it
//! would be decided in [`place`].
//!
//! Phase: Mono -> Mono. Needs: nothing.

use oxbow_psg::{Const, DataKind, Mono, NodeId, NodeKind, Program, Storage, Ty, walk};

/// Sets `storage` of every node that allocates.
pub fn run(mut program: Program<Mono>) -> Program<Mono> {
    let mut order = Vec::new();
    walk::for_each_reachable(&program, |node| order.push(node));
    // Parts before wholes.
    for &node in order.iter().rev() {
        program.nodes[node].storage = place(&program, node);
    }
    program
}

/// The storage of one node; that of its operands is decided.
fn place(program: &Program<Mono>, node: NodeId) -> Storage {
    let fixed = |it: &NodeId| match &program.nodes[*it].kind {
        NodeKind::Const(_) => true,
        NodeKind::Construct { args, .. } if args.is_empty() => true,
        _ => program.nodes[*it].storage == Storage::Static,
    };
    match immutable_parts(program, node) {
        Some(parts) if parts.iter().all(fixed) => Storage::Static,
        _ => Storage::Program,
    }
}

/// The operands of a node that makes an object without mutable fields.
fn immutable_parts(program: &Program<Mono>, node: NodeId) -> Option<&[NodeId]> {
    let kind = &program.nodes[node].kind;
    let (ctor, parts) = match kind {
        NodeKind::Tuple(parts) => return Some(parts),
        NodeKind::Record(parts) => (0, parts),
        NodeKind::Construct { ctor, args } => (*ctor, args),
        _ => return None,
    };
    let Ty::Data(data, _) = program.types.get(program.ty(node)) else { return None };
    let fields = match &program.types.datas[*data].kind {
        DataKind::Record(fields) => fields,
        DataKind::Variant(ctors) => &ctors[ctor as usize].fields,
    };
    (!parts.is_empty() && fields.iter().all(|it| !it.mutable)).then_some(parts)
}

/// The node is a constant or an object that will be static.
pub(crate) fn is_literal(program: &Program<Mono>, node: NodeId) -> bool {
    let mut work = vec![node];
    while let Some(node) = work.pop() {
        match &program.nodes[node].kind {
            NodeKind::Const(Const::String(_)) | NodeKind::Const(_) => (),
            NodeKind::Construct { args, .. } if args.is_empty() => (),
            _ => match immutable_parts(program, node) {
                Some(parts) => work.extend(parts),
                None => return false,
            },
        }
    }
    true
}
