//! The typed semantic graph: the one form in which programs of all source
//! languages meet.
//!
//! An arena of nodes with ids; each has a type and a source span. Captures
//! stand in every lambda. `Program<Poly>` comes from the front ends; the
//! whole-program passes make it `Program<Mono>`.
//!
//! Order of evaluation is part of the meaning: **the operands of a node are
//! evaluated from the last to the first**, a callee after its arguments (the
//! order of `ocamlopt`). A language with another order binds operands by `Let`.

pub mod captures;
pub mod clone;
pub mod effective;
mod held;
pub mod interp;
mod known;
pub mod prim;
mod prim_ops;
mod prim_types;
pub mod print;
mod program;
pub mod read;
pub mod suspension;
mod types;
pub mod verify;
pub mod walk;

#[cfg(test)]
mod testing;

pub use held::Held;
pub use known::{KnownFunction, KnownFunctions, KnownGroup, KnownType, library_module};
pub use oxbow_abi::{backtrace, kernels};
pub use prim::{Effect, Prim, STANDARD_LIBRARIES};
pub use prim_ops::{FloatOp, IntOp, IntWidth, OrderOp};
pub use program::*;
pub use types::{
    Compared, Ctor, DataDecl, DataKind, ExnDecl, Field, OwnFunctions, Tree, Ty, TypeTable, tag_hash,
};

use oxbow_base::define_id;

define_id!(pub NodeId, "n");
define_id!(pub VarId, "v");
define_id!(pub LambdaId, "f");
define_id!(pub JoinId, "j");
define_id!(pub TyId, "t");
define_id!(pub TyVarId, "'");
define_id!(pub DataId, "d");
define_id!(pub ExnId, "e");
