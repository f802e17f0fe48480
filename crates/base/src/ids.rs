//! Dense typed indices and the collections they index.
//!
//! ```text
//! define_id!(pub VarId, "v");        a u32 that prints as v0, v1, …
//! IdVec<VarId, Var>                  one entry for every id, made by `push`
//! IdMap<VarId, Slot>                 an entry for some ids, vector-backed
//! IdSet<VarId>                       a bit set
//! ```
//!
//! A table over ids is one of these, or one of `sparse` if it holds a few of many.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A dense index. Implemented by [`define_id!`](crate::define_id), and by an enum that is the index of a fixed table.
pub trait Id: Copy + Eq + Ord + fmt::Debug + std::hash::Hash {
    fn from_index(index: usize) -> Self;
    fn index(self) -> usize;
}

/// Declares an index type with its prefix for dumps.
#[macro_export]
macro_rules! define_id {
    ($(#[$meta:meta])* $vis:vis $name:ident, $prefix:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(u32);

        impl $crate::Id for $name {
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 entities of one kind"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, "{}{}", $prefix, self.0)
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, "{}{}", $prefix, self.0)
            }
        }
    };
}

/// A vector indexed by an [`Id`].
#[derive(Clone, PartialEq, Eq)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    ids: PhantomData<fn(I)>,
}

impl<I: Id, T> IdVec<I, T> {
    pub fn new() -> Self {
        Self { items: Vec::new(), ids: PhantomData }
    }
    pub fn push(&mut self, item: T) -> I {
        let id = I::from_index(self.items.len());
        self.items.push(item);
        id
    }
    /// Makes room for so many more.
    pub fn reserve(&mut self, more: usize) {
        self.items.reserve_exact(more);
    }
    /// The id that the next `push` returns.
    pub fn next_id(&self) -> I {
        I::from_index(self.items.len())
    }
    pub fn len(&self) -> usize {
        self.items.len()
    }
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(index, item)| (I::from_index(index), item))
    }
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (I, &mut T)> {
        self.items.iter_mut().enumerate().map(|(index, item)| (I::from_index(index), item))
    }
    pub fn values(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }
    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }
    /// A vector with one result for each entry.
    pub fn map<U>(&self, f: impl FnMut(&T) -> U) -> IdVec<I, U> {
        IdVec { items: self.items.iter().map(f).collect(), ids: PhantomData }
    }
}

impl<I: Id, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(iter: It) -> Self {
        Self { items: iter.into_iter().collect(), ids: PhantomData }
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    #[track_caller]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[track_caller]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// A map from some ids to values, backed by a vector over the range of ids in use: a map of
/// neighbouring ids stays small wherever they lie.
#[derive(Clone)]
pub struct IdMap<I, T> {
    /// The index of the first entry.
    base: usize,
    items: Vec<Option<T>>,
    ids: PhantomData<fn(I)>,
}

impl<I: Id, T> IdMap<I, T> {
    pub fn new() -> Self {
        Self { base: 0, items: Vec::new(), ids: PhantomData }
    }

    /// The entry of an id, made if it is not there.
    fn slot(&mut self, id: I) -> &mut Option<T> {
        let index = id.index();
        if self.items.is_empty() {
            self.base = index;
        }
        if index < self.base {
            // At least as much as there is, so that descending ids cost no more than others.
            let more = (self.base - index).max(self.items.len()).min(self.base);
            self.items.splice(0..0, std::iter::repeat_with(|| None).take(more));
            self.base -= more;
        }
        let at = index - self.base;
        if self.items.len() <= at {
            self.items.resize_with(at + 1, || None);
        }
        &mut self.items[at]
    }

    pub fn insert(&mut self, id: I, item: T) -> Option<T> {
        self.slot(id).replace(item)
    }
    pub fn remove(&mut self, id: I) -> Option<T> {
        self.items.get_mut(id.index().checked_sub(self.base)?).and_then(Option::take)
    }
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index().checked_sub(self.base)?).and_then(Option::as_ref)
    }
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.items.get_mut(id.index().checked_sub(self.base)?).and_then(Option::as_mut)
    }
    pub fn contains(&self, id: I) -> bool {
        self.get(id).is_some()
    }
    pub fn entry_or_insert_with(&mut self, id: I, make: impl FnOnce() -> T) -> &mut T {
        self.slot(id).get_or_insert_with(make)
    }
    pub fn is_empty(&self) -> bool {
        self.items.iter().all(Option::is_none)
    }
    pub fn iter(&self) -> impl Iterator<Item = (I, &T)> {
        self.items.iter().enumerate().filter_map(|(at, item)| {
            item.as_ref().map(|item| (I::from_index(self.base + at), item))
        })
    }
    pub fn clear(&mut self) {
        self.items.clear();
    }
}

impl<I: Id, T> FromIterator<(I, T)> for IdMap<I, T> {
    fn from_iter<It: IntoIterator<Item = (I, T)>>(iter: It) -> Self {
        let mut map = Self::new();
        map.extend(iter);
        map
    }
}

impl<I: Id, T> Extend<(I, T)> for IdMap<I, T> {
    fn extend<It: IntoIterator<Item = (I, T)>>(&mut self, iter: It) {
        for (id, item) in iter {
            self.insert(id, item);
        }
    }
}

impl<I: Id, T> Default for IdMap<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> Index<I> for IdMap<I, T> {
    type Output = T;
    #[track_caller]
    fn index(&self, id: I) -> &T {
        match self.get(id) {
            Some(item) => item,
            None => panic!("no entry for {id:?}"),
        }
    }
}

impl<I: Id, T: fmt::Debug> fmt::Debug for IdMap<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// A set of ids, one bit each over the range of ids in use.
#[derive(Clone)]
pub struct IdSet<I> {
    /// The number of the first word.
    base: usize,
    words: Vec<u64>,
    ids: PhantomData<fn(I)>,
}

impl<I: Id> IdSet<I> {
    pub fn new() -> Self {
        Self { base: 0, words: Vec::new(), ids: PhantomData }
    }

    /// The word and the bit of an id, the word made if it is not there.
    fn slot(&mut self, id: I) -> (&mut u64, u64) {
        let word = id.index() / 64;
        if self.words.is_empty() {
            self.base = word;
        }
        if word < self.base {
            let more = (self.base - word).max(self.words.len()).min(self.base);
            self.words.splice(0..0, std::iter::repeat_n(0, more));
            self.base -= more;
        }
        let at = word - self.base;
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        (&mut self.words[at], 1u64 << (id.index() % 64))
    }

    /// Adds `id`; true if it was not there.
    pub fn insert(&mut self, id: I) -> bool {
        let (word, bit) = self.slot(id);
        let fresh = *word & bit == 0;
        *word |= bit;
        fresh
    }
    pub fn remove(&mut self, id: I) -> bool {
        let there = self.contains(id);
        if there {
            let (word, bit) = self.slot(id);
            *word &= !bit;
        }
        there
    }
    pub fn contains(&self, id: I) -> bool {
        let Some(at) = (id.index() / 64).checked_sub(self.base) else { return false };
        self.words.get(at).is_some_and(|it| it & (1u64 << (id.index() % 64)) != 0)
    }
    pub fn iter(&self) -> impl Iterator<Item = I> {
        self.words.iter().enumerate().flat_map(|(at, &bits)| {
            let first = (self.base + at) * 64;
            (0..64)
                .filter(move |bit| bits & (1u64 << bit) != 0)
                .map(move |bit| I::from_index(first + bit))
        })
    }
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&it| it == 0)
    }
    pub fn clear(&mut self) {
        self.words.clear();
    }
}

impl<I: Id> Default for IdSet<I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id> FromIterator<I> for IdSet<I> {
    fn from_iter<It: IntoIterator<Item = I>>(iter: It) -> Self {
        let mut set = Self::new();
        set.extend(iter);
        set
    }
}

impl<I: Id> Extend<I> for IdSet<I> {
    fn extend<It: IntoIterator<Item = I>>(&mut self, iter: It) {
        for id in iter {
            self.insert(id);
        }
    }
}

impl<'a, I: Id + 'a> Extend<&'a I> for IdSet<I> {
    fn extend<It: IntoIterator<Item = &'a I>>(&mut self, iter: It) {
        self.extend(iter.into_iter().copied());
    }
}

impl<I: Id> fmt::Debug for IdSet<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::define_id!(TestId, "x");

    #[test]
    fn maps_and_sets_hold_ids_in_any_order() {
        let (mut map, mut set) = (IdMap::new(), IdSet::new());
        let ids = [900, 70, 901, 0, 5000, 69, 64, 63];
        for (order, &index) in ids.iter().enumerate() {
            let id = TestId::from_index(index);
            assert!(!map.contains(id) && !set.contains(id));
            assert_eq!(map.insert(id, order), None);
            assert!(set.insert(id));
            assert!(!set.insert(id));
        }
        for (order, &index) in ids.iter().enumerate() {
            let id = TestId::from_index(index);
            assert_eq!(map.get(id), Some(&order));
            assert!(set.contains(id));
        }
        let mut sorted = ids;
        sorted.sort_unstable();
        assert!(map.iter().map(|it| it.0.index()).eq(sorted));
        assert!(set.iter().map(|it| it.index()).eq(sorted));
        assert!(set.remove(TestId::from_index(0)) && !set.remove(TestId::from_index(1)));
        assert_eq!(map.remove(TestId::from_index(70)), Some(1));
        assert_eq!(map.remove(TestId::from_index(1)), None);
    }
}
