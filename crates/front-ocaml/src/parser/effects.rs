//! `match` and `try` with cases for effects, as calls of the library.
//!
//! ```text
//! match e with p -> a | exception q -> b | effect E x, k -> c
//!
//! Effect.Deep.match_with (fun () -> e) ()
//!   { retc = (function p -> a);
//!     exnc = (fun exn -> try raise exn with q -> b);
//!     effc = fun eff -> match eff with
//!       | E x -> Some (fun k -> c)
//!       | _ -> None }
//! ```
//!
//! The field `effc` is polymorphic: the result of the effect is a type that its cases tell of (`infer/handler`). Names
//! that are made here cannot be written, and the library's are found behind `Stdlib`.

use oxbow_base::{Made, Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::{
    ArgLabel, Case, Expr, ExprKind, ModulePath, Name, Param, ParamLabel, Path, Pattern, PatternKind,
};

use crate::lexer::Tok;

use super::expr::make_expr;
use super::{Parse, Parser};

/// `effect p, k when guard -> body`
pub(super) struct EffectCase {
    effect: Pattern,
    continuation: Pattern,
    guard: Option<Expr>,
    body: Expr,
    span: Span,
}

/// The cases of a `match`, `try` or `function`.
#[derive(Default)]
pub(super) struct Cases {
    pub cases: Vec<Case>,
    pub effects: Vec<EffectCase>,
}

/// Which construct the cases belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Handles {
    Match,
    Try,
}

impl Parser<'_> {
    /// Is this `effect` with a pattern behind it? Elsewhere it is a name.
    pub(super) fn at_effect_case(&self) -> bool {
        let is_word = matches!(self.peek(), Tok::Lower(text) if text.as_str() == "effect");
        let next = self.nth(1);
        is_word && matches!(next, Tok::Upper(_) | Tok::Lower(_) | Tok::LParen | Tok::Underscore)
    }

    /// The pattern behind `effect`: of the effect, and of the continuation.
    pub(super) fn effect_pattern(&mut self) -> Parse<(Pattern, Pattern)> {
        self.bump();
        let both = self.pattern()?;
        if let PatternKind::Tuple(items) = both.kind
            && let Ok([effect, continuation]) = <[Pattern; 2]>::try_from(items)
        {
            return Ok((effect, continuation));
        }
        Err(self.unexpected("`,` and a name for the continuation: `effect E, k`"))
    }

    pub(super) fn effect_case(
        (effect, continuation): (Pattern, Pattern),
        guard: Option<Expr>,
        body: Expr,
    ) -> EffectCase {
        let span = effect.span.to(body.span);
        EffectCase { effect, continuation, guard, body, span }
    }

    /// The call that handles the effects of `scrutinee`.
    pub(super) fn handler(
        &mut self,
        scrutinee: Expr,
        handles: Handles,
        Cases { cases, effects }: Cases,
        span: Span,
    ) -> Expr {
        let (mut values, mut exceptions) = (Vec::new(), Vec::new());
        for case in cases {
            let (value, exception) = match handles {
                Handles::Match => split(case.pattern),
                Handles::Try => (None, Some(case.pattern)),
            };
            for (pattern, side) in [(value, &mut values), (exception, &mut exceptions)] {
                side.extend(pattern.map(|pattern| Case {
                    pattern,
                    guard: case.guard.clone(),
                    body: case.body.clone(),
                }));
            }
        }
        let make = Make { span };
        let retc = match handles {
            Handles::Match if values.is_empty() => {
                let at = effects.first().map_or(span, |it| it.effect.span);
                let reported = self.report(
                    Diagnostic::error("E0133", "no case of this `match` is for values")
                        .at(at, "matches an effect")
                        .help("add a case for values, or use `try … with`"),
                );
                make.expr(ExprKind::Error(reported))
            }
            Handles::Match => make.expr(ExprKind::Function(span, values)),
            Handles::Try => make.function("value", make.ident("value")),
        };
        // The exception goes on: nothing in the text raises it.
        let nowhere = Make { span: span.at_start() };
        let again = nowhere.call(nowhere.library(&[], "raise"), vec![nowhere.ident("exn")]);
        let exnc = match exceptions.is_empty() {
            true => again,
            false => make.expr(ExprKind::Try(Box::new(again), exceptions)),
        };
        let record = make.expr(ExprKind::Record {
            base: None,
            fields: vec![
                (make.path(&["Effect", "Deep"], "retc"), None, retc),
                (make.path(&["Effect", "Deep"], "exnc"), None, make.function("exn", exnc)),
                (make.path(&["Effect", "Deep"], "effc"), None, make.effects(effects)),
            ],
        });
        let unit = Pattern { kind: PatternKind::Any, span };
        let body = make.lambda(vec![make.param(unit)], scrutinee);
        let match_with = make.library(&["Effect", "Deep"], "match_with");
        let call = make.call(match_with, vec![body, make.construct("()", None), record]);
        make.expr(ExprKind::Handle(Box::new(call)))
    }
}

/// The parts of a pattern that are for values, and those that are for exceptions: `p | exception q`.
fn split(pattern: Pattern) -> (Option<Pattern>, Option<Pattern>) {
    let span = pattern.span;
    match pattern.kind {
        PatternKind::Exception(inner) => (None, Some(*inner)),
        PatternKind::Or(left, right) => {
            let ((left, first), (right, second)) = (split(*left), split(*right));
            let both = |left: Option<Pattern>, right: Option<Pattern>| match (left, right) {
                (Some(left), Some(right)) => {
                    let kind = PatternKind::Or(Box::new(left), Box::new(right));
                    Some(Pattern { kind, span })
                }
                (left, right) => left.or(right),
            };
            (both(left, right), both(first, second))
        }
        kind => (Some(Pattern { kind, span }), None),
    }
}

/// Makes expressions at one place.
#[derive(Clone, Copy)]
struct Make {
    span: Span,
}

impl Make {
    fn expr(self, kind: ExprKind) -> Expr {
        make_expr(kind, self.span)
    }

    fn name(self, text: &str) -> Name {
        Name { text: Symbol::new(text), span: self.span }
    }

    /// A name that no program can write.
    fn made(self, stem: &str) -> Name {
        Name { text: Made::local(stem).symbol(), span: self.span }
    }

    fn path(self, modules: &[&str], name: &str) -> Path {
        let first = ModulePath::Name(self.name("Stdlib"));
        let prefix = modules
            .iter()
            .fold(first, |path, module| ModulePath::Dot(Box::new(path), self.name(module)));
        Path { prefix: Some(Box::new(prefix)), name: self.name(name) }
    }

    fn library(self, modules: &[&str], name: &str) -> Expr {
        self.expr(ExprKind::Ident(self.path(modules, name)))
    }

    fn ident(self, stem: &str) -> Expr {
        self.expr(ExprKind::Ident(Path::plain(self.made(stem))))
    }

    fn construct(self, name: &str, arg: Option<Expr>) -> Expr {
        self.expr(ExprKind::Construct(Path::plain(self.name(name)), arg.map(Box::new)))
    }

    fn call(self, func: Expr, args: Vec<Expr>) -> Expr {
        let args = args.into_iter().map(|it| (ArgLabel::None, it)).collect();
        self.expr(ExprKind::Apply(Box::new(func), args))
    }

    fn param(self, pattern: Pattern) -> Param {
        let span = pattern.span;
        Param { label: ParamLabel::None, pattern, span }
    }

    fn lambda(self, params: Vec<Param>, body: Expr) -> Expr {
        self.expr(ExprKind::Fun(params, None, Box::new(body)))
    }

    fn function(self, stem: &str, body: Expr) -> Expr {
        let pattern = Pattern { kind: PatternKind::Var(self.made(stem)), span: self.span };
        self.lambda(vec![self.param(pattern)], body)
    }

    /// `fun eff -> match eff with …`
    fn effects(self, effects: Vec<EffectCase>) -> Expr {
        let mut is_total = false;
        let mut cases = Vec::with_capacity(effects.len() + 1);
        for it in effects {
            let at = Make { span: it.span };
            let receive = at.lambda(vec![at.param(it.continuation)], it.body);
            let some = at.construct("Some", Some(receive));
            is_total |= it.guard.is_none()
                && matches!(it.effect.kind, PatternKind::Any | PatternKind::Var(_));
            cases.push(Case { pattern: it.effect, guard: it.guard, body: Some(some) });
        }
        if !is_total {
            let pattern = Pattern { kind: PatternKind::Any, span: self.span };
            cases.push(Case { pattern, guard: None, body: Some(self.construct("None", None)) });
        }
        let body = self.expr(ExprKind::Match(Box::new(self.ident("eff")), cases));
        self.expr(ExprKind::Handle(Box::new(self.function("eff", body))))
    }
}
