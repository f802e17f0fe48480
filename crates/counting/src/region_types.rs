//! What a value of a type may be in a region.
//!
//! Objects of a region are referred to by each other and by variables only: whatever else would hold
//! one (a counted object, a closure, an array, an exception) keeps its scope from having a region.
//! So a value is in a region only if its own type is one of those that the region holds.

use oxbow_base::FxHashSet;
use oxbow_dialect::melior::ir::Type;
pub use oxbow_dialect::type_key;
use oxbow_dialect::{Kind, OcamlType};

/// The types of the objects that a value of this type may be, or have in a pair.
pub fn type_keys(ty: Type<'_>, keys: &mut FxHashSet<usize>) {
    match ty.pair_parts() {
        Some(parts) => parts.into_iter().for_each(|it| type_keys(it, keys)),
        None => {
            keys.insert(type_key(ty));
        }
    }
}

/// May a value of this type be an object of one of these types, or a pair with one?
pub fn is_among(ty: Type<'_>, types: &FxHashSet<usize>) -> bool {
    match ty.pair_parts() {
        Some(parts) => parts.iter().any(|&it| is_among(it, types)),
        None => types.contains(&type_key(ty)),
    }
}

/// May a value of this type be an object of some region?
pub fn may_be_placed(ty: Type<'_>) -> bool {
    match ty.pair_parts() {
        Some(parts) => parts.iter().any(|&it| may_be_placed(it)),
        None => matches!(ty.kind(), Kind::Data | Kind::Tuple | Kind::Closure),
    }
}
