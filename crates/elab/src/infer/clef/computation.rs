//! `builder { … }`: computations are calls of the builder's methods, as F#'s specification translates them.
//!
//! ```text
//! let! p = e … rest      b.Bind(e, fun p -> rest)
//! do! e … rest           b.Bind(e, fun () -> rest)
//! return e               b.Return(e)
//! first; rest            b.Combine(first, b.Delay(fun () -> rest))   where `first` is a computation
//! first; rest            first; rest                                 where it is not
//! if c then e            if c then e else b.Zero()
//! while c do e           b.While((fun () -> c), b.Delay(fun () -> e))
//! for p in s do e        b.For(s, fun p -> e)
//! the whole              b.Run(b.Delay(fun () -> …))
//! ```
//!
//! `use` needs `Using`, or `TryFinally` where there is none. `Delay`, `Run` and `Source` are called if the builder has
//! them; the others must be there. A loop without anything of the computation in it is a plain statement.

use oxbow_base::{FxHashMap, FxHashSet, Made, Mark, Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::{self, Bang, Case, Expr, ExprKind, LetBang, Name, Pattern, PatternKind};
use crate::tast;
use crate::types::{TyConId, Type};

use super::super::env::Env;
use super::super::{Expect, Infer};
use super::{apply, construct, ident, library, made, name, node};

impl Infer<'_> {
    pub(super) fn computation(
        &mut self,
        env: &Env,
        (builder, body): (&Expr, &Expr),
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let ty = self.fresh();
        let typed = self.expr(env, builder, Expect::plain(ty));
        if matches!(self.types.get(typed.ty), Type::Error) {
            return self.failed(span);
        }
        let Some((con, _)) = self.head_con(typed.ty) else {
            let report = Diagnostic::error("E0160", "the type of this builder is not known here")
                .at(builder.span, "a computation expression needs its methods")
                .help("annotate it: `(b : SomeBuilder)`");
            let reported = self.diagnostics.error(report);
            return self.error_expr(reported, span);
        };
        let (methods, operations) = self.builder_methods(con);
        let shown = self.show(typed.ty);
        let cells = self.types.tycons[con].library;
        self.with_typed(env, typed, super::typed("builder"), |cx, env, mention| {
            let missing = Vec::new();
            let all = ["Yield", "Combine", "Delay", "Zero"].iter().all(|it| methods.contains(it));
            let implicit = all && operations.is_empty() && !cells && !yields(body);
            let mut translation =
                Translation { builder: mention, methods, operations, missing, cells, implicit };
            let made = translation.whole(body);
            if let Some((method, at)) = translation.missing.first() {
                let what = format!("the builder `{shown}` has no method `{method}`");
                let report = Diagnostic::error("E0160", what)
                    .at(*at, format!("this needs `{method}`"))
                    .help(format!("define `member _.{method}(…)` in `{shown}`"));
                let reported = cx.diagnostics.error(report);
                return cx.error_expr(reported, span);
            }
            cx.expr(env, &made, expect)
        })
    }

    /// The names of the methods of a type and of those that it inherits, and its custom operations.
    fn builder_methods(
        &self,
        con: TyConId,
    ) -> (FxHashSet<&'static str>, FxHashMap<Symbol, Symbol>) {
        let (mut methods, mut operations) = (FxHashSet::default(), FxHashMap::default());
        let mut next = Some(con);
        while let Some(con) = next {
            for ((_, name), infos) in self.clef.members.iter().filter(|it| it.0.0 == con) {
                methods.insert(name.as_str());
                for operation in infos.iter().filter_map(|it| it.operation) {
                    operations.insert(operation, *name);
                }
            }
            next = self.base_of(con);
        }
        (methods, operations)
    }

    /// `return` and the like outside of a computation.
    pub(super) fn stray_bang(&mut self, word: &str, span: Span) -> tast::Expr {
        let mut report = Diagnostic::error(
            "E0140",
            format!("`{word}` stands outside of a computation expression"),
        )
        .at(span, "belongs to no builder");
        if word == "return" {
            report =
                report.help("the result of a function is its last expression, without `return`");
        }
        let reported = self.diagnostics.error(report);
        self.error_expr(reported, span)
    }
}

struct Translation {
    builder: Expr,
    methods: FxHashSet<&'static str>,
    /// Custom operations, and the methods that they are.
    operations: FxHashMap<Symbol, Symbol>,
    /// Methods that the builder lacks, and what needs them.
    missing: Vec<(&'static str, Span)>,
    /// Variables are cells: what `task` and `async` make outlives the block around them.
    cells: bool,
    /// Lines that are values are yielded.
    implicit: bool,
}

impl Translation {
    fn computes(&self, expr: &Expr) -> bool {
        let is_block = matches!(
            expr.kind,
            ExprKind::Let { .. }
                | ExprKind::Open(..)
                | ExprKind::If(..)
                | ExprKind::Match(..)
                | ExprKind::For { .. }
                | ExprKind::ForIn { .. }
        );
        computes(expr) || self.implicit && is_block
    }

    fn has(&self, method: &str) -> bool {
        self.methods.contains(method)
    }

    /// `b.Method(args)`
    fn call(&mut self, method: &'static str, args: Vec<Expr>, span: Span) -> Expr {
        if !self.has(method) {
            self.missing.push((method, span));
        }
        self.call_any(Symbol::new(method), args, span)
    }

    fn call_any(&self, method: Symbol, mut args: Vec<Expr>, span: Span) -> Expr {
        let path = ast::Path::plain(Name { text: method, span });
        let function = node(ExprKind::Field(Box::new(self.builder.clone()), path), span);
        let arg = match args.len() {
            0 => construct("()", None, span),
            1 => args.remove(0),
            _ => node(ExprKind::Tuple(args), span),
        };
        apply(function, vec![arg], span)
    }

    fn source(&mut self, value: Expr) -> Expr {
        if !self.has("Source") {
            return value;
        }
        let span = value.span;
        self.call("Source", vec![value], span)
    }

    fn delay(&mut self, body: Expr) -> Expr {
        if !self.has("Delay") {
            return body;
        }
        let span = body.span;
        let function = fun(unit_pattern(span), body);
        self.call("Delay", vec![function], span)
    }

    fn whole(&mut self, body: &Expr) -> Expr {
        let made = match self.chained_operations(body) {
            Some(made) => made,
            None => self.computed(body),
        };
        let delayed = self.delay(made);
        if !self.has("Run") {
            return delayed;
        }
        let span = delayed.span;
        self.call("Run", vec![delayed], span)
    }

    /// Lines that are custom operations: each is a method of what those before it made.
    fn chained_operations(&mut self, body: &Expr) -> Option<Expr> {
        let lines: Vec<&Expr> = match &body.kind {
            ExprKind::Sequence(items) => items.iter().collect(),
            _ => vec![body],
        };
        let first = lines.iter().position(|it| self.operation(it).is_some())?;
        let begin = lines[0].span;
        let mut state = match first {
            0 => {
                let nothing = construct("()", None, begin);
                self.call("Yield", vec![nothing], begin)
            }
            _ => self.sequence(&lines[..first]),
        };
        for line in &lines[first..] {
            let (method, args) = self.operation(line)?;
            let args = std::iter::once(state).chain(args).collect();
            state = self.call_any(method, args, line.span);
        }
        Some(state)
    }

    /// `op a b`, as the method and its arguments.
    fn operation(&self, line: &Expr) -> Option<(Symbol, Vec<Expr>)> {
        let (head, args) = match &line.kind {
            ExprKind::Apply(func, args) => (func.as_ref(), args.as_slice()),
            _ => (line, [].as_slice()),
        };
        let ExprKind::Ident(path) = &head.kind else { return None };
        let method = *self.operations.get(&path.name.text).filter(|_| path.prefix.is_none())?;
        Some((method, args.iter().map(|it| it.1.clone()).collect()))
    }

    fn computed(&mut self, expr: &Expr) -> Expr {
        let span = expr.span;
        let kind = match &expr.kind {
            ExprKind::LetBang(it) => return self.bound(it, span),
            ExprKind::Bang(Bang::Return, value) => {
                return self.call("Return", vec![(**value).clone()], span);
            }
            ExprKind::Bang(Bang::ReturnFrom, value) => {
                let value = self.source((**value).clone());
                return self.call("ReturnFrom", vec![value], span);
            }
            ExprKind::Bang(Bang::Do, value) => return self.last_do(value, span),
            ExprKind::Yield(value) => return self.call("Yield", vec![(**value).clone()], span),
            ExprKind::YieldFrom(value) => {
                let value = self.source((**value).clone());
                return self.call("YieldFrom", vec![value], span);
            }
            ExprKind::Sequence(items) => {
                let items: Vec<&Expr> = items.iter().collect();
                return self.sequence(&items);
            }
            _ if !self.computes(expr) => return self.plain(expr),
            ExprKind::Let { recursive, bindings, body } => {
                if let Some(made) = self.guarded_let(expr) {
                    return made;
                }
                if let [binding] = bindings.as_slice()
                    && self.cells
                    && binding.mutable
                    && let ast::PatternKind::Var(name) = binding.pattern.kind
                {
                    return self.cell(name, binding, body, span);
                }
                let (recursive, bindings) = (*recursive, bindings.clone());
                ExprKind::Let { recursive, bindings, body: Box::new(self.computed(body)) }
            }
            ExprKind::Open(module, body) => {
                ExprKind::Open(module.clone(), Box::new(self.computed(body)))
            }
            ExprKind::If(cond, then, otherwise) => {
                let then = self.computed(then);
                let otherwise = match otherwise {
                    Some(it) => self.computed(it),
                    None => self.call("Zero", Vec::new(), span),
                };
                ExprKind::If(cond.clone(), Box::new(then), Some(Box::new(otherwise)))
            }
            ExprKind::Match(value, cases) => {
                ExprKind::Match(value.clone(), self.computed_cases(cases))
            }
            ExprKind::Try(body, cases) => return self.handled(body, cases, span),
            ExprKind::While(cond, body) => {
                let cond = fun(unit_pattern(cond.span), (**cond).clone());
                let body = self.computed(body);
                let body = self.delay(body);
                return self.call("While", vec![cond, body], span);
            }
            ExprKind::ForIn { pattern, source, body, .. } => {
                let body = self.computed(body);
                let source = self.source((**source).clone());
                return self.call("For", vec![source, fun(pattern.clone(), body)], span);
            }
            ExprKind::For { var, from, to, down, body } => {
                let body = self.computed(body);
                let step = down.then(|| {
                    let one = ast::Constant::Sized(oxbow_psg::IntWidth::I32, -1);
                    Box::new(node(ExprKind::Constant(one), span))
                });
                let range = ExprKind::Range { from: from.clone(), step, to: to.clone() };
                return self.call("For", vec![node(range, span), fun(var.clone(), body)], span);
            }
            _ => return self.plain(expr),
        };
        Expr { kind, span, attributes: expr.attributes.clone() }
    }

    /// What is no computation, at the end: a statement, and then nothing.
    fn plain(&mut self, expr: &Expr) -> Expr {
        if self.implicit {
            return super::implicit::line(&self.builder, expr, None);
        }
        let zero = self.call("Zero", Vec::new(), expr.span);
        node(ExprKind::Sequence(vec![expr.clone(), zero]), expr.span)
    }

    fn computed_cases(&mut self, cases: &[Case]) -> Vec<Case> {
        let one = |case: &Case| Case {
            pattern: case.pattern.clone(),
            guard: case.guard.clone(),
            body: case.body.as_ref().map(|it| self.computed(it)),
        };
        cases.iter().map(one).collect()
    }

    fn sequence(&mut self, items: &[&Expr]) -> Expr {
        let [first, rest @ ..] = items else {
            return construct("()", None, self.builder.span);
        };
        if rest.is_empty() {
            return self.computed(first);
        }
        let span = first.span;
        if let ExprKind::Bang(Bang::Do, value) = &first.kind {
            let rest = self.sequence(rest);
            let value = self.source((**value).clone());
            return self.call("Bind", vec![value, fun(unit_pattern(span), rest)], span);
        }
        if !self.computes(first) {
            let rest = self.sequence(rest);
            if self.implicit {
                let rest = fun(unit_pattern(span), rest);
                return super::implicit::line(&self.builder, first, Some(rest));
            }
            let whole = span.to(rest.span);
            return node(ExprKind::Sequence(vec![(*first).clone(), rest]), whole);
        }
        let first = self.computed(first);
        let rest = self.sequence(rest);
        let rest = self.delay(rest);
        self.call("Combine", vec![first, rest], span)
    }

    /// `do! e` at the end.
    fn last_do(&mut self, value: &Expr, span: Span) -> Expr {
        let value = self.source(value.clone());
        let nothing = construct("()", None, span);
        let end = if self.has("Return") || !self.has("Zero") {
            self.call("Return", vec![nothing], span)
        } else {
            self.call("Zero", Vec::new(), span)
        };
        self.call("Bind", vec![value, fun(unit_pattern(span), end)], span)
    }

    fn bound(&mut self, it: &LetBang, span: Span) -> Expr {
        if it.using {
            return self.bound_use(it, span);
        }
        let [(pattern, value)] = it.bindings.as_slice() else { return self.merged(it, span) };
        let value = self.source(value.clone());
        if let ExprKind::Bang(Bang::Return, result) = &it.body.kind
            && self.has("BindReturn")
        {
            let function = fun(pattern.clone(), (**result).clone());
            return self.call("BindReturn", vec![value, function], span);
        }
        let body = self.computed(&it.body);
        self.call("Bind", vec![value, fun(pattern.clone(), body)], span)
    }

    /// `let! p = e and! q = f`: the sources are merged, unless the builder binds two at once.
    fn merged(&mut self, it: &LetBang, span: Span) -> Expr {
        let sources: Vec<Expr> = it.bindings.iter().map(|it| self.source(it.1.clone())).collect();
        let patterns: Vec<Pattern> = it.bindings.iter().map(|it| it.0.clone()).collect();
        let result = match &it.body.kind {
            ExprKind::Bang(Bang::Return, result) => Some((**result).clone()),
            _ => None,
        };
        let at_once = match sources.len() {
            2 => Some(("Bind2", "Bind2Return")),
            3 => Some(("Bind3", "Bind3Return")),
            _ => None,
        };
        if let Some((bind, bind_return)) = at_once {
            let pattern = Pattern { kind: PatternKind::Tuple(patterns.clone()), span };
            if let Some(result) = result.clone().filter(|_| self.has(bind_return)) {
                let args = sources.into_iter().chain([fun(pattern, result)]).collect();
                return self.call(bind_return, args, span);
            }
            if self.has(bind) {
                let body = self.computed(&it.body);
                let args = sources.into_iter().chain([fun(pattern, body)]).collect();
                return self.call(bind, args, span);
            }
        }
        let mut parts = sources.into_iter().zip(patterns).rev();
        let Some((mut source, mut pattern)) = parts.next() else {
            return construct("()", None, span);
        };
        for (first, binder) in parts {
            source = self.call("MergeSources", vec![first, source], span);
            pattern = Pattern { kind: PatternKind::Tuple(vec![binder, pattern]), span };
        }
        if let Some(result) = result.filter(|_| self.has("BindReturn")) {
            return self.call("BindReturn", vec![source, fun(pattern, result)], span);
        }
        let body = self.computed(&it.body);
        self.call("Bind", vec![source, fun(pattern, body)], span)
    }

    /// `use! x = e`: bound, then used.
    fn bound_use(&mut self, it: &LetBang, span: Span) -> Expr {
        let Some((pattern, value)) = it.bindings.first() else {
            return construct("()", None, span);
        };
        let body = self.computed(&it.body);
        let (resource, pattern) = resource_of(pattern);
        let used = self.call("Using", vec![ident(resource), fun(pattern, body)], span);
        let value = self.source(value.clone());
        let bound = Pattern { kind: PatternKind::Var(resource), span };
        self.call("Bind", vec![value, fun(bound, used)], span)
    }

    /// `let mutable x = e` as `let cell = ref e`, where `x` stands for what the cell holds.
    fn cell(&mut self, name: Name, binding: &ast::Binding, body: &Expr, span: Span) -> Expr {
        let cell = made(Made::Of(Symbol::new("cell"), name.text), name.span);
        let mut value = binding.value.clone();
        if let Some(poly) = &binding.annotation {
            let ty = poly.ty.clone();
            value = node(ExprKind::Annotate(Box::new(value), ty), binding.value.span);
        }
        let held = super::apply(super::library("ref", span), vec![value], span);
        let contents = ast::Path::plain(super::name("contents", name.span));
        let meaning = node(ExprKind::Field(Box::new(ident(cell)), contents), name.span);
        let inner = self.computed(body);
        let inner = node(ExprKind::Aliases(vec![(name, meaning)], Box::new(inner)), span);
        super::flow::bound(cell, held, inner, span)
    }

    /// `use x = e` and `try … finally`, which the parser has made of `let`s.
    fn guarded_let(&mut self, expr: &Expr) -> Option<Expr> {
        let span = expr.span;
        if is_use(expr)
            && let ExprKind::Let { bindings, body, .. } = &expr.kind
            && let [binding] = bindings.as_slice()
            && let Some((inner, _)) = guarded(body)
        {
            let inner = self.computed(inner);
            if !self.has("Using") && self.has("TryFinally") {
                let (_, last) = guarded(body)?;
                let inner = self.delay(inner);
                let made = self.call("TryFinally", vec![inner, last.clone()], span);
                let kind = ExprKind::Let {
                    recursive: false,
                    bindings: bindings.clone(),
                    body: Box::new(made),
                };
                return Some(node(kind, span));
            }
            let (resource, pattern) = resource_of(&binding.pattern);
            let used = self.call("Using", vec![ident(resource), fun(pattern, inner)], span);
            return Some(super::flow::bound(resource, binding.value.clone(), used, span));
        }
        let (inner, last) = guarded(expr)?;
        let inner = self.computed(inner);
        let inner = self.delay(inner);
        Some(self.call("TryFinally", vec![inner, last.clone()], span))
    }

    fn handled(&mut self, body: &Expr, cases: &[Case], span: Span) -> Expr {
        let body = self.computed(body);
        let body = self.delay(body);
        let mut cases = self.computed_cases(cases);
        let catches = |it: &Case| it.guard.is_none() && it.pattern.always_matches();
        if !cases.iter().any(catches) {
            let end = span.at_end();
            let other = made(Made::local("other"), end);
            let raise = apply(library("raise", end), vec![ident(other)], end);
            let pattern = Pattern { kind: PatternKind::Var(other), span: end };
            cases.push(Case { pattern, guard: None, body: Some(raise) });
        }
        let handler = node(ExprKind::Function(span, cases), span);
        self.call("TryWith", vec![body, handler], span)
    }
}

/// The name of a resource outside of the function that `Using` calls, and that function's parameter. A variable keeps
/// the type that its value has, where `Using` takes and gives an interface (`d: #IDisposable`).
fn resource_of(pattern: &Pattern) -> (Name, Pattern) {
    let span = pattern.span;
    match pattern.kind {
        PatternKind::Var(name) => (name, Pattern { kind: PatternKind::Any, span }),
        _ => (made(Made::local("resource"), span), pattern.clone()),
    }
}

fn unit_pattern(span: Span) -> Pattern {
    Pattern { kind: PatternKind::Construct(ast::Path::plain(name("()", span)), None), span }
}

fn fun(pattern: Pattern, body: Expr) -> Expr {
    let span = pattern.span.to(body.span);
    let param = ast::Param { label: ast::ParamLabel::None, pattern, span };
    node(ExprKind::Fun(vec![param], None, Box::new(body)), span)
}

/// The mark of what `use` has become; no program can write it.
fn is_use(expr: &Expr) -> bool {
    expr.attributes.iter().any(|it| it.is(Mark::Use))
}

/// The body and the end of `let %finish () = end in let %result = try body with … in …`.
fn guarded(expr: &Expr) -> Option<(&Expr, &Expr)> {
    let ExprKind::Let { bindings, body, .. } = &expr.kind else { return None };
    let [finish] = bindings.as_slice() else { return None };
    let PatternKind::Var(name) = finish.pattern.kind else { return None };
    let ExprKind::Let { bindings: inner, .. } = &body.kind else { return None };
    let [result] = inner.as_slice() else { return None };
    match &result.value.kind {
        ExprKind::Try(body, _) if matches!(name.text.origin(), Some(Made::Finish(_))) => {
            Some((body, &finish.value))
        }
        _ => None,
    }
}

/// Does something of the computation stand in it?
fn computes(expr: &Expr) -> bool {
    holds(expr, |it| {
        matches!(
            it,
            ExprKind::LetBang(_) | ExprKind::Bang(..) | ExprKind::Yield(_) | ExprKind::YieldFrom(_)
        )
    })
}

/// Does a `yield`?
fn yields(expr: &Expr) -> bool {
    holds(expr, |it| matches!(it, ExprKind::Yield(_)))
}

fn holds(expr: &Expr, wanted: fn(&ExprKind) -> bool) -> bool {
    let inside = |it: &Expr| holds(it, wanted);
    let any_case = |cases: &[Case]| cases.iter().any(|it| it.body.as_ref().is_some_and(inside));
    match &expr.kind {
        it if wanted(it) => true,
        ExprKind::LetBang(it) => inside(&it.body),
        ExprKind::Sequence(items) => items.iter().any(inside),
        ExprKind::Let { body, .. } => {
            inside(body)
                || guarded(expr).is_some_and(|it| inside(it.0))
                || guarded(body).is_some_and(|it| is_use(expr) && inside(it.0))
        }
        ExprKind::Open(_, body) | ExprKind::While(_, body) => inside(body),
        ExprKind::For { body, .. } | ExprKind::ForIn { body, .. } => inside(body),
        ExprKind::If(_, then, otherwise) => {
            inside(then) || otherwise.as_ref().is_some_and(|it| inside(it))
        }
        ExprKind::Match(_, cases) => any_case(cases),
        ExprKind::Try(body, cases) => inside(body) || any_case(cases),
        _ => false,
    }
}
