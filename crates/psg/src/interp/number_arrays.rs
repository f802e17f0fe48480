//! Arrays of numbers in bytes, as `compare` and `hash` see them.
//!
//! ```text
//! { element; order; sizes; start; data }    compares as    (-dimensions, sizes, elements)
//! ```

use super::eval::Result;
use super::hash::{mix, mix_float};
use super::prims::range;
use super::value::{Object, ObjectKind, Value};

/// The kinds of elements, as the library numbers them.
const FLOAT32: u32 = 0;
const FLOAT64: u32 = 1;
const INT8: u32 = 2;
const UINT8: u32 = 3;
const INT16: u32 = 4;
const UINT16: u32 = 5;
const INT32: u32 = 6;
const INT64: u32 = 7;
const COMPLEX32: u32 = 10;
const COMPLEX64: u32 = 11;
const CHAR: u32 = 12;
const FLOAT16: u32 = 13;

/// How many parts are hashed.
const HASHED_BYTES: usize = 256;

enum Part {
    Float(f64),
    Int(i64),
}

/// The kind, the sizes, and the bytes of each number; a complex number is two.
fn parts(object: &Object) -> (u32, Vec<Value>, Vec<Vec<u8>>) {
    let fields = object.fields.borrow();
    let kind = match fields[0] {
        Value::Constant { ctor, .. } => ctor,
        _ => 0,
    };
    let sizes = match &fields[2] {
        Value::Object(array) => array.fields.borrow().clone(),
        _ => Vec::new(),
    };
    let mut count: usize =
        sizes.iter().map(|it| if let Value::Int(n) = it { *n as usize } else { 0 }).product();
    let mut start = if let Value::Int(start) = fields[3] { start as usize } else { 0 };
    if matches!(kind, COMPLEX32 | COMPLEX64) {
        count *= 2;
        start *= 2;
    }
    let size = match kind {
        INT8 | UINT8 | CHAR => 1,
        INT16 | UINT16 | FLOAT16 => 2,
        FLOAT32 | INT32 | COMPLEX32 => 4,
        _ => 8,
    };
    let Value::Bytes(bytes) = &fields[4] else { return (kind, sizes, Vec::new()) };
    let bytes = bytes.borrow();
    let items = bytes.chunks_exact(size).skip(start).take(count).map(<[u8]>::to_vec).collect();
    (kind, sizes, items)
}

fn part(kind: u32, bytes: &[u8]) -> Part {
    let bits = bytes.iter().rev().fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
    match kind {
        FLOAT64 | COMPLEX64 => Part::Float(f64::from_bits(bits)),
        FLOAT32 | COMPLEX32 => Part::Float(f32::from_bits(bits as u32).into()),
        FLOAT16 => Part::Float(half(bits as u32)),
        INT8 => Part::Int((bits as i8).into()),
        INT16 => Part::Int((bits as i16).into()),
        INT32 => Part::Int((bits as i32).into()),
        _ => Part::Int(bits as i64),
    }
}

/// A float of 16 bits.
fn half(bits: u32) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, mantissa) = ((bits >> 10 & 31) as i32, f64::from(bits & 1023));
    match exponent {
        31 if mantissa == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        0 => sign * mantissa * 2.0_f64.powi(-24),
        _ => sign * (mantissa + 1024.0) * 2.0_f64.powi(exponent - 25),
    }
}

/// What it is compared by.
pub(super) fn key(object: &Object) -> Value {
    let (kind, sizes, items) = parts(object);
    let value = |it: &Vec<u8>| match part(kind, it) {
        Part::Float(value) => Value::Float(value),
        Part::Int(value) => Value::Int64(value),
    };
    let items = items.iter().map(value).collect();
    let dimensions = Value::Int(-(sizes.len() as i64));
    let [sizes, items] = [sizes, items].map(|it| Value::object(ObjectKind::Array, it));
    Value::object(ObjectKind::Tuple, vec![dimensions, sizes, items])
}

/// What its elements add to a hash.
pub(super) fn hash(object: &Object) -> u32 {
    let (kind, _, items) = parts(object);
    let words = |most: usize| items.iter().take(most).map(|it| part(kind, it));
    match kind {
        FLOAT16 => items.iter().take(HASHED_BYTES / 2).fold(0, |hash, it| {
            let bits = u32::from(it[0]) | u32::from(it[1]) << 8;
            mix(
                hash,
                if bits & 0x7fff > 0x7c00 {
                    0x7c01
                } else if bits == 0x8000 {
                    0
                } else {
                    bits
                },
            )
        }),
        FLOAT32 | COMPLEX32 => words(HASHED_BYTES / 4).fold(0, |hash, it| match it {
            Part::Float(value) => mix(hash, single(value)),
            Part::Int(_) => hash,
        }),
        FLOAT64 | COMPLEX64 => words(HASHED_BYTES / 8).fold(0, |hash, it| match it {
            Part::Float(value) => mix_float(hash, value),
            Part::Int(_) => hash,
        }),
        INT8 | UINT8 | CHAR | INT16 | UINT16 | INT32 => {
            let bytes: Vec<u8> = items.concat();
            let bytes = &bytes[..bytes.len().min(HASHED_BYTES)];
            let word =
                |it: &[u8]| it.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
            bytes.chunks(4).fold(0, |hash, it| mix(hash, word(it)))
        }
        INT64 => words(HASHED_BYTES / 8).fold(0, |hash, it| match it {
            Part::Int(value) => mix(mix(hash, value as u32), (value >> 32) as u32),
            Part::Float(_) => hash,
        }),
        _ => words(HASHED_BYTES / 4).fold(0, |hash, it| match it {
            Part::Int(value) => mix(hash, (value >> 32 ^ value >> 63 ^ value) as u32),
            Part::Float(_) => hash,
        }),
    }
}

/// The bits of a float of 32 bits; there is one `nan` and one zero.
fn single(value: f64) -> u32 {
    if value.is_nan() {
        0x7f80_0001
    } else if value == 0.0 {
        0
    } else {
        (value as f32).to_bits()
    }
}

/// Each number is a chain of fused products and sums, in the order of the columns of the first factor.
pub fn add_product(args: &[Value]) -> Result<Value> {
    let int = |index: usize| args[index].as_int();
    let (a, b) = (args[1].as_array()?.fields.borrow(), args[2].as_array()?.fields.borrow());
    let mut c = args[0].as_array()?.fields.borrow_mut();
    let place = |length: usize, row: i64, column: i64, distances: usize| {
        let at = row * int(distances)? + column * int(distances + 1)?;
        Ok(range(length, at, 1)?.start)
    };
    for i in 0..int(3)? {
        for j in 0..int(5)? {
            let target = place(c.len(), i, j, 6)?;
            let mut sum = c[target].as_float()?;
            for k in 0..int(4)? {
                let left = a[place(a.len(), i, k, 8)?].as_float()?;
                let right = b[place(b.len(), k, j, 10)?].as_float()?;
                sum = left.mul_add(right, sum);
            }
            c[target] = Value::Float(sum);
        }
    }
    Ok(Value::Unit)
}
