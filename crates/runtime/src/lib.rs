//! The runtime of compiled programs: memory, strings, numbers as text, the system.
//!
//! Compiled code calls the functions listed in `oxbow_abi::FUNCTIONS`; each is an
//! `extern "C"` function here with the same name. `oxbow-runtime-static` makes a
//! static library of this crate for programs on disk; a program compiled in memory
//! gets the addresses from [`symbols`]. Both run the program through [`start`].
//!
//! Positions, lengths and divisors have been checked by the library (`lib/ocaml`)
//! before a function here is called. Nothing here panics: on trouble a function
//! prints one line and ends the process.
//!
//! A program has one thread, to which memory and the table of signals belong, unless it was compiled with domains:
//! then each thread has what [`domain`] says for itself, and objects may be [`shared`].
//!
//! # What callers owe
//!
//! Functions here are `unsafe` because compiled code hands them addresses. All of them rely on the following, which
//! comments on soundness call the contract; `lower`, `counting` and the backend uphold it for every program that
//! type-checks, and `--check-memory` looks for breaches:
//!
//! - An `object` is the address behind a header that says truly what lies there (`oxbow_abi::layout`). It is alive:
//!   somebody owns a reference to it and keeps it until the function returns. A `value` is an object or an odd word.
//! - A function of strings, bytes or arrays gets such objects, with the elements that its name or the header says.
//! - Each field that the header calls a pointer holds a value, and one reference of it.
//! - A `site` is null or a C string of the program, which is there as long as the program.
//! - One thread at a time calls functions of this crate, and none of them from within another one, but for what
//!   [`Entry`] names. So variables of the runtime are read and written without locks. In programs with domains the
//!   threads of these call them as well: what is not a thread's own is atomic or has a lock, and who says "the
//!   program's thread" means the one that calls, or the first before others are there.

#![cfg_attr(not(test), no_std)]
#![expect(unsafe_code, reason = "objects of compiled programs are raw memory")]
#![cfg_attr(
    test,
    allow(
        clippy::undocumented_unsafe_blocks,
        reason = "a test that holds the lock is the program, and keeps the contract; all else is checked in other builds"
    )
)]
#![cfg_attr(test, allow(clippy::manual_dangling_ptr, reason = "a word that is no address"))]
#![expect(clippy::deref_addrof, reason = "variables are borrowed through their addresses")]

mod addresses;
mod array;
mod backtrace;
pub mod checked;
mod copy;
mod cycles;
mod digits;
mod domain;
mod epoch;
mod fiber;
mod fiber_stack;
mod float;
mod format;
mod grow;
mod handlers;
mod hash;
mod heap;
pub mod integers;
mod io;
mod kernels;
mod map;
mod marshal;
mod native;
mod object;
mod pages;
mod parse;
mod places;
mod region;
mod shared;
mod signals;
mod stack;
mod start;
mod string;
mod switch;
mod symbols;
mod sync;
mod sys;
mod thread;
mod trouble;
mod weak;

pub use backtrace::backtraces_are_wanted;
pub use io::oxbow_io_read;
pub use pages::set_max_memory;
pub use region::for_each_object;
pub use signals::{leave_signals, reset_sigpipe};
pub use start::{Entry, parse_size, start};
pub use symbols::symbols;
pub use trouble::{abort_with, no_memory};

#[cfg(test)]
mod testing;
