//! Comprehensions: `[ … ]`, `[| … |]`, `seq { … }` with loops and `yield`.
//!
//! A list or an array is filled by running the body:
//!
//! ```text
//! [ for x in xs do if p x then yield f x ]
//!   ⇒  let b = buffer () in for x in xs do (if p x then add b (f x)); list_of b
//! ```
//!
//! A sequence is a function that gives its elements to a consumer until that one says `false`;
//! every part of the body tells whether to go on:
//!
//! ```text
//! seq { yield a; for x in xs do yield x }
//!   ⇒  seq_of (fun k -> k a && (for x in xs until not (k x)))
//! ```
//!
//! Without a `yield` in the text (`yield!` does not count) every value that is not `unit` is yielded.

use oxbow_base::{Made, Mark, Span};
use oxbow_elab::ast::{Attribute, Case, Expr, ExprKind, Name, Pattern, PatternKind};

use super::block::Line;
use super::{Parser, make};

#[derive(Clone, Copy, PartialEq)]
pub enum Collection {
    List,
    Array,
    Seq,
}

/// How the body of a comprehension is read.
#[derive(Clone, Copy)]
struct Mode {
    /// The function that takes an element.
    give: Name,
    /// It says whether to go on.
    until: bool,
    /// Values that are not `unit` are yielded.
    implicit: bool,
    /// What `yield!` takes where nothing else is known: the kind that is made, as in recursive functions.
    own_kind: Option<Mark>,
}

/// Is this more than a list of elements?
pub fn is_comprehension(lines: &[Line]) -> bool {
    lines.iter().any(|line| match line {
        Line::Let { .. }
        | Line::Use { .. }
        | Line::LetBang { .. }
        | Line::Open(..)
        | Line::Do(_) => true,
        Line::Expr(expr) => generates(expr),
    })
}

/// What stands in parentheses is one element.
fn generates(expr: &Expr) -> bool {
    match &expr.kind {
        _ if make::is_group(expr) => yields(expr),
        ExprKind::Yield(_)
        | ExprKind::YieldFrom(_)
        | ExprKind::ForIn { .. }
        | ExprKind::For { .. }
        | ExprKind::While(..)
        | ExprKind::If(..)
        | ExprKind::Match(..)
        | ExprKind::Try(..)
        | ExprKind::Let { .. }
        | ExprKind::Open(..)
        | ExprKind::Range { .. } => true,
        _ => yields(expr),
    }
}

/// Does a `yield` or `yield!` belong to the comprehension that this is a part of?
fn yields(expr: &Expr) -> bool {
    has(expr, |it| matches!(it, ExprKind::Yield(_) | ExprKind::YieldFrom(_)))
}

/// Does a `yield`? Beside a `yield!` alone, values are yielded without the word.
fn yields_values(expr: &Expr) -> bool {
    has(expr, |it| matches!(it, ExprKind::Yield(_)))
}

fn has(expr: &Expr, wanted: fn(&ExprKind) -> bool) -> bool {
    let inside = |it: &Expr| has(it, wanted);
    match &expr.kind {
        it if wanted(it) => true,
        ExprKind::Sequence(items) => items.iter().any(inside),
        ExprKind::Let { body, .. } => inside(body) || guarded(expr).is_some_and(inside),
        ExprKind::Open(_, body) => inside(body),
        ExprKind::If(_, then, otherwise) => {
            inside(then) || otherwise.as_ref().is_some_and(|it| inside(it))
        }
        ExprKind::Match(_, cases) | ExprKind::Try(_, cases) => {
            let body = matches!(&expr.kind, ExprKind::Try(body, _) if inside(body));
            body || cases.iter().any(|it| it.body.as_ref().is_some_and(inside))
        }
        ExprKind::ForIn { body, .. } | ExprKind::For { body, .. } | ExprKind::While(_, body) => {
            inside(body)
        }
        _ => false,
    }
}

/// The body of what `try_finally` made: `let %result = try body with … in …`.
fn guarded(expr: &Expr) -> Option<&Expr> {
    let ExprKind::Let { bindings, .. } = &expr.kind else { return None };
    let [binding] = bindings.as_slice() else { return None };
    match (&binding.pattern.kind, &binding.value.kind) {
        (PatternKind::Var(name), ExprKind::Try(body, _))
            if matches!(name.text.origin(), Some(Made::Result(_))) =>
        {
            Some(body)
        }
        _ => None,
    }
}

impl Parser<'_> {
    pub(super) fn comprehension(&mut self, lines: Vec<Line>, kind: Collection, span: Span) -> Expr {
        let empty = lines.is_empty();
        let body = if empty { make::unit(span) } else { self.fold(lines) };
        let give = self.fresh_name("give", span);
        let mode = Mode {
            give,
            until: kind == Collection::Seq,
            implicit: !empty && !yields_values(&body),
            own_kind: match kind {
                Collection::List => Some(Mark::OfList),
                Collection::Array => Some(Mark::OfArray),
                Collection::Seq => None,
            },
        };
        let body = self.transform(body, mode);
        if kind == Collection::Seq {
            let function = make::fun(vec![make::var(give)], body, span);
            let mut seq = make::library("seq_of", span);
            seq.attributes.push(Attribute::mark(Mark::Elements, span));
            return make::apply(seq, vec![function], span);
        }
        // let buffer = new_buffer () in let give x = add buffer x in body; list_of buffer
        let buffer = self.fresh_name("buffer", span);
        let end = if kind == Collection::List { "buffer_to_list" } else { "buffer_to_array" };
        let end = make::apply(make::library(end, span), vec![make::ident(buffer)], span);
        let item = self.fresh_name("item", span);
        let add = make::apply(
            make::library("buffer_add", span),
            vec![make::ident(buffer), make::ident(item)],
            span,
        );
        let function = make::fun(vec![make::var(item)], add, span);
        let inner = make::let_in(make::var(give), function, make::sequence(vec![body, end], span));
        let new = make::apply(make::library("buffer_new", span), vec![make::unit(span)], span);
        let mut made = make::let_in(make::var(buffer), new, inner);
        made.attributes.push(Attribute::mark(Mark::Elements, span));
        made
    }

    fn transform(&mut self, expr: Expr, mode: Mode) -> Expr {
        let span = expr.span;
        let is_guarded = guarded(&expr).is_some();
        if make::is_group(&expr) && !yields(&expr) {
            return self.transform_plain(expr, mode);
        }
        let kind = match expr.kind {
            ExprKind::Yield(value) => {
                return make::apply(make::ident(mode.give), vec![*value], span);
            }
            ExprKind::YieldFrom(source) => {
                let mut source = *source;
                source.attributes.extend(mode.own_kind.map(|it| Attribute::mark(it, span)));
                return self.give_all(source, mode, span);
            }
            ExprKind::Range { .. } => return self.give_all(expr, mode, span),
            ExprKind::Sequence(items) => return self.transform_sequence(items, mode, span),
            // `finally` and `use`: what is yielded is in the guarded part.
            ExprKind::Let { recursive, mut bindings, body } if is_guarded => {
                for binding in &mut bindings {
                    let at = binding.value.span;
                    let value = std::mem::replace(&mut binding.value, make::unit(at));
                    if let ExprKind::Try(inner, cases) = value.kind {
                        let inner = Box::new(self.transform(*inner, mode));
                        binding.value = make::expr(ExprKind::Try(inner, cases), at);
                    }
                }
                ExprKind::Let { recursive, bindings, body }
            }
            ExprKind::Let { recursive, bindings, body } => {
                let body = Box::new(self.transform(*body, mode));
                ExprKind::Let { recursive, bindings, body }
            }
            ExprKind::Open(module, body) => {
                ExprKind::Open(module, Box::new(self.transform(*body, mode)))
            }
            ExprKind::If(cond, then, otherwise) => {
                let then = Box::new(self.transform(*then, mode));
                let otherwise = match otherwise {
                    Some(it) => Some(Box::new(self.transform(*it, mode))),
                    None if mode.until => Some(Box::new(make::truth(true, span))),
                    None => None,
                };
                ExprKind::If(cond, then, otherwise)
            }
            ExprKind::Match(scrutinee, cases) => {
                ExprKind::Match(scrutinee, self.transform_cases(cases, mode))
            }
            ExprKind::Try(body, cases) if !mode.until => {
                let body = Box::new(self.transform(*body, mode));
                ExprKind::Try(body, self.transform_cases(cases, mode))
            }
            ExprKind::Try(body, cases)
                if mode.implicit
                    || yields(&body)
                    || cases.iter().any(|it| it.body.as_ref().is_some_and(yields)) =>
            {
                return self.transform_try(*body, cases, mode, span);
            }
            ExprKind::ForIn { pattern, source, body, .. } => {
                let body = self.transform(*body, mode);
                let (pattern, body) = self.asked_in_body(pattern, body);
                ExprKind::ForIn { pattern, source, body: Box::new(body), until: mode.until }
            }
            ExprKind::For { var, from, to, down, body } => {
                return self.transform_for(expr_for(var, from, to, down, body), mode, span);
            }
            ExprKind::While(cond, body) => return self.transform_while(*cond, *body, mode, span),
            kind => return self.transform_plain(make::expr(kind, span), mode),
        };
        make::expr(kind, span)
    }

    /// An element that the pattern of a loop does not match is a failure here, other than in loops that are statements.
    fn asked_in_body(&mut self, pattern: Pattern, body: Expr) -> (Pattern, Expr) {
        if pattern.always_matches() {
            return (pattern, body);
        }
        let at = pattern.span;
        let item = self.fresh_name("item", at);
        let cases = vec![make::case(pattern, body)];
        let asked = make::expr(ExprKind::Match(Box::new(make::ident(item)), cases), at);
        (make::var(item), asked)
    }

    /// `try … yield x … with e -> …` of a sequence handles what the sequence itself raises, and not what is done with
    /// its elements.
    ///
    /// ```text
    /// let failed = flag_new () in
    /// let give' = fun x -> flag_if_raised failed give x in
    /// try … give' x … with e when flag_is_clear failed -> …
    /// ```
    fn transform_try(&mut self, body: Expr, cases: Vec<Case>, mode: Mode, span: Span) -> Expr {
        let [failed, give, item] = ["failed", "give", "item"].map(|it| self.fresh_name(it, span));
        let args = [failed, mode.give, item].map(make::ident).into();
        let call = make::apply(make::library("flag_if_raised", span), args, span);
        let function = make::fun(vec![make::var(item)], call, span);
        let body = self.transform(body, Mode { give, ..mode });
        let cases = self.transform_cases(cases, mode).into_iter().map(|case| {
            let clear = make::library("flag_is_clear", span);
            let clear = make::apply(clear, vec![make::ident(failed)], span);
            let guard = match case.guard {
                Some(guard) => make::binary("&&", span, clear, guard),
                None => clear,
            };
            Case { guard: Some(guard), ..case }
        });
        let tried = make::expr(ExprKind::Try(Box::new(body), cases.collect()), span);
        let inner = make::let_in(make::var(give), function, tried);
        let new = make::apply(make::library("flag_new", span), vec![make::unit(span)], span);
        make::let_in(make::var(failed), new, inner)
    }

    fn transform_cases(&mut self, cases: Vec<Case>, mode: Mode) -> Vec<Case> {
        cases
            .into_iter()
            .map(|case| Case { body: case.body.map(|it| self.transform(it, mode)), ..case })
            .collect()
    }

    fn give_all(&mut self, source: Expr, mode: Mode, span: Span) -> Expr {
        let item = self.fresh_name("item", span);
        let body = make::apply(make::ident(mode.give), vec![make::ident(item)], span);
        let kind = ExprKind::ForIn {
            pattern: make::var(item),
            source: Box::new(source),
            body: Box::new(body),
            until: mode.until,
        };
        make::expr(kind, span)
    }

    fn transform_sequence(&mut self, items: Vec<Expr>, mode: Mode, span: Span) -> Expr {
        let items: Vec<Expr> = items.into_iter().map(|it| self.transform(it, mode)).collect();
        if !mode.until {
            return make::sequence(items, span);
        }
        let mut items = items.into_iter().rev();
        let Some(last) = items.next() else { return make::truth(true, span) };
        items.fold(last, |rest, item| {
            let at = item.span;
            make::binary("&&", at, item, rest)
        })
    }

    fn transform_for(&mut self, parts: ForParts, mode: Mode, span: Span) -> Expr {
        let body = Box::new(self.transform(*parts.body, mode));
        if !mode.until {
            let ForParts { var, from, to, down, .. } = parts;
            return make::expr(ExprKind::For { var, from, to, down, body }, span);
        }
        let step = parts.down.then(|| {
            let one = oxbow_elab::ast::Constant::Sized(oxbow_psg::IntWidth::I32, -1);
            Box::new(make::expr(ExprKind::Constant(one), span))
        });
        let range = make::expr(ExprKind::Range { from: parts.from, step, to: parts.to }, span);
        let kind =
            ExprKind::ForIn { pattern: parts.var, source: Box::new(range), body, until: true };
        make::expr(kind, span)
    }

    /// ```text
    /// let mutable go = true in (while go && cond do go <- body); go
    /// ```
    fn transform_while(&mut self, cond: Expr, body: Expr, mode: Mode, span: Span) -> Expr {
        let body = self.transform(body, mode);
        if !mode.until {
            return make::expr(ExprKind::While(Box::new(cond), Box::new(body)), span);
        }
        let go = self.fresh_name("go", span);
        let cond = make::binary("&&", span, make::ident(go), cond);
        let path = oxbow_elab::ast::Path::plain(go);
        let assign = make::expr(ExprKind::AssignVar(path, Box::new(body)), span);
        let again = make::expr(ExprKind::While(Box::new(cond), Box::new(assign)), span);
        let all = make::sequence(vec![again, make::ident(go)], span);
        make::let_mutable(go, make::truth(true, span), all)
    }

    /// A line that yields nothing by its form.
    fn transform_plain(&mut self, expr: Expr, mode: Mode) -> Expr {
        let span = expr.span;
        if mode.implicit {
            let kind = ExprKind::ImplicitYield {
                value: Box::new(expr),
                give: mode.give,
                until: mode.until,
            };
            return make::expr(kind, span);
        }
        if mode.until {
            return make::sequence(vec![expr, make::truth(true, span)], span);
        }
        expr
    }
}

struct ForParts {
    var: oxbow_elab::ast::Pattern,
    from: Box<Expr>,
    to: Box<Expr>,
    down: bool,
    body: Box<Expr>,
}

fn expr_for(
    var: oxbow_elab::ast::Pattern,
    from: Box<Expr>,
    to: Box<Expr>,
    down: bool,
    body: Box<Expr>,
) -> ForParts {
    let var = match var.kind {
        PatternKind::Var(_) | PatternKind::Any => var,
        _ => var,
    };
    ForParts { var, from, to, down, body }
}
