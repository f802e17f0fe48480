//! What `run --mem-stats` prints and `--mem-profile` draws when a program has ended.
//!
//! The runtime gathers the numbers and calls [`prepare`]'s function when the program ends, however
//! it ends: the process may be about to go.

mod profile;

use std::ffi::{CStr, c_char};
use std::fmt::Write as _;
use std::sync::Mutex;

use oxbow_runtime::checked::{self, Class, Site, Statistics, Sums, kind_name};

use crate::native::RunOptions;
use crate::write_file;

/// How many places are shown.
const SHOWN: usize = 20;

static ASKED: Mutex<Option<RunOptions>> = Mutex::new(None);

/// Makes the runtime report as asked.
pub fn prepare(options: RunOptions) {
    if !options.statistics && options.profile.is_none() {
        return;
    }
    let with_profile = options.profile.is_some();
    if let Ok(mut asked) = ASKED.lock() {
        *asked = Some(options);
    }
    // SAFETY: the driver runs one program in a process, and not yet; `report` calls nothing of the runtime.
    #[expect(unsafe_code, reason = "changes variables of the runtime")]
    unsafe {
        if with_profile {
            checked::take_samples();
        }
        checked::at_end(report);
    }
}

fn report(statistics: &Statistics<'_>) {
    let Some(options) = ASKED.lock().ok().and_then(|mut it| it.take()) else { return };
    if options.statistics {
        eprint!("{}", table(statistics));
    }
    if let Some(path) = options.profile
        && let Err(error) = write_file(&path, profile::draw(statistics).as_bytes())
    {
        eprintln!("oxbow: {error}");
    }
}

/// The place of a site, as text.
fn place(site: *const c_char) -> String {
    if site.is_null() {
        return "(runtime)".into();
    }
    // SAFETY: a site is a constant C string of the program, which is still loaded.
    #[expect(unsafe_code, reason = "reads a string of the compiled program")]
    let text = unsafe { CStr::from_ptr(site) };
    text.to_string_lossy().into_owned()
}

fn class_name(class: Class) -> &'static str {
    match class {
        Class::Counted => "counted",
        Class::Frame => "stack",
        Class::Region => "region",
    }
}

fn table(all: &Statistics) -> String {
    let mut out = String::from("memory\n");
    // Writing to a string does not fail; likewise below.
    let _ = writeln!(
        out,
        "  {:<8} {:>14} {:>16} {:>14} {:>14} {:>12} {:>14}",
        "class", "allocations", "bytes", "peak bytes", "frees", "live", "live bytes"
    );
    let mut line = |name: &str, it: &Sums| {
        let _ = writeln!(
            out,
            "  {name:<8} {:>14} {:>16} {:>14} {:>14} {:>12} {:>14}",
            it.allocated, it.bytes, it.peak_bytes, it.freed, it.live, it.live_bytes
        );
    };
    line("counted", &all.counted);
    line("region", &all.regions);
    line("stack", &all.frames);
    let [count, bytes] = all.statics;
    let statics = Sums {
        allocated: count,
        bytes,
        peak_bytes: bytes,
        live: count,
        live_bytes: bytes,
        ..Sums::default()
    };
    line("static", &statics);
    let references = all.references;
    let _ =
        writeln!(out, "references added: {}, dropped: {}", references.added, references.dropped);
    let scans = &all.scans;
    if scans.count > 0 {
        let _ = writeln!(
            out,
            "scans for cycles: {}; objects looked at: {}; freed: {}, {} bytes",
            scans.count, scans.visited, scans.freed, scans.freed_bytes
        );
    }
    let mut sites: Vec<&Site> = all.sites.iter().collect();
    sites.sort_by_key(|it| (std::cmp::Reverse(it.bytes), place(it.place)));
    if sites.is_empty() {
        return out;
    }
    let shown = sites.len().min(SHOWN);
    let _ = writeln!(out, "sites, by bytes ({shown} of {})", sites.len());
    let _ = writeln!(
        out,
        "  {:>16} {:>14} {:>14} {:>12}  {:<8} what and where",
        "bytes", "allocations", "peak bytes", "live", "class"
    );
    for it in &sites[..shown] {
        let class = class_name(it.class);
        let _ = writeln!(
            out,
            "  {:>16} {:>14} {:>14} {:>12}  {class:<8} {} at {}",
            it.bytes,
            it.allocated,
            it.peak_bytes,
            it.live,
            kind_name(it.kind),
            place(it.place)
        );
    }
    out
}
