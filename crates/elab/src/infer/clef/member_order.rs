//! In which order the members of types are inferred.
//!
//! ```text
//! type Box<'T>(value: 'T) =
//!     member _.Value = value
//!     member this.Map f = Box(f this.Value)      New, Value | Map: the class is generic to `Map`
//! ```
//!
//! Members that mention each other are one group, and each group is inferred behind those that it mentions: it finds
//! them generic, in their own variables and in the parameters of the class. What a `let` holds has one type in all of
//! them, which is known when the constructor has been inferred.
//!
//! Who mentions whom is read off the names. A member may be meant without its name (a conversion to an interface that a
//! call asks for): where one is wanted before it is there, or something else goes wrong, all members are inferred once
//! more, as one group.

use oxbow_base::{FxHashSet, Made, Symbol, components};

use crate::ast::{self, Members};
use crate::mentions::{Names, names_in};
use crate::tast;
use crate::types::TyConId;

use super::super::Infer;
use super::super::env::{Env, Structure};

/// The types with their members, and the members as the types, names and functions that they are.
type Group<'a> = (&'a [Members], &'a [(TyConId, Symbol, Symbol)]);

impl Infer<'_> {
    /// One group after the other; `None` if that fails, and nothing has happened then.
    pub(super) fn members_in_order(
        &mut self,
        env: &mut Env,
        structure: &mut Structure,
        (groups, added): Group<'_>,
        bindings: &[ast::Binding],
    ) -> Option<Vec<tast::ItemKind>> {
        let first = order(groups, (added, bindings), Reach::Lets);
        let second = order(groups, (added, bindings), Reach::Members);
        if first != second
            && let Some(kinds) =
                self.members_tried(env, structure, (groups, added), bindings, first)
        {
            return Some(kinds);
        }
        self.members_tried(env, structure, (groups, added), bindings, second)
    }

    fn members_tried(
        &mut self,
        env: &mut Env,
        structure: &mut Structure,
        (groups, added): Group<'_>,
        bindings: &[ast::Binding],
        order: Vec<Vec<usize>>,
    ) -> Option<Vec<tast::ItemKind>> {
        if order.len() < 2 {
            return None;
        }
        let trial = self.begin_trial();
        let (mut scope, mut made) = (env.clone(), structure.clone());
        let mut kinds = Vec::new();
        for places in order {
            let some: Vec<_> = places.iter().map(|&at| bindings[at].clone()).collect();
            let members: Vec<_> = places.iter().map(|&at| added[at]).collect();
            kinds.extend(self.members_at_once(&mut scope, &mut made, (groups, &members), &some));
            if !self.holds(&trial) {
                break;
            }
        }
        if self.holds(&trial) && !self.trial_waits(&trial) {
            self.keep_trial(trial);
            (*env, *structure) = (scope, made);
            return Some(kinds);
        }
        for (tycon, name, _) in added {
            for info in self.clef.members.get_mut(&(*tycon, *name)).into_iter().flatten() {
                if added.iter().any(|it| it.2 == info.hidden) {
                    info.value = None;
                }
            }
        }
        self.forget_trial(trial);
        None
    }

    /// These members as one recursive group, and behind it as what they are to everybody else.
    pub(super) fn members_at_once(
        &mut self,
        env: &mut Env,
        structure: &mut Structure,
        (groups, added): Group<'_>,
        bindings: &[ast::Binding],
    ) -> Vec<tast::ItemKind> {
        let params = self.open_class_params(env, groups);
        let kinds = match bindings {
            [] => Vec::new(),
            _ => vec![self.bindings(env, Some(structure), true, bindings)],
        };
        let hidden: Vec<Symbol> = added.iter().map(|it| it.2).collect();
        self.close_class_params(params, env, structure, &hidden);
        for (tycon, name, hidden) in added {
            let value = env.value(*hidden).cloned();
            for info in self.clef.members.get_mut(&(*tycon, *name)).into_iter().flatten() {
                if info.hidden == *hidden {
                    info.value.clone_from(&value);
                }
            }
        }
        kinds
    }
}

/// What a function among the `let`s of a class may mean by `x.Add`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// A member of something else: without `as this` it has no object of the class.
    Lets,
    Members,
}

/// The places of members that mention each other, each group behind those that it mentions.
fn order(
    groups: &[Members],
    (added, bindings): (&[(TyConId, Symbol, Symbol)], &[ast::Binding]),
    reach: Reach,
) -> Vec<Vec<usize>> {
    // Any name may be one of the class that is inherited.
    let bases = groups.iter().flat_map(|it| &it.views).filter(|it| it.base);
    let bases: FxHashSet<Symbol> = bases.map(|it| it.member.text).collect();
    let views = groups.iter().flat_map(|it| &it.views);
    let views: FxHashSet<Symbol> =
        views.flat_map(|it| [Some(it.member), it.back]).flatten().map(|it| it.text).collect();
    let makes = |names: &Names| groups.iter().any(|it| names.makers.contains(&it.path.name.text));
    let [new, cast] = [Made::Constructor, Made::Cast].map(Made::symbol);
    let mentioned = |names: &Names, member: Symbol| {
        names.all.contains(&member)
            || bases.contains(&member)
            || member == new && makes(names)
            || (views.contains(&member) || member == cast) && names.converts
    };
    let edges: Vec<Vec<usize>> = bindings
        .iter()
        .zip(added)
        .map(|(binding, own)| {
            let names = names_in(&binding.value);
            // Overloads are one: which of them a call means is decided among all.
            let others = added.iter().enumerate();
            let of_let = matches!(own.1.origin(), Some(Made::Of(..)));
            let seen = |it: Symbol| reach == Reach::Members || !of_let || it.is_hidden();
            let meant =
                others.filter(|(_, it)| it.1 == own.1 || seen(it.1) && mentioned(&names, it.1));
            meant.map(|it| it.0).collect()
        })
        .collect();
    let mut order = components(&edges);
    order.iter_mut().for_each(|it| it.sort_unstable());
    order
}
