//! Where the texts of source files come from: the disk, but for those that an editor has open and changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use oxbow_base::Encoding;

use crate::{Error, load};

/// Texts that take the place of files, by their paths.
#[derive(Clone, Debug, Default)]
pub struct Files {
    texts: BTreeMap<PathBuf, String>,
    /// One of them that nobody has written: what it mentions is not said of anybody's text.
    made_up: Option<PathBuf>,
}

impl Files {
    pub fn new(texts: BTreeMap<PathBuf, String>) -> Self {
        Self { texts, made_up: None }
    }

    /// A main file that the compiler itself has made.
    pub fn made_up(path: PathBuf, text: String) -> Self {
        Self { texts: BTreeMap::from([(path.clone(), text)]), made_up: Some(path) }
    }

    pub fn is_made_up(&self, name: &str) -> bool {
        self.made_up.as_deref().is_some_and(|it| it == Path::new(name))
    }

    /// The text that takes the place of a file.
    pub fn text(&self, path: &Path) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    pub fn is_file(&self, path: &Path) -> bool {
        self.texts.contains_key(path) || path.is_file()
    }

    /// A source file as text.
    pub fn read_source(&self, path: &Path) -> Result<String, Error> {
        match self.text(path) {
            Some(text) => Ok(text.into()),
            None => load::read_source(path),
        }
    }

    /// A source file of OCaml, whose comments and strings may hold any bytes.
    pub fn read_ocaml(&self, path: &Path) -> Result<(String, Encoding), Error> {
        match self.text(path) {
            Some(text) => Ok((text.into(), Encoding::Utf8)),
            None => load::read_ocaml(path),
        }
    }
}
