//! What is left when a program has ended and its globals are dropped.
//!
//! ```text
//! references of an object  >  references from what is left     somebody forgot to drop one: a leak
//! else, and no leak reaches it                                 it is kept by a cycle
//! ```

use core::fmt::Write;

use super::table::{Life, Record};
use super::{Checked, kind_name, place};
use crate::grow::Grow;
use crate::heap::{header_of, visit_parts};
use crate::trouble::Stderr;

/// Reports each place with objects left; how many of them are leaks. The table says truly which objects are alive.
pub(super) unsafe fn run(state: &mut Checked) -> u64 {
    // SAFETY: what is left over is alive, and stays so: nothing is freed here.
    unsafe {
        let left = left_over(state);
        count_inner(state, &left);
        reach(state, &left);
        let sites = state.sites.all().len();
        let [mut leaks, mut kept, mut cycles] = [const { Grow::<[u64; 2]>::new() }; 3];
        for it in [&mut leaks, &mut kept, &mut cycles] {
            it.reset(sites, [0; 2]);
        }
        for &object in left.as_slice() {
            let Some(record) = state.table.find(object) else { continue };
            let class = match (is_root(record), record.reached) {
                (true, _) => &mut leaks,
                (false, true) => &mut kept,
                (false, false) => &mut cycles,
            };
            let sum = &mut class.as_mut_slice()[record.site as usize];
            sum[0] += 1;
            sum[1] += record.size as u64;
        }
        let total = report(state, &leaks, "leaked");
        report(state, &kept, "kept by what is leaked");
        report(state, &cycles, "kept by a cycle");
        total
    }
}

fn left_over(state: &mut Checked) -> Grow<*mut u8> {
    let mut left = Grow::new();
    for record in state.table.records() {
        if record.cell != 0 && record.life == Life::Alive {
            record.inner = 0;
            record.reached = false;
            left.push(record.object());
        }
    }
    left
}

unsafe fn count_inner(state: &mut Checked, left: &Grow<*mut u8>) {
    for &object in left.as_slice() {
        // SAFETY: the caller says that what is left is alive; so is its header, and its parts are values.
        unsafe {
            visit_parts(object, header_of(object), &mut |part| {
                if let Some(record) = find(state, part.read()) {
                    record.inner += 1;
                }
            });
        }
    }
}

/// Marks what the leaked objects refer to.
unsafe fn reach(state: &mut Checked, left: &Grow<*mut u8>) {
    let mut work = Grow::new();
    for &object in left.as_slice() {
        // SAFETY: `find` gives what is alive.
        if find(state, object).is_some_and(|it| unsafe { is_root(it) }) {
            work.push(object);
        }
    }
    while let Some(object) = work.pop() {
        // SAFETY: only what `find` has found to be alive is there.
        unsafe {
            visit_parts(object, header_of(object), &mut |part| {
                let part = part.read();
                if let Some(record) = find(state, part)
                    && !record.reached
                {
                    record.reached = true;
                    work.push(part);
                }
            });
        }
    }
}

fn find(state: &mut Checked, value: *mut u8) -> Option<&mut Record> {
    if value as usize & 1 != 0 {
        return None;
    }
    state.table.find(value).filter(|it| it.life == Life::Alive)
}

/// Are there more references to an object, which is alive, than those of other objects?
unsafe fn is_root(record: &Record) -> bool {
    // SAFETY: the caller says that it is alive, so it has its header.
    let references = unsafe { header_of(record.object()) } as i32 as i64 + 1;
    references > i64::from(record.inner)
}

fn report(state: &Checked, sums: &Grow<[u64; 2]>, what: &str) -> u64 {
    let mut total = 0;
    for (site, &[count, bytes]) in state.sites.all().iter().zip(sums.as_slice()) {
        if count > 0 {
            total += count;
            let kind = kind_name(site.kind);
            // Nobody is left to tell about a failure to write.
            let _ = writeln!(
                Stderr,
                "oxbow: {what}: {count} x {kind}, {bytes} bytes, allocated at {}",
                place(site.place)
            );
        }
    }
    total
}
