//! `./x bench references`: how often the programs of `bench/programs` count.
//!
//! What compiled code does is counted while a program is measured (`run --mem-stats`): references that it adds and
//! drops, and objects that it makes. The numbers are those of the program, not of the machine: they tell what a change
//! of the compiler does.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Settings, Tools};
use crate::{extension, files};

pub fn run(settings: &Settings, tools: &Tools, root: &Path) -> Result<(), String> {
    let mut table = String::from(
        "# References\n\nReferences that compiled code adds (`dup`) and drops, and counted objects, in a whole run of each \
         program\nin `bench/programs` with `-O3`; made by `./x bench references`.\n\n\
         | program | added | dropped | objects |\n|---|---:|---:|---:|\n",
    );
    for file in files(&root.join("bench/programs")).iter().filter(|it| extension(it) == "ml") {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        if settings.only.as_ref().is_some_and(|it| !name.contains(it.as_str())) {
            continue;
        }
        let [added, dropped, objects] =
            counts(tools, file).ok_or_else(|| format!("{name} was not measured"))?;
        let mut line = String::new();
        let _ = writeln!(line, "| {name} | {added} | {dropped} | {objects} |");
        print!("{line}");
        table.push_str(&line);
    }
    if settings.only.is_some() {
        return Ok(());
    }
    fs::write(root.join("bench/REFERENCES.md"), table).map_err(|error| error.to_string())
}

/// References added and dropped, and objects.
fn counts(tools: &Tools, source: &Path) -> Option<[u64; 3]> {
    let output =
        Command::new(&tools.oxbow).args(["run", "--mem-stats", "-O3"]).arg(source).output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let number = |start: &str, at: usize| -> Option<u64> {
        let line = text.lines().find_map(|it| it.trim_start().strip_prefix(start))?;
        let digits = line.split(|it: char| !it.is_ascii_digit()).filter(|it| !it.is_empty());
        digits.map(str::parse).nth(at)?.ok()
    };
    Some([number("references added", 0)?, number("references added", 1)?, number("counted", 0)?])
}
