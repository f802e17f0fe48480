//! The dialect's syntax, verifiers and effects, through this crate and through the
//! distribution's own `mlir-opt`.

use oxbow_dialect::melior::ir::Module;
use oxbow_dialect::melior::ir::operation::OperationLike;

fn parses(text: &str) -> bool {
    let context = oxbow_dialect::context();
    Module::parse(&context, text).is_some_and(|it| it.as_operation().verify())
}

#[test]
fn smoke() {
    let context = oxbow_dialect::context();
    let module = Module::parse(
        &context,
        r#"
ocaml.func @add(%x: i64) -> i64 captures(i64) {
  %k = ocaml.env.get %env[0] -> i64
  %r = arith.addi %x, %k : i64
  ocaml.return %r : i64
}"#,
    )
    .expect("it parses");
    let text = module.as_operation().to_string();
    assert!(text.contains("%env[0]"), "{text}");
    assert!(Module::parse(&context, &text).is_some(), "{text}");
    assert!(!parses("ocaml.func @f(%x: i64) -> i1 { ocaml.return %x : i64 }"));
}
