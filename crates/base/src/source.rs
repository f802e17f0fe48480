//! Source files and positions in them.

use std::path::Path;
use std::sync::Arc;

use crate::{Id, IdVec, define_id};

define_id!(
    /// A file of the program or of the library.
    pub FileId, "file"
);

/// A half-open range of bytes in one file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end }
    }
    /// The smallest span that holds both. They must lie in one file.
    pub fn to(self, other: Span) -> Span {
        debug_assert_eq!(self.file, other.file);
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
    /// All of its file.
    pub fn whole_file(self) -> Span {
        Span { start: 0, end: u32::MAX, ..self }
    }

    /// Does the other lie within it?
    pub fn contains(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The empty span before the first byte.
    pub fn at_start(self) -> Span {
        Span { end: self.start, ..self }
    }
    /// The empty span behind the last byte.
    pub fn at_end(self) -> Span {
        Span { start: self.end, ..self }
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}..{}", self.file.index(), self.start, self.end)
    }
}

/// How the bytes of a file became its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Encoding {
    #[default]
    Utf8,
    /// Each byte is one character, that of Latin-1: for files that are not UTF-8.
    Latin1,
}

impl Encoding {
    /// The text of any bytes.
    pub fn decode(bytes: Vec<u8>) -> (String, Self) {
        match String::from_utf8(bytes) {
            Ok(text) => (text, Self::Utf8),
            Err(error) => {
                (error.as_bytes().iter().map(|&it| char::from(it)).collect(), Self::Latin1)
            }
        }
    }

    /// The bytes that a part of the text was in the file.
    pub fn encode(self, text: &str, bytes: &mut Vec<u8>) {
        match self {
            Self::Utf8 => bytes.extend_from_slice(text.as_bytes()),
            Self::Latin1 => bytes.extend(text.chars().filter_map(|it| u8::try_from(it).ok())),
        }
    }

    /// How many bytes of the file a part of the text is.
    pub fn length(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Latin1 => text.chars().count(),
        }
    }
}

/// The language that a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Language {
    #[default]
    Ocaml,
    Clef,
    /// The list of the files of a Clef program.
    ClefProject,
    Eshkol,
    /// The `ocaml` dialect.
    Mlir,
}

impl Language {
    /// The one that the ending of a file's name tells, and nothing else does.
    pub fn of(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()? {
            "ml" | "mli" => Self::Ocaml,
            "clef" | "fs" => Self::Clef,
            "fidproj" => Self::ClefProject,
            "esk" | "scm" => Self::Eshkol,
            "mlir" => Self::Mlir,
            _ => return None,
        })
    }
}

/// One file's name and text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As the user named it; shown in diagnostics and debug information.
    pub name: String,
    pub text: Arc<str>,
    pub encoding: Encoding,
    pub language: Language,
    /// Part of the shipped library: its unused top-level effects are dropped and
    /// warnings about it are not shown.
    pub is_library: bool,
    /// The number of its first line: a phrase may be a part of a larger file.
    pub first_line: u32,
    line_starts: Vec<u32>,
}

/// A position counted from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    pub line: u32,
    pub column: u32,
}

/// All files of one compilation.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: IdVec<FileId, SourceFile>,
}

impl SourceMap {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a user file. Texts are below 4 GiB; the driver checks that.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        self.add_file(name.into(), text.into(), Encoding::Utf8, false)
    }

    /// Adds a user file whose bytes were read in one of the encodings.
    pub fn add_decoded(
        &mut self,
        name: impl Into<String>,
        (text, encoding): (String, Encoding),
    ) -> FileId {
        self.add_file(name.into(), text.into(), encoding, false)
    }

    /// Adds a part of a user file, which begins with this line.
    pub fn add_part(&mut self, name: &str, first_line: u32, text: &str) -> FileId {
        let file = self.add(name, text);
        self.files[file].first_line = first_line;
        file
    }

    pub fn add_library(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        self.add_file(name.into(), text.into(), Encoding::Utf8, true)
    }

    fn add_file(
        &mut self,
        name: String,
        text: Arc<str>,
        encoding: Encoding,
        is_library: bool,
    ) -> FileId {
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes().enumerate().filter(|&(_, it)| it == b'\n').map(|(at, _)| at as u32 + 1),
        );
        // What has no name of its own, as the standard input, is OCaml.
        let language = Language::of(Path::new(&name)).unwrap_or_default();
        let first_line = 1;
        self.files.push(SourceFile {
            name,
            text,
            encoding,
            language,
            is_library,
            first_line,
            line_starts,
        })
    }

    pub fn file(&self, file: FileId) -> &SourceFile {
        &self.files[file]
    }

    /// Shows the user's files under other names from here on.
    pub fn rename(&mut self, shown: impl Fn(&str) -> Option<String>) {
        for file in self.files.values_mut().filter(|it| !it.is_library) {
            if let Some(name) = shown(&file.name) {
                file.name = name;
            }
        }
    }

    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter()
    }

    pub fn text(&self, span: Span) -> &str {
        self.files[span.file].text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column of a byte offset.
    pub fn position(&self, file: FileId, offset: u32) -> LineColumn {
        let source = &self.files[file];
        let line = source.line_starts.partition_point(|&it| it <= offset).saturating_sub(1);
        let start = source.line_starts.get(line).copied().unwrap_or(0);
        let before = source.text.get(start as usize..offset as usize).unwrap_or("");
        LineColumn {
            line: line as u32 + source.first_line,
            column: before.chars().count() as u32 + 1,
        }
    }
}
