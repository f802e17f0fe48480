//! What stands around a body: bindings, statements, patterns that must match.
//!
//! A chain `let … in let … in a; b` is collected into frames from the outside in and
//! closed from the inside out, so its length does not use the stack.

use oxbow_base::Span;
use oxbow_psg::{NodeId, NodeKind, VarId};

use super::Builder;
use super::matching::{Arm, Body, Failure, Order, Plan, Root, Site, Subject};
use crate::tast::{Binding, Item, ItemKind, Pattern, PatternKind};

pub(super) enum Frame<'t> {
    Let {
        var: VarId,
        value: NodeId,
        span: Span,
    },
    LetRec {
        vars: Vec<VarId>,
        values: Vec<NodeId>,
        span: Span,
    },
    Seq {
        before: Vec<NodeId>,
        span: Span,
    },
    /// Fails at `at` unless the pattern matches.
    Match {
        plan: Plan<'t>,
        root: Root,
        at: Span,
        span: Span,
    },
}

impl Builder<'_> {
    pub(super) fn close(&mut self, frames: Vec<Frame<'_>>, mut node: NodeId) -> NodeId {
        for frame in frames.into_iter().rev() {
            let ty = self.program.ty(node);
            node = match frame {
                Frame::Let { var, value, span } => self.bind(var, value, node, span),
                Frame::LetRec { vars, values, span } => {
                    self.node(NodeKind::LetRec { vars, values, body: node }, ty, span)
                }
                Frame::Seq { before: mut items, span } => {
                    items.push(node);
                    self.node(NodeKind::Seq(items), ty, span)
                }
                Frame::Match { plan, root, at, span } => {
                    let arms = vec![Arm { guard: None, body: Body::Node(node) }];
                    self.emit_match(
                        &plan,
                        root,
                        arms,
                        Site { ty, span, failure: Failure::Raise(at) },
                    )
                }
            };
        }
        node
    }

    /// The frame of one `pattern = value`; `at` is where a failure is said to happen.
    pub(super) fn binding<'t>(
        &mut self,
        binding: &'t Binding,
        at: Span,
        order: Order,
    ) -> Frame<'t> {
        let span = binding.pattern.span;
        match &binding.pattern.kind {
            PatternKind::Var(var) => {
                let value = self.named(&binding.value, self.binding_name(*var));
                Frame::Let { var: *var, value, span }
            }
            PatternKind::Any | PatternKind::Unit => {
                Frame::Seq { before: vec![self.expr(&binding.value)], span }
            }
            PatternKind::Alias(..)
            | PatternKind::Bool(_)
            | PatternKind::Constant(_)
            | PatternKind::CharRange(..)
            | PatternKind::Tuple(_)
            | PatternKind::Construct { .. }
            | PatternKind::Variant { .. }
            | PatternKind::Record { .. }
            | PatternKind::Array(_)
            | PatternKind::Exn { .. }
            | PatternKind::Or(..)
            | PatternKind::Lazy { .. }
            | PatternKind::Error(_) => {
                let root = self.ty(binding.value.ty);
                let plan = self.plan(&[(&binding.pattern, false)], root);
                self.report(&plan, Subject::Pattern, span, None);
                let root = self.root(&binding.value, order);
                Frame::Match { plan, root, at, span }
            }
        }
    }

    /// A parameter that is no plain variable is matched when all arguments are there.
    pub(super) fn param_frame<'t>(
        &mut self,
        pattern: &'t Pattern,
        param: VarId,
        at: Span,
    ) -> Frame<'t> {
        let plan = self.plan(&[(pattern, false)], self.program.vars[param].ty);
        self.report(&plan, Subject::Pattern, pattern.span, None);
        Frame::Match { plan, root: Root::Var(param), at, span: pattern.span }
    }

    /// Items of a local structure.
    pub(super) fn local_items<'t>(&mut self, items: &'t [Item], frames: &mut Vec<Frame<'t>>) {
        for item in items {
            match &item.kind {
                ItemKind::Let(bindings) => {
                    for binding in bindings {
                        frames.push(self.binding(
                            binding,
                            binding.pattern.span,
                            Order::LastToFirst,
                        ));
                    }
                }
                ItemKind::LetRec(bindings) => frames.extend(self.rec_group(bindings, item.span)),
                ItemKind::Eval(value) => {
                    let before = vec![self.expr(value)];
                    frames.push(Frame::Seq { before, span: item.span });
                }
            }
        }
    }

    /// Bindings of a `let` expression. One that is a `match` evaluates a tuple from its first component.
    pub(super) fn let_bindings<'t>(
        &mut self,
        bindings: &'t [Binding],
        as_match: Option<Span>,
        frames: &mut Vec<Frame<'t>>,
    ) {
        for binding in bindings {
            let (at, order) = match as_match {
                Some(at) => (at, Order::FirstToLast),
                None => (binding.pattern.span, Order::LastToFirst),
            };
            frames.push(self.binding(binding, at, order));
        }
    }
}
