//! Choices: branches whose condition is known, and join points.

use oxbow_psg::{Const, JoinId, Key, NodeId, NodeKind, Prim};

use super::rewrite::{Pending, Step};
use super::{Atom, Fact, Simplify};

/// A join body of at most this size is copied to its jumps.
const SMALL_JOIN: u32 = 2;
/// The same if it calls a function that a jump gives: the copy may call it directly.
const CALLING_JOIN: u32 = 12;
/// So many jumps may get such copies.
const MAX_CALLERS: u32 = 8;

impl Simplify {
    pub(super) fn choice(
        &mut self,
        at: NodeId,
        cond: NodeId,
        then: NodeId,
        otherwise: NodeId,
        pending: &mut Vec<Pending>,
    ) -> Step {
        let cond = self.simplify(cond);
        let cond = self.float(cond, pending);
        match self.kind(cond).clone() {
            NodeKind::Const(Const::Bool(value)) => {
                let (taken, other) = if value { (then, otherwise) } else { (otherwise, then) };
                self.discard(other);
                return Step::Continue(taken);
            }
            NodeKind::Prim { prim: Prim::BoolNot, args } => {
                self.changed = true;
                self.program.nodes[at].kind =
                    NodeKind::If { cond: args[0], then: otherwise, otherwise: then };
                return Step::Continue(at);
            }
            _ => (),
        }
        let then = self.branch(cond, &Key::Int(oxbow_psg::IntWidth::I63, 1), Some(true), then);
        let otherwise =
            self.branch(cond, &Key::Int(oxbow_psg::IntWidth::I63, 0), Some(false), otherwise);
        let constant = |pass: &Self, it| match pass.kind(it) {
            NodeKind::Const(Const::Bool(it)) => Some(*it),
            _ => None,
        };
        if let (Some(true), Some(false)) = (constant(self, then), constant(self, otherwise)) {
            self.changed = true;
            return Step::Done(cond);
        }
        self.program.nodes[at].kind = NodeKind::If { cond, then, otherwise };
        Step::Done(at)
    }

    /// Simplifies a branch with what being there says about the scrutinee.
    fn branch(&mut self, value: NodeId, key: &Key, truth: Option<bool>, branch: NodeId) -> NodeId {
        let fact = match (truth, key) {
            (Some(it), _) => Some(Fact::Atom(Atom::Const(Const::Bool(it)))),
            (None, Key::Ctor(ctor)) => Some(Fact::Ctor(*ctor)),
            (None, Key::Int(width, it)) => Some(Fact::Atom(Atom::Const(Const::Int(*width, *it)))),
            (None, Key::Char(it)) => Some(Fact::Atom(Atom::Const(Const::Char(*it)))),
            (None, Key::String(_) | Key::Exn(_)) => None,
        };
        let var = match self.kind(value) {
            &NodeKind::Var { var, .. } if !self.program.vars[var].mutable => Some(var),
            _ => None,
        };
        match (var, fact) {
            (Some(var), Some(fact)) if !self.facts.contains(var) => {
                let before = self.set_fact(var, fact);
                let result = self.simplify(branch);
                self.restore_fact(before);
                result
            }
            _ => self.simplify(branch),
        }
    }

    pub(super) fn switch(
        &mut self,
        at: NodeId,
        value: NodeId,
        cases: Vec<(Key, NodeId)>,
        default: Option<NodeId>,
        pending: &mut Vec<Pending>,
    ) -> Step {
        let value = self.object(value, pending);
        if let Some(key) = self.known_key(value) {
            let taken = cases.iter().find(|it| it.0 == key).map(|it| it.1).or(default);
            if let Some(taken) = taken {
                self.discard(value);
                let others = cases.iter().map(|it| it.1).chain(default).filter(|&it| it != taken);
                others.collect::<Vec<_>>().into_iter().for_each(|it| self.discard(it));
                return Step::Continue(taken);
            }
        }
        // Only one way to go.
        let only = match (cases.as_slice(), default) {
            ([(_, only)], None) => Some(*only),
            ([], Some(only)) => Some(only),
            _ => None,
        };
        if let Some(only) = only {
            self.changed = true;
            pending.push(Pending::Effect(value));
            return Step::Continue(only);
        }
        let mut done = Vec::new();
        for (key, case) in cases {
            let case = self.branch(value, &key, None, case);
            done.push((key, case));
        }
        let default = default.map(|it| self.simplify(it));
        self.program.nodes[at].kind = NodeKind::Switch { value, cases: done, default };
        Step::Done(at)
    }

    fn known_key(&self, value: NodeId) -> Option<Key> {
        match self.kind(value) {
            NodeKind::Const(Const::Int(width, it)) => Some(Key::Int(*width, *it)),
            NodeKind::Const(Const::Char(it)) => Some(Key::Char(*it)),
            NodeKind::Const(Const::String(it)) => Some(Key::String(it.clone())),
            NodeKind::Construct { ctor, args } if args.is_empty() => Some(Key::Ctor(*ctor)),
            NodeKind::Var { var, .. } => match self.facts.get(*var)? {
                Fact::Object { ctor: Some(ctor), .. } | Fact::Ctor(ctor) => Some(Key::Ctor(*ctor)),
                Fact::Object { ctor: None, .. }
                | Fact::Atom(_)
                | Fact::Lambda(_)
                | Fact::Scalars(_) => None,
            },
            _ => None,
        }
    }

    pub(super) fn join(&mut self, at: NodeId, join: JoinId, body: NodeId, rest: NodeId) -> Step {
        let recursive = self.program.joins[join].recursive;
        let jumps = self.uses.jumps(join);
        if !recursive {
            if jumps == 0 {
                self.discard(body);
                return Step::Continue(rest);
            }
            if jumps == 1 {
                self.changed = true;
                self.join_bodies.insert(join, super::JoinBody::Once(body));
                return Step::Continue(rest);
            }
            let limit = if jumps <= MAX_CALLERS && self.calls_parameter(join, body) {
                CALLING_JOIN
            } else {
                SMALL_JOIN
            };
            let small = crate::effects::size(&self.program, body, limit + 1) <= limit;
            if small && !self.has_jumps(body) {
                self.changed = true;
                self.join_bodies.insert(join, super::JoinBody::Each(body));
                let rest = self.simplify(rest);
                self.discard(body);
                return Step::Done(rest);
            }
        }
        let body = if recursive { self.simplify_repeated(body) } else { self.simplify(body) };
        let rest = self.simplify(rest);
        self.program.nodes[at].kind = NodeKind::Join { join, body, rest };
        Step::Done(at)
    }

    /// Whether a copy of the join point may call a function that is known where the jump stands.
    fn calls_parameter(&self, join: JoinId, body: NodeId) -> bool {
        let params = &self.program.joins[join].params;
        let mut found = false;
        oxbow_psg::walk::for_each_node_in_function(&self.program, body, |it| {
            if let NodeKind::Apply { func, .. } = self.kind(it)
                && let NodeKind::Var { var, .. } = self.kind(*func)
            {
                found |= params.contains(var);
            }
        });
        found
    }

    fn has_jumps(&self, node: NodeId) -> bool {
        let mut found = false;
        oxbow_psg::walk::for_each_node(&self.program, node, |it| {
            found |= matches!(self.kind(it), NodeKind::Jump { .. } | NodeKind::Join { .. });
        });
        found
    }

    pub(super) fn jump(
        &mut self,
        at: NodeId,
        join: JoinId,
        args: &[NodeId],
        pending: &mut Vec<Pending>,
    ) -> Step {
        let span = self.program.span(at);
        let args: Vec<NodeId> = args.iter().map(|&it| self.simplify(it)).collect();
        let params = self.program.joins[join].params.clone();
        match self.join_bodies.get(join) {
            Some(&super::JoinBody::Once(body)) => {
                self.uses.forget_jump(join);
                self.join_bodies.remove(join);
                self.bind_params(&params, &args, span, pending);
                Step::Continue(body)
            }
            Some(&super::JoinBody::Each(body)) => {
                self.uses.forget_jump(join);
                let mut fresh = Vec::new();
                for &param in &params {
                    let copy = self.program.vars[param].clone();
                    let copy = self.program.vars.push(copy);
                    self.uses.get_mut(copy);
                    self.cloner.rename(param, copy, None);
                    fresh.push(copy);
                }
                let body = self.cloner.clone(&mut self.program, body, &mut |_, ty| ty);
                self.uses.bind(&fresh);
                self.uses.add(&self.program, body);
                self.bind_params(&fresh, &args, span, pending);
                Step::Continue(body)
            }
            None => {
                self.program.nodes[at].kind = NodeKind::Jump { join, args };
                Step::Done(at)
            }
        }
    }
}
