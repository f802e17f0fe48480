//! The ways to run a program, and what each must give.
//!
//! Every way is gone by every program in `./x test --all`. Usually those that find most are gone by all programs, and
//! of the others each program takes its turn: which ones depends on its name alone, so that the same are gone every
//! time (`is_turn_of`).

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Failed;

use crate::batch::Results;
use crate::diff::diff;
use crate::process::{self, Output};
use crate::programs::{Expected, Program};
use crate::{Config, entries, has_extension};

/// A way to run a program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Interpret(&'static str),
    Jit(&'static str),
    /// With closures represented in another way and memory checked.
    Closures(&'static str),
    /// In slots, and made one with captures again by `opt --migrate-slots`.
    Migrated,
    /// Whether `slots` refuses the program, and why.
    Refusal,
    /// The dialect's text through upstream's passes and back, with closures of each kind.
    Upstream,
    /// By machine code that finds faults in the use of memory.
    Checked(&'static str),
    Native,
    Peer,
}

impl Mode {
    pub fn all(config: &Config) -> Vec<Self> {
        let mut modes = vec![Self::Interpret("poly"), Self::Interpret("mono")];
        if config.native {
            modes.extend([Self::Jit("0"), Self::Jit("3"), Self::Checked("0"), Self::Native]);
            modes.extend([Self::Closures("flat"), Self::Closures("env"), Self::Refusal]);
            modes.extend([Self::Closures("slots"), Self::Migrated, Self::Upstream]);
        }
        modes
    }

    pub fn name(self) -> String {
        match self {
            Self::Interpret(phase) => phase.into(),
            Self::Jit(level) => format!("jit{level}"),
            Self::Closures(strategy) => strategy.into(),
            Self::Migrated => "migrated".into(),
            Self::Refusal => "refusal".into(),
            Self::Upstream => "upstream".into(),
            Self::Checked(level) => format!("checked{level}"),
            Self::Native => "native".into(),
            Self::Peer => "peer".into(),
        }
    }

    pub fn is_for_examples(self) -> bool {
        match self {
            Self::Interpret(phase) => phase == "mono",
            Self::Jit(_) | Self::Checked(_) | Self::Native | Self::Upstream => true,
            // What upstream sees of them depends on it.
            Self::Refusal => true,
            Self::Closures(_) | Self::Migrated | Self::Peer => false,
        }
    }

    /// Whether a program takes its turn.
    ///
    /// The interpreter after all passes and code that checks memory find nearly every fault that is found at all, and
    /// refusals cost little: all programs go these ways. LLVM's optimisation takes half of the time of all ways
    /// together: of six programs two go that way by the JIT, of the large ones one, and one by an executable. The
    /// others differ from these in one step each. Of the three ways to represent closures a program goes one; slots
    /// take the larger part of what they serve, and flat closures and environments every second of what is left to
    /// them.
    pub fn is_turn_of(self, program: &Program) -> bool {
        let key = program.key();
        let one_of = |number: u64| hash(&key, &self.name()).is_multiple_of(number);
        let optimised = hash(&key, "optimised") % 6;
        let rarely = if program.is_large() { 2 } else { 1 };
        match self {
            Self::Interpret("mono") | Self::Checked(_) | Self::Refusal | Self::Peer => true,
            Self::Jit("3") => optimised < 2 / rarely,
            Self::Native => optimised == 2,
            Self::Interpret(_) => one_of(2),
            Self::Closures("slots") => program.strategy() == "slots",
            Self::Closures(strategy) => strategy == program.strategy() && one_of(2),
            Self::Migrated => one_of(4),
            Self::Upstream => one_of(4 * rarely),
            Self::Jit(_) => one_of(16),
        }
    }
}

impl Program {
    /// What its turns depend on.
    fn key(&self) -> String {
        format!("{}/{}", self.suite, self.name)
    }

    /// How its closures are represented when it is its turn.
    fn strategy(&self) -> &'static str {
        let hash = hash(&self.key(), "closures") as usize;
        match self.is_refused() {
            true => ["flat", "env"][hash % 2],
            false => ["slots", "flat", "slots", "env"][hash % 4],
        }
    }
}

/// FNV: the same on every machine and with every compiler.
pub fn hash(program: &str, mode: &str) -> u64 {
    let bytes = program.bytes().chain([0]).chain(mode.bytes());
    let sum = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    sum >> 32
}

fn words(text: &[&str]) -> Vec<String> {
    text.iter().map(|it| (*it).to_string()).collect()
}

/// The commands of the compiler that a way begins with.
pub fn commands(program: &Program, config: &Config, mode: Mode) -> Vec<Vec<String>> {
    let main = program.main.as_str();
    match mode {
        Mode::Interpret(phase) => {
            vec![words(&["test-interp", "--verify", &format!("--phase={phase}"), main])]
        }
        Mode::Jit(level) => vec![words(&["run", &format!("-O{level}"), main])],
        Mode::Checked(level) => {
            vec![words(&["run", "--check-memory", &format!("-O{level}"), main])]
        }
        Mode::Closures(strategy) => {
            let closures = format!("--closures={strategy}");
            vec![words(&["run", "-O0", "--check-memory", &closures, main])]
        }
        Mode::Migrated => vec![emit(program, config, mode, "slots")],
        Mode::Refusal => vec![words(&["check", "--closures=slots", main])],
        Mode::Upstream => strategies(program, config)
            .into_iter()
            .map(|it| emit(program, config, mode, it))
            .collect(),
        Mode::Native => {
            let executable = program.scratch(config, "native").display().to_string();
            vec![words(&["build", "-o", &executable, main])]
        }
        Mode::Peer => Vec::new(),
    }
}

/// What upstream sees: one strategy, or all of them. What Eshkol makes of a program is large; its closures are those of
/// the others.
fn strategies(program: &Program, config: &Config) -> Vec<&'static str> {
    let all: &[&str] = match (program.main.ends_with(".esk"), program.is_refused()) {
        (true, _) => &["flat"],
        (false, true) => &["flat", "env"],
        (false, false) => &["flat", "env", "slots"],
    };
    if config.all {
        return all.to_vec();
    }
    vec![all[hash(&program.key(), "upstream strategy") as usize % all.len()]]
}

/// The file for a program in the dialect.
fn dialect(program: &Program, config: &Config, mode: Mode, strategy: &str) -> PathBuf {
    program.scratch(config, &format!("{}.{strategy}.mlir", mode.name()))
}

fn emit(program: &Program, config: &Config, mode: Mode, strategy: &str) -> Vec<String> {
    let file = dialect(program, config, mode, strategy).display().to_string();
    let closures = format!("--closures={strategy}");
    words(&["emit", "--stage=ocaml", "-o", &file, &closures, &program.main])
}

/// What a way gives is what is expected.
pub fn check(
    program: &Program,
    config: &Config,
    mode: Mode,
    results: &Results,
) -> Result<(), Failed> {
    let expected = program.expected()?;
    let commands = commands(program, config, mode);
    match mode {
        Mode::Interpret(phase) => {
            check_interpreted(program, phase, results.get(&commands[0])?, &expected)
        }
        Mode::Jit(_) | Mode::Checked(_) | Mode::Closures(_) => {
            compare(results.get(&commands[0])?, &expected)
        }
        Mode::Migrated => check_migrated(program, config, results, &expected),
        Mode::Refusal => check_refusal(program, results.get(&commands[0])?),
        Mode::Upstream => check_upstream(program, config, results, &expected),
        Mode::Native => {
            let executable = program.scratch(config, "native");
            done(results.get(&commands[0])?)?;
            let mut command = Command::new(&executable);
            command.current_dir(&program.folder);
            let output = process::run(&mut command, &program.stdin())?;
            fs::remove_file(executable)?;
            compare(&output, &expected)
        }
        Mode::Peer => {
            let mut command = Command::new(peer(program, config)?);
            command.current_dir(&program.folder);
            compare(&process::run(&mut command, &program.stdin())?, &expected)
        }
    }
}

/// A command of the compiler that should succeed.
fn done(output: &Output) -> Result<(), Failed> {
    match output.code()? {
        0 => Ok(()),
        _ => Err(output.stderr_text().into()),
    }
}

/// The interpreter refuses what the file beside the program says, for that reason, and nothing else; with `poly: `
/// before the reason, it does so in that phase alone.
fn check_interpreted(
    program: &Program,
    phase: &str,
    output: &Output,
    expected: &Expected,
) -> Result<(), Failed> {
    let path = program.beside("interpreter");
    let Ok(reason) = fs::read_to_string(&path) else { return compare(output, expected) };
    let reason = match reason.strip_prefix("poly: ") {
        Some(_) if phase != "poly" => return compare(output, expected),
        Some(reason) => reason,
        None => &reason,
    };
    let text = output.stderr_text();
    match output.code()? {
        2 if text.contains(reason.trim_end()) => Ok(()),
        code => {
            let shown = path.display();
            Err(format!("it ended with {code}, not as {shown} says\n{text}").into())
        }
    }
}

/// What slots refuse is what the file beside the program says: no more, or they are over-eager, and no less.
fn check_refusal(program: &Program, output: &Output) -> Result<(), Failed> {
    let text = output.stderr_text();
    let path = program.beside("slots");
    let actual = match output.code()? {
        0 => None,
        1 if text.contains("error[E0950]") => Some(refused(&text)),
        code => return Err(format!("the compiler ended with {code}\n{text}").into()),
    };
    if std::env::var_os("OXBOW_BLESS").is_some_and(|it| it == "1") {
        match &actual {
            Some(text) => fs::write(&path, text)?,
            None if path.exists() => fs::remove_file(&path)?,
            None => (),
        }
        return Ok(());
    }
    let shown = path.display();
    match (fs::read_to_string(&path).ok(), actual) {
        (None, None) => Ok(()),
        (Some(_), None) => Err(format!("slots serve it now: remove {shown}").into()),
        (None, Some(_)) => Err(format!("slots refuse it, and there is no {shown}\n{text}").into()),
        (Some(old), Some(new)) => match diff(&old, &new) {
            None => Ok(()),
            Some(changes) => Err(format!("{shown}\n{changes}{text}").into()),
        },
    }
}

/// What is refused, a line for each kind. Of names that are made different by numbers (`k_12`) the numbers are left
/// out, and of the library's literals the rest: they change with code that has nothing to do with the program.
fn refused(reports: &str) -> String {
    let mut lines = BTreeSet::new();
    for report in reports.split("error[E0950]").skip(1) {
        let label = report.lines().find_map(|it| it.find("it captures ").map(|at| &it[at..]));
        let place = report.lines().find_map(|it| it.split_once("--> "));
        lines.insert(match (place, label) {
            (Some((_, place)), _) if place.starts_with("<library>") => {
                "a literal of the library\n".to_string()
            }
            (_, label) => format!("{}\n", label.map(without_numbers).unwrap_or_default()),
        });
    }
    lines.into_iter().collect()
}

fn without_numbers(label: &str) -> String {
    let bare = |part: &str| {
        let first = part.trim_end_matches('\'');
        let bare = first.trim_end_matches(|it: char| it.is_ascii_digit());
        let numbered = bare.len() < first.len() && bare.ends_with(['_', '\'']);
        if numbered { bare.trim_end_matches(['_', '\'']) } else { part }.to_string()
    };
    label.split('`').map(bare).collect::<Vec<_>>().join("`")
}

/// The program in slots, made one with captures again.
fn check_migrated(
    program: &Program,
    config: &Config,
    results: &Results,
    expected: &Expected,
) -> Result<(), Failed> {
    let mode = Mode::Migrated;
    done(results.get(&emit(program, config, mode, "slots"))?)?;
    let mut command = Command::new(&config.oxbow);
    command.args(["opt", "--migrate-slots"]);
    let file = dialect(program, config, mode, "slots");
    let output = changed(program, config, &mut command, &file)?;
    compare(&output, expected)
}

/// What upstream's passes make of the program.
fn check_upstream(
    program: &Program,
    config: &Config,
    results: &Results,
    expected: &Expected,
) -> Result<(), Failed> {
    let plugin = process::run(Command::new(&config.oxbow).arg("test-plugin"), &[])?;
    let plugin = String::from_utf8_lossy(&plugin.stdout).trim().to_string();
    for strategy in strategies(program, config) {
        done(results.get(&emit(program, config, Mode::Upstream, strategy))?)?;
        let mut command = Command::new("mlir-opt-22");
        command.arg(format!("--load-dialect-plugin={plugin}"));
        command.args(["--cse", "--canonicalize", "--symbol-dce", "--inline"]);
        let file = dialect(program, config, Mode::Upstream, strategy);
        let output = changed(program, config, &mut command, &file)?;
        compare(&output, expected)
            .map_err(|it| format!("with `{strategy}`: {}", it.message().unwrap_or("")))?;
    }
    Ok(())
}

/// Runs what a command makes of a program in the dialect.
fn changed(
    program: &Program,
    config: &Config,
    command: &mut Command,
    file: &Path,
) -> Result<Output, Failed> {
    let output = process::run(command.arg(file), &[])?;
    done(&output)?;
    fs::write(file, &output.stdout)?;
    let mut command = Command::new(&config.oxbow);
    command.current_dir(&program.folder).args(["run", "-O0"]).arg(file);
    let output = process::run(&mut command, &program.stdin())?;
    fs::remove_file(file)?;
    Ok(output)
}

/// The executable that `ocamlopt` makes, kept until the sources change.
fn peer(program: &Program, config: &Config) -> Result<PathBuf, Failed> {
    let sources: Vec<PathBuf> = if program.main == "main.ml" {
        entries(&program.folder)
            .into_iter()
            .filter(|it| has_extension(it, "ml") || has_extension(it, "mli"))
            .collect()
    } else {
        vec![program.folder.join(&program.main)]
    };
    let mut hasher = DefaultHasher::new();
    for source in &sources {
        source.file_name().hash(&mut hasher);
        fs::read(source)?.hash(&mut hasher);
    }
    let folder =
        config.scratch.join("peer").join(format!("{}-{:016x}", program.name, hasher.finish()));
    let executable = folder.join("program");
    if executable.exists() {
        return Ok(executable);
    }
    fs::create_dir_all(&folder)?;
    for source in &sources {
        fs::copy(source, folder.join(source.file_name().unwrap_or_default()))?;
    }
    let order = "ocamlopt -w -a -o program.new $(ocamldep -sort *.ml $(ls *.mli 2>/dev/null)) && mv program.new program";
    let output = process::run(Command::new("sh").current_dir(&folder).arg("-c").arg(order), &[])?;
    match output.code()? {
        0 => Ok(executable),
        _ => Err(output.stderr_text().into()),
    }
}

/// The output and exit code that are expected.
fn compare(output: &Output, expected: &Expected) -> Result<(), Failed> {
    let ended = output.code()?;
    let differs = if expected.stdout == output.stdout {
        None
    } else {
        let (old, new) =
            (String::from_utf8_lossy(&expected.stdout), String::from_utf8_lossy(&output.stdout));
        Some(diff(&old, &new).unwrap_or_else(|| "bytes that are no text differ\n".into()))
    };
    let code = expected.code;
    if ended != code {
        let differs = differs.unwrap_or_default();
        return Err(
            format!("exit code {ended}, not {code}\n{differs}{}", output.stderr_text()).into()
        );
    }
    differs.map_or(Ok(()), |it| Err(format!("{it}{}", output.stderr_text()).into()))
}
