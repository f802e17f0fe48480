//! Generated programs are accepted, and mean the same before and after the middle end.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use oxbow_diag::InternalError;
use oxbow_driver::{Options, Session, with_big_stack};
use oxbow_fuzz::{generate, print};
use oxbow_psg::interp::{self, MemoryHost, Outcome};

const SEEDS: u64 = 300;
const BATCH: u64 = 10;
/// Steps of a batch in the interpreter: a program that does not end is a fault of the generator.
const STEPS: u64 = 200_000_000;

#[test]
fn the_same_seed_gives_the_same_program() {
    for seed in 0..SEEDS {
        let text = print::standalone(&generate::program(seed));
        assert_eq!(text, print::standalone(&generate::program(seed)), "seed {seed}");
    }
    assert_ne!(print::standalone(&generate::program(1)), print::standalone(&generate::program(2)));
}

#[test]
fn programs_are_accepted_and_both_graphs_agree() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    std::fs::create_dir_all(&folder).expect("a folder for the programs");
    let next = AtomicU64::new(0);
    let faults = Mutex::new(Vec::new());
    let work = || {
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= SEEDS {
                return;
            }
            let programs: Vec<_> = (first..first + BATCH).map(generate::program).collect();
            let file = folder.join(format!("batch_{first}.ml"));
            std::fs::write(&file, print::batch(&programs)).expect("the program is written");
            if let Err(fault) = std::panic::catch_unwind(|| with_big_stack(|| check(&file))) {
                let text = fault.downcast_ref::<InternalError>().map(|it| it.message.clone());
                let text =
                    format!("{}: {}", file.display(), text.unwrap_or_else(|| "see above".into()));
                faults.lock().expect("no thread panics with the lock").push(text);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from).min(8) {
            scope.spawn(work);
        }
    });
    let faults = faults.into_inner().expect("no thread panics with the lock");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn check(file: &Path) {
    let mut session = Session::new(Options::new(file));
    let poly = match session.front_end() {
        Ok(poly) => poly,
        Err(stop) => panic!("{}: {stop:?}\n{:#?}", file.display(), session.reports()),
    };
    let (expected, code) = run(&poly);
    assert_eq!(code, Outcome::Exit(0), "{}", file.display());
    let mono = match session.middle_end(poly) {
        Ok(mono) => mono,
        Err(stop) => panic!("{}: {stop:?}\n{:#?}", file.display(), session.reports()),
    };
    let (actual, code) = run(&mono);
    assert_eq!(code, Outcome::Exit(0), "{}", file.display());
    let programs = expected.split(print::SEPARATOR).zip(actual.split(print::SEPARATOR));
    for (index, (expected, actual)) in programs.enumerate().skip(1) {
        assert_eq!(expected, actual, "{}, module P{}", file.display(), index - 1);
    }
    assert_eq!(expected.len(), actual.len());
}

fn run<P>(program: &oxbow_psg::Program<P>) -> (String, Outcome) {
    let mut host = MemoryHost::new(vec![b"program".to_vec()], Vec::new());
    let options = interp::Options { step_limit: Some(STEPS), ..interp::Options::default() };
    let outcome = interp::run(program, &mut host, options);
    (String::from_utf8_lossy(&host.stdout).into_owned(), outcome)
}
