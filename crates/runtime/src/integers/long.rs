//! What `dashu-int` does. Its numbers own their memory, so operands and results are copied, which takes little time
//! beside the work.

use core::fmt::Write;

use dashu_int::fast_div::ConstDivisor;
use dashu_int::monty::MontgomeryRepr;
use dashu_int::ops::{DivRem, ExtendedGcd, Gcd, SquareRoot};
use dashu_int::{IBig, Sign, UBig};

use super::{Limb, limbs, room};

fn store(out: &mut [Limb], number: &UBig) {
    let words = number.as_words();
    let count = words.len().min(out.len());
    out[..count].copy_from_slice(&words[..count]);
    out[count..].fill(0);
}

unsafe fn number(at: *const Limb, count: i64) -> UBig {
    // SAFETY: callers pass a number.
    UBig::from_words(unsafe { limbs(at, count) })
}

pub(super) fn multiply(out: &mut [Limb], a: &[Limb], b: &[Limb]) {
    let left = UBig::from_words(a);
    let product = if a == b { left.sqr() } else { left * UBig::from_words(b) };
    store(out, &product);
}

/// Quotient and remainder of `a` and `b`, which is not zero and not longer than `a`. The quotient has room for
/// `a_count - b_count + 1` digits, the remainder for `b_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_integer_divide(
    quotient: *mut Limb,
    remainder: *mut Limb,
    a: *const Limb,
    a_count: i64,
    b: *const Limb,
    b_count: i64,
) {
    // SAFETY: the library passes numbers and new objects with room for the results.
    unsafe {
        let quotient = room(quotient, (a_count - b_count) as usize + 1);
        let remainder = room(remainder, b_count as usize);
        let (x, y) = (limbs(a, a_count), limbs(b, b_count));
        let (q, r) = match *y {
            [y] => {
                let (q, r) = UBig::from_words(x).div_rem(y);
                (q, UBig::from(r))
            }
            _ => UBig::from_words(x).div_rem(UBig::from_words(y)),
        };
        store(quotient, &q);
        store(remainder, &r);
    }
}

/// `out` has as many digits as the shorter one; none is zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_integer_gcd(
    out: *mut Limb,
    a: *const Limb,
    a_count: i64,
    b: *const Limb,
    b_count: i64,
) {
    // SAFETY: as above.
    unsafe {
        let out = room(out, a_count.min(b_count) as usize);
        store(out, &number(a, a_count).gcd(number(b, b_count)));
    }
}

/// The greatest common divisor, as above, and the factor of `a` that makes it, which has as many digits as `b`: is that
/// negative?
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_integer_gcd_ext(
    out: *mut Limb,
    factor: *mut Limb,
    a: *const Limb,
    a_count: i64,
    b: *const Limb,
    b_count: i64,
) -> i64 {
    // SAFETY: as above.
    unsafe {
        let out = room(out, a_count.min(b_count) as usize);
        let factor = room(factor, b_count as usize);
        let (divisor, s, _): (UBig, IBig, IBig) = number(a, a_count).gcd_ext(number(b, b_count));
        let (sign, s) = s.into_parts();
        store(out, &divisor);
        store(factor, &s);
        i64::from(sign == Sign::Negative)
    }
}

/// `out = a^exponent`, which has at most `count` digits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_integer_pow(
    out: *mut Limb,
    count: i64,
    a: *const Limb,
    a_count: i64,
    exponent: i64,
) {
    // SAFETY: as above.
    unsafe { store(room(out, count as usize), &number(a, a_count).pow(exponent as usize)) }
}

/// `out = a^exponent` modulo `modulus`, which is not zero, and whose digits `out` has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_integer_pow_mod(
    out: *mut Limb,
    a: *const Limb,
    a_count: i64,
    exponent: *const Limb,
    exponent_count: i64,
    modulus: *const Limb,
    modulus_count: i64,
) {
    // SAFETY: as above.
    unsafe {
        let (a, exponent) = (number(a, a_count), number(exponent, exponent_count));
        let is_odd = limbs(modulus, modulus_count).first().is_some_and(|it| it & 1 == 1);
        let modulus = number(modulus, modulus_count);
        let result = if is_odd && !modulus.is_one() {
            MontgomeryRepr::new(modulus).reduce(a).pow(&exponent).residue()
        } else {
            ConstDivisor::new(modulus).reduce(a).pow(&exponent).residue()
        };
        store(room(out, modulus_count as usize), &result);
    }
}

/// The whole part of a root, of at most `count` digits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_integer_root(
    out: *mut Limb,
    count: i64,
    a: *const Limb,
    a_count: i64,
    degree: i64,
) {
    // SAFETY: as above.
    unsafe {
        let a = number(a, a_count);
        let root = if degree == 2 { a.sqrt() } else { a.nth_root(degree as usize) };
        store(room(out, count as usize), &root);
    }
}

/// Text of which as much is kept as there is room for.
struct Text<'a> {
    room: &'a mut [u8],
    used: usize,
}

impl Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let count = text.len().min(self.room.len() - self.used);
        self.room[self.used..][..count].copy_from_slice(&text.as_bytes()[..count]);
        self.used += count;
        Ok(())
    }
}

/// Writes digits in the radix, at most `size`: how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_integer_text(
    out: *mut u8,
    size: i64,
    a: *const Limb,
    count: i64,
    radix: i64,
) -> i64 {
    // SAFETY: as above; the room is that of new bytes.
    unsafe {
        let room = core::slice::from_raw_parts_mut(out, size as usize);
        let mut text = Text { room, used: 0 };
        // Writing to memory does not fail.
        let _ = write!(text, "{}", number(a, count).in_radix(radix as u8));
        text.used as i64
    }
}

/// Reads `length` digits of the radix, which are such digits, from a place in a text into `count` digits of ours.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_integer_of_text(
    out: *mut Limb,
    count: i64,
    text: *const u8,
    from: i64,
    length: i64,
    radix: i64,
) {
    // SAFETY: as above; the text is ASCII.
    unsafe {
        let digits = core::slice::from_raw_parts(text.add(from as usize), length as usize);
        let digits = core::str::from_utf8_unchecked(digits);
        let found = UBig::from_str_radix(digits, radix as u32).unwrap_or(UBig::ZERO);
        store(room(out, count as usize), &found);
    }
}
