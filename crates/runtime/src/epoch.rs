//! When what a store has replaced in a shared object can be dropped (decision 111).
//!
//! A domain may read a place of a shared object while another one puts something else there. What it has read it can
//! use without a count of its own for a while, or is about to count. So the reference that the place had is not dropped
//! at once: it waits until every domain has passed a point where it holds nothing that it has only looked at.
//!
//! ```text
//! place: old ─▶ new      old waits with epoch e     every domain has seen e, or is away     drop old
//! ```
//!
//! Such points are the stores themselves, and the calls that wait for others (`Effects::Switches`): there compiled
//! code keeps nothing that it has not counted. A domain that waits for a mutex or sleeps is away, and keeps nobody
//! waiting.
//!
//! Who wants everything to be dropped that can be ([`settle`], for `Gc.full_major`) begins an epoch: whoever passes
//! such a point then, or goes away, leaves what waits to all, and one epoch later it is dropped.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence};

use crate::domain::{self, Domain};
use crate::grow::Grow;
use crate::heap::drop_reference;

/// In place of an epoch: the domain runs no code of the program.
pub(crate) const AWAY: u64 = u64::MAX;
/// So many references are looked at together.
const BATCH: usize = 256;

/// For so long a collection waits for domains that pass no such point, in milliseconds.
const PATIENCE: u64 = 1000;

static EPOCH: AtomicU64 = AtomicU64::new(1);
/// How many domains wait in `settle`.
static SETTLING: AtomicUsize = AtomicUsize::new(0);
/// Domains that are not away.
static PRESENT: AtomicUsize = AtomicUsize::new(0);

/// References that wait to be dropped.
pub(crate) struct Replaced {
    /// Since the last batch was closed.
    new: Grow<*mut u8>,
    /// These wait for `epoch`.
    closed: Grow<*mut u8>,
    epoch: u64,
}

impl Replaced {
    pub const fn new() -> Self {
        Self { new: Grow::new(), closed: Grow::new(), epoch: 0 }
    }

    fn close(&mut self) {
        core::mem::swap(&mut self.new, &mut self.closed);
        self.epoch = EPOCH.fetch_add(1, Ordering::SeqCst) + 1;
    }
}

/// What domains have left that ended.
struct Orphans {
    is_locked: AtomicBool,
    replaced: UnsafeCell<Replaced>,
}

// SAFETY: it is used by whoever has locked it.
unsafe impl Sync for Orphans {}

static ORPHANS: Orphans =
    Orphans { is_locked: AtomicBool::new(false), replaced: UnsafeCell::new(Replaced::new()) };

impl Orphans {
    /// Does something with the list while nobody else has it: nothing that drops references.
    fn with<T>(&self, change: impl FnOnce(&mut Replaced) -> T) -> T {
        let mut turns = 0;
        while self.is_locked.swap(true, Ordering::Acquire) {
            turns += 1;
            domain::pause(turns);
        }
        // SAFETY: it is locked.
        let result = change(unsafe { &mut *self.replaced.get() });
        self.is_locked.store(false, Ordering::Release);
        result
    }
}

/// The domain begins, or goes on, to run code of the program.
pub(crate) unsafe fn enter(domain: *mut Domain) {
    PRESENT.fetch_add(1, Ordering::SeqCst);
    // SAFETY: domains are never freed.
    unsafe { (*domain).seen.store(EPOCH.load(Ordering::SeqCst), Ordering::SeqCst) };
    fence(Ordering::SeqCst);
}

/// The same for the first domain of a program: there is no other.
pub(crate) unsafe fn enter_first(domain: *mut Domain) {
    PRESENT.store(0, Ordering::SeqCst);
    // SAFETY: as for `enter`.
    unsafe { enter(domain) };
}

/// The domain stops running code of the program.
pub(crate) unsafe fn leave(domain: *mut Domain) {
    // SAFETY: domains are never freed, and this one is the caller's.
    unsafe {
        abandon(domain);
        (*domain).seen.store(AWAY, Ordering::SeqCst);
    }
    PRESENT.fetch_sub(1, Ordering::SeqCst);
}

/// Waits for something, by code that is not the program's.
pub(crate) fn away<T>(wait: impl FnOnce() -> T) -> T {
    if !domain::are_there() {
        return wait();
    }
    // SAFETY: the domain is this thread's.
    unsafe {
        leave(domain::current());
        let result = wait();
        enter(domain::current());
        result
    }
}

/// This domain holds nothing here that it has only looked at.
#[inline]
pub(crate) fn pass() {
    if !domain::are_there() {
        return;
    }
    // SAFETY: the domain is this thread's.
    unsafe {
        let seen = &(*domain::current()).seen;
        let epoch = EPOCH.load(Ordering::Acquire);
        if seen.load(Ordering::Relaxed) != epoch {
            if SETTLING.load(Ordering::SeqCst) > 0 {
                abandon(domain::current());
            }
            seen.store(epoch, Ordering::Release);
            fence(Ordering::SeqCst);
        }
    }
}

/// Have all domains passed such a point since the epoch began?
fn is_over(epoch: u64) -> bool {
    fence(Ordering::SeqCst);
    // SAFETY: domains are never freed.
    domain::all().all(|it| unsafe { (*it).seen.load(Ordering::Acquire) } >= epoch)
}

/// Drops the reference that a place of a shared object had to `old`, when nobody can look at it any more.
pub(crate) unsafe fn retire(old: *mut u8) {
    pass();
    // SAFETY: the reference is the caller's. Nothing is borrowed from the lists while references are dropped, which
    // may come back here.
    unsafe {
        // Who comes after this was asked finds what is there instead.
        if PRESENT.load(Ordering::SeqCst) == 1 {
            return drop_reference(old);
        }
        let replaced = &mut (*domain::current()).replaced;
        replaced.new.push(old);
        if replaced.new.len().is_multiple_of(BATCH) {
            drop_replaced();
        }
    }
}

/// Drops what can be dropped.
unsafe fn drop_replaced() {
    // SAFETY: as in `retire`; the orphans are used only while they are locked.
    unsafe {
        let replaced = &raw mut (*domain::current()).replaced;
        if (*replaced).closed.len() > 0 && is_over((*replaced).epoch) {
            let dead = (*replaced).closed.take();
            drop_all(dead);
        }
        if (*replaced).closed.len() == 0 && (*replaced).new.len() >= BATCH {
            (*replaced).close();
        }
        if ORPHANS.is_locked.swap(true, Ordering::Acquire) {
            return;
        }
        let orphans = ORPHANS.replaced.get();
        let dead = match (*orphans).closed.len() > 0 && is_over((*orphans).epoch) {
            true => (*orphans).closed.take(),
            false => Grow::new(),
        };
        if (*orphans).closed.len() == 0 && (*orphans).new.len() > 0 {
            (*orphans).close();
        }
        ORPHANS.is_locked.store(false, Ordering::Release);
        drop_all(dead);
    }
}

unsafe fn drop_all(dead: Grow<*mut u8>) {
    // SAFETY: each reference is dropped once.
    unsafe { dead.as_slice().iter().for_each(|&it| drop_reference(it)) };
    dead.free();
}

/// What the domain has replaced is left to others: it has ended, or goes away.
pub(crate) unsafe fn abandon(domain: *mut Domain) {
    // SAFETY: the thread of the domain calls this, and nothing is dropped meanwhile.
    unsafe {
        let replaced = &mut (*domain).replaced;
        if replaced.new.len() + replaced.closed.len() == 0 {
            return;
        }
        ORPHANS.with(|orphans| {
            for &it in replaced.new.as_slice().iter().chain(replaced.closed.as_slice()) {
                orphans.new.push(it);
            }
        });
        replaced.new.truncate(0);
        replaced.closed.truncate(0);
    }
}

/// Begins an epoch, and waits until all domains have seen it; or not for ever.
fn all_pass(patience: &mut u64) -> bool {
    let epoch = EPOCH.fetch_add(1, Ordering::SeqCst) + 1;
    let mut turns = 0;
    loop {
        pass();
        if is_over(epoch) {
            return true;
        }
        if turns < 1000 {
            turns += 1;
            domain::pause(turns);
        } else if *patience == 0 {
            return false;
        } else {
            *patience -= 1;
            // SAFETY: it has no precondition.
            unsafe { libc::usleep(1000) };
        }
    }
}

/// Drops all that stores of any domain have replaced by now. The program is at a point where it holds nothing that it
/// has only looked at. A domain that computes, or reads from somewhere, for longer than `PATIENCE` is not waited for;
/// then that stays which it could still be looking at.
pub(crate) unsafe fn settle() {
    if !domain::are_there() {
        return;
    }
    let mut patience = PATIENCE;
    SETTLING.fetch_add(1, Ordering::SeqCst);
    // Others go on to replace; the second round is for what was replaced while the first one dropped.
    for _ in 0..2 {
        // SAFETY: the domain is this thread's.
        unsafe { abandon(domain::current()) };
        let are_left = all_pass(&mut patience);
        let (new, closed) = ORPHANS.with(|it| (it.new.take(), it.closed.take()));
        if new.len() + closed.len() == 0 {
            break;
        }
        if !(are_left && all_pass(&mut patience)) {
            ORPHANS.with(|it| {
                new.as_slice().iter().chain(closed.as_slice()).for_each(|&old| it.new.push(old));
            });
            new.free();
            closed.free();
            break;
        }
        // SAFETY: every domain has passed a point of rest since the references were replaced.
        unsafe {
            drop_all(new);
            drop_all(closed);
        }
    }
    SETTLING.fetch_sub(1, Ordering::SeqCst);
    domain::settle_resting();
}

/// Drops all that this domain and those that have ended have replaced, if it is the only one that runs.
pub(crate) unsafe fn drop_rest() {
    if !domain::are_there() {
        return;
    }
    // SAFETY: as in `drop_replaced`. Nobody else looks at anything.
    unsafe {
        while PRESENT.load(Ordering::SeqCst) == 1 {
            let replaced = &raw mut (*domain::current()).replaced;
            let (new, closed) = ((*replaced).new.take(), (*replaced).closed.take());
            let mut found = new.len() + closed.len();
            drop_all(new);
            drop_all(closed);
            if !ORPHANS.is_locked.swap(true, Ordering::Acquire) {
                let orphans = ORPHANS.replaced.get();
                let (new, closed) = ((*orphans).new.take(), (*orphans).closed.take());
                ORPHANS.is_locked.store(false, Ordering::Release);
                found += new.len() + closed.len();
                drop_all(new);
                drop_all(closed);
            }
            if found == 0 {
                return;
            }
        }
    }
}
