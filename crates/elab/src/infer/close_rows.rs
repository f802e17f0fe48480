//! Which rows a match closes.
//!
//! ```text
//! function `A -> 1 | `B -> 2              [< `A | `B ] -> int      no other tag may come
//! function `A -> 1 | `B -> 2 | _ -> 3     [> `A | `B ] -> int      others may
//! ```
//!
//! The tags of a column of patterns are all there are, unless the rows of the match that take any value there are
//! exhaustive by themselves. This is decided before the bodies of the cases are typed.
//! After J. Garrigue, *Typing deep pattern-matching in presence of polymorphic variants*, 2004.

use oxbow_base::Symbol;
use oxbow_base::indexmap::IndexMap;
use oxbow_psg::ExnId;

use crate::ast;
use crate::tast::{Pattern, PatternKind};
use crate::types::{GENERIC, Row, Tag, TyConId, TyConKind, Type, TypeId};

use super::Infer;
use super::env::Env;
use super::pattern::Bound;

/// What tells the patterns of a column apart.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Head {
    Tag(Symbol),
    Ctor(TyConId, u32),
    Bool(bool),
    Exn(ExnId),
    Array(usize),
    /// A constant, of which there are too many to cover: its text.
    Constant(String),
    /// The only form of values of its type.
    Only,
}

/// A row of patterns; nothing stands for any value.
type Cells<'p> = Vec<Option<&'p Pattern>>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// Close rows on the way.
    Close,
    /// Only say whether all values are covered, with rows taken as closed.
    Ask,
}

impl Infer<'_> {
    /// The patterns of cases with tags, typed before the bodies; none if there are no tags.
    pub(super) fn row_patterns(
        &mut self,
        env: &Env,
        cases: &[ast::Case],
        scrutinee: TypeId,
    ) -> Vec<(Pattern, Bound)> {
        if !cases.iter().any(|it| it.pattern.has_tags()) {
            return Vec::new();
        }
        // A pattern that tells something of types is typed again in its branch.
        let opens = cases.iter().any(|it| self.may_open(env, &it.pattern));
        let mark = self.diagnostics.mark();
        let one = |cx: &mut Self, it: &ast::Case| {
            cx.case_pattern(env, &it.pattern, it.guard.is_some(), scrutinee)
        };
        let typed: Vec<_> = match opens {
            true => cases.iter().map(|it| self.in_branch(|cx| one(cx, it))).collect(),
            false => cases.iter().map(|it| one(self, it)).collect(),
        };
        // A guard may be false.
        let sure = typed.iter().zip(cases).filter(|it| it.1.guard.is_none());
        let sure: Vec<&Pattern> = sure.map(|it| &it.0.0).collect();
        self.pressure(sure.into_iter().map(|it| vec![Some(it)]).collect(), Aim::Close);
        typed.iter().for_each(|it| self.settle_tags(&it.0));
        if opens {
            self.diagnostics.rollback(mark);
            return Vec::new();
        }
        typed
    }

    /// The same for a pattern that stands alone.
    pub(super) fn close_rows(&mut self, patterns: &[&Pattern]) {
        if patterns.iter().any(|it| it.contains(is_tag)) {
            self.pressure(patterns.iter().map(|it| vec![Some(*it)]).collect(), Aim::Close);
            patterns.iter().for_each(|it| self.settle_tags(it));
        }
    }

    /// Are all values covered?
    fn pressure(&mut self, rows: Vec<Cells<'_>>, aim: Aim) -> bool {
        match rows.first() {
            None => return false,
            Some(first) if first.is_empty() => return true,
            Some(_) => (),
        }
        let mut opened = Vec::new();
        rows.into_iter().for_each(|it| open_head(it, &mut opened));
        let mut groups: IndexMap<Head, (Vec<Cells<'_>>, usize)> = IndexMap::new();
        let mut column = None;
        for row in &opened {
            if let Some(pattern) = row[0] {
                let (head, parts) = head_of(pattern);
                let width = parts.len().max(groups.get(&head).map_or(0, |it| it.1));
                groups.entry(head).or_default().1 = width;
                column = column.or(Some(pattern));
            }
        }
        let mut default: Vec<Cells<'_>> = Vec::new();
        for row in opened {
            match row[0] {
                Some(pattern) => {
                    let (head, mut parts) = head_of(pattern);
                    let Some(group) = groups.get_mut(&head) else { continue };
                    parts.resize(group.1, None);
                    parts.extend(&row[1..]);
                    group.0.push(parts);
                }
                None => {
                    for (rows, width) in groups.values_mut() {
                        let mut cells = vec![None; *width];
                        cells.extend(&row[1..]);
                        rows.push(cells);
                    }
                    default.push(row[1..].to_vec());
                }
            }
        }
        let Some(column) = column else { return self.pressure(default, aim) };
        let heads: Vec<Head> = groups.keys().cloned().collect();
        if aim == Aim::Ask && !self.is_full(column, &heads, Aim::Ask) {
            return self.pressure(default, Aim::Ask);
        }
        let full = self.is_full(column, &heads, Aim::Ask);
        let mut covered = full;
        for (rows, _) in groups.into_values() {
            covered &= self.pressure(rows, aim);
        }
        if aim == Aim::Close && !self.is_full(column, &heads, Aim::Close) {
            if matches!(column.kind, PatternKind::Variant { .. })
                && !self.pressure(default.clone(), Aim::Ask)
            {
                self.close_row(column.ty);
            }
            if !full {
                return self.pressure(default, aim);
            }
        }
        covered
    }

    /// Do these heads stand for all values of the column? With [`Aim::Ask`], a row has no tags but those that it must
    /// have.
    fn is_full(&mut self, column: &Pattern, heads: &[Head], aim: Aim) -> bool {
        match &heads[0] {
            Head::Only => true,
            Head::Bool(_) => heads.len() == 2,
            Head::Ctor(tycon, _) => {
                let tycon = self.types.declaration(*tycon);
                matches!(&self.types.tycons[tycon].kind,
                    TyConKind::Variant(ctors) if ctors.len() == heads.len())
            }
            Head::Tag(_) => {
                let Some((row, _)) = self.row_of(column.ty) else { return false };
                let rigid = row.is_fixed() || row.level == GENERIC;
                let counts = |tag: &Tag| match tag {
                    Tag::Present(_) | Tag::Poly { .. } | Tag::Maybe { matched: true, .. } => true,
                    Tag::Maybe { matched: false, .. } => aim == Aim::Close || rigid,
                };
                let has = |name: Symbol| heads.contains(&Head::Tag(name));
                (row.closed || aim == Aim::Ask && !rigid)
                    && row.tags.iter().all(|(name, tag)| !counts(tag) || has(*name))
            }
            Head::Exn(_) | Head::Array(_) | Head::Constant(_) => false,
        }
    }

    fn row_of(&mut self, ty: TypeId) -> Option<(Row, TypeId)> {
        let at = self.types.expand(ty);
        match &self.types.nodes[at] {
            Type::Row(row) if !row.object => Some((row.as_ref().clone(), at)),
            _ => None,
        }
    }

    fn close_row(&mut self, ty: TypeId) {
        let Some((mut row, at)) = self.row_of(ty) else { return };
        if row.is_fixed() || row.level == GENERIC {
            return;
        }
        row.tags.retain(|it| !matches!(it.1, Tag::Maybe { matched: false, .. }));
        row.closed = true;
        self.set_node(at, Type::Row(Box::new(row)));
    }

    /// The tags of an open row are there for certain; in a closed one they may be.
    fn settle_tags(&mut self, pattern: &Pattern) {
        let mut todo = vec![pattern];
        while let Some(pattern) = todo.pop() {
            pattern.for_each_part(|it| todo.push(it));
            let PatternKind::Variant { tag, .. } = &pattern.kind else { continue };
            let Some((mut row, at)) = self.row_of(pattern.ty) else { continue };
            let Some(Tag::Maybe { constant, types, matched: true }) = row.find(*tag).cloned()
            else {
                continue;
            };
            let mut same = Vec::new();
            let settled = match types.first() {
                None if constant && !row.closed => Tag::Present(None),
                Some(&first) if !constant && !row.closed => {
                    same = types[1..].to_vec();
                    same.iter_mut().for_each(|it| *it = self.types.repr(*it));
                    Tag::Present(Some(first))
                }
                _ => Tag::Maybe { constant, types: types.clone(), matched: false },
            };
            row.add(*tag, settled);
            self.set_node(at, Type::Row(Box::new(row)));
            for other in same {
                let _ = self.unify(types[0], other);
            }
        }
    }
}

fn is_tag(pattern: &Pattern) -> bool {
    matches!(pattern.kind, PatternKind::Variant { .. })
}

/// Adds the row with the alternatives of its first pattern apart, and its names gone.
fn open_head<'p>(mut row: Cells<'p>, opened: &mut Vec<Cells<'p>>) {
    match row[0].map(|it| &it.kind) {
        Some(PatternKind::Alias(inner, _)) => {
            row[0] = Some(inner);
            open_head(row, opened);
        }
        Some(PatternKind::Or(left, right)) => {
            for side in [left, right] {
                let mut row = row.clone();
                row[0] = Some(side);
                open_head(row, opened);
            }
        }
        Some(
            PatternKind::Any | PatternKind::Var(_) | PatternKind::Unit | PatternKind::Error(_),
        ) => {
            row[0] = None;
            opened.push(row);
        }
        Some(_) | None => opened.push(row),
    }
}

fn head_of(pattern: &Pattern) -> (Head, Cells<'_>) {
    let mut parts = Vec::new();
    pattern.for_each_part(|it| parts.push(Some(it)));
    let head = match &pattern.kind {
        PatternKind::Variant { tag, .. } => Head::Tag(*tag),
        PatternKind::Construct { tycon, ctor, .. } => Head::Ctor(*tycon, *ctor),
        PatternKind::Bool(value) => Head::Bool(*value),
        PatternKind::Exn { exn, .. } => Head::Exn(*exn),
        PatternKind::Array(items) => Head::Array(items.len()),
        PatternKind::Constant(constant) => Head::Constant(format!("{constant:?}")),
        PatternKind::CharRange(low, high) => Head::Constant(format!("{low}-{high}")),
        PatternKind::Record { fields, .. } => {
            // A part for each field, so that the columns of all records agree.
            let most = fields.iter().map(|it| it.0 + 1).max().unwrap_or(0) as usize;
            let mut parts: Cells<'_> = vec![None; most];
            for (index, field) in fields {
                parts[*index as usize] = Some(field);
            }
            return (Head::Only, parts);
        }
        PatternKind::Tuple(_)
        | PatternKind::Lazy { .. }
        | PatternKind::Any
        | PatternKind::Var(_)
        | PatternKind::Unit
        | PatternKind::Alias(..)
        | PatternKind::Or(..)
        | PatternKind::Error(_) => Head::Only,
    };
    (head, parts)
}
