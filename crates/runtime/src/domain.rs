//! Domains and threads: what each has for itself, and how one begins and ends (decision 110).
//!
//! ```text
//! thread's pointer + oxbow_domain_offset ─▶ address of the Domain: lists of free cells, blocks, epoch, …
//! ```
//!
//! A thread of `Thread` is a domain here as well: all run at once, each with a heap of its own. A program that starts
//! none has no `Domain`; it uses [`PLAIN`] and the lists of free cells that are one variable of the program.
//!
//! Cells belong to the domain that has cut them from its blocks. One that another domain frees goes home: to a list
//! that the owner looks at when one of its own is empty. Domains that have ended keep their blocks for the next.

use core::cell::UnsafeCell;
use core::ops::Range;
use core::ptr::{null_mut, with_exposed_provenance_mut, without_provenance_mut};
use core::sync::atomic::{
    AtomicBool, AtomicI64, AtomicPtr, AtomicU8, AtomicU64, AtomicUsize, Ordering,
};

use oxbow_abi::{CLASSES, IMMORTAL, LARGEST_CELL, SHARED_IMMORTAL, cell_class};

use crate::backtrace::Backtrace;
use crate::cycles::Cycles;
use crate::epoch::{self, Replaced};
use crate::fiber::Fibers;
use crate::grow::Grow;
use crate::heap::{Waiting, nothing};
use crate::region::FreePages;
use crate::stack::Stack;
use crate::{fiber, pages, signals, sys, thread, trouble};

/// What the functions of the runtime keep for one thread of the program.
pub(crate) struct Local {
    pub waiting: Waiting,
    /// Objects that are to be shared, while others are.
    pub publishing: Grow<*mut u8>,
    pub pages: FreePages,
    pub cycles: Cycles,
    /// Below the stack, and what `switch::abandon` wants.
    pub guard: Range<usize>,
    pub saved: *mut u8,
    pub fibers: Fibers,
    pub backtrace: Backtrace,
}

impl Local {
    const fn new() -> Self {
        Self {
            waiting: Waiting::new(),
            publishing: Grow::new(),
            pages: FreePages::new(),
            cycles: Cycles::new(),
            guard: 0..0,
            saved: null_mut(),
            fibers: Fibers::new(),
            backtrace: Backtrace::new(),
        }
    }
}

#[repr(C)]
pub(crate) struct Domain {
    /// The first free cell of each class. Compiled code knows that they come first.
    pub cells: [*mut u8; CLASSES],
    pub local: Local,
    /// Cells that other domains have freed: the next one, then the class.
    freed_elsewhere: AtomicPtr<u8>,
    /// What is left of the last block.
    pub next: usize,
    pub end: usize,
    /// The epoch that this domain has seen, or [`epoch::AWAY`].
    pub seen: AtomicU64,
    pub replaced: Replaced,
    /// Fibres of this domain whose handles have died elsewhere.
    pub dead_elsewhere: AtomicPtr<u8>,
    /// Its place among all domains, from the first.
    index: i64,
    /// Of the thread that runs.
    number: i64,
    stack: Option<Stack>,
    is_used: AtomicBool,
    /// Whether its thread has nothing left to do but for fibres that live on; then it waits for `wake`.
    after: AtomicU8,
    wake: UnsafeCell<libc::sem_t>,
    /// All domains there ever were are linked; set once.
    following: *mut Domain,
}

impl Domain {
    const fn new() -> Self {
        Self {
            cells: [null_mut(); CLASSES],
            local: Local::new(),
            freed_elsewhere: AtomicPtr::new(null_mut()),
            next: 0,
            end: 0,
            seen: AtomicU64::new(epoch::AWAY),
            replaced: Replaced::new(),
            dead_elsewhere: AtomicPtr::new(null_mut()),
            index: 0,
            number: 0,
            stack: None,
            is_used: AtomicBool::new(true),
            after: AtomicU8::new(BUSY),
            // SAFETY: it is a union of numbers; `rest` makes a semaphore of it.
            wake: UnsafeCell::new(unsafe { core::mem::zeroed() }),
            following: null_mut(),
        }
    }
}

/// A variable that is changed by one thread at a time, as comments at its uses say.
struct Single<T>(UnsafeCell<T>);

// SAFETY: whoever uses it says why nobody else does at that moment.
unsafe impl<T> Sync for Single<T> {}

/// What programs without domains have.
static PLAIN: Single<Local> = Single(UnsafeCell::new(Local::new()));
static MAIN: Single<Domain> = Single(UnsafeCell::new(Domain::new()));
/// The domain that was made last.
static ALL: AtomicPtr<Domain> = AtomicPtr::new(null_mut());
/// Does the program have code for domains?
static MANY: AtomicBool = AtomicBool::new(false);
static ENTRY: AtomicPtr<()> = AtomicPtr::new(null_mut());

/// How far from the thread's pointer the address of its domain lies.
#[unsafe(no_mangle)]
pub static oxbow_domain_offset: AtomicI64 = AtomicI64::new(0);

/// Does the program have code for domains?
#[inline(always)]
pub(crate) fn are_there() -> bool {
    MANY.load(Ordering::Relaxed)
}

/// The domain of this thread; the program has some.
#[inline]
pub(crate) fn current() -> *mut Domain {
    // SAFETY: each thread sets its variable before it runs code of the program.
    unsafe { (*thread::current()).domain }
}

/// What belongs to this thread.
#[inline]
pub(crate) fn local() -> *mut Local {
    if are_there() {
        // SAFETY: the domain of a thread is there as long as the thread.
        unsafe { &raw mut (*current()).local }
    } else {
        PLAIN.0.get()
    }
}

/// What belongs to the first thread of any program, also where memory is checked, for all.
pub(crate) fn plain() -> *mut Local {
    PLAIN.0.get()
}

/// The program begins, in this thread; `entry` is what the threads of its domains run, if it can have some.
pub(crate) unsafe fn set_entry(entry: Option<unsafe extern "C" fn()>) {
    MANY.store(entry.is_some(), Ordering::SeqCst);
    // SAFETY: only one thread runs yet.
    unsafe {
        thread::begin(MAIN.0.get());
        oxbow_domain_offset.store(thread::distance(), Ordering::Relaxed);
        let immortal = if entry.is_some() { SHARED_IMMORTAL } else { IMMORTAL as i32 };
        crate::heap::count_of(nothing()).write(immortal);
        let Some(entry) = entry else { return };
        ENTRY.store(entry as *mut (), Ordering::Relaxed);
        ALL.store(MAIN.0.get(), Ordering::Relaxed);
        epoch::enter_first(MAIN.0.get());
    }
}

/// Every domain there is or was.
pub(crate) fn all() -> impl Iterator<Item = *mut Domain> {
    let mut next = ALL.load(Ordering::Acquire);
    core::iter::from_fn(move || {
        let it = next;
        if it.is_null() {
            return None;
        }
        // SAFETY: domains are never freed, and the link is set before one is seen.
        next = unsafe { (*it).following };
        Some(it)
    })
}

// ---------------------------------------------------------------------- cells

/// Blocks begin at multiples of their size, with the address of their owner.
pub(crate) const BLOCK: usize = 1 << 20;
/// Behind that the memory of a block begins.
const BLOCK_START: usize = 64;

/// `bytes` of this domain's blocks, at a multiple of 64.
pub(crate) unsafe fn take_memory(bytes: usize, site: *const core::ffi::c_char) -> *mut u8 {
    // SAFETY: only this thread uses its domain; the block is nobody else's.
    unsafe {
        let domain = current();
        if (*domain).end - (*domain).next < bytes {
            let block = pages::take_block(BLOCK, site);
            block.cast::<*mut Domain>().write(domain);
            (*domain).next = block as usize + BLOCK_START;
            (*domain).end = block as usize + BLOCK;
        }
        let start = (*domain).next;
        (*domain).next += bytes;
        with_exposed_provenance_mut(start)
    }
}

/// Gives a cell of some block to its owner.
pub(crate) unsafe fn free_cell(cell: *mut u8, size: u64) {
    debug_assert!(size <= LARGEST_CELL);
    // SAFETY: the cell is of a block, whose owner is written at its start, and nobody uses it any more. A cell has at
    // least two words.
    unsafe {
        let owner = cell.map_addr(|it| it & !(BLOCK - 1)).cast::<*mut Domain>().read();
        let words = cell.cast::<*mut u8>();
        if owner == current() {
            let list = &raw mut (*owner).cells[cell_class(size)];
            words.write(*list);
            *list = cell;
            return;
        }
        words.add(1).write(without_provenance_mut(cell_class(size)));
        let list = &(*owner).freed_elsewhere;
        let mut first = list.load(Ordering::Relaxed);
        loop {
            words.write(first);
            match list.compare_exchange_weak(first, cell, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(other) => first = other,
            }
        }
    }
}

/// Puts cells that others have freed into the lists of this domain.
pub(crate) unsafe fn collect_cells() {
    // SAFETY: who takes the whole list has it for itself; its cells are this domain's, and free.
    unsafe {
        let domain = current();
        let mut cell = (*domain).freed_elsewhere.swap(null_mut(), Ordering::Acquire);
        while !cell.is_null() {
            let words = cell.cast::<*mut u8>();
            let (next, class) = (words.read(), words.add(1).read() as usize);
            let list = &raw mut (*domain).cells[class];
            words.write(*list);
            *list = cell;
            cell = next;
        }
    }
}

// ---------------------------------------------------------------------- threads

/// A domain that no thread has.
fn unused() -> *mut Domain {
    for it in all() {
        // SAFETY: domains are never freed.
        let is_used = unsafe { &(*it).is_used };
        if is_used.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok() {
            return it;
        }
    }
    // SAFETY: the memory is new and large enough, and C's memory is aligned for it.
    unsafe {
        let new = libc::malloc(size_of::<Domain>()).cast::<Domain>();
        if new.is_null() {
            trouble::out_of_memory(core::ptr::null());
        }
        new.write(Domain::new());
        let mut first = ALL.load(Ordering::Acquire);
        loop {
            (*new).following = first;
            (*new).index = (*first).index + 1;
            match ALL.compare_exchange_weak(first, new, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return new,
                Err(other) => first = other,
            }
        }
    }
}

/// The stack that C gives to a thread: code of the program runs on another.
const C_STACK: usize = 128 << 10;

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_domain_spawn(number: i64) -> i64 {
    wake_resting();
    let domain = unused();
    // SAFETY: nobody else has the domain until the thread runs, which then has it alone. What C is given is there.
    unsafe {
        (*domain).number = number;
        if (*domain).stack.is_none() {
            (*domain).stack = Stack::new();
        }
        let mut attributes = core::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
        libc::pthread_attr_init(attributes.as_mut_ptr());
        libc::pthread_attr_setdetachstate(attributes.as_mut_ptr(), libc::PTHREAD_CREATE_DETACHED);
        libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), C_STACK);
        let mut thread = core::mem::MaybeUninit::<libc::pthread_t>::uninit();
        let error = match (*domain).stack {
            Some(_) => libc::pthread_create(
                thread.as_mut_ptr(),
                attributes.as_ptr(),
                run_domain,
                domain.cast(),
            ),
            None => libc::ENOMEM,
        };
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        if error != 0 {
            (*domain).is_used.store(false, Ordering::Release);
        }
        error.into()
    }
}

/// What a thread runs.
extern "C" fn run_domain(argument: *mut libc::c_void) -> *mut libc::c_void {
    let domain = argument.cast::<Domain>();
    // SAFETY: the domain is this thread's from now on, and its stack is there. `set_entry` was given a function of this
    // type.
    unsafe {
        thread::begin(domain);
        let entry = ENTRY.load(Ordering::Relaxed);
        let code = core::mem::transmute::<*mut (), unsafe extern "C" fn()>(entry);
        if let Some(stack) = &(*domain).stack {
            sys::set_stack_limit(stack.guard().end + crate::start::STACK_RESERVE);
            signals::install_stack(stack);
            epoch::enter(domain);
            if signals::run(code, stack) == signals::OVERFLOW {
                crate::start::overflowed(stack);
            }
            epoch::leave(domain);
            while fiber::some_live() {
                rest(domain);
                epoch::enter(domain);
                if signals::run(fiber::unwind_sent, stack) == signals::OVERFLOW {
                    crate::start::overflowed(stack);
                }
                epoch::leave(domain);
            }
            (*domain).after.store(BUSY, Ordering::Release);
            signals::remove_stack();
        }
        epoch::abandon(domain);
        (*domain).is_used.store(false, Ordering::Release);
    }
    null_mut()
}

// What the thread of a domain does.
/// It runs the program's code.
const BUSY: u8 = 0;
/// That has ended, but fibres of the thread live on. They never leave it: code that is suspended knows where the
/// variables of its thread lie.
const RESTS: u8 = 1;
/// It unwinds those whose handles have died.
const UNWINDS: u8 = 2;

/// Waits until fibres of this thread are to be unwound.
unsafe fn rest(domain: *mut Domain) {
    // SAFETY: domains are never freed, and only this thread rests here. The others post what is a semaphore before they
    // can know that it rests.
    unsafe {
        let wake = (*domain).wake.get();
        libc::sem_init(wake, 0, 0);
        (*domain).after.store(RESTS, Ordering::Release);
        while (*domain).after.load(Ordering::Acquire) == RESTS {
            libc::sem_wait(wake);
        }
    }
}

/// Lets threads that rest unwind what has died of their fibres.
fn wake_resting() {
    for it in all() {
        // SAFETY: domains are never freed; `rest` has made the semaphore.
        unsafe {
            if !(*it).dead_elsewhere.load(Ordering::Acquire).is_null()
                && (*it)
                    .after
                    .compare_exchange(RESTS, UNWINDS, Ordering::AcqRel, Ordering::Relaxed)
                    .is_ok()
            {
                libc::sem_post((*it).wake.get());
            }
        }
    }
}

/// The same, and waits for them.
pub(crate) fn settle_resting() {
    if !are_there() {
        return;
    }
    epoch::away(|| {
        // SAFETY: domains are never freed.
        let is_dead = |it: *mut Domain| unsafe {
            let waits = !(*it).dead_elsewhere.load(Ordering::Acquire).is_null();
            let is_away = (*it).seen.load(Ordering::Acquire) == epoch::AWAY;
            waits && is_away && it != current() && (*it).is_used.load(Ordering::Acquire)
        };
        // A thread whose code has returned may take a moment to rest. One that waits for something unwinds later.
        for turns in 0..1200 {
            wake_resting();
            if !all().any(is_dead) {
                break;
            }
            pause(turns);
        }
        // SAFETY: as above.
        let unwinds = |it: *mut Domain| unsafe { (*it).after.load(Ordering::Acquire) == UNWINDS };
        let mut turns = 0;
        while all().any(unwinds) {
            turns += 1;
            pause(turns);
        }
    });
}

/// Gives threads that have nothing left to do some time to end; whether this one is the last.
pub(crate) fn wait_for_others() -> bool {
    let is_last = || {
        // SAFETY: domains are never freed.
        !are_there()
            || all().filter(|it| unsafe { (**it).is_used.load(Ordering::Acquire) }).count() == 1
    };
    (1..2000).any(|turns| {
        let is_last = is_last();
        if !is_last {
            pause(turns);
        }
        is_last
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_domain_self() -> i64 {
    if !are_there() {
        return 0;
    }
    // SAFETY: the number of a domain changes only when no thread has it.
    unsafe { (*current()).number }
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_domain_slot() -> i64 {
    if !are_there() {
        return 0;
    }
    // SAFETY: it is set once.
    unsafe { (*current()).index }
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_domain_relax() {
    core::hint::spin_loop();
    epoch::pass();
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_domain_yield() {
    epoch::pass();
    // SAFETY: it has no precondition.
    unsafe { libc::sched_yield() };
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_domain_delay(seconds: f64) {
    if seconds.is_nan() || seconds <= 0.0 {
        return oxbow_domain_yield();
    }
    let seconds = seconds.min(1e9);
    let whole = seconds as i64;
    let mut time =
        libc::timespec { tv_sec: whole, tv_nsec: ((seconds - whole as f64) * 1e9) as i64 };
    epoch::away(|| {
        // SAFETY: both are variables of the type. A signal leaves the rest of the time in it.
        unsafe { while libc::nanosleep(&time, &mut time) != 0 {} }
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_domain_cores() -> i64 {
    // SAFETY: the set has the size that is told.
    unsafe {
        let mut set: libc::cpu_set_t = core::mem::zeroed();
        if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) == 0 {
            return i64::from(libc::CPU_COUNT(&set)).max(1);
        }
        libc::sysconf(libc::_SC_NPROCESSORS_ONLN).max(1)
    }
}

/// A lock that a thread may take several times, for what all domains have in common.
pub(crate) struct Reentrant {
    /// The address of the domain that has it.
    owner: AtomicUsize,
    depth: UnsafeCell<usize>,
}

// SAFETY: the depth is used by the thread that has the lock.
unsafe impl Sync for Reentrant {}

impl Reentrant {
    pub const fn new() -> Self {
        Self { owner: AtomicUsize::new(0), depth: UnsafeCell::new(0) }
    }

    pub fn lock(&self) {
        let me = current() as usize;
        if self.owner.load(Ordering::Relaxed) != me {
            let mut turns = 0;
            while self.owner.compare_exchange(0, me, Ordering::Acquire, Ordering::Relaxed).is_err()
            {
                turns += 1;
                pause(turns);
            }
        }
        // SAFETY: this thread has the lock.
        unsafe { *self.depth.get() += 1 };
    }

    /// Unlocks it, unless this thread has given it up.
    pub fn unlock(&self) {
        if self.owner.load(Ordering::Relaxed) != current() as usize {
            return;
        }
        // SAFETY: this thread has the lock.
        unsafe {
            *self.depth.get() -= 1;
            if *self.depth.get() == 0 {
                self.owner.store(0, Ordering::Release);
            }
        }
    }
}

impl Reentrant {
    /// Unlocks it as often as this thread has locked it.
    pub fn give_up(&self) {
        if self.owner.load(Ordering::Relaxed) == current() as usize {
            // SAFETY: this thread has the lock.
            unsafe { *self.depth.get() = 0 };
            self.owner.store(0, Ordering::Release);
        }
    }
}

/// Waits a little, and leaves the processor to others after a while.
pub(crate) fn pause(turns: usize) {
    if turns < 100 {
        core::hint::spin_loop();
    } else if turns < 1000 {
        // SAFETY: it has no precondition.
        unsafe { libc::sched_yield() };
    } else {
        let time = libc::timespec { tv_sec: 0, tv_nsec: 50_000 };
        // SAFETY: the time is a variable of the type.
        unsafe { libc::nanosleep(&time, null_mut()) };
    }
}

#[cfg(test)]
mod tests {
    use oxbow_abi::{ObjectKind, SHARED, Shape};

    use super::*;
    use crate::heap::{add_references, allocate, drop_reference, header_of};
    use crate::shared::{is_shared, oxbow_publish, oxbow_shared_store};
    use crate::testing::program;

    /// What the other thread works with.
    static PLACE: AtomicPtr<u8> = AtomicPtr::new(null_mut());
    static STEP: AtomicUsize = AtomicUsize::new(0);

    fn wait_for(step: usize) {
        let mut turns = 0;
        while STEP.load(Ordering::SeqCst) != step {
            turns += 1;
            pause(turns);
        }
    }

    unsafe fn tuple(fields: [*mut u8; 2]) -> *mut u8 {
        let shape = Shape { kind: ObjectKind::Tuple, tag: 0, words: 2, pointers: 0b11 };
        unsafe {
            let object = allocate(16, shape.header());
            object.cast::<[*mut u8; 2]>().write(fields);
            object
        }
    }

    unsafe extern "C" fn idle() {}

    unsafe extern "C" fn drops_what_is_there() {
        assert_eq!(oxbow_domain_self(), 7);
        unsafe { drop_reference(PLACE.load(Ordering::SeqCst)) };
        STEP.store(1, Ordering::SeqCst);
    }

    /// Looks at what is there until it is told to go on.
    unsafe extern "C" fn looks_for_a_while() {
        STEP.store(1, Ordering::SeqCst);
        wait_for(2);
        epoch::pass();
        STEP.store(3, Ordering::SeqCst);
        wait_for(4);
    }

    #[test]
    fn what_is_published_is_shared_with_all_that_it_reaches() {
        let _program = program();
        unsafe {
            set_entry(Some(idle));
            let constant = 1 as *mut u8;
            let inner = tuple([constant, nothing()]);
            add_references(inner, 1);
            let outer = tuple([inner, constant]);
            let alone = tuple([inner, constant]);
            oxbow_publish(outer);
            assert_eq!(header_of(outer) as i32, SHARED - 1);
            assert_eq!(header_of(inner) as i32, SHARED - 2);
            assert!(is_shared(outer) && is_shared(inner) && !is_shared(alone));
            drop_reference(outer);
            assert_eq!(header_of(inner) as i32, SHARED - 1);
            drop_reference(alone);
            // The last reference freed it: its cell is the first again.
            let cells = [tuple([constant; 2]), tuple([constant; 2]), tuple([constant; 2])];
            assert!([outer, inner, alone].iter().all(|it| cells.contains(it)));
            set_entry(None);
        }
    }

    #[test]
    fn cells_that_others_free_come_home() {
        let _program = program();
        unsafe {
            set_entry(Some(drops_what_is_there));
            STEP.store(0, Ordering::SeqCst);
            let object = tuple([1 as *mut u8; 2]);
            oxbow_publish(object);
            PLACE.store(object, Ordering::SeqCst);
            assert_eq!(oxbow_domain_spawn(7), 0);
            wait_for(1);
            collect_cells();
            assert_eq!(tuple([1 as *mut u8; 2]), object);
            assert!(wait_for_others());
            set_entry(None);
        }
    }

    #[test]
    fn what_a_store_replaces_waits_for_those_who_may_look_at_it() {
        let _program = program();
        unsafe {
            set_entry(Some(looks_for_a_while));
            STEP.store(0, Ordering::SeqCst);
            let constant = 1 as *mut u8;
            let holder = tuple([constant; 2]);
            let old = tuple([constant; 2]);
            add_references(old, 1);
            oxbow_shared_store(holder, old);
            assert_eq!(header_of(old) as i32, SHARED - 2);
            assert_eq!(oxbow_domain_spawn(8), 0);
            wait_for(1);
            oxbow_shared_store(holder, constant);
            let fill = || {
                for _ in 0..2000 {
                    oxbow_shared_store(holder, tuple([constant; 2]));
                }
            };
            fill();
            assert_eq!(header_of(old) as i32, SHARED - 2, "the other domain may look at it");
            STEP.store(2, Ordering::SeqCst);
            wait_for(3);
            fill();
            STEP.store(4, Ordering::SeqCst);
            assert!(wait_for_others());
            oxbow_shared_store(holder, constant);
            epoch::drop_rest();
            assert_eq!(header_of(old) as i32, SHARED - 1, "nobody looks at it any more");
            drop_reference(old);
            set_entry(None);
        }
    }
}
