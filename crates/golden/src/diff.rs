//! What differs between the expected text and the actual one.

use std::fmt::Write as _;

use similar::{ChangeTag, TextDiff};

/// Lines of context, and the most lines that are shown.
const CONTEXT: usize = 3;
const MOST: usize = 120;
/// The most characters of a line that are shown.
const WIDTH: usize = 400;

/// The changes from one text to the other, or `None` if they are the same.
pub fn diff(expected: &str, actual: &str) -> Option<String> {
    if expected == actual {
        return None;
    }
    let changes = TextDiff::from_lines(expected, actual);
    let mut text = String::from("(- expected, + actual)\n");
    let mut left = MOST;
    for group in changes.grouped_ops(CONTEXT) {
        let Some(first) = group.first() else { continue };
        // Writing to a string does not fail.
        let _ = writeln!(text, "from line {}", first.old_range().start + 1);
        for change in group.iter().flat_map(|op| changes.iter_changes(op)) {
            if left == 0 {
                text.push_str("…\n");
                return Some(text);
            }
            left -= 1;
            let mark = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            let shown: String = change.value().trim_end_matches('\n').chars().take(WIDTH).collect();
            let end = if change.missing_newline() { " (no line break)" } else { "" };
            let _ = writeln!(text, "{mark} {shown}{end}");
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_shown() {
        assert_eq!(diff("a\nb\n", "a\nb\n"), None);
        let text = diff("a\nb\nc\n", "a\nx\nc\n").expect("they differ");
        assert_eq!(text, "(- expected, + actual)\nfrom line 1\n  a\n- b\n+ x\n  c\n");
        let text = diff("a", "a\n").expect("they differ");
        assert!(text.contains("no line break"));
        let many = "x\n".repeat(1000);
        assert!(diff(&many, "").expect("they differ").ends_with("…\n"));
    }
}
