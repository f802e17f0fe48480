//! Functions of many numbers, several at once, with the bits of the C library's.
//!
//! ```text
//! oxbow_array_exp a 0 1 n        a.(0) <- exp a.(0), …, a.(n - 1) <- exp a.(n - 1)
//! ```
//!
//! A kernel is a function of the C library and its formulas for vector instructions, with the branches of the library
//! computed together and one selected. The library fuses products and sums on processors that can, so there are forms
//! with fused operations (AVX2, AVX-512) and one without (SSE2). Other versions of the library may round otherwise:
//! before its first use a form is compared with the library on the kernel's own probes, at which forms differ, and on
//! numbers of all sizes; if none agrees, the library computes every number. Where a formula does not serve a number of
//! a block, the library computes the block.
//!
//! There are kernels for `tanh` and `exp`, and for `fast_tanh` and `fast_exp`, whose formulas are our own
//! (`abi::kernels`), so that all forms agree. `log`, `sin` and `cos` of the C library go by tables that no short
//! formula gives.

use core::sync::atomic::{AtomicU8, Ordering};

pub use product::oxbow_array_add_product;

use oxbow_abi::kernels;

use crate::object::data;

#[cfg(target_arch = "x86_64")]
mod exp;
#[cfg(target_arch = "x86_64")]
mod fast;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod product;
#[cfg(target_arch = "x86_64")]
mod tanh;

/// How many numbers are worked on at a time.
const BLOCK: usize = 8;

/// Replaces the numbers by their results, or answers that it cannot and leaves them. The processor must have the
/// instructions of the form.
type Formula = unsafe fn(&mut [f64; BLOCK]) -> bool;

struct Kernel {
    /// The C library's, or our own formula on one number.
    scalar: unsafe extern "C" fn(f64) -> f64,
    /// By `Form`.
    formulas: &'static [Formula],
    probes: &'static [[f64; BLOCK]],
    /// Numbers up to this size are compared with the library, too.
    largest: f64,
    /// `UNKNOWN`, `LIBRARY`, or a form.
    chosen: AtomicU8,
}

/// A kind of vector instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(
    not(target_arch = "x86_64"),
    expect(dead_code, reason = "other processors call the library")
)]
enum Form {
    Sse2,
    Avx2,
    Avx512,
}

const LIBRARY: u8 = 254;
const UNKNOWN: u8 = 255;

mod library {
    unsafe extern "C" {
        pub fn tanh(value: f64) -> f64;
        pub fn exp(value: f64) -> f64;
    }
}

unsafe extern "C" fn fast_tanh(value: f64) -> f64 {
    kernels::tanh(&kernels::Machine, value)
}

unsafe extern "C" fn fast_exp(value: f64) -> f64 {
    kernels::exp(&kernels::Machine, value)
}

/// A kernel with the function that compiled code calls for it: replaces `count` floats of an array by what the kernel
/// gives for them, those at `start`, `start + step`, …. The forms are of x86-64; other processors call the library.
macro_rules! kernels {
    ($($kernel:ident by $scalar:path, $formulas:tt, $probes:path, $largest:literal: $function:ident;)*) => {$(
        #[cfg(target_arch = "x86_64")]
        static $kernel: Kernel = Kernel {
            scalar: $scalar,
            formulas: &$formulas,
            probes: &$probes,
            largest: $largest,
            chosen: AtomicU8::new(UNKNOWN),
        };

        #[cfg(not(target_arch = "x86_64"))]
        static $kernel: Kernel = Kernel {
            scalar: $scalar,
            formulas: &[],
            probes: &[],
            largest: 0.0,
            chosen: AtomicU8::new(LIBRARY),
        };

        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(array: *mut u8, start: i64, step: i64, count: i64) {
            // SAFETY: compiled code passes an array of floats; the library has checked that the places lie within it.
            unsafe { map(&$kernel, array, start, step, count) }
        }
    )*};
}

kernels! {
    TANH by library::tanh, [x86::tanh_sse2, x86::tanh_avx2, x86::tanh_avx512], tanh::PROBES, 25.0: oxbow_array_tanh;
    EXP by library::exp, [x86::exp_sse2, x86::exp_avx2, x86::exp_avx512], exp::PROBES, 750.0: oxbow_array_exp;
    FAST_TANH by fast_tanh, [x86::fast_tanh_sse2, x86::fast_tanh_avx2, x86::fast_tanh_avx512], tanh::PROBES, 25.0:
        oxbow_array_fast_tanh;
    FAST_EXP by fast_exp, [x86::fast_exp_sse2, x86::fast_exp_avx2, x86::fast_exp_avx512], exp::PROBES, 750.0:
        oxbow_array_fast_exp;
}

unsafe fn map(kernel: &Kernel, array: *mut u8, start: i64, step: i64, count: i64) {
    if count <= 0 {
        return;
    }
    let form = match kernel.chosen.load(Ordering::Relaxed) {
        UNKNOWN => choose(kernel),
        form => form,
    };
    let formula = kernel.formulas.get(usize::from(form)).copied();
    // SAFETY: the caller says that all `count` places lie within the array, of which compiled code holds no Rust
    // reference. An address behind the last place is only computed, by the operation that may leave the array.
    unsafe {
        let (step, mut left) = (step as isize, count as usize);
        let mut at = data(array).cast::<f64>().offset(start as isize);
        while left >= BLOCK && step == 1 {
            block(kernel, formula, &mut *at.cast::<[f64; BLOCK]>());
            at = at.add(BLOCK);
            left -= BLOCK;
        }
        while left > 0 {
            let some = left.min(BLOCK);
            let mut numbers = [0.0; BLOCK];
            for (index, number) in numbers.iter_mut().enumerate().take(some) {
                *number = at.offset(index as isize * step).read();
            }
            block(kernel, formula, &mut numbers);
            for (index, &number) in numbers.iter().enumerate().take(some) {
                at.offset(index as isize * step).write(number);
            }
            at = at.wrapping_offset(some as isize * step);
            left -= some;
        }
    }
}

fn block(kernel: &Kernel, formula: Option<Formula>, numbers: &mut [f64; BLOCK]) {
    // SAFETY: `forms` gives only those whose instructions the processor has, and callers choose from it.
    if formula.is_none_or(|it| unsafe { !it(numbers) }) {
        // SAFETY: functions of the C library on numbers have no precondition.
        numbers.iter_mut().for_each(|it| *it = unsafe { (kernel.scalar)(*it) });
    }
}

#[cold]
fn choose(kernel: &Kernel) -> u8 {
    let found = forms().into_iter().find(|&it| agrees(kernel, it));
    let form = found.map_or(LIBRARY, |it| it as u8);
    kernel.chosen.store(form, Ordering::Relaxed);
    form
}

/// How many blocks of numbers of all sizes are compared before the first use.
const COMPARED: usize = 128;

/// Does a form give the bits of the library?
fn agrees(kernel: &Kernel, form: Form) -> bool {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let mut all = |probes: &[f64; BLOCK]| {
        // The compiler must not ask the library of the machine it runs on.
        let probes = core::hint::black_box(probes);
        let mut found = *probes;
        block(kernel, Some(kernel.formulas[form as usize]), &mut found);
        // SAFETY: functions of the C library on numbers have no precondition.
        let wanted = |x| unsafe { (kernel.scalar)(x) };
        found.iter().zip(probes).all(|(it, &x)| it.to_bits() == wanted(x).to_bits())
    };
    kernel.probes.iter().all(&mut all) && (0..COMPARED).all(|_| all(&numbers.block(kernel.largest)))
}

/// Numbers without a pattern, by a generator of Marsaglia's.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Of both signs, the first up to `largest`, each later one of a smaller kind.
    fn block(&mut self, largest: f64) -> [f64; BLOCK] {
        let mut scale = 2.0 * largest;
        core::array::from_fn(|_| {
            let fraction = (self.next() >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
            let number = fraction * scale;
            scale *= 0.25;
            number
        })
    }
}

/// Those that the processor can run, fastest first.
#[cfg(target_arch = "x86_64")]
fn forms() -> [Form; 3] {
    use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
    // SAFETY: every 64-bit processor has `cpuid`, which says whether the system has switched `xgetbv` on.
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
    fn state() -> u64 {
        // SAFETY: register 0 is there wherever the instruction is.
        unsafe { _xgetbv(0) }
    }
    let avx2 = has_fma && state & 6 == 6 && extended & (1 << 5) != 0;
    // Foundation and 64-bit operations.
    let wide = (1 << 16) | (1 << 17);
    let avx512 = avx2 && state & 0xE6 == 0xE6 && extended & wide == wide;
    [
        if avx512 { Form::Avx512 } else { Form::Sse2 },
        if avx2 { Form::Avx2 } else { Form::Sse2 },
        Form::Sse2,
    ]
}

#[cfg(not(target_arch = "x86_64"))]
fn forms() -> [Form; 0] {
    []
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{__m128d, __m256d, __m512d};

    use super::BLOCK;
    use super::lanes::Lanes;

    /// Functions for whole blocks, one for each form.
    macro_rules! forms {
        ($function:path: $sse2:ident, $avx2:ident, $avx512:ident) => {
            pub unsafe fn $sse2(numbers: &mut [f64; BLOCK]) -> bool {
                // SAFETY: SSE2 is part of the architecture.
                unsafe { all::<__m128d>(numbers, |it| $function(it)) }
            }

            #[target_feature(enable = "avx2,fma")]
            pub unsafe fn $avx2(numbers: &mut [f64; BLOCK]) -> bool {
                // SAFETY: the function has the instructions itself, and so does who may call it.
                unsafe { all::<__m256d>(numbers, |it| $function(it)) }
            }

            #[target_feature(enable = "avx512f,avx512dq")]
            pub unsafe fn $avx512(numbers: &mut [f64; BLOCK]) -> bool {
                // SAFETY: the function has the instructions itself, and so does who may call it.
                unsafe { all::<__m512d>(numbers, |it| $function(it)) }
            }
        };
    }

    forms!(super::tanh::tanh: tanh_sse2, tanh_avx2, tanh_avx512);
    forms!(super::exp::exp: exp_sse2, exp_avx2, exp_avx512);
    forms!(super::fast::tanh: fast_tanh_sse2, fast_tanh_avx2, fast_tanh_avx512);
    forms!(super::fast::exp: fast_exp_sse2, fast_exp_avx2, fast_exp_avx512);

    #[inline(always)]
    unsafe fn all<L: Lanes>(numbers: &mut [f64; BLOCK], formula: impl Fn(L) -> (L, bool)) -> bool {
        const { assert!(BLOCK.is_multiple_of(L::COUNT), "the last lanes end with the block") };
        let mut results = [0.0; BLOCK];
        let mut at = 0;
        while at < BLOCK {
            // SAFETY: the caller says that the processor has the instructions. `COUNT` numbers from `at` on are
            // within both arrays, since the length is a multiple.
            unsafe {
                let (found, fits) = formula(L::load(numbers.as_ptr().add(at)));
                if !fits {
                    return false;
                }
                found.store(results.as_mut_ptr().add(at));
            }
            at += L::COUNT;
        }
        *numbers = results;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_kernels() -> [(&'static str, &'static Kernel); 4] {
        [("tanh", &TANH), ("exp", &EXP), ("fast_tanh", &FAST_TANH), ("fast_exp", &FAST_EXP)]
    }

    fn compare(name: &str, kernel: &Kernel, form: Form, numbers: [f64; BLOCK]) {
        let mut found = numbers;
        block(kernel, Some(kernel.formulas[form as usize]), &mut found);
        for (found, x) in found.into_iter().zip(numbers) {
            let wanted = unsafe { (kernel.scalar)(x) };
            assert_eq!(
                found.to_bits(),
                wanted.to_bits(),
                "{form:?} {name} {x:?}: {found:?}, not {wanted:?}"
            );
        }
    }

    fn chosen(kernel: &Kernel) -> Vec<Form> {
        forms().into_iter().filter(|&it| agrees(kernel, it)).collect()
    }

    /// A million numbers and more: of all sizes, of all bits, and near multiples of ln 2, where formulas change.
    /// `OXBOW_MANY` says how many blocks of each kind instead.
    #[test]
    fn the_bits_of_the_library() {
        let many = std::env::var("OXBOW_MANY").ok().and_then(|it| it.parse().ok());
        for (name, kernel) in all_kernels() {
            let all = chosen(kernel);
            assert!(!all.is_empty(), "no form of {name} has the bits of this C library");
            for form in all {
                let mut numbers = Numbers(88_172_645_463_325_252);
                for _ in 0..many.unwrap_or(60_000) {
                    compare(name, kernel, form, numbers.block(kernel.largest));
                    compare(name, kernel, form, numbers.block(1e-3));
                    let multiple = ((numbers.next() % 4000) as f64 - 2000.0) / 4.0;
                    let near = multiple * core::f64::consts::LN_2;
                    compare(
                        name,
                        kernel,
                        form,
                        core::array::from_fn(|_| {
                            let offset = (numbers.next() % 4096).wrapping_sub(2048);
                            f64::from_bits(near.to_bits().wrapping_add(offset))
                        }),
                    );
                    compare(
                        name,
                        kernel,
                        form,
                        core::array::from_fn(|_| f64::from_bits(numbers.next())),
                    );
                }
            }
        }
    }

    #[test]
    fn special_numbers_and_their_neighbours() {
        let edges = [
            [0.0, 5e-324, 1e-310, 22.0, 1.0, f64::INFINITY, f64::NAN, f64::MAX],
            [512.0, 708.4, 709.79, 745.14, 2.0, 0.5, f64::MIN_POSITIVE, 1e-16],
        ];
        for (name, kernel) in all_kernels() {
            for form in chosen(kernel) {
                for offset in 0..2000_u64 {
                    for sign in [1.0, -1.0] {
                        for edges in edges {
                            let near =
                                |it: f64| it.to_bits().wrapping_add(offset).wrapping_sub(1000);
                            compare(
                                name,
                                kernel,
                                form,
                                edges.map(|it| sign * f64::from_bits(near(it))),
                            );
                        }
                    }
                }
            }
        }
    }

    /// The forms with and without fused operations are told apart.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn probes_decide() {
        if forms().contains(&Form::Avx2) {
            for (name, kernel) in all_kernels() {
                let both = agrees(kernel, Form::Avx2) && agrees(kernel, Form::Sse2);
                // Our own formulas are never fused.
                assert_eq!(both, name.starts_with("fast"), "{name}");
            }
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
                    let wanted = if changed { library::tanh(0.25) } else { 0.25 };
                    assert_eq!(item, wanted, "{step} {place}");
                }
            }
        }
    }
}
