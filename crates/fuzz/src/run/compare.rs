//! In what manner two runs of a program differ.

use super::mode::Outcome;
use super::process::End;

/// A kind of difference. While a program shrinks, its failure stays of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    Output,
    Code,
    Signal(i32),
    Timeout,
    Rejected(String),
    Broke(String),
}

/// How `actual` differs from `expected`, which ran to an end of its own.
pub fn difference(expected: &Outcome, actual: &Outcome) -> Option<Difference> {
    match actual {
        Outcome::Rejected(text) => Some(Difference::Rejected(manner(text))),
        Outcome::Refused => None,
        Outcome::Broke(text) => Some(Difference::Broke(manner(text))),
        Outcome::Ran { end: End::Signal(signal), .. } => Some(Difference::Signal(*signal)),
        Outcome::Ran { end: End::Timeout, .. } => Some(Difference::Timeout),
        Outcome::Ran { stdout, end: End::Code(code) } => {
            if stdout != expected.stdout() {
                return Some(Difference::Output);
            }
            match expected {
                Outcome::Ran { end: End::Code(wanted), .. } if wanted == code => None,
                _ => Some(Difference::Code),
            }
        }
    }
}

/// The first line that says what is wrong, without what varies: numbers and quoted names.
fn manner(text: &str) -> String {
    let line =
        text.lines().find(|it| it.contains("rror")).or_else(|| text.lines().next()).unwrap_or("");
    let mut quoted = false;
    line.chars()
        .filter(|it| {
            if matches!(it, '`' | '"') {
                quoted = !quoted;
            }
            !quoted && !it.is_ascii_digit()
        })
        .take(80)
        .collect()
}

/// The outputs of the programs of a batch: what stands between separators.
pub fn segments(stdout: &[u8], separator: &str) -> Vec<String> {
    let text = String::from_utf8_lossy(stdout);
    let line = format!("\n{separator}\n");
    text.split(line.as_str()).skip(1).map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manners_ignore_numbers_and_names() {
        assert_eq!(
            manner("internal error: no `x` at n42"),
            manner("internal error: no `yy` at n7")
        );
    }

    #[test]
    fn segments_are_cut() {
        assert_eq!(segments(b"\n==\na\n\n==\nb\n", "=="), ["a\n", "b\n"]);
    }
}
