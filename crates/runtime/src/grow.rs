//! A growing array for plain values, in C's memory: the runtime has no allocator of Rust's.

use core::ptr::null_mut;

use crate::trouble::out_of_memory;

pub struct Grow<T: Copy> {
    start: *mut T,
    len: usize,
    room: usize,
}

impl<T: Copy> Grow<T> {
    pub const fn new() -> Self {
        Self { start: null_mut(), len: 0, room: 0 }
    }

    pub fn push(&mut self, value: T) {
        if self.len == self.room {
            self.reserve((self.room * 2).max(64));
        }
        // SAFETY: there is room for one more.
        unsafe { self.start.add(self.len).write(value) };
        self.len += 1;
    }

    pub fn len(&self) -> usize {
        self.len
    }

    fn reserve(&mut self, room: usize) {
        // SAFETY: the old memory, if any, came from here too.
        let start = unsafe { libc::realloc(self.start.cast(), room * size_of::<T>()) };
        if start.is_null() {
            out_of_memory(core::ptr::null());
        }
        self.start = start.cast();
        self.room = room;
    }

    /// So many copies of a value instead of what was there.
    pub fn reset(&mut self, len: usize, value: T) {
        self.len = 0;
        if len > self.room {
            self.reserve(len);
        }
        for _ in 0..len {
            self.push(value);
        }
    }

    pub fn pop(&mut self) -> Option<T> {
        let last = *self.as_slice().last()?;
        self.len -= 1;
        Some(last)
    }

    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    pub fn as_slice(&self) -> &[T] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: so many values have been written.
        unsafe { core::slice::from_raw_parts(self.start, self.len) }
    }

    pub fn as_mut_slice(&mut self) -> &mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: as above.
        unsafe { core::slice::from_raw_parts_mut(self.start, self.len) }
    }

    /// The values, which somebody else frees.
    pub fn take(&mut self) -> Self {
        core::mem::replace(self, Self::new())
    }

    pub fn free(self) {
        // SAFETY: the memory came from `realloc`, or is null.
        unsafe { libc::free(self.start.cast()) };
    }
}
