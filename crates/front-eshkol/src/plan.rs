//! The order in which the items of a block are made.
//!
//! Functions are made as late as possible: just before the first expression that needs one of them, so that
//! the variables they mention have their values already. A variable that a function mentions before
//! it has a value lives in a cell.
//!
//! ```text
//! (define (f) (g x))      cell x          x is defined after its first possible use
//! (define y (f))     ⇒    rec f, g
//! (define x 1)            let y = f ()
//! (define (g a) a)        x := 1
//! ```

use oxbow_base::{FxHashMap, FxHashSet, IdMap, IdSet, IdVec};

use crate::core::{Core, CoreKind, Item, Var, VarId};

#[derive(Debug, PartialEq)]
pub enum Step {
    /// A cell for a variable whose value comes later.
    Cell(VarId),
    /// Functions that may call each other, by the index of their items.
    Functions(Vec<usize>),
    /// The item defines a variable or is evaluated.
    Item(usize),
}

pub struct Plan {
    pub steps: Vec<Step>,
    /// Variables in cells that can be read before they have a value.
    pub late: IdSet<VarId>,
}

/// Whether an item is a function that never changes.
pub fn is_function(item: &Item, vars: &IdVec<VarId, Var>) -> bool {
    item.var.is_some_and(|it| !vars[it].mutated) && matches!(item.value.kind, CoreKind::Lambda(_))
}

/// `body` is what follows the items.
pub fn plan(items: &[Item], body: Option<&Core>, vars: &IdVec<VarId, Var>) -> Plan {
    let index: IdMap<VarId, usize> =
        items.iter().enumerate().filter_map(|(at, item)| item.var.map(|var| (var, at))).collect();
    let uses: Vec<Vec<usize>> = items
        .iter()
        .map(|item| {
            let mut found = Vec::new();
            item.value.mentions(&index, &mut found);
            found.sort_unstable();
            found.dedup();
            found
        })
        .collect();
    let function: Vec<bool> = items.iter().map(|it| is_function(it, vars)).collect();
    let mut planner = Planner {
        items,
        uses,
        function,
        made: vec![false; items.len()],
        steps: Vec::new(),
        late: IdSet::new(),
    };
    for at in 0..items.len() {
        if planner.function[at] {
            continue;
        }
        let needed = planner.uses[at].clone();
        planner.need(&needed, at);
        planner.steps.push(Step::Item(at));
        planner.made[at] = true;
    }
    let mut last = Vec::new();
    match body {
        Some(body) => body.mentions(&index, &mut last),
        None => last.extend(0..items.len()),
    }
    planner.need(&last, items.len());
    let cells = planner
        .late
        .iter()
        .chain(items.iter().filter_map(|it| it.var).filter(|&it| vars[it].mutated));
    let mut cells: Vec<VarId> = cells.collect();
    cells.sort_unstable();
    cells.dedup();
    let mut steps: Vec<Step> = cells.into_iter().map(Step::Cell).collect();
    steps.extend(planner.steps);
    Plan { steps, late: planner.late }
}

struct Planner<'a> {
    items: &'a [Item],
    uses: Vec<Vec<usize>>,
    function: Vec<bool>,
    made: Vec<bool>,
    steps: Vec<Step>,
    late: IdSet<VarId>,
}

impl Planner<'_> {
    /// Makes the functions that `needed` leads to; what else is not made yet is late.
    fn need(&mut self, needed: &[usize], _at: usize) {
        let mut group = Vec::new();
        let mut todo: Vec<usize> = needed.to_vec();
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        while let Some(at) = todo.pop() {
            if self.made[at] || !seen.insert(at) {
                continue;
            }
            if self.function[at] {
                group.push(at);
                todo.extend(self.uses[at].iter().copied());
            } else {
                self.late.extend(self.items[at].var);
            }
        }
        if group.is_empty() {
            return;
        }
        group.sort_unstable();
        for &at in &group {
            self.made[at] = true;
        }
        for component in components(&group, &self.uses) {
            self.steps.push(Step::Functions(component));
        }
    }
}

/// Strongly connected components of the functions in `group`, callees first.
fn components(group: &[usize], uses: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let place: FxHashMap<usize, usize> = group.iter().enumerate().map(|(i, &at)| (at, i)).collect();
    let edges: Vec<Vec<usize>> = group
        .iter()
        .map(|&at| uses[at].iter().filter_map(|it| place.get(it).copied()).collect())
        .collect();
    let back = |it: Vec<usize>| it.into_iter().map(|at| group[at]).collect();
    oxbow_base::components(&edges).into_iter().map(back).collect()
}
