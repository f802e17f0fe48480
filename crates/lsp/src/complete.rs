//! Completion and the signature of the call around the cursor.
//!
//! What is to be completed is replaced by a name that stands nowhere else, the *hole*, and a process looks at that
//! text: where the compiler looks the hole up, it knows all that could stand there. So completion knows scopes, opened
//! modules, types and members as the compiler does, and works where the rest of the file has errors.

use std::path::Path;

use oxbow_driver::Language;
use oxbow_driver::index::{Call, Candidate, Hole, Kind, Want};
use serde_json::{Value, json};

use crate::analysis;
use crate::project;
use crate::protocol::{Position, Range};
use crate::server::{Server, Task, TaskKind};
use crate::text::word;
use crate::view::View;

/// Behind what has been typed so far it makes a name that no program has.
const HOLE: &str = "oxbow_hole_";

const OCAML: &str = "and as assert begin class constraint do done downto else end exception external false for fun \
    function functor if in include inherit initializer lazy let match method module mutable new object of open or \
    private rec sig struct then to true try type val virtual when while with";
const CLEF: &str = "abstract and as begin do done downto elif else end exception false finally for fun function if in \
    inherit inline interface internal lazy let match member module mutable namespace new null of open or override \
    private public rec return static struct then to true try type use val when while with yield";

/// Where something is completed.
pub struct Place {
    /// What has been typed of it.
    prefix: String,
    range: Range,
    language: Language,
    /// Something stands before it that it is a part of.
    is_member: bool,
}

/// Is the character part of a name?
pub fn is_part(language: Language) -> impl Fn(char) -> bool {
    move |it| match language {
        Language::Eshkol => !it.is_whitespace() && !"()[]{}\"';`,|".contains(it),
        _ => it.is_alphanumeric() || it == '_' || it == '\'',
    }
}

/// Is it a word of the language?
pub fn is_keyword(language: Language, name: &str) -> bool {
    keywords(language).split_whitespace().any(|it| it == name)
}

fn keywords(language: Language) -> &'static str {
    match language {
        Language::Ocaml => OCAML,
        Language::Clef => CLEF,
        // They are found as names are.
        Language::Eshkol | Language::ClefProject | Language::Mlir => "",
    }
}

pub fn start(server: &mut Server, id: Value, path: &Path, params: &Value) {
    let position: Position = serde_json::from_value(params["position"].clone()).unwrap_or_default();
    let (Some(document), Some(language)) =
        (server.state.documents.get(path), project::language(path))
    else {
        return server.respond(&id, Value::Null);
    };
    let text = document.text.clone();
    let at = text.offset(position);
    let (start, end) = word(text.as_str(), at, is_part(language));
    let prefix = text.slice(start, at).to_string();
    let before = text.as_str()[..start].chars().next_back();
    let is_member = language != Language::Eshkol && matches!(before, Some('.' | '#'));
    let place = Place { range: text.range(start, at), language, is_member, prefix };
    let hole = format!("{}{HOLE}", place.prefix);
    let main = server.state.main_of(path);
    let wanted = Hole { name: hole.clone(), prefix: place.prefix.clone() };
    let mut request = server.state.request(&main, Want::Completion(wanted));
    let whole = text.as_str();
    let mut changed = format!("{}{hole}{}", &whole[..start], &whole[end..]);
    if language == Language::Eshkol {
        // A form that is not closed is no form yet.
        changed.push_str(&")".repeat(open_forms(&changed)));
    }
    request.texts.insert(path.to_path_buf(), changed);
    let number = server.next_number();
    let executable = &server.state.world.executable;
    match analysis::start(executable, &request, (number, 0), server.events.clone()) {
        Ok(running) => {
            let kind = TaskKind::Completion(place);
            server.tasks.insert(number, Task { id, running, kind });
        }
        Err(_) => server.respond(&id, items(&place, Vec::new())),
    }
}

/// How many forms of Eshkol a text leaves open.
fn open_forms(text: &str) -> usize {
    let mut open = 0_usize;
    let mut rest = text.chars();
    while let Some(it) = rest.next() {
        match it {
            '(' => open += 1,
            ')' => open = open.saturating_sub(1),
            ';' => drop(rest.find(|it| *it == '\n')),
            '#' if rest.as_str().starts_with('\\') => drop(rest.nth(1)),
            '"' => {
                while let Some(it) = rest.next().filter(|it| *it != '"') {
                    if it == '\\' {
                        rest.next();
                    }
                }
            }
            _ => (),
        }
    }
    open
}

/// What fits behind the prefix.
pub fn items(place: &Place, found: Vec<Candidate>) -> Value {
    let prefix = place.prefix.to_lowercase();
    let fits = |name: &str| name.to_lowercase().starts_with(&prefix) && !name.contains(HOLE);
    let item = |name: &str, kind: u32, detail: Option<&str>| {
        json!({
            "label": name,
            "kind": kind,
            "detail": detail,
            "textEdit": { "range": place.range, "newText": name },
        })
    };
    let mut all: Vec<Value> = Vec::new();
    for it in found.iter().filter(|it| fits(&it.name)) {
        let detail = it.text.split_once(" : ").map(|it| it.1).filter(|it| !it.is_empty());
        let is_function = detail.is_some_and(|it| it.contains("->"));
        all.push(item(&it.name, kind(it.kind, is_function), detail));
    }
    if !place.is_member {
        let words = keywords(place.language).split_whitespace().filter(|it| fits(it));
        all.extend(words.map(|it| item(it, 14, None)));
    }
    json!({ "isIncomplete": false, "items": all })
}

/// The protocol's numbers of kinds.
fn kind(kind: Kind, is_function: bool) -> u32 {
    match kind {
        Kind::Value if is_function => 3,
        Kind::Value => 6,
        Kind::Method => 2,
        Kind::Field => 5,
        Kind::Type => 22,
        Kind::Constructor => 20,
        Kind::Module => 9,
        Kind::ModuleType => 8,
        Kind::Macro => 14,
    }
}

/// The call that the cursor is in, or right behind.
pub fn signature(view: &View<'_>, at: u32) -> Value {
    let text = view.text.as_str();
    let reaches = |it: &&Call| {
        let gap = text.get(it.span.1 as usize..at as usize);
        let behind = gap.is_some_and(|it| it.chars().all(|it| it == ' '));
        it.function.1 < at && (at <= it.span.1 || behind)
    };
    let calls = view.of_file().calls.iter().filter(reaches);
    let Some(call) = calls.max_by_key(|it| (it.span.0, std::cmp::Reverse(it.span.1))) else {
        return Value::Null;
    };
    let name = text.get(call.function.0 as usize..call.function.1 as usize).unwrap_or("");
    let name = if name.contains('\n') || name.len() > 60 { "…" } else { name };
    let mut label = format!("{name} : ");
    let mut parameters = Vec::new();
    for parameter in &call.parameters {
        let start = label.encode_utf16().count();
        label += parameter;
        parameters.push(json!({ "label": [start, label.encode_utf16().count()] }));
        label += " -> ";
    }
    label += &call.result;
    let active = call.arguments.iter().filter(|it| it.1 < at).count();
    let active = active.min(call.parameters.len().saturating_sub(1));
    json!({
        "signatures": [{ "label": label, "parameters": parameters }],
        "activeSignature": 0,
        "activeParameter": active,
    })
}

#[cfg(test)]
mod tests {
    use super::open_forms;

    #[test]
    fn forms_that_are_open() {
        assert_eq!(open_forms("(a (b"), 2);
        assert_eq!(open_forms("(a \"(\\\"(\" ; (\n #\\( b"), 1);
        assert_eq!(open_forms("(a))"), 0);
    }
}
