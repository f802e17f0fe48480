//! Matches, compiled to decision trees.
//!
//! ```text
//! patterns ──pattern──▶ rows ──tree──▶ decision tree ──report──▶ W0008 W0011 W0012
//!                                            └─────────emit────▶ Switch, If, Let, Join
//! ```
//!
//! A plan is made and reported before the bodies of the cases are built; the graph is made
//! afterwards. A tree tests nothing twice on one way through it, so its leaves answer the
//! questions of the reports: a case without a leaf is redundant, a leaf that fails is a
//! value that no case covers.
//!
//! After L. Maranget, *Compiling Pattern Matching to Good Decision Trees*, 2008.

mod chars;
mod emit;
mod pattern;
mod report;
mod rows;
mod sharing;
mod switch;
mod tree;
mod witness;

use oxbow_base::{Span, Symbol};
use oxbow_diag::ice;
use oxbow_psg::{Key, NodeId, NodeKind, Ty, TyId, VarId};

pub(super) use report::Subject;
pub(super) use tree::Plan;

use super::Builder;
use crate::tast::{Case, Expr, ExprKind, Pattern, PatternKind};
use pattern::Views;

/// What is matched.
pub(super) enum Root {
    /// A variable that does not change.
    Var(VarId),
    Value(NodeId),
    /// A tuple that need not be made: its components.
    Tuple {
        items: Vec<NodeId>,
        ty: TyId,
        order: Order,
    },
}

/// Which component of a tuple is evaluated first. OCaml takes a tuple apart that a `match`
/// is over, and binds its components in the order of the text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    FirstToLast,
    LastToFirst,
}

/// The match in the graph: its type and place, and what happens when no case matches.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) ty: TyId,
    pub(super) span: Span,
    pub(super) failure: Failure,
}

#[derive(Clone, Copy)]
pub(super) enum Failure {
    /// `Match_failure` with this place.
    Raise(Span),
    /// The exception that the cases were tried on.
    Reraise(VarId),
}

/// A case: what its guard asks and what it does.
pub(super) struct Arm<'t> {
    pub(super) guard: Option<&'t Expr>,
    pub(super) body: Body<'t>,
}

pub(super) enum Body<'t> {
    Expr(&'t Expr),
    Node(NodeId),
}

impl Builder<'_> {
    /// `root` is the type of what is matched.
    pub(super) fn plan<'t>(&mut self, rows: &[(&'t Pattern, bool)], root: TyId) -> Plan<'t> {
        let mut views = Views::default();
        for (pattern, _) in rows {
            self.views(pattern, root, &mut views);
        }
        tree::plan(&self.types, rows, &views)
    }

    pub(super) fn plan_cases<'t>(&mut self, cases: &'t [Case], root: TyId) -> Plan<'t> {
        let rows: Vec<_> = cases.iter().map(|it| (&it.pattern, it.guard.is_some())).collect();
        self.plan(&rows, root)
    }

    /// Finds the patterns below that see a value at another type than `actual`, which it has where it stands.
    fn views(&mut self, pattern: &Pattern, actual: TyId, views: &mut Views) {
        if !self.types.has_equations {
            return;
        }
        match &pattern.kind {
            PatternKind::Any | PatternKind::Var(_) | PatternKind::Unit | PatternKind::Error(_) => {
                return;
            }
            PatternKind::Alias(inner, _) => return self.views(inner, actual, views),
            PatternKind::Or(left, right) => {
                self.views(left, actual, views);
                return self.views(right, actual, views);
            }
            _ => (),
        }
        // A tuple is looked at part by part, whatever type it is written with.
        if let PatternKind::Tuple(items) = &pattern.kind
            && let Ty::Tuple(tys) = self.program.types.get(actual).clone()
            && tys.len() == items.len()
        {
            return items.iter().zip(tys).for_each(|(it, ty)| self.views(it, ty, views));
        }
        let own = self.ty(pattern.ty);
        if own != actual {
            views.insert(std::ptr::from_ref(pattern), own);
        }
        let (parts, tys): (Vec<(usize, &Pattern)>, Vec<TyId>) = match &pattern.kind {
            PatternKind::Tuple(items) => match self.program.types.get(own).clone() {
                Ty::Tuple(tys) => (items.iter().enumerate().collect(), tys),
                other => ice!("a tuple pattern at {other:?}"),
            },
            PatternKind::Construct { ctor, args, .. } => {
                (args.iter().enumerate().collect(), self.field_tys(own, *ctor))
            }
            PatternKind::Record { fields, .. } => {
                let parts = fields.iter().map(|(at, it)| (*at as usize, it)).collect();
                (parts, self.field_tys(own, 0))
            }
            PatternKind::Array(items) => match *self.program.types.get(own) {
                Ty::Array(item) => (items.iter().enumerate().collect(), vec![item; items.len()]),
                ref other => ice!("an array pattern at {other:?}"),
            },
            PatternKind::Exn { exn, args } => {
                (args.iter().enumerate().collect(), self.exn_fields(self.types.exn_behind(*exn)))
            }
            PatternKind::Lazy { force, pattern } => {
                let force = self.ty(force.ty);
                let value = self.program.types.split_function(force, 1).1;
                (vec![(0, &**pattern)], vec![value])
            }
            _ => return,
        };
        for (at, part) in parts {
            self.views(part, tys[at], views);
        }
    }

    /// A plan that binds `local` to what `var` is in the pattern, and nothing else.
    pub(super) fn plan_selection<'t>(
        &mut self,
        pattern: &'t Pattern,
        (var, local): (VarId, VarId),
        root: TyId,
    ) -> Plan<'t> {
        let mut views = Views::default();
        self.views(pattern, root, &mut views);
        tree::plan_selection(&self.types, pattern, (var, local), &views)
    }

    pub(super) fn emit_cases(
        &mut self,
        plan: &Plan<'_>,
        root: Root,
        cases: &[Case],
        site: Site,
    ) -> NodeId {
        let arms = cases
            .iter()
            .map(|it| Arm { guard: it.guard.as_ref(), body: Body::Expr(&it.body) })
            .collect();
        self.emit_match(plan, root, arms, site)
    }

    pub(super) fn root(&mut self, scrutinee: &Expr, order: Order) -> Root {
        if let ExprKind::Tuple(items) = &scrutinee.kind {
            let ty = self.ty(scrutinee.ty);
            let order = if self.left_to_right { Order::FirstToLast } else { order };
            return Root::Tuple { items: self.parts_at(items, 0, ty), ty, order };
        }
        let value = self.expr_at_own(scrutinee);
        self.plain_var(value).map_or(Root::Value(value), Root::Var)
    }

    pub(super) fn match_expr(
        &mut self,
        scrutinee: &Expr,
        cases: &[Case],
        exceptions: &[Case],
        ty: TyId,
        span: Span,
    ) -> NodeId {
        let root = self.ty(scrutinee.ty);
        let plan = self.plan_cases(cases, root);
        let shown = Span { end: scrutinee.span.end.max(span.start), ..span };
        let last = cases.iter().chain(exceptions).max_by_key(|it| it.body.span.end);
        self.report(&plan, Subject::Match, shown, last);
        let site = Site { ty, span, failure: Failure::Raise(span) };
        if exceptions.is_empty() {
            let root = self.root(scrutinee, Order::FirstToLast);
            return self.emit_cases(&plan, root, cases, site);
        }
        self.match_exceptions(scrutinee, (&plan, cases), exceptions, site)
    }

    /// The cases for values are not protected by those for exceptions, and all of them are in
    /// tail position; so the protected part only says what happened.
    ///
    /// ```text
    /// switch (try Value scrutinee with e -> Caught e) { Value v → cases | Caught e → exceptions }
    /// ```
    fn match_exceptions(
        &mut self,
        scrutinee: &Expr,
        (plan, cases): (&Plan<'_>, &[Case]),
        exceptions: &[Case],
        site: Site,
    ) -> NodeId {
        let (span, exn) = (scrutinee.span, self.program.types.exn);
        let handler_plan = self.plan_cases(exceptions, exn);
        self.report(&handler_plan, Subject::Handler, span, None);

        let value = self.expr_at_own(scrutinee);
        let value_ty = self.program.ty(value);
        let result = self.match_result(value_ty);
        let body = self.node(NodeKind::Construct { ctor: 0, args: vec![value] }, result, span);
        let raised = self.fresh(Symbol::new("exn"), exn, span);
        let read = self.read(raised, span);
        let handler = self.node(NodeKind::Construct { ctor: 1, args: vec![read] }, result, span);
        let outcome = self.node(NodeKind::Try { body, var: raised, handler }, result, span);
        let tested = self.fresh(Symbol::new("outcome"), result, span);

        let object = self.read(tested, span);
        let value = self.node(NodeKind::Field { object, ctor: 0, index: 0 }, value_ty, span);
        let on_value = self.emit_cases(plan, Root::Value(value), cases, site);

        let caught = self.fresh(Symbol::new("exn"), exn, span);
        let handler_site = Site { failure: Failure::Reraise(caught), ..site };
        let on_exn = self.emit_cases(&handler_plan, Root::Var(caught), exceptions, handler_site);
        let object = self.read(tested, span);
        let exn = self.node(NodeKind::Field { object, ctor: 1, index: 0 }, exn, span);
        let on_exn = self.bind(caught, exn, on_exn, span);

        let value = self.read(tested, span);
        let cases = vec![(Key::Ctor(0), on_value), (Key::Ctor(1), on_exn)];
        let switch =
            self.node(NodeKind::Switch { value, cases, default: None }, site.ty, site.span);
        self.bind(tested, outcome, switch, site.span)
    }

    pub(super) fn try_expr(&mut self, body: &Expr, cases: &[Case], ty: TyId, span: Span) -> NodeId {
        let exn = self.program.types.exn;
        let plan = self.plan_cases(cases, exn);
        self.report(&plan, Subject::Handler, span, None);
        let body = self.expr_at(body, ty);
        let var = self.fresh(Symbol::new("exn"), exn, span);
        let site = Site { ty, span, failure: Failure::Reraise(var) };
        let handler = self.emit_cases(&plan, Root::Var(var), cases, site);
        self.node(NodeKind::Try { body, var, handler }, ty, span)
    }
}
