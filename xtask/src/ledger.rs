//! Which requirements of `docs/requirements.md` some test names.
//!
//! A test names requirements by a line `covers: C7, F3`: in a golden file, a program or the
//! comment of a `#[test]`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::{extension, files, root};

pub fn run(args: &[String]) -> Result<(), String> {
    let root = root();
    let path = root.join("docs/requirements.md");
    let text =
        fs::read_to_string(&path).map_err(|error| format!("docs/requirements.md: {error}"))?;
    let required = requirements(&text);
    let mut covered: BTreeMap<String, usize> = BTreeMap::new();
    for folder in ["tests", "crates", "examples"] {
        for path in files(&root.join(folder)) {
            if ["md", "ml", "rs", "esk", "scm", "clef"].contains(&extension(&path)) {
                let text = fs::read_to_string(&path).unwrap_or_default();
                for id in text.lines().flat_map(named) {
                    *covered.entry(id).or_default() += 1;
                }
            }
        }
    }
    let known: BTreeSet<&str> = required.iter().map(|it| it.0.as_str()).collect();
    let unknown: Vec<&str> =
        covered.keys().map(String::as_str).filter(|it| !known.contains(it)).collect();
    let missing: Vec<&(String, String)> =
        required.iter().filter(|it| !covered.contains_key(&it.0)).collect();
    for (id, text) in &missing {
        println!("{id:4} {text}");
    }
    println!(
        "{} of {} requirements are named by a test",
        required.len() - missing.len(),
        required.len()
    );
    if !unknown.is_empty() {
        return Err(format!("tests name what is no requirement: {}", unknown.join(", ")));
    }
    let Some(("--strict", wanted)) = args.split_first().map(|it| (it.0.as_str(), it.1)) else {
        return Ok(());
    };
    let fails = |id: &str| wanted.is_empty() || wanted.iter().any(|it| it == id || is_area(it, id));
    let failed: Vec<&str> = missing.iter().map(|it| it.0.as_str()).filter(|it| fails(it)).collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("no test names {}", failed.join(", "))) }
}

/// `C` stands for all of C1, C2, …
fn is_area(area: &str, id: &str) -> bool {
    id.trim_end_matches(|it: char| it.is_ascii_digit()) == area
}

/// Ids with the first words of their text, from lines `- **C7** A lambda is …`.
fn requirements(text: &str) -> Vec<(String, String)> {
    text.lines()
        .filter_map(|line| {
            let (id, text) = line.strip_prefix("- **")?.split_once("** ")?;
            Some((id.to_string(), text.chars().take(100).collect()))
        })
        .collect()
}

/// The ids that a line names.
fn named(line: &str) -> Vec<String> {
    let line = line.trim_start_matches([' ', '/', '(', '*', '!', ';']);
    let Some(rest) = line.strip_prefix("covers:") else { return Vec::new() };
    rest.trim_end_matches(['*', ')', ' '])
        .split([',', ' '])
        .filter(|it| !it.is_empty())
        .map(|it| it.trim_end_matches('.').to_string())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found() {
        assert_eq!(named("covers: C7, F3"), ["C7", "F3"]);
        assert_eq!(named("(* covers: C7 *)"), ["C7"]);
        assert_eq!(named("    /// covers: K1, K2."), ["K1", "K2"]);
        assert!(named("it covers: all").is_empty());
        assert_eq!(
            requirements("- **C7** A lambda\ntext\n"),
            [("C7".to_string(), "A lambda".to_string())]
        );
        assert!(is_area("C", "C10") && !is_area("C1", "C10"));
    }
}
