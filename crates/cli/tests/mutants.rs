//! Damaged programs: whatever the text, `oxbow check` says what is wrong and ends.
//!
//! `OXBOW_MUTANTS=3000` looks at more of them.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Enough for a program of this size on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// The text in pieces: names and numbers, blanks, single characters.
fn pieces(text: &str) -> Vec<String> {
    let kind = |c: char| match c {
        _ if c.is_whitespace() => 0,
        '(' | ')' | '[' | ']' | '\'' | '`' | ',' | '"' | '#' | ';' | '|' | '.' => 1,
        _ => 2,
    };
    let mut pieces: Vec<String> = Vec::new();
    let mut last = 1;
    for c in text.chars() {
        let kind = kind(c);
        match pieces.last_mut() {
            Some(piece) if kind == last && kind != 1 => piece.push(c),
            _ => pieces.push(c.into()),
        }
        last = kind;
    }
    pieces
}

const ODD_IN_ESHKOL: &[&str] = &[
    "(",
    ")",
    "'",
    "`",
    ",",
    ",@",
    "\"",
    "#",
    "#|",
    "|#",
    "#;",
    "|",
    ".",
    "...",
    "#\\",
    "#(",
    "#0=",
    "#0#",
    "1/0",
    "1e999999",
    "#xzz",
    "+inf.0",
    "99999999999999999999999",
    "lambda",
    "define",
    "set!",
    "quote",
    "syntax-rules",
    "define-syntax",
    "let",
    "else",
    "=>",
    "_",
    "call/cc",
    "define-record-type",
    "quasiquote",
    "unquote",
    "\u{0}",
    "λ",
    "\\",
    "do",
    "case",
    "guard",
    "import",
    "include",
    "define-library",
    "cond-expand",
    "begin",
    "let*",
    "values",
];

#[rustfmt::skip]
const ODD_IN_CLEF: &[&str] = &[
    "let", "in", "match", "with", "|", "->", "(", ")", "[", "]", "{", "}", "[|", "|]", "<-", "::", ";", ",",
    "type", "of", "fun", "function", "if", "then", "else", "for", "do", "while", "yield", "seq", "lazy", "use",
    "try", "finally", "rec", "and", "mutable", "module", "open", "\"", "'", "$\"{", "\t", "\n", "    ", "=",
    "struct", "&", "0x", "1e", "1L", "'a", "<", ">", "..", ".", "_", "member", "static", "as", "when", "@", "(*",
    "*)", "//", "#if", "%d", "<@", "^", "[<", ">]", "extern", "namespace", "λ", "\u{0}",
];

fn mutant(pieces: &[String], odd: &[&str], random: &mut Random) -> String {
    let mut pieces = pieces.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(pieces.len());
        match random.below(7) {
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(at, pieces[random.below(pieces.len())].clone()),
            2 => pieces[at] = pieces[random.below(pieces.len())].clone(),
            3 => pieces[at] = (*random.pick(odd)).into(),
            4 => pieces.insert(at, (*random.pick(odd)).into()),
            5 => {
                let other = random.below(pieces.len());
                pieces.swap(at, other);
            }
            _ => {
                let end = (at + random.below(30)).min(pieces.len());
                drop(pieces.drain(at..end));
            }
        }
        if pieces.is_empty() {
            return String::new();
        }
    }
    if random.below(20) == 0 {
        pieces.truncate(random.below(pieces.len()));
    }
    pieces.concat()
}

/// What is wrong with the compiler, if it is.
fn fault(path: &Path) -> Option<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_oxbow"))
        .arg("check")
        .arg(path)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the compiler starts");
    let start = Instant::now();
    loop {
        if child.try_wait().expect("a child").is_some() {
            break;
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return Some("does not end".into());
        }
        thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("its output");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.code() {
        Some(0) => None,
        Some(1) if text.contains("error") && text.contains("-->") => None,
        code => Some(format!("ends with {code:?}:\n{text}")),
    }
}

#[test]
fn damaged_programs_of_eshkol_are_reported() {
    check_mutants(&["examples/eshkol", "tests/programs/eshkol"], "esk", ODD_IN_ESHKOL);
}

#[test]
fn damaged_programs_of_clef_are_reported() {
    check_mutants(&["examples/clef", "tests/programs/clef"], "clef", ODD_IN_CLEF);
}

fn check_mutants(folders: &[&str], extension: &str, odd: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    fs::create_dir_all(&folder).expect("a scratch folder");
    let mut sources: Vec<PathBuf> = folders
        .iter()
        .flat_map(|it| fs::read_dir(root.join(it)).expect("the folder"))
        .map(|it| it.expect("an entry").path())
        .filter(|it| it.extension().is_some_and(|it| it == extension))
        .collect();
    sources.sort();
    let all: Vec<Vec<String>> =
        sources.iter().map(|it| pieces(&fs::read_to_string(it).expect("a program"))).collect();
    let count: u64 =
        std::env::var("OXBOW_MUTANTS").ok().and_then(|it| it.parse().ok()).unwrap_or(30);
    for seed in 0..count {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
        let text = mutant(random.pick(&all), odd, &mut random);
        let path = folder.join(format!("mutant.{extension}"));
        fs::File::create(&path)
            .and_then(|mut it| it.write_all(text.as_bytes()))
            .expect("a writable folder");
        if let Some(fault) = fault(&path) {
            let kept = folder.join(format!("fault{seed}.{extension}"));
            fs::copy(&path, &kept).expect("a writable folder");
            panic!("{}: {fault}", kept.display());
        }
    }
}
