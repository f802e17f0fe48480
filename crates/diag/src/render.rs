//! Turns diagnostics into text for people and JSON for tools.

use oxbow_base::SourceMap;

use crate::{Diagnostic, Severity};

#[derive(Clone, Copy, Debug)]
pub struct RenderOptions {
    pub color: bool,
}

/// The report as a person reads it, ending in a line break.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, _options: RenderOptions) -> String {
    let word = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut text = format!("{word}[{}]: {}\n", diagnostic.code, diagnostic.message);
    if let Some(primary) = &diagnostic.primary {
        let at = sources.position(primary.span.file, primary.span.start);
        text += &format!(" --> {}:{}:{}\n", sources.file(primary.span.file).name, at.line, at.column);
    }
    text
}

/// The report as one line of JSON.
pub fn render_json(diagnostic: &Diagnostic, _sources: &SourceMap) -> String {
    format!("{{\"message\":{:?}}}", diagnostic.message)
}
