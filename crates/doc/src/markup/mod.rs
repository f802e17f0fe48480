//! The text of documentation comments as data, whatever it is written in.
//!
//! ```text
//! (** Adds [n], see {!twice}. *)                 Paragraph [Text "Adds ", Code "n", Text ", see ", Reference "twice"]
//! /// <param name="n">A number.</param>          Tag "param" "n" [Paragraph [Text "A number."]]
//! ;; - one                                       List [[Paragraph [Text "one"]]]
//! ```

pub mod markdown;
pub mod ocamldoc;
pub mod xml;

use oxbow_base::Span;

use crate::model::LinkId;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    Paragraph(Vec<Inline>),
    Heading {
        level: u8,
        label: Option<String>,
        text: Vec<Inline>,
    },
    Code(String),
    Verbatim(String),
    List {
        ordered: bool,
        items: Vec<Vec<Block>>,
    },
    /// `@param x …`, `@raise E …`, `@since 1.0`
    Tag {
        name: String,
        argument: Option<Argument>,
        body: Vec<Block>,
    },
}

/// What a tag is about: a name as it stands, or a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    Name(String),
    Reference(Reference),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    Text(String),
    Code(String),
    Styled(Style, Vec<Inline>),
    /// To somewhere else.
    Url {
        url: String,
        text: Vec<Inline>,
    },
    Reference(Reference),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Bold,
    Italic,
    Superscript,
    Subscript,
}

/// `{!M.x}`, `{{!M.x} text}`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    pub target: String,
    pub place: Span,
    /// Empty: the target itself.
    pub text: Vec<Inline>,
    pub link: Option<LinkId>,
}

impl Reference {
    /// The target without what says of which kind it is.
    pub fn shown(&self) -> &str {
        match self.target.split_once(':') {
            Some((kind, name)) if kind.chars().all(|it| it.is_ascii_lowercase() || it == '-') => {
                name
            }
            _ => &self.target,
        }
    }
}

/// Calls `visit` with each reference in the blocks.
pub fn for_each_reference(blocks: &mut [Block], visit: &mut impl FnMut(&mut Reference)) {
    for block in blocks {
        match block {
            Block::Paragraph(text) | Block::Heading { text, .. } => in_inlines(text, visit),
            Block::Code(_) | Block::Verbatim(_) => (),
            Block::List { items, .. } => {
                items.iter_mut().for_each(|it| for_each_reference(it, visit));
            }
            Block::Tag { argument, body, .. } => {
                if let Some(Argument::Reference(it)) = argument {
                    visit(it);
                }
                for_each_reference(body, visit);
            }
        }
    }
}

fn in_inlines(inlines: &mut [Inline], visit: &mut impl FnMut(&mut Reference)) {
    for inline in inlines {
        match inline {
            Inline::Text(_) | Inline::Code(_) => (),
            Inline::Styled(_, text) | Inline::Url { text, .. } => in_inlines(text, visit),
            Inline::Reference(it) => {
                visit(it);
                in_inlines(&mut it.text, visit);
            }
        }
    }
}

/// The first sentence or paragraph as plain text: what lists say.
pub fn summary(blocks: &[Block]) -> String {
    let first = blocks.iter().find_map(|it| match it {
        Block::Paragraph(text) => Some(plain(text)),
        _ => None,
    });
    let text = first.unwrap_or_default();
    match text.find(". ") {
        Some(at) => text[..=at].to_string(),
        None => text,
    }
}

/// Without styles and links.
pub fn plain(inlines: &[Inline]) -> String {
    let mut out = String::new();
    for inline in inlines {
        match inline {
            Inline::Text(text) | Inline::Code(text) => out.push_str(text),
            Inline::Styled(_, text) | Inline::Url { text, .. } => out.push_str(&plain(text)),
            Inline::Reference(it) if it.text.is_empty() => out.push_str(it.shown()),
            Inline::Reference(it) => out.push_str(&plain(&it.text)),
        }
    }
    out
}

/// Text behind other text: runs of blanks and ends of lines are one blank.
pub(crate) fn push_text(out: &mut Vec<Inline>, text: &str) {
    let mut words = String::new();
    for it in text.chars() {
        match it.is_whitespace() {
            true if words.ends_with(' ') => (),
            true => words.push(' '),
            false => words.push(it),
        }
    }
    match out.last_mut() {
        Some(Inline::Text(last)) => {
            let words = if last.ends_with(' ') { words.trim_start() } else { &words };
            last.push_str(words);
        }
        _ if words.is_empty() => (),
        _ => out.push(Inline::Text(words)),
    }
}

/// Without blanks at both ends.
pub(crate) fn trimmed(mut inlines: Vec<Inline>) -> Vec<Inline> {
    if let Some(Inline::Text(first)) = inlines.first_mut() {
        *first = first.trim_start().to_string();
    }
    if let Some(Inline::Text(last)) = inlines.last_mut() {
        *last = last.trim_end().to_string();
    }
    inlines.retain(|it| !matches!(it, Inline::Text(text) if text.is_empty()));
    inlines
}

/// Lines without the blanks that all of them begin with, and without empty ones at both ends.
pub(crate) fn dedent(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let filled = |it: &&&str| !it.trim().is_empty();
    // What stands behind the opening bracket says nothing about the others.
    let indent = |it: &&str| it.len() - it.trim_start().len();
    let rest = lines.iter().skip(1).filter(filled).map(indent).min();
    let first = lines.first().filter(filled).map(|it| it.trim_start());
    let rest_lines = lines.iter().skip(1).map(|it| {
        let at = rest.unwrap_or(0).min(indent(it));
        it.get(at..).unwrap_or("").trim_end()
    });
    let all: Vec<&str> = first.into_iter().chain(rest_lines).collect();
    all.join("\n").trim_matches('\n').trim_end().to_string()
}
