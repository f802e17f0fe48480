//! Golden files: a program and the dumps, output or diagnostics expected of it.
//!
//! The first block is the program, of the kind `ocaml` or `eshkol`. Further blocks with `file=` are other files of it, and `stdin`
//! is its input. The rest is expected:
//!
//! | block | compared with |
//! |---|---|
//! | `ast` | the surface tree of the main file |
//! | `psg after=PASS func=NAME` | the graph after a pass (without: after the last), one function of it |
//! | `mlir after=lower\|counted\|llvm func=NAME op=OP` | the module in the `ocaml` or `llvm` dialect, a part of it |
//! | `llvm func=NAME` | LLVM's text |
//! | `explain form=text\|json` | what `oxbow explain` says of it |
//! | `stdout`, `stderr`, `exit` | what running it gives; without `exit` it must end with 0 |
//! | `diagnostics` | what checking it reports |
//!
//! A program may be a module of MLIR: its block is `mlir`. A dump of a stage after `lower` may say
//! `closures=STRATEGY`; `after=opt flags=--FLAG,…` is what `oxbow opt` makes of the module.
//!
//! Before the first block, `flags: -O3` gives flags to the compiler, `closures: env slots` names
//! strategies under which it must print the same, and `covers: C7, F3` names requirements. Running is by machine code where the compiler has a back end, else interpreted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::diff::diff;
use crate::markdown::{Document, Fence};
use crate::process::{self, Output};
use crate::{Config, dump, entries, has_extension, stem};

pub fn trials(config: &Config) -> Vec<Trial> {
    let mut trials = Vec::new();
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
    ran: Option<Output>,
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
        let flags = document.header("flags").into_iter().map(String::from).collect();
        Ok(Self { config, file, document, folder, main, stdin, flags, ran: None })
    }

    fn check(mut self) -> Result<(), Failed> {
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
        let mut actual = Vec::new();
        for fence in &expected {
            actual.push(self.actual(fence)?);
        }
        let kinds: Vec<&str> = expected.iter().map(Fence::kind).collect();
        if kinds.contains(&"stdout") && !kinds.contains(&"exit") {
            let ran = self.run()?;
            let code = ran.code()?;
            if code != 0 {
                return Err(format!("the program ended with {code}\n{}", ran.stderr_text()).into());
            }
        }
        self.check_strategies()?;
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

    /// The program does the same however closures are represented.
    fn check_strategies(&mut self) -> Result<(), Failed> {
        let strategies: Vec<String> =
            self.document.header("closures").into_iter().map(String::from).collect();
        if strategies.is_empty() || !self.config.native {
            return Ok(());
        }
        let ran = self.run()?;
        let (stdout, code) = (ran.stdout.clone(), ran.code()?);
        for strategy in strategies {
            let mut command = self.command("run");
            command.arg(format!("--closures={strategy}")).arg(&self.main);
            let output = process::run(&mut command, self.stdin.as_bytes())?;
            if output.stdout != stdout || output.code()? != code {
                let text = diff(&lossy(&stdout), &lossy(&output.stdout)).unwrap_or_default();
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

    /// What a block should hold, ending in a line break.
    fn actual(&mut self, fence: &Fence) -> Result<String, Failed> {
        let text = match fence.kind() {
            "stdin" => fence.body.clone(),
            "ast" => self.emit("ast", fence)?,
            "psg" => self.emit("psg", fence)?,
            "mlir" => match fence.attribute("after") {
                None | Some("lower") => self.emit("ocaml", fence)?,
                Some("llvm") => self.emit("llvm-dialect", fence)?,
                Some("lowered") => self.emit("lowered", fence)?,
                Some("counted") => self.emit("counted", fence)?,
                Some("opt") => self.emit("opt", fence)?,
                Some(pass) => return Err(format!("no dump of MLIR after `{pass}`").into()),
            },
            "llvm" => self.emit("llvm", fence)?,
            "explain" => self.explain(fence)?,
            "stdout" => lossy(&self.run()?.stdout),
            "stderr" => lossy(&self.run()?.stderr),
            "exit" => format!("{}", self.run()?.code()?),
            "diagnostics" => self.diagnostics()?,
            kind => return Err(format!("nothing is known about blocks `{kind}`").into()),
        };
        Ok(if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" })
    }

    fn command(&self, subcommand: &str) -> Command {
        let mut command = Command::new(&self.config.oxbow);
        command.current_dir(&self.folder).arg(subcommand).args(&self.flags);
        command
    }

    fn emit(&self, stage: &str, fence: &Fence) -> Result<String, Failed> {
        let mut command = self.command(if stage == "opt" { "opt" } else { "emit" });
        if stage != "opt" {
            command.arg(format!("--stage={stage}"));
        }
        command.args(fence.attribute("flags").into_iter().flat_map(|it| it.split(',')));
        command.args(fence.attribute("closures").map(|it| format!("--closures={it}")));
        let func = fence.attribute("func");
        if stage == "psg" {
            command.args(fence.attribute("after").map(|it| format!("--dump-after={it}")));
            command.args(func.map(|it| format!("--func={it}")));
        }
        let output = process::run(command.arg(&self.main), &[])?;
        if output.code()? != 0 {
            return Err(
                format!("`{}` cannot be made:\n{}", fence.info, output.stderr_text()).into()
            );
        }
        let mut text = lossy(&output.stdout);
        if let Some(func) = func.filter(|_| stage != "psg") {
            text = dump::function(&text, func);
        }
        if let Some(op) = fence.attribute("op") {
            text = dump::op_lines(&text, op);
        }
        Ok(text)
    }

    fn explain(&self, fence: &Fence) -> Result<String, Failed> {
        let mut command = self.command("explain");
        command.args((fence.attribute("form") == Some("json")).then_some("--json"));
        let output = process::run(command.arg(&self.main), &[])?;
        match output.code()? {
            0 => Ok(lossy(&output.stdout)),
            code => Err(format!("explain ended with {code}\n{}", output.stderr_text()).into()),
        }
    }

    fn diagnostics(&self) -> Result<String, Failed> {
        let output = process::run(self.command("check").arg(&self.main), &[])?;
        let text = output.stderr_text();
        match output.code()? {
            0 | 1 => Ok(text.trim_end().to_string()),
            code => Err(format!("the compiler ended with {code}\n{text}").into()),
        }
    }

    fn run(&mut self) -> Result<&Output, Failed> {
        if self.ran.is_none() {
            let mut command = if self.config.native {
                self.command("run")
            } else {
                let mut command = self.command("test-interp");
                command.arg("--phase=mono");
                command
            };
            self.ran = Some(process::run(command.arg(&self.main), self.stdin.as_bytes())?);
        }
        self.ran.as_ref().ok_or_else(|| "the program was not run".into())
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
