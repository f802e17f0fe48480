//! `let` bindings of values that are polymorphic though they are not plain `x = value`.
//!
//! ```text
//! let (f, g) = value              let both['a, 'b] = value
//!                                 let f['a, 'b] = match both with (x, _) -> x
//!                                 let g['a, 'b] = match both with (_, x) -> x
//!
//! let f = a; fun x -> x           let _ = a
//!                                 let f['a] = fun x -> x
//! ```

use oxbow_base::Symbol;
use oxbow_psg::VarId;

use crate::tast::{self, ExprKind, PatternKind};
use crate::types::TypeId;

use super::Infer;
use super::pattern::Bound;

impl Infer<'_> {
    /// What runs before a value is made becomes bindings of its own; the value remains.
    pub(super) fn do_first(
        &mut self,
        value: tast::Expr,
        typed: &mut Vec<tast::Binding>,
    ) -> tast::Expr {
        let tast::Expr { kind, ty, span } = value;
        match kind {
            ExprKind::Sequence(mut items) => {
                let Some(last) = items.pop() else {
                    return tast::Expr { kind: ExprKind::Sequence(items), ty, span };
                };
                if !self.is_value(&last) {
                    items.push(last);
                    return tast::Expr { kind: ExprKind::Sequence(items), ty, span };
                }
                let unit = self.builtins.unit;
                for value in items {
                    // `unit` or not, nothing is bound.
                    let pattern =
                        tast::Pattern { kind: PatternKind::Any, ty: unit, span: value.span };
                    typed.push(tast::Binding { pattern, value });
                }
                last
            }
            ExprKind::If { cond, then, otherwise: Some(otherwise) }
                if !self.is_value(&cond) && self.is_value(&then) && self.is_value(&otherwise) =>
            {
                let (bool, at) = (cond.ty, cond.span);
                let var = self.new_var(Symbol::new("condition"), bool, at);
                let pattern = tast::Pattern { kind: PatternKind::Var(var), ty: bool, span: at };
                typed.push(tast::Binding { pattern, value: *cond });
                let read = ExprKind::Var { var, tyargs: Vec::new() };
                let cond = Box::new(tast::Expr { kind: read, ty: bool, span: at });
                tast::Expr {
                    kind: ExprKind::If { cond, then, otherwise: Some(otherwise) },
                    ty,
                    span,
                }
            }
            kind => tast::Expr { kind, ty, span },
        }
    }

    /// Binds each variable of a pattern on its own, polymorphic over all of `vars`.
    pub(super) fn split_pattern(
        &mut self,
        binding: tast::Binding,
        bound: &Bound,
        vars: Vec<TypeId>,
        typed: &mut Vec<tast::Binding>,
    ) {
        let tast::Binding { pattern, value } = binding;
        let (ty, span) = (pattern.ty, pattern.span);
        let whole = self.new_var(Symbol::new("pattern"), ty, span);
        self.types.vars[whole].tyvars.clone_from(&vars);
        let plain = |var, ty| tast::Pattern { kind: PatternKind::Var(var), ty, span };
        let read =
            || tast::Expr { kind: ExprKind::Var { var: whole, tyargs: vars.clone() }, ty, span };
        typed.push(tast::Binding { pattern: plain(whole, ty), value });
        for &(name, var) in &bound.vars {
            let part_ty = self.types.vars[var].ty;
            self.local_depth += 1;
            let local = self.new_var(name, part_ty, span);
            self.local_depth -= 1;
            let case = tast::Case {
                pattern: select(&pattern, (var, local)),
                guard: None,
                body: tast::Expr {
                    kind: ExprKind::Var { var: local, tyargs: Vec::new() },
                    ty: part_ty,
                    span,
                },
            };
            let kind = ExprKind::Match {
                scrutinee: Box::new(read()),
                cases: vec![case],
                exceptions: Vec::new(),
            };
            let value = tast::Expr { kind, ty: part_ty, span };
            typed.push(tast::Binding { pattern: plain(var, part_ty), value });
        }
    }
}

/// The pattern with one of its variables, under another name.
fn select(pattern: &tast::Pattern, kept: (VarId, VarId)) -> tast::Pattern {
    let all = |items: &[tast::Pattern]| items.iter().map(|it| select(it, kept)).collect::<Vec<_>>();
    let kept_name = |var: VarId| (kept.0 == var).then_some(kept.1);
    let kind = match &pattern.kind {
        PatternKind::Var(var) => kept_name(*var).map_or(PatternKind::Any, PatternKind::Var),
        PatternKind::Alias(inner, var) => match kept_name(*var) {
            Some(name) => PatternKind::Alias(Box::new(select(inner, kept)), name),
            None => return select(inner, kept),
        },
        PatternKind::Tuple(items) => PatternKind::Tuple(all(items)),
        PatternKind::Array(items) => PatternKind::Array(all(items)),
        PatternKind::Construct { tycon, ctor, args } => {
            PatternKind::Construct { tycon: *tycon, ctor: *ctor, args: all(args) }
        }
        PatternKind::Variant { tag, arg } => PatternKind::Variant {
            tag: *tag,
            arg: arg.as_ref().map(|it| Box::new(select(it, kept))),
        },
        PatternKind::Exn { exn, args } => PatternKind::Exn { exn: *exn, args: all(args) },
        PatternKind::Record { tycon, fields } => PatternKind::Record {
            tycon: *tycon,
            fields: fields.iter().map(|(index, it)| (*index, select(it, kept))).collect(),
        },
        PatternKind::Or(left, right) => {
            PatternKind::Or(Box::new(select(left, kept)), Box::new(select(right, kept)))
        }
        PatternKind::Lazy { force, pattern } => {
            PatternKind::Lazy { force: force.clone(), pattern: Box::new(select(pattern, kept)) }
        }
        PatternKind::Any
        | PatternKind::Unit
        | PatternKind::Bool(_)
        | PatternKind::Constant(_)
        | PatternKind::CharRange(..)
        | PatternKind::Error(_) => pattern.kind.clone(),
    };
    tast::Pattern { kind, ty: pattern.ty, span: pattern.span }
}

/// Could the pattern not match, as far as its form tells? Such a pattern is matched once, where
/// it stands, and its variables are not polymorphic.
pub(super) fn may_fail(pattern: &tast::Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Any | PatternKind::Var(_) | PatternKind::Unit => false,
        PatternKind::Alias(inner, _) => may_fail(inner),
        PatternKind::Tuple(items) => items.iter().any(may_fail),
        PatternKind::Record { fields, .. } => fields.iter().any(|it| may_fail(&it.1)),
        PatternKind::Construct { .. }
        | PatternKind::Variant { .. }
        | PatternKind::Exn { .. }
        | PatternKind::Array(_)
        | PatternKind::Bool(_)
        | PatternKind::Constant(_)
        | PatternKind::CharRange(..)
        | PatternKind::Or(..)
        | PatternKind::Lazy { .. }
        | PatternKind::Error(_) => true,
    }
}
