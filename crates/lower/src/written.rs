//! The formulas of `abi::kernels` as ops.

use oxbow_abi::kernels::Arithmetic;
use oxbow_dialect::{Builder, FloatPredicate, Val};

pub struct Written<'b, 'c>(pub &'b Builder<'c>);

impl<'c> Arithmetic for Written<'_, 'c> {
    type Number = Val<'c>;
    type Bits = Val<'c>;

    fn constant(&self, value: f64) -> Val<'c> {
        self.0.const_float(self.0.types.f64, value)
    }
    fn add(&self, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        self.0.arith("addf", a, b)
    }
    fn sub(&self, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        self.0.arith("subf", a, b)
    }
    fn mul(&self, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        self.0.arith("mulf", a, b)
    }
    fn div(&self, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        self.0.arith("divf", a, b)
    }
    fn smaller(&self, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        self.0.select(self.0.cmpf(FloatPredicate::Olt, a, b), a, b)
    }
    fn larger(&self, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        self.0.select(self.0.cmpf(FloatPredicate::Ogt, a, b), a, b)
    }
    fn unless_nan(&self, x: Val<'c>, y: Val<'c>) -> Val<'c> {
        self.0.select(self.0.cmpf(FloatPredicate::Une, x, x), x, y)
    }
    fn bits(&self, a: Val<'c>) -> Val<'c> {
        self.0.cast("bitcast", a, self.0.types.i64)
    }
    fn number(&self, a: Val<'c>) -> Val<'c> {
        self.0.cast("bitcast", a, self.0.types.f64)
    }
    fn word(&self, value: u64) -> Val<'c> {
        self.0.const_int(self.0.types.i64, value.cast_signed())
    }
    fn and(&self, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        self.0.arith("andi", a, b)
    }
    fn or(&self, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        self.0.arith("ori", a, b)
    }
    fn plus(&self, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        self.0.arith("addi", a, b)
    }
    fn shift_left(&self, a: Val<'c>, by: u64) -> Val<'c> {
        self.0.arith("shli", a, self.word(by))
    }
}
