//! A value that no case covers, in source syntax.
//!
//! The way to a failing leaf says what is known of each place: its head, or heads that it
//! does not have, of which the first other one is taken. What was not looked at is `_`.

use oxbow_base::{Id, IdMap};

use super::pattern::{Aside, Con, View, tags_of};
use super::tree::{PlaceId, Plan, ROOT, Tree};
use crate::types::{TyConKind, Types, labelled_tuple};

/// An example for the first failing leaf, if the tree has one.
pub(super) fn uncovered(types: &Types, plan: &Plan<'_>, literals: Literals) -> Option<String> {
    let mut known = IdMap::new();
    let mut covered = vec![false; plan.shared.len()];
    let found = find(types, plan, &plan.tree, &mut known, &mut covered);
    let printer = Printer { types, known: &known, literals };
    found.then(|| printer.place(PlaceId::from_index(ROOT), Position::Top))
}

enum Shape {
    Head(Con, usize, Vec<(u32, PlaceId)>),
    Lazy(PlaceId),
    /// The same value, at another type.
    Same(PlaceId),
    /// Not printed any further.
    Text(String),
}

/// Leaves what it knows of the way in `known` when it finds a failing leaf. `covered` are the shared trees without one.
fn find(
    types: &Types,
    plan: &Plan<'_>,
    tree: &Tree<'_>,
    known: &mut IdMap<PlaceId, Shape>,
    covered: &mut [bool],
) -> bool {
    let mut attempt = |place: PlaceId, shape: Shape, tree: &Tree<'_>| {
        known.insert(place, shape);
        let found = find(types, plan, tree, known, covered);
        if !found {
            known.remove(place);
        }
        found
    };
    match tree {
        Tree::Fail => true,
        Tree::Leaf { otherwise, .. } => {
            otherwise.as_deref().is_some_and(|it| find(types, plan, it, known, covered))
        }
        Tree::Open { place, con, parts, next } => {
            attempt(*place, Shape::Head(con.clone(), arity(types, con), parts.clone()), next)
        }
        Tree::Force { place, force: View::Force(..), value, next } => {
            attempt(*place, Shape::Lazy(*value), next)
        }
        Tree::Force { place, force: View::Retype(_), value, next } => {
            attempt(*place, Shape::Same(*value), next)
        }
        Tree::Switch { place, branches, default } => {
            let other = default.as_deref().is_some_and(|tree| {
                let heads: Vec<&Con> = branches.iter().map(|it| &it.con).collect();
                attempt(*place, other_head(types, &heads), tree)
            });
            other
                || branches.iter().any(|it| {
                    let arity = arity(types, &it.con);
                    attempt(*place, Shape::Head(it.con.clone(), arity, it.parts.clone()), &it.tree)
                })
        }
        Tree::Chars { place, classes } => classes.iter().any(|it| {
            let chars = || it.intervals.iter().flat_map(|&(low, high)| low..=high);
            let char =
                chars().find(u8::is_ascii_alphanumeric).or_else(|| chars().next()).unwrap_or(b' ');
            attempt(*place, Shape::Text(char_text(char)), &it.tree)
        }),
        Tree::Shared(id) if covered[id.index()] => false,
        Tree::Shared(id) => {
            let found = find(types, plan, &plan.shared[*id], known, covered);
            covered[id.index()] = !found;
            found
        }
    }
}

fn arity(types: &Types, con: &Con) -> usize {
    match con {
        Con::Ctor(tycon, ctor) => match &types.tycons[*tycon].kind {
            TyConKind::Variant(ctors) => ctors[*ctor as usize].args.len(),
            _ => 0,
        },
        Con::Record(tycon) => match &types.tycons[*tycon].kind {
            TyConKind::Record(fields) => fields.len(),
            _ => 0,
        },
        Con::Exn(exn) => types.exns[*exn].args.len(),
        Con::Tag { holds, .. } => usize::from(holds.0.is_some()),
        Con::Array(length) => *length,
        Con::Tuple(arity) => *arity,
        Con::Bool(_) | Con::Int(..) | Con::Char(_) | Con::String(_) | Con::Float(_) => 0,
    }
}

fn other_head(types: &Types, heads: &[&Con]) -> Shape {
    let Some(first) = heads.first() else { return Shape::Text("_".into()) };
    match first {
        Con::Bool(value) => Shape::Text((!value).to_string()),
        Con::Int(width, _) => {
            let value = (0..).find(|&it| !heads.contains(&&Con::Int(*width, it))).unwrap_or(0);
            Shape::Head(Con::Int(*width, value), 0, Vec::new())
        }
        Con::Ctor(tycon, _) => match &types.tycons[*tycon].kind {
            TyConKind::Variant(ctors) => {
                let missing =
                    (0..ctors.len() as u32).find(|&it| !heads.contains(&&Con::Ctor(*tycon, it)));
                let ctor = missing.unwrap_or(0);
                Shape::Head(Con::Ctor(*tycon, ctor), ctors[ctor as usize].args.len(), Vec::new())
            }
            _ => Shape::Text("_".into()),
        },
        Con::Tag { row, .. } => {
            let has =
                |name| heads.iter().any(|it| matches!(it, Con::Tag { tag, .. } if *tag == name));
            let missing = tags_of(types, row.0).and_then(|it| it.iter().find(|it| !has(it.0)));
            let Some((tag, bounds)) = missing else { return Shape::Text("`AnyOtherTag".into()) };
            let holds = bounds.types().first().copied();
            let con = Con::Tag { row: *row, tag: *tag, holds: Aside(holds) };
            let arity = usize::from(holds.is_some());
            Shape::Head(con, arity, Vec::new())
        }
        Con::Array(_) => {
            let length = (0..).find(|&it| !heads.contains(&&Con::Array(it))).unwrap_or(0);
            Shape::Head(Con::Array(length), length, Vec::new())
        }
        Con::String(_) => {
            let text = (0..)
                .map(|it| "*".repeat(it))
                .find(|it| !heads.contains(&&Con::String(it.as_bytes().into())));
            Shape::Text(format!("\"{}\"", text.unwrap_or_default()))
        }
        Con::Float(_) => {
            let whole =
                (0..1000).map(f64::from).find(|it| !heads.contains(&&Con::Float(it.to_bits())));
            Shape::Text(format!("{:?}", whole.unwrap_or(0.5)))
        }
        Con::Exn(_) | Con::Char(_) | Con::Tuple(_) | Con::Record(_) => Shape::Text("_".into()),
    }
}

/// What the text around a pattern allows without parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Position {
    Top,
    /// Left of `::`.
    Element,
    /// Argument of a constructor.
    Argument,
}

/// Whose literals an example shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Literals {
    OCaml,
    Clef,
}

struct Printer<'c> {
    literals: Literals,
    types: &'c Types,
    known: &'c IdMap<PlaceId, Shape>,
}

impl Printer<'_> {
    fn place(&self, place: PlaceId, position: Position) -> String {
        match self.known.get(place) {
            None => "_".into(),
            Some(Shape::Text(text)) => text.clone(),
            Some(Shape::Same(value)) => self.place(*value, position),
            Some(Shape::Lazy(value)) => {
                let text = format!("lazy {}", self.place(*value, Position::Argument));
                parenthesized(text, position == Position::Argument)
            }
            Some(Shape::Head(con, arity, parts)) => self.head(con, *arity, parts, position),
        }
    }

    fn head(
        &self,
        con: &Con,
        arity: usize,
        parts: &[(u32, PlaceId)],
        position: Position,
    ) -> String {
        let part = |index: usize, position: Position| {
            let place = parts.iter().find(|it| it.0 as usize == index);
            place.map_or("_".into(), |it| self.place(it.1, position))
        };
        let list = || (0..arity).map(|it| part(it, Position::Top)).collect::<Vec<_>>();
        match con {
            Con::Bool(value) => value.to_string(),
            Con::Int(width, value) => {
                let suffix = match width {
                    oxbow_psg::IntWidth::I63 => "",
                    oxbow_psg::IntWidth::I32 if self.literals == Literals::Clef => "",
                    oxbow_psg::IntWidth::I32 => "l",
                    oxbow_psg::IntWidth::I64 => "L",
                    oxbow_psg::IntWidth::I8 => "y",
                    oxbow_psg::IntWidth::I16 => "s",
                    oxbow_psg::IntWidth::U8 => "uy",
                    oxbow_psg::IntWidth::U16 => "us",
                    oxbow_psg::IntWidth::U32 => "u",
                    oxbow_psg::IntWidth::U64 => "UL",
                };
                parenthesized(format!("{value}{suffix}"), *value < 0 && position != Position::Top)
            }
            Con::Char(value) => char_text(*value),
            Con::String(value) => format!("\"{}\"", value.escape_ascii()),
            Con::Float(bits) => format!("{:?}", f64::from_bits(*bits)),
            Con::Tuple(_) => format!("({})", list().join(", ")),
            Con::Array(_) => format!("[|{}|]", list().join("; ")),
            Con::Record(tycon) if let Some(labels) = &self.types.tycons[*tycon].labels => {
                let part = |index: u32| {
                    let known = parts.iter().find(|it| it.0 == index);
                    known.map_or("_".into(), |it| self.place(it.1, Position::Argument))
                };
                labelled_tuple(labels, (0..).map(part))
            }
            Con::Record(tycon) => match &self.types.tycons[*tycon].kind {
                // What the compiler made of an enumeration of flags: people know no fields of it.
                TyConKind::Record(fields) if fields.iter().all(|it| it.name.is_hidden()) => {
                    "_".into()
                }
                TyConKind::Record(fields) => {
                    self.fields(fields.iter().map(|it| it.name.as_str()), parts)
                }
                _ => "_".into(),
            },
            Con::Ctor(tycon, ctor) => match &self.types.tycons[*tycon].kind {
                TyConKind::Variant(ctors) => {
                    let info = &ctors[*ctor as usize];
                    match (info.name.as_str(), info.inline_record) {
                        ("::", _) if arity == 2 => {
                            let text = format!(
                                "{} :: {}",
                                part(0, Position::Element),
                                part(1, Position::Top)
                            );
                            parenthesized(text, position != Position::Top)
                        }
                        (name, Some(record)) => self.inline(name, record, parts, position),
                        (name, None) => {
                            applied(name, list(), |it| part(it, Position::Argument), position)
                        }
                    }
                }
                _ => "_".into(),
            },
            Con::Tag { tag, .. } => {
                applied(&format!("`{tag}"), list(), |it| part(it, Position::Argument), position)
            }
            Con::Exn(exn) => {
                let info = &self.types.exns[*exn];
                match info.inline_record {
                    Some(record) => self.inline(info.name.as_str(), record, parts, position),
                    None => applied(
                        info.name.as_str(),
                        list(),
                        |it| part(it, Position::Argument),
                        position,
                    ),
                }
            }
        }
    }

    fn inline(
        &self,
        name: &str,
        record: crate::types::TyConId,
        parts: &[(u32, PlaceId)],
        position: Position,
    ) -> String {
        let fields = match &self.types.tycons[record].kind {
            TyConKind::InlineRecord { fields, .. } => {
                self.fields(fields.iter().map(|it| it.name.as_str()), parts)
            }
            _ => "_".into(),
        };
        parenthesized(format!("{name} {fields}"), position == Position::Argument)
    }

    /// `{ x = 1; _ }`, with the fields that are known.
    fn fields<'n>(&self, names: impl Iterator<Item = &'n str>, parts: &[(u32, PlaceId)]) -> String {
        let mut shown = Vec::new();
        let mut all = true;
        for (index, name) in (0..).zip(names) {
            match parts.iter().find(|it| it.0 == index).map(|it| self.place(it.1, Position::Top)) {
                Some(text) if text != "_" => shown.push(format!("{name} = {text}")),
                _ => all = false,
            }
        }
        if shown.is_empty() {
            return "_".into();
        }
        if !all {
            shown.push("_".into());
        }
        format!("{{ {} }}", shown.join("; "))
    }
}

fn applied(
    name: &str,
    args: Vec<String>,
    argument: impl Fn(usize) -> String,
    position: Position,
) -> String {
    let text = match args.len() {
        0 => return name.into(),
        1 => format!("{name} {}", argument(0)),
        // `C _` stands for all arguments.
        _ if args.iter().all(|it| it == "_") => format!("{name} _"),
        _ => format!("{name} ({})", args.join(", ")),
    };
    parenthesized(text, position == Position::Argument)
}

fn parenthesized(text: String, needed: bool) -> String {
    if needed { format!("({text})") } else { text }
}

fn char_text(char: u8) -> String {
    match char {
        b'\'' | b'\\' => format!("'\\{}'", char::from(char)),
        b' '..=b'~' => format!("'{}'", char::from(char)),
        _ => format!("'\\{char:03}'"),
    }
}
