//! The tables of Unicode that Eshkol's library searches, made from crates that carry the Unicode Character Database.
//!
//! ```text
//! regex-syntax            the sets: Alphabetic, Uppercase, Lowercase, Nd
//! unicode-case-mapping    upper and lower case, simple case folding
//!
//! a number      three characters of six bits each, most significant first
//! ranges        first last
//! changes       first last step distance+2^17        from `first` to `last`, each `step`-th changes by the distance
//! longer        character a b c                      what becomes two or three characters; `c` may be 0
//! ```
//!
//! `Cargo.lock` pins both crates, and a test compares what they give with what is committed. Characters of ASCII are
//! not in the tables: the library decides those by itself.

use std::fmt::Write as _;
use std::fs;

use regex_syntax::hir::{Class, HirKind};
use unicode_case_mapping as mapping;

use crate::root;

const FILE: &str = "lib/eshkol/eshkol_unicode_tables.ml";

/// Writes the tables.
pub fn run() -> Result<(), String> {
    fs::write(root().join(FILE), tables()?).map_err(|error| format!("{FILE}: {error}"))
}

/// A character and what it becomes.
type Change = (u32, u32);

fn tables() -> Result<String, String> {
    let upper = |c: char| change(c, simple_upper(c));
    let lower = |c: char| change(c, simple_lower(c));
    let fold = |c: char| {
        let folded = mapping::case_folded(c).map_or(c as u32, |it| it.get());
        (folded != simple_lower(c)).then_some((c as u32, folded))
    };
    let is_long = |c: char| mapping::to_uppercase(c)[1] != 0;
    // What the library finds out by itself.
    let has_lower = |c: char| lower(c).is_some() && upper(c).is_none() && !is_long(c);
    let has_upper = |c: char| upper(c).is_some() && lower(c).is_none();
    let uppers = set(r"\p{Uppercase}")?.into_iter().filter(|&it| !has_lower(it));
    let lowers = set(r"\p{Lowercase}")?.into_iter().filter(|&it| !has_upper(it));

    let mut out = head();
    let mut table = |about: &str, name: &str, numbers: String| {
        if !about.is_empty() {
            let _ = writeln!(out, "\n(* {about} *)");
        } else {
            out.push('\n');
        }
        let _ = writeln!(out, "let {name} =\n{}", literal(&numbers));
    };
    table("", "alphabetic", ranges(set(r"\p{Alphabetic}")?.into_iter()));
    table("Upper case, but without a lower one.", "uppers", ranges(uppers));
    table("Lower case, but without an upper one.", "lowers", ranges(lowers));
    table("", "zeros", zeros(&set(r"\p{Nd}")?)?);
    table("", "ups", changes(&chars().filter_map(upper).collect::<Vec<_>>()));
    table("", "downs", changes(&chars().filter_map(lower).collect::<Vec<_>>()));
    let folds: Vec<Change> = chars().filter_map(fold).collect();
    table("Where folding is not going down.", "folds", changes(&folds));
    table("", "long_ups", longer(mapping::to_uppercase));
    table("", "long_folds", longer(full_fold));
    Ok(out)
}

fn head() -> String {
    let (major, minor, _) = mapping::UNICODE_VERSION;
    format!(
        "(* Unicode {major}.{minor}. Made by `cargo run -p xtask -- unicode`, which says what the tables hold. *)\n"
    )
}

/// All characters that the tables are about.
fn chars() -> impl Iterator<Item = char> {
    '\u{80}'..=char::MAX
}

/// The characters that a class of regular expressions matches.
fn set(class: &str) -> Result<Vec<char>, String> {
    let hir = regex_syntax::parse(class).map_err(|error| error.to_string())?;
    let HirKind::Class(Class::Unicode(class)) = hir.kind() else {
        return Err(format!("{class} is not a class of characters"));
    };
    let all = class.ranges().iter().flat_map(|it| it.start()..=it.end());
    Ok(all.filter(|it| !it.is_ascii()).collect())
}

fn change(from: char, to: u32) -> Option<Change> {
    (from as u32 != to).then_some((from as u32, to))
}

/// The crate has full mappings. Where one is longer than a character, the simple mapping is that of the title case
/// if there is one (`ᾀ` becomes `ᾈ`), or the character itself.
fn simple_upper(c: char) -> u32 {
    let single = |it: [u32; 3]| (it[0] != 0 && it[1] == 0).then_some(it[0]);
    let upper = mapping::to_uppercase(c);
    if upper[0] == 0 {
        return c as u32;
    }
    single(upper).or_else(|| single(mapping::to_titlecase(c))).unwrap_or(c as u32)
}

/// The first character: of `İ`, the only one that becomes two, the second is a mark.
fn simple_lower(c: char) -> u32 {
    match mapping::to_lowercase(c) {
        [0, _] => c as u32,
        [lower, _] => lower,
    }
}

/// Full case folding: the lower case of the upper case of the lower case.
fn full_fold(c: char) -> [u32; 3] {
    let step = |text: Vec<u32>, map: &dyn Fn(char) -> Vec<u32>| -> Vec<u32> {
        text.into_iter().filter_map(char::from_u32).flat_map(map).collect()
    };
    let filled = |mapped: &[u32], c: char| match mapped[0] {
        0 => vec![c as u32],
        _ => mapped.iter().copied().filter(|&it| it != 0).collect(),
    };
    let lower = |c: char| filled(&mapping::to_lowercase(c), c);
    let upper = |c: char| filled(&mapping::to_uppercase(c), c);
    let text = step(step(step(vec![c as u32], &lower), &upper), &lower);
    let mut folded = [0; 3];
    folded.iter_mut().zip(text).for_each(|(to, from)| *to = from);
    folded
}

/// The characters that a mapping makes two or three of.
fn longer(map: impl Fn(char) -> [u32; 3]) -> String {
    let mut out = String::new();
    for c in chars() {
        let mapped = map(c);
        if mapped[1] != 0 {
            number(&mut out, c as u32);
            mapped.into_iter().for_each(|it| number(&mut out, it));
        }
    }
    out
}

/// Neighbouring characters as one range.
fn ranges(chars: impl Iterator<Item = char>) -> String {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for c in chars.map(u32::from) {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == c => *last = c,
            _ => found.push((c, c)),
        }
    }
    let mut out = String::new();
    for (first, last) in found {
        number(&mut out, first);
        number(&mut out, last);
    }
    out
}

/// Changes by one distance, each at the next character or at the next but one, as one entry.
fn changes(all: &[Change]) -> String {
    let mut out = String::new();
    let mut rest = all;
    while let [(first, to), ..] = *rest {
        let distance = to.wrapping_sub(first);
        let step = match rest {
            [_, (next, to), ..] if next - first <= 2 && to.wrapping_sub(*next) == distance => {
                next - first
            }
            _ => 1,
        };
        let runs_on = |(index, it): &(usize, &Change)| {
            it.0 == first + *index as u32 * step && it.1.wrapping_sub(it.0) == distance
        };
        let count = rest.iter().enumerate().take_while(runs_on).count();
        number(&mut out, first);
        number(&mut out, first + (count as u32 - 1) * step);
        out.push(digit(step));
        number(&mut out, distance.wrapping_add(1 << 17));
        rest = &rest[count..];
    }
    out
}

/// Where ten digits begin. They stand together, from zero to nine.
fn zeros(digits: &[char]) -> Result<String, String> {
    let mut out = String::new();
    for ten in digits.chunks(10) {
        let first = ten[0] as u32;
        if ten.len() != 10 || ten[9] as u32 != first + 9 {
            return Err(format!("the digits from U+{first:X} on are not ten"));
        }
        number(&mut out, first);
    }
    Ok(out)
}

fn number(out: &mut String, value: u32) {
    out.extend([value >> 12, value >> 6, value].map(digit));
}

/// Six bits as a character from `#` upwards, without the backslash.
fn digit(value: u32) -> char {
    let code = b'#' + (value & 63) as u8;
    char::from(if code >= b'\\' { code + 1 } else { code })
}

/// A string of OCaml in lines of 120 columns.
fn literal(numbers: &str) -> String {
    let mut out = String::from("  \"");
    let mut column = 3;
    for c in numbers.chars() {
        if column == 119 {
            out.push_str("\\\n   ");
            column = 3;
        }
        out.push(c);
        column += 1;
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_those_of_the_library() {
        let committed = fs::read_to_string(root().join(FILE)).expect("the tables are there");
        let made = tables().expect("the tables can be made");
        assert!(committed == made, "{FILE} is not what `xtask unicode` makes");
    }

    #[test]
    fn both_crates_have_the_same_version() {
        // A letter of Unicode 16, and one with a lower case.
        assert!(set(r"\p{Alphabetic}").expect("a class").contains(&'\u{105C0}'));
        assert_eq!(simple_lower('\u{A7DA}'), 0xA7DB);
        assert_eq!(mapping::UNICODE_VERSION, (16, 0, 0));
    }

    #[test]
    fn mappings() {
        assert_eq!(simple_upper('ß'), 'ß' as u32);
        assert_eq!(simple_upper('ᾀ'), 'ᾈ' as u32);
        assert_eq!(simple_upper('ǆ'), 'Ǆ' as u32);
        assert_eq!(simple_lower('İ'), 'i' as u32);
        assert_eq!(full_fold('ẞ'), ['s' as u32, 's' as u32, 0]);
        assert_eq!(full_fold('İ'), ['i' as u32, 0x307, 0]);
        assert_eq!(full_fold('Ж'), ['ж' as u32, 0, 0]);
    }

    #[test]
    fn encodings() {
        assert_eq!(ranges("abcx".chars()), "#$D#$F#$[#$[");
        // 97 to 99 by two, up by one; 120 down by 32.
        assert_eq!(changes(&[(97, 98), (99, 100), (120, 88)]), "#$D#$F%C#$#$[#$[$BcC");
    }
}
