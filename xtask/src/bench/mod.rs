//! `./x bench`: our code against the peers', in one interleaved run.
//!
//! Every round runs every executable once, so that a change in the machine's mood meets all of
//! them. Times are wall-clock medians, memory is the largest resident set of any round. Results
//! are ratios: below 1 we are faster, or need less. Outputs are compared first: a fast wrong
//! answer counts for nothing.

mod clef;
mod closures;
mod compile_time;
mod generate;
mod measure;
pub mod memory;
mod peers;
mod references;
mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use measure::{Run, measure};

use crate::{extension, files, root};

/// Whom we compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Peer {
    Oxbow,
    Ocamlopt,
    C,
}

pub const PEERS: [Peer; 3] = [Peer::Oxbow, Peer::Ocamlopt, Peer::C];

/// One benchmark: an executable and its measured runs for each peer that has it.
pub struct Benchmark {
    pub name: String,
    pub entries: Vec<Entry>,
    /// What went wrong, if something did.
    pub fault: Option<String>,
}

pub struct Entry {
    pub peer: Peer,
    executable: PathBuf,
    pub runs: Vec<Run>,
}

impl Benchmark {
    pub fn entry(&self, peer: Peer) -> Option<&Entry> {
        self.entries.iter().find(|it| it.peer == peer)
    }
}

impl Entry {
    /// Seconds.
    pub fn median(&self) -> f64 {
        median(self.runs.iter().map(|it| it.seconds).collect())
    }

    /// Bytes.
    pub fn memory(&self) -> u64 {
        self.runs.iter().map(|it| it.memory).max().unwrap_or(0)
    }
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}

pub struct Settings {
    rounds: usize,
    only: Option<String>,
    /// Fewer rounds, no large generated programs, and no file is written.
    quick: bool,
    /// Measure the parts of closures instead of the programs.
    closures: bool,
    /// Measure Clef against OCaml and against loops.
    clef: bool,
    /// Measure against OCaml 5, MLton and C.
    peers: bool,
    /// Count references instead of measuring time.
    references: bool,
}

pub fn run(args: &[String]) -> Result<(), String> {
    let settings = settings(args)?;
    let root = root();
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let tools = Tools {
        oxbow: target.join("release/oxbow"),
        clang: find(&["clang-22", "clang"]),
        ocamlopt: find(&["ocamlopt"]),
    };
    if !tools.oxbow.is_file() {
        return Err("there is no target/release/oxbow; run ./x build".into());
    }
    let scratch = target.join("bench");
    fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    if settings.closures {
        return closures::run(&settings, &tools, &scratch, &root);
    }
    if settings.clef {
        return clef::run(&settings, &tools, &scratch, &root);
    }
    if settings.peers {
        return peers::run(&settings, &tools, &scratch, &root);
    }
    if settings.references {
        return references::run(&settings, &tools, &root);
    }
    let mut benchmarks = Vec::new();
    let is_modern = tools.ocamlopt.as_ref().is_none_or(|it| is_ocaml_5(it));
    for source in files(&root.join("bench/programs")) {
        let name = source.file_stem().and_then(|it| it.to_str()).unwrap_or_default().to_string();
        if extension(&source) == "ml"
            && (is_modern || !needs_ocaml_5(&source))
            && settings.only.as_ref().is_none_or(|it| name.contains(it.as_str()))
        {
            benchmarks.push(prepare(&tools, &source, name, &scratch));
        }
    }
    for round in 0..settings.rounds {
        eprintln!("round {} of {}", round + 1, settings.rounds);
        for benchmark in benchmarks.iter_mut().filter(|it| it.fault.is_none()) {
            for entry in &mut benchmark.entries {
                match measure(&mut Command::new(&entry.executable)) {
                    Ok(run) => entry.runs.push(run),
                    Err(error) => benchmark.fault = Some(format!("{:?}: {error}", entry.peer)),
                }
            }
        }
    }
    let compile_times = if settings.only.is_none() {
        compile_time::run(&tools, &scratch, settings.quick)?
    } else {
        Vec::new()
    };
    let text = report::text(&benchmarks, &compile_times, &tools, settings.rounds);
    println!("{text}");
    if settings.only.is_none() && !settings.quick {
        fs::write(root.join("bench/RESULTS.md"), text)
            .map_err(|error| format!("bench/RESULTS.md: {error}"))?;
    }
    Ok(())
}

/// Does the program say that an older `ocamlopt` cannot compile it?
fn needs_ocaml_5(source: &Path) -> bool {
    fs::read_to_string(source).is_ok_and(|it| it.starts_with("(* needs OCaml 5 *)"))
}

fn is_ocaml_5(ocamlopt: &Path) -> bool {
    let output = Command::new(ocamlopt).arg("-version").output();
    output.is_ok_and(|it| !it.stdout.starts_with(b"4."))
}

fn settings(args: &[String]) -> Result<Settings, String> {
    let mut settings = Settings {
        rounds: 7,
        only: None,
        quick: false,
        closures: false,
        clef: false,
        peers: false,
        references: false,
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().cloned().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--rounds" => {
                settings.rounds = value()?.parse().map_err(|_| "--rounds needs a number")?
            }
            "--only" => settings.only = Some(value()?),
            "--quick" => settings.quick = true,
            "closures" => settings.closures = true,
            "clef" => settings.clef = true,
            "peers" => settings.peers = true,
            "references" => settings.references = true,
            _ => return Err(format!("bench does not know `{arg}`")),
        }
    }
    if settings.quick {
        settings.rounds = settings.rounds.min(3);
    }
    Ok(settings)
}

pub struct Tools {
    pub oxbow: PathBuf,
    pub ocamlopt: Option<PathBuf>,
    pub clang: Option<PathBuf>,
}

/// The first of these programs that can be run.
fn find(names: &[&str]) -> Option<PathBuf> {
    names
        .iter()
        .find(|it| Command::new(it).arg("--version").output().is_ok_and(|it| it.status.success()))
        .map(PathBuf::from)
}

/// Compiles a benchmark by every peer and compares what the executables print.
fn prepare(tools: &Tools, source: &Path, name: String, scratch: &Path) -> Benchmark {
    let mut benchmark = Benchmark { name, entries: Vec::new(), fault: None };
    let mut outputs: Vec<(Peer, Vec<u8>)> = Vec::new();
    for peer in PEERS {
        let Some((mut command, executable)) = compiler(tools, peer, source, scratch) else {
            continue;
        };
        let made = match command.output() {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr)
                .lines()
                .next()
                .unwrap_or("failed")
                .to_string()),
            Err(error) => Err(error.to_string()),
        };
        let ran = made.and_then(|()| measure(&mut Command::new(&executable)));
        match ran {
            Ok(run) => {
                outputs.push((peer, run.output));
                benchmark.entries.push(Entry { peer, executable, runs: Vec::new() });
            }
            Err(fault) => benchmark.fault = Some(format!("{peer:?}: {fault}")),
        }
    }
    if let Some(((first, expected), rest)) = outputs.split_first()
        && let Some((other, _)) = rest.iter().find(|it| it.1 != *expected)
    {
        benchmark.fault = Some(format!("{first:?} and {other:?} print different things"));
    }
    if let Some(fault) = &benchmark.fault {
        eprintln!("{}: {fault}", benchmark.name);
    }
    benchmark
}

/// How a peer compiles a benchmark, if it can, and to what.
fn compiler(
    tools: &Tools,
    peer: Peer,
    source: &Path,
    scratch: &Path,
) -> Option<(Command, PathBuf)> {
    let stem = source.file_stem()?.to_str()?;
    let executable = scratch.join(format!("{stem}.{}", format!("{peer:?}").to_lowercase()));
    let command = match peer {
        Peer::Oxbow => {
            let mut command = Command::new(&tools.oxbow);
            command.args(["build", "-O3"]).arg(source).arg("-o").arg(&executable);
            command
        }
        Peer::Ocamlopt => {
            // It leaves its files beside the source.
            let copy = scratch.join(source.file_name()?);
            fs::copy(source, &copy).ok()?;
            let mut command = Command::new(tools.ocamlopt.as_ref()?);
            command
                .args(["-O3", "-unsafe", "-inline", "200", "-w", "-a"])
                .arg(copy)
                .arg("-o")
                .arg(&executable);
            command
        }
        Peer::C => {
            let source = source.with_extension("c");
            if !source.is_file() {
                return None;
            }
            let mut command = Command::new(tools.clang.as_ref()?);
            command.arg("-O3").arg(source).arg("-lm").arg("-o").arg(&executable);
            command
        }
    };
    Some((command, executable))
}
