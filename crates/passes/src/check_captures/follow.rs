//! Follows a value inside a boundary, along the edges of the flow.

use std::collections::VecDeque;

use oxbow_base::{IdSet, Span, SparseMap};
use oxbow_psg::{LambdaId, Mono, NodeId, NodeKind, Program, VarId, walk};

use super::calls::{Given, What};
use super::{Check, Followed, Step};
use crate::flow::{Edge, Place, PlaceId, Way};

/// Where the value may live.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Boundary {
    /// Inside this block, which the scope of the variable is.
    Scope(NodeId),
    /// Inside a call of this function; being its result is noted.
    Call(LambdaId),
}

/// One search from a value, and what it has found.
pub(super) struct Walk {
    pub boundary: Boundary,
    nodes: IdSet<NodeId>,
    vars: IdSet<VarId>,
    lambdas: IdSet<LambdaId>,
    /// Where the value has been, from where it came, and what is to be said of that.
    came: SparseMap<PlaceId, (Option<PlaceId>, Vec<Step>)>,
    work: VecDeque<PlaceId>,
    /// The value may be the result of the call.
    pub returned: bool,
    /// It is stored in what these parameters of the call are.
    pub stored_in: Vec<usize>,
    /// What is followed from the start.
    pub what: What,
}

impl Walk {
    pub fn new(program: &Program<Mono>, boundary: Boundary, what: What) -> Self {
        let mut it = Self {
            boundary,
            nodes: IdSet::new(),
            vars: IdSet::new(),
            lambdas: IdSet::new(),
            came: SparseMap::new(),
            work: VecDeque::new(),
            returned: false,
            stored_in: Vec::new(),
            what,
        };
        let root = match boundary {
            Boundary::Scope(body) => body,
            Boundary::Call(lambda) => {
                it.add_params(program, lambda);
                program.lambdas[lambda].body
            }
        };
        walk::for_each_node(program, root, |node| {
            it.nodes.insert(node);
            let kind = &program.nodes[node].kind;
            kind.for_each_binder(&program.joins, |var| {
                it.vars.insert(var);
            });
            if let NodeKind::Lambda(lambda) = *kind {
                it.lambdas.insert(lambda);
                it.add_params(program, lambda);
            }
        });
        it
    }

    fn add_params(&mut self, program: &Program<Mono>, lambda: LambdaId) {
        for &param in &program.lambdas[lambda].params {
            self.vars.insert(param);
        }
    }

    /// Does the place lie inside the boundary?
    pub fn holds(&self, place: Place) -> bool {
        match place {
            Place::Var(var) => self.vars.contains(var),
            Place::Made(node) | Place::Given(node) => self.nodes.contains(node),
            Place::Result(lambda) => self.lambdas.contains(lambda),
            Place::Outside
            | Place::Raised
            | Place::Field(..)
            | Place::Element(_)
            | Place::Payload(..) => false,
        }
    }

    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.contains(node)
    }

    /// The value is also at `place`, which it came to from another.
    pub fn visit(&mut self, place: PlaceId, from: Option<PlaceId>, steps: Vec<Step>) {
        if !self.came.contains(place) {
            self.came.insert(place, (from, steps));
            self.work.push_back(place);
        }
    }

    /// The way to `place`, and then out.
    pub fn path(&self, place: PlaceId, end: impl IntoIterator<Item = Step>) -> Vec<Step> {
        let mut parts = Vec::new();
        let mut at = Some(place);
        while let Some(place) = at {
            let Some((from, steps)) = self.came.get(place) else { break };
            parts.push(steps.as_slice());
            at = *from;
        }
        parts.into_iter().rev().flatten().cloned().chain(end).collect()
    }
}

impl Check<'_> {
    /// Follows the value that is at a place.
    pub(super) fn follow(&mut self, start: Option<PlaceId>, walk: &mut Walk) -> Followed {
        let Some(start) = start else { return Ok(()) };
        walk.visit(start, None, Vec::new());
        while let Some(place) = walk.work.pop_front() {
            let flow = self.flow;
            for edge in flow.from(place) {
                match edge.way {
                    Way::Same => self.same(edge, walk)?,
                    Way::Into => self.into(edge, walk)?,
                    Way::Part if !self.may_hold(edge.cause) => (),
                    Way::Part => self.moved(edge, Vec::new(), walk)?,
                    Way::Leaves => self.returned(edge, walk)?,
                    // Calls are followed one by one.
                    Way::Enters | Way::Stored | Way::Loaded => (),
                }
            }
            for store in flow.stores_of(place) {
                let span = self.operand_span(store.cause, place);
                self.stored(store.object, span, place, walk)?;
            }
            self.calls(place, walk)?;
        }
        Ok(())
    }

    /// The value comes to another place, if that is inside.
    fn moved(&mut self, edge: &Edge, steps: Vec<Step>, walk: &mut Walk) -> Followed {
        if walk.holds(self.flow.place(edge.to)) {
            self.go(edge.to, edge.from, steps, walk);
            return Ok(());
        }
        let end = match walk.boundary {
            Boundary::Scope(body) => {
                (self.result_span(body), "becomes the result of the block".into())
            }
            Boundary::Call(_) => {
                (self.program.span(edge.cause), "becomes a module-level value".into())
            }
        };
        Err(self.out(edge.from, [end], walk))
    }

    fn same(&mut self, edge: &Edge, walk: &mut Walk) -> Followed {
        let program = self.program;
        let cause = &program.nodes[edge.cause].kind;
        match self.flow.place(edge.to) {
            // What is done to the value by a call or a primitive is found there.
            Place::Outside => {
                let result = self.flow.of_node(edge.cause);
                if let (NodeKind::Prim { .. }, Some(result)) = (cause, result)
                    && self.may_hold(edge.cause)
                {
                    self.go(result, edge.from, Vec::new(), walk);
                }
                Ok(())
            }
            Place::Raised => {
                let span = self.operand_span(edge.cause, edge.from);
                Err(self.out(edge.from, [(span, "is raised with an exception".into())], walk))
            }
            Place::Result(lambda) if walk.boundary == Boundary::Call(lambda) => {
                walk.returned = true;
                Ok(())
            }
            Place::Var(var) => {
                let name = program.vars[var].name;
                let mut steps = Vec::new();
                if let NodeKind::Assign { value, .. } = *cause
                    && walk.contains(edge.cause)
                {
                    let span = program.span(value);
                    if !walk.holds(Place::Var(var)) {
                        let text = format!("is assigned to `{name}`, which lives longer");
                        return Err(self.out(edge.from, [(span, text)], walk));
                    }
                    steps.push((span, format!("is assigned to `{name}`")));
                }
                self.moved(edge, steps, walk)
            }
            _ => self.moved(edge, Vec::new(), walk),
        }
    }

    /// The value goes on from one place to another.
    pub(super) fn go(
        &self,
        place: PlaceId,
        from: PlaceId,
        steps: impl IntoIterator<Item = Step>,
        walk: &mut Walk,
    ) {
        let steps = self.bound(from).into_iter().chain(steps).collect();
        walk.visit(place, Some(from), steps);
    }

    /// The way on which the value gets out from a place.
    pub(super) fn out(
        &self,
        from: PlaceId,
        end: impl IntoIterator<Item = Step>,
        walk: &Walk,
    ) -> Vec<Step> {
        walk.path(from, self.bound(from).into_iter().chain(end))
    }

    /// What is said of a name that the value had.
    fn bound(&self, place: PlaceId) -> Option<Step> {
        let Place::Var(var) = self.flow.place(place) else { return None };
        let it = &self.program.vars[var];
        let shown = !it.name.is_hidden();
        shown.then(|| (it.span, format!("is bound to `{}`", it.name)))
    }

    fn into(&mut self, edge: &Edge, walk: &mut Walk) -> Followed {
        let program = self.program;
        let span = program.span(edge.cause);
        match &program.nodes[edge.cause].kind {
            NodeKind::Lambda(lambda) => {
                let mut steps = Vec::new();
                if let Place::Var(var) = self.flow.place(edge.from)
                    && !program.vars[var].name.is_hidden()
                {
                    let name = program.vars[var].name;
                    let text = format!("`{name}` is captured by this function");
                    steps.push((program.lambdas[*lambda].span, text));
                }
                // The name is said with the capture.
                if walk.holds(self.flow.place(edge.to)) {
                    walk.visit(edge.to, Some(edge.from), steps);
                }
                Ok(())
            }
            NodeKind::MakeExn { .. } => {
                let span = self.operand_span(edge.cause, edge.from);
                Err(self.out(edge.from, [(span, "is raised with an exception".into())], walk))
            }
            NodeKind::Apply { .. } => Ok(()),
            _ if !walk.contains(edge.cause) => self.moved(edge, Vec::new(), walk),
            _ => self.moved(edge, vec![(span, "is stored in this value".into())], walk),
        }
    }

    /// The value is the result of a function inside: of the calls of it that are inside. Others call it
    /// because a call inside gave it to them, which is followed there.
    fn returned(&mut self, edge: &Edge, walk: &mut Walk) -> Followed {
        let program = self.program;
        let Place::Result(lambda) = self.flow.place(edge.from) else { return Ok(()) };
        let name =
            program.lambdas[lambda].name.map_or("a function".to_string(), |it| format!("`{it}`"));
        let span = program.span(program.lambdas[lambda].body);
        let step = (span, format!("is returned by {name}"));
        if walk.contains(edge.cause) {
            if self.may_hold(edge.cause) {
                self.go(edge.to, edge.from, vec![step], walk);
            }
            return Ok(());
        }
        let mut seen: IdSet<PlaceId> = IdSet::new();
        let mut work: Vec<PlaceId> = self.flow.literal(lambda).into_iter().collect();
        while let Some(place) = work.pop() {
            if !seen.insert(place) || !walk.holds(self.flow.place(place)) {
                continue;
            }
            let edges = self.flow.from(place).filter(|it| matches!(it.way, Way::Same | Way::Into));
            work.extend(edges.map(|it| it.to));
            for (call, index) in self.arguments_at(place) {
                if walk.contains(call) {
                    let given = Given { call, index, what: What::Results };
                    self.argument(given, edge.from, std::slice::from_ref(&step), walk)?;
                }
            }
        }
        Ok(())
    }

    /// Stored in an object: as long as that is made inside, the object holds it.
    pub(super) fn stored(
        &mut self,
        object: PlaceId,
        span: Span,
        from: PlaceId,
        walk: &mut Walk,
    ) -> Followed {
        let name = match self.flow.place(object) {
            Place::Var(var) => Some(self.program.vars[var].name),
            _ => None,
        };
        let Some(owners) = self.owners(object, walk) else {
            let text = match name.or_else(|| self.owner_name(object)) {
                Some(name) => format!("is stored in `{name}`, which lives longer"),
                None => "is stored in an object that may live longer".into(),
            };
            return Err(self.out(from, [(span, text)], walk));
        };
        let text = match name {
            Some(name) => format!("is stored in `{name}`"),
            None => "is stored in this value".into(),
        };
        for owner in owners {
            self.go(owner, from, vec![(span, text.clone())], walk);
        }
        Ok(())
    }

    /// The variable that an object is read from.
    fn owner_name(&self, object: PlaceId) -> Option<oxbow_base::Symbol> {
        let mut at = object;
        loop {
            if let Place::Var(var) = self.flow.place(at) {
                return Some(self.program.vars[var].name);
            }
            at = self.flow.to(at).find(|it| it.way == Way::Part)?.from;
        }
    }

    /// What an object is, or is a part of, if all of that is made inside; parameters of the call are noted.
    fn owners(&mut self, object: PlaceId, walk: &mut Walk) -> Option<Vec<PlaceId>> {
        let mut found = Vec::new();
        let mut seen: IdSet<PlaceId> = IdSet::new();
        let mut work = vec![object];
        while let Some(place) = work.pop() {
            if !seen.insert(place) {
                continue;
            }
            let kind = self.flow.place(place);
            if let (Place::Var(var), Boundary::Call(lambda)) = (kind, walk.boundary)
                && let Some(at) =
                    self.program.lambdas[lambda].params.iter().position(|&it| it == var)
            {
                walk.stored_in.push(at);
                continue;
            }
            if !walk.holds(kind) {
                return None;
            }
            match kind {
                Place::Made(_) => found.push(place),
                // The library keeps nothing of what it makes.
                Place::Given(node) if self.is_made_by_library(node) => found.push(place),
                Place::Var(var) if self.params.contains(var) || self.program.vars[var].mutable => {
                    return None;
                }
                _ => {
                    let before = work.len();
                    let edges = self.flow.to(place);
                    let back = edges.filter(|it| matches!(it.way, Way::Same | Way::Part));
                    work.extend(back.map(|it| it.from));
                    if work.len() == before {
                        return None;
                    }
                }
            }
        }
        Some(found)
    }

    fn is_made_by_library(&self, node: NodeId) -> bool {
        match self.program.nodes[node].kind {
            NodeKind::Apply { func, .. } => {
                self.callee(func).is_some_and(|it| self.is_library(self.program.lambdas[it].span))
            }
            NodeKind::Prim { .. } => true,
            _ => false,
        }
    }

    /// Where the operand of a node is written whose value is at a place.
    pub(super) fn operand_span(&self, node: NodeId, place: PlaceId) -> Span {
        let mut found = None;
        self.program.nodes[node].kind.for_each_child(|child| {
            if self.flow.operand(self.program, child) == Some(place) {
                found = Some(self.program.span(child));
            }
        });
        found.unwrap_or(self.program.span(node))
    }

    /// Where the value of a block is written.
    fn result_span(&self, node: NodeId) -> Span {
        let mut node = node;
        loop {
            match &self.program.nodes[node].kind {
                NodeKind::Let { body, .. } | NodeKind::LetRec { body, .. } => node = *body,
                NodeKind::Seq(parts) => match parts.last() {
                    Some(&last) => node = last,
                    None => return self.program.span(node),
                },
                _ => return self.program.span(node),
            }
        }
    }
}
