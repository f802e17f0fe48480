//! Floats beyond what machines and the C library offer under one name.

unsafe extern "C" {
    fn ldexp(value: f64, exponent: libc::c_int) -> f64;
    fn frexp(value: f64, exponent: *mut libc::c_int) -> f64;
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_float_compare(a: f64, b: f64) -> i64 {
    // A nan is below every number and equal to itself.
    i64::from(a > b) - i64::from(a < b) + i64::from(b.is_nan()) - i64::from(a.is_nan())
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_float_ldexp(value: f64, exponent: i64) -> f64 {
    let exponent = exponent.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    // SAFETY: it has no precondition.
    unsafe { ldexp(value, exponent) }
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_float_frexp_mantissa(value: f64) -> f64 {
    let mut exponent = 0;
    // SAFETY: the exponent has a place to go.
    unsafe { frexp(value, &mut exponent) }
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_float_frexp_exponent(value: f64) -> i64 {
    // For infinities and nans C leaves the exponent unspecified, OCaml's is 0.
    if !value.is_finite() {
        return 0;
    }
    let mut exponent = 0;
    // SAFETY: the exponent has a place to go.
    unsafe { frexp(value, &mut exponent) };
    exponent.into()
}

/// The hyperbolic tangent within three units in the last place, without branches: `(e^2x - 1) / (e^2x + 1)`
/// by one polynomial.
///
/// ```text
/// 2 |x| = k ln 2 + r      e^2x - 1 = 2^k (e^r - 1) + (2^k - 1)      |r| <= ln 2 / 2
/// ```
#[unsafe(no_mangle)]
pub extern "C" fn oxbow_fast_tanh(x: f64) -> f64 {
    // The quotients 1/n! from 1/2! on.
    const TERMS: [f64; 12] = [
        1.0 / 2.0,
        1.0 / 6.0,
        1.0 / 24.0,
        1.0 / 120.0,
        1.0 / 720.0,
        1.0 / 5040.0,
        1.0 / 40320.0,
        1.0 / 362880.0,
        1.0 / 3628800.0,
        1.0 / 39916800.0,
        1.0 / 479001600.0,
        1.0 / 6227020800.0,
    ];
    // ln 2 as a number of 33 bits, whose products with small integers are exact, and the rest.
    const HIGH: f64 = 6.93147180369123816490e-01;
    const LOW: f64 = 1.90821492927058770002e-10;
    // Adding this number rounds to an integer, which is then in the lowest bits.
    const ROUND: f64 = 6755399441055744.0;
    // From 20 on the result is 1; a nan stays.
    let twice = 2.0 * if x.abs() > 20.0 { 20.0 } else { x.abs() };
    let shifted = twice * core::f64::consts::LOG2_E + ROUND;
    let k = shifted - ROUND;
    let r = (twice - k * HIGH) - k * LOW;
    let power = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1.0f64.to_bits()));
    let (r2, c) = (r * r, &TERMS);
    let r4 = r2 * r2;
    let low = (c[0] + r * c[1]) + r2 * (c[2] + r * c[3]);
    let middle = (c[4] + r * c[5]) + r2 * (c[6] + r * c[7]);
    let high = (c[8] + r * c[9]) + r2 * (c[10] + r * c[11]);
    let part = r + r2 * (low + r4 * (middle + r4 * high));
    let e = power * part + (power - 1.0);
    (e / (e + 2.0)).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_total() {
        let values = [f64::NAN, f64::NEG_INFINITY, -1.0, 0.0, 1e-300, f64::INFINITY];
        for (i, a) in values.iter().enumerate() {
            for (j, b) in values.iter().enumerate() {
                assert_eq!(oxbow_float_compare(*a, *b), (i as i64 - j as i64).signum());
            }
        }
        assert_eq!(oxbow_float_compare(0.0, -0.0), 0);
    }

    #[test]
    fn exponents() {
        assert_eq!(oxbow_float_ldexp(0.75, 3), 6.0);
        assert_eq!(oxbow_float_ldexp(1.0, i64::MAX), f64::INFINITY);
        assert_eq!(oxbow_float_ldexp(1.0, i64::MIN), 0.0);
        assert_eq!(oxbow_float_frexp_mantissa(-6.0), -0.75);
        assert_eq!(oxbow_float_frexp_exponent(-6.0), 3);
        assert_eq!(oxbow_float_frexp_exponent(f64::INFINITY), 0);
        assert_eq!(oxbow_float_frexp_exponent(5e-324), -1073);
    }

    #[test]
    fn the_fast_tangent_is_near_the_exact_one() {
        let mut x = -25.0;
        while x < 25.0 {
            let (fast, exact) = (oxbow_fast_tanh(x), x.tanh());
            assert!(
                (fast - exact).abs() <= 4.0 * f64::EPSILON * exact.abs(),
                "{x}: {fast}, {exact}"
            );
            x += 0.00731;
        }
        for x in [0.0, -0.0, 1e-300, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(oxbow_fast_tanh(x).to_bits(), x.tanh().to_bits(), "{x}");
        }
        assert!(oxbow_fast_tanh(f64::NAN).is_nan());
    }
}
