//! Can a value of a type hold a function?
//!
//! ```text
//! { OnClick: unit -> unit }            a field is one
//! { Button: button; Size: int }        so is one of a part
//! (unit -> unit) list                  a field of the declaration is of a type that the arguments say
//! ```

use oxbow_base::IdMap;
use oxbow_psg::{Ty, TyId, TypeTable};

/// Answers, each found once.
#[derive(Default)]
pub(crate) struct Holds {
    known: IdMap<TyId, bool>,
}

impl Holds {
    pub fn may_hold(&mut self, types: &TypeTable, ty: TyId) -> bool {
        *self.known.entry_or_insert_with(ty, || {
            types.holds(ty, |it| matches!(it, Ty::Fn(..) | Ty::Uniform | Ty::Exn))
        })
    }
}
