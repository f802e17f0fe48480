//! Floats beyond what machines and the C library offer under one name.

unsafe extern "C" {
    fn ldexp(value: f64, exponent: libc::c_int) -> f64;
    fn frexp(value: f64, exponent: *mut libc::c_int) -> f64;
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
