//! Left-to-right evaluation for languages that promise it.
//!
//! The graph evaluates operands from the last to the first. Where more than one operand does
//! something, they are bound in the order of the text first:
//!
//! ```text
//! before   f (a ()) (b ())
//! after    let x = a () in let y = b () in f x y
//! ```

use oxbow_base::{Id as _, Symbol};
use oxbow_psg::{Compared, DataKind, NodeId, NodeKind, Poly, Prim, Program, Var};

/// For the nodes from `first` on.
pub(super) fn left_to_right(program: &mut Program<Poly>, first: NodeId) {
    // Nodes that are made here need no care.
    for index in first.index()..program.nodes.len() {
        let node = NodeId::from_index(index);
        let operands = operands(&program.nodes[node].kind);
        let last = operands.iter().rposition(|&it| !is_ready(program, it));
        let busy = operands.iter().filter(|&&it| !is_ready(program, it)).count();
        let Some(last) = last else { continue };
        // What is read before the last one that does something must be read first, too.
        let early = operands[..last].iter().any(|&it| !is_fixed(program, it));
        if busy < 2 && !early {
            continue;
        }
        bind_operands(program, node, &operands[..=last]);
    }
}

/// F# orders the cases of a union as they are declared. It is noted where OCaml's order differs.
pub(super) fn constructors_as_declared(program: &mut Program<Poly>) {
    for (_, decl) in program.types.datas.iter_mut() {
        if let (DataKind::Variant(ctors), Compared::Parts) = (&decl.kind, decl.compared) {
            let block = ctors.iter().position(|it| !it.fields.is_empty());
            let constant = ctors.iter().rposition(|it| it.fields.is_empty());
            if matches!((block, constant), (Some(a), Some(b)) if a < b) {
                decl.compared = Compared::Declared;
            }
        }
    }
}

/// The operands that the graph evaluates in reverse.
fn operands(kind: &NodeKind) -> Vec<NodeId> {
    match kind {
        NodeKind::Apply { func, args, .. } => {
            let mut all = vec![*func];
            all.extend(args);
            all
        }
        NodeKind::Prim { args, .. }
        | NodeKind::Construct { args, .. }
        | NodeKind::MakeExn { args, .. }
        | NodeKind::Jump { args, .. } => args.clone(),
        NodeKind::Tuple(items) | NodeKind::Record(items) | NodeKind::Array(items) => items.clone(),
        NodeKind::SetField { object, value, .. } => vec![*object, *value],
        NodeKind::Const(_)
        | NodeKind::Var { .. }
        | NodeKind::Lambda(_)
        | NodeKind::Let { .. }
        | NodeKind::LetRec { .. }
        | NodeKind::Assign { .. }
        | NodeKind::Seq(_)
        | NodeKind::If { .. }
        | NodeKind::Switch { .. }
        | NodeKind::While { .. }
        | NodeKind::For { .. }
        | NodeKind::TupleGet { .. }
        | NodeKind::Field { .. }
        | NodeKind::ExnField { .. }
        | NodeKind::Raise(_)
        | NodeKind::Try { .. }
        | NodeKind::Join { .. } => Vec::new(),
    }
}

/// Does evaluating it do nothing?
fn is_ready(program: &Program<Poly>, node: NodeId) -> bool {
    match &program.nodes[node].kind {
        NodeKind::Const(_) | NodeKind::Var { .. } | NodeKind::Lambda(_) => true,
        NodeKind::Construct { args, .. } => args.is_empty(),
        // Arithmetic on ready operands.
        NodeKind::Prim { prim: Prim::Int(..) | Prim::Float(_) | Prim::IntCast { .. }, args } => {
            args.iter().all(|&it| is_fixed(program, it))
        }
        _ => false,
    }
}

/// Does it do nothing, and is it the same later on?
fn is_fixed(program: &Program<Poly>, node: NodeId) -> bool {
    match &program.nodes[node].kind {
        NodeKind::Var { var, .. } => !program.vars[*var].mutable,
        _ => is_ready(program, node),
    }
}

fn bind_operands(program: &mut Program<Poly>, node: NodeId, operands: &[NodeId]) {
    let span = program.nodes[node].span;
    let ty = program.nodes[node].ty;
    let mut bound = Vec::new();
    let mut kind = program.nodes[node].kind.clone();
    for &operand in operands {
        if is_fixed(program, operand) {
            continue;
        }
        let operand_ty = program.ty(operand);
        let var = program.vars.push(Var {
            name: Symbol::new("operand"),
            ty: operand_ty,
            tyvars: Vec::new(),
            mutable: false,
            global: false,
            span,
        });
        let read = program.add(NodeKind::Var { var, tyargs: Vec::new() }, operand_ty, span);
        replace(&mut kind, operand, read);
        bound.push((var, operand));
    }
    let mut body = program.add(kind, ty, span);
    for (index, (var, value)) in bound.into_iter().enumerate().rev() {
        let made = NodeKind::Let { var, value, body };
        if index == 0 {
            program.nodes[node].kind = made;
            return;
        }
        body = program.add(made, ty, span);
    }
}

fn replace(kind: &mut NodeKind, from: NodeId, to: NodeId) {
    let swap = |it: &mut NodeId| {
        if *it == from {
            *it = to;
        }
    };
    match kind {
        NodeKind::Apply { func, args, .. } => {
            swap(func);
            args.iter_mut().for_each(swap);
        }
        NodeKind::Prim { args, .. }
        | NodeKind::Construct { args, .. }
        | NodeKind::MakeExn { args, .. }
        | NodeKind::Jump { args, .. } => args.iter_mut().for_each(swap),
        NodeKind::Tuple(items) | NodeKind::Record(items) | NodeKind::Array(items) => {
            items.iter_mut().for_each(swap);
        }
        NodeKind::SetField { object, value, .. } => {
            swap(object);
            swap(value);
        }
        _ => (),
    }
}
