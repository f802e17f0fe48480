//! Which type parameters of an item matter to it.
//!
//! The functions of one recursive group have the same type parameters, and a mention inside the group names them all:
//!
//! ```text
//! let rec show f x = print (f x); last ()  and  last () = …
//!
//! let last['a] = …      let show['a] = … last['a] ()      no type in `last` mentions 'a
//! ```
//!
//! Instances are told apart by the arguments that matter; the others are `unit`.

use oxbow_base::IdSet;
use oxbow_psg::{ExnId, Key, NodeKind, Ty, TyId, TyVarId, VarId, walk};

use super::{Context, item_vars};

/// A mention of another item: which, and the variables in each type argument.
type Use = (usize, Vec<Vec<TyVarId>>);

/// What has been found out about an item.
pub(super) enum Mattering {
    /// Not asked for yet.
    Unknown,
    /// Waits for other items: the variables of its own types, and its mentions of the others.
    Open(Vec<TyVarId>, Vec<Use>),
    /// For each type parameter.
    Known(Vec<bool>),
}

impl Context<'_> {
    /// Type arguments of an item, with `unit` for those that do not matter.
    pub(super) fn mattering_args(&mut self, item: usize, mut tyargs: Vec<TyId>) -> Vec<TyId> {
        if tyargs.is_empty() {
            return tyargs;
        }
        self.find_mattering(item);
        let unit = self.out.types.unit;
        if let Mattering::Known(known) = &self.mattering[item] {
            for (arg, _) in tyargs.iter_mut().zip(known).filter(|it| !it.1) {
                *arg = unit;
            }
        }
        tyargs
    }

    /// Items that are mentioned come first; no item mentions later ones.
    fn find_mattering(&mut self, item: usize) {
        let mut todo = vec![item];
        while let Some(&item) = todo.last() {
            match &self.mattering[item] {
                Mattering::Known(_) => {
                    todo.pop();
                }
                Mattering::Unknown => {
                    let (own, uses) = self.mentions_of(item);
                    todo.extend(uses.iter().map(|it| it.0));
                    self.mattering[item] = Mattering::Open(own, uses);
                }
                Mattering::Open(own, uses) => {
                    let mut all = own.clone();
                    for (used, args) in uses {
                        for (index, vars) in args.iter().enumerate() {
                            let matters = match &self.mattering[*used] {
                                Mattering::Known(known) => known.get(index).is_none_or(|&it| it),
                                Mattering::Unknown | Mattering::Open(..) => true,
                            };
                            if matters {
                                all.extend(vars.iter().copied());
                            }
                        }
                    }
                    let known = self.item_tyvars(item).iter().map(|it| all.contains(it)).collect();
                    self.mattering[item] = Mattering::Known(known);
                    todo.pop();
                }
            }
        }
    }

    /// The type variables of an item's own code, and its mentions of other polymorphic items.
    fn mentions_of(&self, item: usize) -> (Vec<TyVarId>, Vec<Use>) {
        let source = self.source;
        let (mut types, mut vars, mut uses) = (IdSet::new(), Vec::new(), Vec::new());
        let kind = &source.items[item].kind;
        for &var in item_vars(&source.items[item]) {
            types.insert(source.vars[var].ty);
        }
        let exn_params = |exn: ExnId, vars: &mut Vec<TyVarId>| {
            vars.extend(&self.out.types.exns[exn].params);
        };
        for root in kind.roots() {
            walk::for_each_node(source, root, |node| {
                types.insert(source.nodes[node].ty);
                match &source.nodes[node].kind {
                    NodeKind::Var { var, tyargs } => {
                        self.note_mention(item, *var, tyargs, &mut types, &mut uses);
                    }
                    NodeKind::Lambda(lambda) => {
                        for &param in &source.lambdas[*lambda].params {
                            types.insert(source.vars[param].ty);
                        }
                    }
                    NodeKind::MakeExn { exn, .. } | NodeKind::ExnField { exn, .. } => {
                        exn_params(*exn, &mut vars);
                    }
                    NodeKind::Switch { cases, .. } => {
                        for (key, _) in cases {
                            if let Key::Exn(exn) = key {
                                exn_params(*exn, &mut vars);
                            }
                        }
                    }
                    other => other.for_each_binder(&source.joins, |it| {
                        types.insert(source.vars[it].ty);
                    }),
                }
            });
        }
        vars.extend(self.out.types.vars_in(types.iter()));
        (vars, uses)
    }

    fn note_mention(
        &self,
        item: usize,
        var: VarId,
        tyargs: &[TyId],
        types: &mut IdSet<TyId>,
        uses: &mut Vec<Use>,
    ) {
        let tyvars = &self.source.vars[var].tyvars;
        let target = match self.item_of.get(var) {
            Some(&(target, _)) if !tyvars.is_empty() => target,
            // A local variable, or one that has no instances.
            _ => {
                for &arg in tyargs {
                    types.insert(arg);
                }
                return;
            }
        };
        let is_own = |index: usize, arg: TyId| matches!(self.out.types.get(arg), Ty::Var(it) if Some(it) == tyvars.get(index));
        if target == item {
            // At other types than its own, all of them matter.
            for (_, &arg) in tyargs.iter().enumerate().filter(|it| !is_own(it.0, *it.1)) {
                types.insert(arg);
            }
        } else if tyargs.is_empty() {
            uses.push((target, tyvars.iter().map(|&it| vec![it]).collect()));
        } else {
            let args = tyargs.iter().map(|&it| self.out.types.vars_in([it])).collect();
            uses.push((target, args));
        }
    }
}
