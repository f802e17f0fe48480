//! Outlines of documents and of all open programs.

use std::path::PathBuf;

use oxbow_driver::index::{Entry, Sort};
use serde_json::{Value, json};

use crate::server::State;
use crate::text::Text;
use crate::view::View;

/// More than an editor can show.
const MOST: usize = 500;

pub fn of_document(view: &View<'_>) -> Value {
    let all: Vec<Value> = view.of_file().outline.iter().map(|it| symbol(&view.text, it)).collect();
    json!(all)
}

fn symbol(text: &Text, entry: &Entry) -> Value {
    let range = |span: (u32, u32)| text.range(span.0 as usize, span.1 as usize);
    let inner: Vec<Value> = entry.inner.iter().map(|it| symbol(text, it)).collect();
    json!({
        "name": entry.name,
        "kind": kind(entry.sort),
        "range": range(entry.span),
        "selectionRange": range(entry.name_span),
        "children": inner,
    })
}

pub fn of_workspace(state: &State, mains: &[PathBuf], query: &str) -> Value {
    let query = query.to_lowercase();
    let mut found: Vec<Value> = Vec::new();
    for main in mains {
        let Some(index) = state.programs.get(main).and_then(|it| it.index.clone()) else {
            continue;
        };
        for file in index.files.iter().filter(|it| !it.is_library) {
            let (Some(text), Some(uri)) = (state.text_of(&file.name), state.uri_of(&file.name))
            else {
                continue;
            };
            let mut todo: Vec<(&Entry, Option<&str>)> =
                file.outline.iter().rev().map(|it| (it, None)).collect();
            while let Some((entry, around)) = todo.pop() {
                todo.extend(entry.inner.iter().rev().map(|it| (it, Some(entry.name.as_str()))));
                if !entry.name.to_lowercase().contains(&query) {
                    continue;
                }
                let range = text.range(entry.name_span.0 as usize, entry.name_span.1 as usize);
                let it = json!({
                    "name": entry.name,
                    "kind": kind(entry.sort),
                    "location": { "uri": uri, "range": range },
                    "containerName": around,
                });
                if !found.contains(&it) {
                    found.push(it);
                }
            }
        }
    }
    found.truncate(MOST);
    json!(found)
}

/// The protocol's numbers of kinds.
fn kind(sort: Sort) -> u32 {
    match sort {
        Sort::Module => 2,
        Sort::Class => 5,
        Sort::Method => 6,
        Sort::Field => 8,
        Sort::Type => 23,
        Sort::ModuleType => 11,
        Sort::Function => 12,
        Sort::Value => 13,
        Sort::Constructor | Sort::Exception => 22,
    }
}
