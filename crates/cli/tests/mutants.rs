//! Damaged programs: tokens and lines of the examples in Clef are deleted, doubled, swapped and replaced. The
//! compiler accepts or reports; it never crashes or hangs.
//!
//! `OXBOW_MUTANTS=3000` makes more of them, `OXBOW_MUTANTS_FROM=17` others.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A small generator: the same damage on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }
}

/// Words, marks and the space between them.
fn tokens(text: &str) -> Vec<String> {
    let kind = |it: char| {
        if it.is_alphanumeric() || it == '_' {
            0
        } else if it == ' ' {
            1
        } else {
            2
        }
    };
    let mut tokens: Vec<String> = Vec::new();
    let mut last = 3;
    for it in text.chars() {
        let this = kind(it);
        match tokens.last_mut() {
            Some(token) if this == last && this != 2 => token.push(it),
            _ => tokens.push(it.to_string()),
        }
        last = this;
    }
    tokens
}

const WORDS: &[&str] = &[
    "let", "in", "match", "with", "|", "->", "(", ")", "[", "]", "{", "}", "[|", "|]", "<-", "::",
    ";", ",", "type", "of", "fun", "function", "if", "then", "else", "for", "do", "while", "yield",
    "seq", "lazy", "use", "try", "finally", "rec", "and", "mutable", "module", "open", "\"", "'",
    "$\"{", "\t", "\n", "    ", "=", "struct", "&", "0x", "1e", "'a", "<", ">", "..", ".", "_",
    "member", "static", "as", "when", "@", "(*", "*)", "//", "#if",
];

fn damage(text: &str, random: &mut Random) -> String {
    let mut tokens = tokens(text);
    for _ in 0..=random.below(3) {
        let at = random.below(tokens.len());
        let other = random.below(tokens.len());
        let word = WORDS[random.below(WORDS.len())].to_string();
        match random.below(6) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, word),
            2 => tokens.swap(at, other),
            3 => tokens[at] = word,
            4 => {
                let again = tokens[other].clone();
                tokens.insert(at, again);
            }
            _ => tokens.truncate(at.max(1)),
        }
    }
    tokens.concat()
}

fn examples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/clef");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("examples").flatten().map(|it| it.path()).collect();
    files.sort();
    let read = |it: PathBuf| fs::read_to_string(it).ok();
    files
        .into_iter()
        .filter(|it| it.extension().is_some_and(|it| it == "clef"))
        .filter_map(read)
        .collect()
}

#[test]
fn damaged_programs_are_reported() {
    let number = |name: &str, otherwise| {
        std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(otherwise)
    };
    let (count, from): (usize, u64) =
        (number("OXBOW_MUTANTS", 40) as usize, number("OXBOW_MUTANTS_FROM", 1));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    fs::create_dir_all(&folder).expect("a scratch folder");
    let examples = examples();
    for number in 0..count as u64 {
        let mut random = Random((from + number).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let text = damage(&examples[random.below(examples.len())], &mut random);
        let file = folder.join(format!("mutant_{}.clef", from + number));
        fs::write(&file, &text).expect("a writable folder");
        let mut child = Command::new(env!("CARGO_BIN_EXE_oxbow"))
            .arg("check")
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the compiler starts");
        let start = Instant::now();
        let code = loop {
            if let Some(status) = child.try_wait().expect("the compiler runs") {
                break status.code();
            }
            if start.elapsed() > Duration::from_secs(120) {
                let _ = child.kill();
                panic!("{} is checked for two minutes", file.display());
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        assert!(matches!(code, Some(0 | 1)), "{}: {code:?}", file.display());
        let _ = fs::remove_file(&file);
    }
}
