//! The explanation for tools. `docs/explain.md` describes the fields; their names and meaning are
//! kept, and fields may be added.

use serde_json::{Map, Value, json};

use crate::model::{
    Allocation, Binding, Capture, Code, Copy, Derivative, Explanation, Field, Gone, Lambda, Layout,
    Member, Place, Reason, Set, Storage,
};

/// The number of the format: it changes if a field changes its meaning or disappears.
const VERSION: u64 = 1;

/// Indented, ending in a line break.
pub fn render(explanation: &Explanation) -> String {
    format!("{:#}\n", Value::Object(value(explanation)))
}

/// On one line, fit to stand in a script of a page.
pub(crate) fn for_page(explanation: &Explanation) -> String {
    let mut fields = value(explanation);
    let files = list(&explanation.files, |it| json!({ "name": it.name, "text": it.text }));
    fields.insert("files".into(), files);
    // The text must not end the script.
    Value::Object(fields)
        .to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

fn list<T>(items: &[T], make: impl Fn(&T) -> Value) -> Value {
    items.iter().map(make).collect()
}

fn value(explanation: &Explanation) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("version".into(), VERSION.into());
    fields.insert("files".into(), list(&explanation.files, |it| json!(it.name)));
    fields.insert("lambdas".into(), list(&explanation.lambdas, lambda));
    fields.insert("allocations".into(), list(&explanation.allocations, allocation));
    // Only in programs that take gradients.
    if !explanation.derivatives.is_empty() {
        fields.insert("derivatives".into(), list(&explanation.derivatives, derivative));
    }
    // Only with `--closures=auto`.
    if !explanation.sets.is_empty() {
        fields.insert("sets".into(), list(&explanation.sets, set));
    }
    fields
}

fn set(it: &Set) -> Value {
    let member = |it: &Member| json!({ "place": place(&it.place), "applied": it.applied });
    json!({
        "members": list(&it.members, member),
        "others": it.others,
        "representation": if it.closures.is_some() { "closures" } else { "variant" },
        "reason": it.closures,
    })
}

fn derivative(it: &Derivative) -> Value {
    json!({ "place": place(&it.place), "tape": it.tape, "loops": it.loops, "closures": it.closures })
}

fn place(it: &Place) -> Value {
    json!({
        "file": it.file,
        "line": it.line,
        "column": it.column,
        "end_line": it.end_line,
        "end_column": it.end_column,
    })
}

fn lambda(it: &Lambda) -> Value {
    json!({
        "id": it.id,
        "name": it.name,
        "origin": it.origin.name(),
        "place": place(&it.place),
        "type": it.ty,
        "inside": it.inside,
        "params": list(&it.params, binding),
        "captures": list(&it.captures, capture),
        "gone": it.gone.as_ref().map(gone),
        "copies": list(&it.copies, copy),
    })
}

fn binding(it: &Binding) -> Value {
    json!({ "name": it.name, "type": it.ty, "place": place(&it.place) })
}

fn capture(it: &Capture) -> Value {
    json!({ "name": it.name, "type": it.ty, "mode": it.mode.name(), "place": place(&it.place) })
}

fn gone(it: &Gone) -> Value {
    json!({ "pass": it.pass, "reason": it.reason })
}

fn copy(it: &Copy) -> Value {
    let mut value = json!({
        "within": it.within,
        "type": it.ty,
        "representation": it.representation.name(),
        "reason": reason(&it.reason),
        "layout": layout(&it.layout),
        "storage": storage(&it.storage),
        "creations": it.creations,
        "direct_calls": it.direct_calls,
        "possible_calls": it.possible_calls,
    });
    if let Some(symbol) = &it.symbol {
        value["symbol"] = json!(symbol);
    }
    if !it.code.is_empty() {
        value["code"] = list(&it.code, code);
    }
    value
}

fn code(it: &Code) -> Value {
    json!({ "form": it.form, "text": it.text })
}

fn reason(it: &Reason) -> Value {
    json!({ "text": it.text, "place": it.place.as_ref().map(place) })
}

fn storage(it: &Storage) -> Value {
    json!({ "class": it.class.name(), "reasons": list(&it.reasons, reason) })
}

fn layout(it: &Layout) -> Value {
    json!({
        "size": it.size,
        "cache_line": it.cache_line.name(),
        "fields": list(&it.fields, field),
    })
}

fn field(it: &Field) -> Value {
    json!({
        "kind": it.kind.name(),
        "name": it.name,
        "type": it.ty,
        "offset": it.offset,
        "size": it.size,
        "mode": it.mode.map(|it| it.name()),
        "place": it.place.as_ref().map(place),
    })
}

fn allocation(it: &Allocation) -> Value {
    json!({
        "kind": it.kind,
        "type": it.ty,
        "place": place(&it.place),
        "inside": it.inside,
        "copies": it.copies,
        "size": it.size,
        "storage": storage(&it.storage),
    })
}
