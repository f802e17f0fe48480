//! Nothing is tested, and no way is kept, for exceptions of calls that cannot raise.
//!
//! ```text
//! %v, %e = ocaml.call @f(%x)             func @f … attributes {never_raises}
//! %r = ocaml.exn.raised %e
//! cf.cond_br %r, ^out, ^on               ⟹   cf.br ^on
//! ^out: ocaml.drop %a; ocaml.raise %e        gone
//! ```
//!
//! By its signature a function may raise; that it does not is known when references are counted, and every way of an
//! exception has its drops. LLVM would find out that these ways are never taken; code that it only translates
//! (decision 68) would carry them.
//!
//! Needs: `plan_families`.

use oxbow_dialect::inspect::{
    definition, erase_unreached, key, operands, ops_of, reverse_postorder, take_way, terminator,
};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{Module, ValueLike};
use oxbow_dialect::op::{DialectOp, ExnRaised, Family, Opcode, Upstream, View, opcode, view};
use oxbow_dialect::{Val, region_of, result_of, type_key};
use rustc_hash::FxHashSet;

use crate::module::Declarations;

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let mut declarations = Declarations::new(module, context);
    let funcs = declarations.funcs.iter().filter(|it| it.never_raises());
    let families = ops_of(declarations.body).filter_map(Family::cast).filter(|it| !it.raises());
    let calm = Calm {
        functions: funcs.map(|it| it.sym_name()).collect(),
        families: families.map(|it| type_key(it.r#type())).collect(),
    };
    for &func in &declarations.funcs {
        let mut changed = false;
        for block in reverse_postorder(region_of(func.op())) {
            let Some(last) = terminator(block) else { continue };
            if opcode(last) == Opcode::Upstream(Upstream::CondBr)
                && let Some(test) = ExnRaised::defining(operands(last)[0])
                && calm.gives_none(test.exn())
            {
                take_way(&mut declarations.build, last, 1);
                changed = true;
            }
        }
        if changed {
            erase_unreached(func.op());
        }
    }
}

/// What never ends with an exception.
struct Calm<'c> {
    functions: FxHashSet<&'c str>,
    families: FxHashSet<usize>,
}

impl<'c> Calm<'c> {
    /// Is this the exception of a call that gives none?
    fn gives_none(&self, exn: Val<'c>) -> bool {
        let Some(call) = definition(exn).filter(|it| it.result_count() == 2) else { return false };
        if key(result_of(call, 1)) != key(exn) {
            return false;
        }
        match view(call) {
            View::Call(it) => self.functions.contains(it.callee()),
            View::Invoke(it) => self.families.contains(&type_key(it.callee().r#type())),
            _ => false,
        }
    }
}
