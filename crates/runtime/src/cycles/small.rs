//! Small cycles, found one by one.
//!
//! ```text
//! suspect ─▶ a ─▶ b ─▶ suspect        three objects, each with as many references as the others have to it: garbage
//! ```
//!
//! Most cycles that die are small, and die young. What a suspect reaches, if these are few objects, is looked at by
//! itself: nothing is written, and what is found is freed while it lies in the caches. Whatever is not decided so waits
//! for the scan of many. A program whose suspects are part of large structures is asked less and less often.

use oxbow_abi::{LARGE, SIZED_KIND_BIT, header_words};

use super::objects::{if_object, is_inner, shape_of};
use crate::grow::Grow;
use crate::heap::{count_of, visit_parts};

/// So many objects are few.
const MOST: usize = 16;

/// So many suspects are asked at a time.
pub(super) const BATCH: usize = 64;

/// A batch that found little doubles the suspects until the next one, so many times at most.
const MOST_PATIENCE: u32 = 8;

/// Objects that refer to each other.
pub(super) struct Group {
    objects: [*mut u8; MOST],
    /// References to each from the others.
    inner: [i32; MOST],
    len: usize,
}

impl Group {
    pub const fn new() -> Self {
        Self { objects: [core::ptr::null_mut(); MOST], inner: [0; MOST], len: 0 }
    }

    pub fn objects(&self) -> &[*mut u8] {
        &self.objects[..self.len]
    }

    /// Reads what the object reaches. Are these few, and has nobody else a reference to one of them? Objects that they
    /// hold besides, which reach nothing, are pushed to `held` then.
    ///
    /// # Safety
    /// The object is alive, and all that it reaches has its fields.
    pub unsafe fn is_garbage(&mut self, object: *mut u8, held: &mut Grow<*mut u8>) -> bool {
        let before = held.len();
        self.objects[0] = object;
        self.inner[0] = 0;
        self.len = 1;
        let mut at = 0;
        // SAFETY: what the caller says: a value that a living object holds is alive.
        let alone = unsafe {
            while at < self.len && self.add_parts(self.objects[at], held) {
                at += 1;
            }
            at == self.len && (0..at).all(|it| *count_of(self.objects[it]) + 1 == self.inner[it])
        };
        if !alone {
            held.truncate(before);
        }
        alone
    }

    /// Says whether all parts could be added.
    unsafe fn add_parts(&mut self, object: *mut u8, held: &mut Grow<*mut u8>) -> bool {
        let mut fit = true;
        // SAFETY: as in `is_garbage`. What has a length or a descriptor of its own may have many parts.
        unsafe {
            let header = shape_of(object);
            if header & (1 << SIZED_KIND_BIT) != 0 || header_words(header) == LARGE {
                return false;
            }
            visit_parts(object, header, &mut |part| {
                let part = part.read();
                match is_inner(part) {
                    true => fit &= self.add(part),
                    false => if_object(part, |it| held.push(it)),
                }
            });
        }
        fit
    }

    fn add(&mut self, object: *mut u8) -> bool {
        if let Some(at) = self.objects().iter().position(|&it| it == object) {
            self.inner[at] += 1;
            return true;
        }
        if self.len == MOST {
            return false;
        }
        self.objects[self.len] = object;
        self.inner[self.len] = 1;
        self.len += 1;
        true
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
