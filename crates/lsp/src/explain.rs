//! What became of a function: its captures, representation and storage, as `oxbow explain --json` tells them.

use std::path::Path;

use oxbow_driver::index::Definition;
use serde_json::Value;

use crate::view::View;

/// A sentence or two about the function of a definition, if the program has been explained.
pub fn of_function(view: &View<'_>, path: &Path, definition: &Definition) -> Option<String> {
    let program = view.state.programs.get(&view.state.main_of(path))?;
    let explanation = program.explanation.as_ref()?;
    let file = view.index.files.get(definition.place.file as usize)?;
    let text = view.state.text_of(&file.name)?;
    let entry = view.entry_of(definition.place);
    let span = entry.map_or((definition.place.start, definition.place.end), |it| it.span);
    // Lines count from 1.
    let first = u64::from(text.position(span.0 as usize).line) + 1;
    let last = u64::from(text.position(span.1 as usize).line) + 1;
    let folder = std::env::current_dir().unwrap_or_default();
    let is_it = |it: &&Value| {
        let line = it["place"]["line"].as_u64().unwrap_or(0);
        it["name"] == definition.name.as_str()
            && it["place"]["file"]
                .as_str()
                .is_some_and(|it| folder.join(it) == Path::new(&file.name))
            && (first..=last).contains(&line)
    };
    let lambda = explanation["lambdas"].as_array()?.iter().find(is_it)?;
    Some(told(lambda))
}

fn told(lambda: &Value) -> String {
    let captures = lambda["captures"].as_array().map(Vec::as_slice).unwrap_or_default();
    let named: Vec<String> = captures
        .iter()
        .map(|it| {
            let name = it["name"].as_str().unwrap_or("_");
            let ty = it["type"].as_str().unwrap_or("_");
            format!("`{name} : {ty}`")
        })
        .collect();
    let mut text = match named.is_empty() {
        true => "captures nothing".to_string(),
        false => format!("captures {}", named.join(", ")),
    };
    if let Some(reason) = lambda["gone"]["reason"].as_str() {
        text += &format!("; no function of its own is left: {reason}");
    }
    for copy in lambda["copies"].as_array().into_iter().flatten().take(3) {
        let representation = copy["representation"].as_str().unwrap_or("unknown");
        text += &format!("  \nrepresentation: {representation}");
        if let Some(reason) = reason(&copy["reason"]) {
            text += &format!(" ({reason})");
        }
        if let Some(class) = copy["storage"]["class"].as_str() {
            text += &format!("; storage: {class}");
        }
    }
    text
}

fn reason(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value["text"].as_str())
}
