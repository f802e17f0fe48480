//! What the tests share: running the parser on a large stack, reports as text, and
//! files of cases that can be rewritten with `BLESS=1`.

#![allow(dead_code, reason = "each test file uses some of these")]

use std::path::{Path, PathBuf};

use oxbow_base::{SourceMap, Span};
use oxbow_diag::{Diagnostic, Diagnostics, Severity};

/// Runs `test` on a stack as large as the compiler's own.
pub fn on_large_stack<T: Send + 'static>(test: impl FnOnce() -> T + Send + 'static) -> T {
    let thread =
        std::thread::Builder::new().stack_size(1 << 30).spawn(test).expect("a thread starts");
    match thread.join() {
        Ok(value) => value,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// The tree as text, and what was reported.
pub fn parse(text: &str) -> (String, String) {
    let mut sources = SourceMap::new();
    let file = sources.add("test.ml", text);
    let mut diagnostics = Diagnostics::new();
    let structure = oxbow_front_ocaml::parse_structure(file, text, &mut diagnostics);
    let reports = diagnostics.iter().map(|it| show(it, &sources)).collect();
    (oxbow_front_ocaml::dump(&structure), reports)
}

/// The same for a signature.
pub fn parse_signature(text: &str) -> (String, String) {
    let mut sources = SourceMap::new();
    let file = sources.add("test.mli", text);
    let mut diagnostics = Diagnostics::new();
    let signature = oxbow_front_ocaml::parse_signature(file, text, &mut diagnostics);
    let reports = diagnostics.iter().map(|it| show(it, &sources)).collect();
    (oxbow_front_ocaml::dump_signature(&signature), reports)
}

/// One report in a few short lines, each place as `line:column` and its text.
pub fn show(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let place = |span: Span| {
        let at = sources.position(span.file, span.start);
        format!("{}:{} {:?}", at.line, at.column, sources.text(span))
    };
    let word = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
    let mut text = format!("{word}[{}]: {}\n", diagnostic.code, diagnostic.message);
    for label in diagnostic.primary.iter().chain(&diagnostic.secondary) {
        text += format!("  {} {}", place(label.span), label.text).trim_end();
        text.push('\n');
    }
    for note in &diagnostic.notes {
        text += &format!("  note: {note}\n");
    }
    for help in &diagnostic.help {
        text += &format!("  help: {help}\n");
    }
    text
}

/// Checks each case of a file against `run`. A case is a title behind `===`, a
/// source, `---`, and what `run` makes of the source.
pub fn check_cases(file: &str, run: fn(&str) -> String) {
    let path = cases_dir().join(file);
    let text = std::fs::read_to_string(&path).expect("the file of cases is there");
    let mut blessed = String::new();
    let mut failures = Vec::new();
    for case in text.split("=== ").skip(1) {
        let (title, rest) = case.split_once('\n').expect("a case has a title");
        let (source, expected) = rest.split_once("---\n").expect("a case has a line of dashes");
        let found = run(source);
        if found.trim_end() != expected.trim_end() {
            failures.push(format!("{title}\n  expected:\n{expected}\n  found:\n{found}"));
        }
        blessed += &format!("=== {title}\n{source}---\n{}\n\n", found.trim_end());
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, blessed.trim_end().to_owned() + "\n")
            .expect("the file of cases can be written");
        return;
    }
    assert!(failures.is_empty(), "{}\n(run with BLESS=1 to accept)", failures.join("\n"));
}

fn cases_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// The larger programs of the workspace, as far as they exist.
pub fn programs() -> Vec<(String, String)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/ocaml");
    let mut programs = Vec::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|it| it == "ml")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            programs.push((path.display().to_string(), text));
        }
    }
    programs.sort();
    programs
}
