//! Changing stacks: the only assembly of the runtime.
//!
//! ```text
//! run ──────► saves its registers on the old stack, notes the old stack pointer,
//!             calls the code on the new stack
//!   ◄──────── the code returns: 0
//!   ◄──────── abandon(noted stack pointer, status), from a signal handler: status
//!
//! enter ────► saves its registers and its stack pointer, goes on where the fibre stopped
//!   ◄──────── suspend does the same the other way round; finish, if the fibre has ended
//! ```
//!
//! The frame of `run` is found through the frame pointer, so debuggers see through
//! the change of stacks.

#[cfg(target_arch = "aarch64")]
use crate::thread;

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

/// What the functions below know of a fibre; the first fields of [`crate::fiber::Fiber`].
#[repr(C)]
pub(crate) struct Turn {
    /// The fibre's stack pointer while it does not run.
    pub stack: *mut u8,
    /// That of whoever resumed it.
    pub resumer: *mut u8,
    /// What was running then; null for the program's own stack.
    pub parent: *mut Turn,
    /// The limits of its stack and of its resumer's (`thread::Thread`).
    pub limit: usize,
    pub parent_limit: usize,
}

/// Lets a fibre run; its `suspend` returns `answer`. Returns what `suspend` or [`finish`] says.
///
/// Control goes to the other stack by jumps, not by returns, and straight to compiled code: the processor guesses
/// where a return leads from the calls before it, and would guess wrong each time.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn enter(fiber: *mut Turn, answer: i64) -> i64 {
    core::arch::naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [rdi + 8], rsp",
        "mov rax, qword ptr fs:[oxbow_thread@TPOFF + 8]",
        "mov [rdi + 16], rax",
        "mov rax, qword ptr fs:[oxbow_thread@TPOFF + 16]",
        "mov [rdi + 32], rax",
        "mov qword ptr fs:[oxbow_thread@TPOFF + 8], rdi",
        "mov rax, [rdi + 24]",
        "mov qword ptr fs:[oxbow_thread@TPOFF + 16], rax",
        "mov rax, rsi",
        "mov rsp, [rdi]",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "pop rcx",
        "jmp rcx",
    )
}

/// Lets the fibre of a handle run until it suspends itself (0) or ends (1).
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_fiber_resume(handle: *mut u8) -> i64 {
    core::arch::naked_asm!(
        "mov rdi, [rdi]",
        "xor esi, esi",
        "jmp {enter}",
        enter = sym enter,
    )
}

/// Leaves the fibre that runs: 0 if it was resumed, 1 if it has to unwind, 2 if none runs.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_fiber_suspend() -> i64 {
    core::arch::naked_asm!(
        "mov rdi, qword ptr fs:[oxbow_thread@TPOFF + 8]",
        "test rdi, rdi",
        "je 2f",
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [rdi], rsp",
        "xor esi, esi",
        "jmp {finish}",
        "2:",
        "mov eax, 2",
        "ret",
        finish = sym finish,
    )
}

/// Leaves a fibre, which need not come back: whoever resumed it gets `answer`.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn finish(fiber: *mut Turn, answer: i64) -> ! {
    core::arch::naked_asm!(
        "mov rax, [rdi + 16]",
        "mov qword ptr fs:[oxbow_thread@TPOFF + 8], rax",
        "mov rax, [rdi + 32]",
        "mov qword ptr fs:[oxbow_thread@TPOFF + 16], rax",
        "mov rax, rsi",
        "mov rsp, [rdi + 8]",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "pop rcx",
        "jmp rcx",
    )
}

/// A stack below `top`, which is 16-byte aligned, on which `code` begins when a fibre [`enter`]s it.
#[cfg(target_arch = "x86_64")]
pub(crate) unsafe fn prepare(top: *mut u8, code: unsafe extern "C" fn() -> !) -> *mut u8 {
    // SAFETY: the caller owns what lies below.
    unsafe {
        let frame = top.cast::<usize>().sub(8);
        frame.write_bytes(0, 8);
        // `rbx` for `begin`, and the place to return to.
        frame.add(4).write(code as *const () as usize);
        frame.add(6).write(begin as *const () as usize);
        frame.cast()
    }
}

/// The first code of a stack. The frame pointer is 0: here the chain of frames ends.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn begin() {
    core::arch::naked_asm!("sub rsp, 8", "and rsp, -16", "call rbx", "ud2")
}

/// Goes on at the stack pointer `new`, which [`prepare`] or another call of this function made; returns `answer` when
/// somebody goes on at what is stored in `saved`.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn change(saved: *mut *mut u8, new: *mut u8, answer: i64) -> i64 {
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
        "mov x9, sp",
        "str x9, [x0]",
        "mov x0, x2",
        "mov sp, x1",
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

/// Lets a fibre run; its `suspend` returns `answer`. Returns what `suspend` or [`finish`] says.
#[cfg(target_arch = "aarch64")]
pub(crate) unsafe extern "C" fn enter(fiber: *mut Turn, answer: i64) -> i64 {
    unsafe {
        let thread = thread::current();
        (*fiber).parent = (*thread).turn;
        (*fiber).parent_limit = (*thread).stack_limit;
        (*thread).turn = fiber;
        (*thread).stack_limit = (*fiber).limit;
        change(&raw mut (*fiber).resumer, (*fiber).stack, answer)
    }
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
        let fiber = (*thread::current()).turn;
        if fiber.is_null() {
            return 2;
        }
        leave(fiber, 0)
    }
}

/// Leaves a fibre, which need not come back: whoever resumed it gets `answer`.
#[cfg(target_arch = "aarch64")]
pub(crate) unsafe extern "C" fn finish(fiber: *mut Turn, answer: i64) -> ! {
    unsafe { leave(fiber, answer) };
    crate::trouble::abort_with(b"a fibre goes on behind its end")
}

#[cfg(target_arch = "aarch64")]
unsafe fn leave(fiber: *mut Turn, answer: i64) -> i64 {
    unsafe {
        let thread = thread::current();
        (*thread).turn = (*fiber).parent;
        (*thread).stack_limit = (*fiber).parent_limit;
        change(&raw mut (*fiber).stack, (*fiber).resumer, answer)
    }
}

/// A stack below `top`, which is 16-byte aligned, on which `code` begins when a fibre [`enter`]s it.
#[cfg(target_arch = "aarch64")]
pub(crate) unsafe fn prepare(top: *mut u8, code: unsafe extern "C" fn() -> !) -> *mut u8 {
    // SAFETY: the caller owns what lies below.
    unsafe {
        let frame = top.cast::<usize>().sub(20);
        frame.write_bytes(0, 20);
        // `x30`, to which `change` returns.
        frame.add(1).write(code as *const () as usize);
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
