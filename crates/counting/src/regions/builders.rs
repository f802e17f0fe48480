//! Functions that can make their result in a region of their caller.
//!
//! ```text
//! let rec make d = if d = 0 then Leaf else Node (make (d - 1), make (d - 1))
//! let rec rev_append l acc = match l with [] -> acc | x :: t -> rev_append t (x :: acc)      keeps `acc`
//! ```
//!
//! Such a function leaves no garbage: on every path to its end, each object that it makes in the region
//! becomes part of the result, and so does each argument that must lie in the region (`kept`). Then
//! a region holds no more than what was alive at some time anyway. Paths that end in an exception
//! are excused if nothing in the function goes on after it.
//!
//! All functions are taken to be builders at first, and those that break a rule are struck off.

use oxbow_base::{FxHashSet, IdVec};
use oxbow_dialect::inspect::operands;
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::op::{DialectOp, Func, Opcode, Storage, callee_of, view};
use oxbow_dialect::{Kind, OcamlType, result_of};

use super::closures;
use super::escape::{Escapes, Fate, fate, is_static};
use crate::ir::{Def, Function, OpIr, Program, Uses, ValueId};
use crate::region_types::{may_be_placed, type_key, type_keys};
use crate::uses::Use;

/// What is known of each function.
pub struct Builders {
    pub is: Vec<bool>,
    /// The arguments that lie in the region.
    pub kept: Vec<Vec<bool>>,
    /// The values in the region.
    pub inside: Vec<IdVec<ValueId, bool>>,
    /// Types of the objects that are made in the region, also by calls.
    pub makes: Vec<FxHashSet<usize>>,
    /// Some objects refer to others that are not in the region.
    pub refers_out: Vec<bool>,
    /// The types of those others.
    pub outward: Vec<FxHashSet<usize>>,
    /// How many objects are made depends on more than the text of the function.
    pub many: Vec<bool>,
    /// Types with fields that change.
    mutable: FxHashSet<usize>,
}

/// How a value inside is used.
#[derive(PartialEq)]
enum Used {
    /// It becomes part of something inside.
    Kept,
    Looked,
    Badly,
}

/// The most words that an object in a region has.
pub const MOST_WORDS: usize = oxbow_abi::SMALL_WORDS as usize;

impl Builders {
    pub fn new(program: &Program<'_>, escapes: &Escapes) -> Self {
        let mut it = Self::start(program);
        let uses: Vec<_> = program.functions.iter().map(Function::uses).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..program.functions.len() {
                if it.is[index] {
                    changed |= it.step(program, escapes, index, &uses[index]);
                }
            }
        }
        it.sum_up(program);
        it
    }

    fn start(program: &Program<'_>) -> Self {
        let mut mutable = FxHashSet::default();
        for op in program.functions.iter().flat_map(Function::ops) {
            match op.opcode {
                Opcode::BlockStore => mutable.insert(type_key(operands(op.op)[1].r#type())),
                Opcode::BlockLoad => mutable.insert(type_key(operands(op.op)[0].r#type())),
                _ => false,
            };
        }
        let possible =
            |it: &Function<'_>| !it.has_env && !Func::of(it.op).exported() && it.returns_block();
        let kept = |it: &Function<'_>| {
            let is_kept = |arg: &Option<ValueId>| {
                arg.is_some_and(|arg| in_one_object(it.values[arg].value.r#type()))
            };
            it.blocks[0].args.iter().map(is_kept).collect()
        };
        let none = |it: &Function<'_>| it.ids().map(|_| false).collect();
        let functions = &program.functions;
        Self {
            is: functions.iter().map(possible).collect(),
            kept: functions.iter().map(kept).collect(),
            inside: functions.iter().map(none).collect(),
            makes: vec![FxHashSet::default(); functions.len()],
            refers_out: vec![false; functions.len()],
            outward: vec![FxHashSet::default(); functions.len()],
            many: vec![false; functions.len()],
            mutable,
        }
    }

    /// Looks at one function again; was something struck off?
    fn step(
        &mut self,
        program: &Program<'_>,
        escapes: &Escapes,
        index: usize,
        uses: &IdVec<ValueId, Uses>,
    ) -> bool {
        let function = &program.functions[index];
        let mut inside: IdVec<ValueId, bool> =
            function.ids().map(|it| self.may_be_inside(program, index, it)).collect();
        loop {
            let view = View { builders: self, program, escapes, function, uses, inside: &inside };
            let out: Vec<ValueId> =
                function.ids().filter(|&it| inside[it] && !view.may_stay(it)).collect();
            if out.is_empty() {
                break;
            }
            for it in out {
                inside[it] = false;
            }
        }
        let is = {
            let view = View { builders: self, program, escapes, function, uses, inside: &inside };
            function.ops().all(|op| view.ends_well(op))
        };
        let kept: Vec<bool> =
            function.blocks[0].args.iter().map(|arg| arg.is_some_and(|arg| inside[arg])).collect();
        let changed = !is || kept != self.kept[index];
        self.is[index] = is;
        self.kept[index] = kept;
        self.inside[index] = inside;
        changed
    }

    /// Is the value of a sort that could be made in a region?
    fn may_be_inside(&self, program: &Program<'_>, index: usize, value: ValueId) -> bool {
        let function = &program.functions[index];
        let it = &function.values[value];
        if it.value.r#type().kind() == Kind::Closure {
            return function.maker(value).is_some_and(|op| closures::is_placeable(program, op));
        }
        if !in_one_object(it.value.r#type()) {
            return false;
        }
        match it.def {
            Def::Arg { block: 0, index: at } => self.kept[index][at as usize],
            Def::Arg { .. } => true,
            Def::Fresh => match function.maker(value) {
                Some(op) if op.opcode == Opcode::BlockNew => self.is_placeable(op),
                Some(op) if op.opcode == Opcode::Call => self.is[program.by_name[callee_of(op.op)]],
                _ => false,
            },
            _ => false,
        }
    }

    /// Can the object of a `block.new` lie in a region?
    pub fn is_placeable(&self, op: &OpIr<'_>) -> bool {
        let words: usize = operands(op.op)
            .iter()
            .map(|it| 1 + usize::from(it.r#type().pair_parts().is_some()))
            .sum();
        op.opcode == Opcode::BlockNew
            && view(op.op).storage() == Some(Storage::Counted)
            && words <= MOST_WORDS
            && !self.mutable.contains(&type_key(result_of(op.op, 0).r#type()))
    }

    /// Gathers what builders make, with what they call.
    fn sum_up(&mut self, program: &Program<'_>) {
        let mut calls: Vec<Vec<usize>> = vec![Vec::new(); self.is.len()];
        for (index, function) in program.functions.iter().enumerate().filter(|it| self.is[it.0]) {
            let inside = &self.inside[index];
            for op in function.ops() {
                let made = op.results.first().is_some_and(|&it| inside[it]);
                match op.opcode {
                    Opcode::BlockNew if made => {
                        self.makes[index].insert(type_key(result_of(op.op, 0).r#type()));
                        for &(out, _) in &op.operands {
                            if !inside[out] && !is_static(function, out) {
                                self.refers_out[index] = true;
                                type_keys(function.value_type(out), &mut self.outward[index]);
                            }
                        }
                        self.many[index] |= function.in_loop(op.results[0]);
                    }
                    name if made && closures::makes(name) => {
                        self.makes[index].insert(type_key(result_of(op.op, 0).r#type()));
                        self.refers_out[index] |= closures::holds_references(op.op);
                        self.many[index] |= function.in_loop(op.results[0]);
                    }
                    Opcode::Call if made => {
                        calls[index].push(program.by_name[callee_of(op.op)]);
                        self.many[index] |= function.in_loop(op.results[0]);
                    }
                    Opcode::TailCall => {
                        calls[index].push(program.by_name[callee_of(op.op)]);
                    }
                    _ => (),
                }
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..calls.len() {
                for &callee in &calls[index] {
                    let before = self.summary(index);
                    let (makes, outward) =
                        (self.makes[callee].clone(), self.outward[callee].clone());
                    self.makes[index].extend(makes);
                    self.outward[index].extend(outward);
                    self.refers_out[index] |= self.refers_out[callee];
                    self.many[index] |= self.many[callee] || reaches(&calls, callee, index);
                    changed |= before != self.summary(index);
                }
            }
        }
    }

    fn summary(&self, index: usize) -> (usize, usize, bool, bool) {
        let sizes = (self.makes[index].len(), self.outward[index].len());
        (sizes.0, sizes.1, self.refers_out[index], self.many[index])
    }
}

/// Can calls lead from one function to another?
fn reaches(calls: &[Vec<usize>], from: usize, to: usize) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![from];
    while let Some(at) = work.pop() {
        if at == to {
            return true;
        }
        if seen.insert(at) {
            work.extend(&calls[at]);
        }
    }
    false
}

/// Is a value of this type one record, variant or tuple in memory?
fn in_one_object(ty: Type<'_>) -> bool {
    matches!(ty.kind(), Kind::Data | Kind::Tuple)
}

/// One function, while its values are looked at.
struct View<'a, 'c> {
    builders: &'a Builders,
    program: &'a Program<'c>,
    escapes: &'a Escapes,
    function: &'a Function<'c>,
    uses: &'a IdVec<ValueId, Uses>,
    inside: &'a IdVec<ValueId, bool>,
}

impl View<'_, '_> {
    fn is_fine(&self, value: ValueId) -> bool {
        self.inside[value] || is_static(self.function, value)
    }

    fn callee(&self, op: &OpIr<'_>) -> usize {
        self.program.by_name[callee_of(op.op)]
    }

    /// Are all arguments inside that must be?
    fn keeps_rules(&self, op: &OpIr<'_>) -> bool {
        let callee = self.callee(op);
        self.builders.is[callee]
            && op.operands.iter().all(|&(value, how)| match how {
                Use::Param(at) => !self.builders.kept[callee][at as usize] || self.is_fine(value),
                _ => true,
            })
    }

    fn may_stay(&self, value: ValueId) -> bool {
        let made_well = match self.function.values[value].def {
            Def::Arg { block, .. } if block > 0 => self.function.blocks.iter().all(|it| {
                let passed = it.edges.iter().flat_map(|it| &it.passed);
                passed.filter(|it| it.1 == value).all(|it| self.is_fine(it.0))
            }),
            Def::Fresh => match self.function.maker(value) {
                Some(op) if op.opcode == Opcode::Call => {
                    self.keeps_rules(op) && !self.goes_on_after(op)
                }
                _ => true,
            },
            _ => true,
        };
        made_well
            && self.uses[value].ops.iter().all(|&(block, at)| {
                let op = &self.function.blocks[block as usize].ops[at as usize];
                self.used(op, value) != Used::Badly
            })
            && self.uses[value].args.iter().all(|&it| self.inside[it])
            && self.is_kept_on_every_path(value)
    }

    fn used(&self, op: &OpIr<'_>, value: ValueId) -> Used {
        let made = op.results.first().is_some_and(|&it| self.inside[it]);
        match op.opcode {
            Opcode::BlockNew => return if made { Used::Kept } else { Used::Badly },
            Opcode::Return => return Used::Kept,
            _ => (),
        }
        let mut result = Used::Looked;
        for &(_, how) in op.operands.iter().filter(|it| it.0 == value) {
            match fate(self.program, op, how) {
                Fate::Looked => (),
                Fate::Read => {
                    let placed =
                        |it: &ValueId| may_be_placed(self.function.values[*it].value.r#type());
                    if op.results.iter().any(placed) {
                        return Used::Badly;
                    }
                }
                Fate::Passed(callee, at) => {
                    let inside = made || op.opcode == Opcode::TailCall;
                    if inside && self.builders.is[callee] && self.builders.kept[callee][at as usize]
                    {
                        result = Used::Kept;
                    } else if !self.escapes.of(callee, at).is_empty() {
                        return Used::Badly;
                    }
                }
                Fate::Escapes => return Used::Badly,
            }
        }
        result
    }

    /// Does the function go on when this call raises?
    fn goes_on_after(&self, call: &OpIr<'_>) -> bool {
        let Some(&exn) = call.results.get(1) else { return false };
        let test = self.function.blocks.iter().find_map(|block| {
            let last = block.ops.last()?;
            last.tested.filter(|it| it.exn == exn).map(|_| block.edges[0].target)
        });
        let Some(start) = test else { return true };
        let mut seen = FxHashSet::default();
        let mut work = vec![start];
        while let Some(at) = work.pop() {
            if !seen.insert(at) {
                continue;
            }
            let block = &self.function.blocks[at];
            let ends = |op: &OpIr<'_>| {
                matches!(op.opcode, Opcode::Return | Opcode::TailCall | Opcode::TailInvoke)
            };
            if block.ops.iter().any(ends) {
                return true;
            }
            work.extend(block.edges.iter().map(|it| it.target));
        }
        false
    }

    /// Does the value become part of the result, however the function goes on?
    fn is_kept_on_every_path(&self, value: ValueId) -> bool {
        let (home, from) = self.function.place(value);
        let mut seen = FxHashSet::default();
        // Blocks, with the first op to look at.
        let mut work = vec![(home, from)];
        while let Some((at, from)) = work.pop() {
            let block = &self.function.blocks[at];
            let kept = |op: &OpIr<'_>| {
                op.operands.iter().any(|it| it.0 == value) && self.used(op, value) == Used::Kept
            };
            if block.ops[from..].iter().any(kept) {
                continue;
            }
            let last = block.ops.last().expect("a block has a last op");
            match last.opcode {
                Opcode::Return | Opcode::TailCall | Opcode::TailInvoke => return false,
                _ => (),
            }
            for edge in &block.edges {
                if edge.passed.iter().any(|it| it.0 == value) {
                    continue;
                }
                // Made anew, and the one before forgotten.
                if edge.target == home {
                    return false;
                }
                if seen.insert(edge.target) {
                    work.push((edge.target, 0));
                }
            }
        }
        true
    }

    /// Is this no end of the function with something else than what is in the region?
    fn ends_well(&self, op: &OpIr<'_>) -> bool {
        match op.opcode {
            Opcode::Return => op.operands.iter().all(|it| self.is_fine(it.0)),
            Opcode::TailCall => self.keeps_rules(op),
            Opcode::TailInvoke => false,
            _ => true,
        }
    }
}
