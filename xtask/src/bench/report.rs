//! The results as Markdown.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::compile_time::Row;
use super::{Benchmark, Entry, PEERS, Peer, Tools};

pub fn text(
    benchmarks: &[Benchmark],
    compile_times: &[Row],
    tools: &Tools,
    rounds: usize,
) -> String {
    let mut text = String::from("# Benchmarks\n\nWritten by `./x bench`; not edited by hand.\n\n");
    text += &machine(tools, rounds);
    if !benchmarks.is_empty() {
        text += &programs(benchmarks);
    }
    if !compile_times.is_empty() {
        text += &compiling(compile_times);
    }
    text
}

pub fn machine(tools: &Tools, rounds: usize) -> String {
    let field = |file: &str, name: &str| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let line = text.lines().find(|it| it.starts_with(name)).unwrap_or_default();
        line.split_once(':').map_or("unknown", |it| it.1.trim()).to_string()
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "- {name}: {}", value.trim());
    };
    line("processor", format!("{} ({cores} threads)", field("/proc/cpuinfo", "model name")));
    line("memory", field("/proc/meminfo", "MemTotal"));
    line("system", format!("Linux {kernel}"));
    line("oxbow", format!("{}, `build -O3`", version(Some(&tools.oxbow))));
    line("ocamlopt", format!("{}, `-O3 -unsafe -inline 200`", version(tools.ocamlopt.as_deref())));
    line("clang", format!("{}, `-O3`", version(tools.clang.as_deref())));
    line(
        "method",
        format!("{rounds} interleaved rounds, medians of wall-clock time, largest resident set"),
    );
    text
}

fn version(tool: Option<&Path>) -> String {
    let output = tool.and_then(|it| Command::new(it).arg("--version").output().ok());
    let text =
        output.map(|it| String::from_utf8_lossy(&it.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or("not found").to_string()
}

fn programs(benchmarks: &[Benchmark]) -> String {
    let mut text = String::from(
        "\n## Programs\n\nTime in milliseconds, memory in MiB. A ratio below 1 means that ours is the smaller.\n\n\
         | program | oxbow | ocamlopt | C | time / ocamlopt | time / C | memory | memory / ocamlopt |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let mut ratios: [Vec<f64>; 3] = Default::default();
    for benchmark in benchmarks {
        if let Some(fault) = &benchmark.fault {
            let _ = writeln!(text, "| {} | {fault} | | | | | | |", benchmark.name);
            continue;
        }
        let entries = PEERS.map(|it| benchmark.entry(it));
        let time =
            |it: Option<&Entry>| it.map_or("–".into(), |it| format!("{:.1}", it.median() * 1e3));
        let [ours, ocamlopt, c] = entries;
        let ratio = |slot: &mut Vec<f64>, value: Option<f64>| match value {
            Some(value) => {
                slot.push(value);
                format!("{value:.2}")
            }
            None => "–".to_string(),
        };
        let times = |other: Option<&Entry>| Some(ours?.median() / other?.median());
        let memory =
            Some(()).and_then(|()| Some(ours?.memory() as f64 / ocamlopt?.memory() as f64));
        let [first, second, third] = &mut ratios;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            benchmark.name,
            time(ours),
            time(ocamlopt),
            time(c),
            ratio(first, times(ocamlopt)),
            ratio(second, times(c)),
            ours.map_or("–".into(), |it| mebibytes(it.memory())),
            ratio(third, memory),
        );
    }
    let [first, second, third] = ratios.map(|it| geometric_mean(&it));
    let _ =
        writeln!(text, "| **geometric mean** | | | | **{first}** | **{second}** | | **{third}** |");
    let count = |peer: Peer| {
        benchmarks.iter().filter(|it| it.fault.is_none() && it.entry(peer).is_some()).count()
    };
    let _ = writeln!(
        text,
        "\n{} programs against ocamlopt, {} against C.",
        count(Peer::Ocamlopt),
        count(Peer::C)
    );
    text
}

fn compiling(rows: &[Row]) -> String {
    let mut text = String::from(
        "\n## Compiling\n\nThe generated programs are whole programs in one file; `check` stops before machine code.\n\n\
         | what | ms | peak memory, MiB | executable, KiB |\n|---|--:|--:|--:|\n",
    );
    for row in rows {
        let _ = match &row.result {
            Ok(it) => writeln!(
                text,
                "| {} | {:.1} | {} | {} |",
                row.what,
                it.seconds * 1e3,
                mebibytes(it.memory),
                it.size.map_or("–".into(), |it| format!("{:.1}", it as f64 / 1024.0)),
            ),
            Err(fault) => writeln!(text, "| {} | {fault} | | |", row.what),
        };
    }
    text
}

pub fn mebibytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / (1 << 20) as f64)
}

pub fn geometric_mean(values: &[f64]) -> String {
    if values.is_empty() {
        return "–".into();
    }
    let mean = (values.iter().map(|it| it.ln()).sum::<f64>() / values.len() as f64).exp();
    format!("{mean:.2}")
}
