//! Makes expressions of the surface tree, each at the span of what it was made from.

use oxbow_base::{Span, Symbol};
use oxbow_elab::ast::{
    ArgLabel, Attribute, Binding, Case, Constant, Expr, ExprKind, Item, ItemKind, ModulePath, Name,
    Param, ParamLabel, Path, Pattern, PatternKind, TypeExpr, TypeExprKind,
};

fn name(text: impl Into<Symbol>, span: Span) -> Name {
    Name { text: text.into(), span }
}

pub fn path(module: &str, text: impl Into<Symbol>, span: Span) -> Path {
    let prefix = (!module.is_empty()).then(|| Box::new(ModulePath::Name(name(module, span))));
    Path { prefix, name: name(text, span) }
}

pub fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span, attributes: Vec::new() }
}

/// Says that the function's body runs once.
pub fn once(function: Expr) -> Expr {
    let attribute = |text: &str, payload: Option<&str>| Attribute {
        name: name(text, function.span),
        payload: payload.map(Symbol::new),
    };
    let attributes = vec![attribute("inline", Some("never")), attribute("once", None)];
    Expr { attributes, ..function }
}

pub fn ident(module: &str, text: &str, span: Span) -> Expr {
    expr(ExprKind::Ident(path(module, text, span)), span)
}

pub fn local(text: impl Into<Symbol>, span: Span) -> Expr {
    expr(ExprKind::Ident(path("", text, span)), span)
}

pub fn apply(callee: Expr, args: Vec<Expr>, span: Span) -> Expr {
    let args = args.into_iter().map(|it| (ArgLabel::None, it)).collect();
    expr(ExprKind::Apply(Box::new(callee), args), span)
}

/// A function of a module, applied.
pub fn call(module: &str, function: &str, args: Vec<Expr>, span: Span) -> Expr {
    apply(ident(module, function, span), args, span)
}

pub fn construct(module: &str, text: &str, args: Vec<Expr>, span: Span) -> Expr {
    let arg = match args.len() {
        0 => None,
        1 => args.into_iter().next().map(Box::new),
        _ => Some(Box::new(expr(ExprKind::Tuple(args), span))),
    };
    expr(ExprKind::Construct(path(module, text, span), arg), span)
}

pub fn unit(span: Span) -> Expr {
    construct("", "()", Vec::new(), span)
}

pub fn boolean(value: bool, span: Span) -> Expr {
    construct("", if value { "true" } else { "false" }, Vec::new(), span)
}

pub fn int(value: i64, span: Span) -> Expr {
    expr(ExprKind::Constant(Constant::Int(value)), span)
}

pub fn float(value: f64, span: Span) -> Expr {
    expr(ExprKind::Constant(Constant::Float(value)), span)
}

pub fn string(text: &str, span: Span) -> Expr {
    expr(ExprKind::Constant(Constant::String(text.as_bytes().to_vec())), span)
}

pub fn array(items: Vec<Expr>, span: Span) -> Expr {
    expr(ExprKind::Array(items), span)
}

pub fn if_(test: Expr, yes: Expr, no: Expr, span: Span) -> Expr {
    expr(ExprKind::If(Box::new(test), Box::new(yes), Some(Box::new(no))), span)
}

pub fn sequence(mut items: Vec<Expr>, span: Span) -> Expr {
    match items.len() {
        0 => unit(span),
        1 => items.remove(0),
        _ => expr(ExprKind::Sequence(items), span),
    }
}

pub fn pattern(kind: PatternKind, span: Span) -> Pattern {
    Pattern { kind, span }
}

pub fn var_pattern(text: impl Into<Symbol>, span: Span) -> Pattern {
    pattern(PatternKind::Var(name(text, span)), span)
}

/// `(x : t)`
pub fn typed_pattern(text: impl Into<Symbol>, ty: TypeExpr, span: Span) -> Pattern {
    let inner = var_pattern(text, span);
    pattern(PatternKind::Annotate(Box::new(inner), ty), span)
}

pub fn construct_pattern(module: &str, text: &str, arg: Option<Pattern>, span: Span) -> Pattern {
    pattern(PatternKind::Construct(path(module, text, span), arg.map(Box::new)), span)
}

pub fn type_name(module: &str, text: &str, span: Span) -> TypeExpr {
    TypeExpr { kind: TypeExprKind::Constr(path(module, text, span), Vec::new()), span }
}

pub fn arrow(from: TypeExpr, to: TypeExpr, span: Span) -> TypeExpr {
    TypeExpr { kind: TypeExprKind::Arrow(ArgLabel::None, Box::new(from), Box::new(to)), span }
}

pub fn fun(params: Vec<Pattern>, result: Option<TypeExpr>, body: Expr, span: Span) -> Expr {
    let params = params
        .into_iter()
        .map(|pattern| Param { label: ParamLabel::None, span: pattern.span, pattern })
        .collect();
    expr(ExprKind::Fun(params, result, Box::new(body)), span)
}

pub fn binding(pattern: Pattern, value: Expr, span: Span) -> Binding {
    Binding { pattern, value, annotation: None, mutable: false, attributes: Vec::new(), span }
}

pub fn let_(bindings: Vec<Binding>, body: Expr, span: Span) -> Expr {
    expr(ExprKind::Let { recursive: false, bindings, body: Box::new(body) }, span)
}

pub fn let_rec(bindings: Vec<Binding>, body: Expr, span: Span) -> Expr {
    expr(ExprKind::Let { recursive: true, bindings, body: Box::new(body) }, span)
}

pub fn let_item(recursive: bool, bindings: Vec<Binding>, span: Span) -> Item {
    Item { kind: ItemKind::Let { recursive, bindings }, span }
}

pub fn eval_item(value: Expr, span: Span) -> Item {
    let unit = construct_pattern("", "()", None, span);
    let_item(false, vec![binding(unit, value, span)], span)
}

pub fn case(pattern: Pattern, body: Expr) -> Case {
    Case { pattern, guard: None, body: Some(body) }
}

pub fn match_(value: Expr, cases: Vec<Case>, span: Span) -> Expr {
    expr(ExprKind::Match(Box::new(value), cases), span)
}

/// `r.contents`, of a reference.
pub fn contents(value: Expr, span: Span) -> Expr {
    expr(ExprKind::Field(Box::new(value), path("", "contents", span)), span)
}

pub fn set_contents(value: Expr, to: Expr, span: Span) -> Expr {
    expr(ExprKind::SetField(Box::new(value), path("", "contents", span), Box::new(to)), span)
}

pub fn reference(value: Expr, span: Span) -> Expr {
    let field = (path("", "contents", span), None, value);
    expr(ExprKind::Record { base: None, fields: vec![field] }, span)
}
