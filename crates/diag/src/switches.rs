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
    all: Vec<Switch>,
    /// What holds where the text says nothing, the last first asked.
    general: Vec<String>,
}

#[derive(Clone, Debug)]
struct Switch {
    place: Span,
    specification: String,
    /// `[@warnerror …]`: it says which of the warnings that are given are errors.
    about_errors: bool,
}

/// Warnings that OCaml gives only if they are asked for.
const ON_REQUEST: [std::ops::RangeInclusive<u32>; 3] = [9..=9, 27..=27, 32..=42];

impl Switches {
    pub fn add(&mut self, span: Span, specification: &str) {
        self.push(span, specification, false);
    }

    /// The same for `[@warnerror …]`.
    pub fn add_errors(&mut self, span: Span, specification: &str) {
        self.push(span, specification, true);
    }

    fn push(&mut self, place: Span, specification: &str, about_errors: bool) {
        self.all.push(Switch { place, specification: specification.to_string(), about_errors });
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
        let is_around = |it: &&Switch| {
            let around = it.place;
            around.file == place.file && around.start <= place.start && place.start < around.end
        };
        let mut around: Vec<&Switch> = self.all.iter().filter(is_around).collect();
        around.sort_by_key(|it| it.place.start);
        let is_given = !ON_REQUEST.iter().any(|it| it.contains(&number));
        let mut state = State { is_given, is_error: false };
        for specification in &self.general {
            state.switch(specification, number);
        }
        for it in around {
            match it.about_errors {
                false => state.switch(&it.specification, number),
                true => {
                    let mut errors = State { is_given: state.is_error, is_error: false };
                    errors.switch(&it.specification, number);
                    state.is_error = errors.is_given;
                }
            }
        }
        match state {
            State { is_given: false, .. } => Wanted::No,
            State { is_error: false, .. } => Wanted::Yes,
            State { .. } => Wanted::AsError,
        }
    }
}

/// What the specifications so far say about a warning. One that is not given may be an error when it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    is_given: bool,
    is_error: bool,
}

/// The names of warnings that are given.
const NAMES: [(&str, u32); 23] = [
    ("ignored-partial-application", 5),
    ("labels-omitted", 6),
    ("partial-match", 8),
    ("non-unit-statement", 10),
    ("redundant-case", 11),
    ("redundant-subpat", 12),
    ("illegal-backslash", 14),
    ("unerasable-optional-argument", 16),
    ("ignored-extra-argument", 20),
    ("nonreturning-statement", 21),
    ("unused-var", 26),
    ("unused-var-strict", 27),
    ("nonoptional-label", 43),
    ("unreachable-case", 56),
    ("missing-record-field-pattern", 9),
    ("unused-value-declaration", 32),
    ("unused-open", 33),
    ("unused-type-declaration", 34),
    ("unused-for-index", 35),
    ("unused-ancestor", 36),
    ("unused-constructor", 37),
    ("unused-extension", 38),
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

impl State {
    /// Follows a specification such as `-a+8-26..27`.
    fn switch(&mut self, specification: &str, number: u32) {
        let mut rest = specification;
        while let Some(sign) = rest.chars().next() {
            rest = &rest[sign.len_utf8()..];
            if !matches!(sign, '+' | '-' | '@') {
                // A group without a sign: capital letters switch it on.
                if is_in_group(sign, number) {
                    self.is_given = sign.is_ascii_uppercase();
                }
                continue;
            }
            let (covers, length) = subject(rest, number);
            rest = &rest[length..];
            if covers {
                self.is_given = sign != '-';
                self.is_error |= sign == '@';
            }
        }
    }
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
    use oxbow_base::{FileId, Id};

    use super::*;

    fn after(specifications: &[&str], number: u32) -> Wanted {
        let mut switches = Switches::default();
        specifications.iter().for_each(|it| switches.add_general(it));
        let place = Span { file: FileId::from_index(0), start: 0, end: 1 };
        switches.wanted(number, place)
    }

    #[test]
    fn reads_specifications() {
        assert_eq!(after(&["-26"], 26), Wanted::No);
        assert_eq!(after(&["+a-4-20..30"], 26), Wanted::No);
        assert_eq!(after(&["-a+26"], 26), Wanted::Yes);
        assert_eq!(after(&["-27"], 26), Wanted::Yes);
        assert_eq!(after(&["A"], 27), Wanted::Yes);
        assert_eq!(after(&["-unused-var"], 26), Wanted::No);
        assert_eq!(after(&["-unused-var"], 32), Wanted::No);
        assert_eq!(after(&["+a-unused-var+9"], 9), Wanted::Yes);
        assert_eq!(after(&["A-4"], 4), Wanted::No);
        assert_eq!(after(&["+K"], 32), Wanted::Yes);
        assert_eq!(after(&["@p"], 8), Wanted::AsError);
        assert_eq!(after(&["Aez"], 27), Wanted::No);
        assert_eq!(after(&["+a-yz"], 27), Wanted::No);
        assert_eq!(after(&["-8-26@11"], 11), Wanted::AsError);
    }

    #[test]
    fn what_is_an_error_stays_one() {
        assert_eq!(after(&["@8", "-8"], 8), Wanted::No);
        assert_eq!(after(&["@8", "-8", "+8"], 8), Wanted::AsError);
        assert_eq!(after(&["@8", "-a", "A"], 8), Wanted::AsError);
    }
}
