//! `oxbow-fuzz-layouts`: compares what random layouts of Clef mean with an implementation of F#.
//!
//! ```text
//! oxbow-fuzz-layouts --oracle ORACLE       500 layouts from seed 0
//! oxbow-fuzz-layouts --print SEED          a program
//! ```
//!
//! `ORACLE FILE.fs` prints what the program prints, or names the places that it refuses as `(LINE,COLUMN)` on its
//! error output: those layouts are left out, and the rest is tried again. What F# refuses is not looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use clap::Parser;
use oxbow_fuzz::layouts;
use oxbow_fuzz::run::process::{self, End, Output};
use oxbow_fuzz::seeds::Seeds;

/// Layouts in one program.
const BATCH: u64 = 50;

/// Compares what random layouts of Clef mean with an implementation of F#
#[derive(Parser)]
struct Options {
    /// A command: `ORACLE FILE.fs` prints what the program prints
    #[arg(long, required_unless_present = "print")]
    oracle: Option<String>,
    #[command(flatten)]
    seeds: Seeds,
}

fn main() -> ExitCode {
    let Options { oracle, seeds: Seeds { oxbow, count, seed: first, print } } = Options::parse();
    if let Some(seed) = print {
        print!("{}", program(&BTreeSet::from([seed])).0);
        return ExitCode::SUCCESS;
    }
    let (mut compared, mut wrong, mut at) = (0, 0, first);
    while at < first + count {
        let seeds: BTreeSet<u64> = (at..(at + BATCH).min(first + count)).collect();
        at += BATCH;
        match compare(&oxbow, oracle.as_deref().unwrap_or_default(), seeds) {
            Ok((seen, faults)) => {
                compared += seen;
                wrong += faults.len();
                faults.iter().for_each(|it| println!("{it}"));
            }
            Err(error) => {
                wrong += 1;
                println!("{error}");
            }
        }
    }
    println!("{count} layouts, {compared} that F# accepts, {wrong} differences");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// The text of these layouts, and the line behind each.
fn program(seeds: &BTreeSet<u64>) -> (String, Vec<(usize, u64)>) {
    let mut text = layouts::HEAD.to_string();
    let mut ends = Vec::new();
    for &seed in seeds {
        text.push_str(&layouts::test(seed));
        ends.push((text.lines().count(), seed));
    }
    (text, ends)
}

fn run(
    command: &mut Command,
    seeds: &BTreeSet<u64>,
) -> Result<(Output, Vec<(usize, u64)>), String> {
    let (text, ends) = program(seeds);
    let first = seeds.first().copied().unwrap_or(0);
    let file = std::env::temp_dir().join(format!("Layouts{}_{first}.fs", std::process::id()));
    std::fs::write(&file, text).map_err(|it| it.to_string())?;
    let output = process::run(command.arg(&file), Duration::from_secs(600));
    let _ = std::fs::remove_file(&file);
    Ok((output.map_err(|it| it.to_string())?, ends))
}

fn lines(output: &Output) -> BTreeMap<u64, String> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = |it: &str| {
        let (seed, trace) = it.split_once(':')?;
        Some((seed.parse().ok()?, trace.to_string()))
    };
    text.lines().filter_map(line).collect()
}

/// The layouts that a report names by `(LINE,`.
fn named(output: &Output, ends: &[(usize, u64)]) -> BTreeSet<u64> {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut found = BTreeSet::new();
    for part in text.split('(').skip(1) {
        let Some(line) = part.split(',').next().and_then(|it| it.parse::<usize>().ok()) else {
            continue;
        };
        found.extend(ends.iter().find(|it| line <= it.0).map(|it| it.1));
    }
    found
}

/// How many could be compared, and what differs.
fn compare(
    oxbow: &Path,
    oracle: &str,
    mut seeds: BTreeSet<u64>,
) -> Result<(usize, Vec<String>), String> {
    let wanted = loop {
        let (output, ends) = run(&mut Command::new(oracle), &seeds)?;
        let found = lines(&output);
        if found.len() == seeds.len() {
            break found;
        }
        let refused = named(&output, &ends);
        if refused.is_empty() {
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("the oracle gives nothing for {seeds:?}: {message}"));
        }
        seeds.retain(|it| !refused.contains(it));
        if seeds.is_empty() {
            return Ok((0, Vec::new()));
        }
    };
    let mut faults = Vec::new();
    for (seed, trace) in &wanted {
        let (output, _) = run(Command::new(oxbow).args(["run", "-O0"]), &BTreeSet::from([*seed]))?;
        let found = lines(&output);
        if output.end != End::Code(0) || found.get(seed) != Some(trace) {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let said: Vec<&str> = said.lines().take(6).collect();
            let found = found.get(seed).map_or("", String::as_str);
            faults.push(format!(
                "layout {seed}\n  F#:   {trace}\n  here: {found}\n{}",
                said.join("\n")
            ));
        }
    }
    Ok((wanted.len(), faults))
}
