//! What differs between the expected text and the actual one.

use std::fmt::Write as _;

/// Lines of context, and the most lines of one side that are shown.
const CONTEXT: usize = 3;
const MOST: usize = 60;

/// The differing middle of two texts, or `None` if they are the same.
pub fn diff(expected: &str, actual: &str) -> Option<String> {
    if expected == actual {
        return None;
    }
    let old: Vec<&str> = expected.split_inclusive('\n').collect();
    let new: Vec<&str> = actual.split_inclusive('\n').collect();
    let same_start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same_start;
    let same_end =
        old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let from = same_start.saturating_sub(CONTEXT);
    let mut text = format!("from line {} (- expected, + actual)\n", from + 1);
    show(&mut text, ' ', &old[from..same_start]);
    show(&mut text, '-', &old[same_start..old.len() - same_end]);
    show(&mut text, '+', &new[same_start..new.len() - same_end]);
    let end = &old[old.len() - same_end..];
    show(&mut text, ' ', &end[..end.len().min(CONTEXT)]);
    Some(text)
}

fn show(text: &mut String, mark: char, lines: &[&str]) {
    for line in lines.iter().take(MOST) {
        let shown: String = line.trim_end_matches('\n').chars().take(400).collect();
        let end = if line.ends_with('\n') { "" } else { " (no line break)" };
        // Writing to a string does not fail.
        let _ = writeln!(text, "{mark} {shown}{end}");
    }
    if lines.len() > MOST {
        let _ = writeln!(text, "{mark} … {} more lines", lines.len() - MOST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_shown() {
        assert_eq!(diff("a\nb\n", "a\nb\n"), None);
        let text = diff("a\nb\nc\n", "a\nx\nc\n").expect("they differ");
        assert_eq!(text, "from line 1 (- expected, + actual)\n  a\n- b\n+ x\n  c\n");
        let text = diff("a\na\n", "a\n").expect("they differ");
        assert_eq!(text, "from line 1 (- expected, + actual)\n  a\n- a\n");
        let text = diff("a", "a\n").expect("they differ");
        assert!(text.contains("no line break"));
    }
}
