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

/// The page in a browser without a window, as it is after its script has run. `place` stands behind the address.
pub fn in_browser(browser: &Path, page: &Path, place: &str) -> String {
    let profile = page.with_extension("profile");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--window-size=1400,900", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}{place}", page.display()))
        .output()
        .expect("the browser starts");
    let _ = fs::remove_dir_all(profile);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The browser that `OXBOW_BROWSER` names, or the distribution's.
pub fn browser() -> Option<PathBuf> {
    let named = std::env::var_os("OXBOW_BROWSER").map(PathBuf::from);
    named.or_else(|| Some(PathBuf::from("/usr/bin/chromium"))).filter(|it| it.is_file())
}
