//! `./x bench clef`: Clef against the same program in OCaml under Oxbow, sequences against a loop written by
//! hand, and what is lazy against the same computed at once.
//!
//! ```text
//! bench/clef/name.clef    name.ml          closures: at most 1.1
//! bench/clef/name.clef    name.loop.clef   sequences: at most 3
//! bench/clef/name.clef    name.eager.clef  lazy values: no more objects
//! ```
//!
//! A program in OCaml that `./x bench` measures as well stands in `bench/programs` only.
//!
//! Times are those of the processor, the least of all rounds: what else the machine does only adds.
//! Objects are counted by `run --mem-stats`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::measure::measure;
use super::{Settings, Tools};
use crate::{extension, files};

/// Against whom, and the bar.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ocaml,
    Loop,
    Eager,
}

impl Kind {
    fn ending(self) -> &'static str {
        match self {
            Self::Ocaml => "ml",
            Self::Loop => "loop.clef",
            Self::Eager => "eager.clef",
        }
    }

    /// The largest ratio of times, where that is what counts.
    fn bar(self) -> Option<f64> {
        match self {
            Self::Ocaml => Some(1.1),
            Self::Loop => Some(3.0),
            Self::Eager => None,
        }
    }
}

struct Pair {
    name: String,
    kind: Kind,
    executables: [PathBuf; 2],
    /// The least seconds of each.
    seconds: [f64; 2],
    objects: [Option<u64>; 2],
}

/// Measures, prints the report and writes it unless only a part was asked for.
pub fn run(settings: &Settings, tools: &Tools, scratch: &Path, root: &Path) -> Result<(), String> {
    let folder = scratch.join("clef");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut pairs = Vec::new();
    for source in files(&root.join("bench/clef")) {
        let name = source.file_stem().and_then(|it| it.to_str()).unwrap_or_default().to_string();
        if extension(&source) != "clef"
            || name.contains('.')
            || settings.only.as_ref().is_some_and(|it| !name.contains(it.as_str()))
        {
            continue;
        }
        pairs.push(prepare(tools, &source, name, &folder)?);
    }
    for round in 0..settings.rounds {
        eprintln!("round {} of {}", round + 1, settings.rounds);
        for pair in &mut pairs {
            for at in [0, 1] {
                let run = measure(&mut Command::new(&pair.executables[at]))
                    .map_err(|fault| format!("{}: {fault}", pair.name))?;
                pair.seconds[at] = pair.seconds[at].min(run.processor);
            }
        }
    }
    let text = report(&pairs, settings.rounds);
    println!("{text}");
    if settings.only.is_none() && !settings.quick {
        let path = root.join("bench/clef/RESULTS.md");
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// What a program in Clef is compared with.
fn other(source: &Path) -> Option<(Kind, PathBuf)> {
    let all = [Kind::Ocaml, Kind::Loop, Kind::Eager];
    let beside = all.map(|it| (it, source.with_extension(it.ending())));
    let shared = source.parent()?.parent()?.join("programs").join(source.file_stem()?);
    let shared = (Kind::Ocaml, shared.with_extension("ml"));
    beside.into_iter().chain([shared]).find(|it| it.1.is_file())
}

/// Compiles both programs and compares what they print.
fn prepare(tools: &Tools, source: &Path, name: String, folder: &Path) -> Result<Pair, String> {
    let (kind, other) = other(source).ok_or(format!("{name} has nothing to be compared with"))?;
    let sources = [source.to_path_buf(), other];
    let mut executables = Vec::new();
    let mut outputs = Vec::new();
    let mut objects = Vec::new();
    for source in &sources {
        let file = source.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        let executable = folder.join(file.replace('.', "_"));
        let mut command = Command::new(&tools.oxbow);
        command.args(["build", "-O3"]).arg(source).arg("-o").arg(&executable);
        let made = command.output().map_err(|error| error.to_string())?;
        if !made.status.success() {
            return Err(format!("{file}: {}", String::from_utf8_lossy(&made.stderr)));
        }
        let run = measure(&mut Command::new(&executable)).map_err(|it| format!("{file}: {it}"))?;
        outputs.push(run.output);
        objects.push(counted(tools, source));
        executables.push(executable);
    }
    if outputs[0] != outputs[1] {
        return Err(format!("{name}: the two programs print different things"));
    }
    let pair = |items: Vec<PathBuf>| <[PathBuf; 2]>::try_from(items).map_err(|_| "two programs");
    Ok(Pair {
        name,
        kind,
        executables: pair(executables)?,
        seconds: [f64::INFINITY; 2],
        objects: [objects[0], objects[1]],
    })
}

/// How many counted objects a program makes.
fn counted(tools: &Tools, source: &Path) -> Option<u64> {
    let output =
        Command::new(&tools.oxbow).args(["run", "--mem-stats", "-O3"]).arg(source).output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().find(|it| it.trim_start().starts_with("counted"))?;
    let digits: String =
        line.split_whitespace().nth(1)?.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

fn report(pairs: &[Pair], rounds: usize) -> String {
    let mut text = String::from("# Clef\n\n");
    let _ = writeln!(
        text,
        "Made by `./x bench clef`: the least processor time of {rounds} rounds, and the counted objects that each program\n\
         makes in a whole run.\n"
    );
    let tables = [
        (Kind::Ocaml, "Closures: Clef against the same program in OCaml, bar 1.1", "OCaml"),
        (Kind::Loop, "Sequences against a loop written by hand, bar 3", "loop"),
        (
            Kind::Eager,
            "Lazy values against the same computed at once, bar: no more objects",
            "eager",
        ),
    ];
    for (kind, title, other) in tables {
        let _ = writeln!(text, "## {title}\n");
        let _ = writeln!(
            text,
            "| program | Clef s | {other} s | ratio | Clef objects | {other} objects |"
        );
        let _ = writeln!(text, "|---|---|---|---|---|---|");
        for pair in pairs.iter().filter(|it| it.kind == kind) {
            let ratio = pair.seconds[0] / pair.seconds[1];
            let is_over = match kind.bar() {
                Some(bar) => ratio > bar,
                None => pair.objects[0] > pair.objects[1],
            };
            let mark = if is_over { " (over)" } else { "" };
            let objects = pair.objects.map(|it| it.map_or("?".into(), |it| it.to_string()));
            let _ = writeln!(
                text,
                "| {} | {:.3} | {:.3} | {ratio:.2}{mark} | {} | {} |",
                pair.name, pair.seconds[0], pair.seconds[1], objects[0], objects[1]
            );
        }
        text.push('\n');
    }
    text
}
