//! Plain text as people write it in comments: paragraphs, lists, headings, fences and `code`. What else Markdown has is
//! left as it stands: in Scheme a star belongs to names.
//!
//! ```text
//! Adds `n`.             Paragraph [Text "Adds ", Code "n", Text "."]
//!
//! - one                 List [[Paragraph [Text "one"]]]
//! ```

use super::{Block, Inline, dedent, push_text, trimmed};

pub fn parse(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().peekable();
    let mut open: Vec<&str> = Vec::new();
    while let Some(line) = lines.next() {
        let plain = line.trim();
        if plain.starts_with("```") {
            close(&mut open, &mut blocks);
            let inside: Vec<&str> =
                lines.by_ref().take_while(|it| !it.trim().starts_with("```")).collect();
            blocks.push(Block::Code(dedent(&format!("\n{}", inside.join("\n")))));
        } else if plain.is_empty() {
            close(&mut open, &mut blocks);
        } else if let Some((level, title)) = heading(plain) {
            close(&mut open, &mut blocks);
            blocks.push(Block::Heading { level, label: None, text: inlines(title) });
        } else if let Some((ordered, first)) = item(plain) {
            close(&mut open, &mut blocks);
            let mut texts = vec![first.to_string()];
            // Lines that are indented go on with an item.
            while let Some(next) = lines.peek() {
                match item(next.trim()) {
                    Some((_, text)) => texts.push(text.to_string()),
                    None if next.starts_with(' ') && !next.trim().is_empty() => {
                        if let Some(last) = texts.last_mut() {
                            last.push('\n');
                            last.push_str(next.trim());
                        }
                    }
                    None => break,
                }
                lines.next();
            }
            let items = texts.iter().map(|it| vec![Block::Paragraph(inlines(it))]).collect();
            blocks.push(Block::List { ordered, items });
        } else {
            open.push(line);
        }
    }
    close(&mut open, &mut blocks);
    blocks
}

fn close(open: &mut Vec<&str>, blocks: &mut Vec<Block>) {
    let text = inlines(&std::mem::take(open).join("\n"));
    if !text.is_empty() {
        blocks.push(Block::Paragraph(text));
    }
}

fn heading(line: &str) -> Option<(u8, &str)> {
    let level = line.len() - line.trim_start_matches('#').len();
    let title = line[level..].strip_prefix(' ')?;
    (1..=5).contains(&level).then_some((level as u8, title.trim()))
}

fn item(line: &str) -> Option<(bool, &str)> {
    if let Some(text) = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) {
        return Some((false, text.trim()));
    }
    let digits = line.len() - line.trim_start_matches(|it: char| it.is_ascii_digit()).len();
    let text = line[digits..].strip_prefix(". ")?;
    (digits > 0).then_some((true, text.trim()))
}

/// Text with `code`.
pub fn inlines(text: &str) -> Vec<Inline> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('`') {
        let Some(end) = rest[at + 1..].find('`') else { break };
        push_text(&mut out, &rest[..at]);
        out.push(Inline::Code(rest[at + 1..at + 1 + end].to_string()));
        rest = &rest[at + end + 2..];
    }
    push_text(&mut out, rest);
    trimmed(out)
}
