//! What takes one walk over the digits, and short products.

use core::cmp::Ordering;

use super::{BITS, Limb, limbs, long, room, trimmed};

/// Products with a factor up to here are made digit by digit.
const SHORT: usize = 24;

/// `out = a + b`, with one digit more than `a`, which is not shorter than `b`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_integer_add(
    out: *mut Limb,
    a: *const Limb,
    a_count: i64,
    b: *const Limb,
    b_count: i64,
) {
    // SAFETY: the library passes numbers and a new object with room for the result.
    let (a, b, out) =
        unsafe { (limbs(a, a_count), limbs(b, b_count), room(out, a_count as usize + 1)) };
    let mut carry = false;
    let (low, high) = a.split_at(b.len().min(a.len()));
    let (out_low, out_high) = out.split_at_mut(low.len());
    for ((out, &x), &y) in out_low.iter_mut().zip(low).zip(b) {
        (*out, carry) = add_carry(x, y, carry);
    }
    for (out, &x) in out_high.iter_mut().zip(high.iter().chain(&[0])) {
        (*out, carry) = x.overflowing_add(Limb::from(carry));
    }
}

/// `out = a - b`, with as many digits as `a`, which is not less than `b`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_integer_sub(
    out: *mut Limb,
    a: *const Limb,
    a_count: i64,
    b: *const Limb,
    b_count: i64,
) {
    // SAFETY: as above.
    let (a, b, out) =
        unsafe { (limbs(a, a_count), limbs(b, b_count), room(out, a_count as usize)) };
    let mut borrow = false;
    let (low, high) = a.split_at(b.len().min(a.len()));
    let (out_low, out_high) = out.split_at_mut(low.len());
    for ((out, &x), &y) in out_low.iter_mut().zip(low).zip(b) {
        let (part, first) = x.overflowing_sub(y);
        let (part, second) = part.overflowing_sub(Limb::from(borrow));
        (*out, borrow) = (part, first | second);
    }
    for (out, &x) in out_high.iter_mut().zip(high) {
        (*out, borrow) = x.overflowing_sub(Limb::from(borrow));
    }
}

fn add_carry(x: Limb, y: Limb, carry: bool) -> (Limb, bool) {
    let (sum, first) = x.overflowing_add(y);
    let (sum, second) = sum.overflowing_add(Limb::from(carry));
    (sum, first | second)
}

/// -1, 0 or 1; the numbers have as many digits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_integer_compare(a: *const Limb, b: *const Limb, count: i64) -> i64 {
    // SAFETY: as above.
    let (a, b) = unsafe { (limbs(a, count), limbs(b, count)) };
    a.iter().rev().cmp(b.iter().rev()) as Ordering as i64
}

/// Is the product an `int` of OCaml?
#[unsafe(no_mangle)]
pub extern "C" fn oxbow_integer_mul_fits(a: i64, b: i64) -> i64 {
    const LEAST: i64 = -1 << 62;
    i64::from(a.checked_mul(b).is_some_and(|it| (LEAST..-LEAST).contains(&it)))
}

/// `out = a * b`, with as many digits as both have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_integer_mul(
    out: *mut Limb,
    a: *const Limb,
    a_count: i64,
    b: *const Limb,
    b_count: i64,
) {
    // SAFETY: as above.
    let (a, b, out) =
        unsafe { (limbs(a, a_count), limbs(b, b_count), room(out, (a_count + b_count) as usize)) };
    let (a, b) = if a.len() < b.len() { (b, a) } else { (a, b) };
    if b.len() > SHORT {
        return long::multiply(out, a, b);
    }
    let (low, high) = out.split_at_mut(a.len());
    let carry = first_row(low, a, b.first().copied().unwrap_or(0));
    high.fill(0);
    if let Some(place) = high.first_mut() {
        *place = carry;
    }
    for (at, &y) in b.iter().enumerate().skip(1) {
        let mut carry = 0;
        let mut place = out.iter_mut().skip(at);
        for (&x, out) in a.iter().zip(&mut place) {
            let part = u128::from(x) * u128::from(y) + u128::from(*out) + u128::from(carry);
            (*out, carry) = (part as Limb, (part >> BITS) as Limb);
        }
        // The first iterator ends first, so the place of the carry has not been taken.
        if let Some(out) = place.next() {
            *out = carry;
        }
    }
}

/// `out = a * y`, and what is carried out of it. Four digits at a time: the products do not wait for each other.
fn first_row(out: &mut [Limb], a: &[Limb], y: Limb) -> Limb {
    let mut carry = 0;
    let mut step = |out: &mut Limb, x: Limb| {
        let part = u128::from(x) * u128::from(y) + u128::from(carry);
        (*out, carry) = (part as Limb, (part >> BITS) as Limb);
    };
    let (blocks, rest) = a.as_chunks::<4>();
    let (places, last) = out.split_at_mut(4 * blocks.len());
    let (places, _) = places.as_chunks_mut::<4>();
    for (out, block) in places.iter_mut().zip(blocks) {
        let [o0, o1, o2, o3] = out;
        let &[x0, x1, x2, x3] = block;
        step(o0, x0);
        step(o1, x1);
        step(o2, x2);
        step(o3, x3);
    }
    for (out, &x) in last.iter_mut().zip(rest) {
        step(out, x);
    }
    carry
}

/// `out = a * 2^bits`, with `bits / 64 + 1` digits more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_integer_shift_left(
    out: *mut Limb,
    a: *const Limb,
    count: i64,
    bits: i64,
) {
    let (whole, rest) = (bits as usize / BITS, bits as u32 % BITS as u32);
    // SAFETY: as above.
    let (a, out) = unsafe { (limbs(a, count), room(out, count as usize + whole + 1)) };
    let (low, high) = out.split_at_mut(whole);
    low.fill(0);
    let mut carry = 0;
    for (out, &x) in high.iter_mut().zip(a.iter().chain(&[0])) {
        let wide = u128::from(x) << rest;
        *out = wide as Limb | carry;
        carry = (wide >> BITS) as Limb;
    }
}

/// `out = a / 2^bits`, with `bits / 64` digits less, of which one is left at least: was there a remainder?
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_integer_shift_right(
    out: *mut Limb,
    a: *const Limb,
    count: i64,
    bits: i64,
) -> i64 {
    let (whole, rest) = (bits as usize / BITS, bits as u32 % BITS as u32);
    // SAFETY: as above.
    let (a, out) = unsafe { (limbs(a, count), room(out, count as usize - whole)) };
    let (low, high) = a.split_at(whole);
    let next = high.iter().skip(1).chain(&[0]);
    for ((out, &x), &next) in out.iter_mut().zip(high).zip(next) {
        *out = ((u128::from(next) << BITS | u128::from(x)) >> rest) as Limb;
    }
    let lost = high.first().is_some_and(|it| it & ((1 << rest) - 1) != 0);
    i64::from(lost || low.iter().any(|it| *it != 0))
}

/// The digits of a number in two's complement, without end.
struct Complement<'a> {
    limbs: &'a [Limb],
    at: usize,
    negative: bool,
    carry: bool,
}

impl Complement<'_> {
    fn next(&mut self) -> Limb {
        let limb = self.limbs.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        if !self.negative {
            return limb;
        }
        let (limb, carry) = (!limb).overflowing_add(Limb::from(self.carry));
        self.carry = carry;
        limb
    }
}

unsafe fn complement<'a>(at: *const Limb, signed: i64) -> Complement<'a> {
    // SAFETY: as above; a count below zero is that of a negative number.
    let limbs = unsafe { limbs(at, signed.abs()) };
    Complement { limbs, at: 0, negative: signed < 0, carry: true }
}

/// `out = a and b` (0), `a or b` (1) or `a xor b` (2), in two's complement; counts are negative for negative numbers.
/// `out` has one digit more than the longer one, and gets the absolute value: is the result negative?
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_integer_bits(
    operation: i64,
    out: *mut Limb,
    a: *const Limb,
    a_count: i64,
    b: *const Limb,
    b_count: i64,
) -> i64 {
    let count = a_count.abs().max(b_count.abs()) as usize + 1;
    // SAFETY: as above.
    let (mut a, mut b, out) =
        unsafe { (complement(a, a_count), complement(b, b_count), room(out, count)) };
    for out in out.iter_mut() {
        let (x, y) = (a.next(), b.next());
        *out = match operation {
            0 => x & y,
            1 => x | y,
            _ => x ^ y,
        };
    }
    let negative = out.last().is_some_and(|it| *it >> (BITS - 1) != 0);
    if negative {
        let mut carry = true;
        for out in out {
            (*out, carry) = (!*out).overflowing_add(Limb::from(carry));
        }
    }
    i64::from(negative)
}

/// How many bits are set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_integer_count(a: *const Limb, count: i64) -> i64 {
    // SAFETY: as above.
    let a = unsafe { limbs(a, count) };
    trimmed(a).iter().map(|it| i64::from(it.count_ones())).sum()
}
