//! Links: from names in code and in comments to definitions.
//!
//! Code is the text of the program, where inference noted what its names mean, or the text of a type that was inferred,
//! whose printer tells where the names of types are.

use oxbow_base::{FxHashMap, Span};
use oxbow_diag::{Diagnostic, Diagnostics};
use oxbow_elab::infer::notes::Definition as Noted;

use crate::model::{Anchor, Code, LinkId, Page};

use super::Extract;
use super::names::Names;

/// What a link was made from.
pub enum Pending {
    Place(Span),
    /// A module that is a file, if it is named so: inference has no better place for some others.
    File(Span, String),
    /// A name in a comment on a page.
    Name {
        target: String,
        place: Span,
        page: usize,
    },
    /// The same in code: a module type, which inference does not note.
    Code {
        target: String,
        page: usize,
    },
}

impl Extract<'_> {
    fn link_to(&mut self, definition: Span) -> LinkId {
        self.pending.push(Pending::Place(definition));
        self.pending.len() - 1
    }

    /// The text of the program, with links, on one line.
    pub(super) fn source(&mut self, span: Span) -> Code {
        let all: Vec<(u32, u32, Span)> = match self.mentions.get(span.file) {
            Some(all) => {
                let from = all.partition_point(|it| it.0 < span.start);
                let inside = all[from..].iter().take_while(|it| it.0 < span.end);
                inside.filter(|it| it.1 <= span.end).copied().collect()
            }
            None => Vec::new(),
        };
        let mut code = Code::default();
        let mut at = span.start;
        for (start, end, definition) in all {
            // A definition is no link to itself.
            let is_own = definition.start == start && definition.file == span.file;
            if start < at || is_own {
                continue;
            }
            code.push(&one_line(self.text(Span::new(span.file, at, start))));
            let text = self.text(Span::new(span.file, start, end));
            let link = match definition.end {
                0 => {
                    self.pending.push(Pending::File(definition, text.into()));
                    self.pending.len() - 1
                }
                _ => self.link_to(definition),
            };
            code.link(text, link);
            at = end;
        }
        code.push(&one_line(self.text(Span::new(span.file, at, span.end))));
        code
    }

    /// A name of a module type.
    pub(super) fn named(&mut self, span: Span, page: usize) -> Code {
        let target = self.text(span).to_string();
        self.pending.push(Pending::Code { target: format!("module-type:{target}"), page });
        let mut code = Code::default();
        code.link(&target, self.pending.len() - 1);
        code
    }

    /// What inference says of the definition of a name.
    pub(super) fn noted(&self, span: Span, name: &str) -> Option<&Noted> {
        let all = self.noted.get(&span)?;
        all.iter().find(|it| it.name.as_str() == name).or(all.first()).copied()
    }

    /// What is written between a name and the end of its type, behind the sign that parts them: the labels of
    /// parameters are no part of a type.
    pub(super) fn written(&mut self, name: Span, end: u32) -> Code {
        let between = self.text(Span::new(name.file, name.end, end.max(name.end)));
        let sign = between.find([':', '=']).map_or(0, |it| it + 1);
        let blanks = between[sign..].len() - between[sign..].trim_start().len();
        let start = name.end + (sign + blanks) as u32;
        self.source(Span::new(name.file, start, end.max(start)))
    }

    /// The type that was inferred for what is defined at a place, as it is seen on a page.
    pub(super) fn inferred(&mut self, span: Span, name: &str, page: usize) -> Option<Code> {
        let noted = self.noted(span, name)?.clone();
        let from = noted.text.find(" : ")? + 3;
        Some(self.inferred_from(&noted, from, page))
    }

    /// The same, without the first parameter.
    pub(super) fn inferred_result(&mut self, span: Span, name: &str, page: usize) -> Option<Code> {
        let noted = self.noted(span, name)?.clone();
        Some(self.inferred_from(&noted, noted.result? as usize, page))
    }

    /// The name of a type without the modules around the page. Types of a functor's parameter are named after the
    /// functor by inference.
    fn seen(&self, name: &str, declared: Span, page: usize) -> String {
        let path = &self.site.pages[page].path;
        let around = (0..path.len()).map(|it| format!("{}.", path[it..].join(".")));
        let Some(rest) = around.into_iter().find_map(|it| name.strip_prefix(it.as_str())) else {
            return name.to_string();
        };
        let frame = &self.frames[page];
        match &frame.parameters[..] {
            _ if frame.span.contains(declared) => rest.to_string(),
            [parameter] => format!("{parameter}.{rest}"),
            _ => name.to_string(),
        }
    }

    fn inferred_from(&mut self, noted: &Noted, from: usize, page: usize) -> Code {
        let mut code = Code::default();
        let mut at = from;
        for &(start, end, declared) in &noted.links {
            let (start, end) = (start as usize, end as usize);
            if start < at {
                continue;
            }
            code.push(&noted.text[at..start]);
            let link = self.link_to(declared);
            code.link(&self.seen(&noted.text[start..end], declared, page), link);
            at = end;
        }
        code.push(&noted.text[at..]);
        code
    }
}

/// Without comments and with a blank for each run of them.
fn one_line(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("(*") {
        let Some(end) = rest[at..].find("*)") else { break };
        plain.push_str(&rest[..at]);
        rest = &rest[at + end + 2..];
    }
    plain.push_str(rest);
    let mut out = String::new();
    for it in plain.chars() {
        match it.is_whitespace() {
            true if out.ends_with(' ') => (),
            true => out.push(' '),
            false => out.push(it),
        }
    }
    out
}

/// Whether there is a module of this name that has no page here.
type Known<'a> = &'a dyn Fn(&str) -> bool;

/// Where each link leads.
pub fn resolve(
    pending: &[Pending],
    (anchors, names): (&FxHashMap<Span, Anchor>, &Names),
    (pages, known): (&[Page], Known<'_>),
    diagnostics: &mut Diagnostics,
) -> Vec<Option<Anchor>> {
    let one = |it: &Pending| match it {
        Pending::Place(span) => anchors.get(span).cloned(),
        Pending::File(span, name) => {
            anchors.get(span).filter(|it| pages[it.page].path.last() == Some(name)).cloned()
        }
        Pending::Code { target, page } => names.find(target, &pages[*page].path),
        Pending::Name { target, place, page } => {
            let found = names.find(target, &pages[*page].path);
            if found.is_none() && !is_known(target, known) {
                let page = &pages[*page].path.join(".");
                diagnostics.warning(
                    Diagnostic::warning("W0906", format!("`{target}` refers to nothing"))
                        .at(*place, format!("nothing that `{page}` sees has this name")),
                );
            }
            found
        }
    };
    pending.iter().map(one).collect()
}

/// Of the library: its modules, and what is in scope everywhere.
fn is_known(target: &str, known: Known<'_>) -> bool {
    let path = target.rsplit(':').next().unwrap_or(target);
    known(path.split('.').next().unwrap_or(path).trim_matches(['(', ')', ' ']))
}
