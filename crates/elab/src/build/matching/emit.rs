//! From a decision tree to nodes.
//!
//! ```text
//! case with one leaf          let x = part in body            in place
//! case with several           join case(x) = body in          each leaf: jump case(part)
//! ```
//!
//! A tree that several ways lead to is a join, too: its parameters are the places that it looks at, which have other
//! variables on each way.
//!
//! A part of the scrutinee is read once, where the tree first names it, and bound to the
//! pattern's own variable if the case has one leaf. Bodies are never copied; the guard of a
//! case with several leaves is, since each goes on differently when it is false.

use oxbow_base::{Id, IdMap, IdSet, Symbol};
use oxbow_diag::ice;
use oxbow_psg::{Callee, Join, JoinId, NodeId, NodeKind, Prim, Ty, TyId, VarId};

use super::pattern::{Con, View};
use super::tree::{Parts, PlaceId, Plan, ROOT, SharedId, Tree};
use super::{Arm, Body, Failure, Order, Root, Site};
use crate::build::Builder;

/// The match being emitted.
pub(super) struct Emission<'p, 't> {
    plan: &'p Plan<'t>,
    arms: Vec<Arm<'p>>,
    pub(super) site: Site,
    vars: IdMap<PlaceId, VarId>,
    /// Of the arms with several leaves.
    joins: Vec<Option<JoinId>>,
    fail: Option<JoinId>,
    /// The guards of joined arms, to be copied.
    guards: Vec<Option<NodeId>>,
    /// The scrutinee is a tuple that is not made.
    components: Option<Vec<VarId>>,
    /// The joins of shared trees, with the places that are their parameters.
    shared: IdMap<SharedId, (JoinId, Vec<PlaceId>)>,
    /// Their bodies: each may jump to those before it.
    bodies: Vec<(JoinId, NodeId)>,
}

impl Builder<'_> {
    pub(in crate::build) fn emit_match<'p, 't>(
        &mut self,
        plan: &'p Plan<'t>,
        root: Root,
        arms: Vec<Arm<'p>>,
        site: Site,
    ) -> NodeId {
        let joins = plan
            .arms
            .iter()
            .map(|it| (it.leaves > 1).then(|| self.join("case", it.vars.clone())))
            .collect();
        let fail = match site.failure {
            Failure::Raise(_) if plan.fails > 1 => Some(self.join("fail", Vec::new())),
            Failure::Raise(_) | Failure::Reraise(_) => None,
        };
        let guards = vec![None; arms.len()];
        let mut it = Emission {
            plan,
            arms,
            site,
            vars: IdMap::new(),
            joins,
            fail,
            guards,
            components: None,
            shared: IdMap::new(),
            bodies: Vec::new(),
        };
        if let Root::Var(var) = root {
            it.vars.insert(PlaceId::from_index(ROOT), var);
        }
        let around = self.prepare(&mut it, root);

        let mut node = self.tree(&mut it, &plan.tree);
        for (join, body) in std::mem::take(&mut it.bodies).into_iter().rev() {
            node = self.node(NodeKind::Join { join, body, rest: node }, site.ty, site.span);
        }
        for arm in 0..plan.arms.len() {
            if let Some(join) = it.joins[arm] {
                let body = self.body(&it, arm);
                node = self.node(NodeKind::Join { join, body, rest: node }, site.ty, site.span);
            }
        }
        if let Some(join) = it.fail {
            let body = self.failure(&it);
            node = self.node(NodeKind::Join { join, body, rest: node }, site.ty, site.span);
        }
        // What is evaluated first stands outermost.
        for (var, value) in around {
            node = self.bind(var, value, node, site.span);
        }
        node
    }

    pub(super) fn join(&mut self, name: &str, params: Vec<VarId>) -> JoinId {
        self.program.joins.push(Join { name: Symbol::new(name), params, recursive: false })
    }

    /// Names places after variables and says what has to be bound around the tree,
    /// innermost first.
    fn prepare(&mut self, it: &mut Emission<'_, '_>, root: Root) -> Vec<(VarId, NodeId)> {
        let mut root_bound = false;
        let mut components = Vec::new();
        let plan = it.plan;
        // In a shared tree the places have names of their own.
        let mut todo = vec![(&plan.tree, true)];
        todo.extend(plan.shared.iter().map(|it| (it.1, false)));
        while let Some((tree, names)) = todo.pop() {
            match tree {
                Tree::Fail | Tree::Shared(_) => (),
                Tree::Leaf { arm, binds, otherwise } => {
                    root_bound |= binds.iter().any(|bind| bind.1.index() == ROOT);
                    if names && it.joins[*arm].is_none() {
                        self.take_names(it, binds);
                    }
                    todo.extend(otherwise.as_deref().map(|it| (it, names)));
                }
                Tree::Open { place, parts, next, .. } => {
                    if place.index() == ROOT {
                        components = parts.clone();
                    }
                    todo.push((next, names));
                }
                Tree::Force { next, .. } => todo.push((next, names)),
                Tree::Switch { branches, default, .. } => {
                    todo.extend(branches.iter().map(|it| (&it.tree, names)));
                    todo.extend(default.as_deref().map(|it| (it, names)));
                }
                Tree::Chars { classes, .. } => {
                    todo.extend(classes.iter().map(|it| (&it.tree, names)));
                }
            }
        }
        match root {
            Root::Var(_) => Vec::new(),
            Root::Value(value) => vec![self.bind_root(it, value)],
            Root::Tuple { items, ty, order } if root_bound => {
                let mut first = Vec::new();
                let items = match order {
                    Order::LastToFirst => items,
                    Order::FirstToLast => {
                        items.into_iter().map(|item| self.name_item(item, &mut first)).collect()
                    }
                };
                let value = self.node(NodeKind::Tuple(items), ty, it.site.span);
                let mut around = vec![self.bind_root(it, value)];
                around.extend(first.into_iter().rev());
                around
            }
            Root::Tuple { items, order, .. } => {
                let mut around = self.bind_components(it, items, &components);
                if order == Order::FirstToLast {
                    around.reverse();
                }
                around
            }
        }
    }

    /// A component that is evaluated before the tuple is made.
    fn name_item(&mut self, item: NodeId, first: &mut Vec<(VarId, NodeId)>) -> NodeId {
        if self.plain_var(item).is_some() {
            return item;
        }
        let (ty, span) = (self.program.ty(item), self.program.span(item));
        let var = self.fresh(Symbol::new("part"), ty, span);
        first.push((var, item));
        self.read(var, span)
    }

    /// A place may be named after one variable that it is bound to.
    fn take_names(&mut self, it: &mut Emission<'_, '_>, binds: &[(VarId, PlaceId)]) {
        for &(var, place) in binds {
            let data = &self.program.vars[var];
            if !data.mutable && !data.global && data.tyvars.is_empty() && !it.vars.contains(place) {
                it.vars.insert(place, var);
            }
        }
    }

    fn bind_root(&mut self, it: &mut Emission<'_, '_>, value: NodeId) -> (VarId, NodeId) {
        let ty = self.program.ty(value);
        let var = self.var_of(it, PlaceId::from_index(ROOT), ty);
        (var, value)
    }

    fn bind_components(
        &mut self,
        it: &mut Emission<'_, '_>,
        items: Vec<NodeId>,
        parts: &Parts,
    ) -> Vec<(VarId, NodeId)> {
        let mut around = Vec::new();
        let mut vars = Vec::new();
        for (index, item) in (0..).zip(items) {
            let place = parts.iter().find(|it| it.0 == index).map(|it| it.1);
            if let Some(var) = self.plain_var(item) {
                if let Some(place) = place
                    && !it.vars.contains(place)
                {
                    it.vars.insert(place, var);
                }
                let named = place.is_some_and(|place| it.vars[place] != var);
                if !named {
                    vars.push(var);
                    continue;
                }
            }
            let ty = self.program.ty(item);
            let var = match place {
                Some(place) => self.var_of(it, place, ty),
                None => self.fresh(Symbol::new("_"), ty, it.site.span),
            };
            vars.push(var);
            around.push((var, item));
        }
        it.components = Some(vars);
        around
    }

    fn var_of(&mut self, it: &mut Emission<'_, '_>, place: PlaceId, ty: TyId) -> VarId {
        let span = it.site.span;
        // A variable of the pattern may see the value at another type.
        if let Some(&var) = it.vars.get(place)
            && self.program.vars[var].ty != ty
            && self.types.has_equations
        {
            let part = self.fresh(Symbol::new("part"), ty, span);
            it.vars.insert(place, part);
        }
        *it.vars.entry_or_insert_with(place, || self.fresh(Symbol::new("part"), ty, span))
    }

    pub(super) fn read_place(&mut self, it: &Emission<'_, '_>, place: PlaceId) -> NodeId {
        self.read(it.vars[place], it.site.span)
    }

    pub(super) fn tree(&mut self, it: &mut Emission<'_, '_>, tree: &Tree<'_>) -> NodeId {
        match tree {
            Tree::Fail => match it.fail {
                Some(join) => {
                    self.node(NodeKind::Jump { join, args: Vec::new() }, it.site.ty, it.site.span)
                }
                None => self.failure(it),
            },
            Tree::Leaf { arm, binds, otherwise } => {
                self.leaf(it, *arm, binds, otherwise.as_deref())
            }
            Tree::Open { place, parts, next, .. }
                if place.index() == ROOT && it.components.is_some() =>
            {
                let components = it.components.clone().unwrap_or_default();
                for &(index, part) in parts {
                    it.vars.insert(part, components[index as usize]);
                }
                self.tree(it, next)
            }
            Tree::Open { place, con, parts, next } => self.open(it, *place, con, parts, next),
            Tree::Force { place, force, value, next } => {
                let forced = self.force(it, *place, *force);
                let ty = self.program.ty(forced);
                let var = self.var_of(it, *value, ty);
                let next = self.tree(it, next);
                self.bind(var, forced, next, it.site.span)
            }
            Tree::Switch { place, branches, default } => {
                self.switch(it, *place, branches, default.as_deref())
            }
            Tree::Chars { place, classes } => self.chars(it, *place, classes),
            Tree::Shared(id) => self.shared(it, *id),
        }
    }

    /// A jump to a tree that other ways lead to as well, which is made at the first of them.
    fn shared(&mut self, it: &mut Emission<'_, '_>, id: SharedId) -> NodeId {
        let (join, places) = match it.shared.get(id) {
            Some(known) => known.clone(),
            None => {
                let plan = it.plan;
                let places = outside(plan, &plan.shared[id]);
                let vars: Vec<VarId> = places.iter().map(|&place| it.vars[place]).collect();
                let params: Vec<VarId> = vars
                    .iter()
                    .map(|&var| {
                        let (name, ty) = (self.program.vars[var].name, self.program.vars[var].ty);
                        self.fresh(name, ty, it.site.span)
                    })
                    .collect();
                let join = self.join("cases", params.clone());
                for (&place, param) in places.iter().zip(params) {
                    it.vars.insert(place, param);
                }
                let body = self.tree(it, &plan.shared[id]);
                for (&place, var) in places.iter().zip(vars) {
                    it.vars.insert(place, var);
                }
                it.bodies.push((join, body));
                it.shared.insert(id, (join, places.clone()));
                (join, places)
            }
        };
        let args = places.iter().map(|&place| self.read_place(it, place)).collect();
        self.node(NodeKind::Jump { join, args }, it.site.ty, it.site.span)
    }

    fn failure(&mut self, it: &Emission<'_, '_>) -> NodeId {
        match it.site.failure {
            Failure::Raise(at) => {
                self.raise_at(self.program.well_known.exns.match_failure, at, it.site.ty)
            }
            Failure::Reraise(var) => {
                let exn = self.read(var, it.site.span);
                self.node(NodeKind::Raise(exn), it.site.ty, it.site.span)
            }
        }
    }

    fn body(&mut self, it: &Emission<'_, '_>, arm: usize) -> NodeId {
        let body = match it.arms[arm].body {
            Body::Expr(expr) => self.expr(expr),
            Body::Node(node) => node,
        };
        self.fit(body, it.site.ty)
    }

    fn leaf(
        &mut self,
        it: &mut Emission<'_, '_>,
        arm: usize,
        binds: &[(VarId, PlaceId)],
        otherwise: Option<&Tree<'_>>,
    ) -> NodeId {
        let (ty, span) = (it.site.ty, it.site.span);
        if let Some(join) = it.joins[arm] {
            let places = it.plan.arms[arm].vars.iter().map(|var| {
                let Some(bind) = binds.iter().find(|it| it.0 == *var) else {
                    ice!("an alternative does not bind {var}")
                };
                bind.1
            });
            let args = places.map(|place| self.read_place(it, place)).collect();
            let vars = &it.plan.arms[arm].vars;
            let tys: Vec<TyId> = vars.iter().map(|&it| self.program.vars[it].ty).collect();
            let args = self.fit_all(args, &tys);
            let jump = self.node(NodeKind::Jump { join, args }, ty, span);
            let Some(otherwise) = otherwise else { return jump };
            let cond = self.guard_copy(it, arm, binds);
            let otherwise = self.tree(it, otherwise);
            return self.node(NodeKind::If { cond, then: jump, otherwise }, ty, span);
        }
        let mut node = match (it.arms[arm].guard, otherwise) {
            (Some(guard), Some(otherwise)) => {
                let cond = self.condition(guard);
                let then = self.body(it, arm);
                let otherwise = self.tree(it, otherwise);
                self.node(NodeKind::If { cond, then, otherwise }, ty, span)
            }
            _ => self.body(it, arm),
        };
        for &(var, place) in binds.iter().rev() {
            if it.vars[place] != var {
                let value = self.read_place(it, place);
                let ty = self.program.vars[var].ty;
                let value = self.read_at(value, ty);
                node = self.bind(var, value, node, span);
            }
        }
        node
    }

    /// The guard of a case with several leaves, about the variables of this leaf. The
    /// pattern's own variables are the parameters of the join.
    fn guard_copy(
        &mut self,
        it: &mut Emission<'_, '_>,
        arm: usize,
        binds: &[(VarId, PlaceId)],
    ) -> NodeId {
        let Some(guard) = it.arms[arm].guard else { ice!("no guard to copy") };
        let original = match it.guards[arm] {
            Some(node) => node,
            None => {
                let node = self.condition(guard);
                it.guards[arm] = Some(node);
                node
            }
        };
        for &(var, place) in binds {
            self.cloner.rename(var, it.vars[place], None);
        }
        self.cloner.clone(&mut self.program, original, &mut |_, ty| ty)
    }

    pub(super) fn open(
        &mut self,
        it: &mut Emission<'_, '_>,
        place: PlaceId,
        con: &Con,
        parts: &Parts,
        next: &Tree<'_>,
    ) -> NodeId {
        let values: Vec<(VarId, NodeId)> = parts
            .iter()
            .map(|&(index, part)| {
                let value = self.part(it, place, con, index);
                let ty = self.program.ty(value);
                let var = self.var_of(it, part, ty);
                let ty = self.program.vars[var].ty;
                (var, self.read_at(value, ty))
            })
            .collect();
        let mut node = self.tree(it, next);
        for (var, value) in values.into_iter().rev() {
            node = self.bind(var, value, node, it.site.span);
        }
        node
    }

    fn part(&mut self, it: &Emission<'_, '_>, place: PlaceId, con: &Con, index: u32) -> NodeId {
        let object = self.read_place(it, place);
        let object_ty = self.program.ty(object);
        let at = index as usize;
        let (kind, ty) = match con {
            Con::Tuple(_) => match self.program.types.get(object_ty) {
                Ty::Tuple(items) => (NodeKind::TupleGet { tuple: object, index }, items[at]),
                other => ice!("a tuple pattern at {other:?}"),
            },
            Con::Record(_) => {
                (NodeKind::Field { object, ctor: 0, index }, self.field_tys(object_ty, 0)[at])
            }
            Con::Ctor(_, ctor) => (
                NodeKind::Field { object, ctor: *ctor, index },
                self.field_tys(object_ty, *ctor)[at],
            ),
            Con::Tag { tag, holds, .. } => {
                let Some(holds) = holds.0 else { ice!("the tag {tag} holds nothing") };
                let ty = self.ty(holds);
                let ctor = self.variant_ctor(*tag, Some(ty));
                (NodeKind::Field { object, ctor, index }, ty)
            }
            Con::Exn(exn) => return self.exn_field(object, *exn, index, it.site.span),
            Con::Array(_) => {
                let Ty::Array(item) = *self.program.types.get(object_ty) else {
                    ice!("an array pattern elsewhere")
                };
                let args = vec![object, self.int(i64::from(index), it.site.span)];
                (NodeKind::Prim { prim: Prim::ArrayGet, args }, item)
            }
            Con::Bool(_) | Con::Int(..) | Con::Char(_) | Con::String(_) | Con::Float(_) => {
                ice!("{con:?} has no parts")
            }
        };
        self.node(kind, ty, it.site.span)
    }

    fn force(&mut self, it: &Emission<'_, '_>, place: PlaceId, force: View<'_>) -> NodeId {
        let force = match force {
            View::Force(force, _) => force,
            View::Retype(ty) => {
                let value = self.read_place(it, place);
                return self.fit(value, ty);
            }
        };
        let func = self.expr(force);
        let ty = self.program.types.split_function(self.program.ty(func), 1).1;
        let args = vec![self.read_place(it, place)];
        self.node(NodeKind::Apply { func, args, callee: Callee::Unknown }, ty, it.site.span)
    }
}

/// The places that a tree looks at and does not name itself, but for the whole scrutinee, which is known everywhere.
fn outside(plan: &Plan<'_>, tree: &Tree<'_>) -> Vec<PlaceId> {
    let mut looked: Vec<PlaceId> = Vec::new();
    let mut named: IdSet<PlaceId> = IdSet::new();
    named.insert(PlaceId::from_index(ROOT));
    let mut entered: IdSet<SharedId> = IdSet::new();
    let mut todo = vec![tree];
    while let Some(tree) = todo.pop() {
        match tree {
            Tree::Fail => (),
            Tree::Leaf { binds, otherwise, .. } => {
                looked.extend(binds.iter().map(|it| it.1));
                todo.extend(otherwise.as_deref());
            }
            Tree::Open { place, parts, next, .. } => {
                looked.push(*place);
                named.extend(parts.iter().map(|it| it.1));
                todo.push(next);
            }
            Tree::Force { place, value, next, .. } => {
                looked.push(*place);
                named.insert(*value);
                todo.push(next);
            }
            Tree::Switch { place, branches, default } => {
                looked.push(*place);
                named.extend(branches.iter().flat_map(|it| it.parts.iter().map(|it| it.1)));
                todo.extend(branches.iter().map(|it| &it.tree));
                todo.extend(default.as_deref());
            }
            Tree::Chars { place, classes } => {
                looked.push(*place);
                todo.extend(classes.iter().map(|it| &it.tree));
            }
            Tree::Shared(id) => {
                if entered.insert(*id) {
                    todo.push(&plan.shared[*id]);
                }
            }
        }
    }
    looked.retain(|it| !named.contains(*it));
    looked.sort_unstable();
    looked.dedup();
    looked
}
