//! What became of every function and allocation of a program, for people and tools.
//!
//! ```text
//! graph as built ──▶ History ◀── graph before each pass        what is gone, and since when
//!                       │
//! final graph ───────▶ analyze ──▶ Explanation ──┬─▶ text      drawn in the terminal
//!                                                ├─▶ json      for tools
//!                                                └─▶ html      one page that stands alone
//! ```
//!
//! The analysis reads what the passes decided and decides nothing; the renderers read the
//! [`Explanation`] and nothing else.

mod allocations;
mod analyze;
mod escape_path;
mod graph;
mod history;
pub mod html;
pub mod json;
mod layout;
mod model;
pub mod text;
mod types;

pub use analyze::{Gradient, InRegion, Input, analyze};
pub use history::History;
pub use model::*;
