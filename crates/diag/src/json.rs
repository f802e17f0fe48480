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

use oxbow_base::{SourceMap, Span};
use serde::Serialize;

use crate::{Diagnostic, Edit, Label, RenderOptions, Severity, render};

#[derive(Serialize)]
struct Report<'a> {
    severity: &'static str,
    code: Option<&'a str>,
    message: &'a str,
    file: Option<&'a str>,
    primary: Option<Marked<'a>>,
    labels: Vec<Marked<'a>>,
    notes: &'a [String],
    help: &'a [String],
    edits: Vec<Change<'a>>,
    rendered: String,
}

#[derive(Serialize)]
struct Marked<'a> {
    file: &'a str,
    text: &'a str,
    bytes: Bytes,
    start: Position,
    end: Position,
}

#[derive(Serialize)]
struct Change<'a> {
    file: &'a str,
    bytes: Bytes,
    text: &'a str,
}

#[derive(Serialize)]
struct Bytes {
    start: u32,
    end: u32,
}

#[derive(Serialize)]
struct Position {
    line: u32,
    column: u32,
}

/// The report as one line of JSON, without the line break.
pub fn render_json(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let primary = diagnostic.primary.as_ref();
    line(&Report {
        severity: severity(diagnostic.severity),
        code: Some(diagnostic.code),
        message: &diagnostic.message,
        file: primary.map(|it| sources.file(it.span.file).name.as_str()),
        primary: primary.map(|it| marked(it, sources)),
        labels: diagnostic.secondary.iter().map(|it| marked(it, sources)).collect(),
        notes: &diagnostic.notes,
        help: &diagnostic.help,
        edits: diagnostic.edits.iter().map(|it| change(it, sources)).collect(),
        rendered: render(diagnostic, sources, RenderOptions::default()),
    })
}

/// The same shape for a message that no source file is behind.
pub fn render_plain_json(of: Severity, message: &str) -> String {
    line(&Report {
        severity: severity(of),
        code: None,
        message,
        file: None,
        primary: None,
        labels: Vec::new(),
        notes: &[],
        help: &[],
        edits: Vec::new(),
        rendered: crate::render_plain(of, message, RenderOptions::default()),
    })
}

fn line(report: &Report<'_>) -> String {
    serde_json::to_string(report).expect("texts and numbers can be written")
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn bytes(span: Span) -> Bytes {
    Bytes { start: span.start, end: span.end }
}

fn marked<'a>(label: &'a Label, sources: &'a SourceMap) -> Marked<'a> {
    let span = label.span;
    let position = |offset: u32| {
        let at = sources.position(span.file, offset);
        Position { line: at.line, column: at.column }
    };
    Marked {
        file: &sources.file(span.file).name,
        text: &label.text,
        bytes: bytes(span),
        start: position(span.start),
        end: position(span.end),
    }
}

fn change<'a>(edit: &'a Edit, sources: &'a SourceMap) -> Change<'a> {
    Change { file: &sources.file(edit.span.file).name, bytes: bytes(edit.span), text: &edit.text }
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
