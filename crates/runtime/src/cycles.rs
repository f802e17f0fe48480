//! Cycles: objects that refer to each other and that nothing else refers to.
//!
//! A cycle needs an object that was changed after both ends existed. Compiled code notes an object when it is
//! changed in a way that its types allow to make a cycle: a suspect, until it dies. When there are many, a scan
//! looks at what they reach, by trial deletion:
//!
//! ```text
//! 1. take away, from each count, the references between objects that suspects reach
//! 2. what has references left is needed from outside, and so is what it reaches: give those counts back
//! 3. the rest only refers to itself: free it
//! ```
//!
//! Nothing looks for roots. Whoever uses an object at the moment has counted it, or borrows it from
//! somebody who has; so it is needed from outside.
//!
//! The list of suspects is not told when one dies. The header of a suspect has a bit that the first word of a free
//! cell has not, nor a new object in that cell, so an entry that has become stale is seen. Memory of large
//! cells goes back to C: those have a list of their own, which is told.
//!
//! A scan costs what suspects reach. The next is due when there are about as many new ones as objects that this one
//! left alone, so that each costs a few steps in the end, or when memory has doubled.

use oxbow_abi::{
    FRAME_BIT, HEADER_SIZE, LARGE, LARGE_START, LARGEST_CELL, ObjectKind, SHARED_LIMIT, STATIC_BIT,
    SUSPECT_BIT, header_kind, header_pointers, header_words,
};

use crate::grow::Grow;
use crate::heap::{self, count_of, drop_reference, header_of, visit_parts};
use crate::{checked, domain, fiber, pages};

const SUSPECT: u64 = 1 << SUSPECT_BIT;
/// Objects that no count frees, or whose memory is that of a frame.
const ELSEWHERE: u64 = 1 << STATIC_BIT | 1 << FRAME_BIT;
/// Fewer new suspects than this cause no scan.
const FEW: usize = 1000;
/// The same where memory is checked: there are many scans in short programs.
const FEW_CHECKED: usize = 20;
/// So much more memory causes a scan.
const MUCH: usize = 16 << 20;

/// What scans have done.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Scans {
    pub count: u64,
    /// Objects looked at, by all scans together.
    pub visited: u64,
    pub freed: u64,
    pub freed_bytes: u64,
}

pub(crate) struct Cycles {
    /// Suspects in cells; some entries are stale.
    small: Grow<*mut u8>,
    /// Suspects in large cells and behind descriptors: each knows its place here.
    large: Grow<*mut u8>,
    /// So many entries are looked through.
    room: usize,
    /// So many suspects are scanned.
    due: usize,
    /// So much memory in use causes a scan.
    due_bytes: usize,
    /// Objects that the scan looks at; the stack of its second step.
    visited: Grow<*mut u8>,
    work: Grow<*mut u8>,
    scans: Scans,
}

/// What is known of suspects. No caller holds on to it while objects die: those that are large leave their list.
fn state() -> &'static mut Cycles {
    // SAFETY: by the contract one thread uses it, and callers let go of it as said; so there is one such reference
    // at a time.
    unsafe {
        // Where memory is checked, all domains have one heap.
        match checked::is_on() {
            true => &mut (*domain::plain()).cycles,
            false => &mut (*domain::local()).cycles,
        }
    }
}

pub(crate) fn scans() -> Scans {
    state().scans
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_suspect(object: *mut u8) {
    if checked::is_on() && domain::are_there() {
        // The heap is that of all domains, and others may be in the middle of something: the scan waits for the end.
        // SAFETY: as below.
        return unsafe { oxbow_suspect_later(object) };
    }
    let state = state();
    // SAFETY: compiled code passes an object that is alive and not noted yet, and calls this where every object
    // that it reaches has all its fields; so they can be scanned.
    unsafe {
        state.note(object);
        if state.due_bytes == 0 {
            state.plan(0);
        }
        let grown = pages::used() >= state.due_bytes;
        if state.count() >= state.room || grown {
            state.forget_dead();
            if state.count() >= state.due || grown {
                scan_between_fibers();
            }
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_suspect_later(object: *mut u8) {
    let _lock = checked::is_on().then(checked::lock);
    // SAFETY: compiled code passes an object that is alive; its header says whether it is noted.
    unsafe {
        let header = header_of(object);
        if header & (SUSPECT | ELSEWHERE) == 0 && header as i32 >= SHARED_LIMIT {
            state().note(object);
        }
    }
}

/// Frees every cycle there is. No object lacks fields. A fibre that unwinds may have held the last reference from
/// outside to others.
pub(crate) unsafe fn scan_all() {
    // SAFETY: what is left after `forget_dead` is alive, and the caller says that it can be scanned.
    unsafe {
        loop {
            state().forget_dead();
            if state().count() == 0 || !scan_between_fibers() {
                return;
            }
        }
    }
}

/// The same as `scan`; fibres whose handles die by it unwind when it is done. Says whether there were any.
unsafe fn scan_between_fibers() -> bool {
    fiber::hold();
    // SAFETY: what the caller says, which is what `scan` asks for; and the scan has ended when fibres unwind.
    unsafe {
        scan();
        fiber::release_held()
    }
}

/// Frees the cycles that suspects reach. Every entry is an object that is alive, marked, and there once; all that
/// it reaches has its fields.
unsafe fn scan() {
    // SAFETY: what the caller says. Nobody refers to the objects that are found but they themselves, and nothing is
    // borrowed from the state while they die.
    unsafe {
        let (dead, visited) = state().find_dead();
        let (freed, bytes) = (dead.len(), free_all(dead.as_slice()));
        let state = state();
        state.visited = dead;
        state.scans.count += 1;
        state.scans.visited += visited as u64;
        state.scans.freed += freed as u64;
        state.scans.freed_bytes += bytes;
        state.plan(visited - freed);
    }
}

/// The object, whose header this is, has died.
#[inline]
pub(crate) unsafe fn died(object: *mut u8, header: u64) {
    // SAFETY: the memory of the object is still there, with this header, and large suspects are in the list.
    unsafe {
        if header & SUSPECT != 0 && is_large(object, header) {
            state().remove_large(object, header);
        }
    }
}

/// Is it in memory that goes back to C, or does its header stay when its cell is free?
unsafe fn is_large(object: *mut u8, header: u64) -> bool {
    let behind = header_kind(header) < ObjectKind::String as u8 && header_words(header) == LARGE;
    // SAFETY: by the contract the object is there, with this header.
    behind || unsafe { heap::cell_of(object, header) }.1 > LARGEST_CELL
}

/// Where a large object says which place it has in the list.
unsafe fn place_of(object: *mut u8, header: u64) -> *mut usize {
    // SAFETY: the caller says that it is large: one with a descriptor has a word before that, and
    // `oxbow_cell_large` adds one behind all others.
    unsafe {
        if header_kind(header) < ObjectKind::String as u8 {
            // A word for alignment.
            return object.sub(LARGE_START as usize).cast();
        }
        let (cell, size) = heap::cell_of(object, header);
        cell.add(size as usize).cast()
    }
}

/// The memory of a cell that is not large stays when it is free, so this can be asked of suspects that have died.
unsafe fn is_marked(object: *mut u8) -> bool {
    // SAFETY: by the contract the word before an object is its header, or was.
    unsafe { header_of(object) & SUSPECT != 0 }
}

unsafe fn header_word(object: *mut u8) -> *mut u64 {
    // SAFETY: by the contract the word before an object is its header.
    unsafe { object.sub(HEADER_SIZE as usize).cast() }
}

unsafe fn flip(object: *mut u8) {
    // SAFETY: the object is alive, so its header may change.
    unsafe { *header_word(object) ^= SUSPECT }
}

/// Can the value be part of a cycle?
unsafe fn is_inner(value: *mut u8) -> bool {
    if value as usize & 1 != 0 || value.is_null() {
        return false;
    }
    // SAFETY: by the contract an even word is an object.
    let header = unsafe { header_of(value) };
    // Shared objects refer to no others, and nobody else may count in those of this domain.
    header & ELSEWHERE == 0 && header_pointers(header) != 0 && header as i32 >= SHARED_LIMIT
}

/// Calls `visit` with each part of an object that can be in a cycle.
#[inline]
unsafe fn for_each_inner(object: *mut u8, mut visit: impl FnMut(*mut u8)) {
    // SAFETY: by the contract the object has its header, and what that calls pointers are values.
    unsafe {
        visit_parts(object, header_of(object), &mut |part| {
            let part = part.read();
            if is_inner(part) {
                visit(part);
            }
        });
    }
}

impl Cycles {
    pub(crate) const fn new() -> Self {
        Self {
            small: Grow::new(),
            large: Grow::new(),
            room: 0,
            due: 0,
            due_bytes: 0,
            visited: Grow::new(),
            work: Grow::new(),
            scans: Scans { count: 0, visited: 0, freed: 0, freed_bytes: 0 },
        }
    }

    /// Of suspects, and of entries that are stale.
    fn count(&self) -> usize {
        self.small.len() + self.large.len()
    }

    /// The object is alive and not marked.
    unsafe fn note(&mut self, object: *mut u8) {
        // SAFETY: what the caller says; a place is written only for what is large, which programs that are checked
        // have none of.
        unsafe {
            let header = header_of(object);
            *header_word(object) = header | SUSPECT;
            if !checked::is_on() && is_large(object, header) {
                place_of(object, header).write(self.large.len());
                self.large.push(object);
            } else {
                self.small.push(object);
            }
        }
    }

    /// The object is large and marked, and its memory still there.
    unsafe fn remove_large(&mut self, object: *mut u8, header: u64) {
        // SAFETY: each large object in the list has its place written down, and is alive until it comes here.
        unsafe {
            if checked::is_on() {
                return;
            }
            let at = place_of(object, header).read();
            let Some(last) = self.large.pop() else { return };
            if last != object {
                self.large.as_mut_slice()[at] = last;
                place_of(last, header_of(last)).write(at);
            }
        }
    }

    /// Drops entries of objects that are dead. An object that lies where another suspect was may be there twice.
    unsafe fn forget_dead(&mut self) {
        // SAFETY: an entry is a suspect, or its cell is free or in use for another object of that size: the memory
        // of small cells is never given back, and where programs are checked the table is asked first. What has a
        // mark is an object that is alive.
        unsafe {
            let mut kept = 0;
            for at in 0..self.small.len() {
                let object = self.small.as_slice()[at];
                let alive = !checked::is_on() || checked::is_alive(object);
                if alive && is_marked(object) {
                    flip(object);
                    self.small.as_mut_slice()[kept] = object;
                    kept += 1;
                }
            }
            self.small.truncate(kept);
            for &object in self.small.as_slice() {
                flip(object);
            }
            self.room = self.count() + (self.count() / 2).max(few());
        }
    }

    /// When the next scan is due, if this one has seen so many objects that stay.
    fn plan(&mut self, alive: usize) {
        let suspects = self.count();
        self.due = suspects + suspects.max(alive / 4).max(few());
        self.room = suspects + (suspects / 2).max(few());
        let used = pages::used();
        self.due_bytes = (2 * used).max(used + MUCH);
    }

    /// The objects that nothing but themselves refers to, and the number of those that were looked at. References
    /// between them are not counted any more. Entries are as in [`scan`].
    unsafe fn find_dead(&mut self) -> (Grow<*mut u8>, usize) {
        // SAFETY: entries are alive, and so is what they reach: a value that a living object holds. Nothing dies
        // here.
        unsafe {
            self.visited.truncate(0);
            let suspects = self.small.as_slice().iter().chain(self.large.as_slice());
            for &object in suspects {
                self.visited.push(object);
            }
            // A mark says now that the object has been visited; suspects have theirs.
            let mut at = 0;
            while at < self.visited.len() {
                let object = self.visited.as_slice()[at];
                at += 1;
                let visited = &mut self.visited;
                for_each_inner(object, |part| {
                    *count_of(part) -= 1;
                    if !is_marked(part) {
                        flip(part);
                        visited.push(part);
                    }
                });
            }
            self.unmark_needed();
            self.give_back_counts();
            let unmarked = |it: *mut u8| !is_marked(it);
            let [small, large] = [&mut self.small, &mut self.large].map(|it| keep(it, unmarked));
            self.small.truncate(small);
            self.large.truncate(large);
            let visited = self.visited.len();
            let freed = keep(&mut self.visited, |it| is_marked(it));
            self.visited.truncate(freed);
            // Here, before anything dies, which may take others along.
            for &object in self.small.as_slice() {
                flip(object);
            }
            for (at, &object) in self.large.as_slice().iter().enumerate() {
                place_of(object, header_of(object)).write(at);
                flip(object);
            }
            (self.visited.take(), visited)
        }
    }

    /// A count that is not below zero says that somebody else needs the object.
    unsafe fn unmark_needed(&mut self) {
        // SAFETY: as in `find_dead`.
        unsafe {
            for &object in self.visited.as_slice() {
                if *count_of(object) >= 0 && is_marked(object) {
                    flip(object);
                    self.work.push(object);
                }
                while let Some(object) = self.work.pop() {
                    let work = &mut self.work;
                    for_each_inner(object, |part| {
                        if is_marked(part) {
                            flip(part);
                            work.push(part);
                        }
                    });
                }
            }
        }
    }

    /// References from what dies stay away: that drops them.
    unsafe fn give_back_counts(&mut self) {
        // SAFETY: as in `find_dead`.
        unsafe {
            for &object in self.visited.as_slice() {
                if !is_marked(object) {
                    for_each_inner(object, |part| *count_of(part) += 1);
                }
            }
        }
    }
}

/// Frees what [`Cycles::find_dead`] has found; how many bytes that is.
unsafe fn free_all(objects: &[*mut u8]) -> u64 {
    let mut bytes = 0;
    // SAFETY: nobody refers to the objects but they themselves, and those references are not counted any more. The
    // others in their fields are dropped here, once. Headers are needed until then, so nothing is freed before.
    unsafe {
        for &object in objects {
            visit_parts(object, header_of(object), &mut |part| {
                let part = part.read();
                if part as usize & 1 == 0 && !part.is_null() && !is_inner(part) {
                    drop_reference(part);
                }
            });
        }
        for &object in objects {
            let header = header_of(object) & !SUSPECT;
            bytes += match checked::is_on() {
                true => checked::end_of_cycle(object),
                false => {
                    let size = heap::cell_of(object, header).1;
                    heap::free(object, header);
                    size
                }
            };
        }
    }
    bytes
}

/// Moves those that are wanted to the front; how many they are.
fn keep(objects: &mut Grow<*mut u8>, wanted: impl Fn(*mut u8) -> bool) -> usize {
    let objects = objects.as_mut_slice();
    let mut kept = 0;
    for at in 0..objects.len() {
        if wanted(objects[at]) {
            objects[kept] = objects[at];
            kept += 1;
        }
    }
    kept
}

fn few() -> usize {
    if checked::is_on() { FEW_CHECKED } else { FEW }
}

#[cfg(test)]
mod tests {
    use oxbow_abi::{Shape, array_payload};

    use super::*;
    use crate::heap::{add_references, allocate, nothing};
    use crate::testing::program;

    /// An object with so many references to nothing.
    unsafe fn node(words: u64) -> *mut u8 {
        let shape = Shape { kind: ObjectKind::Tuple, tag: 0, words, pointers: (1 << words) - 1 };
        unsafe {
            let object = allocate(words * 8, shape.header());
            for at in 0..words as usize {
                object.cast::<*mut u8>().add(at).write(nothing());
            }
            object
        }
    }

    unsafe fn array(length: u64) -> *mut u8 {
        let header = Shape::array(ObjectKind::PointerArray, 8, 1).header();
        unsafe {
            let array = allocate(array_payload(length, 8), header);
            array.cast::<u64>().write(length);
            for at in 0..length as usize {
                array.cast::<*mut u8>().add(1 + at).write(nothing());
            }
            array
        }
    }

    /// Hands a reference over to a field, as a store does.
    unsafe fn store(object: *mut u8, at: usize, value: *mut u8) {
        unsafe {
            object.cast::<*mut u8>().add(at).write(value);
            oxbow_suspect_later(object);
        }
    }

    unsafe fn freed(f: impl FnOnce()) -> u64 {
        unsafe {
            scan_all();
            let before = scans().freed;
            f();
            scan_all();
            scans().freed - before
        }
    }

    #[test]
    fn a_ring_goes_when_nobody_needs_it() {
        let _program = program();
        unsafe {
            let [a, b, c] = [(); 3].map(|()| node(2));
            let ring = || {
                add_references(a, 1);
                store(a, 0, b);
                store(b, 0, c);
                store(c, 0, a);
            };
            assert_eq!(freed(ring), 0);
            assert_eq!([a, b, c].map(|it| *count_of(it)), [1, 0, 0]);
            assert_eq!(freed(|| drop_reference(a)), 3);
        }
    }

    /// What the ring holds is dropped, and what else holds that keeps it.
    #[test]
    fn what_a_ring_holds_is_dropped() {
        let _program = program();
        unsafe {
            let [ring, kept, other] = [(); 3].map(|()| node(3));
            add_references(kept, 1);
            store(ring, 0, kept);
            store(ring, 1, other);
            add_references(ring, 1);
            store(ring, 2, ring);
            assert_eq!(freed(|| drop_reference(ring)), 2);
            assert_eq!(*count_of(kept), 0);
            drop_reference(kept);
        }
    }

    #[test]
    fn what_died_by_itself_is_forgotten() {
        let _program = program();
        unsafe {
            let made = freed(|| {
                for _ in 0..100 {
                    let it = node(2);
                    store(it, 0, node(1));
                    drop_reference(it);
                    // In the same cell.
                    drop_reference(node(2));
                }
            });
            assert_eq!((made, state().count()), (0, 0));
        }
    }

    #[test]
    fn large_objects_come_and_go() {
        let _program = program();
        unsafe {
            let made = freed(|| {
                let arrays = [10, 100, 1000].map(|it| array(it));
                for it in arrays {
                    add_references(it, 1);
                    store(it, 1, it);
                }
                let plain = array(500);
                store(plain, 1, array(200));
                assert_eq!(state().large.len(), 3);
                drop_reference(plain);
                assert_eq!(state().large.len(), 2);
                for it in arrays {
                    drop_reference(it);
                }
            });
            assert_eq!((made, state().count()), (3, 0));
        }
    }

    /// A large suspect that a cycle takes along leaves its list while the scan is under way.
    #[test]
    fn suspects_die_during_a_scan() {
        let _program = program();
        let shape = Shape { kind: ObjectKind::Tuple, tag: 0, words: 1, pointers: 1 };
        let mut in_frame = [shape.frame_header(), 0];
        unsafe {
            let made = freed(|| {
                let holder = in_frame.as_mut_ptr().add(1).cast::<u8>();
                store(holder, 0, array(500));
                oxbow_suspect_later(holder.cast::<*mut u8>().read());
                let ring = node(2);
                store(ring, 0, holder);
                add_references(ring, 1);
                store(ring, 1, ring);
                assert_eq!((state().small.len(), state().large.len()), (1, 1));
                drop_reference(ring);
            });
            assert_eq!((made, state().count()), (1, 0));
        }
    }

    #[test]
    fn scans_come_by_themselves() {
        let _program = program();
        unsafe {
            scan_all();
            let before = scans();
            for _ in 0..20 * FEW {
                let it = node(2);
                it.cast::<*mut u8>().write(it);
                oxbow_suspect(it);
            }
            let after = scans();
            assert!(after.count - before.count >= 15, "{after:?}");
            assert!(after.freed - before.freed >= 15 * FEW as u64, "{after:?}");
            scan_all();
        }
    }
}
