//! Programs with known output, each run in every way there is.
//!
//! `name.ml`, `name.clef` or `name.esk`, or `name/main.ml` with its modules or `name/main.fidproj`, goes with `name.expected` (the standard output,
//! byte for byte), `name.exit` (the exit code, else 0) and `name.stdin`.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::diff::diff;
use crate::process::{self, Output};
use crate::{Config, entries, has_extension, stem};

pub fn trials(config: &Config) -> Vec<Trial> {
    let programs = config.root.join("tests/programs");
    let mut trials = Vec::new();
    for source in entries(&programs.join("ocaml")) {
        trials.extend(modes(config, "ocaml", &source, &programs.join("ocaml")));
    }
    for source in entries(&programs.join("clef")) {
        trials.extend(modes(config, "clef", &source, &programs.join("clef")));
    }
    for source in entries(&config.root.join("examples/clef")) {
        trials.extend(modes(config, "examples-clef", &source, &programs.join("examples-clef")));
    }
    for source in entries(&config.root.join("examples/ocaml")) {
        trials.extend(modes(config, "examples", &source, &programs.join("examples")));
    }
    for source in entries(&programs.join("ad")) {
        trials.extend(modes(config, "ad", &source, &programs.join("ad")));
    }
    for source in entries(&programs.join("eshkol")) {
        trials.extend(modes(config, "eshkol", &source, &programs.join("eshkol")));
    }
    for source in entries(&config.root.join("examples/eshkol")) {
        trials.extend(modes(config, "eshkol-examples", &source, &programs.join("eshkol-examples")));
    }
    trials
}

/// A way to run a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Interpret(&'static str),
    Jit(&'static str),
    /// With closures represented in another way and memory checked. `slots` may refuse a program;
    /// what it accepts must also survive `opt --migrate-slots`.
    Closures(&'static str),
    /// The dialect's text through upstream's passes and back, with closures of each kind.
    Upstream,
    /// By machine code that finds faults in the use of memory.
    Checked(&'static str),
    Native,
    Peer,
}

impl Mode {
    fn name(self) -> String {
        match self {
            Self::Interpret(phase) => phase.into(),
            Self::Jit(level) => format!("jit{level}"),
            Self::Closures(strategy) => strategy.into(),
            Self::Upstream => "upstream".into(),
            Self::Checked(level) => format!("checked{level}"),
            Self::Native => "native".into(),
            Self::Peer => "peer".into(),
        }
    }
}

fn modes(config: &Config, suite: &str, source: &Path, expected: &Path) -> Vec<Trial> {
    let Some(program) = Program::find(suite, source, expected) else { return Vec::new() };
    let mut modes = vec![Mode::Interpret("poly"), Mode::Interpret("mono")];
    if config.native {
        modes.extend([Mode::Jit("0"), Mode::Jit("3"), Mode::Checked("0"), Mode::Native]);
        modes.extend([Mode::Closures("env"), Mode::Closures("slots"), Mode::Upstream]);
    }
    // The programs of each language go through every way; of its examples a few are enough.
    if suite.contains("examples-") || suite.ends_with("-examples") {
        let kept = [
            Mode::Interpret("mono"),
            Mode::Jit("0"),
            Mode::Checked("0"),
            Mode::Native,
            Mode::Upstream,
        ];
        modes.retain(|it| kept.contains(it));
    }
    // Derivatives exist after the pass that makes them, and nowhere else.
    let has_derivatives = program.has_derivatives();
    modes.retain(|it| !has_derivatives || *it != Mode::Interpret("poly"));
    // The interpreter calls no functions of C.
    let calls_c = program.calls_c();
    modes.retain(|it| !calls_c || !matches!(it, Mode::Interpret(_)));
    // Only OCaml has a peer here.
    if has_extension(Path::new(&program.main), "ml")
        && std::env::var_os("OXBOW_PEER").is_some_and(|it| it == "1")
        && !has_derivatives
    {
        modes.push(Mode::Peer);
    }
    let trial = |mode: Mode| {
        let (config, program) = (config.clone(), program.clone());
        Trial::test(format!("{suite}/{}/{}", program.name, mode.name()), move || {
            program.check(&config, mode)
        })
    };
    modes.into_iter().map(trial).collect()
}

#[derive(Clone)]
struct Program {
    suite: String,
    name: String,
    /// Where the compiler is started, so that messages with the file's name are the same.
    folder: PathBuf,
    main: String,
    /// `expected/name`, to which extensions are added.
    expected: PathBuf,
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

    fn beside(&self, extension: &str) -> PathBuf {
        self.expected.with_extension(extension)
    }

    fn check(&self, config: &Config, mode: Mode) -> Result<(), Failed> {
        let path = self.beside("expected");
        let expected = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let stdin = fs::read(self.beside("stdin")).unwrap_or_default();
        let code: i32 = match fs::read_to_string(self.beside("exit")) {
            Ok(text) => text.trim().parse().map_err(|_| "the .exit file holds no number")?,
            Err(_) => 0,
        };
        if mode == Mode::Closures("slots") {
            let migrated = self.migrated(config, &stdin)?;
            if let Some(output) = migrated {
                compare(&output, &expected, code)
                    .map_err(|it| format!("after migration: {}", it.message().unwrap_or("")))?;
            }
        }
        let output = self.run(config, mode, &stdin)?;
        if mode == Mode::Closures("slots") && output.stderr_text().contains("error[E0950]") {
            return Ok(());
        }
        compare(&output, &expected, code)
    }

    /// Text of the dialect in a file, changed by another program, and run.
    fn through(
        &self,
        config: &Config,
        closures: &str,
        change: impl FnOnce(&Path) -> Command,
        stdin: &[u8],
    ) -> Result<Option<Output>, Failed> {
        let folder = config.scratch.join(&self.suite);
        fs::create_dir_all(&folder)?;
        let file = folder.join(format!("{}.{closures}.mlir", self.name));
        let mut command = Command::new(&config.oxbow);
        command.current_dir(&self.folder).args(["emit", "--stage=ocaml", "-o"]).arg(&file);
        command.arg(format!("--closures={closures}")).arg(&self.main);
        let output = process::run(&mut command, &[])?;
        match output.code()? {
            0 => (),
            1 if output.stderr_text().contains("error[E0950]") => return Ok(None),
            _ => return Err(output.stderr_text().into()),
        }
        let output = process::run(&mut change(&file), &[])?;
        if output.code()? != 0 {
            return Err(output.stderr_text().into());
        }
        fs::write(&file, &output.stdout)?;
        let mut command = Command::new(&config.oxbow);
        command.current_dir(&self.folder).args(["run", "-O0"]).arg(&file);
        let output = process::run(&mut command, stdin)?;
        fs::remove_file(file)?;
        Ok(Some(output))
    }

    /// The program in slots, made one with captures again.
    fn migrated(&self, config: &Config, stdin: &[u8]) -> Result<Option<Output>, Failed> {
        let opt = |file: &Path| {
            let mut command = Command::new(&config.oxbow);
            command.args(["opt", "--migrate-slots"]).arg(file);
            command
        };
        self.through(config, "slots", opt, stdin)
    }

    /// What upstream's passes make of the program.
    fn upstream(&self, config: &Config, stdin: &[u8]) -> Result<Output, Failed> {
        let plugin = process::run(Command::new(&config.oxbow).arg("test-plugin"), &[])?;
        let plugin = String::from_utf8_lossy(&plugin.stdout).trim().to_string();
        let opt = |file: &Path| {
            let mut command = Command::new("mlir-opt-22");
            command.arg(format!("--load-dialect-plugin={plugin}"));
            command.args(["--cse", "--canonicalize", "--symbol-dce", "--inline"]).arg(file);
            command
        };
        let output = self.through(config, "flat", opt, stdin)?;
        let flat = output.ok_or("a program without slots was refused for them")?;
        // What Eshkol makes of a program is large; its closures are those of the others.
        let others: &[&str] = if self.main.ends_with(".esk") { &[] } else { &["env", "slots"] };
        for strategy in others {
            let Some(other) = self.through(config, strategy, opt, stdin)? else { continue };
            if (other.code()?, &other.stdout) != (flat.code()?, &flat.stdout) {
                let text = String::from_utf8_lossy(&other.stdout);
                return Err(format!("through upstream with `{strategy}`:\n{text}").into());
            }
        }
        Ok(flat)
    }

    fn run(&self, config: &Config, mode: Mode, stdin: &[u8]) -> Result<Output, Failed> {
        let mut command = Command::new(&config.oxbow);
        command.current_dir(&self.folder);
        match mode {
            Mode::Interpret(phase) => {
                command.arg("test-interp").arg(format!("--phase={phase}")).arg(&self.main);
            }
            Mode::Jit(level) => {
                command.arg("run").arg(format!("-O{level}")).arg(&self.main);
            }
            Mode::Closures(strategy) => {
                let closures = format!("--closures={strategy}");
                command.args(["run", "-O0", "--check-memory", &closures]).arg(&self.main);
            }
            Mode::Upstream => return self.upstream(config, stdin),
            Mode::Checked(level) => {
                let level = format!("-O{level}");
                command.args(["run", "--check-memory", &level]).arg(&self.main);
            }
            Mode::Native => {
                let folder = config.scratch.join(&self.suite);
                fs::create_dir_all(&folder)?;
                let executable = folder.join(&self.name);
                let output = process::run(
                    command.arg("build").arg(&self.main).arg("-o").arg(&executable),
                    &[],
                )?;
                if output.code()? != 0 {
                    return Err(output.stderr_text().into());
                }
                command = Command::new(&executable);
                command.current_dir(&self.folder);
                let output = process::run(&mut command, stdin)?;
                fs::remove_file(executable)?;
                return Ok(output);
            }
            Mode::Peer => {
                command = Command::new(self.peer(config)?);
                command.current_dir(&self.folder);
            }
        }
        Ok(process::run(&mut command, stdin)?)
    }

    /// The executable that `ocamlopt` makes, kept until the sources change.
    fn peer(&self, config: &Config) -> Result<PathBuf, Failed> {
        let sources: Vec<PathBuf> = if self.main == "main.ml" {
            entries(&self.folder)
                .into_iter()
                .filter(|it| has_extension(it, "ml") || has_extension(it, "mli"))
                .collect()
        } else {
            vec![self.folder.join(&self.main)]
        };
        let mut hasher = DefaultHasher::new();
        for source in &sources {
            source.file_name().hash(&mut hasher);
            fs::read(source)?.hash(&mut hasher);
        }
        let folder =
            config.scratch.join("peer").join(format!("{}-{:016x}", self.name, hasher.finish()));
        let executable = folder.join("program");
        if executable.exists() {
            return Ok(executable);
        }
        fs::create_dir_all(&folder)?;
        for source in &sources {
            fs::copy(source, folder.join(source.file_name().unwrap_or_default()))?;
        }
        let order = "ocamlopt -w -a -o program.new $(ocamldep -sort *.ml $(ls *.mli 2>/dev/null)) && mv program.new program";
        let output =
            process::run(Command::new("sh").current_dir(&folder).arg("-c").arg(order), &[])?;
        match output.code()? {
            0 => Ok(executable),
            _ => Err(output.stderr_text().into()),
        }
    }
}

/// The output and exit code that are expected.
fn compare(output: &Output, expected: &[u8], code: i32) -> Result<(), Failed> {
    let ended = output.code()?;
    let differs = if *expected == output.stdout {
        None
    } else {
        let (old, new) =
            (String::from_utf8_lossy(expected), String::from_utf8_lossy(&output.stdout));
        Some(diff(&old, &new).unwrap_or_else(|| "bytes that are no text differ\n".into()))
    };
    if ended != code {
        let differs = differs.unwrap_or_default();
        return Err(
            format!("exit code {ended}, not {code}\n{differs}{}", output.stderr_text()).into()
        );
    }
    differs.map_or(Ok(()), |it| Err(format!("{it}{}", output.stderr_text()).into()))
}
