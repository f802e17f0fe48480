//! What documentation shows, as data.
//!
//! ```text
//! Site ─ Page Util            Text "Tools."
//!      │                      Definition val twice : int -> int      ─ Text "Twice."
//!      └ Page Util.Inner      Definition type t = …                  ─ Definition constructor A
//! ```
//!
//! Each module and module type has a page. Links are numbers: what they lead to is known when all pages are.

use crate::markup::{Block, for_each_reference};

/// A number in [`Site::links`].
pub type LinkId = usize;

#[derive(Debug, Default)]
pub struct Site {
    pub title: String,
    pub pages: Vec<Page>,
    /// Where each link leads; what is not part of the documentation has no place.
    pub links: Vec<Option<Anchor>>,
}

/// A place on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// A number in [`Site::pages`].
    pub page: usize,
    /// Empty for the page as a whole.
    pub id: String,
}

#[derive(Debug)]
pub struct Page {
    /// The name of its file, without an ending: `Util.Inner`.
    pub name: String,
    /// The modules around it and its own name.
    pub path: Vec<String>,
    pub sort: Sort,
    /// The page of the module around it.
    pub parent: Option<usize>,
    /// The name of the source file.
    pub source: String,
    pub items: Vec<Item>,
}

#[derive(Debug)]
pub enum Item {
    Text(Vec<Block>),
    Definition(Definition),
}

#[derive(Debug)]
pub struct Definition {
    pub sort: Sort,
    pub name: String,
    /// Its place on the page.
    pub id: String,
    pub code: Code,
    pub doc: Vec<Block>,
    /// Constructors, fields, methods, members.
    pub inner: Vec<Definition>,
    /// What ends the code behind `inner`: a brace.
    pub end: &'static str,
    /// The page of a module.
    pub page: Option<usize>,
    /// The line in the source file.
    pub line: u32,
}

/// Source text with links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code(pub Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub text: String,
    pub link: Option<LinkId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    Module,
    ModuleType,
    Functor,
    Parameter,
    Type,
    Constructor,
    Field,
    Exception,
    Value,
    Macro,
    Class,
    ClassType,
    Method,
    Include,
}

impl Site {
    /// Adds the pages of another program. A file that both have is described once.
    pub fn append(&mut self, other: Site) {
        let links = self.links.len();
        let known = |page: &Page| {
            let is_same = |it: &Page| it.path == page.path && it.source == page.source;
            self.pages.iter().position(is_same)
        };
        let found: Vec<Option<usize>> = other.pages.iter().map(known).collect();
        let mut next = self.pages.len();
        let mut numbers = Vec::new();
        for it in &found {
            numbers.push(it.unwrap_or(next));
            next += usize::from(it.is_none());
        }
        for (mut page, found) in other.pages.into_iter().zip(found) {
            if found.is_some() {
                continue;
            }
            page.parent = page.parent.map(|it| numbers[it]);
            if self.pages.iter().any(|it| it.name.eq_ignore_ascii_case(&page.name)) {
                page.name += &format!("~{}", self.pages.len());
            }
            for item in &mut page.items {
                match item {
                    Item::Text(blocks) => moved_blocks(blocks, links),
                    Item::Definition(it) => moved(it, &numbers, links),
                }
            }
            self.pages.push(page);
        }
        self.links.extend(
            other
                .links
                .into_iter()
                .map(|it| it.map(|anchor| Anchor { page: numbers[anchor.page], ..anchor })),
        );
    }
}

fn moved(it: &mut Definition, numbers: &[usize], links: usize) {
    it.page = it.page.map(|it| numbers[it]);
    for piece in &mut it.code.0 {
        piece.link = piece.link.map(|it| it + links);
    }
    moved_blocks(&mut it.doc, links);
    it.inner.iter_mut().for_each(|it| moved(it, numbers, links));
}

fn moved_blocks(blocks: &mut [Block], links: usize) {
    for_each_reference(blocks, &mut |it| it.link = it.link.map(|it| it + links));
}

impl Sort {
    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::ModuleType => "module type",
            Self::Functor => "functor",
            Self::Parameter => "parameter",
            Self::Type => "type",
            Self::Constructor => "constructor",
            Self::Field => "field",
            Self::Exception => "exception",
            Self::Value => "value",
            Self::Macro => "macro",
            Self::Class => "class",
            Self::ClassType => "class type",
            Self::Method => "method",
            Self::Include => "include",
        }
    }

    /// How its places on pages begin.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::ModuleType => "module-type",
            Self::Value => "val",
            Self::ClassType => "class-type",
            other => other.word(),
        }
    }
}

impl Code {
    pub fn plain(text: impl Into<String>) -> Self {
        Self(vec![Piece { text: text.into(), link: None }])
    }

    pub fn push(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(last) if last.link.is_none() => last.text.push_str(text),
            _ => self.0.push(Piece { text: text.into(), link: None }),
        }
    }

    pub fn link(&mut self, text: &str, link: LinkId) {
        self.0.push(Piece { text: text.into(), link: Some(link) });
    }

    pub fn append(&mut self, other: Code) {
        for piece in other.0 {
            match piece.link {
                None => self.push(&piece.text),
                Some(link) => self.link(&piece.text, link),
            }
        }
    }

    /// Without its links.
    pub fn text(&self) -> String {
        self.0.iter().map(|it| it.text.as_str()).collect()
    }
}
