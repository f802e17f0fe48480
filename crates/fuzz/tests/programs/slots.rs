//! Programs that `--closures=slots` accepts never call a closure after its literal made a newer one.
//!
//! covers: G12
//!
//! The interpreter watches every literal that has capture slots. A stale call would read the slots of
//! another closure, whether or not the output shows it. `OXBOW_SLOT_PROGRAMS` is the number of
//! programs.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use oxbow_diag::{Diagnostic, Severity};
use oxbow_driver::{Closures, Options, Session, Stop, with_big_stack};
use oxbow_fuzz::generate::{self, Profile};
use oxbow_fuzz::print;
use oxbow_passes::check_slots;
use oxbow_psg::interp::{self, MemoryHost};

const PROGRAMS: u64 = 200;
const FIRST_SEED: u64 = 700_000;
const STEPS: u64 = 20_000_000;

#[derive(Default)]
struct Counts {
    accepted: u64,
    /// Accepted programs in which closures with slots are made at all.
    slotted: u64,
    refused: u64,
    /// Refused programs that do call a stale closure.
    rightly: u64,
    faults: Vec<String>,
}

#[test]
fn accepted_programs_call_no_stale_closure() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("slots");
    std::fs::create_dir_all(&folder).expect("a folder for the programs");
    let programs = std::env::var("OXBOW_SLOT_PROGRAMS").ok().and_then(|it| it.parse().ok());
    let programs = programs.unwrap_or(PROGRAMS);
    let next = AtomicU64::new(0);
    let counts = Mutex::new(Counts::default());
    let work = |thread: usize| {
        let file = folder.join(format!("program_{thread}.ml"));
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= programs {
                return;
            }
            // Programs that store closures in data are refused before they say anything.
            let profile = if seed & 1 == 0 { Profile::Small } else { Profile::Wide };
            let program = generate::program_of(FIRST_SEED + seed, profile);
            let text = print::standalone(&program);
            std::fs::write(&file, &text).expect("the program is written");
            with_big_stack(|| one(&file, FIRST_SEED + seed, &counts));
        }
    };
    std::thread::scope(|scope| {
        for thread in 0..std::thread::available_parallelism().map_or(1, usize::from).min(8) {
            scope.spawn(move || work(thread));
        }
    });
    let counts = counts.into_inner().expect("no thread panics with the lock");
    eprintln!(
        "{} accepted, {} of them with slots; {} refused, {} of them with a stale call",
        counts.accepted, counts.slotted, counts.refused, counts.rightly
    );
    assert!(counts.faults.is_empty(), "{}", counts.faults.join("\n"));
    assert!(counts.slotted * 20 > programs, "too few programs use slots");
    assert!(counts.rightly > 0, "no program shows that the check is needed");
}

fn is_refusal(it: &Diagnostic) -> bool {
    it.severity == Severity::Warning || it.code == "E0950"
}

fn one(file: &Path, seed: u64, counts: &Mutex<Counts>) {
    let mut options = Options::new(file);
    options.verify = false;
    options.closures = Closures::Slots;
    let mut session = Session::new(options);
    let accepted = match session.compile() {
        Ok(program) => Some(program),
        Err(Stop::Reported) if session.diagnostics.iter().all(is_refusal) => None,
        // A program of the generator that has another fault is for other tests to find.
        Err(_) => return,
    };
    let refused = accepted.is_none();
    let program = accepted.or_else(|| {
        session.diagnostics.take();
        session.options.closures = Closures::Flat;
        let mut again = Session::new(session.options.clone());
        again.compile().ok()
    });
    let Some(program) = program else { return };
    let watched = check_slots::slotted(&program);
    let makes = !watched.is_empty();
    let mut host = MemoryHost::new(vec![b"program".to_vec()], Vec::new());
    let limits = interp::Options { step_limit: Some(STEPS), ..interp::Options::default() };
    let (_, stale) = interp::run_watching(&program, &mut host, limits, watched);
    let mut counts = counts.lock().expect("no thread panics with the lock");
    if refused {
        counts.refused += 1;
        counts.rightly += u64::from(stale.is_some());
    } else {
        counts.accepted += 1;
        counts.slotted += u64::from(makes);
        if let Some(lambda) = stale {
            counts.faults.push(format!("seed {seed}: a stale closure of {lambda} is called"));
        }
    }
}
