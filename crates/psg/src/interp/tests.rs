//! Tests of the interpreter, on programs as text. The expected numbers and texts are
//! those of OCaml 4.13 and of C.

use super::{MemoryHost, Options, Outcome, run};
use super::{c_format, floats, numbers};
use crate::{IntWidth, Poly, Program, captures, read};

const PRELUDE: &str = r#"
type list<'a> = | `[]` | `::`('a, list<'a>);
type option<'a> = | None | Some('a);
type ref<'a> = {mut contents: 'a};
type floats = {x: float, y: float};
type v = | A | B(int) | C | D(string, int) | E{a: int, b: float};
exception Failure(string);
exception Invalid_argument(string);
exception Stack_overflow;
exception H.Foo(int, string);
exception H.Bar((int * int));
exception H.Baz(float, char, int32);
exception Match_failure((string * int * int));
let @print: string -> unit = fn(s: string) -> unit = {
  io.write 1, (bytes.unsafe_of_string s), 0, (string.length s);
  ()
};
let @show: int -> unit = fn(n: int) -> unit = @print((string.concat (format.int "%d", n), " "));
let @flag: bool -> unit = fn(b: bool) -> unit = @print((if b then "T " else "F "));
known invalid_argument = Invalid_argument;
known stack_overflow = Stack_overflow;
known match_failure = Match_failure;
"#;

fn run_with(text: &str, options: Options) -> (String, Outcome) {
    let mut program: Program<Poly> = match read::read(&format!("{PRELUDE}{text}")) {
        Ok(program) => program,
        Err(error) => panic!("{error}"),
    };
    captures::fill_all(&mut program);
    let mut host = MemoryHost::new(vec![b"test".to_vec()], b"input".to_vec());
    let outcome = run(&program, &mut host, options);
    (String::from_utf8_lossy(&host.stdout).into_owned(), outcome)
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let (output, outcome) = run_with(text, Options::default());
    assert_eq!((output.trim_end(), outcome), (expected, Outcome::Exit(0)));
}

#[test]
fn operands_are_evaluated_from_the_last_to_the_first() {
    check(
        r#"let @say: string -> int -> int = fn(s: string, n: int) -> int = { @print(s); n };
        do { int.add @say("a", 1), @say("b", 2); () };
        do { (@say("c", 1), @say("d", 2), @say("e", 3)); () };
        do { ({ @print("f"); @say })("g", @say("h", 1)); () };
        do ref<int>{contents = @say("i", 1)}->contents <- @say("j", 2);"#,
        "baedchfgji",
    );
}

#[test]
fn too_few_and_too_many_arguments() {
    check(
        "let @add: int -> int -> int -> int = fn(a: int, b: int, c: int) -> int =
           int.add a, (int.mul 10, (int.add b, (int.mul 10, c)));
         let @twice: (int -> int) -> int -> int =
           fn(f: int -> int) -> int -> int = fn(x: int) -> int = f(f(x));
         do {
           let one: int -> int -> int = @add(1);
           let two: int -> int = one(2);
           @show(two(3));
           @show(one(5, 6));
           @show(@twice(two, 0))
         };",
        "321 651 2121",
    );
}

#[test]
fn closures_share_mutable_variables_and_copy_others() {
    check(
        "do {
           let mut n: int = 0;
           let k: int = 10;
           let step: unit -> unit = fn(u: unit) -> unit = n := int.add n, k;
           step(());
           n := int.add n, 1;
           step(());
           @show(n)
         };",
        "21",
    );
}

#[test]
fn tail_calls_and_jumps_use_no_stack() {
    check(
        "rec @even: int -> bool, @odd: int -> bool =
           fn(n: int) -> bool = if eq n, 0 then true else @odd((int.sub n, 1))
           and fn(n.1: int) -> bool = if eq n.1, 0 then false else @even((int.sub n.1, 1));
         do @flag(@even(1000000));
         do @show({
           join rec loop(i: int, sum: int) =
             if eq i, 0 then sum else jump[int] loop((int.sub i, 1), (int.add sum, i));
           jump[int] loop(1000000, 0)
         });",
        "T 500000500000",
    );
}

#[test]
fn too_deep_recursion_raises() {
    let text = "rec @deep: int -> int = fn(n: int) -> int =
           if eq n, 0 then 0 else int.add 1, @deep((int.sub n, 1));
         do @show(try @deep(1000) with e -> -1);
         do @show(try @deep(1000000) with e -> switch e of { exn Stack_overflow -> -2; _ -> -3; });";
    let deep = || run_with(text, Options::default());
    let thread = std::thread::Builder::new().stack_size(2 << 30).spawn(deep);
    let (output, outcome) = thread.expect("a thread").join().expect("no panic");
    assert_eq!((output.as_str(), outcome), ("1000 -2 ", Outcome::Exit(0)));
}

#[test]
fn long_lists_are_freed_without_recursion() {
    check(
        "do @show({
           join rec build(i: int, l: list<int>) =
             if eq i, 0 then switch l of { `[]` -> 0; `::` -> l->`::`->0; }
             else jump[int] build((int.sub i, 1), list<int>::`::`(i, l));
           jump[int] build(300000, list<int>::`[]`)
         });",
        "1",
    );
}

#[test]
fn exceptions() {
    check(
        r#"let @f: int -> string = fn(n: int) -> string =
           if lt n, 0 then raise[string] exn Failure("neg") else format.int "%d", n;
         do @print(try string.concat "a", @f(1) with e -> "caught");
         do @print(try string.concat "a", @f(-1) with e -> switch e of {
             exn Failure -> e->exn Failure->0;
             _ -> raise[string] e;
           });
         do @flag(physeq exn Stack_overflow(), exn Stack_overflow());
         do @print(exn.to_string exn H.Foo(1, "a\n\"b\x00\xc8"));
         do @print(exn.to_string exn H.Bar((1, 2)));
         do @print(exn.to_string exn H.Baz(1.0, 'a', 3l));
         do @print(exn.to_string exn Stack_overflow());
         do @print(exn.to_string exn Match_failure(("f.ml", 3, 4)));"#,
        "a1negT H.Foo(1, \"a\\n\\\"b\\000\\200\")H.Bar(_)H.Baz(1., 97, _)Stack overflow\
         File \"f.ml\", line 3, characters 4-9: Pattern matching failed",
    );
}

#[test]
fn ends() {
    let end = |text: &str| run_with(text, Options::default());
    assert_eq!(end("do sys.exit[unit] 3; do @print(\"no\");"), (String::new(), Outcome::Exit(3)));
    assert_eq!(end("do raise[unit] exn Failure(\"x\");").1, Outcome::Exit(2));
    let handled = "let @h: exn -> unit = fn(e: exn) -> unit = { @print(\"h\"); sys.exit[unit] 7 };
        do raise[unit] exn Failure(\"x\");
        known uncaught = @h;";
    assert_eq!(end(handled), ("h".into(), Outcome::Exit(7)));
    let finish = "let @f: unit -> unit = fn(u: unit) -> unit = @print(\"f\"); known finish = @f;";
    assert_eq!(end(finish), ("f".into(), Outcome::Exit(0)));
    let limit = Options { step_limit: Some(1000), ..Options::default() };
    assert_eq!(run_with("do while true do ();", limit).1, Outcome::StepLimit);
    let fault = end("do @print((string.concat \"a\", (format.int \"%q\", 1)));").1;
    assert_eq!(fault, Outcome::Fault("the format `%q`".into()));
}

#[test]
fn comparisons() {
    check(
        r#"do {
           let l: list<int> = list<int>::`::`(1, list<int>::`::`(2, list<int>::`[]`));
           @show(compare l, list<int>::`::`(1, list<int>::`[]`));
           @show(compare list<int>::`[]`, l);
           @flag(eq l, list<int>::`::`(1, list<int>::`::`(2, list<int>::`[]`)));
           @flag(physeq l, list<int>::`::`(1, list<int>::`::`(2, list<int>::`[]`)));
           @show(compare v::B(3), v::C);
           @show(compare v::C, v::A);
           @show(compare array<int>[1, 2], array<int>[3]);
           let nan: float = float.div 0.0, 0.0;
           @show(compare nan, 1.0);
           @show(compare nan, nan);
           @flag(eq nan, nan);
           @flag(ne (1, nan), (1, nan));
           @flag(lt "abc", "abd");
           @flag(gt "b", "abc")
         };
         do @print(try { eq @show, @show; "" } with e -> exn.to_string e);
         do @show(compare @show, @show);"#,
        "1 -1 T F 1 1 1 -1 0 F T T T Invalid_argument(\"compare: functional value\")0",
    );
}

#[test]
fn hashes() {
    check(
        r#"let @h['a]: 'a -> unit = fn(x: 'a) -> unit = @show((hash x));
         do { @h[int](0); @h[int](-5); @h[int](4611686018427387903); @h[bool](true); @h[unit](()) };
         do { @h[float](1.5); @h[float](-0.0); @h[float]((float.div 0.0, 0.0)) };
         do { @h[string]("hello"); @h[string](""); @h[int32](-5l); @h[int64](-5L) };
         do { @h[int64](81985529216486895L); @h[(int * int)]((1, 2)) };
         do { @h[v](v::C); @h[v](v::B(3)); @h[v](v::D("x", 1)); @h[v](v::E(1, 2.0)) };
         do { @h[floats](floats{x = 1.0, y = 2.0}); @h[array<float>](array<float>[1.0, 2.0, 3.0]) };
         do { @h[array<int>](array<int>[1, 2, 3]); @h[array<int>](array<int>[]) };
         do @h[ref<string>](ref<string>{contents = "a"});"#,
        "129913994 676793416 952257787 883721435 129913994 819188451 256347020 841516429 840920576 \
         0 80737749 607293368 181395 1014741498 883721435 771557183 843856112 484492825 332890686 \
         320078682 369955794 1058613066 883093936",
    );
}

#[test]
fn integers_wrap_at_their_width() {
    check(
        r#"do {
           @show(int.add 4611686018427387903, 1);
           @show(int.lsr -1, 1);
           @show(int.asr -5, 1);
           @show(int.unsafe_div -7, 2);
           @show(int.unsafe_mod -7, 2);
           @show(int32.to_int (int32.add 2147483647l, 1l));
           @show(int32.to_int (int32.lsr -1l, 28));
           @flag(int.ult -1, 5);
           @print((format.int64 "%Lx", (int64.neg 1L)))
         };"#,
        "-4611686018427387904 4611686018427387903 -3 -3 -1 -2147483648 15 F ffffffffffffffff",
    );
}

#[test]
fn loops_bytes_and_arrays() {
    check(
        r#"do {
           for i: int = 3 to 1 do @show(i);
           for i.1: int = 3 downto 1 do @show(i.1);
           let b: bytes = bytes.create 5;
           io.read 0, b, 0, 5;
           bytes.unsafe_set b, 0, 'I';
           bytes.unsafe_blit b, 0, b, 1, 3;
           @print((bytes.unsafe_to_string b));
           let a: array<int> = array.unsafe_make 3, 7;
           array.unsafe_set a, 1, 8;
           @show((int.add (array.unsafe_get a, 1), (array.length a)))
         };"#,
        "3 2 1 IInpt11",
    );
}

#[test]
fn c_conversions_of_integers() {
    let format = |text: &str, value| c_format::format_int(text.as_bytes(), IntWidth::I63, value);
    for (text, value, expected) in [
        ("%d", -5, "-5"),
        ("%x", -1, "7fffffffffffffff"),
        ("%u", -1, "9223372036854775807"),
        ("%#x", 255, "0xff"),
        ("%+d", 5, "+5"),
        ("% d", 5, " 5"),
        ("%05d", -5, "-0005"),
        ("%-5d|", 5, ""),
        ("%-5d", 5, "5    "),
        ("%8.3d", 5, "     005"),
        ("%08.3d", 5, "     005"),
        ("%.0d", 0, ""),
        ("%#o", 8, "010"),
        ("%#8.5x", 255, " 0x000ff"),
        ("%#08x", 255, "0x0000ff"),
        ("%ld", 7, "7"),
    ] {
        assert_eq!(format(text, value).unwrap_or_default(), expected, "{text} of {value}");
    }
}

#[test]
fn c_conversions_of_floats() {
    for (text, value, expected) in [
        ("%.0f", 2.5, "2"),
        ("%.12g", 0.1, "0.1"),
        ("%g", 1e5, "100000"),
        ("%g", 1e6, "1e+06"),
        ("%G", 1e-5, "1E-05"),
        ("%g", 0.00001234, "1.234e-05"),
        ("%.0g", 123.0, "1e+02"),
        ("%#g", 1.0, "1.00000"),
        ("%#.0f", 1.0, "1."),
        ("%e", 12345.678, "1.234568e+04"),
        ("%010.2f", -3.25159, "-000003.25"),
        ("%+010.1f", 3.1, "+0000003.1"),
        ("%05f", f64::INFINITY, "  inf"),
        ("%f", -f64::NAN, "-nan"),
        ("%.17g", 0.1, "0.10000000000000001"),
        ("%a", 1.5, "0x1.8p+0"),
        ("%.3a", 1.99999, "0x2.000p+0"),
        ("%A", 255.5, "0X1.FFP+7"),
        ("%20a", 3.0, "            0x1.8p+1"),
        ("%a", 5e-324, "0x0.0000000000001p-1022"),
        ("%#.0a", 1.5, "0x2.p+0"),
    ] {
        let found = c_format::format_float(text.as_bytes(), value).unwrap_or_default();
        assert_eq!(found, expected, "{text} of {value}");
    }
}

#[test]
fn floats_in_c_syntax() {
    let parse = |text: &str| floats::parse(text.as_bytes());
    for text in ["", "1 ", "1e", ".", "0x", "0x1p", "--1", "1f", "nan(", "infin"] {
        assert_eq!(parse(text), None, "{text}");
    }
    for (text, value) in [
        (" 1", 1.0),
        ("\t1", 1.0),
        ("0x1.8p3", 12.0),
        ("0x.8", 0.5),
        ("1.", 1.0),
        (".5", 0.5),
        ("INF", f64::INFINITY),
        ("-infinity", f64::NEG_INFINITY),
        ("0x1.fffffffffffff8p0", 2.0),
        ("0x1.fffffffffffff7p0", 1.9999999999999998),
        ("0x1p-1074", 5e-324),
        ("0x1p-1075", 0.0),
        ("0x1.8p-1075", 5e-324),
        ("0x1p1024", f64::INFINITY),
        ("1e400", f64::INFINITY),
    ] {
        assert_eq!(parse(text), Some(value), "{text}");
    }
    assert!(parse("nan(1)").is_some_and(f64::is_nan));
}

#[test]
fn mantissas_and_exponents() {
    for value in [1.0, -0.75, 1e300, 5e-324, f64::MIN_POSITIVE, f64::MAX, 0.0] {
        let (mantissa, exponent) = numbers::frexp(value);
        assert_eq!(numbers::ldexp(mantissa, exponent), value);
        assert!(value == 0.0 || (0.5..1.0).contains(&mantissa.abs()));
    }
    assert_eq!(numbers::ldexp(1.0, 2000), f64::INFINITY);
    assert_eq!(numbers::ldexp(1.5, -1074), 1e-323);
    assert_eq!(numbers::ldexp(1.0, -1075), 0.0);
}
