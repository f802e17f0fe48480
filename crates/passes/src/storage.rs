//! Decides where allocated objects live.
//!
//! ```text
//! Some 1, [1; 2], ("a", succ)       Static: built at compile time
//! closures and objects that the     Stack: in the frame of the function
//!   frame outlives
//! everything else                   Counted: until the last reference is gone
//! ```
//!
//! Only objects without mutable fields whose parts are all constants are static: nobody
//! can tell one such object from another. A function that captures nothing is a constant. What the frame outlives is
//! found by [`Lifetime`].
//!
//! Phase: Mono -> Mono. Needs: `closure_repr`.

use oxbow_psg::effective::Effective;
use oxbow_psg::{
    Const, DataKind, LambdaId, Mono, NodeId, NodeKind, Program, Repr, Storage, Ty, walk,
};

use crate::flow::{Flow, Lifetime, TailCalls};

/// Sets `storage` of every node that allocates.
pub fn run(mut program: Program<Mono>) -> Program<Mono> {
    let mut order = Vec::new();
    walk::for_each_reachable(&program, |node| order.push(node));
    let flow = Flow::new(&program);
    let lifetime = Lifetime::new(&program, &flow, TailCalls::EndFrames);
    let functions = Effective::new(&program);
    // Parts before wholes.
    for &node in order.iter().rev() {
        let bounded =
            |program: &Program<Mono>| on_stack(program, node) && !lifetime.escapes(&flow, node);
        program.nodes[node].storage = match place(&program, &functions, node) {
            Storage::Counted if bounded(&program) => Storage::Stack,
            storage => storage,
        };
    }
    program
}

/// Can the object that this node makes live in a frame?
fn on_stack(program: &Program<Mono>, node: NodeId) -> bool {
    match &program.nodes[node].kind {
        NodeKind::Lambda(lambda) => {
            let lambda = &program.lambdas[*lambda];
            lambda.repr == Repr::Flat && !lambda.captures.is_empty()
        }
        NodeKind::Record(_) => true,
        NodeKind::Construct { ctor, args } => {
            !args.is_empty() && program.types.word_ctor(program.ty(node)) != Some(*ctor)
        }
        _ => false,
    }
}

/// The storage of one node; that of its operands is decided.
fn place(program: &Program<Mono>, functions: &Effective, node: NodeId) -> Storage {
    let is_constant = |lambda: LambdaId| {
        program.lambdas[lambda].repr == Repr::Flat && functions.captures[lambda].is_empty()
    };
    let fixed = |it: &NodeId| match &program.nodes[*it].kind {
        NodeKind::Const(_) => true,
        NodeKind::Construct { args, .. } if args.is_empty() => true,
        NodeKind::Lambda(lambda) => is_constant(*lambda),
        NodeKind::Var { var, .. } => functions.bound.get(*var).is_some_and(|it| is_constant(*it)),
        _ => program.nodes[*it].storage == Storage::Static,
    };
    match immutable_parts(program, node) {
        Some(parts) if parts.iter().all(fixed) => Storage::Static,
        _ => Storage::Counted,
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
