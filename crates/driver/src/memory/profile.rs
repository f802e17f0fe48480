//! Bytes in use by place over time, as stacked areas in SVG.
//!
//! Time is the number of bytes allocated so far, so the picture of a program is always the same. The
//! places with the highest peaks have areas of their own; the rest share one.

use std::fmt::Write as _;

use oxbow_runtime::checked::{Class, Statistics, kind_name};

use super::place;

const AREAS: usize = 12;
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 80.0;
const TOP: f64 = 50.0;
const COLOURS: [&str; AREAS + 1] = [
    "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#ff9da7",
    "#9c755f", "#2f4b7c", "#8cd17d", "#d37295", "#bab0ac",
];

struct Area {
    label: String,
    peak: u64,
    /// For each sample.
    bytes: Vec<u64>,
}

pub fn draw(all: &Statistics) -> String {
    let areas = areas(all);
    let totals: Vec<u64> =
        (0..all.samples.len()).map(|at| areas.iter().map(|it| it.bytes[at]).sum()).collect();
    let top = totals.iter().copied().max().unwrap_or(0).max(1);
    let end = all.samples.last().map_or(1, |it| it.clock).max(1);
    let x = |clock: u64| LEFT + WIDTH * clock as f64 / end as f64;
    let y = |bytes: u64| TOP + HEIGHT * (1.0 - bytes as f64 / top as f64);
    let height = TOP + HEIGHT + 70.0 + 20.0 * areas.len() as f64;
    let mut out = String::new();
    // Writing to a string does not fail; likewise below.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{height}\" \
         viewBox=\"0 0 {w} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"16\">Memory in use by place of allocation</text>\n\
         <text x=\"{LEFT}\" y=\"40\" fill=\"#555\">peak {}, {} allocated in all</text>",
        bytes_text(all.counted.peak_bytes + all.regions.peak_bytes + all.frames.peak_bytes),
        bytes_text(end),
        w = LEFT + WIDTH + 30.0,
    );
    let mut below = vec![0_u64; all.samples.len()];
    for (area, colour) in areas.iter().zip(COLOURS) {
        let above: Vec<u64> = below.iter().zip(&area.bytes).map(|(a, b)| a + b).collect();
        let point = |(it, bytes): (&oxbow_runtime::checked::Sample, &u64)| {
            format!("{:.1},{:.1}", x(it.clock), y(*bytes))
        };
        let mut points: Vec<String> = all.samples.iter().zip(&above).map(point).collect();
        points.extend(all.samples.iter().zip(&below).rev().map(point));
        let _ = writeln!(
            out,
            "<polygon points=\"{}\" fill=\"{colour}\" stroke=\"white\" stroke-width=\"0.3\">\
             <title>{}</title></polygon>",
            points.join(" "),
            escape(&area.label)
        );
        below = above;
    }
    axes(&mut out, top, end);
    for (row, (area, colour)) in areas.iter().zip(COLOURS).enumerate() {
        let at = TOP + HEIGHT + 60.0 + 20.0 * row as f64;
        let _ = writeln!(
            out,
            "<rect x=\"{LEFT}\" y=\"{}\" width=\"14\" height=\"14\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"{}\">{} (peak {})</text>",
            at - 11.0,
            LEFT + 22.0,
            at,
            escape(&area.label),
            bytes_text(area.peak)
        );
    }
    out.push_str("</svg>\n");
    out
}

fn axes(out: &mut String, top: u64, end: u64) {
    for step in 0..=4 {
        let part = f64::from(step) / 4.0;
        let at = TOP + HEIGHT * (1.0 - part);
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{at}\" y2=\"{at}\" stroke=\"#00000030\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            LEFT + WIDTH,
            LEFT - 6.0,
            at + 4.0,
            bytes_text((top as f64 * part) as u64)
        );
        let at = LEFT + WIDTH * part;
        let _ = writeln!(
            out,
            "<text x=\"{at}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            TOP + HEIGHT + 16.0,
            bytes_text((end as f64 * part) as u64)
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">bytes allocated so far</text>",
        LEFT + WIDTH / 2.0,
        TOP + HEIGHT + 34.0
    );
}

/// The areas from the lowest to the highest.
fn areas(all: &Statistics) -> Vec<Area> {
    let value = |site: usize, at: usize| {
        let it = all.samples[at];
        if site < it.count { all.values[it.first + site] } else { 0 }
    };
    let mut order: Vec<usize> = (0..all.sites.len()).collect();
    order.sort_by_key(|&it| (std::cmp::Reverse(all.sites[it].peak_bytes), it));
    let series =
        |site: usize| -> Vec<u64> { (0..all.samples.len()).map(|at| value(site, at)).collect() };
    let (shown, rest) = order.split_at(order.len().min(AREAS));
    let mut areas: Vec<Area> = shown
        .iter()
        .map(|&site| {
            let it = &all.sites[site];
            let class = match it.class {
                Class::Counted => "",
                Class::Frame => ", stack",
                Class::Region => ", region",
            };
            Area {
                label: format!("{} at {}{class}", kind_name(it.kind), place(it.place)),
                peak: it.peak_bytes,
                bytes: series(site),
            }
        })
        .collect();
    if !rest.is_empty() {
        let bytes: Vec<u64> = (0..all.samples.len())
            .map(|at| rest.iter().map(|&site| value(site, at)).sum())
            .collect();
        let peak = bytes.iter().copied().max().unwrap_or(0);
        areas.push(Area { label: format!("{} other places", rest.len()), peak, bytes });
    }
    areas
}

fn bytes_text(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..10_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        10_000_000..10_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
