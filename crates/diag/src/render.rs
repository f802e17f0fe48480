//! Turns a diagnostic into the text that a person reads.
//!
//! ```text
//! error[E0113]: `add` takes 2 arguments, but 3 are given
//!  --> bin/main.ml:7:19
//!   |
//! 3 | let add a b = a + b
//!   |     --- `add` is defined here
//! ...
//! 7 |   let s = add 1 2 3 in
//!   |                   ^ not expected
//! help: remove the argument, or add a parameter to `add`
//! ```
//!
//! The frame with the source is `annotate-snippets`' work. It is given only the lines between the
//! first and the last label of a file, and only spans that lie within them on character
//! boundaries: whatever a stage reports, rendering does not fail.

use std::ops::Range;

use annotate_snippets::renderer::{
    DEFAULT_ERROR_STYLE, DEFAULT_HELP_STYLE, DEFAULT_NOTE_STYLE, DEFAULT_WARNING_STYLE, Style,
};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use oxbow_base::{FileId, SourceFile, SourceMap};

use crate::{Diagnostic, Label, Severity};

/// Lines longer than this are cut; no one reads further, and the frame has 140 columns.
const MAX_LINE: usize = 16 * 1024;

#[derive(Clone, Copy, Debug, Default)]
pub struct RenderOptions {
    /// Use terminal colours.
    pub color: bool,
}

/// The report as a person reads it, ending in a line break.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, options: RenderOptions) -> String {
    let renderer = if options.color { Renderer::styled() } else { Renderer::plain() };
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let excerpts = excerpts(diagnostic, sources);
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code);
    let frame = Group::with_title(title).elements(excerpts.iter().map(Excerpt::snippet));
    let mut text = renderer.render(&[frame]);
    text.push('\n');
    for note in &diagnostic.notes {
        text += &remark("note", note, options.color.then_some(DEFAULT_NOTE_STYLE));
    }
    for help in &diagnostic.help {
        text += &remark("help", help, options.color.then_some(DEFAULT_HELP_STYLE));
    }
    text
}

/// `error: message`, for what has no place in a source file and no code.
pub fn render_plain(severity: Severity, message: &str, options: RenderOptions) -> String {
    let (word, style) = match severity {
        Severity::Error => ("error", DEFAULT_ERROR_STYLE),
        Severity::Warning => ("warning", DEFAULT_WARNING_STYLE),
    };
    remark(word, message, options.color.then_some(style))
}

/// A line below the frame. Further lines of its text stand under the first.
fn remark(word: &str, text: &str, style: Option<Style>) -> String {
    let indent = format!("\n{:width$}", "", width = word.len() + 2);
    let text = text.trim_end().replace('\n', &indent);
    match style {
        Some(style) => format!("{}{word}{}: {text}\n", style.render(), style.render_reset()),
        None => format!("{word}: {text}\n"),
    }
}

/// The lines of one file that a report shows.
struct Excerpt<'a> {
    name: &'a str,
    first_line: usize,
    text: String,
    marks: Vec<(AnnotationKind, Range<usize>, &'a str)>,
}

impl Excerpt<'_> {
    fn snippet(&self) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
        let marks = self.marks.iter().map(|(kind, range, text)| {
            let label = (!text.is_empty()).then_some(*text);
            kind.span(range.clone()).label(label)
        });
        Snippet::source(self.text.as_str())
            .path(self.name)
            .line_start(self.first_line)
            .annotations(marks)
    }
}

/// One excerpt per file: the primary label's first, then in order of appearance.
fn excerpts<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Excerpt<'a>> {
    let mut files: Vec<FileId> = Vec::new();
    for label in diagnostic.primary.iter().chain(&diagnostic.secondary) {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    files.into_iter().map(|file| excerpt(diagnostic, file, sources.file(file))).collect()
}

fn excerpt<'a>(diagnostic: &'a Diagnostic, file: FileId, source: &'a SourceFile) -> Excerpt<'a> {
    let text: &str = &source.text;
    let primary = diagnostic.primary.iter().map(|it| (AnnotationKind::Primary, it));
    let secondary = diagnostic.secondary.iter().map(|it| (AnnotationKind::Context, it));
    let marks: Vec<_> = primary
        .chain(secondary)
        .filter(|(_, label)| label.span.file == file)
        .map(|(kind, label)| (kind, visible(text, label), label.text.as_str()))
        .collect();
    let start = marks.iter().map(|it| it.1.start).min().unwrap_or(0);
    let end = marks.iter().map(|it| it.1.end).max().unwrap_or(0);
    let start = text[..start].rfind('\n').map_or(0, |it| it + 1);
    let end = text[end..].find('\n').map_or(text.len(), |it| end + it);
    let mut lines = Lines::default();
    for line in text[start..end].split('\n') {
        lines.push(line);
    }
    let marks = marks.into_iter().map(|(kind, range, label)| {
        let from = lines.place(range.start - start);
        let to = lines.place(range.end - start).max(from);
        (kind, from..to, label)
    });
    Excerpt {
        name: &source.name,
        first_line: text[..start].bytes().filter(|&it| it == b'\n').count()
            + source.first_line as usize,
        marks: marks.collect(),
        text: lines.text,
    }
}

/// The range of a label that can be shown: within the text, on character boundaries, and not the
/// line break at its end. The end of the file is shown behind the last thing that is there.
fn visible(text: &str, label: &Label) -> Range<usize> {
    let floor = |at: usize| {
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let mut start = floor(label.span.start as usize);
    let mut end = floor(label.span.end.max(label.span.start) as usize);
    if start == text.len() {
        start = text.trim_end().len();
        end = start;
    }
    let shown = start + text[start..end].trim_end_matches(['\n', '\r']).len();
    start..shown
}

/// The shown lines without carriage returns and overlong tails, and where each byte went.
#[derive(Default)]
struct Lines {
    text: String,
    /// Per line: its start in the source, its start here, its length here.
    starts: Vec<(usize, usize, usize)>,
    read: usize,
}

impl Lines {
    fn push(&mut self, line: &str) {
        let shown = line.strip_suffix('\r').unwrap_or(line);
        let mut length = shown.len().min(MAX_LINE);
        while !shown.is_char_boundary(length) {
            length -= 1;
        }
        if !self.starts.is_empty() {
            self.text.push('\n');
        }
        self.starts.push((self.read, self.text.len(), length));
        self.text.push_str(&shown[..length]);
        self.read += line.len() + 1;
    }

    fn place(&self, offset: usize) -> usize {
        let line = self.starts.partition_point(|it| it.0 <= offset).saturating_sub(1);
        let (from, to, length) = self.starts.get(line).copied().unwrap_or_default();
        to + (offset - from).min(length)
    }
}
