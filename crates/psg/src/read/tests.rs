//! Every form of the text, read, printed, checked.

use crate::{Poly, Program, print, read, verify};

/// All kinds of nodes, in the form in which they are printed.
const EVERYTHING: &str = r#"type list<'a> = | `[]` | `::`('a, list<'a>);
type ref<'a> = {mut contents: 'a};
type shape = | Empty | Disc{mut radius: float, at: (int * int)};
exception Failure(string);
exception Main.Pair(int, char);
exception Failure.1;
library let @id['a]: 'a -> 'a = fn @id(x: 'a) inline(always) noraise -> 'a = x;
rec @even: int -> bool, @odd: int -> bool =
  fn @even(n: int) repr(lifted) -> bool = if eq n, 0 then true else @odd!((int.sub n, 1))
  and fn @odd(n.1: int) -> bool = if eq n.1, 0 then false else @even!((int.sub n.1, 1));
let mut @counter: int = 0;
let @constants: array<float> =
  array<float>[1.0, -0.0, 1e300, 0f7ff0000000000000, (static float.neg 2.5)];
do {
  let mut z: int = 5;
  let k: int32 = -3l;
  let pair: (int * string) = stack (z, "a\n\"\\\x00");
  let add: int -> int -> int =
    fn @add(x: int, `let`: int) captures(&z: int, pair: (int * string)) -> int = {
      z := int.add z, 1;
      int.add x, (int.add z, (int.add `let`, pair->0))
    };
  rec go: int -> list<int> =
    fn @go(n: int) captures(go: int -> list<int>) -> list<int> =
      if lt n, 0 then list<int>::`[]` else list<int>::`::`(n, go!((int.sub n, 1)));
  let cell: ref<int> = ref<int>{contents = 1};
  cell->contents <- add!(1, 2);
  {
    @counter := cell->contents;
    @counter
  };
  while lt @counter, 10 do @counter := int.add @counter, 1;
  for i: int = 0 to 3 do cell->contents <- i;
  for i.1: int = 3 downto 0 do {
    let x.1: int = i.1;
    cell->contents <- x.1
  };
  let s: string =
    switch 5L of {
      1L -> "one";
      5L -> "five";
      _ -> "many";
    };
  let c: char =
    switch s of {
      "five" -> '\'';
      "\xff" -> 'x';
      _ -> '\x00';
    };
  let shape: shape = shape::Disc(1.5, (1, 2));
  shape->Disc->0 <- 2.5;
  let size: float =
    switch shape of {
      Empty -> 0.0;
      Disc -> shape->Disc->0;
    };
  let caught: int =
    try raise[int] exn Main.Pair(1, 'a') with e ->
      switch e of {
        exn Main.Pair -> e->exn Main.Pair->0;
        exn Failure.1 -> seq(0);
        _ -> raise[int] e;
      };
  join done(r: int) = int.add r, caught;
  join rec loop(i.2: int, acc: int) = {
    if lt i.2, 100 then {
      jump[int] loop((int.add i.2, 1), (int.add acc, i.2))
    } else jump[int] done(acc)
  };
  let f: int -> int = @id[int -> int]((fn(y: int) -> int = y));
  f((opaque 1));
  if physeq cell, cell then jump[int] loop(0, 0) else sys.exit[int] 3
};
known uncaught = @id;
known stack_overflow = Failure.1;
known function hash_push = @even;
"#;

fn round_trip(text: &str) -> String {
    let program: Program<Poly> = match read::read(text) {
        Ok(program) => program,
        Err(error) => panic!("{error}\n{text}"),
    };
    print::program(&program)
}

#[test]
fn printing_what_was_read_is_stable() {
    let once = round_trip(EVERYTHING);
    assert_eq!(once, round_trip(&once), "{once}");
}

#[test]
fn names_types_and_marks_survive() {
    let once = round_trip(EVERYTHING);
    for part in [
        "type shape = | Empty | Disc{mut radius: float, at: (int * int)};",
        "exception Failure.1;",
        "library let @id['a]: 'a -> 'a = fn @id(x: 'a) inline(always) noraise -> 'a = x;",
        "repr(lifted)",
        "captures(&z: int, pair: (int * string))",
        "`let`: int",
        "stack (z, \"a\\n\\\"\\\\\\x00\")",
        "0f7ff0000000000000",
        "(static float.neg 2.5)",
        "@id[int -> int]((fn(y: int) -> int = y))",
        "for i.1: int = 3 downto 0 do {",
        "join rec loop(i.2: int, acc: int) =",
        "known function hash_push = @even;",
    ] {
        assert!(once.contains(part), "{part} is not in\n{once}");
    }
}

#[test]
fn what_was_read_is_a_valid_program() {
    let program: Program<Poly> = read::read(EVERYTHING).expect("readable");
    assert_eq!(verify::verify_poly(&program), Ok(()));
}

#[test]
fn one_function_by_its_name() {
    let program: Program<Poly> = read::read(
        "do {
           let k: int = 40;
           let spare: int = 1;
           fn @add(x: int) captures(k: int) -> int = int.add x, k
         };",
    )
    .expect("readable");
    let text = print::function(&program, "add");
    assert_eq!(text.as_deref(), Some("fn @add(x: int) captures(k: int) -> int = int.add x, k\n"));
    assert_eq!(print::function(&program, "sub"), None);
}

#[test]
fn calls_of_lambdas_known_otherwise_bear_labels() {
    let text = "do {
           let f: int -> int = fn @f #0(x: int) -> int = x;
           let g: int -> int = f;
           g!#0(1)
         };";
    let once = round_trip(text);
    assert!(once.contains("fn @f #0(x: int)") && once.contains("g!#0(1)"), "{once}");
    assert_eq!(once, round_trip(&once));
}

#[test]
fn errors_name_the_line() {
    let error = |text: &str| match read::read::<Poly>(text) {
        Ok(_) => panic!("readable"),
        Err(error) => error.to_string(),
    };
    assert_eq!(error("do\n  x;"), "line 2: no variable `x`");
    assert_eq!(error("do \"a"), "line 1: a quote is not closed");
    assert_eq!(error("let @x: t = 1;"), "line 1: no type `t`");
    assert_eq!(error("do int.add 1; "), "line 1: expected `,`, found Sign(\";\")");
    assert_eq!(error("do 1(2);"), "line 1: a call with more arguments than the type has arrows");
}
