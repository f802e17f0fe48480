//! Where values of the dialect's types lie in memory, by the rules of `oxbow_abi`.
//!
//! ```text
//! i1, i8: 1 byte   i16: 2   i32, f32: 4   i64, f64: 8   a pair: both, aligned   all others: an address
//! ```
//!
//! Counting asks for the sizes of cells, the back end for offsets.

use melior::ir::{Type, TypeLike};
use oxbow_abi::{Extent, LARGEST_CELL, ObjectKind, Placer, cell_size, is_large};

use crate::OcamlType;

/// The fields of one object.
pub struct Fields {
    pub offsets: Vec<u64>,
    /// Not rounded up.
    pub size: u64,
}

/// Size and alignment in memory.
pub fn extent(ty: Type<'_>) -> Extent {
    if let Some([first, second]) = ty.pair_parts() {
        return Extent::pair(extent(first), extent(second));
    }
    Extent::scalar(match ty.width() {
        Some(width) => u64::from(width).div_ceil(8),
        None if ty.is_f32() => 4,
        None => 8,
    })
}

/// Fields behind `start` bytes of something else.
pub fn fields(start: u64, types: &[Type<'_>]) -> Fields {
    let mut placer = Placer::new(start);
    let offsets = types.iter().map(|&ty| placer.place(extent(ty))).collect();
    Fields { offsets, size: placer.size }
}

/// The size of the cell of an object; none if it is too large for the lists of free cells.
pub fn small_cell(kind: ObjectKind, start: u64, types: &[Type<'_>]) -> Option<u64> {
    let payload = fields(start, types).size;
    let size = cell_size(kind, payload);
    (!is_large(payload) && size <= LARGEST_CELL).then_some(size)
}
