//! A campaign: programs of consecutive seeds, in batches, and what to do about differences.

use std::io;
use std::time::{Duration, Instant};

use oxbow_fuzz::generate;
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

struct Campaign<'a> {
    options: &'a Options,
    runner: Runner,
    /// The mode that is right.
    reference: Mode,
    failures: usize,
    /// How many programs a mode that may refuse them ran, and how many it refused.
    ran: usize,
    refused: usize,
    /// Failures that were made smaller already: a seed and a kind, or a kind that says enough.
    known: Vec<(Option<u64>, Difference)>,
}

/// Runs it and returns the number of failures.
pub fn run(options: &Options) -> io::Result<usize> {
    let folder = std::env::temp_dir().join(format!("oxbow-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let ocamlopt = options.modes.iter().find(|it| **it == Mode::Ocamlopt);
    let reference = *ocamlopt.unwrap_or(&options.modes[0]);
    let runner = Runner { oxbow: options.oxbow.clone(), folder: folder.clone(), limit: ALONE };
    let mut campaign =
        Campaign { options, runner, reference, failures: 0, ran: 0, refused: 0, known: Vec::new() };
    let start = Instant::now();
    let mut seed = options.seed;
    let end = options.seed + options.count;
    while seed < end && campaign.failures < options.max_failures {
        let count = (end - seed).min(options.batch as u64);
        let programs: Vec<Program> = (seed..seed + count).map(generate::program).collect();
        campaign.batch(&programs)?;
        seed += count;
        eprintln!(
            "{} programs, {} failures, {:.0?}",
            seed - options.seed,
            campaign.failures,
            start.elapsed()
        );
    }
    if campaign.ran + campaign.refused > 0 {
        eprintln!("with slots: {} ran, {} refused", campaign.ran, campaign.refused);
    }
    std::fs::remove_dir_all(folder)?;
    Ok(campaign.failures)
}

impl Campaign<'_> {
    fn others(&self) -> Vec<Mode> {
        self.options.modes.iter().copied().filter(|it| *it != self.reference).collect()
    }

    fn batch(&mut self, programs: &[Program]) -> io::Result<()> {
        if let [program] = programs {
            return self.alone(program, &self.others()).map(|_| ());
        }
        if self.others().iter().all(|it| it.may_refuse()) {
            for mode in self.others() {
                for program in programs {
                    self.unless_refused(program, mode)?;
                }
            }
            return Ok(());
        }
        self.runner.limit = ALONE * programs.len() as u32;
        let text = print::batch(programs);
        let mut expected = self.runner.run(self.reference, &text)?;
        if matches!(expected, Outcome::Broke(_)) {
            eprintln!("{} breaks on the batch of seed {}", self.reference, programs[0].seed);
            expected = self.runner.run(self.options.modes[0], &text)?;
        }
        let wanted = segments(expected.stdout(), SEPARATOR);
        for mode in self.others() {
            if mode.may_refuse() {
                // One program that is refused would refuse the batch.
                for program in programs {
                    self.unless_refused(program, mode)?;
                }
                continue;
            }
            self.runner.limit = ALONE * programs.len() as u32;
            let actual = self.runner.run(mode, &text)?;
            if expected.is_sound() && difference(&expected, &actual).is_none() {
                continue;
            }
            let got = segments(actual.stdout(), SEPARATOR);
            let mut found = false;
            for (index, program) in programs.iter().enumerate() {
                let same = wanted.get(index).is_some() && wanted.get(index) == got.get(index);
                if !same && self.failures < self.options.max_failures {
                    found |= self.alone(program, &[mode])?;
                }
            }
            if !found && self.failures < self.options.max_failures {
                self.failures += 1;
                let seeds: Vec<String> = programs.iter().map(|it| it.seed.to_string()).collect();
                println!("=== only together: seeds {} under {mode}", seeds.join(" "));
                let difference = difference(&expected, &actual);
                self.save(
                    &format!("batch-{}-{mode}", programs[0].seed),
                    &text,
                    &format!("{difference:?}"),
                )?;
            }
        }
        Ok(())
    }

    /// Runs one program by itself. True if a mode differs.
    fn alone(&mut self, program: &Program, modes: &[Mode]) -> io::Result<bool> {
        self.runner.limit = ALONE;
        let text = print::standalone(program);
        let expected = self.runner.run(self.reference, &text)?;
        if matches!(expected, Outcome::Broke(_)) && self.reference == Mode::Ocamlopt {
            eprintln!("seed {}: ocamlopt itself breaks", program.seed);
            return Ok(true);
        }
        if !expected.is_sound() {
            self.failures += 1;
            println!("=== seed {}: no reference ({}): {expected}", program.seed, self.reference);
            self.save(&format!("seed-{}-reference", program.seed), &text, &expected.to_string())?;
            return Ok(true);
        }
        let mut found = false;
        for mode in modes {
            let actual = self.runner.run(*mode, &text)?;
            if mode.may_refuse() && actual.is_refused() {
                continue;
            }
            if let Some(kind) = difference(&expected, &actual) {
                found = true;
                self.failure(program, *mode, &kind, &expected)?;
            }
        }
        Ok(found)
    }

    /// Runs one program in a mode that may refuse it, which it finds out fast.
    fn unless_refused(&mut self, program: &Program, mode: Mode) -> io::Result<()> {
        self.runner.limit = ALONE;
        if self.runner.run(mode, &print::standalone(program))?.is_refused() {
            self.refused += 1;
        } else {
            self.ran += 1;
            self.alone(program, &[mode])?;
        }
        Ok(())
    }

    fn failure(
        &mut self,
        program: &Program,
        mode: Mode,
        kind: &Difference,
        expected: &Outcome,
    ) -> io::Result<()> {
        let telling = matches!(kind, Difference::Rejected(_) | Difference::Broke(_));
        let key = (if telling { None } else { Some(program.seed) }, kind.clone());
        if self.known.contains(&key) {
            eprintln!("seed {} differs under {mode}: {kind:?} again", program.seed);
            return Ok(());
        }
        self.known.push(key);
        self.failures += 1;
        eprintln!("seed {} differs under {mode}: {kind:?}; making it smaller", program.seed);
        // A fast mode that is right here stands in for the reference.
        let first = self.options.modes[0];
        let text = print::standalone(program);
        let stand_in = first != mode && self.runner.run(first, &text)? == *expected;
        let against = if stand_in { first } else { self.reference };
        let runner = Runner { limit: SHRUNK, ..self.runner.clone() };
        let mut fails = |candidate: &Program| {
            let text = print::standalone(candidate);
            let fails = || -> io::Result<bool> {
                let actual = runner.run(mode, &text)?;
                if matches!(&actual, Outcome::Ran { .. }) || against == Mode::Ocamlopt {
                    let expected = runner.run(against, &text)?;
                    return Ok(expected.is_sound()
                        && difference(&expected, &actual).as_ref() == Some(kind));
                }
                Ok(difference(expected, &actual).as_ref() == Some(kind))
            };
            fails().unwrap_or(false)
        };
        let small = shrink(program, self.options.budget, &mut fails);
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

    fn save(&self, name: &str, program: &str, report: &str) -> io::Result<()> {
        let Some(folder) = &self.options.save else { return Ok(()) };
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join(format!("{name}.ml")), program)?;
        std::fs::write(folder.join(format!("{name}.txt")), report)
    }
}
