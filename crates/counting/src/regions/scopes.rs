//! Where a region begins in a function, and what it holds.
//!
//! A region starts from the call of a builder. What is made of its result joins it; what only looks at it is
//! welcome; anything else means that there is no region here. Besides,
//!
//! 1. the function is not called again while it runs, so that the text bounds the number of regions;
//! 2. each place that allocates is passed at most once while the region lasts: together with
//!    builders leaving no garbage this bounds a region by a multiple of what counting would need;
//! 3. where the region begins dominates every value in it.
//!
//! Where it ends is left to the counting pass: behind the last use of any value in it.

use std::collections::HashSet;

use oxbow_base::IdVec;
use oxbow_dialect::inspect::{attr, symbol_attr};
use oxbow_dialect::melior::ir::ValueLike;
use oxbow_dialect::result_of;

use super::builders::Builders;
use super::escape::{Escapes, Fate, fate, is_static};
use crate::ir::{Function, OpIr, Program, Uses, ValueId};
use crate::reach::{is_among, type_key};
use crate::uses::Use;

/// A region of one function.
pub struct Scope {
    pub function: usize,
    /// It is entered before this op.
    pub enter: (usize, usize),
    /// The ops that make objects in it: `block.new`, and calls of builders.
    pub sites: Vec<(usize, usize)>,
    pub holds: HashSet<usize>,
    pub walked: bool,
}

pub struct Finder<'a, 'c> {
    pub program: &'a Program<'c>,
    pub escapes: &'a Escapes,
    pub builders: &'a Builders,
}

/// The functions that may be called while they run.
pub fn reentrant(program: &Program<'_>) -> Vec<bool> {
    let count = program.functions.len();
    // One more for the call of a function value.
    let mut calls: Vec<HashSet<usize>> = vec![HashSet::new(); count + 1];
    for (index, function) in program.functions.iter().enumerate() {
        for op in function.ops() {
            match op.name {
                "ocaml.call" | "ocaml.tail_call" => {
                    calls[index].insert(program.by_name[symbol_attr(op.op, "callee")]);
                }
                "ocaml.invoke" | "ocaml.tail_invoke" => {
                    calls[index].insert(count);
                }
                _ => (),
            }
        }
        // The runtime calls the program once, when nothing else runs.
        if function.is_code && attr(function.op, "exported").is_none() {
            calls[count].insert(index);
        }
    }
    strongly_connected(&calls)
}

/// The nodes of a graph that a path leads back to.
fn strongly_connected(next: &[HashSet<usize>]) -> Vec<bool> {
    let count = next.len();
    let sorted: Vec<Vec<usize>> = next
        .iter()
        .map(|it| {
            let mut all: Vec<usize> = it.iter().copied().collect();
            all.sort_unstable();
            all
        })
        .collect();
    let mut result: Vec<bool> = (0..count).map(|it| next[it].contains(&it)).collect();
    let (mut order, mut low) = (vec![usize::MAX; count], vec![0; count]);
    let (mut open, mut on_stack, mut clock) = (Vec::new(), vec![false; count], 0);
    for start in 0..count {
        if order[start] != usize::MAX {
            continue;
        }
        let mut work = vec![(start, 0)];
        while let Some((node, at)) = work.pop() {
            if at == 0 {
                order[node] = clock;
                low[node] = clock;
                clock += 1;
                open.push(node);
                on_stack[node] = true;
            }
            if let Some(&to) = sorted[node].get(at) {
                work.push((node, at + 1));
                if order[to] == usize::MAX {
                    work.push((to, 0));
                } else if on_stack[to] {
                    low[node] = low[node].min(order[to]);
                }
                continue;
            }
            if let Some(&(before, _)) = work.last() {
                low[before] = low[before].min(low[node]);
            }
            if low[node] == order[node] {
                let place = open.iter().rposition(|it| *it == node).expect("it is open");
                let group = open.split_off(place);
                for &it in &group {
                    on_stack[it] = false;
                    result[it] |= group.len() > 1;
                }
            }
        }
    }
    result
}

impl<'c> Finder<'_, 'c> {
    /// The regions of a function.
    pub fn scopes(&self, index: usize) -> Vec<Scope> {
        let function = &self.program.functions[index];
        let mut starts = Vec::new();
        for op in function.ops().filter(|it| it.name == "ocaml.call") {
            let callee = self.program.by_name[symbol_attr(op.op, "callee")];
            if self.builders.is[callee] && self.builders.many[callee] {
                starts.extend(op.results.first().copied());
            }
        }
        if starts.is_empty() {
            return Vec::new();
        }
        let uses = function.uses();
        let dominators = Dominators::new(function);
        let mut scopes = Vec::new();
        let mut used: HashSet<(usize, usize)> = HashSet::new();
        for start in starts {
            let group = Group::gather(self, function, &uses, start);
            let Some(scope) = group.and_then(|it| it.scope(index, &dominators)) else { continue };
            if scope.sites.iter().all(|it| !used.contains(it)) {
                used.extend(&scope.sites);
                scopes.push(scope);
            }
        }
        scopes
    }
}

/// What one region would hold.
struct Group<'a, 'c> {
    finder: &'a Finder<'a, 'c>,
    function: &'a Function<'c>,
    uses: &'a IdVec<ValueId, Uses>,
    /// In the region, or a part of what is.
    inside: IdVec<ValueId, bool>,
    /// Values whose makers allocate in it.
    made: Vec<ValueId>,
    holds: HashSet<usize>,
    walked: bool,
}

impl<'a, 'c> Group<'a, 'c> {
    fn gather(
        finder: &'a Finder<'a, 'c>,
        function: &'a Function<'c>,
        uses: &'a IdVec<ValueId, Uses>,
        start: ValueId,
    ) -> Option<Self> {
        let mut group = Self {
            finder,
            function,
            uses,
            inside: function.ids().map(|_| false).collect(),
            made: Vec::new(),
            holds: HashSet::new(),
            walked: false,
        };
        group.make(start)?;
        // What it holds decides which parts are in it, and those may add to what it holds.
        loop {
            let before = (group.holds.len(), group.made.len(), group.size());
            for value in function.ids().filter(|&it| group.inside[it]).collect::<Vec<_>>() {
                group.follow(value)?;
            }
            if before == (group.holds.len(), group.made.len(), group.size()) {
                break;
            }
        }
        group.is_closed().then_some(group)
    }

    fn size(&self) -> usize {
        self.function.ids().filter(|&it| self.inside[it]).count()
    }

    /// The maker of a value allocates in the region.
    fn make(&mut self, value: ValueId) -> Option<()> {
        if self.made.contains(&value) {
            return Some(());
        }
        let op = self.function.maker(value)?;
        match op.name {
            "ocaml.call" => {
                let callee = self.callee(op);
                if !self.finder.builders.is[callee] {
                    return None;
                }
                self.holds.extend(&self.finder.builders.makes[callee]);
                self.walked |= self.finder.builders.refers_out[callee];
            }
            "ocaml.block.new" if self.finder.builders.is_placeable(op) => {
                self.holds.insert(type_key(result_of(op.op, 0).r#type()));
            }
            _ => return None,
        }
        self.inside[value] = true;
        self.made.push(value);
        Some(())
    }

    fn callee(&self, op: &OpIr<'_>) -> usize {
        self.finder.program.by_name[symbol_attr(op.op, "callee")]
    }

    /// Follows a value to its uses; none if one of them cannot be.
    fn follow(&mut self, value: ValueId) -> Option<()> {
        for at in 0..self.uses[value].ops.len() {
            let (block, at) = self.uses[value].ops[at];
            let op = &self.function.blocks[block as usize].ops[at as usize];
            for &(_, how) in op.operands.iter().filter(|it| it.0 == value) {
                match fate(self.finder.program, op, how) {
                    Fate::Looked => (),
                    Fate::Read if op.name == "ocaml.block.get" => {
                        for &part in &op.results {
                            if is_among(self.function.values[part].value.r#type(), &self.holds) {
                                self.inside[part] = true;
                            }
                        }
                    }
                    Fate::Read => return None,
                    Fate::Passed(..) if op.name == "ocaml.tail_call" => return None,
                    Fate::Passed(callee, at) => {
                        let result = op.results.first().copied();
                        let kept = self.finder.builders.is[callee]
                            && self.finder.builders.kept[callee][at as usize];
                        if kept {
                            self.make(result?)?;
                        } else if self
                            .finder
                            .escapes
                            .of(callee, at)
                            .iter()
                            .any(|it| self.holds.contains(it))
                        {
                            return None;
                        }
                    }
                    Fate::Escapes if op.name == "ocaml.block.new" => self.make(op.results[0])?,
                    Fate::Escapes => return None,
                }
            }
        }
        for &arg in &self.uses[value].args {
            self.inside[arg] = true;
        }
        Some(())
    }

    /// Does everything that must be in the region come from it?
    fn is_closed(&mut self) -> bool {
        let fine = |it: ValueId| self.inside[it] || is_static(self.function, it);
        let mut walked = self.walked;
        for &value in &self.made {
            let Some(op) = self.function.maker(value) else { return false };
            for &(operand, how) in &op.operands {
                let must = match how {
                    Use::Param(at) => self.finder.builders.kept[self.callee(op)][at as usize],
                    _ => false,
                };
                if must && !fine(operand) {
                    return false;
                }
                walked |= op.name == "ocaml.block.new" && !fine(operand);
            }
        }
        let edges = self.function.blocks.iter().flat_map(|it| &it.edges);
        let passed = edges.flat_map(|it| &it.passed);
        let mut all_fine = true;
        for &(value, arg) in passed {
            all_fine &= !self.inside[arg] || fine(value);
        }
        self.walked = walked;
        all_fine
    }

    fn scope(self, index: usize, dominators: &Dominators) -> Option<Scope> {
        let function = self.function;
        let mut sites: Vec<(usize, usize)> = self
            .made
            .iter()
            .map(|&it| {
                let (block, at) = function.values[it].place;
                (block as usize, at as usize)
            })
            .collect();
        sites.sort_unstable();
        let home = sites.iter().map(|it| it.0).reduce(|a, b| dominators.common(a, b))?;
        for &(block, _) in sites.iter().filter(|it| it.0 != home) {
            if function.returns_to(block, Some(home)) {
                return None;
            }
        }
        let at = match sites.iter().find(|it| it.0 == home) {
            Some(first) => first.1,
            None => function.blocks[home].ops.len() - 1,
        };
        for value in function.ids().filter(|&it| self.inside[it] && function.is_arg(it)) {
            let block = function.place(value).0;
            if block == home || dominators.common(block, home) != home {
                return None;
            }
        }
        Some(Scope {
            function: index,
            enter: (home, at),
            sites,
            holds: self.holds,
            walked: self.walked,
        })
    }
}

/// Which block every way to a block leads through, last.
struct Dominators(Vec<usize>);

impl Dominators {
    /// Blocks are in an order in which dominators come first.
    fn new(function: &Function<'_>) -> Self {
        let count = function.blocks.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (at, block) in function.blocks.iter().enumerate() {
            block.edges.iter().for_each(|it| before[it.target].push(at));
        }
        let mut all = Self(vec![usize::MAX; count]);
        all.0[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for block in 1..count {
                let known = before[block].iter().copied().filter(|it| all.0[*it] != usize::MAX);
                let new = known.reduce(|a, b| all.common(a, b)).unwrap_or(usize::MAX);
                changed |= all.0[block] != new;
                all.0[block] = new;
            }
        }
        all
    }

    /// The last block that dominates both.
    fn common(&self, a: usize, b: usize) -> usize {
        let (mut a, mut b) = (a, b);
        while a != b {
            if a > b {
                a = self.0[a];
            } else {
                b = self.0[b];
            }
        }
        a
    }
}
