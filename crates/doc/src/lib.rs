//! Documentation of a program: what its modules hold, with types and the comments about it, as pages.
//!
//! ```text
//! units, notes of inference, comments of the files ─ extract ─▶ model::Site ─┬─ html ─▶ pages, index, style, script
//!                                                                            └─ text ─▶ for the terminal and tests
//! ```
//!
//! `extract` alone looks at the program; renderers read the [`model::Site`] and nothing else. The same program gives
//! the same bytes. `comments` finds the comment of a definition in each language, for editors as well.

pub mod comments;
mod extract;
pub mod html;
pub mod markup;
pub mod model;
pub mod text;

pub use extract::{Input, extract};
