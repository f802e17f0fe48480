//! Data of the compiler that outlive the process: made once, written to a file, and mapped at the same addresses by
//! later processes of the same executable.
//!
//! ```text
//! record()   ──▶  everything that is allocated lies in the arena   ──keep(root)──▶   FILE
//!                 0x2a00'0000'0000 …                                                  │
//! restore(FILE)  ◀── private pages of the file, at the same addresses ────────────────┘
//! ```
//!
//! Pointers within the arena stay what they are. Those into the executable (constants, empty tables, functions) are
//! listed in the file and moved by as much as the executable has been moved. A file serves the executable that wrote it
//! and no other: it holds the identity that the linker gave it ([`identity`]), so that layouts of types, constants and
//! what the executable contains are the same.
//!
//! Pages are copied when they are written to, and read when they are looked at: what nobody reaches costs nothing.
//! What lies in the arena is never given back by a process that has restored it.
//!
//! Undone: executables without an identity, and systems other than Linux, keep nothing.
#![expect(unsafe_code, reason = "it is an allocator, and maps files as memory")]

mod arena;
mod executable;
mod file;

pub use arena::{Memory, record};
pub use executable::identity;
pub use file::{State, can_write, keep, restore, state};
