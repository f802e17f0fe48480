//! Changing stacks: the only assembly of the runtime.
//!
//! ```text
//! run ──────► saves its registers on the old stack, notes the old stack pointer,
//!             calls the code on the new stack
//!   ◄──────── the code returns: 0
//!   ◄──────── abandon(noted stack pointer, status), from a signal handler: status
//!
//! enter ────► saves its registers and its stack pointer, goes on where the fibre stopped
//!   ◄──────── suspend does the same the other way round; so does begin, when the fibre has ended
//! go ───────► if the frames of what shall run are elsewhere: `fiber::place`, on a stack of its own
//! ```
//!
//! The frame of `run` is found through the frame pointer, so debuggers see through
//! the change of stacks.

use core::mem::offset_of;
use core::ptr::null_mut;

use oxbow_abi::fibers::turn as offsets;

/// Calls `code` with the stack pointer at `top`, which is 16-byte aligned. The stack
/// pointer to give to [`abandon`] is stored in `saved`.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn run(
    code: unsafe extern "C" fn(),
    top: *mut u8,
    saved: *mut *mut u8,
) -> i32 {
    core::arch::naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "push rbx",
        ".cfi_offset rbx, -24",
        "push r12",
        ".cfi_offset r12, -32",
        "push r13",
        ".cfi_offset r13, -40",
        "push r14",
        ".cfi_offset r14, -48",
        "push r15",
        ".cfi_offset r15, -56",
        "mov [rdx], rsp",
        "mov rsp, rsi",
        "call rdi",
        "xor eax, eax",
        "lea rsp, [rbp - 40]",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
    )
}

/// Makes the [`run`] that noted `saved` return `status`.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn abandon(saved: *mut u8, status: i32) -> ! {
    core::arch::naked_asm!(
        "mov eax, esi",
        "mov rsp, rdi",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

/// What the functions below know of a fibre, the first fields of [`crate::fiber::Fiber`], or of a thread's own stack.
#[repr(C)]
pub(crate) struct Turn {
    /// The stack pointer while something else runs.
    pub stack: *mut u8,
    /// What resumed it, and runs again when it suspends itself or ends; null for a thread's own stack.
    pub parent: *mut Turn,
    /// The limit of its stack (`thread::Thread`).
    pub limit: usize,
    /// Its frames do not lie on its stack: before it runs, [`crate::fiber_stack::place`] puts them there.
    pub is_away: usize,
}

// The numbers in the assembly below, and what compiled code knows.
const _: () = assert!(
    offset_of!(Turn, stack) == 0
        && offset_of!(Turn, stack) == offsets::STACK
        && offset_of!(Turn, parent) == 8
        && offset_of!(Turn, parent) == offsets::PARENT
        && offset_of!(Turn, limit) == 16
        && offset_of!(Turn, limit) == offsets::LIMIT
        && offset_of!(Turn, is_away) == 24
        && offset_of!(Turn, is_away) == offsets::IS_AWAY
        && offset_of!(crate::fiber::Fiber, turn) == 0
);

impl Turn {
    pub(crate) const fn new() -> Self {
        Self { stack: null_mut(), parent: null_mut(), limit: 0, is_away: 0 }
    }
}

/// Code that goes on with the fibre `rdi`; its call returns `rsi`. Where the stack pointer of a fibre points, there is
/// the address of the code that goes on, which restores the registers itself.
///
/// Control goes to the other stack by jumps, not by returns: the processor guesses where a return leads from the calls
/// before it, and would guess wrong each time. Compiled code changes stacks without calls, too, so that its calls and
/// returns stay in order (`backend::convert::fibers`): it is what the two functions for fibres below do.
#[cfg(target_arch = "x86_64")]
macro_rules! go_on {
    ($($before:literal),* ; $($argument:tt)*) => {
        core::arch::naked_asm!(
            $($before,)*
            "mov qword ptr fs:[oxbow_thread@TPOFF + 8], rdi",
            "cmp qword ptr [rdi + 24], 0",
            "jne 3f",
            "mov rax, [rdi + 16]",
            "mov qword ptr fs:[oxbow_thread@TPOFF + 16], rax",
            "mov rax, rsi",
            "mov rsp, [rdi]",
            "pop rcx",
            "jmp rcx",
            "2:",
            "mov eax, 2",
            "ret",
            "3:",
            "jmp {}",
            // What runs again when this call returns.
            "4:",
            "pop r15",
            "pop r14",
            "pop r13",
            "pop r12",
            "pop rbx",
            "pop rbp",
            "ret",
            $($argument)*
        )
    };
}

/// Lets a fibre run; its `suspend` returns `answer`. Returns what `suspend` or the end of the fibre says.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn enter(fiber: *mut Turn, answer: i64) -> i64 {
    go_on!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "lea rax, [rip + 4f]",
        "push rax",
        "mov rax, qword ptr fs:[oxbow_thread@TPOFF + 8]",
        "mov [rax], rsp",
        "mov [rdi + 8], rax";
        sym go_after_placing
    )
}

/// Lets the fibre of a handle run until it suspends itself (0) or ends (1).
#[cfg(target_arch = "x86_64")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_fiber_resume(handle: *mut u8) -> i64 {
    // SAFETY: the handle is that of a fibre that has not ended.
    unsafe { enter(handle.cast::<*mut Turn>().read(), 0) }
}

/// Leaves the fibre that runs: 0 if it was resumed, 1 if it has to unwind, 2 if none runs.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_fiber_suspend() -> i64 {
    go_on!(
        "mov rdx, qword ptr fs:[oxbow_thread@TPOFF + 8]",
        "mov rdi, [rdx + 8]",
        "test rdi, rdi",
        "je 2f",
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "lea rax, [rip + 4f]",
        "push rax",
        "mov [rdx], rsp",
        "xor esi, esi";
        sym go_after_placing
    )
}

/// The rest of a change of stacks to a fibre whose frames are elsewhere. All that was running has been saved: its
/// frames may have to make room.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn go_after_placing() {
    core::arch::naked_asm!(
        "mov rsp, qword ptr fs:[oxbow_thread@TPOFF + 24]",
        "push rdi",
        "push rsi",
        "call {place}",
        "pop rsi",
        "pop rdi",
        "jmp {go}",
        place = sym crate::fiber_stack::place,
        go = sym go,
    )
}

#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn go() {
    go_on!(; sym go_after_placing)
}

/// A stack below `top`, which is 16-byte aligned, on which `code` begins when a fibre [`enter`]s it. When it returns
/// its fibre, that has ended: whoever resumed it gets 1.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) unsafe fn prepare(top: *mut u8, code: unsafe extern "C" fn() -> *mut Turn) -> *mut u8 {
    // SAFETY: the caller owns what lies below.
    unsafe {
        let frame = top.cast::<usize>().sub(2);
        frame.write(begin as *const () as usize);
        frame.add(1).write(code as *const () as usize);
        frame.cast()
    }
}

/// The first code of a stack, and the last. The frame pointer is 0: here the chain of frames ends.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn begin() {
    core::arch::naked_asm!(
        "xor ebp, ebp",
        "pop rax",
        "call rax",
        "mov rdi, [rax + 8]",
        "mov esi, 1",
        "jmp {go}",
        go = sym go,
    )
}

/// Saves the registers that a call must preserve below the stack pointer; `x9` is the address of the thread's
/// variables.
#[cfg(target_arch = "aarch64")]
macro_rules! save_and {
    ($($after:literal),* ; $($argument:tt)*) => {
        core::arch::naked_asm!(
            "stp x29, x30, [sp, #-160]!",
            "stp x19, x20, [sp, #16]",
            "stp x21, x22, [sp, #32]",
            "stp x23, x24, [sp, #48]",
            "stp x25, x26, [sp, #64]",
            "stp x27, x28, [sp, #80]",
            "stp d8, d9, [sp, #96]",
            "stp d10, d11, [sp, #112]",
            "stp d12, d13, [sp, #128]",
            "stp d14, d15, [sp, #144]",
            "mrs x9, tpidr_el0",
            "add x9, x9, #:tprel_hi12:oxbow_thread, lsl #12",
            "add x9, x9, #:tprel_lo12_nc:oxbow_thread",
            "mov x11, sp",
            $($after,)*
            $($argument)*
        )
    };
}

/// Lets a fibre run; its `suspend` returns `answer`. Returns what `suspend` or the end of the fibre says.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn enter(fiber: *mut Turn, answer: i64) -> i64 {
    save_and!(
        "ldr x10, [x9, #8]",
        "str x11, [x10]",
        "str x10, [x0, #8]",
        "b {go}";
        go = sym go
    )
}

/// Lets the fibre of a handle run until it suspends itself (0) or ends (1).
#[cfg(target_arch = "aarch64")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_fiber_resume(handle: *mut u8) -> i64 {
    unsafe { enter(handle.cast::<*mut Turn>().read(), 0) }
}

/// Leaves the fibre that runs: 0 if it was resumed, 1 if it has to unwind, 2 if none runs.
#[cfg(target_arch = "aarch64")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_fiber_suspend() -> i64 {
    unsafe {
        let fiber = (*crate::thread::current()).turn;
        if (*fiber).parent.is_null() {
            return 2;
        }
        leave(fiber, 0)
    }
}

/// Suspends the fibre that runs: whoever resumed it gets `answer`.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn leave(fiber: *mut Turn, answer: i64) -> i64 {
    save_and!(
        "str x11, [x0]",
        "ldr x0, [x0, #8]",
        "b {go}";
        go = sym go
    )
}

/// The first code of a stack, and the last: `x19` is what it runs, which returns its fibre when that has ended.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn begin() {
    core::arch::naked_asm!(
        "mov x29, xzr",
        "blr x19",
        "ldr x0, [x0, #8]",
        "mov x1, #1",
        "b {go}",
        go = sym go,
    )
}

/// Compiled code calls the functions above.
#[cfg(target_arch = "aarch64")]
pub(crate) unsafe extern "C" fn go_after_placing() {}

/// Goes on with a fibre; its call returns `answer`. If its frames are elsewhere, they are put on its stack first: all
/// that was running has been saved, and may have to make room.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn go(fiber: *mut Turn, answer: i64) -> ! {
    core::arch::naked_asm!(
        "mrs x9, tpidr_el0",
        "add x9, x9, #:tprel_hi12:oxbow_thread, lsl #12",
        "add x9, x9, #:tprel_lo12_nc:oxbow_thread",
        "str x0, [x9, #8]",
        "ldr x10, [x0, #24]",
        "cbz x10, 2f",
        "ldr x10, [x9, #24]",
        "mov sp, x10",
        "stp x0, x1, [sp, #-16]!",
        "bl {place}",
        "ldp x0, x1, [sp], #16",
        "mrs x9, tpidr_el0",
        "add x9, x9, #:tprel_hi12:oxbow_thread, lsl #12",
        "add x9, x9, #:tprel_lo12_nc:oxbow_thread",
        "2:",
        "ldr x10, [x0, #16]",
        "str x10, [x9, #16]",
        "ldr x10, [x0]",
        "mov sp, x10",
        "mov x0, x1",
        "ldp x19, x20, [sp, #16]",
        "ldp x21, x22, [sp, #32]",
        "ldp x23, x24, [sp, #48]",
        "ldp x25, x26, [sp, #64]",
        "ldp x27, x28, [sp, #80]",
        "ldp d8, d9, [sp, #96]",
        "ldp d10, d11, [sp, #112]",
        "ldp d12, d13, [sp, #128]",
        "ldp d14, d15, [sp, #144]",
        "ldp x29, x30, [sp], #160",
        "ret",
        place = sym crate::fiber_stack::place,
    )
}

/// A stack below `top`, which is 16-byte aligned, on which `code` begins when a fibre [`enter`]s it. When it returns
/// its fibre, that has ended: whoever resumed it gets 1.
#[cfg(target_arch = "aarch64")]
pub(crate) unsafe fn prepare(top: *mut u8, code: unsafe extern "C" fn() -> *mut Turn) -> *mut u8 {
    // SAFETY: the caller owns what lies below.
    unsafe {
        let frame = top.cast::<usize>().sub(20);
        frame.write_bytes(0, 20);
        // `x30`, to which `go` returns, and `x19` for it.
        frame.add(1).write(begin as *const () as usize);
        frame.add(2).write(code as *const () as usize);
        frame.cast()
    }
}

/// Calls `code` with the stack pointer at `top`, which is 16-byte aligned. The stack
/// pointer to give to [`abandon`] is stored in `saved`.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn run(
    code: unsafe extern "C" fn(),
    top: *mut u8,
    saved: *mut *mut u8,
) -> i32 {
    core::arch::naked_asm!(
        ".cfi_startproc",
        "stp x29, x30, [sp, #-160]!",
        ".cfi_def_cfa_offset 160",
        ".cfi_offset x29, -160",
        ".cfi_offset x30, -152",
        "mov x29, sp",
        ".cfi_def_cfa_register x29",
        "stp x19, x20, [sp, #16]",
        "stp x21, x22, [sp, #32]",
        "stp x23, x24, [sp, #48]",
        "stp x25, x26, [sp, #64]",
        "stp x27, x28, [sp, #80]",
        "stp d8, d9, [sp, #96]",
        "stp d10, d11, [sp, #112]",
        "stp d12, d13, [sp, #128]",
        "stp d14, d15, [sp, #144]",
        "mov x9, sp",
        "str x9, [x2]",
        "mov sp, x1",
        "blr x0",
        "mov x0, x29",
        "mov w1, #0",
        "b {abandon}",
        ".cfi_endproc",
        abandon = sym abandon,
    )
}

/// Makes the [`run`] that noted `saved` return `status`.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn abandon(saved: *mut u8, status: i32) -> ! {
    core::arch::naked_asm!(
        "mov sp, x0",
        "mov w0, w1",
        "ldp x19, x20, [sp, #16]",
        "ldp x21, x22, [sp, #32]",
        "ldp x23, x24, [sp, #48]",
        "ldp x25, x26, [sp, #64]",
        "ldp x27, x28, [sp, #80]",
        "ldp d8, d9, [sp, #96]",
        "ldp d10, d11, [sp, #112]",
        "ldp d12, d13, [sp, #128]",
        "ldp d14, d15, [sp, #144]",
        "ldp x29, x30, [sp], #160",
        "ret",
    )
}
