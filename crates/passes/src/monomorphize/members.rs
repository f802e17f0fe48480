//! Recursive groups whose members call each other at types of their own: a copy is made of a member, not of the group.
//!
//! ```text
//! let rec f : type a. a t -> a -> int = … g x … and g : type b. b t -> b -> int = … f y …
//!
//! in the graph     rec f['a, 'b] = … g['a, uniform] …   and g['a, 'b] = … f['b, 'b] …
//! copies           f[uniform, -], g[-, uniform]         'a means nothing to g, and 'b nothing to f
//! ```
//!
//! All members of a group have the type parameters of all of them. A group of a hundred functions of this kind, which a
//! parser generator writes, would be copied as a whole for each call at another type. So it is asked which parameters
//! a member depends on, by its own code or by what it hands on to another member; the others stand for `unit`. Groups
//! that call themselves at their own types alone are copied whole.

use std::collections::BTreeMap;

use oxbow_base::{FxHashMap, SparseMap, SparseSet};
use oxbow_diag::ice;
use oxbow_psg::walk::for_each_node;
use oxbow_psg::{ExnId, Item, ItemKind, Key, NodeId, NodeKind, Ty, TyId, TyVarId, VarId};

use super::Context;

/// A member with more copies than these takes uniform values for the type parameters that stand for more than so many
/// types. The code of such groups is large and passes most of its values on: a copy for each stack that a generated
/// parser may have would be the most of the program.
const MEMBER_COPIES: usize = 8;
const MEMBER_TYPES: usize = 4;

/// For each member of a group, and each type parameter: does the member depend on it?
#[derive(Clone, Debug)]
pub(super) struct Members {
    depends: Vec<Vec<bool>>,
}

/// The copies of the members of a group as one group.
pub(super) fn joined(items: Vec<Item>) -> Vec<Item> {
    let mut items = items.into_iter();
    let Some(mut group) = items.next() else { return Vec::new() };
    let ItemKind::LetRec { vars, values } = &mut group.kind else { ice!("a group is recursive") };
    for item in items {
        let ItemKind::LetRec { vars: others, values: more } = item.kind else {
            ice!("a group is recursive")
        };
        vars.extend(others);
        values.extend(more);
    }
    vec![group]
}

/// What the code of one member says.
#[derive(Default)]
struct Found {
    own: Vec<bool>,
    /// Another member, and the parameters in each of the types that it is given.
    calls: Vec<(usize, Vec<Vec<usize>>)>,
    /// Calls the group at other types than its own.
    crosses: bool,
}

impl Context<'_> {
    /// Is the member of this item copied by itself? Then the type arguments that it does not depend on are replaced.
    pub(super) fn member(
        &mut self,
        item: usize,
        member: usize,
        tyargs: &mut [TyId],
    ) -> Option<usize> {
        if tyargs.is_empty() {
            return None;
        }
        if !self.members.contains_key(&item) {
            let found = self.find_members(item);
            self.members.insert(item, found);
        }
        let unit = self.out.types.unit;
        let depends = &self.members.get(&item)?.as_ref()?.depends[member];
        for (arg, depends) in tyargs.iter_mut().zip(depends) {
            if !depends {
                *arg = unit;
            }
        }
        Some(member)
    }

    /// Members that called each other on the way from the instance `first` to the code that is being copied, at
    /// types that grow: all of them are at uniform values.
    pub(super) fn note_members_growth(&mut self, item: usize, first: usize) {
        let binding = self.source.items[item].kind.vars()[0];
        let mut last: FxHashMap<Option<usize>, usize> = FxHashMap::default();
        let mut at = self.current;
        while let Some(it) = at.filter(|&it| it >= first) {
            let instance = &self.instances[it];
            at = instance.parent;
            if instance.item != item || instance.member.is_none() {
                continue;
            }
            let newest = *last.entry(instance.member).or_insert(it);
            let [from, to] = [it, newest].map(|it| self.instances[it].tyargs.clone());
            if self.has_deeper(&from, &to) {
                self.note_growth(binding, &from, &to);
            }
        }
    }

    /// Members of which there are many copies take uniform values where the types of the copies are many.
    pub(super) fn check_members(&mut self) {
        let mut copies: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        for (index, instance) in self.instances.iter().enumerate() {
            if let Some(member) = instance.member {
                copies.entry((instance.item, member)).or_default().push(index);
            }
        }
        for ((item, _), copies) in copies {
            if copies.len() <= MEMBER_COPIES {
                continue;
            }
            let binding = self.source.items[item].kind.vars()[0];
            for place in 0..self.item_tyvars(item).len() {
                let types: SparseSet<TyId> =
                    copies.iter().map(|&it| self.instances[it].tyargs[place]).collect();
                if types.len() > MEMBER_TYPES {
                    self.learn_binding(binding, place);
                }
            }
        }
    }

    fn has_deeper(&mut self, from: &[TyId], to: &[TyId]) -> bool {
        from.iter().zip(to).any(|(&from, &to)| self.depth(to) > self.depth(from))
    }

    fn find_members(&self, item: usize) -> Option<Members> {
        let ItemKind::LetRec { vars, values } = &self.source.items[item].kind else { return None };
        let params = self.item_tyvars(item);
        if vars.len() < 2 || params.is_empty() {
            return None;
        }
        let places: SparseMap<TyVarId, usize> =
            params.iter().enumerate().map(|(place, &var)| (var, place)).collect();
        let found: Vec<Found> =
            values.iter().map(|&it| self.look_at_member(it, item, &places)).collect();
        if !found.iter().any(|it| it.crosses) {
            return None;
        }
        let mut depends: Vec<Vec<bool>> = found.iter().map(|it| it.own.clone()).collect();
        for (own, &var) in depends.iter_mut().zip(self.source.items[item].kind.vars()) {
            self.mark([self.source.vars[var].ty], &places, own);
        }
        loop {
            let mut changed = false;
            for (member, found) in found.iter().enumerate() {
                for (callee, handed) in &found.calls {
                    for (place, params) in handed.iter().enumerate() {
                        if !depends[*callee][place] {
                            continue;
                        }
                        for &param in params {
                            changed |= !std::mem::replace(&mut depends[member][param], true);
                        }
                    }
                }
            }
            if !changed {
                return Some(Members { depends });
            }
        }
    }

    fn mark(
        &self,
        types: impl IntoIterator<Item = TyId>,
        places: &SparseMap<TyVarId, usize>,
        own: &mut [bool],
    ) {
        for var in self.out.types.vars_in(types) {
            if let Some(&place) = places.get(var) {
                own[place] = true;
            }
        }
    }

    fn look_at_member(
        &self,
        value: NodeId,
        item: usize,
        places: &SparseMap<TyVarId, usize>,
    ) -> Found {
        let source = self.source;
        let mut found = Found { own: vec![false; places.len()], ..Found::default() };
        for_each_node(source, value, |node| {
            let kind = &source.nodes[node].kind;
            self.mark([source.nodes[node].ty], places, &mut found.own);
            kind.for_each_binder(&source.joins, |var| {
                self.mark([source.vars[var].ty], places, &mut found.own);
            });
            match kind {
                NodeKind::Var { var, tyargs } => match self.item_of.get(*var) {
                    Some(&(of, member)) if of == item => {
                        self.note_call(*var, member, tyargs, places, &mut found);
                    }
                    _ => self.mark(tyargs.iter().copied(), places, &mut found.own),
                },
                // What tags, objects and exceptions hold may mention any parameter.
                NodeKind::MakeExn { exn, .. } | NodeKind::ExnField { exn, .. } => {
                    self.mark_exn(*exn, &mut found);
                }
                NodeKind::Construct { .. } => self.mark_open(node, &mut found),
                NodeKind::Field { object, .. } | NodeKind::SetField { object, .. } => {
                    self.mark_open(*object, &mut found);
                }
                NodeKind::Switch { value, cases, .. } => {
                    self.mark_open(*value, &mut found);
                    for (key, _) in cases {
                        if let Key::Exn(exn) = key {
                            self.mark_exn(*exn, &mut found);
                        }
                    }
                }
                NodeKind::Const(_)
                | NodeKind::Lambda(_)
                | NodeKind::Apply { .. }
                | NodeKind::Prim { .. }
                | NodeKind::Assign { .. }
                | NodeKind::Let { .. }
                | NodeKind::LetRec { .. }
                | NodeKind::Seq(_)
                | NodeKind::If { .. }
                | NodeKind::While { .. }
                | NodeKind::For { .. }
                | NodeKind::Tuple(_)
                | NodeKind::TupleGet { .. }
                | NodeKind::Record(_)
                | NodeKind::Array(_)
                | NodeKind::Raise(_)
                | NodeKind::Try { .. }
                | NodeKind::Join { .. }
                | NodeKind::Jump { .. } => (),
            }
        });
        found
    }

    /// Marks all parameters if the node's type is one whose constructors are made for the function around them.
    fn mark_open(&self, node: NodeId, found: &mut Found) {
        let ty = self.source.nodes[node].ty;
        if self.is_tags(ty) || self.is_objects(ty) {
            found.own.fill(true);
        }
    }

    fn mark_exn(&self, exn: ExnId, found: &mut Found) {
        if !self.out.types.exns[exn].params.is_empty() {
            found.own.fill(true);
        }
    }

    fn note_call(
        &self,
        var: VarId,
        member: usize,
        tyargs: &[TyId],
        places: &SparseMap<TyVarId, usize>,
        found: &mut Found,
    ) {
        // Without type arguments it is the instance around.
        if tyargs.is_empty() {
            let own = (0..self.source.vars[var].tyvars.len()).map(|it| vec![it]).collect();
            found.calls.push((member, own));
            return;
        }
        let handed: Vec<Vec<usize>> = tyargs
            .iter()
            .map(|&it| {
                let vars = self.out.types.vars_in([it]);
                vars.into_iter().filter_map(|it| places.get(it).copied()).collect()
            })
            .collect();
        let is_own = |(place, &ty): (usize, &TyId)| {
            handed[place] == [place] && matches!(self.out.types.get(ty), Ty::Var(_))
        };
        found.crosses |= !tyargs.iter().enumerate().all(is_own);
        found.calls.push((member, handed));
    }
}
