//! Random programs: machine code gives what the interpreter gives. `./x fuzz` runs many more.

use std::path::Path;
use std::time::Duration;

use oxbow_fuzz::generate;
use oxbow_fuzz::print::{self, SEPARATOR};
use oxbow_fuzz::run::compare::segments;
use oxbow_fuzz::run::mode::{Mode, Runner};

const BATCHES: u64 = 4;
const BATCH: u64 = 10;

/// covers: E8, E11, E12, E14, E15, F3, F8
#[test]
#[cfg_attr(not(feature = "native"), ignore = "there is no machine code to compare with")]
fn machine_code_agrees_with_the_interpreter() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random");
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    let runner = Runner {
        oxbow: env!("CARGO_BIN_EXE_oxbow").into(),
        folder,
        limit: Duration::from_secs(120),
        flags: Vec::new(),
    };
    let mode = |name: &str| Mode::parse(name).expect("the name of a mode");
    for batch in 0..BATCHES {
        let first = 1_000_000 + batch * BATCH;
        let programs: Vec<_> = (first..first + BATCH).map(generate::program).collect();
        let text = print::batch(&programs);
        let expected = runner.run(Mode::INTERP_MONO, &text).expect("the interpreter runs");
        assert!(expected.is_sound(), "seeds from {first}: {expected}");
        let wanted = segments(expected.stdout(), SEPARATOR);
        assert_eq!(wanted.len(), BATCH as usize);
        for mode in [mode("jit-O0"), mode("jit-O3")] {
            let actual = runner.run(mode, &text).expect("the program runs");
            let got = segments(actual.stdout(), SEPARATOR);
            for (index, wanted) in wanted.iter().enumerate() {
                let seed = first + index as u64;
                assert_eq!(Some(wanted), got.get(index), "seed {seed} under {mode}: {actual}");
            }
            assert_eq!(expected, actual, "seeds from {first} under {mode}");
        }
    }
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
