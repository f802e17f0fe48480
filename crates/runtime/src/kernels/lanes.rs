//! Several numbers at once, as the processor can: what the formulas of kernels are written over.
//!
//! One implementation for each kind of vector instructions. A product and a sum are one step (`fused`) where
//! the C library's functions use such an instruction, and two where they do not.

use core::arch::x86_64::*;

/// Numbers side by side. All methods but the first two work on each alone.
///
/// # Safety
/// `load` and `store` access `COUNT` numbers, and nothing else. Whoever calls a method knows that the processor has
/// the instructions of the type, and that an address given to those two has so many numbers.
pub unsafe trait Lanes: Copy {
    const COUNT: usize;
    type Mask: Copy;

    unsafe fn load(from: *const f64) -> Self;
    unsafe fn store(self, to: *mut f64);
    unsafe fn all(value: f64) -> Self;
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn sub(self, other: Self) -> Self;
    unsafe fn mul(self, other: Self) -> Self;
    unsafe fn div(self, other: Self) -> Self;
    /// `a * b + self`
    unsafe fn fused(self, a: Self, b: Self) -> Self;
    /// `self - a * b`
    unsafe fn less_fused(self, a: Self, b: Self) -> Self;
    /// The smaller one; `other` if one is no number.
    unsafe fn min(self, other: Self) -> Self;
    /// Of numbers below 2^31.
    unsafe fn truncate(self) -> Self;
    unsafe fn below(self, other: Self) -> Self::Mask;
    unsafe fn is_nan(self) -> Self::Mask;
    unsafe fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// The sign of `self` with the size of `other`.
    unsafe fn sign_on(self, other: Self) -> Self;
    unsafe fn size(self) -> Self;
    /// `2^n` and `2^-n` for a whole number from -1022 to 1022.
    unsafe fn powers(self) -> (Self, Self);
    unsafe fn is_everywhere(mask: Self::Mask) -> bool;
    /// Of the bits of both.
    unsafe fn and_bits(self, other: Self) -> Self;
    unsafe fn or_bits(self, other: Self) -> Self;
    /// The sums of the bits as integers.
    unsafe fn add_bits(self, other: Self) -> Self;
    unsafe fn shift_bits(self, by: u64) -> Self;
    /// For numbers `k + WHOLE`: the entry `k mod 2^BITS` of a table of pairs, with `k / 2^BITS` added to the exponent
    /// of the second one.
    unsafe fn looked_up<const BITS: u32>(self, table: &[u64; 256]) -> (Self, Self);
}

/// Added to a whole number, it leaves the number in the last bits.
pub const WHOLE: f64 = 6_755_399_441_055_744.0;
const BIAS: i64 = 1023;
/// The exponents of a number and of its reciprocal, if both are powers of two.
const BOTH: i64 = (2 * BIAS) << 52;

/// The methods of an implementation, each written with the instructions of its type.
macro_rules! instructions {
    ($(fn $name:ident$(<const $bits:ident: u32>)?($($parameter:tt)*) $(-> $result:ty)? { $($body:tt)* })*) => {$(
        #[inline(always)]
        unsafe fn $name$(<const $bits: u32>)?($($parameter)*) $(-> $result)? {
            // SAFETY: the caller says that the processor has the instructions of the type, and for `load` and
            // `store` that the address has `COUNT` numbers. `looked_up` reads at places below `2^(BITS + 1)`, which
            // the table has.
            unsafe { $($body)* }
        }
    )*};
}

/// Any processor of this kind.
// SAFETY: 128 bits are two numbers. SSE2 is part of the architecture, so every processor has the instructions.
unsafe impl Lanes for __m128d {
    const COUNT: usize = 2;
    type Mask = __m128d;

    instructions! {
        fn load(from: *const f64) -> Self { _mm_loadu_pd(from) }
        fn store(self, to: *mut f64) { _mm_storeu_pd(to, self) }
        fn all(value: f64) -> Self { _mm_set1_pd(value) }
        fn add(self, other: Self) -> Self { _mm_add_pd(self, other) }
        fn sub(self, other: Self) -> Self { _mm_sub_pd(self, other) }
        fn mul(self, other: Self) -> Self { _mm_mul_pd(self, other) }
        fn div(self, other: Self) -> Self { _mm_div_pd(self, other) }
        fn fused(self, a: Self, b: Self) -> Self { _mm_add_pd(_mm_mul_pd(a, b), self) }
        fn less_fused(self, a: Self, b: Self) -> Self { _mm_sub_pd(self, _mm_mul_pd(a, b)) }
        fn min(self, other: Self) -> Self { _mm_min_pd(self, other) }
        fn truncate(self) -> Self { _mm_cvtepi32_pd(_mm_cvttpd_epi32(self)) }
        fn below(self, other: Self) -> Self { _mm_cmplt_pd(self, other) }
        fn is_nan(self) -> Self { _mm_cmpunord_pd(self, self) }
        fn select(mask: Self, yes: Self, no: Self) -> Self {
            _mm_or_pd(_mm_and_pd(mask, yes), _mm_andnot_pd(mask, no))
        }
        fn sign_on(self, other: Self) -> Self {
            let sign = _mm_set1_pd(-0.0);
            _mm_or_pd(_mm_and_pd(sign, self), _mm_andnot_pd(sign, other))
        }
        fn size(self) -> Self { _mm_andnot_pd(_mm_set1_pd(-0.0), self) }
        fn powers(self) -> (Self, Self) {
            let bits = _mm_castpd_si128(_mm_add_pd(self, _mm_set1_pd(WHOLE)));
            let power = _mm_slli_epi64::<52>(_mm_add_epi64(bits, _mm_set1_epi64x(BIAS)));
            let inverse = _mm_sub_epi64(_mm_set1_epi64x(BOTH), power);
            (_mm_castsi128_pd(power), _mm_castsi128_pd(inverse))
        }
        fn is_everywhere(mask: Self) -> bool { _mm_movemask_pd(mask) == 3 }
        fn and_bits(self, other: Self) -> Self { _mm_and_pd(self, other) }
        fn or_bits(self, other: Self) -> Self { _mm_or_pd(self, other) }
        fn add_bits(self, other: Self) -> Self {
            let (a, b) = (_mm_castpd_si128(self), _mm_castpd_si128(other));
            _mm_castsi128_pd(_mm_add_epi64(a, b))
        }
        fn shift_bits(self, by: u64) -> Self {
            let by = _mm_cvtsi64_si128(by.cast_signed());
            _mm_castsi128_pd(_mm_sll_epi64(_mm_castpd_si128(self), by))
        }
        fn looked_up<const BITS: u32>(self, table: &[u64; 256]) -> (Self, Self) {
            let pair = |bits: u64| {
                let place = 2 * (bits as usize & ((1 << BITS) - 1));
                (table[place], table[place + 1].wrapping_add(bits << (52 - BITS)))
            };
            let bits = _mm_castpd_si128(self);
            let low = pair(_mm_cvtsi128_si64(bits) as u64);
            let high = pair(_mm_cvtsi128_si64(_mm_unpackhi_epi64(bits, bits)) as u64);
            let both =
                |low: u64, high: u64| _mm_castsi128_pd(_mm_set_epi64x(high as i64, low as i64));
            (both(low.0, high.0), both(low.1, high.1))
        }
    }
}

/// With AVX2 and FMA.
// SAFETY: 256 bits are four numbers.
unsafe impl Lanes for __m256d {
    const COUNT: usize = 4;
    type Mask = __m256d;

    instructions! {
        fn load(from: *const f64) -> Self { _mm256_loadu_pd(from) }
        fn store(self, to: *mut f64) { _mm256_storeu_pd(to, self) }
        fn all(value: f64) -> Self { _mm256_set1_pd(value) }
        fn add(self, other: Self) -> Self { _mm256_add_pd(self, other) }
        fn sub(self, other: Self) -> Self { _mm256_sub_pd(self, other) }
        fn mul(self, other: Self) -> Self { _mm256_mul_pd(self, other) }
        fn div(self, other: Self) -> Self { _mm256_div_pd(self, other) }
        fn fused(self, a: Self, b: Self) -> Self { _mm256_fmadd_pd(a, b, self) }
        fn less_fused(self, a: Self, b: Self) -> Self { _mm256_fnmadd_pd(a, b, self) }
        fn min(self, other: Self) -> Self { _mm256_min_pd(self, other) }
        fn truncate(self) -> Self { _mm256_round_pd::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(self) }
        fn below(self, other: Self) -> Self { _mm256_cmp_pd::<_CMP_LT_OQ>(self, other) }
        fn is_nan(self) -> Self { _mm256_cmp_pd::<_CMP_UNORD_Q>(self, self) }
        fn select(mask: Self, yes: Self, no: Self) -> Self { _mm256_blendv_pd(no, yes, mask) }
        fn sign_on(self, other: Self) -> Self {
            let sign = _mm256_set1_pd(-0.0);
            _mm256_or_pd(_mm256_and_pd(sign, self), _mm256_andnot_pd(sign, other))
        }
        fn size(self) -> Self { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self) }
        fn powers(self) -> (Self, Self) {
            let bits = _mm256_castpd_si256(_mm256_add_pd(self, _mm256_set1_pd(WHOLE)));
            let power = _mm256_slli_epi64::<52>(_mm256_add_epi64(bits, _mm256_set1_epi64x(BIAS)));
            let inverse = _mm256_sub_epi64(_mm256_set1_epi64x(BOTH), power);
            (_mm256_castsi256_pd(power), _mm256_castsi256_pd(inverse))
        }
        fn is_everywhere(mask: Self) -> bool { _mm256_movemask_pd(mask) == 15 }
        fn and_bits(self, other: Self) -> Self { _mm256_and_pd(self, other) }
        fn or_bits(self, other: Self) -> Self { _mm256_or_pd(self, other) }
        fn add_bits(self, other: Self) -> Self {
            let (a, b) = (_mm256_castpd_si256(self), _mm256_castpd_si256(other));
            _mm256_castsi256_pd(_mm256_add_epi64(a, b))
        }
        fn shift_bits(self, by: u64) -> Self {
            let by = _mm_cvtsi64_si128(by.cast_signed());
            _mm256_castsi256_pd(_mm256_sll_epi64(_mm256_castpd_si256(self), by))
        }
        fn looked_up<const BITS: u32>(self, table: &[u64; 256]) -> (Self, Self) {
            const { assert!(BITS <= 7, "the table has 128 pairs") };
            let bits = _mm256_castpd_si256(self);
            let place = _mm256_and_si256(bits, _mm256_set1_epi64x((1 << BITS) - 1));
            let place = _mm256_add_epi64(place, place);
            let table = table.as_ptr().cast::<i64>();
            let first = _mm256_i64gather_epi64::<8>(table, place);
            let second = _mm256_i64gather_epi64::<8>(table.add(1), place);
            let exponent = _mm256_sll_epi64(bits, _mm_cvtsi64_si128(i64::from(52 - BITS)));
            let second = _mm256_add_epi64(second, exponent);
            (_mm256_castsi256_pd(first), _mm256_castsi256_pd(second))
        }
    }
}

/// With AVX-512.
// SAFETY: 512 bits are eight numbers.
unsafe impl Lanes for __m512d {
    const COUNT: usize = 8;
    type Mask = __mmask8;

    #[inline(always)]
    unsafe fn is_everywhere(mask: __mmask8) -> bool {
        mask == 255
    }
    instructions! {
        fn load(from: *const f64) -> Self { _mm512_loadu_pd(from) }
        fn store(self, to: *mut f64) { _mm512_storeu_pd(to, self) }
        fn all(value: f64) -> Self { _mm512_set1_pd(value) }
        fn add(self, other: Self) -> Self { _mm512_add_pd(self, other) }
        fn sub(self, other: Self) -> Self { _mm512_sub_pd(self, other) }
        fn mul(self, other: Self) -> Self { _mm512_mul_pd(self, other) }
        fn div(self, other: Self) -> Self { _mm512_div_pd(self, other) }
        fn fused(self, a: Self, b: Self) -> Self { _mm512_fmadd_pd(a, b, self) }
        fn less_fused(self, a: Self, b: Self) -> Self { _mm512_fnmadd_pd(a, b, self) }
        fn min(self, other: Self) -> Self { _mm512_min_pd(self, other) }
        fn truncate(self) -> Self { _mm512_roundscale_pd::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(self) }
        fn below(self, other: Self) -> __mmask8 { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self, other) }
        fn is_nan(self) -> __mmask8 { _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(self, self) }
        fn select(mask: __mmask8, yes: Self, no: Self) -> Self { _mm512_mask_blend_pd(mask, no, yes) }
        fn sign_on(self, other: Self) -> Self {
            let sign = _mm512_set1_epi64(i64::MIN);
            let own = _mm512_and_si512(sign, _mm512_castpd_si512(self));
            let size = _mm512_andnot_si512(sign, _mm512_castpd_si512(other));
            _mm512_castsi512_pd(_mm512_or_si512(own, size))
        }
        fn size(self) -> Self { _mm512_abs_pd(self) }
        fn and_bits(self, other: Self) -> Self { _mm512_and_pd(self, other) }
        fn or_bits(self, other: Self) -> Self { _mm512_or_pd(self, other) }
        fn add_bits(self, other: Self) -> Self {
            let (a, b) = (_mm512_castpd_si512(self), _mm512_castpd_si512(other));
            _mm512_castsi512_pd(_mm512_add_epi64(a, b))
        }
        fn shift_bits(self, by: u64) -> Self {
            let by = _mm_cvtsi64_si128(by.cast_signed());
            _mm512_castsi512_pd(_mm512_sll_epi64(_mm512_castpd_si512(self), by))
        }
        fn powers(self) -> (Self, Self) {
            let bits = _mm512_castpd_si512(_mm512_add_pd(self, _mm512_set1_pd(WHOLE)));
            let power = _mm512_slli_epi64::<52>(_mm512_add_epi64(bits, _mm512_set1_epi64(BIAS)));
            let inverse = _mm512_sub_epi64(_mm512_set1_epi64(BOTH), power);
            (_mm512_castsi512_pd(power), _mm512_castsi512_pd(inverse))
        }
        fn looked_up<const BITS: u32>(self, table: &[u64; 256]) -> (Self, Self) {
            const { assert!(BITS <= 7, "the table has 128 pairs") };
            let bits = _mm512_castpd_si512(self);
            let place = _mm512_and_si512(bits, _mm512_set1_epi64((1 << BITS) - 1));
            let place = _mm512_add_epi64(place, place);
            let table = table.as_ptr();
            let first = _mm512_i64gather_epi64::<8>(place, table.cast());
            let second = _mm512_i64gather_epi64::<8>(place, table.add(1).cast());
            let exponent = _mm512_sll_epi64(bits, _mm_cvtsi64_si128(i64::from(52 - BITS)));
            let second = _mm512_add_epi64(second, exponent);
            (_mm512_castsi512_pd(first), _mm512_castsi512_pd(second))
        }
    }
}
