//! What the graph says of small programs.

use oxbow_psg::{Callee, LambdaId, Mono, NodeId, NodeKind, Program, Repr, read, walk};

use super::{Flow, Lifetime, Puts, TailCalls, Why};

fn read(text: &str) -> Program<Mono> {
    match read::read::<Mono>(text) {
        Ok(program) => crate::closure_repr::run(program),
        Err(error) => panic!("{}: {}", error.line, error.message),
    }
}

fn name(program: &Program<Mono>, lambda: LambdaId) -> String {
    program.lambdas[lambda].name.map_or("?".into(), |it| it.to_string())
}

fn lambda(program: &Program<Mono>, wanted: &str) -> (NodeId, LambdaId) {
    let mut found = None;
    walk::for_each_reachable(program, |node| {
        if let NodeKind::Lambda(lambda) = program.nodes[node].kind
            && name(program, lambda) == wanted
        {
            found = Some((node, lambda));
        }
    });
    found.expect("the program has a function of this name")
}

/// What the calls through closures in a function reach, `*` for what is not known.
fn reached(program: &Program<Mono>, function: &str) -> Vec<String> {
    let flow = Flow::new(program);
    let body = program.lambdas[lambda(program, function).1].body;
    let mut found = Vec::new();
    walk::for_each_node_in_function(program, body, |node| {
        if let NodeKind::Apply { callee: Callee::Unknown, .. } = program.nodes[node].kind {
            let callees = flow.functions().called(node).expect("a call through a closure");
            found.extend(callees.known.iter().map(|it| name(program, it.lambda)));
            found.extend(callees.open.then(|| "*".into()));
        }
    });
    found.sort();
    found.dedup();
    found
}

/// The closures of a program by name, with whether they outlive their frames.
fn closures(text: &str) -> Vec<(String, bool)> {
    let program = read(text);
    let flow = Flow::new(&program);
    let lifetime = Lifetime::new(&program, &flow, TailCalls::EndFrames);
    let mut found = Vec::new();
    walk::for_each_reachable(&program, |node| {
        if let NodeKind::Lambda(lambda) = program.nodes[node].kind {
            let it = &program.lambdas[lambda];
            if it.repr == Repr::Flat && !it.captures.is_empty() {
                found.push((name(&program, lambda), lifetime.escapes(&flow, node)));
            }
        }
    });
    found.sort();
    found
}

/// Bounded by the frame when it is only called, not when it is returned.
/// covers: C3
#[test]
fn called_or_returned() {
    let text = "\
let @kept: int -> int -> int =
  fn @kept(k: int) -> int -> int = fn @kept_inner(x: int) captures(k: int) -> int = int.add x, k;
let @pick: bool -> int -> int =
  fn @pick(b: bool, k: int) -> int = {
    let f: int -> int = if b then fn @one(x: int) captures(k: int) -> int = int.add x, k
      else fn @two(x: int) captures(k: int) -> int = int.mul x, k;
    int.add f(1), f(2)
  };
do opaque @kept;
do opaque @pick;
";
    let found = closures(text);
    assert_eq!(found, [("kept_inner".into(), true), ("one".into(), false), ("two".into(), false)]);
}

const APPLY: &str = "\
let @apply: (int -> int) -> int -> int =
  fn @apply(f: int -> int, x: int) -> int = int.add f(x), 1;
let @user: int -> int =
  fn @user(k: int) -> int = int.add
    @apply((fn @one(x: int) captures(k: int) -> int = int.add x, k), 1),
    @apply((fn @two(x: int) captures(k: int) -> int = int.mul x, k), 2);
";

/// The functions that callers give are those that a parameter can be.
#[test]
fn a_call_reaches_what_callers_give() {
    let program = read(&format!("{APPLY}do @user(1);\n"));
    assert_eq!(reached(&program, "apply"), ["one", "two"]);
}

/// Who is hidden from the compiler may be called by anybody, and may call with anything.
#[test]
fn what_is_hidden_is_not_known() {
    let program = read(&format!("{APPLY}do opaque @apply;\ndo @user(1);\n"));
    assert_eq!(reached(&program, "apply"), ["*", "one", "two"]);
}

/// A place with too many functions is given up, and nothing is lost by it.
#[test]
fn many_functions_are_not_told_apart() {
    let mut text = APPLY.to_string();
    for index in 0..40 {
        text += &format!("do @apply((fn @f{index}(x: int) -> int = int.add x, {index}), 1);\n");
    }
    let program = read(&text);
    assert!(reached(&program, "apply").contains(&"*".to_string()));
    let flow = Flow::new(&program);
    assert!((0..40).all(|it| flow.functions().is_exposed(lambda(&program, &format!("f{it}")).1)));
}

/// The way out of the frame ends where the object is out of reach.
#[test]
fn a_path_is_told_to_its_end() {
    let program = read(
        "\
let @kept: int -> (int * int -> int * int) =
  fn @kept(k: int) -> (int * int -> int * int) = {
    let f: int -> int = fn @inner(x: int) captures(k: int) -> int = int.add x, k;
    (k, f, k)
  };
do opaque @kept;
",
    );
    let flow = Flow::new(&program);
    let lifetime = Lifetime::new(&program, &flow, TailCalls::EndFrames);
    let path = lifetime.path(&flow, lambda(&program, "inner").0);
    assert!(matches!(path.last().map(|it| it.why), Some(Why::Lasting)));
    // To `f`, into the tuple, to the result.
    assert_eq!(path.len(), 4);
}

/// What a function stores is found through the functions that it calls.
#[test]
fn arguments_that_are_put_into_others() {
    let program = read(
        "\
type cell = {mut held: int -> int};
let @set: cell -> (int -> int) -> unit =
  fn @set(c: cell, f: int -> int) -> unit = c->held <- f;
let @keep: (int -> int) -> cell -> unit =
  fn @keep(f: int -> int, c: cell) -> unit = @set(c, f);
let @run: cell -> unit =
  fn @run(c: cell) -> unit = {
    let unknown: (int -> int) -> cell -> unit = opaque @keep;
    unknown((fn @one(x: int) -> int = x), c)
  };
do @run(cell{held = fn @two(x: int) -> int = x});
",
    );
    let flow = Flow::new(&program);
    let mut puts = Puts::new(&program, &flow);
    let keep = lambda(&program, "keep").1;
    assert!(puts.moves_into(keep, 0, 1) && !puts.moves_into(keep, 1, 0));
}
