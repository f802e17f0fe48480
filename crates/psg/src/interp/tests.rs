//! Tests of the interpreter on programs built by hand.

use super::{MemoryHost, Options, Outcome, run};
use crate::testing::{Builder, no_span};
use crate::{Callee, IntOp, IntWidth, Item, ItemKind, NodeKind, OrderOp, Prim};

/// `let rec f n = if n < limit then n else op (f (n - 1)) (f (n - 2))`, `exit (f arg)`
fn recursion(arg: i64, limit: i64, second: bool) -> Builder {
    let mut b = Builder::new();
    let (int, boolean) = (b.program.types.int, b.program.types.bool);
    let func_ty = b.program.types.function(&[int], int);
    let (f, n) = (b.var("f", func_ty), b.var("n", int));
    b.program.vars[f].global = true;
    let prim = |b: &mut Builder, op, x, y| {
        b.node(NodeKind::Prim { prim: Prim::Int(IntWidth::I63, op), args: vec![x, y] }, int)
    };
    let call = |b: &mut Builder, less: i64| {
        let (n, k) = (b.use_(n), b.int(less));
        let arg = prim(b, IntOp::Sub, n, k);
        let func = b.use_(f);
        b.node(NodeKind::Apply { func, args: vec![arg], callee: Callee::Unknown }, int)
    };
    let first = call(&mut b, 1);
    let other = if second { call(&mut b, 2) } else { b.int(1) };
    let sum = prim(&mut b, IntOp::Add, first, other);
    let (left, right) = (b.use_(n), b.int(limit));
    let less = Prim::Order(OrderOp::Lt);
    let cond = b.node(NodeKind::Prim { prim: less, args: vec![left, right] }, boolean);
    let then = b.use_(n);
    let body = b.node(NodeKind::If { cond, then, otherwise: sum }, int);
    let lambda = b.lambda("f", &[n], body);
    b.program.items.push(Item {
        kind: ItemKind::LetRec { vars: vec![f], values: vec![lambda] },
        span: no_span(),
        library: false,
    });
    let (func, arg) = (b.use_(f), b.int(arg));
    let call = b.node(NodeKind::Apply { func, args: vec![arg], callee: Callee::Unknown }, int);
    let exit = b.node(NodeKind::Prim { prim: Prim::SysExit, args: vec![call] }, int);
    b.eval(exit);
    b
}

fn outcome(b: &Builder, options: Options) -> Outcome {
    run(&b.program, &mut MemoryHost::new(Vec::new(), Vec::new()), options)
}

#[test]
fn calls_itself() {
    assert_eq!(outcome(&recursion(20, 2, true), Options::default()), Outcome::Exit(6765));
}

#[test]
fn gives_up_after_the_step_limit() {
    let options = Options { step_limit: Some(1000), ..Options::default() };
    assert_eq!(outcome(&recursion(20, 2, true), options), Outcome::StepLimit);
}

#[test]
fn deep_recursion_is_a_fault_without_the_exception() {
    let deep = || outcome(&recursion(500_000, 0, false), Options::default());
    let thread = std::thread::Builder::new().stack_size(2 << 30).spawn(deep);
    let result = thread.expect("a thread").join().expect("no panic");
    assert_eq!(result, Outcome::Fault("stack overflow".into()));
}

#[test]
#[ignore = "a measurement"]
fn speed() {
    let b = recursion(30, 2, true);
    let start = std::time::Instant::now();
    let result = outcome(&b, Options::default());
    eprintln!("{result:?} in {:?}", start.elapsed());
}
