//! `tanh` of many numbers, several at once, with the bits of the C library's.
//!
//! ```text
//! tanh x = 1 - 2 / (m + 2)      m = e^(2|x|) - 1,  for |x| >= 1
//!        = -m / (m + 2)         m = e^(-2|x|) - 1, for |x| < 1; odd
//! ```
//!
//! The formulas are those of the C library (for `e^y - 1`: reduction by multiples of ln 2, a quotient of polynomials, and a last
//! step that depends on the multiple), with all branches computed and one selected. The library's `expm1` fuses products
//! and sums on processors that can, so there are both forms. Before the first use each form is compared with the library's `tanh` on
//! numbers at which versions differ; if none agrees, the library computes every number.

use core::sync::atomic::{AtomicU8, Ordering};

use crate::object::data;

unsafe extern "C" {
    fn tanh(value: f64) -> f64;
}

const UNKNOWN: u8 = 0;
const LIBRARY: u8 = 1;
#[cfg(target_arch = "x86_64")]
const SSE2: u8 = 2;
#[cfg(target_arch = "x86_64")]
const AVX2: u8 = 3;
#[cfg(target_arch = "x86_64")]
const AVX512: u8 = 4;

static FORM: AtomicU8 = AtomicU8::new(UNKNOWN);

/// How many numbers are worked on at a time.
const BLOCK: usize = 8;

/// Replaces `count` floats of an array by their `tanh`: those at `start`, `start + step`, ….
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_tanh(array: *mut u8, start: i64, step: i64, count: i64) {
    if count <= 0 {
        return;
    }
    let form = match FORM.load(Ordering::Relaxed) {
        UNKNOWN => choose(),
        form => form,
    };
    // SAFETY: the places are within the array.
    unsafe {
        let first = data(array).cast::<f64>().offset(start as isize);
        let (step, mut left) = (step as isize, count as usize);
        let mut at = first;
        while left >= BLOCK && step == 1 {
            block(form, &mut *at.cast::<[f64; BLOCK]>());
            at = at.add(BLOCK);
            left -= BLOCK;
        }
        while left > 0 {
            let some = left.min(BLOCK);
            let mut numbers = [0.0; BLOCK];
            for (index, number) in numbers.iter_mut().enumerate().take(some) {
                *number = at.offset(index as isize * step).read();
            }
            block(form, &mut numbers);
            for (index, &number) in numbers.iter().enumerate().take(some) {
                at.offset(index as isize * step).write(number);
            }
            at = at.wrapping_offset(some as isize * step);
            left -= some;
        }
    }
}

fn block(form: u8, numbers: &mut [f64; BLOCK]) {
    match form {
        // SAFETY: the processor has the instructions of its form.
        #[cfg(target_arch = "x86_64")]
        SSE2 => unsafe { x86::sse2(numbers) },
        #[cfg(target_arch = "x86_64")]
        AVX2 => unsafe { x86::avx2(numbers) },
        #[cfg(target_arch = "x86_64")]
        AVX512 => unsafe { x86::avx512(numbers) },
        // SAFETY: it has no precondition.
        _ => numbers.iter_mut().for_each(|it| *it = unsafe { tanh(*it) }),
    }
}

#[cold]
fn choose() -> u8 {
    let form = forms().into_iter().find(|&it| agrees(it)).unwrap_or(LIBRARY);
    FORM.store(form, Ordering::Relaxed);
    form
}

/// Does a form give the bits of the library?
fn agrees(form: u8) -> bool {
    PROBES.iter().all(|probes| {
        // The compiler must not ask the library of the machine it runs on.
        let probes = core::hint::black_box(probes);
        let mut numbers = *probes;
        block(form, &mut numbers);
        // SAFETY: it has no precondition.
        numbers.iter().zip(probes).all(|(it, &x)| it.to_bits() == unsafe { tanh(x) }.to_bits())
    })
}

/// Numbers of each case of the formulas. The first three rows have other last bits with and without fused
/// operations; about every tenth number of the others is not rounded correctly.
#[rustfmt::skip]
const PROBES: [[f64; BLOCK]; 8] = [
    [-0.09847385233985229, 0.14066821007782115, 0.14293155800675794, -0.0917990869298686, -0.14116853745052094, 0.055769085228435544, -0.15640922280485658, 0.10273592843587265],
    [0.12906844884114166, 0.09295796764726594, -0.17476621627781974, 0.1515223005404983, -0.223767588395263, -0.12433863645749327, 0.23294173505533244, -0.17328678812109866],
    [0.15789081002865657, 0.09674481294898357, 0.5425019713444681, 0.14656628161545693, 1.622902, -4.225361, 6.590387, 19.251854],
    [-0.128384, 0.336018, 0.308702, -0.786249, 1.943357, 3.946924, -6.801801, 8.471678],
    [0.085051, -0.214383, 0.463128, 0.829576, -1.013114, 2.650189, 5.558965, -18.91249],
    [0.132516, 0.198729, -0.539144, 0.655507, 1.617453, -2.380098, 5.00355, 18.328262],
    [-0.043513, 0.208787, 0.594726, -0.948963, 1.289305, 4.884434, -6.078447, 15.811796],
    [0.042765, -0.339376, 0.507193, 0.986626, -1.893742, 2.896367, 5.72238, -9.157429],
];

/// Those that the processor can run, fastest first.
#[cfg(target_arch = "x86_64")]
fn forms() -> [u8; 3] {
    use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
    // SAFETY: every processor of this kind has the instruction; the others are asked for first.
    let (has_fma, extended, state) = unsafe {
        let basic = __cpuid(1).ecx;
        let saves = basic & (1 << 27) != 0;
        let extended = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
        (
            basic & (1 << 12) != 0 && basic & (1 << 28) != 0,
            extended,
            if saves { state() } else { 0 },
        )
    };
    #[target_feature(enable = "xsave")]
    unsafe fn state() -> u64 {
        unsafe { _xgetbv(0) }
    }
    let avx2 = has_fma && state & 6 == 6 && extended & (1 << 5) != 0;
    // Foundation and 64-bit operations.
    let wide = (1 << 16) | (1 << 17);
    let avx512 = avx2 && state & 0xE6 == 0xE6 && extended & wide == wide;
    [if avx512 { AVX512 } else { SSE2 }, if avx2 { AVX2 } else { SSE2 }, SSE2]
}

#[cfg(not(target_arch = "x86_64"))]
fn forms() -> [u8; 1] {
    [LIBRARY]
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{__m128d, __m256d, __m512d};

    use super::BLOCK;
    use crate::lanes::Lanes;

    pub unsafe fn sse2(numbers: &mut [f64; BLOCK]) {
        unsafe { all::<__m128d>(numbers) }
    }

    #[target_feature(enable = "avx2,fma")]
    pub unsafe fn avx2(numbers: &mut [f64; BLOCK]) {
        unsafe { all::<__m256d>(numbers) }
    }

    #[target_feature(enable = "avx512f,avx512dq")]
    pub unsafe fn avx512(numbers: &mut [f64; BLOCK]) {
        unsafe { all::<__m512d>(numbers) }
    }

    #[inline(always)]
    unsafe fn all<L: Lanes>(numbers: &mut [f64; BLOCK]) {
        let mut at = 0;
        while at < BLOCK {
            // SAFETY: the length is a multiple of the lanes.
            unsafe {
                let place = numbers.as_mut_ptr().add(at);
                tanh(L::load(place)).store(place);
            }
            at += L::COUNT;
        }
    }

    const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    /// Above half of ln 2, where the reduction begins.
    const REDUCED: f64 = f64::from_bits(0x3FD6_2E43_0000_0000);
    const Q1: f64 = -0.033_333_333_333_333_13;
    const Q2: f64 = 0.001_587_301_587_254_814_6;
    const Q3: f64 = -7.936_507_578_674_88e-05;
    const Q4: f64 = 4.008_217_827_329_362e-06;
    const Q5: f64 = -2.010_992_181_836_243_7e-07;

    #[inline(always)]
    unsafe fn tanh<L: Lanes>(number: L) -> L {
        unsafe {
            let (zero, half, one, two) = (L::all(0.0), L::all(0.5), L::all(1.0), L::all(2.0));
            // From 22 on it is 1, and the formula says so.
            let size = number.size().min(L::all(22.0));
            let near = size.below(one);
            let twice = size.add(size);
            let y = L::select(near, zero.sub(twice), twice);

            // y = n ln 2 + x + c
            let rounding = L::select(near, L::all(-0.5), half);
            let n = rounding.fused(L::all(core::f64::consts::LOG2_E), y).truncate();
            let n = L::select(twice.below(L::all(REDUCED)), zero, n);
            let high = y.less_fused(n, L::all(LN_2_HIGH));
            let low = n.mul(L::all(LN_2_LOW));
            let x = high.sub(low);
            let c = high.sub(x).sub(low);

            // e^(x + c) - 1 = x - e
            let half_x = half.mul(x);
            let square = x.mul(half_x);
            let (r1, square_2) = (one.fused(square, L::all(Q1)), square.mul(square));
            let (r2, square_4) = (L::all(Q2).fused(square, L::all(Q3)), square_2.mul(square_2));
            let r3 = L::all(Q4).fused(square, L::all(Q5));
            let r = r1.fused(square_2, r2).fused(square_4, r3);
            let t = L::all(3.0).less_fused(r, half_x);
            let e = square.mul(r.sub(t).div(L::all(6.0).less_fused(x, t)));
            let whole = zero.sub(square).fused(x, e);
            let parts = zero.sub(c).fused(x, e.sub(c)).sub(square);
            let none = n.size().below(half);
            let e = L::select(none, whole, parts);

            // m = e^y - 1: near 0 by -1 <= n <= 0, else by n < -1, by 3 <= n < 20 and by 20 <= n.
            let (power, inverse) = n.powers();
            let far_below = n.below(L::all(-1.5));
            let start = L::select(near, L::select(far_below, one, zero), one.sub(inverse));
            let middle = start.sub(e.sub(x));
            let large = x.sub(e.add(inverse)).add(one);
            let sum = L::select(n.below(L::all(19.5)), middle, large);
            let rest = L::select(n.below(L::all(-0.5)), half, zero);
            let rest = L::select(far_below, one, rest);
            let m = sum.mul(power).sub(rest);

            let quotient = L::select(near, zero.sub(m), two).div(m.add(two));
            let value = L::select(near, quotient, one.sub(quotient));
            L::select(number.is_nan(), number.add(number), number.sign_on(value))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of all sizes and all bits, by a generator of Marsaglia's.
    fn numbers(count: usize, mut each: impl FnMut([f64; BLOCK])) {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for _ in 0..count {
            let fraction = (next() >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
            let ln_2 = ((next() % 200) as f64 - 100.0) * core::f64::consts::LN_2 / 4.0;
            let close =
                f64::from_bits(ln_2.to_bits().wrapping_add(next() % 4096).wrapping_sub(2048));
            each([
                f64::from_bits(next()),
                close,
                ln_2 * (1.0 + fraction * 1e-6),
                fraction * 1e-300,
                fraction * 1e-16,
                fraction * 1e-8,
                fraction * 1e-3,
                fraction * 0.3,
            ]);
            each([1.0, 2.0, 3.0, 4.0, 8.0, 20.0, 30.0, 45.0].map(|it| it * fraction));
        }
    }

    fn compare(form: u8, numbers: [f64; BLOCK]) {
        let mut found = numbers;
        block(form, &mut found);
        for (found, x) in found.into_iter().zip(numbers) {
            let wanted = unsafe { tanh(x) };
            assert_eq!(found.to_bits(), wanted.to_bits(), "tanh {x:?}: {found:?}, not {wanted:?}");
        }
    }

    /// `OXBOW_MANY=50000000` compares many more.
    #[test]
    fn the_bits_of_the_library() {
        let many = std::env::var("OXBOW_MANY").ok().and_then(|it| it.parse().ok());
        let all: Vec<_> = forms().into_iter().filter(|&it| agrees(it)).collect();
        assert!(!all.is_empty(), "no form has the bits of this C library");
        for form in all {
            numbers(many.unwrap_or(100_000), |it| compare(form, it));
            let edges = [0.0, 5e-324, 1e-310, 22.0, 1.0, f64::INFINITY, f64::NAN, f64::MAX];
            for offset in 0..2000_u64 {
                for sign in [1.0, -1.0] {
                    compare(
                        form,
                        edges.map(|it| {
                            sign * f64::from_bits(
                                it.to_bits().wrapping_add(offset).wrapping_sub(1000),
                            )
                        }),
                    );
                }
            }
        }
    }

    /// The forms with and without fused operations are told apart.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn probes_decide() {
        let all = forms();
        if all.contains(&AVX2) {
            assert!(!(agrees(AVX2) && agrees(SSE2)));
        }
    }

    #[test]
    fn places_of_an_array() {
        let _program = crate::testing::program();
        for (step, count) in [(1, 20), (3, 6), (1, 0), (5, 1), (-2, 8)] {
            unsafe {
                let array = crate::array::oxbow_array_make_f64(40, 0.25);
                oxbow_array_tanh(array, 20, step, count);
                let items = std::slice::from_raw_parts(data(array).cast::<f64>(), 40);
                for (place, &item) in items.iter().enumerate() {
                    let changed = (0..count).any(|it| 20 + it * step == place as i64);
                    assert_eq!(item, if changed { tanh(0.25) } else { 0.25 }, "{step} {place}");
                }
            }
        }
    }
}
