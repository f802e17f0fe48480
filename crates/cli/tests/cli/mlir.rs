//! Programs written in the `ocaml` dialect: the commands that take them, and inputs that are broken.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::common::{oxbow, scratch};

const ADDER: &str = r#"
ocaml.global private thread_local @closure_1__k : i64
ocaml.func @add(%x: i64) -> i64 {
  %k = ocaml.global_load @closure_1__k : i64
  %r = arith.addi %x, %k : i64
  ocaml.return %r : i64
}
ocaml.func @make(%k: i64) -> !ocaml.closure<(i64) -> i64> {
  ocaml.global_store %k to @closure_1__k : i64
  %f = ocaml.make_closure @add() in "static" : () -> !ocaml.closure<(i64) -> i64>
  ocaml.return %f : !ocaml.closure<(i64) -> i64>
}
ocaml.func @mul(%x: i64, %p: tuple<i64, f64>) -> (i64, !ocaml.exn) captures("k": i64, "s": !ocaml.string) {
  %k = ocaml.env.get %env[0] -> i64
  %s = ocaml.env.get %env[1] -> !ocaml.string
  %n = ocaml.string.length %s
  %a = ocaml.pair.get %p[0] : tuple<i64, f64> -> i64
  %b = arith.muli %a, %k : i64
  %c = arith.addi %b, %n : i64
  %big = arith.cmpi sgt, %x, %c : i64
  cf.cond_br %big, ^fail, ^done(%c : i64)
^done(%r: i64):
  ocaml.return %r : i64
^fail:
  %e = ocaml.exn.new @Too_big(%x) : (i64) -> !ocaml.exn
  ocaml.raise %e
}
ocaml.exception @Too_big "Too_big" [i64]
ocaml.func @print(%n: i64) -> i1 {
  %format = ocaml.string.const "%d"
  %text = ocaml.runtime.call @oxbow_format_int(%format, %n) : (!ocaml.string, i64) -> !ocaml.string
  %out = arith.constant 1 : i64
  %start = arith.constant 0 : i64
  %length = ocaml.string.length %text
  %written = ocaml.runtime.call @oxbow_io_write(%out, %text, %start, %length) : (i64, !ocaml.string, i64, i64) -> i64
  %done = arith.constant false
  ocaml.return %done : i1
}
ocaml.func @oxbow_program_main() -> i1 attributes {exported} {
  %c = arith.constant 4 : i64
  %h = arith.constant 5.0 : f64
  %s = ocaml.string.const "abc"
  %f = ocaml.call @make(%c) : (i64) -> !ocaml.closure<(i64) -> i64>
  %v, %e = ocaml.invoke %f(%c) : !ocaml.closure<(i64) -> i64>, (i64) -> (i64, !ocaml.exn)
  %0 = ocaml.call @print(%v) : (i64) -> i1
  %p = ocaml.pair.new %v, %h : tuple<i64, f64>
  %env = ocaml.env.new
  %env1 = ocaml.env.capture %c in %env : i64
  %env2 = ocaml.env.capture %s in %env1 : !ocaml.string
  %g = ocaml.closure @mul with %env2 : !ocaml.closure<(i64, tuple<i64, f64>) -> i64>
  %w, %x = ocaml.invoke %g(%c, %p) : !ocaml.closure<(i64, tuple<i64, f64>) -> i64>, (i64, tuple<i64, f64>) -> (i64, !ocaml.exn)
  %1 = ocaml.call @print(%w) : (i64) -> i1
  ocaml.return %1 : i1
}
"#;

fn folder(name: &str) -> PathBuf {
    scratch("mlir", name)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn gives(output: &Output, code: i32) -> (String, String) {
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{err}");
    (out, err)
}

/// covers: G11, E3, E4
#[test]
fn a_module_runs_and_is_built() {
    let folder = folder("run");
    fs::write(folder.join("a.mlir"), ADDER).expect("a file");
    for strategy in ["flat", "env", "slots"] {
        let closures = format!("--closures={strategy}");
        for level in ["-O0", "-O3"] {
            let (out, _) = gives(&oxbow(&folder, &["run", &closures, level, "a.mlir"]), 0);
            assert_eq!(out, "835", "{closures}");
        }
        gives(&oxbow(&folder, &["build", &closures, "a.mlir", "-o", "a"]), 0);
        let output = Command::new(folder.join("a")).output().expect("it runs");
        assert_eq!(gives(&output, 0).0, "835");
    }
}

/// Thread-local variables are those of the machine.
/// covers: G11
#[test]
fn slots_in_thread_local_storage() {
    let folder = folder("tls");
    let program = "let () =
  let k = Sys.opaque_identity 4 in
  let f = Sys.opaque_identity (fun x -> x * k) in
  print_int (f 10)\n";
    fs::write(folder.join("a.ml"), program).expect("a file");
    let flags = ["--closures=slots", "--thread-local", "a.ml"];
    let with = |first: &[&'static str]| [first, &flags].concat();
    let (asm, _) = gives(&oxbow(&folder, &with(&["emit", "--stage=asm"])), 0);
    let local = ["oxbow.var.closure_1__k@TPOFF", "oxbow.var.closure_1__k@TLSLD"];
    assert!(local.iter().any(|it| asm.contains(it)), "no thread-local variable");
    gives(&oxbow(&folder, &with(&["build", "-o", "a"])), 0);
    let output = Command::new(folder.join("a")).output().expect("it runs");
    assert_eq!(gives(&output, 0).0, "40");
    assert_eq!(gives(&oxbow(&folder, &with(&["run"])), 0).0, "40");
}

/// A small loop that calls a closure lies in one cache line, wherever the function around it begins.
#[test]
#[cfg(target_arch = "x86_64")]
fn small_loops_begin_at_32_bytes() {
    let folder = folder("loops");
    let program = "let () =
  let f = Sys.opaque_identity (fun x -> x * 3) in
  let acc = ref 1 in
  for i = 1 to 10 do acc := f (!acc + i) done;
  print_int !acc\n";
    fs::write(folder.join("a.ml"), program).expect("a file");
    let (asm, _) = gives(&oxbow(&folder, &["emit", "--stage=asm", "-O3", "a.ml"]), 0);
    assert!(
        asm.lines().any(|line| line.trim().starts_with(".p2align\t5")),
        "no loop at a border of 32 bytes"
    );
}

#[test]
fn what_does_not_fit_together_is_said() {
    let folder = folder("misuse");
    let part = ADDER.split("ocaml.func @oxbow_program_main").next().unwrap_or_default();
    fs::write(folder.join("part.mlir"), part).expect("a file");
    fs::write(folder.join("a.mlir"), ADDER).expect("a file");
    fs::write(folder.join("a.ml"), "let () = ()").expect("a file");
    let (_, err) = gives(&oxbow(&folder, &["run", "part.mlir"]), 1);
    assert!(err.contains("E0302") && err.contains("nothing to run"), "{err}");
    gives(&oxbow(&folder, &["opt", "part.mlir"]), 0);
    gives(&oxbow(&folder, &["check", "part.mlir"]), 0);
    gives(&oxbow(&folder, &["opt", "a.ml"]), 2);
    gives(&oxbow(&folder, &["emit", "--stage=psg", "a.mlir"]), 2);
    gives(&oxbow(&folder, &["run", "missing.mlir"]), 2);
}

/// Captures, slots, captures again; each runs, and nothing is left of the slots.
/// covers: G13
#[test]
fn slots_and_back() {
    let folder = folder("migrate");
    fs::write(folder.join("a.mlir"), ADDER).expect("a file");
    let run = ["opt", "--represent", "--closures=slots", "a.mlir", "-o", "slots.mlir"];
    gives(&oxbow(&folder, &run), 0);
    gives(&oxbow(&folder, &["opt", "--migrate-slots", "slots.mlir", "-o", "back.mlir"]), 0);
    let back = fs::read_to_string(folder.join("back.mlir")).expect("a file");
    assert!(!back.contains("closure_") && back.contains("captures(\"k\": i64, \"s\""), "{back}");
    for file in ["slots.mlir", "back.mlir"] {
        assert_eq!(gives(&oxbow(&folder, &["run", file]), 0).0, "835");
    }
}

/// No text makes the compiler break: it is refused with a diagnostic, or it can be converted.
#[test]
fn broken_modules_are_refused() {
    let folder = folder("broken");
    let tokens = tokens(ADDER);
    let mut random = Random(7);
    for round in 0..250 {
        let mutant = mutate(&tokens, &mut random);
        fs::write(folder.join("m.mlir"), &mutant).expect("a file");
        let output = oxbow(&folder, &["emit", "--stage=llvm-dialect", "m.mlir"]);
        let code = output.status.code();
        if !matches!(code, Some(0 | 1)) {
            panic!("round {round}: {code:?}\n{}\n{mutant}", text(&output.stderr));
        }
        let reported = text(&output.stderr).contains("error[E030");
        assert_eq!(code == Some(1), reported, "{}\n{mutant}", text(&output.stderr));
    }
}

/// A number generator that gives the same numbers every time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % limit
    }
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let word = |it: char| it.is_alphanumeric() || "_.@%!^\"".contains(it);
    for it in text.chars() {
        match tokens.last_mut() {
            Some(last) if word(it) && last.ends_with(word) => last.push(it),
            _ => tokens.push(it.into()),
        }
    }
    tokens
}

/// One to three changes: a token goes, comes twice, or is one of another place.
fn mutate(tokens: &[String], random: &mut Random) -> String {
    let mut tokens = tokens.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(tokens.len());
        let other = tokens[random.below(tokens.len())].clone();
        match random.below(4) {
            0 => {
                tokens.remove(at);
            }
            1 => tokens.insert(at, other),
            2 => tokens[at] = other,
            _ => {
                // A word for a word goes deeper than the parser.
                let words: Vec<usize> =
                    (0..tokens.len()).filter(|&it| tokens[it].len() > 1).collect();
                let (from, to) =
                    (words[random.below(words.len())], words[random.below(words.len())]);
                tokens[to] = tokens[from].clone();
            }
        }
    }
    tokens.concat()
}
