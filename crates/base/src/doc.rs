//! Text that is broken into lines as OCaml's `Format` does it.
//!
//! ```text
//! @[<2>val x :@ int@ =@ 3@]     group(Hov, 2, [text("val x :"), SPACE, text("int"), SPACE, …])
//! ```
//!
//! A box that fits into the rest of its line is not broken. Otherwise each break of an `Hv` box is a line's end, and
//! one of an `Hov` box is if what stands before the next one does not fit.

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doc {
    Text(String),
    /// So many spaces, or a line's end, behind which the text stands so much further in than the box.
    Break(usize, isize),
    Box(Kind, usize, Vec<Doc>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All breaks or none.
    Hv,
    /// As many as are needed.
    Hov,
}

/// A space where a line may end.
pub const SPACE: Doc = Doc::Break(1, 0);

/// `Format`'s margin: a line has fewer columns.
pub const MARGIN: usize = 78;

impl Doc {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub fn hov(indent: usize, parts: Vec<Self>) -> Self {
        Self::Box(Kind::Hov, indent, parts)
    }

    pub fn hv(indent: usize, parts: Vec<Self>) -> Self {
        Self::Box(Kind::Hv, indent, parts)
    }

    /// Parts with something between them.
    pub fn joined(parts: impl IntoIterator<Item = Self>, between: &[Self]) -> Vec<Self> {
        let mut out = Vec::new();
        for part in parts {
            if !out.is_empty() {
                out.extend_from_slice(between);
            }
            out.push(part);
        }
        out
    }

    fn width(&self) -> usize {
        match self {
            Self::Text(text) => text.chars().count(),
            Self::Break(spaces, _) => *spaces,
            Self::Box(_, _, parts) => parts.iter().map(Self::width).sum(),
        }
    }

    /// The text, from the first column on, without a line's end behind it.
    pub fn render(&self) -> String {
        let mut out = Writer { text: String::new(), column: 0 };
        out.write(self);
        out.text
    }
}

struct Writer {
    text: String,
    column: usize,
}

impl Writer {
    fn write(&mut self, doc: &Doc) {
        match doc {
            Doc::Text(text) => {
                self.text.push_str(text);
                self.column += text.chars().count();
            }
            Doc::Break(spaces, _) => self.spaces(*spaces),
            Doc::Box(kind, indent, parts) => {
                let fits = self.column + doc.width() < MARGIN;
                let start = self.column + indent;
                for (at, part) in parts.iter().enumerate() {
                    match part {
                        Doc::Break(spaces, more) if !fits => {
                            let rest = parts[at + 1..].iter();
                            let next: usize = rest
                                .take_while(|it| !matches!(it, Doc::Break(..)))
                                .map(Doc::width)
                                .sum();
                            let ends = *kind == Kind::Hv || self.column + spaces + next >= MARGIN;
                            if ends {
                                self.text.push('\n');
                                self.column = 0;
                                self.spaces(start.saturating_add_signed(*more));
                            } else {
                                self.spaces(*spaces);
                            }
                        }
                        other => self.write(other),
                    }
                }
            }
        }
    }

    fn spaces(&mut self, count: usize) {
        self.text.extend(std::iter::repeat_n(' ', count));
        self.column += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What OCaml's prompt prints for `List.init 30 Fun.id`.
    #[test]
    fn a_long_list_is_broken_where_it_must() {
        let items = (0..30).map(|it| Doc::text(it.to_string()));
        let mut parts = vec![Doc::text("[")];
        parts.extend(Doc::joined(items, &[Doc::text(";"), SPACE]));
        parts.push(Doc::text("]"));
        let list = Doc::hov(1, parts);
        let all = Doc::hov(0, vec![Doc::text("- : int list ="), SPACE, list]);
        let expected = "- : int list =\n\
            [0; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12; 13; 14; 15; 16; 17; 18; 19; 20;\n \
            21; 22; 23; 24; 25; 26; 27; 28; 29]";
        assert_eq!(all.render(), expected);
    }

    #[test]
    fn an_hv_box_ends_all_lines_or_none() {
        let items = || {
            vec![
                Doc::text("sig"),
                SPACE,
                Doc::text("val x : int"),
                Doc::Break(1, -2),
                Doc::text("end"),
            ]
        };
        assert_eq!(Doc::hv(2, items()).render(), "sig val x : int end");
        let long = Doc::text("x".repeat(70));
        let all = Doc::hv(2, [items(), vec![long]].concat());
        assert!(all.render().starts_with("sig\n  val x : int\nendx"));
    }
}
