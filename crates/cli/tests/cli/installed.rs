//! The compiler at another place, as `./x install` puts it: it finds its parts by its own place and needs no checkout.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn runtime() -> PathBuf {
    let compiler = Path::new(env!("CARGO_BIN_EXE_oxbow"));
    let target = compiler.parent().and_then(Path::parent).expect("the folder of what is built");
    target.join("runtime").join("liboxbow_runtime_static.a")
}

struct Prefix(PathBuf);

impl Prefix {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("oxbow-prefix-{}", std::process::id()));
        fs::create_dir_all(path.join("bin")).expect("a folder");
        fs::create_dir_all(path.join("lib/oxbow")).expect("a folder");
        fs::copy(env!("CARGO_BIN_EXE_oxbow"), path.join("bin/oxbow")).expect("the compiler");
        let library = "liboxbow_runtime_static.a";
        fs::copy(runtime(), path.join("lib/oxbow").join(library)).expect("the runtime");
        Self(path)
    }

    fn oxbow(&self, args: &[&str]) -> Output {
        let mut command = Command::new(self.0.join("bin/oxbow"));
        command.args(args).current_dir(&self.0).env_remove("OXBOW_RUNTIME");
        command.output().expect("the compiler starts")
    }
}

impl Drop for Prefix {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn an_installed_compiler_needs_nothing_else() {
    let prefix = Prefix::new();
    fs::write(prefix.0.join("a.ml"), "let () = print_endline \"here\"\n").expect("a program");
    let run = prefix.oxbow(&["run", "a.ml"]);
    assert_eq!(String::from_utf8_lossy(&run.stdout), "here\n", "{run:?}");
    assert!(prefix.0.join("bin/oxbow.ocaml.library").exists(), "the library is kept beside it");
    let build = prefix.oxbow(&["build", "a.ml", "-o", "a"]);
    assert_eq!(build.status.code(), Some(0), "{build:?}");
    let built = Command::new(prefix.0.join("a")).output().expect("the program starts");
    assert_eq!(String::from_utf8_lossy(&built.stdout), "here\n");
}

/// The version names the commit, where there is one.
#[test]
fn the_version_names_the_commit() {
    let output = Command::new(env!("CARGO_BIN_EXE_oxbow")).arg("--version").output();
    let text = String::from_utf8(output.expect("the compiler starts").stdout).expect("text");
    assert!(text.starts_with(concat!("oxbow ", env!("CARGO_PKG_VERSION"))), "{text}");
    let commit = Command::new("git").args(["rev-parse", "--short", "HEAD"]).output();
    if commit.is_ok_and(|it| it.status.success()) {
        let words: Vec<&str> = text.split_whitespace().collect();
        assert!(words.len() == 4 && words[2].starts_with('('), "{text}");
    }
}

#[test]
fn shells_and_man_are_served() {
    let made = |what: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_oxbow")).args(["generate", what]).output();
        String::from_utf8(output.expect("the compiler starts").stdout).expect("text")
    };
    assert!(made("man").contains(".TH oxbow 1"));
    for shell in ["bash", "zsh", "fish"] {
        let text = made(shell);
        assert!(text.contains("oxbow") && text.contains("repl"), "{shell}: {text}");
    }
}
