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

use oxbow_base::{FileId, Span};
use oxbow_diag::{Diagnostic, Diagnostics};

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

#[derive(Debug)]
enum Value {
    Text(Text),
    List(Vec<Text>),
    /// A number, a truth value or a table: nothing that is read further.
    Other,
}

const SECTIONS: &[(&str, &[&str])] = &[
    ("package", &["name", "version", "authors", "description", "license"]),
    ("compilation", &["target", "memory_model", "max_stack_size", "opt_level", "debug"]),
    ("dependencies", &[]),
    ("build", &["sources", "output", "output_kind"]),
];

pub fn parse(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Project {
    let mut reader = Reader { file, text, at: 0, diagnostics };
    let mut project = Project::default();
    let mut section = String::new();
    while let Some(line) = reader.next_entry() {
        match line {
            Entry::Section(name) => {
                if !SECTIONS.iter().any(|it| it.0 == name.text) {
                    let names: Vec<_> = SECTIONS.iter().map(|it| format!("`{}`", it.0)).collect();
                    reader.report(
                        "E0062",
                        format!("unknown section `{}`", name.text),
                        name.span,
                        &format!("a project has {}", names.join(", ")),
                    );
                }
                section = name.text;
            }
            Entry::Field(key, value) => set(&mut project, &section, &key, value, &mut reader),
        }
    }
    if project.sources.is_empty() && !reader.diagnostics.has_errors() {
        let span = Span::new(file, 0, 0);
        reader.report(
            "E0063",
            "the project names no sources".into(),
            span,
            "add `sources = [\"Main.clef\"]` under `[build]`",
        );
    }
    project
}

fn set(project: &mut Project, section: &str, key: &Text, value: Value, reader: &mut Reader<'_>) {
    match (section, key.text.as_str(), value) {
        ("package", "name", Value::Text(text)) => project.name = Some(text),
        ("build", "output", Value::Text(text)) => project.output = Some(text),
        ("build", "sources", Value::List(list)) => project.sources = list,
        ("build", "output" | "sources", _) | ("package", "name", _) => {
            let wanted = if key.text == "sources" { "a list of file names" } else { "a text" };
            reader.report(
                "E0064",
                format!("`{}` has the wrong kind of value", key.text),
                key.span,
                &format!("expected {wanted}"),
            );
        }
        (section, name, _) => {
            let known = SECTIONS.iter().find(|it| it.0 == section);
            if let Some((_, keys)) = known
                && !keys.is_empty()
                && !keys.contains(&name)
            {
                let names: Vec<_> = keys.iter().map(|it| format!("`{it}`")).collect();
                reader.report(
                    "E0062",
                    format!("unknown key `{name}` in `[{section}]`"),
                    key.span,
                    &format!("this section has {}", names.join(", ")),
                );
            }
        }
    }
}

enum Entry {
    Section(Text),
    Field(Text, Value),
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    diagnostics: &'a mut Diagnostics,
}

impl Reader<'_> {
    fn report(&mut self, code: &'static str, message: String, span: Span, label: &str) {
        self.diagnostics.error(Diagnostic::error(code, message).at(span, label));
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Skips blanks and comments, with `lines` also ends of lines.
    fn skip(&mut self, lines: bool) {
        while let Some(it) = self.peek() {
            if it == '#' {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if it.is_whitespace() && (lines || it != '\n') {
                self.at += it.len_utf8();
            } else {
                return;
            }
        }
    }

    fn word(&mut self) -> Text {
        let start = self.at;
        while self.peek().is_some_and(|it| it.is_alphanumeric() || matches!(it, '_' | '-' | '.')) {
            self.at += self.peek().map_or(0, char::len_utf8);
        }
        Text { text: self.text[start..self.at].into(), span: self.span(start, self.at) }
    }

    fn broken(&mut self, what: &str) {
        let start = self.at;
        let end = start + self.peek().map_or(0, char::len_utf8);
        let span = self.span(start, end);
        self.report(
            "E0060",
            format!("malformed project file: expected {what}"),
            span,
            "not expected here",
        );
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    fn next_entry(&mut self) -> Option<Entry> {
        loop {
            self.skip(true);
            match self.peek()? {
                '[' => {
                    self.at += 1;
                    let name = self.word();
                    if self.peek() != Some(']') {
                        self.broken("`]`");
                        continue;
                    }
                    self.at += 1;
                    return Some(Entry::Section(name));
                }
                it if it.is_alphanumeric() || it == '_' => {
                    let key = self.word();
                    self.skip(false);
                    if self.peek() != Some('=') {
                        self.broken("`=`");
                        continue;
                    }
                    self.at += 1;
                    self.skip(false);
                    let Some(value) = self.value() else { continue };
                    self.skip(false);
                    if !matches!(self.peek(), None | Some('\n' | '\r')) {
                        self.broken("the end of the line");
                    }
                    return Some(Entry::Field(key, value));
                }
                _ => self.broken("a section or a key"),
            }
        }
    }

    fn value(&mut self) -> Option<Value> {
        match self.peek() {
            Some('"' | '\'') => self.string().map(Value::Text),
            Some('[') => self.list().map(Value::List),
            Some('{') => {
                let length = self.rest().find('}').filter(|&it| !self.rest()[..it].contains('\n'));
                match length {
                    Some(length) => {
                        self.at += length + 1;
                        Some(Value::Other)
                    }
                    None => {
                        self.broken("a table that is closed by `}` on the same line");
                        None
                    }
                }
            }
            Some(it) if it.is_alphanumeric() || it == '-' => {
                self.at += 1;
                self.word();
                Some(Value::Other)
            }
            _ => {
                self.broken("a value");
                None
            }
        }
    }

    fn string(&mut self) -> Option<Text> {
        let start = self.at;
        let quote = self.peek()?;
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.peek() {
                Some(it) if it == quote => {
                    self.at += 1;
                    return Some(Text { text, span: self.span(start, self.at) });
                }
                None | Some('\n') => {
                    let span = self.span(start, self.at);
                    self.report(
                        "E0060",
                        "malformed project file: this text is not terminated".into(),
                        span,
                        "begins here",
                    );
                    return None;
                }
                Some('\\') if quote == '"' => {
                    self.at += 1;
                    if let Some(it) = self.peek() {
                        text.push(match it {
                            'n' => '\n',
                            't' => '\t',
                            other => other,
                        });
                        self.at += it.len_utf8();
                    }
                }
                Some(it) => {
                    text.push(it);
                    self.at += it.len_utf8();
                }
            }
        }
    }

    fn list(&mut self) -> Option<Vec<Text>> {
        let open = self.at;
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip(true);
            match self.peek() {
                Some(']') => {
                    self.at += 1;
                    return Some(items);
                }
                Some('"' | '\'') => items.push(self.string()?),
                None => {
                    let span = self.span(open, open + 1);
                    self.report(
                        "E0060",
                        "malformed project file: this list is never closed".into(),
                        span,
                        "opened here",
                    );
                    return None;
                }
                Some(_) => {
                    self.broken("a text in quotes");
                    return None;
                }
            }
            self.skip(true);
            match self.peek() {
                Some(',') => self.at += 1,
                Some(']') => (),
                _ => {
                    let span = self.span(open, open + 1);
                    self.report(
                        "E0060",
                        "malformed project file: this list is never closed".into(),
                        span,
                        "opened here",
                    );
                    return None;
                }
            }
        }
    }
}
