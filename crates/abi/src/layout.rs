//! The header word, the offsets of fields, and the sizes of objects.
//!
//! ```text
//! bit 63       51    50     49    46  45     44    43    40 39     32 31            0
//!     | pointers | suspect | words  | frame | static | kind  | tag     | references  |
//! ```
//!
//! `references` is a signed number, one less than the references there are: 0 says that
//! the object has one owner. An object that is always there starts with [`IMMORTAL`].
//!
//! `pointers` has a bit for each word of the payload that holds a pointer (or a constant
//! constructor); it never holds null. An object of more than [`SMALL_WORDS`] words has [`LARGE`] in
//! `words`, and before the header the address of its descriptor: the number of
//! words, then a bit for each, 64 to a word.
//! `suspect` says that the object can be in a cycle and that the scan for cycles knows it. The word of
//! a free cell is an address, which has no such bit.
//! Arrays have the logarithm of the element's size in `words`, and in `pointers` the two
//! possible words of one element. Strings have 0 in both.

/// What an object is: bits 40–43 of its header.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum ObjectKind {
    /// A tuple or a record.
    Tuple = 0,
    /// A constructor with arguments; the tag is its number.
    Variant = 1,
    /// A flat closure; the tag is its arity.
    Closure = 2,
    /// An exception value.
    Exception = 3,
    /// A mutable cell: a `ref`, or a variable captured by reference.
    Cell = 4,
    /// A scalar in memory, where code is shared by all types.
    Box = 5,
    // From 8 on: objects that hold their own length.
    /// A string or bytes.
    String = 8,
    /// An array whose elements hold no pointer.
    ScalarArray = 9,
    /// An array whose elements are pointers (or variant constants).
    PointerArray = 10,
    /// An array whose elements are structs with pointers in them.
    StructArray = 11,
    /// The handle of a fibre: one word, which the runtime knows.
    Fiber = 12,
}

/// The bit that kinds with a length of their own have.
pub const SIZED_KIND_BIT: u32 = KIND_SHIFT + 3;

/// Size of the header, which lies just before the object.
pub const HEADER_SIZE: u64 = 8;
/// Offset of the header from the object's address.
pub const HEADER_OFFSET: i64 = -8;
/// Alignment of every object.
pub const OBJECT_ALIGN: u64 = 8;

/// References of an object that no count frees.
pub const IMMORTAL: u64 = 1 << 30;

// In programs with domains, objects that several of them may have are counted below zero, by atomic operations:
// `SHARED - references`. So code that counts looks at the sign, which it does anyway when it drops, and takes an
// object apart only if its count is 0: never one that is shared. The scan for cycles takes counts of objects that are
// not shared below zero for a while, but not below `SHARED_LIMIT`.

/// The count of a shared object is this, less the number of its references.
pub const SHARED: i32 = -(1 << 30);
/// A count below this is that of a shared object, or of one that is always there.
pub const SHARED_LIMIT: i32 = -(1 << 29);
/// The count of constants in programs with domains: nobody writes to it.
pub const SHARED_IMMORTAL: i32 = i32::MIN;
/// A count below this is that of an object which is always there.
pub const SHARED_IMMORTAL_LIMIT: i32 = SHARED - (1 << 29);

pub const TAG_SHIFT: u32 = 32;
pub const KIND_SHIFT: u32 = 40;
/// The object is a constant of the program.
pub const STATIC_BIT: u32 = 44;
/// The object is in a function's frame: its memory is not to be freed.
pub const FRAME_BIT: u32 = 45;
pub const WORDS_SHIFT: u32 = 46;
/// The object has been changed in a way that can make a cycle, and is noted for the scan.
pub const SUSPECT_BIT: u32 = 50;
pub const POINTERS_SHIFT: u32 = 51;
/// Offset of the byte with the tag from the object's address.
pub const TAG_OFFSET: i64 = -4;
/// Offset of the half with everything but the references.
pub const INFO_OFFSET: i64 = -4;
/// Offset of the descriptor's address in an object of more than [`SMALL_WORDS`] words.
pub const DESCRIPTOR_OFFSET: i64 = -16;
/// Where a large object begins in its cell: behind a word for alignment, the descriptor's address
/// and the header.
pub const LARGE_START: u64 = 24;
/// The largest tag.
pub const LARGEST_TAG: u32 = 255;
/// Payload words of an object whose header says where its pointers are.
pub const SMALL_WORDS: u64 = 13;
/// In place of the number of words.
pub const LARGE: u64 = 15;

/// Where the pointers are in an object. The words of a small object fill its cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub kind: ObjectKind,
    /// Constructor number of a variant block, arity of a closure, else 0.
    pub tag: u32,
    /// See the head of this file.
    pub words: u64,
    /// A bit for each word with a pointer; if `words` is [`LARGE`], not 0 if there are any.
    pub pointers: u64,
}

impl Shape {
    pub const fn string() -> Self {
        Self { kind: ObjectKind::String, tag: 0, words: 0, pointers: 0 }
    }

    /// An array of elements of `size` bytes, a power of two up to 16.
    pub const fn array(kind: ObjectKind, size: u64, pointers: u64) -> Self {
        Self { kind, tag: 0, words: size.trailing_zeros() as u64, pointers }
    }

    /// The header of an object of this shape with one owner.
    pub const fn header(self) -> u64 {
        ((self.tag as u64) << TAG_SHIFT)
            | ((self.kind as u64) << KIND_SHIFT)
            | (self.words << WORDS_SHIFT)
            | (self.pointers << POINTERS_SHIFT)
    }

    pub const fn static_header(self) -> u64 {
        self.header() | (1 << STATIC_BIT) | IMMORTAL
    }

    /// The same in programs with domains.
    pub const fn shared_static_header(self) -> u64 {
        self.header() | (1 << STATIC_BIT) | SHARED_IMMORTAL as u32 as u64
    }

    /// Of an object in a region: counting references to it does no harm.
    pub const fn region_header(self) -> u64 {
        self.static_header()
    }

    pub const fn frame_header(self) -> u64 {
        self.header() | (1 << FRAME_BIT)
    }

    /// Is there nothing to do when an object in a frame is dropped for the last time? Arrays and
    /// strings say elsewhere how many parts they have.
    pub const fn is_plain(self) -> bool {
        self.pointers == 0 && (self.kind as u8) < ObjectKind::String as u8
    }
}

/// A region in a frame: where the next object goes, the end of the page, the page.
pub const REGION_SIZE: u64 = 24;
pub const REGION_NEXT_OFFSET: u64 = 0;
pub const REGION_END_OFFSET: u64 = 8;
pub const REGION_PAGE_OFFSET: u64 = 16;

pub const fn header_kind(header: u64) -> u8 {
    ((header >> KIND_SHIFT) & 0xf) as u8
}

pub const fn header_tag(header: u64) -> u32 {
    ((header >> TAG_SHIFT) & 0xff) as u32
}

pub const fn header_words(header: u64) -> u64 {
    (header >> WORDS_SHIFT) & 0xf
}

pub const fn header_pointers(header: u64) -> u64 {
    header >> POINTERS_SHIFT
}

// Memory is handed out in cells; a cell is the header with the object behind it, and a word for
// alignment and the descriptor's address before it in large ones. Cells of up to `LARGEST_CELL`
// bytes are of one of `CLASSES` sizes, and free ones of each size are in a list of their own, linked
// through their first word.

/// The largest cell that has a list.
pub const LARGEST_CELL: u64 = 512;
/// Sizes are multiples of this.
pub const CELL_STEP: u64 = 8;
pub const CLASSES: usize = (LARGEST_CELL / CELL_STEP + 1) as usize;

/// Index of the list of cells of this many bytes.
pub const fn cell_class(bytes: u64) -> usize {
    (bytes / CELL_STEP) as usize
}

/// The size of the cell of an object that is no array and no string. Cells of closures of up to
/// a cache line do not straddle two: their size divides the line's. Captures of most larger ones
/// begin at a multiple of 16, for loads of several at once.
pub const fn cell_size(kind: ObjectKind, payload: u64) -> u64 {
    if is_large(payload) {
        return (LARGE_START + round_up(payload)).next_multiple_of(16);
    }
    let size = HEADER_SIZE + round_up(payload);
    match kind {
        ObjectKind::Closure if size <= CACHE_LINE => size.next_power_of_two(),
        // The words of the next size would not fit the header's field.
        ObjectKind::Closure if size <= 8 * SMALL_WORDS => size.next_multiple_of(16),
        _ => size,
    }
}

/// Does an object with this payload need a descriptor?
pub const fn is_large(payload: u64) -> bool {
    round_up(payload) / 8 > SMALL_WORDS
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

/// A word in place of a constructor, by its lowest bits: an integer is `n << INT_SHIFT | INT_TAG`, and constant
/// constructors have even numbers where integers stand among them.
pub const INT_TAG: i64 = 0b11;
pub const INT_SHIFT: u32 = 2;

/// A mark is `n << MARK_SHIFT | MARK_TAG`: what the constant constructor of number 120 would be, for the mark 0.
pub const MARK_TAG: i64 = 0xf1;
pub const MARK_SHIFT: u32 = 8;

/// A float is its bits with [`FLOAT_BIAS`] added, turned left by [`FLOAT_TURN`]: the upper three bits of the exponent
/// become the lowest of the word. They are [`FLOAT_TAG`] for magnitudes of 2^-127 to 2^128; others have no word.
/// Constant constructors have numbers that are divisible by four where floats stand among them.
pub const FLOAT_TAG: i64 = 0b101;
pub const FLOAT_TAG_MASK: i64 = 0b111;
pub const FLOAT_TURN: u32 = 4;
pub const FLOAT_BIAS: i64 = 0x180 << 52;

/// The word of a float in place of a constructor, if it has one.
pub fn float_word(value: f64) -> Option<i64> {
    let word = (value.to_bits() as i64).wrapping_add(FLOAT_BIAS).rotate_left(FLOAT_TURN);
    (word & FLOAT_TAG_MASK == FLOAT_TAG).then_some(word)
}

/// The bit that tells the only field of a constructor held in its word from an address.
pub const WRAP_TAG: i64 = 1;

/// Size and alignment of a value in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    pub size: u64,
    pub align: u64,
}

impl Extent {
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
    pub const fn place(&mut self, field: Extent) -> u64 {
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
        let shape = Shape { kind: ObjectKind::Variant, tag: 0xab, words: 13, pointers: 0x1fff };
        let it = shape.header();
        assert_eq!(it as u32, 0);
        assert_eq!(header_kind(it), ObjectKind::Variant as u8);
        assert_eq!(header_tag(it), 0xab);
        assert_eq!((header_words(it), header_pointers(it)), (13, 0x1fff));
        assert_eq!(it >> SUSPECT_BIT & 1, 0);
        assert_eq!(shape.static_header() ^ it, (1 << STATIC_BIT) | IMMORTAL);
        assert_eq!(shape.frame_header() ^ it, 1 << FRAME_BIT);
    }

    /// C9: the cell of a small closure divides the cache line.
    #[test]
    fn cells() {
        assert_eq!(cell_size(ObjectKind::Tuple, 16), 24);
        assert_eq!(cell_size(ObjectKind::Closure, 16), 32);
        assert_eq!(cell_size(ObjectKind::Closure, 40), 64);
        assert_eq!(cell_size(ObjectKind::Closure, 64), 80);
        assert_eq!(cell_size(ObjectKind::Closure, 12 * 8), 14 * 8);
        assert_eq!(cell_size(ObjectKind::Closure, 13 * 8), 14 * 8);
        assert_eq!(cell_size(ObjectKind::Tuple, 13 * 8), 14 * 8);
        assert_eq!(cell_size(ObjectKind::Closure, 14 * 8), 18 * 8);
        assert_eq!(cell_size(ObjectKind::Tuple, 14 * 8), 18 * 8);
        assert_eq!(cell_size(ObjectKind::Tuple, 16 * 8), 20 * 8);
        assert_eq!(cell_class(LARGEST_CELL) + 1, CLASSES);
    }

    #[test]
    fn fields_are_naturally_aligned() {
        let mut fields = Placer::new(CLOSURE_CAPTURES_OFFSET);
        assert_eq!(fields.place(Extent::scalar(1)), 8);
        assert_eq!(fields.place(Extent::scalar(4)), 12);
        let pair = Extent::pair(Extent::scalar(8), Extent::scalar(1));
        assert_eq!(pair, Extent { size: 16, align: 8 });
        assert_eq!(fields.place(pair), 16);
        assert_eq!(fields.place(Extent::scalar(1)), 32);
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
