//! Active patterns: functions that are called by matching.
//!
//! ```text
//! let (|Even|Odd|) n = if n % 2 = 0 then Even else Odd       int -> Choice<unit, unit>
//! match x with Even -> a | Odd -> b                          match (|Even|Odd|) x with Choice1Of2 () -> a | …
//! let (|Positive|_|) n = if n > 0 then Some n else None      int -> int option
//! ```

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::VarId;

use crate::ast::{self, PatternKind};
use crate::tast;
use crate::types::{Label, Type};

use super::super::env::{Env, Value, ValueKind};
use super::super::pattern::Bound;
use super::super::{Expect, Infer};

#[derive(Clone, Debug)]
pub struct ActivePattern {
    pub cases: Vec<Symbol>,
    pub partial: bool,
}

/// The cases in the name of an active pattern: `|Even|Odd|`.
pub fn parse_name(name: Symbol) -> Option<ActivePattern> {
    let inner = name.as_str().strip_prefix('|')?.strip_suffix('|')?;
    let mut cases: Vec<Symbol> = inner.split('|').map(Symbol::new).collect();
    let partial = cases.last().is_some_and(|it| it.as_str() == "_");
    if partial {
        cases.pop();
    }
    (!cases.is_empty()).then_some(ActivePattern { cases, partial })
}

/// The name under which a case finds its function.
pub fn case_name(case: Symbol) -> Symbol {
    Symbol::new(&format!("|{case}"))
}

impl Infer<'_> {
    /// Inside its definition, a complete active pattern's cases are constructors.
    pub(in super::super) fn active_scope(&mut self, env: &mut Env, name: Symbol) {
        let Some(active) = parse_name(name) else { return };
        if active.partial || active.cases.len() < 2 {
            return;
        }
        let count = active.cases.len();
        for (index, &case) in active.cases.iter().enumerate() {
            let Some(tycon) = self.prelude_type(&format!("Choice{count}")) else { return };
            env.add_ctor(case, super::super::env::Ctor::Variant(tycon, index as u32));
            self.clef.active_ctors.insert((tycon, index as u32));
        }
    }

    /// What a name in a pattern means, if an active pattern has a case of that name.
    pub(in super::super) fn active_case(
        &mut self,
        env: &Env,
        path: &ast::Path,
    ) -> Option<(Value, ActivePattern, usize)> {
        let hidden = case_name(path.name.text);
        let value = match &path.prefix {
            None => env.value(hidden)?.clone(),
            Some(prefix) => {
                let mark = self.diagnostics.mark();
                let structure = self.prefix_structure(env, prefix);
                self.diagnostics.rollback(mark);
                structure.ok()?.values.get(&hidden)?.clone()
            }
        };
        let ValueKind::Var(var) = value.kind else { return None };
        let active = self.clef.active.get(var)?.clone();
        let index = active.cases.iter().position(|&it| it == path.name.text)?;
        Some((value, active, index))
    }

    /// Notes a definition whose name is that of an active pattern.
    pub(in super::super) fn note_active(&mut self, name: Symbol, var: VarId) -> Vec<Symbol> {
        match parse_name(name) {
            Some(active) => {
                let names = active.cases.iter().map(|&it| case_name(it)).collect();
                self.clef.active.insert(var, active);
                names
            }
            None => Vec::new(),
        }
    }

    /// A pattern whose name is a case of an active pattern.
    pub(in super::super) fn active_pattern(
        &mut self,
        env: &Env,
        found: (Value, ActivePattern, usize),
        args: &[&ast::Pattern],
        span: Span,
        expect: Expect,
        bound: &mut Bound,
    ) -> tast::Pattern {
        let (value, active, index) = found;
        let mut force = self.value_expr(&value, span);
        // How many arguments the function takes before the value: all but the last arrow.
        let mut extra = 0;
        let mut ty = self.types.expand(force.ty);
        while let Type::Arrow(_, _, result) = self.types.nodes[ty] {
            ty = self.types.expand(result);
            extra += usize::from(matches!(self.types.nodes[ty], Type::Arrow(..)));
        }
        let (params, rest) = args.split_at(extra.min(args.len()));
        for param in params {
            let expr = match pattern_to_expr(param) {
                Some(expr) => expr,
                None => {
                    let report =
                        Diagnostic::not_supported(param.span, "this argument of an active pattern");
                    self.diagnostics.error(report);
                    return tast::Pattern {
                        kind: tast::PatternKind::Any,
                        ty: self.builtins.error,
                        span,
                    };
                }
            };
            let (wanted, result) = self.split_arrow(force.ty);
            let arg = self.expr(env, &expr, Expect::plain(wanted));
            let arrow = self.arrow(Label::None, wanted, result);
            let _ = self.unify(arrow, force.ty);
            let kind = match force.kind {
                tast::ExprKind::Apply { func, mut args } => {
                    args.push(arg);
                    tast::ExprKind::Apply { func, args }
                }
                kind => {
                    let func = tast::Expr { kind, ty: force.ty, span };
                    tast::ExprKind::Apply { func: Box::new(func), args: vec![arg] }
                }
            };
            force = tast::Expr { kind, ty: result, span };
        }
        let (scrutinee, result) = self.split_arrow(force.ty);
        let arrow = self.arrow(Label::None, scrutinee, result);
        let _ = self.unify(arrow, force.ty);
        self.expect(expect, scrutinee, span);
        let pattern = self.active_result(env, &active, index, rest, result, span, bound);
        let kind = tast::PatternKind::Lazy { force: Box::new(force), pattern: Box::new(pattern) };
        tast::Pattern { kind, ty: scrutinee, span }
    }

    /// The pattern for what the function returns.
    #[expect(clippy::too_many_arguments, reason = "the parts of one pattern")]
    fn active_result(
        &mut self,
        env: &Env,
        active: &ActivePattern,
        index: usize,
        args: &[&ast::Pattern],
        result: crate::types::TypeId,
        span: Span,
        bound: &mut Bound,
    ) -> tast::Pattern {
        let single = active.cases.len() == 1 && !active.partial;
        if single {
            return match args.first() {
                Some(arg) => self.pattern(env, arg, Expect::plain(result), bound),
                None => tast::Pattern { kind: tast::PatternKind::Any, ty: result, span },
            };
        }
        let (tycon, ctor) = if active.partial {
            // A partial pattern without a value may say so by a bool.
            let expanded = self.types.expand(result);
            if expanded == self.types.repr(self.builtins.bool) {
                return tast::Pattern { kind: tast::PatternKind::Bool(true), ty: result, span };
            }
            let voption = self.prelude_type("ValueOption");
            match self.head_con(result) {
                Some((con, _)) if Some(con) == voption => (con, 1),
                _ => (self.builtins.option, 1),
            }
        } else {
            match self.prelude_type(&format!("Choice{}", active.cases.len())) {
                Some(tycon) => (tycon, index as u32),
                None => return tast::Pattern { kind: tast::PatternKind::Any, ty: result, span },
            }
        };
        let instance = self.instantiate_ctor(super::super::env::Ctor::Variant(tycon, ctor));
        self.expect(Expect::plain(instance.result), result, span);
        let arg_ty = instance.args.first().copied().unwrap_or(self.builtins.unit);
        let arg = match args.first() {
            Some(arg) => self.pattern(env, arg, Expect::plain(arg_ty), bound),
            None => tast::Pattern { kind: tast::PatternKind::Any, ty: arg_ty, span },
        };
        let kind = tast::PatternKind::Construct { tycon, ctor, args: vec![arg] };
        tast::Pattern { kind, ty: instance.result, span }
    }
}

/// The argument of an active pattern is an expression that was read as a pattern.
fn pattern_to_expr(pattern: &ast::Pattern) -> Option<ast::Expr> {
    let kind = match &pattern.kind {
        PatternKind::Constant(constant) => ast::ExprKind::Constant(constant.clone()),
        PatternKind::Var(name) => ast::ExprKind::Ident(ast::Path::plain(*name)),
        PatternKind::Construct(path, None) => {
            let special = matches!(path.name.text.as_str(), "true" | "false" | "()" | "[]");
            if special {
                ast::ExprKind::Construct(path.clone(), None)
            } else {
                ast::ExprKind::Ident(path.clone())
            }
        }
        PatternKind::Tuple(items) => {
            ast::ExprKind::Tuple(items.iter().map(pattern_to_expr).collect::<Option<_>>()?)
        }
        PatternKind::List(items) => {
            ast::ExprKind::List(items.iter().map(pattern_to_expr).collect::<Option<_>>()?)
        }
        _ => return None,
    };
    Some(ast::Expr { kind, span: pattern.span, attributes: Vec::new() })
}
