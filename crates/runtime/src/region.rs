//! Regions: chains of pages whose objects end together.
//!
//! ```text
//! region (in a frame)   next │ end │ page
//!                                     │
//!                       page ◀────────┘   before │ size │ filled │ – │ objects, from a cache line on …
//!                         ▼
//!                       page …
//! ```
//!
//! Compiled code moves `next` by itself and comes here when a page is full. The first page is small,
//! the others are larger; pages of regions that were left are used again, also for cells. Objects
//! look like static ones, so counting a reference to one does no harm. A region whose objects
//! refer to counted ones is walked before its pages go: headers tell where objects and references are.

use core::ffi::c_char;
use core::ptr::null_mut;

use oxbow_abi::{CACHE_LINE, HEADER_SIZE, header_words};

use crate::heap::{drop_reference, header_of, visit_parts};
use crate::{domain, pages};

/// A region, in the frame of the function that entered it. Compiled code begins with three nulls.
#[repr(C)]
pub struct Region {
    next: *mut u8,
    end: *mut u8,
    page: *mut Page,
}

/// The first object lies in one cache line (`backend/convert/regions` sees to the others that have to).
#[repr(C, align(64))]
struct Page {
    before: *mut Page,
    size: usize,
    /// Where the objects end, once another page has followed.
    filled: *mut u8,
}

const _: () = assert!(size_of::<Page>() as u64 == CACHE_LINE);

const SMALL: usize = 4096;
const LARGE: usize = 64 << 10;

/// Pages that no region uses: small ones, large ones.
pub(crate) struct FreePages([*mut Page; 2]);

impl FreePages {
    pub const fn new() -> Self {
        Self([null_mut(); 2])
    }
}

impl Page {
    /// Where objects begin.
    unsafe fn start(page: *mut Self) -> *mut u8 {
        // SAFETY: a page is larger than its head.
        unsafe { page.add(1).cast() }
    }
}

fn free_list(size: usize) -> *mut *mut Page {
    // SAFETY: there are two lists.
    unsafe {
        (&raw mut (*domain::local()).pages.0).cast::<*mut Page>().add(usize::from(size == LARGE))
    }
}

/// The page is the caller's, and its head says how large it is.
unsafe fn give_back(page: *mut Page) {
    // SAFETY: what the caller says; only the program's thread uses the lists.
    unsafe {
        let list = free_list((*page).size);
        (*page).before = *list;
        *list = page;
    }
}

/// A page of [`SMALL`] bytes that no region needs at the moment.
pub(crate) unsafe fn spare_page() -> Option<*mut u8> {
    // SAFETY: the lists hold pages that nobody uses, each of its list's size and with a head; a large one is cut
    // into parts that begin at multiples of a small page's size, and so have room and alignment for a head of their
    // own.
    unsafe {
        let small = free_list(SMALL);
        if (*small).is_null() {
            let large = free_list(LARGE);
            let page = *large;
            if page.is_null() {
                return None;
            }
            *large = (*page).before;
            for at in (0..LARGE).step_by(SMALL) {
                let part = page.byte_add(at);
                (*part).size = SMALL;
                give_back(part);
            }
        }
        let page = *small;
        *small = (*page).before;
        Some(page.cast())
    }
}

/// A cell of `size` bytes when the page of a region is full.
#[cold]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_region_page(region: *mut u8, size: i64, site: *mut u8) -> *mut u8 {
    // SAFETY: compiled code passes a region in its frame, which nobody else looks at meanwhile, and the size of a
    // small object: it fits any page. The page is new or from the list, so nobody else's.
    unsafe {
        let region = &mut *region.cast::<Region>();
        let bytes = if region.page.is_null() { SMALL } else { LARGE };
        let list = free_list(bytes);
        let mut page = *list;
        if page.is_null() {
            page = pages::take(bytes, site.cast::<c_char>()).cast();
        } else {
            *list = (*page).before;
        }
        if !region.page.is_null() {
            (*region.page).filled = region.next;
        }
        page.write(Page { before: region.page, size: bytes, filled: null_mut() });
        let cell = Page::start(page);
        region.page = page;
        region.next = cell.add(size as usize);
        region.end = page.cast::<u8>().add(bytes);
        cell
    }
}

/// Drops what the objects of a region refer to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_region_walk(region: *mut u8) {
    // SAFETY: compiled code passes a region in its frame, and the references in its objects end here.
    unsafe {
        for_each_object(region, |object| {
            visit_parts(object, header_of(object), &mut |part| drop_reference(part.read()));
        });
    }
}

/// The objects of a region, and what lies between them.
///
/// # Safety
///
/// The region is one of compiled code, which does not run meanwhile.
pub unsafe fn for_each_object(region: *mut u8, mut visit: impl FnMut(*mut u8)) {
    // SAFETY: what the caller says. The pages are filled with small objects one behind the other, up to `next` in the
    // last page and to `filled` in the others.
    unsafe {
        let region = &*region.cast::<Region>();
        let (mut page, mut end) = (region.page, region.next);
        while !page.is_null() {
            let mut cell = Page::start(page);
            while cell < end {
                let object = cell.add(HEADER_SIZE as usize);
                visit(object);
                cell = object.add(8 * header_words(header_of(object)) as usize);
            }
            page = (*page).before;
            if !page.is_null() {
                end = (*page).filled;
            }
        }
    }
}

/// Gives the pages of a region back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_region_leave(region: *mut u8) {
    // SAFETY: compiled code passes a region in its frame, none of whose objects is used any more; so its pages are
    // ours.
    unsafe {
        let region = &mut *region.cast::<Region>();
        let mut page = region.page;
        while !page.is_null() {
            let before = (*page).before;
            give_back(page);
            page = before;
        }
        *region = Region { next: null_mut(), end: null_mut(), page: null_mut() };
    }
}

/// The same, but the first page stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_region_reset(region: *mut u8) {
    // SAFETY: as in `oxbow_region_leave`.
    unsafe {
        let region = &mut *region.cast::<Region>();
        let mut page = region.page;
        if page.is_null() {
            return;
        }
        while !(*page).before.is_null() {
            let before = (*page).before;
            give_back(page);
            page = before;
        }
        region.page = page;
        region.next = Page::start(page);
        region.end = page.cast::<u8>().add((*page).size);
    }
}

#[cfg(test)]
mod tests {
    use oxbow_abi::{IMMORTAL, ObjectKind, Shape};

    use super::*;
    use crate::heap::allocate;
    use crate::testing::program;

    fn region() -> Region {
        Region { next: null_mut(), end: null_mut(), page: null_mut() }
    }

    /// A pair, as compiled code makes it.
    unsafe fn pair(region: &mut Region, parts: [*mut u8; 2]) -> *mut u8 {
        let header = Shape { kind: ObjectKind::Tuple, tag: 0, words: 2, pointers: 3 };
        unsafe {
            let address = (&raw mut *region).cast::<u8>();
            let cell = if (region.end as usize) - (region.next as usize) < 24 {
                oxbow_region_page(address, 24, null_mut())
            } else {
                region.next = region.next.add(24);
                region.next.sub(24)
            };
            cell.cast::<u64>().write(header.static_header());
            cell.add(8).cast::<[*mut u8; 2]>().write(parts);
            cell.add(8)
        }
    }

    #[test]
    fn pages_are_used_again() {
        let _program = program();
        let mut it = region();
        unsafe {
            let none = 1 as *mut u8;
            let first = pair(&mut it, [none, none]);
            for _ in 0..100_000 {
                pair(&mut it, [none, none]);
            }
            let last = it.page;
            oxbow_region_leave((&raw mut it).cast());
            assert!(it.page.is_null() && it.next.is_null());
            assert_eq!(pair(&mut it, [none, none]), first);
            for _ in 0..100_000 {
                pair(&mut it, [none, none]);
            }
            let mut page = it.page;
            while page != last && !page.is_null() {
                page = (*page).before;
            }
            assert_eq!(page, last, "no new page was taken");
            oxbow_region_reset((&raw mut it).cast());
            assert_eq!(pair(&mut it, [none, none]), first);
            oxbow_region_leave((&raw mut it).cast());
        }
    }

    #[test]
    fn what_objects_refer_to_is_dropped() {
        let _program = program();
        let mut it = region();
        unsafe {
            let shape = Shape { kind: ObjectKind::Tuple, tag: 0, words: 9, pointers: 0 };
            let shared = allocate(72, shape.header());
            crate::heap::add_references(shared, 3000);
            let mut list = 1 as *mut u8;
            for _ in 0..3000 {
                list = pair(&mut it, [shared, list]);
            }
            assert!(header_of(list) as u32 == IMMORTAL as u32);
            oxbow_region_walk((&raw mut it).cast());
            oxbow_region_leave((&raw mut it).cast());
            assert_eq!(header_of(shared) as u32, 0);
            drop_reference(shared);
            assert_eq!(allocate(72, shape.header()), shared, "the last reference freed it");
        }
    }
}
