//! Cells: where they come from, and what happens when the last reference goes.
//!
//! ```text
//! oxbow_free_cells[3] ─▶ cell of 24 bytes ─▶ cell ─▶ …      linked through the first word
//! ```
//!
//! Compiled code takes cells from the lists and puts them back by itself; it comes here when a
//! list is empty, for cells too large to have one, and to release objects.

use core::ffi::c_char;
use core::ptr::null_mut;

use oxbow_abi::{
    CLASSES, DESCRIPTOR_OFFSET, FRAME_BIT, HEADER_SIZE, IMMORTAL, LARGE, LARGE_START, LARGEST_CELL,
    ObjectKind, SIZED_KIND_BIT, STATIC_BIT, Shape, array_payload, cell_class, cell_size,
    header_kind, header_pointers, header_words, round_up, string_payload,
};

use crate::object::{data, length};
use crate::trouble::out_of_memory;
use crate::{checked, cycles, domain, fiber, pages, places, region, shared};

/// The first free cell of each class.
#[unsafe(no_mangle)]
pub static mut oxbow_free_cells: [*mut u8; CLASSES] = [null_mut(); CLASSES];

/// What a place holds that nothing has been stored in.
#[unsafe(no_mangle)]
pub static mut oxbow_nothing: [u64; 2] =
    [Shape { kind: ObjectKind::Box, tag: 0, words: 1, pointers: 0 }.static_header(), 0];

pub(crate) fn nothing() -> *mut u8 {
    // SAFETY: the variable has two words: the header and, behind it, the object.
    unsafe { (&raw mut oxbow_nothing).cast::<u8>().add(HEADER_SIZE as usize) }
}

/// The lists of this thread: of the program, or of its domain.
#[inline]
fn lists() -> *mut *mut u8 {
    if domain::are_there() {
        // SAFETY: the domain of a thread is there as long as the thread, and begins with its lists.
        unsafe { (&raw mut (*domain::current()).cells).cast() }
    } else {
        (&raw mut oxbow_free_cells).cast()
    }
}

/// How much is cut into cells at a time.
const BATCH: usize = 4096;

/// A cell of `size` bytes when its list is empty.
#[cold]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_cell_refill(size: i64, site: *mut u8) -> *mut u8 {
    let size = size as usize;
    // A whole number of cells in a whole number of cache lines.
    let bytes = if size > BATCH / 16 { BATCH * 4 } else { BATCH };
    const { assert!(BATCH * 4 >= 2 * LARGEST_CELL as usize) };
    // SAFETY: `bytes` from `start` on are nobody else's, and hold `count` cells, at least two: `size` is that of a
    // class, so the list is there, too, and what it begins with lies in the memory.
    unsafe {
        let list = lists().add(cell_class(size as u64));
        if domain::are_there() {
            domain::collect_cells();
            let first = *list;
            if !first.is_null() {
                *list = first.cast::<*mut u8>().read();
                return first;
            }
        }
        let start = match if bytes == BATCH { region::spare_page() } else { None } {
            Some(page) => page,
            None => pages::take(bytes, site.cast::<c_char>()),
        };
        let count = bytes / size;
        for index in 1..count {
            let cell = start.add(index * size);
            let next = if index + 1 < count { cell.add(size) } else { null_mut() };
            cell.cast::<*mut u8>().write(next);
        }
        *list = start.add(size);
        start
    }
}

/// A cell without a list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_cell_large(size: i64, site: *mut u8) -> *mut u8 {
    // SAFETY: compiled code asks for a positive size, and its site is a C string.
    unsafe {
        pages::charge(size as usize, site.cast());
        // Behind it there is a word for the scan for cycles.
        let cell = libc::malloc(size as usize + size_of::<usize>()).cast::<u8>();
        if cell.is_null() {
            out_of_memory(site.cast());
        }
        cell
    }
}

/// An object with `payload` bytes and this header: a string or an array.
#[inline]
pub(crate) unsafe fn allocate(payload: u64, header: u64) -> *mut u8 {
    // SAFETY: sizes up to `LARGEST_CELL` have a list; what it holds are free cells of that size, linked by their
    // first words. The cell is larger than its header.
    unsafe {
        let size = HEADER_SIZE + round_up(payload);
        let cell = if size > LARGEST_CELL {
            slow_cell(size, header)
        } else {
            let list = lists().add(cell_class(size));
            let first = *list;
            if first.is_null() {
                slow_cell(size, header)
            } else {
                *list = first.cast::<*mut u8>().read();
                first
            }
        };
        cell.cast::<u64>().write(header);
        cell.add(HEADER_SIZE as usize)
    }
}

/// A cell that no list has.
#[cold]
unsafe fn slow_cell(size: u64, header: u64) -> *mut u8 {
    // SAFETY: each is asked for the sizes that it has, and null is a site.
    unsafe {
        if checked::is_on() {
            checked::new_cell(size as usize, header, places::site())
        } else if size > LARGEST_CELL {
            oxbow_cell_large(size as i64, null_mut())
        } else {
            oxbow_cell_refill(size as i64, null_mut())
        }
    }
}

/// Gives the cell of an object back.
#[inline]
pub(crate) unsafe fn free(object: *mut u8, header: u64) {
    // SAFETY: the caller gives the last reference away, and the header of an object in a cell of its own:
    // `allocate` or compiled code took a cell of this size, a large one from `malloc`, and nobody uses it any more.
    unsafe {
        if domain::are_there() {
            return shared::free(object, header);
        }
        cycles::died(object, header);
        free_unnoted(object, header);
    }
}

/// The same for an object that the scan for cycles does not know; its size.
#[inline]
pub(crate) unsafe fn free_unnoted(object: *mut u8, header: u64) -> u64 {
    // SAFETY: as above.
    unsafe {
        let (cell, size) = cell_of(object, header);
        if size > LARGEST_CELL {
            pages::discharge(size as usize);
            libc::free(cell.cast());
            return size;
        }
        match domain::are_there() {
            true => put_back::<true>(cell, size),
            false => put_back::<false>(cell, size),
        }
        size
    }
}

/// Puts a cell that has a list back.
#[inline(always)]
pub(crate) unsafe fn put_back<const DOMAINS: bool>(cell: *mut u8, size: u64) {
    // SAFETY: by the contract nobody uses the cell any more, which is of a size that has a list.
    unsafe {
        if DOMAINS {
            return domain::free_cell(cell, size);
        }
        let list = (&raw mut oxbow_free_cells).cast::<*mut u8>().add(cell_class(size));
        cell.cast::<*mut u8>().write(*list);
        *list = cell;
    }
}

/// Where an object's cell starts, and its size.
#[inline]
pub(crate) unsafe fn cell_of(object: *mut u8, header: u64) -> (*mut u8, u64) {
    let kind = header_kind(header);
    let words = header_words(header);
    if header & (1 << SIZED_KIND_BIT) == 0 && words != LARGE {
        // SAFETY: the header lies before the object.
        return (unsafe { object.sub(HEADER_SIZE as usize) }, HEADER_SIZE + words * 8);
    }
    // SAFETY: the header is the object's, so strings and arrays begin with their length, and what has `LARGE` words
    // has a descriptor. The cell begins as far before the object as the kind says.
    unsafe {
        let length = object.cast::<u64>();
        let payload = if kind == ObjectKind::String as u8 {
            string_payload(length.read())
        } else if is_array(kind) {
            array_payload(length.read(), 1 << words)
        } else if words == LARGE {
            let payload = descriptor(object).read() * 8;
            return (object.sub(LARGE_START as usize), cell_size(ObjectKind::Tuple, payload));
        } else {
            words * 8
        };
        (object.sub(HEADER_SIZE as usize), HEADER_SIZE + payload)
    }
}

const fn is_array(kind: u8) -> bool {
    kind == ObjectKind::ScalarArray as u8
        || kind == ObjectKind::PointerArray as u8
        || kind == ObjectKind::StructArray as u8
}

/// The descriptor of an object with [`LARGE`] words.
unsafe fn descriptor(object: *mut u8) -> *const u64 {
    // SAFETY: compiled code writes its address before the header of such an object.
    unsafe { object.offset(DESCRIPTOR_OFFSET as isize).cast::<*const u64>().read() }
}

/// Objects whose last reference is gone. The first part of an object is released before the
/// others, so a list of any length takes no room: its rest waits alone.
pub(crate) struct Waiting {
    objects: *mut *mut u8,
    count: usize,
    room: usize,
}

impl Waiting {
    pub(crate) const fn new() -> Self {
        Self { objects: null_mut(), count: 0, room: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The last; there are some.
    pub(crate) fn pop(&mut self) -> *mut u8 {
        self.count -= 1;
        // SAFETY: so many have been written.
        unsafe { self.objects.add(self.count).read() }
    }

    #[inline]
    pub(crate) fn push(&mut self, object: *mut u8) {
        // SAFETY: there is room for `room` addresses, which are more than `count` after `grow`.
        unsafe {
            if self.count == self.room {
                self.grow();
            }
            self.objects.add(self.count).write(object);
            self.count += 1;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let room = (self.room * 2).max(64);
        let bytes = room * size_of::<*mut u8>();
        // SAFETY: the old memory is null or came from here.
        let objects = unsafe { libc::realloc(self.objects.cast(), bytes) }.cast::<*mut u8>();
        if objects.is_null() {
            out_of_memory(core::ptr::null());
        }
        self.objects = objects;
        self.room = room;
    }
}

/// Takes one reference away, unless it is the last: that is for the caller to see to.
#[inline]
unsafe fn count_down(object: *mut u8) -> bool {
    // SAFETY: the object is alive, since the caller has a reference to give away.
    unsafe {
        let count = count_of(object);
        let others = count.read();
        // Not written when it dies: the header is read as a whole soon, and would have to wait.
        if others != 0 {
            count.write(others - 1);
        }
        others == 0
    }
}

/// The same for a value that may be a constant constructor.
#[inline(always)]
unsafe fn dies(value: *mut u8) -> bool {
    // SAFETY: by the contract an even word is an object.
    unsafe { value as usize & 1 == 0 && count_down(value) }
}

/// Adds references to a value, which may be a constant constructor.
#[inline]
pub(crate) unsafe fn add_references(value: *mut u8, more: i64) {
    // SAFETY: by the contract an even word is an object that is alive.
    unsafe {
        if checked::is_on() {
            checked::add(value, more as i32, places::site());
        } else if value as usize & 1 != 0 {
            // A constant constructor.
        } else if domain::are_there() {
            shared::add(value, more as i32);
        } else {
            let count = count_of(value);
            count.write(count.read() + more as i32);
        }
    }
}

/// Takes one reference to a value away, which is the caller's.
pub(crate) unsafe fn drop_reference(value: *mut u8) {
    // SAFETY: the reference is the caller's, and was the last one where the object is released.
    unsafe {
        if checked::is_on() {
            checked::drop_reference(value, places::site());
        } else if domain::are_there() {
            shared::drop_reference(value);
        } else if dies(value) {
            oxbow_release(value);
        }
    }
}

/// Set in the header of an object that is static, or has its own length.
const SPECIAL: u64 = 1 << STATIC_BIT | 1 << SIZED_KIND_BIT;

/// The header of a small object with two words that are both references, without tag and kind: cells of lists
/// and pairs, which most objects are.
const PAIR: u32 = (Shape { kind: ObjectKind::Tuple, tag: 0, words: 2, pointers: 0b11 }.header()
    >> SIZED_KIND_BIT) as u32;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_release(object: *mut u8) {
    // SAFETY: the count of the object is 0, and its only reference the caller's. The same holds for all that is
    // found from there: by the contract a field holds one reference of its value, which is counted down once, when
    // the object that has the field dies; what dies then is reached by nobody else. A pair fills a cell of three
    // words, so its fields can hold the way back and its cell can go to the list. Nothing that is called here comes
    // back here but fibres that unwind, at the end, when `waiting` is not looked at any more; `list` is up to date when
    // others are called that use it.
    unsafe {
        let waiting = &mut (*domain::plain()).waiting;
        let first = waiting.count;
        let list = &raw mut oxbow_free_cells[cell_class(HEADER_SIZE + 16)];
        let mut free = *list;
        let mut object = object;
        let mut unwinds = false;
        // Pairs both of whose parts die. The second part waits in its place, the first has the way to the one before.
        let mut halves: *mut u8 = null_mut();
        loop {
            let info = info_of(object).read();
            let mut next: *mut u8;
            if info >> (SIZED_KIND_BIT - 32) == PAIR {
                // Most parts of a pair that die with it are like it.
                loop {
                    let fields = object.cast::<*mut u8>();
                    let (one, two) = (fields.read(), fields.add(1).read());
                    let cell = object.sub(HEADER_SIZE as usize);
                    if dies(two) {
                        if dies(one) {
                            fields.write(halves);
                            halves = object;
                            next = one;
                        } else {
                            cell.cast::<*mut u8>().write(free);
                            free = cell;
                            next = two;
                        }
                    } else {
                        cell.cast::<*mut u8>().write(free);
                        free = cell;
                        if !dies(one) {
                            next = null_mut();
                            break;
                        }
                        next = one;
                    }
                    if info_of(next).read() != info {
                        break;
                    }
                    object = next;
                }
            } else {
                *list = free;
                next = release_one(waiting, object, u64::from(info) << 32, &mut unwinds);
                free = *list;
            }
            if next.is_null() {
                if !halves.is_null() {
                    let fields = halves.cast::<*mut u8>();
                    let cell = halves.sub(HEADER_SIZE as usize);
                    (halves, next) = (fields.read(), fields.add(1).read());
                    cell.cast::<*mut u8>().write(free);
                    free = cell;
                } else if waiting.count == first {
                    *list = free;
                    if unwinds {
                        fiber::unwind_dead();
                    }
                    return;
                } else {
                    waiting.count -= 1;
                    next = waiting.objects.add(waiting.count).read();
                }
            }
            object = next;
        }
    }
}

/// The half of the header without the count, which may just have been written: a load of both would wait for that.
#[inline]
pub(crate) unsafe fn info_of(object: *mut u8) -> *mut u32 {
    // SAFETY: it is the second half of the header, which every object has.
    unsafe { object.sub(HEADER_SIZE as usize / 2).cast() }
}

/// Releases an object of any form, whose header this is without the count; what is to be released next, or null.
/// `unwinds` is set if a fibre has to unwind.
#[inline(always)]
unsafe fn release_one(
    waiting: &mut Waiting,
    object: *mut u8,
    header: u64,
    unwinds: &mut bool,
) -> *mut u8 {
    // SAFETY: the object is dead, as `oxbow_release` says, and its header tells which words are values. One that is
    // not special has at most `SMALL_WORDS` words, in a frame or in a cell of that size, and so a list.
    unsafe {
        let words = header_words(header);
        let mut next: *mut u8 = null_mut();
        if header & SPECIAL != 0 || words == LARGE {
            *unwinds |= release_special(waiting, object, header);
            return next;
        }
        let mut pointers = header_pointers(header);
        let fields = object.cast::<*mut u8>();
        while pointers != 0 {
            let last = 63 - pointers.leading_zeros();
            pointers ^= 1 << last;
            let part = fields.add(last as usize).read();
            if dies(part) {
                if !next.is_null() {
                    waiting.push(next);
                }
                next = part;
            }
        }
        if header & (1 << FRAME_BIT) == 0 {
            // `words` and the header fill the cell.
            let cell = object.sub(HEADER_SIZE as usize);
            let list = (&raw mut oxbow_free_cells).cast::<*mut u8>().add(words as usize + 1);
            cell.cast::<*mut u8>().write(*list);
            *list = cell;
        }
        next
    }
}

/// Releases an object that is static, has its own length, or is large; was it the handle of a fibre?
#[cold]
unsafe fn release_special(waiting: &mut Waiting, object: *mut u8, header: u64) -> bool {
    // SAFETY: the object is dead, as `oxbow_release` says, and its parts with it unless it is static. One of a
    // frame has no cell; the others have one of their own.
    unsafe {
        if header & (1 << STATIC_BIT) != 0 {
            count_of(object).write(IMMORTAL as i32);
            return false;
        }
        let is_fiber = header_kind(header) == ObjectKind::Fiber as u8;
        if is_fiber {
            fiber::died(object);
        }
        visit_parts(object, header, &mut |part| {
            let part = part.read();
            if dies(part) {
                waiting.push(part);
            }
        });
        if header & (1 << FRAME_BIT) == 0 {
            free(object, header);
        }
        is_fiber
    }
}

/// Calls `visit` with the address of each reference in an object, the last first unless there may
/// be many.
#[inline]
pub(crate) unsafe fn visit_parts(
    object: *mut u8,
    header: u64,
    visit: &mut impl FnMut(*mut *mut u8),
) {
    let kind = header_kind(header);
    let mut pointers = header_pointers(header);
    let words = object.cast::<*mut u8>();
    // SAFETY: the header is the object's: its bits, or those of the descriptor, are of words that the object has.
    unsafe {
        if header & (1 << SIZED_KIND_BIT) == 0 && header_words(header) != LARGE {
            while pointers != 0 {
                let last = 63 - pointers.leading_zeros();
                visit(words.add(last as usize));
                pointers ^= 1 << last;
            }
        } else if is_array(kind) {
            if pointers != 0 {
                for_each_part(object, header, visit);
            }
        } else if header_words(header) == LARGE {
            let descriptor = descriptor(object);
            for chunk in 0..(descriptor.read() as usize).div_ceil(64) {
                let mut pointers = descriptor.add(1 + chunk).read();
                while pointers != 0 {
                    visit(words.add(64 * chunk + pointers.trailing_zeros() as usize));
                    pointers &= pointers - 1;
                }
            }
        }
    }
}

/// Calls `visit` with the address of each pointer in an array.
pub(crate) unsafe fn for_each_part(array: *mut u8, header: u64, visit: impl FnMut(*mut *mut u8)) {
    // SAFETY: the array has as many elements as its length says.
    unsafe { for_each_in(data(array), header, length(array), visit) }
}

/// The same for `count` elements that lie one behind the other, in an array of this header or as in one.
pub(crate) unsafe fn for_each_in(
    first: *mut u8,
    header: u64,
    count: usize,
    mut visit: impl FnMut(*mut *mut u8),
) {
    let size = 1 << header_words(header);
    let pointers = header_pointers(header);
    // SAFETY: the caller says that so many elements are there; a bit of the header is set for words that they have.
    unsafe {
        for index in 0..count {
            let element = first.add(index * size).cast::<*mut u8>();
            if pointers & 1 != 0 {
                visit(element);
            }
            if pointers & 2 != 0 {
                visit(element.add(1));
            }
        }
    }
}

/// The header of an object.
pub(crate) unsafe fn header_of(object: *mut u8) -> u64 {
    // SAFETY: by the contract every object has a header just before it.
    unsafe { object.sub(HEADER_SIZE as usize).cast::<u64>().read() }
}

/// Where the references to an object are counted.
#[inline(always)]
pub(crate) unsafe fn count_of(object: *mut u8) -> *mut i32 {
    // SAFETY: by the contract every object has a header just before it, whose first half is the count.
    unsafe { object.sub(HEADER_SIZE as usize).cast() }
}

#[cfg(test)]
mod tests {
    use oxbow_abi::CACHE_LINE;

    use super::*;
    use crate::testing::program;

    unsafe fn cell(kind: ObjectKind, parts: &[*mut u8]) -> *mut u8 {
        let words = parts.len() as u64;
        let shape = Shape { kind, tag: 0, words, pointers: (1 << words) - 1 };
        unsafe {
            let object = allocate(words * 8, shape.header());
            for (index, &part) in parts.iter().enumerate() {
                object.cast::<*mut u8>().add(index).write(part);
            }
            object
        }
    }

    #[test]
    fn a_released_cell_is_the_next_one_taken() {
        let _program = program();
        unsafe {
            let first = cell(ObjectKind::Tuple, &[nothing(), nothing()]);
            assert!(count_down(first));
            oxbow_release(first);
            let second = cell(ObjectKind::Variant, &[1 as *mut u8, nothing()]);
            assert_eq!(first, second);
            drop_reference(second);
        }
    }

    #[test]
    fn parts_die_with_the_whole_unless_shared() {
        let _program = program();
        unsafe {
            let shared = cell(ObjectKind::Tuple, &[nothing()]);
            add_references(shared, 1);
            let owned = cell(ObjectKind::Tuple, &[nothing()]);
            let whole = cell(ObjectKind::Tuple, &[shared, owned]);
            drop_reference(whole);
            assert_eq!(header_of(shared) as i32, 0);
            assert_eq!(cell(ObjectKind::Tuple, &[shared]), owned);
        }
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let _program = program();
        unsafe {
            let mut list = 1 as *mut u8;
            for _ in 0..2_000_000 {
                let head = cell(ObjectKind::Tuple, &[nothing()]);
                list = cell(ObjectKind::Variant, &[head, list]);
            }
            drop_reference(list);
            let waiting = &(*domain::plain()).waiting;
            assert!(waiting.count == 0 && waiting.room <= 64);
        }
    }

    #[test]
    fn a_static_object_stays() {
        let _program = program();
        unsafe {
            oxbow_nothing[0] &= !0xffff_ffff;
            drop_reference(nothing());
            assert_eq!(header_of(nothing()) as u32, IMMORTAL as u32);
        }
    }

    #[test]
    fn large_cells_come_and_go() {
        let _program = program();
        unsafe {
            let header = Shape::array(ObjectKind::ScalarArray, 8, 0).header();
            for _ in 0..100 {
                let array = allocate(array_payload(1 << 20, 8), header);
                array.cast::<u64>().write(1 << 20);
                drop_reference(array);
            }
        }
    }

    /// The slots of environments are at multiples of 16: a count, and 16 bytes for each capture.
    /// covers: K2
    #[test]
    fn environments_lie_at_multiples_of_16() {
        let _program = program();
        for captures in 1..=6 {
            let size = cell_size(ObjectKind::Tuple, 8 + 16 * captures);
            for _ in 0..1000 {
                // SAFETY: the size is that of a class.
                let cell = unsafe { oxbow_cell_refill(size as i64, null_mut()) } as u64;
                let slots = cell + HEADER_SIZE + 8;
                assert_eq!(slots % 16, 0, "{captures} captures");
                // SAFETY: the list holds cells of that size.
                let next = unsafe { oxbow_free_cells[cell_class(size)] } as u64;
                assert_eq!(next % 16, cell % 16, "{captures} captures");
            }
        }
    }

    /// Closures of up to a cache line lie in one.
    /// covers: C9
    #[test]
    fn closures_stay_within_a_cache_line() {
        let _program = program();
        for payload in (16..=56).step_by(8) {
            let size = cell_size(ObjectKind::Closure, payload);
            for _ in 0..1000 {
                // SAFETY: the size is that of a class.
                let cell = unsafe { oxbow_cell_refill(size as i64, null_mut()) } as u64;
                assert_eq!(cell / CACHE_LINE, (cell + size - 1) / CACHE_LINE);
                // SAFETY: the list holds cells of that size.
                unsafe {
                    let next = oxbow_free_cells[cell_class(size)] as u64;
                    assert_eq!(next / CACHE_LINE, (next + size - 1) / CACHE_LINE);
                }
            }
        }
    }
}
