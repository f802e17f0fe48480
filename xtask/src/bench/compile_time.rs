//! How long compiling takes, how much memory it needs, and how large the results are.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::measure::measure;
use super::{Tools, generate, median};

pub struct Row {
    pub what: String,
    pub result: Result<Numbers, String>,
}

pub struct Numbers {
    pub seconds: f64,
    pub memory: u64,
    /// Bytes of the executable, if one was made.
    pub size: Option<u64>,
}

pub fn run(tools: &Tools, scratch: &Path, quick: bool) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    let hello = scratch.join("hello.ml");
    write(&hello, "let () = print_endline \"hello\"\n")?;
    let executable = scratch.join("hello.exe");
    rows.push(row("hello: oxbow run", 5, || oxbow(tools, &["run"], &hello), None));
    rows.push(row("hello: oxbow check", 5, || oxbow(tools, &["check"], &hello), None));
    let out = executable.to_string_lossy().into_owned();
    rows.push(row(
        "hello: oxbow build -O3",
        5,
        || oxbow(tools, &["build", "-O3", "-o", &out], &hello),
        Some(&executable),
    ));
    if tools.ocamlopt.is_some() {
        rows.push(row("hello: ocamlopt", 5, || ocamlopt(tools, &out, &hello), Some(&executable)));
    }
    let sizes: &[usize] = if quick { &[1_000] } else { &[1_000, 5_000, 50_000] };
    for &lines in sizes {
        let source = scratch.join(format!("generated_{lines}.ml"));
        write(&source, &generate::program(lines))?;
        let rounds = if lines > 10_000 { 1 } else { 3 };
        let name = |what: &str| format!("{lines} lines: {what}");
        rows.push(row(&name("oxbow check"), rounds, || oxbow(tools, &["check"], &source), None));
        for level in ["-O0", "-O2"] {
            let args = ["build", level, "-o", &out];
            rows.push(row(
                &name(&format!("oxbow build {level}")),
                rounds,
                || oxbow(tools, &args, &source),
                Some(&executable),
            ));
        }
        if tools.ocamlopt.is_some() {
            rows.push(row(
                &name("ocamlopt"),
                rounds,
                || ocamlopt(tools, &out, &source),
                Some(&executable),
            ));
        }
    }
    Ok(rows)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn oxbow(tools: &Tools, args: &[&str], source: &Path) -> Command {
    let mut command = Command::new(&tools.oxbow);
    command.args(args).arg(source);
    command
}

fn ocamlopt(tools: &Tools, out: &str, source: &Path) -> Command {
    let mut command = Command::new(tools.ocamlopt.as_deref().unwrap_or(Path::new("ocamlopt")));
    command.args(["-w", "-a", "-o", out]).arg(source);
    command
}

fn row(what: &str, rounds: usize, command: impl Fn() -> Command, made: Option<&Path>) -> Row {
    eprintln!("{what}");
    let mut seconds = Vec::new();
    let mut memory = 0;
    for _ in 0..rounds {
        match measure(&mut command()) {
            Ok(run) => {
                seconds.push(run.seconds);
                memory = memory.max(run.memory);
            }
            Err(fault) => return Row { what: what.into(), result: Err(fault) },
        }
    }
    let size = made.and_then(|it| fs::metadata(it).ok()).map(|it| it.len());
    Row { what: what.into(), result: Ok(Numbers { seconds: median(seconds), memory, size }) }
}
