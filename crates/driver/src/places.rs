//! The places that backtraces show.
//!
//! ```text
//! Main.f.(fun) 0 main.ml 0 3 0 4 0 13 0 5 0 38        lines 3 to 5, characters 4 to 13; 38 from the start of line 3
//! ```

use std::sync::Arc;

use oxbow_base::{Language, SourceMap, Span};
use oxbow_elab::tast::{Scope, scope_path};

/// What is known of the user's OCaml files.
pub(crate) struct Places<'a> {
    scopes: &'a [Scope],
    sources: &'a SourceMap,
}

impl<'a> Places<'a> {
    pub(crate) fn new(scopes: &'a [Scope], sources: &'a SourceMap) -> Self {
        Self { scopes, sources }
    }

    /// The text of a place, as `runtime::backtrace` and `Printexc` take it apart.
    pub(crate) fn text(&self, span: Span) -> Option<Arc<[u8]>> {
        let file = self.sources.file(span.file);
        let is_written = span.start < span.end;
        if !is_written || file.is_library || file.language != Language::Ocaml {
            return None;
        }
        let scopes = self.scopes.iter().map(|it| (it.span, it.name.as_str()));
        let name = scope_path(scopes, span);
        let line = |at| self.sources.position(span.file, at).line;
        let (first, last) = (self.line_start(span, span.start), self.line_start(span, span.end));
        let characters = |from: u32, to: u32| {
            let text = file.text.get(from as usize..to as usize).unwrap_or_default();
            file.encoding.length(text)
        };
        let text = format!(
            "{name}\0{}\0{}\0{}\0{}\0{}\0{}",
            file.name,
            line(span.start),
            characters(first, span.start),
            characters(last, span.end),
            line(span.end),
            characters(first, span.end),
        );
        Some(text.into_bytes().into())
    }

    fn line_start(&self, span: Span, at: u32) -> u32 {
        let before = self.sources.file(span.file).text.get(..at as usize).unwrap_or_default();
        before.rfind('\n').map_or(0, |newline| newline as u32 + 1)
    }
}
