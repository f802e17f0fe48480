//! Damaged programs: whatever the text, `oxbow check` accepts it or says what is wrong, in time and in bounds.
//!
//! ```text
//! a program ── pieces ──▶ one to three of them lost, doubled, swapped, replaced ──▶ oxbow check
//! ```
//!
//! Many are checked by one `oxbow test-batch`, which reads the library once and forks for each of them. A text that
//! brings the compiler down is made small: lines and then pieces go while the fault stays the same.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than this is a hang.
const MOST_SECONDS: u64 = 10;

/// More memory than this has no bound.
const MOST_MEMORY: u64 = 2 << 30;

/// How long one text is made smaller.
const SHRINKING: Duration = Duration::from_secs(240);

pub struct Language {
    pub name: &'static str,
    extension: &'static str,
    /// Where whole programs are.
    folders: &'static [&'static str],
    /// Words that mean something to the language.
    words: &'static str,
}

pub const LANGUAGES: &[Language] = &[
    Language {
        name: "OCaml",
        extension: "ml",
        folders: &["examples/ocaml", "tests/programs/ocaml"],
        words: "let in match with | -> ( ) [ ] { } [| |] <- := :: ; ;; , type of fun function if then \
        else for do done while rec and mutable module open struct sig end functor val begin try \
        exception lazy assert \" ' 'a `A ~ ? # (* *) 0x 1e .. _ let* {| [@ % external include \
        when as",
    },
    Language {
        name: "Clef",
        extension: "clef",
        folders: &["examples/clef", "tests/programs/clef"],
        words: "let in match with | -> ( ) [ ] { } [| |] <- :: ; , type of fun function if then else for \
        do while yield seq lazy use try finally rec and mutable module open \" ' $\"{ = struct & \
        0x 1e 'a < > .. . _ member static as when @ (* *) // #if",
    },
    Language {
        name: "Eshkol",
        extension: "esk",
        folders: &["examples/eshkol", "tests/programs/eshkol"],
        words: "( ) ' ` , ,@ \" # #| |# #; | . ... #\\ #( #0= #0# 1/0 1e999999 #xzz +inf.0 lambda define \
        set! quote syntax-rules define-syntax let else => _ call/cc define-record-type \
        quasiquote unquote \\ do case guard import include define-library cond-expand begin let* \
        values",
    },
];

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

/// What can be damaged.
pub struct Programs {
    language: &'static Language,
    all: Vec<Vec<String>>,
    words: Vec<&'static str>,
}

impl Programs {
    /// The programs of a language in a checkout.
    pub fn new(root: &Path, language: &'static Language) -> io::Result<Self> {
        let mut files: Vec<PathBuf> = Vec::new();
        for folder in language.folders {
            for entry in fs::read_dir(root.join(folder))? {
                files.push(entry?.path());
            }
        }
        files.retain(|it| it.extension().is_some_and(|it| it == language.extension));
        files.sort();
        let all: io::Result<Vec<_>> =
            files.iter().map(|it| Ok(pieces(&String::from_utf8_lossy(&fs::read(it)?)))).collect();
        let words = language.words.split_whitespace().chain(ODD.iter().copied()).collect();
        Ok(Self { language, all: all?, words })
    }

    pub fn extension(&self) -> &'static str {
        self.language.extension
    }

    /// One of them, damaged; the same for the same seed.
    pub fn mutant(&self, seed: u64) -> String {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
        let source: &Vec<String> = random.pick(&self.all);
        mutant(source, &self.words, &mut random)
    }
}

/// What is wrong with the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// How it ended, and the first line of what it said, without numbers.
    pub kind: String,
    pub said: String,
}

pub struct Checker {
    oxbow: PathBuf,
    /// A folder that nothing else uses.
    folder: PathBuf,
}

impl Checker {
    pub fn new(oxbow: &Path, folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let folder = fs::canonicalize(folder)?;
        Ok(Self { oxbow: std::path::absolute(oxbow)?, folder })
    }

    /// Checks texts of one language: for each the fault that it shows.
    pub fn check(&self, programs: &Programs, texts: &[String]) -> io::Result<Vec<Option<Fault>>> {
        let extension = programs.language.extension;
        let mut plan = String::new();
        for (number, text) in texts.iter().enumerate() {
            let path = self.folder.join(format!("mutant{number}.{extension}"));
            fs::write(&path, text)?;
            plan += &format!("/dev/null\tcheck\t--color=never\t{}\n", path.display());
        }
        let path = self.folder.join("plan");
        fs::write(&path, plan)?;
        let output = Command::new(&self.oxbow)
            .args(["test-batch", "--into"])
            .arg(&self.folder)
            .arg(format!("--seconds={MOST_SECONDS}"))
            .arg(format!("--memory={MOST_MEMORY}"))
            .arg(format!("any.{extension}"))
            .current_dir(&self.folder)
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::from(File::open(path)?))
            .output()?;
        let told = String::from_utf8_lossy(&output.stdout);
        let mut faults = Vec::new();
        for number in 0..texts.len() {
            let prefix = format!("{number} ");
            let Some(end) = told.lines().find_map(|it| it.strip_prefix(&prefix)) else {
                let stderr = String::from_utf8_lossy(&output.stderr);
                let message = format!("the batch ended with {}:\n{stderr}", output.status);
                return Err(io::Error::other(message));
            };
            faults.push(self.fault(number, end)?);
        }
        Ok(faults)
    }

    fn fault(&self, number: usize, end: &str) -> io::Result<Option<Fault>> {
        if end == "code 0" {
            return Ok(None);
        }
        let bytes = fs::read(self.folder.join(format!("{number}.err")))?;
        let said = String::from_utf8_lossy(&bytes).into_owned();
        if end == "code 1" && said.contains("error") && said.contains("-->") {
            return Ok(None);
        }
        let first = said.lines().next().unwrap_or_default();
        let kind = format!("{end}: {first}").replace(|it: char| it.is_ascii_digit(), "");
        Ok(Some(Fault { kind, said }))
    }

    /// A smaller text with the same fault.
    pub fn shrink(&self, programs: &Programs, text: &str, fault: &Fault) -> io::Result<String> {
        let deadline = Instant::now() + SHRINKING;
        let lines = text.split_inclusive('\n').map(String::from).collect();
        let lines = self.fewer(programs, lines, fault, deadline)?;
        Ok(self.fewer(programs, pieces(&lines.concat()), fault, deadline)?.concat())
    }

    /// Leaves parts out, first large ones, then small ones, as long as the fault stays.
    fn fewer(
        &self,
        programs: &Programs,
        mut parts: Vec<String>,
        fault: &Fault,
        deadline: Instant,
    ) -> io::Result<Vec<String>> {
        let mut size = parts.len() / 2;
        while size > 0 && Instant::now() < deadline {
            let mut at = 0;
            let mut smaller = false;
            while at < parts.len() && Instant::now() < deadline {
                let without = |start: usize| {
                    let end = (start + size).min(parts.len());
                    [&parts[..start], &parts[end..]].concat()
                };
                let starts: Vec<usize> = (at..parts.len()).step_by(size).take(16).collect();
                let texts: Vec<String> = starts.iter().map(|it| without(*it).concat()).collect();
                let found = self.check(programs, &texts)?;
                let same =
                    found.iter().position(|it| it.as_ref().is_some_and(|it| it.kind == fault.kind));
                match same {
                    Some(index) => {
                        at = starts[index];
                        parts = without(at);
                        smaller = true;
                    }
                    None => at += 16 * size,
                }
            }
            if !smaller || size > 1 {
                size /= 2;
            }
        }
        Ok(parts)
    }
}
