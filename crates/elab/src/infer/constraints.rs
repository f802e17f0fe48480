//! `constraint 'a = t` in type declarations.
//!
//! ```text
//! type 'a t = { first : int; all : 'a; second : 'b } constraint 'a = int * 'b
//!
//! forms of the arguments: int * 'b        parameters: 'b        (int * string) t  is the type  t  at  string
//! ```
//!
//! A constraint says what an argument looks like. What is left open in it, variables and rows, are the parameters
//! that the type has from here on; where the program gives an argument, it is unified with its form, and what that
//! says of the parameters is kept. Parameters that are rows mean nothing to the graph.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;

use super::env::Env;
use super::typexpr::Vars;
use super::{Expect, Infer};
use crate::ast::{TypeDecl, TypeExpr};
use crate::types::{GENERIC, Row, Tag, TyConId, TyConKind, Type, TypeId};

impl Infer<'_> {
    /// Makes the parameters of a declaration what its constraints say.
    pub(super) fn constraints(&mut self, env: &Env, decl: &TypeDecl, tycon: TyConId) {
        let is_pending = matches!(self.types.tycons[tycon].kind, TyConKind::Pending);
        if decl.constraints.is_empty() || !is_pending {
            return;
        }
        let saved = std::mem::take(&mut self.tyvars);
        for (param, &ty) in decl.params.iter().zip(&self.types.tycons[tycon].params) {
            if let Some(name) = param.name {
                self.tyvars.insert(name.text, ty);
            }
        }
        for (left, right) in &decl.constraints {
            let [a, b] = [left, right].map(|it| self.type_expr(env, it, Vars::Constructor));
            self.hold_equal(a, b, (left, right));
        }
        let named = std::mem::replace(&mut self.tyvars, saved);
        self.constrained_vars.insert(tycon, named);
        self.settle_forms(tycon);
    }

    pub(super) fn hold_equal(
        &mut self,
        a: TypeId,
        b: TypeId,
        (left, right): (&TypeExpr, &TypeExpr),
    ) {
        let (a, b) = (self.types.repr(a), self.types.repr(b));
        if a == b {
            return;
        }
        let is_var = |ty: TypeId| matches!(self.types.nodes[ty], Type::Var { level: GENERIC, .. });
        let (var, ty) = match (is_var(a), is_var(b)) {
            (true, _) => (a, b),
            (false, true) => (b, a),
            (false, false) => {
                if self.unify(a, b).is_err() {
                    let span = Span { end: right.span.end, ..left.span };
                    let (a, b) = (self.show(a), self.show(b));
                    self.diagnostics.error(
                        Diagnostic::error("E0224", format!("`{a}` can never be `{b}`"))
                            .at(span, "this constraint holds for no type"),
                    );
                }
                return;
            }
        };
        if self.types.any_part(ty, |it, _| it == var) {
            let shown = self.show(ty);
            self.diagnostics.error(
                Diagnostic::error("E0224", format!("`{shown}` would contain itself"))
                    .at(left.span, "this constraint holds for no type"),
            );
            return;
        }
        self.open_generic(ty);
        self.set_node(var, Type::Link(ty));
    }

    /// Rows of a form are parameters.
    fn open_generic(&mut self, ty: TypeId) {
        for part in self.leaves(ty) {
            if let Type::Row(row) = &mut self.types.nodes[part] {
                row.level = GENERIC;
            }
        }
    }

    /// The variables and open rows in a type, each once.
    fn leaves(&self, ty: TypeId) -> Vec<TypeId> {
        let found = std::cell::RefCell::new(Vec::new());
        self.types.any_part(ty, |at, it| {
            let is_leaf = match it {
                Type::Var { .. } => true,
                Type::Row(row) => !row.is_fixed(),
                _ => false,
            };
            if is_leaf && !found.borrow().contains(&at) {
                found.borrow_mut().push(at);
            }
            false
        });
        found.into_inner()
    }

    /// The parameters are what the constraints leave open.
    fn settle_forms(&mut self, tycon: TyConId) {
        let forms: Vec<TypeId> =
            self.types.tycons[tycon].params.iter().map(|&it| self.types.repr(it)).collect();
        let mut params: Vec<TypeId> = Vec::new();
        for &form in &forms {
            params.extend(self.leaves(form));
        }
        let mut seen = Vec::new();
        params.retain(|it| {
            !seen.contains(it) && {
                seen.push(*it);
                true
            }
        });
        let is_row = |it: &TypeId| matches!(self.types.nodes[*it], Type::Row(_));
        let it = &mut self.types.tycons[tycon];
        it.erased = params.iter().map(is_row).collect();
        it.variances = Vec::new();
        it.injective = Vec::new();
        it.params = params;
        it.forms = Some(forms);
    }

    /// A type whose arguments have forms, at these arguments.
    pub(super) fn constrained(&mut self, tycon: TyConId, args: &[TypeId], span: Span) -> TypeId {
        let params = self.types.tycons[tycon].params.clone();
        let forms = self.types.tycons[tycon].forms.clone().unwrap_or_default();
        let mut found = vec![None; params.len()];
        let fits = forms.iter().zip(args);
        let fits = fits.fold(true, |fits, (&form, &arg)| {
            fits && self.has_form(form, arg, &params, &mut found)
        });
        let fresh = self.types.fresh_copies(&params, self.level);
        if fits {
            let taken = found.iter().zip(&fresh).map(|(found, &fresh)| found.unwrap_or(fresh));
            return self.types.add(Type::Con(tycon, taken.collect()));
        }
        for (form, &arg) in forms.into_iter().zip(args) {
            let form = self.types.substitute(form, &params, &fresh);
            if let Err(mismatch) = self.unify(form, arg) {
                self.report_mismatch(Expect::plain(form), arg, span, mismatch);
                return self.builtins.error;
            }
        }
        self.types.add(Type::Con(tycon, fresh))
    }

    /// Has the argument the form as it is? Type parameters of a declaration are equal to themselves alone, so that
    /// unifying would refuse them. What stands for the parameters of the form is noted; other rows are left to
    /// unification.
    fn has_form(
        &mut self,
        form: TypeId,
        arg: TypeId,
        params: &[TypeId],
        found: &mut [Option<TypeId>],
    ) -> bool {
        let form = self.types.repr(form);
        if let Some(at) = params.iter().position(|&it| it == form) {
            let arg = self.types.repr(arg);
            let same = found[at].is_none_or(|it| self.types.repr(it) == arg);
            found[at] = Some(arg);
            let (wanted, given) = (self.types.nodes[form].clone(), self.types.nodes[arg].clone());
            return same
                && match (wanted, given) {
                    (Type::Var { .. }, _) => true,
                    (Type::Row(form), Type::Row(row)) if row.level == GENERIC => {
                        self.row_has_form(&form, &row, params, found)
                    }
                    _ => false,
                };
        }
        let (form, arg) = (self.types.expand(form), self.types.expand(arg));
        let pairs = match (self.types.nodes[form].clone(), self.types.nodes[arg].clone()) {
            _ if form == arg => return true,
            (Type::Arrow(a, x, y), Type::Arrow(b, u, v)) if a == b => vec![(x, u), (y, v)],
            (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
                a.into_iter().zip(b).collect()
            }
            (Type::Con(x, a), Type::Con(y, b)) if x == y => a.into_iter().zip(b).collect(),
            _ => return false,
        };
        pairs.into_iter().all(|(form, arg)| self.has_form(form, arg, params, found))
    }

    /// Has an open row, which is a parameter of a declaration itself, all that the form says?
    fn row_has_form(
        &mut self,
        form: &Row,
        row: &Row,
        params: &[TypeId],
        found: &mut [Option<TypeId>],
    ) -> bool {
        let bounded = !form.closed
            || row.closed && row.tags.iter().all(|(name, _)| form.find(*name).is_some());
        form.object == row.object
            && bounded
            && form.tags.iter().all(|(name, tag)| match (tag, row.find(*name)) {
                (Tag::Present(None), Some(Tag::Present(None))) => true,
                (&Tag::Present(Some(form)), Some(&Tag::Present(Some(arg)))) => {
                    self.has_form(form, arg, params, found)
                }
                _ => false,
            })
    }
}
