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
    use core::ffi::{c_char, c_int};

    use oxbow_runtime::{Entry, abort_with, start};

    unsafe extern "C" {
        fn oxbow_program_main();
        fn oxbow_program_stack_overflow();
        fn oxbow_program_flush();
        /// Only its address is of interest: programs without effects have none.
        static oxbow_program_fiber: u8;
        /// Likewise without domains.
        static oxbow_program_domain: u8;
    }

    core::arch::global_asm!(".weak oxbow_program_fiber", ".weak oxbow_program_domain");

    #[unsafe(no_mangle)]
    unsafe extern "C" fn main(argc: c_int, argv: *const *const c_char) -> c_int {
        let entry = Entry {
            main: oxbow_program_main,
            stack_overflow: Some(oxbow_program_stack_overflow),
            flush: Some(oxbow_program_flush),
            // SAFETY: a function of this type, or nothing at all; null is none.
            fiber: unsafe {
                core::mem::transmute::<*const u8, Option<_>>(&raw const oxbow_program_fiber)
            },
            // SAFETY: as above.
            domain: unsafe {
                core::mem::transmute::<*const u8, Option<_>>(&raw const oxbow_program_domain)
            },
        };
        // SAFETY: the arguments are those of the process; nothing else runs.
        unsafe { start(argc, argv, entry) }
    }

    /// Some objects of Rust's own support library refer to it, although nothing unwinds.
    #[unsafe(no_mangle)]
    extern "C" fn rust_eh_personality() {}

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo) -> ! {
        abort_with(b"internal error")
    }
}
