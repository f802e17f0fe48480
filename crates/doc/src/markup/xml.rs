//! The tags of F#'s documentation comments. A comment without any is plain text.
//!
//! ```text
//! <summary>Adds.</summary> <param name="a">One.</param> <returns>All, see <see cref="M.f"/>.</returns>
//!     Paragraph "Adds."    Tag param a "One."           Tag returns "All, see " Reference "M.f"
//! ```

use oxbow_base::Span;

use super::{Argument, Block, Inline, Reference, Style, dedent, markdown, push_text, trimmed};

/// What makes a comment one with tags.
const TAGS: &[&str] = &[
    "<summary",
    "<remarks",
    "<param",
    "<returns",
    "<exception",
    "<example",
    "<typeparam",
    "<value",
    "<see",
    "<c>",
    "<code",
    "<para",
    "<list",
];

/// Reads the text of a comment; references stand at `span`.
pub fn parse(text: &str, span: Span) -> Vec<Block> {
    if !TAGS.iter().any(|it| text.contains(it)) {
        return markdown::parse(text);
    }
    let mut reader = Reader { text, at: 0, span };
    let mut blocks = Vec::new();
    let mut tags = Vec::new();
    reader.blocks(None, &mut blocks, &mut tags);
    blocks.extend(tags);
    blocks
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    span: Span,
}

/// `<name key="value"/>`
struct Tag<'a> {
    name: &'a str,
    attributes: &'a str,
    closes: bool,
    is_empty: bool,
}

impl<'a> Reader<'a> {
    /// The text before the next tag, and the tag.
    fn next(&mut self) -> (&'a str, Option<Tag<'a>>) {
        let rest = &self.text[self.at..];
        let mut from = 0;
        while let Some(found) = rest[from..].find('<').map(|it| it + from) {
            let inside = &rest[found + 1..];
            let is_tag = inside.starts_with(|it: char| it.is_ascii_alphabetic() || it == '/');
            let Some(end) = inside.find('>').filter(|_| is_tag) else {
                from = found + 1;
                continue;
            };
            self.at += found + end + 2;
            let whole = inside[..end].trim();
            let (closes, whole) = match whole.strip_prefix('/') {
                Some(name) => (true, name),
                None => (false, whole),
            };
            let is_empty = whole.ends_with('/');
            let whole = whole.trim_end_matches('/');
            let name = whole.split_whitespace().next().unwrap_or("");
            let attributes = &whole[name.len()..];
            return (&rest[..found], Some(Tag { name, attributes, closes, is_empty }));
        }
        self.at = self.text.len();
        (rest, None)
    }

    /// What stands before the end of a tag, as text.
    fn raw(&mut self, name: &str) -> String {
        let rest = &self.text[self.at..];
        let end = format!("</{name}>");
        let at = rest.find(&end);
        self.at += at.map_or(rest.len(), |it| it + end.len());
        unescaped(&rest[..at.unwrap_or(rest.len())])
    }

    /// To the end of a tag. Those about a part of the definition go to `tags`.
    fn blocks(&mut self, within: Option<&str>, blocks: &mut Vec<Block>, tags: &mut Vec<Block>) {
        let mut open: Vec<Inline> = Vec::new();
        loop {
            let (text, tag) = self.next();
            paragraphs(&unescaped(text), &mut open, blocks);
            let Some(tag) = tag else { break };
            if tag.closes {
                match within == Some(tag.name) {
                    true => break,
                    false => continue,
                }
            }
            match tag.name {
                "summary" | "remarks" | "para" | "value" if tag.is_empty => {
                    close(&mut open, blocks);
                }
                "summary" | "remarks" | "para" | "value" => {
                    close(&mut open, blocks);
                    self.blocks(Some(tag.name), blocks, tags);
                }
                "example" => {
                    close(&mut open, blocks);
                    self.blocks(Some(tag.name), blocks, tags);
                }
                "code" => {
                    close(&mut open, blocks);
                    let text = self.raw("code");
                    blocks.push(Block::Code(dedent(&text)));
                }
                "list" => {
                    close(&mut open, blocks);
                    let ordered = attribute(tag.attributes, "type") == Some("number");
                    let items = self.items(tags);
                    blocks.push(Block::List { ordered, items });
                }
                "param" | "typeparam" | "returns" | "exception" => {
                    let body = self.body(&tag, tags);
                    tags.push(self.about(&tag, body));
                }
                _ => self.inline(&tag, &mut open, tags),
            }
        }
        close(&mut open, blocks);
    }

    fn body(&mut self, tag: &Tag<'_>, tags: &mut Vec<Block>) -> Vec<Block> {
        let mut body = Vec::new();
        if !tag.is_empty {
            self.blocks(Some(tag.name), &mut body, tags);
        }
        body
    }

    fn about(&self, tag: &Tag<'_>, body: Vec<Block>) -> Block {
        let argument = match tag.name {
            "param" | "typeparam" => {
                attribute(tag.attributes, "name").map(|it| Argument::Name(it.into()))
            }
            "exception" => {
                let target = attribute(tag.attributes, "cref");
                target.map(|it| Argument::Reference(self.reference(it, Vec::new())))
            }
            _ => None,
        };
        let name = match tag.name {
            "exception" => "raise",
            other => other,
        };
        Block::Tag { name: name.into(), argument, body }
    }

    fn items(&mut self, tags: &mut Vec<Block>) -> Vec<Vec<Block>> {
        let mut items = Vec::new();
        while let (_, Some(tag)) = self.next() {
            match (tag.name, tag.closes) {
                ("list", true) => break,
                ("item", false) => {
                    let mut blocks = Vec::new();
                    self.blocks(Some("item"), &mut blocks, tags);
                    items.push(blocks);
                }
                _ => (),
            }
        }
        items
    }

    fn inline(&mut self, tag: &Tag<'_>, out: &mut Vec<Inline>, tags: &mut Vec<Block>) {
        let style = match tag.name {
            "b" | "strong" => Some(Style::Bold),
            "i" | "em" => Some(Style::Italic),
            _ => None,
        };
        match tag.name {
            "c" => {
                let text = self.raw("c");
                out.push(Inline::Code(text.trim().into()));
            }
            "paramref" | "typeparamref" => {
                let name = attribute(tag.attributes, "name").unwrap_or("");
                out.push(Inline::Code(name.into()));
            }
            "see" | "seealso" | "a" => {
                let text = if tag.is_empty { Vec::new() } else { self.flat(tag, tags) };
                if let Some(target) = attribute(tag.attributes, "cref") {
                    out.push(Inline::Reference(self.reference(target, text)));
                } else if let Some(url) = attribute(tag.attributes, "href") {
                    let shown = vec![Inline::Text(url.into())];
                    let text = if text.is_empty() { shown } else { text };
                    out.push(Inline::Url { url: url.into(), text });
                } else {
                    let word = attribute(tag.attributes, "langword").unwrap_or("");
                    out.push(Inline::Code(word.into()));
                }
            }
            _ if style.is_some() && !tag.is_empty => {
                let text = self.flat(tag, tags);
                out.extend(style.map(|it| Inline::Styled(it, text)));
            }
            // Other tags are as if they were not there.
            _ => (),
        }
    }

    /// The text in a tag.
    fn flat(&mut self, tag: &Tag<'_>, tags: &mut Vec<Block>) -> Vec<Inline> {
        let paragraphs = self.body(tag, tags).into_iter().filter_map(|it| match it {
            Block::Paragraph(text) => Some(text),
            _ => None,
        });
        paragraphs.flatten().collect()
    }

    /// `T:M.t` says of what kind the target is, which nobody needs.
    fn reference(&self, target: &str, text: Vec<Inline>) -> Reference {
        let target = match target.as_bytes() {
            [_, b':', ..] => &target[2..],
            _ => target,
        };
        Reference { target: target.into(), place: self.span, text, link: None }
    }
}

fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let at = attributes.find(&format!("{name}=\""))? + name.len() + 2;
    attributes[at..].split('"').next()
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// Empty lines part paragraphs.
fn paragraphs(text: &str, open: &mut Vec<Inline>, blocks: &mut Vec<Block>) {
    for (index, part) in text.split("\n\n").enumerate() {
        if index > 0 {
            close(open, blocks);
        }
        push_text(open, part);
    }
}

fn close(open: &mut Vec<Inline>, blocks: &mut Vec<Block>) {
    let text = trimmed(std::mem::take(open));
    if !text.is_empty() {
        blocks.push(Block::Paragraph(text));
    }
}

#[cfg(test)]
mod tests {
    use oxbow_base::SourceMap;

    use super::*;
    use crate::markup::plain;

    #[test]
    fn tags_of_fsharp() {
        let span = Span::new(SourceMap::new().add("a.ml", ""), 0, 0);
        let text = "<summary>Adds <c>a</c> &lt; b.</summary>\n<param name=\"a\">one <see cref=\"T:M.t\"/></param>";
        let all = parse(text, span);
        let [Block::Paragraph(first), Block::Tag { name, argument, body }] = &all[..] else {
            panic!("{all:?}")
        };
        assert_eq!(plain(first), "Adds a < b.");
        assert_eq!((name.as_str(), argument), ("param", &Some(Argument::Name("a".into()))));
        let [Block::Paragraph(body)] = &body[..] else { panic!("{body:?}") };
        assert_eq!(plain(body), "one M.t");
        assert_eq!(parse("a < b and c > d", span), markdown::parse("a < b and c > d"));
        for text in
            ["<summary>", "<see cref=\"", "<param", "<summary></c>x</summary>", "<list><item>"]
        {
            parse(text, span);
        }
    }
}
