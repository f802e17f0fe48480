//! The server that editors talk to: `oxbow lsp`.
//!
//! ```text
//! editor ◀── LSP over pipes ──▶ server ──▶ oxbow index     a process for each question
//!                                 │   ◀──  an index as JSON
//!                                 └ documents, programs, the last index of each
//! ```
//!
//! The server never compiles in its own process: names stay interned for ever, and no text must bring it down. A change
//! ends the process that looks at the text before it. Requests wait for the index of the text that they are about, so
//! what is answered is true of what the editor shows.
//!
//! - `text`      positions in UTF-16, edits
//! - `protocol`  frames, positions, addresses
//! - `project`   which program a file belongs to: the only place that knows
//! - `analysis`  the processes
//! - `server`    the loop: documents, programs, who waits for what
//! - `view`      what an index says at a place
//! - the others  a feature each

mod actions;
mod analysis;
mod complete;
mod convert;
mod explain;
mod hints;
mod hover;
mod navigate;
mod project;
mod protocol;
mod ranges;
mod rename;
mod server;
mod symbols;
mod text;
mod tokens;
mod view;

use std::path::PathBuf;

pub use server::serve;

/// What the server needs to know of the world.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// The compiler.
    pub executable: PathBuf,
    /// Where modules are looked for behind the folder of a file.
    pub folders: Vec<PathBuf>,
}
