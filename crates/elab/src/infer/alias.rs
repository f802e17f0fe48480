//! Names for parts of patterns: `(p as x)`.
//!
//! ```text
//! function None as x -> x | …          'a option -> 'b option: `x` is `None` made anew
//! function (A | B _ as x) -> x | …     the same, by a match
//! ```
//!
//! What the name stands for may have other types than what is matched in parameters that nothing in it mentions.

use super::Infer;
use super::env::Ctor;
use super::pattern::Bound;
use crate::ast;
use crate::tast;
use crate::types::{TyConId, TyConKind};

impl Infer<'_> {
    /// `C p as name`. Type arguments that only other constructors use are free in the name's type:
    /// `Error _ as e` has any type `('a, error) result`. Such a name is bound to a constructor
    /// made anew from the parts, since the two types may differ in representation.
    pub(super) fn alias(
        &mut self,
        mut inner: tast::Pattern,
        name: ast::Name,
        bound: &mut Bound,
    ) -> tast::PatternKind {
        let free_params = match &inner.kind {
            tast::PatternKind::Construct { tycon, ctor, .. } if bound.rebuild => {
                self.has_unused_params(*tycon, *ctor)
            }
            _ => false,
        };
        if bound.rebuild
            && let Some((tycon, ctors)) = alternatives(&inner)
            && self.have_unused_param(tycon, &ctors)
        {
            return self.alias_of_some(inner, (tycon, &ctors), name, bound);
        }
        if !free_params {
            let ty = self.named_type(&inner);
            return tast::PatternKind::Alias(
                Box::new(inner),
                self.bind_var(name.text, ty, name.span, bound),
            );
        }
        let span = inner.span;
        let tast::PatternKind::Construct { tycon, ctor, args } = &mut inner.kind else {
            oxbow_diag::ice!("a constructor pattern changed its kind");
        };
        let instance = self.instantiate_ctor(Ctor::Variant(*tycon, *ctor));
        let mut parts = Vec::new();
        for (wanted, arg) in instance.args.iter().zip(args.iter_mut()) {
            let ty = arg.ty;
            let _ = self.unify(*wanted, ty);
            let var = self.new_var(name.text, ty, span);
            parts.push(tast::Expr {
                kind: tast::ExprKind::Var { var, tyargs: Vec::new() },
                ty,
                span,
            });
            let part =
                std::mem::replace(arg, tast::Pattern { kind: tast::PatternKind::Any, ty, span });
            *arg = tast::Pattern { kind: tast::PatternKind::Alias(Box::new(part), var), ty, span };
        }
        let kind = tast::ExprKind::Construct { tycon: *tycon, ctor: *ctor, args: parts };
        let value = tast::Expr { kind, ty: instance.result, span };
        let var = self.bind_var(name.text, instance.result, name.span, bound);
        bound.rebuilt.push((var, value));
        inner.kind
    }

    /// `(A | B x as name)`: where no argument mentions a parameter of the type, the name may have another one there.
    fn alias_of_some(
        &mut self,
        inner: tast::Pattern,
        (tycon, ctors): (TyConId, &[u32]),
        name: ast::Name,
        bound: &mut Bound,
    ) -> tast::PatternKind {
        let (span, result) = (inner.span, self.fresh());
        let whole = self.new_var(name.text, inner.ty, span);
        let of_var = |var, ty| {
            let kind = tast::ExprKind::Var { var, tyargs: Vec::new() };
            tast::Expr { kind, ty, span }
        };
        let mut cases = Vec::new();
        for &ctor in ctors {
            let [old, new] = [0, 1].map(|_| self.instantiate_ctor(Ctor::Variant(tycon, ctor)));
            let _ = self.unify(old.result, inner.ty);
            let _ = self.unify(new.result, result);
            let (mut taken, mut given) = (Vec::new(), Vec::new());
            for (&old, &new) in old.args.iter().zip(&new.args) {
                let _ = self.unify(old, new);
                let var = self.new_var(name.text, old, span);
                taken.push(tast::Pattern { kind: tast::PatternKind::Var(var), ty: old, span });
                given.push(of_var(var, old));
            }
            let pattern = tast::PatternKind::Construct { tycon, ctor, args: taken };
            let body = tast::ExprKind::Construct { tycon, ctor, args: given };
            cases.push(tast::Case {
                pattern: tast::Pattern { kind: pattern, ty: inner.ty, span },
                guard: None,
                body: tast::Expr { kind: body, ty: result, span },
            });
        }
        let is_whole = matches!(&self.types.tycons[tycon].kind,
            TyConKind::Variant(all) if all.len() == ctors.len());
        if !is_whole {
            // The pattern has been matched.
            cases.push(tast::Case {
                pattern: tast::Pattern { kind: tast::PatternKind::Any, ty: inner.ty, span },
                guard: None,
                body: tast::Expr { kind: tast::ExprKind::AssertFalse, ty: result, span },
            });
        }
        let scrutinee = Box::new(of_var(whole, inner.ty));
        let kind = tast::ExprKind::Match { scrutinee, cases, exceptions: Vec::new() };
        let var = self.bind_var(name.text, result, name.span, bound);
        bound.rebuilt.push((var, tast::Expr { kind, ty: result, span }));
        tast::PatternKind::Alias(Box::new(inner), whole)
    }

    /// Has the type a parameter that no argument of these constructors mentions?
    fn have_unused_param(&self, tycon: TyConId, ctors: &[u32]) -> bool {
        let TyConKind::Variant(all) = &self.types.tycons[tycon].kind else { return false };
        let chosen: Vec<_> = ctors.iter().filter_map(|&it| all.get(it as usize)).collect();
        chosen.iter().all(|it| it.own.is_none() && it.inline_record.is_none())
            && self.types.tycons[tycon].params.iter().any(|&param| {
                !chosen.iter().any(|it| it.args.iter().any(|&arg| self.mentions(arg, param)))
            })
    }

    /// Has the type parameters that this constructor's arguments do not mention?
    fn has_unused_params(&self, tycon: TyConId, ctor: u32) -> bool {
        let TyConKind::Variant(ctors) = &self.types.tycons[tycon].kind else { return false };
        let Some(info) = ctors.get(ctor as usize) else { return false };
        if info.own.is_some() {
            return false;
        }
        self.types.tycons[tycon]
            .params
            .iter()
            .any(|&it| !info.args.iter().any(|&arg| self.mentions(arg, it)))
    }
}

/// The constructors of one type that an or-pattern is for, each once.
fn alternatives(pattern: &tast::Pattern) -> Option<(TyConId, Vec<u32>)> {
    match &pattern.kind {
        tast::PatternKind::Or(left, right) => {
            let (tycon, mut ctors) = single_or_alternatives(left)?;
            let (other, more) = single_or_alternatives(right)?;
            ctors.extend(more);
            ctors.sort_unstable();
            ctors.dedup();
            (tycon == other).then_some((tycon, ctors))
        }
        _ => None,
    }
}

fn single_or_alternatives(pattern: &tast::Pattern) -> Option<(TyConId, Vec<u32>)> {
    match &pattern.kind {
        tast::PatternKind::Construct { tycon, ctor, .. } => Some((*tycon, vec![*ctor])),
        _ => alternatives(pattern),
    }
}
