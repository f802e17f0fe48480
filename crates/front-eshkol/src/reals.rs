//! Which calls of `sqrt`, `log`, `expt`, `asin` and `acos` stay among the real numbers (decision 280).
//!
//! ```text
//! (sqrt (+ (* x x) (* y y)))            stays: sums of squares are not negative
//! (if (< d 0) '() (sqrt d))             stays: the test says so
//! (expt x 3)                            stays: the exponent is a whole number
//! (sqrt x)                              may give a complex number
//! ```
//!
//! A program in which one of them may leave has complex numbers. What is found holds for programs whose other numbers
//! are real, and those of a program without such a call are, so the assumption proves itself.
//!
//! Variables that are bound for good have a property if all that they are bound to has; parameters of procedures whose
//! calls are all known are such variables. The properties are assumed first, and given up where one does not follow.

use oxbow_base::{FxHashSet, IdMap, IdSet};

use crate::builtin::{self, Effect};
use crate::core::{Core, CoreKind, Program, VarId, for_each_binding, known_procedures};
use crate::datum::{DatumKind, Number};
use crate::procedure::Procedure;

/// After so many rounds the properties of variables are given up.
const ROUNDS: usize = 30;

/// Functions that have complex values at some real numbers.
pub fn leaves_reals(procedure: Procedure) -> bool {
    matches!(
        procedure,
        Procedure::Sqrt | Procedure::Log | Procedure::Asin | Procedure::Acos | Procedure::Expt
    )
}

/// What is known of the calls of a program.
#[derive(Default)]
pub struct Reals {
    /// The first arguments of calls that stay.
    stays: FxHashSet<*const Core>,
    /// Some call may leave.
    pub leaves: bool,
}

impl Reals {
    pub fn of(program: &Program) -> Self {
        let mut reals = Self::default();
        if program.mentions(|it| leaves_reals(it.procedure)) {
            let mut search = Search::new(program);
            search.settle();
            for item in &program.items {
                search.visit(&item.value, &mut Vec::new(), &mut reals);
            }
        }
        reals
    }

    pub fn stays(&self, args: &[Core]) -> bool {
        args.first().is_some_and(|it| self.stays.contains(&std::ptr::from_ref(it)))
    }
}

fn procedure_of(core: &Core) -> Option<Procedure> {
    match core.kind {
        CoreKind::Builtin(id) => Some(builtin::table().get(id).procedure),
        _ => None,
    }
}

fn call(core: &Core) -> Option<(Procedure, &[Core])> {
    match &core.kind {
        CoreKind::Call(callee, args) => Some((procedure_of(callee)?, args)),
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Property {
    /// Not below zero, or not a number.
    Positive,
    /// An exact integer.
    Whole,
}

struct Search<'p> {
    program: &'p Program,
    /// What each variable that is bound for good can be.
    sources: IdMap<VarId, Vec<&'p Core>>,
    /// The bodies of known procedures.
    bodies: IdMap<VarId, &'p Core>,
    positive: IdSet<VarId>,
    whole: IdSet<VarId>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program) -> Self {
        let mut sources: IdMap<VarId, Vec<&'p Core>> = IdMap::new();
        let mut bodies = IdMap::new();
        let procedures = known_procedures(&program.items, &program.vars);
        for (var, lambda) in &procedures {
            bodies.insert(*var, &lambda.body);
        }
        for_each_binding(&program.items, |var, value| {
            if !program.vars[var].mutated && !bodies.contains(var) {
                sources.entry_or_insert_with(var, Vec::new).push(value);
            }
        });
        // The parameters of procedures that are only called, and with as many arguments as they have parameters.
        let mut calls: IdMap<VarId, Vec<&'p [Core]>> = IdMap::new();
        for item in &program.items {
            item.value.walk(|core| {
                if let CoreKind::Call(callee, args) = &core.kind
                    && let CoreKind::Ref(var) = callee.kind
                {
                    calls.entry_or_insert_with(var, Vec::new).push(args);
                }
            });
        }
        let mentions = count_mentions(program);
        for (var, lambda) in &procedures {
            let calls = calls.get(*var).map(Vec::as_slice).unwrap_or_default();
            let only_called = mentions.get(*var).copied().unwrap_or(0) == calls.len();
            let fits = |args: &&[Core]| args.len() == lambda.params.len();
            let is_known = !calls.is_empty() && only_called && calls.iter().all(fits);
            if lambda.rest.is_some() || !is_known {
                continue;
            }
            for (at, &param) in lambda.params.iter().enumerate() {
                if !program.vars[param].mutated {
                    sources.insert(param, calls.iter().map(|it| &it[at]).collect());
                }
            }
        }
        let all: IdSet<VarId> =
            sources.iter().map(|it| it.0).chain(bodies.iter().map(|it| it.0)).collect();
        Self { program, sources, bodies, positive: all.clone(), whole: all }
    }

    /// Gives up what does not follow, until all does.
    fn settle(&mut self) {
        for _ in 0..ROUNDS {
            let mut lost = Vec::new();
            for property in [Property::Positive, Property::Whole] {
                for (var, sources) in self.sources.iter() {
                    if self.has(property, var)
                        && !sources.iter().all(|it| self.holds(property, it, &[]))
                    {
                        lost.push((property, var));
                    }
                }
                for (var, body) in self.bodies.iter() {
                    if self.has(property, var) && !self.holds(property, body, &[]) {
                        lost.push((property, var));
                    }
                }
            }
            if lost.is_empty() {
                return;
            }
            for (property, var) in lost {
                match property {
                    Property::Positive => self.positive.remove(var),
                    Property::Whole => self.whole.remove(var),
                };
            }
        }
        self.positive = IdSet::new();
        self.whole = IdSet::new();
    }

    fn has(&self, property: Property, var: VarId) -> bool {
        match property {
            Property::Positive => self.positive.contains(var),
            Property::Whole => self.whole.contains(var),
        }
    }

    /// The variable that is not below zero where a test has come out so, and stays so: nothing assigns it.
    fn shown(&self, test: &Core, outcome: bool) -> Option<VarId> {
        shown(test, outcome).filter(|&it| !self.program.vars[it].mutated)
    }

    /// Looks at all calls. `facts` are variables that tests have shown not to be below zero.
    fn visit(&self, core: &Core, facts: &mut Vec<VarId>, reals: &mut Reals) {
        match &core.kind {
            CoreKind::If(test, yes, no) => {
                self.visit(test, facts, reals);
                let known = facts.len();
                facts.extend(self.shown(test, true));
                self.visit(yes, facts, reals);
                facts.truncate(known);
                facts.extend(self.shown(test, false));
                self.visit(no, facts, reals);
                facts.truncate(known);
            }
            CoreKind::Call(callee, args) => {
                match call(core) {
                    Some((name, args)) if leaves_reals(name) => {
                        if self.stays(name, args, facts) {
                            reals.stays.extend(args.first().map(std::ptr::from_ref));
                        } else {
                            reals.leaves = true;
                        }
                    }
                    Some(_) => (),
                    None => self.visit(callee, facts, reals),
                }
                args.iter().for_each(|it| self.visit(it, facts, reals));
            }
            // As a value it may be called with anything.
            CoreKind::Builtin(_) => reals.leaves |= procedure_of(core).is_some_and(leaves_reals),
            _ => core.for_each_child(|it| self.visit(it, facts, reals)),
        }
    }

    fn stays(&self, name: Procedure, args: &[Core], facts: &[VarId]) -> bool {
        match (name, args) {
            (Procedure::Sqrt, [x]) | (Procedure::Log, [x]) => {
                self.holds(Property::Positive, x, facts)
            }
            (Procedure::Log, [x, base]) => {
                self.holds(Property::Positive, x, facts)
                    && self.holds(Property::Positive, base, facts)
            }
            (Procedure::Expt, [base, exponent]) => {
                self.holds(Property::Whole, exponent, facts)
                    || self.holds(Property::Positive, base, facts)
            }
            (Procedure::Asin | Procedure::Acos, [x]) => match (&x.kind, call(x)) {
                (CoreKind::Const(datum), _) => match datum.kind {
                    DatumKind::Number(Number::Fixnum(it)) => it.abs() <= 1,
                    DatumKind::Number(Number::Flonum(it)) => it.abs() <= 1.0,
                    _ => false,
                },
                (_, Some((Procedure::Sin | Procedure::Cos | Procedure::Tanh, _))) => true,
                _ => false,
            },
            _ => false,
        }
    }

    fn holds(&self, property: Property, core: &Core, facts: &[VarId]) -> bool {
        match &core.kind {
            CoreKind::Const(datum) => match (property, &datum.kind) {
                (Property::Positive, DatumKind::Number(Number::Fixnum(it))) => *it >= 0,
                (Property::Positive, DatumKind::Number(Number::Flonum(it))) => {
                    it.is_nan() || it.is_sign_positive()
                }
                (Property::Positive, DatumKind::Number(Number::Exact(it))) => !it.starts_with('-'),
                (Property::Whole, DatumKind::Number(Number::Fixnum(_))) => true,
                (Property::Whole, DatumKind::Number(Number::Exact(it))) => !it.contains('/'),
                _ => false,
            },
            CoreKind::Ref(var) => {
                let is_value = !self.bodies.contains(*var);
                is_value && self.has(property, *var)
                    || property == Property::Positive && facts.contains(var)
            }
            CoreKind::If(test, yes, no) => {
                let with = |known: Option<VarId>| facts.iter().copied().chain(known).collect();
                let (yes_facts, no_facts): (Vec<VarId>, Vec<VarId>) =
                    (with(self.shown(test, true)), with(self.shown(test, false)));
                self.holds(property, yes, &yes_facts) && self.holds(property, no, &no_facts)
            }
            CoreKind::Let(_, body) | CoreKind::Block(_, body) => self.holds(property, body, facts),
            CoreKind::Seq(items) => items.last().is_some_and(|it| self.holds(property, it, facts)),
            CoreKind::Call(callee, args) => match (&callee.kind, call(core)) {
                (_, Some((name, _))) if property == Property::Positive => {
                    self.is_positive(name, args, facts)
                }
                (_, Some((name, _))) => self.is_whole(name, args, facts),
                (CoreKind::Ref(var), None) => {
                    self.bodies.contains(*var) && self.has(property, *var)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn is_positive(&self, name: Procedure, args: &[Core], facts: &[VarId]) -> bool {
        let positive = |it: &Core| self.holds(Property::Positive, it, facts);
        match (name, args) {
            (
                Procedure::Abs
                | Procedure::Magnitude
                | Procedure::Exp
                | Procedure::Sqrt
                | Procedure::Cosh,
                _,
            ) => true,
            (
                Procedure::Length
                | Procedure::VectorLength
                | Procedure::StringLength
                | Procedure::CharToInteger,
                _,
            ) => true,
            (Procedure::Mul, [a, b]) if is_same(a, b) => true,
            (Procedure::Add | Procedure::Mul | Procedure::Min | Procedure::Quotient, _) => {
                args.iter().all(positive)
            }
            (Procedure::Max, _) => args.iter().any(positive),
            // A divisor that is a zero with a sign gives an infinity with one.
            (Procedure::Div, [first, rest @ ..]) if !rest.is_empty() => {
                positive(first) && rest.iter().all(|it| positive(it) && is_unsigned(it))
            }
            (Procedure::Expt, [base, exponent]) => positive(base) || is_even(exponent),
            (Procedure::Modulo, [_, divisor]) => positive(divisor),
            (
                Procedure::Exact
                | Procedure::Inexact
                | Procedure::Floor
                | Procedure::Ceiling
                | Procedure::Truncate
                | Procedure::Round
                | Procedure::Numerator
                | Procedure::Denominator,
                [x],
            ) => positive(x),
            _ => false,
        }
    }

    fn is_whole(&self, name: Procedure, args: &[Core], facts: &[VarId]) -> bool {
        match name {
            Procedure::Length
            | Procedure::VectorLength
            | Procedure::StringLength
            | Procedure::CharToInteger => true,
            Procedure::Add
            | Procedure::Sub
            | Procedure::Mul
            | Procedure::Quotient
            | Procedure::Remainder
            | Procedure::Modulo
            | Procedure::FloorQuotient
            | Procedure::Gcd
            | Procedure::Lcm
            | Procedure::Abs
            | Procedure::Min
            | Procedure::Max
            | Procedure::BitwiseAnd
            | Procedure::BitwiseOr
            | Procedure::BitwiseXor
            | Procedure::ArithmeticShift => {
                args.iter().all(|it| self.holds(Property::Whole, it, facts))
            }
            _ => false,
        }
    }
}

fn count_mentions(program: &Program) -> IdMap<VarId, usize> {
    let mut counts: IdMap<VarId, usize> = IdMap::new();
    for item in &program.items {
        item.value.walk(|core| {
            if let CoreKind::Ref(var) = core.kind {
                *counts.entry_or_insert_with(var, || 0) += 1;
            }
        });
    }
    counts
}

/// The variable that is not below zero where a test has come out so.
fn shown(test: &Core, outcome: bool) -> Option<VarId> {
    let (name, args) = call(test)?;
    let var = |it: &Core| match it.kind {
        CoreKind::Ref(var) => Some(var),
        _ => None,
    };
    match (name, args, outcome) {
        (Procedure::Not, [inner], _) => shown(inner, !outcome),
        (Procedure::IsNegative, [x], false) | (Procedure::IsPositive, [x], true) => var(x),
        (Procedure::GreaterOrEqual | Procedure::Greater, [x, zero], true)
        | (Procedure::Less, [x, zero], false)
            if is_zero(zero) =>
        {
            var(x)
        }
        (Procedure::LessOrEqual | Procedure::Less, [zero, x], true)
        | (Procedure::Greater, [zero, x], false)
            if is_zero(zero) =>
        {
            var(x)
        }
        _ => None,
    }
}

fn is_zero(core: &Core) -> bool {
    match &core.kind {
        CoreKind::Const(datum) => match datum.kind {
            DatumKind::Number(Number::Fixnum(it)) => it == 0,
            DatumKind::Number(Number::Flonum(it)) => it == 0.0,
            _ => false,
        },
        _ => false,
    }
}

fn is_even(core: &Core) -> bool {
    match &core.kind {
        CoreKind::Const(datum) => {
            matches!(datum.kind, DatumKind::Number(Number::Fixnum(it)) if it % 2 == 0)
        }
        _ => false,
    }
}

/// Of numbers that are not below zero: no zero of it has a sign.
fn is_unsigned(core: &Core) -> bool {
    match (&core.kind, call(core)) {
        (CoreKind::Const(_), _) => true,
        (_, Some((Procedure::Mul, [a, b]))) => is_same(a, b),
        (
            _,
            Some((
                Procedure::Exp
                | Procedure::Abs
                | Procedure::Cosh
                | Procedure::Length
                | Procedure::VectorLength,
                _,
            )),
        ) => true,
        (_, Some((Procedure::Add, args))) => args.iter().any(is_unsigned),
        (_, Some((Procedure::Sqrt, [x]))) => is_unsigned(x),
        _ => false,
    }
}

/// Expressions that have the same value, one after the other.
fn is_same(a: &Core, b: &Core) -> bool {
    match (&a.kind, &b.kind) {
        (CoreKind::Ref(a), CoreKind::Ref(b)) => a == b,
        (CoreKind::Const(a), CoreKind::Const(b)) => match (&a.kind, &b.kind) {
            (DatumKind::Number(a), DatumKind::Number(b)) => a == b,
            _ => false,
        },
        (CoreKind::Call(f, these), CoreKind::Call(g, those)) => match (&f.kind, &g.kind) {
            (CoreKind::Builtin(f), CoreKind::Builtin(g)) => {
                f == g
                    && matches!(builtin::table().get(*f).effect, Effect::Pure | Effect::Reads)
                    && these.len() == those.len()
                    && these.iter().zip(those).all(|(a, b)| is_same(a, b))
            }
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Reals;
    use crate::tests::core_of;

    fn leaves(text: &str) -> bool {
        Reals::of(&core_of(text).reached()).leaves
    }

    #[test]
    fn what_is_not_negative_has_real_roots() {
        let stays = [
            "(define (f x y) (sqrt (+ (* x x) (* y y))))",
            "(define (f a b) (sqrt (+ (square (- a b)) 1)))",
            "(define (f a b) (sqrt (* (- a b) (- a b))))",
            "(define (f d) (if (< d 0) '() (sqrt d)))",
            "(define (f d) (if (not (negative? d)) (log d) 0))",
            "(define (f x) (let* ((d (* x x)) (m (sqrt d))) (/ 1 (* d m))))",
            "(define (f x n) (expt x 3))",
            "(define (f x) (let loop ((k 0)) (if (< k 9) (begin (display (expt x k)) (loop (+ k 1))))))",
            "(define (g x) (sqrt x)) (display (g 2.0)) (display (g 3))",
            "(display (sqrt 2)) (display (acos -1))",
            "(define (f x) (sqrt (/ (abs x) (+ 1 (* x x)))))",
            "(define (f x) (* x x))",
        ];
        for text in stays {
            assert!(!leaves(text), "{text}");
        }
        let goes = [
            "(define (f x) (sqrt x)) (define (g) f)",
            "(display (sqrt -4))",
            "(define (g x) (sqrt x)) (display (g 2.0)) (display (g -3))",
            "(define d 4) (set! d -4) (display (sqrt d))",
            "(define (f x) (* x x x)) (display (sqrt (f -2)))",
            "(display (map sqrt '(1 4)))",
            "(define (f x y) (expt x y)) (display (f -8 1/3))",
            "(define (f d) (if (< d 0) (sqrt d) 0))",
            "(define (f x) (if (>= x 0) (begin (set! x (- x 10)) (sqrt x)) 0))",
            "(define x 16) (define (f) (set! x -4)) (if (> x 0) (begin (f) (display (sqrt x))))",
            "(define (f x) (acos x)) (display (f (read)))",
        ];
        for text in goes {
            assert!(leaves(text), "{text}");
        }
    }
}
