//! Golden files: a program and the dumps, output or diagnostics expected of it.
//!
//! The first block is the program, of the kind `ocaml` or `eshkol`. Further blocks with `file=` are other files of it,
//! and `stdin` is its input. The rest is expected:
//!
//! | block | compared with |
//! |---|---|
//! | `ast` | the surface tree of the main file |
//! | `psg after=PASS func=NAME` | the graph after a pass (without: after the last), one function of it |
//! | `mlir after=lower\|counted\|planned\|llvm func=NAME op=OP` | the module in the `ocaml` or `llvm` dialect, a part
//! of it |
//! | `llvm func=NAME` | LLVM's text |
//! | `explain form=text\|json` | what `oxbow explain` says of it |
//! | `stdout`, `stderr`, `exit` | what running it gives; without `exit` it must end with 0 |
//! | `diagnostics` | what checking it reports |
//!
//! A program may be a module of MLIR: its block is `mlir`. A dump may say
//! `closures=STRATEGY`, else it is made with flat closures; `after=opt flags=--FLAG,…` is what `oxbow opt` makes of the
//! module.
//!
//! Before the first block, `flags: -O3` gives flags to the compiler, `closures: env slots` names
//! strategies under which it must print the same, and `covers: C7, F3` names requirements. Running is by machine code
//! where the compiler has a back end, else interpreted.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};

use crate::batch::{Batch, Results};
use crate::diff::diff;
use crate::markdown::{Document, Fence};
use crate::mode::hash;
use crate::process::Output;
use crate::{Config, dump, entries, has_extension, stem};

pub fn trials(config: &Config) -> Vec<Trial> {
    let mut trials = Vec::new();
    // A page for newcomers whose dumps are kept true.
    let walk = config.root.join("docs/walk.md");
    let shared = config.clone();
    trials.push(Trial::test("golden/docs/walk", move || {
        Case::new(&shared, "golden/docs/walk", &walk)?.check()
    }));
    for area in entries(&config.root.join("tests/golden")).iter().filter(|it| it.is_dir()) {
        for file in entries(area).into_iter().filter(|it| has_extension(it, "md")) {
            let name = format!("golden/{}/{}", stem(area), stem(&file));
            let config = config.clone();
            trials
                .push(Trial::test(name.clone(), move || Case::new(&config, &name, &file)?.check()));
        }
    }
    trials
}

struct Case<'a> {
    config: &'a Config,
    file: &'a Path,
    document: Document,
    /// Where the program's files are.
    folder: PathBuf,
    main: String,
    stdin: String,
    flags: Vec<String>,
    /// Strategies under which it must do the same.
    strategies: Vec<String>,
    /// The level for LLVM, where the file leaves it open and the program does not run as it does for users.
    level: Option<&'static str>,
}

impl<'a> Case<'a> {
    fn new(config: &'a Config, name: &str, file: &'a Path) -> Result<Self, Failed> {
        let document = Document::parse(&fs::read_to_string(file)?)?;
        let folder = config.scratch.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let mut main = String::new();
        let mut stdin = String::new();
        for (index, fence) in document.fences().enumerate() {
            let source = fence.attribute("file");
            if index == 0 && !matches!(fence.kind(), "ocaml" | "mlir" | "clef" | "toml" | "eshkol")
            {
                return Err(format!("the first block is `{}`, not a program", fence.kind()).into());
            }
            if index == 0 {
                let usual = match fence.kind() {
                    "mlir" => "main.mlir",
                    "clef" => "main.clef",
                    "eshkol" => "main.esk",
                    "toml" => "main.fidproj",
                    _ => "main.ml",
                };
                main = source.unwrap_or(usual).to_string();
            }
            if index == 0 || source.is_some() {
                fs::write(folder.join(source.unwrap_or(&main)), &fence.body)?;
            }
            if fence.kind() == "stdin" {
                stdin = fence.body.clone();
            }
        }
        if main.is_empty() {
            return Err("there is no program".into());
        }
        let flags: Vec<String> = document.header("flags").into_iter().map(String::from).collect();
        let strategies = document.header("closures").into_iter().map(String::from).collect();
        // Every second is optimised: what a file shows is seldom LLVM's work, and that is half of its time.
        let is_open = flags.iter().all(|it| !it.starts_with("-O") && it != "-g");
        let is_plain = is_open && !config.all && hash(name, "level").is_multiple_of(2);
        let level = is_plain.then_some("-O0");
        Ok(Self { config, file, document, folder, main, stdin, flags, strategies, level })
    }

    fn check(self) -> Result<(), Failed> {
        let expected: Vec<Fence> = self
            .document
            .fences()
            .skip(1)
            .filter(|it| it.attribute("file").is_none())
            .cloned()
            .collect();
        if expected.is_empty() {
            return Err("nothing is expected: a test that cannot fail".into());
        }
        let results = self.results(&expected)?;
        let mut actual = Vec::new();
        for fence in &expected {
            actual.push(self.actual(fence, &results)?);
        }
        let kinds: Vec<&str> = expected.iter().map(Fence::kind).collect();
        if kinds.contains(&"stdout") && !kinds.contains(&"exit") {
            let ran = results.get(&self.run(None))?;
            let code = ran.code()?;
            if code != 0 {
                return Err(format!("the program ended with {code}\n{}", ran.stderr_text()).into());
            }
        }
        self.check_strategies(&results)?;
        if std::env::var_os("OXBOW_BLESS").is_some_and(|it| it == "1") {
            return self.bless(&actual);
        }
        let mut faults = String::new();
        for (fence, actual) in expected.iter().zip(&actual) {
            if let Some(text) = diff(&fence.body, actual) {
                faults += &format!("```{}\n{text}", fence.info);
            }
        }
        if faults.is_empty() {
            Ok(())
        } else {
            Err(format!("{}\n{faults}", self.file.display()).into())
        }
    }

    /// Runs all that the blocks need.
    fn results(&self, expected: &[Fence]) -> Result<Results, Failed> {
        let mut batch = Batch::default();
        for fence in expected {
            if let Some(command) = self.command(fence)? {
                let stdin = if is_run(fence) { self.stdin.as_bytes() } else { &[] };
                batch.add(command, stdin);
            }
        }
        if self.config.native && !self.strategies.is_empty() {
            batch.add(self.run(None), self.stdin.as_bytes());
            for strategy in &self.strategies {
                batch.add(self.run(Some(strategy)), self.stdin.as_bytes());
            }
        }
        let scratch = self.folder.with_extension("batch");
        Ok(batch.run(self.config, &self.folder, &self.main, &scratch)?)
    }

    /// The program does the same however closures are represented.
    fn check_strategies(&self, results: &Results) -> Result<(), Failed> {
        if self.strategies.is_empty() || !self.config.native {
            return Ok(());
        }
        let ran = results.get(&self.run(None))?;
        for strategy in &self.strategies {
            let output = results.get(&self.run(Some(strategy)))?;
            if output.stdout != ran.stdout || output.code()? != ran.code()? {
                let text = diff(&lossy(&ran.stdout), &lossy(&output.stdout)).unwrap_or_default();
                let stderr = output.stderr_text();
                return Err(format!("with --closures={strategy}:\n{text}{stderr}").into());
            }
        }
        Ok(())
    }

    fn bless(mut self, actual: &[String]) -> Result<(), Failed> {
        let before = self.document.text();
        let expected =
            self.document.fences_mut().skip(1).filter(|it| it.attribute("file").is_none());
        for (fence, actual) in expected.zip(actual) {
            fence.body.clone_from(actual);
        }
        let after = self.document.text();
        if before != after {
            fs::write(self.file, after)?;
        }
        Ok(())
    }

    /// The command whose output a block holds, if it is one's.
    fn command(&self, fence: &Fence) -> Result<Option<Vec<String>>, Failed> {
        Ok(Some(match fence.kind() {
            "stdin" => return Ok(None),
            "ast" | "psg" | "mlir" | "llvm" => self.emit(stage(fence)?, fence),
            "explain" => {
                let json = (fence.attribute("form") == Some("json")).then_some("--json");
                self.arguments("explain", json.map(String::from))
            }
            _ if is_run(fence) => self.run(None),
            "diagnostics" => self.arguments("check", None),
            kind => return Err(format!("nothing is known about blocks `{kind}`").into()),
        }))
    }

    /// What a block should hold, ending in a line break.
    fn actual(&self, fence: &Fence, results: &Results) -> Result<String, Failed> {
        let Some(command) = self.command(fence)? else { return Ok(fence.body.clone()) };
        let output = results.get(&command)?;
        let text = match fence.kind() {
            "stdout" => lossy(&output.stdout),
            "stderr" => lossy(&output.stderr),
            "exit" => format!("{}", output.code()?),
            "diagnostics" => diagnostics(output)?,
            _ => dumped(fence, output)?,
        };
        Ok(if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" })
    }

    fn arguments(&self, subcommand: &str, more: impl IntoIterator<Item = String>) -> Vec<String> {
        let flags: Vec<String> = self.flags.iter().cloned().chain(more).collect();
        // A dump shows the documented layout unless the file asks for another.
        let is_dump = matches!(subcommand, "emit" | "explain");
        let is_plain = is_dump && !flags.iter().any(|it| it.starts_with("--closures"));
        let flat = is_plain.then(|| "--closures=flat".to_string());
        let flags = flat.into_iter().chain(flags);
        [subcommand.to_string()].into_iter().chain(flags).chain([self.main.clone()]).collect()
    }

    fn emit(&self, stage: &str, fence: &Fence) -> Vec<String> {
        let mut more = Vec::new();
        if stage != "opt" {
            more.push(format!("--stage={stage}"));
        }
        let flags = fence.attribute("flags").into_iter().flat_map(|it| it.split(','));
        more.extend(flags.map(String::from));
        more.extend(fence.attribute("closures").map(|it| format!("--closures={it}")));
        if stage == "psg" {
            more.extend(fence.attribute("after").map(|it| format!("--dump-after={it}")));
            more.extend(fence.attribute("func").map(|it| format!("--func={it}")));
        }
        self.arguments(if stage == "opt" { "opt" } else { "emit" }, more)
    }

    /// The program as users run it, or with closures represented in another way; how hard LLVM works has nothing
    /// to do with that.
    fn run(&self, strategy: Option<&str>) -> Vec<String> {
        let level = strategy.map_or(self.level, |_| Some("-O0"));
        let strategy = strategy.map(|it| format!("--closures={it}"));
        match self.config.native {
            true => self.arguments("run", strategy.into_iter().chain(level.map(String::from))),
            false => self.arguments("test-interp", ["--phase=mono".to_string()]),
        }
    }
}

/// Whether a block holds something of the program's run.
fn is_run(fence: &Fence) -> bool {
    ["stdout", "stderr", "exit"].contains(&fence.kind())
}

/// The stage whose dump a block holds.
fn stage(fence: &Fence) -> Result<&'static str, Failed> {
    Ok(match (fence.kind(), fence.attribute("after")) {
        ("ast", _) => "ast",
        ("psg", _) => "psg",
        ("llvm", _) => "llvm",
        (_, None | Some("lower")) => "ocaml",
        (_, Some("llvm")) => "llvm-dialect",
        (_, Some("lowered")) => "lowered",
        (_, Some("counted")) => "counted",
        (_, Some("planned")) => "planned",
        (_, Some("opt")) => "opt",
        (_, Some(pass)) => return Err(format!("no dump of MLIR after `{pass}`").into()),
    })
}

/// The part of a dump or explanation that a block holds.
fn dumped(fence: &Fence, output: &Output) -> Result<String, Failed> {
    let code = output.code()?;
    if code != 0 {
        let stderr = output.stderr_text();
        return Err(format!("`{}` ended with {code}:\n{stderr}", fence.info).into());
    }
    let mut text = lossy(&output.stdout);
    if fence.kind() == "explain" {
        return Ok(text);
    }
    if let Some(func) = fence.attribute("func").filter(|_| fence.kind() != "psg") {
        text = dump::function(&text, func);
        if text.is_empty() {
            return Err(format!("`{}`: the dump has no such function", fence.info).into());
        }
    }
    if let Some(op) = fence.attribute("op") {
        text = dump::op_lines(&text, op);
    }
    Ok(text)
}

fn diagnostics(output: &Output) -> Result<String, Failed> {
    let text = output.stderr_text();
    match output.code()? {
        0 | 1 => Ok(text.trim_end().to_string()),
        code => Err(format!("the compiler ended with {code}\n{text}").into()),
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
