//! Documentation as text: for the terminal, and for those who want to see the model.
//!
//! ```text
//! module Util                        # util.ml
//!   Tools.
//!
//!   val twice : int -> int
//!     Twice. @param n a number
//! ```
//!
//! Links are written `name→Page#place` if they are asked for.

use crate::markup::{Argument, Block, Inline, Reference};
use crate::model::{Code, Definition, Item, LinkId, Page, Site, Sort};

/// What is said about links.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Links {
    Left,
    Shown,
}

pub fn render(site: &Site, links: Links) -> String {
    let mut writer = Writer { site, links, out: String::new() };
    for (number, page) in site.pages.iter().enumerate() {
        if number > 0 {
            writer.out.push('\n');
        }
        writer.page(page);
    }
    writer.out
}

struct Writer<'a> {
    site: &'a Site,
    links: Links,
    out: String,
}

impl Writer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        for line in text.split('\n') {
            let indented = format!("{}{line}", "  ".repeat(depth));
            self.out.push_str(indented.trim_end());
            self.out.push('\n');
        }
    }

    fn page(&mut self, page: &Page) {
        let word = if page.sort == Sort::Functor { "module" } else { page.sort.word() };
        self.line(0, &format!("{word} {}", page.path.join(".")));
        for item in &page.items {
            self.out.push('\n');
            match item {
                Item::Text(blocks) => self.blocks(blocks, 1),
                Item::Definition(it) => self.definition(it, 1),
            }
        }
    }

    fn definition(&mut self, it: &Definition, depth: usize) {
        let code = self.code(&it.code);
        self.line(depth, &code);
        for part in &it.inner {
            self.definition(part, depth + 1);
        }
        if !it.end.is_empty() {
            self.line(depth, it.end);
        }
        self.blocks(&it.doc, depth + 1);
    }

    fn code(&self, code: &Code) -> String {
        let mut out = String::new();
        for piece in &code.0 {
            out.push_str(&piece.text);
            out.push_str(&self.target(piece.link));
        }
        out
    }

    fn target(&self, link: Option<LinkId>) -> String {
        match link.and_then(|it| self.site.links[it].as_ref()) {
            Some(it) if self.links == Links::Shown => {
                let place = if it.id.is_empty() { String::new() } else { format!("#{}", it.id) };
                format!("→{}{place}", self.site.pages[it.page].name)
            }
            _ => String::new(),
        }
    }

    fn blocks(&mut self, blocks: &[Block], depth: usize) {
        for block in blocks {
            match block {
                Block::Paragraph(text) => {
                    let text = self.inlines(text);
                    self.line(depth, &text);
                }
                Block::Heading { level, text, .. } => {
                    let text = self.inlines(text);
                    self.line(depth, &format!("{} {text}", "#".repeat(usize::from(*level).max(1))));
                }
                Block::Code(text) | Block::Verbatim(text) => self.line(depth + 1, text),
                Block::List { ordered, items } => {
                    for (at, item) in items.iter().enumerate() {
                        let mark = if *ordered { format!("{}.", at + 1) } else { "-".into() };
                        let from = self.out.len();
                        self.blocks(item, depth + 1);
                        let blanks = "  ".repeat(depth + 1);
                        if self.out[from..].starts_with(&blanks) {
                            let inner = from + blanks.len();
                            let marked = format!("{}{mark} ", "  ".repeat(depth));
                            self.out.replace_range(from..inner, &marked);
                        }
                    }
                }
                Block::Tag { name, argument, body } => {
                    let argument = match argument {
                        Some(Argument::Name(it)) => format!(" {it}"),
                        Some(Argument::Reference(it)) => format!(" {}", self.reference(it)),
                        None => String::new(),
                    };
                    self.line(depth, &format!("@{name}{argument}"));
                    self.blocks(body, depth + 1);
                }
            }
        }
    }

    fn inlines(&self, all: &[Inline]) -> String {
        let mut out = String::new();
        for inline in all {
            match inline {
                Inline::Text(text) => out.push_str(text),
                Inline::Code(text) => out.push_str(&format!("`{text}`")),
                Inline::Styled(_, text) => out.push_str(&format!("*{}*", self.inlines(text))),
                Inline::Url { url, text } => {
                    let text = self.inlines(text);
                    out.push_str(&if text == *url { text } else { format!("{text} <{url}>") });
                }
                Inline::Reference(it) => out.push_str(&self.reference(it)),
            }
        }
        out
    }

    fn reference(&self, it: &Reference) -> String {
        let text = match it.text.is_empty() {
            true => format!("`{}`", it.shown()),
            false => self.inlines(&it.text),
        };
        format!("{text}{}", self.target(it.link))
    }
}
