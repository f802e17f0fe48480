//! The dialect's syntax, verifiers and effects, through this crate and through the
//! distribution's own `mlir-opt`.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use oxbow_dialect::melior::ir::Module;
use oxbow_dialect::plugin_path;

const EVERY_OP: &str = include_str!("roundtrip.mlir");

/// Errors of reading or checking a module.
fn faults(text: &str) -> String {
    let context = oxbow_dialect::context();
    let messages = std::cell::RefCell::new(String::new());
    let handler = context.attach_diagnostic_handler(|it| {
        messages.borrow_mut().push_str(&format!("{it}\n"));
        true
    });
    let valid = Module::parse(&context, text).is_some();
    context.detach_diagnostic_handler(handler);
    let messages = messages.into_inner();
    assert_eq!(valid, messages.is_empty(), "{messages}");
    messages
}

/// Runs upstream's tool with the plugin.
fn mlir_opt(passes: &[&str], text: &str) -> String {
    let llvm = PathBuf::from(env!("MLIR_SYS_220_PREFIX"));
    let mut child = Command::new(llvm.join("bin/mlir-opt"))
        .arg(format!("--load-dialect-plugin={}", plugin_path().display()))
        .args(passes)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mlir-opt runs");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn every_op_is_printed_as_it_is_read() {
    let context = oxbow_dialect::context();
    let module = Module::parse(&context, EVERY_OP).expect("it is valid");
    let once = module.as_operation().to_string();
    let again = Module::parse(&context, &once).expect("what is printed is valid");
    assert_eq!(again.as_operation().to_string(), once);
    assert_eq!(oxbow_dialect::verify(&again), Ok(()));
}

#[test]
fn every_op_has_an_example() {
    let records = [
        include_str!("../dialect/Ocaml.td"),
        include_str!("../dialect/Data.td"),
        include_str!("../dialect/Memory.td"),
    ]
    .concat();
    for record in records.split("\ndef ").skip(1).filter(|it| it.contains(": Ocaml_Op<\"")) {
        let name = record.split('"').nth(1).expect("an op has a name");
        let record = record.split("\n}\n").next().unwrap_or(record);
        assert!(record.contains("let summary"), "{name} has no summary");
        assert!(EVERY_OP.contains(&format!("ocaml.{name}")), "{name} is not in roundtrip.mlir");
    }
}

/// Upstream's `cf.switch` prints numbered results (`%0#1`) that it does not read.
#[test]
fn results_have_names_of_their_own() {
    let text = r#"
ocaml.func @f(%x: i64) -> (i64, !ocaml.exn) { ocaml.return %x : i64 }
ocaml.func @g(%x: i64, %k: i32) -> i64 {
  %v, %e = ocaml.call @f(%x) : (i64) -> (i64, !ocaml.exn)
  cf.switch %k : i32, [default: ^a(%v : i64), 1: ^a(%x : i64)]
^a(%r: i64):
  ocaml.return %r : i64
}"#;
    let text = mlir_opt(&["--cse"], text);
    assert!(text.contains(", %exn = ocaml.call"), "{text}");
    assert_eq!(faults(&text), "");
}

#[test]
fn upstream_reads_every_op() {
    let text = mlir_opt(&[], EVERY_OP);
    assert_eq!(faults(&text), "");
}

#[test]
fn what_upstream_optimises_is_valid() {
    let text = mlir_opt(&["--cse", "--canonicalize", "--symbol-dce"], EVERY_OP);
    assert_eq!(faults(&text), "");
}

/// covers: G8, K1
#[test]
fn verifiers_explain_themselves() {
    let document = include_str!("invalid.md");
    let mut fences =
        document.split("```").skip(1).step_by(2).map(|it| it.split_once('\n').unwrap_or((it, "")));
    let (_, prelude) = fences.next().expect("the prelude comes first");
    let fences: Vec<_> = fences.collect();
    assert!(fences.len() > 40, "{} fences", fences.len());
    for case in fences.chunks(2) {
        let [("text", expected), ("mlir", module)] = case else { panic!("{case:?}") };
        let messages = faults(&format!("{prelude}{module}"));
        assert!(messages.contains(expected.trim()), "expected: {expected}got: {messages}{module}");
    }
}

/// Two allocations are two objects.
/// covers: E1, E7
#[test]
fn allocations_are_not_merged() {
    let text = r#"
ocaml.func @add(%x: i64) -> i64 captures(i64) { ocaml.return %x : i64 }
ocaml.func @f(%k: i64) -> i1 {
  %a = ocaml.make_closure @add(%k) : (i64) -> !ocaml.closure<(i64) -> i64>
  %b = ocaml.make_closure @add(%k) : (i64) -> !ocaml.closure<(i64) -> i64>
  %same = ocaml.phys_eq %a, %b : !ocaml.closure<(i64) -> i64>
  ocaml.return %same : i1
}
ocaml.func @g(%k: i64) -> i1 {
  %d = ocaml.env.new
  %e = ocaml.env.new
  %d1 = ocaml.env.capture %k in %d : i64
  %e1 = ocaml.env.capture %k in %e : i64
  %a = ocaml.closure @add with %d1 : !ocaml.closure<(i64) -> i64>
  %b = ocaml.closure @add with %e1 : !ocaml.closure<(i64) -> i64>
  %same = ocaml.phys_eq %a, %b : !ocaml.closure<(i64) -> i64>
  ocaml.return %same : i1
}"#;
    let text = mlir_opt(&["--cse", "--canonicalize"], text);
    assert_eq!(count(&text, "ocaml.make_closure"), 2, "{text}");
    assert_eq!(count(&text, "ocaml.env.new"), 2, "{text}");
}

/// What nothing uses goes away, also allocations and captures.
/// covers: E13
#[test]
fn unused_objects_are_removed() {
    let text = r#"
ocaml.func @add(%x: i64) -> i64 captures(i64) { ocaml.return %x : i64 }
ocaml.func @f(%k: i64) -> i64 {
  %a = ocaml.make_closure @add(%k) : (i64) -> !ocaml.closure<(i64) -> i64>
  %e = ocaml.env.new
  %e1 = ocaml.env.capture %k in %e : i64
  %t = ocaml.block.new 0(%k, %k, %k) : (i64, i64, i64) -> !ocaml.tuple<i64, i64, i64>
  ocaml.return %k : i64
}"#;
    let text = mlir_opt(&["--canonicalize"], text);
    for gone in ["make_closure", "env.new", "env.capture", "block.new"] {
        assert_eq!(count(&text, gone), 0, "{text}");
    }
}

/// A load is not replaced by one from before a store, and no store is removed.
/// covers: G3
#[test]
fn a_load_does_not_cross_a_store() {
    let text = r#"
ocaml.global @g : i64
ocaml.func @f(%x: i64) -> i64 {
  %a = ocaml.global_load @g : i64
  ocaml.global_store %x to @g : i64
  %b = ocaml.global_load @g : i64
  %c = ocaml.global_load @g : i64
  ocaml.global_store %a to @g : i64
  %d = arith.addi %a, %b : i64
  %r = arith.addi %d, %c : i64
  ocaml.return %r : i64
}"#;
    let text = mlir_opt(&["--cse", "--canonicalize"], text);
    assert_eq!(count(&text, "ocaml.global_store"), 2, "{text}");
    assert_eq!(
        count(&text, "ocaml.global_load"),
        2,
        "two loads with no store between are one: {text}"
    );
}

/// The environment is the first block argument, and is not printed.
/// covers: E4
#[test]
fn the_environment_is_implicit() {
    let context = oxbow_dialect::context();
    let text = "ocaml.func @add(%x: i64) -> i64 captures(i64) {
      %k = ocaml.env.get %env[0] -> i64
      ocaml.return %k : i64 }";
    let module = Module::parse(&context, text).expect("it is valid");
    let printed = module.as_operation().to_string();
    assert!(printed.contains("@add(%arg0: i64) -> i64 captures(i64) {"), "{printed}");
    assert!(printed.contains("ocaml.env.get %env[0]"), "{printed}");
}

/// Calls by name can be inlined upstream, also of functions that raise or call in their place; what needs its
/// closure, and what must not be inlined, stays.
/// covers: E8
#[test]
fn calls_by_name_are_inlined() {
    let text = r#"
ocaml.exception @Exit "Exit" []
ocaml.func private @double(%x: i64) -> i64 { %r = arith.addi %x, %x : i64  ocaml.return %r : i64 }
ocaml.func private @check(%x: i64) -> (i64, !ocaml.exn) {
  %zero = arith.constant 0 : i64
  %bad = arith.cmpi eq, %x, %zero : i64
  cf.cond_br %bad, ^fail, ^go
^go:
  %d = ocaml.call @double(%x) : (i64) -> i64
  ocaml.return %d : i64
^fail:
  %e = ocaml.exn.new @Exit() : () -> !ocaml.exn
  ocaml.raise %e
}
ocaml.func private @through(%f: !ocaml.closure<(i64) -> i64>, %x: i64) -> (i64, !ocaml.exn) {
  ocaml.tail_invoke %f(%x) : !ocaml.closure<(i64) -> i64>, (i64)
}
ocaml.func private @kept(%x: i64) -> i64 attributes {inline_hint = "never"} { ocaml.return %x : i64 }
ocaml.func private @add(%x: i64) -> i64 captures(i64) { ocaml.return %x : i64 }
ocaml.func @main(%x: i64, %f: !ocaml.closure<(i64) -> i64>) -> (i64, !ocaml.exn) {
  %a, %e = ocaml.call @check(%x) : (i64) -> (i64, !ocaml.exn)
  %b, %e1 = ocaml.call @through(%f, %a) : (!ocaml.closure<(i64) -> i64>, i64) -> (i64, !ocaml.exn)
  %c = ocaml.call @kept(%b) : (i64) -> i64
  %d = ocaml.call @add(%f, %c) : (!ocaml.closure<(i64) -> i64>, i64) -> i64
  %raised = ocaml.exn.raised %e
  cf.cond_br %raised, ^failed, ^go
^go:
  ocaml.return %d : i64
^failed:
  ocaml.raise %e
}"#;
    let text = mlir_opt(&["--inline"], text);
    assert_eq!(faults(&text), "");
    assert!(
        !text.contains("@double") && !text.contains("@check") && !text.contains("@through"),
        "{text}"
    );
    assert_eq!(count(&text, "ocaml.invoke"), 1, "{text}");
    assert_eq!(count(&text, "ocaml.exn.none"), 1, "{text}");
    assert_eq!(count(&text, "ocaml.no_value"), 1, "{text}");
    assert_eq!(count(&text, "ocaml.call @kept"), 1, "{text}");
    assert_eq!(count(&text, "ocaml.call @add"), 1, "{text}");
}

/// A load stays behind a call that may store, and a store before it.
/// covers: G3, E13
#[test]
fn loads_stay_between_calls() {
    let text = r#"
ocaml.global @g : i64
ocaml.func @store(%x: i64) -> i64 attributes {inline_hint = "never"} {
  ocaml.global_store %x to @g : i64
  ocaml.return %x : i64
}
ocaml.func @f(%x: i64) -> i64 {
  %a = ocaml.global_load @g : i64
  %s = ocaml.call @store(%x) : (i64) -> i64
  %b = ocaml.global_load @g : i64
  %r = arith.addi %a, %b : i64
  ocaml.return %r : i64
}"#;
    let text = mlir_opt(&["--cse", "--canonicalize", "--inline", "--sccp"], text);
    assert_eq!(count(&text, "ocaml.global_load"), 2, "{text}");
    assert_eq!(count(&text, "ocaml.call @store"), 1, "{text}");
}
