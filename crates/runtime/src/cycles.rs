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
//! A suspect that has survived a scan is old. Most scans begin with the young ones and stop at old ones, whose
//! references count as coming from outside: they look at what is new, and not again and again at what lives. When
//! there are twice as many old suspects as the last time (four times, where that scan found little), or memory has
//! doubled, all are scanned (decision 120).
//!
//! Before a suspect waits for a scan, it is asked whether it is part of a small cycle (`small`).
//!
//! The list of suspects is not told when one dies. The header of a suspect has a bit that the first word of a free
//! cell has not, nor a new object in that cell, so an entry that has become stale is seen. Memory of large
//! cells goes back to C: those have lists of their own, which are told.

use oxbow_abi::{
    LARGE, LARGE_START, LARGEST_CELL, ObjectKind, SHARED_LIMIT, SUSPECT_BIT, header_kind,
    header_words,
};

use crate::grow::Grow;
use crate::heap::{self, count_of, drop_reference, header_of, info_of};
use crate::{checked, domain, fiber, pages};
use ahead::Ahead;
use objects::{
    ELSEWHERE, for_each_object, give_back, grey, hold, is_grey, is_marked, is_of_few_words, mark,
    shape_of, take_away, unmark,
};

mod ahead;
mod objects;
mod small;

const SUSPECT: u64 = 1 << SUSPECT_BIT;
const SUSPECT_INFO: u32 = (SUSPECT >> 32) as u32;
/// Fewer young suspects than this cause no scan.
const FEW: usize = 1000;
/// The same where memory is checked: there are many scans in short programs.
const FEW_CHECKED: usize = 20;
/// So many always do.
const MANY: usize = 64 * FEW;
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

/// Suspects that came before the last scan, or after it.
struct Generation {
    /// In cells; some entries are stale.
    small: Grow<*mut u8>,
    /// In large cells and behind descriptors: each knows its place here.
    large: Grow<*mut u8>,
}

impl Generation {
    const fn new() -> Self {
        Self { small: Grow::new(), large: Grow::new() }
    }

    /// Of suspects, and of entries that are stale.
    fn count(&self) -> usize {
        self.small.len() + self.large.len()
    }

    fn all(&self) -> impl Iterator<Item = &*mut u8> {
        self.small.as_slice().iter().chain(self.large.as_slice())
    }
}

pub(crate) struct Cycles {
    young: Generation,
    old: Generation,
    /// So many young entries are looked through.
    room: usize,
    /// While there are fewer in small cells, one more is noted and nothing else.
    quiet: usize,
    /// Which of the young, in small cells, have been asked for small cycles.
    attempts: small::Attempts,
    /// So many young suspects are scanned, at least.
    nursery: usize,
    due: usize,
    /// So many old suspects cause a scan of all.
    due_old: usize,
    /// So much memory in use does, too.
    due_bytes: usize,
    /// Objects that the scan looks at; the stack of its second step.
    visited: Grow<*mut u8>,
    work: Grow<*mut u8>,
    scans: Scans,
}

/// What this domain knows of suspects.
#[inline(always)]
fn local() -> &'static mut Cycles {
    // SAFETY: as in `state`.
    unsafe { &mut (*domain::local()).cycles }
}

/// What is known of suspects. No caller holds on to it while objects die: those that are large leave their list.
fn state() -> &'static mut Cycles {
    // SAFETY: by the contract one thread uses it, and callers let go of it as said; so there is one such reference
    // at a time.
    unsafe {
        // Where memory is checked, all domains have one heap.
        match checked::is_on() {
            true => &mut (*domain::plain()).cycles,
            false => local(),
        }
    }
}

pub(crate) fn scans() -> Scans {
    state().scans
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_suspect(object: *mut u8) {
    // `quiet` is 0 where memory is checked.
    let state = local();
    // SAFETY: compiled code passes an object that is alive and not noted yet.
    unsafe {
        let info = info_of(object).read();
        if state.young.small.len() < state.quiet && is_of_few_words(info) {
            info_of(object).write(info | SUSPECT_INFO);
            state.young.small.push(object);
        } else {
            suspect_and_look(object);
        }
    }
}

/// Notes a suspect that is large, or the last one before something is to be done.
#[cold]
unsafe fn suspect_and_look(object: *mut u8) {
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
            state.begin();
        }
        let grown = pages::used() >= state.due_bytes;
        let mut state = state;
        if state.young.small.len() >= state.attempts.due {
            free_small_between_fibers();
            state = self::state();
        }
        if state.young.count() >= state.room || grown {
            state.forget_dead_young();
            let all = grown || state.old.count() >= state.due_old;
            if all || state.young.count() >= state.due {
                scan_between_fibers(if all { Extent::All } else { Extent::Young });
                state = self::state();
            }
        }
        state.be_quiet();
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

/// Frees small cycles of suspects that have not been asked yet, and what they held. All that suspects reach has its
/// fields.
unsafe fn free_small_between_fibers() {
    fiber::hold();
    // SAFETY: as in `scan_between_fibers`. What a group holds besides reaches no objects, so nothing that the lists
    // know dies with it.
    unsafe {
        let held = match domain::are_there() {
            true => small::free_groups::<true>(),
            false => small::free_groups::<false>(),
        };
        for &part in held.as_slice() {
            drop_reference(part);
        }
        let work = &mut state().work;
        *work = held;
        work.truncate(0);
        fiber::release_held();
    }
}

/// Which suspects a scan begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    Young,
    All,
}

/// Frees every cycle there is. No object lacks fields. A fibre that unwinds may have held the last reference from
/// outside to others.
pub(crate) unsafe fn scan_all() {
    // SAFETY: what the caller says: all can be scanned.
    unsafe {
        loop {
            state().forget_dead_young();
            if state().young.count() + state().old.count() == 0 || !scan_between_fibers(Extent::All)
            {
                return;
            }
        }
    }
}

/// The same as `scan`; fibres whose handles die by it unwind when it is done. Says whether there were any.
unsafe fn scan_between_fibers(extent: Extent) -> bool {
    fiber::hold();
    // SAFETY: what the caller says, which is what `scan` asks for; and the scan has ended when fibres unwind.
    unsafe {
        scan(extent);
        fiber::release_held()
    }
}

/// Frees the cycles that suspects reach. Every young entry is an object that is alive, marked, and there once; all that
/// suspects reach has its fields.
unsafe fn scan(extent: Extent) {
    // SAFETY: what the caller says. Nobody refers to the objects that are found but they themselves, and nothing is
    // borrowed from the state while they die.
    unsafe {
        if extent == Extent::All {
            state().make_all_young();
        }
        let found = match domain::are_there() {
            true => state().find_dead::<true>(),
            false => state().find_dead::<false>(),
        };
        let freed = found.dead.len();
        for &part in found.held.as_slice() {
            drop_reference(part);
        }
        let bytes = free_all(found.dead.as_slice());
        let state = state();
        state.visited = found.dead;
        state.work = found.held;
        state.work.truncate(0);
        state.scans.count += 1;
        state.scans.visited += found.visited as u64;
        state.scans.freed += freed as u64;
        state.scans.freed_bytes += bytes;
        state.plan(extent, found.visited, freed);
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

/// What a scan has found.
struct Found {
    /// The objects that nothing but themselves refers to. References between them, and from them to other objects that
    /// were looked at, are not counted any more.
    dead: Grow<*mut u8>,
    /// What they hold besides.
    held: Grow<*mut u8>,
    /// How many objects were looked at.
    visited: usize,
}

impl Cycles {
    pub(crate) const fn new() -> Self {
        Self {
            young: Generation::new(),
            old: Generation::new(),
            room: 0,
            quiet: 0,
            attempts: small::Attempts::new(),
            nursery: 0,
            due: 0,
            due_old: 0,
            due_bytes: 0,
            visited: Grow::new(),
            work: Grow::new(),
            scans: Scans { count: 0, visited: 0, freed: 0, freed_bytes: 0 },
        }
    }

    /// The object is alive and not marked.
    unsafe fn note(&mut self, object: *mut u8) {
        // SAFETY: what the caller says; a place is written only for what is large, which programs that are checked
        // have none of.
        unsafe {
            let header = header_of(object);
            mark(object);
            if !checked::is_on() && is_large(object, header) {
                place_of(object, header).write(self.young.large.len() << 1);
                self.young.large.push(object);
            } else {
                self.young.small.push(object);
            }
        }
    }

    /// The object is large and marked, and its memory still there.
    unsafe fn remove_large(&mut self, object: *mut u8, header: u64) {
        // SAFETY: each large object in a list has its place written down, and is alive until it comes here.
        unsafe {
            if checked::is_on() {
                return;
            }
            let place = place_of(object, header).read();
            let list = match place & 1 {
                0 => &mut self.young.large,
                _ => &mut self.old.large,
            };
            let Some(last) = list.pop() else { return };
            if last != object {
                list.as_mut_slice()[place >> 1] = last;
                place_of(last, header_of(last)).write(place);
            }
        }
    }

    unsafe fn forget_dead_young(&mut self) {
        let before = self.young.small.len();
        // SAFETY: entries are suspects, or were.
        unsafe { forget_dead(&mut self.young.small) };
        let count = self.young.count();
        self.room = count + (count / 2).max(few());
        self.attempts.move_on(before, self.young.small.len());
    }

    /// All suspects are young again.
    unsafe fn make_all_young(&mut self) {
        let before = self.young.small.len();
        // SAFETY: entries are suspects, or were; large ones are alive.
        unsafe {
            for &object in self.old.small.as_slice() {
                self.young.small.push(object);
            }
            self.old.small.truncate(0);
            forget_dead(&mut self.young.small);
            self.attempts.move_on(before, self.young.small.len());
            while let Some(object) = self.old.large.pop() {
                place_of(object, header_of(object)).write(self.young.large.len() << 1);
                self.young.large.push(object);
            }
        }
    }

    /// Nothing is due before the list has grown so long. How much memory is in use is asked once in a while; where
    /// memory is checked, always.
    fn be_quiet(&mut self) {
        let len = self.young.small.len();
        let room = self.room.saturating_sub(self.young.large.len());
        self.quiet = match checked::is_on() {
            true => 0,
            false => (len + small::BATCH).min(room).min(self.attempts.due).saturating_sub(1),
        };
    }

    fn begin(&mut self) {
        self.nursery = few();
        self.plan(Extent::All, 0, 0);
    }

    /// When the next scans are due, after one that has looked at so many objects and freed so many of them. What lives
    /// longer than a nursery lasts should get a larger one; a small one stays in the caches.
    fn plan(&mut self, extent: Extent, visited: usize, freed: usize) {
        let alive = visited - freed;
        if alive > visited / 4 {
            self.nursery = (self.nursery * 2).min(MANY);
        } else if alive < visited / 16 {
            self.nursery = (self.nursery / 2).max(few());
        }
        let young = if extent == Extent::Young { alive } else { 0 };
        self.due = self.nursery.max(young / 4);
        self.room = self.due;
        self.quiet = 0;
        if extent == Extent::All {
            // Where old suspects rarely die in cycles, it is worth less to look.
            let factor = if freed > visited / 8 { 2 } else { 4 };
            self.due_old = factor * self.old.count().max(alive / 8).max(few());
            let used = pages::used();
            self.due_bytes = (2 * used).max(used + MUCH);
        }
    }

    /// Finds what the young suspects reach and nobody else needs; those that stay are old now. Young entries are as in
    /// [`scan`].
    unsafe fn find_dead<const DOMAINS: bool>(&mut self) -> Found {
        // SAFETY: entries are alive, and so is what they reach: a value that a living object holds. Nothing dies
        // here. Only old suspects are marked after the first step.
        unsafe {
            let mut objects = self.visited.take();
            objects.truncate(0);
            for &object in self.young.all() {
                unmark(object);
                *count_of(object) -= grey::<DOMAINS>();
                objects.push(object);
            }
            let mut ahead = Ahead::new();
            let mut at = 0;
            while at < objects.len() {
                while at < objects.len() {
                    let object = objects.as_slice()[at];
                    at += 1;
                    let objects = &mut objects;
                    for_each_object(object, |part| {
                        ahead.push(part, |it| take_away::<DOMAINS>(it, objects));
                    });
                }
                ahead.finish(|it| take_away::<DOMAINS>(it, &mut objects));
            }
            let visited = objects.len();
            let mut work = self.work.take();
            find_needed::<DOMAINS>(objects.as_slice(), &mut work);
            // Nothing is left in it.
            let mut held = work;
            let freed = keep(&mut objects, |object| {
                let dead = is_grey::<DOMAINS>(object);
                if dead {
                    for_each_object(object, |part| {
                        ahead.push(part, |it| hold::<DOMAINS>(it, &mut held));
                    });
                }
                dead
            });
            ahead.finish(|it| hold::<DOMAINS>(it, &mut held));
            objects.truncate(freed);
            // Before anything dies, which may take others along.
            self.grow_old::<DOMAINS>();
            Found { dead: objects, held, visited }
        }
    }

    /// Young suspects that are needed become old; the others are suspects no more.
    unsafe fn grow_old<const DOMAINS: bool>(&mut self) {
        // SAFETY: as in `find_dead`. Large objects have a place.
        unsafe {
            for &object in self.young.small.as_slice() {
                if !is_grey::<DOMAINS>(object) {
                    mark(object);
                    self.old.small.push(object);
                }
            }
            for &object in self.young.large.as_slice() {
                if !is_grey::<DOMAINS>(object) {
                    mark(object);
                    place_of(object, header_of(object)).write(self.old.large.len() << 1 | 1);
                    self.old.large.push(object);
                }
            }
            self.attempts.move_on(self.young.small.len(), 0);
            self.young.small.truncate(0);
            self.young.large.truncate(0);
        }
    }
}

/// A count that is not below zero says that somebody else needs the object. What that holds is needed, too, and has
/// its references back.
unsafe fn find_needed<const DOMAINS: bool>(objects: &[*mut u8], work: &mut Grow<*mut u8>) {
    // SAFETY: as in `find_dead`.
    unsafe {
        for &object in objects {
            let count = count_of(object).read();
            if is_grey::<DOMAINS>(object) && count + grey::<DOMAINS>() >= 0 {
                count_of(object).write(count + grey::<DOMAINS>());
                work.push(object);
            }
            while let Some(object) = work.pop() {
                for_each_object(object, |part| give_back::<DOMAINS>(part, work));
            }
        }
    }
}

/// Drops entries of objects that are dead. An object that lies where another suspect was may be there twice.
unsafe fn forget_dead(entries: &mut Grow<*mut u8>) {
    // SAFETY: an entry is a suspect, or its cell is free or in use for another object of that size: the memory
    // of small cells is never given back, and where programs are checked the table is asked first. What has a
    // mark is an object that is alive.
    unsafe {
        let kept = keep(entries, |object| {
            let alive = !checked::is_on() || checked::is_alive(object);
            let marked = alive && is_marked(object);
            if marked {
                unmark(object);
            }
            marked
        });
        entries.truncate(kept);
        for &object in entries.as_slice() {
            mark(object);
        }
    }
}

/// Frees what [`Cycles::find_dead`] has found; how many bytes that is.
unsafe fn free_all(objects: &[*mut u8]) -> u64 {
    let mut bytes = 0;
    // SAFETY: nobody refers to the objects but they themselves, and no list knows them. What else they held has been
    // dropped.
    unsafe {
        for &object in objects {
            let header = shape_of(object);
            bytes += match checked::is_on() {
                true => checked::end_of_cycle(object),
                false => heap::free_unnoted(object, header),
            };
        }
    }
    bytes
}

/// Moves those that are wanted to the front; how many they are.
fn keep(objects: &mut Grow<*mut u8>, mut wanted: impl FnMut(*mut u8) -> bool) -> usize {
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
mod tests;
