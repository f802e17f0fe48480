//! Small builders of surface nodes.

use oxbow_base::{Made, Mark, Span, Symbol};
use oxbow_elab::ast::{
    ArgLabel, Attribute, Binding, Case, Constant, Expr, ExprKind, ModulePath, Name, Param,
    ParamLabel, Path, Pattern, PatternKind,
};

pub fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span, attributes: Vec::new() }
}

pub fn name(text: &str, span: Span) -> Name {
    Name { text: Symbol::new(text), span }
}

/// A name that no program can write.
pub fn made(origin: Made, span: Span) -> Name {
    Name { text: origin.symbol(), span }
}

pub fn ident(name: Name) -> Expr {
    expr(ExprKind::Ident(Path::plain(name)), name.span)
}

pub fn named(text: &str, span: Span) -> Expr {
    ident(name(text, span))
}

/// A name of the library, whatever the program calls so.
pub fn library_path(text: &str, span: Span) -> Path {
    let prefix = Some(Box::new(ModulePath::Name(made(Made::Prelude, span))));
    Path { prefix, name: name(text, span) }
}

/// The name of a type as an expression names it: `A.B`, of which the parser does not know what `A` is.
pub fn type_name(path: &Path) -> Expr {
    let mut names = vec![path.name];
    let mut prefix = path.prefix.as_deref();
    while let Some(ModulePath::Dot(inner, name)) = prefix {
        names.push(*name);
        prefix = Some(inner);
    }
    if let Some(ModulePath::Name(name)) = prefix {
        names.push(*name);
    }
    let mut names = names.into_iter().rev();
    let first = names.next().unwrap_or(path.name);
    names.fold(ident(first), |object, name| {
        let span = object.span.to(name.span);
        expr(ExprKind::Field(Box::new(object), Path::plain(name)), span)
    })
}

/// A function of the library.
pub fn library(text: &str, span: Span) -> Expr {
    expr(ExprKind::Ident(library_path(text, span)), span)
}

pub fn apply(func: Expr, args: Vec<Expr>, span: Span) -> Expr {
    let args = args.into_iter().map(|it| (ArgLabel::None, it)).collect();
    expr(ExprKind::Apply(Box::new(func), args), span)
}

pub fn binary(op: &str, op_span: Span, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    apply(named(op, op_span), vec![left, right], span)
}

pub fn construct(text: &str, arg: Option<Expr>, span: Span) -> Expr {
    expr(ExprKind::Construct(Path::plain(name(text, span)), arg.map(Box::new)), span)
}

/// A constructor that may have a made-up name.
pub fn construct_of(constructor: Name, arg: Expr, span: Span) -> Expr {
    expr(ExprKind::Construct(Path::plain(constructor), Some(Box::new(arg))), span)
}

pub fn unit(span: Span) -> Expr {
    construct("()", None, span)
}

pub fn truth(value: bool, span: Span) -> Expr {
    construct(if value { "true" } else { "false" }, None, span)
}

pub fn string(bytes: Vec<u8>, span: Span) -> Expr {
    expr(ExprKind::Constant(Constant::String(bytes)), span)
}

pub fn pattern(kind: PatternKind, span: Span) -> Pattern {
    Pattern { kind, span }
}

pub fn var(name: Name) -> Pattern {
    pattern(PatternKind::Var(name), name.span)
}

pub fn unit_pattern(span: Span) -> Pattern {
    pattern(PatternKind::Construct(Path::plain(name("()", span)), None), span)
}

pub fn param(pattern: Pattern) -> Param {
    let span = pattern.span;
    Param { label: ParamLabel::None, pattern, span }
}

pub fn fun(params: Vec<Pattern>, body: Expr, span: Span) -> Expr {
    let params = params.into_iter().map(param).collect();
    expr(ExprKind::Fun(params, None, Box::new(body)), span)
}

pub fn binding(pattern: Pattern, value: Expr) -> Binding {
    let span = pattern.span.to(value.span);
    Binding { pattern, value, annotation: None, mutable: false, attributes: Vec::new(), span }
}

pub fn let_in(pattern: Pattern, value: Expr, body: Expr) -> Expr {
    let span = pattern.span.to(body.span);
    let bindings = vec![binding(pattern, value)];
    expr(ExprKind::Let { recursive: false, bindings, body: Box::new(body) }, span)
}

pub fn let_mutable(name: Name, value: Expr, body: Expr) -> Expr {
    let span = name.span.to(body.span);
    let bindings = vec![Binding { mutable: true, ..binding(var(name), value) }];
    expr(ExprKind::Let { recursive: false, bindings, body: Box::new(body) }, span)
}

pub fn sequence(items: Vec<Expr>, span: Span) -> Expr {
    let mut items = items;
    match items.len() {
        0 => unit(span),
        1 => items.remove(0),
        _ => expr(ExprKind::Sequence(items), span),
    }
}

pub fn case(pattern: Pattern, body: Expr) -> Case {
    Case { pattern, guard: None, body: Some(body) }
}

/// An expression in parentheses. Blocks remember it: in a comprehension, `(a; b)` is one element.
pub fn group(mut inner: Expr, span: Span) -> Expr {
    inner.span = span;
    let block = matches!(
        inner.kind,
        ExprKind::Sequence(_)
            | ExprKind::If(..)
            | ExprKind::Match(..)
            | ExprKind::Try(..)
            | ExprKind::Let { .. }
            | ExprKind::Open(..)
            | ExprKind::For { .. }
            | ExprKind::ForIn { .. }
            | ExprKind::While(..)
    );
    if block {
        inner.attributes.push(Attribute::mark(Mark::Group, span));
    }
    inner
}

pub fn is_group(expr: &Expr) -> bool {
    expr.attributes.iter().any(|it| it.is(Mark::Group))
}
