//! What stands between the text if the editor wants it: the types of variables, and on demand what functions capture
//! and where their closures lie.
//!
//! ```text
//! let scale◂: int▸ = 3                                     types
//! List.map ◂scale; stack▸(fun x -> x * scale) l            captures, storage
//! ```
//!
//! What is wanted is said by the client, in `initializationOptions` or with `workspace/didChangeConfiguration`:
//! `{ "hints": ["types", "captures", "storage"] }`.

use std::path::Path;

use oxbow_driver::index::{Kind, Place};
use serde_json::{Value, json};

use crate::explain;
use crate::protocol::{Position, Range};
use crate::view::View;

/// Longer types are cut: they are in the way of the text.
const LONGEST: usize = 40;

/// Which hints are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    types: bool,
    captures: bool,
    storage: bool,
}

impl Default for Wanted {
    fn default() -> Self {
        Self { types: true, captures: false, storage: false }
    }
}

impl Wanted {
    /// What the settings of a client say; some wrap them in the name of the server.
    pub fn of(settings: &Value) -> Option<Self> {
        let list = settings["oxbow"]["hints"].as_array().or(settings["hints"].as_array())?;
        let has = |name: &str| list.iter().any(|it| it == name);
        let (types, captures, storage) = (has("types"), has("captures"), has("storage"));
        Some(Self { types, captures, storage })
    }
}

pub fn hints(view: &View<'_>, path: &Path, range: &Range) -> Value {
    let wanted = view.state.hints;
    let mut found = if wanted.types { types(view, range) } else { Vec::new() };
    if wanted.captures || wanted.storage {
        found.extend(functions(view, path, range));
    }
    json!(found)
}

/// What became of the functions whose text begins in a range, before it.
fn functions(view: &View<'_>, path: &Path, range: &Range) -> Vec<Value> {
    let wanted = view.state.hints;
    let mut found = Vec::new();
    for it in explain::of_file(view, path) {
        let position = Position { line: it.line, character: 0 };
        // Columns of explanations count characters.
        let line = view.text.slice(
            view.text.offset(position),
            view.text.offset(Position { line: it.line + 1, character: 0 }),
        );
        let before: usize = line.chars().take(it.column as usize).map(char::len_utf16).sum();
        let position = Position { character: before as u32, ..position };
        if position < range.start || range.end < position {
            continue;
        }
        let mut parts: Vec<String> = Vec::new();
        if wanted.captures && !it.captures.is_empty() {
            parts.push(it.captures.join(", "));
        }
        if wanted.storage
            && let Some(storage) = it.storage
        {
            parts.push(storage);
        }
        if parts.is_empty() {
            continue;
        }
        found.push(json!({
            "position": position,
            "label": parts.join("; "),
            "paddingRight": true,
            "tooltip": it.story,
        }));
    }
    found
}

/// The types of the variables that are defined in a range, where the text does not say them.
fn types(view: &View<'_>, wanted: &Range) -> Vec<Value> {
    let (first, last) = (view.offset(wanted.start), view.offset(wanted.end));
    let mut found: Vec<Value> = Vec::new();
    for &(start, end, number) in &view.of_file().mentions {
        let definition = view.definition(number);
        let here = Place { file: view.file, start, end };
        if start < first || end > last || definition.kind != Kind::Value || definition.place != here
        {
            continue;
        }
        let Some(ty) = view.type_of((start, end)).filter(|it| !it.is_function) else { continue };
        let behind = view.text.as_str().get(end as usize..).unwrap_or("").trim_start();
        if behind.starts_with(':') && !behind.starts_with("::") || ty.text.len() > LONGEST {
            continue;
        }
        found.push(json!({
            "position": view.text.position(end as usize),
            "label": format!(": {}", ty.text),
            "kind": 1,
            "paddingLeft": true,
        }));
    }
    found
}
