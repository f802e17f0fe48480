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
//! The library calls them by name, as it does functions of C (`%c.5.oxbow-runtime.…`); [`functions`] tells the JIT where
//! they are. A program that calls none of them has none of this in it.

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
