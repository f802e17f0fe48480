//! Damaged programs: whatever the text, `oxbow check` accepts it or says what is wrong, and ends.
//!
//! `OXBOW_MUTANTS=3000` looks at more of them, `OXBOW_MUTANTS_FROM=17` at others.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Enough for a program of this size on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// How many programs of each language are looked at.
const USUAL: u64 = 30;

struct Language {
    extension: &'static str,
    /// Where whole programs are.
    folders: &'static [&'static str],
    /// Words that mean something to the language.
    words: &'static str,
}

const OCAML: Language = Language {
    extension: "ml",
    folders: &["examples/ocaml", "tests/programs/ocaml"],
    words: "let in match with | -> ( ) [ ] { } [| |] <- := :: ; ;; , type of fun function if then \
        else for do done while rec and mutable module open struct sig end functor val begin try \
        exception lazy assert \" ' 'a `A ~ ? # (* *) 0x 1e .. _ let* {| [@ % external include \
        when as",
};

const CLEF: Language = Language {
    extension: "clef",
    folders: &["examples/clef", "tests/programs/clef"],
    words: "let in match with | -> ( ) [ ] { } [| |] <- :: ; , type of fun function if then else for \
        do while yield seq lazy use try finally rec and mutable module open \" ' $\"{ = struct & \
        0x 1e 'a < > .. . _ member static as when @ (* *) // #if",
};

const ESHKOL: Language = Language {
    extension: "esk",
    folders: &["examples/eshkol", "tests/programs/eshkol"],
    words: "( ) ' ` , ,@ \" # #| |# #; | . ... #\\ #( #0= #0# 1/0 1e999999 #xzz +inf.0 lambda define \
        set! quote syntax-rules define-syntax let else => _ call/cc define-record-type \
        quasiquote unquote \\ do case guard import include define-library cond-expand begin let* \
        values",
};

/// What no language expects in most places.
const ODD: &[&str] = &["\t", "\n", "    ", "\u{0}", "λ", "99999999999999999999999"];

/// The same damage on every machine.
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

/// The text in pieces: words, blanks, single marks.
fn pieces(text: &str) -> Vec<String> {
    let kind = |it: char| match it {
        ' ' => 0,
        '_' | '-' | '!' | '?' => 1,
        _ if it.is_alphanumeric() => 1,
        _ => 2,
    };
    let mut pieces: Vec<String> = Vec::new();
    let mut last = 2;
    for it in text.chars() {
        let kind = kind(it);
        match pieces.last_mut() {
            Some(piece) if kind == last && kind != 2 => piece.push(it),
            _ => pieces.push(it.into()),
        }
        last = kind;
    }
    pieces
}

fn mutant(pieces: &[String], words: &[&str], random: &mut Random) -> String {
    let mut pieces = pieces.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(pieces.len());
        let other = random.below(pieces.len());
        match random.below(7) {
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(at, pieces[other].clone()),
            2 => pieces[at] = pieces[other].clone(),
            3 => pieces[at] = (*random.pick(words)).into(),
            4 => pieces.insert(at, (*random.pick(words)).into()),
            5 => pieces.swap(at, other),
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
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the compiler starts");
    // Read beside, or a long report would fill the pipe.
    let stderr = child.stderr.take().expect("its reports");
    let reader = thread::spawn(move || std::io::read_to_string(stderr).unwrap_or_default());
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return Some("does not end".into());
        }
        thread::sleep(Duration::from_millis(5));
    };
    let text = reader.join().unwrap_or_default();
    match status.code() {
        Some(0) => None,
        Some(1) if text.contains("error") && text.contains("-->") => None,
        code => Some(format!("ends with {code:?}:\n{text}")),
    }
}

fn sources(language: &Language) -> Vec<Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<PathBuf> = language
        .folders
        .iter()
        .flat_map(|it| fs::read_dir(root.join(it)).expect("the folder"))
        .map(|it| it.expect("an entry").path())
        .filter(|it| it.extension().is_some_and(|it| it == language.extension))
        .collect();
    files.sort();
    files.iter().map(|it| pieces(&fs::read_to_string(it).expect("a program"))).collect()
}

fn check(language: &Language) {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(otherwise)
    };
    let (count, from) = (number("OXBOW_MUTANTS", USUAL), number("OXBOW_MUTANTS_FROM", 0));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    fs::create_dir_all(&folder).expect("a scratch folder");
    let sources = sources(language);
    let words: Vec<&str> = language.words.split(' ').chain(ODD.iter().copied()).collect();
    for seed in from..from + count {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
        let source: &Vec<String> = random.pick(&sources);
        let text = mutant(source, &words, &mut random);
        let path = folder.join(format!("mutant{seed}.{}", language.extension));
        fs::write(&path, text).expect("a writable folder");
        if let Some(fault) = fault(&path) {
            panic!("{}: {fault}", path.display());
        }
        fs::remove_file(&path).expect("a writable folder");
    }
}

#[test]
fn damaged_ocaml_is_reported() {
    check(&OCAML);
}

#[test]
fn damaged_clef_is_reported() {
    check(&CLEF);
}

#[test]
fn damaged_eshkol_is_reported() {
    check(&ESHKOL);
}
