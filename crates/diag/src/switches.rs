//! Which warnings a program wants to hear of: `[@@@warning "-8+27"]`, `[@warning "@8"]`.
//!
//! ```text
//! -8   not this one          +8   this one          @8   as an error
//! -a   none   K -u  groups    -26..28   several      -partial-match   by its name
//! ```

use oxbow_base::Span;

/// What becomes of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    No,
    Yes,
    AsError,
}

/// Specifications, each with the text that it is about.
#[derive(Clone, Debug, Default)]
pub struct Switches {
    all: Vec<(Span, String)>,
    /// What holds where the text says nothing, the last first asked.
    general: Vec<String>,
}

/// Warnings that OCaml gives only if they are asked for.
const ON_REQUEST: [std::ops::RangeInclusive<u32>; 3] = [9..=9, 27..=27, 32..=42];

impl Switches {
    pub fn add(&mut self, span: Span, specification: &str) {
        self.all.push((span, specification.to_string()));
    }

    /// What holds where the text says nothing.
    pub fn add_general(&mut self, specification: &str) {
        self.general.push(specification.to_string());
    }

    pub fn append(&mut self, other: Switches) {
        self.all.extend(other.all);
        self.general.extend(other.general);
    }

    /// What the specifications around a place say about a warning: the innermost one, else what holds everywhere.
    pub fn wanted(&self, number: u32, place: Span) -> Wanted {
        let is_around = |it: &&(Span, String)| {
            it.0.file == place.file && it.0.start <= place.start && place.start < it.0.end
        };
        let mut around: Vec<&(Span, String)> = self.all.iter().filter(is_around).collect();
        around.sort_by_key(|it| it.0.start);
        let local = around.iter().rev().map(|it| it.1.as_str());
        let mut all = local.chain(self.general.iter().rev().map(String::as_str));
        all.find_map(|it| switch(it, number)).unwrap_or_else(|| {
            match ON_REQUEST.iter().any(|it| it.contains(&number)) {
                true => Wanted::No,
                false => Wanted::Yes,
            }
        })
    }
}

/// The names of warnings that are given.
const NAMES: [(&str, u32); 16] = [
    ("ignored-partial-application", 5),
    ("partial-match", 8),
    ("non-unit-statement", 10),
    ("redundant-case", 11),
    ("redundant-subpat", 12),
    ("illegal-backslash", 14),
    ("ignored-extra-argument", 20),
    ("nonreturning-statement", 21),
    ("unused-var", 26),
    ("unused-var-strict", 27),
    ("nonoptional-label", 43),
    ("unreachable-case", 56),
    ("missing-record-field-pattern", 9),
    ("unused-value-declaration", 32),
    ("unused-for-index", 35),
    ("unused-rec-flag", 39),
];

/// Does the group of warnings that OCaml gives a letter hold this one?
fn is_in_group(letter: char, number: u32) -> bool {
    match letter.to_ascii_lowercase() {
        'a' => true,
        'c' => matches!(number, 1 | 2),
        'd' => number == 3,
        'e' => number == 4,
        'f' => number == 5,
        'k' => (32..=39).contains(&number),
        'l' => number == 6,
        'm' => number == 7,
        'p' => number == 8,
        'r' => number == 9,
        's' => number == 10,
        'u' => matches!(number, 11 | 12),
        'v' => number == 13,
        'x' => matches!(number, 14..=24 | 30),
        'y' => number == 26,
        'z' => number == 27,
        _ => false,
    }
}

/// What a specification such as `-a+8-26..27` says about a warning.
fn switch(specification: &str, number: u32) -> Option<Wanted> {
    let mut state = None;
    let mut rest = specification;
    while let Some(sign) = rest.chars().next() {
        rest = &rest[sign.len_utf8()..];
        let wanted = match sign {
            '+' => Wanted::Yes,
            '@' => Wanted::AsError,
            '-' => Wanted::No,
            // A group without a sign: capital letters switch it on.
            _ if is_in_group(sign, number) => {
                state = Some(if sign.is_ascii_uppercase() { Wanted::Yes } else { Wanted::No });
                continue;
            }
            _ => continue,
        };
        let (covers, length) = subject(rest, number);
        rest = &rest[length..];
        if covers {
            state = Some(wanted);
        }
    }
    state
}

/// What stands behind a sign: does it cover the warning, and how many bytes are it?
fn subject(rest: &str, number: u32) -> (bool, usize) {
    let length = |is_part: fn(char) -> bool| rest.find(|it| !is_part(it)).unwrap_or(rest.len());
    let digits = length(|it| it.is_ascii_digit() || it == '.');
    if digits > 0 {
        let word = &rest[..digits];
        let (from, to) = word.split_once("..").unwrap_or((word, word));
        let range = from.parse::<u32>().ok().zip(to.parse::<u32>().ok());
        return (range.is_some_and(|(from, to)| (from..=to).contains(&number)), digits);
    }
    // Names have hyphens in them, and more letters than people write behind each other for groups.
    let letters = length(|it| it.is_ascii_alphabetic());
    if letters > 2 && rest.starts_with(|it: char| it.is_ascii_lowercase()) {
        let name = length(|it| it.is_ascii_lowercase() || it == '-');
        return (NAMES.contains(&(&rest[..name], number)), name);
    }
    match rest.chars().next().filter(char::is_ascii_alphabetic) {
        Some(letter) => (is_in_group(letter, number), 1),
        None => (false, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_specifications() {
        assert_eq!(switch("-26", 26), Some(Wanted::No));
        assert_eq!(switch("+a-4-20..30", 26), Some(Wanted::No));
        assert_eq!(switch("-a+26", 26), Some(Wanted::Yes));
        assert_eq!(switch("-27", 26), None);
        assert_eq!(switch("A", 26), Some(Wanted::Yes));
        assert_eq!(switch("-unused-var", 26), Some(Wanted::No));
        assert_eq!(switch("-unused-var", 32), None);
        assert_eq!(switch("+a-unused-var+9", 9), Some(Wanted::Yes));
        assert_eq!(switch("A-4", 4), Some(Wanted::No));
        assert_eq!(switch("+K", 32), Some(Wanted::Yes));
        assert_eq!(switch("@p", 8), Some(Wanted::AsError));
        assert_eq!(switch("Aez", 27), Some(Wanted::No));
        assert_eq!(switch("+a-yz", 27), Some(Wanted::No));
        assert_eq!(switch("-8-26@11", 11), Some(Wanted::AsError));
    }
}
