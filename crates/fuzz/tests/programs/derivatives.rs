//! Derivatives of random functions agree with each other and with difference quotients. More of them, by
//! machine code: `oxbow-fuzz-derivatives OXBOW 500`.
//!
//! covers: K10, K11

use std::path::Path;

use oxbow_driver::{Options, Session, with_big_stack};
use oxbow_fuzz::derivatives;
use oxbow_psg::interp::{self, MemoryHost, Outcome};

const FUNCTIONS: u64 = 60;
const BATCH: u64 = 10;

#[test]
fn derivatives_of_random_functions_are_right() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("derivatives");
    std::fs::create_dir_all(&folder).expect("a folder for the programs");
    for first in (0..FUNCTIONS).step_by(BATCH as usize) {
        let file = folder.join(format!("batch_{first}.ml"));
        let text = derivatives::program(first..first + BATCH);
        std::fs::write(&file, text).expect("the program is written");
        with_big_stack(|| check(&file));
    }
}

fn check(file: &Path) {
    let mut session = Session::new(Options::new(file));
    let program = match session.compile() {
        Ok(program) => program,
        Err(stop) => panic!("{}: {stop:?}\n{:#?}", file.display(), session.reports()),
    };
    let mut host = MemoryHost::new(vec![b"program".to_vec()], Vec::new());
    let outcome = interp::run(&program, &mut host, interp::Options::default());
    assert_eq!(outcome, Outcome::Exit(0), "{}", file.display());
    let output = String::from_utf8_lossy(&host.stdout).into_owned();
    assert_eq!(output.lines().count() as u64, BATCH, "{}", file.display());
    let wrong: Vec<&str> = output.lines().filter(|it| !it.ends_with(" ok")).collect();
    assert!(wrong.is_empty(), "{}: {}", file.display(), wrong.join("\n"));
}
