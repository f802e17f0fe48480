//! Types in place of variables.

use oxbow_base::{SparseMap, Symbol};
use oxbow_diag::limits;

use super::{FEW, GENERIC, Row, Tag, Type, TypeId, Types};

struct Substitution<'a> {
    params: &'a [TypeId],
    args: &'a [TypeId],
    /// What has been made of the parts so far.
    made: SparseMap<TypeId, TypeId>,
    steps: usize,
}

impl Types {
    /// Substitutes `args` for `params` (generic variables) in `ty`; shares what has none, and what is shared in `ty`.
    pub fn substitute(&mut self, ty: TypeId, params: &[TypeId], args: &[TypeId]) -> TypeId {
        if params.is_empty() {
            return ty;
        }
        let mut substitution = Substitution { params, args, made: SparseMap::new(), steps: 0 };
        self.substitute_in(ty, &mut substitution)
    }

    fn substitute_in(&mut self, ty: TypeId, by: &mut Substitution<'_>) -> TypeId {
        let ty = self.repr(ty);
        let new = match &self.nodes[ty] {
            Type::Var { .. } => {
                let at = by.params.iter().position(|&it| self.repr(it) == ty);
                return at.and_then(|at| by.args.get(at)).copied().unwrap_or(ty);
            }
            Type::Link(_) | Type::Error => return ty,
            Type::Arrow(label, param, result) => Type::Arrow(*label, *param, *result),
            Type::Tuple(items) => Type::Tuple(items.clone()),
            Type::Con(con, items) => Type::Con(*con, items.clone()),
            Type::Row(row) => {
                if let Some(at) = by.params.iter().position(|&it| self.repr(it) == ty) {
                    return by.args.get(at).copied().unwrap_or(ty);
                }
                let row = Row::clone(row);
                return self.substitute_row(ty, row, by);
            }
        };
        by.steps += 1;
        if by.steps > limits::TYPE_SIZE.most {
            self.too_large = true;
            return ty;
        }
        let shared = by.steps > FEW;
        if shared && let Some(&made) = by.made.get(ty) {
            return made;
        }
        let made = match new {
            Type::Arrow(label, param, result) => {
                let new_param = self.substitute_in(param, by);
                let new_result = self.substitute_in(result, by);
                if self.are_same(&[new_param, new_result], &[param, result]) {
                    ty
                } else {
                    self.add(Type::Arrow(label, new_param, new_result))
                }
            }
            Type::Tuple(items) => {
                let new: Vec<_> = items.iter().map(|&it| self.substitute_in(it, by)).collect();
                if self.are_same(&new, &items) { ty } else { self.add(Type::Tuple(new)) }
            }
            Type::Con(con, items) => {
                let new: Vec<_> = items.iter().map(|&it| self.substitute_in(it, by)).collect();
                if self.are_same(&new, &items) { ty } else { self.add(Type::Con(con, new)) }
            }
            Type::Var { .. } | Type::Row(_) | Type::Link(_) | Type::Error => ty,
        };
        if shared {
            by.made.insert(ty, made);
        }
        made
    }

    /// A row may lead back to itself: its copy is known before its parts are made.
    fn substitute_row(&mut self, ty: TypeId, row: Row, by: &mut Substitution<'_>) -> TypeId {
        if let Some(&made) = by.made.get(ty) {
            return made;
        }
        by.steps += 1;
        if by.steps > limits::TYPE_SIZE.most {
            self.too_large = true;
            return ty;
        }
        // A row that is no part of the scheme is shared, and so is what mentions no variable of it.
        let is_weak = !row.is_fixed() && row.level != GENERIC;
        if is_weak || !self.mentions_any(ty, by.params) {
            return ty;
        }
        let made = self.add(Type::Error);
        by.made.insert(ty, made);
        // The own variables of a method are bound in its type: others of the same name stand outside.
        let bound: Vec<(Symbol, Tag)> =
            row.tags.iter().filter(|it| self.binds_any(&it.1, by.params)).cloned().collect();
        let mut new = row.map(|it| self.substitute_in(it, by));
        bound.into_iter().for_each(|(name, tag)| new.add(name, tag));
        self.nodes[made] = Type::Row(Box::new(new));
        made
    }

    /// Has nothing been made anew? Links do not count: a copy without them would be another type for those who
    /// remember which types they have seen.
    fn are_same(&self, new: &[TypeId], items: &[TypeId]) -> bool {
        new.iter().zip(items).all(|(&new, &item)| self.repr(new) == self.repr(item))
    }

    pub(super) fn binds_any(&self, tag: &Tag, params: &[TypeId]) -> bool {
        let Tag::Poly { vars, .. } = tag else { return false };
        vars.iter().any(|&var| params.iter().any(|&it| self.repr(it) == self.repr(var)))
    }
}
