//! `./x bench memory`: peak memory after N and after 10 N rounds, next to `ocamlopt`'s.
//!
//! A program that keeps no more than it needs has the same peak both times.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::measure::measure;
use crate::{extension, files, root};

/// Times the rounds of a test, which are few.
const FACTOR: u64 = 10;

pub fn run() -> Result<(), String> {
    let folder = root().join("target/bench/memory");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut table = String::from(
        "# Memory\n\nPeak resident set after N and after 10 N rounds of each program in `bench/memory`, \
         made by `./x bench memory`.\n\n\
         | program | N | oxbow, N | oxbow, 10 N | ocamlopt, N | ocamlopt, 10 N |\n\
         |---|---:|---:|---:|---:|---:|\n",
    );
    for file in files(&root().join("bench/memory")).iter().filter(|it| extension(it) == "ml") {
        let line = program(file, &folder)?;
        print!("{line}");
        table.push_str(&line);
    }
    fs::write(root().join("bench/MEMORY.md"), table).map_err(|error| error.to_string())
}

/// The line of one program.
fn program(file: &Path, folder: &Path) -> Result<String, String> {
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let number = |what: &str| {
        let (_, rest) = text.split_once(what)?;
        rest.split(|it: char| !it.is_ascii_digit()).next()?.parse::<u64>().ok()
    };
    let rounds = number("rounds: ").ok_or_else(|| format!("{name} does not say `rounds: N`"))?;
    // What 10 N is, if the program says it.
    let full = number("full: ");
    let ours = folder.join(&name);
    let theirs = folder.join(format!("{name}.ocamlopt"));
    let source = folder.join(format!("{name}.ml"));
    fs::write(&source, &text).map_err(|error| error.to_string())?;
    let mut oxbow = Command::new(root().join("target/release/oxbow"));
    made(oxbow.args(["build", "-O3"]).arg(&source).arg("-o").arg(&ours))?;
    let mut ocamlopt = Command::new("ocamlopt");
    made(ocamlopt.args(["-O3", "-w", "-a"]).arg(&source).arg("-o").arg(&theirs))?;
    let n = full.map_or(rounds * FACTOR, |it| it / 10);
    let mut line = format!("| {name} | {n} |");
    let mut outputs = Vec::new();
    for executable in [&ours, &theirs] {
        for rounds in [n, 10 * n] {
            let run = measure(Command::new(executable).arg(rounds.to_string()))
                .map_err(|error| format!("{name}: {error}"))?;
            let _ = write!(line, " {:.1} MB |", run.memory as f64 / 1e6);
            outputs.push(run.output);
        }
    }
    if outputs[0] != outputs[2] || outputs[1] != outputs[3] {
        return Err(format!("{name}: the outputs differ"));
    }
    line.push('\n');
    Ok(line)
}

fn made(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
