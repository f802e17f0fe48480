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
//! Where the frames of a fibre lie is told in [`crate::fiber_stack`].

use core::ptr::null_mut;
use core::sync::atomic::Ordering;

use oxbow_abi::{ObjectKind, Shape};

use crate::domain::Domain;
use crate::fiber_stack::{self, Frames, Stacks};
use crate::heap::{self, allocate};
use crate::switch::{self, Turn};
use crate::trouble::{abort_with, out_of_memory};
use crate::{domain, pages, thread};

#[repr(C)]
pub(crate) struct Fiber {
    /// What changes of stacks know.
    pub turn: Turn,
    pub frames: Frames,
    /// The object that stands for it, unless that has died.
    handle: *mut *mut Fiber,
    /// The next free one, or that is to unwind.
    next: *mut Fiber,
    /// The domain whose objects its frames have, if there are domains: nobody else runs it.
    owner: *mut Domain,
    pub has_begun: bool,
}

/// So many are made at a time.
const BATCH: usize = 40;

/// The handle of a fibre that has ended.
const ENDED: Shape = Shape { kind: ObjectKind::Tuple, tag: 0, words: 1, pointers: 0 };

static mut ENTRY: Option<unsafe extern "C" fn()> = None;

/// The fibres of one thread.
pub(crate) struct Fibers {
    pub stacks: Stacks,
    free: *mut Fiber,
    /// Those that have ended and kept their stack.
    ready: *mut Fiber,
    /// To unwind, while nothing may run.
    dead: *mut Fiber,
    holds: usize,
    /// How many have begun and not ended, in programs with domains.
    live: usize,
}

impl Fibers {
    pub(crate) const fn new() -> Self {
        Self {
            stacks: Stacks::new(),
            free: null_mut(),
            ready: null_mut(),
            dead: null_mut(),
            holds: 0,
            live: 0,
        }
    }
}

/// Those of this thread.
#[inline]
pub(crate) fn fibers() -> *mut Fibers {
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
    const SHAPE: Shape = Shape { kind: ObjectKind::Fiber, ..ENDED };
    // SAFETY: the object is new, with one word; the control block is nobody else's.
    unsafe {
        let handle = allocate(8, SHAPE.header()).cast::<*mut Fiber>();
        let fiber = new();
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

/// What a fibre does, on its own stack; itself, when it has ended.
unsafe extern "C" fn body() -> *mut Turn {
    // SAFETY: `switch` comes here on the stack of the fibre that runs, whose control block is there until it is given
    // back. `start` was given code that can be called; the handle, unless null, is alive, since its death sets it
    // to null.
    unsafe {
        let fiber = (*thread::current()).turn.cast::<Fiber>();
        (*fiber).has_begun = true;
        if domain::are_there() {
            (*fibers()).live += 1;
        }
        match ENTRY {
            Some(entry) => entry(),
            None => abort_with(b"the program has no code for fibres"),
        }
        let handle = (*fiber).handle;
        if !handle.is_null() {
            handle.write(null_mut());
            // An object like any other from now on.
            end_handle(handle.cast());
        }
        if domain::are_there() {
            (*fibers()).live -= 1;
        }
        // Nobody takes the stack before it is left.
        give_back(fiber);
        fiber.cast()
    }
}

/// The handle of a fibre that has ended has the header of another object. It is written in one piece, since that is how
/// it is read next, unless another domain may count meanwhile.
#[inline]
unsafe fn end_handle(handle: *mut u8) {
    // SAFETY: the handle is alive, and its header lies before it.
    unsafe {
        if domain::are_there() {
            heap::info_of(handle).write((ENDED.header() >> 32) as u32);
        } else {
            let count = heap::header_of(handle) & u64::from(u32::MAX);
            handle.cast::<u64>().sub(1).write(ENDED.header() & !u64::from(u32::MAX) | count);
        }
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

/// Are there fibres of this thread that have begun and not ended?
pub(crate) fn some_live() -> bool {
    // SAFETY: they are this thread's.
    unsafe { (*fibers()).live > 0 }
}

/// Unwinds those whose handles have died elsewhere.
pub(crate) unsafe extern "C" fn unwind_sent() {
    // SAFETY: the thread is in the middle of nothing.
    unsafe { unwind_dead() };
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

/// A fibre that has not begun.
unsafe fn new() -> *mut Fiber {
    // SAFETY: only this thread uses its lists, which hold fibres that nobody has; all fields of one are written here
    // or by `fiber_stack`.
    unsafe {
        let fibers = fibers();
        let mut fiber = (*fibers).ready;
        if fiber.is_null() {
            fiber = without_stack(fibers);
            fiber_stack::prepare(&raw mut (*fibers).stacks, fiber);
        } else {
            (*fibers).ready = (*fiber).next;
            fiber_stack::prepare_again(&raw mut (*fibers).stacks, fiber);
        }
        (*fiber).has_begun = false;
        (*fiber).owner = if domain::are_there() { domain::current() } else { null_mut() };
        fiber
    }
}

/// Out of line, so that those that are used again take a short way.
#[inline(never)]
unsafe fn without_stack(fibers: *mut Fibers) -> *mut Fiber {
    // SAFETY: as in `new`.
    unsafe {
        if (*fibers).free.is_null() {
            make_more(fibers);
        }
        let fiber = (*fibers).free;
        (*fibers).free = (*fiber).next;
        fiber
    }
}

#[cold]
unsafe fn make_more(fibers: *mut Fibers) {
    // SAFETY: the memory is new, and large enough for all of them.
    unsafe {
        let bytes = BATCH * size_of::<Fiber>();
        pages::charge(bytes, crate::places::site());
        let start = libc::malloc(bytes).cast::<Fiber>();
        if start.is_null() {
            out_of_memory(crate::places::site());
        }
        for index in (0..BATCH).rev() {
            let fiber = start.add(index);
            (*fiber).next = (*fibers).free;
            (*fibers).free = fiber;
        }
    }
}

/// The code that a fibre begins with.
pub(crate) const CODE: unsafe extern "C" fn() -> *mut Turn = body;

/// It has ended or never begun. What changes of stacks know stays until it is used again.
unsafe fn give_back(fiber: *mut Fiber) {
    // SAFETY: nobody runs or knows the fibre any more, and only this thread uses the list.
    unsafe {
        let fibers = fibers();
        if fiber_stack::is_alone(fiber) {
            (*fiber).next = (*fibers).ready;
            (*fibers).ready = fiber;
        } else {
            give_back_all(fibers, fiber);
        }
    }
}

unsafe fn give_back_all(fibers: *mut Fibers, fiber: *mut Fiber) {
    // SAFETY: as in `give_back`.
    unsafe {
        fiber_stack::give_back(&raw mut (*fibers).stacks, fiber);
        (*fiber).next = (*fibers).free;
        (*fibers).free = fiber;
    }
}

/// A fibre that has ended gives up the stack that it has kept, if there is one: another needs it.
pub(crate) unsafe fn give_up_stack() {
    // SAFETY: nobody has what is in the list.
    unsafe {
        let fibers = fibers();
        let fiber = (*fibers).ready;
        if !fiber.is_null() {
            (*fibers).ready = (*fiber).next;
            give_back_all(fibers, fiber);
        }
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
            thread::begin(null_mut());
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

    unsafe extern "C" fn adds_up() {
        let mut mine = [0_usize; 64];
        for round in 0..4 {
            mine[round] = STEPS.fetch_add(1, Ordering::Relaxed);
            let before = mine;
            if unsafe { oxbow_fiber_suspend() } == 1 {
                return;
            }
            assert_eq!(before, std::hint::black_box(mine));
        }
    }

    #[test]
    fn many_fibres_share_stacks_and_keep_their_frames() {
        let _program = program();
        unsafe {
            thread::begin(null_mut());
            set_entry(Some(adds_up));
            let handles: Vec<_> = (0..5000).map(|_| oxbow_fiber_new()).collect();
            for _ in 0..4 {
                for &handle in &handles {
                    assert_eq!(oxbow_fiber_resume(handle), 0);
                }
            }
            for (index, handle) in handles.into_iter().enumerate() {
                if index % 2 == 0 {
                    assert_eq!(oxbow_fiber_resume(handle), 1);
                }
                drop_reference(handle);
            }
            let mut ready = (*fibers()).ready;
            let kept = std::iter::from_fn(|| {
                let this = ready;
                (!this.is_null()).then(|| ready = (*this).next)
            });
            let kept = kept.count();
            assert_eq!((*fibers()).stacks.in_use(), kept);
            assert!(
                kept <= fiber_stack::STACKS + fiber_stack::SHARED,
                "{kept} fibres have kept their stacks"
            );
            set_entry(None);
        }
    }

    static DEPTH: AtomicUsize = AtomicUsize::new(0);

    /// Each makes the next and waits for it: all are in the middle of something at once.
    unsafe extern "C" fn nests() {
        let depth = DEPTH.fetch_add(1, Ordering::Relaxed);
        let mine = [depth; 16];
        if depth < 3000 {
            unsafe {
                let handle = oxbow_fiber_new();
                assert_eq!(oxbow_fiber_resume(handle), 0);
                assert_eq!(mine, std::hint::black_box([depth; 16]));
                assert_eq!(oxbow_fiber_resume(handle), 1);
                drop_reference(handle);
            }
        }
        unsafe { oxbow_fiber_suspend() };
        assert_eq!(std::hint::black_box(mine), [depth; 16]);
    }

    #[test]
    fn a_fibre_makes_room_for_one_that_it_has_resumed() {
        let _program = program();
        unsafe {
            thread::begin(null_mut());
            set_entry(Some(nests));
            let handle = oxbow_fiber_new();
            assert_eq!(oxbow_fiber_resume(handle), 0);
            assert_eq!(oxbow_fiber_resume(handle), 1);
            drop_reference(handle);
            set_entry(None);
        }
    }
}
