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

/// A function of a file, at the place where its text begins; lines and columns count from 0.
pub struct Function {
    pub line: u32,
    pub column: u32,
    pub captures: Vec<String>,
    pub storage: Option<String>,
    pub story: String,
}

/// The functions of a file that are written there, if its program has been explained as it is.
pub fn of_file(view: &View<'_>, path: &Path) -> Vec<Function> {
    let Some(program) = view.state.programs.get(&view.state.main_of(path)) else {
        return Vec::new();
    };
    let Some(explanation) = program.explanation.as_ref().filter(|_| program.is_explained()) else {
        return Vec::new();
    };
    let folder = std::env::current_dir().unwrap_or_default();
    let own = &view.of_file().name;
    let one = |lambda: &Value| {
        let place = &lambda["place"];
        let is_own = place["file"].as_str().is_some_and(|it| folder.join(it) == Path::new(own));
        if !is_own || lambda["origin"] != "written" {
            return None;
        }
        let number = |of: &Value| Some(u32::try_from(of.as_u64()?).ok()?.saturating_sub(1));
        let names = lambda["captures"].as_array().into_iter().flatten();
        let class = |it: &Value| it["storage"]["class"].as_str().map(str::to_string);
        let copies = lambda["copies"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut storage: Vec<String> = copies.iter().filter_map(class).collect();
        storage.dedup();
        Some(Function {
            line: number(&place["line"])?,
            column: number(&place["column"])?,
            captures: names.filter_map(|it| it["name"].as_str()).map(str::to_string).collect(),
            storage: (!storage.is_empty()).then(|| storage.join(" or ")),
            story: told(lambda),
        })
    };
    explanation["lambdas"].as_array().into_iter().flatten().filter_map(one).collect()
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
