//! Programs of Eshkol: what they define at the top, with the comments in the lines before.

use std::path::Path;

use oxbow_base::{FileId, Span};
use oxbow_elab::infer::Unit;
use oxbow_elab::infer::notes::Kind;
use oxbow_elab::outline::{Entry, Sort as Outlined};

use crate::comments::{block_before, stripped};
use crate::markup::{Block, markdown};
use crate::model::{Code, Item, Sort};

use super::{Extract, visible};

/// What comments begin with.
const MARK: &str = ";";

impl Extract<'_> {
    /// A page for each file of a program: the main one, and those that it takes in.
    pub(super) fn eshkol(&mut self, unit: &Unit) {
        let main = unit.span.file;
        let mut files: Vec<FileId> =
            self.input.eshkol.0.iter().map(|it| it.name.span.file).collect();
        files.push(main);
        files.sort();
        files.dedup();
        for file in files {
            let name = self.input.sources.file(file).name.clone();
            let stem = Path::new(&name).file_stem().and_then(|it| it.to_str()).unwrap_or("");
            let span = Span::new(file, 0, 0);
            let page = self.page(vec![stem.to_string()], Sort::Module, None, span);
            let items = self.eshkol_file(file, page);
            self.site.pages[page].items.extend(items);
        }
    }

    fn eshkol_file(&mut self, file: FileId, page: usize) -> Vec<Item> {
        let text = self.input.sources.file(file).text.clone();
        let mut items = Vec::new();
        // A block at the top that an empty line ends is about the file.
        let end = text.lines().take_while(|it| it.trim_start().starts_with(MARK));
        let head: usize = end.map(|it| it.len() + 1).sum();
        let behind = text.get(head..).unwrap_or("");
        if head > 0 && behind.lines().next().is_none_or(|it| it.trim().is_empty()) {
            items.push(Item::Text(markdown::parse(&stripped(&text[..head.min(text.len())], MARK))));
        }
        let mut all: Vec<(Span, Item)> = Vec::new();
        for entry in self.input.eshkol.0.iter().filter(|it| it.name.span.file == file) {
            if self.is_written(entry.name) || self.is_called(entry) {
                all.push((entry.name.span, self.eshkol_entry(entry, page)));
            }
        }
        for it in self.input.eshkol.1 {
            if it.kind == Kind::Macro && it.span.file == file {
                all.push((it.span, self.eshkol_macro(it.span, it.name.as_str(), page)));
            }
        }
        all.sort_by_key(|it| it.0);
        items.extend(all.into_iter().map(|it| it.1));
        visible(items)
    }

    /// `(make-point x y)` in a definition of records.
    fn is_called(&self, entry: &Entry) -> bool {
        let text = self.text(entry.name.span);
        let behind =
            text.strip_prefix('(').and_then(|it| it.strip_prefix(entry.name.text.as_str()));
        behind.is_some_and(|it| it.starts_with([' ', ')', '\n']))
    }

    fn eshkol_entry(&mut self, entry: &Entry, page: usize) -> Item {
        let name = entry.name.text.as_str();
        let noted = self.noted(entry.name.span, name).map(|it| it.text.clone());
        let code = match entry.sort {
            Outlined::Function => noted.unwrap_or_else(|| format!("({name} …)")),
            _ => name.to_string(),
        };
        let what = (Sort::Value, name, entry.name.span);
        let mut definition = self.define((page, None), what, Code::plain(code));
        definition.doc = self.lines_before(entry.name.span);
        Item::Definition(definition)
    }

    fn eshkol_macro(&mut self, span: Span, name: &str, page: usize) -> Item {
        let what = (Sort::Macro, name, span);
        let mut definition = self.define((page, None), what, Code::plain(format!("({name} …)")));
        definition.doc = self.lines_before(span);
        Item::Definition(definition)
    }

    fn lines_before(&self, span: Span) -> Vec<Block> {
        let text = &self.input.sources.file(span.file).text;
        let mut line = text[..span.start as usize].rfind('\n').map_or(0, |it| it + 1);
        // A form begins where a line does.
        while line > 0 && !text[line..].starts_with(['(', '[', ';']) {
            line = text[..line - 1].rfind('\n').map_or(0, |it| it + 1);
        }
        match block_before(&text[..line], MARK) {
            Some((start, end)) => markdown::parse(&stripped(&text[start..end], MARK)),
            None => Vec::new(),
        }
    }
}
