//! `exp` and `tanh` without branches and tables, so that loops over them become vector instructions.
//!
//! ```text
//! exp x  = 2^n * (1 + r + r^2 * p(r))        n whole, |r| <= ln 2 / 2, p the series of e^r
//! tanh x = m / (m + 2)                       m = e^(2x) - 1 by the same reduction, for x > 0; odd
//! ```
//!
//! Within 1 and 4 units in the last place. The formulas are written once, over `Arithmetic`: the interpreter computes
//! with them, `lower` writes them down, and the runtime computes many numbers with vector instructions, so all give the
//! same bits.

pub trait Arithmetic {
    type Number: Copy;
    /// An integer of 64 bits, and the bits of a number.
    type Bits: Copy;

    fn constant(&self, value: f64) -> Self::Number;
    fn add(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn sub(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn mul(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn div(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// `a` where `a < b`, else `b`; also where one of them is no number.
    fn smaller(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn larger(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// `x` where it is no number, else `y`.
    fn unless_nan(&self, x: Self::Number, y: Self::Number) -> Self::Number;
    fn bits(&self, a: Self::Number) -> Self::Bits;
    fn number(&self, a: Self::Bits) -> Self::Number;
    fn word(&self, value: u64) -> Self::Bits;
    fn and(&self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    fn or(&self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    fn plus(&self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    fn shift_left(&self, a: Self::Bits, by: u64) -> Self::Bits;
}

/// Added to a number, it leaves the nearest whole number in the last bits.
const WHOLE: f64 = 6_755_399_441_055_744.0;
const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
const SIGN: u64 = 1 << 63;
/// 1/2!, 1/3!, …, 1/13!.
const SERIES: [f64; 12] = [
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5_040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
    1.0 / 6_227_020_800.0,
];

/// The whole number `n` next to `x / ln 2`, and `e^(x - n ln 2) - 1`.
#[inline(always)]
fn reduced<A: Arithmetic>(on: &A, x: A::Number) -> (A::Number, A::Number) {
    let scaled = on.mul(x, on.constant(core::f64::consts::LOG2_E));
    let n = on.sub(on.add(scaled, on.constant(WHOLE)), on.constant(WHOLE));
    let r = on.sub(x, on.mul(n, on.constant(LN_2_HIGH)));
    let r = on.sub(r, on.mul(n, on.constant(LN_2_LOW)));
    let mut p = on.constant(SERIES[SERIES.len() - 1]);
    for &term in SERIES.iter().rev().skip(1) {
        p = on.add(on.mul(p, r), on.constant(term));
    }
    (n, on.add(r, on.mul(on.mul(r, r), p)))
}

/// `2^n` for a whole number from -1022 to 1023.
#[inline(always)]
fn power_of_two<A: Arithmetic>(on: &A, n: A::Number) -> A::Number {
    let n = on.bits(on.add(n, on.constant(WHOLE)));
    on.number(on.shift_left(on.plus(n, on.word(1023)), 52))
}

#[inline(always)]
pub fn exp<A: Arithmetic>(on: &A, x: A::Number) -> A::Number {
    // Beyond, the result is 0 or infinite.
    let within = on.larger(on.smaller(x, on.constant(710.0)), on.constant(-750.0));
    let (n, e) = reduced(on, within);
    // In two factors: the power alone may be too large or too small for a number.
    let half = on.add(on.mul(n, on.constant(0.5)), on.constant(WHOLE));
    let half = on.sub(half, on.constant(WHOLE));
    let first = power_of_two(on, half);
    let second = power_of_two(on, on.sub(n, half));
    let value = on.mul(on.mul(on.add(on.constant(1.0), e), first), second);
    on.unless_nan(x, value)
}

#[inline(always)]
pub fn tanh<A: Arithmetic>(on: &A, x: A::Number) -> A::Number {
    let sign = on.and(on.bits(x), on.word(SIGN));
    let size = on.number(on.and(on.bits(x), on.word(!SIGN)));
    // From there on it is 1.
    let size = on.smaller(size, on.constant(22.0));
    let (n, e) = reduced(on, on.add(size, size));
    let power = power_of_two(on, n);
    let m = on.add(on.mul(power, e), on.sub(power, on.constant(1.0)));
    let value = on.div(m, on.add(m, on.constant(2.0)));
    on.unless_nan(x, on.number(on.or(on.bits(value), sign)))
}

/// Computes.
pub struct Machine;

impl Arithmetic for Machine {
    type Number = f64;
    type Bits = u64;

    fn constant(&self, value: f64) -> f64 {
        value
    }
    fn add(&self, a: f64, b: f64) -> f64 {
        a + b
    }
    fn sub(&self, a: f64, b: f64) -> f64 {
        a - b
    }
    fn mul(&self, a: f64, b: f64) -> f64 {
        a * b
    }
    fn div(&self, a: f64, b: f64) -> f64 {
        a / b
    }
    fn smaller(&self, a: f64, b: f64) -> f64 {
        if a < b { a } else { b }
    }
    fn larger(&self, a: f64, b: f64) -> f64 {
        if a > b { a } else { b }
    }
    fn unless_nan(&self, x: f64, y: f64) -> f64 {
        if x.is_nan() { x } else { y }
    }
    fn bits(&self, a: f64) -> u64 {
        a.to_bits()
    }
    fn number(&self, a: u64) -> f64 {
        f64::from_bits(a)
    }
    fn word(&self, value: u64) -> u64 {
        value
    }
    fn and(&self, a: u64, b: u64) -> u64 {
        a & b
    }
    fn or(&self, a: u64, b: u64) -> u64 {
        a | b
    }
    fn plus(&self, a: u64, b: u64) -> u64 {
        a.wrapping_add(b)
    }
    fn shift_left(&self, a: u64, by: u64) -> u64 {
        a << by
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::{Machine, exp, tanh};

    /// The distance in units of the last place.
    fn units(a: f64, b: f64) -> f64 {
        if a == b || (a.is_nan() && b.is_nan()) {
            return 0.0;
        }
        (a - b).abs() / (b.abs().next_up() - b.abs())
    }

    /// Numbers of all sizes, by a generator of Marsaglia's.
    fn numbers(count: usize, mut each: impl FnMut(f64)) {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..count {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let fraction = (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
            for range in [1e-300, 1e-17, 1e-8, 1e-3, 0.5, 1.0, 2.0, 4.0, 50.0, 1500.0] {
                each(fraction * range);
            }
        }
    }

    #[test]
    fn within_units_of_the_c_library() {
        let (mut worst_exp, mut worst_tanh) = (0.0_f64, 0.0_f64);
        numbers(200_000, |x| {
            worst_exp = worst_exp.max(units(exp(&Machine, x), x.exp()));
            worst_tanh = worst_tanh.max(units(tanh(&Machine, x), x.tanh()));
        });
        assert!(worst_exp <= 1.0, "exp: {worst_exp} units");
        assert!(worst_tanh <= 4.0, "tanh: {worst_tanh} units");
    }

    #[test]
    fn edges() {
        for x in [0.0, -0.0, 5e-324, -5e-324, 1e-310, f64::NAN, f64::INFINITY, -f64::INFINITY] {
            assert!(units(exp(&Machine, x), x.exp()) <= 1.0, "exp {x}");
            assert!(units(tanh(&Machine, x), x.tanh()) <= 1.0, "tanh {x}");
            assert_eq!(tanh(&Machine, x).is_sign_negative(), x.tanh().is_sign_negative());
        }
        for x in [709.78, 709.79, 710.0, 1e300, -745.1, -745.2, -750.0, -1e300, f64::MAX] {
            assert!(units(exp(&Machine, x), x.exp()) <= 1.0, "exp {x}");
        }
        for x in [19.0, 19.1, 22.0, 23.0, 1e300, -22.0, -1e300] {
            assert!(units(tanh(&Machine, x), x.tanh()) <= 1.0, "tanh {x}");
        }
    }
}
