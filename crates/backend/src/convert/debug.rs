//! Variables that debuggers know have places in the frame.
//!
//! ```text
//! ocaml.variable %x {called = "x", …}     %0 = llvm.alloca … {ocaml.variable = …}     once, in the entry
//!                                         llvm.store %x, %0
//! ocaml.alive %x                          nothing: references have been counted
//! ```

use oxbow_diag::ice;
use oxbow_dialect::debug::Told;
use oxbow_dialect::inspect::{definition, place_of};
use oxbow_dialect::melior::ir::ValueLike as _;
use oxbow_dialect::melior::ir::operation::OperationLike as _;
use oxbow_dialect::op::{self, DialectOp as _};

use super::Converter;
use super::body::Body;
use super::llvm_ops::Access;

impl<'c> Converter<'c> {
    pub fn tell_variable(&mut self, body: &mut Body<'c>, variable: op::Variable<'c>) {
        let ty = variable.value().r#type();
        // Of one scope may be several variables of one name: what a closure holds, and a parameter.
        let key = (
            variable.called().into(),
            variable.shown().into(),
            [variable.scope(), variable.argument()],
        );
        let slot = match body.told.get(&key) {
            Some(&slot) => slot,
            None => {
                let (size, align) = self.layout.size_align(ty);
                let slot = self.frame(body, size, align);
                let place = place_of(variable.op().location());
                let (line, column) = place.map_or((1, 1), |it| (it.line, it.column));
                let Some(alloca) = definition(slot) else { ice!("a place in the frame has an op") };
                self.build.tell_variable(
                    alloca,
                    &Told {
                        name: variable.called(),
                        shown: variable.shown(),
                        size: variable.size(),
                        encoding: variable.encoding(),
                        scope: variable.scope(),
                        parent: variable.parent(),
                        argument: variable.argument(),
                        line,
                        column,
                    },
                );
                body.told.insert(key, slot);
                slot
            }
        };
        let value = body.get(variable.value());
        self.store(ty, value, slot, 0, Access::Any);
    }
}
