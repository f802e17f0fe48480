//! Random programs: machine code gives what the interpreter gives. `./x fuzz` runs many more.

use std::path::Path;
use std::time::Duration;

use oxbow_fuzz::generate::{self, Profile};
use oxbow_fuzz::print::{self, SEPARATOR};
use oxbow_fuzz::run::compare::segments;
use oxbow_fuzz::run::mode::{Mode, Runner};

const BATCH: u64 = 10;

/// Runs the programs of some batches, at once, in each of the ways, and compares with the interpreter.
fn compare(name: &str, batches: &[u64], profile: Option<Profile>, modes: &[&str]) {
    std::thread::scope(|scope| {
        for &first in batches {
            scope.spawn(move || compare_batch(name, first, profile, modes));
        }
    });
}

fn compare_batch(name: &str, first: u64, profile: Option<Profile>, modes: &[&str]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).join(first.to_string());
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    let runner = Runner {
        oxbow: env!("CARGO_BIN_EXE_oxbow").into(),
        folder,
        limit: Duration::from_secs(120),
        flags: Vec::new(),
    };
    let program =
        |seed: u64| generate::program_of(seed, profile.unwrap_or_else(|| Profile::of(seed)));
    let programs: Vec<_> = (first..first + BATCH).map(program).collect();
    let text = print::batch(&programs);
    let expected = runner.run(Mode::INTERP_MONO, &text).expect("the interpreter runs");
    assert!(expected.is_sound(), "seeds from {first}: {expected}");
    let wanted = segments(expected.stdout(), SEPARATOR);
    assert_eq!(wanted.len(), BATCH as usize);
    for mode in modes.iter().map(|it| Mode::parse(it).expect("the name of a mode")) {
        let actual = runner.run(mode, &text).expect("the program runs");
        let got = segments(actual.stdout(), SEPARATOR);
        for (index, wanted) in wanted.iter().enumerate() {
            let seed = first + index as u64;
            assert_eq!(Some(wanted), got.get(index), "seed {seed} under {mode}: {actual}");
        }
        assert_eq!(expected, actual, "seeds from {first} under {mode}");
    }
}

/// covers: E8, E11, E12, E14, E15, F3, F8
#[test]
#[cfg_attr(not(feature = "native"), ignore = "there is no machine code to compare with")]
fn machine_code_agrees_with_the_interpreter() {
    let batches = [1_000_000, 1_000_010, 1_000_020, 1_000_030];
    compare("random", &batches, None, &["jit-O0", "jit-O3"]);
}

/// Nothing is used after it is freed, and nothing is left at the end: a fault or a leak has an exit code of its own.
///
/// covers: K3, K16
#[test]
#[cfg_attr(not(feature = "native"), ignore = "there is no machine code to compare with")]
fn random_programs_leave_no_memory_behind() {
    let modes = ["checked", "checked-O3", "checked+env"];
    compare("random_memory", &[2_000_000, 2_000_010], Some(Profile::Memory), &modes);
    compare("random_checked", &[1_000_000], None, &modes);
}

/// Derivatives of random functions: reverse mode by code and by the tape, forward mode and difference quotients
/// agree. `oxbow-fuzz-derivatives` checks many more.
///
/// covers: K10, K11
#[test]
#[cfg_attr(not(feature = "native"), ignore = "there is no machine code to compare with")]
fn derivatives_of_random_functions_are_exact() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("derivatives");
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    for first in [180, 1_000_000, 2_000_000] {
        let file = folder.join(format!("from_{first}.ml"));
        std::fs::write(&file, oxbow_fuzz::derivatives::program(first..first + 8))
            .expect("a writable folder");
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_oxbow"))
            .arg("run")
            .arg(&file)
            .output()
            .expect("the compiler starts");
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(shown.lines().count(), 8, "{shown}");
        assert!(shown.lines().all(|it| it.ends_with(" ok")), "{shown}");
    }
}
