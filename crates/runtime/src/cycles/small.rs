//! Small cycles, found one by one.
//!
//! ```text
//! suspect ─▶ a ─▶ b ─▶ suspect        three objects, each with as many references as the others have to it: garbage
//! ```
//!
//! Most cycles that die are small, and die young. What a suspect reaches, if these are few objects, is looked at by
//! itself: nothing is written, and what is found is freed while it lies in the caches. Whatever is not decided so waits
//! for the scan of many. A program whose suspects are part of large structures is asked less and less often.

use oxbow_abi::HEADER_SIZE;

use super::objects::{OUTER, is_inner, is_marked, is_of_few_words, references_of, words_of};
use super::{free_all, state};
use crate::checked;
use crate::grow::Grow;
use crate::heap::{count_of, info_of, put_back};

/// So many objects are few.
const MOST: usize = 16;

/// So many suspects are asked at a time.
pub(super) const BATCH: usize = 64;

/// A batch that found little doubles the suspects until the next one, so many times at most.
const MOST_PATIENCE: u32 = 8;

/// Objects that refer to each other.
pub(super) struct Group {
    objects: [*mut u8; MOST],
    len: usize,
}

impl Group {
    pub const fn new() -> Self {
        Self { objects: [core::ptr::null_mut(); MOST], len: 0 }
    }

    pub fn objects(&self) -> &[*mut u8] {
        &self.objects[..self.len]
    }

    /// Reads what the object reaches. Are these few, and has nobody else a reference to one of them? Objects that they
    /// hold besides, which reach nothing, are pushed to `held` then.
    ///
    /// Each has as many references as come from the others, or more; so nobody else has one if all of them together
    /// have as many as they hold.
    ///
    /// # Safety
    /// The object is alive, and all that it reaches has its fields.
    #[inline(always)]
    pub unsafe fn is_garbage<const DOMAINS: bool>(
        &mut self,
        object: *mut u8,
        held: &mut Grow<*mut u8>,
    ) -> bool {
        let before = held.len();
        let objects = self.objects.as_mut_ptr();
        let mut len = 1;
        let mut at = 0;
        let mut others = 0;
        // SAFETY: what the caller says: a value that a living object holds is alive. What has a length or a descriptor
        // of its own may have many parts. There are never more than `MOST` objects.
        let alone = unsafe {
            objects.write(object);
            'all: loop {
                if at == len {
                    break others == 0;
                }
                let object = objects.add(at).read();
                at += 1;
                let info = info_of(object).read();
                if !is_of_few_words(info) {
                    break false;
                }
                others += i64::from(*count_of(object)) + 1;
                let mut references = references_of(info);
                while references != 0 {
                    let place = object.cast::<*mut u8>().add(references.trailing_zeros() as usize);
                    references &= references - 1;
                    let part = place.read();
                    if part as usize & 1 != 0 || part.is_null() {
                        continue;
                    }
                    if !is_inner::<DOMAINS>(part, OUTER) {
                        held.push(part);
                        continue;
                    }
                    others -= 1;
                    let mut known = 0;
                    while known != len && objects.add(known).read() != part {
                        known += 1;
                    }
                    if known == MOST {
                        break 'all false;
                    }
                    // The same again if it is there.
                    objects.add(known).write(part);
                    len = len.max(known + 1);
                }
            }
        };
        self.len = len;
        if !alone {
            held.truncate(before);
        }
        alone
    }

    /// Gives the cells back; how many bytes these are.
    ///
    /// # Safety
    /// They are garbage, and what they held besides is known.
    #[inline]
    pub unsafe fn free<const DOMAINS: bool>(&self) -> u64 {
        let mut bytes = 0;
        for &object in self.objects() {
            // SAFETY: nobody refers to the objects but they themselves. They have few words, which fill their cells.
            unsafe {
                let size = HEADER_SIZE + 8 * words_of(info_of(object).read());
                put_back::<DOMAINS>(object.sub(HEADER_SIZE as usize), size);
                bytes += size;
            }
        }
        bytes
    }
}

/// Frees those among the suspects that have not been asked yet; what they held besides is the result, for the caller to
/// drop.
///
/// # Safety
/// All that suspects reach has its fields.
pub(super) unsafe fn free_groups<const DOMAINS: bool>() -> Grow<*mut u8> {
    // SAFETY: entries are suspects, or were: those that are marked are alive.
    unsafe {
        let state = state();
        let mut held = state.work.take();
        let mut group = Group::new();
        let is_checked = checked::is_on();
        let entries = state.young.small.as_mut_slice();
        let begin = state.attempts.begin(entries.len());
        let (mut kept, mut asked, mut freed) = (begin, 0, 0);
        for at in begin..entries.len() {
            let object = entries[at];
            if is_checked && !checked::is_alive(object) || !is_marked(object) {
                continue;
            }
            asked += 1;
            if group.is_garbage::<DOMAINS>(object, &mut held) {
                freed += 1;
                state.scans.visited += group.objects().len() as u64;
                state.scans.freed += group.objects().len() as u64;
                state.scans.freed_bytes += match is_checked {
                    true => free_all(group.objects()),
                    false => group.free::<DOMAINS>(),
                };
            } else {
                entries[kept] = object;
                kept += 1;
            }
        }
        state.young.small.truncate(kept);
        state.attempts.end(asked, freed, kept);
        held
    }
}

/// When suspects are asked one by one.
pub(super) struct Attempts {
    /// So many entries of the list have been asked.
    pub done: usize,
    /// So long a list is looked at.
    pub due: usize,
    patience: u32,
}

impl Attempts {
    pub const fn new() -> Self {
        Self { done: 0, due: BATCH, patience: 0 }
    }

    /// Where to begin in a list of this length: after a while without success, with the last ones.
    pub fn begin(&self, len: usize) -> usize {
        if self.patience == 0 { self.done } else { self.done.max(len.saturating_sub(BATCH)) }
    }

    /// So many were asked, so many of them freed, and the list is so long now.
    pub fn end(&mut self, asked: usize, freed: usize, len: usize) {
        self.patience = match 4 * freed >= asked {
            true => 0,
            false => (self.patience + 1).min(MOST_PATIENCE),
        };
        self.done = len;
        self.due = len + (BATCH << self.patience);
    }

    /// The list was so long and is so now; none of it is asked again, and the next batch is due after as many more
    /// suspects as before.
    pub fn move_on(&mut self, before: usize, len: usize) {
        self.done = len;
        self.due = len + self.due.saturating_sub(before).max(1);
    }
}
