//! From what inference knows of a program to the model of its documentation.
//!
//! ```text
//! val f : t -> int          Code "val f : " "t"→ " -> int"        as it is written in a signature
//! let f x = …               Code "val f : " "t"→ " -> int"        as it was inferred
//! ```
//!
//! A signature says all there is of a structure. Comments are attached to definitions by their places (`attach`);
//! links lead from the names that inference looked up to their definitions (`links`), those of comments by the names of
//! modules around (`names`).

mod attach;
mod class;
mod clef;
mod eshkol;
mod links;
mod names;
mod signature;
mod structure;
mod types;

use oxbow_base::{FileId, FxHashMap, FxHashSet, IdMap, Language, SourceMap, Span, Symbol};
use oxbow_diag::Diagnostics;
use oxbow_elab::infer::Unit;
use oxbow_elab::infer::notes::{Definition as Noted, Noted as Notes};
use oxbow_elab::{ast, outline};

use crate::comments::ocaml::{self, Comment, Kind};
use crate::markup::{self, Block, ocamldoc};
use crate::model::{Anchor, Code, Definition, Item, Page, Site, Sort};

use ast::ModuleType;
use links::Pending;
use names::Names;
use structure::Body;

/// A program that has been inferred, with notes.
pub struct Input<'a> {
    pub title: String,
    pub sources: &'a SourceMap,
    /// The modules to describe, in the order of the program.
    pub units: Vec<&'a Unit>,
    /// Others, which they may include.
    pub others: Vec<&'a Unit>,
    pub notes: &'a Notes,
    /// What a program of Eshkol defines.
    pub eshkol: (&'a [outline::Entry], &'a [Noted]),
    /// Is this what the library has? References may name it although it is not described.
    pub known: &'a dyn Fn(&str) -> bool,
}

/// Makes the documentation. References to nothing are warnings.
pub fn extract(input: Input<'_>, diagnostics: &mut Diagnostics) -> Site {
    let mut cx = Extract::new(&input);
    for unit in &input.others {
        cx.modules.push((vec![unit.name.to_string()], Body::Unit(unit)));
    }
    for unit in &input.units {
        cx.unit(unit);
    }
    cx.finish(diagnostics)
}

/// Where a module stands.
struct Frame {
    span: Span,
    /// The parameters of a functor.
    parameters: Vec<String>,
}

struct Extract<'a> {
    input: &'a Input<'a>,
    site: Site,
    pending: Vec<Pending>,
    /// Definitions by the places of their names.
    anchors: FxHashMap<Span, Anchor>,
    names: Names,
    /// What inference says of the names that are defined at places.
    noted: FxHashMap<Span, Vec<&'a Noted>>,
    /// Mentions of definitions in each file: start, end, definition.
    mentions: IdMap<FileId, Vec<(u32, u32, Span)>>,
    comments: IdMap<FileId, Vec<Comment>>,
    /// Of each page.
    frames: Vec<Frame>,
    /// What is being described, from the outside in: an include of it in itself says nothing.
    open: Vec<Span>,
    /// Module types by the places of their names.
    module_types: Vec<(Vec<String>, &'a ModuleType)>,
    /// Modules, likewise.
    modules: Vec<(Vec<String>, Body<'a>)>,
    /// What the file at hand of the library hides: names, and types whose constructors and fields it keeps.
    hidden: FxHashSet<String>,
    closed: FxHashSet<String>,
}

impl<'a> Extract<'a> {
    fn new(input: &'a Input<'a>) -> Self {
        let mut noted: FxHashMap<Span, Vec<&Noted>> = FxHashMap::default();
        for it in input.notes.definitions.iter().chain(input.eshkol.1) {
            noted.entry(it.span).or_default().push(it);
        }
        let mut mentions: IdMap<FileId, Vec<(u32, u32, Span)>> = IdMap::new();
        for it in &input.notes.mentions {
            let all = mentions.entry_or_insert_with(it.span.file, Vec::new);
            all.push((it.span.start, it.span.end, it.definition));
        }
        let files: Vec<FileId> = mentions.iter().map(|it| it.0).collect();
        for file in files {
            mentions.entry_or_insert_with(file, Vec::new).sort_unstable();
        }
        Self {
            input,
            site: Site { title: input.title.clone(), ..Site::default() },
            pending: Vec::new(),
            anchors: FxHashMap::default(),
            names: Names::default(),
            noted,
            mentions,
            comments: IdMap::new(),
            frames: Vec::new(),
            open: Vec::new(),
            module_types: Vec::new(),
            modules: Vec::new(),
            hidden: FxHashSet::default(),
            closed: FxHashSet::default(),
        }
    }

    fn unit(&mut self, unit: &'a Unit) {
        let file = unit.span.file;
        let path: Vec<String> = match unit.merged {
            true => unit.outer.iter().map(Symbol::to_string).collect(),
            false => unit
                .outer
                .iter()
                .chain(std::iter::once(&unit.name))
                .map(Symbol::to_string)
                .collect(),
        };
        if unit.language == Language::Eshkol {
            return self.eshkol(unit);
        }
        let contents = self.file_contents(unit);
        let page = self.page(path.clone(), Sort::Module, None, contents.span);
        for span in [unit.span, Span::new(contents.span.file, 0, 0)] {
            self.anchors.entry(span).or_insert(Anchor { page, id: String::new() });
        }
        self.modules.push((path, Body::Unit(unit)));
        self.hide(unit);
        let items = match unit.language {
            Language::Clef | Language::ClefProject => self.clef(&unit.structure, file, page),
            _ => self.elements(&contents, page),
        };
        self.site.pages[page].items.extend(items);
    }

    /// The library has no interfaces: its files say what of them is their own.
    fn hide(&mut self, unit: &Unit) {
        let names = |attribute: &str| -> FxHashSet<String> {
            let lists = unit.structure.iter().filter_map(|it| match &it.kind {
                ast::ItemKind::Attribute(it) if it.name.text.as_str() == attribute => it.payload,
                _ => None,
            });
            lists.flat_map(|it| it.as_str().split_whitespace()).map(String::from).collect()
        };
        self.hidden = if unit.library { names("hidden") } else { FxHashSet::default() };
        self.closed = if unit.library { names("abstract") } else { FxHashSet::default() };
    }

    /// A new page. Files of one namespace share theirs.
    fn page(&mut self, path: Vec<String>, sort: Sort, parent: Option<usize>, span: Span) -> usize {
        let mut name = path.join(".");
        if sort == Sort::ModuleType {
            let around = path.len() - 1;
            let parts: Vec<&str> = path.iter().map(String::as_str).collect();
            let own = format!("module-type-{}", parts[around]);
            name =
                parts[..around].iter().copied().chain([own.as_str()]).collect::<Vec<_>>().join(".");
        }
        let pages = &self.site.pages;
        if let Some(known) = pages.iter().position(|it| it.name.eq_ignore_ascii_case(&name)) {
            if pages[known].name == name && parent == pages[known].parent {
                return known;
            }
            // Some file systems tell no cases apart.
            name += &format!("~{}", pages.len());
        }
        let source = self.input.sources.file(span.file).name.clone();
        let number = pages.len();
        self.names.add(path.clone(), sort, Anchor { page: number, id: String::new() });
        self.frames.push(Frame { span, parameters: Vec::new() });
        self.site.pages.push(Page { name, path, sort, parent, source, items: Vec::new() });
        number
    }

    /// A definition on a page; `around` is the type or class that it belongs to.
    fn define(
        &mut self,
        (page, around): (usize, Option<&str>),
        (sort, name, span): (Sort, &str, Span),
        code: Code,
    ) -> Definition {
        let own = format!("{}-{name}", sort.prefix());
        let id = match around {
            Some(around) => format!("{around}.{own}"),
            None => own,
        };
        let anchor = Anchor { page, id: id.clone() };
        let mut path = self.site.pages[page].path.clone();
        if let Some(around) = around {
            path.extend(around.split_once('-').map(|it| it.1.to_string()));
        }
        path.push(name.to_string());
        self.names.add(path, sort, anchor.clone());
        self.anchors.entry(span).or_insert(anchor);
        let line = self.input.sources.position(span.file, span.start).line;
        let (name, doc, inner) = (name.to_string(), Vec::new(), Vec::new());
        Definition { sort, name, id, code, doc, inner, end: "", page: None, line }
    }

    fn text(&self, span: Span) -> &'a str {
        self.input.sources.text(span)
    }

    /// Does the text name it so? Front ends make definitions of their own.
    fn is_written(&self, name: ast::Name) -> bool {
        let text = self.text(name.span);
        let plain = text.trim_matches(['(', ')', ' ', '`']);
        name.text.origin().is_none() && (text == name.text.as_str() || plain == name.text.as_str())
    }

    fn comments(&mut self, file: FileId) -> &[Comment] {
        let sources = self.input.sources;
        self.comments.entry_or_insert_with(file, || ocaml::comments(&sources.file(file).text))
    }

    /// The text of a comment of OCaml, about what is on a page.
    fn markup(&mut self, file: FileId, comment: Comment, page: usize) -> Vec<Block> {
        if comment.kind == Kind::Stop {
            return Vec::new();
        }
        let span = Span::new(file, comment.text.0 as u32, comment.text.1 as u32);
        let blocks = ocamldoc::parse(self.text(span), span);
        self.referring(blocks, page)
    }

    /// Notes the references in a comment.
    fn referring(&mut self, mut blocks: Vec<Block>, page: usize) -> Vec<Block> {
        markup::for_each_reference(&mut blocks, &mut |it| {
            it.link = Some(self.pending.len());
            let (target, place) = (it.target.clone(), it.place);
            self.pending.push(Pending::Name { target, place, page });
        });
        for block in &blocks {
            if let Block::Heading { label: Some(label), .. } = block {
                let mut path = self.site.pages[page].path.clone();
                path.push(label.clone());
                let anchor = Anchor { page, id: label.clone() };
                self.names.add(path, Sort::Include, anchor);
            }
        }
        blocks
    }

    fn finish(mut self, diagnostics: &mut Diagnostics) -> Site {
        // What a signature declares is where the page has it, wherever a type was found.
        for &(declared, actual) in &self.input.notes.same {
            if let Some(anchor) = self.anchors.get(&declared).cloned() {
                self.anchors.entry(actual).or_insert(anchor);
            }
        }
        self.site.links = links::resolve(
            &self.pending,
            (&self.anchors, &self.names),
            (&self.site.pages, self.input.known),
            diagnostics,
        );
        self.site
    }
}

/// Definitions that a later one of the same kind and name hides are not seen.
fn visible(items: Vec<Item>) -> Vec<Item> {
    let mut kept: Vec<Item> = Vec::new();
    for item in items.into_iter().rev() {
        let is_hidden = match &item {
            Item::Definition(it) => kept.iter().any(|other| match other {
                Item::Definition(other) => other.id == it.id && it.sort != Sort::Include,
                Item::Text(_) => false,
            }),
            Item::Text(_) => false,
        };
        if !is_hidden {
            kept.push(item);
        }
    }
    kept.reverse();
    kept
}
