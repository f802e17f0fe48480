//! A table from addresses of objects to numbers.

use crate::grow::Grow;

/// An address, which is not 0, and its number.
type Entry = (usize, usize);

const FREE: Entry = (0, 0);

pub struct Addresses {
    /// A power of two, at least twice as many as there are entries.
    entries: Grow<Entry>,
    count: usize,
}

impl Addresses {
    pub const fn new() -> Self {
        Self { entries: Grow::new(), count: 0 }
    }

    /// Where the address is, or the free place where it would be. There are places.
    fn place(&self, address: usize) -> usize {
        let mask = self.entries.len() - 1;
        let mut at = start(address) & mask;
        loop {
            match self.entries.as_slice()[at].0 {
                0 => return at,
                found if found == address => return at,
                _ => at = (at + 1) & mask,
            }
        }
    }

    pub fn get(&self, address: usize) -> Option<usize> {
        if self.count == 0 {
            return None;
        }
        let (found, number) = self.entries.as_slice()[self.place(address)];
        (found == address).then_some(number)
    }

    pub fn set(&mut self, address: usize, number: usize) {
        if self.count * 2 >= self.entries.len() {
            self.grow();
        }
        let at = self.place(address);
        let entry = &mut self.entries.as_mut_slice()[at];
        self.count += usize::from(entry.0 == 0);
        *entry = (address, number);
    }

    pub fn remove(&mut self, address: usize) {
        if self.get(address).is_none() {
            return;
        }
        let mask = self.entries.len() - 1;
        let mut hole = self.place(address);
        let entries = self.entries.as_mut_slice();
        let mut at = hole;
        // What stands behind moves up if the hole is on the way from its start.
        loop {
            at = (at + 1) & mask;
            let (found, _) = entries[at];
            if found == 0 {
                break;
            }
            let way = at.wrapping_sub(start(found) & mask) & mask;
            if way >= (at.wrapping_sub(hole) & mask) {
                entries[hole] = entries[at];
                hole = at;
            }
        }
        entries[hole] = FREE;
        self.count -= 1;
    }

    fn grow(&mut self) {
        let old = self.entries.take();
        self.entries.reset((old.len() * 2).max(64), FREE);
        self.count = 0;
        for &(address, number) in old.as_slice().iter().filter(|it| it.0 != 0) {
            self.set(address, number);
        }
        old.free();
    }

    pub fn free(self) {
        self.entries.free();
    }
}

fn start(address: usize) -> usize {
    ((address >> 3) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize >> 20
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn it_is_a_map() {
        let (mut table, mut map) = (Addresses::new(), HashMap::new());
        let mut state = 1_u64;
        for round in 0..20_000_usize {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let address = ((state >> 40) as usize % 997 + 1) * 8;
            if state >> 33 & 1 == 0 {
                table.set(address, round);
                map.insert(address, round);
            } else {
                table.remove(address);
                map.remove(&address);
            }
            assert_eq!(table.get(address), map.get(&address).copied());
        }
        for address in (8..8 * 998).step_by(8) {
            assert_eq!(table.get(address), map.get(&address).copied());
        }
        table.free();
    }
}
