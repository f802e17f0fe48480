//! Every pass keeps the meaning of programs: the interpreter gives the same output and
//! exit code before and after each, and the verifier accepts what each makes.

use oxbow_diag::Diagnostics;
use oxbow_passes::{
    closure_repr, contify, dead_functions, may_raise, monomorphize, simplify, specialize_functions,
    storage,
};
use oxbow_psg::interp::{self, MemoryHost, Options, Outcome};
use oxbow_psg::{Mono, Poly, Program, captures, print, read, verify};

/// A transform within the `Mono` phase.
struct Pass {
    name: &'static str,
    run: fn(Program<Mono>) -> Program<Mono>,
}

const PASSES: &[Pass] = &[
    Pass { name: "simplify", run: simplify::run },
    Pass { name: "specialize_functions", run: specialize_functions::run },
    Pass { name: "simplify", run: simplify::run },
    Pass { name: "contify", run: contify::run },
    Pass { name: "simplify", run: simplify::run },
    Pass { name: "dead_functions", run: dead_functions::run },
    Pass { name: "closure_repr", run: closure_repr::run },
    Pass { name: "may_raise", run: may_raise::run },
    Pass { name: "storage", run: storage::run },
];

/// Items that the programs here have in common.
const PRELUDE: &str = r#"
type list<'a> = | `[]` | `::`('a, list<'a>);
type option<'a> = | None | Some('a);
type ref<'a> = { mut contents: 'a };
exception Not_found;
exception Failure(string);
exception Invalid_argument(string);
exception Match_failure((string * int * int));
known match_failure = Match_failure;
library let @print: string -> unit = fn @print(s: string) -> unit = {
  io.write 1, (bytes.unsafe_of_string s), 0, (string.length s);
  ()
};
library let @print_int: int -> unit = fn @print_int(n: int) -> unit = @print(string.concat (format.int "%d", n), "\n");
library let @print_bool: bool -> unit = fn @print_bool(b: bool) -> unit = @print(if b then "true\n" else "false\n");
library rec @map['a, 'b]: ('a -> 'b) -> list<'a> -> list<'b> =
  fn @map(f: 'a -> 'b, l: list<'a>) -> list<'b> =
    switch l of {
      `[]` -> list<'b>::`[]`;
      `::` -> {
        let r: 'b = f(l->`::`->0);
        list<'b>::`::`(r, @map['a, 'b](f, l->`::`->1))
      };
    };
library rec @fold['a, 'b]: ('a -> 'b -> 'a) -> 'a -> list<'b> -> 'a =
  fn @fold(f: 'a -> 'b -> 'a, acc: 'a, l: list<'b>) -> 'a =
    switch l of {
      `[]` -> acc;
      `::` -> @fold['a, 'b](f, f(acc, l->`::`->0), l->`::`->1);
    };
library rec @iter['a]: ('a -> unit) -> list<'a> -> unit =
  fn @iter(f: 'a -> unit, l: list<'a>) -> unit =
    switch l of {
      `[]` -> ();
      `::` -> { f(l->`::`->0); @iter['a](f, l->`::`->1) };
    };
library rec @range: int -> int -> list<int> =
  fn @range(a: int, b: int) -> list<int> =
    if ge a, b then list<int>::`[]` else list<int>::`::`(a, @range(int.add a, 1, b));
"#;

fn interpret<P>(program: &Program<P>) -> (Outcome, String) {
    let mut host = MemoryHost::new(Vec::new(), Vec::new());
    let outcome = interp::run(
        program,
        &mut host,
        Options { step_limit: Some(20_000_000), depth_limit: 20_000 },
    );
    (outcome, String::from_utf8_lossy(&host.stdout).into_owned())
}

/// Runs all passes over a program and compares its behaviour after each one. The text of
/// the result.
fn check(text: &str, expected: &str) -> String {
    check_functions(text, expected, &[])
}

/// The same; the text of these functions in the result. Names are interned per thread,
/// so the text is made where the program is.
fn check_functions(text: &str, expected: &str, names: &'static [&'static str]) -> String {
    let text = format!("{PRELUDE}\n{text}\nknown invalid_argument = Invalid_argument;\n");
    let expected = expected.to_string();
    let run = move || {
        let mut program: Program<Poly> =
            read::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        captures::fill_all(&mut program);
        verify::verify_poly(&program).unwrap_or_else(|error| panic!("input: {error}"));
        assert_eq!(interpret(&program), (Outcome::Exit(0), expected.clone()), "input");
        let mut diagnostics = Diagnostics::new();
        let mut program = monomorphize::run(program, &mut diagnostics);
        assert!(!diagnostics.has_errors(), "{diagnostics:?}");
        compare("monomorphize", &program, &expected);
        for pass in PASSES {
            program = (pass.run)(program);
            compare(pass.name, &program, &expected);
        }
        if names.is_empty() {
            return print::program(&program);
        }
        names.iter().filter_map(|it| print::function(&program, it)).collect()
    };
    std::thread::Builder::new()
        .stack_size(1 << 30)
        .spawn(run)
        .expect("a thread")
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn compare(name: &str, program: &Program<Mono>, expected: &str) {
    if let Err(error) = verify::verify_mono(program) {
        panic!("after {name}: {error}\n{}", print::program(program));
    }
    let found = interpret(program);
    if found != (Outcome::Exit(0), expected.to_string()) {
        panic!("after {name}: {found:?}\n{}", print::program(program));
    }
}

#[test]
fn polymorphic_functions_and_lists() {
    check(
        r#"
let @id['a]: 'a -> 'a = fn @id(x: 'a) -> 'a = x;
do @print_int(@id[int](42));
do @print(@id[string]("hello\n"));
do @iter[int](@print_int, @map[int, int](fn (x: int) -> int = int.mul x, 2, @range(0, 4)));
do @print_int(@fold[int, int](fn (a: int, b: int) -> int = int.add a, b, 0, @range(0, 101)));
let @k: int = @id[int](7);
do {
  let add: int -> int = fn @add(x: int) -> int = int.add x, @k;
  @iter[int](@print_int, @map[int, int](add, @range(0, 3)))
};
"#,
        "42\nhello\n0\n2\n4\n6\n5050\n7\n8\n9\n",
    );
}

#[test]
fn structural_order() {
    check(
        r#"
type shape = | Dot | Circle(int) | Empty | Box(int, list<int>);
do @print_bool(eq (@range(0, 1000)), (@range(0, 1000)));
do @print_bool(eq (@range(0, 1000)), (@range(0, 999)));
do @print_int(compare (@range(0, 5)), (@range(0, 4)));
do @print_int(compare shape::Empty, shape::Circle(1));
do @print_int(compare shape::Dot, shape::Empty);
do @print_int(compare shape::Box(1, @range(0, 3)), shape::Circle(9));
do @print_bool(lt (1, "b"), (1, "c"));
do @print_bool(ge (1.5, 2), (1.5, 2));
do @print_bool(le (float.div 0.0, 0.0, 2), (float.div 0.0, 0.0, 2));
do @print_int(compare (float.div 0.0, 0.0, 2), (float.div 0.0, 0.0, 2));
do @print_bool(eq array<int>[1, 2], array<int>[1, 2]);
do @print_int(compare array<int>[1, 2, 3], array<int>[9, 9]);
do @print_bool(ne option<int>::None, option<int>::Some(1));
"#,
        "true\nfalse\n1\n-1\n-1\n1\ntrue\ntrue\nfalse\n0\ntrue\n1\ntrue\n",
    );
}

#[test]
fn references_become_variables() {
    let text = check_functions(
        r#"
let @sum: int -> int = fn @sum(n: int) inline(never) -> int = {
  let r: ref<int> = ref<int>{contents = 0};
  for i: int = 1 to n do r->contents <- int.add r->contents, i;
  r->contents
};
do @print_int(@sum(100));
let @counter: unit -> unit -> int = fn @counter(u: unit) inline(never) -> unit -> int = {
  let r: ref<int> = ref<int>{contents = 0};
  fn (v: unit) -> int = { r->contents <- int.add r->contents, 1; r->contents }
};
do {
  let c: unit -> int = @counter(());
  let d: unit -> int = @counter(());
  @print_int(c(()));
  @print_int(c(()));
  @print_int(d(()))
};
"#,
        "5050\n1\n2\n1\n",
        &["sum"],
    );
    assert!(text.contains("let mut r: int = 0") && !text.contains("ref<int>"), "{text}");
}

#[test]
fn arguments_are_evaluated_from_the_last_to_the_first() {
    check(
        r#"
let @say: string -> int -> int = fn @say(s: string, n: int) -> int = { @print(s); n };
let @sub: int -> int -> int = fn @sub(a: int, b: int) inline(always) -> int = int.sub a, b;
let @curried: int -> int -> int = fn @curried(a: int) -> int -> int = { @print("outer\n"); fn (b: int) -> int = int.sub a, b };
do @print_int(@sub(@say("a\n", 5), @say("b\n", 3)));
do @print_int(@curried(@say("a\n", 5), @say("b\n", 3)));
do @print_int((fn (x: int, y: int) -> int = int.mul x, y)(@say("c\n", 2), @say("d\n", 4)));
do {
  let p: (int * int) = (@say("left\n", 1), @say("right\n", 2));
  @print_int(p->1);
  @print_int(p->0)
};
"#,
        "b\na\n2\nb\na\nouter\n2\nd\nc\n8\nright\nleft\n2\n1\n",
    );
}

#[test]
fn mutable_reads_are_not_moved() {
    check(
        r#"
do {
  let mut m: int = 1;
  let before: int = m;
  let pair: (int * int) = (m, { m := 5; m });
  @print_int(before);
  @print_int(pair->0);
  @print_int(pair->1);
  let r: ref<int> = ref<int>{contents = 10};
  let old: int = r->contents;
  r->contents <- 20;
  @print_int(int.add old, r->contents)
};
"#,
        "1\n5\n5\n30\n",
    );
}

#[test]
fn local_loops_become_joins() {
    let text = check_functions(
        r#"
let @sum: int -> int = fn @sum(n: int) inline(never) -> int = {
  rec loop: int -> int -> int = fn @loop(i: int, acc: int) -> int =
    if gt i, n then acc else loop((int.add i, 1), (int.add acc, i));
  let s: int = loop(0, 0);
  int.mul s, 2
};
rec @gcd: int -> int -> int = fn @gcd(a: int, b: int) inline(never) -> int =
  if eq b, 0 then a else @gcd(b, (int.unsafe_mod a, b));
let @parity: int -> bool = fn @parity(n: int) inline(never) -> bool = {
  rec even: int -> bool, odd: int -> bool =
    fn @even(a: int) -> bool = if eq a, 0 then true else odd(int.sub a, 1)
    and fn @odd(b: int) -> bool = if eq b, 0 then false else even(int.sub b, 1);
  even(n)
};
do @print_int(@sum(10));
do @print_int(@gcd(48, 36));
do @print_bool(@parity(100001));
"#,
        "110\n12\nfalse\n",
        &["sum", "gcd", "parity"],
    );
    assert_eq!(text.matches("join rec").count(), text.matches("rec ").count(), "{text}");
}

#[test]
fn exceptions_and_handlers() {
    check(
        r#"
let @find: int -> list<int> -> int = fn @find(k: int, l: list<int>) inline(never) -> int = {
  rec go: list<int> -> int = fn @go(m: list<int>) -> int =
    switch m of {
      `[]` -> raise[int] exn Not_found();
      `::` -> if eq m->`::`->0, k then k else go(m->`::`->1);
    };
  go(l)
};
let @safe: int -> int = fn @safe(k: int) -> int =
  try @find(k, @range(0, 5)) with e -> switch e of { exn Not_found -> int.neg 1; _ -> raise[int] e; };
do @print_int(@safe(3));
do @print_int(@safe(30));
do @print_bool(eq exn Failure("a"), exn Failure("a"));
do @print_bool(eq exn Failure("a"), exn Not_found());
do @print(exn.to_string exn Match_failure(("f.ml", 3, 4)));
do @print(exn.to_string exn Not_found());
do @print(try (if eq @safe, @safe then "eq" else "ne") with e -> exn.to_string e);
"#,
        "3\n-1\ntrue\nfalse\nFile \"f.ml\", line 3, characters 4-9: Pattern matching failedNot_foundInvalid_argument(\"compare: functional value\")",
    );
}

#[test]
fn options_and_pairs_that_are_taken_apart_are_not_built() {
    let text = check_functions(
        r#"
let @f: int -> int = fn @f(x: int) inline(never) -> int = {
  let t: option<int> = if gt x, 3 then option<int>::Some((int.mul x, 2)) else option<int>::None;
  switch t of { Some -> int.add t->Some->0, 1; None -> 0; }
};
let @g: int -> int = fn @g(x: int) inline(never) -> int = {
  let p: (int * int) = if gt x, 3 then (x, 1) else (2, x);
  int.sub p->0, p->1
};
do @print_int(@f(5));
do @print_int(@f(1));
do @print_int(@g(5));
do @print_int(@g(1));
"#,
        "11\n0\n4\n1\n",
        &["f", "g"],
    );
    assert!(!text.contains("Some") && !text.contains("->0"), "{text}");
}

#[test]
fn higher_order_functions_are_specialised() {
    let text = check(
        r#"
let @scale: int -> list<int> -> list<int> = fn @scale(k: int, l: list<int>) inline(never) -> list<int> =
  @map[int, int]((fn (x: int) -> int = int.mul x, k), l);
do @iter[int](@print_int, @scale(3, @range(1, 4)));
do @print_int(@fold[int, int]((fn (a: int, b: int) -> int = int.add a, b), 0, @scale(2, @range(0, 5))));
"#,
        "3\n6\n9\n20\n",
    );
    assert!(!text.contains("repr(flat)"), "{text}");
}

#[test]
fn local_polymorphism_and_shared_instances() {
    check(
        r#"
do {
  let pair['a, 'b]: 'a -> 'b -> ('a * 'b) = fn @pair(a: 'a, b: 'b) -> ('a * 'b) = (a, b);
  rec length['c]: list<'c> -> int = fn @length(l: list<'c>) -> int =
    switch l of { `[]` -> 0; `::` -> int.add 1, length['c](l->`::`->1); };
  let p: (int * string) = pair[int, string](1, "x\n");
  let q: (string * int) = pair[string, int]("y\n", 2);
  @print_int(p->0);
  @print(p->1);
  @print(q->0);
  @print_int(int.add length[int](@range(0, 7)), length[string](list<string>::`[]`))
};
"#,
        "1\nx\ny\n7\n",
    );
}

#[test]
fn captured_variables_of_lifted_functions() {
    let text = check(
        r#"
let @f: int -> int -> int = fn @f(a: int, b: int) inline(never) -> int = {
  rec walk: int -> int, step: int -> int =
    fn @walk(n: int) inline(never) -> int =
      if le n, 0 then a else int.add walk((int.sub n, 1)), step(n)
    and fn @step(m: int) inline(never) -> int =
      if gt m, 100 then walk(m) else int.add b, (int.mul m, a);
  int.add walk(3), step(1)
};
do @print_int(@f(2, 10));
"#,
        "56\n",
    );
    assert!(text.contains("repr(lifted)") && !text.contains("captures("), "{text}");
}

#[test]
fn polymorphic_recursion_at_growing_types_has_one_instance() {
    let text = check(
        r#"
type nest<'a> = | Nil | Cons('a, nest<('a * 'a)>);
rec @depth['a]: nest<'a> -> int = fn @depth(n: nest<'a>) inline(never) -> int =
  switch n of { Nil -> 0; Cons -> int.add 1, @depth[('a * 'a)](n->Cons->1); };
do @print_int(@depth[int](nest<int>::Cons(1, nest<(int * int)>::Cons((2, 3), nest<((int * int) * (int * int))>::Nil))));
"#,
        "2\n",
    );
    assert_eq!(text.matches("fn @depth").count(), 1, "{text}");
}

/// A value and a function on it, whose type nobody knows; a reference that is seen from both sides.
#[test]
fn existential_values() {
    check(
        r#"
type shown = | Shown(uniform, uniform -> string) | Cell(ref<uniform>, uniform -> uniform -> uniform);
let @text: int -> string = fn @text(n: int) -> string = format.int "%d", n;
let @add: int -> int -> int = fn @add(a: int, b: int) -> int = int.add a, b;
let @show: shown -> string = fn @show(s: shown) -> string = switch s of {
  Shown -> s->Shown->1(s->Shown->0);
  Cell -> {
    let r: ref<uniform> = s->Cell->0;
    r->contents <- s->Cell->1(r->contents, r->contents);
    "changed"
  };
};
let @cell: ref<int> = ref<int>{contents = 21};
do {
  @print(@show(shown::Shown(retype[uniform] 5, retype[uniform -> string] @text)));
  @print(@show(shown::Shown(retype[uniform] "s", retype[uniform -> string] (fn(s: string) -> string = s))));
  @print(@show(shown::Shown(retype[uniform] (1, 2),
    retype[uniform -> string] (fn(p: (int * int)) -> string = @text(int.add p->0, p->1)))));
  @print(@show(shown::Cell(retype[ref<uniform>] @cell, retype[uniform -> uniform -> uniform] @add)));
  @print_int(@cell->contents)
};
"#,
        "5s3changed42\n",
    );
}

/// `Retype` between types that are never equal stands where nobody comes.
#[test]
fn equations_that_do_not_hold() {
    check(
        r#"
type ty = | Int | String;
rec @twice['a]: ty -> 'a -> 'a = fn @twice(t: ty, x: 'a) -> 'a = switch t of {
  Int -> retype['a] (int.mul 2, (retype[int] x));
  String -> retype['a] (string.concat (retype[string] x), (retype[string] x));
};
do @print_int(@twice[int](ty::Int, 21));
do @print(@twice[string](ty::String, "ab"));
"#,
        "42\nabab",
    );
}

/// A header tells so many types apart.
#[test]
fn too_many_types_become_uniform() {
    let mut text = String::new();
    for number in 0..260 {
        text += &format!("type t{number} = {{ it: int }};\n");
        text += &format!("do {{ retype[uniform] t{number}{{it = 1}}; () }};\n");
    }
    let program: Program<Poly> = read::read(&text).expect("a program");
    let mut diagnostics = Diagnostics::new();
    monomorphize::run(program, &mut diagnostics);
    let found: Vec<_> = diagnostics.iter().map(|it| it.code).collect();
    assert_eq!(found, ["E0902"]);
}
