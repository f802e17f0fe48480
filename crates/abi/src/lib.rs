//! What compiled programs and the runtime agree on: how values are represented,
//! and which functions and variables the runtime offers.
//!
//! # Values
//!
//! | source type | in compiled code | as parameter or result of a runtime function |
//! |---|---|---|
//! | `int` (63 bits) | i64 holding twice the value | i64, the plain value |
//! | `int32` | i32 | i32 |
//! | `int64`, `nativeint` | i64 | i64 |
//! | `float` | f64 | f64 |
//! | `char` | i8 | i8 |
//! | `bool` | i1 or i8 | i8, 0 or 1 |
//! | `unit` | nothing | nothing |
//! | objects | pointer to the first field | the same pointer |
//!
//! An `int` is shifted left by one in compiled code: addition, subtraction and
//! comparison are then the machine's own, and wrap-around at 63 bits is exact.
//! A call shifts right (arithmetically) before it passes an `int` to the runtime,
//! and shifts a result left again.
//!
//! An i8 parameter needs no extension attribute (`zeroext`): runtime functions look
//! at its low eight bits only. An i8 result is defined in its low eight bits only.
//!
//! # Objects
//!
//! ```text
//!            ptr - 8    ptr
//!            +--------+----------------------------------+
//!            | header | fields                           |
//!            +--------+----------------------------------+
//! tuple, record         field 0, field 1, …              each naturally aligned
//! variant block         field 0, field 1, …              constructor number in the header
//! closure               code_ptr, capture 0, capture 1…  arity in the header
//! string, bytes         len: i64, bytes…, NUL            the NUL is not counted
//! array                 len: i64, elements…              in their natural layout
//! exception             id: ptr to its descriptor, fields…
//! ```
//!
//! Every object is 8-byte aligned, so the low bit of its address is 0. A variant
//! constant is the odd number [`variant_constant`] in place of a pointer.
//! [`layout`] defines the header.
//!
//! # Memory
//!
//! An object lies in a cell (see [`layout`]). Free cells of each size are in a list, linked
//! through their first word; `oxbow_free_cells[cell_class(size)]` is the first:
//!
//! ```text
//! cell = oxbow_free_cells[class]
//! if cell is null:  cell = oxbow_cell_refill(size)
//! else:             oxbow_free_cells[class] = *cell
//! store the header at cell; the object is cell + 8
//! ```
//!
//! Every reference to an object is counted in its header. What owns a reference either hands
//! it on or drops it: calls `oxbow_release` if the count is 0, else subtracts one.
//! References to static objects need not be counted, but may be.

#![no_std]

pub mod backtrace;
pub mod fibers;
pub mod functions;
pub mod kernels;
pub mod layout;

pub use functions::{
    AbiType, CALLER, DOMAIN_OFFSET, Effects, FIBER_RESUME, FIBER_SUSPEND, FREE_CELLS, FUNCTIONS,
    GLOBALS, LIBRARY_FILES, Library, NOTHING, RuntimeFunction, RuntimeGlobal, SITE, STACK_LOW,
    function,
};
pub use layout::*;

/// `void oxbow_program_main(void)`: the compiled program, called by the runtime's `main`.
pub const PROGRAM_MAIN: &str = "oxbow_program_main";

/// `void oxbow_program_stack_overflow(void)`: called on an empty stack when the
/// program has used up its own. It flushes what the library has buffered, prints
/// the message and exits; if it returns, the runtime exits with [`EXIT_FATAL`].
pub const PROGRAM_STACK_OVERFLOW: &str = "oxbow_program_stack_overflow";

/// `void oxbow_program_flush(void)`: writes what the library has buffered, before the runtime
/// ends the program because memory is used up. Called only after `oxbow_flush_ready`.
pub const PROGRAM_FLUSH: &str = "oxbow_program_flush";

/// `void oxbow_program_fiber(void)`: what a fibre runs on its own stack. Programs without effects have none.
pub const PROGRAM_FIBER: &str = "oxbow_program_fiber";

/// `void oxbow_program_domain(void)`: what the thread of a domain runs. Programs without domains and threads have
/// none, and count by plain arithmetic.
pub const PROGRAM_DOMAIN: &str = "oxbow_program_domain";

/// Everything of a program that the runtime calls, whatever the program does.
pub const PROGRAM_ENTRIES: [&str; 3] = [PROGRAM_MAIN, PROGRAM_STACK_OVERFLOW, PROGRAM_FLUSH];

/// Exit code after an uncaught exception, a stack overflow, or exhausted memory.
pub const EXIT_FATAL: i32 = 2;
