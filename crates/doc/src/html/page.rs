//! One page.

use std::fmt::Write as _;

use crate::markup::{self, Argument, Block, Inline, Reference, Style};
use crate::model::{Code, Definition, Item, LinkId, Page, Site, Sort};

use super::{encoded, escaped, file};

/// The list of all modules.
pub fn index(site: &Site) -> String {
    let mut body = format!("<h1>{}</h1>\n<ul class=\"modules\">\n", escaped(&site.title));
    for (number, page) in site.pages.iter().enumerate() {
        if page.parent.is_none() {
            module_line(site, number, &mut body);
        }
    }
    body.push_str("</ul>\n");
    frame(site, &site.title, "", &body)
}

fn module_line(site: &Site, number: usize, out: &mut String) {
    let page = &site.pages[number];
    let summary = page.items.iter().find_map(|it| match it {
        Item::Text(blocks) => Some(markup::summary(blocks)),
        Item::Definition(_) => None,
    });
    let _ = writeln!(
        out,
        "<li><a href=\"{}\"><code>{}</code></a> {}",
        escaped(&file(&page.name)),
        escaped(&page.path.join(".")),
        escaped(&summary.unwrap_or_default())
    );
    let inner: Vec<usize> =
        (0..site.pages.len()).filter(|&it| site.pages[it].parent == Some(number)).collect();
    if !inner.is_empty() {
        out.push_str("<ul>\n");
        inner.into_iter().for_each(|it| module_line(site, it, out));
        out.push_str("</ul>\n");
    }
    out.push_str("</li>\n");
}

pub fn page(site: &Site, number: usize) -> String {
    let page = &site.pages[number];
    let writer = Writer { site, number };
    let word = if page.parent.is_none() { "module" } else { page.sort.word() };
    let name = page.path.last().map_or("", String::as_str);
    let name = if page.parent.is_none() { page.path.join(".") } else { name.into() };
    let mut body = format!("<h1><span class=\"word\">{word}</span> {}</h1>\n", escaped(&name));
    let _ = writeln!(body, "<p class=\"source\">{}</p>", escaped(base_name(&page.source)));
    for item in &page.items {
        match item {
            Item::Text(blocks) => writer.blocks(blocks, &mut body),
            Item::Definition(it) => writer.definition(it, &mut body),
        }
    }
    frame(site, &page.path.join("."), &writer.sidebar(page), &body)
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn frame(site: &Site, title: &str, side: &str, body: &str) -> String {
    let (title, home) = (escaped(title), escaped(&site.title));
    format!(
        "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"light dark\">
<title>{title}</title>
<link rel=\"stylesheet\" href=\"doc.css\">
<script src=\"doc.js\" defer></script>
</head>
<body>
<header>
<a class=\"home\" href=\"index.html\">{home}</a>
<input id=\"search\" type=\"search\" placeholder=\"Search names (/)\" aria-label=\"Search names\" autocomplete=\"off\">
</header>
<ol id=\"found\" hidden></ol>
<div class=\"page\">
<nav>{side}</nav>
<main>
{body}</main>
</div>
</body>
</html>
"
    )
}

struct Writer<'a> {
    site: &'a Site,
    number: usize,
}

impl Writer<'_> {
    /// The modules around, and what is on the page.
    fn sidebar(&self, page: &Page) -> String {
        let mut around = Vec::new();
        let mut at = page.parent;
        while let Some(number) = at {
            around.push(number);
            at = self.site.pages[number].parent;
        }
        let mut out = String::new();
        for number in around.into_iter().rev() {
            let it = &self.site.pages[number];
            let _ = write!(
                out,
                "<p><a href=\"{}\">{}</a></p>",
                escaped(&file(&it.name)),
                escaped(it.path.last().map_or("", String::as_str))
            );
        }
        out.push_str("<ul>\n");
        for item in &page.items {
            match item {
                Item::Definition(it) if it.sort != Sort::Include => {
                    let (id, word) = (encoded(&it.id), it.sort.word());
                    let name = escaped(&it.name);
                    let _ = writeln!(out, "<li><a href=\"#{id}\" title=\"{word}\">{name}</a></li>");
                }
                Item::Definition(_) => (),
                Item::Text(blocks) => {
                    for block in blocks {
                        if let Block::Heading { text, label, .. } = block {
                            let id = label.clone().unwrap_or_else(|| heading_id(text));
                            let (id, text) = (encoded(&id), escaped(&markup::plain(text)));
                            let _ = writeln!(
                                out,
                                "<li class=\"part\"><a href=\"#{id}\">{text}</a></li>"
                            );
                        }
                    }
                }
            }
        }
        out + "</ul>"
    }

    fn definition(&self, it: &Definition, out: &mut String) {
        let id = escaped(&it.id);
        let _ = write!(out, "<section class=\"definition\" id=\"{id}\">\n<pre><code>");
        self.lines(it, 0, out);
        out.push_str("</code></pre>\n");
        if !it.doc.is_empty() {
            out.push_str("<div class=\"doc\">\n");
            self.blocks(&it.doc, out);
            out.push_str("</div>\n");
        }
        let mut parts = Vec::new();
        documented(&it.inner, &mut parts);
        if !parts.is_empty() {
            out.push_str("<dl class=\"parts\">\n");
            for part in parts {
                let _ = write!(out, "<dt><code>{}</code></dt>\n<dd>", escaped(&part.name));
                self.blocks(&part.doc, out);
                out.push_str("</dd>\n");
            }
            out.push_str("</dl>\n");
        }
        out.push_str("</section>\n");
    }

    /// The code of a definition with its parts.
    fn lines(&self, it: &Definition, depth: usize, out: &mut String) {
        match it.page {
            Some(page) => self.module_code(it, page, out),
            None => self.code(&it.code, out),
        }
        for part in &it.inner {
            let (blanks, id) = ("  ".repeat(depth + 1), escaped(&part.id));
            let _ = write!(out, "\n{blanks}<span class=\"part\" id=\"{id}\">");
            self.lines(part, depth + 1, out);
            out.push_str("</span>");
        }
        if !it.end.is_empty() {
            let _ = write!(out, "\n{}{}", "  ".repeat(depth), it.end);
        }
    }

    /// The name of a module leads to its page.
    fn module_code(&self, it: &Definition, page: usize, out: &mut String) {
        let mut code = String::new();
        self.code(&it.code, &mut code);
        let name = escaped(&it.name);
        let address = escaped(&file(&self.site.pages[page].name));
        let words =
            format!("{} ", if it.sort == Sort::ModuleType { "module type" } else { "module" });
        match code.strip_prefix(&format!("{words}{name}")) {
            Some(rest) => {
                let _ = write!(out, "{words}<a href=\"{address}\">{name}</a>{rest}");
            }
            None => out.push_str(&code),
        }
    }

    fn code(&self, code: &Code, out: &mut String) {
        for piece in &code.0 {
            self.linked(piece.link, &escaped(&piece.text), out);
        }
    }

    /// `text` is HTML already.
    fn linked(&self, link: Option<LinkId>, text: &str, out: &mut String) {
        match link.and_then(|it| self.site.links[it].as_ref()) {
            Some(anchor) => {
                let page = match anchor.page == self.number {
                    true if !anchor.id.is_empty() => String::new(),
                    _ => escaped(&file(&self.site.pages[anchor.page].name)),
                };
                let place = match anchor.id.as_str() {
                    "" => String::new(),
                    id => format!("#{}", encoded(id)),
                };
                let _ = write!(out, "<a href=\"{page}{place}\">{text}</a>");
            }
            None => out.push_str(text),
        }
    }

    fn blocks(&self, blocks: &[Block], out: &mut String) {
        let mut in_tags = false;
        for block in blocks {
            let is_tag = matches!(block, Block::Tag { .. });
            if is_tag != in_tags {
                out.push_str(if is_tag { "<dl class=\"tags\">\n" } else { "</dl>\n" });
                in_tags = is_tag;
            }
            self.block(block, out);
        }
        if in_tags {
            out.push_str("</dl>\n");
        }
    }

    fn block(&self, block: &Block, out: &mut String) {
        match block {
            Block::Paragraph(text) => {
                out.push_str("<p>");
                self.inlines(text, out);
                out.push_str("</p>\n");
            }
            Block::Heading { level, label, text } => {
                let level = (level + 1).clamp(2, 6);
                let id = label.clone().unwrap_or_else(|| heading_id(text));
                let _ = write!(out, "<h{level} id=\"{}\">", escaped(&id));
                self.inlines(text, out);
                let _ = writeln!(out, "</h{level}>");
            }
            Block::Code(text) => {
                let _ =
                    writeln!(out, "<pre class=\"example\"><code>{}</code></pre>", escaped(text));
            }
            Block::Verbatim(text) => {
                let _ = writeln!(out, "<pre class=\"example\">{}</pre>", escaped(text));
            }
            Block::List { ordered, items } => {
                let tag = if *ordered { "ol" } else { "ul" };
                let _ = writeln!(out, "<{tag}>");
                for item in items {
                    out.push_str("<li>");
                    match &item[..] {
                        [Block::Paragraph(text)] => self.inlines(text, out),
                        _ => self.blocks(item, out),
                    }
                    out.push_str("</li>\n");
                }
                let _ = writeln!(out, "</{tag}>");
            }
            Block::Tag { name, argument, body } => {
                let word = match name.as_str() {
                    "param" | "typeparam" => "Parameter",
                    "return" | "returns" => "Returns",
                    "raise" | "raises" => "Raises",
                    "see" => "See",
                    "since" => "Since",
                    "before" => "Before",
                    "deprecated" => "Deprecated",
                    "author" => "Author",
                    "version" => "Version",
                    other => other,
                };
                let _ = write!(out, "<dt>{}", escaped(word));
                match argument {
                    Some(Argument::Name(it)) => {
                        let _ = write!(out, " <code>{}</code>", escaped(it));
                    }
                    Some(Argument::Reference(it)) => {
                        out.push(' ');
                        self.reference(it, out);
                    }
                    None => (),
                }
                out.push_str("</dt>\n<dd>");
                self.blocks(body, out);
                out.push_str("</dd>\n");
            }
        }
    }

    fn inlines(&self, all: &[Inline], out: &mut String) {
        for inline in all {
            match inline {
                Inline::Text(text) => out.push_str(&escaped(text)),
                Inline::Code(text) => {
                    let _ = write!(out, "<code>{}</code>", escaped(text));
                }
                Inline::Styled(style, text) => {
                    let tag = match style {
                        Style::Bold => "b",
                        Style::Italic => "i",
                        Style::Superscript => "sup",
                        Style::Subscript => "sub",
                    };
                    let _ = write!(out, "<{tag}>");
                    self.inlines(text, out);
                    let _ = write!(out, "</{tag}>");
                }
                Inline::Url { url, text } => {
                    // An address that runs code is text.
                    let is_plain =
                        ["http:", "https:", "mailto:", "ftp:"].iter().any(|it| url.starts_with(it));
                    match is_plain || !url.contains(':') {
                        true => {
                            let _ = write!(out, "<a href=\"{}\">", escaped(url));
                            self.inlines(text, out);
                            out.push_str("</a>");
                        }
                        false => self.inlines(text, out),
                    }
                }
                Inline::Reference(it) => self.reference(it, out),
            }
        }
    }

    fn reference(&self, it: &Reference, out: &mut String) {
        let mut text = String::new();
        match it.text.is_empty() {
            true => {
                let _ = write!(text, "<code>{}</code>", escaped(it.shown()));
            }
            false => self.inlines(&it.text, &mut text),
        }
        self.linked(it.link, &text, out);
    }
}

/// The parts of a definition that have comments, also those of parts.
fn documented<'a>(parts: &'a [Definition], into: &mut Vec<&'a Definition>) {
    for part in parts {
        if !part.doc.is_empty() {
            into.push(part);
        }
        documented(&part.inner, into);
    }
}

fn heading_id(text: &[Inline]) -> String {
    let plain = markup::plain(text);
    let words = plain.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}
