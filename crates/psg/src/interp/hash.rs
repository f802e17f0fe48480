//! `Hashtbl.hash`, number for number as OCaml 4.13 computes it.
//!
//! A 32-bit MurmurHash3 over the value, breadth first: at most 10 meaningful parts
//! (numbers and strings) of at most 100 visited, unless the program sets other limits. Blocks contribute their header,
//! which is why tags and sizes matter.

use std::collections::VecDeque;

use super::layout::Layout;
use super::order::{immediate, tag};
use super::value::{Object, ObjectKind, Value};

/// OCaml's queue has no more places.
const QUEUE: i64 = 256;

/// How much of a value is looked at.
pub(super) struct Limits {
    pub meaningful: i64,
    pub total: i64,
}

pub(super) fn hash(layout: &Layout, value: &Value) -> i64 {
    hash_from(layout, Limits { meaningful: 10, total: 100 }, 0, value)
}

pub(super) fn hash_from(layout: &Layout, limits: Limits, seed: u32, value: &Value) -> i64 {
    let total = if (0..=QUEUE).contains(&limits.total) { limits.total } else { QUEUE } as usize;
    let mut queue = VecDeque::from([value.clone()]);
    let (mut visited, mut hash) = (1, seed);
    let mut left = limits.meaningful.max(0) as usize;
    while left > 0
        && let Some(value) = queue.pop_front()
    {
        if let Some(content) = layout.numbers_hash(&value) {
            hash = mix(hash, content);
            left -= 1;
            continue;
        }
        let value = layout.listed(&value);
        let object = match &value {
            Value::Object(object) => object,
            Value::Float(value) => {
                hash = mix_float(hash, *value);
                left -= 1;
                continue;
            }
            Value::Bytes(bytes) => {
                hash = mix_string(hash, &bytes.borrow());
                left -= 1;
                continue;
            }
            Value::Int32(value) => {
                hash = mix(hash, *value as u32);
                left -= 1;
                continue;
            }
            Value::Int64(value) | Value::Sized(_, value) => {
                hash = mix_int64(hash, *value);
                left -= 1;
                continue;
            }
            _ => {
                hash = mix_int(hash, immediate(layout, &value).unwrap_or(0));
                left -= 1;
                continue;
            }
        };
        if let Some((tag, content)) = layout.suspended(object) {
            hash = mix(hash, header(tag, 1));
            if visited < total {
                queue.push_back(content);
                visited += 1;
            }
            continue;
        }
        // The address of code is not ours to know.
        if matches!(object.kind, ObjectKind::Closure(_) | ObjectKind::Partial) {
            continue;
        }
        let fields = object.fields.borrow();
        if is_flat(layout, object, &fields) {
            for field in fields.iter().take(left) {
                if let Value::Float(value) = field {
                    hash = mix_float(hash, *value);
                    left -= 1;
                }
            }
            continue;
        }
        if let ObjectKind::Exn(exn) = object.kind {
            // The number of an exception's object is not ours to know.
            hash = mix_int(hash, oxbow_base::Id::index(exn) as i64);
        } else {
            hash = mix(hash, header(tag(layout, object), fields.len()));
        }
        for field in fields.iter().take(total.saturating_sub(visited)) {
            queue.push_back(field.clone());
            visited += 1;
        }
    }
    finish(hash)
}

fn is_flat(layout: &Layout, object: &Object, fields: &[Value]) -> bool {
    match object.kind {
        ObjectKind::Data { data, .. } => layout.is_flat(data),
        ObjectKind::Array => matches!(fields.first(), Some(Value::Float(_))),
        ObjectKind::Tuple | ObjectKind::Exn(_) | ObjectKind::Closure(_) | ObjectKind::Partial => {
            false
        }
    }
}

fn header(tag: u32, size: usize) -> u32 {
    ((size as u32) << 10) | tag
}

/// One round of MurmurHash3.
pub(super) fn mix(hash: u32, data: u32) -> u32 {
    let data = data.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    (hash ^ data).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
}

/// An OCaml integer, in its tagged form `2n + 1`, folded to 32 bits.
pub(super) fn mix_int(hash: u32, value: i64) -> u32 {
    let word = (value << 1) | 1;
    mix(hash, ((word >> 32) ^ (word >> 63) ^ word) as u32)
}

/// A boxed `int64`.
pub(super) fn mix_int64(hash: u32, value: i64) -> u32 {
    mix(hash, ((value >> 32) ^ value) as u32)
}

pub(super) fn mix_float(hash: u32, value: f64) -> u32 {
    let bits = if value.is_nan() {
        0x7ff0_0000_0000_0001
    } else if value == 0.0 {
        0
    } else {
        value.to_bits()
    };
    mix(mix(hash, bits as u32), (bits >> 32) as u32)
}

pub(super) fn mix_string(mut hash: u32, bytes: &[u8]) -> u32 {
    for chunk in bytes.chunks(4) {
        let word = chunk.iter().rev().fold(0, |word, &byte| (word << 8) | u32::from(byte));
        hash = mix(hash, word);
    }
    hash ^ bytes.len() as u32
}

pub(super) fn finish(mut hash: u32) -> i64 {
    hash ^= hash >> 16;
    hash = hash.wrapping_mul(0x85eb_ca6b);
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(0xc2b2_ae35);
    hash ^= hash >> 16;
    i64::from(hash & 0x3fff_ffff)
}
