//! Objects that are looked at a little later than they are found.
//!
//! What a scan is about to read lies anywhere in memory. While an object waits here, it is fetched into the caches.

/// So many wait.
const WAITING: usize = 8;

pub(super) struct Ahead {
    objects: [*mut u8; WAITING],
    next: usize,
}

impl Ahead {
    pub const fn new() -> Self {
        Self { objects: [core::ptr::null_mut(); WAITING], next: 0 }
    }

    /// Lets an object wait, and hands the one that has waited longest to `look`, if so many do.
    #[inline]
    pub fn push(&mut self, object: *mut u8, look: impl FnOnce(*mut u8)) {
        fetch(object);
        let first = core::mem::replace(&mut self.objects[self.next % WAITING], object);
        self.next = self.next.wrapping_add(1);
        if !first.is_null() {
            look(first);
        }
    }

    /// Hands all that wait to `look`.
    pub fn finish(&mut self, mut look: impl FnMut(*mut u8)) {
        for object in core::mem::replace(&mut self.objects, Self::new().objects) {
            if !object.is_null() {
                look(object);
            }
        }
    }
}

/// Asks for the header of an object, which lies before it.
#[inline]
fn fetch(object: *mut u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this kind has the instruction; it reads nothing that the program could notice.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(object.wrapping_sub(8).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = object;
}
