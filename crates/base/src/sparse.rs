//! Tables that hold a few of many ids: what one walk has seen of all types of a program, the classes among its
//! variables.
//!
//! ```text
//! IdMap, IdSet             a vector over the range of ids in use
//! SparseMap, SparseSet     hashed: as large as what is in it
//! ```
//!
//! They have the interface of [`IdMap`](crate::IdMap) and [`IdSet`](crate::IdSet), but nothing goes over their entries
//! in the order of a hash table.

use std::fmt;
use std::ops::{Index, IndexMut};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Id;

/// A map from a few of many ids.
#[derive(Clone)]
pub struct SparseMap<I, T> {
    items: FxHashMap<I, T>,
}

impl<I: Id, T> SparseMap<I, T> {
    pub fn new() -> Self {
        Self { items: FxHashMap::default() }
    }
    pub fn insert(&mut self, id: I, item: T) -> Option<T> {
        self.items.insert(id, item)
    }
    pub fn remove(&mut self, id: I) -> Option<T> {
        self.items.remove(&id)
    }
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(&id)
    }
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.items.get_mut(&id)
    }
    pub fn contains(&self, id: I) -> bool {
        self.items.contains_key(&id)
    }
    pub fn entry_or_insert_with(&mut self, id: I, make: impl FnOnce() -> T) -> &mut T {
        self.items.entry(id).or_insert_with(make)
    }
    /// Adds the entries of another one.
    pub fn append(&mut self, other: Self) {
        self.items.extend(other.items);
    }
    /// The ids that have an entry, in order.
    pub fn ids(&self) -> Vec<I> {
        let mut ids: Vec<I> = self.items.keys().copied().collect();
        ids.sort();
        ids
    }
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    pub fn len(&self) -> usize {
        self.items.len()
    }
    pub fn clear(&mut self) {
        self.items.clear();
    }
}

impl<I: Id, T> Default for SparseMap<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> FromIterator<(I, T)> for SparseMap<I, T> {
    fn from_iter<It: IntoIterator<Item = (I, T)>>(iter: It) -> Self {
        Self { items: iter.into_iter().collect() }
    }
}

impl<I: Id, T> Extend<(I, T)> for SparseMap<I, T> {
    fn extend<It: IntoIterator<Item = (I, T)>>(&mut self, iter: It) {
        self.items.extend(iter);
    }
}

impl<I: Id, T> Index<I> for SparseMap<I, T> {
    type Output = T;
    #[track_caller]
    fn index(&self, id: I) -> &T {
        match self.get(id) {
            Some(item) => item,
            None => panic!("no entry for {id:?}"),
        }
    }
}

impl<I: Id, T> IndexMut<I> for SparseMap<I, T> {
    #[track_caller]
    fn index_mut(&mut self, id: I) -> &mut T {
        match self.get_mut(id) {
            Some(item) => item,
            None => panic!("no entry for {id:?}"),
        }
    }
}

impl<I: Id, T: fmt::Debug> fmt::Debug for SparseMap<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut entries: Vec<_> = self.items.iter().collect();
        entries.sort_by_key(|it| *it.0);
        f.debug_map().entries(entries).finish()
    }
}

/// A set of a few of many ids.
#[derive(Clone)]
pub struct SparseSet<I> {
    items: FxHashSet<I>,
}

impl<I: Id> SparseSet<I> {
    pub fn new() -> Self {
        Self { items: FxHashSet::default() }
    }
    /// Adds `id`; true if it was not there.
    pub fn insert(&mut self, id: I) -> bool {
        self.items.insert(id)
    }
    pub fn remove(&mut self, id: I) -> bool {
        self.items.remove(&id)
    }
    pub fn contains(&self, id: I) -> bool {
        self.items.contains(&id)
    }
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    pub fn len(&self) -> usize {
        self.items.len()
    }
    pub fn clear(&mut self) {
        self.items.clear();
    }
}

impl<I: Id> Default for SparseSet<I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id> FromIterator<I> for SparseSet<I> {
    fn from_iter<It: IntoIterator<Item = I>>(iter: It) -> Self {
        Self { items: iter.into_iter().collect() }
    }
}

impl<I: Id> Extend<I> for SparseSet<I> {
    fn extend<It: IntoIterator<Item = I>>(&mut self, iter: It) {
        self.items.extend(iter);
    }
}

impl<'a, I: Id + 'a> Extend<&'a I> for SparseSet<I> {
    fn extend<It: IntoIterator<Item = &'a I>>(&mut self, iter: It) {
        self.items.extend(iter);
    }
}

impl<I: Id> fmt::Debug for SparseSet<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut entries: Vec<_> = self.items.iter().collect();
        entries.sort();
        f.debug_set().entries(entries).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::define_id!(TestId, "x");

    #[test]
    fn maps_and_sets_hold_a_few_of_many_ids() {
        let ids = [70_000_000, 3, 900].map(TestId::from_index);
        let mut map: SparseMap<TestId, usize> = ids.into_iter().zip(1..).collect();
        let mut set: SparseSet<TestId> = ids.into_iter().collect();
        assert_eq!(
            format!("{map:?} {set:?}"),
            "{x3: 2, x900: 3, x70000000: 1} {x3, x900, x70000000}"
        );
        assert_eq!((map[ids[0]], map.get(TestId::from_index(4))), (1, None));
        *map.entry_or_insert_with(ids[1], || 9) += 1;
        assert_eq!(map.remove(ids[1]), Some(3));
        assert!(!map.contains(ids[1]) && set.remove(ids[1]) && !set.insert(ids[2]));
        assert_eq!((map.len(), set.len()), (2, 2));
    }
}
