//! `test-batch`, which the other tests stand on: its commands do what they do alone, and none disturbs another.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{oxbow, with_program};

/// Runs the commands and gives how they ended, in the order of their numbers.
fn batch(folder: &Path, file: &str, limits: &[&str], commands: &[&[&str]]) -> Vec<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_oxbow"))
        .args(["test-batch", "--into", "."])
        .args(limits)
        .arg(file)
        .current_dir(folder)
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the compiler starts");
    let lines: String =
        commands.iter().map(|it| format!("/dev/null\t{}\n", it.join("\t"))).collect();
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("a reader");
    let output = child.wait_with_output().expect("the compiler ends");
    let told = String::from_utf8_lossy(&output.stdout);
    let (times, ends): (Vec<&str>, Vec<&str>) =
        told.lines().partition(|it| it.starts_with("took "));
    assert_eq!(times.len(), commands.len(), "{told}");
    let mut ends: Vec<(usize, String)> = ends
        .into_iter()
        .filter_map(|it| it.split_once(' '))
        .map(|(number, end)| (number.parse().expect("a number"), end.to_string()))
        .collect();
    ends.sort();
    ends.into_iter().map(|it| it.1).collect()
}

/// Each command ends and prints as it does alone.
#[track_caller]
fn same_as_alone(folder: &Path, file: &str, commands: &[&[&str]]) {
    let ends = batch(folder, file, &[], commands);
    assert_eq!(ends.len(), commands.len(), "{ends:?}");
    for (number, (command, end)) in commands.iter().zip(ends).enumerate() {
        let alone = oxbow(folder, command);
        assert_eq!(end, format!("code {}", alone.status.code().unwrap_or(-1)), "{command:?}");
        let read = |ending: &str| fs::read_to_string(folder.join(format!("{number}.{ending}")));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(read("out").expect("its output"), text(&alone.stdout), "{command:?}");
        assert_eq!(read("err").expect("its reports"), text(&alone.stderr), "{command:?}");
    }
}

const PROGRAM: &str = "\
let add k = fun x -> x + k
let first = function x :: _ -> x
let () = print_int (first (List.map (add 3) [ 1; 2 ])); exit 5
";

#[test]
fn commands_about_a_program_are_as_alone() {
    let folder = with_program("batch", "program", "a.ml", PROGRAM);
    let commands: &[&[&str]] = &[
        &["run", "-O0", "a.ml"],
        &["check", "a.ml"],
        &["emit", "--stage=ast", "a.ml"],
        &["emit", "--dump-after=simplify", "--func=first", "a.ml"],
        &["emit", "--dump-after=nothing", "a.ml"],
        &["emit", "--stage=ocaml", "--closures=env", "a.ml"],
        &["test-interp", "--phase=poly", "a.ml"],
        &["test-interp", "--phase=mono", "a.ml"],
        &["check", "--closures=slots", "a.ml"],
        &["explain", "a.ml"],
    ];
    same_as_alone(&folder, "a.ml", commands);
}

#[test]
fn what_cannot_be_prepared_is_reported_by_each() {
    let folder = with_program("batch", "wrong", "a.ml", "let x : int = \"a\"\n");
    same_as_alone(&folder, "a.ml", &[&["check", "a.ml"], &["run", "a.ml"], &["explain", "a.ml"]]);
    same_as_alone(&folder, "b.ml", &[&["check", "b.ml"], &["run", "b.ml"]]);
}

/// More modules are loaded than alone, which nothing but suggestions may tell.
#[test]
fn files_that_share_a_library_are_as_alone() {
    let texts = ["let x = List.map", "let y = (", "let z = 1 + true", "let () = Set.x"];
    let folder = with_program("batch", "library", "0.ml", texts[0]);
    let names: Vec<String> = (0..texts.len()).map(|it| format!("{it}.ml")).collect();
    for (name, text) in names.iter().zip(texts) {
        fs::write(folder.join(name), text).expect("a writable folder");
    }
    let commands: Vec<[&str; 2]> = names.iter().map(|it| ["check", it]).collect();
    let commands: Vec<&[&str]> = commands.iter().map(|it| it.as_slice()).collect();
    same_as_alone(&folder, "any.ml", &commands);
}

#[test]
fn one_that_does_not_end_is_stopped() {
    let program = "\
let rec grow l = grow (String.make 1000000 'a' :: l)
let () = match Sys.argv.(1) with \"loop\" -> while true do () done | _ -> ignore (grow [])
";
    let folder = with_program("batch", "endless", "a.ml", program);
    let commands: &[&[&str]] = &[
        &["run", "-O0", "a.ml", "--", "loop"],
        &["run", "-O0", "a.ml", "--", "grow"],
        &["check", "a.ml"],
    ];
    let ends = batch(&folder, "a.ml", &["--seconds=4", "--memory=600000000"], commands);
    assert_eq!(ends, ["stopped: out of time", "stopped: too much memory", "code 0"]);
}
