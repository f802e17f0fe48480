//! The order of the whole-program passes, as data.

use oxbow_passes::{Pass, closure_repr, may_raise};

use crate::Error;

/// Passes within the `Mono` phase, after `monomorphize`.
pub const MONO: &[Pass] = &[
    // Last of those that change code: it fixes what each lambda is.
    Pass { name: "closure_repr", run: closure_repr::run },
    // After `closure_repr`: a closure's code may always raise.
    Pass { name: "may_raise", run: may_raise::run },
];

/// The names that `--dump-after` takes, in the order of the passes.
pub fn names() -> Vec<&'static str> {
    let mut names = vec!["build", "monomorphize"];
    names.extend(MONO.iter().map(|it| it.name));
    names
}

/// Refuses the name of a pass that does not exist.
pub(crate) fn check_name(name: Option<&str>) -> Result<(), Error> {
    match name {
        Some(name) if !names().contains(&name) => {
            Err(Error::Usage(format!("there is no pass `{name}`; the passes are {}", names().join(", "))))
        }
        _ => Ok(()),
    }
}
