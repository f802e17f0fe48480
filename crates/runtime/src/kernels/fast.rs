//! The formulas of `abi::kernels` on several numbers at once, with the bits that they have on one.
//!
//! Products and sums are never fused, so all kinds of vector instructions give the same.

use core::marker::PhantomData;

use oxbow_abi::kernels::{self, Arithmetic};

use super::lanes::Lanes;

/// The processor has the instructions of `L`: only functions that know this make one.
struct Vectors<L>(PhantomData<L>);

/// The results, which always hold. The processor must have the instructions of `L`.
#[inline(always)]
pub unsafe fn tanh<L: Lanes>(number: L) -> (L, bool) {
    (kernels::tanh(&Vectors(PhantomData), number), true)
}

/// The same for `exp`.
#[inline(always)]
pub unsafe fn exp<L: Lanes>(number: L) -> (L, bool) {
    (kernels::exp(&Vectors(PhantomData), number), true)
}

/// The methods, each written with those of the lanes.
macro_rules! by_lanes {
    ($(fn $name:ident(&self, $($parameter:ident: $ty:ty),*) $body:expr;)*) => {$(
        #[inline(always)]
        fn $name(&self, $($parameter: $ty),*) -> L {
            // SAFETY: who makes the value says that the processor has the instructions, which is all that these
            // methods ask for.
            unsafe { $body }
        }
    )*};
}

impl<L: Lanes> Arithmetic for Vectors<L> {
    type Number = L;
    type Bits = L;

    by_lanes! {
        fn constant(&self, value: f64) L::all(value);
        fn add(&self, a: L, b: L) a.add(b);
        fn sub(&self, a: L, b: L) a.sub(b);
        fn mul(&self, a: L, b: L) a.mul(b);
        fn div(&self, a: L, b: L) a.div(b);
        fn smaller(&self, a: L, b: L) a.min(b);
        fn larger(&self, a: L, b: L) L::select(b.below(a), a, b);
        fn unless_nan(&self, x: L, y: L) L::select(x.is_nan(), x, y);
        fn word(&self, value: u64) L::all(f64::from_bits(value));
        fn and(&self, a: L, b: L) a.and_bits(b);
        fn or(&self, a: L, b: L) a.or_bits(b);
        fn plus(&self, a: L, b: L) a.add_bits(b);
        fn shift_left(&self, a: L, by: u64) a.shift_bits(by);
    }

    #[inline(always)]
    fn bits(&self, a: L) -> L {
        a
    }

    #[inline(always)]
    fn number(&self, a: L) -> L {
        a
    }
}
