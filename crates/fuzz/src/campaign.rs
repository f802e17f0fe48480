//! A campaign: programs of consecutive seeds, in batches, and what to do about differences.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use oxbow_fuzz::print::{self, SEPARATOR};
use oxbow_fuzz::run::compare::{Difference, difference, segments};
use oxbow_fuzz::run::mode::{Mode, Outcome, Runner};
use oxbow_fuzz::shrink::shrink;
use oxbow_fuzz::tree::Program;

use crate::options::Options;

/// Time for a program, and for each program of a batch.
const ALONE: Duration = Duration::from_secs(10);
/// Time for a shrunk program: most that need longer have lost what made them end.
const SHRUNK: Duration = Duration::from_secs(3);

/// What the workers of a campaign have found.
#[derive(Default)]
struct Found {
    programs: u64,
    failures: usize,
    /// Programs that a strategy refused, over all modes.
    refused: u64,
    /// Failures that were made smaller already: a seed and a kind, or a kind that says enough.
    known: Vec<(Option<u64>, Difference)>,
}

/// One worker.
struct Campaign<'a> {
    options: &'a Options,
    runner: Runner,
    /// The mode that is right.
    reference: Mode,
    found: &'a Mutex<Found>,
}

/// Runs it and returns the number of failures.
pub fn run(options: &Options) -> io::Result<usize> {
    let folder = std::env::temp_dir().join(format!("oxbow-fuzz-{}", std::process::id()));
    let next = AtomicU64::new(options.seed);
    let found = Mutex::new(Found::default());
    let start = Instant::now();
    let worker = |index: usize| {
        let folder = folder.join(index.to_string());
        worker(options, &folder, &next, &found, start)
    };
    let results: Vec<io::Result<()>> = std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..options.jobs).map(|index| scope.spawn(move || worker(index))).collect();
        let lost = || io::Error::other("a worker broke");
        workers.into_iter().map(|it| it.join().unwrap_or_else(|_| Err(lost()))).collect()
    });
    std::fs::remove_dir_all(&folder)?;
    results.into_iter().collect::<io::Result<()>>()?;
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(found.failures)
}

/// Takes batches until there are none left, or enough failures.
fn worker(
    options: &Options,
    folder: &Path,
    next: &AtomicU64,
    found: &Mutex<Found>,
    start: Instant,
) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let reference = options.reference();
    let runner = Runner {
        oxbow: options.oxbow.clone(),
        folder: folder.to_path_buf(),
        limit: ALONE,
        flags: options.flags.clone(),
    };
    let campaign = Campaign { options, runner, reference, found };
    let end = options.seed + options.count;
    loop {
        let seed = next.fetch_add(options.batch as u64, Ordering::Relaxed);
        if seed >= end || campaign.is_full() {
            return Ok(());
        }
        let count = (end - seed).min(options.batch as u64);
        let programs: Vec<Program> = (seed..seed + count).map(|it| options.program(it)).collect();
        campaign.batch(&programs)?;
        let mut found = campaign.found();
        found.programs += count;
        let refused =
            if found.refused > 0 { format!(", {} refused", found.refused) } else { String::new() };
        let (programs, failures) = (found.programs, found.failures);
        eprintln!("{programs} programs, {failures} failures{refused}, {:.0?}", start.elapsed());
    }
}

impl Campaign<'_> {
    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_full(&self) -> bool {
        self.found().failures >= self.options.max_failures
    }

    fn runner(&self, limit: Duration) -> Runner {
        Runner { limit, ..self.runner.clone() }
    }

    fn batch(&self, programs: &[Program]) -> io::Result<()> {
        let modes = self.options.compared(programs[0].seed);
        if let [program] = programs {
            return self.alone(program, &modes).map(|_| ());
        }
        let runner = self.runner(ALONE * programs.len() as u32);
        let text = print::batch(programs);
        let mut expected = runner.run(self.reference, &text)?;
        if let Outcome::Broke(reason) = &expected {
            let seed = programs[0].seed;
            eprintln!("{} breaks on the batch of seed {seed}: {}", self.reference, reason.trim());
            expected = runner.run(self.options.modes[0], &text)?;
        }
        let wanted = segments(expected.stdout(), SEPARATOR);
        // A program that ends with an exception keeps those behind it from running.
        if (1..programs.len()).contains(&wanted.len()) {
            let (before, rest) = programs.split_at(wanted.len() - 1);
            for part in [before, &rest[..1], &rest[1..]] {
                if !part.is_empty() {
                    self.batch(part)?;
                }
            }
            return Ok(());
        }
        for mode in modes {
            if mode.may_refuse() {
                self.accepted(programs, mode, &wanted)?;
                continue;
            }
            let actual = runner.run(mode, &text)?;
            if !(expected.is_sound() && difference(&expected, &actual).is_none()) {
                self.differing(programs, mode, &wanted, &actual)?;
            }
        }
        Ok(())
    }

    /// Runs the parts of a batch that a mode accepts: what it refuses is halved.
    fn accepted(&self, programs: &[Program], mode: Mode, wanted: &[String]) -> io::Result<()> {
        let runner = self.runner(ALONE * programs.len() as u32);
        let actual = runner.run(mode, &print::batch(programs))?;
        if actual == Outcome::Refused {
            if programs.len() == 1 {
                self.found().refused += 1;
                return Ok(());
            }
            let (first, second) = programs.split_at(programs.len() / 2);
            let (first_wanted, second_wanted) = wanted.split_at(first.len().min(wanted.len()));
            self.accepted(first, mode, first_wanted)?;
            return self.accepted(second, mode, second_wanted);
        }
        if actual.is_sound() && segments(actual.stdout(), SEPARATOR) == wanted {
            return Ok(());
        }
        self.differing(programs, mode, wanted, &actual)
    }

    /// Runs alone what differs within a batch.
    fn differing(
        &self,
        programs: &[Program],
        mode: Mode,
        wanted: &[String],
        actual: &Outcome,
    ) -> io::Result<()> {
        let got = segments(actual.stdout(), SEPARATOR);
        let mut found = false;
        for (index, program) in programs.iter().enumerate() {
            let same = wanted.get(index).is_some() && wanted.get(index) == got.get(index);
            if !same && !self.is_full() {
                found |= self.alone(program, &[mode])?;
            }
        }
        if found || self.is_full() {
            return Ok(());
        }
        self.found().failures += 1;
        let seeds: Vec<String> = programs.iter().map(|it| it.seed.to_string()).collect();
        println!("=== only together: seeds {} under {mode}\n{actual}", seeds.join(" "));
        let name = format!("batch-{}-{mode}", programs[0].seed);
        self.save(&name, &print::batch(programs), &actual.to_string())
    }

    /// Runs one program by itself. True if a mode differs.
    fn alone(&self, program: &Program, modes: &[Mode]) -> io::Result<bool> {
        let text = print::standalone(program);
        let expected = self.runner.run(self.reference, &text)?;
        if matches!(expected, Outcome::Broke(_)) && self.reference == Mode::OCAMLOPT {
            eprintln!("seed {}: ocamlopt itself breaks", program.seed);
            return Ok(true);
        }
        if !expected.is_sound() {
            self.found().failures += 1;
            println!("=== seed {}: no reference ({}): {expected}", program.seed, self.reference);
            self.save(&format!("seed-{}-reference", program.seed), &text, &expected.to_string())?;
            return Ok(true);
        }
        let mut found = false;
        for mode in modes {
            let actual = self.runner.run(*mode, &text)?;
            if let Some(kind) = difference(&expected, &actual) {
                found = true;
                self.failure(program, *mode, &kind, &expected)?;
            }
        }
        Ok(found)
    }

    fn failure(
        &self,
        program: &Program,
        mode: Mode,
        kind: &Difference,
        expected: &Outcome,
    ) -> io::Result<()> {
        let telling = matches!(kind, Difference::Rejected(_) | Difference::Broke(_));
        let key = (if telling { None } else { Some(program.seed) }, kind.clone());
        {
            let mut found = self.found();
            if found.known.contains(&key) {
                eprintln!("seed {} differs under {mode}: {kind:?} again", program.seed);
                return Ok(());
            }
            found.known.push(key);
            found.failures += 1;
        }
        eprintln!("seed {} differs under {mode}: {kind:?}; making it smaller", program.seed);
        let small = self.smaller(program, mode, kind, expected)?;
        let text = print::standalone(&small);
        let (expected, actual) =
            (self.runner.run(self.reference, &text)?, self.runner.run(mode, &text)?);
        let report = format!(
            "seed {}, {mode}: {kind:?}\n--- {}\n{expected}\n--- {mode}\n{actual}\n",
            program.seed, self.reference
        );
        println!("=== {report}--- program\n{text}");
        self.save(&format!("seed-{}-{mode}", program.seed), &text, &report)
    }

    /// A smaller program that differs in the same manner.
    fn smaller(
        &self,
        program: &Program,
        mode: Mode,
        kind: &Difference,
        expected: &Outcome,
    ) -> io::Result<Program> {
        // A fast mode that is right here stands in for the reference.
        let first = self.options.modes[0];
        let text = print::standalone(program);
        let stand_in = first != mode && self.runner.run(first, &text)? == *expected;
        let against = if stand_in { first } else { self.reference };
        let runner = self.runner(SHRUNK);
        let mut fails = |candidate: &Program| {
            let text = print::standalone(candidate);
            let fails = || -> io::Result<bool> {
                let actual = runner.run(mode, &text)?;
                if matches!(&actual, Outcome::Ran { .. }) || against == Mode::OCAMLOPT {
                    let expected = runner.run(against, &text)?;
                    return Ok(expected.is_sound()
                        && difference(&expected, &actual).as_ref() == Some(kind));
                }
                Ok(difference(expected, &actual).as_ref() == Some(kind))
            };
            fails().unwrap_or(false)
        };
        Ok(shrink(program, self.options.budget, &mut fails))
    }

    fn save(&self, name: &str, program: &str, report: &str) -> io::Result<()> {
        let Some(folder) = &self.options.save else { return Ok(()) };
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join(format!("{name}.ml")), program)?;
        std::fs::write(folder.join(format!("{name}.txt")), report)
    }
}
