//! `./x bench peers`: the programs of `bench/programs` against OCaml 5, MLton and C.
//!
//! ```text
//! name.ml    Oxbow and ocamlopt       name.sml    MLton       name.c    clang
//! OXBOW_OCAMLOPT="ocamlfind ocamlopt" OXBOW_MLTON=/opt/mlton/bin/mlton ./x bench peers
//! ```
//!
//! A peer is the command that its variable names, words apart by spaces, or what the path finds; one that is not there
//! is left out. Times are those of the processor, the least of all rounds: what else the machine does only adds. All
//! executables of a program run once in each round. Outputs are compared first.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::measure::measure;
use super::report::{geometric_mean, machine, mebibytes};
use super::{Settings, Tools};
use crate::{extension, files};

const NAMES: [&str; 4] = ["oxbow", "ocamlopt", "MLton", "C"];

/// A compiler: a command with its first arguments.
struct Tool(Vec<OsString>);

/// What one compiler made of a program, and how it ran.
struct Made {
    executable: PathBuf,
    seconds: f64,
    memory: u64,
}

struct Row {
    name: String,
    /// In the order of `NAMES`.
    made: [Option<Made>; 4],
    fault: Option<String>,
}

/// Measures, prints the table and writes it unless only a part was asked for.
pub fn run(settings: &Settings, tools: &Tools, scratch: &Path, root: &Path) -> Result<(), String> {
    let folder = scratch.join("peers");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let compilers = [
        Some(Tool(vec![tools.oxbow.clone().into()])),
        tool("OXBOW_OCAMLOPT", tools.ocamlopt.as_deref()),
        tool("OXBOW_MLTON", super::find(&["mlton"]).as_deref()),
        tools.clang.clone().map(|it| Tool(vec![it.into()])),
    ];
    let mut rows = Vec::new();
    for source in files(&root.join("bench/programs")) {
        let name = source.file_stem().and_then(|it| it.to_str()).unwrap_or_default();
        let is_wanted = settings.only.as_ref().is_none_or(|it| name.contains(it.as_str()));
        if extension(&source) == "ml" && is_wanted {
            rows.push(prepare(&compilers, &source, name, &folder));
        }
    }
    for round in 0..settings.rounds {
        eprintln!("round {} of {}", round + 1, settings.rounds);
        for row in rows.iter_mut().filter(|it| it.fault.is_none()) {
            for (made, peer) in row.made.iter_mut().zip(NAMES) {
                let Some(made) = made else { continue };
                match measure(&mut Command::new(&made.executable)) {
                    Ok(run) => {
                        made.seconds = made.seconds.min(run.processor);
                        made.memory = made.memory.max(run.memory);
                    }
                    Err(error) => row.fault = Some(format!("{peer}: {error}")),
                }
            }
        }
    }
    let text = report(&rows, tools, &compilers, settings.rounds);
    println!("{text}");
    if settings.only.is_none() && !settings.quick {
        let path = root.join("bench/PEERS.md");
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// The command that a variable names, or what was found.
fn tool(variable: &str, found: Option<&Path>) -> Option<Tool> {
    match std::env::var(variable) {
        Ok(text) if !text.trim().is_empty() => {
            Some(Tool(text.split_whitespace().map(OsString::from).collect()))
        }
        _ => found.map(|it| Tool(vec![it.into()])),
    }
}

impl Tool {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.0[0]);
        command.args(&self.0[1..]);
        command
    }

    /// The number that it says it has.
    fn version(&self) -> String {
        let output = self.command().arg("-version").output().ok();
        let output = output.filter(|it| it.status.success());
        let output = output.or_else(|| self.command().output().ok());
        let text = output.map(|it| String::from_utf8_lossy(&it.stdout).into_owned());
        text.unwrap_or_default().lines().next().unwrap_or("unknown").to_string()
    }
}

/// Compiles a program by everybody who can and compares what the executables print.
fn prepare(compilers: &[Option<Tool>; 4], source: &Path, name: &str, folder: &Path) -> Row {
    let mut row = Row { name: name.to_string(), made: Default::default(), fault: None };
    let mut expected: Option<Vec<u8>> = None;
    for (at, compiler) in compilers.iter().enumerate() {
        let Some(compiler) = compiler else { continue };
        let source = source.with_extension(["ml", "ml", "sml", "c"][at]);
        if !source.is_file() {
            continue;
        }
        let executable = folder.join(format!("{name}.{}", NAMES[at].to_lowercase()));
        let outcome = compile(compiler, at, &source, folder, &executable)
            .and_then(|()| measure(&mut Command::new(&executable)));
        match outcome {
            Ok(run) if expected.as_ref().is_some_and(|it| *it != run.output) => {
                row.fault = Some(format!("{} prints something else", NAMES[at]));
            }
            Ok(run) => {
                expected = Some(run.output);
                let (seconds, memory) = (run.processor, run.memory);
                row.made[at] = Some(Made { executable, seconds, memory });
            }
            Err(error) => row.fault = Some(format!("{}: {error}", NAMES[at])),
        }
    }
    row
}

fn compile(
    compiler: &Tool,
    at: usize,
    source: &Path,
    folder: &Path,
    executable: &Path,
) -> Result<(), String> {
    // Some leave their files beside the source.
    let copy = folder.join(source.file_name().unwrap_or_default());
    fs::copy(source, &copy).map_err(|error| error.to_string())?;
    let mut command = compiler.command();
    match at {
        0 => command.args(["build", "-O3"]).arg(&copy).arg("-o").arg(executable),
        1 => {
            let flags = ["-O3", "-unsafe", "-inline", "200", "-w", "-a"];
            command.args(flags).arg(&copy).arg("-o").arg(executable)
        }
        // An `int` of OCaml does not fit in MLton's usual one.
        2 => command.args(["-default-type", "int64", "-output"]).arg(executable).arg(&copy),
        _ => command.arg("-O3").arg(&copy).arg("-lm").arg("-o").arg(executable),
    };
    let output = command.output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => {
            let text = String::from_utf8_lossy(&output.stderr);
            Err(text.lines().next().unwrap_or("failed").to_string())
        }
    }
}

fn report(rows: &[Row], tools: &Tools, compilers: &[Option<Tool>; 4], rounds: usize) -> String {
    let mut text = String::from("# Peers\n\nWritten by `./x bench peers`; not edited by hand.\n\n");
    // The commands of the peers may be others than those of the other tables.
    let about = machine(tools, rounds);
    let own =
        |it: &&str| !["- ocamlopt", "- clang", "- method"].iter().any(|no| it.starts_with(no));
    about.lines().filter(own).for_each(|it| text += &format!("{it}\n"));
    for (compiler, name) in compilers.iter().zip(NAMES).skip(1) {
        let version = compiler.as_ref().map_or("not there".to_string(), Tool::version);
        let _ = writeln!(text, "- {name}: {version}");
    }
    let _ = writeln!(
        text,
        "- method: {rounds} interleaved rounds, the least time of the processor, the largest resident set\n\n\
         Time in milliseconds, memory in MiB. A ratio below 1 means that ours is the smaller; the last but one is to \
         the best of the peers.\n\n\
         | program | oxbow | ocamlopt | MLton | C | / ocamlopt | / MLton | / C | / best ML | memory / ocamlopt |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    );
    let mut ratios: [Vec<f64>; 5] = Default::default();
    for row in rows {
        if let Some(fault) = &row.fault {
            let _ = writeln!(text, "| {} | {fault} | | | | | | | | |", row.name);
            continue;
        }
        let seconds = |at: usize| row.made[at].as_ref().map(|it| it.seconds);
        let against = |it: Option<f64>| Some(seconds(0)? / it?);
        let best = [seconds(1), seconds(2)].into_iter().flatten().reduce(f64::min);
        let memory = |at: usize| row.made[at].as_ref().map(|it| it.memory as f64);
        let memory = memory(0).zip(memory(1)).map(|(ours, theirs)| ours / theirs);
        let found =
            [against(seconds(1)), against(seconds(2)), against(seconds(3)), against(best), memory];
        let mut line = format!("| {} |", row.name);
        for at in 0..NAMES.len() {
            let _ = match seconds(at) {
                Some(it) => write!(line, " {:.0} |", it * 1e3),
                None => write!(line, " – |"),
            };
        }
        for (ratio, all) in found.into_iter().zip(&mut ratios) {
            all.extend(ratio);
            let _ = match ratio {
                Some(it) => write!(line, " {it:.2} |"),
                None => write!(line, " – |"),
            };
        }
        let _ = writeln!(text, "{line}");
    }
    let means = ratios.map(|it| format!(" **{}** |", geometric_mean(&it))).concat();
    let _ = writeln!(text, "| **geometric mean** | | | | |{means}");
    let most = rows.iter().flat_map(|it| &it.made[0]).map(|it| it.memory).max().unwrap_or(0);
    let _ = writeln!(text, "\nThe most memory of ours: {} MiB.", mebibytes(most));
    text
}
