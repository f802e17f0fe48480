//! Arithmetic.

use super::eval::{Result, fault};
use super::value::Value;
use crate::{FloatOp, IntOp, IntWidth, kernels};

pub(super) fn int_op(width: IntWidth, op: IntOp, args: &[Value]) -> Result<Value> {
    let a = args[0].as_width(width)?;
    if op == IntOp::Neg {
        return Ok(Value::wrap(width, a.wrapping_neg()));
    }
    let b = match op {
        // Shift counts are plain ints whatever the width.
        IntOp::Shl | IntOp::Lsr | IntOp::Asr => args[1].as_any_int()?.1,
        IntOp::Add
        | IntOp::Sub
        | IntOp::Mul
        | IntOp::Div
        | IntOp::Mod
        | IntOp::Neg
        | IntOp::And
        | IntOp::Or
        | IntOp::Xor
        | IntOp::Ult => args[1].as_width(width)?,
    };
    if matches!(op, IntOp::Div | IntOp::Mod) && b == 0 {
        return fault("an unchecked division by zero");
    }
    let count = u32::try_from(b).ok().filter(|it| *it < 64);
    let result = match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::Div if !width.signed() => ((a as u64) / (b as u64)) as i64,
        IntOp::Mod if !width.signed() => ((a as u64) % (b as u64)) as i64,
        IntOp::Div => a.wrapping_div(b),
        IntOp::Mod => a.wrapping_rem(b),
        IntOp::Neg => a.wrapping_neg(),
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::Shl => count.map_or(0, |count| a << count),
        IntOp::Lsr => count.map_or(0, |count| (unsigned(width, a) >> count) as i64),
        IntOp::Asr if !width.signed() => {
            count.map_or(0, |count| (unsigned(width, a) >> count) as i64)
        }
        IntOp::Asr => a >> count.unwrap_or(63),
        IntOp::Ult => return Ok(Value::Bool((a as u64) < (b as u64))),
    };
    Ok(Value::wrap(width, result))
}

/// The bit pattern within the width.
pub(super) fn unsigned(width: IntWidth, value: i64) -> u64 {
    value as u64 & (u64::MAX >> (64 - width.bits()))
}

/// Truncation as the machine does it: the least integer when out of range.
pub(super) fn float_to_int(width: IntWidth, value: f64) -> Value {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    let int = if (-LIMIT..LIMIT).contains(&value) {
        value as i64
    } else if width == IntWidth::U64 && (LIMIT..2.0 * LIMIT).contains(&value) {
        value as u64 as i64
    } else {
        i64::MIN
    };
    // Short ones go through 32 bits, with the least number for those that do not fit.
    let is_short = width.bits() < 63 && width != IntWidth::U32;
    let int = if is_short { i32::try_from(int).unwrap_or(i32::MIN).into() } else { int };
    Value::wrap(width, int)
}

pub(super) fn float_op(op: FloatOp, args: &[Value]) -> Result<Value> {
    let a = args[0].as_float()?;
    let second = || args[1].as_float();
    let result = match op {
        FloatOp::Add | FloatOp::Sum => a + second()?,
        FloatOp::Sub => a - second()?,
        FloatOp::Mul => a * second()?,
        FloatOp::Div => a / second()?,
        FloatOp::Rem => a % second()?,
        FloatOp::Neg => -a,
        FloatOp::Abs => a.abs(),
        FloatOp::Pow => a.powf(second()?),
        FloatOp::Sqrt => a.sqrt(),
        FloatOp::Cbrt => a.cbrt(),
        FloatOp::Exp => a.exp(),
        FloatOp::FastExp => kernels::exp(&kernels::Machine, a),
        FloatOp::FastTanh => kernels::tanh(&kernels::Machine, a),
        FloatOp::Exp2 => a.exp2(),
        FloatOp::Expm1 => a.exp_m1(),
        FloatOp::Log => a.ln(),
        FloatOp::Log2 => a.log2(),
        FloatOp::Log10 => a.log10(),
        FloatOp::Log1p => a.ln_1p(),
        FloatOp::Sin => a.sin(),
        FloatOp::Cos => a.cos(),
        FloatOp::Tan => a.tan(),
        FloatOp::Asin => a.asin(),
        FloatOp::Acos => a.acos(),
        FloatOp::Atan => a.atan(),
        FloatOp::Atan2 => a.atan2(second()?),
        FloatOp::Sinh => a.sinh(),
        FloatOp::Cosh => a.cosh(),
        FloatOp::Tanh => a.tanh(),
        FloatOp::Asinh => a.asinh(),
        FloatOp::Acosh => a.acosh(),
        FloatOp::Atanh => a.atanh(),
        FloatOp::Erf => erf(a),
        FloatOp::Erfc => erfc(a),
        FloatOp::Ceil => a.ceil(),
        FloatOp::Floor => a.floor(),
        FloatOp::Trunc => a.trunc(),
        FloatOp::Round => a.round(),
        FloatOp::Hypot => a.hypot(second()?),
        FloatOp::CopySign => a.copysign(second()?),
        FloatOp::NextAfter => next_after(a, second()?),
        FloatOp::Fma => a.mul_add(second()?, args[2].as_float()?),
    };
    Ok(Value::Float(result))
}

fn next_after(from: f64, to: f64) -> f64 {
    if from.is_nan() || to.is_nan() {
        f64::NAN
    } else if from == to {
        to
    } else if from < to {
        from.next_up()
    } else {
        from.next_down()
    }
}

/// By its series near zero, through `erfc` elsewhere; good to some units in the last
/// place, not to the last bit.
fn erf(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x.abs() > 2.5 {
        return x.signum() * (1.0 - erfc(x.abs()));
    }
    let (mut term, mut sum, mut n) = (x, x, 0.0);
    while term.abs() > sum.abs() * 1e-18 {
        n += 1.0;
        term *= x * x * 2.0 / (2.0 * n + 1.0);
        sum += term;
    }
    sum * std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp()
}

/// By its continued fraction, evaluated from the far end.
fn erfc(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x < 2.0 {
        return 1.0 - erf(x);
    }
    let mut tail = 0.0;
    for n in (1..=120).rev() {
        tail = f64::from(n) / 2.0 / (x + tail);
    }
    (-x * x).exp() / ((x + tail) * std::f64::consts::PI.sqrt())
}

/// `mantissa * 2^exponent` with a mantissa in 0.5..1.
pub(super) fn frexp(value: f64) -> (f64, i64) {
    if value == 0.0 || !value.is_finite() {
        return (value, 0);
    }
    // A subnormal number is scaled up first.
    let (scaled, extra) = if value.is_normal() { (value, 0) } else { (value * 2f64.powi(64), -64) };
    let bits = scaled.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1022;
    (f64::from_bits(bits & !(0x7ff << 52) | (1022 << 52)), exponent + extra)
}

/// `value * 2^exponent`, rounded once.
pub(super) fn ldexp(value: f64, exponent: i64) -> f64 {
    let (mantissa, own) = frexp(value);
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let exponent = exponent.saturating_add(own);
    if exponent > 1024 {
        return f64::INFINITY.copysign(value);
    }
    if exponent < -1100 {
        return 0f64.copysign(value);
    }
    if exponent >= -1021 {
        // No rounding; in two steps since 2^1024 is no float.
        return mantissa * 2.0 * 2f64.powi((exponent - 1) as i32);
    }
    // The first step is exact, the second one rounds to a subnormal number.
    mantissa * 2f64.powi((exponent + 1000) as i32) * 2f64.powi(-1000)
}
