//! The prompt of Eshkol: a program that evaluates forms (`eshkol.scm`, decision 285). It is built when it is first
//! asked for, beside the compiler, so that it starts at once from then on.
//!
//! ```text
//! input is no terminal    the program takes the place of this process, and reads forms from the input
//! at a terminal           this process has the line editor, and the program reads the terminal for what it evaluates
//!
//!     editor ── "evaluate 7\n(f x)\n…" ──▶ program        the number of characters, and these
//!            ◀── "\n" ───────────────────                  it has been evaluated
//!            ── "complete 3\nstr" ──────▶
//!            ◀── "string\nstring?\n…\n\n" ─
//! ```

use std::fs::File;
use std::io::{BufRead as _, BufReader, IsTerminal as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};

use oxbow_driver::Language;

use super::{Next, Prompt, editor, process};

const PROGRAM: &str = include_str!("eshkol.scm");

/// The executable's name, beside the compiler's.
const NAME: &str = "oxbow-prompt-eshkol";

pub fn run() -> i32 {
    match prompt() {
        Ok(code) => code,
        Err(error) => {
            crate::report::print_error(&format!("error: the prompt does not start: {error}\n"));
            2
        }
    }
}

fn prompt() -> std::io::Result<i32> {
    let compiler = std::env::current_exe()?;
    let built = compiler.with_file_name(NAME);
    let is_new = |it: &Path| Some(changed(it)? >= changed(&compiler)?);
    let is_built = is_new(&built) == Some(true) || build(&compiler, &built)?;
    // Where nothing can be written, or there is no linker, it is compiled each time.
    let source = if is_built { None } else { Some(source()?) };
    let mut command = match &source {
        None => Command::new(&built),
        Some(source) => {
            let mut command = Command::new(&compiler);
            command.arg("run").arg(source);
            command
        }
    };
    let code = if std::io::stdin().is_terminal() {
        Edited::start(command).map(|it| editor::run(Box::new(it), Language::Eshkol))
    } else if is_built {
        Err(command.exec())
    } else {
        command.status().map(code_of)
    };
    if let Some(source) = source {
        let _ = std::fs::remove_file(source);
    }
    code
}

/// The program, which evaluates what is typed in the editor.
struct Edited {
    program: Child,
    /// None when the prompt has ended.
    asked: Option<File>,
    answers: BufReader<File>,
}

impl Edited {
    fn start(mut command: Command) -> std::io::Result<Self> {
        let (forms, asked) = process::pipe()?;
        let (answers, told) = process::pipe()?;
        for file in [&forms, &told] {
            process::keep_open(file)?;
            command.arg(format!("/dev/fd/{}", file.as_raw_fd()));
        }
        let program = command.spawn()?;
        // An interrupt is the program's.
        process::ignore_interrupts();
        Ok(Self { program, asked: Some(asked), answers: BufReader::new(answers) })
    }

    /// The lines of the answer; none if the program has ended.
    fn ask(&mut self, what: &str, text: &str) -> Option<Vec<String>> {
        let asked = self.asked.as_mut()?;
        write!(asked, "{what} {}\n{text}", text.chars().count()).ok()?;
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if self.answers.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let line = line.trim_end_matches('\n');
            if line.is_empty() {
                return Some(lines);
            }
            lines.push(line.to_string());
        }
    }
}

impl Prompt for Edited {
    fn all(&mut self, text: &str) -> Next {
        match self.ask("evaluate", text) {
            Some(_) => Next::Phrase,
            None => Next::Exit(self.end()),
        }
    }

    fn complete(&mut self, text: &str) -> Vec<String> {
        self.ask("complete", text).unwrap_or_default()
    }

    /// The program ends when nothing more can come.
    fn end(&mut self) -> i32 {
        self.asked = None;
        self.program.wait().map_or(2, code_of)
    }
}

impl Drop for Edited {
    fn drop(&mut self) {
        self.end();
    }
}

fn changed(path: &Path) -> Option<std::time::SystemTime> {
    std::fs::metadata(path).and_then(|it| it.modified()).ok()
}

fn source() -> std::io::Result<PathBuf> {
    let path = std::env::temp_dir().join(format!("prompt-{}.scm", std::process::id()));
    std::fs::write(&path, PROGRAM)?;
    Ok(path)
}

/// Whether the program is there now.
fn build(compiler: &Path, built: &Path) -> std::io::Result<bool> {
    let source = source()?;
    let done =
        Command::new(compiler).args(["build", "-O0"]).arg(&source).arg("-o").arg(built).output();
    let _ = std::fs::remove_file(&source);
    Ok(done?.status.success())
}

/// A program that a signal has ended says so by its code, as shells do.
fn code_of(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}
