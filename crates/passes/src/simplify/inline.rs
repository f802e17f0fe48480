//! Calls: which lambda they reach, and whether its body takes their place.

use oxbow_base::Span;
use oxbow_psg::{Callee, InlineHint, Lambda, LambdaId, NodeId, NodeKind, TyId, VarId};

use super::rewrite::{Pending, Step};
use super::{Fact, Simplify};
use crate::start;

/// Bodies up to this size are copied anyway.
const SMALL: u32 = 10;
/// What a call takes besides its arguments.
const CALL: u32 = 2;
/// What an argument that is itself a known function is worth if it is called.
const FUNCTION_BONUS: u32 = 40;
const KNOWN_BONUS: u32 = 4;
/// How deep copies may stand in copies.
const MAX_DEPTH: u32 = 8;
/// How far lambdas that are always inlined may exceed the budget.
const ALWAYS_BUDGET: i64 = 500_000;

impl Simplify {
    pub(super) fn apply(
        &mut self,
        at: NodeId,
        func: NodeId,
        args: &[NodeId],
        pending: &mut Vec<Pending>,
    ) -> Step {
        let (ty, span) = (self.program.ty(at), self.program.span(at));
        let mut args: Vec<NodeId> = args.iter().map(|&it| self.simplify(it)).collect();
        let mut func = match *self.kind(func) {
            // A lambda that is called where it stands is simplified together with its
            // arguments.
            NodeKind::Lambda(_) => func,
            _ => self.simplify(func),
        };
        loop {
            match self.kind(func).clone() {
                NodeKind::Apply { func: inner, args: mut first, .. } => {
                    first.append(&mut args);
                    args = first;
                    func = inner;
                }
                NodeKind::Let { .. } | NodeKind::LetRec { .. } | NodeKind::Seq(_) => {
                    // The arguments are evaluated before what stands in front of the function.
                    args = self.name_args(&args, span, pending);
                    func = self.float(func, pending);
                }
                NodeKind::Lambda(lambda) => {
                    return self.beta(func, lambda, args, ty, span, pending);
                }
                NodeKind::Var { var, .. } => {
                    if let Some(&Fact::Lambda(lambda)) = self.facts.get(var) {
                        return self.known_call(at, func, var, lambda, args, pending);
                    }
                    break;
                }
                _ => break,
            }
        }
        self.program.nodes[at].kind = NodeKind::Apply { func, args, callee: Callee::Unknown };
        Step::Done(at)
    }

    /// Binds arguments to fresh variables, the last one first; answers mentions of them.
    fn name_args(
        &mut self,
        args: &[NodeId],
        span: Span,
        pending: &mut Vec<Pending>,
    ) -> Vec<NodeId> {
        let mut named = args.to_vec();
        for (index, &arg) in args.iter().enumerate().rev() {
            if self.atom(arg).is_some() {
                continue;
            }
            let ty = self.program.ty(arg);
            let var = self.fresh_var("arg".into(), ty, span);
            named[index] = self.read(var, span);
            self.bind(var, arg, span, pending);
        }
        named
    }

    /// Binds the first arguments to parameters, the last one first.
    pub(super) fn bind_params(
        &mut self,
        params: &[VarId],
        args: &[NodeId],
        span: Span,
        pending: &mut Vec<Pending>,
    ) {
        for (&param, &arg) in params.iter().zip(args).rev() {
            self.bind(param, arg, span, pending);
        }
    }

    /// A lambda that is called where it stands.
    fn beta(
        &mut self,
        func: NodeId,
        lambda: LambdaId,
        args: Vec<NodeId>,
        ty: TyId,
        span: Span,
        pending: &mut Vec<Pending>,
    ) -> Step {
        self.changed = true;
        let params = self.program.lambdas[lambda].params.clone();
        let body = self.program.lambdas[lambda].body;
        if args.len() < params.len() {
            let (bound, rest) = params.split_at(args.len());
            // What is left is a function that holds them: an object among them outlives this call.
            for &param in bound {
                self.uses.get_mut(param).captured = true;
            }
            self.bind_params(bound, &args, span, pending);
            self.program.lambdas[lambda].params = rest.to_vec();
            self.program.nodes[func].ty = ty;
            return Step::Continue(func);
        }
        let (first, rest) = args.split_at(params.len());
        if rest.is_empty() {
            self.bind_params(&params, first, span, pending);
            return Step::Continue(self.called_at(body, span));
        }
        let rest = self.name_args(rest, span, pending);
        self.bind_params(&params, first, span, pending);
        let kind = NodeKind::Apply { func: body, args: rest, callee: Callee::Unknown };
        Step::Continue(self.add(kind, ty, span))
    }

    fn known_call(
        &mut self,
        at: NodeId,
        func: NodeId,
        var: VarId,
        lambda: LambdaId,
        args: Vec<NodeId>,
        pending: &mut Vec<Pending>,
    ) -> Step {
        let (ty, span) = (self.program.ty(at), self.program.span(at));
        let arity = self.program.lambdas[lambda].params.len();
        if args.len() < arity {
            return self.partial_call(func, lambda, args, ty, span, pending);
        }
        if args.len() > arity {
            let (first, rest) = args.split_at(arity);
            let rest = self.name_args(rest, span, pending);
            let inner_ty = self.program.types.split_function(self.program.ty(func), arity).1;
            let kind = NodeKind::Apply { func, args: first.to_vec(), callee: Callee::Unknown };
            let inner = self.add(kind, inner_ty, span);
            let inner = match self.known_call(inner, func, var, lambda, first.to_vec(), pending) {
                Step::Done(it) => it,
                Step::Continue(it) => {
                    let kind = NodeKind::Apply { func: it, args: rest, callee: Callee::Unknown };
                    return Step::Continue(self.add(kind, ty, span));
                }
            };
            let kind = NodeKind::Apply { func: inner, args: rest, callee: Callee::Unknown };
            self.program.nodes[at].kind = kind;
            return Step::Done(at);
        }
        if self.moves(var, lambda) {
            self.changed = true;
            self.uses.forget(var);
            self.moved.insert(lambda);
            let params = self.program.lambdas[lambda].params.clone();
            self.bind_params(&params, &args, span, pending);
            let body = self.program.lambdas[lambda].body;
            return Step::Continue(self.called_at(body, span));
        }
        if self.is_copied(var, lambda, &args) {
            return self.copy_body(var, lambda, &args, span, pending);
        }
        self.program.nodes[at].kind = NodeKind::Apply { func, args, callee: Callee::Known(lambda) };
        Step::Done(at)
    }

    /// `f a` of a function of two arguments becomes `fun b -> f a b`.
    fn partial_call(
        &mut self,
        func: NodeId,
        lambda: LambdaId,
        args: Vec<NodeId>,
        ty: TyId,
        span: Span,
        pending: &mut Vec<Pending>,
    ) -> Step {
        self.changed = true;
        let mut args = self.name_args(&args, span, pending);
        let rest = self.program.lambdas[lambda].params[args.len()..].to_vec();
        let mut params = Vec::new();
        for old in rest {
            let (name, ty) = (self.program.vars[old].name, self.program.vars[old].ty);
            let param = self.fresh_var(name, ty, span);
            params.push(param);
            let read = self.read(param, span);
            args.push(read);
        }
        let result = self.program.types.split_function(ty, params.len()).1;
        let body = self.add(NodeKind::Apply { func, args, callee: Callee::Unknown }, result, span);
        let name = self.program.lambdas[lambda].name;
        let lambda = self.program.lambdas.push(Lambda::new(name, params, body, span));
        Step::Continue(self.add(NodeKind::Lambda(lambda), ty, span))
    }

    /// The only mention of the function is this call.
    fn moves(&self, var: VarId, lambda: LambdaId) -> bool {
        self.uses.get(var).mentions == 1
            && !self.parts.contains(var)
            && !self.recursive.contains(lambda)
            && !self.moved.contains(lambda)
            && !self.program.lambdas[lambda].inline.stays()
            && !self.brings_loop(var, lambda)
    }

    /// A copy of the function would stand in a part of the start, which has many others, and runs once.
    fn fills_piece(&self, var: VarId) -> bool {
        self.in_piece && self.runs_once && self.program.vars[var].global
    }

    /// A part of the start is translated without optimisation as long as no loop stands in it, so a function that has
    /// one stays where it is; also where there are many of them, which may be equal.
    fn brings_loop(&self, var: VarId, lambda: LambdaId) -> bool {
        let is_one_of_many = self.many_loops && self.runs_once && self.program.vars[var].global;
        (self.fills_piece(var) || is_one_of_many) && start::has_loop(&self.program, lambda)
    }

    fn is_copied(&mut self, var: VarId, lambda: LambdaId, args: &[NodeId]) -> bool {
        if self.recursive.contains(lambda) || self.moved.contains(lambda) {
            return false;
        }
        match self.program.lambdas[lambda].inline {
            InlineHint::Never
            | InlineHint::Cold
            | InlineHint::Rare
            | InlineHint::Once
            | InlineHint::ZeroAlloc => return false,
            InlineHint::Always if self.fills_piece(var) => (),
            InlineHint::Always
                if self.room > 0
                    && self.inline_depth < 2 * MAX_DEPTH
                    && self.budget > -ALWAYS_BUDGET =>
            {
                return true;
            }
            InlineHint::Always | InlineHint::Default => (),
        }
        let size = self.size(lambda);
        // What is saved by knowing an argument is saved once at the start. A function that stands
        // there has no other calls.
        let for_once = self.runs_once && self.program.vars[var].global;
        if self.many_loops && self.brings_loop(var, lambda) {
            return false;
        }
        let mut limit = SMALL;
        let mut has_objects = false;
        for (index, &arg) in args.iter().enumerate() {
            let param = self.program.lambdas[lambda].params[index];
            let known = match self.kind(arg) {
                NodeKind::Lambda(_) => Some(FUNCTION_BONUS),
                NodeKind::Const(_) => Some(KNOWN_BONUS),
                NodeKind::Tuple(_) | NodeKind::Record(_) | NodeKind::Construct { .. } => {
                    Some(KNOWN_BONUS)
                }
                NodeKind::Var { var, .. } => match self.facts.get(*var) {
                    Some(Fact::Lambda(_)) => Some(FUNCTION_BONUS),
                    Some(Fact::Object { .. } | Fact::Ctor(_)) => Some(KNOWN_BONUS),
                    Some(Fact::Atom(_) | Fact::Scalars(_)) | None => None,
                },
                _ => None,
            };
            has_objects |= known.is_some() && !self.is_plain(arg);
            limit += match known {
                Some(KNOWN_BONUS) if for_once => 0,
                Some(FUNCTION_BONUS) if self.uses.get(param).calls == 0 => 0,
                Some(bonus) => bonus,
                None => 0,
            };
        }
        if self.fills_piece(var) && !has_objects {
            limit = args.len() as u32 + CALL;
        }
        // Functions that reach themselves through data would be copied without end.
        self.inline_depth < MAX_DEPTH
            && size <= limit
            && self.budget > i64::from(size)
            && (self.room > 0 || size <= SMALL)
    }

    /// The argument is no object that could be taken apart if the callee were known.
    fn is_plain(&self, arg: NodeId) -> bool {
        match self.kind(arg) {
            NodeKind::Const(_) => true,
            NodeKind::Construct { args, .. } => args.is_empty(),
            NodeKind::Var { var, .. } => match self.facts.get(*var) {
                Some(Fact::Ctor(_)) => true,
                Some(Fact::Object { fields, .. }) => fields.is_empty(),
                _ => false,
            },
            _ => false,
        }
    }

    /// A copy of the lambda's body with fresh variables takes the place of the call.
    fn copy_body(
        &mut self,
        var: VarId,
        lambda: LambdaId,
        args: &[NodeId],
        span: Span,
        pending: &mut Vec<Pending>,
    ) -> Step {
        self.changed = true;
        self.inline_depth += 1;
        let size = i64::from(self.size(lambda));
        self.budget -= size;
        self.room -= size;
        let params = self.program.lambdas[lambda].params.clone();
        let mut fresh = Vec::new();
        for &param in &params {
            let copy = self.program.vars[param].clone();
            let copy = self.program.vars.push(copy);
            self.uses.get_mut(copy);
            self.cloner.rename(param, copy, None);
            fresh.push(copy);
        }
        let body = self.program.lambdas[lambda].body;
        let body = self.cloner.clone(&mut self.program, body, &mut |_, ty| ty);
        self.uses.bind(&fresh);
        self.uses.add(&self.program, body);
        self.uses.forget(var);
        self.bind_params(&fresh, args, span, pending);
        Step::Continue(self.called_at(body, span))
    }

    fn called_at(&mut self, body: NodeId, span: Span) -> NodeId {
        self.library.place(&mut self.program, body, span);
        body
    }

    /// What is known of a variable as an atom, for refinements.
    pub(super) fn set_fact(&mut self, var: VarId, fact: Fact) -> (VarId, Option<Fact>) {
        (var, self.facts.insert(var, fact))
    }

    pub(super) fn restore_fact(&mut self, (var, before): (VarId, Option<Fact>)) {
        match before {
            Some(fact) => self.facts.insert(var, fact),
            None => self.facts.remove(var),
        };
    }
}
