//! Mutexes, conditions, and the short locks behind `Atomic` and channels.
//!
//! A mutex is the bytes of one of C's, in an object of the program: objects do not move. Results are error numbers, 0
//! if all is well.

use core::sync::atomic::{AtomicBool, Ordering};

use libc::{pthread_cond_t, pthread_mutex_t};

use crate::domain::{self, Reentrant, pause};
use crate::epoch;
use crate::object::data;

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_mutex_size() -> i64 {
    size_of::<pthread_mutex_t>() as i64
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_mutex_init(mutex: *mut u8) {
    // SAFETY: the library passes bytes of the size, aligned to a word, which nobody uses yet.
    unsafe {
        let mut attributes = core::mem::MaybeUninit::<libc::pthread_mutexattr_t>::uninit();
        libc::pthread_mutexattr_init(attributes.as_mut_ptr());
        libc::pthread_mutexattr_settype(attributes.as_mut_ptr(), libc::PTHREAD_MUTEX_ERRORCHECK);
        libc::pthread_mutex_init(data(mutex).cast(), attributes.as_ptr());
        libc::pthread_mutexattr_destroy(attributes.as_mut_ptr());
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_mutex_lock(mutex: *mut u8) -> i64 {
    // SAFETY: the library passes bytes that `oxbow_mutex_init` has filled in; whoever calls keeps them alive.
    unsafe {
        let mutex = data(mutex).cast::<pthread_mutex_t>();
        epoch::pass();
        if libc::pthread_mutex_trylock(mutex) == 0 {
            return 0;
        }
        epoch::away(|| libc::pthread_mutex_lock(mutex)).into()
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_mutex_try_lock(mutex: *mut u8) -> i64 {
    epoch::pass();
    // SAFETY: as in `oxbow_mutex_lock`.
    unsafe { libc::pthread_mutex_trylock(data(mutex).cast()).into() }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_mutex_unlock(mutex: *mut u8) -> i64 {
    epoch::pass();
    // SAFETY: as in `oxbow_mutex_lock`.
    unsafe { libc::pthread_mutex_unlock(data(mutex).cast()).into() }
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_condition_size() -> i64 {
    size_of::<pthread_cond_t>() as i64
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_condition_init(condition: *mut u8) {
    // SAFETY: the library passes bytes of the size, aligned to a word, which nobody uses yet.
    unsafe { libc::pthread_cond_init(data(condition).cast(), core::ptr::null()) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_condition_wait(condition: *mut u8, mutex: *mut u8) -> i64 {
    // SAFETY: the library passes bytes that were filled in; whoever calls keeps them alive.
    unsafe {
        let (condition, mutex) = (data(condition).cast(), data(mutex).cast());
        epoch::away(|| libc::pthread_cond_wait(condition, mutex)).into()
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_condition_signal(condition: *mut u8, all: i64) {
    epoch::pass();
    // SAFETY: as in `oxbow_condition_wait`.
    unsafe {
        let condition = data(condition).cast::<pthread_cond_t>();
        match all {
            0 => libc::pthread_cond_signal(condition),
            _ => libc::pthread_cond_broadcast(condition),
        };
    }
}

/// One lock, in a cache line of its own.
#[repr(align(64))]
struct Short(AtomicBool);

const LOCKS: usize = 256;
static SHORT: [Short; LOCKS] = [const { Short(AtomicBool::new(false)) }; LOCKS];

/// The lock of an object.
fn short(object: *mut u8) -> &'static AtomicBool {
    // Objects side by side have different locks; the smallest has 16 bytes.
    let number = (object as usize >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
    &SHORT[number % LOCKS].0
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_atomic_lock(object: *mut u8) {
    epoch::pass();
    let lock = short(object);
    let mut turns = 0;
    while lock.swap(true, Ordering::SeqCst) {
        while lock.load(Ordering::Relaxed) {
            turns += 1;
            pause(turns);
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_atomic_unlock(object: *mut u8) {
    // What was written under the lock is seen by all before anything is read behind it: atomics have one order.
    short(object).swap(false, Ordering::SeqCst);
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_atomic_fence() {
    epoch::pass();
    // On x86, loads are in order among themselves, and behind the locked operations of whoever writes.
    #[cfg(target_arch = "x86_64")]
    core::sync::atomic::compiler_fence(Ordering::SeqCst);
    #[cfg(not(target_arch = "x86_64"))]
    core::sync::atomic::fence(Ordering::SeqCst);
}

/// For output and input.
static CHANNELS: [Reentrant; 2] = [const { Reentrant::new() }; 2];

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_channels_lock(which: i64) {
    if domain::are_there() {
        epoch::pass();
        CHANNELS[usize::from(which != 0)].lock();
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_channels_unlock(which: i64) {
    if domain::are_there() {
        match which {
            0 => CHANNELS[0].unlock(),
            1 => CHANNELS[1].unlock(),
            _ => CHANNELS.iter().for_each(Reentrant::give_up),
        }
    }
}
