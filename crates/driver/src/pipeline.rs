//! The order of the whole-program passes, as data.

use oxbow_passes::{Pass, closure_repr, may_raise};

/// Passes within the `Mono` phase, after `monomorphize`.
pub const MONO: &[Pass] = &[
    // Last of those that change code: it fixes what each lambda is.
    Pass { name: "closure_repr", run: closure_repr::run },
    // After `closure_repr`: a closure's code may always raise.
    Pass { name: "may_raise", run: may_raise::run },
];
