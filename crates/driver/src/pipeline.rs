//! The order of the whole-program passes, as data.

use oxbow_passes::{
    Pass, check_stack, closure_repr, contify, dead_functions, gather_kernels, may_raise,
    peel_calls, simplify, specialize_functions, storage,
};

use crate::Error;

/// Passes within the `Mono` phase, after `monomorphize`. A name that occurs several times means
/// the last run to `--dump-after`; `name:1` is the first.
pub const MONO: &[Pass] = &[
    Pass { name: "simplify", run: simplify::run },
    // After `simplify`, which shows what lambda an argument is.
    Pass { name: "specialize_functions", run: specialize_functions::run },
    // Again: the copies now call known functions.
    Pass { name: "simplify", run: simplify::run },
    // After inlining, so that the test is the one that is left.
    Pass { name: "peel_calls", run: peel_calls::run },
    // After all inlining, which brings calls of a local function to one place.
    Pass { name: "contify", run: contify::run },
    // Again: a loop in its place lets references become variables.
    Pass { name: "simplify", run: simplify::run },
    // After all that shows loops and what they compute.
    Pass { name: "gather_kernels", run: gather_kernels::run },
    Pass { name: "dead_functions", run: dead_functions::run },
    // After inlining, so that each function that is left tests once.
    Pass { name: "check_stack", run: check_stack::run },
    // Last of those that change code: it fixes what each lambda is.
    Pass { name: "closure_repr", run: closure_repr::run },
    // After `closure_repr`: a closure's code may always raise.
    Pass { name: "may_raise", run: may_raise::run },
    // After everything that makes or moves allocations.
    Pass { name: "storage", run: storage::run },
];

/// The names that `--dump-after` takes, in the order of the passes.
pub fn names() -> Vec<&'static str> {
    let mut names = vec!["build", "monomorphize", "differentiate"];
    for pass in MONO {
        if !names.contains(&pass.name) {
            names.push(pass.name);
        }
    }
    names
}

/// Whether `asked` names the run of the pass at `index`.
pub(crate) fn names_run(asked: &str, index: usize) -> bool {
    let Some(pass) = MONO.get(index) else { return false };
    let run = MONO.iter().take(index + 1).filter(|it| it.name == pass.name).count();
    let is_last = MONO.iter().skip(index + 1).all(|it| it.name != pass.name);
    match asked.split_once(':') {
        Some((name, number)) => name == pass.name && number.parse() == Ok(run),
        None => asked == pass.name && is_last,
    }
}

/// Refuses the name of a pass that does not exist.
pub(crate) fn check_name(name: Option<&str>) -> Result<(), Error> {
    let known = |name: &str| {
        ["build", "monomorphize", "differentiate"].contains(&name)
            || (0..MONO.len()).any(|index| names_run(name, index))
    };
    match name {
        Some(name) if !known(name) => Err(Error::Usage(format!(
            "there is no pass `{name}`; the passes are {}",
            names().join(", ")
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_named() {
        let runs: Vec<usize> = (0..MONO.len()).filter(|&it| MONO[it].name == "simplify").collect();
        let last = runs.len();
        assert!(last > 1);
        assert!(names_run("simplify", runs[last - 1]) && !names_run("simplify", runs[0]));
        assert!(names_run("simplify:1", runs[0]) && !names_run("simplify:1", runs[1]));
        assert!(names_run(&format!("simplify:{last}"), runs[last - 1]));
        assert!(
            check_name(Some("simplify:9")).is_err() && check_name(Some("closure_repr")).is_ok()
        );
    }
}
