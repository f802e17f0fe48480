//! The markup of OCaml's documentation comments, as odoc reads it.
//!
//! ```text
//! {1:label Title}   {b bold}   [code]   {[ block ]}   {v verbatim v}   {ul {- item}}   - item   {!M.x}   {{:url} text}
//! @param x what it is
//! ```
//!
//! What is malformed is text: a bracket that is not closed ends with the comment.

use oxbow_base::Span;

use super::{Argument, Block, Inline, Reference, Style, dedent, push_text, trimmed};

/// Reads the text of a comment; `span` is its place in the file.
pub fn parse(text: &str, span: Span) -> Vec<Block> {
    Reader { text, span, at: 0, depth: 0 }.comment()
}

/// Brackets that are deeper inside each other are text.
const DEEPEST: u32 = 100;

struct Reader<'a> {
    text: &'a str,
    span: Span,
    at: usize,
    depth: u32,
}

/// What ends a run of blocks.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Comment,
    Brace,
}

/// Gathers inlines to paragraphs.
#[derive(Default)]
struct Blocks {
    all: Vec<Block>,
    open: Vec<Inline>,
}

impl Blocks {
    fn close(&mut self) {
        let text = trimmed(std::mem::take(&mut self.open));
        if !text.is_empty() {
            self.all.push(Block::Paragraph(text));
        }
    }

    fn push(&mut self, block: Block) {
        self.close();
        self.all.push(block);
    }
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn next(&mut self) -> Option<char> {
        let it = self.rest().chars().next()?;
        self.at += it.len_utf8();
        Some(it)
    }

    fn place(&self, from: usize) -> Span {
        let start = self.span.start + from as u32;
        Span::new(self.span.file, start, self.span.start + self.at as u32)
    }

    fn comment(&mut self) -> Vec<Block> {
        let mut blocks = self.blocks(End::Comment);
        while self.eat("@") {
            let tag = self.tag();
            blocks.push(tag);
        }
        blocks
    }

    /// Does the line before here hold nothing but blanks?
    fn is_line_start(&self) -> bool {
        let before = &self.text[..self.at];
        let line = before.rfind('\n').map_or(before, |it| &before[it + 1..]);
        line.trim().is_empty()
    }

    fn is_tag(&self) -> bool {
        let rest = self.rest();
        rest.starts_with('@')
            && rest[1..].starts_with(|it: char| it.is_ascii_lowercase())
            && self.is_line_start()
    }

    /// Ends before what ends it.
    fn blocks(&mut self, end: End) -> Vec<Block> {
        let mut blocks = Blocks::default();
        while let Some(it) = self.rest().chars().next() {
            match it {
                '}' if end == End::Brace => break,
                '@' if end == End::Comment && self.is_tag() => break,
                '\n' if self.empty_line() => blocks.close(),
                '-' | '+' if self.is_item() => {
                    let list = self.short_list(it, end);
                    blocks.push(list);
                }
                '{' => self.braced(&mut blocks),
                _ => self.word(&mut blocks.open),
            }
        }
        blocks.close();
        blocks.all
    }

    /// Goes behind an empty line that follows.
    fn empty_line(&mut self) -> bool {
        let rest = &self.rest()[1..];
        let Some(line) = rest.find('\n') else { return false };
        let is_empty = rest[..line].trim().is_empty();
        if is_empty {
            self.at += 1 + line;
        }
        is_empty
    }

    fn is_item(&self) -> bool {
        self.is_line_start() && self.rest()[1..].starts_with([' ', '\t', '\n'])
    }

    /// `- one`, `- two`: to an empty line, or to what ends the text around.
    fn short_list(&mut self, mark: char, end: End) -> Block {
        let mut items = Vec::new();
        while self.rest().starts_with(mark) && self.is_item() {
            self.at += 1;
            let mut blocks = Blocks::default();
            while let Some(it) = self.rest().chars().next() {
                match it {
                    '}' if end == End::Brace => break,
                    '@' if end == End::Comment && self.is_tag() => break,
                    '-' | '+' if self.is_item() => break,
                    '\n' => {
                        let at = self.at;
                        if self.empty_line() {
                            self.at = at;
                            break;
                        }
                        self.word(&mut blocks.open);
                    }
                    '{' => self.braced(&mut blocks),
                    _ => self.word(&mut blocks.open),
                }
            }
            blocks.close();
            items.push(blocks.all);
            // The next item may stand behind an empty line.
            let at = self.at;
            self.blanks();
            if !(self.rest().starts_with(mark) && self.is_item()) {
                self.at = at;
                break;
            }
        }
        Block::List { ordered: mark == '+', items }
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// A character, an escape or `[code]`.
    fn word(&mut self, out: &mut Vec<Inline>) {
        let from = self.at;
        match self.next() {
            Some('[') => match self.bracketed() {
                Some(code) => out.push(Inline::Code(words(code))),
                None => {
                    self.at = from + 1;
                    push_text(out, "[");
                }
            },
            Some('\\') => {
                let escaped = self.rest().chars().next().filter(|it| "{}[]@\\".contains(*it));
                match escaped {
                    Some(it) => {
                        self.at += 1;
                        push_text(out, it.encode_utf8(&mut [0; 4]));
                    }
                    None => push_text(out, "\\"),
                }
            }
            Some(_) => {
                let rest = self.rest();
                let plain = rest.find(['[', ']', '{', '}', '\\', '\n', '@', '-', '+']);
                self.at += plain.unwrap_or(rest.len());
                push_text(out, &self.text[from..self.at]);
            }
            None => (),
        }
    }

    /// To the bracket that closes one which has been read.
    fn bracketed(&mut self) -> Option<&'a str> {
        let from = self.at;
        let mut open = 1;
        while let Some(it) = self.next() {
            match it {
                '\\' => drop(self.next()),
                '[' => open += 1,
                ']' => open -= 1,
                _ => (),
            }
            if open == 0 {
                return Some(&self.text[from..self.at - 1]);
            }
        }
        None
    }

    /// To `end`, or to the end of the comment.
    fn until(&mut self, end: &str) -> &'a str {
        let rest = self.rest();
        let at = rest.find(end);
        self.at += at.map_or(rest.len(), |it| it + end.len());
        &rest[..at.unwrap_or(rest.len())]
    }

    fn braced(&mut self, blocks: &mut Blocks) {
        let from = self.at;
        self.at += 1;
        self.depth += 1;
        let is_known = self.depth < DEEPEST && self.braced_kind(from, blocks);
        self.depth -= 1;
        if !is_known {
            self.at = from + 1;
            push_text(&mut blocks.open, "{");
        }
    }

    fn braced_kind(&mut self, from: usize, blocks: &mut Blocks) -> bool {
        if self.eat("[") {
            let text = self.until("]}");
            blocks.push(Block::Code(dedent(text)));
        } else if self.eat("v") && self.rest().starts_with(char::is_whitespace) {
            let text = self.until("v}");
            blocks.push(Block::Verbatim(dedent(text)));
        } else if self.at_back_to(from + 1) && self.eat("%") {
            // Of another output.
            self.until("%}");
        } else if self.eat("@") {
            self.until("[");
            let text = self.until("]}");
            blocks.push(Block::Code(dedent(text)));
        } else if self.eat("math") || self.rest().starts_with("m ") && self.eat("m") {
            let text = self.until("}").trim();
            blocks.open.push(Inline::Code(text.into()));
        } else if self.eat("!modules:") {
            let names = self.until("}");
            let place = self.place(from);
            let items = names.split_whitespace().map(|it| {
                let target = it.to_string();
                let it = Reference { target, place, text: Vec::new(), link: None };
                vec![Block::Paragraph(vec![Inline::Reference(it)])]
            });
            let items = items.collect();
            blocks.push(Block::List { ordered: false, items });
        } else if self.eat("!") {
            let target = self.until("}").trim().to_string();
            let place = self.place(from);
            let it = Reference { target, place, text: Vec::new(), link: None };
            blocks.open.push(Inline::Reference(it));
        } else if self.eat("{!") {
            let target = self.until("}").trim().to_string();
            let place = self.place(from);
            let text = self.inlines();
            blocks.open.push(Inline::Reference(Reference { target, place, text, link: None }));
        } else if self.eat("{:") {
            let url = self.until("}").trim().to_string();
            let text = self.inlines();
            let text = if text.is_empty() { vec![Inline::Text(url.clone())] } else { text };
            blocks.open.push(Inline::Url { url, text });
        } else if self.eat(":") {
            let url = self.until("}").trim().to_string();
            blocks.open.push(Inline::Url { text: vec![Inline::Text(url.clone())], url });
        } else if self.eat("ul") || self.eat("ol") {
            let ordered = self.text[..self.at].ends_with("ol");
            let items = self.list_items();
            blocks.push(Block::List { ordered, items });
        } else if let Some(style) = self.style() {
            let text = self.inlines();
            blocks.open.push(Inline::Styled(style, text));
        } else if let Some((level, label)) = self.heading() {
            let text = self.inlines();
            blocks.push(Block::Heading { level, label, text });
        } else {
            return false;
        }
        true
    }

    /// Goes back; for the next way to read.
    fn at_back_to(&mut self, at: usize) -> bool {
        self.at = at;
        true
    }

    fn style(&mut self) -> Option<Style> {
        let style = match self.rest().chars().next()? {
            'b' => Style::Bold,
            'i' | 'e' => Style::Italic,
            '^' => Style::Superscript,
            '_' => Style::Subscript,
            // Centred and the like: as it stands.
            _ => return None,
        };
        let is_word = style == Style::Superscript || style == Style::Subscript;
        let behind = self.rest()[1..].starts_with(|it: char| it.is_whitespace() || it == '{');
        (is_word || behind).then(|| self.at += 1)?;
        Some(style)
    }

    /// `1 `, `2:label `
    fn heading(&mut self) -> Option<(u8, Option<String>)> {
        let level = self.rest().chars().next()?.to_digit(10)?;
        self.at += 1;
        let label = self.eat(":").then(|| {
            let rest = self.rest();
            let end = rest.find(|it: char| it.is_whitespace() || it == '}').unwrap_or(rest.len());
            self.at += end;
            rest[..end].to_string()
        });
        self.rest().starts_with(char::is_whitespace).then_some((level.min(5) as u8, label))
    }

    /// To the closing brace, which is read.
    fn inlines(&mut self) -> Vec<Inline> {
        let mut blocks = Blocks::default();
        while let Some(it) = self.rest().chars().next() {
            match it {
                '}' => break,
                '{' => self.braced(&mut blocks),
                _ => self.word(&mut blocks.open),
            }
        }
        self.eat("}");
        trimmed(blocks.open)
    }

    /// `{- …}`, `{li …}` to the closing brace.
    fn list_items(&mut self) -> Vec<Vec<Block>> {
        let mut items = Vec::new();
        loop {
            self.blanks();
            if self.eat("{-") || self.eat("{li") {
                items.push(self.blocks(End::Brace));
                self.eat("}");
            } else if self.eat("}") || self.next().is_none() {
                return items;
            }
        }
    }

    /// Behind `@`.
    fn tag(&mut self) -> Block {
        let rest = self.rest();
        let end = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        let name = rest[..end.unwrap_or(rest.len())].to_string();
        self.at += name.len();
        let argument = match name.as_str() {
            "param" | "before" => self.argument().map(|it| Argument::Name(it.0)),
            "raise" | "raises" => self.argument().map(|(target, place)| {
                Argument::Reference(Reference { target, place, text: Vec::new(), link: None })
            }),
            "see" => self.see(),
            _ => None,
        };
        Block::Tag { name, argument, body: self.blocks(End::Comment) }
    }

    fn argument(&mut self) -> Option<(String, Span)> {
        self.blanks();
        let rest = self.rest();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let from = self.at;
        self.at += end;
        (end > 0).then(|| (rest[..end].to_string(), self.place(from)))
    }

    /// `<url>`, `'file'`, `"document"`
    fn see(&mut self) -> Option<Argument> {
        self.blanks();
        let close = match self.rest().chars().next()? {
            '<' => ">",
            '\'' => "'",
            '"' => "\"",
            _ => return None,
        };
        self.at += 1;
        Some(Argument::Name(self.until(close).to_string()))
    }
}

/// Code on one line.
fn words(code: &str) -> String {
    let plain = code.replace("\\[", "[").replace("\\]", "]");
    plain.split('\n').map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use oxbow_base::SourceMap;

    use super::*;
    use crate::markup::plain;

    fn read(text: &str) -> Vec<Block> {
        parse(text, Span::new(SourceMap::new().add("a.ml", ""), 10, 10 + text.len() as u32))
    }

    fn paragraph(text: &str) -> Vec<Inline> {
        match &read(text)[..] {
            [Block::Paragraph(text)] => text.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn code_styles_and_references() {
        let text = |it: &str| Inline::Text(it.into());
        assert_eq!(
            paragraph(" a [f.(0) [b]] c "),
            [text("a "), Inline::Code("f.(0) [b]".into()), text(" c"),]
        );
        assert_eq!(
            paragraph("{b x{i y}} \\{z\\}"),
            [
                Inline::Styled(
                    Style::Bold,
                    vec![text("x"), Inline::Styled(Style::Italic, vec![text("y")])]
                ),
                text(" {z}"),
            ]
        );
        let [_, Inline::Reference(it), ..] = &paragraph("to {!M.x}.")[..] else { panic!("none") };
        assert_eq!((it.target.as_str(), it.place.start, it.place.end), ("M.x", 13, 19));
    }

    #[test]
    fn blocks() {
        let all = read(
            "{1:top Title} one\n\ntwo {[\n  let x =\n    1\n]}\n- a\n- b {!c}\n\n@param x is\n it\n@return y",
        );
        let shown: Vec<String> = all
            .iter()
            .map(|it| match it {
                Block::Heading { level, label, text } => {
                    format!("{level} {} {}", label.as_deref().unwrap_or(""), plain(text))
                }
                Block::Paragraph(text) => plain(text),
                Block::Code(text) => text.clone(),
                Block::List { items, .. } => format!("{} items", items.len()),
                Block::Tag { name, argument: Some(Argument::Name(it)), .. } => {
                    format!("{name} {it}")
                }
                Block::Tag { name, .. } => name.clone(),
                Block::Verbatim(_) => String::new(),
            })
            .collect();
        let expected =
            ["1 top Title", "one", "two", "let x =\n  1", "2 items", "param x", "return"];
        assert_eq!(shown, expected);
    }

    /// Whatever is written, reading ends, and all of it is looked at.
    #[test]
    fn malformed_markup_is_text() {
        for text in
            ["{", "{b", "[", "{[", "{ul {- a", "{!", "{{!a}", "@", "{%", "\\", "{v", "-", "{9"]
        {
            read(text);
        }
        read(&"{b ".repeat(10_000));
        assert_eq!(plain(&paragraph("a { b } c [d")), "a { b } c [d");
    }
}
