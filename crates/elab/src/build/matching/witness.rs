//! A value that no case covers, in source syntax.
//!
//! The way to a failing leaf says what is known of each place: its head, or heads that it
//! does not have, of which the first other one is taken. What was not looked at is `_`.

use oxbow_base::{Id, IdMap, Symbol};

use super::pattern::{Aside, Con, View, tags_of};
use super::tree::{PlaceId, Plan, ROOT, Tree};
use crate::types::{Tag, TyConKind, Types, labelled_tuple};

/// More examples than these are not looked for.
const MOST: usize = 32;
/// No more steps than these are taken for examples behind the first one.
const FUEL: usize = 5_000;

/// Examples for the failing leaves of the tree: one for each constructor that is not there.
pub(super) fn uncovered(types: &Types, plan: &Plan<'_>, literals: Literals) -> Vec<String> {
    let shared = vec![false; plan.shared.len()];
    let mut search = Search {
        types,
        plan,
        literals,
        known: IdMap::new(),
        covered: shared,
        found: Vec::new(),
        fails: 0,
        steps: 0,
    };
    search.tree(&plan.tree);
    search.found
}

enum Shape {
    Head(Con, usize, Vec<(u32, PlaceId)>),
    Lazy(PlaceId),
    /// The same value, at another type.
    Same(PlaceId),
    /// Not printed any further.
    Text(String),
}

struct Search<'c, 't> {
    types: &'c Types,
    plan: &'c Plan<'t>,
    literals: Literals,
    /// What is known of the places on the way.
    known: IdMap<PlaceId, Shape>,
    /// The shared trees without a failing leaf.
    covered: Vec<bool>,
    found: Vec<String>,
    /// How many failing leaves there were, also those with the same example.
    fails: usize,
    steps: usize,
}

impl<'t> Search<'_, 't> {
    fn at(&mut self, place: PlaceId, shape: Shape, tree: &Tree<'t>) {
        self.known.insert(place, shape);
        self.tree(tree);
        self.known.remove(place);
    }

    fn tree(&mut self, tree: &Tree<'t>) {
        self.steps += 1;
        if self.found.len() >= MOST || self.steps > FUEL && !self.found.is_empty() {
            return;
        }
        match tree {
            Tree::Fail => {
                self.fails += 1;
                let Search { types, known, literals, .. } = &*self;
                let printer = Printer { types, known, literals: *literals };
                let example = printer.place(PlaceId::from_index(ROOT), Position::Top);
                if !self.found.contains(&example) {
                    self.found.push(example);
                }
            }
            Tree::Leaf { otherwise, .. } => {
                if let Some(it) = otherwise.as_deref() {
                    self.tree(it);
                }
            }
            Tree::Open { place, con, parts, next } => {
                let shape = Shape::Head(con.clone(), arity(self.types, con), parts.clone());
                self.at(*place, shape, next);
            }
            Tree::Force { place, force: View::Force(..), value, next } => {
                self.at(*place, Shape::Lazy(*value), next);
            }
            Tree::Force { place, force: View::Retype(_), value, next } => {
                self.at(*place, Shape::Same(*value), next);
            }
            Tree::Switch { place, branches, default } => {
                if let Some(tree) = default.as_deref() {
                    let heads: Vec<&Con> = branches.iter().map(|it| &it.con).collect();
                    for shape in other_heads(self.types, &heads) {
                        self.at(*place, shape, tree);
                    }
                }
                for it in branches {
                    let arity = arity(self.types, &it.con);
                    let shape = Shape::Head(it.con.clone(), arity, it.parts.clone());
                    self.at(*place, shape, &it.tree);
                }
            }
            Tree::Chars { place, classes } => {
                for it in classes {
                    let chars = || it.intervals.iter().flat_map(|&(low, high)| low..=high);
                    let char = chars().find(u8::is_ascii_alphanumeric).or_else(|| chars().next());
                    let shape = Shape::Text(char_text(char.unwrap_or(b' ')));
                    self.at(*place, shape, &it.tree);
                }
            }
            Tree::Shared(id) if self.covered[id.index()] => (),
            Tree::Shared(id) => {
                let plan = self.plan;
                let before = self.fails;
                self.tree(&plan.shared[*id]);
                self.covered[id.index()] = self.fails == before;
            }
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

/// The heads that are not among these: all constructors and tags of a closed type, one of what has no end of them.
fn other_heads(types: &Types, heads: &[&Con]) -> Vec<Shape> {
    let Some(first) = heads.first() else { return vec![Shape::Text("_".into())] };
    match first {
        Con::Ctor(tycon, _) if let TyConKind::Variant(ctors) = &types.tycons[*tycon].kind => {
            let is_missing = |it: &u32| !heads.contains(&&Con::Ctor(*tycon, *it));
            let shape = |it: u32| {
                let arity = ctors[it as usize].args.len();
                Shape::Head(Con::Ctor(*tycon, it), arity, Vec::new())
            };
            let mut missing: Vec<u32> = (0..ctors.len() as u32).filter(is_missing).collect();
            if missing.is_empty() {
                missing.push(0);
            }
            missing.into_iter().map(shape).collect()
        }
        Con::Tag { row, .. } if let Some(tags) = tags_of(types, row.0) => {
            let has =
                |name| heads.iter().any(|it| matches!(it, Con::Tag { tag, .. } if *tag == name));
            let missing = tags.iter().filter(|it| !has(it.0));
            let shape = |(tag, bounds): &(Symbol, Tag)| {
                let holds = bounds.types().first().copied();
                let con = Con::Tag { row: *row, tag: *tag, holds: Aside(holds) };
                Shape::Head(con, usize::from(holds.is_some()), Vec::new())
            };
            let missing: Vec<Shape> = missing.map(shape).collect();
            match missing.is_empty() {
                true => vec![any_other_tag()],
                false => missing,
            }
        }
        Con::Bool(_)
        | Con::Int(..)
        | Con::Char(_)
        | Con::String(_)
        | Con::Float(_)
        | Con::Ctor(..)
        | Con::Tag { .. }
        | Con::Exn(_)
        | Con::Tuple(_)
        | Con::Record(_)
        | Con::Array(_) => vec![other_head(first, heads)],
    }
}

fn other_head(first: &Con, heads: &[&Con]) -> Shape {
    match first {
        Con::Bool(value) => Shape::Text((!value).to_string()),
        Con::Int(width, _) => {
            let value = (0..).find(|&it| !heads.contains(&&Con::Int(*width, it))).unwrap_or(0);
            Shape::Head(Con::Int(*width, value), 0, Vec::new())
        }
        Con::Tag { .. } => any_other_tag(),
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
        Con::Ctor(..) | Con::Exn(_) | Con::Char(_) | Con::Tuple(_) | Con::Record(_) => {
            Shape::Text("_".into())
        }
    }
}

fn any_other_tag() -> Shape {
    Shape::Text("`AnyOtherTag".into())
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
