//! `./x bench closures`: the parts of closures under each strategy, against OCaml and C.
//!
//! As in the other benchmarks every round runs every executable once, and outputs must agree. Times
//! are those of the processor, since most of the programs are short loops.

mod cases;
mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::measure::{Run, measure};
use super::{Settings, Tools, median};

use cases::{Case, Group};

/// Strategies, in the order of the columns. Those that the compiler does not know are left out.
const STRATEGIES: [&str; 3] = ["flat", "env", "slots"];

/// Who takes part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Peer {
    Oxbow(&'static str),
    Ocamlopt,
    C,
}

impl Peer {
    fn name(self) -> &'static str {
        match self {
            Self::Oxbow(strategy) => strategy,
            Self::Ocamlopt => "ocamlopt",
            Self::C => "C",
        }
    }
}

struct Measured {
    name: String,
    group: Group,
    entries: Vec<Entry>,
}

struct Entry {
    peer: Peer,
    made: Result<PathBuf, String>,
    runs: Vec<Run>,
}

impl Entry {
    /// Seconds of the processor.
    fn seconds(&self) -> Option<f64> {
        let times: Vec<f64> = self.runs.iter().map(|it| it.processor).collect();
        (!times.is_empty()).then(|| median(times))
    }

    fn memory(&self) -> Option<u64> {
        self.runs.iter().map(|it| it.memory).max()
    }
}

impl Measured {
    fn entry(&self, peer: Peer) -> Option<&Entry> {
        self.entries.iter().find(|it| it.peer == peer)
    }

    fn seconds(&self, peer: Peer) -> Option<f64> {
        self.entry(peer)?.seconds()
    }
}

/// Measures, prints the report and writes it unless only a part was asked for.
pub fn run(settings: &Settings, tools: &Tools, scratch: &Path, root: &Path) -> Result<(), String> {
    let peers = peers(tools);
    let mut measured = Vec::new();
    for case in cases::all() {
        if settings.only.as_ref().is_none_or(|it| case.name.contains(it.as_str())) {
            measured.push(prepare(&case, &peers, tools, scratch)?);
        }
    }
    for round in 0..settings.rounds {
        eprintln!("round {} of {}", round + 1, settings.rounds);
        for entry in measured.iter_mut().flat_map(|it| &mut it.entries) {
            let Ok(executable) = &entry.made else { continue };
            match measure(&mut Command::new(executable)) {
                Ok(run) => entry.runs.push(run),
                Err(fault) => entry.made = Err(fault),
            }
        }
    }
    let text = report::text(&measured, &peers, tools, settings.rounds);
    println!("{text}");
    if settings.only.is_none() && !settings.quick {
        let path = root.join("bench/CLOSURES.md");
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn peers(tools: &Tools) -> Vec<Peer> {
    let help = Command::new(&tools.oxbow).args(["build", "--help"]).output();
    let help = help.map(|it| String::from_utf8_lossy(&it.stdout).into_owned()).unwrap_or_default();
    let selectable = help.contains("--closures");
    let known = STRATEGIES.iter().filter(|it| **it == "flat" || selectable);
    let mut peers: Vec<Peer> = known.map(|it| Peer::Oxbow(it)).collect();
    peers.extend(tools.ocamlopt.is_some().then_some(Peer::Ocamlopt));
    peers.extend(tools.clang.is_some().then_some(Peer::C));
    peers
}

/// Compiles a case for every peer and compares what the executables print.
fn prepare(case: &Case, peers: &[Peer], tools: &Tools, scratch: &Path) -> Result<Measured, String> {
    let folder = scratch.join("closures");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let [ocaml, c] = ["ml", "c"].map(|it| folder.join(format!("{}.{it}", case.name)));
    for (path, text) in [(&ocaml, &case.ocaml), (&c, &case.c)] {
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let mut entries = Vec::new();
    let mut expected: Option<(Peer, Vec<u8>)> = None;
    for &peer in peers {
        let executable = folder.join(format!("{}.{}", case.name, peer.name()));
        let made = compile(peer, tools, [&ocaml, &c], &executable);
        let made = made.and_then(|()| measure(&mut Command::new(&executable))).and_then(|run| {
            let (other, output) = expected.get_or_insert_with(|| (peer, run.output.clone()));
            if *output == run.output {
                Ok(executable)
            } else {
                Err(format!("{} and {} print different things", other.name(), peer.name()))
            }
        });
        if let Err(fault) = &made {
            eprintln!("{}, {}: {fault}", case.name, peer.name());
        }
        entries.push(Entry { peer, made, runs: Vec::new() });
    }
    Ok(Measured { name: case.name.clone(), group: case.group, entries })
}

fn compile(
    peer: Peer,
    tools: &Tools,
    [ocaml, c]: [&Path; 2],
    executable: &Path,
) -> Result<(), String> {
    let missing = || "not installed".to_string();
    let mut command = match peer {
        Peer::Oxbow(strategy) => {
            let mut command = Command::new(&tools.oxbow);
            command.args(["build", "-O3"]).arg(ocaml);
            if strategy != "flat" {
                command.arg(format!("--closures={strategy}"));
            }
            command
        }
        Peer::Ocamlopt => {
            let mut command = Command::new(tools.ocamlopt.as_ref().ok_or_else(missing)?);
            command.args(["-O3", "-unsafe", "-inline", "200", "-w", "-a"]).arg(ocaml);
            command
        }
        Peer::C => {
            let mut command = Command::new(tools.clang.as_ref().ok_or_else(missing)?);
            command.arg("-O3").arg(c);
            command
        }
    };
    let output = command.arg("-o").arg(executable).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(said.lines().next().unwrap_or("failed").to_string())
}
