//! What is shown about the name or expression under the cursor.

use std::path::Path;

use oxbow_doc::comments;
use oxbow_driver::Language;
use oxbow_driver::index::{Definition, Kind};
use serde_json::{Value, json};

use crate::explain;
use crate::view::View;

/// Longer declarations are cut.
const MOST_LINES: usize = 24;

pub fn hover(view: &View<'_>, path: &Path, at: u32) -> Value {
    let language = match Language::of(path) {
        Some(Language::Clef) => "fsharp",
        Some(Language::Eshkol) => "scheme",
        _ => "ocaml",
    };
    let mentions = view.mentions_at(at);
    let Some(&(start, end, number)) = mentions.first() else {
        let Some((span, ty)) = view.type_at(at) else { return Value::Null };
        return shown(view, span, format!("```{language}\n{}\n```", ty.text));
    };
    let definition = view.definition(number);
    let mut code = described(view, definition);
    // Where it is used, its type may be known better.
    let instance = view.type_of_name((start, end)).map(|it| it.text.as_str());
    if definition.kind == Kind::Value
        && let Some(instance) = instance
        && !code.ends_with(&format!(": {instance}"))
        && !code.is_empty()
    {
        code += &format!("\n(* here *) : {instance}");
    } else if let Some(instance) = instance.filter(|_| code.is_empty()) {
        code = format!("{} : {instance}", definition.name);
    }
    let mut text = format!("```{language}\n{code}\n```");
    if let Some(comment) = comment(view, definition) {
        text += &format!("\n\n{comment}");
    }
    if let Some(story) = explain::of_function(view, path, definition) {
        text += &format!("\n\n---\n{story}");
    }
    shown(view, (start, end), text)
}

fn shown(view: &View<'_>, span: (u32, u32), text: String) -> Value {
    json!({ "contents": { "kind": "markdown", "value": text }, "range": view.range(span) })
}

/// The definition in the words of its language.
fn described(view: &View<'_>, definition: &Definition) -> String {
    match definition.kind {
        Kind::Value | Kind::Constructor | Kind::Field | Kind::Method | Kind::Macro => {
            definition.text.clone()
        }
        Kind::Module | Kind::ModuleType => {
            let word = if definition.kind == Kind::Module { "module" } else { "module type" };
            format!("{word} {}", definition.name)
        }
        Kind::Type => {
            declaration(view, definition).unwrap_or_else(|| format!("type {}", definition.name))
        }
    }
}

/// The text of a declaration, from its first line to the end of its paragraph.
fn declaration(view: &View<'_>, definition: &Definition) -> Option<String> {
    let file = view.index.files.get(definition.place.file as usize)?;
    let text = view.state.text_of(&file.name)?;
    let (start, end) = match view.entry_of(definition.place) {
        Some(entry) => (entry.span.0 as usize, entry.span.1 as usize),
        None => {
            let whole = text.as_str();
            let at = definition.place.start as usize;
            let start = whole.get(..at)?.rfind('\n').map_or(0, |it| it + 1);
            let end = whole.get(at..)?.find("\n\n").map_or(whole.len(), |it| at + it);
            (start, end)
        }
    };
    let lines: Vec<&str> = text.slice(start, end).lines().take(MOST_LINES).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn comment(view: &View<'_>, definition: &Definition) -> Option<String> {
    let file = view.index.files.get(definition.place.file as usize)?;
    let text = view.state.text_of(&file.name)?;
    let start = match view.entry_of(definition.place) {
        Some(entry) => entry.span.0,
        None => definition.place.start,
    };
    comments::of_definition(&file.name, text.as_str(), start as usize)
}
