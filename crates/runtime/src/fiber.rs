//! Fibres: computations on stacks of their own, for the handlers of effects (decision 99).
//!
//! ```text
//! resume ──► the fibre runs …                    suspend ──► whoever resumed it goes on: 0
//!        ◄── 0: it suspended itself                      ◄── 0: it was resumed, 1: it unwinds, 2: there is no fibre
//!        ◄── 1: it has ended
//! ```
//!
//! The handle of a fibre is an object that is counted. When it dies and the fibre is suspended, the fibre is
//! resumed for the last time, to unwind: compiled code raises an exception that no handler of the program sees, so
//! that its frames drop what they own.
//!
//! Stacks are carved from large reservations, without a guard between them: every function of a program with fibres
//! that calls another tests whether its stack is nearly used up (`passes::check_stack`). Pages are used once touched.
//! The control block lies at the top of the stack; stacks that are free wait in a list.

use core::ptr::null_mut;
use core::sync::atomic::Ordering;

use oxbow_abi::{ObjectKind, Shape};

use crate::domain::Domain;
use crate::heap::allocate;
use crate::switch::{self, Turn};
use crate::trouble::{abort_with, out_of_memory};
use crate::{domain, pages, thread};

const PAGE: usize = 4096;
/// The first fibres have stacks for deep recursion.
const LARGE: Size = Size { bytes: 64 << 20, batch: 64, reserve: 128 << 10 };
const LARGE_STACKS: usize = 1024;
/// When there are many, each has less: page tables cost memory, too.
const SMALL: Size = Size { bytes: 256 << 10, batch: 4096, reserve: 48 << 10 };
/// If addresses are limited.
const SMALL_BATCH_AT_LEAST: usize = 16;

/// A kind of stacks. Each is one page more apart than it is large, and begins at one of four places in its page, so
/// that the tops of many do not share few lines of the caches.
struct Size {
    bytes: usize,
    /// So many are reserved at a time.
    batch: usize,
    /// What the runtime's functions may use when compiled code finds the stack nearly used up.
    reserve: usize,
}

#[repr(C)]
struct Fiber {
    /// What changes of stacks know.
    turn: Turn,
    /// The object that stands for it, unless that has died.
    handle: *mut *mut Fiber,
    /// The next free one, or that is to unwind.
    next: *mut Fiber,
    /// The domain whose objects its frames have, if there are domains: nobody else runs it.
    owner: *mut Domain,
    has_begun: bool,
    is_large: bool,
}

/// Stacks of one size.
struct Pool {
    free: *mut Fiber,
    /// The part of the last reservation that was never used.
    start: usize,
    end: usize,
    made: usize,
}

impl Pool {
    const fn new() -> Self {
        Self { free: null_mut(), start: 0, end: 0, made: 0 }
    }
}

static mut ENTRY: Option<unsafe extern "C" fn()> = None;

/// The fibres of one thread.
pub(crate) struct Fibers {
    pools: [Pool; 2],
    /// To unwind, while nothing may run.
    dead: *mut Fiber,
    holds: usize,
}

impl Fibers {
    pub(crate) const fn new() -> Self {
        Self { pools: [const { Pool::new() }; 2], dead: null_mut(), holds: 0 }
    }
}

/// Those of this thread.
#[inline]
fn fibers() -> *mut Fibers {
    // SAFETY: what belongs to a thread is there as long as the thread.
    unsafe { &raw mut (*domain::local()).fibers }
}

/// The code that fibres run.
pub(crate) unsafe fn set_entry(entry: Option<unsafe extern "C" fn()>) {
    // SAFETY: only the program's thread uses it, and it does not run yet.
    unsafe { ENTRY = entry };
}

/// A fibre that has not begun, as an object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_fiber_new() -> *mut u8 {
    const SHAPE: Shape = Shape { kind: ObjectKind::Fiber, tag: 0, words: 1, pointers: 0 };
    // SAFETY: the object is new, with one word; the control block is nobody else's.
    unsafe {
        let handle = allocate(8, SHAPE.header()).cast::<*mut Fiber>();
        let fiber = take_stack();
        (*fiber).handle = handle;
        handle.write(fiber);
        handle.cast()
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_fiber_is_own(handle: *mut u8) -> u8 {
    // SAFETY: compiled code passes the handle of a fibre that has not ended, which it owns.
    unsafe {
        let fiber = handle.cast::<*mut Fiber>().read();
        u8::from(!domain::are_there() || (*fiber).owner == domain::current())
    }
}

/// What a fibre does, on its own stack.
unsafe extern "C" fn body() -> ! {
    // SAFETY: `switch` comes here on the stack of the fibre that runs, whose control block is there until the stack is given
    // back. `start` was given code that can be called; the handle, unless null, is alive, since its death sets it
    // to null.
    unsafe {
        let fiber = (*thread::current()).turn.cast::<Fiber>();
        (*fiber).has_begun = true;
        match ENTRY {
            Some(entry) => entry(),
            None => abort_with(b"the program has no code for fibres"),
        }
        if !(*fiber).handle.is_null() {
            (*fiber).handle.write(null_mut());
        }
        // Nobody takes the stack before it is left.
        give_back(fiber);
        switch::finish(fiber.cast(), 1)
    }
}

/// The handle of a fibre dies. The fibre unwinds later, by `unwind_dead`.
pub(crate) unsafe fn died(handle: *mut u8) {
    // SAFETY: the memory of the handle is still there, and holds null or a fibre that has not ended. One that has
    // begun is suspended: who runs it owns a reference to its handle.
    unsafe {
        let fiber = handle.cast::<*mut Fiber>().read();
        if fiber.is_null() {
            return;
        }
        (*fiber).handle = null_mut();
        if domain::are_there() && (*fiber).owner != domain::current() {
            return send_home(fiber);
        }
        if (*fiber).has_begun {
            let fibers = fibers();
            (*fiber).next = (*fibers).dead;
            (*fibers).dead = fiber;
        } else {
            give_back(fiber);
        }
    }
}

/// The handle has died in another domain than that of the fibre, which will see to it.
unsafe fn send_home(fiber: *mut Fiber) {
    // SAFETY: nobody else knows the fibre, and domains are never freed.
    unsafe {
        let list = &(*(*fiber).owner).dead_elsewhere;
        let mut first = list.load(Ordering::Relaxed);
        loop {
            (*fiber).next = first.cast();
            let new = fiber.cast::<u8>();
            match list.compare_exchange_weak(first, new, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(other) => first = other,
            }
        }
    }
}

/// Takes over what others have sent.
unsafe fn receive() {
    // SAFETY: who takes the whole list has it for itself.
    unsafe {
        let list = &(*domain::current()).dead_elsewhere;
        if list.load(Ordering::Relaxed).is_null() {
            return;
        }
        let mut fiber = list.swap(null_mut(), Ordering::Acquire).cast::<Fiber>();
        while !fiber.is_null() {
            let next = (*fiber).next;
            if (*fiber).has_begun {
                let fibers = fibers();
                (*fiber).next = (*fibers).dead;
                (*fibers).dead = fiber;
            } else {
                give_back(fiber);
            }
            fiber = next;
        }
    }
}

unsafe fn unwind(fiber: *mut Fiber) {
    // Its `suspend` says that it has to unwind; it ends, and gives its stack back.
    // SAFETY: callers pass a fibre that is suspended, and that nobody can resume any more.
    if unsafe { switch::enter(fiber.cast(), 1) } != 1 {
        abort_with(b"a fibre that unwinds is suspended");
    }
}

/// From here to [`release_held`] no fibre unwinds: whoever calls is in the middle of something.
pub(crate) fn hold() {
    // SAFETY: the program has one thread.
    unsafe { (*fibers()).holds += 1 };
}

/// Unwinds those whose handles have died meanwhile; whether there were any.
pub(crate) unsafe fn release_held() -> bool {
    // SAFETY: only the program's thread uses the variables.
    unsafe {
        let fibers = fibers();
        (*fibers).holds -= 1;
        let any = !(*fibers).dead.is_null();
        unwind_dead();
        any
    }
}

/// Unwinds the fibres whose handles have died, unless this is held off. They run code of the program, which may
/// release, allocate and scan: whoever calls is done with all of that.
#[inline]
pub(crate) unsafe fn unwind_dead() {
    // SAFETY: only the program's thread uses the variables, and what waits in the list is suspended, as in `died`.
    unsafe {
        if domain::are_there() {
            receive();
        }
        let fibers = fibers();
        while !(*fibers).dead.is_null() && (*fibers).holds == 0 {
            let fiber = (*fibers).dead;
            (*fibers).dead = (*fiber).next;
            unwind(fiber);
        }
    }
}

// ---------------------------------------------------------------------- stacks

unsafe fn take_stack() -> *mut Fiber {
    // SAFETY: only the program's thread uses the pools. Control blocks in the lists, and those that `carve` makes,
    // are mapped and nobody's; all that is read of a new one is written here or there.
    unsafe {
        let pools = &raw mut (*fibers()).pools;
        let (large, small) = (&raw mut (*pools)[0], &raw mut (*pools)[1]);
        let mut fiber = (*large).free;
        if !fiber.is_null() {
            (*large).free = (*fiber).next;
        } else if (*large).made < LARGE_STACKS && has_room(large, &LARGE, LARGE.batch) {
            fiber = carve(large, &LARGE);
            (*fiber).is_large = true;
        } else if !(*small).free.is_null() {
            fiber = (*small).free;
            (*small).free = (*fiber).next;
        } else {
            let found = has_room(small, &SMALL, SMALL.batch)
                || has_room(small, &SMALL, SMALL_BATCH_AT_LEAST);
            if !found {
                out_of_memory(crate::heap::site());
            }
            fiber = carve(small, &SMALL);
            (*fiber).is_large = false;
        }
        (*fiber).has_begun = false;
        (*fiber).owner = if domain::are_there() { domain::current() } else { null_mut() };
        (*fiber).turn.stack = switch::prepare(fiber.cast(), body);
        fiber
    }
}

unsafe fn give_back(fiber: *mut Fiber) {
    // SAFETY: the fibre has ended or never begun, so that its stack is the pool's; only the program's thread uses
    // the pools.
    unsafe {
        let pools = &raw mut (*fibers()).pools;
        let pool = &raw mut (*pools)[usize::from(!(*fiber).is_large)];
        (*fiber).next = (*pool).free;
        (*pool).free = fiber;
    }
}

/// Sees to it that there is a stack that was never used.
unsafe fn has_room(pool: *mut Pool, size: &Size, batch: usize) -> bool {
    // SAFETY: the pool is one of this thread's; the system chooses addresses that
    // nobody uses.
    unsafe {
        if (*pool).start < (*pool).end {
            return true;
        }
        let bytes = batch * (size.bytes + PAGE);
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let start = libc::mmap(null_mut(), bytes, access, flags, -1, 0);
        if start == libc::MAP_FAILED {
            return false;
        }
        // A huge page would make the first touch of a stack cost as much as five hundred.
        libc::madvise(start, bytes, libc::MADV_NOHUGEPAGE);
        (*pool).start = start as usize;
        (*pool).end = start as usize + bytes;
        true
    }
}

/// The next stack of the reservation: its control block, at its top.
unsafe fn carve(pool: *mut Pool, size: &Size) -> *mut Fiber {
    // SAFETY: `has_room` has found the next stack of the pool mapped and unused; the control block lies within it,
    // aligned.
    unsafe {
        pages::charge(PAGE, crate::heap::site());
        let low = (*pool).start;
        (*pool).start += size.bytes + PAGE;
        let shift = (*pool).made % 4 * 512;
        (*pool).made += 1;
        let top = low + size.bytes + PAGE - shift;
        let fiber = ((top - size_of::<Fiber>()) & !15) as *mut Fiber;
        (*fiber).turn.limit = low + size.reserve;
        fiber
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::heap::drop_reference;
    use crate::switch::{oxbow_fiber_resume, oxbow_fiber_suspend};
    use crate::testing::program;

    static STEPS: AtomicUsize = AtomicUsize::new(0);

    unsafe extern "C" fn three_steps() {
        for _ in 0..3 {
            STEPS.fetch_add(1, Ordering::Relaxed);
            if unsafe { oxbow_fiber_suspend() } == 1 {
                STEPS.fetch_add(100, Ordering::Relaxed);
                return;
            }
        }
    }

    #[test]
    fn fibres_take_turns_end_and_unwind() {
        let _program = program();
        unsafe {
            set_entry(Some(three_steps));
            assert_eq!(oxbow_fiber_suspend(), 2);
            let handles = [(); 3].map(|()| oxbow_fiber_new());
            for round in 1..=3 {
                for handle in handles {
                    assert_eq!(oxbow_fiber_resume(handle), 0);
                }
                assert_eq!(STEPS.load(Ordering::Relaxed), 3 * round);
            }
            assert_eq!(oxbow_fiber_resume(handles[0]), 1);
            let before = STEPS.load(Ordering::Relaxed);
            handles.into_iter().for_each(|it| drop_reference(it));
            assert_eq!(STEPS.load(Ordering::Relaxed), before + 200);
            drop_reference(oxbow_fiber_new());
            set_entry(None);
        }
    }

    #[test]
    fn stacks_are_used_again_and_there_are_many() {
        let _program = program();
        unsafe {
            let first = take_stack();
            give_back(first);
            assert_eq!(take_stack(), first);
            let many: Vec<_> = (0..5000).map(|_| take_stack()).collect();
            many.into_iter().for_each(|it| give_back(it));
            give_back(first);
        }
    }
}
