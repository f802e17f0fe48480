//! Surface forms that are other surface forms: `let*`, and the cases of a `match` on values and
//! exceptions.

use oxbow_base::{Span, Symbol};

use crate::ast::{self, ArgLabel, ExprKind, Name, ParamLabel, Path, PatternKind};

pub fn is_exception_pattern(pattern: &ast::Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Exception(_) => true,
        PatternKind::Or(left, right) => is_exception_pattern(left) && is_exception_pattern(right),
        _ => false,
    }
}

/// Does a pattern match an exception, alone or beside values?
pub fn mentions_exception(pattern: &ast::Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Exception(_) => true,
        PatternKind::Or(left, right) => mentions_exception(left) || mentions_exception(right),
        _ => false,
    }
}

/// `p | exception q -> e` is two cases.
pub fn split_case(case: &ast::Case) -> Vec<ast::Case> {
    let (mut values, mut exceptions): (Option<ast::Pattern>, Option<ast::Pattern>) = (None, None);
    let mut todo = vec![&case.pattern];
    while let Some(pattern) = todo.pop() {
        if let PatternKind::Or(left, right) = &pattern.kind {
            todo.extend([&**right, &**left]);
            continue;
        }
        let side = if is_exception_pattern(pattern) { &mut exceptions } else { &mut values };
        *side = Some(match side.take() {
            None => pattern.clone(),
            Some(before) => {
                let span = before.span.to(pattern.span);
                ast::Pattern {
                    kind: PatternKind::Or(Box::new(before), Box::new(pattern.clone())),
                    span,
                }
            }
        });
    }
    match (values, exceptions) {
        (Some(values), Some(exceptions)) => {
            let with = |pattern| ast::Case { pattern, ..case.clone() };
            vec![with(values), with(exceptions)]
        }
        _ => vec![case.clone()],
    }
}

pub fn strip_exception(mut case: ast::Case) -> ast::Case {
    fn strip(pattern: ast::Pattern) -> ast::Pattern {
        match pattern.kind {
            PatternKind::Exception(inner) => *inner,
            PatternKind::Or(left, right) => ast::Pattern {
                kind: PatternKind::Or(Box::new(strip(*left)), Box::new(strip(*right))),
                span: pattern.span,
            },
            _ => pattern,
        }
    }
    case.pattern = strip(case.pattern);
    case
}

/// `let* p = a and* q = b in e` is `( let* ) (( and* ) a b) (fun (p, q) -> e)`, where `a` is evaluated before `b`.
pub fn desugar_let_op(bindings: &[ast::LetOpBinding], body: &ast::Expr, span: Span) -> ast::Expr {
    let node = |kind, span| ast::Expr { kind, span, attributes: Vec::new() };
    let ident = |name: Name| node(ExprKind::Ident(Path::plain(name)), name.span);
    let mut parts = bindings.iter();
    let Some(first) = parts.next() else { return body.clone() };
    let (mut value, mut pattern) = (first.value.clone(), first.pattern.clone());
    for next in parts {
        let place = value.span.to(next.value.span);
        // No program can write these names.
        let [left, right] = [("and left", value.span), ("and right", next.value.span)]
            .map(|(text, span)| Name { text: Symbol::new(text), span });
        let call = ExprKind::Apply(
            Box::new(ident(next.op)),
            vec![(ArgLabel::None, ident(left)), (ArgLabel::None, ident(right))],
        );
        let mut bound = node(call, place);
        for (name, value) in [(right, next.value.clone()), (left, value)] {
            let binding = ast::Binding {
                pattern: ast::Pattern { kind: PatternKind::Var(name), span: name.span },
                value,
                annotation: None,
                mutable: false,
                attributes: Vec::new(),
                span: name.span,
            };
            let kind =
                ExprKind::Let { recursive: false, bindings: vec![binding], body: Box::new(bound) };
            bound = node(kind, place);
        }
        value = bound;
        let place = pattern.span.to(next.pattern.span);
        pattern = ast::Pattern {
            kind: PatternKind::Tuple(vec![pattern, next.pattern.clone()]),
            span: place,
        };
    }
    // As a function of its own, it begins where its body does.
    let param = ast::Param { label: ParamLabel::None, span: body.span, pattern };
    let rest = node(ExprKind::Fun(vec![param], None, Box::new(body.clone())), body.span);
    node(
        ExprKind::Apply(
            Box::new(ident(first.op)),
            vec![(ArgLabel::None, value), (ArgLabel::None, rest)],
        ),
        span,
    )
}

/// `[a; b]` as `a :: (b :: [])`, for a program that has constructors of these names.
pub fn own_list<T: Clone>(
    items: &[T],
    span: Span,
    construct: impl Fn(Path, Option<T>) -> T,
    tuple: impl Fn(Vec<T>) -> T,
) -> T {
    let path = |name: &str| Path::plain(Name { text: Symbol::new(name), span });
    let end = construct(path("[]"), None);
    items
        .iter()
        .rev()
        .fold(end, |rest, item| construct(path("::"), Some(tuple(vec![item.clone(), rest]))))
}

/// `let (module M) = a and p = b in body`: the values first, then the modules in them.
///
/// ```text
/// let m = a and p = b in let (module M) = m in body
/// ```
pub fn unpack_one_by_one(bindings: &[ast::Binding], body: &ast::Expr, span: Span) -> ast::Expr {
    let expr = |kind| ast::Expr { kind, span, attributes: Vec::new() };
    let mut first = Vec::new();
    let mut body = body.clone();
    let mut unpacked = Vec::new();
    for (index, binding) in bindings.iter().enumerate() {
        if !binding.pattern.unpacks() {
            first.push(binding.clone());
            continue;
        }
        let at = binding.pattern.span;
        let name = ast::Name { text: Symbol::new(&format!("(module {index})")), span: at };
        let pattern = ast::Pattern { kind: ast::PatternKind::Var(name), span: at };
        let annotation = match package_of(&binding.pattern) {
            Some(ty) => Some(ast::PolyType { vars: Vec::new(), locally_abstract: false, ty }),
            None => binding.annotation.clone(),
        };
        first.push(ast::Binding { pattern, annotation, ..binding.clone() });
        let value = expr(ast::ExprKind::Ident(ast::Path::plain(name)));
        unpacked.push(ast::Binding { value, annotation: None, ..binding.clone() });
    }
    for binding in unpacked.into_iter().rev() {
        let (bindings, recursive) = (vec![binding], false);
        body = expr(ast::ExprKind::Let { recursive, bindings, body: Box::new(body) });
    }
    expr(ast::ExprKind::Let { recursive: false, bindings: first, body: Box::new(body) })
}

/// `(module M : S)`: what the pattern says of the module's type is known of the value.
pub fn package_of(pattern: &ast::Pattern) -> Option<ast::TypeExpr> {
    match &pattern.kind {
        PatternKind::Unpack(_, Some(package)) => {
            let kind = ast::TypeExprKind::Package(Box::new(package.clone()));
            Some(ast::TypeExpr { kind, span: package.span })
        }
        _ => None,
    }
}
