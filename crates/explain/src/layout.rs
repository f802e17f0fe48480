//! Sizes of values and objects, by the rules of `oxbow_abi`.
//!
//! How a type is held is said by the graph (`psg/src/held.rs`), where lowering looks as well; a test of the command
//! line compares what is told with the code of closures over every kind of value, in all three languages.

use oxbow_abi::{
    CACHE_LINE, CLOSURE_CAPTURES_OFFSET, CLOSURE_CODE_OFFSET, DESCRIPTOR_OFFSET,
    EXCEPTION_FIELDS_OFFSET, Extent, HEADER_OFFSET, HEADER_SIZE, LARGE_START, ObjectKind, Placer,
    cell_size, is_large,
};
use oxbow_psg::{CaptureMode, Held, TyId, TypeTable};

use crate::model::{CacheLine, Field, FieldKind, Layout, Mode, Place};

const POINTER: Extent = Extent::scalar(8);

/// A value in memory.
pub fn extent(types: &TypeTable, ty: TyId) -> Extent {
    match types.held(ty) {
        Held::Bit | Held::Byte => Extent::scalar(1),
        Held::Int32 | Held::Float32 => Extent::scalar(4),
        Held::Int64 | Held::Float64 | Held::Reference => Extent::scalar(8),
        Held::Pair(first, second) => Extent::pair(extent(types, first), extent(types, second)),
    }
}

/// Bytes of an object of this kind with fields of these types, with what lies before it.
pub fn object_size(types: &TypeTable, kind: ObjectKind, fields: impl Iterator<Item = TyId>) -> u64 {
    let start = if kind == ObjectKind::Exception { EXCEPTION_FIELDS_OFFSET } else { 0 };
    let mut placer = Placer::new(start);
    fields.for_each(|it| {
        placer.place(extent(types, it));
    });
    cell_size(kind, placer.size)
}

/// A captured variable, about to become a field or a parameter.
pub struct Captured {
    pub name: String,
    pub text: String,
    pub ty: TyId,
    pub by: CaptureMode,
    pub mode: Mode,
    pub place: Option<Place>,
}

impl Captured {
    fn extent(&self, types: &TypeTable) -> Extent {
        match self.by {
            CaptureMode::ByValue => extent(types, self.ty),
            CaptureMode::ByRef => POINTER,
        }
    }

    fn field(self, types: &TypeTable, offset: Option<i64>) -> Field {
        let size = self.extent(types).size;
        Field {
            kind: FieldKind::Capture,
            name: self.name,
            ty: self.text,
            offset,
            size,
            mode: Some(self.mode),
            place: self.place,
        }
    }
}

/// The object of a closure: header, code pointer, captures.
pub fn closure(types: &TypeTable, arity: usize, captures: Vec<Captured>) -> Layout {
    let plain = |kind, name: &str, ty: &str, offset: i64, size| Field {
        kind,
        name: name.into(),
        ty: ty.into(),
        offset: Some(offset),
        size,
        mode: None,
        place: None,
    };
    let about = format!("closure, takes {arity}");
    let mut fields = vec![
        plain(FieldKind::Header, "header", &about, HEADER_OFFSET, HEADER_SIZE),
        plain(FieldKind::Code, "code", "pointer", CLOSURE_CODE_OFFSET as i64, 8),
    ];
    // Offsets are from the object's address; a large one has its descriptor before the header.
    let mut placer = Placer::new(CLOSURE_CAPTURES_OFFSET);
    let pad = |fields: &mut Vec<Field>, from: u64, to: u64| {
        if to > from {
            fields.push(plain(FieldKind::Padding, "padding", "", from as i64, to - from));
        }
    };
    for capture in captures {
        let end = placer.size;
        let at = placer.place(capture.extent(types));
        pad(&mut fields, end, at);
        fields.push(capture.field(types, Some(at as i64)));
    }
    let mut before = HEADER_SIZE;
    if is_large(placer.size) {
        let word = HEADER_SIZE;
        fields.insert(0, plain(FieldKind::Header, "shape", "pointer", DESCRIPTOR_OFFSET, word));
        let unused = plain(FieldKind::Padding, "padding", "", -(LARGE_START as i64), word);
        fields.insert(0, unused);
        before = LARGE_START;
    }
    let size = cell_size(ObjectKind::Closure, placer.size);
    pad(&mut fields, placer.size, size - before);
    let cache_line = if size <= CACHE_LINE { CacheLine::Within } else { CacheLine::MayCross };
    Layout { size, fields, cache_line }
}

/// Captures that are passed along with each call.
pub fn parameters(types: &TypeTable, captures: Vec<Captured>) -> Layout {
    let fields = captures.into_iter().map(|it| it.field(types, None)).collect();
    Layout { fields, ..Layout::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(name: &str, ty: TyId) -> Captured {
        Captured {
            name: name.into(),
            text: String::new(),
            ty,
            by: CaptureMode::ByValue,
            mode: Mode::Value,
            place: None,
        }
    }

    /// covers: C1, C9
    #[test]
    fn a_closure_has_its_header_before_it_and_padding_where_needed() {
        let types = TypeTable::new();
        let captures = vec![captured("b", types.bool), captured("n", types.int)];
        let layout = closure(&types, 2, captures);
        let found: Vec<_> =
            layout.fields.iter().map(|it| (it.name.as_str(), it.offset, it.size)).collect();
        let expected = [
            ("header", Some(-8), 8),
            ("code", Some(0), 8),
            ("b", Some(8), 1),
            ("padding", Some(9), 7),
            ("n", Some(16), 8),
        ];
        assert_eq!(found, expected);
        assert_eq!((layout.size, layout.cache_line), (32, CacheLine::Within));
        let many = |count: usize| (0..count).map(|_| captured("n", types.int)).collect();
        let layout = closure(&types, 1, many(7));
        assert_eq!((layout.size, layout.cache_line), (80, CacheLine::MayCross));
        // A cell of up to a line divides the line.
        let layout = closure(&types, 1, many(3));
        let last = layout.fields.last().map(|it| (it.kind, it.offset, it.size));
        assert_eq!((layout.size, last), (64, Some((FieldKind::Padding, Some(32), 24))));
        let layout = closure(&types, 1, many(14));
        assert_eq!((layout.size, layout.fields[0].offset), (18 * 8, Some(-24)));
    }
}
