//! Values that phrases of a prompt leave for those that come later.
//!
//! ```text
//! %prompt.keep 3 e            ocaml.global_store %e, @"prompt:3"
//! let x = %prompt.kept 3      x is the variable @"prompt:3" itself: nothing runs
//! ```
//!
//! Each phrase is a module of its own. The variable is declared in all that mention it, under one name; the loader
//! makes one of them.

use oxbow_base::IdMap;
use oxbow_diag::ice;
use oxbow_dialect::melior::ir::Type;
use oxbow_psg::{Const, ItemKind, Mono, NodeId, NodeKind, Prim, Program, VarId};

use crate::Lowering;

/// The name of the variable that holds the value of a number.
pub fn symbol(number: i64) -> String {
    format!("prompt:{number}")
}

/// The number of the place that a node reads, if it is one.
pub fn number(program: &Program<Mono>, node: NodeId) -> Option<i64> {
    match &program.nodes[node].kind {
        NodeKind::Prim { prim: Prim::Kept, args } => Some(constant(program, args[0])),
        _ => None,
    }
}

/// The variables that stand for places.
pub fn variables(program: &Program<Mono>) -> IdMap<VarId, i64> {
    let mut found = IdMap::new();
    for item in &program.items {
        if let ItemKind::Let { var, value } = item.kind
            && let Some(number) = number(program, value)
        {
            found.insert(var, number);
        }
    }
    found
}

fn constant(program: &Program<Mono>, node: NodeId) -> i64 {
    match program.nodes[node].kind {
        NodeKind::Const(Const::Int(_, number)) => number,
        _ => ice!("the number of a place is a constant"),
    }
}

impl<'c> Lowering<'_, 'c> {
    /// The variable of a place, declared.
    pub fn kept_place(&mut self, number: NodeId, ty: Type<'c>) -> String {
        self.declare_kept(constant(self.program, number), ty)
    }

    pub fn declare_kept(&mut self, number: i64, ty: Type<'c>) -> String {
        let symbol = symbol(number);
        let Some(body) = self.body else { ice!("the module has a block") };
        if self.kept.insert(symbol.clone()) {
            let block = self.build.block();
            self.build.set_block(body);
            self.build.global(&symbol, ty);
            self.build.set_block(block);
        }
        symbol
    }
}
