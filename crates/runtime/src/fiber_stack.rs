//! Where the frames of fibres lie (decision 182).
//!
//! ```text
//! few fibres     stack 1: frames of A     stack 2: frames of B
//! more           stack 1: frames of A     away: a copy of C's frames, which belong to stack 1
//! C shall run    stack 1: frames of C     away: a copy of A's
//! ```
//!
//! A fibre has a stack for its life, and its frames always lie at the same addresses while it runs. The first thousand
//! that are alive have stacks for themselves. Further ones share: when one shall run and another's frames lie on its
//! stack, those are copied to the heap, and its own back. That works also for a fibre that waits for one that it has
//! resumed: nothing refers to frames of another fibre. So a fibre that waits takes as much memory as it has frames,
//! and a page only while it runs.
//!
//! Stacks are carved from large reservations, without a guard between them: every function of a program with fibres
//! that calls another tests whether its stack is nearly used up (`passes::check_stack`). Pages are used once touched.
//! What is known of a stack lies at its top.

use core::ptr::null_mut;

use crate::fiber::{self, Fiber};
use crate::switch::{self, Turn};
use crate::trouble::out_of_memory;
use crate::{pages, stack, thread};

const PAGE: usize = 4096;

/// A kind of stacks. Each is one page more apart than it is large, and begins at one of four places in its page, so
/// that the tops of many do not share few lines of the caches.
struct Size {
    bytes: usize,
    /// So many are reserved at a time.
    batch: usize,
    /// What the runtime's functions may use when compiled code finds the stack nearly used up.
    reserve: usize,
}

/// The last ones are for processes whose addresses are limited.
const SIZES: [Size; 3] = [
    Size { bytes: 64 << 20, batch: 64, reserve: 128 << 10 },
    Size { bytes: 8 << 20, batch: 8, reserve: 128 << 10 },
    Size { bytes: 256 << 10, batch: 16, reserve: 48 << 10 },
];

/// So many fibres have stacks for themselves.
pub(crate) const STACKS: usize = 1024;
const STACKS_AT_MOST: usize = 16 << 10;
/// So many stacks are shared: few, so that they stay in the caches.
pub(crate) const SHARED: usize = 128;
/// So many stacks do where addresses are scarce, so that the heap finds some, too.
const ENOUGH: usize = 16;
/// Frames that are costly to copy: whenever some are, there may be one more stack.
const DEEP: usize = 16 << 10;
/// Of the stack on which frames are moved.
const ASIDE: usize = 64 << 10;

pub(crate) struct Stack {
    /// The fibre whose frames lie here.
    resident: *mut Fiber,
    /// So many fibres have it.
    users: usize,
    limit: usize,
    /// The next free one.
    next: *mut Stack,
}

/// What a fibre knows of its frames.
pub(crate) struct Frames {
    /// Null if it has none yet.
    stack: *mut Stack,
    /// Where they lie when they are away: memory that is kept until the fibre ends.
    copy: *mut u8,
    capacity: usize,
}

/// The stacks of one thread.
pub(crate) struct Stacks {
    free: *mut Stack,
    /// The part of the last reservation that was never used.
    start: usize,
    end: usize,
    /// Of [`SIZES`]: that of the last reservation.
    size: usize,
    made: usize,
    allowed: usize,
    /// Those that were made last.
    shared: [*mut Stack; SHARED],
    /// Who is the next to be shared.
    next_shared: usize,
    aside: *mut u8,
}

impl Stacks {
    pub(crate) const fn new() -> Self {
        Self {
            free: null_mut(),
            start: 0,
            end: 0,
            size: 0,
            made: 0,
            allowed: STACKS,
            shared: [null_mut(); SHARED],
            next_shared: 0,
            aside: null_mut(),
        }
    }

    /// How many of the stacks are in use.
    #[cfg(test)]
    pub(crate) fn in_use(&self) -> usize {
        let mut free = 0;
        let mut stack = self.free;
        while !stack.is_null() {
            free += 1;
            stack = unsafe { (*stack).next };
        }
        self.made - free
    }
}

/// Readies a fibre that has not begun and has no stack. If there is one for it alone, it is on it.
pub(crate) unsafe fn prepare(stacks: *mut Stacks, fiber: *mut Fiber) {
    // SAFETY: the fibre is nobody else's, and the stack, if there is one, nobody's.
    unsafe {
        if (*thread::current()).aside.is_null() {
            set_aside(stacks);
        }
        (*fiber).frames = Frames { stack: null_mut(), copy: null_mut(), capacity: 0 };
        let stack = own_stack(stacks);
        if stack.is_null() {
            (*fiber).turn.is_away = 1;
        } else {
            settle(stack, fiber);
        }
    }
}

/// Has the fibre, which has ended or never begun, a stack that nobody else has? Then it can keep that.
#[inline]
pub(crate) unsafe fn is_alone(fiber: *mut Fiber) -> bool {
    // SAFETY: the fibre is nobody else's, and stacks are never unmapped.
    unsafe {
        let frames = &(*fiber).frames;
        !frames.stack.is_null()
            && frames.copy.is_null()
            && (*frames.stack).users == 1
            && (*frames.stack).resident == fiber
    }
}

/// Readies a fibre that has kept its stack.
#[inline]
pub(crate) unsafe fn prepare_again(stacks: *mut Stacks, fiber: *mut Fiber) {
    // SAFETY: as for `prepare`; the limit is that of the stack.
    unsafe {
        if (*thread::current()).aside.is_null() {
            set_aside(stacks);
        }
        (*fiber).turn.stack = switch::prepare((*fiber).frames.stack.cast(), fiber::CODE);
    }
}

/// The fibre has ended or never begun.
#[inline]
pub(crate) unsafe fn give_back(stacks: *mut Stacks, fiber: *mut Fiber) {
    // SAFETY: nobody uses the frames of the fibre any more; what it is on at the moment stays mapped, and is written to
    // only after it has been left.
    unsafe {
        let frames = &raw mut (*fiber).frames;
        if !(*frames).copy.is_null() {
            pages::discharge((*frames).capacity);
            libc::free((*frames).copy.cast());
        }
        let stack = (*frames).stack;
        if stack.is_null() {
            return;
        }
        if (*stack).resident == fiber {
            (*stack).resident = null_mut();
        }
        (*stack).users -= 1;
        if (*stack).users == 0 {
            (*stack).next = (*stacks).free;
            (*stacks).free = stack;
        }
    }
}

/// Puts the frames of a fibre that shall run on its stack. Runs on a stack of its own, since any of the others may have
/// to make room; [`switch`] has saved what was running, and calls this.
pub(crate) unsafe extern "C" fn place(turn: *mut Turn) {
    let fiber = turn.cast::<Fiber>();
    // SAFETY: whatever has frames is a fibre: the thread's own stack is never away. All fibres have noted their stack
    // pointers. Between that and the top of a stack lie the frames of its resident.
    unsafe {
        // What ends the program runs here, too.
        (*thread::current()).stack_limit = 0;
        let stacks = &raw mut (*fiber::fibers()).stacks;
        let mut stack = (*fiber).frames.stack;
        if stack.is_null() {
            stack = some_stack(stacks);
            make_room(stacks, stack);
            settle(stack, fiber);
            return;
        }
        make_room(stacks, stack);
        (*stack).resident = fiber;
        let bytes = stack as usize - (*turn).stack as usize;
        core::ptr::copy_nonoverlapping((*fiber).frames.copy, (*turn).stack, bytes);
        (*turn).is_away = 0;
    }
}

/// The fibre has this stack from now on, and may begin.
#[inline]
unsafe fn settle(stack: *mut Stack, fiber: *mut Fiber) {
    // SAFETY: nobody's frames lie on the stack.
    unsafe {
        (*fiber).frames.stack = stack;
        (*stack).users += 1;
        (*stack).resident = fiber;
        (*fiber).turn.limit = (*stack).limit;
        (*fiber).turn.stack = switch::prepare(stack.cast(), fiber::CODE);
        (*fiber).turn.is_away = 0;
    }
}

/// Copies the frames that lie on a stack to the heap.
unsafe fn make_room(stacks: *mut Stacks, stack: *mut Stack) {
    // SAFETY: as for `place`; the copy is large enough.
    unsafe {
        let fiber = (*stack).resident;
        if fiber.is_null() {
            return;
        }
        let bytes = stack as usize - (*fiber).turn.stack as usize;
        let frames = &raw mut (*fiber).frames;
        if bytes > (*frames).capacity || bytes < (*frames).capacity / 4 {
            renew_copy(frames, bytes);
        }
        if bytes > DEEP && (*stacks).allowed < STACKS_AT_MOST {
            (*stacks).allowed += 1;
        }
        core::ptr::copy_nonoverlapping((*fiber).turn.stack, (*frames).copy, bytes);
        (*fiber).turn.is_away = 1;
        (*stack).resident = null_mut();
    }
}

unsafe fn renew_copy(frames: *mut Frames, bytes: usize) {
    // SAFETY: what the copy held is on the stack.
    unsafe {
        pages::discharge((*frames).capacity);
        libc::free((*frames).copy.cast());
        pages::charge(bytes, crate::places::site());
        (*frames).copy = libc::malloc(bytes).cast();
        (*frames).capacity = bytes;
        if (*frames).copy.is_null() {
            out_of_memory(crate::places::site());
        }
    }
}

/// A stack that no fibre has, or null.
#[inline]
unsafe fn own_stack(stacks: *mut Stacks) -> *mut Stack {
    // SAFETY: only this thread uses the list, and what it holds is nobody's.
    unsafe {
        if (*stacks).free.is_null() {
            fiber::give_up_stack();
        }
        let stack = (*stacks).free;
        if !stack.is_null() {
            (*stacks).free = (*stack).next;
            return stack;
        }
        if (*stacks).made < (*stacks).allowed && has_room(stacks) {
            return carve(stacks);
        }
        null_mut()
    }
}

/// A stack for a fibre that begins, whoever has it.
unsafe fn some_stack(stacks: *mut Stacks) -> *mut Stack {
    // SAFETY: the array holds null or stacks, which are never unmapped.
    unsafe {
        let stack = own_stack(stacks);
        if !stack.is_null() {
            return stack;
        }
        for _ in 0..SHARED {
            let stack = (*stacks).shared[(*stacks).next_shared % SHARED];
            (*stacks).next_shared += 1;
            if !stack.is_null() {
                return stack;
            }
        }
        out_of_memory(crate::places::site())
    }
}

/// Makes the stack on which frames are moved.
#[cold]
unsafe fn set_aside(stacks: *mut Stacks) {
    // SAFETY: the system chooses addresses that nobody uses.
    unsafe {
        if (*stacks).aside.is_null() {
            let start = reserve(ASIDE);
            if start.is_null() {
                out_of_memory(crate::places::site());
            }
            pages::charge(PAGE, crate::places::site());
            (*stacks).aside = start.add(ASIDE);
        }
        (*thread::current()).aside = (*stacks).aside;
    }
}

/// Memory that is there once touched, or null.
unsafe fn reserve(bytes: usize) -> *mut u8 {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: the system chooses addresses that nobody uses.
    unsafe {
        let start = libc::mmap(null_mut(), bytes, access, flags, -1, 0);
        if start == libc::MAP_FAILED {
            return null_mut();
        }
        // A huge page would make the first touch of a stack cost as much as five hundred.
        libc::madvise(start, bytes, libc::MADV_NOHUGEPAGE);
        start.cast()
    }
}

/// Sees to it that there is a stack that was never used.
#[cold]
unsafe fn has_room(stacks: *mut Stacks) -> bool {
    // SAFETY: the stacks are this thread's.
    unsafe {
        if (*stacks).size == 0 && stack::address_space() < usize::MAX {
            (*stacks).size = 1;
        }
        while (*stacks).start == (*stacks).end {
            if (*stacks).size > 0 && (*stacks).made >= ENOUGH {
                return false;
            }
            let Some(size) = SIZES.get((*stacks).size) else { return false };
            let bytes = size.batch * (size.bytes + PAGE);
            let start = reserve(bytes) as usize;
            if start == 0 {
                (*stacks).size += 1;
                continue;
            }
            (*stacks).start = start;
            (*stacks).end = start + bytes;
        }
        true
    }
}

/// The next stack of the reservation.
#[cold]
unsafe fn carve(stacks: *mut Stacks) -> *mut Stack {
    // SAFETY: `has_room` has found the next stack mapped and unused; what is known of it lies within it, aligned.
    unsafe {
        pages::charge(PAGE, crate::places::site());
        let size = &SIZES[(*stacks).size];
        let low = (*stacks).start;
        (*stacks).start += size.bytes + PAGE;
        let shift = (*stacks).made % 4 * 512;
        let top = low + size.bytes + PAGE - shift;
        let stack = ((top - size_of::<Stack>()) & !15) as *mut Stack;
        let limit = low + size.reserve;
        stack.write(Stack { resident: null_mut(), users: 0, limit, next: null_mut() });
        (*stacks).shared[(*stacks).made % SHARED] = stack;
        (*stacks).made += 1;
        stack
    }
}
