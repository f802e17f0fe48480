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
//! A program has one thread; memory and the table of signals belong to it.

#![cfg_attr(not(test), no_std)]
#![allow(unsafe_code, reason = "objects of compiled programs are raw memory")]
#![allow(clippy::missing_safety_doc, reason = "the contract of each function is in oxbow_abi")]
#![cfg_attr(test, allow(clippy::manual_dangling_ptr, reason = "a word that is no address"))]
#![allow(clippy::deref_addrof, reason = "variables are borrowed through their addresses")]

mod array;
pub mod checked;
mod cycles;
mod fiber;
mod float;
mod format;
mod grow;
mod hash;
mod heap;
mod io;
mod kernels;
mod native;
mod object;
mod pages;
mod parse;
mod region;
mod signals;
mod stack;
mod start;
mod string;
mod switch;
mod symbols;
mod sys;
mod trouble;

pub use pages::set_max_memory;
pub use signals::reset_sigpipe;
pub use start::{Entry, parse_size, start};
pub use symbols::symbols;
pub use trouble::abort_with;

#[cfg(test)]
mod testing;
