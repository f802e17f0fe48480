//! The compiler at another place, as `./x install` puts it: it finds its parts by its own place and needs no checkout.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::scratch;

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

/// What `./x package` makes is unpacked at two places, one after the other, and used from there: examples run and are
/// built in three languages, and the prompt starts.
#[test]
fn a_package_runs_wherever_it_is_unpacked() {
    let folder = scratch("installed", "package");
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pack = Command::new("bash");
    pack.arg("x").arg("pack").arg(&folder).current_dir(&checkout);
    let packed = pack.output().expect("a shell");
    assert!(packed.status.success(), "{packed:?}");
    let name = String::from_utf8_lossy(&packed.stderr).trim().rsplit('/').next().map(str::to_owned);
    let archive = folder.join(name.expect("it says where the file is"));
    let unpacked = Command::new("tar").arg("-xzf").arg(&archive).current_dir(&folder).output();
    assert!(unpacked.expect("tar").status.success());
    fs::remove_file(&archive).expect("the tar file");
    let first = fs::read_dir(&folder).expect("a folder").next().expect("what is unpacked");
    let second = folder.join("with a space");
    fs::rename(first.expect("an entry").path(), &second).expect("it can be moved");
    for (language, file, results) in [
        ("ocaml", "closures.ml", "examples/closures"),
        ("clef", "unions.clef", "examples-clef/unions"),
        ("eshkol", "generators.esk", "eshkol-examples/generators"),
    ] {
        let results = checkout.join("tests/programs").join(format!("{results}.expected"));
        let wanted = fs::read_to_string(&results);
        let wanted = wanted.unwrap_or_else(|error| panic!("{}: {error}", results.display()));
        let example = second.join("share/oxbow/examples").join(language).join(file);
        let oxbow = |args: &[&str]| {
            let mut command = Command::new(second.join("bin/oxbow"));
            command.arg(args[0]).arg(&example).args(&args[1..]).current_dir(&folder).env_clear();
            command.env("PATH", "/usr/local/bin:/usr/bin:/bin").output().expect("it starts")
        };
        let run = oxbow(&["run"]);
        assert_eq!(String::from_utf8_lossy(&run.stdout), wanted, "{language}: {run:?}");
        let build = oxbow(&["build", "-o", "built"]);
        assert!(build.status.success(), "{language}: {build:?}");
        let built = Command::new(folder.join("built")).output().expect("it starts");
        assert_eq!(String::from_utf8_lossy(&built.stdout), wanted, "{language}");
        let mut prompt = Command::new(second.join("bin/oxbow"));
        prompt.args(["repl", &format!("--lang={language}")]).stdin(Stdio::null());
        assert!(prompt.status().expect("it starts").success(), "{language}");
    }
    for part in [
        "share/man/man1/oxbow.1",
        "share/bash-completion/completions/oxbow",
        "share/zsh/site-functions/_oxbow",
        "share/fish/vendor_completions.d/oxbow.fish",
        "share/oxbow/editors/README.md",
        "share/oxbow/lib/ocaml/list.ml",
    ] {
        let size = fs::metadata(second.join(part)).map_or(0, |it| it.len());
        assert!(size > 0, "{part} is missing");
    }
}
