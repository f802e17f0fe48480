//! Integers of any size, as `compare` and `hash` see them.
//!
//! ```text
//! Small n          compares as    (0, n)
//! Big (size, s)    compares as    (size, digits of s from the last, negative if `size` is)
//! ```

use super::hash::mix;
use super::value::{Object, ObjectKind, Value};

/// The constructor with an `int`.
const SMALL: u32 = 0;

/// How many digits, negative for a negative number, and halves of digits from the first on.
fn parts(object: &Object) -> (i64, Vec<u32>) {
    let fields = object.fields.borrow();
    let (Value::Int(size), Value::Bytes(bytes)) = (&fields[0], &fields[1]) else {
        return (0, Vec::new());
    };
    let bytes = bytes.borrow();
    let halves = bytes.chunks_exact(4).take(size.unsigned_abs() as usize * 2);
    let half = |it: &[u8]| it.iter().rev().fold(0, |all, byte| all << 8 | u32::from(*byte));
    (*size, halves.map(half).collect())
}

pub(super) fn key(ctor: u32, object: &Object) -> Value {
    let items = if ctor == SMALL {
        vec![Value::Int(0), object.fields.borrow()[0].clone()]
    } else {
        let (size, halves) = parts(object);
        let signed = |it: u32| Value::Int(i64::from(it) * size.signum());
        [Value::Int(size)].into_iter().chain(halves.into_iter().rev().map(signed)).collect()
    };
    Value::object(ObjectKind::Tuple, items)
}

/// What a number adds to a hash.
pub(super) fn hash(ctor: u32, object: &Object) -> u32 {
    if ctor == SMALL {
        let Value::Int(value) = object.fields.borrow()[0] else { return 0 };
        return ((value >> 32) ^ (value >> 63) ^ value) as u32;
    }
    let (size, halves) = parts(object);
    halves.into_iter().fold(0, mix).wrapping_add(u32::from(size < 0))
}
