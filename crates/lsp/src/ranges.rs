//! Parts of the text that belong together: what can be folded, and what can be selected around a place.

use oxbow_driver::index::Entry;
use serde_json::{Value, json};

use crate::protocol::Position;
use crate::view::View;

pub fn folding(view: &View<'_>) -> Value {
    let mut found: Vec<Value> = Vec::new();
    let mut todo: Vec<&Entry> = view.of_file().outline.iter().rev().collect();
    let mut last = None;
    while let Some(entry) = todo.pop() {
        todo.extend(entry.inner.iter().rev());
        let range = view.range(entry.span);
        // Names of one pattern share their definition.
        if range.start.line < range.end.line && last != Some(entry.span) {
            found.push(json!({ "startLine": range.start.line, "endLine": range.end.line }));
        }
        last = Some(entry.span);
    }
    json!(found)
}

pub fn selection(view: &View<'_>, positions: &Value) -> Value {
    let positions: Vec<Position> = serde_json::from_value(positions.clone()).unwrap_or_default();
    let found: Vec<Value> = positions.iter().map(|it| around(view, view.offset(*it))).collect();
    json!(found)
}

/// All that is around a place, the innermost with those around it as parents.
fn around(view: &View<'_>, at: u32) -> Value {
    let file = view.of_file();
    let mut spans: Vec<(u32, u32)> = file.typed.iter().map(|it| (it.0, it.1)).collect();
    spans.extend(file.mentions.iter().map(|it| (it.0, it.1)));
    let mut todo: Vec<&Entry> = file.outline.iter().collect();
    while let Some(entry) = todo.pop() {
        todo.extend(&entry.inner);
        spans.push(entry.span);
    }
    spans.push((0, view.text.as_str().len() as u32));
    spans.retain(|it| it.0 <= at && at <= it.1);
    // The largest first; each must lie in the one before it.
    spans.sort_by_key(|it| (std::cmp::Reverse(it.1 - it.0), it.0));
    spans.dedup();
    let mut parent = Value::Null;
    let mut outer = (0, u32::MAX);
    for span in spans {
        if outer.0 <= span.0 && span.1 <= outer.1 {
            outer = span;
            parent = match parent {
                Value::Null => json!({ "range": view.range(span) }),
                parent => json!({ "range": view.range(span), "parent": parent }),
            };
        }
    }
    parent
}
