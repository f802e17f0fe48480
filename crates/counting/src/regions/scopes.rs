//! Where a region begins in a function, and what it holds.
//!
//! A region starts from the call of a builder, or from an object made in a loop. What is made of its result joins it;
//! what only looks at it is welcome; anything else means that there is no region here. Besides,
//!
//! 1. the function is not called again while the region lasts, so that the text bounds the number of regions;
//! 2. each place that allocates is passed at most once while the region lasts, or what it made before has
//!    become part of something in the region: together with builders leaving no garbage
//!    this bounds a region by a multiple of what counting would need;
//! 3. where the region begins dominates every value in it.
//!
//! Nothing is put into a region that counting would use again in place: what is passed to a function that
//! takes it apart to make objects of the same size, and the result of such a function.
//!
//! Where it ends is left to the counting pass: behind the last use of any value in it.

use oxbow_base::{FxHashMap, FxHashSet, IdVec};
use oxbow_dialect::melior::ir::ValueLike;
use oxbow_dialect::op::{Opcode, callee_of};
use oxbow_dialect::result_of;

use super::builders::Builders;
use super::calls::{self, Calls};
use super::closures;
use super::escape::{Escapes, Fate, fate, is_static};
use crate::graph::Dominators;
use crate::ir::{Def, Function, OpIr, Program, Uses, ValueId};
use crate::own::{self, Owners};
use crate::region_types::{is_among, type_key, type_keys};
use crate::uses::Use;

/// A region of one function.
pub struct Scope {
    pub function: usize,
    /// It is entered before this op.
    pub enter: (usize, usize),
    /// The ops that make objects in it: `block.new`, and calls of builders.
    pub sites: Vec<(usize, usize)>,
    pub holds: FxHashSet<usize>,
    pub walked: bool,
}

pub struct Finder<'a, 'c> {
    pub program: &'a Program<'c>,
    pub escapes: &'a Escapes,
    pub builders: &'a Builders,
    /// Who would own what without regions.
    pub owners: &'a Owners,
    pub calls: &'a Calls,
}

impl<'c> Finder<'_, 'c> {
    /// The regions of a function.
    pub fn scopes(&self, index: usize) -> Vec<Scope> {
        let function = &self.program.functions[index];
        let mut starts = Vec::new();
        for op in function.ops() {
            let many = match op.opcode {
                Opcode::Call => {
                    let callee = self.program.by_name[callee_of(op.op)];
                    self.builders.is[callee] && self.builders.many[callee]
                }
                Opcode::BlockNew => {
                    self.builders.is_placeable(op) && function.in_loop(op.results[0])
                }
                name if closures::makes(name) => {
                    closures::is_placeable(self.program, op) && function.in_loop(op.results[0])
                }
                _ => false,
            };
            if many {
                starts.extend(op.results.first().copied());
            }
        }
        if starts.is_empty() {
            return Vec::new();
        }
        let uses = function.uses();
        let borrowed = own::borrowed(function, &self.owners.args[index]);
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); function.blocks.len()];
        for (at, block) in function.blocks.iter().enumerate() {
            block.edges.iter().for_each(|it| before[it.target].push(at));
        }
        let dominators = Dominators::new(&before);
        let calls = self.calls;
        let again = calls.is_reentrant(index).then(|| calls.leading_to(index));
        let mut scopes = Vec::new();
        let mut used: FxHashSet<(usize, usize)> = FxHashSet::default();
        for start in starts {
            let Some(group) = Group::gather(self, function, &uses, &borrowed, start) else {
                continue;
            };
            let wider = group.with_closures();
            let scope = |it: Group<'_, 'c>| it.scope(index, &dominators, &again);
            let Some(scope) = wider.and_then(scope).or_else(|| scope(group)) else { continue };
            if scope.sites.iter().all(|it| !used.contains(it)) {
                used.extend(&scope.sites);
                scopes.push(scope);
            }
        }
        scopes
    }
}

/// What one region would hold.
#[derive(Clone)]
struct Group<'a, 'c> {
    finder: &'a Finder<'a, 'c>,
    function: &'a Function<'c>,
    uses: &'a IdVec<ValueId, Uses>,
    borrowed: &'a IdVec<ValueId, bool>,
    /// In the region, or a part of what is.
    inside: IdVec<ValueId, bool>,
    /// Values whose makers allocate in it.
    made: Vec<ValueId>,
    holds: FxHashSet<usize>,
    walked: bool,
    /// Types of objects outside that objects of the region refer to.
    outward: FxHashSet<usize>,
}

impl<'a, 'c> Group<'a, 'c> {
    fn gather(
        finder: &'a Finder<'a, 'c>,
        function: &'a Function<'c>,
        uses: &'a IdVec<ValueId, Uses>,
        borrowed: &'a IdVec<ValueId, bool>,
        start: ValueId,
    ) -> Option<Self> {
        let mut group = Self {
            finder,
            function,
            uses,
            borrowed,
            inside: function.ids().map(|_| false).collect(),
            made: Vec::new(),
            holds: FxHashSet::default(),
            walked: false,
            outward: FxHashSet::default(),
        };
        group.add(start)?;
        Some(group)
    }

    /// The maker of a value allocates in the region, and so does whatever that leads to.
    fn add(&mut self, value: ValueId) -> Option<()> {
        self.make(value)?;
        // What it holds decides which parts are in it, and those may add to what it holds.
        loop {
            let before = (self.holds.len(), self.made.len(), self.size());
            // A part comes behind what it is a part of: one round follows a whole chain of them.
            for value in self.function.ids() {
                if self.inside[value] {
                    self.follow(value)?;
                }
            }
            if before == (self.holds.len(), self.made.len(), self.size()) {
                break;
            }
        }
        self.is_closed().then_some(())
    }

    /// The same with the closures that its objects hold, as far as they can be in it; none if there
    /// are no others.
    fn with_closures(&self) -> Option<Self> {
        let mut group = self.clone();
        let mut at = 0;
        while let Some(&object) = group.made.get(at) {
            at += 1;
            let Some(op) = self.function.maker(object) else { continue };
            for &(part, _) in op.operands.iter().filter(|_| op.opcode == Opcode::BlockNew) {
                let maker = self.function.maker(part);
                if !group.inside[part]
                    && maker.is_some_and(|it| closures::is_placeable(self.finder.program, it))
                {
                    let mut wider = group.clone();
                    if wider.add(part).is_some() {
                        group = wider;
                    }
                }
            }
        }
        (group.made.len() > self.made.len()).then_some(group)
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
        match op.opcode {
            Opcode::Call => {
                let callee = self.callee(op);
                if !self.finder.builders.is[callee] {
                    return None;
                }
                self.holds.extend(&self.finder.builders.makes[callee]);
                self.walked |= self.finder.builders.refers_out[callee];
                self.outward.extend(&self.finder.builders.outward[callee]);
            }
            Opcode::BlockNew if self.finder.builders.is_placeable(op) => {
                self.holds.insert(type_key(result_of(op.op, 0).r#type()));
            }
            name if closures::makes(name) => {
                if !closures::is_placeable(self.finder.program, op) {
                    return None;
                }
                self.holds.insert(type_key(result_of(op.op, 0).r#type()));
                self.walked |= closures::holds_references(op.op);
            }
            _ => return None,
        }
        self.inside[value] = true;
        self.made.push(value);
        Some(())
    }

    fn callee(&self, op: &OpIr<'_>) -> usize {
        self.finder.program.by_name[callee_of(op.op)]
    }

    /// Follows a value to its uses; none if one of them cannot be.
    fn follow(&mut self, value: ValueId) -> Option<()> {
        for at in 0..self.uses[value].ops.len() {
            let (block, at) = self.uses[value].ops[at];
            let op = &self.function.blocks[block as usize].ops[at as usize];
            for &(_, how) in op.operands.iter().filter(|it| it.0 == value) {
                match fate(self.finder.program, op, how) {
                    Fate::Looked => (),
                    Fate::Read if op.opcode == Opcode::BlockGet => {
                        for &part in &op.results {
                            if is_among(self.function.values[part].value.r#type(), &self.holds) {
                                self.inside[part] = true;
                            }
                        }
                    }
                    Fate::Read => return None,
                    Fate::Passed(..) if op.opcode == Opcode::TailCall => return None,
                    Fate::Passed(callee, at) => {
                        let result = op.results.first().copied();
                        let kept = self.finder.builders.is[callee]
                            && self.finder.builders.kept[callee][at as usize];
                        if kept {
                            self.make(result?)?;
                        } else if self.finder.owners.param(self.finder.program, callee, at)
                            || self.escapes(callee, at)
                        {
                            return None;
                        }
                    }
                    Fate::Escapes if op.opcode == Opcode::BlockNew => self.make(op.results[0])?,
                    Fate::Escapes => return None,
                }
            }
        }
        for &arg in &self.uses[value].args {
            self.inside[arg] = true;
        }
        Some(())
    }

    fn escapes(&self, callee: usize, at: u32) -> bool {
        self.finder.escapes.of(callee, at).iter().any(|it| self.holds.contains(it))
    }

    /// Would the cells of an argument be used for the result of the call?
    fn is_used_up(&self, call: &OpIr<'_>, arg: ValueId, at: u32) -> bool {
        let function = self.function;
        let Some(&result) = call.results.first() else { return false };
        let (call_block, home) = (function.place(result).0, function.place(arg).0);
        let again = call_block != home && function.leads_to(call_block, call_block, Some(home));
        let only = self.uses[arg].ops.len() == 1 && self.uses[arg].passed.is_empty() && !again;
        only && !self.borrowed[arg]
            && self.finder.owners.param(self.finder.program, self.callee(call), at)
    }

    /// Does everything that must be in the region come from it?
    fn is_closed(&mut self) -> bool {
        let fine = |it: ValueId| self.inside[it] || is_static(self.function, it);
        let mut walked = self.walked;
        let mut outward = self.outward.clone();
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
                if let Use::Param(at) = how
                    && !must
                    && self.is_used_up(op, operand, at)
                {
                    return false;
                }
                if op.opcode == Opcode::BlockNew && !fine(operand) {
                    walked = true;
                    type_keys(self.function.value_type(operand), &mut outward);
                }
            }
        }
        let edges = self.function.blocks.iter().flat_map(|it| &it.edges);
        let passed = edges.flat_map(|it| &it.passed);
        let mut all_fine = true;
        for &(value, arg) in passed {
            all_fine &= !self.inside[arg] || fine(value);
        }
        all_fine &= !self.keeps_what_it_reads(&outward);
        self.walked = walked;
        all_fine
    }

    /// Is a part that may be an object outside put into the region once more? What the region holds of
    /// those is one reference, which came with the first.
    fn keeps_what_it_reads(&self, outward: &FxHashSet<usize>) -> bool {
        let is_read = |it: &ValueId| {
            let part = matches!(self.function.values[*it].def, Def::Part { .. });
            part && self.inside[*it] && is_among(self.function.value_type(*it), outward)
        };
        let mut read: Vec<ValueId> = self.function.ids().filter(is_read).collect();
        let mut at = 0;
        while let Some(&value) = read.get(at) {
            at += 1;
            for &arg in &self.uses[value].args {
                if !read.contains(&arg) {
                    read.push(arg);
                }
            }
        }
        self.made.iter().filter_map(|&it| self.function.maker(it)).any(|op| {
            op.operands.iter().any(|&(operand, how)| {
                let kept = match how {
                    Use::Param(at) => self.finder.builders.kept[self.callee(op)][at as usize],
                    _ => true,
                };
                kept && read.contains(&operand)
            })
        })
    }

    /// Is whatever a loop makes part of something else before it makes the next?
    fn leaves_no_garbage(&self, home: usize) -> bool {
        self.made.iter().all(|&site| {
            let block = self.function.place(site).0;
            if block == home || !self.function.leads_to(block, block, Some(home)) {
                return true;
            }
            // Whatever it is called before its place is reached again.
            let mut names = vec![site];
            let mut at = 0;
            while let Some(&value) = names.get(at) {
                at += 1;
                for &arg in &self.uses[value].args {
                    if !names.contains(&arg) {
                        names.push(arg);
                    }
                }
            }
            names.iter().all(|&it| {
                let at = self.function.place(it).0;
                !self.function.leads_to(at, block, Some(home)) || self.is_kept_until_next(it, home)
            })
        })
    }

    /// Does the value join another before its place is reached again?
    fn is_kept_until_next(&self, value: ValueId, home: usize) -> bool {
        let (start, from) = self.function.place(value);
        let joins = |op: &OpIr<'_>| {
            let made = op.results.first().is_some_and(|it| self.made.contains(it));
            made && op.operands.iter().any(|&(it, how)| {
                it == value
                    && match how {
                        Use::Param(at) => self.finder.builders.kept[self.callee(op)][at as usize],
                        _ => op.opcode == Opcode::BlockNew,
                    }
            })
        };
        let mut seen = vec![false; self.function.blocks.len()];
        let mut work = vec![(start, from)];
        while let Some((at, from)) = work.pop() {
            let block = &self.function.blocks[at];
            if block.ops[from..].iter().any(joins) {
                continue;
            }
            for edge in &block.edges {
                if edge.target == home || edge.passed.iter().any(|it| it.0 == value) {
                    continue;
                }
                if edge.target == start {
                    return false;
                }
                if !seen[edge.target] {
                    seen[edge.target] = true;
                    work.push((edge.target, 0));
                }
            }
        }
        true
    }

    /// May the function be called again between the place where the region begins and the last use of what is
    /// in it? In a loop, the region is kept from round to round.
    fn is_open_in_calls(&self, home: usize, at: usize, again: &FxHashSet<usize>) -> bool {
        let function = self.function;
        if function.leads_to(home, home, None) {
            return true;
        }
        let mut last: FxHashMap<usize, usize> = FxHashMap::default();
        for value in function.ids().filter(|&it| self.inside[it]) {
            for &(block, at) in self.uses[value].ops.iter().chain(&self.uses[value].passed) {
                let last = last.entry(block as usize).or_default();
                *last = (*last).max(at as usize);
            }
        }
        let calls = |op: &OpIr<'_>| {
            calls::called(self.finder.program, op).is_some_and(|it| again.contains(&it))
        };
        function.blocks.iter().enumerate().any(|(number, block)| {
            let inside = number == home || function.leads_to(home, number, None);
            let start = if number == home { at } else { 0 };
            inside
                && block.ops.iter().enumerate().skip(start).any(|(place, op)| {
                    let needed = || {
                        last.get(&number).is_some_and(|&it| it >= place)
                            || last.keys().any(|&it| function.leads_to(number, it, None))
                    };
                    calls(op) && needed()
                })
        })
    }

    /// `again` has the functions that may call this one, if it may be called while it runs.
    fn scope(
        self,
        index: usize,
        dominators: &Dominators,
        again: &Option<FxHashSet<usize>>,
    ) -> Option<Scope> {
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
        let args = function.ids().filter(|&it| self.inside[it] && function.is_arg(it));
        let above = args.map(|it| dominators.above(function.place(it).0));
        let blocks = sites.iter().map(|it| it.0).chain(above);
        let home = blocks.reduce(|a, b| dominators.common(a, b))?;
        if !self.leaves_no_garbage(home) {
            return None;
        }
        let at = match sites.iter().find(|it| it.0 == home) {
            Some(first) => first.1,
            None => function.blocks[home].ops.len() - 1,
        };
        if again.as_ref().is_some_and(|again| self.is_open_in_calls(home, at, again)) {
            return None;
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
