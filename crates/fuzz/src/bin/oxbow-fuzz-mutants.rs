//! `oxbow-fuzz-mutants`: damaged programs of all languages, see `oxbow_fuzz::mutants`.
//!
//! ```text
//! oxbow-fuzz-mutants --count 100000 --save target/mutants
//! oxbow-fuzz-mutants --print SEED
//! ```
//!
//! Seeds count through the languages in turn. What brings the compiler down is saved with what it said, as it was
//! and made small. The exit code is 1 if there is any.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Parser;
use oxbow_fuzz::mutants::{Checker, Fault, LANGUAGES, Programs};
use oxbow_fuzz::run::processors;

/// Damaged programs of all languages, which the compiler must refuse or accept in time
#[derive(Parser)]
struct Options {
    #[arg(long, default_value_t = 3000)]
    count: u64,
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[arg(long, default_value = "target/release/oxbow")]
    oxbow: PathBuf,
    /// The folder with the programs to damage
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// A folder for the programs that bring the compiler down
    #[arg(long, default_value = "target/mutants")]
    save: PathBuf,
    #[arg(long, default_value_t = processors() as u64, value_parser = clap::value_parser!(u64).range(1..))]
    jobs: u64,
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    batch: u64,
    /// Print the program of a seed, and nothing else
    #[arg(long, value_name = "SEED")]
    print: Option<u64>,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> io::Result<usize> {
    let programs: io::Result<Vec<Programs>> =
        LANGUAGES.iter().map(|it| Programs::new(&options.root, it)).collect();
    let programs = programs?;
    let languages = programs.len() as u64;
    if let Some(seed) = options.print {
        print!("{}", programs[(seed % languages) as usize].mutant(seed));
        return Ok(0);
    }
    fs::create_dir_all(&options.save)?;
    let batches = options.count.div_ceil(options.batch);
    let next = AtomicU64::new(0);
    let faults = Mutex::new(Vec::new());
    let work = |job: u64| -> io::Result<()> {
        let folder = options.save.join(format!("job{job}"));
        let checker = Checker::new(&options.oxbow, &folder)?;
        loop {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            if batch >= batches {
                return fs::remove_dir_all(&folder);
            }
            let language = &programs[(batch % languages) as usize];
            let first = options.seed + batch / languages * options.batch;
            // The seeds of a language: those that leave its number when divided.
            let seeds = (first..first + options.batch)
                .map(|it| it * languages + batch % languages)
                .collect::<Vec<_>>();
            for (seed, fault) in checked(options, &checker, language, &seeds)? {
                faults.lock().expect("no thread fails here").push((seed, fault));
            }
            let count = faults.lock().expect("no thread fails here").len();
            let done = ((batch + 1) * options.batch).min(options.count);
            eprintln!("{done} of {}, {count} faults", options.count);
        }
    };
    std::thread::scope(|scope| {
        let jobs: Vec<_> = (0..options.jobs).map(|job| scope.spawn(move || work(job))).collect();
        jobs.into_iter().try_for_each(|it| it.join().expect("a worker returns its errors"))
    })?;
    let faults = faults.into_inner().expect("no thread fails here");
    for (seed, fault) in &faults {
        println!("seed {seed}: {}", fault.kind);
    }
    println!("{} mutants, {} faults", batches * options.batch, faults.len());
    Ok(faults.len())
}

/// The faults that some seeds show, saved.
fn checked(
    options: &Options,
    checker: &Checker,
    programs: &Programs,
    seeds: &[u64],
) -> io::Result<Vec<(u64, Fault)>> {
    let texts: Vec<String> = seeds.iter().map(|it| programs.mutant(*it)).collect();
    let mut found = Vec::new();
    for ((seed, text), fault) in seeds.iter().zip(&texts).zip(checker.check(programs, &texts)?) {
        let Some(fault) = fault else { continue };
        eprintln!("seed {seed}: {}", fault.kind);
        let path = options.save.join(format!("{seed}.{}", programs.extension()));
        fs::write(&path, text)?;
        fs::write(options.save.join(format!("{seed}.said")), &fault.said)?;
        let small = checker.shrink(programs, text, &fault)?;
        fs::write(options.save.join(format!("{seed}.small.{}", programs.extension())), small)?;
        found.push((*seed, fault));
    }
    Ok(found)
}
