//! Variance: may a type variable be replaced by a larger type?
//!
//! The relaxed value restriction generalises the variables of an expression that is no value
//! if they occur in covariant positions only (J. Garrigue, *Relaxing the Value Restriction*,
//! 2004): whatever the expression computed, it holds no value of such a type.
//!
//! An abstract type has the variances that it is declared with, whatever it stands for.

use oxbow_base::SparseMap;

use crate::ast::ParamVariance;
use crate::types::{Builtin, GENERIC, TyConId, TyConKind, Type, TypeId, Walk};

use super::Infer;

/// How a type occurs: covariantly, contravariantly, both (invariant) or neither.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Variance {
    pub positive: bool,
    pub negative: bool,
}

impl Variance {
    pub const COVARIANT: Self = Self { positive: true, negative: false };
    const INVARIANT: Self = Self { positive: true, negative: true };

    /// Of something inside a part of this variance.
    fn compose(self, inner: Self) -> Self {
        Self {
            positive: self.positive && inner.positive || self.negative && inner.negative,
            negative: self.positive && inner.negative || self.negative && inner.positive,
        }
    }

    /// Is a parameter that occurs like this what a declaration says of it?
    pub fn allows(self, said: ParamVariance) -> bool {
        match said {
            ParamVariance::Unsaid => true,
            ParamVariance::Covariant => !self.negative,
            ParamVariance::Contravariant => !self.positive,
        }
    }

    fn flip(self) -> Self {
        Self { positive: self.negative, negative: self.positive }
    }

    fn join(self, other: Self) -> Self {
        Self {
            positive: self.positive || other.positive,
            negative: self.negative || other.negative,
        }
    }
}

impl Infer<'_> {
    /// What an expression that is no value computes holds no value of a type in a covariant place: such variables
    /// are generalised all the same, and so are rows, which mean nothing to the graph.
    pub(super) fn generalize_covariant(&mut self, ty: TypeId, vars: &mut Vec<TypeId>) {
        let (current, is_clef) = (self.level, self.is_clef());
        for (var, variance) in self.variances(ty) {
            if variance.negative {
                continue;
            }
            match &mut self.types.nodes[var] {
                Type::Var { level, .. } if !is_clef && *level != GENERIC && *level > current => {
                    *level = GENERIC;
                    vars.push(var);
                }
                Type::Row(row) if !row.object && row.level != GENERIC && row.level > current => {
                    row.level = GENERIC;
                    let parts = row.types();
                    vars.push(var);
                    parts.into_iter().for_each(|it| self.fix_levels(it));
                }
                _ => (),
            }
        }
    }

    /// The variables of `ty` and how each occurs, in the order of the type.
    pub(super) fn variances(&mut self, ty: TypeId) -> Vec<(TypeId, Variance)> {
        let mut found = Vec::new();
        let mut known = SparseMap::new();
        self.occurrences(ty, Variance::COVARIANT, &mut known, &mut found, &mut Walk::default());
        found
    }

    fn occurrences(
        &mut self,
        ty: TypeId,
        at: Variance,
        known: &mut SparseMap<TyConId, Vec<Variance>>,
        found: &mut Vec<(TypeId, Variance)>,
        walk: &mut Walk<(TypeId, Variance)>,
    ) {
        let ty = self.types.repr(ty);
        if walk.has_seen((ty, at)) {
            return;
        }
        let ty = self.types.expand(ty);
        match self.types.nodes[ty].clone() {
            Type::Var { .. } => match found.iter_mut().find(|it| it.0 == ty) {
                Some(it) => it.1 = it.1.join(at),
                None => found.push((ty, at)),
            },
            Type::Link(_) | Type::Error => (),
            Type::Row(row) => {
                if !row.is_fixed() {
                    match found.iter_mut().find(|it| it.0 == ty) {
                        Some(it) => it.1 = it.1.join(at),
                        None => found.push((ty, at)),
                    }
                }
                if !walk.has_entered((ty, at)) {
                    let parts = row.types();
                    parts.into_iter().for_each(|it| self.occurrences(it, at, known, found, walk));
                }
            }
            Type::Arrow(_, param, result) => {
                self.occurrences(param, at.flip(), known, found, walk);
                self.occurrences(result, at, known, found, walk);
            }
            Type::Tuple(items) => {
                items.into_iter().for_each(|it| self.occurrences(it, at, known, found, walk))
            }
            Type::Con(con, args) => {
                let variances = self.param_variances(con, known);
                for (arg, variance) in args.into_iter().zip(variances) {
                    self.occurrences(arg, at.compose(variance), known, found, walk);
                }
            }
        }
    }

    /// The variances of an abstract type, as it is declared.
    fn said_variances(&self, con: TyConId) -> Vec<Variance> {
        let tycon = &self.types.tycons[con];
        (0..tycon.params.len())
            .map(|at| match tycon.variances.get(at) {
                Some(ParamVariance::Covariant) => Variance::COVARIANT,
                Some(ParamVariance::Contravariant) => Variance::COVARIANT.flip(),
                Some(ParamVariance::Unsaid) | None => Variance::INVARIANT,
            })
            .collect()
    }

    /// The variance of each parameter: the least solution of what the declaration says.
    pub(super) fn param_variances(
        &mut self,
        con: TyConId,
        known: &mut SparseMap<TyConId, Vec<Variance>>,
    ) -> Vec<Variance> {
        if let Some(known) = known.get(con) {
            return known.clone();
        }
        let params = self.types.tycons[con].params.clone();
        let is_abstract = matches!(self.types.tycons[con].kind, TyConKind::Abstract { .. });
        if is_abstract && !self.types.tycons[con].private {
            return self.said_variances(con);
        }
        let parts: Vec<(TypeId, Variance)> = match &self.types.tycons[con].kind {
            TyConKind::Record(fields) | TyConKind::InlineRecord { fields, .. } => fields
                .iter()
                .map(|it| {
                    (it.ty, if it.mutable { Variance::INVARIANT } else { Variance::COVARIANT })
                })
                .collect(),
            TyConKind::Variant(ctors) => ctors
                .iter()
                .flat_map(|ctor| {
                    let record = ctor.inline_record.map(|it| self.fields_of(it));
                    ctor.args.iter().enumerate().map(move |(index, &arg)| {
                        let mutable =
                            record.and_then(|it| it.get(index)).is_some_and(|it| it.mutable);
                        (arg, if mutable { Variance::INVARIANT } else { Variance::COVARIANT })
                    })
                })
                .collect(),
            &(TyConKind::Alias(body) | TyConKind::Abstract { implementation: Some(body) }) => {
                vec![(body, Variance::COVARIANT)]
            }
            TyConKind::Abstract { implementation: None } => return self.said_variances(con),
            TyConKind::Builtin(Builtin::Array) | TyConKind::Open | TyConKind::Pending => {
                return vec![Variance::INVARIANT; params.len()];
            }
            TyConKind::Builtin(_) => return Vec::new(),
        };
        if self.stdlib_type("lazy_t") == Some(con) {
            // Its state changes from a computation to the result, which is not seen from outside.
            return vec![Variance::COVARIANT; params.len()];
        }
        // What constructors decide is what they say, neither more nor less.
        let erased = self.types.tycons[con].erased.clone();
        let is_unused = self.has_erased_param(con);
        let of_index = |at: usize| match erased.get(at) {
            Some(true) if !is_unused => Variance::INVARIANT,
            _ => Variance::default(),
        };
        let mut current: Vec<Variance> = (0..params.len()).map(of_index).collect();
        loop {
            known.insert(con, current.clone());
            let mut found = Vec::new();
            // Other types of the cycle are computed anew against the current guess.
            let mut inner = known.clone();
            for &(part, at) in &parts {
                self.occurrences(part, at, &mut inner, &mut found, &mut Walk::default());
            }
            let next: Vec<Variance> = params
                .iter()
                .enumerate()
                .map(|(at, &param)| {
                    let param = self.types.repr(param);
                    let seen = found.iter().find(|it| it.0 == param).map(|it| it.1);
                    seen.unwrap_or_default().join(of_index(at))
                })
                .collect();
            if next == current {
                return current;
            }
            current = next;
        }
    }
}
