//! Trees are compared with the meaning of rows: the first one that matches.

use oxbow_base::{FileId, Id, IdMap, Span, Symbol};
use oxbow_psg::VarId;

use super::super::pattern::{Alternative, Con, Pat};
use super::super::witness::{Literals, uncovered};
use super::{ArmPlan, Limit, PLAIN, PlaceId, Plan, ROOT, TestOrder, Tree, compile_within};
use crate::types::{CtorInfo, TyCon, TyConId, TyConKind, Type, TypeId, Types};

fn span() -> Span {
    Span::new(FileId::from_index(0), 0, 0)
}

/// `type t = N | C of t * t`, printed as a list, and `type abc = A | B | C`.
struct World {
    types: Types,
    list: TyConId,
    abc: TyConId,
}

fn world() -> World {
    let mut types = Types::default();
    let unit: TypeId = types.add(Type::Tuple(Vec::new()));
    let ctor = |name: &str, args: usize| CtorInfo {
        name: Symbol::new(name),
        args: vec![unit; args],
        inline_record: None,
        own: None,
        span: span(),
    };
    let mut variant = |name: &str, ctors| {
        types.tycons.push(TyCon::new(
            Symbol::new(name),
            name.into(),
            Vec::new(),
            TyConKind::Variant(ctors),
            None,
        ))
    };
    let list = variant("list", vec![ctor("[]", 0), ctor("::", 2)]);
    let abc = variant("abc", vec![ctor("A", 0), ctor("B", 1), ctor("C", 2)]);
    World { types, list, abc }
}

impl World {
    fn nil(&self) -> Pat<'static> {
        Pat::Con(Con::Ctor(self.list, 0), Vec::new())
    }
    fn cons(&self, head: Pat<'static>, tail: Pat<'static>) -> Pat<'static> {
        Pat::Con(Con::Ctor(self.list, 1), vec![head, tail])
    }
    fn abc(&self, ctor: u32, args: Vec<Pat<'static>>) -> Pat<'static> {
        Pat::Con(Con::Ctor(self.abc, ctor), args)
    }
    fn plan(&self, rows: Vec<(Pat<'static>, bool)>) -> Plan<'static> {
        self.plan_within(PLAIN, rows)
    }
    fn plan_within(&self, plain: Limit, rows: Vec<(Pat<'static>, bool)>) -> Plan<'static> {
        let (pats, guards): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        let arms = guards
            .into_iter()
            .map(|guarded| ArmPlan { vars: Vec::new(), span: span(), guarded, leaves: 0 })
            .collect();
        let alternatives = vec![Alternative { span: span(), arm: 0, written: true }; 64];
        compile_within(plain, &self.types, &pats, arms, alternatives, TestOrder::Best)
    }
    fn check(&self, rows: Vec<Pat<'static>>) -> (Option<String>, Vec<usize>) {
        let plan = self.plan(rows.into_iter().map(|it| (it, false)).collect());
        (
            uncovered(&self.types, &plan, Literals::OCaml).into_iter().next(),
            plan.arms.iter().map(|it| it.leaves).collect(),
        )
    }
}

fn pair(left: Pat<'static>, right: Pat<'static>) -> Pat<'static> {
    Pat::Con(Con::Tuple(2), vec![left, right])
}

fn int(value: i64) -> Pat<'static> {
    Pat::Con(Con::Int(oxbow_psg::IntWidth::I63, value), Vec::new())
}

fn or(first: usize, pats: Vec<Pat<'static>>) -> Pat<'static> {
    Pat::Or(pats.into_iter().enumerate().map(|(at, it)| (first + at, it)).collect())
}

#[test]
fn lists_of_two_columns() {
    let w = world();
    let rows = vec![
        pair(w.nil(), Pat::Any),
        pair(Pat::Any, w.nil()),
        pair(w.cons(Pat::Any, Pat::Any), w.cons(Pat::Any, Pat::Any)),
    ];
    assert_eq!(w.check(rows), (None, vec![1, 1, 1]));
}

#[test]
fn examples_are_source_text() {
    let w = world();
    let rows = vec![w.nil(), w.cons(Pat::Any, w.nil())];
    assert_eq!(w.check(rows).0.as_deref(), Some("_ :: _ :: _"));
    let rows = vec![w.abc(0, vec![]), w.abc(2, vec![Pat::Any, w.nil()])];
    assert_eq!(w.check(rows).0.as_deref(), Some("B _"));
    let rows = vec![w.abc(0, vec![]), w.abc(1, vec![Pat::Any]), w.abc(2, vec![Pat::Any, w.nil()])];
    assert_eq!(w.check(rows).0.as_deref(), Some("C (_, _ :: _)"));
    let rows = vec![w.cons(w.abc(1, vec![w.cons(int(0), Pat::Any)]), Pat::Any), w.nil()];
    assert_eq!(w.check(rows).0.as_deref(), Some("A :: _"));
    let inner = w.cons(w.abc(1, vec![w.nil()]), Pat::Any);
    let rows = vec![
        inner,
        w.nil(),
        w.cons(w.abc(0, vec![]), Pat::Any),
        w.cons(w.abc(2, vec![Pat::Any; 2]), Pat::Any),
    ];
    assert_eq!(w.check(rows).0.as_deref(), Some("B (_ :: _) :: _"));
    assert_eq!(
        w.check(vec![pair(int(0), Pat::Any), pair(int(1), int(-1))]).0.as_deref(),
        Some("(2, _)")
    );
    assert_eq!(w.check(vec![Pat::Range(0, b'`'), Pat::Range(b'b', 255)]).0.as_deref(), Some("'a'"));
    assert_eq!(w.check(vec![Pat::Range(0, 127), Pat::Range(100, 255)]), (None, vec![1, 1]));
    let array = |length: usize| Pat::Con(Con::Array(length), vec![Pat::Any; length]);
    assert_eq!(w.check(vec![array(0), array(1)]).0.as_deref(), Some("[|_; _|]"));
    let bool = |it| Pat::Con(Con::Bool(it), Vec::new());
    assert_eq!(w.check(vec![pair(bool(true), bool(false))]).0.as_deref(), Some("(false, _)"));
}

#[test]
fn cases_and_alternatives_that_are_never_reached() {
    let w = world();
    let rows =
        vec![or(0, vec![int(1), int(2)]), or(2, vec![int(2), int(3)]), int(3), Pat::Any, Pat::Any];
    let plan = w.plan(rows.into_iter().map(|it| (it, false)).collect());
    assert_eq!(plan.arms.iter().map(|it| it.leaves).collect::<Vec<_>>(), [2, 1, 0, 1, 0]);
    assert_eq!(plan.used[..4], [true, true, false, true]);
}

#[test]
fn a_guarded_case_covers_nothing_and_is_left_when_its_guard_is_false() {
    let w = world();
    let any = or(0, vec![pair(int(1), Pat::Any), pair(Pat::Any, int(1))]);
    let plan = w.plan(vec![(any, true), (pair(int(1), int(1)), false), (Pat::Any, true)]);
    assert!(!uncovered(&w.types, &plan, Literals::OCaml).is_empty());
    assert!(plan.arms.iter().all(|it| it.leaves > 0));
}

/// Values of random matches.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Data(Con, Vec<Value>),
    Char(u8),
}

fn matches(pat: &Pat<'_>, value: &Value) -> bool {
    match (pat, value) {
        (Pat::Any, _) => true,
        (Pat::Bind(_, inner), _) => matches(inner, value),
        (Pat::Or(pats), _) => pats.iter().any(|it| matches(&it.1, value)),
        (Pat::Range(low, high), Value::Char(char)) => (low..=high).contains(&char),
        (Pat::Con(Con::Char(it), _), Value::Char(char)) => it == char,
        (Pat::Con(con, pats), Value::Data(head, parts)) => {
            con == head && pats.iter().zip(parts).all(|(pat, part)| matches(pat, part))
        }
        _ => false,
    }
}

fn run(
    plan: &Plan<'_>,
    tree: &Tree<'_>,
    places: &mut IdMap<PlaceId, Value>,
    bound: &mut Vec<(VarId, Value)>,
) -> Option<usize> {
    let enter = |parts: &[(u32, PlaceId)], value: &Value, places: &mut IdMap<PlaceId, Value>| {
        let Value::Data(_, items) = value else { panic!("a value with parts") };
        for &(index, place) in parts {
            places.insert(place, items[index as usize].clone());
        }
    };
    match tree {
        Tree::Fail => None,
        Tree::Leaf { arm, binds, .. } => {
            bound.extend(binds.iter().map(|&(var, place)| (var, places[place].clone())));
            Some(*arm)
        }
        Tree::Open { place, parts, next, .. } => {
            enter(parts, &places[*place].clone(), places);
            run(plan, next, places, bound)
        }
        Tree::Force { .. } => panic!("no lazy values"),
        Tree::Switch { place, branches, default } => {
            let value = places[*place].clone();
            let Value::Data(head, _) = &value else { panic!("a value with a head") };
            match branches.iter().find(|it| it.con == *head) {
                Some(branch) => {
                    enter(&branch.parts, &value, places);
                    run(plan, &branch.tree, places, bound)
                }
                None => {
                    let default = default.as_ref().expect("a complete switch has the head");
                    run(plan, default, places, bound)
                }
            }
        }
        Tree::Chars { place, classes } => {
            let Value::Char(char) = places[*place] else { panic!("a character") };
            let class = classes
                .iter()
                .find(|it| it.intervals.iter().any(|&(low, high)| (low..=high).contains(&char)));
            run(plan, &class.expect("classes hold all characters").tree, places, bound)
        }
        Tree::Shared(id) => run(plan, &plan.shared[*id], places, bound),
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }
}

/// Types of depth: 0 is a character, others a pair, an `abc` or a bool.
fn random_pattern(
    w: &World,
    random: &mut Random,
    depth: usize,
    number: &mut usize,
) -> Pat<'static> {
    match random.below(6) {
        0 => return Pat::Any,
        1 => {
            let inner = random_pattern(w, random, depth, number);
            return Pat::Bind(VarId::from_index(random.below(4) as usize), Box::new(inner));
        }
        2 => {
            let first = *number;
            *number += 2;
            let pats = vec![
                random_pattern(w, random, depth, number),
                random_pattern(w, random, depth, number),
            ];
            return or(first % 60, pats);
        }
        _ => (),
    }
    let mut part = |random: &mut Random| random_pattern(w, random, depth.saturating_sub(1), number);
    match depth {
        0 => match random.below(2) {
            0 => Pat::Con(Con::Char(b'a' + random.below(4) as u8), Vec::new()),
            _ => Pat::Range(b'a', b'a' + random.below(4) as u8),
        },
        1 => match random.below(3) as u32 {
            0 => w.abc(0, Vec::new()),
            1 => w.abc(1, vec![part(random)]),
            _ => w.abc(2, vec![part(random), part(random)]),
        },
        _ => pair(part(random), part(random)),
    }
}

fn values(w: &World, depth: usize) -> Vec<Value> {
    match depth {
        0 => b"abz".iter().map(|&it| Value::Char(it)).collect(),
        1 => {
            let parts = values(w, 0);
            let abc = |ctor, parts| Value::Data(Con::Ctor(w.abc, ctor), parts);
            let mut all = vec![abc(0, Vec::new())];
            all.extend(parts.iter().map(|it| abc(1, vec![it.clone()])));
            all.extend(
                parts
                    .iter()
                    .flat_map(|a| parts.iter().map(move |b| abc(2, vec![a.clone(), b.clone()]))),
            );
            all
        }
        _ => {
            let parts = values(w, depth - 1);
            let both =
                |a: &Value, b: &Value| Value::Data(Con::Tuple(2), vec![a.clone(), b.clone()]);
            parts.iter().flat_map(|a| parts.iter().map(move |b| both(a, b))).collect()
        }
    }
}

/// Every row, on every value, does in the plan what it says.
fn check_rows(w: &World, plan: &Plan<'_>, rows: &[Pat<'static>], depth: usize) {
    let mut reached = vec![false; rows.len()];
    let mut failed = false;
    for value in values(w, depth) {
        let expected = rows.iter().position(|it| matches(it, &value));
        let mut places = IdMap::new();
        places.insert(PlaceId::from_index(ROOT), value.clone());
        let found = run(plan, &plan.tree, &mut places, &mut Vec::new());
        assert_eq!(found, expected, "{rows:?} on {value:?}");
        match expected {
            Some(row) => reached[row] = true,
            None => failed = true,
        }
    }
    for (arm, reached) in plan.arms.iter().zip(reached) {
        assert!(arm.leaves > 0 || !reached, "{rows:?}");
    }
    assert!(!failed || !uncovered(&w.types, plan, Literals::OCaml).is_empty(), "{rows:?}");
}

#[test]
fn random_matches_take_the_first_row_that_matches() {
    let w = world();
    let mut random = Random(7);
    for round in 0..400 {
        let depth = round % 3;
        let mut number = 0;
        let rows: Vec<_> = (0..1 + random.below(6))
            .map(|_| random_pattern(&w, &mut random, depth, &mut number))
            .collect();
        let guarded: Vec<_> = rows.iter().map(|it| (it.clone(), false)).collect();
        let plan = w.plan(guarded.clone());
        check_rows(&w, &plan, &rows, depth);
        // The same with shared parts finds the same.
        let shared = w.plan_within(Limit { most: 0, ..PLAIN }, guarded);
        check_rows(&w, &shared, &rows, depth);
        assert_eq!(plan.used, shared.used, "{rows:?}");
        let unreached = |it: &Plan<'_>| it.arms.iter().map(|it| it.leaves == 0).collect::<Vec<_>>();
        assert_eq!(unreached(&plan), unreached(&shared), "{rows:?}");
        assert_eq!(plan.fails == 0, shared.fails == 0, "{rows:?}");
    }
}

#[test]
fn ways_to_the_same_rows_are_one() {
    // Each row looks at one place: as a tree, this doubles with each.
    let w = world();
    let rows: Vec<_> = (0..12)
        .map(|at| {
            let mut cells = vec![Pat::Any; 12];
            cells[at] = w.abc(0, Vec::new());
            cells[(at + 5) % 12] = w.abc(1, vec![Pat::Any]);
            (Pat::Con(Con::Tuple(12), cells), false)
        })
        .collect();
    let plan = w.plan(rows);
    assert!(!plan.too_large);
    assert!(!plan.shared.is_empty() && plan.shared.len() < 5000, "{}", plan.shared.len());
}
