//! The version with the commit that the compiler is made of, for `oxbow --version`; and the C library's mathematical
//! functions, linked before Rust's own versions of some of them, whose `cbrt` gives other last digits: the reference
//! interpreter must count as compiled programs do.

use std::path::Path;
use std::process::Command;

fn main() {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_string()).filter(|it| !it.is_empty())
    };
    let version = env!("CARGO_PKG_VERSION");
    let version = match git(&["log", "-1", "--format=%h %cs"]).and_then(|it| {
        it.split_once(' ').map(|(commit, date)| format!("{version} ({commit} {date})"))
    }) {
        Some(version) => version,
        None => version.to_string(),
    };
    println!("cargo::rustc-link-lib=m");
    println!("cargo::rustc-env=OXBOW_VERSION={version}");
    // The head of a branch changes with each commit; the log of the head does, whatever the branch.
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--path-format=absolute", "--git-path", file])
            && Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
}
