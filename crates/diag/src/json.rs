//! Diagnostics as JSON, one object per line, for editors and scripts.
//!
//! ```text
//! {"severity":"error","code":"E0201","message":"…","file":"main.ml",
//!  "primary":{"file":"main.ml","text":"…","bytes":{"start":8,"end":9},
//!             "start":{"line":1,"column":9},"end":{"line":1,"column":10}},
//!  "labels":[…],"notes":[…],"help":[…],"edits":[…],"rendered":"…"}
//! ```
//!
//! An edit is `{"file":…,"bytes":{"start":8,"end":9},"text":"…"}`: the bytes are replaced by the text. Edits do not
//! overlap; together they are the change that the help proposes.
//!
//! Lines and columns count from 1, columns in characters; `end` is behind the last character.
//! `file` and `primary` are null when the report has no place.

use oxbow_base::SourceMap;

use crate::{Diagnostic, Edit, Label, RenderOptions, Severity, render};

/// The report as one line of JSON, without the line break.
pub fn render_json(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let primary = diagnostic.primary.as_ref();
    let strings = |list: &[String]| array(list.iter().map(|it| string(it)));
    object(&[
        ("severity", string(severity(diagnostic.severity))),
        ("code", string(diagnostic.code)),
        ("message", string(&diagnostic.message)),
        ("file", primary.map_or("null".into(), |it| string(&sources.file(it.span.file).name))),
        ("primary", primary.map_or("null".into(), |it| label(it, sources))),
        ("labels", array(diagnostic.secondary.iter().map(|it| label(it, sources)))),
        ("notes", strings(&diagnostic.notes)),
        ("help", strings(&diagnostic.help)),
        ("edits", array(diagnostic.edits.iter().map(|it| edit(it, sources)))),
        ("rendered", string(&render(diagnostic, sources, RenderOptions::default()))),
    ])
}

/// The same shape for a message that no source file is behind.
pub fn render_plain_json(of: Severity, message: &str) -> String {
    let rendered = crate::render_plain(of, message, RenderOptions::default());
    object(&[
        ("severity", string(severity(of))),
        ("code", "null".into()),
        ("message", string(message)),
        ("file", "null".into()),
        ("primary", "null".into()),
        ("labels", "[]".into()),
        ("notes", "[]".into()),
        ("help", "[]".into()),
        ("edits", "[]".into()),
        ("rendered", string(&rendered)),
    ])
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn label(label: &Label, sources: &SourceMap) -> String {
    let span = label.span;
    let position = |offset: u32| {
        let at = sources.position(span.file, offset);
        object(&[("line", at.line.to_string()), ("column", at.column.to_string())])
    };
    object(&[
        ("file", string(&sources.file(span.file).name)),
        ("text", string(&label.text)),
        ("bytes", object(&[("start", span.start.to_string()), ("end", span.end.to_string())])),
        ("start", position(span.start)),
        ("end", position(span.end)),
    ])
}

fn edit(edit: &Edit, sources: &SourceMap) -> String {
    let span = edit.span;
    object(&[
        ("file", string(&sources.file(span.file).name)),
        ("bytes", object(&[("start", span.start.to_string()), ("end", span.end.to_string())])),
        ("text", string(&edit.text)),
    ])
}

fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", fields.join(","))
}

fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for it in text.chars() {
        match it {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            it if (it as u32) < 0x20 || it == '\u{7f}' => {
                out.push_str(&format!("\\u{:04x}", it as u32))
            }
            it => out.push(it),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxbow_base::Span;

    #[test]
    fn a_report_is_one_line_of_json() {
        let mut sources = SourceMap::new();
        let file = sources.add("a \"b\".ml", "let é = 1 +\n\"x\\y\"\n");
        let report = Diagnostic::error("E0999", "wrong \u{1}\ttype")
            .at(Span::new(file, 11, 18), "this\nthat")
            .label(Span::new(file, 4, 6), "")
            .note("n\\")
            .edit(Span::new(file, 4, 6), "e");
        let json = render_json(&report, &sources);
        assert!(!json.contains('\n'), "{json}");
        assert!(json.starts_with(concat!(
            r#"{"severity":"error","code":"E0999","message":"wrong \u0001\ttype","file":"a \"b\".ml","#,
            r#""primary":{"file":"a \"b\".ml","text":"this\nthat","bytes":{"start":11,"end":18},"#,
            r#""start":{"line":1,"column":11},"end":{"line":2,"column":6}},"#,
            r#""labels":[{"file":"a \"b\".ml","text":"","bytes":{"start":4,"end":6},"#,
            r#""start":{"line":1,"column":5},"end":{"line":1,"column":6}}],"notes":["n\\"],"help":[],"edits":[{"file":"a \"b\".ml","bytes":{"start":4,"end":6},"text":"e"}],"rendered":"#,
        )), "{json}");
        let plain = render_plain_json(Severity::Error, "no such file");
        assert!(plain.ends_with(r#""rendered":"error: no such file\n"}"#), "{plain}");
    }
}
