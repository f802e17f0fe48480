//! Every pass keeps the meaning of programs: the interpreter gives the same output and
//! exit code before and after each, and the verifier accepts what each makes.

use oxbow_diag::Diagnostics;
use oxbow_passes::{
    Pass, closure_repr, contify, dead_functions, may_raise, monomorphize, simplify, specialize_functions, storage,
};
use oxbow_psg::interp::{self, MemoryHost, Options, Outcome};
use oxbow_psg::{Mono, Poly, Program, captures, print, read, verify};

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
exception Match_failure(string, int, int);
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
    let outcome = interp::run(program, &mut host, Options { step_limit: Some(20_000_000), depth_limit: 20_000 });
    (outcome, String::from_utf8_lossy(&host.stdout).into_owned())
}

/// Runs all passes over a program and compares its behaviour after each one.
fn check(text: &str, expected: &str) -> Program<Mono> {
    let text = format!("{PRELUDE}\n{text}\nknown invalid_argument = Invalid_argument;\n");
    let expected = expected.to_string();
    let run = move || {
        let mut program: Program<Poly> = read::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
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
        program
    };
    std::thread::Builder::new().stack_size(1 << 30).spawn(run).expect("a thread").join().unwrap_or_else(
        |panic| std::panic::resume_unwind(panic),
    )
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
