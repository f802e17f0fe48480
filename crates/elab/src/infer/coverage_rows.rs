//! The rows that coverage searches: what patterns look at first, and what is left of them behind it.

use oxbow_base::Symbol;

use crate::ast::Constant;
use crate::tast::{Pattern, PatternKind};
use crate::types::{TyConId, TypeId};

/// A pattern, or anything.
pub(super) type Cell<'t> = Option<&'t Pattern>;

/// A value that is not covered, as far as it is known.
pub(super) enum Found {
    Any,
    Text(String),
    Ctor(TyConId, u32, Vec<Found>),
    Tag(Symbol, Option<Box<Found>>),
    Tuple(Vec<Found>),
    Record(TyConId, Vec<Found>),
    Lazy(Box<Found>),
}

/// The first cell of a row and the others.
pub(super) type Row<'t> = (Cell<'t>, Vec<Cell<'t>>);

/// The first column and what stands behind it.
#[derive(Clone)]
pub(super) struct Step<'t> {
    pub(super) rows: Vec<Row<'t>>,
    pub(super) cell: Cell<'t>,
    pub(super) ty: TypeId,
    pub(super) rest: Vec<(Cell<'t>, TypeId)>,
    pub(super) fuel: u32,
}

/// A head of a type with many.
#[derive(Clone, PartialEq)]
pub(super) enum Head {
    Bool(bool),
    Char(u8),
    Constant(Constant),
    Array(usize),
    Exn(oxbow_psg::ExnId),
}

impl Head {
    pub(super) fn fits(&self, pattern: &Pattern) -> bool {
        heads_of(pattern).contains(self)
    }

    pub(super) fn found(&self) -> Found {
        Found::Text(match self {
            Head::Bool(value) => value.to_string(),
            Head::Char(value) => format!("'{}'", value.escape_ascii()),
            Head::Constant(Constant::Int(value)) => value.to_string(),
            Head::Constant(Constant::String(value)) => format!("\"{}\"", value.escape_ascii()),
            Head::Constant(_) | Head::Array(_) | Head::Exn(_) => "_".into(),
        })
    }
}

pub(super) fn heads_of(pattern: &Pattern) -> Vec<Head> {
    match &pattern.kind {
        PatternKind::Bool(value) => vec![Head::Bool(*value)],
        PatternKind::Constant(Constant::Char(value)) => vec![Head::Char(*value)],
        PatternKind::CharRange(low, high) => (*low..=*high).map(Head::Char).collect(),
        PatternKind::Constant(constant) => vec![Head::Constant(constant.clone())],
        PatternKind::Array(items) => vec![Head::Array(items.len())],
        PatternKind::Exn { exn, .. } => vec![Head::Exn(*exn)],
        _ => Vec::new(),
    }
}

/// Without names; nothing if the pattern matches everything.
pub(super) fn looked_into(pattern: &Pattern) -> Cell<'_> {
    match &pattern.kind {
        PatternKind::Any | PatternKind::Var(_) | PatternKind::Unit | PatternKind::Error(_) => None,
        PatternKind::Alias(inner, _) => looked_into(inner),
        _ => Some(pattern),
    }
}

/// A row for each alternative of the first cell.
pub(super) fn first_cells(mut row: Vec<Cell<'_>>) -> Vec<Row<'_>> {
    let first = row.remove(0);
    let mut rows = Vec::new();
    let mut todo = vec![first];
    while let Some(cell) = todo.pop() {
        match cell.and_then(looked_into) {
            Some(Pattern { kind: PatternKind::Or(left, right), .. }) => {
                todo.extend([Some(&**right), Some(&**left)]);
            }
            cell => rows.push((cell, row.clone())),
        }
    }
    rows
}

pub(super) fn ctor_of(pattern: &Pattern) -> Option<u32> {
    match pattern.kind {
        PatternKind::Construct { ctor, .. } => Some(ctor),
        _ => None,
    }
}

pub(super) fn tag_of(pattern: &Pattern) -> Option<(Symbol, Cell<'_>)> {
    match &pattern.kind {
        PatternKind::Variant { tag, arg } => Some((*tag, arg.as_deref())),
        _ => None,
    }
}

pub(super) fn tag_parts(pattern: &Pattern) -> Vec<(usize, &Pattern)> {
    tag_of(pattern).and_then(|it| it.1).map(|it| (0, it)).into_iter().collect()
}

pub(super) fn ctor_parts(pattern: &Pattern) -> Vec<(usize, &Pattern)> {
    match &pattern.kind {
        PatternKind::Construct { args, .. } => args.iter().enumerate().collect(),
        _ => Vec::new(),
    }
}

pub(super) fn tuple_parts(pattern: &Pattern) -> Vec<(usize, &Pattern)> {
    match &pattern.kind {
        PatternKind::Tuple(items) => items.iter().enumerate().collect(),
        _ => Vec::new(),
    }
}

pub(super) fn array_parts(pattern: &Pattern) -> Vec<(usize, &Pattern)> {
    match &pattern.kind {
        PatternKind::Array(items) | PatternKind::Exn { args: items, .. } => {
            items.iter().enumerate().collect()
        }
        _ => Vec::new(),
    }
}

pub(super) fn record_parts(pattern: &Pattern) -> Vec<(usize, &Pattern)> {
    match &pattern.kind {
        PatternKind::Record { fields, .. } => {
            fields.iter().map(|(at, it)| (*at as usize, it)).collect()
        }
        _ => Vec::new(),
    }
}

pub(super) fn lazy_parts(pattern: &Pattern) -> Vec<(usize, &Pattern)> {
    match &pattern.kind {
        PatternKind::Lazy { pattern, .. } => vec![(0, &**pattern)],
        _ => Vec::new(),
    }
}

pub(super) fn prepend(first: Found, rest: Vec<Found>) -> Vec<Found> {
    let mut all = vec![first];
    all.extend(rest);
    all
}
