//! The documentation comments of a file of OCaml, with their places. Strings, characters and other comments are gone
//! over, as the lexer does.
//!
//! ```text
//! (** text *)    a comment about something        (**/**)    what follows is not for readers
//! ```

/// A comment: where it begins and ends, and where its text does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    pub start: usize,
    pub end: usize,
    pub text: (usize, usize),
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    /// `(**/**)`
    Stop,
}

/// All documentation comments, in their order.
pub fn comments(text: &str) -> Vec<Comment> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = string(bytes, at),
            b'\'' => at = character(bytes, at),
            b'{' => at = quoted(text, at).unwrap_or(at + 1),
            b'(' if bytes.get(at + 1) == Some(&b'*') => {
                let end = comment(text, at);
                found.extend(documentation(text, at, end));
                at = end;
            }
            _ => at += 1,
        }
    }
    found
}

fn documentation(text: &str, start: usize, end: usize) -> Option<Comment> {
    let whole = &text[start..end];
    if whole == "(**/**)" {
        return Some(Comment { start, end, text: (end, end), kind: Kind::Stop });
    }
    let inside = whole.strip_prefix("(**")?.strip_suffix("*)")?;
    // Rows of stars are lines in the text.
    if inside.starts_with('*') || inside.trim().is_empty() {
        return None;
    }
    Some(Comment { start, end, text: (start + 3, end - 2), kind: Kind::Text })
}

/// Behind the comment that begins at `at`.
fn comment(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut open = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(b"(*") {
            open += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*)") {
            open -= 1;
            at += 2;
            if open == 0 {
                return at;
            }
        } else {
            at = match bytes[at] {
                b'"' => string(bytes, at),
                b'\'' => character(bytes, at),
                b'{' => quoted(text, at).unwrap_or(at + 1),
                _ => at + 1,
            };
        }
    }
    bytes.len()
}

fn string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// `'"'`, `'\''`; elsewhere a quote begins a type variable or ends a name.
fn character(bytes: &[u8], at: usize) -> usize {
    match bytes[at + 1..] {
        [b'\\', ..] => {
            let end = bytes[at + 2..].iter().skip(1).position(|&it| it == b'\'');
            end.map_or(at + 1, |it| at + it + 4)
        }
        [_, b'\'', ..] => at + 3,
        _ => at + 1,
    }
}

/// `{id|…|id}`
fn quoted(text: &str, at: usize) -> Option<usize> {
    let inside = &text[at + 1..];
    let id = inside.find(|it: char| !(it.is_ascii_lowercase() || it == '_'))?;
    inside[id..].strip_prefix('|')?;
    let end = format!("|{}}}", &inside[..id]);
    let length = inside[id + 1..].find(&end)?;
    Some(at + 1 + id + 1 + length + end.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_characters_hold_no_comments() {
        let text = "let a = \"(** x *)\" let b = '\"' (** y \"*)\" *) let c = {|(** z *)|} (**/**)";
        let all = comments(text);
        let texts: Vec<&str> = all.iter().map(|it| &text[it.text.0..it.text.1]).collect();
        assert_eq!(texts, [" y \"*)\" ", ""]);
        assert_eq!(all[1].kind, Kind::Stop);
        assert_eq!(comments("(*** row ***) (**) (* (** in *) *)"), []);
        assert_eq!(comments("let c = '\\'' (** a *)").len(), 1);
    }
}
