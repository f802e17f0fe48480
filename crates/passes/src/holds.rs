//! Can a value of a type hold a function?
//!
//! ```text
//! { OnClick: unit -> unit }            a field is one
//! { Button: button; Size: int }        so is one of a part
//! (unit -> unit) list                  a field of the declaration is of a type that the arguments say
//! ```

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::{DataId, Ty, TyId, TypeTable};

/// Answers, each found once.
#[derive(Default)]
pub(crate) struct Holds {
    known: IdMap<TyId, bool>,
}

impl Holds {
    pub fn may_hold(&mut self, types: &TypeTable, ty: TyId) -> bool {
        *self.known.entry_or_insert_with(ty, || mentions_function(types, ty))
    }
}

/// Does a type mention functions, or a declaration that it names? The types that variables in a declaration stand for
/// are among the arguments.
fn mentions_function(types: &TypeTable, ty: TyId) -> bool {
    let mut seen: IdSet<DataId> = IdSet::new();
    let mut work = vec![ty];
    while let Some(ty) = work.pop() {
        match types.get(ty) {
            Ty::Fn(..) | Ty::Uniform | Ty::Exn => return true,
            Ty::Tuple(items) => work.extend(items),
            Ty::Array(item) => work.push(*item),
            Ty::Data(data, args) => {
                work.extend(args);
                if seen.insert(*data) {
                    work.extend(types.datas[*data].kind.fields().map(|it| it.ty));
                }
            }
            Ty::Unit
            | Ty::Bool
            | Ty::Char
            | Ty::Int(_)
            | Ty::Float
            | Ty::Float32
            | Ty::String
            | Ty::Bytes
            | Ty::Var(_) => (),
        }
    }
    false
}
