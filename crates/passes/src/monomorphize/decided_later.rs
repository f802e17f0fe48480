//! Values of a prompt whose types later phrases decide, and types that outlive a phrase (decision 330).
//!
//! ```text
//! let r = ref []          computed at unit list ref, shown as '_weak1 list ref
//! r := [1]                the same memory, at int list ref: nothing in it depends on the type
//! let f = id id           computed again at int -> int: nobody sees it
//! ```

use oxbow_base::{FxHashSet, Id as _, IdSet};
use oxbow_psg::{
    Compared, ItemKind, LambdaId, Mono, NodeId, NodeKind, Program, Ty, TyId, TypeTable, VarId,
};

use super::Context;
use super::phrase::{Phrase, Place, write_type};

/// A type that outlives the table of a phrase: declarations keep their ids, others do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frozen {
    /// With other parts, which are not looked at.
    like: Ty,
    parts: Vec<Frozen>,
}

impl Frozen {
    /// None if a declaration in it is none of the program's first `lasting` ones: it belongs to this phrase.
    pub(super) fn of(types: &TypeTable, ty: TyId, lasting: usize) -> Option<Self> {
        let like = types.get(ty).clone();
        if let Ty::Data(data, _) = &like {
            (data.index() < lasting).then_some(())?;
        }
        let parts = like.parts().map(|it| Self::of(types, it, lasting)).collect::<Option<_>>()?;
        Some(Self { like, parts })
    }

    pub(super) fn thaw(&self, types: &mut TypeTable) -> TyId {
        let parts: Vec<TyId> = self.parts.iter().map(|it| it.thaw(types)).collect();
        let mut parts = parts.into_iter();
        let ty = self.like.clone().map_parts(|old| parts.next().unwrap_or(old));
        types.intern(ty)
    }
}

impl Context<'_> {
    /// The place of a value that was computed before its type was known, if it lies in memory at this type as it did
    /// then. It holds no value of a type that was not known, so it does unless code or the form of a constructor
    /// depends on that type.
    pub(super) fn computed_place(
        &mut self,
        (item, var): (usize, VarId),
        copy: VarId,
        phrase: Phrase<'_>,
    ) -> Option<Place> {
        let unit = self.out.types.unit;
        let tyvars = self.item_tyvars(item);
        let units = vec![unit; tyvars.len()];
        let mut key = format!("{var}");
        for &ty in &units {
            key.push(' ');
            write_type(&self.out.types, ty, &mut key);
        }
        let place = phrase.places.get(&key)?.clone();
        let saved = self.enter(tyvars, &units);
        let then = self.ty(self.source.vars[var].ty);
        self.leave(saved);
        let now = self.out.vars[copy].ty;
        if !is_plain(&self.out.types, then) {
            return None;
        }
        let lies_alike = lies_alike(&mut self.out.types, then, now, &mut FxHashSet::default());
        (lies_alike && !phrase.places.is_fixed(place.number)).then_some(place)
    }

    /// Does nobody see it if an expression is computed again? It only computes, and makes nothing that can change.
    pub(super) fn can_repeat(&self, node: NodeId) -> bool {
        let source = self.source;
        let (mut work, mut seen) = (vec![node], IdSet::new());
        let changes = |node: NodeId| match source.types.get(source.nodes[node].ty) {
            Ty::Data(data, _) => source.types.datas[*data].kind.fields().any(|it| it.mutable),
            _ => false,
        };
        while let Some(node) = work.pop() {
            if !seen.insert(node) {
                continue;
            }
            let kind = &source.nodes[node].kind;
            match kind {
                // Its code runs when it is called.
                NodeKind::Lambda(_) => continue,
                NodeKind::Const(_) | NodeKind::Var { .. } => (),
                NodeKind::Prim { prim, .. } if prim.effect() == oxbow_psg::Effect::Pure => (),
                NodeKind::Record(_) | NodeKind::Construct { .. } if !changes(node) => (),
                NodeKind::Let { .. }
                | NodeKind::If { .. }
                | NodeKind::Switch { .. }
                | NodeKind::Tuple(_)
                | NodeKind::TupleGet { .. } => (),
                NodeKind::Field { object, .. } if !changes(*object) => (),
                NodeKind::Apply { func, args, .. } => match self.known_lambda(*func) {
                    Some(it) if args.len() < source.lambdas[it].params.len() => (),
                    Some(it) => work.push(source.lambdas[it].body),
                    None => return false,
                },
                _ => return false,
            }
            kind.for_each_child(|it| work.push(it));
        }
        true
    }

    /// A function that is known where it is mentioned.
    fn known_lambda(&self, func: NodeId) -> Option<LambdaId> {
        let source = self.source;
        match &source.nodes[func].kind {
            NodeKind::Lambda(lambda) => Some(*lambda),
            NodeKind::Var { var, .. } => {
                let (item, place) = *self.item_of.get(*var)?;
                let value = match &source.items[item].kind {
                    ItemKind::Let { value, .. } => *value,
                    ItemKind::LetRec { values, .. } => values[place],
                    ItemKind::Eval(_) => return None,
                };
                match source.nodes[value].kind {
                    NodeKind::Lambda(lambda) => Some(lambda),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The places of earlier phrases that code of this one mentions inside of functions.
pub(super) fn globals_in_lambdas(program: &Program<Mono>, used: &IdSet<VarId>) -> IdSet<VarId> {
    let mut found = IdSet::new();
    let mut work: Vec<NodeId> = program.lambdas.values().map(|it| it.body).collect();
    let mut seen: IdSet<NodeId> = IdSet::new();
    while let Some(node) = work.pop() {
        if !seen.insert(node) {
            continue;
        }
        let kind = &program.nodes[node].kind;
        match kind {
            NodeKind::Var { var, .. } if used.contains(*var) => {
                found.insert(*var);
            }
            _ => (),
        }
        kind.for_each_child(|it| work.push(it));
    }
    found
}

/// Is there neither code in values of a type, nor what has one type for all?
fn is_plain(types: &TypeTable, ty: TyId) -> bool {
    !types.holds(ty, |it| match it {
        Ty::Fn(..) | Ty::Exn | Ty::Uniform => true,
        Ty::Data(data, _) => {
            matches!(types.datas[*data].compared, Compared::Tags | Compared::Objects)
        }
        _ => false,
    })
}

/// Does a value without parts of the types that were not known (there are none of those) lie in memory at both types
/// in the same way? Where they were not known, `then` has `unit`.
fn lies_alike(
    types: &mut TypeTable,
    then: TyId,
    now: TyId,
    seen: &mut FxHashSet<(TyId, TyId)>,
) -> bool {
    if then == now || *types.get(then) == Ty::Unit || !seen.insert((then, now)) {
        return true;
    }
    match (types.get(then).clone(), types.get(now).clone()) {
        (Ty::Data(data, before), Ty::Data(same, args)) if data == same => {
            if types.word_ctor(then) != types.word_ctor(now) {
                return false;
            }
            let fields: Vec<TyId> = types.datas[data].kind.fields().map(|it| it.ty).collect();
            fields.into_iter().all(|field| {
                let (then, now) =
                    (types.field_type(data, &before, field), types.field_type(data, &args, field));
                lies_alike(types, then, now, seen)
            })
        }
        (Ty::Tuple(before), Ty::Tuple(after)) if before.len() == after.len() => {
            before.into_iter().zip(after).all(|(then, now)| lies_alike(types, then, now, seen))
        }
        (Ty::Array(before), Ty::Array(after)) => lies_alike(types, before, after, seen),
        _ => false,
    }
}
