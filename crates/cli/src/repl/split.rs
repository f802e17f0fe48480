//! Where phrases end: `;;` in OCaml and Clef, closed parentheses in Eshkol; never inside of strings and comments.

use oxbow_driver::Language;

/// The first phrase of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// It ends before this byte; what stands there and belongs to it ends at the second.
    Ends(usize, usize),
    /// More has to follow.
    Begins,
    /// Nothing but spaces and comments.
    Nothing,
}

pub fn first_phrase(language: Language, text: &str) -> First {
    match language {
        Language::Eshkol => first_form(text),
        _ => first_ml(language, text),
    }
}

fn first_ml(language: Language, text: &str) -> First {
    let bytes = text.as_bytes();
    let is_clef = matches!(language, Language::Clef | Language::ClefProject);
    let (mut at, mut found) = (0, false);
    while at < bytes.len() {
        let rest = &text[at..];
        if rest.starts_with(";;") {
            return First::Ends(at, at + 2);
        }
        // A directive ends with its line, too.
        if !found
            && bytes[at] == b'#'
            && rest.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic)
        {
            let line = rest.find('\n').unwrap_or(rest.len());
            let end = rest[..line].find(";;").unwrap_or(line);
            let after = if rest[end..].starts_with(";;") { 2 } else { 0 };
            return First::Ends(at + end, at + end + after);
        }
        let skipped = if rest.starts_with("(*") && !rest.starts_with("(*)") {
            match comment(rest) {
                Some(length) => length,
                None => return First::Begins,
            }
        } else if is_clef && rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if bytes[at] == b'"' {
            found = true;
            match string(rest, is_clef) {
                Some(length) => length,
                None => return First::Begins,
            }
        } else if let Some(length) = quoted(rest) {
            found = true;
            match length {
                Some(length) => length,
                None => return First::Begins,
            }
        } else if bytes[at] == b'\'' {
            found = true;
            char_literal(rest)
        } else {
            found |= !bytes[at].is_ascii_whitespace();
            rest.chars().next().map_or(1, char::len_utf8)
        };
        at += skipped;
    }
    if found { First::Begins } else { First::Nothing }
}

/// The length of a comment; none if it does not end.
fn comment(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("(*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*)") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else if rest.starts_with('"') {
            at += string(rest, false)?;
        } else if rest.starts_with('\'') {
            at += char_literal(rest);
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    None
}

/// The length of a string.
fn string(text: &str, triple: bool) -> Option<usize> {
    if triple && text.starts_with("\"\"\"") {
        return text[3..].find("\"\"\"").map(|it| it + 6);
    }
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// `{id|…|id}`: its length, none inside if it does not end.
fn quoted(text: &str) -> Option<Option<usize>> {
    let rest = text.strip_prefix('{')?;
    let name = rest.find(|it: char| !(it.is_ascii_lowercase() || it == '_'))?;
    let (name, rest) = rest.split_at(name);
    let body = rest.strip_prefix('|')?;
    let close = format!("|{name}}}");
    let start = text.len() - body.len();
    Some(body.find(&close).map(|it| start + it + close.len()))
}

/// The length of a character, or of the mark of a type variable.
fn char_literal(text: &str) -> usize {
    let rest = &text[1..];
    if let Some(escape) = rest.strip_prefix('\\') {
        return escape.get(1..).and_then(|it| it.find('\'')).map_or(1, |it| it + 4);
    }
    let mut letters = rest.char_indices();
    match (letters.next(), letters.next()) {
        (Some(_), Some((at, '\''))) => at + 2,
        _ => 1,
    }
}

/// A datum of Scheme.
fn first_form(text: &str) -> First {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while at < bytes.len() {
        match bytes[at] {
            b';' => {
                at += text[at..].find('\n').unwrap_or(text.len() - at);
                continue;
            }
            b'#' if text[at..].starts_with("#|") => match text[at..].find("|#") {
                Some(length) => {
                    at += length + 2;
                    continue;
                }
                None => return First::Begins,
            },
            b'#' if text[at..].starts_with("#\\") => {
                let rest = &text[at + 2..];
                let first = rest.chars().next().map_or(0, char::len_utf8);
                let more = rest[first..].find(|it: char| !it.is_alphanumeric());
                at += 2 + first + more.unwrap_or(rest.len() - first);
            }
            b'(' | b'[' => {
                depth += 1;
                at += 1;
                continue;
            }
            b')' | b']' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            b'"' => match string(&text[at..], false) {
                Some(length) => at += length,
                None => return First::Begins,
            },
            b'\'' | b'`' | b',' | b'@' => {
                at += 1;
                continue;
            }
            it if it.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            _ => {
                let ends = |it: char| it.is_whitespace() || "()[]\";".contains(it);
                at += text[at..].find(ends).unwrap_or(text.len() - at);
            }
        }
        if depth == 0 {
            return First::Ends(at, at);
        }
    }
    if depth > 0 { First::Begins } else { First::Nothing }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ml(text: &str) -> First {
        first_phrase(Language::Ocaml, text)
    }

    #[test]
    fn a_phrase_of_ocaml_ends_with_two_semicolons() {
        assert_eq!(ml("let x = 1;; 2"), First::Ends(9, 11));
        assert_eq!(ml("let x = 1"), First::Begins);
        assert_eq!(ml("\";;\";;"), First::Ends(4, 6));
        assert_eq!(ml("(* ;; (* \"*)\" *) *) 1;;"), First::Ends(21, 23));
        assert_eq!(ml("';';;"), First::Ends(3, 5));
        assert_eq!(ml("fun (x : 'a) -> '\\'';;"), First::Ends(20, 22));
        assert_eq!(ml("{a|;;|a};;"), First::Ends(8, 10));
        assert_eq!(ml("{a|;;"), First::Begins);
        assert_eq!(ml("(* 1 *) \n"), First::Nothing);
        assert_eq!(ml("#quit\n1"), First::Ends(5, 5));
        assert_eq!(ml("#use \"a\";; 1"), First::Ends(8, 10));
    }

    #[test]
    fn a_form_of_scheme_ends_with_its_parenthesis() {
        let form = |text| first_phrase(Language::Eshkol, text);
        assert_eq!(form("(f \")\" #\\)) 1"), First::Ends(11, 11));
        assert_eq!(form("(define (f)"), First::Begins);
        assert_eq!(form("x (y)"), First::Ends(1, 1));
        assert_eq!(form(" ; (\n"), First::Nothing);
        assert_eq!(form("'(1 2)"), First::Ends(6, 6));
    }
}
