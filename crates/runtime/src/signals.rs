//! Faults: a program that has used up its stack touches the guard below it.
//!
//! The handler runs on the signal stack. For a fault in the guard it leaves the
//! program's stack for good and makes [`switch::run`] return [`OVERFLOW`]. Every other
//! fault gets the default action, as if there were no handler.
//!
//! The handler does not return in the normal way when it leaves, so the signals must
//! not be blocked while it runs (`SA_NODEFER`).

use core::mem::MaybeUninit;
use core::ptr::{null, null_mut};

use libc::c_int;

use crate::stack::{SIGNAL_STACK, Stack};
use crate::{domain, switch};

/// The status of a run that ended in the guard.
pub(crate) const OVERFLOW: c_int = 1;

const FAULTS: [c_int; 2] = [libc::SIGSEGV, libc::SIGBUS];

/// What was set before, to be put back in the end.
pub(crate) struct Handlers {
    actions: [MaybeUninit<libc::sigaction>; FAULTS.len()],
    signal_stack: MaybeUninit<libc::stack_t>,
}

/// Catches faults in the guard of `stack`.
pub(crate) unsafe fn install(stack: &Stack) -> Handlers {
    let mut before = Handlers {
        actions: [MaybeUninit::zeroed(); FAULTS.len()],
        signal_stack: MaybeUninit::zeroed(),
    };
    // SAFETY: all zeros is a `sigaction`: no handler, no flags, no signals. The handler has the parameters that
    // `SA_SIGINFO` asks for, and the signal stack is mapped as long as `stack` lives: until `restore`, in `start`.
    unsafe {
        (*domain::local()).guard = stack.guard();
        libc::sigaltstack(&stack.signal_stack(), before.signal_stack.as_mut_ptr());
        let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
        action.sa_sigaction = on_fault as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
        for (signal, old) in FAULTS.iter().zip(&mut before.actions) {
            libc::sigaction(*signal, &action, old.as_mut_ptr());
        }
    }
    before
}

/// Puts back what [`install`] replaced.
pub(crate) unsafe fn restore(before: &Handlers) {
    // SAFETY: `install` has had the system fill it in; where that failed, it is all zeros, which means the default.
    unsafe {
        for (signal, old) in FAULTS.iter().zip(&before.actions) {
            libc::sigaction(*signal, old.as_ptr(), null_mut());
        }
        libc::sigaltstack(before.signal_stack.as_ptr(), null_mut());
        (*domain::local()).guard = 0..0;
    }
}

/// The same in another thread of the program: faults are caught already, on the signal stack of the thread.
pub(crate) unsafe fn install_stack(stack: &Stack) {
    // SAFETY: the signal stack is mapped as long as `stack` lives: until `remove_stack`.
    unsafe {
        (*domain::local()).guard = stack.guard();
        libc::sigaltstack(&stack.signal_stack(), null_mut());
    }
}

/// The thread ends.
pub(crate) unsafe fn remove_stack() {
    let none =
        libc::stack_t { ss_sp: null_mut(), ss_flags: libc::SS_DISABLE, ss_size: SIGNAL_STACK };
    // SAFETY: no signal is handled.
    unsafe {
        libc::sigaltstack(&none, null_mut());
        (*domain::local()).guard = 0..0;
    }
}

/// Runs `code` on `stack`: 0 when it returns, [`OVERFLOW`] when the stack did not suffice.
pub(crate) unsafe fn run(code: unsafe extern "C" fn(), stack: &Stack) -> c_int {
    // SAFETY: the top is aligned, nothing else runs on the stack, and the caller says that the code can be called.
    unsafe { switch::run(code, stack.top(), &raw mut (*domain::local()).saved) }
}

unsafe extern "C" fn on_fault(signal: c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the system passes what it knows of the fault. Only code within `run` can touch the
    // guard of its thread: so `saved` is of a call that has not returned, and what is left there are frames of compiled
    // code and of functions that it called, which have nothing to undo.
    unsafe {
        let address = (*info).si_addr() as usize;
        let local = domain::local();
        let guard = &raw const (*local).guard;
        // Positive codes come from the processor, others from processes.
        let is_fault = (*info).si_code > 0;
        if is_fault && (*guard).start <= address && address < (*guard).end {
            switch::abandon((*local).saved, OVERFLOW);
        }
        libc::signal(signal, libc::SIG_DFL);
        if !is_fault {
            libc::raise(signal);
        }
        // The faulting instruction is run again, and faults without a handler.
    }
}

/// Lets a write to a closed pipe end the process, as it does by default. A compiled
/// program inherits this setting like any other; a host that runs a program in its own
/// process and ignores the signal itself (as Rust programs do) calls this first.
pub fn reset_sigpipe() {
    // SAFETY: all zeros is a `sigaction`, and the default action calls nothing of ours.
    unsafe {
        let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
        action.sa_sigaction = libc::SIG_DFL;
        libc::sigaction(libc::SIGPIPE, &action, null::<libc::sigaction>().cast_mut());
    }
}

/// Leaves signals to the other threads of the process: a program that runs in one of them sees its own as soon as they
/// are sent, as it does when it is alone.
pub fn leave_signals() {
    let mut all = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: the set is filled before it is read, and blocking signals in this thread touches no memory of ours.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_BLOCK, all.as_ptr(), null::<libc::sigset_t>().cast_mut());
    }
}
