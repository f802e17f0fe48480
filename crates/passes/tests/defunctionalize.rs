//! What becomes of functions that are held as data in small programs.

use oxbow_passes::defunctionalize::{Reason, Set, run};
use oxbow_psg::interp::{self, MemoryHost, Options, Outcome};
use oxbow_psg::{LambdaId, Mono, NodeKind, Program, captures, print, read, verify, walk};

const PRELUDE: &str = r#"
type functions = | Nil | Cons(int -> int, functions);
library let @print_int: int -> unit = fn @print_int(n: int) -> unit = {
  let s: string = string.concat (format.int "%d", n), " ";
  io.write 1, (bytes.unsafe_of_string s), 0, (string.length s);
  ()
};
rec @apply_all: functions -> int -> int =
  fn @apply_all(l: functions, x: int) -> int =
    switch l of {
      Nil -> x;
      Cons -> {
        let f: int -> int = l->Cons->0;
        @apply_all(l->Cons->1, f(x))
      };
    };
"#;

fn interpret(program: &Program<Mono>) -> (Outcome, String) {
    let mut host = MemoryHost::new(Vec::new(), Vec::new());
    let options = Options { step_limit: Some(1_000_000), depth_limit: 1_000 };
    let outcome = interp::run(program, &mut host, options);
    (outcome, String::from_utf8_lossy(&host.stdout).into_owned())
}

/// The program behind the pass, which prints what it did before, and the sets of its functions.
fn converted(text: &str, output: &str, is_fixed: bool) -> (Program<Mono>, Vec<Set>) {
    let text = format!("{PRELUDE}\n{text}");
    let mut program: Program<Mono> = match read::read(&text) {
        Ok(program) => program,
        Err(error) => panic!("{}: {}", error.line, error.message),
    };
    captures::fill_all(&mut program);
    let expected = (Outcome::Exit(0), output.to_string());
    assert_eq!(interpret(&program), expected, "before");
    let (program, sets) = run(program, &|_| is_fixed);
    if let Err(error) = verify::verify_mono(&program) {
        panic!("{error}\n{}", print::program(&program));
    }
    assert_eq!(interpret(&program), expected, "{}", print::program(&program));
    (program, sets)
}

/// Functions that are written inside of others, by name.
fn inner_functions(program: &Program<Mono>) -> Vec<String> {
    let items: Vec<LambdaId> = program
        .items
        .iter()
        .flat_map(|it| it.kind.roots())
        .filter_map(|root| match program.nodes[root].kind {
            NodeKind::Lambda(lambda) => Some(lambda),
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    walk::for_each_reachable(program, |node| {
        if let NodeKind::Lambda(lambda) = program.nodes[node].kind
            && !items.contains(&lambda)
        {
            found.push(program.lambdas[lambda].name.map_or("?".into(), |it| it.to_string()));
        }
    });
    found.sort();
    found
}

/// The sizes of the sets, and why their functions stay closures.
fn summary(sets: &[Set]) -> Vec<(usize, Option<Reason>)> {
    let mut all: Vec<_> = sets.iter().map(|it| (it.members.len(), it.closures)).collect();
    all.sort_by_key(|it| it.0);
    all
}

const CHAIN: &str = "
rec @chain: int -> functions = fn @chain(n: int) -> functions =
  if eq n, 0 then functions::Nil
  else if eq n, 1 then functions::Cons(fn @twice(x: int) -> int = int.mul x, 2, @chain(int.sub n, 1))
  else functions::Cons(fn @add(x: int) -> int = int.add x, n, @chain(int.sub n, 1));
do @print_int(@apply_all(@chain(3), 10));
";

#[test]
fn functions_in_data_become_constructors() {
    let (program, sets) = converted(CHAIN, "30 ", false);
    assert_eq!(summary(&sets), [(2, None)]);
    assert!(inner_functions(&program).is_empty(), "{}", print::program(&program));
}

#[test]
fn a_documented_layout_stays() {
    let (program, sets) = converted(CHAIN, "30 ", true);
    assert_eq!(summary(&sets), [(2, Some(Reason::Layout))]);
    assert_eq!(inner_functions(&program), ["add", "twice"]);
}

#[test]
fn functions_that_are_compared_stay() {
    let text = format!(
        "{CHAIN}
let @same: functions -> functions -> bool = fn @same(a: functions, b: functions) -> bool =
  switch a of {{
    Nil -> false;
    Cons -> switch b of {{ Nil -> false; Cons -> physeq (a->Cons->0), (b->Cons->0); }};
  }};
do if @same(@chain(1), @chain(2)) then @print_int(1) else @print_int(0);
"
    );
    let (program, sets) = converted(&text, "30 0 ", false);
    assert_eq!(summary(&sets), [(2, Some(Reason::Compared))]);
    assert_eq!(inner_functions(&program), ["add", "twice"]);
}

#[test]
fn a_partial_application_is_a_constructor() {
    let text = "
let @sum: int -> int -> int = fn @sum(a: int, b: int) -> int = int.add a, b;
rec @chain: int -> functions = fn @chain(n: int) -> functions =
  if eq n, 0 then functions::Nil
  else if eq n, 1 then functions::Cons(fn @twice(x: int) -> int = int.mul x, 2, @chain(int.sub n, 1))
  else functions::Cons(@sum(n), @chain(int.sub n, 1));
do @print_int(@apply_all(@chain(4), 0));
";
    let (program, sets) = converted(text, "18 ", false);
    let mut given: Vec<usize> = sets.iter().flat_map(|it| &it.members).map(|it| it.1).collect();
    given.sort();
    assert_eq!((given, summary(&sets)), (vec![0, 1], vec![(2, None)]));
    assert!(inner_functions(&program).is_empty(), "{}", print::program(&program));
}

#[test]
fn functions_that_are_only_called_are_left_alone() {
    let text = "
do {
  let n: int = 5;
  let add: int -> int = fn @add(x: int) -> int = int.add x, n;
  @print_int(add(add(1)))
};
";
    let (program, sets) = converted(text, "11 ", false);
    assert!(sets.is_empty());
    assert_eq!(inner_functions(&program), ["add"]);
}
