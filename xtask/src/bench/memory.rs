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

/// How often each of two executables is run.
const REPEATED: usize = 9;

/// Programs of `bench/programs` that make next to no objects.
const WITHOUT_ALLOCATION: [&str; 5] =
    ["fib", "tak", "nested_loops_captures", "mandelbrot", "nbody"];

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
    table.push_str(
        "\nFor `life` and `cps`, 10 N is 100,000 generations and 100,000,000 steps.\n\n\
         ## Programs without allocation\n\n\
         Processor time in milliseconds, the least of 9 interleaved runs: as compiled always, and with neither \
         counting nor regions (`build --uncounted`).\n\n\
         | program | counted | uncounted | ratio |\n|---|---:|---:|---:|\n",
    );
    for name in WITHOUT_ALLOCATION {
        let line = without_allocation(name, &folder)?;
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
    // Programs with our own modules have no peer.
    let has_peer = !text.contains("Ad.");
    if has_peer {
        made(ocamlopt.args(["-O3", "-w", "-a"]).arg(&source).arg("-o").arg(&theirs))?;
    }
    let n = full.map_or(rounds * FACTOR, |it| it / 10);
    let mut line = format!("| {name} | {n} |");
    let mut outputs = Vec::new();
    for executable in [&ours, &theirs].into_iter().take(1 + usize::from(has_peer)) {
        for rounds in [n, 10 * n] {
            let run = measure(Command::new(executable).arg(rounds.to_string()))
                .map_err(|error| format!("{name}: {error}"))?;
            let _ = write!(line, " {:.1} MB |", run.memory as f64 / 1e6);
            outputs.push(run.output);
        }
    }
    if !has_peer {
        line.push_str(" – | – |");
    } else if outputs[0] != outputs[2] || outputs[1] != outputs[3] {
        return Err(format!("{name}: the outputs differ"));
    }
    line.push('\n');
    Ok(line)
}

/// What counting and regions cost where there is nothing to count.
fn without_allocation(name: &str, folder: &Path) -> Result<String, String> {
    let source = root().join(format!("bench/programs/{name}.ml"));
    let mut executables = Vec::new();
    for flags in [&["build", "-O3"][..], &["build", "-O3", "--uncounted"]] {
        let executable = folder.join(format!("{name}.{}", executables.len()));
        let mut oxbow = Command::new(root().join("target/release/oxbow"));
        made(oxbow.args(flags).arg(&source).arg("-o").arg(&executable))?;
        executables.push(executable);
    }
    let mut least = [f64::INFINITY; 2];
    for _ in 0..REPEATED {
        for (executable, least) in executables.iter().zip(&mut least) {
            let run =
                measure(&mut Command::new(executable)).map_err(|it| format!("{name}: {it}"))?;
            *least = least.min(run.processor);
        }
    }
    let [counted, uncounted] = least;
    let ratio = counted / uncounted;
    Ok(format!("| {name} | {:.1} | {:.1} | {ratio:.3} |\n", counted * 1e3, uncounted * 1e3))
}

fn made(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
