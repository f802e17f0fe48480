//! `oxbow-fuzz-derivatives`: checks the derivatives of random functions.
//!
//! ```text
//! oxbow-fuzz-derivatives                   500 functions from seed 0, by machine code
//! oxbow-fuzz-derivatives --print SEED      one program
//! ```

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use clap::Parser;
use oxbow_fuzz::derivatives;
use oxbow_fuzz::run::process;
use oxbow_fuzz::seeds::Seeds;

/// Functions in one program.
const BATCH: u64 = 10;

/// Checks the derivatives of random functions
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    seeds: Seeds,
}

fn main() -> ExitCode {
    let Options { seeds: Seeds { oxbow, count, seed: first, print } } = Options::parse();
    if let Some(seed) = print {
        print!("{}", derivatives::program(seed..seed + 1));
        return ExitCode::SUCCESS;
    }
    let mut wrong = 0;
    let mut at = first;
    while at < first + count {
        let seeds = at..(at + BATCH).min(first + count);
        at = seeds.end;
        match check(&oxbow, seeds.clone()) {
            Ok(faults) => {
                wrong += faults.len();
                faults.iter().for_each(|it| println!("{it}"));
            }
            Err(error) => {
                wrong += 1;
                println!("seeds {} to {}: {error}", seeds.start, seeds.end - 1);
            }
        }
    }
    println!("{count} functions, {wrong} faults");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// The lines of a program's output that report a fault.
fn check(oxbow: &Path, seeds: std::ops::Range<u64>) -> Result<Vec<String>, String> {
    let text = derivatives::program(seeds.clone());
    let file =
        std::env::temp_dir().join(format!("derivatives_{}_{}.ml", std::process::id(), seeds.start));
    std::fs::write(&file, text).map_err(|it| it.to_string())?;
    let mut command = Command::new(oxbow);
    command.args(["run", "-O0"]).arg(&file);
    let output =
        process::run(&mut command, Duration::from_secs(600)).map_err(|it| it.to_string())?;
    let _ = std::fs::remove_file(&file);
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.end != process::End::Code(0)
        || shown.lines().count() as u64 != seeds.end - seeds.start
    {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!(
            "{:?} {}",
            output.end,
            message.lines().take(8).collect::<Vec<_>>().join(" | ")
        ));
    }
    Ok(shown.lines().filter(|it| !it.ends_with(" ok")).map(str::to_string).collect())
}
