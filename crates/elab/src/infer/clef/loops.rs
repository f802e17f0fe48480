//! Loops over collections.
//!
//! ```text
//! for p in a .. b do e       a counting loop
//! for p in list do e         let mutable rest = list in while … do match rest with p :: t -> rest <- t; e
//! for p in array do e        let a = array in for i = 0 to length a - 1 do let p = a.[i] in e
//! for p in other do e        iterate other (fun p -> e; true)
//! ```
//!
//! A pattern that some elements do not match is asked in the body, `match item with p -> e | _ -> ()`.
//! With `until`, the body tells whether to go on, and so does the loop as a whole.

use oxbow_base::{Made, Mark, Span};

use crate::ast::{self, Case, Constant, ExprKind, Name, Path, Pattern, PatternKind};
use crate::tast;
use crate::types::{TyConId, Type};

use super::super::env::Env;
use super::super::{Expect, Infer};
use super::{apply, construct, ident, library, made, name, node};

impl Infer<'_> {
    /// A list or array of elements that are to be seen as another type, a class or an interface: those of a
    /// comprehension are converted one by one, where they are given.
    pub(in super::super) fn expected_elements(
        &mut self,
        env: &Env,
        expr: &ast::Expr,
        expect: Expect,
    ) -> Option<tast::Expr> {
        let is_marked = |it: &ast::Attribute| it.is(Mark::Elements);
        let ExprKind::Let { bindings, body, .. } = &expr.kind else { return None };
        if !expr.attributes.iter().any(is_marked) {
            return None;
        }
        let (_, args) = self.head_con(expect.ty)?;
        let item = *args.first()?;
        let (wanted, _) = self.head_con(item)?;
        if !self.is_view_target(wanted) {
            return None;
        }
        let [binding] = bindings.as_slice() else { return None };
        let ast::PatternKind::Var(buffer) = binding.pattern.kind else { return None };
        let items = self.types.add(Type::Con(self.prelude_type("ResizeArray")?, vec![item]));
        let typed = self.expr(env, &binding.value, Expect::plain(items));
        Some(self.with_typed(env, typed, super::typed("buffer"), |cx, env, mention| {
            let kind = ExprKind::Aliases(vec![(buffer, mention)], body.clone());
            cx.expr(env, &node(kind, expr.span), expect)
        }))
    }

    /// The same of a sequence, whose type is known to the function that takes its elements.
    pub(super) fn expected_sequence(
        &mut self,
        env: &Env,
        (func, args): (&ast::Expr, &[(ast::ArgLabel, ast::Expr)]),
        span: Span,
        expect: Expect,
    ) -> Option<tast::Expr> {
        if !func.attributes.iter().any(|it| it.is(Mark::Elements)) {
            return None;
        }
        let (_, items) = self.head_con(expect.ty)?;
        let (wanted, _) = self.head_con(*items.first()?)?;
        if !self.is_view_target(wanted) {
            return None;
        }
        let value = self.prelude_value("seq_of")?;
        let made = self.value_expr(&value, func.span);
        let run = self.fresh();
        let ty = self.arrow(crate::types::Label::None, run, expect.ty);
        self.unify(made.ty, ty).ok()?;
        Some(self.apply_typed(env, made, None, args, span, expect))
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one loop")]
    pub(super) fn for_in(
        &mut self,
        env: &Env,
        pattern: &Pattern,
        source: &ast::Expr,
        body: &ast::Expr,
        until: bool,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        // `for Some x in xs do` passes over the others. In comprehensions the parser has made a match of it.
        let item = local("item", pattern.span);
        let (pattern, body) = if pattern.always_matches() || until {
            (pattern.clone(), body.clone())
        } else {
            (var(item), passing_over(item, pattern, body))
        };
        let (pattern, body) = (&pattern, &body);
        if let ExprKind::Range { from, step, to } = &source.kind {
            return self.for_range(
                env,
                pattern,
                (from, step.as_deref(), to),
                body,
                until,
                span,
                expect,
            );
        }
        let ty = self.fresh();
        let own_kind = self.own_kind(source);
        let source = self.expr(env, source, Expect::plain(ty));
        if matches!(self.types.get(source.ty), Type::Error) {
            return self.failed(span);
        }
        if let Some(con) = own_kind
            && self.is_unknown(source.ty)
        {
            let item = self.fresh();
            let whole = self.types.add(Type::Con(con, vec![item]));
            let _ = self.unify(source.ty, whole);
        }
        let con = self.head_con(source.ty).map(|it| it.0);
        if con == Some(self.builtins.list) {
            return self.with_typed(env, source, super::typed("list"), |cx, env, list| {
                let made = list_loop(pattern, list, body, until, span);
                cx.expr(env, &made, expect)
            });
        }
        if con == Some(self.builtins.array) {
            return self.with_typed(env, source, super::typed("array"), |cx, env, array| {
                let made = array_loop(pattern, &array, body, until, span);
                cx.expr(env, &made, expect)
            });
        }
        let source = self.as_seq(env, source);
        self.with_typed(env, source, super::typed("seq"), |cx, env, seq| {
            let made = seq_loop(pattern, seq, body, until, span);
            cx.expr(env, &made, expect)
        })
    }

    /// The kind of collection that is being made, if this is the operand of `yield!` in a list or an array.
    fn own_kind(&self, source: &ast::Expr) -> Option<TyConId> {
        let is = |mark| source.attributes.iter().any(|it| it.is(mark));
        if is(Mark::OfList) {
            Some(self.builtins.list)
        } else if is(Mark::OfArray) {
            Some(self.builtins.array)
        } else {
            None
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one loop")]
    fn for_range(
        &mut self,
        env: &Env,
        pattern: &Pattern,
        (from, step, to): (&ast::Expr, Option<&ast::Expr>, &ast::Expr),
        body: &ast::Expr,
        until: bool,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let ty = self.fresh();
        let from = self.expr(env, from, Expect::plain(ty));
        let int = self.types.repr(self.builtins.int32);
        if self.is_unknown(from.ty) {
            let _ = self.unify(from.ty, int);
        }
        let whole = self.types.expand(from.ty) == int;
        self.with_typed(env, from, super::typed("from"), |cx, env, from| {
            if !whole {
                let seq = range_call(from, step.cloned(), to.clone(), span);
                let made = seq_loop(pattern, seq, body, until, span);
                return cx.expr(env, &made, expect);
            }
            let plain = matches!(pattern.kind, PatternKind::Var(_) | PatternKind::Any);
            let made = match step {
                None if !until && plain => {
                    let kind = ExprKind::For {
                        var: pattern.clone(),
                        from: Box::new(from),
                        to: Box::new(to.clone()),
                        down: false,
                        body: Box::new(body.clone()),
                    };
                    node(kind, span)
                }
                _ => int_loop(pattern, from, step.cloned(), to.clone(), body, until, span),
            };
            cx.expr(env, &made, expect)
        })
    }

    /// A range as a value: a sequence.
    pub(super) fn range_seq(
        &mut self,
        env: &Env,
        from: &ast::Expr,
        step: Option<&ast::Expr>,
        to: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let made = range_call(from.clone(), step.cloned(), to.clone(), span);
        self.expr(env, &made, expect)
    }

    /// A line of a comprehension that has no `yield`.
    pub(super) fn implicit_yield(
        &mut self,
        env: &Env,
        value: &ast::Expr,
        give: Name,
        until: bool,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let ty = self.fresh();
        let value = self.expr(env, value, Expect::plain(ty));
        let is_unit = self.head_con(value.ty).is_some_and(|it| it.0 == self.builtins.unit_con);
        self.with_typed(env, value, super::typed("value"), |cx, env, value| {
            let made = match (is_unit, until) {
                (true, false) => value,
                (true, true) => construct("true", None, span),
                (false, _) => apply(ident(give), vec![value], span),
            };
            cx.expr(env, &made, expect)
        })
    }
}

fn local(stem: &str, span: Span) -> Name {
    made(Made::local(stem), span)
}

fn var(name: Name) -> Pattern {
    Pattern { kind: PatternKind::Var(name), span: name.span }
}

fn int(value: i64, span: Span) -> ast::Expr {
    node(ExprKind::Constant(Constant::Sized(oxbow_psg::IntWidth::I32, value)), span)
}

/// `match item with pattern -> body; () | _ -> ()`. The last case has no place in the text, so that nobody is told
/// that it is not needed.
fn passing_over(item: Name, pattern: &Pattern, body: &ast::Expr) -> ast::Expr {
    let end = body.span.at_end();
    let nothing = || construct("()", None, end);
    let statement = node(ExprKind::Sequence(vec![body.clone(), nothing()]), body.span);
    let matched = Case { pattern: pattern.clone(), guard: None, body: Some(statement) };
    let other = Pattern { kind: PatternKind::Any, span: end };
    let other = Case { pattern: other, guard: None, body: Some(nothing()) };
    node(ExprKind::Match(Box::new(ident(item)), vec![matched, other]), body.span)
}

fn let_in(
    pattern: Pattern,
    value: ast::Expr,
    mutable: bool,
    body: ast::Expr,
    span: Span,
) -> ast::Expr {
    let binding =
        ast::Binding { pattern, value, annotation: None, mutable, attributes: Vec::new(), span };
    node(ExprKind::Let { recursive: false, bindings: vec![binding], body: Box::new(body) }, span)
}

fn assign(target: Name, value: ast::Expr, span: Span) -> ast::Expr {
    node(ExprKind::AssignVar(Path::plain(target), Box::new(value)), span)
}

fn both(left: ast::Expr, right: ast::Expr, span: Span) -> ast::Expr {
    apply(library("&&", span), vec![left, right], span)
}

fn while_loop(cond: ast::Expr, body: ast::Expr, span: Span) -> ast::Expr {
    node(ExprKind::While(Box::new(cond), Box::new(body)), span)
}

/// Runs `body` of a loop; with `until` its result decides whether `go` stays true.
fn run(body: &ast::Expr, until: bool, go: Name, span: Span) -> ast::Expr {
    if until { assign(go, body.clone(), span) } else { body.clone() }
}

/// `let mutable go = true in (loop); go`, or just the loop.
fn with_flag(
    make: impl FnOnce(Option<ast::Expr>) -> ast::Expr,
    until: bool,
    go: Name,
    span: Span,
) -> ast::Expr {
    if !until {
        return make(None);
    }
    let inner = make(Some(ident(go)));
    let all = node(ExprKind::Sequence(vec![inner, ident(go)]), span);
    let_in(var(go), construct("true", None, span), true, all, span)
}

fn condition(go: Option<ast::Expr>, cond: ast::Expr, span: Span) -> ast::Expr {
    match go {
        Some(go) => both(go, cond, span),
        None => cond,
    }
}

fn list_loop(
    pattern: &Pattern,
    list: ast::Expr,
    body: &ast::Expr,
    until: bool,
    span: Span,
) -> ast::Expr {
    let (rest, tail, go) = (local("rest", span), local("tail", span), local("go", span));
    let more = apply(library("list_more", span), vec![ident(rest)], span);
    let pair =
        Pattern { kind: PatternKind::Tuple(vec![pattern.clone(), var(tail)]), span: pattern.span };
    let cons = Path::plain(name("::", pattern.span));
    let step = node(
        ExprKind::Sequence(vec![assign(rest, ident(tail), span), run(body, until, go, span)]),
        span,
    );
    let some = Case {
        pattern: Pattern {
            kind: PatternKind::Construct(cons, Some(Box::new(pair))),
            span: pattern.span,
        },
        guard: None,
        body: Some(step),
    };
    let nil = Case {
        pattern: Pattern { kind: PatternKind::Any, span },
        guard: None,
        body: Some(construct("()", None, span)),
    };
    let inside = node(ExprKind::Match(Box::new(ident(rest)), vec![some, nil]), span);
    let looped =
        with_flag(|go| while_loop(condition(go, more, span), inside, span), until, go, span);
    let_in(var(rest), list, true, looped, span)
}

fn array_loop(
    pattern: &Pattern,
    array: &ast::Expr,
    body: &ast::Expr,
    until: bool,
    span: Span,
) -> ast::Expr {
    let (index, go) = (local("index", span), local("go", span));
    let length = apply(library("array_length", span), vec![array.clone()], span);
    let item = apply(library("array_get", span), vec![array.clone(), ident(index)], span);
    if !until {
        let inside = let_in(pattern.clone(), item, false, body.clone(), span);
        let last = apply(library("array_last", span), vec![array.clone()], span);
        let kind = ExprKind::For {
            var: var(index),
            from: Box::new(int(0, span)),
            to: Box::new(last),
            down: false,
            body: Box::new(inside),
        };
        return node(kind, span);
    }
    let next = assign(index, apply(library("next", span), vec![ident(index)], span), span);
    let step = node(ExprKind::Sequence(vec![next, run(body, until, go, span)]), span);
    let inside = let_in(pattern.clone(), item, false, step, span);
    let more = apply(library("less", span), vec![ident(index), length], span);
    let looped =
        with_flag(|go| while_loop(condition(go, more, span), inside, span), until, go, span);
    let_in(var(index), int(0, span), true, looped, span)
}

fn seq_loop(
    pattern: &Pattern,
    seq: ast::Expr,
    body: &ast::Expr,
    until: bool,
    span: Span,
) -> ast::Expr {
    let body = if until {
        body.clone()
    } else {
        node(ExprKind::Sequence(vec![body.clone(), construct("true", None, span)]), span)
    };
    let param =
        ast::Param { label: ast::ParamLabel::None, pattern: pattern.clone(), span: pattern.span };
    let function = node(ExprKind::Fun(vec![param], None, Box::new(body)), span);
    apply(library(if until { "seq_until" } else { "seq_iter" }, span), vec![seq, function], span)
}

fn range_call(from: ast::Expr, step: Option<ast::Expr>, to: ast::Expr, span: Span) -> ast::Expr {
    match step {
        Some(step) => apply(library("range_step", span), vec![from, step, to], span),
        None => apply(library("range", span), vec![from, to], span),
    }
}

/// A loop over integers with any step: as many rounds as there are numbers.
fn int_loop(
    pattern: &Pattern,
    from: ast::Expr,
    step: Option<ast::Expr>,
    to: ast::Expr,
    body: &ast::Expr,
    until: bool,
    span: Span,
) -> ast::Expr {
    let (by, count, round, go) =
        (local("step", span), local("count", span), local("round", span), local("go", span));
    let numbers = vec![from.clone(), ident(by), to];
    let counted = apply(library("range_count", span), numbers, span);
    let value = apply(library("range_item", span), vec![from, ident(by), ident(round)], span);
    let looped = if until {
        let next = assign(round, apply(library("next", span), vec![ident(round)], span), span);
        let steps = node(ExprKind::Sequence(vec![next, run(body, until, go, span)]), span);
        let inside = let_in(pattern.clone(), value, false, steps, span);
        let more = apply(library("less", span), vec![ident(round), ident(count)], span);
        let looped =
            with_flag(|go| while_loop(condition(go, more, span), inside, span), until, go, span);
        let_in(var(round), int(0, span), true, looped, span)
    } else {
        let inside = let_in(pattern.clone(), value, false, body.clone(), span);
        let last = apply(library("before", span), vec![ident(count)], span);
        let kind = ExprKind::For {
            var: var(round),
            from: Box::new(int(0, span)),
            to: Box::new(last),
            down: false,
            body: Box::new(inside),
        };
        node(kind, span)
    };
    let counted = let_in(var(count), counted, false, looped, span);
    let_in(var(by), step.unwrap_or_else(|| int(1, span)), false, counted, span)
}
