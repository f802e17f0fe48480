//! The measurements of closures as Markdown, with the bars they are held to.

use std::fmt::Write as _;

use super::{Group, Measured, Peer};
use crate::bench::Tools;
use crate::bench::report::{geometric_mean, machine, mebibytes};

/// `flat` may take this much of the time of C.
const BAR: f64 = 1.1;
/// Differences below this are taken for noise where two of our own are compared.
const NOISE: f64 = 1.05;

const FLAT: Peer = Peer::Oxbow("flat");

pub fn text(measured: &[Measured], peers: &[Peer], tools: &Tools, rounds: usize) -> String {
    let mut text =
        String::from("# Closures\n\nWritten by `./x bench closures`; not edited by hand.\n\n");
    text += &machine(tools, rounds).replace("wall-clock", "processor");
    text += "- C: a struct that begins with a pointer to its code, from `malloc`, freed when its place is taken\n";
    text += &bars(measured, peers);
    for group in Group::ALL {
        let part: Vec<&Measured> = measured.iter().filter(|it| it.group == group).collect();
        if !part.is_empty() {
            text += &table(group.title(), &part, peers);
        }
    }
    for (peer, fault) in faults(measured) {
        let _ = writeln!(text, "\n- {peer}: {fault}");
    }
    text
}

fn table(title: &str, measured: &[&Measured], peers: &[Peer]) -> String {
    let names: Vec<&str> = peers.iter().map(|it| it.name()).collect();
    let others: Vec<Peer> = peers.iter().copied().filter(|it| *it != FLAT).collect();
    let mut text = format!(
        "\n## {title}\n\nMilliseconds, then `flat` over each of the others, then memory in MiB.\n\n"
    );
    let ratios: Vec<String> = others.iter().map(|it| format!("/ {}", it.name())).collect();
    let memory: Vec<String> = names.iter().map(|it| format!("MiB {it}")).collect();
    let heads: Vec<String> =
        names.iter().map(|it| it.to_string()).chain(ratios.iter().cloned()).chain(memory).collect();
    let _ = writeln!(text, "| part | {} |", heads.join(" | "));
    let _ = writeln!(text, "|---|{}", "--:|".repeat(heads.len()));
    let mut means: Vec<Vec<f64>> = vec![Vec::new(); others.len()];
    for it in measured {
        let mut cells: Vec<String> =
            peers.iter().map(|&peer| cell(it.seconds(peer).map(|it| it * 1e3), 1)).collect();
        for (index, &other) in others.iter().enumerate() {
            let ratio = ratio(it, FLAT, other);
            means[index].extend(ratio);
            cells.push(cell(ratio, 2));
        }
        for &peer in peers {
            let memory = it.entry(peer).and_then(|it| it.memory());
            cells.push(memory.map_or("–".into(), mebibytes));
        }
        let _ = writeln!(text, "| {} | {} |", it.name, cells.join(" | "));
    }
    let mut cells = vec![String::new(); peers.len()];
    cells.extend(means.iter().map(|it| format!("**{}**", geometric_mean(it))));
    cells.resize(heads.len(), String::new());
    let _ = writeln!(text, "| **geometric mean** | {} |", cells.join(" | "));
    text
}

fn ratio(it: &Measured, ours: Peer, other: Peer) -> Option<f64> {
    Some(it.seconds(ours)? / it.seconds(other)?)
}

fn cell(value: Option<f64>, digits: usize) -> String {
    value.map_or("–".into(), |it| format!("{it:.digits$}"))
}

/// Whether each bar is met, and what misses it.
fn bars(measured: &[Measured], peers: &[Peer]) -> String {
    let over = |other: Peer, limit: f64| -> Vec<String> {
        let misses = measured.iter().filter_map(|it| {
            let ratio = ratio(it, FLAT, other)?;
            (ratio > limit).then(|| format!("{} {ratio:.2}", it.name))
        });
        misses.collect()
    };
    let mut text = String::from("\n## Bars\n\n");
    let mut line = |bar: &str, misses: Vec<String>| {
        let met = if misses.is_empty() {
            "met".into()
        } else {
            format!("missed by {}", misses.join(", "))
        };
        let _ = writeln!(text, "- {bar}: {met}");
    };
    line("`flat` at most 1.1 of C", over(Peer::C, BAR));
    if peers.contains(&Peer::Oxbow("env")) {
        line("`flat` never slower than `env`", over(Peer::Oxbow("env"), NOISE));
    }
    let depths: Vec<(&str, f64)> = measured
        .iter()
        .filter(|it| it.group == Group::Depth)
        .filter_map(|it| Some((it.name.as_str(), it.seconds(FLAT)?)))
        .collect();
    if let Some(&(_, first)) = depths.iter().find(|it| it.0 == "depth_2") {
        let slower = depths.iter().filter(|it| it.1 > first * BAR);
        let misses = slower.map(|it| format!("{} {:.2}", it.0, it.1 / first)).collect();
        line("reading takes as long at any depth (at most 1.1 of depth 2)", misses);
    }
    text
}

fn faults(measured: &[Measured]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for it in measured {
        for entry in &it.entries {
            if let Err(fault) = &entry.made {
                found.push((format!("{}, {}", it.name, entry.peer.name()), fault.clone()));
            }
        }
    }
    found
}
