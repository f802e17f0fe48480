//! The explanation for tools. `docs/explain.md` describes the fields; their names and meaning are
//! kept, and fields may be added.

use std::fmt::Write as _;

use crate::model::{
    Allocation, Binding, Capture, Code, Copy, Derivative, Explanation, Field, Gone, Lambda, Layout,
    Place, Reason, Storage,
};

/// The number of the format: it changes if a field changes its meaning or disappears.
const VERSION: u64 = 1;

/// Indented, ending in a line break.
pub fn render(explanation: &Explanation) -> String {
    let mut out = String::new();
    value(explanation).write(&mut out, 0);
    out.push('\n');
    out
}

/// On one line, fit to stand in a script of a page.
pub(crate) fn for_page(explanation: &Explanation) -> String {
    let mut out = String::new();
    let files = explanation
        .files
        .iter()
        .map(|it| Json::Object(vec![("name", text(&it.name)), ("text", text(&it.text))]));
    let Json::Object(mut fields) = value(explanation) else { return out };
    fields.retain(|it| it.0 != "files");
    fields.push(("files", Json::Array(files.collect())));
    Json::Object(fields).write_dense(&mut out);
    // The text must not end the script.
    out.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

enum Json {
    Null,
    Number(i64),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    fn write(&self, out: &mut String, depth: usize) {
        let (open, close, items): (char, char, Vec<(Option<&str>, &Json)>) = match self {
            Self::Array(items) => ('[', ']', items.iter().map(|it| (None, it)).collect()),
            Self::Object(fields) => {
                ('{', '}', fields.iter().map(|it| (Some(it.0), &it.1)).collect())
            }
            Self::Null | Self::Number(_) | Self::Text(_) => return self.write_dense(out),
        };
        // What holds no structure stands on one line.
        if items.iter().all(|it| it.1.is_plain()) && items.len() <= 6 {
            return self.write_dense(out);
        }
        out.push(open);
        for (index, (name, item)) in items.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let _ = write!(out, "{comma}\n{:indent$}", "", indent = 2 * (depth + 1));
            if let Some(name) = name {
                let _ = write!(out, "\"{name}\": ");
            }
            item.write(out, depth + 1);
        }
        let _ = write!(out, "\n{:indent$}{close}", "", indent = 2 * depth);
    }

    fn is_plain(&self) -> bool {
        match self {
            Self::Null | Self::Number(_) | Self::Text(_) => true,
            Self::Array(items) => items.is_empty(),
            Self::Object(_) => false,
        }
    }

    fn write_dense(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Number(number) => {
                let _ = write!(out, "{number}");
            }
            Self::Text(text) => quote(out, text),
            Self::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    item.write_dense(out);
                }
                out.push(']');
            }
            Self::Object(fields) => {
                out.push('{');
                for (index, (name, item)) in fields.iter().enumerate() {
                    let _ = write!(out, "{}\"{name}\": ", if index == 0 { "" } else { ", " });
                    item.write_dense(out);
                }
                out.push('}');
            }
        }
    }
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    for it in text.chars() {
        match it {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            it if (it as u32) < 0x20 || it == '\u{7f}' => {
                let _ = write!(out, "\\u{:04x}", it as u32);
            }
            it => out.push(it),
        }
    }
    out.push('"');
}

fn text(text: &str) -> Json {
    Json::Text(text.into())
}

fn number(number: usize) -> Json {
    Json::Number(number as i64)
}

fn maybe<T>(it: Option<T>, make: impl FnOnce(T) -> Json) -> Json {
    it.map_or(Json::Null, make)
}

fn list<T>(items: &[T], make: impl Fn(&T) -> Json) -> Json {
    Json::Array(items.iter().map(make).collect())
}

fn value(explanation: &Explanation) -> Json {
    let mut fields = vec![
        ("version", Json::Number(VERSION as i64)),
        ("files", list(&explanation.files, |it| text(&it.name))),
        ("lambdas", list(&explanation.lambdas, lambda)),
        ("allocations", list(&explanation.allocations, allocation)),
    ];
    // Only in programs that take gradients.
    if !explanation.derivatives.is_empty() {
        fields.push(("derivatives", list(&explanation.derivatives, derivative)));
    }
    Json::Object(fields)
}

fn derivative(it: &Derivative) -> Json {
    Json::Object(vec![
        ("place", place(&it.place)),
        ("tape", maybe(it.tape, text)),
        ("closures", Json::Number(it.closures as i64)),
    ])
}

fn place(it: &Place) -> Json {
    Json::Object(vec![
        ("file", text(&it.file)),
        ("line", number(it.line as usize)),
        ("column", number(it.column as usize)),
        ("end_line", number(it.end_line as usize)),
        ("end_column", number(it.end_column as usize)),
    ])
}

fn lambda(it: &Lambda) -> Json {
    Json::Object(vec![
        ("id", number(it.id)),
        ("name", maybe(it.name.as_deref(), text)),
        ("origin", text(it.origin.name())),
        ("place", place(&it.place)),
        ("type", text(&it.ty)),
        ("inside", maybe(it.inside, number)),
        ("params", list(&it.params, binding)),
        ("captures", list(&it.captures, capture)),
        ("gone", maybe(it.gone.as_ref(), gone)),
        ("copies", list(&it.copies, copy)),
    ])
}

fn binding(it: &Binding) -> Json {
    Json::Object(vec![
        ("name", text(&it.name)),
        ("type", text(&it.ty)),
        ("place", place(&it.place)),
    ])
}

fn capture(it: &Capture) -> Json {
    Json::Object(vec![
        ("name", text(&it.name)),
        ("type", text(&it.ty)),
        ("mode", text(it.mode.name())),
        ("place", place(&it.place)),
    ])
}

fn gone(it: &Gone) -> Json {
    Json::Object(vec![("pass", text(it.pass)), ("reason", text(&it.reason))])
}

fn copy(it: &Copy) -> Json {
    let mut fields = vec![
        ("within", text(&it.within)),
        ("type", text(&it.ty)),
        ("representation", text(it.representation.name())),
        ("reason", reason(&it.reason)),
        ("layout", layout(&it.layout)),
        ("storage", storage(&it.storage)),
        ("creations", number(it.creations)),
        ("direct_calls", number(it.direct_calls)),
        ("possible_calls", number(it.possible_calls)),
    ];
    if let Some(symbol) = &it.symbol {
        fields.push(("symbol", text(symbol)));
    }
    if !it.code.is_empty() {
        fields.push(("code", list(&it.code, code)));
    }
    Json::Object(fields)
}

fn code(it: &Code) -> Json {
    Json::Object(vec![("form", text(&it.form)), ("text", text(&it.text))])
}

fn reason(it: &Reason) -> Json {
    Json::Object(vec![("text", text(&it.text)), ("place", maybe(it.place.as_ref(), place))])
}

fn storage(it: &Storage) -> Json {
    Json::Object(vec![("class", text(it.class.name())), ("reasons", list(&it.reasons, reason))])
}

fn layout(it: &Layout) -> Json {
    Json::Object(vec![
        ("size", number(it.size as usize)),
        ("cache_line", text(it.cache_line.name())),
        ("fields", list(&it.fields, field)),
    ])
}

fn field(it: &Field) -> Json {
    Json::Object(vec![
        ("kind", text(it.kind.name())),
        ("name", text(&it.name)),
        ("type", text(&it.ty)),
        ("offset", maybe(it.offset, Json::Number)),
        ("size", number(it.size as usize)),
        ("mode", maybe(it.mode, |it| text(it.name()))),
        ("place", maybe(it.place.as_ref(), place)),
    ])
}

fn allocation(it: &Allocation) -> Json {
    Json::Object(vec![
        ("kind", text(&it.kind)),
        ("type", text(&it.ty)),
        ("place", place(&it.place)),
        ("inside", maybe(it.inside, number)),
        ("copies", number(it.copies)),
        ("size", maybe(it.size, |it| number(it as usize))),
        ("storage", storage(&it.storage)),
    ])
}
