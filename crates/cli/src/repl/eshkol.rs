//! The prompt of Eshkol: a program that evaluates forms (`eshkol.scm`, decision 285). It is built when it is first
//! asked for, beside the compiler, so that it starts at once from then on.

use std::io::IsTerminal as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

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
    let waits = std::io::stdin().is_terminal().then_some("waits");
    if is_new(&built) == Some(true) || build(&compiler, &built)? {
        // The program takes the place of this one, so that an interrupt reaches nobody else.
        return Err(Command::new(&built).args(waits).exec());
    }
    // Where nothing can be written, or there is no linker, it is compiled each time.
    let source = source()?;
    let code = ended(Command::new(&compiler).arg("run").arg(&source).args(waits));
    let _ = std::fs::remove_file(&source);
    code
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

/// Runs a program up to its end.
fn ended(command: &mut Command) -> std::io::Result<i32> {
    // A program that an interrupt has ended says so by its code, as shells do.
    command.status().map(|it| it.code().unwrap_or(130))
}
