//! Names for parts of patterns: `(p as x)`.
//!
//! ```text
//! function None as x -> x | …          'a option -> 'b option: `x` is `None` made anew
//! function (None, _ as x) -> x | …     the same in the parts of tuples, records and constructors
//! function (A | B _ as x) -> x | …     the same, by a match
//! function Error (`A _) as x -> x | …  [> `A of 'a ] in the type of `x`: the tags that were matched
//! fun ({ text; _ } as x) -> x          'a form -> 'b form, if no field mentions the parameter: the record itself
//! ```
//!
//! What the name stands for may have other types than what is matched in parameters that nothing in it mentions.

use oxbow_base::Symbol;

use super::Infer;
use super::env::Ctor;
use super::pattern::Bound;
use crate::ast;
use crate::tast;
use crate::types::{FieldInfo, TyConId, TyConKind, Type, TypeId};

impl Infer<'_> {
    /// `C p as name`. Type arguments that only other constructors use are free in the name's type:
    /// `Error _ as e` has any type `('a, error) result`. Such a name is bound to a constructor
    /// made anew from the parts, since the two types may differ in representation.
    pub(super) fn alias(
        &mut self,
        (written, mut inner): (&ast::Pattern, tast::Pattern),
        name: ast::Name,
        bound: &mut Bound,
    ) -> tast::PatternKind {
        // `(p : t) as x`: the type is written.
        if matches!(written.kind, ast::PatternKind::Annotate(..)) && self.is_ground(inner.ty) {
            let var = self.bind_var(name.text, inner.ty, name.span, bound);
            return tast::PatternKind::Alias(Box::new(inner), var);
        }
        if bound.rebuild
            && !bound.guarded
            && let Some((tycon, ctors)) = alternatives(&inner)
            && self.have_unused_param(tycon, &ctors)
        {
            return self.alias_of_some(inner, (tycon, &ctors), name, bound);
        }
        if !bound.rebuild || !self.is_free_in(&inner) {
            // In the code behind the pattern, the row of the tags that were matched is as each use wants it.
            self.enter_level();
            let ty = self.named_type(&inner);
            self.leave_level();
            let mut rows = Vec::new();
            if bound.rebuild && self.or_vars.is_empty() {
                self.generalize_rows(ty, &mut rows);
            } else {
                self.fix_levels(ty);
            }
            let var = self.bind_var(name.text, ty, name.span, bound);
            self.types.vars[var].tyvars.extend(rows);
            return tast::PatternKind::Alias(Box::new(inner), var);
        }
        let value = self.rebuilt(&mut inner, name.text);
        let var = self.bind_var(name.text, value.ty, name.span, bound);
        bound.rebuilt.push((var, value));
        inner.kind
    }

    fn is_ground(&self, ty: TypeId) -> bool {
        !self.types.any_part(ty, |_, it| match it {
            Type::Var { .. } => true,
            Type::Row(row) => !row.is_fixed(),
            _ => false,
        })
    }

    /// Are there type arguments that nothing which was matched mentions?
    fn is_free_in(&self, pattern: &tast::Pattern) -> bool {
        match &pattern.kind {
            tast::PatternKind::Alias(inner, _) => self.is_free_in(inner),
            tast::PatternKind::Tuple(items) => items.iter().any(|it| self.is_free_in(it)),
            tast::PatternKind::Construct { tycon, ctor, args } => {
                self.has_unused_params(*tycon, *ctor)
                    || self.is_plain_ctor(*tycon, *ctor)
                        && args.iter().any(|it| self.is_free_in(it))
            }
            // One that can change is not made anew.
            tast::PatternKind::Record { tycon, fields } => {
                !self.types.tycons[*tycon].private
                    && !self.fields_of(*tycon).iter().any(|it| it.mutable || !it.vars.is_empty())
                    && fields.iter().any(|it| self.is_free_in(&it.1))
            }
            _ => false,
        }
    }

    /// The value that was matched, made anew from its parts.
    fn rebuilt(&mut self, pattern: &mut tast::Pattern, name: Symbol) -> tast::Expr {
        let span = pattern.span;
        let (kind, ty) = match &mut pattern.kind {
            tast::PatternKind::Alias(inner, _) => return self.rebuilt(inner, name),
            tast::PatternKind::Tuple(items) => {
                let parts: Vec<_> =
                    items.iter_mut().map(|it| self.rebuilt_part(it, name)).collect();
                let ty = self.types.add(Type::Tuple(parts.iter().map(|it| it.ty).collect()));
                (tast::ExprKind::Tuple(parts), ty)
            }
            tast::PatternKind::Construct { tycon, ctor, args } => {
                let instance = self.instantiate_ctor(Ctor::Variant(*tycon, *ctor));
                let mut parts = Vec::new();
                for (&wanted, arg) in instance.args.iter().zip(args) {
                    let part = self.rebuilt_part(arg, name);
                    let _ = self.unify(wanted, part.ty);
                    parts.push(part);
                }
                let kind = tast::ExprKind::Construct { tycon: *tycon, ctor: *ctor, args: parts };
                (kind, instance.result)
            }
            tast::PatternKind::Record { tycon, fields } => {
                let tycon = *tycon;
                let [old, new] = [0, 1].map(|_| self.record_instance(tycon));
                let _ = self.unify(old.0, pattern.ty);
                let mut parts = Vec::new();
                for (index, (&old, &new)) in old.1.iter().zip(&new.1).enumerate() {
                    let index = index as u32;
                    if !fields.iter().any(|it| it.0 == index) {
                        let kind = tast::PatternKind::Any;
                        fields.push((index, tast::Pattern { kind, ty: old, span }));
                    }
                    let Some((_, field)) = fields.iter_mut().find(|it| it.0 == index) else {
                        oxbow_diag::ice!("a field of a record pattern is lost");
                    };
                    let part = self.rebuilt_part(field, name);
                    let _ = self.unify(new, part.ty);
                    parts.push(part);
                }
                (tast::ExprKind::Record { tycon, fields: parts }, new.0)
            }
            _ => oxbow_diag::ice!("only what has parts is made anew"),
        };
        tast::Expr { kind, ty, span }
    }

    /// A part of such a value: made anew itself, or named.
    fn rebuilt_part(&mut self, part: &mut tast::Pattern, name: Symbol) -> tast::Expr {
        if self.is_free_in(part) {
            return self.rebuilt(part, name);
        }
        let (ty, old, span) = (self.named_type(part), part.ty, part.span);
        let var = self.new_var(name, ty, span);
        let any = tast::Pattern { kind: tast::PatternKind::Any, ty: old, span };
        let inner = Box::new(std::mem::replace(part, any));
        *part = tast::Pattern { kind: tast::PatternKind::Alias(inner, var), ty: old, span };
        tast::Expr { kind: tast::ExprKind::Var { var, tyargs: Vec::new() }, ty, span }
    }

    /// Parameters of a record that no field mentions mean nothing to the graph, so that a record is one at all of them.
    pub(super) fn erase_unused(&mut self, tycon: TyConId, fields: &[FieldInfo]) {
        if self.library || self.is_clef() || self.types.tycons[tycon].forms.is_some() {
            return;
        }
        let is_unused = |&param: &TypeId| !fields.iter().any(|it| self.mentions(it.ty, param));
        let unused = self.types.tycons[tycon].params.iter().map(is_unused).collect();
        self.types.tycons[tycon].erased = unused;
    }

    /// May the name of a record have another type than the record, since no field mentions a parameter?
    pub(super) fn has_erased_param(&self, tycon: TyConId) -> bool {
        let it = &self.types.tycons[tycon];
        matches!(it.kind, TyConKind::Record(_)) && it.forms.is_none() && it.erased.contains(&true)
    }

    /// A record type at fresh arguments, and the types of its fields.
    pub(super) fn record_instance(&mut self, tycon: TyConId) -> (TypeId, Vec<TypeId>) {
        let params = self.types.tycons[tycon].params.clone();
        let args: Vec<TypeId> = params.iter().map(|_| self.fresh()).collect();
        let fields: Vec<TypeId> = self.fields_of(tycon).iter().map(|it| it.ty).collect();
        let fields = fields.iter().map(|&it| self.types.substitute(it, &params, &args)).collect();
        (self.types.add(Type::Con(tycon, args)), fields)
    }

    /// Has the constructor the result that its declaration says, and no record inside?
    pub(super) fn is_plain_ctor(&self, tycon: TyConId, ctor: u32) -> bool {
        let TyConKind::Variant(ctors) = &self.types.tycons[tycon].kind else { return false };
        let is_plain = ctors
            .get(ctor as usize)
            .is_some_and(|it| it.own.is_none() && it.inline_record.is_none());
        is_plain && !self.types.tycons[tycon].private
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
    pub(super) fn has_unused_params(&self, tycon: TyConId, ctor: u32) -> bool {
        let TyConKind::Variant(ctors) = &self.types.tycons[tycon].kind else { return false };
        let Some(info) = ctors.get(ctor as usize) else { return false };
        if let Some(own) = &info.own {
            let of_args = |it: TypeId| info.args.iter().any(|&arg| self.mentions(arg, it));
            let of_result = |it: TypeId| own.args.iter().any(|&arg| self.mentions(arg, it));
            // What only the arguments mention is not known again in another type.
            return info.inline_record.is_none()
                && !self.types.tycons[tycon].private
                && own.vars.iter().all(|&it| of_result(it))
                && own.vars.iter().any(|&it| !of_args(it));
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
