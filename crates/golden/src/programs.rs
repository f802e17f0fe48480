//! Programs with known output, each run in several ways.
//!
//! `name.ml`, `name.clef` or `name.esk`, or `name/main.ml` with its modules or `name/main.fidproj`, goes with
//! `name.expected` (the standard output, byte for byte), `name.exit` (the exit code, else 0), `name.stdin`, and
//! `name.slots` if closures in slots cannot serve it: what the compiler says about each function literal that needs
//! more than one set of them. `name.slow` says why it takes the interpreter long: it is interpreted with every other
//! way in `./x test --all`, and not usually.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Failed, Trial};

use crate::batch::{Batch, Results};
use crate::mode::{self, Mode};
use crate::{Config, entries, has_extension, stem};

/// Suites of programs: the name, where they are, and where their output is.
const SUITES: &[(&str, &str, &str)] = &[
    ("ocaml", "tests/programs/ocaml", "tests/programs/ocaml"),
    ("clef", "tests/programs/clef", "tests/programs/clef"),
    ("examples-clef", "examples/clef", "tests/programs/examples-clef"),
    ("examples", "examples/ocaml", "tests/programs/examples"),
    ("ad", "tests/programs/ad", "tests/programs/ad"),
    ("eshkol", "tests/programs/eshkol", "tests/programs/eshkol"),
    ("eshkol-examples", "examples/eshkol", "tests/programs/eshkol-examples"),
];

/// Programs of a language that go each way, at least.
const ENOUGH: usize = 5;

/// The trials whose names are wanted. Those that do the work of a program come first: others wait for it, and a thread
/// that waits tests nothing.
pub fn trials(config: &Config, wanted: &dyn Fn(&str) -> bool) -> Vec<Trial> {
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    let mut turns = BTreeMap::new();
    for (suite, sources, expected) in SUITES {
        for source in entries(&config.root.join(sources)) {
            let expected = config.root.join(expected);
            let Some(program) = Program::find(suite, &source, &expected) else { continue };
            let modes = program.modes(config);
            for mode in Mode::all(config) {
                let count: &mut usize = turns.entry((program.language(), mode.name())).or_default();
                *count += usize::from(modes.contains(&mode));
            }
            let mut trials = program.trials(config, wanted).into_iter();
            first.extend(trials.next());
            rest.extend(trials);
        }
    }
    first.extend(rest);
    first.push(Trial::test("programs/turns", move || check_turns(&turns)));
    first
}

/// What takes its turn is still gone by enough programs of each language.
fn check_turns(turns: &BTreeMap<(String, String), usize>) -> Result<(), Failed> {
    let few: Vec<_> = turns.iter().filter(|it| *it.1 < ENOUGH).collect();
    if few.is_empty() {
        return Ok(());
    }
    let mut text = String::new();
    for ((language, mode), count) in few {
        text += &format!("{language} {mode}: {count}\n");
    }
    Err(format!("ways that fewer than {ENOUGH} programs go:\n{text}").into())
}

#[derive(Clone)]
pub struct Program {
    pub suite: String,
    pub name: String,
    /// Where the compiler is started, so that messages with the file's name are the same.
    pub folder: PathBuf,
    pub main: String,
    /// `expected/name`, to which extensions are added.
    expected: PathBuf,
}

/// What a program should do.
pub struct Expected {
    pub stdout: Vec<u8>,
    pub code: i32,
}

impl Program {
    fn find(suite: &str, source: &Path, expected: &Path) -> Option<Self> {
        let name = stem(source);
        let (folder, main) = if source.join("main.fidproj").is_file() {
            (source.to_path_buf(), "main.fidproj".to_string())
        } else if source.is_dir() {
            (source.to_path_buf(), "main.ml".to_string())
        } else if has_extension(source, "clef") || has_extension(source, "fs") {
            let file = source.file_name()?.to_str()?.to_string();
            (source.parent()?.to_path_buf(), file)
        } else if has_extension(source, "ml") {
            (source.parent()?.to_path_buf(), format!("{name}.ml"))
        } else if has_extension(source, "esk") {
            (source.parent()?.to_path_buf(), format!("{name}.esk"))
        } else {
            return None;
        };
        Some(Self { suite: suite.into(), expected: expected.join(&name), name, folder, main })
    }

    /// What it is written in, by the ending of its main file.
    fn language(&self) -> String {
        let ending = Path::new(&self.main).extension().unwrap_or_default();
        match ending.to_str().unwrap_or_default() {
            "fs" | "fidproj" => "clef".into(),
            other => other.into(),
        }
    }

    /// Whether it declares functions of C.
    fn calls_c(&self) -> bool {
        fs::read_to_string(self.folder.join(&self.main)).is_ok_and(|it| it.contains("DllImport"))
    }

    /// Whether it uses module `Ad`.
    fn has_derivatives(&self) -> bool {
        let operators = ["Ad.", "(derivative", "(gradient", "(jacobian", "(hessian", "(taylor"];
        fs::read_to_string(self.folder.join(&self.main))
            .is_ok_and(|text| operators.iter().any(|it| text.contains(it)))
    }

    /// Whether much is made of few lines: where values are of any type, and of derivatives.
    pub fn is_large(&self) -> bool {
        has_extension(Path::new(&self.main), "esk") || self.has_derivatives()
    }

    pub fn beside(&self, extension: &str) -> PathBuf {
        self.expected.with_extension(extension)
    }

    /// A file for something that a trial makes.
    pub fn scratch(&self, config: &Config, ending: &str) -> PathBuf {
        config.scratch.join(&self.suite).join(format!("{}.{ending}", self.name))
    }

    /// Whether slots cannot serve it.
    pub fn is_refused(&self) -> bool {
        self.beside("slots").is_file()
    }

    pub fn stdin(&self) -> Vec<u8> {
        fs::read(self.beside("stdin")).unwrap_or_default()
    }

    pub fn expected(&self) -> Result<Expected, Failed> {
        let path = self.beside("expected");
        let stdout = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let code = match fs::read_to_string(self.beside("exit")) {
            Ok(text) => text.trim().parse().map_err(|_| "the .exit file holds no number")?,
            Err(_) => 0,
        };
        Ok(Expected { stdout, code })
    }

    /// A trial for each way to run it; whichever comes first runs what all of them look at.
    fn trials(&self, config: &Config, wanted: &dyn Fn(&str) -> bool) -> Vec<Trial> {
        let name = |mode: Mode| format!("{}/{}/{}", self.suite, self.name, mode.name());
        let mut modes = self.modes(config);
        modes.retain(|it| wanted(&name(*it)));
        let all = Arc::new(modes.clone());
        let shared: Arc<OnceLock<Result<Results, String>>> = Arc::default();
        let trial = |mode: Mode| {
            let (config, program) = (config.clone(), self.clone());
            let (all, shared) = (all.clone(), shared.clone());
            Trial::test(name(mode), move || {
                let results = shared.get_or_init(|| program.run(&config, &all));
                mode::check(&program, &config, mode, results.as_ref().map_err(String::clone)?)
            })
        };
        modes.into_iter().map(trial).collect()
    }

    fn run(&self, config: &Config, modes: &[Mode]) -> Result<Results, String> {
        let stdin = self.stdin();
        let mut batch = Batch::default();
        for mode in modes {
            for command in mode::commands(self, config, *mode) {
                batch.add(command, &stdin);
            }
        }
        let folder = config.scratch.join(&self.suite);
        fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        batch.run(config, &self.folder, &self.main, &self.scratch(config, "batch"))
    }

    /// The ways to run it.
    fn modes(&self, config: &Config) -> Vec<Mode> {
        let mut modes = Mode::all(config);
        // Of the examples a few ways are enough.
        if self.suite.contains("examples-") || self.suite.ends_with("-examples") {
            modes.retain(|it| it.is_for_examples());
        }
        // Derivatives exist after the pass that makes them, and nowhere else.
        let has_derivatives = self.has_derivatives();
        modes.retain(|it| !has_derivatives || *it != Mode::Interpret("poly"));
        // The interpreter calls no functions of C.
        let calls_c = self.calls_c();
        modes.retain(|it| !calls_c || !matches!(it, Mode::Interpret(_)));
        // What is a moment for machine code may be half a minute for the interpreter.
        let takes_long = !config.all && self.beside("slow").is_file();
        modes.retain(|it| !takes_long || !matches!(it, Mode::Interpret(_)));
        let is_refused = self.is_refused();
        let needs_slots = |it: &Mode| matches!(it, Mode::Closures("slots") | Mode::Migrated);
        modes.retain(|it| !is_refused || !needs_slots(it));
        modes.retain(|it| config.all || it.is_turn_of(self));
        // Only OCaml has a peer here.
        if has_extension(Path::new(&self.main), "ml")
            && std::env::var_os("OXBOW_PEER").is_some_and(|it| it == "1")
            && !has_derivatives
        {
            modes.push(Mode::Peer);
        }
        modes
    }
}
