//! Coercions: `(e :> t)` and `(e : s :> t)`.
//!
//! ```text
//! [ `A ]  :>  [ `A | `B ]                 more tags
//! [ `A ] list  :>  [ `A | `B ] list       by the variance of the parameter
//! t -> [ `A ]  :>  t -> [ `A | `B ]       parameters the other way round
//! u  :>  int                              with  type u = private int
//! < m : t; n : u >  :>  < m : t >         fewer methods
//! ```
//!
//! A subtype has the same values in the graph, so that a coercion is nothing there. What is not known yet of the type
//! of `e` is taken from `t`: a variable becomes a row with no more tags than `t` has.

use oxbow_base::{FxHashSet, Span, SparseMap, SparseSet};
use oxbow_diag::Diagnostic;

use crate::ast;
use crate::tast;
use crate::types::{Row, Tag, TyConKind, Type, TypeId};

use super::env::Env;
use super::print::Printer;
use super::typexpr::Vars;
use super::unify::Mismatch;
use super::{Because, Expect, Infer};

/// Types that are being compared: those that contain themselves are not compared again.
pub(super) type Seen = FxHashSet<(TypeId, TypeId)>;

impl Infer<'_> {
    pub(super) fn coercion(
        &mut self,
        env: &Env,
        inner: &ast::Expr,
        from: Option<&ast::TypeExpr>,
        to: &ast::TypeExpr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let wanted = self.type_expr(env, to, Vars::Shared);
        let (found, because) = match from {
            Some(from) => (self.type_expr(env, from, Vars::Shared), Because::Annotation(from.span)),
            None => (self.fresh(), Because::Plain),
        };
        let mut typed = self.expr(env, inner, Expect { ty: found, because });
        typed.span = span;
        if matches!(self.types.get(typed.ty), Type::Error) {
            return typed;
        }
        // An open row is enlarged from a type that is written only.
        let expanded = self.types.expand(wanted);
        let open = matches!(&self.types.nodes[expanded], Type::Row(row) if !row.is_fixed());
        let result = match from {
            None if open => self.unify(found, wanted),
            _ => self.subtype(found, wanted, &mut Seen::default()),
        };
        if result.is_err() {
            self.no_subtype(found, wanted, inner.span, to.span);
            typed.ty = self.builtins.error;
            return typed;
        }
        typed.ty = wanted;
        if !self.expect(expect, wanted, span) {
            typed.ty = self.builtins.error;
        }
        typed
    }

    fn no_subtype(&mut self, found: TypeId, wanted: TypeId, span: Span, to: Span) {
        let mut printer = Printer::new(&self.types);
        let (found_text, wanted_text) = (printer.show(found), printer.show(wanted));
        let mut report = Diagnostic::error(
            "E0184",
            format!("`{found_text}` is not a subtype of `{wanted_text}`"),
        )
        .at(span, format!("this has type `{found_text}`"))
        .label(to, "cannot be coerced to this");
        if let Some(note) =
            self.tags_not_allowed(wanted, found).or_else(|| self.lacking_methods(wanted, found))
        {
            report = report.note(note);
        }
        self.diagnostics.error(report);
    }

    /// The tags of one type that another one has no place for, in words.
    pub(super) fn tags_not_allowed(&mut self, wanted: TypeId, found: TypeId) -> Option<String> {
        let (wanted, found) = (self.types.expand(wanted), self.types.expand(found));
        let (Type::Row(wanted), Type::Row(found)) =
            (&self.types.nodes[wanted], &self.types.nodes[found])
        else {
            return None;
        };
        if wanted.object || found.object {
            return None;
        }
        let missing = |of: &Row, in_row: &Row| -> Vec<String> {
            let wanted =
                |it: &Tag| matches!(it, Tag::Present(_) | Tag::Maybe { matched: true, .. });
            let certain = of.tags.iter().filter(|it| wanted(&it.1));
            let absent = certain.filter(|it| in_row.closed && in_row.find(it.0).is_none());
            absent.map(|it| format!("`` `{} ``", it.0)).collect()
        };
        let (extra, lacking) = (missing(found, wanted), missing(wanted, found));
        let list = |tags: Vec<String>| match tags.len() {
            1 => format!("the tag {}", tags[0]),
            _ => format!("the tags {}", tags.join(", ")),
        };
        if !extra.is_empty() {
            return Some(format!("the type that is wanted does not allow {}", list(extra)));
        }
        (!lacking.is_empty())
            .then(|| format!("the type that is found does not allow {}", list(lacking)))
    }

    pub(super) fn subtype(
        &mut self,
        a: TypeId,
        b: TypeId,
        seen: &mut Seen,
    ) -> Result<(), Mismatch> {
        let (a, b) = (self.types.repr(a), self.types.repr(b));
        if a == b || !seen.insert((a, b)) {
            return Ok(());
        }
        let (a, b) = (self.types.expand(a), self.types.expand(b));
        match (self.types.nodes[a].clone(), self.types.nodes[b].clone()) {
            // Once for each type, as below: `< m : 'a > as 'a` has no largest subtype.
            (Type::Var { .. }, Type::Row(row)) if row.object && seen.insert((b, b)) => {
                let above = self.at_least(&row);
                self.unify(a, above)?;
                self.subtype(a, b, seen)
            }
            (Type::Var { .. }, Type::Row(row)) if !row.object && seen.insert((b, b)) => {
                let below = self.at_most(&row);
                self.unify(a, below)?;
                self.subtype(a, b, seen)
            }
            // Once for each type: what contains itself has no largest subtype.
            (Type::Var { .. }, wanted)
                if self.has_row(b, &mut SparseSet::new()) && seen.insert((b, b)) =>
            {
                let below = self.same_shape(wanted);
                self.unify(a, below)?;
                self.subtype(a, b, seen)
            }
            (Type::Arrow(label, param, result), Type::Arrow(other, other_param, other_result))
                if label == other =>
            {
                self.subtype(other_param, param, seen)?;
                self.subtype(result, other_result, seen)
            }
            (Type::Tuple(items), Type::Tuple(others)) if items.len() == others.len() => {
                items.into_iter().zip(others).try_for_each(|(a, b)| self.subtype(a, b, seen))
            }
            (Type::Con(con, args), Type::Con(other, others)) if con == other => {
                let variances = self.param_variances(con, &mut SparseMap::new());
                for ((a, b), variance) in args.into_iter().zip(others).zip(variances) {
                    match (variance.positive, variance.negative) {
                        (true, true) => self.unify(a, b)?,
                        (true, false) => self.subtype(a, b, seen)?,
                        (false, true) => self.subtype(b, a, seen)?,
                        (false, false) => self.unused_parameter(a, b, seen)?,
                    }
                }
                Ok(())
            }
            (Type::Con(con, args), _) if self.types.tycons[con].private => {
                match self.types.tycons[con].kind {
                    TyConKind::Abstract { implementation: Some(body) } => {
                        let params = self.types.tycons[con].params.clone();
                        let inside = self.types.substitute(body, &params, &args);
                        self.subtype(inside, b, seen)
                    }
                    _ => self.unify(a, b),
                }
            }
            (Type::Row(row), Type::Row(other)) if row.object && other.object => {
                self.subtype_object((a, &row), (b, &other), seen)
            }
            (Type::Row(row), Type::Row(other)) if row.object != other.object => {
                Err(Mismatch::Different)
            }
            (Type::Row(row), Type::Row(other)) => self.subtype_row((a, &row), (b, &other), seen),
            _ => self.unify(a, b),
        }
    }

    /// Is there a row in the type, so that it has subtypes?
    fn has_row(&mut self, ty: TypeId, seen: &mut SparseSet<TypeId>) -> bool {
        let ty = self.types.expand(ty);
        if !seen.insert(ty) {
            return false;
        }
        match self.types.nodes[ty].clone() {
            Type::Row(_) => true,
            Type::Arrow(_, param, result) => {
                self.has_row(param, seen) || self.has_row(result, seen)
            }
            Type::Tuple(parts) | Type::Con(_, parts) => {
                parts.into_iter().any(|it| self.has_row(it, seen))
            }
            _ => false,
        }
    }

    /// The same type with variables for its parts, where they have rows.
    fn same_shape(&mut self, ty: Type) -> TypeId {
        let mut part = |ty: TypeId| {
            if self.has_row(ty, &mut SparseSet::new()) { self.fresh() } else { ty }
        };
        let shape = match ty {
            Type::Arrow(label, param, result) => Type::Arrow(label, part(param), part(result)),
            Type::Tuple(parts) => Type::Tuple(parts.into_iter().map(part).collect()),
            Type::Con(con, args) => Type::Con(con, args.into_iter().map(part).collect()),
            other => other,
        };
        self.types.add(shape)
    }

    /// Of a parameter that the type does not use, any argument is as good as any other; but to the graph types with
    /// different arguments are different ones, unless both are rows.
    fn unused_parameter(&mut self, a: TypeId, b: TypeId, seen: &mut Seen) -> Result<(), Mismatch> {
        let (row_a, row_b) = (self.types.expand(a), self.types.expand(b));
        let is_row = |this: &Self, ty: TypeId| matches!(this.types.nodes[ty], Type::Row(_));
        if is_row(self, row_a) && is_row(self, row_b) {
            return Ok(());
        }
        self.subtype(a, b, seen).or_else(|_| self.subtype(b, a, seen))
    }

    fn subtype_row(
        &mut self,
        (a, row): (TypeId, &Row),
        (b, other): (TypeId, &Row),
        seen: &mut Seen,
    ) -> Result<(), Mismatch> {
        let solid = |row: &Row| row.is_fixed() || row.level == crate::types::GENERIC;
        if !solid(other) {
            // The larger one has at least these tags.
            let tags = row.tags.iter().map(|(name, tag)| {
                let held = tag.types().first().map(|_| self.fresh());
                (*name, Tag::Present(held))
            });
            let tags = tags.collect();
            let above = self.open_row(tags);
            self.unify(b, above)?;
        } else if !solid(row) {
            let below = self.at_most(other);
            self.unify(a, below)?;
        }
        let row_at = |this: &Self, ty: TypeId| match this.types.get(ty) {
            Type::Row(row) => row.as_ref().clone(),
            _ => Row { object: false, tags: Vec::new(), closed: true, level: 0, name: None },
        };
        let (row, other) = (row_at(self, a), row_at(self, b));
        if !row.closed && other.closed {
            return Err(Mismatch::Different);
        }
        for (name, tag) in &row.tags {
            let Some(above) = other.find(*name) else { return Err(Mismatch::Different) };
            match (tag.types(), above.types()) {
                ([], []) => (),
                (types, [above]) if !types.is_empty() => {
                    for &ty in types {
                        self.subtype(ty, *above, seen)?;
                    }
                }
                _ => return Err(Mismatch::Different),
            }
        }
        Ok(())
    }

    /// A new row with no tags but those of `row`.
    fn at_most(&mut self, row: &Row) -> TypeId {
        let tags = row.tags.iter().map(|(name, tag)| {
            let types: Vec<TypeId> = tag.types().iter().take(1).map(|_| self.fresh()).collect();
            (*name, Tag::Maybe { constant: types.is_empty(), types, matched: false })
        });
        let tags = tags.collect();
        let level = self.level;
        self.types.add(Type::Row(Box::new(Row {
            object: false,
            tags,
            closed: true,
            level,
            name: None,
        })))
    }
}
