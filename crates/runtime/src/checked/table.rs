//! Every cell of a checked program, by its address.
//!
//! Open addressing; a cell that has gone keeps its entry, since C's allocator gives the same addresses
//! out again and again.

use core::ffi::c_char;
use core::ptr::null;

use super::sites::Class;
use crate::grow::Grow;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    Alive,
    /// Its memory is kept back, filled with [`super::POISON`].
    Dead,
    /// Its function has ended.
    Left,
    /// Its region has been left.
    RegionLeft,
    /// Its memory has been given back.
    Gone,
}

#[derive(Clone, Copy)]
pub struct Record {
    /// 0 in an unused entry.
    pub cell: usize,
    /// Without the canary.
    pub size: usize,
    /// Index of the place that allocated it.
    pub site: u32,
    pub life: Life,
    pub class: Class,
    /// The object is behind a descriptor and the header.
    pub large: bool,
    /// The cell that was made in its region before it, or 0.
    pub before: usize,
    /// Where it was freed.
    pub freed_at: *const c_char,
    /// For the audit: references from other objects that are left.
    pub inner: u32,
    pub reached: bool,
}

impl Record {
    pub const EMPTY: Self = Self {
        cell: 0,
        size: 0,
        site: 0,
        life: Life::Gone,
        class: Class::Counted,
        before: 0,
        large: false,
        freed_at: null(),
        inner: 0,
        reached: false,
    };

    pub fn object(&self) -> *mut u8 {
        (self.cell + start(self.large)) as *mut u8
    }
}

/// Where an object begins in its cell.
fn start(large: bool) -> usize {
    (if large { oxbow_abi::LARGE_START } else { oxbow_abi::HEADER_SIZE }) as usize
}

pub struct Table {
    entries: Grow<Record>,
    used: usize,
}

impl Table {
    pub const fn new() -> Self {
        Self { entries: Grow::new(), used: 0 }
    }

    fn place(entries: &[Record], cell: usize) -> usize {
        let mask = entries.len() - 1;
        let mut at = (cell >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20 & mask;
        while entries[at].cell != 0 && entries[at].cell != cell {
            at = (at + 1) & mask;
        }
        at
    }

    pub fn insert(&mut self, record: Record) {
        if self.used * 2 >= self.entries.as_slice().len() {
            self.rehash();
        }
        let entries = self.entries.as_mut_slice();
        let at = Self::place(entries, record.cell);
        self.used += usize::from(entries[at].cell == 0);
        entries[at] = record;
    }

    fn rehash(&mut self) {
        let old = self.entries.take();
        let kept = |it: &&Record| it.cell != 0 && it.life != Life::Gone;
        let count = old.as_slice().iter().filter(kept).count();
        self.entries.reset((count * 4).next_power_of_two().max(1024), Record::EMPTY);
        let entries = self.entries.as_mut_slice();
        for it in old.as_slice().iter().filter(kept) {
            entries[Self::place(entries, it.cell)] = *it;
        }
        self.used = count;
        old.free();
    }

    fn cell(&mut self, cell: usize) -> Option<&mut Record> {
        if self.used == 0 {
            return None;
        }
        let entries = self.entries.as_mut_slice();
        let at = Self::place(entries, cell);
        (entries[at].cell != 0).then(|| &mut entries[at])
    }

    /// The record of a cell.
    pub fn cell_at(&mut self, cell: *mut u8) -> Option<&mut Record> {
        self.cell(cell as usize)
    }

    /// The record of an object; none if it is static or was never one.
    pub fn find(&mut self, object: *mut u8) -> Option<&mut Record> {
        let address = object as usize;
        let large = match self.cell(address.wrapping_sub(start(false))) {
            Some(it) if !it.large => false,
            _ => match self.cell(address.wrapping_sub(start(true))) {
                Some(it) if it.large => true,
                _ => return None,
            },
        };
        self.cell(address - start(large))
    }

    pub fn records(&mut self) -> &mut [Record] {
        self.entries.as_mut_slice()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_by_their_objects() {
        let mut table = Table::new();
        for number in 1..5000_usize {
            let large = number % 3 == 0;
            let cell = number * 32;
            table.insert(Record { cell, size: number, life: Life::Alive, large, ..Record::EMPTY });
        }
        for number in 1..5000_usize {
            let object = number * 32 + start(number % 3 == 0);
            let found = table.find(object as *mut u8).map(|it| (it.size, it.object() as usize));
            assert_eq!(found, Some((number, object)));
        }
        assert!(table.find(8 as *mut u8).is_none());
        assert!(table.find((5000 * 32 + 8) as *mut u8).is_none());
    }

    #[test]
    fn a_cell_is_used_again() {
        let mut table = Table::new();
        table.insert(Record { cell: 64, size: 1, ..Record::EMPTY });
        table.insert(Record { cell: 64, size: 2, life: Life::Alive, ..Record::EMPTY });
        assert_eq!(table.find(72 as *mut u8).map(|it| it.size), Some(2));
    }
}
