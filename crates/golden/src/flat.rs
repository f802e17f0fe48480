//! Programs whose memory does not grow with their number of rounds.
//!
//! Each program of `bench/memory` says in its first comment how many rounds a test takes (`rounds: N`).
//! It is run with that many and with twice as many, or ten times (`rounds: N, tenfold`); what the runtime itself
//! counted must be the same at the end, and the peak must not grow.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::{Config, entries, has_extension, process};

/// Tables and buffers may be a little fuller.
const SLACK: u64 = 4096;

pub fn trials(config: &Config) -> Vec<Trial> {
    if !config.native {
        return Vec::new();
    }
    let programs = entries(&config.root.join("bench/memory"));
    let wanted =
        |it: &PathBuf| ["ml", "clef", "esk"].iter().any(|ending| has_extension(it, ending));
    let programs = programs.into_iter().filter(wanted);
    programs
        .map(|file| {
            let config = config.clone();
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Trial::test(format!("flat/{name}"), move || check(&config, &file))
        })
        .collect()
}

fn check(config: &Config, file: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(file)?;
    let rounds = text
        .split_once("rounds: ")
        .and_then(|(_, rest)| rest.split(|it: char| !it.is_ascii_digit()).next()?.parse().ok());
    let Some(rounds): Option<u64> = rounds else {
        return Err("it does not say `rounds: N`".into());
    };
    let times = if text.contains(&format!("rounds: {rounds}, tenfold")) { 10 } else { 2 };
    let once = memory(config, file, rounds)?;
    let more = memory(config, file, times * rounds)?;
    if more.allocated <= once.allocated {
        return Err(
            format!("{times} times the rounds allocate no more: the test shows nothing").into()
        );
    }
    if more.live_bytes != once.live_bytes || more.peak > once.peak + SLACK {
        return Err(format!("memory grows: {once:?}, then {more:?}").into());
    }
    Ok(())
}

#[derive(Debug)]
struct Memory {
    allocated: u64,
    peak: u64,
    live_bytes: u64,
}

/// What `--mem-stats` says about counted objects and those in regions, together.
fn memory(config: &Config, file: &Path, rounds: u64) -> Result<Memory, Failed> {
    let mut command = Command::new(&config.oxbow);
    command.args(["run", "--mem-stats"]).arg(file).arg("--").arg(rounds.to_string());
    let output = process::run(&mut command, &[])?;
    let text = output.stderr_text();
    if output.code()? != 0 {
        return Err(text.into());
    }
    let mut sum = Memory { allocated: 0, peak: 0, live_bytes: 0 };
    for class in ["counted ", "region "] {
        let line = text.lines().find_map(|it| it.trim().strip_prefix(class));
        let numbers: Vec<u64> =
            line.unwrap_or_default().split_whitespace().flat_map(str::parse).collect();
        let [allocated, _, peak, _, _, live_bytes] = numbers[..] else {
            return Err(format!("no numbers in\n{text}").into());
        };
        sum.allocated += allocated;
        sum.peak += peak;
        sum.live_bytes += live_bytes;
    }
    Ok(sum)
}
