//! The values of `lazy e`: a record of the library, `lazy_t`, with the three fields below.
//!
//! `==`, `compare` and `hash` see what OCaml has in memory in its place:
//!
//! ```text
//! SUSPENDED   block of tag 246 with a function
//! FORCING     block of tag 244 with ()
//! FORCED      block that forwards to the value, which is seen in its place
//! PLAIN       the value itself, no block
//! ```
//!
//! So evaluated suspensions are compared and hashed as their values. To meet two that are suspended is to
//! compare functions. One that is evaluated and one that is not are ordered as an integer and a
//! block are, or by the tags of two blocks: a list comes before a suspension, a string after.
//! `==` tells a forwarding block from others, but `lazy 1 == lazy 1` is `1 == 1`.

/// The field with the state, an integer.
pub const STATE: u32 = 0;
/// The field with the value: none before it is known.
pub const VALUE: u32 = 1;
/// The field with the function that computes the value: none if there was nothing to compute.
pub const COMPUTE: u32 = 2;

pub const SUSPENDED: i64 = 0;
pub const FORCING: i64 = 1;
pub const FORCED: i64 = 2;
pub const PLAIN: i64 = 3;

/// OCaml's tag of a suspended block, and of one that is being forced.
pub const SUSPENDED_TAG: u32 = 246;
pub const FORCING_TAG: u32 = 244;
