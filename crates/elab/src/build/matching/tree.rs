//! From rows of patterns to a decision tree.
//!
//! ```text
//! columns  p0   p1
//!          []   _      → 0          switch p0 { []   → 0
//!          _    []     → 1                      (::) → switch p1 { []   → 1
//!          x::_ y::_   → 2                                         (::) → 2 } }
//! ```
//!
//! The first row decides: if nothing of it is left to test it is the leaf, otherwise one
//! of the columns it needs is tested and every row goes to the branches it may match in.
//! A lazy value is forced when the first row needs nothing else. Each way through the
//! tree looks at a place once.
//!
//! Ways that are left with the same rows in the same columns go on in one tree: it is a graph, whose parts with several
//! ways to them stand in [`Plan::shared`]. A match whose graph is too large all the same is reported
//! (`limits::DECISIONS`).

use std::cmp::Reverse;

use oxbow_base::indexmap::IndexMap;
use oxbow_base::{FxHashMap, Id, IdMap, IdVec, define_id};
use oxbow_diag::limits::{self, Budget, Limit};
use oxbow_psg::VarId;

use super::pattern::{Alternative, Con, Converter, Pat, View, Views};
use super::rows::{ANY, Row, first_rows, is_same_view, key, open_alternatives, parts_of};
use super::sharing::Sharing;
use crate::build::walk::pattern_vars;
use crate::tast::Pattern;
use crate::types::Types;

define_id!(
    /// A tree that several ways lead to.
    pub(super) SharedId, "t"
);
define_id!(
    /// A part of the scrutinee, known on some ways through the tree; 0 is the whole.
    pub(in crate::build) PlaceId, "p"
);

/// Parts by position.
pub(super) type Parts = Vec<(u32, PlaceId)>;

#[derive(Debug)]
pub(super) enum Tree<'t> {
    Fail,
    /// The row of a case matches. With a guard, `otherwise` is what to do if it is false.
    Leaf {
        arm: usize,
        binds: Vec<(VarId, PlaceId)>,
        otherwise: Option<Box<Tree<'t>>>,
    },
    /// Names parts of a value whose head is known from its type.
    Open {
        place: PlaceId,
        con: Con,
        parts: Parts,
        next: Box<Tree<'t>>,
    },
    Force {
        place: PlaceId,
        force: View<'t>,
        value: PlaceId,
        next: Box<Tree<'t>>,
    },
    Switch {
        place: PlaceId,
        branches: Vec<Branch<'t>>,
        default: Option<Box<Tree<'t>>>,
    },
    /// A partition of all characters.
    Chars {
        place: PlaceId,
        classes: Vec<Class<'t>>,
    },
    Shared(SharedId),
}

#[derive(Debug)]
pub(super) struct Branch<'t> {
    pub(super) con: Con,
    pub(super) parts: Parts,
    pub(super) tree: Tree<'t>,
}

/// Characters that go the same way, as ascending inclusive intervals.
#[derive(Debug)]
pub(super) struct Class<'t> {
    pub(super) intervals: Vec<(u8, u8)>,
    pub(super) tree: Tree<'t>,
}

/// A compiled match and what is known of its cases.
#[derive(Debug)]
pub(in crate::build) struct Plan<'t> {
    pub(super) tree: Tree<'t>,
    /// What [`Tree::Shared`] stands for; a tree may lead to those before it.
    pub(super) shared: IdVec<SharedId, Tree<'t>>,
    /// There would be too many tests.
    pub(super) too_large: bool,
    pub(super) arms: Vec<ArmPlan>,
    pub(super) fails: usize,
    pub(super) alternatives: Vec<Alternative>,
    /// By number of alternative.
    pub(super) used: Vec<bool>,
}

#[derive(Clone, Debug)]
pub(super) struct ArmPlan {
    pub(super) vars: Vec<VarId>,
    pub(super) span: oxbow_base::Span,
    pub(super) guarded: bool,
    pub(super) leaves: usize,
}

pub(super) const ROOT: usize = 0;

pub(super) fn plan<'t>(types: &Types, rows: &[(&'t Pattern, bool)], views: &Views) -> Plan<'t> {
    let arms = rows
        .iter()
        .map(|(pattern, guarded)| ArmPlan {
            vars: pattern_vars(pattern),
            span: pattern.span,
            guarded: *guarded,
            leaves: 0,
        })
        .collect();
    let mut converter =
        Converter { types, alternatives: Vec::new(), only: None, views, forces: Vec::new() };
    let pats: Vec<Pat<'t>> = rows
        .iter()
        .enumerate()
        .map(|(arm, (pattern, _))| converter.convert(pattern, arm))
        .collect();
    let order = order(views);
    compile(types, &pats, arms, converter.alternatives, order)
}

pub(super) fn plan_selection<'t>(
    types: &Types,
    pattern: &'t Pattern,
    (var, name): (VarId, VarId),
    views: &Views,
) -> Plan<'t> {
    let arms = vec![ArmPlan { vars: vec![name], span: pattern.span, guarded: false, leaves: 0 }];
    let only = Some((var, name));
    let mut converter =
        Converter { types, alternatives: Vec::new(), only, views, forces: Vec::new() };
    let pat = converter.convert(pattern, 0);
    compile(types, &[pat], arms, converter.alternatives, order(views))
}

/// Which of the columns that the first row needs is tested.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TestOrder {
    /// The one that costs least.
    Best,
    /// The first: what it tells of types is needed for those behind it.
    FirstToLast,
}

fn order(views: &Views) -> TestOrder {
    if views.is_empty() { TestOrder::Best } else { TestOrder::FirstToLast }
}

/// One row for each of `arms`.
pub(super) fn compile<'t>(
    types: &Types,
    pats: &[Pat<'t>],
    arms: Vec<ArmPlan>,
    alternatives: Vec<Alternative>,
    order: TestOrder,
) -> Plan<'t> {
    compile_within(PLAIN, types, pats, arms, alternatives, order)
}

/// What has more tests than `plain` shares its parts.
fn compile_within<'t>(
    plain: Limit,
    types: &Types,
    pats: &[Pat<'t>],
    arms: Vec<ArmPlan>,
    alternatives: Vec<Alternative>,
    order: TestOrder,
) -> Plan<'t> {
    let try_it = |shares: bool, limit: Limit, arms: Vec<ArmPlan>| {
        let used = vec![false; alternatives.len()];
        let mut compiler = Compiler {
            types,
            order,
            places: 1,
            arms,
            fails: 0,
            used,
            shares,
            known: FxHashMap::default(),
            parts: Vec::new(),
            budget: Budget::new(limit),
        };
        let columns = [PlaceId::from_index(ROOT)];
        let tree = compiler.rows(first_rows(pats, &columns), &columns);
        (tree, compiler)
    };
    // Where parts are passed to a join, later stages know less about them: only large matches share.
    let (mut tree, mut compiler) = try_it(false, plain, arms.clone());
    if compiler.budget.is_spent() {
        (tree, compiler) = try_it(true, limits::DECISIONS, arms);
    }
    let Compiler { arms, fails, used, parts, budget, .. } = compiler;
    let mut sharing = Sharing { parts, kept: IdMap::new(), shared: IdVec::new() };
    let tree = sharing.resolve(tree);
    let shared = sharing.shared;
    Plan { tree, shared, too_large: budget.is_spent(), arms, fails, alternatives, used }
}

/// A match with no more tests than this is a tree.
const PLAIN: Limit = Limit { what: "tests in a tree", most: 300 };

struct Compiler<'c, 't> {
    types: &'c Types,
    order: TestOrder,
    places: usize,
    arms: Vec<ArmPlan>,
    fails: usize,
    used: Vec<bool>,
    /// Rows that come up again are not compiled again.
    shares: bool,
    /// The trees made so far, by what they are made of.
    known: FxHashMap<Vec<usize>, usize>,
    parts: Vec<Part<'t>>,
    budget: Budget,
}

/// A tree that was made of some rows.
pub(super) struct Part<'t> {
    pub(super) tree: Tree<'t>,
    /// How many ways lead to it.
    pub(super) uses: usize,
    /// Which of its rows have a leaf in it, by position.
    pub(super) reached: Vec<bool>,
}

impl<'t> Compiler<'_, 't> {
    /// The tree of these rows: one that is known, if they have come up before.
    fn rows(&mut self, mut rows: Vec<Row<'_, 't>>, columns: &[PlaceId]) -> Tree<'t> {
        if rows.len() < 2 {
            return self.make(rows, columns);
        }
        if !self.budget.take(1) {
            return Tree::Fail;
        }
        if !self.shares {
            return self.make(rows, columns);
        }
        let key = key(&rows, columns);
        if let Some(&at) = self.known.get(&key) {
            for (position, row) in rows.iter().enumerate() {
                if self.parts[at].reached[position] {
                    self.reach(row);
                }
            }
            self.parts[at].uses += 1;
            return Tree::Shared(SharedId::from_index(at));
        }
        let at = self.parts.len();
        self.parts.push(Part { tree: Tree::Fail, uses: 1, reached: vec![false; rows.len()] });
        self.known.insert(key, at);
        for (position, row) in rows.iter_mut().enumerate() {
            row.ways.push((at, position));
        }
        let tree = self.make(rows, columns);
        self.parts[at].tree = tree;
        Tree::Shared(SharedId::from_index(at))
    }

    /// A row has a leaf, and has it in all trees around.
    fn reach(&mut self, row: &Row<'_, 't>) {
        for &alternative in &row.used {
            self.used[alternative] = true;
        }
        for &(at, position) in &row.ways {
            self.parts[at].reached[position] = true;
        }
    }

    fn make(&mut self, mut rows: Vec<Row<'_, 't>>, columns: &[PlaceId]) -> Tree<'t> {
        loop {
            if rows.is_empty() {
                self.fails += 1;
                return Tree::Fail;
            }
            let Some(column) = self.choose(&rows) else { return self.leaf(rows, columns) };
            if rows.iter().any(|it| matches!(it.cells[column], Pat::Or(_))) {
                // The first row may now need another column, or none.
                rows = open_alternatives(rows, column, columns);
                continue;
            }
            // Where only later rows look at another view of the value, they do so in a column of
            // their own.
            if !matches!(rows[0].cells[column], Pat::Lazy(..))
                && rows.iter().any(|it| matches!(it.cells[column], Pat::Lazy(..)))
            {
                let mut wider = columns.to_vec();
                wider.push(columns[column]);
                for row in &mut rows {
                    let lazy = matches!(row.cells[column], Pat::Lazy(..));
                    let cell =
                        if lazy { std::mem::replace(&mut row.cells[column], ANY) } else { ANY };
                    row.cells.push(cell);
                }
                return self.rows(rows, &wider);
            }
            return match rows[0].cells[column] {
                Pat::Lazy(force, _) => self.force(rows, columns, column, *force),
                Pat::Range(..) | Pat::Con(Con::Char(_), _) => self.chars(rows, columns, column),
                Pat::Con(con, parts) if con.is_only(self.types) => {
                    let (con, arity) = (con.clone(), parts.len());
                    let opened =
                        rows.into_iter().map(|it| (parts_of(it.cells[column]), it)).collect();
                    let (parts, next) = self.descend(opened, columns, column, arity);
                    Tree::Open { place: columns[column], con, parts, next: Box::new(next) }
                }
                Pat::Con(..) => self.switch(rows, columns, column),
                Pat::Any | Pat::Bind(..) | Pat::Or(_) => {
                    oxbow_diag::ice!("the chosen column needs no test")
                }
            };
        }
    }

    /// Of the columns that the first row needs: one that costs no test, else the one that
    /// most rows from the first on need; a lazy one last.
    fn choose(&self, rows: &[Row<'_, '_>]) -> Option<usize> {
        let needs = |row: &Row<'_, '_>, column: usize| !matches!(row.cells[column], Pat::Any);
        let first = rows.first()?;
        if self.order == TestOrder::FirstToLast {
            return (0..first.cells.len()).find(|&column| needs(first, column));
        }
        (0..first.cells.len()).filter(|&column| needs(first, column)).min_by_key(|&column| {
            let mut lead = first.cells[column];
            loop {
                lead = match lead {
                    Pat::Bind(_, inner) => inner,
                    Pat::Or(alternatives) => match alternatives.first() {
                        Some((_, inner)) => inner,
                        None => break,
                    },
                    Pat::Any | Pat::Con(..) | Pat::Range(..) | Pat::Lazy(..) => break,
                };
            }
            let cost = match lead {
                Pat::Con(con, _) if con.is_only(self.types) => 0,
                Pat::Lazy(..) => 2,
                Pat::Any | Pat::Bind(..) | Pat::Con(..) | Pat::Range(..) | Pat::Or(_) => 1,
            };
            let run = rows.iter().take_while(|row| needs(row, column)).count();
            let all = rows.iter().filter(|row| needs(row, column)).count();
            (cost, Reverse(run), Reverse(all), column)
        })
    }

    fn leaf(&mut self, mut rows: Vec<Row<'_, 't>>, columns: &[PlaceId]) -> Tree<'t> {
        let first = rows.remove(0);
        self.reach(&first);
        self.arms[first.arm].leaves += 1;
        let otherwise = self.arms[first.arm].guarded.then(|| {
            // A case whose guard is false is done with, whatever its other alternatives match.
            rows.retain(|it| it.arm != first.arm);
            Box::new(self.rows(rows, columns))
        });
        Tree::Leaf { arm: first.arm, binds: first.binds, otherwise }
    }

    fn place(&mut self) -> PlaceId {
        self.places += 1;
        PlaceId::from_index(self.places - 1)
    }

    /// Replaces a column by the parts that some row looks at. A row without parts matches
    /// whatever they are.
    fn descend<'p>(
        &mut self,
        rows: Vec<(Option<&'p [Pat<'t>]>, Row<'p, 't>)>,
        columns: &[PlaceId],
        column: usize,
        arity: usize,
    ) -> (Parts, Tree<'t>) {
        let looks = |index: usize| {
            rows.iter().any(|(parts, _)| parts.is_some_and(|it| !matches!(it[index], Pat::Any)))
        };
        let wanted: Vec<usize> = (0..arity).filter(|&it| looks(it)).collect();
        let parts: Parts = wanted.iter().map(|&it| (it as u32, self.place())).collect();
        let mut inner = columns.to_vec();
        inner.splice(column..=column, parts.iter().map(|it| it.1));
        let rows = rows
            .into_iter()
            .map(|(parts, mut row)| {
                let cells = wanted.iter().map(|&it| parts.map_or(ANY, |parts| &parts[it]));
                row.cells.splice(column..=column, cells);
                row.settle(&inner);
                row
            })
            .collect();
        let tree = self.rows(rows, &inner);
        (parts, tree)
    }

    fn force(
        &mut self,
        rows: Vec<Row<'_, 't>>,
        columns: &[PlaceId],
        column: usize,
        force: View<'t>,
    ) -> Tree<'t> {
        // The value stays for the rows that look at it otherwise.
        let value = self.place();
        let mut inner = columns.to_vec();
        let at = match force {
            View::Force(..) => inner.len(),
            View::Retype(_) => column + 1,
        };
        inner.insert(at, value);
        let rows = rows
            .into_iter()
            .map(|mut row| {
                let mut seen: &Pat<'t> = ANY;
                if let Pat::Lazy(other, pat) = row.cells[column]
                    && is_same_view(force, *other)
                {
                    row.cells[column] = ANY;
                    seen = pat;
                }
                row.cells.insert(at, seen);
                row.settle(&inner);
                row
            })
            .collect();
        Tree::Force {
            place: columns[column],
            force,
            value,
            next: Box::new(self.rows(rows, &inner)),
        }
    }

    fn switch(&mut self, rows: Vec<Row<'_, 't>>, columns: &[PlaceId], column: usize) -> Tree<'t> {
        let mut groups: IndexMap<Con, Vec<_>, rustc_hash::FxBuildHasher> = IndexMap::default();
        let mut rest: Vec<Row<'_, 't>> = Vec::new();
        for row in rows {
            match row.cells[column] {
                Pat::Con(con, parts) => groups
                    .entry(con.clone())
                    .or_insert_with(|| rest.iter().map(|it| (None, it.clone())).collect())
                    .push((Some(parts.as_slice()), row)),
                Pat::Any | Pat::Bind(..) | Pat::Range(..) | Pat::Or(_) | Pat::Lazy(..) => {
                    for group in groups.values_mut() {
                        group.push((None, row.clone()));
                    }
                    rest.push(row);
                }
            }
        }
        let all = groups.first().and_then(|(con, _)| con.siblings(self.types));
        let complete = all == Some(groups.len());
        let branches = groups
            .into_iter()
            .map(|(con, rows)| {
                let arity = rows.iter().find_map(|it| it.0).map_or(0, <[Pat<'_>]>::len);
                let (parts, tree) = self.descend(rows, columns, column, arity);
                Branch { con, parts, tree }
            })
            .collect();
        let default = (!complete).then(|| Box::new(self.without(rest, columns, column)));
        Tree::Switch { place: columns[column], branches, default }
    }

    fn without(
        &mut self,
        mut rows: Vec<Row<'_, 't>>,
        columns: &[PlaceId],
        column: usize,
    ) -> Tree<'t> {
        for row in &mut rows {
            row.cells.remove(column);
        }
        let mut inner = columns.to_vec();
        inner.remove(column);
        self.rows(rows, &inner)
    }

    fn chars(&mut self, rows: Vec<Row<'_, 't>>, columns: &[PlaceId], column: usize) -> Tree<'t> {
        let intervals: Vec<(u8, u8)> = rows
            .iter()
            .map(|row| match row.cells[column] {
                Pat::Range(low, high) => (*low, *high),
                Pat::Con(Con::Char(char), _) => (*char, *char),
                Pat::Any | Pat::Bind(..) | Pat::Con(..) | Pat::Or(_) | Pat::Lazy(..) => {
                    (0, u8::MAX)
                }
            })
            .collect();
        // Nothing behind a row that asks no more can be reached.
        let last: Vec<bool> = rows
            .iter()
            .map(|row| {
                let mut others = row.cells.iter().enumerate().filter(|it| it.0 != column);
                !self.arms[row.arm].guarded && others.all(|(_, cell)| matches!(cell, Pat::Any))
            })
            .collect();
        let mut groups: IndexMap<Vec<usize>, Vec<(u8, u8)>> = IndexMap::new();
        for char in 0..=u8::MAX {
            let mut matching = Vec::new();
            for (at, (low, high)) in intervals.iter().enumerate() {
                if (*low..=*high).contains(&char) {
                    matching.push(at);
                    if last[at] {
                        break;
                    }
                }
            }
            let of_group = groups.entry(matching).or_default();
            match of_group.last_mut() {
                Some((_, high)) if *high + 1 == char => *high = char,
                _ => of_group.push((char, char)),
            }
        }
        let classes = groups
            .into_iter()
            .map(|(matching, intervals)| {
                let rows = matching.iter().map(|&it| rows[it].clone()).collect();
                Class { intervals, tree: self.without(rows, columns, column) }
            })
            .collect();
        Tree::Chars { place: columns[column], classes }
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
