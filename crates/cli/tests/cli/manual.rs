//! The manual (`docs/manual`): every example in it is run.
//!
//! A fenced block whose first line names a file, as in ```` ```ocaml hello.ml ````, is that file. A block `console` has
//! commands behind `$ `, each with what it prints below it. `OXBOW_BLESS=1` writes what they print into the manual;
//! read the difference.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn manual() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/manual")
}

/// A fenced block: its first line, its text, and where the text stands in the chapter.
struct Block<'a> {
    info: &'a str,
    text: &'a str,
    start: usize,
}

fn blocks(chapter: &str) -> Vec<Block<'_>> {
    let mut all = Vec::new();
    let mut at = 0;
    let mut open: Option<(&str, usize)> = None;
    for line in chapter.split_inclusive('\n') {
        let info = line.trim_end().strip_prefix("```");
        let behind = at + line.len();
        match (open, info) {
            (None, Some(info)) => open = Some((info, behind)),
            (Some((info, start)), Some("")) => {
                all.push(Block { info, text: &chapter[start..at], start });
                open = None;
            }
            _ => (),
        }
        at = behind;
    }
    assert!(open.is_none(), "a block is not closed: {open:?}");
    all
}

/// What a command of the manual prints, on both outputs, without blanks at the ends of lines. Programs are run without
/// optimisation, which takes a tenth of the time and prints the same.
fn printed(command: &str, folder: &Path) -> String {
    let command = command.replace("oxbow run ", "oxbow run -O0 ");
    let path = Path::new(env!("CARGO_BIN_EXE_oxbow")).parent().expect("a folder");
    let path = format!("{}:/usr/bin:/bin", path.display());
    let output = Command::new("/bin/sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(folder)
        .env("PATH", path)
        .env("LC_ALL", "C")
        .env_remove("OCAMLRUNPARAM")
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.trim_end().lines().map(|it| format!("{}\n", it.trim_end()));
    lines.collect()
}

/// The text of a `console` block, with what its commands print.
fn answered(text: &str, folder: &Path) -> String {
    let mut out = String::new();
    for command in text.lines().filter_map(|it| it.strip_prefix("$ ")) {
        out += &format!("$ {command}\n{}", printed(command, folder));
    }
    out
}

/// Runs a chapter and gives it as it should be.
fn run(name: &str, chapter: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a scratch folder");
    let mut fresh = String::new();
    let mut at = 0;
    let mut written: Vec<&str> = Vec::new();
    let mut commands = String::new();
    for block in blocks(chapter) {
        match block.info.split_once(' ') {
            Some((_, file)) => {
                fs::write(folder.join(file), block.text).expect("a writable folder");
                written.push(file);
            }
            None if block.info == "console" => {
                fresh += &chapter[at..block.start];
                fresh += &answered(block.text, &folder);
                at = block.start + block.text.len();
                commands += block.text;
            }
            None => assert!(
                ["text", "sh"].contains(&block.info),
                "{name}: an example that nobody runs: {}",
                block.info
            ),
        }
    }
    // A file that no command names is one that another takes in.
    for file in written {
        let stem = file.split('.').next().unwrap_or(file);
        assert!(commands.contains(stem) || chapter.matches(stem).count() > 1, "{name}: {file}");
    }
    fresh + &chapter[at..]
}

#[test]
fn the_manual_says_what_happens() {
    let summary = fs::read_to_string(manual().join("SUMMARY.md")).expect("the contents");
    let mut chapters: Vec<PathBuf> = fs::read_dir(manual())
        .expect("the manual")
        .map(|it| it.expect("an entry").path())
        .filter(|it| !it.ends_with("SUMMARY.md"))
        .collect();
    chapters.sort();
    let mut wrong = Vec::new();
    for path in chapters {
        let name = path.file_name().and_then(|it| it.to_str()).expect("a name").to_string();
        assert!(summary.contains(&format!("({name})")), "{name} is not in the contents");
        let chapter = fs::read_to_string(&path).expect("a chapter");
        let fresh = run(&name, &chapter);
        if fresh == chapter {
            continue;
        }
        if std::env::var_os("OXBOW_BLESS").is_some() {
            fs::write(&path, fresh).expect("a writable chapter");
        } else {
            wrong.push(format!("{name}:\n{}", first_difference(&chapter, &fresh)));
        }
    }
    assert!(wrong.is_empty(), "{}\n(OXBOW_BLESS=1 writes what is printed)", wrong.join("\n"));
}

fn first_difference(said: &str, found: &str) -> String {
    let line = said.lines().zip(found.lines()).position(|it| it.0 != it.1);
    let line = line.unwrap_or_else(|| said.lines().count().min(found.lines().count()));
    let near = |it: &str| it.lines().skip(line).take(5).collect::<Vec<_>>().join("\n");
    format!("line {}\n--- the manual\n{}\n--- printed\n{}", line + 1, near(said), near(found))
}
