//! Kinds of steps that an exception takes, as compiled code tells them to the runtime.

/// It leaves a call.
pub const CALL: i64 = 0;
/// It is raised.
pub const RAISE: i64 = 1;
/// A handler raises the exception that it handles.
pub const RERAISE: i64 = 2;
/// The library raises it, at a place of no interest.
pub const LIBRARY: i64 = 3;
/// The same, by what is a primitive in OCaml whose call raises it.
pub const PRIMITIVE: i64 = 4;
