//! Small programs in the graph's text, compiled and run in this process at two levels.

#![allow(unsafe_code, reason = "runs compiled code")]

use std::sync::Mutex;

use oxbow_abi::{CACHE_LINE, HEADER_SIZE, ObjectKind, header_kind, header_words};
use oxbow_backend::{LoweringOptions, OptLevel, Output};
use oxbow_base::SourceMap;
use oxbow_dialect::melior::ir::Module;
use oxbow_psg::{Const, IntWidth, ItemKind, Mono, Node, NodeKind, Program, Storage, read};

/// What the running program has written.
static WRITTEN: Mutex<Vec<u8>> = Mutex::new(Vec::new());
/// One program at a time: the runtime has one region.
static RUNNING: Mutex<()> = Mutex::new(());

/// Takes the place of the runtime's function.
extern "C" fn write(_descriptor: i64, bytes: *const u8, position: i64, length: i64) -> i64 {
    // SAFETY: the program passes bytes, whose first lies behind the length, and a range within them.
    let bytes =
        unsafe { std::slice::from_raw_parts(bytes.add(8 + position as usize), length as usize) };
    WRITTEN.lock().expect("not poisoned").extend_from_slice(bytes);
    length
}

const PRELUDE: &str = r#"
exception Not_found;
exception Failure(string);
exception Stack_overflow;
let @print: string -> unit =
  fn @print(s: string) noraise -> unit = {
    let n: int = io.write 1, {bytes.unsafe_of_string s}, 0, {string.length s};
    ()
  };
let @print_int: int -> unit =
  fn @print_int(n: int) noraise -> unit = { @print!({format.int "%d", n}); @print!(" ") };
let @print_float: float -> unit =
  fn @print_float(x: float) noraise -> unit = { @print!({format.float "%g", x}); @print!(" ") };
let @uncaught: exn -> unit =
  fn @uncaught(e: exn) noraise -> unit = {
    @print!("uncaught ");
    @print!({exn.to_string e})
  };
let @finish: unit -> unit = fn @finish(u: unit) noraise -> unit = @print!("end");
known uncaught = @uncaught;
known finish = @finish;
known stack_overflow = Stack_overflow;
"#;

fn program(text: &str) -> (Program<Mono>, SourceMap) {
    let text = format!("{PRELUDE}{text}");
    let mut sources = SourceMap::new();
    sources.add("test.psg", text.clone());
    (read::read(&text).unwrap_or_else(|error| panic!("{error}")), sources)
}

fn run_at(text: &str, level: OptLevel) -> String {
    run_in_units(text, level).0
}

/// What a program prints, and how many of its units were compiled, of how many.
fn run_in_units(text: &str, level: OptLevel) -> (String, (usize, usize)) {
    let (program, sources) = program(text);
    let context = oxbow_dialect::context();
    let module = oxbow_lower::run(&program, &sources, &context);
    oxbow_opt::plan(&module, &context);
    let options =
        LoweringOptions { debug_info: level == OptLevel::O0, verify: true, ..Default::default() };
    let lowered = oxbow_backend::lower_to_llvm_dialect(&module, &context, options);
    if std::env::var("SHOW").is_ok() {
        println!("{}\n{}", module.as_operation(), lowered.as_operation());
        let ir = oxbow_backend::emit(&lowered, level.into(), Output::LlvmIr);
        println!("{}", String::from_utf8_lossy(&ir));
    }
    let symbols: Vec<_> = oxbow_runtime::symbols()
        .map(|(name, address)| match name {
            "oxbow_io_write" => (name, write as *const () as usize),
            _ => (name, address as usize),
        })
        .collect();
    let loaded = oxbow_backend::jit(&lowered, level.into(), &symbols);
    let _running = RUNNING.lock().unwrap_or_else(|it| it.into_inner());
    WRITTEN.lock().expect("not poisoned").clear();
    let main = loaded.main();
    // A small stack: calls in tail position must not use it up.
    // SAFETY: the program is loaded until the thread has ended, and `RUNNING` keeps others from running.
    let run = move || unsafe { main() };
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(run);
    thread.expect("a thread").join().expect("the program ends");
    let written = String::from_utf8_lossy(&WRITTEN.lock().expect("not poisoned")).into_owned();
    (written, loaded.units())
}

#[track_caller]
fn check(text: &str, expected: &str) {
    for level in [OptLevel::O0, OptLevel::O2] {
        assert_eq!(run_at(text, level), expected, "at {level:?}");
    }
}

/// A function that is long enough to wait for its first call.
fn long_function(name: &str, call: &str) -> String {
    let steps = "@print_int!(n); ".repeat(300);
    format!("rec @{name}: int -> int = fn @{name}(n: int) noraise -> int = {{ {steps} {call} }};\n")
}

/// What is never called is never compiled; what is called is, with what it calls, also when it is called through a
/// closure, and has one address.
#[test]
fn large_functions_wait_for_their_first_call() {
    let used = long_function("used", "int.add n, 1");
    let outer = long_function("outer", "@used!(n)");
    let unused = long_function("unused", "int.add n, 2");
    let digits = "1 ".repeat(300);
    for level in [OptLevel::O0, OptLevel::O2] {
        let text = format!(
            "{used}{outer}{unused}let @n: int = opaque 1;\n\
             do @print_int!(if eq @n, 7 then @unused!(@n) else @outer!(@n));\n"
        );
        let (written, units) = run_in_units(&text, level);
        assert_eq!(written, format!("{digits}{digits}2 end"), "at {level:?}");
        assert!(units.0 > 0 && units.0 < units.1, "{units:?} at {level:?}");
    }
}

/// What the closures of the program hold.
const CAPTURED: u64 = 7;

/// How many closures lie in a region, how many with an environment, and what lies wrongly.
static IN_REGIONS: Mutex<([u64; 2], Vec<u64>)> = Mutex::new(([0; 2], Vec::new()));

/// Takes the place of the runtime's function.
extern "C" fn walk(region: *mut u8) {
    let mut found = IN_REGIONS.lock().expect("not poisoned");
    let look = |object: *mut u8| {
        // SAFETY: the header lies before the object.
        let header = unsafe { object.sub(8).cast::<u64>().read() };
        let (start, size) = (object as u64 - HEADER_SIZE, HEADER_SIZE + 8 * header_words(header));
        if header_kind(header) != ObjectKind::Closure as u8 {
            return;
        }
        // SAFETY: each closure of the program has a capture: the number, or an environment.
        let capture = unsafe { object.add(8).cast::<u64>().read() };
        let is_separate = capture != CAPTURED;
        found.0[usize::from(is_separate)] += 1;
        // The slots of an environment lie behind the number of them.
        if is_separate && (capture + 8) % 16 != 0 {
            found.1.push(capture);
        }
        if start / CACHE_LINE != (start + size - 1) / CACHE_LINE {
            found.1.push(start);
        }
    };
    // SAFETY: compiled code calls this with a region of its own.
    unsafe { oxbow_runtime::for_each_object(region, look) };
}

/// Closures of up to a cache line lie in one, whatever lies before them in a region, over several pages; slots of
/// environments lie at multiples of 16.
/// covers: C9, K2
#[test]
fn closures_in_regions_lie_well() {
    let list = |text: &str, count: usize| vec![text; count].join(", ");
    let mut text: String = (1..=6)
        .map(|it| {
            let captures = list("i64", it);
            ["f", "g"].map(|name| {
                let body = "ocaml.return %x : i64";
                format!(
                    "ocaml.func @{name}{it}(%x: i64) -> i64 captures({captures}) {{ {body} }}\n"
                )
            })
        })
        .map(|it| it.concat())
        .collect();
    text += &format!(
        "ocaml.func @oxbow_program_main() -> i1 attributes {{exported}} {{\n\
         %n = arith.constant {CAPTURED} : i64\n\
         %r = ocaml.region.enter [!ocaml.closure<(i64) -> i64>] {{walked}}\n"
    );
    let mut random = 1_u64;
    let mut closures = [0; 2];
    for at in 0..1000 {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let count = (random >> 33) as usize % 6 + 1;
        let (values, types) = (list("%n", count), list("i64", count));
        text += &match random >> 62 {
            0 => format!(
                "%o{at} = ocaml.region.block in %r 0({values}) : ({types}) -> !ocaml.tuple<{types}>\n"
            ),
            kind => {
                let separate = kind == 1;
                closures[usize::from(separate)] += 1;
                let (name, mark) = if separate { ("g", " {separate}") } else { ("f", "") };
                format!(
                    "%o{at} = ocaml.region.closure in %r @{name}{count}({values}){mark} : ({types}) -> \
                     !ocaml.closure<(i64) -> i64>\n"
                )
            }
        };
    }
    text += "ocaml.region.leave %r {walked}\n%done = arith.constant false\n\
             ocaml.return %done : i1\n}\n";
    for entry in ["stack_overflow", "flush"] {
        text += &format!(
            "ocaml.func @oxbow_program_{entry}() -> i1 attributes {{exported}} {{\n\
             %done = arith.constant false\nocaml.return %done : i1\n}}\n"
        );
    }
    let context = oxbow_dialect::context();
    let module = Module::parse(&context, &text).expect("it is valid");
    oxbow_opt::plan(&module, &context);
    let options = LoweringOptions { verify: true, ..Default::default() };
    let lowered = oxbow_backend::lower_to_llvm_dialect(&module, &context, options);
    let symbols: Vec<_> = oxbow_runtime::symbols()
        .map(|(name, address)| match name {
            "oxbow_region_walk" => (name, walk as *const () as usize),
            _ => (name, address as usize),
        })
        .collect();
    for level in [OptLevel::O0, OptLevel::O2] {
        let loaded = oxbow_backend::jit(&lowered, level.into(), &symbols);
        let _running = RUNNING.lock().unwrap_or_else(|it| it.into_inner());
        *IN_REGIONS.lock().expect("not poisoned") = ([0; 2], Vec::new());
        // SAFETY: the program is loaded until the end of the block.
        unsafe { loaded.main()() };
        let found = IN_REGIONS.lock().expect("not poisoned").clone();
        assert_eq!(found, (closures, Vec::new()), "at {level:?}");
    }
}

#[test]
fn recursion() {
    check(
        r#"
rec @fib: int -> int =
  fn @fib(n: int) noraise -> int =
    if lt n, 2 then n else int.add {@fib!({int.sub n, 1})}, {@fib!({int.sub n, 2})};
do @print_int!(@fib!(25));
"#,
        "75025 end",
    );
}

#[test]
fn arithmetic_of_63_bits() {
    check(
        r#"
let @max: int = opaque 4611686018427387903;
let @min: int = opaque -4611686018427387904;
let @seven: int = opaque 7;
let @minus: int = opaque -2;
do @print_int!({int.add @max, 1});
do @print_int!({int.sub @min, 1});
do @print_int!({int.mul @max, 2});
do @print_int!({int.mul @seven, @minus});
do @print_int!({int.unsafe_div @seven, @minus});
do @print_int!({int.unsafe_mod @seven, @minus});
do @print_int!({int.unsafe_div @min, {opaque -1}});
do @print_int!({int.neg @seven});
do @print_int!({int.lsr @minus, 1});
do @print_int!({int.asr @minus, 1});
do @print_int!({int.shl @seven, 3});
do @print_int!({int.xor @seven, @minus});
do @print_int!({int32.to_int {int32.unsafe_div {int.to_int32 {opaque 2147483648}}, {int.to_int32 {opaque -1}}}});
do @print_int!({float.to_int 2.9});
do @print_int!({compare {opaque 1.5}, 2.5});
do @print_float!({float.sqrt {int.to_float {opaque 16}}});
do @print_float!({float.sin {opaque 0.0}});
do @print_int!({char.code {char.unsafe_chr {opaque 321}}});
"#,
        "-4611686018427387904 4611686018427387903 -2 -14 -3 1 -4611686018427387904 -7 \
         4611686018427387903 -1 56 -7 -2147483648 2 -1 4 0 65 end",
    );
}

#[test]
fn closures_capture_values_and_variables() {
    check(
        r#"
let @make: int -> int -> int =
  fn @make(k: int) -> int -> int =
    fn @add(x: int) captures(k: int) repr(flat) -> int = int.add x, k;
let @iter: (int -> unit) -> int -> unit =
  fn @iter(f: int -> unit, n: int) -> unit = for i: int = 1 to n do f(i);
do {
  let add2: int -> int = @make!(2);
  let add5: int -> int = @make!(5);
  @print_int!(add2(10));
  @print_int!(add5(10))
};
let @sum: int -> int =
  fn @sum(n: int) -> int = {
    let mut total: int = 0;
    let add: int -> unit = fn @bump(i: int) captures(&total: int) repr(flat) -> unit = total := int.add total, i;
    @iter!(add, n);
    total
  };
do @print_int!(@sum!(10));
let @floats: float -> int -> float -> float =
  fn @floats(a: float, b: int) -> float -> float =
    fn (x: float) captures(a: float, b: int) -> float = float.add a, {float.mul x, {int.to_float b}};
do @print_float!({@floats!(1.5, 2)}(4.0));
"#,
        "12 15 55 9.5 end",
    );
}

#[test]
fn partial_and_over_application() {
    check(
        r#"
let @three: int -> int -> int -> int =
  fn @three(a: int, b: int, c: int) -> int = int.add {int.mul a, 100}, {int.add {int.mul b, 10}, c};
let @curried: int -> int -> int -> int =
  fn @curried(a: int) -> int -> int -> int =
    fn (b: int) captures(a: int) -> int -> int =
      fn (c: int) captures(a: int, b: int) -> int = @three!(a, b, c);
let @two_one: int -> int -> int -> int =
  fn @two_one(a: int, b: int) -> int -> int =
    fn (c: int) captures(a: int, b: int) -> int = @three!(a, b, c);
let @all: (int -> int -> int -> int) -> unit =
  fn @all(f: int -> int -> int -> int) -> unit = {
    @print_int!(f(1, 2, 3));
    @print_int!({f(1, 2)}(3));
    @print_int!({f(1)}(2, 3));
    let g: int -> int -> int = f(4);
    let h: int -> int = g(5);
    @print_int!(h(6));
    @print_int!(h(7));
    @print_int!(g(8, 9))
  };
do @all!(@three);
do @all!(@curried);
do @all!(@two_one);
do @all!({fn (a: int) -> int -> int -> int = {@two_one(a)}});
"#,
        &("123 123 123 456 457 489 ".repeat(4) + "end"),
    );
}

#[test]
fn variants_and_records() {
    check(
        r#"
type list<'a> = | Nil | Cons('a, list<'a>);
type color = | Red | Green | Blue;
type shape = | Empty | Circle(float) | Square(float) | Unknown | Rect(float, float) | Tagged(color, bool, shape);
type point = {mut x: int, y: float, b: bool};
rec @sum: list<int> -> int =
  fn @sum(l: list<int>) noraise -> int =
    switch l of { Nil -> 0; Cons -> int.add {l->Cons->0}, {@sum!(l->Cons->1)}; };
rec @build: int -> list<int> =
  fn @build(n: int) noraise -> list<int> =
    if eq n, 0 then list<int>::Nil else list<int>::Cons(n, {@build!({int.sub n, 1})});
do @print_int!(@sum!(@build!(100)));
rec @area: shape -> float =
  fn @area(s: shape) noraise -> float =
    switch s of {
      Empty -> 0.0; Unknown -> -1.0;
      Circle -> {s->Circle->0}; Square -> float.mul {s->Square->0}, {s->Square->0};
      Rect -> float.mul {s->Rect->0}, {s->Rect->1};
      Tagged -> if {s->Tagged->1} then @area!(s->Tagged->2) else 0.5;
    };
do @print_float!(@area!(opaque shape::Empty));
do @print_float!(@area!(opaque shape::Unknown));
do @print_float!(@area!(shape::Circle(3.5)));
do @print_float!(@area!(shape::Tagged({color::Green}, true, {shape::Rect(2.0, 4.5)})));
let @name: color -> string =
  fn @name(c: color) noraise -> string = switch c of { Red -> "r"; Green -> "g"; _ -> "b"; };
do @print!(@name!(opaque color::Green));
do @print!(@name!(opaque color::Blue));
do {
  let p: point = point{x = 1, y = 2.5, b = true};
  p->x <- int.add {p->x}, 41;
  @print_int!(p->x);
  @print_float!(p->y);
  if {p->b} then @print!("yes ") else @print!("no ")
};
let @swap: (int * float) -> (float * int) =
  fn @swap(p: (int * float)) noraise inline(never) -> (float * int) = (p->1, p->0);
do {
  let q: (float * int) = @swap!(({opaque 3}, 4.5));
  @print_float!(q->0);
  @print_int!(q->1);
  let t: (int * float * string) = (1, 2.5, "three ");
  @print!(t->2);
  @print_float!(t->1)
};
do @print_int!(@sum!(static list<int>::Cons(4, static list<int>::Cons(5, list<int>::Nil))));
"#,
        "5050 0 -1 3.5 9 gb42 2.5 yes 4.5 3 three 2.5 9 end",
    );
}

#[test]
fn exceptions() {
    check(
        r#"
let @find: int -> int =
  fn @find(n: int) inline(never) -> int =
    if lt n, 0 then raise[int] (exn Not_found()) else
    if eq n, 0 then raise[int] (exn Failure("zero ")) else n;
let @guarded: int -> int =
  fn @guarded(n: int) -> int =
    try int.add {@find!(n)}, 1000 with e ->
      switch e of { exn Not_found -> -1; exn Failure -> { @print!(e->exn Failure->0); -2 }; _ -> raise[int] e; };
do @print_int!(@guarded!(5));
do @print_int!(@guarded!(-5));
do @print_int!(@guarded!(0));
let @nested: int -> int =
  fn @nested(n: int) -> int =
    try { try @find!(n) with e -> raise[int] (exn Failure("again ")) } with f -> { @print!(f->exn Failure->0); 7 };
do @print_int!(@nested!(-1));
do @print_int!(try raise[int] (exn Not_found()) with e -> 3);
do @print_int!(@find!(-3));
do @print!("not reached");
"#,
        "1005 -1 zero -2 again 7 3 uncaught Not_found",
    );
}

#[test]
fn tail_calls_take_no_stack() {
    check(
        r#"
rec @loop: int -> int -> int =
  fn @loop(n: int, acc: int) noraise inline(never) -> int =
    if eq n, 0 then acc else @loop!({int.sub n, 1}, {int.add acc, n});
do @print_int!(@loop!(10000000, 0));
rec @even: int -> bool, @odd: int -> bool =
  fn @even(n: int) inline(never) -> bool = if eq n, 0 then true else @odd!({int.sub n, 1})
  and fn @odd(n: int) inline(never) -> bool = if eq n, 0 then false else @even!({int.sub n, 1});
do if @even!(10000000) then @print!("even ") else @print!("odd ");
rec @cps: int -> (int -> int) -> int =
  fn @cps(n: int, k: int -> int) inline(never) -> int =
    if eq n, 0 then k(0) else @cps!({int.sub n, 1}, {fn (r: int) captures(k: int -> int) -> int = k({int.add r, 1})});
do @print_int!(@cps!(100000, {fn (r: int) -> int = r}));
rec @wide: int -> int -> int -> int -> int -> int -> int -> float -> float -> float -> float -> float -> float -> float -> float -> float -> int,
    @narrow: int -> int -> int =
  fn @wide(n: int, b: int, c: int, d: int, e: int, f: int, g: int,
           x1: float, x2: float, x3: float, x4: float, x5: float, x6: float, x7: float, x8: float, x9: float) inline(never) -> int =
    if eq n, 0 then int.add g, {float.to_int x9} else @narrow!({int.sub n, 1}, {int.add g, 1})
  and fn @narrow(n: int, g: int) inline(never) -> int =
    if eq n, 0 then g else @wide!({int.sub n, 1}, 2, 3, 4, 5, 6, g, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0);
do @print_int!(@wide!(1000000, 2, 3, 4, 5, 6, 7, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0));
let @step: (int -> int -> int -> int -> int -> int -> int -> int) -> int -> int =
  fn @step(f: int -> int -> int -> int -> int -> int -> int -> int, n: int) inline(never) -> int = f(n, 1, 2, 3, 4, 5, 6);
rec @again: int -> int -> int -> int -> int -> int -> int -> int =
  fn @again(n: int, a: int, b: int, c: int, d: int, e: int, f: int) inline(never) -> int =
    if eq n, 0 then f else @step!(@again, {int.sub n, 1});
do @print_int!(@again!(1000000, 1, 2, 3, 4, 5, 6));
"#,
        "50000005000000 even 100000 500016 6 end",
    );
}

#[test]
fn local_functions() {
    check(
        r#"
let @sum_to: int -> int =
  fn @sum_to(n: int) -> int = {
    rec loop: int -> int -> int =
      fn @loop(i: int, acc: int) captures(n: int, loop: int -> int -> int) repr(lifted) noraise -> int =
        if gt i, n then acc else loop!({int.add i, 1}, {int.add acc, i});
    loop!(1, 0)
  };
do @print_int!(@sum_to!(100));
let @counter: int -> int =
  fn @counter(n: int) -> int = {
    let mut count: int = 0;
    let tick: int -> unit =
      fn @tick(by: int) captures(&count: int) repr(lifted) noraise -> unit = count := int.add count, by;
    for i: int = n downto 1 do tick!(i);
    let mut i: int = 0;
    while lt i, 3 do { i := int.add i, 1; tick!(1000) };
    count
  };
do @print_int!(@counter!(4));
let @parity: int -> int -> bool =
  fn @parity(k: int) inline(never) -> int -> bool = {
    rec even: int -> bool, odd: int -> bool =
      fn @even(n: int) captures(k: int, odd: int -> bool) repr(flat) -> bool =
        if eq n, k then true else odd!({int.sub n, 1})
      and fn @odd(n: int) captures(k: int, even: int -> bool) repr(flat) -> bool =
        if eq n, k then false else even!({int.sub n, 1});
    even
  };
do if {@parity!(3)}(1000003) then @print!("even ") else @print!("odd ");
let @self: int -> int -> int =
  fn @self(k: int) inline(never) -> int -> int = {
    rec go: int -> int =
      fn @go(n: int) captures(k: int, go: int -> int) repr(flat) -> int =
        if eq n, 0 then k else go!({int.sub n, 1});
    go
  };
do @print_int!({@self!(9)}(1000000));
let @constant: int -> int =
  fn @constant(n: int) -> int = {
    let inc: int -> int = fn @inc(x: int) repr(flat) -> int = int.add x, 1;
    let twice: (int -> int) -> int -> int =
      fn @twice(f: int -> int, x: int) repr(flat) -> int = f(f(x));
    twice!(inc, n)
  };
do @print_int!(@constant!(5));
let @lifted_chain: int -> int =
  fn @lifted_chain(n: int) -> int = {
    let a: int -> int = fn @a(x: int) captures(n: int) repr(lifted) noraise -> int = int.add x, n;
    let b: int -> int -> int =
      fn @b(x: int) captures(a: int -> int) repr(flat) -> int -> int =
        fn @c(y: int) captures(x: int, a: int -> int) repr(flat) -> int = int.mul {a!(x)}, {a!(y)};
    {b(1)}(2)
  };
do @print_int!(@lifted_chain!(10));
"#,
        "5050 3010 even 9 7 132 end",
    );
}

#[test]
fn arrays_and_strings() {
    check(
        r#"
do {
  let a: array<int> = array.unsafe_make 10, 7;
  for i: int = 0 to 9 do array.unsafe_set a, i, {int.mul i, i};
  let mut s: int = 0;
  for i: int = 0 to {int.sub {array.length a}, 1} do s := int.add s, {array.unsafe_get a, i};
  @print_int!(s)
};
do {
  let a: array<float> = array<float>[1.5, 2.5, 3.5];
  let b: array<float> = array.unsafe_make 3, 0.0;
  array.unsafe_blit a, 1, b, 0, 2;
  @print_float!({array.unsafe_get b, 1});
  @print_int!({array.length b})
};
do {
  let pairs: array<(int * float)> = array.unsafe_make 3, (4, 0.5);
  array.unsafe_set pairs, 1, (5, 1.5);
  @print_int!({array.unsafe_get pairs, 1}->0);
  @print_float!({array.unsafe_get pairs, 2}->1);
  let flags: array<bool> = array<bool>[true, false];
  if {array.unsafe_get flags, 0} then @print!("t ") else @print!("f ");
  let e: array<string> = array<string>[];
  @print_int!({array.length e})
};
let @kind: string -> int =
  fn @kind(s: string) noraise -> int = switch s of { "one" -> 1; "two" -> 2; "" -> 0; _ -> -1; };
do {
  @print_int!(@kind!({string.concat "t", "wo"}));
  @print_int!(@kind!(""));
  @print_int!(@kind!("three"));
  let b: bytes = bytes.create 4;
  bytes.unsafe_fill b, 0, 4, 'x';
  bytes.unsafe_set b, 1, 'y';
  bytes.unsafe_set16 b, 2, 16961;
  @print!({bytes.unsafe_to_string b});
  if lt "abc", "abd" then @print!(" less ") else @print!(" not ");
  @print_int!({compare "b", "a"});
  @print_int!({char.code {string.unsafe_get "hello", 1}});
  if physeq "x", {opaque "y"} then @print!("same") else @print!("other ")
};
let @classify: int -> string =
  fn @classify(n: int) noraise -> string = switch n of { 0 -> "zero "; 1 -> "one "; -5 -> "minus "; 1000000 -> "big "; _ -> "many "; };
do { @print!(@classify!(0)); @print!(@classify!(-5)); @print!(@classify!(1000000)); @print!(@classify!(17)) };
let @letter: char -> int = fn @letter(c: char) noraise -> int = switch c of { 'a' -> 1; 'b' -> 2; _ -> 3; };
do @print_int!(@letter!('b'));
"#,
        "285 3.5 3 5 0.5 t 0 2 0 -1 xyAB less 1 101 other zero minus big many 2 end",
    );
}

#[test]
fn join_points() {
    check(
        r#"
let @collatz: int -> int =
  fn @collatz(n: int) noraise -> int = {
    join rec step(m: int, count: int) =
      if eq m, 1 then count else
      if eq {int.and m, 1}, 0 then jump[int] step({int.unsafe_div m, 2}, {int.add count, 1})
      else jump[int] step({int.add {int.mul m, 3}, 1}, {int.add count, 1});
    jump[int] step(n, 0)
  };
do @print_int!(@collatz!(27));
let @shared: int -> string =
  fn @shared(n: int) noraise -> string = {
    join other(u: unit) = "other ";
    if eq n, 0 then "zero " else if lt n, 0 then jump[string] other(()) else if gt n, 9 then jump[string] other(()) else "digit "
  };
do { @print!(@shared!(0)); @print!(@shared!(-3)); @print!(@shared!(5)); @print!(@shared!(50)) };
let @from_try: int -> int =
  fn @from_try(n: int) -> int = {
    let r: int = {
      join out(x: int) = int.mul x, 2;
      try { if eq n, 0 then jump[int] out(21) else if eq n, 1 then raise[int] (exn Not_found()) else n } with e -> jump[int] out(4)
    };
    int.add r, 1
  };
do { @print_int!(@from_try!(0)); @print_int!(@from_try!(1)); @print_int!(@from_try!(2)) };
"#,
        "111 zero other digit other 43 9 3 end",
    );
}

#[test]
fn objects_in_the_frame_and_constants() {
    check(
        r#"
type list<'a> = | Nil | Cons('a, list<'a>);
type cell<'a> = {mut contents: 'a};
let @frame: int -> int =
  fn @frame(n: int) inline(never) -> int = {
    let c: cell<int> = stack cell<int>{contents = n};
    let t: (int * int * float) = stack (n, 2, 3.5);
    let f: int -> int = stack fn (x: int) captures(c: cell<int>, t: (int * int * float)) -> int = {
      c->contents <- int.add {c->contents}, x;
      int.add {c->contents}, {t->1}
    };
    int.add {f(1)}, {f(10)}
  };
do @print_int!(@frame!(100));
let @constants: array<(int * string)> = array<(int * string)>[(1, "one "), (2, "two ")];
do @print!({array.unsafe_get @constants, 1}->1);
let @table: list<(int * bool)> =
  static list<(int * bool)>::Cons((7, true), static list<(int * bool)>::Cons((8, false), list<(int * bool)>::Nil));
do switch @table of { Nil -> (); Cons -> if {@table->Cons->0}->1 then @print_int!({@table->Cons->0}->0) else (); };
let @function: cell<int -> int> = cell<int -> int>{contents = {fn (x: int) -> int = int.add x, 1}};
do @function->contents <- {fn (x: int) -> int = int.mul x, 2};
do @print_int!({@function->contents}(21));
"#,
        "225 two 7 42 end",
    );
}

/// Closures with many captures and calls with many arguments.
#[test]
fn any_number_of_captures_and_arguments() {
    for count in [1, 2, 5, 6, 7, 8, 16, 17, 33, 65, 200] {
        let names: Vec<_> = (0..count).map(|it| format!("v{it}")).collect();
        let typed =
            |sign: &str| names.iter().map(|it| format!("{it}: int")).collect::<Vec<_>>().join(sign);
        let sum = names.iter().fold("0".to_string(), |sum, it| format!("int.add {it}, {{{sum}}}"));
        let lets: String = names
            .iter()
            .enumerate()
            .map(|(at, it)| format!("let {it}: int = opaque {at};"))
            .collect();
        let arrows = "int -> ".repeat(count);
        let numbers = (0..count).map(|it| it.to_string()).collect::<Vec<_>>().join(", ");
        let expected: usize = (0..count).sum();
        check(
            &format!(
                r#"
let @call: (unit -> int) -> int = fn @call(f: unit -> int) inline(never) -> int = f(());
do {{ {lets} @print_int!(@call!(fn (u: unit) captures({captures}) -> int = {sum})) }};
let @many: {arrows}int = fn @many({params}) inline(never) -> int = {sum};
let @apply: ({arrows}int) -> int = fn @apply(f: {arrows}int) inline(never) -> int = f({numbers});
do @print_int!(@many!({numbers}));
do @print_int!(@apply!(@many));
let @partial: {arrows}int = opaque @many;
do {{ let f: {rest}int = @partial(0); @print_int!({more}) }};
"#,
                captures = typed(", "),
                params = typed(", "),
                rest = "int -> ".repeat(count - 1),
                more = match count {
                    1 => "f".into(),
                    _ => format!(
                        "f({})",
                        (1..count).map(|it| it.to_string()).collect::<Vec<_>>().join(", ")
                    ),
                },
            ),
            &format!("{expected} {expected} {expected} {expected} end"),
        );
    }
}

/// A long list literal and a long chain of bindings do not use the stack.
#[test]
fn long_sequences() {
    let count = 20_000;
    let lower = move || {
        let bindings: String =
            (1..=count).map(|it| format!("let a{it}: int = int.add a{}, 1; ", it - 1)).collect();
        let text = format!(
            "type list = | Nil | Cons(int, list);\n\
             let @empty: list = list::Nil;\n\
             do {{ let a0: int = opaque 0; {bindings} @print_int!(a{count}) }};"
        );
        let (mut program, sources) = program(&text);
        let Some(ItemKind::Let { value, .. }) =
            program.items.iter_mut().map(|it| &mut it.kind).find(|it| {
                matches!(it, ItemKind::Let { var, .. } if
                program.vars[*var].name.as_str() == "empty")
            })
        else {
            panic!("the list is there")
        };
        let (ty, span) = (program.nodes[*value].ty, program.nodes[*value].span);
        for _ in 0..count {
            let kind = NodeKind::Const(Const::Int(IntWidth::I63, 1));
            let head = program.nodes.push(Node {
                kind,
                ty: program.types.int,
                span,
                storage: Storage::Counted,
            });
            let kind = NodeKind::Construct { ctor: 1, args: vec![head, *value] };
            *value = program.nodes.push(Node { kind, ty, span, storage: Storage::Counted });
        }
        let context = oxbow_dialect::context();
        let module = oxbow_lower::run(&program, &sources, &context);
        oxbow_opt::plan(&module, &context);
        let lowered =
            oxbow_backend::lower_to_llvm_dialect(&module, &context, LoweringOptions::default());
        drop(lowered);
    };
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(lower);
    thread.expect("a thread").join().expect("it fits a small stack");
}

#[test]
fn same_input_same_output() {
    let text = "let @f: (int -> int -> int) -> int = fn @f(g: int -> int -> int) -> int = g(1, 2);\n\
                do @print_int!(@f!(fn (a: int, b: int) -> int = int.add a, b));\n\
                do @print_int!(@f!(fn (a: int) -> int -> int = fn (b: int) captures(a: int) -> int = int.sub a, b));";
    let object = || {
        let (program, sources) = program(text);
        let context = oxbow_dialect::context();
        let module = oxbow_lower::run(&program, &sources, &context);
        oxbow_opt::plan(&module, &context);
        let options = LoweringOptions { debug_info: true, ..Default::default() };
        let lowered = oxbow_backend::lower_to_llvm_dialect(&module, &context, options);
        oxbow_backend::emit(&lowered, OptLevel::O2.into(), Output::Object)
    };
    assert!(object() == object());
}
