//! `Hashtbl.hash`: the 32-bit MurmurHash3 steps that OCaml takes, on OCaml's view
//! of the values.
//!
//! OCaml's `int` is the word 2n+1 there, an `int64` one number of 32 bits.
//! Running hashes are 32 bits, widened without sign to i64.

use crate::object::contents;

#[inline]
fn mix(hash: u32, word: u32) -> u32 {
    let word = word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    (hash ^ word).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
}

#[inline]
fn finish(hash: u32) -> i64 {
    let hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    let hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    i64::from((hash ^ (hash >> 16)) & 0x3fff_ffff)
}

/// 32 bits for a word, the same for those that fit in 32 bits with sign.
fn fold(word: i64) -> u32 {
    ((word >> 32) ^ (word >> 63) ^ word) as u32
}

fn mix_int(hash: u32, value: i64) -> u32 {
    mix(hash, fold(value.wrapping_mul(2) | 1))
}

fn mix_int64(hash: u32, value: i64) -> u32 {
    mix(hash, (value ^ (value >> 32)) as u32)
}

fn mix_float(hash: u32, value: f64) -> u32 {
    // All nans are one, and so are both zeros.
    let bits = if value.is_nan() {
        0x7ff0_0000_0000_0001
    } else if value == 0.0 {
        0
    } else {
        value.to_bits()
    };
    mix(mix(hash, bits as u32), (bits >> 32) as u32)
}

fn mix_string(mut hash: u32, bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<4>();
    for word in words {
        hash = mix(hash, u32::from_le_bytes(*word));
    }
    if !rest.is_empty() {
        hash = mix(hash, rest.iter().rev().fold(0, |word, &it| (word << 8) | u32::from(it)));
    }
    hash ^ bytes.len() as u32
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_hash_int(value: i64) -> i64 {
    finish(mix_int(0, value))
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_hash_int32(value: i32) -> i64 {
    finish(mix(0, value as u32))
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_hash_int64(value: i64) -> i64 {
    finish(mix_int64(0, value))
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_hash_float(value: f64) -> i64 {
    finish(mix_float(0, value))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_hash_string(string: *mut u8) -> i64 {
    // SAFETY: compiled code passes a string.
    finish(mix_string(0, unsafe { contents(string) }))
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_hash_mix_int(hash: i64, value: i64) -> i64 {
    mix_int(hash as u32, value).into()
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_hash_mix_uint32(hash: i64, value: i64) -> i64 {
    mix(hash as u32, value as u32).into()
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_hash_mix_int64(hash: i64, value: i64) -> i64 {
    mix_int64(hash as u32, value).into()
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_hash_mix_float(hash: i64, value: f64) -> i64 {
    mix_float(hash as u32, value).into()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_hash_mix_string(hash: i64, string: *mut u8) -> i64 {
    // SAFETY: compiled code passes a string.
    mix_string(hash as u32, unsafe { contents(string) }).into()
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_hash_final(hash: i64) -> i64 {
    finish(hash as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{program, string};

    // The expected numbers are those of OCaml 4.13.

    #[test]
    fn integers() {
        for (value, hash) in [
            (0, 129_913_994),
            (1, 883_721_435),
            (-1, 911_466_517),
            (42, 395_478_795),
            (123_456_789_012_345, 1_008_809_879),
            (i64::MAX >> 1, 952_257_787),
            (i64::MIN >> 1, 69_827_754),
        ] {
            assert_eq!(oxbow_hash_int(value), hash, "{value}");
        }
        for (value, hash) in [(0, 1_058_613_066), (-1, 911_466_517), (123_456, 942_725_208)] {
            assert_eq!(oxbow_hash_int32(value), hash, "{value}");
        }
        for (value, hash) in [
            (-1, 1_058_613_066),
            (5, 648_017_920),
            (-5, 607_293_368),
            (1_234_567_890_123_456_789, 677_776_012),
            (-1_234_567_890_123_456_789, 775_387_626),
        ] {
            assert_eq!(oxbow_hash_int64(value), hash, "{value}");
        }
    }

    #[test]
    fn floats() {
        for (value, hash) in [
            (0.0, 256_347_020),
            (-0.0, 256_347_020),
            (1.0, 57_497_256),
            (f64::NAN, 841_516_429),
            (-f64::NAN, 841_516_429),
            (f64::INFINITY, 602_560_251),
            (f64::from_bits(0x4009_21f9_f01b_866e), 38_234_917),
            (-1e300, 63_180_134),
        ] {
            assert_eq!(oxbow_hash_float(value), hash, "{value}");
        }
    }

    #[test]
    fn strings() {
        let _program = program();
        unsafe {
            for (value, hash) in [
                ("", 0),
                ("a", 721_651_713),
                ("ab", 856_662_637),
                ("abc", 767_105_082),
                ("abcd", 65_890_154),
                ("hello world", 1_053_319_576),
            ] {
                assert_eq!(oxbow_hash_string(string(value)), hash, "{value}");
            }
            let long: Vec<u8> = (0..1000).map(|it| it as u8).collect();
            assert_eq!(oxbow_hash_string(crate::object::string_from(&long)), 717_156_575);
        }
    }

    /// `Hashtbl.hash (1, "x", 2.5, 7L, 3l)`: the block's header, then its fields.
    #[test]
    fn structures() {
        let _program = program();
        let hash = oxbow_hash_mix_uint32(0, 5 << 10);
        let hash = oxbow_hash_mix_int(hash, 1);
        let hash = unsafe { oxbow_hash_mix_string(hash, string("x")) };
        let hash = oxbow_hash_mix_float(hash, 2.5);
        let hash = oxbow_hash_mix_int64(hash, 7);
        let hash = oxbow_hash_mix_uint32(hash, 3);
        assert_eq!(oxbow_hash_final(hash), 73_560_555);
    }
}
