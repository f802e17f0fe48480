//! The walk. Bindings met on the way down a chain are kept in a list and put back
//! around the result afterwards, so that long chains need no recursion and bindings
//! inside values float out by themselves.

use oxbow_base::Span;
use oxbow_diag::ice;
use oxbow_psg::{Const, DataKind, InlineHint, NodeId, NodeKind, Prim, Ty, TyId, VarId};

use super::chain::{Chain, LONG_CHAIN};
use super::{Atom, Fact, Simplify};

/// Something that is evaluated before the rest of a chain.
pub(super) enum Pending {
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
    Effect(NodeId),
    /// Bindings that stand around each other already, from the outermost to the innermost.
    Chain(Chain),
}

/// What became of a node.
pub(super) enum Step {
    Done(NodeId),
    /// This code stands in its place and is not simplified yet.
    Continue(NodeId),
}

use Step::{Continue, Done};

impl Simplify {
    /// The simplified form of `node`.
    pub(super) fn simplify(&mut self, node: NodeId) -> NodeId {
        let depth = self.inline_depth;
        let mut pending = Vec::new();
        let mut at = node;
        let result = loop {
            let span = self.program.span(at);
            match self.kind(at) {
                &NodeKind::Let { var, value, body } => {
                    self.let_(var, value, span, &mut pending);
                    at = body;
                }
                NodeKind::LetRec { vars, values, body } => {
                    let (vars, values, body) = (vars.clone(), values.clone(), *body);
                    self.note_recursive(&vars, &values);
                    let values = values.into_iter().map(|it| self.simplify(it)).collect();
                    pending.push(Pending::LetRec { vars, values, span });
                    at = body;
                }
                NodeKind::Seq(items) => {
                    let items = items.clone();
                    let Some((&last, init)) = items.split_last() else {
                        ice!("empty sequence {at}")
                    };
                    for &it in init {
                        // Bindings inside stay inside: their scope is no wider than needed.
                        let it = self.simplify(it);
                        pending.push(Pending::Effect(it));
                    }
                    at = last;
                }
                _ => match self.step(at, span, &mut pending) {
                    Done(it) => break it,
                    Continue(it) => at = it,
                },
            }
        };
        self.inline_depth = depth;
        self.wind_up(result, pending)
    }

    pub(super) fn note_recursive(&mut self, vars: &[VarId], values: &[NodeId]) {
        for (&var, &value) in vars.iter().zip(values) {
            if let NodeKind::Lambda(lambda) = *self.kind(value) {
                self.recursive.insert(lambda);
                self.facts.insert(var, Fact::Lambda(lambda));
            }
        }
    }

    /// Puts the bindings of a chain back around its result, without the unused ones.
    fn wind_up(&mut self, mut result: NodeId, mut pending: Vec<Pending>) -> NodeId {
        // Effects that directly precede `result`, the last one first.
        let mut effects: Vec<NodeId> = Vec::new();
        let is_long =
            pending.len() > LONG_CHAIN || pending.iter().any(|it| matches!(it, Pending::Chain(_)));
        // The binding that stands around the result and nothing else.
        let mut last = None;
        let mut inner = result;
        while let Some(it) = pending.pop() {
            let (kind, span) = match it {
                Pending::Chain(chain) => {
                    if effects.is_empty() && result == inner {
                        last = Some(chain.last);
                    }
                    result = self.sequence(&mut effects, result);
                    result = self.put_into(chain, result);
                    continue;
                }
                Pending::Effect(node) => {
                    self.push_effect(node, &mut effects);
                    continue;
                }
                Pending::Let { var, value, span } => {
                    let mentions = self.uses.get(var).mentions;
                    if mentions == 0 {
                        self.push_effect(value, &mut effects);
                        continue;
                    }
                    if mentions == 1
                        && effects.is_empty()
                        && matches!(*self.kind(result), NodeKind::Var { var: it, .. } if it == var)
                    {
                        self.uses.forget(var);
                        (result, inner) = (value, value);
                        continue;
                    }
                    result = self.sequence(&mut effects, result);
                    (NodeKind::Let { var, value, body: result }, span)
                }
                Pending::LetRec { vars, values, span } => {
                    if vars.iter().all(|&it| self.uses.get(it).mentions == 0) {
                        values.into_iter().for_each(|it| self.discard(it));
                        continue;
                    }
                    result = self.sequence(&mut effects, result);
                    (NodeKind::LetRec { vars, values, body: result }, span)
                }
            };
            let ty = self.program.ty(result);
            let is_last = match kind {
                NodeKind::Let { body, .. } => body == inner,
                _ => false,
            };
            result = self.add(kind, ty, span);
            if is_last {
                last = Some(result);
            }
        }
        if is_long && effects.is_empty() {
            self.long_chain = last.map(|last| Chain { first: result, last });
        }
        self.sequence(&mut effects, result)
    }

    fn push_effect(&mut self, node: NodeId, effects: &mut Vec<NodeId>) {
        if self.droppable(node) {
            self.discard(node);
        } else {
            effects.push(node);
        }
    }

    fn sequence(&mut self, effects: &mut Vec<NodeId>, result: NodeId) -> NodeId {
        if effects.is_empty() {
            return result;
        }
        let (ty, span) = (self.program.ty(result), self.program.span(result));
        let mut items: Vec<NodeId> = effects.drain(..).rev().collect();
        match self.kind(result) {
            NodeKind::Seq(more) => items.extend(more.clone()),
            _ => items.push(result),
        }
        self.add(NodeKind::Seq(items), ty, span)
    }

    /// Moves the bindings and effects in front of a simplified value to the list.
    pub(super) fn float(&mut self, mut value: NodeId, pending: &mut Vec<Pending>) -> NodeId {
        loop {
            let span = self.program.span(value);
            if let Some(chain) = self.long_chain.take_if(|it| it.first == value)
                && let NodeKind::Let { body, .. } = *self.kind(chain.last)
            {
                pending.push(Pending::Chain(chain));
                value = body;
                continue;
            }
            match self.kind(value) {
                &NodeKind::Let { var, value: bound, body } => {
                    pending.push(Pending::Let { var, value: bound, span });
                    value = body;
                }
                NodeKind::LetRec { vars, values, body } => {
                    let (vars, values, body) = (vars.clone(), values.clone(), *body);
                    pending.push(Pending::LetRec { vars, values, span });
                    value = body;
                }
                NodeKind::Seq(items) => {
                    let items = items.clone();
                    let Some((&last, init)) = items.split_last() else {
                        ice!("empty sequence {value}")
                    };
                    pending.extend(init.iter().map(|&it| Pending::Effect(it)));
                    value = last;
                }
                _ => return value,
            }
        }
    }

    fn let_(&mut self, var: VarId, value: NodeId, span: Span, pending: &mut Vec<Pending>) {
        if self.waits_for_its_call(var, value) {
            pending.push(Pending::Let { var, value, span });
            return;
        }
        let value = self.simplify(value);
        self.bind(var, value, span, pending);
    }

    /// A lambda with a single call is not looked at before the call is met: it moves
    /// there.
    pub(super) fn waits_for_its_call(&mut self, var: VarId, value: NodeId) -> bool {
        let NodeKind::Lambda(lambda) = *self.kind(value) else { return false };
        if self.program.vars[var].mutable {
            return false;
        }
        self.facts.insert(var, Fact::Lambda(lambda));
        let uses = self.uses.get(var);
        uses.mentions == 1 && uses.calls == 1 && !self.program.lambdas[lambda].inline.stays()
    }

    /// Binds a variable to a simplified value and notes what is known of it.
    pub(super) fn bind(
        &mut self,
        var: VarId,
        value: NodeId,
        span: Span,
        pending: &mut Vec<Pending>,
    ) {
        let value = self.float(value, pending);
        if self.program.vars[var].mutable {
            pending.push(Pending::Let { var, value, span });
            return;
        }
        if let Some(atom) = self.atom(value) {
            self.facts.insert(var, Fact::Atom(atom));
        }
        let fact = match self.kind(value).clone() {
            NodeKind::Lambda(lambda) => Some(Fact::Lambda(lambda)),
            NodeKind::Tuple(args) => {
                let fields = self.name_parts(var, value, args, pending);
                Some(Fact::Object { ctor: None, fields })
            }
            NodeKind::Construct { ctor, args } => {
                self.bind_object(var, value, ctor, args, span, pending)
            }
            NodeKind::Record(args) => self.bind_object(var, value, 0, args, span, pending),
            _ => None,
        };
        match fact {
            Some(Fact::Scalars(vars)) => {
                self.changed = true;
                self.facts.insert(var, Fact::Scalars(vars));
                // Nothing is bound to the variable itself.
                return;
            }
            Some(fact) => {
                self.facts.insert(var, fact);
            }
            None => (),
        }
        pending.push(Pending::Let { var, value, span });
    }

    fn bind_object(
        &mut self,
        var: VarId,
        value: NodeId,
        ctor: u32,
        args: Vec<NodeId>,
        span: Span,
        pending: &mut Vec<Pending>,
    ) -> Option<Fact> {
        let mutable = self.mutable_fields(self.program.ty(value), ctor);
        let uses = self.uses.get(var);
        if mutable.contains(&true) && uses.mentions > 0 && uses.others == 0 && !uses.captured {
            return Some(Fact::Scalars(self.split_object(var, args, &mutable, span, pending)));
        }
        let mut fields = self.name_parts(var, value, args, pending);
        for (field, &mutable) in fields.iter_mut().zip(&mutable) {
            if mutable {
                *field = None;
            }
        }
        Some(Fact::Object { ctor: Some(ctor), fields })
    }

    /// One variable per field.
    fn split_object(
        &mut self,
        var: VarId,
        args: Vec<NodeId>,
        mutable: &[bool],
        span: Span,
        pending: &mut Vec<Pending>,
    ) -> Vec<VarId> {
        let name = self.program.vars[var].name;
        let mut vars = Vec::new();
        for (&arg, &mutable) in args.iter().zip(mutable).rev() {
            let ty = self.program.ty(arg);
            let part = self.fresh_var(name, ty, span);
            self.program.vars[part].mutable = mutable;
            self.parts.insert(part);
            // Mentions are counted as they are met; until then the binding must stay.
            self.bind(part, arg, span, pending);
            vars.push(part);
        }
        vars.reverse();
        vars
    }

    /// Gives names to the parts of a new object, the last one first, and answers what
    /// can be mentioned again.
    fn name_parts(
        &mut self,
        var: VarId,
        object: NodeId,
        args: Vec<NodeId>,
        pending: &mut Vec<Pending>,
    ) -> Vec<Option<Atom>> {
        let taken_apart = self.uses.get(var).fields > 0;
        let mut named = args.clone();
        let mut atoms = vec![None; args.len()];
        for (index, &arg) in args.iter().enumerate().rev() {
            if let Some(atom) = self.atom(arg) {
                atoms[index] = Some(atom);
                continue;
            }
            // A literal inside a literal is static, unless somebody asks for it by itself.
            if !taken_apart && crate::storage::is_literal(&self.program, arg) {
                continue;
            }
            let (ty, span) = (self.program.ty(arg), self.program.span(arg));
            let part = self.fresh_var("part".into(), ty, span);
            named[index] = self.read(part, span);
            self.bind(part, arg, span, pending);
            atoms[index] = Some(match self.facts.get(part) {
                Some(Fact::Atom(atom)) => atom.clone(),
                _ => Atom::Var(part),
            });
        }
        match &mut self.program.nodes[object].kind {
            NodeKind::Tuple(args) | NodeKind::Record(args) | NodeKind::Construct { args, .. } => {
                *args = named
            }
            _ => ice!("{object} makes no object"),
        }
        atoms
    }

    /// A loop between constants of which the last comes before the first.
    fn never_runs(&self, from: NodeId, to: NodeId, down: bool) -> bool {
        match (self.kind(from), self.kind(to)) {
            (NodeKind::Const(Const::Int(_, from)), NodeKind::Const(Const::Int(_, to))) => {
                if down {
                    from < to
                } else {
                    from > to
                }
            }
            _ => false,
        }
    }

    pub(super) fn mutable_fields(&self, ty: TyId, ctor: u32) -> Vec<bool> {
        match self.program.types.get(ty) {
            Ty::Data(data, _) => match &self.program.types.datas[*data].kind {
                DataKind::Record(fields) => fields.iter().map(|it| it.mutable).collect(),
                DataKind::Variant(ctors) => {
                    ctors[ctor as usize].fields.iter().map(|it| it.mutable).collect()
                }
            },
            _ => Vec::new(),
        }
    }

    fn simplify_all(&mut self, nodes: &[NodeId]) -> Vec<NodeId> {
        nodes.iter().map(|&it| self.simplify(it)).collect()
    }

    /// One node that begins no chain.
    fn step(&mut self, at: NodeId, span: Span, pending: &mut Vec<Pending>) -> Step {
        let ty = self.program.ty(at);
        let kind = match self.kind(at).clone() {
            NodeKind::Const(_) => return Done(at),
            NodeKind::Var { var, .. } => return Done(self.variable(at, var, ty, span)),
            NodeKind::Lambda(lambda) => {
                let it = &self.program.lambdas[lambda];
                let (body, once) = (it.body, it.inline == InlineHint::Once);
                let outer = std::mem::replace(&mut self.in_piece, once);
                let body = if once { self.simplify(body) } else { self.simplify_repeated(body) };
                self.in_piece = outer;
                self.program.lambdas[lambda].body = body;
                self.sizes.remove(lambda);
                return Done(at);
            }
            NodeKind::Apply { func, args, .. } => return self.apply(at, func, &args, pending),
            NodeKind::Prim { prim, args } => {
                let args = self.simplify_all(&args);
                return Done(self.prim(at, prim, args));
            }
            NodeKind::Assign { var, value } => {
                NodeKind::Assign { var, value: self.simplify(value) }
            }
            NodeKind::If { cond, then, otherwise } => {
                return self.choice(at, cond, then, otherwise, pending);
            }
            NodeKind::Switch { value, cases, default } => {
                return self.switch(at, value, cases, default, pending);
            }
            NodeKind::While { cond, body } => {
                let cond = self.simplify_repeated(cond);
                NodeKind::While { cond, body: self.simplify_repeated(body) }
            }
            NodeKind::For { var, from, to, down, body } => {
                let (from, to) = (self.simplify(from), self.simplify(to));
                if self.never_runs(from, to, down) {
                    self.changed = true;
                    self.discard(body);
                    return Done(self.add(NodeKind::Const(Const::Unit), ty, span));
                }
                NodeKind::For { var, from, to, down, body: self.simplify_repeated(body) }
            }
            NodeKind::Tuple(items) => NodeKind::Tuple(self.simplify_all(&items)),
            NodeKind::Record(items) => NodeKind::Record(self.simplify_all(&items)),
            NodeKind::Array(items) => NodeKind::Array(self.simplify_all(&items)),
            NodeKind::Construct { ctor, args } => {
                NodeKind::Construct { ctor, args: self.simplify_all(&args) }
            }
            NodeKind::MakeExn { exn, args } => {
                NodeKind::MakeExn { exn, args: self.simplify_all(&args) }
            }
            NodeKind::TupleGet { tuple, index } => {
                let tuple = self.object(tuple, pending);
                if let Some(found) = self.known_field(tuple, None, index, ty, span) {
                    return Done(found);
                }
                NodeKind::TupleGet { tuple, index }
            }
            NodeKind::Field { object, ctor, index } => {
                let object = self.object(object, pending);
                if let Some(found) = self.known_field(object, Some(ctor), index, ty, span) {
                    return Done(found);
                }
                NodeKind::Field { object, ctor, index }
            }
            NodeKind::SetField { object, ctor, index, value } => {
                let value = self.simplify(value);
                let object = self.simplify(object);
                if let NodeKind::Var { var, .. } = *self.kind(object)
                    && let Some(Fact::Scalars(vars)) = self.facts.get(var)
                {
                    let part = vars[index as usize];
                    self.uses.forget(var);
                    self.uses.mention(part);
                    NodeKind::Assign { var: part, value }
                } else {
                    NodeKind::SetField { object, ctor, index, value }
                }
            }
            NodeKind::ExnField { object, exn, index } => {
                NodeKind::ExnField { object: self.simplify(object), exn, index }
            }
            NodeKind::Raise(value) => {
                let value = self.simplify(value);
                NodeKind::Raise(self.float(value, pending))
            }
            NodeKind::Try { body, var, handler } => {
                let body = self.simplify(body);
                if self.droppable(body) {
                    self.discard(handler);
                    return Done(body);
                }
                NodeKind::Try { body, var, handler: self.simplify(handler) }
            }
            NodeKind::Join { join, body, rest } => return self.join(at, join, body, rest),
            NodeKind::Jump { join, args } => return self.jump(at, join, &args, pending),
            NodeKind::Let { .. } | NodeKind::LetRec { .. } | NodeKind::Seq(_) => {
                ice!("{at} begins a chain")
            }
        };
        self.program.nodes[at].kind = kind;
        Done(at)
    }

    fn variable(&mut self, at: NodeId, var: VarId, ty: TyId, span: Span) -> NodeId {
        match self.facts.get(var) {
            Some(Fact::Atom(atom)) => {
                let atom = atom.clone();
                self.uses.forget(var);
                self.changed = true;
                self.atom_node(&atom, ty, span)
            }
            _ => at,
        }
    }

    /// An operand whose parts are asked for: an object built on the spot gets a name.
    pub(super) fn object(&mut self, node: NodeId, pending: &mut Vec<Pending>) -> NodeId {
        let node = self.simplify(node);
        let node = self.float(node, pending);
        let makes_object = match self.kind(node) {
            NodeKind::Tuple(_) | NodeKind::Record(_) => true,
            NodeKind::Construct { args, .. } => !args.is_empty(),
            _ => false,
        };
        if !makes_object {
            return node;
        }
        let (ty, span) = (self.program.ty(node), self.program.span(node));
        let var = self.fresh_var("object".into(), ty, span);
        let read = self.read(var, span);
        self.uses.get_mut(var).fields += 1;
        self.bind(var, node, span, pending);
        read
    }

    /// The field of an object if it is known.
    fn known_field(
        &mut self,
        object: NodeId,
        ctor: Option<u32>,
        index: u32,
        ty: TyId,
        span: Span,
    ) -> Option<NodeId> {
        let NodeKind::Var { var, .. } = *self.kind(object) else { return None };
        match self.facts.get(var)? {
            Fact::Object { ctor: known, fields } if *known == ctor => {
                let atom = fields.get(index as usize)?.clone()?;
                self.uses.forget(var);
                self.changed = true;
                Some(self.atom_node(&atom, ty, span))
            }
            Fact::Scalars(vars) => {
                let part = *vars.get(index as usize)?;
                self.uses.forget(var);
                let node = self.read(part, span);
                Some(self.variable(node, part, ty, span))
            }
            Fact::Object { .. } | Fact::Atom(_) | Fact::Lambda(_) | Fact::Ctor(_) => None,
        }
    }

    fn prim(&mut self, at: NodeId, prim: Prim, args: Vec<NodeId>) -> NodeId {
        let folded = super::fold::prim(&self.program, prim, &args);
        match folded {
            Some(super::fold::Folded::Const(value)) => {
                args.iter().for_each(|&it| self.discard(it));
                self.program.nodes[at].kind = NodeKind::Const(value);
                at
            }
            Some(super::fold::Folded::Operand(index)) => {
                for (place, &arg) in args.iter().enumerate() {
                    if place != index {
                        self.discard(arg);
                    }
                }
                args[index]
            }
            Some(super::fold::Folded::Prim(prim, args)) => {
                self.changed = true;
                self.program.nodes[at].kind = NodeKind::Prim { prim, args };
                at
            }
            None => {
                self.program.nodes[at].kind = NodeKind::Prim { prim, args };
                at
            }
        }
    }
}
