//! Tasks of the project itself: `cargo run -p xtask -- tidy|ledger|bench|unicode`. `./x` calls them.

mod bench;
mod ledger;
mod tidy;
mod unicode;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let task = args.next().unwrap_or_default();
    let rest: Vec<String> = args.collect();
    let result = match task.as_str() {
        "tidy" => tidy::run(),
        "ledger" => ledger::run(&rest),
        "bench" if rest.first().is_some_and(|it| it == "memory") => bench::memory::run(),
        "bench" => bench::run(&rest),
        "unicode" => unicode::run(),
        _ => Err("usage: xtask tidy | ledger [--strict [ID...]] | bench [closures|clef|peers] [--rounds N] [--only NAME] [--quick] | unicode".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the checkout.
fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().unwrap_or(root)
}

/// All files below a folder, in order, without what is built.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name();
            // In a second working tree `.git` is a file.
            if name == "target" || name == ".git" {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|it| it.to_str()).unwrap_or("")
}
