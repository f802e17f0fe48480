//! Which flags, widths and precisions a conversion takes.
//!
//! ```text
//! %+5.2f   a sign, a width, a precision        %+s   refused: a string has no sign
//! ```
//!
//! What would have no effect is refused, as OCaml does.

use super::parse::Fault;

/// What stands between `%` and the letter.
struct Between {
    flags: Vec<u8>,
    /// The width, which may be `*`. A single `0` among the flags is one, too, to all but this.
    width: Option<Vec<u8>>,
    /// What stands behind a `.`.
    precision: Option<Vec<u8>>,
    /// `%_d`: read and forgotten.
    ignored: bool,
}

impl Between {
    fn read(text: &[u8]) -> Self {
        let ignored = text.first() == Some(&b'_');
        let rest = if ignored { &text[1..] } else { text };
        let end = rest.iter().position(|it| !b"-0+ #".contains(it)).unwrap_or(rest.len());
        let (flags, rest) = rest.split_at(end);
        let (width, precision) = match rest.iter().position(|&it| it == b'.') {
            Some(at) => (&rest[..at], Some(rest[at + 1..].to_vec())),
            None => (rest, None),
        };
        let width = (!width.is_empty()).then(|| width.to_vec());
        Self { flags: flags.to_vec(), width, precision, ignored }
    }

    fn has(&self, flag: u8) -> bool {
        self.flags.contains(&flag)
    }

    fn has_star(&self) -> bool {
        [&self.width, &self.precision].into_iter().flatten().any(|it| it.contains(&b'*'))
    }
}

/// What kind of values a conversion is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// The bool says whether they have a sign.
    Integer(bool),
    Float,
    /// A text: it has a width.
    Text,
    Char,
    /// A part of a text that is read: a width that is known.
    Read,
    /// Nothing but the letter, which may be ignored or not.
    Bare(bool),
}

fn class(letter: u8) -> Class {
    match letter {
        b'd' | b'i' => Class::Integer(true),
        b'u' | b'x' | b'X' | b'o' => Class::Integer(false),
        b'f' | b'e' | b'E' | b'g' | b'G' | b'F' | b'h' | b'H' => Class::Float,
        b's' | b'S' | b'b' | b'B' => Class::Text,
        b'c' => Class::Char,
        b'[' | b'(' | b'{' => Class::Read,
        b'C' | b'l' | b'L' | b'n' | b'N' | b'r' => Class::Bare(true),
        _ => Class::Bare(false),
    }
}

/// Checks what stands between `%` and the letter; the letter is that of the number behind `l`, `L` and `n`.
pub fn check(between: &[u8], letter: u8) -> Result<(), Fault> {
    let it = Between::read(between);
    let shown = char::from(letter);
    let refuse = |what: &str| {
        let whole = String::from_utf8_lossy(between);
        Err(Fault(format!("{what} in `%{whole}{shown}`")))
    };
    let twice = |flag: &&u8| it.flags.iter().filter(|other| other == flag).count() > 1;
    if let Some(&flag) = it.flags.iter().find(twice) {
        return refuse(&format!("the flag `{}` stands twice", char::from(flag)));
    }
    for (one, other) in [(b'0', b'-'), (b'+', b' ')] {
        if it.has(one) && it.has(other) {
            let (one, other) = (char::from(one), char::from(other));
            return refuse(&format!("the flags `{one}` and `{other}` contradict each other"));
        }
    }
    if it.has(b'-') && it.width.is_none() {
        return refuse("the flag `-` stands without a width");
    }
    if let Some(precision) = &it.precision
        && !matches!(precision.first(), Some(b'0'..=b'9' | b'*'))
    {
        return refuse("a `.` stands without a precision");
    }
    match unwanted(&it, class(letter)) {
        Some(what) => refuse(&format!("`{shown}` takes no {what}")),
        None => Ok(()),
    }
}

/// What the conversion does not take, in words.
fn unwanted(it: &Between, class: Class) -> Option<&'static str> {
    let bare = matches!(class, Class::Bare(_));
    let number = matches!(class, Class::Integer(_) | Class::Float);
    if it.has(b'+') && (!number || class == Class::Integer(false)) {
        return Some("flag `+`");
    }
    if it.has(b' ') && (!number || class == Class::Integer(false)) {
        return Some("flag ` `");
    }
    let signed = it.has(b'+') || it.has(b' ');
    if it.has(b'#') && (!number || signed && class == Class::Integer(true)) {
        return Some(if number { "flag `#` with a sign" } else { "flag `#`" });
    }
    if bare && (it.width.is_some() || it.has(b'0')) || class == Class::Char && it.width.is_some() {
        return Some("width");
    }
    if it.precision.is_some() && !number {
        return Some("precision");
    }
    if it.has(b'0') && it.width.is_some() {
        if !number {
            return Some("flag `0` with a width");
        }
        if it.precision.is_some() && class != Class::Float {
            return Some("flag `0` with a width and a precision");
        }
    }
    if class == Class::Read && it.has(b'-') {
        return Some("flag `-`");
    }
    if class == Class::Read && it.has_star() {
        return Some("`*`");
    }
    if !it.ignored {
        return None;
    }
    if class == Class::Bare(false) {
        return Some("`_`");
    }
    if it.has_star() {
        return Some("`*` with `_`");
    }
    if it.precision.is_some() && class != Class::Float {
        return Some("precision with `_`");
    }
    let flagged = it.has(b'+') || it.has(b'-') || it.has(b'0') && it.width.is_some();
    flagged.then_some("such flag with `_`")
}

#[cfg(test)]
mod tests {
    use super::check;

    fn accepts(text: &str) -> bool {
        let (between, letter) = text.split_at(text.len() - 1);
        check(between.as_bytes(), letter.as_bytes()[0]).is_ok()
    }

    #[test]
    fn what_means_something() {
        for text in [
            "d", "+5d", " .3d", "#-5.3d", "+0.3i", "#x", "05u", "+#5.3f", "0*.*F", "_5.3g", "_5d",
            "-5s", "*S", "0s", "0c", "_c", "5[", "_5(", "_r", "_l", "a", "!", "_#d",
        ] {
            assert!(accepts(text), "%{text}");
        }
    }

    #[test]
    fn what_means_nothing() {
        for text in [
            "+s", "#c", " b", "5c", "-b", "+ d", "0-5d", "+x", " o", "+#d", "05.3d", ".d", ".-3f",
            ".3s", "05s", "*[", "-5{", "5C", "0N", "_a", "_*d", "_.3d", "_+d", "_-5d", "00d",
            "--5d",
        ] {
            assert!(!accepts(text), "%{text}");
        }
    }
}
