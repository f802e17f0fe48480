//! Functions of C libraries, and memory by address.
//!
//! ```text
//! bool, char    i32, as C's `int`        small integers   i32, in range
//! string        !ocaml.string: C gets the address of the bytes, which end with a NUL
//! unit          no argument, no result
//! ```

use oxbow_diag::ice;
use oxbow_dialect::melior::ir::r#type::IntegerType;
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::op;
use oxbow_dialect::{Predicate, Val};
use oxbow_psg::{IntWidth, Ty, TyId};

use crate::function::Function;

impl<'c> Function<'_, '_, 'c> {
    fn word(&self, bits: u32) -> Type<'c> {
        IntegerType::new(self.low.build.types.context, bits).into()
    }

    /// What is at an address; one and two bytes as an `int`.
    pub fn native_load(&mut self, at: Val<'c>, bits: u32) -> Val<'c> {
        let build = &self.low.build;
        let value = build.append_value(&op::NativeLoad::draft(at, self.word(bits)));
        if bits < 32 { build.tag_small(build.cast("extui", value, build.types.i64)) } else { value }
    }

    pub fn native_store(&mut self, at: Val<'c>, value: Val<'c>, bits: u32) -> Val<'c> {
        let build = &self.low.build;
        let value = if bits < 32 {
            build.cast("trunci", build.untag(value), self.word(bits))
        } else {
            value
        };
        build.append(&op::NativeStore::draft(value, at));
        self.unit()
    }

    pub fn foreign(
        &mut self,
        (name, library): (&str, &str),
        operands: &[Val<'c>],
        types: &[TyId],
        result: TyId,
    ) -> Val<'c> {
        let i32 = self.low.build.types.i32;
        let values: Vec<_> = operands
            .iter()
            .zip(types)
            .filter_map(|(&value, &ty)| match self.low.types.table.get(ty) {
                Ty::Unit => None,
                Ty::Bool | Ty::Char => Some(self.low.build.cast("extui", value, i32)),
                Ty::Int(IntWidth::I63) => Some(self.low.build.untag(value)),
                _ => Some(value),
            })
            .collect();
        let found = self.low.types.table.get(result).clone();
        let wanted = match found {
            Ty::Unit => None,
            Ty::Bool | Ty::Char => Some(i32),
            _ => Some(self.ty(result)),
        };
        let build = &self.low.build;
        let Some(wanted) = wanted else {
            build.append(&op::ForeignCall::draft(name, library, &values, &[]));
            return self.unit();
        };
        let call = op::ForeignCall::draft(name, library, &values, &[wanted]);
        let value = build.append_value(&call);
        match found {
            Ty::Bool => build.cmp(Predicate::Ne, value, build.const_int(value.r#type(), 0)),
            Ty::Char => build.cast("trunci", value, build.types.i8),
            // The upper bits of a small result are undefined.
            Ty::Int(width @ (IntWidth::I8 | IntWidth::I16 | IntWidth::U8 | IntWidth::U16)) => {
                self.narrow(width, value)
            }
            Ty::Int(IntWidth::I63) => build.tag(value),
            Ty::Int(_) | Ty::Float | Ty::Float32 => value,
            other => ice!("a function of C returns {other:?}"),
        }
    }
}
