//! One broken program for each rule.

use super::{verify_mono, verify_poly};
use crate::{Mono, NodeKind, Poly, Program, captures, read};

const PRELUDE: &str = "type option<'a> = | None | Some('a);
type point = {x: int, mut y: int};
exception Failure(string);
";

fn poly(text: &str) -> String {
    let program: Program<Poly> = read::read(&format!("{PRELUDE}{text}")).expect("readable");
    match verify_poly(&program) {
        Ok(()) => String::new(),
        Err(error) => error.message,
    }
}

fn mono(text: &str) -> String {
    let program: Program<Mono> = read::read(&format!("{PRELUDE}{text}")).expect("readable");
    match verify_mono(&program) {
        Ok(()) => String::new(),
        Err(error) => error.message,
    }
}

#[track_caller]
fn check(found: String, part: &str) {
    assert!(found.contains(part), "`{found}` does not say `{part}`");
}

#[test]
fn types() {
    check(poly("do int.add 1, true;"), "given another type");
    check(poly("do (fn(x: int) -> int = x)(true);"), "operand 0 has type bool, not int");
    check(poly("do if 1 then 2 else 3;"), "the condition has type int, not bool");
    check(poly("do if true then 2 else false;"), "the second branch has type bool, not int");
    check(poly("let @x: bool = 1;"), "the value of `x` has type int, not bool");
    check(poly("do { let x: bool = 1; x };"), "the value of `x` has type int, not bool");
    check(poly("do option<int>::Some(true);"), "operand 0 has type bool, not int");
    check(poly("do option<int>::Some;"), "0 operands for 1");
    check(poly("do point{x = 1};"), "1 operands for 2");
    check(poly("do point{x = 1, y = 2}->x <- 3;"), "not mutable");
    check(poly("do point{x = 1, y = 2}->y <- true;"), "the new value has type bool, not int");
    check(poly("do array<int>[1, true];"), "operand 1 has type bool, not int");
    check(poly("do exn Failure(1);"), "operand 0 has type int, not string");
    check(poly("do raise[int] 1;"), "what is raised has type int, not exn");
    check(poly("do try 1 with e -> true;"), "the handler has type bool, not int");
    check(poly("do { let x: int = 1; x := 2 };"), "`x` is not mutable");
    check(poly("do for i: bool = true to false do ();"), "no integer");
    check(poly("let @id['a]: 'a -> 'a = fn(x: 'a) -> 'a = x; do @id;"), "0 type arguments for 1");
    check(poly("do { join j(x: int) = x; jump[int] j(true) };"), "operand 0 has type bool");
    check(poly("do { join j(x: int) = x; jump[int] j() };"), "0 operands for 1");
}

#[test]
fn switches() {
    check(poly("do switch option<int>::None of { None -> 1; };"), "cases are missing");
    check(poly("do switch 1 of { 1 -> 1; 1 -> 2; _ -> 3; };"), "twice");
    check(poly("do switch 1 of { 'a' -> 1; _ -> 3; };"), "cannot have");
    check(poly("do switch 1 of { 1l -> 1; _ -> 3; };"), "cannot have");
    check(poly("do switch 1 of { 1 -> 1; _ -> true; };"), "a branch has type bool, not int");
}

#[test]
fn jumps() {
    let loops = "do { join rec j(x: int) = jump[int] j(x); jump[int] j(1) };";
    assert_eq!(poly(loops), "");
    check(poly("do { join j(x: int) = jump[int] j(x); jump[int] j(1) };"), "outside of its join");
    check(poly("do { join j(x: int) = x; int.add 1, (jump[int] j(1)) };"), "not in tail position");
    check(poly("do { join j(x: int) = x; try jump[int] j(1) with e -> 2 };"), "not in tail");
    check(poly("do { join j(x: int) = x; try 1 with e -> jump[int] j(1) };"), "");
    check(
        poly(
            "do { join j(x: int) = x; let f: int -> int = fn(y: int) -> int = jump[int] j(y); 1 };",
        ),
        "not in tail position",
    );
    check(poly("do { {join j(x: int) = x; 1}; jump[int] j(1) };"), "outside of its join");
}

#[test]
fn scopes() {
    check(poly("do { {let x: int = 1; x}; x };"), "`x` (v0) is not in scope");
    check(poly("do { rec f: int = 1; f };"), "no lambda");
    check(poly("do @x; let @x: int = 1;"), "`x` (v0) is not in scope");
    assert_eq!(poly("do @f(1); let @f: int -> int = fn(x: int) -> int = x;"), "");
}

#[test]
fn a_node_stands_in_one_place() {
    let mut program: Program<Poly> = read::read("do (1, 2);").expect("readable");
    for node in program.nodes.values_mut() {
        if let NodeKind::Tuple(items) = &mut node.kind {
            items[1] = items[0];
        }
    }
    let error = verify_poly(&program).expect_err("no tree");
    check(error.message, "reached twice");
}

/// covers: F2
#[test]
fn captures_are_compared() {
    let text = "do { let k: int = 1; let j: int = 2; fn(x: int) captures(j: int) -> int = k };";
    check(poly(text), "captures are (j), the body needs (k)");
    let mut program: Program<Poly> = read::read(text).expect("readable");
    captures::fill_all(&mut program);
    assert_eq!(verify_poly(&program), Ok(()));
}

#[test]
fn what_is_gone_from_mono() {
    check(mono("let @id['a]: 'a -> 'a = fn(x: 'a) -> 'a = x;"), "`id` is polymorphic");
    check(mono("do eq (1, 2), (1, 2);"), "%eq is not expanded");
    check(mono("do hash option<int>::None;"), "%hash is not expanded");
    check(mono("do exn.to_string exn Failure(\"\");"), "%exn.to_string is not expanded");
    check(mono("do option<'a>::None;"), "type variable");
    assert_eq!(mono("do lt \"a\", \"b\";"), "");
}
