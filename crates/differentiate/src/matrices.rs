//! Products of matrices without derivatives are an operation of the runtime.
//!
//! ```text
//! before   add_product c a b rows … = for i = 0 to rows - 1 do …        [@@known add_product]
//! after    add_product c a b rows … = %array.unsafe_add_product c a b rows …
//! ```
//!
//! The function of the library says by loops what a product is, for numbers that carry derivatives. By now those have
//! instances of their own (`emit`), and reverse sweeps that are written out call it for plain arrays (`adjoint`).

use oxbow_psg::{
    ItemKind, KnownFunction, LambdaId, Mono, NodeKind, Prim, Program, Ty, VarId, captures,
};

pub fn run(program: &mut Program<Mono>) {
    let Some(var) = program.well_known.functions.get(KnownFunction::AddProduct) else { return };
    let Some(lambda) = lambda_of(program, var) else { return };
    let params = program.lambdas[lambda].params.clone();
    // In programs with arrays of values of unknown type no array is flat.
    let is_flat = |&it: &VarId| match *program.types.get(program.vars[it].ty) {
        Ty::Array(item) => item == program.types.float,
        _ => false,
    };
    if params.len() != Prim::ArrayAddProduct.arity() || !params[..3].iter().all(is_flat) {
        return;
    }
    let old = program.lambdas[lambda].body;
    let (ty, span) = (program.ty(old), program.span(old));
    let mention = |program: &mut Program<Mono>, var: VarId| {
        let ty = program.vars[var].ty;
        program.add(NodeKind::Var { var, tyargs: Vec::new() }, ty, span)
    };
    let args = params.iter().map(|&it| mention(program, it)).collect();
    let body = program.add(NodeKind::Prim { prim: Prim::ArrayAddProduct, args }, ty, span);
    program.lambdas[lambda].body = body;
    captures::fill_all(program);
}

fn lambda_of(program: &Program<Mono>, function: VarId) -> Option<LambdaId> {
    let value = program.items.iter().find_map(|item| match &item.kind {
        ItemKind::Let { var, value } if *var == function => Some(*value),
        ItemKind::Let { .. } | ItemKind::LetRec { .. } | ItemKind::Eval(_) => None,
    })?;
    match program.nodes[value].kind {
        NodeKind::Lambda(lambda) => Some(lambda),
        _ => None,
    }
}
