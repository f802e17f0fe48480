//! Rows: the tags of polymorphic variants and the methods of objects that a type allows or needs.

use oxbow_base::Symbol;

use super::{TyConId, TypeId};

/// The tags of polymorphic variants, or the methods of objects, which are like tags that are there for certain.
#[derive(Clone, Debug)]
pub struct Row {
    /// Of objects.
    pub object: bool,
    /// In alphabetical order.
    pub tags: Vec<(Symbol, Tag)>,
    /// There are no other tags.
    pub closed: bool,
    /// As that of a variable.
    pub level: u32,
    /// The abbreviation that it was written by.
    pub name: Option<(TyConId, Vec<TypeId>)>,
}

#[derive(Clone, Debug)]
pub enum Tag {
    Present(Option<TypeId>),
    /// A polymorphic method `m : 'a. …`, with its own variables, which are generic and among [`Types::uniform`].
    Poly {
        ty: TypeId,
        vars: Vec<TypeId>,
    },
    /// A value may have it: a constant one, or one with an argument of all of these types.
    Maybe {
        constant: bool,
        types: Vec<TypeId>,
        /// By a pattern: it is a part of the type if the match is closed.
        matched: bool,
    },
}

impl Tag {
    pub fn types(&self) -> &[TypeId] {
        match self {
            Self::Present(ty) => ty.as_slice(),
            Self::Poly { ty, .. } => std::slice::from_ref(ty),
            Self::Maybe { types, .. } => types,
        }
    }

    /// A tag that no value has, since it would have to hold things of several types.
    pub fn is_impossible(&self) -> bool {
        match self {
            Self::Present(_) | Self::Poly { .. } => false,
            Self::Maybe { constant, types, .. } => types.len() > 1 - usize::from(*constant),
        }
    }

    pub(super) fn map(&self, mut change: impl FnMut(TypeId) -> TypeId) -> Self {
        match self {
            Self::Present(ty) => Self::Present(ty.map(change)),
            Self::Poly { ty, vars } => Self::Poly { ty: change(*ty), vars: vars.clone() },
            Self::Maybe { constant, types, matched } => Self::Maybe {
                constant: *constant,
                types: types.iter().map(|&it| change(it)).collect(),
                matched: *matched,
            },
        }
    }
}

impl Row {
    /// Nothing can be added to it or taken away.
    pub fn is_fixed(&self) -> bool {
        let certain = |tag: &Tag| matches!(tag, Tag::Present(_) | Tag::Poly { .. });
        self.closed && self.tags.iter().all(|it| certain(&it.1))
    }

    pub fn find(&self, tag: Symbol) -> Option<&Tag> {
        self.tags.iter().find(|it| it.0 == tag).map(|it| &it.1)
    }

    pub fn add(&mut self, name: Symbol, tag: Tag) {
        match self.tags.binary_search_by(|it| it.0.as_str().cmp(name.as_str())) {
            Ok(at) => self.tags[at].1 = tag,
            Err(at) => self.tags.insert(at, (name, tag)),
        }
    }

    /// All types that it mentions.
    pub fn types(&self) -> Vec<TypeId> {
        self.tags.iter().flat_map(|it| it.1.types().iter().copied()).collect()
    }

    /// The same row of other types.
    pub fn map(&self, mut change: impl FnMut(TypeId) -> TypeId) -> Self {
        Self {
            tags: self.tags.iter().map(|(name, tag)| (*name, tag.map(&mut change))).collect(),
            name: self
                .name
                .as_ref()
                .map(|(con, args)| (*con, args.iter().map(|&it| change(it)).collect())),
            ..self.clone()
        }
    }
}
