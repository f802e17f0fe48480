//! Arithmetic, comparison and hashing of scalars, as primitives ask for them.
//!
//! An `int` is held as twice its value, so that sums, differences and comparisons are the
//! machine's own and 63-bit wrap-around is exact:
//!
//! ```text
//! a * b      (a >> 1) * b        a / b    (a / b) << 1       a mod b   a mod b
//! a lsl n    a << (n >> 1)       a lsr n  (a >>> n) & ~1     a asr n   (a >> n) & ~1
//! ```

use oxbow_diag::ice;
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::op;
use oxbow_dialect::{Builder, FloatPredicate, Predicate, Val};
use oxbow_psg::{FloatOp, IntOp, IntWidth, OrderOp, Ty, TyId, kernels};

use crate::function::Function;
use crate::written::Written;

impl<'c> Function<'_, '_, 'c> {
    /// Brings a result that was computed in 32 bits back into the range of a smaller type.
    pub fn narrow(&self, width: IntWidth, value: Val<'c>) -> Val<'c> {
        let build = &self.low.build;
        let ty = value.r#type();
        match width {
            IntWidth::I63 | IntWidth::I32 | IntWidth::I64 | IntWidth::U32 | IntWidth::U64 => value,
            IntWidth::U8 => build.arith("andi", value, build.const_int(ty, 0xff)),
            IntWidth::U16 => build.arith("andi", value, build.const_int(ty, 0xffff)),
            IntWidth::I8 | IntWidth::I16 => {
                let spare = build.const_int(ty, i64::from(32 - width.bits()));
                build.arith("shrsi", build.arith("shli", value, spare), spare)
            }
        }
    }

    pub fn int(&mut self, width: IntWidth, op: IntOp, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        let result = self.int_wide(width, op, a, b);
        if op == IntOp::Ult { result } else { self.narrow(width, result) }
    }

    fn int_wide(&mut self, width: IntWidth, op: IntOp, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        let build = &self.low.build;
        let ty = a.r#type();
        let tagged = width == IntWidth::I63;
        // Counts outside the width give some value, not poison; the mask costs nothing.
        let count = || {
            let plain = if tagged { build.untag(b) } else { b };
            let small = !tagged && width.bits() < 64;
            // Shifts of the sized types count by an `int`.
            let plain = match (tagged, small) {
                (true, _) => plain,
                (false, true) => build.cast("trunci", build.untag(plain), ty),
                (false, false) => build.untag(plain),
            };
            let mask = if small { 31 } else { 63 };
            build.arith("andi", plain, build.const_int(ty, mask))
        };
        let clear = |value| {
            if tagged { build.arith("andi", value, build.const_int(ty, -2)) } else { value }
        };
        match op {
            IntOp::Add => build.arith("addi", a, b),
            IntOp::Sub => build.arith("subi", a, b),
            IntOp::Mul if tagged => build.arith("muli", build.untag(a), b),
            IntOp::Mul => build.arith("muli", a, b),
            IntOp::Div if tagged => build.tag(build.arith("divsi", a, b)),
            IntOp::Mod if tagged => build.arith("remsi", a, b),
            IntOp::Div if !width.signed() => build.arith("divui", a, b),
            IntOp::Mod if !width.signed() => build.arith("remui", a, b),
            IntOp::Div | IntOp::Mod => {
                // The machine traps on the least value divided by -1.
                let minus = build.cmp(Predicate::Eq, b, build.const_int(ty, -1));
                let divisor = build.select(minus, build.const_int(ty, 1), b);
                let zero = build.const_int(ty, 0);
                if op == IntOp::Div {
                    build.select(
                        minus,
                        build.arith("subi", zero, a),
                        build.arith("divsi", a, divisor),
                    )
                } else {
                    build.select(minus, zero, build.arith("remsi", a, divisor))
                }
            }
            IntOp::Neg => ice!("negation has one operand"),
            IntOp::And => build.arith("andi", a, b),
            IntOp::Or => build.arith("ori", a, b),
            IntOp::Xor => build.arith("xori", a, b),
            IntOp::Shl => build.arith("shli", a, count()),
            // A negative number of a small type has more bits set than its own.
            IntOp::Lsr if matches!(width, IntWidth::I8 | IntWidth::I16) => {
                let mask = build.const_int(ty, (1 << width.bits()) - 1);
                build.arith("shrui", build.arith("andi", a, mask), count())
            }
            IntOp::Asr if !width.signed() => build.arith("shrui", a, count()),
            IntOp::Lsr => clear(build.arith("shrui", a, count())),
            IntOp::Asr => clear(build.arith("shrsi", a, count())),
            IntOp::Ult => build.cmp(Predicate::Ult, a, b),
        }
    }

    pub fn int_cast(&mut self, from: IntWidth, to: IntWidth, a: Val<'c>) -> Val<'c> {
        let build = &self.low.build;
        let types = build.types;
        let wide = |it: IntWidth| it.bits() >= 63;
        let plain = if from == IntWidth::I63 { build.untag(a) } else { a };
        if from == to {
            return a;
        }
        let extend = if from.signed() { "extsi" } else { "extui" };
        let moved = match (wide(from), wide(to)) {
            (true, false) => build.cast("trunci", plain, types.i32),
            (false, true) => build.cast(extend, plain, types.i64),
            (true, true) | (false, false) => plain,
        };
        match to {
            IntWidth::I63 if !wide(from) => build.tag_small(moved),
            IntWidth::I63 => build.tag(moved),
            _ => self.narrow(to, moved),
        }
    }

    pub fn float(&mut self, op: FloatOp, args: &[Val<'c>]) -> Val<'c> {
        let build = &self.low.build;
        let f64 = build.types.f64;
        match (op, args) {
            (FloatOp::Add, &[a, b]) => build.arith("addf", a, b),
            (FloatOp::Sum, &[a, b]) => {
                let any_order = build.parsed("#arith.fastmath<reassoc>");
                build.value("arith.addf", &[a, b], f64, &[("fastmath", any_order)])
            }
            (FloatOp::Sub, &[a, b]) => build.arith("subf", a, b),
            (FloatOp::Mul, &[a, b]) => build.arith("mulf", a, b),
            (FloatOp::Div, &[a, b]) => build.arith("divf", a, b),
            (FloatOp::Neg, &[a]) => build.cast("negf", a, f64),
            (FloatOp::FastExp, &[a]) => kernels::exp(&Written(build), a),
            (FloatOp::FastTanh, &[a]) => kernels::tanh(&Written(build), a),
            (op, args) => {
                let name = match op {
                    FloatOp::Rem => "fmod",
                    FloatOp::Abs => "fabs",
                    op => op.name(),
                };
                match build.runtime_call(name, args, Some(f64)) {
                    Some(value) => value,
                    None => ice!("{name} has a result"),
                }
            }
        }
    }

    pub fn phys_eq(&mut self, ty: TyId, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        let build = &self.low.build;
        match self.low.types.table.get(ty) {
            Ty::Unit => build.const_bool(true),
            Ty::Bool | Ty::Char | Ty::Int(_) => build.cmp(Predicate::Eq, a, b),
            // A float has no address here: it is the same if its bits are, as a `nan` is.
            Ty::Float => {
                let [a, b] = [a, b].map(|it| build.cast("bitcast", it, build.types.i64));
                build.cmp(Predicate::Eq, a, b)
            }
            Ty::Float32 => {
                let [a, b] = [a, b].map(|it| build.cast("bitcast", it, build.types.i32));
                build.cmp(Predicate::Eq, a, b)
            }
            Ty::Data(..) if self.low.types.is_enumeration(ty) => build.cmp(Predicate::Eq, a, b),
            _ => build.append_value(&op::PhysEq::draft(a, b)),
        }
    }

    /// Order at scalar types and strings; at others it has been expanded.
    pub fn order(&mut self, op: OrderOp, ty: TyId, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        enum By {
            Signed,
            Unsigned,
            Float,
        }
        let by = match self.low.types.table.get(ty) {
            Ty::Unit => {
                let holds = matches!(op, OrderOp::Eq | OrderOp::Le | OrderOp::Ge);
                return match op {
                    OrderOp::Compare => self.low.build.const_int(self.low.build.types.i64, 0),
                    _ => self.low.build.const_bool(holds),
                };
            }
            Ty::String | Ty::Bytes => return self.order_strings(op, a, b),
            Ty::Bool | Ty::Char => By::Unsigned,
            Ty::Int(width) if !width.signed() => By::Unsigned,
            Ty::Int(_) => By::Signed,
            Ty::Float | Ty::Float32 => By::Float,
            Ty::Data(..) if self.low.types.is_enumeration(ty) => By::Unsigned,
            other => ice!("order at {other:?} is not expanded"),
        };
        use {FloatPredicate as F, Predicate as P};
        let build = &self.low.build;
        let test = |unsigned, signed, float| match by {
            By::Unsigned => build.cmp(unsigned, a, b),
            By::Signed => build.cmp(signed, a, b),
            By::Float => build.cmpf(float, a, b),
        };
        match op {
            OrderOp::Eq => test(P::Eq, P::Eq, F::Oeq),
            OrderOp::Ne => test(P::Ne, P::Ne, F::Une),
            OrderOp::Lt => test(P::Ult, P::Slt, F::Olt),
            OrderOp::Le => test(P::Ule, P::Sle, F::Ole),
            OrderOp::Gt => test(P::Ugt, P::Sgt, F::Ogt),
            OrderOp::Ge => test(P::Uge, P::Sge, F::Oge),
            OrderOp::Compare => {
                let wide = |it| build.cast("extui", it, build.types.i64);
                let above = wide(test(P::Ugt, P::Sgt, F::Ogt));
                let below = wide(test(P::Ult, P::Slt, F::Olt));
                let mut sign = build.arith("subi", above, below);
                if matches!(by, By::Float) {
                    // A nan is below every number and equal to itself.
                    let a_is_number = wide(build.cmpf(F::Oeq, a, a));
                    let b_is_number = wide(build.cmpf(F::Oeq, b, b));
                    sign = build.arith("addi", sign, build.arith("subi", a_is_number, b_is_number));
                }
                build.tag_small(sign)
            }
        }
    }

    fn order_strings(&mut self, op: OrderOp, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        let predicate = match op {
            OrderOp::Eq => return self.string_equal(a, b),
            OrderOp::Ne => {
                let equal = self.string_equal(a, b);
                return self.not(equal);
            }
            OrderOp::Lt => Some(Predicate::Slt),
            OrderOp::Le => Some(Predicate::Sle),
            OrderOp::Gt => Some(Predicate::Sgt),
            OrderOp::Ge => Some(Predicate::Sge),
            OrderOp::Compare => None,
        };
        let build = &self.low.build;
        let i64 = build.types.i64;
        let Some(sign) = build.runtime_call("oxbow_string_compare", &[a, b], Some(i64)) else {
            ice!("oxbow_string_compare has a result")
        };
        match predicate {
            Some(predicate) => build.cmp(predicate, sign, build.const_int(i64, 0)),
            None => build.tag_small(sign),
        }
    }

    pub fn hash(&mut self, ty: TyId, a: Val<'c>) -> Val<'c> {
        let build = &self.low.build;
        let i64 = build.types.i64;
        let (name, value) = match self.low.types.table.get(ty) {
            Ty::Unit => ("oxbow_hash_int", build.const_int(i64, 0)),
            Ty::Bool | Ty::Char => ("oxbow_hash_int", build.cast("extui", a, i64)),
            Ty::Int(IntWidth::I63) => ("oxbow_hash_int", build.untag(a)),
            Ty::Int(IntWidth::I32) => ("oxbow_hash_int32", a),
            Ty::Int(IntWidth::I64) => ("oxbow_hash_int64", a),
            Ty::Float => ("oxbow_hash_float", a),
            Ty::String | Ty::Bytes => ("oxbow_hash_string", a),
            Ty::Data(..) if self.low.types.is_enumeration(ty) => {
                ("oxbow_hash_int", build.cast("extui", a, i64))
            }
            other => ice!("hash at {other:?} is not expanded"),
        };
        match build.runtime_call(name, &[value], Some(i64)) {
            Some(hash) => build.tag_small(hash),
            None => ice!("{name} has a result"),
        }
    }
}

/// Out of range and for nan it is the least number, as the processor has it.
pub fn float_to_signed<'c>(build: &Builder<'c>, ty: Type<'c>, a: Val<'c>) -> Val<'c> {
    let least = if ty == build.types.i32 { i64::from(i32::MIN) } else { i64::MIN };
    let limit = build.const_float(build.types.f64, -(least as f64));
    let above = build.cmpf(FloatPredicate::Olt, build.cast("negf", a, build.types.f64), limit);
    let below = build.cmpf(FloatPredicate::Olt, a, limit);
    let in_range = build.arith("andi", above, below);
    build.select(in_range, build.cast("fptosi", a, ty), build.const_int(ty, least))
}
