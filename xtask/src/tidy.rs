//! Rules of the source tree that no other tool checks.
//!
//! - every Rust file says at its head what it is for;
//! - no file is longer than 600 lines and no function than 120, tests apart; no file of the library than 800, but for
//!   `stdlib.ml`;
//! - comments and prose end at 120 columns;
//! - no hash table is keyed by a dense index, tests apart;
//! - nothing is left to do, and nothing prints for debugging;
//! - a lint that is switched off, `unsafe_code` among them, gives its reason;
//! - a crate uses only the crates that `ARCHITECTURE.md` lets it use, and only `dialect` uses MLIR;
//! - only `dialect` spells the names of the dialect's ops, tests apart;
//! - only the table of known functions spells the names of the library's own modules;
//! - only their owners spell the names that no program can write (`%…`): nobody decides by the text of one;
//! - the pure crates read and write nothing, tests apart;
//! - the stages call every function that the table of the runtime has;
//! - the project stands by itself: nothing refers to what is outside the checkout;
//! - every program among the tests has its expected output.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::{extension, files, root};

const MOST_LINES: usize = 600;
const MOST_LINES_OF_FUNCTION: usize = 120;

const MOST_COLUMNS: usize = 120;

/// Of a file of the library.
const MOST_LINES_OF_LIBRARY: usize = 800;

/// What is in scope everywhere is one module, and nothing can be read before it.
const LONG_LIBRARY: &str = "lib/ocaml/stdlib.ml";

/// What each crate may use of ours. A new edge changes this table and `ARCHITECTURE.md`.
const EDGES: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("diag", &["base"]),
    ("image", &[]),
    ("abi", &[]),
    ("psg", &["abi", "base", "diag"]),
    ("elab", &["base", "diag", "psg"]),
    ("front-ocaml", &["base", "diag", "elab"]),
    ("front-clef", &["base", "diag", "psg", "elab"]),
    ("front-eshkol", &["abi", "base", "diag", "elab"]),
    ("passes", &["base", "diag", "psg"]),
    ("differentiate", &["base", "diag", "psg", "passes"]),
    ("explain", &["base", "psg", "passes", "abi"]),
    ("doc", &["base", "diag", "elab"]),
    ("dialect", &["abi"]),
    ("lower", &["base", "diag", "psg", "abi", "dialect"]),
    ("counting", &["base", "abi", "dialect"]),
    ("opt", &["abi", "dialect"]),
    ("backend", &["base", "diag", "abi", "dialect"]),
    ("runtime", &["abi"]),
    ("runtime-static", &["runtime"]),
    (
        "driver",
        &[
            "base",
            "diag",
            "image",
            "psg",
            "elab",
            "front-ocaml",
            "front-clef",
            "front-eshkol",
            "passes",
            "differentiate",
            "explain",
            "doc",
            "abi",
            "dialect",
            "lower",
            "counting",
            "opt",
            "backend",
            "runtime",
        ],
    ),
    ("lsp", &["doc", "driver"]),
    ("cli", &["driver", "diag", "lsp"]),
    ("golden", &[]),
    ("fuzz", &[]),
];

/// Endings of the files that people write.
const WRITTEN: &[&str] = &[
    "rs", "md", "toml", "ml", "mli", "clef", "fs", "esk", "scm", "sld", "td", "cpp", "h", "c",
    "js", "css", "py", "sh", "txt", "",
];

/// Crates that bring MLIR.
const MLIR: &[&str] = &["melior", "mlir-sys"];

pub fn run() -> Result<(), String> {
    let root = root();
    let mut faults = Vec::new();
    for path in files(&root) {
        let shown = path.strip_prefix(&root).unwrap_or(&path).to_path_buf();
        // What is not text has no rules.
        let Ok(text) = fs::read_to_string(&path) else { continue };
        match extension(&path) {
            "rs" => {
                check_rust(&shown, &text, &mut faults);
                check_width(&shown, comments(&text), &mut faults);
            }
            "md" if is_prose(&shown) => check_width(&shown, prose(&text), &mut faults),
            _ => (),
        }
        if WRITTEN.contains(&extension(&path)) {
            check_words(&shown, &text, &mut faults);
        }
        let is_program = ["ml", "clef", "fs", "esk"].contains(&extension(&path));
        if shown.starts_with("tests/programs") && is_program {
            check_program(&path, &shown, &mut faults);
        }
        if shown.starts_with("lib") {
            check_library(&shown, &text, &mut faults);
        }
    }
    check_runtime(&root, &mut faults)?;
    check_edges(&root, &mut faults)?;
    if faults.is_empty() {
        return Ok(());
    }
    Err(format!("{}\ntidy: {} faults", faults.join("\n"), faults.len()))
}

fn check_library(path: &Path, text: &str, faults: &mut Vec<String>) {
    let lines = text.lines().count();
    if lines > MOST_LINES_OF_LIBRARY && path != Path::new(LONG_LIBRARY) {
        faults
            .push(format!("{}: {lines} lines, more than {MOST_LINES_OF_LIBRARY}", path.display()));
    }
}

fn check_rust(path: &Path, text: &str, faults: &mut Vec<String>) {
    if !text.starts_with("//!") {
        faults.push(format!("{}: does not begin with `//!`", path.display()));
    }
    check_allowed(path, text, faults);
    let is_test =
        path.components().any(|it| it.as_os_str() == "tests") || path.ends_with("tests.rs");
    let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let lines = code.lines().count();
    if lines > MOST_LINES && !is_test {
        faults.push(format!("{}: {lines} lines, more than {MOST_LINES}", path.display()));
    }
    if !is_test {
        check_functions(path, code, faults);
        check_tables(path, code, faults);
    }
    let spells_ops = path.starts_with("crates/dialect") || path.starts_with("crates/golden");
    if !is_test && !spells_ops {
        check_op_names(path, code, faults);
    }
    if !is_test && path.starts_with("crates") && path != Path::new(KNOWN) {
        check_library_names(path, code, faults);
    }
    if !is_test && PURE.iter().any(|it| path.starts_with(it)) && path != Path::new(INTERPRETED) {
        check_input_and_output(path, code, faults);
    }
    if !is_test && MAKE_NAMES.iter().any(|it| path.starts_with(it)) {
        check_made_names(path, code, faults);
    }
}

/// Lines with their numbers.
type Lines<'a> = Vec<(usize, &'a str)>;

fn check_width(path: &Path, lines: Lines<'_>, faults: &mut Vec<String>) {
    for (at, line) in lines {
        let columns = line.chars().count();
        if columns > MOST_COLUMNS {
            let place = path.display();
            faults.push(format!("{place}:{at}: {columns} columns, more than {MOST_COLUMNS}"));
        }
    }
}

/// The comments that stand on lines of their own; what is longer in code, nobody can break.
fn comments(text: &str) -> Lines<'_> {
    numbered(text).filter(|it| it.1.trim_start().starts_with("//")).collect()
}

/// Is it written by people? The reference of the dialect and results of measurements are made by programs, and golden
/// files hold what those print.
fn is_prose(path: &Path) -> bool {
    let made = path == Path::new("docs/dialect.md");
    !made && !["tests", "bench"].iter().any(|it| path.starts_with(it))
}

/// A page without its tables and blocks of code.
fn prose(text: &str) -> Lines<'_> {
    let mut inside = false;
    let is_prose = |it: &(usize, &str)| {
        let is_fence = it.1.starts_with("```");
        inside ^= is_fence;
        !inside && !is_fence && !it.1.starts_with('|')
    };
    numbered(text).filter(is_prose).collect()
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(index, line)| (index + 1, line))
}

/// `allow(lint, reason = "…")` or `expect(…)`, in an attribute of its own or under a condition.
fn check_allowed(path: &Path, text: &str, faults: &mut Vec<String>) {
    check_lints_off(path, text, concat!("allow", "("), faults);
    check_lints_off(path, text, concat!("expect", "("), faults);
}

fn check_lints_off(path: &Path, text: &str, word: &str, faults: &mut Vec<String>) {
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (before, after) = rest.split_at(at);
        rest = &after[word.len()..];
        let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
        let is_attribute = line.starts_with("#[") || line.starts_with("#![");
        let conditional = line.is_empty()
            && before.trim_end().ends_with(',')
            && before.rsplit("cfg_attr(").next().is_some_and(|it| !it.contains(['{', '}', ';']));
        let list = rest.split(")]").next().unwrap_or_default();
        if (is_attribute || conditional) && !list.contains("reason = ") {
            let at = text[..text.len() - rest.len()].lines().count();
            faults.push(format!("{}:{at}: a lint is off without a reason", path.display()));
        }
    }
}

/// A function ends with the brace that stands below its first line.
fn check_functions(path: &Path, code: &str, faults: &mut Vec<String>) {
    let lines: Vec<&str> = code.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim_start();
        let Some(name) = function_name(text) else { continue };
        if text.ends_with([';', '}']) {
            continue;
        }
        let indent = line.len() - text.len();
        let is_end = |it: &&str| {
            it.len() > indent && it[indent..].starts_with('}') && it[..indent].trim().is_empty()
        };
        let Some(more) = lines[at..].iter().position(is_end) else { continue };
        if more + 1 > MOST_LINES_OF_FUNCTION {
            let (at, length) = (at + 1, more + 1);
            let most = MOST_LINES_OF_FUNCTION;
            let place = path.display();
            faults.push(format!("{place}:{at}: `{name}` has {length} lines, more than {most}"));
        }
    }
}

/// The name of the function whose definition begins with this line.
fn function_name(line: &str) -> Option<&str> {
    let mut rest = line;
    loop {
        if let Some(rest) = rest.strip_prefix("fn ") {
            return rest.split(|it: char| !it.is_alphanumeric() && it != '_').next();
        }
        let words = ["pub ", "pub(super) ", "pub(crate) ", "const ", "unsafe ", "extern \"C\" "];
        let inside = rest.strip_prefix("pub(in ").and_then(|it| it.split_once(") ")).map(|it| it.1);
        rest = words.iter().find_map(|it| rest.strip_prefix(it)).or(inside)?;
    }
}

/// Tables over ids are vectors; `SparseMap` and `SparseSet` say that a table has few of many.
fn check_tables(path: &Path, code: &str, faults: &mut Vec<String>) {
    if path == Path::new("crates/base/src/sparse.rs") {
        return;
    }
    for (number, line) in code.lines().enumerate() {
        let keyed = ["HashMap<", "HashSet<", "IndexMap<", "IndexSet<"].iter().any(|it| {
            line.split(it).skip(1).any(|rest| {
                let key = rest.split([',', '>', '(', '<']).next().unwrap_or_default();
                key.ends_with("Id") && key.len() > 2
            })
        });
        if keyed && !line.trim_start().starts_with("//") {
            let at = number + 1;
            faults.push(format!("{}:{at}: a hash table is keyed by an id", path.display()));
        }
    }
}

/// The table of what the compiler knows of the library.
const KNOWN: &str = "crates/psg/src/known.rs";

/// What is known of the library has a word in the table, and is not found by its name.
fn check_library_names(path: &Path, code: &str, faults: &mut Vec<String>) {
    let name = concat!("\"Oxbow", "_");
    for (number, line) in code.lines().enumerate() {
        if line.contains(name) && !line.trim_start().starts_with("//") {
            let at = number + 1;
            faults.push(format!("{}:{at}: spells the name of a library module", path.display()));
        }
    }
}

/// Crates that do no input or output and do not read the environment.
const PURE: &[&str] = &[
    "crates/abi",
    "crates/base",
    "crates/counting",
    "crates/diag",
    "crates/dialect/src",
    "crates/differentiate",
    "crates/doc",
    "crates/elab",
    "crates/explain",
    "crates/front-clef",
    "crates/front-eshkol",
    "crates/front-ocaml",
    "crates/lower",
    "crates/opt",
    "crates/passes",
    "crates/psg",
];

/// What programs do that the reference interpreter runs.
const INTERPRETED: &str = "crates/psg/src/interp/host.rs";

fn check_input_and_output(path: &Path, code: &str, faults: &mut Vec<String>) {
    let words =
        ["std::fs", "std::env", "std::process", "std::net", "std::io", "println!", "print!"];
    for (number, line) in code.lines().enumerate() {
        if line.trim_start().starts_with("//") {
            continue;
        }
        // Several modules at once: `use std::{env, fs};`
        let listed = line.split_once("std::{").map_or("", |it| it.1);
        let mut listed = listed.split(|it: char| !it.is_alphanumeric() && it != '_');
        let is_there = |it: &&&str| {
            line.contains(**it)
                || it.strip_prefix("std::").is_some_and(|module| listed.any(|it| it == module))
        };
        if let Some(word) = words.iter().find(is_there) {
            let at = number + 1;
            faults.push(format!("{}:{at}: `{word}` in a pure crate", path.display()));
        }
    }
}

/// Stages that names go through.
const MAKE_NAMES: &[&str] = &[
    "crates/driver",
    "crates/elab",
    "crates/explain",
    "crates/differentiate",
    "crates/front-clef",
    "crates/front-eshkol",
    "crates/front-ocaml",
    "crates/lower",
    "crates/passes",
];

/// Files among them in which `%` begins something else, or which own such names: formats, primitives that the library
/// asks for, functions of the library that syntax stands for. Names that the compiler makes up are `oxbow_base::Made`.
const SPELL_PERCENT: &[&str] = &[
    "crates/elab/src/externals.rs",
    "crates/elab/src/infer/external.rs",
    "crates/elab/src/infer/format/flags.rs",
    "crates/elab/src/infer/format/parse.rs",
    "crates/elab/src/infer/format.rs",
    "crates/front-clef/src/literal.rs",
    "crates/front-clef/src/parser/foreign.rs",
    "crates/front-clef/src/text.rs",
    "crates/front-eshkol/src/known.rs",
    "crates/front-eshkol/src/variant.rs",
    "crates/passes/src/monomorphize/exn_text.rs",
];

/// What a made-up name is for is data, and its text only for dumps.
fn check_made_names(path: &Path, code: &str, faults: &mut Vec<String>) {
    if SPELL_PERCENT.iter().any(|it| path == Path::new(it)) {
        return;
    }
    // The operator `%` stands alone.
    let operator = concat!("\"%", "\"");
    for (number, line) in code.lines().enumerate() {
        if line.trim_start().starts_with("//") {
            continue;
        }
        let line = line.replace(operator, "");
        let spells =
            [concat!("\"", "%"), concat!("starts_with('", "%')"), concat!("strip_prefix('", "%')")];
        if spells.iter().any(|it| line.contains(it)) {
            let at = number + 1;
            faults.push(format!("{}:{at}: spells a made-up name", path.display()));
        }
    }
}

/// Ops are named by `oxbow_dialect::op`.
fn check_op_names(path: &Path, code: &str, faults: &mut Vec<String>) {
    let name = concat!("\"ocaml", ".");
    for (number, line) in code.lines().enumerate() {
        if line.contains(name) && !line.trim_start().starts_with("//") {
            let at = number + 1;
            faults.push(format!("{}:{at}: spells the name of an op", path.display()));
        }
    }
}

fn check_words(path: &Path, text: &str, faults: &mut Vec<String>) {
    // Put together here so that this file does not hold them; the style guide names the marks.
    let marks = [
        concat!("TO", "DO"),
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("dbg", "!("),
    ];
    let outside = [concat!("../", "shared"), concat!("/work", "/"), concat!("/ro", "ot/")];
    let is_code = extension(path) != "md";
    for (number, line) in text.lines().enumerate() {
        let mut fault =
            |word: &str| faults.push(format!("{}:{}: holds `{word}`", path.display(), number + 1));
        marks.iter().filter(|it| is_code && line.contains(**it)).for_each(|it| fault(it));
        outside.iter().filter(|it| line.contains(**it)).for_each(|it| fault(it));
    }
}

fn check_program(path: &Path, shown: &Path, faults: &mut Vec<String>) {
    let folder = path.parent().unwrap_or(path);
    let single = path.with_extension("expected").is_file();
    let mains = ["main.ml", "main.fidproj"];
    let part = mains.iter().any(|it| folder.join(it).is_file())
        && folder.with_extension("expected").is_file();
    if !single && !part {
        faults.push(format!("{}: has no .expected file", shown.display()));
    }
}

/// The table of what compiled code may call, and the stages that make it do so.
const TABLE: &str = "crates/abi/src/functions.rs";
const CALLERS: &[&str] = &["crates/lower/src", "crates/opt/src", "crates/backend/src"];

/// A function of the runtime that no stage names is called by nobody.
fn check_runtime(root: &Path, faults: &mut Vec<String>) -> Result<(), String> {
    let read = |path: &Path| {
        fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let table = read(&root.join(TABLE))?;
    // What is known by a constant is called by it.
    let mut stages: String = table.lines().filter(|it| it.starts_with("pub const")).collect();
    for path in CALLERS.iter().flat_map(|it| files(&root.join(it))) {
        stages.push_str(&read(&path)?);
    }
    for name in uncalled(&table, &stages) {
        faults.push(format!("{TABLE}: no stage calls `{name}`"));
    }
    Ok(())
}

/// The functions of the rows `Runtime Effect name(…) -> Result;` whose names are not spelled in the stages.
fn uncalled<'a>(table: &'a str, stages: &str) -> Vec<&'a str> {
    let rows = table.lines().filter_map(|it| it.trim().strip_prefix("Runtime "));
    let names = rows.filter_map(|it| it.split_once(' ')?.1.split_once('(')).map(|it| it.0);
    names.filter(|it| !stages.contains(&format!("\"{it}\""))).collect()
}

fn check_edges(root: &Path, faults: &mut Vec<String>) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(root)
        .args(["metadata", "--no-deps", "--format-version=1", "--offline"])
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    for package in list(&metadata["packages"]) {
        let name = package["name"].as_str().unwrap_or_default();
        let Some(name) = name.strip_prefix("oxbow-") else { continue };
        let Some((_, allowed)) = EDGES.iter().find(|it| it.0 == name) else {
            faults.push(format!("crate {name}: not in the table of xtask/src/tidy.rs"));
            continue;
        };
        for dependency in list(&package["dependencies"]).iter().filter(|it| it["kind"] != "dev") {
            let used = dependency["name"].as_str().unwrap_or_default();
            if MLIR.contains(&used) && name != "dialect" {
                faults.push(format!("crate {name}: uses {used}; only `dialect` may"));
            }
            let ours = used.strip_prefix("oxbow-");
            if ours.is_some_and(|it| !allowed.contains(&it)) {
                faults.push(format!("crate {name}: may not use {used}"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(path: &str, code: &str) -> Vec<String> {
        let mut faults = Vec::new();
        check_rust(Path::new(path), &format!("//! Head.\n{code}\n"), &mut faults);
        faults
    }

    #[test]
    fn long_functions_are_found() {
        let path = "crates/passes/src/a.rs";
        let of = |head: &str, lines: usize, indent: &str| {
            format!("{indent}{head} {{\n{}{indent}}}", format!("{indent}    x();\n").repeat(lines))
        };
        assert!(faults(path, &of("fn f()", 118, "")).is_empty());
        assert_eq!(faults(path, &of("fn f()", 119, "")).len(), 1);
        let method = of("pub(in crate::build) const unsafe fn f(&self)", 119, "    ");
        assert_eq!(
            faults(path, &format!("impl It {{\n{method}\n}}")),
            ["crates/passes/src/a.rs:3: `f` has 121 lines, more than 120"]
        );
        assert!(faults("crates/passes/src/tests.rs", &of("fn f()", 119, "")).is_empty());
        assert!(faults(path, "fn f();\nfn g() {}").is_empty());
    }

    #[test]
    fn lints_that_are_off_give_their_reason() {
        let path = "crates/passes/src/a.rs";
        let allow = concat!("allow", "(");
        let count = |it: &str| faults(path, &it.replace("ALLOW(", allow)).len();
        assert_eq!(count("#[ALLOW(unsafe_code)]\nfn f() {}"), 1);
        assert_eq!(count("#![ALLOW(dead_code)]"), 1);
        assert_eq!(faults(path, concat!("#[expect", "(dead_code)]\nfn f() {}")).len(), 1);
        assert_eq!(count("#![cfg_attr(\n    test,\n    ALLOW(dead_code)\n)]"), 1);
        assert_eq!(count("#[ALLOW(unsafe_code, reason = \"it calls C\")]\nfn f() {}"), 0);
        assert_eq!(count("#[ALLOW(\n    unsafe_code,\n    reason = \"it calls C\"\n)]"), 0);
        assert_eq!(count("let it = self.ALLOW(a);"), 0);
    }

    #[test]
    fn long_files_are_found() {
        let code = |lines: usize| "// A line.\n".repeat(lines);
        assert!(faults("crates/passes/src/a.rs", &code(598)).is_empty());
        assert_eq!(faults("crates/passes/src/a.rs", &code(600)).len(), 1);
    }

    #[test]
    fn long_lines_are_found() {
        let width = |lines: Lines<'_>| {
            let mut faults = Vec::new();
            check_width(Path::new("a"), lines, &mut faults);
            faults.len()
        };
        let long = "é".repeat(118);
        assert_eq!(width(comments(&format!("    // {long}"))), 1);
        assert_eq!(width(comments(&format!("//{long}\nlet it = \"{long}{long}\";"))), 0);
        assert_eq!(width(prose(&format!("a\n- {long}b\n"))), 1);
        assert_eq!(width(prose(&format!("```text\n{long}{long}\n```\n| {long}{long} |\n"))), 0);
        assert!(!is_prose(Path::new("tests/golden/a.md")) && is_prose(Path::new("README.md")));
    }

    #[test]
    fn functions_that_nobody_calls_are_found() {
        let table = "    Runtime Pure oxbow_a(F64) -> F64;\n    Runtime Writes oxbow_b() -> Void;";
        assert_eq!(uncalled(table, "call(\"oxbow_a\", \"oxbow_bc\")"), ["oxbow_b"]);
    }

    #[test]
    fn hash_tables_of_ids_are_found() {
        let path = "crates/passes/src/a.rs";
        assert_eq!(faults(path, "a: FxHashMap<VarId, u32>,").len(), 1);
        assert_eq!(faults(path, "let a: std::collections::HashSet<TyId> = b;").len(), 1);
        assert_eq!(faults(path, "a: Vec<(FxHashSet<Symbol>, FxHashSet<NodeId>)>,").len(), 1);
        assert_eq!(faults(path, "a: IndexSet<ExnId>,").len(), 1);
        assert!(faults(path, "a: FxHashMap<(TyConId, Symbol), VarId>,").is_empty());
        assert!(faults(path, "a: SparseMap<TypeId, TypeId>,").is_empty());
    }

    #[test]
    fn input_and_output_is_found() {
        let line = "let text = std::fs::read(path);";
        assert_eq!(faults("crates/passes/src/a.rs", line).len(), 1);
        assert!(faults("crates/driver/src/a.rs", line).is_empty());
        assert!(faults(INTERPRETED, line).is_empty());
        let line = "use std::{env, fs};";
        assert_eq!(faults("crates/passes/src/a.rs", line).len(), 1);
        assert!(faults("crates/passes/src/a.rs", "use std::{fmt, mem};").is_empty());
    }

    #[test]
    fn made_up_names_are_found() {
        let line = concat!("name.starts_with(\"", "%pipe\")");
        assert_eq!(faults("crates/elab/src/a.rs", line).len(), 1);
        assert!(faults("crates/elab/src/a.rs", &format!("// {line}")).is_empty());
        assert!(faults("crates/elab/src/tests.rs", line).is_empty());
        assert!(faults("crates/base/src/made.rs", line).is_empty());
        assert!(faults("crates/elab/src/a.rs", concat!("\"%", "\" => 1,")).is_empty());
    }

    #[test]
    fn names_of_library_modules_are_found() {
        let line = concat!("let unit = \"Oxbow", "_hash\";");
        assert_eq!(faults("crates/passes/src/a.rs", line).len(), 1);
        assert!(faults(KNOWN, line).is_empty());
        assert!(faults("crates/passes/src/a.rs", &format!("// {line}")).is_empty());
        assert!(faults("crates/passes/src/tests.rs", line).is_empty());
    }
}
