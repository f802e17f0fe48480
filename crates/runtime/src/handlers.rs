//! Signals that functions of the program handle.
//!
//! ```text
//! a signal comes ─▶ its bit is set ─▶ the program looks at the bits where it polls ─▶ it calls the function there
//! ```
//!
//! A function of the program cannot be called at any moment: objects may lack fields, and counts may be wrong. So
//! the handler of the system only notes the number (`passes::poll_signals` says where the program looks).

use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicU64, Ordering};

use libc::c_int;

use crate::io::last_error;

/// A bit for each signal that has come and was not taken, from signal 1 on.
static PENDING: AtomicU64 = AtomicU64::new(0);
/// Those whose functions run.
static RUNNING: AtomicU64 = AtomicU64::new(0);

const DEFAULT: i64 = 0;
const IGNORE: i64 = 1;
const NOTE: i64 = 2;

fn bit(number: c_int) -> u64 {
    1 << (number - 1)
}

/// The thread of the program, which is to be woken where it waits for the system.
static PROGRAM: AtomicU64 = AtomicU64::new(0);

extern "C" fn on_signal(number: c_int) {
    let program = PROGRAM.load(Ordering::Relaxed);
    // SAFETY: the thread is there as long as its program, and both functions may be called in a handler.
    unsafe {
        // A compiler that runs the program has other threads, any of which may get a signal.
        if libc::pthread_self() as u64 != program {
            libc::pthread_kill(program as libc::pthread_t, number);
            return;
        }
    }
    PENDING.fetch_or(bit(number), Ordering::Relaxed);
}

fn waiting() -> u64 {
    PENDING.load(Ordering::Relaxed) & !RUNNING.load(Ordering::Relaxed)
}

/// Is there a signal whose function should be called before a call of the system is tried again?
pub(crate) fn is_pending() -> bool {
    waiting() != 0
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_signal_set(number: i64, what: i64) -> i64 {
    let number = number as c_int;
    if !(1..=64).contains(&number) {
        return -i64::from(libc::EINVAL);
    }
    // SAFETY: it has no precondition.
    PROGRAM.store(unsafe { libc::pthread_self() } as u64, Ordering::Relaxed);
    // SAFETY: all zeros is a `sigaction`: no handler, no flags, no signals; the handler takes the number, as one
    // without `SA_SIGINFO` does, and touches nothing but the bits.
    unsafe {
        let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
        let mut before: libc::sigaction = MaybeUninit::zeroed().assume_init();
        action.sa_sigaction = match what {
            DEFAULT => libc::SIG_DFL,
            IGNORE => libc::SIG_IGN,
            _ => on_signal as *const () as usize,
        };
        // Calls of the system are interrupted, so that the program gets to know.
        action.sa_flags = libc::SA_ONSTACK;
        if libc::sigaction(number, &action, &mut before) < 0 {
            return -i64::from(last_error());
        }
        match before.sa_sigaction {
            libc::SIG_IGN => IGNORE,
            it if it == on_signal as *const () as usize => NOTE,
            _ => DEFAULT,
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_signal_pending() -> u8 {
    u8::from(is_pending())
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_signal_take() -> i64 {
    let waiting = waiting();
    if waiting == 0 {
        return 0;
    }
    let number = waiting.trailing_zeros() as c_int + 1;
    PENDING.fetch_and(!bit(number), Ordering::Relaxed);
    RUNNING.fetch_or(bit(number), Ordering::Relaxed);
    number.into()
}

#[unsafe(no_mangle)]
pub extern "C" fn oxbow_signal_done(number: i64) {
    RUNNING.fetch_and(!bit(number as c_int), Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::program;

    #[test]
    fn a_signal_is_noted_until_it_is_taken() {
        let _program = program();
        let number = i64::from(libc::SIGUSR2);
        assert_eq!(oxbow_signal_set(number, NOTE), DEFAULT);
        assert_eq!((oxbow_signal_pending(), oxbow_signal_take()), (0, 0));
        unsafe { libc::raise(libc::SIGUSR2) };
        assert_eq!((oxbow_signal_pending(), oxbow_signal_take()), (1, number));
        unsafe { libc::raise(libc::SIGUSR2) };
        assert_eq!((oxbow_signal_pending(), oxbow_signal_take()), (0, 0));
        oxbow_signal_done(number);
        assert_eq!(oxbow_signal_take(), number);
        oxbow_signal_done(number);
        assert_eq!(oxbow_signal_set(number, IGNORE), NOTE);
        assert_eq!(oxbow_signal_set(number, DEFAULT), IGNORE);
        assert_eq!(oxbow_signal_set(i64::from(libc::SIGKILL), NOTE), -i64::from(libc::EINVAL));
        assert_eq!(oxbow_signal_set(0, NOTE), -i64::from(libc::EINVAL));
    }
}
