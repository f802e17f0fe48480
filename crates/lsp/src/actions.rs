//! The changes that reports propose, as actions of the editor.

use std::collections::BTreeMap;

use oxbow_driver::index::Remark;
use serde_json::{Value, json};

use crate::convert;
use crate::protocol::Range;
use crate::view::View;

pub fn actions(view: &View<'_>, wanted: &Range) -> Value {
    let file = &view.of_file().name;
    let mut found: Vec<Value> = Vec::new();
    for report in view.state.reports_of(file) {
        let Some(primary) = report.primary.as_ref().filter(|it| it.file == *file) else { continue };
        let range = view.range((primary.start, primary.end));
        let touches = range.start <= wanted.end && wanted.start <= range.end;
        if !touches {
            continue;
        }
        for choice in &report.choices {
            found.extend(edit(view, std::slice::from_ref(choice)).map(|edit| {
                json!({
                    "title": format!("write `{}`", choice.text),
                    "kind": "quickfix",
                    "diagnostics": [convert::diagnostic(view.state, report)],
                    "edit": edit,
                })
            }));
        }
        if let Some(edit) = edit(view, &report.edits) {
            let title = report.help.first().cloned().unwrap_or_else(|| "change the text".into());
            found.push(json!({
                "title": title,
                "kind": "quickfix",
                "diagnostics": [convert::diagnostic(view.state, report)],
                "isPreferred": true,
                "edit": edit,
            }));
        }
    }
    json!(found)
}

/// All of these edits, or nothing.
fn edit(view: &View<'_>, edits: &[Remark]) -> Option<Value> {
    let mut changes: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for it in edits {
        let place = convert::location(view.state, it)?;
        let edit = json!({ "range": place.range, "newText": it.text });
        changes.entry(place.uri).or_default().push(edit);
    }
    (!changes.is_empty()).then(|| json!({ "changes": changes }))
}
