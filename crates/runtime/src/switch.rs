//! Changing stacks: the only assembly of the runtime.
//!
//! ```text
//! run ──────► saves its registers on the old stack, notes the old stack pointer,
//!             calls the code on the new stack
//!   ◄──────── the code returns: 0
//!   ◄──────── abandon(noted stack pointer, status), from a signal handler: status
//!
//! change ───► saves its registers, notes the stack pointer, goes on where another `change` stopped,
//!   ◄──────── until somebody goes on here (fibres)
//! ```
//!
//! The frame of `run` is found through the frame pointer, so debuggers see through
//! the change of stacks.

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

/// Goes on at the stack pointer `new`, which [`prepare`] or another call of this function made; returns when somebody
/// goes on at what is stored in `saved`.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn change(saved: *mut *mut u8, new: *mut u8) {
    core::arch::naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [rdi], rsp",
        "mov rsp, rsi",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

/// A stack below `top`, which is 16-byte aligned, on which `code` begins when [`change`] goes on there.
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

/// Goes on at the stack pointer `new`, which [`prepare`] or another call of this function made; returns when somebody
/// goes on at what is stored in `saved`.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn change(saved: *mut *mut u8, new: *mut u8) {
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

/// A stack below `top`, which is 16-byte aligned, on which `code` begins when [`change`] goes on there.
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
