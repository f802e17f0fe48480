//! Items of the program.
//!
//! ```text
//! let (a, Some b) = e      let tmp = e                          a global of its own
//!                          let a = tmp.0                        for each variable the part
//!                          let b = switch tmp.1 { Some → …      of a match that selects it
//!                                                 _ → raise Match_failure }
//! ```

use oxbow_base::{Span, Symbol};
use oxbow_psg::{Item, ItemKind, NodeId, Var, VarId};

use super::Builder;
use super::frames::Frame;
use super::matching::{Arm, Body, Failure, Order, Root, Site, Subject};
use super::walk::pattern_vars;
use crate::tast::{self, Binding, Expr, ExprKind, Pattern, PatternKind};

impl Builder<'_> {
    pub(super) fn item(&mut self, item: &tast::Item) {
        match &item.kind {
            tast::ItemKind::Let(bindings) => {
                for binding in bindings {
                    self.item_binding(item, binding);
                }
            }
            tast::ItemKind::LetRec(bindings) => {
                for frame in self.rec_group(bindings, item.span) {
                    match frame {
                        Frame::Let { var, value, .. } => {
                            self.add_item(item, ItemKind::Let { var, value })
                        }
                        Frame::LetRec { vars, values, .. } => {
                            self.add_item(item, ItemKind::LetRec { vars, values });
                        }
                        Frame::Seq { before, .. } => {
                            for node in before {
                                self.add_item(item, ItemKind::Eval(node));
                            }
                        }
                        Frame::Match { .. } => {
                            oxbow_diag::ice!("a recursive group has no patterns")
                        }
                    }
                }
            }
            tast::ItemKind::Eval(expr) => {
                let value = self.expr(expr);
                self.add_item(item, ItemKind::Eval(value));
            }
        }
    }

    fn add_item(&mut self, of: &tast::Item, kind: ItemKind) {
        self.program.items.push(Item { kind, span: of.span, library: of.library });
    }

    fn item_binding(&mut self, item: &tast::Item, binding: &Binding) {
        if let Some(mut parts) = simple_tuple(&binding.pattern, &binding.value) {
            // OCaml evaluates the last component first.
            if !self.left_to_right {
                parts.reverse();
            }
            for (pattern, value) in parts {
                self.simple_binding(item, pattern, value);
            }
        } else if is_simple(&binding.pattern) {
            self.simple_binding(item, &binding.pattern, &binding.value);
        } else {
            self.pattern_binding(item, binding);
        }
    }

    fn simple_binding(&mut self, item: &tast::Item, pattern: &Pattern, value: &Expr) {
        let kind = if let PatternKind::Var(var) = pattern.kind {
            let value = self.named(value, self.binding_name(var));
            let value = self.fit(value, self.program.vars[var].ty);
            ItemKind::Let { var, value }
        } else {
            ItemKind::Eval(self.expr(value))
        };
        self.add_item(item, kind);
    }

    fn pattern_binding(&mut self, item: &tast::Item, binding: &Binding) {
        let pattern = &binding.pattern;
        let span = pattern.span;
        let root = self.ty(binding.value.ty);
        let plan = self.plan(&[(pattern, false)], root);
        self.report(&plan, Subject::Pattern, span, None);
        let vars = pattern_vars(pattern);
        if vars.is_empty() {
            let root = self.root(&binding.value, Order::LastToFirst);
            let unit = self.unit(span);
            let arms = vec![Arm { guard: None, body: Body::Node(unit) }];
            let ty = self.program.types.unit;
            let node = self.emit_match(
                &plan,
                root,
                arms,
                Site { ty, span, failure: Failure::Raise(span) },
            );
            self.add_item(item, ItemKind::Eval(node));
            return;
        }
        let value = self.expr_at_own(&binding.value);
        let whole = match self.plain_var(value) {
            Some(var) if self.program.vars[var].global => var,
            _ => {
                let ty = self.program.ty(value);
                let name = Symbol::new("pattern");
                let var = self.program.vars.push(Var {
                    name,
                    ty,
                    tyvars: Vec::new(),
                    mutable: false,
                    global: true,
                    span,
                });
                self.add_item(item, ItemKind::Let { var, value });
                var
            }
        };
        for var in vars {
            let value = self.select(pattern, var, whole, span);
            self.add_item(item, ItemKind::Let { var, value });
        }
    }

    /// What `var` is when `whole` matches the pattern.
    fn select(&mut self, pattern: &Pattern, var: VarId, whole: VarId, span: Span) -> NodeId {
        let (name, ty) = (self.program.vars[var].name, self.program.vars[var].ty);
        let local = self.fresh(name, ty, span);
        let plan = self.plan_selection(pattern, (var, local), self.program.vars[whole].ty);
        let body = self.read(local, span);
        let arms = vec![Arm { guard: None, body: Body::Node(body) }];
        let site = Site { ty, span, failure: Failure::Raise(span) };
        self.emit_match(&plan, Root::Var(whole), arms, site)
    }
}

fn is_simple(pattern: &Pattern) -> bool {
    matches!(pattern.kind, PatternKind::Var(_) | PatternKind::Any | PatternKind::Unit)
}

/// `let a, b = x, y`: no tuple is needed.
fn simple_tuple<'t>(pattern: &'t Pattern, value: &'t Expr) -> Option<Vec<(&'t Pattern, &'t Expr)>> {
    match (&pattern.kind, &value.kind) {
        (PatternKind::Tuple(patterns), ExprKind::Tuple(values))
            if patterns.iter().all(is_simple) =>
        {
            Some(patterns.iter().zip(values).collect())
        }
        _ => None,
    }
}
