//! The formulas of `tanh`.
//!
//! ```text
//! tanh x = 1 - 2 / (m + 2)      m = e^(2|x|) - 1,  for |x| >= 1
//!        = -m / (m + 2)         m = e^(-2|x|) - 1, for |x| < 1; odd
//! ```
//!
//! They are those of the C library (for `e^y - 1`: reduction by multiples of ln 2, a quotient of polynomials, and a
//! last step that depends on the multiple), with all branches computed and one selected. They serve every number.

use super::BLOCK;
use super::lanes::Lanes;

/// Numbers of each case of the formulas. The first three rows have other last bits with and without fused
/// operations; about every tenth number of the others is not rounded correctly.
#[rustfmt::skip]
pub const PROBES: [[f64; BLOCK]; 8] = [
    [-0.09847385233985229, 0.14066821007782115, 0.14293155800675794, -0.0917990869298686, -0.14116853745052094, 0.055769085228435544, -0.15640922280485658, 0.10273592843587265],
    [0.12906844884114166, 0.09295796764726594, -0.17476621627781974, 0.1515223005404983, -0.223767588395263, -0.12433863645749327, 0.23294173505533244, -0.17328678812109866],
    [0.15789081002865657, 0.09674481294898357, 0.5425019713444681, 0.14656628161545693, 1.622902, -4.225361, 6.590387, 19.251854],
    [-0.128384, 0.336018, 0.308702, -0.786249, 1.943357, 3.946924, -6.801801, 8.471678],
    [0.085051, -0.214383, 0.463128, 0.829576, -1.013114, 2.650189, 5.558965, -18.91249],
    [0.132516, 0.198729, -0.539144, 0.655507, 1.617453, -2.380098, 5.00355, 18.328262],
    [-0.043513, 0.208787, 0.594726, -0.948963, 1.289305, 4.884434, -6.078447, 15.811796],
    [0.042765, -0.339376, 0.507193, 0.986626, -1.893742, 2.896367, 5.72238, -9.157429],
];

const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Above half of ln 2, where the reduction begins.
const REDUCED: f64 = f64::from_bits(0x3FD6_2E43_0000_0000);
const Q1: f64 = -0.033_333_333_333_333_13;
const Q2: f64 = 0.001_587_301_587_254_814_6;
const Q3: f64 = -7.936_507_578_674_88e-05;
const Q4: f64 = 4.008_217_827_329_362e-06;
const Q5: f64 = -2.010_992_181_836_243_7e-07;

/// The results, which always hold. The processor must have the instructions of `L`.
#[inline(always)]
pub unsafe fn tanh<L: Lanes>(number: L) -> (L, bool) {
    // SAFETY: the caller says that the processor has the instructions, which is all that these methods ask for.
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
        (L::select(number.is_nan(), number.add(number), number.sign_on(value)), true)
    }
}
