//! Integers of any size, for the library's module `Z` (decision 149).
//!
//! A number lies in the program's own objects: its digits of 64 bits, the least first, and beside them how many there
//! are. Functions here get the addresses of such digits, and write their result to an object that the library has made
//! large enough; it drops zeros at the end.
//!
//! ```text
//! linear     sums, shifts, comparisons, short products   here, digit by digit
//! long       products, quotients, powers, roots, text    `dashu-int`
//! ```
//!
//! The library calls them by name, as it does functions of C (`%c.5.oxbow-runtime.…`); [`functions`] tells the JIT
//! where they are. A program that calls none of them has none of this in it.

mod linear;
mod long;

use linear::*;
use long::*;

/// A digit.
type Limb = u64;
const BITS: usize = 64;

/// The digits of a number.
///
/// # Safety
/// `count` digits lie there, and nobody changes them for as long as the caller looks at them.
unsafe fn limbs<'a>(at: *const Limb, count: i64) -> &'a [Limb] {
    // SAFETY: as above; objects are aligned for words.
    unsafe { core::slice::from_raw_parts(at, count as usize) }
}

/// Where a result goes.
///
/// # Safety
/// There is room for `count` digits, which nobody else looks at.
unsafe fn room<'a>(at: *mut Limb, count: usize) -> &'a mut [Limb] {
    // SAFETY: as above. New objects hold any bytes, and those are numbers.
    unsafe { core::slice::from_raw_parts_mut(at, count) }
}

/// A number without zeros at its end.
fn trimmed(limbs: &[Limb]) -> &[Limb] {
    let count = limbs.iter().rposition(|it| *it != 0).map_or(0, |it| it + 1);
    &limbs[..count]
}

macro_rules! functions {
    ($($name:ident),* $(,)?) => {
        /// Name and address of each function that the library calls.
        pub fn functions() -> impl Iterator<Item = (&'static str, *const ())> {
            [$((stringify!($name), $name as *const ())),*].into_iter()
        }
    };
}

functions! {
    oxbow_integer_add,
    oxbow_integer_sub,
    oxbow_integer_compare,
    oxbow_integer_mul,
    oxbow_integer_mul_fits,
    oxbow_integer_shift_left,
    oxbow_integer_shift_right,
    oxbow_integer_bits,
    oxbow_integer_count,
    oxbow_integer_divide,
    oxbow_integer_gcd,
    oxbow_integer_gcd_ext,
    oxbow_integer_pow,
    oxbow_integer_pow_mod,
    oxbow_integer_root,
    oxbow_integer_text,
    oxbow_integer_of_text,
}

#[cfg(test)]
mod tests {
    use dashu_int::{IBig, UBig};

    use super::*;

    /// Numbers without a pattern, of up to 40 digits, with some that are all ones or have zeros at the start.
    fn samples() -> Vec<Vec<Limb>> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut all: Vec<Vec<Limb>> =
            (1..=40).step_by(3).map(|count| (0..count).map(|_| next()).collect()).collect();
        all.extend([vec![1], vec![u64::MAX; 5], vec![0, 0, 1], vec![0, u64::MAX]]);
        all
    }

    fn value(limbs: &[Limb]) -> UBig {
        UBig::from_words(limbs)
    }

    #[test]
    fn sums_and_products_are_those_of_the_crate() {
        for a in samples() {
            for b in samples().into_iter().filter(|it| it.len() <= a.len()) {
                let (m, n) = (a.len() as i64, b.len() as i64);
                let mut sum = vec![7; a.len() + 1];
                unsafe { oxbow_integer_add(sum.as_mut_ptr(), a.as_ptr(), m, b.as_ptr(), n) };
                assert_eq!(value(&sum), value(&a) + value(&b));
                let mut back = vec![7; sum.len()];
                let from = sum.as_ptr();
                unsafe { oxbow_integer_sub(back.as_mut_ptr(), from, m + 1, b.as_ptr(), n) };
                assert_eq!(value(&back), value(&a));
                let mut product = vec![7; a.len() + b.len()];
                unsafe { oxbow_integer_mul(product.as_mut_ptr(), a.as_ptr(), m, b.as_ptr(), n) };
                assert_eq!(value(&product), value(&a) * value(&b));
                let (mut quotient, mut rest) = (vec![7; a.len() - b.len() + 1], vec![7; b.len()]);
                let (q, r) = (quotient.as_mut_ptr(), rest.as_mut_ptr());
                unsafe { oxbow_integer_divide(q, r, a.as_ptr(), m, b.as_ptr(), n) };
                assert_eq!(value(&quotient) * value(&b) + value(&rest), value(&a));
                assert!(value(&rest) < value(&b));
            }
        }
    }

    #[test]
    fn shifts_go_back_and_say_what_is_lost() {
        for a in samples() {
            for bits in [0, 1, 63, 64, 65, 200] {
                let count = a.len() as i64;
                let mut out = vec![7; a.len() + bits / 64 + 1];
                let size = out.len() as i64;
                unsafe {
                    oxbow_integer_shift_left(out.as_mut_ptr(), a.as_ptr(), count, bits as i64);
                }
                assert_eq!(value(&out), value(&a) << bits);
                let mut back = vec![7; out.len() - bits / 64];
                let lost = unsafe {
                    oxbow_integer_shift_right(back.as_mut_ptr(), out.as_ptr(), size, bits as i64)
                };
                assert_eq!((lost, value(&back)), (0, value(&a)));
            }
        }
        let mut out = [7];
        assert_eq!(unsafe { oxbow_integer_shift_right(out.as_mut_ptr(), [5].as_ptr(), 1, 1) }, 1);
        assert_eq!(out, [2]);
    }

    #[test]
    fn bits_are_those_of_complements() {
        let signed = |limbs: &[Limb], negative: bool| {
            let it = IBig::from(value(limbs));
            if negative { -it } else { it }
        };
        for a in samples() {
            for b in samples() {
                for (x, y) in [(false, false), (true, false), (false, true), (true, true)] {
                    let count = |limbs: &[Limb], negative: bool| {
                        if negative { -(limbs.len() as i64) } else { limbs.len() as i64 }
                    };
                    let (m, n) = (count(&a, x), count(&b, y));
                    for operation in 0..3 {
                        let mut out = vec![7; a.len().max(b.len()) + 1];
                        let to = out.as_mut_ptr();
                        let negative = unsafe {
                            oxbow_integer_bits(operation, to, a.as_ptr(), m, b.as_ptr(), n)
                        };
                        let (left, right) = (signed(&a, x), signed(&b, y));
                        let expected = match operation {
                            0 => left & right,
                            1 => left | right,
                            _ => left ^ right,
                        };
                        assert_eq!(signed(&out, negative != 0), expected);
                    }
                }
            }
        }
    }
}
