//! Documentation comments: what stands before a definition, in the way of each language.
//!
//! ```text
//! (** Of OCaml. *)        /// Of Clef.        ;; Of Eshkol.
//! let f x = …             let f x = …         (define (f x) …)
//! ```
//!
//! Editors ask for one at a time; pages of OCaml are made from all of a file (`ocaml`).

pub mod ocaml;
use std::path::Path;

use oxbow_base::Language;

/// The comment before the definition that begins at `start`, or behind it if that is the way of the language.
pub fn of_definition(file: &str, text: &str, start: usize) -> Option<String> {
    let before = text.get(..start)?;
    // The definition's first line: `let` and the like stand before the name.
    let line = before.rfind('\n').map_or(0, |it| it + 1);
    let before = before.get(..line)?;
    match Language::of(Path::new(file))? {
        Language::Ocaml => ocaml(before),
        Language::Clef | Language::ClefProject => lines(before, "///"),
        Language::Eshkol => lines(before, ";"),
        Language::Mlir => None,
    }
}

fn ocaml(before: &str) -> Option<String> {
    let end = before.trim_end();
    // An empty line between parts the comment from the definition.
    if before[end.len()..].matches('\n').count() > 1 {
        return None;
    }
    let inside = end.strip_suffix("*)")?;
    let start = inside.rfind("(**")?;
    let text = inside.get(start + 3..)?;
    if text.contains("*)") || text.starts_with('*') {
        return None;
    }
    let lines: Vec<&str> = text.trim().lines().map(str::trim).collect();
    Some(lines.join("\n"))
}

fn lines(before: &str, mark: &str) -> Option<String> {
    let (start, end) = block_before(before, mark)?;
    let text = stripped(&before[start..end], mark);
    let text = text.replace("<summary>", "").replace("</summary>", "");
    (!text.trim().is_empty()).then(|| text.trim().to_string())
}

/// Where the lines stand that begin with `mark`, at the end of a text; attributes of Clef may stand behind them.
pub fn block_before(before: &str, mark: &str) -> Option<(usize, usize)> {
    let last_line = |end: usize| before[..end].split_inclusive('\n').next_back();
    let mut end = before.len();
    while let Some(line) = last_line(end)
        && line.trim_start().starts_with("[<")
    {
        end -= line.len();
    }
    let mut start = end;
    while let Some(line) = last_line(start)
        && line.trim_start().starts_with(mark)
    {
        start -= line.len();
    }
    (start < end).then_some((start, end))
}

/// Lines without the marks before them; what is behind a mark keeps its indentation.
pub fn stripped(block: &str, mark: &str) -> String {
    let lines = block.lines().map(|line| {
        let text = line.trim_start();
        let text = text.strip_prefix(mark).unwrap_or(text).trim_start_matches(&mark[..1]);
        text.strip_prefix(' ').unwrap_or(text).trim_end()
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::of_definition;

    #[test]
    fn comments_of_three_languages() {
        let of = |file: &str, text: &str, name: &str| {
            of_definition(file, text, text.find(name).expect("there"))
        };
        let text = "let a = 1\n(** Adds\n    one. *)\nlet add x = x + 1\n";
        assert_eq!(of("a.ml", text, "add").as_deref(), Some("Adds\none."));
        assert_eq!(of("a.ml", "(** Far. *)\n\nlet add = 1", "add"), None);
        assert_eq!(of("a.ml", "(* Plain. *)\nlet add = 1", "add"), None);
        assert_eq!(of("a.ml", "let x = 1 (** x *)\nlet add = 1", "add").as_deref(), Some("x"));
        let text = "/// <summary>Adds.</summary>\n/// Twice.\nlet add x = x\n";
        assert_eq!(of("a.fs", text, "add").as_deref(), Some("Adds.\nTwice."));
        assert_eq!(of("a.esk", ";; Adds.\n(define (add x) x)", "add").as_deref(), Some("Adds."));
        assert_eq!(of("a.esk", "(define (add x) x)", "add"), None);
    }
}
