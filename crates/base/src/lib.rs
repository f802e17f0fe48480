//! What every other crate of the compiler stands on: typed indices and the
//! collections they index, interned names, source positions, components of graphs.
//!
//! Nothing here knows about programs, types or diagnostics.

mod components;
pub mod doc;
mod ids;
mod intern;
mod made;
mod source;
mod sparse;

pub use components::components;
pub use ids::{Id, IdMap, IdSet, IdVec};
pub use intern::{Names, Symbol};
pub use made::{Made, Mark};
pub use source::{Encoding, FileId, Language, LineColumn, SourceFile, SourceMap, Span};
pub use sparse::{SparseMap, SparseSet};

pub use indexmap;
pub use rustc_hash::{FxHashMap, FxHashSet};
