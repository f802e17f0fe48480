//! What tests of the command need: a folder of their own, the compiler in it, what it said.
#![allow(dead_code, reason = "not every test needs everything")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty folder for one test of an area.
pub fn scratch(area: &str, name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(area).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a scratch folder");
    path
}

/// The same with a program in it.
pub fn with_program(area: &str, name: &str, file: &str, program: &str) -> PathBuf {
    let path = scratch(area, name);
    fs::write(path.join(file), program).expect("a writable folder");
    path
}

pub fn oxbow(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_oxbow"))
        .args(args)
        .current_dir(folder)
        .env("RUST_BACKTRACE", "0")
        .output()
        .expect("the compiler starts")
}

pub fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
pub fn check_code(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}", err(output));
}
