//! The runtime as a static library, with the `main` of compiled programs.
//!
//! ```text
//! cargo build --profile runtime -p oxbow-runtime-static
//! cc program.o liboxbow_runtime_static.a -lm -Wl,--gc-sections -o program
//! ```
//!
//! It is without the standard library and so needs a panic handler of its own, which
//! only works where panics abort. Under other profiles this crate is empty.

#![cfg_attr(panic = "abort", no_std)]
#![allow(unsafe_code, reason = "it calls the compiled program")]

#[cfg(panic = "abort")]
mod program {
    use core::alloc::{GlobalAlloc, Layout};
    use core::ffi::{c_char, c_int};

    use oxbow_runtime::{Entry, abort_with, no_memory, start};

    unsafe extern "C" {
        fn oxbow_program_main();
        fn oxbow_program_stack_overflow();
        fn oxbow_program_flush();
        /// The addresses of `oxbow_program_fiber` and `oxbow_program_domain`, or null: programs without effects or
        /// domains have none.
        static oxbow_optional_parts: [*const u8; 2];
    }

    // They are data: of a function or variable that it knows by name, the compiler assumes that it is there.
    core::arch::global_asm!(
        ".weak oxbow_program_fiber",
        ".weak oxbow_program_domain",
        ".pushsection .data.rel.ro,\"aw\",@progbits",
        ".p2align 3",
        "oxbow_optional_parts:",
        ".quad oxbow_program_fiber",
        ".quad oxbow_program_domain",
        ".popsection",
    );

    #[unsafe(no_mangle)]
    unsafe extern "C" fn main(argc: c_int, argv: *const *const c_char) -> c_int {
        let entry = Entry {
            main: oxbow_program_main,
            stack_overflow: Some(oxbow_program_stack_overflow),
            flush: Some(oxbow_program_flush),
            // SAFETY: a function of this type, or nothing at all; null is none.
            fiber: unsafe { core::mem::transmute::<*const u8, Option<_>>(oxbow_optional_parts[0]) },
            // SAFETY: as above.
            domain: unsafe {
                core::mem::transmute::<*const u8, Option<_>>(oxbow_optional_parts[1])
            },
        };
        // SAFETY: the arguments are those of the process; nothing else runs.
        unsafe { start(argc, argv, entry) }
    }

    /// Memory for what other crates compute (`oxbow_runtime::integers`): C's. Objects of programs do not lie in it.
    struct C;

    // SAFETY: C's functions do what is asked for; its blocks are aligned for all types up to 16 bytes, and others are
    // refused.
    unsafe impl GlobalAlloc for C {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            if layout.align() > 16 {
                abort_with(b"memory with a large alignment");
            }
            // SAFETY: it has no precondition.
            match unsafe { libc::malloc(layout.size()) } {
                block if block.is_null() => no_memory(),
                block => block.cast(),
            }
        }

        unsafe fn dealloc(&self, block: *mut u8, _: Layout) {
            // SAFETY: the block is one of `alloc`.
            unsafe { libc::free(block.cast()) }
        }

        unsafe fn realloc(&self, block: *mut u8, _: Layout, size: usize) -> *mut u8 {
            // SAFETY: the block is one of `alloc`.
            match unsafe { libc::realloc(block.cast(), size) } {
                block if block.is_null() => no_memory(),
                block => block.cast(),
            }
        }
    }

    #[global_allocator]
    static ALLOCATOR: C = C;

    /// Some objects of Rust's own support library refer to it, although nothing unwinds.
    #[unsafe(no_mangle)]
    extern "C" fn rust_eh_personality() {}

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo) -> ! {
        abort_with(b"internal error")
    }
}
