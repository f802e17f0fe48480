//! The rows of a match: what is left of each case behind the tests so far.

use oxbow_base::Id;
use oxbow_psg::VarId;

use super::pattern::{Pat, View};
use super::tree::PlaceId;
use crate::tast::Expr;

pub(super) const ANY: &Pat<'static> = &Pat::Any;

#[derive(Clone)]
pub(super) struct Row<'p, 't> {
    pub(super) cells: Vec<&'p Pat<'t>>,
    pub(super) binds: Vec<(VarId, PlaceId)>,
    /// Alternatives chosen on the way.
    pub(super) used: Vec<usize>,
    /// The trees that are being made of it and others, with its position among their rows.
    pub(super) ways: Vec<(usize, usize)>,
    pub(super) arm: usize,
}

impl Row<'_, '_> {
    /// Moves bindings out of the cells.
    pub(super) fn settle(&mut self, columns: &[PlaceId]) {
        for (cell, &place) in self.cells.iter_mut().zip(columns) {
            while let Pat::Bind(var, inner) = *cell {
                self.binds.push((*var, place));
                *cell = inner;
            }
        }
    }
}

pub(super) fn first_rows<'p, 't>(pats: &'p [Pat<'t>], columns: &[PlaceId]) -> Vec<Row<'p, 't>> {
    let row = |(arm, pat)| {
        let mut row =
            Row { cells: vec![pat], binds: Vec::new(), used: Vec::new(), ways: Vec::new(), arm };
        row.settle(columns);
        row
    };
    pats.iter().enumerate().map(row).collect()
}

/// What a tree is made of: the rows and columns that are left.
pub(super) fn key(rows: &[Row<'_, '_>], columns: &[PlaceId]) -> Vec<usize> {
    let mut key: Vec<usize> = columns.iter().map(|it| it.index()).collect();
    for row in rows {
        key.push(row.arm);
        key.extend(row.cells.iter().map(|it| match it {
            Pat::Any => 0,
            other => std::ptr::from_ref(*other) as usize,
        }));
        key.push(row.binds.len());
        key.extend(row.binds.iter().flat_map(|it| [it.0.index(), it.1.index()]));
    }
    key
}

pub(super) fn parts_of<'p, 't>(pat: &'p Pat<'t>) -> Option<&'p [Pat<'t>]> {
    match pat {
        Pat::Con(_, parts) => Some(parts),
        Pat::Any | Pat::Bind(..) | Pat::Range(..) | Pat::Or(_) | Pat::Lazy(..) => None,
    }
}

/// A row for each alternative of the column, in order.
pub(super) fn open_alternatives<'p, 't>(
    rows: Vec<Row<'p, 't>>,
    column: usize,
    columns: &[PlaceId],
) -> Vec<Row<'p, 't>> {
    let mut opened = Vec::with_capacity(rows.len());
    let mut todo: Vec<Row<'p, 't>> = rows.into_iter().rev().collect();
    while let Some(row) = todo.pop() {
        let Pat::Or(alternatives) = row.cells[column] else {
            opened.push(row);
            continue;
        };
        for (number, pat) in alternatives.iter().rev() {
            let mut row = row.clone();
            row.cells[column] = pat;
            row.used.push(*number);
            row.settle(columns);
            todo.push(row);
        }
    }
    opened
}

pub(super) fn is_same_view(a: View<'_>, b: View<'_>) -> bool {
    match (a, b) {
        (View::Force(a, at), View::Force(b, other)) => at == other && same_view(a, b),
        (View::Retype(a), View::Retype(b)) => a == b,
        (View::Force(..), View::Retype(_)) | (View::Retype(_), View::Force(..)) => false,
    }
}

/// Do two functions that are applied to a value before it is matched do the same?
fn same_view(a: &Expr, b: &Expr) -> bool {
    use crate::tast::ExprKind;
    match (&a.kind, &b.kind) {
        (ExprKind::Var { var: a, .. }, ExprKind::Var { var: b, .. }) => a == b,
        (ExprKind::Constant(a), ExprKind::Constant(b)) => a == b,
        // Of a packed module, for one of its exceptions.
        (
            ExprKind::Field { object: a, record, index },
            ExprKind::Field { object: b, record: other, index: at },
        ) => record == other && index == at && same_view(a, b),
        (ExprKind::Apply { func: f, args: a }, ExprKind::Apply { func: g, args: b }) => {
            same_view(f, g) && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_view(a, b))
        }
        _ => false,
    }
}
