//! The header word, the offsets of fields, and the sizes of objects.
//!
//! ```text
//! bit 63            32 31                8 7        0
//!     | payload words | constructor/arity | kind     |
//! ```

/// What an object is: bits 0–7 of its header.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum ObjectKind {
    /// A tuple or a record.
    Tuple = 0,
    /// A constructor with arguments; bits 8–31 hold its number.
    Variant = 1,
    /// A flat closure; bits 8–31 hold its arity.
    Closure = 2,
    /// A string or bytes.
    String = 3,
    /// An array whose elements hold no pointer.
    ScalarArray = 4,
    /// An array whose elements are pointers (or variant constants).
    PointerArray = 5,
    /// An array whose elements are structs with pointers in them.
    StructArray = 6,
    /// An exception value.
    Exception = 7,
    /// A mutable cell: a `ref`, or a variable captured by reference.
    Cell = 8,
    /// A scalar in memory, where code is shared by all types.
    Box = 9,
}

impl ObjectKind {
    pub const ALL: [ObjectKind; 10] = [
        Self::Tuple,
        Self::Variant,
        Self::Closure,
        Self::String,
        Self::ScalarArray,
        Self::PointerArray,
        Self::StructArray,
        Self::Exception,
        Self::Cell,
        Self::Box,
    ];
}

/// Size of the header, which lies just before the object.
pub const HEADER_SIZE: u64 = 8;
/// Offset of the header from the object's address.
pub const HEADER_OFFSET: i64 = -8;
/// Alignment of every object.
pub const OBJECT_ALIGN: u64 = 8;

pub const HEADER_KIND_SHIFT: u32 = 0;
pub const HEADER_KIND_MASK: u64 = 0xff;
pub const HEADER_TAG_SHIFT: u32 = 8;
/// Mask of the constructor number or arity, after the shift.
pub const HEADER_TAG_MASK: u64 = 0xff_ffff;
pub const HEADER_WORDS_SHIFT: u32 = 32;
/// Mask of the payload size, after the shift.
pub const HEADER_WORDS_MASK: u64 = 0xffff_ffff;

/// A header word. `tag` is the constructor number of a variant block, the arity of a
/// closure, else 0. A payload of more than 2³²-1 words is recorded as that number;
/// such objects are strings and arrays, and have their own length.
pub const fn header(kind: ObjectKind, tag: u32, payload_bytes: u64) -> u64 {
    let words = round_up(payload_bytes) / 8;
    let words = if words > HEADER_WORDS_MASK { HEADER_WORDS_MASK } else { words };
    (kind as u64)
        | ((tag as u64 & HEADER_TAG_MASK) << HEADER_TAG_SHIFT)
        | (words << HEADER_WORDS_SHIFT)
}

/// Bits 0–7.
pub const fn header_kind(header: u64) -> u8 {
    (header & HEADER_KIND_MASK) as u8
}

/// Bits 8–31: constructor number or arity.
pub const fn header_tag(header: u64) -> u32 {
    ((header >> HEADER_TAG_SHIFT) & HEADER_TAG_MASK) as u32
}

/// Bits 32–63.
pub const fn header_payload_words(header: u64) -> u64 {
    header >> HEADER_WORDS_SHIFT
}

/// The next multiple of 8.
pub const fn round_up(bytes: u64) -> u64 {
    (bytes + 7) & !7
}

/// A constructor without arguments; `index` counts all constructors of the type.
pub const fn variant_constant(index: u32) -> u64 {
    ((index as u64) << 1) | 1
}

/// Offset of the length in a string, bytes or array.
pub const LENGTH_OFFSET: u64 = 0;
/// Offset of the first byte of a string or bytes, and of the first element of an array.
pub const DATA_OFFSET: u64 = 8;
/// Offset of the code pointer in a closure.
pub const CLOSURE_CODE_OFFSET: u64 = 0;
/// Offset of the first capture in a closure.
pub const CLOSURE_CAPTURES_OFFSET: u64 = 8;
/// Offset of the descriptor's address in an exception.
pub const EXCEPTION_ID_OFFSET: u64 = 0;
/// Offset of the first argument in an exception.
pub const EXCEPTION_FIELDS_OFFSET: u64 = 8;

/// Closures up to this size do not straddle a multiple of it.
pub const CACHE_LINE: u64 = 64;

/// Size and alignment of a value in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub size: u64,
    pub align: u64,
}

impl Shape {
    /// A number or a pointer of so many bytes.
    pub const fn scalar(bytes: u64) -> Self {
        Self { size: bytes, align: bytes }
    }

    /// Two values side by side, held without an object of their own.
    pub const fn pair(first: Self, second: Self) -> Self {
        let align = if first.align > second.align { first.align } else { second.align };
        let mut fields = Placer::new(0);
        fields.place(first);
        fields.place(second);
        Self { size: fields.size.next_multiple_of(align), align }
    }
}

/// Gives fields their offsets: one after the other, each at its natural alignment, as in C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placer {
    /// The end of the fields so far, not rounded up.
    pub size: u64,
}

impl Placer {
    /// Fields behind `start` bytes of something else.
    pub const fn new(start: u64) -> Self {
        Self { size: start }
    }

    /// The offset of the next field.
    pub const fn place(&mut self, field: Shape) -> u64 {
        let at = self.size.next_multiple_of(field.align);
        self.size = at + field.size;
        at
    }
}

/// Payload of a string or bytes of `len` bytes: the length, the bytes, a NUL, padding.
pub const fn string_payload(len: u64) -> u64 {
    round_up(DATA_OFFSET + len + 1)
}

/// Payload of an array.
pub const fn array_payload(len: u64, element_size: u64) -> u64 {
    round_up(DATA_OFFSET + len * element_size)
}

/// An `int` as compiled code holds it.
pub const fn shifted_int(value: i64) -> i64 {
    value << 1
}

/// The value of an `int` as compiled code holds it.
pub const fn plain_int(shifted: i64) -> i64 {
    shifted >> 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_fields_are_independent() {
        let it = header(ObjectKind::Variant, 0xabcdef, 24);
        assert_eq!(header_kind(it), ObjectKind::Variant as u8);
        assert_eq!(header_tag(it), 0xabcdef);
        assert_eq!(header_payload_words(it), 3);
    }

    #[test]
    fn a_huge_payload_saturates() {
        let it = header(ObjectKind::String, 0, 1 << 40);
        assert_eq!(header_payload_words(it), HEADER_WORDS_MASK);
        assert_eq!(header_kind(it), ObjectKind::String as u8);
    }

    #[test]
    fn fields_are_naturally_aligned() {
        let mut fields = Placer::new(CLOSURE_CAPTURES_OFFSET);
        assert_eq!(fields.place(Shape::scalar(1)), 8);
        assert_eq!(fields.place(Shape::scalar(4)), 12);
        let pair = Shape::pair(Shape::scalar(8), Shape::scalar(1));
        assert_eq!(pair, Shape { size: 16, align: 8 });
        assert_eq!(fields.place(pair), 16);
        assert_eq!(fields.place(Shape::scalar(1)), 32);
        assert_eq!(fields.size, 33);
    }

    #[test]
    fn sizes() {
        assert_eq!(string_payload(0), 16);
        assert_eq!(string_payload(7), 16);
        assert_eq!(string_payload(8), 24);
        assert_eq!(array_payload(0, 8), 8);
        assert_eq!(array_payload(3, 1), 16);
        assert_eq!(variant_constant(3), 7);
        assert_eq!(plain_int(shifted_int(i64::MIN >> 1)), i64::MIN >> 1);
    }
}
