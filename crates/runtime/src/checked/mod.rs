//! The heap of programs compiled with `--check-memory` or `--mem-stats`.
//!
//! ```text
//! cell:  header | payload | canary            one piece of C's memory each
//! table: cell -> size, site, alive or dead    beside the heap, so no stray write damages it
//! ```
//!
//! Such a program comes here for each allocation, reference and access. A freed object is filled
//! with a pattern and kept back for a while, so that whoever still refers to it is found out; objects of
//! frames are in cells too, and die with their function. The first fault ends the program with one
//! line and [`EXIT_FAULT`]. At its end, what is still alive is looked at by the audit.
//!
//! The lists of free cells stay empty in such a program: that is how allocation by the runtime
//! itself finds its way here.

mod audit;
mod fault;
mod sites;
mod table;

use core::ffi::c_char;
use core::fmt::Write;
use core::ptr::{null, null_mut};

use oxbow_abi::{FRAME_BIT, ObjectKind, STATIC_BIT, header_kind, header_words};

use crate::domain::{self, Reentrant};
use crate::grow::Grow;
use crate::heap::{count_of, header_of, visit_parts};
use crate::trouble::{Stderr, exit, out_of_memory};
use crate::{cycles, epoch, fiber, pages};

pub use crate::cycles::Scans;
pub use fault::kind_name;
use fault::{fault, place};
use sites::Sites;
pub use sites::{Class, Sample, Site, Sums};
use table::{Life, Record, Table};

/// Exit code after a fault in the use of memory.
pub const EXIT_FAULT: i32 = 97;
/// Exit code of a program that ended well but left objects behind.
pub const EXIT_LEAK: i32 = 98;

const CANARY: u64 = 0x0b0c_0d0e_a1a2_a3a4;
const POISON: u8 = 0xdb;
/// Freed memory that is kept back, and at most so many cells of it: with more, looking one up is slow, since the
/// table of cells outgrows the processor's caches.
const QUARANTINE: usize = 32 << 20;
const QUARANTINED: usize = 1 << 16;

struct Checked {
    on: bool,
    /// Faults are looked for; else numbers are gathered only.
    audit: bool,
    table: Table,
    sites: Sites,
    /// Freed cells, the oldest first from `oldest` on.
    waiting: Grow<usize>,
    oldest: usize,
    kept_back: usize,
    /// Objects whose last reference is gone.
    dying: Grow<*mut u8>,
    statics: [u64; 2],
    references: References,
    at_end: Option<fn(&Statistics<'_>)>,
}

static mut CHECKED: Checked = Checked {
    on: false,
    audit: false,
    table: Table::new(),
    sites: Sites::new(),
    waiting: Grow::new(),
    oldest: 0,
    kept_back: 0,
    dying: Grow::new(),
    statics: [0; 2],
    references: References { added: 0, dropped: 0 },
    at_end: None,
};

/// What this heap knows. No caller holds on to it while it calls another function that asks for it, in particular one
/// that ends the program: there everything is read once more.
fn state() -> &'static mut Checked {
    // SAFETY: by the contract one thread uses it, and callers let go of it as said; so there is one such reference
    // at a time.
    unsafe { &mut *(&raw mut CHECKED) }
}

/// In programs with domains, one thread at a time comes here. A fibre that unwinds may come back.
static LOCK: Reentrant = Reentrant::new();

pub(crate) struct Locked(bool);

pub(crate) fn lock() -> Locked {
    let is_needed = domain::are_there();
    if is_needed {
        LOCK.lock();
    }
    Locked(is_needed)
}

impl Drop for Locked {
    fn drop(&mut self) {
        if self.0 {
            LOCK.unlock();
        }
    }
}

/// Does the running program use this heap?
#[inline]
pub(crate) fn is_on() -> bool {
    // SAFETY: only the program's thread writes it, and calls this. No reference is made: others ask in the middle
    // of something.
    unsafe { (*(&raw const CHECKED)).on }
}

/// How often compiled code has counted: not what the runtime does when an object dies.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct References {
    pub added: u64,
    pub dropped: u64,
}

/// What a program has done with memory.
pub struct Statistics<'a> {
    pub counted: Sums,
    pub frames: Sums,
    pub regions: Sums,
    /// Number and bytes.
    pub statics: [u64; 2],
    pub sites: &'a [Site],
    pub samples: &'a [Sample],
    pub scans: Scans,
    pub references: References,
    /// What the samples refer to.
    pub values: &'a [u64],
}

fn statistics(state: &Checked) -> Statistics<'_> {
    let (samples, values) = state.sites.samples();
    Statistics {
        counted: state.sites.counted,
        frames: state.sites.frames,
        regions: state.sites.regions,
        statics: state.statics,
        sites: state.sites.all(),
        samples,
        scans: cycles::scans(),
        references: state.references,
        values,
    }
}

/// Calls `report` when a program compiled for it has ended, however it ends.
///
/// # Safety
/// No program runs, and nobody else calls functions of this crate at the same time. `report` calls none either.
pub unsafe fn at_end(report: fn(&Statistics<'_>)) {
    state().at_end = Some(report);
}

/// Notes from time to time how much each place has in use.
///
/// # Safety
/// No program runs, and nobody else calls functions of this crate at the same time.
pub unsafe fn take_samples() {
    state().sites.take_samples();
}

/// The program ends, without an audit if in the middle of something.
pub(crate) fn ended() {
    let state = state();
    if state.on {
        state.sites.sample();
        if let Some(report) = state.at_end.take() {
            report(&statistics(state));
        }
    }
}

// What compiled code calls.

/// `statics`: number and bytes of the static objects. `audit` is 1 to look for faults.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn oxbow_checked_start(audit: i64, statics: *mut u8) {
    let state = state();
    state.on = true;
    state.audit = audit != 0;
    // SAFETY: compiled code passes the address of two numbers.
    state.statics = unsafe { statics.cast::<[u64; 2]>().read() };
}

/// The program has come to its end and dropped what its globals held.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn oxbow_checked_end() {
    // SAFETY: the program has ended, so nobody is in the middle of changing an object.
    let is_alone = unsafe {
        let is_alone = domain::wait_for_others();
        if is_alone {
            epoch::drop_rest();
            cycles::scan_all();
        }
        is_alone
    };
    // What domains have that still run is no leak.
    if state().audit && is_alone {
        // SAFETY: the table says which objects are alive, and nothing changes them here.
        let leaks = unsafe { audit::run(state()) };
        if leaks > 0 {
            ended();
            exit(EXIT_LEAK);
        }
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn oxbow_checked_cell(
    size: i64,
    header: i64,
    site: *mut u8,
) -> *mut u8 {
    let _lock = lock();
    // SAFETY: compiled code passes the size of the cell for an object of this header.
    unsafe { new_cell(size as usize, header as u64, site.cast()) }
}

/// A cell of the heap for an object of `header`.
pub(crate) unsafe fn new_cell(size: usize, header: u64, site: *const c_char) -> *mut u8 {
    let _lock = lock();
    let class = if header >> FRAME_BIT & 1 != 0 { Class::Frame } else { Class::Counted };
    // SAFETY: what the caller says of size and header.
    unsafe { cell_of_class(size, header, site, class) }
}

unsafe fn cell_of_class(size: usize, header: u64, site: *const c_char, class: Class) -> *mut u8 {
    // SAFETY: the memory is new, and the canary lies in what was asked for beyond `size`.
    let cell = unsafe {
        pages::charge(size, site);
        let cell = libc::malloc(size + size_of::<u64>()).cast::<u8>();
        if cell.is_null() {
            out_of_memory(site);
        }
        cell.add(size).cast::<u64>().write_unaligned(CANARY);
        cell
    };
    let kind = header_kind(header);
    let site = state().sites.allocated(site, kind, class, size);
    let large = kind < ObjectKind::String as u8 && header_words(header) == oxbow_abi::LARGE;
    let record = Record {
        cell: cell as usize,
        size,
        site,
        life: Life::Alive,
        class,
        large,
        ..Record::EMPTY
    };
    state().table.insert(record);
    cell
}

/// A cell for an object of the frame. `slot` is a variable of the function that remembers the object
/// of this place: the one it had before, in an earlier round of a loop, is no more.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn oxbow_checked_frame(
    size: i64,
    header: i64,
    site: *mut u8,
    slot: *mut u8,
) -> *mut u8 {
    let _lock = lock();
    // SAFETY: compiled code passes the address of a word in its frame, which is null or the cell that was written
    // here before.
    unsafe {
        oxbow_checked_leave(slot);
        let cell = new_cell(size as usize, header as u64, site.cast());
        slot.cast::<*mut u8>().write(cell);
        cell
    }
}

/// The function ends, and with it the object that the variable remembers.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn oxbow_checked_leave(slot: *mut u8) {
    let _lock = lock();
    // SAFETY: the address is that of a word in the frame of compiled code, which begins as null.
    let cell = unsafe { slot.cast::<*mut u8>().replace(null_mut()) };
    if cell.is_null() {
        return;
    }
    let Some(record) = state().table.cell_at(cell) else { return };
    let alive = record.life == Life::Alive;
    if alive {
        record.life = Life::Left;
    }
    let record = *record;
    // SAFETY: the memory of a cell of a frame is kept until here; if the object has died, it is filled already.
    unsafe {
        if alive {
            bury(&record);
        }
        keep_back(&record);
    }
}

/// A cell for an object of a region, whose first word is the cell made last.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn oxbow_checked_region(
    size: i64,
    header: i64,
    site: *mut u8,
    region: *mut u8,
) -> *mut u8 {
    let _lock = lock();
    // SAFETY: compiled code passes the size of the cell for an object of this header, and a region in its frame.
    unsafe {
        let cell = cell_of_class(size as usize, header as u64, site.cast(), Class::Region);
        let before = region.cast::<usize>().replace(cell as usize);
        if let Some(record) = state().table.cell_at(cell) {
            record.before = before;
        }
        cell
    }
}

/// The objects of a region go, at first with what they refer to if they are `walked`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn oxbow_checked_region_end(
    region: *mut u8,
    walked: i64,
    site: *mut u8,
) {
    let _lock = lock();
    // SAFETY: the region is in the frame of compiled code, and its first word is the last of its cells, or 0. The
    // table knows them all; they are alive until the second loop.
    unsafe {
        let last = region.cast::<usize>().replace(0);
        let mut cell = last;
        while walked != 0 && cell != 0 {
            let Some(record) = state().table.cell_at(cell as *mut u8) else { break };
            let (object, before) = (record.object(), record.before);
            visit_parts(object, header_of(object), &mut |part| {
                drop_reference(part.read(), site.cast());
            });
            cell = before;
        }
        let mut cell = last;
        while cell != 0 {
            let Some(record) = state().table.cell_at(cell as *mut u8) else { break };
            record.life = Life::RegionLeft;
            record.freed_at = site.cast();
            let record = *record;
            bury(&record);
            keep_back(&record);
            cell = record.before;
        }
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn oxbow_checked_use(object: *mut u8, site: *mut u8) {
    let _lock = lock();
    check(object, "use", site.cast());
}

/// An object is taken apart that nobody else is said to have.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn oxbow_checked_unique(object: *mut u8, site: *mut u8) {
    let _lock = lock();
    if check(object, "use", site.cast())
        && let Some(record) = state().table.find(object)
        // SAFETY: it has just been found to be alive.
        && unsafe { header_of(object) } as i32 != 0
    {
        fault(record, SHARED, site.cast());
    }
}

/// A cell that is used again is found (1), becomes an object (-1), or none may be left (0).
/// The variable says whether there is one.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn oxbow_checked_token(slot: *mut u8, change: i64, site: *mut u8) {
    let slot = slot.cast::<i64>();
    // SAFETY: compiled code passes the address of a word in its frame.
    unsafe {
        let has = slot.read() != 0;
        if has != (change < 0) {
            let what = if has { "a cell is lost" } else { "a cell is used twice" };
            let _ = writeln!(Stderr, "oxbow: memory fault: {what} at {}", place(site.cast()));
            exit(EXIT_FAULT)
        }
        slot.write(slot.read() + change);
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn oxbow_checked_dup(object: *mut u8, site: *mut u8) {
    // SAFETY: compiled code passes a value.
    unsafe { add(object, 1, site.cast()) };
    let _lock = lock();
    state().references.added += 1;
}

pub(crate) unsafe fn add(object: *mut u8, more: i32, site: *const c_char) {
    let _lock = lock();
    if check(object, "new reference", site) {
        // SAFETY: it is a static object, or has just been found to be alive.
        unsafe {
            let count = count_of(object);
            count.write(count.read() + more);
        }
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn oxbow_checked_drop(object: *mut u8, site: *mut u8) {
    {
        let _lock = lock();
        state().references.dropped += 1;
    }
    // SAFETY: compiled code passes a value, and gives a reference to it away.
    unsafe { drop_reference(object, site.cast()) }
}

pub(crate) unsafe fn drop_reference(object: *mut u8, site: *const c_char) {
    let _lock = lock();
    let first = state().dying.as_slice().len();
    // SAFETY: what waits in `dying` has lost its last reference and is not filled yet, so its header and parts are
    // still there.
    unsafe {
        count_down(object, site);
        while state().dying.as_slice().len() > first {
            let Some(object) = state().dying.pop() else { break };
            if header_kind(header_of(object)) == ObjectKind::Fiber as u8 {
                fiber::died(object);
            }
            visit_parts(object, header_of(object), &mut |part| count_down(part.read(), site));
            let Some(record) = state().table.find(object) else { continue };
            record.life = Life::Dead;
            record.freed_at = site;
            let record = *record;
            bury(&record);
            if record.class == Class::Counted {
                keep_back(&record);
            }
        }
        fiber::unwind_dead();
    }
}

unsafe fn count_down(object: *mut u8, site: *const c_char) {
    // There may be no exception.
    if object.is_null() {
        return;
    }
    if !check(object, "drop", site) {
        return;
    }
    // SAFETY: it is a static object, or has just been found to be alive.
    unsafe {
        let header = header_of(object);
        let count = count_of(object);
        if header as i32 != 0 {
            count.write(header as i32 - 1);
        } else if header >> STATIC_BIT & 1 == 0 {
            state().dying.push(object);
            // So that one more reference to it is seen.
            count.write(i32::MIN);
        }
    }
}

/// Is there an object in use at this address?
pub(crate) fn is_alive(object: *mut u8) -> bool {
    state().table.find(object).is_some_and(|it| it.life == Life::Alive && it.object() == object)
}

/// An object of a cycle dies; its parts have been seen to. How large it was.
pub(crate) unsafe fn end_of_cycle(object: *mut u8) -> u64 {
    let Some(record) = state().table.find(object) else { return 0 };
    record.life = Life::Dead;
    let record = *record;
    // SAFETY: the table knows the cell, and it was alive until here.
    unsafe {
        bury(&record);
        keep_back(&record);
    }
    record.size as u64
}

/// Fills a dead cell, whose memory is still there.
unsafe fn bury(record: &Record) {
    state().sites.freed(record.site, record.size);
    // SAFETY: `cell_of_class` has made the cell with this size and a canary behind it.
    unsafe {
        let cell = record.cell as *mut u8;
        if cell.add(record.size).cast::<u64>().read_unaligned() != CANARY {
            fault(record, "write behind the end", record.freed_at);
        }
        cell.write_bytes(POISON, record.size);
    }
}

/// Gives a dead cell back, but later. It has been filled.
unsafe fn keep_back(record: &Record) {
    state().waiting.push(record.cell);
    state().kept_back += record.size;
    while let Some(oldest) = state().next_to_give_back() {
        // SAFETY: it has been in the queue since it was filled, and is there once.
        unsafe { give_back(oldest) };
    }
    state().shorten_queue();
}

impl Checked {
    /// The oldest dead cell, if more is kept back than should be.
    fn next_to_give_back(&mut self) -> Option<*mut u8> {
        let (bytes, cells) = if self.audit { (QUARANTINE, QUARANTINED) } else { (0, 0) };
        let waiting = self.waiting.as_slice().len() - self.oldest;
        (self.kept_back > bytes || waiting > cells).then(|| {
            self.oldest += 1;
            self.waiting.as_slice()[self.oldest - 1] as *mut u8
        })
    }

    /// Forgets what has been given back, once it is much.
    fn shorten_queue(&mut self) {
        if self.oldest > 4096 && self.oldest * 2 > self.waiting.as_slice().len() {
            let (from, end) = (self.oldest, self.waiting.as_slice().len());
            self.waiting.as_mut_slice().copy_within(from..end, 0);
            self.waiting.truncate(end - from);
            self.oldest = 0;
        }
    }
}

unsafe fn give_back(cell: *mut u8) {
    let Some(record) = state().table.cell_at(cell) else { return };
    let copy = *record;
    record.life = Life::Gone;
    // SAFETY: the cell came from `malloc` with this size, and its bytes have been filled. Nobody gives it back but
    // the queue.
    unsafe {
        let bytes = core::slice::from_raw_parts(cell, copy.size);
        if bytes.iter().any(|&it| it != POISON) {
            fault(&copy, "write", null());
        }
        state().kept_back -= copy.size;
        pages::discharge(copy.size);
        libc::free(cell.cast());
    }
}

/// Is the value an object? Ends the program if it is a dead one.
fn check(object: *mut u8, what: &str, site: *const c_char) -> bool {
    if object as usize & 1 != 0 || object.is_null() {
        return false;
    }
    if let Some(record) = state().table.find(object) {
        if record.life != Life::Alive {
            fault(record, what, site);
        }
        // SAFETY: the cell of a living object is there, with its canary, and so is the header.
        unsafe {
            if (record.cell as *const u8).add(record.size).cast::<u64>().read_unaligned() != CANARY
            {
                fault(record, "write behind the end", site);
            }
            if (header_of(object) as i32) < 0 {
                fault(record, what, site);
            }
        }
    }
    true
}

const SHARED: &str = "taking apart";
