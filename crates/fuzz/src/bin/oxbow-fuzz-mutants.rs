//! `oxbow-fuzz-mutants`: damaged programs of all languages, see `oxbow_fuzz::mutants`.
//!
//! ```text
//! oxbow-fuzz-mutants [--count N] [--seed S] [--oxbow PATH] [--root DIR] [--save DIR] [--jobs N] [--batch N]
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

use oxbow_fuzz::mutants::{Checker, Fault, LANGUAGES, Programs};

struct Options {
    count: u64,
    seed: u64,
    oxbow: PathBuf,
    root: PathBuf,
    save: PathBuf,
    jobs: u64,
    batch: u64,
    print: Option<u64>,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        count: 3000,
        seed: 0,
        oxbow: "target/release/oxbow".into(),
        root: ".".into(),
        save: "target/mutants".into(),
        jobs: std::thread::available_parallelism().map_or(1, |it| it.get() as u64),
        batch: 200,
        print: None,
    };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().ok_or_else(|| format!("`{name}` needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("`{value}` is no number"));
        match name.as_str() {
            "--count" => options.count = number()?,
            "--seed" => options.seed = number()?,
            "--jobs" => options.jobs = number()?.max(1),
            "--batch" => options.batch = number()?.max(1),
            "--print" => options.print = Some(number()?),
            "--oxbow" => options.oxbow = value.into(),
            "--root" => options.root = value.into(),
            "--save" => options.save = value.into(),
            _ => return Err(format!("there is no option `{name}`")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    match options().map_err(io::Error::other).and_then(|it| run(&it)) {
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
