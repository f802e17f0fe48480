//! Typed trees written by hand, built and run by the interpreter.

mod tree;

use tree::{Trees, case};

use crate::ast::Constant;
use crate::tast::{Binding, Case, Expr, ExprKind, ItemKind, PatternKind, RecBinding};

fn codes(reports: &[oxbow_diag::Diagnostic]) -> Vec<&'static str> {
    reports.iter().map(|it| it.code).collect()
}

/// `match a, b with 0, 0 -> 1 | x, y when x < y -> x + y | _, 0 -> 3 | _ -> 4`
#[test]
fn a_guard_at_several_leaves_goes_on_from_each() {
    for (a, b, expected) in [(0, 0, 1), (0, 7, 7), (2, 7, 9), (5, 0, 3), (5, 2, 4), (0, -1, 4)] {
        let mut t = Trees::new();
        let (x, y) = (t.var("x", t.int), t.var("y", t.int));
        let scrutinee = t.tuple(t.num(a), t.num(b));
        let zeros = t.both(t.is(0), t.is(0));
        let vars = t.both(t.bind(x), t.bind(y));
        let right_zero = t.both(t.any(t.int), t.is(0));
        let guard = t.less(t.read(x), t.read(y));
        let sum = t.add(t.read(x), t.read(y));
        let rest = t.any(scrutinee.ty);
        let cases = vec![
            case(zeros, t.num(1)),
            Case { pattern: vars, guard: Some(guard), body: sum },
            case(right_zero, t.num(3)),
            case(rest, t.num(4)),
        ];
        let code = t.matching(scrutinee, cases, Vec::new());
        let (code, reports) = t.exit_code(code);
        assert_eq!(code, Some(expected), "{a} {b}");
        assert!(reports.is_empty(), "{reports:?}");
    }
}

/// `(match l with [a; _] | a :: ([] | _ :: _ :: _) -> a | [] -> 9)`, alternatives in one join.
#[test]
fn alternatives_share_a_body() {
    for (items, expected) in [(vec![], 9), (vec![3], 3), (vec![4, 5], 4), (vec![6, 7, 8], 6)] {
        let mut t = Trees::new();
        let a = t.var("a", t.int);
        let nil = || {
            t.pattern(
                PatternKind::Construct { tycon: t.list_con, ctor: 0, args: Vec::new() },
                t.ints,
            )
        };
        let two = t.cons(t.bind(a), t.cons(t.any(t.int), nil()));
        let longer = t.cons(t.any(t.int), t.cons(t.any(t.int), t.any(t.ints)));
        let others = t.pattern(PatternKind::Or(Box::new(nil()), Box::new(longer)), t.ints);
        let other = t.cons(t.bind(a), others);
        let either = t.pattern(PatternKind::Or(Box::new(two), Box::new(other)), t.ints);
        let empty = nil();
        let list = t.expr(ExprKind::List(items.into_iter().map(|it| t.num(it)).collect()), t.ints);
        let code =
            t.matching(list, vec![case(either, t.read(a)), case(empty, t.num(9))], Vec::new());
        let (code, reports) = t.exit_code(code);
        assert_eq!(code, Some(expected));
        assert!(reports.is_empty(), "{reports:?}");
    }
}

/// `try (match 5 with 1 -> 0) with Match_failure (_, line, column) -> line + column`
#[test]
fn a_failure_tells_the_place() {
    let mut t = Trees::new();
    let (line, column) = (t.var("line", t.int), t.var("column", t.int));
    let body = t.matching(t.num(5), vec![case(t.is(1), t.num(0))], Vec::new());
    let args = vec![t.any(t.int), t.bind(line), t.bind(column)];
    let failure = t.pattern(PatternKind::Exn { exn: t.match_failure, args }, t.exn);
    let sum = t.add(t.read(line), t.read(column));
    let code =
        t.expr(ExprKind::Try { body: Box::new(body), cases: vec![case(failure, sum)] }, t.int);
    let (code, reports) = t.exit_code(code);
    assert_eq!(code, Some(2 + 5));
    assert_eq!(codes(&reports), ["W0008"]);
    assert_eq!(reports[0].primary.as_ref().map(|it| it.text.as_str()), Some("`0` is not covered"));
}

/// `try match raise Not_found / 1 with x -> raise Not_found | exception Not_found -> 4 with _ -> 6`
#[test]
fn cases_for_values_are_not_protected() {
    for (raises, expected) in [(true, 4), (false, 6)] {
        let mut t = Trees::new();
        let x = t.var("x", t.int);
        let scrutinee = if raises { t.raise(t.not_found, t.int) } else { t.num(1) };
        let value_body = t.raise(t.not_found, t.int);
        let not_found = t.pattern(PatternKind::Exn { exn: t.not_found, args: Vec::new() }, t.exn);
        let inner = t.matching(
            scrutinee,
            vec![case(t.bind(x), value_body)],
            vec![case(not_found, t.num(4))],
        );
        let any = t.any(t.exn);
        let code = t
            .expr(ExprKind::Try { body: Box::new(inner), cases: vec![case(any, t.num(6))] }, t.int);
        assert_eq!(t.exit_code(code).0, Some(expected));
    }
}

/// `let rec r = (fun n -> if n < 1 then 0 else 1 + fst r (n + -1)), 30 in fst r 12 + snd r`
fn recursive_pair(t: &mut Trees) -> (RecBinding, Expr) {
    let func_ty = t.arrow(t.int, t.int);
    let ty = t.pair(func_ty, t.int);
    let (r, n) = (t.var("r", ty), t.var("n", t.int));
    let first = |t: &mut Trees| {
        let f = t.var("f", func_ty);
        let pattern = t.both(t.bind(f), t.any(t.int));
        t.matching(t.read(r), vec![case(pattern, t.read(f))], Vec::new())
    };
    let less = t.add(t.read(n), t.num(-1));
    let func = first(t);
    let again = t.call(func, vec![less], t.int);
    let more = t.add(t.num(1), again);
    let cond = t.less(t.read(n), t.num(1));
    let body = t.expr(
        ExprKind::If {
            cond: Box::new(cond),
            then: Box::new(t.num(0)),
            otherwise: Some(Box::new(more)),
        },
        t.int,
    );
    let lambda = t.lambda(n, body);
    let value = t.tuple(lambda, t.num(30));
    let func = first(t);
    let called = t.call(func, vec![t.num(12)], t.int);
    let second = t.var("s", t.int);
    let pattern = t.both(t.any(func_ty), t.bind(second));
    let snd = t.matching(t.read(r), vec![case(pattern, t.read(second))], Vec::new());
    let sum = t.add(called, snd);
    (RecBinding { var: r, value }, sum)
}

#[test]
fn recursive_values_see_themselves_through_a_cell() {
    let mut t = Trees::new();
    let (binding, sum) = recursive_pair(&mut t);
    let code = t.expr(ExprKind::LetRec { bindings: vec![binding], body: Box::new(sum) }, t.int);
    assert_eq!(t.exit_code(code).0, Some(42));

    let mut t = Trees::new();
    let (binding, sum) = recursive_pair(&mut t);
    t.types.vars[binding.var].global = true;
    t.item(ItemKind::LetRec(vec![binding]));
    assert_eq!(t.exit_code(sum).0, Some(42));
}

/// `let rec l = 1 :: l in 0`
#[test]
fn a_constructor_may_hold_itself() {
    let mut t = Trees::new();
    let l = t.var("l", t.ints);
    let args = vec![t.num(1), t.read(l)];
    let value = t.expr(ExprKind::Construct { tycon: t.list_con, ctor: 1, args }, t.ints);
    let bindings = vec![RecBinding { var: l, value }];
    let code = t.expr(ExprKind::LetRec { bindings, body: Box::new(t.num(0)) }, t.int);
    assert_eq!(t.exit_code(code).0, Some(0));
}

/// `let rec l = l; l in 0`
#[test]
fn a_value_that_needs_itself_is_reported() {
    let mut t = Trees::new();
    let l = t.var("l", t.ints);
    let value = t.expr(ExprKind::Sequence(vec![t.read(l), t.read(l)]), t.ints);
    let bindings = vec![RecBinding { var: l, value }];
    let code = t.expr(ExprKind::LetRec { bindings, body: Box::new(t.num(0)) }, t.int);
    assert_eq!(codes(&t.exit_code(code).1), ["E0136"]);
}

/// `let a, (b :: _ as l) = f 1, [20; 3]`, then a second pattern on the same list.
#[test]
fn globals_of_patterns_are_selected() {
    let mut t = Trees::new();
    let (a, b, l) = (t.global("a", t.int), t.global("b", t.int), t.global("l", t.ints));
    let inner = t.cons(t.bind(b), t.any(t.ints));
    let inner = t.pattern(PatternKind::Alias(Box::new(inner), l), t.ints);
    let pattern = t.both(t.bind(a), inner);
    let list = t.expr(ExprKind::List(vec![t.num(20), t.num(3)]), t.ints);
    let value = t.tuple(t.num(1), list);
    t.define(pattern, value);
    let c = t.global("c", t.int);
    let again = t.cons(t.any(t.int), t.cons(t.bind(c), t.any(t.ints)));
    t.define(again, t.read(l));
    let sum = t.add(t.read(b), t.read(c));
    let sum = t.add(t.read(a), sum);
    let (code, reports) = t.exit_code(sum);
    assert_eq!(code, Some(24));
    assert_eq!(codes(&reports), ["W0008", "W0008"]);
}

#[test]
fn primitives_take_their_arguments_one_by_one() {
    let mut t = Trees::new();
    let partial_ty = t.arrow(t.int, t.int);
    let plus = t.plus();
    let partial = t.call(plus, vec![t.num(40)], partial_ty);
    let f = t.var("f", partial_ty);
    let called = t.call(t.read(f), vec![t.num(2)], t.int);
    let binding = Binding { pattern: t.bind(f), value: partial };
    let code = t.expr(
        ExprKind::Let { bindings: vec![binding], as_match: None, body: Box::new(called) },
        t.int,
    );
    assert_eq!(t.exit_code(code).0, Some(42));
}

#[test]
fn long_chains_do_not_use_the_stack() {
    let mut t = Trees::new();
    let mut code = t.num(7);
    for _ in 0..20_000 {
        let (x, y) = (t.var("x", t.int), t.var("y", t.int));
        let pattern = t.both(t.bind(x), t.bind(y));
        let value = t.tuple(t.num(1), t.num(2));
        let bindings = vec![Binding { pattern, value }];
        let rest = t.expr(ExprKind::Sequence(vec![t.read(x), code]), t.int);
        code = t.expr(ExprKind::Let { bindings, as_match: None, body: Box::new(rest) }, t.int);
    }
    let list = t.expr(ExprKind::List((0..20_000).map(|it| t.num(it)).collect()), t.ints);
    let first = t.any(t.ints);
    let bindings = vec![Binding { pattern: first, value: list }];
    let code = t.expr(ExprKind::Let { bindings, as_match: None, body: Box::new(code) }, t.int);
    let (graph, reports) = t.graph(code);
    assert_eq!((graph.items.len(), reports.len()), (1, 0));
}

/// `match c with 'a'..'z' | '_' -> 1 | '0'..'9' -> 2 | '-' -> 3 | _ -> 4`, and few of them.
#[test]
fn characters_go_by_order_or_by_key() {
    let few = [(b'a', 1), (b'z', 4), (b'-', 3), (b'+', 4), (b'_', 1)];
    let many = [
        (b'a', 1),
        (b'q', 1),
        (b'z', 1),
        (b'{', 4),
        (b'_', 1),
        (b'`', 4),
        (b'0', 2),
        (b'9', 2),
        (b':', 4),
        (255, 4),
    ];
    for (last, samples) in [(b'b', few.as_slice()), (b'z', many.as_slice())] {
        for &(char, expected) in samples {
            let t = Trees::new();
            let one = |it: u8| t.pattern(PatternKind::Constant(Constant::Char(it)), t.char);
            let letters = t.pattern(PatternKind::CharRange(b'a', last), t.char);
            let word = t.pattern(PatternKind::Or(Box::new(letters), Box::new(one(b'_'))), t.char);
            let mut cases = vec![case(word, t.num(1))];
            if last == b'z' {
                cases.push(case(t.pattern(PatternKind::CharRange(b'0', b'9'), t.char), t.num(2)));
            }
            cases.push(case(one(b'-'), t.num(3)));
            cases.push(case(t.any(t.char), t.num(4)));
            let scrutinee = t.expr(ExprKind::Constant(Constant::Char(char)), t.char);
            let code = t.matching(scrutinee, cases, Vec::new());
            assert_eq!(t.exit_code(code), (Some(expected), Vec::new()), "{char}");
        }
    }
}

#[test]
fn arrays_go_by_length_and_floats_by_equality() {
    for (items, expected) in [(vec![], 1), (vec![5], 5), (vec![6, 7], 7), (vec![1, 2, 3], 4)] {
        let mut t = Trees::new();
        let (x, y) = (t.var("x", t.int), t.var("y", t.int));
        let array = |items| t.pattern(PatternKind::Array(items), t.array);
        let cases = vec![
            case(array(vec![]), t.num(1)),
            case(array(vec![t.bind(x)]), t.read(x)),
            case(array(vec![t.any(t.int), t.bind(y)]), t.read(y)),
            case(t.any(t.array), t.num(4)),
        ];
        let scrutinee =
            t.expr(ExprKind::Array(items.into_iter().map(|it| t.num(it)).collect()), t.array);
        let code = t.matching(scrutinee, cases, Vec::new());
        assert_eq!(t.exit_code(code), (Some(expected), Vec::new()));
    }
    for (value, expected) in [(-0.0, 1), (1.5, 2), (f64::NAN, 3)] {
        let t = Trees::new();
        let is = |it| t.pattern(PatternKind::Constant(Constant::Float(it)), t.float);
        let cases =
            vec![case(is(0.0), t.num(1)), case(is(1.5), t.num(2)), case(t.any(t.float), t.num(3))];
        let scrutinee = t.expr(ExprKind::Constant(Constant::Float(value)), t.float);
        let code = t.matching(scrutinee, cases, Vec::new());
        assert_eq!(t.exit_code(code), (Some(expected), Vec::new()));
    }
}
