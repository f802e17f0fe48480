//! The explanation for the terminal.
//!
//! ```text
//! bump : int -> int                                                   main.ml:5:3
//!   captures    n : int ref, by value: the cell is shared             main.ml:4:7
//!   is          a flat closure
//!   because     it is used as a value, not only called                main.ml:7:4
//!   object      24 bytes, within one cache line
//!               ┌─────┬───┬──────────────────────────┐
//!               │  -8 │ 8 │ header  closure, takes 1 │
//!               │   0 │ 8 │ code    pointer          │
//!               │   8 │ 8 │ n       int ref          │
//!               └─────┴───┴──────────────────────────┘
//!   lives       until its last reference is gone (counted)
//!   because     `counter` returns it                                  main.ml:7:3
//! ```

use std::fmt::Write as _;

use crate::model::{
    Allocation, CacheLine, Class, Copy, Explanation, Field, FieldKind, Gone, Lambda, Layout,
    Origin, Place, Reason, Storage,
};

/// Width of the labels in front of facts.
const LABEL: usize = 12;
/// Column of the places behind facts.
const PLACES: usize = 72;

pub fn render(explanation: &Explanation) -> String {
    let mut out = String::new();
    for lambda in &explanation.lambdas {
        lambda_text(&mut out, explanation, lambda);
        out.push('\n');
    }
    if explanation.lambdas.is_empty() {
        out += "no functions\n\n";
    }
    allocations_text(&mut out, explanation);
    sets_text(&mut out, explanation);
    derivatives_text(&mut out, explanation);
    summary(&mut out, explanation);
    out
}

fn sets_text(out: &mut String, explanation: &Explanation) {
    if explanation.sets.is_empty() {
        return;
    }
    out.push_str("sets of functions\n");
    for set in &explanation.sets {
        let kind = if set.closures.is_some() { "closures" } else { "variant" };
        for (at, it) in set.members.iter().enumerate() {
            let given = match it.applied {
                0 => "a function".to_string(),
                applied => format!("a function with {}", counted(applied, "argument")),
            };
            fact(out, if at == 0 { kind } else { "" }, &given, Some(&it.place));
        }
        if set.others > 0 {
            let text = format!("{} of the library", counted(set.others, "function"));
            fact(out, "", &text, None);
        }
        if let Some(why) = set.closures {
            fact(out, "", &format!("because {why}"), None);
        }
    }
    out.push('\n');
}

fn derivatives_text(out: &mut String, explanation: &Explanation) {
    let all = &explanation.derivatives;
    if all.is_empty() {
        return;
    }
    out.push_str("gradients\n");
    for it in all {
        match it.tape {
            None if it.closures == 0 => fact(out, "code", "no tape, no closures", Some(&it.place)),
            None => {
                let text = format!("no tape, {}", counted(it.closures, "closure"));
                fact(out, "code", &text, Some(&it.place));
            }
            Some(why) => fact(out, "tape", &format!("because {why}"), Some(&it.place)),
        }
        if let Some(why) = it.loops {
            fact(out, "", &format!("products of matrices by their loops, because {why}"), None);
        }
    }
    let code = all.iter().filter(|it| it.tape.is_none()).count();
    let _ = writeln!(
        out,
        "{}: {code} written out as code, {} by a tape, {} as backpropagators\n",
        counted(all.len(), "gradient"),
        all.len() - code,
        counted(all.iter().map(|it| it.closures).sum(), "closure"),
    );
}

fn shown(place: &Place) -> String {
    format!("{}:{}:{}", place.file, place.line, place.column)
}

/// A line with a place at its right end.
fn line(out: &mut String, text: &str, place: Option<&Place>) {
    let place = place.map(shown).unwrap_or_default();
    let gap = PLACES.saturating_sub(text.chars().count()).max(2);
    let text = format!("{text}{:gap$}{place}", "");
    // Writing to a string does not fail.
    let _ = writeln!(out, "{}", text.trim_end());
}

fn fact(out: &mut String, label: &str, text: &str, place: Option<&Place>) {
    line(out, &format!("  {label:LABEL$}{text}"), place);
}

fn lambda_text(out: &mut String, explanation: &Explanation, lambda: &Lambda) {
    let title = match lambda.origin {
        Origin::Written | Origin::Adapter => lambda.title().to_string(),
        Origin::Partial => format!("partial application of {}", lambda.title()),
    };
    line(out, &format!("{title} : {}", lambda.ty), Some(&lambda.place));
    if let Some(outer) = lambda.inside.and_then(|it| explanation.lambdas.get(it - 1)) {
        fact(out, "inside", outer.title(), None);
    }
    for (index, capture) in lambda.captures.iter().enumerate() {
        let label = if index == 0 { "captures" } else { "" };
        let text = format!("{} : {}, {}", capture.name, capture.ty, capture.mode.words());
        fact(out, label, &text, Some(&capture.place));
    }
    if lambda.captures.is_empty() && lambda.origin == Origin::Written {
        fact(out, "captures", "nothing", None);
    }
    if let Some(Gone { pass, reason }) = &lambda.gone {
        fact(out, "is", &format!("gone after `{pass}`"), None);
        fact(out, "because", reason, None);
    }
    let several = lambda.copies.len() > 1;
    for (index, copy) in lambda.copies.iter().enumerate() {
        if several {
            let number = format!("{} of {}", index + 1, lambda.copies.len());
            fact(out, "copy", &format!("{number} : {}, {}", copy.ty, copy.within), None);
        }
        copy_text(out, copy);
    }
}

fn copy_text(out: &mut String, copy: &Copy) {
    fact(out, "is", copy.representation.words(), None);
    reasons(out, std::slice::from_ref(&copy.reason));
    layout_text(out, &copy.layout);
    if copy.storage.class != Class::None {
        fact(out, "lives", class_words(copy.storage.class), None);
        reasons(out, &copy.storage.reasons);
    }
    let mut calls = vec![counted(copy.direct_calls, "direct call")];
    if copy.layout.size > 0 {
        let through = counted(copy.possible_calls, "call");
        calls.push(format!("{through} through closures that can be it"));
        calls.push(counted(copy.creations, "creation site"));
    }
    fact(out, "sites", &calls.join(", "), None);
}

/// The words for a class, behind "lives".
fn class_words(class: Class) -> &'static str {
    match class {
        Class::None => "nowhere",
        Class::Stack => "on the stack",
        Class::Static => "in the executable",
        Class::Region => "in a region",
        Class::Counted => "until its last reference is gone (counted)",
    }
}

fn reasons(out: &mut String, list: &[Reason]) {
    for (index, reason) in list.iter().enumerate() {
        let label = if index == 0 { "because" } else { "and" };
        fact(out, label, &reason.text, reason.place.as_ref());
    }
}

fn layout_text(out: &mut String, layout: &Layout) {
    if layout.size == 0 {
        for (index, field) in layout.fields.iter().enumerate() {
            let label = if index == 0 { "parameters" } else { "" };
            fact(out, label, &format!("{} : {}", field.name, field.ty), field.place.as_ref());
        }
        return;
    }
    let line = match layout.cache_line {
        CacheLine::None => "",
        CacheLine::Within => ", never across two cache lines",
        CacheLine::MayCross => ", larger than a cache line",
    };
    fact(out, "object", &format!("{}{line}", counted(layout.size as usize, "byte")), None);
    for row in picture(&layout.fields) {
        fact(out, "", &row, None);
    }
}

/// The fields of an object, drawn with their offsets and sizes.
fn picture(fields: &[Field]) -> Vec<String> {
    let name_width = fields.iter().map(|it| it.name.chars().count()).max().unwrap_or(0);
    let rows: Vec<[String; 3]> = fields
        .iter()
        .map(|it| {
            let offset = it.offset.map_or(String::new(), |it| it.to_string());
            let what = match it.kind {
                FieldKind::Padding => "·".repeat(name_width),
                FieldKind::Header | FieldKind::Code | FieldKind::Capture => {
                    let by =
                        if it.mode == Some(crate::Mode::Reference) { "address of " } else { "" };
                    format!("{:name_width$}  {by}{}", it.name, it.ty)
                }
            };
            [offset, it.size.to_string(), what.trim_end().to_string()]
        })
        .collect();
    let width = |at: usize| rows.iter().map(|it| it[at].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let rule = |left: &str, middle: &str, right: &str| {
        let parts: Vec<String> = widths.iter().map(|it| "─".repeat(it + 2)).collect();
        format!("{left}{}{right}", parts.join(middle))
    };
    let mut drawn = vec![rule("┌", "┬", "┐")];
    for [offset, size, what] in &rows {
        let [a, b, c] = widths;
        drawn.push(format!("│ {offset:>a$} │ {size:>b$} │ {what:c$} │"));
    }
    drawn.push(rule("└", "┴", "┘"));
    drawn
}

fn allocations_text(out: &mut String, explanation: &Explanation) {
    if explanation.allocations.is_empty() {
        return;
    }
    line(out, "other objects", None);
    for it in &explanation.allocations {
        allocation_text(out, it);
    }
    out.push('\n');
}

fn allocation_text(out: &mut String, it: &Allocation) {
    let size = it.size.map(|it| format!(", {it} bytes")).unwrap_or_default();
    let copies = if it.copies > 1 { format!(", {} places", it.copies) } else { String::new() };
    let class = it.storage.class.name();
    let text = format!("  {class:LABEL$}{} : {}{size}{copies}", it.kind, it.ty);
    line(out, &text, Some(&it.place));
    // A constant needs no reason, and a way out is best told by its end, as far as the user wrote it.
    let Storage { class, reasons: list } = &it.storage;
    let last = list.iter().rev().find(|it| it.place.is_some()).or(list.last());
    if matches!(class, Class::Counted | Class::Region)
        && let Some(last) = last
    {
        fact(out, "", &last.text, last.place.as_ref());
    }
}

fn summary(out: &mut String, explanation: &Explanation) {
    let copies = || explanation.lambdas.iter().flat_map(|it| &it.copies);
    let of = |name: &str| copies().filter(|it| it.representation.name() == name).count();
    let gone = explanation.lambdas.iter().filter(|it| it.copies.is_empty()).count();
    let _ = writeln!(
        out,
        "{}: {} gone, {} without an object, {}, {} ({} on the stack)",
        counted(explanation.lambdas.len(), "function"),
        gone,
        of("function") + of("parameters"),
        counted(of("static-closure"), "constant closure"),
        counted(of("flat-closure"), "flat closure"),
        copies().filter(|it| it.storage.class == Class::Stack).count(),
    );
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
