//! Commands about one program. `oxbow test-batch` compiles what they have in common once and runs each in a fork of
//! its process, so a crash or an endless loop still ends one command only.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Config;
use crate::process::{self, End, Output};

/// The variable that names the file for how long commands take.
const TIMES: &str = "OXBOW_TEST_TIMES";

/// What is to be run; adding a command twice runs it once.
#[derive(Default)]
pub struct Batch {
    commands: Vec<(Vec<String>, Vec<u8>)>,
}

/// What came of it.
pub struct Results {
    all: Vec<(Vec<String>, Output)>,
}

impl Results {
    pub fn get(&self, arguments: &[String]) -> Result<&Output, String> {
        let found = self.all.iter().find(|it| it.0 == arguments);
        found.map(|it| &it.1).ok_or_else(|| format!("`oxbow {}` was not run", arguments.join(" ")))
    }
}

impl Batch {
    pub fn add(&mut self, arguments: Vec<String>, stdin: &[u8]) {
        if self.commands.iter().all(|it| it.0 != arguments) {
            self.commands.push((arguments, stdin.to_vec()));
        }
    }

    /// Runs the commands about `file` in `folder`; `scratch` is a folder that nothing else uses.
    pub fn run(
        self,
        config: &Config,
        folder: &Path,
        file: &str,
        scratch: &Path,
    ) -> Result<Results, String> {
        // One command has nothing to share.
        if let [(arguments, stdin)] = self.commands.as_slice()
            && std::env::var_os(TIMES).is_none()
        {
            let mut command = Command::new(&config.oxbow);
            let output = process::run(command.current_dir(folder).args(arguments), stdin)?;
            return Ok(Results { all: vec![(arguments.clone(), output)] });
        }
        if scratch.exists() {
            fs::remove_dir_all(scratch).map_err(|error| error.to_string())?;
        }
        fs::create_dir_all(scratch).map_err(|error| error.to_string())?;
        let mut lines = String::new();
        for (number, (arguments, stdin)) in self.commands.iter().enumerate() {
            let input = scratch.join(format!("{number}.in"));
            fs::write(&input, stdin).map_err(|error| error.to_string())?;
            lines += &format!("{}\t{}\n", input.display(), arguments.join("\t"));
        }
        let limit = process::time_limit();
        let mut command = Command::new(&config.oxbow);
        command.current_dir(folder).args(["test-batch", "--into"]).arg(scratch);
        command.arg(format!("--seconds={}", limit.as_secs())).arg(file);
        let most = limit * (1 + self.commands.len() as u32);
        let told = process::run_within(&mut command, lines.as_bytes(), most)?;
        let results = self.results(&told, scratch)?;
        fs::remove_dir_all(scratch).map_err(|error| error.to_string())?;
        Ok(results)
    }

    /// Appends how many seconds of the processor each command took, where somebody asks for it.
    fn note_times(&self, told: &str, scratch: &Path) -> Result<(), String> {
        let Some(path) = std::env::var_os(TIMES) else { return Ok(()) };
        let mut lines = String::new();
        for (number, (arguments, _)) in self.commands.iter().enumerate() {
            let prefix = format!("took {number} ");
            if let Some(seconds) = told.lines().find_map(|it| it.strip_prefix(&prefix)) {
                lines += &format!("{seconds} {} {}\n", scratch.display(), arguments.join(" "));
            }
        }
        let file = fs::OpenOptions::new().create(true).append(true).open(path);
        file.and_then(|mut it| it.write_all(lines.as_bytes())).map_err(|error| error.to_string())
    }

    /// Reads what the commands wrote, and how they ended: `3 code 0`.
    fn results(self, told: &Output, scratch: &Path) -> Result<Results, String> {
        let text = String::from_utf8_lossy(&told.stdout);
        let mut all = Vec::new();
        self.note_times(&text, scratch)?;
        for (number, (arguments, _)) in self.commands.into_iter().enumerate() {
            let prefix = format!("{number} ");
            let end = match text.lines().find_map(|it| it.strip_prefix(&prefix)) {
                Some(end) => end_of(end)?,
                None => {
                    let shown = arguments.join(" ");
                    let end = told.code().map_or_else(|it| it, |it| format!("code {it}"));
                    let stderr = told.stderr_text();
                    return Err(format!(
                        "before `oxbow {shown}`, the batch ended: {end}\n{stderr}"
                    ));
                }
            };
            let read = |ending: &str| {
                let path: PathBuf = scratch.join(format!("{number}.{ending}"));
                fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
            };
            let output = Output { stdout: read("out")?, stderr: read("err")?, end };
            all.push((arguments, output));
        }
        Ok(Results { all })
    }
}

fn end_of(text: &str) -> Result<End, String> {
    if let Some(why) = text.strip_prefix("stopped: ") {
        return Ok(End::Stopped(why.into()));
    }
    let number = |it: &str| it.parse::<i32>().ok();
    let code = text.strip_prefix("code ").and_then(number).map(End::Code);
    let signal = || text.strip_prefix("signal ").and_then(number).map(End::Signal);
    code.or_else(signal).ok_or_else(|| format!("`{text}` is no end of a command"))
}
