//! Variables that every thread has for itself.
//!
//! ```text
//! thread's pointer + distance ─▶ oxbow_thread: domain | what runs | limit of the stack | …
//! ```
//!
//! Rust has none without its standard library, so they are written in assembly. The runtime is part of an executable,
//! never of a shared library: so the distance is known when it is linked.

use core::ffi::c_char;
use core::mem::offset_of;
use core::ptr::{null, null_mut, with_exposed_provenance_mut};

use oxbow_abi::fibers::thread as offsets;

use crate::domain::Domain;
use crate::switch::Turn;

/// The layout of `oxbow_thread`; [`crate::switch`] knows it, too.
#[repr(C)]
pub(crate) struct Thread {
    pub domain: *mut Domain,
    /// What runs: a fibre, or `root`.
    pub turn: *mut Turn,
    /// The address below which `oxbow_stack_low` says so.
    pub stack_limit: usize,
    /// The top of the stack on which frames of fibres are moved ([`crate::fiber_stack::place`]); null if there was none
    /// yet.
    pub aside: *mut u8,
    /// The thread's own stack.
    pub root: Turn,
    /// For compiled code that finds the frames of a fibre elsewhere: [`crate::switch::go_after_placing`].
    pub place: unsafe extern "C" fn(),
    /// What [`crate::places`] has for programs with domains.
    pub site: *const c_char,
    pub caller: *const c_char,
}

// The numbers in assembly, here and in `switch`, and what compiled code knows.
const _: () = assert!(
    size_of::<Thread>() == 88
        && size_of::<Thread>() == offsets::SIZE
        && offset_of!(Thread, domain) == 0
        && offset_of!(Thread, turn) == 8
        && offset_of!(Thread, turn) == offsets::TURN
        && offset_of!(Thread, stack_limit) == 16
        && offset_of!(Thread, stack_limit) == offsets::STACK_LIMIT
        && offset_of!(Thread, aside) == 24
        && offset_of!(Thread, aside) == offsets::ASIDE
        && offset_of!(Thread, place) == 64
        && offset_of!(Thread, place) == offsets::PLACE
        && offset_of!(Thread, site) == offsets::SITE
        && offset_of!(Thread, caller) == offsets::CALLER
);

core::arch::global_asm!(
    ".pushsection .tbss,\"awT\",@nobits",
    ".p2align 3",
    ".globl oxbow_thread",
    ".hidden oxbow_thread",
    ".type oxbow_thread, @object",
    ".size oxbow_thread, 88",
    "oxbow_thread:",
    ".zero 88",
    ".popsection",
);

/// The variables of this thread, and how far they are from its pointer.
#[inline]
fn place() -> (*mut Thread, isize) {
    let (address, thread): (usize, usize);
    // SAFETY: it computes an address.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        core::arch::asm!(
            "mov {thread}, qword ptr fs:[0]",
            "lea {address}, [{thread} + oxbow_thread@TPOFF]",
            thread = out(reg) thread,
            address = out(reg) address,
            options(pure, nomem, nostack, preserves_flags),
        );
        #[cfg(target_arch = "aarch64")]
        core::arch::asm!(
            "mrs {thread}, tpidr_el0",
            "add {address}, {thread}, #:tprel_hi12:oxbow_thread, lsl #12",
            "add {address}, {address}, #:tprel_lo12_nc:oxbow_thread",
            thread = out(reg) thread,
            address = out(reg) address,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    (with_exposed_provenance_mut(address), (address as isize).wrapping_sub(thread as isize))
}

/// The variables of this thread.
#[inline]
pub(crate) fn current() -> *mut Thread {
    place().0
}

/// How far they are from the thread's pointer.
pub(crate) fn distance() -> i64 {
    place().1 as i64
}

/// A thread begins to run code of this domain, or of a program without domains.
pub(crate) unsafe fn begin(domain: *mut Domain) {
    // SAFETY: the variables are this thread's.
    unsafe {
        let thread = current();
        let root = Turn::new();
        thread.write(Thread {
            domain,
            turn: &raw mut (*thread).root,
            stack_limit: 0,
            aside: null_mut(),
            root,
            place: crate::switch::go_after_placing,
            site: null(),
            caller: null(),
        });
    }
}
