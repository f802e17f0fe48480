//! Project files of Clef: TOML with the sections `package`, `compilation`, `dependencies` and `build`.
//!
//! ```toml
//! [package]
//! name = "hello"
//!
//! [build]
//! sources = ["Util.clef", "Main.clef"]
//! output = "hello"
//! ```

use std::ops::Range;

use oxbow_base::{FileId, Span};
use oxbow_diag::{Diagnostic, Diagnostics};
use toml_edit::{Document, Item, Key, TableLike, Value};

/// What a project file says.
#[derive(Debug, Default)]
pub struct Project {
    pub name: Option<Text>,
    pub sources: Vec<Text>,
    pub output: Option<Text>,
}

#[derive(Clone, Debug)]
pub struct Text {
    pub text: String,
    pub span: Span,
}

const SECTIONS: &[(&str, &[&str])] = &[
    ("package", &["name", "version", "authors", "description", "license"]),
    ("compilation", &["target", "memory_model", "max_stack_size", "opt_level", "debug"]),
    ("dependencies", &[]),
    ("build", &["sources", "output", "output_kind"]),
];

pub fn parse(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Project {
    let mut reader = Reader { file, diagnostics, project: Project::default() };
    match Document::parse(text) {
        Ok(document) => reader.sections(document.as_table()),
        Err(error) => {
            let message = error.message().lines().collect::<Vec<_>>().join(", ");
            let span = reader.span(error.span());
            let message = format!("malformed project file: {message}");
            reader.report("E0060", message, span, "not expected here");
        }
    }
    if reader.project.sources.is_empty() && !reader.diagnostics.has_errors() {
        let span = Span::new(file, 0, 0);
        let label = "add `sources = [\"Main.clef\"]` under `[build]`";
        reader.report("E0063", "the project names no sources".into(), span, label);
    }
    reader.project
}

struct Reader<'a> {
    file: FileId,
    diagnostics: &'a mut Diagnostics,
    project: Project,
}

impl Reader<'_> {
    fn report(&mut self, code: &'static str, message: String, span: Span, label: &str) {
        self.diagnostics.error(Diagnostic::error(code, message).at(span, label));
    }

    fn span(&self, range: Option<Range<usize>>) -> Span {
        let range = range.unwrap_or(0..0);
        Span::new(self.file, range.start as u32, range.end as u32)
    }

    fn sections(&mut self, document: &dyn TableLike) {
        for (name, item) in document.iter() {
            let span = self.span(document.key(name).and_then(Key::span));
            let section = SECTIONS.iter().find(|it| it.0 == name);
            match (section, item.as_table_like()) {
                (Some((_, keys)), Some(table)) => self.section(name, keys, table),
                (Some(_), None) => {
                    let message = format!("`{name}` has the wrong kind of value");
                    self.report("E0064", message, span, "expected a section");
                }
                (None, _) => {
                    let message = format!("unknown section `{name}`");
                    let label = format!("a project has {}", quoted(SECTIONS.iter().map(|it| it.0)));
                    self.report("E0062", message, span, &label);
                }
            }
        }
    }

    /// Without a list of keys, a section may have any.
    fn section(&mut self, section: &str, keys: &[&str], table: &dyn TableLike) {
        for (name, item) in table.iter() {
            let span = self.span(table.key(name).and_then(Key::span));
            if !keys.is_empty() && !keys.contains(&name) {
                let message = format!("unknown key `{name}` in `[{section}]`");
                let label = format!("this section has {}", quoted(keys.iter().copied()));
                self.report("E0062", message, span, &label);
            } else if let Err(wanted) = self.set(section, name, item) {
                let message = format!("`{name}` has the wrong kind of value");
                self.report("E0064", message, span, &format!("expected {wanted}"));
            }
        }
    }

    /// Keeps what is read further. An error says what kind of value the key has.
    fn set(&mut self, section: &str, name: &str, item: &Item) -> Result<(), &'static str> {
        let texts = || item.as_array().and_then(|it| it.iter().map(|it| self.text(it)).collect());
        let one = || item.as_value().and_then(|it| self.text(it)).ok_or("a text");
        match (section, name) {
            ("package", "name") => self.project.name = Some(one()?),
            ("build", "output") => self.project.output = Some(one()?),
            ("build", "sources") => self.project.sources = texts().ok_or("a list of file names")?,
            _ => (),
        }
        Ok(())
    }

    fn text(&self, value: &Value) -> Option<Text> {
        Some(Text { text: value.as_str()?.into(), span: self.span(value.span()) })
    }
}

fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
}
