//! Which comment is about which definition, by their places, as OCaml attaches them.
//!
//! ```text
//! (** Of the file. *)
//!                          an empty line parts
//! (** Of [a]. *)
//! val a : int
//!
//! val b : int (** Of [b]. *)
//! ```
//!
//! A comment stands before or behind what it is about, without an empty line between. What is about nothing stands by
//! itself. Between `(**/**)` and the next one nothing is for readers.

use oxbow_base::FileId;

use crate::comments::ocaml::{Comment, Kind};

use super::Extract;

/// A definition's place in its file.
pub type Range = (u32, u32);

/// What stands where a run of definitions does, in order.
#[derive(Debug, PartialEq, Eq)]
pub enum Place {
    /// A comment by itself.
    Text(Comment),
    /// The definition of this number, with its comments.
    Definition(usize, Vec<Comment>),
}

/// Which side of a definition its comment prefers to stand on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Before,
    /// Constructors and fields.
    Behind,
}

impl Extract<'_> {
    /// Attaches the comments between `start` and `end` to the definitions there, which are in order. Comments inside of
    /// a definition are its own affair.
    pub(super) fn attach(
        &mut self,
        file: FileId,
        (start, end): Range,
        definitions: &[Range],
        side: Side,
    ) -> Vec<Place> {
        let text = self.input.sources.file(file).text.clone();
        let within = |it: &&Comment| start as usize <= it.start && it.end <= end as usize;
        let all: Vec<Comment> = self.comments(file).iter().filter(within).copied().collect();
        attach(&text, &all, definitions, side)
    }
}

fn attach(text: &str, comments: &[Comment], definitions: &[Range], side: Side) -> Vec<Place> {
    let inside = |it: &Comment| {
        definitions.iter().any(|at| at.0 as usize <= it.start && it.end <= at.1 as usize)
    };
    let mut free = comments.iter().filter(|it| !inside(it)).peekable();
    let mut out: Vec<Place> = Vec::new();
    let mut hidden = false;
    // What is behind the last definition, if it is shown: where it stands in `out`.
    let mut last: Option<(usize, usize)> = None;
    for number in 0..=definitions.len() {
        let next = definitions.get(number).copied();
        let mut before = Vec::new();
        while let Some(comment) = free.peek()
            && next.is_none_or(|it| comment.end <= it.0 as usize)
        {
            let comment = **comment;
            free.next();
            if comment.kind == Kind::Stop {
                hidden = !hidden;
                last = None;
                continue;
            }
            if hidden {
                continue;
            }
            let to_last = last.filter(|it| touches(text, it.1, comment.start));
            let to_next = next.filter(|it| touches(text, comment.end, it.0 as usize));
            let same_line = to_last.is_some_and(|it| !text[it.1..comment.start].contains('\n'));
            let goes_back = match side {
                Side::Behind => to_last.is_some(),
                Side::Before => same_line || to_next.is_none() && to_last.is_some(),
            };
            match (to_last, goes_back) {
                (Some((at, _)), true) => {
                    if let Some(Place::Definition(_, comments)) = out.get_mut(at) {
                        comments.push(comment);
                    }
                    last = Some((at, comment.end));
                }
                _ if to_next.is_some() => before.push(comment),
                _ => {
                    out.push(Place::Text(comment));
                    last = None;
                }
            }
        }
        if let Some(next) = next {
            last = None;
            if !hidden {
                // Of several comments before it, the nearest is about it.
                let near = before.pop();
                out.extend(before.into_iter().map(Place::Text));
                last = Some((out.len(), next.1 as usize));
                out.push(Place::Definition(number, near.into_iter().collect()));
            }
        }
    }
    out
}

/// Is there no empty line between two places?
fn touches(text: &str, from: usize, to: usize) -> bool {
    text.get(from..to).is_some_and(|it| {
        let mut lines = it.split('\n');
        lines.next();
        lines.next_back();
        lines.all(|it| !it.trim().is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comments::ocaml::comments;

    /// The texts of comments by themselves, and the first of each definition.
    fn attached(text: &str, names: &[&str], side: Side) -> Vec<String> {
        let at = |it: &&str| {
            let start = text.find(*it).expect("there");
            (start as u32, (start + it.len()) as u32)
        };
        let definitions: Vec<Range> = names.iter().map(at).collect();
        let shown = |it: &Comment| text[it.text.0..it.text.1].trim().to_string();
        let places = attach(text, &comments(text), &definitions, side);
        let texts = places.iter().map(|it| match it {
            Place::Text(it) => shown(it),
            Place::Definition(number, all) => {
                let all: Vec<String> = all.iter().map(shown).collect();
                format!("{}: {}", names[*number], all.join(", "))
            }
        });
        texts.collect()
    }

    #[test]
    fn before_behind_and_alone() {
        let text = "(** File. *)\n\n(** A. *)\nval a\n\nval b (** B. *)\n(** C. *)\nval c\n(** C2. *)\n\n(** End. *)\n";
        let found = attached(text, &["val a", "val b", "val c"], Side::Before);
        assert_eq!(found, ["File.", "val a: A.", "val b: B.", "val c: C., C2.", "End."]);
    }

    #[test]
    fn what_is_between_stops_is_not_shown() {
        let text = "val a\n(**/**)\n(** B. *)\nval b\n(**/**)\n(** C. *)\nval c";
        let found = attached(text, &["val a", "val b", "val c"], Side::Before);
        assert_eq!(found, ["val a: ", "val c: C."]);
    }

    #[test]
    fn constructors_have_theirs_behind() {
        let text = "A (** A. *)\n| B\n(** B. *)\n| C";
        assert_eq!(
            attached(text, &["A", "| B", "| C"], Side::Behind),
            ["A: A.", "| B: B.", "| C: "]
        );
    }
}
